//! Finds the board in pictures by itself: crossings, a lattice over them, the eight by eight
//! squares on it, sub-pixel corners, and which side is White's.

use opencv::{
    core::{CV_32F, Mat, MatTraitConst, Size, mean_def},
    imgproc::{COLOR_BGR2GRAY, INTER_AREA, cvt_color_def, resize},
};
use shakmaty::Board;

use super::{
    edges::{Fit, refine},
    grid::{Alternation, GridMap, alternation, blur},
    lattice::{Lattice, apply, grow_best},
    lens::{Lens, LensMap},
    orient::orient,
    pixels::{Brightness, Pixels},
    refusal::{Doubt, PictureEdge, Refusal},
    saddles::{Grey, Saddle, find},
    view::{BoardView, Corners},
};

/// Pictures are searched in at most this size (longer side, pixels).
const WORKING_SIDE_PX: f64 = 960.0;
/// Shares of that size at which crossings are looked for in turn: the smaller one passes over
/// lines between the squares, grain and noise.
pub(super) const SHRINKS: [f64; 2] = [1.0, 0.5];
/// Mean grey below which a picture is too dark.
const TOO_DARK: f64 = 18.0;
/// Crossings a board must show in one picture.
pub(super) const LEAST_CROSSINGS: usize = 14;
/// Least mean alternation of a board.
const LEAST_ALTERNATION: f64 = 0.55;
/// Least alternation of each outermost line of squares.
const LEAST_BORDER: f64 = 0.25;
/// How much more the board's weakest outermost line must alternate than the strongest line beyond
/// it: less means that the pattern goes on, as on a floor or a woven cloth.
const LEAST_END: f64 = 0.1;
/// Share of the picture by which a corner may lie outside.
const OUTSIDE: f64 = 0.015;

/// A board as found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Outer corners of the 64 squares, pixels of the given pictures.
    pub corners: Corners,
    /// 0..1: how much like a board it looks and how sure its direction is.
    pub confidence: f64,
    /// The camera's lens: plain unless the edges show clearly that it distorts.
    pub lens: Lens,
    /// Root mean square distance of the squares' edges from the grid, pixels.
    pub residual_px: f64,
    /// What a person should know.
    pub doubts: Vec<Doubt>,
}

/// Reads the 64 squares of a picture: class probabilities, for orientation and the check of the
/// start position. Squares in the order a1, b1, ... h8; contents empty,P,N,B,R,Q,K,p,n,b,r,q,k.
pub trait SquareReader {
    /// Natural logarithms of the probabilities.
    ///
    /// # Errors
    /// In words, when the picture cannot be read.
    fn read(&mut self, frame: &Mat, view: &BoardView) -> Result<Vec<[f32; 13]>, String>;
}

/// One picture's candidate: corners in no particular turn, in full-size pixels.
struct Candidate {
    corners: Corners,
    lens: Lens,
    residual_px: f64,
    alternation: Alternation,
    frame: usize,
}

/// Finds the board in one or more pictures (BGR, one size) and turns it so that `start` fits.
///
/// # Errors
/// [`Refusal`]: what was seen instead, and what to do.
pub fn find_board(
    frames: &[Mat],
    start: &Board,
    reader: Option<&mut dyn SquareReader>,
) -> Result<Found, Refusal> {
    let mut candidates = Vec::new();
    let mut worst: Option<Refusal> = None;
    for (index, frame) in frames.iter().enumerate() {
        match candidate(frame, index) {
            Ok(c) => candidates.push(c),
            Err(refusal) => worst = Some(refusal.or_better(worst)),
        }
    }
    let Some(mut best) = agreed(&candidates, frames) else {
        return Err(worst.unwrap_or(Refusal::NoBoard { crossings: 0 }));
    };
    let frame = frames
        .get(best.frame)
        .ok_or(Refusal::NoBoard { crossings: 0 })?;
    if let Some(other) = rival(frame, &best).map_err(Refusal::picture)? {
        let share = area(&other.corners) / area(&best.corners).max(1.0);
        if share * RIVAL_AREA > 1.0 {
            // The one found first stands farther off.
            best = other;
        } else if share >= RIVAL_AREA {
            return Err(Refusal::TwoBoards);
        }
    }
    let square_px = smallest_square_px(&best.corners);
    if square_px < LEAST_SQUARE_PX {
        return Err(Refusal::TooSmall {
            square_px,
            least_px: LEAST_SQUARE_PX,
        });
    }
    let (corners, certainty) = orient(frame, &best.corners, best.lens, start, reader)?;
    let blur_px = blur_px(frame, &corners, best.lens).map_err(Refusal::picture)?;
    let mut doubts = Doubt::of(frame, &corners, &best.alternation, blur_px);
    if certainty < 0.75 {
        doubts.push(Doubt::Direction);
    }
    Ok(Found {
        corners,
        confidence: (best.alternation.mean.clamp(0.0, 1.0) * certainty).clamp(0.0, 1.0),
        lens: best.lens,
        residual_px: best.residual_px,
        doubts,
    })
}

