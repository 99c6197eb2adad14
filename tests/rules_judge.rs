//! Turns as a camera reads them, judged.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use adoube::rules::{
    Edition, Hand, Incident, IncidentKind, Played, TimedEvent, TurnRecord, judge, parse_fen,
};
use shakmaty::Position;
use shakmaty::uci::UciMove;

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

const TWO_TAKE: &str = "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1";
const NO_KING_MOVE: &str = "3rk2r/p1p2ppp/bpn2n2/8/8/2N5/PPP2PPP/R3K2R w KQk - 0 1";
const PROMOTES: &str = "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1";

/// A position, events, what was played, and the incidents.
type Row<'a> = (
    &'a str,
    &'a [&'a str],
    Option<(&'a str, i64)>,
    &'a [&'a str],
);

fn check(rows: &[Row]) {
    let mut wrong = Vec::new();
    for (fen, lines, played, wanted) in rows {
        let found = short(&turn(fen, lines, *played));
        if found != *wanted {
            wrong.push(format!(
                "{lines:?}\n   wanted {wanted:?}\n   found  {found:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// White's pawn goes to e4.
const E4: Option<(&str, i64)> = Some(("e2e4", 40));

#[test]
fn an_announcement_is_the_players_own() {
    let centred = ["5 1 r touch w a1 centre", "9 1 r release w a1"];
    let moved = ["30 2 r lift w e2", "40 2 r release w e4"];
    let without = ["9 adjust_without_notice 4.2.1 1"];
    let cases: [(&[&str], &[&str]); 5] = [
        (&["1 - - adjust b"], &without),
        (&["1 - - adjust w"], &[]),
        (&["1 - - adjust w", "2 - - endadj b"], &[]),
        (&["1 - - adjust w", "2 - - endadj w"], &without),
        (&["1 - - adjust b", "2 - - endadj w"], &without),
    ];
    for (words, wanted) in cases {
        let lines = [words, &centred[..], &moved[..]].concat();
        check(&[(START, &lines, E4, wanted)]);
    }
    // A piece that is taken up while adjusting is not touched; without an announcement it is.
    let taken_up = ["5 1 r lift w g1", "9 1 r return w", "10 - - endadj w"];
    let lines = [&["1 - - adjust w"][..], &taken_up[..], &moved[..]].concat();
    check(&[(START, &lines, E4, &[])]);
    let lines = [&taken_up[..], &moved[..]].concat();
    check(&[(START, &lines, E4, &["40 touch_move 4.3.1 1 g1f3 g1h3"])]);
    // Where the contact is not known, the touch itself is all that is known.
    let lines = [
        &["5 - r touch w a1 centre", "9 - r release w a1"][..],
        &moved[..],
    ]
    .concat();
    check(&[(START, &lines, E4, &["5 adjust_without_notice 4.2.1 -"])]);
}

#[test]
fn touches_without_the_move_are_shown() {
    check(&[
        // One a contact; where contacts are not known, each.
        (
            START,
            &[
                "5 1 r touch b g8",
                "9 1 r release b g8",
                "15 2 r touch b b8",
            ],
            None,
            &["5 touch_by_opponent 11.5 1", "15 touch_by_opponent 11.5 2"],
        ),
        (
            START,
            &["5 - r touch b g8", "6 - r touch b b8"],
            None,
            &["5 touch_by_opponent 11.5 -", "6 touch_by_opponent 11.5 -"],
        ),
        (
            START,
            &["5 1 r remove b e2"],
            None,
            &["5 touch_by_opponent 11.5 1"],
        ),
        // Centring by the opponent, without a word, is adjusting out of turn, and only that.
        (
            START,
            &["5 1 r touch b g8 centre", "9 1 r release b g8"],
            None,
            &["9 adjust_out_of_turn 4.2.1 1"],
        ),
        // What the opponent touches binds nobody, be it the piece that is moved.
        (
            START,
            &[
                "5 1 r touch b d2",
                "30 2 r lift w e2",
                "40 2 r release w e4",
            ],
            E4,
            &["5 touch_by_opponent 11.5 1"],
        ),
        (
            START,
            &[
                "5 1 r touch b e2",
                "30 2 r lift w e2",
                "40 2 r release w e4",
            ],
            E4,
            &["5 touch_by_opponent 11.5 1"],
        ),
        // After the move is made the mover touches out of turn, but for the pieces of that move.
        (
            START,
            &[
                "30 2 r lift w e2",
                "40 2 r release w e4",
                "50 3 r touch w d2",
            ],
            E4,
            &["50 touch_by_opponent 11.5 3"],
        ),
        (
            START,
            &[
                "30 2 r lift w e2",
                "40 2 r release w e4",
                "50 3 r touch w e4",
            ],
            E4,
            &[],
        ),
        (
            START,
            &[
                "30 2 r lift w e2",
                "40 2 r release w e4",
                "50 3 r lift w e4",
            ],
            E4,
            &[],
        ),
        (
            START,
            &[
                "30 2 r lift w e2",
                "40 2 r release w e4",
                "50 3 r touch w e4,d2",
            ],
            E4,
            &["50 touch_by_opponent 11.5 3"],
        ),
        (
            START,
            &[
                "30 2 r lift w e2",
                "40 2 r release w e4",
                "50 3 r touch w d2 acc",
            ],
            E4,
            &[],
        ),
        (
            START,
            &[
                "30 2 r lift w e2",
                "40 2 r release w e4",
                "50 3 r touch w d2 centre",
            ],
            E4,
            &["50 adjust_out_of_turn 4.2.1 3"],
        ),
    ]);
}

#[test]
fn what_bound_before_the_piece_was_taken_up_is_asked_first() {
    let played = Some(("c4c5", 30));
    let free_choice = "30 touch_move 4.3.2 - c4d5 e4d5";
    check(&[
        (
            START,
            &[
                "5 1 r touch w g1",
                "9 1 r release w g1",
                "30 2 r lift w e2",
                "40 2 r release w e4",
            ],
            E4,
            &["40 touch_move 4.3.1 1 g1f3 g1h3"],
        ),
        // Contacts are not known: from the last time that the piece was taken up.
        (
            TWO_TAKE,
            &[
                "10 - r touch w d5",
                "20 - r lift w c4",
                "30 - r release w c5",
            ],
            played,
            &[free_choice],
        ),
        (
            TWO_TAKE,
            &[
                "10 - r touch w d5",
                "15 - r touch w c4",
                "20 - r lift w c4",
                "30 - r release w c5",
            ],
            played,
            &[free_choice],
        ),
        (
            TWO_TAKE,
            &[
                "10 - r touch w d5",
                "15 - r touch w e4",
                "20 - r lift w c4",
                "30 - r release w c5",
            ],
            played,
            &["30 touch_move 4.3.3 - e4d5"],
        ),
        // No release was read: from the last touch of the piece, or all of them.
        (
            TWO_TAKE,
            &["10 1 r touch w d5", "15 2 r touch w c4"],
            played,
            &["30 touch_move 4.3.2 1 c4d5 e4d5"],
        ),
        (
            TWO_TAKE,
            &["10 1 r touch w d5"],
            played,
            &["30 touch_move 4.3.2 1 c4d5 e4d5"],
        ),
    ]);
}

#[test]
fn castling_is_read_from_king_and_rook() {
    let touched = [
        "10 1 r touch w h1",
        "11 1 r release w h1",
        "20 2 r touch w e1",
        "21 2 r release w e1",
    ];
    let then = |lines: &[&'static str]| [&touched[..], lines].concat();
    check(&[
        // The rook first: it may move, the king may not.
        (
            ITALIAN,
            &then(&["30 3 r lift w h1", "40 3 r release w g1"]),
            Some(("h1g1", 40)),
            &[],
        ),
        (
            ITALIAN,
            &then(&["30 3 r lift w e1", "40 3 r release w e2"]),
            Some(("e1e2", 40)),
            &["40 touch_move 4.4.2 1 h1f1 h1g1"],
        ),
        // No release of the king was read.
        (
            ITALIAN,
            &[
                "10 1 r touch w h1",
                "11 1 r lift w h1",
                "12 1 r release w f1",
                "30 2 r touch w e1",
            ],
            Some(("e1g1", 45)),
            &["45 castling_rook_first 4.4.2 1 h1f1 h1g1"],
        ),
        // King and rook taken up by contacts that are not known.
        (
            ITALIAN,
            &[
                "10 - r touch w e1,h1",
                "11 - r lift w e1",
                "12 - r lift w h1",
                "20 - r release w f1",
                "21 - r release w g1",
            ],
            Some(("e1g1", 21)),
            &[],
        ),
        // The king let go two squares away castles.
        (
            ITALIAN,
            &[
                "10 1 r lift w e1",
                "20 1 r release w g1",
                "30 2 r lift w g1",
                "40 2 r release w f1",
            ],
            Some(("e1f1", 40)),
            &["40 move_changed_after_release 4.7.2 1 e1g1"],
        ),
        // By both hands.
        (
            ITALIAN,
            &[
                "10 1 l lift w e1",
                "12 2 r lift w h1",
                "20 1 l release w g1",
                "21 2 r release w f1",
            ],
            Some(("e1g1", 21)),
            &["12 two_hands 4.1 2"],
        ),
        // Castling that is illegal frees a king that cannot move, whatever was touched after it.
        (
            NO_KING_MOVE,
            &[
                "5 1 r touch w e1",
                "8 2 r touch w a2",
                "10 3 r lift w e1",
                "20 3 r release w g1",
            ],
            Some(("e1g1", 20)),
            &["20 illegal_move 7.5.1 -"],
        ),
    ]);
}

#[test]
fn a_move_that_is_changed_is_judged_by_what_was_let_go() {
    check(&[
        // A capture whose victim still stood, and one whose victim was off.
        (
            TWO_TAKE,
            &[
                "10 1 r lift w c4",
                "20 1 r release w d5",
                "30 2 r lift w d5",
                "40 2 r release w c5",
            ],
            Some(("c4c5", 40)),
            &["40 move_changed_after_release 4.7.1 1 c4d5"],
        ),
        (
            TWO_TAKE,
            &[
                "5 3 r remove w d5",
                "10 1 r lift w c4",
                "20 1 r release w d5",
                "30 2 r lift w d5",
                "40 2 r release w c5",
            ],
            Some(("c4c5", 40)),
            &[
                "40 move_changed_after_release 4.7 1 c4d5",
                "40 touch_move 4.3.3 1 c4d5",
            ],
        ),
        // A pawn let go on the last rank has its square.
        (
            PROMOTES,
            &[
                "10 1 r lift w e7",
                "20 1 r release w e8",
                "30 2 r lift w e8",
                "35 3 r remove w d8",
                "40 2 r release w d8",
                "50 4 r place w d8 Q",
                "60 4 r release w d8 Q",
            ],
            Some(("e7d8q", 60)),
            &["40 move_changed_after_release 4.7.3 1 e7e8b e7e8n e7e8q e7e8r"],
        ),
    ]);
}

#[test]
fn two_hands_are_those_that_lift_pieces_of_the_move() {
    let played = Some(("c4d5", 30));
    check(&[
        (
            TWO_TAKE,
            &[
                "10 1 l touch w d5",
                "15 2 r remove w d5",
                "20 2 r lift w c4",
                "30 2 r release w d5",
            ],
            played,
            &[],
        ),
        (
            TWO_TAKE,
            &[
                "10 1 - remove w d5",
                "20 2 r lift w c4",
                "30 2 r release w d5",
            ],
            played,
            &[],
        ),
        (
            TWO_TAKE,
            &[
                "10 1 l remove w d5",
                "20 1 r lift w c4",
                "30 1 r release w d5",
            ],
            played,
            &[],
        ),
        (
            TWO_TAKE,
            &[
                "10 - l remove w d5",
                "20 - r lift w c4",
                "30 - r release w d5",
            ],
            played,
            &["20 two_hands 4.1 -"],
        ),
        // A piece that has no part in the move.
        (
            TWO_TAKE,
            &[
                "8 3 l lift w e4",
                "9 3 l return w",
                "20 2 r lift w c4",
                "30 2 r release w c5",
            ],
            Some(("c4c5", 30)),
            &["30 touch_move 4.3.1 3 e4d5 e4e5"],
        ),
    ]);
}

#[test]
fn kinds_are_those_of_the_format() {
    assert_eq!(
        IncidentKind::CastlingRookFirst.to_string(),
        "castling_rook_first"
    );
}
