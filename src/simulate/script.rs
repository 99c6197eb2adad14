//! What hands and pieces do, and when: the ways of hands, the changes of squares, and what should
//! be found of them. [`super::actor`] writes scripts, [`super::camera`] films them.

use std::fmt;

use shakmaty::{Chess, Color, EnPassantMode, Piece, Role, Square, fen::Fen};

use crate::{
    events::{Draft, Hearing, Thresholds, weigh},
    record::{ContactKind, HandSide, Incident},
    rules::{Edition, Played},
};

/// A place in space, squares.
pub type Place = [f64; 3];

/// In which order a player goes about captures, en passant and promotions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Takes the victim off first; promotes with the pawn on the last rank first.
    VictimFirst,
    /// Takes the own piece first, and the victim with the same hand. En passant: the pawn is
    /// taken off last. A promoting pawn never stands on the last rank: only the new piece is seen.
    OwnFirst,
}

/// How one visit of a hand is carried out.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// Order of the parts of a capture or a promotion.
    pub order: Order,
    /// How long the movements take within what players take: 0 shortest, 255 longest.
    pub pace: [u8; 6],
    /// The player grips so much below or above the usual height, hundredths of a square.
    pub grip: i8,
    /// The hand comes in before the opponent's has left.
    pub quick: bool,
    /// Else it waits so long after the opponent's has left, milliseconds.
    pub pause_ms: u32,
}

/// One stop of a hand.
#[derive(Debug, Clone, Copy)]
pub struct Stop {
    /// When it is there, milliseconds.
    pub t_ms: f64,
    /// Where its fingers pinch.
    pub place: Place,
    /// How high it goes above the straight line from the stop before.
    pub arc: f64,
    /// What it carries from here on.
    pub held: Option<Role>,
}

/// One hand's way from coming in to leaving.
#[derive(Debug, Clone)]
pub struct Visit {
    /// Whose hand.
    pub player: Color,
    /// Which.
    pub side: HandSide,
    /// Its stops; it moves smoothly between them.
    pub stops: Vec<Stop>,
}

/// A square gets another content.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    /// When, milliseconds.
    pub t_ms: f64,
    /// Which square.
    pub square: Square,
    /// What stands there from now on.
    pub piece: Option<Piece>,
}

/// A contact that should be found.
#[derive(Debug, Clone, Copy)]
pub struct Truth {
    /// Whose hand.
    pub player: Color,
    /// Which.
    pub side: HandSide,
    /// The piece.
    pub piece: Piece,
    /// What it was.
    pub kind: ContactKind,
    /// From where; `None` beside the board.
    pub from: Option<Square>,
    /// To where; `None` beside the board.
    pub to: Option<Square>,
    /// First contact, milliseconds.
    pub touch_ms: f64,
    /// It leaves the board, milliseconds.
    pub lift_ms: Option<f64>,
    /// It stands again, milliseconds.
    pub place_ms: Option<f64>,
    /// Last contact, milliseconds.
    pub release_ms: f64,
}

/// A move as acted, with everything that hands did since the one before.
#[derive(Debug, Clone)]
pub struct Acted {
    /// The move; of an illegal one, its squares.
    pub uci: String,
    /// The same for the rules.
    pub played: Played,
    /// The position before.
    pub before: Chess,
    /// How.
    pub manner: Manner,
    /// Contacts since the move before, by both players.
    pub contacts: Vec<Truth>,
    /// The release that made it, milliseconds.
    pub made_ms: f64,
}

/// A whole game.
#[derive(Clone)]
pub struct Script {
    /// The position before.
    pub start: Chess,
    /// All hands' ways, by time of coming in.
    pub visits: Vec<Visit>,
    /// All changes, by time.
    pub changes: Vec<Change>,
    /// The moves.
    pub moves: Vec<Acted>,
    /// Contacts after the last move.
    pub loose: Vec<Truth>,
    /// The camera runs until then, milliseconds.
    pub end_ms: f64,
}