/// Width of the edges between squares, pixels of `frame`.
fn blur_px(frame: &Mat, corners: &Corners, lens: Lens) -> opencv::Result<f64> {
    let (float, scale) = working_grey(frame)?;
    let grey = Grey::from_mat(&float)?;
    let map = GridMap::new(&scaled(corners, scale), lens_map(&grey, lens));
    Ok(map.map_or(0.0, |m| blur(&grey, &m) / scale))
}

/// Corners in a picture of another size.
pub(super) fn scaled(corners: &Corners, factor: f64) -> Corners {
    Corners::from_order(corners.in_order().map(|[x, y]| [x * factor, y * factor]))
}

/// A lens for a picture.
fn lens_map<L: Brightness>(picture: &L, lens: Lens) -> LensMap {
    let [width, height] = picture.size_px();
    lens.of_picture(width, height)
}

/// The median of the candidates that agree with the best one, through the lens that most of them
/// show.
fn agreed(candidates: &[Candidate], frames: &[Mat]) -> Option<Candidate> {
    let quality = |c: &Candidate| {
        c.alternation.mean + c.alternation.weakest_border - c.alternation.strongest_outside.max(0.0)
    };
    // The candidate that most others agree with, the better-looking one where that is a draw.
    let best = candidates.iter().max_by(|a, b| {
        let support = |c: &Candidate| {
            candidates
                .iter()
                .filter(|o| aligned(&o.corners, &c.corners).is_some())
                .count()
        };
        support(a)
            .cmp(&support(b))
            .then(quality(a).total_cmp(&quality(b)))
    })?;
    let alike: Vec<(&Candidate, Corners)> = candidates
        .iter()
        .filter_map(|c| Some((c, aligned(&c.corners, &best.corners)?)))
        .collect();
    let lens = common_lens(alike.iter().map(|(c, _)| c.lens));
    let alike: Vec<Corners> = alike
        .into_iter()
        .map(|(c, corners)| {
            if c.lens == lens {
                return corners;
            }
            let again = frames
                .get(c.frame)
                .and_then(|f| refit(f, &corners, lens, 0.15));
            again.map_or(corners, |fit| fit.corners)
        })
        .collect();
    let mut order = best.corners.in_order();
    for (k, corner) in order.iter_mut().enumerate() {
        for (axis, value) in corner.iter_mut().enumerate() {
            let mut all: Vec<f64> = alike.iter().map(|c| c.in_order()[k][axis]).collect();
            all.sort_by(f64::total_cmp);
            *value = all.get(all.len() / 2).copied().unwrap_or(*value);
        }
    }
    Some(Candidate {
        corners: Corners::from_order(order),
        lens,
        residual_px: best.residual_px,
        alternation: best.alternation,
        frame: best.frame,
    })
}

