//! Cheap change detection on a small grey picture: what moves, and what looks different from when
//! it was last read. Nothing dearer runs where neither is the case.

use opencv::{
    core::{Mat, MatTraitConst, MatTraitConstManual, Rect, Size},
    imgproc::{COLOR_BGR2GRAY, INTER_AREA, cvt_color_def, resize},
};

use super::VisionError;

/// Width of the small picture, pixels.
const SMALL_WIDTH: i32 = 320;
/// Grey levels by which a pixel must differ to count as changed.
const PIXEL_STEP: i32 = 14;

/// A small grey picture of one frame.
#[derive(Clone)]
pub struct SmallFrame {
    width: usize,
    height: usize,
    /// Small pixels for one pixel of the frame.
    scale: f64,
    grey: Vec<u8>,
}

/// A rectangle of the small picture: x, y, width, height.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmallRect {
    x: usize,
    y: usize,
    w: usize,
    h: usize,
}

impl SmallFrame {
    /// Shrinks a BGR frame.
    ///
    /// # Errors
    /// [`VisionError::OpenCv`].
    pub fn new(frame: &Mat) -> Result<Self, VisionError> {
        let width = SMALL_WIDTH.min(frame.cols());
        let scale = f64::from(width) / f64::from(frame.cols());
        let height = ((f64::from(frame.rows()) * scale).round() as i32).max(1);
        let mut small = Mat::default();
        resize(
            frame,
            &mut small,
            Size::new(width, height),
            0.0,
            0.0,
            INTER_AREA,
        )?;
        let mut grey = Mat::default();
        cvt_color_def(&small, &mut grey, COLOR_BGR2GRAY)?;
        Ok(Self {
            width: width as usize,
            height: height as usize,
            scale,
            grey: grey.data_typed::<u8>()?.to_vec(),
        })
    }

    /// The part of the small picture that an image rectangle (pixels) covers, cut to the picture.
    #[must_use]
    pub fn rect(&self, image: Rect) -> SmallRect {
        let span = |from: i32, length: i32, limit: usize| {
            let a = (f64::from(from) * self.scale).floor().max(0.0) as usize;
            let b = (f64::from(from + length) * self.scale).ceil().max(0.0) as usize;
            let a = a.min(limit.saturating_sub(1));
            (a, b.min(limit).saturating_sub(a))
        };
        let (x, w) = span(image.x, image.width, self.width);
        let (y, h) = span(image.y, image.height, self.height);
        SmallRect { x, y, w, h }
    }

    /// The whole picture.
    #[must_use]
    pub fn whole(&self) -> SmallRect {
        SmallRect {
            x: 0,
            y: 0,
            w: self.width,
            h: self.height,
        }
    }

    /// The grey values inside a rectangle, row by row.
    #[must_use]
    pub fn patch(&self, r: SmallRect) -> Vec<u8> {
        let mut out = Vec::with_capacity(r.w * r.h);
        for row in r.y..r.y + r.h {
            let start = row * self.width + r.x;
            if let Some(line) = self.grey.get(start..start + r.w) {
                out.extend_from_slice(line);
            }
        }
        out
    }

    /// Median grey level of a rectangle.
    #[must_use]
    pub fn level(&self, r: SmallRect) -> f64 {
        let mut values = self.patch(r);
        let middle = values.len() / 2;
        if values.is_empty() {
            0.0
        } else {
            f64::from(*values.select_nth_unstable(middle).1)
        }
    }

    /// Share (0..1) of the rectangle's pixels that differ from `patch`, taken there before, after
    /// a common change of brightness is taken out.
    #[must_use]
    pub fn change_since(&self, r: SmallRect, patch: &[u8]) -> f64 {
        let now = self.patch(r);
        if now.len() != patch.len() || now.is_empty() {
            return 1.0;
        }
        let shift = median_shift(&now, patch);
        let differ = now
            .iter()
            .zip(patch)
            .filter(|(a, b)| (i32::from(**a) - i32::from(**b) - shift).abs() > PIXEL_STEP)
            .count();
        differ as f64 / now.len() as f64
    }
}

/// Median of `now - before`: what a lamp or the camera's exposure did to all of it.
fn median_shift(now: &[u8], before: &[u8]) -> i32 {
    let mut counts = [0_u32; 511];
    for (a, b) in now.iter().zip(before) {
        counts[(i32::from(*a) - i32::from(*b) + 255) as usize] += 1;
    }
    let half = now.len() as u32 / 2;
    let mut seen = 0;
    for (value, count) in counts.iter().enumerate() {
        seen += count;
        if seen > half {
            return value as i32 - 255;
        }
    }
    0
}

/// The difference of two successive frames.
pub struct MotionMap {
    width: usize,
    changed: Vec<bool>,
}

