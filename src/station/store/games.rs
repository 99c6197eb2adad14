//! Games, moves, incidents and rulings.

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    Change, Store, StoreError, contacts,
    corrections::Corrected,
    players::{self, Players},
};
use crate::{
    events::Findings,
    record::{Contact, Incident, Player, Severity},
};

/// What an arbiter decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// There was a breach.
    Upheld,
    /// There was none.
    Dismissed,
    /// It cannot be told.
    Unclear,
}

impl Ruling {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Upheld => "upheld",
            Self::Dismissed => "dismissed",
            Self::Unclear => "unclear",
        }
    }
}

/// A move as stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Serialize)]
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

/// The ruling that stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ruled {
    /// What.
    pub ruling: Ruling,
    /// Why.
    pub note: String,
    /// By whom.
    pub who: String,
    /// When, milliseconds since 1970.
    pub at_ms: f64,
}

/// An incident as stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StoredIncident {
    /// Its number.
    pub id: i64,
    /// Number of the game.
    pub game: i64,
    /// Name of the board.
    pub board: String,
    /// Who plays.
    pub players: Players,
    /// Edition of the Laws.
    pub laws: String,
    /// Number of the turn, from 0.
    pub ply: u32,
    /// When it was complete, milliseconds since 1970.
    pub at_ms: f64,
    /// As `touch_move`.
    pub kind: String,
    /// Whose breach.
    pub player: Player,
    /// How much time it deserves.
    pub severity: Severity,
    /// P(breach).
    pub probability: f64,
    /// Article.
    pub article: String,
    /// Position before the turn.
    pub fen: String,
    /// What was played, SAN.
    pub played: String,
    /// Moves that would have been right, UCI.
    pub obliged: Vec<String>,
    /// The turn's contacts; times are milliseconds since 1970.
    pub contacts: Vec<Contact>,
    /// Which contact it is about.
    pub contact: Option<u32>,
    /// Why, in English.
    pub explanation: Vec<String>,
    /// Frames that are kept.
    pub frames: u32,
    /// The move that it hung on turned out to be another one.
    pub withdrawn: bool,
    /// What was said of a touch of its turn, if anything: what it amounts to is judged with that.
    pub corrected: Option<Corrected>,
    /// What stands.
    pub ruled: Option<Ruled>,
    /// Its frames are never deleted: an arbiter holds them.
    pub held: bool,
    /// Its frames were deleted: their time was over.
    pub freed: bool,
}

/// Words of the database and of JSON are the same; what is not one of them is odd.
pub(super) fn word<T: serde::de::DeserializeOwned>(text: String) -> rusqlite::Result<T> {
    let odd = |e: serde_json::Error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(e))
    };
    serde_json::from_value(serde_json::Value::String(text)).map_err(odd)
}

fn list<T: serde::de::DeserializeOwned>(text: &str) -> Vec<T> {
    serde_json::from_str(text).unwrap_or_default()
}

pub(super) const INCIDENT: &str = "SELECT i.id, b.name, g.laws, i.ply, i.at_ms, i.kind, i.player,
    coalesce(j.severity, i.severity), coalesce(j.probability, i.probability), i.article, i.fen,
    i.played, coalesce(j.obliged, i.obliged), i.contacts, i.contact,
    coalesce(j.explanation, i.explanation), i.frames, i.withdrawn, r.ruling, r.note, r.who, r.at_ms,
    i.held,
    i.freed_ms IS NOT NULL, i.game, c.correction, c.contact, c.who, c.at_ms, g.white, g.black, g.round
    FROM incidents i JOIN games g ON g.id = i.game JOIN boards b ON b.id = g.board
    LEFT JOIN rulings r ON r.id = (SELECT max(id) FROM rulings WHERE incident = i.id)
    LEFT JOIN judgements j ON j.id = (SELECT max(id) FROM judgements WHERE incident = i.id)
    LEFT JOIN corrections c ON c.id = j.correction";

pub(super) fn incident(row: &Row<'_>) -> rusqlite::Result<StoredIncident> {
    let (obliged, contacts, explanation): (String, String, String) =
        (row.get(12)?, row.get(13)?, row.get(15)?);
    let ruled = match row.get::<_, Option<String>>(18)? {
        Some(ruling) => Some(Ruled {
            ruling: word(ruling)?,
            note: row.get(19)?,
            who: row.get(20)?,
            at_ms: row.get(21)?,
        }),
        None => None,
    };
    let corrected = match row.get::<_, Option<String>>(25)? {
        Some(correction) => Some(Corrected {
            correction: word(correction)?,
            contact: row.get(26)?,
            who: row.get(27)?,
            at_ms: row.get(28)?,
        }),
        None => None,
    };
    Ok(StoredIncident {
        id: row.get(0)?,
        game: row.get(24)?,
        board: row.get(1)?,
        players: Players {
            white: row.get(29)?,
            black: row.get(30)?,
            round: row.get(31)?,
        },
        laws: row.get(2)?,
        ply: row.get(3)?,
        at_ms: row.get(4)?,
        kind: row.get(5)?,
        player: word(row.get(6)?)?,
        severity: word(row.get(7)?)?,
        probability: row.get(8)?,
        article: row.get(9)?,
        fen: row.get(10)?,
        played: row.get(11)?,
        obliged: list(&obliged),
        contacts: list(&contacts),
        contact: row.get(14)?,
        explanation: list(&explanation),
        frames: row.get(16)?,
        withdrawn: row.get(17)?,
        corrected,
        ruled,
        held: row.get(22)?,
        freed: row.get(23)?,
    })
}

