//! Cases that real events are known for, and reports of users, acted on the imagined board: what a
//! good arbiter would want to be told, and what not. The positions show the same pattern; they are
//! not those of the games. `docs/contacts.md` has the list.

use crate::acting::{self, CASTLING, Noise, START, Seat, film, watch};
use adoube::{
    events::{Findings, position_from_fen},
    record::{Incident, Player, Severity},
    rules::{Edition, Language, parse_case},
    simulate::{Actor, Deed, Makes, Manner, Order, Script},
};
use shakmaty::{Chess, Color, Move, Position, Square, uci::UciMove};

/// A knight on d7 that may go to c5 and to f8, and a rook.
const KNIGHT: &str = "r5k1/3n1ppp/8/8/8/8/5PPP/3Q2K1 b - - 0 36";
/// A king on g7 beside a rook on f6.
const ROOK_ENDING: &str = "8/6k1/5r2/8/8/6P1/4R1K1/8 b - - 0 74";
/// A king on g1 beside a bishop on f1.
const KING_AND_BISHOP: &str = "6k1/5ppp/8/8/8/8/5PPP/5BK1 w - - 0 30";

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

/// One player's visit in a position.
fn act(fen: &str, deeds: &[Deed]) -> Script {
    let start = position_from_fen(fen).unwrap();
    let mut actor = Actor::new(&start);
    actor.visit(start.turn(), CALM, deeds);
    actor.finish()
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

fn alerts(findings: &Findings) -> usize {
    let alerted = |i: &&Incident| i.severity == Some(Severity::Alert);
    findings.incidents.iter().filter(alerted).count()
}

/// From every seat the one incident that the Laws see in what was acted is shown, and no other.
#[track_caller]
fn shows(script: &Script, kind: &str, obliged: Option<&[&str]>) {
    let truths = script.incidents(Edition::Fide2023);
    let [truth] = truths.as_slice() else {
        panic!("the Laws see {truths:?}");
    };
    assert_eq!(truth.kind, kind);
    if let Some(obliged) = obliged {
        assert_eq!(truth.obliged, obliged);
    }
    for seat in Seat::ALL {
        let findings = find(script, seat);
        let acted: Vec<&str> = script.moves.iter().map(|m| m.uci.as_str()).collect();
        assert_eq!(played(&findings), acted, "{seat:?}");
        let shown = shown(&findings);
        let [said] = shown.as_slice() else {
            panic!("{seat:?}: {:?}", findings.incidents);
        };
        assert_eq!((said.kind.as_str(), said.player), (kind, truth.player));
        assert_eq!(said.article, truth.article, "{seat:?}");
        assert_eq!(said.obliged, truth.obliged, "{seat:?}");
        assert!((said.ms - truth.ms).abs() < 1000.0, "{seat:?}: {said:?}");
    }
}

/// From no seat anything is shown, and the Laws see nothing.
#[track_caller]
fn shows_nothing(script: &Script) {
    assert_eq!(script.incidents(Edition::Fide2023), []);
    for seat in Seat::ALL {
        let findings = find(script, seat);
        let acted: Vec<&str> = script.moves.iter().map(|m| m.uci.as_str()).collect();
        assert_eq!(played(&findings), acted, "{seat:?}");
        assert_eq!(shown(&findings), Vec::<&Incident>::new(), "{seat:?}");
    }
}

/// The knight goes to c5, is let go for so long, and goes on to f8.
fn knight_changed(off_ms: f64) -> Script {
    let position = position_from_fen(KNIGHT).unwrap();
    let first = Deed::Shift {
        from: Square::D7,
        to: Square::C5,
        makes: Makes::Nothing,
    };
    let then = Deed::Again {
        off_ms,
        from: Square::C5,
        to: Square::F8,
        makes: Makes::Legal(legal(&position, "d7f8")),
    };
    act(KNIGHT, &[first, then])
}

#[test]
#[ignore = "a release and a new grip in one stay of the hand are read as one carry"]
fn linares_1994_a_knight_let_go_for_a_quarter_of_a_second() {
    shows(
        &knight_changed(250.0),
        "move_changed_after_release",
        Some(&["d7c5"]),
    );
}

#[test]
#[ignore = "a release and a new grip in one stay of the hand are read as one carry"]
fn a_knight_let_go_for_a_second() {
    shows(
        &knight_changed(1000.0),
        "move_changed_after_release",
        Some(&["d7c5"]),
    );
}

#[test]
fn a_knight_never_let_go_is_no_breach() {
    // Praggnanandhaa-Deac: a spectator claimed what never was.
    let position = position_from_fen(KNIGHT).unwrap();
    let deed = Deed::Via {
        from: Square::D7,
        via: Square::C5,
        stay_ms: 700.0,
        to: Square::F8,
        makes: Makes::Legal(legal(&position, "d7f8")),
    };
    shows_nothing(&act(KNIGHT, &[deed]));
}

/// The king on g7 is touched, then this is played.
fn king_touched(uci: &str) -> Script {
    let position = position_from_fen(ROOK_ENDING).unwrap();
    let touch = Deed::Touch {
        square: Square::G7,
        hold_ms: 350.0,
    };
    let mut actor = Actor::new(&position);
    actor.visit(Color::Black, CALM, &[touch]);
    actor.visit(Color::Black, CALM, &[Deed::Play(legal(&position, uci))]);
    actor.finish()
}

#[test]
fn candidates_2016_a_king_touched_and_a_rook_moved() {
    shows(
        &king_touched("f6d6"),
        "touch_move",
        Some(&["g7f7", "g7f8", "g7g6", "g7g8", "g7h6", "g7h7", "g7h8"]),
    );
}

#[test]
fn candidates_2016_a_king_touched_and_moved_is_no_breach() {
    shows_nothing(&king_touched("g7g6"));
}

#[test]
fn candidates_2016_to_say_it_after_the_touch_is_too_late() {
    let king = ["g7f7", "g7f8", "g7g6", "g7g8", "g7h6", "g7h7", "g7h8"];
    let line = serde_json::json!({
        "id": "late-notice", "category": "G", "editions": ["FIDE2014", "FIDE2023"], "time": "any",
        "fen": ROOK_ENDING,
        "events": "touch b g7; adjust b; endadj b; ?; move b f6d6",
        "obligation": {"mode": "set", "moves": king},
        "verdict": "violation",
        "article": {"FIDE2014": "4.3.1", "FIDE2023": "4.3.1"},
    });
    let case = parse_case(&line.to_string()).unwrap();
    for outcome in case.outcomes(Language::English).unwrap() {
        let agreement = case.expected.agrees(&outcome);
        assert!(agreement.obligation && agreement.verdict, "{outcome:?}");
    }
}

#[test]
#[ignore = "the contact model finds one of the two acted hands too late"]
fn world_cup_2015_castling_with_two_hands() {
    let position = position_from_fen(CASTLING).unwrap();
    let castles = Deed::CastleTwoHands(legal(&position, "e1g1"));
    shows(&act(CASTLING, &[castles]), "two_hands", Some(&[]));
}

#[test]
fn castling_with_the_rook_first() {
    let position = position_from_fen(CASTLING).unwrap();
    let castles = Deed::CastleRookFirst(legal(&position, "e1g1"));
    shows(
        &act(CASTLING, &[castles]),
        "castling_rook_first",
        Some(&["h1f1", "h1g1"]),
    );
}

#[test]
fn castling_as_it_should_be_is_no_breach() {
    let position = position_from_fen(CASTLING).unwrap();
    shows_nothing(&act(CASTLING, &[Deed::Play(legal(&position, "e1g1"))]));
}

#[test]
fn world_cup_2011_a_king_brushed_on_the_way_to_the_bishop_is_unclear_at_most() {
    let position = position_from_fen(KING_AND_BISHOP).unwrap();
    let brush = Deed::Brush { square: Square::G1 };
    let then = Deed::Play(legal(&position, "f1d3"));
    let script = act(KING_AND_BISHOP, &[brush, then]);
    assert_eq!(script.incidents(Edition::Fide2023), []);
    for seat in Seat::ALL {
        let findings = find(&script, seat);
        assert_eq!(played(&findings), ["f1d3"], "{seat:?}");
        assert_eq!(alerts(&findings), 0, "{seat:?}: {:?}", findings.incidents);
    }
}

/// A piece is played and let go, put back, and another one played.
fn taken_back(fen: &str, first: [Square; 2], then: &str) -> Script {
    let position = position_from_fen(fen).unwrap();
    let [from, to] = first;
    let play = Deed::Shift {
        from,
        to,
        makes: Makes::Nothing,
    };
    let back = Deed::Again {
        off_ms: 900.0,
        from: to,
        to: from,
        makes: Makes::Nothing,
    };
    act(fen, &[play, back, Deed::Play(legal(&position, then))])
}

#[test]
fn a_move_taken_back_for_another_piece_is_a_breach() {
    // Azmaiparashvili 2003, and Matulovic 1967 with his "j'adoube".
    let script = taken_back(KING_AND_BISHOP, [Square::F1, Square::D3], "g1h1");
    assert!(!script.incidents(Edition::Fide2023).is_empty());
}

#[test]
fn world_blitz_2017_an_illegal_move_is_said_before_the_reply() {
    let position = position_from_fen(START).unwrap();
    let mut actor = Actor::new(&position);
    let illegal = Deed::Shift {
        from: Square::B1,
        to: Square::E5,
        makes: Makes::Illegal(Square::B1, Square::E5),
    };
    actor.visit(Color::White, CALM, &[illegal]);
    shows(&actor.finish(), "illegal_move", None);
}

#[test]
fn nobody_is_told_of_an_illegal_move_while_the_hand_is_at_it() {
    // Report 23: the piece is brought back before it was let go.
    let position = position_from_fen(START).unwrap();
    let deed = Deed::Via {
        from: Square::B1,
        via: Square::E5,
        stay_ms: 1500.0,
        to: Square::C3,
        makes: Makes::Legal(legal(&position, "b1c3")),
    };
    shows_nothing(&act(START, &[deed]));
}

#[test]
fn a_move_is_not_made_while_its_piece_is_in_the_air() {
    // Report 28.
    let script = acting::acted(START, "e2e4 e7e5 g1f3");
    let seat = Seat::SideOn;
    let seen = film(&script, &seat.view(), Noise::NONE, 0);
    for (number, acted) in script.moves.iter().enumerate() {
        let before: Vec<_> = seen
            .iter()
            .filter(|o| o.t_ms < acted.made_ms)
            .cloned()
            .collect();
        let mut engine = adoube::events::Engine::new(&adoube::events::Setup {
            view: seat.view(),
            start: script.start.clone(),
            edition: Edition::Fide2023,
        });
        before.iter().for_each(|o| engine.observe(o));
        assert_eq!(engine.move_count(), number, "{}", acted.uci);
    }
}

#[test]
fn moves_are_read_although_no_hand_is_ever_seen() {
    // Report 18: one missed moment must not end the game.
    let script = acting::acted(START, "e2e4 e7e5 g1f3 b8c6");
    for seat in Seat::ALL {
        let mut seen = film(&script, &seat.view(), Noise::NONE, 0);
        seen.iter_mut().for_each(|o| o.hands.clear());
        let findings = watch(&script.start, seat, &seen);
        assert_eq!(played(&findings), ["e2e4", "e7e5", "g1f3", "b8c6"]);
        assert_eq!(alerts(&findings), 0);
    }
}

#[test]
fn a_slow_slide_over_several_squares_is_one_move() {
    let position = position_from_fen(CASTLING).unwrap();
    let deed = Deed::Via {
        from: Square::D2,
        via: Square::D1,
        stay_ms: 500.0,
        to: Square::C1,
        makes: Makes::Legal(legal(&position, "d2c1")),
    };
    shows_nothing(&act(CASTLING, &[deed]));
}

#[test]
fn kings_in_the_centre_are_a_result_and_no_moves() {
    // Report 27.
    let position = position_from_fen(KING_AND_BISHOP).unwrap();
    let mut actor = Actor::new(&position);
    for (player, from, to) in [
        (Color::White, Square::G1, Square::E4),
        (Color::Black, Square::G8, Square::D5),
    ] {
        let makes = Makes::Nothing;
        actor.visit(player, CALM, &[Deed::Shift { from, to, makes }]);
    }
    let script = actor.finish();
    let findings = find(&script, Seat::SideOn);
    assert_eq!(played(&findings), Vec::<&str>::new());
    assert_eq!(shown(&findings), Vec::<&Incident>::new());
}

#[test]
fn who_waits_may_hover() {
    let start = position_from_fen(START).unwrap();
    let mut actor = Actor::new(&start);
    actor.visit(Color::White, CALM, &[Deed::Play(legal(&start, "e2e4"))]);
    let hover = Deed::Hover {
        square: Square::G1,
        above: 0.9,
        stay_ms: 1500.0,
    };
    actor.visit(Color::White, CALM, &[hover]);
    let reply = legal(actor.position(), "e7e5");
    actor.visit(Color::Black, CALM, &[Deed::Play(reply)]);
    let script = actor.finish();
    for seat in Seat::ALL {
        let findings = find(&script, seat);
        assert_eq!(played(&findings), ["e2e4", "e7e5"]);
        assert_eq!(alerts(&findings), 0, "{seat:?}: {:?}", findings.incidents);
    }
}

#[test]
fn players_are_told_apart() {
    let script = king_touched("f6d6");
    let found = find(&script, Seat::SideOn);
    assert!(shown(&found).iter().all(|i| i.player == Player::Black));
}
