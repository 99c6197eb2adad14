//! Editions of the Laws: which article says what. Data, to be read beside the texts.

use std::{fmt, str::FromStr};

/// The text of the Laws in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Edition {
    /// FIDE Laws in force from 1 January 2023.
    #[default]
    Fide2023,
}

/// A point of law that a verdict can rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Point {
    /// Moves are made with one hand.
    OneHand,
    /// Adjusting needs notice, and the move.
    Adjust,
    /// Own piece touched.
    Own,
    /// Enemy piece touched.
    Enemy,
    /// Pieces of both colours touched.
    Both,
    /// King and rook touched: castle.
    CastleMust,
    /// Rook touched before the king.
    RookFirst,
    /// Castling is illegal.
    CastleIllegal,
    /// Nothing touched can move.
    Free,
    /// A released piece stays.
    Release,
    /// An illegal move was played.
    Illegal,
    /// A player without the move touches pieces.
    Disturb,
}

/// One row a point, one column an edition.
const ARTICLES: [(Point, &str); 12] = [
    (Point::OneHand, "4.1"),
    (Point::Adjust, "4.2.1"),
    (Point::Own, "4.3.1"),
    (Point::Enemy, "4.3.2"),
    (Point::Both, "4.3.3"),
    (Point::CastleMust, "4.4.1"),
    (Point::RookFirst, "4.4.2"),
    (Point::CastleIllegal, "4.4.3"),
    (Point::Free, "4.5"),
    (Point::Release, "4.7"),
    (Point::Illegal, "7.5.1"),
    (Point::Disturb, "11.5"),
];

impl Edition {
    /// The article of this edition that rules a point.
    #[must_use]
    pub fn article(self, point: Point) -> &'static str {
        match self {
            Self::Fide2023 => ARTICLES
                .iter()
                .find(|row| row.0 == point)
                .map_or("4", |row| row.1),
        }
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fide2023 => "fide-2023",
        })
    }
}

/// A name that is no edition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not an edition of the Laws known here: give fide-2023")]
pub struct UnknownEdition(pub String);

impl FromStr for Edition {
    type Err = UnknownEdition;

    /// Reads `fide-2023` or `FIDE2023`.
    fn from_str(text: &str) -> Result<Self, UnknownEdition> {
        match text
            .to_ascii_lowercase()
            .replace(['-', '_', ' '], "")
            .as_str()
        {
            "fide2023" => Ok(Self::Fide2023),
            _ => Err(UnknownEdition(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        assert_eq!(Edition::Fide2023.to_string().parse(), Ok(Edition::Fide2023));
        assert_eq!("FIDE2023".parse(), Ok(Edition::Fide2023));
        assert!("fide-1887".parse::<Edition>().is_err());
    }
}
