//! The ledger: takes events one by one and knows at any moment what binds, what was broken and by
//! which article.
//!
//! A move that is made passes the turn within the same ledger, and a new touch log begins. The
//! turn before stays at hand, since a made move can still be changed, taken back, completed by the
//! clock, or claimed about.

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Position, Role, Square};

use super::board::{Owner, from_square};
use super::breach::{Breach, BreachCode, BreachStatus, EventError, EventProblem, Spared};
use super::conditions::{AtOnce, RuleSet};
use super::edition::{Clause, Edition};
use super::event::{Event, TouchFlag};
use super::obligation::{Because, Bound, Group, Obligation, rests_on_several};
use super::table::{self, MoveBegins, Sanction};
use super::turn::{Made, Progress, Released, TurnState};

mod claims;
mod clock;
mod off_move;
mod verdict;

type Outcome = Result<(), EventProblem>;

/// What happened at the board since a position, judged by one edition of the Laws.
///
/// ```
/// use adoube::rules::{Edition, Ledger, Verdict};
/// let mut ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
/// ledger.apply(&"touch w e2".parse().unwrap()).unwrap();
/// assert_eq!(ledger.obligation().moves.len(), 2);
/// ledger.apply(&"move w d2d4".parse().unwrap()).unwrap();
/// assert_eq!(ledger.verdict(), Verdict::Violation);
/// assert_eq!(ledger.breaches()[0].article, "4.3.1");
/// ```
#[derive(Debug, Clone)]
pub struct Ledger {
    rules: RuleSet,
    turn: TurnState,
    last: Option<TurnState>,
    /// Moves made and not taken back.
    turns: usize,
    /// Events taken so far, those refused included.
    events: usize,
    /// Whose adjusting is announced: White's, Black's.
    adjusting: [bool; 2],
    breaches: Vec<Breach>,
    over: bool,
    deferred: bool,
    /// The right to claim was lost before the clock was pressed.
    lost_before_clock: bool,
}

impl Ledger {
    /// A ledger that begins with `position`, before anything was touched. An edition alone stands
    /// for a standard game under full supervision. In a position of Chess960, castling is written
    /// as the king's move onto its rook.
    ///
    /// ```
    /// use adoube::rules::{Edition, Ledger, RuleSet, TimeControl};
    /// let rules = RuleSet { time: TimeControl::Blitz, ..Edition::Fide2014.into() };
    /// let ledger = Ledger::new(shakmaty::Chess::default(), rules);
    /// assert_eq!(ledger.obligation().moves.len(), 20);
    /// ```
    pub fn new(position: Chess, rules: impl Into<RuleSet>) -> Self {
        let player = position.turn();
        Self {
            rules: rules.into(),
            turn: TurnState::new(position, player),
            last: None,
            turns: 0,
            events: 0,
            adjusting: [false; 2],
            breaches: Vec::new(),
            over: false,
            deferred: false,
            lost_before_clock: false,
        }
    }

    /// Takes the next event. Once the game is over, events change nothing.
    ///
    /// # Errors
    /// An event that cannot have happened (for example, no piece on that square) is refused and
    /// changes nothing but the count of events.
    ///
    /// ```
    /// use adoube::rules::{Edition, Ledger};
    /// let mut ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
    /// let error = ledger.apply(&"lift w e4".parse().unwrap()).unwrap_err();
    /// assert_eq!(error.to_string(), "event 0 (lift w e4): there is no piece on e4");
    /// ```
    pub fn apply(&mut self, event: &Event) -> Result<(), EventError> {
        let index = self.events;
        self.events += 1;
        if self.over {
            return Ok(());
        }
        self.dispatch(index, event).map_err(|problem| EventError {
            index,
            event: event.to_string(),
            problem,
        })
    }

    /// The moves that the player who has the move may still choose, and why.
    ///
    /// ```
    /// use adoube::rules::{Clause, Edition, Ledger};
    /// let mut ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
    /// ledger.apply(&"touch w a1".parse().unwrap()).unwrap();
    /// assert_eq!(ledger.obligation().rule, Clause::NothingMovable);
    /// ```
    pub fn obligation(&self) -> Obligation {
        self.bound().publish(&self.turn.board)
    }

