//! Boards: what they show, their newest picture, what they are told to do.

use std::sync::Arc;

use axum::{
    Extension, Json,
    extract::{Path, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{App, Refused, access::Session};
use crate::station::{
    config::BoardConfig,
    hub::{Board, Command, Snapshot},
    store::boards::Added,
};

type AppState = State<Arc<App>>;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(list, add))
        .routes(routes!(remove))
        .routes(routes!(picture))
        .routes(routes!(look_again))
        .routes(routes!(announce))
        .routes(routes!(health))
        .routes(routes!(metrics))
}

pub(super) fn board(app: &App, id: i64) -> Result<Arc<Board>, Refused> {
    app.common
        .hub
        .board(id)
        .ok_or_else(|| Refused::missing("board"))
}

/// The boards that you see, as they are now.
#[utoipa::path(get, path = "/api/boards", tag = "boards", responses((status = 200, body = Vec<Snapshot>)))]
pub(super) async fn list(
    State(app): AppState,
    Extension(session): Extension<Session>,
) -> Json<Vec<Snapshot>> {
    let boards = app.common.hub.boards();
    let seen = boards.iter().map(|b| b.snapshot());
    Json(seen.filter(|b| session.user.boards.include(b.id)).collect())
}

/// A board's newest picture.
#[utoipa::path(get, path = "/api/boards/{id}/picture", tag = "boards",
    responses((status = 200, content_type = "image/jpeg", body = Vec<u8>)))]
pub(super) async fn picture(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
) -> Result<Response, Refused> {
    let picture = board(&app, id)?
        .picture()
        .ok_or_else(|| Refused::missing("picture yet"))?;
    app.note_view(&session.user, id).await?;
    let headers = [
        (header::CONTENT_TYPE, "image/jpeg".to_owned()),
        (header::ETAG, format!("\"{:.0}\"", picture.t_ms)),
    ];
    Ok((headers, picture.jpeg.to_vec()).into_response())
}

/// Looks for the board in the camera's picture again; the game goes on.
#[utoipa::path(post, path = "/api/boards/{id}/look-again", tag = "boards", responses((status = 202)))]
pub(super) async fn look_again(
    State(app): AppState,
    Path(id): Path<i64>,
) -> Result<StatusCode, Refused> {
    board(&app, id)?.tell(Command::LookAgain);
    Ok(StatusCode::ACCEPTED)
}

/// Adjusting was announced at this moment: by an arbiter's key, or a button at the board.
#[utoipa::path(post, path = "/api/boards/{id}/announcement", tag = "boards", responses((status = 202)))]
pub(super) async fn announce(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
) -> Result<StatusCode, Refused> {
    let at_ms = app.common.clock.now_ms();
    let board = board(&app, id)?;
    let who = session.user.name;
    app.ask(move |store| store.note("announcement", &who, json!({"board": id, "at_ms": at_ms})))
        .await?;
    board.announce(at_ms);
    Ok(StatusCode::ACCEPTED)
}

/// Whether the station is well.
#[derive(Serialize, ToSchema)]
pub(super) struct Health {
    /// `ok`, or what is not.
    status: &'static str,
    /// The program's.
    version: &'static str,
    /// How many boards there are.
    boards: usize,
    /// Boards whose frames are not being kept.
    boards_not_recording: usize,
    /// Boards whose space for frames will not last the day.
    boards_short_of_space: usize,
    /// Until the space of the first board is used up.
    hours_of_space_left: Option<f64>,
}

/// Whether the store answers, and frames are kept and will be for the day; what the boards do is in
/// the metrics.
#[utoipa::path(get, path = "/healthz", tag = "service", responses((status = 200, body = Health)))]
pub(super) async fn health(State(app): AppState) -> Result<Json<Health>, Refused> {
    app.ask(|store| store.log_newest(1)).await?;
    let boards = app.common.hub.boards();
    let boards: Vec<Snapshot> = boards.iter().map(|b| b.snapshot()).collect();
    let not_recording = boards.iter().filter(|b| b.not_recording.is_some()).count();
    let spaces = boards.iter().filter_map(|b| b.space);
    let short = spaces.clone().filter(|s| s.short).count();
    let status = match (not_recording, short) {
        (0, 0) => "ok",
        (0, _) => "space for frames will not last the day",
        _ => "frames are not being kept",
    };
    Ok(Json(Health {
        status,
        version: env!("CARGO_PKG_VERSION"),
        boards: boards.len(),
        boards_not_recording: not_recording,
        boards_short_of_space: short,
        hours_of_space_left: spaces.map(|s| s.hours_left).reduce(f64::min),
    }))
}

/// What the station counts, for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "service",
    responses((status = 200, content_type = "application/openmetrics-text", body = String)))]
pub(super) async fn metrics(State(app): AppState) -> Result<Response, Refused> {
    let text = app
        .common
        .metrics
        .text(&app.common.hub)
        .map_err(|e| Refused(StatusCode::INTERNAL_SERVER_ERROR, e.to_string()))?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

/// A board to be added.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewBoard {
    name: String,
    /// A camera, an `rtsp://` address, a recording on the station's computer, or `loop:` and one.
    source: String,
    /// FEN of where its games begin, if not at the start of chess.
    #[serde(default)]
    start: Option<String>,
}

/// The board that was added.
#[derive(Serialize, ToSchema)]
pub(super) struct NewId {
    id: i64,
}

/// Adds a board, once its source has given a picture.
#[utoipa::path(post, path = "/api/boards", tag = "boards", responses((status = 201, body = NewId)))]
pub(super) async fn add(
    State(app): AppState,
    Extension(session): Extension<Session>,
    Json(new): Json<NewBoard>,
) -> Result<(StatusCode, Json<NewId>), Refused> {
    let unfit = |why: String| Refused(StatusCode::UNPROCESSABLE_ENTITY, why);
    let board = BoardConfig::given(&new.name, &new.source, new.start.as_deref())
        .map_err(|e| unfit(e.to_string()))?;
    let (common, source) = (Arc::clone(&app.common), board.source.clone());
    let seen = app.ask(move |_| Ok(source.try_out(common.clock))).await?;
    seen.map_err(|e| unfit(e.to_string()))?;
    let common = Arc::clone(&app.common);
    let id = app
        .ask(move |_| {
            let added = Added {
                name: board.name.clone(),
                source: new.source,
                start_fen: board.start_fen.clone(),
            };
            common.add_board(&board, &added, &session.user.name)
        })
        .await?;
    Ok((StatusCode::CREATED, Json(NewId { id })))
}

/// Stops watching a board; its games and incidents stay.
#[utoipa::path(delete, path = "/api/boards/{id}", tag = "boards", responses((status = 204)))]
pub(super) async fn remove(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
) -> Result<StatusCode, Refused> {
    let common = Arc::clone(&app.common);
    app.ask(move |_| common.remove_board(id, &session.user.name))
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
