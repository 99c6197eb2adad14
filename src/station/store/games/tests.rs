use super::*;
use crate::{
    record::{Incident, PlayedMove, Player, Severity},
    station::{
        clock::Clock,
        store::{
            alerts::{AlertKind, AlertSwitch},
            incidents::Ruling,
            people::Boards,
        },
    },
};

fn found(san: &str, incidents: Vec<Incident>) -> Findings {
    let row = PlayedMove {
        uci: san.to_owned(),
        san: san.to_owned(),
        legal: true,
        made_ms: 5000.0,
        probability: Some(0.9),
        completed_ms: None,
        inferred: false,
    };
    Findings {
        moves: vec![row],
        incidents,
        ..Findings::default()
    }
}

fn touch_move(severity: Severity) -> Incident {
    Incident {
        kind: "touch_move".to_owned(),
        player: Player::White,
        ms: 5000.0,
        article: "4.3.1".to_owned(),
        contact: None,
        obliged: vec!["b1c3".to_owned()],
        probability: Some(0.9),
        severity: Some(severity),
        explanation: vec!["So it was.".to_owned()],
    }
}

/// A store with a game, in a folder that lives as long.
fn begun() -> (tempfile::TempDir, Store, i64, i64) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), Clock::start()).unwrap();
    let board = store.board("One").unwrap();
    let game = store.begin_game(board, "start", "fide-2023", 1e12).unwrap();
    (folder, store, board, game.id)
}

fn record(store: &Store, game: i64, ply: u32, found: &Findings) -> Vec<i64> {
    let turn = TurnFound {
        game,
        ply,
        zero_ms: 1e12,
        found,
        before: "before",
        after: "after",
    };
    store.record_turn(&turn).unwrap()
}

#[test]
fn a_game_is_there_again_after_a_restart() {
    let (folder, store, board, game) = begun();
    record(&store, game, 0, &found("e4", Vec::new()));
    drop(store);
    let store = Store::open(folder.path(), Clock::start()).unwrap();
    assert_eq!(store.board("One").unwrap(), board);
    let again = store.open_game(board).unwrap().unwrap();
    assert_eq!((again.id, again.fen()), (game, "after"));
    assert_eq!(again.moves[0].made_ms, 1e12 + 5000.0);
    let next = store.begin_game(board, "start", "fide-2023", 2e12).unwrap();
    assert_ne!(next.id, game);
    assert!(store.open_game(board).unwrap().unwrap().moves.is_empty());
    store
        .end_game(board, Some(GameResult::Draw), "anna")
        .unwrap();
    assert!(store.open_game(board).unwrap().is_none());
}

#[test]
fn a_revised_move_withdraws_what_hung_on_it_but_not_a_ruling() {
    let (folder, store, board, game) = begun();
    let first = record(
        &store,
        game,
        0,
        &found("d4", vec![touch_move(Severity::Alert)]),
    );
    let second = record(
        &store,
        game,
        1,
        &found("d5", vec![touch_move(Severity::Log)]),
    );
    assert_eq!((first.len(), second.len()), (1, 0));
    assert_eq!(store.incidents(&Boards::ALL, 10).unwrap().len(), 1);
    record(&store, game, 0, &found("Nc3", Vec::new()));
    let moves = store.open_game(board).unwrap().unwrap().moves;
    assert_eq!((moves.len(), moves[0].san.as_str()), (1, "Nc3"));
    assert!(store.incident(first[0]).unwrap().withdrawn);
    assert!(store.incidents(&Boards::ALL, 10).unwrap().is_empty());
    store
        .rule(first[0], Some(Ruling::Unclear), "", "anna")
        .unwrap();
    assert_eq!(store.incidents(&Boards::ALL, 10).unwrap().len(), 1);
    assert!(
        super::super::check::check(folder.path())
            .unwrap()
            .faults
            .is_empty()
    );
}

#[test]
fn the_newest_ruling_stands_and_can_be_taken_back() {
    let (folder, store, _, game) = begun();
    let id = record(
        &store,
        game,
        0,
        &found("d4", vec![touch_move(Severity::Alert)]),
    )[0];
    let stands = || {
        store
            .incident(id)
            .unwrap()
            .ruled
            .map(|r| (r.ruling, r.note))
    };
    assert_eq!(stands(), None);
    assert!(store.rule(id, None, "", "anna").is_err());
    store
        .rule(id, Some(Ruling::Upheld), "seen", "anna")
        .unwrap();
    assert_eq!(stands(), Some((Ruling::Upheld, "seen".to_owned())));
    store.rule(id, Some(Ruling::Dismissed), "", "ben").unwrap();
    assert_eq!(stands(), Some((Ruling::Dismissed, String::new())));
    store.rule(id, None, "", "ben").unwrap();
    assert_eq!(stands(), None);
    let missing = store.rule(99, Some(Ruling::Upheld), "", "anna");
    assert!(matches!(missing, Err(StoreError::Missing("incident"))));
    // A ruling changed behind the log's back shows.
    let checked = super::super::check::check(folder.path()).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
    let connection = store.connection();
    connection
        .execute("UPDATE rulings SET ruling = 'dismissed' WHERE id = 1", [])
        .unwrap();
    drop(connection);
    assert_eq!(
        super::super::check::check(folder.path())
            .unwrap()
            .faults
            .len(),
        1
    );
}

#[test]
fn what_the_event_has_not_in_use_is_logged_and_not_shown() {
    let (_folder, store, _, game) = begun();
    let switch = |in_use| {
        let kind = AlertKind::TouchMove;
        let switch = AlertSwitch { kind, in_use };
        store.switch_alert(switch, "anna").unwrap();
    };
    let breach = |ply| {
        let found = found("d4", vec![touch_move(Severity::Alert)]);
        record(&store, game, ply, &found).len()
    };
    switch(false);
    assert_eq!(breach(0), 0);
    assert!(store.incidents(&Boards::ALL, 10).unwrap().is_empty());
    switch(true);
    assert_eq!(breach(1), 1);
    assert_eq!(store.incidents(&Boards::ALL, 10).unwrap().len(), 1);
    let log = store.log_after(0, 100).unwrap();
    let told = log.iter().filter(|e| e.kind == "incident");
    let shown: Vec<_> = told.map(|e| e.body["shown"].as_bool().unwrap()).collect();
    assert_eq!(shown, [false, true]);
}

#[test]
fn only_incidents_of_the_boards_that_somebody_sees_are_listed() {
    let (_folder, store, board, game) = begun();
    let id = record(
        &store,
        game,
        0,
        &found("d4", vec![touch_move(Severity::Alert)]),
    )[0];
    let count = |boards: Boards| store.incidents(&boards, 10).unwrap().len();
    assert_eq!(count(Boards::only([board, board + 1])), 1);
    assert_eq!(count(Boards::only([board + 1])), 0);
    assert_eq!(count(Boards::only([])), 0);
    for body in [
        json!({"board": board}),
        json!({"game": game}),
        json!({"incident": id}),
    ] {
        assert_eq!(store.board_told(&body).unwrap(), Some(board), "{body}");
    }
    assert_eq!(store.board_told(&json!({"name": "x"})).unwrap(), None);
}
