//! Boards: their numbers, and what watches those that were added on the page.

use rusqlite::{OptionalExtension, params};
use serde_json::json;

use super::{Change, Store, StoreError};

/// A board that was added on the page.
#[derive(Clone, PartialEq, Eq)]
pub struct Added {
    /// Its name.
    pub name: String,
    /// What watches it, as it was given; may hold a password.
    pub source: String,
    /// Where its games begin.
    pub start_fen: String,
}

fn number(c: &mut Change<'_>, name: &str) -> Result<i64, StoreError> {
    let find = "SELECT id FROM boards WHERE name = ?";
    let known = c.tx.query_row(find, [name], |r| r.get(0)).optional()?;
    if let Some(id) = known {
        return Ok(id);
    }
    c.tx.execute("INSERT INTO boards (name) VALUES (?)", [name])?;
    let id = c.tx.last_insert_rowid();
    c.log("board", "", json!({"id": id, "name": name}))?;
    Ok(id)
}

impl Store {
    /// The number of a board by its name; a new one if need be.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn board(&self, name: &str) -> Result<i64, StoreError> {
        self.change(|c| number(c, name))
    }

    /// Keeps a board that was added on the page; its number. `shown` is the source without secrets.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn add_board(&self, added: &Added, shown: &str, who: &str) -> Result<i64, StoreError> {
        self.change(|c| {
            let id = number(c, &added.name)?;
            c.tx.execute(
                "UPDATE boards SET source = ?, start_fen = ? WHERE id = ?",
                params![added.source, added.start_fen, id],
            )?;
            let body = json!({"board": id, "name": added.name, "source": shown});
            c.log("board_added", who, body)?;
            Ok(id)
        })
    }

    /// A board is no longer to be watched; its games stay.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn remove_board(&self, id: i64, who: &str) -> Result<(), StoreError> {
        self.change(|c| {
            let forget = "UPDATE boards SET source = NULL, start_fen = NULL WHERE id = ?";
            c.tx.execute(forget, [id])?;
            c.log("board_removed", who, json!({"board": id}))
        })
    }

    /// The boards that were added on the page.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn added_boards(&self) -> Result<Vec<Added>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare(
            "SELECT name, source, start_fen FROM boards WHERE source IS NOT NULL ORDER BY id",
        )?;
        let found = rows.query_map([], |r| {
            Ok(Added {
                name: r.get(0)?,
                source: r.get(1)?,
                start_fen: r.get(2)?,
            })
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }
}
