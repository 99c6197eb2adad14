//! From uncertain contacts to incidents: every combination of the doubtful ones is judged by the
//! exact rules core, and the breaches weighed by how likely the combinations are.

use std::collections::HashMap;

use shakmaty::Chess;

use super::contacts::Draft;
use crate::{
    record::{ContactKind, Incident, Severity},
    rules::{Breach, Edition, Handling, Played, Turn, judge},
};

/// Contacts surer than this, or less sure than its complement, are not doubted.
const CERTAIN: f64 = 0.97;
/// Most contacts doubted at once: the most doubtful ones.
const MOST_DOUBTED: usize = 8;
/// P(breach) from which on an arbiter is alerted.
const ALERT: f64 = 0.7;
/// P(breach) from which on a person should look.
const REVIEW: f64 = 0.3;
/// Below this a breach is not kept at all.
const LEAST: f64 = 0.05;

/// Judges a turn whose contacts are uncertain. In the result `contact` is the index of the draft.
#[must_use]
pub fn weigh(
    edition: Edition,
    before: &Chess,
    drafts: &[Draft],
    played: &Played,
    move_probability: f64,
) -> Vec<Incident> {
    let mut doubted: Vec<usize> = (0..drafts.len())
        .filter(|i| {
            (1.0 - CERTAIN..CERTAIN).contains(&drafts[*i].probability) && !carries(&drafts[*i])
        })
        .collect();
    doubted.sort_by(|a, b| {
        (drafts[*a].probability - 0.5)
            .abs()
            .total_cmp(&(drafts[*b].probability - 0.5).abs())
    });
    doubted.truncate(MOST_DOUBTED);
    let mut weights: HashMap<Key, (f64, Breach)> = HashMap::new();
    for combination in 0_u32..1 << doubted.len() {
        let mut weight = move_probability;
        let mut handled = Vec::new();
        for (index, draft) in drafts.iter().enumerate() {
            let there = match doubted.iter().position(|d| *d == index) {
                Some(bit) => {
                    let there = combination & (1 << bit) != 0;
                    weight *= if there {
                        draft.probability
                    } else {
                        1.0 - draft.probability
                    };
                    there
                }
                None => carries(draft) || draft.probability >= 0.5,
            };
            if there {
                handled.push(handling(draft, index as u32));
            }
        }
        let turn = Turn {
            position: before.clone(),
            handled,
            played: played.clone(),
        };
        for breach in judge(edition, &turn) {
            let entry = weights.entry(key(&breach)).or_insert_with(|| (0.0, breach));
            entry.0 += weight;
        }
    }
    let mut incidents: Vec<Incident> = weights
        .into_values()
        .filter(|(p, _)| *p >= LEAST)
        .map(|(p, b)| incident(b, p))
        .collect();
    incidents.sort_by(|a, b| {
        a.ms.total_cmp(&b.ms)
            .then(a.kind.cmp(&b.kind))
            .then(a.contact.cmp(&b.contact))
    });
    strongest_touch_move(incidents)
}

/// Whether the move itself proves the contact.
fn carries(draft: &Draft) -> bool {
    !matches!(
        draft.kind,
        ContactKind::Touch | ContactKind::Adjust | ContactKind::Brush
    )
}

type Key = (&'static str, Option<u32>, Vec<String>);

fn key(breach: &Breach) -> Key {
    (breach.kind.as_str(), breach.contact, breach.obliged.clone())
}

fn handling(draft: &Draft, contact: u32) -> Handling {
    Handling {
        contact,
        player: draft.player,
        hand: draft.side.map(|s| s as u32),
        from: draft.from,
        piece: draft.piece,
        touch_ms: draft.touch_ms,
        lift_ms: draft.lift_ms,
        release_ms: draft.release_ms,
        to: draft.to,
        accidental: draft.kind == ContactKind::Brush,
        centred: draft.kind == ContactKind::Adjust,
    }
}

fn incident(breach: Breach, probability: f64) -> Incident {
    let probability = (probability.min(1.0) * 1000.0).round() / 1000.0;
    let severity = match probability {
        // Notice may have been given: this program does not listen, so a person must say.
        p if p >= ALERT && breach.kind.as_str() != "adjust_without_notice" => Severity::Alert,
        p if p >= REVIEW => Severity::Review,
        _ => Severity::Log,
    };
    Incident {
        kind: breach.kind.as_str().to_owned(),
        player: breach.player.into(),
        ms: breach.ms.max(0.0).round(),
        article: breach.article.to_owned(),
        contact: breach.contact,
        obliged: breach.obliged,
        probability: Some(probability),
        severity: Some(severity),
        explanation: breach.explanation,
    }
}

/// One breach of the touch rule a turn is shown, under its likeliest reading; the others are kept
/// in the log.
fn strongest_touch_move(mut incidents: Vec<Incident>) -> Vec<Incident> {
    let best = incidents
        .iter()
        .enumerate()
        .filter(|(_, i)| i.kind == "touch_move")
        .max_by(|a, b| {
            a.1.probability
                .unwrap_or(0.0)
                .total_cmp(&b.1.probability.unwrap_or(0.0))
        })
        .map(|(index, _)| index);
    for (index, incident) in incidents.iter_mut().enumerate() {
        if incident.kind == "touch_move" && Some(index) != best {
            incident.severity = Some(Severity::Log);
        }
    }
    incidents
}
