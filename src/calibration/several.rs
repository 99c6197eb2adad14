//! Several boards in one picture, as in a hall: roughly where each lies, so that each can then be
//! looked at by itself. What was found is masked, and what is left is searched again.

use opencv::core::{Mat, MatTraitConst, Rect};

use super::{
    edges::Fit,
    finder::{
        LEAST_CROSSINGS, LEAST_SQUARE_PX, SHRINKS, accept, area, crossings, fit_lattice, scaled,
        smallest_square_px, working_grey,
    },
    grid::{GridMap, alternation},
    lattice::{Lattice, grow_best},
    lens::Lens,
    pixels::{Brightness, Pixels},
    refusal::{PictureEdge, Refusal},
    saddles::{Grey, Saddle},
    view::Corners,
};

/// Longer side up to which a part of a picture is searched without being made smaller, pixels.
const FINEST_SIDE_PX: i32 = 960;
/// Crossings so near a board are its own, squares.
const OWN_SQUARES: f64 = 0.5;
/// Boards may touch, no more, squares.
const TOUCHING_SQUARES: f64 = 0.3;
/// Least alternation at which another picture shows a board, too.
const SHOWN: f64 = 0.5;
/// Pictures that must show a board, where there are so many.
const WITNESSES: usize = 2;

/// What there is of boards in a picture.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Boards {
    /// Outer corners of those that can be read, in reading order: row by row, each from the left.
    /// Which corner is a1 is not known.
    pub whole: Vec<Corners>,
    /// The others, in the same order.
    pub left_out: Vec<LeftOut>,
}

/// A board that cannot be read.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftOut {
    /// Its outer corners, beyond the picture where it leaves it.
    pub corners: Corners,
    /// Why.
    pub why: Refusal,
}

/// The boards in pictures of one size (BGR) from one camera at rest. A board is one when it is seen
/// in at least two of them.
///
/// # Errors
/// [`Refusal::Picture`].
pub fn find_boards(frames: &[Mat]) -> Result<Boards, Refusal> {
    let mut found: Vec<(Corners, Option<Refusal>)> = Vec::new();
    for frame in frames {
        search(frame, &mut found).map_err(Refusal::picture)?;
    }
    let needed = WITNESSES.min(frames.len());
    found.retain(|(corners, _)| {
        let witnesses = frames.iter().filter(|f| shows(f, corners)).count();
        witnesses >= needed
    });
    for (corners, why) in &mut found {
        let square_px = smallest_square_px(corners);
        if square_px < LEAST_SQUARE_PX {
            why.get_or_insert(Refusal::TooSmall {
                square_px,
                least_px: LEAST_SQUARE_PX,
            });
        }
    }
    let mut boards = Boards::default();
    for (corners, why) in in_reading_order(found, |(corners, _)| *corners) {
        match why {
            None => boards.whole.push(corners),
            Some(why) => boards.left_out.push(LeftOut { corners, why }),
        }
    }
    Ok(boards)
}

impl Boards {
    /// Keeps so many of those that can be read, the largest, in their order.
    pub fn keep_largest(&mut self, count: usize) {
        let mut areas: Vec<f64> = self.whole.iter().map(area).collect();
        areas.sort_by(|a, b| b.total_cmp(a));
        if let Some(least) = count.checked_sub(1).and_then(|last| areas.get(last)) {
            self.whole.retain(|corners| area(corners) >= *least);
        }
        self.whole.truncate(count);
    }
}

/// Row by row from above, each from the left: whatever begins above the middle of a row's first
/// board belongs to the row.
fn in_reading_order<T>(mut boards: Vec<T>, corners: impl Fn(&T) -> Corners) -> Vec<T> {
    let centre = |board: &T| {
        let points = corners(board).in_order();
        [0, 1].map(|i| points.iter().map(|p| p[i]).sum::<f64>() / 4.0)
    };
    let height = |board: &T| {
        let ys = corners(board).in_order().map(|p| p[1]);
        ys.iter().fold(f64::NEG_INFINITY, |a, y| a.max(*y))
            - ys.iter().fold(f64::INFINITY, |a, y| a.min(*y))
    };
    boards.sort_by(|a, b| centre(a)[1].total_cmp(&centre(b)[1]));
    let mut ordered = Vec::new();
    while let Some(first) = boards.first() {
        let end = centre(first)[1] + height(first) / 2.0;
        let (mut row, rest): (Vec<T>, Vec<T>) =
            boards.into_iter().partition(|b| centre(b)[1] < end);
        row.sort_by(|a, b| centre(a)[0].total_cmp(&centre(b)[0]));
        ordered.extend(row);
        boards = rest;
    }
    ordered
}

/// Whether a picture shows a board there, whichever way round.
fn shows(frame: &Mat, corners: &Corners) -> bool {
    let mean = || {
        let pixels = Pixels::of(frame)?;
        let [width, height] = pixels.size_px();
        let map = GridMap::new(corners, Lens::default().of_picture(width, height))?;
        Some(alternation(&pixels, &map).mean)
    };
    mean().is_some_and(|mean| mean > SHOWN)
}

