//! Where a person should look: each false, missed or wrong event of a clip with its time.

use serde::{Deserialize, Serialize};

use crate::record::{Contact, ContactKind, Incident, Player};

/// What an event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// First contact.
    Touch,
    /// Base leaves the board.
    Lift,
    /// Base is on the board again.
    Place,
    /// Last contact.
    Release,
    /// What the contact was.
    Kind,
    /// A move of the game.
    Move,
    /// An incident.
    Incident,
}

impl What {
    /// As in the JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Touch => "touch",
            Self::Lift => "lift",
            Self::Place => "place",
            Self::Release => "release",
            Self::Kind => "kind",
            Self::Move => "move",
            Self::Incident => "incident",
        }
    }
}

/// What is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// Found without a label.
    False,
    /// Labelled and not found.
    Missed,
    /// Found, but not as it is labelled.
    Wrong,
}

impl How {
    /// As in the JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::False => "false",
            Self::Missed => "missed",
            Self::Wrong => "wrong",
        }
    }
}

/// One false, missed or wrong event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// What it is about.
    pub what: What,
    /// What is wrong with it.
    pub how: How,
    /// When, milliseconds from the first frame: the label's time, or the detection's if false.
    pub ms: f64,
    /// Which, in words.
    pub detail: String,
}

impl Event {
    pub(super) fn of_contact(
        what: What,
        how: How,
        ms: f64,
        contact: &Contact,
        square: Option<&str>,
    ) -> Self {
        Self {
            what,
            how,
            ms,
            detail: format!(
                "{} {} {} {}",
                side(contact.player),
                kind_name(contact.kind),
                contact.piece,
                square.unwrap_or("beside the board")
            ),
        }
    }

    pub(super) fn of_incident(how: How, incident: &Incident, why: &str) -> Self {
        let colon = if why.is_empty() { "" } else { ": " };
        Self {
            what: What::Incident,
            how,
            ms: incident.ms,
            detail: format!(
                "{} {} ({}){colon}{why}",
                side(incident.player),
                incident.kind,
                incident.article
            ),
        }
    }
}

fn side(player: Player) -> &'static str {
    match player {
        Player::White => "White",
        Player::Black => "Black",
    }
}

fn kind_name(kind: ContactKind) -> &'static str {
    match kind {
        ContactKind::Move => "move",
        ContactKind::CaptureRemoval => "capture_removal",
        ContactKind::Touch => "touch",
        ContactKind::Adjust => "adjust",
        ContactKind::Brush => "brush",
        ContactKind::PromotionRemoval => "promotion_removal",
        ContactKind::PromotionPlacement => "promotion_placement",
    }
}
