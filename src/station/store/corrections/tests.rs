use super::*;
use crate::{
    events::Findings,
    record::{Contact, ContactKind, PlayedMove},
    station::{
        clock::Clock,
        store::{
            alerts::{AlertKind, AlertSwitch},
            check::check,
            games::TurnFound,
            people::Boards,
        },
    },
};

fn contact(id: u32, square: &str, piece: &str, to: &str, kind: ContactKind) -> Contact {
    let touch_ms = f64::from(id) * 1000.0;
    let carried = kind == ContactKind::Move;
    Contact {
        id,
        player: Player::White,
        hand: None,
        square: Some(square.to_owned()),
        piece: piece.to_owned(),
        kind,
        touch_ms,
        lift_ms: carried.then_some(touch_ms + 150.0),
        place_ms: carried.then_some(touch_ms + 600.0),
        release_ms: touch_ms + 700.0,
        to: Some(to.to_owned()),
        probability: Some(0.9),
    }
}

/// White touches the knights one after the other, the second maybe not, and plays d4: as the
/// engine finds it.
fn found() -> Findings {
    let contacts = vec![
        contact(1, "g1", "N", "g1", ContactKind::Touch),
        Contact {
            probability: Some(0.6),
            ..contact(2, "b1", "N", "b1", ContactKind::Touch)
        },
        contact(3, "d2", "P", "d4", ContactKind::Move),
    ];
    let before = Chess::default();
    let mv = "d2d4".parse::<UciMove>().unwrap().to_move(&before).unwrap();
    let played = Played::Legal { mv, made_ms: 3700 };
    let turn = (&before, &contacts[..], &[][..]);
    let thresholds = Thresholds::default();
    let incidents = weigh_again(Edition::Fide2023, turn, played, 1.0, &thresholds);
    Findings {
        moves: vec![PlayedMove {
            uci: "d2d4".to_owned(),
            san: "d4".to_owned(),
            legal: true,
            made_ms: 3700.0,
            probability: Some(1.0),
            completed_ms: None,
            inferred: false,
        }],
        contacts,
        incidents,
        ..Findings::default()
    }
}

struct Rig {
    folder: tempfile::TempDir,
    store: Store,
    game: i64,
}

fn played() -> Rig {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), Clock::start()).unwrap();
    let board = store.board("One").unwrap();
    let fen = crate::broadcast::game::START_FEN;
    let game = store.begin_game(board, fen, "fide-2023", 1e12).unwrap().id;
    let turn = TurnFound {
        game,
        ply: 0,
        zero_ms: 1e12,
        found: &found(),
        before: fen,
        after: "after",
    };
    store.record_turn(&turn).unwrap();
    Rig {
        folder,
        store,
        game,
    }
}

/// Incidents that are shown: contact, severity and probability of each.
fn shown(store: &Store) -> Vec<(Option<u32>, Severity, f64)> {
    let mut all = store.incidents(&Boards::ALL, 10).unwrap();
    all.sort_by_key(|i| i.id);
    all.iter()
        .map(|i| (i.contact, i.severity, i.probability))
        .collect()
}

#[test]
fn contacts_are_kept_with_their_game() {
    let Rig { store, game, .. } = played();
    let kept = store.contacts(game).unwrap();
    let squares: Vec<&str> = kept
        .iter()
        .filter_map(|c| c.contact.square.as_deref())
        .collect();
    assert_eq!(squares, ["g1", "b1", "d2"]);
    assert_eq!(kept[2].contact.lift_ms, Some(1e12 + 3150.0));
    assert_eq!((kept[0].ply, kept[0].contact.kind), (0, ContactKind::Touch));
}

