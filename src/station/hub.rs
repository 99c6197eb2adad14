//! What the boards are doing now, for whoever wants to know, and what they are told to do.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
};

use serde::Serialize;
use shakmaty::uci::UciMove;
use tokio::sync::{broadcast, oneshot};
use utoipa::ToSchema;

use super::{
    live::Counts,
    store::{games::GameResult, players::Players},
};
use crate::calibration::{lens::Lens, view::Corners};

/// States that may wait for a follower before it misses some.
const FOLLOWERS_MOST: usize = 256;

/// What a board is doing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum State {
    /// Nothing yet.
    Starting,
    /// The board is being looked for; why it was not accepted before.
    Looking {
        /// A sentence that tells what to do.
        why: Option<String>,
    },
    /// A game is being watched.
    Playing,
    /// A hand is over the board.
    Hand,
    /// The squares do not show what the moves say.
    OutOfStep {
        /// Which squares.
        squares: Vec<String>,
    },
    /// The board is hidden, or was moved and not found again yet.
    NotSeen,
    /// No pictures come.
    CameraLost {
        /// Why, and what to do.
        why: String,
    },
    /// The recording is over.
    Over,
    /// The program itself failed on this board; it is being tried again.
    Failed {
        /// What failed.
        why: String,
    },
}

/// What ends the space for a board's footage first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// The disk is full.
    Disk,
    /// Its share of the disk is full: its oldest footage is deleted from then on.
    Share,
}

/// How long the space for a board's footage lasts, at the rate of the last minutes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct Foreseen {
    /// Hours.
    pub hours_left: f64,
    /// What then is full.
    pub limit: Limit,
    /// It will not last the day.
    pub short: bool,
}

/// A board as it is now.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Snapshot {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// What it is doing.
    pub state: State,
    /// Since when, milliseconds since 1970.
    pub since_ms: f64,
    /// The position that stands.
    pub fen: String,
    /// The moves, SAN.
    pub moves: Vec<String>,
    /// Squares of the last move, as `e2e4`.
    pub last: Option<String>,
    /// Number of the game.
    pub game: Option<i64>,
    /// Who plays it.
    pub players: Players,
    /// What result the kings in the centre show; a person says whether the game ended so.
    pub sign: Option<String>,
    /// Who plays the next one, if that was said.
    pub next: Option<Players>,
    /// What is doubtful about the camera's place, in sentences.
    pub doubts: Vec<String>,
    /// Why frames are not being kept, if they are not.
    pub not_recording: Option<String>,
    /// How long the space for frames lasts, once that can be told.
    pub space: Option<Foreseen>,
}

/// What a board may be told to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// End this game; look for the position in which the next one begins.
    NewGame {
        /// Who says so.
        who: String,
        /// How this one ended.
        result: Option<GameResult>,
        /// FEN of where the next one begins, if not where this board's games do.
        start: Option<String>,
    },
    /// Look for the board again; the game goes on.
    LookAgain,
    /// This position stands; the game goes on from it.
    Position {
        /// Who says so.
        who: String,
        /// FEN.
        fen: String,
    },
    /// The last move was another one.
    LastMove {
        /// Who says so.
        who: String,
        /// The move.
        uci: UciMove,
    },
}

/// What became of a command: a sentence when it cannot be done.
pub type Answer = Result<(), String>;

/// A command, and where its answer goes.
pub struct Order {
    /// What to do.
    pub command: Command,
    answer: oneshot::Sender<Answer>,
}

impl Order {
    /// Says what became of it.
    pub(super) fn answer(self, answer: Answer) {
        // Whoever asked may have gone.
        let _ = self.answer.send(answer);
    }
}

/// One board, as its worker, its reader and the pages share it.
pub struct Board {
    /// Counts of its source.
    pub counts: Arc<Counts>,
    snapshot: Mutex<Snapshot>,
    picture: Mutex<Option<Picture>>,
    order: Mutex<Option<Order>>,
    /// Announcements noted by hand that its worker has not taken in yet, milliseconds since 1970.
    announced_ms: Mutex<Vec<f64>>,
    place: Mutex<Option<Placed>>,
    stop: AtomicBool,
}

/// Where a board lies in its pictures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// Outer corners, pixels.
    pub corners: Corners,
    /// The camera's lens.
    pub lens: Lens,
}

