//! Uncertainty over the exact core: what may not have happened, and what came in unknown order, is
//! enumerated; each world is judged exactly, and the breaches are weighed by their worlds.
//!
//! Unknown order is first of all a matter for the Laws, not for a coin: where they say what holds
//! if the order is unclear (own before enemy piece; king and rook together), that is used. Only
//! what is left is enumerated, every order being as likely.

use std::collections::BTreeMap;

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Position, Square};

use super::board::Board;
use super::breach::{BreachCode, BreachStatus};
use super::conditions::RuleSet;
use super::event::{Event, TouchFlag};
use super::ledger::Ledger;

/// How sure it is that something happened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Doubt {
    /// It happened.
    Fact,
    /// It happened with this probability.
    Chance(f64),
}

/// How much is enumerated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// What is surer than this, or less sure than its complement, is not doubted.
    pub certain: f64,
    /// Most worlds that are judged.
    pub worlds: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            certain: 0.97,
            worlds: 4096,
        }
    }
}

/// What was left out, since there were too many worlds.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// Doubtful events that were taken as the likelier of the two, the least doubtful ones.
    pub taken_as_likelier: Vec<usize>,
    /// The probability of the worlds that were judged, of all.
    pub covered: f64,
}

/// Enumerates what may have happened: calls `visit` with whether each thing happened, and the
/// weight of that world; the weights add up to 1. Doubts are independent of each other.
/// Returns what had to be cut.
///
/// ```
/// use adoube::rules::{Doubt, Limits, worlds};
/// let mut seen = Vec::new();
/// let doubts = [Doubt::Fact, Doubt::Chance(0.75), Doubt::Chance(0.999)];
/// let cut = worlds(&doubts, Limits::default(), |there, weight| seen.push((there.to_vec(), weight)));
/// assert_eq!(seen, [(vec![true, false, true], 0.25), (vec![true, true, true], 0.75)]);
/// assert_eq!(cut, None);
/// ```
pub fn worlds(
    doubts: &[Doubt],
    limits: Limits,
    mut visit: impl FnMut(&[bool], f64),
) -> Option<Cut> {
    let chance = |d: &Doubt| match d {
        Doubt::Fact => 1.0,
        Doubt::Chance(p) => *p,
    };
    let doubtful = |p: f64| (1.0 - limits.certain..limits.certain).contains(&p);
    let mut doubted: Vec<(usize, f64)> = doubts
        .iter()
        .map(chance)
        .enumerate()
        .filter(|(_, p)| doubtful(*p))
        .collect();
    doubted.sort_by(|a, b| (a.1 - 0.5).abs().total_cmp(&(b.1 - 0.5).abs()));
    let room = limits.worlds.max(1).ilog2().min(30) as usize;
    let left_out = doubted.split_off(room.min(doubted.len()));
    let mut there: Vec<bool> = doubts.iter().map(|d| chance(d) >= 0.5).collect();
    for world in 0_u64..1 << doubted.len() {
        let mut weight = 1.0;
        for (bit, (index, p)) in doubted.iter().enumerate() {
            let happened = world & (1 << bit) != 0;
            weight *= if happened { *p } else { 1.0 - p };
            if let Some(slot) = there.get_mut(*index) {
                *slot = happened;
            }
        }
        visit(&there, weight);
    }
    (!left_out.is_empty()).then(|| Cut {
        covered: left_out.iter().map(|(_, p)| p.max(1.0 - p)).product(),
        taken_as_likelier: left_out.iter().map(|(i, _)| *i).collect(),
    })
}

/// An event that may not have happened, or whose place in the order is not known.
#[derive(Debug, Clone, PartialEq)]
pub struct UncertainEvent {
    /// What.
    pub event: Event,
    /// That it happened.
    pub doubt: Doubt,
    /// Its place in time: lower ones come first; among equal ones the order is not known.
    pub place: u32,
}

/// A breach with its probability.
#[derive(Debug, Clone, PartialEq)]
pub struct WeighedBreach {
    /// What was broken.
    pub code: BreachCode,
    /// Who broke it.
    pub player: Color,
    /// By which article.
    pub article: &'static str,
    /// The moves that would have fulfilled the obligation, sorted.
    pub obliged: Vec<UciMove>,
    /// Whether it can still be raised.
    pub status: BreachStatus,
    /// The event that created the obligation: its index among those given.
    pub cause: Option<usize>,
    /// The event at which the breach is complete.
    pub at: usize,
    /// How likely it is.
    pub probability: f64,
    /// The doubtful events that it hangs on, the most important one first.
    pub hangs_on: Vec<Hinge>,
}

