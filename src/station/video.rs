//! Frames as a video file: one for one, each at its capture time. FFmpeg's own program compresses
//! them (H.264 in MP4, which plays everywhere).

use std::{
    io::{self, BufWriter, Read},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
};

use super::footage::FootageError;
use crate::media::{FrameSource, VideoFile, matroska::Stream};

/// Units of a second in which a video tells its times.
const TIMESCALE: &str = "100000";
/// Frames between two that can be decoded without another one.
const KEYFRAMES: &str = "60";

/// What a video is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To be kept by the hour: it has to cost little.
    Keeping,
    /// To be looked at closely.
    Showing,
}

impl Purpose {
    /// Preset and rate factor of x264; measured in `docs/arbiter.md`.
    const fn settings(self) -> [&'static str; 4] {
        match self {
            Self::Keeping => ["-preset", "ultrafast", "-crf", "25"],
            Self::Showing => ["-preset", "veryfast", "-crf", "18"],
        }
    }

    /// What is kept has time; for what is shown, somebody waits.
    const fn niceness(self) -> &'static str {
        match self {
            Self::Keeping => "19",
            Self::Showing => "0",
        }
    }
}

/// Why a video cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum VideoError {
    /// There is no FFmpeg, or it cannot be started.
    #[error("ffmpeg cannot be started ({0}): install it, as scripts/setup does")]
    Start(io::Error),
    /// It ended with a fault.
    #[error("ffmpeg could not make the video: {0}")]
    Failed(String),
    /// It lost frames, or made some up.
    #[error("the video has {found} frames instead of {expected}")]
    Count {
        /// In the video.
        found: u64,
        /// That were given.
        expected: u64,
    },
    /// No frame at all.
    #[error("there are no frames of this time")]
    Empty,
    /// A frame cannot be read.
    #[error(transparent)]
    Footage(#[from] FootageError),
}

/// Makes a video of frames, JPEGs with their capture times in milliseconds; returns how many there
/// are. Time zero of the video is the first frame's.
///
/// # Errors
/// [`VideoError`]; what there is of the file then is of no use.
pub fn encode(
    frames: impl IntoIterator<Item = Result<(f64, Vec<u8>), FootageError>>,
    out: &Path,
    purpose: Purpose,
) -> Result<u64, VideoError> {
    let mut frames = frames.into_iter().peekable();
    let (zero_ms, size) = match frames.peek() {
        Some(Ok((t_ms, jpeg))) => (*t_ms, size(jpeg)?),
        // The failure itself comes out below.
        Some(Err(_)) => (0.0, (0, 0)),
        None => return Err(VideoError::Empty),
    };
    let mut ffmpeg = start(out, purpose)?;
    let mut expected = 0;
    let written = match ffmpeg.stdin.take() {
        Some(pipe) => feed(pipe, frames, zero_ms, size, &mut expected),
        None => Ok(()),
    };
    let ended = finish(ffmpeg);
    // A broken pipe is FFmpeg's own failure, which says more.
    match (written, ended) {
        (Err(VideoError::Footage(error)), _) => return Err(error.into()),
        (_, Err(error)) | (Err(error), Ok(())) => return Err(error),
        (Ok(()), Ok(())) => {}
    }
    let found = VideoFile::open(out)
        .ok()
        .and_then(|video| video.info().frames)
        .unwrap_or_default();
    if found == expected {
        Ok(found)
    } else {
        Err(VideoError::Count { found, expected })
    }
}

fn size(jpeg: &[u8]) -> Result<(u32, u32), VideoError> {
    let reader = image::ImageReader::with_format(io::Cursor::new(jpeg), image::ImageFormat::Jpeg);
    reader
        .into_dimensions()
        .map_err(|e| VideoError::Failed(format!("a frame is no JPEG: {e}")))
}

