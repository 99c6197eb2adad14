//! One frame in, one observation out: runs the networks only where something changed.

use opencv::{
    core::{Mat, Rect, Size},
    imgproc::{INTER_AREA, resize},
};
use shakmaty::{Board, Piece, Square};

use super::{
    VisionError,
    crop::Crop,
    hands::HandTracker,
    motion::{MotionMap, SmallFrame, SmallRect},
    runtime::RuntimeError,
    squares::{Prototypes, SquareModel},
};
use crate::{
    calibration::view::{BoardView, ViewError},
    events::observation::Observation,
};

/// Frames are looked at in at most this size (longer side, pixels).
const LONGEST_SIDE_PX: f64 = 1280.0;
/// Share of a square's pixels that must move for it to count as moving.
const MOVING_SHARE: f64 = 0.03;
/// Share of a square's pixels that must differ from its last reading for a new one.
const CHANGED_SHARE: f64 = 0.06;
/// Share of a square's pixels that must differ from when it was learnt for it to be altered.
const ALTERED_SHARE: f64 = 0.12;
/// A square is at rest when nothing has moved in it for so long, milliseconds.
const REST_MS: f64 = 30.0;
/// Share of the whole picture that moves when it is the camera or the light, not a hand.
const DISTURBED_SHARE: f64 = 0.6;
/// A changed square is read again after these times, in case the first look came too early.
const LOOK_AGAIN_MS: [f64; 3] = [100.0, 300.0, 900.0];

/// Share by which the board's brightness must change for squares to be read again ...
const RELIT: f64 = 0.06;
/// ... at most this often, milliseconds.
const RELIT_MS: f64 = 300.0;
/// Bounds of the correction of brightness.
const GAIN: (f64, f64) = (0.5, 2.0);

/// What is remembered of a square's look, for change detection only.
struct SquareLook {
    rect: SmallRect,
    patch: Vec<u8>,
    read_ms: f64,
    /// Brightness of the board when it was read, grey levels.
    read_level: f64,
    looks_left: usize,
    /// When something last moved in its volume.
    moved_ms: f64,
    /// As it was learnt, hands away.
    learnt: Vec<u8>,
}

/// All models, specialised to one game and one view.
pub struct Perception {
    hands: HandTracker,
    squares: SquareModel,
    prototypes: Prototypes,
    view: BoardView,
    scale: f64,
    before: Option<SmallFrame>,
    looks: Vec<SquareLook>,
    /// Brightness of the board in the lessons, grey levels.
    lesson_level: Option<f64>,
    /// Bit set of the squares learnt since the last frame.
    learnt: u64,
}

/// Why a perception cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// Models or runtime.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The view cannot be scaled: impossible corners.
    #[error(transparent)]
    View(#[from] ViewError),
}

/// All squares of a placement with their contents.
#[must_use]
pub fn contents(board: &Board) -> Vec<(Square, Option<Piece>)> {
    Square::ALL
        .into_iter()
        .map(|s| (s, board.piece_at(s)))
        .collect()
}

impl Perception {
    /// Loads the models for a view of the board.
    ///
    /// # Errors
    /// [`SetupError`].
    pub fn open(models: &std::path::Path, view: &BoardView) -> Result<Self, SetupError> {
        let longest = f64::from(view.width_px.max(view.height_px));
        let scale = (LONGEST_SIDE_PX / longest).min(1.0);
        Ok(Self {
            hands: HandTracker::open(models)?,
            squares: SquareModel::open(models)?,
            prototypes: Prototypes::default(),
            view: view.scaled(scale)?,
            scale,
            before: None,
            looks: Vec::new(),
            lesson_level: None,
            learnt: 0,
        })
    }

    /// Learns from a frame what the game's own pieces and squares look like where their content is
    /// known: the start position at first, then what has been played.
    ///
    /// # Errors
    /// [`VisionError`].
    pub fn learn(
        &mut self,
        frame: &Mat,
        known: &[(Square, Option<Piece>)],
    ) -> Result<(), VisionError> {
        let mut room = Mat::default();
        let frame = self.shrunk(frame, &mut room)?;
        let small = SmallFrame::new(frame)?;
        let level = self.level(&small);
        self.lesson_level.get_or_insert(level);
        let gain = self.gain(level);
        let squares: Vec<Square> = known.iter().map(|k| k.0).collect();
        let readings = self.squares.read(frame, &self.view, &squares, gain)?;
        self.prototypes.learn(known, &readings);
        for square in squares {
            if let Some(look) = self.looks.get_mut(square as usize) {
                look.learnt = small.patch(look.rect);
                self.learnt |= 1 << square as u32;
            }
        }
        Ok(())
    }

