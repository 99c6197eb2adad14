//! What an arbiter says of a touch that no camera shows: that it was announced, or an accident. Each
//! correction has the turn judged again, and with it all incidents of the turn.

use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};
use serde_json::json;
use shakmaty::{Chess, Square, uci::UciMove};
use utoipa::ToSchema;

use super::{
    Change, Store, StoreError, alerts,
    games::word,
    incidents::{INCIDENT, StoredIncident, incident, severity_word},
};
use crate::{
    events::{Said, Thresholds, may_be_corrected, position_from_fen, weigh_again},
    record::{Incident, Player, Severity},
    rules::{Edition, Played},
};

/// What is said of a touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Correction {
    /// "J'adoube" was announced before it.
    Announced,
    /// It was accidental.
    Accidental,
}

impl Correction {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Announced => "announced",
            Self::Accidental => "accidental",
        }
    }

    const fn said(self) -> Said {
        match self {
            Self::Announced => Said::Announced,
            Self::Accidental => Said::Accidental,
        }
    }
}

/// A correction that stands.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Corrected {
    /// What was said.
    pub correction: Correction,
    /// Of which contact of the turn.
    pub contact: u32,
    /// By whom.
    pub who: String,
    /// When, milliseconds since 1970.
    pub at_ms: f64,
}

/// A turn as it is judged again.
struct Turn {
    edition: Edition,
    before: Chess,
    played: Played,
    /// P(this was the move).
    probability: f64,
    of: StoredIncident,
}

impl Turn {
    fn judged(&self, said: &[(u32, Said)]) -> Vec<Incident> {
        weigh_again(
            self.edition,
            (&self.before, &self.of.contacts, said),
            self.played,
            self.probability,
            &Thresholds::default(),
        )
    }
}

/// What an incident amounts to now.
enum Judged {
    AsFound,
    Anew(Box<Incident>),
    /// With what was said there was no breach.
    Nothing,
}

impl Store {
    /// Corrects what is known of the touch that an incident is about, and judges its turn again; no
    /// correction takes the one back that stands.
    ///
    /// # Errors
    /// [`StoreError::Missing`], or [`StoreError::Refused`] when the incident does not hang on a
    /// touch, was withdrawn, or there is nothing to take back.
    pub fn correct(
        &self,
        incident: i64,
        correction: Option<Correction>,
        who: &str,
    ) -> Result<(), StoreError> {
        self.change(|c| {
            let of = of(c, incident)?;
            let contact = touch(&of)?;
            let stood = standing(c, &of)?.into_iter().any(|s| s.1 == contact);
            if correction.is_none() && !stood {
                return Err(StoreError::Refused("there is no correction to take back"));
            }
            let word = correction.map(Correction::as_str);
            c.tx.execute(
                "INSERT INTO corrections (game, ply, contact, incident, correction, who, at_ms)
                 VALUES (?, ?, ?, ?, ?, ?, ?)",
                params![of.game, of.ply, contact, incident, word, who, c.at_ms],
            )?;
            let id = c.tx.last_insert_rowid();
            let body = json!({"id": id, "incident": incident, "contact": contact,
                "correction": word, "who": who});
            c.log("correction", who, body)?;
            let turn = turn(c, of)?;
            judge_again(c, &turn, contact)
        })
    }
}

fn of(c: &Change<'_>, id: i64) -> Result<StoredIncident, StoreError> {
    c.tx.query_row(&format!("{INCIDENT} WHERE i.id = ?"), [id], incident)
        .optional()?
        .ok_or(StoreError::Missing("incident"))
}

/// The number of the touch that an incident is about.
fn touch(of: &StoredIncident) -> Result<u32, StoreError> {
    if of.withdrawn {
        return Err(StoreError::Refused(
            "this incident was withdrawn: the move turned out to be another one",
        ));
    }
    let contact = of.contacts.iter().find(|c| Some(c.id) == of.contact);
    contact
        .filter(|c| may_be_corrected(c))
        .map(|c| c.id)
        .ok_or(StoreError::Refused(
            "this incident does not hang on a touch that could have been announced or accidental",
        ))
}

