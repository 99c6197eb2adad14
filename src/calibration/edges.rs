//! Sub-pixel measurement of the edges between light and dark squares, and the fit of the corners
//! (and of the lens) to them.

use nalgebra::{SMatrix, SVector};

use super::{
    grid::{GridMap, alternation, believable, blur},
    lens::{Lens, LensMap, MOST_K1},
    pixels::Brightness,
    view::Corners,
};

/// One measured point on an edge between two squares.
#[derive(Debug, Clone, Copy)]
pub struct EdgePoint {
    /// Where it should be, squares.
    pub board: [f64; 2],
    /// Unit normal of the edge in the image, towards the higher file or rank.
    pub normal: [f64; 2],
    /// How far along the normal it is seen, pixels.
    pub offset_px: f64,
}

/// What is looked for at the edges.
#[derive(Debug, Clone, Copy)]
pub struct Seek {
    /// Light minus dark squares, grey levels; positive when a1 is dark.
    pub contrast: f64,
    /// Least change of brightness over two pixels, grey levels.
    pub least_slope: f64,
    /// Distance searched to both sides, squares; at least [`Seek::least_reach_px`].
    pub reach: f64,
    /// Least distance searched, pixels.
    pub least_reach_px: f64,
}

/// Places along an edge (squares) at which its position is measured.
const ALONG: [f64; 6] = [0.12, 0.27, 0.42, 0.58, 0.73, 0.88];
/// Number of places at which edges are measured.
pub const PLACES: usize = 7 * 8 * 2 * ALONG.len();
/// Least share of the full contrast that brightness must change over two pixels for an edge to
/// count; in a blurred picture half of what its edges change in the median.
const MIN_EDGE: f64 = 0.35;
/// Fewest edges from which corners are fitted anew.
const LEAST_EDGES: usize = 120;
/// Step of the numeric derivatives by a corner's coordinate, pixels ...
const STEP_PX: f64 = 0.1;
/// ... and by the lens's coefficient.
const STEP_K1: f64 = 1e-3;
/// An edge so near to the grid belongs to it, pixels.
const WITHIN_PX: f64 = 0.8;
/// Unknowns: eight coordinates of corners and the lens's coefficient.
const UNKNOWNS: usize = 9;

/// Corners and lens as fitted to edges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// Outer corners, image pixels.
    pub corners: Corners,
    /// The lens.
    pub lens: Lens,
    /// Root mean square distance of the edges from the grid, far-off ones counting little, pixels.
    pub rms_px: f64,
    /// Standard error of the worst corner coordinate, pixels.
    pub error_px: f64,
    /// Share (0..1) of the edges within 0.8 pixels of the grid after the fit.
    pub inliers: f64,
    /// Edges measured.
    pub edges: usize,
}

/// Least slope at which an edge counts in a picture of this contrast and blur.
#[must_use]
pub fn least_slope(contrast: f64, blur_px: f64) -> f64 {
    MIN_EDGE.min(1.0 / blur_px.max(1.0)) * contrast.abs()
}

/// Moves the corners so that the grid lies on the edges between light and dark squares, searching
/// `reach` squares to both sides. With `free_lens` the lens is fitted too. `None` when too few
/// edges are seen.
#[must_use]
pub fn refine<L: Brightness>(
    light: &L,
    corners: &Corners,
    lens: LensMap,
    reach: f64,
    free_lens: bool,
) -> Option<Fit> {
    let mut corners = *corners;
    let mut lens = lens;
    let mut fit = None;
    let blur_px = blur(light, &GridMap::new(&corners, lens)?).max(1.0);
    for step in 0..6 {
        let reach = if step == 0 {
            reach
        } else {
            (reach / f64::from(step + 1)).max(0.1)
        };
        let map = GridMap::new(&corners, lens)?;
        let contrast = alternation(light, &map).contrast;
        let seek = Seek {
            contrast,
            least_slope: least_slope(contrast, blur_px),
            reach,
            least_reach_px: 2.0,
        };
        let edges = measure(light, &map, &seek, 1);
        if edges.len() < LEAST_EDGES {
            return None;
        }
        let next = adjust(&corners, lens, &edges, free_lens)?;
        corners = next.corners;
        lens = lens.with(next.lens);
        fit = Some(next);
    }
    fit
}

/// Positions of the inner edges, measured along their normals, at every `stride`-th place.
#[must_use]
pub fn measure<L: Brightness>(
    light: &L,
    map: &GridMap,
    seek: &Seek,
    stride: usize,
) -> Vec<EdgePoint> {
    let places = (1..8).flat_map(|line| {
        (0..8).flat_map(move |cell| ALONG.into_iter().map(move |along| (line, cell, along)))
    });
    // Both directions at each place that is kept: with one of them alone nothing is determined.
    places
        .step_by(stride.max(1))
        .flat_map(|(line, cell, along)| [true, false].map(|v| (line, cell, along, v)))
        .filter_map(|(line, cell, along, vertical)| {
            let (l, c) = (f64::from(line), f64::from(cell) + along);
            let board = if vertical { [l, c] } else { [c, l] };
            // Brightness step from the cell before the line to the one after it.
            let before_is_dark = (line - 1 + cell) % 2 == 0;
            let sign = if before_is_dark {
                seek.contrast.signum()
            } else {
                -seek.contrast.signum()
            };
            edge_point(light, map, board, vertical, sign, seek)
        })
        .collect()
}

