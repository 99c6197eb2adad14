//! Who may ask for what. Roles, the session's cookie, where a request may come from, and the
//! headers that keep a page to itself.

use std::sync::Arc;

use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{App, Refused};
use crate::station::store::people::{Role, User};

/// The name of the session's cookie.
pub(super) const COOKIE: &str = "adoube_session";

/// What a route needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Nothing.
    Anyone,
    /// A session of this role or a higher one.
    From(Role),
}

use Access::{Anyone, From};
use Role::{Administrator, Arbiter, Viewer};

/// Every route.
pub(super) const ROUTES: &[(Method, &str, Access)] = &[
    (Method::GET, "/", Anyone),
    (Method::GET, "/assets/{name}", Anyone),
    (Method::GET, "/healthz", Anyone),
    (Method::GET, "/metrics", Anyone),
    (Method::GET, "/api/me", Anyone),
    (Method::POST, "/api/claim", Anyone),
    (Method::POST, "/api/login", Anyone),
    (Method::POST, "/api/logout", From(Viewer)),
    (Method::GET, "/api/boards", From(Viewer)),
    (Method::GET, "/api/events", From(Viewer)),
    (Method::GET, "/api/boards/{id}/picture", From(Arbiter)),
    (Method::GET, "/api/boards/{id}/clip", From(Arbiter)),
    (Method::GET, "/api/boards/{id}/still", From(Arbiter)),
    (Method::POST, "/api/boards/{id}/new-game", From(Arbiter)),
    (Method::POST, "/api/boards/{id}/look-again", From(Arbiter)),
    (Method::POST, "/api/boards/{id}/announcement", From(Arbiter)),
    (Method::GET, "/api/boards/{id}/game", From(Arbiter)),
    (Method::POST, "/api/boards/{id}/position", From(Arbiter)),
    (Method::POST, "/api/boards/{id}/last-move", From(Arbiter)),
    (Method::POST, "/api/boards/{id}/players", From(Arbiter)),
    (Method::POST, "/api/pairings", From(Arbiter)),
    (Method::GET, "/api/games/{id}/contacts", From(Arbiter)),
    (Method::GET, "/api/incidents", From(Arbiter)),
    (Method::GET, "/api/incidents/{id}", From(Arbiter)),
    (
        Method::GET,
        "/api/incidents/{id}/frames/{number}",
        From(Arbiter),
    ),
    (Method::POST, "/api/incidents/{id}/ruling", From(Arbiter)),
    (Method::DELETE, "/api/incidents/{id}/ruling", From(Arbiter)),
    (Method::GET, "/api/incidents/{id}/export", From(Arbiter)),
    (Method::POST, "/api/incidents/{id}/hold", From(Arbiter)),
    (Method::DELETE, "/api/incidents/{id}/hold", From(Arbiter)),
    (Method::GET, "/api/key", From(Arbiter)),
    (
        Method::POST,
        "/api/incidents/{id}/correction",
        From(Arbiter),
    ),
    (
        Method::DELETE,
        "/api/incidents/{id}/correction",
        From(Arbiter),
    ),
    (Method::POST, "/api/boards", From(Administrator)),
    (Method::DELETE, "/api/boards/{id}", From(Administrator)),
    (Method::GET, "/api/users", From(Administrator)),
    (Method::POST, "/api/users", From(Administrator)),
    (Method::DELETE, "/api/users/{id}", From(Administrator)),
    (Method::GET, "/api/log", From(Administrator)),
];

/// The session of a request.
#[derive(Clone)]
pub(super) struct Session {
    pub(super) user: User,
    pub(super) token: String,
}

/// Lets a request through, with its session, if its route and role are in the table.
pub(super) async fn guard(
    State(app): State<Arc<App>>,
    path: MatchedPath,
    mut request: Request,
    next: Next,
) -> Result<Response, Refused> {
    let method = match request.method() {
        &Method::HEAD => &Method::GET,
        method => method,
    };
    let route = ROUTES
        .iter()
        .find(|(m, p, _)| m == method && *p == path.as_str());
    let Some((_, _, access)) = route else {
        return Err(Refused::missing("page"));
    };
    own_origin(request.method(), request.headers())?;
    if let Some(session) = session(&app, request.headers()).await? {
        request.extensions_mut().insert(session);
    }
    let role = request.extensions().get::<Session>().map(|s| s.user.role);
    match (access, role) {
        (From(_), None) => Err(Refused(StatusCode::UNAUTHORIZED, "log in first".to_owned())),
        (From(needed), Some(role)) if role < *needed => Err(Refused(
            StatusCode::FORBIDDEN,
            format!("this is for the role {} and above", needed.as_str()),
        )),
        _ => Ok(next.run(request).await),
    }
}

/// The session that a request's cookie opens.
pub(super) async fn session(app: &App, headers: &HeaderMap) -> Result<Option<Session>, Refused> {
    let cookies = headers.get_all(header::COOKIE);
    let token = cookies
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|text| text.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, token)| token.to_owned());
    let Some(token) = token else {
        return Ok(None);
    };
    let asked = token.clone();
    let user = app.ask(move |store| store.session(&asked)).await?;
    Ok(user.map(|user| Session { user, token }))
}

/// A change may only be asked for by this station's own page, or by what is no browser.
fn own_origin(method: &Method, headers: &HeaderMap) -> Result<(), Refused> {
    if matches!(*method, Method::GET | Method::HEAD) {
        return Ok(());
    }
    let text = |name: HeaderName| headers.get(name).map(|v| v.to_str().unwrap_or("?"));
    let origin = text(header::ORIGIN);
    let host = text(header::HOST).unwrap_or_default();
    let own = origin.is_none_or(|o| o.strip_prefix("http://") == Some(host));
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

/// Whether a request is meant for this machine: a name of another site that leads here is not.
fn is_local(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|v| v.to_str().ok());
    let Some(host) = host else {
        return true;
    };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

/// What every answer says.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
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

/// Adds the headers that keep a page to itself, and turns away what is not meant for this machine.
pub(super) async fn harden(request: Request, next: Next) -> Response {
    let mut response = if is_local(request.headers()) {
        next.run(request).await
    } else {
        let why = "this station answers to localhost and 127.0.0.1 only".to_owned();
        Refused(StatusCode::MISDIRECTED_REQUEST, why).into_response()
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}
