//! Scores what a run found in a clip against the clip's labels.
//!
//! * A **time** (touch, lift, place, release) is right when label and detection have the same
//!   square and the same kind of contact and are at most 150 ms apart (250 ms in real footage).
//!   The square is where the contact takes place at that time: the square of origin for touch and
//!   lift; for place and release the square that the piece ends on, or where it ends on none, the
//!   square of origin.
//! * The **kind** is looked at where touches match by square and time alone; the kinds that carry
//!   a move count as one.
//! * An **incident** is right with the same kind and player, at most 1 s away. Found incidents of
//!   severity `log` are left out.
//!
//! Matching is one-to-one, nearest first. Labels listed as unsure take part in it, but neither
//! they nor the detections that match them are counted.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::{
    counts::{Counts, Share, median},
    events::{Event, How, What},
    matching::{edit_distance, match_nearest},
};
use crate::{
    calibration::view::homography,
    record::{Contact, ContactKind, Incident, Record, Severity},
};

/// Tolerance of contact times in real footage, milliseconds.
const TOLERANCE_REAL_MS: f64 = 250.0;
/// Tolerance of contact times in rendered footage, whose labels are exact, milliseconds.
const TOLERANCE_RENDERED_MS: f64 = 150.0;
/// Tolerance of incident times, milliseconds.
const TOLERANCE_INCIDENT_MS: f64 = 1000.0;

/// The list of moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveScore {
    /// Moves in the labels.
    pub labelled: usize,
    /// Edit distance between the lists of moves in UCI.
    pub edit_distance: usize,
    /// Games without any error, of all games.
    pub exact: Share,
}

impl AddAssign for MoveScore {
    fn add_assign(&mut self, other: Self) {
        self.labelled += other.labelled;
        self.edit_distance += other.edit_distance;
        self.exact += other.exact;
    }
}

/// One of the four times of contacts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeScore {
    /// Right, false and missed.
    #[serde(flatten)]
    pub counts: Counts,
    /// Median distance of the right ones from their labels, milliseconds.
    pub median_error_ms: Option<f64>,
    /// The right ones: found minus labelled, milliseconds, in the order of the labels. Left out of
    /// totals.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub errors_ms: Vec<f64>,
}

impl TimeScore {
    fn new(counts: Counts, errors_ms: Vec<f64>) -> Self {
        let distances: Vec<f64> = errors_ms.iter().map(|e| e.abs()).collect();
        Self {
            counts,
            median_error_ms: median(&distances),
            errors_ms,
        }
    }
}

impl AddAssign<&Self> for TimeScore {
    fn add_assign(&mut self, other: &Self) {
        let mut counts = self.counts;
        counts += other.counts;
        let errors = [&self.errors_ms[..], &other.errors_ms].concat();
        *self = Self::new(counts, errors);
    }
}

/// Incidents shown to a person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IncidentScore {
    /// Right, false and missed.
    #[serde(flatten)]
    pub counts: Counts,
    /// Right ones shown as alerts, of all alerts.
    pub alerts: Share,
    /// Right ones shown for review, of all shown for review.
    pub reviews: Share,
    /// Right ones that name the labelled article.
    pub article: Share,
    /// Right ones with exactly the labelled set of obliged moves.
    pub obliged: Share,
}

impl AddAssign for IncidentScore {
    fn add_assign(&mut self, other: Self) {
        self.counts += other.counts;
        self.alerts += other.alerts;
        self.reviews += other.reviews;
        self.article += other.article;
        self.obliged += other.obliged;
    }
}

/// The figures of one clip.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ClipScore {
    /// The game.
    pub moves: MoveScore,
    /// First contacts.
    pub touch: TimeScore,
    /// Bases leaving the board.
    pub lift: TimeScore,
    /// Bases put on the board.
    pub place: TimeScore,
    /// Last contacts.
    pub release: TimeScore,
    /// Matched touches whose kind is right.
    pub kind: Share,
    /// Incidents.
    pub incidents: IncidentScore,
    /// Frames that were run.
    pub frames: u64,
    /// Footage that was run, hours.
    pub hours: f64,
    /// Largest distance of a found corner from its label in the first frame, squares.
    pub corner_error_squares: Option<f64>,
    /// Speed of the run, frames a second.
    pub frames_per_second: Option<f64>,
    /// Where to look: everything false, missed or wrong, in time order.
    pub events: Vec<Event>,
}