/// A doubtful event that a breach hangs on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hinge {
    /// Its index among the events given.
    pub event: usize,
    /// How much likelier the breach is if it happened than if it did not; negative if less likely.
    pub difference: f64,
}

/// What uncertain events amount to.
#[derive(Debug, Clone, PartialEq)]
pub struct Weighed {
    /// The probability that the touch rules were broken, and not put right.
    pub probability: f64,
    /// At least, whatever was cut.
    pub low: f64,
    /// At most, whatever was cut.
    pub high: f64,
    /// The doubtful events that this hangs on, the most important one first.
    pub hangs_on: Vec<Hinge>,
    /// Every breach that some world has, the likeliest first.
    pub breaches: Vec<WeighedBreach>,
    /// The worlds judged, those ruled out included.
    pub worlds: usize,
    /// The probability of the worlds ruled out, in which a doubtful event could not have happened.
    pub ruled_out: f64,
    /// What had to be cut, if anything.
    pub cut: Option<Cut>,
}

/// A hinge that makes less difference than this is none.
const LEAST_DIFFERENCE: f64 = 0.01;

/// Most events in unknown order whose orders are all tried.
const MOST_AT_ONCE: usize = 5;

/// What makes two breaches the same one.
type Key = (
    &'static str,
    bool,
    &'static str,
    Option<usize>,
    usize,
    Vec<String>,
);

/// Weighs events: the probability that the touch rules were broken, and what it hangs on. A
/// doubtful event that cannot have happened rules its world out; a sure one is passed over.
///
/// ```
/// use adoube::rules::{Doubt, Edition, Limits, UncertainEvent, weigh};
/// let event = |text: &str, doubt, place| UncertainEvent {
///     event: text.parse().unwrap(),
///     doubt,
///     place,
/// };
/// let events = [
///     event("touch w e2", Doubt::Chance(0.8), 0),
///     event("move w d2d4", Doubt::Fact, 1),
/// ];
/// let weighed = weigh(&shakmaty::Chess::default(), Edition::Fide2023, &events, Limits::default());
/// assert!((weighed.probability - 0.8).abs() < 1e-9);
/// assert_eq!(weighed.hangs_on[0].event, 0);
/// assert_eq!(weighed.breaches[0].article, "4.3.1");
/// ```
pub fn weigh(
    position: &Chess,
    rules: impl Into<RuleSet>,
    events: &[UncertainEvent],
    limits: Limits,
) -> Weighed {
    let mut order: Vec<usize> = (0..events.len()).collect();
    order.sort_by_key(|i| events.get(*i).map(|e| e.place));
    let mut scale = Scale {
        events,
        order,
        limits,
        breaches: BTreeMap::new(),
        any: Tally::new(events.len()),
        total: Tally::new(events.len()),
        worlds: 0,
        ruled_out: 0.0,
        skipped: 0.0,
    };
    let ledger = Ledger::new(position.clone(), rules);
    let doubts: Vec<Doubt> = events.iter().map(|e| e.doubt).collect();
    let cut = worlds(&doubts, limits, |there, weight| {
        let run = Run {
            ledger: ledger.clone(),
            origins: Vec::new(),
            weight,
        };
        scale.from(run, there, 0);
    });
    scale.result(cut)
}

/// The weight of worlds, and of those of them in which each event happened.
#[derive(Debug, Clone)]
struct Tally {
    weight: f64,
    with: Vec<f64>,
}

impl Tally {
    fn new(events: usize) -> Self {
        Self {
            weight: 0.0,
            with: vec![0.0; events],
        }
    }

    fn add(&mut self, there: &[bool], weight: f64) {
        self.weight += weight;
        for (sum, there) in self.with.iter_mut().zip(there) {
            *sum += if *there { weight } else { 0.0 };
        }
    }
}

/// A world as far as it was played.
#[derive(Debug, Clone)]
struct Run {
    ledger: Ledger,
    /// For each event of the ledger, the index of the event given.
    origins: Vec<usize>,
    weight: f64,
}

struct Scale<'a> {
    events: &'a [UncertainEvent],
    order: Vec<usize>,
    limits: Limits,
    breaches: BTreeMap<Key, (WeighedBreach, Tally)>,
    any: Tally,
    total: Tally,
    worlds: usize,
    ruled_out: f64,
    skipped: f64,
}

