//! From touches to obligations: which legal moves the player may still choose, and by which clause.

use arrayvec::ArrayVec;
use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, CastlingSide, Move, Position, Square};

use super::board::{Board, MoveSet, Moves, Owner, from_square};
use super::conditions::{BothRooks, RuleSet};
use super::edition::Clause;
use super::table::{self, RookFirst};

/// Squares in the order in which they were touched, without a heap.
pub type Squares = ArrayVec<Square, 64>;

/// How far the player is bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Any legal move.
    Free,
    /// One of several moves.
    Set,
    /// One move only.
    Forced,
}

/// What an obligation rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Because {
    /// Nothing that binds has happened.
    Nothing,
    /// Pieces were touched that stood on these squares.
    Touched {
        /// The squares that bind, in the order of the touches.
        squares: Squares,
        /// The event that created the obligation.
        event: usize,
    },
    /// A piece was released, or a new piece has touched its square; the moves are what is left.
    Released {
        /// The event that created the obligation.
        event: usize,
    },
}

/// The moves that the player may still choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obligation {
    /// All of them, sorted by their UCI text.
    pub moves: Moves,
    /// How far the player is bound.
    pub mode: Mode,
    /// The clause that says so.
    pub rule: Clause,
    /// What it rests on.
    pub because: Because,
}

impl Obligation {
    /// Whether a move would fulfil it.
    ///
    /// ```
    /// use adoube::rules::{Edition, Ledger};
    /// let mut ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
    /// ledger.apply(&"touch w e2".parse().unwrap()).unwrap();
    /// assert!(ledger.obligation().allows("e2e4".parse().unwrap()));
    /// assert!(!ledger.obligation().allows("d2d4".parse().unwrap()));
    /// ```
    pub fn allows(&self, uci: UciMove) -> bool {
        self.moves.contains(&uci)
    }

    /// The event that created it, if one did.
    ///
    /// ```
    /// use adoube::rules::{Edition, Ledger};
    /// let mut ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
    /// assert_eq!(ledger.obligation().cause(), None);
    /// ledger.apply(&"touch w e2".parse().unwrap()).unwrap();
    /// assert_eq!(ledger.obligation().cause(), Some(0));
    /// ```
    pub const fn cause(&self) -> Option<usize> {
        match self.because {
            Because::Nothing => None,
            Because::Touched { event, .. } | Because::Released { event } => Some(event),
        }
    }
}

/// An obligation as a set of a board's moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bound {
    pub moves: MoveSet,
    pub free: bool,
    pub rule: Clause,
    pub because: Because,
}

impl Bound {
    pub fn allows(&self, board: &Board, mv: Move) -> bool {
        board.index_of(mv).is_some_and(|i| self.moves.contains(i))
    }

    pub fn mode(&self) -> Mode {
        match (self.free, self.moves.len()) {
            (true, _) => Mode::Free,
            (false, 1) => Mode::Forced,
            (false, _) => Mode::Set,
        }
    }

    pub const fn cause(&self) -> Option<usize> {
        match self.because {
            Because::Nothing => None,
            Because::Touched { event, .. } | Because::Released { event } => Some(event),
        }
    }

    pub fn publish(&self, board: &Board) -> Obligation {
        Obligation {
            moves: board.write(self.moves),
            mode: self.mode(),
            rule: self.rule,
            because: self.because.clone(),
        }
    }
}

/// Touches whose order among themselves is not established.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Group {
    /// The event that it came from.
    pub event: usize,
    /// Where the own pieces stood before the move.
    pub own: Bitboard,
    /// Where the enemy pieces stood before the move.
    pub enemy: Bitboard,
    /// The contact was evidently only centring, yet counts.
    pub centring: bool,
    /// The opponent had made his move but not pressed the clock.
    pub before_clock: bool,
}

impl Group {
    pub const fn new(event: usize) -> Self {
        Self {
            event,
            own: Bitboard::EMPTY,
            enemy: Bitboard::EMPTY,
            centring: false,
            before_clock: false,
        }
    }

    pub fn add(&mut self, square: Square, owner: Owner) {
        match owner {
            Owner::Own => self.own.add(square),
            Owner::Enemy => self.enemy.add(square),
        }
    }

    pub fn is_empty(&self) -> bool {
        (self.own | self.enemy).is_empty()
    }

    /// Whether it is one contact with the same pieces.
    pub fn same_pieces(&self, other: &Self) -> bool {
        (self.own, self.enemy) == (other.own, other.enemy)
    }
}

/// What a player touched in one turn, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct TouchLog {
    pub groups: Vec<Group>,
    /// The king was put on a castled square although castling there is illegal.
    pub castling_failed: bool,
}

