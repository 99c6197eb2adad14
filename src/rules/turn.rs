//! One player's turn as it stands on the table: what is held, moved, taken off and released.
//!
//! [`TurnState`] knows the hands and pieces of one turn; the ledger knows turns and breaches.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, CastlingSide, Chess, Color, Move, Role, Square};

use super::board::{Board, MoveSet, Owner, from_square, to_square, victim};
use super::breach::EventProblem;
use super::conditions::RuleSet;
use super::edition::Clause;
use super::obligation::{Because, Bound, Group, TouchLog, by_touches};
use super::table;

/// An own piece in the hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held {
    /// Where it stood before the move.
    pub origin: Square,
    /// Its lift was no touch: adjusting was announced, or the player did not have the move yet.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Released {
    pub moves: MoveSet,
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
    /// The clause that decided what could be played, just before the move was made.
    pub clause: Clause,
    /// What bound had been touched before the opponent pressed his clock.
    pub before_clock: bool,
    /// Own pieces were touched at once, and the move is by one of them.
    pub several: bool,
    /// The clause under which an illegal move was completed that it replaces.
    pub replaces: Option<Clause>,
    /// It replaces an illegal move that was put right before the clock was pressed.
    pub corrects: bool,
}

/// What was seen in a turn and bound nothing, or bound by a clause of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Notes {
    /// Pieces were touched while adjusting was announced.
    pub adjusted: bool,
    /// A contact was accidental.
    pub accident: bool,
    /// A contact was accidental before anything else was touched.
    pub accident_first: bool,
    /// A contact was evidently only centring and did not count.
    pub centred: bool,
    /// A piece was touched before the opponent had completed his move, which did not count.
    pub early: bool,
    /// An illegal move was put right before the clock.
    pub corrected: bool,
    /// An upheld claim was not complied with.
    pub refused: bool,
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
    pub held: ArrayVec<Held, 32>,
    pub moved: ArrayVec<Moved, 32>,
    pub taken: Bitboard,
    pub pawn_off: Option<(Square, usize)>,
    pub new_piece: Option<NewPiece>,
    pub released: Option<Released>,
    /// What was released before that.
    pub released_before: Option<Released>,
    pub illegal: Option<Illegal>,
    /// The clock was pressed with only the king of a castling move in place.
    pub half_castled: bool,
    pub two_hands: bool,
    pub made: Option<Made>,
    pub notes: Notes,
    /// The clause that decided when the obligation was last asked for in this turn.
    pub asked: Option<Clause>,
}

impl TurnState {
    pub fn new(position: Chess, player: Color) -> Self {
        Self::reusing(position, player, Vec::new())
    }

    /// A new turn whose touch log lives where an old one lived.
    pub fn reusing(position: Chess, player: Color, mut groups: Vec<Group>) -> Self {
        groups.clear();
        let log = TouchLog {
            groups,
            castling_failed: false,
        };
        Self {
            board: Board::new(position, player),
            log,
            held: ArrayVec::new(),
            moved: ArrayVec::new(),
            taken: Bitboard::EMPTY,
            pawn_off: None,
            new_piece: None,
            released: None,
            released_before: None,
            illegal: None,
            half_castled: false,
            two_hands: false,
            made: None,
            notes: Notes::default(),
            asked: None,
        }
    }

    pub fn obligation(&self, rules: &RuleSet) -> Bound {
        match self.released {
            Some(r) => released_bound(r),
            None => by_touches(rules, &self.board, self.log.whole()),
        }
    }

    /// What the touches alone leave.
    pub fn by_touches(&self, rules: &RuleSet) -> Bound {
        by_touches(rules, &self.board, self.log.whole())
    }

    /// What bound just before an event.
    pub fn obligation_before(&self, rules: &RuleSet, event: usize) -> Bound {
        let earlier = [self.released, self.released_before];
        match earlier.into_iter().flatten().find(|r| r.event < event) {
            Some(r) => released_bound(r),
            None => by_touches(rules, &self.board, self.log.before(event)),
        }
    }

