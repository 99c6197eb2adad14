//! The hand network: where hands and arms are, whose, where their fingers are and how high, and
//! whether they touch or carry a piece, from one crop around the board.
//!
//! The crop is exactly that of `training/hands/view.py`: a similarity of the picture with White's
//! side down and all corners of the board in.

use ndarray::{Array4, s};
use opencv::{
    core::{BORDER_CONSTANT, Mat, MatTrait, MatTraitConstManual, Scalar, Size, Vec3b},
    imgproc::{INTER_AREA, INTER_LINEAR, resize, warp_affine},
};
use shakmaty::Square;

use super::{
    VisionError,
    runtime::{Model, RuntimeError},
};
use crate::calibration::view::{BoardView, square_centre};

/// Side of the crop, pixels.
const SIDE: usize = 256;
/// Distance of the farthest corner of the board from the crop's centre, sides.
const REACH: f64 = 0.46;
/// Pixels of the crop per square of a board seen from straight above.
pub(super) const UNIT: f64 = SIDE as f64 * REACH * 2.0 / (8.0 * std::f64::consts::SQRT_2);
/// Pixels of the crop in one cell of the maps of hands.
const CELL: f64 = 8.0;
/// Cells along a side of the maps of hands.
const CELLS: usize = 32;
/// Cells along a side of the map of arms.
const MASK: usize = 64;
/// Planes of the map of hands, in the order of `training/hands/data.py`.
const ROWS: usize = 26;
/// Least probability of a pinch point for a hand.
const LEAST_CENTRE: f64 = 0.25;
/// Two pinch points nearer than this are of one hand, squares.
const ONE_HAND: f64 = 0.9;
/// Probability from which on a point of the picture counts as arm.
const IS_ARM: f32 = 0.5;
/// Share of a square's points that must be covered for it to count as covered.
const COVERED_SHARE: f64 = 0.25;

/// One hand in one frame, places in image pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenHand {
    /// P(there is a hand here).
    pub presence: f64,
    /// 1: surely White's; -1: surely Black's.
    pub from_white: f64,
    /// Where thumb and fingers meet, or would.
    pub pinch_px: [f64; 2],
    /// Finger tips, thumb to little finger.
    pub tips_px: [[f64; 2]; 5],
    /// The wrist.
    pub wrist_px: [f64; 2],
    /// Middle of the knuckles.
    pub knuckles_px: [f64; 2],
    /// Height of the pinch point over the board, squares.
    pub height_squares: f64,
    /// Width between thumb and index finger, squares.
    pub aperture_squares: f64,
    /// P(it touches a piece).
    pub touches: f64,
    /// P(it holds a piece in the air).
    pub lifts: f64,
    /// P(it is a right hand).
    pub right: f64,
}

/// What the network makes of one frame.
pub struct Sight {
    /// Hands, the surest first.
    pub hands: Vec<SeenHand>,
    /// Probabilities of arm, hand and sleeve: White's, then Black's.
    arms: Vec<f32>,
    crop: Crop,
}

/// The similarity between image and crop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Crop {
    /// Rows of `crop_from_image`.
    pub(super) m: [[f64; 3]; 2],
}

impl Crop {
    pub(super) fn new(view: &BoardView) -> Self {
        let plane = |x: f64, y: f64| view.project([x, y, 0.0]);
        let centre = plane(4.0, 4.0);
        let (white, black) = (plane(4.0, 0.0), plane(4.0, 8.0));
        let (dx, dy) = (white[0] - black[0], white[1] - black[1]);
        let length = dx.hypot(dy).max(1e-9);
        let (dx, dy) = (dx / length, dy / length);
        let farthest = view
            .corners
            .in_order()
            .iter()
            .map(|c| (c[0] - centre[0]).hypot(c[1] - centre[1]))
            .fold(1.0, f64::max);
        let scale = SIDE as f64 * REACH / farthest;
        let (a, b) = (scale * dy, scale * dx);
        let half = SIDE as f64 / 2.0;
        Self {
            m: [
                [a, -b, half - a * centre[0] + b * centre[1]],
                [b, a, half - b * centre[0] - a * centre[1]],
            ],
        }
    }

    pub(super) fn scale(&self) -> f64 {
        self.m[0][0].hypot(self.m[0][1])
    }

    pub(super) fn in_crop(self, [x, y]: [f64; 2]) -> [f64; 2] {
        self.m.map(|r| r[0] * x + r[1] * y + r[2])
    }

    pub(super) fn in_image(self, [u, v]: [f64; 2]) -> [f64; 2] {
        let [[a, nb, tx], [_, _, ty]] = self.m;
        let (b, k) = (-nb, self.scale().powi(2).max(1e-12));
        let (p, q) = (u - tx, v - ty);
        [(a * p + b * q) / k, (a * q - b * p) / k]
    }

