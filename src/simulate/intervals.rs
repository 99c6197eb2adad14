//! 95 % confidence intervals of counts: exact for Poisson counts (Garwood) and for shares
//! (Clopper-Pearson). Both by bisection on the distribution function: exact enough for any table,
//! and nothing to look up.

use serde::{Deserialize, Serialize};

/// Probability that is left on either side.
const TAIL: f64 = 0.025;
/// Halvings: more than a 64-bit number can tell apart.
const HALVINGS: usize = 200;

/// A value with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

/// Events an hour when `count` were seen in `hours`; nothing in no time.
#[must_use]
pub fn rate(count: usize, hours: f64) -> Option<Estimate> {
    (hours > 0.0).then(|| {
        let (low, high) = poisson(count);
        Estimate {
            value: count as f64 / hours,
            low: low / hours,
            high: high / hours,
        }
    })
}

/// The share `part` of `of`; nothing of nothing.
#[must_use]
pub fn share(part: usize, of: usize) -> Option<Estimate> {
    let part = part.min(of);
    let at_most = |k: usize, p: f64| binomial_at_most(k, of, p);
    (of > 0).then(|| Estimate {
        value: part as f64 / of as f64,
        low: match part.checked_sub(1) {
            // P(X >= part) = TAIL.
            Some(less) => bisect(0.0, 1.0, |p| 1.0 - at_most(less, p) < TAIL),
            None => 0.0,
        },
        high: if part == of {
            1.0
        } else {
            bisect(0.0, 1.0, |p| at_most(part, p) > TAIL)
        },
    })
}

/// Bounds of the mean of a Poisson count.
fn poisson(count: usize) -> (f64, f64) {
    let most = count as f64 + 10.0 * (count as f64).sqrt() + 20.0;
    let low = match count.checked_sub(1) {
        Some(less) => bisect(0.0, most, |mean| 1.0 - poisson_at_most(less, mean) < TAIL),
        None => 0.0,
    };
    let high = bisect(0.0, most, |mean| poisson_at_most(count, mean) > TAIL);
    (low, high)
}

/// Where `below` turns from true to false.
fn bisect(mut low: f64, mut high: f64, below: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

fn poisson_at_most(count: usize, mean: f64) -> f64 {
    let mut ln_term = -mean;
    let mut sum = ln_term.exp();
    for k in 1..=count {
        ln_term += mean.max(f64::MIN_POSITIVE).ln() - (k as f64).ln();
        sum += ln_term.exp();
    }
    sum.min(1.0)
}

fn binomial_at_most(count: usize, of: usize, p: f64) -> f64 {
    if p <= 0.0 {
        return 1.0;
    }
    if p >= 1.0 {
        return if count >= of { 1.0 } else { 0.0 };
    }
    let (ln_p, ln_q) = (p.ln(), (1.0 - p).ln());
    let mut ln_term = of as f64 * ln_q;
    let mut sum = ln_term.exp();
    for k in 1..=count {
        ln_term += ((of - k + 1) as f64).ln() - (k as f64).ln() + ln_p - ln_q;
        sum += ln_term.exp();
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, want: f64) {
        assert!(
            (found - want).abs() < 5e-4 * want.max(1.0),
            "{found} {want}"
        );
    }

    #[test]
    fn poisson_bounds_are_those_of_the_tables() {
        // Garwood 1936.
        for (count, low, high) in [
            (0, 0.0, 3.689),
            (1, 0.0253, 5.572),
            (3, 0.619, 8.767),
            (10, 4.795, 18.390),
            (100, 81.364, 121.627),
        ] {
            let found = rate(count, 1.0).unwrap();
            near(found.low, low);
            near(found.high, high);
        }
        near(rate(3, 100.0).unwrap().value, 0.03);
        assert_eq!(rate(3, 0.0), None);
    }

    #[test]
    fn shares_are_those_of_the_tables() {
        for (part, of, low, high) in [
            (0, 10, 0.0, 0.3085),
            (10, 10, 0.6915, 1.0),
            (5, 10, 0.1871, 0.8129),
            (95, 100, 0.8872, 0.9836),
        ] {
            let found = share(part, of).unwrap();
            near(found.low, low);
            near(found.high, high);
        }
        assert_eq!(share(0, 0), None);
    }
}