/// Adds the boards of one picture that are not known yet: of all of it, then of smaller and smaller
/// parts that overlap by half, so that small boards are seen in full sharpness.
fn search(frame: &Mat, found: &mut Vec<(Corners, Option<Refusal>)>) -> opencv::Result<()> {
    let (width, height) = (frame.cols(), frame.rows());
    let mut parts = 1;
    loop {
        let (w, h) = (width / parts, height / parts);
        for row in 0..2 * parts - 1 {
            for column in 0..2 * parts - 1 {
                let part = Rect::new(column * w / 2, row * h / 2, w, h);
                search_part(frame, part, found)?;
            }
        }
        if w.max(h) <= FINEST_SIDE_PX {
            return Ok(());
        }
        parts *= 2;
    }
}

fn search_part(
    frame: &Mat,
    part: Rect,
    found: &mut Vec<(Corners, Option<Refusal>)>,
) -> opencv::Result<()> {
    let (float, scale) = working_grey(&Mat::roi(frame, part)?.try_clone()?)?;
    let grey = Grey::from_mat(&float)?;
    let look = Part {
        grey: &grey,
        scale,
        rect: part,
        picture: (frame.cols(), frame.rows()),
    };
    for shrink in SHRINKS {
        let all = crossings(&float, shrink)?;
        loop {
            let free: Vec<Saddle> = all
                .iter()
                .filter(|s| !found.iter().any(|(b, _)| look.is_on(s.at, b)))
                .copied()
                .collect();
            let lattices = grow_best(&free, LEAST_CROSSINGS);
            let next = lattices.iter().find_map(|lattice| {
                let (corners, why) = look.board(lattice)?;
                let apart = !found.iter().any(|(other, _)| overlap(&corners, other));
                apart.then_some((corners, why))
            });
            match next {
                Some(next) => found.push(next),
                None => break,
            }
        }
    }
    Ok(())
}

/// A part of a picture that is searched.
struct Part<'a> {
    grey: &'a Grey,
    /// Its pixels for one pixel of the picture.
    scale: f64,
    rect: Rect,
    picture: (i32, i32),
}

impl Part<'_> {
    fn in_picture(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [
            x / self.scale + f64::from(self.rect.x),
            y / self.scale + f64::from(self.rect.y),
        ]
    }

    fn is_on(&self, crossing: [f64; 2], board: &Corners) -> bool {
        lies_on(
            self.in_picture(crossing),
            board,
            -OWN_SQUARES..8.0 + OWN_SQUARES,
        )
    }

    /// The board on a lattice, in pixels of the picture, and why it cannot be read, if it leaves the
    /// picture. What leaves only this part of it is whole in another part.
    fn board(&self, lattice: &Lattice) -> Option<(Corners, Option<Refusal>)> {
        let (fit, alternation) = fit_lattice(self.grey, lattice).ok()?;
        let Fit { corners, .. } = fit;
        let why = match accept(self.grey, &corners, &alternation, lattice.nodes.len()) {
            Ok(()) => None,
            Err(Refusal::OutOfView { corners, edges })
                if edges.iter().all(|e| self.is_pictures_own(*e)) =>
            {
                Some(Refusal::OutOfView { corners, edges })
            }
            Err(_) => return None,
        };
        let full = scaled(&corners, 1.0 / self.scale).in_order();
        let [x, y] = [self.rect.x, self.rect.y].map(f64::from);
        let corners = Corners::from_order(full.map(|[u, v]| [u + x, v + y]));
        Some((corners, why))
    }

    fn is_pictures_own(&self, edge: PictureEdge) -> bool {
        let (rect, (width, height)) = (self.rect, self.picture);
        match edge {
            PictureEdge::Left => rect.x == 0,
            PictureEdge::Upper => rect.y == 0,
            PictureEdge::Right => rect.x + rect.width + 1 >= width,
            PictureEdge::Lower => rect.y + rect.height + 1 >= height,
        }
    }
}

/// Whether a point (pixels) lies on a board, within `limits` in both directions, squares.
fn lies_on(point: [f64; 2], board: &Corners, limits: std::ops::Range<f64>) -> bool {
    // A plain lens needs no size.
    let plain = Lens::default().of_picture(1.0, 1.0);
    GridMap::new(board, plain)
        .is_some_and(|map| map.board_point(point).iter().all(|v| limits.contains(v)))
}

fn overlap(a: &Corners, b: &Corners) -> bool {
    let limits = TOUCHING_SQUARES..8.0 - TOUCHING_SQUARES;
    let has_corner_on = |from: &Corners, on: &Corners| {
        let points = from.in_order();
        let centre = [0, 1].map(|i| points.iter().map(|p| p[i]).sum::<f64>() / 4.0);
        let mut all = points.into_iter().chain([centre]);
        all.any(|p| lies_on(p, on, limits.clone()))
    };
    has_corner_on(a, b) || has_corner_on(b, a)
}
