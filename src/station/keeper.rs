//! What becomes of footage: on a thread of its own, segments are compressed, freed when the rule says
//! so and never otherwise, and it is foreseen how long the space will last.
//!
//! The rule: footage, and the frames of incidents that nobody holds, are deleted when the appeal
//! period is over; of a board that outgrows its share of the disk, the oldest footage before that.
//! Each deletion is a row of the log. What cannot be compressed in time waits on disk as it was
//! captured: nothing waits in memory, and no board waits for it.

use std::{
    collections::BTreeSet,
    fs, io,
    sync::{Arc, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

use serde_json::json;

use super::{
    Common, evidence, evidence_folder,
    footage::{self, SEGMENT_MS, Stored},
    footage_folder,
    hub::{Board, Foreseen, Limit},
    store::StoreError,
};

/// Segments stay as they were captured for this long, milliseconds: the frames of an incident are
/// copied from them, and that it is one is only known when its move is made.
const RECENT_MS: f64 = 600_000.0;
/// Pause when there is nothing to do.
const PAUSE: Duration = Duration::from_secs(2);
/// Whether to stop is looked at this often.
const LOOK_FOR_STOP: Duration = Duration::from_millis(50);
/// Evidence whose time is over is looked for this often.
const EVIDENCE_PAUSE: Duration = Duration::from_secs(600);
/// When something is freed, so much more of the share goes with it, or time, milliseconds: a row of
/// the log each time, not each ten seconds.
const SPARE: f64 = 0.02;
const SPARE_MS: f64 = 600_000.0;
/// Segments by which it is foreseen how fast the disk fills.
const RATE_SEGMENTS: usize = 60;
/// A day of play: recording is to last from before the round to after its last game, hours.
const DAY_H: f64 = 14.0;
const HOUR_MS: f64 = 3_600_000.0;
const DAY_MS: f64 = 24.0 * HOUR_MS;

/// How long footage stays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rule {
    /// The appeal period, days.
    pub days: f64,
    /// Space for the footage of one board, bytes.
    pub most_bytes: u64,
}

/// Keeps the footage of all boards.
pub(super) struct Keeper {
    common: Arc<Common>,
    rule: Rule,
    begun_ms: f64,
    /// Segments that could not be compressed, by folder and time: they stay as they are.
    given_up: BTreeSet<(i64, i64)>,
    /// When evidence was last looked through.
    evidence: Option<Instant>,
}

impl Keeper {
    /// Begins to keep. Nobody needs to wait for its end: what it is at is whole or not at all.
    pub(super) fn start(common: Arc<Common>, rule: Rule) {
        let keeper = Self::new(common, rule);
        thread::spawn(move || keeper.run());
    }

    pub(super) fn new(common: Arc<Common>, rule: Rule) -> Self {
        Self {
            begun_ms: common.clock.now_ms(),
            common,
            rule,
            given_up: BTreeSet::new(),
            evidence: None,
        }
    }

    fn run(mut self) {
        if let Err(error) = self.keep_what_was_left() {
            tracing::error!(%error, "frames of earlier incidents could not be kept");
        }
        while !self.common.hub.stopped() {
            match self.pass() {
                Ok(true) => {}
                Ok(false) => self.pause(),
                Err(error) => {
                    tracing::error!(%error, "footage could not be looked after");
                    self.pause();
                }
            }
        }
    }

    fn pause(&self) {
        let until = Instant::now() + PAUSE;
        while !self.common.hub.stopped() && Instant::now() < until {
            thread::sleep(LOOK_FOR_STOP);
        }
    }

    /// Incidents whose frames an earlier run did not come to keep.
    fn keep_what_was_left(&self) -> Result<(), StoreError> {
        for (incident, board) in self.common.store.unkept()? {
            evidence::keep(&self.common, board, incident);
        }
        Ok(())
    }

    /// Once over everything; whether there was a segment to compress.
    pub(super) fn pass(&mut self) -> Result<bool, StoreError> {
        if self
            .evidence
            .is_none_or(|at| at.elapsed() >= EVIDENCE_PAUSE)
        {
            self.free_evidence()?;
            self.evidence = Some(Instant::now());
        }
        let now_ms = self.common.clock.now_ms();
        let mut kept = Vec::new();
        for board in self.common.hub.boards() {
            let id = board.snapshot().id;
            let folder = footage_folder(&self.common.data, id);
            let all = self.free(id, footage::stored(&folder)?, now_ms)?;
            kept.push((board, id, all));
        }
        self.foresee(&kept)?;
        // The oldest first, whose board it may be.
        let ripe = |s: &&Stored| !s.compressed && s.begin_ms + SEGMENT_MS + RECENT_MS < now_ms;
        let waiting = kept.iter().flat_map(|(board, id, all)| {
            let open = all.iter().filter(ripe).map(move |s| (*id, s));
            let open: Vec<_> = open
                .filter(|(id, s)| !self.given_up.contains(&(*id, s.begin_ms as i64)))
                .collect();
            board
                .counts
                .waiting_segments
                .store(open.len() as u64, Ordering::Relaxed);
            open
        });
        let oldest = waiting.min_by(|a, b| a.1.begin_ms.total_cmp(&b.1.begin_ms));
        let Some((board, segment)) = oldest else {
            return Ok(false);
        };
        if let Err(error) = segment.compress() {
            tracing::warn!(board, %error, "a segment of footage stays as it was captured");
            self.given_up.insert((board, segment.begin_ms as i64));
        }
        Ok(true)
    }

    /// Frees what the rule says of one board; what is left.
    fn free(
        &self,
        board: i64,
        mut all: Vec<Stored>,
        now_ms: f64,
    ) -> Result<Vec<Stored>, StoreError> {
        // The last one is being written.
        let over = all.len().saturating_sub(1);
        let complete = all.get(..over).unwrap_or_default();
        for (count, by) in due(complete, self.rule, now_ms) {
            let freed: Vec<Stored> = all.drain(..count.min(all.len())).collect();
            let (Some(first), Some(last)) = (freed.first(), freed.last()) else {
                continue;
            };
            let bytes: u64 = freed.iter().map(|s| s.bytes).sum();
            let body = json!({"board": board, "from_ms": first.begin_ms,
                "to_ms": last.begin_ms + SEGMENT_MS, "segments": freed.len(), "bytes": bytes,
                "by": by, "days": self.rule.days, "share_bytes": self.rule.most_bytes});
            // Noted first: what is noted and still there is freed next time.
            self.common.store.note("footage_freed", "", body)?;
            for segment in &freed {
                segment.free()?;
            }
        }
        Ok(all)
    }

    /// Frees the frames of incidents whose time is over and which nobody holds.
    fn free_evidence(&self) -> Result<(), StoreError> {
        let store = &self.common.store;
        let before_ms = self.common.clock.now_ms() - self.rule.days * DAY_MS;
        for incident in store.evidence_before(before_ms)? {
            store.free_evidence(incident, self.rule.days)?;
        }
        for incident in store.freed_evidence()? {
            let folder = evidence_folder(&self.common.data, incident);
            match fs::remove_dir_all(&folder) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(StoreError::Io {
                        path: folder,
                        source,
                    });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Tells how long the space lasts.
    fn foresee(&self, kept: &[(Arc<Board>, i64, Vec<Stored>)]) -> Result<(), StoreError> {
        let free = footage::free_bytes(&self.common.data)?;
        self.common.metrics.disk_free(free);
        let rates: Vec<f64> = kept.iter().map(|k| bytes_an_hour(&k.2)).collect();
        let disk_h = free.saturating_sub(footage::RESERVE_BYTES) as f64 / rates.iter().sum::<f64>();
        let done_h = (self.common.clock.now_ms() - self.begun_ms) / HOUR_MS;
        for ((board, _, all), rate) in kept.iter().zip(&rates) {
            let used: u64 = all.iter().map(|s| s.bytes).sum();
            board.counts.footage_bytes.store(used, Ordering::Relaxed);
            let space = foreseen(self.rule, used, *rate, disk_h, done_h);
            self.common
                .hub
                .update(board, |snapshot| snapshot.space = space);
        }
        Ok(())
    }
}

/// How many of a board's oldest segments are to be freed, and by which part of the rule.
fn due(all: &[Stored], rule: Rule, now_ms: f64) -> [(usize, &'static str); 2] {
    let begin_ms = now_ms - rule.days * DAY_MS;
    let older = |than_ms: f64| {
        all.iter()
            .take_while(|s| s.begin_ms + SEGMENT_MS < than_ms)
            .count()
    };
    let old = match older(begin_ms - SPARE_MS) {
        0 => 0,
        _ => older(begin_ms),
    };
    let mut total: u64 = all.iter().skip(old).map(|s| s.bytes).sum();
    let mut large = 0;
    if total > rule.most_bytes {
        let goal = rule.most_bytes - (rule.most_bytes as f64 * SPARE) as u64;
        for segment in all.iter().skip(old) {
            if total <= goal {
                break;
            }
            total -= segment.bytes;
            large += 1;
        }
    }
    [(old, "days"), (large, "share")]
}

/// How fast a board fills the disk: by its newest segments that are compressed already, else by its
/// newest ones.
fn bytes_an_hour(all: &[Stored]) -> f64 {
    let rate = |of: &[&Stored]| {
        let bytes: u64 = of.iter().map(|s| s.bytes).sum();
        bytes as f64 / (of.len() as f64 * SEGMENT_MS) * HOUR_MS
    };
    // The newest of all is being written.
    let newest = all.iter().rev().skip(1);
    let compressed: Vec<&Stored> = newest
        .clone()
        .filter(|s| s.compressed)
        .take(RATE_SEGMENTS)
        .collect();
    let captured: Vec<&Stored> = newest.take(RATE_SEGMENTS).collect();
    match (compressed.is_empty(), captured.is_empty()) {
        (false, _) => rate(&compressed),
        (true, false) => rate(&captured),
        (true, true) => 0.0,
    }
}

/// How long the space of a board lasts; none when nothing is being recorded. `disk_h` is for how many
/// hours the disk has room, `done_h` for how many the station has been running.
fn foreseen(rule: Rule, used: u64, rate: f64, disk_h: f64, done_h: f64) -> Option<Foreseen> {
    if rate <= 0.0 {
        return None;
    }
    let share_h = rule.most_bytes.saturating_sub(used) as f64 / rate;
    // A full share frees its oldest: a day of play stays if a whole share holds one.
    let holds_h = rule.most_bytes as f64 / rate;
    let (hours_left, limit) = if disk_h < share_h {
        (disk_h, Limit::Disk)
    } else {
        (share_h, Limit::Share)
    };
    let short = match limit {
        Limit::Disk => hours_left < (DAY_H - done_h).max(1.0),
        Limit::Share => holds_h < DAY_H,
    };
    Some(Foreseen {
        // Half hours: what is told does not change with every segment.
        hours_left: (hours_left * 2.0).floor() / 2.0,
        limit,
        short,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    fn segments(count: u64, bytes: u64, compressed: bool) -> Vec<Stored> {
        (0..count)
            .map(|k| Stored::for_test(1e12 + k as f64 * SEGMENT_MS, bytes, compressed))
            .collect()
    }

    fn rule(days: f64, most_bytes: u64) -> Rule {
        Rule { days, most_bytes }
    }

    #[test]
    fn footage_goes_when_its_time_is_over_and_not_before() {
        let all = segments(1000, 10, true);
        let due = |hours: f64| due(&all, rule(1.0, GIB), 1e12 + DAY_MS + hours * HOUR_MS);
        assert_eq!(due(-1.0), [(0, "days"), (0, "share")]);
        // Less than ten minutes too much wait for the rest.
        assert_eq!(due(0.1)[0].0, 0);
        assert_eq!(due(0.5)[0].0, 179);
        assert_eq!(due(100.0)[0].0, 1000);
    }

    #[test]
    fn a_board_that_outgrows_its_share_loses_its_oldest() {
        let all = segments(100, 1000, true);
        let now_ms = 1e12 + 100.0 * SEGMENT_MS;
        assert_eq!(due(&all, rule(14.0, 100_000), now_ms)[1], (0, "share"));
        // Down to 98 of a hundred parts of the share.
        assert_eq!(due(&all, rule(14.0, 50_000), now_ms)[1], (51, "share"));
        assert_eq!(due(&all, rule(14.0, 0), now_ms)[1], (100, "share"));
    }

    #[test]
    fn how_long_the_space_lasts_is_foreseen() {
        // A gibibyte an hour, once compressed.
        let mut all = segments(400, GIB / 360, true);
        all.extend(segments(20, GIB / 36, false));
        let rate = bytes_an_hour(&all);
        assert!((rate - GIB as f64).abs() < 400.0, "{rate}");
        let say = |share: u64, disk_h: f64, done_h: f64| {
            let told = foreseen(rule(14.0, share * GIB), 2 * GIB, rate, disk_h, done_h).unwrap();
            (told.hours_left, told.limit, told.short)
        };
        assert_eq!(say(24, 100.0, 0.0), (22.0, Limit::Share, false));
        // The share holds no day of play.
        assert_eq!(say(10, 100.0, 0.0), (8.0, Limit::Share, true));
        // The disk will be full before the day is over; late in the day it need not last so long.
        assert_eq!(say(24, 6.2, 1.0), (6.0, Limit::Disk, true));
        assert_eq!(say(24, 6.2, 9.0), (6.0, Limit::Disk, false));
        assert_eq!(foreseen(rule(14.0, GIB), 0, 0.0, 1.0, 0.0), None);
    }

    /// A station with one board, footage of it and the frames of two incidents, one of them held.
    #[test]
    fn a_pass_compresses_deletes_by_the_rule_and_notes_it() {
        use crate::station::{
            footage::Recorder,
            hub::{Snapshot, State},
            live,
        };
        use opencv::core::{CV_8UC3, Mat, Scalar};
        let folder = tempfile::tempdir().unwrap();
        let common = Common::without_boards(folder.path());
        let board = common.store.board("One").unwrap();
        let shared = common.hub.add(Snapshot {
            id: board,
            name: "One".to_owned(),
            state: State::Playing,
            since_ms: 0.0,
            fen: String::new(),
            moves: Vec::new(),
            last: None,
            game: None,
            players: Default::default(),
            next: None,
            doubts: Vec::new(),
            not_recording: None,
            sign: None,
            space: None,
        });
        let now_ms = common.clock.now_ms();
        let image = Mat::new_rows_cols_with_default(48, 64, CV_8UC3, Scalar::all(90.0)).unwrap();
        let jpeg = live::jpeg(&image).unwrap();
        let record = |ago_ms: f64| {
            let frame = live::LiveFrame {
                jpeg: jpeg.clone().into(),
                image: Arc::new(image.clone()),
                t_ms: now_ms - ago_ms,
            };
            let mut recorder = Recorder::open(&footage_folder(folder.path(), board)).unwrap();
            recorder.push(&frame).unwrap();
        };
        // Two that are too old, one to be compressed, one that is recent.
        for ago_ms in [3.0 * DAY_MS, 2.0 * DAY_MS, HOUR_MS, 0.0] {
            record(ago_ms);
        }
        let mut keeper = Keeper::new(Arc::clone(&common), rule(1.0, GIB));
        assert!(keeper.pass().unwrap());
        assert!(!keeper.pass().unwrap());
        let left = footage::stored(&footage_folder(folder.path(), board)).unwrap();
        let compressed: Vec<bool> = left.iter().map(|s| s.compressed).collect();
        assert_eq!(compressed, [true, false]);
        let log = common.store.log_newest(1).unwrap().remove(0);
        assert_eq!(log.kind, "footage_freed");
        assert_eq!(
            (&log.body["segments"], &log.body["by"]),
            (&json!(2), &json!("days"))
        );
        assert!(shared.snapshot().space.is_some_and(|s| !s.short));
        assert!(shared.counts.footage_bytes.load(Ordering::Relaxed) > 0);
    }
}
