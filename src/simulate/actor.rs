//! Acts: turns what players want to do into the ways of their hands.

use shakmaty::{Board, Chess, Color, Move, Piece, Position, Role, Square};

use super::{
    deed::{Deed, Makes},
    script::{Acted, Change, Manner, Order, Place, Script, Stop, Truth, Visit, grip_height, seat},
};
use crate::{
    calibration::view::square_centre,
    events::uci,
    record::{ContactKind, HandSide},
    rules::Played,
};

/// First visits begin then: the camera has had a look at the board, milliseconds.
const FIRST_MS: f64 = 1500.0;
/// The camera runs on for so long after the last visit, milliseconds.
const LAST_MS: f64 = 3500.0;
/// A hand that sweeps over a piece begins and ends so far beside it, squares.
const SWEEP: f64 = 2.2;

/// A finger on the clock is so high over the table, squares.
const PRESS_HEIGHT: f64 = 0.2;
/// Who presses with the other hand sends it so long before the first one is done, milliseconds.
const OTHER_HAND_MS: f64 = 500.0;

/// Where `player` puts what is taken off.
fn beside(player: Color) -> [f64; 2] {
    player.fold_wb([9.7, 1.0], [-1.7, 7.0])
}

/// Where `player` finds what is put on.
fn reserve(player: Color) -> [f64; 2] {
    player.fold_wb([9.5, 3.5], [-1.5, 4.5])
}

/// Acts out `moves`, which must be legal one after the other.
#[must_use]
pub fn act(start: &Chess, moves: &[(Move, Manner)]) -> Script {
    let mut actor = Actor::new(start);
    let mut mover = start.turn();
    for (m, manner) in moves {
        actor.visit(mover, *manner, &[Deed::Play(*m)]);
        mover = !mover;
    }
    actor.finish()
}

/// Writes a script, visit by visit.
pub struct Actor {
    script: Script,
    board: Board,
    position: Chess,
    /// Contacts since the last move.
    open: Vec<Truth>,
    /// The last move was made, milliseconds.
    made_ms: f64,
    /// The last hand was gone, milliseconds.
    away_ms: f64,
}

impl Actor {
    /// Nothing was done yet.
    #[must_use]
    pub fn new(start: &Chess) -> Self {
        Self {
            script: Script {
                start: start.clone(),
                visits: Vec::new(),
                changes: Vec::new(),
                moves: Vec::new(),
                loose: Vec::new(),
                end_ms: FIRST_MS,
            },
            board: start.board().clone(),
            position: start.clone(),
            open: Vec::new(),
            made_ms: FIRST_MS,
            away_ms: FIRST_MS,
        }
    }

    /// The position that stands, as long as nothing illegal was played.
    #[must_use]
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// When the last hand was gone, milliseconds.
    #[must_use]
    pub fn now_ms(&self) -> f64 {
        self.away_ms
    }

    /// A hand of `player` comes in, does some things and leaves.
    pub fn visit(&mut self, player: Color, manner: Manner, deeds: &[Deed]) {
        let begin_ms = if manner.quick && !self.script.moves.is_empty() {
            self.made_ms - 250.0
        } else {
            self.away_ms + f64::from(manner.pause_ms)
        };
        let mut turn = Turn {
            board: &mut self.board,
            changes: &mut self.script.changes,
            visit: Visit {
                player,
                side: HandSide::Right,
                stops: Vec::new(),
            },
            other_hand: None,
            contacts: Vec::new(),
            manner,
            now_ms: begin_ms,
            made_ms: None,
            made: Makes::Nothing,
        };
        turn.come();
        for deed in deeds {
            turn.carry_out(deed);
        }
        turn.leave();
        self.away_ms = turn.now_ms.max(self.away_ms);
        let (made, made_ms) = (turn.made, turn.made_ms.unwrap_or(turn.now_ms));
        self.open.append(&mut turn.contacts);
        let visits = [Some(turn.visit), turn.other_hand];
        self.script.visits.extend(visits.into_iter().flatten());
        let (uci, played) = match made {
            Makes::Nothing => return,
            Makes::Legal(mv) => {
                let made_ms = made_ms.round() as i64;
                (uci(&mv), Played::Legal { mv, made_ms })
            }
            Makes::Illegal(from, to) => {
                let made_ms = made_ms.round() as i64;
                (format!("{from}{to}"), Played::Illegal { from, to, made_ms })
            }
        };
        self.made_ms = made_ms;
        self.script.moves.push(Acted {
            uci,
            played,
            before: self.position.clone(),
            manner,
            contacts: std::mem::take(&mut self.open),
            made_ms,
        });
        if let Makes::Legal(m) = made {
            self.position.play_unchecked(m);
        }
    }

