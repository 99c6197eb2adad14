//! What happens when the computer cannot keep up: boards on which nothing moves are looked at less
//! often, so that those with a hand over them lose as few frames as can be. Every frame is kept all
//! the same; what is dropped is only not looked at.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// After a moving board lost a frame, still boards make way for this long, milliseconds.
const TIGHT_MS: u64 = 1000;
/// A still board that makes way is looked at this often.
pub(super) const STILL_STEP: Duration = Duration::from_millis(150);

/// Whether the computer keeps up, as all boards share it.
#[derive(Debug, Default)]
pub(super) struct Pressure {
    /// Until when still boards make way, milliseconds since 1970.
    tight_until_ms: AtomicU64,
}

impl Pressure {
    /// A board with a hand over it lost frames.
    pub(super) fn lost(&self, now_ms: f64) {
        let until = now_ms as u64 + TIGHT_MS;
        self.tight_until_ms.fetch_max(until, Ordering::Relaxed);
    }

    /// Whether still boards make way.
    pub(super) fn tight(&self, now_ms: f64) -> bool {
        (now_ms as u64) < self.tight_until_ms.load(Ordering::Relaxed)
    }
}

/// One board's part in it.
#[derive(Debug, Default)]
pub(super) struct Share {
    /// Frames it had lost when it was last looked at.
    dropped: u64,
}

impl Share {
    /// After a look at the board: how long it waits for its next one. `dropped` counts the frames that
    /// it has lost so far.
    pub(super) fn after(
        &mut self,
        pressure: &Pressure,
        moving: bool,
        dropped: u64,
        now_ms: f64,
    ) -> Duration {
        let lost = dropped > self.dropped;
        self.dropped = dropped;
        if moving && lost {
            pressure.lost(now_ms);
        }
        if !moving && pressure.tight(now_ms) {
            STILL_STEP
        } else {
            Duration::ZERO
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn still_boards_make_way_while_a_moving_one_loses_frames() {
        let pressure = Pressure::default();
        let (mut moving, mut still) = (Share::default(), Share::default());
        let now_ms = 1e12;
        // A still board that loses frames asks nothing of anybody.
        assert_eq!(still.after(&pressure, false, 5, now_ms), Duration::ZERO);
        assert_eq!(moving.after(&pressure, true, 0, now_ms), Duration::ZERO);
        assert_eq!(moving.after(&pressure, true, 1, now_ms), Duration::ZERO);
        assert_eq!(still.after(&pressure, false, 5, now_ms + 900.0), STILL_STEP);
        // A hand comes: it waits no longer.
        assert_eq!(
            still.after(&pressure, true, 5, now_ms + 910.0),
            Duration::ZERO
        );
        // The moving board lost no more.
        moving.after(&pressure, true, 1, now_ms + 990.0);
        assert_eq!(
            still.after(&pressure, false, 5, now_ms + 1100.0),
            Duration::ZERO
        );
    }
}
