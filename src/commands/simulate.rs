//! `adoube simulate`: games and breaches before a simulated perception.

use std::path::{Path, PathBuf};

use adoube::{
    broadcast::game::{Game, GameMove, START_FEN},
    events::Thresholds,
    rules::Edition,
    simulate::{self, Plan},
};
use clap::Args;
use indicatif::ProgressBar;
use shakmaty::uci::UciMove;

use super::Failure;

#[derive(Args)]
pub(super) struct SimulateArgs {
    /// Hours of play without a breach
    #[arg(long, default_value_t = 20.0)]
    hours: f64,
    /// Scenes with a breach
    #[arg(long, default_value_t = 140)]
    breaches: usize,
    /// The same seed gives the same result
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; the result does not depend on them
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// How the perception errs; as measured without
    #[arg(long, value_name = "FILE.toml")]
    perception: Option<PathBuf>,
    /// What players do, and how often
    #[arg(long, value_name = "FILE.toml")]
    players: Option<PathBuf>,
    /// What errors cost, in minutes
    #[arg(long, value_name = "FILE.toml")]
    costs: Option<PathBuf>,
    /// A game whose moves are played in every simulated game; random moves without
    #[arg(long, value_name = "FILE.pgn")]
    pgn: Option<PathBuf>,
    /// Edition of the Laws
    #[arg(long, value_name = "EDITION", default_value = "fide-2023")]
    laws: Edition,
    /// Thresholds of P(breach) to show incidents by: alert=0.9 review=0.2
    #[arg(long, value_name = "NAME=NUMBER", num_args = 1..)]
    set: Vec<String>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    /// Measure instead how the perception errs, by the logs NAME.zst beside labels NAME.truth.json
    /// in a folder; prints a file for --perception
    #[arg(long, value_name = "DIR")]
    measure: Option<PathBuf>,
}

/// A parameter file, or the one that is built in.
fn parameters<T: serde::de::DeserializeOwned>(
    path: Option<&Path>,
    built_in: &str,
) -> Result<T, Failure> {
    let Some(path) = path else {
        return Ok(simulate::parameters("built in", built_in)?);
    };
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
    Ok(simulate::parameters(&name, &text)?)
}

/// The main line of a game as moves; it must begin at the start of chess.
fn game_moves(game: &Game) -> Result<Vec<shakmaty::Move>, Failure> {
    if game.start_fen != START_FEN {
        return Err(format!(
            "{}: the game must begin at the start of chess",
            game.path.display()
        )
        .into());
    }
    let read = |m: &GameMove| -> Result<shakmaty::Move, Failure> {
        Ok(m.uci.parse::<UciMove>()?.to_move(&m.before)?)
    };
    game.moves.iter().map(read).collect()
}

pub(super) fn run(args: &SimulateArgs) -> Result<(), Failure> {
    if let Some(folder) = &args.measure {
        print!("{}", simulate::measure::measure(folder)?.toml()?);
        return Ok(());
    }
    let thresholds = args
        .set
        .iter()
        .try_fold(Thresholds::default(), |t, word| t.set(word))?
        .checked()?;
    let line = match &args.pgn {
        Some(path) => game_moves(&Game::open(path)?)?,
        None => Vec::new(),
    };
    let plan = Plan {
        hours: args.hours,
        breaches: args.breaches,
        seed: args.seed,
        threads: args.threads,
        noise: parameters(args.perception.as_deref(), simulate::PERCEPTION)?,
        players: parameters(args.players.as_deref(), simulate::PLAYERS)?,
        costs: parameters(args.costs.as_deref(), simulate::COSTS)?,
        thresholds,
        edition: args.laws,
        line,
    };
    let bar = ProgressBar::new_spinner();
    let report = plan.run(&|done, of| bar.set_message(format!("{done} of {of} scenes")));
    bar.finish_and_clear();
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{}", report.table());
    }
    Ok(())
}
