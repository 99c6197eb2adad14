//! Footage that leaves the station, and how long it stays: bundles, clips, stills, holds. Each is
//! noted in the log.

use std::{io::Read, sync::Arc};

use axum::{
    Extension, Json,
    body::{Body, Bytes},
    extract::{Path, Query, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{App, Refused, access::Session};
use crate::station::{
    Common,
    bundle::{self, Bundle, BundleError},
    footage, footage_folder,
    store::StoreError,
    video::VideoError,
};

type AppState = State<Arc<App>>;

/// Parts of an answer that may wait for a slow page, and their length, bytes.
const WAITING: usize = 4;
const PART: usize = 1 << 16;
/// A still is looked for this long before the time that was asked for, milliseconds.
const STILL_MS: f64 = 1000.0;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(export))
        .routes(routes!(clip))
        .routes(routes!(still))
        .routes(routes!(hold, let_go))
        .routes(routes!(key))
}

impl From<BundleError> for Refused {
    fn from(error: BundleError) -> Self {
        let status = match error {
            BundleError::Store(error) => return error.into(),
            BundleError::Refused(_) => StatusCode::UNPROCESSABLE_ENTITY,
            BundleError::Video(VideoError::Empty) => StatusCode::NOT_FOUND,
            _ => {
                tracing::error!(%error, "a bundle could not be made");
                StatusCode::INTERNAL_SERVER_ERROR
            }
        };
        Self(status, error.to_string())
    }
}

impl App {
    /// Makes a bundle on a thread that may wait, and notes it.
    async fn make(
        &self,
        make: impl FnOnce(&Common) -> Result<(Bundle, Value), BundleError> + Send + 'static,
        who: String,
    ) -> Result<Response, Refused> {
        let common = Arc::clone(&self.common);
        let made = tokio::task::spawn_blocking(move || {
            let (bundle, mut body) = make(&common)?;
            body["sha256"] = json!(bundle.sha256);
            common.store.note("export", &who, body)?;
            Ok::<_, BundleError>(bundle)
        });
        Ok(download(made.await.map_err(|_| Refused::failed())??))
    }
}

/// A bundle as an answer, read from the disk as it is taken.
fn download(bundle: Bundle) -> Response {
    let (sender, receiver) = mpsc::channel::<std::io::Result<Bytes>>(WAITING);
    let headers = [
        (header::CONTENT_TYPE, "application/zip".to_owned()),
        (header::CONTENT_LENGTH, bundle.bytes.to_string()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{}\"", bundle.name),
        ),
    ];
    let mut file = bundle.file;
    tokio::task::spawn_blocking(move || {
        loop {
            let mut part = vec![0; PART];
            let read = file.read(&mut part).map(|got| {
                part.truncate(got);
                Bytes::from(part)
            });
            let last = !matches!(&read, Ok(part) if !part.is_empty());
            if matches!(&read, Ok(part) if part.is_empty())
                // Whoever asked has gone.
                || sender.blocking_send(read).is_err()
                || last
            {
                return;
            }
        }
    });
    (headers, Body::from_stream(ReceiverStream::new(receiver))).into_response()
}

/// The incident's evidence: one ZIP archive, signed by the station.
#[utoipa::path(get, path = "/api/incidents/{id}/export", tag = "incidents",
    responses((status = 200, content_type = "application/zip", body = Vec<u8>)))]
pub(super) async fn export(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
) -> Result<Response, Refused> {
    let who = session.user.name.clone();
    let make = move |common: &Common| {
        let bundle = bundle::export_incident(common, id, &who)?;
        Ok((bundle, json!({"incident": id})))
    };
    app.make(make, session.user.name).await
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Span {
    /// Milliseconds since 1970.
    from_ms: f64,
    /// Milliseconds since 1970.
    to_ms: f64,
}

fn name_of(app: &App, board: i64) -> Result<String, Refused> {
    let board = app.common.hub.board(board);
    let board = board.ok_or_else(|| Refused::missing("board"))?;
    Ok(board.snapshot().name)
}

/// A clip of a board, at most ten minutes, signed by the station.
#[utoipa::path(get, path = "/api/boards/{id}/clip", tag = "boards", params(Span),
    responses((status = 200, content_type = "application/zip", body = Vec<u8>)))]
pub(super) async fn clip(
    State(app): AppState,
    Path(board): Path<i64>,
    Query(span): Query<Span>,
    Extension(session): Extension<Session>,
) -> Result<Response, Refused> {
    let (name, who) = (name_of(&app, board)?, session.user.name.clone());
    let make = move |common: &Common| {
        let span = (span.from_ms, span.to_ms);
        let bundle = bundle::export_clip(common, (board, &name), span, &who)?;
        let body = json!({"board": board, "from_ms": span.0, "to_ms": span.1});
        Ok((bundle, body))
    };
    app.make(make, session.user.name).await
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Moment {
    /// Milliseconds since 1970.
    at_ms: f64,
}

/// The frame that was captured last at a time; its own time is in a header.
#[utoipa::path(get, path = "/api/boards/{id}/still", tag = "boards", params(Moment),
    responses((status = 200, content_type = "image/jpeg", body = Vec<u8>)))]
pub(super) async fn still(
    State(app): AppState,
    Path(board): Path<i64>,
    Query(moment): Query<Moment>,
    Extension(session): Extension<Session>,
) -> Result<Response, Refused> {
    name_of(&app, board)?;
    let folder = footage_folder(&app.common.data, board);
    let at_ms = moment.at_ms;
    let (t_ms, jpeg) = app
        .ask(move |_| {
            let frames = footage::frames(&folder, at_ms - STILL_MS, at_ms)?;
            let last = frames
                .last()
                .ok_or(StoreError::Missing("frame of this time"))?;
            Ok((last.t_ms, last.read()?))
        })
        .await?;
    let who = session.user.name;
    let body = json!({"board": board, "at_ms": t_ms});
    app.ask(move |store| store.note("still", &who, body))
        .await?;
    let headers = [
        ("content-type", "image/jpeg".to_owned()),
        ("x-captured-ms", format!("{t_ms:.3}")),
    ];
    Ok((headers, jpeg).into_response())
}

/// Keeps the incident's frames until they are let go.
#[utoipa::path(post, path = "/api/incidents/{id}/hold", tag = "incidents", responses((status = 204)))]
pub(super) async fn hold(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
) -> Result<StatusCode, Refused> {
    let who = session.user.name;
    app.ask(move |store| store.hold(id, true, &who)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lets the incident's frames go: they are deleted when their time is over.
#[utoipa::path(delete, path = "/api/incidents/{id}/hold", tag = "incidents", responses((status = 204)))]
pub(super) async fn let_go(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
) -> Result<StatusCode, Refused> {
    let who = session.user.name;
    app.ask(move |store| store.hold(id, false, &who)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The station's own key.
#[derive(Serialize, ToSchema)]
pub(super) struct PublicKey {
    /// Ed25519, hexadecimal.
    public_key: String,
}

/// The public key by which bundles can be checked.
#[utoipa::path(get, path = "/api/key", tag = "service", responses((status = 200, body = PublicKey)))]
pub(super) async fn key(State(app): AppState) -> Json<PublicKey> {
    let public_key = app.common.key.public();
    Json(PublicKey { public_key })
}
