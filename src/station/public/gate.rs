//! The one way out: what is public leaves when its time has come, and not before.
//!
//! The gate reads the public rows of the station's log and lets each audience have those that are
//! older than its delay, folded into a [`Feed`]. Whatever is shown, sent or written to the outside
//! is made from a [`Released`], which only this module can make.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    sync::watch,
    time::{MissedTickBehavior, interval},
};

use crate::{
    broadcast::feed::{Change, Feed},
    station::{
        Common, footage, footage_folder,
        store::{Store, StoreError},
    },
};

/// How often the gate looks whose time has come.
const TICK: Duration = Duration::from_millis(100);
/// Rows that are read from the store at a time.
const ROWS: usize = 500;
/// Longest delay, seconds; Lichess has the same.
pub const LONGEST_S: u32 = 3600;
/// Delays that pages ask for beyond the station's are rounded up to these steps, seconds.
const STEP_S: u32 = 30;
/// A picture so much older than asked is none, milliseconds.
const STILL_MS: f64 = 5000.0;

/// What an audience may know.
#[derive(Debug, Default)]
pub struct Released {
    /// How much later than it happened.
    delay_s: u32,
    /// Rows of the log that it is made of.
    rows: usize,
    feed: Feed,
}

impl Released {
    /// Boards, names, moves and results.
    #[must_use]
    pub const fn feed(&self) -> &Feed {
        &self.feed
    }

    /// How much later than it happened, seconds.
    #[must_use]
    pub const fn delay_s(&self) -> u32 {
        self.delay_s
    }

    /// A number that grows with each change.
    #[must_use]
    pub const fn version(&self) -> usize {
        self.rows
    }
}

#[derive(Default)]
struct Rows {
    /// The number of the last row of the log that was read.
    seq: i64,
    /// Time and content of the public ones.
    public: Vec<(f64, Change)>,
}

struct Line {
    feed: Feed,
    rows: usize,
    sender: watch::Sender<Arc<Released>>,
}

#[derive(Default)]
struct Inside {
    rows: Rows,
    /// By delay, seconds.
    lines: BTreeMap<u32, Line>,
}

/// See the module.
pub struct Gate {
    common: Arc<Common>,
    least_s: u32,
    inside: Mutex<Inside>,
}

impl Gate {
    /// A gate that no page passes sooner than after `least_s` seconds.
    pub(super) fn new(common: Arc<Common>, least_s: u32) -> Self {
        Self {
            common,
            least_s,
            inside: Mutex::default(),
        }
    }

    /// What pages may know; they may ask for a longer delay than the station's, not for a shorter one.
    pub fn page(&self, asked_s: Option<u32>) -> watch::Receiver<Arc<Released>> {
        let asked_s = asked_s.unwrap_or(0).min(LONGEST_S);
        let delay_s = if asked_s > self.least_s {
            asked_s.div_ceil(STEP_S) * STEP_S
        } else {
            self.least_s
        };
        self.audience(delay_s)
    }

    /// What an audience with a delay of its own may know.
    pub(super) fn audience(&self, delay_s: u32) -> watch::Receiver<Arc<Released>> {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let Inside { rows, lines } = &mut *inside;
        let line = lines.entry(delay_s).or_insert_with(|| Line {
            feed: Feed::default(),
            rows: 0,
            sender: watch::Sender::new(Arc::default()),
        });
        line.advance(delay_s, rows, self.common.clock.now_ms());
        line.sender.subscribe()
    }

    /// Lets through whose time has come.
    pub(super) fn tick(&self) -> Result<(), StoreError> {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let Inside { rows, lines } = &mut *inside;
        rows.read(&self.common.store)?;
        let now_ms = self.common.clock.now_ms();
        for (delay_s, line) in lines {
            line.advance(*delay_s, rows, now_ms);
        }
        Ok(())
    }

    /// Goes on letting through until the station stops.
    pub(super) async fn run(self: Arc<Self>, mut stop: watch::Receiver<bool>) {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = ticks.tick() => {}
                _ = stop.changed() => return,
            }
            let gate = Arc::clone(&self);
            let ticked = tokio::task::spawn_blocking(move || gate.tick()).await;
            if let Ok(Err(error)) = ticked {
                tracing::error!(%error, "the broadcast cannot read what happened");
            }
        }
    }

    /// The picture of a board by the station's number, as old as what pages know at least.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when no frame of then was kept.
    pub fn picture(&self, board: i64, delay_s: u32) -> Result<Vec<u8>, StoreError> {
        let delay_ms = f64::from(delay_s.max(self.least_s)) * 1000.0;
        let until_ms = self.common.clock.now_ms() - delay_ms;
        let folder: PathBuf = footage_folder(&self.common.data, board);
        let frames = footage::frames(&folder, until_ms - STILL_MS, until_ms)?;
        let last = frames
            .last()
            .ok_or(StoreError::Missing("picture of then"))?;
        Ok(last.read()?)
    }
}

impl Rows {
    /// Reads what the log has more.
    fn read(&mut self, store: &Store) -> Result<(), StoreError> {
        loop {
            let rows = store.log_kinds(&Change::KINDS, self.seq, ROWS)?;
            let Some(last) = rows.last() else {
                return Ok(());
            };
            self.seq = last.seq;
            let public = rows
                .iter()
                .filter_map(|r| Some((r.at_ms, Change::read(&r.kind, &r.body)?)));
            self.public.extend(public);
        }
    }
}

impl Line {
    fn advance(&mut self, delay_s: u32, rows: &Rows, now_ms: f64) {
        let until_ms = now_ms - f64::from(delay_s) * 1000.0;
        // In the log's order: behind a row that is too young nothing leaves, whatever its time says.
        let waiting = rows.public.get(self.rows..).unwrap_or_default();
        let ripe = waiting.iter().take_while(|(at_ms, _)| *at_ms <= until_ms);
        let before = self.rows;
        for (at_ms, change) in ripe {
            self.feed.apply(*at_ms, change.clone());
            self.rows += 1;
        }
        if self.rows > before || self.sender.borrow().delay_s != delay_s {
            self.sender.send_replace(Arc::new(Released {
                delay_s,
                rows: self.rows,
                feed: self.feed.clone(),
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever the times of the rows are, a clock that was set back among them, nothing leaves
        /// that is younger than the delay, nor anything behind it.
        #[test]
        fn nothing_younger_than_the_delay_leaves(
            times in prop::collection::vec(0.0..100_000.0_f64, 0..30),
            delay_s in 0..60_u32,
            looks in prop::collection::vec(0.0..160_000.0_f64, 1..8),
        ) {
            let named = |n: usize| Change::BoardAdded { board: n as i64, name: n.to_string() };
            let public = times.iter().enumerate().map(|(n, t)| (*t, named(n))).collect();
            let rows = Rows { seq: 0, public };
            let mut line = Line { feed: Feed::default(), rows: 0, sender: watch::Sender::new(Arc::default()) };
            let mut newest_ms = f64::NEG_INFINITY;
            for now_ms in looks {
                newest_ms = now_ms.max(newest_ms);
                line.advance(delay_s, &rows, now_ms);
                let released = Arc::clone(&line.sender.borrow());
                let until_ms = newest_ms - f64::from(delay_s) * 1000.0;
                let young = times.iter().position(|t| *t > until_ms).unwrap_or(times.len());
                prop_assert_eq!(released.feed().boards().count(), young);
                prop_assert_eq!(released.delay_s(), delay_s);
            }
        }
    }
}
