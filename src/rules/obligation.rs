//! Which moves a player may still choose after what was touched (Article 4.3 to 4.5).

use shakmaty::{CastlingMode, CastlingSide, Chess, Move, Position, Role, Square};

use super::edition::{Edition, Point};

/// One deliberate touch of a piece that stands on the board before the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    /// Where the piece stands.
    pub square: Square,
    /// Touches with the same number came in an order that is not known.
    pub group: u32,
}

impl Touch {
    /// A touch whose place in the order is its place in the list.
    #[must_use]
    pub fn on(square: Square) -> Self {
        Self {
            square,
            group: u32::MAX,
        }
    }
}

/// The moves still open, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Obligation {
    /// Legal moves that fulfil it; all legal moves when nothing binds.
    pub moves: Vec<Move>,
    /// The point of law, and the square whose touch binds; `None` when the player is free.
    pub because: Option<(Point, Square)>,
    edition: Edition,
}

impl Obligation {
    /// The moves as UCI, sorted.
    #[must_use]
    pub fn uci(&self) -> Vec<String> {
        let mut moves: Vec<String> = self.moves.iter().map(uci).collect();
        moves.sort();
        moves
    }

    /// The article that binds.
    #[must_use]
    pub fn article(&self) -> Option<&'static str> {
        self.because.map(|(point, _)| self.edition.article(point))
    }

    /// Whether a move fulfils it.
    #[must_use]
    pub fn allows(&self, played: &Move) -> bool {
        self.moves.contains(played)
    }
}

/// UCI of a move, castling as the king's move of two squares.
#[must_use]
pub fn uci(m: &Move) -> String {
    m.to_uci(CastlingMode::Standard).to_string()
}

/// What the touches bind the player to move to, the first touch first.
///
/// Touches of squares without a piece are ignored. Where the order of an own and an enemy piece
/// is not known, the own piece counts as touched first.
#[must_use]
pub fn obligation(edition: Edition, position: &Chess, touches: &[Touch]) -> Obligation {
    let legal: Vec<Move> = position.legal_moves().into_iter().collect();
    let ordered = in_order(position, touches);
    let is_own = |s: &Square| position.board().color_at(*s) == Some(position.turn());
    let own: Vec<Square> = ordered.iter().copied().filter(is_own).collect();
    let enemy: Vec<Square> = ordered.iter().copied().filter(|s| !is_own(s)).collect();
    let (moves, because) = match (own.first(), enemy.first()) {
        (None, None) => (legal, None),
        (Some(&a), Some(&t)) => both(&legal, position, &ordered, a, t),
        (None, Some(_)) => first_of(&enemy, |t| captures_of(&legal, t))
            .map_or((legal.clone(), None), |(s, m)| (m, Some((Point::Enemy, s)))),
        (Some(_), None) => castling(&legal, position, &own).unwrap_or_else(|| {
            first_of(&own, |s| moves_from(&legal, s))
                .map_or((legal.clone(), None), |(s, m)| (m, Some((Point::Own, s))))
        }),
    };
    Obligation {
        moves,
        because,
        edition,
    }
}

/// Touched squares with a piece on them, each once, in the order that counts.
fn in_order(position: &Chess, touches: &[Touch]) -> Vec<Square> {
    let turn = position.turn();
    let mut rows: Vec<(usize, bool, Square)> = Vec::new();
    for (index, touch) in touches.iter().enumerate() {
        let Some(color) = position.board().color_at(touch.square) else {
            continue;
        };
        // Members of one group share the place of its first member; own pieces before enemy ones.
        let place = if touch.group == u32::MAX {
            index
        } else {
            touches
                .iter()
                .position(|t| t.group == touch.group)
                .unwrap_or(index)
        };
        if !rows.iter().any(|r| r.2 == touch.square) {
            rows.push((place, color != turn, touch.square));
        }
    }
    rows.sort_by_key(|r| (r.0, r.1));
    rows.into_iter().map(|r| r.2).collect()
}

