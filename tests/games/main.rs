//! Games acted on an imagined board, and what is written of games.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should say where"
)]

mod acting;
mod announcements;
mod any_observations;
mod clock;
mod famous;
mod move_explaining;
mod move_reading;
mod no_moves;
mod pgn;
mod pgn_python;
mod report_browser;
mod simulate;
mod told_by_hand;
