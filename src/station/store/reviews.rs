//! Reviews of recordings: which there are, and how far they are.

use rusqlite::{OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{Store, StoreError, games::word};

/// How far a review is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewState {
    /// Others are before it.
    Waiting,
    /// It is being done.
    Running,
    /// Its report is there.
    Done,
    /// It failed.
    Failed,
}

/// What is to be reviewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReview {
    /// What it is called.
    pub name: String,
    /// Where the recording is.
    pub file: String,
    /// FEN of the first frame, if it is not the start of chess.
    pub start: Option<String>,
    /// Language of the report: `en` or `de`.
    pub language: String,
}

/// A review.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Review {
    /// Its number.
    pub id: i64,
    /// What it is called.
    pub name: String,
    /// Where the recording is.
    #[serde(skip)]
    pub file: String,
    /// FEN of the first frame, if it is not the start of chess.
    pub start: Option<String>,
    /// Language of the report.
    pub language: String,
    /// How far it is.
    pub state: ReviewState,
    /// Why it failed, and what to do.
    pub said: Option<String>,
    /// Who asked for it.
    pub who: String,
    /// When it was asked for, milliseconds since 1970.
    pub made_ms: f64,
    /// When it ended.
    pub ended_ms: Option<f64>,
}

const REVIEW: &str =
    "SELECT id, name, file, start, language, state, said, who, made_ms, ended_ms FROM reviews";

fn review(row: &Row<'_>) -> rusqlite::Result<Review> {
    Ok(Review {
        id: row.get(0)?,
        name: row.get(1)?,
        file: row.get(2)?,
        start: row.get(3)?,
        language: row.get(4)?,
        state: word(row.get(5)?)?,
        said: row.get(6)?,
        who: row.get(7)?,
        made_ms: row.get(8)?,
        ended_ms: row.get(9)?,
    })
}

impl Store {
    /// Notes a review that is to be done; its number.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn add_review(&self, new: &NewReview, who: &str) -> Result<i64, StoreError> {
        self.change(|c| {
            c.tx.execute(
                "INSERT INTO reviews (name, file, start, language, state, who, made_ms)
                 VALUES (?, ?, ?, ?, 'waiting', ?, ?)",
                params![new.name, new.file, new.start, new.language, who, c.at_ms],
            )?;
            let id = c.tx.last_insert_rowid();
            c.log("review_added", who, json!({"review": id, "name": new.name}))?;
            Ok(id)
        })
    }

    /// All reviews, newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn reviews(&self) -> Result<Vec<Review>, StoreError> {
        let connection = self.connection();
        let mut rows = connection.prepare(&format!("{REVIEW} ORDER BY id DESC"))?;
        let found = rows.query_map([], review)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// A review.
    ///
    /// # Errors
    /// [`StoreError::Missing`].
    pub fn review(&self, id: i64) -> Result<Review, StoreError> {
        let connection = self.connection();
        let found = connection.query_row(&format!("{REVIEW} WHERE id = ?"), [id], review);
        found.optional()?.ok_or(StoreError::Missing("review"))
    }

    /// The next review to be done, which is being done from now on.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn take_review(&self) -> Result<Option<Review>, StoreError> {
        self.change(|c| {
            let next = format!("{REVIEW} WHERE state = 'waiting' ORDER BY id LIMIT 1");
            let Some(mut next) = c.tx.query_row(&next, [], review).optional()? else {
                return Ok(None);
            };
            next.state = ReviewState::Running;
            let set = "UPDATE reviews SET state = 'running' WHERE id = ?";
            c.tx.execute(set, [next.id])?;
            Ok(Some(next))
        })
    }

    /// A review is over; why, if it failed.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn end_review(&self, id: i64, failed: Option<&str>) -> Result<(), StoreError> {
        self.change(|c| {
            let state = if failed.is_some() { "failed" } else { "done" };
            c.tx.execute(
                "UPDATE reviews SET state = ?, said = ?, ended_ms = ? WHERE id = ?",
                params![state, failed, c.at_ms, id],
            )?;
            c.log("review_ended", "", json!({"review": id, "failed": failed}))
        })
    }

    /// Reviews that a station did not end are to be done again.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn resume_reviews(&self) -> Result<(), StoreError> {
        self.change(|c| {
            let again = "UPDATE reviews SET state = 'waiting' WHERE state = 'running'";
            c.tx.execute(again, [])?;
            Ok(())
        })
    }

    /// Takes a review out, with its row; its files are the caller's.
    ///
    /// # Errors
    /// [`StoreError::Missing`]; [`StoreError::Refused`] while it is being done.
    pub fn remove_review(&self, id: i64, who: &str) -> Result<(), StoreError> {
        self.change(|c| {
            let found = format!("{REVIEW} WHERE id = ?");
            let found = c.tx.query_row(&found, [id], review).optional()?;
            let found = found.ok_or(StoreError::Missing("review"))?;
            if found.state == ReviewState::Running {
                return Err(StoreError::Refused("this review is being done"));
            }
            c.tx.execute("DELETE FROM reviews WHERE id = ?", [id])?;
            let body = json!({"review": id, "name": found.name});
            c.log("review_removed", who, body)
        })
    }
}
