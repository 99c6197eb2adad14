//! What the ledger makes of everything so far: the verdict, and the articles that it rests on.

use arrayvec::ArrayVec;

use super::Ledger;
use crate::rules::breach::{Breach, BreachCode, BreachStatus, Spared, Verdict};
use crate::rules::edition::Clause;
use crate::rules::explain::{self, Fact};
use crate::rules::messages::Language;
use crate::rules::obligation::{Bound, Mode};
use crate::rules::table::{self, Sanction};
use crate::rules::turn::TurnState;

/// Clauses, the decisive one first.
pub(crate) type Clauses = ArrayVec<Clause, 6>;

impl Ledger {
    /// The outcome after the last event.
    ///
    /// ```
    /// use adoube::rules::{Edition, Ledger, Verdict};
    /// let mut ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
    /// assert_eq!(ledger.verdict(), Verdict::NoObligation);
    /// ledger.apply(&"touch w e2".parse().unwrap()).unwrap();
    /// assert_eq!(ledger.verdict(), Verdict::Pending);
    /// ledger.apply(&"move w e2e4".parse().unwrap()).unwrap();
    /// assert_eq!(ledger.verdict(), Verdict::Ok);
    /// ```
    pub fn verdict(&self) -> Verdict {
        if self.deferred {
            Verdict::Review
        } else {
            self.by_the_events()
        }
    }

    /// The verdict, were it not left to a person.
    fn by_the_events(&self) -> Verdict {
        let with = |s: BreachStatus| self.recent().any(|b| b.code.touch_rules() && b.status == s);
        let illegal = self.turn.illegal.map(|i| i.completed);
        if self.turn.half_castled {
            Verdict::Review
        } else if self.over {
            Verdict::GameOver
        } else if with(BreachStatus::Open) || with(BreachStatus::Upheld) {
            Verdict::Violation
        } else if let Some(completed) = illegal.or_else(|| self.two_hands_illegal()) {
            if completed {
                Verdict::IllegalCompleted
            } else {
                Verdict::IllegalPending
            }
        } else if self.recent().any(|b| self.is_lost(b)) || self.illegal_stood() {
            Verdict::ClaimLost
        } else if self.irregular() {
            Verdict::Irregularity
        } else {
            self.quiet_verdict()
        }
    }

    /// The outcome where nothing is wrong.
    fn quiet_verdict(&self) -> Verdict {
        let begun = !self.turn.log.groups.is_empty() || self.turn.released.is_some();
        let several = self.last.as_ref().and_then(|l| l.made);
        match self.bound().mode() {
            _ if !begun && several.is_some_and(|m| m.several) => Verdict::Review,
            _ if !begun && self.last.is_some() => Verdict::Ok,
            Mode::Free => Verdict::NoObligation,
            Mode::Set | Mode::Forced => Verdict::Pending,
        }
    }

    /// Breaches of the turn that is going on and of the two before.
    pub(super) fn recent(&self) -> impl Iterator<Item = &Breach> {
        self.breaches.iter().filter(|b| b.turn + 2 >= self.turns)
    }

    fn irregular(&self) -> bool {
        let two_hands =
            self.used_two_hands() && table::TWO_HANDS.at(self.edition()) == Sanction::Discretion;
        two_hands || self.recent().any(|b| b.code.discretion())
    }

    /// Whether Article 4 was broken, and the right to raise it is lost. Two hands count where they
    /// are no illegal move.
    fn is_lost(&self, breach: &Breach) -> bool {
        let two_hands = breach.code == BreachCode::TwoHands
            && table::TWO_HANDS.at(self.edition()) == Sanction::Discretion;
        breach.status == BreachStatus::Lost && (breach.code.touch_rules() || two_hands)
    }

    fn illegal_stood(&self) -> bool {
        let stood = |b: &Breach| b.code == BreachCode::Illegal && b.status == BreachStatus::Lost;
        self.recent().any(stood)
    }

    pub(super) fn used_two_hands(&self) -> bool {
        self.last.as_ref().is_some_and(|l| l.two_hands)
    }

    /// Whether two hands count as an illegal move, and whether it was completed.
    fn two_hands_illegal(&self) -> Option<bool> {
        let made = self.last.as_ref().filter(|l| l.two_hands)?.made?;
        let illegal = table::TWO_HANDS.at(self.edition()) == Sanction::Illegal;
        illegal.then_some(made.completed)
    }