pub(super) const GAME: &str = "SELECT g.id, g.begun_ms, g.start_fen, g.laws, g.white, g.black,
    g.round FROM games g";

/// A game, its moves still to come.
pub(super) fn game(row: &Row<'_>) -> rusqlite::Result<Game> {
    Ok(Game {
        id: row.get(0)?,
        begun_ms: row.get(1)?,
        start_fen: row.get(2)?,
        laws: row.get(3)?,
        players: Players {
            white: row.get(4)?,
            black: row.get(5)?,
            round: row.get(6)?,
        },
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

pub(super) const fn severity(of: Option<Severity>) -> &'static str {
    match of {
        Some(Severity::Alert) | None => "alert",
        Some(Severity::Review) => "review",
        Some(Severity::Log) => "log",
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
                "INSERT INTO games (board, begun_ms, start_fen, laws, white, black, round)
                 VALUES (?, ?, ?, ?, ?, ?, ?)",
                params![
                    board,
                    begun_ms,
                    start_fen,
                    laws,
                    players.white,
                    players.black,
                    players.round
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
                let id = add_incident(c, turn, incident, &played.san)?;
                if incident.severity != Some(Severity::Log) {
                    shown.push(id);
                }
            }
            Ok(shown)
        })
    }

    /// Notes that an incident's frames are kept.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn kept(&self, incident: i64, frames: usize, sha256: &str) -> Result<(), StoreError> {
        self.change(|c| {
            c.tx.execute(
                "UPDATE incidents SET frames = ?, sha256 = ? WHERE id = ?",
                params![frames as i64, sha256, incident],
            )?;
            let body = json!({"incident": incident, "frames": frames, "sha256": sha256});
            c.log("evidence", "", body)
        })
    }

    /// Incidents that are to be shown, newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn incidents(&self, most: u32) -> Result<Vec<StoredIncident>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare_cached(&format!(
            "{INCIDENT} WHERE (i.severity <> 'log' OR c.correction IS NOT NULL AND EXISTS
             (SELECT 1 FROM judgements WHERE incident = i.id AND severity <> 'log'))
             AND (i.withdrawn = 0 OR r.ruling IS NOT NULL)
             ORDER BY i.id DESC LIMIT ?"
        ))?;
        let found = rows.query_map([most], incident)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// One incident.
    ///
    /// # Errors
    /// [`StoreError::Missing`].
    pub fn incident(&self, id: i64) -> Result<StoredIncident, StoreError> {
        let connection = self.connection();
        connection
            .query_row(&format!("{INCIDENT} WHERE i.id = ?"), [id], incident)
            .optional()?
            .ok_or(StoreError::Missing("incident"))
    }

    /// The number of the board of an incident.
    ///
    /// # Errors
    /// [`StoreError::Missing`].
    pub fn board_of(&self, incident: i64) -> Result<i64, StoreError> {
        let find = "SELECT g.board FROM incidents i JOIN games g ON g.id = i.game WHERE i.id = ?";
        self.connection()
            .query_row(find, [incident], |r| r.get(0))
            .optional()?
            .ok_or(StoreError::Missing("incident"))
    }

    /// Rules on an incident; none takes the last ruling back.
    ///
    /// # Errors
    /// [`StoreError::Missing`], or [`StoreError::Refused`] when there is nothing to take back.
    pub fn rule(
        &self,
        incident: i64,
        ruling: Option<Ruling>,
        note: &str,
        who: &str,
    ) -> Result<(), StoreError> {
        if ruling.is_none() && self.incident(incident)?.ruled.is_none() {
            return Err(StoreError::Refused("there is no ruling to take back"));
        }
        self.change(|c| {
            let there = "SELECT 1 FROM incidents WHERE id = ?";
            let known = c.tx.query_row(there, [incident], |_| Ok(())).optional()?;
            known.ok_or(StoreError::Missing("incident"))?;
            let word = ruling.map(Ruling::as_str);
            c.tx.execute(
                "INSERT INTO rulings (incident, ruling, note, who, at_ms) VALUES (?, ?, ?, ?, ?)",
                params![incident, word, note, who, c.at_ms],
            )?;
            let id = c.tx.last_insert_rowid();
            let body =
                json!({"id": id, "incident": incident, "ruling": word, "note": note, "who": who});
            c.log("ruling", who, body)
        })
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

fn add_incident(
    c: &mut Change<'_>,
    turn: &TurnFound<'_>,
    incident: &Incident,
    played: &str,
) -> Result<i64, StoreError> {
    let contacts: Vec<Contact> = turn
        .found
        .contacts
        .iter()
        .map(|contact| since_1970(contact, turn.zero_ms))
        .collect();
    let at_ms = incident.ms + turn.zero_ms;
    let player = match incident.player {
        Player::White => "white",
        Player::Black => "black",
    };
    c.tx.execute(
        "INSERT INTO incidents (game, ply, at_ms, kind, player, severity, probability, article,
         fen, played, obliged, contacts, contact, explanation)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            turn.game,
            turn.ply,
            at_ms,
            incident.kind,
            player,
            severity(incident.severity),
            incident.probability.unwrap_or(1.0),
            incident.article,
            turn.before,
            played,
            json!(incident.obliged).to_string(),
            json!(contacts).to_string(),
            incident.contact,
            json!(incident.explanation).to_string(),
        ],
    )?;
    let id = c.tx.last_insert_rowid();
    let body = json!({"incident": id, "game": turn.game, "ply": turn.ply, "at_ms": at_ms,
        "found": incident});
    c.log("incident", "", body)?;
    Ok(id)
}

#[cfg(test)]
mod tests;
