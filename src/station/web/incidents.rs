//! Incidents: the queue, one of them with its proof, and the arbiter's rulings.

use std::sync::Arc;

use axum::{
    Extension, Json,
    extract::{Path, Query, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{App, Refused, access::Session};
use crate::{
    rules::Language,
    station::{
        evidence, explain,
        footage::Kept,
        store::{
            StoreError,
            corrections::Correction,
            incidents::{Ruling, StoredIncident},
        },
    },
};

type AppState = State<Arc<App>>;

/// Most incidents in the queue.
const MOST: u32 = 500;
/// Longest note, characters.
const LONGEST_NOTE: usize = 2000;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(one))
        .routes(routes!(frame))
        .routes(routes!(rule, undo))
        .routes(routes!(correct, take_correction_back))
}

/// The incidents of the boards that you see, newest first; at most 500.
#[utoipa::path(get, path = "/api/incidents", tag = "incidents",
    responses((status = 200, body = Vec<StoredIncident>)))]
pub(super) async fn list(
    State(app): AppState,
    Extension(session): Extension<Session>,
) -> Result<Json<Vec<StoredIncident>>, Refused> {
    let boards = session.user.boards;
    let list = app.ask(move |store| store.incidents(&boards, MOST)).await?;
    Ok(Json(list))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Asked {
    /// Language of the facts: `en` or `de`.
    #[serde(default)]
    lang: Option<String>,
}

/// An incident with what it takes to judge it.
#[derive(Serialize, ToSchema)]
pub(super) struct Opened {
    #[serde(flatten)]
    incident: StoredIncident,
    /// Small facts, a sentence each, in the language that was asked for.
    facts: Vec<String>,
    /// Who may raise it, and until when, where that follows from the touch and the move.
    standing: Option<String>,
    /// Moves that were allowed, SAN.
    allowed: Vec<String>,
    /// Squares of what was played.
    played_uci: Option<String>,
    /// Capture times of the frames, milliseconds since 1970.
    times_ms: Vec<f64>,
}

/// An incident and its frames.
async fn proof(app: &App, id: i64) -> Result<(StoredIncident, i64, Vec<Kept>), Refused> {
    let common = Arc::clone(&app.common);
    app.ask(move |store| {
        let incident = store.incident(id)?;
        let board = store.board_of(id)?;
        let frames = evidence::frames(&common, board, &incident)?;
        Ok((incident, board, frames))
    })
    .await
}

/// An incident, with what it takes to judge it.
#[utoipa::path(get, path = "/api/incidents/{id}", tag = "incidents", params(Asked),
    responses((status = 200, body = Opened)))]
pub(super) async fn one(
    State(app): AppState,
    Path(id): Path<i64>,
    Query(asked): Query<Asked>,
    Extension(session): Extension<Session>,
) -> Result<Json<Opened>, Refused> {
    let (incident, board, frames) = proof(&app, id).await?;
    app.note_view(&session.user, board).await?;
    let language = match asked.lang.as_deref() {
        Some("de") => Language::German,
        _ => Language::English,
    };
    Ok(Json(Opened {
        facts: explain::explanation(&incident, language),
        allowed: explain::allowed(&incident),
        played_uci: explain::played_uci(&incident),
        standing: explain::standing(&incident, language),
        times_ms: frames.iter().map(|f| f.t_ms).collect(),
        incident,
    }))
}

/// One of its frames, counted from 0.
#[utoipa::path(get, path = "/api/incidents/{id}/frames/{number}", tag = "incidents",
    responses((status = 200, content_type = "image/jpeg", body = Vec<u8>)))]
pub(super) async fn frame(
    State(app): AppState,
    Path((id, number)): Path<(i64, u32)>,
    Extension(session): Extension<Session>,
) -> Result<Response, Refused> {
    let (_, board, frames) = proof(&app, id).await?;
    let frame = frames
        .into_iter()
        .nth(number as usize)
        .ok_or_else(|| Refused::missing("frame"))?;
    app.note_view(&session.user, board).await?;
    let jpeg = app
        .ask(move |_| frame.read().map_err(StoreError::from))
        .await?;
    Ok(([(header::CONTENT_TYPE, "image/jpeg")], jpeg).into_response())
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewRuling {
    ruling: Ruling,
    #[serde(default)]
    note: String,
}

/// Rules on it; what was ruled before stays in the log.
#[utoipa::path(post, path = "/api/incidents/{id}/ruling", tag = "incidents", responses((status = 201)))]
pub(super) async fn rule(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
    Json(new): Json<NewRuling>,
) -> Result<StatusCode, Refused> {
    if new.note.chars().count() > LONGEST_NOTE {
        let why = "a note has at most 2000 characters".to_owned();
        return Err(Refused(StatusCode::UNPROCESSABLE_ENTITY, why));
    }
    let who = session.user.name;
    app.ask(move |store| store.rule(id, Some(new.ruling), new.note.trim(), &who))
        .await?;
    Ok(StatusCode::CREATED)
}

/// Takes the ruling back that stands.
#[utoipa::path(delete, path = "/api/incidents/{id}/ruling", tag = "incidents", responses((status = 204)))]
pub(super) async fn undo(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
) -> Result<StatusCode, Refused> {
    let who = session.user.name;
    app.ask(move |store| store.rule(id, None, "", &who)).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewCorrection {
    correction: Correction,
}

/// Says of its touch what no camera shows; the turn is judged again with it.
#[utoipa::path(post, path = "/api/incidents/{id}/correction", tag = "incidents", responses((status = 201)))]
pub(super) async fn correct(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
    Json(new): Json<NewCorrection>,
) -> Result<StatusCode, Refused> {
    let who = session.user.name;
    app.ask(move |store| store.correct(id, Some(new.correction), &who))
        .await?;
    Ok(StatusCode::CREATED)
}

/// Takes the correction back that stands; the turn is judged again without it.
#[utoipa::path(delete, path = "/api/incidents/{id}/correction", tag = "incidents", responses((status = 204)))]
pub(super) async fn take_correction_back(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
) -> Result<StatusCode, Refused> {
    let who = session.user.name;
    app.ask(move |store| store.correct(id, None, &who)).await?;
    Ok(StatusCode::NO_CONTENT)
}
