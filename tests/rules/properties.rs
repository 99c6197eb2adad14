//! Properties that hold whatever hands do.

use adoube::rules::{
    Because, Edition, Event, Ledger, Mode, Step, TouchFlag, parse_fen, parse_script,
};
use proptest::{prelude::*, test_runner::RngSeed};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Position, Role, Square};

fn square() -> impl Strategy<Value = Square> {
    (0_u32..64).prop_map(Square::new)
}

fn player() -> impl Strategy<Value = Color> {
    any::<bool>().prop_map(Color::from_white)
}

fn piece() -> impl Strategy<Value = Option<Role>> {
    prop::option::of(prop::sample::select(Role::ALL.to_vec()))
}

fn flag() -> impl Strategy<Value = TouchFlag> {
    use TouchFlag as F;
    prop::sample::select(vec![
        F::Deliberate,
        F::Accidental,
        F::Centring,
        F::ViaHeldPiece,
    ])
}

fn uci() -> impl Strategy<Value = UciMove> {
    let promotion =
        prop::option::weighted(0.1, prop::sample::select(vec![Role::Queen, Role::Knight]));
    (square(), square(), promotion)
        .prop_filter("a move goes elsewhere", |(from, to, _)| from != to)
        .prop_map(|(from, to, promotion)| UciMove::Normal {
            from,
            to,
            promotion,
        })
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        (player(), prop::collection::vec(square(), 1..3), flag()).prop_map(
            |(player, squares, flag)| Event::Touch {
                player,
                squares,
                flag
            }
        ),
        player().prop_map(|player| Event::Adjust { player }),
        player().prop_map(|player| Event::EndAdjust { player }),
        (player(), square()).prop_map(|(player, square)| Event::Lift { player, square }),
        (player(), square(), piece()).prop_map(|(player, square, promotion)| {
            Event::Place {
                player,
                square,
                promotion,
            }
        }),
        (player(), square(), piece()).prop_map(|(player, square, promotion)| {
            Event::Release {
                player,
                square,
                promotion,
            }
        }),
        (player(), square()).prop_map(|(player, square)| Event::Remove { player, square }),
        player().prop_map(|player| Event::Return { player }),
        (player(), uci(), any::<bool>()).prop_map(|(player, uci, two_hands)| Event::Move {
            player,
            uci,
            two_hands
        }),
        player().prop_map(|player| Event::Null { player }),
        player().prop_map(|player| Event::Takeback { player }),
        player().prop_map(|player| Event::Claim { player }),
        (player(), any::<bool>())
            .prop_map(|(player, other_hand)| Event::Clock { player, other_hand }),
    ]
}

/// Positions in which kings and rooks have much or little to do.
const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1pp1ppp/bpn2n2/8/8/2N5/PPP2PPP/R3K2R w KQkq - 0 1",
    "3rk2r/p1p2ppp/bpn2n2/8/8/2N5/PPP2PPP/R3K2R w KQk - 0 1",
    "4k3/7p/8/8/8/8/6r1/4K2R w K - 0 1",
];

/// A position some random legal moves into a game.
fn game(choices: &[u8]) -> Chess {
    game_from(STARTS[0], choices)
}

fn game_from(start: &str, choices: &[u8]) -> Chess {
    let mut position = parse_fen(start).unwrap();
    for choice in choices {
        let moves = position.legal_moves();
        match moves.get(usize::from(*choice) % moves.len().max(1)) {
            Some(mv) => position.play_unchecked(*mv),
            None => break,
        }
    }
    position
}

fn choices() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..80)
}