impl Truth {
    /// As the engine would have it, if it were certain.
    fn draft(&self) -> Draft {
        Draft {
            player: self.player,
            hand: Some(u32::from(self.side == HandSide::Left)),
            side: Some(self.side),
            from: self.from,
            piece: self.piece,
            kind: self.kind,
            touch_ms: self.touch_ms,
            lift_ms: self.lift_ms,
            place_ms: self.place_ms,
            release_ms: self.release_ms,
            to: self.to,
            probability: 1.0,
            guessed: false,
            resumed: false,
        }
    }
}

impl Script {
    /// What the Laws make of what was acted: the rules core's own verdict on the true contacts.
    #[must_use]
    pub fn incidents(&self, edition: Edition) -> Vec<Incident> {
        let verdict = |acted: &Acted| {
            let drafts: Vec<Draft> = acted.contacts.iter().map(Truth::draft).collect();
            let thresholds = Thresholds::default();
            weigh(
                edition,
                &acted.before,
                &drafts,
                acted.played,
                1.0,
                &thresholds,
                &Hearing::default(),
            )
        };
        self.moves.iter().flat_map(verdict).collect()
    }
}

/// As a case to read: the position, then a move a line with how it was made.
impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let fen = Fen::from_position(&self.start, EnPassantMode::Legal);
        writeln!(f, "{fen}")?;
        for m in &self.moves {
            let Manner {
                order,
                pace,
                grip,
                quick,
                pause_ms,
            } = m.manner;
            let begin = if quick {
                "quick".to_owned()
            } else {
                format!("after {pause_ms} ms")
            };
            write!(
                f,
                "  {} {order:?}, {begin}, pace {pace:?}, grip {grip}:",
                m.uci
            )?;
            for c in &m.contacts {
                let name = |s: Option<Square>| s.map_or("off".to_owned(), |s| s.to_string());
                let (from, to) = (name(c.from), name(c.to));
                write!(f, " {from}-{to} {:.0}..{:.0}", c.touch_ms, c.release_ms)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Visit {
    /// When the hand comes in and when it has left, milliseconds.
    #[must_use]
    pub fn span_ms(&self) -> Option<(f64, f64)> {
        Some((self.stops.first()?.t_ms, self.stops.last()?.t_ms))
    }

    /// Where the hand is and what it carries, while it is there.
    #[must_use]
    pub fn at(&self, t_ms: f64) -> Option<(Place, Option<Role>)> {
        let (from_ms, to_ms) = self.span_ms()?;
        if !(from_ms..=to_ms).contains(&t_ms) {
            return None;
        }
        let next = self.stops.iter().position(|s| s.t_ms >= t_ms)?.max(1);
        let (a, b) = (self.stops.get(next - 1)?, self.stops.get(next)?);
        let share = ((t_ms - a.t_ms) / (b.t_ms - a.t_ms).max(1.0)).clamp(0.0, 1.0);
        // The course of an arm's movement with the least jerk.
        let done = share.powi(3) * (10.0 + share * (6.0 * share - 15.0));
        let mut place: Place =
            std::array::from_fn(|i| a.place[i] + done * (b.place[i] - a.place[i]));
        place[2] += b.arc * 4.0 * done * (1.0 - done);
        Some((place, a.held))
    }
}

/// Height at which a piece is held, squares.
#[must_use]
pub fn grip_height(role: Role) -> f64 {
    match role {
        Role::Pawn => 0.66,
        Role::Rook => 0.78,
        Role::Knight => 0.85,
        Role::Bishop => 0.95,
        Role::Queen => 1.2,
        Role::King => 1.3,
    }
}

/// From where `player` reaches in.
#[must_use]
pub fn seat(player: Color) -> [f64; 2] {
    player.fold_wb([4.6, -4.5], [3.4, 12.5])
}
