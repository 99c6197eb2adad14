//! Reviews of recordings: asked for with a file of the station's folder or one that is sent, and their
//! results.

use std::{
    io::Write as _,
    path::{Path as FilePath, PathBuf},
    sync::Arc,
};

use axum::{
    Extension, Json,
    extract::{Path, Query, Request, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use tokio_stream::StreamExt;
use tower::ServiceExt;
use tower_http::services::ServeFile;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{App, Refused, access::Session};
use crate::{
    events::position_from_fen,
    review::batch::is_video,
    station::{
        footage::{self, private_folder},
        reviews::{self, Progress},
        store::{
            people::random_hex,
            reviews::{NewReview, Review},
        },
    },
};

/// A report is a page with a script and pictures of its own, and reaches nothing else.
const REPORT_POLICY: &str = "sandbox allow-scripts allow-downloads allow-modals; default-src 'none'; \
    script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";
/// The way of a recording that is sent.
pub(super) const RECORDING: &str = "/api/reviews/recording";
/// So much of the disk is left to the live boards, bytes.
const SPARE_BYTES: u64 = 2 << 30;
/// Free space is looked at after so many bytes.
const LOOK_BYTES: u64 = 64 << 20;
/// Longest name, characters.
const LONGEST: usize = 120;

type AppState = State<Arc<App>>;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(list, add))
        .routes(routes!(send))
        .routes(routes!(remove))
        .routes(routes!(result))
}

/// A review as the page shows it.
#[derive(Serialize, ToSchema)]
pub(super) struct Shown {
    #[serde(flatten)]
    review: Review,
    /// How far it is, while it is being done.
    progress: Option<Progress>,
    /// The names of its results.
    results: Vec<&'static str>,
}

/// Reviews, and recordings that can be reviewed.
#[derive(Serialize, ToSchema)]
pub(super) struct All {
    /// Newest first.
    reviews: Vec<Shown>,
    /// The recordings in the station's folder for them.
    recordings: Vec<String>,
}

