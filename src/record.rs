//! What is known of a game on video: contacts, moves, incidents. The same rows serve as labels
//! (`NAME.truth.json`) and as results (`result.json`); a result adds probabilities and severities.
//!
//! Times are milliseconds from the first frame. Image points are pixels, origin at the top-left
//! corner of the top-left pixel.

use serde::{Deserialize, Serialize};

use crate::calibration::{view::Corners, window::Window};

/// One clip's labels or one run's findings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Version of this format: 1.
    pub format: u32,
    /// Name of the clip, without extension.
    pub clip: String,
    /// `real`, `rendered`, or absent in a result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Mean frames a second over the clip.
    pub fps: f64,
    /// Frames read.
    pub frames: u64,
    /// Picture width, pixels.
    pub width: u32,
    /// Picture height, pixels.
    pub height: u32,
    /// The part of the recording's picture that this is, where there are several boards in it: all
    /// points count from its upper left corner (results only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
    /// Outer corners of the 64 squares in the first frame.
    pub corners: Corners,
    /// Later corners, where the camera or the board was moved.
    #[serde(default)]
    pub corner_changes: Vec<CornerChange>,
    /// The recording's files, where it is in several (results only).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// Position at the start.
    pub start_fen: String,
    /// Edition of the Laws, as `fide-2023`.
    pub laws: String,
    /// Episodes of one hand and one piece, by time of touch.
    #[serde(default)]
    pub contacts: Vec<Contact>,
    /// A hand over the board that touches nothing.
    #[serde(default)]
    pub hover: Vec<PlayerSpan>,
    /// Somebody listened: that nothing was said means something (results only).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub listened: bool,
    /// What was said.
    #[serde(default)]
    pub speech: Vec<Speech>,
    /// Presses of the clock.
    #[serde(default)]
    pub clock: Vec<ClockPress>,
    /// What disturbed the picture.
    #[serde(default)]
    pub disturbances: Vec<Disturbance>,
    /// What was played, illegal moves included.
    #[serde(default)]
    pub moves: Vec<PlayedMove>,
    /// What an arbiter should be shown.
    #[serde(default)]
    pub incidents: Vec<Incident>,
    /// Moves that were made and taken back; they do not stand among the moves (results only).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub take_backs: Vec<TakeBack>,
    /// Times in which the board did not show the game (results only).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub out_of_step: Vec<OutOfStep>,
    /// How the players showed that the game ended, to be confirmed by a person (results only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_sign: Option<ResultSign>,
    /// Labels that could not be fixed to within two frames, as `contacts[4].touch_ms`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsure: Vec<String>,
    /// Spans with a hand, arm or sleeve over the 64 squares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hands_over_board: Option<Vec<HandSpan>>,
    /// Free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<Notes>,
}

/// Notes as one text or as lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Notes {
    /// One text.
    Text(String),
    /// Lines.
    Lines(Vec<String>),
}

impl Notes {
    /// The lines.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        match self {
            Self::Text(text) => vec![text.clone()],
            Self::Lines(lines) => lines.clone(),
        }
    }
}

/// White or Black, as written in the format.
#[cfg_attr(feature = "station", derive(utoipa::ToSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// The player of the white pieces.
    White,
    /// The player of the black pieces.
    Black,
}

impl From<shakmaty::Color> for Player {
    fn from(color: shakmaty::Color) -> Self {
        color.fold_wb(Self::White, Self::Black)
    }
}

impl From<Player> for shakmaty::Color {
    fn from(player: Player) -> Self {
        match player {
            Player::White => Self::White,
            Player::Black => Self::Black,
        }
    }
}

/// Left or right hand.
#[cfg_attr(feature = "station", derive(utoipa::ToSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HandSide {
    /// The left hand.
    Left,
    /// The right hand.
    Right,
}

/// One file of a recording in several.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Name of the file.
    pub file: String,
    /// When it begins.
    pub ms: f64,
}

/// Corners from a time on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CornerChange {
    /// From when.
    pub ms: f64,
    /// Where the corners are then.
    pub corners: Corners,
}

/// What a contact was.
#[cfg_attr(feature = "station", derive(utoipa::ToSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContactKind {
    /// The piece was moved.
    Move,
    /// A captured piece was taken off.
    CaptureRemoval,
    /// Touched and left.
    Touch,
    /// Put right on its square.
    Adjust,
    /// Grazed in passing.
    Brush,
    /// A promoting pawn was taken off.
    PromotionRemoval,
    /// The new piece was put on.
    PromotionPlacement,
}

