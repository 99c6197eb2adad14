//! Sends a round to Lichess: all its games each time, a second after the last change and once a
//! minute anyhow, as Lichess' own program does.
//!
//! What Lichess answers is shown to the administrator; a token that is refused, or a round that is
//! not there, is tried again only now and then.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use reqwest::{Client, StatusCode, header, redirect::Policy};
use serde::Deserialize;
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};

use super::{
    config::Lichess,
    gate::Released,
    report::{Outlet, Report},
};
use crate::broadcast::feed::EventTags;

/// Changes are collected for so long.
const COLLECTED: Duration = Duration::from_secs(1);
/// Everything is sent again after so long.
const AGAIN: Duration = Duration::from_secs(60);
/// Lichess answers within this time, or the attempt has failed.
const PATIENCE: Duration = Duration::from_secs(15);
/// Wait after a first failure ...
const FIRST_WAIT: Duration = Duration::from_secs(2);
/// ... and at most.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Wait when a person has to do something first.
const PERSON_WAIT: Duration = Duration::from_secs(300);
/// Most games of a push.
const MOST_GAMES: usize = 100;

/// What came of a push.
#[derive(Debug, PartialEq)]
enum Pushed {
    /// Taken; what is wrong with single games.
    Taken(Vec<String>),
    /// Not taken for this reason; to be tried again after this time.
    Failed(String, Option<Duration>),
    /// Refused, as it will be until a person does something.
    Refused(String),
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    games: Vec<AnswerGame>,
}

#[derive(Deserialize)]
struct AnswerGame {
    #[serde(default)]
    tags: BTreeMap<String, String>,
    error: Option<String>,
}

/// Goes on sending until the station stops.
pub(super) async fn run(
    lichess: Lichess,
    event: EventTags,
    mut released: watch::Receiver<Arc<Released>>,
    report: Arc<Report>,
    mut stop: watch::Receiver<bool>,
) {
    let client = match client() {
        Ok(client) => client,
        Err(error) => return report.failed(Outlet::Lichess, &error.to_string()),
    };
    let mut wait = FIRST_WAIT;
    loop {
        let body = body(&released.borrow_and_update(), &event);
        let pause = match body {
            Body::Nothing => AGAIN,
            Body::TooMany(games) => {
                let why = format!(
                    "the round has {games} games, and Lichess takes {MOST_GAMES}: name the rounds of \
                     the pairings, so that only one is sent"
                );
                report.failed(Outlet::Lichess, &why);
                PERSON_WAIT
            }
            Body::Games(text) => match push(&client, &lichess, text).await {
                Pushed::Taken(wrong) => {
                    report.done(Outlet::Lichess, wrong);
                    wait = FIRST_WAIT;
                    AGAIN
                }
                Pushed::Failed(why, asked) => {
                    report.failed(Outlet::Lichess, &why);
                    let pause = asked.unwrap_or(wait);
                    wait = (wait * 2).min(LONGEST_WAIT);
                    // A change does not make a server well: what is new is sent with the rest.
                    tokio::select! {
                        () = sleep(pause) => continue,
                        _ = stop.changed() => return,
                    }
                }
                Pushed::Refused(why) => {
                    report.failed(Outlet::Lichess, &why);
                    PERSON_WAIT
                }
            },
        };
        tokio::select! {
            changed = timeout(pause, released.changed()) => {
                if let Ok(Err(_)) = changed {
                    return;
                }
            }
            _ = stop.changed() => return,
        }
        sleep(COLLECTED).await;
    }
}

enum Body {
    Nothing,
    Games(String),
    TooMany(usize),
}

/// The round that is on, as Lichess wants it.
fn body(released: &Released, event: &EventTags) -> Body {
    let feed = released.feed();
    let games: Vec<String> = feed
        .round(feed.present_round())
        .map(|p| p.pgn(event))
        .collect();
    match games.len() {
        0 => Body::Nothing,
        n if n > MOST_GAMES => Body::TooMany(n),
        _ => Body::Games(games.join("\n")),
    }
}

