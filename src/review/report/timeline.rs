//! Contacts in time: White above, Black below, the moves between, incidents across.
//!
//! Places are in seconds of drawn time (`--x`); the page's style turns them into pixels, so that
//! zooming changes one number. Quiet time is drawn short, so that five hours stay readable.

use std::fmt::Write;

use super::{
    pieces::symbol,
    words::{self, Words, escape},
};
use crate::record::{Contact, ContactKind, Player, Record};

/// Time without a contact longer than this is drawn short, milliseconds.
const QUIET_MS: f64 = 5000.0;
/// How long it is drawn, seconds.
const QUIET_DRAWN: f64 = 1.6;
/// Time shown around each contact, milliseconds.
const AROUND_MS: f64 = 600.0;
/// Least time between two marks of the axis, milliseconds.
const TICK_MS: f64 = 2000.0;
/// Heights, pixels: flags, one row of contacts, one row of moves.
const FLAGS: usize = 26;
const ROW: usize = 40;
const MOVES: usize = 23;

/// Maps capture time to drawn seconds.
struct Scale {
    /// Capture time in milliseconds and drawn seconds, rising.
    knots: Vec<(f64, f64)>,
    /// Shortened stretches: drawn from, drawn to, milliseconds left out.
    gaps: Vec<(f64, f64, f64)>,
    /// Where stretches with contacts begin, milliseconds.
    begins: Vec<f64>,
}

impl Scale {
    fn new(record: &Record) -> Self {
        let mut scale = Self {
            knots: vec![(0.0, 0.3)],
            gaps: Vec::new(),
            begins: vec![0.0],
        };
        let contacts = record.contacts.iter().map(|c| (c.touch_ms, c.release_ms));
        let moments = record.moves.iter().map(|m| m.made_ms);
        let moments = moments.chain(record.incidents.iter().map(|i| i.ms));
        let mut busy: Vec<(f64, f64)> = contacts.chain(moments.map(|m| (m, m))).collect();
        busy.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (from, to) in busy {
            scale.stretch(from - AROUND_MS, to + AROUND_MS);
        }
        scale
    }

    fn stretch(&mut self, from: f64, to: f64) {
        let (t, x) = self.end();
        let quiet = from - t;
        if quiet > QUIET_MS {
            self.gaps.push((x, x + QUIET_DRAWN, quiet));
            self.begins.push(from);
            self.knots.push((from, x + QUIET_DRAWN));
        }
        let (t, x) = self.end();
        if to > t {
            self.knots.push((to, x + (to - t) / 1000.0));
        }
    }

    fn end(&self) -> (f64, f64) {
        self.knots.last().copied().unwrap_or((0.0, 0.0))
    }

    fn x(&self, ms: f64) -> f64 {
        let after = self.knots.partition_point(|k| k.0 < ms);
        let before = after.checked_sub(1).and_then(|i| self.knots.get(i));
        match (before, self.knots.get(after)) {
            (Some(a), Some(b)) if b.0 > a.0 => a.1 + (ms - a.0) / (b.0 - a.0) * (b.1 - a.1),
            (_, Some(b)) => b.1,
            _ => self.end().1,
        }
    }
}

/// Rows of one lane: for each contact its row, and how many rows there are.
fn rows(record: &Record, player: Player) -> (Vec<(usize, &Contact)>, usize) {
    let mut free_from: Vec<f64> = Vec::new();
    let mut out = Vec::new();
    for contact in record.contacts.iter().filter(|c| c.player == player) {
        let row = free_from
            .iter()
            .position(|free| *free <= contact.touch_ms)
            .unwrap_or(free_from.len());
        if row == free_from.len() {
            free_from.push(0.0);
        }
        free_from[row] = contact.release_ms;
        out.push((row, contact));
    }
    (out, free_from.len().max(1))
}

/// The whole section's drawing.
pub fn timeline(words: Words, record: &Record) -> String {
    let scale = Scale::new(record);
    let (white, white_rows) = rows(record, Player::White);
    let (black, black_rows) = rows(record, Player::Black);
    let moves_y = FLAGS + white_rows * ROW;
    let black_y = moves_y + 2 * MOVES + 6;
    let axis_y = black_y + black_rows * ROW + 2;
    let mut out = overview(words, record, &scale);
    let _ = write!(
        out,
        "<div class=\"time\" tabindex=\"0\" role=\"group\" aria-label=\"{}\"><div class=\"track\" style=\"--w:{:.2};height:{}px\"><div class=\"band\" style=\"top:{moves_y}px;height:{}px\"></div>",
        words.get("time"),
        scale.end().1 + 0.3,
        axis_y + 22,
        2 * MOVES + 4,
    );
    for (y, player) in [(FLAGS + 2, Player::White), (black_y + 2, Player::Black)] {
        let name = words.player(player);
        let _ = write!(
            out,
            "<span class=\"lane\" style=\"top:{y}px\">{name}</span>"
        );
    }
    axis(&mut out, words, &scale, axis_y);
    for incident in 0..record.incidents.len() {
        flag(&mut out, words, record, incident, (&scale, axis_y));
    }
    for (top, lane) in [(FLAGS, white), (black_y, black)] {
        for (row, contact) in lane {
            bar(&mut out, words, contact, &scale, top + row * ROW);
        }
    }
    let white_first = super::plies::white_begins(record);
    for (index, played) in record.moves.iter().enumerate() {
        let row = (index + usize::from(!white_first)) % 2;
        let _ = write!(
            out,
            "<a class=\"mv{}\" href=\"#ply={ply}\" data-ply=\"{ply}\" style=\"--x:{:.3};top:{}px\">{}</a>",
            if played.legal { "" } else { " bad" },
            scale.x(played.made_ms),
            moves_y + 3 + row * MOVES,
            escape(&words.language.written(&played.san)),
            ply = index + 1,
        );
    }
    out + "</div></div>"
}

