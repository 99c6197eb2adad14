//! What leaves the house: moves only, never an incident.

pub mod pgn;
