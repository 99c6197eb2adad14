//! Sessions of people and keys of programs. Of each, only the SHA-256 of its token is kept.

use rusqlite::{OptionalExtension, params};
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::{USER, User, acceptable_name, random_hex, user};
use crate::station::store::{Store, StoreError};

/// A session ends after this time, milliseconds: a long day.
const SESSION_MS: f64 = 16.0 * 3_600_000.0;
/// Most characters kept of what a browser says of itself.
const LONGEST_BROWSER: usize = 200;

/// A new token, to be given to whom it is for and to nobody else.
pub struct Token(String);

impl Token {
    fn new() -> Result<Self, StoreError> {
        Ok(Self(random_hex::<32>()?))
    }

    /// The token itself.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    fn hash(&self) -> [u8; 32] {
        token_hash(&self.0)
    }
}

fn token_hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// A session as the administrator sees it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct OpenSession {
    /// Number.
    pub id: i64,
    /// Whose.
    pub user: String,
    /// When it was begun, milliseconds since 1970.
    pub begun_ms: f64,
    /// When it ends by itself.
    pub expires_ms: f64,
    /// The address it was begun from.
    pub address: String,
    /// What the browser said of itself.
    pub browser: String,
}

/// A key with which a program reads what is public.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Key {
    /// Number.
    pub id: i64,
    /// Who or what it is for.
    pub name: String,
    /// When it was made, milliseconds since 1970.
    pub made_ms: f64,
}

impl Store {
    /// Begins a session, from an address and with a browser.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn begin_session(
        &self,
        user: &User,
        address: &str,
        browser: &str,
    ) -> Result<Token, StoreError> {
        let token = Token::new()?;
        let browser: String = browser.chars().take(LONGEST_BROWSER).collect();
        self.change(|c| {
            let old = "DELETE FROM sessions WHERE expires_ms < ?";
            c.tx.execute(old, [c.at_ms])?;
            c.tx.execute(
                "INSERT INTO sessions (token, user, begun_ms, expires_ms, address, browser)
                 VALUES (?, ?, ?, ?, ?, ?)",
                params![
                    token.hash(),
                    user.id,
                    c.at_ms,
                    c.at_ms + SESSION_MS,
                    address,
                    browser
                ],
            )?;
            c.log("login", &user.name, json!({"address": address}))
        })?;
        Ok(token)
    }

    /// Whose session a token is.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn session(&self, token: &str) -> Result<Option<User>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare_cached(&format!(
            "SELECT {USER} FROM sessions s JOIN users u ON u.id = s.user
             WHERE s.token = ? AND s.expires_ms > ? AND u.disabled = 0"
        ))?;
        let mut rows = rows.query(params![token_hash(token), self.clock.now_ms()])?;
        rows.next()?.map(user).transpose()
    }

    /// Ends a session.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn end_session(&self, token: &str, who: &str) -> Result<(), StoreError> {
        self.change(|c| {
            let gone = "DELETE FROM sessions WHERE token = ?";
            c.tx.execute(gone, [token_hash(token)])?;
            c.log("logout", who, json!({}))
        })
    }

    /// All sessions that stand, newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn sessions(&self) -> Result<Vec<OpenSession>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare(
            "SELECT s.id, u.name, s.begun_ms, s.expires_ms, s.address, s.browser
             FROM sessions s JOIN users u ON u.id = s.user
             WHERE s.expires_ms > ? ORDER BY s.id DESC",
        )?;
        let found = rows.query_map([self.clock.now_ms()], |r| {
            Ok(OpenSession {
                id: r.get(0)?,
                user: r.get(1)?,
                begun_ms: r.get(2)?,
                expires_ms: r.get(3)?,
                address: r.get(4)?,
                browser: r.get(5)?,
            })
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Ends somebody's session.
    ///
    /// # Errors
    /// [`StoreError::Missing`].
    pub fn revoke_session(&self, id: i64, who: &str) -> Result<(), StoreError> {
        self.change(|c| {
            let find = "SELECT u.name FROM sessions s JOIN users u ON u.id = s.user WHERE s.id = ?";
            let name: Option<String> = c.tx.query_row(find, [id], |r| r.get(0)).optional()?;
            let name = name.ok_or(StoreError::Missing("session"))?;
            c.tx.execute("DELETE FROM sessions WHERE id = ?", [id])?;
            c.log("session_revoked", who, json!({"name": name}))
        })
    }

    /// Makes a key.
    ///
    /// # Errors
    /// [`StoreError::Refused`] for a name that will not do.
    pub fn make_key(&self, name: &str, who: &str) -> Result<(Key, Token), StoreError> {
        acceptable_name(name)?;
        let token = Token::new()?;
        let key = self.change(|c| {
            let taken = "SELECT 1 FROM keys WHERE name = ?";
            let taken = c.tx.query_row(taken, [name], |_| Ok(())).optional()?;
            if taken.is_some() {
                return Err(StoreError::Refused("there is a key of this name already"));
            }
            c.tx.execute(
                "INSERT INTO keys (name, token, made_ms) VALUES (?, ?, ?)",
                params![name, token.hash(), c.at_ms],
            )?;
            let id = c.tx.last_insert_rowid();
            c.log("key_made", who, json!({"name": name}))?;
            Ok(Key {
                id,
                name: name.to_owned(),
                made_ms: c.at_ms,
            })
        })?;
        Ok((key, token))
    }

    /// Which key a token is.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn key(&self, token: &str) -> Result<Option<Key>, StoreError> {
        let find = "SELECT id, name, made_ms FROM keys WHERE token = ?";
        let connection = self.connection();
        let found = connection.query_row(find, [token_hash(token)], |r| {
            Ok(Key {
                id: r.get(0)?,
                name: r.get(1)?,
                made_ms: r.get(2)?,
            })
        });
        Ok(found.optional()?)
    }

    /// All keys by name.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn keys(&self) -> Result<Vec<Key>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare("SELECT id, name, made_ms FROM keys ORDER BY name")?;
        let found = rows.query_map([], |r| {
            Ok(Key {
                id: r.get(0)?,
                name: r.get(1)?,
                made_ms: r.get(2)?,
            })
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Takes a key back: it opens nothing from now on.
    ///
    /// # Errors
    /// [`StoreError::Missing`].
    pub fn revoke_key(&self, id: i64, who: &str) -> Result<(), StoreError> {
        self.change(|c| {
            let find = "SELECT name FROM keys WHERE id = ?";
            let name: Option<String> = c.tx.query_row(find, [id], |r| r.get(0)).optional()?;
            let name = name.ok_or(StoreError::Missing("key"))?;
            c.tx.execute("DELETE FROM keys WHERE id = ?", [id])?;
            c.log("key_revoked", who, json!({"name": name}))
        })
    }
}