    /// The script, with time for the camera to see the end.
    #[must_use]
    pub fn finish(self) -> Script {
        let mut script = self.script;
        script.end_ms = self.away_ms + LAST_MS;
        script.loose = self.open;
        script.changes.sort_by(|a, b| a.t_ms.total_cmp(&b.t_ms));
        let begin = |v: &Visit| v.span_ms().map_or(0.0, |s| s.0);
        script.visits.sort_by(|a, b| begin(a).total_cmp(&begin(b)));
        script
    }
}

/// One visit in the making.
struct Turn<'a> {
    board: &'a mut Board,
    changes: &'a mut Vec<Change>,
    visit: Visit,
    other_hand: Option<Visit>,
    contacts: Vec<Truth>,
    manner: Manner,
    now_ms: f64,
    made_ms: Option<f64>,
    made: Makes,
}

/// Times of a piece taken and put: touch, lift, place, release, milliseconds.
type Times = [f64; 4];

impl Turn<'_> {
    /// A duration between two bounds, by the player's pace.
    fn lasts(&self, which: usize, least_ms: f64, most_ms: f64) -> f64 {
        let pace = self.manner.pace.get(which).copied().unwrap_or(128);
        least_ms + (most_ms - least_ms) * f64::from(pace) / 255.0
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

    /// Goes to a piece and takes hold of it: the time of the touch.
    fn reach(&mut self, from: Option<Square>, role: Role) -> f64 {
        self.now_ms += self.lasts(0, 480.0, 800.0);
        let at = from.map_or(reserve(self.visit.player), square_centre);
        let place = self.grip(at, role);
        self.stop(place, 0.5, None);
        self.now_ms + self.lasts(1, 20.0, 80.0)
    }

    /// Takes hold of a piece and lifts it: the times of both.
    fn take(&mut self, from: Option<Square>, role: Role) -> (f64, f64) {
        let touch_ms = self.reach(from, role);
        self.now_ms = touch_ms + self.lasts(2, 110.0, 250.0);
        self.stay(Some(role));
        if let Some(square) = from {
            self.set(square, None);
        }
        (touch_ms, self.now_ms)
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

    /// Carries what it holds to where it stays and lets go of it: the times of both.
    fn put(&mut self, to: Option<Square>, piece: Piece) -> (f64, f64) {
        self.now_ms += self.lasts(3, 450.0, 750.0);
        let at = to.map_or(beside(self.visit.player), square_centre);
        let place = self.grip(at, piece.role);
        self.stop(place, 1.0, Some(piece.role));
        let place_ms = self.now_ms;
        if let Some(square) = to {
            self.set(square, Some(piece));
        }
        self.now_ms += self.lasts(4, 75.0, 190.0);
        (place_ms, self.let_go())
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
        let (touch_ms, lift_ms) = self.take(from, piece.role);
        let (place_ms, release_ms) = self.put(to, piece);
        let times = [touch_ms, lift_ms, place_ms, release_ms];
        self.note(kind, from, to, piece, times);
        self.made_ms = Some(release_ms);
    }

    fn note(
        &mut self,
        kind: ContactKind,
        from: Option<Square>,
        to: Option<Square>,
        piece: Piece,
        [touch_ms, lift_ms, place_ms, release_ms]: Times,
    ) {
        let lifted = lift_ms.is_finite();
        self.contacts.push(Truth {
            player: self.visit.player,
            side: self.visit.side,
            piece,
            kind,
            from,
            to,
            touch_ms,
            lift_ms: lifted.then_some(lift_ms),
            place_ms: (lifted && to.is_some()).then_some(place_ms),
            release_ms,
        });
    }

    /// Own piece and victim in one grip: the hand sets the one down where it picks up the other.
    fn take_in_one_grip(&mut self, from: Square, to: Square, piece: Piece, victim: Piece) {
        let (touch_ms, lift_ms) = self.take(Some(from), piece.role);
        self.now_ms += self.lasts(3, 450.0, 750.0);
        let place = self.grip(square_centre(to), piece.role);
        self.stop(place, 1.0, Some(piece.role));
        let victim_touch_ms = self.now_ms + self.lasts(1, 20.0, 80.0);
        self.now_ms = victim_touch_ms + self.lasts(2, 110.0, 250.0);
        let place_ms = self.now_ms;
        self.set(to, Some(piece));
        self.now_ms += self.lasts(4, 75.0, 190.0);
        let release_ms = self.now_ms;
        self.now_ms += 30.0;
        self.stay(Some(victim.role));
        let made = [touch_ms, lift_ms, place_ms, release_ms];
        self.note(ContactKind::Move, Some(from), Some(to), piece, made);
        let (_, off_ms) = self.put(None, victim);
        let removed = [victim_touch_ms, place_ms, off_ms, off_ms];
        let off = ContactKind::CaptureRemoval;
        self.note(off, Some(to), None, victim, removed);
        // The victim left the board when it was taken up: the own piece's release made the move.
        self.made_ms = Some(release_ms);
    }

    fn carry_out(&mut self, deed: &Deed) {
        match *deed {
            Deed::Play(m) => {
                self.play(&m);
                self.made = Makes::Legal(m);
            }
            Deed::CastleRookFirst(m) => {
                self.castle(&m, true);
                self.made = Makes::Legal(m);
            }
            Deed::CastleTwoHands(m) => {
                self.castle_with_both_hands(&m);
                self.made = Makes::Legal(m);
            }
            Deed::Touch { square, hold_ms } => self.hold(ContactKind::Touch, square, hold_ms),
            Deed::Adjust { square, hold_ms } => self.hold(ContactKind::Adjust, square, hold_ms),
            Deed::Lift { square, hold_ms } => self.lift_and_return(square, hold_ms),
            Deed::Brush { square } => self.brush(square),
            Deed::Hover {
                square,
                above,
                stay_ms,
            } => {
                let role = self.board.role_at(square).unwrap_or(Role::Pawn);
                self.now_ms += self.lasts(0, 480.0, 800.0);
                let [x, y, z] = self.grip(square_centre(square), role);
                self.stop([x, y, z + above], 0.2, None);
                self.now_ms += stay_ms;
                self.stay(None);
            }
            Deed::Rest {
                at: [x, y],
                stay_ms,
            } => {
                self.now_ms += self.lasts(0, 480.0, 800.0);
                self.stop([x, y, 0.4], 0.3, None);
                self.now_ms += stay_ms;
                self.stay(None);
            }
            Deed::Press { at, other_hand } => self.press(at, other_hand),
            Deed::Shift { from, to, makes } => {
                if let Some(piece) = self.board.piece_at(from) {
                    self.shift(ContactKind::Move, Some(from), Some(to), piece);
                    self.made = makes;
                }
            }
            Deed::Via {
                from,
                via,
                stay_ms,
                to,
                makes,
            } => self.carry_via((from, via, to), stay_ms, makes),
            Deed::Again {
                off_ms,
                from,
                to,
                makes,
            } => self.take_again(off_ms, (from, to), makes),
            Deed::Wait(ms) => {
                self.now_ms += ms;
                self.stay(None);
            }
        }
    }

    fn hold(&mut self, kind: ContactKind, square: Square, hold_ms: f64) {
        let Some(piece) = self.board.piece_at(square) else {
            return;
        };
        let touch_ms = self.reach(Some(square), piece.role);
        self.now_ms = touch_ms + hold_ms;
        let release_ms = self.let_go();
        let times = [touch_ms, f64::NAN, f64::NAN, release_ms];
        self.note(kind, Some(square), Some(square), piece, times);
    }

    fn carry_via(&mut self, (from, via, to): (Square, Square, Square), stay_ms: f64, makes: Makes) {
        let Some(piece) = self.board.piece_at(from) else {
            return;
        };
        let (touch_ms, lift_ms) = self.take(Some(from), piece.role);
        self.now_ms += self.lasts(3, 450.0, 750.0);
        let place = self.grip(square_centre(via), piece.role);
        self.stop(place, 1.0, Some(piece.role));
        self.set(via, Some(piece));
        self.now_ms += stay_ms;
        self.stay(Some(piece.role));
        self.set(via, None);
        let (place_ms, release_ms) = self.put(Some(to), piece);
        let times = [touch_ms, lift_ms, place_ms, release_ms];
        self.note(ContactKind::Move, Some(from), Some(to), piece, times);
        self.made_ms = Some(release_ms);
        self.made = makes;
    }

    /// The fingers open and close around a piece that stands where they put it.
    fn take_again(&mut self, off_ms: f64, (from, to): (Square, Square), makes: Makes) {
        let Some(piece) = self.board.piece_at(from) else {
            return;
        };
        let released_ms = self.contacts.last().map_or(self.now_ms, |c| c.release_ms);
        let touch_ms = (released_ms + off_ms).max(self.now_ms);
        let [x, y, z] = self.grip(square_centre(from), piece.role);
        self.now_ms = f64::midpoint(released_ms, touch_ms).max(self.now_ms);
        self.stop([x, y, z + 0.15], 0.0, None);
        self.now_ms = touch_ms.max(self.now_ms);
        self.stop([x, y, z], 0.0, None);
        self.now_ms += self.lasts(2, 110.0, 250.0);
        let lift_ms = self.now_ms;
        self.stay(Some(piece.role));
        self.set(from, None);
        let (place_ms, release_ms) = self.put(Some(to), piece);
        let times = [touch_ms, lift_ms, place_ms, release_ms];
        self.note(ContactKind::Move, Some(from), Some(to), piece, times);
        self.made_ms = Some(release_ms);
        self.made = makes;
    }

    fn lift_and_return(&mut self, square: Square, hold_ms: f64) {
        let Some(piece) = self.board.piece_at(square) else {
            return;
        };
        let (touch_ms, lift_ms) = self.take(Some(square), piece.role);
        self.now_ms += hold_ms / 2.0;
        let [x, y, z] = self.grip(square_centre(square), piece.role);
        self.stop([x, y, z + 0.6], 0.0, Some(piece.role));
        self.now_ms += hold_ms / 2.0;
        self.stop([x, y, z], 0.0, Some(piece.role));
        self.set(square, Some(piece));
        let place_ms = self.now_ms;
        self.now_ms += self.lasts(4, 75.0, 190.0);
        let release_ms = self.let_go();
        let times = [touch_ms, lift_ms, place_ms, release_ms];
        let kind = ContactKind::Touch;
        self.note(kind, Some(square), Some(square), piece, times);
    }

    fn brush(&mut self, square: Square) {
        let Some(piece) = self.board.piece_at(square) else {
            return;
        };
        let [x, y, z] = self.grip(square_centre(square), piece.role);
        let from_left = if x < 4.0 { 1.0 } else { -1.0 };
        self.now_ms += self.lasts(0, 480.0, 800.0);
        self.stop([x - from_left * SWEEP, y, z + 0.3], 0.3, None);
        let sweep_ms = self.lasts(3, 450.0, 750.0);
        let middle_ms = self.now_ms + sweep_ms / 2.0;
        self.now_ms += sweep_ms;
        self.stop([x + from_left * SWEEP, y, z + 0.3], -0.3, None);
        let times = [middle_ms - 30.0, f64::NAN, f64::NAN, middle_ms + 30.0];
        let kind = ContactKind::Brush;
        self.note(kind, Some(square), Some(square), piece, times);
    }

    /// Presses the clock; with the other hand while this one is still over the board.
    fn press(&mut self, [x, y]: [f64; 2], other_hand: bool) {
        let with = |turn: &mut Turn<'_>| {
            turn.now_ms += turn.lasts(0, 480.0, 800.0);
            turn.stop([x, y, PRESS_HEIGHT], 0.3, None);
            turn.now_ms += turn.lasts(1, 60.0, 160.0);
            turn.stay(None);
        };
        if !other_hand {
            with(self);
            return;
        }
        let mut left = self.left_hand(self.now_ms - OTHER_HAND_MS);
        left.come();
        with(&mut left);
        left.leave();
        self.other_hand = Some(left.visit);
    }

    /// The player's other hand, which begins at a time.
    fn left_hand(&mut self, now_ms: f64) -> Turn<'_> {
        Turn {
            visit: Visit {
                player: self.visit.player,
                side: HandSide::Left,
                stops: Vec::new(),
            },
            board: &mut *self.board,
            changes: &mut *self.changes,
            other_hand: None,
            contacts: Vec::new(),
            manner: self.manner,
            now_ms,
            made_ms: None,
            made: Makes::Nothing,
        }
    }

    fn castle(&mut self, m: &Move, rook_first: bool) {
        let (Move::Castle { king, rook }, Some(side)) = (*m, m.castling_side()) else {
            return;
        };
        let color = self.visit.player;
        let mut parts = [
            (Role::King, king, side.king_to(color)),
            (Role::Rook, rook, side.rook_to(color)),
        ];
        if rook_first {
            parts.reverse();
        }
        for (role, from, to) in parts {
            let piece = Piece { color, role };
            self.shift(ContactKind::Move, Some(from), Some(to), piece);
        }
    }

    /// The right hand takes the king, the left one the rook, a little later.
    fn castle_with_both_hands(&mut self, m: &Move) {
        let (Move::Castle { king, rook }, Some(side)) = (*m, m.castling_side()) else {
            return;
        };
        let color = self.visit.player;
        let own = |role| Piece { color, role };
        let mut left = self.left_hand(self.now_ms + 120.0);
        left.come();
        let (from, to) = (Some(rook), Some(side.rook_to(color)));
        left.shift(ContactKind::Move, from, to, own(Role::Rook));
        left.leave();
        let (visit, contacts, last_ms) = (left.visit, left.contacts, left.made_ms);
        self.other_hand = Some(visit);
        let (from, to) = (Some(king), Some(side.king_to(color)));
        self.shift(ContactKind::Move, from, to, own(Role::King));
        self.contacts.extend(contacts);
        let later = |a: f64| last_ms.map_or(a, |b| a.max(b));
        self.made_ms = self.made_ms.map(later);
    }

    fn play(&mut self, m: &Move) {
        let (mover, order) = (self.visit.player, self.manner.order);
        let own = |role| Piece { color: mover, role };
        let other = |role| Piece {
            color: !mover,
            role,
        };
        let (kind, off) = (ContactKind::Move, ContactKind::CaptureRemoval);
        match *m {
            Move::Castle { .. } => self.castle(m, false),
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
