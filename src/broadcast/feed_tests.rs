use serde_json::json;

use super::*;
use crate::broadcast::{cloud, livechess};

/// Rows of a log: kind and body.
fn fold(rows: &[(&str, Value)]) -> Feed {
    let mut feed = Feed::default();
    for ((kind, body), at_ms) in rows.iter().zip((0..).map(|n| f64::from(n) * 1000.0)) {
        if let Some(change) = Change::read(kind, body) {
            feed.apply(at_ms, change);
        }
    }
    feed
}

fn played(game: i64, ply: u32, uci: &str, san: &str, fen: &str) -> (&'static str, Value) {
    let made_ms = f64::from(ply) * 7400.0;
    let body = json!({"game": game, "ply": ply, "uci": uci, "san": san, "legal": true,
        "made_ms": made_ms, "fen": fen});
    ("move", body)
}

const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const C5: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

/// Two boards, one of which plays: 1. e4, and e5 which turned out to be c5.
fn rows() -> Vec<(&'static str, Value)> {
    let players = json!({"white": "Carlsen, Magnus", "black": "Nakamura", "round": "3",
        "tags": {"WhiteElo": "2830", "WhiteFideId": "1503014", "BlackTitle": "GM"}});
    vec![
        ("started", json!({"boards": ["One", "Two"], "version": "0"})),
        ("board", json!({"id": 4, "name": "One"})),
        ("board", json!({"id": 9, "name": "Two"})),
        (
            "players",
            json!({"board": 4, "players": players, "game": "next"}),
        ),
        (
            "players",
            json!({"board": 9, "players": {"white": "A", "black": "B", "round": "3"}, "game": "next"}),
        ),
        (
            "game_begun",
            json!({"board": 4, "game": 1, "fen": START_FEN, "laws": "x", "players": players}),
        ),
        played(1, 0, "e2e4", "e4", E4),
        played(1, 1, "e7e5", "e5", E5),
        ("incident", json!({"incident": 1, "board": 4, "game": 1})),
        ("moves_revised", json!({"game": 1, "ply": 1})),
        played(1, 1, "c7c5", "c5", C5),
    ]
}

#[test]
fn the_moves_as_they_stand_are_public() {
    let feed = fold(&rows());
    let (id, board) = feed.board(1).unwrap();
    assert_eq!((id, board.name.as_str()), (4, "One"));
    let game = board.games.last().unwrap();
    let sans: Vec<&str> = game.moves.iter().map(|m| m.san.as_str()).collect();
    assert_eq!(sans, ["e4", "c5"]);
    assert_eq!(game.fen, C5);
}

#[test]
fn no_row_but_those_that_are_public_changes_anything() {
    let kinds = [
        "incident",
        "incident_withdrawn",
        "ruling",
        "judgement",
        "evidence",
        "contacts",
        "correction",
        "login",
        "user_added",
        "announcement",
        "footage",
        "export",
        "move_corrected",
    ];
    for kind in kinds {
        let whole = json!({"id": 4, "name": "x", "board": 4, "game": 1, "ply": 0, "fen": "x",
            "boards": [], "players": {}, "uci": "e2e4", "san": "e4", "legal": true, "made_ms": 0.0});
        assert_eq!(Change::read(kind, &whole), None, "{kind}");
    }
    for kind in Change::KINDS {
        assert_eq!(
            Change::read(kind, &json!({})),
            None,
            "{kind} without a body"
        );
    }
}

#[test]
fn a_round_has_every_board_in_its_order_with_the_same_tags_all_the_time() {
    let event = EventTags {
        event: Some("Open".to_owned()),
        date: Some("2026.11.30".to_owned()),
        time_control: Some("5400+30".to_owned()),
        ..EventTags::default()
    };
    let tags = |feed: &Feed| -> Vec<String> {
        let round = feed.round("3");
        let pgn: String = round.map(|p| p.pgn(&event)).collect();
        let tags = pgn.lines().filter(|l| l.starts_with('['));
        tags.filter(|l| !l.contains("Annotator"))
            .map(str::to_owned)
            .collect()
    };
    let rows = rows();
    let first = tags(&fold(&rows[..6]));
    assert_eq!(
        first,
        [
            "[Event \"Open\"]",
            "[Site \"?\"]",
            "[Date \"2026.11.30\"]",
            "[Round \"3.1\"]",
            "[White \"Carlsen, Magnus\"]",
            "[Black \"Nakamura\"]",
            "[Result \"*\"]",
            "[BlackTitle \"GM\"]",
            "[WhiteElo \"2830\"]",
            "[WhiteFideId \"1503014\"]",
            "[TimeControl \"5400+30\"]",
            "[Board \"1\"]",
            "[Event \"Open\"]",
            "[Site \"?\"]",
            "[Date \"2026.11.30\"]",
            "[Round \"3.2\"]",
            "[White \"A\"]",
            "[Black \"B\"]",
            "[Result \"*\"]",
            "[TimeControl \"5400+30\"]",
            "[Board \"2\"]",
        ]
    );
    for end in 5..rows.len() {
        assert_eq!(tags(&fold(&rows[..=end])), first, "after row {end}");
    }
}

