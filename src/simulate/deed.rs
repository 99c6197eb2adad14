//! What a hand may do on a visit to the board, besides playing.

use shakmaty::{Move, Square};

/// One thing that a hand does on a visit to the board.
#[derive(Debug, Clone, Copy)]
pub enum Deed {
    /// Plays a legal move.
    Play(Move),
    /// Castles, moving the rook with the other hand at the same time.
    CastleTwoHands(Move),
    /// Castles, moving the rook first.
    CastleRookFirst(Move),
    /// Takes hold of a piece and lets go of it where it stands.
    Touch {
        /// Where it stands.
        square: Square,
        /// From touch to release, milliseconds.
        hold_ms: f64,
    },
    /// Takes a piece up and puts it back.
    Lift {
        /// Where it stands.
        square: Square,
        /// In the air, milliseconds.
        hold_ms: f64,
    },
    /// Puts a piece right on its square.
    Adjust {
        /// Where it stands.
        square: Square,
        /// From touch to release, milliseconds.
        hold_ms: f64,
    },
    /// Sweeps over a square so low that it grazes what stands there.
    Brush {
        /// Which.
        square: Square,
    },
    /// Stays over a square and touches nothing.
    Hover {
        /// Which.
        square: Square,
        /// So far above the grip of what stands there, squares.
        above: f64,
        /// How long, milliseconds.
        stay_ms: f64,
    },
    /// Rests on the table, or goes to the clock.
    Rest {
        /// Where, squares.
        at: [f64; 2],
        /// How long, milliseconds.
        stay_ms: f64,
    },
    /// Goes to the clock and presses it.
    Press {
        /// Where it stands, squares.
        at: [f64; 2],
        /// With the hand that did not move, which comes in while the other is still there.
        other_hand: bool,
    },
    /// Carries a piece from one square to another and lets go, and so makes a move, or none yet.
    Shift {
        /// From where.
        from: Square,
        /// To where.
        to: Square,
        /// What has been played then.
        makes: Makes,
    },
    /// Carries a piece to a square, holds it there standing, and carries it on without having let
    /// go of it.
    Via {
        /// From where.
        from: Square,
        /// Where it is not let go.
        via: Square,
        /// How long, milliseconds.
        stay_ms: f64,
        /// To where.
        to: Square,
        /// What has been played then.
        makes: Makes,
    },
    /// After letting go of a piece, takes it again from where the hand is and carries it on.
    Again {
        /// From the release to the new touch, milliseconds.
        off_ms: f64,
        /// Where it stands.
        from: Square,
        /// To where.
        to: Square,
        /// What has been played then.
        makes: Makes,
    },
    /// Stays where it is.
    Wait(
        /// Milliseconds.
        f64,
    ),
}

/// What a shifted piece amounts to.
#[derive(Debug, Clone, Copy)]
pub enum Makes {
    /// Nothing yet.
    Nothing,
    /// This legal move.
    Legal(Move),
    /// The illegal move from the first square to the second.
    Illegal(Square, Square),
}
