//! Who plays: of the game that is on, or of a board's next one.

use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{Change, Store, StoreError};

/// Longest name, characters.
const LONGEST: usize = 80;
/// Longest word for a round, characters.
const LONGEST_ROUND: usize = 20;

/// The players of a game; what is not known is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Players {
    /// Who has the white pieces.
    pub white: String,
    /// Who has the black pieces.
    pub black: String,
    /// Which round, as the tournament calls it.
    pub round: String,
}

impl Players {
    /// The same without spaces around.
    ///
    /// # Errors
    /// A sentence, for what is no name.
    pub fn checked(self) -> Result<Self, String> {
        let name = |text: &str, longest| {
            let text = text.trim();
            let fits = text.chars().count() <= longest && !text.chars().any(char::is_control);
            let why = || format!("\"{text}\": at most {longest} characters on one line");
            fits.then(|| text.to_owned()).ok_or_else(why)
        };
        Ok(Self {
            white: name(&self.white, LONGEST)?,
            black: name(&self.black, LONGEST)?,
            round: name(&self.round, LONGEST_ROUND)?,
        })
    }
}

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

/// Who plays the game that now begins, from the board's pairing, which that uses up.
pub(super) fn take_pairing(c: &Change<'_>, board: i64) -> Result<Players, StoreError> {
    let take = "DELETE FROM pairings WHERE board = ? RETURNING white, black, round";
    let players = c.tx.query_row(take, [board], |r| {
        Ok(Players {
            white: r.get(0)?,
            black: r.get(1)?,
            round: r.get(2)?,
        })
    });
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
    } = players;
    let present = open.filter(|(_, begun)| which == Which::Present || !begun);
    let named = match present {
        Some((game, _)) => {
            let set = "UPDATE games SET white = ?, black = ?, round = ? WHERE id = ?";
            c.tx.execute(set, params![white, black, round, game])?;
            Named::Present
        }
        None => {
            c.tx.execute(
                "INSERT INTO pairings (board, white, black, round) VALUES (?, ?, ?, ?)
                 ON CONFLICT (board) DO UPDATE SET white = excluded.white,
                 black = excluded.black, round = excluded.round",
                params![board, white, black, round],
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
        let find = "SELECT white, black, round FROM pairings WHERE board = ?";
        let found = self.connection().query_row(find, [board], |r| {
            Ok(Players {
                white: r.get(0)?,
                black: r.get(1)?,
                round: r.get(2)?,
            })
        });
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
        assert_eq!(playing(&store, board), "Anna");
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
    }
}
