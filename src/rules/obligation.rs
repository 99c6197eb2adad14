//! From touches to obligations: which legal moves the player may still choose, and by which clause.

use shakmaty::uci::UciMove;
use shakmaty::{
    CastlingMode, CastlingSide, Chess, Color, File, Move, Position, Rank, Role, Square,
};

use super::edition::{Clause, Laws};

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
        squares: Vec<Square>,
        /// The event that created the obligation.
        event: usize,
    },
    /// A piece was released, or a new piece has touched its square.
    Released {
        /// The moves that were left by it.
        moves: Vec<UciMove>,
        /// The event that created the obligation.
        event: usize,
    },
}

/// The moves that the player may still choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obligation {
    /// All of them, sorted by their UCI text.
    pub moves: Vec<UciMove>,
    /// How far the player is bound.
    pub mode: Mode,
    /// The clause that says so.
    pub rule: Clause,
    /// What it rests on.
    pub because: Because,
}

impl Obligation {
    /// Whether a move would fulfil it.
    pub fn allows(&self, uci: UciMove) -> bool {
        self.moves.contains(&uci)
    }

    /// The event that created it, if one did.
    pub const fn cause(&self) -> Option<usize> {
        match self.because {
            Because::Nothing => None,
            Because::Touched { event, .. } | Because::Released { event, .. } => Some(event),
        }
    }

    pub(crate) fn new(moves: &[Move], rule: Clause, free: bool, because: Because) -> Self {
        let mode = match (free, moves.len()) {
            (true, _) => Mode::Free,
            (false, 1) => Mode::Forced,
            (false, _) => Mode::Set,
        };
        Self {
            moves: sorted_uci(moves),
            mode,
            rule,
            because,
        }
    }
}

/// UCI of a legal move of standard chess; castling is the king's move.
pub(crate) fn uci(m: Move) -> UciMove {
    m.to_uci(CastlingMode::Standard)
}

/// UCI of moves, sorted by their text.
pub(crate) fn sorted_uci(moves: &[Move]) -> Vec<UciMove> {
    let mut list: Vec<UciMove> = moves.iter().map(|m| uci(*m)).collect();
    list.sort_by_cached_key(UciMove::to_string);
    list
}

/// The legal move that is written so.
pub(crate) fn legal_move(legal: &[Move], wanted: UciMove) -> Option<Move> {
    legal.iter().copied().find(|m| uci(*m) == wanted)
}

/// The square that a move goes from: the king's when castling.
pub(crate) fn from_square(m: Move) -> Option<Square> {
    m.from()
}

/// The square that a move goes to: the king's when castling.
pub(crate) fn to_square(m: Move) -> Square {
    uci(m).to().unwrap_or_else(|| m.to())
}

/// Where the piece stands that a move captures.
pub(crate) fn victim(m: Move) -> Option<Square> {
    match m {
        Move::Normal {
            capture: Some(_),
            to,
            ..
        } => Some(to),
        Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
        _ => None,
    }
}

/// The corner where a side's castling rook stands at the start.
pub(crate) fn rook_home(player: Color, side: CastlingSide) -> Square {
    let file = match side {
        CastlingSide::KingSide => File::H,
        CastlingSide::QueenSide => File::A,
    };
    Square::from_coords(file, home_rank(player))
}

/// Where the king stands at the start.
pub(crate) fn king_home(player: Color) -> Square {
    Square::from_coords(File::E, home_rank(player))
}

fn home_rank(player: Color) -> Rank {
    player.fold_wb(Rank::First, Rank::Eighth)
}

/// Whose piece was touched, seen from the toucher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    Own,
    Enemy,
}

/// Touches whose order among themselves is not established.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// The event that it came from.
    pub event: usize,
    /// Where the pieces stood before the move.
    pub pieces: Vec<(Square, Owner)>,
}

