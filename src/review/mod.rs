//! Post-game review: a recording in; moves, contacts, incidents, a log and a report out.

pub mod log;
#[cfg(feature = "vision")]
mod run;
#[cfg(feature = "vision")]
mod setup;

pub use log::{LogEnd, LogError, LogHeader, LogReader, replay};
#[cfg(feature = "vision")]
pub use run::{Options, Outcome, Progress, ReviewError, review};
#[cfg(feature = "vision")]
pub use setup::{Calibrated, SetupError, calibrate, prepare};
