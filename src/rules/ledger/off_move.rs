//! Events of the player who does not have the move: out of turn, or changing the move just made.

use shakmaty::uci::UciMove;
use shakmaty::{Color, Move, Position, Square};

use super::{Ledger, Outcome};
use crate::rules::breach::{BreachCode, EventProblem};
use crate::rules::edition::Clause;
use crate::rules::event::{Event, TouchFlag};
use crate::rules::obligation::{king_home, to_square, uci};
use crate::rules::turn::{Held, Made, Released, TurnState};

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
        if self.adjusting.contains(&player) || flag == TouchFlag::Centring {
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
            last.held.push(Held {
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
        let player = last.board.player;
        let moved_from = if to_square(made.mv) == held.origin {
            made.mv.from()
        } else {
            None
        };
        match moved_from {
            Some(origin) if origin == square => self.withdraw(index),
            Some(origin) => {
                let to = last.moves_between(origin, square).first().copied();
                self.change(index, to);
            }
            None => {
                let castle = last.board.legal.iter().copied().find(|m| {
                    let side = m.castling_side();
                    let rook = side.map(|s| (m.to(), s.rook_to(player)));
                    held.origin == king_home(player)
                        && side.map(|s| s.king_to(player)) == Some(square)
                        && rook == made.mv.from().map(|f| (f, made.mv.to()))
                });
                self.change(index, castle);
            }
        }
    }

    /// A made move was changed into another one, or into something illegal.
    fn change(&mut self, index: usize, to: Option<Move>) {
        self.record_release(index, to);
        self.reopen();
        self.turn.released = None;
        match to {
            Some(mv) => {
                let mut next = self.turn.board.position.clone();
                next.play_unchecked(mv);
                let opponent = next.turn();
                let mut made = std::mem::replace(&mut self.turn, TurnState::new(next, opponent));
                made.made = Some(Made {
                    mv,
                    event: index,
                    completed: false,
                });
                self.last = Some(made);
                self.turns += 1;
            }
            None => {
                self.turn.mark_illegal(index);
            }
        }
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
            Some(made) if uci(made.mv) == wanted => Ok(()),
            Some(_) => {
                self.reopen_bound(true);
                self.whole_move(index, wanted, two_hands)
            }
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

    pub(super) fn take_back(&mut self, index: usize, player: Color) -> Outcome {
        if player == self.player() {
            let pending = self.turn.illegal.is_some_and(|i| !i.completed);
            if !pending {
                return Err(EventProblem::NothingToTakeBack);
            }
            self.turn.restore();
            self.turn.illegal = None;
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
            self.correct(self.turns.saturating_sub(1), player);
            let touch_breach = self.recall_touch_breach();
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
            let clause = Clause::Release;
            self.turn.released = Some(Released {
                moves: vec![made.mv],
                clause,
                event: made.event,
            });
        }
    }
}
