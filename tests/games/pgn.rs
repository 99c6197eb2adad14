//! Every PGN we write is read back by another program's reader, move for move.

use std::ops::ControlFlow;

use adoube::{
    broadcast::{
        game,
        pgn::{Entry, GameHeader, write, write_game},
    },
    calibration::view::Corners,
    record::{PlayedMove, Record},
};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// What a reader finds.
#[derive(Debug, Default, PartialEq)]
struct Game {
    tags: Vec<(String, String)>,
    sans: Vec<String>,
    comments: Vec<String>,
}

struct Collector;

impl Visitor for Collector {
    type Tags = Game;
    type Movetext = Game;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        let name = String::from_utf8(name.to_vec()).unwrap();
        game.tags.push((name, unescaped(value.as_bytes())));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Game> {
        game.sans.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut Game, comment: RawComment<'_>) -> ControlFlow<Game> {
        let text = String::from_utf8(comment.as_bytes().to_vec()).unwrap();
        game.comments.push(text);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Game) -> ControlFlow<Game, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}

/// A tag's value. The reader's own decoding takes the second of two escapes in a row for a begin.
fn unescaped(raw: &[u8]) -> String {
    let mut chars = std::str::from_utf8(raw).unwrap().chars();
    let mut out = String::new();
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { chars.next().unwrap() } else { c });
    }
    out
}

fn read(pgn: &str) -> Game {
    let mut reader = Reader::new(pgn.as_bytes());
    let game = reader.read_game(&mut Collector).unwrap().unwrap();
    let more = reader.read_game(&mut Collector).unwrap();
    assert_eq!(more, None, "one game was written, two were read:\n{pgn}");
    game
}

/// The same, read by our own reader.
fn reread(pgn: &str) -> game::Game {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), pgn).unwrap();
    game::Game::open(file.path()).unwrap()
}

fn sans(game: game::Game) -> Vec<String> {
    game.moves.into_iter().map(|m| m.san).collect()
}

fn record(start_fen: &str, moves: Vec<PlayedMove>) -> Record {
    let corner = [0.0, 0.0];
    Record {
        format: 1,
        clip: "game".to_owned(),
        source: None,
        fps: 30.0,
        frames: 0,
        width: 640,
        height: 480,
        window: None,
        corners: Corners::from_order([corner; 4]),
        corner_changes: Vec::new(),
        parts: Vec::new(),
        start_fen: start_fen.to_owned(),
        laws: "fide-2023".to_owned(),
        contacts: Vec::new(),
        hover: Vec::new(),
        listened: false,
        speech: Vec::new(),
        clock: Vec::new(),
        disturbances: Vec::new(),
        moves,
        incidents: Vec::new(),
        take_backs: Vec::new(),
        out_of_step: Vec::new(),
        result_sign: None,
        unsure: Vec::new(),
        hands_over_board: None,
        notes: None,
    }
}

fn played(uci: &str, legal: bool, made_ms: f64) -> PlayedMove {
    PlayedMove {
        uci: uci.to_owned(),
        san: uci.to_owned(),
        legal,
        made_ms,
        completed_ms: None,
        inferred: false,
        probability: None,
    }
}

