//! Presses of the clock: a hand's finger comes within the marked place, stays or turns back there,
//! and leaves. Which move a press completes is told once the moves are known.

use shakmaty::Color;

use super::{contacts::Draft, hands::Ways, observation::Observation};
use crate::{
    calibration::{
        clock::{ClockPlace, encloses},
        view::BoardView,
    },
    record::HandSide,
};

/// A hand that is not seen at the clock for so long has left it, milliseconds.
const GONE_MS: f64 = 250.0;
/// A hand at the clock for longer rests there, milliseconds.
const REST_MS: f64 = 1500.0;
/// A finger slower than this presses, squares a second.
const SLOW: f64 = 2.4;
/// P(press) of a hand that neither stays nor turns back: most likely it only passes over ...
const PASSES: f64 = 0.25;
/// ... that rests there ...
const RESTS: f64 = 0.6;
/// ... that stays or turns back, and that does both. Chosen, not measured: no labelled presses were
/// to be had.
const ONE_SIGN: f64 = 0.8;
/// See [`ONE_SIGN`].
const BOTH_SIGNS: f64 = 0.92;
/// Below this a press completes no move.
const LEAST: f64 = 0.5;
/// A player's press is worth so much in odds when that player has a move to complete ...
const AWAITED: f64 = 2.0;
/// ... and when not.
const UNAWAITED: f64 = 0.3;
/// A move's release may be found so much too late, milliseconds.
const EARLY_MS: f64 = 300.0;
/// From which side a hand comes is not known within this of the middle.
const NO_SIDE: f64 = 0.15;
/// How often a player presses with the other hand than the one that moved: rarely; and how often
/// the hand networks tell left from right: in 62 of 77 contacts of the training clips.
const OTHER_HAND: f64 = 0.05;
/// See [`OTHER_HAND`].
const SIDE_RIGHT: f64 = 0.8;
/// P(other hand) when the hand that moved is in view elsewhere, and when it is followed all the way.
const SEEN_ELSEWHERE: f64 = 0.9;
/// See [`SEEN_ELSEWHERE`].
const FOLLOWED: f64 = 0.02;

/// One press of the clock.
#[derive(Debug, Clone, PartialEq)]
pub struct Press {
    /// When the finger was slowest, milliseconds.
    pub ms: f64,
    /// The hand's number.
    pub hand: u32,
    /// Left or right, as the network has it.
    pub side: HandSide,
    /// From White's side (positive) or Black's.
    pub from_white: f64,
    /// Numbers of the other hands in view then.
    pub others: Vec<u32>,
    /// P(this was a press), by the hand's way alone.
    pub probability: f64,
}

/// A hand at the clock.
#[derive(Debug, Clone)]
struct Stay {
    hand: u32,
    side: HandSide,
    from_white: f64,
    /// Times and places of its fingers, one step before it came included.
    way: Vec<(f64, [f64; 2])>,
    presence: f64,
    from_ms: f64,
    last_ms: f64,
    others: Vec<u32>,
}

/// Watches the clock's place.
#[derive(Debug, Clone)]
pub struct ClockWatch {
    /// The outline in the board's plane, squares: it follows a camera that was moved.
    outline: Vec<[f64; 2]>,
    stays: Vec<Stay>,
    /// Where each hand in view was in the frame before.
    before: Vec<(u32, f64, [f64; 2])>,
    presses: Vec<Press>,
}

impl ClockWatch {
    /// For a place marked in the first frame.
    #[must_use]
    pub fn new(place: &ClockPlace, view: &BoardView) -> Self {
        let outline = place.outline_px().iter().map(|p| view.board_point(*p));
        Self {
            outline: outline.collect(),
            stays: Vec::new(),
            before: Vec::new(),
            presses: Vec::new(),
        }
    }

