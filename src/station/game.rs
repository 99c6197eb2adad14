//! One game that is being watched: each frame goes through the steps of a recording; what comes of
//! it is stored, and then shown.

use std::{sync::Arc, time::Instant};

use serde_json::json;
use shakmaty::{Chess, EnPassantMode, Position, fen::Fen, uci::UciMove};

use super::{
    Common,
    board::{BoardError, size},
    evidence,
    hub::{Answer, Board, State},
    live::LiveFrame,
    store::games::{Game, TurnFound},
};
use crate::{
    calibration::view::BoardView,
    events::{Announcement, CorrectionError, Engine, Findings, Setup, position_from_fen},
    review::Looking,
    rules::Edition,
    vision::perception::Perception,
};

/// A board that is not seen for this long is said not to be, milliseconds: a knock or a lamp takes less.
const NOT_SEEN_MS: f64 = 500.0;
/// Turns that may still change: the last one is revised, and the one before read anew with it.
const OPEN_TURNS: usize = 2;
/// From the last frame that an incident needs until it is certainly on disk, milliseconds.
const SETTLED_MS: f64 = 300.0;

/// A game that is being watched.
pub(super) struct Watched {
    common: Arc<Common>,
    board: Arc<Board>,
    name: String,
    id: i64,
    engine: Engine,
    looking: Looking,
    /// Pictures' width and height, pixels.
    size: (i32, i32),
    game: Game,
    /// Position after each turn of this watch, the first where it began.
    positions: Vec<Chess>,
    /// Turns as they were told.
    told: Vec<Findings>,
    /// Time zero of the engine, milliseconds since 1970: that of the first frame.
    zero_ms: Option<f64>,
    /// Since when the board is not seen, by the engine's time.
    unseen_ms: Option<f64>,
    /// Incidents whose frames are still to be kept, and from when they are complete.
    pending: Vec<(i64, f64)>,
}

impl Watched {
    /// Begins a game, or goes on with it, in the position that stands.
    pub(super) fn begin(
        (common, board): (Arc<Common>, Arc<Board>),
        game: Game,
        start: Chess,
        edition: Edition,
        view: BoardView,
        perception: Perception,
    ) -> Self {
        common.hub.update(&board, |snapshot| {
            snapshot.game = Some(game.id);
            snapshot.players = game.players.clone();
            snapshot.sign = None;
            snapshot.next = None;
            snapshot.fen = game.fen().to_owned();
            snapshot.moves = game.moves.iter().map(|m| m.san.clone()).collect();
            snapshot.last = game.moves.last().map(|m| m.uci.clone());
        });
        let engine = Engine::new(&Setup {
            view: view.clone(),
            start: start.clone(),
            edition,
        });
        let now = board.snapshot();
        Self {
            common,
            board,
            name: now.name,
            id: now.id,
            engine,
            size: (view.width_px as i32, view.height_px as i32),
            looking: Looking::new(view, perception),
            game,
            positions: vec![start],
            told: Vec::new(),
            zero_ms: None,
            unseen_ms: None,
            pending: Vec::new(),
        }
    }

    /// Looks at a frame; tells what the board is doing, unless that is not clear yet.
    pub(super) fn frame(&mut self, frame: &LiveFrame) -> Result<Option<State>, BoardError> {
        if size(&frame.image) != self.size {
            return Err(BoardError::Resized);
        }
        let zero_ms = *self.zero_ms.get_or_insert(frame.t_ms);
        let t_ms = frame.t_ms - zero_ms;
        let begun = Instant::now();
        let noted = self.board.announced().into_iter();
        let announced = noted.map(|at_ms| Announcement::by_hand(at_ms - zero_ms));
        let seen = self
            .looking
            .step(&frame.image, t_ms, announced.collect(), &mut self.engine)?;
        self.tell_turns(zero_ms)?;
        let step_s = begun.elapsed().as_secs_f64();
        let delay_s = (self.common.clock.now_ms() - frame.t_ms) / 1000.0;
        self.common.metrics.looked(&self.name, step_s, delay_s);
        if seen.disturbed {
            let since_ms = *self.unseen_ms.get_or_insert(t_ms);
            return Ok((t_ms - since_ms >= NOT_SEEN_MS).then_some(State::NotSeen));
        }
        self.unseen_ms = None;
        let sign = self.engine.result_sign().map(|s| s.result.clone());
        self.common
            .hub
            .update(&self.board, |snapshot| snapshot.sign = sign);
        Ok(Some(self.state()))
    }

    /// Whether a hand is over the board, or something hides it.
    pub(super) fn moving(&self) -> bool {
        self.unseen_ms.is_some() || self.engine.hand_over_board()
    }

    fn state(&self) -> State {
        if self.engine.hand_over_board() {
            return State::Hand;
        }
        let squares = self.engine.out_of_step();
        if squares.is_empty() {
            State::Playing
        } else {
            State::OutOfStep {
                squares: squares.iter().map(ToString::to_string).collect(),
            }
        }
    }