/// The lens of several pictures of one camera: the median of those that show a distortion where
/// more than half do, else a plain one.
fn common_lens(lenses: impl Iterator<Item = Lens>) -> Lens {
    let all: Vec<Lens> = lenses.collect();
    let mut bent: Vec<f64> = all.iter().filter(|l| !l.is_plain()).map(|l| l.k1).collect();
    bent.sort_by(f64::total_cmp);
    match bent.get(bent.len() / 2) {
        Some(k1) if 2 * bent.len() > all.len() => Lens { k1: *k1 },
        _ => Lens::default(),
    }
}

/// Corners (pixels of the full frame) fitted to one picture through a given lens.
fn refit(frame: &Mat, corners: &Corners, lens: Lens, reach: f64) -> Option<Fit> {
    let pixels = Pixels::of(frame)?;
    refine(&pixels, corners, lens_map(&pixels, lens), reach, false)
}

/// `corners` turned so that it lies on `reference`, if it does to within a fifth of a square.
fn aligned(corners: &Corners, reference: &Corners) -> Option<Corners> {
    let r = reference.in_order();
    let square = (r[0][0] - r[2][0]).hypot(r[0][1] - r[2][1]) / 11.3;
    (0..4).map(|turn| corners.turned(turn)).find(|c| {
        c.in_order()
            .iter()
            .zip(&r)
            .all(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]) < 0.2 * square)
    })
}

/// Grey working picture (float) and its scale (working pixels for one pixel).
pub(super) fn working_grey(frame: &Mat) -> opencv::Result<(Mat, f64)> {
    let mut grey = Mat::default();
    cvt_color_def(frame, &mut grey, COLOR_BGR2GRAY)?;
    let longest = f64::from(grey.cols().max(grey.rows()));
    let scale = (WORKING_SIDE_PX / longest).min(1.0);
    let mut small = Mat::default();
    if scale < 1.0 {
        resize(&grey, &mut small, Size::default(), scale, scale, INTER_AREA)?;
    } else {
        small = grey;
    }
    let mut float = Mat::default();
    small.convert_to_def(&mut float, CV_32F)?;
    Ok((float, scale))
}

/// The board in one picture: the first scale and lattice that is accepted.
fn candidate(frame: &Mat, index: usize) -> Result<Candidate, Refusal> {
    let (float, scale) = working_grey(frame).map_err(Refusal::picture)?;
    let mean_grey = mean_def(&float).map_err(Refusal::picture)?[0];
    if mean_grey < TOO_DARK {
        return Err(Refusal::TooDark { mean_grey });
    }
    let grey = Grey::from_mat(&float).map_err(Refusal::picture)?;
    let mut worst: Option<Refusal> = None;
    for shrink in SHRINKS {
        let (lattices, crossings) = lattices(&float, shrink).map_err(Refusal::picture)?;
        if lattices.is_empty() {
            let why = poor_picture(&grey).unwrap_or(Refusal::NoBoard { crossings });
            worst = Some(why.or_better(worst));
        }
        for lattice in lattices {
            match on_lattice(&grey, &lattice) {
                Ok((fit, alternation)) => {
                    return Ok(Candidate {
                        corners: scaled(&fit.corners, 1.0 / scale),
                        lens: fit.lens,
                        residual_px: fit.rms_px / scale,
                        alternation,
                        frame: index,
                    });
                }
                Err(refusal) => worst = Some(refusal.or_better(worst)),
            }
        }
    }
    Err(worst.unwrap_or(Refusal::NoBoard { crossings: 0 }))
}

/// Shorter side of a board's smallest square below which nothing on it can be read, pixels.
pub(super) const LEAST_SQUARE_PX: f64 = 11.0;
/// A second board with at least this share of the first one's area is a rival to it; boards
/// farther off in a hall are not.
const RIVAL_AREA: f64 = 0.6;
/// Share of white pixels from which a picture is over-exposed.
const MOST_WHITE: f64 = 0.4;
/// Grey levels a pixel that a thousandth of the picture must exceed to be called sharp.
const LEAST_STEEP: f64 = 6.0;

