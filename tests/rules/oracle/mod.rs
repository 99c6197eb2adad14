//! The rules core against an independent oracle: a slow, plain restatement of the Laws by brute
//! force over legal moves, compared after every event of random events in random positions of
//! random games, in all editions.
//!
//! `ADOUBE_ORACLE_EVENTS=1000000 cargo test --no-default-features --test rules oracle -- --nocapture`
//! compares a million; without the variable it is fewer. The count is printed. `ADOUBE_SEED=1`, or
//! another number, compares other events.

mod laws;

use std::cell::Cell;

use adoube::rules::{Edition, Event, Ledger, parse_fen};
use laws::Oracle;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};
use shakmaty::{Chess, Position, Role, Square};

/// Positions rich in castling, promotion, en passant, pins and checks; games begin there as well.
const POSITIONS: [&str; 14] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1pp1ppp/bpn2n2/8/8/2N5/PPP2PPP/R3K2R w KQkq - 0 1",
    "3rk2r/p1p2ppp/bpn2n2/8/8/2N5/PPP2PPP/R3K2R w KQk - 0 1",
    "r3k2r/pppp1ppp/2n2n2/4p3/4P3/2N5/PPPP1PPP/R1BQK1NR w KQkq - 0 1",
    "rnb1kbnr/pppp1ppp/8/8/4q3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1",
    "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1",
    "3r1r1k/2P1P3/6P1/8/8/4K3/pp4p1/2R4R b - - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "4k3/8/5p2/3p4/2P1P3/1N6/8/4K3 w - - 0 1",
    "6k1/4Pppp/8/8/8/8/8/R3K3 w Q - 0 1",
    "r3k2r/1P4P1/8/2pP4/4pP2/8/1p4p1/R3K2R w KQkq c6 0 1",
    "4r1k1/8/8/8/8/5n2/6P1/Q3K3 w - - 0 1",
];

/// What an event is made of, whatever the position turns out to be.
type Seed = (u8, u8, u8, u8);

fn seeds() -> BoxedStrategy<(u8, Vec<u8>, Vec<Seed>)> {
    (
        any::<u8>(),
        prop::collection::vec(any::<u8>(), 0..60),
        prop::collection::vec(any::<Seed>(), 1..14),
    )
        .boxed()
}

/// Mostly touches of king, rooks and enemy pieces, where castling may be legal.
fn castling_seeds() -> BoxedStrategy<(u8, Vec<u8>, Vec<Seed>)> {
    let kind = prop::sample::select(vec![0, 6, 7, 9, 10, 14, 14, 14, 15, 18, 20, 24, 27, 33, 38]);
    let seed = (kind, any::<u8>(), any::<u8>(), any::<u8>());
    (
        prop::sample::select(vec![1_u8, 2, 3, 4, 5, 11, 12]),
        prop::collection::vec(any::<u8>(), 0..8),
        prop::collection::vec(seed, 1..14),
    )
        .boxed()
}

fn position(start: u8, choices: &[u8]) -> Chess {
    let fen = POSITIONS[usize::from(start) % POSITIONS.len()];
    let mut position = parse_fen(fen).unwrap();
    // The special positions are special only for a few moves.
    let plies = if start < 128 {
        choices.len()
    } else {
        choices.len() / 20
    };
    for choice in &choices[..plies] {
        let moves = position.legal_moves();
        match moves.get(usize::from(*choice) % moves.len().max(1)) {
            Some(mv) => position.play_unchecked(*mv),
            None => break,
        }
    }
    position
}

fn pick<T: Copy>(all: &[T], seed: u8) -> Option<T> {
    all.get(usize::from(seed) % all.len().max(1)).copied()
}