impl Scale<'_> {
    /// Plays the events from a place in the order on, in every order that they may have had.
    fn from(&mut self, run: Run, there: &[bool], at: usize) {
        let Some(first) = self.order.get(at).and_then(|i| self.events.get(*i)) else {
            self.finish(&run, there);
            return;
        };
        let place = first.place;
        let here = |i: &&usize| self.events.get(**i).is_some_and(|e| e.place == place);
        let all: Vec<usize> = self
            .order
            .iter()
            .skip(at)
            .take_while(here)
            .copied()
            .collect();
        let next = at + all.len();
        let happened = |i: &usize| there.get(*i).copied().unwrap_or(false);
        let all: Vec<usize> = all.into_iter().filter(happened).collect();
        let orders = self.orders(&run.ledger, &all);
        let share = run.weight / orders.len().max(1) as f64;
        for order in &orders {
            if self.worlds >= self.limits.worlds.saturating_mul(2) {
                self.skipped += share;
                continue;
            }
            let mut next_run = run.clone();
            next_run.weight = share;
            if self.play(&mut next_run, order) {
                self.from(next_run, there, next);
            } else {
                self.worlds += 1;
                self.ruled_out += share;
            }
        }
    }

    /// Plays events in an order; whether they can have happened so.
    fn play(&self, run: &mut Run, order: &[(usize, Event)]) -> bool {
        for (index, event) in order {
            run.origins.push(*index);
            let sure = |e: &UncertainEvent| match e.doubt {
                Doubt::Fact => true,
                Doubt::Chance(p) => p >= self.limits.certain,
            };
            let sure = self.events.get(*index).is_some_and(sure);
            if run.ledger.apply(event).is_err() && !sure {
                return false;
            }
        }
        true
    }

    fn finish(&mut self, run: &Run, there: &[bool]) {
        self.worlds += 1;
        self.total.add(there, run.weight);
        let origin = |event: usize| run.origins.get(event).copied().unwrap_or(event);
        let mut any = false;
        let mut seen: Vec<Key> = Vec::new();
        for breach in run.ledger.breaches() {
            if breach.status == BreachStatus::Corrected {
                continue;
            }
            any |= breach.code.touch_rules();
            let key = (
                breach.code.as_str(),
                breach.player.is_white(),
                breach.article,
                breach.cause.map(origin),
                origin(breach.at),
                breach.obliged.iter().map(ToString::to_string).collect(),
            );
            if seen.contains(&key) {
                continue;
            }
            seen.push(key.clone());
            let found = || WeighedBreach {
                code: breach.code,
                player: breach.player,
                article: breach.article,
                obliged: breach.obliged.clone(),
                status: breach.status,
                cause: breach.cause.map(origin),
                at: origin(breach.at),
                probability: 0.0,
                hangs_on: Vec::new(),
            };
            let count = there.len();
            let entry = self.breaches.entry(key);
            let (_, tally) = entry.or_insert_with(|| (found(), Tally::new(count)));
            tally.add(there, run.weight);
        }
        if any {
            self.any.add(there, run.weight);
        }
    }

    /// The orders that events at one place may have had.
    fn orders(&self, ledger: &Ledger, all: &[usize]) -> Vec<Vec<(usize, Event)>> {
        let event = |i: &usize| self.events.get(*i).map(|e| (*i, e.event.clone()));
        let events: Vec<(usize, Event)> = all.iter().filter_map(event).collect();
        if events.len() < 2 {
            return vec![events];
        }
        let player = ledger.player();
        let contact = |(_, e): &(usize, Event)| e.player() == player && square_of(e).is_some();
        if !events.iter().all(contact) {
            return permutations(&events);
        }
        let position = ledger.position();
        let is_own = |e: &Event| {
            let colour = square_of(e).and_then(|s| position.board().color_at(s));
            colour == Some(player)
        };
        let (own, enemy): (Vec<_>, Vec<_>) = events.into_iter().partition(|(_, e)| is_own(e));
        let own = match castling_attempt(position, player, &own) {
            Some(together) => vec![together],
            None => permutations(&own),
        };
        let enemy = permutations(&enemy);
        let both = |o: &Vec<(usize, Event)>| {
            let o = o.clone();
            enemy.iter().map(move |e| {
                let mut all = o.clone();
                all.extend(e.iter().cloned());
                all
            })
        };
        own.iter().flat_map(both).collect()
    }

    fn hinges(&self, tally: &Tally) -> Vec<Hinge> {
        let all = self.total.weight;
        let share = |part: f64, of: f64| if of > 0.0 { part / of } else { 0.0 };
        let mut hinges: Vec<Hinge> = tally
            .with
            .iter()
            .zip(&self.total.with)
            .enumerate()
            .filter(|(_, (_, there))| **there > 0.0 && **there < all)
            .map(|(event, (with, there))| Hinge {
                event,
                difference: share(*with, *there) - share(tally.weight - with, all - there),
            })
            .filter(|h| h.difference.abs() >= LEAST_DIFFERENCE)
            .collect();
        hinges.sort_by(|a, b| b.difference.abs().total_cmp(&a.difference.abs()));
        hinges
    }

    fn result(self, cut: Option<Cut>) -> Weighed {
        let judged = self.total.weight;
        let share = |weight: f64| {
            if judged > 0.0 {
                (weight / judged).clamp(0.0, 1.0)
            } else {
                0.0
            }
        };
        let mut breaches: Vec<WeighedBreach> = self
            .breaches
            .values()
            .map(|(breach, tally)| WeighedBreach {
                probability: share(tally.weight),
                hangs_on: self.hinges(tally),
                ..breach.clone()
            })
            .collect();
        breaches.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        let cut = if self.skipped > 0.0 {
            let cut = cut.unwrap_or(Cut {
                taken_as_likelier: Vec::new(),
                covered: 1.0,
            });
            let covered = (cut.covered * (1.0 - self.skipped)).clamp(0.0, 1.0);
            Some(Cut { covered, ..cut })
        } else {
            cut
        };
        let covered = cut.as_ref().map_or(1.0, |c| c.covered);
        let probability = share(self.any.weight);
        Weighed {
            probability,
            low: probability * covered,
            high: (1.0 - covered).mul_add(1.0 - probability, probability),
            hangs_on: self.hinges(&self.any),
            breaches,
            worlds: self.worlds,
            ruled_out: self.ruled_out,
            cut,
        }
    }
}

