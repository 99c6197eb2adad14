//! What a contact is: whose hand, which piece, when; the pieces that a move takes; and how far a
//! hand is from the grip of a piece. [`Scene`] infers contacts from it.

use shakmaty::{Chess, Color, Move, Piece, Role, Square};

use super::{
    belief::Beliefs,
    grasp::Grasp,
    hands::{Dwell, Ways},
};
use crate::{
    calibration::view::{BoardView, square_centre},
    record::{ContactKind, HandSide},
};

/// One contact as inferred, before it gets a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Whose hand.
    pub player: Color,
    /// The hand's number, if a hand was seen.
    pub hand: Option<u32>,
    /// Left or right.
    pub side: Option<HandSide>,
    /// Where the piece stood; `None` beside the board.
    pub from: Option<Square>,
    /// The piece.
    pub piece: Piece,
    /// What it was.
    pub kind: ContactKind,
    /// First contact, milliseconds.
    pub touch_ms: f64,
    /// The piece leaves the board, milliseconds.
    pub lift_ms: Option<f64>,
    /// It stands again, milliseconds.
    pub place_ms: Option<f64>,
    /// Last contact, milliseconds.
    pub release_ms: f64,
    /// Where it stands then.
    pub to: Option<Square>,
    /// P(this contact took place).
    pub probability: f64,
    /// No hand was seen at the piece: its times are guessed from the squares.
    pub guessed: bool,
    /// The next contact takes the piece up again from here, so soon that this one may have gone on:
    /// `probability` is of its having been let go.
    pub resumed: bool,
}

/// From letting one piece go to holding the next, milliseconds.
pub(super) const HAND_OVER_MS: f64 = 250.0;

impl Draft {
    /// A hand that holds one piece does not hold another: what is only guessed begins when the
    /// other has been let go.
    pub(super) fn wait_for(&mut self, other: &Self) {
        let before = other.release_ms + HAND_OVER_MS;
        if self.guessed && self.touch_ms < before && before < self.release_ms {
            self.touch_ms = before;
            self.lift_ms = self.lift_ms.map(|ms| ms.max(before));
            self.place_ms = self.place_ms.map(|ms| ms.max(before));
        }
    }

    /// Moves all times by `by_ms`, none before the recording begins.
    fn shift(&mut self, by_ms: f64) {
        self.touch_ms = (self.touch_ms + by_ms).max(0.0);
        let touch_ms = self.touch_ms;
        let later = |ms: f64| (ms + by_ms).max(touch_ms);
        self.release_ms = (self.release_ms + by_ms).max(touch_ms);
        self.lift_ms = self.lift_ms.map(later);
        self.place_ms = self.place_ms.map(later);
    }
}

/// One piece that went from a square to another or off the board, or came from beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Origin; `None` beside the board.
    pub from: Option<Square>,
    /// Target; `None` beside the board.
    pub to: Option<Square>,
    /// The piece.
    pub piece: Piece,
    /// Kind of contact it makes.
    pub kind: ContactKind,
}

/// What a legal move does with each piece: victims first, as most players do.
#[must_use]
pub fn parts_of(m: &Move, mover: Color) -> Vec<Part> {
    let own = |role: Role| Piece { color: mover, role };
    let shift = |from: Square, to: Square, role: Role| Part {
        from: Some(from),
        to: Some(to),
        piece: own(role),
        kind: ContactKind::Move,
    };
    let victim = |square: Square, role: Role| Part {
        from: Some(square),
        to: None,
        piece: Piece {
            color: !mover,
            role,
        },
        kind: ContactKind::CaptureRemoval,
    };
    match *m {
        Move::Normal {
            role,
            from,
            to,
            capture,
            promotion,
        } => {
            let mut parts: Vec<Part> = capture.map(|r| victim(to, r)).into_iter().collect();
            parts.push(shift(from, to, role));
            if let Some(new) = promotion {
                parts.push(Part {
                    from: Some(to),
                    to: None,
                    piece: own(Role::Pawn),
                    kind: ContactKind::PromotionRemoval,
                });
                parts.push(Part {
                    from: None,
                    to: Some(to),
                    piece: own(new),
                    kind: ContactKind::PromotionPlacement,
                });
            }
            parts
        }
        Move::EnPassant { from, to } => vec![
            victim(Square::from_coords(to.file(), from.rank()), Role::Pawn),
            shift(from, to, Role::Pawn),
        ],
        Move::Castle { king, rook } => m
            .castling_side()
            .map(|side| {
                vec![
                    shift(king, side.king_to(mover), Role::King),
                    shift(rook, side.rook_to(mover), Role::Rook),
                ]
            })
            .unwrap_or_default(),
        Move::Put { .. } => Vec::new(),
    }
}

/// Height at which fingers hold a piece, squares: the median of tournament sets.
pub(super) fn grip_height(role: Role) -> f64 {
    match role {
        Role::Pawn => 0.69,
        Role::Rook => 0.80,
        Role::Knight => 0.83,
        Role::Bishop => 0.95,
        Role::Queen => 1.20,
        Role::King => 1.28,
    }
}

