//! Why an incident is one, in the words of a language: from the same catalogues as the rules, with
//! moves as players write them.

use shakmaty::{Chess, Color, Square};

use super::{
    report::plies::{move_of, plies},
    words::{Words, cause},
};
use crate::{
    record::{Contact, Incident, Player, Record, Speech},
    rules::{Clause, Edition, Event, Fact, Language, Ledger, TouchFlag},
};

/// What must be known of an incident to judge it anew.
pub(crate) struct Case<'a> {
    /// As `touch_move`.
    pub kind: &'a str,
    /// Whose breach.
    pub player: Player,
    /// The edition of the Laws.
    pub edition: Edition,
    /// Article of the edition.
    pub article: &'a str,
    /// The position before the move.
    pub before: &'a Chess,
    /// What was played: SAN, or squares where it was illegal.
    pub played: &'a str,
    /// Moves that would have been in order, UCI.
    pub obliged: &'a [String],
    /// The contact that it hangs on.
    pub contact: Option<&'a Contact>,
}

impl Case<'_> {
    /// Small facts, moves as SAN; none where what binds cannot be judged anew.
    pub(crate) fn facts(&self) -> Option<Vec<Fact>> {
        let player = Color::from(self.player);
        let article = |clause| self.edition.article(clause);
        let plain = |id, clause| Some(vec![Fact::by(id, player).by_article(article(clause))]);
        let instead = || Fact::by("played-instead", player).played(self.played.to_owned());
        let mut facts = match self.kind {
            "two_hands" => return plain("both-hands", Clause::OneHand),
            "adjust_without_notice" => return plain("adjusted-piece-no-notice", Clause::Adjust),
            "adjust_out_of_turn" => return plain("adjusted-piece-out-of-turn", Clause::Adjust),
            "touch_by_opponent" => return plain("touched-out-of-turn", Clause::Disturbance),
            "touch_move" | "castling_rook_first" => self.touched()?.facts(),
            "move_changed_after_release" => self.released()?,
            "illegal_move" => self.touched().map(|l| l.facts()).unwrap_or_default(),
            _ => return None,
        };
        facts.push(instead());
        if self.kind == "illegal_move" {
            let illegal = Fact::new("not-legal").played(self.played.to_owned());
            facts.push(illegal.by_article(article(Clause::IllegalMove)));
        }
        Some(facts.into_iter().map(|f| f.in_san(self.before)).collect())
    }

    /// The turn up to the contact.
    pub(crate) fn touched(&self) -> Option<Ledger> {
        let contact = self.contact?;
        let mut ledger = Ledger::new(self.before.clone(), self.edition);
        let touch = Event::Touch {
            player: contact.player.into(),
            squares: vec![square(&contact.square)?],
            flag: TouchFlag::Deliberate,
        };
        ledger.apply(&touch).ok()?;
        Some(ledger)
    }

    /// What is left once a piece was let go.
    fn released(&self) -> Option<Vec<Fact>> {
        let clauses = [
            Clause::Release,
            Clause::ReleaseCapture,
            Clause::ReleaseCastling,
            Clause::ReleasePromotion,
            Clause::PromotionFinal,
        ];
        let is = |c: &Clause| self.edition.article(*c) == self.article;
        let clause = clauses.into_iter().find(is)?;
        let moves: Option<Vec<_>> = self.obliged.iter().map(|m| m.parse().ok()).collect();
        let player = self.player.into();
        Some(Fact::let_go(self.edition, player, clause, &moves?))
    }
}

fn square(name: &Option<String>) -> Option<Square> {
    name.as_deref()?.parse().ok()
}

/// Why an incident of a review is one, a sentence each. What cannot be told anew is told in
/// English, as it was found.
#[must_use]
pub fn explanation(record: &Record, incident: &Incident, language: Language) -> Vec<String> {
    if language == Language::English {
        return incident.explanation.clone();
    }
    let told = facts(record, incident).map(|facts| {
        let heard = heard(record, incident, Words::new(language));
        facts
            .iter()
            .map(|f| f.in_language(language))
            .chain(heard)
            .collect()
    });
    told.unwrap_or_else(|| incident.explanation.clone())
}

fn facts(record: &Record, incident: &Incident) -> Option<Vec<Fact>> {
    let index = move_of(record, incident);
    let plies = plies(record);
    let before = plies.get(index.unwrap_or(record.moves.len()))?;
    let played = index.and_then(|i| record.moves.get(i));
    Case {
        kind: &incident.kind,
        player: incident.player,
        edition: record.laws.parse().ok()?,
        article: &incident.article,
        before: before.position.as_ref()?,
        played: played.map_or("", |m| &m.san),
        obliged: &incident.obliged,
        contact: cause(record, incident),
    }
    .facts()
}

/// What was heard about it, as far as its own explanation speaks of that.
fn heard(record: &Record, incident: &Incident, words: Words) -> Vec<String> {
    let Some(contact) = cause(record, incident) else {
        return Vec::new();
    };
    let told = |needle: &str| {
        incident
            .explanation
            .iter()
            .any(|line| line.contains(needle))
    };
    let said = |s: &&Speech| told(&format!(" at {:.1} s (probability", s.ms / 1000.0));
    let mut lines: Vec<String> = record
        .speech
        .iter()
        .filter(said)
        .map(|s| {
            let ahead_ms = contact.touch_ms - s.ms;
            let order = if ahead_ms >= 0.0 {
                "heard-before"
            } else {
                "heard-late"
            };
            words.with(
                order,
                &[
                    ("phrase", &s.phrase),
                    ("at", &words.clock(s.ms)),
                    ("sure", &super::words::percent(s.probability.unwrap_or(1.0))),
                    ("ahead", &format!("{:.0}", ahead_ms.abs())),
                ],
            )
        })
        .collect();
    if told("No announcement was heard") {
        lines.push(words.get("heard-nothing"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch_move() -> Record {
        serde_json::from_str(include_str!("../../tests/data/report/touch-move.json")).unwrap()
    }

    #[test]
    fn a_breach_is_told_in_german_with_moves_as_players_write_them() {
        let record = touch_move();
        let told = explanation(&record, &record.incidents[0], Language::German).join(" ");
        assert!(
            told.contains("Weiß hat den eigenen Springer auf b1 berührt"),
            "{told}"
        );
        assert!(told.contains("Sa3, Sc3") && told.contains("d3"), "{told}");
        assert!(!told.contains("White") && !told.contains("b1c3"), "{told}");
    }

    #[test]
    fn what_was_heard_is_told_too() {
        let mut record = touch_move();
        record.speech.push(Speech {
            player: None,
            ms: 1500.0,
            phrase: "j'adoube".to_owned(),
            duration_ms: None,
            probability: Some(0.8),
        });
        let heard = "\u{201c}j'adoube\u{201d} was heard at 1.5 s (probability 0.80), 543 ms before the touch.";
        record.incidents[0].explanation.push(heard.to_owned());
        let told = explanation(&record, &record.incidents[0], Language::German);
        let last = told.last().unwrap();
        assert!(
            last.contains("0:01,5") && last.contains("543 ms vor der Berührung"),
            "{last}"
        );
    }

    #[test]
    fn what_cannot_be_judged_again_is_told_as_it_was_found() {
        let mut record = touch_move();
        record.laws = "laws of the moon".to_owned();
        let incident = &record.incidents[0];
        assert_eq!(
            explanation(&record, incident, Language::German),
            incident.explanation
        );
    }
}