/// Legal moves chosen by numbers, as UCI and SAN, and how the game ended.
fn random_game(choices: &[usize]) -> (Vec<PlayedMove>, Vec<String>, String) {
    let mut position = Chess::default();
    let (mut moves, mut sans) = (Vec::new(), Vec::new());
    for (index, choice) in choices.iter().enumerate() {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let m = legal[choice % legal.len()];
        let uci = m.to_uci(CastlingMode::Standard).to_string();
        moves.push(played(&uci, true, 4000.0 * index as f64));
        let san = shakmaty::san::SanPlus::from_move_and_play_unchecked(&mut position, m);
        sans.push(san.to_string());
    }
    let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
    (moves, sans, fen)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_game_is_read_back(choices in prop::collection::vec(0..1000_usize, 0..160)) {
        let (moves, sans, _) = random_game(&choices);
        let count = moves.len();
        let pgn = write(&record(START, moves), &GameHeader::default());
        let game = read(&pgn);
        prop_assert_eq!(&game.sans, &sans);
        prop_assert_eq!(self::sans(reread(&pgn)), sans);
        prop_assert_eq!(game.comments.len(), count.saturating_sub(1));
        prop_assert!(pgn.lines().all(|l| l.len() < 80), "{}", pgn);
    }

    #[test]
    fn any_comment_stays_one(text in ".{0,200}", legal in any::<bool>()) {
        let entry = |uci: &str, legal, comments| Entry {
            uci: uci.to_owned(),
            legal,
            made_ms: Some(0.0),
            comments,
        };
        let entries = [
            entry("e2e4", true, vec![text.clone()]),
            entry(if legal { "e7e5" } else { "e7e4" }, legal, vec![text, "after".to_owned()]),
        ];
        let pgn = write_game(START, &entries, &GameHeader::default());
        let game = read(&pgn);
        let want: &[&str] = if legal { &["e4", "e5"] } else { &["e4"] };
        prop_assert_eq!(&game.sans, want);
        prop_assert_eq!(game.comments.last().map(String::as_str), Some("after"));
        prop_assert_eq!(sans(reread(&pgn)), want);
    }

    #[test]
    fn any_tag_is_read_back(event in "\\PC{0,60}", white in ".{0,60}") {
        let header = GameHeader { event: event.clone(), white: white.clone(), ..GameHeader::default() };
        let pgn = write(&record(START, vec![played("e2e4", true, 0.0)]), &header);
        let game = read(&pgn);
        prop_assert_eq!(game.tags[0].clone(), ("Event".to_owned(), event.clone()));
        prop_assert_eq!(game.tags.len(), 8);
        let own = reread(&pgn).header;
        let line = |text: &str| text.replace(char::is_control, " ");
        prop_assert_eq!((own.event, own.white), (line(&event), line(&white)));
        prop_assert_eq!(game.sans, ["e4"]);
    }

    #[test]
    fn a_game_from_the_middle_is_read_back(
        before in prop::collection::vec(0..1000_usize, 1..40),
        after in 0..1000_usize,
    ) {
        let (_, _, fen) = random_game(&before);
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let legal = position.legal_moves();
        prop_assume!(!legal.is_empty());
        let m = legal[after % legal.len()];
        let uci = m.to_uci(CastlingMode::Standard).to_string();
        let pgn = write(&record(&fen, vec![played(&uci, true, 0.0)]), &GameHeader::default());
        let (game, own) = (read(&pgn), reread(&pgn));
        prop_assert_eq!(&own.start_fen, &fen);
        prop_assert_eq!(&sans(own), &game.sans);
        prop_assert_eq!(&game.tags[7], &("SetUp".to_owned(), "1".to_owned()));
        prop_assert_eq!(&game.tags[8], &("FEN".to_owned(), fen));
        prop_assert_eq!(game.sans, [shakmaty::san::SanPlus::from_move(position, m).to_string()]);
    }
}

#[test]
fn a_mated_game_has_its_result() {
    let ucis = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"];
    let times = [2100.0, 2850.0, 4050.0, 5250.0, 9000.0, 10250.0, 3_712_950.0];
    let moves = ucis.iter().zip(times).map(|(u, t)| played(u, true, t));
    insta::assert_snapshot!(
        write(&record(START, moves.collect()), &GameHeader::default())
            .replace(env!("CARGO_PKG_VERSION"), "[version]"),
        @r#"
    [Event "?"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [White "?"]
    [Black "?"]
    [Result "1-0"]
    [Annotator "Adoube [version]"]

    1. e4 e5 {[%emt 0:00:01]} 2. Qh5 {[%emt 0:00:01]} 2... Nc6 {[%emt 0:00:01]}
    3. Bc4 {[%emt 0:00:04]} 3... Nf6 {[%emt 0:00:01]} 4. Qxf7# {[%emt 1:01:43]} 1-0
    "#
    );
}

#[test]
fn an_illegal_move_and_all_after_it_stand_in_a_comment() {
    let mut moves = vec![
        played("e2e4", true, 1000.0),
        played("e7e4", false, 3000.0),
        played("b1}c3", true, 5000.0),
    ];
    moves.extend((0..30).map(|i| played("g8f6", true, 6000.0 + f64::from(i))));
    let pgn = write(&record(START, moves), &GameHeader::default());
    let game = read(&pgn);
    assert_eq!(game.sans, ["e4"]);
    assert_eq!(game.comments.len(), 1);
    assert!(game.comments[0].starts_with("1... e7e4 (illegal) then b1c3 g8f6"));
    assert!(pgn.lines().all(|l| l.len() < 80), "{pgn}");
    assert!(pgn.ends_with("} *\n"), "{pgn}");
}