    /// Where the camera is, told by the pieces of a frame whose content is known: the view to go on with
    /// (pixels of the full frame). The given one where its corners tell, which they do less in a part of
    /// a larger picture.
    ///
    /// # Errors
    /// [`VisionError`].
    pub fn find_eye(
        &mut self,
        frame: &Mat,
        view: &BoardView,
        known: &Board,
        part: bool,
    ) -> Result<BoardView, VisionError> {
        let mut room = Mat::default();
        let frame = self.shrunk(frame, &mut room)?;
        let scaled = view.scaled(self.scale)?;
        let found = self.squares.find_eye(frame, &scaled, known, part)?;
        let view = found
            .told_eye()
            .map_or(Ok(view.clone()), |eye| view.seen_from(eye))?;
        self.set_view(&view)?;
        Ok(view)
    }

    /// Reads all 64 squares of a frame, a1 first.
    ///
    /// # Errors
    /// [`VisionError`].
    pub fn read_all(
        &mut self,
        frame: &Mat,
    ) -> Result<Vec<crate::events::observation::SquareReading>, VisionError> {
        let mut room = Mat::default();
        let frame = self.shrunk(frame, &mut room)?;
        let gain = self.gain(self.level(&SmallFrame::new(frame)?));
        let raw = self.squares.read(frame, &self.view, &Square::ALL, gain)?;
        Ok(Square::ALL
            .into_iter()
            .zip(&raw)
            .map(|(s, r)| self.prototypes.read(s, r))
            .collect())
    }

    /// Follows the board to a new place (pixels of the full frame): every square is read anew, and
    /// what lies between the last frame and the next is no motion.
    ///
    /// # Errors
    /// [`ViewError`] when the view is impossible.
    pub fn set_view(&mut self, view: &BoardView) -> Result<(), ViewError> {
        self.view = view.scaled(self.scale)?;
        self.looks.clear();
        self.before = None;
        Ok(())
    }

    /// Follows the board by a part of a pixel or so: what was read of the squares still holds.
    ///
    /// # Errors
    /// [`ViewError`] when the view is impossible.
    pub fn nudge_view(&mut self, view: &BoardView) -> Result<(), ViewError> {
        self.view = view.scaled(self.scale)?;
        Ok(())
    }

    /// Looks at the next frame.
    ///
    /// # Errors
    /// [`VisionError`].
    pub fn observe(&mut self, frame: &Mat, t_ms: f64) -> Result<Observation, VisionError> {
        let mut room = Mat::default();
        let frame = self.shrunk(frame, &mut room)?;
        let small = SmallFrame::new(frame)?;
        let before = self
            .before
            .replace(small.clone())
            .unwrap_or_else(|| small.clone());
        let mut motion = MotionMap::between(&before, &small);
        let disturbed = motion.share(small.whole()) > DISTURBED_SHARE;
        self.refresh_looks(&small, t_ms);
        let level = self.level(&small);
        let (moving, changed, due) = self.squares_due(&small, &motion, level, t_ms);
        let altered = self.altered(&small, t_ms);
        let raw = self
            .squares
            .read(frame, &self.view, &due, self.gain(level))?;
        let squares = due
            .iter()
            .zip(&raw)
            .map(|(s, r)| self.prototypes.read(*s, r))
            .collect();
        let (mut hands, covered) = self
            .hands
            .update(frame, &small, &motion, &self.view, t_ms)?;
        let full =
            |p: [f32; 2]| p.map(|v| ((f64::from(v) / self.scale * 10.0).round() / 10.0) as f32);
        for hand in &mut hands {
            hand.pinch_px = full(hand.pinch_px);
            hand.tips_px = hand.tips_px.map(full);
            hand.wrist_px = full(hand.wrist_px);
            hand.knuckles_px = full(hand.knuckles_px);
        }
        motion.clear(small.whole());
        Ok(Observation {
            t_ms,
            squares,
            moving,
            changed,
            altered,
            learnt: std::mem::take(&mut self.learnt),
            covered,
            hands,
            corners: None,
            disturbed,
            announced: Vec::new(),
        })
    }

