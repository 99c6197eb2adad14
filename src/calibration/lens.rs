//! A lens's radial distortion: one coefficient, about the picture's centre.
//!
//! With `r` the distance of a point from the picture's centre in units of half the picture's
//! diagonal, a point that a camera without distortion would show at `r` is filmed at
//! `r * (1 + k1 * r * r)`. `k1` below 0 is a barrel (wide angles), above 0 a cushion; a corner of
//! the picture is displaced by the share `k1`. The unit needs no focal length and does not change
//! when the picture is scaled. `OpenCV`'s coefficient, whose unit is the focal length, is
//! `k1 * (focal / half diagonal)^2`.

use serde::{Deserialize, Serialize};

/// Strongest distortion that is believed: the mapping can be turned back everywhere in the picture.
pub const MOST_K1: f64 = 0.3;

/// A lens; the default distorts nothing.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lens {
    /// Radial coefficient, see the module: -0.3 to 0.3.
    pub k1: f64,
}

/// A lens with the size of the pictures that it makes: maps points between the picture as filmed
/// and the ideal one, both in pixels with the origin at the top-left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LensMap {
    k1: f64,
    centre_px: [f64; 2],
    half_diagonal_px: f64,
}

impl Lens {
    /// Whether it distorts nothing.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.k1 == 0.0
    }

    /// Whether it is finite and within the bounds that can be turned back.
    #[must_use]
    pub fn is_believable(&self) -> bool {
        self.k1.abs() <= MOST_K1
    }

    /// For pictures of a size, pixels.
    #[must_use]
    pub fn of_picture(self, width_px: f64, height_px: f64) -> LensMap {
        LensMap {
            k1: self.k1,
            centre_px: [width_px / 2.0, height_px / 2.0],
            half_diagonal_px: (width_px.hypot(height_px) / 2.0).max(1.0),
        }
    }
}

impl LensMap {
    /// The lens.
    #[must_use]
    pub fn lens(&self) -> Lens {
        Lens { k1: self.k1 }
    }

    /// The same pictures through another lens.
    #[must_use]
    pub fn with(self, lens: Lens) -> Self {
        Self {
            k1: lens.k1,
            ..self
        }
    }

    /// Where a point of the ideal picture is filmed.
    ///
    /// Beyond the radius at which a barrel would fold back upon itself the displacement stays what
    /// it is there: points far outside the picture stay outside.
    #[must_use]
    pub fn filmed_from_ideal(&self, p: [f64; 2]) -> [f64; 2] {
        if self.k1 == 0.0 {
            return p;
        }
        self.stretched(p, |r| 1.0 + self.k1 * r.min(self.fold()).powi(2))
    }

    /// Where a filmed point would lie in the ideal picture: the inverse of
    /// [`LensMap::filmed_from_ideal`], by Newton's method.
    #[must_use]
    pub fn ideal_from_filmed(&self, p: [f64; 2]) -> [f64; 2] {
        if self.k1 == 0.0 {
            return p;
        }
        self.stretched(p, |filmed| {
            let fold = self.fold();
            if filmed >= fold * (1.0 + self.k1 * fold * fold) {
                return 1.0 / (1.0 + self.k1 * fold * fold);
            }
            let mut r = filmed;
            for _ in 0..12 {
                let slope = 1.0 + 3.0 * self.k1 * r * r;
                let step = (r * (1.0 + self.k1 * r * r) - filmed) / slope.max(0.05);
                r = (r - step).clamp(0.0, fold);
                if step.abs() < 1e-13 {
                    break;
                }
            }
            if filmed > 0.0 { r / filmed } else { 1.0 }
        })
    }

    /// Radius up to which the mapping is followed, half diagonals: where a barrel's slope has
    /// fallen to a tenth, three for a cushion.
    fn fold(&self) -> f64 {
        if self.k1 < 0.0 {
            (0.3 / -self.k1).sqrt().min(3.0)
        } else {
            3.0
        }
    }

    fn stretched(&self, [x, y]: [f64; 2], factor: impl Fn(f64) -> f64) -> [f64; 2] {
        let [cx, cy] = self.centre_px;
        let (dx, dy) = (x - cx, y - cy);
        let f = factor(dx.hypot(dy) / self.half_diagonal_px);
        [cx + dx * f, cy + dy * f]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corner_of_the_picture_is_displaced_by_the_coefficient() {
        let map = Lens { k1: -0.2 }.of_picture(800.0, 600.0);
        // The corner lies one half diagonal (500 pixels) out: (400, 300) from the centre.
        let got = map.filmed_from_ideal([800.0, 600.0]);
        assert!((got[0] - (400.0 + 400.0 * 0.8)).abs() < 1e-9, "{got:?}");
        assert!((got[1] - (300.0 + 300.0 * 0.8)).abs() < 1e-9, "{got:?}");
        // Half way out it is k1 / 4.
        let half = map.filmed_from_ideal([600.0, 450.0]);
        assert!((half[0] - (400.0 + 200.0 * 0.95)).abs() < 1e-9, "{half:?}");
        assert_eq!(map.filmed_from_ideal([400.0, 300.0]), [400.0, 300.0]);
    }

    #[test]
    fn it_is_undone_everywhere_in_the_picture() {
        for k1 in [-0.3, -0.15, -0.01, 0.0, 0.05, 0.3] {
            let map = Lens { k1 }.of_picture(1280.0, 720.0);
            for p in [[0.0, 0.0], [640.0, 360.0], [1280.0, 10.0], [300.5, 700.25]] {
                let there = map.filmed_from_ideal(p);
                let back = map.ideal_from_filmed(there);
                assert!(
                    (back[0] - p[0]).hypot(back[1] - p[1]) < 1e-6,
                    "{k1} {p:?} {there:?} {back:?}"
                );
            }
        }
    }

    #[test]
    fn points_far_outside_stay_outside_and_finite() {
        for k1 in [-0.3, 0.3] {
            let map = Lens { k1 }.of_picture(640.0, 480.0);
            for p in [[-4000.0, 100.0], [9e4, -9e4]] {
                let out = map.filmed_from_ideal(p);
                assert!(out.iter().all(|v| v.is_finite()) && (out[0] < 0.0 || out[0] > 640.0));
            }
        }
    }

    #[test]
    fn a_plain_lens_changes_nothing_and_scaling_does_not_matter() {
        let p = [12.5, 700.0];
        assert!(Lens::default().is_plain());
        assert_eq!(
            Lens::default()
                .of_picture(100.0, 100.0)
                .ideal_from_filmed(p),
            p
        );
        let lens = Lens { k1: -0.1 };
        let big = lens
            .of_picture(1280.0, 720.0)
            .filmed_from_ideal([100.0, 80.0]);
        let small = lens
            .of_picture(640.0, 360.0)
            .filmed_from_ideal([50.0, 40.0]);
        assert!((big[0] / 2.0 - small[0]).abs() < 1e-9 && (big[1] / 2.0 - small[1]).abs() < 1e-9);
        assert!(!Lens { k1: f64::NAN }.is_believable() && !Lens { k1: 0.4 }.is_believable());
    }
}
