//! What the hands did, and which moves were made. Pure: driven by observations alone.

mod announcement;
mod belief;
mod bridge;
mod carried;
mod clock;
mod contacts;
mod corrected;
mod ending;
mod engine;
mod findings;
mod grasp;
mod grasped;
mod habit;
mod hands;
mod incidents;
mod loose;
pub mod observation;
mod positions;
mod reading;
mod thresholds;
mod tracker;

pub use announcement::{Announcement, Hearing, Phrase};
pub use belief::{Beliefs, SquareBelief};
pub use clock::{ClockWatch, Press};
pub use contacts::{Draft, Held, Part, Scene, Used, grip_distance, parts_of};
pub use corrected::{Said, may_be_corrected, weigh_again};
pub use engine::{CorrectionError, Engine, Setup};
pub use findings::Findings;
pub use grasp::{Grasp, Grips, grasps, touching};
pub use hands::{Dwell, Step, Way, Ways};
pub use incidents::weigh;
pub use positions::position_from_fen;
pub use reading::{
    Displacement, Explanation, Support, displacement, explain, explain_with, landing, mismatches,
    suspects, uci,
};
pub use thresholds::{ThresholdError, Thresholds};
pub use tracker::{Followed, GameTracker};
