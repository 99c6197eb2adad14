//! Brightness at points of a colour picture, read where it is asked for: a few thousand points
//! cost far less than turning the whole picture grey.

use opencv::core::{CV_8UC3, Mat, MatTraitConst, MatTraitConstManual};

/// A picture whose brightness can be asked for at points.
pub trait Brightness {
    /// Grey level (0..255) at an image point (pixels, origin at the first pixel's corner), between
    /// pixels by their distance; the border is repeated outwards.
    fn at(&self, point: [f64; 2]) -> f64;
    /// Width and height, pixels.
    fn size_px(&self) -> [f64; 2];
    /// Whether a point lies inside the picture.
    fn contains(&self, [u, v]: [f64; 2]) -> bool {
        let [w, h] = self.size_px();
        u >= 0.0 && v >= 0.0 && u <= w && v <= h
    }
}

/// A BGR picture of 8 bits, borrowed.
pub struct Pixels<'a> {
    bytes: &'a [u8],
    width: usize,
    height: usize,
}

impl<'a> Pixels<'a> {
    /// Borrows a picture; `None` when it is not a continuous BGR picture of 8 bits with at least
    /// one pixel.
    #[must_use]
    pub fn of(picture: &'a Mat) -> Option<Self> {
        let (width, height) = (picture.cols() as usize, picture.rows() as usize);
        let fits = picture.typ() == CV_8UC3 && picture.is_continuous() && width * height > 0;
        let bytes = fits.then(|| picture.data_bytes().ok()).flatten()?;
        (bytes.len() == width * height * 3).then_some(Self {
            bytes,
            width,
            height,
        })
    }

    /// Grey level of a pixel inside the picture, in 256ths.
    fn grey(&self, x: usize, y: usize) -> f64 {
        let index = (y * self.width + x) * 3;
        match self.bytes.get(index..index + 3) {
            Some([b, g, r]) => {
                f64::from(29 * u32::from(*b) + 150 * u32::from(*g) + 77 * u32::from(*r))
            }
            _ => 0.0,
        }
    }
}

impl Brightness for Pixels<'_> {
    fn at(&self, [u, v]: [f64; 2]) -> f64 {
        let place = |value: f64, size: usize| {
            let last = (size - 1) as f64;
            let at = (value - 0.5).clamp(0.0, last);
            let low = at as usize;
            (low, (low + 1).min(size - 1), at - low as f64)
        };
        let (x0, x1, fx) = place(u, self.width);
        let (y0, y1, fy) = place(v, self.height);
        let top = self.grey(x0, y0) * (1.0 - fx) + self.grey(x1, y0) * fx;
        let bottom = self.grey(x0, y1) * (1.0 - fx) + self.grey(x1, y1) * fx;
        (top * (1.0 - fy) + bottom * fy) / 256.0
    }

    fn size_px(&self) -> [f64; 2] {
        [self.width as f64, self.height as f64]
    }
}

#[cfg(test)]
mod tests {
    use opencv::core::{CV_8UC1, MatTrait, Scalar, Vec3b};

    use super::*;

    #[test]
    fn brightness_is_read_between_pixels() {
        let mut picture =
            Mat::new_rows_cols_with_default(2, 2, CV_8UC3, Scalar::all(100.0)).unwrap();
        *picture.at_2d_mut::<Vec3b>(0, 1).unwrap() = Vec3b::all(200);
        let pixels = Pixels::of(&picture).unwrap();
        let near = |p, want: f64| {
            let got = pixels.at(p);
            assert!((got - want).abs() < 1e-9, "{p:?}: {got}");
        };
        near([0.5, 0.5], 100.0);
        near([1.5, 0.5], 200.0);
        near([1.0, 0.5], 150.0);
        near([1.0, 1.0], 125.0);
        near([50.0, -50.0], 200.0);
        assert!(pixels.contains([1.9, 0.0]) && !pixels.contains([2.1, 0.0]));
    }

    #[test]
    fn other_pictures_are_not_taken() {
        let grey = Mat::new_rows_cols_with_default(2, 2, CV_8UC1, Scalar::all(1.0)).unwrap();
        assert!(Pixels::of(&grey).is_none());
        assert!(Pixels::of(&Mat::default()).is_none());
    }
}
