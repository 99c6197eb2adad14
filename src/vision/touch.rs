//! The touch network: one hand looked at closely, for whether it touches or carries a piece, and for
//! where exactly its fingers meet.
//!
//! The crop is exactly that of `training/hands/touch.py`: that of the hand network enlarged, centred
//! on the pinch point, turned so that the arm's owner sits below.

use ndarray::{Array4, s};
use opencv::{
    core::{BORDER_REPLICATE, Mat, MatTraitConst, MatTraitConstManual, Rect, Scalar, Size, Vec3b},
    imgproc::{INTER_LINEAR, gaussian_blur_def, warp_affine},
};

use super::{
    VisionError,
    arms::{Crop, SeenHand, UNIT, matrix},
    runtime::{Model, RuntimeError},
};
use crate::calibration::view::BoardView;

/// Side of the crop, pixels.
const SIZE: usize = 96;
/// Pixels of the crop per square of a board seen from straight above.
const PER_SQUARE: f64 = 36.0;
/// From this shrinking on the picture is smoothed first ...
const SMOOTHED_FROM: f64 = 1.6;
/// ... by a Gaussian of so many crop pixels.
const SMOOTHING: f64 = 0.35;
/// Numbers said of a hand.
const SAID: usize = 6;
/// Places at which hands act: the board and what stands beside it, squares.
const OVER_BOARD: std::ops::Range<f64> = -1.5..9.5;
/// Farthest that the pinch point is moved, squares.
const FARTHEST: f64 = 0.6;

/// The network.
pub struct TouchModel {
    model: Model,
}

impl TouchModel {
    /// Loads `touch.onnx`.
    ///
    /// # Errors
    /// [`RuntimeError`].
    pub fn open(models: &std::path::Path) -> Result<Self, RuntimeError> {
        Ok(Self {
            model: Model::open(models, "touch.onnx")?,
        })
    }

    /// Looks closely at each hand over the board in a BGR frame of the size of `view`, and corrects
    /// what was said of it.
    ///
    /// # Errors
    /// [`VisionError`].
    pub fn refine(
        &mut self,
        frame: &Mat,
        view: &BoardView,
        hands: &mut [SeenHand],
    ) -> Result<(), VisionError> {
        let over = |h: &SeenHand| {
            let place = view.point_at_height(h.pinch_px, h.height_squares.clamp(0.0, 4.0));
            place.iter().all(|v| OVER_BOARD.contains(v))
        };
        let mut hands: Vec<&mut SeenHand> = hands.iter_mut().filter(|h| over(h)).collect();
        if hands.is_empty() {
            return Ok(());
        }
        let whole = Crop::new(view);
        let up = whole.up(view);
        let mut input = Array4::zeros((hands.len(), 5, SIZE, SIZE));
        let close: Vec<Crop> = hands
            .iter()
            .map(|hand| whole.close_up(hand.pinch_px, hand.from_white > 0.0))
            .collect();
        for (index, (hand, crop)) in hands.iter().zip(&close).enumerate() {
            let pixels = cut(frame, crop)?;
            for (plane, channel) in [(0, 2), (1, 1), (2, 0)] {
                let mut target = input.slice_mut(s![index, plane, .., ..]);
                for (to, from) in target.iter_mut().zip(pixels.data_typed::<Vec3b>()?) {
                    *to = f32::from(from[channel]) / 255.0;
                }
            }
            let sign = if hand.from_white > 0.0 { 1.0 } else { -1.0 };
            for (plane, value) in [3, 4].into_iter().zip(up) {
                let value = (sign * value) as f32;
                input.slice_mut(s![index, plane, .., ..]).fill(value);
            }
        }
        let outputs = self.model.run(&input, &["said"])?;
        let said = outputs.first().map(Vec::as_slice).unwrap_or_default();
        for ((hand, crop), row) in hands.iter_mut().zip(&close).zip(said.chunks(SAID)) {
            let &[touches, lifts, dx, dy, _height, width] = row else {
                continue;
            };
            // Close up the fingers are seen better, from afar how the hand stands over the board: what
            // both say counts half each, but for height and place, in which one is clearly better.
            hand.touches = between(hand.touches, touches);
            hand.lifts = between(hand.lifts, lifts);
            hand.aperture_squares = 0.5 * (hand.aperture_squares + f64::from(width));
            let half = SIZE as f64 / 2.0;
            let moved = |d: f32| half + f64::from(d).clamp(-FARTHEST, FARTHEST) * PER_SQUARE;
            hand.pinch_px = crop.in_image([moved(dx), moved(dy)]);
        }
        Ok(())
    }
}

