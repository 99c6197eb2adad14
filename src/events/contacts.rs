//! Which dwells of which hands were contacts with pieces: those that carried out a move, and
//! those that touched a piece without moving it.

use shakmaty::{Board, Color, Move, Piece, Role, Square};

use super::{
    belief::Beliefs,
    hands::{Dwell, Way, Ways},
};
use crate::{
    calibration::view::{BoardView, square_centre},
    record::{ContactKind, HandSide},
};

/// One contact as inferred, before it gets a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Whose hand.
    pub player: Color,
    /// The hand's number, if a hand was seen.
    pub hand: Option<u32>,
    /// Left or right.
    pub side: Option<HandSide>,
    /// Where the piece stood; `None` beside the board.
    pub from: Option<Square>,
    /// The piece.
    pub piece: Piece,
    /// What it was.
    pub kind: ContactKind,
    /// First contact, milliseconds.
    pub touch_ms: f64,
    /// The piece leaves the board, milliseconds.
    pub lift_ms: Option<f64>,
    /// It stands again, milliseconds.
    pub place_ms: Option<f64>,
    /// Last contact, milliseconds.
    pub release_ms: f64,
    /// Where it stands then.
    pub to: Option<Square>,
    /// P(this contact took place).
    pub probability: f64,
}

/// One piece that went from a square to another or off the board, or came from beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Origin; `None` beside the board.
    pub from: Option<Square>,
    /// Target; `None` beside the board.
    pub to: Option<Square>,
    /// The piece.
    pub piece: Piece,
    /// Kind of contact it makes.
    pub kind: ContactKind,
}

/// What a legal move does with each piece: victims first, as most players do.
#[must_use]
pub fn parts_of(m: &Move, mover: Color) -> Vec<Part> {
    let own = |role: Role| Piece { color: mover, role };
    let shift = |from: Square, to: Square, role: Role| Part {
        from: Some(from),
        to: Some(to),
        piece: own(role),
        kind: ContactKind::Move,
    };
    let victim = |square: Square, role: Role| Part {
        from: Some(square),
        to: None,
        piece: Piece {
            color: !mover,
            role,
        },
        kind: ContactKind::CaptureRemoval,
    };
    match *m {
        Move::Normal {
            role,
            from,
            to,
            capture,
            promotion,
        } => {
            let mut parts: Vec<Part> = capture.map(|r| victim(to, r)).into_iter().collect();
            parts.push(shift(from, to, role));
            if let Some(new) = promotion {
                parts.push(Part {
                    from: Some(to),
                    to: None,
                    piece: own(Role::Pawn),
                    kind: ContactKind::PromotionRemoval,
                });
                parts.push(Part {
                    from: None,
                    to: Some(to),
                    piece: own(new),
                    kind: ContactKind::PromotionPlacement,
                });
            }
            parts
        }
        Move::EnPassant { from, to } => vec![
            victim(Square::from_coords(to.file(), from.rank()), Role::Pawn),
            shift(from, to, Role::Pawn),
        ],
        Move::Castle { king, rook } => m
            .castling_side()
            .map(|side| {
                vec![
                    shift(king, side.king_to(mover), Role::King),
                    shift(rook, side.rook_to(mover), Role::Rook),
                ]
            })
            .unwrap_or_default(),
        Move::Put { .. } => Vec::new(),
    }
}

/// Height at which fingers hold a piece, squares: the median of tournament sets.
fn grip_height(role: Role) -> f64 {
    match role {
        Role::Pawn => 0.69,
        Role::Rook => 0.80,
        Role::Knight => 0.83,
        Role::Bishop => 0.95,
        Role::Queen => 1.20,
        Role::King => 1.28,
    }
}

/// Distance of a dwelling hand from a piece's grip as seen in the picture, squares.
#[must_use]
pub fn grip_distance(view: &BoardView, dwell: &Dwell, square: Square, role: Role) -> f64 {
    pinch_distance(view, dwell.pinch_px, square, role)
}

/// The same for any place of a pinch, image pixels.
fn pinch_distance(view: &BoardView, pinch_px: [f64; 2], square: Square, role: Role) -> f64 {
    let [x, y] = square_centre(square);
    let grip = view.project([x, y, grip_height(role)]);
    let unit = view.square_px([x, y]).max(1.0);
    (pinch_px[0] - grip[0]).hypot(pinch_px[1] - grip[1]) / unit
}

/// A hand is at a grip while it is at most so much farther from it than at its nearest, squares.
const PASS_RADIUS: f64 = 0.35;
/// A way that never comes nearer than this to a grip did not reach it, squares.
const PASS_REACH: f64 = 1.1;
/// A hand within [`PASS_RADIUS`] still takes so long to touch, or has let go so long ago, milliseconds.
const PASS_MS: f64 = 60.0;

