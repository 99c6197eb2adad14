//! One player's turn as it stands on the table: what is held, moved, taken off and released.
//!
//! [`TurnState`] knows the hands and pieces of one turn; the ledger knows turns and breaches.

use shakmaty::{CastlingSide, Chess, Color, Move, Rank, Role, Square};

use super::breach::EventProblem;
use super::edition::{Clause, Laws};
use super::obligation::{
    Because, Board, Group, Obligation, Owner, TouchLog, by_touches, from_square, king_home,
    rook_home, sorted_uci, to_square, victim,
};

/// An own piece in the hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held {
    /// Where it stood before the move.
    pub origin: Square,
    /// It was lifted while adjusting was announced.
    pub covered: bool,
    /// How many groups had been touched before this piece was taken up.
    pub mark: usize,
}

/// An own piece that was let go on another square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moved {
    pub at: Square,
    pub origin: Square,
    pub mark: usize,
}

/// A piece that is to replace a pawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NewPiece {
    pub square: Square,
    pub role: Role,
    pub released: bool,
}

/// A part of a move that cannot be taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Released {
    pub moves: Vec<Move>,
    pub clause: Clause,
    pub event: usize,
}

/// An illegal move on the board, or a completed one that was put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Illegal {
    pub event: usize,
    pub clause: Clause,
    pub completed: bool,
}

/// A move that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Made {
    pub mv: Move,
    pub event: usize,
    pub completed: bool,
}

/// What the pieces on the table amount to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// No move is made yet.
    Waiting,
    /// This move is made; so much had been touched before its piece was taken up.
    Made(Move, usize),
}

/// One player's turn.
#[derive(Debug, Clone)]
pub(crate) struct TurnState {
    pub board: Board,
    pub log: TouchLog,
    pub held: Vec<Held>,
    pub moved: Vec<Moved>,
    pub taken: Vec<Square>,
    pub pawn_off: Option<(Square, usize)>,
    pub new_piece: Option<NewPiece>,
    pub released: Option<Released>,
    pub illegal: Option<Illegal>,
    /// The clock was pressed with only the king of a castling move in place.
    pub half_castled: bool,
    pub two_hands: bool,
    pub made: Option<Made>,
}

impl TurnState {
    pub fn new(position: Chess, player: Color) -> Self {
        Self {
            board: Board::new(position, player),
            log: TouchLog::default(),
            held: Vec::new(),
            moved: Vec::new(),
            taken: Vec::new(),
            pawn_off: None,
            new_piece: None,
            released: None,
            illegal: None,
            half_castled: false,
            two_hands: false,
            made: None,
        }
    }

    pub fn obligation(&self, laws: &Laws) -> Obligation {
        match &self.released {
            Some(r) => {
                let moves = sorted_uci(&r.moves);
                let because = Because::Released {
                    moves,
                    event: r.event,
                };
                Obligation::new(&r.moves, r.clause, false, because)
            }
            None => by_touches(laws, &self.board, &self.log),
        }
    }

    /// The obligation that a move breaks, if it breaks one. `mark` is how much had been touched
    /// before the moved piece was taken up.
    pub fn broken_by(&self, laws: &Laws, mv: Move, mark: usize) -> Option<Obligation> {
        let wanted = super::obligation::uci(mv);
        if self.released.is_some() {
            let released = self.obligation(laws);
            if !released.allows(wanted) {
                return Some(released);
            }
        }
        let whole = by_touches(laws, &self.board, &self.log);
        if mv.is_castle() && whole.rule == Clause::CastleRookFirst && !whole.allows(wanted) {
            return Some(whole);
        }
        let before = by_touches(laws, &self.board, &self.log.until(mark));
        [before, whole].into_iter().find(|o| !o.allows(wanted))
    }

    /// The origin of the piece that stands on a square now, and whose it is.
    pub fn piece_on(&self, square: Square) -> Option<(Square, Owner)> {
        if let Some(m) = self.moved.iter().find(|m| m.at == square) {
            return Some((m.origin, Owner::Own));
        }
        let owner = self.board.owner(square)?;
        let gone = match owner {
            Owner::Own => self.has_left(square),
            Owner::Enemy => self.taken.contains(&square),
        };
        (!gone).then_some((square, owner))
    }

