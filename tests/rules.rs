//! The rules core against a table of cases, and the labels of the rendered clips.

use adoube::rules::{Edition, Touch, obligation};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Position, Square, fen::Fen};

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Standard)
        .unwrap()
}

/// FEN | touches in order (squares joined by `=`: order not known) | article | moves still open.
#[test]
fn cases() {
    let mut count = 0;
    for line in include_str!("data/obligations.txt")
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
    {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [fen, touched, article, want] = fields.as_slice() else {
            panic!("{line}")
        };
        let mut touches = Vec::new();
        for (group, squares) in touched.split_whitespace().enumerate() {
            let group = if squares.contains('=') {
                group as u32
            } else {
                u32::MAX
            };
            touches.extend(squares.split('=').map(|s| Touch {
                square: s.parse().unwrap(),
                group,
            }));
        }
        let duty = obligation(Edition::Fide2023, &position(fen), &touches);
        assert_eq!(duty.article().unwrap_or("free"), *article, "{line}");
        if *want != "*" {
            assert_eq!(duty.uci().join(" "), *want, "{line}");
        }
        count += 1;
    }
    assert!(count >= 20);
}

proptest! {
    /// A single touched piece that can move binds to exactly its own moves, or the captures of it.
    #[test]
    fn one_touch_binds_to_that_piece(plies in 0_usize..60, seed: u64, square in 0_u32..64) {
        let mut game = Chess::default();
        let mut random = seed;
        for _ in 0..plies {
            let moves = game.legal_moves();
            if moves.is_empty() { break }
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let m = moves[(random >> 33) as usize % moves.len()];
            game.play_unchecked(m);
        }
        let square = Square::new(square);
        let duty = obligation(Edition::Fide2023, &game, &[Touch::on(square)]);
        let legal = game.legal_moves();
        let own: Vec<_> = legal.iter().filter(|m| m.from() == Some(square)).copied().collect();
        if own.is_empty() {
            prop_assert!(duty.moves.iter().all(|m| legal.contains(m)));
        } else {
            prop_assert_eq!(duty.moves, own);
        }
    }

    /// Nothing is ever obliged that is not legal, and a player is never left without a move.
    #[test]
    fn obligations_are_legal_moves(squares in proptest::collection::vec(0_u32..64, 0..6)) {
        let game = position("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1");
        let touches: Vec<Touch> = squares.into_iter().map(|s| Touch::on(Square::new(s))).collect();
        let duty = obligation(Edition::Fide2023, &game, &touches);
        let legal = game.legal_moves();
        prop_assert!(!duty.moves.is_empty());
        prop_assert!(duty.moves.iter().all(|m| legal.contains(m)));
    }
}
