//! One game or scene through the same engine as live, and what it said beside what was true.

use super::{chance::Chance, film::film_of_motion, noise::Noise, script::Script};
use crate::{
    calibration::view::BoardView,
    events::{Engine, Findings, Setup, Thresholds},
    record::{Incident, Player, Severity},
    rules::Edition,
};

/// An incident counts as found when one of its kind and player is said within this time of it.
const SAME_MS: f64 = 1000.0;

/// An incident that was said.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// Its kind.
    pub kind: String,
    /// Whose breach it was said to be.
    pub player: Player,
    /// When, milliseconds.
    pub ms: f64,
    /// P(breach).
    pub probability: f64,
    /// It may be shown up to here, whatever its probability.
    pub most: Severity,
    /// Number of the true incident that it is, if it is one.
    pub truth: Option<usize>,
    /// The moves had been read wrongly before: everything after is in doubt.
    pub out_of_step: bool,
}

/// A true incident.
#[derive(Debug, Clone, PartialEq)]
pub struct Due {
    /// Its kind.
    pub kind: String,
    /// When it was complete, milliseconds.
    pub ms: f64,
    /// The article and the moves that were open were said rightly.
    pub exact: bool,
}

/// What came of one script.
#[derive(Debug, Clone, Default)]
pub struct Trial {
    /// Length, milliseconds.
    pub length_ms: f64,
    /// Moves made.
    pub moves: usize,
    /// Of these, read rightly before the first that was not.
    pub right_moves: usize,
    /// Observations that it took.
    pub observations: usize,
    /// What was said, everything that was kept at all.
    pub said: Vec<Said>,
    /// What was true.
    pub due: Vec<Due>,
}

impl Trial {
    /// All moves, and no others, were read.
    #[must_use]
    pub fn exact(&self) -> bool {
        self.right_moves == self.moves
    }
}

/// Plays a script through the engine.
#[must_use]
pub fn run(script: &Script, view: &BoardView, noise: Noise, edition: Edition, seed: u64) -> Trial {
    let mut engine = Engine::new(&Setup {
        view: view.clone(),
        start: script.start.clone(),
        edition,
    })
    // Everything is shown as far as its kind allows: thresholds are applied in counting.
    .with_thresholds(Thresholds {
        alert: 0.0,
        review: 0.0,
        log: 0.0,
    });
    let mut observations = 0;
    for seen in film_of_motion(script, view, noise, Chance::new(seed).bits()) {
        engine.observe(&seen);
        observations += 1;
    }
    let mut trial = compare(script, engine.finish(), edition);
    trial.observations = observations;
    trial
}

/// What was found beside what was true.
fn compare(script: &Script, found: Findings, edition: Edition) -> Trial {
    let right_moves = script
        .moves
        .iter()
        .zip(&found.moves)
        .take_while(|(acted, read)| acted.uci == read.uci)
        .count();
    let too_many = found.moves.len() > script.moves.len();
    let lost_ms = found
        .moves
        .get(right_moves)
        .map(|m| m.made_ms)
        .into_iter()
        .chain(script.moves.get(right_moves).map(|m| m.made_ms))
        .fold(f64::INFINITY, f64::min);
    let truths = script.incidents(edition);
    let mut said: Vec<Said> = found
        .incidents
        .iter()
        .map(|i| Said {
            kind: i.kind.clone(),
            player: i.player,
            ms: i.ms,
            probability: i.probability.unwrap_or(1.0),
            most: i.severity.unwrap_or(Severity::Alert),
            truth: None,
            out_of_step: i.ms >= lost_ms,
        })
        .collect();
    let due = truths
        .iter()
        .enumerate()
        .map(|(number, truth)| {
            let found = match_of(truth, number, &mut said).and_then(|i| found.incidents.get(i));
            Due {
                kind: truth.kind.clone(),
                ms: truth.ms,
                exact: found
                    .is_some_and(|f| f.article == truth.article && f.obliged == truth.obliged),
            }
        })
        .collect();
    Trial {
        length_ms: script.end_ms,
        moves: script.moves.len(),
        right_moves: if too_many {
            right_moves.min(script.moves.len().saturating_sub(1))
        } else {
            right_moves
        },
        observations: 0,
        said,
        due,
    }
}

/// Gives a true incident the likeliest one that was said of its kind, player and time.
fn match_of(truth: &Incident, number: usize, said: &mut [Said]) -> Option<usize> {
    let best = said
        .iter()
        .enumerate()
        .filter(|(_, s)| {
            s.truth.is_none()
                && s.kind == truth.kind
                && s.player == truth.player
                && (s.ms - truth.ms).abs() <= SAME_MS
        })
        .max_by(|a, b| {
            let weight = |s: &Said| (s.most, s.probability);
            let ((am, ap), (bm, bp)) = (weight(a.1), weight(b.1));
            am.cmp(&bm).then(ap.total_cmp(&bp))
        })
        .map(|(index, _)| index)?;
    said.get_mut(best)?.truth = Some(number);
    Some(best)
}
