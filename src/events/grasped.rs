//! The contact that carried a piece, from what the contact model says a hand held.

use shakmaty::{Color, Move, Position, Square};

use super::{
    contacts::{Draft, Grip, Part, REACH, Scene, Used},
    grasp::Grasp,
};
use crate::{calibration::view::square_centre, record::ContactKind};

/// A hand lost from sight while it carries takes its piece up again within this time, milliseconds.
const LOST_MS: f64 = 2500.0;
/// Cost of having been lost from sight in between.
const LOST_COST: f64 = 0.6;
/// ... having moved less than this meanwhile: a piece that is not held stays where it is, squares.
const STOP_MOVES: f64 = 0.15;
/// A piece whose way is not seen is held at most so long, milliseconds ...
const LONGEST_HOLD_MS: f64 = 4000.0;
/// ... by a hand that was this near its grip, squares.
const TAKEN_UP_REACH: f64 = 0.7;
/// Cost of having been let go on a square on the way, and taken up again there.
const STOP_COST: f64 = 0.2;
/// A piece that is let go is so for at least this long, milliseconds ...
const LET_GO_MS: f64 = 100.0;
/// ... and the hand leaves and meets it this near its grip there, squares.
const STOP_REACH: f64 = 0.75;
/// The board with what lies within reach of its edge, squares.
const ON_BOARD: std::ops::Range<f64> = -0.1..8.1;
/// A removal is not taken for a grasp that is farther than this from its grip, squares.
const REMOVAL_REACH: f64 = 1.0;

impl Scene<'_> {
    /// The grasp (or several, where the hand was lost from sight or let the piece go in between) that
    /// begins where `part` comes from and ends where it goes: one contact for each time the piece
    /// was let go; none if nothing was seen to. It begins before `until_ms`.
    pub(super) fn grasped(
        &self,
        part: &Part,
        mover: Color,
        until_ms: f64,
        used: &mut Used,
    ) -> Vec<Draft> {
        let mut best: Option<(f64, usize, usize)> = None;
        for (i, first) in self.grasps.iter().enumerate() {
            let Some(a) = self
                .begins(first, part)
                .filter(|_| self.open(i, mover, used) && first.touch_ms < until_ms)
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
                let lost = if !again {
                    0.0
                } else if self.stop(first, last, part).is_some() {
                    STOP_COST
                } else {
                    LOST_COST + gap / 2000.0
                };
                let cost = a * a + b * b + lost;
                if best.is_none_or(|known| cost < known.0) {
                    best = Some((cost, i, j));
                }
            }
        }
        let Some((cost, i, j)) = best else {
            return Vec::new();
        };
        // What lies between of this player's is part of the same carry; the opponent's is not.
        let between: Vec<usize> = (i..=j).filter(|k| self.open(*k, mover, used)).collect();
        let held: Vec<&Grasp> = between.iter().filter_map(|k| self.grasps.get(*k)).collect();
        used.grasps.extend(between);
        let Some(mut first) = held.first().copied() else {
            return Vec::new();
        };
        let mut drafts = Vec::new();
        let mut from = part.from;
        for pair in held.windows(2) {
            let &[last, next] = pair else { continue };
            let Some((stop, let_go)) = self.stop(last, next, part) else {
                continue;
            };
            drafts.push(Draft {
                from,
                to: Some(stop),
                probability: let_go,
                resumed: true,
                ..carry(first, last, part, mover)
            });
            (first, from) = (next, Some(stop));
        }
        if let Some(last) = held.last() {
            drafts.push(Draft {
                from,
                probability: 0.99 - 0.05 * cost.min(2.0),
                ..carry(first, last, part, mover)
            });
        }
        drafts
    }

    /// The square on which the piece of `part` was let go between two grasps, where it may go by a
    /// move that captures nothing, and how likely it was let go.
    fn stop(&self, last: &Grasp, next: &Grasp, part: &Part) -> Option<(Square, f64)> {
        let let_go = next
            .let_go
            .filter(|_| last.hand == next.hand && next.touch_ms - last.release_ms >= LET_GO_MS)?;
        let quiet = |m: &&Move| {
            m.from() == part.from && !m.is_capture() && !m.is_castle() && m.promotion().is_none()
        };
        let legal = self.before.legal_moves();
        let reached = legal.iter().filter(quiet).map(|m| {
            let at = [last.last_px, next.first_px].map(|px| self.gap(px, m.to(), part));
            (m.to(), at[0].max(at[1]))
        });
        let (square, gap) = reached.min_by(|a, b| a.1.total_cmp(&b.1))?;
        let ([ax, ay], [bx, by]) = (last.last_px, next.first_px);
        let moved = (ax - bx).hypot(ay - by) / self.view.square_px(square_centre(square)).max(1.0);
        let stands = Some(square) != part.to && gap < STOP_REACH && moved < STOP_MOVES;
        stands.then_some((square, let_go))
    }

    /// The last grasp by which a piece was taken up at `from` before `release_ms`, by a hand that was
    /// lost from sight on the way.
    pub(super) fn taken_up(
        &self,
        part: &Part,
        from: Square,
        mover: Color,
        release_ms: f64,
        used: &Used,
    ) -> Option<usize> {
        let begins = |k: &usize| {
            self.grasps.get(*k).is_some_and(|g| {
                (0.0..LONGEST_HOLD_MS).contains(&(release_ms - g.touch_ms))
                    && self.gap(g.first_px, from, part) < TAKEN_UP_REACH
            })
        };
        let mut open = (0..self.grasps.len()).filter(|k| self.open(*k, mover, used));
        open.rfind(begins)
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

/// A piece carried from the first contact of one grasp to the last of another.
fn carry(first: &Grasp, last: &Grasp, part: &Part, mover: Color) -> Draft {
    let lift_ms = first.air_ms.map_or(first.touch_ms, |a| a.0);
    let place_ms = last.air_ms.map_or(last.release_ms, |a| a.1);
    Draft {
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
        probability: 0.0,
        guessed: false,
        resumed: false,
    }
}

fn beside(place: [f64; 2]) -> bool {
    place.iter().any(|v| !ON_BOARD.contains(v))
}
