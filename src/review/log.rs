//! The log of observations: one JSON line a frame, compressed with Zstandard, from which the same
//! result follows again without the video.
//!
//! The first line is a [`LogHeader`], then one [`Observation`] a frame, then a [`LogEnd`].

use std::{
    fs::File,
    io::{BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::notes::{CUT_OFF, game_notes};
use crate::{
    calibration::{
        clock::ClockPlace,
        lens::Lens,
        told::Told,
        view::{BoardView, Corners, ViewError},
        window::Window,
    },
    events::{Engine, Setup, Thresholds, observation::Observation, position_from_fen},
    record::{Notes, Part, Record, Speech},
    rules::Edition,
};

/// What must be known before the first frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogHeader {
    /// Version of the log's format: 1.
    pub format: u32,
    /// Version of the program that saw.
    pub program: String,
    /// Name of the recording without extension.
    pub clip: String,
    /// Picture width, pixels.
    pub width: u32,
    /// Picture height, pixels.
    pub height: u32,
    /// The part of a larger picture that it was, where there are several boards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
    /// Where the board lies.
    pub corners: Corners,
    /// The camera's lens, where it distorts.
    #[serde(default, skip_serializing_if = "Lens::is_plain")]
    pub lens: Lens,
    /// Where the camera is (board frame, squares), where the pieces told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eye: Option<[f64; 3]>,
    /// Where the clock stands, where it was marked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockPlace>,
    /// Somebody listened: that nothing was announced means something.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub listened: bool,
    /// What is wrong with the sound, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sound: Vec<String>,
    /// What should be changed about the camera's place, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<String>,
    /// Position in the first frame.
    pub start_fen: String,
    /// Edition of the Laws.
    pub laws: String,
    /// From which probabilities on incidents were shown; older logs do not say.
    #[serde(default)]
    pub thresholds: Thresholds,
    /// Models used, with their SHA-256.
    pub models: Vec<(String, String)>,
}

/// What is known after the last frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogEnd {
    /// Frames seen.
    pub frames: u64,
    /// Time of the last frame, milliseconds.
    pub last_ms: f64,
    /// The recording broke off before its container says that it ends.
    pub cut_off: bool,
    /// The recording's files, where it is in several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Header(LogHeader),
    Frame(Observation),
    End(LogEnd),
}

/// Why a log cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file cannot be opened, read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line that is not of this format.
    #[error("{}: line {line} is not an observation of this format ({why}): give an observations.jsonl.zst that `adoube review` wrote", path.display())]
    BadLine {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What the parser said.
        why: String,
    },
    /// The log has no header.
    #[error("{}: the log is empty or begins in the middle: give an observations.jsonl.zst that `adoube review` wrote", .0.display())]
    NoHeader(PathBuf),
    /// The header's position or edition cannot be used.
    #[error("{}: the log's header cannot be used: {why}", path.display())]
    BadHeader {
        /// Which file.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

impl LogHeader {
    /// The view in the first frame.
    ///
    /// # Errors
    /// [`ViewError`] for corners that are none.
    pub fn view(&self) -> Result<BoardView, ViewError> {
        let view = BoardView::through(self.lens, self.corners, self.width, self.height)?;
        self.eye.map_or(Ok(view.clone()), |eye| view.seen_from(eye))
    }
}

/// Writes a log.
pub struct LogWriter<W: Write> {
    out: zstd::Encoder<'static, BufWriter<W>>,
}

impl<W: Write> LogWriter<W> {
    /// Begins a log.
    ///
    /// # Errors
    /// The writer's.
    pub fn new(file: W, header: &LogHeader) -> std::io::Result<Self> {
        let mut writer = Self {
            out: zstd::Encoder::new(BufWriter::new(file), 3)?,
        };
        writer.line(&Line::Header(header.clone()))?;
        Ok(writer)
    }

    /// Adds one frame.
    ///
    /// # Errors
    /// The writer's.
    pub fn frame(&mut self, seen: &Observation) -> std::io::Result<()> {
        self.line(&Line::Frame(seen.clone()))
    }

    /// Ends the log.
    ///
    /// # Errors
    /// The writer's.
    pub fn end(mut self, end: &LogEnd) -> std::io::Result<()> {
        self.line(&Line::End(end.clone()))?;
        self.out.finish()?.flush()
    }

    fn line(&mut self, line: &Line) -> std::io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        self.out.write_all(b"\n")
    }
}

/// Reads a log line by line.
pub struct LogReader {
    path: PathBuf,
    lines: std::io::Lines<BufReader<zstd::Decoder<'static, BufReader<File>>>>,
    header: LogHeader,
    end: Option<LogEnd>,
    number: usize,
}

impl LogReader {
    /// Opens a log and reads its header.
    ///
    /// # Errors
    /// [`LogError`].
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let io = |source| LogError::Io {
            path: path.to_owned(),
            source,
        };
        let decoder = zstd::Decoder::new(File::open(path).map_err(io)?).map_err(io)?;
        let mut lines = BufReader::new(decoder).lines();
        let first = match lines.next() {
            Some(Ok(line)) => line,
            _ => return Err(LogError::NoHeader(path.to_owned())),
        };
        match serde_json::from_str(&first) {
            Ok(Line::Header(header)) => Ok(Self {
                path: path.to_owned(),
                lines,
                header,
                end: None,
                number: 1,
            }),
            _ => Err(LogError::NoHeader(path.to_owned())),
        }
    }

    /// The header.
    #[must_use]
    pub fn header(&self) -> &LogHeader {
        &self.header
    }

    /// The end, once it was reached.
    #[must_use]
    pub fn end(&self) -> Option<&LogEnd> {
        self.end.as_ref()
    }

    /// The next frame; `None` at the end. A log that was cut off ends where it was cut.
    ///
    /// # Errors
    /// [`LogError::BadLine`].
    pub fn next_frame(&mut self) -> Result<Option<Observation>, LogError> {
        let Some(Ok(text)) = self.lines.next() else {
            return Ok(None);
        };
        self.number += 1;
        match serde_json::from_str(&text) {
            Ok(Line::Frame(seen)) => Ok(Some(seen)),
            Ok(Line::End(end)) => {
                self.end = Some(end);
                Ok(None)
            }
            Ok(Line::Header(_)) => Err(self.bad("a second header".to_owned())),
            Err(why) => Err(self.bad(why.to_string())),
        }
    }

    fn bad(&self, why: String) -> LogError {
        LogError::BadLine {
            path: self.path.clone(),
            line: self.number,
            why,
        }
    }
}

