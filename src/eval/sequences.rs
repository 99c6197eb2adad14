//! Scores readings of single pictures, and the game followed through them, against the labels of
//! a sequence.
//!
//! Pictures with a piece in the air count for `hand` only. A picture without a reading has all
//! its squares wrong.

use std::{
    collections::{BTreeMap, HashMap},
    ops::AddAssign,
};

use serde::{Deserialize, Serialize};
use shakmaty::{Board, Square};

use super::{clips::MoveScore, counts::Share, matching::edit_distance};
use crate::sequence::{Picture, SequenceTruth};

/// What was read in one picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// The picture, as its label names it.
    pub file: String,
    /// What stands: the first field of a FEN.
    pub placement: String,
    /// Whether a hand, arm or sleeve is over the board.
    pub hand: bool,
    /// P(all squares right), as far as the reader knows.
    pub probability: f64,
}

/// A game followed through the pictures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tracked {
    /// Moves found, UCI.
    pub moves: Vec<String>,
    /// Number of moves made by each picture, in the order of the labels.
    pub plies: Vec<usize>,
}

/// Squares, boards and plies of one set of pictures.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardScore {
    /// Squares with the right one of 13 contents.
    pub squares: Share,
    /// Squares rightly empty or occupied.
    pub occupancy: Share,
    /// Squares rightly empty, white or black.
    pub colours: Share,
    /// Pictures with all 64 squares right.
    pub boards: Share,
    /// Pictures at whose ply the tracked game stands, of those with a labelled ply.
    pub plies: Share,
    /// Number of pictures by number of wrong squares.
    pub pictures_by_wrong_squares: BTreeMap<usize, usize>,
    /// Median number of wrong squares in a picture.
    pub median_wrong_squares: Option<usize>,
}

impl BoardScore {
    /// Adds a picture: its label and what was read, and whether its ply is right if it has one.
    fn note(&mut self, want: &Board, got: Option<&Board>, ply: Option<bool>) {
        let mut wrong = 0;
        for square in Square::ALL {
            let right = got.is_some_and(|b| b.piece_at(square) == want.piece_at(square));
            wrong += usize::from(!right);
            self.squares.note(right);
            self.colours
                .note(got.is_some_and(|b| b.color_at(square) == want.color_at(square)));
            self.occupancy.note(got.is_some_and(|b| {
                b.occupied().contains(square) == want.occupied().contains(square)
            }));
        }
        self.boards.note(wrong == 0);
        if let Some(right) = ply {
            self.plies.note(right);
        }
        *self.pictures_by_wrong_squares.entry(wrong).or_default() += 1;
        self.median_wrong_squares = self.middle();
    }

    /// The lower one where two are in the middle.
    fn middle(&self) -> Option<usize> {
        let half = self.boards.of.div_ceil(2);
        let mut seen = 0;
        let mut below = self.pictures_by_wrong_squares.iter();
        below.find_map(|(wrong, pictures)| {
            seen += pictures;
            (seen >= half).then_some(*wrong)
        })
    }
}

impl AddAssign<&Self> for BoardScore {
    fn add_assign(&mut self, other: &Self) {
        self.squares += other.squares;
        self.occupancy += other.occupancy;
        self.colours += other.colours;
        self.boards += other.boards;
        self.plies += other.plies;
        for (wrong, pictures) in &other.pictures_by_wrong_squares {
            *self.pictures_by_wrong_squares.entry(*wrong).or_default() += pictures;
        }
        self.median_wrong_squares = self.middle();
    }
}

/// A picture that was not read or tracked right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadPicture {
    /// Path within the folder.
    pub file: String,
    /// Squares that differ, as `e4 P read as -`; a single `nothing was read` without a reading.
    pub wrong_squares: Vec<String>,
    /// Labelled ply and tracked ply, where they differ.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ply: Option<(usize, Option<usize>)>,
    /// What was claimed of a hand, where that is wrong.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hand: Option<bool>,
}

