//! The messages of DGT LiveChess' local WebSocket (`ws://localhost:1982/api/v1.0`, JSON): what
//! software for electronic boards asks, and what it is answered. Pure: who listens is elsewhere.
//!
//! A board of ours is a board of theirs: its serial number is our number with `ADOUBE-` before it.
//! Consumers take our moves as they take an electronic board's; there is no message for an illegal
//! move, so that a game with one ends there for them, while `board` goes on to show what stands.

use serde::Deserialize;
use serde_json::{Value, json};

use super::feed::{Feed, PublicGame};

/// Before a board's number in its serial number.
const SERIAL: &str = "ADOUBE-";
/// Where nothing is known yet the board is empty.
const EMPTY: &str = "8/8/8/8/8/8/8/8";

/// Something that a consumer asks.
#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    /// Which boards there are.
    Boards {
        /// The number of the question.
        id: i64,
    },
    /// To be told of a board's changes.
    Subscribe {
        /// The number of the question.
        id: i64,
        /// The consumer's number for the feed.
        feed: i64,
        /// The board, in their order from 1.
        board: usize,
    },
    /// Not to be told any more.
    Unsubscribe {
        /// The number of the question.
        id: i64,
        /// The consumer's number for the feed.
        feed: i64,
    },
    /// Something that only a board of wires and magnets can do, as to be set up.
    Refused {
        /// The number of the question.
        id: i64,
        /// Why it is refused.
        why: String,
    },
}

#[derive(Deserialize)]
struct Call {
    call: String,
    id: i64,
    #[serde(default)]
    param: Value,
}

#[derive(Deserialize)]
struct FeedOf {
    feed: String,
    id: i64,
    #[serde(default)]
    param: Value,
}

/// Reads a message.
#[must_use]
pub fn asked(text: &str) -> Asked {
    let refused = |id, why: &str| Asked::Refused {
        id,
        why: why.to_owned(),
    };
    let Ok(call) = serde_json::from_str::<Call>(text) else {
        return refused(0, "this is no call");
    };
    let id = call.id;
    match call.call.as_str() {
        "eboards" => Asked::Boards { id },
        "subscribe" => match serde_json::from_value::<FeedOf>(call.param) {
            Ok(of) if of.feed == "eboardevent" => {
                let serial = of.param.get("serialnr").and_then(Value::as_str);
                match serial.and_then(number) {
                    Some(board) => Asked::Subscribe {
                        id,
                        feed: of.id,
                        board,
                    },
                    None => refused(id, "there is no board of this serial number"),
                }
            }
            Ok(_) => refused(id, "this feed is not offered: eboardevent is"),
            Err(_) => refused(id, "say which feed"),
        },
        "unsubscribe" => match call.param.get("id").unwrap_or(&call.param).as_i64() {
            Some(feed) => Asked::Unsubscribe { id, feed },
            None => refused(id, "say which feed"),
        },
        "call" => refused(id, "positions come from the camera and are not set here"),
        _ => refused(id, "this call is not offered"),
    }
}

fn serial(number: usize) -> String {
    format!("{SERIAL}{number}")
}

fn number(serial: &str) -> Option<usize> {
    serial.strip_prefix(SERIAL)?.parse().ok()
}

/// The answer to [`Asked::Boards`]; `now_ms` in milliseconds since 1970.
#[must_use]
pub fn boards(id: i64, feed: &Feed, now_ms: f64) -> Value {
    let boards = feed.boards().map(|(number, _, board)| {
        let game = board.games.last();
        json!({
            "serialnr": serial(number),
            "source": "Adoube",
            "state": if game.is_some_and(|g| !g.over) { "ACTIVE" } else { "INACTIVE" },
            "battery": null,
            "comment": board.name,
            "board": game.map_or(EMPTY, placement),
            "flipped": false,
            "clock": null,
        })
    });
    let boards: Vec<Value> = boards.collect();
    json!({"response": "call", "id": id, "param": boards, "time": now_ms.round() as i64})
}

/// The answer to a question that has no other.
#[must_use]
pub fn done(id: i64, now_ms: f64) -> Value {
    json!({"response": "call", "id": id, "param": null, "time": now_ms.round() as i64})
}

/// The answer to [`Asked::Refused`].
#[must_use]
pub fn refused(id: i64, why: &str) -> Value {
    json!({"response": "error", "id": id, "param": {"message": why}})
}

/// What is told of a board in a consumer's feed.
#[must_use]
pub fn event(feed: i64, number: usize, game: Option<&PublicGame>, now_ms: f64) -> Value {
    let legal = game.map(|g| g.moves.iter().take_while(|m| m.legal));
    let san: Vec<&str> = legal.map_or_else(Vec::new, |m| m.map(|m| m.san.as_str()).collect());
    json!({
        "response": "feed",
        "id": feed,
        "param": {
            "serialnr": serial(number),
            "flipped": false,
            "board": game.map_or(EMPTY, placement),
            "clock": null,
            "start": game.map(|g| &g.start_fen),
            "san": san,
            "match": game.is_some_and(|g| g.moves.iter().all(|m| m.legal)),
        },
        "time": now_ms.round() as i64,
    })
}

/// The pieces of the position that stands.
fn placement(game: &PublicGame) -> &str {
    game.fen.split(' ').next().unwrap_or(EMPTY)
}