    /// What one square of height at the board's centre is in the crop, in squares as large as
    /// those of a board seen from straight above.
    pub(super) fn up(&self, view: &BoardView) -> [f64; 2] {
        let [foot, head] = [0.0, 1.0].map(|z| self.in_crop(view.project([4.0, 4.0, z])));
        [(head[0] - foot[0]) / UNIT, (head[1] - foot[1]) / UNIT]
    }
}

/// OpenCV's matrix for a crop from a picture that begins at `offset` of the image and is `shrink`
/// times its size. Pixel centres are at half pixels in the frames of this program, at whole ones in
/// OpenCV's.
pub(super) fn matrix(
    m: &[[f64; 3]; 2],
    shrink: f64,
    offset: [f64; 2],
) -> Result<Mat, opencv::Error> {
    let mut matrix = Mat::new_rows_cols_with_default(2, 3, opencv::core::CV_64F, Scalar::all(0.0))?;
    for (row, [a, b, t]) in (0..).zip(m) {
        let t = t + a * offset[0] + b * offset[1];
        let (a, b) = (a / shrink, b / shrink);
        for (column, value) in (0..).zip([a, b, t + 0.5 * (a + b) - 0.5]) {
            *matrix.at_2d_mut::<f64>(row, column)? = value;
        }
    }
    Ok(matrix)
}

/// The network.
pub struct ArmModel {
    model: Model,
    input: Array4<f32>,
}

impl ArmModel {
    /// Loads `hands.onnx`.
    ///
    /// # Errors
    /// [`RuntimeError`].
    pub fn open(models: &std::path::Path) -> Result<Self, RuntimeError> {
        Ok(Self {
            model: Model::open(models, "hands.onnx")?,
            input: Array4::zeros((1, 6, SIDE, SIDE)),
        })
    }

    /// Looks at a BGR frame of the size of `view`.
    ///
    /// # Errors
    /// [`VisionError`].
    pub fn look(&mut self, frame: &Mat, view: &BoardView) -> Result<Sight, VisionError> {
        let crop = Crop::new(view);
        self.fill(frame, view, &crop)?;
        let mut outputs = self
            .model
            .run(&self.input, &["arms", "centres", "hands"])?
            .into_iter();
        let mut next = |n: usize| {
            let mut values = outputs.next().unwrap_or_default();
            // A network of another size would say nothing rather than something wrong.
            values.resize(n, f32::NEG_INFINITY);
            values
        };
        let (arms, centres, rows) = (
            next(2 * MASK * MASK),
            next(2 * CELLS * CELLS),
            next(ROWS * CELLS * CELLS),
        );
        Ok(Sight {
            hands: decode(&centres, &rows, &crop, view),
            arms: arms.into_iter().map(|v| 1.0 / (1.0 + (-v).exp())).collect(),
            crop,
        })
    }

    fn fill(&mut self, frame: &Mat, view: &BoardView, crop: &Crop) -> Result<(), VisionError> {
        // Bilinear sampling alone would skip pixels where the picture shrinks much.
        let shrink = (2.0 * crop.scale()).min(1.0);
        let mut small = Mat::default();
        if shrink < 0.8 {
            resize(
                frame,
                &mut small,
                Size::default(),
                shrink,
                shrink,
                INTER_AREA,
            )?;
        }
        let (source, k) = if shrink < 0.8 {
            (&small, shrink)
        } else {
            (frame, 1.0)
        };
        let mut out = Mat::default();
        let size = Size::new(SIDE as i32, SIDE as i32);
        warp_affine(
            source,
            &mut out,
            &matrix(&crop.m, k, [0.0, 0.0])?,
            size,
            INTER_LINEAR,
            BORDER_CONSTANT,
            Scalar::all(0.0),
        )?;
        let pixels = out.data_typed::<Vec3b>()?;
        for (plane, channel) in [(0, 2), (1, 1), (2, 0)] {
            let mut target = self.input.slice_mut(s![0, plane, .., ..]);
            for (to, from) in target.iter_mut().zip(pixels) {
                *to = f32::from(from[channel]) / 255.0;
            }
        }
        for (plane, value) in [3, 4].into_iter().zip(crop.up(view)) {
            self.input
                .slice_mut(s![0, plane, .., ..])
                .fill(value as f32);
        }
        let last = (SIDE - 1) as f32;
        for (row, mut line) in self
            .input
            .slice_mut(s![0, 5, .., ..])
            .rows_mut()
            .into_iter()
            .enumerate()
        {
            line.fill(row as f32 / last * 2.0 - 1.0);
        }
        Ok(())
    }
}

/// One map of [`CELLS`] by [`CELLS`].
struct Map<'a>(&'a [f32]);

