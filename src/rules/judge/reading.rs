//! One player's events read in order into touches, pieces let go and pieces put on.

use shakmaty::{Move, Role, Square};

use super::TimedEvent;
use crate::rules::board::{Board, Owner, from_square, to_square};
use crate::rules::event::{Event, TouchFlag};
use crate::rules::obligation::{Group, TouchLog};

/// An own piece that was let go away from its origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drop {
    /// Index of the release.
    pub event: usize,
    pub origin: Square,
    pub at: Square,
}

/// The turn's events read in order.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub log: TouchLog,
    /// Where own pieces stand that were moved: (now, origin).
    pub moved: Vec<(Square, Square)>,
    /// Own pieces in the hand: (origin, contact).
    pub held: Vec<(Square, Option<u32>)>,
    /// Enemy pieces off the board.
    pub taken: Vec<Square>,
    pub drops: Vec<Drop>,
    /// New pieces that met the board: (event, square, piece).
    pub placed: Vec<(usize, Square, Role)>,
}

impl Reading {
    fn origin(&self, square: Square) -> Square {
        self.moved
            .iter()
            .find(|m| m.0 == square)
            .map_or(square, |m| m.1)
    }

    fn touch(&mut self, board: &Board, event: usize, squares: &[Square]) {
        let owned = |s: &Square| {
            let origin = self.origin(*s);
            board.owner(origin).map(|o| (origin, o))
        };
        let mut group = Group::new(event);
        for (origin, owner) in squares.iter().filter_map(owned) {
            group.add(origin, owner);
        }
        self.note(group);
    }

    /// Takes one event of the mover.
    pub fn take(&mut self, board: &Board, index: usize, timed: &TimedEvent, covered: bool) {
        let (event, contact) = (&timed.event, timed.contact);
        match event {
            Event::Touch { squares, flag, .. } if !covered && *flag != TouchFlag::Accidental => {
                self.touch(board, index, squares);
            }
            Event::Lift { square, .. } => {
                let origin = self.origin(*square);
                if !covered {
                    self.touch(board, index, &[*square]);
                }
                self.moved.retain(|m| m.1 != origin);
                self.held.push((origin, contact));
            }
            Event::Remove { square, .. } => {
                if board.owner(*square) == Some(Owner::Enemy) && !self.taken.contains(square) {
                    self.taken.push(*square);
                    self.touch_removed(index, *square);
                } else {
                    self.touch(board, index, &[*square]);
                    self.moved.retain(|m| m.0 != *square);
                }
            }
            Event::Place {
                square,
                promotion: Some(role),
                ..
            }
            | Event::Release {
                square,
                promotion: Some(role),
                ..
            } => self.placed.push((index, *square, *role)),
            Event::Release { square, .. } => self.release(board, index, *square, contact),
            Event::Return { .. } => {
                self.held.pop();
            }
            _ => {}
        }
    }

    fn touch_removed(&mut self, event: usize, square: Square) {
        let mut group = Group::new(event);
        group.add(square, Owner::Enemy);
        self.note(group);
    }

    fn note(&mut self, group: Group) {
        let again = self
            .log
            .groups
            .last()
            .is_some_and(|g| g.same_pieces(&group));
        if !group.is_empty() && !again {
            self.log.groups.push(group);
        }
    }

    /// A held piece is let go: the one of this contact, else one that castles to there, else one
    /// that can get there, else the one taken up last.
    fn release(&mut self, board: &Board, index: usize, square: Square, contact: Option<u32>) {
        let castles = |origin: Square| {
            let rook = |m: &Move| {
                m.castling_side().is_some_and(|s| {
                    Some(origin) == board.castling_rook(s) && square == s.rook_to(board.player)
                })
            };
            let king = |m: &Move| m.from() == Some(origin) && to_square(*m) == square;
            board
                .legal
                .iter()
                .any(|m| m.is_castle() && (rook(m) || king(m)))
        };
        let moves = |origin: Square| {
            board
                .legal
                .iter()
                .any(|m| from_square(*m) == Some(origin) && to_square(*m) == square)
        };
        let find = |wanted: &dyn Fn(Square, Option<u32>) -> bool| {
            self.held.iter().position(|(origin, c)| wanted(*origin, *c))
        };
        let at = find(&|_, c| c.is_some() && c == contact)
            .or_else(|| find(&|o, _| o == square))
            .or_else(|| find(&|o, _| castles(o)))
            .or_else(|| find(&|o, _| moves(o)))
            .or_else(|| self.held.len().checked_sub(1));
        let Some(at) = at else { return };
        let (origin, _) = self.held.remove(at);
        if origin != square {
            self.moved.push((square, origin));
            self.drops.push(Drop {
                event: index,
                origin,
                at: square,
            });
        }
    }
}
