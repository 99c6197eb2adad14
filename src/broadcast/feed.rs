//! What is public of a station as of a moment: boards, names, moves and results, and nothing else.
//!
//! A [`Feed`] is folded from the station's log, row after row. [`Change::read`] knows the few kinds
//! of rows that are public and what of them is; every other row, an incident's among them, is
//! nothing here. Whoever folds the rows up to a moment has what was public then: that is how a
//! broadcast is delayed.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    game::START_FEN,
    pgn::{self, Entry, GameHeader},
};

/// Longest name, characters.
const LONGEST: usize = 80;
/// Longest word for a round, characters.
const LONGEST_ROUND: usize = 20;

/// The players of a game; what is not known is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "station", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Players {
    /// Who has the white pieces.
    pub white: String,
    /// Who has the black pieces.
    pub black: String,
    /// Which round, as the tournament calls it.
    pub round: String,
    /// What else is said of them, by its name in PGN: `White` or `Black` and one of [`PLAYER_TAGS`].
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
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
        let mut tags = BTreeMap::new();
        for (tag, text) in &self.tags {
            if !player_tags().any(|t| t == *tag) {
                let all: Vec<String> = player_tags().collect();
                return Err(format!("\"{tag}\" is none of {}", all.join(", ")));
            }
            let text = name(text, LONGEST)?;
            if !text.is_empty() {
                tags.insert(tag.clone(), text);
            }
        }
        Ok(Self {
            white: name(&self.white, LONGEST)?,
            black: name(&self.black, LONGEST)?,
            round: name(&self.round, LONGEST_ROUND)?,
            tags,
        })
    }
}

/// The tags that may be said of players, in the order in which they are written.
pub fn player_tags() -> impl Iterator<Item = String> {
    PLAYER_TAGS
        .into_iter()
        .flat_map(|of| ["White", "Black"].map(|side| format!("{side}{of}")))
}

/// A move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PublicMove {
    /// UCI, castling as the king's move.
    pub uci: String,
    /// SAN, or the squares of an illegal move.
    pub san: String,
    /// Whether it was legal.
    pub legal: bool,
    /// When it was made, milliseconds since 1970.
    pub made_ms: f64,
    /// Position after it.
    pub fen: String,
}

