//! The editions of the Laws as data: article numbers and switches, one constant per edition.
//!
//! A rule differs between editions only through [`Laws`]; the code asks it and never the edition.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// An edition of the Laws of Chess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Edition {
    /// FIDE Laws of Chess in force since 1 January 2023.
    Fide2023,
}

/// An edition's name that is not known.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown edition of the Laws: {name:?} (known: fide-2023)")]
pub struct UnknownEdition {
    /// The name as given.
    pub name: String,
}

impl Edition {
    /// Every edition there is.
    pub const ALL: [Self; 1] = [Self::Fide2023];

    /// The edition's name, as in `fide-2023`.
    pub const fn as_str(self) -> &'static str {
        self.laws().name
    }

    /// What this edition says.
    pub(crate) const fn laws(self) -> &'static Laws {
        match self {
            Self::Fide2023 => &FIDE_2023,
        }
    }

    /// The number of the article that holds a clause in this edition.
    pub fn article(self, clause: Clause) -> &'static str {
        self.laws()
            .articles
            .iter()
            .find(|(c, _)| *c == clause)
            .map_or("", |(_, article)| article)
    }
}

impl FromStr for Edition {
    type Err = UnknownEdition;

    /// Accepts `fide-2023` and the tag `FIDE2023`, in any case.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let plain = |s: &str| s.replace('-', "").to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|e| plain(e.as_str()) == plain(name))
            .ok_or_else(|| UnknownEdition {
                name: name.to_owned(),
            })
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A clause of the Laws, whatever its number in an edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Clause {
    /// Nothing binds.
    Free,
    /// Each move with one hand.
    OneHand,
    /// Adjusting only after saying so, and only by the player who has the move.
    Adjust,
    /// Contact that is neither announced nor clearly accidental counts as intended.
    Intent,
    /// Own piece touched: it must be moved.
    Own,
    /// Enemy piece touched: it must be captured.
    Enemy,
    /// Pieces of both colours touched.
    Both,
    /// King and rook touched: castling with that rook.
    CastleMust,
    /// Rook touched before the king: no castling on that side.
    CastleRookFirst,
    /// Castling attempted that is illegal: another king move.
    CastleIllegal,
    /// The new piece has touched the promotion square: the choice is final.
    PromotionFinal,
    /// None of the touched pieces can be moved or captured.
    NothingMovable,
    /// A released piece stays where it is.
    Release,
    /// The same for a capture, until the victim is off the board.
    ReleaseCapture,
    /// The same for castling, until the rook is released.
    ReleaseCastling,
    /// The same for a promotion, until the new piece is released.
    ReleasePromotion,
    /// The right to claim is lost by touching a piece.
    ClaimLost,
    /// When a player has the move.
    HasMove,
    /// The game ends with checkmate, stalemate or a dead position.
    GameOver,
    /// The clock is pressed with the hand that moved.
    ClockHand,
    /// An illegal move was completed.
    IllegalMove,
    /// A pawn was left on the last rank and the clock pressed.
    PawnLeft,
    /// The clock was pressed and nothing had been moved.
    NothingMoved,
    /// Two hands for one move, and the clock pressed.
    TwoHandsCompleted,
    /// Disturbing the opponent, touching pieces without having the move included.
    Disturbance,
    /// Refusing to comply with the Laws.
    Refusal,
}

/// What one edition says: its numbers and its switches.
#[derive(Debug)]
pub(crate) struct Laws {
    /// Name as printed.
    pub name: &'static str,
    /// Unannounced contact that is evidently only centring is a touch.
    pub centring_binds: bool,
    /// King and rook touched: castling is compulsory if legal.
    pub must_castle: bool,
    /// The choice of a promotion piece is final on contact with the square.
    pub promotion_final_on_contact: bool,
    /// Two hands and a pressed clock are punished as an illegal move.
    pub two_hands_illegal: bool,
    /// A pressed clock with nothing moved is punished as an illegal move.
    pub nothing_moved_illegal: bool,
    /// A pawn left on the last rank becomes a queen on correction.
    pub pawn_left_is_queen: bool,
    /// Mate or stalemate ends the game only if the touch rules were kept.
    pub mate_needs_touch_rules: bool,
    /// Article numbers.
    pub articles: &'static [(Clause, &'static str)],
}

/// FIDE Laws of Chess, 2023.
const FIDE_2023: Laws = Laws {
    name: "fide-2023",
    centring_binds: true,
    must_castle: true,
    promotion_final_on_contact: true,
    two_hands_illegal: true,
    nothing_moved_illegal: true,
    pawn_left_is_queen: true,
    mate_needs_touch_rules: true,
    articles: &[
        (Clause::OneHand, "4.1"),
        (Clause::Adjust, "4.2.1"),
        (Clause::Intent, "4.2.2"),
        (Clause::Own, "4.3.1"),
        (Clause::Enemy, "4.3.2"),
        (Clause::Both, "4.3.3"),
        (Clause::CastleMust, "4.4.1"),
        (Clause::CastleRookFirst, "4.4.2"),
        (Clause::CastleIllegal, "4.4.3"),
        (Clause::PromotionFinal, "4.4.4"),
        (Clause::NothingMovable, "4.5"),
        (Clause::Release, "4.7"),
        (Clause::ReleaseCapture, "4.7.1"),
        (Clause::ReleaseCastling, "4.7.2"),
        (Clause::ReleasePromotion, "4.7.3"),
        (Clause::ClaimLost, "4.8"),
        (Clause::HasMove, "1.3"),
        (Clause::GameOver, "5.1.1"),
        (Clause::ClockHand, "6.2.3"),
        (Clause::IllegalMove, "7.5.1"),
        (Clause::PawnLeft, "7.5.2"),
        (Clause::NothingMoved, "7.5.3"),
        (Clause::TwoHandsCompleted, "7.5.4"),
        (Clause::Disturbance, "11.5"),
        (Clause::Refusal, "11.7"),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_printed() {
        for name in ["fide-2023", "FIDE2023", "FIDE-2023"] {
            assert_eq!(name.parse::<Edition>().unwrap(), Edition::Fide2023);
        }
        assert_eq!(Edition::Fide2023.to_string(), "fide-2023");
        assert!("fide-1066".parse::<Edition>().is_err());
    }

    #[test]
    fn a_clause_has_one_number() {
        for edition in Edition::ALL {
            let articles = edition.laws().articles;
            for (i, (clause, number)) in articles.iter().enumerate() {
                assert!(!number.is_empty());
                assert!(
                    articles[..i].iter().all(|(c, _)| c != clause),
                    "{clause:?} twice"
                );
            }
        }
    }
}
