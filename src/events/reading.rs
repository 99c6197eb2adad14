//! Which moves explain what stands on the board: searches the legal moves that lead from one
//! position to what is seen, several in a row where replies came quickly.

use shakmaty::{Board, Chess, Color, Move, Piece, Position, Role, Square};

use super::{belief::Beliefs, observation::content_index};

/// A square whose likeliest content beats the expected one by this much is a mismatch, nats.
const MISMATCH: f32 = 1.0;
/// A square that beats the expected content by this much is clearly something else, nats.
const CLEARLY: f32 = 2.0;
/// Every further move must earn this much, nats.
const MOVE_COST: f32 = 1.5;
/// What a move costs that hands made before the one before it, nats.
const DISORDER: f32 = 2.0;
/// A promotion to anything but a queen must earn this much more, nats.
const UNDERPROMOTION_COST: f32 = 0.5;
/// Most moves in a row.
const MOST_MOVES: usize = 4;
/// Positions looked at before the search stops.
const MOST_POSITIONS: usize = 20_000;

/// A sequence of moves with how well it explains the board.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The moves.
    pub moves: Vec<Move>,
    /// Nats gained over nothing having been played, costs taken off.
    pub gain: f32,
    /// Gain over the next best outcome, nats.
    pub margin: f32,
    /// Squares in view that still disagree.
    pub unexplained: Vec<Square>,
}

/// Squares in view whose content is not what `board` says.
#[must_use]
pub fn mismatches(beliefs: &Beliefs, board: &Board) -> Vec<Square> {
    beliefs
        .all()
        .filter(|(s, b)| b.in_view() && b.surprise(content_index(board.piece_at(*s))) > MISMATCH)
        .map(|(s, _)| s)
        .collect()
}

/// Squares in view that are read as something else than `board` says, or no longer look as they
/// did when that was learnt.
#[must_use]
pub fn suspects(beliefs: &Beliefs, board: &Board) -> Vec<Square> {
    let content = |s: Square| content_index(board.piece_at(s));
    beliefs
        .all()
        .filter(|(_, b)| b.in_view())
        .filter(|(s, b)| {
            b.surprise(content(*s)) > MISMATCH || (b.altered && b.learnt == Some(content(*s)))
        })
        .map(|(s, _)| s)
        .collect()
}

/// How well a placement fits the squares in view, nats.
#[must_use]
pub fn fit(beliefs: &Beliefs, board: &Board) -> f32 {
    beliefs
        .all()
        .filter(|(_, b)| b.in_view())
        .map(|(s, b)| -b.cost(content_index(board.piece_at(s))))
        .sum()
}

/// What hands say for a move of one player, nats, and when they let it go, milliseconds.
pub type Support<'a> = dyn Fn(&Move, Color) -> (f32, Option<f64>) + 'a;

struct Search<'a> {
    beliefs: &'a Beliefs,
    support: &'a Support<'a>,
    base: f32,
    visited: usize,
    found: Vec<(f32, Vec<Move>, Board)>,
    /// Lines that would explain the board, but are not seen to have been played.
    unseen: Vec<(f32, Vec<Move>, Board)>,
}

/// The best explanation by up to `most` legal moves from `position`; `None` when nothing is to be
/// explained or nothing explains it better than no move.
#[must_use]
pub fn explain(beliefs: &Beliefs, position: &Chess, most: usize) -> Option<Explanation> {
    explain_with(beliefs, position, most, &|_, _| (0.0, None))
}

/// The same with what the hands did.
#[must_use]
pub fn explain_with(
    beliefs: &Beliefs,
    position: &Chess,
    most: usize,
    support: &Support<'_>,
) -> Option<Explanation> {
    let mut search = Search {
        beliefs,
        support,
        base: fit(beliefs, position.board()),
        visited: 0,
        found: Vec::new(),
        unseen: Vec::new(),
    };
    // Step by step, so that long lines do not use up the search before short ones are tried.
    for depth in 1..=most.min(MOST_MOVES) {
        search.found.clear();
        search.unseen.clear();
        search.visited = 0;
        search.descend(position, &mut Vec::new(), depth, 0.0, None);
        let complete = |f: &(f32, Vec<Move>, Board)| mismatches(beliefs, &f.2).is_empty();
        if search.visited > MOST_POSITIONS || search.found.iter().any(complete) {
            break;
        }
    }
    search
        .found
        .sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.len().cmp(&b.1.len())));
    let (mut gain, mut moves, board) = search.found.first()?.clone();
    // Seen in one order, the same moves may be likelier in another one, although what the last of
    // them put down is still hidden.
    for (better, line, to) in &search.unseen {
        if *better > gain && *to == board {
            (gain, moves) = (*better, line.clone());
        }
    }
    // Another order of moves to the same board is no other board, and a promotion's piece alone is
    // no other move: the pawn has gone there all the same.
    let ends = |line: &[Move]| line.iter().map(|m| (m.from(), m.to())).collect::<Vec<_>>();
    let rival = search
        .found
        .iter()
        .find(|f| f.2 != board && ends(&f.1) != ends(&moves));
    let second = rival.map_or(0.0, |f| f.0).max(0.0);
    (gain > 0.0).then(|| Explanation {
        unexplained: mismatches(beliefs, &board),
        moves,
        gain,
        margin: gain - second,
    })
}

