//! Writing a review's files: each appears under its final name only when it is complete.

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::{
    clips, evidence, games, moments,
    notes::{in_language, notes_in},
    report::{self, Findings, Organiser},
    run::{Outcome, ReviewError},
    words::{self, Words},
};
use crate::{
    media::{
        Footage,
        ffmpeg::{Recording, ToolError},
    },
    record::{Incident, Player, Record, Severity, Speech},
};

/// Name of the log of observations.
pub const LOG: &str = "observations.jsonl.zst";

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

    /// Where the log is while it has no name of its own.
    #[must_use]
    pub fn unnamed_log(&self) -> &Path {
        self.log.path()
    }

    /// Writes everything and gives the log its name. Returns what could not be made and is not
    /// needed: without FFmpeg there are no clips.
    ///
    /// # Errors
    /// [`ReviewError`].
    pub fn write(self, review: &Reviewed) -> Result<Vec<String>, ReviewError> {
        let (outcome, words) = (review.outcome, review.words);
        let record = &outcome.record;
        let json = to_json(record).map_err(|e| failure(&self.path)(e.into()))?;
        let pictures = evidence::collect(review.footage, record)?;
        let mut complaints = Vec::new();
        let clips = review.recording().map(|r| match r {
            Ok(recording) => clips::write(&recording, record, &self.path),
            Err(error) => Err(error),
        });
        let clips = clips.transpose().unwrap_or_else(|error| {
            complaints.push(format!("no clips were made: {error}"));
            None
        });
        let doubts = outcome.doubts.iter();
        let doubts = doubts.map(|d| in_language(&d.to_string(), words));
        let notes: Vec<String> = doubts.chain(notes_in(record, words)).collect();
        let html = report::render(&Findings {
            record,
            words,
            video_name: review.name,
            evidence: &pictures,
            notes: &notes,
            models: &outcome.models,
            frames_per_second: outcome.frames_per_second,
            clips: &clips.unwrap_or_default(),
            organiser: review.organiser,
        });
        self.games(review)?;
        self.moments(review)?;
        self.put("report.html", &html)?;
        self.put("result.json", &json)?;
        self.log
            .persist(&self.log_path)
            .map_err(|e| failure(&self.log_path)(e.error))?;
        readable(&self.log_path)?;
        Ok(complaints)
    }

    /// The game for the public, for the arbiter, and as it was noted.
    fn games(&self, review: &Reviewed) -> Result<(), ReviewError> {
        let record = &review.outcome.record;
        let games = games::Games::new(record, review.organiser);
        self.put("game.pgn", &games.public())?;
        self.put("arbiter.pgn", &games.arbiter(review.words))?;
        self.put_or_remove("noted.pgn", games.noted())?;
        let json = review
            .organiser
            .map(|o| serde_json::to_string_pretty(&o.comparison).map(|json| json + "\n"))
            .transpose()
            .map_err(|e| failure(&self.path)(e.into()))?;
        self.put_or_remove("comparison.json", json)
    }

    /// Chapters and markers.
    fn moments(&self, review: &Reviewed) -> Result<(), ReviewError> {
        let (record, words) = (&review.outcome.record, review.words);
        let chapters = moments::chapters(record, words);
        let markers = moments::markers(record, words);
        let title = review.title();
        self.put("chapters.vtt", &moments::webvtt(&chapters))?;
        self.put("markers.edl", &moments::edl(&title, &markers, record.fps))?;
        let table = moments::csv(&title, &markers)
            .map_err(|e| failure(&self.path)(std::io::Error::other(e)))?;
        self.put("markers.csv", &table)
    }

    fn put(&self, name: &str, text: &str) -> Result<(), ReviewError> {
        write_whole(&self.path.join(name), text.as_bytes())
    }

    /// An older file would seem to belong to this run.
    fn put_or_remove(&self, name: &str, text: Option<String>) -> Result<(), ReviewError> {
        match text {
            Some(text) => self.put(name, &text),
            None => remove(&self.path.join(name)),
        }
    }
}

/// Removes a file, if it is there.
///
/// # Errors
/// [`ReviewError::Write`].
pub fn remove(path: &Path) -> Result<(), ReviewError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(failure(path)(e)),
        _ => Ok(()),
    }
}

/// A review that is to be written.
pub struct Reviewed<'a> {
    /// The recording.
    pub footage: &'a Footage,
    /// What the recording is called.
    pub name: &'a str,
    /// What was found.
    pub outcome: &'a Outcome,
    /// What the organiser's PGN says.
    pub organiser: Option<&'a Organiser>,
    /// The language of the texts.
    pub words: Words,
}

impl Reviewed<'_> {
    /// What the game is called.
    #[must_use]
    pub fn title(&self) -> String {
        words::title(self.organiser.map(|o| &o.header), self.name)
    }

    /// The recording as FFmpeg reads it; none for pictures.
    pub fn recording(&self) -> Option<Result<Recording, ToolError>> {
        if self.footage.files.iter().any(|v| v.is_dir()) {
            return None;
        }
        let parts = &self.outcome.record.parts;
        let begins = |i: usize| parts.get(i).map_or(0.0, |p| p.ms);
        let files: Vec<(PathBuf, f64)> = self
            .footage
            .files
            .iter()
            .enumerate()
            .map(|(i, v)| (v.clone(), begins(i)))
            .collect();
        Some(Recording::new(&files, self.footage.window))
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
