//! The report as a table for people. Rows with anything wrong begin with `!`, and what to open
//! and where follows the table.

use std::fmt::Write;

use super::{
    BoardScore, ClipScore, ClipTotals, Event, IncidentScore, MoveScore, Report, Row, SequenceScore,
    SequenceTotals, Share, TimeScore, What,
};

/// Events of contacts that are listed for one clip; incidents and moves are all listed.
const LISTED_CONTACTS: usize = 3;
/// Bad pictures that are listed for one sequence.
const LISTED_PICTURES: usize = 5;

/// Renders a report as plain text.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut sections = Vec::new();
    if !report.clips.is_empty() {
        sections.push(clips(&report.clips, &report.totals.clips));
    }
    if !report.sequences.is_empty() {
        sections.push(sequences(&report.sequences, &report.totals.sequences));
    }
    if !report.unreadable.is_empty() {
        let lines = report
            .unreadable
            .iter()
            .map(|u| format!("! {}: {}\n", u.name, u.why));
        sections.push(format!(
            "LABELS THAT CANNOT BE READ\n{}",
            lines.collect::<String>()
        ));
    }
    sections.join("\n")
}

fn clips(rows: &[Row<ClipScore>], total: &ClipTotals) -> String {
    let header = [
        "",
        "clip",
        "move errors",
        "touch",
        "lift",
        "place",
        "release",
        "kind",
        "incidents",
        "corner",
        "fps",
    ];
    let mut cells = vec![header.map(str::to_owned).to_vec()];
    cells.extend(rows.iter().map(clip_cells));
    let mut out = format!(
        "CLIPS   move errors: edit distance/labelled; times and incidents: right/false/missed; kind: right/of; corner: squares\n{}",
        columns(&cells)
    );
    out += &clip_totals(total);
    let look: String = rows.iter().map(clip_events).collect();
    if !look.is_empty() {
        let _ = write!(out, "Look at\n{look}");
    }
    out
}

fn clip_cells(row: &Row<ClipScore>) -> Vec<String> {
    let s = &row.score;
    let bad = row.error.is_some() || !s.events.is_empty();
    let mut cells = vec![mark(bad), row.name.clone(), moves(s.moves)];
    cells.extend([&s.touch, &s.lift, &s.place, &s.release].map(counts));
    cells.push(format!("{}/{}", s.kind.part, s.kind.of));
    let c = s.incidents.counts;
    cells.push(format!("{}/{}/{}", c.tp, c.fp, c.missed));
    cells.push(number(s.corner_error_squares, 2));
    cells.push(number(s.frames_per_second, 1));
    cells
}

fn clip_totals(total: &ClipTotals) -> String {
    let mut out = format!(
        "All {} clips ({} failed): {}\n",
        total.clips,
        total.failed,
        games(total.moves)
    );
    for (name, time) in [
        ("touch", &total.touch),
        ("lift", &total.lift),
        ("place", &total.place),
        ("release", &total.release),
    ] {
        let _ = writeln!(out, "  {name:9} {}", time_line(time));
    }
    let _ = writeln!(out, "  kind      right {}", share(total.kind));
    let _ = writeln!(out, "  incidents {}", incident_line(&total.incidents));
    let _ = writeln!(
        out,
        "            false an hour {} ({} in {:.3} h); alerts right {}, reviews right {}",
        number(total.false_incidents_per_hour, 1),
        total.incidents.counts.fp,
        total.hours,
        share(total.incidents.alerts),
        share(total.incidents.reviews),
    );
    let _ = writeln!(
        out,
        "  corners   at worst {} squares off; speed {} frames a second",
        number(total.worst_corner_error_squares, 2),
        number(total.frames_per_second, 1)
    );
    out
}

fn time_line(time: &TimeScore) -> String {
    let c = time.counts;
    format!(
        "found {}, right of found {}, F1 {}, median error {} ms",
        share(Share::new(c.tp, c.tp + c.missed)),
        share(Share::new(c.tp, c.tp + c.fp)),
        number(c.f1(), 3),
        number(time.median_error_ms, 0)
    )
}

fn incident_line(incidents: &IncidentScore) -> String {
    let c = incidents.counts;
    format!(
        "found {}, right of found {}; article right {}, obliged moves right {}",
        share(Share::new(c.tp, c.tp + c.missed)),
        share(Share::new(c.tp, c.tp + c.fp)),
        share(incidents.article),
        share(incidents.obliged)
    )
}

fn clip_events(row: &Row<ClipScore>) -> String {
    let events = &row.score.events;
    if row.error.is_none() && events.is_empty() {
        return String::new();
    }
    let mut out = format!("! {}\n", row.open);
    if let Some(why) = &row.error {
        let _ = writeln!(out, "    failed, all its labels count as missed: {why}");
        return out;
    }
    let of_contact = |e: &&Event| !matches!(e.what, What::Incident | What::Move);
    for event in events.iter().filter(|e| !of_contact(e)) {
        event_line(&mut out, event);
    }
    let contacts: Vec<&Event> = events.iter().filter(of_contact).collect();
    for event in contacts.iter().take(LISTED_CONTACTS) {
        event_line(&mut out, event);
    }
    more(&mut out, contacts.len().saturating_sub(LISTED_CONTACTS));
    out
}

