//! Where a board lies in its picture: dragged by an arbiter, tried, kept.

use std::sync::Arc;

use axum::{
    Extension, Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{App, Refused, access::Session, boards::board};
use crate::station::{
    Common,
    hub::{Board, Command},
    place::{self, Canvas, Corners4, PlaceError, Tried},
};

type AppState = State<Arc<App>>;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(place, keep, forget))
        .routes(routes!(look))
}

/// Where a board lies now.
#[derive(Serialize, ToSchema)]
pub(super) struct Place {
    /// Its corners; null while it has not been found.
    corners: Option<Corners4>,
    /// Whether somebody dragged them here.
    dragged: bool,
    /// What is doubtful about the camera's place, in sentences.
    doubts: Vec<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Dragged {
    corners: Corners4,
}

impl From<PlaceError> for Refused {
    fn from(error: PlaceError) -> Self {
        let status = match error {
            PlaceError::Outside | PlaceError::View(_) => StatusCode::UNPROCESSABLE_ENTITY,
            PlaceError::Picture(_) | PlaceError::NoPicture | PlaceError::File(_) => {
                tracing::error!(%error, "a board's place cannot be looked at");
                StatusCode::INTERNAL_SERVER_ERROR
            }
        };
        Self(status, error.to_string())
    }
}

/// Does something with a board's newest picture, on a thread that may wait.
async fn with_canvas<T: Send + 'static>(
    app: &App,
    id: i64,
    work: impl FnOnce(&Common, &Board, &Canvas) -> Result<T, PlaceError> + Send + 'static,
) -> Result<T, Refused> {
    let (common, board) = (Arc::clone(&app.common), board(app, id)?);
    let picture = board
        .picture()
        .ok_or_else(|| Refused::missing("picture yet"))?;
    let done = tokio::task::spawn_blocking(move || {
        let lens = board.place().map(|p| p.lens).unwrap_or_default();
        work(&common, &board, &Canvas::open(&picture.jpeg, lens)?)
    });
    Ok(done.await.map_err(|_| Refused::failed())??)
}

/// Where a board lies in its picture, as it is watched now.
#[utoipa::path(get, path = "/api/boards/{id}/place", tag = "boards", responses((status = 200, body = Place)))]
pub(super) async fn place(
    State(app): AppState,
    Path(id): Path<i64>,
) -> Result<Json<Place>, Refused> {
    let board = board(&app, id)?;
    let dragged = place::kept(&app.common.data, id)
        .map_err(PlaceError::from)?
        .is_some();
    Ok(Json(Place {
        corners: board.place().map(|p| p.corners.into()),
        dragged,
        doubts: board.snapshot().doubts,
    }))
}

/// What corners would amount to: the grid, and what is doubtful. Nothing is kept.
#[utoipa::path(post, path = "/api/boards/{id}/place/look", tag = "boards", responses((status = 200, body = Tried)))]
pub(super) async fn look(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
    Json(Dragged { corners }): Json<Dragged>,
) -> Result<Json<Tried>, Refused> {
    board(&app, id)?;
    app.note_view(&session.user, id).await?;
    let tried = with_canvas(&app, id, move |_, _, canvas| {
        canvas.try_corners(corners.into())
    });
    Ok(Json(tried.await?))
}

/// Keeps corners as where the board lies; its game goes on from there.
#[utoipa::path(put, path = "/api/boards/{id}/place", tag = "boards", responses((status = 200, body = Place)))]
pub(super) async fn keep(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
    Json(Dragged { corners }): Json<Dragged>,
) -> Result<Json<Place>, Refused> {
    let doubts = with_canvas(&app, id, move |common, board, canvas| {
        let name = board.snapshot().name;
        canvas.keep(&common.data, (id, &name), corners.into())
    })
    .await?;
    let who = session.user.name;
    let body = json!({"board": id, "corners": corners, "doubts": doubts});
    app.ask(move |store| store.note("placed", &who, body))
        .await?;
    board(&app, id)?.tell(Command::LookAgain);
    Ok(Json(Place {
        corners: Some(corners),
        dragged: true,
        doubts,
    }))
}

/// Forgets corners that were dragged: the board is looked for by itself again.
#[utoipa::path(delete, path = "/api/boards/{id}/place", tag = "boards", responses((status = 204)))]
pub(super) async fn forget(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
) -> Result<StatusCode, Refused> {
    let board = board(&app, id)?;
    if !place::forget(&app.common.data, id).map_err(PlaceError::from)? {
        return Err(Refused::missing("dragged place"));
    }
    let who = session.user.name;
    app.ask(move |store| store.note("place_forgotten", &who, json!({"board": id})))
        .await?;
    board.tell(Command::LookAgain);
    Ok(StatusCode::NO_CONTENT)
}
