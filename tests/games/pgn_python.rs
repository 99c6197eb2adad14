//! Every PGN we write is read by python-chess, too, which many programs are built on: move for move,
//! tag for tag, without an error. Skipped with a message where it is not installed.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use adoube::{
    broadcast::{
        game::START_FEN,
        pgn::{Entry, GameHeader, write_game},
    },
    record::Record,
    review::{comparison::compare, games::Games, report::Organiser, words::Words},
};
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRng, TestRunner},
};
use serde::Deserialize;
use shakmaty::{CastlingMode, Chess, Position};

/// What python-chess makes of a file with one game.
#[derive(Debug, Deserialize)]
struct Read {
    games: usize,
    errors: Vec<String>,
    tags: Vec<(String, String)>,
    moves: Vec<String>,
    comments: Vec<String>,
}

const READER: &str = r#"
import io, json, sys
import chess.pgn
for line in sys.stdin:
    source = io.StringIO(json.loads(line))
    game, more = chess.pgn.read_game(source), chess.pgn.read_game(source)
    print(json.dumps({
        "games": 1 if more is None else 2,
        "errors": [str(e) for e in game.errors],
        "tags": list(game.headers.items()),
        "moves": [m.uci() for m in game.mainline_moves()],
        "comments": [n.comment for n in game.mainline() if n.comment],
    }))
"#;

/// Where scripts/test installs it.
const INSTALLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/runtime/python");

fn python(script: &str) -> Command {
    let mut command = Command::new("python3");
    command.args(["-c", script]).env("PYTHONPATH", INSTALLED);
    command
}

/// Whether it is there; says that the test is skipped where it is not.
fn is_installed() -> bool {
    let tried = python("import chess.pgn").output();
    let there = tried.is_ok_and(|out| out.status.success());
    if !there {
        println!("skipped: no python-chess");
    }
    there
}

fn read_all(games: &[String]) -> Vec<Read> {
    let mut child = python(READER)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let lines: String = games
        .iter()
        .map(|g| serde_json::to_string(g).unwrap() + "\n")
        .collect();
    let writer = std::thread::spawn(move || pipe.write_all(lines.as_bytes()));
    let out = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    text.lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

/// Legal moves chosen by numbers.
fn moves(choices: &[usize]) -> Vec<String> {
    let mut position = Chess::default();
    let mut moves = Vec::new();
    for choice in choices {
        let legal = position.legal_moves();
        let Some(m) = legal.get(choice % legal.len().max(1)) else {
            break;
        };
        moves.push(m.to_uci(CastlingMode::Standard).to_string());
        position.play_unchecked(*m);
    }
    moves
}

/// A tag's value as python-chess gives it: one line, escapes as they stand in the file.
fn raw(text: &str) -> String {
    let line = text.replace(char::is_control, " ");
    line.replace('\\', "\\\\").replace('"', "\\\"")
}

#[test]
fn any_game_with_any_tags_and_comments() {
    if !is_installed() {
        return;
    }
    let any = (
        ".{0,50}",
        ".{0,50}",
        ".{0,120}",
        prop::collection::vec(0..1000_usize, 0..90),
    );
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let cases: Vec<(String, String, String, Vec<String>)> = (0..200)
        .map(|_| {
            let (event, white, comment, choices) = any.new_tree(&mut runner).unwrap().current();
            (event, white, comment, moves(&choices))
        })
        .collect();
    let pgns: Vec<String> = cases
        .iter()
        .map(|(event, white, comment, moves)| {
            let header = GameHeader {
                event: event.clone(),
                white: white.clone(),
                ..GameHeader::default()
            };
            let entries: Vec<Entry> = moves
                .iter()
                .enumerate()
                .map(|(i, uci)| Entry {
                    uci: uci.clone(),
                    legal: true,
                    made_ms: Some(7000.0 * i as f64),
                    comments: if i % 5 == 0 {
                        vec![comment.clone()]
                    } else {
                        Vec::new()
                    },
                })
                .collect();
            write_game(START_FEN, &entries, &header)
        })
        .collect();
    let all = read_all(&pgns);
    assert_eq!(all.len(), cases.len());
    for (((event, white, _, moves), read), pgn) in cases.iter().zip(&all).zip(&pgns) {
        assert_eq!(read.errors, [""; 0], "{pgn}");
        assert_eq!(read.games, 1, "{pgn}");
        assert_eq!(&read.moves, moves, "{pgn}");
        let tag = |name: &str| read.tags.iter().find(|t| t.0 == name).map(|t| t.1.as_str());
        assert_eq!(tag("Event"), Some(&*raw(event)), "{pgn}");
        assert_eq!(tag("White"), Some(&*raw(white)), "{pgn}");
    }
}

#[test]
fn the_games_of_a_review() {
    if !is_installed() {
        return;
    }
    let mut record: Record =
        serde_json::from_str(include_str!("../data/report/touch-move.json")).unwrap();
    record.moves[1].legal = false;
    record.moves[1].uci = "g8g6".to_owned();
    let games = Games::new(&record, None);
    let read = read_all(&[games.public(), games.arbiter(Words::default())]);
    for game in &read {
        assert_eq!(
            (game.errors.len(), game.moves.as_slice()),
            (0, &["d2d3".to_owned()][..])
        );
    }
    assert!(!read[0].comments.concat().contains("otb"));
    assert!(
        read[1]
            .comments
            .concat()
            .contains("[%otb incident=touch_move player=w")
    );
}

#[test]
fn a_score_sheet_that_was_dated() {
    if !is_installed() {
        return;
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(
        file.path(),
        "[White \"A\"]\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. d3 Nf6 5. O-O *",
    )
    .unwrap();
    let noted = adoube::broadcast::game::Game::open(file.path()).unwrap();
    let record: Record =
        serde_json::from_str(include_str!("../data/report/touch-move.json")).unwrap();
    let (_, unseen) = noted.begin(Some(&record.start_fen)).unwrap();
    let organiser = Organiser {
        comparison: compare(&noted.moves[unseen..], &record),
        header: noted.header,
        start_fen: noted.start_fen,
        moves: noted.moves,
        unseen,
    };
    let games = Games::new(&record, Some(&organiser));
    let read = read_all(&[games.public(), games.noted().unwrap()]);
    assert_eq!((read[0].moves.len(), read[1].moves.len()), (8, 9));
    for game in &read {
        assert_eq!(game.errors, [""; 0]);
        let comments = game.comments.concat();
        assert!(
            comments.contains("not seen") && comments.contains("[%emt 0:00:0"),
            "{comments}"
        );
    }
}
