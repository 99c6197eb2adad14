//! Where frames come from: one trait, and the sources behind it.
//!
//! Every frame carries its capture time. For a recording that is the container's presentation
//! time, counted from the first frame and forced to rise; it is never computed from an index and
//! a frame rate, which is wrong for every recording with a variable rate.

mod container;
pub mod ffmpeg;
mod footage;
pub mod glimpse;
mod images;
pub(crate) mod matroska;
mod parts;
mod times;
mod video;

use std::path::{Path, PathBuf};

use opencv::core::Mat;

pub use footage::Footage;
pub use images::{ImageFolder, PICTURE_INTERVAL_MS, read_image};
pub use parts::open_parts;
pub use video::VideoFile;

/// One picture with its capture time.
pub struct Frame {
    /// Pixels, BGR, 8 bits, upright (rotation metadata applied).
    pub image: Mat,
    /// Milliseconds since the source's first frame, strictly rising.
    pub t_ms: f64,
    /// Running number from 0.
    pub index: u64,
    /// Which file of a recording in several it comes from, from 0.
    pub part: usize,
}

/// What a source says of itself before the first frame.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceInfo {
    /// Picture width after rotation, pixels.
    pub width_px: u32,
    /// Picture height after rotation, pixels.
    pub height_px: u32,
    /// Number of frames, if the container claims one.
    pub frames: Option<u64>,
    /// The container's nominal rate, frames a second: for display only.
    pub nominal_fps: Option<f64>,
    /// The length that the container claims, milliseconds.
    pub length_ms: Option<f64>,
    /// The file ends before its container says that it does.
    pub torn: bool,
}

/// A source of frames in capture order.
pub trait FrameSource {
    /// What is known of the source.
    fn info(&self) -> &SourceInfo;

    /// The next frame, or `None` at the end.
    ///
    /// # Errors
    /// [`MediaError`] when a frame cannot be had that should be there.
    fn next_frame(&mut self) -> Result<Option<Frame>, MediaError>;
}

/// Why no frames can be had.
#[derive(Debug, thiserror::Error)]
pub enum MediaError {
    /// Nothing there.
    #[error("{}: there is no such file or folder: check the path", .0.display())]
    Missing(PathBuf),
    /// A file without content.
    #[error("{}: the file is empty (0 bytes): copy the recording again", .0.display())]
    Empty(PathBuf),
    /// Not decodable.
    #[error("{}: this is not a video that can be read: give an .mp4, .mkv, .mov or .avi recording, or check that the file was copied completely", .0.display())]
    NotAVideo(PathBuf),
    /// A folder without pictures.
    #[error("{}: no pictures (.jpg, .jpeg, .png) in this folder", .0.display())]
    NoImages(PathBuf),
    /// A picture that cannot be decoded.
    #[error("{}: this picture cannot be read: is it a complete JPEG or PNG?", .0.display())]
    BadImage(PathBuf),
    /// The pictures of one source differ in size.
    #[error("{}: this picture is {}x{}, the ones before are {}x{}: one source must keep its size", path.display(), found.0, found.1, expected.0, expected.1)]
    SizeChanged {
        /// Which picture.
        path: PathBuf,
        /// Its width and height.
        found: (u32, u32),
        /// Those of the first.
        expected: (u32, u32),
    },
    /// The files of one recording differ in size.
    #[error("{}: this file's pictures are {}x{}, those of the files before are {}x{}: give files of one recording, in their order", path.display(), found.0, found.1, expected.0, expected.1)]
    OtherSize {
        /// Which file.
        path: PathBuf,
        /// Its width and height.
        found: (u32, u32),
        /// Those of the first.
        expected: (u32, u32),
    },
    /// A frame cannot be turned into a picture.
    #[error("a frame cannot be turned into a picture: {0}")]
    Decoding(String),
    /// OpenCV said no.
    #[error("{}: {source}", path.display())]
    OpenCv {
        /// Which source.
        path: PathBuf,
        /// What OpenCV said.
        source: opencv::Error,
    },
}

/// Opens a video file, or a folder of numbered pictures.
///
/// # Errors
/// [`MediaError`], in words a person can act on.
pub fn open(path: &Path) -> Result<Box<dyn FrameSource>, MediaError> {
    if path.is_dir() {
        Ok(Box::new(ImageFolder::open(path)?))
    } else {
        Ok(Box::new(VideoFile::open(path)?))
    }
}
