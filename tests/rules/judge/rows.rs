//! Turns as rows: a position, events, what was played, and the incidents.

use super::{ITALIAN, START, short, turn};

pub const TWO_TAKE: &str = "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1";
const NO_KING_MOVE: &str = "3rk2r/p1p2ppp/bpn2n2/8/8/2N5/PPP2PPP/R3K2R w KQk - 0 1";
pub const PROMOTES: &str = "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1";

/// A position, events, what was played, and the incidents.
pub type Row<'a> = (
    &'a str,
    &'a [&'a str],
    Option<(&'a str, i64)>,
    &'a [&'a str],
);

pub fn check(rows: &[Row]) {
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
pub const E4: Option<(&str, i64)> = Some(("e2e4", 40));

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
        // Contacts are known: from the first event of the one that carried the piece.
        (
            TWO_TAKE,
            &[
                "10 1 r touch w d5",
                "20 2 r lift w c4",
                "30 2 r release w c5",
            ],
            played,
            &["30 touch_move 4.3.2 1 c4d5 e4d5"],
        ),
        // No release was read: from the last touch of the piece, or all of them.
        (
            TWO_TAKE,
            &["5 - - null w", "10 1 r touch w d5", "15 2 r touch w c4"],
            played,
            &["30 touch_move 4.3.2 1 c4d5 e4d5"],
        ),
        (
            TWO_TAKE,
            &[
                "10 1 r touch w d5",
                "15 2 r touch w c4",
                "17 3 r touch w e4",
            ],
            played,
            &["30 touch_move 4.3.2 1 c4d5 e4d5"],
        ),
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
        // What is no move fixes nothing, nor does a rook let go on the way to castling; another
        // move of the rook does.
        (
            ITALIAN,
            &[
                "10 1 r lift w b1",
                "20 1 r release w b3",
                "30 2 r lift w b3",
                "40 2 r release w c3",
            ],
            Some(("b1c3", 40)),
            &[],
        ),
        (
            ITALIAN,
            &[
                "10 1 r lift w h1",
                "20 1 r release w f1",
                "30 2 r lift w f1",
                "40 2 r release w g1",
            ],
            Some(("h1g1", 50)),
            &["40 move_changed_after_release 4.7 1 h1f1"],
        ),
        (
            ITALIAN,
            &[
                "10 1 r lift w h1",
                "20 1 r release w g1",
                "30 2 r lift w g1",
                "40 2 r release w f1",
                "50 3 r lift w e1",
                "60 3 r release w g1",
            ],
            Some(("e1g1", 60)),
            &[
                "40 move_changed_after_release 4.7 1 h1g1",
                "60 castling_rook_first 4.4.2 1 h1f1 h1g1",
            ],
        ),
        // A new piece binds only the pawn that is promoted.
        (
            PROMOTES,
            &[
                "10 1 r place w e8 Q",
                "20 2 r lift w a1",
                "30 2 r release w a2",
            ],
            Some(("a1a2", 30)),
            &[],
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
