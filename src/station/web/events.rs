//! One stream of events a page: what boards are doing as it changes, and what is written to the
//! log, with its number as the event's id. A page that was cut off names the last number that it
//! has, and is told what it missed.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    Extension,
    extract::{Query, State},
    http::HeaderMap,
    response::{
        IntoResponse,
        sse::{Event, KeepAlive, Sse},
    },
};
use serde::Deserialize;
use serde_json::json;
use tokio::{
    sync::{broadcast::error::RecvError, mpsc},
    time::{MissedTickBehavior, interval},
};
use tokio_stream::wrappers::ReceiverStream;
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{App, Refused, access::Session};
use crate::station::{
    hub::Snapshot,
    store::{
        Entry,
        people::{Boards, Role},
    },
};

/// Events that may wait for a slow page; then it is let go, and asks again.
const WAITING: usize = 64;
/// Rows that are read from the store at a time.
const ROWS: usize = 200;
/// Whether a session still stands is seen this often.
const SESSION_CHECK: Duration = Duration::from_secs(10);

/// What may be told to whom: nobody but the administrator's log hears of people, or of incidents
/// that are not shown.
fn may_hear(role: Role, entry: &Entry) -> bool {
    match entry.kind.as_str() {
        "incident" if entry.body["shown"] == false => false,
        "move" | "moves_revised" | "game_begun" | "game_ended" | "gap" | "board_removed" => true,
        "incident" | "incident_withdrawn" | "evidence" | "evidence_freed" | "held" | "let_go"
        | "ruling" | "judgement" => role >= Role::Reviewer,
        _ => false,
    }
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(stream))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Since {
    /// As `Last-Event-ID`, for a page that begins with what it has.
    after: Option<i64>,
}

/// What happens, as server-sent events: `board` with what a board shows now, and what is written to
/// the log (`move`, `incident`, `ruling`, ...), with its number as the event's id. Whoever gives the
/// last number that they have, hears what came after it.
#[utoipa::path(get, path = "/api/events", tag = "events", params(Since),
    responses((status = 200, content_type = "text/event-stream", body = String)))]
pub(super) async fn stream(
    State(app): State<Arc<App>>,
    Query(since): Query<Since>,
    headers: HeaderMap,
    Extension(session): Extension<Session>,
) -> Result<impl IntoResponse, Refused> {
    let last = headers
        .get("last-event-id")
        .and_then(|v| v.to_str().ok()?.parse().ok())
        .or(since.after);
    let newest = app.ask(|store| store.log_newest(1)).await?;
    let (sender, receiver) = mpsc::channel(WAITING);
    let page = Page {
        // Without a number, from now on.
        last: last.unwrap_or_else(|| newest.first().map_or(0, |e| e.seq)),
        app,
        session,
        sender,
    };
    tokio::spawn(page.run());
    let alive = KeepAlive::new().interval(Duration::from_secs(15));
    Ok(Sse::new(ReceiverStream::new(receiver)).keep_alive(alive))
}

/// Why a stream ends: the page has gone, or is too slow, or may not hear any more.
struct Gone;

/// One page that listens.
struct Page {
    app: Arc<App>,
    session: Session,
    sender: mpsc::Sender<Result<Event, Infallible>>,
    last: i64,
}

impl Page {
    async fn run(mut self) {
        // Whatever ended it, the page asks again if it is still there.
        let _ = self.tell().await;
    }

    async fn tell(&mut self) -> Result<(), Gone> {
        let mut log = self.app.common.store.follow();
        let mut boards = self.app.common.hub.follow();
        let mut stop = self.app.stop.clone();
        let mut check = interval(SESSION_CHECK);
        check.set_missed_tick_behavior(MissedTickBehavior::Delay);
        self.boards().await?;
        self.catch_up().await?;
        loop {
            tokio::select! {
                row = log.recv() => match row {
                    Ok(entry) => self.entry(&entry).await?,
                    Err(RecvError::Lagged(_)) => self.catch_up().await?,
                    Err(RecvError::Closed) => return Ok(()),
                },
                board = boards.recv() => match board {
                    Ok(snapshot) => self.board(&snapshot).await?,
                    Err(RecvError::Lagged(_)) => self.boards().await?,
                    Err(RecvError::Closed) => return Ok(()),
                },
                _ = check.tick() => self.still_here().await?,
                _ = stop.changed() => return Ok(()),
                () = self.sender.closed() => return Ok(()),
            }
        }
    }

    /// What was written after the last number that the page has.
    async fn catch_up(&mut self) -> Result<(), Gone> {
        loop {
            let after = self.last;
            let rows = self.app.ask(move |store| store.log_after(after, ROWS));
            let rows = rows.await.map_err(|_| Gone)?;
            if rows.is_empty() {
                return Ok(());
            }
            for entry in rows {
                self.entry(&entry).await?;
            }
        }
    }

    async fn entry(&mut self, entry: &Entry) -> Result<(), Gone> {
        // Rows that were read from the store are told again by the followers' channel.
        if entry.seq <= self.last {
            return Ok(());
        }
        self.last = entry.seq;
        if !may_hear(self.session.user.role, entry) || !self.sees(entry).await? {
            return Ok(());
        }
        let event = Event::default()
            .id(entry.seq.to_string())
            .event(&entry.kind)
            .data(json!({"at_ms": entry.at_ms, "body": entry.body}).to_string());
        self.send(event).await
    }

    async fn boards(&self) -> Result<(), Gone> {
        for board in self.app.common.hub.boards() {
            self.board(&board.snapshot()).await?;
        }
        Ok(())
    }

    /// Whether a row of the log is of a board that they see.
    async fn sees(&self, entry: &Entry) -> Result<bool, Gone> {
        let boards = &self.session.user.boards;
        if *boards == Boards::ALL {
            return Ok(true);
        }
        let body = entry.body.clone();
        let board = self.app.ask(move |store| store.board_told(&body)).await;
        let board = board.map_err(|_| Gone)?;
        Ok(board.is_some_and(|board| boards.include(board)))
    }

    async fn board(&self, snapshot: &Snapshot) -> Result<(), Gone> {
        // What a board showed at last may come after its removal was told.
        let gone = self.app.common.hub.board(snapshot.id).is_none();
        if gone || !self.session.user.boards.include(snapshot.id) {
            return Ok(());
        }
        let event = Event::default().event("board").json_data(snapshot);
        self.send(event.map_err(|_| Gone)?).await
    }

    async fn send(&self, event: Event) -> Result<(), Gone> {
        self.sender.send(Ok(event)).await.map_err(|_| Gone)
    }

    /// Who logged out or was taken out hears no more.
    async fn still_here(&self) -> Result<(), Gone> {
        let token = self.session.token.clone();
        let user = self.app.ask(move |store| store.session(&token));
        let user = user.await.map_err(|_| Gone)?.ok_or(Gone)?;
        if user == self.session.user {
            Ok(())
        } else {
            Err(Gone)
        }
    }
}
