//! When a hand holds a piece: a small convolution over a hand's way, trained on rendered clips with
//! exact contacts (`training/contacts`), says for every thirtieth of a second whether it touches a
//! piece and whether it has one in the air.

use std::sync::OnceLock;

use serde::Deserialize;
use shakmaty::{Board, Role, Square};

use super::{
    contacts::{Grip, grip_height},
    hands::{Squares, Step, Way},
};
use crate::{calibration::view::BoardView, record::HandSide};

/// Steps of the grid that a way is brought to, milliseconds.
const STEP_MS: f64 = 1000.0 / 30.0;
/// A hand lost from sight for longer begins anew, milliseconds.
const GAP_MS: f64 = 250.0;
/// So many squares in motion at once are as many as any number.
const MOST_MOVING: f64 = 16.0;
/// Shortest stretch that is looked at, milliseconds.
const SHORTEST_MS: f64 = 150.0;
/// Number of features of a step, as in `training/contacts/ways.py`.
const FEATURES: usize = 17;
/// Probability of touching that begins a grasp ...
const BEGINS: f32 = 0.3;
/// ... and that must be reached for it to be one.
const REACHES: f32 = 0.5;
/// Probability of a piece in the air from which on it is.
const IN_THE_AIR: f32 = 0.5;
/// Farthest from its first place that a hand still stays there, squares.
const STAYS: f64 = 0.45;
/// How a hand moves at a piece is looked at without so many steps at either end ...
const EDGE_STEPS: usize = 3;
/// ... where at least so many remain.
const LEAST_REST_STEPS: usize = 8;
/// Places at either end of a grasp are means over so many steps.
const END_STEPS: usize = 5;

/// One hand holding one piece, from first contact to last.
#[derive(Debug, Clone, PartialEq)]
pub struct Grasp {
    /// The hand's number.
    pub hand: u32,
    /// Left or right.
    pub side: HandSide,
    /// From White's side (positive) or Black's.
    pub from_white: f64,
    /// First contact, milliseconds.
    pub touch_ms: f64,
    /// Last contact, milliseconds.
    pub release_ms: f64,
    /// How likely this hand, in sight all the while, held nothing since its grasp before; none if it
    /// was lost from sight or this is its first.
    pub let_go: Option<f64>,
    /// From when until when the piece was in the air, milliseconds.
    pub air_ms: Option<(f64, f64)>,
    /// Where the fingers were at first, image pixels.
    pub first_px: [f64; 2],
    /// Where they were at last, image pixels.
    pub last_px: [f64; 2],
    /// The same over the board, squares.
    pub first: [f64; 2],
    /// Likewise.
    pub last: [f64; 2],
    /// Until when they stayed there, milliseconds, and how likely they touched a piece meanwhile.
    pub stay_ms: f64,
    /// See [`Grasp::stay_ms`].
    pub stay_probability: f64,
    /// How far pinch point and knuckles both moved about in the midst of this time, squares in the
    /// picture; 0 where it is short.
    pub stay_extent: f64,
}

#[derive(Deserialize)]
struct Layer {
    dilation: usize,
    weight: Vec<Vec<Vec<f32>>>,
    bias: Vec<f32>,
}

#[derive(Deserialize)]
struct Net {
    layers: Vec<Layer>,
    #[cfg(test)]
    features: Vec<String>,
    #[cfg(test)]
    example: Example,
}

#[cfg(test)]
#[derive(Deserialize)]
struct Example {
    input: Vec<Vec<f32>>,
    output: Vec<Vec<f32>>,
}

/// The trained weights, or none if the file that was built in is damaged: then no grasp is seen, and
/// a test fails.
fn net() -> Option<&'static Net> {
    static NET: OnceLock<Option<Net>> = OnceLock::new();
    NET.get_or_init(|| serde_json::from_str(include_str!("grasp.json")).ok())
        .as_ref()
}

impl Layer {
    fn reach(&self) -> usize {
        let taps = self
            .weight
            .first()
            .and_then(|w| w.first())
            .map_or(1, Vec::len);
        self.dilation * (taps.max(1) - 1)
    }

    /// `input` [n][channels] to [n - reach][channels].
    fn apply(&self, input: &[Vec<f32>], rectified: bool) -> Vec<Vec<f32>> {
        let steps = input.len().saturating_sub(self.reach());
        (0..steps)
            .map(|t| {
                let sum = |(kernels, bias): (&Vec<Vec<f32>>, &f32)| {
                    let mut total = *bias;
                    for (channel, taps) in kernels.iter().enumerate() {
                        for (k, w) in taps.iter().enumerate() {
                            let step = input.get(t + k * self.dilation);
                            total += w * step.and_then(|s| s.get(channel)).copied().unwrap_or(0.0);
                        }
                    }
                    if rectified { total.max(0.0) } else { total }
                };
                self.weight.iter().zip(&self.bias).map(sum).collect()
            })
            .collect()
    }
}

