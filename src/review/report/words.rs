//! Every text of the report, in one place. The program suggests; it never calls anyone guilty.

use super::{Findings, plies::move_of};
use crate::{
    broadcast::pgn::GameHeader,
    record::{Contact, ContactKind, HandSide, Incident, Player, Record, Severity},
    review::comparison::{Comparison, Difference},
};

/// Under the summary.
pub const SUGGESTS: &str = "The program suggests, the arbiter decides.";
/// Above the game.
pub const GAME: &str = "The game";
/// Below the board.
pub const GAME_HELP: &str =
    "Step with the arrow keys or click a move. A ring marks a piece that was touched and left.";
/// Above the comparison with the PGN.
pub const COMPARISON: &str = "Compared with the PGN";
/// Where nothing differs.
pub const SAME_MOVES: &str = "The moves found are those of the PGN.";
/// Above the timeline.
pub const TIME: &str = "Contacts in time";
/// Below the timeline's heading.
pub const TIME_HELP: &str = "Each bar is a hand on a piece, from touch to release; its solid part is the piece in the air, from lift to place. Paler bars are less sure. Quiet stretches are shortened.";
/// Below the timeline, until a bar is pointed at.
pub const POINT: &str =
    "Point at a bar to read about it. Zoom with the buttons, or with Ctrl and the wheel.";
/// Above the incidents.
pub const INCIDENTS: &str = "Incidents";
/// Where there is none.
pub const NO_INCIDENT: &str = "No incident was found.";
/// Above the findings that are too unlikely to show unasked.
pub const LOGGED: &str = "Unlikely findings, kept for the log";
/// Above the table of contacts.
pub const CONTACTS: &str = "All contacts";
/// Where there is none.
pub const NO_CONTACT: &str = "No contact was found.";
/// Above the doubts.
pub const DOUBTS: &str = "Good to know";
/// Where there was no sound.
pub const DEAF: &str = "Nobody listened: whether an adjustment was announced is not known.";

/// Where there was sound.
pub fn listened(announcements: usize) -> String {
    format!(
        "The program listened and heard {}. It may miss a whisper, and who spoke is not known to it.",
        plural(announcements, "announcement")
    )
}
/// On paper only.
pub const RULING: &str = "Ruling:\u{2003}\u{2610} upheld\u{2003}\u{2610} dismissed\u{2003}\u{2610} unclear\u{2003}\u{2003}Arbiter: ______________________";

/// `1 move`, `2 moves`.
pub fn plural(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// White or Black.
pub fn player(player: Player) -> &'static str {
    match player {
        Player::White => "White",
        Player::Black => "Black",
    }
}

/// A piece by its FEN letter.
pub fn piece(letter: &str) -> &'static str {
    match letter.to_ascii_lowercase().as_str() {
        "p" => "pawn",
        "n" => "knight",
        "b" => "bishop",
        "r" => "rook",
        "q" => "queen",
        "k" => "king",
        _ => "piece",
    }
}

/// What a contact was.
pub fn kind(kind: ContactKind) -> &'static str {
    match kind {
        ContactKind::Move => "moved",
        ContactKind::CaptureRemoval => "captured, taken off",
        ContactKind::Touch => "touched and left",
        ContactKind::Adjust => "adjusted",
        ContactKind::Brush => "brushed",
        ContactKind::PromotionRemoval => "promoting pawn taken off",
        ContactKind::PromotionPlacement => "new piece put on",
    }
}

/// Minutes, seconds and tenths; hours where there are any.
pub fn clock(ms: f64) -> String {
    let tenths = (ms / 100.0).round().max(0.0) as u64;
    let (minutes, seconds, tenth) = (tenths / 600, tenths / 10 % 60, tenths % 10);
    if minutes >= 60 {
        format!("{}:{:02}:{seconds:02}.{tenth}", minutes / 60, minutes % 60)
    } else {
        format!("{minutes}:{seconds:02}.{tenth}")
    }
}