    /// The obligation that a move breaks, if it breaks one. `mark` is how much had been touched
    /// before the moved piece was taken up.
    pub fn broken_by(&self, rules: &RuleSet, mv: Move, mark: usize) -> Option<Bound> {
        let board = &self.board;
        if let Some(released) = self.released.map(released_bound)
            && !released.allows(board, mv)
        {
            return Some(released);
        }
        let whole = by_touches(rules, board, self.log.whole());
        // Castling is by two pieces: what was touched before one of them says nothing by itself.
        if mv.is_castle() {
            return (!whole.allows(board, mv)).then_some(whole);
        }
        let before = by_touches(rules, board, self.log.until(mark));
        [before, whole].into_iter().find(|o| !o.allows(board, mv))
    }

    /// The origin of the piece that stands on a square now, and whose it is.
    pub fn piece_on(&self, square: Square) -> Option<(Square, Owner)> {
        if let Some(m) = self.moved.iter().find(|m| m.at == square) {
            return Some((m.origin, Owner::Own));
        }
        let owner = self.board.owner(square)?;
        let gone = match owner {
            Owner::Own => self.has_left(square),
            Owner::Enemy => self.taken.contains(square),
        };
        (!gone).then_some((square, owner))
    }

    fn has_left(&self, origin: Square) -> bool {
        self.held.iter().any(|h| h.origin == origin)
            || self.moved.iter().any(|m| m.origin == origin)
            || self.pawn_off.is_some_and(|(s, _)| s == origin)
    }

    /// Notes a touch, unless a release has already fixed the move.
    pub fn touch(&mut self, group: Group) {
        if self.released.is_none() && !group.is_empty() {
            self.log.groups.push(group);
        }
    }

    /// Notes a touch of one piece.
    pub fn touch_one(&mut self, mut group: Group, square: Square, owner: Owner) {
        group.add(square, owner);
        self.touch(group);
    }

    /// Takes up an own piece. `group` is the empty touch of this event.
    pub fn lift(
        &mut self,
        group: Group,
        square: Square,
        covered: bool,
    ) -> Result<(), EventProblem> {
        let origin = match self.piece_on(square) {
            Some((origin, Owner::Own)) => origin,
            Some((_, Owner::Enemy)) => return Err(EventProblem::NotOwn(square)),
            None => return Err(EventProblem::NoPiece(square)),
        };
        let mark = self.take_up(group, origin, covered);
        self.moved.retain(|m| m.origin != origin);
        let held = Held {
            origin,
            covered,
            mark,
        };
        // No player has more pieces than there is room for.
        let _ = self.held.try_push(held);
        self.settle_illegal();
        Ok(())
    }

    /// Notes that a piece is taken up; returns how much had been touched before.
    fn take_up(&mut self, mut group: Group, origin: Square, covered: bool) -> usize {
        let len = self.log.groups.len();
        group.add(origin, Owner::Own);
        if self
            .log
            .groups
            .last()
            .is_some_and(|g| g.same_pieces(&group))
        {
            return len.saturating_sub(1);
        }
        if !covered {
            self.touch(group);
        }
        len
    }

    /// An illegal move is no longer on the board once its piece is taken up or put back.
    fn settle_illegal(&mut self) {
        if self.moved.is_empty() && self.illegal.is_some_and(|i| !i.completed) {
            self.illegal = None;
            self.notes.corrected = true;
        }
    }

