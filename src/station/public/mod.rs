//! What is public, and the ways on which it leaves: moves, names and results, delayed; never an
//! incident, and pictures only where the event allows them.
//!
//! ```text
//!  store (log) ──► gate: rows whose time has come, folded ──► web (pages, PGN, overlay)
//!                                                         ├─► lichess, files, hooks, obs
//!                                                         └─► livechess
//! ```
//!
//! Nothing here sees the hub, and nothing but the gate sees the store.

mod changes;
pub mod config;
mod files;
pub mod gate;
mod hooks;
mod lichess;
mod livechess;
mod obs;
pub mod report;
pub(super) mod web;

use std::sync::Arc;

use tokio::sync::watch;

use super::Common;
use crate::broadcast::feed::EventTags;
use changes::Told;
use config::Broadcast;
use gate::Gate;
use report::Report;

/// A station's broadcast.
pub struct Public {
    gate: Arc<Gate>,
    event: EventTags,
    picture: bool,
    report: Arc<Report>,
    stop: watch::Receiver<bool>,
}

impl Public {
    /// Begins to broadcast; needs a tokio runtime. Ends when `stop` says so.
    #[must_use]
    pub fn start(
        common: &Arc<Common>,
        broadcast: &Broadcast,
        stop: watch::Receiver<bool>,
    ) -> Arc<Self> {
        let clock = common.clock;
        let gate = Arc::new(Gate::new(Arc::clone(common), broadcast.delay_s));
        let report = Arc::new(Report::new(clock));
        let event = &broadcast.event;
        // One may be there already; either does.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // The rows of the past are read before anybody is told of changes.
        if let Err(error) = gate.tick() {
            tracing::error!(%error, "the broadcast cannot read what happened");
        }
        tokio::spawn(Arc::clone(&gate).run(stop.clone()));
        let common_parts = |delay_s| (gate.audience(delay_s), Arc::clone(&report), stop.clone());
        if let Some(lichess) = broadcast.lichess.clone() {
            let (released, report, stop) = common_parts(lichess.delay_s);
            tokio::spawn(lichess::run(lichess, event.clone(), released, report, stop));
        }
        if let Some(files) = broadcast.files.clone() {
            let (released, report, stop) = common_parts(files.delay_s);
            tokio::spawn(files::run(
                files.folder,
                event.clone(),
                released,
                report,
                stop,
            ));
        }
        for hook in broadcast.webhooks.clone() {
            let (released, report, stop) = common_parts(hook.delay_s);
            let told = Told::all(&released.borrow());
            tokio::spawn(hooks::run(hook, told, released, report, stop));
        }
        if let Some(obs) = broadcast.obs.clone() {
            let (released, report, stop) = common_parts(obs.delay_s);
            let told = Told::all(&released.borrow());
            tokio::spawn(obs::run(obs, told, released, report, stop));
        }
        if let Some(livechess) = &broadcast.livechess {
            let (released, report, stop) = common_parts(livechess.delay_s);
            tokio::spawn(livechess::run(
                livechess.port,
                released,
                clock,
                report,
                stop,
            ));
        }
        Arc::new(Self {
            gate,
            event: event.clone(),
            picture: broadcast.picture,
            report,
            stop,
        })
    }

    /// How each outlet fares.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}

#[cfg(test)]
mod tests;
