//! The table of editions: what differs between the texts of the Laws, one row a point, one column
//! an edition. Everything that an edition decides is decided here.
//!
//! The letter at the end of a row says how well it is known: `S` seen in the text of the Laws,
//! `P` seen in part of the editions and inferred for the others, `M` from memory, to be checked
//! before it is relied on, `D` a decision of this project. `docs/rules.md` tells how to read the
//! table and how to add an edition.

use super::conditions::{Supervision, TimeControl};
use super::edition::{Clause, Edition};

/// A value for each edition.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<T>([T; 11]);

impl<T: Copy> Row<T> {
    /// The value of an edition.
    pub const fn at(&self, edition: Edition) -> T {
        let [a, b, c, d, e, f, g, h, i, j, k] = self.0;
        match edition {
            Edition::Fide1997 => a,
            Edition::Fide1997De => b,
            Edition::Fide2001 => c,
            Edition::Fide2005 => d,
            Edition::Fide2009 => e,
            Edition::Fide2014 => f,
            Edition::Fide2017 => g,
            Edition::Fide2018 => h,
            Edition::Fide2023 => i,
            Edition::Uscf7 => j,
            Edition::Uscf7V => k,
        }
    }

    /// All values, oldest edition first.
    pub const fn cells(&self) -> &[T; 11] {
        &self.0
    }
}

/// What unannounced contact is that is evidently only centring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Centring {
    /// A touch: the text knows no exception.
    Touch,
    /// No touch.
    NoTouch,
}

/// When the opponent has the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MoveBegins {
    /// Once the move is made.
    Made,
    /// Once the move is completed by the clock.
    Completed,
}

/// What becomes of castling when the rook is touched first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RookFirst {
    /// The rook must move; no castling on that side.
    Bound,
    /// The rook must move, or castle on that side.
    MayCastle,
}

/// A kind of irregularity: what the edition makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sanction {
    /// There is no rule.
    None,
    /// At the arbiter's discretion.
    Discretion,
    /// As an illegal move, once the clock was pressed.
    Illegal,
}

/// Which contact by the opponent costs the right to claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LosesClaim {
    /// Any deliberate contact.
    Deliberate,
    /// Contact with the intention of moving or capturing.
    Intent,
}

/// Which breaches can no longer be claimed then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClaimScope {
    /// Those of the clauses on touched pieces and castling.
    Touch,
    /// Those of all of Article 4.
    Article4,
}

/// Whether an arbiter acts without being asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unasked {
    /// Always.
    Always,
    /// In standard games; in rapid and blitz on request only.
    Standard,
    /// On request only in rapid and blitz without enough arbiters.
    NotLimited,
    /// Never.
    Never,
}

/// What an illegal move costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Penalty {
    /// The text fixes none, or it was not seen.
    NoneFixed,
    /// Minutes for the opponent.
    Minutes(u8),
    /// The opponent may claim the win.
    WinOnClaim,
    /// The game is lost (drawn, if the opponent cannot mate).
    Loss,
}

use Centring::{NoTouch, Touch};
use ClaimScope::{Article4 as Art4, Touch as Art43};
use LosesClaim::{Deliberate as Delib, Intent};
use MoveBegins::{Completed as Clock, Made};
use Penalty::{Loss, Minutes as Min, NoneFixed as NoPen, WinOnClaim as Claim};
use RookFirst::{Bound, MayCastle as Either};
use Sanction::{Discretion as Discr, Illegal, None as NoRule};
use Unasked::{Always, Never, NotLimited, Standard as Std};

const Y: bool = true;
const N: bool = false;

#[rustfmt::skip]
pub(crate) const NAMES: Row<&str> = Row(
    //                                         1997     1997DE    2001     2005     2009      2014     2017    2018    2023    USCF7   USCF7V
    ["fide-1997", "fide-1997de", "fide-2001", "fide-2005", "fide-2009", "fide-2014", "fide-2017", "fide-2018", "fide-2023", "uscf-7", "uscf-7v"]);

// ---- switches

