//! Watches frame by frame whether the board still lies where it was found, and finds it again
//! when camera or board was knocked.
//!
//! What is measured are the edges between light and dark squares: a lamp, a cloud or the camera's
//! exposure leaves them where they are, hands and heads hide some of them, a knock moves all of
//! them. A few hundred short rows of pixels are read in each frame, never the whole picture.

use opencv::core::Mat;

use super::{
    appearance::Appearance,
    edges::{Fit, PLACES, Seek, adjust, least_slope, measure, refine},
    finder::find_again,
    grid::{GridMap, alternation, blur},
    lens::LensMap,
    pixels::{Brightness, Pixels},
    view::{BoardView, Corners},
};

/// Where the board is in a frame.
#[derive(Debug, Clone, PartialEq)]
pub enum Sight {
    /// Where it was: in place, or hidden with nothing to show that it moved.
    Held,
    /// It crept by a part of a pixel or so: what was seen so far still holds.
    Crept(Box<BoardView>),
    /// It lies elsewhere from this frame on.
    Moved(Box<BoardView>),
    /// It is not where it was and not yet found: nothing can be said of its squares.
    Unknown,
}

/// Every so many of the edges' places are measured in each frame.
const STRIDE: usize = 2;
/// Distance searched for edges in each frame, pixels to both sides.
const NEAR_PX: f64 = 4.0;
/// Fewest grey levels between light and dark squares that can be measured.
const LEAST_CONTRAST: f64 = 4.0;
/// Share of the usual number of edges from which a measurement stands for the board ...
const SEEN: f64 = 0.3;
/// ... and from which it is good enough to follow creeping.
const SEEN_WELL: f64 = 0.6;
/// Share of the edges that must fit one position of the board.
const LEAST_INLIERS: f64 = 0.6;
/// Largest standard error of a corner, pixels.
const MOST_ERROR_PX: f64 = 0.6;
/// Edges within this distance are where they were, pixels ...
const IN_PLACE_PX: f64 = 1.2;
/// ... and with this share of those seen, and this share of all places, the board is hidden in
/// part but has not moved. By chance, in a picture of something else, a third lies so near.
const IN_PLACE: f64 = 0.6;
/// See [`IN_PLACE`].
const LEAST_IN_PLACE: f64 = 0.1;
/// A shift from which the board was moved, pixels ...
const MOVED_PX: f64 = 1.2;
/// ... or squares, whichever is more.
const MOVED_SQUARES: f64 = 0.02;
/// Up to this shift what is read of the squares is still right, squares.
const HARMLESS_SQUARES: f64 = 0.06;
/// The corners are those of the last so many frames, so to say.
const MEMORY_FRAMES: f64 = 20.0;
/// Creeping that is worth a new view, pixels ...
const CREPT_PX: f64 = 0.5;
/// ... or squares, whichever is more.
const CREPT_SQUARES: f64 = 0.008;
/// Frames that must agree about a new place.
const AGREEING: u32 = 2;
/// Pause between two searches near by, and between two all over the picture, milliseconds.
const SEARCH_MS: [f64; 2] = [60.0, 400.0];
/// Least likeness (correlation) to how the board looked before.
const LEAST_LIKENESS: f64 = 0.35;
/// How often the board's look is remembered anew, milliseconds.
const REMEMBER_MS: f64 = 2000.0;

/// What one frame says of a supposed view.
enum Reading {
    /// The board lies here.
    At(Fit),
    /// Too much is hidden to say where, but what is seen has not moved.
    InPlace,
    /// It is not there, or nothing of it is seen.
    Gone,
}

enum State {
    Held,
    /// A new place, agreed on by so many frames.
    Trial(Box<BoardView>, u32),
    Lost,
}

/// Follows one board.
pub struct Watch {
    view: BoardView,
    state: State,
    /// Running mean of the corners, pixels.
    mean: Corners,
    /// Edges usually seen, and how blurred they are.
    usual: Option<(f64, f64)>,
    appearance: Option<Appearance>,
    remembered_ms: f64,
    searched_ms: [f64; 2],
}

impl Watch {
    /// Begins to watch a board that was just found.
    #[must_use]
    pub fn new(view: BoardView) -> Self {
        Self {
            mean: view.corners,
            view,
            state: State::Held,
            usual: None,
            appearance: None,
            remembered_ms: f64::NEG_INFINITY,
            searched_ms: [f64::NEG_INFINITY; 2],
        }
    }

