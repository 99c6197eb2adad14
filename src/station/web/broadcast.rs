//! The broadcast as the station's people see it: how it fares. What is public itself is in
//! `station::public`, which sees nothing of the rest.

use std::{collections::BTreeMap, sync::Arc};

use axum::{Json, extract::FromRequestParts, extract::State, http::request::Parts};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{App, Refused, page};
use crate::station::public::{
    report::{Fares, Outlet},
    web::Asked,
};

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(fares))
        .routes(routes!(overlay))
}

impl FromRequestParts<Arc<App>> for Asked {
    type Rejection = Refused;

    async fn from_request_parts(_: &mut Parts, app: &Arc<App>) -> Result<Self, Refused> {
        app.public.clone().map(Self).ok_or_else(not_broadcast)
    }
}

fn not_broadcast() -> Refused {
    Refused::missing("broadcast: begin one as docs/broadcast.md says")
}

/// How the broadcast fares.
#[derive(Serialize, ToSchema)]
pub(super) struct Broadcast {
    /// Whether there is one.
    on: bool,
    /// Each outlet that was tried.
    outlets: BTreeMap<Outlet, Fares>,
}

/// How the broadcast fares: what was sent when, and what fails.
#[utoipa::path(get, path = "/api/broadcast", tag = "broadcast",
    responses((status = 200, body = Broadcast)))]
pub(super) async fn fares(State(app): State<Arc<App>>) -> Json<Broadcast> {
    let public = app.public.as_ref();
    Json(Broadcast {
        on: public.is_some(),
        outlets: public.map(|p| p.report().all()).unwrap_or_default(),
    })
}

/// The overlay, a page for OBS.
#[utoipa::path(get, path = "/overlay", tag = "broadcast",
    responses((status = 200, content_type = "text/html", body = String)))]
pub(super) async fn overlay(_: Asked) -> Result<axum::response::Response, Refused> {
    page::file("overlay.html", "no-cache")
}
