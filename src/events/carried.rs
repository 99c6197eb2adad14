//! The contacts that carried out a move: pairs of dwells at the origin and the target of each
//! piece, or, where a hand was too quick or not seen, its way past both or the stir of the squares.

use shakmaty::{Color, Move, Role, Square};

use super::{
    contacts::{
        Draft, Grip, HAND_OVER_MS, Part, REACH, Scene, TIMING, Timing, Used, grip_distance,
    },
    hands::{Dwell, Way},
    reading::landing,
};
use crate::record::ContactKind;

/// A hand is at a grip while it is at most so much farther from it than at its nearest, squares.
const PASS_RADIUS: f64 = 0.35;
/// A way that never comes nearer than this to a grip did not reach it, squares.
const PASS_REACH: f64 = 1.1;
/// A hand that was within this of a grip was there, squares.
const VISIT_REACH: f64 = 0.6;
/// For a hand that passes a grip without dwelling there, when things happen between its coming
/// within [`PASS_RADIUS`] of its nearest and its leaving: shares of that time, medians over the same
/// clips as [`TIMING`]. Shares and not milliseconds, since some players are twice as quick.
const PASSING: Timing = Timing {
    touch: 0.33,
    lift: 0.62,
    place: 0.2,
    release: 0.45,
};
/// A move's second dwell comes at most so long after its first, milliseconds.
const LONGEST_CARRY_MS: f64 = 15_000.0;
/// From the first stir over a square to the touch: used where no hand was seen, milliseconds.
const STIR_TO_TOUCH_MS: f64 = 400.0;
/// From the last stir of a square whose piece was taken off to that piece's release beside the
/// board, milliseconds.
const BESIDE_MS: f64 = 500.0;
/// From place to release where nothing tells them, milliseconds.
const PLACE_TO_RELEASE_MS: f64 = 130.0;
/// From touch to release where nothing tells the touch: the median of training clips, milliseconds.
const TYPICAL_HOLD_MS: f64 = 900.0;

/// How much a hand's way can say for a move, nats.
const SUPPORT: f32 = 3.0;
/// How much it can say against one, nats: holding a piece, hands are often lost from sight.
const OBJECTION: f32 = 1.0;

/// A way past the grips at a piece's origin and target.
struct Passage<'a> {
    /// Nearest distances from both grips together, squares.
    cost: f64,
    /// Touch, lift, place and release, milliseconds.
    times: [f64; 4],
    way: &'a Way,
}

