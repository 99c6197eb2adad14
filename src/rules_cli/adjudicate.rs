//! `adoube adjudicate`: case files judged row by row.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use adoube::rules::{Agreement, Case, CaseError, Language, Outcome, parse_case};
use clap::Args;

use super::Failure;

/// Judge the rows of a case file.
#[derive(Args)]
#[command(
    after_help = "A row is a JSON object with id, editions, fen and events; time and \
                        supervision may be given, other fields are ignored. A row that cannot be \
                        judged is reported with its line number, the others go on, and the exit \
                        status is 1."
)]
pub struct AdjudicateArgs {
    /// Case file: a JSON object a line
    file: PathBuf,
    /// Print a JSON line for each row and edition
    #[arg(long)]
    json: bool,
    /// Language of the explanations: en or de
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    lang: Language,
}

/// What was judged, and how much of it was as the rows expect.
#[derive(Default)]
struct Count {
    rows: usize,
    outcomes: usize,
    obligations: usize,
    verdicts: usize,
    articles: usize,
    bad: usize,
}

impl AdjudicateArgs {
    /// Runs the command.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        let name = self.file.display();
        let file = File::open(&self.file).map_err(|e| format!("{name}: {e}"))?;
        let mut out = std::io::stdout().lock();
        let mut count = Count::default();
        let lines = BufReader::new(file).split(b'\n').enumerate();
        for (index, line) in lines {
            let line = line.map_err(|e| format!("{name}: {e}"))?;
            let line = String::from_utf8_lossy(&line);
            if line.trim().is_empty() {
                continue;
            }
            match self.row(&line) {
                Ok((case, outcomes)) => {
                    count.rows += 1;
                    for outcome in &outcomes {
                        self.print(&mut out, &mut count, &case, outcome)?;
                    }
                }
                Err(error) => {
                    count.bad += 1;
                    eprintln!("adoube: {name}, line {}: {error}", index + 1);
                }
            }
        }
        if !self.json {
            writeln!(
                out,
                "{} rows, {} outcomes; as expected: {} obligations, {} verdicts, {} articles",
                count.rows, count.outcomes, count.obligations, count.verdicts, count.articles
            )?;
        }
        Ok(if count.bad == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }

    fn row(&self, line: &str) -> Result<(Case, Vec<Outcome>), CaseError> {
        let case = parse_case(line)?;
        let outcomes = case.outcomes(self.lang)?;
        Ok((case, outcomes))
    }

    fn print(
        &self,
        out: &mut impl Write,
        count: &mut Count,
        case: &Case,
        outcome: &Outcome,
    ) -> Result<(), Failure> {
        if self.json {
            writeln!(out, "{}", serde_json::to_string(outcome)?)?;
            return Ok(());
        }
        let agreement = case.expected.agrees(outcome);
        count.outcomes += 1;
        count.obligations += usize::from(agreement.obligation);
        count.verdicts += usize::from(agreement.verdict);
        count.articles += usize::from(agreement.article);
        writeln!(
            out,
            "{:<8} {:<10} {:<17} {:<16} {}",
            outcome.id,
            outcome.edition,
            outcome.verdict,
            outcome.article,
            shorten(&outcome.obligation)
        )?;
        for difference in differences(case, outcome, agreement) {
            writeln!(out, "       ! {difference}")?;
        }
        Ok(())
    }
}

/// Moves as a list, cut to fit a line.
fn shorten(moves: &[String]) -> String {
    match moves.len() {
        0..=8 => moves.join(" "),
        n => format!(
            "{} ... ({n} moves)",
            moves.iter().take(6).cloned().collect::<Vec<_>>().join(" ")
        ),
    }
}

fn differences(case: &Case, outcome: &Outcome, agreement: Agreement) -> Vec<String> {
    let expected = &case.expected;
    let mut found = Vec::new();
    if !agreement.verdict {
        let verdict = expected.verdict.as_deref().unwrap_or("");
        found.push(format!("expected verdict {verdict}"));
    }
    if !agreement.article {
        let article = expected.articles.get(&outcome.edition);
        found.push(format!("expected article {}", article.map_or("", |a| a)));
    }
    if !agreement.obligation {
        let moves = expected.obligation.as_deref().unwrap_or(&[]);
        found.push(format!("expected obligation {}", moves.join(" ")));
    }
    found
}
