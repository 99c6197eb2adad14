//! Seeded chance: the same seed gives the same game on every machine and in every version, which no
//! library of random numbers promises.

/// A stream of pseudo-random numbers (SplitMix64).
#[derive(Debug, Clone)]
pub struct Chance(u64);

impl Chance {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A stream of its own for the part `number` of what this seed makes.
    #[must_use]
    pub fn part(seed: u64, number: u64) -> Self {
        let mut both = Self(seed ^ number.wrapping_mul(0xD1B5_4A32_D192_ED03));
        Self(both.bits())
    }

    /// 64 even bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in 0..1.
    pub fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform between two bounds.
    pub fn between(&mut self, [low, high]: [f64; 2]) -> f64 {
        low + (high - low) * self.share()
    }

    /// Whether something of this probability happens.
    pub fn happens(&mut self, probability: f64) -> bool {
        self.share() < probability
    }

    /// Uniform in 0..count; 0 when there is nothing to choose from.
    pub fn below(&mut self, count: usize) -> usize {
        (self.share() * count as f64) as usize
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    /// Normal with mean 0 and standard deviation 1.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.share()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.share()).cos()
    }

    /// Exponential with a mean.
    pub fn wait(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.share()).ln()
    }

    /// Log-normal with a median; two thirds lie within a factor of `e^spread`.
    pub fn skewed(&mut self, median: f64, spread: f64) -> f64 {
        median * (spread * self.normal()).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_same_for_ever() {
        let mut chance = Chance::new(1);
        assert_eq!(chance.bits(), 0x910A_2DEC_8902_5CC1);
        assert_ne!(Chance::part(1, 1).bits(), Chance::part(1, 2).bits());
    }

    #[test]
    fn moments_are_those_of_the_distributions() {
        let mut chance = Chance::new(7);
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let many = |of: &mut dyn FnMut() -> f64| (0..20_000).map(|_| of()).collect::<Vec<f64>>();
        let normal = many(&mut || chance.normal());
        let square: Vec<f64> = normal.iter().map(|v| v * v).collect();
        assert!(mean(&normal).abs() < 0.03 && (mean(&square) - 1.0).abs() < 0.05);
        assert!((mean(&many(&mut || chance.wait(3.0))) - 3.0).abs() < 0.1);
        let even = many(&mut || chance.share());
        assert!(even.iter().all(|v| (0.0..1.0).contains(v)) && (mean(&even) - 0.5).abs() < 0.01);
    }
}