    /// Where the board lies, or lay when it was last seen.
    #[must_use]
    pub fn view(&self) -> &BoardView {
        &self.view
    }

    /// The running mean of the corners, image pixels: steadier than any one frame's.
    #[must_use]
    pub fn corners(&self) -> Corners {
        self.mean
    }

    /// Looks at the next frame (BGR, the size that the view was made for), captured at `t_ms`.
    pub fn look(&mut self, frame: &Mat, t_ms: f64) -> Sight {
        let Some(pixels) = Pixels::of(frame) else {
            return Sight::Held;
        };
        match std::mem::replace(&mut self.state, State::Held) {
            State::Held => self.held(&pixels, frame, t_ms),
            State::Trial(view, agreed) => self.trial(*view, agreed, &pixels, frame, t_ms),
            State::Lost => self.search(&pixels, frame, t_ms),
        }
    }

    fn held(&mut self, pixels: &Pixels, frame: &Mat, t_ms: f64) -> Sight {
        let view = self.view.clone();
        match self.reading(pixels, &view) {
            Reading::At(fit) => {
                let shift = largest(&fit.corners, &self.view.corners);
                if shift >= self.moved_px() {
                    return self.try_place(fit.corners, 0);
                }
                self.keep(&fit, pixels, t_ms)
            }
            Reading::InPlace => Sight::Held,
            Reading::Gone => self.search(pixels, frame, t_ms),
        }
    }

    /// Follows creeping, and remembers how the board looks.
    fn keep(&mut self, fit: &Fit, pixels: &Pixels, t_ms: f64) -> Sight {
        let usual = self.usual.map_or(1.0, |u| u.0).max(1.0);
        if (fit.edges as f64) < SEEN_WELL * usual {
            return Sight::Held;
        }
        self.mean = towards(&self.mean, &fit.corners, 1.0 / MEMORY_FRAMES);
        if t_ms - self.remembered_ms >= REMEMBER_MS {
            self.remembered_ms = t_ms;
            self.appearance = Appearance::of(pixels, &self.view);
        }
        let enough = CREPT_PX.max(CREPT_SQUARES * self.unit_px());
        if largest(&self.mean, &self.view.corners) < enough {
            return Sight::Held;
        }
        match self.view.moved_to(self.mean) {
            Ok(view) => {
                self.view = view.clone();
                Sight::Crept(Box::new(view))
            }
            Err(_) => Sight::Held,
        }
    }

    /// Goes on with a supposed new place.
    fn try_place(&mut self, corners: Corners, agreed: u32) -> Sight {
        let harmless = largest(&corners, &self.view.corners) < HARMLESS_SQUARES * self.unit_px();
        self.state = match self.view.moved_to(corners) {
            Ok(view) => State::Trial(Box::new(view), agreed),
            Err(_) => State::Lost,
        };
        if harmless {
            Sight::Held
        } else {
            Sight::Unknown
        }
    }

    fn trial(
        &mut self,
        view: BoardView,
        agreed: u32,
        pixels: &Pixels,
        frame: &Mat,
        t_ms: f64,
    ) -> Sight {
        match self.reading(pixels, &view) {
            Reading::At(fit) => {
                let still = largest(&fit.corners, &view.corners) < self.moved_px() / 2.0;
                if !still {
                    return self.try_place(fit.corners, 0);
                }
                let corners = towards(&view.corners, &fit.corners, 0.5);
                if agreed + 1 < AGREEING {
                    return self.try_place(corners, agreed + 1);
                }
                self.settle(corners, pixels)
            }
            // It moved on, or what looked like it was something else.
            Reading::InPlace | Reading::Gone => self.search(pixels, frame, t_ms),
        }
    }

    /// A new place that several frames agree on.
    fn settle(&mut self, corners: Corners, pixels: &Pixels) -> Sight {
        let Ok(view) = self.view.moved_to(corners) else {
            self.state = State::Lost;
            return Sight::Unknown;
        };
        let alike = self
            .appearance
            .as_ref()
            .is_none_or(|a| a.likeness(pixels, &view) >= LEAST_LIKENESS);
        if !alike {
            self.state = State::Lost;
            return Sight::Unknown;
        }
        self.state = State::Held;
        if largest(&corners, &self.view.corners) < self.moved_px() {
            // It was only hidden.
            return Sight::Held;
        }
        self.view = view.clone();
        self.mean = corners;
        self.usual = None;
        Sight::Moved(Box::new(view))
    }

