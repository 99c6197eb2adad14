//! Writing a review's files: each appears under its final name only when it is complete.

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::{
    comparison::Comparison,
    evidence,
    report::{self, Findings, Organiser},
    run::{Outcome, ReviewError},
};
use crate::{
    broadcast::pgn::{self, GameHeader},
    record::{Incident, Notes, Player, Record, Severity, Speech},
};

/// Name of the comparison with a PGN.
const COMPARISON: &str = "comparison.json";
/// Name of the log of observations.
const LOG: &str = "observations.jsonl.zst";

fn failure(path: &Path) -> impl FnOnce(std::io::Error) -> ReviewError {
    move |source| ReviewError::Write {
        path: path.to_owned(),
        source,
    }
}

/// Writes a file so that it is there whole or not at all.
///
/// # Errors
/// [`ReviewError::Write`].
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ReviewError> {
    let folder = path
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder).map_err(failure(path))?;
    file.write_all(bytes).map_err(failure(path))?;
    file.persist(path).map_err(|e| failure(path)(e.error))?;
    readable(path)
}

/// Temporary files are private; results are as readable as any file.
fn readable(path: &Path) -> Result<(), ReviewError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o644)).map_err(failure(path))?;
    }
    Ok(())
}

/// Pretty JSON with a newline at its end.
///
/// # Errors
/// When a number is not finite.
pub fn to_json(record: &Record) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(record)? + "\n")
}

/// The folder of results.
pub struct Folder {
    path: PathBuf,
    log: NamedTempFile,
    log_path: PathBuf,
}

impl Folder {
    /// Makes the folder if need be and sees that it can be written.
    ///
    /// # Errors
    /// [`ReviewError::Write`].
    pub fn open(path: &Path) -> Result<Self, ReviewError> {
        fs::create_dir_all(path).map_err(failure(path))?;
        let log = NamedTempFile::new_in(path).map_err(failure(path))?;
        Ok(Self {
            path: path.to_owned(),
            log,
            log_path: path.join(LOG),
        })
    }

    /// Where the log will be.
    #[must_use]
    pub fn log_path(&self) -> &Path {
        &self.log_path
    }

    /// The log's file, under a name of its own until the run has ended.
    ///
    /// # Errors
    /// [`ReviewError::Write`].
    pub fn log(&self) -> Result<File, ReviewError> {
        self.log.reopen().map_err(failure(&self.log_path))
    }

    /// Writes everything and gives the log its name.
    ///
    /// # Errors
    /// [`ReviewError`].
    pub fn write(
        self,
        video: &Path,
        outcome: &Outcome,
        organiser: Option<&Organiser>,
    ) -> Result<(), ReviewError> {
        let record = &outcome.record;
        let name = video
            .file_name()
            .map_or_else(|| record.clip.clone(), |n| n.to_string_lossy().into_owned());
        let json = to_json(record).map_err(|e| failure(&self.path)(e.into()))?;
        let unknown = GameHeader::default();
        let pictures = evidence::collect(video, record)?;
        let notes: Vec<String> = outcome
            .doubts
            .iter()
            .map(ToString::to_string)
            .chain(record.notes.iter().flat_map(Notes::lines))
            .collect();
        let html = report::render(&Findings {
            record,
            video_name: &name,
            evidence: &pictures,
            notes: &notes,
            models: &outcome.models,
            frames_per_second: outcome.frames_per_second,
            organiser,
        });
        write_whole(
            &self.path.join("game.pgn"),
            pgn::write(record, organiser.map_or(&unknown, |o| &o.header)).as_bytes(),
        )?;
        self.write_comparison(organiser.map(|o| &o.comparison))?;
        write_whole(&self.path.join("report.html"), html.as_bytes())?;
        write_whole(&self.path.join("result.json"), json.as_bytes())?;
        self.log
            .persist(&self.log_path)
            .map_err(|e| failure(&self.log_path)(e.error))?;
        readable(&self.log_path)
    }
}

impl Folder {
    /// Without a PGN, an older comparison would seem to belong to this run.
    fn write_comparison(&self, comparison: Option<&Comparison>) -> Result<(), ReviewError> {
        let path = self.path.join(COMPARISON);
        let Some(comparison) = comparison else {
            return match fs::remove_file(&path) {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(failure(&path)(e)),
                _ => Ok(()),
            };
        };
        let json =
            serde_json::to_string_pretty(comparison).map_err(|e| failure(&path)(e.into()))?;
        write_whole(&path, (json + "\n").as_bytes())
    }
}

/// One announcement in one line for people.
#[must_use]
pub fn speech_line(said: &Speech) -> String {
    let seconds = said.ms / 1000.0;
    let sure = said
        .probability
        .map_or(String::new(), |p| format!(" ({:.0} %)", p * 100.0));
    format!(
        "heard: {seconds:.2} s, \u{201c}{}\u{201d}{sure}",
        said.phrase
    )
}

/// One incident in one line for people.
#[must_use]
pub fn incident_line(incident: &Incident) -> String {
    let player = match incident.player {
        Player::White => "White",
        Player::Black => "Black",
    };
    let severity = match incident.severity {
        Some(Severity::Alert) | None => "ALERT",
        Some(Severity::Review) => "review",
        Some(Severity::Log) => "log",
    };
    let open = if incident.obliged.is_empty() {
        String::new()
    } else {
        format!("; open were {}", incident.obliged.join(", "))
    };
    let sure = incident
        .probability
        .map_or(String::new(), |p| format!(" ({:.0} %)", p * 100.0));
    format!(
        "{severity}: {:.2} s, {player}: {} (Article {}){sure}{open}",
        incident.ms / 1000.0,
        incident.kind.replace('_', " "),
        incident.article
    )
}