/// Where fingers hold a piece on its square, as seen in the picture.
#[derive(Debug, Clone, Copy)]
pub struct Grip {
    image_px: [f64; 2],
    square_px: f64,
}

impl Grip {
    pub(super) fn new(view: &BoardView, square: Square, role: Role) -> Self {
        let [x, y] = square_centre(square);
        Self {
            image_px: view.project([x, y, grip_height(role)]),
            square_px: view.square_px([x, y]).max(1.0),
        }
    }

    /// Distance of a pinch (image pixels) from the grip, squares.
    pub(super) fn distance(&self, pinch_px: [f64; 2]) -> f64 {
        let [x, y] = self.image_px;
        (pinch_px[0] - x).hypot(pinch_px[1] - y) / self.square_px
    }
}

/// Distance of a dwelling hand from a piece's grip as seen in the picture, squares.
#[must_use]
pub fn grip_distance(view: &BoardView, dwell: &Dwell, square: Square, role: Role) -> f64 {
    Grip::new(view, square, role).distance(dwell.pinch_px)
}

/// Corrections from when a hand is near a grip to contact times, milliseconds: medians over
/// rendered training clips (see `models/MODELS.md`).
pub struct Timing {
    /// A touch comes so long after arrival.
    pub touch: f64,
    /// A lift after (before, when negative) leaving.
    pub lift: f64,
    /// A place after arrival.
    pub place: f64,
    /// A release after leaving.
    pub release: f64,
}

/// For a hand that dwells at the grip.
pub const TIMING: Timing = Timing {
    touch: 45.0,
    lift: -30.0,
    place: 55.0,
    release: -135.0,
};

/// Farthest that a dwell may be from the grip of a piece that it moved, squares.
pub(super) const REACH: f64 = 1.3;

/// Where hands dwelt and what they held.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Held {
    /// Dwells by time of arrival.
    pub dwells: Vec<Dwell>,
    /// Grasps by time of touch.
    pub grasps: Vec<Grasp>,
}

/// Indices of the dwells and grasps that carried something out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Used {
    /// Of [`Scene::dwells`].
    pub dwells: Vec<usize>,
    /// Of [`Scene::grasps`].
    pub grasps: Vec<usize>,
}

/// What contacts are inferred from.
pub struct Scene<'a> {
    /// The view in force.
    pub view: &'a BoardView,
    /// The position before the move.
    pub before: &'a Chess,
    /// Dwells by time of arrival.
    pub dwells: &'a [Dwell],
    /// Grasps by time of touch.
    pub grasps: &'a [Grasp],
    /// The hands' ways, for pieces moved too quickly for a dwell.
    pub ways: &'a Ways,
    /// Beliefs, for the times of squares where no hand was seen.
    pub beliefs: &'a Beliefs,
    /// From a release to the last stir of its square, as the hand goes away, milliseconds.
    pub retreat_ms: f64,
    /// Nothing before this belongs to the turn, milliseconds.
    pub since_ms: f64,
    /// Now, milliseconds.
    pub now_ms: f64,
}

/// Milliseconds without a fraction: more would claim too much.
pub(super) fn whole(ms: f64) -> f64 {
    ms.max(0.0).round()
}

/// The release that makes the move: the last one of a piece that stays on the board, or, en
/// passant, of the pawn taken off last.
pub(super) fn made_at(drafts: &[Draft], now_ms: f64) -> f64 {
    let stays = |d: &&Draft| matches!(d.kind, ContactKind::Move | ContactKind::PromotionPlacement);
    let replaced = |square| drafts.iter().any(|d| d.to == square);
    let beside = |d: &&Draft| d.kind == ContactKind::CaptureRemoval && !replaced(d.from);
    let made = drafts
        .iter()
        .filter(|d| stays(d) || beside(d))
        .map(|d| d.release_ms)
        .fold(f64::NEG_INFINITY, f64::max);
    if made.is_finite() {
        whole(made.min(now_ms))
    } else {
        whole(now_ms)
    }
}

/// A move whose times are only estimated ends before the reply begins.
pub(super) fn in_turn(carried: &mut [Vec<Draft>]) {
    for i in (1..carried.len()).rev() {
        let reply_ms = carried[i]
            .iter()
            .map(|d| d.touch_ms)
            .fold(f64::INFINITY, f64::min);
        let end_ms = carried[i - 1]
            .iter()
            .map(|d| d.release_ms)
            .fold(f64::NEG_INFINITY, f64::max);
        let estimated = carried[i - 1].iter().any(|d| d.hand.is_none());
        if estimated && end_ms > reply_ms - 50.0 {
            for draft in &mut carried[i - 1] {
                draft.shift(reply_ms - 50.0 - end_ms);
            }
        }
    }
}
