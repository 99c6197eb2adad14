//! How the perception errs. The values in force were measured on logs of labelled clips, see
//! `simulation/perception.toml`; [`Noise::NONE`] errs in nothing.

use serde::{Deserialize, Serialize};

/// What goes wrong in seeing. Lengths are in squares as they appear in the picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Noise {
    /// Share of men that look like another kind for as long as they stand where they stand.
    pub kinds: f64,
    /// Share of readings of men in the wrong colour.
    pub colours: f64,
    /// Share of readings that see something else altogether.
    pub misread: f64,
    /// A square seems to move for a moment though nothing does: so often an hour on the whole board.
    pub stray_motion_per_hour: f64,
    /// Standard deviation of where a hand is seen from where it is, in either direction.
    pub place_squares: f64,
    /// Over this time that error changes, milliseconds.
    pub place_ms: f64,
    /// Standard deviation of the error of each point of a hand from frame to frame.
    pub shake_squares: f64,
    /// Share of the time for which a hand over the board is not seen.
    pub lost: f64,
    /// How long it is lost each time, on average, milliseconds.
    pub lost_ms: f64,
    /// Share of the hands found again that get another number.
    pub renumbered: f64,
    /// Share of visits whose hand is taken for the other player's.
    pub wrong_side: f64,
    /// A hand is seen over the board where there is none: so often an hour.
    pub false_hands_per_hour: f64,
    /// For so long on average, milliseconds.
    pub false_hand_ms: f64,
    /// Standard deviation of the board's corners from where they are, in either direction.
    pub corners_squares: f64,
    /// Standard deviation of how far the camera sags or the board shifts in an hour, unnoticed.
    pub drift_squares_per_hour: f64,
    /// Frames come by up to so much early or late, milliseconds.
    pub jitter_ms: f64,
}

impl Noise {
    /// A perception that errs in nothing.
    pub const NONE: Self = Self {
        kinds: 0.0,
        colours: 0.0,
        misread: 0.0,
        stray_motion_per_hour: 0.0,
        place_squares: 0.0,
        place_ms: 0.0,
        shake_squares: 0.0,
        lost: 0.0,
        lost_ms: 0.0,
        renumbered: 0.0,
        wrong_side: 0.0,
        false_hands_per_hour: 0.0,
        false_hand_ms: 0.0,
        corners_squares: 0.0,
        drift_squares_per_hour: 0.0,
        jitter_ms: 0.0,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_does_not_name_errs_in_nothing() {
        assert_eq!(toml::from_str::<Noise>("").unwrap(), Noise::NONE);
        assert!(toml::from_str::<Noise>("fog = 0.5").is_err());
    }
}
