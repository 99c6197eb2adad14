//! What the station counts, for Prometheus.

use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};

use std::sync::atomic::Ordering;

use super::hub::{Hub, State};

/// Which board.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Of {
    board: String,
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
}

impl Metrics {
    pub(super) fn new() -> Self {
        Self {
            looked: Family::default(),
            step_s: Family::new_with_constructor(times),
            delay_s: Family::new_with_constructor(times),
        }
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
        let (captured, dropped, lost): (
            Family<Of, Counter>,
            Family<Of, Counter>,
            Family<Of, Counter>,
        ) = Default::default();
        let playing: Family<Of, Gauge> = Family::default();
        for board in hub.boards() {
            let now = board.snapshot();
            let of = Of { board: now.name };
            let count = |family: &Family<Of, Counter>, n: u64| {
                family.get_or_create(&of).inc_by(n);
            };
            count(&captured, board.counts.captured.load(Ordering::Relaxed));
            count(&dropped, board.counts.dropped.load(Ordering::Relaxed));
            count(&lost, board.counts.lost.load(Ordering::Relaxed));
            let watched = matches!(now.state, State::Playing | State::Hand);
            playing.get_or_create(&of).set(i64::from(watched));
        }
        registry.register(
            "frames_captured",
            "Frames that came from the source",
            captured,
        );
        registry.register(
            "frames_dropped",
            "Frames that nobody had looked at when the next one came",
            dropped,
        );
        registry.register(
            "frames_looked_at",
            "Frames that were looked at",
            self.looked.clone(),
        );
        registry.register(
            "source_losses",
            "Times that the source failed or ended",
            lost,
        );
        registry.register("playing", "1 while a game is being watched", playing);
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
        let mut text = String::new();
        encode(&mut text, &registry)?;
        Ok(text)
    }
}
