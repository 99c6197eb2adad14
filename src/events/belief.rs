//! What is believed to stand on each square, from readings in time, and when each was last seen,
//! hidden or in motion.

use std::collections::VecDeque;

use super::observation::{CONTENTS, Observation, content_index};

/// Probability of being hidden from which on a reading says nothing of the content.
const HIDDEN: f32 = 0.4;
/// Log probabilities are not believed below this: networks are too sure of themselves.
const FLOOR: f32 = -6.0;
/// A pause in a square's motion longer than this separates two episodes, milliseconds.
const QUIET_MS: f64 = 350.0;

/// Earlier episodes of a square's motion that are remembered.
const EPISODES: usize = 6;

/// Weight of a piece's colour beside its being there: light and exposure change colours sooner
/// than they make pieces appear.
const COLOUR_WEIGHT: f32 = 0.8;
/// Weight of the kind of piece: identity travels with a piece, so that what is to be seen is where
/// white and black men stand; the kind decides where that leaves a choice.
const KIND_WEIGHT: f32 = 0.15;

/// Log probabilities with colour and kind discounted, bounded below.
pub(super) fn tempered(log_p: &[f32; CONTENTS]) -> [f32; CONTENTS] {
    let sum = |from: usize, to: usize| {
        log_p[from..to]
            .iter()
            .map(|v| v.exp())
            .sum::<f32>()
            .max(1e-9)
            .ln()
    };
    let (occupied, white, black) = (sum(1, CONTENTS), sum(1, 7), sum(7, CONTENTS));
    let mut out = *log_p;
    for (index, value) in out.iter_mut().enumerate().skip(1) {
        let colour = if index < 7 { white } else { black };
        let (given_piece, given_colour) =
            ((colour - occupied).max(FLOOR), (*value - colour).max(FLOOR));
        *value = occupied + COLOUR_WEIGHT * given_piece + KIND_WEIGHT * given_colour;
    }
    out.map(|v| v.max(FLOOR))
}

fn best_of(log_p: &[f32; CONTENTS]) -> usize {
    (0..CONTENTS)
        .max_by(|a, b| log_p[*a].total_cmp(&log_p[*b]))
        .unwrap_or(0)
}

/// A shadow, a neighbour or a nudge alters a look, though the same piece stands there: cost, nats.
const SAME_BUT_ALTERED: f32 = 0.7;
/// When more squares than this are altered at once, the light is: what was learnt no longer holds.
const MOST_ALTERED: u32 = 14;
/// Another piece almost never looks the same: cost, nats.
const OTHER_BUT_UNALTERED: f32 = 2.5;

/// One square's belief.
#[derive(Debug, Clone, PartialEq)]
pub struct SquareBelief {
    /// Log probability of each content, bounded below.
    pub log_p: [f32; CONTENTS],
    /// The latest look at it was blocked.
    pub hidden: bool,
    /// A hand or an arm is over it now.
    pub covered: bool,
    /// Time of the latest look that was not blocked, milliseconds.
    pub read_ms: f64,
    /// Looks in a row that agree on the likeliest content.
    pub looks: u32,
    /// Begin of the latest episode of motion, milliseconds.
    pub stirred_ms: f64,
    /// Latest motion, milliseconds.
    pub moved_ms: f64,
    /// Sight of it was regained then and it was not read since, milliseconds.
    regained_ms: f64,
    /// Begin and end of earlier episodes of motion, the latest last, milliseconds.
    pub episodes: VecDeque<(f64, f64)>,
    /// Looks different from its latest reading.
    pub changed: bool,
    /// What stood there when its look was last learnt.
    pub learnt: Option<usize>,
    /// Does not look as it did then.
    pub altered: bool,
}

impl SquareBelief {
    fn unknown() -> Self {
        Self {
            log_p: [-(CONTENTS as f32).ln(); CONTENTS],
            hidden: false,
            covered: false,
            read_ms: f64::NEG_INFINITY,
            looks: 0,
            stirred_ms: f64::NEG_INFINITY,
            moved_ms: f64::NEG_INFINITY,
            regained_ms: f64::NEG_INFINITY,
            episodes: VecDeque::new(),
            changed: false,
            learnt: None,
            altered: false,
        }
    }

    /// The likeliest content.
    #[must_use]
    pub fn best(&self) -> usize {
        best_of(&self.log_p)
    }

    /// How much likelier the best content is than `content`, in nats.
    #[must_use]
    pub fn surprise(&self, content: usize) -> f32 {
        self.log_p[self.best()] - self.log_p.get(content).copied().unwrap_or(FLOOR)
    }

