//! Finds crossings of a chessboard pattern: saddle points of brightness whose surroundings
//! alternate light, dark, light, dark.

use opencv::{
    core::{BORDER_REPLICATE, CV_32F, Mat, MatTraitConst, MatTraitConstManual, Size},
    imgproc::{gaussian_blur_def, sobel},
};

use super::pixels::Brightness;

/// One crossing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Saddle {
    /// Image pixels of the working picture, origin at the top-left corner of the first pixel.
    pub at: [f64; 2],
    /// Angle of the light sectors' axis, radians in 0..pi: neighbours on a board differ by a
    /// quarter turn.
    pub light_axis: f64,
    /// Strength of the alternation, grey levels.
    pub strength: f64,
}

/// Grey picture with plain access.
pub struct Grey {
    /// Width, pixels.
    pub width: usize,
    /// Height, pixels.
    pub height: usize,
    values: Vec<f32>,
}

impl Grey {
    /// From a one-channel float picture.
    ///
    /// # Errors
    /// OpenCV's.
    pub fn from_mat(mat: &Mat) -> opencv::Result<Self> {
        Ok(Self {
            width: mat.cols() as usize,
            height: mat.rows() as usize,
            values: mat.data_typed::<f32>()?.to_vec(),
        })
    }

    /// Value of the pixel in column `x`, row `y`; the border is repeated outwards.
    #[must_use]
    pub fn pixel(&self, x: isize, y: isize) -> f64 {
        let clamp = |v: isize, n: usize| v.clamp(0, n as isize - 1) as usize;
        let index = clamp(y, self.height) * self.width + clamp(x, self.width);
        self.values.get(index).map_or(0.0, |v| f64::from(*v))
    }
}

impl Brightness for Grey {
    fn at(&self, [u, v]: [f64; 2]) -> f64 {
        let (x, y) = (u - 0.5, v - 0.5);
        let (x0, y0) = (x.floor(), y.floor());
        let (fx, fy) = (x - x0, y - y0);
        let (x0, y0) = (x0 as isize, y0 as isize);
        let top = self.pixel(x0, y0) * (1.0 - fx) + self.pixel(x0 + 1, y0) * fx;
        let bottom = self.pixel(x0, y0 + 1) * (1.0 - fx) + self.pixel(x0 + 1, y0 + 1) * fx;
        top * (1.0 - fy) + bottom * fy
    }

    fn size_px(&self) -> [f64; 2] {
        [self.width as f64, self.height as f64]
    }
}

/// Radius of the ring on which the alternation is tested, pixels.
const RING_PX: f64 = 5.0;
/// Points on the ring.
const RING_POINTS: usize = 24;
/// Share of the ring's variation that must be alike on opposite sides of the point: a crossing
/// seen from the side keeps this symmetry, however squeezed its sectors are.
const MIN_SYMMETRY: f64 = 0.8;
/// Least amplitude of the alternation, grey levels.
const MIN_STRENGTH: f64 = 4.0;
/// No two crossings are nearer than this, pixels.
const MIN_DISTANCE: isize = 5;
/// Most crossings kept, the strongest.
const MOST: usize = 500;

/// Crossings in a grey picture (one channel, float), strongest first.
///
/// # Errors
/// OpenCV's.
pub fn find(grey: &Mat) -> opencv::Result<Vec<Saddle>> {
    let mut smooth = Mat::default();
    gaussian_blur_def(grey, &mut smooth, Size::new(0, 0), 1.3)?;
    let second = |dx: i32, dy: i32| -> opencv::Result<Grey> {
        let mut out = Mat::default();
        sobel(
            &smooth,
            &mut out,
            CV_32F,
            dx,
            dy,
            3,
            1.0,
            0.0,
            BORDER_REPLICATE,
        )?;
        Grey::from_mat(&out)
    };
    let (xx, yy, xy) = (second(2, 0)?, second(0, 2)?, second(1, 1)?);
    let smooth = Grey::from_mat(&smooth)?;
    let response = |x: isize, y: isize| {
        // Sobel's 2nd derivative kernels are scaled alike; the mixed one is a quarter as strong.
        let mixed = 4.0 * xy.pixel(x, y);
        mixed * mixed / 4.0 - xx.pixel(x, y) * yy.pixel(x, y)
    };
    let (w, h) = (smooth.width as isize, smooth.height as isize);
    let values: Vec<f64> = (0..h)
        .flat_map(|y| (0..w).map(move |x| (x, y)))
        .map(|(x, y)| response(x, y))
        .collect();
    let value = |x: isize, y: isize| values.get((y * w + x) as usize).copied().unwrap_or(0.0);
    let mut found = Vec::new();
    for y in MIN_DISTANCE..h - MIN_DISTANCE {
        for x in MIN_DISTANCE..w - MIN_DISTANCE {
            let v = value(x, y);
            if v <= 100.0 || !is_peak(&value, x, y, v) {
                continue;
            }
            let at = refine(&value, x, y, v);
            if let Some(saddle) = ring_test(&smooth, at) {
                found.push(saddle);
            }
        }
    }
    found.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    found.truncate(MOST);
    Ok(found)
}

