//! Turns as a camera reads them, judged.

use adoube::rules::{
    Edition, Hand, Incident, IncidentKind, Played, TimedEvent, TurnRecord, judge, parse_fen,
};
use shakmaty::Position;
use shakmaty::uci::UciMove;

mod pieces;
mod rows;

const ITALIAN: &str = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 6 5";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A turn from lines `ms contact hand event`; `-` for an unknown contact or hand.
fn turn(fen: &str, lines: &[&str], played: Option<(&str, i64)>) -> Vec<Incident> {
    let position = parse_fen(fen).unwrap();
    let player = position.turn();
    let events = lines.iter().map(|line| {
        let mut words = line.splitn(4, ' ');
        let mut word = || words.next().unwrap();
        TimedEvent {
            ms: word().parse().unwrap(),
            contact: word().parse().ok(),
            hand: match word() {
                "l" => Some(Hand::Left),
                "r" => Some(Hand::Right),
                _ => None,
            },
            event: word().parse().unwrap(),
        }
    });
    let played = played.map_or(Played::None, |(text, made_ms)| {
        let uci: UciMove = text.parse().unwrap();
        match (uci.to_move(&position), uci) {
            (Ok(mv), _) => Played::Legal { mv, made_ms },
            (Err(_), UciMove::Normal { from, to, .. }) => Played::Illegal { from, to, made_ms },
            _ => panic!("not a move: {text}"),
        }
    });
    let record = TurnRecord {
        events: events.collect(),
        position,
        player,
        played,
    };
    judge(Edition::Fide2023, &record)
}

fn short(found: &[Incident]) -> Vec<String> {
    let line = |i: &Incident| {
        let moves: Vec<String> = i.obliged.iter().map(ToString::to_string).collect();
        assert!(!i.explanation.is_empty());
        let contact = i.contact.map_or("-".to_owned(), |c| c.to_string());
        format!(
            "{} {} {} {contact} {}",
            i.ms,
            i.kind,
            i.article,
            moves.join(" ")
        )
        .trim_end()
        .into()
    };
    found.iter().map(line).collect()
}

#[test]
fn clean_turns_have_no_incident() {
    let none = Vec::<String>::new();
    let same_piece = [
        "10 1 r touch w b1",
        "20 1 r release w b1",
        "30 2 r touch w b1",
        "31 2 r lift w b1",
        "40 2 r release w c3",
    ];
    assert_eq!(short(&turn(START, &same_piece, Some(("b1c3", 40)))), none);
    let immobile = [
        "10 1 r touch w a1",
        "20 1 r release w a1",
        "31 2 r lift w b1",
        "40 2 r release w c3",
    ];
    assert_eq!(short(&turn(START, &immobile, Some(("b1c3", 40)))), none);
    let castle = [
        "10 1 r touch w e1",
        "11 1 r lift w e1",
        "20 1 r release w g1",
        "30 2 r touch w h1",
        "31 2 r lift w h1",
        "40 2 r release w f1",
    ];
    assert_eq!(short(&turn(ITALIAN, &castle, Some(("e1g1", 40)))), none);
    let at_once = [
        "10 - r touch w e1,h1",
        "11 1 r lift w e1",
        "12 2 r lift w h1",
        "20 2 r release w f1",
        "21 1 r release w g1",
    ];
    assert_eq!(short(&turn(ITALIAN, &at_once, Some(("e1g1", 21)))), none);
    let brush = [
        "5 1 r touch w d2 acc",
        "6 1 r release w d2",
        "10 2 r touch w e1",
        "11 2 r lift w e1",
        "20 2 r release w f1",
    ];
    assert_eq!(short(&turn(ITALIAN, &brush, Some(("e1f1", 20)))), none);
    let ep = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
    let removed_last = [
        "10 1 r lift w e5",
        "20 1 r release w d6",
        "30 2 r remove w d5",
        "40 2 r release w d5",
    ];
    assert_eq!(short(&turn(ep, &removed_last, Some(("e5d6", 40)))), none);
    let removed_first = [
        "10 1 r remove w d5",
        "20 2 r lift w e5",
        "30 2 r release w d6",
    ];
    assert_eq!(short(&turn(ep, &removed_first, Some(("e5d6", 30)))), none);
    let queen = "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1";
    let pawn_first = [
        "10 1 r lift w e7",
        "20 1 r release w e8",
        "30 2 r remove w e8",
        "40 3 r place w e8 Q",
        "41 3 r release w e8 Q",
    ];
    assert_eq!(short(&turn(queen, &pawn_first, Some(("e7e8q", 41)))), none);
    let piece_first = [
        "10 3 r place w e8 Q",
        "11 3 r release w e8 Q",
        "30 2 r remove w e7",
    ];
    assert_eq!(short(&turn(queen, &piece_first, Some(("e7e8q", 30)))), none);
    let takes = [
        "5 1 r remove w d8",
        "10 2 r remove w e7",
        "40 3 r place w d8 N",
        "41 3 r release w d8 N",
    ];
    assert_eq!(short(&turn(queen, &takes, Some(("e7d8n", 41)))), none);
}