    fn has_left(&self, origin: Square) -> bool {
        self.held.iter().any(|h| h.origin == origin)
            || self.moved.iter().any(|m| m.origin == origin)
            || self.pawn_off.is_some_and(|(s, _)| s == origin)
    }

    /// Notes a touch, unless a release has already fixed the move.
    pub fn touch(&mut self, event: usize, pieces: Vec<(Square, Owner)>) {
        if self.released.is_none() && !pieces.is_empty() {
            self.log.groups.push(Group { event, pieces });
        }
    }

    /// Takes up an own piece.
    pub fn lift(
        &mut self,
        event: usize,
        square: Square,
        covered: bool,
    ) -> Result<(), EventProblem> {
        let origin = match self.piece_on(square) {
            Some((origin, Owner::Own)) => origin,
            Some((_, Owner::Enemy)) => return Err(EventProblem::NotOwn(square)),
            None => return Err(EventProblem::NoPiece(square)),
        };
        let mark = self.take_up(event, origin, covered);
        self.moved.retain(|m| m.origin != origin);
        self.held.push(Held {
            origin,
            covered,
            mark,
        });
        self.settle_illegal();
        Ok(())
    }

    /// Notes that a piece is taken up; returns how much had been touched before.
    fn take_up(&mut self, event: usize, origin: Square, covered: bool) -> usize {
        let len = self.log.groups.len();
        let piece = vec![(origin, Owner::Own)];
        if self.log.groups.last().is_some_and(|g| g.pieces == piece) {
            return len.saturating_sub(1);
        }
        if !covered {
            self.touch(event, piece);
        }
        len
    }

    /// An illegal move is no longer on the board once its piece is taken up or put back.
    fn settle_illegal(&mut self) {
        if self.moved.is_empty() && self.illegal.is_some_and(|i| !i.completed) {
            self.illegal = None;
        }
    }

    /// Takes a piece off the board.
    pub fn remove(&mut self, event: usize, square: Square) -> Result<(), EventProblem> {
        let enemy_there = self.board.owner(square) == Some(Owner::Enemy);
        if enemy_there && !self.taken.contains(&square) {
            self.touch(event, vec![(square, Owner::Enemy)]);
            self.taken.push(square);
            return Ok(());
        }
        let (origin, owner) = self.piece_on(square).ok_or(EventProblem::NoPiece(square))?;
        let may_promote = self.board.role(origin) == Some(Role::Pawn)
            && origin.rank() == seventh(self.board.player);
        if owner == Owner::Enemy || !may_promote {
            return Err(EventProblem::NotRemovable(square));
        }
        let mark = self.take_up(event, origin, false);
        self.moved.retain(|m| m.origin != origin);
        self.pawn_off = Some((origin, mark));
        Ok(())
    }

    /// Puts back the piece in the hand, else the last one that was put elsewhere.
    pub fn put_back(&mut self) -> Result<(), EventProblem> {
        let gone = self.held.pop().is_some()
            || self.new_piece.take_if(|n| !n.released).is_some()
            || self.moved.pop().is_some()
            || self.pawn_off.take().is_some();
        self.settle_illegal();
        if gone {
            Ok(())
        } else {
            Err(EventProblem::NothingHeld)
        }
    }

    /// A new piece meets the board.
    pub fn place_new(&mut self, laws: &Laws, event: usize, square: Square, role: Role) {
        self.new_piece = Some(NewPiece {
            square,
            role,
            released: false,
        });
        if laws.promotion_final_on_contact {
            self.fix_promotion(event, square, role, Clause::PromotionFinal);
        }
    }

    /// Lets a new piece go.
    pub fn release_new(&mut self, event: usize, square: Square, role: Role) {
        self.new_piece = Some(NewPiece {
            square,
            role,
            released: true,
        });
        self.fix_promotion(event, square, role, Clause::ReleasePromotion);
    }

