//! A whole turn as the camera read it, judged: the incidents that an arbiter should be shown.
//!
//! The move that the tracker read is the authority on what was played; the events say what was
//! touched before, with which hand, and what had been let go meanwhile. Events that do not fit the
//! position are passed over, since a reading may lack a lift or have one too many.

use std::fmt;

use shakmaty::uci::UciMove;
use shakmaty::{CastlingSide, Chess, Color, Move, Role, Square};

use super::edition::{Clause, Edition};
use super::event::{Event, TouchFlag};
use super::explain;
use super::obligation::{
    Because, Board, Group, Obligation, Owner, by_touches, from_square, king_home, rook_home,
    sorted_uci, to_square, uci, victim,
};

mod reading;

use reading::{Drop, Reading};

/// Left or right hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hand {
    /// The left hand.
    Left,
    /// The right hand.
    Right,
}

/// An event with its time and the contact that it is an edge of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimedEvent {
    /// When, in milliseconds of capture time.
    pub ms: i64,
    /// What.
    pub event: Event,
    /// The contact that it belongs to, where it belongs to one.
    pub contact: Option<u32>,
    /// Which hand, where known.
    pub hand: Option<Hand>,
}

/// What was played in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Played {
    /// A legal move.
    Legal {
        /// The move.
        mv: Move,
        /// The release that made it, in milliseconds.
        made_ms: i64,
    },
    /// Something that is no legal move.
    Illegal {
        /// Where the piece came from.
        from: Square,
        /// Where it was put.
        to: Square,
        /// The release that left it there, in milliseconds.
        made_ms: i64,
    },
    /// The turn is not finished.
    None,
}

/// Everything that happened at the board in one player's turn.
#[derive(Debug, Clone)]
pub struct TurnRecord {
    /// The position before the move.
    pub position: Chess,
    /// Whose turn.
    pub player: Color,
    /// What the hands of both players did, in any order.
    pub events: Vec<TimedEvent>,
    /// What was played.
    pub played: Played,
}

/// The kinds of incidents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IncidentKind {
    /// A touched piece was not moved or captured.
    TouchMove,
    /// An illegal move.
    IllegalMove,
    /// Two hands for one move.
    TwoHands,
    /// A move was changed after its piece was released.
    MoveChangedAfterRelease,
    /// Castling with the rook first.
    CastlingRookFirst,
    /// Adjusting without saying so first.
    AdjustWithoutNotice,
    /// Adjusting without having the move.
    AdjustOutOfTurn,
    /// A piece touched without having the move.
    TouchByOpponent,
}

impl IncidentKind {
    /// As written in records: `touch_move`, `illegal_move`, ...
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TouchMove => "touch_move",
            Self::IllegalMove => "illegal_move",
            Self::TwoHands => "two_hands",
            Self::MoveChangedAfterRelease => "move_changed_after_release",
            Self::CastlingRookFirst => "castling_rook_first",
            Self::AdjustWithoutNotice => "adjust_without_notice",
            Self::AdjustOutOfTurn => "adjust_out_of_turn",
            Self::TouchByOpponent => "touch_by_opponent",
        }
    }
}

impl fmt::Display for IncidentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Something that an arbiter should be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    /// What kind.
    pub kind: IncidentKind,
    /// Whose breach.
    pub player: Color,
    /// When it was complete, in milliseconds.
    pub ms: i64,
    /// The article of the edition.
    pub article: String,
    /// The contact that created the obligation, or that is the breach.
    pub contact: Option<u32>,
    /// Legal moves that would have fulfilled the obligation, sorted.
    pub obliged: Vec<UciMove>,
    /// Why, as a chain of small facts in English.
    pub explanation: Vec<String>,
}

/// What a turn amounts to under an edition: its incidents, by time.
pub fn judge(edition: Edition, record: &TurnRecord) -> Vec<Incident> {
    let mut events = record.events.clone();
    events.sort_by_key(|e| e.ms);
    let reader = Reader {
        edition,
        record,
        events,
        board: Board::new(record.position.clone(), record.player),
    };
    let mut found = reader.off_move();
    found.extend(reader.adjusted_without_notice());
    match record.played {
        Played::Legal { mv, made_ms } => reader.legal(&mut found, mv, made_ms),
        Played::Illegal { from, to, made_ms } => found.push(reader.illegal(from, to, made_ms)),
        Played::None => {}
    }
    found.extend(reader.two_hands());
    found.sort_by_key(|i| i.ms);
    found
}

/// The moves that are left once something was let go, and the clause that says so.
type Fixed = (Vec<Move>, Clause);

