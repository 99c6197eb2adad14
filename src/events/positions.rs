//! Positions: from FEN, after an illegal move, and what was moved between two of them.

use shakmaty::{Chess, Color, EnPassantMode, Position, Square, fen::Fen};

use super::{contacts::Part, reading::Displacement};
use crate::record::ContactKind;

/// What must have been moved between two placements.
pub(super) fn differences(from: &Chess, to: &Chess, mover: Color) -> Vec<Part> {
    let mut gone: Vec<(Square, shakmaty::Piece)> = Vec::new();
    let mut come: Vec<(Square, shakmaty::Piece)> = Vec::new();
    for square in Square::ALL {
        let (a, b) = (from.board().piece_at(square), to.board().piece_at(square));
        if a != b {
            gone.extend(a.map(|p| (square, p)));
            come.extend(b.map(|p| (square, p)));
        }
    }
    let mut parts = Vec::new();
    for (square, piece) in gone {
        match come.iter().position(|c| c.1 == piece) {
            Some(at) => {
                let (to, _) = come.remove(at);
                parts.push(Part {
                    from: Some(square),
                    to: Some(to),
                    piece,
                    kind: ContactKind::Move,
                });
            }
            None if piece.color != mover => parts.push(Part {
                from: Some(square),
                to: None,
                piece,
                kind: ContactKind::CaptureRemoval,
            }),
            None => {}
        }
    }
    parts
}

/// The position after an illegal move as it stands, the opponent to move; `None` when chess
/// cannot go on from it.
#[expect(
    clippy::result_large_err,
    reason = "shakmaty's error carries the position, which is what is wanted"
)]
pub(super) fn standing(position: &Chess, moved: Displacement) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.board.discard_piece_at(moved.from);
    setup.board.set_piece_at(moved.to, moved.piece);
    setup.turn = !moved.piece.color;
    setup.ep_square = None;
    let mode = shakmaty::CastlingMode::Standard;
    setup
        .position(mode)
        .or_else(|e| e.ignore_invalid_castling_rights())
        .or_else(|e| e.ignore_impossible_check())
        .ok()
}

/// A position from FEN.
///
/// # Errors
/// What is wrong with it, in words.
#[expect(
    clippy::result_large_err,
    reason = "shakmaty's error carries the position, which is what is wanted"
)]
pub fn position_from_fen(fen: &str) -> Result<Chess, String> {
    let fen: Fen = fen
        .parse()
        .map_err(|e| format!("\"{fen}\" is not a FEN: {e}"))?;
    fen.into_position(shakmaty::CastlingMode::Standard)
        .or_else(|e: shakmaty::PositionError<Chess>| e.ignore_too_much_material())
        .map_err(|e| format!("this FEN is not a position that can be played: {e}"))
}
