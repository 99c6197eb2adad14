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
    assert!(found.probability.abs() < 1e-9);
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