#[test]
fn a_result_is_what_the_arbiter_said() {
    let mut rows = rows();
    rows.push(("game_ended", json!({"board": 4, "result": "1/2-1/2"})));
    let feed = fold(&rows);
    let part = feed.round("3").next().unwrap();
    let pgn = part.pgn(&EventTags::default());
    assert!(pgn.contains("[Result \"1/2-1/2\"]"), "{pgn}");
    assert!(
        pgn.ends_with("1. e4 c5 {[%emt 0:00:07]} 1/2-1/2\n"),
        "{pgn}"
    );
    // Names that come after the game are the next one's.
    rows.push((
        "players",
        json!({"board": 4, "players": {"white": "C"}, "game": "present"}),
    ));
    let feed = fold(&rows);
    let board = feed.board(1).unwrap().1;
    assert_eq!(board.games[0].pairing.white, "Carlsen, Magnus");
    assert_eq!(board.next.as_ref().unwrap().white, "C");
}

#[test]
fn an_illegal_move_is_carried_and_marked() {
    let mut rows = rows();
    rows.push((
        "move",
        json!({"game": 1, "ply": 2, "uci": "e1e3", "san": "e1e3", "legal": false, "made_ms": 2e4, "fen": "x"}),
    ));
    let feed = fold(&rows);
    let part = feed.round("3").next().unwrap();
    let pgn = part.pgn(&EventTags::default());
    assert!(pgn.contains("{2. e1e3 (illegal)} *"), "{pgn}");
    let game = cloud::game(&feed, 1, 1).unwrap();
    assert_eq!(game["moves"], json!(["e4", "c5 +7"]));
    let told = livechess::event(5, 1, part.game, 0.0);
    assert_eq!(told["param"]["san"], json!(["e4", "c5"]));
    assert_eq!(told["param"]["match"], json!(false));
}

#[test]
fn a_board_that_is_taken_out_keeps_its_number_until_the_next_start() {
    let mut rows = rows();
    rows.push(("board_removed", json!({"board": 4})));
    assert_eq!(fold(&rows).board(2).unwrap().1.name, "Two");
    rows.push(("started", json!({"boards": ["Two"]})));
    rows.push(("board_added", json!({"board": 11, "name": "Late"})));
    let feed = fold(&rows);
    let names: Vec<&str> = feed.boards().map(|(.., b)| b.name.as_str()).collect();
    assert_eq!(names, ["Two", "Late"]);
}

#[test]
fn the_cloud_has_the_round() {
    let feed = fold(&rows());
    let event = EventTags::default();
    let tournament = cloud::tournament(&feed, &event);
    assert_eq!(tournament["rounds"], json!([{"count": 2, "live": 1}]));
    let round = cloud::round(&feed, &event, 1).unwrap();
    let white = json!({"fname": "Magnus", "mname": null, "lname": "Carlsen", "title": null,
        "federation": null, "fideid": 1_503_014});
    assert_eq!(round["pairings"][0]["white"], white);
    assert_eq!(round["pairings"][1]["live"], json!(false));
    assert_eq!(
        cloud::game(&feed, 1, 1).unwrap()["moves"],
        json!(["e4", "c5 +7"])
    );
    assert_eq!(cloud::game(&feed, 1, 2).unwrap()["moves"], json!([]));
    for (round, game) in [(0, 1), (2, 1), (1, 0), (1, 3)] {
        assert_eq!(cloud::game(&feed, round, game), None, "{round} {game}");
    }
    assert_eq!(cloud::round(&feed, &event, 2), None);
}

#[test]
fn software_for_electronic_boards_is_answered() {
    use livechess::{Asked, asked};
    let feed = fold(&rows());
    assert_eq!(
        asked("{\"id\":1,\"call\":\"eboards\"}"),
        Asked::Boards { id: 1 }
    );
    let boards = livechess::boards(1, &feed, 5.4);
    assert_eq!(boards["param"][0]["serialnr"], json!("ADOUBE-1"));
    assert_eq!(boards["param"][0]["state"], json!("ACTIVE"));
    assert_eq!(boards["param"][1]["state"], json!("INACTIVE"));
    assert_eq!(boards["time"], json!(5));
    let subscribe = |serial: &str| {
        json!({"call": "subscribe", "id": 42, "param": {"feed": "eboardevent", "id": 7,
            "param": {"serialnr": serial}}})
        .to_string()
    };
    let wanted = Asked::Subscribe {
        id: 42,
        feed: 7,
        board: 2,
    };
    assert_eq!(asked(&subscribe("ADOUBE-2")), wanted);
    for bad in [
        subscribe("7425").as_str(),
        "{\"id\":4,\"call\":\"call\",\"param\":{\"id\":7,\"method\":\"setup\"}}",
        "{\"id\":4,\"call\":\"tournaments\"}",
        "nonsense",
        "{\"id\":4,\"call\":\"subscribe\"}",
        "{\"id\":4,\"call\":\"subscribe\",\"param\":{\"feed\":\"clockevent\",\"id\":1}}",
    ] {
        assert!(matches!(asked(bad), Asked::Refused { .. }), "{bad}");
    }
    let unsubscribe = "{\"id\":9,\"call\":\"unsubscribe\",\"param\":{\"id\":7}}";
    assert_eq!(asked(unsubscribe), Asked::Unsubscribe { id: 9, feed: 7 });
}
