//! What is no move although pieces are moved: results shown by the kings, moves taken back, pieces
//! put away, positions set up again; and how the game is found again after a gap.

use crate::acting::{self, Noise, PROMOTING, START, Seat, film, watch};
use adoube::{
    events::{
        Findings,
        observation::{Observation, content_index},
        position_from_fen,
    },
    record::{Incident, Severity, StepEnd},
    review::{LogReader, log::engine_for},
    simulate::{Actor, Deed, Makes, Manner, Order, Script},
};
use shakmaty::{Chess, Color, EnPassantMode, Move, Position, Role, Square, fen::Fen, uci::UciMove};

/// A king on g1 beside a bishop on f1.
const KING_AND_BISHOP: &str = "6k1/5ppp/8/8/8/8/5PPP/5BK1 w - - 0 30";
/// White's king may go to e4.
const KING_IN_PLAY: &str = "6k1/5ppp/8/8/8/5K2/5PPP/5B2 w - - 0 40";

const CALM: Manner = Manner {
    order: Order::VictimFirst,
    pace: [128; 6],
    grip: 0,
    quick: false,
    pause_ms: 800,
};

fn legal(position: &Chess, uci: &str) -> Move {
    uci.parse::<UciMove>().unwrap().to_move(position).unwrap()
}

fn after(fen: &str, line: &str) -> Chess {
    let mut position = position_from_fen(fen).unwrap();
    for uci in line.split_whitespace() {
        let m = legal(&position, uci);
        position.play_unchecked(m);
    }
    position
}

fn find(script: &Script, seat: Seat) -> Findings {
    let seen = film(script, &seat.view(), Noise::NONE, 0);
    watch(&script.start, seat, &seen)
}

fn played(findings: &Findings) -> Vec<&str> {
    findings.moves.iter().map(|m| m.uci.as_str()).collect()
}

fn shown(findings: &Findings) -> Vec<&Incident> {
    let incidents = findings.incidents.iter();
    incidents
        .filter(|i| i.severity != Some(Severity::Log))
        .collect()
}

fn shift(from: Square, to: Square) -> Deed {
    let makes = Makes::Nothing;
    Deed::Shift { from, to, makes }
}

/// Both kings are put in the centre, the second one so long after the first.
fn kings(fen: &str, squares: [(Color, Square, Square); 2], pause_ms: u32) -> Script {
    let position = position_from_fen(fen).unwrap();
    let mut actor = Actor::new(&position);
    for (index, (player, from, to)) in squares.into_iter().enumerate() {
        let pause_ms = if index == 0 { 800 } else { pause_ms };
        let manner = Manner { pause_ms, ..CALM };
        let deed = match from.to_string() + &to.to_string() {
            uci if uci == "f3e4" => Deed::Play(legal(&position, &uci)),
            _ => shift(from, to),
        };
        actor.visit(player, manner, &[deed]);
    }
    actor.finish()
}

#[test]
fn kings_in_the_centre_say_who_won() {
    for (white, black, result) in [
        (Square::E4, Square::D5, "1-0"),
        (Square::D4, Square::E5, "0-1"),
        (Square::E4, Square::E5, "1/2-1/2"),
    ] {
        for seat in Seat::ALL {
            let squares = [
                (Color::White, Square::G1, white),
                (Color::Black, Square::G8, black),
            ];
            let found = find(&kings(KING_AND_BISHOP, squares, 800), seat);
            let sign = found.result_sign.as_ref().expect("a sign");
            assert_eq!(sign.result, result, "{seat:?}");
            assert_eq!(
                (&sign.white_king, &sign.black_king),
                (&white.to_string(), &black.to_string())
            );
            assert_eq!(played(&found), Vec::<&str>::new(), "{seat:?}");
            assert_eq!(shown(&found), Vec::<&Incident>::new(), "{seat:?}");
        }
    }
}

#[test]
fn a_first_king_long_before_the_second_is_no_illegal_move_in_the_end() {
    let squares = [
        (Color::White, Square::G1, Square::E4),
        (Color::Black, Square::G8, Square::D5),
    ];
    for seat in Seat::ALL {
        let found = find(&kings(KING_AND_BISHOP, squares, 6000), seat);
        assert_eq!(found.result_sign.expect("a sign").result, "1-0", "{seat:?}");
        assert_eq!(found.moves, [], "{seat:?}");
        assert_eq!(found.incidents, [], "{seat:?}");
    }
}

