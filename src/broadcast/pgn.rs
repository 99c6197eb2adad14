//! Writes a game as PGN.
//!
//! * The seven-tag roster comes first, then `SetUp` and `FEN` where the game does not begin at the
//!   start of chess, then `Annotator`.
//! * `%emt` is the time between the releases that made two moves following each other, in whole
//!   seconds. The first move has none: when its player's clock began to run is not seen. Nor is a
//!   `%clk` ever written: no clock was read.
//! * PGN has no way to write an illegal move. From the first one on, the rest of the game stands
//!   in a comment as it was played, and the result is open.
//! * No incident appears unless the caller writes it as a comment: what is for the public is
//!   written by [`write()`], which knows of none.

use shakmaty::{
    Chess, Color, EnPassantMode, Outcome, Position, fen::Fen, san::SanPlus, uci::UciMove,
};

use crate::{
    events::position_from_fen,
    record::{PlayedMove, Record},
};

/// Longest line of movetext: the standard asks for less than 80.
const LINE: usize = 79;

/// The tags that the moves do not tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameHeader {
    /// Name of the tournament.
    pub event: String,
    /// Town and country.
    pub site: String,
    /// `YYYY.MM.DD`, unknown parts as `?`.
    pub date: String,
    /// Round, and board after a dot.
    pub round: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// How it ended, where that is known; else it follows from the moves.
    pub result: Option<String>,
    /// Further tags, by name.
    pub more: Vec<(String, String)>,
}

/// Tags that say how the moves are written, not what was played: each file has its own.
const OWN_TAGS: [&str; 4] = ["SetUp", "FEN", "Annotator", "PlyCount"];

/// Results that end a game.
const DECIDED: [&str; 3] = ["1-0", "0-1", "1/2-1/2"];

impl GameHeader {
    /// Sets a tag by its name. One that the moves tell is passed over.
    pub fn set(&mut self, name: &str, value: String) {
        match name {
            "Event" => self.event = value,
            "Site" => self.site = value,
            "Date" => self.date = value,
            "Round" => self.round = value,
            "White" => self.white = value,
            "Black" => self.black = value,
            "Result" => self.result = Some(value).filter(|r| DECIDED.contains(&r.as_str())),
            _ if OWN_TAGS.contains(&name) => {}
            _ => self.more.push((name.to_owned(), value)),
        }
    }
}

impl Default for GameHeader {
    fn default() -> Self {
        let unknown = || "?".to_owned();
        Self {
            event: unknown(),
            site: unknown(),
            date: "????.??.??".to_owned(),
            round: unknown(),
            white: unknown(),
            black: unknown(),
            result: None,
            more: Vec::new(),
        }
    }
}

/// A move of a game to be written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Entry {
    /// UCI, castling as the king's move.
    pub uci: String,
    /// Whether it was legal.
    pub legal: bool,
    /// The release that made it, where that was seen.
    pub made_ms: Option<f64>,
    /// Comments after it.
    pub comments: Vec<String>,
}

impl From<&PlayedMove> for Entry {
    fn from(played: &PlayedMove) -> Self {
        Self {
            uci: played.uci.clone(),
            legal: played.legal,
            made_ms: Some(played.made_ms),
            comments: Vec::new(),
        }
    }
}

/// The game of a record, ready to be written to a file for the public. See the module for what
/// stands in it.
#[must_use]
pub fn write(record: &Record, header: &GameHeader) -> String {
    let entries: Vec<Entry> = record.moves.iter().map(Entry::from).collect();
    write_game(&record.start_fen, &entries, header)
}