/// The one square that a contact is with.
fn square_of(event: &Event) -> Option<Square> {
    match event {
        Event::Touch { squares, .. } => match squares.as_slice() {
            [one] => Some(*one),
            _ => None,
        },
        Event::Lift { square, .. } | Event::Remove { square, .. } => Some(*square),
        _ => None,
    }
}

/// King and castling rook in unknown order: the Laws take them as touched together.
fn castling_attempt(
    position: &Chess,
    player: Color,
    own: &[(usize, Event)],
) -> Option<Vec<(usize, Event)>> {
    let board = Board::new(position.clone(), player);
    let king = board.castling_king()?;
    let pieces: Vec<Square> = own.iter().filter_map(|(_, e)| square_of(e)).collect();
    let [a, b] = pieces.as_slice() else {
        return None;
    };
    let rook = if *a == king { *b } else { *a };
    let sides = [
        shakmaty::CastlingSide::KingSide,
        shakmaty::CastlingSide::QueenSide,
    ];
    let castles = sides
        .into_iter()
        .any(|side| board.castling_rook(side) == Some(rook));
    let counts = |(_, e): &(usize, Event)| !matches!(e, Event::Touch { flag, .. } if *flag == TouchFlag::Accidental);
    if !(pieces.contains(&king) && castles && own.iter().all(counts)) {
        return None;
    }
    let first = own.first()?.0;
    let together = Event::Touch {
        player,
        squares: pieces,
        flag: TouchFlag::Deliberate,
    };
    let mut all = vec![(first, together)];
    let lifts = own.iter().filter(|(_, e)| matches!(e, Event::Lift { .. }));
    all.extend(lifts.cloned());
    Some(all)
}

/// All orders; of very many events only the order given.
fn permutations(events: &[(usize, Event)]) -> Vec<Vec<(usize, Event)>> {
    if events.len() > MOST_AT_ONCE || events.len() < 2 {
        return vec![events.to_vec()];
    }
    let mut all = Vec::new();
    for (i, first) in events.iter().enumerate() {
        let mut rest = events.to_vec();
        rest.remove(i);
        for mut order in permutations(&rest) {
            order.insert(0, first.clone());
            all.push(order);
        }
    }
    all
}

#[cfg(test)]
mod tests;
