//! What the hands did, and which moves were made. Pure: driven by observations alone.

mod belief;
mod contacts;
mod engine;
mod hands;
mod incidents;
pub mod observation;
mod reading;
mod tracker;

pub use belief::{Beliefs, SquareBelief};
pub use contacts::{Draft, Part, Scene, grip_distance, parts_of};
pub use engine::{Engine, Findings, Setup, position_from_fen};
pub use hands::{Dwell, Step, Way, Ways};
pub use incidents::weigh;
pub use reading::{Displacement, Explanation, displacement, explain, landing, mismatches, uci};
pub use tracker::{Followed, GameTracker};