/// An event that can happen on the oracle's table, from a seed.
fn event(oracle: &Oracle, (kind, a, b, c): Seed) -> Option<Event> {
    let player = oracle.player();
    let p = player.char();
    let own = oracle.standing(player);
    let enemy = oracle.standing(!player);
    let text = match kind % 40 {
        0..=5 => format!("touch {p} {}", pick(&own, a)?),
        6..=8 => format!("touch {p} {}", pick(&enemy, a)?),
        9 => format!("touch {p} {},{}", pick(&own, a)?, pick(&own, b)?),
        10 => format!("touch {p} {},{}", pick(&own, a)?, pick(&enemy, b)?),
        11 => format!("touch {p} {} acc", pick(&own, a)?),
        12 => format!("touch {p} {} centre", pick(&own, a)?),
        13 => format!("touch {p} {} via", pick(&enemy, a)?),
        14..=15 => {
            let homes = [
                Square::E1,
                Square::H1,
                Square::A1,
                Square::E8,
                Square::H8,
                Square::A8,
            ];
            let home = |seed| pick(&homes, seed).filter(|s| own.contains(s));
            let first = home(a)?;
            // King and rook, or both rooks, in one instant.
            match home(b).filter(|s| c % 4 == 0 && *s != first) {
                Some(second) => format!("touch {p} {first},{second}"),
                None => format!("touch {p} {first}"),
            }
        }
        16 if c % 2 == 0 => format!("adjust {p}"),
        16 => format!("endadj {p}"),
        17 if !oracle.made() => format!("touch {} {}", (!player).char(), pick(&enemy, a)?),
        18..=23 if oracle.may_lift() => format!("lift {p} {}", pick(&own, a)?),
        18..=26 => {
            let targets = oracle.targets();
            let anywhere: Vec<Square> = Square::ALL
                .into_iter()
                .filter(|s| !own.contains(s))
                .collect();
            let square = if c % 4 == 0 {
                pick(&anywhere, a)
            } else {
                pick(&targets, a)
            };
            format!("release {p} {}", square.filter(|_| !oracle.may_lift())?)
        }
        27..=29 => format!("remove {p} {}", pick(&oracle.removable(), a)?),
        30 if oracle.can_return() => format!("return {p}"),
        31..=32 => {
            let role = pick(&[Role::Queen, Role::Rook, Role::Bishop, Role::Knight], b)?;
            let verb = if c % 2 == 0 { "place" } else { "release" };
            let square = pick(&oracle.promotion_squares(), a)?;
            format!("{verb} {p} {square} {}", role.upper_char())
        }
        33..=36 => {
            let two = if c % 8 == 0 { " 2h" } else { "" };
            format!("move {p} {}{two}", pick(oracle.legal(), a)?)
        }
        37 => {
            let from = pick(&own, a).filter(|s| oracle.unmoved(*s))?;
            let to = Square::new(u32::from(b) % 64);
            format!("move {p} {from}{}", Some(to).filter(|t| *t != from)?)
        }
        38..=39 => {
            let who = if oracle.made() { (!player).char() } else { p };
            format!("clock {who}{}", if c % 8 == 0 { " x" } else { "" })
        }
        _ => return None,
    };
    Some(text.parse().unwrap())
}

/// Plays the seeds in one edition on both; the events compared, or what differs.
fn compare(edition: Edition, start: &Chess, seeds: &[Seed]) -> Result<usize, String> {
    let mut ledger = Ledger::new(start.clone(), edition);
    let mut oracle = Oracle::new(start.clone(), &edition.tag());
    let mut script = Vec::new();
    let mut count = 0;
    for seed in seeds {
        let Some(event) = event(&oracle, *seed) else {
            continue;
        };
        script.push(event.to_string());
        let done = oracle.apply(&event.to_string());
        let fail = |what: &str, core: String, plain: String| {
            format!(
                "{} {edition}: {}: {what}: core {core}, oracle {plain}",
                shakmaty::fen::Fen::from_position(start, shakmaty::EnPassantMode::Legal),
                script.join("; ")
            )
        };
        if let Err(e) = ledger.apply(&event) {
            return Err(fail("refused", e.to_string(), "possible".to_owned()));
        }
        if done {
            break;
        }
        count += 1;
        let core: Vec<String> = ledger
            .obligation()
            .moves
            .iter()
            .map(ToString::to_string)
            .collect();
        let plain: Vec<String> = oracle.obligation().into_iter().collect();
        if core != plain {
            return Err(fail("obligation", core.join(" "), plain.join(" ")));
        }
        let (core, plain) = (ledger.verdict().as_str(), oracle.verdict());
        if core != plain {
            return Err(fail("verdict", core.to_owned(), plain.to_owned()));
        }
        if ledger.player() != oracle.player() {
            return Err(fail(
                "player",
                ledger.player().to_string(),
                oracle.player().to_string(),
            ));
        }
    }
    Ok(count)
}

#[test]
fn the_core_agrees_with_the_oracle() {
    let wanted: usize = std::env::var("ADOUBE_ORACLE_EVENTS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(30_000);
    let count = Cell::new(0_usize);
    let first: u64 = std::env::var("ADOUBE_SEED")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0);
    // Each round has events of its own, the same ones in every run.
    for round in first * 1_000_000.. {
        if count.get() >= wanted {
            break;
        }
        let mut runner = TestRunner::new(Config {
            cases: 64,
            max_shrink_iters: 5_000,
            failure_persistence: None,
            rng_seed: RngSeed::Fixed(round),
            ..Config::default()
        });
        let kind = if round % 2 == 0 {
            seeds()
        } else {
            castling_seeds()
        };
        let outcome = runner.run(&kind, |(start, choices, seeds)| {
            let position = position(start, &choices);
            for edition in Edition::ALL {
                let compared = compare(edition, &position, &seeds).map_err(TestCaseError::fail)?;
                count.set(count.get() + compared);
            }
            Ok(())
        });
        match outcome {
            Ok(()) => {}
            Err(TestError::Fail(reason, _)) => panic!("{reason}"),
            Err(e) => panic!("{e}"),
        }
    }
    println!(
        "{} events compared in {} editions",
        count.get(),
        Edition::ALL.len()
    );
}
