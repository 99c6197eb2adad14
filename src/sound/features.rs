//! Sound to features, exactly as `training/speech/frontend.py`: mel energies relative to their slow
//! means, in logarithms.
//!
//! A frame has 400 samples (25 ms), a new one begins every 160 (10 ms). What is stationary (level,
//! hum, the colour of a room) falls out of the ratio to the slow mean.

use std::sync::Arc;

use realfft::{RealFftPlanner, RealToComplex, num_complex::Complex32};

/// Samples of a frame.
pub(super) const FRAME: usize = 400;
/// Samples from one frame to the next.
pub(super) const HOP: usize = 160;
/// Samples of a spectrum.
const FFT: usize = 512;
/// Bands of a frame.
pub const BANDS: usize = 40;
/// Lower and upper edge of the bands, hertz.
const EDGES_HZ: (f64, f64) = (80.0, 7600.0);
/// The mean moves by this share each frame: a second.
const SLOW: f32 = 0.01;
/// What counts as nothing at all.
const FLOOR: f32 = 1e-9;
/// The features are `ln(1 + GAIN * energy / mean)`.
const GAIN: f32 = 10.0;

/// The features of a sound that does not change.
pub(super) fn steady() -> f32 {
    (1.0 + GAIN).ln()
}

fn mel(hz: f64) -> f64 {
    1127.0 * (hz / 700.0).ln_1p()
}

/// The weights of a band: its first bin, and from there on.
type Band = (usize, Vec<f32>);

fn bands() -> Vec<Band> {
    let (low, high) = (mel(EDGES_HZ.0), mel(EDGES_HZ.1));
    let edge = |i: usize| low + (high - low) * i as f64 / (BANDS + 1) as f64;
    let bin = |i: usize| mel(i as f64 * f64::from(super::RATE) / FFT as f64);
    (0..BANDS)
        .map(|b| {
            let (from, middle, to) = (edge(b), edge(b + 1), edge(b + 2));
            let weight = |m: f64| ((m - from) / (middle - from)).min((to - m) / (to - middle));
            let inside = |i: &usize| weight(bin(*i)) > 0.0;
            let first = (0..=FFT / 2).find(inside).unwrap_or(0);
            let weights = (first..=FFT / 2)
                .take_while(inside)
                .map(|i| weight(bin(i)) as f32)
                .collect();
            (first, weights)
        })
        .collect()
}

/// Turns a stream of samples into frames of features.
pub struct Features {
    fft: Arc<dyn RealToComplex<f32>>,
    window: Vec<f32>,
    scale: f32,
    bands: Vec<Band>,
    pending: Vec<f32>,
    mean: Option<[f32; BANDS]>,
    input: Vec<f32>,
    spectrum: Vec<Complex32>,
    scratch: Vec<Complex32>,
}

impl Default for Features {
    fn default() -> Self {
        let fft = RealFftPlanner::<f32>::new().plan_fft_forward(FFT);
        let turn = |i: usize| std::f64::consts::TAU * (i as f64 + 0.5) / FRAME as f64;
        let window: Vec<f64> = (0..FRAME).map(|i| 0.5 - 0.5 * turn(i).cos()).collect();
        let sum: f64 = window.iter().map(|w| f64::from(*w as f32)).sum();
        Self {
            window: window.iter().map(|w| *w as f32).collect(),
            scale: (1.0 / (sum * sum)) as f32,
            bands: bands(),
            pending: Vec::new(),
            mean: None,
            input: fft.make_input_vec(),
            spectrum: fft.make_output_vec(),
            scratch: fft.make_scratch_vec(),
            fft,
        }
    }
}

impl Features {
    /// Samples that wait for the rest of their frame.
    pub(super) fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Takes in samples; the frames that they complete. What is no number counts as silence.
    pub fn push(&mut self, samples: &[f32]) -> Vec<[f32; BANDS]> {
        let finite = samples.iter().map(|s| if s.is_finite() { *s } else { 0.0 });
        self.pending.extend(finite);
        let mut frames = Vec::new();
        let mut at = 0;
        while let Some(frame) = self.pending.get(at..at + FRAME) {
            self.input.fill(0.0);
            for ((to, s), w) in self.input.iter_mut().zip(frame).zip(&self.window) {
                *to = s * w;
            }
            let energy = self.energy();
            frames.push(self.relative(&energy));
            at += HOP;
        }
        self.pending.drain(..at.min(self.pending.len()));
        frames
    }

    /// Mel energies of what is in `input`; full scale is of the order of 1.
    fn energy(&mut self) -> [f32; BANDS] {
        let done =
            self.fft
                .process_with_scratch(&mut self.input, &mut self.spectrum, &mut self.scratch);
        // The lengths are the plan's own; were they not, there would be no sound.
        if done.is_err() {
            self.spectrum.fill(Complex32::default());
        }
        let mut energy = [0.0; BANDS];
        for (e, (first, weights)) in energy.iter_mut().zip(&self.bands) {
            let bins = self.spectrum.iter().skip(*first).zip(weights);
            *e = bins.map(|(c, w)| c.norm_sqr() * self.scale * w).sum();
        }
        energy
    }

    /// Relative to the slow mean, which begins with the first frame.
    fn relative(&mut self, energy: &[f32; BANDS]) -> [f32; BANDS] {
        let mean = self.mean.get_or_insert(*energy);
        let mut out = [0.0; BANDS];
        for ((out, e), m) in out.iter_mut().zip(energy).zip(mean) {
            *m += SLOW * (e - *m);
            *out = (GAIN * e / (*m + FLOOR)).ln_1p();
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `training/speech/test_frontend.py` computes from the same samples.
    #[test]
    fn the_program_and_the_training_have_the_same_features() {
        let samples: Vec<f32> = (0..32_000)
            .map(|i| {
                let t = f64::from(i) / 16_000.0;
                let chirp = (std::f64::consts::TAU * (200.0 + 900.0 * t) * t).sin();
                (0.3 * chirp * (3.0 * t).sin().abs()) as f32
            })
            .collect();
        let mut features = Features::default();
        // Pieces of any length give the same frames.
        let mut frames = features.push(&samples[..777]);
        frames.extend(features.push(&samples[777..]));
        let table = include_str!("../../training/speech/frontend.csv");
        let mut compared = 0;
        for line in table.lines() {
            let mut cells = line.split(',').map(|c| c.parse::<f64>().unwrap());
            let (frame, band) = (cells.next().unwrap(), cells.next().unwrap());
            let want = cells.next().unwrap();
            let got = f64::from(frames[frame as usize][band as usize]);
            assert!(
                (got - want).abs() < 1e-3,
                "{frame} {band}: {got}, not {want}"
            );
            compared += 1;
        }
        assert!(
            compared >= 300 && frames.len() == 198,
            "{compared} {}",
            frames.len()
        );
    }
}
