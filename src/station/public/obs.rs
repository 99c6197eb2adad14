//! Has OBS do something when something happens to a game: show a scene, mark a chapter, save the
//! replay buffer. OBS is connected to when it is needed, and again when it has gone.

use std::{sync::Arc, time::Duration};

use obws::{
    Client,
    client::{ConnectConfig, DangerousConnectConfig},
    requests::EventSubscription,
};
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};

use super::{
    changes::{Happened, Told},
    config::{Obs, ObsRule, Secret, When},
    gate::Released,
    report::{Outlet, Report},
};

/// OBS answers within this time.
const PATIENCE: Duration = Duration::from_secs(5);
/// Before OBS is tried again.
const WAIT: Duration = Duration::from_secs(5);

/// Goes on until the station stops.
pub(super) async fn run(
    obs: Obs,
    mut told: Told,
    mut released: watch::Receiver<Arc<Released>>,
    report: Arc<Report>,
    mut stop: watch::Receiver<bool>,
) {
    let mut client = None;
    loop {
        if client.is_none() {
            match connect(&obs).await {
                Ok(connected) => {
                    report.done(Outlet::Obs, Vec::new());
                    client = Some(connected);
                }
                Err(why) => report.failed(Outlet::Obs, &why),
            }
        }
        tokio::select! {
            changed = released.changed() => if changed.is_err() { return },
            () = sleep(WAIT), if client.is_none() => continue,
            _ = stop.changed() => return,
        }
        let now = Arc::clone(&released.borrow_and_update());
        for happened in told.news(&now) {
            for rule in obs.rules.iter().filter(|r| applies(r, &happened)) {
                let Some(connected) = &client else { continue };
                match timeout(PATIENCE, obey(connected, rule, &happened)).await {
                    Ok(Ok(())) => report.done(Outlet::Obs, Vec::new()),
                    Ok(Err(error)) => {
                        report.failed(Outlet::Obs, &said(&error));
                        // It may have gone; what it merely refuses it refuses again.
                        client = None;
                    }
                    Err(_) => {
                        report.failed(Outlet::Obs, "OBS does not answer");
                        client = None;
                    }
                }
            }
        }
    }
}

fn applies(rule: &ObsRule, happened: &Happened<'_>) -> bool {
    rule.when == happened.what && rule.board.is_none_or(|n| n == happened.number)
}

async fn connect(obs: &Obs) -> Result<Client, String> {
    let password = obs.password.as_ref().map(Secret::expose);
    let connecting = Client::connect_with_config(ConnectConfig {
        host: &obs.host,
        port: obs.port,
        // Scenes and the replay buffer are the same since 28; what an older one cannot do it says.
        dangerous: Some(DangerousConnectConfig {
            skip_studio_version_check: true,
            skip_websocket_version_check: true,
        }),
        password,
        event_subscriptions: Some(EventSubscription::NONE),
        broadcast_capacity: obws::client::DEFAULT_BROADCAST_CAPACITY,
        connect_timeout: PATIENCE,
    });
    let gone = || {
        format!(
            "OBS is not found at {}:{}: start it, and switch its WebSocket server on under Tools",
            obs.host, obs.port
        )
    };
    match timeout(PATIENCE, connecting).await {
        Ok(Ok(client)) => Ok(client),
        Ok(Err(obws::error::Error::Handshake(error))) => Err(format!(
            "OBS refuses the connection ({error}): check obs.password_file"
        )),
        Ok(Err(_)) | Err(_) => Err(gone()),
    }
}

fn said(error: &obws::error::Error) -> String {
    match error {
        obws::error::Error::Api { code, message } => {
            let message = message.as_deref().unwrap_or("no reason given");
            format!("OBS does not do this: {message} ({code:?})")
        }
        other => format!("OBS: {other}"),
    }
}

async fn obey(
    client: &Client,
    rule: &ObsRule,
    happened: &Happened<'_>,
) -> Result<(), obws::error::Error> {
    if let Some(scene) = &rule.scene {
        client
            .scenes()
            .set_current_program_scene(scene.as_str())
            .await?;
    }
    if rule.replay {
        client.replay_buffer().save().await?;
    }
    if rule.chapter {
        let name = chapter(happened);
        client.recording().create_chapter(Some(&name)).await?;
    }
    Ok(())
}

fn chapter(happened: &Happened<'_>) -> String {
    let game = happened.game;
    let last = game.moves.last().map_or("", |m| m.san.as_str());
    match happened.what {
        When::GameBegun => format!("{}: begun", happened.board),
        When::Move => format!("{}: {last}", happened.board),
        When::GameEnded => format!("{}: {}", happened.board, game.result),
    }
}
