//! Why no board was accepted, and what is doubtful about one that was.

use std::fmt;

use opencv::core::{Mat, MatTraitConst};
use shakmaty::Square;

use super::{grid::Alternation, view::Corners};

/// Why no board was accepted: what was seen, and what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// Nothing like a board.
    #[error(
        "no board was found ({crossings} crossings of light and dark squares in view): point the camera at the whole board, away from hands, or give the corners with --corners"
    )]
    NoBoard {
        /// Crossings seen.
        crossings: usize,
    },
    /// Hardly any light.
    #[error(
        "the picture is too dark to see a board (mean brightness {mean_grey:.0} of 255): turn on a light or raise the exposure"
    )]
    TooDark {
        /// Mean grey level.
        mean_grey: f64,
    },
    /// Burnt out.
    #[error(
        "the picture is over-exposed ({:.0} % of it is plain white): lower the exposure or shade the lamp", .share * 100.0
    )]
    OverExposed {
        /// Share of white pixels.
        share: f64,
    },
    /// Nothing in the picture is sharp.
    #[error(
        "no board was found, and nothing in the picture is sharp (the steepest edges change by {steepest:.0} grey levels a pixel): focus the camera, clean its lens and keep it still"
    )]
    TooBlurred {
        /// Grey levels a pixel that only a thousandth of the picture exceeds.
        steepest: f64,
    },
    /// A board too far away to be read.
    #[error(
        "the board is too small in the picture (its smallest square is {square_px:.0} pixels wide, at least {least_px:.0} are needed): bring the camera nearer, zoom in, or film in a higher resolution"
    )]
    TooSmall {
        /// Shorter side of its smallest square.
        square_px: f64,
        /// What is needed.
        least_px: f64,
    },
    /// Which board is meant is not certain.
    #[error(
        "two boards of about the same size are in view: turn the camera so that only the board that is played on is whole in the picture, say which with --corners, or review each with --boards all"
    )]
    TwoBoards,
    /// The given corners name White's side wrongly.
    #[error(
        "the start position stands turned half round against the given corners: exchange a1 with h8 and h1 with a8, or calibrate again"
    )]
    UpsideDown,
    /// The board leaves the picture.
    #[error(
        "the board is partly out of view ({corners} of its corners lie beyond the picture's {} edge): move the camera back or turn it so that all 64 squares are seen",
        joined(.edges)
    )]
    OutOfView {
        /// Corners outside.
        corners: usize,
        /// Edges of the picture over which the board runs.
        edges: Vec<PictureEdge>,
    },
    /// The pieces are not those of the given position.
    #[error("the board was found, but it does not show the start position; these squares differ: {}: give the position with --start FEN, or begin where it stands", differences(.squares))]
    NotStartPosition {
        /// Square, what should stand there, what is seen (FEN letters, `-` for empty).
        squares: Vec<(Square, char, char)>,
    },
    /// OpenCV or a model failed.
    #[error("the picture could not be examined: {why}")]
    Picture {
        /// What it said.
        why: String,
    },
}

/// An edge of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureEdge {
    /// x below 0.
    Left,
    /// x beyond the width.
    Right,
    /// y below 0.
    Upper,
    /// y beyond the height.
    Lower,
}

impl fmt::Display for PictureEdge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Upper => "upper",
            Self::Lower => "lower",
        })
    }
}

fn joined(edges: &[PictureEdge]) -> String {
    let words: Vec<String> = edges.iter().map(ToString::to_string).collect();
    words.join(" and ")
}

fn differences(squares: &[(Square, char, char)]) -> String {
    let shown: Vec<String> = squares
        .iter()
        .take(12)
        .map(|(s, want, got)| format!("{s} ({want} expected, {got} seen)"))
        .collect();
    let more = squares.len().saturating_sub(shown.len());
    let tail = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!("{}{tail}", shown.join(", "))
}

impl Refusal {
    #[expect(
        clippy::needless_pass_by_value,
        reason = "used as a function in map_err"
    )]
    pub(super) fn picture(error: opencv::Error) -> Self {
        Self::Picture {
            why: error.to_string(),
        }
    }

    /// The more telling of two refusals of different pictures.
    pub(super) fn or_better(self, other: Option<Self>) -> Self {
        let rank = |r: &Self| match r {
            Self::Picture { .. } => 0,
            Self::TooDark { .. } | Self::OverExposed { .. } | Self::TooBlurred { .. } => 1,
            Self::NoBoard { crossings } => 2 + crossings.min(&50) / 10,
            Self::OutOfView { .. } => 8,
            Self::TooSmall { .. } | Self::TwoBoards => 9,
            Self::NotStartPosition { .. } | Self::UpsideDown => 10,
        };
        match other {
            Some(other) if rank(&other) >= rank(&self) => other,
            _ => self,
        }
    }
}

/// What a person should know of an accepted board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Doubt {
    /// Light and dark squares differ by so few grey levels.
    LowContrast(f64),
    /// Edges between squares are spread over so many pixels.
    Blurred(f64),
    /// The smallest squares are so few pixels wide.
    SmallSquares(f64),
    /// Some squares' edges alternate badly: hidden or glaring.
    Obstructed,
    /// White's side was not told apart clearly.
    Direction,
    /// A corner is so close to the picture's edge, pixels.
    Edge(f64),
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LowContrast(levels) => write!(
                f,
                "light and dark squares differ by only {levels:.0} grey levels: more light helps"
            ),
            Self::Blurred(px) => write!(
                f,
                "the squares' edges are blurred over {px:.0} pixels: focus the camera, clean its lens or keep it still"
            ),
            Self::SmallSquares(px) => write!(
                f,
                "the farthest squares are only {px:.0} pixels wide: bring the camera nearer or film in a higher resolution"
            ),
            Self::Obstructed => write!(
                f,
                "parts of the board are hidden or glare: clear the board's edges or move the lamp"
            ),
            Self::Direction => write!(
                f,
                "it is not certain which side is White's: check the picture, or give the corners with --corners"
            ),
            Self::Edge(px) => write!(
                f,
                "the board reaches to {px:.0} pixels from the picture's edge: hands may be cut off"
            ),
        }
    }
}

/// Width of an edge, as a share of the smallest squares, from which a picture is called blurred.
const MOST_BLUR: f64 = 0.12;

impl Doubt {
    /// Doubts about corners (pixels of `frame`) whose edges are `blur_px` wide.
    pub(super) fn of(frame: &Mat, corners: &Corners, a: &Alternation, blur_px: f64) -> Vec<Self> {
        let p = corners.in_order();
        let shortest = (0..4)
            .map(|i| (p[i][0] - p[(i + 1) % 4][0]).hypot(p[i][1] - p[(i + 1) % 4][1]) / 8.0)
            .fold(f64::INFINITY, f64::min);
        let (w, h) = (f64::from(frame.cols()), f64::from(frame.rows()));
        let edge = p
            .iter()
            .map(|[x, y]| x.min(*y).min(w - x).min(h - y))
            .fold(f64::INFINITY, f64::min);
        let mut doubts = Vec::new();
        if a.contrast.abs() < 25.0 {
            doubts.push(Self::LowContrast(a.contrast.abs()));
        }
        if blur_px > MOST_BLUR * shortest {
            doubts.push(Self::Blurred(blur_px));
        }
        if shortest < 24.0 {
            doubts.push(Self::SmallSquares(shortest));
        }
        if a.mean < 0.75 {
            doubts.push(Self::Obstructed);
        }
        if edge < 0.03 * w {
            doubts.push(Self::Edge(edge.max(0.0)));
        }
        doubts
    }
}
