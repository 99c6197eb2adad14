//! The contact that carried a piece, from what the contact model says a hand held.

use shakmaty::{Color, Square};

use super::{
    contacts::{Draft, Grip, Part, REACH, Scene, Used},
    grasp::Grasp,
};
use crate::record::ContactKind;

/// A hand lost from sight while it carries takes its piece up again within this time, milliseconds.
const LOST_MS: f64 = 2500.0;
/// Cost of having been lost from sight in between.
const LOST_COST: f64 = 0.6;
/// The board with what lies within reach of its edge, squares.
const ON_BOARD: std::ops::Range<f64> = -0.1..8.1;
/// A removal is not taken for a grasp that is farther than this from its grip, squares.
const REMOVAL_REACH: f64 = 1.0;

impl Scene<'_> {
    /// The grasp (or two, where the hand was lost from sight in between) that begins where `part`
    /// comes from and ends where it goes.
    pub(super) fn grasped(&self, part: &Part, mover: Color, used: &mut Used) -> Option<Draft> {
        let mut best: Option<(f64, usize, usize)> = None;
        for (i, first) in self.grasps.iter().enumerate() {
            let Some(a) = self
                .begins(first, part)
                .filter(|_| self.open(i, mover, used))
            else {
                continue;
            };
            for (j, last) in self.grasps.iter().enumerate().skip(i) {
                let again = j > i;
                let gap = last.touch_ms - first.release_ms;
                let follows = !again || (0.0..LOST_MS).contains(&gap);
                let Some(b) = self
                    .ends(last, part)
                    .filter(|_| follows && self.open(j, mover, used))
                else {
                    continue;
                };
                let lost = if again { LOST_COST + gap / 2000.0 } else { 0.0 };
                let cost = a * a + b * b + lost;
                if best.is_none_or(|known| cost < known.0) {
                    best = Some((cost, i, j));
                }
            }
        }
        let (cost, i, j) = best?;
        // What lies between of this player's is part of the same carry; the opponent's is not.
        let between: Vec<usize> = (i..=j).filter(|k| self.open(*k, mover, used)).collect();
        used.grasps.extend(between);
        let (first, last) = (self.grasps.get(i)?, self.grasps.get(j)?);
        let lift_ms = first.air_ms.map_or(first.touch_ms, |a| a.0);
        let place_ms = last.air_ms.map_or(last.release_ms, |a| a.1);
        Some(Draft {
            player: mover,
            hand: Some(first.hand),
            side: Some(first.side),
            from: part.from,
            piece: part.piece,
            kind: part.kind,
            touch_ms: first.touch_ms,
            lift_ms: Some(lift_ms.max(first.touch_ms)),
            place_ms: part.to.map(|_| place_ms.min(last.release_ms)),
            release_ms: last.release_ms,
            to: part.to,
            probability: 0.99 - 0.05 * cost.min(2.0),
            guessed: false,
        })
    }

    fn open(&self, index: usize, mover: Color, used: &Used) -> bool {
        let mine = |g: &Grasp| (g.from_white > 0.0) == mover.is_white();
        let in_time = |g: &Grasp| g.release_ms > self.since_ms;
        !used.grasps.contains(&index)
            && self
                .grasps
                .get(index)
                .is_some_and(|g| mine(g) && in_time(g))
    }

    /// Distance (squares) of a grasp's first place from where the part comes from.
    fn begins(&self, grasp: &Grasp, part: &Part) -> Option<f64> {
        match part.from {
            Some(from) => Some(self.gap(grasp.first_px, from, part)).filter(|d| {
                let reach = if part.kind == ContactKind::Move {
                    REACH
                } else {
                    REMOVAL_REACH
                };
                *d < reach
            }),
            None => beside(grasp.first).then_some(0.0),
        }
    }

    /// Distance (squares) of a grasp's last place from where the part goes.
    fn ends(&self, grasp: &Grasp, part: &Part) -> Option<f64> {
        match part.to {
            Some(to) => Some(self.gap(grasp.last_px, to, part)).filter(|d| *d < REACH),
            // Beside the board hands are often out of the picture.
            None => Some(if beside(grasp.last) { 0.0 } else { 0.5 }),
        }
    }

    fn gap(&self, pinch_px: [f64; 2], square: Square, part: &Part) -> f64 {
        Grip::new(self.view, square, part.piece.role).distance(pinch_px)
    }
}

fn beside(place: [f64; 2]) -> bool {
    place.iter().any(|v| !ON_BOARD.contains(v))
}
