//! The report: one self-contained page that a person reads, clicks through and prints.

mod drawing;

use std::fmt::Write;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use shakmaty::{Chess, Position, Square, fen::Fen, san::SanPlus, uci::UciMove};

use super::evidence::Picture;
use crate::record::{Incident, Player, Record, Severity};
use drawing::{board, clock, escape, kind_name, timeline};

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
}

/// The page.
#[must_use]
pub fn render(findings: &Findings) -> String {
    let record = findings.record;
    let title = format!("Review of {}", escape(findings.video_name));
    let positions = positions(record);
    let mut out = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{title}</title><style>{}</style></head><body><main><svg width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><marker id=\"tip\" viewBox=\"0 0 4 4\" refX=\"3\" refY=\"2\" markerWidth=\"3\" markerHeight=\"3\" orient=\"auto\"><path d=\"M0 0L4 2L0 4z\" fill=\"#e2762b\"/></marker></defs></svg><h1>{title}</h1><p class=\"lead\">{}</p><p class=\"soft\">{} frames, {} of play, laws {}. This program suggests; the arbiter decides.</p>",
        include_str!("page.css"),
        escape(&summary(record)),
        record.frames,
        clock(record.frames as f64 / record.fps.max(0.001) * 1000.0),
        escape(&record.laws)
    );
    game(&mut out, record, &positions);
    out.push_str("<h2>Contacts in time</h2><p class=\"soft\">White above, Black below; paler is less sure; white ticks are lift and place; red lines are incidents. Quiet stretches are shortened.</p><div class=\"time\" tabindex=\"0\">");
    out.push_str(&timeline(record));
    out.push_str("</div>");
    incidents(&mut out, findings, &positions);
    contacts(&mut out, record);
    about(&mut out, findings);
    let plies: Vec<String> = positions
        .iter()
        .map(|p| board(p.position.board(), &p.last, &p.touched, &[]))
        .collect();
    // JSON inside a script element must not be able to end it.
    let json = serde_json::to_string(&plies)
        .unwrap_or_else(|_| "[]".to_owned())
        .replace("</", "<\\/");
    let _ = writeln!(
        out,
        "</main><script type=\"application/json\" id=\"plies\">{json}</script><script>{}</script></body></html>",
        include_str!("page.js")
    );
    out
}

/// The position after a ply, with what to mark.
struct Ply {
    position: Chess,
    last: Vec<Square>,
    touched: Vec<Square>,
}

/// Positions from the start to the last legal move.
fn positions(record: &Record) -> Vec<Ply> {
    let start: Chess = record
        .start_fen
        .parse::<Fen>()
        .ok()
        .and_then(|f| f.into_position(shakmaty::CastlingMode::Standard).ok())
        .unwrap_or_default();
    let mut out = vec![Ply {
        position: start,
        last: Vec::new(),
        touched: Vec::new(),
    }];
    let mut since = 0.0;
    for played in &record.moves {
        let Some(before) = out.last().map(|p| p.position.clone()) else {
            break;
        };
        let Some(m) = played
            .uci
            .parse::<UciMove>()
            .ok()
            .and_then(|u| u.to_move(&before).ok())
        else {
            break;
        };
        let touched = record
            .contacts
            .iter()
            .filter(|c| c.touch_ms >= since && c.touch_ms < played.made_ms && c.to == c.square)
            .filter_map(|c| c.square.as_deref()?.parse().ok())
            .collect();
        since = played.made_ms;
        let mut position = before;
        position.play_unchecked(m);
        out.push(Ply {
            position,
            last: m
                .from()
                .into_iter()
                .chain([crate::events::landing(&m)])
                .collect(),
            touched,
        });
    }
    out
}

fn summary(record: &Record) -> String {
    let shown: Vec<&Incident> = record
        .incidents
        .iter()
        .filter(|i| i.severity != Some(Severity::Log))
        .collect();
    let moves = record.moves.len();
    let plural = |n: usize, what: &str| {
        if n == 1 {
            format!("1 {what}")
        } else {
            format!("{n} {what}s")
        }
    };
    let incidents = match shown.as_slice() {
        [] => "no incident".to_owned(),
        [one] => format!("1 incident: {}", headline(record, one)),
        all => format!("{} incidents", all.len()),
    };
    format!(
        "{}, {}; {incidents}",
        plural(moves, "move"),
        plural(record.contacts.len(), "contact")
    )
}