/// A game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PublicGame {
    /// Its number.
    pub id: i64,
    /// When it was begun, milliseconds since 1970.
    pub begun_ms: f64,
    /// FEN of where it began.
    pub start_fen: String,
    /// FEN of the position that stands.
    pub fen: String,
    /// Who plays.
    pub pairing: Players,
    /// The moves.
    pub moves: Vec<PublicMove>,
    /// Whether it is over.
    pub over: bool,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` while nobody has said.
    pub result: String,
}

/// A board.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PublicBoard {
    /// Its name.
    pub name: String,
    /// Whether it has a place in the order of boards. One that is taken out keeps its place until the
    /// station is started again: the numbers of the others must not change within a round.
    #[serde(skip)]
    listed: bool,
    /// Whether it was added while a station ran.
    #[serde(skip)]
    added: bool,
    /// Who plays there next, if that was said.
    pub next: Option<Players>,
    /// Its games, oldest first.
    pub games: Vec<PublicGame>,
}

/// All boards by the station's number for them, which is their order.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Feed {
    boards: BTreeMap<i64, PublicBoard>,
    /// Names of the boards with which the station was started.
    configured: BTreeSet<String>,
}

/// A row of the log that is public.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// The station watches these boards, and those that were added.
    Started {
        /// Their names.
        boards: Vec<String>,
    },
    /// A board has this number.
    Board {
        /// The number.
        id: i64,
        /// The name.
        name: String,
    },
    /// A board was added while the station ran.
    BoardAdded {
        /// Its number.
        board: i64,
        /// Its name.
        name: String,
    },
    /// A board is not watched any more.
    BoardRemoved {
        /// Its number.
        board: i64,
    },
    /// Somebody said who plays.
    Players {
        /// Where.
        board: i64,
        /// Who.
        players: Players,
        /// In the game that is on; else in the next.
        present: bool,
    },
    /// A game began.
    GameBegun {
        /// Where.
        board: i64,
        /// Its number.
        game: i64,
        /// FEN.
        fen: String,
        /// Who plays.
        players: Players,
    },
    /// A move was made, in place of those from its number on.
    Move {
        /// In which game.
        game: i64,
        /// Its number from 0.
        ply: usize,
        /// The move.
        played: PublicMove,
    },
    /// Moves from a number on turned out to be others, or were taken back.
    Revised {
        /// In which game.
        game: i64,
        /// The first of them, from 0.
        ply: usize,
    },
    /// An arbiter said which position stands.
    Position {
        /// In which game.
        game: i64,
        /// FEN.
        fen: String,
    },
    /// The game of a board is over.
    GameEnded {
        /// Where.
        board: i64,
        /// How, if the arbiter said.
        result: Option<String>,
    },
}

impl Change {
    /// The kinds of rows that are public.
    pub const KINDS: [&'static str; 10] = [
        "started",
        "board",
        "board_added",
        "board_removed",
        "players",
        "game_begun",
        "move",
        "moves_revised",
        "position_set",
        "game_ended",
    ];

    /// What is public of a row of the log; nothing of most.
    #[must_use]
    pub fn read(kind: &str, body: &Value) -> Option<Self> {
        let number = |name: &str| body.get(name)?.as_i64();
        let text = |name: &str| body.get(name)?.as_str().map(str::to_owned);
        let ply = || usize::try_from(number("ply")?).ok();
        let pairing = || serde_json::from_value(body.get("players")?.clone()).ok();
        Some(match kind {
            "started" => Self::Started {
                boards: serde_json::from_value(body.get("boards")?.clone()).ok()?,
            },
            "board" => Self::Board {
                id: number("id")?,
                name: text("name")?,
            },
            "board_added" => Self::BoardAdded {
                board: number("board")?,
                name: text("name")?,
            },
            "board_removed" => Self::BoardRemoved {
                board: number("board")?,
            },
            "players" => Self::Players {
                board: number("board")?,
                players: pairing()?,
                present: text("game")? == "present",
            },
            "game_begun" => Self::GameBegun {
                board: number("board")?,
                game: number("game")?,
                fen: text("fen")?,
                players: pairing().unwrap_or_default(),
            },
            "move" => Self::Move {
                game: number("game")?,
                ply: ply()?,
                played: serde_json::from_value(body.clone()).ok()?,
            },
            "moves_revised" => Self::Revised {
                game: number("game")?,
                ply: ply()?,
            },
            "position_set" => Self::Position {
                game: number("game")?,
                fen: text("fen")?,
            },
            "game_ended" => Self::GameEnded {
                board: number("board")?,
                result: text("result"),
            },
            _ => return None,
        })
    }
}

impl Feed {
    /// The boards in their order, with their number in it from 1 and the station's number for them.
    pub fn boards(&self) -> impl Iterator<Item = (usize, i64, &PublicBoard)> {
        let listed = self.boards.iter().filter(|(_, b)| b.listed);
        (1..).zip(listed).map(|(n, (id, board))| (n, *id, board))
    }

    /// A board by its number in the order, from 1.
    #[must_use]
    pub fn board(&self, number: usize) -> Option<(i64, &PublicBoard)> {
        let mut boards = self.boards();
        boards
            .find(|(n, ..)| *n == number)
            .map(|(_, id, board)| (id, board))
    }

    /// The round that is on: that of the game that began last.
    #[must_use]
    pub fn present_round(&self) -> &str {
        let games = self.boards.values().flat_map(|b| &b.games);
        games
            .max_by_key(|g| g.id)
            .map_or("", |g| g.pairing.round.as_str())
    }

    /// The rounds that games name, in the order in which they began.
    #[must_use]
    pub fn rounds(&self) -> Vec<&str> {
        let mut games: Vec<&PublicGame> = self.boards.values().flat_map(|b| &b.games).collect();
        games.sort_by_key(|g| g.id);
        let mut rounds: Vec<&str> = Vec::new();
        for game in games {
            let round = game.pairing.round.as_str();
            if !rounds.contains(&round) {
                rounds.push(round);
            }
        }
        rounds
    }

    /// Each board's part in a round: its newest game there, or who is to play there.
    pub fn round<'a>(&'a self, round: &'a str) -> impl Iterator<Item = Part<'a>> {
        self.boards().filter_map(move |(number, id, board)| {
            let game = board.games.iter().rev().find(|g| g.pairing.round == round);
            let next = board.next.as_ref().filter(|p| p.round == round);
            let pairing = game.map(|g| &g.pairing).or(next)?;
            Some(Part {
                number,
                id,
                name: &board.name,
                pairing,
                game,
            })
        })
    }

    fn game(&mut self, id: i64) -> Option<&mut PublicGame> {
        let games = self.boards.values_mut().flat_map(|b| &mut b.games);
        games.into_iter().find(|g| g.id == id)
    }

    fn named(&mut self, id: i64, name: String) -> &mut PublicBoard {
        let board = self.boards.entry(id).or_default();
        board.name = name;
        board
    }

    /// Takes the next row in; `at_ms` is its time, milliseconds since 1970.
    pub fn apply(&mut self, at_ms: f64, change: Change) {
        match change {
            Change::Started { boards } => {
                self.configured = boards.into_iter().collect();
                for board in self.boards.values_mut() {
                    board.listed = board.added || self.configured.contains(&board.name);
                }
            }
            Change::Board { id, name } => {
                let listed = self.configured.contains(&name);
                self.named(id, name).listed |= listed;
            }
            Change::BoardAdded { board, name } => {
                let board = self.named(board, name);
                (board.listed, board.added) = (true, true);
            }
            Change::BoardRemoved { board } => {
                self.boards.entry(board).or_default().added = false;
            }
            Change::Players {
                board,
                players,
                present,
            } => self.boards.entry(board).or_default().pair(players, present),
            Change::GameBegun {
                board,
                game,
                fen,
                players,
            } => {
                let board = self.boards.entry(board).or_default();
                board.next = None;
                board.games.push(PublicGame {
                    id: game,
                    begun_ms: at_ms,
                    start_fen: fen.clone(),
                    fen,
                    pairing: players,
                    moves: Vec::new(),
                    over: false,
                    result: OPEN.to_owned(),
                });
            }
            Change::Move { game, ply, played } => {
                if let Some(game) = self.game(game) {
                    game.moves.truncate(ply);
                    game.fen.clone_from(&played.fen);
                    game.moves.push(played);
                }
            }
            Change::Revised { game, ply } => {
                if let Some(game) = self.game(game) {
                    game.moves.truncate(ply);
                    let last = game.moves.last().map_or(&game.start_fen, |m| &m.fen);
                    game.fen = last.clone();
                }
            }
            Change::Position { game, fen } => {
                if let Some(game) = self.game(game) {
                    game.fen = fen;
                }
            }
            Change::GameEnded { board, result } => {
                let games = self.boards.get_mut(&board).map(|b| &mut b.games);
                if let Some(game) = games.and_then(|g| g.last_mut()) {
                    game.over = true;
                    game.result = result.unwrap_or_else(|| OPEN.to_owned());
                }
            }
        }
    }
}

impl PublicBoard {
    fn pair(&mut self, players: Players, present: bool) {
        match self.games.last_mut().filter(|g| present && !g.over) {
            Some(game) => game.pairing = players,
            None => self.next = Some(players),
        }
    }
}

/// A board's part in a round.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// The board's number in their order, from 1.
    pub number: usize,
    /// The station's number for it.
    pub id: i64,
    /// Its name.
    pub name: &'a str,
    /// Who plays.
    pub pairing: &'a Players,
    /// The game, once it has begun.
    pub game: Option<&'a PublicGame>,
}

/// What all games of an event have in common.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EventTags {
    /// Name of the tournament.
    pub event: Option<String>,
    /// Town and country.
    pub site: Option<String>,
    /// `YYYY.MM.DD`.
    pub date: Option<String>,
    /// As `5400+30`.
    pub time_control: Option<String>,
}

impl Part<'_> {
    /// The game as PGN. Its tags stay the same as long as nobody says that somebody else plays.
    #[must_use]
    pub fn pgn(&self, event: &EventTags) -> String {
        let unknown = || "?".to_owned();
        let known = |text: &str| Some(text.to_owned()).filter(|t| !t.is_empty());
        let round = known(&self.pairing.round).unwrap_or_else(unknown);
        let more = player_tags()
            .filter_map(|tag| Some((tag.clone(), self.pairing.tags.get(&tag)?.clone())))
            .chain(
                event
                    .time_control
                    .clone()
                    .map(|t| ("TimeControl".to_owned(), t)),
            )
            .chain([("Board".to_owned(), self.number.to_string())])
            .collect();
        let mut header = GameHeader {
            event: event.event.clone().unwrap_or_else(unknown),
            site: event.site.clone().unwrap_or_else(unknown),
            round: format!("{round}.{}", self.number),
            white: known(&self.pairing.white).unwrap_or_else(unknown),
            black: known(&self.pairing.black).unwrap_or_else(unknown),
            more,
            ..GameHeader::default()
        };
        header.date = event.date.clone().unwrap_or(header.date);
        let Some(game) = self.game else {
            header.result = Some(OPEN.to_owned());
            return pgn::write_game(START_FEN, &[], &header);
        };
        // Nobody has won who has not been told so: a mate on the board waits for the arbiter, too.
        header.result = Some(game.result.clone());
        let moves: Vec<Entry> = game.moves.iter().map(PublicMove::entry).collect();
        pgn::write_game(&game.start_fen, &moves, &header)
    }
}

impl PublicMove {
    fn entry(&self) -> Entry {
        Entry {
            uci: self.uci.clone(),
            legal: self.legal,
            made_ms: Some(self.made_ms),
            comments: Vec::new(),
        }
    }
}

/// The result of a game of which nobody has said how it ended.
pub const OPEN: &str = "*";

/// Tags of a player behind the colour, in the order in which they are written.
pub const PLAYER_TAGS: [&str; 5] = ["Title", "Elo", "Team", "FideId", "Federation"];

#[cfg(test)]
#[path = "feed_tests.rs"]
mod tests;