/// Corrections from dwells to contact times, milliseconds: fitted on rendered training clips (see
/// `models/MODELS.md`), as the medians of what dwells are late or early by.
pub struct Timing {
    /// A touch comes so long after arrival.
    pub touch: f64,
    /// A lift after leaving.
    pub lift: f64,
    /// A place after arrival.
    pub place: f64,
    /// A release after (before, when negative) leaving.
    pub release: f64,
}

/// The fitted corrections.
pub const TIMING: Timing = Timing {
    touch: 115.0,
    lift: -30.0,
    place: 5.0,
    release: -135.0,
};

/// Farthest that a dwell may be from the grip of a piece that it moved, squares.
const REACH: f64 = 1.3;
/// A move's second dwell comes at most so long after its first, milliseconds.
const LONGEST_CARRY_MS: f64 = 15_000.0;
/// From the first stir over a square to the touch, and from the last stir to the release: used
/// where no hand was seen, milliseconds.
const STIR_TO_TOUCH_MS: f64 = 400.0;
/// See [`STIR_TO_TOUCH_MS`].
const RELEASE_TO_REST_MS: f64 = 300.0;
/// From touch to release where nothing tells the touch: the median of training clips, milliseconds.
const TYPICAL_HOLD_MS: f64 = 900.0;

/// What contacts are inferred from.
pub struct Scene<'a> {
    /// The view in force.
    pub view: &'a BoardView,
    /// Dwells by time of arrival.
    pub dwells: &'a [Dwell],
    /// The hands' ways, for pieces moved too quickly for a dwell.
    pub ways: &'a Ways,
    /// Beliefs, for the times of squares where no hand was seen.
    pub beliefs: &'a Beliefs,
    /// Nothing before this belongs to the turn, milliseconds.
    pub since_ms: f64,
    /// Now, milliseconds.
    pub now_ms: f64,
}