    /// Takes in one frame, after `ways` have.
    pub fn update(&mut self, seen: &Observation, view: &BoardView, ways: &Ways) {
        let outline: Vec<[f64; 2]> = self
            .outline
            .iter()
            .map(|[x, y]| view.project([*x, *y, 0.0]))
            .collect();
        let square_px = view.square_px([4.0, 4.0]).max(1.0);
        let mut now = Vec::new();
        let mut left = Vec::new();
        for hand in &seen.hands {
            let pinch = hand.pinch_px.map(f64::from);
            let fingers = hand.tips_px.map(|p| p.map(f64::from));
            let inside = fingers
                .iter()
                .chain([&pinch])
                .any(|p| encloses(&outline, *p));
            now.push((hand.id, seen.t_ms, pinch));
            let at = self.stays.iter().position(|s| s.hand == hand.id);
            match (at, inside) {
                (Some(at), _) => {
                    if let Some(stay) = self.stays.get_mut(at) {
                        stay.way.push((seen.t_ms, pinch));
                        stay.presence = stay.presence.min(f64::from(hand.presence));
                        if inside {
                            stay.last_ms = seen.t_ms;
                        } else {
                            left.push(hand.id);
                        }
                    }
                }
                (None, true) => {
                    let before = self.before.iter().find(|b| b.0 == hand.id);
                    let mut way: Vec<(f64, [f64; 2])> = Vec::new();
                    way.extend(before.map(|b| (b.1, b.2)));
                    way.push((seen.t_ms, pinch));
                    let others = seen.hands.iter().map(|h| h.id).filter(|id| *id != hand.id);
                    self.stays.push(Stay {
                        hand: hand.id,
                        side: hand.side,
                        from_white: f64::from(hand.from_white),
                        way,
                        presence: f64::from(hand.presence),
                        from_ms: seen.t_ms,
                        last_ms: seen.t_ms,
                        others: others.collect(),
                    });
                }
                (None, false) => {}
            }
        }
        self.before = now;
        let over = |s: &Stay| {
            left.contains(&s.hand)
                || seen.t_ms - s.last_ms > GONE_MS
                || s.last_ms - s.from_ms > REST_MS
        };
        let (ended, going): (Vec<Stay>, Vec<Stay>) =
            std::mem::take(&mut self.stays).into_iter().partition(over);
        self.stays = going;
        for mut stay in ended {
            if let Some(way) = ways.all().iter().find(|w| w.id == stay.hand) {
                (stay.from_white, stay.side) = (way.from_white, way.side);
            }
            // A hand that rests has been counted once; it must leave before it can press again.
            let resting = !left.contains(&stay.hand) && seen.t_ms - stay.last_ms <= GONE_MS;
            let counted = self.presses.last().is_some_and(|p| {
                p.hand == stay.hand && stay.from_ms - p.ms < REST_MS + GONE_MS && resting
            });
            if !counted {
                self.presses.extend(stay.press(square_px));
            }
        }
    }

    /// The presses, by time; a hand that is at the clock in the last frame counts.
    #[must_use]
    pub fn finish(mut self, view: &BoardView) -> Vec<Press> {
        let square_px = view.square_px([4.0, 4.0]).max(1.0);
        let open = std::mem::take(&mut self.stays);
        let last = open.iter().filter_map(|s| s.press(square_px));
        self.presses.extend(last);
        self.presses.sort_by(|a, b| a.ms.total_cmp(&b.ms));
        self.presses
    }
}

impl Stay {
    fn press(&self, square_px: f64) -> Option<Press> {
        let steps: Vec<(f64, [f64; 2])> = self
            .way
            .windows(2)
            .filter_map(|w| {
                let [(t, p), (u, q)] = w else { return None };
                let seconds = ((u - t) / 1000.0).max(1e-3);
                Some((*u, [0, 1].map(|i| (q[i] - p[i]) / square_px / seconds)))
            })
            .collect();
        let speed = |v: &[f64; 2]| v[0].hypot(v[1]);
        let slowest = steps
            .iter()
            .min_by(|a, b| speed(&a.1).total_cmp(&speed(&b.1)));
        let stays = slowest.is_some_and(|s| speed(&s.1) < SLOW);
        let turns = match (steps.first(), steps.last()) {
            (Some((_, a)), Some((_, b))) => a[0] * b[0] + a[1] * b[1] < 0.0,
            _ => false,
        };
        let by_way = match (stays, turns) {
            _ if self.last_ms - self.from_ms > REST_MS => RESTS,
            (true, true) => BOTH_SIGNS,
            (false, false) => PASSES,
            _ => ONE_SIGN,
        };
        Some(Press {
            ms: slowest
                .map_or(self.from_ms, |s| s.0)
                .clamp(self.from_ms, self.last_ms),
            hand: self.hand,
            side: self.side,
            from_white: self.from_white,
            others: self.others.clone(),
            probability: by_way * self.presence.clamp(0.0, 1.0),
        })
    }
}

/// A move that waits for its press.
pub(super) struct Made<'a> {
    /// Who made it.
    pub player: Color,
    /// When, milliseconds.
    pub made_ms: f64,
    /// Its contacts.
    pub contacts: &'a [Draft],
}

/// A press with what it is to the game.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pressed {
    pub press: Press,
    pub player: Color,
    /// P(this was a press), knowing whether it was awaited.
    pub probability: f64,
    /// Index of the move that it completes.
    pub completes: Option<usize>,
    /// P(it was pressed with the other hand than the one that moved).
    pub other_hand: f64,
}

