//! Under what rules a game is judged: the edition, the kind of game, the supervision, and how the
//! points are read that the texts leave open.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::edition::Edition;
use super::table::{self, Centring, ClaimScope, LosesClaim, Penalty};

/// The kind of game by its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TimeControl {
    /// Standard chess.
    #[default]
    Standard,
    /// Rapid chess.
    Rapid,
    /// Blitz.
    Blitz,
}

/// A kind of game that is not known.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown kind of game: {name:?} (known: standard, rapid, blitz)")]
pub struct UnknownTimeControl {
    /// The name as given.
    pub name: String,
}

impl TimeControl {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Standard, Self::Rapid, Self::Blitz];

    /// As `standard`, `rapid`, `blitz`.
    ///
    /// ```
    /// assert_eq!(adoube::rules::TimeControl::Rapid.as_str(), "rapid");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Rapid => "rapid",
            Self::Blitz => "blitz",
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for TimeControl {
    type Err = UnknownTimeControl;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|t| t.as_str() == name)
            .ok_or_else(|| UnknownTimeControl {
                name: name.to_owned(),
            })
    }
}

/// Whether there are arbiters enough to watch the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Supervision {
    /// As in standard chess.
    #[default]
    Full,
    /// One arbiter for many games.
    Limited,
}

/// A kind of supervision that is not known.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown supervision: {name:?} (known: full, limited)")]
pub struct UnknownSupervision {
    /// The name as given.
    pub name: String,
}

impl FromStr for Supervision {
    type Err = UnknownSupervision;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "full" => Ok(Self::Full),
            "limited" => Ok(Self::Limited),
            _ => Err(UnknownSupervision {
                name: name.to_owned(),
            }),
        }
    }
}

/// What stands in a made move's way when two own pieces were touched at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AtOnce {
    /// Either may be moved, and a person should look.
    #[default]
    EitherReviewed,
    /// Either may be moved.
    Either,
}

/// Several pieces of both colours before 2017, whose texts speak of one piece of each colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Several {
    /// As since 2017: the first own piece takes the first enemy piece.
    #[default]
    FirstPair,
    /// By the letter: one of each colour only; otherwise the first piece that can.
    FirstPiece,
}

/// A king touched, and then both rooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BothRooks {
    /// Castling with the rook that was touched first.
    #[default]
    First,
    /// With either.
    Either,
}

/// The clock pressed with a castled king and the rook at home.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum HalfCastled {
    /// A person decides; castling is to be finished.
    #[default]
    Review,
    /// An illegal move.
    Illegal,
}

/// The points that the texts leave open, each with this project's reading as default. The numbers
/// are those of the list in `docs/rules.md`.
///
/// ```
/// use adoube::rules::{Edition, OpenPoints, RuleSet};
/// let mut rules = RuleSet::from(Edition::Fide2009);
/// assert_eq!(rules.points, OpenPoints::default());
/// rules.points.adjusting_costs_claim = false;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OpenPoints {
    /// 1: two own pieces touched in one instant.
    pub at_once: AtOnce,
    /// 2: several pieces of both colours before 2017.
    pub several: Several,
    /// 3: a third piece that can move, touched before king and rook, binds; castling does not.
    pub earlier_piece_first: bool,
    /// 4: the king and then both rooks.
    pub both_rooks: BothRooks,
    /// 5: king and rook are a castling attempt only while the right to castle exists.
    pub attempt_needs_right: bool,
    /// 6: king and rook at once, castling illegal: the king moves (else the first piece that can).
    pub illegal_attempt_binds_king: bool,
    /// 7: whether unannounced centring is a touch; `None`: as the edition says.
    pub centring_binds: Option<bool>,
    /// 8: up to 2009 announced adjusting by the opponent costs him the claim.
    pub adjusting_costs_claim: bool,
    /// 9: whether a touch ends claims about all of Article 4; `None`: as the edition says.
    pub claim_lost_for_all: Option<bool>,
    /// 11: the arbiter may act although the opponent has touched a piece.
    pub arbiter_after_touch: bool,
    /// 12: a castled king, the rook at home, the clock pressed.
    pub half_castled: HalfCastled,
    /// 15: adjusting before the opponent has pressed the clock is flagged (2017 and later).
    pub flag_adjusting_before_clock: bool,
    /// 16: a player who reports a breach of his own leaves it to a person.
    pub own_report_is_reviewed: bool,
    /// 19: contact by means of a held piece is a touch.
    pub held_piece_touches: bool,
    /// 21: whether castling is a duty after king and rook; `None`: as the edition says.
    pub must_castle: Option<bool>,
}

