//! Boards come and go while the station runs.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::JoinHandle,
};

use super::{
    Common,
    board::Worker,
    config::{BoardConfig, Config},
    store::{StoreError, boards::Added},
};
use crate::rules::Edition;

/// The boards' threads, and what all boards have in common.
pub(super) struct Fleet {
    laws: Edition,
    workers: Mutex<BTreeMap<i64, JoinHandle<()>>>,
}

impl Fleet {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            laws: config.laws,
            workers: Mutex::default(),
        }
    }

    fn workers(&self) -> MutexGuard<'_, BTreeMap<i64, JoinHandle<()>>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for all boards to end the frame they are at.
    pub(super) fn join(&self) {
        let all = std::mem::take(&mut *self.workers());
        for worker in all.into_values() {
            // A worker's panic was caught and shown by itself.
            let _ = worker.join();
        }
    }
}

impl Common {
    /// Begins to watch a board.
    pub(super) fn watch(self: &Arc<Self>, id: i64, board: &BoardConfig) -> Result<(), StoreError> {
        let worker = Worker::start(Arc::clone(self), id, board, self.fleet.laws)?;
        self.fleet.workers().insert(id, worker);
        Ok(())
    }

    /// Watches the boards that were added on the page, but for those that are configured.
    pub(super) fn watch_added(
        self: &Arc<Self>,
        configured: &[BoardConfig],
    ) -> Result<(), StoreError> {
        for added in self.store.added_boards()? {
            if configured.iter().any(|b| b.name == added.name) {
                continue;
            }
            let Added {
                name,
                source,
                start_fen,
            } = &added;
            match BoardConfig::given(name, source, Some(start_fen)) {
                Ok(board) => self.watch(self.store.board(name)?, &board)?,
                // Its recording has gone: the others are watched all the same.
                Err(error) => tracing::error!(%error, "a board that was added cannot be watched"),
            }
        }
        Ok(())
    }

    /// Adds a board while the station runs; its number.
    ///
    /// # Errors
    /// [`StoreError::Refused`] when a board of this name is being watched.
    pub fn add_board(
        self: &Arc<Self>,
        board: &BoardConfig,
        added: &Added,
        who: &str,
    ) -> Result<i64, StoreError> {
        let watched = self.hub.boards();
        if watched.iter().any(|b| b.snapshot().name == board.name) {
            return Err(StoreError::Refused("a board of this name is being watched"));
        }
        let id = self
            .store
            .add_board(added, &board.source.to_string(), who)?;
        self.watch(id, board)?;
        Ok(id)
    }

    /// Stops watching a board. Its games and incidents stay; a game that is on goes on if the board
    /// is added again.
    ///
    /// # Errors
    /// [`StoreError::Missing`].
    pub fn remove_board(&self, id: i64, who: &str) -> Result<(), StoreError> {
        let board = self.hub.remove(id).ok_or(StoreError::Missing("board"))?;
        board.stop();
        let worker = self.fleet.workers().remove(&id);
        if let Some(worker) = worker {
            // As in `Fleet::join`.
            let _ = worker.join();
        }
        self.store.remove_board(id, who)
    }
}