/// A game from a position on.
#[must_use]
pub fn write_game(start_fen: &str, entries: &[Entry], header: &GameHeader) -> String {
    let start = position_from_fen(start_fen).unwrap_or_default();
    let (mut words, end) = movetext(entries, &start);
    let result = match (&header.result, end.map(|position| position.outcome())) {
        (Some(known), _) => known.clone(),
        (None, Some(Outcome::Known(known))) => known.to_string(),
        _ => "*".to_owned(),
    };
    let mut out = String::new();
    for (name, value) in [
        ("Event", header.event.as_str()),
        ("Site", &header.site),
        ("Date", &header.date),
        ("Round", &header.round),
        ("White", &header.white),
        ("Black", &header.black),
        ("Result", &result),
    ] {
        tag(&mut out, name, value);
    }
    if start != Chess::default() {
        tag(&mut out, "SetUp", "1");
        let fen = Fen::from_position(&start, EnPassantMode::Legal);
        tag(&mut out, "FEN", &fen.to_string());
    }
    for (name, value) in &header.more {
        tag(&mut out, name, value);
    }
    tag(
        &mut out,
        "Annotator",
        concat!("Adoube ", env!("CARGO_PKG_VERSION")),
    );
    out.push('\n');
    words.push(result);
    out.push_str(&wrapped(&words));
    out
}

/// One tag pair. A value is one line: line breaks and other control characters become spaces.
fn tag(out: &mut String, name: &str, value: &str) {
    let value: String = value
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    out.push_str(&format!("[{name} \"{value}\"]\n"));
}

/// Words of movetext, and the position at the end; `None` after an illegal move.
fn movetext(entries: &[Entry], start: &Chess) -> (Vec<String>, Option<Chess>) {
    let mut position = start.clone();
    let mut words: Vec<String> = Vec::new();
    let mut before_ms = None;
    for (index, entry) in entries.iter().enumerate() {
        let number = position.fullmoves();
        let lead = match position.turn() {
            Color::White => format!("{number}."),
            Color::Black => format!("{number}..."),
        };
        let uci = entry.uci.parse::<UciMove>().ok();
        let legal = uci
            .filter(|_| entry.legal)
            .and_then(|uci| uci.to_move(&position).ok());
        let Some(m) = legal else {
            words.extend(as_comment(&lead, &entries[index..]));
            let rest = entries[index..].iter().flat_map(|e| &e.comments);
            words.extend(rest.flat_map(|text| comment(text)));
            return (words, None);
        };
        // Black's number is written where a comment or nothing stands before it.
        let apart = words.last().is_none_or(|word| word.ends_with('}'));
        let numbered = position.turn() == Color::White || apart;
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
        words.push(if numbered {
            format!("{lead} {san}")
        } else {
            san.to_string()
        });
        if let Some((before_ms, made_ms)) = before_ms.zip(entry.made_ms) {
            let time = elapsed(made_ms - before_ms);
            words.push(format!("{{[%emt {time}]}}"));
        }
        before_ms = entry.made_ms;
        words.extend(entry.comments.iter().flat_map(|text| comment(text)));
    }
    (words, Some(position))
}

/// A comment, word by word.
fn comment(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text.split_whitespace().map(unbraced).collect();
    match words.first_mut() {
        Some(first) => first.insert(0, '{'),
        None => return words,
    }
    if let Some(last) = words.last_mut() {
        last.push('}');
    }
    words
}

/// A brace would end a comment early; the log it came from may say anything.
fn unbraced(word: &str) -> String {
    word.replace(['{', '}'], "")
}

/// The rest of a game with an illegal move, as a comment.
fn as_comment(lead: &str, rest: &[Entry]) -> Vec<String> {
    let mut text = lead.to_owned();
    for (index, entry) in rest.iter().enumerate() {
        text += &format!(" {}", entry.uci);
        if !entry.legal {
            text += " (illegal)";
        }
        if index == 0 && rest.len() > 1 {
            text += " then";
        }
    }
    comment(&text)
}

/// `h:mm:ss`.
fn elapsed(ms: f64) -> String {
    let seconds = (ms.max(0.0) / 1000.0).round() as u64;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours}:{minutes:02}:{:02}", seconds % 60)
}

/// Words in lines.
fn wrapped(words: &[String]) -> String {
    let mut out = String::new();
    let mut width = 0;
    for word in words {
        if width > 0 && width + 1 + word.len() > LINE {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += word.len();
    }
    out.push('\n');
    out
}