impl Map<'_> {
    fn at(&self, x: usize, y: usize) -> f32 {
        self.0
            .get(y * CELLS + x)
            .copied()
            .unwrap_or(f32::NEG_INFINITY)
    }

    /// Nothing around is higher.
    fn is_peak(&self, x: usize, y: usize) -> bool {
        let around = |v: usize| v.saturating_sub(1)..(v + 2).min(CELLS);
        around(y).all(|j| around(x).all(|i| self.at(i, j) <= self.at(x, y)))
    }
}

fn probability(logit: f32) -> f64 {
    1.0 / (1.0 + f64::from(-logit).exp())
}

fn decode(centres: &[f32], rows: &[f32], crop: &Crop, view: &BoardView) -> Vec<SeenHand> {
    let (white, black) = centres.split_at((CELLS * CELLS).min(centres.len()));
    let (white, black) = (Map(white), Map(black));
    let mut found: Vec<SeenHand> = Vec::new();
    for y in 0..CELLS {
        for x in 0..CELLS {
            let [w, b] = [&white, &black].map(|m| probability(m.at(x, y)));
            let peak = white.is_peak(x, y) && w >= b || black.is_peak(x, y) && b >= w;
            if w.max(b) < LEAST_CENTRE || !peak {
                continue;
            }
            let row = |i: usize| {
                let value = rows.get((i * CELLS + y) * CELLS + x).copied();
                f64::from(value.unwrap_or(0.0))
            };
            let place = |[dx, dy]: [f64; 2], [cx, cy]: [f64; 2]| [cx + dx * CELL, cy + dy * CELL];
            let cell = [(x as f64 + 0.5) * CELL, (y as f64 + 0.5) * CELL];
            let pinch = place([row(0), row(1)], cell);
            let part = |i: usize| crop.in_image(place([row(2 * i), row(2 * i + 1)], pinch));
            let flag = |i: usize| probability(row(23 + i) as f32);
            found.push(SeenHand {
                presence: w.max(b),
                from_white: (w - b) / (w + b),
                pinch_px: crop.in_image(pinch),
                tips_px: [1, 2, 3, 4, 5].map(part),
                wrist_px: part(6),
                knuckles_px: part(7),
                height_squares: row(16),
                aperture_squares: row(22),
                touches: flag(0),
                lifts: flag(1),
                right: flag(2),
            });
        }
    }
    found.sort_by(|a, b| b.presence.total_cmp(&a.presence));
    let unit = view.square_px([4.0, 4.0]).max(1.0);
    let mut kept: Vec<SeenHand> = Vec::new();
    for hand in found {
        let apart = |k: &SeenHand| {
            (k.pinch_px[0] - hand.pinch_px[0]).hypot(k.pinch_px[1] - hand.pinch_px[1]) / unit
        };
        if kept.iter().all(|k| apart(k) > ONE_HAND) {
            kept.push(hand);
        }
    }
    kept
}

impl Sight {
    /// Probability that an arm, a hand or a sleeve of either player is seen at an image point.
    #[must_use]
    pub fn arm_at(&self, image_px: [f64; 2]) -> f32 {
        let cell = (SIDE / MASK) as f64;
        let [u, v] = self.crop.in_crop(image_px).map(|p| (p / cell).floor());
        let inside = 0.0..MASK as f64;
        if !inside.contains(&u) || !inside.contains(&v) {
            return 0.0;
        }
        let index = v as usize * MASK + u as usize;
        let of = |owner: usize| self.arms.get(owner * MASK * MASK + index).copied();
        of(0).unwrap_or(0.0).max(of(1).unwrap_or(0.0))
    }

