//! The commands that need the rules alone, and so no camera: `adjudicate` and `explain`.

use std::process::ExitCode;

#[cfg(not(feature = "vision"))]
use clap::Parser;
use clap::Subcommand;

mod adjudicate;
mod explain;

pub use adjudicate::AdjudicateArgs;
pub use explain::ExplainArgs;

/// Any failure, for its one sentence.
type Failure = Box<dyn std::error::Error>;

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Judge the rows of a case file in all their editions: a table, or a JSON line each
    Adjudicate(AdjudicateArgs),
    /// Judge a position and events, as an arbiter would put it
    Explain(ExplainArgs),
}

impl Command {
    /// Runs a command, and prints a failure as one sentence.
    pub fn run(&self) -> ExitCode {
        let outcome = match self {
            Self::Adjudicate(args) => args.run(),
            Self::Explain(args) => args.run(),
        };
        match outcome {
            Ok(code) => code,
            Err(failure) => {
                eprintln!("adoube: {failure}");
                ExitCode::FAILURE
            }
        }
    }
}

/// Judges touch-move by the Laws of Chess; built without the commands that need a camera.
#[derive(Parser)]
#[command(
    version,
    about,
    after_help = "Exit status: 0 done, 1 failed (the reason is printed), 2 wrong usage."
)]
#[cfg(not(feature = "vision"))]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Parses and runs, where there are no other commands.
#[cfg(not(feature = "vision"))]
pub fn main() -> ExitCode {
    Cli::parse().command.run()
}
