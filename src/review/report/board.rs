//! One position as SVG, White below: squares, marks, pieces, arrows.

use std::fmt::Write;

use shakmaty::{Board, Square};

use super::pieces::symbol;

/// What is marked on a board.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    /// Squares of the last move.
    pub last: Vec<Square>,
    /// Squares of pieces touched and left.
    pub touched: Vec<Square>,
    /// Moves that were open.
    pub open: Vec<(Square, Square)>,
    /// The move that was played, where it differs.
    pub played: Option<(Square, Square)>,
}

/// Column and row, from the top-left corner.
fn cell(square: Square) -> (u32, u32) {
    (square.file().to_u32(), 7 - square.rank().to_u32())
}

/// The inside of a board's SVG, `viewBox="0 0 8 8"`. The page's script draws the same for the other
/// positions of the game.
pub fn draw(placement: &Board, marks: &Marks) -> String {
    let mut out = String::from("<use href=\"#squares\" width=\"8\" height=\"8\"/>");
    for square in &marks.last {
        let (x, y) = cell(*square);
        let _ = write!(
            out,
            "<rect class=\"last\" x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\"/>"
        );
    }
    for i in 0..8_u8 {
        let _ = write!(
            out,
            "<text class=\"co\" x=\".06\" y=\"{i}.2\">{}</text><text class=\"co\" x=\"{i}.94\" y=\"7.94\" text-anchor=\"end\">{}</text>",
            8 - i,
            char::from(b'a' + i)
        );
    }
    for square in Square::ALL {
        let Some(piece) = placement.piece_at(square) else {
            continue;
        };
        let (x, y) = cell(square);
        let _ = write!(
            out,
            "<use href=\"#{}\" x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\"/>",
            symbol(piece)
        );
    }
    for square in &marks.touched {
        let (x, y) = cell(*square);
        let _ = write!(
            out,
            "<circle class=\"touched\" cx=\"{x}.5\" cy=\"{y}.5\" r=\".45\"/>"
        );
    }
    for arrow in &marks.open {
        arrow_line(&mut out, "open", *arrow);
    }
    if let Some(arrow) = marks.played {
        arrow_line(&mut out, "played", arrow);
    }
    out
}

/// An arrow from the middle of a square to just before the middle of another.
fn arrow_line(out: &mut String, class: &str, (from, to): (Square, Square)) {
    let ((x0, y0), (x1, y1)) = (cell(from), cell(to));
    let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(|v| f64::from(v) + 0.5);
    let length = (x1 - x0).hypot(y1 - y0).max(0.1);
    let short = 1.0 - 0.18 / length;
    let _ = write!(
        out,
        "<line class=\"arrow {class}\" x1=\"{x0}\" y1=\"{y0}\" x2=\"{:.2}\" y2=\"{:.2}\" marker-end=\"url(#tip-{class})\"/>",
        x0 + (x1 - x0) * short,
        y0 + (y1 - y0) * short
    );
}
