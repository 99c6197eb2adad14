//! Tests of the scoring as a whole, and what they share.

mod clips;
mod report;
mod sequences;

use crate::{
    calibration::view::Corners,
    record::{Contact, ContactKind, Incident, PlayedMove, Player, Record, Severity},
};

pub(super) const CORNERS: Corners = Corners {
    a1: [100.0, 500.0],
    h1: [500.0, 500.0],
    h8: [500.0, 100.0],
    a8: [100.0, 100.0],
};

/// A rendered clip of 36 seconds.
pub(super) fn record(contacts: Vec<Contact>, moves: &[&str], incidents: Vec<Incident>) -> Record {
    let played = |(i, uci): (usize, &&str)| PlayedMove {
        uci: (*uci).to_owned(),
        san: (*uci).to_owned(),
        legal: true,
        made_ms: 1000.0 * (i + 1) as f64,
        completed_ms: None,
        inferred: false,
        probability: None,
    };
    Record {
        format: 1,
        clip: "clip".to_owned(),
        source: Some("rendered".to_owned()),
        fps: 30.0,
        frames: 1080,
        width: 640,
        height: 640,
        window: None,
        corners: CORNERS,
        corner_changes: Vec::new(),
        parts: Vec::new(),
        start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
        laws: "fide-2023".to_owned(),
        contacts,
        hover: Vec::new(),
        listened: false,
        speech: Vec::new(),
        clock: Vec::new(),
        disturbances: Vec::new(),
        moves: moves.iter().enumerate().map(played).collect(),
        incidents,
        take_backs: Vec::new(),
        out_of_step: Vec::new(),
        result_sign: None,
        unsure: Vec::new(),
        hands_over_board: None,
        notes: None,
    }
}

/// Touched at `ms`, lifted and placed 200 and 600 ms later if it moves, released 800 ms later.
pub(super) fn contact(kind: ContactKind, square: &str, to: &str, ms: f64) -> Contact {
    let on_board = |s: &str| (s != "-").then(|| s.to_owned());
    let (square, to) = (on_board(square), on_board(to));
    let moved = square != to;
    Contact {
        id: 1,
        player: Player::White,
        hand: None,
        piece: "P".to_owned(),
        kind,
        touch_ms: ms,
        lift_ms: moved.then_some(ms + 200.0),
        place_ms: (moved && to.is_some()).then_some(ms + 600.0),
        release_ms: ms + 800.0,
        square,
        to,
        probability: None,
    }
}

/// White's `touch_move` at a time.
pub(super) fn incident(ms: f64, severity: Option<Severity>) -> Incident {
    Incident {
        kind: "touch_move".to_owned(),
        player: Player::White,
        ms,
        article: "4.3.1".to_owned(),
        contact: Some(1),
        obliged: vec!["b1a3".to_owned(), "b1c3".to_owned()],
        probability: None,
        severity,
        explanation: Vec::new(),
    }
}
