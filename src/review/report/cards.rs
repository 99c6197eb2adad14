//! The incidents, one card each: what happened, how sure, the frames, what was open, why.

use std::fmt::Write;

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::{
    Findings, Picture,
    board::{self, Marks},
    plies::{Ply, move_of},
    why,
    words::{self, Words, escape},
};
use crate::record::{Incident, Severity};

/// The whole section. Unlikely findings are folded away.
pub fn cards(findings: &Findings, plies: &[Ply]) -> String {
    let (record, words) = (findings.record, findings.words);
    let mut out = String::new();
    if words::shown(record).next().is_none() {
        let _ = write!(out, "<p class=\"calm\">{}</p>", words.get("no-incident"));
    }
    for (index, incident) in words::shown(record) {
        card(&mut out, findings, plies, index, incident);
    }
    let logged = record.incidents.iter().enumerate();
    let logged: Vec<_> = logged
        .filter(|(_, i)| i.severity == Some(Severity::Log))
        .collect();
    if !logged.is_empty() {
        let _ = write!(
            out,
            "<details class=\"logged\"><summary>{} ({})</summary>",
            words.get("logged"),
            logged.len()
        );
        for (index, incident) in logged {
            card(&mut out, findings, plies, index, incident);
        }
        out.push_str("</details>");
    }
    out
}

fn card(out: &mut String, findings: &Findings, plies: &[Ply], index: usize, incident: &Incident) {
    let (record, words) = (findings.record, findings.words);
    let n = index + 1;
    let (class, tag) = (
        words::severity_class(incident.severity),
        words.severity(incident.severity),
    );
    let at = words.with(
        "at-article",
        &[
            ("at", &words.clock(incident.ms)),
            ("article", &incident.article),
            ("laws", &record.laws),
        ],
    );
    let moved = move_of(record, incident);
    let _ = write!(
        out,
        "<article class=\"card {class}\" id=\"incident-{n}\" tabindex=\"-1\"><header><p class=\"tag\"><b>{n}</b> {tag} \u{b7} {}</p><h3>{}</h3><p class=\"soft\">{} {}</p></header>",
        escape(&words.incident_kind(&incident.kind)),
        escape(&words.headline(record, incident)),
        escape(&at),
        words.rule(&incident.kind),
    );
    if let Some(p) = incident.probability {
        let percent = 100.0 * p.clamp(0.0, 1.0);
        let _ = write!(
            out,
            "<p class=\"sure\"><span class=\"meter\" aria-hidden=\"true\"><i style=\"width:{percent:.0}%\"></i></span> <b>{percent:.0} %</b> {}</p>",
            words.sureness(p)
        );
    }
    frames(out, words, findings.evidence, index);
    out.push_str("<div class=\"why\">");
    open_moves(
        out,
        findings,
        incident,
        moved.and_then(|i| plies.get(i)),
        moved,
    );
    out.push_str("<div>");
    if !incident.explanation.is_empty() {
        let _ = write!(out, "<h4>{}</h4><ol>", words.get("why"));
        for fact in &why::explanation(record, incident, words.language) {
            let _ = write!(out, "<li>{}</li>", escape(fact));
        }
        out.push_str("</ol>");
    }
    links(out, findings, index, moved);
    let _ = write!(
        out,
        "</div></div><p class=\"ruling\">{}</p></article>",
        words.get("ruling")
    );
}

fn links(out: &mut String, findings: &Findings, index: usize, moved: Option<usize>) {
    let words = findings.words;
    out.push_str("<p class=\"links\">");
    if let Some(index) = moved {
        let _ = write!(
            out,
            "<a href=\"#ply={ply}\" data-ply=\"{ply}\" data-jump>{}</a>",
            words.get("see-move"),
            ply = index + 1
        );
    }
    if let Some(id) = findings.record.incidents.get(index).and_then(|i| i.contact) {
        let _ = write!(
            out,
            "<a href=\"#contact-{id}\" data-find=\"{id}\">{}</a>",
            words.get("find-contact")
        );
    }
    if let Some((_, file)) = findings.clips.iter().find(|(i, _)| *i == index) {
        let _ = write!(
            out,
            "<a href=\"{}\">{}</a>",
            escape(file),
            words.get("clip")
        );
    }
    out.push_str("</p>");
}

fn frames(out: &mut String, words: Words, evidence: &[Picture], incident: usize) {
    let mut pictures = evidence
        .iter()
        .filter(|p| p.incident == incident)
        .peekable();
    if pictures.peek().is_none() {
        return;
    }
    out.push_str("<div class=\"frames\">");
    for picture in pictures {
        let caption = words.get(picture.shows.id());
        let at = words.clock(picture.ms);
        let about = [("caption", &*caption), ("at", &at)];
        let _ = write!(
            out,
            "<figure><button class=\"photo\" type=\"button\" aria-label=\"{}\"><img alt=\"{}\" src=\"data:image/jpeg;base64,{}\"></button><figcaption><b>{caption}</b> {at}</figcaption></figure>",
            words.with("enlarge", &about),
            words.with("the-board", &about),
            STANDARD.encode(&picture.jpeg),
        );
    }
    out.push_str("</div>");
}

/// The position before the move: what was open, and what was played.
fn open_moves(
    out: &mut String,
    findings: &Findings,
    incident: &Incident,
    before: Option<&Ply>,
    moved: Option<usize>,
) {
    let record = findings.record;
    let Some(before) = before else { return };
    let open = before.legal(&incident.obliged);
    let played = moved
        .and_then(|i| record.moves.get(i))
        .filter(|_| !words::apart_from_the_move(&incident.kind));
    let squares = played.and_then(|m| {
        Some((
            m.uci.get(0..2)?.parse().ok()?,
            m.uci.get(2..4)?.parse().ok()?,
        ))
    });
    let touched = words::cause(record, incident).and_then(|c| c.square.as_deref()?.parse().ok());
    let marks = Marks {
        touched: touched.into_iter().collect(),
        open: open.iter().map(|(_, arrow)| *arrow).collect(),
        played: squares.filter(|arrow| open.iter().all(|(_, other)| other != arrow)),
        ..Marks::default()
    };
    let words = findings.words;
    let label = words.get(if open.is_empty() {
        "before-move"
    } else {
        "moves-open"
    });
    let _ = write!(
        out,
        "<figure class=\"open\"><svg class=\"board\" viewBox=\"0 0 8 8\" role=\"img\" aria-label=\"{label}\">{}</svg><figcaption>",
        board::draw(&before.board, &marks)
    );
    if !open.is_empty() {
        let names: Vec<&str> = open.iter().map(|(san, _)| san.as_str()).collect();
        let _ = write!(
            out,
            "<span class=\"key open\">{}</span> <b>{}</b><br>",
            words.get("open"),
            escape(&words.language.written(&names.join(", ")))
        );
    }
    if let Some(played) = played {
        let _ = write!(
            out,
            "<span class=\"key played\">{}</span> <b>{}</b>",
            words.get("played-word"),
            escape(&words.language.written(&played.san))
        );
    }
    out.push_str("</figcaption></figure>");
}
