use super::*;
use crate::rules::{Edition, parse_fen};

const CASTLE: &str = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1";

/// Events from lines `place probability event`.
fn events(lines: &[&str]) -> Vec<UncertainEvent> {
    let read = |line: &&str| {
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().unwrap();
        UncertainEvent {
            place: word().parse().unwrap(),
            doubt: match word() {
                "1" => Doubt::Fact,
                p => Doubt::Chance(p.parse().unwrap()),
            },
            event: word().parse().unwrap(),
        }
    };
    lines.iter().map(read).collect()
}

fn weighed(fen: &str, edition: Edition, lines: &[&str]) -> Weighed {
    let position = parse_fen(fen).unwrap();
    weigh(&position, edition, &events(lines), Limits::default())
}

#[test]
fn probabilities_are_those_of_the_worlds() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let cases: [(&str, &[&str], f64); 9] = [
        (start, &["0 1 touch w e2", "1 1 move w d2d4"], 1.0),
        (start, &["0 0.6 touch w e2", "1 1 move w d2d4"], 0.6),
        // Either touch is enough.
        (
            start,
            &["0 0.5 touch w e2", "1 0.5 touch w c2", "2 1 move w d2d4"],
            0.75,
        ),
        // The other touch came first and frees of the second.
        (
            start,
            &["0 0.5 touch w d2", "1 1 touch w e2", "2 1 move w d2d4"],
            0.5,
        ),
        // Two own pieces in unknown order: the Laws do not say.
        (
            start,
            &["0 1 touch w d2", "0 1 touch w e2", "1 1 move w d2d4"],
            0.5,
        ),
        // Own and enemy piece in unknown order: own first.
        (
            "4k3/8/8/3p4/4P3/1N6/8/4K3 w - - 0 1",
            &["0 1 touch w d5", "0 1 touch w b3", "1 1 move w b3c5"],
            0.0,
        ),
        (
            "4k3/8/8/3p4/4P3/1N6/8/4K3 w - - 0 1",
            &["0 1 touch w d5", "1 1 touch w b3", "2 1 move w b3c5"],
            1.0,
        ),
        // King and rook in unknown order: castling.
        (
            CASTLE,
            &["0 1 touch w h1", "0 1 touch w e1", "1 1 move w e1g1"],
            0.0,
        ),
        (
            CASTLE,
            &["0 1 touch w h1", "0 1 touch w e1", "1 1 move w h1g1"],
            1.0,
        ),
    ];
    for (fen, lines, wanted) in cases {
        let found = weighed(fen, Edition::Fide2023, lines);
        assert!(
            (found.probability - wanted).abs() < 1e-9,
            "{lines:?}: {found:?}"
        );
        assert_eq!(
            (found.low, found.high, &found.cut),
            (found.probability, found.probability, &None)
        );
    }
}

#[test]
fn it_says_what_the_breach_hangs_on() {
    let found = weighed(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        Edition::Fide2023,
        &["0 0.8 touch w e2", "1 0.5 touch w a1", "2 1 move w d2d4"],
    );
    let hinges: Vec<usize> = found.hangs_on.iter().map(|h| h.event).collect();
    assert_eq!(hinges, [0]);
    assert_eq!(found.worlds, 4);
    let breach = &found.breaches[0];
    assert_eq!(
        (breach.cause, breach.at, breach.code),
        (Some(0), 2, BreachCode::Own)
    );
    assert!((breach.probability - 0.8).abs() < 1e-9);
}

#[test]
fn impossible_worlds_are_ruled_out() {
    // Without the lift there is nothing to let go.
    let found = weighed(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        Edition::Fide2023,
        &["0 0.5 lift w g1", "1 0.9 place w f3", "2 1 release w f3"],
    );
    assert!((found.ruled_out - 0.45).abs() < 1e-9, "{found:?}");
    assert_eq!(found.worlds, 4);
    assert!(found.probability.abs() < 1e-9);
}

#[test]
fn where_every_world_is_ruled_out_nothing_is_likely() {
    let limits = Limits {
        worlds: 1,
        ..Limits::default()
    };
    let start = parse_fen(START).unwrap();
    let events = events(&["0 0.9 lift w e5", "1 1 touch w e2", "2 1 move w d2d4"]);
    let found = weigh(&start, Edition::Fide2023, &events, limits);
    assert_eq!((found.worlds, found.ruled_out), (1, 1.0));
    assert_eq!(found.probability, 0.0);
    assert!(found.breaches.is_empty() && found.cut.is_some());
}