impl Scene<'_> {
    /// Contacts that carried out `parts`, and the dwells and grasps they used besides those `taken`
    /// before.
    #[must_use]
    pub fn carried_out(&self, parts: &[Part], mover: Color, taken: &Used) -> (Vec<Draft>, Used) {
        let mut used = taken.clone();
        let mut drafts: Vec<Draft> = Vec::new();
        // Moving pieces first: their pairs of dwells are the surest.
        let mut order: Vec<&Part> = parts.iter().collect();
        order.sort_by_key(|p| u8::from(p.kind != ContactKind::Move));
        for part in order {
            match (part.from, part.to) {
                (Some(from), Some(to)) => {
                    drafts.extend(self.shift(part, from, to, mover, &mut used));
                }
                (Some(from), None) => {
                    drafts.push(self.removal(part, from, mover, &mut used, &drafts));
                }
                (None, Some(to)) => drafts.push(self.placement(part, to, mover, &mut used)),
                (None, None) => {}
            }
        }
        let seen: Vec<Draft> = drafts.iter().filter(|d| !d.guessed).cloned().collect();
        for draft in drafts.iter_mut().filter(|d| d.kind == ContactKind::Move) {
            seen.iter().for_each(|other| draft.wait_for(other));
        }
        drafts.sort_by(|a, b| a.touch_ms.total_cmp(&b.touch_ms));
        (drafts, used)
    }

    /// What the hands say for a move, nats: its player's hand was seen first at the piece and then
    /// at its target; less the farther it stayed from them. Nothing where no hand was seen. With
    /// the time of its release.
    #[must_use]
    pub fn support(&self, m: &Move, mover: Color) -> (f32, Option<f64>) {
        let Some((from, role)) = m.from().map(|s| (s, m.role())) else {
            return (0.0, None);
        };
        let seen = self.ways.all().iter().any(|way| {
            (way.from_white > 0.0) == mover.is_white()
                && way
                    .steps_since(self.since_ms)
                    .any(|s| s.place.iter().all(|v| (0.0..8.0).contains(v)))
        });
        match self.passage(from, landing(m), role, mover) {
            Some(Passage { cost, times, .. }) => {
                let said = SUPPORT * (1.0 - cost / PASS_REACH) as f32;
                (said.max(-OBJECTION), times.last().copied())
            }
            None if seen => (-OBJECTION, None),
            None => (0.0, None),
        }
    }

    fn near(&self, index: usize, square: Square, role: Role, mover: Color) -> Option<f64> {
        let dwell = self.dwells.get(index)?;
        let d = grip_distance(self.view, dwell, square, role);
        let mine = (dwell.from_white > 0.0) == mover.is_white() || dwell.from_white.abs() < 0.15;
        (mine && d < REACH && dwell.to_ms > self.since_ms).then_some(d)
    }

    /// What took a piece from one square to another: grasps, with the squares where it was let go
    /// on the way, or else one pair of dwells.
    fn shift(
        &self,
        part: &Part,
        from: Square,
        to: Square,
        mover: Color,
        used: &mut Used,
    ) -> Vec<Draft> {
        let grasped = self.grasped(part, mover, f64::INFINITY, used);
        if grasped.is_empty() {
            vec![self.dwelt(part, from, to, mover, used)]
        } else {
            grasped
        }
    }

    fn dwelt(&self, part: &Part, from: Square, to: Square, mover: Color, used: &mut Used) -> Draft {
        let role = part.piece.role;
        let mut best: Option<(f64, usize, usize)> = None;
        for i in 0..self.dwells.len() {
            let Some(a) = self
                .near(i, from, role, mover)
                .filter(|_| !used.dwells.contains(&i))
            else {
                continue;
            };
            for j in i + 1..self.dwells.len() {
                let Some(b) = self
                    .near(j, to, role, mover)
                    .filter(|_| !used.dwells.contains(&j))
                else {
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
            used.dwells.extend([i, j]);
            let (a, b) = (&self.dwells[i], &self.dwells[j]);
            let release_ms = (b.to_ms + TIMING.release).max(b.from_ms);
            return Draft {
                touch_ms: a.from_ms + TIMING.touch,
                lift_ms: Some((a.to_ms + TIMING.lift).max(a.from_ms + TIMING.touch)),
                place_ms: Some((b.from_ms + TIMING.place).min(release_ms)),
                release_ms,
                probability: 0.99 - 0.05 * cost.min(2.0),
                ..self.draft(part, mover, Some(a))
            };
        }
        self.unseen(part, from, to, mover, used)
    }

    /// Touch, lift, place and release from a way that passes both grips, in this order.
    fn passage(&self, from: Square, to: Square, role: Role, mover: Color) -> Option<Passage<'_>> {
        let (origin, target) = (
            Grip::new(self.view, from, role),
            Grip::new(self.view, to, role),
        );
        self.ways
            .all()
            .iter()
            .filter(|w| (w.from_white > 0.0) == mover.is_white())
            .filter_map(|way| {
                let steps: Vec<(f64, f64, f64)> = way
                    .steps_since(self.since_ms)
                    .map(|s| {
                        (
                            s.t_ms,
                            origin.distance(s.pinch_px),
                            target.distance(s.pinch_px),
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
                let (arrives_ms, leaves_ms) = (
                    steps.iter().find(at_from)?.0,
                    steps.iter().rev().find(at_from)?.0,
                );
                let brings_ms = steps.iter().filter(|s| s.0 >= leaves_ms).find(at_to)?.0;
                let goes_ms = steps.iter().rev().find(at_to)?.0;
                let at = |from_ms: f64, to_ms: f64, share: f64| from_ms + share * (to_ms - from_ms);
                let touch_ms = at(arrives_ms, leaves_ms, PASSING.touch);
                let lift_ms = at(arrives_ms, leaves_ms, PASSING.lift);
                let place_ms = at(brings_ms, goes_ms, PASSING.place);
                let release_ms = at(brings_ms, goes_ms, PASSING.release);
                let cost = nearest_from.1 + nearest_to.2;
                (nearest_from.1 < PASS_REACH && nearest_to.2 < PASS_REACH).then_some(Passage {
                    cost,
                    times: [touch_ms, lift_ms, place_ms, release_ms],
                    way,
                })
            })
            .min_by(|a, b| a.cost.total_cmp(&b.cost))
    }

    /// When a hand of the player was at a grip without dwelling there: coming and going,
    /// milliseconds.
    fn visit(&self, square: Square, role: Role, mover: Color) -> Option<(f64, f64)> {
        let grip = Grip::new(self.view, square, role);
        let visits = self.ways.all().iter().filter_map(|way| {
            let steps: Vec<(f64, f64)> = way
                .steps_since(self.since_ms)
                .map(|s| (s.t_ms, grip.distance(s.pinch_px)))
                .collect();
            let nearest = steps.iter().map(|s| s.1).fold(f64::INFINITY, f64::min);
            let at = |s: &&(f64, f64)| s.1 < nearest + PASS_RADIUS;
            let (comes, goes) = (steps.iter().find(at)?.0, steps.iter().rev().find(at)?.0);
            let mine = (way.from_white > 0.0) == mover.is_white();
            (mine && nearest < VISIT_REACH).then_some((nearest, (comes, goes)))
        });
        visits.min_by(|a, b| a.0.total_cmp(&b.0)).map(|v| v.1)
    }

    /// One or both ends without a dwell: the squares' own stir tells the time.
    fn unseen(
        &self,
        part: &Part,
        from: Square,
        to: Square,
        mover: Color,
        used: &mut Used,
    ) -> Draft {
        let role = part.piece.role;
        let near =
            |i: &usize, square: Square| self.near(*i, square, role, mover).is_some_and(|d| d < 0.7);
        let (stirred, rested) = (
            self.beliefs.of(from).stirred_ms,
            self.beliefs.of(to).moved_ms,
        );
        let mut release_ms = (rested - self.retreat_ms)
            .max(self.since_ms + 200.0)
            .min(self.now_ms);
        let mut touch_ms = stirred + STIR_TO_TOUCH_MS;
        if !(self.since_ms..release_ms - 350.0).contains(&touch_ms) {
            touch_ms = (release_ms - TYPICAL_HOLD_MS).max(self.since_ms);
        }
        let mut hand = None;
        let passed = self.passage(from, to, role, mover);
        if let Some(Passage { times, way, .. }) = passed {
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
        // The piece was held there first and let go here last.
        let open = |used: &Used, i: &usize| !used.dwells.contains(i);
        let mut ends = (0..self.dwells.len()).filter(|i| open(used, i) && near(i, to));
        if let Some(i) = ends.next_back() {
            hand = self.dwells.get(i);
            release_ms = self.dwells[i].to_ms + TIMING.release;
            used.dwells.push(i);
        }
        if let Some(k) = self.taken_up(part, from, mover, release_ms, used)
            && let Some(grasp) = self.grasps.get(k)
        {
            used.grasps.push(k);
            let release_ms = release_ms.max(grasp.release_ms);
            let lift_ms = grasp.air_ms.map_or(grasp.release_ms, |a| a.0);
            return Draft {
                touch_ms: grasp.touch_ms,
                lift_ms: Some(lift_ms.max(grasp.touch_ms)),
                place_ms: Some((release_ms - PLACE_TO_RELEASE_MS).max(lift_ms)),
                release_ms,
                hand: Some(grasp.hand),
                side: Some(grasp.side),
                ..self.draft(part, mover, None)
            };
        }
        let begins = (0..self.dwells.len()).find(|i| open(used, i) && near(i, from));
        let visit = self.visit(from, role, mover);
        if let Some(i) = begins.filter(|i| self.dwells[*i].from_ms < release_ms) {
            hand = self.dwells.get(i);
            touch_ms = self.dwells[i].from_ms + TIMING.touch;
            used.dwells.push(i);
        } else if let Some((comes, goes)) = visit.filter(|(_, goes)| *goes < release_ms) {
            touch_ms = comes + PASSING.touch * (goes - comes);
        }
        let touch_ms = touch_ms.min(release_ms - 100.0).max(0.0);
        Draft {
            touch_ms,
            lift_ms: Some((touch_ms + 150.0).min(release_ms)),
            place_ms: Some((release_ms - PLACE_TO_RELEASE_MS).max(touch_ms)),
            release_ms,
            probability: 0.9,
            guessed: true,
            ..self.draft(part, mover, hand)
        }
    }

    /// A piece taken off: a dwell at it that no other part used, else the one of its capturer.
    fn removal(
        &self,
        part: &Part,
        from: Square,
        mover: Color,
        used: &mut Used,
        drafts: &[Draft],
    ) -> Draft {
        // A piece is gone before another stands in its place.
        let replaced = drafts.iter().find(|d| d.to == Some(from));
        let until_ms = replaced
            .filter(|_| part.kind == ContactKind::CaptureRemoval)
            .map_or(f64::INFINITY, |d| d.place_ms.unwrap_or(d.release_ms));
        if let Some(draft) = self.grasped(part, mover, until_ms, used).pop() {
            return draft;
        }
        let role = part.piece.role;
        let after_pawn = drafts
            .iter()
            .find(|d| part.kind == ContactKind::PromotionRemoval && d.to == Some(from))
            .map(|d| d.release_ms);
        let best = (0..self.dwells.len())
            .filter(|i| !used.dwells.contains(i))
            .filter(|i| after_pawn.is_none_or(|t| self.dwells[*i].from_ms > t - 50.0))
            .filter_map(|i| Some((self.near(i, from, role, mover)?, i)))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((d, i)) = best {
            used.dwells.push(i);
            let dwell = &self.dwells[i];
            let put_down = self.beside_the_board(dwell, used);
            let release_ms = put_down.map_or(dwell.to_ms + 800.0, |j| {
                used.dwells.push(j);
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
        // Taken off unseen before the capturer was touched, in one grip with it, or no hand was seen.
        let capturer = drafts
            .iter()
            .find(|d| d.to == Some(from))
            .or(drafts.first());
        let before = capturer.and_then(|c| {
            let stirs = self.beliefs.of(from).episodes.iter().rev();
            let (begin, end) = stirs
                .copied()
                .find(|e| e.1 > self.since_ms && e.1 < c.touch_ms - HAND_OVER_MS)?;
            let touch_ms = (begin + STIR_TO_TOUCH_MS).max(self.since_ms + HAND_OVER_MS);
            (touch_ms < end).then_some((touch_ms, (end + BESIDE_MS).min(c.touch_ms)))
        });
        if let Some((touch_ms, release_ms)) = before {
            return Draft {
                touch_ms,
                lift_ms: Some(touch_ms + 150.0),
                release_ms,
                probability: 0.85,
                guessed: true,
                ..self.draft(part, mover, None)
            };
        }
        let (touch_ms, release_ms) =
            capturer.map_or((self.beliefs.of(from).stirred_ms, self.now_ms), |c| {
                let grip = self.dwells.iter().find(|d| {
                    Some(d.hand) == c.hand && (d.to_ms + TIMING.release - c.release_ms).abs() < 1.0
                });
                let put_down = grip
                    .and_then(|d| self.beside_the_board(d, used))
                    .map(|j| self.dwells[j].to_ms + TIMING.release);
                (
                    c.place_ms.unwrap_or(c.release_ms),
                    put_down.unwrap_or(c.release_ms + 300.0),
                )
            });
        Draft {
            touch_ms: touch_ms.max(self.since_ms),
            lift_ms: Some(touch_ms.max(self.since_ms) + 150.0),
            release_ms,
            probability: 0.85,
            guessed: true,
            ..self.draft(part, mover, None)
        }
    }

    /// The next dwell of the same hand outside the board.
    fn beside_the_board(&self, after: &Dwell, used: &Used) -> Option<usize> {
        let next_used = used
            .dwells
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
    fn placement(&self, part: &Part, to: Square, mover: Color, used: &mut Used) -> Draft {
        if let Some(draft) = self.grasped(part, mover, f64::INFINITY, used).pop() {
            return draft;
        }
        let best = (0..self.dwells.len())
            .rev()
            .filter(|i| !used.dwells.contains(i))
            .find(|i| {
                self.near(*i, to, part.piece.role, mover)
                    .is_some_and(|d| d < 0.9)
            });
        let (place_ms, release_ms) = match best {
            Some(j) => {
                used.dwells.push(j);
                (
                    self.dwells[j].from_ms + TIMING.place,
                    self.dwells[j].to_ms + TIMING.release,
                )
            }
            None => {
                let rest = self.beliefs.of(to).moved_ms - self.retreat_ms;
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
            guessed: false,
            resumed: false,
        }
    }
}
