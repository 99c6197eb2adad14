//! A review's games as PGN: for the public, for the arbiter, and as it was noted.

use super::{
    comparison::Comparison,
    moments::otb_comment,
    report::{Organiser, plies::move_of},
    words::Words,
};
use crate::{
    broadcast::{
        game::GameMove,
        pgn::{Entry, GameHeader, write_game},
    },
    record::Record,
};

/// What stands after the last move that was played before the recording begins.
const NOT_SEEN: &str = "Up to here the moves are from the score sheet: they were not seen.";

/// The games of one review.
pub struct Games<'a> {
    record: &'a Record,
    organiser: Option<&'a Organiser>,
}

impl<'a> Games<'a> {
    /// Of what was found, and what the organiser's PGN says.
    #[must_use]
    pub const fn new(record: &'a Record, organiser: Option<&'a Organiser>) -> Self {
        Self { record, organiser }
    }

    /// What was played, without a word on incidents.
    #[must_use]
    pub fn public(&self) -> String {
        self.write(self.entries())
    }

    /// The same with each incident as a comment (`%otb`) after the move that it belongs to.
    #[must_use]
    pub fn arbiter(&self, words: Words) -> String {
        let mut entries = self.entries();
        let unseen = entries.len() - self.record.moves.len();
        for incident in &self.record.incidents {
            let last = entries.len().checked_sub(1);
            let index = move_of(self.record, incident).map(|i| i + unseen).or(last);
            if let Some(entry) = index.and_then(|i| entries.get_mut(i)) {
                entry
                    .comments
                    .push(otb_comment(self.record, incident, words));
            }
        }
        self.write(entries)
    }

    /// The PGN's own moves, each with its time where it was seen; none without a PGN.
    #[must_use]
    pub fn noted(&self) -> Option<String> {
        let organiser = self.organiser?;
        let entries = unseen(organiser).chain(dated(&organiser.comparison));
        let entries: Vec<Entry> = entries.collect();
        Some(write_game(
            &organiser.start_fen,
            &entries,
            &organiser.header,
        ))
    }

    /// What was played: first what was noted of the moves before the recording.
    fn entries(&self) -> Vec<Entry> {
        let before = self.organiser.into_iter().flat_map(unseen);
        before
            .chain(self.record.moves.iter().map(Entry::from))
            .collect()
    }

    fn write(&self, entries: Vec<Entry>) -> String {
        let unknown = GameHeader::default();
        let header = self.organiser.map_or(&unknown, |o| &o.header);
        let late = self.organiser.filter(|o| o.unseen > 0);
        let start_fen = late.map_or(&self.record.start_fen, |o| &o.start_fen);
        write_game(start_fen, &entries, header)
    }
}

/// The moves before the recording begins, the last one with a word that says so.
fn unseen(organiser: &Organiser) -> impl Iterator<Item = Entry> {
    let count = organiser.unseen;
    let moves = organiser.moves.iter().take(count).enumerate();
    moves.map(move |(index, m): (usize, &GameMove)| Entry {
        uci: m.uci.clone(),
        legal: true,
        made_ms: None,
        comments: (index + 1 == count)
            .then(|| NOT_SEEN.to_owned())
            .into_iter()
            .collect(),
    })
}

/// The PGN's moves from where the recording begins.
fn dated(comparison: &Comparison) -> impl Iterator<Item = Entry> {
    comparison.dates.iter().map(|dated| Entry {
        uci: dated.side.uci.clone(),
        legal: true,
        made_ms: dated.ms,
        comments: Vec::new(),
    })
}
