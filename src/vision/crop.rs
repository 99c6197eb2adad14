//! The crop of a square's volume that the square reader looks at.

use opencv::{
    core::{BORDER_REPLICATE, CV_64F, Mat, MatTrait, MatTraitConst, Rect, Scalar, Size},
    imgproc::{INTER_AREA, INTER_LINEAR, WARP_INVERSE_MAP, resize, warp_affine},
};
use shakmaty::Square;

use super::VisionError;
use crate::calibration::{
    eye::UP_SQUARES,
    view::{BoardView, square_centre},
};

/// Side of the network's input, pixels.
pub(super) const INPUT: i32 = 64;
/// Side of a crop seen from straight above, squares.
const SIDE: f64 = 1.3;
/// What the side gains for each square of the up vector.
const SIDE_UP: f64 = 0.85;
/// By how much of the up vector the crop's centre lies above the base's.
const SHIFT_UP: f64 = 0.425;

/// The image square that shows what stands on a square of the board upright, whichever way it leans in the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crop {
    /// Centre, pixels.
    pub centre_px: [f64; 2],
    /// Side, pixels.
    pub side_px: f64,
    /// By how much it is turned clockwise from upright, radians.
    pub angle: f64,
    /// Length of the image of 1.2 squares of height, in squares around the place.
    pub lean_squares: f64,
    /// Image of the place itself.
    foot_px: [f64; 2],
    /// Pixels a square around the place.
    unit_px: f64,
}

impl Crop {
    /// The crop of a square: it stands on the base and reaches up along the lean of this very place.
    #[must_use]
    pub fn of(view: &BoardView, square: Square) -> Self {
        let [x, y] = square_centre(square);
        let (foot, top) = (view.project([x, y, 0.0]), view.project([x, y, UP_SQUARES]));
        let unit = view.square_px([x, y]);
        let up = [(top[0] - foot[0]) / unit, (top[1] - foot[1]) / unit];
        let lean_squares = up[0].hypot(up[1]);
        Self {
            centre_px: [0, 1].map(|i| foot[i] + SHIFT_UP * unit * up[i]),
            side_px: unit * (SIDE + SIDE_UP * lean_squares),
            angle: up[0].atan2(-up[1]),
            lean_squares,
            foot_px: foot,
            unit_px: unit,
        }
    }

    /// Where the point 1.2 squares above the place is seen, when the up vector lacks `off` (to the
    /// right and up in the crop, squares), pixels.
    pub(super) fn true_top_px(&self, off: [f32; 2]) -> [f64; 2] {
        let (sin, cos) = self.angle.sin_cos();
        let [right, up] = [f64::from(off[0]), self.lean_squares + f64::from(off[1])];
        let [x, y] = self.foot_px;
        [
            x + self.unit_px * (cos * right + sin * up),
            y + self.unit_px * (sin * right - cos * up),
        ]
    }

    /// The crop's bounds in whole pixels if it were upright, not cut to the picture.
    #[must_use]
    pub fn rect(&self) -> Rect {
        let [x, y] = self.centre_px.map(|v| v - self.side_px / 2.0);
        Rect::new(
            x.floor() as i32,
            y.floor() as i32,
            self.side_px.ceil() as i32,
            self.side_px.ceil() as i32,
        )
    }

    /// Cuts out and scales to 64x64; outside the picture its border is repeated.
    pub(super) fn cut(&self, frame: &Mat) -> Result<Mat, VisionError> {
        let scale = self.side_px / f64::from(INPUT);
        let [x, y] = self.centre_px;
        if scale > 2.0 {
            // Averaging first keeps fine texture from turning into noise.
            let reach =
                self.side_px * (self.angle.cos().abs() + self.angle.sin().abs()) / 2.0 + 2.0;
            let low = [x, y].map(|v| (v - reach).floor() as i32);
            let high = [x, y].map(|v| (v + reach).ceil() as i32);
            let picture = Rect::new(0, 0, frame.cols(), frame.rows());
            let area = Rect::new(low[0], low[1], high[0] - low[0], high[1] - low[1]) & picture;
            if area.width > 4 && area.height > 4 {
                let size = [area.width, area.height].map(|v| (f64::from(v) / scale).ceil());
                let mut shrunk = Mat::default();
                resize(
                    &Mat::roi(frame, area)?,
                    &mut shrunk,
                    Size::new(size[0] as i32, size[1] as i32),
                    0.0,
                    0.0,
                    INTER_AREA,
                )?;
                let factor = [
                    size[0] / f64::from(area.width),
                    size[1] / f64::from(area.height),
                ];
                let centre = [
                    (x - f64::from(area.x)) * factor[0],
                    (y - f64::from(area.y)) * factor[1],
                ];
                let step = scale * (factor[0] + factor[1]) / 2.0;
                return sample(&shrunk, centre, step, self.angle);
            }
        }
        sample(frame, self.centre_px, scale, self.angle)
    }
}

