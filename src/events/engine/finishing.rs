//! The end of a recording: what is still open is closed, presses of the clock find the moves that
//! they complete, and everything is put in the record's terms.

use super::*;
use crate::{
    events::clock::{Made, Press, Pressed, assign},
    record::{ClockPress, Severity},
    rules::Clause,
};

/// Least P(pressed with the other hand) that is kept.
const LEAST_OTHER_HAND: f64 = 0.05;

impl Engine {
    /// Ends the game: touches after the last move are kept as contacts.
    #[must_use]
    pub fn finish(mut self) -> Findings {
        let over = self.now_ms > self.over_ms;
        let open = mismatches(&self.beliefs, self.position.board());
        if !open.is_empty() && !over {
            self.hands_seen_ms = f64::NEG_INFINITY;
            let since = self.suspect_ms - UNEXPLAINED_MS - 1.0;
            self.try_commit(since);
        }
        let held = self.held(self.turn.since_ms);
        let after = self.scene(&held, self.turn.since_ms + 300.0).loose(
            self.position.board(),
            &[],
            &Used::default(),
            self.over_ms,
        );
        let after = self.with_early(after, &[]);
        self.stray_contacts.extend(after);
        self.stray_contacts.append(&mut self.turn.contacts);
        self.spells
            .extend(self.astray.take().map(|a| a.spell(None)));
        let presses = self.clock.take().map(|c| c.finish(&self.view));
        let clock = self.complete(presses.unwrap_or_default());
        let out_of_step = if over {
            Vec::new()
        } else {
            mismatches(&self.beliefs, self.position.board())
        };
        self.gather(Findings {
            clock,
            out_of_step,
            ..Findings::default()
        })
    }

    /// Presses of the clock complete moves, and may be made with the wrong hand.
    fn complete(&mut self, presses: Vec<Press>) -> Vec<ClockPress> {
        let made: Vec<Made<'_>> = self
            .played
            .iter()
            .map(|done| Made {
                player: mover(done),
                made_ms: done.row.made_ms,
                contacts: &done.contacts,
            })
            .collect();
        let pressed = assign(presses, &made);
        for press in &pressed {
            let done = press.completes.and_then(|i| self.played.get_mut(i));
            if let Some(done) = done {
                done.press(press, self.edition, &self.thresholds);
            }
        }
        let row = |p: Pressed| ClockPress {
            player: p.player.into(),
            hand: Some(p.press.side),
            ms: p.press.ms.round(),
            probability: Some((p.probability * 1000.0).round() / 1000.0),
        };
        pressed.into_iter().map(row).collect()
    }

    /// Everything in the record's terms.
    fn gather(self, mut findings: Findings) -> Findings {
        findings.corner_changes = self.corner_changes;
        findings.hands_over_board = self.spans;
        findings.take_backs = self.take_backs;
        findings.spells = self.spells;
        findings.result_sign = self.sign;
        findings.questions = self.questions;
        findings.hearing = self.hearing;
        let mut drafts: Vec<Draft> = Vec::new();
        for done in self.played {
            findings.moves.push(done.row);
            let offset = drafts.len() as u32;
            drafts.extend(done.contacts);
            let incidents = done.incidents.into_iter();
            findings.incidents.extend(incidents.map(|mut i| {
                i.contact = i.contact.map(|c| c + offset);
                i
            }));
        }
        drafts.extend(self.stray_contacts);
        for (mut incident, contact) in self.kept {
            let same = contact.and_then(|c| drafts.iter().position(|d| *d == c));
            incident.contact = same.map(|i| i as u32);
            findings.incidents.push(incident);
        }
        number(drafts, &mut findings);
        findings
    }
}

/// Who made a move; an illegal one by its piece, where that is known.
fn mover(done: &Done) -> Color {
    let from = done
        .row
        .uci
        .get(0..2)
        .and_then(|s| s.parse::<Square>().ok());
    let color = from.and_then(|s| done.before.board().color_at(s));
    color.unwrap_or(done.before.turn())
}

impl Done {
    /// The clock was pressed for this move.
    fn press(&mut self, pressed: &Pressed, edition: Edition, thresholds: &Thresholds) {
        let ms = pressed.press.ms.round();
        self.row.completed_ms = Some(ms);
        let seconds = ms / 1000.0;
        let illegal = self
            .incidents
            .iter_mut()
            .filter(|i| i.kind == "illegal_move");
        for incident in illegal {
            incident.explanation.push(format!(
                "The move was completed: the clock was pressed at {seconds:.1} s (probability {:.2}).",
                pressed.probability
            ));
        }
        let probability = pressed.probability * pressed.other_hand;
        if probability < LEAST_OTHER_HAND.max(thresholds.log) {
            return;
        }
        let player = Player::from(pressed.player);
        let who = match player {
            Player::White => "White",
            Player::Black => "Black",
        };
        let article = edition.article(Clause::ClockHand).to_owned();
        let moved = self.contacts.iter().enumerate();
        let moved = moved
            .filter(|(_, c)| c.player == pressed.player && c.lift_ms.is_some())
            .max_by(|a, b| a.1.release_ms.total_cmp(&b.1.release_ms));
        self.incidents.push(Incident {
            kind: "clock_other_hand".to_owned(),
            player,
            ms,
            contact: moved.map(|(i, _)| i as u32),
            obliged: Vec::new(),
            probability: Some((probability * 1000.0).round() / 1000.0),
            // Left to the arbiter's discretion by every edition.
            severity: Some(thresholds.severity(probability, Severity::Review)),
            explanation: vec![format!(
                "{who} pressed the clock with another hand than the one that moved (Article {article})."
            )],
            article,
        });
    }
}
