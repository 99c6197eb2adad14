//! A position with the moves that the Laws allow in it, and sets of those moves.

use arrayvec::ArrayVec;
use shakmaty::uci::UciMove;
use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Chess, Color, File, Move, MoveList, Position, Rank, Role,
    Square,
};

/// Moves in UCI notation, without a heap.
pub type Moves = ArrayVec<UciMove, 256>;

/// Whose piece was touched, seen from the toucher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    Own,
    Enemy,
}

/// A set of a board's legal moves, by their places in [`Board::legal`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct MoveSet([u64; 4]);

impl MoveSet {
    pub const fn is_empty(&self) -> bool {
        matches!(self.0, [0, 0, 0, 0])
    }

    pub fn len(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    pub fn insert(&mut self, index: usize) {
        if let Some(word) = self.0.get_mut(index / 64) {
            *word |= 1 << (index % 64);
        }
    }

    pub fn contains(&self, index: usize) -> bool {
        self.0
            .get(index / 64)
            .is_some_and(|w| w & (1 << (index % 64)) != 0)
    }

    fn zip(self, other: Self, join: impl Fn(u64, u64) -> u64) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([join(a, e), join(b, f), join(c, g), join(d, h)])
    }

    pub fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    pub fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    pub fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }
}

/// A position with its legal moves, and who touches.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    pub position: Chess,
    pub player: Color,
    pub mode: CastlingMode,
    /// Sorted by their UCI text; empty where the player is not on move.
    pub legal: MoveList,
}

impl Board {
    /// The player need not be on move; then there are no legal moves.
    pub fn new(position: Chess, player: Color) -> Self {
        let mode = position.castles().mode();
        let mut legal = if position.turn() == player {
            position.legal_moves()
        } else {
            MoveList::new()
        };
        legal.sort_unstable_by_key(|m| text_order(uci(*m, mode)));
        Self {
            position,
            player,
            mode,
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

    pub fn uci(&self, m: Move) -> UciMove {
        uci(m, self.mode)
    }

    /// The legal move that is written so.
    pub fn legal_move(&self, wanted: UciMove) -> Option<Move> {
        self.legal.iter().copied().find(|m| self.uci(*m) == wanted)
    }

    pub fn index_of(&self, wanted: Move) -> Option<usize> {
        self.legal.iter().position(|m| *m == wanted)
    }

    pub fn select(&self, wanted: impl Fn(Move) -> bool) -> MoveSet {
        let mut set = MoveSet::default();
        for (index, m) in self.legal.iter().enumerate() {
            if wanted(*m) {
                set.insert(index);
            }
        }
        set
    }

    pub fn all(&self) -> MoveSet {
        self.select(|_| true)
    }

    pub fn only(&self, wanted: Move) -> MoveSet {
        self.select(|m| m == wanted)
    }

    /// Moves of the pieces on these squares; castling is the king's.
    pub fn moving(&self, squares: Bitboard) -> MoveSet {
        self.select(|m| from_square(m).is_some_and(|s| squares.contains(s)))
    }

    /// Moves that capture a piece on one of these squares.
    pub fn capturing(&self, squares: Bitboard) -> MoveSet {
        self.select(|m| victim(m).is_some_and(|s| squares.contains(s)))
    }

    /// Moves of the piece on a square to a square, castling excepted.
    pub fn between(&self, from: Square, to: Square) -> MoveSet {
        self.select(|m| !m.is_castle() && from_square(m) == Some(from) && m.to() == to)
    }

    /// The legal castling move on a side.
    pub fn castling(&self, side: CastlingSide) -> Option<Move> {
        self.legal
            .iter()
            .copied()
            .find(|m| m.castling_side() == Some(side))
    }

    pub fn moves_of(&self, set: MoveSet) -> impl Iterator<Item = Move> + '_ {
        self.legal
            .iter()
            .enumerate()
            .filter(move |(i, _)| set.contains(*i))
            .map(|(_, m)| *m)
    }

    /// The moves of a set, sorted by their text.
    pub fn write(&self, set: MoveSet) -> Moves {
        self.moves_of(set).map(|m| self.uci(m)).collect()
    }

    /// The own king, where it stands as for castling: on its square at the start of the game, which
    /// in Chess960 is known only while a right to castle is left.
    pub fn castling_king(&self) -> Option<Square> {
        let king = self.position.board().king_of(self.player)?;
        let home = match self.mode {
            CastlingMode::Standard => king == Square::from_coords(File::E, self.back_rank()),
            CastlingMode::Chess960 => self.position.castles().has_color(self.player),
        };
        home.then_some(king)
    }

    /// The own rook that castles on a side: the one in the corner; in Chess960 the one that has the
    /// right to.
    pub fn castling_rook(&self, side: CastlingSide) -> Option<Square> {
        if self.mode == CastlingMode::Chess960 {
            return self.position.castles().rook(self.player, side);
        }
        let file = match side {
            CastlingSide::KingSide => File::H,
            CastlingSide::QueenSide => File::A,
        };
        let corner = Square::from_coords(file, self.back_rank());
        let there = self.owner(corner) == Some(Owner::Own) && self.role(corner) == Some(Role::Rook);
        there.then_some(corner)
    }

    fn back_rank(&self) -> Rank {
        self.player.fold_wb(Rank::First, Rank::Eighth)
    }

    /// The side on which a king from its castling square stands as after castling.
    pub fn castled_side(&self, origin: Square, at: Square) -> Option<CastlingSide> {
        let king = self.castling_king()? == origin;
        [CastlingSide::KingSide, CastlingSide::QueenSide]
            .into_iter()
            .find(|side| king && at == side.king_to(self.player))
    }

    /// The rank from which the player's pawns promote.
    pub fn seventh(&self) -> Rank {
        self.player.fold_wb(Rank::Seventh, Rank::Second)
    }
}

/// UCI of a move; castling is the king's move, in Chess960 the king's onto the rook.
fn uci(m: Move, mode: CastlingMode) -> UciMove {
    m.to_uci(mode)
}

/// Orders moves as their UCI texts are ordered.
fn text_order(uci: UciMove) -> u32 {
    let UciMove::Normal {
        from,
        to,
        promotion,
    } = uci
    else {
        return u32::MAX;
    };
    let letter = promotion.map_or(0, |r| u32::from(r.char()));
    let place = |s: Square| u32::from(s.file()) * 8 + u32::from(s.rank());
    (place(from) * 64 + place(to)) * 256 + letter
}

/// The square that a move goes from: the king's when castling.
pub(crate) fn from_square(m: Move) -> Option<Square> {
    m.from()
}

/// The square that a move goes to: the king's when castling.
pub(crate) fn to_square(m: Move) -> Square {
    match (m, m.castling_side()) {
        (Move::Castle { king, .. }, Some(side)) => {
            side.king_to(Color::from_white(king.rank() == Rank::First))
        }
        _ => m.to(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;

    #[test]
    fn moves_are_in_the_order_of_their_texts() {
        for (fen, mode) in [
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                CastlingMode::Standard,
            ),
            ("3r3k/4P3/8/8/8/8/8/K7 w - - 0 1", CastlingMode::Standard),
            (
                "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
                CastlingMode::Chess960,
            ),
        ] {
            let position: Chess = fen.parse::<Fen>().unwrap().into_position(mode).unwrap();
            let board = Board::new(position, Color::White);
            let texts: Vec<String> = board
                .write(board.all())
                .iter()
                .map(|m| m.to_string())
                .collect();
            assert!(texts.is_sorted(), "{texts:?}");
            assert_eq!(texts.len(), board.all().len() as usize);
        }
    }
}
