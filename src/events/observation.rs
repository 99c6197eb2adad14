//! What was seen in one frame: the only thing that everything below runs from, live or replayed.

use serde::{Deserialize, Serialize};

use super::announcement::Announcement;
use crate::{calibration::view::Corners, record::HandSide};

/// Number of contents a square can have: empty and twelve pieces.
pub const CONTENTS: usize = 13;

/// One frame as seen. Values are rounded where they are made, so that a logged observation and a
/// live one are the same to the last bit.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Observation {
    /// Capture time, milliseconds from the first frame.
    pub t_ms: f64,
    /// Squares read in this frame; the others look as they did when they were last read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub squares: Vec<SquareReading>,
    /// Bit set (a1 = bit 0) of the squares in whose volume something moves.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub moving: u64,
    /// Bit set of the squares that look different from when they were last read.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub changed: u64,
    /// Bit set of the squares that are at rest but do not look as they did when they were last
    /// learnt.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub altered: u64,
    /// Bit set of the squares whose look was learnt since the frame before, as they stood then.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub learnt: u64,
    /// Bit set of the squares of which hands and arms hide a good part.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub covered: u64,
    /// Hands in view.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hands: Vec<HandReading>,
    /// The board's corners from this frame on, where they differ from before (image pixels).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corners: Option<Corners>,
    /// The whole picture changes: a lamp, the exposure, a knock.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub disturbed: bool,
    /// Announcements that became known since the frame before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub announced: Vec<Announcement>,
}

fn is_zero(bits: &u64) -> bool {
    *bits == 0
}

/// One square as read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SquareReading {
    /// 0 = a1, 1 = b1, ... 63 = h8.
    pub square: u8,
    /// Probability that a hand, an arm or a held piece hides more than a quarter of it.
    pub hidden: f32,
    /// Log probability of each content: empty, P, N, B, R, Q, K, p, n, b, r, q, k.
    pub log_p: [f32; CONTENTS],
}

/// One hand as seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HandReading {
    /// The same number for as long as the hand is followed.
    pub id: u32,
    /// Left or right, as the model has it so far.
    pub side: HandSide,
    /// Probability that this is a hand.
    pub presence: f32,
    /// 1: reaches in from White's side; -1: from Black's.
    pub from_white: f32,
    /// Where thumb and fingers meet, or would, image pixels.
    pub pinch_px: [f32; 2],
    /// Finger tips, thumb to little finger, image pixels.
    pub tips_px: [[f32; 2]; 5],
    /// The wrist, image pixels.
    pub wrist_px: [f32; 2],
    /// Middle of the knuckles, image pixels.
    pub knuckles_px: [f32; 2],
    /// Height of the pinch point over the board, squares.
    pub height_squares: f32,
    /// Width between thumb and index finger, squares.
    pub aperture_squares: f32,
    /// Probability that it touches a piece.
    pub touches: f32,
    /// Probability that it holds a piece in the air.
    pub lifts: f32,
}

/// Index into [`SquareReading::log_p`].
#[must_use]
pub fn content_index(piece: Option<shakmaty::Piece>) -> usize {
    piece.map_or(0, |p| p.role as usize + p.color.fold_wb(0, 6))
}

/// The piece of an index into [`SquareReading::log_p`].
#[must_use]
pub fn content_piece(index: usize) -> Option<shakmaty::Piece> {
    let role = shakmaty::Role::try_from((index.checked_sub(1)? % 6) as u32 + 1).ok()?;
    let color = shakmaty::Color::from_white(index <= 6);
    (index < CONTENTS).then_some(shakmaty::Piece { color, role })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::Phrase;

    #[test]
    fn contents_are_numbered_in_fen_order() {
        for (index, letter) in ".PNBRQKpnbrqk".chars().enumerate() {
            let piece = shakmaty::Piece::from_char(letter);
            assert_eq!(content_index(piece), index);
            assert_eq!(content_piece(index), piece);
        }
        assert_eq!(content_piece(13), None);
    }

    #[test]
    fn an_observation_survives_its_log_line() {
        let observation = Observation {
            t_ms: 33.366_7,
            squares: vec![SquareReading {
                square: 12,
                hidden: 0.01,
                log_p: [-0.123; CONTENTS],
            }],
            moving: u64::MAX,
            changed: 0,
            altered: 0,
            learnt: 0,
            covered: 1 << 63,
            hands: vec![HandReading {
                id: 1,
                side: HandSide::Left,
                presence: 0.99,
                from_white: -0.4,
                pinch_px: [12.3, 45.6],
                tips_px: [[1.1, 639.9]; 5],
                wrist_px: [7.0, 8.1],
                knuckles_px: [9.0, 10.5],
                height_squares: 0.83,
                aperture_squares: 0.41,
                touches: 0.91,
                lifts: 0.125,
            }],
            corners: None,
            disturbed: false,
            announced: vec![Announcement {
                ms: 31.0,
                duration_ms: 640.0,
                phrase: Some(Phrase::Jadoube),
                probability: 0.875,
            }],
        };
        let line = serde_json::to_string(&observation).unwrap();
        assert_eq!(
            serde_json::from_str::<Observation>(&line).unwrap(),
            observation
        );
    }
}