/// A length of time in words: `12 s`, `4 min`, `1 h 20 min`.
pub fn span(ms: f64) -> String {
    let seconds = (ms / 1000.0).round().max(0.0) as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", (seconds + 30) / 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// A probability in words.
pub fn sureness(p: f64) -> &'static str {
    match p {
        p if p >= 0.95 => "almost certain",
        p if p >= 0.8 => "very likely",
        p if p >= 0.6 => "likely",
        p if p >= 0.4 => "could be either",
        p if p >= 0.2 => "doubtful",
        _ => "unlikely",
    }
}

/// Class and name of a severity; a label without one counts as an alert.
pub fn severity(severity: Option<Severity>) -> (&'static str, &'static str) {
    match severity {
        Some(Severity::Alert) | None => ("alert", "Alert"),
        Some(Severity::Review) => ("review", "Please look"),
        Some(Severity::Log) => ("log", "Log"),
    }
}

/// A kind of incident, as a name.
pub fn incident_kind(kind: &str) -> String {
    match kind {
        "touch_move" => "Touch-move".to_owned(),
        "illegal_move" => "Illegal move".to_owned(),
        "two_hands" => "Two hands".to_owned(),
        "move_changed_after_release" => "Move changed after release".to_owned(),
        "castling_rook_first" => "Castling, rook first".to_owned(),
        "adjust_without_notice" => "Adjusting without notice".to_owned(),
        "adjust_out_of_turn" => "Adjusting out of turn".to_owned(),
        "touch_by_opponent" => "Touch without having the move".to_owned(),
        other => other.replace('_', " "),
    }
}

/// Whether a kind of incident has nothing to do with the move that was played.
pub fn apart_from_the_move(kind: &str) -> bool {
    matches!(
        kind,
        "touch_by_opponent" | "adjust_out_of_turn" | "adjust_without_notice"
    )
}

/// What the Laws ask for, in our own words.
pub fn rule(kind: &str) -> &'static str {
    match kind {
        "touch_move" => {
            "Whoever has the move and touches a piece meaning to move or capture it must do so, if there is a legal move for it."
        }
        "illegal_move" => "Only legal moves may be left on the board.",
        "two_hands" => "Each move must be made with one hand only.",
        "move_changed_after_release" => {
            "A piece let go on a square where its move is legal stays there for this move."
        }
        "castling_rook_first" => {
            "Who touches the rook before the king may not castle on that side with this move; the rook must move."
        }
        "adjust_without_notice" => "Pieces may be put right only after saying so first.",
        "adjust_out_of_turn" => "Only the player who has the move may put pieces right.",
        "touch_by_opponent" => "Who does not have the move leaves the pieces alone.",
        _ => "",
    }
}

/// The contact an incident hangs on.
pub fn cause<'a>(record: &'a Record, incident: &Incident) -> Option<&'a Contact> {
    let id = incident.contact?;
    record.contacts.iter().find(|c| c.id == id)
}

/// An incident in one phrase.
pub fn headline(record: &Record, incident: &Incident) -> String {
    let who = player(incident.player);
    let what = cause(record, incident).map_or_else(|| "a piece".to_owned(), thing);
    let played = move_of(record, incident)
        .and_then(|i| record.moves.get(i))
        .map_or("another move", |m| m.san.as_str());
    match incident.kind.as_str() {
        "touch_move" => format!("{who} touched {what} and played {played}"),
        "two_hands" => format!("{who} used both hands"),
        "move_changed_after_release" => {
            format!("{who} let go of {what}, then changed the move to {played}")
        }
        "castling_rook_first" => format!("{who} touched {what} first and played {played}"),
        "adjust_without_notice" => format!("{who} adjusted {what}; no notice is known"),
        "adjust_out_of_turn" => format!("{who} adjusted {what} without having the move"),
        "touch_by_opponent" => format!("{who} touched {what} without having the move"),
        "illegal_move" => format!("{who} played {played}, which is not legal"),
        other => format!("{who}: {}", other.replace('_', " ")),
    }
}

/// A touched piece with its place: `the knight on b1`.
pub fn thing(contact: &Contact) -> String {
    match &contact.square {
        Some(square) => format!("the {} on {square}", piece(&contact.piece)),
        None => format!("a {} beside the board", piece(&contact.piece)),
    }
}

