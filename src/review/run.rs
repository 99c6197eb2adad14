//! The offline run: decodes, observes, infers and writes, in memory that does not grow with the
//! length of the recording.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, sync_channel},
    time::{Duration, Instant},
};

use sha2::{Digest, Sha256};
use shakmaty::Position;

use super::{
    log::{self, LogEnd, LogHeader, LogWriter},
    looking::Looking,
    setup::{SetupError, calibrate_from, prepare},
};
use crate::{
    calibration::{Doubt, clock::ClockPlace, lens::Lens, told::Told, view::Corners},
    events::Announcement,
    events::{Engine, Thresholds, observation::Observation, position_from_fen},
    media::{
        Footage, MediaError, SourceInfo,
        glimpse::{Glimpse, Glimpses, Painter, Small},
    },
    record::{Part, Record},
    rules::Edition,
    sound::{Heard, Recording, listen_through},
};

/// What to review, and how.
#[derive(Debug, Clone)]
pub struct Options {
    /// The recording, or the part of it that shows the board.
    pub footage: Footage,
    /// Corners, where they are given and not to be found.
    pub corners: Option<Corners>,
    /// The lens through which given corners were seen.
    pub lens: Lens,
    /// Where the clock stands, if it is to be watched.
    pub clock: Option<ClockPlace>,
    /// FEN of the position in the first frame.
    pub start_fen: String,
    /// Edition of the Laws.
    pub edition: Edition,
    /// Where to listen, if anybody is to.
    pub sound: Option<Sound>,
    /// Folder of the models.
    pub models: PathBuf,
    /// Look at every frame, also where nothing stirs: slower, with the same result.
    pub every_frame: bool,
}

/// Where announcements are listened for.
#[derive(Debug, Clone, PartialEq)]
pub struct Sound {
    /// A file; the recording's own sound track without.
    pub file: Option<PathBuf>,
    /// How much later the sound's clock began than the picture's, milliseconds: added to all of its
    /// times.
    pub offset_ms: f64,
}

/// How far a run is.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Frames done.
    pub frames: u64,
    /// Frames in all, where the container tells.
    pub total: Option<u64>,
    /// Moves found so far.
    pub moves: usize,
}