impl Default for OpenPoints {
    fn default() -> Self {
        Self {
            at_once: AtOnce::default(),
            several: Several::default(),
            earlier_piece_first: true,
            both_rooks: BothRooks::default(),
            attempt_needs_right: false,
            illegal_attempt_binds_king: true,
            centring_binds: None,
            adjusting_costs_claim: true,
            claim_lost_for_all: None,
            arbiter_after_touch: false,
            half_castled: HalfCastled::default(),
            flag_adjusting_before_clock: false,
            own_report_is_reviewed: true,
            held_piece_touches: true,
            must_castle: None,
        }
    }
}

/// Under what rules a game is judged.
///
/// ```
/// use adoube::rules::{Edition, RuleSet, Supervision, TimeControl};
/// let rules = RuleSet {
///     time: TimeControl::Blitz,
///     supervision: Supervision::Limited,
///     ..RuleSet::from(Edition::Fide2023)
/// };
/// assert!(rules.arbiter_acts_unasked());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleSet {
    /// The text of the Laws.
    pub edition: Edition,
    /// The kind of game.
    pub time: TimeControl,
    /// Arbiters enough or not.
    pub supervision: Supervision,
    /// How open points are read.
    pub points: OpenPoints,
}

impl From<Edition> for RuleSet {
    /// A standard game under full supervision.
    fn from(edition: Edition) -> Self {
        Self {
            edition,
            time: TimeControl::Standard,
            supervision: Supervision::Full,
            points: OpenPoints::default(),
        }
    }
}

impl RuleSet {
    /// Whether an arbiter acts on Article 4 without being asked.
    ///
    /// ```
    /// use adoube::rules::{Edition, RuleSet};
    /// assert!(RuleSet::from(Edition::Fide2023).arbiter_acts_unasked());
    /// assert!(!RuleSet::from(Edition::Uscf7).arbiter_acts_unasked());
    /// ```
    pub const fn arbiter_acts_unasked(&self) -> bool {
        table::UNASKED
            .at(self.edition)
            .holds(self.time, self.supervision)
    }

    /// What the `nth` illegal move of a player costs, from 1.
    ///
    /// ```
    /// use adoube::rules::{Edition, Penalty, RuleSet};
    /// let rules = RuleSet::from(Edition::Fide2023);
    /// assert_eq!(rules.penalty(1), Penalty::Minutes(2));
    /// assert_eq!(rules.penalty(2), Penalty::Loss);
    /// ```
    pub const fn penalty(&self, nth: u8) -> Penalty {
        // With arbiters enough, rapid and blitz are played by the rules of standard games, but the
        // minutes are those of the shorter game.
        let row = match self.time {
            TimeControl::Standard => table::PENALTY_STANDARD,
            TimeControl::Rapid => table::PENALTY_RAPID,
            TimeControl::Blitz => table::PENALTY_BLITZ,
        };
        match row.at(self.edition) {
            Penalty::Minutes(_) if nth > table::PENALTIES_BEFORE_LOSS.at(self.edition) => {
                Penalty::Loss
            }
            first => first,
        }
    }

    pub(crate) fn centring_binds(&self) -> bool {
        let text = table::CENTRING.at(self.edition) == Centring::Touch;
        self.points.centring_binds.unwrap_or(text)
    }

    pub(crate) fn must_castle(&self) -> bool {
        let text = table::MUST_CASTLE.at(self.edition);
        self.points.must_castle.unwrap_or(text)
    }

    /// Whether a touch ends claims about all of Article 4.
    pub(crate) fn claim_lost_for_all(&self) -> bool {
        let text = table::CLAIM_SCOPE.at(self.edition) == ClaimScope::Article4;
        self.points.claim_lost_for_all.unwrap_or(text)
    }

    /// Whether announced adjusting costs the right to claim.
    pub(crate) fn adjusting_costs_claim(&self) -> bool {
        let by_letter = table::LOSES_CLAIM.at(self.edition) == LosesClaim::Deliberate;
        by_letter && self.points.adjusting_costs_claim
    }

    /// Whether an illegal move stands once the opponent has replied.
    pub(crate) fn illegal_stands(&self) -> bool {
        table::ILLEGAL_STANDS.at(self.edition)
            && self.time != TimeControl::Standard
            && self.supervision == Supervision::Limited
    }

    /// Several pieces of both colours are read by the letter, which knows one of each only.
    pub(crate) fn several_by_letter(&self) -> bool {
        self.points.several == Several::FirstPiece && table::ONE_OF_EACH.at(self.edition)
    }
}