    /// Takes a piece off the board.
    pub fn remove(
        &mut self,
        group: Group,
        square: Square,
        covered: bool,
    ) -> Result<(), EventProblem> {
        let enemy_there = self.board.owner(square) == Some(Owner::Enemy);
        if enemy_there && !self.taken.contains(square) {
            if !covered {
                self.touch_one(group, square, Owner::Enemy);
            }
            self.taken.add(square);
            return Ok(());
        }
        let (origin, owner) = self.piece_on(square).ok_or(EventProblem::NoPiece(square))?;
        let may_promote =
            self.board.role(origin) == Some(Role::Pawn) && origin.rank() == self.board.seventh();
        if owner == Owner::Enemy || !may_promote {
            return Err(EventProblem::NotRemovable(square));
        }
        let mark = self.take_up(group, origin, covered);
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
    pub fn place_new(&mut self, rules: &RuleSet, event: usize, square: Square, role: Role) {
        self.new_piece = Some(NewPiece {
            square,
            role,
            released: false,
        });
        if table::PROMOTION_FINAL.at(rules.edition) {
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
        let pawn = self.promoting_pawn(square);
        let fits = self.board.select(|m| {
            m.to() == square
                && m.promotion() == Some(role)
                && pawn.is_none_or(|p| Some(p) == from_square(m))
        });
        let moves = self.released.map_or(fits, |r| r.moves.and(fits));
        if !moves.is_empty() {
            self.released_before = self.released.or(self.released_before);
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
        // In Chess960 a castled square may be where the other piece came from.
        at(&|h| self.castles_to(h.origin, square))
            .or_else(|| at(&|h| h.origin == square))
            .or_else(|| at(&|h| !self.board.between(h.origin, square).is_empty()))
            .or_else(|| self.held.len().checked_sub(1))
    }

    /// Whether a square is the place of this king or rook after castling that is under way.
    fn castles_to(&self, origin: Square, square: Square) -> bool {
        let player = self.board.player;
        let under_way = self.held.len() > 1 || !self.moved.is_empty();
        under_way
            && SIDES.into_iter().any(|side| {
                let king = Some(origin) == self.board.castling_king();
                let rook = Some(origin) == self.board.castling_rook(side);
                let there = (king && square == side.king_to(player))
                    || (rook && square == side.rook_to(player));
                there && self.board.castling(side).is_some()
            })
    }

    /// Lets the held piece go on a square.
    pub fn release(&mut self, group: Group, square: Square) -> Result<(), EventProblem> {
        let Some(held) = self.choose_held(square).and_then(|i| self.held.pop_at(i)) else {
            return self.release_standing(group.event, square);
        };
        if held.origin == square {
            return Ok(());
        }
        if held.covered {
            self.touch_one(group, held.origin, Owner::Own);
        }
        let _ = self.moved.try_push(Moved {
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
        if let Some(new) = self.new_piece
            && self.only_promotes(new.square)
        {
            return self.promotion_progress(event, new);
        }
        match self.moved.as_slice() {
            [] => Progress::Waiting,
            [one] => self.single_progress(event, *one),
            [a, b] => match self.castling_of(*a, *b) {
                // All touches judge it: which of the two was taken up first does not matter.
                Some(castle) => Progress::Made(castle, a.mark),
                None => self.mark_illegal(event),
            },
            _ => self.mark_illegal(event),
        }
    }

    /// Whether nothing was moved but the pawn that a new piece on this square may replace.
    fn only_promotes(&self, square: Square) -> bool {
        let pawn = |m: &Moved| self.board.role(m.origin) == Some(Role::Pawn) && m.at == square;
        self.moved.iter().all(pawn)
    }

    fn castling_of(&self, a: Moved, b: Moved) -> Option<Move> {
        SIDES.into_iter().find_map(|side| {
            let both = (self.is_castled_king(a, side) && self.is_castled_rook(b, side))
                || (self.is_castled_king(b, side) && self.is_castled_rook(a, side));
            self.board.castling(side).filter(|_| both)
        })
    }

    fn is_castled_king(&self, one: Moved, side: CastlingSide) -> bool {
        Some(one.origin) == self.board.castling_king() && one.at == side.king_to(self.board.player)
    }

    fn is_castled_rook(&self, one: Moved, side: CastlingSide) -> bool {
        Some(one.origin) == self.board.castling_rook(side)
            && one.at == side.rook_to(self.board.player)
    }

    /// The castling move of which this is all that moves: in Chess960 the other piece may stand on
    /// its square already.
    fn castling_by_one(&self, one: Moved) -> Option<Move> {
        let board = &self.board;
        SIDES.into_iter().find_map(|side| {
            let (king, rook) = (board.castling_king()?, board.castling_rook(side)?);
            let touched = |s: Square| self.log.groups.iter().any(|g| g.own.contains(s));
            let by_king = self.is_castled_king(one, side)
                && rook == side.rook_to(board.player)
                && (board.between(king, one.at).is_empty() || touched(rook));
            let by_rook = self.is_castled_rook(one, side)
                && king == side.king_to(board.player)
                && touched(king);
            board.castling(side).filter(|_| by_king || by_rook)
        })
    }

    /// Whether the king on this square is on its way to castling: no king move goes there, or the
    /// rook was touched too (Chess960 has kings that can simply step to their castled square).
    fn attempts_castling(&self, one: Moved) -> Option<CastlingSide> {
        let side = self.board.castled_side(one.origin, one.at)?;
        let rook = self.board.castling_rook(side);
        let rook_touched = rook.is_some_and(|r| self.log.groups.iter().any(|g| g.own.contains(r)));
        (rook_touched || self.board.between(one.origin, one.at).is_empty()).then_some(side)
    }

    fn single_progress(&mut self, event: usize, one: Moved) -> Progress {
        if let Some(castle) = self.castling_by_one(one) {
            return Progress::Made(castle, one.mark);
        }
        let moves = self.board.between(one.origin, one.at);
        if let Some(side) = self.attempts_castling(one) {
            match self.board.castling(side) {
                Some(castle) => {
                    let only = self.board.only(castle);
                    return self.fix(event, only, Clause::ReleaseCastling);
                }
                None if moves.is_empty() => {
                    self.log.castling_failed = true;
                    return self.mark_illegal(event);
                }
                None => {}
            }
        }
        let king = self.board.castling_king();
        let king_in_hand = self.held.iter().any(|h| Some(h.origin) == king);
        if king_in_hand && self.castles_to(one.origin, one.at) {
            return Progress::Waiting;
        }
        let Some(first) = self.board.moves_of(moves).next() else {
            return self.mark_illegal(event);
        };
        if first.promotion().is_some() {
            return self.fix(event, moves, Clause::ReleasePromotion);
        }
        if victim(first).is_some_and(|v| !self.taken.contains(v)) {
            return self.fix(event, moves, Clause::ReleaseCapture);
        }
        Progress::Made(first, one.mark)
    }

    fn promotion_progress(&mut self, event: usize, new: NewPiece) -> Progress {
        if self.released.is_none() {
            return self.mark_illegal_if(event, new.released);
        }
        let pawn = self.promoting_pawn(new.square);
        let mark = self.pawn_off.map(|p| p.1);
        let mark = mark.or_else(|| self.moved.first().map(|m| m.mark));
        let mark = mark.or_else(|| self.held.first().map(|h| h.mark));
        // Not only what is left of the moves: a choice that is changed makes a move, too.
        let done = self.board.legal.iter().copied().find(|m| {
            let off = pawn.is_some() && pawn == from_square(*m);
            off && to_square(*m) == new.square
                && m.promotion() == Some(new.role)
                && victim(*m).is_none_or(|v| self.taken.contains(v))
        });
        match done {
            Some(mv) if new.released => Progress::Made(mv, mark.unwrap_or(self.log.groups.len())),
            _ => Progress::Waiting,
        }
    }

    /// Fixes a part of a move, unless a part was fixed before.
    fn fix(&mut self, event: usize, moves: MoveSet, clause: Clause) -> Progress {
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
        self.taken = Bitboard::EMPTY;
        self.pawn_off = None;
        self.new_piece = None;
        self.made = None;
    }
}

const SIDES: [CastlingSide; 2] = [CastlingSide::KingSide, CastlingSide::QueenSide];

const fn released_bound(r: Released) -> Bound {
    Bound {
        moves: r.moves,
        free: false,
        rule: r.clause,
        because: Because::Released { event: r.event },
    }
}