#[test]
fn a_first_king_that_could_go_there_has_moved() {
    // As on electronic boards, which advise to put the other king there first.
    let squares = [
        (Color::White, Square::F3, Square::E4),
        (Color::Black, Square::G8, Square::D5),
    ];
    let found = find(&kings(KING_IN_PLAY, squares, 800), Seat::SideOn);
    assert_eq!(played(&found), ["f3e4"]);
    assert_eq!(found.result_sign.expect("a sign").result, "1-0");
}

#[test]
fn one_king_in_the_centre_is_no_sign() {
    let position = position_from_fen(KING_IN_PLAY).unwrap();
    let mut actor = Actor::new(&position);
    actor.visit(Color::White, CALM, &[Deed::Play(legal(&position, "f3e4"))]);
    let found = find(&actor.finish(), Seat::SideOn);
    assert_eq!(played(&found), ["f3e4"]);
    assert_eq!(found.result_sign, None);
}

#[test]
fn hands_that_meet_over_the_board_are_no_incident() {
    let start = position_from_fen(START).unwrap();
    let mut actor = Actor::new(&start);
    actor.visit(Color::White, CALM, &[Deed::Play(legal(&start, "e2e4"))]);
    let shake = Deed::Rest {
        at: [4.0, 4.2],
        stay_ms: 1500.0,
    };
    actor.visit(Color::Black, CALM, &[shake]);
    let at_once = Manner {
        quick: true,
        ..CALM
    };
    actor.visit(Color::White, at_once, &[shake]);
    let script = actor.finish();
    for seat in Seat::ALL {
        let found = find(&script, seat);
        assert_eq!(played(&found), ["e2e4"], "{seat:?}");
        assert_eq!(shown(&found), Vec::<&Incident>::new(), "{seat:?}");
    }
}

const OPENING: &str = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3";

#[test]
fn pieces_put_back_where_the_game_began_are_no_moves() {
    let start = position_from_fen(START).unwrap();
    let mut actor = Actor::new(&start);
    let mut mover = Color::White;
    for uci in OPENING.split_whitespace() {
        let play = Deed::Play(legal(actor.position(), uci));
        actor.visit(mover, CALM, &[play]);
        mover = !mover;
    }
    let white = [
        shift(Square::F3, Square::G1),
        shift(Square::C4, Square::F1),
        shift(Square::D3, Square::D2),
        shift(Square::E4, Square::E2),
    ];
    let black = [
        shift(Square::C6, Square::B8),
        shift(Square::F6, Square::G8),
        shift(Square::E5, Square::E7),
    ];
    actor.visit(Color::White, CALM, &white);
    actor.visit(Color::Black, CALM, &black);
    actor.visit(
        Color::White,
        Manner {
            pause_ms: 9000,
            ..CALM
        },
        &[],
    );
    let script = actor.finish();
    for seat in Seat::ALL {
        let found = find(&script, seat);
        let want: Vec<&str> = OPENING.split_whitespace().collect();
        assert_eq!(played(&found), want, "{seat:?}");
        assert_eq!(shown(&found), Vec::<&Incident>::new(), "{seat:?}");
        let [spell] = found.spells.as_slice() else {
            panic!("{seat:?}: {:?}", found.spells);
        };
        assert_eq!(spell.end, Some(StepEnd::SetUpAgain), "{seat:?}");
    }
}

#[test]
fn a_move_taken_back_for_another_piece_binds_to_the_first() {
    let start = position_from_fen(START).unwrap();
    let mut actor = Actor::new(&start);
    actor.visit(Color::White, CALM, &[shift(Square::E2, Square::E4)]);
    let later = Manner {
        pause_ms: 2500,
        ..CALM
    };
    actor.visit(Color::White, later, &[shift(Square::E4, Square::E2)]);
    actor.visit(Color::White, later, &[Deed::Play(legal(&start, "d2d4"))]);
    let script = actor.finish();
    for seat in Seat::ALL {
        let found = find(&script, seat);
        assert_eq!(played(&found), ["d2d4"], "{seat:?}");
        let back: Vec<&str> = found.take_backs.iter().map(|t| t.uci.as_str()).collect();
        assert_eq!(back, ["e2e4"], "{seat:?}");
        let shown = shown(&found);
        let [said] = shown.as_slice() else {
            panic!("{seat:?}: {:?}", found.incidents);
        };
        assert_eq!(said.kind, "move_changed_after_release", "{seat:?}");
        assert_eq!(said.obliged, ["e2e4"], "{seat:?}");
    }
}

