//! How a game ends on the board: kings put in its centre say how, by the convention of electronic
//! boards (DGT: "both kings on a light square, e4 and d5: White has won; both on a dark one, d4 and
//! e5: Black; one on each: a draw"). Two kings there stand next to each other, which no legal
//! position has: the sign cannot be mistaken for moves.

use shakmaty::{Board, Color, Role, Square};

use super::{
    belief::Beliefs,
    observation::{content_index, content_piece},
    reading::mismatches,
};
use crate::record::{ResultBy, ResultSign};

/// The squares that mean something.
const CENTRE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];
/// A piece there that is read as something else by this much is no king, nats (of discounted kinds:
/// see `belief.rs`).
const NO_KING: f32 = 0.7;
/// Looks at a square until it is believed.
const LOOKS: u32 = 2;
/// P(this is meant as a sign) when it stands: kings are also put there in play after the game.
const MEANT: f64 = 0.9;

/// Where both kings stand, if in the centre.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kings {
    pub white: Square,
    pub black: Square,
}

impl Kings {
    /// The kings as seen on another board than `board`, where they both stand in the centre: their
    /// own squares are empty, and a man of their colour stands where none of it was.
    pub(super) fn seen(beliefs: &Beliefs, board: &Board) -> Option<Self> {
        let homes = [board.king_of(Color::White)?, board.king_of(Color::Black)?];
        let pairs = CENTRE
            .into_iter()
            .flat_map(|w| CENTRE.map(|b| (w, b)))
            .filter(|(w, b)| w != b && [*w, *b] != homes);
        let mut fitting = pairs.filter(|(w, b)| {
            let stands = |s: Square, home: Square, color: Color| {
                s == home && shows(beliefs, s, color) || arrived(beliefs, board, s, color)
            };
            let left = |home: Square| {
                [*w, *b].contains(&home)
                    || beliefs.of(home).in_view() && beliefs.of(home).best() == 0
            };
            stands(*w, homes[0], Color::White)
                && stands(*b, homes[1], Color::Black)
                && homes.iter().all(|h| left(*h))
        });
        let found = fitting.next().map(|(white, black)| Self { white, black })?;
        // Read as kings, or nothing else on the board is out of place.
        let king = |square: Square, color: Color| {
            let piece = Role::King.of(color);
            beliefs.of(square).surprise(content_index(Some(piece))) < NO_KING
        };
        let mut with_kings = board.clone();
        for home in homes {
            with_kings.discard_piece_at(home);
        }
        with_kings.set_piece_at(found.white, Role::King.of(Color::White));
        with_kings.set_piece_at(found.black, Role::King.of(Color::Black));
        let both = king(found.white, Color::White) && king(found.black, Color::Black);
        (both || mismatches(beliefs, &with_kings).is_empty()).then_some(found)
    }

    /// What they say.
    pub(super) fn sign(self, ms: f64) -> ResultSign {
        let result = match (self.white.is_light(), self.black.is_light()) {
            (true, true) => "1-0",
            (false, false) => "0-1",
            _ => "1/2-1/2",
        };
        ResultSign {
            ms,
            result: result.to_owned(),
            by: ResultBy::KingsInTheCentre,
            white_king: self.white.to_string(),
            black_king: self.black.to_string(),
            probability: MEANT,
        }
    }

    /// Whether a king of these stands on a square.
    pub(super) fn on(self, square: Square) -> bool {
        square == self.white || square == self.black
    }
}

fn shows(beliefs: &Beliefs, square: Square, color: Color) -> bool {
    let belief = beliefs.of(square);
    belief.in_view()
        && belief.looks >= LOOKS
        && content_piece(belief.best()).is_some_and(|p| p.color == color)
}

/// A man of a colour stands where `board` has none of it, or a king where it has something else.
fn arrived(beliefs: &Beliefs, board: &Board, square: Square, color: Color) -> bool {
    let king = Role::King.of(color);
    let is_king = content_piece(beliefs.of(square).best()) == Some(king);
    shows(beliefs, square, color)
        && (board.color_at(square) != Some(color)
            || is_king && board.piece_at(square) != Some(king))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kings_say_who_won() {
        for (white, black, want) in [
            (Square::E4, Square::D5, "1-0"),
            (Square::D5, Square::E4, "1-0"),
            (Square::D4, Square::E5, "0-1"),
            (Square::E4, Square::E5, "1/2-1/2"),
            (Square::D4, Square::D5, "1/2-1/2"),
        ] {
            assert_eq!(
                Kings { white, black }.sign(0.0).result,
                want,
                "{white} {black}"
            );
        }
    }
}
