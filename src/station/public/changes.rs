//! What happened from one release to the next, game by game: for whoever is told of changes.

use std::collections::BTreeMap;

use super::{config::When, gate::Released};
use crate::broadcast::feed::PublicGame;

/// Something that happened to a game.
#[derive(Debug, Clone, Copy)]
pub struct Happened<'a> {
    /// What.
    pub what: When,
    /// The board's number in their order, from 1.
    pub number: usize,
    /// The board's name.
    pub board: &'a str,
    /// The game as it is now.
    pub game: &'a PublicGame,
}

/// What was last told of each game, by its number.
#[derive(Debug, Default)]
pub struct Told(BTreeMap<i64, (Vec<String>, bool)>);

impl Told {
    /// All that is so now counts as told: a program that starts again does not repeat the day.
    #[must_use]
    pub fn all(released: &Released) -> Self {
        let mut told = Self::default();
        drop(told.news(released));
        told
    }

    /// What happened since the last time, in the boards' order; each change is told once.
    pub fn news<'a>(&mut self, released: &'a Released) -> Vec<Happened<'a>> {
        let mut news = Vec::new();
        for (number, _, board) in released.feed().boards() {
            for game in &board.games {
                let moves = || game.moves.iter().map(|m| m.uci.clone()).collect::<Vec<_>>();
                let known = self.0.get(&game.id);
                let mut tell = |what| {
                    news.push(Happened {
                        what,
                        number,
                        board: &board.name,
                        game,
                    });
                };
                if known.is_none() {
                    tell(When::GameBegun);
                }
                let other = |(told, _): &(Vec<String>, bool)| {
                    !told.iter().eq(game.moves.iter().map(|m| &m.uci))
                };
                if known.map_or(!game.moves.is_empty(), other) {
                    tell(When::Move);
                }
                if game.over && !known.is_some_and(|(_, over)| *over) {
                    tell(When::GameEnded);
                }
                self.0.insert(game.id, (moves(), game.over));
            }
        }
        news
    }
}
