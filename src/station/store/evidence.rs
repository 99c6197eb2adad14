//! What is kept of incidents: how long, by whose word longer, and what belongs to one when it is
//! handed out.

use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    FIRST_HASH, Store, StoreError,
    games::{GAME, Game, StoredMove, game, stored_move, with_moves, word},
    incidents::{INCIDENT, Ruling, StoredIncident, incident},
    link,
};
use crate::station::hex;

/// A ruling as it was given; none takes the last one back.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Given {
    /// What.
    pub ruling: Option<Ruling>,
    /// Why.
    pub note: String,
    /// By whom.
    pub who: String,
    /// When, milliseconds since 1970.
    pub at_ms: f64,
}

/// A row of the log with the hash of the row before it and its own: whether the two fit together
/// can be told without the rest of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Linked {
    /// Running number.
    pub seq: i64,
    /// When, milliseconds since 1970.
    pub at_ms: f64,
    /// What.
    pub kind: String,
    /// Which user; empty for the station itself.
    pub who: String,
    /// The rest, JSON as it was written.
    pub body: String,
    /// Hash of the row before, hexadecimal.
    pub before: String,
    /// Its own.
    pub hash: String,
}

impl Linked {
    /// Whether its hash is that of what it says after the row before.
    #[must_use]
    pub fn fits(&self) -> bool {
        let Some(before) = crate::station::unhex(&self.before) else {
            return false;
        };
        let hash = link(
            &before, self.seq, self.at_ms, &self.kind, &self.who, &self.body,
        );
        hex(&hash) == self.hash
    }
}

impl Store {
    /// Holds an incident's evidence, or lets it go.
    ///
    /// # Errors
    /// [`StoreError::Missing`], or [`StoreError::Refused`] when it was freed already.
    pub fn hold(&self, incident: i64, held: bool, who: &str) -> Result<(), StoreError> {
        self.change(|c| {
            let find = "SELECT held, freed_ms IS NOT NULL FROM incidents WHERE id = ?";
            let row = |r: &rusqlite::Row<'_>| Ok((r.get::<_, bool>(0)?, r.get::<_, bool>(1)?));
            let known = c.tx.query_row(find, [incident], row).optional()?;
            let (was, freed) = known.ok_or(StoreError::Missing("incident"))?;
            if freed {
                return Err(StoreError::Refused(
                    "its frames were deleted: their time was over",
                ));
            }
            if was == held {
                return Ok(());
            }
            let set = "UPDATE incidents SET held = ? WHERE id = ?";
            c.tx.execute(set, params![held, incident])?;
            let kind = if held { "held" } else { "let_go" };
            c.log(kind, who, json!({"incident": incident}))
        })
    }

