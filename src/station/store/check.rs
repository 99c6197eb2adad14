//! Whether the database, its log and the files beside it are what was written.
//!
//! The log shows that a row was changed, taken out or put in between. That its last rows were cut
//! off, or that all of it was written anew, it cannot show by itself: note the newest hash, which
//! [`check`] tells, outside the station.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use super::{FIRST_HASH, StoreError, link};
use crate::station::{evidence_folder, footage, hex};

/// What a check found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    /// Rows of the log.
    pub rows: u64,
    /// The newest row's hash.
    pub newest: String,
    /// Incidents whose frames were compared.
    pub incidents: u64,
    /// What is not as it was written, a sentence each.
    pub faults: Vec<String>,
}

/// Checks a station's folder; nothing is changed.
///
/// # Errors
/// [`StoreError`] when it cannot be read at all.
pub fn check(folder: &Path) -> Result<Checked, StoreError> {
    let path = folder.join("station.db");
    if !path.is_file() {
        return Err(StoreError::Missing("station database in this folder"));
    }
    let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut checked = Checked::default();
    let said: String = connection.query_row("PRAGMA integrity_check(1)", [], |r| r.get(0))?;
    if said != "ok" {
        checked.faults.push(format!("SQLite: {said}"));
    }
    chain(&connection, &mut checked)?;
    rulings(&connection, &mut checked)?;
    corrections(&connection, &mut checked)?;
    evidence(&connection, folder, &mut checked)?;
    Ok(checked)
}

fn chain(connection: &Connection, checked: &mut Checked) -> Result<(), StoreError> {
    let mut rows =
        connection.prepare("SELECT seq, at_ms, kind, who, body, hash FROM log ORDER BY seq")?;
    let mut rows = rows.query([])?;
    let mut before = FIRST_HASH;
    while let Some(row) = rows.next()? {
        checked.rows += 1;
        let seq: i64 = row.get(0)?;
        let (kind, who, body): (String, String, String) = (row.get(2)?, row.get(3)?, row.get(4)?);
        let hash: [u8; 32] = row.get(5)?;
        if hash != link(&before, seq, row.get(1)?, &kind, &who, &body) {
            let fault = format!(
                "row {seq} of the log ({kind}) is not as it was written, or a row before it is missing"
            );
            checked.faults.push(fault);
        }
        before = hash;
    }
    checked.newest = hex(&before);
    Ok(())
}

/// Each ruling is what the log says that it was.
fn rulings(connection: &Connection, checked: &mut Checked) -> Result<(), StoreError> {
    let mut rows = connection.prepare(
        "SELECT r.id, r.incident, r.ruling, r.who, l.body FROM rulings r
         LEFT JOIN log l ON l.kind = 'ruling' AND l.body ->> 'id' = r.id
         ORDER BY r.id",
    )?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        let (id, incident): (i64, i64) = (row.get(0)?, row.get(1)?);
        let (ruling, who): (Option<String>, String) = (row.get(2)?, row.get(3)?);
        let logged: Option<String> = row.get(4)?;
        let logged: Value = logged
            .and_then(|body| serde_json::from_str(&body).ok())
            .unwrap_or_default();
        let same = logged["incident"] == incident
            && logged["ruling"].as_str() == ruling.as_deref()
            && logged["who"] == who.as_str();
        if !same {
            let fault = format!("ruling {id} on incident {incident} is not what the log says");
            checked.faults.push(fault);
        }
    }
    Ok(())
}

/// Each correction is what the log says that it was.
fn corrections(connection: &Connection, checked: &mut Checked) -> Result<(), StoreError> {
    let mut rows = connection.prepare(
        "SELECT c.id, c.incident FROM corrections c
         LEFT JOIN log l ON l.kind = 'correction' AND l.body ->> 'id' = c.id
         WHERE l.seq IS NULL OR l.body ->> 'incident' <> c.incident
         OR l.body ->> 'contact' <> c.contact OR l.body ->> 'correction' IS NOT c.correction
         OR l.who <> c.who ORDER BY c.id",
    )?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        let (id, incident): (i64, i64) = (row.get(0)?, row.get(1)?);
        let fault = format!("correction {id} at incident {incident} is not what the log says");
        checked.faults.push(fault);
    }
    Ok(())
}

/// The frames kept of each incident are those that were kept; those that are not there any more were
/// deleted by the rule.
fn evidence(
    connection: &Connection,
    folder: &Path,
    checked: &mut Checked,
) -> Result<(), StoreError> {
    let mut rows = connection.prepare(
        "SELECT i.id, i.sha256, i.freed_ms IS NOT NULL, EXISTS (SELECT 1 FROM log l
             WHERE l.kind = 'evidence_freed' AND l.body ->> 'incident' = i.id)
             FROM incidents i WHERE i.sha256 IS NOT NULL ORDER BY i.id",
    )?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        let (id, written): (i64, String) = (row.get(0)?, row.get(1)?);
        let (freed, logged): (bool, bool) = (row.get(2)?, row.get(3)?);
        if freed && logged {
            continue;
        }
        checked.incidents += 1;
        let fault = match footage::hash(&evidence_folder(folder, id)) {
            Ok(found) if found == written => continue,
            Ok(_) => format!("the frames of incident {id} are not those that were kept"),
            Err(error) => format!("the frames of incident {id} cannot be read: {error}"),
        };
        checked.faults.push(fault);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::station::{clock::Clock, store::Store};

    /// What a check says after a change by other means.
    fn after(change: &str) -> Checked {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Clock::start()).unwrap();
        for n in 0..5 {
            store.note("something", "anna", json!({"n": n})).unwrap();
        }
        store.connection().execute_batch(change).unwrap();
        check(folder.path()).unwrap()
    }

    #[test]
    fn what_was_written_is_found_so() {
        let checked = after("");
        assert_eq!((checked.rows, checked.faults.len()), (5, 0), "{checked:?}");
        assert_eq!(checked.newest.len(), 64);
    }

    #[test]
    fn every_kind_of_tampering_shows() {
        for change in [
            "UPDATE log SET body = '{\"n\":7}' WHERE seq = 3",
            "UPDATE log SET who = 'bob' WHERE seq = 1",
            "UPDATE log SET at_ms = at_ms + 1 WHERE seq = 5",
            "DELETE FROM log WHERE seq = 2",
            "UPDATE log SET seq = 10 WHERE seq = 5",
            "UPDATE log SET hash = zeroblob(32) WHERE seq = 4",
        ] {
            assert!(!after(change).faults.is_empty(), "{change}");
        }
    }
}
