//! MediaPipe's hand landmark model: 21 points of one hand from a turned crop.

use opencv::{
    core::{BORDER_REPLICATE, Mat, MatTrait, Scalar, Size},
    imgproc::{INTER_LINEAR, WARP_INVERSE_MAP, warp_affine},
};

use super::{
    VisionError,
    palm::{Palm, to_rgb},
    runtime::{Model, RuntimeError},
};

/// Side of the network's input, pixels.
const INPUT: f64 = 224.0;

/// Number of landmarks.
pub const POINTS: usize = 21;
/// Index of the wrist.
pub const WRIST: usize = 0;
/// Index of the thumb's tip.
pub const THUMB_TIP: usize = 4;
/// Index of the index finger's tip.
pub const INDEX_TIP: usize = 8;
/// Index of the middle finger's knuckle.
pub const MIDDLE_KNUCKLE: usize = 9;

/// A turned square of the image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Roi {
    /// Centre, image pixels.
    pub centre: [f64; 2],
    /// Side, image pixels.
    pub side: f64,
    /// Turn, radians clockwise as seen: 0 when the fingers point up.
    pub rotation: f64,
}

/// What the model says of one crop.
#[derive(Debug, Clone, PartialEq)]
pub struct Landmarks {
    /// Image pixels.
    pub points: [[f64; 2]; POINTS],
    /// Probability that there is a hand.
    pub presence: f64,
    /// Probability of a right hand, for a camera that does not mirror.
    pub right: f64,
}

/// The landmark model.
pub struct LandmarkModel {
    model: Model,
}

/// Names of the outputs: points, presence, handedness.
const OUTPUTS: [&str; 3] = ["landmarks", "presence", "handedness"];

impl LandmarkModel {
    /// Loads `hand_landmarks.onnx`.
    ///
    /// # Errors
    /// [`RuntimeError`].
    pub fn open(models: &std::path::Path) -> Result<Self, RuntimeError> {
        Ok(Self {
            model: Model::open(models, "hand_landmarks.onnx")?,
        })
    }

    /// Landmarks of the hand in `roi` of a BGR frame.
    ///
    /// # Errors
    /// [`VisionError`].
    pub fn run(&mut self, frame: &Mat, roi: &Roi) -> Result<Landmarks, VisionError> {
        let (sine, cosine) = roi.rotation.sin_cos();
        let scale = roi.side / INPUT;
        // image_from_crop
        let m = [
            [scale * cosine, -scale * sine],
            [scale * sine, scale * cosine],
        ];
        let half = INPUT / 2.0;
        let t = [
            roi.centre[0] - m[0][0] * half - m[0][1] * half,
            roi.centre[1] - m[1][0] * half - m[1][1] * half,
        ];
        let mut matrix =
            Mat::new_rows_cols_with_default(2, 3, opencv::core::CV_64F, Scalar::all(0.0))?;
        for (row, (line, shift)) in m.iter().zip(t).enumerate() {
            *matrix.at_2d_mut::<f64>(row as i32, 0)? = line[0];
            *matrix.at_2d_mut::<f64>(row as i32, 1)? = line[1];
            *matrix.at_2d_mut::<f64>(row as i32, 2)? = shift;
        }
        let mut crop = Mat::default();
        let flags = INTER_LINEAR | WARP_INVERSE_MAP;
        let size = Size::new(INPUT as i32, INPUT as i32);
        warp_affine(
            frame,
            &mut crop,
            &matrix,
            size,
            flags,
            BORDER_REPLICATE,
            Scalar::all(0.0),
        )?;
        let outputs = self.model.run(&to_rgb(&crop)?, &OUTPUTS)?;
        let number = |i: usize| {
            outputs
                .get(i)
                .and_then(|o| o.first())
                .copied()
                .unwrap_or(0.0)
        };
        let mut points = [[0.0; 2]; POINTS];
        if let Some(raw) = outputs.first() {
            for (point, xyz) in points.iter_mut().zip(raw.chunks_exact(3)) {
                let (x, y) = (f64::from(xyz[0]), f64::from(xyz[1]));
                *point = [
                    m[0][0] * x + m[0][1] * y + t[0],
                    m[1][0] * x + m[1][1] * y + t[1],
                ];
            }
        }
        Ok(Landmarks {
            points,
            presence: f64::from(number(1)),
            right: f64::from(number(2)),
        })
    }
}

