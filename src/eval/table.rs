//! The report as a table for people.

use std::fmt::Write;

use super::{BoardCounts, ClipScore, Counts, Report, Row, SequenceScore};

/// Renders a report.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    if !report.clips.is_empty() {
        clips(&mut out, &report.clips);
    }
    if !report.sequences.is_empty() {
        sequences(&mut out, &report.sequences);
    }
    for (name, why) in &report.unreadable {
        let _ = writeln!(out, "{name}: its labels cannot be read: {why}");
    }
    out
}

fn counts(c: Counts) -> String {
    format!("{}/{}/{}", c.tp, c.fp, c.missed)
}

fn clips(out: &mut String, rows: &[Row<ClipScore>]) {
    let width = rows.iter().map(|r| r.name.len()).max().unwrap_or(4).max(5);
    let _ = writeln!(out, "Clips (right/false/missed)");
    let _ = writeln!(
        out,
        "{:width$}  moves   touch      lift       place      release    kind    incidents  corner   fps",
        "clip"
    );
    let mut total = ClipScore::default();
    for row in rows {
        let _ = writeln!(out, "{}", clip_line(&row.name, width, &row.score));
        if let Some(error) = &row.error {
            let _ = writeln!(out, "{:width$}  failed: {error}", "");
        }
        for miss in &row.score.misses {
            if miss.what == "incident" {
                let _ = writeln!(
                    out,
                    "{:width$}  {} incident at {:.2} s: {}",
                    "",
                    miss.how,
                    miss.ms / 1000.0,
                    miss.detail
                );
            }
        }
        add(&mut total, &row.score);
    }
    total.frames_per_second /= rows.len() as f64;
    let _ = writeln!(out, "{}", clip_line("all", width, &total));
    let exact = rows.iter().filter(|r| r.score.exact()).count();
    total.errors_ms.sort_by(f64::total_cmp);
    let median = total
        .errors_ms
        .get(total.errors_ms.len() / 2)
        .copied()
        .unwrap_or(0.0);
    let shown = total.incidents;
    let _ = writeln!(
        out,
        "games exact {exact}/{}; F1 touch {:.3}, lift {:.3}, place {:.3}, release {:.3}; median error of touch and release {median:.0} ms",
        rows.len(),
        total.touch.f1(),
        total.lift.f1(),
        total.place.f1(),
        total.release.f1()
    );
    let rate = if total.hours > 0.0 {
        shown.fp as f64 / total.hours
    } else {
        0.0
    };
    let _ = writeln!(
        out,
        "incidents: {} right, {} false ({rate:.1} an hour over {:.3} h), {} missed; article right {}/{}, obliged moves right {}/{}\n",
        shown.tp,
        shown.fp,
        total.hours,
        shown.missed,
        total.article_right,
        shown.tp,
        total.obliged_right,
        shown.tp
    );
}

fn clip_line(name: &str, width: usize, s: &ClipScore) -> String {
    let moves = format!("{}/{}", s.moves.saturating_sub(s.move_errors), s.moves);
    let kind = format!("{}/{}", s.kind_right.0, s.kind_right.1);
    format!(
        "{name:width$}  {moves:6}  {:9}  {:9}  {:9}  {:9}  {kind:6}  {:9}  {:.3}  {:6.1}",
        counts(s.touch),
        counts(s.lift),
        counts(s.place),
        counts(s.release),
        counts(s.incidents),
        s.corner_error_squares,
        s.frames_per_second
    )
}

fn add(total: &mut ClipScore, s: &ClipScore) {
    total.moves += s.moves;
    total.move_errors += s.move_errors;
    total.touch.add(s.touch);
    total.lift.add(s.lift);
    total.place.add(s.place);
    total.release.add(s.release);
    total.kind_right = (
        total.kind_right.0 + s.kind_right.0,
        total.kind_right.1 + s.kind_right.1,
    );
    total.incidents.add(s.incidents);
    total.article_right += s.article_right;
    total.obliged_right += s.obliged_right;
    total.errors_ms.extend(&s.errors_ms);
    total.hours += s.hours;
    total.corner_error_squares = total.corner_error_squares.max(s.corner_error_squares);
    total.frames_per_second += s.frames_per_second;
}

fn share(part: usize, whole: usize) -> String {
    let rate = if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    };
    format!("{part}/{whole} ({rate:.4})")
}

fn boards(c: BoardCounts) -> String {
    let squares = 64 * c.pictures;
    format!(
        "squares {}, occupancy {}, colour {}, boards {}",
        share(c.squares, squares),
        share(c.occupancy, squares),
        share(c.colours, squares),
        share(c.boards, c.pictures)
    )
}

fn sequences(out: &mut String, rows: &[Row<SequenceScore>]) {
    let _ = writeln!(out, "Sequences");
    for row in rows {
        let s = &row.score;
        let _ = writeln!(
            out,
            "{}: {} pictures, {:.1} a second",
            row.name, s.all.pictures, s.pictures_per_second
        );
        if let Some(error) = &row.error {
            let _ = writeln!(out, "  failed: {error}");
        }
        let _ = writeln!(out, "  all          {}", boards(s.all));
        let _ = writeln!(out, "  hands away   {}", boards(s.hands_away));
        let _ = writeln!(
            out,
            "  hands        found {}, claimed where none is {}",
            share(s.hands.1, s.hands.0),
            share(s.no_hands.1, s.no_hands.0)
        );
        if s.moves > 0 {
            let _ = writeln!(
                out,
                "  game         edit distance {} of {} moves, plies right {}",
                s.move_errors,
                s.moves,
                share(s.plies.1, s.plies.0)
            );
        }
    }
}