/// Tells for each press whose it is and which of `moves` it completes: its player's last one
/// before it, if that was not completed before and not answered by a move.
pub(super) fn assign(presses: Vec<Press>, moves: &[Made<'_>]) -> Vec<Pressed> {
    let mut completed = vec![false; moves.len()];
    let mut all = Vec::new();
    for press in presses {
        let last = moves.iter().rposition(|m| m.made_ms <= press.ms + EARLY_MS);
        let mover = last.and_then(|i| moves.get(i)).map(|m| m.player);
        let player = if press.from_white.abs() < NO_SIDE {
            mover.unwrap_or(Color::White)
        } else {
            Color::from_white(press.from_white > 0.0)
        };
        let open = last.filter(|i| mover == Some(player) && completed.get(*i) == Some(&false));
        let odds = if open.is_some() { AWAITED } else { UNAWAITED };
        let p = press.probability.clamp(0.001, 0.999);
        let probability = odds * p / (odds * p + 1.0 - p);
        let completes = open.filter(|_| probability >= LEAST);
        if let Some(slot) = completes.and_then(|i| completed.get_mut(i)) {
            *slot = true;
        }
        let made = completes.and_then(|i| moves.get(i));
        all.push(Pressed {
            other_hand: made.map_or(0.0, |m| other_hand(&press, m)),
            press,
            player,
            probability,
            completes,
        });
    }
    all
}

/// P(the clock was pressed with another hand than the one that made the move).
fn other_hand(press: &Press, made: &Made<'_>) -> f64 {
    let moving = made
        .contacts
        .iter()
        .filter(|c| c.player == made.player && c.lift_ms.is_some() && c.hand.is_some());
    let Some(moved) = moving.max_by(|a, b| a.release_ms.total_cmp(&b.release_ms)) else {
        return 0.0;
    };
    let (Some(hand), Some(side)) = (moved.hand, moved.side) else {
        return 0.0;
    };
    if hand == press.hand {
        return FOLLOWED;
    }
    if press.others.contains(&hand) {
        return SEEN_ELSEWHERE;
    }
    // A hand lost from sight may have come back under another number: left and right are all that
    // tells, and they are often wrong.
    let agree = SIDE_RIGHT * SIDE_RIGHT + (1.0 - SIDE_RIGHT) * (1.0 - SIDE_RIGHT);
    let (if_other, if_same) = if side == press.side {
        (1.0 - agree, agree)
    } else {
        (agree, 1.0 - agree)
    };
    OTHER_HAND * if_other / (OTHER_HAND * if_other + (1.0 - OTHER_HAND) * if_same)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(ms: f64, from_white: f64, probability: f64) -> Press {
        Press {
            ms,
            hand: 1,
            side: HandSide::Right,
            from_white,
            others: Vec::new(),
            probability,
        }
    }

    fn made(player: Color, made_ms: f64) -> Made<'static> {
        Made {
            player,
            made_ms,
            contacts: &[],
        }
    }

    #[test]
    fn a_press_completes_its_players_last_move_and_only_once() {
        let moves = [made(Color::White, 1000.0), made(Color::Black, 3000.0)];
        let presses = vec![
            press(1500.0, 0.8, 0.8),
            press(1700.0, 0.8, 0.8),
            press(1800.0, -0.8, 0.8),
            press(3400.0, -0.8, 0.8),
        ];
        let got: Vec<(Color, Option<usize>)> = assign(presses, &moves)
            .iter()
            .map(|p| (p.player, p.completes))
            .collect();
        let (white, black) = (Color::White, Color::Black);
        assert_eq!(
            got,
            [
                (white, Some(0)),
                (white, None),
                (black, None),
                (black, Some(1))
            ]
        );
    }

    #[test]
    fn a_press_that_nothing_called_for_is_less_likely() {
        let moves = [made(Color::White, 1000.0)];
        let of = |from_white| assign(vec![press(1500.0, from_white, 0.8)], &moves)[0].probability;
        assert!(of(0.8) > 0.85, "{}", of(0.8));
        assert!(of(-0.8) < 0.6, "{}", of(-0.8));
    }

    #[test]
    fn a_hand_whose_side_is_not_seen_is_the_movers() {
        let moves = [made(Color::Black, 1000.0)];
        let got = assign(vec![press(1500.0, 0.05, 0.8)], &moves);
        assert_eq!((got[0].player, got[0].completes), (Color::Black, Some(0)));
    }
}