/// Shorter side of the smallest corner square, pixels, by the quadrilateral's projection.
pub(super) fn smallest_square_px(corners: &Corners) -> f64 {
    BoardView::new(*corners, 1, 1)
        .or_else(|_| BoardView::new(wound(*corners), 1, 1))
        .map_or(0.0, |view| super::placement::smallest_square_px(&view))
}

/// What is wrong with a picture in which nothing like a board is seen.
fn poor_picture(grey: &Grey) -> Option<Refusal> {
    let (w, h) = (grey.width as isize, grey.height as isize);
    let (mut white, mut steps, mut count) = (0_usize, [0_usize; 256], 0_usize);
    for y in 0..h {
        for x in 0..w {
            let v = grey.pixel(x, y);
            white += usize::from(v >= 250.0);
            let step = (grey.pixel(x + 1, y) - v)
                .abs()
                .max((grey.pixel(x, y + 1) - v).abs());
            if let Some(bin) = steps.get_mut(step as usize) {
                *bin += 1;
            }
            count += 1;
        }
    }
    let share = white as f64 / count.max(1) as f64;
    if share > MOST_WHITE {
        return Some(Refusal::OverExposed { share });
    }
    let mut above = 0;
    let steepest = (0..256_usize)
        .rev()
        .find(|k| {
            above += steps.get(*k).copied().unwrap_or(0);
            above * 1000 > count
        })
        .unwrap_or(0) as f64;
    (steepest < LEAST_STEEP).then_some(Refusal::TooBlurred { steepest })
}

/// The largest other board in the picture.
fn rival(frame: &Mat, best: &Candidate) -> opencv::Result<Option<Candidate>> {
    let (float, scale) = working_grey(frame)?;
    let grey = Grey::from_mat(&float)?;
    let own = scaled(&best.corners, scale);
    let Some(map) = GridMap::new(&own, lens_map(&grey, best.lens)) else {
        return Ok(None);
    };
    let beside = |p: [f64; 2]| map.board_point(p).iter().any(|v| !(-1.0..9.0).contains(v));
    let others: Vec<_> = find(&float)?.into_iter().filter(|s| beside(s.at)).collect();
    Ok(grow_best(&others, LEAST_CROSSINGS)
        .iter()
        .filter_map(|lattice| on_lattice(&grey, lattice).ok())
        .filter(|(fit, _)| fit.corners.in_order().into_iter().all(beside))
        .map(|(fit, alternation)| Candidate {
            corners: scaled(&fit.corners, 1.0 / scale),
            lens: fit.lens,
            residual_px: fit.rms_px / scale,
            alternation,
            frame: best.frame,
        })
        .max_by(|a, b| area(&a.corners).total_cmp(&area(&b.corners))))
}

/// Area of a quadrilateral, square pixels.
pub(super) fn area(corners: &Corners) -> f64 {
    let p = corners.in_order();
    let twice: f64 = (0..4)
        .map(|i| p[i][0] * p[(i + 1) % 4][1] - p[(i + 1) % 4][0] * p[i][1])
        .sum();
    twice.abs() / 2.0
}

/// Lattices in a picture that is searched at `shrink` times its size, in pixels of the given
/// picture, and the number of crossings seen.
fn lattices(float: &Mat, shrink: f64) -> opencv::Result<(Vec<Lattice>, usize)> {
    let saddles = crossings(float, shrink)?;
    Ok((grow_best(&saddles, LEAST_CROSSINGS), saddles.len()))
}

/// Crossings in a picture that is searched at `shrink` times its size, in pixels of the given
/// picture.
pub(super) fn crossings(float: &Mat, shrink: f64) -> opencv::Result<Vec<Saddle>> {
    if shrink >= 1.0 {
        return find(float);
    }
    let mut small = Mat::default();
    resize(
        float,
        &mut small,
        Size::default(),
        shrink,
        shrink,
        INTER_AREA,
    )?;
    let mut saddles = find(&small)?;
    for s in &mut saddles {
        s.at = s.at.map(|v| v / shrink);
    }
    Ok(saddles)
}

