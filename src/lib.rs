//! Adoube watches a tournament chess board through a camera and tells an arbiter when the
//! touch-move rule (FIDE Laws of Chess, Article 4) was broken.

#[cfg(feature = "vision")]
pub mod bench;
pub mod broadcast;
pub mod calibration;
#[cfg(feature = "vision")]
pub mod doctor;
pub mod eval;
pub mod events;
#[cfg(feature = "vision")]
pub mod media;
#[cfg(feature = "vision")]
pub mod read;
pub mod record;
pub mod review;
pub mod rules;
pub mod sequence;
pub mod simulate;
#[cfg(feature = "vision")]
pub mod sound;
#[cfg(feature = "station")]
pub mod station;
#[cfg(feature = "vision")]
pub mod vision;