/// The probability half way, in logits, between one and a logit.
fn between(p: f64, logit: f32) -> f64 {
    let p = p.clamp(1e-6, 1.0 - 1e-6);
    let mean = 0.5 * ((p / (1.0 - p)).ln() + f64::from(logit));
    1.0 / (1.0 + (-mean).exp())
}

impl Crop {
    /// The crop of one hand.
    fn close_up(&self, pinch_px: [f64; 2], of_white: bool) -> Self {
        let scale = PER_SQUARE / UNIT * if of_white { 1.0 } else { -1.0 };
        let half = SIZE as f64 / 2.0;
        Self {
            m: self.m.map(|[a, b, _]| {
                let (a, b) = (a * scale, b * scale);
                [a, b, half - a * pinch_px[0] - b * pinch_px[1]]
            }),
        }
    }
}

/// The pixels of a crop.
fn cut(frame: &Mat, crop: &Crop) -> Result<Mat, VisionError> {
    let shrinking = 1.0 / crop.scale().max(1e-6);
    let half = SIZE as f64 / 2.0;
    let [cx, cy] = crop.in_image([half, half]);
    // All that the turned crop can reach, and what smoothing takes in beside it.
    let reach = (SIZE as f64 * shrinking * 0.75).ceil() + 4.0;
    let around = Rect::new(
        (cx - reach) as i32,
        (cy - reach) as i32,
        (2.0 * reach) as i32,
        (2.0 * reach) as i32,
    ) & Rect::new(0, 0, frame.cols(), frame.rows());
    let size = Size::new(SIZE as i32, SIZE as i32);
    let mut out = Mat::default();
    if around.width < 2 || around.height < 2 {
        return Ok(Mat::new_rows_cols_with_default(
            size.height,
            size.width,
            frame.typ(),
            Scalar::all(0.0),
        )?);
    }
    let part = Mat::roi(frame, around)?;
    let mut smooth = Mat::default();
    if shrinking > SMOOTHED_FROM {
        gaussian_blur_def(&part, &mut smooth, Size::default(), SMOOTHING * shrinking)?;
    } else {
        part.copy_to(&mut smooth)?;
    }
    let offset = [f64::from(around.x), f64::from(around.y)];
    warp_affine(
        &smooth,
        &mut out,
        &matrix(&crop.m, 1.0, offset)?,
        size,
        INTER_LINEAR,
        BORDER_REPLICATE,
        Scalar::all(0.0),
    )?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::view::Corners;

    #[test]
    fn the_close_up_is_centred_and_has_its_owner_below() {
        let corners = [[500.0, 60.0], [120.0, 60.0], [120.0, 440.0], [500.0, 440.0]];
        let view = BoardView::new(Corners::from_order(corners), 640, 480).unwrap();
        let whole = Crop::new(&view);
        let pinch = view.project([3.0, 5.0, 0.0]);
        for (of_white, ahead) in [(true, [3.0, 5.5, 0.0]), (false, [3.0, 4.5, 0.0])] {
            let crop = whole.close_up(pinch, of_white);
            let [x, y] = crop.in_crop(pinch);
            assert!((x - 48.0).abs() < 1e-9 && (y - 48.0).abs() < 1e-9);
            let [u, v] = crop.in_crop(view.project(ahead));
            assert!((u - 48.0).abs() < 1.0 && v < 40.0, "{u} {v}");
        }
    }

    #[test]
    fn a_mark_in_the_picture_is_where_the_crop_says() {
        let corners = [
            [100.0, 700.0],
            [1180.0, 700.0],
            [1180.0, 60.0],
            [100.0, 60.0],
        ];
        let view = BoardView::new(Corners::from_order(corners), 1280, 760).unwrap();
        let mut frame =
            Mat::new_rows_cols_with_default(760, 1280, opencv::core::CV_8UC3, Scalar::all(0.0))
                .unwrap();
        let mark = Rect::new(636, 396, 8, 8);
        opencv::imgproc::rectangle(&mut frame, mark, Scalar::all(255.0), -1, 8, 0).unwrap();
        let crop = Crop::new(&view).close_up([620.0, 380.0], true);
        let pixels = cut(&frame, &crop).unwrap();
        let (mut total, mut x, mut y) = (0.0, 0.0, 0.0);
        for (index, p) in pixels.data_typed::<Vec3b>().unwrap().iter().enumerate() {
            let weight = f64::from(p[0]);
            total += weight;
            x += weight * ((index % SIZE) as f64 + 0.5);
            y += weight * ((index / SIZE) as f64 + 0.5);
        }
        let want = crop.in_crop([640.0, 400.0]);
        assert!((x / total - want[0]).abs() < 0.2 && (y / total - want[1]).abs() < 0.2);
    }
}
