//! Follows hands from frame to frame: the hand network runs while something moves around the
//! board; what it saw last holds while nothing does.

use opencv::core::{Mat, Rect};

use super::{
    VisionError,
    arms::{ArmModel, SeenHand},
    motion::{MotionMap, SmallFrame},
    runtime::RuntimeError,
    touch::TouchModel,
};
use crate::{calibration::view::BoardView, events::observation::HandReading, record::HandSide};

/// Most hands followed at once: two players, both hands.
const MOST_HANDS: usize = 4;
/// Least probability of a hand for a new track.
const NEW_PRESENCE: f64 = 0.45;
/// Motion (pixels of the small picture) from which on hands are looked for.
const STIRS_PX: usize = 6;
/// After motion has ended a last look is taken after so long, milliseconds.
const LAST_LOOK_MS: f64 = 120.0;
/// A hand that was lost from sight for longer is another one when it comes back, milliseconds.
const LOST_MS: f64 = 450.0;
/// From one frame to the next a hand goes at most so far, squares ...
const STEP_SQUARES: f64 = 1.2;
/// ... and so much farther for each millisecond between them.
const STEP_SQUARES_PER_MS: f64 = 0.012;
/// Share of a new reading in the running mean of left or right.
const SIDE_RATE: f64 = 0.2;

struct Track {
    id: u32,
    seen: SeenHand,
    right: f64,
    seen_ms: f64,
}

/// The tracker.
pub struct HandTracker {
    model: ArmModel,
    touch: TouchModel,
    tracks: Vec<Track>,
    covered: u64,
    next_id: u32,
    moved_ms: f64,
    looked_ms: f64,
}

impl HandTracker {
    /// Loads the model.
    ///
    /// # Errors
    /// [`RuntimeError`].
    pub fn open(models: &std::path::Path) -> Result<Self, RuntimeError> {
        Ok(Self {
            model: ArmModel::open(models)?,
            touch: TouchModel::open(models)?,
            tracks: Vec::new(),
            covered: 0,
            next_id: 1,
            moved_ms: f64::NEG_INFINITY,
            looked_ms: f64::NEG_INFINITY,
        })
    }

    /// The hands in a BGR frame of the size of `view`, and the bit set (a1 = bit 0) of the squares
    /// that arms cover.
    ///
    /// # Errors
    /// [`VisionError`].
    pub fn update(
        &mut self,
        frame: &Mat,
        small: &SmallFrame,
        motion: &MotionMap,
        view: &BoardView,
        t_ms: f64,
    ) -> Result<(Vec<HandReading>, u64), VisionError> {
        if motion.count(small.rect(region_of_interest(view))) > STIRS_PX {
            self.moved_ms = t_ms;
        }
        let due = self.looked_ms - self.moved_ms < LAST_LOOK_MS
            && (self.moved_ms >= t_ms || t_ms - self.moved_ms >= LAST_LOOK_MS);
        if due || self.looked_ms == f64::NEG_INFINITY {
            self.looked_ms = t_ms;
            let mut sight = self.model.look(frame, view)?;
            sight
                .hands
                .retain(|h| self.is_known(h, view, t_ms) || h.presence >= NEW_PRESENCE);
            sight.hands.truncate(MOST_HANDS);
            self.touch.refine(frame, view, &mut sight.hands)?;
            self.covered = sight.covered(view);
            self.follow(sight.hands, view, t_ms);
        }
        let looked_ms = self.looked_ms;
        let current = self.tracks.iter().filter(|t| t.seen_ms >= looked_ms);
        Ok((current.map(reading).collect(), self.covered))
    }

    /// A picture by itself: the squares that arms cover in it.
    ///
    /// # Errors
    /// [`VisionError`].
    pub fn covered(&mut self, frame: &Mat, view: &BoardView) -> Result<u64, VisionError> {
        Ok(self.model.look(frame, view)?.covered(view))
    }

