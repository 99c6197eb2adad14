//! What is done with each frame, of a recording and of a live board alike: where the board is, what
//! is on it, what the engine makes of it, and what the square reader learns from that.

use opencv::core::Mat;

use crate::{
    calibration::{Sight, Watch, view::BoardView},
    events::{Announcement, Engine, observation::Observation},
    vision::{VisionError, perception::Perception},
};

/// Pause between two lessons without a move, milliseconds.
const LESSON_MS: f64 = 10_000.0;
/// Fewest squares worth a lesson.
const LESSON_SQUARES: usize = 48;

/// Looks at one board, frame by frame.
pub struct Looking {
    watch: Watch,
    perception: Perception,
    /// Moves there were, and the time, at the last lesson.
    lesson_moves: usize,
    lesson_ms: f64,
}

impl Looking {
    /// Begins with the view that was found, and the perception prepared for it.
    #[must_use]
    pub fn new(view: BoardView, perception: Perception) -> Self {
        Self {
            watch: Watch::new(view),
            perception,
            lesson_moves: 0,
            lesson_ms: 0.0,
        }
    }

    /// One frame, and what was announced since the one before: what was seen, which the engine has
    /// then taken in.
    ///
    /// # Errors
    /// [`VisionError`].
    pub fn step(
        &mut self,
        image: &Mat,
        t_ms: f64,
        announced: Vec<Announcement>,
        engine: &mut Engine,
    ) -> Result<Observation, VisionError> {
        let mut seen = self.look(image, t_ms)?;
        seen.announced = announced;
        engine.observe(&seen);
        self.learn(image, t_ms, engine)?;
        Ok(seen)
    }

    /// Where the board is first, then what is on it. While it is not known where the board is,
    /// nothing is seen of its squares.
    fn look(&mut self, image: &Mat, t_ms: f64) -> Result<Observation, VisionError> {
        let mut corners = None;
        match self.watch.look(image, t_ms) {
            Sight::Held => {}
            Sight::Crept(view) => {
                let nudged = self.perception.nudge_view(&view).is_ok();
                corners = nudged.then_some(view.corners);
            }
            Sight::Moved(view) => {
                corners = self
                    .perception
                    .set_view(&view)
                    .is_ok()
                    .then_some(view.corners);
                self.lesson_ms = f64::NEG_INFINITY;
            }
            Sight::Unknown => return Ok(unseen(t_ms)),
        }
        let mut seen = self.perception.observe(image, t_ms)?;
        seen.corners = corners;
        Ok(seen)
    }

    /// Goes on teaching the square reader: each position that was played and stands in plain view.
    fn learn(&mut self, image: &Mat, t_ms: f64, engine: &Engine) -> Result<(), VisionError> {
        let due = engine.move_count() != self.lesson_moves || t_ms - self.lesson_ms > LESSON_MS;
        if !due {
            return Ok(());
        }
        let known = engine.plain_squares();
        if known.len() >= LESSON_SQUARES {
            self.perception.learn(image, &known)?;
            (self.lesson_moves, self.lesson_ms) = (engine.move_count(), t_ms);
        }
        Ok(())
    }
}

/// The observation of a frame in which the board was not found.
fn unseen(t_ms: f64) -> Observation {
    Observation {
        t_ms,
        disturbed: true,
        ..Observation::default()
    }
}
