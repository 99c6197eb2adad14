//! Follows a game through looks at the board that lie far apart: several lines of legal moves are
//! kept, and what is seen later decides between them, so that an early misreading is not for ever.

use std::collections::HashMap;

use shakmaty::{Board, Chess, Color, Move, Piece, Position, Square};

use super::{
    belief::tempered,
    observation::{CONTENTS, SquareReading, content_index},
    reading::{move_cost, uci},
};

/// Lines kept from one look to the next.
const LINES: usize = 60;
/// Most moves between two looks.
const MOST_MOVES: usize = 4;
/// Of a line's continuations so many are continued themselves.
const CONTINUED: usize = 8;
/// Probability of being hidden from which on a reading says nothing.
const HIDDEN: f32 = 0.5;
/// Lines that cost at most this much more than the best are not ruled out, nats.
const DOUBT: f32 = 5.0;
/// A line that has cost less than this in a look has nothing left to explain, nats.
const EXPLAINED: f32 = 2.0;
/// What one square can cost a line while its content does not change, nats: a network that takes
/// a piece for another once does so again in every look.
const MOST_OWED: f32 = 8.0;

/// A look: what each content of each square would cost, nats; nothing where nothing is seen.
struct Look(Vec<[f32; CONTENTS]>);

impl Look {
    fn new(readings: &[SquareReading]) -> Self {
        let mut costs = vec![[0.0; CONTENTS]; 64];
        for reading in readings.iter().filter(|r| r.hidden <= HIDDEN) {
            if let Some(row) = costs.get_mut(usize::from(reading.square)) {
                let log_p = tempered(&reading.log_p);
                let best = log_p.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                *row = log_p.map(|v| best - v);
            }
        }
        Self(costs)
    }

    fn cost(&self, square: Square, board: &Board) -> f32 {
        self.0[square as usize][content_index(board.piece_at(square))]
    }
}

/// One line of moves.
#[derive(Clone)]
struct Line {
    position: Chess,
    /// Last entry in the tracker's tree of moves.
    last: Option<usize>,
    /// Moves made since, by the look being taken in.
    fresh: Vec<Move>,
    /// Nats against it.
    cost: f32,
    /// Of these, what each square has cost since its content changed.
    owed: [f32; 64],
}

/// A move in the tree of all lines.
struct Node {
    before: Option<usize>,
    played: Move,
    /// Number of the look by which it was made.
    look: usize,
}

/// Follows a game through single looks.
pub struct GameTracker {
    start: Chess,
    lines: Vec<Line>,
    tree: Vec<Node>,
    looks: usize,
}

/// The likeliest game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Followed {
    /// Its moves.
    pub moves: Vec<Move>,
    /// Number of moves made by each look.
    pub plies: Vec<usize>,
}

impl GameTracker {
    /// Starts in a known position.
    #[must_use]
    pub fn new(start: Chess) -> Self {
        let line = Line {
            position: start.clone(),
            last: None,
            fresh: Vec::new(),
            cost: 0.0,
            owed: [0.0; 64],
        };
        Self {
            start,
            lines: vec![line],
            tree: Vec::new(),
            looks: 0,
        }
    }

    /// Takes in the next look: up to 64 readings, in any order; squares that are not among them
    /// are not seen.
    pub fn show(&mut self, readings: &[SquareReading]) {
        let look = Look::new(readings);
        let mut found: HashMap<(Board, Color), Line> = HashMap::new();
        for line in std::mem::take(&mut self.lines) {
            for next in continuations(&line, &look) {
                let key = (next.position.board().clone(), next.position.turn());
                match found.get(&key) {
                    Some(known) if !next.beats(known) => {}
                    _ => {
                        found.insert(key, next);
                    }
                }
            }
        }
        let mut lines: Vec<Line> = found.into_values().collect();
        lines.sort_by(Line::compare);
        lines.truncate(LINES);
        for line in &mut lines {
            for played in std::mem::take(&mut line.fresh) {
                self.tree.push(Node {
                    before: line.last,
                    played,
                    look: self.looks,
                });
                line.last = Some(self.tree.len() - 1);
            }
        }
        self.lines = lines;
        self.looks += 1;
    }

