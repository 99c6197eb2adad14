//! Boards as seen, explained by the moves that led to them.

use adoube::events::{
    Beliefs, Explanation, explain, mismatches,
    observation::{CONTENTS, Observation, SquareReading, content_index},
    position_from_fen, uci,
};
use proptest::{prelude::*, test_runner::RngSeed};
use shakmaty::{Board, Chess, Position, Square, uci::UciMove};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CASTLING: &str = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8";
const EN_PASSANT: &str = "rnbqkbnr/1pp2ppp/p7/3pP3/3P4/8/PPP2PPP/RNBQKBNR w KQkq d6 0 4";
const BLACK_EN_PASSANT: &str = "4k3/8/8/8/1pP5/8/8/4K3 b - c3 0 1";
const PROMOTING: &str = "1n1r2k1/P1P3pp/8/4p3/3P4/8/p4pPP/1R2R2K w - - 0 30";
const BLACK_PROMOTING: &str = "1n1r2k1/P1P3pp/8/4p3/3P4/8/p4pPP/1R2R2K b - - 0 30";

/// What two looks at a board leave in mind, but for the squares `hidden` (a1 = bit 0) at both.
fn seen(board: &Board, hidden: u64) -> Beliefs {
    let mut beliefs = Beliefs::default();
    let look = |t_ms: f64, moving: u64, squares: Vec<SquareReading>| Observation {
        t_ms,
        squares,
        moving,
        ..Observation::default()
    };
    // Hands were all over the board before: any piece may have been moved.
    beliefs.update(&look(0.0, u64::MAX, Vec::new()));
    for t_ms in [100.0, 200.0] {
        let squares = Square::ALL.iter().map(|s| {
            let mut log_p = [-6.0; CONTENTS];
            log_p[content_index(board.piece_at(*s))] = -0.03;
            let is_hidden = hidden & (1 << *s as u32) != 0;
            SquareReading {
                square: *s as u8,
                hidden: if is_hidden { 0.99 } else { 0.01 },
                log_p,
            }
        });
        beliefs.update(&look(t_ms, 0, squares.collect()));
    }
    beliefs
}

fn after(position: &Chess, line: &str) -> Chess {
    let mut position = position.clone();
    for word in line.split_whitespace() {
        let m = word.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(m);
    }
    position
}

fn line(found: &Explanation) -> String {
    found.moves.iter().map(uci).collect::<Vec<_>>().join(" ")
}

/// The board after `moves` is explained by them, and surely.
#[track_caller]
fn check(fen: &str, moves: &str) {
    let before = position_from_fen(fen).unwrap();
    let beliefs = seen(after(&before, moves).board(), 0);
    let found = explain(&beliefs, &before, 4).expect(moves);
    assert_eq!(line(&found), moves);
    assert!(found.unexplained.is_empty(), "{moves}");
    assert!(
        found.gain >= 1.5 && found.margin >= 1.5,
        "{moves}: {found:?}"
    );
}

#[test]
fn one_move_is_explained() {
    for moves in ["e2e4", "g1f3", "b1a3"] {
        check(START, moves);
    }
    for moves in ["e1g1", "e1c1", "e1e2", "h1g1", "e3c5", "c4e6", "f3e5"] {
        check(CASTLING, moves);
    }
    for moves in ["e5d6", "e5e6", "f1a6", "g2g4"] {
        check(EN_PASSANT, moves);
    }
    check(BLACK_EN_PASSANT, "b4c3");
    for moves in ["a7a8q", "a7b8q", "c7c8q", "c7b8q", "c7d8q", "d4e5"] {
        check(PROMOTING, moves);
    }
    for moves in ["a2a1q", "a2b1q", "f2f1q", "f2e1q", "d8d4"] {
        check(BLACK_PROMOTING, moves);
    }
}

#[test]
fn underpromotions_are_explained() {
    for to in ["a7a8", "a7b8", "c7c8", "c7d8"] {
        for piece in ["r", "b", "n"] {
            check(PROMOTING, &format!("{to}{piece}"));
        }
    }
    for to in ["a2a1", "a2b1"] {
        for piece in ["r", "b", "n"] {
            check(BLACK_PROMOTING, &format!("{to}{piece}"));
        }
    }
}

