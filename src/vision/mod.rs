//! What is seen in one frame: hands and squares, with probabilities and without memory of the
//! game. OpenCV and ONNX Runtime live here.

pub mod arms;
pub mod crop;
pub mod hands;
mod leaning;
pub mod motion;
pub mod perception;
pub mod runtime;
pub mod squares;
pub mod tone;
pub mod touch;

/// Why a frame could not be looked at.
#[derive(Debug, thiserror::Error)]
pub enum VisionError {
    /// A model or the runtime.
    #[error(transparent)]
    Runtime(#[from] runtime::RuntimeError),
    /// OpenCV refused.
    #[error("the picture could not be processed: {0}")]
    OpenCv(#[from] opencv::Error),
    /// A picture of unexpected shape.
    #[error("the picture has an unexpected shape: {0}")]
    Shape(#[from] ndarray::ShapeError),
    /// The pieces tell of a camera that cannot be.
    #[error(transparent)]
    View(#[from] crate::calibration::view::ViewError),
}
