//! What is public, over HTTP: PGN as Lichess' fetcher wants it, the files of LiveChess Cloud, and for
//! the overlay the state of the boards, once or as a stream, and a picture.
//!
//! Handlers see [`Public`] and nothing else of the station.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    extract::{Path, Query},
    http::{HeaderMap, StatusCode, header},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{Public, gate::Released};
use crate::{
    broadcast::cloud,
    station::{hex, web::App},
};

/// Heartbeats of a stream: a page that hears nothing for some of these marks itself stale.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// States that may wait for a slow page.
const WAITING: usize = 4;

/// What is asked for is of this broadcast.
pub(in crate::station) struct Asked(pub(in crate::station) Arc<Public>);

/// What may be asked of everything public.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::station) struct Later {
    /// A longer delay than the station's, seconds.
    delay: Option<u32>,
}

pub(in crate::station) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(file))
        .routes(routes!(round_file))
        .routes(routes!(stream))
}

/// What is not there.
fn missing() -> Response {
    let why = "there is nothing of this name: docs/broadcast.md has the addresses";
    (StatusCode::NOT_FOUND, axum::Json(json!({"error": why}))).into_response()
}

impl Public {
    fn released(&self, later: &Later) -> Arc<Released> {
        Arc::clone(&self.gate.page(later.delay).borrow())
    }

    /// The games of a round as one PGN; without any game, nothing but a line end.
    fn pgn(&self, released: &Released, round: &str) -> String {
        let games = released.feed().round(round).map(|p| p.pgn(&self.event));
        games.collect::<Vec<_>>().join("\n")
    }
}

/// An answer with a strong tag; one that the asker has is not sent again.
fn tagged(headers: &HeaderMap, kind: &'static str, body: String) -> Response {
    let hash = Sha256::digest(body.as_bytes());
    let tag = format!("\"{}\"", hex(hash.get(..16).unwrap_or(&hash)));
    let known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|v| v.to_str().ok())
        .is_some_and(|v| {
            v.split(',')
                .any(|t| t.trim().trim_start_matches("W/") == tag || t.trim() == "*")
        });
    let says = [
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::CONTENT_TYPE, kind.to_owned()),
    ];
    if known {
        (StatusCode::NOT_MODIFIED, says).into_response()
    } else {
        (says, body).into_response()
    }
}

/// Lichess takes what has no charset for Latin-1.
const PGN: &str = "application/x-chess-pgn; charset=utf-8";
const JSON: &str = "application/json; charset=utf-8";

/// What is public, by its name.
///
/// A file by its name: `games.pgn`, `game-N.pgn`, `tournament.json`, `state.json`, `picture-N.jpg`;
/// `N` is the board's number in their order.
#[utoipa::path(get, path = "/api/public/{name}", tag = "broadcast",
    params(("name" = String, Path, description = "As `games.pgn`"), Later),
    responses((status = 200, content((String = "application/x-chess-pgn"), (Object = "application/json"), (String = "image/jpeg"))),
        (status = 304, description = "It is as the asker has it")))]
pub(in crate::station) async fn file(
    Asked(public): Asked,
    Path(name): Path<String>,
    Query(later): Query<Later>,
    headers: HeaderMap,
) -> Response {
    let released = public.released(&later);
    let feed = released.feed();
    let round = feed.present_round();
    match name.as_str() {
        "games.pgn" => return tagged(&headers, PGN, public.pgn(&released, round)),
        "state.json" => return tagged(&headers, JSON, public.state(&released).to_string()),
        "tournament.json" => {
            let tournament = cloud::tournament(feed, &public.event);
            return tagged(&headers, JSON, tournament.to_string());
        }
        _ => {}
    }
    if let Some(number) = numbered(&name, "game-", ".pgn") {
        let part = feed.round(round).find(|p| p.number == number);
        return part.map_or_else(missing, |p| tagged(&headers, PGN, p.pgn(&public.event)));
    }
    if let Some((id, _)) = numbered(&name, "picture-", ".jpg").and_then(|n| feed.board(n)) {
        return picture(&public, id, released.delay_s()).await;
    }
    missing()
}

