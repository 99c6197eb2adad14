//! What leaves the house: moves only, never an incident.

pub mod game;
pub mod pgn;
