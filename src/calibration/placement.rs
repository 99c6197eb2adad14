//! Whether this camera placement will do: what is measured, its limits, and what to change.
//!
//! Limits come from what has to be seen, not from any one recording; `docs/calibration.md` gives
//! the reasons.

use std::fmt;

use opencv::core::Mat;
use serde::Serialize;

use super::{
    grid::{GridMap, blur, cells_out_of_step, light_and_dark},
    pixels::{Brightness, Pixels},
    view::BoardView,
};

/// What is judged of a placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// Room between the board and the picture's edge, squares.
    Margin,
    /// Shorter side of the smallest square, pixels.
    SquarePixels,
    /// Width of the edges between squares, shares of the smallest square.
    Blur,
    /// Share of the board that is burnt out to white.
    Glare,
    /// Brightness of the light squares, grey levels.
    Brightness,
    /// Light squares less dark ones, grey levels.
    Contrast,
    /// Angle between the line of sight and the board, degrees.
    Angle,
    /// Squares that are hidden or do not look light or dark as they should.
    Hidden,
}

/// How good a placement is in one respect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Nothing to do.
    Good,
    /// It works worse than it could.
    Poor,
    /// Moves or touches will be missed.
    Bad,
}

/// One respect of a placement.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Advice {
    /// Which.
    pub aspect: Aspect,
    /// As measured, in the aspect's unit.
    pub value: f64,
    /// Where it begins to be poor.
    pub limit: f64,
    /// How good it is.
    pub grade: Grade,
    /// What was seen, and what to change if it is not good.
    pub sentence: String,
}

/// An aspect's limits and words.
struct Rule {
    aspect: Aspect,
    poor: f64,
    bad: f64,
    /// Whether more is better.
    more: bool,
    unit: &'static str,
    digits: usize,
    change: &'static str,
}

const RULES: [Rule; 8] = [
    Rule {
        aspect: Aspect::Margin,
        poor: 0.5,
        bad: 0.0,
        more: true,
        unit: "squares between the board and the picture's edge",
        digits: 1,
        change: "move the camera back or turn it so that the whole board and the hands that come to it are in view",
    },
    Rule {
        aspect: Aspect::SquarePixels,
        poor: 28.0,
        bad: 18.0,
        more: true,
        unit: "pixels across the smallest square",
        digits: 0,
        change: "bring the camera nearer, raise it, or film in a higher resolution",
    },
    Rule {
        aspect: Aspect::Blur,
        poor: 0.12,
        bad: 0.25,
        more: false,
        unit: "of a square's width for the edge between two",
        digits: 2,
        change: "focus the camera on the board, clean its lens, and keep it still",
    },
    Rule {
        aspect: Aspect::Glare,
        poor: 0.03,
        bad: 0.1,
        more: false,
        unit: "of the board burnt out to white",
        digits: 2,
        change: "move the lamp or the camera so that no light mirrors in the board, or lower the exposure",
    },
    Rule {
        aspect: Aspect::Brightness,
        poor: 60.0,
        bad: 35.0,
        more: true,
        unit: "of 255 grey levels on light squares",
        digits: 0,
        change: "turn on a light or raise the exposure",
    },
    Rule {
        aspect: Aspect::Contrast,
        poor: 25.0,
        bad: 12.0,
        more: true,
        unit: "grey levels between light and dark squares",
        digits: 0,
        change: "add light, take away glare, or use a board with more contrast",
    },
    Rule {
        aspect: Aspect::Angle,
        poor: 30.0,
        bad: 20.0,
        more: true,
        unit: "degrees above the board",
        digits: 0,
        change: "raise the camera to 30 to 60 degrees above the board, so that pieces do not hide each other",
    },
    Rule {
        aspect: Aspect::Hidden,
        poor: 5.0,
        bad: 13.0,
        more: false,
        unit: "squares hidden or unlike their colour",
        digits: 0,
        change: "clear what lies on or before the board, and keep hands and heads away while calibrating",
    },
];

