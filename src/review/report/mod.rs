//! The report: one self-contained page that a person reads, clicks through and prints.
//!
//! Nothing is fetched: pictures are `data:` URIs, the page's own policy forbids everything else, and
//! only this script may run. Without scripts the content is all there.

mod board;
mod cards;
mod pieces;
pub(crate) mod plies;
mod table;
mod timeline;

use std::fmt::Write;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use super::{
    comparison::Comparison,
    why,
    words::{self, Words, escape},
};
use crate::{
    broadcast::{game::GameMove, pgn::GameHeader},
    record::Record,
};
use board::Marks;
use plies::{Ply, move_of};

/// What goes into the report.
pub struct Findings<'a> {
    /// What was found.
    pub record: &'a Record,
    /// The language.
    pub words: Words,
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
    /// Clips of incidents: the incident's index and the file beside the report.
    pub clips: &'a [(usize, String)],
    /// The organiser's PGN, where it was given.
    pub organiser: Option<&'a Organiser>,
}

/// What the organiser's PGN says.
#[derive(Debug, Clone)]
pub struct Organiser {
    /// Its tags.
    pub header: GameHeader,
    /// Its moves beside those found.
    pub comparison: Comparison,
    /// Where its game begins.
    pub start_fen: String,
    /// Its main line.
    pub moves: Vec<GameMove>,
    /// How many of its moves were played before the recording begins.
    pub unseen: usize,
}

/// One picture of an incident.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Index of the incident in the record.
    pub incident: usize,
    /// What it shows.
    pub shows: Shows,
    /// Its time, milliseconds.
    pub ms: f64,
    /// The JPEG file, squares already drawn in.
    pub jpeg: Vec<u8>,
}

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shows {
    /// The board before.
    Before,
    /// The touch.
    Touch,
    /// The board after.
    After,
    /// The moment in which the incident was complete.
    Complete,
}

impl Shows {
    /// Its caption in the catalogue.
    const fn id(self) -> &'static str {
        match self {
            Self::Before => "caption-before",
            Self::Touch => "caption-touch",
            Self::After => "caption-after",
            Self::Complete => "caption-complete",
        }
    }
}

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page.
#[must_use]
pub fn render(findings: &Findings) -> String {
    let (record, words) = (findings.record, findings.words);
    let plies = plies::plies(record);
    let mut out = head(findings);
    let mut section = |id: &str, title: &str, inside: &str| {
        let _ = write!(
            out,
            "<section id=\"{id}\" aria-labelledby=\"{id}-title\"><h2 id=\"{id}-title\">{}</h2>{inside}</section>",
            words.get(title)
        );
    };
    section("game", "game", &game(words, record, &plies));
    if let Some(organiser) = findings.organiser {
        let inside = table::comparison(words, organiser);
        section("pgn", "comparison", &inside);
    }
    let time = format!(
        "<p class=\"soft\">{}</p>{}{}<p id=\"detail\" class=\"soft\" aria-live=\"polite\">{}</p>",
        words.get("time-help"),
        zoom(words),
        timeline::timeline(words, record),
        words.get("point")
    );
    section("time", "time", &time);
    section("incidents", "incidents", &cards::cards(findings, &plies));
    section("contacts-all", "contacts", &table::contacts(words, record));
    section("doubts", "doubts", &table::doubts(findings));
    let frames: Vec<plies::Frame> = plies.iter().map(|ply| ply.frame(words)).collect();
    // JSON inside a script element must not be able to end it.
    let json = serde_json::to_string(&frames)
        .unwrap_or_else(|_| "[]".to_owned())
        .replace('<', "\\u003c");
    let _ = writeln!(
        out,
        "</main><dialog id=\"photo\"><form method=\"dialog\"><button aria-label=\"{}\">\u{d7}</button></form><img alt=\"\"><p></p></dialog><script type=\"application/json\" id=\"plies\">{json}</script><script>{SCRIPT}</script></body></html>",
        words.get("close")
    );
    out
}

/// A position as a drawing of its own, eight by eight.
#[cfg(feature = "vision")]
pub(super) fn board_svg(ply: &Ply) -> String {
    let marks = Marks {
        last: ply.last.iter().flat_map(|(a, b)| [*a, *b]).collect(),
        ..Marks::default()
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\" width=\"8\" height=\"8\"><style>{BOARD_STYLE}</style><defs>{}</defs>{}</svg>",
        pieces::symbols(),
        board::draw(&ply.board, &marks)
    )
}

/// What the page's style says of a board, for a drawing by itself.
#[cfg(feature = "vision")]
const BOARD_STYLE: &str = ".pc{stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}.pc .in{fill:none;stroke-width:1.1}.pc .e{stroke:none}.pc.w{fill:#fffdf7;stroke:#2a2520}.pc.w .in{stroke:#2a2520}.pc.w .e{fill:#2a2520}.pc.b{fill:#332d29;stroke:#151210}.pc.b .in{stroke:#e9dfcd}.pc.b .e{fill:#e9dfcd}.light{fill:#eed9b6}.dark{fill:#b58a63}.last{fill:#f2c230;opacity:.5}.touched{fill:none;stroke:#d1451b;stroke-width:.08}";

// Icons of the buttons below the board, drawn so that they do not hang on a font.
const FIRST: &str = "<svg class=\"icon\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M3 3v10M13 3L6 8l7 5z\"/></svg>";
const BACK: &str = "<svg class=\"icon\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M12 3L4 8l8 5z\"/></svg>";
const FORWARD: &str = "<svg class=\"icon\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M4 3l8 5-8 5z\"/></svg>";
const LAST: &str = "<svg class=\"icon\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M13 3v10M3 3l7 5-7 5z\"/></svg>";
const TURN: &str = "<svg class=\"icon line\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M5 13V3M2.5 5.5L5 3l2.5 2.5M11 3v10M8.5 10.5L11 13l2.5-2.5\"/></svg>";

