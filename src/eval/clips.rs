//! Scores one run over a labelled clip.

use serde::{Deserialize, Serialize};

use super::matching::{edit_distance, match_nearest};
use crate::record::{Contact, ContactKind, Incident, Record, Severity};

/// Tolerance of contact times, milliseconds: rendered labels are exact, real ones are not.
const TOLERANCE_RENDERED_MS: f64 = 150.0;
/// See [`TOLERANCE_RENDERED_MS`].
const TOLERANCE_REAL_MS: f64 = 250.0;
/// Tolerance of incident times, milliseconds.
const TOLERANCE_INCIDENT_MS: f64 = 1000.0;

/// Right, wrong and missed detections.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Right.
    pub tp: usize,
    /// Without a truth.
    pub fp: usize,
    /// Missed.
    #[serde(rename = "fn")]
    pub missed: usize,
}

impl Counts {
    /// Adds another's counts.
    pub fn add(&mut self, other: Self) {
        self.tp += other.tp;
        self.fp += other.fp;
        self.missed += other.missed;
    }

    /// 2 tp / (2 tp + fp + fn); 1 when there was nothing to find and nothing was found.
    #[must_use]
    pub fn f1(self) -> f64 {
        let all = 2 * self.tp + self.fp + self.missed;
        if all == 0 {
            1.0
        } else {
            2.0 * self.tp as f64 / all as f64
        }
    }
}

/// A detection without a truth, or a truth without a detection: where to look.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Miss {
    /// `touch`, `lift`, `place`, `release` or `incident`.
    pub what: String,
    /// `false` (found, but not there) or `missed`.
    pub how: String,
    /// When, milliseconds.
    pub ms: f64,
    /// Square and kind, or kind and player.
    pub detail: String,
}

/// The figures of one clip.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ClipScore {
    /// Moves in the labels.
    pub moves: usize,
    /// Edit distance of the move lists.
    pub move_errors: usize,
    /// Times of touch.
    pub touch: Counts,
    /// Times of lift.
    pub lift: Counts,
    /// Times of place.
    pub place: Counts,
    /// Times of release.
    pub release: Counts,
    /// Matched touches of the right kind, and all matched touches.
    pub kind_right: (usize, usize),
    /// Incidents shown to a person (alert and review).
    pub incidents: Counts,
    /// Matched incidents with the right article.
    pub article_right: usize,
    /// Matched incidents with the right set of obliged moves.
    pub obliged_right: usize,
    /// Errors of matched touches and releases, milliseconds.
    pub errors_ms: Vec<f64>,
    /// Length of the clip, hours.
    pub hours: f64,
    /// Largest distance of a found corner from its label, squares.
    pub corner_error_squares: f64,
    /// Speed of the run, frames a second.
    pub frames_per_second: f64,
    /// Where to look.
    pub misses: Vec<Miss>,
}

impl ClipScore {
    /// Whether the move list is exactly right.
    #[must_use]
    pub fn exact(&self) -> bool {
        self.move_errors == 0
    }
}

/// Compares what was found with the labels.
#[must_use]
pub fn score_clip(truth: &Record, found: &Record, frames_per_second: f64) -> ClipScore {
    let uci = |r: &Record| -> Vec<String> { r.moves.iter().map(|m| m.uci.clone()).collect() };
    let mut score = ClipScore {
        moves: truth.moves.len(),
        move_errors: edit_distance(&uci(truth), &uci(found)),
        hours: if truth.fps > 0.0 {
            truth.frames as f64 / truth.fps / 3600.0
        } else {
            0.0
        },
        corner_error_squares: corner_error(truth, found),
        frames_per_second,
        ..ClipScore::default()
    };
    score.touch = contact_times(truth, found, "touch", |c| Some(c.touch_ms), &mut score);
    score.lift = contact_times(truth, found, "lift", |c| c.lift_ms, &mut score);
    score.place = contact_times(truth, found, "place", |c| c.place_ms, &mut score);
    score.release = contact_times(truth, found, "release", |c| Some(c.release_ms), &mut score);
    score.kind_right = kinds(truth, found);
    incidents(truth, found, &mut score);
    score
}

fn corner_error(truth: &Record, found: &Record) -> f64 {
    let t = truth.corners.in_order();
    let unit = (t[0][0] - t[2][0]).hypot(t[0][1] - t[2][1]) / 8.0 / std::f64::consts::SQRT_2;
    t.iter()
        .zip(found.corners.in_order())
        .map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]) / unit.max(1e-9))
        .fold(0.0, f64::max)
}

fn tolerance(truth: &Record) -> f64 {
    if truth.source.as_deref() == Some("real") {
        TOLERANCE_REAL_MS
    } else {
        TOLERANCE_RENDERED_MS
    }
}

