//! An actor and a camera: games played by hands on an imagined board, as observations.
//!
//! [`games`] chooses moves, [`script`] turns them into the ways of hands and pieces and says what
//! should be found of them, [`hand`] gives a hand its 21 landmarks, and [`camera`] sees it all as
//! the perception of a real camera would: only what moved is read, and nothing under a hand.

#![allow(
    dead_code,
    unused_imports,
    reason = "shared by tests that use parts of it"
)]

pub mod camera;
pub mod games;
pub mod hand;
pub mod script;

pub use camera::{Noise, Seat, film};
pub use games::{
    CALM, CASTLING, EN_PASSANT, HASTY, Habits, LIVELY, PROMOTING, Promotions, START, TENSE, acted,
    check_order, check_turns, config, sample, scripts, seat, watch,
};
pub use script::{Acted, Order, Script, Truth};
