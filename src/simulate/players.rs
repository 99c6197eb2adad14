//! What players do at the board, and how often: whole games for counting false alerts, and single
//! breaches for counting those that are missed. How often is a guess, `simulation/players.toml` says
//! on what grounds.

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Move, Position, Role, Square};

use super::{
    actor::Actor,
    chance::Chance,
    deed::{Deed, Makes},
    script::{Manner, Order, Script},
};

/// How fast a kind of game is played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tempo {
    /// As `classical`.
    pub name: String,
    /// Share of the games.
    pub share: f64,
    /// Median time from the opponent's hand leaving to the own one coming, milliseconds.
    pub think_ms: f64,
    /// Two thirds of the times lie within a factor of `e^spread`.
    pub spread: f64,
    /// Share of replies that come before the opponent's hand has left.
    pub quick: f64,
}

/// What players do besides playing, as shares of their turns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Players {
    /// The kinds of games.
    pub tempos: Vec<Tempo>,
    /// A game ends after so many half-moves at the latest.
    pub plies: usize,
    /// Share of captures made with the own piece first.
    pub own_first: f64,
    /// Among all moves, captures, castling and promotions are preferred so often.
    pub forcing: f64,
    /// The player hovers over a piece in thought, then draws back.
    pub hover: f64,
    /// The same by the player who waits.
    pub hover_waiting: f64,
    /// So far above the grip, squares.
    pub hover_above: [f64; 2],
    /// So long, milliseconds.
    pub hover_ms: [f64; 2],
    /// A hand comes to rest beside the board.
    pub rest: f64,
    /// So long, milliseconds.
    pub rest_ms: [f64; 2],
    /// The hand sweeps over a piece on the way and grazes it.
    pub brush: f64,
    /// An own piece is put right on its square.
    pub adjust: f64,
    /// So long, milliseconds.
    pub adjust_ms: [f64; 2],
    /// The piece is touched, let go in thought, and then moved.
    pub touch_first: f64,
    /// Held for so long in a touch without a move, milliseconds.
    pub touch_ms: [f64; 2],
    /// From a release to taking the same piece again, where a move is changed, milliseconds.
    pub change_ms: [f64; 2],
}

/// One way of breaking the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Breach {
    /// An own piece is touched and let go, another one moved.
    TouchOwn,
    /// An own piece is lifted and put back, another one moved.
    LiftOwn,
    /// A piece that could be captured is touched and let go, and not captured.
    TouchEnemy,
    /// A move is made, released and changed.
    Change,
    /// Castling with the rook first.
    RookFirst,
    /// Castling with two hands.
    TwoHands,
    /// An illegal move.
    Illegal,
}

impl Breach {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::TouchOwn,
        Self::LiftOwn,
        Self::TouchEnemy,
        Self::Change,
        Self::RookFirst,
        Self::TwoHands,
        Self::Illegal,
    ];

    /// In words.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TouchOwn => "own piece touched, another moved",
            Self::LiftOwn => "own piece lifted and put back, another moved",
            Self::TouchEnemy => "piece touched and not captured",
            Self::Change => "move changed after its release",
            Self::RookFirst => "castling with the rook first",
            Self::TwoHands => "castling with two hands",
            Self::Illegal => "illegal move",
        }
    }
}

/// Both sides may castle on either side, and much can be captured.
const CASTLING: &str = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8";
/// Plies before a breach in an otherwise random game.
const BEFORE_BREACH: [f64; 2] = [8.0, 40.0];

impl Players {
    fn manner(&self, tempo: &Tempo, chance: &mut Chance) -> Manner {
        let think_ms = chance.skewed(tempo.think_ms, tempo.spread);
        Manner {
            order: if chance.happens(self.own_first) {
                Order::OwnFirst
            } else {
                Order::VictimFirst
            },
            pace: std::array::from_fn(|_| chance.below(256) as u8),
            grip: chance.between([-8.0, 8.0]) as i8,
            quick: chance.happens(tempo.quick),
            pause_ms: think_ms.clamp(300.0, 1_800_000.0) as u32,
        }
    }

    fn tempo(&self, chance: &mut Chance) -> Option<&Tempo> {
        let all: f64 = self.tempos.iter().map(|t| t.share).sum();
        let mut left = chance.share() * all;
        self.tempos
            .iter()
            .find(|t| {
                left -= t.share;
                left <= 0.0
            })
            .or(self.tempos.last())
    }

