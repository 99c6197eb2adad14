//! The words beside the picture, as a script of subtitles (Advanced SubStation Alpha) that FFmpeg
//! draws with the system's fonts: every letter of every language is there.

use std::fmt::Write;

use super::{Layout, inset::Inset};
use crate::{
    record::{Contact, Record},
    review::{
        moments::{duration_ms, span_ms},
        report::plies::plies,
        words::{self, Words, percent, severity_class},
    },
};

/// An incident is shown for so long after it was complete, milliseconds.
const INCIDENT_MS: f64 = 6000.0;
/// A contact's line is shown for so long at least, milliseconds.
const LINE_MS: f64 = 1200.0;
/// Lines for contacts at one time.
const LINES: usize = 4;

/// The whole script.
pub fn script(record: &Record, words: Words, layout: &Layout) -> String {
    let mut out = head(layout);
    moves(&mut out, record, words, layout);
    contacts(&mut out, record, words, layout);
    incidents(&mut out, record, words);
    out
}

/// Sizes and styles; colours are written from blue to red.
fn head(layout: &Layout) -> String {
    let unit = f64::from(layout.panel) / 300.0;
    let size = |points: f64| (points * unit).round() as i32;
    let (left, edge) = (layout.width + size(14.0), size(14.0));
    let style = |name: &str, points: f64, colour: &str, align: i32| {
        format!(
            "Style: {name},DejaVu Sans,{},&H00{colour},&H00171921,&H00171921,0,1,1,0,{align},{left},{edge},{edge},1\n",
            size(points)
        )
    };
    format!(
        "[Script Info]\nScriptType: v4.00+\nPlayResX: {}\nPlayResY: {}\nWrapStyle: 0\nScaledBorderAndShadow: yes\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize, PrimaryColour, OutlineColour, BackColour, Bold, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding\n{}{}{}{}{}\n[Events]\nFormat: Layer, Start, End, Style, MarginL, MarginR, MarginV, Text\n",
        layout.width + layout.panel,
        layout.height,
        style("move", 26.0, "DBE6EC", 7),
        style("contact", 14.0, "92A7B5", 7),
        style("alert", 17.0, "7D8AFF", 1),
        style("review", 17.0, "4CB8E8", 1),
        style("log", 17.0, "929FA7", 1),
    )
}

/// A line of the script. Braces and backslashes are commands there.
fn event(out: &mut String, style: &str, (from_ms, to_ms): (f64, f64), place: &str, text: &str) {
    let text = text.replace(['{', '}', '\\', '\n', '\r'], " ");
    let _ = writeln!(
        out,
        "Dialogue: 0,{},{},{style},0,0,0,{place}{text}",
        time(from_ms),
        time(to_ms)
    );
}

/// `h:mm:ss.cc`.
fn time(ms: f64) -> String {
    let hundredths = (ms / 10.0).round().max(0.0) as u64;
    let (seconds, rest) = (hundredths / 100, hundredths % 100);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours}:{minutes:02}:{:02}.{rest:02}", seconds % 60)
}

/// Where a line stands in the panel, so many pixels below the board.
fn place(layout: &Layout, below: f64) -> String {
    let unit = f64::from(layout.panel) / 300.0;
    let x = f64::from(layout.width) + 14.0 * unit;
    let y = f64::from(Inset::below(layout.panel)) + below * unit;
    format!("{{\\pos({x:.0},{y:.0})}}")
}

/// The last move, until the next one.
fn moves(out: &mut String, record: &Record, words: Words, layout: &Layout) {
    let plies = plies(record);
    let end_ms = duration_ms(record) + INCIDENT_MS;
    for (index, ply) in plies.iter().enumerate() {
        let to_ms = plies.get(index + 1).map_or(end_ms, |next| next.made_ms);
        let from_ms = if index == 0 { 0.0 } else { ply.made_ms };
        let name = if ply.name.is_empty() {
            words.get("caption-start")
        } else {
            ply.name.clone()
        };
        event(out, "move", (from_ms, to_ms), &place(layout, 12.0), &name);
    }
}

/// A line for each contact, the free line farthest up.
fn contacts(out: &mut String, record: &Record, words: Words, layout: &Layout) {
    let mut free_from = [0.0; LINES];
    for contact in &record.contacts {
        let to_ms = contact.release_ms.max(contact.touch_ms + LINE_MS);
        let free = free_from.iter_mut().enumerate();
        let Some((line, until)) = { free }.find(|(_, until)| **until <= contact.touch_ms) else {
            continue;
        };
        *until = to_ms;
        let place = place(layout, 52.0 + 40.0 * line as f64);
        let span = (contact.touch_ms, to_ms);
        event(out, "contact", span, &place, &told(contact, words));
    }
}

/// A contact in one line.
fn told(contact: &Contact, words: Words) -> String {
    let sure = contact
        .probability
        .map_or_else(String::new, |p| format!(" ({})", percent(p)));
    format!(
        "{}: {}, {}{sure}",
        words.player(contact.player),
        words.place(contact),
        words.kind(contact.kind)
    )
}

/// Incidents at the foot of the panel; several at a time stand above each other.
fn incidents(out: &mut String, record: &Record, words: Words) {
    for (_, incident) in words::shown(record) {
        let (from_ms, to_ms) = span_ms(record, incident);
        let sure = incident
            .probability
            .map_or_else(String::new, |p| format!(" ({})", percent(p)));
        let text = format!(
            "{}: {}{sure}",
            words.severity(incident.severity),
            words.headline(record, incident)
        );
        let style = severity_class(incident.severity);
        event(out, style, (from_ms, to_ms + INCIDENT_MS), "", &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Language;

    fn touch_move() -> Record {
        serde_json::from_str(include_str!("../../../tests/data/report/touch-move.json")).unwrap()
    }

    #[test]
    fn words_stand_beside_the_picture_at_their_times() {
        let record = touch_move();
        let script = script(&record, Words::new(Language::German), &Layout::of(&record));
        for line in [
            "PlayResX: 1262\n",
            "0:00:00.00,0:00:04.57,move,0,0,0,{\\pos(974,298)}Anfangsstellung\n",
            "0:00:02.04,0:00:03.24,contact,",
            "Weiß: Springer auf b1, berührt und stehen gelassen (93 %)\n",
            "alert,0,0,0,Alarm: Weiß berührte den Springer auf b1 und zog d3",
        ] {
            assert!(script.contains(line), "{line} is not in\n{script}");
        }
    }

    #[test]
    fn hostile_words_are_no_commands() {
        let mut record = touch_move();
        record.moves[0].san = "{\\fs200}x\ny".to_owned();
        let script = script(&record, Words::default(), &Layout::of(&record));
        assert!(
            !script.contains("\\fs200") && !script.contains("x\ny"),
            "{script}"
        );
    }
}
