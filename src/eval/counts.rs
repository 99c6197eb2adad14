//! What scores are made of: counts that can be added up, shares and medians.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// Right, false and missed detections.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Right: detections with a label.
    pub tp: usize,
    /// False: detections without a label.
    pub fp: usize,
    /// Missed: labels without a detection.
    #[serde(rename = "fn")]
    pub missed: usize,
}

impl Counts {
    /// Share of the labels that were found; none without labels.
    #[must_use]
    pub fn recall(self) -> Option<f64> {
        Share::new(self.tp, self.tp + self.missed).rate()
    }

    /// Share of the detections that are right; none without detections.
    #[must_use]
    pub fn precision(self) -> Option<f64> {
        Share::new(self.tp, self.tp + self.fp).rate()
    }

    /// 2 tp / (2 tp + fp + fn); none where there was nothing to find and nothing was found.
    #[must_use]
    pub fn f1(self) -> Option<f64> {
        Share::new(2 * self.tp, 2 * self.tp + self.fp + self.missed).rate()
    }

    /// Whether nothing is false and nothing missed.
    #[must_use]
    pub fn perfect(self) -> bool {
        self.fp == 0 && self.missed == 0
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.tp += other.tp;
        self.fp += other.fp;
        self.missed += other.missed;
    }
}

/// A part of a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// The part.
    pub part: usize,
    /// The whole.
    pub of: usize,
}

impl Share {
    /// `part` of `of`.
    #[must_use]
    pub fn new(part: usize, of: usize) -> Self {
        Self { part, of }
    }

    /// 0 to 1; none of nothing.
    #[must_use]
    pub fn rate(self) -> Option<f64> {
        (self.of > 0).then(|| self.part as f64 / self.of as f64)
    }

    /// One more of the whole, and of the part if `hit`.
    pub fn note(&mut self, hit: bool) {
        self.part += usize::from(hit);
        self.of += 1;
    }
}

impl AddAssign for Share {
    fn add_assign(&mut self, other: Self) {
        self.part += other.part;
        self.of += other.of;
    }
}

/// Middle value, or the mean of the two in the middle; none of nothing.
#[must_use]
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = (sorted.len().checked_sub(1)? / 2, sorted.len() / 2);
    Some((sorted[low] + sorted[high]) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        for (values, want) in [
            (&[][..], None),
            (&[3.0][..], Some(3.0)),
            (&[4.0, 1.0][..], Some(2.5)),
            (&[9.0, 1.0, 2.0][..], Some(2.0)),
        ] {
            assert_eq!(median(values), want, "{values:?}");
        }
    }

    #[test]
    fn rates_of_nothing_are_none() {
        let nothing = Counts::default();
        assert_eq!(
            (nothing.recall(), nothing.precision(), nothing.f1()),
            (None, None, None)
        );
        let some = Counts {
            tp: 1,
            fp: 1,
            missed: 3,
        };
        assert_eq!((some.recall(), some.precision()), (Some(0.25), Some(0.5)));
        assert_eq!(some.f1(), Some(2.0 / 6.0));
    }
}
