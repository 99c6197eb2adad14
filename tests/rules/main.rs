//! What is asked of the rules core: cases, properties, an independent oracle, the command line.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should say where"
)]

mod cases;
mod chess960;
mod cli;
mod clips;
mod corpus;
mod details;
mod judge;
mod oracle;
mod properties;
mod switches;
mod texts;
