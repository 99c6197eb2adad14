//! From uncertain contacts to incidents: every combination of the doubtful ones is judged by the
//! exact rules core, and the breaches weighed by how likely the combinations are.

use std::collections::BTreeMap;

use shakmaty::Chess;

use super::{
    announcement::{Hearing, covers},
    contacts::Draft,
    corrected::Said,
    thresholds::Thresholds,
};
use crate::{
    record::{ContactKind, Incident, Severity},
    rules::{
        self, Doubt, Edition, Event, Hand, IncidentKind, Limits, Played, TimedEvent, TouchFlag,
        TurnRecord, judge, worlds,
    },
};

/// Contacts surer than this, or less sure than its complement, are not doubted.
const CERTAIN: f64 = 0.97;
/// Most contacts doubted at once: the most doubtful ones.
const MOST_DOUBTED: usize = 8;

/// Hands that hold pieces at the same time for longer than this are two: contact times err by less,
/// milliseconds.
const AT_ONCE_MS: f64 = 150.0;

/// What makes two verdicts the same one: kind, contact, obliged moves.
type Key = (&'static str, Option<u32>, Vec<String>);

/// Judges a turn whose contacts are uncertain, by what was announced. In the
/// result `contact` is the index of the draft.
#[must_use]
pub fn weigh(
    edition: Edition,
    before: &Chess,
    drafts: &[Draft],
    played: Played,
    move_probability: f64,
    thresholds: &Thresholds,
    hearing: &Hearing,
) -> Vec<Incident> {
    let turn = (before, drafts, &[][..]);
    weigh_said(edition, turn, played, move_probability, thresholds, hearing)
}

/// The same with what a person says of some of the drafts, by their places.
pub(super) fn weigh_said(
    edition: Edition,
    (before, drafts, told): (&Chess, &[Draft], &[Option<Said>]),
    played: Played,
    move_probability: f64,
    thresholds: &Thresholds,
    hearing: &Hearing,
) -> Vec<Incident> {
    let hands = hands(drafts);
    let covers = covers(&hearing.announced, drafts);
    let announced = covers.iter().map(|c| Doubt::Chance(c.probability));
    let doubts: Vec<Doubt> = drafts.iter().map(doubt).chain(announced).collect();
    let limits = Limits {
        certain: CERTAIN,
        worlds: 1 << MOST_DOUBTED,
    };
    let mut weights: BTreeMap<Key, (f64, rules::Incident)> = BTreeMap::new();
    // What had to be cut is the least doubtful, and was taken as the likelier.
    let _cut = worlds(&doubts, limits, |there, weight| {
        let (there, said) = there.split_at(drafts.len());
        let lasting = lasting(drafts, there);
        let present = lasting.iter().zip(&hands).enumerate();
        let mut events: Vec<TimedEvent> = present
            .filter_map(|(index, (draft, hand))| Some((index, draft.as_ref()?, hand)))
            .flat_map(|(index, draft, hand)| {
                let told = told.get(index).copied().flatten();
                events_of(draft, index as u32, *hand, told)
            })
            .collect();
        let said = covers.iter().zip(said).filter(|(_, said)| **said);
        for (player, from_ms, to_ms) in said.filter_map(|(c, _)| c.span(drafts)) {
            events.push(spoken(from_ms, Event::Adjust { player }));
            events.push(spoken(to_ms, Event::EndAdjust { player }));
        }
        events.sort_by_key(|e| e.ms);
        let turn = TurnRecord {
            position: before.clone(),
            player: shakmaty::Position::turn(before),
            events,
            played,
        };
        for found in judge(edition, &turn) {
            let obliged = found.obliged.iter().map(ToString::to_string).collect();
            let entry = weights
                .entry((found.kind.as_str(), found.contact, obliged))
                .or_insert_with(|| (0.0, found));
            entry.0 += move_probability * weight;
        }
    });
    // What only an announcement makes unlikely is kept all the same: words may be misheard.
    let unsaid: f64 = covers.iter().map(|c| 1.0 - c.probability).product();
    let mut incidents: Vec<Incident> = weights
        .into_values()
        .filter(|(p, i)| {
            let left = if notice_matters(i.kind.as_str()) {
                unsaid
            } else {
                1.0
            };
            *p >= thresholds.log * left
        })
        .map(|(p, i)| {
            let of = i.contact.and_then(|c| drafts.get(c as usize));
            let mut incident = incident(i, p, of.map(|d| d.kind), thresholds);
            if notice_matters(&incident.kind) {
                incident
                    .explanation
                    .extend(of.into_iter().flat_map(|d| hearing.told(d)));
            }
            incident
        })
        .collect();
    incidents.sort_by(|a, b| {
        a.ms.total_cmp(&b.ms)
            .then(a.kind.cmp(&b.kind))
            .then(a.contact.cmp(&b.contact))
    });
    strongest_touch_move(said_by_adjustment(said_by_release(incidents)))
}

/// The contacts of a world in which only those took place that are `there`: where a piece was not
/// let go on its way, the contact that would have taken it up again goes on with it instead.
fn lasting(drafts: &[Draft], there: &[bool]) -> Vec<Option<Draft>> {
    let mut carried: Option<Draft> = None;
    let mut all = Vec::with_capacity(drafts.len());
    for (draft, there) in drafts.iter().zip(there) {
        let goes_on = |c: &mut Draft| c.to == draft.from && c.player == draft.player;
        let whole = match carried.take_if(goes_on) {
            Some(begun) => Draft {
                from: begun.from,
                touch_ms: begun.touch_ms,
                lift_ms: begun.lift_ms,
                ..draft.clone()
            },
            None => draft.clone(),
        };
        if draft.resumed && !there {
            carried = Some(whole);
            all.push(None);
        } else {
            all.push(there.then_some(whole));
        }
    }
    all
}

/// How sure it is that a contact took place.
fn doubt(draft: &Draft) -> Doubt {
    if carries(draft) && !draft.resumed {
        Doubt::Fact
    } else {
        Doubt::Chance(draft.probability)
    }
}

/// Whether the move itself proves the contact.
fn carries(draft: &Draft) -> bool {
    !matches!(
        draft.kind,
        ContactKind::Touch | ContactKind::Adjust | ContactKind::Brush
    )
}

/// Which hand each contact is by. Left and right of a single reading are not trusted, and a hand
/// that was lost from sight may come back under another number: only hands that hold pieces at the
/// same time are certainly two.
fn hands(drafts: &[Draft]) -> Vec<Option<Hand>> {
    let overlap = |a: &Draft, b: &Draft| {
        let both_ms = a.release_ms.min(b.release_ms) - a.touch_ms.max(b.touch_ms);
        both_ms > AT_ONCE_MS && !a.guessed && !b.guessed
    };
    drafts
        .iter()
        .enumerate()
        .map(|(index, draft)| {
            draft.hand?;
            let other = drafts.iter().take(index).any(|d| {
                d.player == draft.player
                    && d.hand.is_some()
                    && d.hand != draft.hand
                    && overlap(d, draft)
                    && d.lift_ms.is_some()
            });
            Some(if other { Hand::Left } else { Hand::Right })
        })
        .collect()
}

/// A contact's edges as the rules core takes them.
fn events_of(
    draft: &Draft,
    contact: u32,
    hand: Option<Hand>,
    said: Option<Said>,
) -> Vec<TimedEvent> {
    let player = draft.player;
    let promotion = (draft.kind == ContactKind::PromotionPlacement).then_some(draft.piece.role);
    let mut events = Vec::new();
    let mut push = |ms: f64, event: Event| {
        events.push(TimedEvent {
            ms: ms.round() as i64,
            event,
            contact: Some(contact),
            hand,
        })
    };
    let announced = said == Some(Said::Announced);
    if announced {
        // Equal times keep their order: it was said before.
        push(draft.touch_ms, Event::Adjust { player });
    }
    if let Some(square) = draft.from {
        let flag = match draft.kind {
            _ if said == Some(Said::Accidental) => TouchFlag::Accidental,
            ContactKind::Brush => TouchFlag::Accidental,
            ContactKind::Adjust => TouchFlag::Centring,
            _ => TouchFlag::Deliberate,
        };
        push(
            draft.touch_ms,
            Event::Touch {
                player,
                squares: vec![square],
                flag,
            },
        );
        // What was knocked out of place by accident was not lifted.
        let lift_ms = draft.lift_ms.filter(|_| flag != TouchFlag::Accidental);
        if let Some(ms) = lift_ms {
            push(
                ms,
                if draft.to.is_none() {
                    Event::Remove { player, square }
                } else {
                    Event::Lift { player, square }
                },
            );
        }
    }
    if let Some(square) = draft.to {
        if let Some(ms) = draft.place_ms {
            push(
                ms,
                Event::Place {
                    player,
                    square,
                    promotion,
                },
            );
        }
        push(
            draft.release_ms,
            Event::Release {
                player,
                square,
                promotion,
            },
        );
    }
    if announced {
        push(draft.release_ms, Event::EndAdjust { player });
    }
    events
}

/// Words, which no contact is an edge of.
fn spoken(ms: f64, event: Event) -> TimedEvent {
    TimedEvent {
        ms: ms.round() as i64,
        event,
        contact: None,
        hand: None,
    }
}

/// Whether an announcement would have changed it.
fn notice_matters(kind: &str) -> bool {
    matches!(kind, "touch_move" | "adjust_without_notice")
}

fn incident(
    found: rules::Incident,
    probability: f64,
    of: Option<ContactKind>,
    thresholds: &Thresholds,
) -> Incident {
    let probability = (probability.min(1.0) * 1000.0).round() / 1000.0;
    Incident {
        kind: found.kind.as_str().to_owned(),
        player: found.player.into(),
        ms: (found.ms as f64).max(0.0),
        article: found.article,
        contact: found.contact,
        obliged: found.obliged.iter().map(ToString::to_string).collect(),
        probability: Some(probability),
        severity: Some(
            thresholds.severity(probability, most(found.kind, of, probability, thresholds)),
        ),
        explanation: found.explanation,
    }
}

/// Up to where an incident is shown. Notice of an adjustment may have been given: nobody listens, or it
/// was said too softly to be heard, and with notice the piece need not be moved either. And a resting hand of the player who waits is not worth an alert, nor a person's time
/// when it is unsure. Both are at most for a person to look at.
fn most(
    kind: IncidentKind,
    of: Option<ContactKind>,
    probability: f64,
    thresholds: &Thresholds,
) -> Severity {
    match kind {
        IncidentKind::TouchByOpponent | IncidentKind::AdjustOutOfTurn
            if probability < thresholds.alert =>
        {
            Severity::Log
        }
        IncidentKind::TouchByOpponent
        | IncidentKind::AdjustOutOfTurn
        | IncidentKind::AdjustWithoutNotice => Severity::Review,
        IncidentKind::TouchMove if of == Some(ContactKind::Adjust) => Severity::Review,
        _ => Severity::Alert,
    }
}

/// A move that was changed after its release was begun by a touch, which binds too, but less: one
/// breach, shown once, by the release.
fn said_by_release(mut incidents: Vec<Incident>) -> Vec<Incident> {
    let released: Vec<(Option<u32>, f64)> = incidents
        .iter()
        .filter(|i| i.kind == "move_changed_after_release")
        .map(|i| (i.contact, i.probability.unwrap_or(0.0)))
        .collect();
    for incident in incidents.iter_mut().filter(|i| i.kind == "touch_move") {
        let p = incident.probability.unwrap_or(0.0);
        if released.iter().any(|r| r.0 == incident.contact && r.1 >= p) {
            incident.severity = Some(Severity::Log);
        }
    }
    incidents
}

/// What an adjusted piece binds to hangs on the same question as the adjustment itself, whether notice
/// was given: asked once.
fn said_by_adjustment(mut incidents: Vec<Incident>) -> Vec<Incident> {
    let asked: Vec<Option<u32>> = incidents
        .iter()
        .filter(|i| i.kind == "adjust_without_notice" && i.severity != Some(Severity::Log))
        .map(|i| i.contact)
        .collect();
    for incident in incidents.iter_mut().filter(|i| i.kind == "touch_move") {
        if asked.contains(&incident.contact) {
            incident.severity = Some(Severity::Log);
        }
    }
    incidents
}

/// One breach of the touch rule a turn is shown, under its likeliest reading; the others are kept
/// in the log.
fn strongest_touch_move(mut incidents: Vec<Incident>) -> Vec<Incident> {
    let chance = |i: &Incident| i.probability.unwrap_or(0.0);
    let touch_moves = incidents
        .iter()
        .enumerate()
        .filter(|(_, i)| i.kind == "touch_move" && i.severity != Some(Severity::Log));
    let best = touch_moves
        .max_by(|a, b| chance(a.1).total_cmp(&chance(b.1)))
        .map(|(index, _)| index);
    for (index, incident) in incidents.iter_mut().enumerate() {
        if incident.kind == "touch_move" && Some(index) != best {
            incident.severity = Some(Severity::Log);
        }
    }
    incidents
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, Piece, Role, Square, uci::UciMove};

    use super::*;
    use crate::events::position_from_fen;

    fn knight(from: Square, to: Square, at_ms: f64) -> Draft {
        Draft {
            player: Color::Black,
            hand: Some(1),
            side: None,
            from: Some(from),
            piece: Piece {
                color: Color::Black,
                role: Role::Knight,
            },
            kind: ContactKind::Move,
            touch_ms: at_ms,
            lift_ms: Some(at_ms + 100.0),
            place_ms: Some(at_ms + 700.0),
            release_ms: at_ms + 800.0,
            to: Some(to),
            probability: 0.95,
            guessed: false,
            resumed: false,
        }
    }

    #[test]
    fn a_piece_that_may_have_been_let_go_on_its_way_is_as_likely_a_breach() {
        let before = position_from_fen("r5k1/3n1ppp/8/8/8/8/5PPP/3Q2K1 b - - 0 36").unwrap();
        let first = Draft {
            probability: 0.6,
            resumed: true,
            ..knight(Square::D7, Square::C5, 1000.0)
        };
        let drafts = [first, knight(Square::C5, Square::F8, 2100.0)];
        let played = Played::Legal {
            mv: "d7f8".parse::<UciMove>().unwrap().to_move(&before).unwrap(),
            made_ms: 2900,
        };
        let thresholds = Thresholds::default();
        let edition = Edition::Fide2023;
        let hearing = Hearing::default();
        let found = weigh(
            edition,
            &before,
            &drafts,
            played,
            1.0,
            &thresholds,
            &hearing,
        );
        let shown: Vec<_> = found
            .iter()
            .filter(|i| i.severity != Some(Severity::Log))
            .map(|i| (i.kind.as_str(), i.probability, i.obliged.as_slice()))
            .collect();
        let obliged = ["d7c5".to_owned()];
        let wanted = ("move_changed_after_release", Some(0.6), &obliged[..]);
        assert_eq!(shown, [wanted]);
        // Where it was not let go there was one contact from d7 to f8, which is no breach; nor where it
        // was let go on neither of two squares.
        let again = Draft {
            resumed: true,
            ..knight(Square::C5, Square::E6, 2100.0)
        };
        let twice = [
            drafts[0].clone(),
            again,
            knight(Square::E6, Square::F8, 3200.0),
        ];
        for whole in [
            lasting(&drafts, &[false, true]),
            lasting(&twice, &[false, false, true]),
        ] {
            let held: Vec<_> = whole
                .iter()
                .flatten()
                .map(|d| (d.from, d.touch_ms, d.to))
                .collect();
            assert_eq!(held, [(Some(Square::D7), 1000.0, Some(Square::F8))]);
        }
    }
}