/// Compares what was found in a clip with its labels. `frames_per_second` is left to the caller.
#[must_use]
pub fn score_clip(truth: &Record, found: &Record) -> ClipScore {
    let mut events = Vec::new();
    let mut time = |what, ms, square| times(truth, found, &Edge { what, ms, square }, &mut events);
    let mut score = ClipScore {
        touch: time(What::Touch, |c| Some(c.touch_ms), origin),
        lift: time(What::Lift, |c| c.lift_ms, origin),
        place: time(What::Place, |c| c.place_ms, end),
        release: time(What::Release, |c| Some(c.release_ms), end),
        frames: found.frames,
        hours: hours(truth),
        corner_error_squares: corner_error(truth, found),
        ..ClipScore::default()
    };
    score.moves = moves(truth, found, &mut events);
    score.kind = kinds(truth, found, &mut events);
    score.incidents = incidents(truth, found, &mut events);
    events.sort_by(|a, b| a.ms.total_cmp(&b.ms));
    score.events = events;
    score
}

/// The score of a run that failed: every label missed, no footage run, no game exact.
#[must_use]
pub fn score_failed_clip(truth: &Record) -> ClipScore {
    let nothing = Record {
        contacts: Vec::new(),
        moves: Vec::new(),
        incidents: Vec::new(),
        ..truth.clone()
    };
    let mut score = score_clip(truth, &nothing);
    score.moves.exact.part = 0;
    score.frames = 0;
    score.hours = 0.0;
    score.corner_error_squares = None;
    score
}

fn hours(truth: &Record) -> f64 {
    if truth.fps > 0.0 {
        truth.frames as f64 / truth.fps / 3600.0
    } else {
        0.0
    }
}

/// Measured in the board plane, so that far squares count like near ones, to 0.0001 square; none
/// where the corners are no quadrilateral.
fn corner_error(truth: &Record, found: &Record) -> Option<f64> {
    let board = [[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]];
    let board_from_image = homography(&truth.corners.in_order(), &board)?;
    let distances = board
        .iter()
        .zip(found.corners.in_order())
        .map(|(want, [u, v])| {
            let p = board_from_image * nalgebra::Vector3::new(u, v, 1.0);
            (p.x / p.z - want[0]).hypot(p.y / p.z - want[1])
        });
    let worst = distances.fold(
        0.0,
        |worst: f64, d| if d > worst || d.is_nan() { d } else { worst },
    );
    worst.is_finite().then(|| (worst * 1e4).round() / 1e4)
}

fn moves(truth: &Record, found: &Record, events: &mut Vec<Event>) -> MoveScore {
    let uci =
        |record: &Record| -> Vec<String> { record.moves.iter().map(|m| m.uci.clone()).collect() };
    let (want, got) = (uci(truth), uci(found));
    let edit_distance = edit_distance(&want, &got);
    if edit_distance > 0 {
        let ply = want.iter().zip(&got).take_while(|(a, b)| a == b).count();
        let at = truth.moves.get(ply).or_else(|| found.moves.get(ply));
        let name = |list: &[String]| list.get(ply).map_or_else(|| "nothing".into(), Clone::clone);
        events.push(Event {
            what: What::Move,
            how: How::Wrong,
            ms: at.map_or(0.0, |m| m.made_ms),
            detail: format!("ply {}: {} read as {}", ply + 1, name(&want), name(&got)),
        });
    }
    MoveScore {
        labelled: want.len(),
        edit_distance,
        exact: Share::new(usize::from(edit_distance == 0), 1),
    }
}

/// One of the four times of a contact.
struct Edge {
    what: What,
    ms: fn(&Contact) -> Option<f64>,
    square: fn(&Contact) -> Option<&str>,
}

fn origin(contact: &Contact) -> Option<&str> {
    contact.square.as_deref()
}

fn end(contact: &Contact) -> Option<&str> {
    contact.to.as_deref().or(origin(contact))
}

fn tolerance_ms(truth: &Record) -> f64 {
    if truth.source.as_deref() == Some("real") {
        TOLERANCE_REAL_MS
    } else {
        TOLERANCE_RENDERED_MS
    }
}

/// Whether a label is listed as unsure: the field itself, or the row as a whole.
fn unsure(truth: &Record, row: &str, field: &str) -> bool {
    truth
        .unsure
        .iter()
        .any(|u| u == row || u.strip_prefix(row).and_then(|u| u.strip_prefix('.')) == Some(field))
}