    fn fix_promotion(&mut self, event: usize, square: Square, role: Role, clause: Clause) {
        let before = self.released.as_ref();
        let moves: Vec<Move> = before
            .map_or(&self.board.legal, |r| &r.moves)
            .iter()
            .copied()
            .filter(|m| m.to() == square && m.promotion() == Some(role))
            .filter(|m| {
                self.promoting_pawn(square)
                    .is_none_or(|p| Some(p) == from_square(*m))
            })
            .collect();
        if !moves.is_empty() {
            self.released = Some(Released {
                moves,
                clause,
                event,
            });
        }
    }

    /// The origin of the pawn that is being promoted on a square, where that is known.
    fn promoting_pawn(&self, square: Square) -> Option<Square> {
        let pawn = |s: &Square| self.board.role(*s) == Some(Role::Pawn);
        self.pawn_off
            .map(|p| p.0)
            .or_else(|| self.moved.iter().find(|m| m.at == square).map(|m| m.origin))
            .or_else(|| self.held.iter().map(|h| h.origin).find(pawn))
    }

    /// Which held piece is let go on a square.
    fn choose_held(&self, square: Square) -> Option<usize> {
        let at = |wanted: &dyn Fn(&Held) -> bool| self.held.iter().position(wanted);
        at(&|h| h.origin == square)
            .or_else(|| at(&|h| self.castles_to(h.origin, square)))
            .or_else(|| at(&|h| !self.moves_between(h.origin, square).is_empty()))
            .or_else(|| self.held.len().checked_sub(1))
    }

    /// Whether a square is the place of this king or rook after castling that is under way.
    fn castles_to(&self, origin: Square, square: Square) -> bool {
        let player = self.board.player;
        [CastlingSide::KingSide, CastlingSide::QueenSide]
            .into_iter()
            .any(|side| {
                let king = origin == king_home(player) && square == side.king_to(player);
                let rook = origin == rook_home(player, side) && square == side.rook_to(player);
                let under_way = self.held.len() > 1 || !self.moved.is_empty();
                (king || rook) && under_way && self.board.castling(side).is_some()
            })
    }

    /// Legal moves of a piece to a square, castling excepted.
    pub fn moves_between(&self, from: Square, to: Square) -> Vec<Move> {
        let wanted = |m: &Move| !m.is_castle() && from_square(*m) == Some(from) && m.to() == to;
        self.board.legal.iter().copied().filter(wanted).collect()
    }

    /// Lets the held piece go on a square.
    pub fn release(&mut self, event: usize, square: Square) -> Result<(), EventProblem> {
        let Some(held) = self.choose_held(square).map(|i| self.held.remove(i)) else {
            return self.release_standing(event, square);
        };
        if held.origin == square {
            return Ok(());
        }
        if held.covered {
            self.touch(event, vec![(held.origin, Owner::Own)]);
        }
        self.moved.push(Moved {
            at: square,
            origin: held.origin,
            mark: held.mark,
        });
        Ok(())
    }

    /// The hand leaves a piece that it had not lifted, or a new piece.
    fn release_standing(&mut self, event: usize, square: Square) -> Result<(), EventProblem> {
        if let Some(new) = self.new_piece.filter(|n| n.square == square) {
            self.release_new(event, square, new.role);
            return Ok(());
        }
        self.piece_on(square)
            .map(|_| ())
            .ok_or(EventProblem::NothingHeld)
    }

    /// Looks at the table after a release or a removal.
    pub fn progress(&mut self, event: usize) -> Progress {
        if let Some(new) = self.new_piece {
            return self.promotion_progress(event, new);
        }
        match self.moved.as_slice() {
            [] => Progress::Waiting,
            [one] => self.single_progress(event, *one),
            [a, b] => match self.castling_of(*a, *b) {
                Some(castle) => Progress::Made(castle, self.castling_mark(*a, *b)),
                None => self.mark_illegal(event),
            },
            _ => self.mark_illegal(event),
        }
    }

    /// Before the piece of the two that was taken up first.
    fn castling_mark(&self, a: Moved, b: Moved) -> usize {
        a.mark.min(b.mark)
    }

