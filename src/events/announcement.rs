//! What was heard: that adjusting was announced, and how that bears on a contact.

use serde::{Deserialize, Serialize};

use shakmaty::Color;

use super::contacts::Draft;
use crate::record::{ContactKind, Speech};

/// A touch so long after the beginning of an announcement can still be what was announced,
/// milliseconds.
const COVERS_MS: f64 = 6000.0;
/// The next piece is adjusted under the same announcement when it is touched so soon after the one
/// before was let go, milliseconds.
const GOES_ON_MS: f64 = 2500.0;
/// Contact times and times of speech err by about this together, milliseconds: what lies closer
/// together may have come in either order.
const AT_ONCE_MS: f64 = 100.0;
/// The time at which a move was made errs by about this, milliseconds.
const TURN_ERROR_MS: f64 = 300.0;
/// An announcement so long after a touch still belongs to it, too late, milliseconds.
const LATE_MS: f64 = 10_000.0;

/// What was said, as far as it can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phrase {
    /// "J'adoube", "adoube".
    Jadoube,
    /// "I adjust", "adjusting".
    Adjust,
    /// "Ich rücke zurecht", "ich korrigiere".
    German,
    /// "Je rectifie", "j'arrange".
    French,
    /// "Compongo", "acconcio", "componho".
    Romance,
    /// "Поправляю", "poprawiam", "upravuji".
    Slavic,
}

impl Phrase {
    /// In the order of the network's answers, nothing being the first.
    pub const ALL: [Self; 6] = [
        Self::Jadoube,
        Self::Adjust,
        Self::German,
        Self::French,
        Self::Romance,
        Self::Slavic,
    ];

    /// How it is quoted: one of the phrases that are not told apart.
    #[must_use]
    pub const fn quoted(self) -> &'static str {
        match self {
            Self::Jadoube => "j'adoube",
            Self::Adjust => "I adjust",
            Self::German => "ich rücke zurecht",
            Self::French => "je rectifie",
            Self::Romance => "compongo",
            Self::Slavic => "поправляю",
        }
    }
}

/// Adjusting was announced: by voice, or by somebody's pressing a button. Who spoke is not known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Announcement {
    /// When it ended, milliseconds from the first frame.
    pub ms: f64,
    /// For how long it was spoken, milliseconds; 0 for a button.
    pub duration_ms: f64,
    /// What was said, where it was heard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrase: Option<Phrase>,
    /// P(it was announced).
    pub probability: f64,
}

/// P(it was announced) when somebody pressed a button for it.
const BY_HAND: f64 = 0.95;

impl Announcement {
    /// Noted by hand at a moment, milliseconds from the first frame.
    #[must_use]
    pub const fn by_hand(ms: f64) -> Self {
        Self {
            ms,
            duration_ms: 0.0,
            phrase: None,
            probability: BY_HAND,
        }
    }

    /// When it began, milliseconds: from then on the intention is being expressed.
    #[must_use]
    pub fn begun_ms(&self) -> f64 {
        self.ms - self.duration_ms
    }

    /// P(it began before this touch), for times that err; none when the two have nothing to do
    /// with each other.
    fn in_time(&self, touch_ms: f64) -> Option<f64> {
        let ahead_ms = touch_ms - self.begun_ms();
        (-AT_ONCE_MS..COVERS_MS)
            .contains(&ahead_ms)
            .then(|| ((ahead_ms + AT_ONCE_MS) / (2.0 * AT_ONCE_MS)).clamp(0.0, 1.0))
    }

