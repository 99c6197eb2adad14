//! What goes around every request and answer: where it may come from, the headers that keep a page
//! to itself, keys that stand in the address, and refusals in one form.

use std::sync::Arc;

use axum::{
    body::to_bytes,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{App, MOST_BODY, Refused, reviews::RECORDING};

/// What every answer says.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=()",
    ),
];
/// Longest sentence of a refusal, bytes.
const LONGEST_REFUSAL: usize = 4096;

/// Turns away what is not meant for this station, and adds the headers.
pub(super) async fn harden(
    State(app): State<Arc<App>>,
    mut request: Request,
    next: Next,
) -> Response {
    let allowed = key_in_path(&mut request)
        .and_then(|()| small(&request))
        .and_then(|()| own_name(&app, request.headers()))
        .and_then(|()| own_origin(&app, request.method(), request.headers()));
    let mut response = match allowed {
        Ok(()) => in_one_form(next.run(request).await).await,
        Err(refused) => refused.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        // A route that has a policy of its own keeps it.
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

/// `/key/KEY/way` is `/way` asked with this key, for programs that are given nothing but an address.
fn key_in_path(request: &mut Request) -> Result<(), Refused> {
    let asked = request.uri().path_and_query().map(|p| p.as_str());
    let Some(rest) = asked.and_then(|p| p.strip_prefix("/key/")) else {
        return Ok(());
    };
    let missing = || Refused::missing("page");
    let (key, way) = rest.split_once('/').ok_or_else(missing)?;
    let header = HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| missing())?;
    let uri: Uri = format!("/{way}").parse().map_err(|_| missing())?;
    request.headers_mut().insert(header::AUTHORIZATION, header);
    *request.uri_mut() = uri;
    Ok(())
}

/// A body that says it is too large is not waited for; one that does not say is cut off where it is.
/// Only recordings may be large: they are written to disk as they come, of those who may send them.
fn small(request: &Request) -> Result<(), Refused> {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|v| v.to_str().ok()?.parse::<u64>().ok());
    let recording = request.uri().path() == RECORDING;
    if recording || length.is_none_or(|bytes| bytes <= MOST_BODY as u64) {
        return Ok(());
    }
    let why = "the body is larger than 64 KiB".to_owned();
    Err(Refused(StatusCode::PAYLOAD_TOO_LARGE, why))
}

/// Without TLS the station serves this machine alone: a name of another site that was made to lead
/// here is not it. With TLS, the certificate says for which names it stands.
fn own_name(app: &App, headers: &HeaderMap) -> Result<(), Refused> {
    let Some(host) = headers.get(header::HOST).filter(|_| !app.tls) else {
        return Ok(());
    };
    let host = host.to_str().unwrap_or_default();
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    if matches!(name, "localhost" | "127.0.0.1" | "[::1]") {
        return Ok(());
    }
    let why = "this station answers to localhost and 127.0.0.1 only".to_owned();
    Err(Refused(StatusCode::MISDIRECTED_REQUEST, why))
}

/// A change may only be asked for by this station's own page, or by what is no browser.
fn own_origin(app: &App, method: &Method, headers: &HeaderMap) -> Result<(), Refused> {
    if matches!(*method, Method::GET | Method::HEAD) {
        return Ok(());
    }
    let text = |name: HeaderName| headers.get(name).map(|v| v.to_str().unwrap_or("?"));
    let origin = text(header::ORIGIN);
    let host = text(header::HOST).unwrap_or_default();
    let scheme = if app.tls { "https://" } else { "http://" };
    let own = origin.is_none_or(|o| o.strip_prefix(scheme) == Some(host));
    let site = text(HeaderName::from_static("sec-fetch-site"));
    if own && site.is_none_or(|s| matches!(s, "same-origin" | "none")) {
        Ok(())
    } else {
        Err(Refused(
            StatusCode::FORBIDDEN,
            "this was asked by another site's page".to_owned(),
        ))
    }
}

/// What the framework refuses in plain text is said as everything else that is refused.
async fn in_one_form(response: Response) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let plain = kind.is_none_or(|k| k.as_bytes().starts_with(b"text/plain"));
    if !(status.is_client_error() || status.is_server_error()) || !plain {
        return response;
    }
    let (parts, body) = response.into_parts();
    let said = to_bytes(body, LONGEST_REFUSAL).await.unwrap_or_default();
    let said = String::from_utf8_lossy(&said).into_owned();
    let why = if said.is_empty() {
        status.canonical_reason().unwrap_or("refused").to_owned()
    } else {
        said
    };
    let mut refused = Refused(status, why).into_response();
    // Such as the methods that are allowed.
    for (name, value) in &parts.headers {
        if *name != header::CONTENT_TYPE && *name != header::CONTENT_LENGTH {
            refused.headers_mut().insert(name, value.clone());
        }
    }
    refused
}
