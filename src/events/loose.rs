//! Touches without a move: grasps that no move accounts for.

use shakmaty::{Board, Color, Piece, Square};

use super::contacts::{Draft, Grip, REACH, Scene, Used};
use crate::{calibration::view::square_centre, record::ContactKind};

/// Spread of the distance between a hand's seen pinch and the grip it holds, squares.
const GRIP_SPREAD: f64 = 0.45;
/// Around a contact that carried a piece, the same player's grasps are part of it, milliseconds.
const BUSY_MS: f64 = 200.0;
/// So long after its release, milliseconds, and so near it, squares, a hand is still at its piece.
const LINGERS_MS: f64 = 600.0;
const LINGERS_AT: f64 = 0.8;
/// A piece that is only touched stays, and so does the hand: shortest stay that is told from a hand
/// drawing back or passing by, milliseconds.
const LEAST_TOUCH_MS: f64 = 150.0;
/// A grasp without a move in which the hand moves about at least so much adjusts the piece, squares:
/// a hand that only touches rests meanwhile.
const ADJUST_EXTENT: f64 = 0.045;
/// Two grasps of the same piece so soon after one another are one, milliseconds.
const SAME_TOUCH_MS: f64 = 300.0;
/// Least probability of a touch that is kept.
const LEAST_PROBABILITY: f64 = 0.1;

impl Scene<'_> {
    /// Touches without a move: grasps of pieces of `board` that no move accounts for, up to `until_ms`.
    #[must_use]
    pub fn loose(
        &self,
        board: &Board,
        carried: &[Draft],
        used: &Used,
        until_ms: f64,
    ) -> Vec<Draft> {
        let mut drafts: Vec<Draft> = Vec::new();
        for (index, grasp) in self.grasps.iter().enumerate() {
            let player = Color::from_white(grasp.from_white >= 0.0);
            // A hand that carries one piece does not touch another for its own sake.
            let busy = carried.iter().any(|c| {
                c.player == player
                    && grasp.touch_ms < c.release_ms + BUSY_MS
                    && grasp.release_ms > c.touch_ms - BUSY_MS
            });
            // Nor is it a touch when its hand lingers at the piece that it has just put down.
            let lingers = carried.iter().any(|c| {
                c.player == player
                    && (0.0..LINGERS_MS).contains(&(grasp.touch_ms - c.release_ms))
                    && c.to.is_some_and(|to| {
                        let ([x, y], [cx, cy]) = (grasp.first, square_centre(to));
                        (x - cx).hypot(y - cy) < LINGERS_AT
                    })
            });
            if used.grasps.contains(&index)
                || busy
                || lingers
                || grasp.stay_ms - grasp.touch_ms < LEAST_TOUCH_MS
                || grasp.touch_ms > until_ms
                || grasp.release_ms < self.since_ms
            {
                continue;
            }
            let Some((square, piece, share)) = self.nearest_piece(grasp.first_px, board) else {
                continue;
            };
            let probability = grasp.stay_probability * share;
            if probability < LEAST_PROBABILITY {
                continue;
            }
            let kind = if grasp.stay_extent >= ADJUST_EXTENT {
                ContactKind::Adjust
            } else {
                ContactKind::Touch
            };
            let stays = |(a, b): &(f64, f64)| *a < grasp.stay_ms && *b <= grasp.stay_ms;
            let (lift_ms, place_ms) = grasp.air_ms.filter(stays).unzip();
            let draft = Draft {
                player,
                hand: Some(grasp.hand),
                side: Some(grasp.side),
                from: Some(square),
                piece,
                kind,
                touch_ms: grasp.touch_ms,
                lift_ms,
                place_ms,
                release_ms: grasp.stay_ms,
                to: Some(square),
                probability,
                guessed: false,
                resumed: false,
            };
            match drafts.last_mut().filter(|d| {
                d.from == draft.from
                    && d.hand == draft.hand
                    && draft.touch_ms - d.release_ms < SAME_TOUCH_MS
            }) {
                Some(last) => {
                    last.release_ms = draft.release_ms;
                    last.probability = last.probability.max(probability);
                }
                None => drafts.push(draft),
            }
        }
        drafts
    }

    /// The piece whose grip is nearest: its square, and how likely it is the one among its
    /// neighbours.
    fn nearest_piece(&self, pinch_px: [f64; 2], board: &Board) -> Option<(Square, Piece, f64)> {
        let near: Vec<(f64, Square, Piece)> = board
            .clone()
            .into_iter()
            .map(|(s, p)| (Grip::new(self.view, s, p.role).distance(pinch_px), s, p))
            .filter(|n| n.0 < REACH)
            .collect();
        let weight = |d: f64| (-(d / GRIP_SPREAD).powi(2)).exp();
        let total: f64 = near.iter().map(|n| weight(n.0)).sum();
        let best = near.into_iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((best.1, best.2, weight(best.0) / total.max(1e-9)))
    }
}