    /// The articles that the verdict rests on, the decisive one first.
    ///
    /// ```
    /// use adoube::rules::{Edition, Ledger};
    /// let mut ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
    /// for event in ["move w b1d3", "clock w"] {
    ///     ledger.apply(&event.parse().unwrap()).unwrap();
    /// }
    /// assert_eq!(ledger.articles(), ["7.5.1", "4.3.1"]);
    /// ```
    pub fn articles(&self) -> Vec<&'static str> {
        let mut articles = Vec::new();
        for clause in self.clauses() {
            let article = self.edition().article(clause);
            if !article.is_empty() && !articles.contains(&article) {
                articles.push(article);
            }
        }
        articles
    }

    pub(crate) fn clauses(&self) -> Clauses {
        let mut clauses = Clauses::new();
        let accident = |t: &TurnState| t.notes.accident && t.made.is_some_and(|m| m.completed);
        if self.deferred && self.last.as_ref().is_some_and(accident) {
            // What the events do not say: whether the accident displaced pieces.
            clauses.push(Clause::Displaced);
        }
        match self.by_the_events() {
            Verdict::GameOver => clauses.push(Clause::GameOver),
            Verdict::Violation => self.violated(&mut clauses),
            Verdict::IllegalCompleted | Verdict::IllegalPending => self.illegal(&mut clauses),
            Verdict::ClaimLost => self.lost(&mut clauses),
            Verdict::Irregularity => self.discretionary(&mut clauses),
            Verdict::NoObligation | Verdict::Pending => {
                self.bound_by(&mut clauses, &self.turn, &self.bound());
            }
            Verdict::Review if self.turn.half_castled => clauses.push(Clause::ReleaseCastling),
            Verdict::Ok | Verdict::Review => self.played(&mut clauses),
        }
        clauses
    }

    fn violated(&self, clauses: &mut Clauses) {
        let open = |b: &&Breach| {
            let open = matches!(b.status, BreachStatus::Open | BreachStatus::Upheld);
            open && b.code.touch_rules()
        };
        // What else was broken in that turn followed from its first breach.
        let last = self.breaches.iter().rfind(open).map(|b| (b.turn, b.player));
        let mut all = self.breaches.iter().filter(open);
        let Some(breach) = all.find(|b| Some((b.turn, b.player)) == last) else {
            return;
        };
        if breach.before_clock {
            clauses.push(Clause::HasMove);
        }
        let spared = self
            .breaches
            .iter()
            .rev()
            .filter(open)
            .find_map(|b| b.spared);
        if matches!(spared, Some(Spared::Accident | Spared::NoIntent)) {
            clauses.push(Clause::ClaimLost);
        }
        clauses.push(breach.clause);
        if spared == Some(Spared::OutOfScope) {
            clauses.push(Clause::ClaimLost);
        }
        if self.turn.board.legal.is_empty() {
            clauses.push(Clause::GameOver);
        }
        if self.last.as_ref().is_some_and(|l| l.notes.refused) {
            clauses.push(Clause::Refusal);
        }
    }

    fn illegal(&self, clauses: &mut Clauses) {
        let Some(illegal) = self.turn.illegal else {
            let completed = self.two_hands_illegal() == Some(true);
            clauses.push(if completed {
                Clause::TwoHandsCompleted
            } else {
                Clause::OneHand
            });
            return;
        };
        let bound = self.bound();
        let binds = !bound.free;
        if illegal.completed || !binds {
            clauses.push(illegal.clause);
        }
        if binds && illegal.clause == Clause::IllegalMove {
            self.bound_by(clauses, &self.turn, &bound);
        }
    }

    fn lost(&self, clauses: &mut Clauses) {
        let lost = |touch: bool| {
            let lost = |b: &&Breach| self.is_lost(b) && b.code.touch_rules() == touch;
            self.breaches.iter().rfind(lost)
        };
        match lost(true).or_else(|| lost(false)) {
            None => clauses.push(Clause::IllegalStands),
            Some(breach) => {
                if matches!(breach.code, BreachCode::Release | BreachCode::TwoHands) {
                    clauses.push(breach.clause);
                }
                clauses.push(Clause::ClaimLost);
                if self.lost_before_clock {
                    clauses.push(Clause::HasMove);
                }
            }
        }
    }

    fn discretionary(&self, clauses: &mut Clauses) {
        let left = |b: &&Breach| b.code.discretion() || b.code == BreachCode::TwoHands;
        clauses.extend(self.breaches.iter().rfind(left).map(|b| b.clause));
    }

    /// What decided about the move that was made.
    fn played(&self, clauses: &mut Clauses) {
        let Some((last, made)) = self.last.as_ref().and_then(|l| Some((l, l.made?))) else {
            self.bound_by(clauses, &self.turn, &self.bound());
            return;
        };
        clauses.extend(made.replaces);
        if made.before_clock {
            clauses.push(Clause::HasMove);
        }
        let clause = match made.clause {
            // That the first contact was an accident is why it did not bind.
            Clause::Own if last.notes.accident_first => Clause::Intent,
            Clause::Free => last_note(last),
            clause => clause,
        };
        // An accident that is left to a person is about the pieces that it displaced.
        if !(clause == Clause::Intent && clauses.contains(&Clause::Displaced)) {
            clauses.push(clause);
        }
        // An illegal capture that was put right is why this one is due.
        if made.corrects && clause == Clause::Both {
            clauses.push(Clause::IllegalMove);
        }
    }

    fn bound_by(&self, clauses: &mut Clauses, turn: &TurnState, bound: &Bound) {
        if self.was_before_clock(turn, bound.cause()) {
            clauses.push(Clause::HasMove);
        }
        clauses.push(self.clause_of(turn, bound));
    }

    /// The clause that decides about what may be played.
    pub(super) fn clause_of(&self, turn: &TurnState, bound: &Bound) -> Clause {
        let group = bound
            .cause()
            .and_then(|event| turn.log.groups.iter().find(|g| g.event == event));
        match bound.rule {
            Clause::Free => last_note(turn),
            Clause::Own if group.is_some_and(|g| g.centring) => Clause::Centring,
            rule => rule,
        }
    }

    /// Whether what an event touched was touched before the opponent pressed his clock.
    pub(super) fn was_before_clock(&self, turn: &TurnState, cause: Option<usize>) -> bool {
        let event = |event: usize| turn.log.groups.iter().find(|g| g.event == event);
        cause.and_then(event).is_some_and(|g| g.before_clock)
    }

    /// The chain of facts that leads to the obligation and to each breach, in English.
    ///
    /// ```
    /// use adoube::rules::{Edition, Ledger};
    /// let mut ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
    /// ledger.apply(&"touch w e2".parse().unwrap()).unwrap();
    /// assert_eq!(ledger.explain()[0], "White touched the own pawn on e2.");
    /// ```
    pub fn explain(&self) -> Vec<String> {
        self.explain_in(Language::English)
    }

    /// The same in a language.
    ///
    /// ```
    /// use adoube::rules::{Edition, Language, Ledger};
    /// let mut ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
    /// ledger.apply(&"touch w e2".parse().unwrap()).unwrap();
    /// let facts = ledger.explain_in(Language::German);
    /// assert_eq!(facts[0], "Weiß hat den eigenen Bauern auf e2 berührt.");
    /// ```
    pub fn explain_in(&self, language: Language) -> Vec<String> {
        self.facts()
            .iter()
            .map(|f| f.in_language(language))
            .collect()
    }

    /// The facts that lead to the obligation and to each breach.
    ///
    /// ```
    /// use adoube::rules::{Edition, Language, Ledger};
    /// let mut ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
    /// ledger.apply(&"move w e2e4".parse().unwrap()).unwrap();
    /// let facts = ledger.facts();
    /// assert_eq!(facts[0].in_language(Language::English), "Black has touched nothing that binds.");
    /// ```
    pub fn facts(&self) -> Vec<Fact> {
        let mut facts = self.binding_facts();
        facts.extend(self.breach_facts());
        facts
    }

    /// The facts that lead to the obligation.
    pub(crate) fn binding_facts(&self) -> Vec<Fact> {
        explain::obligation(self.edition(), &self.turn.board, &self.bound())
    }

    /// The facts that make the breaches, and what may become of them.
    pub(crate) fn breach_facts(&self) -> Vec<Fact> {
        let mut facts = Vec::new();
        for breach in &self.breaches {
            facts.push(explain::breach(breach));
            facts.push(explain::standing(
                self.edition(),
                breach,
                self.raise(breach),
            ));
        }
        if self.deferred || self.by_the_events() == Verdict::Review {
            facts.push(Fact::new("left-to-a-person"));
        }
        facts
    }
}

/// What was seen in a turn in which nothing binds.
const fn last_note(turn: &TurnState) -> Clause {
    let notes = turn.notes;
    if notes.early {
        Clause::HasMove
    } else if notes.centred {
        Clause::Centring
    } else if notes.adjusted {
        Clause::Adjust
    } else if notes.accident {
        Clause::Intent
    } else {
        Clause::Free
    }
}