    /// Notes that the obligation is asked for at this place: if the move that is made then is
    /// allowed, [`Ledger::articles`] names what bound here.
    ///
    /// ```
    /// use adoube::rules::{Edition, Ledger};
    /// let mut ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
    /// ledger.apply(&"touch w e2".parse().unwrap()).unwrap();
    /// ledger.ask();
    /// ledger.apply(&"move w e2e4".parse().unwrap()).unwrap();
    /// assert_eq!(ledger.articles(), ["4.3.1"]);
    /// ```
    pub fn ask(&mut self) {
        self.turn.asked = Some(self.clause_of(&self.turn, &self.bound()));
    }

    fn bound(&self) -> Bound {
        self.turn.obligation(&self.rules)
    }

    /// The position after the moves made so far; an illegal move is not in it.
    ///
    /// ```
    /// use adoube::rules::{Edition, Ledger};
    /// use shakmaty::Position;
    /// let mut ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
    /// ledger.apply(&"move w e2e4".parse().unwrap()).unwrap();
    /// assert_eq!(ledger.position().turn(), shakmaty::Color::Black);
    /// ```
    pub const fn position(&self) -> &Chess {
        &self.turn.board.position
    }

    /// Who has the move.
    ///
    /// ```
    /// use adoube::rules::{Edition, Ledger};
    /// let ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
    /// assert_eq!(ledger.player(), shakmaty::Color::White);
    /// ```
    pub const fn player(&self) -> Color {
        self.turn.board.player
    }

    /// The edition that is applied.
    ///
    /// ```
    /// use adoube::rules::{Edition, Ledger};
    /// let ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2009);
    /// assert_eq!(ledger.edition(), Edition::Fide2009);
    /// ```
    pub const fn edition(&self) -> Edition {
        self.rules.edition
    }

    /// The rules that are applied.
    ///
    /// ```
    /// use adoube::rules::{Edition, Ledger, Supervision};
    /// let ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2009);
    /// assert_eq!(ledger.rules().supervision, Supervision::Full);
    /// ```
    pub const fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Everything broken so far, in order, what was corrected or lost included.
    ///
    /// ```
    /// use adoube::rules::{BreachCode, Edition, Ledger};
    /// let mut ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
    /// ledger.apply(&"touch b e7".parse().unwrap()).unwrap();
    /// assert_eq!(ledger.breaches()[0].code, BreachCode::TouchByOpponent);
    /// ```
    pub fn breaches(&self) -> &[Breach] {
        &self.breaches
    }

    /// Leaves the outcome to a person: the facts are such that the events alone cannot decide.
    /// From now on the verdict is [`Verdict::Review`](super::Verdict::Review); obligations and
    /// breaches go on.
    ///
    /// ```
    /// use adoube::rules::{Edition, Ledger, Verdict};
    /// let mut ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
    /// ledger.defer();
    /// assert_eq!(ledger.verdict(), Verdict::Review);
    /// ```
    pub const fn defer(&mut self) {
        self.deferred = true;
    }

    /// Says which position stands now, for example after an illegal move was left on the board.
    /// An illegal move that was pending becomes a breach; a new turn begins.
    ///
    /// ```
    /// use adoube::rules::{Edition, Ledger};
    /// let mut ledger = Ledger::new(shakmaty::Chess::default(), Edition::Fide2023);
    /// ledger.apply(&"touch w e2".parse().unwrap()).unwrap();
    /// ledger.set_position(shakmaty::Chess::default());
    /// assert_eq!(ledger.obligation().moves.len(), 20);
    /// ```
    pub fn set_position(&mut self, position: Chess) {
        if let Some(illegal) = self.turn.illegal.filter(|i| !i.completed) {
            let (player, event) = (self.player(), illegal.event);
            self.record(
                BreachCode::Illegal,
                illegal.clause,
                player,
                Some(event),
                event,
            );
        }
        let player = position.turn();
        self.turn = TurnState::new(position, player);
        self.last = None;
        self.turns += 1;
        self.adjusting = [false; 2];
        self.over = false;
    }

