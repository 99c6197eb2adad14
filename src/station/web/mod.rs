//! The page and its API, for this machine only.
//!
//! Every route stands in `access::ROUTES` with the role that it needs; a route that does not
//! stand there answers nobody. Everything the page does, the API does.

mod access;
mod boards;
mod events;
mod fixing;
mod footage;
mod incidents;
mod page;
mod people;

use std::{
    collections::HashMap,
    net::{Ipv4Addr, SocketAddr},
    num::NonZeroU32,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    Json, Router,
    extract::DefaultBodyLimit,
    http::StatusCode,
    middleware,
    response::{IntoResponse, Response},
    routing::{delete, get, post},
};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use serde_json::json;
use tokio::{net::TcpListener, sync::watch};

use super::{
    Common,
    store::{
        Store, StoreError,
        people::{User, random_hex},
    },
};

/// Largest body of a request, bytes.
const MOST_BODY: usize = 64 * 1024;
/// Attempts to log in, by anybody, at once and a minute.
const ATTEMPTS: NonZeroU32 = match NonZeroU32::new(10) {
    Some(attempts) => attempts,
    None => NonZeroU32::MIN,
};
/// A user who goes on watching a board's pictures is noted this often, milliseconds.
const VIEW_NOTED_MS: f64 = 600_000.0;

/// What the routes share.
pub struct App {
    common: Arc<Common>,
    /// The code that makes the first administrator.
    code: Mutex<Option<String>>,
    attempts: DefaultDirectRateLimiter,
    /// When it was last noted that a user looked at a board's footage.
    viewed: Mutex<HashMap<(i64, i64), f64>>,
    stop: watch::Receiver<bool>,
}

/// A server that listens.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    stop: watch::Sender<bool>,
}

impl Server {
    /// Listens on this machine's own address; port 0 takes a free one.
    ///
    /// # Errors
    /// What the system says when the port is taken.
    pub async fn bind(common: &Arc<Common>, port: u16) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let (stop, stopped) = watch::channel(false);
        let app = Arc::new(App {
            common: Arc::clone(common),
            code: Mutex::default(),
            attempts: RateLimiter::direct(Quota::per_minute(ATTEMPTS)),
            viewed: Mutex::default(),
            stop: stopped,
        });
        Ok(Self {
            app,
            listener,
            stop,
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// The system's.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// The code with which the first administrator is made; none when there is somebody.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn code(&self) -> Result<Option<String>, StoreError> {
        if !self.app.common.store.is_unclaimed()? {
            return Ok(None);
        }
        let code = random_hex::<6>()?;
        *self.app.code.lock().unwrap_or_else(PoisonError::into_inner) = Some(code.clone());
        Ok(Some(code))
    }

    /// Serves until `end`; then answers what has been asked, and ends the event streams.
    ///
    /// # Errors
    /// The system's.
    pub async fn run(self, end: impl Future<Output = ()> + Send + 'static) -> std::io::Result<()> {
        let stop = self.stop;
        let ending = async move {
            end.await;
            // Nobody may be following.
            let _ = stop.send(true);
        };
        axum::serve(self.listener, router(self.app))
            .with_graceful_shutdown(ending)
            .await
    }
}

fn router(app: Arc<App>) -> Router {
    let api = Router::new()
        .route("/healthz", get(boards::health))
        .route("/metrics", get(boards::metrics))
        .route("/api/me", get(people::me))
        .route("/api/claim", post(people::claim))
        .route("/api/login", post(people::login))
        .route("/api/logout", post(people::logout))
        .route("/api/boards", get(boards::list))
        .route("/api/boards", post(boards::add))
        .route("/api/boards/{id}", delete(boards::remove))
        .route("/api/boards/{id}/picture", get(boards::picture))
        .route("/api/boards/{id}/clip", get(footage::clip))
        .route("/api/boards/{id}/still", get(footage::still))
        .route("/api/boards/{id}/new-game", post(fixing::new_game))
        .route("/api/boards/{id}/game", get(fixing::game))
        .route("/api/boards/{id}/position", post(fixing::position))
        .route("/api/boards/{id}/last-move", post(fixing::last_move))
        .route("/api/boards/{id}/players", post(fixing::players))
        .route("/api/pairings", post(fixing::pair))
        .route("/api/games/{id}/contacts", get(fixing::contacts))
        .route("/api/boards/{id}/look-again", post(boards::look_again))
        .route("/api/boards/{id}/announcement", post(boards::announce))
        .route("/api/incidents", get(incidents::list))
        .route("/api/incidents/{id}", get(incidents::one))
        .route("/api/incidents/{id}/frames/{number}", get(incidents::frame))
        .route("/api/incidents/{id}/ruling", post(incidents::rule))
        .route("/api/incidents/{id}/ruling", delete(incidents::undo))
        .route("/api/incidents/{id}/export", get(footage::export))
        .route("/api/incidents/{id}/hold", post(footage::hold))
        .route("/api/incidents/{id}/hold", delete(footage::let_go))
        .route("/api/key", get(footage::key))
        .route("/api/incidents/{id}/correction", post(incidents::correct))
        .route(
            "/api/incidents/{id}/correction",
            delete(incidents::take_correction_back),
        )
        .route("/api/events", get(events::stream))
        .route("/api/users", get(people::list))
        .route("/api/users", post(people::add))
        .route("/api/users/{id}", delete(people::remove))
        .route("/api/log", get(people::log))
        .route("/", get(page::index))
        .route("/assets/{name}", get(page::asset));
    // On the routes, so that the way that was asked for is known; what is no route is not found.
    api.route_layer(middleware::from_fn_with_state(
        Arc::clone(&app),
        access::guard,
    ))
    .layer(DefaultBodyLimit::max(MOST_BODY))
    .layer(middleware::from_fn(access::harden))
    .with_state(app)
}

/// Why a request is not answered as it asked.
struct Refused(StatusCode, String);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.0, Json(json!({"error": self.1}))).into_response()
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        let status = match &error {
            StoreError::Missing(_) => StatusCode::NOT_FOUND,
            StoreError::Refused(_) => StatusCode::CONFLICT,
            _ => {
                tracing::error!(%error, "a request failed");
                StatusCode::INTERNAL_SERVER_ERROR
            }
        };
        Self(status, error.to_string())
    }
}

impl Refused {
    fn missing(what: &str) -> Self {
        Self(StatusCode::NOT_FOUND, format!("there is no such {what}"))
    }
}

impl App {
    /// Asks the store on a thread that may wait.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Refused> {
        let common = Arc::clone(&self.common);
        let answer = tokio::task::spawn_blocking(move || question(&common.store)).await;
        let failed = |_| {
            let why = "the program failed on this request".to_owned();
            Refused(StatusCode::INTERNAL_SERVER_ERROR, why)
        };
        Ok(answer.map_err(failed)??)
    }

    /// Notes that a user looks at footage of a board; of one who goes on looking, only now and then.
    async fn note_view(&self, user: &User, board: i64) -> Result<(), Refused> {
        let now_ms = self.common.clock.now_ms();
        {
            let mut viewed = self.viewed.lock().unwrap_or_else(PoisonError::into_inner);
            let last_ms = viewed.entry((user.id, board)).or_insert(f64::NEG_INFINITY);
            if now_ms - *last_ms < VIEW_NOTED_MS {
                return Ok(());
            }
            *last_ms = now_ms;
        }
        let who = user.name.clone();
        self.ask(move |store| store.note("footage", &who, json!({"board": board})))
            .await
    }
}

#[cfg(test)]
mod tests;