pub(super) fn moves_from(legal: &[Move], square: Square) -> Vec<Move> {
    legal
        .iter()
        .copied()
        .filter(|m| m.from() == Some(square))
        .collect()
}

/// Moves that take the man on `square`; en passant takes one that does not stand on the target.
pub(super) fn captures_of(legal: &[Move], square: Square) -> Vec<Move> {
    legal
        .iter()
        .copied()
        .filter(|m| captured_square(m) == Some(square))
        .collect()
}

/// Where the man stands that a move takes.
#[must_use]
pub(super) fn captured_square(m: &Move) -> Option<Square> {
    match *m {
        Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
        Move::Castle { .. } => None,
        _ => m.is_capture().then(|| m.to()),
    }
}

fn first_of(
    squares: &[Square],
    moves: impl Fn(Square) -> Vec<Move>,
) -> Option<(Square, Vec<Move>)> {
    squares
        .iter()
        .map(|s| (*s, moves(*s)))
        .find(|(_, m)| !m.is_empty())
}

type Bound = (Vec<Move>, Option<(Point, Square)>);

/// 4.3.3: the first own piece takes the first enemy piece, or else the first that can.
fn both(legal: &[Move], position: &Chess, ordered: &[Square], own: Square, enemy: Square) -> Bound {
    let taking: Vec<Move> = captures_of(legal, enemy)
        .into_iter()
        .filter(|m| m.from() == Some(own))
        .collect();
    if !taking.is_empty() {
        return (taking, Some((Point::Both, own)));
    }
    let is_own = |s: Square| position.board().color_at(s) == Some(position.turn());
    let moves = |s: Square| {
        if is_own(s) {
            moves_from(legal, s)
        } else {
            captures_of(legal, s)
        }
    };
    first_of(ordered, moves).map_or((legal.to_vec(), None), |(s, m)| (m, Some((Point::Both, s))))
}

/// 4.4: king on its home square and a rook in its corner, unless a man that can move came first.
fn castling(legal: &[Move], position: &Chess, own: &[Square]) -> Option<Bound> {
    let board = position.board();
    let home = position.turn().fold_wb(Square::E1, Square::E8);
    let is_corner = |s: &Square| {
        s.rank() == home.rank()
            && [Square::A1.file(), Square::H1.file()].contains(&s.file())
            && board.role_at(*s) == Some(Role::Rook)
    };
    let king = own
        .iter()
        .position(|s| *s == home && board.role_at(*s) == Some(Role::King))?;
    let (rook_place, rook) = own
        .iter()
        .copied()
        .enumerate()
        .find(|(_, s)| is_corner(s))?;
    let earlier_binds = own
        .iter()
        .take(king.min(rook_place))
        .any(|s| !moves_from(legal, *s).is_empty());
    if earlier_binds {
        return None;
    }
    let side = if rook.file() > home.file() {
        CastlingSide::KingSide
    } else {
        CastlingSide::QueenSide
    };
    let castle: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|m| m.castling_side() == Some(side))
        .collect();
    let without = |moves: Vec<Move>| -> Vec<Move> {
        moves.into_iter().filter(|m| !castle.contains(m)).collect()
    };
    let king_moves = moves_from(legal, home);
    Some(if rook_place < king {
        let rook_moves = moves_from(legal, rook);
        let others = without(king_moves);
        let moves = match (rook_moves.is_empty(), others.is_empty()) {
            (false, _) => rook_moves,
            (true, false) => others,
            (true, true) => without(legal.to_vec()),
        };
        (moves, Some((Point::RookFirst, rook)))
    } else if !castle.is_empty() {
        (castle, Some((Point::CastleMust, home)))
    } else if king_moves.is_empty() {
        (legal.to_vec(), None)
    } else {
        (king_moves, Some((Point::CastleIllegal, home)))
    })
}
