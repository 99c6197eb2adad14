//! Out of step, and back: what is done when the board does not show the game any more. Moves that
//! were taken back, a result shown by the kings, a position set up again, and gaps in what was seen.

use super::*;
use crate::{
    events::{bridge::bridge, ending::Kings},
    record::{OutOfStep, StepEnd, TakeBack},
};

/// What disagrees with the game for so long in plain view, with hands away, is out of step,
/// milliseconds.
const LOST_MS: f64 = 6000.0;
/// Moves are taken back when the earlier position has stood for so long without hands,
/// milliseconds.
const TAKEN_BACK_MS: f64 = 1500.0;
/// Kings in the centre must stand for so long without hands, milliseconds: less than an illegal
/// move, which a first king there would be.
const SIGN_MS: f64 = 1200.0;
/// Most moves that are taken back at once.
const MOST_TAKEN_BACK: usize = 6;
/// Out of step, a way back is looked for this often, milliseconds.
const SEARCH_MS: f64 = 2000.0;

/// The board does not show the game, and nothing explains it yet.
#[derive(Debug, Clone)]
pub(super) struct Astray {
    from_ms: f64,
    squares: Vec<Square>,
    searched_ms: f64,
}

impl Astray {
    /// The same for the record, with how it ended.
    pub(super) fn spell(&self, end: Option<(f64, StepEnd)>) -> OutOfStep {
        OutOfStep {
            from_ms: self.from_ms.max(0.0),
            to_ms: end.map(|e| e.0),
            squares: self.squares.iter().map(ToString::to_string).collect(),
            end: end.map(|e| e.1),
        }
    }
}

impl Engine {
    /// Squares that disagree with the game since something stirred in them in this turn.
    pub(super) fn astray_squares(&self) -> Vec<Square> {
        mismatches(&self.beliefs, self.position.board())
            .into_iter()
            .filter(|s| self.is_news(*s) && self.beliefs.of(*s).looks >= 2)
            .collect()
    }

    /// No hand has been over the board and nothing new has come into question for so long.
    fn quiet_for(&self, ms: f64) -> bool {
        self.now_ms - self.hands_seen_ms >= ms && self.now_ms - self.suspect_ms >= ms
    }

    /// Looks for what is no move: a result shown, moves taken back. Tells whether there was any.
    pub(super) fn no_moves(&mut self) -> bool {
        if self.quiet_for(SIGN_MS)
            && let Some(kings) = Kings::seen(&self.beliefs, self.position.board())
        {
            self.show_result(kings);
            return true;
        }
        if self.quiet_for(TAKEN_BACK_MS)
            && let Some(count) = self.went_back()
        {
            self.take_back(count);
            return true;
        }
        false
    }

    /// The kings say how the game ended. A king that was put there first may have been taken for an
    /// illegal move.
    fn show_result(&mut self, kings: Kings) {
        let last = self.played.last();
        let by_king = last.is_some_and(|done| {
            let to = done.row.uci.get(2..4).and_then(|s| s.parse().ok());
            let from = done.row.uci.get(0..2).and_then(|s| s.parse().ok());
            let king = from.and_then(|s: Square| done.before.board().role_at(s));
            !done.row.legal && king == Some(shakmaty::Role::King) && to.is_some_and(|s| kings.on(s))
        });
        let mut since_ms = self.suspect_ms;
        if by_king
            && self.played.len() > self.floor
            && let Some(done) = self.played.pop()
        {
            since_ms = done.row.made_ms;
            self.position = done.before;
        }
        self.end_spell(StepEnd::Result);
        self.sign = Some(kings.sign(since_ms.max(0.0)));
        self.over_ms = since_ms;
        self.suspects.clear();
    }

    /// How many of the last moves the board shows taken back: it stands as it did before them, and
    /// no move leads there as well.
    fn went_back(&self) -> Option<usize> {
        let open = mismatches(&self.beliefs, self.position.board());
        let stirred = |s: &Square| self.is_fresh(*s) && self.beliefs.of(*s).looks >= 2;
        if open.is_empty() || !open.iter().all(stirred) {
            return None;
        }
        let shown = |count: &usize| {
            let earlier = self.played.get(self.played.len() - count);
            earlier.is_some_and(|done| {
                let board = done.before.board();
                let differ = |s: &Square| board.piece_at(*s) != self.position.board().piece_at(*s);
                Square::ALL
                    .iter()
                    .filter(|s| differ(s))
                    .all(|s| self.beliefs.of(*s).in_view())
                    && mismatches(&self.beliefs, board).is_empty()
            })
        };
        let most = MOST_TAKEN_BACK.min(self.played.len().saturating_sub(self.floor));
        // Several moves back to where the game began, it is rather set up for another one.
        (1..=most)
            .find(shown)
            .filter(|count| *count <= 2 || *count < self.played.len())
    }

