//! The texts of a bundle, in both languages.

use std::fmt::Write;

use super::utc;
use crate::{
    record::Player,
    rules::Language,
    station::{
        explain,
        store::{
            evidence::Given,
            incidents::{Ruling, StoredIncident},
        },
    },
};

/// What is what in a bundle, and how it is checked.
pub(super) const README: &str = "\
Adoube: evidence from an arbiter's station
==========================================

clip.mp4             every frame, one for one, at its capture time
clip.json            when each frame was captured, and at which frame each thing happened
frames/              the same frames as they were captured, numbered as in the clip
stills/              the frames of the touch, the release and the move
explanation.en.txt   what the program says of it, by which article, and the rulings
incident.json        the same and more, for programs: position, contacts, game
log.json             the rows of the station's log that speak of it
manifest.json        every file with its SHA-256; manifest.sig signs it (Ed25519)

Check it with: adoube verify THIS.zip --key KEY
KEY is the station's public key as it was noted outside the station. Without it the
check can only tell that nothing was changed since somebody signed it.
The program points, the arbiter decides.


Adoube: Beweis aus der Station eines Schiedsrichters
====================================================

clip.mp4             jedes Bild, eins zu eins, zu seiner Aufnahmezeit
clip.json            wann jedes Bild aufgenommen wurde und bei welchem Bild was geschah
frames/              dieselben Bilder, wie sie aufgenommen wurden, gezählt wie im Clip
stills/              die Bilder der Berührung, des Loslassens und des Zuges
explanation.de.txt   was das Programm dazu sagt, nach welchem Artikel, und die Entscheidungen
incident.json        dasselbe und mehr, für Programme: Stellung, Berührungen, Partie
log.json             die Zeilen des Protokolls der Station, die davon sprechen
manifest.json        jede Datei mit ihrem SHA-256; manifest.sig unterschreibt sie (Ed25519)

Geprüft wird mit: adoube verify DIESE.zip --key SCHLÜSSEL
SCHLÜSSEL ist der öffentliche Schlüssel der Station, wie er außerhalb von ihr notiert wurde.
Ohne ihn kann die Prüfung nur sagen, dass seit der Unterschrift nichts geändert wurde.
Das Programm zeigt, der Schiedsrichter entscheidet.
";

/// Labels of one language.
struct Words {
    incident: &'static str,
    article: &'static str,
    players: [&'static str; 2],
    seen: &'static str,
    sure: [&'static str; 2],
    position: &'static str,
    allowed: &'static str,
    nothing: &'static str,
    played: &'static str,
    why: &'static str,
    rulings: &'static str,
    none: &'static str,
    ruling: [&'static str; 3],
    taken_back: &'static str,
    by: &'static str,
    withdrawn: &'static str,
}

const ENGLISH: Words = Words {
    incident: "Incident",
    article: "Article",
    players: ["White", "Black"],
    seen: "Seen",
    sure: ["Seen as ", " % sure"],
    position: "Position before",
    allowed: "Allowed were",
    nothing: "nothing particular was due",
    played: "Played",
    why: "Why",
    rulings: "Rulings",
    none: "none yet",
    ruling: ["upheld", "dismissed", "unclear"],
    taken_back: "taken back",
    by: "by",
    withdrawn: "Withdrawn: the move turned out to be another one.",
};

const GERMAN: Words = Words {
    incident: "Vorfall",
    article: "Artikel",
    players: ["Weiß", "Schwarz"],
    seen: "Gesehen",
    sure: ["Zu ", " % sicher gesehen"],
    position: "Stellung davor",
    allowed: "Erlaubt waren",
    nothing: "nichts Bestimmtes war geboten",
    played: "Gespielt",
    why: "Warum",
    rulings: "Entscheidungen",
    none: "noch keine",
    ruling: ["bestätigt", "verworfen", "unklar"],
    taken_back: "zurückgenommen",
    by: "durch",
    withdrawn: "Zurückgezogen: der Zug war ein anderer.",
};

/// What is said of an incident, as a page of plain text.
pub(super) fn explanation(
    incident: &StoredIncident,
    rulings: &[Given],
    language: Language,
) -> String {
    let words = match language {
        Language::German => &GERMAN,
        _ => &ENGLISH,
    };
    let player = match incident.player {
        Player::White => words.players[0],
        Player::Black => words.players[1],
    };
    let allowed = explain::allowed(incident);
    let allowed = match allowed.is_empty() {
        true => words.nothing.to_owned(),
        false => allowed.join(", "),
    };
    let mut text = String::new();
    let mut line = |label: &str, what: &str| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{label}: {what}");
    };
    line(
        words.incident,
        &format!("{}, {}, {player}", incident.id, incident.board),
    );
    line(
        words.article,
        &format!("{} ({})", incident.article, incident.laws),
    );
    line(words.seen, &utc(incident.at_ms));
    line(words.position, &incident.fen);
    line(words.allowed, &allowed);
    line(words.played, &incident.played);
    let percent = incident.probability * 100.0;
    let _ = writeln!(text, "{}{percent:.0}{}", words.sure[0], words.sure[1]);
    let _ = writeln!(text, "{}:", words.why);
    let facts = explain::explanation(incident, language);
    for fact in facts.iter().chain(&explain::standing(incident, language)) {
        let _ = writeln!(text, "  - {fact}");
    }
    if incident.withdrawn {
        let _ = writeln!(text, "{}", words.withdrawn);
    }
    let _ = writeln!(text, "{}:", words.rulings);
    if rulings.is_empty() {
        let _ = writeln!(text, "  - {}", words.none);
    }
    for given in rulings {
        let what = match given.ruling {
            Some(Ruling::Upheld) => words.ruling[0],
            Some(Ruling::Dismissed) => words.ruling[1],
            Some(Ruling::Unclear) => words.ruling[2],
            None => words.taken_back,
        };
        let when = utc(given.at_ms);
        let _ = writeln!(text, "  - {when}: {what} {} {}", words.by, given.who);
        if !given.note.is_empty() {
            let _ = writeln!(text, "    {}", given.note.replace('\n', "\n    "));
        }
    }
    text
}
