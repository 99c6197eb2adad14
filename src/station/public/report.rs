//! How each outlet of the broadcast fares, for the administrator.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use serde::Serialize;
use utoipa::ToSchema;

use crate::station::clock::Clock;

/// Where something goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outlet {
    /// A broadcast round at Lichess.
    Lichess,
    /// Text files.
    Files,
    /// LiveChess' local interface.
    Livechess,
    /// OBS.
    Obs,
    /// Addresses that are told of changes.
    Webhooks,
}

/// How an outlet fares.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
pub struct Fares {
    /// When it last did what it is for, milliseconds since 1970.
    pub done_ms: Option<f64>,
    /// What failed since, and what to do about it.
    pub failed: Option<String>,
    /// When that failed, milliseconds since 1970.
    pub failed_ms: Option<f64>,
    /// What is wrong with single games.
    pub wrong: Vec<String>,
}

/// How all fare.
pub struct Report {
    clock: Clock,
    fares: Mutex<BTreeMap<Outlet, Fares>>,
}

impl Report {
    pub(super) fn new(clock: Clock) -> Self {
        Self {
            clock,
            fares: Mutex::default(),
        }
    }

    /// How each fares.
    #[must_use]
    pub fn all(&self) -> BTreeMap<Outlet, Fares> {
        self.fares
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn change(&self, outlet: Outlet, change: impl FnOnce(&mut Fares)) {
        let mut fares = self.fares.lock().unwrap_or_else(PoisonError::into_inner);
        change(fares.entry(outlet).or_default());
    }

    /// It did what it is for; what is wrong with single games.
    pub(super) fn done(&self, outlet: Outlet, wrong: Vec<String>) {
        let now_ms = self.clock.now_ms();
        self.change(outlet, |fares| {
            if fares.failed.is_some() {
                tracing::info!(?outlet, "the broadcast goes on");
            }
            for why in wrong.iter().filter(|w| !fares.wrong.contains(w)) {
                tracing::warn!(?outlet, %why, "a game was not taken");
            }
            *fares = Fares {
                done_ms: Some(now_ms),
                wrong,
                ..Fares::default()
            };
        });
    }

    /// It failed; the log has each reason once.
    pub(super) fn failed(&self, outlet: Outlet, why: &str) {
        let now_ms = self.clock.now_ms();
        self.change(outlet, |fares| {
            if fares.failed.as_deref() != Some(why) {
                tracing::warn!(?outlet, %why, "the broadcast fails");
            }
            fares.failed = Some(why.to_owned());
            fares.failed_ms = Some(now_ms);
        });
    }
}