impl Scene<'_> {
    /// Contacts that carried out `parts`, and the indices of the dwells they used besides those
    /// `taken` before.
    #[must_use]
    pub fn carried_out(
        &self,
        parts: &[Part],
        mover: Color,
        taken: &[usize],
    ) -> (Vec<Draft>, Vec<usize>) {
        let mut used: Vec<usize> = taken.to_vec();
        let mut drafts: Vec<Draft> = Vec::new();
        // Moving pieces first: their pairs of dwells are the surest.
        let mut order: Vec<&Part> = parts.iter().collect();
        order.sort_by_key(|p| u8::from(p.kind != ContactKind::Move));
        for part in order {
            let draft = match (part.from, part.to) {
                (Some(from), Some(to)) => self.shift(part, from, to, mover, &mut used),
                (Some(from), None) => self.removal(part, from, mover, &mut used, &drafts),
                (None, Some(to)) => self.placement(part, to, mover, &mut used),
                (None, None) => continue,
            };
            drafts.push(draft);
        }
        drafts.sort_by(|a, b| a.touch_ms.total_cmp(&b.touch_ms));
        (drafts, used)
    }

    fn near(&self, index: usize, square: Square, role: Role, mover: Color) -> Option<f64> {
        let dwell = self.dwells.get(index)?;
        let d = grip_distance(self.view, dwell, square, role);
        let mine = (dwell.from_white > 0.0) == mover.is_white() || dwell.from_white.abs() < 0.15;
        (mine && d < REACH && dwell.to_ms > self.since_ms).then_some(d)
    }

    /// The pair of dwells that took a piece from one square to another.
    fn shift(
        &self,
        part: &Part,
        from: Square,
        to: Square,
        mover: Color,
        used: &mut Vec<usize>,
    ) -> Draft {
        let role = part.piece.role;
        let mut best: Option<(f64, usize, usize)> = None;
        for i in 0..self.dwells.len() {
            let Some(a) = self
                .near(i, from, role, mover)
                .filter(|_| !used.contains(&i))
            else {
                continue;
            };
            for j in i + 1..self.dwells.len() {
                let Some(b) = self.near(j, to, role, mover).filter(|_| !used.contains(&j)) else {
                    continue;
                };
                let (first, second) = (&self.dwells[i], &self.dwells[j]);
                let carry = second.from_ms - first.to_ms;
                if first.hand != second.hand || !(-1.0..LONGEST_CARRY_MS).contains(&carry) {
                    continue;
                }
                let cost = a * a + b * b + carry / 8000.0;
                if best.is_none_or(|known| cost < known.0) {
                    best = Some((cost, i, j));
                }
            }
        }
        if let Some((cost, i, j)) = best {
            used.extend([i, j]);
            let (a, b) = (&self.dwells[i], &self.dwells[j]);
            return Draft {
                touch_ms: a.from_ms + TIMING.touch,
                lift_ms: Some(a.to_ms + TIMING.lift),
                place_ms: Some(b.from_ms + TIMING.place),
                release_ms: b.to_ms + TIMING.release,
                probability: 0.99 - 0.05 * cost.min(2.0),
                ..self.draft(part, mover, Some(a))
            };
        }
        self.unseen(part, from, to, mover, used)
    }

    /// Touch, lift, place and release from a way that passes both grips, in this order.
    fn passage(
        &self,
        from: Square,
        to: Square,
        role: Role,
        mover: Color,
    ) -> Option<([f64; 4], &Way)> {
        self.ways
            .all()
            .iter()
            .filter(|w| (w.from_white > 0.0) == mover.is_white())
            .filter_map(|way| {
                let steps: Vec<(f64, f64, f64)> = way
                    .steps()
                    .filter(|s| s.t_ms > self.since_ms)
                    .map(|s| {
                        (
                            s.t_ms,
                            pinch_distance(self.view, s.pinch_px, from, role),
                            pinch_distance(self.view, s.pinch_px, to, role),
                        )
                    })
                    .collect();
                // The target's nearest place after each time, and the origin's before it.
                let nearest_to = steps.iter().min_by(|a, b| a.2.total_cmp(&b.2))?;
                let nearest_from = steps
                    .iter()
                    .filter(|s| s.0 < nearest_to.0)
                    .min_by(|a, b| a.1.total_cmp(&b.1))?;
                let at_from =
                    |s: &&(f64, f64, f64)| s.1 < nearest_from.1 + PASS_RADIUS && s.0 < nearest_to.0;
                let at_to =
                    |s: &&(f64, f64, f64)| s.2 < nearest_to.2 + PASS_RADIUS && s.0 > nearest_from.0;
                let touch_ms = steps.iter().find(at_from)?.0 + PASS_MS;
                let lift_ms = steps.iter().rev().find(at_from)?.0;
                let place_ms = steps.iter().filter(|s| s.0 >= lift_ms).find(at_to)?.0;
                let release_ms = (steps.iter().rev().find(at_to)?.0 - PASS_MS).max(place_ms);
                let cost = nearest_from.1 + nearest_to.2;
                (nearest_from.1 < PASS_REACH && nearest_to.2 < PASS_REACH).then_some((
                    cost,
                    [touch_ms, lift_ms.max(touch_ms), place_ms, release_ms],
                    way,
                ))
            })
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, times, way)| (times, way))
    }

    /// One or both ends without a dwell: the squares' own stir tells the time.
    fn unseen(
        &self,
        part: &Part,
        from: Square,
        to: Square,
        mover: Color,
        used: &mut Vec<usize>,
    ) -> Draft {
        let role = part.piece.role;
        let single = |square: Square, used: &Vec<usize>| {
            (0..self.dwells.len())
                .filter(|i| !used.contains(i))
                .filter_map(|i| Some((self.near(i, square, role, mover).filter(|d| *d < 0.7)?, i)))
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(_, i)| i)
        };
        let (stirred, rested) = (
            self.beliefs.of(from).stirred_ms,
            self.beliefs.of(to).moved_ms,
        );
        let mut release_ms = (rested - RELEASE_TO_REST_MS)
            .max(self.since_ms + 200.0)
            .min(self.now_ms);
        let mut touch_ms = stirred + STIR_TO_TOUCH_MS;
        if !(self.since_ms..release_ms - 350.0).contains(&touch_ms) {
            touch_ms = (release_ms - TYPICAL_HOLD_MS).max(self.since_ms);
        }
        let mut hand = None;
        let passed = self.passage(from, to, role, mover);
        if let Some((times, way)) = passed {
            return Draft {
                touch_ms: times[0],
                lift_ms: Some(times[1]),
                place_ms: Some(times[2]),
                release_ms: times[3],
                probability: 0.92,
                hand: Some(way.id),
                side: Some(way.side),
                ..self.draft(part, mover, None)
            };
        }
        if let Some(i) = single(to, used) {
            hand = self.dwells.get(i);
            release_ms = self.dwells[i].to_ms + TIMING.release;
            used.push(i);
        }
        if let Some(i) = single(from, used).filter(|i| self.dwells[*i].from_ms < release_ms) {
            hand = self.dwells.get(i);
            touch_ms = self.dwells[i].from_ms + TIMING.touch;
            used.push(i);
        }
        let touch_ms = touch_ms.min(release_ms - 100.0).max(0.0);
        Draft {
            touch_ms,
            lift_ms: Some((touch_ms + 150.0).min(release_ms)),
            place_ms: Some((release_ms - 130.0).max(touch_ms)),
            release_ms,
            probability: 0.9,
            ..self.draft(part, mover, hand)
        }
    }

    /// A piece taken off: a dwell at it that no other part used, else the one of its capturer.
    fn removal(
        &self,
        part: &Part,
        from: Square,
        mover: Color,
        used: &mut Vec<usize>,
        drafts: &[Draft],
    ) -> Draft {
        let role = part.piece.role;
        let after_pawn = drafts
            .iter()
            .find(|d| part.kind == ContactKind::PromotionRemoval && d.to == Some(from))
            .map(|d| d.release_ms);
        let best = (0..self.dwells.len())
            .filter(|i| !used.contains(i))
            .filter(|i| after_pawn.is_none_or(|t| self.dwells[*i].from_ms > t - 50.0))
            .filter_map(|i| Some((self.near(i, from, role, mover)?, i)))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((d, i)) = best {
            used.push(i);
            let dwell = &self.dwells[i];
            let put_down = self.beside_the_board(dwell, used);
            let release_ms = put_down.map_or(dwell.to_ms + 800.0, |j| {
                used.push(j);
                self.dwells[j].to_ms + TIMING.release
            });
            return Draft {
                touch_ms: dwell.from_ms + TIMING.touch,
                lift_ms: Some(dwell.to_ms + TIMING.lift),
                release_ms,
                probability: 0.98 - 0.1 * d.min(1.5),
                ..self.draft(part, mover, Some(dwell))
            };
        }
        // Taken in one grip with the capturing piece, or no hand was seen.
        let capturer = drafts
            .iter()
            .find(|d| d.to == Some(from))
            .or(drafts.first());
        let (touch_ms, release_ms) =
            capturer.map_or((self.beliefs.of(from).stirred_ms, self.now_ms), |c| {
                (
                    c.place_ms.unwrap_or(c.release_ms) - 200.0,
                    c.release_ms + 300.0,
                )
            });
        Draft {
            touch_ms: touch_ms.max(self.since_ms),
            lift_ms: Some(touch_ms.max(self.since_ms) + 150.0),
            release_ms,
            probability: 0.85,
            ..self.draft(part, mover, None)
        }
    }

    /// The next dwell of the same hand outside the board.
    fn beside_the_board(&self, after: &Dwell, used: &[usize]) -> Option<usize> {
        let next_used = used
            .iter()
            .filter_map(|i| self.dwells.get(*i))
            .filter(|d| d.hand == after.hand && d.from_ms > after.to_ms)
            .map(|d| d.from_ms)
            .fold(f64::INFINITY, f64::min);
        (0..self.dwells.len()).find(|i| {
            let d = &self.dwells[*i];
            d.hand == after.hand
                && d.from_ms > after.to_ms
                && d.from_ms < next_used.min(after.to_ms + 3000.0)
                && d.place.iter().any(|v| !(-0.1..8.1).contains(v))
        })
    }

    /// A new piece put on: the last unused dwell at its square.
    fn placement(&self, part: &Part, to: Square, mover: Color, used: &mut Vec<usize>) -> Draft {
        let best = (0..self.dwells.len())
            .rev()
            .filter(|i| !used.contains(i))
            .find(|i| {
                self.near(*i, to, part.piece.role, mover)
                    .is_some_and(|d| d < 0.9)
            });
        let (place_ms, release_ms) = match best {
            Some(j) => {
                used.push(j);
                (
                    self.dwells[j].from_ms + TIMING.place,
                    self.dwells[j].to_ms + TIMING.release,
                )
            }
            None => {
                let rest = self.beliefs.of(to).moved_ms - RELEASE_TO_REST_MS;
                (rest - 130.0, rest)
            }
        };
        let dwell = best.and_then(|j| self.dwells.get(j));
        let picked = dwell.and_then(|d| {
            self.dwells.iter().rev().find(|o| {
                o.hand == d.hand
                    && o.to_ms < d.from_ms
                    && o.place.iter().any(|v| !(-0.1..8.1).contains(v))
            })
        });
        Draft {
            touch_ms: picked.map_or(place_ms - 900.0, |p| p.from_ms + TIMING.touch),
            lift_ms: Some(picked.map_or(place_ms - 750.0, |p| p.to_ms + TIMING.lift)),
            place_ms: Some(place_ms),
            release_ms,
            probability: 0.9,
            ..self.draft(part, mover, dwell)
        }
    }

    fn draft(&self, part: &Part, mover: Color, dwell: Option<&Dwell>) -> Draft {
        Draft {
            player: mover,
            hand: dwell.map(|d| d.hand),
            side: dwell.map(|d| d.side),
            from: part.from,
            piece: part.piece,
            kind: part.kind,
            touch_ms: 0.0,
            lift_ms: None,
            place_ms: None,
            release_ms: 0.0,
            to: part.to,
            probability: 0.9,
        }
    }

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