fn times(truth: &Record, found: &Record, edge: &Edge, events: &mut Vec<Event>) -> TimeScore {
    let rows = |record: &Record| -> Vec<(usize, f64, Contact)> {
        let timed = |(i, c): (usize, &Contact)| Some((i, (edge.ms)(c)?, c.clone()));
        record
            .contacts
            .iter()
            .enumerate()
            .filter_map(timed)
            .collect()
    };
    let (want, got) = (rows(truth), rows(found));
    let tolerance = tolerance_ms(truth);
    let matching = match_nearest(&want, &got, |(_, a_ms, a), (_, b_ms, b)| {
        let distance = (a_ms - b_ms).abs();
        let same = (edge.square)(a) == (edge.square)(b) && a.kind == b.kind;
        (same && distance <= tolerance).then_some(distance)
    });
    let field = format!("{}_ms", edge.what.name());
    let sure = |k: &usize| !unsure(truth, &format!("contacts[{}]", want[*k].0), &field);
    let mut note = |how, (_, ms, contact): &(usize, f64, Contact)| {
        let square = (edge.square)(contact);
        events.push(Event::of_contact(edge.what, how, *ms, contact, square));
    };
    let missed: Vec<usize> = matching
        .only_a
        .iter()
        .copied()
        .filter(|k| sure(k))
        .collect();
    missed.iter().for_each(|k| note(How::Missed, &want[*k]));
    matching
        .only_b
        .iter()
        .for_each(|k| note(How::False, &got[*k]));
    let errors: Vec<f64> = matching
        .pairs
        .iter()
        .filter(|(t, _)| sure(t))
        .map(|(t, g)| got[*g].1 - want[*t].1)
        .collect();
    let counts = Counts {
        tp: errors.len(),
        fp: matching.only_b.len(),
        missed: missed.len(),
    };
    TimeScore::new(counts, errors)
}

/// Kinds that count as one.
fn group(kind: ContactKind) -> &'static str {
    match kind {
        ContactKind::Move
        | ContactKind::CaptureRemoval
        | ContactKind::PromotionRemoval
        | ContactKind::PromotionPlacement => "a move",
        ContactKind::Touch => "a touch",
        ContactKind::Adjust => "an adjustment",
        ContactKind::Brush => "a brush",
    }
}

fn kinds(truth: &Record, found: &Record, events: &mut Vec<Event>) -> Share {
    let tolerance = tolerance_ms(truth);
    let matching = match_nearest(&truth.contacts, &found.contacts, |a, b| {
        let distance = (a.touch_ms - b.touch_ms).abs();
        (a.square == b.square && distance <= tolerance).then_some(distance)
    });
    let mut share = Share::default();
    for (t, g) in matching.pairs {
        let row = format!("contacts[{t}]");
        if unsure(truth, &row, "touch_ms") || unsure(truth, &row, "kind") {
            continue;
        }
        let (want, got) = (&truth.contacts[t], &found.contacts[g]);
        let right = group(want.kind) == group(got.kind);
        share.note(right);
        if !right {
            let square = want.square.as_deref();
            let mut event = Event::of_contact(What::Kind, How::Wrong, want.touch_ms, want, square);
            event.detail += &format!(" taken for {}", group(got.kind));
            events.push(event);
        }
    }
    share
}

fn incidents(truth: &Record, found: &Record, events: &mut Vec<Event>) -> IncidentScore {
    let shown: Vec<&Incident> = found
        .incidents
        .iter()
        .filter(|i| i.severity != Some(Severity::Log))
        .collect();
    let matching = match_nearest(&truth.incidents, &shown, |a, b| {
        let distance = (a.ms - b.ms).abs();
        let same = a.kind == b.kind && a.player == b.player;
        (same && distance <= TOLERANCE_INCIDENT_MS).then_some(distance)
    });
    let sure = |k: &usize| !unsure(truth, &format!("incidents[{k}]"), "ms");
    let mut score = IncidentScore::default();
    for (t, g) in matching.pairs.iter().filter(|(t, _)| sure(t)) {
        let (want, got) = (&truth.incidents[*t], shown[*g]);
        score.counts.tp += 1;
        score.shown(got).note(true);
        let article = want.article == got.article;
        score.article.note(article);
        if !article {
            events.push(Event::of_incident(
                How::Wrong,
                want,
                &format!("article {} given as {}", want.article, got.article),
            ));
        }
        let obliged = sorted(&want.obliged) == sorted(&got.obliged);
        score.obliged.note(obliged);
        if !obliged {
            events.push(Event::of_incident(
                How::Wrong,
                want,
                &format!("obliged {:?} given as {:?}", want.obliged, got.obliged),
            ));
        }
    }
    for want in matching.only_a.iter().filter(|k| sure(k)) {
        score.counts.missed += 1;
        events.push(Event::of_incident(How::Missed, &truth.incidents[*want], ""));
    }
    for got in &matching.only_b {
        score.counts.fp += 1;
        score.shown(shown[*got]).note(false);
        events.push(Event::of_incident(How::False, shown[*got], ""));
    }
    score
}

impl IncidentScore {
    /// Where an incident of this severity is counted; one without severity is an alert.
    fn shown(&mut self, incident: &Incident) -> &mut Share {
        match incident.severity {
            Some(Severity::Review) => &mut self.reviews,
            _ => &mut self.alerts,
        }
    }
}

fn sorted(moves: &[String]) -> Vec<&String> {
    let mut moves: Vec<&String> = moves.iter().collect();
    moves.sort();
    moves.dedup();
    moves
}