fn edge_point<L: Brightness>(
    light: &L,
    map: &GridMap,
    board: [f64; 2],
    vertical: bool,
    sign: f64,
    seek: &Seek,
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
    let (at, across) = (map.at(board), map.at(shift(0.05)));
    let tangent = {
        let t = map.at(along(0.05));
        [t[0] - at[0], t[1] - at[1]]
    };
    // The normal of the projected line, pointing to the cell after it.
    let length = tangent[0].hypot(tangent[1]).max(1e-9);
    let mut normal = [-tangent[1] / length, tangent[0] / length];
    let step = normal[0] * (across[0] - at[0]) + normal[1] * (across[1] - at[1]);
    if step < 0.0 {
        normal = [-normal[0], -normal[1]];
    }
    let range = (step.abs() * 20.0 * seek.reach).max(seek.least_reach_px);
    if !believable(light, range) {
        return None;
    }
    let steps = range.ceil() as i32;
    let profile: Vec<f64> = (-steps - 1..=steps + 1)
        .map(|k| {
            light.at([
                at[0] + f64::from(k) * normal[0],
                at[1] + f64::from(k) * normal[1],
            ])
        })
        .collect();
    let slopes = || profile.windows(3).map(|w| sign * (w[2] - w[0]));
    let (best, slope) = slopes().enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let count = profile.len() - 2;
    if slope < seek.least_slope || best == 0 || best + 1 == count {
        return None;
    }
    let (before, after) = (slopes().nth(best - 1)?, slopes().nth(best + 1)?);
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

/// One Gauss-Newton step on the eight corner coordinates and, with `free_lens`, on the lens's
/// coefficient; far-off edges count little. `None` when the edges do not determine them.
#[must_use]
pub fn adjust(
    corners: &Corners,
    lens: LensMap,
    edges: &[EdgePoint],
    free_lens: bool,
) -> Option<Fit> {
    let order = corners.in_order();
    let map = GridMap::new(corners, lens)?;
    let mut moved = Vec::with_capacity(UNKNOWNS);
    for k in 0..8 {
        let mut c = order;
        c[k / 2][k % 2] += STEP_PX;
        moved.push((GridMap::new(&Corners::from_order(c), lens)?, STEP_PX));
    }
    if free_lens {
        let bent = lens.with(Lens {
            k1: lens.lens().k1 + STEP_K1,
        });
        moved.push((GridMap::new(corners, bent)?, STEP_K1));
    }
    let mut offsets: Vec<f64> = edges.iter().map(|e| e.offset_px.abs()).collect();
    offsets.sort_by(f64::total_cmp);
    let scale = (1.5 * offsets.get(offsets.len() / 2)?).max(0.3);
    let mut a = SMatrix::<f64, UNKNOWNS, UNKNOWNS>::zeros();
    let mut b = SVector::<f64, UNKNOWNS>::zeros();
    let (mut sum, mut weight) = (0.0, 0.0);
    let mut slopes = Vec::with_capacity(edges.len());
    for e in edges {
        let w = 1.0 / (1.0 + (e.offset_px / scale).powi(2)).powi(2);
        let at = map.at(e.board);
        let mut j = SVector::<f64, UNKNOWNS>::zeros();
        for (k, (m, step)) in moved.iter().enumerate() {
            let p = m.at(e.board);
            j[k] = (e.normal[0] * (p[0] - at[0]) + e.normal[1] * (p[1] - at[1])) / step;
        }
        a += j * j.transpose() * w;
        b += j * e.offset_px * w;
        sum += w * e.offset_px * e.offset_px;
        weight += w;
        slopes.push(j);
    }
    if !free_lens {
        a[(8, 8)] = 1.0;
    }
    let inverse = a.try_inverse()?;
    let delta = inverse * b;
    let left: Vec<f64> = edges
        .iter()
        .zip(&slopes)
        .map(|(e, j)| (e.offset_px - j.dot(&delta)).abs())
        .collect();
    let within = left.iter().filter(|r| **r < WITHIN_PX).count();
    let mut next = order;
    for k in 0..8 {
        next[k / 2][k % 2] += delta[k];
    }
    let rms_px = (sum / weight.max(1e-9)).sqrt();
    let worst = (0..8).map(|k| inverse[(k, k)]).fold(0.0, f64::max);
    let k1 = lens.lens().k1 + if free_lens { delta[8] } else { 0.0 };
    next.iter()
        .flatten()
        .chain([&k1])
        .all(|v| v.is_finite())
        .then(|| Fit {
            corners: Corners::from_order(next),
            lens: Lens {
                k1: k1.clamp(-MOST_K1, MOST_K1),
            },
            rms_px,
            error_px: worst.max(0.0).sqrt() * rms_px.max(0.1),
            inliers: within as f64 / edges.len().max(1) as f64,
            edges: edges.len(),
        })
}
