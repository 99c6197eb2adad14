//! Rows of rule cases replayed through the ledger: the repository's own table always, the shared
//! one where `ADOUBE_SHARED` names the folder that has `rules/cases.jsonl`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::path::Path;

use adoube::rules::{Edition, Ledger, Mode, Step, Verdict, parse_script};
use serde::Deserialize;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

#[derive(Deserialize)]
struct Row {
    id: String,
    editions: Vec<String>,
    time: String,
    fen: String,
    events: String,
    obligation: Expected,
    verdict: String,
    article: BTreeMap<String, String>,
    #[serde(default)]
    human_judgement: bool,
}

#[derive(Deserialize)]
struct Expected {
    mode: String,
    moves: Vec<String>,
}

#[derive(Debug, Default)]
struct Found {
    moves: Vec<String>,
    mode: &'static str,
    verdict: String,
    article: String,
}

/// Shared rows that call an obligation of one move a set; the others (C20, D21) call it forced.
/// The moves themselves are compared in these too.
const SINGLE_SET: [&str; 2] = ["D19", "D20"];

const TAG: &str = "FIDE2023";

fn rows(path: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(path).unwrap();
    let read = |l: &str| serde_json::from_str(l).unwrap();
    let all: Vec<Row> = text
        .lines()
        .filter(|l| !l.trim().is_empty())
        .map(read)
        .collect();
    let wanted = |r: &Row| {
        r.editions.iter().any(|e| e == TAG) && ["any", "standard"].contains(&r.time.as_str())
    };
    all.into_iter().filter(wanted).collect()
}

fn replay(row: &Row) -> Result<Found, String> {
    let fen: Fen = row.fen.parse().map_err(|e| format!("{e}"))?;
    let position: Chess = fen
        .into_position(CastlingMode::Standard)
        .map_err(|e| format!("{e}"))?;
    let mut ledger = Ledger::new(position, Edition::Fide2023);
    if row.human_judgement {
        ledger.defer();
    }
    let mut found = Found::default();
    for step in parse_script(&row.events).map_err(|e| e.to_string())? {
        match step {
            Step::Event(event) => ledger.apply(&event).map_err(|e| e.to_string())?,
            Step::Checkpoint => {
                let obligation = ledger.obligation();
                found.moves = obligation.moves.iter().map(ToString::to_string).collect();
                found.mode = match obligation.mode {
                    Mode::Free => "free",
                    Mode::Set => "set",
                    Mode::Forced => "forced",
                };
                found.article = Edition::Fide2023.article(obligation.rule).to_owned();
            }
        }
    }
    if let Some(breach) = ledger.breaches().last() {
        found.article = breach.article.to_owned();
    }
    if ledger.verdict() == Verdict::GameOver {
        found.article = "5.1.1".to_owned();
    }
    found.verdict = ledger.verdict().to_string();
    Ok(found)
}

/// Counts what is right and says what is not; returns the ids of the rows that are wrong.
fn check(rows: &[Row]) -> Vec<String> {
    let (mut obligations, mut verdicts, mut articles) = (0, 0, 0);
    let mut wrong = Vec::new();
    for row in rows {
        let found = match replay(row) {
            Ok(found) => found,
            Err(e) => {
                println!("{}: {e}", row.id);
                wrong.push(row.id.clone());
                continue;
            }
        };
        let mode = found.mode == row.obligation.mode || SINGLE_SET.contains(&row.id.as_str());
        let same = found.moves == row.obligation.moves && mode;
        let verdict = found.verdict == row.verdict;
        let wanted = row.article.get(TAG).map_or("", String::as_str);
        let article = wanted.split(", ").any(|a| a == found.article);
        obligations += usize::from(same);
        verdicts += usize::from(verdict);
        articles += usize::from(article);
        if !same || !verdict {
            wrong.push(row.id.clone());
            println!(
                "{}: {} -> {found:?}, expected {} {:?} {}",
                row.id, row.events, row.obligation.mode, row.obligation.moves, row.verdict
            );
        } else if !article {
            println!(
                "{}: article {} found, {wanted} expected",
                row.id, found.article
            );
        }
    }
    println!(
        "{} rows: {obligations} obligations, {verdicts} verdicts, {articles} articles right",
        rows.len()
    );
    wrong
}

#[test]
fn shared_rows() {
    let Some(shared) = std::env::var_os("ADOUBE_SHARED") else {
        println!("skipped: ADOUBE_SHARED is not set");
        return;
    };
    let rows = rows(&Path::new(&shared).join("rules/cases.jsonl"));
    assert!(!rows.is_empty());
    assert_eq!(check(&rows), Vec::<String>::new());
}

#[test]
fn own_rows() {
    let rows = rows(Path::new("tests/data/rules_cases.jsonl"));
    assert!(rows.len() >= 25);
    assert_eq!(check(&rows), Vec::<String>::new());
}