fn event_line(out: &mut String, event: &Event) {
    let _ = writeln!(
        out,
        "    {:8.2} s  {} {}: {}",
        event.ms / 1000.0,
        event.how.name(),
        event.what.name(),
        event.detail
    );
}

fn sequences(rows: &[Row<SequenceScore>], total: &SequenceTotals) -> String {
    let header = [
        "",
        "sequence",
        "pictures",
        "squares",
        "occupied",
        "boards",
        "wrong",
        "plies",
        "move errors",
        "hand seen",
        "hand false",
        "per s",
    ];
    let mut cells = vec![header.map(str::to_owned).to_vec()];
    for row in rows {
        let s = &row.score;
        let bad = row.error.is_some() || !s.bad_pictures.is_empty() || s.moves.edit_distance > 0;
        let mut line = vec![mark(bad), row.name.clone()];
        line.extend(board_cells(&s.all));
        line.push(moves(s.moves));
        line.push(share(s.hand_recall));
        line.push(share(s.hand_false_positive));
        line.push(number(s.pictures_per_second, 1));
        cells.push(line);
        let mut line = vec![String::new(), "  without a hand".to_owned()];
        line.extend(board_cells(&s.hand_false));
        cells.push(line);
    }
    let mut out = format!(
        "SEQUENCES   squares: rate of 13 contents right; wrong: median wrong squares; move errors: edit distance/labelled\n{}",
        columns(&cells)
    );
    out += &sequence_totals(total);
    let look: String = rows.iter().map(bad_pictures).collect();
    if !look.is_empty() {
        let _ = write!(out, "Look at\n{look}");
    }
    out
}

fn board_cells(board: &BoardScore) -> Vec<String> {
    vec![
        board.boards.of.to_string(),
        number(board.squares.rate(), 4),
        number(board.occupancy.rate(), 4),
        share(board.boards),
        board
            .median_wrong_squares
            .map_or("-".to_owned(), |w| w.to_string()),
        share(board.plies),
    ]
}

fn sequence_totals(total: &SequenceTotals) -> String {
    let mut out = format!(
        "All {} sequences ({} failed): {}\n",
        total.sequences,
        total.failed,
        games(total.moves)
    );
    for (name, board) in [("all", &total.all), ("without a hand", &total.hand_false)] {
        let _ = writeln!(
            out,
            "  {name:14} squares {}, occupancy {}, colours {}, boards {}, plies {}",
            share(board.squares),
            share(board.occupancy),
            share(board.colours),
            share(board.boards),
            share(board.plies)
        );
    }
    let _ = writeln!(
        out,
        "  hand           seen {}, falsely {}; speed {} pictures a second",
        share(total.hand_recall),
        share(total.hand_false_positive),
        number(total.pictures_per_second, 1)
    );
    out
}

fn bad_pictures(row: &Row<SequenceScore>) -> String {
    let bad = &row.score.bad_pictures;
    if let Some(why) = &row.error {
        return format!(
            "! {}\n    failed, all of it counts as wrong: {why}\n",
            row.open
        );
    }
    if bad.is_empty() {
        return String::new();
    }
    let mut worst: Vec<_> = bad.iter().collect();
    worst.sort_by_key(|b| std::cmp::Reverse(b.wrong_squares.len()));
    let mut out = format!("! {}\n", row.open);
    for picture in worst.iter().take(LISTED_PICTURES) {
        let mut what = Vec::new();
        if let Some(first) = picture.wrong_squares.first() {
            what.push(format!(
                "{} squares wrong, as {first}",
                picture.wrong_squares.len()
            ));
        }
        if let Some((label, tracked)) = picture.ply {
            let tracked = tracked.map_or("nowhere".to_owned(), |p| p.to_string());
            what.push(format!("ply {label} tracked at {tracked}"));
        }
        if let Some(claimed) = picture.hand {
            what.push(format!("hand {}", if claimed { "false" } else { "missed" }));
        }
        let _ = writeln!(out, "    {}  {}", picture.file, what.join("; "));
    }
    more(&mut out, worst.len().saturating_sub(LISTED_PICTURES));
    out
}

fn more(out: &mut String, count: usize) {
    if count > 0 {
        let _ = writeln!(out, "    and {count} more: see --json");
    }
}

fn mark(bad: bool) -> String {
    if bad { "!" } else { " " }.to_owned()
}

fn moves(moves: MoveScore) -> String {
    format!("{}/{}", moves.edit_distance, moves.labelled)
}

fn games(moves: MoveScore) -> String {
    format!(
        "games exact {}, edit distance {} of {} moves",
        share(moves.exact),
        moves.edit_distance,
        moves.labelled
    )
}

fn counts(time: &TimeScore) -> String {
    let c = time.counts;
    format!("{}/{}/{}", c.tp, c.fp, c.missed)
}

fn share(share: Share) -> String {
    format!("{}/{} {}", share.part, share.of, number(share.rate(), 3))
}

fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".to_owned(), |v| format!("{v:.decimals$}"))
}

/// Lines of cells, each column as wide as its widest cell.
fn columns(lines: &[Vec<String>]) -> String {
    let count = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let mut out = String::new();
    for line in lines {
        let cells = line.iter().zip(&widths);
        let padded: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        let _ = writeln!(out, "{}", padded.join("  ").trim_end());
    }
    out
}
