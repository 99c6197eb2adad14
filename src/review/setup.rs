//! Before the first frame is judged: where the board lies, and whether the start position stands.

use std::path::Path;

use opencv::core::Mat;
use shakmaty::{Board, Square};

use crate::{
    calibration::{
        Doubt, Refusal, SquareReader, find_board,
        view::{BoardView, Corners, ViewError},
    },
    events::observation::{content_index, content_piece},
    media::{self, FrameSource, MediaError},
    vision::{
        VisionError,
        perception::{self, Perception, contents},
        runtime::RuntimeError,
        squares::SquareModel,
    },
};

/// Pictures of the beginning that are looked at, and how far apart, frames.
const CALIBRATION_FRAMES: usize = 8;
/// See [`CALIBRATION_FRAMES`].
const FRAME_STEP: u64 = 5;
/// When the first pictures show no board, the search goes on at this step, frames ...
const LATER_STEP: u64 = 30;
/// ... for so many pictures.
const LATER_FRAMES: usize = 40;
/// Squares of a wrong kind (empty, white, black) up to which a start position is accepted: a
/// reader that has not seen this set yet errs on some.
const TOLERATED_SQUARES: usize = 10;
/// Pictures from which the game's own pieces are learnt.
const LESSONS: usize = 3;

/// Why a recording cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// No frames.
    #[error(transparent)]
    Media(#[from] MediaError),
    /// No board, or not the right one.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Models or ONNX Runtime.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// A frame could not be examined.
    #[error(transparent)]
    Vision(#[from] VisionError),
    /// Given corners are impossible.
    #[error(transparent)]
    View(#[from] ViewError),
}

impl From<perception::SetupError> for SetupError {
    fn from(error: perception::SetupError) -> Self {
        match error {
            perception::SetupError::Runtime(e) => Self::Runtime(e),
            perception::SetupError::View(e) => Self::View(e),
        }
    }
}

/// A board as it will be used.
pub struct Calibrated {
    /// The view.
    pub view: BoardView,
    /// What a person should know.
    pub doubts: Vec<Doubt>,
    /// The pictures that were looked at.
    pub frames: Vec<Mat>,
    /// Root mean square distance of the squares' edges from the grid, pixels; none for given corners.
    pub residual_px: Option<f64>,
}

/// The square network as the board finder uses it.
pub struct PlainReader(SquareModel);

impl PlainReader {
    /// Loads the network.
    ///
    /// # Errors
    /// [`RuntimeError`].
    pub fn open(models: &Path) -> Result<Self, RuntimeError> {
        Ok(Self(SquareModel::open(models)?))
    }
}

impl SquareReader for PlainReader {
    fn read(&mut self, frame: &Mat, view: &BoardView) -> Result<Vec<[f32; 13]>, String> {
        let raw = self
            .0
            .read(frame, view, &Square::ALL, 1.0)
            .map_err(|e| e.to_string())?;
        Ok(raw.iter().map(|r| log_softmax(&r.logits)).collect())
    }
}

fn log_softmax(logits: &[f32; 13]) -> [f32; 13] {
    let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total = logits.iter().map(|l| (l - top).exp()).sum::<f32>().ln() + top;
    logits.map(|l| l - total)
}

/// Finds the board at the beginning of a source, or takes the given corners.
///
/// # Errors
/// [`SetupError`].
pub fn calibrate(
    source: &Path,
    corners: Option<Corners>,
    start: &Board,
    models: &Path,
) -> Result<Calibrated, SetupError> {
    let mut frames_source = media::open(source)?;
    let (width, height) = (
        frames_source.info().width_px,
        frames_source.info().height_px,
    );
    let frames = take(frames_source.as_mut(), FRAME_STEP, CALIBRATION_FRAMES)?;
    if let Some(corners) = corners {
        let view = BoardView::new(corners, width, height)?;
        return Ok(Calibrated {
            view,
            doubts: Vec::new(),
            frames,
            residual_px: None,
        });
    }
    let mut reader = PlainReader::open(models)?;
    let first = find_board(&frames, start, Some(&mut reader));
    let (found, frames) = match first {
        Ok(found) => (found, frames),
        Err(refusal) => {
            // People walk in, sit down, set up: the board may come into view later.
            let later = take(frames_source.as_mut(), LATER_STEP, LATER_FRAMES)?;
            match find_board(&later, start, Some(&mut reader)) {
                Ok(found) => (found, later),
                Err(_) => return Err(refusal.into()),
            }
        }
    };
    let view = BoardView::new(found.corners, width, height)?;
    Ok(Calibrated {
        view,
        doubts: found.doubts,
        frames,
        residual_px: Some(found.residual_px),
    })
}

fn take(source: &mut dyn FrameSource, step: u64, most: usize) -> Result<Vec<Mat>, MediaError> {
    let mut frames = Vec::new();
    let mut count = 0;
    while frames.len() < most {
        let Some(frame) = source.next_frame()? else {
            break;
        };
        if count % step == 0 {
            frames.push(frame.image);
        }
        count += 1;
    }
    Ok(frames)
}

/// Opens the networks for a calibrated board and teaches them the game's own pieces.
///
/// # Errors
/// [`SetupError`], with [`Refusal::NotStartPosition`] when the pieces stand otherwise.
pub fn prepare(
    calibrated: &Calibrated,
    start: &Board,
    models: &Path,
) -> Result<Perception, SetupError> {
    let mut perception = Perception::open(models, &calibrated.view)?;
    let mut judged = Vec::new();
    for (index, frame) in calibrated.frames.iter().enumerate() {
        let readings = perception.read_all(frame)?;
        let wrong: Vec<(Square, char, char)> = Square::ALL
            .into_iter()
            .zip(&readings)
            .filter(|(_, r)| r.hidden < 0.5)
            .filter_map(|(s, r)| {
                let best = (0..13)
                    .max_by(|a, b| r.log_p[*a].total_cmp(&r.log_p[*b]))
                    .unwrap_or(0);
                let (want, got) = (start.piece_at(s), content_piece(best));
                let differs = want.map(|p| p.color) != got.map(|p| p.color);
                let letter = |p: Option<shakmaty::Piece>| p.map_or('-', |p| p.char());
                differs.then(|| (s, letter(want), letter(got)))
            })
            .collect();
        let hidden = readings.iter().filter(|r| r.hidden >= 0.5).count();
        let fit: f32 = Square::ALL
            .iter()
            .zip(&readings)
            .map(|(s, r)| r.log_p[content_index(start.piece_at(*s))].max(-4.0))
            .sum();
        judged.push((wrong, hidden, fit, index));
    }
    judged.sort_by(|a, b| {
        (a.0.len() + a.1)
            .cmp(&(b.0.len() + b.1))
            .then(b.2.total_cmp(&a.2))
    });
    if let Some((wrong, ..)) = judged
        .first()
        .filter(|best| best.0.len() > TOLERATED_SQUARES)
    {
        return Err(Refusal::NotStartPosition {
            squares: wrong.clone(),
        }
        .into());
    }
    for (_, _, _, index) in judged.iter().take(LESSONS) {
        if let Some(frame) = calibrated.frames.get(*index) {
            perception.learn(frame, &contents(start))?;
        }
    }
    Ok(perception)
}
