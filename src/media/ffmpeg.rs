//! FFmpeg's own programs, for what OpenCV does not do: sound, chapters, H.264 in MP4.

use std::{
    ffi::OsString,
    fmt::Write as _,
    io::{self, Read, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
};

use serde::Deserialize;
use tempfile::NamedTempFile;

use crate::calibration::window::Window;

/// Why a file could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// It is not there.
    #[error("{name} cannot be started ({source}): install FFmpeg, as scripts/setup does")]
    Start {
        /// Which program.
        name: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// It ended with a fault.
    #[error("{name} failed: {said}")]
    Failed {
        /// Which program.
        name: &'static str,
        /// Its last words.
        said: String,
    },
    /// A list of files, or the pipe.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Tracks {
    /// How much later than the file itself its picture begins, milliseconds: seeking counts from
    /// the file's begin.
    pub picture_after_ms: f64,
    /// Codec of the first sound track.
    pub sound: Option<String>,
}

#[derive(Deserialize)]
struct Probed {
    #[serde(default)]
    streams: Vec<ProbedStream>,
    #[serde(default)]
    format: ProbedFormat,
}

#[derive(Deserialize)]
struct ProbedStream {
    codec_type: Option<String>,
    codec_name: Option<String>,
    start_time: Option<String>,
}

#[derive(Default, Deserialize)]
struct ProbedFormat {
    start_time: Option<String>,
}

/// Asks what a file holds.
///
/// # Errors
/// [`ToolError`].
pub fn probe(path: &Path) -> Result<Tracks, ToolError> {
    let name = "ffprobe";
    let out = Command::new(name)
        .args(["-v", "error", "-of", "json", "-show_entries"])
        .arg("stream=codec_type,codec_name,start_time:format=start_time")
        .arg(input(path))
        .stdin(Stdio::null())
        .output()
        .map_err(|source| ToolError::Start { name, source })?;
    let failed = |said: String| ToolError::Failed { name, said };
    if !out.status.success() {
        return Err(failed(last_line(&out.stderr)));
    }
    let probed: Probed = serde_json::from_slice(&out.stdout).map_err(|e| failed(e.to_string()))?;
    let seconds = |text: &Option<String>| text.as_deref().and_then(|t| t.parse::<f64>().ok());
    let first = |kind: &str| {
        let mut streams = probed.streams.iter();
        streams.find(|s| s.codec_type.as_deref() == Some(kind))
    };
    let picture = first("video").and_then(|s| seconds(&s.start_time));
    let file = seconds(&probed.format.start_time);
    Ok(Tracks {
        picture_after_ms: picture
            .zip(file)
            .map_or(0.0, |(p, f)| 1000.0 * (p - f).max(0.0)),
        sound: first("audio").and_then(|s| s.codec_name.clone()),
    })
}

/// A file's name as FFmpeg takes it: never for an option or a protocol.
fn input(path: &Path) -> OsString {
    let mut name = OsString::from("file:");
    name.push(path);
    name
}

fn last_line(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(said);
    said.trim()
        .lines()
        .last()
        .unwrap_or("no reason given")
        .to_owned()
}

/// A recording as FFmpeg reads it: one file, or several in a list.
pub struct Recording {
    parts: Vec<PathBuf>,
    /// Kept until it was read.
    list: Option<NamedTempFile>,
    /// The part of its picture that is seen.
    window: Option<Window>,
    /// What the first file holds.
    pub tracks: Tracks,
}

impl Recording {
    /// The files of a recording, when each begins, milliseconds, and the part of its picture that is
    /// seen, if not all.
    ///
    /// # Errors
    /// [`ToolError`].
    pub fn new(parts: &[(PathBuf, f64)], window: Option<Window>) -> Result<Self, ToolError> {
        // FFmpeg may be started in another folder.
        let paths = parts.iter().map(|p| std::path::absolute(&p.0));
        let paths = paths.collect::<io::Result<Vec<PathBuf>>>()?;
        let tracks = match paths.first() {
            Some(path) => probe(path)?,
            None => return Err(io::Error::from(io::ErrorKind::NotFound).into()),
        };
        let list = match parts {
            [_] => None,
            _ => Some(list(parts)?),
        };
        Ok(Self {
            parts: paths,
            list,
            window,
            tracks,
        })
    }

    /// Arguments that open it at a time of its picture, milliseconds.
    #[must_use]
    pub fn input_at(&self, ms: f64) -> Vec<OsString> {
        let from_ms = ms + self.tracks.picture_after_ms;
        let mut arguments: Vec<OsString> =
            vec!["-ss".into(), format!("{:.3}", from_ms / 1000.0).into()];
        match (&self.list, self.parts.first()) {
            (Some(list), _) => {
                arguments.extend(["-f", "concat", "-safe", "0", "-i"].map(OsString::from));
                arguments.push(input(list.path()));
            }
            (None, Some(path)) => arguments.extend(["-i".into(), input(path)]),
            (None, None) => {}
        }
        arguments
    }

    /// The filter that makes a picture of what is seen.
    #[must_use]
    pub fn seen(&self) -> String {
        self.window.map_or_else(
            || EVEN.to_owned(),
            |w| format!("crop={}:{}:{}:{}", w.width, w.height, w.left, w.top),
        )
    }

    /// How the sound goes into an MP4: as it is where an MP4 can hold it, else as AAC.
    #[must_use]
    pub fn sound_codec(&self) -> &'static str {
        match self.tracks.sound.as_deref() {
            Some("aac" | "mp3" | "ac3" | "alac" | "opus") if self.list.is_none() => "copy",
            _ => "aac",
        }
    }
}

