//! Reads squares: a small network over a crop of each square's volume, made specific to the
//! game's own pieces by prototypes from the start position.

use std::collections::BTreeMap;

use ndarray::Array4;
use opencv::core::{Mat, MatTraitConstManual, Vec3b};
use shakmaty::{Piece, Square};

use super::{
    VisionError,
    crop::{Crop, INPUT},
    runtime::{Model, RuntimeError},
    tone::{self, PieceTones, Tone},
};
use crate::{
    calibration::view::BoardView,
    events::observation::{CONTENTS, SquareReading, content_index},
};

/// Its planes: red, green, blue, and how far what stands there leans.
const PLANES: usize = 4;
/// Length of the network's embedding.
pub const EMBEDDING: usize = 64;
/// Most crops in one run, which bounds memory.
const BATCH: usize = 64;

/// What the network says of one crop.
#[derive(Debug, Clone, PartialEq)]
pub struct RawReading {
    /// Logits of the 13 contents.
    pub logits: [f32; CONTENTS],
    /// Unit vector.
    pub embedding: [f32; EMBEDDING],
    /// Logit of the probability that more than a quarter is hidden.
    pub hidden_logit: f32,
    /// What the up vector that was believed lacks, to the right and up in the crop, in squares.
    pub lean: [f32; 2],
    /// How dark what stands there is: see [`Tone`].
    pub tone: Tone,
}

/// The network.
pub struct SquareModel {
    model: Model,
}

impl SquareModel {
    /// Loads `pieces.onnx`.
    ///
    /// # Errors
    /// [`RuntimeError`].
    pub fn open(models: &std::path::Path) -> Result<Self, RuntimeError> {
        Ok(Self {
            model: Model::open(models, "pieces.onnx")?,
        })
    }

    /// Reads the given squares of a BGR frame of the size of `view`, its brightness multiplied by
    /// `gain`.
    ///
    /// # Errors
    /// [`VisionError`].
    pub fn read(
        &mut self,
        frame: &Mat,
        view: &BoardView,
        squares: &[Square],
        gain: f32,
    ) -> Result<Vec<RawReading>, VisionError> {
        let mut readings = Vec::with_capacity(squares.len());
        for part in squares.chunks(BATCH) {
            let mut pixels: Vec<f32> = Vec::with_capacity(part.len() * PLANES * 64 * 64);
            let mut tones = Vec::with_capacity(part.len());
            for &square in part {
                let place = Crop::of(view, square);
                let image = place.cut(frame)?;
                append_planes(&image, gain, &mut pixels)?;
                pixels.resize(pixels.len() + 64 * 64, place.lean_squares as f32);
                tones.push(tone::of_crop(&image, gain)?);
            }
            let input = Array4::from_shape_vec(
                (part.len(), PLANES, INPUT as usize, INPUT as usize),
                pixels,
            )?;
            let outputs = self
                .model
                .run(&input, &["logits", "embedding", "hidden", "lean"])?;
            let [logits, embeddings, hidden, leans] = outputs.as_slice() else {
                continue;
            };
            let rows = logits
                .chunks_exact(CONTENTS)
                .zip(embeddings.chunks_exact(EMBEDDING))
                .zip(hidden)
                .zip(leans.chunks_exact(2))
                .zip(tones);
            for ((((l, e), h), lean), tone) in rows {
                let mut reading = RawReading {
                    logits: [0.0; CONTENTS],
                    embedding: [0.0; EMBEDDING],
                    hidden_logit: *h,
                    lean: [0.0; 2],
                    tone,
                };
                reading.logits.copy_from_slice(l);
                reading.embedding.copy_from_slice(e);
                reading.lean.copy_from_slice(lean);
                readings.push(reading);
            }
        }
        Ok(readings)
    }
}

