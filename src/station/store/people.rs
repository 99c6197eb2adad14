//! People: their roles, boards and passwords. Passwords and one-time codes are kept as argon2id.
//!
//! Nobody sets another's password: the administrator hands out a code, which works once, and the
//! person chooses.

pub mod access;
mod role;

use std::sync::LazyLock;

use argon2::{Argon2, PasswordHash, PasswordHasher, PasswordVerifier};
use rusqlite::{OptionalExtension, Row, params};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;
use utoipa::ToSchema;

pub use role::{Boards, Role};

use super::{Change, Store, StoreError};
use crate::station::hex;

/// Fewest characters of a password.
pub const SHORTEST_PASSWORD: usize = 10;
/// Most bytes of a password: hashing more would only cost time.
const LONGEST_PASSWORD: usize = 200;
/// Most characters of a name.
const LONGEST_NAME: usize = 60;
/// A one-time code works for this time, milliseconds: until the next evening.
const CODE_MS: f64 = 36.0 * 3_600_000.0;

/// Somebody who has logged in, or may.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct User {
    /// Number.
    pub id: i64,
    /// Name.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// Which boards they see.
    pub boards: Boards,
}

/// A user as the administrator sees them.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Person {
    /// Who.
    #[serde(flatten)]
    pub user: User,
    /// Whether they are kept out.
    pub disabled: bool,
    /// Whether they have chosen a password.
    pub has_password: bool,
    /// Until when the one-time code works that they were given and have not used, milliseconds since 1970.
    pub code_until_ms: Option<f64>,
}

/// What is to be changed about a user; the rest stays.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UserChange {
    /// Their role.
    pub role: Option<Role>,
    /// Their boards; null is all of them.
    #[serde(default, deserialize_with = "said")]
    pub boards: Option<Boards>,
    /// Whether they are kept out; their sessions end.
    pub disabled: Option<bool>,
}

/// What was said, be it null; nothing said is none.
fn said<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
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

/// A name that will do.
fn acceptable_name(name: &str) -> Result<(), StoreError> {
    let named = (1..=LONGEST_NAME).contains(&name.chars().count())
        && name.trim() == name
        && !name.chars().any(char::is_control);
    if named {
        Ok(())
    } else {
        Err(StoreError::Refused(
            "a name has 1 to 60 characters and no space at its ends",
        ))
    }
}

