//! The four places of the camera that tests look from.

use adoube::{calibration::view::BoardView, simulate::Viewpoint};

/// Where the camera stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    /// Between the players, 40 degrees above the board.
    SideOn,
    /// Straight above.
    Overhead,
    /// Behind White's shoulder.
    BehindWhite,
    /// Behind Black's shoulder.
    BehindBlack,
}

impl Seat {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::SideOn,
        Self::Overhead,
        Self::BehindWhite,
        Self::BehindBlack,
    ];

    /// The view from there.
    pub fn view(self) -> BoardView {
        let (turn_deg, elevation_deg, distance_squares) = match self {
            Self::SideOn => (-88.0, 40.0, 16.5),
            Self::Overhead => (-89.0, 87.0, 17.0),
            Self::BehindWhite => (12.0, 48.0, 17.0),
            Self::BehindBlack => (190.0, 44.0, 17.0),
        };
        let viewpoint = Viewpoint {
            turn_deg,
            elevation_deg,
            distance_squares,
        };
        viewpoint.view().expect("a board seen from above")
    }
}