    fn castling_of(&self, a: Moved, b: Moved) -> Option<Move> {
        let player = self.board.player;
        [CastlingSide::KingSide, CastlingSide::QueenSide]
            .into_iter()
            .find_map(|side| {
                let king = |m: Moved| m.origin == king_home(player) && m.at == side.king_to(player);
                let rook =
                    |m: Moved| m.origin == rook_home(player, side) && m.at == side.rook_to(player);
                let both = (king(a) && rook(b)) || (king(b) && rook(a));
                self.board.castling(side).filter(|_| both)
            })
    }

    fn single_progress(&mut self, event: usize, one: Moved) -> Progress {
        if let Some(side) = self.castled_king(one) {
            return match self.board.castling(side) {
                Some(castle) => self.fix(event, vec![castle], Clause::ReleaseCastling),
                None => {
                    self.log.castling_failed = true;
                    self.mark_illegal(event)
                }
            };
        }
        let king_in_hand = self
            .held
            .iter()
            .any(|h| h.origin == king_home(self.board.player));
        if king_in_hand && self.castles_to(one.origin, one.at) {
            return Progress::Waiting;
        }
        let moves = self.moves_between(one.origin, one.at);
        let Some(first) = moves.first().copied() else {
            return self.mark_illegal(event);
        };
        if first.promotion().is_some() {
            return self.fix(event, moves, Clause::ReleasePromotion);
        }
        if victim(first).is_some_and(|v| !self.taken.contains(&v)) {
            return self.fix(event, moves, Clause::ReleaseCapture);
        }
        Progress::Made(first, one.mark)
    }

    /// The side on which a king stands two squares from home, as after castling.
    fn castled_king(&self, one: Moved) -> Option<CastlingSide> {
        let player = self.board.player;
        let king =
            one.origin == king_home(player) && self.board.role(one.origin) == Some(Role::King);
        [CastlingSide::KingSide, CastlingSide::QueenSide]
            .into_iter()
            .find(|side| king && one.at == side.king_to(player))
    }

    fn promotion_progress(&mut self, event: usize, new: NewPiece) -> Progress {
        let Some(released) = self.released.clone() else {
            return self.mark_illegal_if(event, new.released);
        };
        let pawn = self.promoting_pawn(new.square);
        let mark = self.pawn_off.map(|p| p.1);
        let mark = mark.or_else(|| self.moved.first().map(|m| m.mark));
        let mark = mark.or_else(|| self.held.first().map(|h| h.mark));
        let done = released.moves.iter().copied().find(|m| {
            let off = pawn.is_some() && pawn == from_square(*m);
            off && to_square(*m) == new.square
                && m.promotion() == Some(new.role)
                && victim(*m).is_none_or(|v| self.taken.contains(&v))
        });
        match done {
            Some(mv) if new.released => Progress::Made(mv, mark.unwrap_or(self.log.groups.len())),
            _ => Progress::Waiting,
        }
    }

    /// Fixes a part of a move, unless a part was fixed before.
    fn fix(&mut self, event: usize, moves: Vec<Move>, clause: Clause) -> Progress {
        if self.released.is_none() {
            self.released = Some(Released {
                moves,
                clause,
                event,
            });
        }
        Progress::Waiting
    }

    fn mark_illegal_if(&mut self, event: usize, illegal: bool) -> Progress {
        if illegal {
            self.mark_illegal(event)
        } else {
            Progress::Waiting
        }
    }

    /// An illegal move stands on the board.
    pub fn mark_illegal(&mut self, event: usize) -> Progress {
        self.illegal = Some(Illegal {
            event,
            clause: Clause::IllegalMove,
            completed: false,
        });
        Progress::Waiting
    }

    /// Puts all pieces back to where they stood; touches and what a release fixed remain.
    pub fn restore(&mut self) {
        self.held.clear();
        self.moved.clear();
        self.taken.clear();
        self.pawn_off = None;
        self.new_piece = None;
        self.made = None;
    }
}

/// The rank from which a player's pawns promote.
fn seventh(player: Color) -> Rank {
    player.fold_wb(Rank::Seventh, Rank::Second)
}
