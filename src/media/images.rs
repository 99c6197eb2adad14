//! Folders of numbered pictures, and single pictures.

use std::path::{Path, PathBuf};

use opencv::{
    core::{Mat, MatTraitConst},
    imgcodecs::{IMREAD_COLOR, imread},
};

use super::{Frame, FrameSource, MediaError, SourceInfo};

/// A folder of pictures in the order of their names, one second apart: their true times are not
/// known, only their order.
pub struct ImageFolder {
    files: Vec<PathBuf>,
    next: usize,
    info: SourceInfo,
}

/// Assumed distance in time between two pictures of a folder, milliseconds.
pub const PICTURE_INTERVAL_MS: f64 = 1000.0;

impl ImageFolder {
    /// Lists the folder.
    ///
    /// # Errors
    /// [`MediaError::Missing`], [`MediaError::NoImages`], or [`MediaError::BadImage`] for the first.
    pub fn open(path: &Path) -> Result<Self, MediaError> {
        let files = list(path)?;
        let Some(first) = files.first() else {
            return Err(MediaError::NoImages(path.to_owned()));
        };
        let image = read_image(first)?;
        let info = SourceInfo {
            width_px: image.cols().unsigned_abs(),
            height_px: image.rows().unsigned_abs(),
            frames: Some(files.len() as u64),
            nominal_fps: None,
            length_ms: None,
            torn: false,
        };
        Ok(Self {
            files,
            next: 0,
            info,
        })
    }

    /// The pictures' paths in order.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }
}

/// The pictures of a folder, sorted by name.
fn list(path: &Path) -> Result<Vec<PathBuf>, MediaError> {
    let entries = std::fs::read_dir(path).map_err(|_| MediaError::Missing(path.to_owned()))?;
    let is_picture = |p: &PathBuf| {
        p.extension()
            .and_then(|e| e.to_str())
            .is_some_and(|e| matches!(e.to_ascii_lowercase().as_str(), "jpg" | "jpeg" | "png"))
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(is_picture)
        .collect();
    files.sort();
    Ok(files)
}

/// Decodes one picture, upright, BGR.
///
/// # Errors
/// [`MediaError::Missing`], [`MediaError::Empty`] or [`MediaError::BadImage`].
pub fn read_image(path: &Path) -> Result<Mat, MediaError> {
    let length = std::fs::metadata(path)
        .map_err(|_| MediaError::Missing(path.to_owned()))?
        .len();
    if length == 0 {
        return Err(MediaError::Empty(path.to_owned()));
    }
    let bad = || MediaError::BadImage(path.to_owned());
    let image = imread(path.to_str().ok_or_else(bad)?, IMREAD_COLOR).map_err(|_| bad())?;
    if image.empty() { Err(bad()) } else { Ok(image) }
}

impl FrameSource for ImageFolder {
    fn info(&self) -> &SourceInfo {
        &self.info
    }

    fn next_frame(&mut self) -> Result<Option<Frame>, MediaError> {
        let Some(path) = self.files.get(self.next) else {
            return Ok(None);
        };
        let image = read_image(path)?;
        let found = (image.cols().unsigned_abs(), image.rows().unsigned_abs());
        let expected = (self.info.width_px, self.info.height_px);
        if found != expected {
            return Err(MediaError::SizeChanged {
                path: path.clone(),
                found,
                expected,
            });
        }
        let index = self.next as u64;
        self.next += 1;
        Ok(Some(Frame {
            image,
            t_ms: index as f64 * PICTURE_INTERVAL_MS,
            index,
            part: 0,
        }))
    }
}