    fn choose(&self, position: &Chess, chance: &mut Chance) -> Option<Move> {
        let legal = position.legal_moves();
        let queens = |m: &&Move| m.promotion().is_none_or(|r| r == Role::Queen);
        let special = |m: &&Move| m.is_capture() || m.is_castle() || m.is_promotion();
        let all: Vec<Move> = legal.iter().filter(queens).copied().collect();
        let forcing: Vec<Move> = all.iter().filter(special).copied().collect();
        if !forcing.is_empty() && chance.happens(self.forcing) {
            return chance.pick(&forcing).copied();
        }
        chance.pick(&all).copied()
    }

    /// A game in which nobody breaks a rule: `line`, or random moves. With the tempo's name.
    #[must_use]
    pub fn clean_game(&self, line: &[Move], chance: &mut Chance) -> (String, Script) {
        let mut actor = Actor::new(&Chess::default());
        let Some(tempo) = self.tempo(chance).cloned() else {
            return (String::new(), actor.finish());
        };
        for ply in 0..self.plies {
            let next = if line.is_empty() {
                self.choose(actor.position(), chance)
            } else {
                line.get(ply).copied()
            };
            let Some(m) = next.filter(|m| actor.position().is_legal(*m)) else {
                break;
            };
            self.turn(&mut actor, m, &tempo, chance);
        }
        (tempo.name, actor.finish())
    }

    /// One turn: distractions, then the move.
    fn turn(&self, actor: &mut Actor, m: Move, tempo: &Tempo, chance: &mut Chance) {
        let mover = actor.position().turn();
        let mut manner = self.manner(tempo, chance);
        let aside = |manner: &mut Manner, chance: &mut Chance| {
            // What happens in thought happens some way through it.
            let part = chance.share();
            let first = Manner {
                quick: false,
                pause_ms: (f64::from(manner.pause_ms) * part) as u32,
                ..*manner
            };
            manner.pause_ms = (f64::from(manner.pause_ms) * (1.0 - part)) as u32 + 300;
            manner.quick = false;
            first
        };
        for (player, share) in [(mover, self.hover), (!mover, self.hover_waiting)] {
            if chance.happens(share) {
                let hover = self.hover_over(actor.position(), player, chance);
                let when = aside(&mut manner, chance);
                actor.visit(player, when, &[hover]);
            }
        }
        if chance.happens(self.rest) {
            let at = mover.fold_wb(
                [chance.between([0.0, 8.0]), -1.0],
                [chance.between([0.0, 8.0]), 9.0],
            );
            let stay_ms = chance.between(self.rest_ms);
            let when = aside(&mut manner, chance);
            actor.visit(mover, when, &[Deed::Rest { at, stay_ms }]);
        }
        if chance.happens(self.adjust)
            && let Some(square) = own(actor.position(), mover, chance)
        {
            let hold_ms = chance.between(self.adjust_ms);
            let when = aside(&mut manner, chance);
            actor.visit(mover, when, &[Deed::Adjust { square, hold_ms }]);
        }
        if chance.happens(self.touch_first)
            && let Some(square) = m.from().filter(|_| !m.is_castle())
        {
            let hold_ms = chance.between(self.touch_ms);
            let when = aside(&mut manner, chance);
            actor.visit(mover, when, &[Deed::Touch { square, hold_ms }]);
        }
        let mut deeds = vec![Deed::Play(m)];
        if chance.happens(self.brush)
            && let Some(square) = own(actor.position(), mover, chance)
        {
            deeds.insert(0, Deed::Brush { square });
        }
        actor.visit(mover, manner, &deeds);
    }

    fn hover_over(&self, position: &Chess, player: Color, chance: &mut Chance) -> Deed {
        let square = own(position, player, chance).unwrap_or(Square::E4);
        Deed::Hover {
            square,
            above: chance.between(self.hover_above),
            stay_ms: chance.between(self.hover_ms),
        }
    }

