//! The times of samples that come in pieces with jittering time stamps.

/// Stamps and samples may differ by this much before samples must be missing, milliseconds.
const GAP_MS: f64 = 60.0;
/// Share of a difference that is taken over with each piece: the sound card's clock is not ours.
const FOLLOW: f64 = 0.02;

/// Gives pieces of sound times that neither jitter nor drift.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    next_ms: Option<f64>,
}

impl Timeline {
    /// The time of the first sample of a piece: `stamp_ms` as the system has it, `length_ms` of
    /// sound in it.
    pub fn place(&mut self, stamp_ms: f64, length_ms: f64) -> f64 {
        let t_ms = match self.next_ms {
            Some(next) if (stamp_ms - next).abs() < GAP_MS => next + FOLLOW * (stamp_ms - next),
            _ => stamp_ms,
        };
        self.next_ms = Some(t_ms + length_ms);
        t_ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jitter_is_smoothed_and_a_slow_card_is_followed() {
        let mut timeline = Timeline::default();
        let mut worst: f64 = 0.0;
        // 20 ms of sound come every 20.002 ms, each stamped up to 8 ms late.
        for i in 0..10_000 {
            let true_ms = f64::from(i) * 20.002;
            let late_ms = f64::from((i * 7) % 9);
            let placed = timeline.place(true_ms + late_ms, 20.0);
            worst = if i > 300 {
                worst.max((placed - true_ms - 4.0).abs())
            } else {
                worst
            };
        }
        assert!(worst < 1.5, "{worst}");
    }

    #[test]
    fn missing_sound_moves_what_comes_after_it() {
        let mut timeline = Timeline::default();
        timeline.place(0.0, 20.0);
        assert!((timeline.place(500.0, 20.0) - 500.0).abs() < 1e-9);
    }
}
