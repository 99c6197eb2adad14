//! A turn judged again with what a person knows of its contacts: that one was announced, or was an
//! accident. No camera shows either.

use shakmaty::{Chess, Color, Piece, Role};

use super::{Thresholds, announcement::Hearing, contacts::Draft, incidents::weigh_said};
use crate::{
    record::{Contact, ContactKind, Incident},
    rules::{Edition, Played},
};

/// What a person says of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Said {
    /// "J'adoube" was said before it.
    Announced,
    /// The touch was accidental.
    Accidental,
}

/// Whether a contact can have been an adjustment or an accident: one that moved a piece cannot.
#[must_use]
pub fn may_be_corrected(contact: &Contact) -> bool {
    matches!(
        contact.kind,
        ContactKind::Touch | ContactKind::Adjust | ContactKind::Brush
    )
}

/// Judges a recorded turn again: `said` names contacts by their numbers. In the result `contact` is
/// such a number. Which hand made a contact is not in a record: two hands are never found.
///
/// `before` is the position at the turn's begin; all times are of one clock, milliseconds.
#[must_use]
pub fn weigh_again(
    edition: Edition,
    (before, contacts, said): (&Chess, &[Contact], &[(u32, Said)]),
    played: Played,
    move_probability: f64,
    thresholds: &Thresholds,
) -> Vec<Incident> {
    let readable: Vec<(u32, Draft)> = contacts
        .iter()
        .filter_map(|contact| Some((contact.id, draft(contact)?)))
        .collect();
    let of = |id: &u32| said.iter().rev().find(|s| s.0 == *id).map(|s| s.1);
    let said: Vec<Option<Said>> = readable.iter().map(|(id, _)| of(id)).collect();
    let (numbers, mut drafts): (Vec<u32>, Vec<Draft>) = readable.into_iter().unzip();
    // A record does not say which contacts were only probably let go: those taken up again are.
    for index in 0..drafts.len() {
        let (done, next) = drafts.split_at_mut(index + 1);
        if let Some(last) = done.last_mut().filter(|d| d.kind == ContactKind::Move) {
            let again = |n: &Draft| {
                n.kind == ContactKind::Move && n.player == last.player && n.from == last.to
            };
            last.resumed = next.iter().any(again);
        }
    }
    let turn = (before, &drafts[..], &said[..]);
    let mut found = weigh_said(
        edition,
        turn,
        played,
        move_probability,
        thresholds,
        &Hearing::default(),
    );
    for incident in &mut found {
        let number = |index: u32| numbers.get(index as usize).copied();
        incident.contact = incident.contact.and_then(number);
    }
    found
}

/// A contact of a record as it was before it was written; none for squares or pieces that are none.
fn draft(contact: &Contact) -> Option<Draft> {
    let square = |text: &Option<String>| text.as_deref().map(str::parse).transpose().ok();
    let letter = contact.piece.chars().next()?;
    Some(Draft {
        player: contact.player.into(),
        hand: None,
        side: contact.hand,
        from: square(&contact.square)?,
        piece: Piece {
            role: Role::from_char(letter)?,
            color: Color::from_white(letter.is_ascii_uppercase()),
        },
        kind: contact.kind,
        touch_ms: contact.touch_ms,
        lift_ms: contact.lift_ms,
        place_ms: contact.place_ms,
        release_ms: contact.release_ms,
        to: square(&contact.to)?,
        probability: contact.probability.unwrap_or(1.0),
        guessed: false,
        resumed: false,
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::uci::UciMove;

    use super::*;
    use crate::record::{Player, Severity};

    fn contact(id: u32, square: &str, to: &str, kind: ContactKind, touch_ms: f64) -> Contact {
        let carried = kind == ContactKind::Move;
        Contact {
            id,
            player: Player::White,
            hand: None,
            square: Some(square.to_owned()),
            piece: if square == "g1" { "N" } else { "P" }.to_owned(),
            kind,
            touch_ms,
            lift_ms: carried.then_some(touch_ms + 150.0),
            place_ms: carried.then_some(touch_ms + 600.0),
            release_ms: touch_ms + 700.0,
            to: Some(to.to_owned()),
            probability: Some(0.9),
        }
    }

    /// White touches the knight on g1, as `kind`, and plays the pawn to d4.
    fn judged(kind: ContactKind, said: &[(u32, Said)]) -> Vec<Incident> {
        let before = Chess::default();
        let mv = "d2d4".parse::<UciMove>().unwrap().to_move(&before).unwrap();
        let contacts = [
            contact(1, "g1", "g1", kind, 1000.0),
            contact(2, "d2", "d4", ContactKind::Move, 3000.0),
        ];
        let turn = (&before, &contacts[..], said);
        let played = Played::Legal { mv, made_ms: 3700 };
        weigh_again(Edition::Fide2023, turn, played, 1.0, &Thresholds::default())
    }

    fn kinds(found: &[Incident]) -> Vec<(&str, Option<u32>)> {
        found.iter().map(|i| (i.kind.as_str(), i.contact)).collect()
    }

    #[test]
    fn without_a_word_it_is_as_it_was() {
        let found = judged(ContactKind::Touch, &[]);
        assert_eq!(kinds(&found), [("touch_move", Some(1))]);
        assert_eq!(found[0].probability, Some(0.9));
        assert_eq!(found[0].severity, Some(Severity::Alert));
    }

    #[test]
    fn an_announced_touch_and_an_accidental_one_bind_nobody() {
        for said in [Said::Announced, Said::Accidental] {
            assert!(
                judged(ContactKind::Touch, &[(1, said)]).is_empty(),
                "{said:?}"
            );
        }
    }

    #[test]
    fn an_adjustment_is_a_breach_only_without_notice() {
        let found = judged(ContactKind::Adjust, &[]);
        assert!(kinds(&found).contains(&("adjust_without_notice", Some(1))));
        assert!(judged(ContactKind::Adjust, &[(1, Said::Announced)]).is_empty());
        assert!(judged(ContactKind::Adjust, &[(1, Said::Accidental)]).is_empty());
    }

    #[test]
    fn what_is_said_of_another_contact_changes_nothing() {
        let found = judged(ContactKind::Touch, &[(2, Said::Accidental)]);
        assert!(kinds(&found).contains(&("touch_move", Some(1))));
    }

    #[test]
    fn the_last_word_counts() {
        let found = judged(
            ContactKind::Touch,
            &[(1, Said::Announced), (1, Said::Accidental)],
        );
        assert!(found.is_empty());
    }
}