impl Net {
    /// Probabilities of touching and of holding in the air for each step.
    fn run(&self, features: &[Vec<f32>]) -> Vec<[f32; 2]> {
        let pad = self.layers.iter().map(Layer::reach).sum::<usize>() / 2;
        let (Some(first), Some(last)) = (features.first(), features.last()) else {
            return Vec::new();
        };
        let mut values: Vec<Vec<f32>> = std::iter::repeat_n(first, pad)
            .chain(features)
            .chain(std::iter::repeat_n(last, pad))
            .cloned()
            .collect();
        let count = self.layers.len();
        for (index, layer) in self.layers.iter().enumerate() {
            values = layer.apply(&values, index + 1 < count);
        }
        let sigmoid = |v: f32| 1.0 / (1.0 + (-v).exp());
        let output = |row: &Vec<f32>, i: usize| row.get(i).map_or(0.0, |v| sigmoid(*v));
        values
            .iter()
            .map(|r| [output(r, 0), output(r, 1)])
            .collect()
    }
}

/// The grips of all pieces of a position, as seen in the picture.
pub struct Grips(Vec<(Square, Grip, f64)>);

/// The grip nearest to a hand at one time.
#[derive(Clone, Copy)]
struct Nearest {
    /// Distance of the pinch in the picture, squares.
    distance: f64,
    /// Its height over the board, squares.
    height: f64,
    /// Whether its square moves, looks different, is hidden, 0 or 1; how many squares move, of 16.
    square: [f64; 4],
}

impl Grips {
    /// Of `board` in a view.
    #[must_use]
    pub fn new(view: &BoardView, board: &Board) -> Self {
        let all = board.clone().into_iter();
        Self(
            all.map(|(s, p)| (s, Grip::new(view, s, p.role), grip_height(p.role)))
                .collect(),
        )
    }

    fn nearest(&self, step: &Step) -> Nearest {
        let all = self
            .0
            .iter()
            .map(|(s, g, h)| (Some(*s), g.distance(step.pinch_px), *h));
        let (square, distance, height) =
            all.min_by(|a, b| a.1.total_cmp(&b.1))
                .unwrap_or((None, 9.0, grip_height(Role::Pawn)));
        let Squares {
            moving,
            changed,
            covered,
        } = step.squares;
        let of = |bits: u64| match square {
            Some(s) if bits & (1 << u32::from(s)) != 0 => 1.0,
            _ => 0.0,
        };
        let count = f64::from(moving.count_ones()).min(MOST_MOVING) / MOST_MOVING;
        Nearest {
            distance,
            height,
            square: [of(moving), of(changed), of(covered), count],
        }
    }
}

/// One step of the even grid.
#[derive(Clone, Copy)]
struct Even {
    step: Step,
    near: Nearest,
}

impl Nearest {
    fn mixed(&self, later: &Self, k: f64) -> Self {
        let mix = |p: f64, q: f64| p + k * (q - p);
        Self {
            distance: mix(self.distance, later.distance),
            height: mix(self.height, later.height),
            square: std::array::from_fn(|i| mix(self.square[i], later.square[i])),
        }
    }
}

/// Steps brought to an even grid by linear interpolation.
fn evenly(steps: &[&Step], grips: &Grips) -> Vec<Even> {
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
        return Vec::new();
    };
    let known: Vec<Nearest> = steps.iter().map(|s| grips.nearest(s)).collect();
    let count = ((last.t_ms - first.t_ms) / STEP_MS).ceil().max(0.0) as usize;
    let mut at = 0;
    (0..count)
        .filter_map(|i| {
            let t_ms = first.t_ms + i as f64 * STEP_MS;
            while at + 2 < steps.len() && steps.get(at + 1).is_some_and(|s| s.t_ms <= t_ms) {
                at += 1;
            }
            let (a, b) = (steps.get(at)?, steps.get(at + 1)?);
            let (near_a, near_b) = (known.get(at)?, known.get(at + 1)?);
            let k = ((t_ms - a.t_ms) / (b.t_ms - a.t_ms).max(1e-9)).clamp(0.0, 1.0);
            Some(Even {
                step: a.mixed(b, k, t_ms),
                near: near_a.mixed(near_b, k),
            })
        })
        .collect()
}

