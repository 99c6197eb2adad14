//! What leaves the house: moves only, never an incident.

pub mod cloud;
pub mod feed;
pub mod game;
pub mod livechess;
pub mod pgn;
