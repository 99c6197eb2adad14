//! Reading boards from single pictures, and following a game through pictures taken far apart.

use std::path::{Path, PathBuf};

use opencv::core::{Mat, MatTraitConst};
use serde::Serialize;
use shakmaty::{Board, Piece, Position, Square};

use crate::{
    calibration::{
        Refusal, find_board,
        lens::Lens,
        view::{BoardView, Corners},
    },
    eval::{Reading, Tracked},
    events::{
        Followed, GameTracker,
        observation::{CONTENTS, SquareReading, content_piece},
        uci,
    },
    media::{self, MediaError},
    review::{PlainReader, SetupError},
    vision::{
        hands::HandTracker,
        perception::{Perception, contents},
    },
};

/// Squares that the square reader must call hidden for a hand to be there.
const HAND_SQUARES: usize = 2;
/// Probability of being hidden that counts.
const HIDDEN: f32 = 0.5;

/// One line of `adoube read`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReadLine {
    /// The picture.
    pub file: String,
    /// What stands: first field of a FEN; none when no board was found.
    pub placement: Option<String>,
    /// Whether a hand is over the board.
    pub hand: bool,
    /// P(all squares right) as the networks have it.
    pub probability: f64,
    /// Why there is no placement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Reads pictures of one board.
pub struct BoardReader {
    models: PathBuf,
    corners: Option<Corners>,
    lens: Lens,
    start: Option<Board>,
    open: Option<(BoardView, Perception)>,
    /// Where the camera is, as the first picture's pieces told.
    eye: Option<[f64; 3]>,
    hands: HandTracker,
}

impl BoardReader {
    /// With `corners` the board lies there in every picture, else it is found in each; with
    /// `start` the first picture shows that placement and teaches this set's looks.
    ///
    /// # Errors
    /// [`SetupError`] when models are missing.
    pub fn new(
        models: &Path,
        corners: Option<Corners>,
        start: Option<Board>,
    ) -> Result<Self, SetupError> {
        Ok(Self {
            models: models.to_owned(),
            corners,
            lens: Lens::default(),
            start,
            open: None,
            eye: None,
            hands: HandTracker::open(models)?,
        })
    }

    /// The lens through which given corners were seen.
    #[must_use]
    pub fn through(mut self, lens: Lens) -> Self {
        self.lens = lens;
        self
    }

    /// The 64 readings of a picture (a1 first), and whether a hand is over the board.
    ///
    /// # Errors
    /// [`SetupError`], with a [`Refusal`] when no board is found.
    pub fn read(
        &mut self,
        picture: &Mat,
        corners: Option<Corners>,
    ) -> Result<(Vec<SquareReading>, bool), SetupError> {
        let size = (picture.cols().unsigned_abs(), picture.rows().unsigned_abs());
        let (lens, corners) = match corners.or(self.corners) {
            Some(corners) => (self.lens, corners),
            None => {
                let expected = self.start.clone().unwrap_or_default();
                let mut reader = PlainReader::open(&self.models)?;
                let pictures = std::slice::from_ref(picture);
                let found = find_board(pictures, &expected, Some(&mut reader))?;
                (found.lens, found.corners)
            }
        };
        let mut view = BoardView::through(lens, corners, size.0, size.1)?;
        let fresh = self
            .open
            .as_ref()
            .is_none_or(|(v, _)| (v.width_px, v.height_px) != size);
        if fresh {
            let mut perception = Perception::open(&self.models, &view)?;
            if let Some(start) = &self.start {
                let told = perception.find_eye(picture, &view, start, false)?;
                self.eye = told.told_eye();
                perception.learn(picture, &contents(start))?;
            }
            self.open = Some((view.clone(), perception));
        }
        let Some((known, perception)) = self.open.as_mut() else {
            return Err(Refusal::NoBoard { crossings: 0 }.into());
        };
        if let Some(eye) = self.eye {
            view = view.seen_from(eye)?;
        }
        if *known != view {
            perception.set_view(&view)?;
            *known = view.clone();
        }
        let readings = perception.read_all(picture)?;
        // Two networks look for hands, and each sees some that the other does not.
        let hidden = readings.iter().filter(|r| r.hidden > HIDDEN).count();
        let hand = hidden >= HAND_SQUARES || self.hands.covered(picture, &view)? != 0;
        Ok((readings, hand))
    }

