//! Which kinds of incidents the event has in use.

use std::sync::Arc;

use axum::{
    Extension, Json,
    extract::{Path, State},
};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{App, Refused, access::Session};
use crate::station::store::alerts::{AlertKind, AlertSwitch};

type AppState = State<Arc<App>>;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(switch))
}

/// Every kind of incident, and whether it is shown.
#[utoipa::path(get, path = "/api/alerts", tag = "incidents", responses((status = 200, body = Vec<AlertSwitch>)))]
pub(super) async fn list(State(app): AppState) -> Result<Json<Vec<AlertSwitch>>, Refused> {
    Ok(Json(app.ask(|store| store.alerts()).await?))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct Which {
    /// Kind of incident.
    kind: AlertKind,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct InUse {
    /// Whether incidents of this kind are shown from now on; others are logged only.
    in_use: bool,
}

/// Puts a kind of incident in or out of use.
#[utoipa::path(put, path = "/api/alerts/{kind}", tag = "incidents", params(Which),
    responses((status = 200, body = AlertSwitch)))]
pub(super) async fn switch(
    State(app): AppState,
    Path(Which { kind }): Path<Which>,
    Extension(session): Extension<Session>,
    Json(InUse { in_use }): Json<InUse>,
) -> Result<Json<AlertSwitch>, Refused> {
    let switch = AlertSwitch { kind, in_use };
    let who = session.user.name;
    app.ask(move |store| store.switch_alert(switch, &who))
        .await?;
    Ok(Json(switch))
}