#[test]
fn adjusting_is_judged_by_its_announcement() {
    let said = [
        "1 - - adjust w",
        "5 1 r touch w g1 centre",
        "9 1 r release w g1",
        "9 - - endadj w",
        "30 2 r lift w e2",
        "40 2 r release w e4",
    ];
    assert_eq!(
        short(&turn(START, &said, Some(("e2e4", 40)))),
        Vec::<String>::new()
    );
    let late = [
        "5 1 r touch w a1 centre",
        "6 - - adjust w",
        "9 1 r release w a1",
        "9 - - endadj w",
        "30 2 r lift w e2",
        "40 2 r release w e4",
    ];
    let found = turn(START, &late, Some(("e2e4", 40)));
    assert_eq!(short(&found), ["9 adjust_without_notice 4.2.1 1"]);
    let other = ["1 - - adjust b", "5 1 r touch b g8", "9 1 r release b g8"];
    assert_eq!(
        short(&turn(START, &other, None)),
        ["9 adjust_out_of_turn 4.2.1 1"]
    );
}

#[test]
fn touching_out_of_turn_is_shown_once() {
    let events = ["5 1 r touch b g8", "6 1 r lift b g8", "9 1 r release b g8"];
    assert_eq!(
        short(&turn(START, &events, None)),
        ["5 touch_by_opponent 11.5 1"]
    );
    let brush = ["5 1 r touch b g8 acc", "9 1 r release b g8"];
    assert_eq!(short(&turn(START, &brush, None)), Vec::<String>::new());
}

#[test]
fn breaches_are_found() {
    let rook_first = [
        "10 1 r touch w h1",
        "11 1 r lift w h1",
        "20 1 r release w f1",
        "30 2 r touch w e1",
        "31 2 r lift w e1",
        "40 2 r release w g1",
    ];
    let found = turn(ITALIAN, &rook_first, Some(("e1g1", 45)));
    assert_eq!(short(&found), ["40 castling_rook_first 4.4.2 1 h1f1 h1g1"]);
    let short_king = [
        "10 1 r lift w e1",
        "20 1 r release w f1",
        "30 2 r lift w f1",
        "40 2 r release w g1",
        "50 3 r lift w h1",
        "60 3 r release w f1",
    ];
    let found = turn(ITALIAN, &short_king, Some(("e1g1", 60)));
    assert_eq!(short(&found), ["40 move_changed_after_release 4.7 1 e1f1"]);
    let illegal = [
        "10 1 r touch w b1",
        "11 1 r lift w b1",
        "20 1 r release w d3",
    ];
    let found = turn(START, &illegal, Some(("b1d3", 20)));
    assert_eq!(short(&found), ["20 illegal_move 7.5.1 1 b1a3 b1c3"]);
    let via = [
        "10 1 r touch w c4",
        "11 1 r lift w c4",
        "15 2 r touch w d5 via",
        "20 1 r release w c5",
    ];
    let found = turn(
        "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1",
        &via,
        Some(("c4c5", 20)),
    );
    assert_eq!(short(&found), ["20 touch_move 4.3.3 2 c4d5"]);
    let swapped = [
        "10 1 r remove w e7",
        "20 2 r place w e8 Q",
        "30 3 r place w e8 R",
        "31 3 r release w e8 R",
    ];
    let found = turn(
        "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1",
        &swapped,
        Some(("e7e8r", 31)),
    );
    assert_eq!(
        short(&found),
        ["31 move_changed_after_release 4.4.4 2 e7e8q"]
    );
    let hands = [
        "10 1 l remove w d5",
        "20 2 r lift w c4",
        "30 2 r release w d5",
    ];
    let found = turn(
        "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1",
        &hands,
        Some(("c4d5", 30)),
    );
    assert_eq!(short(&found), ["20 two_hands 4.1 2"]);
}

#[test]
fn kinds_are_those_of_the_format() {
    assert_eq!(
        IncidentKind::CastlingRookFirst.to_string(),
        "castling_rook_first"
    );
}
