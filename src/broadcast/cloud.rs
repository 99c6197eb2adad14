//! A feed as the files of DGT's LiveChess Cloud, from which Lichess, Chess.com and others pull:
//! `tournament.json`, `round-R/index.json`, `round-R/game-N.json`.
//!
//! Fields are those that known readers read; there are no clock times, since no clock is read: a
//! move is its SAN and `+seconds` since the move before.

use serde::Serialize;
use serde_json::{Value, json};

use super::feed::{EventTags, Feed, Part, Players, PublicGame};

/// The event with its rounds, numbered from 1 in the order in which they began.
#[must_use]
pub fn tournament(feed: &Feed, event: &EventTags) -> Value {
    let rounds = feed.rounds().into_iter().map(|round| {
        let games: Vec<Part<'_>> = feed.round(round).collect();
        let live = games.iter().filter(|p| is_live(p)).count();
        json!({"count": games.len(), "live": live})
    });
    let name = event.event.as_deref().unwrap_or("?");
    json!({
        "id": name,
        "name": name,
        "location": event.site,
        "country": null,
        "timecontrol": event.time_control,
        "rounds": rounds.collect::<Vec<_>>(),
    })
}

/// The pairings of a round by its number from 1.
#[must_use]
pub fn round(feed: &Feed, event: &EventTags, number: usize) -> Option<Value> {
    let round = name_of(feed, number)?;
    let pairings = feed.round(round).map(|part| {
        json!({
            "white": Person::of(part.pairing, "White", &part.pairing.white),
            "black": Person::of(part.pairing, "Black", &part.pairing.black),
            "result": part.game.map_or("*", |g| g.result.as_str()),
            "live": is_live(&part),
        })
    });
    let date = event.date.as_ref().map(|d| d.replace('.', "-"));
    Some(json!({"date": date, "pairings": pairings.collect::<Vec<_>>()}))
}

/// A game by the number of its round and its place in it, both from 1.
#[must_use]
pub fn game(feed: &Feed, number: usize, place: usize) -> Option<Value> {
    let part = feed
        .round(name_of(feed, number)?)
        .nth(place.checked_sub(1)?)?;
    let moves = part.game.map(moves).unwrap_or_default();
    let result = part.game.map(|g| g.result.as_str()).filter(|r| *r != "*");
    Some(json!({
        "live": is_live(&part),
        "chess960": 518,
        "result": result,
        "moves": moves,
    }))
}

/// The round's name by its number from 1.
#[must_use]
pub fn name_of(feed: &Feed, number: usize) -> Option<&str> {
    feed.rounds().get(number.checked_sub(1)?).copied()
}

fn is_live(part: &Part<'_>) -> bool {
    part.game.is_some_and(|g| !g.over)
}

/// SANs with the seconds since the move before. From an illegal move on there is no SAN that a reader
/// would understand: the list ends before it.
fn moves(game: &PublicGame) -> Vec<String> {
    let mut before_ms = None;
    let mut words = Vec::new();
    for played in game.moves.iter().take_while(|m| m.legal) {
        words.push(match before_ms.replace(played.made_ms) {
            Some(before_ms) => {
                let seconds = (played.made_ms - before_ms).max(0.0) / 1000.0;
                format!("{} +{seconds:.0}", played.san)
            }
            None => played.san.clone(),
        });
    }
    words
}

#[derive(Serialize)]
struct Person<'a> {
    fname: Option<&'a str>,
    mname: Option<&'a str>,
    lname: &'a str,
    title: Option<&'a str>,
    federation: Option<&'a str>,
    fideid: Option<u32>,
}

impl<'a> Person<'a> {
    fn of(pairing: &'a Players, side: &str, name: &'a str) -> Self {
        let tag = |of: &str| pairing.tags.get(&format!("{side}{of}")).map(String::as_str);
        let (last, first) = match name.split_once(',') {
            Some((last, first)) => (last.trim(), Some(first.trim())),
            None => (name, None),
        };
        Self {
            fname: first,
            mname: None,
            lname: last,
            title: tag("Title"),
            federation: tag("Federation"),
            fideid: tag("FideId").and_then(|id| id.parse().ok()),
        }
    }
}