/// The board on a lattice that is accepted, and how it looks.
fn on_lattice(grey: &Grey, lattice: &Lattice) -> Result<(Fit, Alternation), Refusal> {
    let (fit, alternation) = fit_lattice(grey, lattice)?;
    accept(grey, &fit.corners, &alternation, lattice.nodes.len())?;
    Ok((fit, alternation))
}

/// The board on a lattice, and how it looks.
pub(super) fn fit_lattice(grey: &Grey, lattice: &Lattice) -> Result<(Fit, Alternation), Refusal> {
    let crossings = lattice.nodes.len();
    let none = Refusal::NoBoard { crossings };
    let (corners, _) = place(grey, lattice)?;
    let plain = lens_map(grey, Lens::default());
    let fit = refine(grey, &corners, plain, 0.22, false).ok_or(none.clone())?;
    let bent = refine(grey, &fit.corners, plain, 0.22, true).filter(|bent| is_bent(&fit, bent));
    let fit = bent.unwrap_or(fit);
    let map = GridMap::new(&fit.corners, plain.with(fit.lens)).ok_or(none)?;
    let alternation = alternation(grey, &map);
    Ok((fit, alternation))
}

/// Share to which the edges' distance from the grid must fall for a distortion to be believed ...
const BENT_SHARE: f64 = 0.85;
/// ... and the part of it that the distortion must explain, pixels.
const BENT_PX: f64 = 0.1;

/// Whether the edges show that the lens distorts: one more unknown always fits a little better, so
/// it has to be clearly better in proportion, by something that can be seen, and for no fewer edges
/// (the feet of pieces and their shadows bend a few of them).
fn is_bent(plain: &Fit, bent: &Fit) -> bool {
    let explained = (plain.rms_px.powi(2) - bent.rms_px.powi(2)).max(0.0).sqrt();
    bent.lens.is_believable()
        && bent.rms_px <= BENT_SHARE * plain.rms_px
        && explained >= BENT_PX
        && bent.inliers >= plain.inliers
}

/// How many corners lie outside the picture, and beyond which of its edges.
fn outside(grey: &Grey, corners: &Corners) -> (usize, Vec<PictureEdge>) {
    let [w, h] = grey.size_px();
    let margin = OUTSIDE * w.max(h);
    let over = |edge: PictureEdge, [x, y]: [f64; 2]| match edge {
        PictureEdge::Left => x < -margin,
        PictureEdge::Right => x > w + margin,
        PictureEdge::Upper => y < -margin,
        PictureEdge::Lower => y > h + margin,
    };
    let points = corners.in_order();
    let all = [
        PictureEdge::Left,
        PictureEdge::Right,
        PictureEdge::Upper,
        PictureEdge::Lower,
    ];
    let count = points
        .iter()
        .filter(|p| all.iter().any(|e| over(*e, **p)))
        .count();
    let edges = all
        .into_iter()
        .filter(|e| points.iter().any(|p| over(*e, *p)))
        .collect();
    (count, edges)
}

pub(super) fn accept(
    grey: &Grey,
    corners: &Corners,
    a: &Alternation,
    crossings: usize,
) -> Result<(), Refusal> {
    // Looks first: only something that is a board can be partly out of view.
    let goes_on = a.strongest_outside > a.weakest_border - LEAST_END;
    let (corners, edges) = outside(grey, corners);
    if a.mean < LEAST_ALTERNATION || goes_on {
        Err(Refusal::NoBoard { crossings })
    } else if corners > 0 {
        Err(Refusal::OutOfView { corners, edges })
    } else if a.weakest_border < LEAST_BORDER {
        Err(Refusal::NoBoard { crossings })
    } else {
        Ok(())
    }
}

