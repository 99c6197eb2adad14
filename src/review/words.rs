//! The words of a review, from the catalogues of the rules and of the review. The program suggests;
//! it never calls anyone guilty.

use std::sync::LazyLock;

use fluent_bundle::FluentValue;

use super::{
    comparison::{Comparison, Difference, Side, Standing},
    report::{Findings, plies::move_of},
};
use crate::{
    broadcast::pgn::GameHeader,
    record::{Contact, ContactKind, HandSide, Incident, Player, Record, Severity},
    rules::{
        Language,
        messages::{Catalogue, bundle, say},
    },
};

const fn texts(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("messages/en.ftl"),
        Language::German => include_str!("messages/de.ftl"),
    }
}

static REVIEW: Catalogue =
    LazyLock::new(|| Language::ALL.map(|l| bundle(l, &[l.catalogue(), texts(l)])));

/// Kinds of incidents that have words of their own.
const KINDS: [&str; 8] = [
    "touch_move",
    "illegal_move",
    "two_hands",
    "move_changed_after_release",
    "castling_rook_first",
    "adjust_without_notice",
    "adjust_out_of_turn",
    "touch_by_opponent",
];

/// An argument of a message.
type Arg<'a> = (&'static str, FluentValue<'a>);

fn text<'a>(name: &'static str, value: &'a str) -> Arg<'a> {
    (name, FluentValue::from(value))
}

fn number(name: &'static str, value: usize) -> Arg<'static> {
    (name, FluentValue::from(value))
}

/// Speaks a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Words {
    /// Which.
    pub language: Language,
}

impl Words {
    /// In a language.
    #[must_use]
    pub const fn new(language: Language) -> Self {
        Self { language }
    }

    /// A text without arguments.
    #[must_use]
    pub fn get(self, id: &str) -> String {
        self.say(id, [])
    }

