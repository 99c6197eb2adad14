//! Offers DGT LiveChess' local WebSocket, so that software for electronic boards takes ours. Like
//! LiveChess itself it is open to all programs of this machine, and to nothing outside it.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use axum::{
    Router,
    extract::{
        State, WebSocketUpgrade,
        ws::{Message, WebSocket},
    },
    response::Response,
    routing::any,
};
use serde_json::Value;
use tokio::{net::TcpListener, sync::watch};

use super::{
    gate::Released,
    report::{Outlet, Report},
};
use crate::{
    broadcast::livechess::{self, Asked},
    station::clock::Clock,
};

/// Longest message of a consumer, bytes.
const MOST_BYTES: usize = 16 * 1024;
/// Most feeds of a consumer.
const MOST_FEEDS: usize = 64;

#[derive(Clone)]
struct Shared {
    released: watch::Receiver<Arc<Released>>,
    clock: Clock,
    stop: watch::Receiver<bool>,
}

/// Listens until the station stops.
pub(super) async fn run(
    port: u16,
    released: watch::Receiver<Arc<Released>>,
    clock: Clock,
    report: Arc<Report>,
    mut stop: watch::Receiver<bool>,
) {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = match TcpListener::bind(address).await {
        Ok(listener) => listener,
        Err(error) => {
            let why = format!(
                "port {port}: {error}: is LiveChess running on this machine? Give another one with \
                 livechess.port"
            );
            return report.failed(Outlet::Livechess, &why);
        }
    };
    report.done(Outlet::Livechess, Vec::new());
    let shared = Shared {
        released,
        clock,
        stop: stop.clone(),
    };
    let served = axum::serve(listener, router(shared)).with_graceful_shutdown(async move {
        // Either way it is over.
        let _ = stop.changed().await;
    });
    if let Err(error) = served.await {
        report.failed(Outlet::Livechess, &error.to_string());
    }
}

fn router(shared: Shared) -> Router {
    Router::new()
        .route("/api/v1.0", any(open))
        .with_state(shared)
}

async fn open(State(shared): State<Shared>, upgrade: WebSocketUpgrade) -> Response {
    upgrade
        .max_message_size(MOST_BYTES)
        .on_upgrade(move |socket| async move {
            // Whatever ended it, the consumer connects again.
            let _ = Consumer::new(shared).serve(socket).await;
        })
}

struct Consumer {
    shared: Shared,
    /// The board of each feed by the consumer's number for it, and what it was told last.
    feeds: BTreeMap<i64, (usize, Option<Value>)>,
}

impl Consumer {
    const fn new(shared: Shared) -> Self {
        Self {
            shared,
            feeds: BTreeMap::new(),
        }
    }

    async fn serve(mut self, mut socket: WebSocket) -> Result<(), axum::Error> {
        let mut stop = self.shared.stop.clone();
        let mut released = self.shared.released.clone();
        loop {
            tokio::select! {
                message = socket.recv() => match message {
                    Some(Ok(Message::Text(text))) => {
                        let now = Arc::clone(&released.borrow());
                        for answer in self.answers(&text, &now) {
                            socket.send(Message::text(answer.to_string())).await?;
                        }
                    }
                    Some(Ok(Message::Close(_))) | None => return Ok(()),
                    Some(Ok(_)) => {}
                    Some(Err(error)) => return Err(error),
                },
                changed = released.changed() => {
                    if changed.is_err() {
                        return Ok(());
                    }
                    let now = Arc::clone(&released.borrow_and_update());
                    for event in self.events(&now) {
                        socket.send(Message::text(event.to_string())).await?;
                    }
                }
                _ = stop.changed() => return Ok(()),
            }
        }
    }

    fn answers(&mut self, text: &str, released: &Released) -> Vec<Value> {
        let now_ms = self.shared.clock.now_ms();
        match livechess::asked(text) {
            Asked::Boards { id } => vec![livechess::boards(id, released.feed(), now_ms)],
            Asked::Subscribe { id, .. } if self.feeds.len() >= MOST_FEEDS => {
                vec![livechess::refused(id, "there are too many feeds already")]
            }
            Asked::Subscribe { id, feed, board } => {
                if released.feed().board(board).is_none() {
                    return vec![livechess::refused(id, "there is no such board")];
                }
                self.feeds.insert(feed, (board, None));
                let mut answers = vec![livechess::done(id, now_ms)];
                answers.extend(self.events(released));
                answers
            }
            Asked::Unsubscribe { id, feed } => {
                self.feeds.remove(&feed);
                vec![livechess::done(id, now_ms)]
            }
            Asked::Refused { id, why } => vec![livechess::refused(id, &why)],
        }
    }

    /// What is new on the boards that are followed.
    fn events(&mut self, released: &Released) -> Vec<Value> {
        let now_ms = self.shared.clock.now_ms();
        let mut events = Vec::new();
        for (feed, (number, last)) in &mut self.feeds {
            let board = released.feed().board(*number);
            let game = board.and_then(|(_, board)| board.games.last());
            let event = livechess::event(*feed, *number, game, now_ms);
            if last.as_ref() != event.get("param") {
                *last = event.get("param").cloned();
                events.push(event);
            }
        }
        events
    }
}