impl TouchLog {
    pub fn whole(&self) -> View<'_> {
        self.until(self.groups.len())
    }

    /// The log as it was before its `len`th group.
    pub fn until(&self, len: usize) -> View<'_> {
        let whole = View {
            groups: &self.groups,
            castling_failed: self.castling_failed,
        };
        whole.first(len)
    }

    /// The log as it was before an event.
    pub fn before(&self, event: usize) -> View<'_> {
        let len = self.groups.iter().take_while(|g| g.event < event).count();
        self.until(len)
    }
}

/// The first touches of a log.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    pub groups: &'a [Group],
    pub castling_failed: bool,
}

impl View<'_> {
    fn first(self, len: usize) -> Self {
        Self {
            groups: self.groups.get(..len).unwrap_or(self.groups),
            ..self
        }
    }

    fn index_of(&self, square: Square) -> Option<usize> {
        self.groups.iter().position(|g| g.own.contains(square))
    }

    fn event(&self, index: usize) -> usize {
        self.groups.get(index).map_or(0, |g| g.event)
    }

    /// Whether an own piece that can be moved was touched before the `len`th group.
    fn movable_before(&self, board: &Board, len: usize) -> bool {
        let own = self.groups.iter().take(len).map(|g| g.own);
        let own = own.fold(Bitboard::EMPTY, |a, b| a | b);
        own.any() && !board.moving(own).is_empty()
    }
}

/// What follows from the touches alone, by the first clause that applies.
pub(crate) fn by_touches(rules: &RuleSet, board: &Board, log: View<'_>) -> Bound {
    let own = log.groups.iter().position(|g| g.own.any());
    let enemy = log.groups.iter().position(|g| g.enemy.any());
    let found = match (own, enemy) {
        (None, None) => Some(Bound {
            moves: board.all(),
            free: true,
            rule: Clause::Free,
            because: Because::Nothing,
        }),
        (Some(own), Some(enemy)) => both_colours(rules, board, log, own, enemy),
        (None, Some(_)) => walk(board, log, Clause::Enemy),
        (Some(_), None) => castling_pattern(rules, board, log)
            .or_else(|| king_alone(rules, board, log))
            .or_else(|| walk(board, log, Clause::Own)),
    };
    found.unwrap_or_else(|| free_after(board, log, Clause::NothingMovable))
}

fn squares(boards: impl IntoIterator<Item = Bitboard>) -> Squares {
    let mut list = Squares::new();
    for square in boards.into_iter().flatten() {
        if !list.contains(&square) {
            // There are no more than 64 different squares.
            let _ = list.try_push(square);
        }
    }
    list
}

/// Every legal move, although something was touched.
fn free_after(board: &Board, log: View<'_>, rule: Clause) -> Bound {
    let because = log
        .groups
        .first()
        .map_or(Because::Nothing, |g| Because::Touched {
            squares: squares(log.groups.iter().flat_map(|g| [g.own, g.enemy])),
            event: g.event,
        });
    Bound {
        moves: board.all(),
        free: true,
        rule,
        because,
    }
}

fn bound(
    moves: MoveSet,
    rule: Clause,
    pieces: impl IntoIterator<Item = Bitboard>,
    event: usize,
) -> Option<Bound> {
    (!moves.is_empty()).then(|| Bound {
        moves,
        free: false,
        rule,
        because: Because::Touched {
            squares: squares(pieces),
            event,
        },
    })
}

/// First own piece takes first enemy piece; if it cannot, the first piece in order that can. But
/// what king and rook bound to before the first enemy piece was touched goes on to bind: castling in
/// any case, the moves of the king or of a rook touched first where there is no such capture.
fn both_colours(
    rules: &RuleSet,
    board: &Board,
    log: View<'_>,
    own_at: usize,
    enemy_at: usize,
) -> Option<Bound> {
    // Own pieces touched in one instant with the enemy piece count as touched before it.
    let until_enemy = log.first(enemy_at + 1);
    let castling = castling_pattern(rules, board, until_enemy)
        .or_else(|| king_alone(rules, board, until_enemy))
        .filter(|b| !b.free);
    let rule = castling.as_ref().map(|b| b.rule);
    if rule == Some(Clause::CastleMust) {
        return castling;
    }
    let own = match rule {
        // The king was bound, also if others were touched in one instant with it.
        Some(Clause::Own | Clause::CastleIllegal) => board.castling_king()?.into(),
        _ => log.groups.get(own_at)?.own,
    };
    let pair = (own, log.groups.get(enemy_at)?.enemy);
    let moves = if rules.several_by_letter() && !one_of_each(log) {
        MoveSet::default()
    } else {
        board.moving(pair.0).and(board.capturing(pair.1))
    };
    let event = log.event(own_at.max(enemy_at));
    bound(moves, Clause::Both, [pair.0, pair.1], event)
        .or(castling)
        .or_else(|| walk(board, log, Clause::Both))
}