impl Group {
    fn squares(&self, owner: Owner) -> impl Iterator<Item = Square> + '_ {
        self.pieces
            .iter()
            .filter(move |(_, o)| *o == owner)
            .map(|(s, _)| *s)
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
    /// The first group with a piece of that owner.
    fn first(&self, owner: Owner) -> Option<(usize, &Group)> {
        self.groups
            .iter()
            .enumerate()
            .find(|(_, g)| g.squares(owner).next().is_some())
    }

    fn index_of(&self, square: Square) -> Option<usize> {
        self.groups
            .iter()
            .position(|g| g.pieces.contains(&(square, Owner::Own)))
    }

    /// The log as it was before its `len`th group.
    pub fn until(&self, len: usize) -> Self {
        let groups = self.groups.iter().take(len).cloned().collect();
        Self {
            groups,
            castling_failed: self.castling_failed,
        }
    }
}

/// A position with the moves that the Laws allow in it, and who touches.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    pub position: Chess,
    pub player: Color,
    pub legal: Vec<Move>,
}

impl Board {
    /// The player need not be on move; then there are no legal moves.
    pub fn new(position: Chess, player: Color) -> Self {
        let legal = if position.turn() == player {
            position.legal_moves().to_vec()
        } else {
            Vec::new()
        };
        Self {
            position,
            player,
            legal,
        }
    }

    /// Whose piece stands on a square.
    pub fn owner(&self, square: Square) -> Option<Owner> {
        let color = self.position.board().color_at(square)?;
        Some(if color == self.player {
            Owner::Own
        } else {
            Owner::Enemy
        })
    }

    /// What stands on a square.
    pub fn role(&self, square: Square) -> Option<Role> {
        self.position.board().role_at(square)
    }

    fn select(&self, wanted: impl Fn(Move) -> bool) -> Vec<Move> {
        self.legal.iter().copied().filter(|m| wanted(*m)).collect()
    }

    fn moving_any(&self, squares: &[Square]) -> Vec<Move> {
        self.select(|m| from_square(m).is_some_and(|s| squares.contains(&s)))
    }

    fn capturing_any(&self, squares: &[Square]) -> Vec<Move> {
        self.select(|m| victim(m).is_some_and(|s| squares.contains(&s)))
    }

    /// The legal castling move on a side.
    pub fn castling(&self, side: CastlingSide) -> Option<Move> {
        self.legal
            .iter()
            .copied()
            .find(|m| m.castling_side() == Some(side))
    }
}

/// What follows from the touches alone, by the first clause that applies.
pub(crate) fn by_touches(laws: &Laws, board: &Board, log: &TouchLog) -> Obligation {
    let found = match (log.first(Owner::Own), log.first(Owner::Enemy)) {
        (None, None) => Some(Obligation::new(
            &board.legal,
            Clause::Free,
            true,
            Because::Nothing,
        )),
        (Some(own), Some(enemy)) => both_colours(board, log, own, enemy),
        (None, Some(_)) => walk(board, log, Clause::Enemy),
        (Some(_), None) => castling_pattern(laws, board, log)
            .or_else(|| king_alone(board, log))
            .or_else(|| walk(board, log, Clause::Own)),
    };
    found.unwrap_or_else(|| free_after(board, log, Clause::NothingMovable))
}

/// Every legal move, although something was touched.
fn free_after(board: &Board, log: &TouchLog, rule: Clause) -> Obligation {
    let because = log
        .groups
        .first()
        .map_or(Because::Nothing, |g| Because::Touched {
            squares: log
                .groups
                .iter()
                .flat_map(|g| g.pieces.iter().map(|p| p.0))
                .collect(),
            event: g.event,
        });
    Obligation::new(&board.legal, rule, true, because)
}

fn bound(moves: &[Move], rule: Clause, squares: &[Square], event: usize) -> Option<Obligation> {
    let because = Because::Touched {
        squares: squares.to_vec(),
        event,
    };
    (!moves.is_empty()).then(|| Obligation::new(moves, rule, false, because))
}