#[rustfmt::skip]
mod switches {
    use super::*;
    //                                                            1997    1997DE  2001    2005    2009    2014    2017     2018     2023     USCF7    USCF7V
    /// Unannounced contact that is evidently only centring.                                                                                              P
    pub(crate) const CENTRING: Row<Centring> = Row(          [Touch,  Touch,  Touch,  Touch,  Touch,  NoTouch, Touch,  Touch,   Touch,   NoTouch, NoTouch]);
    /// King and rook touched: castling is a duty if it is legal.                                                                                         S, US: M
    pub(crate) const MUST_CASTLE: Row<bool> = Row(           [Y,      N,      Y,      Y,      Y,      Y,      Y,       Y,       Y,       N,       N]);
    /// The clause on both colours speaks of one piece of each.                                                                                           S, US: M
    pub(crate) const ONE_OF_EACH: Row<bool> = Row(           [Y,      Y,      Y,      Y,      Y,      Y,      N,       N,       N,       N,       N]);
    /// The rook touched before the king.                                                                                                                 S
    pub(crate) const ROOK_FIRST: Row<RookFirst> = Row(       [Bound,  Bound,  Bound,  Bound,  Bound,  Bound,  Bound,   Bound,   Bound,   Bound,   Either]);
    /// The choice of a promotion piece is final on contact with the square.                                                                              S
    pub(crate) const PROMOTION_FINAL: Row<bool> = Row(       [N,      N,      N,      Y,      Y,      Y,      Y,       Y,       Y,       Y,       Y]);
    /// Two hands for one move.                                                                                                                           S, US: M
    pub(crate) const TWO_HANDS: Row<Sanction> = Row(         [Discr,  Discr,  Discr,  Discr,  Discr,  Discr,  Illegal, Illegal, Illegal, NoRule,  NoRule]);
    /// The clock pressed and nothing moved.                                                                                                              S, US: M
    pub(crate) const NOTHING_MOVED: Row<Sanction> = Row(     [Discr,  Discr,  Discr,  Discr,  Discr,  Discr,  Illegal, Illegal, Illegal, Discr,   Discr]);
    /// The clock pressed with the hand that did not move.                                                                                                S
    pub(crate) const CLOCK_HAND: Row<Sanction> = Row(        [Discr,  Discr,  Discr,  Discr,  Discr,  Discr,  Discr,   Discr,   Discr,   Discr,   Discr]);
    /// A pawn left on the last rank becomes a queen.                                                                                                     S, US: M
    pub(crate) const PAWN_LEFT_IS_QUEEN: Row<bool> = Row(    [N,      N,      N,      N,      N,      Y,      Y,       Y,       Y,       N,       N]);
    /// Mate ends the game only if the touch rules were kept.                                                                                             S, US: M
    pub(crate) const MATE_NEEDS_TOUCH: Row<bool> = Row(      [N,      N,      N,      N,      N,      Y,      Y,       Y,       Y,       N,       N]);
    /// When the opponent has the move.                                                                                                                   S
    pub(crate) const MOVE_BEGINS: Row<MoveBegins> = Row(     [Made,   Made,   Made,   Made,   Made,   Made,   Made,    Made,    Made,    Clock,   Clock]);
    /// Which contact costs the right to claim.                                                                                                           S, US: M
    pub(crate) const LOSES_CLAIM: Row<LosesClaim> = Row(     [Delib,  Delib,  Delib,  Delib,  Delib,  Intent, Intent,  Intent,  Intent,  Delib,   Delib]);
    /// Which breaches it concerns.                                                                                                                       S, 2001, 2005, US: M
    pub(crate) const CLAIM_SCOPE: Row<ClaimScope> = Row(     [Art43,  Art43,  Art4,   Art4,   Art4,   Art4,   Art4,    Art4,    Art4,    Art4,    Art4]);
    /// Whether an arbiter acts on Article 4 without being asked.                                                                                         S, 2001, 2005: M
    pub(crate) const UNASKED: Row<Unasked> = Row(            [Std,    Std,    Std,    Std,    NotLimited, Always, Always, Always, Always, Never,  Never]);
    /// A limited-supervision rapid or blitz game: an illegal move stands after the reply.                                                                S from 2014
    pub(crate) const ILLEGAL_STANDS: Row<bool> = Row(        [N,      N,      N,      N,      N,      Y,      Y,       Y,       Y,       N,       N]);
    /// Adjusting only by the player whose clock runs.                                                                                                    S
    pub(crate) const ADJUST_NEEDS_CLOCK: Row<bool> = Row(    [N,      N,      N,      N,      N,      N,      Y,       Y,       Y,       N,       N]);

