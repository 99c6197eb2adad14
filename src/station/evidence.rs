//! Which frames prove an incident, and keeping them.

use std::{sync::Arc, thread};

use super::{
    Common, evidence_folder, footage,
    footage::{FootageError, Kept},
    footage_folder,
    store::incidents::StoredIncident,
};

/// What is shown before a first contact, milliseconds ...
const BEFORE_MS: f64 = 1000.0;
/// ... around a release ...
const AROUND_MS: f64 = 500.0;
/// ... and after the breach.
const AFTER_MS: f64 = 700.0;
/// Longest time a piece is held without a gap in what is shown, milliseconds.
const GAP_MS: f64 = 1500.0;

/// Spans of time around the first contact, the release and the breach, by time, milliseconds since
/// 1970. What lies close together is one span.
#[must_use]
pub fn spans(incident: &StoredIncident) -> Vec<(f64, f64)> {
    let at = |ms: f64| (ms - AROUND_MS, ms + AROUND_MS);
    let mut wanted = vec![(incident.at_ms - BEFORE_MS, incident.at_ms + AFTER_MS)];
    let contact = incident
        .contacts
        .iter()
        .find(|c| Some(c.id) == incident.contact);
    if let Some(contact) = contact {
        wanted.push((contact.touch_ms - BEFORE_MS, contact.touch_ms + AROUND_MS));
        wanted.push(at(contact.release_ms));
    }
    wanted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut spans: Vec<(f64, f64)> = Vec::new();
    for (from, to) in wanted {
        match spans.last_mut().filter(|last| from <= last.1 + GAP_MS) {
            Some(last) => last.1 = last.1.max(to),
            None => spans.push((from, to)),
        }
    }
    spans
}

/// When the last of an incident's frames is captured, milliseconds since 1970.
#[must_use]
pub(super) fn complete_ms(incident: &StoredIncident) -> f64 {
    spans(incident).last().map_or(incident.at_ms, |s| s.1)
}

/// The frames of an incident: those that are kept, or while they are not yet, those of the footage.
///
/// # Errors
/// [`FootageError`].
pub fn frames(
    common: &Common,
    board: i64,
    incident: &StoredIncident,
) -> Result<Vec<Kept>, FootageError> {
    if incident.frames > 0 {
        let folder = evidence_folder(&common.data, incident.id);
        return footage::frames(&folder, f64::NEG_INFINITY, f64::INFINITY);
    }
    footage::frames_in(&footage_folder(&common.data, board), &spans(incident))
}

/// Keeps an incident's frames on a thread of its own: copying them must not hold up a board.
pub(super) fn keep(common: &Arc<Common>, board: i64, id: i64) {
    let common = Arc::clone(common);
    thread::spawn(move || {
        let kept = || -> Result<(), super::store::StoreError> {
            let incident = common.store.incident(id)?;
            let ring = footage_folder(&common.data, board);
            let folder = evidence_folder(&common.data, id);
            let (frames, sha256) = footage::keep(&ring, &folder, &spans(&incident))?;
            if frames > 0 {
                common.store.kept(id, frames, &sha256)?;
            }
            Ok(())
        };
        if let Err(error) = kept() {
            tracing::error!(incident = id, %error, "the frames of this incident could not be kept");
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        record::{Contact, ContactKind, Player, Severity},
        station::store::players::Players,
    };

    fn incident(touch_ms: f64, release_ms: f64, at_ms: f64) -> StoredIncident {
        StoredIncident {
            id: 1,
            game: 1,
            board: "One".to_owned(),
            players: Players::default(),
            laws: "fide-2023".to_owned(),
            ply: 0,
            at_ms,
            kind: "touch_move".to_owned(),
            player: Player::White,
            severity: Severity::Alert,
            probability: 0.9,
            article: "4.3.1".to_owned(),
            fen: String::new(),
            played: String::new(),
            obliged: Vec::new(),
            contacts: vec![Contact {
                id: 3,
                player: Player::White,
                hand: None,
                square: Some("b1".to_owned()),
                piece: "N".to_owned(),
                kind: ContactKind::Touch,
                touch_ms,
                lift_ms: None,
                place_ms: None,
                release_ms,
                to: None,
                probability: None,
            }],
            contact: Some(3),
            explanation: Vec::new(),
            frames: 0,
            withdrawn: false,
            corrected: None,
            ruled: None,
            held: false,
            freed: false,
        }
    }

    #[test]
    fn what_lies_close_together_is_one_span() {
        let close = incident(10_000.0, 10_400.0, 12_000.0);
        assert_eq!(spans(&close), [(9000.0, 12_700.0)]);
    }

    #[test]
    fn a_long_thought_between_is_left_out() {
        let far = incident(10_000.0, 10_400.0, 99_000.0);
        assert_eq!(spans(&far), [(9000.0, 10_900.0), (98_000.0, 99_700.0)]);
        let long_held = incident(10_000.0, 50_000.0, 50_000.0);
        assert_eq!(
            spans(&long_held),
            [(9000.0, 10_500.0), (49_000.0, 50_700.0)]
        );
    }
}
