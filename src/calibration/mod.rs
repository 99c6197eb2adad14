//! Where the board lies: corners, the view between image and board, finding it, board files.

#[cfg(feature = "vision")]
mod appearance;
pub mod clock;
#[cfg(feature = "vision")]
mod edges;
pub mod eye;
pub mod file;
#[cfg(feature = "vision")]
mod finder;
#[cfg(feature = "vision")]
mod grid;
#[cfg(feature = "vision")]
mod lattice;
pub mod lens;
#[cfg(feature = "vision")]
mod orient;
#[cfg(feature = "vision")]
pub mod picture;
#[cfg(feature = "vision")]
mod pixels;
#[cfg(feature = "vision")]
pub mod placement;
#[cfg(feature = "vision")]
mod refusal;
#[cfg(feature = "vision")]
mod saddles;
#[cfg(feature = "vision")]
mod several;
pub mod told;
pub mod view;
#[cfg(feature = "vision")]
mod watch;
pub mod window;

#[cfg(feature = "vision")]
pub use edges::Fit;
#[cfg(feature = "vision")]
pub use finder::{Found, SquareReader, find_again, find_board, follow, grid_score};
#[cfg(feature = "vision")]
pub use refusal::{Doubt, PictureEdge, Refusal};
#[cfg(feature = "vision")]
pub use several::{Boards, LeftOut, find_boards};
#[cfg(feature = "vision")]
pub use watch::{Sight, Watch};

#[cfg(all(test, feature = "vision"))]
mod knocks;
#[cfg(all(test, feature = "vision"))]
mod labelled;
#[cfg(all(test, feature = "vision"))]
mod synthetic;
