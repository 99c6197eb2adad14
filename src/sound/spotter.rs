//! Spots an announcement in sound, with hysteresis: the network's answer every 20 ms, smoothed over
//! 0.18 s, must rise over its phrase's threshold and fall under half of it before the next.

use std::{collections::VecDeque, path::Path};

use ndarray::Array3;

use super::{
    Chunk, Features, Heard, RATE,
    features::{BANDS, FRAME, HOP, steady},
};
use crate::{
    events::{Announcement, Phrase},
    vision::runtime::{Model, RuntimeError},
};

/// Frames of which one answer of the network knows (`training/speech/net.py`, `REACH`).
const REACH: usize = 189;
/// New frames before the network is asked again: 80 ms.
const ASK: usize = 8;
/// Frames from one answer to the next.
const STEP: usize = 2;
/// Milliseconds from one answer to the next.
const STEP_MS: f64 = 20.0;
/// Numbers of an answer: nothing, each phrase, how long it lasted and since when it has ended.
const ANSWER: usize = Phrase::ALL.len() + 3;
/// Answers smoothed over.
const SMOOTH: usize = 9;
/// From this on each phrase was announced: chosen on voices that trained nothing for a third of a false hit
/// an hour each (`training/speech/README.md`) ...
const ON: [f64; Phrase::ALL.len()] = [0.51, 0.86, 0.57, 0.64, 0.62, 0.74];
/// ... and below this share of that it is over.
const OFF: f64 = 0.5;
/// Answers waited for after the rise, for better ones.
const WAIT: usize = 2;
/// After an announcement none is told for so long, milliseconds.
const PAUSE_MS: f64 = 600.0;
/// P(announced) of a score at its threshold, and of one that could not be higher: all that the
/// network has ever heard was synthetic, so it is never believed more.
const BELIEVED: [f64; 2] = [0.6, 0.9];

/// One answer of the network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// End of the sound that it knows, milliseconds.
    pub t_ms: f64,
    /// P(this phrase ends here), smoothed.
    pub smooth: [f64; Phrase::ALL.len()],
    /// Not smoothed.
    phrases: [f64; Phrase::ALL.len()],
    /// For how long it was spoken and since when it has ended, milliseconds.
    times_ms: [f64; 2],
}

impl Score {
    fn raw(&self) -> f64 {
        self.phrases.iter().sum()
    }

    /// How far the phrase that is nearest to its threshold is there: 1 is at it.
    #[must_use]
    pub fn strength(&self) -> f64 {
        let shares = self.smooth.iter().zip(ON).map(|(s, on)| s / on);
        shares.fold(0.0, f64::max)
    }

    /// P(announced), for a score over its threshold.
    fn believed(&self) -> f64 {
        let over = |(s, on): (&f64, f64)| (s - on) / (1.0 - on);
        let most = self.smooth.iter().zip(ON).map(over).fold(0.0, f64::max);
        BELIEVED[0] + (BELIEVED[1] - BELIEVED[0]) * most.min(1.0)
    }
}

/// An announcement that is being heard.
#[derive(Debug, Clone, Default)]
struct Rising {
    scores: Vec<Score>,
    told: bool,
}

/// Listens to one stream of sound.
pub struct Spotter {
    model: Model,
    features: Features,
    frames: VecDeque<[f32; BANDS]>,
    fresh: usize,
    /// Capture time of the first sample of the next frame, milliseconds.
    next_ms: f64,
    recent: VecDeque<[f64; Phrase::ALL.len()]>,
    rising: Option<Rising>,
    quiet_ms: f64,
}

impl Spotter {
    /// Loads `announce.onnx`.
    ///
    /// # Errors
    /// [`RuntimeError`].
    pub fn open(models: &Path) -> Result<Self, RuntimeError> {
        Ok(Self {
            model: Model::open(models, "announce.onnx")?,
            features: Features::default(),
            frames: VecDeque::from(vec![[steady(); BANDS]; REACH + ASK - STEP]),
            fresh: 0,
            next_ms: 0.0,
            recent: VecDeque::new(),
            rising: None,
            quiet_ms: f64::NEG_INFINITY,
        })
    }

    /// Takes in the next sound; what was announced in it, told at most 0.3 s after its end.
    ///
    /// # Errors
    /// [`RuntimeError`].
    pub fn hear(&mut self, chunk: &Chunk) -> Result<Vec<Heard>, RuntimeError> {
        Ok(self.listen(chunk)?.1)
    }