    /// How likely a look of this kind is if `content` stands there, beside the likeliest content:
    /// for the choice among kinds of one colour, which is discounted otherwise.
    #[must_use]
    pub fn kind_odds(&self, content: usize) -> f64 {
        f64::from(-self.surprise(content) / KIND_WEIGHT).exp()
    }

    /// Cost of `content` standing there, nats: for the reading, and for looking as learnt although
    /// something else stands there, or not so although the same does.
    #[must_use]
    pub fn cost(&self, content: usize) -> f32 {
        let look = match self.learnt {
            Some(learnt) if learnt == content && self.altered => SAME_BUT_ALTERED,
            Some(learnt) if learnt != content && !self.altered => OTHER_BUT_UNALTERED,
            _ => 0.0,
        };
        look - self.log_p.get(content).copied().unwrap_or(FLOOR)
    }

    /// In plain view and at rest.
    #[must_use]
    pub fn in_view(&self) -> bool {
        !self.hidden && !self.covered && !self.changed && self.looks > 0
    }
}

/// Beliefs of all squares, a1 first.
#[derive(Debug, Clone, PartialEq)]
pub struct Beliefs(Vec<SquareBelief>);

impl Default for Beliefs {
    fn default() -> Self {
        Self((0..64).map(|_| SquareBelief::unknown()).collect())
    }
}

impl Beliefs {
    /// The belief of a square.
    #[must_use]
    pub fn of(&self, square: shakmaty::Square) -> &SquareBelief {
        // There are always 64.
        &self.0[square as usize]
    }

    /// All squares with their beliefs.
    pub fn all(&self) -> impl Iterator<Item = (shakmaty::Square, &SquareBelief)> {
        shakmaty::Square::ALL.into_iter().zip(&self.0)
    }

    /// The looks of some squares have been learnt, with what stands there on `board`.
    pub fn learnt(&mut self, squares: u64, board: &shakmaty::Board) {
        for (square, belief) in shakmaty::Square::ALL.into_iter().zip(&mut self.0) {
            if squares & (1 << square as u32) != 0 {
                belief.learnt = Some(content_index(board.piece_at(square)));
                belief.altered = false;
            }
        }
    }

    /// The board is seen again after a while without: what reads otherwise than before has changed
    /// in it.
    pub fn sight_regained(&mut self, now_ms: f64) {
        self.0.iter_mut().for_each(|b| b.regained_ms = now_ms);
    }

    /// Takes in one frame; tells whether a square has changed while it could not be seen.
    pub fn update(&mut self, seen: &Observation) -> bool {
        let mut unseen = false;
        let relit = seen.altered.count_ones() > MOST_ALTERED;
        for (index, belief) in self.0.iter_mut().enumerate() {
            let bit = 1_u64 << index;
            if relit {
                belief.learnt = None;
            }
            belief.changed = seen.changed & bit != 0;
            belief.covered = seen.covered & bit != 0;
            if seen.moving & bit == 0 {
                belief.altered = seen.altered & bit != 0;
            } else {
                if seen.t_ms - belief.moved_ms > QUIET_MS {
                    belief
                        .episodes
                        .push_back((belief.stirred_ms, belief.moved_ms));
                    if belief.episodes.len() > EPISODES {
                        belief.episodes.pop_front();
                    }
                    belief.stirred_ms = seen.t_ms;
                }
                belief.moved_ms = seen.t_ms;
            }
        }
        for reading in &seen.squares {
            let Some(belief) = self.0.get_mut(usize::from(reading.square)) else {
                continue;
            };
            belief.changed = false;
            belief.hidden = reading.hidden > HIDDEN;
            if belief.hidden {
                continue;
            }
            let fresh = tempered(&reading.log_p);
            let before = belief.best();
            let regained_ms = std::mem::replace(&mut belief.regained_ms, f64::NEG_INFINITY);
            if regained_ms > belief.moved_ms && best_of(&fresh) != before {
                belief.episodes.clear();
                (belief.stirred_ms, belief.moved_ms) = (seen.t_ms, seen.t_ms);
                unseen = true;
            }
            let moved_since = belief.moved_ms > belief.read_ms;
            if belief.looks == 0 || moved_since {
                belief.log_p = fresh;
                belief.looks = 1;
            } else {
                for (old, new) in belief.log_p.iter_mut().zip(fresh) {
                    *old = 0.5 * (*old + new);
                }
                belief.looks = if belief.best() == before {
                    belief.looks + 1
                } else {
                    1
                };
            }
            belief.read_ms = seen.t_ms;
        }
        unseen
    }
}
