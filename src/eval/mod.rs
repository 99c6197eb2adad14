//! Labelled clips and ply sequences in, figures out: counts beside rates, per clip and in total.
//!
//! [`run`] finds the labels below a folder, has a [`Runner`] run the program over each, and scores
//! what comes back. [`render`] makes a table of the [`Report`] for people; its serde form is the
//! JSON for programs:
//!
//! ```jsonc
//! {
//!   "format": 1,
//!   "clips": [{
//!     "name": "rendered/x", "open": "bench/rendered/x.mp4", "error": "...",  // error: only if the run failed
//!     "score": {
//!       "moves": {"labelled", "edit_distance", "exact": {"part", "of"}},
//!       "touch" | "lift" | "place" | "release": {"tp", "fp", "fn", "median_error_ms", "errors_ms": [found - labelled]},
//!       "kind": {"part", "of"},
//!       "incidents": {"tp", "fp", "fn", "alerts", "reviews", "article", "obliged": {"part", "of"}},
//!       "frames", "hours", "corner_error_squares", "frames_per_second",
//!       "events": [{"what", "how": "false" | "missed" | "wrong", "ms", "detail"}]   // where to look
//!     }
//!   }],
//!   "sequences": [{
//!     "name", "open", "error",
//!     "score": {
//!       "all" | "hand_false": {"squares", "occupancy", "colours", "boards", "plies": {"part", "of"},
//!                              "pictures_by_wrong_squares": {"0": 12}, "median_wrong_squares"},
//!       "moves", "hand_recall": {"part", "of"}, "hand_false_positive": {"part", "of"},
//!       "pictures", "pictures_per_second",
//!       "bad_pictures": [{"file", "wrong_squares": ["e4 P read as -"], "ply": [label, tracked], "hand"}]
//!     }
//!   }],
//!   "unreadable": [{"name", "why"}],
//!   "totals": {"clips": {...}, "sequences": {...}}        // the same fields, added up
//! }
//! ```
//!
//! A rate of nothing, or a figure that was not measured, is `null`.

mod cases;
mod clips;
mod counts;
mod events;
mod matching;
mod sequences;
mod table;
#[cfg(test)]
mod tests;
mod totals;

use std::path::Path;

use serde::{Deserialize, Serialize};

pub use cases::{
    Case, CaseKind, EvalError, TruthError, discover, read_clip_truth, read_sequence_truth,
};
pub use clips::{ClipScore, IncidentScore, MoveScore, TimeScore, score_clip, score_failed_clip};
pub use counts::{Counts, Share, median};
pub use events::{Event, How, What};
pub use matching::{Matching, edit_distance, match_nearest};
pub use sequences::{BadPicture, BoardScore, Reading, SequenceScore, Tracked, score_sequence};
pub use table::render;
pub use totals::{ClipTotals, SequenceTotals, Totals};

use crate::record::Record;
pub use crate::sequence::{Picture, SequenceTruth};

/// Runs the program over one case.
pub trait Runner {
    /// Reviews a clip, given only its start position and edition: the record and the speed in
    /// frames a second.
    ///
    /// # Errors
    /// In words, why the run failed.
    fn clip(&mut self, video: &Path, start_fen: &str, laws: &str) -> Result<(Record, f64), String>;

    /// Reads and tracks a sequence, with its corners given: readings, the tracked game and the
    /// speed in pictures a second.
    ///
    /// # Errors
    /// In words, why the run failed.
    fn sequence(
        &mut self,
        folder: &Path,
        truth: &SequenceTruth,
    ) -> Result<(Vec<Reading>, Tracked, f64), String>;
}

/// One case of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row<S> {
    /// Path below the folder, without extension.
    pub name: String,
    /// What to open to see it.
    pub open: String,
    /// The figures; a run that failed has all labels missed.
    pub score: S,
    /// Why the run failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
}

/// Labels that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unreadable {
    /// Path below the folder, without extension.
    pub name: String,
    /// Why, with the place in the file.
    pub why: String,
}

/// All figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version of this form: 1.
    pub format: u32,
    /// Clips.
    pub clips: Vec<Row<ClipScore>>,
    /// Sequences.
    pub sequences: Vec<Row<SequenceScore>>,
    /// Cases that could not be scored at all.
    pub unreadable: Vec<Unreadable>,
    /// Added up.
    pub totals: Totals,
}

impl Report {
    /// Adds up the rows.
    #[must_use]
    pub fn new(
        clips: Vec<Row<ClipScore>>,
        sequences: Vec<Row<SequenceScore>>,
        unreadable: Vec<Unreadable>,
    ) -> Self {
        let totals = Totals {
            clips: clips.iter().collect(),
            sequences: sequences.iter().collect(),
        };
        Self {
            format: 1,
            clips,
            sequences,
            unreadable,
            totals,
        }
    }
}

/// Runs and scores everything below a folder; `note` is told the name of each case as it begins.
///
/// # Errors
/// [`EvalError`]. What goes wrong with one case is in its row, and the rest goes on.
pub fn run(
    folder: &Path,
    runner: &mut dyn Runner,
    note: &mut dyn FnMut(&str),
) -> Result<Report, EvalError> {
    let (mut clips, mut sequences, mut unreadable) = (Vec::new(), Vec::new(), Vec::new());
    for case in discover(folder)? {
        note(&case.name);
        let outcome = match &case.kind {
            CaseKind::Clip(video) => {
                clip(&case, video.as_deref(), runner).map(|row| clips.push(row))
            }
            CaseKind::Sequence(folder) => {
                sequence(&case, folder, runner).map(|row| sequences.push(row))
            }
        };
        if let Err(why) = outcome {
            unreadable.push(Unreadable {
                name: case.name,
                why: why.to_string(),
            });
        }
    }
    Ok(Report::new(clips, sequences, unreadable))
}

fn clip(
    case: &Case,
    video: Option<&Path>,
    runner: &mut dyn Runner,
) -> Result<Row<ClipScore>, TruthError> {
    let truth = read_clip_truth(&case.truth)?;
    let outcome = video
        .ok_or_else(|| "there is no video beside its labels".to_owned())
        .and_then(|video| runner.clip(video, &truth.start_fen, &truth.laws));
    Ok(match outcome {
        Ok((found, speed)) => {
            let score = ClipScore {
                frames_per_second: finite(speed),
                ..score_clip(&truth, &found)
            };
            row(case, score, None)
        }
        Err(why) => row(case, score_failed_clip(&truth), Some(why)),
    })
}

fn sequence(
    case: &Case,
    folder: &Path,
    runner: &mut dyn Runner,
) -> Result<Row<SequenceScore>, TruthError> {
    let truth = read_sequence_truth(&case.truth)?;
    Ok(match runner.sequence(folder, &truth) {
        Ok((readings, tracked, speed)) => {
            let score = SequenceScore {
                pictures_per_second: finite(speed),
                ..score_sequence(&truth, &readings, Some(&tracked))
            };
            row(case, score, None)
        }
        Err(why) => row(case, score_sequence(&truth, &[], None), Some(why)),
    })
}

fn row<S>(case: &Case, score: S, error: Option<String>) -> Row<S> {
    Row {
        name: case.name.clone(),
        open: case.to_open().display().to_string(),
        score,
        error,
    }
}

fn finite(speed: f64) -> Option<f64> {
    (speed.is_finite() && speed > 0.0).then_some(speed)
}