fn start(out: &Path, purpose: Purpose) -> Result<Child, VideoError> {
    Command::new("nice")
        .args(["-n", purpose.niceness(), "ffmpeg"])
        .args(["-nostats", "-v", "fatal", "-y"])
        .args(["-threads", "1", "-f", "matroska", "-i", "pipe:0"])
        // Whole macroblocks of colour: an odd row or column is doubled, none is lost.
        .args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2"])
        .args(["-c:v", "libx264", "-threads", "1"])
        .args(purpose.settings())
        .args(["-pix_fmt", "yuv420p", "-bf", "0", "-g", KEYFRAMES])
        .args(["-fps_mode", "passthrough"])
        .args(["-enc_time_base", &format!("1:{TIMESCALE}")])
        .args(["-video_track_timescale", TIMESCALE])
        .args(["-movflags", "+faststart", "-f", "mp4"])
        .arg(out)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(VideoError::Start)
}

fn feed(
    pipe: ChildStdin,
    frames: impl Iterator<Item = Result<(f64, Vec<u8>), FootageError>>,
    zero_ms: f64,
    size: (u32, u32),
    count: &mut u64,
) -> Result<(), VideoError> {
    let failed = |e: io::Error| VideoError::Failed(e.to_string());
    let mut stream = Stream::begin(BufWriter::new(pipe), size, zero_ms).map_err(failed)?;
    for frame in frames {
        let (t_ms, jpeg) = frame?;
        stream.add(t_ms, &jpeg).map_err(failed)?;
        *count += 1;
    }
    stream.end().map_err(failed)
}

/// Waits for FFmpeg's end; what it says of a fault is little.
fn finish(mut ffmpeg: Child) -> Result<(), VideoError> {
    let mut said = String::new();
    if let Some(mut errors) = ffmpeg.stderr.take() {
        // Whether it failed is told by its status.
        let _ = errors.read_to_string(&mut said);
    }
    let status = ffmpeg.wait().map_err(VideoError::Start)?;
    if status.success() {
        return Ok(());
    }
    let line = said.lines().last().unwrap_or_default();
    Err(VideoError::Failed(format!("{line} ({status})")))
}

#[cfg(test)]
mod tests {
    use opencv::core::{CV_8UC3, Mat, MatTraitConst, Scalar};

    use super::*;
    use crate::station::live::jpeg;

    /// A picture of an odd size whose grey tells its number.
    fn picture(grey: f64) -> Vec<u8> {
        let image = Mat::new_rows_cols_with_default(91, 161, CV_8UC3, Scalar::all(grey)).unwrap();
        jpeg(&image).unwrap()
    }

    #[test]
    fn each_frame_is_there_once_at_its_own_time() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("clip.mp4");
        // A pause, and two frames that came together.
        let times = [0.0, 33.3, 66.7, 66.71, 2000.0, 2033.3];
        let frames = times
            .iter()
            .enumerate()
            .map(|(k, t)| Ok((1e12 + t, picture(20.0 + 40.0 * k as f64))));
        assert_eq!(encode(frames, &out, Purpose::Showing).unwrap(), 6);
        let mut video = VideoFile::open(&out).unwrap();
        for (k, t_ms) in times.iter().enumerate() {
            let frame = video.next_frame().unwrap().unwrap();
            // Players that round to milliseconds hold two frames of one millisecond apart.
            assert!((frame.t_ms - t_ms).abs() <= 1.1, "{k}: {}", frame.t_ms);
            let grey = f64::from(frame.image.at_2d::<opencv::core::Vec3b>(40, 80).unwrap()[1]);
            assert!((grey - (20.0 + 40.0 * k as f64)).abs() < 4.0, "{k}: {grey}");
        }
        assert!(video.next_frame().unwrap().is_none());
    }

    #[test]
    fn what_cannot_be_made_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("clip.mp4");
        let none = std::iter::empty();
        let said = encode(none, &out, Purpose::Keeping).unwrap_err();
        assert!(matches!(said, VideoError::Empty));
        let no_picture = [Ok((1.0, b"nothing".to_vec()))];
        assert!(encode(no_picture, &out, Purpose::Keeping).is_err());
        let nowhere = folder.path().join("no/clip.mp4");
        let said = encode([Ok((1.0, picture(9.0)))], &nowhere, Purpose::Keeping).unwrap_err();
        assert!(matches!(said, VideoError::Failed(_)), "{said}");
    }
}
