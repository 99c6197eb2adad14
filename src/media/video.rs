//! Video files, decoded by FFmpeg through OpenCV.

use std::path::{Path, PathBuf};

use opencv::{
    core::{Mat, MatTraitConst},
    videoio::{
        CAP_FFMPEG, CAP_PROP_FPS, CAP_PROP_FRAME_COUNT, CAP_PROP_FRAME_HEIGHT,
        CAP_PROP_FRAME_WIDTH, CAP_PROP_ORIENTATION_AUTO, CAP_PROP_POS_MSEC, VideoCapture,
        VideoCaptureTrait, VideoCaptureTraitConst,
    },
};

use super::{Frame, FrameSource, MediaError, SourceInfo, container};

/// A recording on disk.
pub struct VideoFile {
    path: PathBuf,
    capture: VideoCapture,
    info: SourceInfo,
    first: Option<Mat>,
    origin_ms: Option<f64>,
    /// The container's time of the frame before, and how long after the one before that it came.
    container_ms: f64,
    step_ms: f64,
    last_ms: f64,
    index: u64,
}

impl VideoFile {
    /// Opens the file and decodes its first frame, which tells the size after rotation.
    ///
    /// # Errors
    /// [`MediaError::Missing`], [`MediaError::Empty`] or [`MediaError::NotAVideo`].
    pub fn open(path: &Path) -> Result<Self, MediaError> {
        let length = std::fs::metadata(path)
            .map_err(|_| MediaError::Missing(path.to_owned()))?
            .len();
        if length == 0 {
            return Err(MediaError::Empty(path.to_owned()));
        }
        let not_a_video = || MediaError::NotAVideo(path.to_owned());
        let name = path.to_str().ok_or_else(not_a_video)?;
        let mut capture = VideoCapture::from_file(name, CAP_FFMPEG).map_err(|_| not_a_video())?;
        // The phone's rotation mark: on by default with this backend, but not everywhere.
        let _ = capture.set(CAP_PROP_ORIENTATION_AUTO, 1.0);
        let mut first = Mat::default();
        let opened = capture.is_opened().unwrap_or(false);
        if !opened || !capture.read(&mut first).unwrap_or(false) || first.empty() {
            return Err(not_a_video());
        }
        let frames = positive(&capture, CAP_PROP_FRAME_COUNT);
        let nominal_fps = positive(&capture, CAP_PROP_FPS);
        let claims = container::claims(path);
        let info = SourceInfo {
            width_px: first.cols().unsigned_abs(),
            height_px: first.rows().unsigned_abs(),
            frames: frames.map(|n| n.round() as u64),
            nominal_fps,
            // Where a container only says how long it is, OpenCV's count is that, times this rate.
            length_ms: claims
                .length_ms
                .or_else(|| Some(frames? * 1000.0 / nominal_fps?)),
            torn: claims.torn,
        };
        tracing::debug!(
            width = positive(&capture, CAP_PROP_FRAME_WIDTH),
            height = positive(&capture, CAP_PROP_FRAME_HEIGHT),
            "stored size before rotation"
        );
        Ok(Self {
            path: path.to_owned(),
            capture,
            info,
            first: Some(first),
            origin_ms: None,
            container_ms: 0.0,
            step_ms: 1.0,
            last_ms: 0.0,
            index: 0,
        })
    }

    /// Jumps to a keyframe at or before `t_ms` where the container can, else stays.
    /// The next frame's own time tells where it landed; `false` means that it did not move.
    pub fn seek(&mut self, t_ms: f64) -> bool {
        let Some(origin) = self.origin_ms else {
            return false;
        };
        self.capture
            .set(CAP_PROP_POS_MSEC, origin + t_ms)
            .unwrap_or(false)
            && {
                self.last_ms = f64::NEG_INFINITY;
                true
            }
    }

    /// Capture time of the frame just decoded, from the first frame, strictly rising.
    fn time_ms(&mut self) -> f64 {
        let container = self
            .capture
            .get(CAP_PROP_POS_MSEC)
            .unwrap_or(self.container_ms)
            .max(0.0);
        let origin = *self.origin_ms.get_or_insert(container);
        if self.index == 0 {
            self.container_ms = container;
            return 0.0;
        }
        // The last frames of a stream with frames out of order come without a time of their own.
        if container == 0.0 || container == self.container_ms {
            return self.last_ms + self.step_ms;
        }
        if container > self.container_ms {
            self.step_ms = container - self.container_ms;
        }
        self.container_ms = container;
        // Time stamps that go back: keep the order, invent the least.
        (container - origin).max(self.last_ms + 1.0)
    }
}

fn positive(capture: &VideoCapture, property: i32) -> Option<f64> {
    capture
        .get(property)
        .ok()
        .filter(|v| v.is_finite() && *v > 0.0)
}

impl FrameSource for VideoFile {
    fn info(&self) -> &SourceInfo {
        &self.info
    }

    fn next_frame(&mut self) -> Result<Option<Frame>, MediaError> {
        let image = match self.first.take() {
            Some(first) => first,
            None => {
                let mut image = Mat::default();
                let read = self
                    .capture
                    .read(&mut image)
                    .map_err(|source| MediaError::OpenCv {
                        path: self.path.clone(),
                        source,
                    })?;
                if !read || image.empty() {
                    return Ok(None);
                }
                image
            }
        };
        let t_ms = self.time_ms();
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