#[test]
fn the_least_doubtful_are_not_enumerated() {
    let limits = Limits {
        worlds: 4,
        ..Limits::default()
    };
    // By how far they are from an even chance: 0.45, 0.35, 0.8, 0.1.
    for (chances, left_out) in [
        ([0.1, 0.35, 0.45, 0.8], [3, 0]),
        ([0.8, 0.45, 0.35, 0.1], [0, 3]),
        ([0.45, 0.8, 0.1, 0.35], [1, 2]),
        ([0.35, 0.1, 0.8, 0.45], [2, 1]),
        ([0.8, 0.1, 0.45, 0.35], [0, 1]),
        ([0.1, 0.8, 0.35, 0.45], [1, 0]),
    ] {
        let cut = worlds(&chances.map(Doubt::Chance), limits, |_, _| {});
        assert_eq!(cut.unwrap().taken_as_likelier, left_out, "{chances:?}");
    }
}

#[test]
fn too_many_doubts_are_cut_and_said() {
    let mut lines: Vec<String> = (0..14).map(|i| format!("{i} 0.6 touch w e2")).collect();
    lines.push("20 1 move w d2d4".to_owned());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let start = parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
    let limits = Limits {
        worlds: 64,
        ..Limits::default()
    };
    let found = weigh(&start, Edition::Fide2023, &events(&lines), limits);
    let cut = found.cut.unwrap();
    assert_eq!(cut.taken_as_likelier.len(), 8);
    assert!((cut.covered - 0.6_f64.powi(8)).abs() < 1e-9);
    assert!(found.low < found.probability && found.high == 1.0);
    assert!(found.worlds <= 128);
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Event and difference of each hinge.
fn hinges(all: &[Hinge]) -> String {
    let each: Vec<String> = all
        .iter()
        .map(|h| format!("{} {:.2}", h.event, h.difference))
        .collect();
    each.join(", ")
}

#[test]
fn hinges_say_how_much_hangs_on_each_event() {
    // The events, what the breach hangs on as a whole, and each breach with what it hangs on.
    type Row<'a> = (&'a [&'a str], &'a str, &'a [&'a str]);
    let cases: [Row; 5] = [
        // What hardly happened, and is left out of all worlds, is no hinge.
        (
            &["0 0.01 touch w c2", "1 0.8 touch w e2", "2 1 move w d2d4"],
            "1 1.00",
            &["1 0.80: 1 1.00"],
        ),
        (
            &["0 0.6 touch w e2", "1 0.8 touch w c2", "2 1 move w d2d4"],
            "1 0.40, 0 0.20",
            &["0 0.60: 0 1.00", "1 0.32: 0 -0.80, 1 0.40"],
        ),
        (
            &["0 0.5 touch w d2", "1 1 touch w e2", "2 1 move w d2d4"],
            "0 -1.00",
            &["1 0.50: 0 -1.00"],
        ),
        // What makes next to no difference is no hinge.
        (
            &["0 0.8 touch w e2", "1 0.5 adjust w", "2 1 move w d2d4"],
            "0 1.00",
            &["0 0.80: 0 1.00"],
        ),
        (&["0 1 touch w e2", "1 1 move w d2d4"], "", &["0 1.00: "]),
    ];
    for (lines, whole, breaches) in cases {
        let found = weighed(START, Edition::Fide2023, lines);
        assert_eq!(hinges(&found.hangs_on), whole, "{lines:?}");
        let each: Vec<String> = found
            .breaches
            .iter()
            .map(|b| {
                let cause = b.cause.unwrap_or(99);
                format!("{cause} {:.2}: {}", b.probability, hinges(&b.hangs_on))
            })
            .collect();
        assert_eq!(each, breaches, "{lines:?}");
    }
}

#[test]
fn what_is_hardly_doubted_is_not_enumerated() {
    let mut seen = Vec::new();
    let doubts = [0.97, 0.02, 0.5, 0.96, 1.0, 0.0].map(Doubt::Chance);
    let cut = worlds(&doubts, Limits::default(), |there, weight| {
        seen.push((there.to_vec(), format!("{weight:.2}")));
    });
    assert_eq!(cut, None);
    let wanted = [
        ([true, false, false, false, true, false], "0.02"),
        ([true, false, true, false, true, false], "0.02"),
        ([true, false, false, true, true, false], "0.48"),
        ([true, false, true, true, true, false], "0.48"),
    ];
    let wanted = wanted.map(|(there, weight)| (there.to_vec(), weight.to_owned()));
    assert_eq!(seen, wanted);
}