    /// Looks for the board where it may have been knocked to, and now and then everywhere.
    fn search(&mut self, pixels: &Pixels, frame: &Mat, t_ms: f64) -> Sight {
        self.state = State::Lost;
        if t_ms - self.searched_ms[0] < SEARCH_MS[0] {
            return Sight::Unknown;
        }
        self.searched_ms[0] = t_ms;
        let near = self
            .appearance
            .as_ref()
            .and_then(|a| a.find(pixels, &self.view))
            .and_then(|guess| fitted(pixels, &guess));
        if let Some(corners) = near {
            return self.try_place(corners, 0);
        }
        if t_ms - self.searched_ms[1] >= SEARCH_MS[1] {
            self.searched_ms[1] = t_ms;
            if let Ok(corners) = find_again(frame, &self.view) {
                return self.try_place(corners, 0);
            }
        }
        Sight::Unknown
    }

    /// Measures the edges about a supposed view.
    fn reading(&mut self, pixels: &Pixels, view: &BoardView) -> Reading {
        let lens = lens_map(pixels, view);
        let Some(map) = GridMap::new(&view.corners, lens) else {
            return Reading::Gone;
        };
        let contrast = alternation(pixels, &map).contrast;
        if contrast < LEAST_CONTRAST {
            return Reading::Gone;
        }
        let blur_px = self.usual.map_or_else(|| blur(pixels, &map), |u| u.1);
        let seek = Seek {
            contrast,
            least_slope: least_slope(contrast, blur_px),
            reach: 0.0,
            least_reach_px: NEAR_PX,
        };
        let edges = measure(pixels, &map, &seek, STRIDE);
        let count = edges.len() as f64;
        let usual = self.usual.map_or(count, |u| u.0.max(count));
        if edges.len() >= PLACES / STRIDE / 8 && count >= SEEN * usual {
            let fit = adjust(&view.corners, lens, &edges, false);
            if let Some(fit) =
                fit.filter(|f| f.inliers >= LEAST_INLIERS && f.error_px <= MOST_ERROR_PX)
            {
                self.usual = Some((usual * 0.999, blur_px));
                return Reading::At(fit);
            }
        }
        let in_place = edges
            .iter()
            .filter(|e| e.offset_px.abs() <= IN_PLACE_PX)
            .count() as f64;
        if in_place >= IN_PLACE * count && in_place >= LEAST_IN_PLACE * (PLACES / STRIDE) as f64 {
            Reading::InPlace
        } else {
            Reading::Gone
        }
    }

    fn unit_px(&self) -> f64 {
        self.view.square_px([4.0, 4.0]).max(1.0)
    }

    fn moved_px(&self) -> f64 {
        MOVED_PX.max(MOVED_SQUARES * self.unit_px())
    }
}

fn lens_map(pixels: &Pixels, view: &BoardView) -> LensMap {
    let [width, height] = pixels.size_px();
    view.lens().of_picture(width, height)
}

/// Corners fitted near a guess that may be wrong by a third of a square; `None` when the edges do
/// not confirm it.
fn fitted(pixels: &Pixels, guess: &BoardView) -> Option<Corners> {
    let lens = lens_map(pixels, guess);
    let fit = refine(pixels, &guess.corners, lens, 0.35, false)?;
    let dark_a1 = alternation(pixels, &GridMap::new(&fit.corners, lens)?).contrast > 0.0;
    let sure = fit.inliers >= LEAST_INLIERS && fit.error_px <= MOST_ERROR_PX;
    (dark_a1 && sure).then_some(fit.corners)
}

/// Largest distance between corners of the same name, pixels.
fn largest(a: &Corners, b: &Corners) -> f64 {
    a.in_order()
        .iter()
        .zip(b.in_order())
        .map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]))
        .fold(0.0, f64::max)
}

/// `from` moved by a share of the way to `to`.
fn towards(from: &Corners, to: &Corners, share: f64) -> Corners {
    let mut order = from.in_order();
    for (corner, goal) in order.iter_mut().zip(to.in_order()) {
        for (value, goal) in corner.iter_mut().zip(goal) {
            *value += share * (goal - *value);
        }
    }
    Corners::from_order(order)
}
