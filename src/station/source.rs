//! What a board is watched by: a camera of this machine, a network camera, or a recording that is
//! played as live. A network camera's name and password are never shown.

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
};

use opencv::{
    core::{Mat, MatTraitConst, Vector},
    videoio::{
        CAP_FFMPEG, CAP_PROP_OPEN_TIMEOUT_MSEC, CAP_PROP_READ_TIMEOUT_MSEC, CAP_V4L2, VideoCapture,
        VideoCaptureTrait, VideoCaptureTraitConst,
    },
};

use super::clock::Clock;
use crate::media::{self, Frame, FrameSource, MediaError, SourceInfo};

/// A silent network camera is given up after this time, milliseconds.
const READ_TIMEOUT_MS: i32 = 1500;
/// See [`READ_TIMEOUT_MS`], for the connection.
const OPEN_TIMEOUT_MS: i32 = 4000;

/// Where frames come from.
#[derive(Clone, PartialEq, Eq)]
pub enum Source {
    /// A recording, played at its own pace from when the board has been found in it.
    Recording {
        /// Video file or folder of pictures.
        path: PathBuf,
        /// Begins anew at its end, as a new game.
        looped: bool,
    },
    /// A V4L2 camera, as `/dev/video0`.
    Device(PathBuf),
    /// A network camera.
    Rtsp(RtspUrl),
}

/// The address of a network camera. Shown without what stands before the `@`.
#[derive(Clone, PartialEq, Eq)]
pub struct RtspUrl(String);

impl RtspUrl {
    /// What may be shown.
    fn shown(&self) -> String {
        let Some((scheme, rest)) = self.0.split_once("://") else {
            return "rtsp://...".to_owned();
        };
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        // Some cameras take the password as a parameter.
        let path = path.split(['?', '#']).next().unwrap_or_default();
        format!("{scheme}://{host}/{path}")
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Recording { path, looped } => {
                let prefix = if *looped { "loop:" } else { "" };
                write!(f, "{prefix}{}", path.display())
            }
            Self::Device(path) => write!(f, "{}", path.display()),
            Self::Rtsp(url) => f.write_str(&url.shown()),
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({self})")
    }
}

impl fmt::Debug for RtspUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown())
    }
}

/// Why something is no source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// Nothing was given.
    #[error(
        "a source is missing: give a video file, loop:FILE, a camera as /dev/video0, or an rtsp:// address"
    )]
    Empty,
    /// Another kind of address.
    #[error(
        "{0}:// is not a kind of source: give a video file, loop:FILE, a camera as /dev/video0, or an rtsp:// address"
    )]
    Scheme(String),
    /// An address without a host.
    #[error("an rtsp:// address needs a host, as rtsp://192.168.1.20/stream1")]
    NoHost,
}

impl FromStr for Source {
    type Err = SourceError;

    fn from_str(text: &str) -> Result<Self, SourceError> {
        let text = text.trim();
        if let Some((scheme, rest)) = text.split_once("://") {
            if !matches!(scheme, "rtsp" | "rtsps") {
                return Err(SourceError::Scheme(scheme.to_owned()));
            }
            let host = rest.split('/').next().unwrap_or_default();
            let host = host.rsplit('@').next().unwrap_or_default();
            if host.is_empty() {
                return Err(SourceError::NoHost);
            }
            return Ok(Self::Rtsp(RtspUrl(text.to_owned())));
        }
        let (looped, path) = match text.strip_prefix("loop:") {
            Some(path) => (true, path),
            None => (false, text),
        };
        if path.is_empty() {
            return Err(SourceError::Empty);
        }
        if !looped && path.starts_with("/dev/video") {
            return Ok(Self::Device(PathBuf::from(path)));
        }
        Ok(Self::Recording {
            path: PathBuf::from(path),
            looped,
        })
    }
}

