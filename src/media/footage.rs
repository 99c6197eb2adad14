//! A recording as it is looked at: its files, and the part of their pictures that matters.

use std::path::PathBuf;

use opencv::core::{Mat, MatTraitConst, Rect};

use super::{Frame, FrameSource, MediaError, SourceInfo, open_parts};
use crate::calibration::window::Window;

/// A recording, or a part of each of its pictures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footage {
    /// A file, a folder of pictures, or several files in their order.
    pub files: Vec<PathBuf>,
    /// The part of the pictures that is seen; all of them without.
    pub window: Option<Window>,
}

impl Footage {
    /// All of the pictures of some files.
    #[must_use]
    pub fn whole(files: &[PathBuf]) -> Self {
        Self {
            files: files.to_vec(),
            window: None,
        }
    }

    /// Opens it.
    ///
    /// # Errors
    /// [`MediaError`].
    pub fn open(&self) -> Result<Box<dyn FrameSource>, MediaError> {
        let source = open_parts(&self.files)?;
        let Some(window) = self.window else {
            return Ok(source);
        };
        let info = SourceInfo {
            width_px: window.width,
            height_px: window.height,
            ..source.info().clone()
        };
        Ok(Box::new(Windowed {
            source,
            window,
            info,
        }))
    }
}

/// Frames of which a part is seen.
struct Windowed {
    source: Box<dyn FrameSource>,
    window: Window,
    info: SourceInfo,
}

impl FrameSource for Windowed {
    fn info(&self) -> &SourceInfo {
        &self.info
    }

    fn next_frame(&mut self) -> Result<Option<Frame>, MediaError> {
        let Some(frame) = self.source.next_frame()? else {
            return Ok(None);
        };
        let image = cut(&frame.image, self.window)?;
        Ok(Some(Frame { image, ..frame }))
    }
}

/// A part of a picture, as a picture of its own.
pub(super) fn cut(image: &Mat, window: Window) -> Result<Mat, MediaError> {
    let part = Mat::roi(image, rect(window)).and_then(|part| part.try_clone());
    part.map_err(|e| MediaError::Decoding(e.to_string()))
}

/// As OpenCV has it.
pub(super) fn rect(window: Window) -> Rect {
    let [left, top, width, height] =
        [window.left, window.top, window.width, window.height].map(|v| v as i32);
    Rect::new(left, top, width, height)
}