    /// Learns from a picture just read what is known to stand in it.
    ///
    /// # Errors
    /// [`SetupError`].
    pub fn learn(
        &mut self,
        picture: &Mat,
        known: &[(Square, Option<Piece>)],
    ) -> Result<(), SetupError> {
        if let Some((_, perception)) = &mut self.open {
            perception.learn(picture, known)?;
        }
        Ok(())
    }
}

/// The likeliest placement, and the product of its squares' probabilities.
#[must_use]
pub fn placement(readings: &[SquareReading]) -> (Board, f64) {
    let mut board = Board::empty();
    let mut log = 0.0;
    for (square, reading) in Square::ALL.into_iter().zip(readings) {
        let best = (0..CONTENTS)
            .max_by(|a, b| reading.log_p[*a].total_cmp(&reading.log_p[*b]))
            .unwrap_or(0);
        if let Some(piece) = content_piece(best) {
            board.set_piece_at(square, piece);
        }
        log += f64::from(reading.log_p[best]);
    }
    (board, log.exp())
}

/// Reads one picture or every picture of a folder.
///
/// # Errors
/// [`MediaError`] when there are no pictures, [`SetupError`] when models are missing. A picture
/// without a board has its reason in its line.
pub fn read(
    path: &Path,
    reader: &mut BoardReader,
    mut line: impl FnMut(ReadLine),
) -> Result<(), SetupError> {
    let files = if path.is_dir() {
        media::ImageFolder::open(path)?.files().to_vec()
    } else {
        vec![path.to_owned()]
    };
    for file in files {
        let name = file.display().to_string();
        let outcome = media::read_image(&file)
            .map_err(SetupError::from)
            .and_then(|picture| reader.read(&picture, None));
        match outcome {
            Ok((readings, hand)) => {
                let (board, probability) = placement(&readings);
                line(ReadLine {
                    file: name,
                    placement: Some(board.to_string()),
                    hand,
                    probability: (probability * 1000.0).round() / 1000.0,
                    error: None,
                });
            }
            Err(
                error @ (SetupError::Refused(_)
                | SetupError::Media(MediaError::BadImage(_) | MediaError::Empty(_))),
            ) => {
                line(ReadLine {
                    file: name,
                    placement: None,
                    hand: false,
                    probability: 0.0,
                    error: Some(error.to_string()),
                });
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Reads and follows a labelled sequence whose corners are given.
///
/// # Errors
/// In words.
pub fn sequence(
    models: &Path,
    folder: &Path,
    truth: &crate::eval::SequenceTruth,
) -> Result<(Vec<Reading>, Tracked), String> {
    let start = truth
        .start_fen
        .as_deref()
        .map(crate::events::position_from_fen)
        .transpose()?;
    let board = start.as_ref().map(|p| p.board().clone());
    let mut reader = BoardReader::new(models, truth.corners, board).map_err(|e| e.to_string())?;
    let mut tracker = start.map(GameTracker::new);
    let mut readings = Vec::new();
    for picture in &truth.frames {
        let read = media::read_image(&folder.join(&picture.file))
            .map_err(SetupError::from)
            .and_then(|image| {
                let read = reader.read(&image, picture.corners)?;
                Ok((image, read))
            });
        // A picture that cannot be read has no reading, and the game goes on.
        let Ok((image, (squares, hand))) = read else {
            tracker.iter_mut().for_each(|t| t.show(&[]));
            continue;
        };
        let (board, probability) = placement(&squares);
        if let Some(tracker) = &mut tracker {
            tracker.show(&squares);
            let seen = |s: Square| squares[s as usize].hidden < HIDDEN;
            let known: Vec<_> = tracker.agreed().into_iter().filter(|k| seen(k.0)).collect();
            reader.learn(&image, &known).map_err(|e| e.to_string())?;
        }
        readings.push(Reading {
            file: picture.file.clone(),
            placement: board.to_string(),
            hand,
            probability,
        });
    }
    Ok((
        readings,
        tracker.map(|t| tracked(&t.followed())).unwrap_or_default(),
    ))
}

/// A followed game in the terms of the score.
fn tracked(game: &Followed) -> Tracked {
    Tracked {
        moves: game.moves.iter().map(uci).collect(),
        plies: game.plies.clone(),
    }
}
