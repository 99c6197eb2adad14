//! What the hands do, and when: every move as a visit of its player's hand to the board.

use std::fmt;

use adoube::{events::uci, record::ContactKind};
use shakmaty::{Board, Chess, Color, EnPassantMode, Move, Piece, Position, Role, Square, fen::Fen};

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

/// How one move is made.
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
    pub pause_ms: u16,
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
    /// What it was.
    pub kind: ContactKind,
    /// From where; `None` beside the board.
    pub from: Option<Square>,
    /// To where; `None` beside the board.
    pub to: Option<Square>,
    /// First contact, milliseconds.
    pub touch_ms: f64,
    /// Last contact, milliseconds.
    pub release_ms: f64,
}

/// A move as acted.
#[derive(Debug, Clone)]
pub struct Acted {
    /// The move.
    pub uci: String,
    /// How.
    pub manner: Manner,
    /// Its contacts.
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
    /// The camera runs until then, milliseconds.
    pub end_ms: f64,
}

impl Script {
    /// Whether a player's hand touches a piece.
    pub fn touches(&self, player: Color, t_ms: f64) -> bool {
        let first = self.start.turn();
        let movers = [first, !first].into_iter().cycle();
        movers.zip(&self.moves).any(|(mover, m)| {
            let held = |c: &Truth| (c.touch_ms..c.release_ms).contains(&t_ms);
            mover == player && m.contacts.iter().any(held)
        })
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
    /// Where the hand is and what it carries, while it is there.
    pub fn at(&self, t_ms: f64) -> Option<(Place, Option<Role>)> {
        let (first, last) = (self.stops.first()?, self.stops.last()?);
        if !(first.t_ms..=last.t_ms).contains(&t_ms) {
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

/// Where `player` puts what is taken off.
fn beside(player: Color) -> [f64; 2] {
    player.fold_wb([9.7, 1.0], [-1.7, 7.0])
}

/// Where `player` finds what is put on.
fn reserve(player: Color) -> [f64; 2] {
    player.fold_wb([9.5, 3.5], [-1.5, 4.5])
}

/// From where `player` reaches in.
pub fn seat(player: Color) -> [f64; 2] {
    player.fold_wb([4.6, -4.5], [3.4, 12.5])
}

fn centre(square: Square) -> [f64; 2] {
    adoube::calibration::view::square_centre(square)
}

/// First visits begin then: the camera has had a look at the board, milliseconds.
const FIRST_MS: f64 = 1500.0;
/// The camera runs on for so long after the last move, milliseconds.
const LAST_MS: f64 = 3500.0;

/// Acts out `moves`, which must be legal one after the other.
pub fn act(start: &Chess, moves: &[(Move, Manner)]) -> Script {
    let mut actor = Actor {
        script: Script {
            start: start.clone(),
            visits: Vec::new(),
            changes: Vec::new(),
            moves: Vec::new(),
            end_ms: FIRST_MS,
        },
        board: start.board().clone(),
        made_ms: FIRST_MS,
        away_ms: FIRST_MS,
    };
    let mut mover = start.turn();
    for (m, manner) in moves {
        actor.play(m, *manner, mover);
        mover = !mover;
    }
    actor.script.end_ms = actor.away_ms + LAST_MS;
    actor
        .script
        .changes
        .sort_by(|a, b| a.t_ms.total_cmp(&b.t_ms));
    actor.script
}

struct Actor {
    script: Script,
    board: Board,
    /// The last move was made.
    made_ms: f64,
    /// The last hand was gone.
    away_ms: f64,
}

impl Actor {
    fn play(&mut self, m: &Move, manner: Manner, mover: Color) {
        let begin_ms = if manner.quick && !self.script.moves.is_empty() {
            self.made_ms - 250.0
        } else {
            self.away_ms + f64::from(manner.pause_ms)
        };
        let mut turn = Turn {
            board: &mut self.board,
            changes: &mut self.script.changes,
            visit: Visit {
                player: mover,
                stops: Vec::new(),
            },
            contacts: Vec::new(),
            manner,
            now_ms: begin_ms,
            made_ms: 0.0,
        };
        turn.come();
        turn.carry_out(m);
        turn.leave();
        (self.made_ms, self.away_ms) = (turn.made_ms, turn.now_ms.max(self.away_ms));
        let (visit, contacts) = (turn.visit, turn.contacts);
        self.script.visits.push(visit);
        self.script.moves.push(Acted {
            uci: uci(m),
            manner,
            contacts,
            made_ms: self.made_ms,
        });
    }
}

/// One move in the making.
struct Turn<'a> {
    board: &'a mut Board,
    changes: &'a mut Vec<Change>,
    visit: Visit,
    contacts: Vec<Truth>,
    manner: Manner,
    now_ms: f64,
    made_ms: f64,
}

impl Turn<'_> {
    /// A duration between two bounds, by the player's pace.
    fn lasts(&self, which: usize, least_ms: f64, most_ms: f64) -> f64 {
        least_ms + (most_ms - least_ms) * f64::from(self.manner.pace[which % 6]) / 255.0
    }

    fn stop(&mut self, place: Place, arc: f64, held: Option<Role>) {
        self.visit.stops.push(Stop {
            t_ms: self.now_ms,
            place,
            arc,
            held,
        });
    }

    /// Stays where it is until now.
    fn stay(&mut self, held: Option<Role>) {
        if let Some(last) = self.visit.stops.last() {
            self.stop(last.place, 0.0, held);
        }
    }

    fn come(&mut self) {
        let [x, y] = seat(self.visit.player);
        self.stop([x, y, 1.5], 0.0, None);
    }

    fn leave(&mut self) {
        self.now_ms += self.lasts(5, 450.0, 650.0);
        let [x, y] = seat(self.visit.player);
        self.stop([x, y, 1.5], 0.4, None);
    }

    fn grip(&self, [x, y]: [f64; 2], role: Role) -> Place {
        [
            x,
            y,
            grip_height(role) + f64::from(self.manner.grip) / 100.0,
        ]
    }

    /// Goes to a piece and takes hold of it: the time of the touch. It is lifted at the end.
    fn take(&mut self, from: Option<Square>, role: Role) -> f64 {
        self.now_ms += self.lasts(0, 480.0, 800.0);
        let at = from.map_or(reserve(self.visit.player), centre);
        let place = self.grip(at, role);
        self.stop(place, 0.5, None);
        let touch_ms = self.now_ms + self.lasts(1, 20.0, 80.0);
        self.now_ms = touch_ms + self.lasts(2, 110.0, 250.0);
        self.stay(Some(role));
        if let Some(square) = from {
            self.set(square, None);
        }
        touch_ms
    }

    fn set(&mut self, square: Square, piece: Option<Piece>) {
        match piece {
            Some(piece) => self.board.set_piece_at(square, piece),
            None => {
                self.board.discard_piece_at(square);
            }
        }
        self.changes.push(Change {
            t_ms: self.now_ms,
            square,
            piece,
        });
    }

    /// Carries what it holds to where it stays and lets go of it: the time of the release.
    fn put(&mut self, to: Option<Square>, piece: Piece) -> f64 {
        self.now_ms += self.lasts(3, 450.0, 750.0);
        let at = to.map_or(beside(self.visit.player), centre);
        let place = self.grip(at, piece.role);
        self.stop(place, 1.0, Some(piece.role));
        if let Some(square) = to {
            self.set(square, Some(piece));
        }
        self.now_ms += self.lasts(4, 75.0, 190.0);
        self.let_go()
    }

    /// Opens the fingers: the time of the release.
    fn let_go(&mut self) -> f64 {
        let release_ms = self.now_ms;
        self.now_ms += self.lasts(1, 40.0, 100.0);
        self.stay(None);
        release_ms
    }

    /// Takes a piece from one place to another.
    fn shift(&mut self, kind: ContactKind, from: Option<Square>, to: Option<Square>, piece: Piece) {
        let touch_ms = self.take(from, piece.role);
        let release_ms = self.put(to, piece);
        self.note(kind, from, to, (touch_ms, release_ms));
    }

    fn note(
        &mut self,
        kind: ContactKind,
        from: Option<Square>,
        to: Option<Square>,
        (touch_ms, release_ms): (f64, f64),
    ) {
        self.contacts.push(Truth {
            kind,
            from,
            to,
            touch_ms,
            release_ms,
        });
        self.made_ms = release_ms;
    }

    /// Own piece and victim in one grip: the hand sets the one down where it picks up the other.
    fn take_in_one_grip(&mut self, from: Square, to: Square, piece: Piece, victim: Piece) {
        let touch_ms = self.take(Some(from), piece.role);
        self.now_ms += self.lasts(3, 450.0, 750.0);
        let place = self.grip(centre(to), piece.role);
        self.stop(place, 1.0, Some(piece.role));
        let victim_touch_ms = self.now_ms + self.lasts(1, 20.0, 80.0);
        self.now_ms = victim_touch_ms + self.lasts(2, 110.0, 250.0);
        self.set(to, Some(piece));
        self.now_ms += self.lasts(4, 75.0, 190.0);
        let release_ms = self.now_ms;
        self.now_ms += 30.0;
        self.stay(Some(victim.role));
        let made = (touch_ms, release_ms);
        self.note(ContactKind::Move, Some(from), Some(to), made);
        let off_ms = self.put(None, victim);
        let removed = (victim_touch_ms, off_ms);
        self.note(ContactKind::CaptureRemoval, Some(to), None, removed);
        // The victim left the board when it was taken up: the own piece's release made the move.
        self.made_ms = release_ms;
    }

    fn carry_out(&mut self, m: &Move) {
        let (mover, order) = (self.visit.player, self.manner.order);
        let own = |role| Piece { color: mover, role };
        let other = |role| Piece {
            color: !mover,
            role,
        };
        let (kind, off) = (ContactKind::Move, ContactKind::CaptureRemoval);
        match *m {
            Move::Castle { king, rook } => {
                let Some(side) = m.castling_side() else {
                    return;
                };
                let (king_to, rook_to) = (side.king_to(mover), side.rook_to(mover));
                self.shift(kind, Some(king), Some(king_to), own(Role::King));
                self.shift(kind, Some(rook), Some(rook_to), own(Role::Rook));
            }
            Move::EnPassant { from, to } => {
                let victim = Square::from_coords(to.file(), from.rank());
                if order == Order::VictimFirst {
                    self.shift(off, Some(victim), None, other(Role::Pawn));
                }
                self.shift(kind, Some(from), Some(to), own(Role::Pawn));
                if order == Order::OwnFirst {
                    self.shift(off, Some(victim), None, other(Role::Pawn));
                }
            }
            Move::Normal {
                role,
                from,
                to,
                capture,
                promotion,
            } => {
                if let Some(new) = promotion {
                    self.promote((from, to), capture.map(other), own(new));
                } else if let (Some(victim), Order::OwnFirst) = (capture, order) {
                    self.take_in_one_grip(from, to, own(role), other(victim));
                } else {
                    if let Some(victim) = capture {
                        self.shift(off, Some(to), None, other(victim));
                    }
                    self.shift(kind, Some(from), Some(to), own(role));
                }
            }
            Move::Put { .. } => {}
        }
    }

    fn promote(&mut self, (from, to): (Square, Square), victim: Option<Piece>, new: Piece) {
        let pawn = Piece {
            role: Role::Pawn,
            ..new
        };
        if let Some(victim) = victim {
            self.shift(ContactKind::CaptureRemoval, Some(to), None, victim);
        }
        let mut stands = from;
        if self.manner.order == Order::VictimFirst {
            self.shift(ContactKind::Move, Some(from), Some(to), pawn);
            stands = to;
        }
        self.shift(ContactKind::PromotionRemoval, Some(stands), None, pawn);
        self.shift(ContactKind::PromotionPlacement, None, Some(to), new);
    }
}
