//! Adoube watches a tournament chess board through a camera and tells an arbiter when the
//! touch-move rule (FIDE Laws of Chess, Article 4) was broken.

pub mod calibration;
pub mod events;
#[cfg(feature = "vision")]
pub mod media;
pub mod record;
pub mod review;
pub mod rules;
#[cfg(feature = "vision")]
pub mod vision;
