//! Where the chess clock stands in the picture: marked by a person, since clocks look unlike each
//! other and stand where the arbiter wants them.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::window::Window;

/// Smallest outline that can be a clock, square pixels.
const LEAST_AREA_PX2: f64 = 16.0;

/// The outline of the clock's upper side with its levers or buttons, image pixels: a polygon that
/// encloses an area.
///
/// ```
/// use adoube::calibration::clock::ClockPlace;
/// let place: ClockPlace = "10,10 50,10 50,40 10,40".parse().unwrap();
/// assert_eq!(place.outline_px().len(), 4);
/// assert!("10,10 50,10".parse::<ClockPlace>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<[f64; 2]>", into = "Vec<[f64; 2]>")]
pub struct ClockPlace(Vec<[f64; 2]>);

/// Why an outline is none.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ClockPlaceError {
    /// A word is not a point.
    #[error("clock: \"{0}\" is not x,y; write \"x,y x,y x,y x,y\" in pixels")]
    Point(String),
    /// The points enclose nothing.
    #[error("clock: these points enclose no area: give the clock's corners one after the other")]
    Empty,
}

impl ClockPlace {
    /// Its corners in order, image pixels.
    #[must_use]
    pub fn outline_px(&self) -> &[[f64; 2]] {
        &self.0
    }

    /// The same in a part of the picture, pixels; none where it lies outside of it.
    #[must_use]
    pub fn seen_in(&self, window: Window) -> Option<Self> {
        let points: Vec<[f64; 2]> = self.0.iter().map(|p| window.point(*p)).collect();
        let size = [window.width, window.height].map(f64::from);
        let inside = |p: &[f64; 2]| (0..2).all(|i| (0.0..=size[i]).contains(&p[i]));
        points.iter().all(inside).then_some(Self(points))
    }
}

impl TryFrom<Vec<[f64; 2]>> for ClockPlace {
    type Error = ClockPlaceError;

    fn try_from(points: Vec<[f64; 2]>) -> Result<Self, ClockPlaceError> {
        let area = area(&points);
        if points.len() >= 3 && area.is_finite() && area >= LEAST_AREA_PX2 {
            Ok(Self(points))
        } else {
            Err(ClockPlaceError::Empty)
        }
    }
}

impl From<ClockPlace> for Vec<[f64; 2]> {
    fn from(place: ClockPlace) -> Self {
        place.0
    }
}

impl FromStr for ClockPlace {
    type Err = ClockPlaceError;

    fn from_str(text: &str) -> Result<Self, ClockPlaceError> {
        let point = |word: &str| {
            let wrong = || ClockPlaceError::Point(word.to_owned());
            let (x, y) = word.split_once(',').ok_or_else(wrong)?;
            let number = |v: &str| v.parse::<f64>().map_err(|_| wrong());
            Ok([number(x)?, number(y)?])
        };
        let points: Result<Vec<[f64; 2]>, ClockPlaceError> =
            text.split_whitespace().map(point).collect();
        points?.try_into()
    }
}

/// Pairs of neighbouring corners.
fn sides(outline: &[[f64; 2]]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
    let next = outline.iter().cycle().skip(1);
    outline.iter().copied().zip(next.copied())
}

fn area(outline: &[[f64; 2]]) -> f64 {
    let twice: f64 = sides(outline).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum();
    (twice / 2.0).abs()
}

/// Whether a point lies within an outline.
#[must_use]
pub fn encloses(outline: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let crossed = sides(outline).filter(|(a, b)| {
        (a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
    });
    crossed.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_within_or_without() {
        let place: ClockPlace = "0,0 10,0 10,10 0,10".parse().unwrap();
        for (point, want) in [
            ([5.0, 5.0], true),
            ([9.9, 0.1], true),
            ([10.1, 5.0], false),
            ([5.0, -0.1], false),
            ([-3.0, 5.0], false),
        ] {
            assert_eq!(encloses(place.outline_px(), point), want, "{point:?}");
        }
    }

    #[test]
    fn what_encloses_nothing_is_refused_with_the_reason() {
        for (text, want) in [
            ("", "no area"),
            ("1,1 5,5", "no area"),
            ("1,1 5,5 9,9", "no area"),
            ("1,1 50,1 50,50 1,inf", "no area"),
            ("1,1 5 9,9", "\"5\" is not x,y"),
            ("1,1 5,b 9,9", "\"5,b\" is not x,y"),
        ] {
            let got = text.parse::<ClockPlace>().unwrap_err().to_string();
            assert!(got.contains(want), "{text}: {got}");
        }
    }
}
