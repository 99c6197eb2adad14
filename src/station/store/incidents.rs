//! Incidents and rulings.

use rusqlite::{OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{
    Change, Store, StoreError, alerts,
    corrections::Corrected,
    games::{TurnFound, since_1970, word},
    people::Boards,
    players::{self, Players},
};
use crate::record::{Contact, Incident, Player, Severity};

/// What an arbiter decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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

/// The ruling that stands.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
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
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
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

fn list<T: serde::de::DeserializeOwned>(text: &str) -> Vec<T> {
    serde_json::from_str(text).unwrap_or_default()
}

pub(super) const INCIDENT: &str = "SELECT i.id, b.name, g.laws, i.ply, i.at_ms, i.kind, i.player,
    coalesce(j.severity, i.severity), coalesce(j.probability, i.probability), i.article, i.fen,
    i.played, coalesce(j.obliged, i.obliged), i.contacts, i.contact,
    coalesce(j.explanation, i.explanation), i.frames, i.withdrawn, r.ruling, r.note, r.who, r.at_ms,
    i.held,
    i.freed_ms IS NOT NULL, i.game, c.correction, c.contact, c.who, c.at_ms, g.white, g.black, g.round,
    g.tags FROM incidents i JOIN games g ON g.id = i.game JOIN boards b ON b.id = g.board
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
        players: players::read(row, 29)?,
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

/// As a word of the database.
pub(super) const fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Alert => "alert",
        Severity::Review => "review",
        Severity::Log => "log",
    }
}

impl Store {
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

    /// Incidents of some boards that are to be shown, newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn incidents(&self, boards: &Boards, most: u32) -> Result<Vec<StoredIncident>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare_cached(&format!(
            "{INCIDENT} WHERE (i.severity <> 'log' OR c.correction IS NOT NULL AND EXISTS
             (SELECT 1 FROM judgements WHERE incident = i.id AND severity <> 'log'))
             AND (i.withdrawn = 0 OR r.ruling IS NOT NULL)
             AND (?1 IS NULL OR g.board IN (SELECT value FROM json_each(?1)))
             ORDER BY i.id DESC LIMIT ?2"
        ))?;
        let found = rows.query_map(params![boards.to_column(), most], incident)?;
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

/// Stores an incident; returns its number if it is to be shown.
pub(super) fn add(
    c: &mut Change<'_>,
    turn: &TurnFound<'_>,
    incident: &Incident,
    played: &str,
) -> Result<Option<i64>, StoreError> {
    let severity = match incident.severity {
        _ if !alerts::in_use(c, &incident.kind)? => Severity::Log,
        found => found.unwrap_or(Severity::Alert),
    };
    let shown = severity != Severity::Log;
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
            severity_word(severity),
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
        "found": incident, "shown": shown});
    c.log("incident", "", body)?;
    Ok(shown.then_some(id))
}
