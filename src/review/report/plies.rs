//! The positions of a recorded game, illegal moves included.

use serde::Serialize;
use shakmaty::{
    Board, CastlingMode, Chess, EnPassantMode, Move, Position, Square, san::SanPlus, uci::UciMove,
};

use crate::{
    events::{landing, position_from_fen},
    record::{Incident, PlayedMove, Record},
};

/// What stands after a ply, and what to mark.
#[derive(Debug, Clone)]
pub struct Ply {
    /// What stands.
    pub board: Board,
    /// The position, while the record can be followed by the rules.
    pub position: Option<Chess>,
    /// From and to of the move that led here.
    pub last: Option<(Square, Square)>,
    /// Squares of pieces touched since the move before and left there.
    pub touched: Vec<Square>,
    /// Number and move, as `3. Nf6`; the start is empty.
    pub name: String,
    /// When the move was made, milliseconds.
    pub made_ms: f64,
}

/// A ply as the page's script reads it.
#[derive(Serialize)]
pub struct Frame {
    /// FEN placement.
    fen: String,
    last: Vec<String>,
    touched: Vec<String>,
    name: String,
    at: String,
}

impl Ply {
    /// The same for the page's script.
    pub fn frame(&self, words: super::words::Words) -> Frame {
        let names = |squares: &[Square]| squares.iter().map(ToString::to_string).collect();
        Frame {
            fen: self.board.to_string(),
            last: self.last.map_or_else(Vec::new, |(a, b)| names(&[a, b])),
            touched: names(&self.touched),
            name: words.language.written(&self.name),
            at: words.clock(self.made_ms),
        }
    }

    /// Moves in SAN with their squares, as far as they are legal here.
    pub fn legal(&self, moves: &[String]) -> Vec<(String, (Square, Square))> {
        let Some(position) = &self.position else {
            return Vec::new();
        };
        moves
            .iter()
            .filter_map(|uci| {
                let m = uci.parse::<UciMove>().ok()?.to_move(position).ok()?;
                let san = SanPlus::from_move(position.clone(), m).to_string();
                Some((san, (m.from()?, landing(&m))))
            })
            .collect()
    }
}

/// The start and the position after each move.
pub fn plies(record: &Record) -> Vec<Ply> {
    let start = position_from_fen(&record.start_fen).unwrap_or_default();
    let mut number = Numbering::of(&start);
    let mut out = vec![Ply {
        board: start.board().clone(),
        position: Some(start),
        last: None,
        touched: Vec::new(),
        name: String::new(),
        made_ms: 0.0,
    }];
    for played in &record.moves {
        let Some(before) = out.last() else { break };
        let since = before.made_ms;
        let (board, position, last) = after(before, played);
        let touched = record
            .contacts
            .iter()
            .filter(|c| c.touch_ms >= since && c.touch_ms < played.made_ms && c.to == c.square)
            .filter_map(|c| c.square.as_deref()?.parse().ok())
            .collect();
        out.push(Ply {
            board,
            position,
            last,
            touched,
            name: format!("{} {}", number.take(), played.san),
            made_ms: played.made_ms,
        });
    }
    out
}

/// Index of the move that an incident belongs to: the first one made at or after it.
pub fn move_of(record: &Record, incident: &Incident) -> Option<usize> {
    record
        .moves
        .iter()
        .position(|m| m.made_ms + 1.0 >= incident.ms)
}

/// Move numbers as they stand before a move.
pub struct Numbering {
    number: u32,
    white: bool,
}

impl Numbering {
    /// From a position on.
    pub fn of(start: &Chess) -> Self {
        Self {
            number: start.fullmoves().get(),
            white: start.turn().is_white(),
        }
    }

    /// The next number: `3.` for White, `3…` for Black.
    pub fn take(&mut self) -> String {
        let white = self.white;
        let text = format!("{}{}", self.number, if white { "." } else { "\u{2026}" });
        self.white = !white;
        self.number += u32::from(!white);
        text
    }
}

type After = (Board, Option<Chess>, Option<(Square, Square)>);

fn after(before: &Ply, played: &PlayedMove) -> After {
    let uci = played.uci.parse::<UciMove>().ok();
    let legal: Option<(Chess, Move)> = before
        .position
        .clone()
        .zip(uci)
        .and_then(|(position, uci)| uci.to_move(&position).ok().map(|m| (position, m)));
    if let Some((mut position, m)) = legal {
        position.play_unchecked(m);
        let last = m.from().map(|from| (from, landing(&m)));
        return (position.board().clone(), Some(position), last);
    }
    let mut board = before.board.clone();
    let Some(UciMove::Normal {
        from,
        to,
        promotion,
    }) = uci
    else {
        return (board, None, None);
    };
    let Some(mut piece) = board.remove_piece_at(from) else {
        return (board, None, None);
    };
    piece.role = promotion.unwrap_or(piece.role);
    board.set_piece_at(to, piece);
    let position = before.position.as_ref().and_then(|p| {
        let mut setup = p.to_setup(EnPassantMode::Legal);
        setup.board = board.clone();
        setup.turn = !piece.color;
        setup.ep_square = None;
        match setup.position::<Chess>(CastlingMode::Standard) {
            Ok(position) => Some(position),
            Err(error) => error.ignore_invalid_castling_rights().ok(),
        }
    });
    (board, position, Some((from, to)))
}

/// Whether the first move of the record is White's.
pub fn white_begins(record: &Record) -> bool {
    position_from_fen(&record.start_fen).map_or(true, |p| p.turn().is_white())
}
