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

use super::{Frame, FrameSource, MediaError, SourceInfo, container, times::Times};

/// A recording on disk.
pub struct VideoFile {
    path: PathBuf,
    capture: VideoCapture,
    info: SourceInfo,
    first: Option<Mat>,
    times: Times,
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
            times: Times::default(),
            index: 0,
        })
    }

    /// Jumps to a keyframe at or before `t_ms` where the container can, else stays.
    /// The next frame's own time tells where it landed; `false` means that it did not move.
    pub fn seek(&mut self, t_ms: f64) -> bool {
        let Some(origin_ms) = self.times.origin_ms else {
            return false;
        };
        self.capture
            .set(CAP_PROP_POS_MSEC, origin_ms + t_ms)
            .unwrap_or(false)
            && {
                self.times.jumped();
                true
            }
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
        let container_ms = self.capture.get(CAP_PROP_POS_MSEC).ok();
        let t_ms = self.times.next(container_ms);
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
