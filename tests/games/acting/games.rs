//! Games to be acted, random and written out, and what is found in them.

use adoube::{
    events::{Engine, Findings, Setup, observation::Observation, position_from_fen},
    rules::Edition,
};
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{RngSeed, TestRunner},
};
use shakmaty::{Chess, Move, Position, Role, uci::UciMove};

use adoube::simulate::{Manner, Order, Script, act};

use super::seat::Seat;

/// The usual one.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Both sides may castle on either side, and much can be captured.
pub const CASTLING: &str = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8";
/// White may take en passant.
pub const EN_PASSANT: &str = "rnbqkbnr/1pp2ppp/p7/3pP3/3P4/8/PPP2PPP/RNBQKBNR w KQkq d6 0 4";
/// Pawns of both sides are about to promote, straight on or capturing.
pub const PROMOTING: &str = "1n1r2k1/P1P3pp/8/4p3/3P4/8/p4pPP/1R2R2K w - - 0 30";
/// White may castle, and pawns and pieces attack each other.
pub const TENSE: &str = "r1b2rk1/pp2bppp/2n1pn2/q1ppP3/3P1P2/2PBBN2/PP1N2PP/R2QK2R w KQ - 1 10";

/// One choice among the legal moves.
#[derive(Debug, Clone)]
struct Choice {
    pick: u8,
    /// Among captures, castling and promotions, where there are any.
    special: bool,
    manner: Manner,
}

fn manner() -> impl Strategy<Value = Manner> {
    (
        any::<bool>(),
        any::<[u8; 6]>(),
        -8_i8..8,
        prop::bool::weighted(0.25),
        500_u32..1500,
    )
        .prop_map(|(own_first, pace, grip, quick, pause_ms)| Manner {
            order: if own_first {
                Order::OwnFirst
            } else {
                Order::VictimFirst
            },
            pace,
            grip,
            quick,
            pause_ms,
        })
}

/// Which promotions are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promotions {
    /// None.
    None,
    /// To queens.
    Queens,
    /// To any piece.
    Any,
}

/// What is played and how fast.
#[derive(Debug, Clone, Copy)]
pub struct Habits {
    /// At most so many replies in a row come before the hand has left.
    pub quick_in_a_row: usize,
    /// Which promotions are played.
    pub promotions: Promotions,
}

/// Everybody waits until the other's hand is away.
pub const CALM: Habits = Habits {
    quick_in_a_row: 0,
    promotions: Promotions::None,
};
/// Now and then a reply comes before the hand has left.
pub const LIVELY: Habits = Habits {
    quick_in_a_row: 1,
    ..CALM
};
/// Replies come before the hand has left, and replies to these too.
pub const HASTY: Habits = Habits {
    quick_in_a_row: 2,
    ..CALM
};

fn choices(most: usize) -> impl Strategy<Value = Vec<Choice>> {
    let choice =
        (any::<u8>(), prop::bool::weighted(0.6), manner()).prop_map(|(pick, special, manner)| {
            Choice {
                pick,
                special,
                manner,
            }
        });
    prop::collection::vec(choice, 1..=most)
}

/// The moves chosen, one legal after the other.
fn game(start: &Chess, choices: &[Choice], habits: Habits) -> Vec<(Move, Manner)> {
    let mut position = start.clone();
    let mut quick = 0;
    let mut moves = Vec::new();
    for choice in choices {
        let mut legal = position.legal_moves();
        legal.retain(|m| match habits.promotions {
            Promotions::None => !m.is_promotion(),
            Promotions::Queens => m.promotion().is_none_or(|r| r == Role::Queen),
            Promotions::Any => true,
        });
        let special = legal
            .iter()
            .filter(|m| m.is_capture() || m.is_castle() || m.is_promotion());
        let mut among: Vec<&Move> = special.filter(|_| choice.special).collect();
        if among.is_empty() {
            among = legal.iter().collect();
        }
        let Some(m) = among.get(usize::from(choice.pick) % among.len().max(1)) else {
            break;
        };
        let mut manner = choice.manner;
        quick = if manner.quick { quick + 1 } else { 0 };
        if quick > habits.quick_in_a_row {
            (manner.quick, quick) = (false, 0);
        }
        moves.push((**m, manner));
        position.play_unchecked(**m);
    }
    moves
}

