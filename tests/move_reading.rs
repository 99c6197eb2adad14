//! Games acted by hands before a camera, read back: what the events module must find in them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod acting;

use acting::{Manner, Noise, Order, Script, Seat, act, film};
use adoube::{
    events::{Engine, Findings, Setup, observation::Observation, position_from_fen},
    record::{ContactKind, Severity},
    rules::Edition,
};
use proptest::{prelude::*, strategy::ValueTree, test_runner::{RngSeed, TestRunner}};
use shakmaty::{Chess, Move, Position, Role};

/// Positions in which games begin: the usual one, and some from which castling, en passant,
/// promotions and captures are near.
const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8",
    "rnbqkbnr/1pp2ppp/p7/3pP3/3P4/8/PPP2PPP/RNBQKBNR w KQkq d6 0 4",
    "1n1r2k1/P1P3pp/8/4p3/3P4/8/p4pPP/1R2R1K1 w - - 0 30",
    "r1b2rk1/pp2bppp/2n1pn2/q1ppP3/3P1P2/2PBBN2/PP1N2PP/R2QK2R w KQ - 1 10",
];

/// One choice among the legal moves.
#[derive(Debug, Clone)]
struct Choice {
    pick: u8,
    /// Among captures, castling and promotions, where there are any.
    special: bool,
    /// Promotes to anything, not to a queen only.
    under: bool,
    manner: Manner,
}

