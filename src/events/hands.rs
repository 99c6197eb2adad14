//! Each hand's way over the board, and where it dwelt: reaching for a piece, a hand comes to rest
//! at it; carrying it, it comes to rest where it puts it down.

use std::collections::VecDeque;

use shakmaty::Color;

use super::{
    contacts::Grip,
    grasp::{Grasp, Grips, grasps},
    habit::Habit,
    observation::{HandReading, Observation},
};
use crate::{calibration::view::BoardView, record::HandSide};

/// Hands are not taken to be higher than this over the board, squares.
const HIGHEST_SQUARES: f64 = 4.0;
/// A hand slower than this dwells, squares a second.
const DWELL_SPEED: f64 = 2.4;
/// Shortest dwell, milliseconds.
const DWELL_MS: f64 = 70.0;
/// Around its resting place a dwelling hand moves less than this, squares.
const DWELL_RADIUS: f64 = 0.22;
/// Steps longer than this apart are not one movement, milliseconds.
const GAP_MS: f64 = 400.0;
/// Share of a new height in its running mean: a single one is off by a quarter of a square.
const HEIGHT_RATE: f64 = 0.3;
/// What a hand did so long before tells what it does, milliseconds.
const LEAD_MS: f64 = 2000.0;
/// A piece whose height is less than this in the picture, squares a square, has hardly a direction.
const LEAST_UP: f64 = 0.05;
/// How long a way is remembered, milliseconds.
const MEMORY_MS: f64 = 90_000.0;

/// One hand at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Capture time, milliseconds.
    pub t_ms: f64,
    /// Where thumb and fingers meet, image pixels.
    pub pinch_px: [f64; 2],
    /// Where the hand network saw them meet, image pixels.
    seen_px: [f64; 2],
    /// One square towards the finger tips, image pixels.
    ahead_px: [f64; 2],
    /// Where they meet over the board, squares.
    pub place: [f64; 2],
    /// Its height over the board, squares.
    pub height: f64,
    /// P(the hand touches a piece), as seen in this frame alone.
    pub touches: f64,
    /// Width between thumb and index finger, squares.
    pub width: f64,
    /// P(this is a hand).
    pub presence: f64,
    /// The wrist, image pixels.
    pub wrist_px: [f64; 2],
    /// Middle of the knuckles, image pixels.
    pub knuckles_px: [f64; 2],
    /// What one square is in the picture there, pixels.
    pub unit_px: f64,
    /// The direction in which a piece stands up from there, of unit length in the picture.
    pub up: [f64; 2],
    /// What the squares did in this frame.
    pub squares: Squares,
}

/// What the squares did in one frame: bit sets, a1 = bit 0, as in [`Observation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Squares {
    /// Something moves in them.
    pub moving: u64,
    /// They look different from their last reading.
    pub changed: u64,
    /// Hands and arms hide a good part of them.
    pub covered: u64,
}

/// One hand's way.
#[derive(Debug, Clone)]
pub struct Way {
    /// The hand's number.
    pub id: u32,
    /// Left or right, by the latest reading.
    pub side: HandSide,
    /// Mean of the readings: positive from White's side.
    pub from_white: f64,
    readings: f64,
    steps: VecDeque<Step>,
}

/// A stretch in which a hand hardly moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Dwell {
    /// The hand's number.
    pub hand: u32,
    /// Left or right.
    pub side: HandSide,
    /// From White's side (positive) or Black's.
    pub from_white: f64,
    /// Arrives, milliseconds.
    pub from_ms: f64,
    /// Leaves, milliseconds.
    pub to_ms: f64,
    /// Median place where thumb and fingers meet, image pixels.
    pub pinch_px: [f64; 2],
    /// The same over the board, squares.
    pub place: [f64; 2],
    /// Mean of P(the hand touches a piece).
    pub touches: f64,
}

/// All hands' ways.
#[derive(Debug, Clone, Default)]
pub struct Ways {
    all: Vec<Way>,
    /// White's and Black's.
    habits: [Habit; 2],
}

impl Ways {
    /// Takes in one frame.
    pub fn update(&mut self, seen: &Observation, view: &BoardView) {
        for hand in &seen.hands {
            let way = match self.all.iter().position(|w| w.id == hand.id) {
                Some(at) => &mut self.all[at],
                None => {
                    self.all.push(Way {
                        id: hand.id,
                        side: hand.side,
                        from_white: 0.0,
                        readings: 0.0,
                        steps: VecDeque::new(),
                    });
                    let last = self.all.len() - 1;
                    &mut self.all[last]
                }
            };
            let mut step = step(hand, seen, view, way.steps.back().map(|s| s.height));
            let habit = &self.habits[usize::from(hand.from_white <= 0.0)];
            step.shift(habit.offset(), view);
            way.side = hand.side;
            way.readings += 1.0;
            way.from_white +=
                (f64::from(hand.from_white) - way.from_white) / way.readings.min(60.0);
            way.steps.push_back(step);
        }
        for way in &mut self.all {
            while way
                .steps
                .front()
                .is_some_and(|s| seen.t_ms - s.t_ms > MEMORY_MS)
            {
                way.steps.pop_front();
            }
        }
        self.all.retain(|w| !w.steps.is_empty());
    }

