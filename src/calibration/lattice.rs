//! Grows a lattice over crossings: from two neighbours of a crossing outwards, each new ring by
//! the homography of what was found so far.

use std::collections::HashMap;

use nalgebra::{Matrix3, Vector3};
use opencv::{
    calib3d::find_homography,
    core::{Mat, MatTraitConst, Point2d, Vector},
};

use super::saddles::Saddle;

/// A lattice with its crossings: integer coordinates to image points.
pub struct Lattice {
    /// Homography from lattice coordinates to the image, pixels.
    pub image_from_lattice: Matrix3<f64>,
    /// Crossings by their integer coordinates, in the order found.
    pub nodes: Vec<([i32; 2], [f64; 2])>,
    /// Median distance of the crossings from the homography, as a share of the local spacing.
    misfit: f64,
}

/// Seeds tried, strongest crossings first.
const SEEDS: usize = 90;
/// Of these, the ones tried even when a lattice has them already; the others would mostly grow
/// the same one again.
const EAGER_SEEDS: usize = 12;
/// Neighbours of a seed that may span the lattice.
const NEIGHBOURS: usize = 9;
/// A crossing belongs to a node when it is nearer than this share of the local spacing.
const SNAP: f64 = 0.22;
/// A board has seven by seven inner crossings; its frame may add some.
const MOST_EXTENT: i32 = 9;
/// Lattices handed on to be tried as boards.
const KEPT: usize = 4;
/// Median misfit, as a share of the local spacing, from which crossings are there by chance: a
/// random point within [`SNAP`] lies at 0.7 times that in the median.
const MOST_MISFIT: f64 = 0.1;
/// Crossings of which one is certain to be on a board.
const ENOUGH: usize = 42;

/// The few most believable lattices with at least `least` crossings, best first.
#[must_use]
pub fn grow_best(saddles: &[Saddle], least: usize) -> Vec<Lattice> {
    let mut kept: Vec<Lattice> = Vec::new();
    for (rank, seed) in saddles.iter().take(SEEDS).enumerate() {
        let explained = |l: &Lattice| l.nodes.iter().any(|n| squared(sub(n.1, seed.at)) < 1e-12);
        if rank >= EAGER_SEEDS && kept.iter().any(explained) {
            continue;
        }
        let mut near: Vec<&Saddle> = saddles
            .iter()
            .filter(|s| distance(s.at, seed.at) > 1.0)
            .collect();
        let apart = |s: &Saddle| squared(sub(s.at, seed.at));
        near.sort_by(|a, b| apart(a).total_cmp(&apart(b)));
        near.truncate(NEIGHBOURS);
        for (i, a) in near.iter().enumerate() {
            for b in near.iter().skip(i + 1).filter(|b| spans(seed, a, b)) {
                if let Some(lattice) = grow(saddles, seed, a, b)
                    && lattice.nodes.len() >= least
                {
                    keep(&mut kept, lattice);
                }
            }
        }
        if kept.first().is_some_and(|b| b.nodes.len() >= ENOUGH) {
            break;
        }
    }
    kept
}

/// Adds a lattice to those kept, in order of value, one for each set of crossings.
fn keep(kept: &mut Vec<Lattice>, lattice: Lattice) {
    let same = |other: &Lattice| {
        let shared = lattice
            .nodes
            .iter()
            .filter(|n| other.nodes.iter().any(|o| squared(sub(o.1, n.1)) < 1e-12))
            .count();
        2 * shared > lattice.nodes.len().min(other.nodes.len())
    };
    if kept.iter().any(|o| same(o) && o.value() >= lattice.value()) {
        return;
    }
    kept.retain(|o| !same(o));
    kept.push(lattice);
    kept.sort_by(|a, b| b.value().total_cmp(&a.value()));
    kept.truncate(KEPT);
}

impl Lattice {
    /// Crossings, less those that a lattice through random points with such errors would catch.
    fn value(&self) -> f64 {
        self.nodes.len() as f64 * (1.0 - self.misfit / MOST_MISFIT)
    }
}

