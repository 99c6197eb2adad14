//! How the board and its surroundings looked, as seen from straight above: to find it again after
//! a knock, and not one square beside where it is.

use super::{
    pixels::Brightness,
    view::{BoardView, Corners},
};

/// Points a square in both directions.
const POINTS: i32 = 3;
/// Squares around the board that are remembered, too.
const MARGIN: f64 = 1.0;
/// Steps of the search: squares ...
const STEP_SQUARES: f64 = 0.25;
/// ... up to so many steps to all sides, and degrees.
const STEPS: i32 = 10;
/// See [`STEP_SQUARES`].
const TURNS_DEG: [f64; 7] = [-9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0];
/// Every so many of the points are used in the wide search.
const SPARSE: usize = 4;
/// Least correlation for a guess.
const LEAST: f64 = 0.3;

/// Brightness of a grid of points of the board plane.
pub struct Appearance {
    points: Vec<([f64; 2], f64)>,
}

impl Appearance {
    /// Remembers a picture; `None` when too little of the board is in it.
    pub fn of<L: Brightness>(picture: &L, view: &BoardView) -> Option<Self> {
        let side = 8 + 2 * MARGIN as i32;
        let count = side * POINTS;
        let at = |k: i32| (f64::from(k) + 0.5) / f64::from(POINTS) - MARGIN;
        let points: Vec<([f64; 2], f64)> = (0..count)
            .flat_map(|y| (0..count).map(move |x| [at(x), at(y)]))
            .filter_map(|p| {
                let image = view.project([p[0], p[1], 0.0]);
                picture.contains(image).then(|| (p, picture.at(image)))
            })
            .collect();
        (points.len() > 300).then_some(Self { points })
    }

    /// Correlation (-1..1) of a picture with what is remembered, if the board lies as `view` says.
    pub fn likeness<L: Brightness>(&self, picture: &L, view: &BoardView) -> f64 {
        self.correlation(picture, view, 1, |p| p)
    }

    /// The most similar place within some squares of where it was, turned by a few degrees.
    pub fn find<L: Brightness>(&self, picture: &L, view: &BoardView) -> Option<BoardView> {
        let mut best = (LEAST, [0.0; 3]);
        for turn in TURNS_DEG {
            for y in -STEPS..=STEPS {
                for x in -STEPS..=STEPS {
                    let [dx, dy] = [x, y].map(|v| f64::from(v) * STEP_SQUARES);
                    let score =
                        self.correlation(picture, view, SPARSE, |p| displaced(p, [dx, dy, turn]));
                    if score > best.0 {
                        best = (score, [dx, dy, turn]);
                    }
                }
            }
        }
        let mut step = [STEP_SQUARES / 2.0, STEP_SQUARES / 2.0, 1.5];
        let mut found = (
            self.correlation(picture, view, 1, |p| displaced(p, best.1)),
            best.1,
        );
        for _ in 0..3 {
            for axis in 0..3 {
                for sign in [-1.0, 1.0] {
                    let mut tried = found.1;
                    tried[axis] += sign * step[axis];
                    let score = self.correlation(picture, view, 1, |p| displaced(p, tried));
                    if score > found.0 {
                        found = (score, tried);
                    }
                }
            }
            step = step.map(|s| s / 2.0);
        }
        if found.0 < LEAST {
            return None;
        }
        let corners = [[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]].map(|p| {
            let [x, y] = displaced(p, found.1);
            view.project([x, y, 0.0])
        });
        view.moved_to(Corners::from_order(corners)).ok()
    }

    fn correlation<L: Brightness>(
        &self,
        picture: &L,
        view: &BoardView,
        stride: usize,
        place: impl Fn([f64; 2]) -> [f64; 2],
    ) -> f64 {
        let [mut n, mut a, mut b, mut aa, mut bb, mut ab] = [0.0_f64; 6];
        // Neighbouring rows are taken at different phases.
        for (point, before) in self.points.iter().step_by(stride) {
            let [x, y] = place(*point);
            let image = view.project([x, y, 0.0]);
            if !picture.contains(image) {
                continue;
            }
            let now = picture.at(image);
            n += 1.0;
            a += before;
            b += now;
            aa += before * before;
            bb += now * now;
            ab += before * now;
        }
        let expected = self.points.len() as f64 / stride as f64;
        let spread = (n * aa - a * a) * (n * bb - b * b);
        if n < 0.6 * expected || spread <= 0.0 {
            return -1.0;
        }
        (n * ab - a * b) / spread.sqrt()
    }
}

/// A point of the board after the board was turned about its centre by degrees and pushed by
/// squares: `[x, y, degrees]`.
fn displaced([x, y]: [f64; 2], [dx, dy, turn_deg]: [f64; 3]) -> [f64; 2] {
    let (sine, cosine) = turn_deg.to_radians().sin_cos();
    let (x, y) = (x - 4.0, y - 4.0);
    [
        4.0 + cosine * x - sine * y + dx,
        4.0 + sine * x + cosine * y + dy,
    ]
}
