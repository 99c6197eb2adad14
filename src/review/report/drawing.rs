//! Boards and the timeline as SVG.

use std::fmt::Write;

use shakmaty::{Board, Color, Role, Square};

use crate::record::{Contact, ContactKind, Player, Record};

/// Outline of a piece in a cell of 10 by 10, drawn for this report: one closed path each.
fn outline(role: Role) -> &'static str {
    match role {
        Role::Pawn => {
            "M5 1.7a1.6 1.6 0 0 1 1 2.9c.2 1.3.7 2.2 1.5 3H2.5c.8-.8 1.300-1.700 1.500-3a1.600 1.600 0 0 1 1-2.900zM2 7.900h6v1H2z"
        }
        Role::Rook => {
            "M2.300 1.500h1.200v.800h1V1.500h1v.800h1V1.500h1.200v2.200H6.900l.4 3.600H2.700l.4-3.600h-.8zM2 7.700h6v1.200H2z"
        }
        Role::Knight => {
            "M4.200 1.300l.7 1c1.800.3 2.900 1.900 2.900 4.900H3c0-1.500 1.300-1.900 1.500-2.900l-1.700.9-.9-.9c.3-1.100 1.300-1.800 2-2.300zM2.300 7.700h6v1.200h-6z"
        }
        Role::Bishop => {
            "M5 .9l.5.7C6.800 2.600 7.200 4 6.300 5.200l.4 2H3.300l.4-2C2.800 4 3.200 2.600 4.500 1.600zM2 7.700h6v1.200H2z"
        }
        Role::Queen => {
            "M1.300 2.600l1.500 1.900.5-2.900L5 4l1.700-2.400.5 2.900 1.500-1.900-1.200 4.700h-5zM2 7.700h6v1.200H2z"
        }
        Role::King => {
            "M4.600.6h.8v.8h.8v.8h-.8v.9c1.500-.6 3 .2 3 1.700 0 1-.6 1.700-1.200 2.500H2.800C2.200 6.500 1.600 5.800 1.600 4.800c0-1.500 1.500-2.300 3-1.700v-.9h-.8v-.8h.8zM2 7.700h6v1.200H2z"
        }
    }
}

/// The inside of a board's SVG (viewBox 0 0 80 80), White below: pieces, marked squares, arrows.
pub fn board(
    placement: &Board,
    last: &[Square],
    touched: &[Square],
    arrows: &[(Square, Square)],
) -> String {
    let corner = |s: Square| (10 * s.file().to_u32(), 10 * (7 - s.rank().to_u32()));
    let mut out = String::new();
    for square in Square::ALL {
        let (x, y) = corner(square);
        let class = if square.is_dark() { "d" } else { "l" };
        let _ = write!(
            out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"10\" height=\"10\"/>"
        );
    }
    for square in last {
        let (x, y) = corner(*square);
        let _ = write!(
            out,
            "<rect class=\"last\" x=\"{x}\" y=\"{y}\" width=\"10\" height=\"10\"/>"
        );
    }
    for (square, piece) in placement.clone() {
        let (x, y) = corner(square);
        let class = if piece.color == Color::White {
            'W'
        } else {
            'B'
        };
        let _ = write!(
            out,
            "<path class=\"{class}\" transform=\"translate({x} {y})\" d=\"{}\"/>",
            outline(piece.role)
        );
    }
    for square in touched {
        let (x, y) = corner(*square);
        let _ = write!(
            out,
            "<circle class=\"touched\" cx=\"{}\" cy=\"{}\" r=\"4.4\"/>",
            x + 5,
            y + 5
        );
    }
    for (from, to) in arrows {
        let ((x0, y0), (x1, y1)) = (corner(*from), corner(*to));
        let _ = write!(
            out,
            "<line class=\"arrow\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" marker-end=\"url(#tip)\"/>",
            x0 + 5,
            y0 + 5,
            x1 + 5,
            y1 + 5
        );
    }
    out
}

/// Minutes, seconds and tenths.
pub fn clock(ms: f64) -> String {
    let tenths = (ms / 100.0).round().max(0.0) as u64;
    let (minutes, seconds) = (tenths / 600, tenths / 10 % 60);
    if minutes >= 60 {
        format!(
            "{}:{:02}:{:02}.{}",
            minutes / 60,
            minutes % 60,
            seconds,
            tenths % 10
        )
    } else {
        format!("{minutes}:{seconds:02}.{}", tenths % 10)
    }
}

/// Time without a contact longer than this is drawn short, milliseconds.
const QUIET_MS: f64 = 6000.0;
/// Width of a second, pixels.
const SECOND_PX: f64 = 60.0;

/// Maps time to pixels with quiet stretches shortened, so that five hours stay readable.
struct Scale(Vec<(f64, f64)>);