    /// Stores and tells turns that are new or have changed.
    fn tell_turns(&mut self, zero_ms: f64) -> Result<(), BoardError> {
        let mut changed = false;
        for index in self.told.len().saturating_sub(OPEN_TURNS)..self.engine.move_count() {
            let Some(found) = self.engine.turn(index) else {
                break;
            };
            changed |= self.told.get(index).is_none_or(|old| !same(old, &found));
            if changed {
                self.tell_turn(zero_ms, index, found)?;
            }
        }
        if changed {
            let moves = self.told.iter().flat_map(|t| &t.moves);
            let last = moves.clone().last().map(|m| m.uci.clone());
            let before = self.game.moves.iter().map(|m| m.san.clone());
            let sans = before.chain(moves.map(|m| m.san.clone())).collect();
            let now = fen(self.engine.position());
            self.common.hub.update(&self.board, |snapshot| {
                snapshot.fen = now;
                snapshot.moves = sans;
                snapshot.last = last;
            });
        }
        Ok(())
    }

    fn tell_turn(&mut self, zero_ms: f64, index: usize, found: Findings) -> Result<(), BoardError> {
        self.told.truncate(index);
        self.positions.truncate(index + 1);
        let Some(before) = self.positions.last() else {
            return Ok(());
        };
        let after = if index + 1 == self.engine.move_count() {
            self.engine.position().clone()
        } else {
            played(before, &found)
        };
        let shown = self.common.store.record_turn(&TurnFound {
            game: self.game.id,
            ply: (self.game.moves.len() + index) as u32,
            zero_ms,
            found: &found,
            before: &fen(before),
            after: &fen(&after),
        })?;
        for id in shown {
            let incident = self.common.store.incident(id)?;
            let (board, severity) = (&self.name, incident.severity);
            tracing::info!(%board, incident = id, ?severity, "an incident came");
            let complete_ms = evidence::complete_ms(&incident) + SETTLED_MS;
            self.pending.push((id, complete_ms));
        }
        self.positions.push(after);
        self.told.push(found);
        Ok(())
    }

    /// A person says which position stands.
    ///
    /// # Errors
    /// [`BoardError`] when it cannot be stored; what cannot be done is the answer.
    pub(super) fn stands(&mut self, fen: &str, who: &str) -> Result<Answer, BoardError> {
        let position = match position_from_fen(fen) {
            Ok(position) => position,
            Err(why) => return Ok(Err(why)),
        };
        let ply = self.game.moves.len() + self.engine.move_count();
        self.common
            .store
            .set_position(self.game.id, ply, fen, who)?;
        self.engine.stands(&position);
        self.show(&position, None);
        if let Some(last) = self.positions.last_mut() {
            *last = position;
        }
        Ok(Ok(()))
    }

    /// A person says what the last move was.
    ///
    /// # Errors
    /// As [`Self::stands`].
    pub(super) fn correct_last(&mut self, uci: &UciMove, who: &str) -> Result<Answer, BoardError> {
        let count = self.engine.move_count();
        let Some((zero_ms, before)) = self.zero_ms.zip(self.before_last()) else {
            return Ok(Err(CorrectionError::NoMove.to_string()));
        };
        let Ok(instead) = uci.to_move(&before) else {
            return Ok(Err(CorrectionError::Illegal.to_string()));
        };
        if let Err(error) = self.engine.correct_last(&instead) {
            return Ok(Err(error.to_string()));
        }
        let ply = self.game.moves.len() + count - 1;
        let body = json!({"game": self.game.id, "ply": ply, "uci": uci.to_string()});
        self.common.store.note("move_corrected", who, body)?;
        self.tell_turns(zero_ms)?;
        Ok(Ok(()))
    }

    /// The position before the last move of this watch.
    fn before_last(&self) -> Option<Chess> {
        let last = self.engine.move_count().checked_sub(1)?;
        self.positions.get(last).cloned()
    }

    fn show(&self, position: &Chess, last: Option<String>) {
        let now = fen(position);
        self.common.hub.update(&self.board, |snapshot| {
            snapshot.fen = now;
            snapshot.last = last;
        });
    }

    /// Keeps the frames of incidents whose last frame is on disk by now.
    pub(super) fn keep_pending(&mut self, now_ms: f64) {
        let (common, board) = (&self.common, self.id);
        self.pending.retain(|(id, complete_ms)| {
            let ripe = now_ms >= *complete_ms;
            if ripe {
                evidence::keep(common, board, *id);
            }
            !ripe
        });
    }
}

fn same(a: &Findings, b: &Findings) -> bool {
    a.moves == b.moves && a.incidents == b.incidents && a.contacts == b.contacts
}

/// The position after a turn; after one that cannot be played, the same.
fn played(before: &Chess, found: &Findings) -> Chess {
    let mut after = before.clone();
    let uci = found
        .moves
        .first()
        .and_then(|m| m.uci.parse::<UciMove>().ok());
    if let Some(m) = uci.and_then(|u| u.to_move(before).ok()) {
        after.play_unchecked(m);
    }
    after
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}
