//! Post-game review: a recording in; moves, contacts, incidents, a log and a report out.

#[cfg(feature = "vision")]
pub mod annotated;
#[cfg(feature = "vision")]
pub mod batch;
#[cfg(feature = "vision")]
mod clips;
pub mod comparison;
#[cfg(feature = "vision")]
pub mod evidence;
pub mod explain;
pub mod games;
#[cfg(feature = "vision")]
pub mod hall;
#[cfg(feature = "vision")]
pub mod late;
pub mod log;
#[cfg(feature = "vision")]
mod looking;
pub mod moments;
pub mod notes;
#[cfg(feature = "vision")]
pub mod plot;
pub mod report;
#[cfg(feature = "vision")]
pub mod results;
#[cfg(feature = "vision")]
mod run;
#[cfg(feature = "vision")]
mod setup;
pub mod standing;
pub mod why;
pub mod words;

pub use log::{Changes, LogEnd, LogError, LogHeader, LogReader, replay};
#[cfg(feature = "vision")]
pub use looking::Looking;
#[cfg(feature = "vision")]
pub use run::{Options, Outcome, Progress, ReviewError, Sound, checksums, review};
#[cfg(feature = "vision")]
pub use setup::{
    Calibrated, PlainReader, SetupError, calibrate, calibrate_from, calibrate_pictures, prepare,
};
