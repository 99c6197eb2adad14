//! Chess pieces as SVG symbols, drawn for this report, so that they look the same everywhere.

use shakmaty::Piece;

/// A piece in a cell of 45 by 45: FEN letter, silhouette, further solid parts, inner lines.
type Drawing = (char, &'static str, &'static str, &'static str);

const DRAWINGS: [Drawing; 6] = [
    (
        'p',
        "M22.5 8.6C25.7 8.6 28.1 11 28.1 14C28.1 16 27.1 17.6 25.9 18.7L29.6 20.4L29.6 22.2L26.4 22.2C26.8 27 28.8 30.4 32 32.6C33.2 33.4 33.8 34.2 33.8 35.4L33.8 38L11.2 38L11.2 35.4C11.2 34.2 11.8 33.4 13 32.6C16.2 30.4 18.2 27 18.6 22.2L15.4 22.2L15.4 20.4L19.1 18.7C17.9 17.6 16.9 16 16.9 14C16.9 11 19.3 8.6 22.5 8.6z",
        "",
        "M15.2 34.4h14.6",
    ),
    (
        'r',
        "M22.5 9.2L25.1 9.2L25.1 12L28.7 12L28.7 9.2L33 9.2L33 15.4L30 18.2L30.6 28.6L33 31.6L33 33.4L35.4 35L35.4 38L9.6 38L9.6 35L12 33.4L12 31.6L14.4 28.6L15 18.2L12 15.4L12 9.2L16.3 9.2L16.3 12L19.9 12L19.9 9.2z",
        "",
        "M14.6 18.2h15.8M14 29.2h17M12.6 33.8h19.8",
    ),
    (
        'b',
        "M22.5 4.6C23.9 4.6 25 5.7 25 7.1C25 7.9 24.6 8.7 24 9.1C28 11.8 30.9 16.2 30.6 20.6C30.4 23.4 29.2 25.4 27.7 26.8L29.2 28.6L29.2 30.4L27.6 30.4C28.6 32.6 30.6 33.6 33.2 34.2C34.6 34.6 35.2 35.4 35.2 36.4L35.2 38L9.8 38L9.8 36.4C9.8 35.4 10.4 34.6 11.8 34.2C14.4 33.6 16.4 32.6 17.4 30.4L15.8 30.4L15.8 28.6L17.3 26.8C15.8 25.4 14.6 23.4 14.4 20.6C14.1 16.2 17 11.8 21 9.1C20.4 8.7 20 7.9 20 7.1C20 5.7 21.1 4.6 22.5 4.6z",
        "",
        "M17.2 26.8h10.6M16.6 30.4h11.8M25 14l-4 6.4",
    ),
    (
        'q',
        "M22.5 9.4L26 20.6L31 11.4L31.8 21.6L38.4 15.4L35.2 27.2C34.4 29 33.2 30 33.2 31L34.2 33.4C35.2 34.6 35.2 35.4 35.2 36.4L35.2 38L9.8 38L9.8 36.4C9.8 35.4 9.8 34.6 10.8 33.4L11.8 31C11.8 30 10.6 29 9.8 27.2L6.6 15.4L13.2 21.6L14 11.4L19 20.6z",
        "<circle cx=\"22.5\" cy=\"7.4\" r=\"2.4\"/><circle cx=\"31.6\" cy=\"9.4\" r=\"2.2\"/><circle cx=\"13.4\" cy=\"9.4\" r=\"2.2\"/><circle cx=\"39\" cy=\"13.4\" r=\"2.2\"/><circle cx=\"6\" cy=\"13.4\" r=\"2.2\"/>",
        "M10.8 27.6c7.6-2.6 15.8-2.6 23.4 0M12.4 31.2c6.8-1.8 13.4-1.8 20.2 0M11.2 34.4c7.4-1.4 15.2-1.4 22.6 0",
    ),
    (
        'k',
        "M22.5 3.4L24 3.4L24 5.8L26.4 5.8L26.4 8.8L24 8.8L24 12.6C27 9.9 37.2 10.6 37.6 18C37.9 23 34 26.4 33 30.6L34 33.4C35 34.6 35 35.4 35 36.4L35 38L10 38L10 36.4C10 35.4 10 34.6 11 33.4L12 30.6C11 26.4 7.1 23 7.4 18C7.8 10.6 18 9.9 21 12.6L21 8.8L18.6 8.8L18.6 5.8L21 5.8L21 3.4z",
        "",
        "M22.5 13v12M12.2 30.6c6.8-1.8 13.8-1.8 20.6 0M11.4 34.4c7.2-1.4 15-1.4 22.2 0M22.5 25.2c-1.8-6.4-4.6-10-8.4-10-2.8 0-4.2 2-3.8 4.6M22.5 25.2c1.8-6.4 4.6-10 8.4-10 2.8 0 4.2 2 3.8 4.6",
    ),
    (
        'n',
        "M11.6 38L11.6 35.6C12 31.4 15 28.8 18 26.2C19.8 24.6 20.8 23.2 20.9 21.4C18.6 23 16.4 23.4 14.8 25C13.4 26.4 12.4 27.6 10.9 27.2C8.8 26.6 7.6 24.8 8.2 22.6C9 20 10.6 18 11.6 15.6C12.4 13.6 13.4 12 15.4 10.6L15.2 6.2L19.4 8.8L21.6 5.6L23.8 9C31.8 11 36 18.6 35.6 29.6L35.6 35.6L36.4 38z",
        "<circle class=\"e\" cx=\"16.8\" cy=\"14.8\" r=\"1.1\"/><circle class=\"e\" cx=\"11\" cy=\"22.8\" r=\".8\"/>",
        "M25.4 12.6C30.2 15.6 32.2 21.6 31.8 31M11.8 34.4h23.6",
    ),
];

/// Id of a piece's symbol: `p-` and the FEN letter.
pub fn symbol(piece: Piece) -> String {
    format!("p-{}", piece.char())
}

/// The definitions every board of the page refers to.
pub fn definitions() -> String {
    format!(
        "<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>{}</defs></svg>",
        symbols()
    )
}

/// The twelve pieces, the empty board, the tips of arrows.
pub fn symbols() -> String {
    let mut out = String::new();
    for (letter, outline, solid, lines) in DRAWINGS {
        for (class, id) in [("w", letter.to_ascii_uppercase()), ("b", letter)] {
            out.push_str(&format!(
                "<symbol id=\"p-{id}\" viewBox=\"0 0 45 45\"><g class=\"pc {class}\"><path d=\"{outline}\"/>{solid}<path class=\"in\" d=\"{lines}\"/></g></symbol>"
            ));
        }
    }
    let dark: String = (0..32)
        .map(|i| {
            let (row, column) = (i / 4, 2 * (i % 4) + (i / 4 + 1) % 2);
            format!("M{column} {row}h1v1h-1z")
        })
        .collect();
    out.push_str(&format!(
        "<symbol id=\"squares\" viewBox=\"0 0 8 8\"><path class=\"light\" d=\"M0 0h8v8H0z\"/><path class=\"dark\" d=\"{dark}\"/></symbol>"
    ));
    for kind in ["open", "played"] {
        out.push_str(&format!(
            "<marker id=\"tip-{kind}\" class=\"{kind}\" viewBox=\"0 0 4 4\" refX=\"2.4\" refY=\"2\" markerWidth=\"3.2\" markerHeight=\"3.2\" orient=\"auto\"><path d=\"M0 0L4 2L0 4z\"/></marker>"
        ));
    }
    out
}
