//! Labelled ply sequences: their format, and how readings of them are scored.

use serde::{Deserialize, Serialize};
use shakmaty::{Board, Square};

use super::matching::edit_distance;
use crate::calibration::view::Corners;

/// `truth.json` of a ply sequence.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct SequenceTruth {
    /// Name of the folder.
    pub name: String,
    /// Corners for all pictures that do not have their own.
    pub corners: Option<Corners>,
    /// Position before the first picture; none for single pictures.
    pub start_fen: Option<String>,
    /// Pictures in time order.
    pub frames: Vec<Picture>,
    /// The game in UCI.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// One labelled picture.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Picture {
    /// Path within the folder.
    pub file: String,
    /// What stands: first field of a FEN.
    pub placement: String,
    /// Moves made to reach it.
    pub ply: Option<usize>,
    /// Whether a hand, arm or sleeve covers squares.
    pub hand: Option<bool>,
    /// Its own corners.
    pub corners: Option<Corners>,
    /// A piece is in the air.
    #[serde(default)]
    pub in_motion: bool,
}

/// What was read in one picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// Name of the picture.
    pub file: String,
    /// Contents of the squares: first field of a FEN.
    pub placement: String,
    /// Whether a hand hides squares.
    pub hand: bool,
    /// P(all squares right), as far as the reader knows.
    pub probability: f64,
}

/// A game followed through the pictures.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tracked {
    /// Moves found, UCI.
    pub moves: Vec<String>,
    /// Moves made by each picture.
    pub plies: Vec<usize>,
}

/// Squares and boards of one set of pictures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardCounts {
    /// Pictures.
    pub pictures: usize,
    /// Squares whose content of 13 is right.
    pub squares: usize,
    /// Squares rightly empty or occupied.
    pub occupancy: usize,
    /// Squares rightly empty, white or black.
    pub colours: usize,
    /// Boards with all 64 right.
    pub boards: usize,
}

impl BoardCounts {
    /// Adds another's counts.
    pub fn add(&mut self, other: Self) {
        self.pictures += other.pictures;
        self.squares += other.squares;
        self.occupancy += other.occupancy;
        self.colours += other.colours;
        self.boards += other.boards;
    }
}

/// The figures of one sequence.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SequenceScore {
    /// All pictures but those in motion.
    pub all: BoardCounts,
    /// Of these, the ones without a hand.
    pub hands_away: BoardCounts,
    /// Pictures whose hand is labelled true, and of these those found.
    pub hands: (usize, usize),
    /// Pictures whose hand is labelled false, and of these those with a hand claimed.
    pub no_hands: (usize, usize),
    /// Moves in the labels.
    pub moves: usize,
    /// Edit distance of the tracked moves.
    pub move_errors: usize,
    /// Pictures with a labelled ply, and of these those tracked at it.
    pub plies: (usize, usize),
    /// Pictures a second.
    pub pictures_per_second: f64,
}

/// Compares readings, one a picture, and a tracked game with the labels.
#[must_use]
pub fn score_sequence(
    truth: &SequenceTruth,
    readings: &[Reading],
    tracked: &Tracked,
    pictures_per_second: f64,
) -> SequenceScore {
    let mut score = SequenceScore {
        moves: truth.moves.len(),
        pictures_per_second,
        ..SequenceScore::default()
    };
    if !truth.moves.is_empty() {
        score.move_errors = edit_distance(&truth.moves, &tracked.moves);
    }
    for (index, picture) in truth.frames.iter().enumerate() {
        let reading = readings.get(index);
        match (picture.hand, reading.is_some_and(|r| r.hand)) {
            (Some(true), seen) => {
                score.hands = (score.hands.0 + 1, score.hands.1 + usize::from(seen))
            }
            (Some(false), seen) => {
                score.no_hands = (score.no_hands.0 + 1, score.no_hands.1 + usize::from(seen))
            }
            (None, _) => {}
        }
        if picture.in_motion {
            continue;
        }
        let counts = compare(
            &picture.placement,
            reading.map_or("8/8/8/8/8/8/8/8", |r| &r.placement),
        );
        score.all.add(counts);
        if picture.hand == Some(false) {
            score.hands_away.add(counts);
        }
        if let Some(ply) = picture.ply {
            let right = tracked.plies.get(index) == Some(&ply);
            score.plies = (score.plies.0 + 1, score.plies.1 + usize::from(right));
        }
    }
    score
}

fn compare(want: &str, got: &str) -> BoardCounts {
    let board = |text: &str| text.parse::<Board>().unwrap_or_else(|_| Board::empty());
    let (want, got) = (board(want), board(got));
    let count =
        |same: &dyn Fn(Square) -> bool| Square::ALL.into_iter().filter(|s| same(*s)).count();
    let squares = count(&|s| want.piece_at(s) == got.piece_at(s));
    BoardCounts {
        pictures: 1,
        squares,
        occupancy: count(&|s| want.piece_at(s).is_some() == got.piece_at(s).is_some()),
        colours: count(&|s| want.color_at(s) == got.color_at(s)),
        boards: usize::from(squares == 64),
    }
}