/// The newest picture of a board.
#[derive(Clone)]
pub struct Picture {
    /// Capture time, milliseconds since 1970.
    pub t_ms: f64,
    /// JPEG.
    pub jpeg: Arc<[u8]>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Board {
    /// As it is now.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        lock(&self.snapshot).clone()
    }

    /// Its newest picture.
    #[must_use]
    pub fn picture(&self) -> Option<Picture> {
        lock(&self.picture).clone()
    }

    /// Shows a new picture.
    pub(super) fn show(&self, picture: Picture) {
        *lock(&self.picture) = Some(picture);
    }

    /// Where it lies, once it has been found.
    #[must_use]
    pub fn place(&self) -> Option<Placed> {
        *lock(&self.place)
    }

    /// It has been found.
    pub(super) fn set_place(&self, placed: Placed) {
        *lock(&self.place) = Some(placed);
    }

    /// Tells the board that it is not watched any more.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it is not watched any more.
    pub(super) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Tells the board to do something; what was not yet obeyed is forgotten, and its answer is
    /// never given.
    pub fn tell(&self, command: Command) -> oneshot::Receiver<Answer> {
        let (answer, told) = oneshot::channel();
        *lock(&self.order) = Some(Order { command, answer });
        told
    }

    /// Somebody noted that adjusting was announced at a time, milliseconds since 1970.
    pub fn announce(&self, t_ms: f64) {
        lock(&self.announced_ms).push(t_ms);
    }

    /// The announcements noted since the last time this was asked.
    pub(super) fn announced(&self) -> Vec<f64> {
        std::mem::take(&mut *lock(&self.announced_ms))
    }

    /// What it was told to do, once.
    pub(super) fn told(&self) -> Option<Order> {
        lock(&self.order).take()
    }
}

/// All boards.
pub struct Hub {
    boards: RwLock<BTreeMap<i64, Arc<Board>>>,
    followers: broadcast::Sender<Arc<Snapshot>>,
    stop: AtomicBool,
}

impl Default for Hub {
    fn default() -> Self {
        Self {
            boards: RwLock::default(),
            followers: broadcast::channel(FOLLOWERS_MOST).0,
            stop: AtomicBool::new(false),
        }
    }
}

impl Hub {
    /// Adds a board.
    pub(super) fn add(&self, snapshot: Snapshot) -> Arc<Board> {
        let id = snapshot.id;
        let board = Arc::new(Board {
            counts: Arc::default(),
            snapshot: Mutex::new(snapshot),
            picture: Mutex::default(),
            order: Mutex::default(),
            announced_ms: Mutex::default(),
            place: Mutex::default(),
            stop: AtomicBool::new(false),
        });
        let mut boards = self.boards.write().unwrap_or_else(PoisonError::into_inner);
        boards.insert(id, Arc::clone(&board));
        board
    }

    /// Takes a board out.
    pub(super) fn remove(&self, id: i64) -> Option<Arc<Board>> {
        let mut boards = self.boards.write().unwrap_or_else(PoisonError::into_inner);
        boards.remove(&id)
    }

    /// A board by its number.
    #[must_use]
    pub fn board(&self, id: i64) -> Option<Arc<Board>> {
        let boards = self.boards.read().unwrap_or_else(PoisonError::into_inner);
        boards.get(&id).cloned()
    }

    /// All boards, by number.
    #[must_use]
    pub fn boards(&self) -> Vec<Arc<Board>> {
        let boards = self.boards.read().unwrap_or_else(PoisonError::into_inner);
        boards.values().cloned().collect()
    }

    /// Changes what a board shows, and tells it if it did change.
    pub(super) fn update(&self, board: &Board, change: impl FnOnce(&mut Snapshot)) {
        let mut snapshot = lock(&board.snapshot);
        let before = snapshot.clone();
        change(&mut snapshot);
        if *snapshot != before {
            // Nobody may be following. Sent under the lock: in the order of the changes.
            let _ = self.followers.send(Arc::new(snapshot.clone()));
        }
    }

    /// Each change from now on.
    #[must_use]
    pub fn follow(&self) -> broadcast::Receiver<Arc<Snapshot>> {
        self.followers.subscribe()
    }

    /// Tells all boards to stop.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether to stop.
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
