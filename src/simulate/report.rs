//! What many simulated games and breaches came to: counts with intervals, as a table and as JSON.

use std::{collections::BTreeMap, fmt::Write};

use serde::Serialize;

use super::{
    costs::Priced,
    intervals::{Estimate, rate, share},
    players::Breach,
    trial::{Said, Trial},
};
use crate::{events::Thresholds, record::Severity};

/// False ones of one kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FalseRow {
    /// Kind of incident.
    pub kind: String,
    /// Alerts, and an hour.
    pub alerts: usize,
    /// Alerts an hour of play.
    pub alerts_per_hour: Option<Estimate>,
    /// Requests to look.
    pub reviews: usize,
    /// Requests to look an hour of play.
    pub reviews_per_hour: Option<Estimate>,
}

/// Breaches of one way.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BreachRow {
    /// In words.
    pub breach: String,
    /// Scenes with a breach.
    pub scenes: usize,
    /// Alerted.
    pub alerted: usize,
    /// Offered for a look.
    pub reviewed: usize,
    /// Neither.
    pub missed: usize,
    /// Share neither alerted nor offered.
    pub missed_share: Option<Estimate>,
    /// Of those alerted or offered: article and obliged moves right.
    pub exact: usize,
    /// Incidents shown in these scenes that were none.
    pub false_besides: usize,
}

/// Everything.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Version of this form: 1.
    pub format: u32,
    /// Seed.
    pub seed: u64,
    /// By which incidents were shown.
    pub thresholds: Thresholds,
    /// Hours of play without a breach.
    pub hours: f64,
    /// Games in them.
    pub games: usize,
    /// Moves in them.
    pub moves: usize,
    /// Observations that took.
    pub observations: usize,
    /// Games read to their last move.
    pub games_exact: usize,
    /// Share of these.
    pub games_exact_share: Option<Estimate>,
    /// Moves at which a game was first read wrongly, for each move read: one a game at most.
    pub wrong_per_move: Option<Estimate>,
    /// False ones by kind, and all together last.
    pub false_rows: Vec<FalseRow>,
    /// The same before the moves of the game were read wrongly: what a tracker that never loses
    /// the game would have said.
    pub false_in_step: FalseRow,
    /// Breaches by way, and all together last.
    pub breach_rows: Vec<BreachRow>,
    /// The thresholds in force, and the cheapest by the stated costs.
    pub in_force: Option<Priced>,
    /// Cheapest thresholds.
    pub cheapest: Option<Priced>,
    /// Thresholds for calibrated probabilities: alert, review.
    pub if_calibrated: Option<(f64, f64)>,
}

/// False incidents among what was said.
#[must_use]
pub fn false_row<'a>(
    kind: &str,
    said: impl Iterator<Item = &'a Said>,
    hours: f64,
    thresholds: Thresholds,
) -> FalseRow {
    let (mut alerts, mut reviews) = (0, 0);
    for s in said.filter(|s| s.truth.is_none()) {
        match thresholds.severity(s.probability, s.most) {
            Severity::Alert => alerts += 1,
            Severity::Review => reviews += 1,
            Severity::Log => {}
        }
    }
    FalseRow {
        kind: kind.to_owned(),
        alerts,
        alerts_per_hour: rate(alerts, hours),
        reviews,
        reviews_per_hour: rate(reviews, hours),
    }
}

/// False ones by kind, all together last.
#[must_use]
pub fn false_rows(clean: &[Trial], hours: f64, thresholds: Thresholds) -> Vec<FalseRow> {
    let mut kinds: BTreeMap<&str, Vec<&Said>> = BTreeMap::new();
    for s in clean.iter().flat_map(|t| &t.said) {
        kinds.entry(&s.kind).or_default().push(s);
    }
    let mut rows: Vec<FalseRow> = kinds
        .into_iter()
        .map(|(kind, said)| false_row(kind, said.into_iter(), hours, thresholds))
        .filter(|row| row.alerts + row.reviews > 0)
        .collect();
    let all = clean.iter().flat_map(|t| &t.said);
    rows.push(false_row("all", all, hours, thresholds));
    rows
}