/// One own and one enemy piece were touched.
fn one_of_each(log: View<'_>) -> bool {
    let all = |side: fn(&super::obligation::Group) -> Bitboard| {
        log.groups
            .iter()
            .map(side)
            .fold(Bitboard::EMPTY, |a, b| a | b)
    };
    all(|g| g.own).count() == 1 && all(|g| g.enemy).count() == 1
}

/// The first group with a piece that can be moved or captured binds; own pieces before enemy ones.
fn walk(board: &Board, log: View<'_>, rule: Clause) -> Option<Bound> {
    log.groups.iter().find_map(|group| {
        bound(board.moving(group.own), rule, [group.own], group.event).or_else(|| {
            bound(
                board.capturing(group.enemy),
                rule,
                [group.enemy],
                group.event,
            )
        })
    })
}

/// King and a castling rook touched, and no other piece earlier that can be moved.
fn castling_pattern(rules: &RuleSet, board: &Board, log: View<'_>) -> Option<Bound> {
    let king = board.castling_king()?;
    let king_at = log.index_of(king)?;
    let has_right = |side: &CastlingSide| {
        !rules.points.attempt_needs_right || board.position.castles().has(board.player, *side)
    };
    let mut rooks: ArrayVec<(usize, CastlingSide, Square), 2> =
        [CastlingSide::KingSide, CastlingSide::QueenSide]
            .into_iter()
            .filter(has_right)
            .filter_map(|side| {
                let rook = board.castling_rook(side)?;
                Some((log.index_of(rook)?, side, rook))
            })
            .collect();
    rooks.sort_by_key(|r| r.0);
    let (rook_at, side, rook) = *rooks.first()?;
    if rules.points.earlier_piece_first && log.movable_before(board, king_at.min(rook_at)) {
        return None;
    }
    let (king_bit, rook_bit) = (Bitboard::from(king), Bitboard::from(rook));
    let castle = board.castling(side);
    let king_moves = board.moving(king_bit);
    if rook_at < king_at {
        let rule = Clause::CastleRookFirst;
        let side_moves = castle.map_or(MoveSet::default(), |c| board.only(c));
        let mut rook_moves = board.moving(rook_bit);
        if table::ROOK_FIRST.at(rules.edition) == RookFirst::MayCastle {
            rook_moves = rook_moves.or(side_moves);
        }
        return bound(rook_moves, rule, [rook_bit], log.event(rook_at)).or_else(|| {
            let others = king_moves.without(side_moves);
            // What was touched between the two binds before the king does.
            let between = log.movable_before(board, king_at);
            bound(others, rule, [king_bit], log.event(king_at)).filter(|_| !between)
        });
    }
    let legal: ArrayVec<Move, 2> = match rules.points.both_rooks {
        BothRooks::First => castle.into_iter().collect(),
        BothRooks::Either => rooks.iter().filter_map(|r| board.castling(r.1)).collect(),
    };
    if legal.is_empty() {
        if log.movable_before(board, rook_at) && king_moves.is_empty() {
            // What was touched between the two binds already; the rook does not free of it.
            return None;
        }
        let together = rook_at == king_at;
        return (!together || rules.points.illegal_attempt_binds_king)
            .then(|| illegal_castling(board, log, king, log.event(king_at)));
    }
    if rules.must_castle() {
        let moves = board.select(|m| legal.contains(&m));
        return bound(
            moves,
            Clause::CastleMust,
            [king_bit, rook_bit],
            log.event(rook_at),
        );
    }
    bound(king_moves, Clause::Own, [king_bit], log.event(king_at))
}

/// Another king move; if there is none, any move.
fn illegal_castling(board: &Board, log: View<'_>, king: Square, event: usize) -> Bound {
    let king = Bitboard::from(king);
    bound(board.moving(king), Clause::CastleIllegal, [king], event)
        .unwrap_or_else(|| free_after(board, log, Clause::CastleIllegal))
}

/// The king was put on a castled square, castling there is illegal, and no rook was touched.
fn king_alone(rules: &RuleSet, board: &Board, log: View<'_>) -> Option<Bound> {
    let king = board.castling_king().filter(|_| log.castling_failed)?;
    let at = log.index_of(king)?;
    if rules.points.earlier_piece_first && log.movable_before(board, at) {
        return None;
    }
    Some(illegal_castling(board, log, king, log.event(at)))
}

/// Whether the obligation lets the player choose among own pieces that were touched at once.
pub(crate) fn rests_on_several(board: &Board, bound: &Bound) -> bool {
    let Because::Touched { squares, .. } = &bound.because else {
        return false;
    };
    if bound.free || bound.rule != Clause::Own {
        return false;
    }
    let mut movers = board
        .moves_of(bound.moves)
        .filter_map(from_square)
        .filter(|s| squares.contains(s));
    let first = movers.next();
    movers.any(|s| Some(s) != first)
}
