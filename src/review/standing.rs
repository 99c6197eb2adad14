//! Where the moves found and the PGN's differ: which of the two the board shows afterwards.
//!
//! After a difference the two lines lead to different positions, until they meet again. What was
//! read of the squares in which they differ, hands away and before the next move is begun, tells
//! which line the board is on.

use std::path::Path;

use shakmaty::{Board, Position, Square};

use super::{
    comparison::{Comparison, Standing, align},
    log::{LogError, LogReader},
    report::plies::plies,
};
use crate::{
    broadcast::game::GameMove,
    events::observation::{CONTENTS, Observation, content_index},
    record::Record,
};

/// A move is begun at the latest so long before it is made, where no hand was seen, milliseconds.
const BEGUN_MS: f64 = 1000.0;
/// What one square can say, log likelihood.
const MOST: f32 = 4.0;
/// What must be said, log likelihood.
const TELLING: f32 = 3.0;
/// Squares more hidden than this say nothing.
const HIDDEN: f32 = 0.5;
/// After a difference so many positions of both lines are compared.
const LOOKS: usize = 6;

/// Two boards of which one stands at a time.
struct Question {
    /// Differences it is about: a range of indices.
    of: std::ops::Range<usize>,
    /// When to look, milliseconds.
    ms: f64,
    pgn: Board,
    found: Board,
}

/// Finds for each difference which side is right, as far as the log of observations tells.
///
/// # Errors
/// [`LogError`].
pub fn settle(
    comparison: &mut Comparison,
    game: &[GameMove],
    record: &Record,
    log: &Path,
) -> Result<(), LogError> {
    let mut questions = questions(game, record);
    if questions.is_empty() {
        return Ok(());
    }
    questions.sort_by(|a, b| a.ms.total_cmp(&b.ms));
    let mut log = LogReader::open(log)?;
    let mut squares = [None; 64];
    let mut next = questions.into_iter().peekable();
    let mut ask = |question: Question, squares: &Squares| {
        let standing = answer(&question, squares);
        for difference in comparison
            .differences
            .get_mut(question.of)
            .into_iter()
            .flatten()
        {
            if difference.right == Standing::Open {
                difference.right = standing;
            }
        }
    };
    while let Some(seen) = log.next_frame()? {
        while let Some(question) = next.next_if(|q| q.ms < seen.t_ms) {
            ask(question, &squares);
        }
        note(&mut squares, &seen);
    }
    for question in next {
        ask(question, &squares);
    }
    Ok(())
}

/// What was last read of each square, log probabilities.
type Squares = [Option<[f32; CONTENTS]>; 64];

/// What is read counts for as long as the square looks so.
fn note(squares: &mut Squares, seen: &Observation) {
    let anew = seen.corners.is_some() || seen.disturbed;
    for (index, square) in squares.iter_mut().enumerate() {
        if anew || (seen.changed | seen.moving) >> index & 1 == 1 {
            *square = None;
        }
    }
    for reading in &seen.squares {
        if let Some(square) = squares.get_mut(usize::from(reading.square)) {
            *square = (reading.hidden < HIDDEN).then_some(reading.log_p);
        }
    }
}

/// Which of the two boards was read.
fn answer(question: &Question, squares: &Squares) -> Standing {
    let said: f32 = Square::ALL
        .into_iter()
        .zip(squares)
        .filter_map(|(square, read)| {
            let of = |board: &Board| content_index(board.piece_at(square));
            let (pgn, found) = (of(&question.pgn), of(&question.found));
            let log_p = (*read)?;
            Some((log_p.get(found)? - log_p.get(pgn)?).clamp(-MOST, MOST))
        })
        .sum();
    match said {
        s if s >= TELLING => Standing::Found,
        s if s <= -TELLING => Standing::Pgn,
        _ => Standing::Open,
    }
}

/// After each stretch of differences: when the board may tell, and what it would show.
fn questions(game: &[GameMove], record: &Record) -> Vec<Question> {
    let steps = align(game, &record.moves);
    let same = |step: &(Option<usize>, Option<usize>)| match step {
        (Some(i), Some(j)) => game.get(*i).map(|m| &m.uci) == record.moves.get(*j).map(|m| &m.uci),
        _ => false,
    };
    let found: Vec<Board> = plies(record).into_iter().map(|p| p.board).collect();
    let noted = boards(game);
    let mut questions = Vec::new();
    let (mut i, mut j, mut differences) = (0, 0, 0);
    for stretch in steps.chunk_by(|a, b| same(a) == same(b)) {
        let begun = differences;
        i += stretch.iter().filter(|s| s.0.is_some()).count();
        j += stretch.iter().filter(|s| s.1.is_some()).count();
        if stretch.first().is_some_and(same) {
            continue;
        }
        differences += stretch.len();
        for look in 0..LOOKS {
            let (Some(pgn), Some(found)) = (noted.get(i + look), found.get(j + look)) else {
                break;
            };
            if pgn == found {
                break;
            }
            questions.push(Question {
                of: begun..differences,
                ms: next_begun_ms(record, j + look),
                pgn: pgn.clone(),
                found: found.clone(),
            });
            // The lines are only compared where they go on alike.
            let on = |m: Option<&String>| m.cloned();
            let next = on(game.get(i + look).map(|m| &m.uci));
            if next.is_none() || next != on(record.moves.get(j + look).map(|m| &m.uci)) {
                break;
            }
        }
    }
    questions
}

/// When the move after so many is begun: until then the board stands.
fn next_begun_ms(record: &Record, moves: usize) -> f64 {
    let Some(next) = record.moves.get(moves) else {
        return f64::INFINITY;
    };
    let before_ms = moves
        .checked_sub(1)
        .and_then(|i| record.moves.get(i))
        .map_or(0.0, |m| m.made_ms);
    let touches = record.contacts.iter().map(|c| c.touch_ms);
    touches
        .filter(|t| (before_ms..next.made_ms).contains(t))
        .fold(next.made_ms - BEGUN_MS, f64::min)
}

/// The boards before each move of the PGN and after the last.
fn boards(game: &[GameMove]) -> Vec<Board> {
    let before = game.iter().map(|m| m.before.board().clone());
    let end = game.last().and_then(|last| {
        let uci: shakmaty::uci::UciMove = last.uci.parse().ok()?;
        let mut position = last.before.clone();
        position.play_unchecked(uci.to_move(&position).ok()?);
        Some(position.board().clone())
    });
    before.chain(end).collect()
}
