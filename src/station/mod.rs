//! The arbiter's station: several boards at once, live, with alerts, proof and rulings on a page.
//!
//! ```text
//!  source ── live (a reader thread a camera) ──► footage (every frame, a ring on disk)
//!              │ newest frame
//!              ▼
//!            board (a thread a board): calibrate, prepare, look, engine
//!              │ state                        │ moves, incidents
//!              ▼                              ▼
//!             hub ───────────► web ◄──────── store (SQLite, a hash chain)
//!                               │ page, API, event stream
//! ```
//!
//! A board that fails stops no other. What is told to a page is on disk first.

pub mod board;
pub mod clock;
pub mod config;
pub mod evidence;
mod explain;
pub mod footage;
mod game;
pub mod hub;
pub mod live;
mod metrics;
pub mod source;
pub mod store;
pub mod web;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    thread::JoinHandle,
};

use board::Worker;
use clock::Clock;
use config::Config;
use hub::Hub;
use metrics::Metrics;
use store::{Store, StoreError};

use crate::vision::runtime;

/// Bytes as hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Where the frames of an incident are kept.
#[must_use]
pub fn evidence_folder(data: &Path, incident: i64) -> PathBuf {
    data.join("evidence").join(incident.to_string())
}

/// Where the ring of a board is.
fn footage_folder(data: &Path, board: i64) -> PathBuf {
    data.join("footage").join(board.to_string())
}

/// What everything in a station shares.
pub struct Common {
    /// The time.
    pub clock: Clock,
    /// What must not be lost.
    pub store: Store,
    /// What boards are doing.
    pub hub: Hub,
    /// Counts.
    metrics: Metrics,
    /// Folder of the database, footage and evidence.
    pub data: PathBuf,
    /// Folder of the models.
    models: PathBuf,
}

/// A station whose boards are being watched.
pub struct Station {
    common: Arc<Common>,
    workers: Vec<JoinHandle<()>>,
}

impl Station {
    /// Opens the store and begins to watch the boards.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn start(config: &Config, models: &Path) -> Result<Self, StoreError> {
        // Boards run side by side: a second thread for one would be taken from another.
        runtime::set_threads(1);
        let clock = Clock::start();
        let store = Store::open(&config.data, clock)?;
        if let Some(aside) = &store.moved_aside {
            let path = aside.display().to_string();
            tracing::error!(%path, "the database was damaged; it was moved aside, and a new one begun");
            store.note("database_moved_aside", "", serde_json::json!({"to": path}))?;
        }
        let names: Vec<&str> = config.boards.iter().map(|b| b.name.as_str()).collect();
        store.note(
            "started",
            "",
            serde_json::json!({"version": env!("CARGO_PKG_VERSION"), "boards": names}),
        )?;
        let common = Arc::new(Common {
            clock,
            store,
            hub: Hub::default(),
            metrics: Metrics::new(),
            data: config.data.clone(),
            models: models.to_owned(),
        });
        let mut workers = Vec::new();
        for board in &config.boards {
            let id = common.store.board(&board.name)?;
            workers.push(Worker::start(Arc::clone(&common), id, board, config)?);
        }
        Ok(Self { common, workers })
    }

    /// What everything shares.
    #[must_use]
    pub fn common(&self) -> &Arc<Common> {
        &self.common
    }

    /// Stops watching: each board ends the frame it is at.
    ///
    /// # Errors
    /// [`StoreError`] when the end cannot be noted.
    pub fn stop(self) -> Result<(), StoreError> {
        self.common.hub.stop();
        for worker in self.workers {
            // A worker's panic was caught and shown by itself.
            let _ = worker.join();
        }
        self.common.store.note("stopped", "", serde_json::json!({}))
    }
}

#[cfg(test)]
impl Common {
    /// A station without boards, in a folder.
    fn without_boards(data: &Path) -> Arc<Self> {
        let clock = Clock::start();
        let store = Store::open(data, clock).unwrap();
        Arc::new(Self {
            clock,
            store,
            hub: Hub::default(),
            metrics: Metrics::new(),
            data: data.to_owned(),
            models: PathBuf::new(),
        })
    }
}
