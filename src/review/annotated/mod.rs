//! The recording once more, with what was seen drawn in: hands, contacts with their probability,
//! and beside it the position, the last move and the incidents. H.264 in MP4 with the recording's
//! own sound, and its chapters inside.
//!
//! Nothing of the picture is hidden: words and position stand in a panel beside it. While nothing
//! happens, only a few frames a second are written; each keeps its own time.

mod captions;
mod drawing;
mod inset;

use std::{ffi::OsString, fs, io::BufWriter, path::Path};

use opencv::core::{Mat, MatTraitConst};

use super::{
    log::{LogError, LogReader},
    moments::{chapters, ffmetadata},
    report::plies::{Ply, plies},
    words::Words,
};
use crate::{
    events::observation::Observation,
    media::{
        Footage, Frame, MediaError,
        ffmpeg::{self, Recording, ToolError, h264, words},
        matroska::Stream,
    },
    record::Record,
    vision::VisionError,
};
use drawing::Drawing;
use inset::Inset;

/// The recording's picture is at most so wide in it, pixels.
const WIDTH_PX: f64 = 1280.0;
/// Width of the panel, share of the picture's height.
const PANEL: f64 = 0.42;
/// Time between two frames while nothing happens, milliseconds.
const STILL_MS: f64 = 500.0;