/// The same cases in every run; `PROPTEST_CASES` asks for more of them, `ADOUBE_SEED` for others.
fn config() -> ProptestConfig {
    let seed = std::env::var("ADOUBE_SEED")
        .ok()
        .and_then(|n| n.parse().ok());
    ProptestConfig {
        rng_seed: RngSeed::Fixed(seed.unwrap_or(3)),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn events_survive_being_written(event in event()) {
        prop_assert_eq!(event.to_string().parse::<Event>().unwrap(), event);
    }

    #[test]
    fn no_text_upsets_the_reader(text in "\\PC{0,40}", words in "(touch|move|clock|place)( [a-h0-9wbQx,;?é]{0,4}){0,4}") {
        let _ = parse_script(&text);
        let _ = parse_script(&words);
    }

    #[test]
    fn a_touched_piece_must_move_if_it_can(choices in choices(), which in any::<prop::sample::Index>()) {
        let position = game(&choices);
        let own: Vec<Square> = position.us().into_iter().collect();
        let square = *which.get(&own);
        let mut wanted: Vec<String> = position.legal_moves().iter()
            .filter(|m| m.from() == Some(square))
            .map(|m| m.to_uci(CastlingMode::Standard).to_string())
            .collect();
        wanted.sort();
        let player = position.turn();
        let all = position.legal_moves().len();
        let mut ledger = Ledger::new(position, Edition::Fide2023);
        ledger.apply(&Event::Touch { player, squares: vec![square], flag: TouchFlag::Deliberate }).unwrap();
        let obligation = ledger.obligation();
        if wanted.is_empty() {
            prop_assert_eq!(obligation.mode, Mode::Free);
            prop_assert_eq!(obligation.moves.len(), all);
        } else {
            let found: Vec<String> = obligation.moves.iter().map(ToString::to_string).collect();
            prop_assert_eq!(found, wanted);
        }
    }

    #[test]
    fn any_events_leave_the_ledger_sound(
        choices in choices(),
        edition in prop::sample::select(Edition::ALL.to_vec()),
        events in prop::collection::vec(event(), 0..40),
    ) {
        let mut ledger = Ledger::new(game(&choices), edition);
        for event in &events {
            let _ = ledger.apply(event);
            let obligation = ledger.obligation();
            let legal = ledger.position().legal_moves();
            let written = |m: &UciMove| {
                legal.iter().any(|l| l.to_uci(CastlingMode::Standard) == *m)
            };
            prop_assert!(obligation.moves.iter().all(written));
            prop_assert_eq!(obligation.moves.is_empty(), legal.is_empty());
            if obligation.because == Because::Nothing {
                prop_assert_eq!(obligation.mode, Mode::Free);
            }
            let _ = (ledger.verdict(), ledger.explain());
        }
    }

    #[test]
    fn scripts_are_read_in_order(events in prop::collection::vec(event(), 0..12)) {
        let text: Vec<String> = events.iter().map(Event::to_string).collect();
        let steps: Vec<Step> = events.into_iter().map(Step::Event).collect();
        prop_assert_eq!(parse_script(&text.join("; ")).unwrap(), steps);
    }

    #[test]
    fn an_announcement_never_adds_an_obligation(
        choices in choices(),
        edition in prop::sample::select(Edition::ALL.to_vec()),
        which in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
        at in any::<prop::sample::Index>(),
    ) {
        let position = game(&choices);
        let player = position.turn();
        let occupied: Vec<Square> = position.board().occupied().into_iter().collect();
        let touches = which.iter().map(|w| Event::Touch {
            player,
            squares: vec![*w.get(&occupied)],
            flag: TouchFlag::Deliberate,
        });
        let plain: Vec<Event> = touches.collect();
        let mut announced = plain.clone();
        announced.insert(at.index(plain.len()), Event::Adjust { player });
        let bound = |events: &[Event]| {
            let mut ledger = Ledger::new(position.clone(), edition);
            for event in events {
                ledger.apply(event).unwrap();
            }
            ledger.obligation()
        };
        let (without, with) = (bound(&plain), bound(&announced));
        // What still binds was touched before the announcement, and would bind without it.
        if without.mode == Mode::Free {
            let first = with.cause().map(|c| &announced[c]);
            prop_assert!(with.mode == Mode::Free || first.is_some());
        }
        let before = bound(&announced[..at.index(plain.len())]);
        prop_assert_eq!(with, before);
    }

    #[test]
    fn an_immobile_piece_never_binds(
        choices in choices(),
        edition in prop::sample::select(Edition::ALL.to_vec()),
    ) {
        let position = game(&choices);
        let player = position.turn();
        let legal = position.legal_moves();
        for square in position.us() {
            if legal.iter().any(|m| m.from() == Some(square)) {
                continue;
            }
            let mut ledger = Ledger::new(position.clone(), edition);
            ledger.apply(&Event::Touch { player, squares: vec![square], flag: TouchFlag::Deliberate }).unwrap();
            prop_assert_eq!(ledger.obligation().moves.len(), legal.len());
            prop_assert_eq!(ledger.obligation().mode, Mode::Free);
        }
    }

    #[test]
    fn castling_is_legal_only_where_king_and_rook_can_move(choices in choices()) {
        let position = game(&choices);
        let player = position.turn();
        for castle in position.legal_moves().iter().filter(|m| m.is_castle()) {
            for square in [castle.from().unwrap(), castle.to()] {
                let mut ledger = Ledger::new(position.clone(), Edition::Fide2023);
                ledger.apply(&Event::Touch { player, squares: vec![square], flag: TouchFlag::Deliberate }).unwrap();
                prop_assert_ne!(ledger.obligation().mode, Mode::Free);
            }
        }
    }

    #[test]
    fn a_later_touch_never_widens_what_binds(
        start in prop::sample::select(STARTS.to_vec()),
        choices in choices(),
        // The announced variation of the US rules gives castling back to a rook touched first.
        edition in prop::sample::select(Edition::ALL.to_vec())
            .prop_filter("rook first may castle", |e| *e != Edition::Uscf7V),
        touches in prop::collection::vec((0..8, any::<prop::sample::Index>()), 2..6),
    ) {
        // But for a castling attempt that turns out illegal, which frees a king that cannot move.
        let position = game_from(start, &choices[..choices.len() / 8]);
        let player = position.turn();
        let occupied: Vec<Square> = position.board().occupied().into_iter().collect();
        let king = position.our(Role::King).first().unwrap();
        let rooks: Vec<Square> = position.our(Role::Rook).into_iter().collect();
        let mut ledger = Ledger::new(position, edition);
        let mut last = ledger.obligation();
        for (kind, which) in touches {
            let squares = match kind {
                0 if !rooks.is_empty() => vec![king, *which.get(&rooks)],
                1 if !rooks.is_empty() => vec![*which.get(&rooks)],
                2 => vec![king],
                _ => vec![*which.get(&occupied)],
            };
            ledger.apply(&Event::Touch { player, squares, flag: TouchFlag::Deliberate }).unwrap();
            let now = ledger.obligation();
            let narrower = now.moves.iter().all(|m| last.moves.contains(m));
            prop_assert!(last.mode == Mode::Free || narrower, "{last:?} then {now:?}");
            last = now;
        }
    }
}