/// Square of a vector's length: cheap where only the order counts.
fn squared([x, y]: [f64; 2]) -> f64 {
    x * x + y * y
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Whether two neighbours of a crossing can be the next ones along the two lines through it:
/// opposite in phase to it, not in line with each other, of comparable distance.
fn spans(seed: &Saddle, a: &Saddle, b: &Saddle) -> bool {
    let (u, v) = (sub(a.at, seed.at), sub(b.at, seed.at));
    let (lu, lv) = (u[0].hypot(u[1]), v[0].hypot(v[1]));
    let sine = (u[0] * v[1] - u[1] * v[0]).abs() / (lu * lv).max(1e-9);
    let ratio = lu.max(lv) / lu.min(lv).max(1e-9);
    lu > 8.0 && lv > 8.0 && ratio < 4.0 && sine > 0.35 && opposite(seed, a) && opposite(seed, b)
}

fn sub(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// cos of twice the angle between the light axes: -1 for neighbours, +1 across a diagonal.
fn phase(a: &Saddle, b: &Saddle) -> f64 {
    (2.0 * (a.light_axis - b.light_axis)).cos()
}

fn opposite(a: &Saddle, b: &Saddle) -> bool {
    phase(a, b) < -0.3
}

fn grow(saddles: &[Saddle], seed: &Saddle, a: &Saddle, b: &Saddle) -> Option<Lattice> {
    let (u, v) = (sub(a.at, seed.at), sub(b.at, seed.at));
    let mut h = Matrix3::new(
        u[0], v[0], seed.at[0], u[1], v[1], seed.at[1], 0.0, 0.0, 1.0,
    );
    let mut taken: HashMap<[i32; 2], usize> = HashMap::new();
    let mut radius = 1;
    let mut last = 0;
    loop {
        taken = snap(saddles, seed, &h, &taken, radius);
        if taken.len() >= 4
            && let Some(fit) = fit(saddles, &taken)
        {
            h = fit;
        } else if radius > 1 {
            return None;
        }
        if taken.len() < 5 {
            return None;
        }
        if radius >= MOST_EXTENT && taken.len() <= last {
            break;
        }
        last = taken.len();
        radius = (radius + 1).min(MOST_EXTENT);
    }
    finish(saddles, &taken, h)
}

/// Assigns crossings to the nodes next to those taken, keeping what still fits.
fn snap(
    saddles: &[Saddle],
    seed: &Saddle,
    h: &Matrix3<f64>,
    taken: &HashMap<[i32; 2], usize>,
    radius: i32,
) -> HashMap<[i32; 2], usize> {
    let mut out = HashMap::new();
    for x in -radius..=radius {
        for y in -radius..=radius {
            let beside = taken.is_empty()
                || taken.contains_key(&[x, y])
                || (-1..=1).any(|dx| (-1..=1).any(|dy| taken.contains_key(&[x + dx, y + dy])));
            if !beside {
                continue;
            }
            let (fx, fy) = (f64::from(x), f64::from(y));
            let at = apply(h, [fx, fy]);
            let step =
                distance(at, apply(h, [fx + 1.0, fy])).min(distance(at, apply(h, [fx, fy + 1.0])));
            let even = (x + y) % 2 == 0;
            let reach = (SNAP * step).powi(2);
            let nearest = saddles
                .iter()
                .enumerate()
                .map(|(i, s)| (i, s, squared(sub(s.at, at))))
                .filter(|(_, s, d)| *d < reach && (phase(seed, s) > 0.0) == even)
                .min_by(|a, b| a.2.total_cmp(&b.2));
            if let Some((index, ..)) = nearest {
                out.insert([x, y], index);
            }
        }
    }
    out
}

/// Homography through the taken crossings.
fn fit(saddles: &[Saddle], taken: &HashMap<[i32; 2], usize>) -> Option<Matrix3<f64>> {
    let mut rows: Vec<([i32; 2], [f64; 2])> = taken
        .iter()
        .filter_map(|(k, i)| Some((*k, saddles.get(*i)?.at)))
        .collect();
    rows.sort_by_key(|r| r.0);
    homography_through(&rows)
}

/// Least-squares homography from lattice nodes to image points.
#[must_use]
pub fn homography_through(nodes: &[([i32; 2], [f64; 2])]) -> Option<Matrix3<f64>> {
    let from: Vector<Point2d> = nodes
        .iter()
        .map(|(k, _)| Point2d::new(f64::from(k[0]), f64::from(k[1])))
        .collect();
    let to: Vector<Point2d> = nodes
        .iter()
        .map(|(_, p)| Point2d::new(p[0], p[1]))
        .collect();
    let mut mask = Mat::default();
    let h = find_homography(&from, &to, &mut mask, 0, 3.0).ok()?;
    let mut out = Matrix3::zeros();
    for r in 0..3 {
        for c in 0..3 {
            out[(r, c)] = *h.at_2d::<f64>(r as i32, c as i32).ok()?;
        }
    }
    Some(out)
}

/// Applies a homography.
#[must_use]
pub fn apply(h: &Matrix3<f64>, [x, y]: [f64; 2]) -> [f64; 2] {
    let p = h * Vector3::new(x, y, 1.0);
    [p.x / p.z, p.y / p.z]
}

fn finish(
    saddles: &[Saddle],
    taken: &HashMap<[i32; 2], usize>,
    h: Matrix3<f64>,
) -> Option<Lattice> {
    let mut nodes: Vec<([i32; 2], [f64; 2])> = taken
        .iter()
        .filter_map(|(k, i)| Some((*k, saddles.get(*i)?.at)))
        .collect();
    nodes.sort_by_key(|n| n.0);
    // A sheared basis has the same crossings, but spreads them wider than a board can be.
    let span = |axis: usize| {
        let all = nodes.iter().map(|n| n.0[axis]);
        all.clone().max().unwrap_or(0) - all.min().unwrap_or(0)
    };
    if span(0).max(span(1)) >= MOST_EXTENT {
        return None;
    }
    let mut misfits: Vec<f64> = nodes
        .iter()
        .map(|(k, p)| {
            let (x, y) = (f64::from(k[0]), f64::from(k[1]));
            let at = apply(&h, [x, y]);
            let step =
                distance(at, apply(&h, [x + 1.0, y])).min(distance(at, apply(&h, [x, y + 1.0])));
            distance(at, *p) / step.max(1e-9)
        })
        .collect();
    misfits.sort_by(f64::total_cmp);
    let misfit = misfits.get(misfits.len() / 2).copied()?;
    (misfit < MOST_MISFIT).then_some(Lattice {
        image_from_lattice: h,
        nodes,
        misfit,
    })
}
