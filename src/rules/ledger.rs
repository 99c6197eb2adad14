//! The ledger: takes events one by one and knows at any moment what binds, what was broken and by
//! which article.
//!
//! A move that is made passes the turn within the same ledger, and a new touch log begins. The
//! turn before stays at hand, since a made move can still be changed, taken back, completed by the
//! clock, or claimed about.

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Position, Role, Square};

use super::breach::{Breach, BreachCode, BreachStatus, EventError, EventProblem, Verdict};
use super::edition::{Clause, Edition, Laws};
use super::event::{Event, TouchFlag};
use super::explain;
use super::obligation::{Because, Mode, Obligation, Owner, king_home, legal_move, uci};
use super::turn::{Illegal, Made, Progress, Released, TurnState};

mod off_move;

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
    edition: Edition,
    turn: TurnState,
    last: Option<TurnState>,
    /// Moves made and not taken back.
    turns: usize,
    /// Events taken so far, those refused included.
    events: usize,
    adjusting: Vec<Color>,
    breaches: Vec<Breach>,
    over: bool,
    deferred: bool,
}

impl Ledger {
    /// A ledger that begins with `position`, before anything was touched.
    pub fn new(position: Chess, edition: Edition) -> Self {
        let player = position.turn();
        Self {
            edition,
            turn: TurnState::new(position, player),
            last: None,
            turns: 0,
            events: 0,
            adjusting: Vec::new(),
            breaches: Vec::new(),
            over: false,
            deferred: false,
        }
    }

    /// Takes the next event. Once the game is over, events change nothing.
    ///
    /// # Errors
    /// An event that cannot have happened (for example, no piece on that square) is refused and
    /// changes nothing but the count of events.
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
    pub fn obligation(&self) -> Obligation {
        self.turn.obligation(self.laws())
    }

    /// The position after the moves made so far; an illegal move is not in it.
    pub const fn position(&self) -> &Chess {
        &self.turn.board.position
    }

    /// Who has the move.
    pub const fn player(&self) -> Color {
        self.turn.board.player
    }

    /// The edition that is applied.
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// Everything broken so far, in order, what was corrected or lost included.
    pub fn breaches(&self) -> &[Breach] {
        &self.breaches
    }

    /// Leaves the outcome to a person: the facts are such that the events alone cannot decide.
    /// From now on the verdict is [`Verdict::Review`]; obligations and breaches go on.
    pub const fn defer(&mut self) {
        self.deferred = true;
    }

    /// Says which position stands now, for example after an illegal move was left on the board.
    /// An illegal move that was pending becomes a breach; a new turn begins.
    pub fn set_position(&mut self, position: Chess) {
        if let Some(illegal) = self.turn.illegal.filter(|i| !i.completed) {
            let player = self.player();
            self.record(
                BreachCode::Illegal,
                illegal.clause,
                player,
                Some(illegal.event),
                illegal.event,
            );
        }
        let player = position.turn();
        self.turn = TurnState::new(position, player);
        self.last = None;
        self.turns += 1;
        self.adjusting.clear();
        self.over = false;
    }

    /// The outcome after the last event.
    pub fn verdict(&self) -> Verdict {
        let with = |s: BreachStatus| self.recent().any(|b| b.code.touch_rules() && b.status == s);
        let illegal = self.turn.illegal.map(|i| i.completed);
        if self.deferred || self.turn.half_castled {
            Verdict::Review
        } else if self.over {
            Verdict::GameOver
        } else if with(BreachStatus::Open) || with(BreachStatus::Upheld) {
            Verdict::Violation
        } else if let Some(completed) = illegal.or_else(|| self.two_hands_illegal()) {
            if completed {
                Verdict::IllegalCompleted
            } else {
                Verdict::IllegalPending
            }
        } else if with(BreachStatus::Lost) {
            Verdict::ClaimLost
        } else if self.irregular() {
            Verdict::Irregularity
        } else {
            self.quiet_verdict()
        }
    }

    /// The outcome where nothing is wrong.
    fn quiet_verdict(&self) -> Verdict {
        if self.turn.log.groups.is_empty() && self.turn.released.is_none() && self.last.is_some() {
            return Verdict::Ok;
        }
        match self.obligation().mode {
            Mode::Free => Verdict::NoObligation,
            Mode::Set | Mode::Forced => Verdict::Pending,
        }
    }

    /// The chain of facts that leads to the obligation and to each breach, in English.
    pub fn explain(&self) -> Vec<String> {
        let mut facts = explain::obligation(self.edition, &self.turn.board, &self.obligation());
        for breach in &self.breaches {
            facts.extend(explain::breach(breach));
        }
        facts
    }

