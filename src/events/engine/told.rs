//! What a person says: what stands on the board, and what the last move was. Nobody is asked again.

use super::*;
use crate::record::StepEnd;

/// Why the last move cannot be corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CorrectionError {
    /// Nothing was moved since this position was set up.
    #[error("no move was made since this position was set up")]
    NoMove,
    /// The move that it is said to be is not legal there.
    #[error("this move is not legal in the position before")]
    Illegal,
}

impl Engine {
    /// This position stands now, whatever was thought before: the game goes on from it, and no move
    /// before it is changed any more. What hands did before belongs to no turn, unless the position
    /// is the one that was thought to stand.
    pub fn stands(&mut self, position: &Chess) {
        self.end_spell(StepEnd::PutRight);
        (self.floor, self.set_up) = (self.played.len(), self.played.len());
        self.misread = mismatches(&self.beliefs, position.board())
            .into_iter()
            .map(|s| (s, self.beliefs.of(s).best()))
            .collect();
        if *position != self.position {
            self.turn = Turn::new(position.clone(), self.now_ms);
        }
        self.position = position.clone();
        self.suspects.clear();
        self.last = None;
        (self.sign, self.over_ms) = (None, f64::INFINITY);
    }

    /// The last move was this one. What hands did in its turn is kept as far as it fits; the turn is
    /// judged again.
    ///
    /// # Errors
    /// [`CorrectionError`].
    pub fn correct_last(&mut self, instead: &Move) -> Result<(), CorrectionError> {
        if self.played.len() <= self.set_up {
            return Err(CorrectionError::NoMove);
        }
        let done = self.played.last().ok_or(CorrectionError::NoMove)?;
        if !done.before.is_legal(*instead) {
            return Err(CorrectionError::Illegal);
        }
        let (made_ms, before) = (done.row.made_ms, done.before.clone());
        let parts = parts_of(instead, before.turn());
        let contacts = fitting(&done.contacts, &parts, made_ms, before.turn());
        self.played.pop();
        self.end_spell(StepEnd::PutRight);
        self.turn = Turn {
            contacts,
            ..Turn::new(before, made_ms)
        };
        self.make(instead, made_ms, 1.0);
        // A person knows it: what is seen does not change it any more.
        self.floor = self.played.len();
        self.last = None;
        Ok(())
    }
}

/// The contacts of a turn with other moves carried out: those with pieces that the move does not
/// take are gone, since the move had invented them; those that it takes lead where it leads.
fn fitting(contacts: &[Draft], parts: &[Part], made_ms: f64, mover: Color) -> Vec<Draft> {
    let loose = |d: &&Draft| {
        matches!(
            d.kind,
            ContactKind::Touch | ContactKind::Adjust | ContactKind::Brush
        )
    };
    let mut kept: Vec<Draft> = contacts.iter().filter(loose).cloned().collect();
    for part in parts {
        let seen = contacts.iter().filter(|d| !loose(d));
        let seen = seen
            .filter(|d| d.kind == part.kind)
            .find(|d| d.from == part.from || d.from.is_none());
        kept.push(Draft {
            to: part.to,
            piece: part.piece,
            ..seen.cloned().unwrap_or(Draft {
                player: mover,
                hand: None,
                side: None,
                from: part.from,
                piece: part.piece,
                kind: part.kind,
                touch_ms: made_ms,
                lift_ms: part.from.map(|_| made_ms),
                place_ms: part.to.map(|_| made_ms),
                release_ms: made_ms,
                to: part.to,
                probability: 1.0,
                guessed: true,
                resumed: false,
            })
        });
    }
    kept
}