/// Bilinear sampling of 64x64 pixels around `centre` (source pixels) in steps of `step`, turned by
/// `angle`.
fn sample(source: &Mat, centre: [f64; 2], step: f64, angle: f64) -> Result<Mat, VisionError> {
    let (cos, sin) = (angle.cos() * step, angle.sin() * step);
    // OpenCV counts from pixel centres.
    let half = f64::from(INPUT) / 2.0 - 0.5;
    let rows = [
        [cos, -sin, centre[0] - 0.5 - half * (cos - sin)],
        [sin, cos, centre[1] - 0.5 - half * (sin + cos)],
    ];
    let mut source_from_crop = Mat::new_rows_cols_with_default(2, 3, CV_64F, Scalar::all(0.0))?;
    for (row, values) in (0..).zip(rows) {
        for (column, value) in (0..).zip(values) {
            *source_from_crop.at_2d_mut::<f64>(row, column)? = value;
        }
    }
    let mut out = Mat::default();
    let flags = INTER_LINEAR | WARP_INVERSE_MAP;
    warp_affine(
        source,
        &mut out,
        &source_from_crop,
        Size::new(INPUT, INPUT),
        flags,
        BORDER_REPLICATE,
        Scalar::all(0.0),
    )?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::calibration::view::Corners;

    /// Crops as the training's own code cuts them: `training/pieces/test_crops.py`.
    #[derive(Deserialize)]
    struct Shared {
        width: u32,
        height: u32,
        corners: Corners,
        eye: [f64; 3],
        crops: Vec<[f64; 5]>,
    }

    fn shared() -> Vec<Shared> {
        serde_json::from_str(include_str!("../../training/pieces/crops.json")).unwrap()
    }

    #[test]
    fn crops_are_those_the_network_learnt_from() {
        for row in shared() {
            let view = BoardView::new(row.corners, row.width, row.height).unwrap();
            let view = view.seen_from(row.eye).unwrap();
            for (square, want) in [Square::A1, Square::D4, Square::E5, Square::H8]
                .into_iter()
                .zip(&row.crops)
            {
                let crop = Crop::of(&view, square);
                let [x, y] = crop.centre_px;
                let got = [x, y, crop.side_px, crop.angle, crop.lean_squares];
                assert!(
                    got.iter().zip(want).all(|(g, w)| (g - w).abs() < 2e-3),
                    "{got:?} {want:?}"
                );
            }
        }
    }

    #[test]
    fn the_true_top_is_where_the_lean_takes_it() {
        for row in shared() {
            let true_view = BoardView::new(row.corners, row.width, row.height)
                .unwrap()
                .seen_from(row.eye)
                .unwrap();
            let believed = true_view.seen_from([4.0, 4.0, 25.0]).unwrap();
            for square in Square::ALL {
                let (real, crop) = (Crop::of(&true_view, square), Crop::of(&believed, square));
                let [x, y] = square_centre(square);
                let (top, held) = (
                    true_view.project([x, y, UP_SQUARES]),
                    believed.project([x, y, UP_SQUARES]),
                );
                let (sin, cos) = crop.angle.sin_cos();
                let d = [0, 1].map(|i| (top[i] - held[i]) / real.unit_px);
                let off = [cos * d[0] + sin * d[1], sin * d[0] - cos * d[1]].map(|v| v as f32);
                let got = crop.true_top_px(off);
                assert!((got[0] - top[0]).hypot(got[1] - top[1]) < 1e-3);
            }
        }
    }

    #[test]
    fn what_leans_to_the_right_is_cut_upright() {
        let mut frame =
            Mat::new_rows_cols_with_default(200, 200, opencv::core::CV_8UC3, Scalar::all(0.0))
                .unwrap();
        opencv::imgproc::rectangle(
            &mut frame,
            Rect::new(100, 98, 30, 4),
            Scalar::all(255.0),
            opencv::imgproc::FILLED,
            8,
            0,
        )
        .unwrap();
        let crop = Crop {
            centre_px: [100.0, 100.0],
            side_px: 64.0,
            angle: std::f64::consts::FRAC_PI_2,
            lean_squares: 1.0,
            foot_px: [100.0, 100.0],
            unit_px: 40.0,
        };
        let cut = crop.cut(&frame).unwrap();
        let grey =
            |row: i32, column: i32| cut.at_2d::<opencv::core::Vec3b>(row, column).unwrap()[0];
        assert!((4..30).all(|row| grey(row, 31) > 200));
        assert!((36..64).all(|row| (0..64).all(|column| grey(row, column) < 50)));
    }
}
