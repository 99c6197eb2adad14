//! The API's description of itself, by OpenAPI. What a route needs, and how it may refuse, follows
//! from `access::ROUTES` and is not said again at each route.

use std::sync::LazyLock;

use axum::{Json, http::Method};
use serde_json::json;
use utoipa::{
    OpenApi,
    openapi::{
        ContentBuilder, Ref, RefOr, Response,
        path::{Operation, PathItem},
        security::{
            ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme,
        },
    },
};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{
    Refusal,
    access::{Access, COOKIE, ROUTES},
};

/// What no route says.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Adoube, the arbiter's station",
        description = "Everything the page does. Times are milliseconds since 1970. \
            A change that is confirmed is on disk and in the log.",
        license(name = "GPL-3.0-or-later", identifier = "GPL-3.0-or-later")
    ),
    components(schemas(Refusal)),
    tags(
        (name = "people", description = "Who may do what, and what was done"),
        (name = "boards", description = "What is being watched"),
        (name = "incidents", description = "What was found, and what the arbiter ruled"),
        (name = "events", description = "What happens, as it happens"),
        (name = "broadcast", description = "What is public, later than it happened: a key reads this and nothing else"),
        (name = "reviews", description = "Recordings that are reviewed after the games"),
        (name = "service", description = "The station itself"),
    )
)]
pub(super) struct Base;

static DOCUMENT: LazyLock<utoipa::openapi::OpenApi> = LazyLock::new(document);

pub(super) fn routes() -> OpenApiRouter<std::sync::Arc<super::App>> {
    OpenApiRouter::new().routes(routes!(described))
}

/// This description.
#[utoipa::path(get, path = "/api/openapi.json", tag = "service",
    responses((status = 200, body = Object)))]
pub(super) async fn described() -> Json<&'static utoipa::openapi::OpenApi> {
    Json(&*DOCUMENT)
}

/// The operation of a path and method.
pub(super) fn operation<'a>(item: &'a mut PathItem, method: &Method) -> Option<&'a mut Operation> {
    match *method {
        Method::GET => item.get.as_mut(),
        Method::POST => item.post.as_mut(),
        Method::PUT => item.put.as_mut(),
        Method::PATCH => item.patch.as_mut(),
        Method::DELETE => item.delete.as_mut(),
        _ => None,
    }
}

/// All of it.
pub(super) fn document() -> utoipa::openapi::OpenApi {
    let mut document = super::api().into_openapi();
    let components = document.components.get_or_insert_default();
    let schemes = [
        (
            "session",
            SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(COOKIE))),
        ),
        (
            "key",
            SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)),
        ),
    ];
    for (name, scheme) in schemes {
        components.add_security_scheme(name, scheme);
    }
    for (method, path, access) in ROUTES {
        let item = document.paths.paths.get_mut(*path);
        if let Some(operation) = item.and_then(|item| operation(item, method)) {
            complete(operation, *access);
        }
    }
    document
}

/// Adds what a route needs, and how it may refuse.
fn complete(operation: &mut Operation, access: Access) {
    let mut refusals = vec![("400", "what was asked cannot be read")];
    refusals.push(("421", "asked by a name that is not this station's"));
    refusals.push(("500", "the station failed"));
    let needs = match access {
        Access::Anyone => "anyone",
        Access::Here => "this machine, or an administrator",
        Access::From(role) => role.as_str(),
    };
    if access != Access::Anyone {
        refusals.push(("401", "nobody has logged in"));
        refusals.push((
            "403",
            "this is for another role, or was asked by another site",
        ));
        let schemes = ["session", "key"].map(|s| SecurityRequirement::new(s, [""; 0]));
        // On this machine none is needed.
        let none = (access == Access::Here).then(SecurityRequirement::default);
        operation.security = Some(none.into_iter().chain(schemes).collect());
    }
    if operation.parameters.iter().flatten().next().is_some() {
        refusals.push(("404", "there is no such thing"));
        refusals.push(("422", "what was asked for cannot be"));
    }
    if operation.request_body.is_some() {
        refusals.push(("401", "name or password is wrong"));
        refusals.push(("403", "not the right code, or asked by another site"));
        refusals.push(("413", "the body is larger than 64 KiB"));
        refusals.push(("415", "the body is not JSON"));
        refusals.push(("422", "the body does not say what is needed"));
        refusals.push(("429", "too many attempts: wait a minute"));
    }
    refusals.push(("409", "this cannot be done now, or not so"));
    for (status, why) in refusals {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Refusal")));
        let mut response = Response::new(why);
        response
            .content
            .insert("application/json".to_owned(), RefOr::T(content.build()));
        let responses = &mut operation.responses.responses;
        responses
            .entry(status.to_owned())
            .or_insert(RefOr::T(response));
    }
    let extension = [("x-role".to_owned(), json!(needs))];
    operation
        .extensions
        .get_or_insert_default()
        .extend(extension);
}
