//! The program as its user runs it on videos.

#![cfg(feature = "vision")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should say where"
)]

mod calibration_light;
mod common;
mod end_to_end;
mod inputs;
mod review_boards;
mod review_late;
mod review_outputs;
mod sound;
