//! The arbiter's station: several boards at once, live, with alerts, proof and rulings on a page.
//!
//! ```text
//!  source ── live (a reader thread a camera) ──► footage (every frame on disk) ◄── keeper
//!              │ newest frame
//!              ▼
//!            board (a thread a board): calibrate, prepare, look, engine
//!              │ state                        │ moves, incidents
//!              ▼                              ▼
//!             hub ───────────► web ◄──────── store (SQLite, a hash chain)
//!                               │ page, API, event stream, bundles of evidence
//! ```
//!
//! A board that fails stops no other. What is told to a page is on disk first.

pub mod board;
pub mod bundle;
pub mod clock;
pub mod config;
#[cfg(test)]
mod endurance;
pub mod evidence;
mod explain;
mod fleet;
pub mod footage;
mod game;
pub mod hub;
pub mod keeper;
pub mod key;
pub mod live;
mod metrics;
pub mod pairings;
mod picture;
pub mod place;
mod pressure;
pub mod public;
pub mod reviews;
pub mod source;
pub mod store;
pub mod tls;
pub mod video;
pub mod web;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use clock::Clock;
use config::Config;
use fleet::Fleet;
use hub::Hub;
use keeper::Keeper;
use key::Key;
use metrics::Metrics;
use pressure::Pressure;
use reviews::Reviews;
use store::{Store, StoreError, alerts::AlertSwitch};

use crate::vision::runtime;

/// Bytes as hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Bytes from exactly so many hexadecimal digits.
#[must_use]
pub fn unhex<const BYTES: usize>(text: &str) -> Option<[u8; BYTES]> {
    if text.len() != 2 * BYTES || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; BYTES];
    for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(text.get(at..at + 2)?, 16).ok()?;
    }
    Some(bytes)
}

/// Where the frames of an incident are kept.
#[must_use]
pub fn evidence_folder(data: &Path, incident: i64) -> PathBuf {
    data.join("evidence").join(incident.to_string())
}

/// Where the footage of a board is.
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
    /// What it signs with.
    pub key: Key,
    /// Counts.
    metrics: Metrics,
    /// Whether the computer keeps up.
    pressure: Pressure,
    /// Folder of the database, footage and evidence.
    pub data: PathBuf,
    /// Folder of the models.
    models: PathBuf,
    /// The boards' threads.
    fleet: Fleet,
    /// What is public, if anything is.
    broadcast: Option<public::config::Broadcast>,
    /// Reviews of recordings.
    reviews: Reviews,
    /// Folder of recordings that can be reviewed.
    recordings: Option<PathBuf>,
}

/// A station whose boards are being watched.
pub struct Station {
    common: Arc<Common>,
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
        let key = Key::open(&config.data)?;
        if let Some(aside) = &store.moved_aside {
            let path = aside.display().to_string();
            tracing::error!(%path, "the database was damaged; it was moved aside, and a new one begun");
            store.note("database_moved_aside", "", serde_json::json!({"to": path}))?;
        }
        let names: Vec<&str> = config.boards.iter().map(|b| b.name.as_str()).collect();
        store.note(
            "started",
            "",
            serde_json::json!({"version": env!("CARGO_PKG_VERSION"), "boards": names,
                "public_key": key.public(), "footage_days": config.rule.days,
                "footage_bytes": config.rule.most_bytes}),
        )?;
        for (kind, in_use) in &config.alerts {
            let switch = AlertSwitch {
                kind: *kind,
                in_use: *in_use,
            };
            store.switch_alert(switch, "")?;
        }
        let common = Arc::new(Common {
            clock,
            store,
            hub: Hub::default(),
            key,
            metrics: Metrics::new(),
            pressure: Pressure::default(),
            data: config.data.clone(),
            models: models.to_owned(),
            fleet: Fleet::new(config),
            broadcast: config.broadcast.clone(),
            reviews: Reviews::default(),
            recordings: config.recordings.clone(),
        });
        for board in &config.boards {
            common.watch(common.store.board(&board.name)?, board)?;
        }
        common.watch_added(&config.boards)?;
        Keeper::start(Arc::clone(&common), config.rule);
        Reviews::start(Arc::clone(&common));
        Ok(Self { common })
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
        self.common.fleet.join();
        self.common.store.note("stopped", "", serde_json::json!({}))
    }
}

#[cfg(test)]
impl Common {
    /// A station without boards, in a folder.
    fn without_boards(data: &Path) -> Arc<Self> {
        let clock = Clock::start();
        let store = Store::open(data, clock).unwrap();
        let config = config::Given::default().resolve().unwrap();
        Arc::new(Self {
            clock,
            store,
            hub: Hub::default(),
            key: key::Key::open(data).unwrap(),
            metrics: Metrics::new(),
            pressure: Pressure::default(),
            data: data.to_owned(),
            models: PathBuf::new(),
            fleet: Fleet::new(&config),
            broadcast: None,
            reviews: Reviews::default(),
            recordings: None,
        })
    }
}
