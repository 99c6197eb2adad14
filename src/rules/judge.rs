//! One player's turn, judged: what the hands did and what was played, against the Laws.

use shakmaty::{Chess, Color, Move, Piece, Position, Role, Square};

use super::{
    edition::{Edition, Point},
    obligation::{Obligation, Touch, captured_square, moves_from, obligation, uci},
};

/// One piece handled once by one hand.
#[derive(Debug, Clone, PartialEq)]
pub struct Handling {
    /// Number of the contact it comes from.
    pub contact: u32,
    /// Whose hand.
    pub player: Color,
    /// Which of the player's hands: equal numbers are one hand; `None` when not known.
    pub hand: Option<u32>,
    /// Where the piece stood; `None` beside the board.
    pub from: Option<Square>,
    /// The piece.
    pub piece: Piece,
    /// First contact, milliseconds.
    pub touch_ms: f64,
    /// The piece leaves the board, milliseconds.
    pub lift_ms: Option<f64>,
    /// Last contact, milliseconds.
    pub release_ms: f64,
    /// Where it stands then; `None` off the board.
    pub to: Option<Square>,
    /// It was clearly an accident: no touch.
    pub accidental: bool,
    /// It was only put right on its square, without notice.
    pub centred: bool,
}

/// What the turn came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Played {
    /// A legal move, and when the release made it, milliseconds.
    Legal(Move, f64),
    /// Something else was left on the board, and when.
    Illegal(f64),
}

/// One turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// The position before it.
    pub position: Chess,
    /// What the hands did, by time of touch.
    pub handled: Vec<Handling>,
    /// What was played.
    pub played: Played,
}

/// Kinds of breach, as the record names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BreachKind {
    /// Another move than the touched pieces bind to.
    TouchMove,
    /// An illegal move.
    IllegalMove,
    /// Both hands.
    TwoHands,
    /// A released move was changed.
    MoveChangedAfterRelease,
    /// Castled with the rook touched first.
    CastlingRookFirst,
    /// Adjusted without notice.
    AdjustWithoutNotice,
    /// The player without the move touched a piece.
    TouchByOpponent,
}

impl BreachKind {
    /// The record's name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TouchMove => "touch_move",
            Self::IllegalMove => "illegal_move",
            Self::TwoHands => "two_hands",
            Self::MoveChangedAfterRelease => "move_changed_after_release",
            Self::CastlingRookFirst => "castling_rook_first",
            Self::AdjustWithoutNotice => "adjust_without_notice",
            Self::TouchByOpponent => "touch_by_opponent",
        }
    }
}

/// A breach of the Laws, as far as the given facts go.
#[derive(Debug, Clone, PartialEq)]
pub struct Breach {
    /// What it is.
    pub kind: BreachKind,
    /// Whose.
    pub player: Color,
    /// When it was complete, milliseconds.
    pub ms: f64,
    /// Article of the edition.
    pub article: &'static str,
    /// The contact that created the obligation.
    pub contact: Option<u32>,
    /// Legal moves that would have fulfilled it, UCI, sorted.
    pub obliged: Vec<String>,
    /// Why: small facts in order.
    pub explanation: Vec<String>,
}

/// Judges one turn under an edition.
#[must_use]
pub fn judge(edition: Edition, turn: &Turn) -> Vec<Breach> {
    let player = turn.position.turn();
    let (own, others): (Vec<&Handling>, Vec<&Handling>) =
        turn.handled.iter().partition(|h| h.player == player);
    let mut breaches = Vec::new();
    breaches.extend(two_hands(edition, player, &own));
    breaches.extend(
        own.iter()
            .filter(|h| h.centred && !h.accidental)
            .map(|h| without_notice(edition, h)),
    );
    let changed = changed_release(edition, turn, &own);
    match &turn.played {
        Played::Legal(m, made_ms) if changed.is_none() => {
            breaches.extend(touch_move(edition, turn, &own, m, *made_ms));
        }
        Played::Legal(..) => {}
        Played::Illegal(made_ms) => breaches.push(illegal(edition, player, *made_ms)),
    }
    breaches.extend(changed);
    breaches.extend(
        others
            .iter()
            .filter(|h| !h.accidental && !h.centred)
            .map(|h| disturbance(edition, h)),
    );
    breaches.sort_by(|a, b| a.ms.total_cmp(&b.ms));
    breaches
}

fn name(piece: Piece) -> &'static str {
    match piece.role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

fn at(handling: &Handling) -> String {
    let place = handling
        .from
        .map_or("beside the board".to_owned(), |s| format!("on {s}"));
    format!("the {} {place}", name(handling.piece))
}

/// 4.1: complete when the second hand lifts its piece.
fn two_hands(edition: Edition, player: Color, own: &[&Handling]) -> Option<Breach> {
    let mut lifted: Vec<(f64, u32, &Handling)> = own
        .iter()
        .filter_map(|h| Some((h.lift_ms?, h.hand?, *h)))
        .collect();
    lifted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let first = lifted.first()?;
    let second = lifted.iter().find(|h| h.1 != first.1)?;
    Some(Breach {
        kind: BreachKind::TwoHands,
        player,
        ms: second.0,
        article: edition.article(Point::OneHand),
        contact: Some(second.2.contact),
        obliged: Vec::new(),
        explanation: vec![
            format!("One hand lifted {}.", at(first.2)),
            format!("The other hand lifted {} in the same turn.", at(second.2)),
            "Each move must be made with one hand.".to_owned(),
        ],
    })
}