    /// The same, with the answers that it rests on.
    ///
    /// # Errors
    /// [`RuntimeError`].
    pub fn listen(&mut self, chunk: &Chunk) -> Result<(Vec<Score>, Vec<Heard>), RuntimeError> {
        let scores = self.scores(chunk)?;
        let heard = scores.iter().filter_map(|s| self.follow(*s)).collect();
        Ok((scores, heard))
    }

    /// Takes in the next sound; the network's answers.
    fn scores(&mut self, chunk: &Chunk) -> Result<Vec<Score>, RuntimeError> {
        let frames = self.features.push(&chunk.samples);
        // The chunk's time counts for the frames that end in it.
        let frame_ms = HOP as f64 * 1000.0 / f64::from(RATE);
        let length_ms = chunk.samples.len() as f64 * 1000.0 / f64::from(RATE);
        let left = self.features.pending() as f64 * 1000.0 / f64::from(RATE);
        self.next_ms = chunk.t_ms + length_ms - left - frames.len() as f64 * frame_ms;
        let mut scores = Vec::new();
        for frame in frames {
            self.frames.pop_front();
            self.frames.push_back(frame);
            self.next_ms += frame_ms;
            self.fresh += 1;
            if self.fresh == ASK {
                self.fresh = 0;
                scores.extend(self.ask()?);
            }
        }
        Ok(scores)
    }

    /// Asks the network about the newest frames.
    fn ask(&mut self) -> Result<Vec<Score>, RuntimeError> {
        let count = self.frames.len();
        let mut input = Array3::zeros((1, count, BANDS));
        for (to, from) in input.iter_mut().zip(self.frames.iter().flatten()) {
            *to = *from;
        }
        let outputs = self.model.run(&input, &["said"])?;
        let said = outputs.first().map(Vec::as_slice).unwrap_or_default();
        let answers: Vec<&[f32]> = said.chunks_exact(ANSWER).collect();
        let end_ms = self.next_ms + (FRAME - HOP) as f64 * 1000.0 / f64::from(RATE);
        let mut scores = Vec::new();
        for (index, answer) in answers.iter().enumerate() {
            let [_, phrases @ .., lasted, since] = answer else {
                continue;
            };
            let mut p = [0.0; Phrase::ALL.len()];
            for (to, from) in p.iter_mut().zip(phrases) {
                *to = f64::from(*from);
            }
            self.recent.push_back(p);
            if self.recent.len() > SMOOTH {
                self.recent.pop_front();
            }
            let mean = |k: usize| {
                let sum: f64 = self.recent.iter().map(|p| p[k]).sum();
                sum / SMOOTH as f64
            };
            let later = answers.len() - 1 - index;
            scores.push(Score {
                t_ms: end_ms - later as f64 * STEP_MS,
                smooth: std::array::from_fn(mean),
                phrases: p,
                times_ms: [*lasted, *since].map(|s| f64::from(s) * 1000.0),
            });
        }
        Ok(scores)
    }

    /// Follows the answers; an announcement when one has been told.
    fn follow(&mut self, score: Score) -> Option<Heard> {
        let Some(rising) = &mut self.rising else {
            if score.strength() >= 1.0 && score.t_ms >= self.quiet_ms {
                self.rising = Some(Rising {
                    scores: vec![score],
                    told: false,
                });
            }
            return None;
        };
        if rising.told {
            if score.strength() < OFF {
                self.rising = None;
            }
            return None;
        }
        rising.scores.push(score);
        if rising.scores.len() <= WAIT {
            return None;
        }
        rising.told = true;
        self.quiet_ms = score.t_ms + PAUSE_MS;
        Some(Heard {
            announcement: told(&rising.scores),
            known_ms: score.t_ms,
        })
    }
}

/// What some answers say together, each as much as it is sure.
fn told(scores: &[Score]) -> Announcement {
    let whole: f64 = scores.iter().map(Score::raw).sum::<f64>().max(1e-9);
    let mean = |of: fn(&Score) -> f64| -> f64 {
        scores.iter().map(|s| s.raw() * of(s)).sum::<f64>() / whole
    };
    let share = |i: usize| scores.iter().map(|s| s.phrases[i]).sum::<f64>();
    let phrase = Phrase::ALL
        .into_iter()
        .enumerate()
        .max_by(|a, b| share(a.0).total_cmp(&share(b.0)))
        .map(|(_, p)| p);
    let surest = scores.iter().map(Score::believed).fold(0.0, f64::max);
    Announcement {
        ms: mean(|s| s.t_ms - s.times_ms[1]).round().max(0.0),
        duration_ms: mean(|s| s.times_ms[0]).clamp(100.0, 3000.0).round(),
        phrase,
        probability: (surest * 1000.0).round() / 1000.0,
    }
}
