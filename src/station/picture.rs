//! Whether the camera's picture itself changed while it runs: its size, or how bright it is. The game
//! goes on; that it happened is noted, since it may explain what was seen.

use opencv::core::{Mat, mean_def};
use serde::Serialize;

/// The brightness is looked at this often, milliseconds.
const STEP_MS: f64 = 250.0;
/// Brighter or darker by this factor is another light: a hand changes a tenth ...
const FACTOR: f64 = 1.25;
/// ... if it lasts, milliseconds.
const LASTS_MS: f64 = 1000.0;
/// How fast slow changes, as of the sun, are followed.
const FOLLOW: f64 = 0.1;

/// What changed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(super) enum Change {
    /// Width and height, pixels.
    Size { from: (i32, i32), to: (i32, i32) },
    /// Mean brightness, 0 to 255: the lamps or the camera's exposure.
    Light { from: f64, to: f64 },
}

/// Follows the pictures of one camera.
#[derive(Debug, Default)]
pub(super) struct PictureWatch {
    size: Option<(i32, i32)>,
    /// The brightness that holds.
    level: Option<f64>,
    /// Since when it is another one, milliseconds since 1970.
    other_ms: Option<f64>,
    looked_ms: f64,
}

impl PictureWatch {
    /// Looks at a frame (BGR) captured at `t_ms`.
    pub(super) fn look(&mut self, image: &Mat, t_ms: f64) -> Option<Change> {
        let to = super::board::size(image);
        let from = *self.size.get_or_insert(to);
        if from != to {
            self.size = Some(to);
            return Some(Change::Size { from, to });
        }
        if (t_ms - self.looked_ms).abs() < STEP_MS {
            return None;
        }
        self.looked_ms = t_ms;
        let colours = mean_def(image).ok()?;
        self.light((colours[0] + colours[1] + colours[2]) / 3.0, t_ms)
    }

    fn light(&mut self, now: f64, t_ms: f64) -> Option<Change> {
        // A black picture is as bright as any other one is dark.
        let now = now.max(1.0);
        let from = *self.level.get_or_insert(now);
        if (now / from).max(from / now) < FACTOR {
            self.level = Some(from + FOLLOW * (now - from));
            self.other_ms = None;
            return None;
        }
        if t_ms - *self.other_ms.get_or_insert(t_ms) < LASTS_MS {
            return None;
        }
        self.level = Some(now);
        self.other_ms = None;
        let round = |level: f64| (level * 10.0).round() / 10.0;
        Some(Change::Light {
            from: round(from),
            to: round(now),
        })
    }
}

#[cfg(test)]
mod tests {
    use opencv::core::{CV_8UC3, Scalar};

    use super::*;

    /// What is said of pictures a tenth of a second apart, by their brightness.
    fn said(levels: impl IntoIterator<Item = f64>) -> Vec<Change> {
        let mut watch = PictureWatch::default();
        let look = |(k, level): (usize, f64)| {
            let grey = Scalar::all(level);
            let image = Mat::new_rows_cols_with_default(9, 16, CV_8UC3, grey).unwrap();
            watch.look(&image, 1e12 + k as f64 * 100.0)
        };
        let levels: Vec<f64> = levels.into_iter().collect();
        levels.into_iter().enumerate().filter_map(look).collect()
    }

    fn for_frames(level: f64, frames: usize) -> impl Iterator<Item = f64> {
        std::iter::repeat_n(level, frames)
    }

    #[test]
    fn another_light_is_said_once_and_a_hand_or_the_sun_is_none() {
        let lamp = for_frames(120.0, 30).chain(for_frames(80.0, 30));
        let dark = Change::Light {
            from: 120.0,
            to: 80.0,
        };
        assert_eq!(said(lamp), [dark]);
        let hand = for_frames(120.0, 30).chain(for_frames(108.0, 30));
        assert_eq!(said(hand), []);
        let flash = for_frames(120.0, 30).chain(for_frames(250.0, 5));
        assert_eq!(said(flash.chain(for_frames(120.0, 30))), []);
        assert_eq!(said((0..600).map(|k| 150.0 - f64::from(k) / 6.0)), []);
    }

    #[test]
    fn another_size_is_said_at_once() {
        let mut watch = PictureWatch::default();
        let image = |cols| Mat::new_rows_cols_with_default(9, cols, CV_8UC3, Scalar::all(9.0));
        assert_eq!(watch.look(&image(16).unwrap(), 1.0), None);
        let change = Change::Size {
            from: (16, 9),
            to: (12, 9),
        };
        assert_eq!(watch.look(&image(12).unwrap(), 2.0), Some(change));
        assert_eq!(watch.look(&image(12).unwrap(), 3.0), None);
    }
}
