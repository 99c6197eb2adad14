//! What the station must not lose: games, incidents, rulings, people, and a log of everything that
//! was done, in one SQLite file.
//!
//! A change is one transaction that also writes its rows of the log; it is confirmed when it is on
//! disk, and only then told to those who follow the log. The log is a hash chain: see
//! [`check`].

pub mod alerts;
pub mod boards;
pub mod check;
pub mod contacts;
pub mod corrections;
pub mod evidence;
pub mod games;
pub mod incidents;
mod migrate;
pub mod people;
pub mod players;
pub mod reviews;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, Transaction, params};
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::broadcast;
use utoipa::ToSchema;

use super::clock::Clock;

/// Rows of the log that may wait for a follower before it has to read them from the store.
const FOLLOWERS_MOST: usize = 256;
/// What stands before the first row of the log.
const FIRST_HASH: [u8; 32] = [0; 32];

/// Why the store cannot do something.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite.
    #[error("the station's database: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// Files beside it.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Footage.
    #[error(transparent)]
    Footage(#[from] super::footage::FootageError),
    /// A newer program wrote it.
    #[error(
        "the station's database has version {found}, this program knows up to {known}: start the newer program that wrote it"
    )]
    Newer {
        /// Its version.
        found: usize,
        /// The newest known.
        known: usize,
    },
    /// The station's key.
    #[error(transparent)]
    Key(#[from] super::key::KeyError),
    /// No such row.
    #[error("there is no such {0}")]
    Missing(&'static str),
    /// What was asked for cannot be.
    #[error("{0}")]
    Refused(&'static str),
    /// A row that is not as this program writes it.
    #[error("the station's database holds {0}")]
    Odd(String),
}

/// One row of the log.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Entry {
    /// Running number, from 1.
    pub seq: i64,
    /// When, milliseconds since 1970.
    pub at_ms: f64,
    /// What: `move`, `incident`, `ruling`, `footage`, `login`, ...
    pub kind: String,
    /// Which user; empty for the station itself.
    pub who: String,
    /// The rest.
    #[schema(value_type = Object)]
    pub body: Value,
}

/// The station's database.
pub struct Store {
    connection: Mutex<Connection>,
    clock: Clock,
    followers: broadcast::Sender<Arc<Entry>>,
    /// A damaged database that was found and moved aside, and where to.
    pub moved_aside: Option<PathBuf>,
}

/// A transaction, and what of it is told when it is confirmed.
struct Change<'a> {
    tx: Transaction<'a>,
    at_ms: f64,
    said: Vec<Entry>,
}

impl Change<'_> {
    fn log(&mut self, kind: &str, who: &str, body: Value) -> Result<(), StoreError> {
        let newest = "SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1";
        let (before, hash): (i64, [u8; 32]) = self
            .tx
            .query_row(newest, [], |r| Ok((r.get(0)?, r.get(1)?)))
            .optional()?
            .unwrap_or((0, FIRST_HASH));
        let text = body.to_string();
        let seq = before + 1;
        let next = link(&hash, seq, self.at_ms, kind, who, &text);
        self.tx.execute(
            "INSERT INTO log (seq, at_ms, kind, who, body, hash) VALUES (?, ?, ?, ?, ?, ?)",
            params![seq, self.at_ms, kind, who, text, next],
        )?;
        self.said.push(Entry {
            seq,
            at_ms: self.at_ms,
            kind: kind.to_owned(),
            who: who.to_owned(),
            body,
        });
        Ok(())
    }
}

/// The hash of a row of the log after another.
fn link(before: &[u8; 32], seq: i64, at_ms: f64, kind: &str, who: &str, body: &str) -> [u8; 32] {
    let row = json!([seq, at_ms, kind, who, body]).to_string();
    Sha256::new()
        .chain_update(before)
        .chain_update(row)
        .finalize()
        .into()
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let body: String = row.get(4)?;
    Ok(Entry {
        seq: row.get(0)?,
        at_ms: row.get(1)?,
        kind: row.get(2)?,
        who: row.get(3)?,
        body: serde_json::from_str(&body).unwrap_or(Value::Null),
    })
}

