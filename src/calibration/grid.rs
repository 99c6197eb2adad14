//! What the 64 squares look like under a given homography: alternation of light and dark, where
//! the board ends, and sub-pixel refinement on the edges between squares.

use nalgebra::{Matrix3, SMatrix, SVector};

use super::{
    lattice::apply,
    saddles::Grey,
    view::{Corners, homography},
};

/// Board corners in the board frame, in the order of [`Corners::in_order`].
const BOARD: [[f64; 2]; 4] = [[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]];
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

/// Homography from the board plane (squares) to the image (pixels).
#[must_use]
pub fn image_from_board(corners: &Corners) -> Option<Matrix3<f64>> {
    homography(&BOARD, &corners.in_order())
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
    fn measure(grey: &Grey, h: &Matrix3<f64>) -> Self {
        let mut cells = [[None; 10]; 10];
        for (y, row) in cells.iter_mut().enumerate() {
            for (x, cell) in row.iter_mut().enumerate() {
                let mut values: Vec<f64> = RIM
                    .iter()
                    .map(|r| apply(h, [x as f64 - 1.0 + r[0], y as f64 - 1.0 + r[1]]))
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

/// Measures the alternation under a homography from board squares to the image.
#[must_use]
pub fn alternation(grey: &Grey, h: &Matrix3<f64>) -> Alternation {
    let cells = Cells::measure(grey, h);
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

/// One measured point on an edge between two squares.
struct EdgePoint {
    board: [f64; 2],
    normal: [f64; 2],
    offset_px: f64,
}

/// Places along an edge (squares) at which its position is measured.
const ALONG: [f64; 6] = [0.12, 0.27, 0.42, 0.58, 0.73, 0.88];
/// Least share of the full contrast that brightness must change over two pixels for an edge to
/// count; in a blurred picture half of what its edges change in the median.
const MIN_EDGE: f64 = 0.35;

/// Moves the corners so that the grid lies on the edges between light and dark squares, searching
/// `reach` squares to both sides. Returns the corners and the root mean square distance of the
/// edges from the grid, pixels; `None` when too few edges are seen.
#[must_use]
pub fn refine(grey: &Grey, corners: &Corners, reach: f64) -> Option<(Corners, f64)> {
    let mut corners = *corners;
    let mut rms = f64::INFINITY;
    let blur_px = blur(grey, &image_from_board(&corners)?).max(1.0);
    let least = MIN_EDGE.min(1.0 / blur_px);
    for step in 0..6 {
        let reach = if step == 0 {
            reach
        } else {
            (reach / f64::from(step + 1)).max(0.1)
        };
        let h = image_from_board(&corners)?;
        let contrast = alternation(grey, &h).contrast;
        let edges = edge_points(grey, &h, contrast, least * contrast.abs(), reach);
        if edges.len() < 120 {
            return None;
        }
        let (next, error) = adjust(&corners, &edges)?;
        corners = next;
        rms = error;
    }
    Some((corners, rms))
}

/// Whether part of a square can be so long, pixels: under a degenerate homography it has no end.
fn believable(grey: &Grey, length: f64) -> bool {
    length.is_finite() && length < grey.width.max(grey.height) as f64 / 4.0
}

/// Width over which brightness changes at the edges between squares, pixels, in the median: their
/// whole step over the steepest slope. About 1 in a sharp picture; 0 when no edge is seen.
#[must_use]
pub fn blur(grey: &Grey, h: &Matrix3<f64>) -> f64 {
    let mut widths = Vec::new();
    for line in 1..8 {
        for cell in 0..8 {
            for vertical in [true, false] {
                let (l, c) = (f64::from(line), f64::from(cell) + 0.15);
                let at = |d: f64| apply(h, if vertical { [l + d, c] } else { [c, l + d] });
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

/// Positions of the inner edges, measured along their normals.
fn edge_points(
    grey: &Grey,
    h: &Matrix3<f64>,
    contrast: f64,
    least_slope: f64,
    reach: f64,
) -> Vec<EdgePoint> {
    let mut out = Vec::new();
    for line in 1..8 {
        for cell in 0..8 {
            for along in ALONG {
                for vertical in [true, false] {
                    let (l, c) = (f64::from(line), f64::from(cell) + along);
                    let board = if vertical { [l, c] } else { [c, l] };
                    // Brightness step from the cell before the line to the one after it.
                    let before_is_dark = (line - 1 + cell) % 2 == 0;
                    let sign = if before_is_dark {
                        contrast.signum()
                    } else {
                        -contrast.signum()
                    };
                    if let Some(p) = edge_point(grey, h, board, vertical, sign, least_slope, reach)
                    {
                        out.push(p);
                    }
                }
            }
        }
    }
    out
}

fn edge_point(
    grey: &Grey,
    h: &Matrix3<f64>,
    board: [f64; 2],
    vertical: bool,
    sign: f64,
    least_slope: f64,
    reach: f64,
) -> Option<EdgePoint> {
    let shift = |d: f64| {
        if vertical {
            [board[0] + d, board[1]]
        } else {
            [board[0], board[1] + d]
        }
    };
    let along = |d: f64| {
        if vertical {
            [board[0], board[1] + d]
        } else {
            [board[0] + d, board[1]]
        }
    };
    let (at, across) = (apply(h, board), apply(h, shift(0.05)));
    let tangent = {
        let t = apply(h, along(0.05));
        [t[0] - at[0], t[1] - at[1]]
    };
    // The normal of the projected line, pointing to the cell after it.
    let length = tangent[0].hypot(tangent[1]).max(1e-9);
    let mut normal = [-tangent[1] / length, tangent[0] / length];
    if normal[0] * (across[0] - at[0]) + normal[1] * (across[1] - at[1]) < 0.0 {
        normal = [-normal[0], -normal[1]];
    }
    let far = apply(h, shift(reach));
    let range = (normal[0] * (far[0] - at[0]) + normal[1] * (far[1] - at[1]))
        .abs()
        .max(2.0);
    if !believable(grey, range) {
        return None;
    }
    let steps = range.ceil() as i32;
    let profile: Vec<f64> = (-steps - 1..=steps + 1)
        .map(|k| {
            grey.at([
                at[0] + f64::from(k) * normal[0],
                at[1] + f64::from(k) * normal[1],
            ])
        })
        .collect();
    let slopes: Vec<f64> = profile.windows(3).map(|w| sign * (w[2] - w[0])).collect();
    let (best, slope) = slopes
        .iter()
        .enumerate()
        .max_by(|a, b| a.1.total_cmp(b.1))?;
    if *slope < least_slope || best == 0 || best + 1 == slopes.len() {
        return None;
    }
    let (before, after) = (slopes.get(best - 1)?, slopes.get(best + 1)?);
    let curve = before - 2.0 * slope + after;
    let fine = if curve < 0.0 {
        ((before - after) / (2.0 * curve)).clamp(-0.5, 0.5)
    } else {
        0.0
    };
    Some(EdgePoint {
        board,
        normal,
        offset_px: best as f64 - f64::from(steps) + fine,
    })
}

/// One Gauss-Newton step on the eight corner coordinates; far-off edges count little.
fn adjust(corners: &Corners, edges: &[EdgePoint]) -> Option<(Corners, f64)> {
    let order = corners.in_order();
    let h = image_from_board(corners)?;
    let mut moved = Vec::with_capacity(8);
    for k in 0..8 {
        let mut c = order;
        c[k / 2][k % 2] += 0.1;
        moved.push(homography(&BOARD, &c)?);
    }
    let mut offsets: Vec<f64> = edges.iter().map(|e| e.offset_px.abs()).collect();
    offsets.sort_by(f64::total_cmp);
    let scale = (1.5 * offsets.get(offsets.len() / 2)?).max(0.3);
    let mut a = SMatrix::<f64, 8, 8>::zeros();
    let mut b = SVector::<f64, 8>::zeros();
    let (mut sum, mut weight) = (0.0, 0.0);
    for e in edges {
        let w = 1.0 / (1.0 + (e.offset_px / scale).powi(2)).powi(2);
        let at = apply(&h, e.board);
        let mut j = SVector::<f64, 8>::zeros();
        for (k, m) in moved.iter().enumerate() {
            let p = apply(m, e.board);
            j[k] = (e.normal[0] * (p[0] - at[0]) + e.normal[1] * (p[1] - at[1])) / 0.1;
        }
        a += j * j.transpose() * w;
        b += j * e.offset_px * w;
        sum += w * e.offset_px * e.offset_px;
        weight += w;
    }
    let delta = a.lu().solve(&b)?;
    let mut next = order;
    for k in 0..8 {
        next[k / 2][k % 2] += delta[k];
    }
    next.iter()
        .flatten()
        .all(|v| v.is_finite())
        .then(|| (Corners::from_order(next), (sum / weight.max(1e-9)).sqrt()))
}
