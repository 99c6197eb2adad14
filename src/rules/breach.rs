//! What the Laws make of the events: breaches, verdicts, and errors in the events themselves.

use std::fmt;

use shakmaty::uci::UciMove;
use shakmaty::{Color, Square};
use thiserror::Error;

use super::edition::Clause;

/// The outcome after the last event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Nothing was made and nothing binds.
    NoObligation,
    /// Nothing was made yet, and something binds.
    Pending,
    /// A move was made, and it was allowed.
    Ok,
    /// Article 4 was broken, and it can still be raised.
    Violation,
    /// Article 4 was broken, and the opponent has lost the right to raise it.
    ClaimLost,
    /// An illegal move, before the clock was pressed.
    IllegalPending,
    /// An illegal move, and the clock was pressed.
    IllegalCompleted,
    /// No breach of the touch rules; at the arbiter's discretion.
    Irregularity,
    /// The move ended the game.
    GameOver,
    /// A person must decide.
    Review,
}

impl Verdict {
    /// As written in case files: `no_obligation`, `pending`, `ok`, ...
    ///
    /// ```
    /// use adoube::rules::Verdict;
    /// assert_eq!(Verdict::ClaimLost.as_str(), "claim_lost");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoObligation => "no_obligation",
            Self::Pending => "pending",
            Self::Ok => "ok",
            Self::Violation => "violation",
            Self::ClaimLost => "claim_lost",
            Self::IllegalPending => "illegal_pending",
            Self::IllegalCompleted => "illegal_completed",
            Self::Irregularity => "irregularity",
            Self::GameOver => "game_over",
            Self::Review => "review",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BreachCode {
    /// A touched own piece was not moved.
    Own,
    /// A touched enemy piece was not captured.
    Opp,
    /// Pieces of both colours were touched, and what follows was not played.
    Mix,
    /// King and rook were touched and castling was legal, but not played.
    CastleMust,
    /// Castling after touching the rook first.
    CastleRook1,
    /// After an attempt at illegal castling the king was not moved.
    CastleIll,
    /// The promotion piece was changed after it touched the square.
    PromoFinal,
    /// A released move was changed.
    Release,
    /// Two hands were used for one move.
    TwoHands,
    /// Adjusting without saying so first.
    AdjustNoNotice,
    /// Adjusting without having the move.
    AdjustOutOfTurn,
    /// A piece was touched by the player who does not have the move.
    TouchByOpponent,
    /// An illegal move.
    Illegal,
    /// The clock was pressed with the hand that did not move.
    ClockOtherHand,
    /// The clock was pressed and nothing had been moved, where that is no illegal move.
    EmptyPress,
}

impl BreachCode {
    /// As `OWN`, `CASTLE_ROOK1`, ...
    ///
    /// ```
    /// use adoube::rules::BreachCode;
    /// assert_eq!(BreachCode::CastleRook1.as_str(), "CASTLE_ROOK1");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Own => "OWN",
            Self::Opp => "OPP",
            Self::Mix => "MIX",
            Self::CastleMust => "CASTLE_MUST",
            Self::CastleRook1 => "CASTLE_ROOK1",
            Self::CastleIll => "CASTLE_ILL",
            Self::PromoFinal => "PROMO_FINAL",
            Self::Release => "RELEASE",
            Self::TwoHands => "TWO_HANDS",
            Self::AdjustNoNotice => "ADJUST_NO_NOTICE",
            Self::AdjustOutOfTurn => "ADJUST_OUT_OF_TURN",
            Self::TouchByOpponent => "TOUCH_BY_OPPONENT",
            Self::Illegal => "ILLEGAL",
            Self::ClockOtherHand => "CLOCK_OTHER_HAND",
            Self::EmptyPress => "EMPTY_PRESS",
        }
    }

    /// What is broken when an obligation by this clause is not met.
    pub(crate) const fn of(rule: Clause) -> Self {
        match rule {
            Clause::Enemy => Self::Opp,
            Clause::Both => Self::Mix,
            Clause::CastleMust => Self::CastleMust,
            Clause::CastleRookFirst => Self::CastleRook1,
            Clause::CastleIllegal => Self::CastleIll,
            Clause::PromotionFinal => Self::PromoFinal,
            Clause::Release
            | Clause::ReleaseCapture
            | Clause::ReleaseCastling
            | Clause::ReleasePromotion => Self::Release,
            _ => Self::Own,
        }
    }

    /// Whether it breaks the rules on touching, castling, promotion and release (not 4.1, 4.2).
    pub(crate) const fn touch_rules(self) -> bool {
        matches!(
            self,
            Self::Own
                | Self::Opp
                | Self::Mix
                | Self::CastleMust
                | Self::CastleRook1
                | Self::CastleIll
                | Self::PromoFinal
                | Self::Release
        )
    }

    /// Whether it breaks the clauses on touched pieces and castling (4.3 and 4.4).
    pub(crate) const fn touch_or_castling(self) -> bool {
        self.touch_rules() && !matches!(self, Self::Release)
    }

    /// Whether it breaks Article 4.
    pub(crate) const fn article_4(self) -> bool {
        self.touch_rules() || matches!(self, Self::TwoHands | Self::AdjustNoNotice)
    }

    /// Whether it is left to the arbiter's discretion.
    pub(crate) const fn discretion(self) -> bool {
        matches!(
            self,
            Self::AdjustOutOfTurn | Self::TouchByOpponent | Self::ClockOtherHand | Self::EmptyPress
        )
    }
}