    /// Brightness of the board: the median grey level around it.
    fn level(&self, small: &SmallFrame) -> f64 {
        let corners = self.view.corners.in_order();
        let low = |i: usize| corners.iter().fold(f64::INFINITY, |a, c| a.min(c[i])) as i32;
        let high = |i: usize| corners.iter().fold(0.0_f64, |a, c| a.max(c[i])) as i32;
        small.level(small.rect(Rect::new(
            low(0),
            low(1),
            high(0) - low(0),
            high(1) - low(1),
        )))
    }

    /// What takes a brightness back to that of the lessons: a lamp or the camera's exposure must
    /// not turn white pieces black.
    fn gain(&self, level: f64) -> f32 {
        self.lesson_level.map_or(1.0, |lesson| {
            (lesson / level.max(1.0)).clamp(GAIN.0, GAIN.1)
        }) as f32
    }

    /// The frame itself, or made smaller in `room`.
    fn shrunk<'a>(&self, frame: &'a Mat, room: &'a mut Mat) -> Result<&'a Mat, VisionError> {
        if self.scale >= 1.0 {
            return Ok(frame);
        }
        let size = Size::new(self.view.width_px as i32, self.view.height_px as i32);
        resize(frame, room, size, 0.0, 0.0, INTER_AREA)?;
        Ok(room)
    }

    /// After start or a new view nothing is known of any square's look.
    fn refresh_looks(&mut self, small: &SmallFrame, t_ms: f64) {
        if !self.looks.is_empty() {
            return;
        }
        self.looks = Square::ALL
            .iter()
            .map(|s| SquareLook {
                rect: small.rect(Crop::of(&self.view, *s).rect()),
                patch: Vec::new(),
                read_ms: f64::NEG_INFINITY,
                read_level: 0.0,
                looks_left: 1,
                moved_ms: t_ms - 1000.0,
                learnt: Vec::new(),
            })
            .collect();
    }

    /// The squares at rest that no longer look as they were learnt.
    fn altered(&self, small: &SmallFrame, t_ms: f64) -> u64 {
        let is_altered = |look: &SquareLook| {
            !look.learnt.is_empty()
                && t_ms - look.moved_ms >= REST_MS
                && small.change_since(look.rect, &look.learnt) > ALTERED_SHARE
        };
        Square::ALL
            .into_iter()
            .zip(&self.looks)
            .filter(|(_, look)| is_altered(look))
            .fold(0, |bits, (square, _)| bits | 1 << square as u32)
    }

    /// The squares that move, those that differ from their last reading, and those to read now.
    fn squares_due(
        &mut self,
        small: &SmallFrame,
        motion: &MotionMap,
        level: f64,
        t_ms: f64,
    ) -> (u64, u64, Vec<Square>) {
        let (mut moving, mut changed, mut due) = (0_u64, 0_u64, Vec::new());
        for (square, look) in Square::ALL.into_iter().zip(&mut self.looks) {
            let bit = 1_u64 << square as u32;
            if motion.share(look.rect) > MOVING_SHARE {
                look.moved_ms = t_ms;
                moving |= bit;
                // What is in motion is read when it has come to rest.
            }
            let differs = small.change_since(look.rect, &look.patch) > CHANGED_SHARE;
            if differs {
                changed |= bit;
                look.looks_left = LOOK_AGAIN_MS.len();
            }
            let again = LOOK_AGAIN_MS
                .get(LOOK_AGAIN_MS.len().saturating_sub(look.looks_left))
                .is_some_and(|wait| {
                    look.looks_left > 0 && t_ms - look.moved_ms.max(look.read_ms) >= *wait
                });
            let at_rest = t_ms - look.moved_ms >= REST_MS;
            let first = look.patch.is_empty();
            let relit = (level - look.read_level).abs() > RELIT * look.read_level
                && t_ms - look.read_ms > RELIT_MS;
            if at_rest && (differs || again || first || relit) {
                if !differs {
                    look.looks_left = look.looks_left.saturating_sub(1);
                }
                look.patch = small.patch(look.rect);
                look.read_ms = t_ms;
                look.read_level = level;
                due.push(square);
            }
        }
        (moving, changed, due)
    }
}