    /// Dwells that end after `since_ms`, by time of arrival.
    #[must_use]
    pub fn dwells(&self, since_ms: f64) -> Vec<Dwell> {
        let mut all: Vec<Dwell> = self.all.iter().flat_map(|w| w.dwells(since_ms)).collect();
        all.sort_by(|a, b| a.from_ms.total_cmp(&b.from_ms).then(a.hand.cmp(&b.hand)));
        all
    }

    /// Learns from a move that was made after `since_ms`, between two grips, how its player holds
    /// pieces; what was seen of that player's hands is corrected.
    pub fn learn(&mut self, player: Color, grips: [Grip; 2], since_ms: f64, view: &BoardView) {
        let index = usize::from(player.is_black());
        let mine = |w: &&Way| (w.from_white > 0.0) == player.is_white();
        let ways: Vec<&Way> = self.all.iter().filter(mine).collect();
        let distances = |offset: [f64; 2]| {
            ways.iter().map(move |w| {
                w.steps_since(since_ms).map(move |s| {
                    let at = s.shifted(offset);
                    (grips[0].distance(at), grips[1].distance(at))
                })
            })
        };
        if !self.habits[index].learn(distances) {
            return;
        }
        let offset = self.habits[index].offset();
        let mine = |w: &&mut Way| (w.from_white > 0.0) == player.is_white();
        for way in self.all.iter_mut().filter(mine) {
            for step in &mut way.steps {
                step.shift(offset, view);
            }
        }
    }

    /// What hands held after `since_ms`, by time of touch, where `grips` are those of the pieces.
    #[must_use]
    pub fn grasps(&self, grips: &Grips, since_ms: f64) -> Vec<Grasp> {
        let mut all: Vec<Grasp> = self
            .all
            .iter()
            .flat_map(|w| grasps(w, grips, since_ms - LEAD_MS))
            .filter(|g| g.release_ms > since_ms)
            .collect();
        all.sort_by(|a, b| a.touch_ms.total_cmp(&b.touch_ms).then(a.hand.cmp(&b.hand)));
        all
    }

    /// Whether any hand was in view between two times.
    #[must_use]
    pub fn seen_between(&self, from_ms: f64, to_ms: f64) -> bool {
        self.all.iter().any(|w| {
            w.steps_since(from_ms)
                .next()
                .is_some_and(|s| s.t_ms <= to_ms)
        })
    }

    /// Whether any hand's fingers are over the board (with half a square around it) now.
    #[must_use]
    pub fn over_board(&self, now_ms: f64) -> bool {
        self.all.iter().any(|w| {
            w.steps.back().is_some_and(|s| {
                now_ms - s.t_ms < 1.0 && s.place.iter().all(|v| (-0.5..8.5).contains(v))
            })
        })
    }

    /// The ways.
    #[must_use]
    pub fn all(&self) -> &[Way] {
        &self.all
    }
}

fn step(
    hand: &HandReading,
    seen: &Observation,
    view: &BoardView,
    height_before: Option<f64>,
) -> Step {
    let pinch_px = hand.pinch_px.map(f64::from);
    let height_now = f64::from(hand.height_squares).clamp(0.0, HIGHEST_SQUARES);
    let height = height_before.map_or(height_now, |h| h + HEIGHT_RATE * (height_now - h));
    let [wrist, knuckles] = [hand.wrist_px, hand.knuckles_px].map(|p| p.map(f64::from));
    let (dx, dy) = (knuckles[0] - wrist[0], knuckles[1] - wrist[1]);
    let scale = view.square_px([4.0, 4.0]) / dx.hypot(dy).max(1e-6);
    let place = view.point_at_height(pinch_px, height);
    let [x, y] = place.map(|v| v.clamp(0.0, 8.0));
    let unit_px = view.square_px([x, y]).max(1.0);
    Step {
        t_ms: seen.t_ms,
        pinch_px,
        seen_px: pinch_px,
        ahead_px: [dx * scale, dy * scale],
        place,
        height,
        touches: f64::from(hand.touches),
        width: f64::from(hand.aperture_squares),
        presence: f64::from(hand.presence),
        wrist_px: wrist,
        knuckles_px: knuckles,
        unit_px,
        up: up(view, place, unit_px),
        squares: Squares {
            moving: seen.moving,
            changed: seen.changed,
            covered: seen.covered,
        },
    }
}

