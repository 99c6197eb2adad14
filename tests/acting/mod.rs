//! An actor and a camera: games played by hands on an imagined board, as observations.
//!
//! [`script`] turns moves into the ways of hands and pieces and says what should be found of
//! them, [`hand`] gives a hand its 21 landmarks, and [`camera`] sees it all as the perception of
//! a real camera would: only what moved is read, and nothing under a hand.

pub mod camera;
pub mod hand;
pub mod script;

pub use camera::{Noise, Seat, film};
pub use script::{Acted, Manner, Order, Script, Truth, act};
