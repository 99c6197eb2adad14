//! The store under the worst that can happen to it: the program is killed while it writes.

use std::{
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Command, Stdio},
};

use adoube::{
    events::Findings,
    record::{Incident, PlayedMove, Player, Severity},
    station::{
        clock::Clock,
        store::{Store, check, games::TurnFound, incidents::Ruling},
    },
};

/// Set for the child that writes: where.
const FOLDER: &str = "ADOUBE_TEST_STORE";
/// How often it is killed.
const ROUNDS: usize = 12;

/// Plays as fast as it can, and says what is confirmed. Runs only as the other test's child.
#[test]
#[ignore = "the child of the test below"]
fn writer() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    let store = Store::open(&folder, Clock::start()).unwrap();
    let board = store.board("One").unwrap();
    let game = match store.open_game(board).unwrap() {
        Some(game) => game,
        None => store.begin_game(board, "start", "fide-2023", 1e12).unwrap(),
    };
    for ply in game.moves.len() as u32.. {
        let found = Findings {
            moves: vec![PlayedMove {
                uci: "d2d4".to_owned(),
                san: format!("move {ply}"),
                legal: true,
                made_ms: 5000.0,
                probability: Some(0.9),
                completed_ms: None,
                inferred: false,
            }],
            incidents: vec![Incident {
                kind: "touch_move".to_owned(),
                player: Player::White,
                ms: 5000.0,
                article: "4.3.1".to_owned(),
                contact: None,
                obliged: Vec::new(),
                probability: Some(0.9),
                severity: Some(Severity::Alert),
                explanation: Vec::new(),
            }],
            ..Findings::default()
        };
        let turn = TurnFound {
            game: game.id,
            ply,
            zero_ms: 1e12,
            found: &found,
            before: "before",
            after: "after",
        };
        let incident = store.record_turn(&turn).unwrap()[0];
        store
            .rule(incident, Some(Ruling::Upheld), "note", "anna")
            .unwrap();
        println!("confirmed {ply} {incident}");
    }
}

#[test]
fn killed_at_any_instant_nothing_confirmed_is_lost_and_the_game_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut confirmed: Option<(u32, i64)> = None;
    for round in 0..ROUNDS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "store::writer", "--ignored", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // After another number of confirmed moves each time, in the middle of the next one.
        let told = lines
            .map_while(Result::ok)
            .filter_map(|line| {
                let (_, rest) = line.split_once("confirmed ")?;
                let (ply, incident) = rest.split_once(' ')?;
                Some((ply.parse().ok()?, incident.parse().ok()?))
            })
            .nth(round * 3)
            .unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let before = confirmed.replace(told).map_or(-1, |c| i64::from(c.0));
        assert!(i64::from(told.0) > before, "the game began anew");
        let checked = check::check(folder.path()).unwrap();
        assert_eq!(checked.faults, Vec::<String>::new());
        let store = Store::open(folder.path(), Clock::start()).unwrap();
        let board = store.board("One").unwrap();
        let moves = store.open_game(board).unwrap().unwrap().moves;
        assert_eq!(moves[told.0 as usize].san, format!("move {}", told.0));
        let ruled = store.incident(told.1).unwrap().ruled.unwrap();
        assert_eq!((ruled.ruling, ruled.who.as_str()), (Ruling::Upheld, "anna"));
    }
}
