//! A rigid hand that pinches at a place in space, and what the perception makes of it. Everything
//! that depends on the form of [`HandReading`] is in [`reading`].

use shakmaty::Color;

use super::script::{Place, seat};
use crate::{calibration::view::BoardView, events::observation::HandReading, record::HandSide};

const LANDMARK_COUNT: usize = 21;

/// Landmarks of the hand: forward of the pinch (away from the player), to the right of it, above
/// it; squares. Thumb and index tips are drawn apart by [`OPENING`] instead.
const LANDMARKS: [[f64; 3]; LANDMARK_COUNT] = [
    [-2.8, 0.0, 0.9],  // wrist
    [-2.3, -0.5, 0.7], // thumb
    [-1.6, -0.7, 0.5],
    [-0.8, -0.5, 0.3],
    [0.0, 0.0, 0.0],
    [-1.2, -0.35, 1.1], // index finger
    [-0.5, -0.2, 1.0],
    [-0.15, -0.1, 0.6],
    [0.0, 0.0, 0.0],
    [-1.15, 0.0, 1.15], // middle finger
    [-0.4, 0.05, 1.1],
    [-0.1, 0.1, 0.7],
    [0.0, 0.15, 0.4],
    [-1.2, 0.3, 1.1], // ring finger
    [-0.5, 0.35, 1.0],
    [-0.25, 0.35, 0.7],
    [-0.15, 0.35, 0.45],
    [-1.4, 0.6, 1.0], // little finger
    [-0.9, 0.65, 0.9],
    [-0.6, 0.65, 0.65],
    [-0.5, 0.6, 0.45],
];
/// Distance of the tips of thumb and index finger, share of the palm's length: far enough apart
/// that a landmark model sees both and need not guess.
const OPENING: f64 = 0.5;
/// What the hand network tells of rendered hands over the board, holding or not: how sure it is that
/// this is one, width between thumb and index finger (squares), both medians ...
const PRESENCE: f32 = 0.73;
const WIDTH_SQUARES: f32 = 0.62;
/// ... and height: 8 of 10 lie from 0.87 to 1.20 squares, so that little is left of how high they are.
const TOLD_HEIGHT: f64 = 1.04;
const HEIGHT_SHARE: f64 = 0.25;
/// Bones between landmarks, for what a hand hides.
const BONES: [(usize, usize, f64); 9] = [
    (2, 4, 0.15),
    (0, 2, 0.3),
    (5, 8, 0.15),
    (9, 12, 0.15),
    (13, 16, 0.15),
    (17, 20, 0.13),
    (0, 5, 0.4),
    (0, 9, 0.4),
    (0, 17, 0.4),
];
/// Length and thickness of the forearm, squares.
const FOREARM: (f64, f64) = (6.0, 0.5);

/// A stroke of the picture that hides what lies under it: two ends and half its width, pixels.
#[derive(Debug, Clone, Copy)]
pub struct Stroke {
    ends: [[f64; 2]; 2],
    radius: f64,
}

impl Stroke {
    /// Between two places, as wide as `radius` squares.
    #[must_use]
    pub fn new(view: &BoardView, a: Place, b: Place, radius: f64) -> Self {
        Self {
            ends: [view.project(a), view.project(b)],
            radius: radius * view.square_px([a[0], a[1]]),
        }
    }

    /// Whether it hides an image point, or comes within `margin` pixels of doing so.
    #[must_use]
    pub fn hides(&self, [u, v]: [f64; 2], margin: f64) -> bool {
        let [[au, av], [bu, bv]] = self.ends;
        let (du, dv) = (bu - au, bv - av);
        let along = ((u - au) * du + (v - av) * dv) / (du * du + dv * dv).max(1e-9);
        let along = along.clamp(0.0, 1.0);
        (u - au - along * du).hypot(v - av - along * dv) < self.radius + margin
    }
}

/// A hand in one frame.
pub struct Hand {
    /// Landmarks, image pixels.
    points: [[f64; 2]; LANDMARK_COUNT],
    /// Height of the pinch over the board, squares.
    height: f64,
    /// What it hides.
    pub strokes: Vec<Stroke>,
    /// From White's side (1) or Black's (-1), by the arm's direction and the wrist's place.
    pub from_white: f64,
}