    /// Whether a hand is where a known one may be by now.
    fn is_known(&self, hand: &SeenHand, view: &BoardView, t_ms: f64) -> bool {
        let unit = view.square_px([4.0, 4.0]).max(1.0);
        self.tracks.iter().any(|t| {
            let (a, b) = (t.seen.pinch_px, hand.pinch_px);
            (a[0] - b[0]).hypot(a[1] - b[1]) / unit < reach(t_ms - t.seen_ms)
        })
    }

    /// Gives each hand that is seen to the nearest known one of the same player.
    fn follow(&mut self, seen: Vec<SeenHand>, view: &BoardView, t_ms: f64) {
        self.tracks.retain(|t| t_ms - t.seen_ms <= LOST_MS);
        let unit = view.square_px([4.0, 4.0]).max(1.0);
        let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
        for (i, track) in self.tracks.iter().enumerate() {
            let reach = reach(t_ms - track.seen_ms);
            for (j, hand) in seen.iter().enumerate() {
                let (a, b) = (track.seen.pinch_px, hand.pinch_px);
                let apart = (a[0] - b[0]).hypot(a[1] - b[1]) / unit;
                if track.seen.from_white * hand.from_white > 0.0 && apart < reach {
                    pairs.push((apart, i, j));
                }
            }
        }
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for (_, i, j) in pairs {
            if old.contains(&i) || new.contains(&j) {
                continue;
            }
            old.push(i);
            new.push(j);
            if let (Some(track), Some(hand)) = (self.tracks.get_mut(i), seen.get(j)) {
                track.right += SIDE_RATE * (hand.right - track.right);
                track.seen = hand.clone();
                track.seen_ms = t_ms;
            }
        }
        for (j, hand) in seen.into_iter().enumerate() {
            let room = self.tracks.len() < MOST_HANDS;
            if !new.contains(&j) && room && hand.presence >= NEW_PRESENCE {
                self.tracks.push(Track {
                    id: self.next_id,
                    right: hand.right,
                    seen: hand,
                    seen_ms: t_ms,
                });
                self.next_id += 1;
            }
        }
    }
}

/// How far a hand may have gone, squares.
fn reach(after_ms: f64) -> f64 {
    STEP_SQUARES + STEP_SQUARES_PER_MS * after_ms
}

/// The board's surroundings in the image, where hands are looked for.
fn region_of_interest(view: &BoardView) -> Rect {
    let corners = view.corners.in_order();
    let range = |i: usize| {
        corners
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), c| {
                (a.min(c[i]), b.max(c[i]))
            })
    };
    let ((x0, x1), (y0, y1)) = (range(0), range(1));
    let margin = 0.2 * (x1 - x0).max(y1 - y0);
    let rect = Rect::new(
        (x0 - margin) as i32,
        (y0 - margin) as i32,
        (x1 - x0 + 2.0 * margin) as i32,
        (y1 - y0 + 2.0 * margin) as i32,
    );
    rect & Rect::new(0, 0, view.width_px as i32, view.height_px as i32)
}

fn reading(track: &Track) -> HandReading {
    let seen = &track.seen;
    let point = |p: [f64; 2]| p.map(|v| v as f32);
    HandReading {
        id: track.id,
        side: if track.right >= 0.5 {
            HandSide::Right
        } else {
            HandSide::Left
        },
        presence: round(seen.presence, 100.0),
        from_white: round(seen.from_white, 100.0),
        pinch_px: point(seen.pinch_px),
        tips_px: seen.tips_px.map(point),
        wrist_px: point(seen.wrist_px),
        knuckles_px: point(seen.knuckles_px),
        height_squares: round(seen.height_squares, 100.0),
        aperture_squares: round(seen.aperture_squares, 100.0),
        touches: round(seen.touches, 1000.0),
        lifts: round(seen.lifts, 1000.0),
    }
}

fn round(value: f64, steps: f64) -> f32 {
    ((value * steps).round() / steps) as f32
}