    // ---- what an illegal move costs the first time; the second time from 2014 it loses, before
    // ---- that the third time (where minutes are given)
    /// Standard.                                                                                                                                         S, 1997: M
    pub(crate) const PENALTY_STANDARD: Row<Penalty> = Row(   [NoPen,  NoPen,  Min(2), Min(2), Min(2), Min(2), Min(2),  Min(2),  Min(2),  Min(2),  Min(2)]);
    /// Rapid.                                                                                                                                            S from 2009
    pub(crate) const PENALTY_RAPID: Row<Penalty> = Row(      [NoPen,  NoPen,  Min(2), Min(2), Min(2), Loss,   Loss,    Min(2),  Min(1),  Min(2),  Min(2)]);
    /// Blitz.                                                                                                                                            S from 2009
    pub(crate) const PENALTY_BLITZ: Row<Penalty> = Row(      [Claim,  Claim,  Claim,  Claim,  Claim,  Loss,   Loss,    Min(1),  Min(1),  Claim,   Claim]);
    /// How many penalties of minutes there are before the game is lost.                                                                                  S
    pub(crate) const PENALTIES_BEFORE_LOSS: Row<u8> = Row(   [0,      0,      2,      2,      2,      1,      1,       1,       1,       2,       2]);
}

pub(crate) use switches::*;

// ---- article numbers