fn player(p: Player) -> &'static str {
    match p {
        Player::White => "White",
        Player::Black => "Black",
    }
}

/// An incident in one phrase.
fn headline(record: &Record, incident: &Incident) -> String {
    let who = player(incident.player);
    let square = incident
        .contact
        .and_then(|id| record.contacts.iter().find(|c| c.id == id))
        .and_then(|c| c.square.clone())
        .unwrap_or_default();
    let played = record
        .moves
        .iter()
        .find(|m| m.made_ms + 1.0 >= incident.ms)
        .map(|m| m.san.clone())
        .unwrap_or_default();
    match incident.kind.as_str() {
        "touch_move" => format!("{who} touched {square} and played {played}"),
        "two_hands" => format!("{who} used both hands"),
        "move_changed_after_release" => {
            format!("{who} let go of a piece and then changed the move to {played}")
        }
        "castling_rook_first" => format!("{who} touched the rook first and castled"),
        "adjust_without_notice" => format!("{who} adjusted {square}; no notice is known"),
        "touch_by_opponent" => format!("{who} touched {square} without having the move"),
        "illegal_move" => format!("{who} played an illegal move"),
        other => format!("{who}: {}", other.replace('_', " ")),
    }
}

fn game(out: &mut String, record: &Record, positions: &[Ply]) {
    let last = positions
        .last()
        .map(|p| board(p.position.board(), &p.last, &p.touched, &[]))
        .unwrap_or_default();
    let _ = write!(
        out,
        "<h2>The game</h2><div class=\"game\"><div><svg class=\"board\" id=\"board\" viewBox=\"0 0 80 80\" role=\"img\" aria-label=\"Chess board\">{last}</svg><div class=\"steps\"><button data-step=\"first\" aria-label=\"start\">|&lt;</button><button data-step=\"-1\" aria-label=\"back\">&lt;</button><button data-step=\"1\" aria-label=\"forward\">&gt;</button><button data-step=\"last\" aria-label=\"end\">&gt;|</button></div><p class=\"soft\">Arrow keys step through the game. Rings mark pieces touched and not moved.</p></div><div class=\"moves\">"
    );
    let white_first = positions
        .first()
        .is_none_or(|p| p.position.turn().is_white());
    let number = positions
        .first()
        .map_or(1, |p| p.position.fullmoves().get());
    for (index, played) in record.moves.iter().enumerate() {
        let half = index + usize::from(!white_first);
        let lead = match (half % 2, index) {
            (0, _) => format!("{}.", number as usize + half / 2),
            (_, 0) => format!("{number}\u{2026}"),
            _ => String::new(),
        };
        let class = if played.legal {
            ""
        } else {
            " class=\"bad\" title=\"illegal\""
        };
        let _ = write!(
            out,
            "<button data-ply=\"{}\"{class}>{lead} {} <span class=\"soft\">{}</span></button>",
            index + 1,
            escape(&played.san),
            clock(played.made_ms)
        );
    }
    out.push_str("</div></div>");
}

fn incidents(out: &mut String, findings: &Findings, positions: &[Ply]) {
    let record = findings.record;
    out.push_str("<h2>Incidents</h2>");
    if record.incidents.is_empty() {
        out.push_str("<p>None was found.</p>");
    }
    for (index, incident) in record.incidents.iter().enumerate() {
        let (class, tag) = match incident.severity {
            Some(Severity::Alert) | None => ("alert", "alert"),
            Some(Severity::Review) => ("review", "please look"),
            Some(Severity::Log) => ("log", "unlikely, for the log"),
        };
        let ply = record
            .moves
            .iter()
            .position(|m| m.made_ms + 1.0 >= incident.ms)
            .unwrap_or(record.moves.len());
        let p = incident.probability.unwrap_or(1.0);
        let _ = write!(
            out,
            "<article class=\"card {class}\" id=\"incident-{index}\"><span class=\"tag\">{tag}</span><h3>{}</h3><p class=\"soft\"><a href=\"#board\" data-ply=\"{}\">{}</a>, Article {}. {} ({:.0} %).</p>",
            escape(&headline(record, incident)),
            ply + 1,
            clock(incident.ms),
            escape(&incident.article),
            sureness(p),
            100.0 * p
        );
        frames(out, findings.evidence, index);
        allowed(out, record, incident, positions.get(ply));
        if !incident.explanation.is_empty() {
            let facts: String = incident
                .explanation
                .iter()
                .map(|e| format!("<li>{}</li>", escape(e)))
                .collect();
            let _ = write!(out, "<ol>{facts}</ol>");
        }
        out.push_str("</article>");
    }
}

