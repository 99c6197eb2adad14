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

/// Share of the board's size around it in which anything that stirs is worth a look.
const AROUND: f64 = 0.3;
/// After anything stirred, squares are looked at again for so long, milliseconds.
const REST_MS: f64 = 1500.0;
/// A look is due so often, whatever stirs, milliseconds.
const LOOK_MS: f64 = 1000.0;

/// Looks at one board, frame by frame.
pub struct Looking {
    watch: Watch,
    perception: Perception,
    /// Moves there were, and the time, at the last lesson.
    lesson_moves: usize,
    lesson_ms: f64,
    /// What was last seen, when it was, and when there was last anything to see.
    last: Observation,
    looked_ms: f64,
    stirred_ms: f64,
    /// The last look was a lesson, of which the next one tells.
    taught: bool,
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
            last: Observation::default(),
            looked_ms: f64::NEG_INFINITY,
            stirred_ms: f64::INFINITY,
            taught: false,
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
        self.looked_ms = t_ms;
        if self.stirred_ms.is_infinite() || has_news(&seen) {
            self.stirred_ms = t_ms;
        }
        self.last = seen.clone();
        Ok(seen)
    }

    /// The board in the picture with what lies around it: left, top, right, bottom, pixels.
    #[must_use]
    pub fn surroundings(&self) -> [f64; 4] {
        let corners = self.watch.view().corners.in_order();
        let least = |i: usize| corners.iter().fold(f64::INFINITY, |a, c| a.min(c[i]));
        let most = |i: usize| corners.iter().fold(f64::NEG_INFINITY, |a, c| a.max(c[i]));
        let [left, top, right, bottom] = [least(0), least(1), most(0), most(1)];
        let margin = AROUND * (right - left).max(bottom - top);
        [left - margin, top - margin, right + margin, bottom + margin]
    }

    /// The same for a frame in which nothing stirs around the board, without looking at it: what was
    /// seen last is seen still. `None` where a look is due all the same: soon after anything stirred,
    /// now and then, and when there is a lesson to be learnt.
    pub fn hold(
        &mut self,
        t_ms: f64,
        announced: &mut Vec<Announcement>,
        engine: &mut Engine,
    ) -> Option<Observation> {
        let rests = t_ms - self.stirred_ms >= REST_MS && t_ms - self.looked_ms < LOOK_MS;
        if !rests || self.taught || self.is_lesson_due(t_ms, engine) {
            return None;
        }
        let seen = Observation {
            t_ms,
            squares: Vec::new(),
            learnt: 0,
            announced: std::mem::take(announced),
            ..self.last.clone()
        };
        engine.observe(&seen);
        Some(seen)
    }

    fn is_lesson_due(&self, t_ms: f64, engine: &Engine) -> bool {
        let due = engine.move_count() != self.lesson_moves || t_ms - self.lesson_ms > LESSON_MS;
        due && engine.plain_squares().len() >= LESSON_SQUARES
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
        self.taught = self.is_lesson_due(t_ms, engine);
        if self.taught {
            self.perception.learn(image, &engine.plain_squares())?;
            (self.lesson_moves, self.lesson_ms) = (engine.move_count(), t_ms);
        }
        Ok(())
    }
}

/// Whether there is more to an observation than that all is as it was.
fn has_news(seen: &Observation) -> bool {
    (seen.moving | seen.changed) != 0
        || !seen.squares.is_empty()
        || seen.disturbed
        || seen.corners.is_some()
}

/// The observation of a frame in which the board was not found.
fn unseen(t_ms: f64) -> Observation {
    Observation {
        t_ms,
        disturbed: true,
        ..Observation::default()
    }
}
