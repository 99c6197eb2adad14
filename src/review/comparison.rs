//! The moves found beside the moves of the organiser's PGN.

use serde::Serialize;

use super::report::plies::{Numbering, plies};
use crate::{
    broadcast::game::GameMove,
    record::{PlayedMove, Record},
};

/// How a move found and a move of the PGN differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceKind {
    /// In the PGN only.
    Missing,
    /// Found only.
    Extra,
    /// Another one was found.
    Other,
}

/// Which side of a difference the board shows afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// What was found.
    Found,
    /// What the PGN says.
    Pgn,
    /// It does not tell.
    #[default]
    Open,
}

/// How a move of the PGN was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Seen {
    /// As it was noted.
    Same,
    /// As another move.
    Other,
    /// Not at all.
    No,
}

/// When a move of the PGN was made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dated {
    /// The move.
    #[serde(flatten)]
    pub side: Side,
    /// How it was seen.
    pub seen: Seen,
    /// The move seen in its place, where it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// When the move seen in its place was made, milliseconds.
    pub ms: Option<f64>,
}

/// One side of a difference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Side {
    /// Half moves up to and with it, from 1, counted from the recording's start.
    pub ply: usize,
    /// Number and SAN, as `3. Bb5`.
    pub name: String,
    /// UCI.
    pub uci: String,
}

/// A difference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Which.
    pub kind: DifferenceKind,
    /// What the PGN has.
    pub pgn: Option<Side>,
    /// What was found.
    pub found: Option<Side>,
    /// When the move found was made; for a missing one, when the move found before it was.
    pub ms: f64,
    /// Which is right, as far as the board tells afterwards.
    pub right: Standing,
}

/// All differences of a game: the content of `comparison.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Version of this format: 1.
    pub format: u32,
    /// Moves in the PGN from where the recording begins.
    pub pgn_moves: usize,
    /// Moves found.
    pub found_moves: usize,
    /// The differences in order; none when the moves are the same.
    pub differences: Vec<Difference>,
    /// The PGN's moves, with when they were made.
    pub dates: Vec<Dated>,
}

/// Compares a record with the PGN's moves from the recording's start on.
#[must_use]
pub fn compare(game: &[GameMove], record: &Record) -> Comparison {
    let steps = align(game, &record.moves);
    let pgn_names = names(game);
    let found_names: Vec<String> = plies(record).into_iter().skip(1).map(|p| p.name).collect();
    let side = |names: &[String], index: usize, uci: &str| Side {
        ply: index + 1,
        name: names.get(index).cloned().unwrap_or_default(),
        uci: uci.to_owned(),
    };
    let (mut differences, mut dates) = (Vec::new(), Vec::new());
    let mut ms = 0.0;
    for (a, b) in steps {
        let in_pgn = a.and_then(|i| Some(side(&pgn_names, i, &game.get(i)?.uci)));
        let seen = b.and_then(|i| record.moves.get(i).map(|m| (i, m)));
        ms = seen.map_or(ms, |(_, m)| m.made_ms);
        let found = seen.map(|(i, m)| side(&found_names, i, &m.uci));
        dates.extend(in_pgn.clone().map(|noted| {
            Dated {
                seen: match &found {
                    Some(f) if f.uci == noted.uci => Seen::Same,
                    Some(_) => Seen::Other,
                    None => Seen::No,
                },
                ms: found.is_some().then_some(ms),
                found: found
                    .as_ref()
                    .filter(|f| f.uci != noted.uci)
                    .map(|f| f.name.clone()),
                side: noted,
            }
        }));
        let kind = match (&in_pgn, &found) {
            (Some(p), Some(f)) if p.uci == f.uci => continue,
            (Some(_), Some(_)) => DifferenceKind::Other,
            (Some(_), None) => DifferenceKind::Missing,
            (None, _) => DifferenceKind::Extra,
        };
        differences.push(Difference {
            kind,
            pgn: in_pgn,
            found,
            ms,
            right: Standing::Open,
        });
    }
    Comparison {
        format: 1,
        pgn_moves: game.len(),
        found_moves: record.moves.len(),
        differences,
        dates,
    }
}

/// The PGN's moves with their numbers.
fn names(game: &[GameMove]) -> Vec<String> {
    let Some(first) = game.first() else {
        return Vec::new();
    };
    let mut number = Numbering::of(&first.before);
    game.iter()
        .map(|m| format!("{} {}", number.take(), m.san))
        .collect()
}

