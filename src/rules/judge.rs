//! A whole turn as the camera read it, judged: the incidents that an arbiter should be shown.
//!
//! The move that the tracker read is the authority on what was played; the events say what was
//! touched before, with which hand, and what had been let go meanwhile. Events that do not fit the
//! position are passed over, since a reading may lack a lift or have one too many.

use std::fmt;

use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, CastlingSide, Chess, Color, Move, Role, Square};

use super::board::{Board, MoveSet, from_square, to_square, victim};
use super::conditions::RuleSet;
use super::edition::Clause;
use super::event::{Event, TouchFlag};
use super::explain::{self, Fact};
use super::messages::Language;
use super::obligation::{Because, Bound, Group, by_touches};
use super::table;

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
    ///
    /// ```
    /// assert_eq!(adoube::rules::IncidentKind::TwoHands.as_str(), "two_hands");
    /// ```
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
///
/// ```
/// use adoube::rules::{Edition, IncidentKind, Played, TimedEvent, TurnRecord, judge};
/// let position = shakmaty::Chess::default();
/// let mv = "d2d4".parse::<shakmaty::uci::UciMove>().unwrap().to_move(&position).unwrap();
/// let touch = TimedEvent {
///     ms: 100,
///     event: "touch w e2".parse().unwrap(),
///     contact: Some(0),
///     hand: None,
/// };
/// let record = TurnRecord {
///     player: shakmaty::Color::White,
///     events: vec![touch],
///     played: Played::Legal { mv, made_ms: 900 },
///     position,
/// };
/// let found = judge(Edition::Fide2023, &record);
/// assert_eq!(found[0].kind, IncidentKind::TouchMove);
/// ```
pub fn judge(rules: impl Into<RuleSet>, record: &TurnRecord) -> Vec<Incident> {
    let rules = rules.into();
    let mut events = record.events.clone();
    events.sort_by_key(|e| e.ms);
    let reader = Reader {
        rules,
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
type Fixed = (MoveSet, Clause);

struct Reader<'a> {
    rules: RuleSet,
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
        fact: &'static str,
    ) -> Incident {
        let article = self.rules.edition.article(clause);
        let player = at.event.player();
        let fact = Fact::by(fact, player).by_article(article);
        let explanation = vec![fact.in_language(Language::English)];
        let article = article.to_owned();
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
                    let fact = "adjusted-piece-out-of-turn";
                    let i = self.incident(IncidentKind::AdjustOutOfTurn, Clause::Adjust, e, fact);
                    Incident {
                        ms: self.end_of(e),
                        ..i
                    }
                } else {
                    let fact = "touched-out-of-turn";
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
                    parts.extend(self.board.castling_rook(side));
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
            let fact = "adjusted-piece-no-notice";
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
            .find(|d| (d.origin, d.at) == (origin, to));
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
        let alone = Bitboard::from(origin);
        let with_piece = |g: &&Group| g.own == alone && g.enemy.is_empty();
        let group = reading.log.groups.iter().rev().find(with_piece);
        group.map_or(self.events.len(), |g| g.event)
    }

    fn broken(&self, kind: IncidentKind, o: &Bound, ms: i64, played: &str) -> Incident {
        let contact = o
            .cause()
            .and_then(|i| self.events.get(i))
            .and_then(|e| e.contact);
        let edition = self.rules.edition;
        let article = edition.article(o.rule).to_owned();
        let player = self.record.player;
        let mut facts = explain::obligation(edition, &self.board, o);
        facts.push(Fact::by("played-instead", player).played(played.to_owned()));
        let explanation = facts
            .iter()
            .map(|f| f.in_language(Language::English))
            .collect();
        Incident {
            kind,
            player,
            ms,
            article,
            contact,
            obliged: self.board.write(o.moves).to_vec(),
            explanation,
        }
    }

    fn legal(&self, found: &mut Vec<Incident>, mv: Move, made_ms: i64) {
        let all = self.read(self.events.len());
        found.extend(self.changed(&all, mv, made_ms));
        let board = &self.board;
        let wanted = board.uci(mv).to_string();
        let whole = by_touches(&self.rules, board, all.log.whole());
        if whole.rule == Clause::CastleRookFirst && mv.is_castle() && !whole.allows(board, mv) {
            let ms = self.king_released(&all, mv).unwrap_or(made_ms);
            found.push(self.broken(IncidentKind::CastlingRookFirst, &whole, ms, &wanted));
            return;
        }
        let start = match from_square(mv) {
            Some(origin) => self.final_contact(&all, origin, to_square(mv)),
            None => self.events.len(),
        };
        let before = by_touches(&self.rules, board, self.read(start).log.whole());
        if let Some(o) = [before, whole].into_iter().find(|o| !o.allows(board, mv)) {
            found.push(self.broken(IncidentKind::TouchMove, &o, made_ms, &wanted));
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
        log.castling_failed = self.board.castled_side(from, to).is_some();
        let o = by_touches(&self.rules, &self.board, log.whole());
        let played = format!("{from}{to}");
        let mut i = self.broken(IncidentKind::IllegalMove, &o, made_ms, &played);
        let article = self.rules.edition.article(Clause::IllegalMove);
        i.article = article.to_owned();
        let fact = Fact::new("not-legal").played(played).by_article(article);
        i.explanation.push(fact.in_language(Language::English));
        if o.free {
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
        let played = self.board.index_of(mv);
        // What was fixed first stays fixed, whatever was let go after it.
        let mut left = self.board.all();
        let (event, moves, rule) = all.into_iter().find_map(|(event, fixed)| {
            let (moves, clause) = fixed?;
            let both = left.and(moves);
            if both.is_empty() {
                return None;
            }
            left = both;
            let stands = played.is_some_and(|i| both.contains(i));
            (!stands).then_some((event, both, clause))
        })?;
        let o = Bound {
            moves,
            free: false,
            rule,
            because: Because::Released { event },
        };
        let kind = IncidentKind::MoveChangedAfterRelease;
        let mut i = self.broken(kind, &o, made_ms, &self.board.uci(mv).to_string());
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
        let board = &self.board;
        for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
            let Some(castle) = board.castling(side) else {
                continue;
            };
            let rook = Some(drop.origin) == board.castling_rook(side)
                && drop.at == side.rook_to(board.player);
            if board.castled_side(drop.origin, drop.at) == Some(side)
                && board.between(drop.origin, drop.at).is_empty()
            {
                return Some((board.only(castle), Clause::ReleaseCastling));
            }
            if rook && self.plays(castle) {
                return None;
            }
        }
        let moves = board.between(drop.origin, drop.at);
        let first = board.moves_of(moves).next()?;
        let clause = match (first.promotion(), victim(first)) {
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
        if !table::PROMOTION_FINAL.at(self.rules.edition) || mv.promotion().is_none() {
            return None;
        }
        let fits = |m: Move| m.to() == square && m.promotion() == Some(role);
        let moves = self.board.select(fits);
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
        let fact = "both-hands";
        Some(self.incident(IncidentKind::TwoHands, Clause::OneHand, second, fact))
    }
}