impl Store {
    /// Opens or makes the database of a station in its folder. A damaged one is moved aside.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn open(folder: &Path, clock: Clock) -> Result<Self, StoreError> {
        super::footage::private_folder(folder)?;
        let path = folder.join("station.db");
        let (connection, moved_aside) = match connect(&path) {
            Err(StoreError::Sqlite(error)) if is_damaged(&error) => {
                let aside = move_aside(&path, clock)?;
                (connect(&path)?, Some(aside))
            }
            opened => (opened?, None),
        };
        Ok(Self {
            connection: Mutex::new(connection),
            clock,
            followers: broadcast::channel(FOLLOWERS_MOST).0,
            moved_aside,
        })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A transaction that panicked was rolled back.
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Carries out a change whole or not at all; when it returns it is on disk.
    fn change<T>(
        &self,
        work: impl FnOnce(&mut Change<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut connection = self.connection();
        let mut change = Change {
            tx: connection.transaction()?,
            at_ms: self.clock.now_ms(),
            said: Vec::new(),
        };
        let done = work(&mut change)?;
        let Change { tx, said, .. } = change;
        tx.commit()?;
        for entry in said {
            // Nobody may be following. Sent before another change can begin: in the log's order.
            let _ = self.followers.send(Arc::new(entry));
        }
        Ok(done)
    }

    /// Writes one row of the log that changes nothing else.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn note(&self, kind: &str, who: &str, body: Value) -> Result<(), StoreError> {
        self.change(|c| c.log(kind, who, body))
    }

    /// What is written to the log from now on.
    #[must_use]
    pub fn follow(&self) -> broadcast::Receiver<Arc<Entry>> {
        self.followers.subscribe()
    }

    /// Rows of the log after a number, oldest first, at most so many.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn log_after(&self, seq: i64, most: usize) -> Result<Vec<Entry>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare_cached(
            "SELECT seq, at_ms, kind, who, body FROM log WHERE seq > ? ORDER BY seq LIMIT ?",
        )?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let found = rows.query_map(params![seq, most], entry)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Rows of the log of some kinds after a number, oldest first, at most so many.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn log_kinds(
        &self,
        kinds: &[&str],
        seq: i64,
        most: usize,
    ) -> Result<Vec<Entry>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare_cached(
            "SELECT seq, at_ms, kind, who, body FROM log
             WHERE seq > ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY seq LIMIT ?",
        )?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let found = rows.query_map(params![seq, json!(kinds).to_string(), most], entry)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The newest rows of the log, newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn log_newest(&self, most: u32) -> Result<Vec<Entry>, StoreError> {
        self.log_before(i64::MAX, most)
    }

    /// Rows of the log before a number, newest first, at most so many.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn log_before(&self, seq: i64, most: u32) -> Result<Vec<Entry>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare_cached(
            "SELECT seq, at_ms, kind, who, body FROM log WHERE seq < ? ORDER BY seq DESC LIMIT ?",
        )?;
        let found = rows.query_map(params![seq, most], entry)?;
        Ok(found.collect::<Result<_, _>>()?)
    }
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let mut connection = Connection::open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let private = fs::Permissions::from_mode(0o600);
        fs::set_permissions(path, private).map_err(|source| StoreError::Io {
            path: path.to_owned(),
            source,
        })?;
    }
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // What is confirmed has to outlive a power cut, not only a crash.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    let said: String = connection.query_row("PRAGMA quick_check(1)", [], |r| r.get(0))?;
    if said != "ok" {
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
        return Err(rusqlite::Error::SqliteFailure(code, Some(said)).into());
    }
    migrate::migrate(&mut connection)?;
    Ok(connection)
}

fn is_damaged(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

/// Gives a damaged database another name; nothing of it is lost.
fn move_aside(path: &Path, clock: Clock) -> Result<PathBuf, StoreError> {
    let aside = path.with_extension(format!("db.damaged-{:.0}", clock.now_ms()));
    for ending in ["", "-wal", "-shm"] {
        let with = |p: &Path| {
            let mut name = p.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        match fs::rename(with(path), with(&aside)) {
            Err(e) if ending.is_empty() || e.kind() != std::io::ErrorKind::NotFound => {
                return Err(StoreError::Io {
                    path: path.to_owned(),
                    source: e,
                });
            }
            _ => {}
        }
    }
    Ok(aside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_whole_or_not_at_all_and_told_when_confirmed() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Clock::start()).unwrap();
        let mut following = store.follow();
        let failed: Result<(), StoreError> = store.change(|c| {
            c.log("half", "", json!({}))?;
            Err(StoreError::Refused("no"))
        });
        assert!(failed.is_err());
        store.note("whole", "anna", json!({"n": 1})).unwrap();
        let told = following.try_recv().unwrap();
        assert_eq!((told.seq, told.kind.as_str()), (1, "whole"));
        assert!(following.try_recv().is_err());
        assert_eq!(store.log_after(0, 10).unwrap(), [(*told).clone()]);
    }

    #[test]
    fn a_damaged_database_is_moved_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("station.db");
        fs::write(&path, vec![7; 5000]).unwrap();
        let store = Store::open(folder.path(), Clock::start()).unwrap();
        let aside = store.moved_aside.clone().unwrap();
        assert_eq!(fs::read(aside).unwrap(), vec![7; 5000]);
        store.note("begun", "", json!({})).unwrap();
        drop(store);
        let again = Store::open(folder.path(), Clock::start()).unwrap();
        assert!(again.moved_aside.is_none());
        assert_eq!(again.log_after(0, 10).unwrap().len(), 1);
    }
}