/// Pairs of indices into both lists with the fewest differences; `None` where one has nothing.
pub(super) fn align(
    game: &[GameMove],
    found: &[PlayedMove],
) -> Vec<(Option<usize>, Option<usize>)> {
    let (n, m) = (game.len(), found.len());
    // Fewest differences of the rest from (i, j) on.
    let mut rest = vec![vec![0_usize; m + 1]; n + 1];
    for i in (0..=n).rev() {
        for j in (0..=m).rev() {
            rest[i][j] = match (i < n, j < m) {
                (true, true) => (rest[i + 1][j + 1] + usize::from(game[i].uci != found[j].uci))
                    .min(1 + rest[i + 1][j].min(rest[i][j + 1])),
                _ => (n - i) + (m - j),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut steps = Vec::new();
    while i < n || j < m {
        let both = i < n
            && j < m
            && rest[i][j] == rest[i + 1][j + 1] + usize::from(game[i].uci != found[j].uci);
        let (a, b) = if both {
            (true, true)
        } else if i < n && rest[i][j] == 1 + rest[i + 1][j] {
            (true, false)
        } else {
            (false, true)
        };
        steps.push((a.then_some(i), b.then_some(j)));
        i += usize::from(a);
        j += usize::from(b);
    }
    steps
}

/// Fewest missing moves in a row that are told as one.
const ROW: usize = 3;

impl Comparison {
    /// The differences, missing moves in a row taken together.
    pub fn grouped(&self) -> Vec<&[Difference]> {
        let missing = |d: &Difference| d.kind == DifferenceKind::Missing;
        self.differences
            .chunk_by(|a, b| missing(a) && missing(b) && a.right == b.right)
            .flat_map(|row| row.chunks(if row.len() >= ROW { row.len() } else { 1 }))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position, uci::UciMove};

    fn game(ucis: &str) -> Vec<GameMove> {
        let mut position = Chess::default();
        let play = |uci: &str| {
            let before = position.clone();
            let m = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            let san = shakmaty::san::San::from_move(&position, m).to_string();
            position.play_unchecked(m);
            GameMove {
                before,
                san,
                uci: uci.to_owned(),
            }
        };
        ucis.split_whitespace().map(play).collect()
    }

    fn record(ucis: &str) -> Record {
        let text = include_str!("../../tests/data/report/touch-move.json");
        let mut record: Record = serde_json::from_str(text).unwrap();
        record.start_fen = crate::broadcast::game::START_FEN.to_owned();
        record.moves = (1..)
            .zip(ucis.split_whitespace())
            .map(|(i, uci)| PlayedMove {
                uci: uci.to_owned(),
                san: uci.to_owned(),
                legal: true,
                made_ms: 1000.0 * f64::from(i),
                completed_ms: None,
                inferred: false,
                probability: None,
            })
            .collect();
        record
    }

    /// Differences in short: `?` missing, `+` extra, `/` other.
    fn short(pgn: &str, found: &str) -> Vec<String> {
        compare(&game(pgn), &record(found))
            .differences
            .iter()
            .map(|d| {
                let name = |s: &Option<Side>| s.as_ref().map_or("", |s| &s.uci).to_owned();
                let sign = match d.kind {
                    DifferenceKind::Missing => '?',
                    DifferenceKind::Extra => '+',
                    DifferenceKind::Other => '/',
                };
                format!("{}{sign}{} {}", name(&d.pgn), name(&d.found), d.ms / 1000.0)
            })
            .collect()
    }

    #[test]
    fn differences_are_found_and_placed_in_time() {
        let whole = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6";
        for (found, want) in [
            (whole, &[][..]),
            ("e2e4 e7e5 g1f3 b8c6 f1c4 a7a6", &["f1b5/f1c4 5"]),
            ("e2e4 e7e5 b8c6 f1b5 a7a6", &["g1f3? 2"]),
            ("e2e4 e7e5 g1f3 b8c6 f1b5 b5c6 a7a6", &["+b5c6 6"]),
            ("e2e4 e7e5 g1f3 b8c6", &["f1b5? 4", "a7a6? 4"]),
            ("e7e5 g1f3 b8c6 f1b5 a7a6 b5c6", &["e2e4? 0", "+b5c6 6"]),
            (
                "",
                &[
                    "e2e4? 0", "e7e5? 0", "g1f3? 0", "b8c6? 0", "f1b5? 0", "a7a6? 0",
                ],
            ),
        ] {
            assert_eq!(short(whole, found), want, "{found}");
        }
        assert_eq!(short("", "e2e4"), ["+e2e4 1"]);
    }

    #[test]
    fn moves_have_their_numbers() {
        let c = compare(&game("e2e4 e7e5 g1f3"), &record("e2e4 c7c5 g1f3"));
        let d = &c.differences[0];
        let (pgn, found) = (d.pgn.as_ref().unwrap(), d.found.as_ref().unwrap());
        assert_eq!((pgn.name.as_str(), pgn.ply), ("1\u{2026} e5", 2));
        assert_eq!((found.name.as_str(), found.ply), ("1\u{2026} c7c5", 2));
    }

    #[test]
    fn missing_moves_in_a_row_are_told_as_one() {
        let whole = game("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
        let rows = |found: &str| -> Vec<usize> {
            let c = compare(&whole, &record(found));
            c.grouped().iter().map(|g| g.len()).collect()
        };
        assert_eq!(rows("e2e4 e7e5"), [4]);
        assert_eq!(rows("e2e4 e7e5 g1f3 b8c6"), [1, 1]);
        assert_eq!(rows("d2d4 e7e5"), [1, 4]);
    }

    #[test]
    fn each_move_of_the_pgn_has_its_time_where_it_was_seen() {
        let c = compare(&game("e2e4 e7e5 g1f3 b8c6"), &record("e2e4 c7c5 b8c6"));
        let told: Vec<(&str, Seen, Option<f64>)> = c
            .dates
            .iter()
            .map(|d| (d.side.uci.as_str(), d.seen, d.ms))
            .collect();
        assert_eq!(
            told,
            [
                ("e2e4", Seen::Same, Some(1000.0)),
                ("e7e5", Seen::Other, Some(2000.0)),
                ("g1f3", Seen::No, None),
                ("b8c6", Seen::Same, Some(3000.0)),
            ]
        );
    }
}
