//! What the 64 squares look like where a map says that they are: alternation of light and dark,
//! where the board ends, and how blurred its edges are.

use nalgebra::Matrix3;

use super::{
    lattice::apply,
    lens::LensMap,
    pixels::Brightness,
    view::{BOARD_CORNERS, Corners, homography},
};

/// Points of a square's rim (squares from its lower left corner): pieces rarely hide most of them.
const RIM: [[f64; 2]; 12] = [
    [0.12, 0.12],
    [0.3, 0.1],
    [0.5, 0.1],
    [0.7, 0.1],
    [0.88, 0.12],
    [0.9, 0.35],
    [0.9, 0.65],
    [0.88, 0.88],
    [0.5, 0.9],
    [0.12, 0.88],
    [0.1, 0.65],
    [0.1, 0.35],
];

/// Where points of the board plane (squares) are filmed (pixels), through a lens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridMap {
    ideal_from_board: Matrix3<f64>,
    lens: LensMap,
}

impl GridMap {
    /// From the corners as filmed; `None` when they are degenerate.
    #[must_use]
    pub fn new(corners: &Corners, lens: LensMap) -> Option<Self> {
        let ideal = corners.in_order().map(|p| lens.ideal_from_filmed(p));
        Some(Self {
            ideal_from_board: homography(&BOARD_CORNERS, &ideal)?,
            lens,
        })
    }

    /// The image point (pixels) of a point of the board plane (squares).
    #[must_use]
    pub fn at(&self, board: [f64; 2]) -> [f64; 2] {
        self.lens
            .filmed_from_ideal(apply(&self.ideal_from_board, board))
    }

    /// The point of the board plane (squares) seen at an image point (pixels); far outside the
    /// board where the homography cannot be turned back.
    #[must_use]
    pub fn board_point(&self, image: [f64; 2]) -> [f64; 2] {
        self.ideal_from_board
            .try_inverse()
            .map_or([f64::INFINITY; 2], |board_from_ideal| {
                apply(&board_from_ideal, self.lens.ideal_from_filmed(image))
            })
    }
}

/// How well a quadrilateral is a chessboard.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alternation {
    /// Difference between light and dark squares, grey levels; positive when (0, 0) is dark.
    pub contrast: f64,
    /// Mean alternation of neighbouring squares, 1 for a perfect board.
    pub mean: f64,
    /// The weakest of the four outermost lines of squares.
    pub weakest_border: f64,
    /// The strongest of the four lines just outside: high when the board goes on there.
    pub strongest_outside: f64,
}

/// Brightness of cells -1..=8 in both directions; `None` outside the picture.
struct Cells([[Option<f64>; 10]; 10]);

impl Cells {
    fn measure<L: Brightness>(grey: &L, map: &GridMap) -> Self {
        let mut cells = [[None; 10]; 10];
        for (y, row) in cells.iter_mut().enumerate() {
            for (x, cell) in row.iter_mut().enumerate() {
                let mut values: Vec<f64> = RIM
                    .iter()
                    .map(|r| map.at([x as f64 - 1.0 + r[0], y as f64 - 1.0 + r[1]]))
                    .filter(|p| grey.contains(*p))
                    .map(|p| grey.at(p))
                    .collect();
                if values.len() >= 6 {
                    values.sort_by(f64::total_cmp);
                    *cell = values.get(values.len() / 2).copied();
                }
            }
        }
        Self(cells)
    }

    /// Cell (x, y) with x, y in -1..=8.
    fn get(&self, x: i32, y: i32) -> Option<f64> {
        *self.0.get((y + 1) as usize)?.get((x + 1) as usize)?
    }

    /// Light minus dark across the edge between two neighbours, if (0, 0) is dark.
    fn step(&self, a: [i32; 2], b: [i32; 2]) -> Option<f64> {
        let sign = if (a[0] + a[1]).rem_euclid(2) == 0 {
            1.0
        } else {
            -1.0
        };
        Some(sign * (self.get(b[0], b[1])? - self.get(a[0], a[1])?))
    }

    /// Mean normalised step along a line of eight cells; `None` when half of it is out of view.
    fn line(&self, cell: impl Fn(i32) -> [i32; 2], contrast: f64) -> Option<f64> {
        let steps: Vec<f64> = (0..7)
            .filter_map(|k| self.step(cell(k), cell(k + 1)))
            .map(|s| (s / contrast).clamp(-1.0, 1.0))
            .collect();
        (steps.len() >= 4).then(|| steps.iter().sum::<f64>() / steps.len() as f64)
    }
}

