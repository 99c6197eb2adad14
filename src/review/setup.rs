//! Before the first frame is judged: where the board lies, and whether the start position stands.

use std::path::Path;

use opencv::core::{Mat, MatTraitConst};
use shakmaty::{Board, Square};

use crate::{
    calibration::{
        Doubt, Found, Refusal, SquareReader, find_board,
        lens::Lens,
        placement::{Advice, Grade, placement},
        view::{BoardView, Corners, ViewError},
    },
    events::observation::{SquareReading, content_index, content_piece},
    media::{self, FrameSource, MediaError},
    vision::{
        VisionError,
        perception::{self, Perception, contents},
        runtime::RuntimeError,
        squares::SquareModel,
    },
};

/// Pictures of the beginning that are looked at, and how far apart, frames.
pub(super) const CALIBRATION_FRAMES: usize = 8;
/// See [`CALIBRATION_FRAMES`].
const FRAME_STEP: u64 = 5;
/// When the first pictures show no board, the search goes on at this step, frames ...
pub(super) const LATER_STEP: u64 = 30;
/// ... for so many times [`CALIBRATION_FRAMES`] pictures.
const LATER_TRIES: usize = 5;
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
    /// Whether the camera's place will do.
    pub advice: Vec<Advice>,
    /// The pictures are a part of larger ones.
    pub part: bool,
}