    fn adjusts(&self, player: Color) -> bool {
        let [white, black] = self.adjusting;
        player.fold_wb(white, black)
    }

    fn set_adjusting(&mut self, player: Color, on: bool) {
        let [white, black] = &mut self.adjusting;
        *player.fold_wb(white, black) = on;
    }

    /// The last move was made, and its player has not pressed the clock.
    fn before_clock(&self) -> bool {
        self.last
            .as_ref()
            .and_then(|l| l.made)
            .is_some_and(|m| !m.completed)
    }

    /// Whether the player whose turn follows does not have the move yet.
    fn premature(&self) -> bool {
        table::MOVE_BEGINS.at(self.edition()) == MoveBegins::Completed && self.before_clock()
    }

    /// The empty touch of an event.
    fn group(&self, index: usize) -> Group {
        Group {
            before_clock: self.before_clock(),
            ..Group::new(index)
        }
    }

    fn dispatch(&mut self, index: usize, event: &Event) -> Outcome {
        let player = event.player();
        match event {
            Event::Adjust { .. } => {
                self.set_adjusting(player, true);
                Ok(())
            }
            Event::EndAdjust { .. } => {
                self.set_adjusting(player, false);
                Ok(())
            }
            Event::Claim { .. } => {
                self.claim(player);
                Ok(())
            }
            Event::Clock { other_hand, .. } => {
                self.clock(index, player, *other_hand);
                Ok(())
            }
            Event::Null { .. } => Ok(()),
            Event::Takeback { .. } => self.take_back(index, player),
            Event::Touch { squares, .. } if squares.is_empty() => Err(EventProblem::NoSquare),
            Event::Move { uci, .. } if !uci.is_normal() => Err(EventProblem::NotAMove(*uci)),
            _ if player == self.player() => self.on_move(index, event),
            _ => self.off_move(index, event),
        }
    }

    // ---- events of the player who has the move

    fn on_move(&mut self, index: usize, event: &Event) -> Outcome {
        let player = event.player();
        let premature = self.premature();
        let covered = self.adjusts(player) || premature;
        let group = self.group(index);
        match event {
            Event::Touch { squares, flag, .. } => return self.touch(index, squares, *flag),
            Event::Lift { square, .. } => {
                self.turn.lift(group, *square, covered)?;
                self.note_lift(player, covered, premature);
                return Ok(());
            }
            Event::Place {
                square, promotion, ..
            } => return self.place(index, *square, *promotion),
            Event::Return { .. } => return self.turn.put_back(),
            Event::Move { uci, two_hands, .. } => return self.whole_move(index, *uci, *two_hands),
            Event::Remove { square, .. } => {
                // A piece that is taken off is not being adjusted.
                self.turn.remove(group, *square, premature)?;
                self.note_lift(player, premature, premature);
            }
            Event::Release {
                square,
                promotion: Some(role),
                ..
            } => {
                self.turn.release_new(index, *square, *role);
            }
            Event::Release { square, .. } => self.turn.release(group, *square)?,
            _ => return Ok(()),
        }
        if let Progress::Made(mv, mark) = self.turn.progress(index) {
            let by_release = matches!(event, Event::Release { .. });
            self.make(index, mv, mark, by_release);
        }
        Ok(())
    }

    fn note_lift(&mut self, player: Color, covered: bool, premature: bool) {
        self.turn.notes.early |= premature;
        self.turn.notes.adjusted |= covered && !premature;
        if !covered {
            self.lose_claims(player);
        }
    }

