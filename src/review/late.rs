//! A recording that begins in the middle of a game: which of the game's positions stands at first.

use std::path::Path;

use opencv::core::Mat;
use shakmaty::{Board, Chess, Position, Square};

use super::setup::{SetupError, calibrate_from};
use crate::{
    broadcast::game::Game,
    calibration::{lens::Lens, view::Corners},
    events::observation::{SquareReading, content_index},
    media::Footage,
    vision::perception::Perception,
};

/// A square says no more against a position than this, nats: the reader has not seen this set yet.
const FLOOR: f32 = -4.0;
/// By how much a later position must be likelier than the first one to be believed, nats.
const MARGIN: f32 = 2.0;

/// After how many moves of a game a recording begins, told by the position that stands at first:
/// the fewest, where the game had that position several times.
///
/// # Errors
/// [`SetupError`].
pub fn begin(
    footage: &Footage,
    given: Option<(Corners, Lens)>,
    game: &Game,
    models: &Path,
) -> Result<usize, SetupError> {
    let positions = game.positions();
    let Some(first) = positions.first().filter(|_| positions.len() > 1) else {
        return Ok(0);
    };
    let turns = if given.is_some() { 1 } else { 2 };
    let calibrated = calibrate_from(footage.open()?, given, first.board(), models)?;
    let mut perception = Perception::open(models, &calibrated.view)?;
    let mut best: Option<Stands> = None;
    for turn in 0..turns {
        // Where many pieces are gone or away from home, the first position does not tell the direction.
        let view = calibrated
            .view
            .moved_to(calibrated.view.corners.turned(2 * turn))?;
        perception.set_view(&view)?;
        let stands = likeliest(&mut perception, &calibrated.frames, &positions)?;
        let board = positions.get(stands.index).map_or(first, |p| p).board();
        // What stands tells where the camera is, and from there it is read better.
        let eye = clearest(&mut perception, &calibrated.frames, board)?;
        let stands = match eye {
            Some(frame) => {
                let seen = perception.find_eye(frame, &view, board, footage.window.is_some())?;
                perception.set_view(&seen)?;
                likeliest(&mut perception, &calibrated.frames, &positions)?
            }
            None => stands,
        };
        if best.as_ref().is_none_or(|b| stands.fit > b.fit) {
            best = Some(stands);
        }
    }
    Ok(best.map_or(0, |stands| stands.index))
}

/// A position of the game, and how likely it is.
struct Stands {
    index: usize,
    /// Mean log likelihood a picture, nats.
    fit: f32,
}

/// The position that fits best what is read in all pictures.
fn likeliest(
    perception: &mut Perception,
    frames: &[Mat],
    positions: &[Chess],
) -> Result<Stands, SetupError> {
    let mut readings = Vec::new();
    for frame in frames {
        readings.push(perception.read_all(frame)?);
    }
    let fits = positions.iter().map(|position| {
        let all: f32 = readings.iter().map(|r| fit(r, position.board())).sum();
        all / readings.len().max(1) as f32
    });
    Ok(chosen(fits))
}

/// The likeliest, the first of those that are alike, and the very first unless another is clearly
/// likelier.
fn chosen(fits: impl Iterator<Item = f32>) -> Stands {
    let mut best = Stands {
        index: 0,
        fit: f32::NEG_INFINITY,
    };
    for (index, fit) in fits.enumerate() {
        let needed = if index > 0 && best.index == 0 {
            MARGIN
        } else {
            0.0
        };
        if fit > best.fit + needed {
            best = Stands { index, fit };
        }
    }
    best
}

/// The picture that shows a position best.
fn clearest<'a>(
    perception: &mut Perception,
    frames: &'a [Mat],
    board: &Board,
) -> Result<Option<&'a Mat>, SetupError> {
    let mut best: Option<(f32, &Mat)> = None;
    for frame in frames {
        let fit = fit(&perception.read_all(frame)?, board);
        if best.as_ref().is_none_or(|b| fit > b.0) {
            best = Some((fit, frame));
        }
    }
    Ok(best.map(|b| b.1))
}

/// Log likelihood of a position by what is read of the squares that are not hidden, nats.
fn fit(readings: &[SquareReading], board: &Board) -> f32 {
    let squares = Square::ALL.into_iter().zip(readings);
    squares
        .filter(|(_, reading)| reading.hidden < 0.5)
        .map(|(square, reading)| {
            let content = content_index(board.piece_at(square));
            reading.log_p.get(content).map_or(FLOOR, |p| p.max(FLOOR))
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_position_is_left_only_for_a_clearly_better_one() {
        let index = |fits: &[f32]| chosen(fits.iter().copied()).index;
        assert_eq!(index(&[-9.0, -8.0, -7.5]), 0);
        assert_eq!(index(&[-9.0, -8.0, -3.0, -4.0]), 2);
        assert_eq!(index(&[-9.0, -3.0, -4.0, -3.0]), 1);
        assert_eq!(index(&[]), 0);
    }
}
