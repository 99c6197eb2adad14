//! Why an incident is one, in the words of a language: from the same catalogues as the rules, with
//! moves as players write them.

use shakmaty::{CastlingMode, Chess, san::SanPlus, uci::UciMove};

use super::store::incidents::StoredIncident;
use crate::{
    events::position_from_fen,
    record::Contact,
    review::why::Case,
    rules::{Event, Fact, Language},
};

/// Small facts, a sentence each. What cannot be told anew is told in English, as it was stored.
pub(super) fn explanation(incident: &StoredIncident, language: Language) -> Vec<String> {
    facts(incident)
        .map(|facts| facts.iter().map(|f| f.in_language(language)).collect())
        .unwrap_or_else(|| incident.explanation.clone())
}

/// The facts again: what binds is judged anew from the contact and the position.
fn facts(incident: &StoredIncident) -> Option<Vec<Fact>> {
    let before = position_from_fen(&incident.fen).ok()?;
    case(incident, &before)?.facts()
}

fn case<'a>(incident: &'a StoredIncident, before: &'a Chess) -> Option<Case<'a>> {
    Some(Case {
        kind: &incident.kind,
        player: incident.player,
        edition: incident.laws.parse().ok()?,
        article: &incident.article,
        before,
        played: &incident.played,
        obliged: &incident.obliged,
        contact: contact(incident),
    })
}

/// Who may raise it, and until when, in the words of a language.
pub(super) fn standing(incident: &StoredIncident, language: Language) -> Option<String> {
    let position = position_from_fen(&incident.fen).ok()?;
    let mut ledger = case(incident, &position)?.touched()?;
    let san: SanPlus = incident.played.parse().ok()?;
    let played = san.san.to_move(&position).ok()?;
    let made = Event::Move {
        player: incident.player.into(),
        uci: UciMove::from_move(played, CastlingMode::Standard),
        two_hands: false,
    };
    ledger.apply(&made).ok()?;
    let facts = ledger.breach_facts();
    Some(facts.get(1)?.in_language(language))
}

/// The squares of what was played, as `e2e4`.
pub(super) fn played_uci(incident: &StoredIncident) -> Option<String> {
    let position = position_from_fen(&incident.fen).ok()?;
    let legal = incident
        .played
        .parse::<SanPlus>()
        .ok()
        .and_then(|san| san.san.to_move(&position).ok());
    match legal {
        Some(played) => Some(UciMove::from_move(played, CastlingMode::Standard).to_string()),
        // An illegal move is stored as its squares.
        None => incident
            .played
            .parse::<UciMove>()
            .ok()
            .map(|u| u.to_string()),
    }
}

/// The moves that were allowed, SAN.
pub(super) fn allowed(incident: &StoredIncident) -> Vec<String> {
    let Ok(position) = position_from_fen(&incident.fen) else {
        return Vec::new();
    };
    let san = |uci: &String| {
        let legal = uci.parse::<UciMove>().ok()?.to_move(&position).ok()?;
        Some(SanPlus::from_move(position.clone(), legal).to_string())
    };
    let moves = incident.obliged.iter();
    moves
        .map(|uci| san(uci).unwrap_or_else(|| uci.clone()))
        .collect()
}

/// The contact that an incident is about.
fn contact(incident: &StoredIncident) -> Option<&Contact> {
    incident
        .contacts
        .iter()
        .find(|c| Some(c.id) == incident.contact)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        record::{ContactKind, Player, Severity},
        rules::{Clause, Edition},
        station::store::players::Players,
    };

    /// White touches the knight on b1 and plays the pawn to d4.
    fn knight_touched() -> StoredIncident {
        StoredIncident {
            id: 1,
            game: 1,
            board: "One".to_owned(),
            players: Players::default(),
            laws: "fide-2023".to_owned(),
            ply: 0,
            at_ms: 3000.0,
            kind: "touch_move".to_owned(),
            player: Player::White,
            severity: Severity::Alert,
            probability: 0.9,
            article: "4.3.1".to_owned(),
            fen: crate::broadcast::game::START_FEN.to_owned(),
            played: "d4".to_owned(),
            obliged: vec!["b1a3".to_owned(), "b1c3".to_owned()],
            contacts: vec![Contact {
                id: 7,
                player: Player::White,
                hand: None,
                square: Some("b1".to_owned()),
                piece: "N".to_owned(),
                kind: ContactKind::Touch,
                touch_ms: 1000.0,
                lift_ms: None,
                place_ms: None,
                release_ms: 1300.0,
                to: None,
                probability: Some(0.9),
            }],
            contact: Some(7),
            explanation: vec!["As it was stored.".to_owned()],
            frames: 0,
            withdrawn: false,
            corrected: None,
            ruled: None,
            held: false,
            freed: false,
        }
    }

    #[test]
    fn the_chain_of_facts_is_told_in_german() {
        let told = explanation(&knight_touched(), Language::German).join(" ");
        assert!(
            told.contains("b1") && told.contains("4.3.1") && told.contains("d4"),
            "{told}"
        );
        assert!(told.contains("Weiß") && !told.contains("White"), "{told}");
    }

    #[test]
    fn moves_are_told_as_players_write_them_in_both_languages() {
        for (language, moves) in [
            (Language::English, "Na3, Nc3"),
            (Language::German, "Sa3, Sc3"),
        ] {
            let told = explanation(&knight_touched(), language).join(" ");
            assert!(told.contains(moves) && !told.contains("b1a3"), "{told}");
            assert!(told.contains("d4") && !told.contains("d2d4"), "{told}");
        }
    }

    #[test]
    fn a_release_that_was_changed_is_told_by_what_was_left() {
        let mut incident = knight_touched();
        incident.kind = "move_changed_after_release".to_owned();
        incident.article = Edition::Fide2023.article(Clause::Release).to_owned();
        incident.obliged = vec!["b1c3".to_owned()];
        let told = explanation(&incident, Language::English).join(" ");
        assert!(told.contains("let go") && told.contains("Nc3"), "{told}");
        assert!(!told.contains("Na3"), "{told}");
    }

    #[test]
    fn moves_are_told_by_their_squares_and_as_they_are_written() {
        let incident = knight_touched();
        assert_eq!(played_uci(&incident).as_deref(), Some("d2d4"));
        assert_eq!(allowed(&incident), ["Na3", "Nc3"]);
        let illegal = StoredIncident {
            played: "a1a5".to_owned(),
            ..incident
        };
        assert_eq!(played_uci(&illegal).as_deref(), Some("a1a5"));
    }

    #[test]
    fn who_may_raise_it_follows_from_the_edition() {
        let said = standing(&knight_touched(), Language::English).unwrap();
        assert!(said.contains("may raise it"), "{said}");
    }

    #[test]
    fn what_cannot_be_judged_again_is_told_as_it_was_stored() {
        let unknown = StoredIncident {
            contact: None,
            ..knight_touched()
        };
        assert_eq!(
            explanation(&unknown, Language::German),
            ["As it was stored."]
        );
        assert_eq!(standing(&unknown, Language::German), None);
    }
}