fn is_peak(value: &impl Fn(isize, isize) -> f64, x: isize, y: isize, v: f64) -> bool {
    let near = MIN_DISTANCE / 2;
    (-near..=near).all(|dy| {
        (-near..=near).all(|dx| {
            let other = value(x + dx, y + dy);
            other < v || (dx, dy) == (0, 0) || (other == v && (dy, dx) > (0, 0))
        })
    })
}

/// Peak of a parabola through the response, in image pixels.
fn refine(value: &impl Fn(isize, isize) -> f64, x: isize, y: isize, v: f64) -> [f64; 2] {
    let offset = |before: f64, after: f64| {
        let curve = before - 2.0 * v + after;
        if curve < 0.0 {
            ((before - after) / (2.0 * curve)).clamp(-0.5, 0.5)
        } else {
            0.0
        }
    };
    [
        x as f64 + 0.5 + offset(value(x - 1, y), value(x + 1, y)),
        y as f64 + 0.5 + offset(value(x, y - 1), value(x, y + 1)),
    ]
}

/// Tests the brightness on a ring around the point: light, dark, light, dark, and alike on
/// opposite sides. The light axis is the phase of the second harmonic.
fn ring_test(grey: &Grey, at: [f64; 2]) -> Option<Saddle> {
    let angle = |k: usize| std::f64::consts::TAU * k as f64 / RING_POINTS as f64;
    let ring: Vec<f64> = (0..RING_POINTS)
        .map(|k| {
            let (sine, cosine) = angle(k).sin_cos();
            grey.at([at[0] + RING_PX * cosine, at[1] + RING_PX * sine])
        })
        .collect();
    let n = RING_POINTS as f64;
    let mean = ring.iter().sum::<f64>() / n;
    let variance = ring.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n;
    let half: Vec<f64> = ring
        .iter()
        .zip(ring.iter().skip(RING_POINTS / 2))
        .map(|(a, b)| f64::midpoint(*a, *b) - mean)
        .collect();
    let symmetric = half.iter().map(|v| v * v).sum::<f64>() / half.len() as f64;
    let (mut c, mut s) = (0.0, 0.0);
    for (k, value) in half.iter().enumerate() {
        c += value * (2.0 * angle(k)).cos() * 4.0 / n;
        s += value * (2.0 * angle(k)).sin() * 4.0 / n;
    }
    let strength = c.hypot(s);
    let alike = symmetric >= MIN_SYMMETRY * variance;
    (strength >= MIN_STRENGTH && alike && changes(&half) == 2).then(|| Saddle {
        at,
        light_axis: (s.atan2(c) / 2.0).rem_euclid(std::f64::consts::PI),
        strength,
    })
}

/// How often half a ring crosses the level midway between its extremes (the other half is alike).
fn changes(half: &[f64]) -> usize {
    let low = half.iter().copied().fold(f64::INFINITY, f64::min);
    let high = half.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let light: Vec<bool> = half.iter().map(|v| *v > f64::midpoint(low, high)).collect();
    light
        .iter()
        .zip(light.iter().cycle().skip(1))
        .filter(|(a, b)| a != b)
        .count()
}