/// Why a source gives no frames, without its address.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// A recording.
    #[error(transparent)]
    Media(#[from] MediaError),
    /// A camera that does not answer.
    #[error("{0}: the camera does not answer: check its cable, power and address")]
    NoAnswer(Source),
    /// A camera that has stopped.
    #[error("{0}: the camera has stopped sending pictures")]
    Stopped(Source),
    /// What OpenCV said.
    #[error("the camera cannot be read: {0}")]
    OpenCv(#[from] opencv::Error),
}

impl Source {
    /// Whether it is a recording, which waits for the board to be found and has an end.
    #[must_use]
    pub const fn is_recording(&self) -> bool {
        matches!(self, Self::Recording { .. })
    }

    /// Opens it. Frames of cameras carry the time at which they came, by `clock`; those of
    /// recordings their own, from the first.
    ///
    /// # Errors
    /// [`CaptureError`].
    pub(super) fn open(&self, clock: Clock) -> Result<Box<dyn FrameSource>, CaptureError> {
        let mut capture = match self {
            Self::Recording { path, .. } => return Ok(media::open(path)?),
            Self::Device(path) => device(path)?,
            Self::Rtsp(url) => VideoCapture::from_file_with_params(
                &url.0,
                CAP_FFMPEG,
                &Vector::from_slice(&[
                    CAP_PROP_OPEN_TIMEOUT_MSEC,
                    OPEN_TIMEOUT_MS,
                    CAP_PROP_READ_TIMEOUT_MSEC,
                    READ_TIMEOUT_MS,
                ]),
            )?,
        };
        let mut first = Mat::default();
        if !capture.is_opened()? || !capture.read(&mut first)? || first.empty() {
            return Err(CaptureError::NoAnswer(self.clone()));
        }
        let info = SourceInfo {
            width_px: first.cols().unsigned_abs(),
            height_px: first.rows().unsigned_abs(),
            frames: None,
            nominal_fps: None,
            length_ms: None,
            torn: false,
        };
        Ok(Box::new(Camera {
            capture,
            clock,
            info,
            first: Some(first),
            last_ms: f64::NEG_INFINITY,
            index: 0,
        }))
    }
}

impl Source {
    /// Whether it gives a picture now.
    ///
    /// # Errors
    /// [`CaptureError`], with what to do.
    pub(super) fn try_out(&self, clock: Clock) -> Result<(), CaptureError> {
        let picture = self.open(clock)?.next_frame()?;
        picture
            .map(|_| ())
            .ok_or(CaptureError::NoAnswer(self.clone()))
    }
}

fn device(path: &Path) -> Result<VideoCapture, opencv::Error> {
    VideoCapture::from_file(path, CAP_V4L2)
}

/// A camera that sends frames as they come.
struct Camera {
    capture: VideoCapture,
    clock: Clock,
    info: SourceInfo,
    first: Option<Mat>,
    last_ms: f64,
    index: u64,
}

impl FrameSource for Camera {
    fn info(&self) -> &SourceInfo {
        &self.info
    }

    fn next_frame(&mut self) -> Result<Option<Frame>, MediaError> {
        let image = match self.first.take() {
            Some(first) => first,
            None => {
                let mut image = Mat::default();
                if !self.capture.read(&mut image).unwrap_or(false) || image.empty() {
                    return Ok(None);
                }
                image
            }
        };
        // Frames that were waiting together come together.
        let t_ms = self.clock.now_ms().max(self.last_ms + 0.01);
        self.last_ms = t_ms;
        let index = self.index;
        self.index += 1;
        Ok(Some(Frame {
            image,
            t_ms,
            index,
            part: 0,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart() {
        let parse = |text: &str| text.parse::<Source>();
        let recording = |path: &str, looped| Source::Recording {
            path: PathBuf::from(path),
            looped,
        };
        assert_eq!(parse("a/game.mp4"), Ok(recording("a/game.mp4", false)));
        assert_eq!(parse("loop:game.mp4"), Ok(recording("game.mp4", true)));
        assert_eq!(
            parse("/dev/video2"),
            Ok(Source::Device(PathBuf::from("/dev/video2")))
        );
        assert!(matches!(parse("rtsp://host:554/1"), Ok(Source::Rtsp(_))));
        assert_eq!(parse("  "), Err(SourceError::Empty));
        assert_eq!(
            parse("http://host/1"),
            Err(SourceError::Scheme("http".to_owned()))
        );
        assert_eq!(parse("rtsp://user:word@/1"), Err(SourceError::NoHost));
    }

    #[test]
    fn credentials_are_never_shown() {
        for address in [
            "rtsp://anna:s3cret@10.0.0.5:554/stream1",
            "rtsp://anna:s3c@ret@10.0.0.5:554/stream1",
            "rtsp://10.0.0.5:554/stream1?user=anna&password=s3cret",
        ] {
            let source: Source = address.parse().unwrap();
            let shown = [
                source.to_string(),
                format!("{source:?}"),
                CaptureError::Stopped(source).to_string(),
            ]
            .concat();
            assert!(!shown.contains("s3c") && !shown.contains("anna"), "{shown}");
            assert!(shown.contains("rtsp://10.0.0.5:554/stream1"), "{shown}");
        }
    }
}
