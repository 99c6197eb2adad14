//! What hands did, as it is kept with a game: one row a contact.

use rusqlite::{Row, params};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::{
    Change, Store, StoreError,
    games::{TurnFound, since_1970, word},
};
use crate::record::Contact;

/// A contact with the turn that it belongs to.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct StoredContact {
    /// Number of the turn, from 0.
    pub ply: u32,
    /// The contact, numbered within the turn; times are milliseconds since 1970.
    #[serde(flatten)]
    pub contact: Contact,
}

/// As a word of the database, which is the one of JSON.
fn as_word(value: impl Serialize) -> Option<String> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => Some(word),
        _ => None,
    }
}

fn contact(row: &Row<'_>) -> rusqlite::Result<StoredContact> {
    Ok(StoredContact {
        ply: row.get(0)?,
        contact: Contact {
            id: row.get(1)?,
            player: word(row.get(2)?)?,
            hand: row.get::<_, Option<String>>(3)?.map(word).transpose()?,
            square: row.get(4)?,
            to: row.get(5)?,
            piece: row.get(6)?,
            kind: word(row.get(7)?)?,
            touch_ms: row.get(8)?,
            lift_ms: row.get(9)?,
            place_ms: row.get(10)?,
            release_ms: row.get(11)?,
            probability: row.get(12)?,
        },
    })
}

/// Stores the contacts of a turn in place of those of it and of later ones.
pub(super) fn record(c: &mut Change<'_>, turn: &TurnFound<'_>) -> Result<(), StoreError> {
    c.tx.execute(
        "DELETE FROM contacts WHERE game = ? AND ply >= ?",
        params![turn.game, turn.ply],
    )?;
    let contacts: Vec<Contact> = turn
        .found
        .contacts
        .iter()
        .map(|contact| since_1970(contact, turn.zero_ms))
        .collect();
    for contact in &contacts {
        c.tx.execute(
            "INSERT INTO contacts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                turn.game,
                turn.ply,
                contact.id,
                as_word(contact.player),
                contact.hand.and_then(as_word),
                contact.square,
                contact.to,
                contact.piece,
                as_word(contact.kind),
                contact.touch_ms,
                contact.lift_ms,
                contact.place_ms,
                contact.release_ms,
                contact.probability.unwrap_or(1.0),
            ],
        )?;
    }
    if contacts.is_empty() {
        return Ok(());
    }
    let body = json!({"game": turn.game, "ply": turn.ply, "contacts": contacts});
    c.log("contacts", "", body)
}

impl Store {
    /// What hands did in a game, turn by turn, by time of touch.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn contacts(&self, game: i64) -> Result<Vec<StoredContact>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare_cached(
            "SELECT ply, number, player, hand, square, to_square, piece, kind, touch_ms, lift_ms,
             place_ms, release_ms, probability FROM contacts WHERE game = ? ORDER BY ply, number",
        )?;
        let found = rows.query_map([game], contact)?;
        Ok(found.collect::<Result<_, _>>()?)
    }
}
