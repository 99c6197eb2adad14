//! How loud sound is, and what is wrong with it: silence, clipping.

/// Softer than this nothing is heard: the last bits of a converter, dB of full scale.
const SILENT_DB: f64 = -80.0;
/// Samples from this on are cut off.
const FULL: f32 = 0.999;
/// More than this share of cut-off samples is worth a word.
const CLIPPED: f64 = 1e-3;

/// Loudness of a piece of sound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// Mean, dB of full scale.
    pub mean_db: f64,
    /// Loudest sample, dB of full scale.
    pub peak_db: f64,
}

impl Level {
    /// Of samples from -1 to 1.
    #[must_use]
    pub fn of(samples: &[f32]) -> Self {
        let mut health = Health::default();
        health.take(samples);
        let db = |x: f64| 20.0 * x.max(1e-6).log10();
        Self {
            mean_db: db(health.mean()),
            peak_db: db(f64::from(health.peak)),
        }
    }
}

/// What a whole recording, or the last while of a microphone, sounds like.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Health {
    samples: u64,
    power: f64,
    peak: f32,
    full: u64,
    broken: u64,
}

impl Health {
    /// Takes in samples from -1 to 1.
    pub fn take(&mut self, samples: &[f32]) {
        for s in samples {
            if !s.is_finite() {
                self.broken += 1;
                continue;
            }
            let size = s.abs();
            self.power += f64::from(size) * f64::from(size);
            self.peak = self.peak.max(size);
            self.full += u64::from(size >= FULL);
        }
        self.samples += samples.len() as u64;
    }

    fn mean(&self) -> f64 {
        (self.power / self.samples.max(1) as f64).sqrt()
    }

    /// What a person should know, in sentences.
    #[must_use]
    pub fn complaints(&self) -> Vec<String> {
        let mut said = Vec::new();
        if self.samples == 0 {
            said.push("There was no sound at all.".to_owned());
        } else if 20.0 * self.mean().max(1e-9).log10() < SILENT_DB {
            said.push(
                "The sound is silent: is the microphone muted, or its cable loose?".to_owned(),
            );
        }
        let share = self.full as f64 / self.samples.max(1) as f64;
        if share > CLIPPED {
            said.push(format!(
                "The sound is clipped in {:.1} % of its samples: turn the microphone down.",
                100.0 * share
            ));
        }
        if self.broken > 0 {
            said.push(format!("{} samples were no numbers.", self.broken));
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(samples: &[f32]) -> String {
        let mut health = Health::default();
        health.take(samples);
        health.complaints().join(" ")
    }

    #[test]
    fn silence_clipping_and_nothing_at_all_are_said() {
        let tone = |height: f32| -> Vec<f32> {
            (0..16_000)
                .map(|i| (height * (i as f32 * 0.3).sin()).clamp(-1.0, 1.0))
                .collect()
        };
        assert_eq!(complaints(&tone(0.3)), "");
        assert!(complaints(&tone(2.0)).contains("clipped"));
        assert!(complaints(&[0.0; 16_000]).contains("silent"));
        assert!(complaints(&[]).contains("no sound"));
        assert!(complaints(&[f32::NAN, 0.5]).contains("no numbers"));
    }

    #[test]
    fn levels_are_in_decibels_of_full_scale() {
        let level = Level::of(&[0.1, -0.1, 0.1, -0.1]);
        assert!((level.mean_db + 20.0).abs() < 1e-3 && (level.peak_db + 20.0).abs() < 1e-3);
    }
}