/// Puts eight by eight squares on the lattice where they alternate to the edge and not beyond.
fn place(grey: &Grey, lattice: &Lattice) -> Result<(Corners, Alternation), Refusal> {
    let range = |axis: usize| {
        lattice
            .nodes
            .iter()
            .fold((i32::MAX, i32::MIN), |(a, b), n| {
                (a.min(n.0[axis]), b.max(n.0[axis]))
            })
    };
    let ((x0, x1), (y0, y1)) = (range(0), range(1));
    let plain = lens_map(grey, Lens::default());
    let mut best: Option<(f64, Corners, Alternation)> = None;
    for ox in (x1 - 8).min(x0 - 1)..=x0 {
        for oy in (y1 - 8).min(y0 - 1)..=y0 {
            let corner = |dx: i32, dy: i32| {
                apply(
                    &lattice.image_from_lattice,
                    [f64::from(ox + dx), f64::from(oy + dy)],
                )
            };
            let corners =
                Corners::from_order([corner(0, 0), corner(8, 0), corner(8, 8), corner(0, 8)]);
            let Some(map) = GridMap::new(&corners, plain) else {
                continue;
            };
            let a = alternation(grey, &map);
            // Crossings lie inside the board: count those that this placement explains.
            let inside = lattice
                .nodes
                .iter()
                .filter(|n| (1..8).contains(&(n.0[0] - ox)) && (1..8).contains(&(n.0[1] - oy)))
                .count();
            let share = inside as f64 / lattice.nodes.len().max(1) as f64;
            let hidden = if outside(grey, &corners).0 > 0 {
                0.6
            } else {
                0.0
            };
            let score =
                a.mean + a.weakest_border - 0.7 * a.strongest_outside.max(0.0) + share - hidden;
            if best.as_ref().is_none_or(|b| score > b.0) {
                best = Some((score, corners, a));
            }
        }
    }
    best.map(|(_, c, a)| (wound(c), a)).ok_or(Refusal::NoBoard {
        crossings: lattice.nodes.len(),
    })
}

/// The corners in anticlockwise order as seen from above.
fn wound(corners: Corners) -> Corners {
    let p = corners.in_order();
    let area: f64 = (0..4)
        .map(|i| p[i][0] * p[(i + 1) % 4][1] - p[(i + 1) % 4][0] * p[i][1])
        .sum();
    if area > 0.0 {
        Corners::from_order([p[1], p[0], p[3], p[2]])
    } else {
        corners
    }
}

/// Follows a small change (a knock of up to about a third of a square) from one picture with
/// little hand in it. `None` when the grid is not clearly there.
#[must_use]
pub fn follow(frame: &Mat, prior: &BoardView) -> Option<Fit> {
    let fit = refit(frame, &prior.corners, prior.lens(), 0.35)?;
    (grid_score(frame, &prior.moved_to(fit.corners).ok()?) > LEAST_ALTERNATION).then_some(fit)
}

/// The board anywhere in one picture, turned as it was nearest to before: for a camera or board
/// that was knocked, not for one that was turned round.
///
/// # Errors
/// [`Refusal`], as [`find_board`].
pub fn find_again(frame: &Mat, prior: &BoardView) -> Result<Corners, Refusal> {
    let found = candidate(frame, 0)?;
    let none = Refusal::NoBoard { crossings: 0 };
    let distance = |c: &Corners| {
        c.in_order()
            .iter()
            .zip(prior.corners.in_order())
            .map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]))
            .fold(0.0, f64::max)
    };
    let nearest = (0..4)
        .map(|turn| found.corners.turned(turn))
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .ok_or(none.clone())?;
    let view = prior.moved_to(nearest).map_err(|_| none.clone())?;
    if grid_score(frame, &view) > LEAST_ALTERNATION {
        Ok(nearest)
    } else {
        Err(none)
    }
}

/// How much the squares alternate where a view says that they are: about 1 on the board, less
/// with a hand over it, about 0 when the camera was moved by a square.
#[must_use]
pub fn grid_score(frame: &Mat, view: &BoardView) -> f64 {
    let score = || {
        let pixels = Pixels::of(frame)?;
        let a = alternation(
            &pixels,
            &GridMap::new(&view.corners, lens_map(&pixels, view.lens()))?,
        );
        // Moved by one square, light lies on dark everywhere: as regular, but not this board.
        Some(if a.contrast > 0.0 {
            a.mean.max(0.0)
        } else {
            0.0
        })
    };
    score().unwrap_or(0.0)
}