    /// A short scene around one breach: a move, the breach, the reply to it. Nothing where the
    /// position that came about offers no occasion.
    #[must_use]
    pub fn breach(&self, breach: Breach, chance: &mut Chance) -> Option<Script> {
        let start = match breach {
            Breach::RookFirst | Breach::TwoHands => {
                crate::events::position_from_fen(CASTLING).ok()?
            }
            _ => {
                let mut position = Chess::default();
                for _ in 0..chance.between(BEFORE_BREACH) as usize {
                    position.play_unchecked(self.choose(&position, chance)?);
                }
                position
            }
        };
        let mut actor = Actor::new(&start);
        let tempo = self.tempo(chance)?.clone();
        let first = match breach {
            // Quiet, so that both sides may still castle.
            Breach::RookFirst | Breach::TwoHands => {
                let pawn = |m: &Move| m.role() == Role::Pawn && !m.is_capture();
                let quiet: Vec<Move> = start.legal_moves().into_iter().filter(pawn).collect();
                chance.pick(&quiet).copied()?
            }
            _ => self.choose(&start, chance)?,
        };
        let calm = |manner: Manner| Manner {
            quick: false,
            pause_ms: manner.pause_ms.clamp(500, 60_000),
            ..manner
        };
        let manner = calm(self.manner(&tempo, chance));
        actor.visit(start.turn(), manner, &[Deed::Play(first)]);
        let mover = actor.position().turn();
        let deeds = self.commit(breach, actor.position(), chance)?;
        let manner = calm(self.manner(&tempo, chance));
        actor.visit(mover, manner, &deeds);
        if breach != Breach::Illegal
            && let Some(reply) = self.choose(actor.position(), chance)
        {
            let manner = calm(self.manner(&tempo, chance));
            actor.visit(!mover, manner, &[Deed::Play(reply)]);
        }
        Some(actor.finish())
    }

    /// What a player does who breaks the rules in this way in this position.
    fn commit(&self, breach: Breach, position: &Chess, chance: &mut Chance) -> Option<Vec<Deed>> {
        let legal = position.legal_moves();
        let plain: Vec<Move> = legal
            .iter()
            .filter(|m| !m.is_castle() && !m.is_promotion() && !m.is_en_passant())
            .copied()
            .collect();
        let castles: Vec<Move> = legal.iter().filter(|m| m.is_castle()).copied().collect();
        let hold_ms = chance.between(self.touch_ms);
        let touched_then = |touched: Square, m: Move, lifted: bool| {
            let touch = if lifted {
                Deed::Lift {
                    square: touched,
                    hold_ms: 2.0 * hold_ms,
                }
            } else {
                Deed::Touch {
                    square: touched,
                    hold_ms,
                }
            };
            vec![touch, Deed::Play(m)]
        };
        match breach {
            Breach::TouchOwn | Breach::LiftOwn => {
                let touched = chance.pick(&plain)?.from()?;
                let others: Vec<Move> = plain
                    .iter()
                    .filter(|m| m.from() != Some(touched))
                    .copied()
                    .collect();
                let lifted = breach == Breach::LiftOwn;
                Some(touched_then(touched, *chance.pick(&others)?, lifted))
            }
            Breach::TouchEnemy => {
                let captures: Vec<Move> =
                    plain.iter().filter(|m| m.is_capture()).copied().collect();
                let touched = chance.pick(&captures)?.to();
                let others: Vec<Move> = plain
                    .iter()
                    .filter(|m| m.to() != touched)
                    .copied()
                    .collect();
                Some(touched_then(touched, *chance.pick(&others)?, false))
            }
            Breach::Change => {
                let quiet: Vec<Move> = plain.iter().filter(|m| !m.is_capture()).copied().collect();
                let first = *chance.pick(&quiet)?;
                let then: Vec<Move> = quiet
                    .iter()
                    .filter(|m| m.from() == first.from() && m.to() != first.to())
                    .copied()
                    .collect();
                let then = *chance.pick(&then)?;
                // From the release to taking the same piece again.
                let off_ms = chance.between(self.change_ms);
                Some(vec![
                    Deed::Shift {
                        from: first.from()?,
                        to: first.to(),
                        makes: Makes::Nothing,
                    },
                    Deed::Again {
                        off_ms,
                        from: first.to(),
                        to: then.to(),
                        makes: Makes::Legal(then),
                    },
                ])
            }
            Breach::RookFirst => Some(vec![Deed::CastleRookFirst(*chance.pick(&castles)?)]),
            Breach::TwoHands => Some(vec![Deed::CastleTwoHands(*chance.pick(&castles)?)]),
            Breach::Illegal => {
                let from = chance.pick(&plain)?.from()?;
                let empty: Vec<Square> = Square::ALL
                    .into_iter()
                    .filter(|s| position.board().piece_at(*s).is_none())
                    .filter(|s| !legal.iter().any(|m| m.from() == Some(from) && m.to() == *s))
                    .collect();
                let to = *chance.pick(&empty)?;
                let makes = Makes::Illegal(from, to);
                Some(vec![Deed::Shift { from, to, makes }])
            }
        }
    }
}

/// A square with a piece of one's own.
fn own(position: &Chess, player: Color, chance: &mut Chance) -> Option<Square> {
    let squares: Vec<Square> = position.board().by_color(player).into_iter().collect();
    chance.pick(&squares).copied()
}
