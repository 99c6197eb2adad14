//! Follows hands from frame to frame: the landmark model runs on each hand that moves, the palm
//! model only when something moves that no known hand accounts for.

use opencv::core::{Mat, MatTraitConst, Rect};

use super::{
    VisionError,
    landmarks::{
        LandmarkModel, MIDDLE_KNUCKLE, POINTS, Roi, WRIST, roi_from_landmarks, roi_from_palm,
    },
    motion::{MotionMap, SmallFrame},
    palm::PalmDetector,
    runtime::RuntimeError,
};
use crate::{calibration::view::BoardView, events::observation::HandReading, record::HandSide};

/// Most hands followed at once: two players, both hands.
const MOST_HANDS: usize = 4;
/// Least probability of a hand for a track to go on.
const MIN_PRESENCE: f64 = 0.5;
/// Two crops whose centres are nearer than this share of their side hold the same hand.
const SAME_HAND: f64 = 0.35;
/// Motion pixels (of the small picture) that no known hand accounts for and that are worth a look.
const UNEXPLAINED_PX: usize = 40;
/// With hands already followed, the palm model runs at most on every so many-th frame.
const PALM_EVERY: u64 = 1;
/// Height above the board at which a hand is taken to be, squares.
const HAND_HEIGHT_SQUARES: f64 = 1.0;

struct Track {
    id: u32,
    roi: Roi,
    points: [[f64; 2]; POINTS],
    presence: f64,
    right: f64,
}

/// The tracker.
pub struct HandTracker {
    palms: PalmDetector,
    landmarks: LandmarkModel,
    tracks: Vec<Track>,
    next_id: u32,
    frames: u64,
    last_palm_frame: u64,
    looks: u64,
}

impl HandTracker {
    /// Loads both models.
    ///
    /// # Errors
    /// [`RuntimeError`].
    pub fn open(models: &std::path::Path) -> Result<Self, RuntimeError> {
        Ok(Self {
            palms: PalmDetector::open(models)?,
            landmarks: LandmarkModel::open(models)?,
            tracks: Vec::new(),
            next_id: 1,
            frames: 0,
            last_palm_frame: 0,
            looks: 0,
        })
    }

    /// The hands in a BGR frame of the size of `view`.
    ///
    /// # Errors
    /// [`VisionError`].
    pub fn update(
        &mut self,
        frame: &Mat,
        small: &SmallFrame,
        motion: &MotionMap,
        view: &BoardView,
    ) -> Result<Vec<HandReading>, VisionError> {
        self.frames += 1;
        let region = region_of_interest(view);
        self.follow(frame, small, motion)?;
        if self.wants_palms(small, motion, region) {
            self.last_palm_frame = self.frames;
            self.looks += 1;
            // Seen in the whole picture hands may be small, around what moves they are large; in
            // turn, both find what the other misses.
            let near = motion
                .bounds(small.rect(region), small)
                .map(|b| around(b, region));
            let part = near
                .filter(|_| self.looks.is_multiple_of(2))
                .unwrap_or(region);
            self.detect(frame, part)?;
        }
        Ok(self.tracks.iter().map(|t| reading(t, view)).collect())
    }

    /// Moves the known hands on; a hand in whose crop nothing moves stays where it was.
    fn follow(
        &mut self,
        frame: &Mat,
        small: &SmallFrame,
        motion: &MotionMap,
    ) -> Result<(), VisionError> {
        let mut kept: Vec<Track> = Vec::with_capacity(self.tracks.len());
        for mut track in std::mem::take(&mut self.tracks) {
            if motion.share(small.rect(bounds(&track.roi, frame))) > 0.002 {
                let found = self.landmarks.run(frame, &track.roi)?;
                if found.presence < MIN_PRESENCE {
                    continue;
                }
                track.points = found.points;
                track.presence = found.presence;
                track.right += 0.2 * (found.right - track.right);
                track.roi = roi_from_landmarks(&found.points);
            }
            if inside(&track.roi, frame) && !kept.iter().any(|k| same_hand(&k.roi, &track.roi)) {
                kept.push(track);
            }
        }
        self.tracks = kept;
        Ok(())
    }

