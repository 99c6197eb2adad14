//! A simulator at the level of events: games and breaches acted by hands on an imagined board, seen
//! by a perception that errs as the real one was measured to, and taken in by the same engine as
//! live. Hundreds of hours in minutes: nothing is observed where nothing happens.

mod actor;
mod camera;
mod chance;
mod costs;
mod deed;
mod film;
mod hand;
mod intervals;
pub mod measure;
mod noise;
mod players;
mod report;
mod script;
mod trial;

use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use serde::de::DeserializeOwned;
use shakmaty::Move;

pub use actor::{Actor, act};
pub use camera::Viewpoint;
pub use chance::Chance;
pub use costs::{Costs, Priced};
pub use deed::{Deed, Makes};
pub use film::{Film, film, film_of_motion};
pub use intervals::{Estimate, rate, share};
pub use noise::Noise;
pub use players::{Breach, Players, Tempo};
pub use report::{BreachRow, FalseRow, Report};
pub use script::{Acted, Change, Manner, Order, Place, Script, Stop, Truth, Visit, seat};
pub use trial::{Due, Said, Trial, run};

use crate::{calibration::view::BoardView, events::Thresholds, rules::Edition};

/// The perception as measured.
pub const PERCEPTION: &str = include_str!("../../simulation/perception.toml");
/// The players as assumed.
pub const PLAYERS: &str = include_str!("../../simulation/players.toml");
/// The costs as stated.
pub const COSTS: &str = include_str!("../../simulation/costs.toml");

/// Why a simulation cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// A parameter file is not of its form.
    #[error("{name}: {why}")]
    BadFile {
        /// Which.
        name: String,
        /// Why.
        why: String,
    },
}

/// What to simulate.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Hours of play without a breach, at least.
    pub hours: f64,
    /// Scenes with a breach.
    pub breaches: usize,
    /// Seed.
    pub seed: u64,
    /// Threads; the result does not depend on them.
    pub threads: usize,
    /// How the perception errs.
    pub noise: Noise,
    /// What players do.
    pub players: Players,
    /// What errors cost.
    pub costs: Costs,
    /// By which incidents are shown.
    pub thresholds: Thresholds,
    /// Edition of the Laws.
    pub edition: Edition,
    /// The moves of every game; random ones without.
    pub line: Vec<Move>,
}

/// Reads a parameter file.
///
/// # Errors
/// [`SimulationError::BadFile`].
pub fn parameters<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, SimulationError> {
    toml::from_str(text).map_err(|e| SimulationError::BadFile {
        name: name.to_owned(),
        why: e.to_string(),
    })
}

/// A place where organisers put cameras: from the side, or from above.
fn viewpoint(chance: &mut Chance) -> Viewpoint {
    let overhead = chance.happens(0.3);
    let side = if chance.happens(0.5) { 90.0 } else { -90.0 };
    Viewpoint {
        turn_deg: side + chance.between([-20.0, 20.0]),
        elevation_deg: chance.between(if overhead { [75.0, 88.0] } else { [35.0, 60.0] }),
        distance_squares: chance.between([15.5, 18.0]),
    }
}

/// Streams of chance that have nothing to do with each other.
const GAMES: u64 = 1 << 32;
const SCENES: u64 = 2 << 32;

/// A script that is ready to be seen.
struct Prepared {
    script: Script,
    view: BoardView,
    seed: u64,
}

fn prepared(script: Script, chance: &mut Chance) -> Option<Prepared> {
    Some(Prepared {
        script,
        view: viewpoint(chance).view().ok()?,
        seed: chance.bits(),
    })
}

impl Plan {
    /// Runs all of it. `progress` is told how many of how many scripts are done.
    #[must_use]
    pub fn run(&self, progress: &(dyn Fn(usize, usize) + Sync)) -> Report {
        let mut games = Vec::new();
        let mut left_ms = self.hours * 3_600_000.0;
        for number in 0.. {
            if left_ms <= 0.0 {
                break;
            }
            let mut chance = Chance::part(self.seed, GAMES + number);
            let (_, script) = self.players.clean_game(&self.line, &mut chance);
            left_ms -= script.end_ms.max(1.0);
            games.extend(prepared(script, &mut chance));
        }
        let mut scenes = Vec::new();
        for (number, breach) in (0..).zip(Breach::ALL.into_iter().cycle().take(self.breaches)) {
            let mut chance = Chance::part(self.seed, SCENES + number);
            // Not every position offers an occasion: another one is tried.
            let script = (0..50).find_map(|_| self.players.breach(breach, &mut chance));
            if let Some(scene) = script.and_then(|s| prepared(s, &mut chance)) {
                scenes.push((breach, scene));
            }
        }
        let all: Vec<&Prepared> = games.iter().chain(scenes.iter().map(|s| &s.1)).collect();
        let mut trials = self.run_all(&all, progress);
        let of_scenes = trials.split_off(games.len().min(trials.len()));
        let ways = scenes.iter().map(|s| s.0).zip(of_scenes).collect();
        self.report(&trials, ways)
    }

    fn run_all(&self, all: &[&Prepared], progress: &(dyn Fn(usize, usize) + Sync)) -> Vec<Trial> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(p) = all.get(number) else {
                    break;
                };
                let trial = run(&p.script, &p.view, self.noise, self.edition, p.seed);
                // Another thread that panicked has left whole trials behind it.
                let mut done = done
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner);
                done.push((number, trial));
                progress(done.len(), all.len());
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(work);
            }
        });
        let mut done = done
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        done.sort_by_key(|d| d.0);
        done.into_iter().map(|d| d.1).collect()
    }

    fn report(&self, clean: &[Trial], scenes: Vec<(Breach, Trial)>) -> Report {
        let hours = clean.iter().map(|t| t.length_ms).sum::<f64>() / 3_600_000.0;
        let moves = clean.iter().map(|t| t.moves).sum();
        let games_exact = clean.iter().filter(|t| t.exact()).count();
        let in_step_moves: usize = clean.iter().map(|t| t.right_moves).sum();
        let lost = clean.len() - games_exact;
        let breach_rows = report::breach_rows(&scenes, self.thresholds);
        let trials: Vec<Trial> = scenes.into_iter().map(|s| s.1).collect();
        let priced = !clean.is_empty() && !trials.is_empty();
        let said = clean
            .iter()
            .flat_map(|t| &t.said)
            .filter(|s| !s.out_of_step);
        Report {
            format: 1,
            seed: self.seed,
            thresholds: self.thresholds,
            hours,
            games: clean.len(),
            moves,
            observations: clean.iter().map(|t| t.observations).sum(),
            games_exact,
            games_exact_share: share(games_exact, clean.len()),
            wrong_per_move: share(lost, in_step_moves + lost),
            false_rows: report::false_rows(clean, hours, self.thresholds),
            false_in_step: report::false_row("all", said, hours, self.thresholds),
            breach_rows,
            in_force: priced.then(|| self.costs.price(clean, &trials, self.thresholds)),
            cheapest: self.costs.cheapest(clean, &trials).filter(|_| priced),
            if_calibrated: priced.then(|| self.costs.if_calibrated()),
        }
    }
}
