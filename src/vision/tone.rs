//! How dark a set's white and black pieces are: a network that has never seen this set may take a
//! light wood for black in a dark corner, but within one game white pieces are lighter than black
//! ones on squares of the same colour.

use opencv::core::{Mat, MatTraitConstManual, Vec3b};
use shakmaty::{ByColor, Color};

use super::VisionError;

/// Quantiles of the brightness (0..1) of the middle of a crop, where a piece's body is.
pub type Tone = [f32; 2];

/// Which quantiles: low ones, since a piece seldom fills the crop and its square may be light.
const QUANTILES: [f32; 2] = [0.1, 0.25];
/// The middle of a crop of 64 pixels: rows and columns.
const ROWS: std::ops::Range<usize> = 18..54;
const COLUMNS: std::ops::Range<usize> = 18..46;
/// Least spread of a tone, so that few looks do not make too sure.
const LEAST_SPREAD: f32 = 0.06;
/// Most that a tone says for one colour, nats.
const MOST_SAID: f32 = 4.0;
/// Looks that are remembered.
const LOOKS: f32 = 40.0;
/// Fewest looks of a colour before its tone says anything.
const FEWEST: f32 = 3.0;

/// The tone of a 64x64 BGR crop whose brightness is multiplied by `gain`.
///
/// # Errors
/// [`VisionError::OpenCv`].
pub(super) fn of_crop(crop: &Mat, gain: f32) -> Result<Tone, VisionError> {
    let pixels = crop.data_typed::<Vec3b>()?;
    let mut grey: Vec<f32> = ROWS
        .flat_map(|row| COLUMNS.map(move |column| row * 64 + column))
        .filter_map(|at| pixels.get(at))
        .map(|p| 0.114 * f32::from(p[0]) + 0.587 * f32::from(p[1]) + 0.299 * f32::from(p[2]))
        .map(|v| (gain * v / 255.0).min(1.0))
        .collect();
    grey.sort_by(f32::total_cmp);
    Ok(QUANTILES.map(|q| {
        let at = (q * grey.len() as f32) as usize;
        grey.get(at).copied().unwrap_or(0.0)
    }))
}

/// Mean and spread of the tones of one kind of piece.
#[derive(Debug, Clone, Copy, Default)]
struct Spread {
    count: f32,
    mean: Tone,
    variance: Tone,
}

impl Spread {
    fn learn(&mut self, tone: &Tone) {
        self.count = (self.count + 1.0).min(LOOKS);
        for ((mean, variance), v) in self.mean.iter_mut().zip(&mut self.variance).zip(tone) {
            let off = v - *mean;
            *mean += off / self.count;
            *variance += (off * (v - *mean) - *variance) / self.count;
        }
    }

    /// Log density of a tone, the quantiles weighing together as one.
    fn log_density(&self, tone: &Tone) -> f32 {
        let parts = self.mean.iter().zip(&self.variance).zip(tone);
        let sum: f32 = parts
            .map(|((mean, variance), v)| {
                let spread = variance.sqrt().max(LEAST_SPREAD);
                -0.5 * ((v - mean) / spread).powi(2) - spread.ln()
            })
            .sum();
        sum / QUANTILES.len() as f32
    }
}

/// The tones of one game's white and black pieces on light and dark squares.
#[derive(Debug, Clone, Default)]
pub struct PieceTones([ByColor<Spread>; 2]);

impl PieceTones {
    /// Learns from a piece that is known.
    pub fn learn(&mut self, color: Color, dark_square: bool, tone: &Tone) {
        let [light, dark] = &mut self.0;
        let spreads = if dark_square { dark } else { light };
        spreads.get_mut(color).learn(tone);
    }

    /// How much likelier a tone is for a white piece than for a black one, nats.
    #[must_use]
    pub fn for_white(&self, dark_square: bool, tone: &Tone) -> f32 {
        let [light, dark] = &self.0;
        let spreads = if dark_square { dark } else { light };
        if spreads.white.count < FEWEST || spreads.black.count < FEWEST {
            return 0.0;
        }
        let said = spreads.white.log_density(tone) - spreads.black.log_density(tone);
        said.clamp(-MOST_SAID, MOST_SAID)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learnt() -> PieceTones {
        let mut tones = PieceTones::default();
        for step in 0..8 {
            let wave = 0.02 * (step % 3) as f32;
            tones.learn(Color::White, true, &[0.45 + wave, 0.5 + wave]);
            tones.learn(Color::Black, true, &[0.1 + wave, 0.14 + wave]);
        }
        tones
    }

    #[test]
    fn light_is_white_and_dark_is_black() {
        let tones = learnt();
        assert!(tones.for_white(true, &[0.44, 0.52]) > 2.0);
        assert!(tones.for_white(true, &[0.12, 0.15]) < -2.0);
        assert!(tones.for_white(true, &[0.2925, 0.3375]).abs() < 1.0);
        assert!(tones.for_white(true, &[1.0, 1.0]) <= MOST_SAID);
    }

    #[test]
    fn what_was_not_seen_says_nothing() {
        assert_eq!(learnt().for_white(false, &[0.9, 0.9]), 0.0);
        assert_eq!(PieceTones::default().for_white(true, &[0.1, 0.1]), 0.0);
    }
}
