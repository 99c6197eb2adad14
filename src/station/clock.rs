//! The station's one clock: milliseconds since 1970, read once from the system and from then on
//! counted by the monotonic clock, so that a clock that is set while a round is played moves no
//! frame and no event.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Tells the time to everything that is stamped.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    begun: Instant,
    epoch_ms: f64,
}

impl Clock {
    /// Reads the system's clock, for the only time.
    #[must_use]
    pub fn start() -> Self {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Self {
            begun: Instant::now(),
            epoch_ms: since.as_secs_f64() * 1000.0,
        }
    }

    /// Now, milliseconds since 1970.
    #[must_use]
    pub fn now_ms(&self) -> f64 {
        self.epoch_ms + self.begun.elapsed().as_secs_f64() * 1000.0
    }
}
