//! The bundle of an incident: clip, frames as they were captured, stills, events, what the rules say
//! of it, the position, the rulings, and the rows of the log.

use serde::Serialize;

use super::{
    Bundle, BundleError, Writer,
    clip::{self, add_clip, incident_events, move_event},
    words,
};
use crate::{
    rules::Language,
    station::{
        Common, evidence, explain,
        footage::{Kept, pictures},
        store::{evidence::Given, games::Game, incidents::StoredIncident},
    },
};

/// `incident.json`.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    incident: &'a StoredIncident,
    /// Why, in both languages.
    explanation: [Vec<String>; 2],
    /// Who may raise it, and until when, in both languages.
    standing: [Option<String>; 2],
    /// Moves that were allowed, SAN.
    allowed: Vec<String>,
    played_uci: Option<String>,
    /// The game, with all its moves.
    game: Game,
    /// Every ruling, oldest first; one without a ruling takes the last back.
    rulings: Vec<Given>,
}

const LANGUAGES: [Language; 2] = [Language::English, Language::German];

/// The bundle of an incident.
///
/// # Errors
/// [`BundleError`].
pub fn export_incident(common: &Common, id: i64, who: &str) -> Result<Bundle, BundleError> {
    let incident = common.store.incident(id)?;
    let board = common.store.board_of(id)?;
    let frames = evidence::frames(common, board, &incident)?;
    let told = Told {
        explanation: LANGUAGES.map(|l| explain::explanation(&incident, l)),
        standing: LANGUAGES.map(|l| explain::standing(&incident, l)),
        allowed: explain::allowed(&incident),
        played_uci: explain::played_uci(&incident),
        game: common.store.game_of(id)?,
        rulings: common.store.rulings(id)?,
        incident: &incident,
    };
    let mut writer = Writer::begin(&common.data)?;
    writer.add("README.txt", words::README.as_bytes())?;
    for (language, name) in LANGUAGES.into_iter().zip(["en", "de"]) {
        let text = words::explanation(&incident, &told.rulings, language);
        writer.add(&format!("explanation.{name}.txt"), text.as_bytes())?;
    }
    if !frames.is_empty() {
        let mut events = incident_events(&incident);
        let played = told.game.moves.iter().filter(|m| m.ply == incident.ply);
        events.extend(played.map(move_event));
        add_clip(&mut writer, &common.data, &frames, events)?;
        add_frames(&mut writer, &incident, &frames)?;
    }
    writer.add_json("incident.json", &told)?;
    writer.add_json("log.json", &common.store.log_of(id)?)?;
    let about = format!("incident {id}, board \"{}\"", incident.board);
    let name = format!("adoube-incident-{id}.zip");
    writer.seal(common, about, who, name)
}

/// Every frame as it was captured, and those that show the touch, the release and the move once more
/// by these names.
fn add_frames(
    writer: &mut Writer,
    incident: &StoredIncident,
    frames: &[Kept],
) -> Result<(), BundleError> {
    for (number, picture) in pictures(frames).enumerate() {
        let (_, jpeg) = picture?;
        writer.add(&format!("frames/{number:05}.jpg"), &jpeg[..])?;
    }
    let times: Vec<f64> = frames.iter().map(|k| k.t_ms).collect();
    let mut contacts = incident.contacts.iter();
    let contact = contacts.find(|c| Some(c.id) == incident.contact);
    let moments = [
        ("1-touch", contact.map(|c| c.touch_ms)),
        ("2-release", contact.map(|c| c.release_ms)),
        ("3-move", Some(incident.at_ms)),
    ];
    for (name, t_ms) in moments {
        let near = t_ms.and_then(|t_ms| clip::nearest(&times, t_ms));
        if let Some(frame) = near.and_then(|k| frames.get(k)) {
            writer.add(&format!("stills/{name}.jpg"), &frame.read()?[..])?;
        }
    }
    Ok(())
}