/// One way of breaking the rules.
#[must_use]
pub fn breach_row(name: &str, trials: &[&Trial], thresholds: Thresholds) -> BreachRow {
    let mut row = BreachRow {
        breach: name.to_owned(),
        scenes: 0,
        alerted: 0,
        reviewed: 0,
        missed: 0,
        missed_share: None,
        exact: 0,
        false_besides: 0,
    };
    for trial in trials {
        let shown = |s: &Said| thresholds.severity(s.probability, s.most);
        for (number, due) in trial.due.iter().enumerate() {
            row.scenes += 1;
            let said = trial.said.iter().find(|s| s.truth == Some(number));
            match said.map_or(Severity::Log, shown) {
                Severity::Alert => row.alerted += 1,
                Severity::Review => row.reviewed += 1,
                Severity::Log => {
                    row.missed += 1;
                    continue;
                }
            }
            row.exact += usize::from(due.exact);
        }
        let wrong = |s: &&Said| s.truth.is_none() && shown(s) > Severity::Log;
        row.false_besides += trial.said.iter().filter(wrong).count();
    }
    row.missed_share = share(row.missed, row.scenes);
    row
}

/// Breaches by way, all together last.
#[must_use]
pub fn breach_rows(trials: &[(Breach, Trial)], thresholds: Thresholds) -> Vec<BreachRow> {
    if trials.is_empty() {
        return Vec::new();
    }
    let of = |which: Option<Breach>| -> Vec<&Trial> {
        let wanted = trials.iter().filter(|t| which.is_none_or(|b| t.0 == b));
        wanted.map(|t| &t.1).collect()
    };
    let mut rows: Vec<BreachRow> = Breach::ALL
        .into_iter()
        .map(|b| breach_row(b.as_str(), &of(Some(b)), thresholds))
        .collect();
    rows.push(breach_row("all", &of(None), thresholds));
    rows
}

fn interval(estimate: Option<Estimate>, digits: usize) -> String {
    estimate.map_or("-".to_owned(), |e| {
        format!(
            "{:.digits$} [{:.digits$}, {:.digits$}]",
            e.value, e.low, e.high
        )
    })
}

impl Report {
    /// For people.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = String::new();
        // Writing to a text never fails.
        let _ = self.write_table(&mut text);
        text
    }

    fn write_table(&self, out: &mut String) -> std::fmt::Result {
        writeln!(
            out,
            "seed {}, thresholds {}; brackets hold 95 % intervals",
            self.seed, self.thresholds
        )?;
        if self.games > 0 {
            writeln!(
                out,
                "\n{:.1} hours without a breach: {} games, {} moves, {} observations",
                self.hours, self.games, self.moves, self.observations
            )?;
            writeln!(
                out,
                "games read to the end: {} of {}, {}; first wrong move: {} of the moves",
                self.games_exact,
                self.games,
                interval(self.games_exact_share, 3),
                interval(self.wrong_per_move, 5)
            )?;
            writeln!(
                out,
                "\n{:<28} {:>6} {:>24} {:>7} {:>24}",
                "false", "alerts", "an hour", "reviews", "an hour"
            )?;
            let in_step = FalseRow {
                kind: "all, moves read rightly".to_owned(),
                ..self.false_in_step.clone()
            };
            for row in self.false_rows.iter().chain([&in_step]) {
                writeln!(
                    out,
                    "{:<28} {:>6} {:>24} {:>7} {:>24}",
                    row.kind,
                    row.alerts,
                    interval(row.alerts_per_hour, 4),
                    row.reviews,
                    interval(row.reviews_per_hour, 3)
                )?;
            }
        }
        if !self.breach_rows.is_empty() {
            writeln!(
                out,
                "\n{:<44} {:>5} {:>7} {:>8} {:>6} {:>22} {:>5} {:>6}",
                "breach", "of", "alerted", "reviewed", "missed", "missed share", "exact", "false"
            )?;
            for row in &self.breach_rows {
                writeln!(
                    out,
                    "{:<44} {:>5} {:>7} {:>8} {:>6} {:>22} {:>5} {:>6}",
                    row.breach,
                    row.scenes,
                    row.alerted,
                    row.reviewed,
                    row.missed,
                    interval(row.missed_share, 3),
                    row.exact,
                    row.false_besides
                )?;
            }
        }
        for (name, priced) in [("in force", &self.in_force), ("cheapest", &self.cheapest)] {
            if let Some(p) = priced {
                writeln!(
                    out,
                    "{}{name}: {}: {:.2} minutes an hour; {:.3} false alerts and {:.2} false \
                     reviews an hour; {:.1} % alerted, {:.1} % reviewed",
                    if name == "in force" { "\n" } else { "" },
                    p.thresholds,
                    p.cost_per_hour,
                    p.false_alerts_per_hour,
                    p.false_reviews_per_hour,
                    100.0 * p.alerted,
                    100.0 * p.reviewed
                )?;
            }
        }
        if let Some((alert, review)) = self.if_calibrated {
            writeln!(
                out,
                "if probabilities were calibrated: alert={alert:.2} review={review:.2}"
            )?;
        }
        Ok(())
    }
}