#[test]
fn an_illegal_move_put_right_with_the_same_piece_is_said_once() {
    let start = position_from_fen(START).unwrap();
    let mut actor = Actor::new(&start);
    let illegal = Deed::Shift {
        from: Square::B1,
        to: Square::E5,
        makes: Makes::Nothing,
    };
    actor.visit(Color::White, CALM, &[illegal]);
    let later = Manner {
        pause_ms: 4500,
        ..CALM
    };
    actor.visit(Color::White, later, &[shift(Square::E5, Square::B1)]);
    actor.visit(Color::White, later, &[Deed::Play(legal(&start, "b1c3"))]);
    let reply = legal(actor.position(), "e7e5");
    actor.visit(Color::Black, CALM, &[Deed::Play(reply)]);
    let script = actor.finish();
    for seat in Seat::ALL {
        let found = find(&script, seat);
        assert_eq!(played(&found), ["b1c3", "e7e5"], "{seat:?}");
        let back: Vec<&str> = found.take_backs.iter().map(|t| t.uci.as_str()).collect();
        assert_eq!(back, ["b1e5"], "{seat:?}");
        let kinds: Vec<&str> = shown(&found).iter().map(|i| i.kind.as_str()).collect();
        assert_eq!(kinds, ["illegal_move"], "{seat:?}");
    }
}

/// The first film, then nothing for so long, then the second one.
fn with_gap(first: &Script, gap_ms: f64, second: &Script, seat: Seat) -> Vec<Observation> {
    let view = seat.view();
    let mut seen = film(first, &view, Noise::NONE, 0);
    let begin_ms = seen.last().map_or(0.0, |o| o.t_ms) + gap_ms;
    // A square that was read otherwise than before is looked at again.
    let mut later = film(second, &view, Noise::NONE, 0);
    let first_look = later[0].squares.clone();
    later[30].squares.extend(first_look);
    let later = later.into_iter();
    seen.extend(later.map(|mut o| {
        o.t_ms += begin_ms;
        o.hands.iter_mut().for_each(|h| h.id += 1000);
        o
    }));
    seen
}

fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// Somebody stood before the camera for a minute: six moves were played.
#[test]
fn moves_played_unseen_are_inferred_and_marked() {
    let before = acting::acted(START, "e2e4");
    let line = "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 d2d4";
    let stands = after(START, line);
    // The camera sees it for ten seconds before the next move.
    let mut actor = Actor::new(&stands);
    let reply = Deed::Play(legal(&stands, "g8f6"));
    actor.visit(
        Color::Black,
        Manner {
            pause_ms: 10_000,
            ..CALM
        },
        &[reply],
    );
    let seen = with_gap(&before, 60_000.0, &actor.finish(), Seat::SideOn);
    let found = watch(&before.start, Seat::SideOn, &seen);
    let mut position = before.start.clone();
    for made in &found.moves {
        let m = legal(&position, &made.uci);
        position.play_unchecked(m);
    }
    assert_eq!(
        fen_of(&position),
        fen_of(&after(START, &format!("{line} g8f6"))),
        "{:?}",
        played(&found)
    );
    let inferred: Vec<bool> = found.moves.iter().map(|m| m.inferred).collect();
    assert_eq!(inferred, [false, true, true, true, true, true, true, false]);
    assert_eq!(shown(&found), Vec::<&Incident>::new());
    let [spell] = found.spells.as_slice() else {
        panic!("{:?}", found.spells);
    };
    assert_eq!(spell.end, Some(StepEnd::Inferred));
}

