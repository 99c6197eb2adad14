//! The moments of a game that are worth finding again: chapters for players, markers for editors.
//!
//! All of it names incidents: it is the arbiter's, not the public's.

use std::fmt::Write;

use super::{
    report::plies::{move_of, plies},
    words::{self, Words, cause, severity_class},
};
use crate::record::{Incident, PlayedMove, Player, Record, Severity};

/// A chapter or marker begins so long before the hand touches the first piece, milliseconds.
const LEAD_MS: f64 = 1000.0;
/// A move begins at the latest so long before it is made, where no contact tells, milliseconds.
const UNSEEN_MS: f64 = 2000.0;
/// Least length of a chapter, milliseconds: players round.
const LEAST_MS: f64 = 100.0;

/// A stretch of the recording with a name. Chapters follow each other without a gap.
#[derive(Debug, Clone, PartialEq)]
pub struct Chapter {
    /// Begin, milliseconds.
    pub from_ms: f64,
    /// End, milliseconds.
    pub to_ms: f64,
    /// Its name, one line.
    pub title: String,
}

/// A move or an incident as a marker.
#[derive(Debug, Clone, PartialEq)]
pub struct Marker {
    /// `move-3`, `incident-1`.
    pub id: String,
    /// Begin, milliseconds.
    pub from_ms: f64,
    /// End, milliseconds.
    pub to_ms: f64,
    /// None for a move.
    pub severity: Option<Severity>,
    /// `move`, or the incident's kind.
    pub kind: String,
    /// Half moves up to and with the move that it belongs to, from 1.
    pub ply: Option<usize>,
    /// That move, as `3. Nf6`.
    pub san: String,
    /// What happened, in one phrase.
    pub text: String,
}

/// One chapter a move, from just before the hand comes; incidents are named in their move's.
#[must_use]
pub fn chapters(record: &Record, words: Words) -> Vec<Chapter> {
    let names = plies(record);
    let mut begins: Vec<(f64, String)> = vec![(0.0, words.get("chapter-start"))];
    for (index, played) in record.moves.iter().enumerate() {
        let name = names.get(index + 1).map_or("", |p| &p.name).to_owned();
        begins.push((begun_ms(record, index, played), name));
    }
    for (_, incident) in words::shown(record) {
        let headline = words.headline(record, incident);
        let from_ms = span_ms(record, incident).0;
        match move_of(record, incident).and_then(|i| begins.get_mut(i + 1)) {
            Some((begin_ms, name)) => {
                *begin_ms = begin_ms.min(from_ms);
                *name += &format!(" \u{2013} {headline}");
            }
            None => begins.push((from_ms, headline)),
        }
    }
    let mut last_ms = -LEAST_MS;
    for (begin_ms, _) in &mut begins {
        *begin_ms = begin_ms.max(last_ms + LEAST_MS);
        last_ms = *begin_ms;
    }
    let end_ms = duration_ms(record).max(last_ms + LEAST_MS);
    let ends: Vec<f64> = begins.iter().skip(1).map(|b| b.0).chain([end_ms]).collect();
    begins
        .into_iter()
        .zip(ends)
        .map(|((from_ms, title), to_ms)| Chapter {
            from_ms,
            to_ms,
            title,
        })
        .collect()
}

/// When a move's first hand comes near.
fn begun_ms(record: &Record, index: usize, played: &PlayedMove) -> f64 {
    let before_ms = index
        .checked_sub(1)
        .and_then(|i| record.moves.get(i))
        .map_or(0.0, |m| m.made_ms);
    let touches = record.contacts.iter().map(|c| c.touch_ms);
    let first_ms = touches
        .filter(|t| (before_ms..played.made_ms).contains(t))
        .fold(f64::INFINITY, f64::min);
    let from_ms = if first_ms.is_finite() {
        first_ms - LEAD_MS
    } else {
        played.made_ms - UNSEEN_MS
    };
    from_ms.max(before_ms)
}

/// From the contact that an incident hangs on to when it was complete, milliseconds.
#[must_use]
pub fn span_ms(record: &Record, incident: &Incident) -> (f64, f64) {
    let touched = cause(record, incident).map_or(incident.ms, |c| c.touch_ms);
    let from_ms = (touched.min(incident.ms) - LEAD_MS).max(0.0);
    (from_ms, incident.ms.max(from_ms + LEAST_MS))
}

