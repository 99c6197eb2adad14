//! One board, watched on a thread of its own: found, prepared, looked at frame by frame. Whatever
//! fails is shown and tried again, and stops no other board.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::Ordering},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use opencv::core::{Mat, MatTraitConst};
use serde_json::json;
use shakmaty::{Chess, Position};

use super::{
    Common,
    config::{BoardConfig, Place},
    footage::Recorder,
    footage_folder,
    game::Watched,
    hub::{Board, Command, Picture, Placed, Snapshot, State},
    live::{Live, LiveFrame, STALL, Silence, Sink},
    picture::{Change, PictureWatch},
    place,
    pressure::Share,
    source::Source,
    store::{StoreError, games::Game},
};
use crate::{
    calibration::Refusal,
    events::position_from_fen,
    media::{self, MediaError},
    review::{self, Calibrated, SetupError},
    rules::Edition,
    vision::{VisionError, perception::Perception},
};

/// Pictures by which a live board is looked for, and their distance in time.
const PICTURES: usize = 8;
/// See [`PICTURES`].
const PICTURE_STEP: Duration = Duration::from_millis(150);
/// How long a frame is waited for before commands are looked at.
const PATIENCE: Duration = Duration::from_millis(200);
/// Wait before a board that was not accepted is looked for again.
const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// Wait after a failure of the program itself.
const AFTER_FAILURE: Duration = Duration::from_secs(5);
/// Wait before frames are kept again after that failed.
const RECORD_AGAIN: Duration = Duration::from_secs(10);
/// Said when a position or a move is of no game.
const NO_GAME: &str = "no game is being played on this board: begin one";
/// Said when a move is of a game that is not being watched.
const NOT_WATCHED: &str =
    "the board is not being watched now: set the position that stands instead";

/// Why a board cannot be watched now.
#[derive(Debug, thiserror::Error)]
pub(super) enum BoardError {
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Vision(#[from] VisionError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{0}")]
    Place(String),
    #[error("{0}")]
    Position(String),
    #[error("the camera's pictures have another size now: the board is looked for again")]
    Resized,
}

/// Why watching ended without a fault.
enum Ending {
    /// The recording is over.
    Over,
    /// A new game was asked for.
    NewGame,
    /// The board is to be looked for again.
    LookAgain,
    /// The station stops.
    Stop,
}

/// Watches one board.
pub(super) struct Worker {
    common: Arc<Common>,
    id: i64,
    config: BoardConfig,
    laws: Edition,
    board: Arc<Board>,
    /// The running camera; recordings are opened for each game.
    live: Option<Live>,
    /// FEN of where the next game begins.
    start_fen: String,
}

/// A board that was found and whose pieces are known.
struct Prepared {
    calibrated: Calibrated,
    perception: Perception,
    /// The game that goes on, or where a new one begins.
    game: Result<Game, Chess>,
}

impl Worker {
    /// Begins to watch.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn start(
        common: Arc<Common>,
        id: i64,
        board: &BoardConfig,
        laws: Edition,
    ) -> Result<JoinHandle<()>, StoreError> {
        let game = common.store.open_game(id)?;
        let shared = common.hub.add(Snapshot {
            id,
            name: board.name.clone(),
            state: State::Starting,
            since_ms: common.clock.now_ms(),
            fen: game
                .as_ref()
                .map_or(board.start_fen.as_str(), |g| g.fen())
                .to_owned(),
            moves: game
                .iter()
                .flat_map(|g| &g.moves)
                .map(|m| m.san.clone())
                .collect(),
            last: None,
            game: game.as_ref().map(|g| g.id),
            players: game.map(|g| g.players).unwrap_or_default(),
            next: common.store.pairing(id)?,
            doubts: Vec::new(),
            not_recording: None,
            sign: None,
            space: None,
        });
        let worker = Self {
            common,
            id,
            config: board.clone(),
            laws,
            board: shared,
            live: None,
            start_fen: board.start_fen.clone(),
        };
        Ok(thread::spawn(move || worker.run()))
    }

