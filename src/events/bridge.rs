//! Over a gap: when more was played unseen than is searched move by move, the shortest legal
//! sequences that lead from the position that stood to the whole board as it is seen now.

use std::collections::HashMap;

use shakmaty::{Board, Chess, Color, Move, Position, Square};

use super::{
    belief::Beliefs,
    observation::{CONTENTS, content_index},
    reading::mismatches,
};

/// Most moves of both players together.
const MOST_MOVES: usize = 8;
/// Positions that are gone on from after each move: those that fit best what is seen.
const BEAM: usize = 400;
/// Squares that must be in view: through a few holes much could be explained.
const LEAST_IN_VIEW: usize = 60;
/// Sequences that are counted.
const MOST_SEQUENCES: usize = 2000;

/// Less likely than this beside what is read, a kind of piece does not stand there.
const LEAST_KIND_ODDS: f64 = 0.05;

/// Whether on all squares that changed from one board to another the kinds of pieces are as read:
/// a queen in the place of a pawn explains nothing.
pub(super) fn kinds_fit(beliefs: &Beliefs, before: &Board, after: &Board) -> bool {
    let changed = |s: &Square| before.piece_at(*s) != after.piece_at(*s);
    Square::ALL.into_iter().filter(changed).all(|s| {
        let belief = beliefs.of(s);
        let content = content_index(after.piece_at(s));
        !belief.in_view() || belief.kind_odds(content) >= LEAST_KIND_ODDS
    })
}

/// One position on the way.
struct Node {
    position: Chess,
    cost: f32,
    /// Positions before, by index in the layer before, with the move.
    from: Vec<(usize, Move)>,
}

/// Moves, each with the share of the shortest sequences in which it is played at that point.
pub(super) type Bridge = Vec<(Move, f64)>;

/// The sequence that has most in common with all the shortest ones; `None` when the board is not in
/// full view or nothing within [`MOST_MOVES`] leads there.
pub(super) fn bridge(beliefs: &Beliefs, start: &Chess) -> Option<Bridge> {
    if beliefs.all().filter(|(_, b)| b.in_view()).count() < LEAST_IN_VIEW {
        return None;
    }
    let costs = Costs::new(beliefs);
    let mut layers = vec![vec![Node {
        position: start.clone(),
        cost: 0.0,
        from: Vec::new(),
    }]];
    for _ in 0..MOST_MOVES {
        let layer = next_layer(layers.last()?, &costs);
        let arrived: Vec<usize> = (0..layer.len())
            .filter(|i| {
                let board = layer.get(*i).map(|n| n.position.board());
                board.is_some_and(|b| {
                    mismatches(beliefs, b).is_empty() && kinds_fit(beliefs, start.board(), b)
                })
            })
            .collect();
        layers.push(layer);
        if !arrived.is_empty() {
            return typical(&sequences(&layers, &arrived));
        }
    }
    None
}

/// What each content of each square would cost, nats.
struct Costs(Vec<[f32; CONTENTS]>);

impl Costs {
    fn new(beliefs: &Beliefs) -> Self {
        let row = |b: &super::SquareBelief| {
            std::array::from_fn(|content| if b.in_view() { b.cost(content) } else { 0.0 })
        };
        Self(beliefs.all().map(|(_, b)| row(b)).collect())
    }

    fn of(&self, board: &Board) -> f32 {
        let content = |s: Square| content_index(board.piece_at(s));
        Square::ALL
            .into_iter()
            .zip(&self.0)
            .map(|(s, row)| row.get(content(s)).copied().unwrap_or(0.0))
            .sum()
    }
}

fn next_layer(layer: &[Node], costs: &Costs) -> Vec<Node> {
    let mut known: HashMap<(Board, Color), usize> = HashMap::new();
    let mut next: Vec<Node> = Vec::new();
    for (index, node) in layer.iter().enumerate() {
        for m in node.position.legal_moves() {
            let mut position = node.position.clone();
            position.play_unchecked(m);
            let key = (position.board().clone(), position.turn());
            match known.get(&key).and_then(|at| next.get_mut(*at)) {
                Some(same) => same.from.push((index, m)),
                None => {
                    known.insert(key, next.len());
                    next.push(Node {
                        cost: costs.of(position.board()),
                        position,
                        from: vec![(index, m)],
                    });
                }
            }
        }
    }
    // Stable: equal costs stay in the order in which they were found.
    next.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    next.truncate(BEAM);
    next
}