fn sureness(p: f64) -> &'static str {
    match p {
        p if p >= 0.9 => "Almost certain",
        p if p >= 0.7 => "Likely",
        p if p >= 0.3 => "Unclear",
        _ => "Unlikely",
    }
}

fn frames(out: &mut String, evidence: &[Picture], incident: usize) {
    let pictures: Vec<&Picture> = evidence.iter().filter(|p| p.incident == incident).collect();
    if pictures.is_empty() {
        return;
    }
    out.push_str("<div class=\"frames\">");
    for picture in pictures {
        let _ = write!(
            out,
            "<figure><img alt=\"{}\" src=\"data:image/jpeg;base64,{}\"><figcaption>{}, {}</figcaption></figure>",
            escape(picture.caption),
            STANDARD.encode(&picture.jpeg),
            escape(picture.caption),
            clock(picture.ms)
        );
    }
    out.push_str("</div>");
}

/// The moves that were open, on a small board before the move.
fn allowed(out: &mut String, record: &Record, incident: &Incident, before: Option<&Ply>) {
    let Some(before) = before.filter(|_| !incident.obliged.is_empty()) else {
        return;
    };
    let moves: Vec<shakmaty::Move> = incident
        .obliged
        .iter()
        .filter_map(|u| u.parse::<UciMove>().ok()?.to_move(&before.position).ok())
        .collect();
    let arrows: Vec<(Square, Square)> = moves
        .iter()
        .filter_map(|m| Some((m.from()?, crate::events::landing(m))))
        .collect();
    let names: Vec<String> = moves
        .iter()
        .map(|m| SanPlus::from_move(before.position.clone(), *m).to_string())
        .collect();
    let touched: Vec<Square> = incident
        .contact
        .and_then(|id| record.contacts.iter().find(|c| c.id == id))
        .and_then(|c| c.square.as_deref()?.parse().ok())
        .into_iter()
        .collect();
    let _ = write!(
        out,
        "<div class=\"allowed\"><svg class=\"board\" viewBox=\"0 0 80 80\" role=\"img\" aria-label=\"Moves that were open\">{}</svg><p>Open were: <strong>{}</strong>.</p></div>",
        board(before.position.board(), &[], &touched, &arrows),
        escape(&names.join(", "))
    );
}

fn contacts(out: &mut String, record: &Record) {
    out.push_str("<h2>All contacts</h2><div class=\"scroll\"><table><thead><tr><th>#</th><th>Player</th><th>Piece</th><th>What</th><th>Touch</th><th>Lift</th><th>Place</th><th>Release</th><th>Sure</th></tr></thead><tbody>");
    for c in &record.contacts {
        let time = |ms: Option<f64>| ms.map_or("\u{2013}".to_owned(), clock);
        let way = match (&c.square, &c.to) {
            (Some(a), Some(b)) if a != b => format!("{} {a}\u{2192}{b}", c.piece),
            (Some(a), _) => format!("{} {a}", c.piece),
            (None, b) => format!("{} \u{2192}{}", c.piece, b.as_deref().unwrap_or("?")),
        };
        let _ = write!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.0} %</td></tr>",
            c.id,
            player(c.player),
            escape(&way),
            kind_name(c.kind),
            clock(c.touch_ms),
            time(c.lift_ms),
            time(c.place_ms),
            clock(c.release_ms),
            100.0 * c.probability.unwrap_or(1.0)
        );
    }
    out.push_str("</tbody></table></div>");
}

fn about(out: &mut String, findings: &Findings) {
    out.push_str("<h2>What to know</h2><ul>");
    for note in findings.notes {
        let _ = write!(out, "<li>{}</li>", escape(note));
    }
    let _ = write!(
        out,
        "<li>Reviewed at {:.0} frames a second by Adoube {}; this version does not listen: an announced adjustment is not known to it.</li>",
        findings.frames_per_second,
        env!("CARGO_PKG_VERSION")
    );
    for (name, sum) in findings.models {
        let _ = write!(
            out,
            "<li>{} <code>{}</code></li>",
            escape(name),
            escape(sum)
        );
    }
    out.push_str("</ul>");
}