    fn run(mut self) {
        while !self.stopped() {
            let ended = catch_unwind(AssertUnwindSafe(|| self.watch()));
            match ended {
                Ok(Ok(Ending::Stop)) => return,
                Ok(Ok(Ending::NewGame | Ending::LookAgain)) => {}
                Ok(Ok(Ending::Over)) => self.rest(),
                Ok(Err(error)) => {
                    tracing::info!(board = %self.config.name, %error, "the board is not being watched");
                    self.state(State::Looking {
                        why: Some(error.to_string()),
                    });
                    self.pause(LOOK_AGAIN);
                }
                Err(_) => {
                    tracing::error!(board = %self.config.name, "watching this board failed");
                    self.state(State::Failed {
                        why: "the program failed on this board: it is tried again".to_owned(),
                    });
                    self.pause(AFTER_FAILURE);
                }
            }
        }
    }

    /// A recording that is over: again at once if it is looped, else when it is told to.
    fn rest(&mut self) {
        if matches!(self.config.source, Source::Recording { looped: true, .. }) {
            return;
        }
        self.state(State::Over);
        while !self.stopped() {
            let Some(order) = self.board.told() else {
                thread::sleep(PATIENCE);
                continue;
            };
            match &order.command {
                Command::NewGame { start, .. } => self.next_begins(start.as_deref()),
                Command::LookAgain => {}
                Command::Position { .. } | Command::LastMove { .. } => {
                    order.answer(Err(NO_GAME.to_owned()));
                    continue;
                }
            }
            return order.answer(Ok(()));
        }
    }

    fn stopped(&self) -> bool {
        self.common.hub.stopped() || self.board.stopped()
    }

    /// Where the next game begins; without a word, where this board's games do.
    fn next_begins(&mut self, fen: Option<&str>) {
        self.start_fen = fen.unwrap_or(&self.config.start_fen).to_owned();
    }