/// A client that follows nobody elsewhere: the token is for one server.
fn client() -> Result<Client, reqwest::Error> {
    Client::builder()
        .user_agent(concat!("Adoube/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .timeout(PATIENCE)
        .build()
}

async fn push(client: &Client, lichess: &Lichess, body: String) -> Pushed {
    let Lichess { server, round, .. } = lichess;
    let url = format!("{server}/api/broadcast/round/{round}/push");
    let begun = Instant::now();
    let sent = client
        .post(url)
        .bearer_auth(lichess.token.expose())
        .header(header::CONTENT_TYPE, "text/plain; charset=utf-8")
        .body(body)
        .send()
        .await;
    let answer = match sent {
        Ok(answer) => answer,
        // Without its address: whoever reads it knows where Lichess is.
        Err(error) if error.is_timeout() => {
            let seconds = begun.elapsed().as_secs();
            return Pushed::Failed(format!("no answer within {seconds} seconds"), None);
        }
        Err(error) => {
            let why = format!("Lichess cannot be reached: {}", error.without_url());
            return Pushed::Failed(why, None);
        }
    };
    let status = answer.status();
    let asked = answer.headers().get(header::RETRY_AFTER);
    let asked = asked.and_then(|v| v.to_str().ok()?.parse().ok());
    let text = answer.text().await.unwrap_or_default();
    judge(status, asked.map(Duration::from_secs), &text)
}

fn judge(status: StatusCode, asked: Option<Duration>, text: &str) -> Pushed {
    let said = || {
        let value: Option<serde_json::Value> = serde_json::from_str(text).ok();
        let said = value.and_then(|v| v.get("error")?.as_str().map(str::to_owned));
        said.unwrap_or_else(|| text.chars().take(200).collect())
    };
    match status {
        StatusCode::OK => {
            let answer: Result<Answer, _> = serde_json::from_str(text);
            let Ok(answer) = answer else {
                return Pushed::Failed("what Lichess answered cannot be read".to_owned(), None);
            };
            let wrong = (1..).zip(&answer.games).filter_map(|(n, game)| {
                let error = game.error.as_ref()?;
                let board = game.tags.get("Board").cloned();
                Some(format!("game {}: {error}", board.unwrap_or(n.to_string())))
            });
            Pushed::Taken(wrong.collect())
        }
        StatusCode::TOO_MANY_REQUESTS => Pushed::Failed(
            "Lichess was asked too often".to_owned(),
            Some(asked.unwrap_or(LONGEST_WAIT).clamp(FIRST_WAIT, PERSON_WAIT)),
        ),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Pushed::Refused(format!(
            "Lichess refuses the token ({}): make one with the scope study:write, by a user who may \
             edit this broadcast",
            said()
        )),
        StatusCode::NOT_FOUND => Pushed::Refused(
            "Lichess knows no such round: give the 8 characters at the end of its address"
                .to_owned(),
        ),
        s if s.is_redirection() => Pushed::Refused(
            "the server sends elsewhere, which is not followed: give its own address".to_owned(),
        ),
        s if s.is_client_error() => Pushed::Refused(format!("Lichess says: {}", said())),
        s => Pushed::Failed(format!("Lichess answers {s}"), asked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_answer_has_its_consequence() {
        let second = Duration::from_secs(1);
        let taken = "{\"games\":[{\"tags\":{\"Board\":\"1\"},\"moves\":2},{\"tags\":{},\"error\":\"bad\"}]}";
        assert_eq!(
            judge(StatusCode::OK, None, taken),
            Pushed::Taken(vec!["game 2: bad".to_owned()])
        );
        let refused = [
            (
                400,
                "{\"error\":\"Cannot parse moves\"}",
                "Cannot parse moves",
            ),
            (401, "", "study:write"),
            (403, "", "study:write"),
            (404, "", "no such round"),
            (302, "", "elsewhere"),
        ];
        for (status, text, why) in refused {
            let status = StatusCode::from_u16(status).unwrap();
            let Pushed::Refused(said) = judge(status, None, text) else {
                panic!("{status}");
            };
            assert!(said.contains(why), "{status}: {said}");
        }
        let failed = [
            (429, None, Some(LONGEST_WAIT)),
            (429, Some(second * 10), Some(second * 10)),
            (429, Some(second * 9999), Some(PERSON_WAIT)),
            (500, None, None),
            (503, Some(second * 5), Some(second * 5)),
        ];
        for (status, asked, wait) in failed {
            let code = StatusCode::from_u16(status).unwrap();
            let Pushed::Failed(_, waits) = judge(code, asked, "x") else {
                panic!("{status}");
            };
            assert_eq!(waits, wait, "{status}");
        }
        assert!(matches!(
            judge(StatusCode::OK, None, "<html>"),
            Pushed::Failed(..)
        ));
    }
}