/// A finished run.
pub struct Outcome {
    /// What was found.
    pub record: Record,
    /// What a person should know of the board.
    pub doubts: Vec<Doubt>,
    /// Models with their SHA-256.
    pub models: Vec<(String, String)>,
    /// Frames a second of the run, set-up not counted.
    pub frames_per_second: f64,
    /// Frames that were looked at: in the others nothing stirred.
    pub looked: u64,
    /// The recording broke off early.
    pub cut_off: bool,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// Before the first frame.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// Frames.
    #[error(transparent)]
    Media(#[from] MediaError),
    /// Networks.
    #[error(transparent)]
    Vision(#[from] crate::vision::VisionError),
    /// The start position.
    #[error("{0}")]
    Start(String),
    /// Files.
    #[error("{}: {source}: choose a folder that can be written", path.display())]
    Write {
        /// Which file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Share of its claimed length that a recording must hold not to count as cut off.
const COMPLETE: f64 = 0.97;
/// Runs over a recording and writes its log of observations to `log_out`.
///
/// # Errors
/// [`ReviewError`].
pub fn review<W: Write>(
    options: &Options,
    log_out: W,
    log_path: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<Outcome, ReviewError> {
    let start = position_from_fen(&options.start_fen).map_err(ReviewError::Start)?;
    let mut calibrated = calibrate_from(
        options.footage.open()?,
        options.corners.map(|corners| (corners, options.lens)),
        start.board(),
        &options.models,
    )?;
    calibrated.part = options.footage.window.is_some();
    let perception = prepare(&mut calibrated, start.board(), &options.models)?;
    let advice = calibrated.shortcomings();
    let (mut heard, complaints) = match options.sound.as_ref().map(|s| listen(options, s)) {
        Some((heard, complaints)) => (heard.map(Vec::into_iter), complaints),
        None => (None, Vec::new()),
    };
    let mut next = heard.as_mut().and_then(Iterator::next);
    // Eight pictures in 4K would be a fifth of a gigabyte for the whole run.
    drop(calibrated.frames);
    let header = LogHeader {
        format: 1,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        clip: clip_name(&options.footage.files),
        width: calibrated.view.width_px,
        height: calibrated.view.height_px,
        window: options.footage.window,
        corners: calibrated.view.corners,
        lens: calibrated.view.lens(),
        eye: calibrated.view.told_eye(),
        clock: options.clock.clone(),
        listened: heard.is_some(),
        sound: complaints,
        advice,
        start_fen: options.start_fen.clone(),
        laws: options.edition.to_string(),
        thresholds: Thresholds::default(),
        models: checksums(&options.models),
    };
    let mut engine = log::engine_for(&header).map_err(ReviewError::Start)?;
    let write = |source| ReviewError::Write {
        path: log_path.to_owned(),
        source,
    };
    let mut log = LogWriter::new(log_out, &header).map_err(write)?;
    let mut looking = Looking::new(calibrated.view.clone(), perception);
    let mut told = Told::new(header.corners);
    let mut skim = Skim::new(options.every_frame);
    let (frames, info) = decode(&options.footage)?;
    let begun = Instant::now();
    let mut end = LogEnd {
        frames: 0,
        last_ms: 0.0,
        cut_off: false,
        parts: Vec::new(),
    };
    for frame in frames {
        let frame = frame?;
        let t_ms = frame.t_ms;
        begin_part(&mut end.parts, &options.footage.files, &frame);
        let mut announced = Vec::new();
        while let Some(said) = next.take_if(|h| h.known_ms <= t_ms) {
            announced.push(said.announcement);
            next = heard.as_mut().and_then(Iterator::next);
        }
        let seen = skim.look(frame, announced, &mut looking, &mut engine)?;
        told.observe(&seen);
        log.frame(&seen).map_err(write)?;
        end.frames += 1;
        end.last_ms = t_ms;
        progress(Progress {
            frames: end.frames,
            total: info.frames,
            moves: engine.move_count(),
        });
    }
    end.cut_off = cut_off(&info, &end);
    let elapsed = begun.elapsed().max(Duration::from_millis(1));
    log.end(&end).map_err(write)?;
    Ok(Outcome {
        record: log::record(&header, engine, &told, &end),
        doubts: calibrated.doubts,
        models: header.models,
        frames_per_second: end.frames as f64 / elapsed.as_secs_f64(),
        looked: skim.count,
        cut_off: end.cut_off,
    })
}

/// Grey levels by which a pixel of the small picture must differ to count as stirring.
const STIR_STEP: u8 = 9;
/// So many such pixels are no stir.
const STIR_PIXELS: usize = 3;

/// Looks only where something stirs: a board is still for most of a game, and a frame like the one
/// before need not be made a picture of.
struct Skim {
    every_frame: bool,
    painter: Painter,
    /// The frame before, and the last one that was looked at.
    before: Option<Small>,
    looked: Option<Small>,
    /// Frames looked at.
    count: u64,
}

impl Skim {
    fn new(every_frame: bool) -> Self {
        Self {
            every_frame,
            painter: Painter::default(),
            before: None,
            looked: None,
            count: 0,
        }
    }

    fn look(
        &mut self,
        frame: Glimpse,
        mut announced: Vec<Announcement>,
        looking: &mut Looking,
        engine: &mut Engine,
    ) -> Result<Observation, ReviewError> {
        let (t_ms, small) = (frame.t_ms, frame.small.clone());
        let still = !self.every_frame && self.is_still(&small, looking);
        self.before = Some(small.clone());
        if let Some(held) = still
            .then(|| looking.hold(t_ms, &mut announced, engine))
            .flatten()
        {
            return Ok(held);
        }
        self.looked = Some(small);
        self.count += 1;
        let image = self.painter.paint(frame)?;
        Ok(looking.step(&image, t_ms, announced, engine)?)
    }

    /// Like the frame before, and like the one last looked at: what creeps is seen, too.
    fn is_still(&self, small: &Small, looking: &Looking) -> bool {
        let region = small.region(looking.surroundings());
        let alike = |other: &Small| small.differing(other, &region, STIR_STEP) <= STIR_PIXELS;
        let known = [&self.before, &self.looked];
        known.iter().all(|k| k.as_ref().is_some_and(alike))
    }
}

/// Notes when each file of a recording in several begins.
fn begin_part(parts: &mut Vec<Part>, videos: &[PathBuf], frame: &Glimpse) {
    if let Some(video) = videos.get(frame.part)
        && videos.len() > 1
        && parts.len() == frame.part
    {
        parts.push(Part {
            file: file_name(video),
            ms: frame.t_ms,
        });
    }
}

/// All that is announced in the sound, and what should be said of it; without sound the review
/// goes on, and says so.
fn listen(options: &Options, sound: &Sound) -> (Option<Vec<Heard>>, Vec<String>) {
    let path = match (&sound.file, options.footage.files.as_slice()) {
        (Some(file), _) => file,
        (None, [video]) => video,
        (None, _) => {
            let why = "Nobody listened: of a recording in several files, the sound is heard only where it is given as one file with --sound.";
            return (None, vec![why.to_owned()]);
        }
    };
    let heard = Recording::open(path)
        .and_then(|mut recording| listen_through(&mut recording, &options.models));
    match heard {
        Ok((mut heard, health)) => {
            for said in &mut heard {
                said.known_ms += sound.offset_ms;
                said.announcement.ms += sound.offset_ms;
            }
            (Some(heard), health.complaints())
        }
        Err(error) => (None, vec![format!("Nobody listened: {error}.")]),
    }
}

/// Frames decoded ahead of the one that is looked at.
const AHEAD: usize = 4;

/// Decoded frames as they come, or why there are none.
type Frames = Receiver<Result<Glimpse, MediaError>>;

/// Whether a recording ended before it should have.
fn cut_off(info: &SourceInfo, end: &LogEnd) -> bool {
    // The last frame is shown for a while, too.
    let shown_ms = end.last_ms * end.frames as f64 / end.frames.saturating_sub(1).max(1) as f64;
    let short = |length: f64| end.frames > 1 && shown_ms < COMPLETE * length;
    info.torn || info.length_ms.is_some_and(short)
}

/// Decodes on a thread of its own, a few frames ahead.
fn decode(footage: &Footage) -> Result<(Frames, SourceInfo), MediaError> {
    let info = footage.open()?.info().clone();
    let (sender, receiver) = sync_channel(AHEAD);
    let footage = footage.clone();
    std::thread::spawn(move || {
        let mut source = match Glimpses::open(&footage) {
            Ok(source) => source,
            Err(error) => {
                let _ = sender.send(Err(error));
                return;
            }
        };
        loop {
            let next = source.next_glimpse().transpose();
            let Some(frame) = next else { return };
            // The receiver is gone when the run has failed: nothing is left to do.
            if sender.send(frame).is_err() {
                return;
            }
        }
    });
    Ok((receiver, info))
}

/// The first file's name without extension.
fn clip_name(videos: &[PathBuf]) -> String {
    let stem = videos.first().and_then(|v| v.file_stem());
    stem.map_or_else(|| "clip".to_owned(), |n| n.to_string_lossy().into_owned())
}

/// A file's name, for people.
fn file_name(path: &Path) -> String {
    path.file_name()
        .map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}

/// SHA-256 of each model, by name.
#[must_use]
pub fn checksums(models: &Path) -> Vec<(String, String)> {
    ["announce.onnx", "hands.onnx", "pieces.onnx", "touch.onnx"]
        .iter()
        .filter_map(|name| {
            let bytes = fs::read(models.join(name)).ok()?;
            let digest = Sha256::digest(&bytes);
            let hex: String = digest.iter().map(|b| format!("{b:02x}")).collect();
            Some(((*name).to_owned(), hex))
        })
        .collect()
}
