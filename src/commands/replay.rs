//! `adoube replay`: the result again from a log, asked otherwise, or explained.

use std::{io::Write, path::PathBuf};

use adoube::{
    review::{self, Changes, LogReader, explain::explain, plot, results},
    rules::Edition,
};
use clap::Args;

use super::Failure;

#[derive(Args)]
pub(super) struct ReplayArgs {
    /// observations.jsonl.zst of a review
    log: PathBuf,
    /// Edition of the Laws to judge by instead
    #[arg(long, value_name = "EDITION")]
    laws: Option<Edition>,
    /// Thresholds of P(breach) to show incidents by instead: alert=0.9 review=0.2 log=0.05
    #[arg(long, value_name = "NAME=NUMBER", num_args = 1..)]
    set: Vec<String>,
    /// Print what was seen frame by frame around an incident (1 for the first), and draw it
    #[arg(long, value_name = "INCIDENT")]
    explain: Option<usize>,
    /// Where to write the result, or with --explain the plot as PNG; the result is printed
    /// without, the plot goes to incident-N.png
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &ReplayArgs) -> Result<(), Failure> {
    let mut changes = Changes {
        laws: args.laws,
        thresholds: None,
    };
    if !args.set.is_empty() {
        let logged = LogReader::open(&args.log)?.header().thresholds;
        let set = args.set.iter().try_fold(logged, |t, word| t.set(word))?;
        changes.thresholds = Some(set.checked()?);
    }
    if let Some(number) = args.explain {
        let explained = explain(&args.log, &changes, number)?;
        let name = PathBuf::from(format!("incident-{number}.png"));
        let path = args.out.as_ref().unwrap_or(&name);
        results::write_whole(path, &plot::png(&explained)?)?;
        print!("{}", explained.table());
        println!("\nplot: {}", path.display());
        return Ok(());
    }
    let text = results::to_json(&review::replay(&args.log, &changes)?)?;
    match &args.out {
        Some(path) => results::write_whole(path, text.as_bytes())?,
        None => std::io::stdout().write_all(text.as_bytes())?,
    }
    Ok(())
}
