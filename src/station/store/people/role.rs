//! What a person may do, and for which boards.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::station::store::StoreError;

/// What somebody may do; each role may do what the ones before it may.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A key, not a person: reads what is public, which is never younger than the broadcast's delay.
    Broadcast,
    /// Sees positions and moves as they are played.
    Viewer,
    /// Sees footage and incidents.
    Reviewer,
    /// Rules, and tends boards.
    Arbiter,
    /// Keeps people, keys and the event's settings, and reads the log.
    Administrator,
}

impl Role {
    /// All, from least to most.
    pub const ALL: [Self; 5] = [
        Self::Broadcast,
        Self::Viewer,
        Self::Reviewer,
        Self::Arbiter,
        Self::Administrator,
    ];

    /// As in the database and in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Broadcast => "broadcast",
            Self::Viewer => "viewer",
            Self::Reviewer => "reviewer",
            Self::Arbiter => "arbiter",
            Self::Administrator => "administrator",
        }
    }

    pub(super) fn from_word(word: &str) -> Result<Self, StoreError> {
        Self::ALL
            .into_iter()
            .find(|r| r.as_str() == word)
            .ok_or_else(|| StoreError::Odd(format!("a role \"{word}\"")))
    }
}

/// Boards that somebody sees: the numbers of those assigned; null for all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct Boards(Option<BTreeSet<i64>>);

impl Boards {
    /// All there are and will be.
    pub const ALL: Self = Self(None);

    /// Only these.
    #[must_use]
    pub fn only(boards: impl IntoIterator<Item = i64>) -> Self {
        Self(Some(boards.into_iter().collect()))
    }

    /// Whether a board is among them.
    #[must_use]
    pub fn include(&self, board: i64) -> bool {
        self.0.as_ref().is_none_or(|only| only.contains(&board))
    }

    /// Those that were assigned; none when it is all.
    pub(super) fn assigned(&self) -> impl Iterator<Item = i64> {
        self.0.iter().flatten().copied()
    }

    /// As in the database: a JSON list, or NULL for all. SQL asks
    /// `?1 IS NULL OR board IN (SELECT value FROM json_each(?1))`.
    #[must_use]
    pub fn to_column(&self) -> Option<String> {
        let list: Vec<i64> = self.0.as_ref()?.iter().copied().collect();
        Some(serde_json::Value::from(list).to_string())
    }

    pub(super) fn from_column(column: Option<String>) -> Result<Self, StoreError> {
        let Some(text) = column else {
            return Ok(Self::ALL);
        };
        // What cannot be read must not become all.
        let odd = |_| StoreError::Odd(format!("boards \"{text}\""));
        Ok(Self(Some(serde_json::from_str(&text).map_err(odd)?)))
    }
}