/// Appends a BGR picture as three planes R, G, B in 0..1, multiplied by `gain`.
fn append_planes(image: &Mat, gain: f32, out: &mut Vec<f32>) -> Result<(), VisionError> {
    let pixels = image.data_typed::<Vec3b>()?;
    for channel in [2, 1, 0] {
        out.extend(
            pixels
                .iter()
                .map(|p| (gain * f32::from(p[channel]) / 255.0).min(1.0)),
        );
    }
    Ok(())
}

/// One remembered look of one content.
struct Prototype {
    content: usize,
    dark_square: bool,
    mean: [f32; EMBEDDING],
    count: f32,
}

/// The game's own pieces: prototypes of each content from squares whose content is known.
#[derive(Default)]
pub struct Prototypes {
    rows: Vec<Prototype>,
    /// Logit of being hidden of each square while nothing hid it: some boards look hidden to the
    /// network where they are not.
    hidden_base: BTreeMap<Square, f32>,
    /// What each square looked like lately, and with which content: its own grain, light and
    /// neighbours.
    own: BTreeMap<Square, (usize, [f32; EMBEDDING])>,
    /// How dark this set's white and black pieces are.
    tones: PieceTones,
}

/// How much more a square's likeness to its own earlier look counts than that to others.
const OWN_BONUS: f32 = 0.0;

/// A square counts as hidden only when its logit rises this much over that of a free square.
const HIDDEN_RISE: f32 = 1.5;
/// Logit from which on a square of the lesson is left out: something does hide it.
const HIDDEN_IN_LESSON: f32 = 3.0;

/// Weight of the network's own logits beside the prototypes.
const LOGIT_WEIGHT: f32 = 0.3;
/// Weight of the similarity to the prototypes.
const SIMILARITY_WEIGHT: f32 = 14.0;
/// What likeness to a look on a square of the other colour counts less.
const OTHER_COLOUR: f32 = 0.02;
/// Similarity ascribed to contents that have no prototype yet, below that of those who have.
const UNSEEN_SIMILARITY: f32 = 0.35;

/// Looks that a prototype remembers: older ones fade, as the light changes.
const PROTOTYPE_LOOKS: f32 = 40.0;
/// Share of the latest look in what a square is remembered to look like.
const OWN_RATE: f32 = 0.5;

impl Prototypes {
    /// Learns from a frame what the squares with known content look like; what is plainly hidden
    /// is left out.
    pub fn learn(&mut self, known: &[(Square, Option<Piece>)], readings: &[RawReading]) {
        for ((square, piece), reading) in known.iter().zip(readings) {
            if reading.hidden_logit >= HIDDEN_IN_LESSON {
                continue;
            }
            let content = content_index(*piece);
            self.learn_look(*square, content, &reading.embedding);
            if let Some(piece) = piece {
                self.tones
                    .learn(piece.color, square.is_dark(), &reading.tone);
            }
            let base = self.hidden_base.entry(*square).or_insert(f32::NEG_INFINITY);
            *base = base.max(reading.hidden_logit);
        }
    }

    fn learn_look(&mut self, square: Square, content: usize, look: &[f32; EMBEDDING]) {
        let dark_square = square.is_dark();
        let known = |p: &Prototype| p.content == content && p.dark_square == dark_square;
        match self.rows.iter_mut().find(|p| known(p)) {
            Some(row) => {
                row.count = (row.count + 1.0).min(PROTOTYPE_LOOKS);
                blend(&mut row.mean, look, 1.0 / row.count);
            }
            None => self.rows.push(Prototype {
                content,
                dark_square,
                mean: *look,
                count: 1.0,
            }),
        }
        match self.own.get_mut(&square).filter(|own| own.0 == content) {
            Some((_, mean)) => blend(mean, look, OWN_RATE),
            None => {
                self.own.insert(square, (content, *look));
            }
        }
    }

    /// Probability that something hides a square.
    fn hidden(&self, square: Square, raw: &RawReading) -> f32 {
        let base = self
            .hidden_base
            .get(&square)
            .copied()
            .unwrap_or(f32::NEG_INFINITY);
        let logit = raw.hidden_logit - (base + HIDDEN_RISE).max(0.0);
        1.0 / (1.0 + (-logit).exp())
    }