/// Marks of time along the lower edge, and what was left out.
fn axis(out: &mut String, words: Words, scale: &Scale, y: usize) {
    for (from, to, quiet) in &scale.gaps {
        let _ = write!(
            out,
            "<span class=\"gap\" style=\"--x:{from:.2};--l:{:.2}\"><b>{}</b></span>",
            to - from,
            words.span(*quiet)
        );
    }
    for (index, begin) in scale.begins.iter().enumerate() {
        let gap = scale.begins.get(index + 1).map(|next| scale.x(*next));
        let end = gap.map_or(scale.end().1, |x| x - QUIET_DRAWN) - 0.2;
        // The first mark of a stretch is exact, the others are whole seconds.
        let mut ms = *begin;
        while scale.x(ms) <= end {
            let _ = write!(
                out,
                "<span class=\"tick\" style=\"--x:{:.3};top:{y}px\">{}</span>",
                scale.x(ms),
                words.clock(ms)
            );
            ms = ((ms + TICK_MS) / 1000.0).floor() * 1000.0;
        }
    }
}

/// An incident: a line across with its number on top, and the time from the contact it hangs on.
fn flag(
    out: &mut String,
    words: Words,
    record: &Record,
    index: usize,
    (scale, height): (&Scale, usize),
) {
    let incident = &record.incidents[index];
    let class = words::severity_class(incident.severity);
    let x = scale.x(incident.ms);
    if let Some(contact) = words::cause(record, incident) {
        let from = scale.x(contact.touch_ms);
        let _ = write!(
            out,
            "<span class=\"bound {class}\" style=\"--x:{from:.3};--l:{:.3};height:{}px\"></span>",
            (x - from).max(0.0),
            height - FLAGS
        );
    }
    let text = escape(&words.headline(record, incident));
    let _ = write!(
        out,
        "<a class=\"flag {class}\" href=\"#incident-{n}\" style=\"--x:{x:.3};height:{}px\" title=\"{text}\" aria-label=\"{}: {text}\"><b>{n}</b></a>",
        height - 4,
        words.count("incident-number", index + 1),
        n = index + 1
    );
}

fn class(kind: ContactKind) -> &'static str {
    match kind {
        ContactKind::Touch => "touch",
        ContactKind::Adjust => "adjust",
        ContactKind::Brush => "brush",
        ContactKind::CaptureRemoval => "taken",
        _ => "move",
    }
}

/// One contact.
fn bar(out: &mut String, words: Words, contact: &Contact, scale: &Scale, top: usize) {
    let (from, to) = (scale.x(contact.touch_ms), scale.x(contact.release_ms));
    let length = (to - from).max(0.001);
    let share = |ms: f64| (100.0 * (scale.x(ms) - from) / length).clamp(0.0, 100.0);
    let held = contact.lift_ms.map_or_else(String::new, |lift| {
        let (a, b) = (share(lift), contact.place_ms.map_or(100.0, share));
        format!(
            "<i style=\"left:{a:.1}%;width:{:.1}%\"></i>",
            (b - a).max(0.0)
        )
    });
    let icon = contact
        .piece
        .chars()
        .next()
        .and_then(shakmaty::Piece::from_char)
        .map_or_else(String::new, |p| {
            format!(
                "<svg viewBox=\"0 0 45 45\"><use href=\"#{}\"/></svg>",
                symbol(p)
            )
        });
    let text = escape(&words.contact(contact));
    let _ = write!(
        out,
        "<a class=\"ct {}\" href=\"#contact-{}\" data-contact=\"{}\" style=\"--x:{from:.3};--l:{length:.3};top:{top}px;--p:{:.2}\" title=\"{text}\" aria-label=\"{text}\"><span>{icon}{}</span><em>{held}</em></a>",
        class(contact.kind),
        contact.id,
        contact.id,
        0.4 + 0.6 * contact.probability.unwrap_or(1.0),
        escape(contact.square.as_deref().unwrap_or("+")),
    );
}

/// The whole game at its true pace, small; only where the timeline below leaves time out.
fn overview(words: Words, record: &Record, scale: &Scale) -> String {
    if scale.gaps.is_empty() {
        return String::new();
    }
    let end = super::duration_ms(record).max(scale.end().0);
    let x = |ms: f64| 1000.0 * ms / end.max(1.0);
    let mut out = format!(
        "<svg class=\"overview\" viewBox=\"0 0 1000 30\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\"><path class=\"axis\" d=\"M0 15h1000\"/>",
        words.get("whole")
    );
    for c in &record.contacts {
        let (from, width) = (x(c.touch_ms), (x(c.release_ms) - x(c.touch_ms)).max(1.0));
        let y = if c.player == Player::White { 5 } else { 16 };
        let _ = write!(
            out,
            "<rect class=\"{}\" x=\"{from:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"9\"/>",
            class(c.kind)
        );
    }
    for incident in &record.incidents {
        let class = words::severity_class(incident.severity);
        let _ = write!(
            out,
            "<path class=\"inc {class}\" d=\"M{:.1} 0v30\"/>",
            x(incident.ms)
        );
    }
    let _ = write!(
        out,
        "</svg><p class=\"ends\"><span>{}</span><span>{}</span></p>",
        words.clock(0.0),
        words.clock(end)
    );
    out
}
