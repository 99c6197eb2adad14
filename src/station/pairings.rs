//! The pairings of a round from a file: CSV with a header, or the tags of a PGN.

use crate::broadcast::feed::{Players, player_tags};

/// One row of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The board, as the file calls it.
    pub board: String,
    /// Who plays there.
    pub players: Players,
}

/// Why a file is none of pairings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PairingError {
    /// Nothing is in it.
    #[error("the file is empty: it needs a header, as board,white,black and a row for each board")]
    Empty,
    /// A column is missing.
    #[error(
        "the header has no column \"{0}\": it needs board, white and black (round may be there)"
    )]
    NoColumn(&'static str),
    /// Something is wrong with a row.
    #[error("row {row}: {why}")]
    Row {
        /// Which, from 1, the header included.
        row: usize,
        /// What.
        why: String,
    },
    /// A game of a PGN does not say where it is played.
    #[error("game {0} has neither a Board tag nor a round with a board, as [Round \"3.1\"]")]
    NoBoard(usize),
}

/// Reads pairings.
///
/// # Errors
/// [`PairingError`].
pub fn read(text: &str) -> Result<Vec<Row>, PairingError> {
    let text = text.trim_start_matches('\u{feff}').trim();
    match text.chars().next() {
        None => Err(PairingError::Empty),
        Some('[') => pgn(text),
        Some(_) => csv(text),
    }
}

/// The names of columns, in English and German.
const BOARD: [&str; 2] = ["board", "brett"];
const WHITE: [&str; 2] = ["white", "weiß"];
const BLACK: [&str; 2] = ["black", "schwarz"];
const ROUND: [&str; 2] = ["round", "runde"];

fn csv(text: &str) -> Result<Vec<Row>, PairingError> {
    let header = text.lines().next().unwrap_or_default();
    // Spreadsheets write what their country takes for a comma.
    let delimiter = [b';', b'\t']
        .into_iter()
        .find(|d| header.contains(char::from(*d)));
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter.unwrap_or(b','))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let failed = |e: csv::Error| PairingError::Row {
        row: e.position().map_or(1, |p| p.line() as usize),
        why: match e.kind() {
            csv::ErrorKind::UnequalLengths {
                expected_len, len, ..
            } => {
                format!("it has {len} columns, the header {expected_len}")
            }
            _ => e.to_string(),
        },
    };
    let columns = reader.headers().map_err(failed)?.clone();
    let column = |names: [&str; 2]| {
        let named = |c: &str| names.contains(&c.to_lowercase().as_str());
        columns.iter().position(named)
    };
    let needed = |names: [&'static str; 2]| column(names).ok_or(PairingError::NoColumn(names[0]));
    let (board, white, black) = (needed(BOARD)?, needed(WHITE)?, needed(BLACK)?);
    let round = column(ROUND);
    // As `white_elo`, `White Elo` or `WhiteElo`.
    let plain = |c: &str| c.replace(['_', ' ', '-'], "").to_lowercase();
    let tags: Vec<(String, usize)> = player_tags()
        .filter_map(|tag| {
            let at = columns
                .iter()
                .position(|c| plain(c) == tag.to_lowercase())?;
            Some((tag, at))
        })
        .collect();
    let mut rows: Vec<Row> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(failed)?;
        let row = record.position().map_or(0, |p| p.line() as usize);
        let text = |column: usize| record.get(column).unwrap_or_default().to_owned();
        let players = Players {
            white: text(white),
            black: text(black),
            round: round.map(text).unwrap_or_default(),
            tags: tags.iter().map(|(t, at)| (t.clone(), text(*at))).collect(),
        };
        let players = players
            .checked()
            .map_err(|why| PairingError::Row { row, why })?;
        rows.push(Row {
            board: text(board),
            players,
        });
        twice(&rows).map_err(|why| PairingError::Row { row, why })?;
    }
    Ok(rows)
}