/// Corrections that stand in a turn: their numbers, contacts and words, the newest last.
fn standing(
    c: &Change<'_>,
    of: &StoredIncident,
) -> Result<Vec<(i64, u32, Correction)>, StoreError> {
    let mut rows = c.tx.prepare_cached(
        "SELECT id, contact, correction FROM corrections
         WHERE id IN (SELECT max(id) FROM corrections WHERE game = ? AND ply = ? GROUP BY contact)
         AND correction IS NOT NULL ORDER BY id",
    )?;
    let found = rows.query_map(params![of.game, of.ply], |r| {
        Ok((r.get(0)?, r.get(1)?, word(r.get(2)?)?))
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn turn(c: &Change<'_>, of: StoredIncident) -> Result<Turn, StoreError> {
    let odd = |what: &str| StoreError::Odd(format!("{what} of incident {}", of.id));
    let find = "SELECT uci, made_ms, probability FROM moves WHERE game = ? AND ply = ?";
    let (uci, made_ms, probability): (String, f64, f64) =
        c.tx.query_row(find, params![of.game, of.ply], |r| {
            Ok((r.get(0)?, r.get(1)?, r.get(2)?))
        })?;
    let before = position_from_fen(&of.fen).map_err(|_| odd("no position"))?;
    let made_ms = made_ms as i64;
    let legal = uci.parse::<UciMove>().ok();
    let legal = legal.and_then(|u| u.to_move(&before).ok());
    let square = |from: usize| uci.get(from..from + 2).and_then(|s| s.parse().ok());
    let played = match (legal, square(0), square(2)) {
        (Some(mv), ..) => Played::Legal { mv, made_ms },
        (None, Some::<Square>(from), Some(to)) => Played::Illegal { from, to, made_ms },
        _ => return Err(odd("no move")),
    };
    Ok(Turn {
        edition: of.laws.parse().map_err(|_| odd("no edition"))?,
        before,
        played,
        probability,
        of,
    })
}

/// Gives every incident of the turn its new judgement, and adds those that there were none of.
fn judge_again(c: &mut Change<'_>, turn: &Turn, corrected: u32) -> Result<(), StoreError> {
    let stand = standing(c, &turn.of)?;
    let newest = stand.last().map(|s| s.0);
    let said: Vec<(u32, Said)> = stand.iter().map(|(_, n, word)| (*n, word.said())).collect();
    let found = turn.judged(&[]);
    let mut now = turn.judged(&said);
    for known in of_turn(c, &turn.of)? {
        // What cannot be judged from touches alone stays as it is: two hands, the clock.
        let again = found.iter().chain(&now).any(|i| is(i, &known));
        if !again && known.corrected.is_none() {
            continue;
        }
        // What the event has not in use stays in the log.
        let unseen = known.severity == Severity::Log && known.corrected.is_none();
        if unseen && !alerts::in_use(c, &known.kind)? {
            take(&mut now, &known);
            continue;
        }
        let judged = match take(&mut now, &known) {
            _ if said.is_empty() => Judged::AsFound,
            Some(incident) => Judged::Anew(Box::new(incident)),
            None => Judged::Nothing,
        };
        if known.contact == Some(corrected) || differs(&judged, &known) {
            write(c, known.id, newest, &judged)?;
        }
    }
    if said.is_empty() {
        return Ok(());
    }
    for incident in now {
        let again = found
            .iter()
            .any(|i| i.kind == incident.kind && i.contact == incident.contact);
        if again || incident.severity == Some(Severity::Log) || !alerts::in_use(c, &incident.kind)?
        {
            continue;
        }
        let id = add(c, turn, &incident)?;
        write(c, id, newest, &Judged::Anew(Box::new(incident)))?;
    }
    Ok(())
}

/// The turn's incidents that stand.
fn of_turn(c: &Change<'_>, of: &StoredIncident) -> Result<Vec<StoredIncident>, StoreError> {
    let mut rows = c.tx.prepare_cached(&format!(
        "{INCIDENT} WHERE i.game = ? AND i.ply = ? AND i.withdrawn = 0 ORDER BY i.id"
    ))?;
    let found = rows.query_map(params![of.game, of.ply], incident)?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn is(incident: &Incident, known: &StoredIncident) -> bool {
    incident.kind == known.kind && incident.contact == known.contact
}

/// Takes out what a known incident has become: best with the same obligation.
fn take(now: &mut Vec<Incident>, known: &StoredIncident) -> Option<Incident> {
    let exact = now
        .iter()
        .position(|i| is(i, known) && i.obliged == known.obliged);
    let at = exact.or_else(|| now.iter().position(|i| is(i, known)))?;
    Some(now.remove(at))
}

fn differs(judged: &Judged, known: &StoredIncident) -> bool {
    match judged {
        Judged::AsFound => known.corrected.is_some(),
        Judged::Nothing => known.severity != Severity::Log,
        Judged::Anew(now) => {
            now.severity != Some(known.severity)
                || now.probability != Some(known.probability)
                || now.obliged != known.obliged
        }
    }
}

fn write(
    c: &mut Change<'_>,
    id: i64,
    correction: Option<i64>,
    judged: &Judged,
) -> Result<(), StoreError> {
    let (probability, level, obliged, explanation) = match judged {
        Judged::AsFound => (None, None, None, None),
        Judged::Nothing => (Some(0.0), Some("log"), Some("[]".to_owned()), None),
        Judged::Anew(now) => (
            Some(now.probability.unwrap_or(1.0)),
            Some(severity_word(now.severity.unwrap_or(Severity::Alert))),
            Some(json!(now.obliged).to_string()),
            Some(json!(now.explanation).to_string()),
        ),
    };
    c.tx.execute(
        "INSERT INTO judgements (incident, correction, probability, severity, obliged, explanation)
         VALUES (?, ?, ?, ?, ?, ?)",
        params![id, correction, probability, level, obliged, explanation],
    )?;
    let body = json!({"incident": id, "correction": correction, "probability": probability,
        "severity": level});
    c.log("judgement", "", body)
}

/// A breach that only a correction brought about: as found there was none.
fn add(c: &mut Change<'_>, turn: &Turn, incident: &Incident) -> Result<i64, StoreError> {
    let of = &turn.of;
    let player = match incident.player {
        Player::White => "white",
        Player::Black => "black",
    };
    c.tx.execute(
        "INSERT INTO incidents (game, ply, at_ms, kind, player, severity, probability, article,
         fen, played, obliged, contacts, contact, explanation)
         VALUES (?, ?, ?, ?, ?, 'log', 0, ?, ?, ?, '[]', ?, ?, '[]')",
        params![
            of.game,
            of.ply,
            incident.ms,
            incident.kind,
            player,
            incident.article,
            of.fen,
            of.played,
            json!(of.contacts).to_string(),
            incident.contact,
        ],
    )?;
    let id = c.tx.last_insert_rowid();
    let body = json!({"incident": id, "game": of.game, "ply": of.ply, "at_ms": incident.ms,
        "found": incident});
    c.log("incident", "", body)?;
    Ok(id)
}

#[cfg(test)]
mod tests;