/// The number of each clause in each edition.
#[rustfmt::skip]
pub(crate) const ARTICLES: &[(Clause, Row<&str>)] = &[
    //                              1997      1997DE    2001      2005      2009      2014      2017      2018      2023      USCF7     USCF7V
    (Clause::OneHand,          Row(["4.1",    "4.1",    "4.1",    "4.1",    "4.1",    "4.1",    "4.1",    "4.1",    "4.1",    "",       ""])),       // S
    (Clause::Adjust,           Row(["4.2",    "4.2",    "4.2",    "4.2",    "4.2",    "4.2",    "4.2.1",  "4.2.1",  "4.2.1",  "10A",    "10A"])),    // S
    (Clause::Intent,           Row(["4.3",    "4.3",    "4.3",    "4.3",    "4.3",    "4.3",    "4.2.2",  "4.2.2",  "4.2.2",  "10E",    "10E"])),    // S
    (Clause::Centring,         Row(["4.3(a)", "4.3 a)", "4.3(a)", "4.3(a)", "4.3(a)", "4.3(a)", "4.2.2",  "4.2.2",  "4.2.2",  "10F",    "10F"])),    // S, US: M
    (Clause::Own,              Row(["4.3(a)", "4.3 a)", "4.3(a)", "4.3(a)", "4.3(a)", "4.3(a)", "4.3.1",  "4.3.1",  "4.3.1",  "10B",    "10B"])),    // S
    (Clause::Enemy,            Row(["4.3(a)", "4.3 a)", "4.3(b)", "4.3(b)", "4.3(b)", "4.3(b)", "4.3.2",  "4.3.2",  "4.3.2",  "10B",    "10B"])),    // S
    (Clause::Both,             Row(["4.3(b)", "4.3 b)", "4.3(c)", "4.3(c)", "4.3(c)", "4.3(c)", "4.3.3",  "4.3.3",  "4.3.3",  "10C",    "10C"])),    // S
    (Clause::CastleMust,       Row(["4.4(a)", "",       "4.4(a)", "4.4(a)", "4.4(a)", "4.4(a)", "4.4.1",  "4.4.1",  "4.4.1",  "",       ""])),       // S, 2014: M
    (Clause::CastleRookFirst,  Row(["4.4(b)", "4.4 a)", "4.4(b)", "4.4(b)", "4.4(b)", "4.4(b)", "4.4.2",  "4.4.2",  "4.4.2",  "10I2",   "10I2"])),   // S, 2014: M
    (Clause::CastleIllegal,    Row(["4.4(c)", "4.4 b)", "4.4(c)", "4.4(c)", "4.4(c)", "4.4(c)", "4.4.3",  "4.4.3",  "4.4.3",  "10I1",   "10I1"])),   // S
    (Clause::PromotionFinal,   Row(["",       "",       "",       "4.4(d)", "4.4(d)", "4.4(d)", "4.4.4",  "4.4.4",  "4.4.4",  "9D",     "9D"])),     // S, 2014: M
    (Clause::NothingMovable,   Row(["4.5",    "4.5",    "4.5",    "4.5",    "4.5",    "4.5",    "4.5",    "4.5",    "4.5",    "10D",    "10D"])),    // S
    (Clause::Release,          Row(["4.7",    "4.7",    "4.7",    "4.6",    "4.6",    "4.7",    "4.7",    "4.7",    "4.7",    "9A",     "9A"])),     // S
    (Clause::ReleaseCapture,   Row(["4.7",    "4.7",    "4.7",    "4.6(a)", "4.6(a)", "4.7(a)", "4.7.1",  "4.7.1",  "4.7.1",  "9B",     "9B"])),     // S
    (Clause::ReleaseCastling,  Row(["4.7",    "4.7",    "4.7",    "4.6(b)", "4.6(b)", "4.7(b)", "4.7.2",  "4.7.2",  "4.7.2",  "9C",     "9C"])),     // S
    (Clause::ReleasePromotion, Row(["4.7",    "4.7",    "4.7",    "4.6(c)", "4.6(c)", "4.7(c)", "4.7.3",  "4.7.3",  "4.7.3",  "9D",     "9D"])),     // S
    (Clause::ClaimLost,        Row(["4.6",    "4.6",    "4.6",    "4.7",    "4.7",    "4.8",    "4.8",    "4.8",    "4.8",    "10",     "10"])),     // S, US: M
    (Clause::HasMove,          Row(["1.1",    "1.1",    "1.1",    "1.1",    "1.1",    "1.1",    "1.3",    "1.3",    "1.3",    "6B",     "6B"])),     // S, 1997-2005: M
    (Clause::GameOver,         Row(["5.1(a)", "5.1 a)", "5.1(a)", "5.1(a)", "5.1(a)", "5.1(a)", "5.1.1",  "5.1.1",  "5.1.1",  "4A/13A", "4A/13A"])), // P
    (Clause::ClockHand,        Row(["6.7(b)", "6.7 b)", "6.8(b)", "6.8(b)", "6.7(b)", "6.2(b)", "6.2.3",  "6.2.3",  "6.2.3",  "16C1",   "16C1"])),   // P, 2001: M
    (Clause::IllegalMove,      Row(["7.4",    "7.4",    "7.4(a)", "7.4(a)", "7.4(a)", "7.5(a)", "7.5.1",  "7.5.1",  "7.5.1",  "11A",    "11A"])),    // S from 2009, else M
    (Clause::IllegalStands,    Row(["",       "",       "",       "",       "",       "A.4",    "A.4.2",  "A.5.2",  "A.5.2",  "",       ""])),       // S 2023, else M
    (Clause::PawnLeft,         Row(["7.4",    "7.4",    "7.4(a)", "7.4(a)", "7.4(a)", "7.5(a)", "7.5.2",  "7.5.2",  "7.5.2",  "9D",     "9D"])),     // S from 2009, else M
    (Clause::NothingMoved,     Row(["13.4",   "13.4",   "13.4",   "13.4",   "13.4",   "12.9",   "7.8.1",  "7.5.3",  "7.5.3",  "",       ""])),       // S from 2009, else M
    (Clause::TwoHandsCompleted,Row(["4.1",    "4.1",    "4.1",    "4.1",    "4.1",    "4.1",    "7.7.1",  "7.5.4",  "7.5.4",  "",       ""])),       // S
    (Clause::Displaced,        Row(["7.3",    "7.3",    "7.3",    "7.3",    "7.3",    "7.4",    "7.4.1",  "7.4.1",  "7.4.1",  "",       ""])),       // S from 2009, else M
    (Clause::Disturbance,      Row(["12.5",   "12.5",   "12.5",   "12.5",   "12.6",   "11.5",   "11.5",   "11.5",   "11.5",   "20G",    "20G"])),    // S from 2009, else M
    (Clause::Refusal,          Row(["",       "",       "",       "12.8",   "12.8",   "11.7",   "11.7",   "11.7",   "11.7",   "",       ""])),       // S from 2009, 2005: M
];

impl Unasked {
    /// Whether the arbiter acts unasked in a game of this kind.
    pub const fn holds(self, time: TimeControl, supervision: Supervision) -> bool {
        let standard = matches!(time, TimeControl::Standard);
        match self {
            Self::Always => true,
            Self::Standard => standard,
            Self::NotLimited => standard || matches!(supervision, Supervision::Full),
            Self::Never => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_has_one_row() {
        for (i, (clause, _)) in ARTICLES.iter().enumerate() {
            assert!(
                ARTICLES[..i].iter().all(|(c, _)| c != clause),
                "{clause:?} twice"
            );
        }
    }

    #[test]
    fn a_switch_that_is_on_has_an_article() {
        let pairs: [(Row<bool>, Clause); 2] = [
            (MUST_CASTLE, Clause::CastleMust),
            (PROMOTION_FINAL, Clause::PromotionFinal),
        ];
        for edition in Edition::ALL {
            for (row, clause) in pairs {
                assert_eq!(row.at(edition), !edition.article(clause).is_empty());
            }
        }
    }
}