impl Scale {
    fn new(record: &Record) -> Self {
        let mut knots = vec![(0.0, 20.0)];
        let mut busy: Vec<(f64, f64)> = record
            .contacts
            .iter()
            .map(|c| (c.touch_ms - 700.0, c.release_ms + 700.0))
            .collect();
        busy.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (from, to) in busy {
            let (t, x) = knots.last().copied().unwrap_or((0.0, 20.0));
            let quiet = (from - t).max(0.0);
            let shown = if quiet > QUIET_MS {
                QUIET_MS / 3.0
            } else {
                quiet
            };
            knots.push((from.max(t), x + shown / 1000.0 * SECOND_PX));
            let (t, x) = knots.last().copied().unwrap_or((0.0, 20.0));
            knots.push((to.max(t), x + (to - t).max(0.0) / 1000.0 * SECOND_PX));
        }
        Self(knots)
    }

    fn x(&self, ms: f64) -> f64 {
        let after = self
            .0
            .iter()
            .position(|k| k.0 >= ms)
            .unwrap_or(self.0.len());
        match (
            after.checked_sub(1).and_then(|i| self.0.get(i)),
            self.0.get(after),
        ) {
            (Some(a), Some(b)) if b.0 > a.0 => a.1 + (ms - a.0) / (b.0 - a.0) * (b.1 - a.1),
            (Some(a), None) => a.1 + (ms - a.0).min(QUIET_MS) / 1000.0 * SECOND_PX,
            (_, Some(b)) => b.1,
            _ => 20.0,
        }
    }
}

/// The timeline: White's contacts above the line, Black's below, incidents across.
pub fn timeline(record: &Record) -> String {
    let scale = Scale::new(record);
    let last = record
        .contacts
        .iter()
        .map(|c| c.release_ms)
        .fold(0.0, f64::max)
        + 900.0;
    let width = scale.x(last).max(320.0) + 40.0;
    let mut out = format!(
        "<svg width=\"{width:.0}\" height=\"132\" role=\"img\" aria-label=\"Timeline of contacts\"><line class=\"axis\" x1=\"0\" x2=\"{width:.0}\" y1=\"66\" y2=\"66\"/><text x=\"4\" y=\"14\">White</text><text x=\"4\" y=\"126\">Black</text>"
    );
    for contact in &record.contacts {
        out.push_str(&bar(contact, &scale));
    }
    for played in &record.moves {
        let x = scale.x(played.made_ms);
        let _ = write!(
            out,
            "<text x=\"{x:.1}\" y=\"70\" text-anchor=\"middle\" font-weight=\"700\">{}</text>",
            escape(&played.san)
        );
    }
    for incident in &record.incidents {
        let x = scale.x(incident.ms);
        let _ = write!(
            out,
            "<line class=\"inc\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"18\" y2=\"114\"><title>{} at {}</title></line>",
            escape(&incident.kind.replace('_', " ")),
            clock(incident.ms)
        );
    }
    out + "</svg>"
}

fn bar(contact: &Contact, scale: &Scale) -> String {
    let (x0, x1) = (scale.x(contact.touch_ms), scale.x(contact.release_ms));
    let y = if contact.player == Player::White {
        28
    } else {
        84
    };
    let class = match contact.kind {
        ContactKind::Touch => "touch",
        ContactKind::Adjust => "adjust",
        ContactKind::Brush => "brush",
        _ => "move",
    };
    let label = format!(
        "{}{}",
        contact.piece,
        contact.square.as_deref().unwrap_or("+")
    );
    let opacity = 0.35 + 0.65 * contact.probability.unwrap_or(1.0);
    let mut marks = String::new();
    for ms in [contact.lift_ms, contact.place_ms].into_iter().flatten() {
        let x = scale.x(ms);
        let _ = write!(
            marks,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{y}\" y2=\"{}\" stroke=\"#fff\" stroke-width=\"1.5\"/>",
            y + 20
        );
    }
    format!(
        "<g opacity=\"{opacity:.2}\"><rect class=\"{class}\" x=\"{x0:.1}\" y=\"{y}\" width=\"{:.1}\" height=\"20\" rx=\"4\"/>{marks}<text x=\"{x0:.1}\" y=\"{}\">{}</text><title>{} {}: touch {}, release {}</title></g>",
        (x1 - x0).max(3.0),
        if contact.player == Player::White {
            y - 3
        } else {
            y + 32
        },
        escape(&label),
        escape(&label),
        kind_name(contact.kind),
        clock(contact.touch_ms),
        clock(contact.release_ms)
    )
}

/// Kinds of contact in words.
pub fn kind_name(kind: ContactKind) -> &'static str {
    match kind {
        ContactKind::Move => "moved",
        ContactKind::CaptureRemoval => "captured, taken off",
        ContactKind::Touch => "touched",
        ContactKind::Adjust => "adjusted",
        ContactKind::Brush => "brushed",
        ContactKind::PromotionRemoval => "promoting pawn taken off",
        ContactKind::PromotionPlacement => "new piece put on",
    }
}

/// Text for HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