impl Search<'_> {
    fn descend(
        &mut self,
        position: &Chess,
        line: &mut Vec<Move>,
        left: usize,
        earned: f32,
        after_ms: Option<f64>,
    ) {
        if left == 0 || self.visited > MOST_POSITIONS {
            return;
        }
        let open = suspects(self.beliefs, position.board());
        if open.is_empty() && !line.is_empty() {
            return;
        }
        for m in position.legal_moves() {
            if !self.plausible(&m, position.board(), &open, line) {
                continue;
            }
            self.visited += 1;
            let mut next = position.clone();
            next.play_unchecked(m);
            line.push(m);
            let (support, made_ms) = (self.support)(&m, position.turn());
            let in_order = made_ms
                .zip(after_ms)
                .is_none_or(|(made, after)| made >= after);
            let order = if in_order { 0.0 } else { DISORDER };
            let earned = earned + support - order - move_cost(&m);
            let gain = fit(self.beliefs, next.board()) - self.base + earned;
            if self.is_seen(line, next.board()) {
                self.found.push((gain, line.clone(), next.board().clone()));
            } else if line.len() > 1 && gain > 0.0 {
                self.unseen.push((gain, line.clone(), next.board().clone()));
            }
            self.descend(&next, line, left - 1, earned, made_ms.or(after_ms));
            line.pop();
        }
    }

    /// A move is worth a look when its square of origin no longer shows its piece, or its man was
    /// moved before in this line.
    fn plausible(&self, m: &Move, board: &Board, open: &[Square], line: &[Move]) -> bool {
        let Some(from) = m.from() else {
            return false;
        };
        let belief = self.beliefs.of(from);
        let gone = open.contains(&from)
            || !belief.in_view()
            || belief.surprise(content_index(board.piece_at(from))) > MISMATCH / 2.0;
        gone || line.iter().any(|l| l.to() == from)
    }

    /// What was played must be seen: every square that a moved man left is in view, and so is the
    /// one where the last move ended, with nothing on it that is clearly something else.
    fn is_seen(&self, line: &[Move], board: &Board) -> bool {
        line.iter()
            .all(|m| m.from().is_none_or(|s| self.beliefs.of(s).in_view()))
            && line.last().is_some_and(|m| {
                let square = landing(m);
                let landed = self.beliefs.of(square);
                let content = content_index(board.piece_at(square));
                landed.in_view() && landed.surprise(content) < CLEARLY
            })
    }
}

/// UCI of a move, castling as the king's move of two squares.
#[must_use]
pub fn uci(m: &Move) -> String {
    m.to_uci(shakmaty::CastlingMode::Standard).to_string()
}

/// Where the moving piece stands afterwards.
#[must_use]
pub fn landing(m: &Move) -> Square {
    match *m {
        Move::Castle { king, .. } => m
            .castling_side()
            .map_or(king, |side| side.king_to(shakmaty_color(king))),
        _ => m.to(),
    }
}

fn shakmaty_color(king: Square) -> shakmaty::Color {
    shakmaty::Color::from_white(king.rank() == shakmaty::Rank::First)
}

/// What a move must earn, nats.
pub(super) fn move_cost(m: &Move) -> f32 {
    let under = m.promotion().is_some_and(|r| r != Role::Queen);
    MOVE_COST + if under { UNDERPROMOTION_COST } else { 0.0 }
}

/// One piece standing where no legal move could have put it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Displacement {
    /// Where it stood.
    pub from: Square,
    /// Where it stands.
    pub to: Square,
    /// The piece.
    pub piece: Piece,
}

/// The displacement that explains all mismatches, if exactly one piece left its square and
/// appeared on another.
#[must_use]
pub fn displacement(beliefs: &Beliefs, board: &Board) -> Option<Displacement> {
    let open = mismatches(beliefs, board);
    let [a, b] = open.as_slice() else {
        return None;
    };
    [(*a, *b), (*b, *a)].into_iter().find_map(|(from, to)| {
        let piece = board.piece_at(from)?;
        let left = beliefs.of(from).best() == 0;
        let same_color = board.color_at(to) == Some(piece.color);
        let arrived = beliefs.of(to).surprise(content_index(Some(piece))) < MISMATCH;
        (left && arrived && !same_color).then_some(Displacement { from, to, piece })
    })
}