/// What is public of a round.
///
/// A file of a round: `index.json`, `games.pgn`, `game-N.json`, `game-N.pgn` in `round-R`, both
/// numbered from 1.
#[utoipa::path(get, path = "/api/public/{folder}/{name}", tag = "broadcast",
    params(("folder" = String, Path, description = "As `round-1`"), ("name" = String, Path, description = "As `index.json`"), Later),
    responses((status = 200, content((String = "application/x-chess-pgn"), (Object = "application/json"))),
        (status = 304, description = "It is as the asker has it")))]
pub(in crate::station) async fn round_file(
    Asked(public): Asked,
    Path((folder, name)): Path<(String, String)>,
    Query(later): Query<Later>,
    headers: HeaderMap,
) -> Response {
    let released = public.released(&later);
    let feed = released.feed();
    let Some(number) = numbered(&folder, "round-", "") else {
        return missing();
    };
    let Some(round) = cloud::name_of(feed, number) else {
        return missing();
    };
    let json = |value: Option<Value>| {
        value.map_or_else(missing, |v| tagged(&headers, JSON, v.to_string()))
    };
    match name.as_str() {
        "index.json" => return json(cloud::round(feed, &public.event, number)),
        "games.pgn" => return tagged(&headers, PGN, public.pgn(&released, round)),
        _ => {}
    }
    if let Some(game) = numbered(&name, "game-", ".json") {
        return json(cloud::game(feed, number, game));
    }
    let place = numbered(&name, "game-", ".pgn").and_then(|n| n.checked_sub(1));
    let part = place.and_then(|n| feed.round(round).nth(n));
    part.map_or_else(missing, |p| tagged(&headers, PGN, p.pgn(&public.event)))
}

/// The number between two parts of a name.
fn numbered(name: &str, before: &str, after: &str) -> Option<usize> {
    let digits = name.strip_prefix(before)?.strip_suffix(after)?;
    digits.parse().ok().filter(|_| !digits.starts_with('+'))
}

async fn picture(public: &Arc<Public>, id: i64, delay_s: u32) -> Response {
    if !public.picture {
        return missing();
    }
    let gate = Arc::clone(&public.gate);
    let read = tokio::task::spawn_blocking(move || gate.picture(id, delay_s)).await;
    match read {
        Ok(Ok(jpeg)) => ([(header::CONTENT_TYPE, "image/jpeg")], jpeg).into_response(),
        _ => missing(),
    }
}

impl Public {
    /// The boards as an overlay shows them.
    fn state(&self, released: &Released) -> Value {
        let boards = released.feed().boards().map(|(number, _, board)| {
            json!({
                "number": number,
                "name": board.name,
                "game": board.games.last(),
                "next": board.next,
            })
        });
        json!({
            "version": released.version(),
            "delay_s": released.delay_s(),
            "event": self.event.event,
            "picture": self.picture,
            "boards": boards.collect::<Vec<_>>(),
        })
    }
}

/// The state of the boards each time that it changes, beginning with what it is now.
#[utoipa::path(get, path = "/api/public/stream", tag = "broadcast", params(Later),
    responses((status = 200, content_type = "text/event-stream", body = String)))]
pub(in crate::station) async fn stream(
    Asked(public): Asked,
    Query(later): Query<Later>,
) -> impl IntoResponse {
    let (sender, receiver) = mpsc::channel::<Result<Event, Infallible>>(WAITING);
    let mut released = public.gate.page(later.delay);
    let mut stop = public.stop.clone();
    tokio::spawn(async move {
        loop {
            let now = Arc::clone(&released.borrow_and_update());
            let state = public.state(&now).to_string();
            let event = Event::default()
                .id(now.version().to_string())
                .event("state")
                .data(state);
            if sender.send(Ok(event)).await.is_err() {
                return;
            }
            tokio::select! {
                changed = released.changed() => if changed.is_err() { return },
                () = sender.closed() => return,
                _ = stop.changed() => return,
            }
        }
    });
    // Heard by the page's script, unlike a comment: it tells a silent line from a still game.
    let alive = KeepAlive::new()
        .interval(HEARTBEAT)
        .event(Event::default().event("alive").data(""));
    Sse::new(ReceiverStream::new(receiver)).keep_alive(alive)
}