    fn wants_palms(&self, small: &SmallFrame, motion: &MotionMap, region: Rect) -> bool {
        if self.tracks.len() >= MOST_HANDS {
            return false;
        }
        let due = self.tracks.is_empty() || self.frames - self.last_palm_frame >= PALM_EVERY;
        if self.frames == 1 || !due {
            return self.frames == 1;
        }
        motion.count(small.rect(region)) > UNEXPLAINED_PX
    }

    fn detect(&mut self, frame: &Mat, region: Rect) -> Result<(), VisionError> {
        for palm in self.palms.detect(frame, region)? {
            if self.tracks.len() >= MOST_HANDS {
                break;
            }
            let roi = roi_from_palm(&palm);
            if self.tracks.iter().any(|t| same_hand(&t.roi, &roi)) {
                continue;
            }
            let found = self.landmarks.run(frame, &roi)?;
            let next = roi_from_landmarks(&found.points);
            if found.presence < MIN_PRESENCE || self.tracks.iter().any(|t| same_hand(&t.roi, &next))
            {
                continue;
            }
            self.tracks.push(Track {
                id: self.next_id,
                roi: next,
                points: found.points,
                presence: found.presence,
                right: found.right,
            });
            self.next_id += 1;
        }
        Ok(())
    }
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
    let margin = 0.35 * (x1 - x0).max(y1 - y0);
    let rect = Rect::new(
        (x0 - margin) as i32,
        (y0 - margin) as i32,
        (x1 - x0 + 2.0 * margin) as i32,
        (y1 - y0 + 2.0 * margin) as i32,
    );
    rect & Rect::new(0, 0, view.width_px as i32, view.height_px as i32)
}

/// A square around what moves, with air, at least half as wide as the region.
fn around(moved: Rect, region: Rect) -> Rect {
    let side = (f64::from(moved.width.max(moved.height)) * 1.3)
        .max(0.5 * f64::from(region.width.max(region.height))) as i32;
    let (cx, cy) = (moved.x + moved.width / 2, moved.y + moved.height / 2);
    let (x, y) = (cx - side / 2, cy - side / 2);
    let shifted = Rect::new(
        x.min(region.x + region.width - side).max(region.x),
        y.min(region.y + region.height - side).max(region.y),
        side,
        side,
    );
    shifted & region
}

fn bounds_raw(roi: &Roi) -> Rect {
    let side = roi.side as i32;
    Rect::new(
        (roi.centre[0] - roi.side / 2.0) as i32,
        (roi.centre[1] - roi.side / 2.0) as i32,
        side,
        side,
    )
}

fn bounds(roi: &Roi, frame: &Mat) -> Rect {
    bounds_raw(roi) & Rect::new(0, 0, frame.cols(), frame.rows())
}

fn inside(roi: &Roi, frame: &Mat) -> bool {
    let [x, y] = roi.centre;
    roi.side > 8.0
        && x > 0.0
        && y > 0.0
        && x < f64::from(frame.cols())
        && y < f64::from(frame.rows())
}

fn same_hand(a: &Roi, b: &Roi) -> bool {
    let distance = (a.centre[0] - b.centre[0]).hypot(a.centre[1] - b.centre[1]);
    distance < SAME_HAND * a.side.min(b.side)
}

/// A track as read in this frame; `from_white` says by its arm's direction and its wrist's place
/// from which side of the board it reaches in: 1 from White's, -1 from Black's.
fn reading(track: &Track, view: &BoardView) -> HandReading {
    let wrist = view.point_at_height(track.points[WRIST], HAND_HEIGHT_SQUARES);
    let knuckle = view.point_at_height(track.points[MIDDLE_KNUCKLE], HAND_HEIGHT_SQUARES);
    let arm = [wrist[0] - knuckle[0], wrist[1] - knuckle[1]];
    let direction = -arm[1] / arm[0].hypot(arm[1]).max(1e-6);
    let place = ((4.0 - wrist[1]) / 4.0).clamp(-1.5, 1.5);
    HandReading {
        id: track.id,
        side: if track.right >= 0.5 {
            HandSide::Right
        } else {
            HandSide::Left
        },
        presence: round(track.presence, 100.0),
        from_white: round((0.6 * direction + 0.4 * place).clamp(-1.0, 1.0), 100.0),
        points_px: track.points.map(|p| p.map(|v| round(v, 10.0))),
    }
}

fn round(value: f64, steps: f64) -> f32 {
    ((value * steps).round() / steps) as f32
}