fn manner() -> impl Strategy<Value = Manner> {
    (
        any::<bool>(),
        any::<[u8; 6]>(),
        -8_i8..8,
        prop::bool::weighted(0.25),
        500_u16..1500,
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
enum Promote {
    ToQueens,
    ToAnything,
}

fn choices(most: usize, promote: Promote) -> impl Strategy<Value = Vec<Choice>> {
    let under = promote == Promote::ToAnything;
    let choice = (any::<u8>(), prop::bool::weighted(0.6), manner()).prop_map(
        move |(pick, special, manner)| Choice {
            pick,
            special,
            under,
            manner,
        },
    );
    prop::collection::vec(choice, 1..=most)
}

/// At most so many replies in a row come before the hand has left.
const QUICK_IN_A_ROW: usize = 1;

/// The moves chosen, one legal after the other.
fn game(start: &Chess, choices: &[Choice]) -> Vec<(Move, Manner)> {
    let mut position = start.clone();
    let mut quick = 0;
    let mut moves = Vec::new();
    for choice in choices {
        let mut legal = position.legal_moves();
        legal.retain(|m| choice.under || m.promotion().is_none_or(|r| r == Role::Queen));
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
        if quick > QUICK_IN_A_ROW {
            (manner.quick, quick) = (false, 0);
        }
        moves.push((**m, manner));
        position.play_unchecked(**m);
    }
    moves
}

/// A script acted from one of [`STARTS`].
fn scripts(most: usize, promote: Promote) -> impl Strategy<Value = Script> {
    (prop::sample::select(STARTS.to_vec()), choices(most, promote)).prop_map(|(fen, choices)| {
        let start = position_from_fen(fen).unwrap();
        act(&start, &game(&start, &choices))
    })
}

fn seat() -> impl Strategy<Value = Seat> {
    prop::sample::select(Seat::ALL.to_vec())
}

/// The same cases in every run; `PROPTEST_CASES` asks for more of them.
fn config(cases: u32, seed: u64) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok();
    ProptestConfig {
        cases: asked.and_then(|n| n.parse().ok()).unwrap_or(cases),
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        max_shrink_iters: 300,
        ..ProptestConfig::default()
    }
}

fn find(script: &Script, seat: Seat, seen: &[Observation]) -> Findings {
    let mut engine = Engine::new(&Setup {
        view: seat.view(),
        start: script.start.clone(),
        edition: Edition::Fide2023,
    });
    for observation in seen {
        engine.observe(observation);
    }
    engine.finish()
}

fn played(findings: &Findings) -> Vec<&str> {
    findings.moves.iter().map(|m| m.uci.as_str()).collect()
}

fn acted(script: &Script) -> Vec<&str> {
    script.moves.iter().map(|m| m.uci.as_str()).collect()
}

proptest! {
    #![proptest_config(config(24, 1))]

    #[test]
    fn a_clean_game_comes_back_exactly(script in scripts(8, Promote::ToQueens), seat in seat()) {
        let seen = film(&script, &seat.view(), Noise::default(), 0);
        let findings = find(&script, seat, &seen);
        prop_assert_eq!(played(&findings), acted(&script));
        prop_assert!(findings.moves.iter().all(|m| m.legal));
        prop_assert!(findings.out_of_step.is_empty());
    }
}

/// `count` values of a strategy, the same in every run.
fn sample<T>(strategy: &impl Strategy<Value = T>, count: usize, seed: u64) -> Vec<T> {
    let mut runner = TestRunner::new(config(1, seed));
    (0..count)
        .map(|_| strategy.new_tree(&mut runner).unwrap().current())
        .collect()
}

#[test]
#[ignore]
fn survey() {
    let var = |n: &str, d: f64| std::env::var(n).ok().and_then(|n| n.parse::<f64>().ok()).unwrap_or(d);
    let n = var("N", 100.0) as usize;
    let most = var("MOST", 8.0) as usize;
    let noise = Noise { kinds: var("KINDS", 0.0), colours: var("COLOURS", 0.0), misread: var("MISREAD", 0.0), shake_px: var("SHAKE", 0.0), jitter_ms: var("JITTER", 0.0) };
    let mut bad = 0; let mut wrong = 0; let mut worst = 0.0_f64; let mut total = 0;
    for (i, (mut script, seat)) in sample(&(scripts(most, Promote::ToQueens), seat()), n, 5).into_iter().enumerate() {
        if var("CALM", 0.0) > 0.0 {
            let mut p = script.start.clone();
            let moves: Vec<_> = script.moves.iter().map(|m| {
                let u: shakmaty::uci::UciMove = m.uci.parse().unwrap();
                let mv = u.to_move(&p).unwrap(); p.play_unchecked(mv);
                (mv, Manner { quick: false, ..m.manner })
            }).collect();
            script = act(&script.start, &moves);
        }
        let seen = film(&script, &seat.view(), noise, i as u64);
        let mut engine = Engine::new(&Setup { view: seat.view(), start: script.start.clone(), edition: Edition::Fide2023 });
        for o in &seen { let t = std::time::Instant::now(); engine.observe(o); worst = worst.max(t.elapsed().as_secs_f64()); }
        let findings = engine.finish();
        total += script.moves.len();
        let incidents: Vec<_> = findings.incidents.iter().filter(|i| i.severity != Some(Severity::Log)).collect();
        if played(&findings) != acted(&script) { wrong += 1; }
        if played(&findings) != acted(&script) || !incidents.is_empty() {
            bad += 1;
            println!("-- {i} {seat:?} {script:?}\n   found {:?}\n out {:?}", played(&findings), findings.out_of_step);
            for c in &findings.contacts { println!("     {:?} {:?} {:?}-{:?} {}..{} p {:?}", c.player, c.kind, c.square, c.to, c.touch_ms, c.release_ms, c.probability); }
            for i in incidents { println!("     {i:?}"); }
        }
        if played(&findings) == acted(&script) { for (a, b) in script.moves.iter().zip(&findings.moves) { println!("DT made {:?} {} {} 0", a.contacts.iter().map(|c| c.kind).collect::<Vec<_>>(), a.manner.quick, b.made_ms - a.made_ms); } }
        for m in &script.moves { for c in &m.contacts {
            let name = |s: Option<shakmaty::Square>| s.map(|s| s.to_string());
            let best = findings.contacts.iter().filter(|f| f.kind == c.kind && f.square == name(c.from) && f.to == name(c.to)).min_by(|a,b| (a.touch_ms-c.touch_ms).abs().total_cmp(&(b.touch_ms-c.touch_ms).abs()));
            match best { Some(b) => println!("DT {seat:?} {:?}{:?} {} {} {}", c.kind, m.manner.order, m.manner.quick, b.touch_ms-c.touch_ms, b.release_ms-c.release_ms), None => println!("DT {seat:?} {:?}{:?} {} missing", c.kind, m.manner.order, m.manner.quick) }
        } }
    }
    println!("TOTAL {bad} of {n} bad, {wrong} wrong moves, {total} moves, worst observe {worst}");
}
