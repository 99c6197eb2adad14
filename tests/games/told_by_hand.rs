//! What a person says of a game is believed, and the game goes on from it.

use crate::acting::{CASTLING, Noise, PROMOTING, START, Script, Seat, acted, film};
use adoube::{
    events::{CorrectionError, Engine, Setup, observation::Observation, position_from_fen},
    record::ContactKind,
    rules::Edition,
};
use shakmaty::{Chess, Color, Move, Position, Role, Square, uci::UciMove};

fn engine(start: &str) -> Engine {
    Engine::new(&Setup {
        view: Seat::ALL[0].view(),
        start: position_from_fen(start).unwrap(),
        edition: Edition::Fide2023,
    })
}

fn filmed(script: &Script) -> Vec<Observation> {
    film(script, &Seat::ALL[0].view(), Noise::default(), 0)
}

fn the_move(before: &Chess, uci: &str) -> Move {
    uci.parse::<UciMove>().unwrap().to_move(before).unwrap()
}

fn moves(engine: &Engine) -> Vec<String> {
    let turns = (0..engine.move_count()).map(|i| engine.turn(i).unwrap());
    turns.map(|t| t.moves[0].uci.clone()).collect()
}

#[test]
fn a_position_that_was_set_up_by_hand_is_played_on_from() {
    let seen = filmed(&acted(CASTLING, "e1g1 e8g8"));
    let mut lost = engine(START);
    let mut told = engine(START);
    for (frame, observation) in seen.iter().enumerate() {
        if frame == 3 {
            told.stands(&position_from_fen(CASTLING).unwrap());
        }
        lost.observe(observation);
        told.observe(observation);
    }
    assert_eq!(moves(&told), ["e1g1", "e8g8"]);
    assert_ne!(moves(&lost), ["e1g1", "e8g8"]);
    assert!(told.out_of_step().is_empty());
}

#[test]
fn the_piece_of_a_promotion_is_corrected_and_the_game_goes_on() {
    let script = acted(PROMOTING, "a7b8q f2e1q");
    let mut engine = engine(PROMOTING);
    let mut corrected = false;
    for observation in filmed(&script) {
        engine.observe(&observation);
        if engine.move_count() == 1 && !corrected {
            let knight = the_move(&script.start, "a7b8n");
            engine.correct_last(&knight).unwrap();
            corrected = true;
        }
    }
    assert_eq!(moves(&engine), ["a7b8n", "f2e1q"]);
    let board = engine.position().board();
    assert_eq!(
        board.piece_at(Square::B8),
        Some(Role::Knight.of(Color::White))
    );
    let turn = engine.turn(0).unwrap();
    let placed = turn
        .contacts
        .iter()
        .find(|c| c.kind == ContactKind::PromotionPlacement);
    assert_eq!(placed.unwrap().piece, "N");
    assert_eq!(turn.moves[0].probability, Some(1.0));
    assert!(turn.incidents.is_empty(), "{:?}", turn.incidents);
}

#[test]
fn another_move_than_was_seen_stands_and_touches_of_the_wrong_one_bind_nobody() {
    let script = acted(START, "e2e4");
    let mut engine = engine(START);
    let seen = filmed(&script);
    for observation in &seen {
        engine.observe(observation);
    }
    assert_eq!(moves(&engine), ["e2e4"]);
    let other = the_move(&script.start, "d2d3");
    engine.correct_last(&other).unwrap();
    // Still frames go by: what is seen does not change what a person said.
    let last = seen.last().unwrap();
    for frame in 1..300 {
        let mut still = last.clone();
        still.t_ms += f64::from(frame) * 33.0;
        engine.observe(&still);
    }
    assert_eq!(moves(&engine), ["d2d3"]);
    let turn = engine.turn(0).unwrap();
    assert!(turn.incidents.is_empty(), "{:?}", turn.incidents);
    let squares: Vec<_> = turn.contacts.iter().map(|c| c.square.as_deref()).collect();
    assert_eq!(squares, [Some("d2")]);
}

#[test]
fn what_cannot_be_is_refused() {
    let script = acted(START, "e2e4");
    let mut engine = engine(START);
    let e4 = the_move(&script.start, "e2e4");
    assert_eq!(engine.correct_last(&e4), Err(CorrectionError::NoMove));
    for observation in filmed(&script) {
        engine.observe(&observation);
    }
    let mut after = script.start.clone();
    after.play_unchecked(e4);
    let reply = the_move(&after, "e7e5");
    assert_eq!(engine.correct_last(&reply), Err(CorrectionError::Illegal));
    engine.stands(&after);
    assert_eq!(engine.correct_last(&e4), Err(CorrectionError::NoMove));
}

#[test]
fn a_correction_can_be_corrected() {
    let script = acted(START, "e2e4");
    let mut engine = engine(START);
    for observation in filmed(&script) {
        engine.observe(&observation);
    }
    let seen = engine.turn(0).unwrap();
    for uci in ["d2d3", "e2e3", "e2e4"] {
        engine.correct_last(&the_move(&script.start, uci)).unwrap();
        assert_eq!(moves(&engine), [uci]);
    }
    let again = engine.turn(0).unwrap();
    assert_eq!(
        (again.moves[0].made_ms, again.incidents.len()),
        (seen.moves[0].made_ms, 0)
    );
}

/// A knight that is touched while the move before is not read yet, and then not moved.
#[cfg(feature = "vision")]
#[test]
fn a_touch_before_a_word_that_changes_nothing_still_counts() {
    use adoube::review::LogReader;
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/touch-move.zst");
    let mut log = LogReader::open(&path).unwrap();
    let mut engine = Engine::new(&Setup {
        view: log.header().view().unwrap(),
        start: position_from_fen(&log.header().start_fen).unwrap(),
        edition: Edition::Fide2023,
    });
    while let Some(observation) = log.next_frame().unwrap() {
        let before = engine.move_count();
        engine.observe(&observation);
        if before < 2 && engine.move_count() == 2 {
            engine.stands(&engine.position().clone());
        }
    }
    let turn = engine.turn(2).unwrap();
    assert_eq!(turn.moves[0].uci, "d2d4");
    assert_eq!(turn.incidents[0].kind, "touch_move");
}