impl MotionMap {
    /// Pixels that differ between two frames of one size, a common change of brightness taken out.
    #[must_use]
    pub fn between(before: &SmallFrame, now: &SmallFrame) -> Self {
        let shift = if before.grey.len() == now.grey.len() {
            median_shift(&now.grey, &before.grey)
        } else {
            0
        };
        let changed = now
            .grey
            .iter()
            .zip(&before.grey)
            .map(|(a, b)| (i32::from(*a) - i32::from(*b) - shift).abs() > PIXEL_STEP)
            .collect();
        Self {
            width: now.width,
            changed,
        }
    }

    /// Share (0..1) of the rectangle's pixels that moved.
    #[must_use]
    pub fn share(&self, r: SmallRect) -> f64 {
        if r.w * r.h == 0 {
            return 0.0;
        }
        self.count(r) as f64 / (r.w * r.h) as f64
    }

    /// Number of pixels in the rectangle that moved.
    #[must_use]
    pub fn count(&self, r: SmallRect) -> usize {
        (r.y..r.y + r.h)
            .filter_map(|row| {
                self.changed
                    .get(row * self.width + r.x..row * self.width + r.x + r.w)
            })
            .map(|line| line.iter().filter(|c| **c).count())
            .sum()
    }

    /// The box around what moved inside a rectangle, in pixels of the full frame; lone pixels are
    /// left out. `None` when nothing moved.
    #[must_use]
    pub fn bounds(&self, r: SmallRect, small: &SmallFrame) -> Option<Rect> {
        let line = |row: usize| {
            self.changed
                .get(row * self.width + r.x..row * self.width + r.x + r.w)
        };
        let (mut columns, mut rows) = (vec![0_usize; r.w], vec![0_usize; r.h]);
        for (y, count) in rows.iter_mut().enumerate() {
            for (x, moved) in line(r.y + y)?.iter().enumerate() {
                if *moved {
                    *count += 1;
                    if let Some(column) = columns.get_mut(x) {
                        *column += 1;
                    }
                }
            }
        }
        let span = |counts: &[usize]| {
            Some((
                counts.iter().position(|c| *c > 1)?,
                counts.iter().rposition(|c| *c > 1)?,
            ))
        };
        let ((x0, x1), (y0, y1)) = (span(&columns)?, span(&rows)?);
        let full = |v: usize| (v as f64 / small.scale) as i32;
        Some(Rect::new(
            full(r.x + x0),
            full(r.y + y0),
            full(x1 - x0 + 1),
            full(y1 - y0 + 1),
        ))
    }

    /// Forgets motion inside a rectangle, which something else accounts for.
    pub fn clear(&mut self, r: SmallRect) {
        for row in r.y..r.y + r.h {
            let start = row * self.width + r.x;
            if let Some(line) = self.changed.get_mut(start..start + r.w) {
                line.fill(false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use opencv::{
        core::{CV_8UC3, Scalar},
        imgproc::{FILLED, LINE_8, rectangle},
    };

    use super::*;

    fn frame(grey: f64, square: Option<Rect>) -> SmallFrame {
        let mut image =
            Mat::new_rows_cols_with_default(240, 320, CV_8UC3, Scalar::all(grey)).unwrap();
        if let Some(r) = square {
            rectangle(&mut image, r, Scalar::all(220.0), FILLED, LINE_8, 0).unwrap();
        }
        SmallFrame::new(&image).unwrap()
    }

    #[test]
    fn a_moved_thing_is_motion_and_a_lamp_is_not() {
        let rest = frame(90.0, None);
        let moved = frame(90.0, Some(Rect::new(40, 40, 20, 20)));
        let brighter = frame(140.0, None);
        let map = MotionMap::between(&rest, &moved);
        assert_eq!(map.count(rest.whole()), 400);
        assert!((map.share(rest.rect(Rect::new(40, 40, 20, 20))) - 1.0).abs() < 1e-9);
        assert_eq!(MotionMap::between(&rest, &brighter).count(rest.whole()), 0);
        let r = rest.rect(Rect::new(30, 30, 60, 60));
        assert!(moved.change_since(r, &rest.patch(r)) > 0.1);
        assert!(brighter.change_since(r, &rest.patch(r)) < 1e-9);
    }

    #[test]
    fn rectangles_outside_the_picture_are_cut() {
        let rest = frame(90.0, None);
        for r in [
            Rect::new(-50, -50, 60, 60),
            Rect::new(310, 230, 500, 500),
            Rect::new(900, 900, 5, 5),
        ] {
            let small = rest.rect(r);
            assert_eq!(rest.patch(small).len(), small.w * small.h);
        }
    }
}