/// The crop for a freshly detected palm (MediaPipe: scaled by 2.6, shifted half a box towards
/// the fingers).
#[must_use]
pub fn roi_from_palm(palm: &Palm) -> Roi {
    let rotation = finger_angle(palm.wrist, palm.middle);
    shifted(palm.centre, palm.size, rotation, 2.6, -0.5)
}

/// The crop for the next frame from this frame's landmarks (MediaPipe: palm joints only, scaled
/// by 2, shifted a tenth towards the fingers).
#[must_use]
pub fn roi_from_landmarks(points: &[[f64; 2]; POINTS]) -> Roi {
    let mean = |a: [f64; 2], b: [f64; 2]| [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
    let rotation = finger_angle(points[WRIST], mean(mean(points[5], points[13]), points[9]));
    let palm = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18].map(|i| points[i]);
    let (sine, cosine) = rotation.sin_cos();
    let upright = palm.map(|[x, y]| [x * cosine + y * sine, -x * sine + y * cosine]);
    let bounds = |i: usize| {
        upright
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| {
                (low.min(p[i]), high.max(p[i]))
            })
    };
    let ((x0, x1), (y0, y1)) = (bounds(0), bounds(1));
    let (cx, cy) = ((x0 + x1) / 2.0, (y0 + y1) / 2.0);
    let centre = [cx * cosine - cy * sine, cx * sine + cy * cosine];
    shifted(centre, [x1 - x0, y1 - y0], rotation, 2.0, -0.1)
}

/// Turn of the hand: 0 when it points up in the picture, clockwise positive.
fn finger_angle(wrist: [f64; 2], finger: [f64; 2]) -> f64 {
    let angle = std::f64::consts::FRAC_PI_2 - (wrist[1] - finger[1]).atan2(finger[0] - wrist[0]);
    angle.sin().atan2(angle.cos())
}

fn shifted(centre: [f64; 2], size: [f64; 2], rotation: f64, scale: f64, shift_y: f64) -> Roi {
    let (sine, cosine) = rotation.sin_cos();
    let shift = size[1] * shift_y;
    Roi {
        centre: [centre[0] - shift * sine, centre[1] + shift * cosine],
        side: size[0].max(size[1]) * scale,
        rotation,
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, PI};

    use super::*;

    #[test]
    fn the_crop_turns_with_the_hand() {
        for (finger, want) in [
            ([0.0, -1.0], 0.0),
            ([1.0, 0.0], FRAC_PI_2),
            ([0.0, 1.0], PI),
            ([-1.0, 0.0], -FRAC_PI_2),
        ] {
            let got = finger_angle([0.0, 0.0], finger);
            assert!(
                (got - want).sin().abs() < 1e-9 && (got - want).cos() > 0.0,
                "{finger:?}: {got}"
            );
        }
    }

    #[test]
    fn the_crop_of_a_palm_lies_towards_the_fingers() {
        let palm = Palm {
            score: 1.0,
            centre: [100.0, 100.0],
            size: [40.0, 40.0],
            wrist: [80.0, 100.0],
            middle: [120.0, 100.0],
        };
        let roi = roi_from_palm(&palm);
        assert!((roi.centre[0] - 120.0).abs() < 1e-9 && (roi.centre[1] - 100.0).abs() < 1e-9);
        assert!((roi.side - 104.0).abs() < 1e-9);
    }
}
