//! Labelled ply sequences: folders of single pictures of one game, far apart in time, with what
//! stands on the board in each (`truth.json`). Fields that are not named here are left aside.
//!
//! Image points are pixels, origin at the top-left corner of the top-left pixel.

use serde::{Deserialize, Deserializer, Serialize, de::Error};
use shakmaty::Board;

use crate::calibration::view::Corners;

/// `truth.json` of one sequence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SequenceTruth {
    /// Version of the format: 1.
    pub format: u32,
    /// Name of the folder.
    pub name: String,
    /// `real` or `rendered`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Corners in all pictures that do not have their own.
    #[serde(default)]
    pub corners: Option<Corners>,
    /// Position before the first move; none for single pictures that belong to no game.
    #[serde(default)]
    pub start_fen: Option<String>,
    /// The pictures in time order.
    pub frames: Vec<Picture>,
    /// The whole game in UCI; empty for single pictures.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl SequenceTruth {
    /// Where the board lies in a picture: its own corners, else the sequence's.
    #[must_use]
    pub fn corners_in(&self, picture: &Picture) -> Option<Corners> {
        picture.corners.or(self.corners)
    }
}

/// One labelled picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// Path within the folder.
    pub file: String,
    /// Number of the frame in the source video.
    #[serde(default)]
    pub source_frame: Option<u64>,
    /// What stands: the first field of a FEN, checked on reading.
    #[serde(deserialize_with = "placement")]
    pub placement: String,
    /// Number of moves made to reach it; none for single pictures.
    #[serde(default)]
    pub ply: Option<usize>,
    /// Whether a hand, arm or sleeve covers squares; none where that is unclear.
    #[serde(default)]
    pub hand: Option<bool>,
    /// Corners in this picture alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corners: Option<Corners>,
    /// A piece is in the air: `placement` still has it on the square that it left.
    #[serde(default)]
    pub in_motion: bool,
    /// Something else than a hand that covers squares, as `head`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occluder: Option<String>,
}

/// A placement that says what stands on all 64 squares.
fn placement<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    match text.parse::<Board>() {
        Ok(_) => Ok(text),
        Err(why) => Err(D::Error::custom(format!(
            "\"{text}\" is not a placement: {why}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<SequenceTruth, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn a_picture_may_have_its_own_corners() -> Result<(), serde_json::Error> {
        let truth = parse(
            r#"{"format": 1, "name": "stills", "corners": null, "start_fen": null, "width": null,
                "frames": [
                  {"file": "a.jpg", "placement": "8/8/8/8/8/8/8/8", "ply": null, "hand": null,
                   "corners": {"a1": [0, 8], "h1": [8, 8], "h8": [8, 0], "a8": [0, 0]}},
                  {"file": "b.jpg", "placement": "8/8/8/8/8/8/8/K6k", "label": "moved"}
                ]}"#,
        )?;
        let [a, b] = &truth.frames[..] else {
            panic!("two pictures");
        };
        assert_eq!(truth.corners_in(a).map(|c| c.h1), Some([8.0, 8.0]));
        assert_eq!(truth.corners_in(b), None);
        assert_eq!((b.ply, b.hand, b.in_motion), (None, None, false));
        assert!(truth.moves.is_empty());
        assert_eq!(parse(&serde_json::to_string(&truth)?)?, truth);
        Ok(())
    }

    #[test]
    fn a_wrong_placement_is_named_with_its_line() {
        let text = "{\"format\": 1, \"name\": \"x\", \"frames\": [\n\
                    {\"file\": \"a.jpg\", \"placement\": \"9/8\"}]}";
        let why = parse(text).unwrap_err().to_string();
        assert!(why.contains("\"9/8\" is not a placement"), "{why}");
        assert!(why.contains("line 2"), "{why}");
    }
}
