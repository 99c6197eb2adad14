//! Scores added up over all clips and all sequences.

use serde::{Deserialize, Serialize};

use super::{
    BoardScore, ClipScore, IncidentScore, MoveScore, Row, SequenceScore, Share, TimeScore,
};

/// Everything added up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// All clips.
    pub clips: ClipTotals,
    /// All sequences.
    pub sequences: SequenceTotals,
}

/// All clips. Clips whose run failed are in it with all their labels missed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ClipTotals {
    /// Clips.
    pub clips: usize,
    /// Clips whose run failed.
    pub failed: usize,
    /// The games.
    pub moves: MoveScore,
    /// First contacts.
    pub touch: TimeScore,
    /// Bases leaving the board.
    pub lift: TimeScore,
    /// Bases put on the board.
    pub place: TimeScore,
    /// Last contacts.
    pub release: TimeScore,
    /// Matched touches whose kind is right.
    pub kind: Share,
    /// Incidents.
    pub incidents: IncidentScore,
    /// False incidents an hour of footage that was run.
    pub false_incidents_per_hour: Option<f64>,
    /// Frames that were run.
    pub frames: u64,
    /// Footage that was run, hours.
    pub hours: f64,
    /// Largest corner error of all clips, squares.
    pub worst_corner_error_squares: Option<f64>,
    /// All frames by all the time that their runs took.
    pub frames_per_second: Option<f64>,
}

impl<'a> FromIterator<&'a Row<ClipScore>> for ClipTotals {
    fn from_iter<I: IntoIterator<Item = &'a Row<ClipScore>>>(rows: I) -> Self {
        let mut total = Self::default();
        let mut speed = Speed::default();
        for row in rows {
            let score = &row.score;
            total.clips += 1;
            total.failed += usize::from(row.error.is_some());
            total.moves += score.moves;
            total.touch += &score.touch;
            total.lift += &score.lift;
            total.place += &score.place;
            total.release += &score.release;
            total.kind += score.kind;
            total.incidents += score.incidents;
            total.frames += score.frames;
            total.hours += score.hours;
            let errors = [total.worst_corner_error_squares, score.corner_error_squares];
            total.worst_corner_error_squares = errors.into_iter().flatten().reduce(f64::max);
            speed.note(score.frames as f64, score.frames_per_second);
        }
        let times = [
            &mut total.touch,
            &mut total.lift,
            &mut total.place,
            &mut total.release,
        ];
        times.into_iter().for_each(|t| t.errors_ms.clear());
        total.false_incidents_per_hour =
            (total.hours > 0.0).then(|| total.incidents.counts.fp as f64 / total.hours);
        total.frames_per_second = speed.mean();
        total
    }
}

/// All sequences. Those whose run failed are in it with everything wrong.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SequenceTotals {
    /// Sequences.
    pub sequences: usize,
    /// Sequences whose run failed.
    pub failed: usize,
    /// All pictures without a piece in the air.
    pub all: BoardScore,
    /// Of these, the ones without a hand.
    pub hand_false: BoardScore,
    /// The games.
    pub moves: MoveScore,
    /// Pictures read as with a hand, of those with one.
    pub hand_recall: Share,
    /// Pictures read as with a hand, of those without.
    pub hand_false_positive: Share,
    /// Pictures in the labels.
    pub pictures: usize,
    /// All pictures by all the time that their runs took.
    pub pictures_per_second: Option<f64>,
}

impl<'a> FromIterator<&'a Row<SequenceScore>> for SequenceTotals {
    fn from_iter<I: IntoIterator<Item = &'a Row<SequenceScore>>>(rows: I) -> Self {
        let mut total = Self::default();
        let mut speed = Speed::default();
        for row in rows {
            let score = &row.score;
            total.sequences += 1;
            total.failed += usize::from(row.error.is_some());
            total.all += &score.all;
            total.hand_false += &score.hand_false;
            total.moves += score.moves;
            total.hand_recall += score.hand_recall;
            total.hand_false_positive += score.hand_false_positive;
            total.pictures += score.pictures;
            speed.note(score.pictures as f64, score.pictures_per_second);
        }
        total.pictures_per_second = speed.mean();
        total
    }
}

/// Frames, and the seconds that they took.
#[derive(Default)]
struct Speed {
    frames: f64,
    seconds: f64,
}

impl Speed {
    fn note(&mut self, frames: f64, per_second: Option<f64>) {
        if let Some(per_second) = per_second {
            self.frames += frames;
            self.seconds += frames / per_second;
        }
    }

    fn mean(&self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.frames / self.seconds)
    }
}