/// One kind of time: same square of origin, same kind of contact, near in time.
fn contact_times(
    truth: &Record,
    found: &Record,
    what: &str,
    time: fn(&Contact) -> Option<f64>,
    score: &mut ClipScore,
) -> Counts {
    let rows = |r: &Record| -> Vec<(usize, f64, Contact)> {
        r.contacts
            .iter()
            .enumerate()
            .filter_map(|(i, c)| Some((i, time(c)?, c.clone())))
            .collect()
    };
    let (want, got) = (rows(truth), rows(found));
    let tolerance = tolerance(truth);
    let pairs = match_nearest(&want, &got, |a, b| {
        let same = a.2.square == b.2.square && a.2.kind == b.2.kind;
        let distance = (a.1 - b.1).abs();
        (same && distance <= tolerance).then_some(distance)
    });
    let unsure = |i: usize| {
        truth
            .unsure
            .iter()
            .any(|u| *u == format!("contacts[{i}].{what}_ms"))
    };
    let mut counts = Counts::default();
    for (t, g) in &pairs {
        if !unsure(want[*t].0) {
            counts.tp += 1;
            if matches!(what, "touch" | "release") {
                score.errors_ms.push((want[*t].1 - got[*g].1).abs());
            }
        }
    }
    for (k, row) in want.iter().enumerate() {
        if !pairs.iter().any(|p| p.0 == k) && !unsure(row.0) {
            counts.missed += 1;
            score.misses.push(miss(what, "missed", row));
        }
    }
    for (k, row) in got.iter().enumerate() {
        // A detection of a contact whose time is unsure in the labels is neither right nor wrong.
        let of_unsure = want
            .iter()
            .any(|w| unsure(w.0) && w.2.square == row.2.square && w.2.kind == row.2.kind);
        if !pairs.iter().any(|p| p.1 == k) && !of_unsure {
            counts.fp += 1;
            score.misses.push(miss(what, "false", row));
        }
    }
    counts
}

fn miss(what: &str, how: &str, row: &(usize, f64, Contact)) -> Miss {
    Miss {
        what: what.to_owned(),
        how: how.to_owned(),
        ms: row.1,
        detail: format!(
            "{} {:?}",
            row.2.square.as_deref().unwrap_or("beside the board"),
            row.2.kind
        ),
    }
}

/// Kinds that count as one.
fn group(kind: ContactKind) -> u8 {
    match kind {
        ContactKind::Move
        | ContactKind::CaptureRemoval
        | ContactKind::PromotionRemoval
        | ContactKind::PromotionPlacement => 0,
        ContactKind::Touch => 1,
        ContactKind::Adjust => 2,
        ContactKind::Brush => 3,
    }
}

/// Of the touches that match in square and time, whatever their kind, those of the right group.
fn kinds(truth: &Record, found: &Record) -> (usize, usize) {
    let tolerance = tolerance(truth);
    let pairs = match_nearest(&truth.contacts, &found.contacts, |a, b| {
        let distance = (a.touch_ms - b.touch_ms).abs();
        (a.square == b.square && distance <= tolerance).then_some(distance)
    });
    let right = pairs
        .iter()
        .filter(|(t, g)| group(truth.contacts[*t].kind) == group(found.contacts[*g].kind))
        .count();
    (right, pairs.len())
}

fn incidents(truth: &Record, found: &Record, score: &mut ClipScore) {
    let shown: Vec<&Incident> = found
        .incidents
        .iter()
        .filter(|i| i.severity != Some(Severity::Log))
        .collect();
    let pairs = match_nearest(&truth.incidents, &shown, |a, b| {
        let distance = (a.ms - b.ms).abs();
        (a.kind == b.kind && a.player == b.player && distance <= TOLERANCE_INCIDENT_MS)
            .then_some(distance)
    });
    score.incidents = Counts {
        tp: pairs.len(),
        fp: shown.len() - pairs.len(),
        missed: truth.incidents.len() - pairs.len(),
    };
    for (t, g) in &pairs {
        score.article_right += usize::from(truth.incidents[*t].article == shown[*g].article);
        score.obliged_right += usize::from(truth.incidents[*t].obliged == shown[*g].obliged);
    }
    let row = |how: &str, i: &Incident| Miss {
        what: "incident".to_owned(),
        how: how.to_owned(),
        ms: i.ms,
        detail: format!("{} {:?}", i.kind, i.player),
    };
    let missed = truth
        .incidents
        .iter()
        .enumerate()
        .filter(|(k, _)| !pairs.iter().any(|p| p.0 == *k));
    score.misses.extend(missed.map(|(_, i)| row("missed", i)));
    let wrong = shown
        .iter()
        .enumerate()
        .filter(|(k, _)| !pairs.iter().any(|p| p.1 == *k));
    score.misses.extend(wrong.map(|(_, i)| row("false", i)));
}