/// All moves and incidents, in time.
#[must_use]
pub fn markers(record: &Record, words: Words) -> Vec<Marker> {
    let names = plies(record);
    let name = |index: usize| names.get(index + 1).map_or("", |p| &p.name).to_owned();
    let moves = record.moves.iter().enumerate().map(|(index, played)| {
        let from_ms = begun_ms(record, index, played);
        Marker {
            id: format!("move-{}", index + 1),
            from_ms,
            to_ms: played.made_ms.max(from_ms + LEAST_MS),
            severity: None,
            kind: "move".to_owned(),
            ply: Some(index + 1),
            text: words.with("marker-move", &[("name", &name(index))]),
            san: name(index),
        }
    });
    let incidents = record.incidents.iter().enumerate().map(|(n, incident)| {
        let (from_ms, to_ms) = span_ms(record, incident);
        let index = move_of(record, incident);
        Marker {
            id: format!("incident-{}", n + 1),
            from_ms,
            to_ms,
            severity: Some(incident.severity.unwrap_or(Severity::Alert)),
            kind: incident.kind.clone(),
            ply: index.map(|i| i + 1),
            san: index.map(name).unwrap_or_default(),
            text: words.headline(record, incident),
        }
    });
    let mut all: Vec<Marker> = moves.chain(incidents).collect();
    all.sort_by(|a, b| a.from_ms.total_cmp(&b.from_ms));
    all
}

/// Length of the recording, milliseconds.
#[must_use]
pub fn duration_ms(record: &Record) -> f64 {
    record.frames as f64 * 1000.0 / record.fps.max(0.001)
}

/// One line: control characters and line breaks become spaces.
fn line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Chapters as WebVTT.
#[must_use]
pub fn webvtt(chapters: &[Chapter]) -> String {
    let mut out = String::from("WEBVTT\n");
    for (index, chapter) in chapters.iter().enumerate() {
        // The arrow would end the text, an ampersand or a bracket begin markup.
        let title = line(&chapter.title)
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        let _ = write!(
            out,
            "\nchapter-{}\n{} --> {}\n{title}\n",
            index + 1,
            vtt_time(chapter.from_ms),
            vtt_time(chapter.to_ms)
        );
    }
    out
}

fn vtt_time(ms: f64) -> String {
    let ms = ms.round().max(0.0) as u64;
    let (seconds, rest) = (ms / 1000, ms % 1000);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}.{rest:03}", seconds % 60)
}

/// Chapters as FFmpeg reads them, to be put into an MP4.
#[must_use]
pub fn ffmetadata(title: &str, chapters: &[Chapter]) -> String {
    let escaped = |text: &str| {
        let special = ['=', ';', '#', '\\'];
        line(text).chars().fold(String::new(), |mut out, c| {
            if special.contains(&c) {
                out.push('\\');
            }
            out.push(c);
            out
        })
    };
    let mut out = format!(";FFMETADATA1\ntitle={}\n", escaped(title));
    for chapter in chapters {
        let _ = write!(
            out,
            "[CHAPTER]\nTIMEBASE=1/1000\nSTART={:.0}\nEND={:.0}\ntitle={}\n",
            chapter.from_ms,
            chapter.to_ms,
            escaped(&chapter.title)
        );
    }
    out
}

/// Markers as an edit decision list that DaVinci Resolve imports onto a timeline that begins at
/// 01:00:00:00 and has the recording's rate.
#[must_use]
pub fn edl(title: &str, markers: &[Marker], fps: f64) -> String {
    let mut out = format!("TITLE: {}\nFCM: NON-DROP FRAME\n\n", line(title));
    for (index, marker) in markers.iter().enumerate() {
        let frame = |ms: f64| (ms.max(0.0) / 1000.0 * fps).round() as u64;
        let begin = frame(marker.from_ms);
        let length = frame(marker.to_ms).saturating_sub(begin).max(1);
        let (from, to) = (timecode(begin, fps), timecode(begin + 1, fps));
        let color = match marker.severity {
            None => "Green",
            Some(Severity::Alert) => "Red",
            Some(Severity::Review) => "Yellow",
            Some(Severity::Log) => "Blue",
        };
        // A bar would end the text, and a digit in front would be read as a number of an event.
        let text = |text: &str| line(text).replace('|', "/");
        let mut note = text(&marker.text);
        if note.starts_with(|c: char| c.is_ascii_digit()) {
            note.insert_str(0, "- ");
        }
        let _ = write!(
            out,
            "{:03}  001      V     C        {from} {to} {from} {to}  \n{note} |C:ResolveColor{color} |M:{} |D:{length}\n\n",
            index + 1,
            text(&marker.id)
        );
    }
    out
}

/// `hh:mm:ss:ff` from one hour on; the rate of the timecode is the whole number next to the real one.
fn timecode(frame: u64, fps: f64) -> String {
    let rate = (fps.round() as u64).max(1);
    let (seconds, frames) = (frame / rate, frame % rate);
    let (hours, minutes) = (1 + seconds / 3600, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}:{frames:02}", seconds % 60)
}

