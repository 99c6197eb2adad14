//! What was found, in the record's terms.

use shakmaty::Square;

use super::{
    announcement::Hearing,
    contacts::{Draft, whole},
    reading::Explanation,
};
use crate::record::{
    ClockPress, Contact, CornerChange, HandSpan, Incident, OutOfStep, PlayedMove, ResultSign,
    TakeBack,
};

/// Everything found, in the record's terms.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// Contacts by time of touch, numbered from 1.
    pub contacts: Vec<Contact>,
    /// Moves as played.
    pub moves: Vec<PlayedMove>,
    /// Incidents by time.
    pub incidents: Vec<Incident>,
    /// Later corners.
    pub corner_changes: Vec<CornerChange>,
    /// Spans with hands over the board.
    pub hands_over_board: Vec<HandSpan>,
    /// Presses of the clock by time, where it is watched.
    pub clock: Vec<ClockPress>,
    /// Moves that were taken back.
    pub take_backs: Vec<TakeBack>,
    /// Times out of step.
    pub spells: Vec<OutOfStep>,
    /// How the players showed that the game ended.
    pub result_sign: Option<ResultSign>,
    /// What was announced, and whether anybody listened.
    pub hearing: Hearing,
    /// What a person must decide, in sentences.
    pub questions: Vec<String>,
    /// Squares in view that disagree with the final position: not empty means out of step.
    pub out_of_step: Vec<Square>,
}

/// Sorts contacts by touch, numbers them from 1 and carries the numbers over to the incidents,
/// whose `contact` is an index into `drafts`.
pub(super) fn number(drafts: Vec<Draft>, findings: &mut Findings) {
    let mut order: Vec<usize> = (0..drafts.len()).collect();
    order.sort_by(|a, b| drafts[*a].touch_ms.total_cmp(&drafts[*b].touch_ms));
    let mut number_of = vec![0_u32; drafts.len()];
    for (place, index) in order.iter().enumerate() {
        number_of[*index] = place as u32 + 1;
        findings
            .contacts
            .push(contact(&drafts[*index], place as u32 + 1));
    }
    for incident in &mut findings.incidents {
        incident.contact = incident
            .contact
            .and_then(|c| number_of.get(c as usize).copied());
    }
    findings.incidents.sort_by(|a, b| a.ms.total_cmp(&b.ms));
}

fn contact(draft: &Draft, id: u32) -> Contact {
    Contact {
        id,
        player: draft.player.into(),
        hand: draft.side,
        square: draft.from.map(|s| s.to_string()),
        piece: draft.piece.char().to_string(),
        kind: draft.kind,
        touch_ms: whole(draft.touch_ms),
        lift_ms: draft.lift_ms.map(whole),
        place_ms: draft.place_ms.map(whole),
        release_ms: whole(draft.release_ms),
        to: draft.to.map(|s| s.to_string()),
        probability: Some((draft.probability * 1000.0).round() / 1000.0),
    }
}

/// P(a move was made) from how much better than all else it explains the board.
pub(super) fn certainty(found: &Explanation) -> f64 {
    let nats = f64::from(found.margin.min(found.gain)).min(12.0);
    ((1.0 / (1.0 + (-nats).exp())) * 1000.0).round() / 1000.0
}