#[test]
fn what_nothing_explains_is_said_with_the_time_since_when() {
    let before = acting::acted(START, "e2e4");
    // Both queens have gone and nothing else has changed.
    let mut setup = after(START, "e2e4").to_setup(EnPassantMode::Legal);
    setup.board.discard_piece_at(Square::D1);
    setup.board.discard_piece_at(Square::D8);
    let stands: Chess = setup.position(shakmaty::CastlingMode::Standard).unwrap();
    let mut actor = Actor::new(&stands);
    actor.visit(
        Color::Black,
        Manner {
            pause_ms: 15_000,
            ..CALM
        },
        &[],
    );
    let seen = with_gap(&before, 10_000.0, &actor.finish(), Seat::SideOn);
    let found = watch(&before.start, Seat::SideOn, &seen);
    assert_eq!(played(&found), ["e2e4"]);
    let [spell] = found.spells.as_slice() else {
        panic!("{:?}", found.spells);
    };
    assert_eq!((spell.end, spell.to_ms), (None, None));
    assert_eq!(spell.squares, ["d1", "d8"]);
    assert!(shown(&found).is_empty());
}

/// The shipped clip as it was observed, with the player thinking so long after the knight on g1 was
/// touched, before another piece is moved.
fn thought_about(pause_ms: f64) -> Findings {
    const TOUCHED_MS: f64 = 8000.0;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/touch-move.zst");
    let mut log = LogReader::open(path.as_ref()).unwrap();
    let mut engine = engine_for(log.header()).unwrap();
    while let Some(mut seen) = log.next_frame().unwrap() {
        let later = seen.t_ms > TOUCHED_MS;
        seen.t_ms += if later { pause_ms } else { 0.0 };
        engine.observe(&seen);
    }
    engine.finish()
}

#[test]
fn a_touch_is_remembered_however_long_the_player_thinks() {
    let mut at_once_ms = None;
    for pause_ms in [0.0, 30_000.0, 80_000.0, 300_000.0] {
        let found = thought_about(pause_ms);
        assert_eq!(played(&found), ["e2e4", "e7e5", "d2d4"], "{pause_ms}");
        let knight = found
            .contacts
            .iter()
            .filter(|c| c.square.as_deref() == Some("g1"));
        let touches: Vec<f64> = knight.map(|c| c.touch_ms).collect();
        let [touch_ms] = touches.as_slice() else {
            panic!("{pause_ms}: {:?}", found.contacts);
        };
        let want_ms: f64 = *at_once_ms.get_or_insert(*touch_ms);
        assert!((touch_ms - want_ms).abs() < 50.0, "{pause_ms}: {touch_ms}");
    }
}

#[test]
fn a_pawn_becomes_what_stands_there_afterwards() {
    for (uci, letter) in [
        ("a2a1n", "N"),
        ("a2a1r", "R"),
        ("a2a1b", "B"),
        ("a2a1q", "Q"),
    ] {
        for seat in Seat::ALL {
            let found = find(&acting::acted(PROMOTING, &format!("d4e5 {uci}")), seat);
            assert_eq!(played(&found), ["d4e5", uci], "{seat:?} {letter}");
        }
    }
}

#[test]
fn a_person_is_asked_what_a_pawn_became_when_it_cannot_be_told() {
    let script = acting::acted(PROMOTING, "d4e5 a2a1n");
    let seat = Seat::SideOn;
    let mut seen = film(&script, &seat.view(), Noise::NONE, 0);
    let [queen, knight] =
        [Role::Queen, Role::Knight].map(|r| content_index(Some(r.of(Color::Black))));
    let of_a1 = seen
        .iter_mut()
        .flat_map(|o| &mut o.squares)
        .filter(|r| r.square == Square::A1 as u8);
    for reading in of_a1.filter(|r| r.log_p[knight] > -1.0) {
        // A knight twice as likely as a queen, of which there are more.
        reading.log_p[queen] = reading.log_p[knight] - 2.0;
    }
    let found = watch(&script.start, seat, &seen);
    let [question] = found.questions.as_slice() else {
        panic!("{:?} {:?}", found.questions, played(&found));
    };
    assert!(
        question.contains("a1") && question.contains("knight"),
        "{question}"
    );
    let p = found.moves.last().and_then(|m| m.probability).unwrap();
    assert!(p < 0.8, "{p}");
}