    /// The likeliest game so far.
    #[must_use]
    pub fn followed(&self) -> Followed {
        let mut nodes: Vec<&Node> = Vec::new();
        let mut at = self.lines.first().and_then(|l| l.last);
        while let Some(node) = at.and_then(|i| self.tree.get(i)) {
            nodes.push(node);
            at = node.before;
        }
        nodes.reverse();
        Followed {
            moves: nodes.iter().map(|n| n.played).collect(),
            plies: (0..self.looks)
                .map(|look| nodes.iter().filter(|n| n.look <= look).count())
                .collect(),
        }
    }

    /// The squares on which all lines agree that are nearly as likely as the best, with what
    /// stands there.
    #[must_use]
    pub fn agreed(&self) -> Vec<(Square, Option<Piece>)> {
        let Some(best) = self.lines.first() else {
            return Vec::new();
        };
        let rivals = || self.lines.iter().filter(|l| l.cost < best.cost + DOUBT);
        let board = best.position.board();
        Square::ALL
            .into_iter()
            .map(|s| (s, board.piece_at(s)))
            .filter(|(s, piece)| rivals().all(|l| l.position.board().piece_at(*s) == *piece))
            .collect()
    }

    /// The position that the likeliest game leads to.
    #[must_use]
    pub fn position(&self) -> &Chess {
        self.lines.first().map_or(&self.start, |l| &l.position)
    }
}

impl Line {
    /// Cheaper first; ties by what was played, so that the same looks always give the same game.
    fn compare(&self, other: &Self) -> std::cmp::Ordering {
        let written = |l: &Self| l.fresh.iter().map(uci).collect::<Vec<_>>();
        self.cost
            .total_cmp(&other.cost)
            .then(self.last.cmp(&other.last))
            .then_with(|| written(self).cmp(&written(other)))
    }

    fn beats(&self, other: &Self) -> bool {
        self.compare(other).is_lt()
    }

    fn play(&self, m: Move) -> Self {
        let mut next = self.clone();
        next.position.play_unchecked(m);
        next.fresh.push(m);
        next.cost += move_cost(&m);
        next
    }
}

/// The line itself and what it may have gone on to, each charged for this look.
fn continuations(line: &Line, look: &Look) -> Vec<Line> {
    let charged = |next: &Line| charged(line, look, next.position.board());
    let mut all = vec![line.clone()];
    let mut heads = all.clone();
    for _ in 0..MOST_MOVES {
        let mut next: Vec<(f32, Line)> = heads
            .iter()
            .flat_map(|head| {
                let moves = head.position.legal_moves();
                moves.into_iter().map(|m| head.play(m))
            })
            .map(|l| (l.cost + charged(&l).0, l))
            .collect();
        next.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.compare(&b.1)));
        next.truncate(LINES);
        all.extend(next.iter().map(|n| n.1.clone()));
        // Deeper only while something seen is left unexplained.
        let explained = next.first().is_none_or(|n| n.0 - n.1.cost < EXPLAINED);
        if explained {
            break;
        }
        heads = next.into_iter().take(CONTINUED).map(|n| n.1).collect();
    }
    for next in &mut all {
        let (seen, owed) = charged(next);
        next.cost += seen;
        next.owed = owed;
    }
    all
}

/// What a look costs a continuation of `line`, and what its squares have cost then.
fn charged(line: &Line, look: &Look, board: &Board) -> (f32, [f32; 64]) {
    let old = line.position.board();
    let mut owed = line.owed;
    let mut total = 0.0;
    for (square, owed) in Square::ALL.into_iter().zip(&mut owed) {
        if old.piece_at(square) != board.piece_at(square) {
            *owed = 0.0;
        }
        let paid = look.cost(square, board).min(MOST_OWED - *owed);
        total += paid;
        *owed += paid;
    }
    (total, owed)
}