/// A game of at least one move, acted.
pub fn scripts(most: usize, habits: Habits) -> impl Strategy<Value = Script> {
    let mut starts = vec![START, CASTLING, EN_PASSANT, TENSE];
    if habits.promotions != Promotions::None {
        starts = vec![PROMOTING];
    }
    (prop::sample::select(starts), choices(most)).prop_map(move |(fen, choices)| {
        let start = position_from_fen(fen).unwrap();
        act(&start, &game(&start, &choices, habits))
    })
}

/// A game in words: moves in UCI at an even pace. `~` says that the hand comes in before the
/// other's has left, `+` that the own piece is taken first; `@` gives the pace, from 0 (fast) to 255.
pub fn acted(fen: &str, line: &str) -> Script {
    let start = position_from_fen(fen).unwrap();
    let mut position = start.clone();
    let moves: Vec<(Move, Manner)> = line
        .split_whitespace()
        .map(|word| {
            let (word, pace) = word.split_once('@').unwrap_or((word, "128"));
            let paces: Vec<u8> = pace.split('.').map(|p| p.parse().unwrap()).collect();
            let uci: UciMove = word.trim_end_matches(['~', '+']).parse().unwrap();
            let m = uci.to_move(&position).unwrap();
            position.play_unchecked(m);
            let manner = Manner {
                order: if word.contains('+') {
                    Order::OwnFirst
                } else {
                    Order::VictimFirst
                },
                pace: std::array::from_fn(|i| paces[i % paces.len()]),
                grip: 0,
                quick: word.contains('~'),
                pause_ms: 500,
            };
            (m, manner)
        })
        .collect();
    act(&start, &moves)
}

/// Any seat of the camera.
pub fn seat() -> impl Strategy<Value = Seat> {
    prop::sample::select(Seat::ALL.to_vec())
}

/// The same cases in every run; `PROPTEST_CASES` asks for more of them.
pub fn config(cases: u32, seed: u64) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok();
    ProptestConfig {
        cases: asked.and_then(|n| n.parse().ok()).unwrap_or(cases),
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        max_shrink_iters: 400,
        ..ProptestConfig::default()
    }
}

/// The cases of a [`config`] for what holds of most of them only.
pub fn sample<T>(strategy: &impl Strategy<Value = T>, config: ProptestConfig) -> Vec<T> {
    let cases = config.cases;
    let mut runner = TestRunner::new(config);
    (0..cases)
        .map(|_| strategy.new_tree(&mut runner).unwrap().current())
        .collect()
}

/// What the engine finds in observations.
pub fn watch(start: &Chess, seat: Seat, seen: &[Observation]) -> Findings {
    let mut engine = Engine::new(&Setup {
        view: seat.view(),
        start: start.clone(),
        edition: Edition::Fide2023,
    });
    for observation in seen {
        engine.observe(observation);
    }
    engine.finish()
}

/// Findings that make sense in themselves, right or wrong.
pub fn check_order(findings: &Findings) -> Result<(), TestCaseError> {
    for (number, c) in (1..).zip(&findings.contacts) {
        prop_assert_eq!(c.id, number);
        prop_assert!(c.touch_ms <= c.release_ms, "{:?}", c);
        prop_assert!(
            c.probability.is_some_and(|p| (0.0..=1.0).contains(&p)),
            "{:?}",
            c
        );
    }
    prop_assert!(
        findings
            .contacts
            .is_sorted_by(|a, b| a.touch_ms <= b.touch_ms)
    );
    prop_assert!(findings.incidents.is_sorted_by(|a, b| a.ms <= b.ms));
    for incident in &findings.incidents {
        let known = |id: u32| (1..=findings.contacts.len() as u32).contains(&id);
        prop_assert!(incident.contact.is_none_or(known), "{:?}", incident);
    }
    for span in &findings.hands_over_board {
        prop_assert!(span.from_ms <= span.to_ms, "{:?}", span);
    }
    Ok(())
}

/// No move is made before the one that it answers.
pub fn check_turns(findings: &Findings) -> Result<(), TestCaseError> {
    let made: Vec<f64> = findings.moves.iter().map(|m| m.made_ms).collect();
    prop_assert!(made.is_sorted(), "{:?}", made);
    Ok(())
}