    /// The reading of one square, log probabilities normalised and rounded.
    #[must_use]
    pub fn read(&self, square: Square, raw: &RawReading) -> SquareReading {
        let mut best = [f32::NEG_INFINITY; CONTENTS];
        for row in &self.rows {
            // The same piece on the other colour looks a little different; its own colour counts in full.
            let other_colour = if row.dark_square == square.is_dark() {
                0.0
            } else {
                OTHER_COLOUR
            };
            let similarity = cosine(&row.mean, &raw.embedding) - other_colour;
            if let Some(slot) = best.get_mut(row.content) {
                *slot = slot.max(similarity);
            }
        }
        if let Some((content, look)) = self.own.get(&square) {
            let likeness = cosine(look, &raw.embedding) + OWN_BONUS;
            if let Some(slot) = best.get_mut(*content) {
                *slot = slot.max(likeness);
            }
        }
        let mut scores = raw.logits;
        if !self.rows.is_empty() {
            for (score, similarity) in scores.iter_mut().zip(best) {
                let similarity = if similarity.is_finite() {
                    similarity
                } else {
                    UNSEEN_SIMILARITY
                };
                *score = LOGIT_WEIGHT * *score + SIMILARITY_WEIGHT * similarity;
            }
        }
        let total = log_sum(&scores);
        let mut log_p = scores.map(|s| s - total);
        let for_white = self.tones.for_white(square.is_dark(), &raw.tone);
        recolour(&mut log_p, for_white);
        SquareReading {
            square: square as u8,
            hidden: (self.hidden(square, raw) * 100.0).round() / 100.0,
            log_p: log_p.map(|v| (v * 100.0).round() / 100.0),
        }
    }
}

/// Moves `mean` by `share` of the way to `look`.
fn blend(mean: &mut [f32; EMBEDDING], look: &[f32; EMBEDDING], share: f32) {
    for (m, l) in mean.iter_mut().zip(look) {
        *m += share * (l - *m);
    }
}

/// Cosine of the angle between a mean of looks and a look, which has unit length.
fn cosine(mean: &[f32; EMBEDDING], look: &[f32; EMBEDDING]) -> f32 {
    let dot: f32 = mean.iter().zip(look).map(|(a, b)| a * b).sum();
    let length = mean.iter().map(|v| v * v).sum::<f32>().sqrt();
    dot / length.max(1e-6)
}

/// Logarithm of the sum of the exponentials.
fn log_sum(values: &[f32]) -> f32 {
    let top = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    values.iter().map(|v| (v - top).exp()).sum::<f32>().ln() + top
}

/// Moves the log probabilities of white men up against those of black ones by `for_white` nats; the
/// probability that something stands there stays as it is.
fn recolour(log_p: &mut [f32; CONTENTS], for_white: f32) {
    let [_, men @ ..] = log_p;
    let before = log_sum(men);
    for (index, value) in men.iter_mut().enumerate() {
        *value += if index < 6 { 0.5 } else { -0.5 } * for_white;
    }
    let shift = before - log_sum(men);
    men.iter_mut().for_each(|value| *value += shift);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_colour_leaves_the_empty_square_alone() {
        let mut log_p = [-3.0_f32; CONTENTS];
        log_p[0] = (0.1_f32).ln();
        log_p[12] = (0.6_f32).ln();
        let total = log_sum(&log_p);
        let mut log_p = log_p.map(|v| v - total);
        let before = log_p;
        recolour(&mut log_p, 4.0);
        assert!((log_sum(&log_p) - log_sum(&before)).abs() < 1e-5);
        assert_eq!(log_p[0], before[0]);
        assert!(log_p[6] > log_p[12] - 3.0 && before[6] < before[12]);
        recolour(&mut log_p, -4.0);
        assert!(log_p.iter().zip(before).all(|(a, b)| (a - b).abs() < 1e-5));
    }
}
