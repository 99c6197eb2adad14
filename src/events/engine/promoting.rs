//! What a pawn became: the piece that stands on its square once the pawn was replaced. Where that is
//! unclear, a person is asked.

use shakmaty::Role;

use super::*;
use crate::events::observation::content_index;

/// A pawn may stand on the last rank for so long until it is replaced, milliseconds.
const REPLACED_MS: f64 = 8000.0;
/// How often pawns become what.
const CHOSEN: [(Role, f64); 4] = [
    (Role::Queen, 0.85),
    (Role::Knight, 0.07),
    (Role::Rook, 0.05),
    (Role::Bishop, 0.03),
];
/// Below this probability of the likeliest piece a person is asked.
const CLEAR: f64 = 0.8;

impl Engine {
    /// Whether a pawn that promotes in these moves has not been replaced yet, as far as is seen.
    pub(super) fn awaits_piece(&self, moves: &[Move], waited: f64) -> bool {
        let mut mover = self.position.turn();
        let mut awaited = false;
        for (index, m) in moves.iter().enumerate() {
            let taken = moves.iter().skip(index + 1).any(|n| n.to() == m.to());
            awaited |= m.is_promotion() && !taken && self.is_pawn(m.to(), mover);
            mover = !mover;
        }
        awaited && waited < REPLACED_MS
    }

    /// A pawn is likelier to stand there than any piece that it could become.
    fn is_pawn(&self, square: Square, color: Color) -> bool {
        let belief = self.beliefs.of(square);
        let surprise = |role: Role| belief.surprise(content_index(Some(role.of(color))));
        let pawn = surprise(Role::Pawn);
        CHOSEN.iter().all(|(role, _)| pawn < surprise(*role))
    }

    /// The same moves with a promotion at their end to what now stands there, and how likely that
    /// is right. Where moves came after it, they were legal with the piece that was found.
    pub(super) fn promoted(&mut self, moves: &[Move]) -> (Vec<Move>, f64) {
        let mut settled = moves.to_vec();
        let mover = if moves.len() % 2 == 1 {
            self.position.turn()
        } else {
            !self.position.turn()
        };
        let Some(Move::Normal {
            to,
            promotion: Some(promotion),
            ..
        }) = settled.last_mut()
        else {
            return (settled, 1.0);
        };
        let (square, chances) = (*to, self.chances(*to, mover));
        let best = chances.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let (became, p) = best.copied().unwrap_or((Role::Queen, 0.0));
        *promotion = became;
        if p < CLEAR {
            self.ask(square, &chances);
        }
        (settled, p)
    }

    /// How likely each piece is that a pawn can become.
    fn chances(&self, square: Square, color: Color) -> [(Role, f64); 4] {
        let belief = self.beliefs.of(square);
        let weights = CHOSEN.map(|(role, prior)| {
            let content = content_index(Some(role.of(color)));
            (role, prior * belief.kind_odds(content))
        });
        let total: f64 = weights.iter().map(|w| w.1).sum();
        weights.map(|(role, w)| (role, w / total.max(1e-9)))
    }

    fn ask(&mut self, square: Square, chances: &[(Role, f64); 4]) {
        let mut sorted = *chances;
        sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
        let words: Vec<String> = sorted
            .iter()
            .take(2)
            .map(|(role, p)| format!("{} {p:.2}", name(*role)))
            .collect();
        self.questions.push(format!(
            "At {:.1} s it is unclear which piece the pawn on {square} became ({}): a person should look.",
            self.now_ms / 1000.0,
            words.join(", ")
        ));
    }
}

fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}
