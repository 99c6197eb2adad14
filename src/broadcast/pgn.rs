//! Writes a game as PGN.

use std::fmt::Write;

use shakmaty::{
    Chess, Color, EnPassantMode, Outcome, Position, fen::Fen, san::SanPlus, uci::UciMove,
};

use crate::record::Record;

/// Width of a line of movetext.
const LINE: usize = 79;

/// The seven-tag roster, less the result, which follows from the moves.
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
        }
    }
}

/// The game of a record. Each move carries the time since the one before as `%emt`, in whole
/// seconds; no clock time is claimed. PGN has no way to write an illegal move: from the first one
/// on the moves stand in a comment.
#[must_use]
pub fn write(record: &Record, header: &GameHeader) -> String {
    let start: Chess = record
        .start_fen
        .parse::<Fen>()
        .ok()
        .and_then(|f| f.into_position(shakmaty::CastlingMode::Standard).ok())
        .unwrap_or_default();
    let (movetext, last) = movetext(record, &start);
    let result = match last.outcome() {
        Outcome::Known(known) => known.to_string(),
        Outcome::Unknown => "*".to_owned(),
    };
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "[{name} \"{escaped}\"]");
    };
    tag("Event", &header.event);
    tag("Site", &header.site);
    tag("Date", &header.date);
    tag("Round", &header.round);
    tag("White", &header.white);
    tag("Black", &header.black);
    tag("Result", &result);
    if start != Chess::default() {
        tag("SetUp", "1");
        tag(
            "FEN",
            &Fen::from_position(&start, EnPassantMode::Legal).to_string(),
        );
    }
    tag("Annotator", concat!("Adoube ", env!("CARGO_PKG_VERSION")));
    out.push('\n');
    out.push_str(&wrapped(&movetext, &result));
    out
}

/// Words of movetext, and the position after the last legal move.
fn movetext(record: &Record, start: &Chess) -> (Vec<String>, Chess) {
    let mut position = start.clone();
    let mut words: Vec<String> = Vec::new();
    let mut before_ms = 0.0;
    for (index, played) in record.moves.iter().enumerate() {
        let legal = played
            .uci
            .parse::<UciMove>()
            .ok()
            .and_then(|u| u.to_move(&position).ok())
            .filter(|_| played.legal);
        let Some(m) = legal else {
            let rest: Vec<&str> = record
                .moves
                .iter()
                .skip(index)
                .map(|m| m.uci.as_str())
                .collect();
            words.push(format!("{{illegal as played, then: {}}}", rest.join(" ")));
            break;
        };
        let number = position.fullmoves();
        if position.turn() == Color::White {
            words.push(format!("{number}."));
        } else if index == 0 {
            words.push(format!("{number}..."));
        }
        words.push(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
        let seconds = ((played.made_ms - before_ms).max(0.0) / 1000.0).round() as u64;
        before_ms = played.made_ms;
        words.push(format!(
            "{{[%emt {}:{:02}:{:02}]}}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        ));
    }
    (words, position)
}

fn wrapped(words: &[String], result: &str) -> String {
    let mut out = String::new();
    let mut width = 0;
    for word in words.iter().map(String::as_str).chain([result]) {
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