/// Buttons of the timeline; they need the script.
fn zoom(words: Words) -> String {
    format!(
        "<p class=\"zoom\"><button type=\"button\" data-zoom=\"0.667\" aria-label=\"{}\">\u{2212}</button><button type=\"button\" data-zoom=\"1.5\" aria-label=\"{}\">+</button><button type=\"button\" data-zoom=\"fit\">{}</button></p>",
        words.get("zoom-out"),
        words.get("zoom-in"),
        words.get("fit")
    )
}

/// Length of the recording, milliseconds.
fn duration_ms(record: &Record) -> f64 {
    record.frames as f64 * 1000.0 / record.fps.max(0.001)
}

fn head(findings: &Findings) -> String {
    let (record, words) = (findings.record, findings.words);
    let header = findings.organiser.map(|o| &o.header);
    let title = escape(&words::title(header, findings.video_name));
    let script = STANDARD.encode(Sha256::digest(SCRIPT));
    let event = words.event(findings);
    let event = if event.is_empty() {
        event.concat()
    } else {
        format!("<p class=\"soft\">{}</p>", escape(&event.join(" \u{b7} ")))
    };
    let mut out = format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';img-src data:;style-src 'unsafe-inline';script-src 'sha256-{script}'\"><meta name=\"color-scheme\" content=\"light dark\"><link rel=\"icon\" href=\"data:,\"><title>{}</title><style>{STYLE}</style></head><body {}>{}<main><header class=\"top\"><p class=\"brand\">Adoube <span>{}</span></p><h1>{title}</h1><p class=\"lead\">{}</p>{event}{}<p class=\"soft\">",
        words.language,
        words.with("page-title", &[("name", &title)]),
        spoken_by_script(words),
        pieces::definitions(),
        words.get("brand"),
        escape(&words.summary(record)),
        list(words, record),
    );
    let facts = [
        words.with("long", &[("time", &words.span(duration_ms(record)))]),
        words.count("contact-count", record.contacts.len()),
        words.with("laws", &[("laws", &record.laws)]),
    ];
    let _ = write!(
        out,
        "{}. {}",
        escape(&facts.join(" \u{b7} ")),
        words.get("suggests")
    );
    if !findings.notes.is_empty() {
        let _ = write!(
            out,
            " <a href=\"#doubts\">{}</a>",
            words.count("to-know", findings.notes.len())
        );
    }
    out + "</p></header>"
}

/// What the page's script says, as attributes that it reads.
fn spoken_by_script(words: Words) -> String {
    ["start-position", "board-after", "of-photos", "photo-keys"]
        .map(|id| format!("data-{id}=\"{}\"", escape(&words.get(id))))
        .join(" ")
}

/// Several incidents, a line each; a single one is in the summary already.
fn list(words: Words, record: &Record) -> String {
    let lines: Vec<String> = words::shown(record)
        .map(|(index, incident)| {
            format!(
                "<li><b class=\"dot {}\">{n}</b><a href=\"#incident-{n}\">{}</a> <span class=\"soft\">{}</span></li>",
                words::severity_class(incident.severity),
                escape(&words.headline(record, incident)),
                words.clock(incident.ms),
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
fn game(words: Words, record: &Record, plies: &[Ply]) -> String {
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
        "<div class=\"game\"><div class=\"stand\"><svg class=\"board\" id=\"board\" viewBox=\"0 0 8 8\" role=\"img\" aria-label=\"{}\" data-ply=\"{}\">{last}</svg><p class=\"now\" id=\"now\" aria-live=\"polite\">{}</p>{}</div><div><ol class=\"moves\">",
        words.get("board"),
        plies.len().saturating_sub(1),
        escape(&words.language.written(name)),
        steps(words),
    );
    for (index, played) in record.moves.iter().enumerate() {
        move_item(&mut out, words, (record, plies), index, played);
    }
    let _ = write!(
        out,
        "</ol><p class=\"soft help\">{}</p></div></div>",
        words.get("game-help")
    );
    out
}

/// The buttons below the board.
fn steps(words: Words) -> String {
    let buttons = [
        ("first", "start", FIRST),
        ("-1", "back", BACK),
        ("1", "forward", FORWARD),
        ("last", "end", LAST),
        ("turn", "turn-board", TURN),
    ];
    let buttons = buttons.map(|(step, name, icon)| {
        format!(
            "<button type=\"button\" data-step=\"{step}\" aria-label=\"{}\">{icon}</button>",
            words.get(name)
        )
    });
    format!("<p class=\"steps\">{}</p>", buttons.concat())
}

fn move_item(
    out: &mut String,
    words: Words,
    (record, plies): (&Record, &[Ply]),
    index: usize,
    played: &crate::record::PlayedMove,
) {
    let name = plies.get(index + 1).map_or("", |ply| ply.name.as_str());
    let number = name.split_once(' ').map_or("", |(number, _)| number);
    let black = number.ends_with('\u{2026}');
    let flags: String = words::shown(record)
        .filter(|(_, i)| move_of(record, i) == Some(index))
        .map(|(i, incident)| {
            format!(
                "<b class=\"dot {}\" title=\"{}\">{}</b>",
                words::severity_class(incident.severity),
                words.count("incident-number", i + 1),
                i + 1
            )
        })
        .collect();
    let doubt = match played.probability {
        Some(p) if p < 0.7 => format!(" title=\"{}: {}\"", words.sureness(p), words::percent(p)),
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
        escape(&words.language.written(&played.san)),
        if doubt.is_empty() { "" } else { "?" },
        words.clock(played.made_ms),
        ply = index + 1,
    );
}

#[cfg(test)]
mod tests;
