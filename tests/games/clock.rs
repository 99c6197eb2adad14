//! The clock in the picture: who pressed it, when, which move that completed, and with which hand.

use crate::acting::{Noise, START, Seat, film};
use adoube::{
    calibration::{clock::ClockPlace, view::BoardView},
    events::{Engine, Findings, Setup, position_from_fen},
    record::{Incident, Player, Severity},
    rules::Edition,
    simulate::{Actor, Deed, Makes, Manner, Order, Script},
};
use shakmaty::{Color, Move, Square, uci::UciMove};

/// Beside the a file, between the players.
const CLOCK: [f64; 2] = [-1.0, 4.0];

const CALM: Manner = Manner {
    order: Order::VictimFirst,
    pace: [128; 6],
    grip: 0,
    quick: false,
    pause_ms: 800,
};

fn legal(position: &shakmaty::Chess, uci: &str) -> Move {
    uci.parse::<UciMove>().unwrap().to_move(position).unwrap()
}

/// The marked place: 1.2 by 1.8 squares around the clock.
fn place(view: &BoardView) -> ClockPlace {
    let [x, y] = CLOCK;
    let corners = [[-0.6, -0.9], [0.6, -0.9], [0.6, 0.9], [-0.6, 0.9]];
    let outline: Vec<[f64; 2]> = corners
        .iter()
        .map(|[dx, dy]| view.project([x + dx, y + dy, 0.0]))
        .collect();
    outline.try_into().unwrap()
}

fn find(script: &Script, seat: Seat, marked: bool) -> Findings {
    let view = seat.view();
    let place = marked.then(|| place(&view));
    let mut engine = Engine::new(&Setup {
        view: view.clone(),
        start: script.start.clone(),
        edition: Edition::Fide2023,
    })
    .with_clock(place.as_ref());
    for seen in film(script, &view, Noise::NONE, 0) {
        engine.observe(&seen);
    }
    engine.finish()
}

/// White plays e4 and Black e5, each doing something after it.
fn game(then: [&[Deed]; 2]) -> Script {
    let start = position_from_fen(START).unwrap();
    let mut actor = Actor::new(&start);
    for (player, uci, more) in [
        (Color::White, "e2e4", then[0]),
        (Color::Black, "e7e5", then[1]),
    ] {
        let play = Deed::Play(legal(actor.position(), uci));
        let deeds: Vec<Deed> = [play].into_iter().chain(more.iter().copied()).collect();
        actor.visit(player, CALM, &deeds);
    }
    actor.finish()
}

const PRESS: Deed = Deed::Press {
    at: CLOCK,
    other_hand: false,
};

/// When a finger was on the clock, milliseconds.
fn pressed_ms(script: &Script) -> Vec<f64> {
    let stops = script.visits.iter().flat_map(|v| &v.stops);
    let on_clock = stops.filter(|s| s.place[..2] == CLOCK);
    let times: Vec<f64> = on_clock.map(|s| s.t_ms).collect();
    times.chunks(2).map(|c| c[0]).collect()
}

fn shown(findings: &Findings) -> Vec<&Incident> {
    let incidents = findings.incidents.iter();
    incidents
        .filter(|i| i.severity != Some(Severity::Log))
        .collect()
}

#[test]
fn a_press_completes_the_move_of_who_pressed() {
    let script = game([&[PRESS], &[PRESS]]);
    let truth = pressed_ms(&script);
    for seat in Seat::ALL {
        let found = find(&script, seat, true);
        let who: Vec<Player> = found.clock.iter().map(|p| p.player).collect();
        assert_eq!(who, [Player::White, Player::Black], "{seat:?}");
        for ((press, truth), made) in found.clock.iter().zip(&truth).zip(&found.moves) {
            assert!(
                (press.ms - truth).abs() < 200.0,
                "{seat:?}: {press:?} {truth}"
            );
            assert!(press.probability.unwrap() > 0.8, "{seat:?}: {press:?}");
            assert_eq!(made.completed_ms, Some(press.ms), "{seat:?}");
            assert!(made.made_ms < press.ms);
        }
        assert_eq!(shown(&found), Vec::<&Incident>::new(), "{seat:?}");
    }
}

#[test]
fn a_clock_that_is_not_marked_is_not_watched() {
    let found = find(&game([&[PRESS], &[PRESS]]), Seat::SideOn, false);
    assert_eq!(found.clock, []);
    assert!(found.moves.iter().all(|m| m.completed_ms.is_none()));
}

#[test]
fn without_a_press_no_move_is_completed() {
    let found = find(&game([&[], &[]]), Seat::SideOn, true);
    assert_eq!(found.clock, []);
    assert_eq!(found.moves.len(), 2);
    assert!(found.moves.iter().all(|m| m.completed_ms.is_none()));
}

#[test]
fn a_hand_that_sweeps_over_the_clock_completes_nothing() {
    let rest = |y: f64| Deed::Rest {
        at: [CLOCK[0], y],
        stay_ms: 100.0,
    };
    let script = game([&[rest(0.5), rest(7.5)], &[]]);
    for seat in [Seat::SideOn, Seat::BehindWhite] {
        let found = find(&script, seat, true);
        assert!(
            found.moves.iter().all(|m| m.completed_ms.is_none()),
            "{seat:?}: {:?}",
            found.clock
        );
        let sure = found.clock.iter().filter(|p| p.probability > Some(0.5));
        assert_eq!(sure.count(), 0, "{seat:?}: {:?}", found.clock);
    }
}

#[test]
fn to_press_with_the_other_hand_is_offered_for_a_look() {
    let other = Deed::Press {
        at: CLOCK,
        other_hand: true,
    };
    let script = game([&[other], &[PRESS]]);
    for seat in [Seat::SideOn, Seat::BehindWhite, Seat::BehindBlack] {
        let found = find(&script, seat, true);
        let shown = shown(&found);
        let [said] = shown.as_slice() else {
            panic!("{seat:?}: {:?} {:?}", found.incidents, found.clock);
        };
        assert_eq!(said.kind, "clock_other_hand");
        assert_eq!(
            (said.player, said.article.as_str()),
            (Player::White, "6.2.3")
        );
        assert_eq!(said.severity, Some(Severity::Review));
    }
}

#[test]
fn an_illegal_move_is_completed_by_the_press() {
    let start = position_from_fen(START).unwrap();
    let mut actor = Actor::new(&start);
    let illegal = Deed::Shift {
        from: Square::B1,
        to: Square::E5,
        makes: Makes::Illegal(Square::B1, Square::E5),
    };
    actor.visit(Color::White, CALM, &[illegal, PRESS]);
    let found = find(&actor.finish(), Seat::SideOn, true);
    let shown = shown(&found);
    let [said] = shown.as_slice() else {
        panic!("{:?}", found.incidents);
    };
    assert_eq!(said.kind, "illegal_move");
    let completed = said
        .explanation
        .iter()
        .any(|line| line.contains("completed"));
    assert!(completed, "{:?}", said.explanation);
}