    fn touch(&mut self, index: usize, squares: &[Square], flag: TouchFlag) -> Outcome {
        let player = self.player();
        let mut group = self.group(index);
        for square in squares {
            if self.turn.new_piece.is_some_and(|n| n.square == *square) {
                continue;
            }
            let (origin, owner) = self
                .turn
                .piece_on(*square)
                .ok_or(EventProblem::NoPiece(*square))?;
            group.add(origin, owner);
        }
        let by_held = flag == TouchFlag::ViaHeldPiece && !self.rules.points.held_piece_touches;
        if flag == TouchFlag::Accidental || by_held {
            self.turn.notes.accident = true;
            self.turn.notes.accident_first |= self.turn.log.groups.is_empty();
            self.spare_claims(player, Spared::Accident);
            return Ok(());
        }
        if self.premature() {
            self.turn.notes.early = true;
            return Ok(());
        }
        if self.adjusts(player) {
            self.adjust_announced(index, player);
            return Ok(());
        }
        if flag == TouchFlag::Centring {
            let cause = Some(index);
            self.record(
                BreachCode::AdjustNoNotice,
                Clause::Adjust,
                player,
                cause,
                index,
            );
            if !self.rules.centring_binds() {
                self.turn.notes.centred = true;
                self.spare_claims(player, Spared::NoIntent);
                return Ok(());
            }
            group.centring = true;
        }
        self.turn.touch(group);
        self.lose_claims(player);
        Ok(())
    }

    /// A piece is adjusted after an announcement.
    fn adjust_announced(&mut self, index: usize, player: Color) {
        self.turn.notes.adjusted = true;
        let early = self.before_clock() && table::ADJUST_NEEDS_CLOCK.at(self.edition());
        if early && self.rules.points.flag_adjusting_before_clock {
            let code = BreachCode::AdjustOutOfTurn;
            self.record(code, Clause::Adjust, player, Some(index), index);
        }
        if self.rules.adjusting_costs_claim() {
            self.lose_claims(player);
        } else {
            self.spare_claims(player, Spared::NoIntent);
        }
    }

    fn place(&mut self, index: usize, square: Square, promotion: Option<Role>) -> Outcome {
        match promotion {
            Some(role) => self.turn.place_new(&self.rules, index, square, role),
            None if self.turn.held.is_empty() => return Err(EventProblem::NothingHeld),
            None => {}
        }
        Ok(())
    }

    fn whole_move(&mut self, index: usize, wanted: UciMove, two_hands: bool) -> Outcome {
        let UciMove::Normal {
            from,
            to,
            promotion,
        } = wanted
        else {
            return Err(EventProblem::NotAMove(wanted));
        };
        let mark = self.turn.log.groups.len();
        let group = self.group(index);
        if let Some(mv) = self.turn.board.legal_move(wanted) {
            self.turn.two_hands |= two_hands;
            self.lose_claims(self.player());
            self.make(index, mv, mark, false);
            return Ok(());
        }
        match self.turn.board.owner(from) {
            Some(Owner::Own) => {}
            Some(Owner::Enemy) => return Err(EventProblem::NotOwn(from)),
            None => return Err(EventProblem::NoPiece(from)),
        }
        // What a player touches before he has the move does not bind him.
        let premature = self.premature();
        self.turn.notes.early |= premature;
        if !premature {
            self.lose_claims(self.player());
            self.turn.touch_one(group, from, Owner::Own);
        }
        let promotes = self.turn.board.between(from, to);
        if promotion.is_none() && !promotes.is_empty() {
            let clause = Clause::ReleasePromotion;
            self.turn.released = Some(Released {
                moves: promotes,
                clause,
                event: index,
            });
            return Ok(());
        }
        let board = &self.turn.board;
        let castles = board.castled_side(from, to).is_some()
            || (board.castling_king() == Some(from) && board.owner(to) == Some(Owner::Own));
        self.turn.log.castling_failed |= castles;
        if board.owner(to) == Some(Owner::Enemy) && !premature {
            self.turn.touch_one(group, to, Owner::Enemy);
        }
        self.turn.restore();
        self.turn.mark_illegal(index);
        Ok(())
    }

