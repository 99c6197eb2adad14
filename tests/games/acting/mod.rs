//! Games to be acted on an imagined board, and what the engine finds in the films of them.
//!
//! [`games`] chooses moves and [`seat`] says from where they are seen; the actor and the camera are
//! the simulator's own (`adoube::simulate`).

pub mod games;
pub mod seat;

pub use adoube::simulate::{Acted, Noise, Order, Script, Truth, film};
pub use games::{
    CALM, CASTLING, EN_PASSANT, HASTY, Habits, LIVELY, PROMOTING, Promotions, START, TENSE, acted,
    check_order, check_turns, config, sample, scripts, seat, watch,
};
pub use seat::Seat;
