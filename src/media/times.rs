//! Capture times: from what a container says, counted from the first frame and strictly rising.

/// The times of one file's frames.
#[derive(Debug, Clone)]
pub struct Times {
    /// The container's time of the first frame, once there was one.
    pub origin_ms: Option<f64>,
    /// The container's time of the frame before, and how long after the one before that it came.
    container_ms: f64,
    step_ms: f64,
    last_ms: f64,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            origin_ms: None,
            container_ms: 0.0,
            step_ms: 1.0,
            last_ms: 0.0,
        }
    }
}

impl Times {
    /// The time of the next frame, by what the container says of it, milliseconds.
    pub fn next(&mut self, container_ms: Option<f64>) -> f64 {
        let container_ms = container_ms.unwrap_or(self.container_ms).max(0.0);
        self.last_ms = match self.origin_ms {
            None => {
                self.origin_ms = Some(container_ms);
                self.container_ms = container_ms;
                0.0
            }
            // The last frames of a stream with frames out of order come without a time of their own.
            Some(_) if container_ms == 0.0 || container_ms == self.container_ms => {
                self.last_ms + self.step_ms
            }
            Some(origin_ms) => {
                if container_ms > self.container_ms {
                    self.step_ms = container_ms - self.container_ms;
                }
                self.container_ms = container_ms;
                // Time stamps that go back: keep the order, invent the least.
                (container_ms - origin_ms).max(self.last_ms + 1.0)
            }
        };
        self.last_ms
    }

    /// The next frame may lie before the last one.
    pub fn jumped(&mut self) {
        self.last_ms = f64::NEG_INFINITY;
    }
}

/// The place of files' frames in a recording of several files, which follow each other without a gap:
/// the first frame of one comes as long after the last frame of the one before as that came after its own.
#[derive(Debug, Clone)]
pub struct Joint {
    /// Number of the file, from 0.
    pub part: usize,
    begins_ms: f64,
    last_ms: f64,
    step_ms: f64,
    index: u64,
}

/// Assumed time between two frames where nothing tells, milliseconds.
const STEP_MS: f64 = 40.0;

impl Joint {
    /// Begins a recording of a nominal rate.
    pub fn new(nominal_fps: Option<f64>) -> Self {
        Self {
            part: 0,
            begins_ms: 0.0,
            last_ms: 0.0,
            step_ms: nominal_fps.map_or(STEP_MS, |fps| 1000.0 / fps),
            index: 0,
        }
    }

    /// Time and number in the recording of the file's next frame.
    pub fn place(&mut self, t_ms: f64) -> (f64, u64) {
        let t_ms = self.begins_ms + t_ms;
        if self.index > 0 && t_ms > self.last_ms {
            self.step_ms = t_ms - self.last_ms;
        }
        self.last_ms = t_ms;
        self.index += 1;
        (t_ms, self.index - 1)
    }

    /// The next file begins.
    pub fn next_part(&mut self) {
        self.part += 1;
        self.begins_ms = self.last_ms + self.step_ms;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(container: &[f64]) -> Vec<f64> {
        let mut times = Times::default();
        container.iter().map(|t| times.next(Some(*t))).collect()
    }

    #[test]
    fn times_count_from_the_first_frame_and_rise() {
        assert_eq!(all(&[500.0, 540.0, 600.0]), [0.0, 40.0, 100.0]);
        // Without a time, twice the same, and back.
        assert_eq!(
            all(&[0.0, 40.0, 0.0, 40.0, 30.0]),
            [0.0, 40.0, 80.0, 120.0, 121.0]
        );
    }

    #[test]
    fn files_follow_each_other_without_a_gap() {
        let mut joint = Joint::new(Some(50.0));
        let first = [0.0, 20.0, 45.0].map(|t| joint.place(t));
        joint.next_part();
        let second = [0.0, 20.0].map(|t| joint.place(t));
        assert_eq!(first, [(0.0, 0), (20.0, 1), (45.0, 2)]);
        assert_eq!(second, [(70.0, 3), (90.0, 4)]);
    }
}