/// What the model is given of each step, each about -1 to 1, in the order of `ways.py`.
fn features(steps: &[Even], from_white: bool) -> Vec<Vec<f32>> {
    // Speeds of some squares a second and more are alike.
    let tame = |v: f64| (v / 4.0).tanh();
    let home = if from_white { -1.0 } else { 1.0 };
    (0..steps.len())
        .filter_map(|i| {
            let Even { step: s, near } = steps.get(i)?;
            let before = &steps.get(i.saturating_sub(1))?.step;
            let after = &steps.get(i + 1).or_else(|| steps.get(i))?.step;
            // Central differences over two steps of a thirtieth of a second.
            let rate = |a: f64, b: f64| (b - a) * 15.0;
            let way = |of: &dyn Fn(&Step) -> [f64; 2]| {
                let (a, b) = (of(before), of(after));
                [rate(a[0], b[0]), rate(a[1], b[1])]
            };
            let seen = |of: &dyn Fn(&Step) -> [f64; 2]| way(of).map(|v| v / s.unit_px);
            let length = |[x, y]: [f64; 2]| x.hypot(y);
            let place = way(&|s| s.place);
            let pinch = seen(&|s| s.pinch_px);
            let [moves, changed, hidden, stir] = near.square;
            let row: [f64; FEATURES] = [
                s.height - 1.0,
                2.0 * (s.width - 0.5),
                tame(length(place)),
                tame(rate(before.height, after.height)),
                near.distance.min(2.0) - 1.0,
                (s.height - near.height).clamp(-2.0, 2.0),
                s.presence - 0.5,
                tame(length(pinch)),
                tame(length(seen(&|s| s.wrist_px))),
                tame(length(seen(&|s| s.knuckles_px))),
                tame(pinch[0] * s.up[0] + pinch[1] * s.up[1]),
                moves,
                changed,
                hidden,
                stir,
                tame(home * place[1]),
                home * (4.0 - s.place[1]) / 4.0,
            ];
            Some(row.iter().map(|v| *v as f32).collect())
        })
        .collect()
}

fn stretches(way: &Way, grips: &Grips, since_ms: f64) -> Vec<(Vec<Even>, Vec<[f32; 2]>)> {
    let Some(net) = net() else {
        return Vec::new();
    };
    let steps: Vec<&Step> = way.steps_since(since_ms).collect();
    steps
        .chunk_by(|a, b| b.t_ms - a.t_ms <= GAP_MS)
        .filter(|part| match (part.first(), part.last()) {
            (Some(a), Some(b)) => part.len() >= 4 && b.t_ms - a.t_ms >= SHORTEST_MS,
            _ => false,
        })
        .map(|part| {
            let even = evenly(part, grips);
            let said = net.run(&features(&even, way.from_white >= 0.0));
            (even, said)
        })
        .collect()
}

/// What the contact model says of one hand after `since_ms`: times, milliseconds, and how likely it
/// then touches a piece.
#[must_use]
pub fn touching(way: &Way, grips: &Grips, since_ms: f64) -> Vec<(f64, f64)> {
    let stretches = stretches(way, grips, since_ms).into_iter();
    stretches
        .flat_map(|(steps, said)| steps.into_iter().zip(said))
        .map(|(even, [touches, _])| (even.step.t_ms, f64::from(touches)))
        .collect()
}

/// The grasps of one hand after `since_ms`, by time.
#[must_use]
pub fn grasps(way: &Way, grips: &Grips, since_ms: f64) -> Vec<Grasp> {
    let mut found = Vec::new();
    for (steps, said) in stretches(way, grips, since_ms) {
        let on: Vec<bool> = said.iter().map(|p| p[0] >= BEGINS).collect();
        let (mut from, mut held_to) = (0, None);
        for run in on.chunk_by(|a, b| a == b) {
            let to = from + run.len();
            if run.first() == Some(&true)
                && let Some(mut grasp) = grasp(way, &steps, &said, from, to)
            {
                let least = |idle: &[[f32; 2]]| idle.iter().map(|p| p[0]).fold(1.0, f32::min);
                let idle = held_to.and_then(|h| said.get(h..from));
                grasp.let_go = idle.map(|idle| 1.0 - f64::from(least(idle)));
                found.push(grasp);
                held_to = Some(to);
            }
            from = to;
        }
    }
    found
}