    /// Incidents that are to be shown and whose frames were never kept, with their boards: the
    /// program ended before it could.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn unkept(&self) -> Result<Vec<(i64, i64)>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare_cached(
            "SELECT i.id, g.board FROM incidents i JOIN games g ON g.id = i.game
             WHERE i.severity <> 'log' AND i.sha256 IS NULL AND i.withdrawn = 0
             AND i.freed_ms IS NULL ORDER BY i.id",
        )?;
        let found = rows.query_map([], |r| Ok((r.get(0)?, r.get(1)?)))?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Incidents from before a time whose frames nobody holds.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn evidence_before(&self, at_ms: f64) -> Result<Vec<i64>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare_cached(
            "SELECT id FROM incidents WHERE at_ms < ? AND held = 0 AND freed_ms IS NULL
             AND sha256 IS NOT NULL ORDER BY id",
        )?;
        let found = rows.query_map([at_ms], |r| r.get(0))?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Notes that an incident's frames are deleted now by the rule of so many days; whether they
    /// may be: who holds them may have been faster.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn free_evidence(&self, incident: i64, days: f64) -> Result<bool, StoreError> {
        self.change(|c| {
            let changed = c.tx.execute(
                "UPDATE incidents SET freed_ms = ?, frames = 0
                 WHERE id = ? AND held = 0 AND freed_ms IS NULL",
                params![c.at_ms, incident],
            )?;
            if changed > 0 {
                let body = json!({"incident": incident, "days": days});
                c.log("evidence_freed", "", body)?;
            }
            Ok(changed > 0)
        })
    }

    /// Incidents whose frames are deleted, or were to be when the program ended.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn freed_evidence(&self) -> Result<Vec<i64>, StoreError> {
        let connection = self.connection();
        let mut rows =
            connection.prepare_cached("SELECT id FROM incidents WHERE freed_ms IS NOT NULL")?;
        let found = rows.query_map([], |r| r.get(0))?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Every ruling on an incident, oldest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn rulings(&self, incident: i64) -> Result<Vec<Given>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare_cached(
            "SELECT ruling, note, who, at_ms FROM rulings WHERE incident = ? ORDER BY id",
        )?;
        let found = rows.query_map([incident], |r| {
            Ok(Given {
                ruling: r.get::<_, Option<String>>(0)?.map(word).transpose()?,
                note: r.get(1)?,
                who: r.get(2)?,
                at_ms: r.get(3)?,
            })
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The game of an incident, with its moves as they stand.
    ///
    /// # Errors
    /// [`StoreError::Missing`].
    pub fn game_of(&self, incident: i64) -> Result<Game, StoreError> {
        let connection = self.connection();
        let find = format!("{GAME} JOIN incidents i ON i.game = g.id WHERE i.id = ?");
        let found = connection.query_row(&find, [incident], game).optional()?;
        with_moves(&connection, found.ok_or(StoreError::Missing("incident"))?)
    }

    /// The rows of the log that speak of an incident, oldest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn log_of(&self, incident: i64) -> Result<Vec<Linked>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare_cached(
            "SELECT l.seq, l.at_ms, l.kind, l.who, l.body, b.hash, l.hash FROM log l
             LEFT JOIN log b ON b.seq = l.seq - 1
             WHERE l.body ->> 'incident' = ? ORDER BY l.seq",
        )?;
        let found = rows.query_map([incident], |r| {
            let before: Option<[u8; 32]> = r.get(5)?;
            let hash: [u8; 32] = r.get(6)?;
            Ok(Linked {
                seq: r.get(0)?,
                at_ms: r.get(1)?,
                kind: r.get(2)?,
                who: r.get(3)?,
                body: r.get(4)?,
                before: hex(&before.unwrap_or(FIRST_HASH)),
                hash: hex(&hash),
            })
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The number and the hash of the newest row of the log.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn newest_hash(&self) -> Result<(i64, String), StoreError> {
        let newest = "SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1";
        let row = |r: &rusqlite::Row<'_>| Ok((r.get(0)?, hex(&r.get::<_, [u8; 32]>(1)?)));
        let found = self.connection().query_row(newest, [], row).optional()?;
        Ok(found.unwrap_or_else(|| (0, hex(&FIRST_HASH))))
    }

    /// What happened on a board between two times, milliseconds since 1970, by time: moves, and
    /// incidents with their contacts.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn happened(
        &self,
        board: i64,
        from_ms: f64,
        to_ms: f64,
    ) -> Result<(Vec<StoredMove>, Vec<StoredIncident>), StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare_cached(
            "SELECT m.ply, m.uci, m.san, m.legal, m.made_ms, m.fen FROM moves m
             JOIN games g ON g.id = m.game
             WHERE g.board = ? AND m.made_ms BETWEEN ? AND ? ORDER BY m.made_ms",
        )?;
        let moves = rows.query_map(params![board, from_ms, to_ms], stored_move)?;
        let moves = moves.collect::<Result<_, _>>()?;
        let mut rows = connection.prepare_cached(&format!(
            "{INCIDENT} WHERE g.board = ? AND i.at_ms BETWEEN ? AND ? AND i.severity <> 'log'
             AND i.withdrawn = 0 ORDER BY i.at_ms"
        ))?;
        let found = rows.query_map(params![board, from_ms, to_ms], incident)?;
        Ok((moves, found.collect::<Result<_, _>>()?))
    }
}
