//! The page and its API.
//!
//! Every route stands in `access::ROUTES` with the role that it needs; a route that does not
//! stand there answers nobody. Everything the page does, the API does.

mod access;
mod alerts;
mod boards;
mod broadcast;
mod events;
mod fixing;
mod footage;
mod harden;
mod incidents;
mod listen;
mod openapi;
mod page;
mod people;
mod places;
mod reviews;

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    num::NonZeroU32,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    Json, Router,
    extract::DefaultBodyLimit,
    http::StatusCode,
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
    serve::ListenerExt,
};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use serde::Serialize;
use serde_json::json;
use tokio::{net::TcpListener, sync::watch};
use utoipa::{OpenApi, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use listen::TlsListener;

use super::{
    Common,
    public::{Public, web as public},
    store::{
        Store, StoreError,
        people::{User, random_hex},
    },
    tls::Identity,
};

/// Largest body of a request, bytes.
const MOST_BODY: usize = 64 * 1024;
/// Attempts to log in, from one address, at once and a minute.
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
    attempts: DefaultKeyedRateLimiter<IpAddr>,
    /// When it was last noted that a user looked at a board's footage.
    viewed: Mutex<HashMap<(i64, i64), f64>>,
    stop: watch::Receiver<bool>,
    /// Whether it is served by TLS.
    tls: bool,
    /// What is public, if anything is.
    public: Option<Arc<Public>>,
}

/// A server that listens.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    identity: Option<Identity>,
    stop: watch::Sender<bool>,
}

impl Server {
    /// Listens at an address; port 0 takes a free one. With an identity it serves by TLS.
    ///
    /// # Errors
    /// What the system says when the port is taken.
    pub async fn bind(
        common: &Arc<Common>,
        at: (IpAddr, u16),
        identity: Option<Identity>,
    ) -> std::io::Result<Self> {
        let listener = TcpListener::bind(at).await?;
        let (stop, stopped) = watch::channel(false);
        let app = Arc::new(App {
            common: Arc::clone(common),
            code: Mutex::default(),
            attempts: RateLimiter::keyed(Quota::per_minute(ATTEMPTS)),
            viewed: Mutex::default(),
            public: common
                .broadcast
                .as_ref()
                .map(|b| Public::start(common, b, stopped.clone())),
            stop: stopped,
            tls: identity.is_some(),
        });
        Ok(Self {
            app,
            listener,
            identity,
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
        let service = router(self.app).into_make_service_with_connect_info::<SocketAddr>();
        match self.identity {
            None => {
                let serving = axum::serve(self.listener, service);
                serving.with_graceful_shutdown(ending).await
            }
            Some(identity) => {
                let listener = TlsListener::start(self.listener, identity.config)?;
                // As it is: only then does axum tell from where a connection comes.
                let serving = axum::serve(listener.tap_io(|_| {}), service);
                serving.with_graceful_shutdown(ending).await
            }
        }
    }
}

/// Every route, with its description.
fn api() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(openapi::Base::openapi())
        .merge(people::routes())
        .merge(boards::routes())
        .merge(fixing::routes())
        .merge(places::routes())
        .merge(incidents::routes())
        .merge(footage::routes())
        .merge(alerts::routes())
        .merge(public::routes())
        .merge(broadcast::routes())
        .merge(reviews::routes())
        .merge(events::routes())
        .merge(page::routes())
        .merge(openapi::routes())
}

fn router(app: Arc<App>) -> Router {
    let routes: Router<Arc<App>> = api().into();
    // On the routes, so that the way that was asked for is known; what is no route is not found.
    let guarded = routes
        .route_layer(from_fn_with_state(Arc::clone(&app), access::guard))
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .with_state(Arc::clone(&app));
    // Around the routes, so that the way can be changed before it is looked for.
    Router::new()
        .fallback_service(guarded)
        .layer(from_fn_with_state(app, harden::harden))
}

/// What is said when a request is not answered as it asked.
#[derive(Serialize, ToSchema)]
struct Refusal {
    /// Why, in a sentence.
    error: String,
}

/// Why a request is not answered as it asked.
pub(super) struct Refused(StatusCode, String);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.0, Json(Refusal { error: self.1 })).into_response()
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
    fn failed() -> Self {
        let why = "the program failed on this request".to_owned();
        Self(StatusCode::INTERNAL_SERVER_ERROR, why)
    }

    fn missing(what: &str) -> Self {
        Self(StatusCode::NOT_FOUND, format!("there is no such {what}"))
    }
}

impl App {
    /// The name of the session's cookie; by the longer one the browser sends it by TLS alone.
    fn cookie_name(&self) -> &'static str {
        if self.tls {
            access::COOKIE_TLS
        } else {
            access::COOKIE
        }
    }

    /// Asks the store on a thread that may wait.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Refused> {
        let common = Arc::clone(&self.common);
        let answer = tokio::task::spawn_blocking(move || question(&common.store)).await;
        Ok(answer.map_err(|_| Refused::failed())??)
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
