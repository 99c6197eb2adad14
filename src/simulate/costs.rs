//! What a false alert, a needless look and a missed breach cost, and the thresholds that follow:
//! those at which simulated hours and breaches cost least.

use serde::{Deserialize, Serialize};

use super::trial::{Said, Trial};
use crate::{events::Thresholds, record::Severity};

/// Costs in minutes of people's time, and how often rules are broken. See `simulation/costs.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    /// An alert where nothing was.
    pub false_alert: f64,
    /// A request to look where nothing was.
    pub false_review: f64,
    /// A breach that was only offered for a look: often too late to be ruled on.
    pub breach_reviewed: f64,
    /// A breach that nobody was told of.
    pub breach_missed: f64,
    /// Breaches an hour of play at one board.
    pub breaches_per_hour: f64,
    /// Most false alerts an hour at one board, whatever they cost.
    pub most_false_alerts_per_hour: f64,
}

/// One pair of thresholds and what it costs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Priced {
    /// The thresholds.
    pub thresholds: Thresholds,
    /// Minutes an hour of play at one board.
    pub cost_per_hour: f64,
    /// False alerts an hour.
    pub false_alerts_per_hour: f64,
    /// False requests to look, an hour.
    pub false_reviews_per_hour: f64,
    /// Share of the breaches alerted.
    pub alerted: f64,
    /// Share of the breaches offered for a look only.
    pub reviewed: f64,
}

/// Thresholds are tried in these steps.
const STEPS: u32 = 100;

impl Costs {
    /// What thresholds cost in simulated hours and breaches.
    #[must_use]
    pub fn price(&self, clean: &[Trial], breaches: &[Trial], thresholds: Thresholds) -> Priced {
        let hours = clean.iter().map(|t| t.length_ms).sum::<f64>() / 3_600_000.0;
        let shown = |s: &Said| thresholds.severity(s.probability, s.most);
        let false_ones = |severity: Severity| {
            let all = clean.iter().flat_map(|t| &t.said);
            let count = all.filter(|s| s.truth.is_none() && shown(s) == severity);
            count.count() as f64 / hours.max(1e-9)
        };
        let due = breaches.iter().map(|t| t.due.len()).sum::<usize>().max(1);
        let found = |severity: Severity| {
            let all = breaches.iter().flat_map(|t| &t.said);
            let count = all.filter(|s| s.truth.is_some() && shown(s) == severity);
            count.count() as f64 / due as f64
        };
        let (alerted, reviewed) = (found(Severity::Alert), found(Severity::Review));
        let (alerts, reviews) = (false_ones(Severity::Alert), false_ones(Severity::Review));
        let lost = reviewed * self.breach_reviewed
            + (1.0 - alerted - reviewed).max(0.0) * self.breach_missed;
        Priced {
            thresholds,
            cost_per_hour: alerts * self.false_alert
                + reviews * self.false_review
                + self.breaches_per_hour * lost,
            false_alerts_per_hour: alerts,
            false_reviews_per_hour: reviews,
            alerted,
            reviewed,
        }
    }

    /// The cheapest thresholds that keep within the most false alerts; of equally cheap ones the
    /// middle. Where none keeps within it, those with the fewest false alerts.
    #[must_use]
    pub fn cheapest(&self, clean: &[Trial], breaches: &[Trial]) -> Option<Priced> {
        let log = Thresholds::default().log;
        let at = |step: u32| f64::from(step) / f64::from(STEPS);
        let grid = (5..STEPS).step_by(5).flat_map(|alert| {
            (5..=alert).step_by(5).map(move |review| Thresholds {
                alert: at(alert),
                review: at(review),
                log,
            })
        });
        let all: Vec<Priced> = grid.map(|t| self.price(clean, breaches, t)).collect();
        let fewest = all
            .iter()
            .map(|p| p.false_alerts_per_hour)
            .fold(f64::INFINITY, f64::min);
        let bound = self.most_false_alerts_per_hour.max(fewest);
        let allowed: Vec<&Priced> = all
            .iter()
            .filter(|p| p.false_alerts_per_hour <= bound)
            .collect();
        let least = allowed
            .iter()
            .map(|p| p.cost_per_hour)
            .fold(f64::INFINITY, f64::min);
        let cheapest: Vec<&&Priced> = allowed
            .iter()
            .filter(|p| p.cost_per_hour <= least + 1e-9)
            .collect();
        cheapest.get(cheapest.len() / 2).map(|p| ***p)
    }

    /// The thresholds for probabilities that are what they claim to be: an alert from where it
    /// costs less than a look, a look from where it costs less than silence.
    #[must_use]
    pub fn if_calibrated(&self) -> (f64, f64) {
        let alert_over_look = self.false_alert - self.false_review;
        let look_over_silence = self.breach_missed - self.breach_reviewed;
        (
            alert_over_look / (alert_over_look + self.breach_reviewed),
            self.false_review / (self.false_review + look_over_silence),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{record::Player, simulate::trial::Due};

    const COSTS: Costs = Costs {
        false_alert: 10.0,
        false_review: 1.0,
        breach_reviewed: 6.0,
        breach_missed: 30.0,
        breaches_per_hour: 1.0,
        most_false_alerts_per_hour: 1.0,
    };

    fn trial(said: &[(f64, bool)]) -> Trial {
        let row = |(number, (probability, right)): (usize, &(f64, bool))| Said {
            kind: "touch_move".to_owned(),
            player: Player::White,
            ms: 0.0,
            probability: *probability,
            most: Severity::Alert,
            truth: right.then_some(number),
            out_of_step: false,
        };
        Trial {
            length_ms: 3_600_000.0,
            said: said.iter().enumerate().map(row).collect(),
            due: said
                .iter()
                .filter(|s| s.1)
                .map(|_| Due {
                    kind: "touch_move".to_owned(),
                    ms: 0.0,
                    exact: true,
                })
                .collect(),
            ..Trial::default()
        }
    }

    #[test]
    fn what_was_said_is_priced() {
        let clean = [trial(&[(0.8, false), (0.4, false)])];
        let breaches = [trial(&[(0.9, true), (0.5, true), (0.1, true), (0.1, true)])];
        let priced = COSTS.price(&clean, &breaches, Thresholds::default());
        // One alert, one look; of four breaches one alerted, one looked at, two missed.
        let want = 10.0 + 1.0 + 0.25 * 6.0 + 0.5 * 30.0;
        assert!((priced.cost_per_hour - want).abs() < 1e-9);
    }

    #[test]
    fn the_cheapest_thresholds_part_right_from_wrong() {
        let clean = [trial(&[(0.52, false), (0.32, false)])];
        let breaches = [trial(&[(0.98, true), (0.72, true)])];
        let found = COSTS.cheapest(&clean, &breaches).unwrap();
        assert!((0.55..=0.7).contains(&found.thresholds.alert), "{found:?}");
        assert_eq!(found.cost_per_hour, 0.0);
    }

    #[test]
    fn sure_probabilities_need_no_simulation() {
        let (alert, review) = COSTS.if_calibrated();
        assert!((alert - 0.6).abs() < 1e-9 && (review - 0.04).abs() < 1e-9);
    }
}