impl Calibrated {
    /// What is poor or bad about the camera's place, in sentences.
    #[must_use]
    pub fn shortcomings(&self) -> Vec<String> {
        self.advice
            .iter()
            .filter(|a| a.grade != Grade::Good)
            .map(|a| {
                format!(
                    "Camera placement, {} ({}): {}",
                    a.aspect, a.grade, a.sentence
                )
            })
            .collect()
    }
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

/// Finds the board at the beginning of a source, or takes the given corners and lens.
///
/// # Errors
/// [`SetupError`].
pub fn calibrate(
    source: &Path,
    given: Option<(Corners, Lens)>,
    start: &Board,
    models: &Path,
) -> Result<Calibrated, SetupError> {
    calibrate_from(media::open(source)?, given, start, models)
}

/// The same from a source that was opened.
///
/// # Errors
/// [`SetupError`].
pub fn calibrate_from(
    mut frames_source: Box<dyn FrameSource>,
    given: Option<(Corners, Lens)>,
    start: &Board,
    models: &Path,
) -> Result<Calibrated, SetupError> {
    let (width, height) = (
        frames_source.info().width_px,
        frames_source.info().height_px,
    );
    let frames = take(frames_source.as_mut(), FRAME_STEP, CALIBRATION_FRAMES)?;
    if let Some(given) = given {
        return taken(given, frames, (width, height));
    }
    let mut reader = PlainReader::open(models)?;
    let (found, frames) = match find_board(&frames, start, Some(&mut reader)) {
        Ok(found) => (found, frames),
        Err(refusal) => later(frames_source.as_mut(), start, &mut reader)?.ok_or(refusal)?,
    };
    calibrated(&found, frames, (width, height))
}

/// Finds the board in a few pictures of the same size, or takes the given corners and lens.
///
/// # Errors
/// [`SetupError`].
pub fn calibrate_pictures(
    pictures: Vec<Mat>,
    given: Option<(Corners, Lens)>,
    start: &Board,
    models: &Path,
) -> Result<Calibrated, SetupError> {
    let size = pictures.first().map_or((0, 0), |p| {
        (p.cols().unsigned_abs(), p.rows().unsigned_abs())
    });
    if let Some(given) = given {
        return taken(given, pictures, size);
    }
    let mut reader = PlainReader::open(models)?;
    let found = find_board(&pictures, start, Some(&mut reader))?;
    calibrated(&found, pictures, size)
}

/// Corners as they were given.
fn taken(
    (corners, lens): (Corners, Lens),
    frames: Vec<Mat>,
    (width, height): (u32, u32),
) -> Result<Calibrated, SetupError> {
    let view = BoardView::through(lens, corners, width, height)?;
    Ok(Calibrated {
        advice: placement(&view, &frames),
        view,
        doubts: Vec::new(),
        frames,
        residual_px: None,
        part: false,
    })
}

/// The board as it was found.
fn calibrated(
    found: &Found,
    frames: Vec<Mat>,
    (width, height): (u32, u32),
) -> Result<Calibrated, SetupError> {
    let view = BoardView::through(found.lens, found.corners, width, height)?;
    Ok(Calibrated {
        advice: placement(&view, &frames),
        view,
        doubts: found.doubts.clone(),
        frames,
        residual_px: Some(found.residual_px),
        part: false,
    })
}

/// People walk in, sit down, set up: the board may come into view later. Only a few pictures are
/// held at a time.
fn later(
    source: &mut dyn FrameSource,
    start: &Board,
    reader: &mut PlainReader,
) -> Result<Option<(Found, Vec<Mat>)>, MediaError> {
    for _ in 0..LATER_TRIES {
        let frames = take(source, LATER_STEP, CALIBRATION_FRAMES)?;
        if frames.is_empty() {
            break;
        }
        if let Ok(found) = find_board(&frames, start, Some(reader)) {
            return Ok(Some((found, frames)));
        }
    }
    Ok(None)
}

/// Every so-manieth of the next frames, at most so many.
pub(super) fn take(
    source: &mut dyn FrameSource,
    step: u64,
    most: usize,
) -> Result<Vec<Mat>, MediaError> {
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

/// Whether the pieces stand as they should when the board is turned half round.
fn is_upside_down(readings: &[SquareReading], start: &Board) -> bool {
    let wrong = Square::ALL
        .into_iter()
        .zip(readings)
        .filter(|(s, r)| {
            let best = (0..13).max_by(|a, b| r.log_p[*a].total_cmp(&r.log_p[*b]));
            let got = best.and_then(content_piece).map(|p| p.color);
            r.hidden < 0.5 && start.color_at(s.rotate_180()) != got
        })
        .count();
    wrong <= TOLERATED_SQUARES
}

/// Opens the networks for a calibrated board, lets the pieces tell where the camera is, and teaches the networks the game's own pieces.
///
/// # Errors
/// [`SetupError`], with [`Refusal::NotStartPosition`] when the pieces stand otherwise.
pub fn prepare(
    calibrated: &mut Calibrated,
    start: &Board,
    models: &Path,
) -> Result<Perception, SetupError> {
    let mut perception = Perception::open(models, &calibrated.view)?;
    let mut order = Vec::new();
    for (index, frame) in calibrated.frames.iter().enumerate() {
        order.push((Judgement::of(&perception.read_all(frame)?, start), index));
    }
    order.sort_by(|a, b| a.0.compare(&b.0));
    let clearest = order.first().and_then(|(_, i)| calibrated.frames.get(*i));
    if let Some(frame) = clearest {
        // Before the pieces tell where the camera is, since they would do so turned round.
        if is_upside_down(&perception.read_all(frame)?, start) {
            return Err(Refusal::UpsideDown.into());
        }
        calibrated.view = perception.find_eye(frame, &calibrated.view, start, calibrated.part)?;
        let squares = Judgement::of(&perception.read_all(frame)?, start).wrong;
        if squares.len() > TOLERATED_SQUARES {
            return Err(Refusal::NotStartPosition { squares }.into());
        }
    }
    for (_, index) in order.iter().take(LESSONS) {
        if let Some(frame) = calibrated.frames.get(*index) {
            perception.learn(frame, &contents(start))?;
        }
    }
    Ok(perception)
}

/// How well what is read in a picture is what should stand.
struct Judgement {
    /// Squares of another kind (empty, white, black): what should stand there, and what was read.
    wrong: Vec<(Square, char, char)>,
    hidden: usize,
    /// Log likelihood.
    fit: f32,
}

impl Judgement {
    fn of(readings: &[SquareReading], start: &Board) -> Self {
        let letter = |p: Option<shakmaty::Piece>| p.map_or('-', |p| p.char());
        let mut judged = Self {
            wrong: Vec::new(),
            hidden: 0,
            fit: 0.0,
        };
        for (square, reading) in Square::ALL.into_iter().zip(readings) {
            let want = start.piece_at(square);
            judged.fit += reading.log_p[content_index(want)].max(-4.0);
            if reading.hidden >= 0.5 {
                judged.hidden += 1;
                continue;
            }
            let best = (0..13).max_by(|a, b| reading.log_p[*a].total_cmp(&reading.log_p[*b]));
            let got = best.and_then(content_piece);
            if want.map(|p| p.color) != got.map(|p| p.color) {
                judged.wrong.push((square, letter(want), letter(got)));
            }
        }
        judged
    }

    /// Fewest squares wrong or hidden first, then the likeliest.
    fn compare(&self, other: &Self) -> std::cmp::Ordering {
        let doubtful = |j: &Self| j.wrong.len() + j.hidden;
        doubtful(self)
            .cmp(&doubtful(other))
            .then(other.fit.total_cmp(&self.fit))
    }
}