#[test]
fn an_accident_closes_its_incident_and_shows_what_is_left_of_the_turn() {
    let Rig { store, folder, .. } = played();
    let before = shown(&store);
    assert_eq!(before.len(), 1, "{before:?}");
    assert_eq!(before[0].0, Some(1));
    let id = store.incidents(&Boards::ALL, 10).unwrap()[0].id;
    store
        .correct(id, Some(Correction::Accidental), "anna")
        .unwrap();
    let after = shown(&store);
    assert_eq!(after[0], (Some(1), Severity::Log, 0.0));
    // The other knight may have been touched: that was told less surely before.
    assert_eq!(after[1], (Some(2), Severity::Review, 0.6));
    let closed = store.incident(id).unwrap();
    let corrected = closed.corrected.unwrap();
    assert_eq!(
        (
            corrected.correction,
            corrected.contact,
            corrected.who.as_str()
        ),
        (Correction::Accidental, 1, "anna")
    );
    assert!(closed.obliged.is_empty());
    assert_eq!(check(folder.path()).unwrap().faults, Vec::<String>::new());
}

#[test]
fn taken_back_all_is_as_it_was_found() {
    let Rig { store, .. } = played();
    let before = store.incidents(&Boards::ALL, 10).unwrap();
    let id = before[0].id;
    assert!(store.correct(id, None, "anna").is_err());
    store
        .correct(id, Some(Correction::Announced), "anna")
        .unwrap();
    assert_ne!(store.incidents(&Boards::ALL, 10).unwrap(), before);
    store.correct(id, None, "ben").unwrap();
    assert_eq!(store.incidents(&Boards::ALL, 10).unwrap(), before);
    assert!(store.correct(id, None, "anna").is_err());
}

#[test]
fn corrections_of_two_touches_stand_side_by_side() {
    let Rig { store, .. } = played();
    let first = store.incidents(&Boards::ALL, 10).unwrap()[0].id;
    store
        .correct(first, Some(Correction::Announced), "anna")
        .unwrap();
    let second = store.incidents(&Boards::ALL, 10).unwrap();
    let second = second.iter().find(|i| i.contact == Some(2)).unwrap().id;
    store
        .correct(second, Some(Correction::Accidental), "anna")
        .unwrap();
    let all = shown(&store);
    assert!(all.iter().all(|i| i.1 == Severity::Log), "{all:?}");
    store.correct(first, None, "anna").unwrap();
    let left = store.incident(first).unwrap();
    assert_eq!((left.severity, left.contact), (Severity::Alert, Some(1)));
    assert_eq!(store.incident(second).unwrap().severity, Severity::Log);
}

#[test]
fn what_is_no_touch_or_does_not_stand_cannot_be_corrected() {
    let Rig { store, game, .. } = played();
    let id = store.incidents(&Boards::ALL, 10).unwrap()[0].id;
    let say = |id| store.correct(id, Some(Correction::Announced), "anna");
    assert!(matches!(say(99), Err(StoreError::Missing(_))));
    // Turned out to be another move.
    let other = Findings {
        moves: found().moves,
        ..Findings::default()
    };
    let turn = TurnFound {
        game,
        ply: 0,
        zero_ms: 1e12,
        found: &other,
        before: "before",
        after: "after",
    };
    store.record_turn(&turn).unwrap();
    assert!(matches!(say(id), Err(StoreError::Refused(_))));
    assert!(store.contacts(game).unwrap().is_empty());
}

#[test]
fn a_correction_that_was_changed_afterwards_shows() {
    let Rig { store, folder, .. } = played();
    let id = store.incidents(&Boards::ALL, 10).unwrap()[0].id;
    store
        .correct(id, Some(Correction::Announced), "anna")
        .unwrap();
    let change = "UPDATE corrections SET correction = 'accidental'";
    store.connection().execute_batch(change).unwrap();
    assert_eq!(check(folder.path()).unwrap().faults.len(), 1);
}

#[test]
fn what_the_event_has_not_in_use_does_not_come_to_the_fore() {
    let Rig { store, .. } = played();
    let switch = AlertSwitch {
        kind: AlertKind::TouchMove,
        in_use: false,
    };
    let first = store.incidents(&Boards::ALL, 10).unwrap()[0].id;
    store.switch_alert(switch, "anna").unwrap();
    let say = |word| store.correct(first, word, "anna").unwrap();
    say(Some(Correction::Announced));
    assert_eq!(store.incidents(&Boards::ALL, 10).unwrap().len(), 1);
    assert_eq!(store.incident(first).unwrap().severity, Severity::Log);
    // What was shown before goes on.
    say(None);
    assert_eq!(store.incident(first).unwrap().severity, Severity::Alert);
}