/// Why it could not be made.
#[derive(Debug, thiserror::Error)]
pub enum AnnotateError {
    /// Frames.
    #[error(transparent)]
    Media(#[from] MediaError),
    /// The log of observations.
    #[error(transparent)]
    Log(#[from] LogError),
    /// FFmpeg.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// Drawing.
    #[error(transparent)]
    Vision(#[from] VisionError),
    /// The position's picture.
    #[error("the position could not be drawn: {0}")]
    Inset(String),
    /// Temporary files.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl From<opencv::Error> for AnnotateError {
    fn from(error: opencv::Error) -> Self {
        Self::Vision(error.into())
    }
}

/// What is annotated.
pub struct Source<'a> {
    /// The recording.
    pub footage: &'a Footage,
    /// The same for FFmpeg, where there is sound to be kept.
    pub recording: &'a Recording,
    /// What was found.
    pub record: &'a Record,
    /// What was seen.
    pub log: &'a Path,
    /// What the game is called.
    pub title: &'a str,
    /// The language of its words.
    pub words: Words,
}

/// Sizes in the annotated picture, pixels.
#[derive(Debug, Clone, Copy)]
struct Layout {
    /// The recording's picture.
    width: i32,
    height: i32,
    /// The panel beside it.
    panel: i32,
    /// Pixels of it for one pixel of the recording.
    scale: f64,
}

impl Layout {
    fn of(record: &Record) -> Self {
        let (width, height) = (f64::from(record.width), f64::from(record.height));
        let scale = (WIDTH_PX / width.max(1.0)).min(1.0);
        // Whole macroblocks of colour.
        let even = |v: f64| ((v / 2.0).round() as i32 * 2).max(2);
        Self {
            width: even(width * scale),
            height: even(height * scale),
            panel: even((height * scale * PANEL).max(200.0)),
            scale,
        }
    }
}

/// Writes the annotated video to `out`; `progress` hears how many frames are done.
///
/// # Errors
/// [`AnnotateError`].
pub fn write(
    source: &Source,
    out: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<(), AnnotateError> {
    let layout = Layout::of(source.record);
    let room = tempfile::tempdir()?;
    let script = captions::script(source.record, source.words, &layout);
    fs::write(room.path().join("captions.ass"), script)?;
    let all = chapters(source.record, source.words);
    let metadata = ffmetadata(source.title, &all);
    fs::write(room.path().join("chapters.txt"), metadata)?;
    let part = out.with_extension("mp4.part");
    let arguments = arguments(source.recording, &std::path::absolute(&part)?);
    let mut ffmpeg = ffmpeg::start(room.path(), &arguments)?;
    let fed = match ffmpeg.pipe() {
        Some(pipe) => {
            let size = (layout.width + layout.panel, layout.height);
            let size = (size.0.unsigned_abs(), size.1.unsigned_abs());
            let stream = Stream::begin(BufWriter::new(pipe), size, 0.0);
            stream
                .map_err(AnnotateError::from)
                .and_then(|stream| feed(source, layout, stream, progress))
        }
        None => Ok(()),
    };
    // A broken pipe is FFmpeg's own failure, which says more.
    match (fed, ffmpeg.finish()) {
        (Err(AnnotateError::Io(_)), Err(error)) => return Err(error.into()),
        (Err(error), _) => return Err(error),
        (Ok(()), ended) => ended?,
    }
    fs::rename(&part, out)?;
    Ok(())
}

/// Writes the recording itself, copied as it is, with its chapters inside.
///
/// # Errors
/// [`AnnotateError`].
pub fn copy_with_chapters(source: &Source, out: &Path) -> Result<(), AnnotateError> {
    let room = tempfile::tempdir()?;
    let metadata = room.path().join("chapters.txt");
    let all = chapters(source.record, source.words);
    fs::write(&metadata, ffmetadata(source.title, &all))?;
    let part = out.with_extension("mp4.part");
    let mut arguments = source.recording.input_at(0.0);
    arguments.extend(words(["-f", "ffmetadata", "-i"]));
    arguments.push(metadata.into());
    arguments.extend(words(["-map", "0:v:0", "-map", "0:a:0?"]));
    arguments.extend(words(["-map_metadata", "1", "-map_chapters", "1"]));
    arguments.extend(words([
        "-c:v",
        "copy",
        "-c:a",
        source.recording.sound_codec(),
    ]));
    arguments.extend(words(["-movflags", "+faststart", "-f", "mp4"]));
    arguments.push(part.clone().into());
    ffmpeg::run(&arguments)?;
    fs::rename(&part, out)?;
    Ok(())
}

/// Frames come in by the pipe, sound and chapters by files.
fn arguments(recording: &Recording, out: &Path) -> Vec<OsString> {
    let mut all = words(["-f", "matroska", "-i", "pipe:0"]);
    all.extend(recording.input_at(0.0));
    all.extend(words(["-f", "ffmetadata", "-i", "chapters.txt"]));
    all.extend(words(["-map", "0:v:0", "-map", "1:a:0?"]));
    all.extend(words(["-map_metadata", "2", "-map_chapters", "2"]));
    all.extend(words([
        "-vf",
        "ass=captions.ass",
        "-enc_time_base",
        "1:100000",
    ]));
    all.extend(h264("veryfast", "21"));
    all.extend(words(["-c:a", recording.sound_codec()]));
    all.extend(words(["-video_track_timescale", "100000"]));
    all.extend(words(["-movflags", "+faststart", "-f", "mp4"]));
    all.push(out.into());
    all
}

/// Draws and writes frame by frame.
fn feed<W: std::io::Write>(
    source: &Source,
    layout: Layout,
    mut stream: Stream<W>,
    progress: &mut dyn FnMut(u64),
) -> Result<(), AnnotateError> {
    let mut frames = source.footage.open()?;
    let mut log = LogReader::open(source.log)?;
    let plies = plies(source.record);
    let mut drawing = Drawing::new(source.record, layout);
    let mut panel = Panel::new(&plies, layout);
    let (mut written_ms, mut count) = (f64::NEG_INFINITY, 0);
    while let Some(frame) = frames.next_frame()? {
        let Some(seen) = log.next_frame()? else { break };
        let ply = panel.turn_to(frame.t_ms)?;
        let due = stirs(&seen) || ply || drawing.changes(frame.t_ms);
        if due || frame.t_ms - written_ms >= STILL_MS {
            let picture = compose(&mut drawing, &panel, &frame, &seen)?;
            stream.add(frame.t_ms, &jpeg(&picture)?)?;
            written_ms = frame.t_ms;
        }
        count += 1;
        progress(count);
    }
    Ok(stream.end()?)
}

/// Whether a frame shows anything that the one before did not.
fn stirs(seen: &Observation) -> bool {
    !seen.hands.is_empty() || seen.moving != 0 || seen.covered != 0 || seen.disturbed
}

fn compose(
    drawing: &mut Drawing,
    panel: &Panel,
    frame: &Frame,
    seen: &Observation,
) -> Result<Mat, AnnotateError> {
    let left = drawing.draw(frame, seen)?;
    let mut both = Mat::default();
    let halves: opencv::core::Vector<Mat> = [left, panel.picture()?].into_iter().collect();
    opencv::core::hconcat(&halves, &mut both)?;
    Ok(both)
}

fn jpeg(picture: &Mat) -> Result<Vec<u8>, AnnotateError> {
    use opencv::imgcodecs::{IMWRITE_JPEG_QUALITY, imencode};
    let mut bytes = opencv::core::Vector::new();
    let quality = opencv::core::Vector::from_slice(&[IMWRITE_JPEG_QUALITY, 92]);
    imencode(".jpg", picture, &mut bytes, &quality)?;
    Ok(bytes.into_iter().collect())
}

/// The panel: the position that stands, and room for words.
struct Panel<'a> {
    plies: &'a [Ply],
    inset: Inset,
    at: Option<usize>,
    picture: Mat,
}

impl<'a> Panel<'a> {
    fn new(plies: &'a [Ply], layout: Layout) -> Self {
        Self {
            plies,
            inset: Inset::new(layout.panel, layout.height),
            at: None,
            picture: Mat::default(),
        }
    }

    /// Shows the position of a time; whether that is another one.
    fn turn_to(&mut self, t_ms: f64) -> Result<bool, AnnotateError> {
        let made = |ply: &&Ply| ply.made_ms <= t_ms;
        let index = self.plies.iter().take_while(made).count().saturating_sub(1);
        if self.at == Some(index) {
            return Ok(false);
        }
        self.at = Some(index);
        if let Some(ply) = self.plies.get(index) {
            self.picture = self.inset.draw(ply)?;
        }
        Ok(true)
    }

    fn picture(&self) -> Result<Mat, AnnotateError> {
        Ok(self.picture.try_clone()?)
    }
}