/// Measures the alternation where a map says that the squares are.
#[must_use]
pub fn alternation<L: Brightness>(grey: &L, map: &GridMap) -> Alternation {
    let cells = Cells::measure(grey, map);
    let mut steps: Vec<f64> = (0..8)
        .flat_map(|y| (0..8).map(move |x| [x, y]))
        .flat_map(|[x, y]| [([x, y], [x + 1, y]), ([x, y], [x, y + 1])])
        .filter(|(_, b)| b[0] < 8 && b[1] < 8)
        .filter_map(|(a, b)| cells.step(a, b))
        .collect();
    if steps.len() < 60 {
        return Alternation {
            contrast: 0.0,
            mean: 0.0,
            weakest_border: 0.0,
            strongest_outside: 1.0,
        };
    }
    let plain_mean = steps.iter().sum::<f64>() / steps.len() as f64;
    steps.sort_by(f64::total_cmp);
    let contrast = steps.get(steps.len() / 2).copied().unwrap_or(0.0);
    let contrast = if contrast.abs() < 1e-6 {
        plain_mean
    } else {
        contrast
    };
    let mean = steps
        .iter()
        .map(|s| (s / contrast).clamp(-1.0, 1.0))
        .sum::<f64>()
        / steps.len() as f64;
    let lines = |at: i32| {
        [
            cells.line(|k| [k, at], contrast),
            cells.line(|k| [at, k], contrast),
        ]
    };
    let worst = |values: Vec<Option<f64>>, start: f64, pick: fn(f64, f64) -> f64| {
        values.into_iter().flatten().fold(start, pick)
    };
    Alternation {
        contrast,
        mean,
        weakest_border: worst([lines(0), lines(7)].concat(), 1.0, f64::min),
        strongest_outside: worst([lines(-1), lines(8)].concat(), -1.0, f64::max),
    }
}

/// Brightness of light and of dark squares in the median, grey levels; `None` when too few are in
/// the picture.
#[must_use]
pub fn light_and_dark<L: Brightness>(grey: &L, map: &GridMap) -> Option<(f64, f64)> {
    let cells = Cells::measure(grey, map);
    let median = |odd: i32| {
        let mut all: Vec<f64> = (0..64)
            .map(|k| (k % 8, k / 8))
            .filter(|(x, y)| (x + y) % 2 == odd)
            .filter_map(|(x, y)| cells.get(x, y))
            .collect();
        all.sort_by(f64::total_cmp);
        (all.len() >= 16).then(|| all.get(all.len() / 2).copied())?
    };
    Some((median(1)?, median(0)?))
}

/// Bit set (a1 = bit 0) of the squares whose rim is nearer in brightness to the other colour than
/// to their own neighbours': hidden, glaring or in a hard shadow.
#[must_use]
pub fn cells_out_of_step<L: Brightness>(grey: &L, map: &GridMap) -> u64 {
    let cells = Cells::measure(grey, map);
    let mut bits = 0;
    for (x, y) in (0..64).map(|k| (k % 8, k / 8)) {
        let beside = [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]];
        let steps: Vec<f64> = beside
            .into_iter()
            .filter(|n| n.iter().all(|v| (0..8).contains(v)))
            .filter_map(|n| cells.step([x, y], n))
            .collect();
        let wrong = steps.iter().filter(|s| **s <= 0.0).count();
        if 2 * wrong > steps.len() || cells.get(x, y).is_none() {
            bits |= 1 << (y * 8 + x);
        }
    }
    bits
}

/// Whether part of a square can be so long, pixels: under a degenerate homography it has no end.
pub(super) fn believable<L: Brightness>(grey: &L, length: f64) -> bool {
    let [w, h] = grey.size_px();
    length.is_finite() && length < w.max(h) / 4.0
}

/// Width over which brightness changes at the edges between squares, pixels, in the median: their
/// whole step over the steepest slope. About 1 in a sharp picture; 0 when no edge is seen.
#[must_use]
pub fn blur<L: Brightness>(grey: &L, map: &GridMap) -> f64 {
    let mut widths = Vec::new();
    for line in 1..8 {
        for cell in 0..8 {
            for vertical in [true, false] {
                let (l, c) = (f64::from(line), f64::from(cell) + 0.15);
                let at = |d: f64| map.at(if vertical { [l + d, c] } else { [c, l + d] });
                let (from, to) = (at(-0.3), at(0.3));
                let length = (to[0] - from[0]).hypot(to[1] - from[1]);
                if !believable(grey, length) {
                    continue;
                }
                let steps = (2.0 * length).ceil().max(4.0);
                let values: Vec<f64> = (0..=steps as usize)
                    .map(|k| grey.at(at(-0.3 + 0.6 * k as f64 / steps)))
                    .collect();
                let (Some(first), Some(last)) = (values.first(), values.last()) else {
                    continue;
                };
                let slope = values
                    .windows(2)
                    .map(|w| (w[1] - w[0]).abs() * steps / length.max(1e-9))
                    .fold(0.0, f64::max);
                if (last - first).abs() > 15.0 && slope > 0.0 {
                    widths.push((last - first).abs() / slope);
                }
            }
        }
    }
    widths.sort_by(f64::total_cmp);
    widths.get(widths.len() / 2).copied().unwrap_or(0.0)
}