/// Markers as a table for spreadsheets and scripts.
///
/// # Errors
/// When the table cannot be built in memory.
#[cfg(feature = "vision")]
pub fn csv(board: &str, markers: &[Marker]) -> Result<String, csv::Error> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record([
        "id", "board", "start_ms", "end_ms", "severity", "kind", "ply", "san", "text",
    ])?;
    for marker in markers {
        table.write_record([
            marker.id.as_str(),
            board,
            &format!("{:.0}", marker.from_ms),
            &format!("{:.0}", marker.to_ms),
            marker.severity.map_or("", |s| severity_class(Some(s))),
            &marker.kind,
            &marker.ply.map_or_else(String::new, |p| p.to_string()),
            &marker.san,
            &marker.text,
        ])?;
    }
    let bytes = table.into_inner().map_err(|e| e.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What an arbiter's PGN says of an incident, after the move that it belongs to.
#[must_use]
pub fn otb_comment(record: &Record, incident: &Incident, words: Words) -> String {
    let player = match incident.player {
        Player::White => "w",
        Player::Black => "b",
    };
    let seconds = (incident.ms.max(0.0) / 1000.0).round() as u64;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let mut facts = format!(
        "[%otb incident={} player={player} severity={} article={} t={hours}:{minutes:02}:{:02}",
        incident.kind,
        severity_class(incident.severity),
        incident.article,
        seconds % 60
    );
    if let Some(p) = incident.probability {
        let _ = write!(facts, " p={p:.2}");
    }
    let facts = facts.replace(']', "");
    format!(
        "{facts}] {}.",
        words.headline(record, incident).replace(['[', ']'], "")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch_move() -> Record {
        serde_json::from_str(include_str!("../../tests/data/report/touch-move.json")).unwrap()
    }

    fn titles(chapters: &[Chapter]) -> Vec<&str> {
        chapters.iter().map(|c| c.title.as_str()).collect()
    }

    #[test]
    fn a_chapter_a_move_without_a_gap() {
        let record = touch_move();
        let all = chapters(&record, Words::default());
        assert_eq!(
            titles(&all),
            [
                "Before the first move",
                "4. d3 \u{2013} White touched the knight on b1 and played d3",
                "4\u{2026} Nf6"
            ]
        );
        assert_eq!((all[0].from_ms, all[2].to_ms.round()), (0.0, 9033.0));
        assert!(all.windows(2).all(|w| w[0].to_ms == w[1].from_ms));
        // From just before the knight is touched.
        assert_eq!(all[1].from_ms, 1043.0);
    }

    #[test]
    fn moves_at_one_moment_keep_chapters_of_some_length() {
        let mut record = touch_move();
        record.contacts.clear();
        for m in &mut record.moves {
            m.made_ms = 100.0;
        }
        let all = chapters(&record, Words::default());
        assert!(
            all.iter().all(|c| c.to_ms - c.from_ms >= LEAST_MS),
            "{all:?}"
        );
    }

    #[test]
    fn texts_cannot_break_the_formats() {
        let evil = "1 a|b & <i> --> \n\n# = ; \\ \"x\", y";
        let chapter = Chapter {
            from_ms: 0.0,
            to_ms: 3_723_004.4,
            title: evil.to_owned(),
        };
        assert_eq!(
            webvtt(std::slice::from_ref(&chapter)),
            "WEBVTT\n\nchapter-1\n00:00:00.000 --> 01:02:03.004\n1 a|b &amp; &lt;i&gt; --&gt;   # = ; \\ \"x\", y\n"
        );
        assert!(
            ffmetadata("t", &[chapter])
                .ends_with("title=1 a|b & <i> -->   \\# \\= \\; \\\\ \"x\", y\n")
        );
        let marker = Marker {
            id: "incident-1".to_owned(),
            from_ms: 18_200.0,
            to_ms: 19_200.0,
            severity: Some(Severity::Alert),
            kind: "touch_move".to_owned(),
            ply: Some(3),
            san: "2. d4".to_owned(),
            text: evil.to_owned(),
        };
        let list = edl("Board 1", std::slice::from_ref(&marker), 30.0);
        assert!(list.contains(
            "001  001      V     C        01:00:18:06 01:00:18:07 01:00:18:06 01:00:18:07  \n"
        ));
        let note = list.lines().nth(4).unwrap();
        assert_eq!(note.matches('|').count(), 3, "{note}");
        assert!(!note.starts_with(|c: char| c.is_ascii_digit()), "{note}");
        #[cfg(feature = "vision")]
        {
            let table = csv("b", &[marker]).unwrap();
            let row = csv::Reader::from_reader(table.as_bytes())
                .into_records()
                .next()
                .unwrap()
                .unwrap();
            assert_eq!(row.get(8), Some(evil));
        }
    }

    #[test]
    fn a_move_in_an_edit_decision_list_begins_with_a_word() {
        let record = touch_move();
        let list = edl("x", &markers(&record, Words::default()), 29.97);
        assert!(
            list.contains("Move 4. d3 |C:ResolveColorGreen |M:move-1 |D:"),
            "{list}"
        );
        assert!(list.contains("White touched the knight on b1 and played d3 |C:ResolveColorRed"));
    }
}