/// The figures of one sequence.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SequenceScore {
    /// All pictures without a piece in the air.
    pub all: BoardScore,
    /// Of these, the ones without a hand.
    pub hand_false: BoardScore,
    /// The game; of no moves for single pictures.
    pub moves: MoveScore,
    /// Pictures read as with a hand, of those with one.
    pub hand_recall: Share,
    /// Pictures read as with a hand, of those without.
    pub hand_false_positive: Share,
    /// Pictures in the labels.
    pub pictures: usize,
    /// Speed of the run, pictures a second.
    pub pictures_per_second: Option<f64>,
    /// Where to look: pictures with anything wrong, in their order.
    pub bad_pictures: Vec<BadPicture>,
}

/// Compares readings and a tracked game with the labels. `pictures_per_second` is left to the
/// caller.
#[must_use]
pub fn score_sequence(
    truth: &SequenceTruth,
    readings: &[Reading],
    tracked: Option<&Tracked>,
) -> SequenceScore {
    let by_file: HashMap<&str, &Reading> = readings.iter().map(|r| (r.file.as_str(), r)).collect();
    let mut score = SequenceScore {
        pictures: truth.frames.len(),
        moves: moves(truth, tracked),
        ..SequenceScore::default()
    };
    for (index, picture) in truth.frames.iter().enumerate() {
        let reading = by_file.get(picture.file.as_str()).copied();
        let ply = tracked.and_then(|t| t.plies.get(index)).copied();
        let bad = score.note(picture, reading, ply);
        score.bad_pictures.extend(bad);
    }
    score
}

fn moves(truth: &SequenceTruth, tracked: Option<&Tracked>) -> MoveScore {
    if truth.moves.is_empty() {
        return MoveScore::default();
    }
    let found = tracked.map_or(&[][..], |t| &t.moves);
    let edit_distance = edit_distance(&truth.moves, found);
    MoveScore {
        labelled: truth.moves.len(),
        edit_distance,
        exact: Share::new(usize::from(edit_distance == 0), 1),
    }
}

impl SequenceScore {
    /// Adds a picture; returns what is wrong with it.
    fn note(
        &mut self,
        picture: &Picture,
        reading: Option<&Reading>,
        tracked_ply: Option<usize>,
    ) -> Option<BadPicture> {
        let claimed = reading.is_some_and(|r| r.hand);
        match picture.hand {
            Some(true) => self.hand_recall.note(claimed),
            Some(false) => self.hand_false_positive.note(claimed),
            None => {}
        }
        let mut bad = BadPicture {
            file: picture.file.clone(),
            wrong_squares: Vec::new(),
            ply: None,
            hand: picture.hand.filter(|h| *h != claimed).map(|_| claimed),
        };
        if !picture.in_motion {
            let want: Board = picture.placement.parse().unwrap_or_default();
            let got: Option<Board> = reading.and_then(|r| r.placement.parse().ok());
            let ply = picture.ply.map(|p| tracked_ply == Some(p));
            self.all.note(&want, got.as_ref(), ply);
            if picture.hand == Some(false) {
                self.hand_false.note(&want, got.as_ref(), ply);
            }
            bad.wrong_squares = differences(&want, got.as_ref());
            bad.ply = picture
                .ply
                .filter(|_| ply == Some(false))
                .map(|p| (p, tracked_ply));
        }
        let fine = bad.wrong_squares.is_empty() && bad.ply.is_none() && bad.hand.is_none();
        (!fine).then_some(bad)
    }
}

fn differences(want: &Board, got: Option<&Board>) -> Vec<String> {
    let Some(got) = got else {
        return vec!["nothing was read".to_owned()];
    };
    let letter = |board: &Board, square| board.piece_at(square).map_or('-', |p| p.char());
    Square::ALL
        .into_iter()
        .filter(|s| want.piece_at(*s) != got.piece_at(*s))
        .map(|s| format!("{s} {} read as {}", letter(want, s), letter(got, s)))
        .collect()
}