struct Reader<'a> {
    edition: Edition,
    record: &'a TurnRecord,
    events: Vec<TimedEvent>,
    board: Board,
}

impl Reader<'_> {
    fn incident(
        &self,
        kind: IncidentKind,
        clause: Clause,
        at: &TimedEvent,
        fact: &str,
    ) -> Incident {
        let article = self.edition.article(clause).to_owned();
        let player = at.event.player();
        let explanation = vec![format!(
            "{} {fact}: Article {article}.",
            explain::name(player)
        )];
        Incident {
            kind,
            player,
            ms: at.ms,
            article,
            contact: at.contact,
            obliged: Vec::new(),
            explanation,
        }
    }

    /// Whether a player's adjusting was announced when an event happened.
    fn announced(&self, index: usize, player: Color) -> bool {
        let words = self
            .events
            .iter()
            .take(index)
            .rev()
            .find_map(|e| match e.event {
                Event::Adjust { player: p } if p == player => Some(true),
                Event::EndAdjust { player: p } if p == player => Some(false),
                _ => None,
            });
        words.unwrap_or(false)
    }

    fn made_ms(&self) -> i64 {
        match self.record.played {
            Played::Legal { made_ms, .. } | Played::Illegal { made_ms, .. } => made_ms,
            Played::None => i64::MAX,
        }
    }

    /// The release that ends a contact.
    fn end_of(&self, at: &TimedEvent) -> i64 {
        let ends = |e: &&TimedEvent| {
            e.contact.is_some()
                && e.contact == at.contact
                && matches!(e.event, Event::Release { .. } | Event::Return { .. })
        };
        self.events.iter().rev().find(ends).map_or(at.ms, |e| e.ms)
    }

    /// Whether an event is the first of its contact.
    fn first_of_contact(&self, index: usize) -> bool {
        let contact = self.events.get(index).and_then(|e| e.contact);
        contact.is_none() || !self.events.iter().take(index).any(|e| e.contact == contact)
    }

    /// Touches by whoever does not have the move, after the move was made included.
    fn off_move(&self) -> Vec<Incident> {
        let mut found = Vec::new();
        for (index, e) in self.events.iter().enumerate() {
            let player = e.event.player();
            let flag = match &e.event {
                Event::Touch { flag, .. } => *flag,
                Event::Lift { .. } | Event::Remove { .. } => TouchFlag::Deliberate,
                _ => continue,
            };
            let has_move = player == self.record.player && e.ms <= self.made_ms();
            if has_move || flag == TouchFlag::Accidental || !self.first_of_contact(index) {
                continue;
            }
            if player == self.record.player && self.part_of_move(&e.event) {
                continue;
            }
            found.push(
                if flag == TouchFlag::Centring || self.announced(index, player) {
                    let fact = "adjusted a piece without having the move";
                    let i = self.incident(IncidentKind::AdjustOutOfTurn, Clause::Adjust, e, fact);
                    Incident {
                        ms: self.end_of(e),
                        ..i
                    }
                } else {
                    let fact = "touched a piece without having the move";
                    self.incident(IncidentKind::TouchByOpponent, Clause::Disturbance, e, fact)
                },
            );
        }
        found
    }

    /// Whether an event handles a piece of the move that was played, where it stood or stands.
    fn part_of_move(&self, event: &Event) -> bool {
        let mut parts = Vec::new();
        match self.record.played {
            Played::Legal { mv, .. } => {
                parts.extend(from_square(mv));
                parts.push(to_square(mv));
                parts.extend(victim(mv));
                if let Some(side) = mv.castling_side() {
                    parts.push(rook_home(self.record.player, side));
                    parts.push(side.rook_to(self.record.player));
                }
            }
            Played::Illegal { from, to, .. } => parts.extend([from, to]),
            Played::None => {}
        }
        match event {
            Event::Touch { squares, .. } => squares.iter().all(|s| parts.contains(s)),
            Event::Lift { square, .. } | Event::Remove { square, .. } => parts.contains(square),
            _ => false,
        }
    }

    fn adjusted_without_notice(&self) -> Vec<Incident> {
        let unannounced = |(index, e): (usize, &TimedEvent)| {
            let Event::Touch {
                player,
                flag: TouchFlag::Centring,
                ..
            } = e.event
            else {
                return None;
            };
            let has_move = player == self.record.player && e.ms <= self.made_ms();
            if !has_move || self.announced(index, player) {
                return None;
            }
            let fact = "adjusted a piece without saying so first";
            let i = self.incident(IncidentKind::AdjustWithoutNotice, Clause::Adjust, e, fact);
            Some(Incident {
                ms: self.end_of(e),
                ..i
            })
        };
        self.events
            .iter()
            .enumerate()
            .filter_map(unannounced)
            .collect()
    }

    /// Reads the mover's events, up to the index `until` and the time the move was made.
    fn read(&self, until: usize) -> Reading {
        let mut reading = Reading::default();
        let made_ms = self.made_ms();
        for (index, e) in self.events.iter().enumerate().take(until) {
            if e.event.player() == self.record.player && e.ms <= made_ms {
                let covered = self.announced(index, self.record.player);
                reading.take(&self.board, index, e, covered);
            }
        }
        reading
    }

    /// The index of the first event of the contact that carried the move; all events if unknown.
    fn final_contact(&self, reading: &Reading, origin: Square, to: Square) -> usize {
        let drop = reading
            .drops
            .iter()
            .rev()
            .find(|d| d.origin == origin && d.at == to);
        let Some(release) = drop.and_then(|d| self.events.get(d.event).map(|e| (d.event, e)))
        else {
            return self.last_pick_up(reading, origin);
        };
        let (index, release) = release;
        let same = |e: &TimedEvent| e.contact.is_some() && e.contact == release.contact;
        self.events
            .iter()
            .position(same)
            .unwrap_or_else(|| self.last_lift(index, origin))
    }

    /// The last lift from a square before an index, and the touch right before it.
    fn last_lift(&self, index: usize, origin: Square) -> usize {
        let lift =
            |e: &TimedEvent| matches!(e.event, Event::Lift { square, .. } if square == origin);
        let at = self
            .events
            .iter()
            .take(index)
            .rposition(lift)
            .unwrap_or(index);
        let touched = |e: &TimedEvent| matches!(&e.event, Event::Touch { squares, .. } if squares.as_slice() == [origin]);
        match at.checked_sub(1) {
            Some(before) if self.events.get(before).is_some_and(touched) => before,
            _ => at,
        }
    }

    /// Where no release was read: the last contact with the piece that was moved.
    fn last_pick_up(&self, reading: &Reading, origin: Square) -> usize {
        let with_piece = |g: &&Group| g.pieces == [(origin, Owner::Own)];
        let group = reading.log.groups.iter().rev().find(with_piece);
        group.map_or(self.events.len(), |g| g.event)
    }

    fn broken(&self, kind: IncidentKind, o: &Obligation, ms: i64, played: &str) -> Incident {
        let contact = o
            .cause()
            .and_then(|i| self.events.get(i))
            .and_then(|e| e.contact);
        let article = self.edition.article(o.rule).to_owned();
        let mut explanation = explain::obligation(self.edition, &self.board, o);
        let who = explain::name(self.record.player);
        explanation.push(format!("{who} played {played} instead."));
        let player = self.record.player;
        Incident {
            kind,
            player,
            ms,
            article,
            contact,
            obliged: o.moves.clone(),
            explanation,
        }
    }

    fn legal(&self, found: &mut Vec<Incident>, mv: Move, made_ms: i64) {
        let all = self.read(self.events.len());
        found.extend(self.changed(&all, mv, made_ms));
        let wanted = uci(mv);
        let laws = self.edition.laws();
        let whole = by_touches(laws, &self.board, &all.log);
        if whole.rule == Clause::CastleRookFirst && mv.is_castle() && !whole.allows(wanted) {
            let ms = self.king_released(&all, mv).unwrap_or(made_ms);
            found.push(self.broken(
                IncidentKind::CastlingRookFirst,
                &whole,
                ms,
                &wanted.to_string(),
            ));
            return;
        }
        let start = match from_square(mv) {
            Some(origin) => self.final_contact(&all, origin, to_square(mv)),
            None => self.events.len(),
        };
        let before = by_touches(laws, &self.board, &self.read(start).log);
        if let Some(o) = [before, whole].into_iter().find(|o| !o.allows(wanted)) {
            found.push(self.broken(IncidentKind::TouchMove, &o, made_ms, &wanted.to_string()));
        }
    }

    fn king_released(&self, reading: &Reading, castle: Move) -> Option<i64> {
        let king = reading
            .drops
            .iter()
            .rev()
            .find(|d| Some(d.origin) == castle.from())?;
        self.events.get(king.event).map(|e| e.ms)
    }

    fn illegal(&self, from: Square, to: Square, made_ms: i64) -> Incident {
        let mut log = self.read(self.events.len()).log;
        if from == king_home(self.record.player)
            && from.distance(to) == 2
            && from.rank() == to.rank()
        {
            log.castling_failed = true;
        }
        let o = by_touches(self.edition.laws(), &self.board, &log);
        let mut i = self.broken(
            IncidentKind::IllegalMove,
            &o,
            made_ms,
            &format!("{from}{to}"),
        );
        i.article = self.edition.article(Clause::IllegalMove).to_owned();
        i.explanation
            .push(format!("{from}{to} is not legal: Article {}.", i.article));
        if o.mode == super::obligation::Mode::Free {
            i.contact = None;
            i.obliged = Vec::new();
        }
        i
    }

    /// A release that fixed a move, or part of one, which then was not played.
    fn changed(&self, reading: &Reading, mv: Move, made_ms: i64) -> Option<Incident> {
        let fixed = reading
            .drops
            .iter()
            .map(|d| (d.event, self.fixed_by(reading, *d)));
        let placed = reading
            .placed
            .iter()
            .map(|p| (p.0, self.fixed_by_new_piece(mv, *p)));
        let mut all: Vec<(usize, Option<Fixed>)> = fixed.chain(placed).collect();
        all.sort_by_key(|(event, _)| *event);
        let (event, moves, clause) = all.into_iter().find_map(|(event, fixed)| {
            let (moves, clause) = fixed?;
            (!moves.contains(&mv)).then_some((event, moves, clause))
        })?;
        let because = Because::Released {
            moves: sorted_uci(&moves),
            event,
        };
        let o = Obligation::new(&moves, clause, false, because);
        let kind = IncidentKind::MoveChangedAfterRelease;
        let mut i = self.broken(kind, &o, made_ms, &uci(mv).to_string());
        i.ms = self.next_release(event).unwrap_or(made_ms);
        Some(i)
    }

    /// The next release by the mover after an event.
    fn next_release(&self, index: usize) -> Option<i64> {
        let release = |e: &&TimedEvent| {
            e.event.player() == self.record.player
                && e.ms <= self.made_ms()
                && matches!(e.event, Event::Release { .. } | Event::Return { .. })
        };
        self.events
            .iter()
            .skip(index + 1)
            .find(release)
            .map(|e| e.ms)
    }

    /// The moves that are left once a piece was let go.
    fn fixed_by(&self, reading: &Reading, drop: Drop) -> Option<Fixed> {
        let castles = |side: &CastlingSide| {
            let player = self.record.player;
            let king = drop.origin == king_home(player) && drop.at == side.king_to(player);
            let rook = drop.origin == rook_home(player, *side) && drop.at == side.rook_to(player);
            (king, rook)
        };
        for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
            let Some(castle) = self.board.castling(side) else {
                continue;
            };
            match castles(&side) {
                (true, _) => return Some((vec![castle], Clause::ReleaseCastling)),
                (_, true) if self.plays(castle) => return None,
                _ => {}
            }
        }
        let moves: Vec<Move> = self
            .board
            .legal
            .iter()
            .copied()
            .filter(|m| !m.is_castle() && from_square(*m) == Some(drop.origin) && m.to() == drop.at)
            .collect();
        let first = moves.first()?;
        let clause = match (first.promotion(), victim(*first)) {
            (Some(_), _) => Clause::ReleasePromotion,
            (None, Some(v)) if !reading.taken.contains(&v) => Clause::ReleaseCapture,
            _ => Clause::Release,
        };
        Some((moves, clause))
    }

    fn plays(&self, wanted: Move) -> bool {
        matches!(self.record.played, Played::Legal { mv, .. } if mv == wanted)
    }

    /// The moves that are left once a new piece has met its square, if that was of the pawn that
    /// was promoted.
    fn fixed_by_new_piece(
        &self,
        mv: Move,
        (_, square, role): (usize, Square, Role),
    ) -> Option<Fixed> {
        if !self.edition.laws().promotion_final_on_contact || mv.promotion().is_none() {
            return None;
        }
        let fits = |m: &Move| m.to() == square && m.promotion() == Some(role);
        let moves: Vec<Move> = self.board.legal.iter().copied().filter(fits).collect();
        (!moves.is_empty()).then_some((moves, Clause::PromotionFinal))
    }

    /// Two pieces of one move lifted by different hands.
    fn two_hands(&self) -> Option<Incident> {
        let mut hands = self.events.iter().filter(|e| {
            let lifts = matches!(e.event, Event::Lift { .. } | Event::Remove { .. });
            lifts && e.event.player() == self.record.player && self.part_of_move(&e.event)
        });
        let first = hands.find(|e| e.hand.is_some())?;
        let other = |e: &&TimedEvent| {
            e.hand.is_some()
                && e.hand != first.hand
                && e.contact.is_none_or(|c| Some(c) != first.contact)
        };
        let second = hands.find(other)?;
        let fact = "used both hands for one move";
        Some(self.incident(IncidentKind::TwoHands, Clause::OneHand, second, fact))
    }
}
