//! Finding labelled clips and sequences below a folder, and reading their labels.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use serde::de::DeserializeOwned;

use crate::{record::Record, sequence::SequenceTruth};

/// Extensions of videos that may stand beside a label, in order of preference.
const VIDEOS: [&str; 6] = ["mp4", "avi", "mkv", "mov", "webm", "m4v"];
/// The version of both formats that is understood.
const FORMAT: u32 = 1;

/// Something labelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Path below the folder that was searched, without extension.
    pub name: String,
    /// The labels.
    pub truth: PathBuf,
    /// What is labelled.
    pub kind: CaseKind,
}

/// What is labelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CaseKind {
    /// A video; none where there is none beside the labels.
    Clip(Option<PathBuf>),
    /// A folder of pictures.
    Sequence(PathBuf),
}

impl Case {
    /// What a person opens to see it: the video, the folder, or the labels without a video.
    #[must_use]
    pub fn to_open(&self) -> &Path {
        match &self.kind {
            CaseKind::Clip(video) => video.as_deref().unwrap_or(&self.truth),
            CaseKind::Sequence(folder) => folder,
        }
    }
}

/// Why nothing can be scored.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// The folder, or one below it, cannot be listed.
    #[error("{}: cannot be listed: {source}", path.display())]
    Folder {
        /// Which folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// No labels in it.
    #[error("{}: no labelled clips (NAME.truth.json beside NAME.mp4 or .avi) or sequences (truth.json beside frames/) in this folder", .0.display())]
    Nothing(PathBuf),
}

/// Why one file of labels cannot be used. Messages name the place: file, line and column.
#[derive(Debug, thiserror::Error)]
pub enum TruthError {
    /// It cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is not JSON, or not of this format.
    #[error("{}: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        source: serde_json::Error,
    },
    /// It is of another version.
    #[error("{}: format {found} is not known; this program knows format {FORMAT}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The version it claims.
        found: u32,
    },
}

/// Finds labelled clips and sequences at or below a folder, in the order of their paths.
///
/// # Errors
/// [`EvalError`]: a folder cannot be listed, or nothing is labelled in it.
pub fn discover(folder: &Path) -> Result<Vec<Case>, EvalError> {
    let mut search = Search {
        root: folder,
        seen: HashSet::new(),
        cases: Vec::new(),
    };
    search.folder(folder)?;
    if search.cases.is_empty() {
        return Err(EvalError::Nothing(folder.to_owned()));
    }
    Ok(search.cases)
}

struct Search<'a> {
    root: &'a Path,
    /// Folders already listed, so that a link upwards ends.
    seen: HashSet<PathBuf>,
    cases: Vec<Case>,
}

impl Search<'_> {
    fn folder(&mut self, folder: &Path) -> Result<(), EvalError> {
        let failed = |source| EvalError::Folder {
            path: folder.to_owned(),
            source,
        };
        if !self.seen.insert(folder.canonicalize().map_err(failed)?) {
            return Ok(());
        }
        let truth = folder.join("truth.json");
        if truth.is_file() {
            let kind = CaseKind::Sequence(folder.to_owned());
            self.add(folder, truth, kind);
            return Ok(());
        }
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            paths.push(entry.map_err(failed)?.path());
        }
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                self.folder(&path)?;
            } else if let Some(stem) = name.strip_suffix(".truth.json") {
                let stem = folder.join(stem);
                self.add(&stem, path.clone(), CaseKind::Clip(video(&stem)));
            }
        }
        Ok(())
    }

    fn add(&mut self, place: &Path, truth: PathBuf, kind: CaseKind) {
        let below = place.strip_prefix(self.root).unwrap_or(place);
        let named = if below.as_os_str().is_empty() {
            place.file_name().map_or(place, Path::new)
        } else {
            below
        };
        self.cases.push(Case {
            name: named.display().to_string(),
            truth,
            kind,
        });
    }
}

fn video(stem: &Path) -> Option<PathBuf> {
    let with = |extension: &str| {
        let mut path = stem.as_os_str().to_owned();
        path.push(".");
        path.push(extension);
        PathBuf::from(path)
    };
    VIDEOS
        .iter()
        .flat_map(|e| [with(e), with(&e.to_uppercase())])
        .find(|path| path.is_file())
}

/// Reads the labels of a clip.
///
/// # Errors
/// [`TruthError`].
pub fn read_clip_truth(path: &Path) -> Result<Record, TruthError> {
    let record: Record = parse(path)?;
    known(path, record.format)?;
    Ok(record)
}

/// Reads the labels of a sequence.
///
/// # Errors
/// [`TruthError`].
pub fn read_sequence_truth(path: &Path) -> Result<SequenceTruth, TruthError> {
    let truth: SequenceTruth = parse(path)?;
    known(path, truth.format)?;
    Ok(truth)
}

fn parse<T: DeserializeOwned>(path: &Path) -> Result<T, TruthError> {
    let text = std::fs::read_to_string(path).map_err(|source| TruthError::Io {
        path: path.to_owned(),
        source,
    })?;
    serde_json::from_str(&text).map_err(|source| TruthError::Json {
        path: path.to_owned(),
        source,
    })
}

fn known(path: &Path, found: u32) -> Result<(), TruthError> {
    if found == FORMAT {
        Ok(())
    } else {
        Err(TruthError::Format {
            path: path.to_owned(),
            found,
        })
    }
}
