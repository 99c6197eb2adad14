//! Which piece is held, let go, or fixed by what was let go, as rows.

use super::rows::{E4, PROMOTES, TWO_TAKE, check};
use super::{ITALIAN, START};

#[test]
fn pieces_are_followed_where_contacts_are_not_known() {
    let announced = ["1 - - adjust w"];
    let with = |lines: &[&'static str]| [&announced[..], lines].concat();
    check(&[
        // What was put back is not let go again.
        (
            TWO_TAKE,
            &with(&[
                "2 - r lift w c4",
                "3 - r return w",
                "4 - - endadj w",
                "10 - r remove w d5",
                "20 - r lift w e4",
                "30 - r release w d5",
            ]),
            Some(("e4d5", 30)),
            &[],
        ),
        // Of two held pieces the one that can get there is let go.
        (
            START,
            &with(&[
                "2 - l lift w b1",
                "3 - - endadj w",
                "10 - r lift w g1",
                "20 - r release w f3",
                "30 - r lift w f3",
                "40 - r release w h3",
            ]),
            Some(("g1h3", 40)),
            &["40 move_changed_after_release 4.7 - g1f3"],
        ),
        // The king, not the rook, goes to the king's square.
        (
            ITALIAN,
            &[
                "10 - r touch w e1,h1",
                "11 - r lift w h1",
                "12 - r lift w e1",
                "20 - r release w g1",
                "21 - r release w f1",
            ],
            Some(("e1g1", 21)),
            &[],
        ),
        // A castled king is a piece of the move, to be touched after it.
        (
            ITALIAN,
            &[
                "10 1 r lift w e1",
                "20 1 r release w g1",
                "30 2 r lift w h1",
                "40 2 r release w f1",
                "50 3 r touch w g1",
            ],
            Some(("e1g1", 40)),
            &[],
        ),
        // A piece that stands where it may not is still the one that was touched, whatever
        // else is taken up or off meanwhile.
        (
            TWO_TAKE,
            &[
                "10 1 r touch w d5",
                "20 2 r lift w c4",
                "21 2 r release w c6",
                "22 3 r lift w e4",
                "23 3 r return w",
                "30 4 r lift w c6",
                "40 4 r release w c5",
            ],
            Some(("c4c5", 40)),
            &["40 touch_move 4.3.3 2 c4d5"],
        ),
        (
            TWO_TAKE,
            &[
                "10 1 r touch w d5",
                "20 2 r lift w c4",
                "21 2 r release w c6",
                "22 3 r remove w e4",
                "30 4 r lift w c6",
                "40 4 r release w c5",
            ],
            Some(("c4c5", 40)),
            &["40 touch_move 4.3.3 2 c4d5"],
        ),
        // Touched twice by contacts of its own: what came between the first and the move binds.
        (
            TWO_TAKE,
            &[
                "10 1 r touch w d5",
                "15 2 r touch w c4",
                "17 3 r touch w c4",
            ],
            Some(("c4c5", 30)),
            &["30 touch_move 4.3.2 1 c4d5 e4d5"],
        ),
        // A pawn that is taken off to be promoted is touched.
        (
            PROMOTES,
            &[
                "10 1 r remove w e7",
                "20 2 r lift w a1",
                "30 2 r release w a2",
            ],
            Some(("a1a2", 30)),
            &["30 touch_move 4.3.1 1 e7d8b e7d8n e7d8q e7d8r e7e8b e7e8n e7e8q e7e8r"],
        ),
    ]);
}

#[test]
fn what_was_let_go_first_stays_fixed() {
    let queen = ["10 1 r remove w e7", "20 2 r place w e8 Q"];
    let then = |lines: &[&'static str]| [&queen[..], lines].concat();
    check(&[
        (
            START,
            &[
                "10 1 r lift w e2",
                "20 1 r release w e4",
                "30 2 r lift w e4",
                "35 2 r release w e3",
                "36 3 r lift w e3",
                "40 3 r release w e4",
            ],
            E4,
            &[],
        ),
        (
            PROMOTES,
            &then(&["30 3 r place w e8 R", "40 4 r place w e8 Q"]),
            Some(("e7e8q", 40)),
            &[],
        ),
        // A new piece put on another square first.
        (
            PROMOTES,
            &[
                "5 1 r place w d7 Q",
                "10 1 r remove w e7",
                "20 2 r place w e8 Q",
                "30 3 r place w e8 R",
            ],
            Some(("e7e8r", 30)),
            &["30 move_changed_after_release 4.4.4 2 e7e8q"],
        ),
        // The pawn had its square, and its piece had it too.
        (
            PROMOTES,
            &[
                "10 1 r lift w e7",
                "20 1 r release w e8",
                "25 2 r place w e8 Q",
                "30 3 r place w e8 R",
            ],
            Some(("e7e8r", 30)),
            &["30 move_changed_after_release 4.4.4 2 e7e8q"],
        ),
    ]);
}
