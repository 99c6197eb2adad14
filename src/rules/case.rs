//! Cases: a position, events and editions, adjudicated; and the lines that case files are made of.

use serde::{Deserialize, Serialize};
use shakmaty::Chess;
use std::collections::BTreeMap;
use thiserror::Error;

use super::breach::{EventError, Verdict};
use super::conditions::{
    RuleSet, Supervision, TimeControl, UnknownSupervision, UnknownTimeControl,
};
use super::edition::{Edition, UnknownEdition};
use super::event::{ParseEventError, Step, parse_script};
use super::explain::{self, Fact};
use super::fen::{FenError, parse_fen};
use super::ledger::Ledger;
use super::messages::Language;
use super::obligation::Obligation;

/// What events amount to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// What bound at the checkpoint; without one, at the end.
    pub obligation: Obligation,
    /// The position at that place.
    pub position: Chess,
    /// The outcome after the last event.
    pub verdict: Verdict,
    /// The articles that it rests on, the decisive one first.
    pub articles: Vec<&'static str>,
    /// The facts behind it.
    pub facts: Vec<Fact>,
}

/// Adjudicates events in a position. `human` leaves the verdict to a person.
///
/// # Errors
/// The first event that cannot have happened.
///
/// ```
/// use adoube::rules::{Edition, Verdict, adjudicate, parse_script};
/// let steps = parse_script("touch w e2; ?; move w d2d4").unwrap();
/// let ruling = adjudicate(shakmaty::Chess::default(), Edition::Fide2023, &steps, false).unwrap();
/// assert_eq!(ruling.obligation.moves.len(), 2);
/// assert_eq!((ruling.verdict, ruling.articles), (Verdict::Violation, vec!["4.3.1"]));
/// ```
pub fn adjudicate(
    position: Chess,
    rules: impl Into<RuleSet>,
    steps: &[Step],
    human: bool,
) -> Result<Ruling, EventError> {
    let mut ledger = Ledger::new(position, rules);
    if human {
        ledger.defer();
    }
    let mut checkpoint = None;
    for step in steps {
        match step {
            Step::Event(event) => ledger.apply(event)?,
            Step::Checkpoint => {
                ledger.ask();
                let facts = ledger.binding_facts();
                checkpoint = Some((ledger.obligation(), ledger.position().clone(), facts));
            }
        }
    }
    let (obligation, position, mut facts) = checkpoint.unwrap_or_else(|| {
        (
            ledger.obligation(),
            ledger.position().clone(),
            ledger.binding_facts(),
        )
    });
    let verdict = ledger.verdict();
    facts.extend(ledger.breach_facts());
    facts.push(explain::verdict(verdict));
    Ok(Ruling {
        obligation,
        position,
        verdict,
        articles: ledger.articles(),
        facts,
    })
}

/// A line of a case file.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its name.
    pub id: String,
    /// The editions that it is to be judged by.
    pub editions: Vec<Edition>,
    /// The kind of game.
    pub time: TimeControl,
    /// Arbiters enough or not.
    pub supervision: Supervision,
    /// The position before the events.
    pub position: Chess,
    /// The events and the checkpoint.
    pub steps: Vec<Step>,
    /// A person must decide.
    pub human: bool,
    /// What the file says is right, where it does.
    pub expected: Expected,
}

/// What a case file says is right.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expected {
    /// The moves at the checkpoint, sorted.
    pub obligation: Option<Vec<String>>,
    /// The verdict.
    pub verdict: Option<String>,
    /// The articles by the tags of editions.
    pub articles: BTreeMap<String, String>,
}

