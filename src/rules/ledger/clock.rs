//! The clock: completing a move, and pressing it when there is nothing to complete.

use shakmaty::{Color, Move, Role};

use super::Ledger;
use crate::rules::breach::BreachCode;
use crate::rules::conditions::HalfCastled;
use crate::rules::edition::Clause;
use crate::rules::table::{self, Sanction};
use crate::rules::turn::Illegal;

impl Ledger {
    pub(super) fn clock(&mut self, index: usize, player: Color, other_hand: bool) {
        if player == self.player() {
            self.clock_without_move(index);
            return;
        }
        let edition = self.edition();
        let Some(last) = self.last.as_mut() else {
            return;
        };
        let Some(made) = last.made.as_mut().filter(|m| !m.completed) else {
            return;
        };
        made.completed = true;
        let (event, two_hands) = (made.event, last.two_hands);
        for breach in self.breaches.iter_mut().filter(|b| b.player == player) {
            breach.confirmed = true;
        }
        if two_hands && table::TWO_HANDS.at(edition) == Sanction::Illegal {
            let clause = Clause::TwoHandsCompleted;
            self.record(BreachCode::TwoHands, clause, player, Some(event), index);
        }
        if other_hand && table::CLOCK_HAND.at(edition) != Sanction::None {
            let code = BreachCode::ClockOtherHand;
            self.record(code, Clause::ClockHand, player, None, index);
        }
    }

    /// The clock is pressed although no move was made.
    fn clock_without_move(&mut self, index: usize) {
        let edition = self.edition();
        let player = self.player();
        let clause = match (self.turn.illegal, self.turn.released.as_mut()) {
            (Some(illegal), _) if !illegal.completed => illegal.clause,
            (_, Some(r)) if r.clause == Clause::ReleaseCastling => {
                if self.rules.points.half_castled == HalfCastled::Review {
                    self.turn.half_castled = true;
                    return;
                }
                Clause::IllegalMove
            }
            (_, Some(r))
                if r.clause == Clause::ReleasePromotion && self.turn.new_piece.is_none() =>
            {
                if table::PAWN_LEFT_IS_QUEEN.at(edition) {
                    let queen = |m: Move| m.promotion() == Some(Role::Queen);
                    let queens = r.moves.and(self.turn.board.select(queen));
                    if !queens.is_empty() {
                        r.moves = queens;
                    }
                }
                Clause::PawnLeft
            }
            (_, Some(r)) if r.clause != Clause::Release => Clause::IllegalMove,
            _ => match table::NOTHING_MOVED.at(edition) {
                Sanction::Illegal => Clause::NothingMoved,
                Sanction::Discretion => {
                    let clause = Clause::NothingMoved;
                    self.record(BreachCode::EmptyPress, clause, player, None, index);
                    return;
                }
                Sanction::None => return,
            },
        };
        self.record(BreachCode::Illegal, clause, player, None, index);
        self.turn.restore();
        self.turn.illegal = Some(Illegal {
            event: index,
            clause,
            completed: true,
        });
    }
}