/// A contact in one sentence, with its times.
pub fn contact(contact: &Contact) -> String {
    let hand = match contact.hand {
        Some(HandSide::Left) => "left hand",
        Some(HandSide::Right) => "right hand",
        None => "hand",
    };
    let way = match (&contact.square, &contact.to) {
        (Some(from), Some(to)) if from != to => format!(" to {to}"),
        (None, Some(to)) => format!(" on {to}"),
        _ => String::new(),
    };
    let mut text = format!(
        "{}\u{2019}s {hand}: {}, {}{way}. Touch {}",
        player(contact.player),
        thing(contact),
        kind(contact.kind),
        clock(contact.touch_ms)
    );
    let times = [("lift", contact.lift_ms), ("place", contact.place_ms)];
    for (name, ms) in times {
        if let Some(ms) = ms {
            text += &format!(", {name} {}", clock(ms));
        }
    }
    text += &format!(", release {}", clock(contact.release_ms));
    if let Some(p) = contact.probability {
        text += &format!("; {} ({:.0} %)", sureness(p), 100.0 * p);
    }
    text + "."
}

/// What a tag says, if it says anything.
fn known(value: &str) -> Option<&str> {
    let unknown = value.chars().all(|c| matches!(c, '?' | '.' | '-' | ' '));
    (!unknown).then_some(value)
}

/// What the page is about: the players where they are known, else the recording.
pub fn title(findings: &Findings) -> String {
    let players = findings.organiser.map(|o| &o.header).and_then(|header| {
        let (white, black) = (known(&header.white), known(&header.black));
        (white.or(black).is_some()).then(|| {
            let name = |n: Option<&str>| n.unwrap_or("?").to_owned();
            format!("{} \u{2013} {}", name(white), name(black))
        })
    });
    players.unwrap_or_else(|| findings.video_name.to_owned())
}

/// Event, round, date and result, where they are known, and the recording.
pub fn event(findings: &Findings) -> String {
    let Some(GameHeader {
        event,
        site,
        date,
        round,
        result,
        ..
    }) = findings.organiser.map(|o| &o.header)
    else {
        return String::new();
    };
    let facts: Vec<String> = [
        known(event).map(str::to_owned),
        known(site).map(str::to_owned),
        known(round).map(|r| format!("round {r}")),
        known(date).map(str::to_owned),
        result.clone(),
        Some(findings.video_name.to_owned()),
    ]
    .into_iter()
    .flatten()
    .map(|fact| escape(&fact))
    .collect();
    format!("<p class=\"soft\">{}</p>", facts.join(" \u{b7} "))
}

/// Each difference between the moves found and the PGN, in one sentence.
pub fn differences(comparison: &Comparison) -> Vec<String> {
    let groups = comparison.grouped();
    groups.into_iter().filter_map(difference).collect()
}

/// One difference, or several missing moves in a row.
fn difference(group: &[Difference]) -> Option<String> {
    let (first, last) = (group.first()?, group.last()?);
    let at = clock(first.ms);
    Some(match (&first.pgn, &first.found, &last.pgn) {
        (Some(pgn), Some(found), _) => {
            format!("{at}: {} was found, the PGN has {}", found.name, pgn.name)
        }
        (None, Some(found), _) => {
            format!("{at}: {} was found, the PGN does not have it", found.name)
        }
        (Some(pgn), None, Some(end)) if group.len() > 1 => format!(
            "after {at}: {} to {} of the PGN ({}) were not found",
            pgn.name,
            end.name,
            plural(group.len(), "move")
        ),
        (Some(pgn), None, _) => format!("after {at}: {} of the PGN was not found", pgn.name),
        (None, None, _) => return None,
    })
}

/// The whole record in one sentence.
pub fn summary(record: &Record) -> String {
    let shown: Vec<&Incident> = shown(record).map(|(_, i)| i).collect();
    let incidents = match shown.as_slice() {
        [] => "no incident".to_owned(),
        [one] => format!("1 incident: {}", headline(record, one)),
        all => plural(all.len(), "incident"),
    };
    format!("{}, {incidents}.", plural(record.moves.len(), "move"))
}

/// The incidents that are shown unasked, with their index in the record.
pub fn shown(record: &Record) -> impl Iterator<Item = (usize, &Incident)> {
    let all = record.incidents.iter().enumerate();
    all.filter(|(_, i)| i.severity != Some(Severity::Log))
}

/// Text for HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