#[test]
fn too_many_orders_are_cut_and_said() {
    let own = ["a2", "b2", "c2", "d2", "e2", "f2"];
    let limits = Limits {
        worlds: 16,
        ..Limits::default()
    };
    // How many pieces in unknown order, worlds judged, how much of all that is, P(breach).
    let cases = [
        (2, 2, 1.0, 0.5),
        // One hundred and twenty orders, of which the first 32 are judged; 24 begin with a2.
        (5, 32, 32.0 / 120.0, 0.25),
        // Of still more pieces only the order given is judged.
        (6, 1, 1.0, 0.0),
    ];
    for (count, worlds, covered, probability) in cases {
        let mut lines: Vec<String> = own[..count]
            .iter()
            .map(|s| format!("0 1 touch w {s}"))
            .collect();
        lines.push("1 1 move w a2a4".to_owned());
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let start = parse_fen(START).unwrap();
        let found = weigh(&start, Edition::Fide2023, &events(&lines), limits);
        assert_eq!(found.worlds, worlds, "{count}");
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(near(found.probability, probability), "{found:?}");
        let cut = found.cut.as_ref().map_or(1.0, |c| c.covered);
        assert!(near(cut, covered), "{found:?}");
        assert_eq!(found.cut.is_some(), covered < 1.0);
        assert!(near(found.low, probability * covered), "{found:?}");
        let high = 1.0 - covered * (1.0 - probability);
        assert!(near(found.high, high), "{found:?}");
    }
}

#[test]
fn events_are_weighed_as_the_laws_take_them() {
    // Position, events, P(breach), how many breaches are listed.
    let cases: [(&str, &[&str], f64, usize); 11] = [
        // What is sure but cannot have happened is passed over, whatever came before it.
        (
            START,
            &["0 1 lift w e5", "1 1 touch w e2", "2 1 move w d2d4"],
            1.0,
            1,
        ),
        (
            START,
            &["0 0.98 lift w e5", "1 1 touch w e2", "2 1 move w d2d4"],
            1.0,
            1,
        ),
        // Worlds that are ruled out do not count.
        (
            START,
            &["0 0.5 lift w e5", "1 0.5 touch w e2", "2 1 move w d2d4"],
            0.5,
            1,
        ),
        // What was put right is no breach; what is left to the arbiter's discretion is listed.
        (
            START,
            &["0 1 touch w e2", "1 1 move w d2d4", "2 1 takeback w"],
            0.0,
            0,
        ),
        (START, &["0 1 touch b g8", "1 1 move w d2d4"], 0.0, 1),
        // An announcement in unknown order came before or after the touch.
        (
            START,
            &["0 1 touch w e2", "0 1 adjust w", "1 1 move w d2d4"],
            0.5,
            1,
        ),
        // King and rook that were only brushed are no castling.
        (
            CASTLE,
            &["0 1 touch w h1 acc", "0 1 touch w e1", "1 1 move w e1f1"],
            0.0,
            0,
        ),
        (
            CASTLE,
            &["0 1 touch w h1", "0 1 touch w e1", "1 1 move w e1f1"],
            1.0,
            1,
        ),
        // King and another piece: either may have been first.
        (
            CASTLE,
            &["0 1 touch w d2", "0 1 touch w e1", "1 1 move w e1f1"],
            0.5,
            1,
        ),
        // King and rook taken up together.
        (
            CASTLE,
            &[
                "0 1 lift w h1",
                "0 1 lift w e1",
                "1 1 release w g1",
                "2 1 release w f1",
            ],
            0.0,
            0,
        ),
        // An enemy piece in unknown order with both comes after them.
        (
            "4k3/8/8/8/8/8/8/3bK2R w K - 0 1",
            &[
                "0 1 touch w d1",
                "0 1 touch w h1",
                "0 1 touch w e1",
                "1 1 move w e1d1",
            ],
            1.0,
            1,
        ),
    ];
    for (fen, lines, probability, breaches) in cases {
        let found = weighed(fen, Edition::Fide2023, lines);
        let near = (found.probability - probability).abs() < 1e-9;
        assert!(near, "{lines:?}: {found:?}");
        assert_eq!(found.breaches.len(), breaches, "{lines:?}: {found:?}");
    }
}