    fn pause(&self, length: Duration) {
        let until = Instant::now() + length;
        while !self.stopped() && Instant::now() < until {
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn state(&self, state: State) {
        let now_ms = self.common.clock.now_ms();
        self.common.hub.update(&self.board, |snapshot| {
            if snapshot.state != state {
                snapshot.state = state;
                snapshot.since_ms = now_ms;
            }
        });
    }

    /// From looking for the board to the end of the game.
    fn watch(&mut self) -> Result<Ending, BoardError> {
        let mut obeyed = None;
        let prepared = if self.config.source.is_recording() {
            if let Some(ending) = self.interrupted(None)? {
                return Ok(ending);
            }
            self.prepare_recording()?
        } else {
            match self.prepare_camera(&mut obeyed)? {
                Some(prepared) => prepared,
                None => return Ok(obeyed.unwrap_or(Ending::Stop)),
            }
        };
        self.board.set_place(Placed {
            corners: prepared.calibrated.view.corners,
            lens: prepared.calibrated.view.lens(),
        });
        let doubts = prepared.calibrated.shortcomings().into_iter();
        let doubts = doubts
            .chain(prepared.calibrated.doubts.iter().map(ToString::to_string))
            .collect();
        self.common
            .hub
            .update(&self.board, |snapshot| snapshot.doubts = doubts);
        let live = match self.live.take() {
            Some(live) => live,
            None => self.open(),
        };
        let ending = self.play(&live, prepared);
        if !self.config.source.is_recording() {
            self.live = Some(live);
        }
        ending
    }

    /// Opens the source; each of its frames is shown and kept.
    fn open(&self) -> Live {
        let (common, board, id) = (Arc::clone(&self.common), Arc::clone(&self.board), self.id);
        let folder = footage_folder(&common.data, id);
        let mut recorder: Option<Recorder> = None;
        let mut failed: Option<Instant> = None;
        let sink: Sink = Box::new(move |frame: &LiveFrame| {
            board.show(Picture {
                t_ms: frame.t_ms,
                jpeg: Arc::clone(&frame.jpeg),
            });
            if failed.is_some_and(|at| at.elapsed() < RECORD_AGAIN) {
                return;
            }
            let begun = Instant::now();
            let kept = match recorder.take() {
                Some(recorder) => Ok(recorder),
                None => Recorder::open(&folder),
            };
            let kept = kept.and_then(|mut r| r.push(frame).map(|()| r));
            board.counts.record.add(begun.elapsed());
            let why = match kept {
                Ok(open) => {
                    recorder = Some(open);
                    failed = None;
                    None
                }
                Err(error) => {
                    failed = Some(Instant::now());
                    Some(error.to_string())
                }
            };
            if let Some(error) = &why {
                tracing::error!(board = id, %error, "frames are not being kept");
            }
            common
                .hub
                .update(&board, |snapshot| snapshot.not_recording = why);
        });
        let counts = Arc::clone(&self.board.counts);
        Live::open(&self.config.source, self.common.clock, counts, sink)
    }

    fn looking(&self) {
        let why = match self.board.snapshot().state {
            State::Looking { why } => why,
            _ => None,
        };
        self.state(State::Looking { why });
    }

    /// A recording waits for its board: all of it is a new game.
    fn prepare_recording(&mut self) -> Result<Prepared, BoardError> {
        self.looking();
        let Source::Recording { path, .. } = &self.config.source else {
            return Err(BoardError::Position(
                "this source is no recording".to_owned(),
            ));
        };
        let path = path.clone();
        let start = position_from_fen(&self.start_fen).map_err(BoardError::Position)?;
        let first = media::open(&path).map_err(SetupError::from)?;
        let size = (first.info().width_px, first.info().height_px);
        drop(first);
        self.show_first(&path)?;
        let given = self.given(size)?;
        let mut calibrated = review::calibrate(&path, given, start.board(), &self.common.models)?;
        let perception = review::prepare(&mut calibrated, start.board(), &self.common.models)?;
        Ok(Prepared {
            calibrated,
            perception,
            game: Err(start),
        })
    }

    /// The first picture of a recording, to be seen while its board is looked for.
    fn show_first(&self, path: &std::path::Path) -> Result<(), BoardError> {
        let failed = |e: MediaError| BoardError::from(SetupError::from(e));
        let Some(frame) = media::open(path)
            .map_err(failed)?
            .next_frame()
            .map_err(failed)?
        else {
            return Ok(());
        };
        let jpeg = super::live::jpeg(&frame.image).map_err(VisionError::from)?;
        self.board.show(Picture {
            t_ms: self.common.clock.now_ms(),
            jpeg: jpeg.into(),
        });
        Ok(())
    }

    fn given(
        &self,
        (width_px, height_px): (u32, u32),
    ) -> Result<
        Option<(
            crate::calibration::view::Corners,
            crate::calibration::lens::Lens,
        )>,
        BoardError,
    > {
        // What was dragged on the page is newer than what the station was started with.
        let dragged = place::kept(&self.common.data, self.id);
        let dragged = dragged.map_err(|e| BoardError::Place(e.to_string()))?;
        let dragged = dragged.map(|file| Place::File(Box::new(file)));
        let place = dragged.as_ref().or(self.config.place.as_ref());
        let given = place.map(|p| p.at(width_px, height_px)).transpose();
        given.map_err(BoardError::Place)
    }

    /// Looks for a camera's board: with the game that was being played, else at the start. None
    /// when something else is to be done, which `obeyed` then tells.
    fn prepare_camera(
        &mut self,
        obeyed: &mut Option<Ending>,
    ) -> Result<Option<Prepared>, BoardError> {
        self.looking();
        let live = match self.live.take() {
            Some(live) => live,
            None => self.open(),
        };
        let pictures = self.collect(&live, obeyed);
        self.live = Some(live);
        let Some(pictures) = pictures? else {
            return Ok(None);
        };
        let start = position_from_fen(&self.start_fen).map_err(BoardError::Position)?;
        let game = self.common.store.open_game(self.id)?;
        if let Some(game) = game
            && let Ok(position) = position_from_fen(game.fen())
        {
            match self.find(&pictures, &position) {
                // Another game may have begun meanwhile.
                Err(BoardError::Setup(SetupError::Refused(Refusal::NotStartPosition {
                    ..
                }))) if position.board() != start.board() => {}
                found => {
                    let (calibrated, perception) = found?;
                    return Ok(Some(Prepared {
                        calibrated,
                        perception,
                        game: Ok(game),
                    }));
                }
            }
        }
        let (calibrated, perception) = self.find(&pictures, &start)?;
        Ok(Some(Prepared {
            calibrated,
            perception,
            game: Err(start),
        }))
    }

    fn find(
        &self,
        pictures: &[Mat],
        position: &Chess,
    ) -> Result<(Calibrated, Perception), BoardError> {
        let size = pictures.first().map_or((0, 0), |p| {
            (p.cols().unsigned_abs(), p.rows().unsigned_abs())
        });
        let given = self.given(size)?;
        let models = &self.common.models;
        let mut calibrated =
            review::calibrate_pictures(pictures.to_vec(), given, position.board(), models)?;
        let perception = review::prepare(&mut calibrated, position.board(), models)?;
        Ok((calibrated, perception))
    }

    /// A few pictures of a running camera, all of one size.
    fn collect(
        &mut self,
        live: &Live,
        obeyed: &mut Option<Ending>,
    ) -> Result<Option<Vec<Mat>>, BoardError> {
        let mut pictures: Vec<Mat> = Vec::new();
        while pictures.len() < PICTURES {
            if let Some(ending) = self.interrupted(None)? {
                *obeyed = Some(ending);
                return Ok(None);
            }
            match live.next(PATIENCE) {
                Ok(frame) => {
                    if pictures
                        .first()
                        .is_some_and(|p| size(p) != size(&frame.image))
                    {
                        pictures.clear();
                    }
                    if matches!(self.board.snapshot().state, State::CameraLost { .. }) {
                        self.state(State::Looking { why: None });
                    }
                    pictures.push((*frame.image).clone());
                    self.pause(PICTURE_STEP);
                }
                Err(Silence::Lost(why)) => self.state(State::CameraLost { why }),
                Err(Silence::Waiting | Silence::Ended) => {}
            }
        }
        Ok(Some(pictures))
    }

    /// Obeys what the board was told to do; tells whether something else is to be done then.
    fn interrupted(&mut self, watched: Option<&mut Watched>) -> Result<Option<Ending>, BoardError> {
        if self.stopped() {
            return Ok(Some(Ending::Stop));
        }
        let Some(order) = self.board.told() else {
            return Ok(None);
        };
        let (answer, ending) = match (&order.command, watched) {
            (Command::NewGame { who, result, start }, _) => {
                self.common.store.end_game(self.id, *result, who)?;
                self.next_begins(start.as_deref());
                (Ok(()), Some(Ending::NewGame))
            }
            (Command::LookAgain, _) => (Ok(()), Some(Ending::LookAgain)),
            (Command::Position { who, fen }, Some(watched)) => (watched.stands(fen, who)?, None),
            (Command::Position { who, fen }, None) => match self.common.store.open_game(self.id)? {
                Some(game) => {
                    let ply = game.moves.len();
                    self.common.store.set_position(game.id, ply, fen, who)?;
                    (Ok(()), Some(Ending::LookAgain))
                }
                None => (Err(NO_GAME.to_owned()), None),
            },
            (Command::LastMove { who, uci }, Some(watched)) => {
                (watched.correct_last(uci, who)?, None)
            }
            (Command::LastMove { .. }, None) => (Err(NOT_WATCHED.to_owned()), None),
        };
        order.answer(answer);
        Ok(ending)
    }

    fn begin(&self, prepared: Prepared) -> Result<Watched, BoardError> {
        let (game, start) = match prepared.game {
            Ok(game) => {
                let start = position_from_fen(game.fen()).map_err(BoardError::Position)?;
                (game, start)
            }
            Err(start) => {
                let (laws, fen) = (self.laws.to_string(), &self.start_fen);
                let now_ms = self.common.clock.now_ms();
                let game = self.common.store.begin_game(self.id, fen, &laws, now_ms)?;
                (game, start)
            }
        };
        let edition = game.laws.parse().unwrap_or(self.laws);
        let of = (Arc::clone(&self.common), Arc::clone(&self.board));
        let view = prepared.calibrated.view;
        Ok(Watched::begin(
            of,
            game,
            start,
            edition,
            view,
            prepared.perception,
        ))
    }

    /// Watches a game until something ends it.
    fn play(&mut self, live: &Live, prepared: Prepared) -> Result<Ending, BoardError> {
        let mut watched = self.begin(prepared)?;
        self.state(State::Playing);
        let ending = self.follow(live, &mut watched);
        watched.keep_pending(f64::INFINITY);
        ending
    }

    fn follow(&mut self, live: &Live, watched: &mut Watched) -> Result<Ending, BoardError> {
        let mut heard_ms = self.common.clock.now_ms();
        let mut share = Share::default();
        let mut pictures = PictureWatch::default();
        loop {
            if let Some(ending) = self.interrupted(Some(&mut *watched))? {
                return Ok(ending);
            }
            match live.next(PATIENCE) {
                Ok(frame) => {
                    self.heard_again(&mut heard_ms, frame.t_ms)?;
                    if let Some(change) = pictures.look(&frame.image, frame.t_ms) {
                        self.changed(change)?;
                    }
                    if let Some(state) = watched.frame(&frame)? {
                        self.state(state);
                    }
                    watched.keep_pending(frame.t_ms);
                    self.make_way(&mut share, watched);
                }
                Err(Silence::Waiting) => watched.keep_pending(self.common.clock.now_ms()),
                Err(Silence::Lost(why)) => self.state(State::CameraLost { why }),
                Err(Silence::Ended) => {
                    self.common.store.end_game(self.id, None, "")?;
                    return Ok(Ending::Over);
                }
            }
        }
    }

    /// A camera's board on which nothing moves waits, if one with a hand over it cannot keep up.
    fn make_way(&self, share: &mut Share, watched: &Watched) {
        if self.config.source.is_recording() {
            return;
        }
        let dropped = self.board.counts.dropped.load(Ordering::Relaxed);
        let now_ms = self.common.clock.now_ms();
        let wait = share.after(&self.common.pressure, watched.moving(), dropped, now_ms);
        if !wait.is_zero() {
            self.pause(wait);
        }
    }

    /// That the camera's picture changed is noted.
    fn changed(&self, change: Change) -> Result<(), BoardError> {
        tracing::info!(board = %self.config.name, ?change, "the camera's picture changed");
        let body = json!({"board": self.id, "change": change});
        Ok(self.common.store.note("picture", "", body)?)
    }

    /// A gap in what was seen is told.
    fn heard_again(&self, heard_ms: &mut f64, t_ms: f64) -> Result<(), BoardError> {
        let gap_ms = t_ms - *heard_ms;
        if gap_ms > STALL.as_secs_f64() * 1000.0 {
            let body = json!({"board": self.id, "from_ms": *heard_ms, "to_ms": t_ms});
            self.common.store.note("gap", "", body)?;
        }
        *heard_ms = t_ms;
        Ok(())
    }
}

pub(super) fn size(image: &Mat) -> (i32, i32) {
    (image.cols(), image.rows())
}
