//! Every contact in a table, and what else a person should know.

use std::fmt::Write;

use super::{
    Findings,
    words::{self, clock, escape},
};
use crate::record::{Contact, ContactKind, Player, Record};
use crate::review::comparison::Comparison;

/// Contacts less sure than this are listed as unsure.
const UNSURE: f64 = 0.8;

/// The table of contacts, with its filters.
pub fn contacts(record: &Record) -> String {
    if record.contacts.is_empty() {
        return format!("<p class=\"calm\">{}</p>", words::NO_CONTACT);
    }
    let mut out = String::from("<p class=\"filters\" role=\"group\" aria-label=\"Show\">");
    let filters = [
        ("all", "All"),
        ("white", "White"),
        ("black", "Black"),
        ("left", "Not moved"),
        ("unsure", "Unsure"),
    ];
    for (key, name) in filters {
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
    out.push_str("</p><div class=\"scroll\"><table id=\"contacts\"><thead><tr><th>#</th><th>Player</th><th>Piece</th><th>What</th><th>Touch</th><th>Lift</th><th>Place</th><th>Release</th><th>Sure</th></tr></thead><tbody>");
    for contact in &record.contacts {
        row(&mut out, contact);
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

fn row(out: &mut String, c: &Contact) {
    let time = |ms: Option<f64>| ms.map_or("\u{2013}".to_owned(), clock);
    let way = match (&c.square, &c.to) {
        (Some(a), Some(b)) if a != b => format!("{a} \u{2192} {b}"),
        (Some(a), None) => format!("{a} \u{2192} off"),
        (Some(a), _) => a.clone(),
        (None, b) => format!("\u{2192} {}", b.as_deref().unwrap_or("?")),
    };
    let sure = c
        .probability
        .map_or("\u{2013}".to_owned(), |p| format!("{:.0} %", 100.0 * p));
    let _ = write!(
        out,
        "<tr id=\"contact-{id}\" class=\"{}\" tabindex=\"-1\"><td>{id}</td><td>{}</td><td>{} {}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{sure}</td></tr>",
        classes(c).join(" "),
        words::player(c.player),
        words::piece(&c.piece),
        escape(&way),
        words::kind(c.kind),
        clock(c.touch_ms),
        time(c.lift_ms),
        time(c.place_ms),
        clock(c.release_ms),
        id = c.id,
    );
}

/// How the moves found differ from the PGN.
pub fn comparison(comparison: &Comparison) -> String {
    let lines: String = words::differences(comparison)
        .iter()
        .map(|line| format!("<li>{}</li>", escape(line)))
        .collect();
    if lines.is_empty() {
        format!("<p class=\"calm\">{}</p>", words::SAME_MOVES)
    } else {
        format!("<ul class=\"doubts\">{lines}</ul>")
    }
}

/// Doubts, then how the report came about.
pub fn doubts(findings: &Findings) -> String {
    let mut out = String::from("<ul class=\"doubts\">");
    for note in findings.notes {
        let _ = write!(out, "<li>{}</li>", escape(note));
    }
    let hearing = match findings.record.speech.len() {
        _ if !findings.record.listened => words::DEAF.to_owned(),
        heard => words::listened(heard),
    };
    let _ = write!(
        out,
        "<li>{}</li></ul><details class=\"how\"><summary>How this report was made</summary><p>Adoube {}, {} frames of {} by {} pixels at {:.0} frames a second.</p><ul>",
        hearing,
        env!("CARGO_PKG_VERSION"),
        findings.record.frames,
        findings.record.width,
        findings.record.height,
        findings.frames_per_second,
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
