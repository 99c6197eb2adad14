//! Users and their sessions. Passwords are kept as argon2id, session tokens as SHA-256.

use std::sync::LazyLock;

use argon2::{Argon2, PasswordHash, PasswordHasher, PasswordVerifier};
use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::{Change, Store, StoreError};
use crate::station::hex;

/// A session ends after this time, milliseconds: a long day.
const SESSION_MS: f64 = 16.0 * 3_600_000.0;
/// Fewest characters of a password.
pub const SHORTEST_PASSWORD: usize = 10;
/// Most bytes of a password: hashing more would only cost time.
const LONGEST_PASSWORD: usize = 200;
/// Most characters of a name.
const LONGEST_NAME: usize = 60;

/// What a user may do; each role may do what the ones before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Sees positions and moves.
    Viewer,
    /// Sees footage and incidents, and rules.
    Arbiter,
    /// Keeps the users.
    Administrator,
}

impl Role {
    /// As in the database and in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Arbiter => "arbiter",
            Self::Administrator => "administrator",
        }
    }

    fn from_word(word: &str) -> Result<Self, StoreError> {
        [Self::Viewer, Self::Arbiter, Self::Administrator]
            .into_iter()
            .find(|r| r.as_str() == word)
            .ok_or_else(|| StoreError::Odd(format!("a role \"{word}\"")))
    }
}

/// A user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct User {
    /// Number.
    pub id: i64,
    /// Name.
    pub name: String,
    /// What they may do.
    pub role: Role,
}

/// A new session's token, to be given to the browser and to nobody else.
pub struct Token(String);

impl Token {
    /// The token itself.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// Random bytes as hexadecimal digits.
///
/// # Errors
/// [`StoreError::Refused`] when the system gives none.
pub fn random_hex<const BYTES: usize>() -> Result<String, StoreError> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|_| StoreError::Refused("the system gives no random numbers"))?;
    Ok(hex(&bytes))
}

/// Cheap in tests: argon2 is meant to take long.
fn argon2() -> Argon2<'static> {
    #[cfg(test)]
    {
        let cheap = argon2::Params::new(8, 1, 1, None).unwrap_or_default();
        Argon2::new(argon2::Algorithm::Argon2id, argon2::Version::V0x13, cheap)
    }
    #[cfg(not(test))]
    Argon2::default()
}

/// A name and a password that will do.
fn acceptable(name: &str, password: &str) -> Result<(), StoreError> {
    let named = (1..=LONGEST_NAME).contains(&name.chars().count())
        && name.trim() == name
        && !name.chars().any(char::is_control);
    if !named {
        return Err(StoreError::Refused(
            "a name has 1 to 60 characters and no space at its ends",
        ));
    }
    if password.chars().count() < SHORTEST_PASSWORD {
        return Err(StoreError::Refused(
            "a password needs at least 10 characters: three words will do",
        ));
    }
    if password.len() > LONGEST_PASSWORD {
        return Err(StoreError::Refused("this password is too long"));
    }
    Ok(())
}

fn hashed(password: &str) -> Result<String, StoreError> {
    let hash = argon2()
        .hash_password(password.as_bytes())
        .map_err(|_| StoreError::Refused("this password cannot be used"))?;
    Ok(hash.to_string())
}

/// What the password of a user who is not there is compared with, so that it takes as long.
static NOBODY: LazyLock<String> = LazyLock::new(|| hashed("nobody has this").unwrap_or_default());

fn token_hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

fn insert(c: &mut Change<'_>, name: &str, role: Role, hash: &str) -> Result<User, StoreError> {
    let taken = "SELECT 1 FROM users WHERE name = ?";
    if c.tx
        .query_row(taken, [name], |_| Ok(()))
        .optional()?
        .is_some()
    {
        return Err(StoreError::Refused("there is a user of this name already"));
    }
    c.tx.execute(
        "INSERT INTO users (name, role, password) VALUES (?, ?, ?)",
        params![name, role.as_str(), hash],
    )?;
    Ok(User {
        id: c.tx.last_insert_rowid(),
        name: name.to_owned(),
        role,
    })
}

