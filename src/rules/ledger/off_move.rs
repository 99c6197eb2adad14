//! Events of the player who does not have the move: out of turn, or changing the move just made.

use shakmaty::uci::UciMove;
use shakmaty::{Color, Move, Position, Square};

use super::{Ledger, Outcome};
use crate::rules::board::to_square;
use crate::rules::breach::{BreachCode, BreachStatus, EventProblem};
use crate::rules::edition::Clause;
use crate::rules::event::{Event, TouchFlag};
use crate::rules::table;
use crate::rules::turn::{Held, Made, Released};

impl Ledger {
    pub(super) fn off_move(&mut self, index: usize, event: &Event) -> Outcome {
        match event {
            Event::Touch { squares, flag, .. } => {
                self.touch_off_move(index, event.player(), squares, *flag)
            }
            Event::Lift { square, .. } => self.lift_off_move(index, event.player(), *square),
            Event::Release { square, .. } => {
                self.release_off_move(index, Some(*square));
                Ok(())
            }
            Event::Return { .. } => {
                self.release_off_move(index, None);
                Ok(())
            }
            Event::Move { uci, two_hands, .. } => {
                self.move_off_move(index, event.player(), *uci, *two_hands)
            }
            Event::Remove { square, .. } => {
                self.touch_off_move(index, event.player(), &[*square], TouchFlag::Deliberate)
            }
            _ => Ok(()),
        }
    }

    /// Whether the piece on a square is one that the last move has just put there.
    fn just_moved(&self, square: Square) -> bool {
        let Some(mv) = self.last.as_ref().and_then(|l| l.made).map(|m| m.mv) else {
            return false;
        };
        let rook = mv.castling_side().map(|s| s.rook_to(self.player().other()));
        to_square(mv) == square || rook == Some(square)
    }

    fn touch_off_move(
        &mut self,
        index: usize,
        player: Color,
        squares: &[Square],
        flag: TouchFlag,
    ) -> Outcome {
        for square in squares {
            self.turn
                .piece_on(*square)
                .ok_or(EventProblem::NoPiece(*square))?;
        }
        if flag == TouchFlag::Accidental {
            return Ok(());
        }
        if self.adjusts(player) || flag == TouchFlag::Centring {
            self.record(
                BreachCode::AdjustOutOfTurn,
                Clause::Adjust,
                player,
                Some(index),
                index,
            );
        } else if !squares.iter().all(|s| self.just_moved(*s)) {
            self.record(
                BreachCode::TouchByOpponent,
                Clause::Disturbance,
                player,
                Some(index),
                index,
            );
        }
        Ok(())
    }

    fn lift_off_move(&mut self, index: usize, player: Color, square: Square) -> Outcome {
        let held = self.last.as_ref().is_some_and(|l| !l.held.is_empty());
        if !held || self.turn.piece_on(square).is_some() {
            self.touch_off_move(index, player, &[square], TouchFlag::Deliberate)?;
        }
        if let Some(last) = self.last.as_mut().filter(|l| l.board.player == player) {
            // No player has more pieces than there is room for.
            let _ = last.held.try_push(Held {
                origin: square,
                covered: false,
                mark: 0,
            });
        }
        Ok(())
    }

    /// A piece that was taken up again after its move was made is let go (none: where it was).
    fn release_off_move(&mut self, index: usize, square: Option<Square>) {
        let Some(last) = self.last.as_mut() else {
            return;
        };
        let (Some(held), Some(made)) = (last.held.pop(), last.made) else {
            return;
        };
        let Some(square) = square.filter(|s| *s != held.origin) else {
            return;
        };
        let moved_from = if to_square(made.mv) == held.origin {
            made.mv.from()
        } else {
            None
        };
        match moved_from {
            Some(origin) if origin == square => self.withdraw(index),
            Some(origin) => {
                let to = last
                    .board
                    .moves_of(last.board.between(origin, square))
                    .next();
                self.change(index, to);
            }
            None => {
                // A king that follows a rook, as if to castle.
                let castle = last
                    .board
                    .castled_side(held.origin, square)
                    .filter(|side| {
                        let rook = last.board.castling_rook(*side);
                        rook.is_some()
                            && rook == made.mv.from()
                            && made.mv.to() == side.rook_to(last.board.player)
                    })
                    .and_then(|side| last.board.castling(side));
                self.change(index, castle);
            }
        }
    }

    /// A made move was changed into another one, or into something illegal.
    fn change(&mut self, index: usize, to: Option<Move>) {
        self.record_release(index, to);
        self.reopen();
        self.turn.released = None;
        let Some(mv) = to else {
            self.turn.mark_illegal(index);
            return;
        };
        let mut next = self.turn.board.position.clone();
        next.play_unchecked(mv);
        let made = Made {
            mv,
            event: index,
            completed: false,
            clause: Clause::Release,
            before_clock: false,
            several: false,
            replaces: None,
            corrects: false,
        };
        self.pass_turn(next, made);
        let kept = !table::MATE_NEEDS_TOUCH.at(self.edition());
        self.over = kept && self.turn.board.legal.is_empty();
    }

