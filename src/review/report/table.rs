//! Every contact in a table, and what else a person should know.

use std::fmt::Write;

use super::{
    Findings, Organiser,
    words::{Words, escape, percent},
};
use crate::record::{Contact, ContactKind, Player, Record};
use crate::review::comparison::{Comparison, Seen};

/// Contacts less sure than this are listed as unsure.
const UNSURE: f64 = 0.8;

/// The columns after the number.
const COLUMNS: [&str; 8] = [
    "column-player",
    "column-piece",
    "column-what",
    "column-touch",
    "column-lift",
    "column-place",
    "column-release",
    "column-sure",
];

/// The table of contacts, with its filters.
pub fn contacts(words: Words, record: &Record) -> String {
    if record.contacts.is_empty() {
        return format!("<p class=\"calm\">{}</p>", words.get("no-contact"));
    }
    let mut out = format!(
        "<p class=\"filters\" role=\"group\" aria-label=\"{}\">",
        words.get("show")
    );
    for key in ["all", "white", "black", "left", "unsure"] {
        let name = words.get(&format!("filter-{key}"));
        let count = record
            .contacts
            .iter()
            .filter(|c| key == "all" || classes(c).contains(&key))
            .count();
        let _ = write!(
            out,
            "<button type=\"button\" data-filter=\"{key}\" aria-pressed=\"{}\">{name} <span>{count}</span></button>",
            key == "all"
        );
    }
    out.push_str("</p><div class=\"scroll\"><table id=\"contacts\"><thead><tr><th>#</th>");
    for column in COLUMNS {
        let _ = write!(out, "<th>{}</th>", words.get(column));
    }
    out.push_str("</tr></thead><tbody>");
    for contact in &record.contacts {
        row(&mut out, words, contact);
    }
    out + "</tbody></table></div>"
}

/// What a row can be filtered by.
fn classes(contact: &Contact) -> Vec<&'static str> {
    let left = matches!(
        contact.kind,
        ContactKind::Touch | ContactKind::Adjust | ContactKind::Brush
    );
    let unsure = contact.probability.is_some_and(|p| p < UNSURE);
    let player = match contact.player {
        Player::White => "white",
        Player::Black => "black",
    };
    let extra = [(left, "left"), (unsure, "unsure")];
    let extra = extra
        .into_iter()
        .filter_map(|(is, name)| is.then_some(name));
    [player].into_iter().chain(extra).collect()
}

fn row(out: &mut String, words: Words, c: &Contact) {
    let time = |ms: Option<f64>| ms.map_or("\u{2013}".to_owned(), |ms| words.clock(ms));
    let way = match (&c.square, &c.to) {
        (Some(a), Some(b)) if a != b => format!("{a} \u{2192} {b}"),
        (Some(a), None) => format!("{a} \u{2192} {}", words.get("off")),
        (Some(a), _) => a.clone(),
        (None, b) => format!("\u{2192} {}", b.as_deref().unwrap_or("?")),
    };
    let sure = c.probability.map_or("\u{2013}".to_owned(), percent);
    let _ = write!(
        out,
        "<tr id=\"contact-{id}\" class=\"{}\" tabindex=\"-1\"><td>{id}</td><td>{}</td><td>{} {}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{sure}</td></tr>",
        classes(c).join(" "),
        words.player(c.player),
        words.piece(&c.piece),
        escape(&way),
        words.kind(c.kind),
        words.clock(c.touch_ms),
        time(c.lift_ms),
        time(c.place_ms),
        words.clock(c.release_ms),
        id = c.id,
    );
}

/// How the moves found differ from the PGN, and when each of the PGN's was made.
pub fn comparison(words: Words, organiser: &Organiser) -> String {
    let lines: String = words
        .differences(&organiser.comparison)
        .iter()
        .map(|line| format!("<li>{}</li>", escape(line)))
        .collect();
    let mut out = if lines.is_empty() {
        format!("<p class=\"calm\">{}</p>", words.get("same-moves"))
    } else {
        format!("<ul class=\"doubts\">{lines}</ul>")
    };
    if organiser.unseen > 0 {
        let told = words.count("not-seen-moves", organiser.unseen);
        let unseen = organiser.moves.iter().take(organiser.unseen);
        let sans: Vec<&str> = unseen.map(|m| m.san.as_str()).collect();
        let _ = write!(
            out,
            "<p>{told} {}</p>",
            escape(&words.language.written(&sans.join(" ")))
        );
    }
    out + &dates(words, &organiser.comparison)
}

/// The PGN's moves with their times.
fn dates(words: Words, comparison: &Comparison) -> String {
    let mut out = format!(
        "<details class=\"dates\"><summary>{}</summary><div class=\"scroll\"><table><thead><tr>",
        words.get("dates-title")
    );
    for column in ["dates-move", "dates-at", "dates-took", "dates-seen"] {
        let _ = write!(out, "<th>{}</th>", words.get(column));
    }
    out.push_str("</tr></thead><tbody>");
    let mut before_ms = None;
    for dated in &comparison.dates {
        let nothing = || "\u{2013}".to_owned();
        let took = dated.ms.zip(before_ms).map(|(ms, before)| ms - before);
        before_ms = dated.ms;
        let seen = match (dated.seen, &dated.found) {
            (Seen::Same, _) => words.get("dates-yes"),
            (Seen::Other, Some(found)) => {
                let found = words.language.written(found);
                words.with("dates-other", &[("found", &found)])
            }
            _ => words.get("dates-no"),
        };
        let _ = write!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(&words.language.written(&dated.side.name)),
            dated.ms.map_or_else(nothing, |ms| words.clock(ms)),
            took.map_or_else(nothing, |ms| words.clock(ms)),
            escape(&seen),
        );
    }
    out + "</tbody></table></div></details>"
}

/// Doubts, then how the report came about.
pub fn doubts(findings: &Findings) -> String {
    let (record, words) = (findings.record, findings.words);
    let mut out = String::from("<ul class=\"doubts\">");
    for note in findings.notes {
        let _ = write!(out, "<li>{}</li>", escape(note));
    }
    let hearing = if record.listened {
        words.count("listened", record.speech.len())
    } else {
        words.get("deaf")
    };
    let how = words.with(
        "how-facts",
        &[
            ("version", env!("CARGO_PKG_VERSION")),
            ("frames", &record.frames.to_string()),
            ("width", &record.width.to_string()),
            ("height", &record.height.to_string()),
            ("speed", &format!("{:.0}", findings.frames_per_second)),
        ],
    );
    let _ = write!(
        out,
        "<li>{hearing}</li></ul><details class=\"how\"><summary>{}</summary><p>{how}</p><ul>",
        words.get("how-made")
    );
    for (name, sum) in findings.models {
        let _ = write!(
            out,
            "<li>{} <code>{}</code></li>",
            escape(name),
            escape(sum)
        );
    }
    out + "</ul></details>"
}