    /// A text with words put into it.
    #[must_use]
    pub fn with(self, id: &str, words: &[(&'static str, &str)]) -> String {
        say(&REVIEW, self.language, id, words.iter().copied())
    }

    /// A text about a number of things, `n` in the catalogue.
    #[must_use]
    pub fn count(self, id: &str, n: usize) -> String {
        self.say(id, [number("n", n)])
    }

    /// The same with another name for the number in the catalogue.
    #[must_use]
    pub fn count_as(self, id: &str, name: &'static str, n: usize) -> String {
        self.say(id, [number(name, n)])
    }

    fn say<'a>(self, id: &str, args: impl IntoIterator<Item = Arg<'a>>) -> String {
        say(&REVIEW, self.language, id, args)
    }

    /// White or Black.
    #[must_use]
    pub fn player(self, player: Player) -> String {
        self.get(color(player))
    }

    /// A piece by its FEN letter.
    #[must_use]
    pub fn piece(self, letter: &str) -> String {
        match role(letter) {
            "piece" => self.get("piece-word"),
            role => self.get(role),
        }
    }

    /// What a contact was.
    #[must_use]
    pub fn kind(self, kind: ContactKind) -> String {
        let name = match kind {
            ContactKind::Move => "move",
            ContactKind::CaptureRemoval => "capture_removal",
            ContactKind::Touch => "touch",
            ContactKind::Adjust => "adjust",
            ContactKind::Brush => "brush",
            ContactKind::PromotionRemoval => "promotion_removal",
            ContactKind::PromotionPlacement => "promotion_placement",
        };
        self.with("contact-kind", &[("kind", name)])
    }

    /// A number with the language's decimal mark.
    #[must_use]
    pub fn decimal(self, number: &str) -> String {
        match self.language {
            Language::English => number.to_owned(),
            Language::German => number.replace('.', ","),
        }
    }

    /// Minutes, seconds and tenths; hours where there are any.
    #[must_use]
    pub fn clock(self, ms: f64) -> String {
        let tenths = (ms / 100.0).round().max(0.0) as u64;
        let (minutes, seconds, tenth) = (tenths / 600, tenths / 10 % 60, tenths % 10);
        self.decimal(&if minutes >= 60 {
            format!("{}:{:02}:{seconds:02}.{tenth}", minutes / 60, minutes % 60)
        } else {
            format!("{minutes}:{seconds:02}.{tenth}")
        })
    }

    /// A length of time in words: `12 s`, `4 min`, `1 h 20 min`.
    #[must_use]
    pub fn span(self, ms: f64) -> String {
        let seconds = (ms / 1000.0).round().max(0.0) as usize;
        match seconds {
            0..60 => self.count("seconds", seconds),
            60..3600 => self.count("minutes", (seconds + 30) / 60),
            _ => self.say(
                "hours",
                [number("h", seconds / 3600), number("m", seconds / 60 % 60)],
            ),
        }
    }

    /// A probability in words.
    #[must_use]
    pub fn sureness(self, p: f64) -> String {
        let level = match p {
            p if p >= 0.95 => "certain",
            p if p >= 0.8 => "very",
            p if p >= 0.6 => "likely",
            p if p >= 0.4 => "either",
            p if p >= 0.2 => "doubtful",
            _ => "unlikely",
        };
        self.with("sureness", &[("level", level)])
    }

    /// Name of a severity.
    #[must_use]
    pub fn severity(self, severity: Option<Severity>) -> String {
        self.with("severity", &[("severity", severity_class(severity))])
    }

    /// A kind of incident, as a name.
    #[must_use]
    pub fn incident_kind(self, kind: &str) -> String {
        let name = kind.replace('_', " ");
        self.with("incident-kind", &[("kind", kind), ("name", &name)])
    }

    /// What the Laws ask for, in our own words; nothing for a kind that is not known.
    #[must_use]
    pub fn rule(self, kind: &str) -> String {
        if KINDS.contains(&kind) {
            self.with("rule-of", &[("kind", kind)])
        } else {
            String::new()
        }
    }

    /// An incident in one phrase.
    #[must_use]
    pub fn headline(self, record: &Record, incident: &Incident) -> String {
        let thing = cause(record, incident).map_or_else(|| self.get("a-piece"), |c| self.thing(c));
        let played = move_of(record, incident)
            .and_then(|i| record.moves.get(i))
            .map_or_else(
                || self.get("another-move"),
                |m| self.language.written(&m.san),
            );
        self.with(
            "headline",
            &[
                ("kind", &incident.kind),
                ("player", &self.player(incident.player)),
                ("thing", &thing),
                ("played", &played),
                ("name", &incident.kind.replace('_', " ")),
            ],
        )
    }

    /// A touched piece with its place: `the knight on b1`.
    #[must_use]
    pub fn thing(self, contact: &Contact) -> String {
        let role = ("role", role(&contact.piece));
        match &contact.square {
            Some(square) => self.with("thing", &[role, ("square", square)]),
            None => self.with("thing-beside", &[role]),
        }
    }

    /// The same as a name: `knight on b1`.
    #[must_use]
    pub fn place(self, contact: &Contact) -> String {
        let piece = ("piece", &*self.piece(&contact.piece));
        match &contact.square {
            Some(square) => self.with("contact-at", &[piece, ("square", square)]),
            None => self.with("contact-beside", &[piece]),
        }
    }

    /// A contact in one sentence, with its times.
    #[must_use]
    pub fn contact(self, contact: &Contact) -> String {
        let hand = match contact.hand {
            Some(HandSide::Left) => "left",
            Some(HandSide::Right) => "right",
            None => "unknown",
        };
        let hand = self.with(
            "hand-of",
            &[("player", color(contact.player)), ("hand", hand)],
        );
        let way = match (&contact.square, &contact.to) {
            (Some(from), Some(to)) if from != to => self.with("contact-to", &[("square", to)]),
            (None, Some(to)) => self.with("contact-on", &[("square", to)]),
            _ => String::new(),
        };
        let mut text = self.with(
            "contact-sentence",
            &[
                ("hand", &hand),
                ("piece", &self.place(contact)),
                ("kind", &self.kind(contact.kind)),
                ("way", &way),
                ("touch", &self.clock(contact.touch_ms)),
            ],
        );
        let times = [
            ("contact-lift", contact.lift_ms),
            ("contact-place", contact.place_ms),
            ("contact-release", Some(contact.release_ms)),
        ];
        for (id, ms) in times {
            if let Some(ms) = ms {
                text += &self.with(id, &[("at", &self.clock(ms))]);
            }
        }
        if let Some(p) = contact.probability {
            text += &format!("; {} ({})", self.sureness(p), percent(p));
        }
        text + "."
    }

    /// The whole record in one sentence.
    #[must_use]
    pub fn summary(self, record: &Record) -> String {
        let shown: Vec<&Incident> = shown(record).map(|(_, i)| i).collect();
        let moves = self.count("moves", record.moves.len());
        let incidents = self.count("incident-count", shown.len());
        let (moves, incidents) = (("moves", &*moves), ("incidents", &*incidents));
        match shown.as_slice() {
            [one] => self.with(
                "summary-one",
                &[moves, incidents, ("headline", &self.headline(record, one))],
            ),
            _ => self.with("summary", &[moves, incidents]),
        }
    }

    /// Event, round, date and result, where they are known, and the recording: facts that stand
    /// side by side. Nothing where there is no PGN.
    #[must_use]
    pub fn event(self, findings: &Findings) -> Vec<String> {
        let Some(header) = findings.organiser.map(|o| &o.header) else {
            return Vec::new();
        };
        let GameHeader {
            event,
            site,
            date,
            round,
            result,
            ..
        } = header;
        [
            known(event).map(str::to_owned),
            known(site).map(str::to_owned),
            known(round).map(|r| self.with("round", &[("round", r)])),
            known(date).map(str::to_owned),
            result.clone(),
            Some(findings.video_name.to_owned()),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Each difference between the moves found and the PGN, in one sentence.
    #[must_use]
    pub fn differences(self, comparison: &Comparison) -> Vec<String> {
        let groups = comparison.grouped();
        groups
            .into_iter()
            .filter_map(|g| self.difference(g))
            .collect()
    }

    /// One difference, or several missing moves in a row.
    fn difference(self, group: &[Difference]) -> Option<String> {
        let (first, last) = (group.first()?, group.last()?);
        let at = self.clock(first.ms);
        let at = ("at", &*at);
        let name = |side: &Option<Side>| side.as_ref().map(|s| self.language.written(&s.name));
        let (pgn, found, end) = (name(&first.pgn), name(&first.found), name(&last.pgn));
        let told = match (&pgn, &found, &end) {
            (Some(pgn), Some(found), _) => {
                self.with("difference-other", &[at, ("found", found), ("pgn", pgn)])
            }
            (None, Some(found), _) => self.with("difference-extra", &[at, ("found", found)]),
            (Some(pgn), None, Some(end)) if group.len() > 1 => self.say(
                "difference-missing-row",
                [
                    text(at.0, at.1),
                    text("pgn", pgn),
                    text("end", end),
                    number("n", group.len()),
                ],
            ),
            (Some(pgn), None, _) => self.with("difference-missing", &[at, ("pgn", pgn)]),
            (None, None, _) => return None,
        };
        let verdict = self.get(match first.right {
            Standing::Found => "verdict-found",
            Standing::Pgn => "verdict-pgn",
            Standing::Open => "verdict-open",
        });
        Some(format!("{told}; {verdict}"))
    }
}

/// A player's name in the catalogues.
pub(super) const fn color(player: Player) -> &'static str {
    match player {
        Player::White => "white",
        Player::Black => "black",
    }
}

/// A piece's name in the catalogues, by its FEN letter.
fn role(letter: &str) -> &'static str {
    match letter.to_ascii_lowercase().as_str() {
        "p" => "pawn",
        "n" => "knight",
        "b" => "bishop",
        "r" => "rook",
        "q" => "queen",
        "k" => "king",
        _ => "piece",
    }
}

/// A probability in percent.
#[must_use]
pub fn percent(p: f64) -> String {
    format!("{:.0} %", 100.0 * p.clamp(0.0, 1.0))
}

/// Name of a severity in catalogues and styles; a label without one counts as an alert.
#[must_use]
pub const fn severity_class(severity: Option<Severity>) -> &'static str {
    match severity {
        Some(Severity::Alert) | None => "alert",
        Some(Severity::Review) => "review",
        Some(Severity::Log) => "log",
    }
}