/// All ways to the nodes `ends` of the last layer, as far as they are counted.
fn sequences(layers: &[Vec<Node>], ends: &[usize]) -> Vec<Vec<Move>> {
    let mut open: Vec<(usize, usize, Vec<Move>)> = ends
        .iter()
        .map(|i| (layers.len() - 1, *i, Vec::new()))
        .collect();
    let mut all = Vec::new();
    while let Some((depth, index, moves)) = open.pop() {
        if all.len() >= MOST_SEQUENCES {
            break;
        }
        if depth == 0 {
            all.push(moves.into_iter().rev().collect());
            continue;
        }
        let node = layers.get(depth).and_then(|l| l.get(index));
        for (before, m) in node.into_iter().flat_map(|n| &n.from) {
            let longer = moves.iter().copied().chain([*m]).collect();
            open.push((depth - 1, *before, longer));
        }
    }
    all
}

fn typical(all: &[Vec<Move>]) -> Option<Bridge> {
    let share = |place: usize, m: &Move| {
        let same = all.iter().filter(|s| s.get(place) == Some(m)).count();
        same as f64 / all.len().max(1) as f64
    };
    // Sequences are many and alike: the shares of each move at each place are counted once.
    let mut shares: HashMap<(usize, Move), f64> = HashMap::new();
    for sequence in all {
        for (place, m) in sequence.iter().enumerate() {
            shares.entry((place, *m)).or_insert_with(|| share(place, m));
        }
    }
    let with_shares = |sequence: &Vec<Move>| -> Bridge {
        let of =
            |(place, m): (usize, &Move)| (*m, shares.get(&(place, *m)).copied().unwrap_or(0.0));
        sequence.iter().enumerate().map(of).collect()
    };
    let total = |bridge: &Bridge| bridge.iter().map(|m| m.1).sum::<f64>();
    let mut best: Option<Bridge> = None;
    for candidate in all.iter().map(with_shares) {
        if best.as_ref().is_none_or(|b| total(&candidate) > total(b)) {
            best = Some(candidate);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{
        observation::{Observation, SquareReading},
        uci,
    };

    /// Every square read as it stands.
    fn look_at(board: &Board) -> Beliefs {
        let squares = Square::ALL
            .into_iter()
            .map(|s| {
                let mut log_p = [-6.0; CONTENTS];
                log_p[content_index(board.piece_at(s))] = -0.02;
                SquareReading {
                    square: s as u8,
                    hidden: 0.0,
                    log_p,
                }
            })
            .collect();
        let mut beliefs = Beliefs::default();
        beliefs.update(&Observation {
            squares,
            ..Observation::default()
        });
        beliefs
    }

    fn after(line: &str) -> Chess {
        let mut position = Chess::default();
        for word in line.split_whitespace() {
            let uci: shakmaty::uci::UciMove = word.parse().unwrap();
            position.play_unchecked(uci.to_move(&position).unwrap());
        }
        position
    }

    #[test]
    fn six_moves_unseen_are_found_where_only_one_order_is_legal() {
        // The queen needs e4 out of the way, and d7-d5 can only be taken after it.
        let end = after("e2e4 d7d5 e4d5 d8d5 b1c3 d5a5");
        let found = bridge(&look_at(end.board()), &Chess::default()).unwrap();
        let moves: Vec<String> = found.iter().map(|(m, _)| uci(m)).collect();
        let mut position = Chess::default();
        for (m, share) in &found {
            assert!(position.is_legal(*m) && (0.0..=1.0).contains(share) && *share > 0.0);
            position.play_unchecked(*m);
        }
        assert_eq!(position.board(), end.board(), "{moves:?}");
        assert_eq!(moves.len(), 6);
    }

    #[test]
    fn moves_whose_order_does_not_show_are_doubtful() {
        let end = after("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6");
        let found = bridge(&look_at(end.board()), &Chess::default()).unwrap();
        assert_eq!(found.len(), 6);
        // Either of the knight's and the pawn's moves may have come first.
        assert!(found.iter().any(|(_, share)| *share < 0.9), "{found:?}");
    }

    #[test]
    fn what_no_game_leads_to_is_not_explained() {
        let mut board = Chess::default().board().clone();
        board.discard_piece_at(Square::E1);
        board.discard_piece_at(Square::E8);
        assert_eq!(bridge(&look_at(&board), &Chess::default()), None);
    }
}
