//! From which probability of a breach on a person is told of it, and how. Data, not code: another
//! tournament may set them otherwise, and `adoube replay --set` shows what that would have changed.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::record::Severity;

/// Bounds of P(breach). Each lies between 0 and 1, and `log <= review <= alert`.
///
/// ```
/// use adoube::events::Thresholds;
/// let stricter = Thresholds::default().set("alert=0.9").unwrap();
/// assert_eq!(stricter.alert, 0.9);
/// assert!(stricter.set("alert=2").is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// From here on an arbiter is alerted.
    pub alert: f64,
    /// From here on a person should look.
    pub review: f64,
    /// Below this a breach is not kept at all.
    pub log: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            alert: 0.7,
            review: 0.3,
            log: 0.05,
        }
    }
}

impl fmt::Display for Thresholds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "alert={} review={} log={}",
            self.alert, self.review, self.log
        )
    }
}

/// Why thresholds cannot be set.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ThresholdError {
    /// Not of the form `name=number`.
    #[error("\"{0}\" is no setting: write alert=0.9, review=0.2 or log=0.05")]
    Form(String),
    /// There is no such threshold.
    #[error("there is no threshold \"{0}\": there are alert, review and log")]
    Name(String),
    /// A bound is no probability, or the bounds are not in order.
    #[error("{0}: each must lie between 0 and 1, and log <= review <= alert")]
    Order(Thresholds),
}

impl Thresholds {
    /// The same with one of them set by `name=number`. The order of the bounds is not looked at
    /// but in [`Thresholds::checked`], so that several can be set one after the other.
    ///
    /// # Errors
    /// [`ThresholdError`].
    pub fn set(mut self, setting: &str) -> Result<Self, ThresholdError> {
        let form = || ThresholdError::Form(setting.to_owned());
        let (name, value) = setting.split_once('=').ok_or_else(form)?;
        let value: f64 = value.trim().parse().map_err(|_| form())?;
        let slot = match name.trim() {
            "alert" => &mut self.alert,
            "review" => &mut self.review,
            "log" => &mut self.log,
            other => return Err(ThresholdError::Name(other.to_owned())),
        };
        *slot = value;
        if (0.0..=1.0).contains(&value) {
            Ok(self)
        } else {
            Err(ThresholdError::Order(self))
        }
    }

    /// The same, if the bounds are probabilities in order.
    ///
    /// # Errors
    /// [`ThresholdError::Order`].
    pub fn checked(self) -> Result<Self, ThresholdError> {
        let bounds = [0.0, self.log, self.review, self.alert, 1.0];
        let fine = bounds.iter().all(|v| v.is_finite()) && bounds.is_sorted();
        fine.then_some(self).ok_or(ThresholdError::Order(self))
    }

    /// How much of a person's time P(breach) deserves, if it may be shown up to `most`.
    #[must_use]
    pub fn severity(&self, probability: f64, most: Severity) -> Severity {
        let by_chance = match probability {
            p if p >= self.alert => Severity::Alert,
            p if p >= self.review => Severity::Review,
            _ => Severity::Log,
        };
        by_chance.min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_one_after_the_other() {
        let set = |t: Thresholds, s| t.set(s);
        let both = set(Thresholds::default(), "review=0.8")
            .and_then(|t| set(t, " alert = 0.9 "))
            .and_then(Thresholds::checked)
            .unwrap();
        assert_eq!((both.review, both.alert), (0.8, 0.9));
        for wrong in [
            "alert",
            "alert=",
            "alert=high",
            "siren=0.5",
            "review=-1",
            "log=NaN",
        ] {
            assert!(Thresholds::default().set(wrong).is_err(), "{wrong}");
        }
        let crossed = Thresholds::default().set("review=0.9").unwrap();
        assert!(crossed.checked().is_err());
    }

    #[test]
    fn nothing_is_shown_above_what_its_kind_allows() {
        let t = Thresholds::default();
        for (p, most, want) in [
            (0.7, Severity::Alert, Severity::Alert),
            (0.699, Severity::Alert, Severity::Review),
            (0.99, Severity::Review, Severity::Review),
            (0.99, Severity::Log, Severity::Log),
            (0.1, Severity::Alert, Severity::Log),
        ] {
            assert_eq!(t.severity(p, most), want, "{p} {most:?}");
        }
    }
}
