//! The Laws: a position and what a player's hands did in, obligations and breaches out.
//!
//! Pure: no input or output, no clock, no randomness; [`shakmaty`] is its only companion.
//!
//! ```
//! use adoube::rules::{Edition, Touch, obligation};
//! use shakmaty::{Chess, Square};
//!
//! // White touches the knight on b1 first, then the pawn on d2.
//! let touches = [Touch::on(Square::B1), Touch::on(Square::D2)];
//! let duty = obligation(Edition::Fide2023, &Chess::default(), &touches);
//! assert_eq!(duty.uci(), ["b1a3", "b1c3"]);
//! assert_eq!(duty.article(), Some("4.3.1"));
//! ```

mod edition;
mod judge;
mod obligation;

pub use edition::{Edition, Point, UnknownEdition};
pub use judge::{Breach, BreachKind, Handling, Played, Turn, judge};
pub use obligation::{Obligation, Touch, obligation, uci};