#[test]
fn quick_replies_are_explained() {
    for moves in ["e2e4 e7e5", "e2e4 d7d5", "d2d4 d7d5 c1f4", "e2e4 d7d5 e4d5"] {
        check(START, moves);
    }
    for moves in [
        "e1g1 e8c8",
        "e1c1 e8g8",
        "c4e6 d7e6",
        "c4e6 f7e6",
        "e3c5 d6c5 e1g1",
        "f3e5 c6e5",
        "f3e5 d6e5 c4e6",
    ] {
        check(CASTLING, moves);
    }
    for moves in ["e5d6 c7d6", "e5d6 d8d6", "e5d6 f8d6 f1a6"] {
        check(EN_PASSANT, moves);
    }
    for moves in ["d4e5 a2a1q", "a7b8q d8b8", "d4e5 a2b1q e1b1"] {
        check(PROMOTING, moves);
    }
}

#[test]
fn a_short_line_is_found_where_there_are_many_long_ones() {
    let open = "N1b3nr/5k2/B6p/1q3Pp1/R1P5/P6P/1B1pQ1n1/7K b - - 0 35";
    check(open, "b5d5 e2d1");
}

#[test]
fn nothing_is_explained_where_nothing_was_played() {
    let start = position_from_fen(START).unwrap();
    assert!(mismatches(&seen(start.board(), 0), start.board()).is_empty());
    assert_eq!(explain(&seen(start.board(), 0), &start, 4), None);
}

/// A position some random legal moves into a game.
fn game(choices: &[u8]) -> Chess {
    let mut position = Chess::default();
    for choice in choices {
        let moves = position.legal_moves();
        match moves.get(usize::from(*choice) % moves.len().max(1)) {
            Some(m) => position.play_unchecked(*m),
            None => break,
        }
    }
    position
}

fn config(cases: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok();
    ProptestConfig {
        cases: asked.and_then(|n| n.parse().ok()).unwrap_or(cases),
        rng_seed: RngSeed::Fixed(5),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn any_move_is_explained(
        choices in prop::collection::vec(any::<u8>(), 0..80),
        pick in any::<prop::sample::Index>(),
    ) {
        let before = game(&choices);
        let legal = before.legal_moves();
        prop_assume!(!legal.is_empty());
        let m = legal[pick.index(legal.len())];
        // What a pawn became is another test's.
        prop_assume!(m.promotion().is_none_or(|r| r == shakmaty::Role::Queen));
        let mut now = before.clone();
        now.play_unchecked(m);
        let found = explain(&seen(now.board(), 0), &before, 4).unwrap();
        prop_assert_eq!(line(&found), uci(&m));
        prop_assert!(found.unexplained.is_empty());
        prop_assert!(found.margin >= 1.5, "{:?}", found);
    }

    #[test]
    fn any_two_moves_are_explained(
        choices in prop::collection::vec(any::<u8>(), 0..80),
        picks in any::<[prop::sample::Index; 2]>(),
    ) {
        let before = game(&choices);
        let mut now = before.clone();
        let mut played = Vec::new();
        for pick in picks {
            let legal = now.legal_moves();
            prop_assume!(!legal.is_empty());
            let m = legal[pick.index(legal.len())];
            prop_assume!(!m.is_promotion());
            now.play_unchecked(m);
            played.push(uci(&m));
        }
        let found = explain(&seen(now.board(), 0), &before, 4).unwrap();
        prop_assert_eq!(line(&found), played.join(" "));
        prop_assert!(found.margin >= 1.5, "{:?}", found);
    }

    #[test]
    fn what_is_hidden_is_not_explained_against_what_is_seen(
        choices in prop::collection::vec(any::<u8>(), 0..60),
        pick in any::<prop::sample::Index>(),
        hidden in any::<u64>(),
        also in any::<u64>(),
    ) {
        let before = game(&choices);
        let legal = before.legal_moves();
        prop_assume!(!legal.is_empty());
        let m = legal[pick.index(legal.len())];
        let mut now = before.clone();
        now.play_unchecked(m);
        let beliefs = seen(now.board(), hidden & also);
        if let Some(found) = explain(&beliefs, &before, 2)
            && found.margin >= 1.5
        {
            let mut stands = before.clone();
            found.moves.iter().for_each(|m| stands.play_unchecked(*m));
            let last = found.moves.last().unwrap();
            let landed = adoube::events::landing(last);
            prop_assert!(
                beliefs.of(landed).surprise(content_index(stands.board().piece_at(landed))) <= 1.0,
                "{} does not stand where {} is seen", line(&found), uci(&m)
            );
        }
    }
}