/// 4.2.1: complete at the release.
fn without_notice(edition: Edition, h: &Handling) -> Breach {
    Breach {
        kind: BreachKind::AdjustWithoutNotice,
        player: h.player,
        ms: h.release_ms,
        article: edition.article(Point::Adjust),
        contact: Some(h.contact),
        obliged: Vec::new(),
        explanation: vec![
            format!("A hand moved {} a little on its square.", at(h)),
            "No notice was seen or heard by this program, which does not listen: if notice was given first, this is in order.".to_owned(),
            "Without notice it counts as a touch with the intention to move.".to_owned(),
        ],
    }
}

/// 4.7: an own piece let go on a square where its move was complete, then moved on.
fn changed_release(edition: Edition, turn: &Turn, own: &[&Handling]) -> Option<Breach> {
    let legal: Vec<Move> = turn.position.legal_moves().into_iter().collect();
    let (first, made) = own.iter().find_map(|h| {
        let m = released_move(&legal, h, own)?;
        let again = own
            .iter()
            .find(|n| n.from == h.to && n.touch_ms > h.release_ms && n.to != n.from)?;
        Some(((*h, *again), m))
    })?;
    let (released, again) = first;
    let kept = matches!(&turn.played, Played::Legal(m, _) if *m == made);
    (!kept).then(|| Breach {
        kind: BreachKind::MoveChangedAfterRelease,
        player: turn.position.turn(),
        ms: again.release_ms,
        article: edition.article(Point::Release),
        contact: Some(released.contact),
        obliged: vec![uci(&made)],
        explanation: vec![
            format!(
                "{} was let go on {}, which was a legal move.",
                capitalised(&at(released)),
                square_name(released.to)
            ),
            format!("It was then moved on to {}.", square_name(again.to)),
            "A piece released on a legal square may not be moved to another one on this move."
                .to_owned(),
        ],
    })
}

/// The move that a release made, if it was complete: not a promotion, not half of castling, the
/// captured man already off.
fn released_move(legal: &[Move], h: &Handling, own: &[&Handling]) -> Option<Move> {
    let (from, to) = (h.from?, h.to?);
    let m = moves_from(legal, from)
        .into_iter()
        .find(|m| m.to() == to && !m.is_castle() && m.promotion().is_none())?;
    let victim_off = captured_square(&m).is_none_or(|v| {
        own.iter()
            .any(|o| o.from == Some(v) && o.to.is_none() && o.touch_ms < h.release_ms)
    });
    (from != to && victim_off).then_some(m)
}

fn square_name(square: Option<Square>) -> String {
    square.map_or("a place beside the board".to_owned(), |s| s.to_string())
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |c| {
        c.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// 4.3 and 4.4: the move made is not among those that the touches allow.
fn touch_move(
    edition: Edition,
    turn: &Turn,
    own: &[&Handling],
    played: &Move,
    made_ms: f64,
) -> Option<Breach> {
    let touching: Vec<&&Handling> = own
        .iter()
        .filter(|h| !h.accidental && !h.centred && h.from.is_some())
        .collect();
    let touches: Vec<Touch> = touching
        .iter()
        .filter_map(|h| h.from)
        .map(Touch::on)
        .collect();
    let duty = obligation(edition, &turn.position, &touches);
    if duty.allows(played) {
        return None;
    }
    let (point, square) = duty.because?;
    let cause = touching.iter().find(|h| h.from == Some(square));
    let rook_first = point == Point::RookFirst && played.is_castle();
    let ms = if rook_first {
        king_release(own).unwrap_or(made_ms)
    } else {
        made_ms
    };
    Some(Breach {
        kind: if rook_first {
            BreachKind::CastlingRookFirst
        } else {
            BreachKind::TouchMove
        },
        player: turn.position.turn(),
        ms,
        article: edition.article(point),
        contact: cause.map(|h| h.contact),
        obliged: duty.uci(),
        explanation: explain(&duty, point, cause.map(|h| at(h)), played),
    })
}

fn king_release(own: &[&Handling]) -> Option<f64> {
    own.iter()
        .find(|h| h.piece.role == Role::King && h.to != h.from)
        .map(|h| h.release_ms)
}

fn explain(duty: &Obligation, point: Point, cause: Option<String>, played: &Move) -> Vec<String> {
    let what = cause.unwrap_or_else(|| "a piece".to_owned());
    let rule = match point {
        Point::Enemy => "A touched piece of the opponent that can be taken must be taken.",
        Point::Both => {
            "With pieces of both colours touched, the first own piece must take the first enemy piece, or else the first one that can be moved or taken decides."
        }
        Point::CastleMust => "King and rook were touched and castling is legal: it must be played.",
        Point::RookFirst => {
            "A rook touched before the king rules out castling on that side: the rook must move."
        }
        Point::CastleIllegal => "Castling is not legal here: another king move must be played.",
        _ => "A touched piece that can move must be moved.",
    };
    vec![
        format!("{} was touched first.", capitalised(&what)),
        rule.to_owned(),
        format!("Open were only: {}.", duty.uci().join(", ")),
        format!("Played was {}.", uci(played)),
    ]
}

fn illegal(edition: Edition, player: Color, ms: f64) -> Breach {
    Breach {
        kind: BreachKind::IllegalMove,
        player,
        ms,
        article: edition.article(Point::Illegal),
        contact: None,
        obliged: Vec::new(),
        explanation: vec!["What was left on the board is not a legal move.".to_owned()],
    }
}

fn disturbance(edition: Edition, h: &Handling) -> Breach {
    Breach {
        kind: BreachKind::TouchByOpponent,
        player: h.player,
        ms: h.touch_ms,
        article: edition.article(Point::Disturb),
        contact: Some(h.contact),
        obliged: Vec::new(),
        explanation: vec![format!(
            "{} was touched by the player who did not have the move.",
            capitalised(&at(h))
        )],
    }
}