    fn laws(&self) -> &'static Laws {
        self.edition.laws()
    }

    /// Breaches of the turn that is going on and of the two before.
    fn recent(&self) -> impl Iterator<Item = &Breach> {
        self.breaches.iter().filter(|b| b.turn + 2 >= self.turns)
    }

    fn irregular(&self) -> bool {
        let two_hands = !self.laws().two_hands_illegal && self.used_two_hands();
        two_hands || self.recent().any(|b| b.code.discretion())
    }

    fn used_two_hands(&self) -> bool {
        self.last.as_ref().is_some_and(|l| l.two_hands)
    }

    /// Whether two hands count as an illegal move, and whether it was completed.
    fn two_hands_illegal(&self) -> Option<bool> {
        let made = self.last.as_ref().filter(|l| l.two_hands)?.made?;
        self.laws().two_hands_illegal.then_some(made.completed)
    }

    fn dispatch(&mut self, index: usize, event: &Event) -> Outcome {
        let player = event.player();
        match event {
            Event::Adjust { .. } => {
                self.adjusting.push(player);
                Ok(())
            }
            Event::EndAdjust { .. } => {
                self.adjusting.retain(|p| *p != player);
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
        let covered = self.adjusting.contains(&player);
        match event {
            Event::Touch { squares, flag, .. } => return self.touch(index, squares, *flag),
            Event::Lift { square, .. } => {
                self.turn.lift(index, *square, covered)?;
                if !covered {
                    self.lose_claims(player);
                }
                return Ok(());
            }
            Event::Place {
                square, promotion, ..
            } => return self.place(index, *square, *promotion),
            Event::Return { .. } => return self.turn.put_back(),
            Event::Move { uci, two_hands, .. } => return self.whole_move(index, *uci, *two_hands),
            Event::Remove { square, .. } => {
                self.turn.remove(index, *square)?;
                self.lose_claims(player);
            }
            Event::Release {
                square,
                promotion: Some(role),
                ..
            } => {
                self.turn.release_new(index, *square, *role);
            }
            Event::Release { square, .. } => self.turn.release(index, *square)?,
            _ => return Ok(()),
        }
        if let Progress::Made(mv, mark) = self.turn.progress(index) {
            self.make(index, mv, mark);
        }
        Ok(())
    }

    fn touch(&mut self, index: usize, squares: &[Square], flag: TouchFlag) -> Outcome {
        let player = self.player();
        let mut pieces: Vec<(Square, Owner)> = Vec::new();
        for square in squares {
            if self.turn.new_piece.is_some_and(|n| n.square == *square) {
                continue;
            }
            pieces.push(
                self.turn
                    .piece_on(*square)
                    .ok_or(EventProblem::NoPiece(*square))?,
            );
        }
        if self.adjusting.contains(&player) || flag == TouchFlag::Accidental {
            return Ok(());
        }
        if flag == TouchFlag::Centring {
            self.record(
                BreachCode::AdjustNoNotice,
                Clause::Adjust,
                player,
                Some(index),
                index,
            );
            if !self.laws().centring_binds {
                return Ok(());
            }
        }
        self.turn.touch(index, pieces);
        self.lose_claims(player);
        Ok(())
    }

    fn place(&mut self, index: usize, square: Square, promotion: Option<Role>) -> Outcome {
        match promotion {
            Some(role) => self.turn.place_new(self.laws(), index, square, role),
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
        if let Some(mv) = legal_move(&self.turn.board.legal, wanted) {
            self.turn.two_hands |= two_hands;
            self.lose_claims(self.player());
            self.make(index, mv, mark);
            return Ok(());
        }
        let origin = match self.turn.board.owner(from) {
            Some(Owner::Own) => from,
            Some(Owner::Enemy) => return Err(EventProblem::NotOwn(from)),
            None => return Err(EventProblem::NoPiece(from)),
        };
        self.lose_claims(self.player());
        self.turn.touch(index, vec![(origin, Owner::Own)]);
        let promotes = self.turn.moves_between(from, to);
        if promotion.is_none() && !promotes.is_empty() {
            let clause = Clause::ReleasePromotion;
            self.turn.released = Some(Released {
                moves: promotes,
                clause,
                event: index,
            });
            return Ok(());
        }
        if self.turn.board.owner(to) == Some(Owner::Enemy) {
            self.turn.touch(index, vec![(to, Owner::Enemy)]);
        }
        if from == king_home(self.player()) && from.rank() == to.rank() && from.distance(to) == 2 {
            self.turn.log.castling_failed |= self.turn.board.role(from) == Some(Role::King);
        }
        self.turn.restore();
        self.turn.mark_illegal(index);
        Ok(())
    }

    /// A move is made: judges it and passes the turn.
    fn make(&mut self, index: usize, mv: Move, mark: usize) {
        let player = self.player();
        let broken = self.turn.broken_by(self.laws(), mv, mark);
        let mut next = self.turn.board.position.clone();
        next.play_unchecked(mv);
        match &broken {
            Some(obligation) => self.record_broken(index, mv, obligation),
            None => self.correct(self.turns, player),
        }
        if self.turn.two_hands {
            self.record(
                BreachCode::TwoHands,
                Clause::OneHand,
                player,
                Some(index),
                index,
            );
        }
        let kept = broken.is_none() || !self.laws().mate_needs_touch_rules;
        self.over = kept && next.legal_moves().is_empty();
        self.adjusting.retain(|p| *p != player);
        let opponent = next.turn();
        let mut made = std::mem::replace(&mut self.turn, TurnState::new(next, opponent));
        made.restore();
        made.illegal = None;
        made.made = Some(Made {
            mv,
            event: index,
            completed: false,
        });
        self.last = Some(made);
        self.turns += 1;
    }

    // ---- claims and the clock

    /// A touch by a player ends his right to claim about what the opponent broke before.
    fn lose_claims(&mut self, player: Color) {
        for breach in &mut self.breaches {
            if breach.player != player && breach.status == BreachStatus::Open {
                breach.status = BreachStatus::Lost;
            }
        }
    }

    fn claim(&mut self, player: Color) {
        let claimable = |b: &&mut Breach| {
            b.player != player && b.status == BreachStatus::Open && b.code.touch_rules()
        };
        let mut upheld = false;
        for breach in self.breaches.iter_mut().filter(claimable) {
            breach.status = BreachStatus::Upheld;
            upheld = true;
        }
        if upheld && player == self.player() {
            self.reopen();
        }
    }

    fn clock(&mut self, index: usize, player: Color, other_hand: bool) {
        if player == self.player() {
            self.clock_without_move(index);
            return;
        }
        let Some(last) = self.last.as_mut() else {
            return;
        };
        let Some(made) = last.made.as_mut().filter(|m| !m.completed) else {
            return;
        };
        made.completed = true;
        if last.two_hands && self.edition.laws().two_hands_illegal {
            let clause = Clause::TwoHandsCompleted;
            let event = made.event;
            self.record(BreachCode::TwoHands, clause, player, Some(event), index);
        }
        if other_hand {
            self.record(
                BreachCode::ClockOtherHand,
                Clause::ClockHand,
                player,
                None,
                index,
            );
        }
    }

    /// The clock is pressed although no move was made.
    fn clock_without_move(&mut self, index: usize) {
        let laws = self.laws();
        let player = self.player();
        let clause = match (self.turn.illegal, self.turn.released.as_mut()) {
            (Some(illegal), _) if !illegal.completed => illegal.clause,
            (_, Some(r)) if r.clause == Clause::ReleaseCastling => {
                self.turn.half_castled = true;
                return;
            }
            (_, Some(r))
                if r.clause == Clause::ReleasePromotion && self.turn.new_piece.is_none() =>
            {
                if laws.pawn_left_is_queen {
                    r.moves.retain(|m| m.promotion() == Some(Role::Queen));
                }
                Clause::PawnLeft
            }
            (_, Some(r)) if r.clause != Clause::Release => Clause::IllegalMove,
            _ if laws.nothing_moved_illegal => Clause::NothingMoved,
            _ => return,
        };
        self.record(BreachCode::Illegal, clause, player, None, index);
        self.turn.restore();
        self.turn.illegal = Some(Illegal {
            event: index,
            clause,
            completed: true,
        });
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
            article: self.edition.article(clause),
            player,
            played: None,
            obliged: Vec::new(),
            squares: Vec::new(),
            cause,
            at,
            status: BreachStatus::Open,
            turn: self.turns,
        });
    }

    fn record_broken(&mut self, index: usize, mv: Move, obligation: &Obligation) {
        let code = BreachCode::of(obligation.rule);
        self.record(
            code,
            obligation.rule,
            self.player(),
            obligation.cause(),
            index,
        );
        if let Some(breach) = self.breaches.last_mut() {
            breach.played = Some(uci(mv));
            breach.obliged.clone_from(&obligation.moves);
            if let Because::Touched { squares, .. } = &obligation.because {
                breach.squares.clone_from(squares);
            }
        }
    }

    /// The made move of the last turn was changed (none: only withdrawn).
    fn record_release(&mut self, index: usize, to: Option<Move>) {
        let Some((made, player)) = self
            .last
            .as_ref()
            .and_then(|l| Some((l.made?, l.board.player)))
        else {
            return;
        };
        self.record(
            BreachCode::Release,
            Clause::Release,
            player,
            Some(made.event),
            index,
        );
        if let Some(breach) = self.breaches.last_mut() {
            breach.turn = breach.turn.saturating_sub(1);
            breach.played = to.map(uci);
            breach.obliged = vec![uci(made.mv)];
        }
    }

    /// Marks a player's breaches of a turn as put right.
    fn correct(&mut self, turn: usize, player: Color) {
        let standing = |b: &&mut Breach| {
            let open = matches!(b.status, BreachStatus::Open | BreachStatus::Upheld);
            open && b.turn == turn && b.player == player && !b.code.discretion()
        };
        for breach in self.breaches.iter_mut().filter(standing) {
            if breach.code.touch_rules() || breach.code == BreachCode::TwoHands {
                breach.status = BreachStatus::Corrected;
            }
        }
    }

    /// A move that broke the touch rules is taken back: the breach is put right, and the touched
    /// piece binds as before. Whether there was such a breach.
    fn recall_touch_breach(&mut self) -> bool {
        let turn = self.turns.saturating_sub(1);
        let found = self
            .breaches
            .iter()
            .any(|b| b.turn == turn && b.status == BreachStatus::Open && b.code.touch_rules());
        if found {
            self.correct(turn, self.player().other());
        }
        found
    }
}
