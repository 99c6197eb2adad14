//! A clip: the frames of a span of time as a video, one for one, with a sidecar that tells when each
//! was captured, and at which frame each thing happened.

use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use super::{Bundle, BundleError, Writer, utc, words};
use crate::{
    record::Contact,
    station::{
        Common,
        footage::{self, Kept},
        footage_folder,
        store::{games::StoredMove, incidents::StoredIncident},
        video::{self, Purpose},
    },
};

/// Longest clip at once, milliseconds.
pub const LONGEST_MS: f64 = 600_000.0;
/// The nearest frame to an event is its frame if it is as near as this, milliseconds.
const NEAR_MS: f64 = 500.0;

/// Something that happened, and at which frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Event {
    /// `touch`, `lift`, `place`, `release`, `move` or `incident`.
    what: &'static str,
    /// When, milliseconds since 1970.
    t_ms: f64,
    /// Running number of the nearest frame, from 0; none when there is none near.
    frame: Option<usize>,
    /// The rest.
    of: Value,
}

/// A frame of the clip.
#[derive(Debug, Serialize)]
struct Frame {
    /// Running number, from 0.
    frame: usize,
    /// Capture time, milliseconds since 1970.
    t_ms: f64,
}

/// What lies beside a clip.
#[derive(Debug, Serialize)]
pub(super) struct Sidecar {
    /// What the numbers mean.
    note: &'static str,
    /// The video's file.
    video: &'static str,
    /// When the first frame was captured, UTC.
    begins: String,
    frames: Vec<Frame>,
    events: Vec<Event>,
}

impl Sidecar {
    pub(super) fn new(frames: &[Kept], mut events: Vec<Event>) -> Self {
        let times: Vec<f64> = frames.iter().map(|k| k.t_ms).collect();
        for event in &mut events {
            event.frame = nearest(&times, event.t_ms);
        }
        events.sort_by(|a, b| a.t_ms.total_cmp(&b.t_ms));
        Self {
            note: "frames are numbered from 0, as they follow each other in the video; \
                   times are milliseconds since 1970-01-01 UTC by the station's clock",
            video: "clip.mp4",
            begins: utc(times.first().copied().unwrap_or_default()),
            frames: times
                .into_iter()
                .enumerate()
                .map(|(frame, t_ms)| Frame { frame, t_ms })
                .collect(),
            events,
        }
    }
}

/// Number of the frame that was captured nearest to a time.
pub(super) fn nearest(times: &[f64], t_ms: f64) -> Option<usize> {
    let after = times.partition_point(|t| *t < t_ms);
    let around = after.saturating_sub(1)..(after + 1).min(times.len());
    let away = |k: &usize| times.get(*k).map_or(f64::INFINITY, |t| (t - t_ms).abs());
    around
        .min_by(|a, b| away(a).total_cmp(&away(b)))
        .filter(|k| away(k) <= NEAR_MS)
}

/// The moments of a contact.
pub(super) fn contact_events(contact: &Contact) -> Vec<Event> {
    let moments = [
        ("touch", Some(contact.touch_ms)),
        ("lift", contact.lift_ms),
        ("place", contact.place_ms),
        ("release", Some(contact.release_ms)),
    ];
    let of = json!({"contact": contact.id, "player": contact.player, "square": contact.square,
        "piece": contact.piece, "to": contact.to, "probability": contact.probability});
    let event = |(what, t_ms): (&'static str, Option<f64>)| {
        Some(Event {
            what,
            t_ms: t_ms?,
            frame: None,
            of: of.clone(),
        })
    };
    moments.into_iter().filter_map(event).collect()
}

pub(super) fn incident_events(incident: &StoredIncident) -> Vec<Event> {
    let mut events: Vec<Event> = incident.contacts.iter().flat_map(contact_events).collect();
    events.push(Event {
        what: "incident",
        t_ms: incident.at_ms,
        frame: None,
        of: json!({"incident": incident.id, "kind": incident.kind, "player": incident.player,
            "article": incident.article, "played": incident.played,
            "probability": incident.probability, "contact": incident.contact}),
    });
    events
}

pub(super) fn move_event(played: &StoredMove) -> Event {
    Event {
        what: "move",
        t_ms: played.made_ms,
        frame: None,
        of: json!({"ply": played.ply, "uci": played.uci, "san": played.san, "legal": played.legal,
            "fen": played.fen}),
    }
}

/// Makes the video of some frames and puts it into a bundle, with its sidecar.
pub(super) fn add_clip(
    writer: &mut Writer,
    data: &Path,
    frames: &[Kept],
    events: Vec<Event>,
) -> Result<(), BundleError> {
    let folder = tempfile::Builder::new()
        .prefix("clip-")
        .tempdir_in(data)
        .map_err(|source| BundleError::Io {
            path: data.to_owned(),
            source,
        })?;
    let path = folder.path().join("clip.mp4");
    video::encode(footage::pictures(frames), &path, Purpose::Showing)?;
    writer.add_file("clip.mp4", &path)?;
    writer.add_json("clip.json", &Sidecar::new(frames, events))
}

/// A bundle of everything that a board's camera saw between two times, both included, milliseconds
/// since 1970.
///
/// # Errors
/// [`BundleError::Refused`] for a span that is none or too long; [`BundleError::Video`] when there
/// are no frames of it.
pub fn export_clip(
    common: &Common,
    board: (i64, &str),
    (from_ms, to_ms): (f64, f64),
    who: &str,
) -> Result<Bundle, BundleError> {
    // Not a number is neither.
    if !(0.0..=LONGEST_MS).contains(&(to_ms - from_ms)) {
        return Err(BundleError::Refused(
            "a clip ends after it begins, and is at most ten minutes long",
        ));
    }
    let frames = footage::frames(&footage_folder(&common.data, board.0), from_ms, to_ms)?;
    let (moves, incidents) = common.store.happened(board.0, from_ms, to_ms)?;
    let mut events: Vec<Event> = moves.iter().map(move_event).collect();
    events.extend(incidents.iter().flat_map(incident_events));
    let mut writer = Writer::begin(&common.data)?;
    writer.add("README.txt", words::README.as_bytes())?;
    add_clip(&mut writer, &common.data, &frames, events)?;
    let about = format!("board \"{}\", {} to {}", board.1, utc(from_ms), utc(to_ms));
    let name = format!("adoube-board-{}-{from_ms:.0}.zip", board.0);
    writer.seal(common, about, who, name)
}