/// One episode of one hand holding or touching one piece.
#[cfg_attr(feature = "station", derive(utoipa::ToSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// Number within the clip, from 1.
    pub id: u32,
    /// Whose hand.
    pub player: Player,
    /// Which hand, where known.
    pub hand: Option<HandSide>,
    /// Where the piece stood when it was touched; none beside the board.
    pub square: Option<String>,
    /// FEN letter.
    pub piece: String,
    /// What it was.
    pub kind: ContactKind,
    /// First contact.
    pub touch_ms: f64,
    /// Base leaves the board.
    pub lift_ms: Option<f64>,
    /// Base is on the board again.
    pub place_ms: Option<f64>,
    /// Last contact.
    pub release_ms: f64,
    /// Square at release; none off the board.
    pub to: Option<String>,
    /// How likely it is that this contact took place (results only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
}

/// A span of one player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayerSpan {
    /// Whose hand.
    pub player: Player,
    /// Begin.
    pub from_ms: f64,
    /// End.
    pub to_ms: f64,
}

/// A span with a hand over the board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HandSpan {
    /// Whose hand.
    pub player: Player,
    /// Which hand, where known.
    #[serde(default)]
    pub hand: Option<HandSide>,
    /// Begin.
    pub from_ms: f64,
    /// End.
    pub to_ms: f64,
}

/// Something said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Speech {
    /// Who spoke; not known in results.
    pub player: Option<Player>,
    /// When it began.
    pub ms: f64,
    /// What; empty where a person noted that something was said.
    pub phrase: String,
    /// For how long, milliseconds (results only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
    /// How likely it is that it was said (results only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
}

/// One press of the clock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClockPress {
    /// Who pressed.
    pub player: Player,
    /// With which hand, where known.
    pub hand: Option<HandSide>,
    /// When.
    pub ms: f64,
    /// How likely it is that the clock was pressed (results only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
}

/// A move that was made and taken back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TakeBack {
    /// UCI, castling as the king's move.
    pub uci: String,
    /// SAN, or a description of an illegal move.
    pub san: String,
    /// The release that had made it.
    pub made_ms: f64,
    /// When the position before it stood again.
    pub ms: f64,
}

/// A time in which the board did not show the game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutOfStep {
    /// Since when.
    pub from_ms: f64,
    /// Until when; none when it was still so at the end.
    pub to_ms: Option<f64>,
    /// Squares that showed something else, as last seen.
    pub squares: Vec<String>,
    /// How it ended.
    pub end: Option<StepEnd>,
}

/// How a time out of step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepEnd {
    /// The position was put right.
    PutRight,
    /// Moves were found that lead to what stands; they are marked as inferred.
    Inferred,
    /// The position before some moves stands again.
    TakenBack,
    /// The position from which the game began stands again.
    SetUpAgain,
    /// The kings say how the game ended.
    Result,
}

/// How the players showed that the game ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultSign {
    /// Since when it stands.
    pub ms: f64,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// What says so.
    pub by: ResultBy,
    /// Where the white king stands.
    pub white_king: String,
    /// Where the black king stands.
    pub black_king: String,
    /// How likely it is that this was meant.
    pub probability: f64,
}

/// What says how a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultBy {
    /// Kings put in the centre, by the convention of electronic boards.
    KingsInTheCentre,
}

/// Something that disturbed the picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Disturbance {
    /// `bump`, `light`, `head` or `sleeve`.
    pub kind: String,
    /// Begin.
    pub from_ms: f64,
    /// End.
    pub to_ms: f64,
}

/// One move as played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayedMove {
    /// UCI, castling as the king's move.
    pub uci: String,
    /// SAN, or a description of an illegal move.
    pub san: String,
    /// Whether it was legal.
    pub legal: bool,
    /// The release that made it.
    pub made_ms: f64,
    /// The press of the clock that completed it, where the clock is watched (results only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_ms: Option<f64>,
    /// Nobody saw it played: it leads from what stood before to what stood after (results only).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
    /// How likely it is that this was the move (results only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
}

/// How much of an arbiter's time an incident deserves.
#[cfg_attr(feature = "station", derive(utoipa::ToSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Kept, not shown unasked.
    Log,
    /// Unclear: a person should look.
    Review,
    /// Very likely a breach.
    Alert,
}

/// A verdict worth a person's time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Incident {
    /// As `touch_move`, `illegal_move`, `two_hands`, `castling_rook_first`, ...
    pub kind: String,
    /// Whose breach.
    pub player: Player,
    /// When it was complete.
    pub ms: f64,
    /// Article of the edition.
    pub article: String,
    /// The contact that created the obligation.
    pub contact: Option<u32>,
    /// Legal moves that would have fulfilled it, UCI, sorted.
    #[serde(default)]
    pub obliged: Vec<String>,
    /// P(breach) (results only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// Severity (results only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// Why, as a chain of small facts (results only).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explanation: Vec<String>,
}