/// The engine for a header.
///
/// # Errors
/// In words, what in the header cannot be used.
pub fn engine_for(header: &LogHeader) -> Result<Engine, String> {
    let view = header.view().map_err(|e| e.to_string())?;
    let start = position_from_fen(&header.start_fen)?;
    let edition: Edition = header
        .laws
        .parse()
        .map_err(|e: crate::rules::UnknownEdition| e.to_string())?;
    Ok(Engine::new(&Setup {
        view,
        start,
        edition,
    })
    .with_thresholds(header.thresholds)
    .with_clock(header.clock.as_ref())
    .listening(header.listened))
}

/// The record of a finished run.
#[must_use]
pub fn record(header: &LogHeader, engine: Engine, told: &Told, end: &LogEnd) -> Record {
    let found = engine.finish();
    let seconds = end.last_ms / 1000.0;
    let fps = if seconds > 0.0 {
        (end.frames.saturating_sub(1)) as f64 / seconds
    } else {
        0.0
    };
    let mut notes = header.advice.clone();
    if !header.lens.is_plain() {
        notes.push(format!(
            "The camera's lens distorts straight lines (k1 = {:.3}); this was taken into account.",
            header.lens.k1
        ));
    }
    notes.extend(told.notes());
    notes.extend(header.sound.iter().cloned());
    if end.cut_off {
        notes.push(CUT_OFF.to_owned());
    }
    notes.extend(game_notes(&found));
    if !found.out_of_step.is_empty() {
        let squares: Vec<String> = found.out_of_step.iter().map(ToString::to_string).collect();
        notes.push(format!(
            "At the end these squares do not show what the moves say: {}.",
            squares.join(", ")
        ));
    }
    Record {
        format: 1,
        clip: header.clip.clone(),
        source: None,
        fps: (fps * 100.0).round() / 100.0,
        frames: end.frames,
        width: header.width,
        height: header.height,
        window: header.window,
        corners: header.corners,
        corner_changes: found.corner_changes,
        parts: end.parts.clone(),
        start_fen: header.start_fen.clone(),
        laws: header.laws.clone(),
        contacts: found.contacts,
        hover: Vec::new(),
        listened: found.hearing.listening,
        speech: found.hearing.announced.iter().map(Speech::from).collect(),
        clock: found.clock,
        disturbances: told.disturbances(),
        moves: found.moves,
        incidents: found.incidents,
        take_backs: found.take_backs,
        out_of_step: found.spells,
        result_sign: found.result_sign,
        unsure: Vec::new(),
        hands_over_board: Some(found.hands_over_board),
        notes: (!notes.is_empty()).then_some(Notes::Lines(notes)),
    }
}

/// What a replay does otherwise than the run that wrote the log.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Changes {
    /// Other Laws.
    pub laws: Option<Edition>,
    /// Other thresholds.
    pub thresholds: Option<Thresholds>,
}

impl Changes {
    /// The header as it would have been, and what to tell the reader of the result.
    fn apply(&self, header: &mut LogHeader) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(laws) = self
            .laws
            .map(|l| l.to_string())
            .filter(|l| *l != header.laws)
        {
            notes.push(format!("Judged by {laws} instead of {}.", header.laws));
            header.laws = laws;
        }
        if let Some(thresholds) = self.thresholds.filter(|t| *t != header.thresholds) {
            let before = header.thresholds;
            notes.push(format!("Shown by {thresholds} instead of {before}."));
            header.thresholds = thresholds;
        }
        notes
    }
}

/// Runs events, rules and incidents again from a log: without changes, the same result to the last
/// byte; with changes, what would have been said then, and a note that says so.
///
/// # Errors
/// [`LogError`].
pub fn replay(path: &Path, changes: &Changes) -> Result<Record, LogError> {
    let mut log = LogReader::open(path)?;
    let mut header = log.header().clone();
    let changed = changes.apply(&mut header);
    let mut engine = engine_for(&header).map_err(|why| LogError::BadHeader {
        path: path.to_owned(),
        why,
    })?;
    let mut told = Told::new(header.corners);
    let mut last = LogEnd {
        frames: 0,
        last_ms: 0.0,
        cut_off: true,
        parts: Vec::new(),
    };
    while let Some(seen) = log.next_frame()? {
        last.frames += 1;
        last.last_ms = seen.t_ms;
        told.observe(&seen);
        engine.observe(&seen);
    }
    let end = log.end().cloned().unwrap_or(last);
    let mut record = record(&header, engine, &told, &end);
    if !changed.is_empty() {
        let before = record.notes.iter().flat_map(Notes::lines);
        let lines = changed.into_iter().chain(before).collect();
        record.notes = Some(Notes::Lines(lines));
    }
    Ok(record)
}
