//! Where the board lies: corners, the view between image and board, finding it, board files.

pub mod file;
#[cfg(feature = "vision")]
mod finder;
#[cfg(feature = "vision")]
mod grid;
#[cfg(feature = "vision")]
mod lattice;
#[cfg(feature = "vision")]
mod orient;
#[cfg(feature = "vision")]
pub mod picture;
#[cfg(feature = "vision")]
mod refusal;
#[cfg(feature = "vision")]
mod saddles;
pub mod view;

#[cfg(feature = "vision")]
pub use finder::{Found, SquareReader, find_board, follow, grid_score};
#[cfg(feature = "vision")]
pub use refusal::{Doubt, PictureEdge, Refusal};

#[cfg(all(test, feature = "vision"))]
mod labelled;
#[cfg(all(test, feature = "vision"))]
mod synthetic;