/// The direction in which a piece stands up from a place, of unit length in the picture; shorter
/// where the view from above hardly shows one.
fn up(view: &BoardView, [x, y]: [f64; 2], unit_px: f64) -> [f64; 2] {
    let ([u0, v0], [u1, v1]) = (view.project([x, y, 0.0]), view.project([x, y, 1.0]));
    let (du, dv) = ((u1 - u0) / unit_px, (v1 - v0) / unit_px);
    let length = du.hypot(dv).max(LEAST_UP);
    [du / length, dv / length]
}

impl Step {
    /// Between this and a later one, at a share `k` of the way; what does not change gradually is
    /// this one's.
    #[must_use]
    pub(super) fn mixed(&self, later: &Self, k: f64, t_ms: f64) -> Self {
        let mix = |p: f64, q: f64| p + k * (q - p);
        let pair = |p: [f64; 2], q: [f64; 2]| [mix(p[0], q[0]), mix(p[1], q[1])];
        Self {
            t_ms,
            pinch_px: pair(self.pinch_px, later.pinch_px),
            place: pair(self.place, later.place),
            height: mix(self.height, later.height),
            width: mix(self.width, later.width),
            presence: mix(self.presence, later.presence),
            wrist_px: pair(self.wrist_px, later.wrist_px),
            knuckles_px: pair(self.knuckles_px, later.knuckles_px),
            unit_px: mix(self.unit_px, later.unit_px),
            up: pair(self.up, later.up),
            ..*self
        }
    }

    /// Puts the place where fingers meet so far ahead of and beside where it was seen (squares).
    fn shift(&mut self, [ahead, aside]: [f64; 2], view: &BoardView) {
        self.pinch_px = self.shifted([ahead, aside]);
        self.place = view.point_at_height(self.pinch_px, self.height);
    }

    fn shifted(&self, [ahead, aside]: [f64; 2]) -> [f64; 2] {
        let ([x, y], [dx, dy]) = (self.seen_px, self.ahead_px);
        [x + ahead * dx - aside * dy, y + ahead * dy + aside * dx]
    }
}

impl Way {
    /// The steps, oldest first.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter()
    }

    /// The steps after a time, oldest first.
    pub fn steps_since(&self, since_ms: f64) -> impl Iterator<Item = &Step> {
        let first = self.steps.partition_point(|s| s.t_ms <= since_ms);
        self.steps.range(first..)
    }

    fn dwells(&self, since_ms: f64) -> Vec<Dwell> {
        let steps: Vec<Step> = self.steps_since(since_ms - LEAD_MS).copied().collect();
        let slow: Vec<bool> = (0..steps.len())
            .map(|i| speed(&steps, i) < DWELL_SPEED)
            .collect();
        let mut dwells = Vec::new();
        let mut start = None;
        for i in 0..=steps.len() {
            let goes_on = slow.get(i).copied().unwrap_or(false)
                && (i == 0 || steps[i].t_ms - steps[i - 1].t_ms < GAP_MS);
            match (start, goes_on) {
                (None, true) => start = Some(i),
                (Some(s), false) => {
                    dwells.extend(self.dwell(&steps, s, i - 1));
                    start = slow.get(i).copied().unwrap_or(false).then_some(i);
                }
                _ => {}
            }
        }
        dwells.retain(|d| d.to_ms >= since_ms);
        dwells
    }

    /// A dwell from its slow core: its ends are where the hand comes near its resting place and
    /// where it leaves it.
    fn dwell(&self, steps: &[Step], first: usize, last: usize) -> Option<Dwell> {
        let core = steps.get(first..=last)?;
        let place = [
            median(core.iter().map(|s| s.place[0])),
            median(core.iter().map(|s| s.place[1])),
        ];
        let pinch_px = [
            median(core.iter().map(|s| s.pinch_px[0])),
            median(core.iter().map(|s| s.pinch_px[1])),
        ];
        let near = |s: &Step| (s.place[0] - place[0]).hypot(s.place[1] - place[1]) < DWELL_RADIUS;
        let begin = core.iter().find(|s| near(s))?.t_ms;
        let end = core.iter().rev().find(|s| near(s))?.t_ms;
        (end - begin >= DWELL_MS).then(|| Dwell {
            hand: self.id,
            side: self.side,
            from_white: self.from_white,
            from_ms: begin,
            to_ms: end,
            pinch_px,
            place,
            touches: core.iter().map(|s| s.touches).sum::<f64>() / core.len() as f64,
        })
    }
}

/// Speed at a step from its neighbours, squares a second.
fn speed(steps: &[Step], i: usize) -> f64 {
    let (a, b) = (i.saturating_sub(1), (i + 1).min(steps.len() - 1));
    let (p, q) = (&steps[a], &steps[b]);
    let seconds = (q.t_ms - p.t_ms) / 1000.0;
    if seconds <= 0.0 || seconds > GAP_MS / 1000.0 {
        return f64::INFINITY;
    }
    (q.place[0] - p.place[0]).hypot(q.place[1] - p.place[1]) / seconds
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut all: Vec<f64> = values.collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(0.0)
}
