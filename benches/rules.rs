//! How many events a second the rules core takes, the obligation asked for after each.
//!
//! `cargo bench --no-default-features --bench rules`; the figure is in `docs/rules.md`.

#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark")]

use adoube::rules::{Edition, Event, Ledger, Step, parse_script};
use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher};
use shakmaty::Chess;

/// Counts what is allocated, beside the time.
#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// A game's opening as hands play it: every move with its contacts and the clock.
const GAME: &str = "touch w e2; lift w e2; release w e4; clock w; \
    touch b e7; lift b e7; release b e5; clock b; \
    touch w g1; lift w g1; release w f3; clock w; \
    touch b b8; lift b b8; release b c6; clock b; \
    touch w f1; lift w f1; release w c4; clock w; \
    touch b f8; lift b f8; release b c5; clock b; \
    touch w e1; lift w e1; release w g1; touch w h1; lift w h1; release w f1; clock w; \
    touch b g8; lift b g8; release b f6; clock b; \
    touch w d2; lift w d2; release w d4; clock w; \
    touch b e5; touch b d4; remove b d4; lift b e5; release b d4; clock b; \
    touch w f3; touch w d4; remove w d4; lift w f3; release w d4; clock w; \
    touch b c6; touch b d4; remove b d4; lift b c6; release b d4; clock b";

fn events() -> Vec<Event> {
    let step = |s| match s {
        Step::Event(e) => Some(e),
        Step::Checkpoint => None,
    };
    parse_script(GAME)
        .unwrap()
        .into_iter()
        .filter_map(step)
        .collect()
}

/// A game from its start: what an arbiter's console does.
#[divan::bench(args = [Edition::Fide1997, Edition::Fide2014, Edition::Fide2023, Edition::Uscf7])]
fn game(bencher: Bencher, edition: Edition) {
    let events = events();
    bencher
        .counter(ItemsCount::new(events.len()))
        .bench_local(|| {
            let mut ledger = Ledger::new(Chess::default(), edition);
            let mut moves = 0;
            for event in &events {
                ledger.apply(event).unwrap();
                moves += ledger.obligation().moves.len();
            }
            moves
        });
}

/// The same with the verdict too.
#[divan::bench]
fn game_with_verdicts(bencher: Bencher) {
    let events = events();
    bencher
        .counter(ItemsCount::new(events.len()))
        .bench_local(|| {
            let mut ledger = Ledger::new(Chess::default(), Edition::Fide2023);
            let mut moves = 0;
            for event in &events {
                ledger.apply(event).unwrap();
                moves += ledger.obligation().moves.len();
                divan::black_box(ledger.verdict());
            }
            moves
        });
}

/// Touches alone, in a position with many moves.
#[divan::bench]
fn touches(bencher: Bencher) {
    let script = "touch w e1; touch w h1; touch w a1; touch b e8; touch w d2; touch w c6";
    let events: Vec<Event> = script.split("; ").map(|t| t.parse().unwrap()).collect();
    let fen = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1";
    let position = adoube::rules::parse_fen(fen).unwrap();
    bencher
        .counter(ItemsCount::new(events.len()))
        .bench_local(|| {
            let mut ledger = Ledger::new(position.clone(), Edition::Fide2023);
            let mut moves = 0;
            for event in &events {
                ledger.apply(event).unwrap();
                moves += ledger.obligation().moves.len();
            }
            moves
        });
}