/// Whether a kind of incident has nothing to do with the move that was played.
#[must_use]
pub fn apart_from_the_move(kind: &str) -> bool {
    matches!(
        kind,
        "touch_by_opponent" | "adjust_out_of_turn" | "adjust_without_notice"
    )
}

/// The contact an incident hangs on.
#[must_use]
pub fn cause<'a>(record: &'a Record, incident: &Incident) -> Option<&'a Contact> {
    let id = incident.contact?;
    record.contacts.iter().find(|c| c.id == id)
}

/// The incidents that are shown unasked, with their index in the record.
pub fn shown(record: &Record) -> impl Iterator<Item = (usize, &Incident)> {
    let all = record.incidents.iter().enumerate();
    all.filter(|(_, i)| i.severity != Some(Severity::Log))
}

/// What a tag says, if it says anything.
#[must_use]
pub fn known(value: &str) -> Option<&str> {
    let unknown = value.chars().all(|c| matches!(c, '?' | '.' | '-' | ' '));
    (!unknown).then_some(value)
}

/// What the page is about: the players where they are known, else the recording.
#[must_use]
pub fn title(header: Option<&GameHeader>, video_name: &str) -> String {
    let players = header.and_then(|header| {
        let (white, black) = (known(&header.white), known(&header.black));
        (white.or(black).is_some()).then(|| {
            let name = |n: Option<&str>| n.unwrap_or("?").to_owned();
            format!("{} \u{2013} {}", name(white), name(black))
        })
    });
    players.unwrap_or_else(|| video_name.to_owned())
}

