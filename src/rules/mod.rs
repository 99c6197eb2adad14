//! The Laws: positions and hand events in, obligations and verdicts out. Pure and deterministic.
//!
//! * [`Event`] and [`parse_script`]: what hands do, and its notation
//! * [`Ledger`]: takes events one by one; [`Obligation`], [`Verdict`] and [`Breach`] come out
//! * [`judge`]: a whole [`TurnRecord`] as a camera read it in, the incidents out
//! * [`Edition`] and [`Clause`]: what differs between texts of the Laws, as data
//!
//! No input or output, no clock, no randomness.

mod breach;
mod edition;
mod event;
mod explain;
mod judge;
mod ledger;
mod obligation;
mod turn;

pub use breach::{Breach, BreachCode, BreachStatus, EventError, EventProblem, Verdict};
pub use edition::{Clause, Edition, UnknownEdition};
pub use event::{Event, ParseEventError, ParseEventProblem, Step, TouchFlag, parse_script};
pub use judge::{Hand, Incident, IncidentKind, Played, TimedEvent, TurnRecord, judge};
pub use ledger::Ledger;
pub use obligation::{Because, Mode, Obligation};