    /// A move is made: judges it and passes the turn.
    fn make(&mut self, index: usize, mv: Move, mark: usize, by_release: bool) {
        let player = self.player();
        let broken = self.turn.broken_by(&self.rules, mv, mark);
        let mut next = self.turn.board.position.clone();
        next.play_unchecked(mv);
        match &broken {
            Some(bound) => self.record_broken(index, mv, bound),
            None => self.correct(self.turns, player),
        }
        if self.turn.two_hands && table::TWO_HANDS.at(self.edition()) != Sanction::None {
            self.record(
                BreachCode::TwoHands,
                Clause::OneHand,
                player,
                Some(index),
                index,
            );
        }
        if self.rules.illegal_stands() {
            self.let_illegal_stand(player);
        }
        let made = self.made(index, mv, by_release, broken.is_none());
        self.pass_turn(next, made);
        let kept = broken.is_none() || !table::MATE_NEEDS_TOUCH.at(self.edition());
        self.over = kept && self.turn.board.legal.is_empty();
        self.set_adjusting(player, false);
    }

    /// What is to be remembered of a move that is made.
    fn made(&self, index: usize, mv: Move, by_release: bool, allowed: bool) -> Made {
        let before = self.turn.obligation_before(&self.rules, index);
        let clause = self.clause_of(&self.turn, &before);
        // What the hand lets go is fixed by the release; the touch of that same piece says less.
        let itself = match &before.because {
            Because::Touched { squares, .. } => {
                squares.len() == 1 && squares.first().copied() == from_square(mv)
            }
            _ => before.rule == Clause::Free,
        };
        let own = matches!(before.rule, Clause::Own | Clause::Free);
        let several = self.rules.points.at_once == AtOnce::EitherReviewed
            && allowed
            && rests_on_several(&self.turn.board, &self.turn.by_touches(&self.rules));
        Made {
            mv,
            event: index,
            completed: false,
            clause: if by_release && own && itself {
                Clause::Release
            } else {
                self.turn.asked.unwrap_or(clause)
            },
            before_clock: self.was_before_clock(&self.turn, before.cause()),
            several,
            replaces: self.turn.illegal.filter(|i| i.completed).map(|i| i.clause),
            corrects: self.turn.notes.corrected || self.turn.illegal.is_some_and(|i| !i.completed),
        }
    }

    /// Begins the opponent's turn after a made move.
    fn pass_turn(&mut self, next: Chess, made: Made) {
        let spare = self.last.take().map(|l| l.log.groups).unwrap_or_default();
        let opponent = next.turn();
        let state = TurnState::reusing(next, opponent, spare);
        let mut done = std::mem::replace(&mut self.turn, state);
        done.restore();
        done.illegal = None;
        done.made = Some(made);
        self.last = Some(done);
        self.turns += 1;
    }

    // ---- breaches

    fn record(
        &mut self,
        code: BreachCode,
        clause: Clause,
        player: Color,
        cause: Option<usize>,
        at: usize,
    ) {
        self.breaches.push(Breach {
            code,
            clause,
            article: self.edition().article(clause),
            player,
            played: None,
            obliged: Vec::new(),
            squares: Vec::new(),
            cause,
            at,
            status: BreachStatus::Open,
            turn: self.turns,
            confirmed: false,
            before_clock: false,
            spared: None,
        });
    }

    fn record_broken(&mut self, index: usize, mv: Move, bound: &Bound) {
        let code = BreachCode::of(bound.rule);
        let upheld = |b: &Breach| b.status == BreachStatus::Upheld && b.turn == self.turns;
        self.turn.notes.refused |= self.breaches.iter().any(upheld);
        let before_clock = self.was_before_clock(&self.turn, bound.cause());
        self.record(code, bound.rule, self.player(), bound.cause(), index);
        let board = &self.turn.board;
        if let Some(breach) = self.breaches.last_mut() {
            breach.played = Some(board.uci(mv));
            breach.obliged = board.write(bound.moves).to_vec();
            breach.before_clock = before_clock;
            if let Because::Touched { squares, .. } = &bound.because {
                breach.squares = squares.to_vec();
            }
        }
    }
}