/// Text for HTML.
#[must_use]
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::messages::checks;

    const ENGLISH: Words = Words::new(Language::English);
    const GERMAN: Words = Words::new(Language::German);

    #[test]
    fn catalogues_are_whole_and_alike() {
        checks::whole_and_alike(&REVIEW, texts);
    }

    #[test]
    fn every_kind_of_incident_has_words_of_its_own() {
        for kind in KINDS {
            for words in [ENGLISH, GERMAN] {
                assert_ne!(words.incident_kind(kind), kind.replace('_', " "));
                assert_ne!(words.rule(kind), "");
            }
        }
        assert_eq!(GERMAN.incident_kind("new_kind"), "new kind");
        assert_eq!(GERMAN.rule("new_kind"), "");
    }

    #[test]
    fn times_and_sureness_in_words() {
        assert_eq!(ENGLISH.clock(61_240.0), "1:01.2");
        assert_eq!(ENGLISH.clock(3_723_000.0), "1:02:03.0");
        assert_eq!(GERMAN.clock(61_240.0), "1:01,2");
        assert_eq!(ENGLISH.span(4_900_000.0), "1 h 21 min");
        assert_eq!(ENGLISH.span(9_000.0), "9 s");
        assert_eq!(ENGLISH.sureness(0.5), "could be either");
        assert_eq!(GERMAN.count("incident-count", 0), "kein Vorfall");
        assert_eq!(GERMAN.count("incident-count", 1), "1 Vorfall");
        assert_eq!(GERMAN.count("incident-count", 2), "2 Vorfälle");
    }
}
