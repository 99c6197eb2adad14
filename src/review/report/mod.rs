//! The report: one self-contained page that a person reads, clicks through and prints.
//!
//! Nothing is fetched: pictures are `data:` URIs, the page's own policy forbids everything else, and
//! only this script may run. Without scripts the content is all there.

mod board;
mod cards;
mod pieces;
pub(super) mod plies;
mod table;
mod timeline;
pub mod words;

use std::fmt::Write;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use super::comparison::Comparison;
use crate::{broadcast::pgn::GameHeader, record::Record};
use board::Marks;
use plies::{Ply, move_of};
use words::{clock, escape};

/// What goes into the report.
pub struct Findings<'a> {
    /// What was found.
    pub record: &'a Record,
    /// File name of the recording.
    pub video_name: &'a str,
    /// Frames of the incidents.
    pub evidence: &'a [Picture],
    /// What a person should know.
    pub notes: &'a [String],
    /// Models with their SHA-256.
    pub models: &'a [(String, String)],
    /// Speed of the run.
    pub frames_per_second: f64,
    /// The organiser's PGN, where it was given.
    pub organiser: Option<&'a Organiser>,
}

/// What the organiser's PGN says.
#[derive(Debug, Clone, PartialEq)]
pub struct Organiser {
    /// Its tags.
    pub header: GameHeader,
    /// Its moves beside those found.
    pub comparison: Comparison,
}

/// One picture of an incident.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Index of the incident in the record.
    pub incident: usize,
    /// What it shows, in words: `before`, `the touch`, ...
    pub caption: String,
    /// Its time, milliseconds.
    pub ms: f64,
    /// The JPEG file, squares already drawn in.
    pub jpeg: Vec<u8>,
}

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page.
#[must_use]
pub fn render(findings: &Findings) -> String {
    let record = findings.record;
    let plies = plies::plies(record);
    let mut out = head(findings);
    section(&mut out, "game", words::GAME, &game(record, &plies));
    if let Some(organiser) = findings.organiser {
        section(
            &mut out,
            "pgn",
            words::COMPARISON,
            &table::comparison(&organiser.comparison),
        );
    }
    let time = format!(
        "<p class=\"soft\">{}</p>{ZOOM}{}<p id=\"detail\" class=\"soft\" aria-live=\"polite\">{}</p>",
        words::TIME_HELP,
        timeline::timeline(record),
        words::POINT
    );
    section(&mut out, "time", words::TIME, &time);
    section(
        &mut out,
        "incidents",
        words::INCIDENTS,
        &cards::cards(findings, &plies),
    );
    section(
        &mut out,
        "contacts-all",
        words::CONTACTS,
        &table::contacts(record),
    );
    section(&mut out, "doubts", words::DOUBTS, &table::doubts(findings));
    let frames: Vec<plies::Frame> = plies.iter().map(Ply::frame).collect();
    // JSON inside a script element must not be able to end it.
    let json = serde_json::to_string(&frames)
        .unwrap_or_else(|_| "[]".to_owned())
        .replace('<', "\\u003c");
    let _ = writeln!(
        out,
        "</main><dialog id=\"photo\"><form method=\"dialog\"><button aria-label=\"Close\">\u{d7}</button></form><img alt=\"\"><p></p></dialog><script type=\"application/json\" id=\"plies\">{json}</script><script>{SCRIPT}</script></body></html>"
    );
    out
}

// Icons of the buttons below the board, drawn so that they do not hang on a font.
const FIRST: &str = "<svg class=\"icon\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M3 3v10M13 3L6 8l7 5z\"/></svg>";
const BACK: &str = "<svg class=\"icon\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M12 3L4 8l8 5z\"/></svg>";
const FORWARD: &str = "<svg class=\"icon\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M4 3l8 5-8 5z\"/></svg>";
const LAST: &str = "<svg class=\"icon\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M13 3v10M3 3l7 5-7 5z\"/></svg>";
const TURN: &str = "<svg class=\"icon line\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M5 13V3M2.5 5.5L5 3l2.5 2.5M11 3v10M8.5 10.5L11 13l2.5-2.5\"/></svg>";

/// Buttons of the timeline; they need the script.
const ZOOM: &str = "<p class=\"zoom\"><button type=\"button\" data-zoom=\"0.667\" aria-label=\"Zoom out\">\u{2212}</button><button type=\"button\" data-zoom=\"1.5\" aria-label=\"Zoom in\">+</button><button type=\"button\" data-zoom=\"fit\">Fit</button></p>";

fn section(out: &mut String, id: &str, title: &str, inside: &str) {
    let _ = write!(
        out,
        "<section id=\"{id}\" aria-labelledby=\"{id}-title\"><h2 id=\"{id}-title\">{title}</h2>{inside}</section>"
    );
}

/// Length of the recording, milliseconds.
fn duration_ms(record: &Record) -> f64 {
    record.frames as f64 * 1000.0 / record.fps.max(0.001)
}