/// The recordings in a folder, by name.
fn recordings(folder: Option<&FilePath>) -> Vec<String> {
    let entries = folder.and_then(|f| std::fs::read_dir(f).ok());
    let paths = entries.into_iter().flatten().flatten().map(|e| e.path());
    let videos = paths.filter(|p| p.is_file() && is_video(p));
    let mut names: Vec<String> = videos
        .filter_map(|p| Some(p.file_name()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    names
}

/// Reviews of recordings, and recordings that can be reviewed.
#[utoipa::path(get, path = "/api/reviews", tag = "reviews", responses((status = 200, body = All)))]
pub(super) async fn list(State(app): AppState) -> Result<Json<All>, Refused> {
    let (common, data) = (Arc::clone(&app.common), app.common.data.clone());
    let all = app.ask(move |store| {
        let progress = common.reviews.progress();
        let shown = |review: Review| Shown {
            progress: progress.filter(|p| p.review == review.id),
            results: reviews::results(&data, review.id),
            review,
        };
        Ok(All {
            reviews: store.reviews()?.into_iter().map(shown).collect(),
            recordings: recordings(common.recordings.as_deref()),
        })
    });
    Ok(Json(all.await?))
}

/// What is to be reviewed.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    /// The name of a recording in the station's folder for them.
    recording: String,
    /// FEN of the first frame, if it is not the start of chess.
    #[serde(default)]
    start: Option<String>,
    /// Language of the report: `en` or `de`.
    #[serde(default)]
    language: Option<String>,
}

fn unfit(why: impl Into<String>) -> Refused {
    Refused(StatusCode::UNPROCESSABLE_ENTITY, why.into())
}

/// What is asked for, once it can be done.
fn checked(
    file: PathBuf,
    name: &str,
    start: Option<String>,
    language: Option<String>,
) -> Result<NewReview, Refused> {
    let start = start.filter(|s| !s.trim().is_empty());
    if let Some(fen) = &start {
        position_from_fen(fen).map_err(unfit)?;
    }
    let language = language.unwrap_or_else(|| "en".to_owned());
    if !["en", "de"].contains(&language.as_str()) {
        return Err(unfit("a report is written in en or de"));
    }
    let file = file.into_os_string().into_string();
    Ok(NewReview {
        name: name.to_owned(),
        file: file.map_err(|_| unfit("the folder of the station has a name that is no text"))?,
        start,
        language,
    })
}

/// Reviews a recording of the station's folder.
#[utoipa::path(post, path = "/api/reviews", tag = "reviews", responses((status = 201, body = Object)))]
pub(super) async fn add(
    State(app): AppState,
    Extension(session): Extension<Session>,
    Json(wanted): Json<Wanted>,
) -> Result<(StatusCode, Json<serde_json::Value>), Refused> {
    let folder = app.common.recordings.clone();
    // A name from the list, and no way to elsewhere.
    let known = recordings(folder.as_deref()).contains(&wanted.recording);
    let file = folder.filter(|_| known).map(|f| f.join(&wanted.recording));
    let file = file.ok_or_else(|| Refused::missing("recording"))?;
    let new = checked(file, &wanted.recording, wanted.start, wanted.language)?;
    noted(&app, new, session.user.name).await
}

async fn noted(
    app: &App,
    new: NewReview,
    who: String,
) -> Result<(StatusCode, Json<serde_json::Value>), Refused> {
    let id = app.ask(move |store| store.add_review(&new, &who)).await?;
    Ok((StatusCode::CREATED, Json(serde_json::json!({"id": id}))))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Sent {
    /// The recording's name, as `round-3-board-1.mp4`.
    name: String,
    /// FEN of the first frame, if it is not the start of chess.
    start: Option<String>,
    /// Language of the report: `en` or `de`.
    language: Option<String>,
}

/// Reviews a recording that is sent as the body, however large.
#[utoipa::path(post, path = "/api/reviews/recording", tag = "reviews", params(Sent),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = Object), (status = 507, description = "The disk is too full")))]
pub(super) async fn send(
    State(app): AppState,
    Query(sent): Query<Sent>,
    Extension(session): Extension<Session>,
    request: Request,
) -> Result<(StatusCode, Json<serde_json::Value>), Refused> {
    let plain = |c: char| c.is_alphanumeric() || " ._-()".contains(c);
    let name = sent.name.trim();
    let fits = (1..=LONGEST).contains(&name.chars().count()) && name.chars().all(plain);
    if !fits || name.starts_with('.') || !is_video(FilePath::new(name)) {
        return Err(unfit(
            "a recording has a plain name of at most 120 characters that ends as a video's, as game.mp4",
        ));
    }
    let folder = sent_folder(&app.common.data).join(random_hex::<8>()?);
    let new = checked(folder.join(name), name, sent.start, sent.language)?;
    if let Err(refused) = taken_in(&folder, name, request).await {
        // What came so far is of no use.
        let _ = std::fs::remove_dir_all(&folder);
        return Err(refused);
    }
    noted(&app, new, session.user.name).await
}

/// Where recordings are that were sent.
fn sent_folder(data: &FilePath) -> PathBuf {
    data.join("reviews").join("sent")
}

/// Writes a body to a file as it comes.
async fn taken_in(folder: &FilePath, name: &str, request: Request) -> Result<(), Refused> {
    let failed = |e: String| Refused(StatusCode::INTERNAL_SERVER_ERROR, e);
    private_folder(folder).map_err(|e| failed(e.to_string()))?;
    let mut file = std::fs::File::create(folder.join(name)).map_err(|e| failed(e.to_string()))?;
    let mut body = request.into_body().into_data_stream();
    let (mut written, mut looked) = (0_u64, None);
    while let Some(part) = body.next().await {
        let part = part.map_err(|e| Refused(StatusCode::BAD_REQUEST, e.to_string()))?;
        if looked.is_none_or(|at| written >= at + LOOK_BYTES) {
            looked = Some(written);
            let free = footage::free_bytes(folder).map_err(|e| failed(e.to_string()))?;
            if free < SPARE_BYTES {
                let why = "the station's disk is too full for this recording: make room first";
                return Err(Refused(StatusCode::INSUFFICIENT_STORAGE, why.to_owned()));
            }
        }
        tokio::task::block_in_place(|| file.write_all(&part)).map_err(|e| failed(e.to_string()))?;
        written += part.len() as u64;
    }
    match written {
        0 => Err(unfit("nothing was sent")),
        _ => Ok(()),
    }
}

/// Takes a review out, with its results and the recording that was sent for it.
#[utoipa::path(delete, path = "/api/reviews/{id}", tag = "reviews", responses((status = 204)))]
pub(super) async fn remove(
    State(app): AppState,
    Path(id): Path<i64>,
    Extension(session): Extension<Session>,
) -> Result<StatusCode, Refused> {
    let data = app.common.data.clone();
    app.ask(move |store| {
        let review = store.review(id)?;
        store.remove_review(id, &session.user.name)?;
        let sent = FilePath::new(&review.file).parent();
        let sent = sent.filter(|folder| folder.starts_with(sent_folder(&data)));
        let gone =
            reviews::remove(&data, id).and_then(|()| sent.map_or(Ok(()), std::fs::remove_dir_all));
        if let Err(error) = gone {
            tracing::error!(%error, review = id, "the files of a review could not be deleted");
        }
        Ok(())
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A result of a review, as `report.html`.
#[utoipa::path(get, path = "/api/reviews/{id}/{name}", tag = "reviews",
    responses((status = 200, content((String = "text/html"), (String = "application/octet-stream")))))]
pub(super) async fn result(
    State(app): AppState,
    Path((id, name)): Path<(i64, String)>,
    request: Request,
) -> Result<Response, Refused> {
    app.ask(move |store| store.review(id)).await?;
    let path = reviews::result(&app.common.data, id, &name);
    let path = path.ok_or_else(|| Refused::missing("result"))?;
    let served = ServeFile::new(path).oneshot(request).await;
    let mut response = match served {
        Ok(response) => response.into_response(),
        Err(never) => match never {},
    };
    let headers = response.headers_mut();
    if name == "report.html" {
        headers.insert(
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(REPORT_POLICY),
        );
    } else if !name.ends_with(".mp4") {
        headers.insert(
            header::CONTENT_DISPOSITION,
            HeaderValue::from_static("attachment"),
        );
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}