fn administrators(c: &Change<'_>) -> Result<i64, StoreError> {
    let count = "SELECT count(*) FROM users WHERE role = 'administrator'";
    Ok(c.tx.query_row(count, [], |r| r.get(0))?)
}

impl Store {
    /// Whether there is nobody yet.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn is_unclaimed(&self) -> Result<bool, StoreError> {
        let users = "SELECT count(*) FROM users";
        let users: i64 = self.connection().query_row(users, [], |r| r.get(0))?;
        Ok(users == 0)
    }

    /// The first user, an administrator.
    ///
    /// # Errors
    /// [`StoreError::Refused`] when there is somebody, or for a name or password that will not do.
    pub fn claim(&self, name: &str, password: &str) -> Result<User, StoreError> {
        acceptable(name, password)?;
        let hash = hashed(password)?;
        self.change(|c| {
            if administrators(c)? > 0 {
                return Err(StoreError::Refused("the station has an administrator"));
            }
            let user = insert(c, name, Role::Administrator, &hash)?;
            let body = json!({"name": name, "role": Role::Administrator});
            c.log("user_added", name, body)?;
            Ok(user)
        })
    }

    /// Adds a user.
    ///
    /// # Errors
    /// [`StoreError::Refused`] for a name or password that will not do.
    pub fn add_user(
        &self,
        name: &str,
        password: &str,
        role: Role,
        who: &str,
    ) -> Result<User, StoreError> {
        acceptable(name, password)?;
        let hash = hashed(password)?;
        self.change(|c| {
            let user = insert(c, name, role, &hash)?;
            c.log("user_added", who, json!({"name": name, "role": role}))?;
            Ok(user)
        })
    }

    /// Takes a user out; the last administrator stays.
    ///
    /// # Errors
    /// [`StoreError::Missing`] or [`StoreError::Refused`].
    pub fn remove_user(&self, id: i64, who: &str) -> Result<(), StoreError> {
        self.change(|c| {
            let find = "SELECT name FROM users WHERE id = ?";
            let name: Option<String> = c.tx.query_row(find, [id], |r| r.get(0)).optional()?;
            let name = name.ok_or(StoreError::Missing("user"))?;
            c.tx.execute("DELETE FROM users WHERE id = ?", [id])?;
            if administrators(c)? == 0 {
                return Err(StoreError::Refused("the last administrator stays"));
            }
            c.log("user_removed", who, json!({"name": name}))
        })
    }

    /// All users by name.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn users(&self) -> Result<Vec<User>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare("SELECT id, name, role FROM users ORDER BY name")?;
        let mut rows = rows.query([])?;
        let mut users = Vec::new();
        while let Some(row) = rows.next()? {
            let role: String = row.get(2)?;
            users.push(User {
                id: row.get(0)?,
                name: row.get(1)?,
                role: Role::from_word(&role)?,
            });
        }
        Ok(users)
    }

    /// The user of this name, if the password is theirs. Takes as long for nobody's name.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn authenticate(&self, name: &str, password: &str) -> Result<Option<User>, StoreError> {
        let find = "SELECT id, role, password FROM users WHERE name = ?";
        let found: Option<(i64, String, String)> = self
            .connection()
            .query_row(find, [name], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))
            .optional()?;
        let hash = found.as_ref().map_or(NOBODY.as_str(), |f| &f.2);
        let right = password.len() <= LONGEST_PASSWORD
            && PasswordHash::new(hash)
                .is_ok_and(|hash| argon2().verify_password(password.as_bytes(), &hash).is_ok());
        match found {
            Some((id, role, _)) if right => Ok(Some(User {
                id,
                name: name.to_owned(),
                role: Role::from_word(&role)?,
            })),
            _ => Ok(None),
        }
    }

    /// Begins a session.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn begin_session(&self, user: &User) -> Result<Token, StoreError> {
        let token = random_hex::<32>()?;
        self.change(|c| {
            let old = "DELETE FROM sessions WHERE expires_ms < ?";
            c.tx.execute(old, [c.at_ms])?;
            c.tx.execute(
                "INSERT INTO sessions (token, user, expires_ms) VALUES (?, ?, ?)",
                params![token_hash(&token), user.id, c.at_ms + SESSION_MS],
            )?;
            c.log("login", &user.name, json!({}))
        })?;
        Ok(Token(token))
    }

    /// Whose session a token is.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn session(&self, token: &str) -> Result<Option<User>, StoreError> {
        let find = "SELECT u.id, u.name, u.role FROM sessions s JOIN users u ON u.id = s.user
                    WHERE s.token = ? AND s.expires_ms > ?";
        let found: Option<(i64, String, String)> = self
            .connection()
            .query_row(find, params![token_hash(token), self.clock.now_ms()], |r| {
                Ok((r.get(0)?, r.get(1)?, r.get(2)?))
            })
            .optional()?;
        found
            .map(|(id, name, role)| {
                Ok(User {
                    id,
                    name,
                    role: Role::from_word(&role)?,
                })
            })
            .transpose()
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::station::clock::Clock;

    const WORDS: &str = "correct horse battery";

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Clock::start()).unwrap();
        (folder, store)
    }

    #[test]
    fn the_first_one_claims_the_station_and_only_the_first() {
        let (_folder, store) = store();
        assert!(store.is_unclaimed().unwrap());
        assert!(store.claim("anna", "short").is_err());
        assert!(store.claim(" anna", WORDS).is_err());
        let anna = store.claim("anna", WORDS).unwrap();
        assert_eq!(anna.role, Role::Administrator);
        assert!(!store.is_unclaimed().unwrap());
        assert!(store.claim("mallory", WORDS).is_err());
        assert!(store.remove_user(anna.id, "anna").is_err());
        assert_eq!(store.users().unwrap(), [anna]);
    }

    #[test]
    fn only_the_right_password_opens_and_neither_it_nor_the_token_is_kept() {
        let (folder, store) = store();
        let anna = store.claim("anna", WORDS).unwrap();
        assert_eq!(
            store.authenticate("anna", "correct horse batterx").unwrap(),
            None
        );
        assert_eq!(store.authenticate("ben", WORDS).unwrap(), None);
        assert_eq!(
            store.authenticate("anna", WORDS).unwrap(),
            Some(anna.clone())
        );
        let token = store.begin_session(&anna).unwrap();
        assert_eq!(store.session(token.expose()).unwrap(), Some(anna));
        assert_eq!(store.session("00").unwrap(), None);
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            for secret in [WORDS, token.expose()] {
                assert!(!bytes.windows(secret.len()).any(|w| w == secret.as_bytes()));
            }
        }
        store.end_session(token.expose(), "anna").unwrap();
        assert_eq!(store.session(token.expose()).unwrap(), None);
    }

    #[test]
    fn who_is_taken_out_is_out_at_once() {
        let (_folder, store) = store();
        store.claim("anna", WORDS).unwrap();
        let ben = store.add_user("ben", WORDS, Role::Arbiter, "anna").unwrap();
        assert!(store.add_user("ben", WORDS, Role::Viewer, "anna").is_err());
        let token = store.begin_session(&ben).unwrap();
        store.remove_user(ben.id, "anna").unwrap();
        assert_eq!(store.session(token.expose()).unwrap(), None);
    }

    #[test]
    fn a_session_ends() {
        let (_folder, store) = store();
        let anna = store.claim("anna", WORDS).unwrap();
        let token = store.begin_session(&anna).unwrap();
        let past = "UPDATE sessions SET expires_ms = 1";
        store.connection().execute(past, []).unwrap();
        assert_eq!(store.session(token.expose()).unwrap(), None);
    }
}