/// First own piece takes first enemy piece; if it cannot, the first piece in order that can.
fn both_colours(
    board: &Board,
    log: &TouchLog,
    (own_at, own): (usize, &Group),
    (enemy_at, enemy): (usize, &Group),
) -> Option<Obligation> {
    let own_squares: Vec<Square> = own.squares(Owner::Own).collect();
    let enemy_squares: Vec<Square> = enemy.squares(Owner::Enemy).collect();
    let mut moves = board.capturing_any(&enemy_squares);
    moves.retain(|m| from_square(*m).is_some_and(|s| own_squares.contains(&s)));
    let event = if own_at > enemy_at {
        own.event
    } else {
        enemy.event
    };
    let mut squares = own_squares;
    squares.extend(&enemy_squares);
    bound(&moves, Clause::Both, &squares, event).or_else(|| walk(board, log, Clause::Both))
}

/// The first group with a piece that can be moved or captured binds; own pieces before enemy ones.
fn walk(board: &Board, log: &TouchLog, rule: Clause) -> Option<Obligation> {
    log.groups.iter().find_map(|group| {
        [Owner::Own, Owner::Enemy].into_iter().find_map(|owner| {
            let squares: Vec<Square> = group.squares(owner).collect();
            let moves = match owner {
                Owner::Own => board.moving_any(&squares),
                Owner::Enemy => board.capturing_any(&squares),
            };
            bound(&moves, rule, &squares, group.event)
        })
    })
}

/// King and a corner rook touched, and no other piece earlier that can be moved.
fn castling_pattern(laws: &Laws, board: &Board, log: &TouchLog) -> Option<Obligation> {
    let king = king_home(board.player);
    if board.role(king) != Some(Role::King) {
        return None;
    }
    let king_at = log.index_of(king)?;
    let (rook_at, side) = [CastlingSide::KingSide, CastlingSide::QueenSide]
        .into_iter()
        .filter(|side| board.role(rook_home(board.player, *side)) == Some(Role::Rook))
        .filter_map(|side| Some((log.index_of(rook_home(board.player, side))?, side)))
        .min_by_key(|(at, _)| *at)?;
    let rook = rook_home(board.player, side);
    let earlier = log.groups.iter().take(king_at.min(rook_at)).any(|g| {
        let others: Vec<Square> = g.squares(Owner::Own).collect();
        !board.moving_any(&others).is_empty()
    });
    if earlier {
        return None;
    }
    let event = |at: usize| log.groups.get(at).map_or(0, |g| g.event);
    let castle = board.castling(side);
    let king_moves = board.moving_any(&[king]);
    if rook_at < king_at {
        let rule = Clause::CastleRookFirst;
        let others = |m: &Move| Some(*m) != castle;
        return bound(&board.moving_any(&[rook]), rule, &[rook], event(rook_at)).or_else(|| {
            let moves: Vec<Move> = king_moves.into_iter().filter(others).collect();
            bound(&moves, rule, &[king], event(king_at))
        });
    }
    match castle {
        Some(castle) if laws.must_castle => {
            bound(&[castle], Clause::CastleMust, &[king, rook], event(rook_at))
        }
        Some(_) => bound(&king_moves, Clause::Own, &[king], event(king_at)),
        None => Some(illegal_castling(board, log, &king_moves, event(king_at))),
    }
}

/// Another king move; if there is none, any move.
fn illegal_castling(board: &Board, log: &TouchLog, moves: &[Move], event: usize) -> Obligation {
    let king = [king_home(board.player)];
    bound(moves, Clause::CastleIllegal, &king, event)
        .unwrap_or_else(|| free_after(board, log, Clause::CastleIllegal))
}

/// The king was put on a castled square, castling there is illegal, and no rook was touched.
fn king_alone(board: &Board, log: &TouchLog) -> Option<Obligation> {
    let king = king_home(board.player);
    let at = log.index_of(king).filter(|_| log.castling_failed)?;
    let earlier = log.groups.iter().take(at).any(|g| {
        let others: Vec<Square> = g.squares(Owner::Own).collect();
        !board.moving_any(&others).is_empty()
    });
    let event = log.groups.get(at)?.event;
    (!earlier).then(|| illegal_castling(board, log, &board.moving_any(&[king]), event))
}