fn grasp(way: &Way, steps: &[Even], said: &[[f32; 2]], from: usize, to: usize) -> Option<Grasp> {
    let (part, probabilities) = (steps.get(from..to)?, said.get(from..to)?);
    let most = probabilities.iter().map(|p| p[0]).fold(0.0, f32::max);
    if most < REACHES {
        return None;
    }
    // A doubtful grasp has its edges where it is half as sure as at its surest.
    let level = (0.5 * most).clamp(BEGINS, 0.5);
    let first = (from..to).find(|i| said.get(*i).is_some_and(|p| p[0] >= level))?;
    let last = (from..to)
        .rev()
        .find(|i| said.get(*i).is_some_and(|p| p[0] >= level))?;
    let time = |i: usize| steps.get(i).map(|s| s.step.t_ms);
    let crossing = |outside: Option<usize>, inside: usize| -> Option<f64> {
        let inside_ms = time(inside)?;
        let Some((outside_ms, p)) = outside.and_then(|o| Some((time(o)?, said.get(o)?[0]))) else {
            return Some(inside_ms);
        };
        let q = said.get(inside)?[0];
        let k = f64::from((level - p) / (q - p).max(1e-6)).clamp(0.0, 1.0);
        Some(outside_ms + k * (inside_ms - outside_ms))
    };
    let touch_ms = crossing(first.checked_sub(1), first)?;
    let release_ms = crossing((last + 1 < steps.len()).then_some(last + 1), last)?;
    let in_air = |i: &usize| said.get(*i).is_some_and(|p| p[1] >= IN_THE_AIR);
    let air_ms = (first..=last)
        .find(in_air)
        .zip((first..=last).rev().find(in_air))
        .and_then(|(a, b)| Some((time(a)?, time(b)? + STEP_MS)));
    let core = steps.get(first..=last)?;
    let mean = |part: &[Even], value: &dyn Fn(&Even) -> [f64; 2]| {
        let n = part.len().max(1) as f64;
        part.iter().fold([0.0, 0.0], |sum, s| {
            let v = value(s);
            [sum[0] + v[0] / n, sum[1] + v[1] / n]
        })
    };
    let begin = core.get(..END_STEPS.min(core.len()))?;
    let end = core.get(core.len() - END_STEPS.min(core.len())..)?;
    let begun = mean(begin, &|s| s.step.place);
    let near = |s: &&Even| {
        let [x, y] = s.step.place;
        (x - begun[0]).hypot(y - begun[1]) < STAYS
    };
    let stay = core.get(..core.iter().take_while(near).count().max(1))?;
    // Without coming and going.
    let rest = stay
        .get(EDGE_STEPS..stay.len().saturating_sub(EDGE_STEPS))
        .filter(|rest| rest.len() >= LEAST_REST_STEPS)
        .unwrap_or_default();
    let moved = |of: fn(&Step) -> [f64; 2]| {
        let along = |axis: usize| extent(rest.iter().map(|s| of(&s.step)[axis] / s.step.unit_px));
        along(0).hypot(along(1))
    };
    let stay_extent = moved(|s| s.pinch_px).min(moved(|s| s.knuckles_px));
    let stayed = said.get(first..first + stay.len())?;
    let stay_probability =
        stayed.iter().map(|p| f64::from(p[0])).sum::<f64>() / stayed.len() as f64;
    let stay_ms = stay.last().map_or(touch_ms, |s| s.step.t_ms);
    (!part.is_empty()).then(|| Grasp {
        hand: way.id,
        side: way.side,
        from_white: way.from_white,
        touch_ms,
        release_ms,
        let_go: None,
        air_ms,
        first_px: mean(begin, &|s| s.step.pinch_px),
        last_px: mean(end, &|s| s.step.pinch_px),
        first: begun,
        last: mean(end, &|s| s.step.place),
        stay_ms: stay_ms.max(touch_ms).min(release_ms.max(touch_ms)),
        stay_probability,
        stay_extent,
    })
}

/// From the lower to the upper tenth of values: single ones that jump do not count.
fn extent(values: impl Iterator<Item = f64>) -> f64 {
    let mut all: Vec<f64> = values.collect();
    all.sort_by(f64::total_cmp);
    let tenth = all.len() / 10;
    let low = all.get(tenth).copied().unwrap_or(0.0);
    let high = all.iter().rev().nth(tenth).copied().unwrap_or(0.0);
    (high - low).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_give_what_they_gave_in_training() {
        let net = net().unwrap();
        assert_eq!(net.features.len(), FEATURES);
        let sigmoid = |v: f32| 1.0 / (1.0 + (-v).exp());
        let got = net.run(&net.example.input);
        assert_eq!(got.len(), net.example.output.len());
        for (got, want) in got.iter().zip(&net.example.output) {
            for (g, w) in got.iter().zip(want) {
                assert!((g - sigmoid(*w)).abs() < 1e-3, "{got:?} {want:?}");
            }
        }
    }
}
