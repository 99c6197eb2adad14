//! Who plays: of the game that is on, or of a board's next one.

use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::{Change, Store, StoreError};

pub use crate::broadcast::feed::Players;

/// Which game of a board names are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The one that is on, if there is one; else the next.
    Present,
    /// The next one; or the one that is on, as long as no move was made in it.
    Next,
}

/// For which game names were taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Named {
    /// The one that is on.
    Present,
    /// The next one of this board.
    Next,
}

/// Players from four columns: `white`, `black`, `round` and `tags`, which is JSON.
pub(super) fn read(row: &Row<'_>, first: usize) -> rusqlite::Result<Players> {
    let tags: String = row.get(first + 3)?;
    Ok(Players {
        white: row.get(first)?,
        black: row.get(first + 1)?,
        round: row.get(first + 2)?,
        tags: serde_json::from_str(&tags).unwrap_or_default(),
    })
}

/// Who plays the game that now begins, from the board's pairing, which that uses up.
pub(super) fn take_pairing(c: &Change<'_>, board: i64) -> Result<Players, StoreError> {
    let take = "DELETE FROM pairings WHERE board = ? RETURNING white, black, round, tags";
    let players = c.tx.query_row(take, [board], |r| read(r, 0));
    Ok(players.optional()?.unwrap_or_default())
}

fn name(
    c: &mut Change<'_>,
    board: i64,
    players: &Players,
    which: Which,
    who: &str,
) -> Result<Named, StoreError> {
    let find = "SELECT id, EXISTS (SELECT 1 FROM moves WHERE game = games.id) FROM games
                WHERE board = ? AND ended_ms IS NULL";
    let open: Option<(i64, bool)> =
        c.tx.query_row(find, [board], |r| Ok((r.get(0)?, r.get(1)?)))
            .optional()?;
    let Players {
        white,
        black,
        round,
        tags,
    } = players;
    let tags = json!(tags).to_string();
    let present = open.filter(|(_, begun)| which == Which::Present || !begun);
    let named = match present {
        Some((game, _)) => {
            let set = "UPDATE games SET white = ?, black = ?, round = ?, tags = ? WHERE id = ?";
            c.tx.execute(set, params![white, black, round, tags, game])?;
            Named::Present
        }
        None => {
            c.tx.execute(
                "INSERT INTO pairings (board, white, black, round, tags) VALUES (?, ?, ?, ?, ?)
                 ON CONFLICT (board) DO UPDATE SET white = excluded.white,
                 black = excluded.black, round = excluded.round, tags = excluded.tags",
                params![board, white, black, round, tags],
            )?;
            Named::Next
        }
    };
    let body = json!({"board": board, "players": players, "game": named});
    c.log("players", who, body)?;
    Ok(named)
}

impl Store {
    /// Says who plays on boards, all of it or nothing.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn name_players(
        &self,
        pairings: &[(i64, Players)],
        which: Which,
        who: &str,
    ) -> Result<Vec<Named>, StoreError> {
        self.change(|c| {
            let all = pairings.iter();
            all.map(|(board, players)| name(c, *board, players, which, who))
                .collect()
        })
    }

    /// Who plays a board's next game, if that was said.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn pairing(&self, board: i64) -> Result<Option<Players>, StoreError> {
        let find = "SELECT white, black, round, tags FROM pairings WHERE board = ?";
        let found = self.connection().query_row(find, [board], |r| read(r, 0));
        Ok(found.optional()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        events::Findings,
        record::PlayedMove,
        station::{clock::Clock, store::games::TurnFound},
    };

    fn players(white: &str, black: &str) -> Players {
        Players {
            white: white.to_owned(),
            black: black.to_owned(),
            round: "3".to_owned(),
            tags: [("WhiteElo".to_owned(), "2000".to_owned())].into(),
        }
    }

    fn begin(store: &Store, board: i64) -> i64 {
        let game = store.begin_game(board, "start", "fide-2023", 1e12);
        game.unwrap().id
    }

    fn playing(store: &Store, board: i64) -> String {
        store.open_game(board).unwrap().unwrap().players.white
    }

    #[test]
    fn a_pairing_waits_for_the_next_game_and_is_used_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Clock::start()).unwrap();
        let board = store.board("One").unwrap();
        let next = [(board, players("Anna", "Ben"))];
        let named = store.name_players(&next, Which::Next, "ref").unwrap();
        assert_eq!(named, [Named::Next]);
        begin(&store, board);
        let on = store.open_game(board).unwrap().unwrap();
        assert_eq!(on.players, players("Anna", "Ben"));
        assert_eq!(store.pairing(board).unwrap(), None);
        begin(&store, board);
        assert_eq!(playing(&store, board), "");
    }

    #[test]
    fn once_a_move_was_made_the_next_round_does_not_rename_this_one() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Clock::start()).unwrap();
        let board = store.board("One").unwrap();
        let game = begin(&store, board);
        let say = |name: &str, which| {
            let all = [(board, players(name, "Ben"))];
            store.name_players(&all, which, "ref").unwrap()
        };
        assert_eq!(say("Anna", Which::Next), [Named::Present]);
        let found = Findings {
            moves: vec![PlayedMove {
                uci: "e2e4".to_owned(),
                san: "e4".to_owned(),
                legal: true,
                made_ms: 1.0,
                completed_ms: None,
                inferred: false,
                probability: None,
            }],
            ..Findings::default()
        };
        let turn = TurnFound {
            game,
            ply: 0,
            zero_ms: 1e12,
            found: &found,
            before: "before",
            after: "after",
        };
        store.record_turn(&turn).unwrap();
        assert_eq!(say("Carla", Which::Next), [Named::Next]);
        assert_eq!(playing(&store, board), "Anna");
        assert_eq!(say("Anne", Which::Present), [Named::Present]);
        assert_eq!(playing(&store, board), "Anne");
        begin(&store, board);
        assert_eq!(playing(&store, board), "Carla");
    }

    #[test]
    fn what_is_no_name_is_refused() {
        assert!(players("An\nna", "").checked().is_err());
        assert!(players(&"x".repeat(81), "").checked().is_err());
        assert_eq!(players(" Anna ", "").checked().unwrap().white, "Anna");
        let odd = Players {
            tags: [("WhiteEyes".to_owned(), "blue".to_owned())].into(),
            ..Players::default()
        };
        assert!(odd.checked().unwrap_err().contains("WhiteElo"));
    }
}