/// What becomes of a hand on its way through the perception.
pub struct Seen<'a> {
    /// Number while it is followed.
    pub id: u32,
    /// Which hand it is.
    pub side: HandSide,
    /// Taken for a hand from the other side of the board.
    pub wrong_side: bool,
    /// All of it is seen so far from where it is, pixels.
    pub off_px: [f64; 2],
    /// Each point besides by so much, pixels: right, then down.
    pub shake_px: &'a mut dyn FnMut() -> f64,
}

/// A hand as the perception tells of it: the one place that knows the form of a [`HandReading`].
pub fn reading(hand: &Hand, seen: Seen<'_>) -> HandReading {
    let shake_px = seen.shake_px;
    let points = hand.points.map(|[u, v]| {
        let (u, v) = (
            u + seen.off_px[0] + shake_px(),
            v + seen.off_px[1] + shake_px(),
        );
        [u, v].map(|x| ((x * 10.0).round() / 10.0) as f32)
    });
    let sign = if seen.wrong_side { -1.0 } else { 1.0 };
    HandReading {
        id: seen.id,
        side: seen.side,
        presence: PRESENCE,
        from_white: (sign * (hand.from_white * 100.0).round() / 100.0) as f32,
        pinch_px: std::array::from_fn(|i| (points[4][i] + points[8][i]) / 2.0),
        tips_px: [4, 8, 12, 16, 20].map(|i| points[i]),
        wrist_px: points[0],
        knuckles_px: points[9],
        height_squares: (TOLD_HEIGHT + HEIGHT_SHARE * (hand.height - TOLD_HEIGHT)) as f32,
        aperture_squares: WIDTH_SQUARES,
        touches: 0.5,
        lifts: 0.5,
    }
}

impl Hand {
    /// The middle of the hand, image pixels.
    #[must_use]
    pub fn middle_px(&self) -> [f64; 2] {
        self.points[9]
    }
}

/// The hand of `player` that pinches at `pinch`.
#[must_use]
pub fn pose(view: &BoardView, player: Color, pinch: Place) -> Hand {
    let [seat_x, seat_y] = seat(player);
    // The shoulder is behind the seat's edge, so that the arm turns little.
    let shoulder = [seat_x, seat_y + player.fold_wb(-4.0, 4.0)];
    let (dx, dy) = (pinch[0] - shoulder[0], pinch[1] - shoulder[1]);
    let length = dx.hypot(dy).max(1e-9);
    let (fx, fy) = (dx / length, dy / length);
    let space = |[forward, right, up]: [f64; 3]| {
        [
            pinch[0] + forward * fx + right * fy,
            pinch[1] + forward * fy - right * fx,
            pinch[2] + up,
        ]
    };
    let places = LANDMARKS.map(space);
    let mut points = places.map(|p| view.project(p));
    let apart = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let palm = apart(points[0], points[9]);
    let tip = points[4];
    let aside = view.project(space([0.0, 0.3, 0.0]));
    let unit = apart(aside, tip).max(1e-9);
    for (point, side) in [(4, -0.5), (8, 0.5)] {
        let step = side * OPENING * palm / unit;
        points[point] = std::array::from_fn(|i| tip[i] + step * (aside[i] - tip[i]));
    }
    let mut strokes: Vec<Stroke> = BONES
        .iter()
        .map(|(a, b, radius)| Stroke::new(view, places[*a], places[*b], *radius))
        .collect();
    let elbow = space([LANDMARKS[0][0] - FOREARM.0, 0.0, 1.4]);
    strokes.push(Stroke::new(view, places[0], elbow, FOREARM.1));
    Hand {
        strokes,
        from_white: side_of(view, points[0], points[9]),
        points,
        height: pinch[2],
    }
}

fn side_of(view: &BoardView, wrist_px: [f64; 2], knuckle_px: [f64; 2]) -> f64 {
    let wrist = view.point_at_height(wrist_px, 1.0);
    let knuckle = view.point_at_height(knuckle_px, 1.0);
    let arm = [wrist[0] - knuckle[0], wrist[1] - knuckle[1]];
    let direction = -arm[1] / arm[0].hypot(arm[1]).max(1e-6);
    let place = ((4.0 - wrist[1]) / 4.0).clamp(-1.5, 1.5);
    (0.6 * direction + 0.4 * place).clamp(-1.0, 1.0)
}
