//! Touches without a move: dwells at pieces that no move accounts for.

use shakmaty::{Board, Color, Piece, Square};

use super::{
    contacts::{Draft, REACH, Scene, TIMING, grip_distance},
    hands::Dwell,
};
use crate::record::ContactKind;

/// Spread of the distance between a hand's seen pinch and the grip it holds, squares.
const GRIP_SPREAD: f64 = 0.45;
/// Around a contact that carried a piece, the same player's dwells are part of it, milliseconds.
const BUSY_MS: f64 = 350.0;
/// Shortest touch without a move that is told from a change of direction, milliseconds.
const LEAST_TOUCH_MS: f64 = 60.0;
/// A touch without a move that lasts longer than this is an adjustment, milliseconds.
const ADJUST_MS: f64 = 750.0;

/// P(touch) of a dwell at a piece from the distance of the pinch from the grip (squares) and the
/// duration (milliseconds). Fitted on rendered training clips, see `models/MODELS.md`: players who
/// touch and think better of it let go within half a second, a hand that stays longer mostly
/// hovers in thought.
fn touch_probability(distance: f64, duration_ms: f64) -> f64 {
    let near = 3.0 - 7.0 * (distance - 0.35).max(0.0);
    let long = 4.0 * ((duration_ms - 620.0) / 150.0).clamp(0.0, 1.0);
    let short = 3.0 * ((230.0 - duration_ms) / 150.0).clamp(0.0, 1.0);
    1.0 / (1.0 + (long + short - near).exp())
}

impl Scene<'_> {
    /// Touches without a move: dwells at pieces of `board` that no move accounts for, up to `until_ms`.
    #[must_use]
    pub fn loose(
        &self,
        board: &Board,
        carried: &[Draft],
        used: &[usize],
        until_ms: f64,
    ) -> Vec<Draft> {
        let mut drafts: Vec<Draft> = Vec::new();
        for (index, dwell) in self.dwells.iter().enumerate() {
            let player = Color::from_white(dwell.from_white >= 0.0);
            // A hand that carries one piece does not touch another for its own sake.
            let busy = carried.iter().any(|c| {
                c.player == player
                    && dwell.from_ms < c.release_ms + BUSY_MS
                    && dwell.to_ms > c.touch_ms - BUSY_MS
            });
            let held_ms = dwell.to_ms - dwell.from_ms - TIMING.touch + TIMING.release;
            if used.contains(&index)
                || busy
                || held_ms < LEAST_TOUCH_MS
                || dwell.from_ms > until_ms
                || dwell.to_ms < self.since_ms
            {
                continue;
            }
            let Some((distance, square, piece, share)) = self.nearest_piece(dwell, board) else {
                continue;
            };
            let duration_ms = dwell.to_ms - dwell.from_ms;
            let probability = touch_probability(distance, duration_ms) * share;
            if probability < 0.1 {
                continue;
            }
            let kind = if duration_ms > ADJUST_MS {
                ContactKind::Adjust
            } else {
                ContactKind::Touch
            };
            let draft = Draft {
                player,
                hand: Some(dwell.hand),
                side: Some(dwell.side),
                from: Some(square),
                piece,
                kind,
                touch_ms: dwell.from_ms + TIMING.touch,
                lift_ms: None,
                place_ms: None,
                release_ms: dwell.to_ms + TIMING.release,
                to: Some(square),
                probability,
                guessed: false,
            };
            match drafts.last_mut().filter(|d| {
                d.from == draft.from
                    && d.hand == draft.hand
                    && draft.touch_ms - d.release_ms < 250.0
            }) {
                Some(last) => {
                    last.release_ms = draft.release_ms;
                    last.probability = last.probability.max(probability);
                    if last.release_ms - last.touch_ms > ADJUST_MS {
                        last.kind = ContactKind::Adjust;
                    }
                }
                None => drafts.push(draft),
            }
        }
        drafts
    }

    /// The piece whose grip is nearest: its distance (squares), its square, and how likely it is
    /// the one among its neighbours.
    fn nearest_piece(&self, dwell: &Dwell, board: &Board) -> Option<(f64, Square, Piece, f64)> {
        let near: Vec<(f64, Square, Piece)> = board
            .clone()
            .into_iter()
            .map(|(s, p)| (grip_distance(self.view, dwell, s, p.role), s, p))
            .filter(|n| n.0 < REACH)
            .collect();
        let weight = |d: f64| (-(d / GRIP_SPREAD).powi(2)).exp();
        let total: f64 = near.iter().map(|n| weight(n.0)).sum();
        let best = near.into_iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((best.0, best.1, best.2, weight(best.0) / total.max(1e-9)))
    }
}
