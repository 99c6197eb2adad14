//! What the station counts, for Prometheus.

use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};

use std::sync::atomic::{AtomicU64, Ordering};

use super::{
    hub::{Board, Hub, State},
    live::Counts,
};

/// Which board.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Of {
    board: String,
}

impl Of {
    fn board(board: &Board) -> Self {
        Self {
            board: board.snapshot().name,
        }
    }
}

/// Upper ends of the classes of times, seconds.
const TIMES_S: [f64; 10] = [0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0];

fn times() -> Histogram {
    Histogram::new(TIMES_S)
}

type Times = Family<Of, Histogram, fn() -> Histogram>;

/// Counts by board.
pub(super) struct Metrics {
    looked: Family<Of, Counter>,
    step_s: Times,
    delay_s: Times,
    disk_free: Gauge,
}

impl Metrics {
    pub(super) fn new() -> Self {
        Self {
            looked: Family::default(),
            step_s: Family::new_with_constructor(times),
            delay_s: Family::new_with_constructor(times),
            disk_free: Gauge::default(),
        }
    }

    /// Free space on the disk, bytes.
    pub(super) fn disk_free(&self, bytes: u64) {
        self.disk_free.set(i64::try_from(bytes).unwrap_or(i64::MAX));
    }

    /// A frame was looked at: how long that took, and how long after its capture it was done.
    pub(super) fn looked(&self, board: &str, step_s: f64, delay_s: f64) {
        let of = Of {
            board: board.to_owned(),
        };
        self.looked.get_or_create(&of).inc();
        self.step_s.get_or_create(&of).observe(step_s);
        self.delay_s.get_or_create(&of).observe(delay_s);
    }

    /// All of it as text.
    ///
    /// # Errors
    /// The formatter's.
    pub(super) fn text(&self, hub: &Hub) -> Result<String, std::fmt::Error> {
        let mut registry = Registry::with_prefix("adoube");
        for (name, help, of) in COUNTED {
            let counted: Family<Of, Counter<f64, AtomicU64>> = Family::default();
            for board in hub.boards() {
                counted
                    .get_or_create(&Of::board(&board))
                    .inc_by(of(&board.counts));
            }
            registry.register(*name, *help, counted);
        }
        for (name, help, of) in MEASURED {
            let measured: Family<Of, Gauge<f64, AtomicU64>> = Family::default();
            for board in hub.boards() {
                if let Some(value) = of(&board) {
                    measured.get_or_create(&Of::board(&board)).set(value);
                }
            }
            registry.register(*name, *help, measured);
        }
        registry.register(
            "frames_looked_at",
            "Frames that were looked at",
            self.looked.clone(),
        );
        registry.register_with_unit(
            "step",
            "Time to look at a frame",
            Unit::Seconds,
            self.step_s.clone(),
        );
        registry.register_with_unit(
            "delay",
            "From a frame's capture to when it was looked at",
            Unit::Seconds,
            self.delay_s.clone(),
        );
        registry.register_with_unit(
            "disk_free",
            "Free space on the disk of the station's folder",
            Unit::Bytes,
            self.disk_free.clone(),
        );
        let mut text = String::new();
        encode(&mut text, &registry)?;
        Ok(text)
    }
}

type Counted = (&'static str, &'static str, fn(&Counts) -> f64);

fn count(of: &AtomicU64) -> f64 {
    of.load(Ordering::Relaxed) as f64
}

/// What a board's source and footage count.
const COUNTED: &[Counted] = &[
    ("frames_captured", "Frames that came from the source", |c| {
        count(&c.captured)
    }),
    (
        "frames_dropped",
        "Frames that nobody had looked at when the next one came",
        |c| count(&c.dropped),
    ),
    (
        "source_losses",
        "Times that the source failed or ended",
        |c| count(&c.lost),
    ),
    ("encode_seconds", "Time spent on making JPEGs", |c| {
        c.encode.seconds()
    }),
    (
        "record_seconds",
        "Time spent on writing frames to disk",
        |c| c.record.seconds(),
    ),
];

type Measured = (&'static str, &'static str, fn(&Board) -> Option<f64>);

/// How a board is now.
const MEASURED: &[Measured] = &[
    ("playing", "1 while a game is being watched", |b| {
        let watched = matches!(b.snapshot().state, State::Playing | State::Hand);
        Some(f64::from(watched))
    }),
    ("queue_depth", "Frames that wait to be looked at", |b| {
        Some(count(&b.counts.waiting_frames))
    }),
    (
        "footage_waiting_segments",
        "Segments of footage that wait to be compressed",
        |b| Some(count(&b.counts.waiting_segments)),
    ),
    ("footage_bytes", "Footage on disk", |b| {
        Some(count(&b.counts.footage_bytes))
    }),
    (
        "footage_hours_left",
        "Hours until the space for footage is full",
        |b| Some(b.snapshot().space?.hours_left),
    ),
    ("not_recording", "1 while frames are not being kept", |b| {
        Some(f64::from(b.snapshot().not_recording.is_some()))
    }),
];
