//! Games and their moves, turn by turn.

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{
    Change, Store, StoreError, contacts, incidents,
    players::{self, Players},
};
use crate::{events::Findings, record::Contact};

/// A move as stored.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct StoredMove {
    /// Number from 0.
    pub ply: u32,
    /// UCI.
    pub uci: String,
    /// SAN, or the squares of an illegal move.
    pub san: String,
    /// Whether it was legal.
    pub legal: bool,
    /// When it was made, milliseconds since 1970.
    pub made_ms: f64,
    /// Position after it.
    pub fen: String,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum GameResult {
    /// White won.
    #[serde(rename = "1-0")]
    White,
    /// Black won.
    #[serde(rename = "0-1")]
    Black,
    /// A draw.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    const fn as_str(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }
}

/// A game.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Game {
    /// Its number.
    pub id: i64,
    /// When its first frame was captured, milliseconds since 1970.
    pub begun_ms: f64,
    /// Where it began.
    pub start_fen: String,
    /// Edition of the Laws.
    pub laws: String,
    /// Who plays.
    pub players: Players,
    /// The moves so far.
    pub moves: Vec<StoredMove>,
    /// The position that a person said stands after them, if so.
    pub told_fen: Option<String>,
}

impl Game {
    /// The position that stands.
    #[must_use]
    pub fn fen(&self) -> &str {
        let played = self.moves.last().map_or(&self.start_fen, |m| &m.fen);
        self.told_fen.as_ref().unwrap_or(played)
    }
}

/// One turn of a game, to be stored.
pub struct TurnFound<'a> {
    /// The game.
    pub game: i64,
    /// Number from 0.
    pub ply: u32,
    /// Time zero of the findings, milliseconds since 1970.
    pub zero_ms: f64,
    /// One move, its contacts and incidents.
    pub found: &'a Findings,
    /// Position before the move.
    pub before: &'a str,
    /// Position after it.
    pub after: &'a str,
}

/// Words of the database and of JSON are the same; what is not one of them is odd.
pub(super) fn word<T: serde::de::DeserializeOwned>(text: String) -> rusqlite::Result<T> {
    let odd = |e: serde_json::Error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(e))
    };
    serde_json::from_value(serde_json::Value::String(text)).map_err(odd)
}

pub(super) const GAME: &str = "SELECT g.id, g.begun_ms, g.start_fen, g.laws, g.white, g.black,
    g.round, g.tags FROM games g";

/// A game, its moves still to come.
pub(super) fn game(row: &Row<'_>) -> rusqlite::Result<Game> {
    Ok(Game {
        id: row.get(0)?,
        begun_ms: row.get(1)?,
        start_fen: row.get(2)?,
        laws: row.get(3)?,
        players: players::read(row, 4)?,
        moves: Vec::new(),
        told_fen: None,
    })
}

/// The game with its moves, and what a person said of the position after them.
pub(super) fn with_moves(connection: &Connection, mut game: Game) -> Result<Game, StoreError> {
    game.moves = moves_of(connection, game.id)?;
    let told = "SELECT fen FROM positions WHERE game = ? AND ply = ? ORDER BY id DESC LIMIT 1";
    let ply = game.moves.len() as i64;
    game.told_fen = connection
        .query_row(told, params![game.id, ply], |r| r.get(0))
        .optional()?;
    Ok(game)
}

/// The moves of a game as they stand.
pub(super) fn moves_of(connection: &Connection, game: i64) -> Result<Vec<StoredMove>, StoreError> {
    let mut rows = connection.prepare_cached(
        "SELECT ply, uci, san, legal, made_ms, fen FROM moves WHERE game = ? ORDER BY ply",
    )?;
    let moves = rows.query_map([game], stored_move)?;
    Ok(moves.collect::<Result<_, _>>()?)
}

pub(super) fn stored_move(row: &Row<'_>) -> rusqlite::Result<StoredMove> {
    Ok(StoredMove {
        ply: row.get(0)?,
        uci: row.get(1)?,
        san: row.get(2)?,
        legal: row.get(3)?,
        made_ms: row.get(4)?,
        fen: row.get(5)?,
    })
}

/// The contact on the clock of the station.
pub(super) fn since_1970(contact: &Contact, zero_ms: f64) -> Contact {
    Contact {
        touch_ms: contact.touch_ms + zero_ms,
        lift_ms: contact.lift_ms.map(|ms| ms + zero_ms),
        place_ms: contact.place_ms.map(|ms| ms + zero_ms),
        release_ms: contact.release_ms + zero_ms,
        ..contact.clone()
    }
}

