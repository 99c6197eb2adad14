//! How a player holds pieces: fingers stretched or bent put the place where they meet nearer to or
//! farther from where the hand network, trained on one kind of grip, believes it. Each move that
//! was made tells where the fingers must have been, before and after.

/// Offsets that are tried: ahead of the seen pinch point (towards the finger tips), squares ...
const AHEAD: std::ops::RangeInclusive<i32> = -2..=8;
/// ... and to its side; both in steps of this size, squares.
const ASIDE: std::ops::RangeInclusive<i32> = -2..=2;
/// See [`ASIDE`].
const STEP_SQUARES: f64 = 0.25;
/// What an offset costs for each square, as if a move contradicted it by as much: without evidence
/// there is none.
const RELUCTANCE: f64 = 0.4;
/// A hand that was never within this of a grip says nothing, squares.
const SILENT_FROM: f64 = 1.6;
/// Distances from two grips that add up to less than this are the hand network's own error (its median is 0.13 squares each)
/// and say nothing of the player, squares.
const NOISE_SQUARES: f64 = 0.3;
/// What earlier moves say fades by this factor with each move: players change hands and chairs.
const FADING: f64 = 0.9;

/// One player's habit.
#[derive(Debug, Clone, PartialEq)]
pub struct Habit {
    /// Sum over the moves of how far each offset leaves the hand from its grips, squares.
    costs: Vec<f64>,
    /// The best offset: ahead, aside, squares.
    offset: [f64; 2],
}

impl Default for Habit {
    fn default() -> Self {
        Self {
            costs: offsets().map(|_| 0.0).collect(),
            offset: [0.0, 0.0],
        }
    }
}

fn offsets() -> impl Iterator<Item = [f64; 2]> {
    AHEAD.flat_map(|a| ASIDE.map(move |s| [a, s].map(|v| f64::from(v) * STEP_SQUARES)))
}

impl Habit {
    /// Where the fingers meet from the seen pinch point: ahead, aside, squares.
    #[must_use]
    pub fn offset(&self) -> [f64; 2] {
        self.offset
    }

    /// Learns from a move: `ways` gives, for an offset, each hand's distances (squares) from the
    /// grip at the move's origin and from that at its target, step by step. Tells whether the
    /// offset has changed.
    pub fn learn<F, I, W>(&mut self, ways: F) -> bool
    where
        F: Fn([f64; 2]) -> I,
        I: Iterator<Item = W>,
        W: Iterator<Item = (f64, f64)>,
    {
        let said: Vec<f64> = offsets()
            .map(|offset| {
                let nearest = ways(offset).map(nearest_pair).fold(f64::INFINITY, f64::min);
                nearest.clamp(NOISE_SQUARES, 2.0 * SILENT_FROM)
            })
            .collect();
        let least = said.iter().copied().fold(f64::INFINITY, f64::min);
        if least >= SILENT_FROM {
            return false;
        }
        for (cost, said) in self.costs.iter_mut().zip(said) {
            *cost = FADING * *cost + said;
        }
        let total =
            |(offset, cost): &([f64; 2], &f64)| **cost + RELUCTANCE * offset[0].hypot(offset[1]);
        let best = offsets()
            .zip(&self.costs)
            .min_by(|a, b| total(a).total_cmp(&total(b)))
            .map_or([0.0, 0.0], |b| b.0);
        let changed = best != self.offset;
        self.offset = best;
        changed
    }
}

/// Least sum of the distance from the origin and, later, from the target.
fn nearest_pair(steps: impl Iterator<Item = (f64, f64)>) -> f64 {
    let mut from = f64::INFINITY;
    let mut best = f64::INFINITY;
    for (a, b) in steps {
        best = best.min(from + b);
        from = from.min(a);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hand that goes from one place to another, as distances from two grips on a line.
    fn way(start: f64, end: f64, grips: [f64; 2], ahead: f64) -> Vec<(f64, f64)> {
        (0..=20)
            .map(|i| start + (end - start) * f64::from(i) / 20.0 + ahead)
            .map(|x| ((x - grips[0]).abs(), (x - grips[1]).abs()))
            .collect()
    }

    #[test]
    fn a_hand_seen_short_of_its_grips_is_stretched() {
        let mut habit = Habit::default();
        for _ in 0..2 {
            habit.learn(|[ahead, _]| std::iter::once(way(0.0, 3.0, [1.0, 4.0], ahead).into_iter()));
        }
        assert!(
            (habit.offset()[0] - 1.0).abs() < 0.3,
            "{:?}",
            habit.offset()
        );
    }

    #[test]
    fn what_the_network_errs_by_is_no_habit() {
        let mut habit = Habit::default();
        for _ in 0..5 {
            habit.learn(|[ahead, _]| {
                std::iter::once(way(0.0, 3.0, [0.12, 3.12], ahead).into_iter())
            });
        }
        assert_eq!(habit.offset(), [0.0, 0.0]);
    }

    #[test]
    fn a_hand_that_is_right_or_absent_stays_as_it_is() {
        let mut habit = Habit::default();
        assert!(!habit.learn(|[a, _]| std::iter::once(way(0.0, 3.0, [0.0, 3.0], a).into_iter())));
        assert!(!habit.learn(|[a, _]| std::iter::once(way(20.0, 30.0, [0.0, 3.0], a).into_iter())));
        assert_eq!(habit.offset(), [0.0, 0.0]);
    }
}