fn head(findings: &Findings) -> String {
    let record = findings.record;
    let title = escape(&words::title(findings));
    let script = STANDARD.encode(Sha256::digest(SCRIPT));
    let mut out = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';img-src data:;style-src 'unsafe-inline';script-src 'sha256-{script}'\"><meta name=\"color-scheme\" content=\"light dark\"><link rel=\"icon\" href=\"data:,\"><title>Review of {title} \u{2013} Adoube</title><style>{STYLE}</style></head><body>{}<main><header class=\"top\"><p class=\"brand\">Adoube <span>touch-move review</span></p><h1>{title}</h1><p class=\"lead\">{}</p>{}<p class=\"soft\">",
        pieces::definitions(),
        escape(&words::summary(record)),
        words::event(findings) + &list(record),
    );
    let facts = [
        format!("{} long", words::span(duration_ms(record))),
        words::plural(record.contacts.len(), "contact"),
        format!("Laws: {}", escape(&record.laws)),
    ];
    let _ = write!(out, "{}. {}", facts.join(" \u{b7} "), words::SUGGESTS);
    if !findings.notes.is_empty() {
        let _ = write!(
            out,
            " <a href=\"#doubts\">{} to know.</a>",
            words::plural(findings.notes.len(), "thing")
        );
    }
    out + "</p></header>"
}

/// Several incidents, a line each; a single one is in the summary already.
fn list(record: &Record) -> String {
    let lines: Vec<String> = words::shown(record)
        .map(|(index, incident)| {
            let (class, _) = words::severity(incident.severity);
            format!(
                "<li><b class=\"dot {class}\">{n}</b><a href=\"#incident-{n}\">{}</a> <span class=\"soft\">{}</span></li>",
                escape(&words::headline(record, incident)),
                clock(incident.ms),
                n = index + 1
            )
        })
        .collect();
    match lines.len() {
        0 | 1 => String::new(),
        _ => format!("<ul class=\"list\">{}</ul>", lines.concat()),
    }
}

/// The board with its buttons, and the list of moves.
fn game(record: &Record, plies: &[Ply]) -> String {
    let last = plies.last().map_or_else(String::new, |ply| {
        let marks = Marks {
            last: ply.last.iter().flat_map(|(a, b)| [*a, *b]).collect(),
            touched: ply.touched.clone(),
            ..Marks::default()
        };
        board::draw(&ply.board, &marks)
    });
    let name = plies.last().map_or("", |ply| ply.name.as_str());
    let mut out = format!(
        "<div class=\"game\"><div class=\"stand\"><svg class=\"board\" id=\"board\" viewBox=\"0 0 8 8\" role=\"img\" aria-label=\"Board\" data-ply=\"{}\">{last}</svg><p class=\"now\" id=\"now\" aria-live=\"polite\">{}</p><p class=\"steps\"><button type=\"button\" data-step=\"first\" aria-label=\"Start\">{FIRST}</button><button type=\"button\" data-step=\"-1\" aria-label=\"Back\">{BACK}</button><button type=\"button\" data-step=\"1\" aria-label=\"Forward\">{FORWARD}</button><button type=\"button\" data-step=\"last\" aria-label=\"End\">{LAST}</button><button type=\"button\" data-step=\"turn\" aria-label=\"Turn the board\">{TURN}</button></p></div><div><ol class=\"moves\">",
        plies.len().saturating_sub(1),
        escape(name),
    );
    for (index, played) in record.moves.iter().enumerate() {
        move_item(&mut out, record, plies, index, played);
    }
    let _ = write!(
        out,
        "</ol><p class=\"soft help\">{}</p></div></div>",
        words::GAME_HELP
    );
    out
}

fn move_item(
    out: &mut String,
    record: &Record,
    plies: &[Ply],
    index: usize,
    played: &crate::record::PlayedMove,
) {
    let name = plies.get(index + 1).map_or("", |ply| ply.name.as_str());
    let number = name.split_once(' ').map_or("", |(number, _)| number);
    let black = number.ends_with('\u{2026}');
    let flags: String = words::shown(record)
        .filter(|(_, i)| move_of(record, i) == Some(index))
        .map(|(i, incident)| {
            let (class, _) = words::severity(incident.severity);
            format!(
                "<b class=\"dot {class}\" title=\"Incident {n}\">{n}</b>",
                n = i + 1
            )
        })
        .collect();
    let doubt = match played.probability {
        Some(p) if p < 0.7 => format!(" title=\"{}: {:.0} %\"", words::sureness(p), 100.0 * p),
        _ => String::new(),
    };
    let _ = write!(
        out,
        "<li class=\"{}\">{}<a href=\"#ply={ply}\" data-ply=\"{ply}\"{doubt}{}>{}{}{flags} <time>{}</time></a></li>",
        if black { "b" } else { "w" },
        if black && index > 0 {
            String::new()
        } else {
            format!("<span>{number}</span>")
        },
        if played.legal { "" } else { " class=\"bad\"" },
        escape(&played.san),
        if doubt.is_empty() { "" } else { "?" },
        clock(played.made_ms),
        ply = index + 1,
    );
}

#[cfg(test)]
mod tests;