    /// The last moves never were, but what hands did in them binds: their contacts belong to the
    /// turn that begins anew. That an illegal move was played stays said.
    fn take_back(&mut self, count: usize) {
        let back_ms = self.suspect_ms.min(self.now_ms);
        let after = self.position.clone();
        let mut contacts: Vec<Draft> = Vec::new();
        let mut before = after.clone();
        for _ in 0..count {
            let Some(done) = self.played.pop() else {
                break;
            };
            let illegal = done.incidents.iter().filter(|i| i.kind == "illegal_move");
            let of = |i: &Incident| {
                i.contact
                    .and_then(|c| done.contacts.get(c as usize))
                    .cloned()
            };
            self.kept.extend(illegal.map(|i| (i.clone(), of(i))));
            self.take_backs.push(TakeBack {
                uci: done.row.uci,
                san: done.row.san,
                made_ms: done.row.made_ms,
                ms: back_ms,
            });
            // More than one: which of them bind whom is not known.
            let bind = if count == 1 {
                &mut contacts
            } else {
                &mut self.stray_contacts
            };
            bind.extend(done.contacts);
            before = done.before;
        }
        if count == 1 {
            let mover = before.turn();
            let parts = differences(&after, &before, mover);
            let held = self.held(self.turn.since_ms);
            let scene = self.scene(&held, self.turn.since_ms);
            let (returned, _) = scene.carried_out(&parts, mover, &Used::default());
            contacts.extend(returned);
        }
        self.end_spell(StepEnd::TakenBack);
        self.position = before.clone();
        self.last = None;
        self.misread.clear();
        self.turn = Turn {
            contacts,
            ..Turn::new(before, self.now_ms)
        };
        self.suspects.clear();
    }

    /// Ends a time out of step, if there is one.
    pub(super) fn end_spell(&mut self, end: StepEnd) -> bool {
        let Some(astray) = self.astray.take() else {
            return false;
        };
        self.spells.push(astray.spell(Some((self.now_ms, end))));
        true
    }

    /// Notes when the board has not shown the game for long, and looks for a way back.
    pub(super) fn keep_step(&mut self) {
        if self.suspects.is_empty() && self.astray.is_none() {
            return;
        }
        let open = self.astray_squares();
        if open.is_empty() {
            let seen = |a: &Astray| a.squares.iter().all(|s| self.beliefs.of(*s).in_view());
            if self.astray.as_ref().is_some_and(seen) {
                self.end_spell(StepEnd::PutRight);
            }
            return;
        }
        if !self.quiet_for(LOST_MS) {
            return;
        }
        let now_ms = self.now_ms;
        let first = open.iter().map(|s| self.beliefs.of(*s).stirred_ms);
        let from_ms = first.fold(now_ms, f64::min).max(self.turn.since_ms);
        let astray = self.astray.get_or_insert(Astray {
            from_ms,
            squares: open.clone(),
            searched_ms: f64::NEG_INFINITY,
        });
        astray.squares = open;
        if now_ms - astray.searched_ms < SEARCH_MS {
            return;
        }
        astray.searched_ms = now_ms;
        if self.is_set_up_again() {
            self.end_spell(StepEnd::SetUpAgain);
            self.over_ms = from_ms;
            self.suspects.clear();
            return;
        }
        let Some(found) = bridge(&self.beliefs, &self.position) else {
            return;
        };
        let moves: Vec<Move> = found.iter().map(|(m, _)| *m).collect();
        let sure = found.iter().map(|(_, p)| *p).fold(1.0, f64::min);
        let first = self.played.len();
        self.commit(&moves, sure);
        for (done, (_, share)) in self.played.iter_mut().skip(first).zip(&found) {
            done.row.probability = Some((share * 1000.0).round() / 1000.0);
        }
    }

    /// The position from which the game began stands again.
    fn is_set_up_again(&self) -> bool {
        let first = self.played.get(self.floor);
        first.is_some_and(|done| mismatches(&self.beliefs, done.before.board()).is_empty())
    }
}