/// What is wrong with a line of a case file.
#[derive(Debug, Error)]
pub enum CaseError {
    /// No JSON, or a field is missing or of the wrong kind.
    #[error("not a case: {0}")]
    Json(#[from] serde_json::Error),
    /// The position.
    #[error("fen, {0}")]
    Fen(#[from] FenError),
    /// The events.
    #[error("events, {0}")]
    Events(#[from] ParseEventError),
    /// An edition.
    #[error("editions: {0}")]
    Edition(#[from] UnknownEdition),
    /// The kind of game.
    #[error("time: {0}")]
    Time(#[from] UnknownTimeControl),
    /// How many arbiters there are.
    #[error("supervision: {0}")]
    Supervision(#[from] UnknownSupervision),
    /// An event that cannot have happened.
    #[error("{edition}: {error}")]
    Impossible {
        /// Under which edition.
        edition: Edition,
        /// What.
        error: EventError,
    },
}

#[derive(Deserialize)]
struct Row {
    id: String,
    editions: Vec<String>,
    #[serde(default)]
    time: Option<String>,
    #[serde(default)]
    supervision: Option<String>,
    fen: String,
    events: String,
    #[serde(default)]
    obligation: Option<RowObligation>,
    #[serde(default)]
    verdict: Option<String>,
    #[serde(default)]
    article: Option<BTreeMap<String, Option<String>>>,
    #[serde(default)]
    human_judgement: Option<bool>,
}

#[derive(Deserialize)]
struct RowObligation {
    #[serde(default)]
    moves: Option<Vec<String>>,
}

/// What a case amounts to under an edition, as it is written out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The case.
    pub id: String,
    /// The edition's tag.
    pub edition: String,
    /// The moves at the checkpoint in UCI, sorted.
    pub obligation: Vec<String>,
    /// The verdict after the last event.
    pub verdict: String,
    /// The articles that it rests on, the decisive one first, joined by commas.
    pub article: String,
    /// Why.
    pub explanation: String,
}

/// Reads a line of a case file. Unknown fields are ignored, and so is what a row expects where it is
/// `null`; `time` may be missing or `any`, and `supervision` missing, `full` or `limited`.
///
/// # Errors
/// What makes it no case, with the place inside the field.
///
/// ```
/// let line = r#"{"id":"x","editions":["FIDE2023"],"fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1",
///     "events":"touch w e1; ?"}"#;
/// let case = adoube::rules::parse_case(line).unwrap();
/// let outcome = &case.outcomes(Default::default()).unwrap()[0];
/// assert_eq!(outcome.verdict, "pending");
/// ```
pub fn parse_case(line: &str) -> Result<Case, CaseError> {
    let row: Row = serde_json::from_str(line)?;
    let mut editions = Vec::new();
    for name in &row.editions {
        editions.push(name.parse()?);
    }
    let time = match row.time.as_deref() {
        None | Some("any") => TimeControl::Standard,
        Some(time) => time.parse()?,
    };
    let supervision = match row.supervision.as_deref() {
        None => Supervision::Full,
        Some(supervision) => supervision.parse()?,
    };
    Ok(Case {
        id: row.id,
        editions,
        time,
        supervision,
        position: parse_fen(&row.fen)?,
        steps: parse_script(&row.events)?,
        human: row.human_judgement.unwrap_or(false),
        expected: Expected {
            obligation: row.obligation.and_then(|o| o.moves),
            verdict: row.verdict,
            articles: row
                .article
                .into_iter()
                .flatten()
                .filter_map(|(edition, article)| Some((edition, article?)))
                .collect(),
        },
    })
}

impl Case {
    /// What the case amounts to under each of its editions.
    ///
    /// # Errors
    /// The first event that cannot have happened, with the edition.
    ///
    /// ```
    /// use adoube::rules::{Language, parse_case};
    /// let line = r#"{"id":"x","editions":["FIDE2009","FIDE2014"],
    ///     "fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1","events":"touch w e1 centre; ?"}"#;
    /// let outcomes = parse_case(line).unwrap().outcomes(Language::English).unwrap();
    /// assert_eq!(outcomes[0].verdict, "pending");
    /// assert_eq!(outcomes[1].verdict, "no_obligation");
    /// ```
    pub fn outcomes(&self, language: Language) -> Result<Vec<Outcome>, CaseError> {
        self.editions
            .iter()
            .map(|edition| {
                let rules = RuleSet {
                    time: self.time,
                    supervision: self.supervision,
                    ..RuleSet::from(*edition)
                };
                let ruling = adjudicate(self.position.clone(), rules, &self.steps, self.human)
                    .map_err(|error| CaseError::Impossible {
                        edition: *edition,
                        error,
                    })?;
                Ok(self.outcome(*edition, &ruling, language))
            })
            .collect()
    }

    fn outcome(&self, edition: Edition, ruling: &Ruling, language: Language) -> Outcome {
        let facts: Vec<String> = ruling
            .facts
            .iter()
            .map(|f| f.in_language(language))
            .collect();
        Outcome {
            id: self.id.clone(),
            edition: edition.tag(),
            obligation: ruling
                .obligation
                .moves
                .iter()
                .map(ToString::to_string)
                .collect(),
            verdict: ruling.verdict.to_string(),
            article: ruling.articles.join(", "),
            explanation: facts.join(" "),
        }
    }
}

/// What of an outcome is as expected: obligation, verdict, article. What a case says nothing about
/// counts as expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agreement {
    /// The moves are the same.
    pub obligation: bool,
    /// The verdict is the same.
    pub verdict: bool,
    /// The decisive article is among those expected.
    pub article: bool,
    /// The articles are the same, in the same order.
    pub articles_exactly: bool,
}

impl Expected {
    /// Compares an outcome.
    ///
    /// ```
    /// use adoube::rules::parse_case;
    /// let line = r#"{"id":"x","editions":["FIDE2023"],"fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    ///     "events":"touch w e1; ?","verdict":"ok","article":{"FIDE2023":"4.3.1"}}"#;
    /// let case = parse_case(line).unwrap();
    /// let outcome = &case.outcomes(Default::default()).unwrap()[0];
    /// let agreement = case.expected.agrees(outcome);
    /// assert!(agreement.obligation && !agreement.verdict && agreement.article);
    /// ```
    pub fn agrees(&self, outcome: &Outcome) -> Agreement {
        let same =
            |wanted: &Option<Vec<String>>| wanted.as_ref().is_none_or(|w| *w == outcome.obligation);
        let article = self.articles.get(&outcome.edition);
        let first = outcome.article.split(", ").next().unwrap_or("");
        Agreement {
            obligation: same(&self.obligation),
            verdict: self.verdict.as_ref().is_none_or(|v| *v == outcome.verdict),
            article: article.is_none_or(|a| a.split(", ").any(|a| a == first)),
            articles_exactly: article.is_none_or(|a| *a == outcome.article),
        }
    }
}