/// Points of the board at which glare is looked for, in both directions.
const GLARE_POINTS: u32 = 40;
/// Grey level from which nothing more is told apart.
const BURNT: f64 = 250.0;

/// Judges a placement by the view and some pictures (BGR, the view's size), all aspects in a fixed
/// order. What one picture hides another may show: the best picture counts. Aspects that need
/// pictures are left out when none can be read.
#[must_use]
pub fn placement(view: &BoardView, pictures: &[Mat]) -> Vec<Advice> {
    let seen: Vec<Seen> = pictures
        .iter()
        .filter_map(|p| Seen::of(view, &Pixels::of(p)?))
        .collect();
    let median = |value: fn(&Seen) -> f64| {
        let mut all: Vec<f64> = seen.iter().map(value).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied()
    };
    let smallest = smallest_square_px(view).max(1.0);
    let hidden = seen
        .iter()
        .map(|s| s.out_of_step)
        .reduce(|a, b| a & b)
        .map(|bits| f64::from(bits.count_ones()));
    let values = [
        Some(margin_squares(view)),
        Some(smallest),
        median(|s| s.blur_px).map(|px| px / smallest),
        median(|s| s.burnt),
        median(|s| s.light),
        median(|s| s.light - s.dark),
        Some(view.elevation_deg),
        hidden,
    ];
    RULES
        .iter()
        .zip(values)
        .filter_map(|(rule, value)| Some(rule.judge(value?)))
        .collect()
}

impl Rule {
    fn judge(&self, value: f64) -> Advice {
        let beyond = |limit: f64| {
            if self.more {
                value < limit
            } else {
                value > limit
            }
        };
        // A margin below nothing or a value that is no number is bad, too.
        let grade = if beyond(self.bad) || !value.is_finite() {
            Grade::Bad
        } else if beyond(self.poor) {
            Grade::Poor
        } else {
            Grade::Good
        };
        let bound = if self.more { "at least" } else { "at most" };
        let digits = self.digits;
        let seen = format!("{value:.digits$} {}", self.unit);
        let sentence = match grade {
            Grade::Good => format!("{seen}."),
            _ => format!(
                "{seen}, {bound} {:.digits$} are wanted: {}.",
                self.poor, self.change
            ),
        };
        Advice {
            aspect: self.aspect,
            value: (value * 1000.0).round() / 1000.0,
            limit: self.poor,
            grade,
            sentence,
        }
    }
}

/// What one picture shows of the board.
struct Seen {
    blur_px: f64,
    burnt: f64,
    light: f64,
    dark: f64,
    out_of_step: u64,
}

impl Seen {
    fn of(view: &BoardView, pixels: &Pixels) -> Option<Self> {
        let [width, height] = pixels.size_px();
        let map = GridMap::new(&view.corners, view.lens().of_picture(width, height))?;
        let (light, dark) = light_and_dark(pixels, &map)?;
        let points = GLARE_POINTS * GLARE_POINTS;
        let step = 8.0 / f64::from(GLARE_POINTS);
        let burnt = (0..points)
            .map(|k| [k % GLARE_POINTS, k / GLARE_POINTS].map(|v| (f64::from(v) + 0.5) * step))
            .filter(|p| pixels.at(map.at(*p)) >= BURNT)
            .count();
        Some(Self {
            blur_px: blur(pixels, &map),
            burnt: burnt as f64 / f64::from(points),
            light,
            dark,
            out_of_step: cells_out_of_step(pixels, &map),
        })
    }
}

/// Shorter side of the smallest of the 64 squares, pixels: its area over its longer side.
pub(super) fn smallest_square_px(view: &BoardView) -> f64 {
    let at = |x: u32, y: u32| view.project([f64::from(x), f64::from(y), 0.0]);
    let mut least = f64::INFINITY;
    for y in 0..8 {
        for x in 0..8 {
            let p = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
            let side = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
            let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
            let area =
                (cross(p[0], p[1]) + cross(p[1], p[2]) + cross(p[2], p[3]) + cross(p[3], p[0]))
                    .abs()
                    / 2.0;
            let longest = side(p[0], p[1])
                .max(side(p[1], p[2]))
                .max(side(p[2], p[3]))
                .max(side(p[3], p[0]));
            least = least.min(area / longest.max(1e-9));
        }
    }
    least
}