impl fmt::Display for BreachCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whether a breach can still be raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BreachStatus {
    /// It can be raised.
    Open,
    /// It was raised in time.
    Upheld,
    /// The opponent has touched a piece and lost the right to raise it.
    Lost,
    /// The player has put it right.
    Corrected,
}

/// One breach of the Laws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// What was broken.
    pub code: BreachCode,
    /// The clause that was broken.
    pub clause: Clause,
    /// Its number in the edition.
    pub article: &'static str,
    /// Who broke it.
    pub player: Color,
    /// What was played instead, where a move was.
    pub played: Option<UciMove>,
    /// The moves that would have fulfilled the obligation, sorted; empty where there was none.
    pub obliged: Vec<UciMove>,
    /// The squares of the touched pieces that bind.
    pub squares: Vec<Square>,
    /// Index of the event that created the obligation, from 0.
    pub cause: Option<usize>,
    /// Index of the event at which the breach is complete, from 0.
    pub at: usize,
    /// Whether it can still be raised.
    pub status: BreachStatus,
    /// Turns made in the ledger before the one it belongs to.
    pub turn: usize,
    /// Whether the clock was pressed after it: until then it can still be put right.
    pub confirmed: bool,
    /// Whether what bound was touched after the opponent's move was made and before his clock.
    pub before_clock: bool,
    /// A touch by the opponent that did not end the right to raise it.
    pub spared: Option<Spared>,
}

/// Why a touch by the opponent did not end the right to raise a breach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Spared {
    /// It was clearly accidental.
    Accident,
    /// It was announced adjusting, or evidently only centring, and the edition asks for intent.
    NoIntent,
    /// The edition's clause does not concern breaches of this kind.
    OutOfScope,
}

/// Until when a breach can be raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Until {
    /// The opponent touches a piece, as the edition counts touches.
    OpponentTouches,
    /// The opponent has made his next move.
    OpponentMoves,
    /// It is discovered, at any time during the game.
    AnyTime,
    /// It is at the arbiter's discretion.
    Discretion,
    /// It can no longer be raised, or has been dealt with.
    Closed,
}

/// Who may raise a breach, and until when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Raise {
    /// The opponent may.
    pub opponent: bool,
    /// The arbiter acts without being asked.
    pub arbiter: bool,
    /// Until when.
    pub until: Until,
}

/// Why an event cannot have happened.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EventProblem {
    /// A touch names no square.
    #[error("no square is named")]
    NoSquare,
    /// There is no piece on the square.
    #[error("there is no piece on {0}")]
    NoPiece(Square),
    /// The piece on the square is not the player's own.
    #[error("the piece on {0} is not the player's own")]
    NotOwn(Square),
    /// Only enemy pieces and promoting pawns are taken off.
    #[error("the piece on {0} is neither captured nor promoted")]
    NotRemovable(Square),
    /// No piece is held.
    #[error("no piece is held")]
    NothingHeld,
    /// Not a move from one square to another.
    #[error("{0} is not a move from one square to another")]
    NotAMove(UciMove),
    /// No move was made that could be taken back.
    #[error("there is no move to take back")]
    NothingToTakeBack,
}

/// An event that cannot have happened; the ledger stays as it was.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("event {index} ({event}): {problem}")]
pub struct EventError {
    /// Index of the event, from 0.
    pub index: usize,
    /// The event as written.
    pub event: String,
    /// Why it cannot have happened.
    pub problem: EventProblem,
}
