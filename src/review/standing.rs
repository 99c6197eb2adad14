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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        broadcast::game::Game,
        events::observation::SquareReading,
        review::{
            LogEnd,
            comparison::compare,
            log::{LogHeader, LogWriter},
        },
    };

    /// The bishop went to b5 by the PGN, to c4 by what was found; black's answer is the same.
    fn game(folder: &Path) -> Game {
        let path = folder.join("game.pgn");
        std::fs::write(&path, "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6").unwrap();
        Game::open(&path).unwrap()
    }

    fn record(ucis: &str) -> Record {
        let text = include_str!("../../tests/data/report/touch-move.json");
        let mut record: Record = serde_json::from_str(text).unwrap();
        let pattern = record.moves[0].clone();
        record.start_fen = crate::broadcast::game::START_FEN.to_owned();
        record.contacts.clear();
        record.moves = (1..)
            .zip(ucis.split_whitespace())
            .map(|(i, uci)| crate::record::PlayedMove {
                uci: uci.to_owned(),
                made_ms: 10_000.0 * f64::from(i),
                ..pattern.clone()
            })
            .collect();
        record
    }

    /// A log in which a board is read whole at a time.
    fn log(folder: &Path, ms: f64, board: &Board, hidden: f32) -> std::path::PathBuf {
        let header = r#"{"format":1,"program":"x","clip":"x","width":640,"height":480,
            "corners":{"a1":[0,400],"h1":[400,400],"h8":[400,0],"a8":[0,0]},
            "start_fen":"x","laws":"fide-2023","models":[]}"#;
        let header: LogHeader = serde_json::from_str(header).unwrap();
        let path = folder.join("log.zst");
        let mut writer = LogWriter::new(std::fs::File::create(&path).unwrap(), &header).unwrap();
        let squares = Square::ALL.map(|square| {
            let mut log_p = [-6.0; CONTENTS];
            log_p[content_index(board.piece_at(square))] = -0.01;
            SquareReading {
                square: square as u8,
                hidden,
                log_p,
            }
        });
        let seen = |t_ms, squares| Observation {
            t_ms,
            squares,
            ..Observation::default()
        };
        writer.frame(&seen(ms, squares.to_vec())).unwrap();
        writer.frame(&seen(ms + 1000.0, Vec::new())).unwrap();
        let end = LogEnd {
            frames: 2,
            last_ms: ms + 1000.0,
            cut_off: false,
            parts: Vec::new(),
        };
        writer.end(&end).unwrap();
        path
    }

    fn standing(found: &str, board: impl Fn(&Game, &Record) -> Board, hidden: f32) -> Standing {
        let folder = tempfile::tempdir().unwrap();
        let (game, record) = (game(folder.path()), record(found));
        let log = log(folder.path(), 52_000.0, &board(&game, &record), hidden);
        let mut comparison = compare(&game.moves, &record);
        settle(&mut comparison, &game.moves, &record, &log).unwrap();
        let all: Vec<Standing> = comparison.differences.iter().map(|d| d.right).collect();
        assert!(all.windows(2).all(|w| w[0] == w[1]), "{all:?}");
        all[0]
    }

    #[test]
    fn the_board_afterwards_tells_who_is_right() {
        let other = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6";
        let noted = |game: &Game, _: &Record| boards(&game.moves)[5].clone();
        let found = |_: &Game, record: &Record| plies(record)[5].board.clone();
        assert_eq!(standing(other, noted, 0.0), Standing::Pgn);
        assert_eq!(standing(other, found, 0.0), Standing::Found);
        // A hand over everything, or a third board, tells nothing.
        assert_eq!(standing(other, found, 0.9), Standing::Open);
        assert_eq!(standing(other, |_, _| Board::empty(), 0.0), Standing::Open);
    }

    #[test]
    fn moves_that_were_not_found_may_have_been_played_all_the_same() {
        let early = "e2e4 e7e5 g1f3 b8c6";
        let end = |game: &Game, _: &Record| boards(&game.moves)[6].clone();
        let found = |_: &Game, record: &Record| plies(record)[4].board.clone();
        assert_eq!(standing(early, end, 0.0), Standing::Pgn);
        assert_eq!(standing(early, found, 0.0), Standing::Found);
    }
}