impl Store {
    /// The game that is being played on a board.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn open_game(&self, board: i64) -> Result<Option<Game>, StoreError> {
        let connection = self.connection();
        let find = format!("{GAME} WHERE g.board = ? AND g.ended_ms IS NULL");
        let found = connection.query_row(&find, [board], game).optional()?;
        found.map(|game| with_moves(&connection, game)).transpose()
    }

    /// Begins a game on a board; one that is still open ends.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn begin_game(
        &self,
        board: i64,
        start_fen: &str,
        laws: &str,
        begun_ms: f64,
    ) -> Result<Game, StoreError> {
        self.change(|c| {
            end_open_game(c, board, None, "")?;
            let players = players::take_pairing(c, board)?;
            c.tx.execute(
                "INSERT INTO games (board, begun_ms, start_fen, laws, white, black, round, tags)
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                params![
                    board,
                    begun_ms,
                    start_fen,
                    laws,
                    players.white,
                    players.black,
                    players.round,
                    json!(players.tags).to_string(),
                ],
            )?;
            let id = c.tx.last_insert_rowid();
            let body = json!({"board": board, "game": id, "fen": start_fen, "laws": laws,
                "players": players});
            c.log("game_begun", "", body)?;
            Ok(Game {
                id,
                begun_ms,
                start_fen: start_fen.to_owned(),
                laws: laws.to_owned(),
                players,
                moves: Vec::new(),
                told_fen: None,
            })
        })
    }

    /// Ends the game that is being played on a board, if there is one.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn end_game(
        &self,
        board: i64,
        result: Option<GameResult>,
        who: &str,
    ) -> Result<(), StoreError> {
        self.change(|c| end_open_game(c, board, result, who))
    }

    /// Notes that a person said which position stands after so many moves.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn set_position(
        &self,
        game: i64,
        ply: usize,
        fen: &str,
        who: &str,
    ) -> Result<(), StoreError> {
        self.change(|c| {
            c.tx.execute(
                "INSERT INTO positions (game, ply, fen, who, at_ms) VALUES (?, ?, ?, ?, ?)",
                params![game, ply as i64, fen, who, c.at_ms],
            )?;
            let body = json!({"game": game, "ply": ply, "fen": fen});
            c.log("position_set", who, body)
        })
    }

    /// Stores a turn, in place of what was stored for it and after it; returns the numbers of its
    /// incidents that are to be shown.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn record_turn(&self, turn: &TurnFound<'_>) -> Result<Vec<i64>, StoreError> {
        self.change(|c| {
            withdraw(c, turn)?;
            contacts::record(c, turn)?;
            let Some(played) = turn.found.moves.first() else {
                return Ok(Vec::new());
            };
            let made_ms = played.made_ms + turn.zero_ms;
            c.tx.execute(
                "INSERT INTO moves (game, ply, uci, san, legal, made_ms, probability, fen)
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                params![
                    turn.game,
                    turn.ply,
                    played.uci,
                    played.san,
                    played.legal,
                    made_ms,
                    played.probability.unwrap_or(1.0),
                    turn.after
                ],
            )?;
            c.log(
                "move",
                "",
                json!({"game": turn.game, "ply": turn.ply, "uci": played.uci, "san": played.san,
                    "legal": played.legal, "made_ms": made_ms, "fen": turn.after}),
            )?;
            let mut shown = Vec::new();
            for incident in &turn.found.incidents {
                shown.extend(incidents::add(c, turn, incident, &played.san)?);
            }
            Ok(shown)
        })
    }

    /// The number of the board that a row of the log tells of, by its body.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn board_told(&self, body: &Value) -> Result<Option<i64>, StoreError> {
        if let Some(board) = body["board"].as_i64() {
            return Ok(Some(board));
        }
        if let Some(incident) = body["incident"].as_i64() {
            return self.board_of(incident).map(Some);
        }
        match body["game"].as_i64() {
            Some(game) => self.board_of_game(game).map(Some),
            None => Ok(None),
        }
    }

    /// The number of the board of a game.
    ///
    /// # Errors
    /// [`StoreError::Missing`].
    pub fn board_of_game(&self, game: i64) -> Result<i64, StoreError> {
        let find = "SELECT board FROM games WHERE id = ?";
        self.connection()
            .query_row(find, [game], |r| r.get(0))
            .optional()?
            .ok_or(StoreError::Missing("game"))
    }
}

fn end_open_game(
    c: &mut Change<'_>,
    board: i64,
    result: Option<GameResult>,
    who: &str,
) -> Result<(), StoreError> {
    let result = result.map(GameResult::as_str);
    let ended = c.tx.execute(
        "UPDATE games SET ended_ms = ?, result = ? WHERE board = ? AND ended_ms IS NULL",
        params![c.at_ms, result, board],
    )?;
    if ended > 0 {
        c.log("game_ended", who, json!({"board": board, "result": result}))?;
    }
    Ok(())
}

/// What hung on moves that turned out to be others.
fn withdraw(c: &mut Change<'_>, turn: &TurnFound<'_>) -> Result<(), StoreError> {
    let taken_back = c.tx.execute(
        "DELETE FROM moves WHERE game = ? AND ply >= ?",
        params![turn.game, turn.ply],
    )?;
    if taken_back == 0 {
        return Ok(());
    }
    let body = json!({"game": turn.game, "ply": turn.ply});
    c.log("moves_revised", "", body)?;
    let ids: Vec<i64> = {
        let mut rows = c.tx.prepare(
            "UPDATE incidents SET withdrawn = 1 WHERE game = ? AND ply >= ? AND withdrawn = 0
             RETURNING id",
        )?;
        let found = rows.query_map(params![turn.game, turn.ply], |r| r.get(0))?;
        found.collect::<Result<_, _>>()?
    };
    for id in ids {
        c.log("incident_withdrawn", "", json!({"incident": id}))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