/// Least distance of a corner from the picture's edge, squares at that corner; below 0 outside.
fn margin_squares(view: &BoardView) -> f64 {
    let (w, h) = (f64::from(view.width_px), f64::from(view.height_px));
    let corners = view.corners.in_order();
    let at = [[0.5, 0.5], [7.5, 0.5], [7.5, 7.5], [0.5, 7.5]];
    corners
        .iter()
        .zip(at)
        .map(|([x, y], square)| x.min(*y).min(w - x).min(h - y) / view.square_px(square).max(1.0))
        .fold(f64::INFINITY, f64::min)
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Margin => "margin",
            Self::SquarePixels => "square",
            Self::Blur => "blur",
            Self::Glare => "glare",
            Self::Brightness => "light",
            Self::Contrast => "contrast",
            Self::Angle => "angle",
            Self::Hidden => "hidden",
        })
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Good => "good",
            Self::Poor => "poor",
            Self::Bad => "bad",
        })
    }
}

/// The advice as a table for a terminal, a line an aspect.
#[must_use]
pub fn table(advice: &[Advice]) -> String {
    advice
        .iter()
        .map(|a| format!("  {:<9} {:<5} {}\n", a.aspect, a.grade, a.sentence))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::view::Corners;

    fn judged(aspect: Aspect, value: f64) -> Advice {
        RULES
            .iter()
            .find(|r| r.aspect == aspect)
            .unwrap()
            .judge(value)
    }

    #[test]
    fn each_limit_is_kept() {
        use Aspect::{Angle, Blur, Brightness, Contrast, Glare, Hidden, Margin, SquarePixels};
        for (aspect, good, poor, bad) in [
            (Margin, 0.5, 0.4, -0.1),
            (SquarePixels, 28.0, 27.0, 17.0),
            (Blur, 0.12, 0.13, 0.26),
            (Glare, 0.03, 0.04, 0.2),
            (Brightness, 60.0, 59.0, 30.0),
            (Contrast, 25.0, 24.0, 5.0),
            (Angle, 90.0, 29.0, 15.0),
            (Hidden, 5.0, 6.0, 14.0),
        ] {
            for (value, grade) in [(good, Grade::Good), (poor, Grade::Poor), (bad, Grade::Bad)] {
                let advice = judged(aspect, value);
                assert_eq!(advice.grade, grade, "{aspect} {value}");
                // Whoever is told that it is not good is told what to do.
                assert_eq!(
                    advice.sentence.contains(" wanted: "),
                    grade != Grade::Good,
                    "{}",
                    advice.sentence
                );
            }
        }
        assert_eq!(judged(Blur, f64::NAN).grade, Grade::Bad);
    }

    #[test]
    fn the_smallest_square_and_the_margin_are_those_of_a_drawn_board() {
        let corners = Corners::from_order([
            [100.0, 500.0],
            [500.0, 500.0],
            [500.0, 100.0],
            [100.0, 100.0],
        ]);
        let view = BoardView::new(corners, 640, 640).unwrap();
        assert!((smallest_square_px(&view) - 50.0).abs() < 1e-6);
        assert!((margin_squares(&view) - 2.0).abs() < 1e-6);
        let narrow = BoardView::new(corners, 520, 640).unwrap();
        assert!((margin_squares(&narrow) - 0.4).abs() < 1e-6);
        let aspects: Vec<Aspect> = placement(&view, &[]).iter().map(|a| a.aspect).collect();
        assert_eq!(
            aspects,
            [Aspect::Margin, Aspect::SquarePixels, Aspect::Angle]
        );
    }
}