/// A password that will do.
fn acceptable_password(password: &str) -> Result<(), StoreError> {
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

fn hashed(secret: &str) -> Result<String, StoreError> {
    let hash = argon2()
        .hash_password(secret.as_bytes())
        .map_err(|_| StoreError::Refused("this password cannot be used"))?;
    Ok(hash.to_string())
}

/// What the secret of a user who is not there is compared with, so that it takes as long.
static NOBODY: LazyLock<String> = LazyLock::new(|| hashed("nobody has this").unwrap_or_default());

/// Whether a secret is the one that was hashed; as slow when nothing was.
fn is_secret(secret: &str, hash: Option<&str>) -> bool {
    let right = secret.len() <= LONGEST_PASSWORD
        && PasswordHash::new(hash.unwrap_or(&NOBODY))
            .is_ok_and(|hash| argon2().verify_password(secret.as_bytes(), &hash).is_ok());
    right && hash.is_some()
}

/// The columns of a [`User`], of the table `users` named u.
const USER: &str = "u.id, u.name, u.role, u.boards";

fn user(row: &Row<'_>) -> Result<User, StoreError> {
    let (role, boards): (String, Option<String>) = (row.get(2)?, row.get(3)?);
    Ok(User {
        id: row.get(0)?,
        name: row.get(1)?,
        role: Role::from_word(&role)?,
        boards: Boards::from_column(boards)?,
    })
}

fn person(row: &Row<'_>) -> Result<Person, StoreError> {
    Ok(Person {
        user: user(row)?,
        disabled: row.get(4)?,
        has_password: row.get(5)?,
        code_until_ms: row.get(6)?,
    })
}

/// The columns of a [`Person`].
const PERSON: &str = "u.disabled, u.password IS NOT NULL, u.code_until_ms";

fn find(c: &Change<'_>, id: i64) -> Result<Person, StoreError> {
    let mut rows = c.tx.prepare_cached(&format!(
        "SELECT {USER}, {PERSON} FROM users u WHERE u.id = ?"
    ))?;
    let mut rows = rows.query([id])?;
    match rows.next()? {
        Some(row) => person(row),
        None => Err(StoreError::Missing("user")),
    }
}

fn insert(c: &Change<'_>, name: &str, role: Role, boards: &Boards) -> Result<i64, StoreError> {
    possible(c, role, boards)?;
    let taken = "SELECT 1 FROM users WHERE name = ?";
    let taken = c.tx.query_row(taken, [name], |_| Ok(())).optional()?;
    if taken.is_some() {
        return Err(StoreError::Refused("there is a user of this name already"));
    }
    c.tx.execute(
        "INSERT INTO users (name, role, boards) VALUES (?, ?, ?)",
        params![name, role.as_str(), boards.to_column()],
    )?;
    Ok(c.tx.last_insert_rowid())
}

/// Whether a person can have this role and these boards.
fn possible(c: &Change<'_>, role: Role, boards: &Boards) -> Result<(), StoreError> {
    if role == Role::Broadcast {
        return Err(StoreError::Refused(
            "the role broadcast is for keys: make one",
        ));
    }
    if role == Role::Administrator && *boards != Boards::ALL {
        return Err(StoreError::Refused("an administrator sees all boards"));
    }
    for board in boards.assigned() {
        let there = "SELECT 1 FROM boards WHERE id = ?";
        let there = c.tx.query_row(there, [board], |_| Ok(())).optional()?;
        there.ok_or(StoreError::Refused("one of these boards is not there"))?;
    }
    Ok(())
}

/// Somebody must be left who can let others in.
fn keep_an_administrator(c: &Change<'_>) -> Result<(), StoreError> {
    let count = "SELECT count(*) FROM users
        WHERE role = 'administrator' AND disabled = 0 AND password IS NOT NULL";
    let count: i64 = c.tx.query_row(count, [], |r| r.get(0))?;
    if count == 0 {
        return Err(StoreError::Refused("the last administrator stays"));
    }
    Ok(())
}

fn set_password(c: &Change<'_>, id: i64, hash: &str) -> Result<(), StoreError> {
    c.tx.execute(
        "UPDATE users SET password = ?, code = NULL, code_until_ms = NULL WHERE id = ?",
        params![hash, id],
    )?;
    Ok(())
}

fn end_sessions(c: &Change<'_>, id: i64) -> Result<(), StoreError> {
    c.tx.execute("DELETE FROM sessions WHERE user = ?", [id])?;
    Ok(())
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
        acceptable_name(name)?;
        acceptable_password(password)?;
        let hash = hashed(password)?;
        self.change(|c| {
            let users = "SELECT count(*) FROM users";
            let users: i64 = c.tx.query_row(users, [], |r| r.get(0))?;
            if users > 0 {
                return Err(StoreError::Refused("the station has an administrator"));
            }
            let id = insert(c, name, Role::Administrator, &Boards::ALL)?;
            set_password(c, id, &hash)?;
            let body = json!({"name": name, "role": Role::Administrator});
            c.log("user_added", name, body)?;
            Ok(find(c, id)?.user)
        })
    }

    /// Adds a user, who cannot log in before using a code: see [`Store::give_code`].
    ///
    /// # Errors
    /// [`StoreError::Refused`] for a name, role or boards that will not do.
    pub fn add_user(
        &self,
        name: &str,
        role: Role,
        boards: &Boards,
        who: &str,
    ) -> Result<User, StoreError> {
        acceptable_name(name)?;
        self.change(|c| {
            let id = insert(c, name, role, boards)?;
            let body = json!({"name": name, "role": role, "boards": boards});
            c.log("user_added", who, body)?;
            Ok(find(c, id)?.user)
        })
    }

    /// Changes what a user may do; the last administrator stays one.
    ///
    /// # Errors
    /// [`StoreError::Missing`] or [`StoreError::Refused`].
    pub fn change_user(
        &self,
        id: i64,
        change: &UserChange,
        who: &str,
    ) -> Result<Person, StoreError> {
        self.change(|c| {
            let before = find(c, id)?;
            let role = change.role.unwrap_or(before.user.role);
            let boards = change.boards.as_ref().unwrap_or(&before.user.boards);
            let disabled = change.disabled.unwrap_or(before.disabled);
            possible(c, role, boards)?;
            c.tx.execute(
                "UPDATE users SET role = ?, boards = ?, disabled = ? WHERE id = ?",
                params![role.as_str(), boards.to_column(), disabled, id],
            )?;
            keep_an_administrator(c)?;
            if disabled {
                end_sessions(c, id)?;
            }
            let body = json!({"name": before.user.name, "role": role, "boards": boards,
                "disabled": disabled});
            c.log("user_changed", who, body)?;
            find(c, id)
        })
    }

    /// A one-time code with which a user chooses a password. The one they had, and their sessions,
    /// are over.
    ///
    /// # Errors
    /// [`StoreError::Missing`], or [`StoreError::Refused`] for the last administrator.
    pub fn give_code(&self, id: i64, who: &str) -> Result<String, StoreError> {
        let code = random_hex::<6>()?;
        let hash = hashed(&code)?;
        self.change(|c| {
            let of = find(c, id)?;
            c.tx.execute(
                "UPDATE users SET password = NULL, code = ?, code_until_ms = ? WHERE id = ?",
                params![hash, c.at_ms + CODE_MS, id],
            )?;
            keep_an_administrator(c)?;
            end_sessions(c, id)?;
            c.log("code_given", who, json!({"name": of.user.name}))
        })?;
        Ok(code)
    }

    /// Sets the password of the user of this name, if the one-time code is theirs.
    ///
    /// # Errors
    /// [`StoreError::Refused`] for a password that will not do.
    pub fn use_code(
        &self,
        name: &str,
        code: &str,
        password: &str,
    ) -> Result<Option<User>, StoreError> {
        acceptable_password(password)?;
        let find_code = "SELECT id, code FROM users
            WHERE name = ? AND disabled = 0 AND code IS NOT NULL AND code_until_ms > ?";
        let found: Option<(i64, String)> = self
            .connection()
            .query_row(find_code, params![name, self.clock.now_ms()], |r| {
                Ok((r.get(0)?, r.get(1)?))
            })
            .optional()?;
        let right = is_secret(code, found.as_ref().map(|f| f.1.as_str()));
        let Some((id, used)) = found.filter(|_| right) else {
            return Ok(None);
        };
        let hash = hashed(password)?;
        self.change(|c| {
            // Another may have used it since it was looked up.
            let open = "SELECT 1 FROM users WHERE id = ? AND code = ?";
            let open =
                c.tx.query_row(open, params![id, used], |_| Ok(()))
                    .optional()?;
            if open.is_none() {
                return Ok(None);
            }
            set_password(c, id, &hash)?;
            c.log("password_set", name, json!({}))?;
            Ok(Some(find(c, id)?.user))
        })
    }

    /// All users by name.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn users(&self) -> Result<Vec<Person>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare(&format!(
            "SELECT {USER}, {PERSON} FROM users u ORDER BY u.name"
        ))?;
        let mut rows = rows.query([])?;
        let mut people = Vec::new();
        while let Some(row) = rows.next()? {
            people.push(person(row)?);
        }
        Ok(people)
    }

    /// The user of this name, if the password is theirs. Takes as long for nobody's name.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn authenticate(&self, name: &str, password: &str) -> Result<Option<User>, StoreError> {
        let found = {
            let connection = self.connection();
            let mut rows = connection.prepare_cached(&format!(
                "SELECT {USER}, u.password FROM users u
                 WHERE u.name = ? AND u.disabled = 0 AND u.password IS NOT NULL"
            ))?;
            let mut rows = rows.query([name])?;
            match rows.next()? {
                Some(row) => Some((user(row)?, row.get::<_, String>(4)?)),
                None => None,
            }
        };
        let right = is_secret(password, found.as_ref().map(|f| f.1.as_str()));
        Ok(found.filter(|_| right).map(|f| f.0))
    }
}

#[cfg(test)]
mod tests;