    /// What it is to a contact, in a sentence; none when the two have nothing to do with each
    /// other.
    #[must_use]
    pub fn told_of(&self, contact: &Draft) -> Option<String> {
        let ahead_ms = contact.touch_ms - self.begun_ms();
        if !(-LATE_MS..COVERS_MS).contains(&ahead_ms) {
            return None;
        }
        let what = self.phrase.map_or_else(
            || "Adjusting was announced by hand".to_owned(),
            |p| format!("\u{201c}{}\u{201d} was heard", p.quoted()),
        );
        let seconds = self.begun_ms() / 1000.0;
        let order = if ahead_ms >= 0.0 {
            format!("{ahead_ms:.0} ms before the touch")
        } else {
            format!("{:.0} ms after the touch: too late", -ahead_ms)
        };
        Some(format!(
            "{what} at {seconds:.1} s (probability {:.2}), {order}.",
            self.probability
        ))
    }
}

impl From<&Announcement> for Speech {
    fn from(said: &Announcement) -> Self {
        Self {
            player: None,
            ms: said.begun_ms().round(),
            phrase: said.phrase.map_or("", Phrase::quoted).to_owned(),
            duration_ms: Some(said.duration_ms),
            probability: Some(said.probability),
        }
    }
}

/// Contacts under one announcement.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cover {
    /// The first contact's index: its player is who announced, as far as the Laws care.
    pub first: usize,
    /// P(it was announced, and in time).
    pub probability: f64,
    /// Until when the hand goes on adjusting, milliseconds.
    pub until_ms: f64,
}

impl Cover {
    /// Whose adjusting is announced, from when to when, milliseconds.
    pub(super) fn span(&self, contacts: &[Draft]) -> Option<(Color, f64, f64)> {
        let contact = contacts.get(self.first)?;
        // Just before the touch, whatever the times say: that it came in time is in the probability.
        Some((contact.player, contact.touch_ms - 1.0, self.until_ms + 1.0))
    }
}

/// What each announcement covers of a turn's contacts: who spoke is not known, so it is held in
/// favour of whoever touches a piece next.
pub(super) fn covers(announced: &[Announcement], contacts: &[Draft]) -> Vec<Cover> {
    announced
        .iter()
        .filter_map(|said| {
            let next = contacts
                .iter()
                .enumerate()
                .filter(|(_, c)| c.from.is_some() && c.kind != ContactKind::Brush)
                .filter_map(|(i, c)| Some((i, c, said.in_time(c.touch_ms)?)));
            let (first, contact, in_time) =
                next.min_by(|a, b| a.1.touch_ms.total_cmp(&b.1.touch_ms))?;
            let mut until_ms = contact.release_ms;
            let mut later: Vec<&Draft> = contacts
                .iter()
                .filter(|c| c.player == contact.player && c.touch_ms > contact.touch_ms)
                .filter(|c| matches!(c.kind, ContactKind::Adjust | ContactKind::Touch))
                .collect();
            later.sort_by(|a, b| a.touch_ms.total_cmp(&b.touch_ms));
            for c in later {
                if c.touch_ms - until_ms > GOES_ON_MS {
                    break;
                }
                until_ms = until_ms.max(c.release_ms);
            }
            Some(Cover {
                first,
                probability: said.probability * in_time,
                until_ms,
            })
        })
        .collect()
}

/// What is known of announcements.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Hearing {
    /// Somebody listens: that nothing is announced means something.
    pub listening: bool,
    /// What was announced, by time.
    pub announced: Vec<Announcement>,
}

impl Hearing {
    /// What was announced in the turn that began at a time, milliseconds: an announcement does not
    /// outlast the move before which it was made.
    pub(super) fn since(&self, ms: f64) -> Self {
        let announced = self.announced.iter();
        let announced = announced.filter(|a| a.begun_ms() >= ms - TURN_ERROR_MS);
        Self {
            listening: self.listening,
            announced: announced.cloned().collect(),
        }
    }

    /// What was announced about a contact, in sentences; that nothing was, where that is known.
    pub(super) fn told(&self, contact: &Draft) -> Vec<String> {
        let all = self.announced.iter();
        let said: Vec<String> = all.filter_map(|a| a.told_of(contact)).collect();
        if said.is_empty() && self.listening {
            return vec!["No announcement was heard.".to_owned()];
        }
        said
    }
}
