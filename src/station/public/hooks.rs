//! Tells addresses of changes: `new`, `update` and `end` of each game, as JSON.
//!
//! A message's `id` is the same whenever it is about the same change, so that one that comes twice can
//! be told. One that is not taken is tried again a few times; the next says all that it said.

use std::{sync::Arc, time::Duration};

use reqwest::{Client, redirect::Policy};
use serde_json::{Value, json};
use tokio::{sync::watch, time::sleep};

use super::{
    changes::{Happened, Told},
    config::{Webhook, When},
    gate::Released,
    report::{Outlet, Report},
};

/// An address answers within this time.
const PATIENCE: Duration = Duration::from_secs(10);
/// Waits before a message is tried again.
const WAITS_S: [u64; 4] = [1, 3, 10, 30];

fn message(happened: &Happened<'_>, delay_s: u32) -> Value {
    let game = happened.game;
    let (kind, which) = match happened.what {
        When::GameBegun => ("new", String::new()),
        When::GameEnded => ("end", format!("/{}", game.result)),
        When::Move => {
            let last = game.moves.last().map_or("start", |m| m.uci.as_str());
            ("update", format!("/{}/{last}", game.moves.len()))
        }
    };
    json!({
        "id": format!("{}/{kind}{which}", game.id),
        "kind": kind,
        "board": {"number": happened.number, "name": happened.board},
        "game": game,
        "delay_s": delay_s,
    })
}

/// Goes on telling until the station stops.
pub(super) async fn run(
    hook: Webhook,
    mut told: Told,
    mut released: watch::Receiver<Arc<Released>>,
    report: Arc<Report>,
    mut stop: watch::Receiver<bool>,
) {
    let client = Client::builder()
        .user_agent(concat!("Adoube/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .timeout(PATIENCE)
        .build();
    let client = match client {
        Ok(client) => client,
        Err(error) => return report.failed(Outlet::Webhooks, &error.to_string()),
    };
    loop {
        tokio::select! {
            changed = released.changed() => if changed.is_err() { return },
            _ = stop.changed() => return,
        }
        let now = Arc::clone(&released.borrow_and_update());
        for happened in told.news(&now) {
            let message = message(&happened, hook.delay_s);
            tokio::select! {
                () = tell(&client, &hook, &message, &report) => {}
                _ = stop.changed() => return,
            }
        }
    }
}

async fn tell(client: &Client, hook: &Webhook, message: &Value, report: &Report) {
    let body = message.to_string();
    for wait_s in WAITS_S.into_iter().map(Some).chain([None]) {
        let sent = client
            .post(&hook.url)
            .header("content-type", "application/json")
            .body(body.clone())
            .send()
            .await;
        let why = match sent {
            Ok(answer) if answer.status().is_success() => {
                return report.done(Outlet::Webhooks, Vec::new());
            }
            Ok(answer) => format!("{} answers {}", hook.url, answer.status()),
            Err(error) => format!("{}: {}", hook.url, error.without_url()),
        };
        report.failed(Outlet::Webhooks, &why);
        if let Some(wait_s) = wait_s {
            sleep(Duration::from_secs(wait_s)).await;
        }
    }
}
