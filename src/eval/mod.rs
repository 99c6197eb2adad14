//! Labelled clips and ply sequences to figures: counts beside rates, per clip and in total.

mod clips;
mod matching;
mod sequences;
mod table;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use clips::{ClipScore, Counts, Miss, score_clip};
pub use matching::{edit_distance, match_nearest};
pub use sequences::{
    BoardCounts, Picture, Reading, SequenceScore, SequenceTruth, Tracked, score_sequence,
};
pub use table::render;

use crate::record::Record;

/// Extensions of videos that may stand beside a label.
const VIDEOS: [&str; 5] = ["mp4", "avi", "mkv", "mov", "webm"];

/// Something labelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Case {
    /// A video with its label file.
    Clip {
        /// The video.
        video: PathBuf,
        /// Its labels.
        truth: PathBuf,
    },
    /// A folder of pictures with its label file.
    Sequence {
        /// The folder.
        folder: PathBuf,
    },
}

/// Why nothing can be scored.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// The folder cannot be listed.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// No labels in it.
    #[error("{}: no labelled clips (NAME.truth.json beside NAME.mp4 or .avi) or sequences (truth.json beside frames/) in this folder", .0.display())]
    Nothing(PathBuf),
}

/// Finds labelled clips and sequences below a folder, in the order of their paths.
///
/// # Errors
/// [`EvalError`].
pub fn discover(folder: &Path) -> Result<Vec<Case>, EvalError> {
    let mut cases = Vec::new();
    walk(folder, &mut cases)?;
    if cases.is_empty() {
        return Err(EvalError::Nothing(folder.to_owned()));
    }
    Ok(cases)
}

fn walk(folder: &Path, cases: &mut Vec<Case>) -> Result<(), EvalError> {
    let io = |source| EvalError::Io {
        path: folder.to_owned(),
        source,
    };
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(io)?
        .filter_map(|e| e.ok().map(|e| e.path()))
        .collect();
    entries.sort();
    for path in entries {
        let name = path
            .file_name()
            .and_then(|n| n.to_str())
            .unwrap_or_default();
        if path.is_dir() {
            if path.join("truth.json").is_file() {
                cases.push(Case::Sequence { folder: path });
            } else {
                walk(&path, cases)?;
            }
        } else if let Some(stem) = name.strip_suffix(".truth.json") {
            let video = VIDEOS
                .iter()
                .map(|e| folder.join(format!("{stem}.{e}")))
                .find(|v| v.is_file());
            cases.extend(video.map(|video| Case::Clip {
                video,
                truth: path.clone(),
            }));
        }
    }
    Ok(())
}

/// Runs the product over one case; the program's own networks stand behind it.
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

/// One row of a report: a score, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row<S> {
    /// Path below the folder.
    pub name: String,
    /// The figures; a failed run counts all labels as missed.
    pub score: S,
    /// Why the run failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
}

/// All figures.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Clips.
    pub clips: Vec<Row<ClipScore>>,
    /// Sequences.
    pub sequences: Vec<Row<SequenceScore>>,
    /// Label files that could not be read, with the reason.
    pub unreadable: Vec<(String, String)>,
}

/// Runs and scores everything below a folder; `note` is told what begins.
///
/// # Errors
/// [`EvalError`]. What goes wrong with one clip is in its row.
pub fn run(
    folder: &Path,
    runner: &mut dyn Runner,
    note: &mut dyn FnMut(&str),
) -> Result<Report, EvalError> {
    let mut report = Report::default();
    for case in discover(folder)? {
        let (Case::Clip { truth: path, .. } | Case::Sequence { folder: path }) = &case;
        let name = path
            .strip_prefix(folder)
            .unwrap_or(path)
            .display()
            .to_string();
        let name = name.trim_end_matches(".truth.json").to_owned();
        note(&name);
        let outcome = match &case {
            Case::Clip { video, truth } => {
                clip(video, truth, &name, runner).map(|r| report.clips.push(r))
            }
            Case::Sequence { folder } => {
                sequence(folder, &name, runner).map(|r| report.sequences.push(r))
            }
        };
        if let Err(why) = outcome {
            report.unreadable.push((name, why));
        }
    }
    Ok(report)
}

fn parse<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    serde_json::from_str(&text).map_err(|e| e.to_string())
}

fn clip(
    video: &Path,
    truth: &Path,
    name: &str,
    runner: &mut dyn Runner,
) -> Result<Row<ClipScore>, String> {
    let truth: Record = parse(truth)?;
    let (found, speed, error) = match runner.clip(video, &truth.start_fen, &truth.laws) {
        Ok((found, speed)) => (found, speed, None),
        Err(why) => {
            let nothing = Record {
                contacts: Vec::new(),
                moves: Vec::new(),
                incidents: Vec::new(),
                ..truth.clone()
            };
            (nothing, 0.0, Some(why))
        }
    };
    Ok(Row {
        name: name.to_owned(),
        score: score_clip(&truth, &found, speed),
        error,
    })
}

fn sequence(
    folder: &Path,
    name: &str,
    runner: &mut dyn Runner,
) -> Result<Row<SequenceScore>, String> {
    let truth: SequenceTruth = parse(&folder.join("truth.json"))?;
    let (readings, tracked, speed, error) = match runner.sequence(folder, &truth) {
        Ok((readings, tracked, speed)) => (readings, tracked, speed, None),
        Err(why) => (Vec::new(), Tracked::default(), 0.0, Some(why)),
    };
    Ok(Row {
        name: name.to_owned(),
        score: score_sequence(&truth, &readings, &tracked, speed),
        error,
    })
}