    /// The piece of a made move was put back to where it came from.
    fn withdraw(&mut self, index: usize) {
        let touch_breach = self.recall_touch_breach();
        if !touch_breach {
            self.record_release(index, None);
        }
        self.reopen_bound(!touch_breach);
    }

    fn move_off_move(
        &mut self,
        index: usize,
        player: Color,
        wanted: UciMove,
        two_hands: bool,
    ) -> Outcome {
        let made = self
            .last
            .as_ref()
            .filter(|l| l.board.player == player)
            .and_then(|l| l.made);
        match made.filter(|m| !m.completed) {
            Some(made) if self.uci_of_last(made.mv) == wanted => Ok(()),
            Some(_) => {
                self.reopen_bound(true);
                self.whole_move(index, wanted, two_hands)
            }
            None if self.illegal_is_answered(player) => Ok(()),
            None => {
                self.record(
                    BreachCode::TouchByOpponent,
                    Clause::HasMove,
                    player,
                    Some(index),
                    index,
                );
                Ok(())
            }
        }
    }

    /// UCI of a move of the last turn.
    fn uci_of_last(&self, mv: Move) -> UciMove {
        mv.to_uci(self.turn.board.mode)
    }

    /// The opponent replies to a completed illegal move, and the edition lets it stand then.
    fn illegal_is_answered(&mut self, player: Color) -> bool {
        let completed = self.turn.illegal.is_some_and(|i| i.completed);
        if !completed || !self.rules.illegal_stands() {
            return false;
        }
        self.let_illegal_stand(player);
        self.turn.illegal = None;
        true
    }

    pub(super) fn take_back(&mut self, index: usize, player: Color) -> Outcome {
        if player == self.player() {
            let pending = self.turn.illegal.is_some_and(|i| !i.completed);
            if !pending {
                return Err(EventProblem::NothingToTakeBack);
            }
            self.turn.restore();
            self.turn.illegal = None;
            self.turn.notes.corrected = true;
            return Ok(());
        }
        let made = self
            .last
            .as_ref()
            .and_then(|l| l.made)
            .filter(|m| !m.completed);
        if made.is_none() {
            return Err(EventProblem::NothingToTakeBack);
        }
        if self.used_two_hands() {
            // Asked before the breaches are put right.
            let touch_breach = self.recall_touch_breach();
            self.correct(self.turns.saturating_sub(1), player);
            self.reopen_bound(!touch_breach);
        } else {
            self.withdraw(index);
        }
        Ok(())
    }

    /// The last move is no longer made: its player has the move again.
    pub(super) fn reopen(&mut self) {
        if let Some(mut last) = self.last.take() {
            last.restore();
            last.two_hands = false;
            self.turn = last;
            self.turns = self.turns.saturating_sub(1);
        }
    }

    /// The same, and where `bound` the move that was made is the only one left.
    fn reopen_bound(&mut self, bound: bool) {
        let made = self.last.as_ref().and_then(|l| l.made);
        self.reopen();
        if let Some(made) = made.filter(|_| bound) {
            self.turn.released = Some(Released {
                moves: self.turn.board.only(made.mv),
                clause: Clause::Release,
                event: made.event,
            });
        }
    }

    /// The made move of the last turn was changed (none: only withdrawn).
    fn record_release(&mut self, index: usize, to: Option<Move>) {
        let Some((made, player)) = self
            .last
            .as_ref()
            .and_then(|l| Some((l.made?, l.board.player)))
        else {
            return;
        };
        let cause = Some(made.event);
        self.record(BreachCode::Release, Clause::Release, player, cause, index);
        let played = to.map(|m| self.uci_of_last(m));
        let obliged = self.uci_of_last(made.mv);
        if let Some(breach) = self.breaches.last_mut() {
            breach.turn = breach.turn.saturating_sub(1);
            breach.played = played;
            breach.obliged = vec![obliged];
        }
    }

    /// Marks a player's breaches of a turn as put right.
    pub(super) fn correct(&mut self, turn: usize, player: Color) {
        for breach in &mut self.breaches {
            let open = matches!(breach.status, BreachStatus::Open | BreachStatus::Upheld);
            let standing = open && breach.turn == turn && breach.player == player;
            if standing && (breach.code.touch_rules() || breach.code == BreachCode::TwoHands) {
                breach.status = BreachStatus::Corrected;
            }
        }
    }

    /// A move that broke the touch rules is taken back: the breach is put right, and the touched
    /// piece binds as before. Whether there was such a breach.
    fn recall_touch_breach(&mut self) -> bool {
        let turn = self.turns.saturating_sub(1);
        let found = self
            .breaches
            .iter()
            .any(|b| b.turn == turn && b.status == BreachStatus::Open && b.code.touch_rules());
        if found {
            self.correct(turn, self.player().other());
        }
        found
    }
}