/// A list for FFmpeg's `concat`, with the lengths that our own times have.
fn list(parts: &[(PathBuf, f64)]) -> io::Result<NamedTempFile> {
    let mut text = String::from("ffconcat version 1.0\n");
    for (index, (path, begins_ms)) in parts.iter().enumerate() {
        let path = std::path::absolute(path)?;
        let name = path.to_string_lossy().replace('\'', "'\\''");
        let _ = writeln!(text, "file 'file:{name}'");
        if let Some((_, next_ms)) = parts.get(index + 1) {
            let _ = writeln!(text, "duration {:.6}", (next_ms - begins_ms) / 1000.0);
        }
    }
    let mut file = NamedTempFile::new()?;
    file.write_all(text.as_bytes())?;
    Ok(file)
}

/// Whole macroblocks of colour: an odd row or column is doubled, none is lost.
pub const EVEN: &str = "pad=ceil(iw/2)*2:ceil(ih/2)*2";

/// H.264 that plays everywhere, each frame at its own time.
#[must_use]
pub fn h264(preset: &str, quality: &str) -> Vec<OsString> {
    let codec = words(["-c:v", "libx264", "-pix_fmt", "yuv420p", "-fps_mode", "vfr"]);
    let kind = words(["-preset", preset, "-crf", quality, "-g", "60"]);
    [codec, kind].concat()
}

/// FFmpeg at work.
pub struct Running(Child);

/// Starts FFmpeg in a folder, with frames to come on its standard input.
///
/// # Errors
/// [`ToolError::Start`].
pub fn start(folder: &Path, arguments: &[OsString]) -> Result<Running, ToolError> {
    spawn(
        Command::new("ffmpeg").current_dir(folder),
        arguments,
        Stdio::piped(),
    )
}

fn spawn(ffmpeg: &mut Command, arguments: &[OsString], input: Stdio) -> Result<Running, ToolError> {
    let name = "ffmpeg";
    ffmpeg
        .args(["-nostats", "-v", "error", "-y"])
        .args(arguments)
        .stdin(input)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map(Running)
        .map_err(|source| ToolError::Start { name, source })
}

impl Running {
    /// Where frames go in.
    pub fn pipe(&mut self) -> Option<ChildStdin> {
        self.0.stdin.take()
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// [`ToolError`].
    pub fn finish(mut self) -> Result<(), ToolError> {
        drop(self.0.stdin.take());
        let mut said = Vec::new();
        if let Some(mut errors) = self.0.stderr.take() {
            errors.read_to_end(&mut said)?;
        }
        if self.0.wait()?.success() {
            return Ok(());
        }
        Err(ToolError::Failed {
            name: "ffmpeg",
            said: last_line(&said),
        })
    }
}

/// Runs FFmpeg to its end.
///
/// # Errors
/// [`ToolError`].
pub fn run(arguments: &[OsString]) -> Result<(), ToolError> {
    spawn(&mut Command::new("ffmpeg"), arguments, Stdio::null())?.finish()
}

/// Arguments from words.
#[must_use]
pub fn words<const N: usize>(words: [&str; N]) -> Vec<OsString> {
    words.map(OsString::from).to_vec()
}
