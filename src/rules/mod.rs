//! The Laws: positions and hand events in, obligations and verdicts out. Pure and deterministic.
//!
//! * [`Event`] and [`parse_script`]: what hands do, and its notation
//! * [`Ledger`]: takes events one by one; [`Obligation`], [`Verdict`] and [`Breach`] come out
//! * [`judge`]: a whole [`TurnRecord`] as a camera read it in, the incidents out
//! * [`Edition`] and [`Clause`]: what differs between texts of the Laws, as data
//!
//! No input or output, no clock, no randomness.

mod board;
mod breach;
mod case;
mod conditions;
mod doubt;
mod edition;
mod event;
mod explain;
mod fen;
mod judge;
mod ledger;
pub(crate) mod messages;
mod obligation;
mod table;
mod turn;

pub use board::Moves;
pub use breach::{
    Breach, BreachCode, BreachStatus, EventError, EventProblem, Raise, Spared, Until, Verdict,
};
pub use case::{Agreement, Case, CaseError, Expected, Outcome, Ruling, adjudicate, parse_case};
pub use conditions::{
    AtOnce, BothRooks, HalfCastled, OpenPoints, RuleSet, Several, Supervision, TimeControl,
    UnknownSupervision, UnknownTimeControl,
};
pub use doubt::{Cut, Doubt, Hinge, Limits, UncertainEvent, Weighed, WeighedBreach, weigh, worlds};
pub use edition::{Clause, Edition, UnknownEdition};
pub use event::{Event, ParseEventError, ParseEventProblem, Step, TouchFlag, parse_script};
pub use explain::Fact;
pub use fen::{FenError, FenProblem, parse_fen};
pub use judge::{Hand, Incident, IncidentKind, Played, TimedEvent, TurnRecord, judge};
pub use ledger::Ledger;
pub use messages::{Language, UnknownLanguage};
pub use obligation::{Because, Mode, Obligation, Squares};
pub use table::Penalty;
