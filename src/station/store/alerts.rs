//! Which kinds of incidents an event has in use, as it declared before the round (FIDE Handbook
//! C.12). What is found of another kind is stored and logged, and shown to nobody as an alert.

use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{Change, Store, StoreError};

/// A kind of incident.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AlertKind {
    /// A touched piece was not moved or captured.
    TouchMove,
    /// An illegal move.
    IllegalMove,
    /// A move was changed after its piece was released.
    MoveChangedAfterRelease,
    /// Castling with the rook first.
    CastlingRookFirst,
    /// Two hands for one move.
    TwoHands,
    /// Adjusting without saying so first.
    AdjustWithoutNotice,
    /// Adjusting without having the move.
    AdjustOutOfTurn,
    /// A piece touched without having the move.
    TouchByOpponent,
    /// The clock pressed with the hand that did not move.
    ClockOtherHand,
}

impl AlertKind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::TouchMove,
        Self::IllegalMove,
        Self::MoveChangedAfterRelease,
        Self::CastlingRookFirst,
        Self::TwoHands,
        Self::AdjustWithoutNotice,
        Self::AdjustOutOfTurn,
        Self::TouchByOpponent,
        Self::ClockOtherHand,
    ];

    /// As incidents name it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TouchMove => "touch_move",
            Self::IllegalMove => "illegal_move",
            Self::MoveChangedAfterRelease => "move_changed_after_release",
            Self::CastlingRookFirst => "castling_rook_first",
            Self::TwoHands => "two_hands",
            Self::AdjustWithoutNotice => "adjust_without_notice",
            Self::AdjustOutOfTurn => "adjust_out_of_turn",
            Self::TouchByOpponent => "touch_by_opponent",
            Self::ClockOtherHand => "clock_other_hand",
        }
    }
}

/// Whether the event has a kind in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct AlertSwitch {
    /// Which kind.
    pub kind: AlertKind,
    /// Whether incidents of it are shown.
    pub in_use: bool,
}

/// Whether incidents of a kind are shown.
pub(super) fn in_use(c: &Change<'_>, kind: &str) -> Result<bool, StoreError> {
    let off = "SELECT 1 FROM alerts_off WHERE kind = ?";
    let off = c.tx.query_row(off, [kind], |_| Ok(())).optional()?;
    Ok(off.is_none())
}

impl Store {
    /// Every kind, and whether it is in use.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn alerts(&self) -> Result<Vec<AlertSwitch>, StoreError> {
        let connection = self.connection();
        let mut off = connection.prepare_cached("SELECT kind FROM alerts_off")?;
        let off: Vec<String> = off.query_map([], |r| r.get(0))?.collect::<Result<_, _>>()?;
        let switch = |kind: AlertKind| AlertSwitch {
            kind,
            in_use: !off.iter().any(|o| o == kind.as_str()),
        };
        Ok(AlertKind::ALL.map(switch).into())
    }

    /// Puts a kind in or out of use from now on; what was found before stays as it was.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn switch_alert(
        &self,
        AlertSwitch { kind, in_use }: AlertSwitch,
        who: &str,
    ) -> Result<(), StoreError> {
        let word = kind.as_str();
        self.change(|c| {
            let changed = if in_use {
                c.tx.execute("DELETE FROM alerts_off WHERE kind = ?", [word])?
            } else {
                let add = "INSERT INTO alerts_off (kind) VALUES (?) ON CONFLICT DO NOTHING";
                c.tx.execute(add, params![word])?
            };
            if changed == 0 {
                return Ok(());
            }
            c.log(
                "alert_switched",
                who,
                json!({"kind": kind, "in_use": in_use}),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{rules::IncidentKind, station::clock::Clock};

    #[test]
    fn every_kind_that_the_rules_find_has_its_switch() {
        for kind in [
            IncidentKind::TouchMove,
            IncidentKind::IllegalMove,
            IncidentKind::TwoHands,
            IncidentKind::MoveChangedAfterRelease,
            IncidentKind::CastlingRookFirst,
            IncidentKind::AdjustWithoutNotice,
            IncidentKind::AdjustOutOfTurn,
            IncidentKind::TouchByOpponent,
        ] {
            assert!(AlertKind::ALL.iter().any(|k| k.as_str() == kind.as_str()));
        }
        for kind in AlertKind::ALL {
            assert_eq!(json!(kind), kind.as_str());
        }
    }

    #[test]
    fn a_switch_is_logged_when_it_changes_something() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Clock::start()).unwrap();
        let switch = |in_use| AlertSwitch {
            kind: AlertKind::TwoHands,
            in_use,
        };
        assert!(store.alerts().unwrap().iter().all(|s| s.in_use));
        for in_use in [true, false, false, true] {
            store.switch_alert(switch(in_use), "anna").unwrap();
        }
        store.switch_alert(switch(false), "").unwrap();
        let off: Vec<_> = store.alerts().unwrap();
        let off: Vec<_> = off.iter().filter(|s| !s.in_use).collect();
        assert_eq!(off, [&switch(false)]);
        let log = store.log_after(0, 10).unwrap();
        let told: Vec<_> = log.iter().map(|e| e.body["in_use"].clone()).collect();
        assert_eq!(told, [false, true, false]);
    }
}
