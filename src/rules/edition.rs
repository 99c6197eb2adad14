//! The editions of the Laws, and the clauses that they number differently.
//!
//! What an edition says stands in [`super::table`]; the rest of the code asks the table and never
//! the edition.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::table::{self, Row};

/// An edition of the Laws of Chess.
///
/// ```
/// use adoube::rules::{Clause, Edition};
/// let edition: Edition = "fide-2014".parse().unwrap();
/// assert_eq!(edition.article(Clause::Own), "4.3(a)");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Edition {
    /// FIDE Laws of 1997, English text.
    Fide1997,
    /// FIDE Laws of 1997, German text, which has no duty to castle.
    Fide1997De,
    /// FIDE Laws of 2001.
    Fide2001,
    /// FIDE Laws of 2005.
    Fide2005,
    /// FIDE Laws of 2009.
    Fide2009,
    /// FIDE Laws of 2014.
    Fide2014,
    /// FIDE Laws in force from 1 July to 31 December 2017.
    Fide2017,
    /// FIDE Laws of 2018 to 2022.
    Fide2018,
    /// FIDE Laws of Chess in force since 1 January 2023.
    Fide2023,
    /// US Chess Federation's Official Rules, 7th edition.
    Uscf7,
    /// The same, with the announced variation on castling rook first.
    Uscf7V,
}

/// An edition's name that is not known.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown edition of the Laws: {name:?} (known: {})", table::NAMES.cells().join(", "))]
pub struct UnknownEdition {
    /// The name as given.
    pub name: String,
}

impl Edition {
    /// Every edition there is, oldest first.
    ///
    /// ```
    /// assert_eq!(adoube::rules::Edition::ALL.len(), 11);
    /// ```
    pub const ALL: [Self; 11] = [
        Self::Fide1997,
        Self::Fide1997De,
        Self::Fide2001,
        Self::Fide2005,
        Self::Fide2009,
        Self::Fide2014,
        Self::Fide2017,
        Self::Fide2018,
        Self::Fide2023,
        Self::Uscf7,
        Self::Uscf7V,
    ];

    /// The edition's name, as in `fide-2023`.
    ///
    /// ```
    /// assert_eq!(adoube::rules::Edition::Uscf7V.as_str(), "uscf-7v");
    /// ```
    pub const fn as_str(self) -> &'static str {
        table::NAMES.at(self)
    }

    /// The edition's tag in case files, as in `FIDE2023`.
    ///
    /// ```
    /// assert_eq!(adoube::rules::Edition::Fide1997De.tag(), "FIDE1997DE");
    /// ```
    pub fn tag(self) -> String {
        self.as_str().replace('-', "").to_ascii_uppercase()
    }

    /// The number of the article that holds a clause in this edition; empty where none does.
    ///
    /// ```
    /// use adoube::rules::{Clause, Edition};
    /// assert_eq!(Edition::Fide2023.article(Clause::CastleMust), "4.4.1");
    /// assert_eq!(Edition::Fide1997De.article(Clause::CastleMust), "");
    /// ```
    pub fn article(self, clause: Clause) -> &'static str {
        table::ARTICLES
            .iter()
            .find(|(c, _)| *c == clause)
            .map_or("", |(_, numbers): &(Clause, Row<&'static str>)| {
                numbers.at(self)
            })
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
    /// What is contact by intent, and what is an accident.
    Intent,
    /// Contact that was not announced and is evidently only centring.
    Centring,
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
    /// An illegal move that was not noticed in time stands (rapid and blitz).
    IllegalStands,
    /// A pawn was left on the last rank and the clock pressed.
    PawnLeft,
    /// The clock was pressed and nothing had been moved.
    NothingMoved,
    /// Two hands for one move, and the clock pressed.
    TwoHandsCompleted,
    /// Pieces were displaced.
    Displaced,
    /// Disturbing the opponent, touching pieces without having the move included.
    Disturbance,
    /// Refusing to comply with the Laws.
    Refusal,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_printed() {
        for name in ["fide-2023", "FIDE2023", "FIDE-2023"] {
            assert_eq!(name.parse::<Edition>().unwrap(), Edition::Fide2023);
        }
        for edition in Edition::ALL {
            assert_eq!(edition.to_string().parse(), Ok(edition));
            assert_eq!(edition.tag().parse(), Ok(edition));
        }
        let error = "fide-1066".parse::<Edition>().unwrap_err().to_string();
        assert!(error.contains("fide-1997de"), "{error}");
    }
}