    /// Bit set (a1 = bit 0) of the squares of which arms hide a good part.
    #[must_use]
    pub fn covered(&self, view: &BoardView) -> u64 {
        let steps = [-0.4, -0.2, 0.0, 0.2, 0.4];
        let mut bits = 0;
        for square in Square::ALL {
            let [x, y] = square_centre(square);
            let points = steps
                .iter()
                .flat_map(|dx| steps.iter().map(move |dy| [x + dx, y + dy, 0.0]));
            let hidden = points
                .filter(|p| self.arm_at(view.project(*p)) > IS_ARM)
                .count();
            if hidden as f64 >= COVERED_SHARE * (steps.len() * steps.len()) as f64 {
                bits |= 1_u64 << square as u32;
            }
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::view::Corners;

    fn view(corners: [[f64; 2]; 4]) -> BoardView {
        BoardView::new(Corners::from_order(corners), 640, 480).unwrap()
    }

    #[test]
    fn the_crop_has_whites_side_down_and_all_corners_in() {
        let boards = [
            [[120.0, 400.0], [520.0, 400.0], [520.0, 60.0], [120.0, 60.0]],
            [[500.0, 60.0], [120.0, 60.0], [120.0, 440.0], [500.0, 440.0]],
            [[150.0, 100.0], [60.0, 420.0], [600.0, 430.0], [470.0, 90.0]],
        ];
        for corners in boards {
            let view = view(corners);
            let crop = Crop::new(&view);
            let [centre, white, black] = [[4.0, 4.0], [4.0, 0.0], [4.0, 8.0]]
                .map(|[x, y]| crop.in_crop(view.project([x, y, 0.0])));
            assert!((centre[0] - 128.0).abs() < 1e-6 && (centre[1] - 128.0).abs() < 1e-6);
            assert!((white[0] - black[0]).abs() < 1e-6 && white[1] > black[1]);
            let far = corners.map(|c| {
                let [u, v] = crop.in_crop(c);
                (u - 128.0).hypot(v - 128.0)
            });
            let farthest = far.into_iter().fold(0.0, f64::max);
            assert!((farthest - 256.0 * REACH).abs() < 1e-6);
            let back = crop.in_image(crop.in_crop([33.0, 444.0]));
            assert!((back[0] - 33.0).abs() < 1e-9 && (back[1] - 444.0).abs() < 1e-9);
        }
    }

    #[test]
    fn the_crop_is_the_one_of_training() {
        #[derive(serde::Deserialize)]
        struct Shared {
            width: u32,
            height: u32,
            corners: Corners,
            crop_from_image: [[f64; 3]; 2],
            up: [f64; 2],
        }
        let text = include_str!("../../training/hands/views.json");
        let views: Vec<Shared> = serde_json::from_str(text).unwrap();
        for shared in views {
            let view = BoardView::new(shared.corners, shared.width, shared.height).unwrap();
            let crop = Crop::new(&view);
            let close =
                |a: f64, b: f64| assert!((a - b).abs() < 1e-3, "{a} {b} {:?}", view.corners);
            for (got, want) in crop
                .m
                .iter()
                .flatten()
                .zip(shared.crop_from_image.iter().flatten())
            {
                close(*got, *want);
            }
            for (got, want) in crop.up(&view).iter().zip(shared.up) {
                close(*got, want);
            }
        }
    }

    #[test]
    fn a_peak_becomes_a_hand_where_its_rows_say() {
        let view = view([[120.0, 400.0], [520.0, 400.0], [520.0, 60.0], [120.0, 60.0]]);
        let crop = Crop::new(&view);
        let mut centres = vec![-9.0; 2 * CELLS * CELLS];
        let mut rows = vec![0.0; ROWS * CELLS * CELLS];
        let at = 10 * CELLS + 20;
        centres[CELLS * CELLS + at] = 3.0;
        centres[CELLS * CELLS + at + 1] = 2.0;
        for (row, value) in [
            (0, 0.25),
            (1, -0.5),
            (2, 1.0),
            (16, 1.5),
            (22, 0.4),
            (23, 4.0),
            (24, -4.0),
            (25, 4.0),
        ] {
            rows[row * CELLS * CELLS + at] = value;
        }
        let hands = decode(&centres, &rows, &crop, &view);
        let [hand] = hands.as_slice() else {
            panic!("{hands:?}");
        };
        assert!(hand.presence > 0.95 && hand.from_white < -0.95);
        let pinch = crop.in_crop(hand.pinch_px);
        assert!((pinch[0] - 20.75 * 8.0).abs() < 1e-6 && (pinch[1] - 10.0 * 8.0).abs() < 1e-6);
        let thumb = crop.in_crop(hand.tips_px[0]);
        assert!((thumb[0] - pinch[0] - 8.0).abs() < 1e-6);
        assert!(
            (hand.height_squares - 1.5).abs() < 1e-6 && (hand.aperture_squares - 0.4).abs() < 1e-6
        );
        assert!(hand.touches > 0.9 && hand.lifts < 0.1 && hand.right > 0.9);
    }

    #[test]
    fn an_arm_over_a_square_covers_it() {
        let view = view([[120.0, 400.0], [520.0, 400.0], [520.0, 60.0], [120.0, 60.0]]);
        let crop = Crop::new(&view);
        let mut arms = vec![0.0; 2 * MASK * MASK];
        let [u, v] = crop
            .in_crop(view.project([4.5, 0.5, 0.0]))
            .map(|p| (p / 4.0) as usize);
        for y in v - 3..v + 4 {
            for x in u - 3..u + 4 {
                arms[y * MASK + x] = 0.9;
            }
        }
        let sight = Sight {
            hands: Vec::new(),
            arms,
            crop,
        };
        let covered = sight.covered(&view);
        assert_ne!(covered & (1 << Square::E1 as u32), 0);
        assert_eq!(covered & (1 << Square::A8 as u32), 0);
        assert!(covered.count_ones() <= 9);
    }
}