fn pgn(text: &str) -> Result<Vec<Row>, PairingError> {
    let tag = |line: &str| -> Option<(String, String)> {
        let inner = line.trim().strip_prefix('[')?.strip_suffix(']')?;
        let (name, value) = inner.split_once(char::is_whitespace)?;
        let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
        Some((name.to_owned(), value.replace("\\\"", "\"")))
    };
    let mut games: Vec<Vec<(String, String)>> = Vec::new();
    for (name, value) in text.lines().filter_map(tag) {
        match games.last_mut().filter(|g| !g.iter().any(|t| t.0 == name)) {
            Some(game) => game.push((name, value)),
            None => games.push(vec![(name, value)]),
        }
    }
    let mut rows: Vec<Row> = Vec::new();
    for (index, game) in games.iter().enumerate() {
        let of = |name: &str| {
            let found = game.iter().find(|t| t.0 == name).map(|t| t.1.as_str());
            found.filter(|v| *v != "?").unwrap_or_default()
        };
        let (round, in_round) = of("Round").split_once('.').unwrap_or((of("Round"), ""));
        let board = [of("Board"), in_round].into_iter().find(|b| !b.is_empty());
        let players = Players {
            white: of("White").to_owned(),
            black: of("Black").to_owned(),
            round: round.to_owned(),
            tags: player_tags()
                .map(|t| (t.clone(), of(&t).to_owned()))
                .collect(),
        };
        let wrong = |why| PairingError::Row {
            row: index + 1,
            why,
        };
        rows.push(Row {
            board: board.ok_or(PairingError::NoBoard(index + 1))?.to_owned(),
            players: players.checked().map_err(wrong)?,
        });
        twice(&rows).map_err(wrong)?;
    }
    Ok(rows)
}

/// Whether the newest row is of a board that was named before.
fn twice(rows: &[Row]) -> Result<(), String> {
    let Some((newest, before)) = rows.split_last() else {
        return Ok(());
    };
    if before.iter().any(|row| row.board == newest.board) {
        return Err(format!("board \"{}\" was named before", newest.board));
    }
    Ok(())
}

/// Whether a file's word for a board means this one: its name, or the number at the name's end.
#[must_use]
pub fn is_board(word: &str, name: &str) -> bool {
    let number = |text: &str| {
        let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
        digits.parse::<u32>().ok()
    };
    word.eq_ignore_ascii_case(name)
        || word.bytes().all(|b| b.is_ascii_digit())
            && number(word).is_some_and(|n| number(name) == Some(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(rows: &[Row]) -> Vec<[&str; 4]> {
        rows.iter()
            .map(|r| {
                [
                    r.board.as_str(),
                    r.players.white.as_str(),
                    r.players.black.as_str(),
                    r.players.round.as_str(),
                ]
            })
            .collect()
    }

    #[test]
    fn a_table_is_read_by_its_header() {
        let text = "Board,White,Black,Round\n1,\"Müller, Anna\",Ben,3\n2,Carla,Dirk,3\n";
        let rows = read(text).unwrap();
        assert_eq!(
            told(&rows),
            [
                ["1", "Müller, Anna", "Ben", "3"],
                ["2", "Carla", "Dirk", "3"]
            ]
        );
        let titled = read("board,white,black,white_elo,Black Title\n1,A,B,2830,GM\n2,C,D,,\n");
        let titled = titled.unwrap();
        let tags: Vec<(&str, &str)> = titled[0]
            .players
            .tags
            .iter()
            .map(|(t, v)| (t.as_str(), v.as_str()))
            .collect();
        assert_eq!(tags, [("BlackTitle", "GM"), ("WhiteElo", "2830")]);
        assert!(titled[1].players.tags.is_empty());
        let german = read("\u{feff}Brett;Weiß;Schwarz\r\nBrett 2;Carla;Dirk\r\n").unwrap();
        assert_eq!(told(&german), [["Brett 2", "Carla", "Dirk", ""]]);
    }

    #[test]
    fn a_pgn_is_read_by_its_tags() {
        let text = r#"[Event "Open"]
[Round "3.1"]
[White "Müller, Anna"]
[Black "Ben"]

1. e4 *

[Event "Open"]
[Round "3"]
[Board "2"]
[White "Carla"]
[Black "?"]

*"#;
        let rows = read(text).unwrap();
        assert_eq!(
            told(&rows),
            [["1", "Müller, Anna", "Ben", "3"], ["2", "Carla", "", "3"]]
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, said) in [
            ("", "empty"),
            ("white,black\na,b", "\"board\""),
            ("board,white,black\n1,a", "row 2: it has 2 columns"),
            ("board,white,black\n1,a,b\n1,c,d", "row 3: board \"1\""),
            ("[White \"a\"]", "game 1"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn boards_are_known_by_name_or_number() {
        assert!(is_board("Board 1", "board 1") && is_board("1", "Board 1"));
        assert!(is_board("01", "Table 1") && is_board("1", "1"));
        assert!(!is_board("1", "Board 11") && !is_board("1", "Top board"));
        assert!(!is_board("Board 2", "Table 2") && !is_board("", "Top"));
    }
}
