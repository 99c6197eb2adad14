//! Positions from any FEN, of standard chess or Chess960, with errors that say where.

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::{CastlingMode, Chess, Position, PositionError, PositionErrorKinds};
use thiserror::Error;

/// A FEN that is no position, with the place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("column {column}: {problem}, found {found:?}")]
pub struct FenError {
    /// Byte offset in the text, from 0.
    pub column: usize,
    /// The field that stands there; empty at the end.
    pub found: String,
    /// What is wrong.
    pub problem: FenProblem,
}

/// What is wrong with a FEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FenProblem {
    /// Too many fields.
    #[error("unexpected field")]
    Extra,
    /// The pieces.
    #[error("not a board")]
    Board,
    /// Whose turn.
    #[error("expected the player, w or b")]
    Turn,
    /// The castling rights.
    #[error("not castling rights")]
    Castling,
    /// The en passant square.
    #[error("not an en passant square")]
    EnPassant,
    /// The count of half-moves.
    #[error("not a count of half-moves")]
    HalfMoves,
    /// The number of the move.
    #[error("not a move number")]
    MoveNumber,
    /// A player has no king, or more than one.
    #[error("each player needs one king")]
    Kings,
    /// A pawn on the first or last rank.
    #[error("a pawn stands on the first or last rank")]
    PawnRank,
    /// The player who is not on move is in check.
    #[error("the player who is not on move is in check")]
    OppositeCheck,
    /// Castling rights without king and rook on their squares.
    #[error("castling rights without king and rook in place")]
    CastlingRights,
    /// An en passant square that no pawn has just crossed.
    #[error("no pawn has just crossed the en passant square")]
    EnPassantSquare,
    /// Something else that the rules of chess exclude.
    #[error("the position is not possible")]
    Impossible,
}

impl FenProblem {
    /// The field of a FEN that it is about.
    const fn field(self) -> usize {
        match self {
            Self::Board | Self::Kings | Self::PawnRank | Self::Impossible => 0,
            Self::Turn | Self::OppositeCheck => 1,
            Self::Castling | Self::CastlingRights => 2,
            Self::EnPassant | Self::EnPassantSquare => 3,
            Self::HalfMoves => 4,
            Self::MoveNumber => 5,
            Self::Extra => 6,
        }
    }

    const fn of_text(error: &ParseFenError) -> Self {
        match error {
            ParseFenError::InvalidBoard | ParseFenError::InvalidPocket => Self::Board,
            ParseFenError::InvalidTurn => Self::Turn,
            ParseFenError::InvalidCastling => Self::Castling,
            ParseFenError::InvalidEpSquare => Self::EnPassant,
            ParseFenError::InvalidHalfmoveClock => Self::HalfMoves,
            ParseFenError::InvalidFullmoves => Self::MoveNumber,
            ParseFenError::InvalidFen | ParseFenError::InvalidRemainingChecks => Self::Extra,
        }
    }

    fn of_position(kinds: PositionErrorKinds) -> Self {
        use PositionErrorKinds as K;
        let order = [
            (
                K::EMPTY_BOARD | K::MISSING_KING | K::TOO_MANY_KINGS,
                Self::Kings,
            ),
            (K::PAWNS_ON_BACKRANK, Self::PawnRank),
            (K::OPPOSITE_CHECK, Self::OppositeCheck),
            (K::INVALID_CASTLING_RIGHTS, Self::CastlingRights),
            (K::INVALID_EP_SQUARE, Self::EnPassantSquare),
        ];
        order
            .into_iter()
            .find(|(k, _)| kinds.intersects(*k))
            .map_or(Self::Impossible, |(_, problem)| problem)
    }
}

/// Reads a position. Standard chess where the castling rights allow it, else Chess960. Positions
/// that no game can reach (too many pieces, impossible checks) are taken: diagrams have them.
///
/// # Errors
/// The first field that makes it no position, with its place.
///
/// ```
/// use adoube::rules::{FenProblem, parse_fen};
/// assert!(parse_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").is_ok());
/// let error = parse_fen("4k3/8/8/8/8/8/8/4K3 x - - 0 1").unwrap_err();
/// assert_eq!((error.column, error.problem), (20, FenProblem::Turn));
/// ```
pub fn parse_fen(text: &str) -> Result<Chess, FenError> {
    let fail = |problem: FenProblem| {
        let mut fields = text.split(' ').scan(0, |at, field| {
            let start = *at;
            *at += field.len() + 1;
            Some((start, field))
        });
        let (column, found) = fields.nth(problem.field()).unwrap_or((text.len(), ""));
        FenError {
            column,
            found: found.to_owned(),
            problem,
        }
    };
    if text.trim().is_empty() {
        return Err(fail(FenProblem::Board));
    }
    let fen: Fen = text.parse().map_err(|e| fail(FenProblem::of_text(&e)))?;
    let setup = fen.into_setup();
    let mode = CastlingMode::detect(&setup);
    setup
        .position::<Chess>(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|e| fail(FenProblem::of_position(e.kinds())))
        .and_then(|position| {
            // A list of moves has room for every position that pieces of a game can make.
            if position.us().count() > 16 || position.them().count() > 16 {
                Err(fail(FenProblem::Impossible))
            } else {
                Ok(position)
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_field() {
        let cases = [
            ("", 0, FenProblem::Board),
            ("4k3/8/8/8/8/8/8/8 w - - 0 1", 0, FenProblem::Kings),
            ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", 0, FenProblem::PawnRank),
            (
                "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
                22,
                FenProblem::OppositeCheck,
            ),
            (
                "4k3/8/8/8/8/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1",
                0,
                FenProblem::Impossible,
            ),
            (
                "4k3/pppppppp/pppppppp/8/8/8/8/4K3 w - - 0 1",
                0,
                FenProblem::Impossible,
            ),
            ("4k3/8/8/8/8/8/8/4K3 w x - 0 1", 22, FenProblem::Castling),
            (
                "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
                22,
                FenProblem::CastlingRights,
            ),
            ("4k3/8/8/8/8/8/8/4K3 w - z9 0 1", 24, FenProblem::EnPassant),
            (
                "4k3/8/8/8/8/8/8/4K3 w - d6 0 1",
                24,
                FenProblem::EnPassantSquare,
            ),
            ("4k3/8/8/8/8/8/8/4K3 w - - x 1", 26, FenProblem::HalfMoves),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 x", 28, FenProblem::MoveNumber),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 y", 30, FenProblem::Extra),
        ];
        for (text, column, problem) in cases {
            let error = parse_fen(text).unwrap_err();
            assert_eq!((error.column, error.problem), (column, problem), "{text}");
        }
    }

    #[test]
    fn both_kinds_of_castling_are_read() {
        let mode = |fen: &str| parse_fen(fen).map(|p| p.castles().mode());
        let standard = mode("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        assert_eq!(standard, Ok(CastlingMode::Standard));
        let other = mode("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1");
        assert_eq!(other, Ok(CastlingMode::Chess960));
    }
}
