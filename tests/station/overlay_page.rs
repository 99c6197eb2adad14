//! The overlay in Chromium, as OBS shows it. Skipped with a message where there is no Chromium, or no
//! Node with the page's packages.

use std::{path::Path, time::Duration};

use crate::{
    browser,
    station::{Station, no_board},
};
use adoube::{
    broadcast::{feed::Players, game::START_FEN},
    station::{
        clock::Clock,
        store::{Store, games::GameResult, players::Which},
    },
};
use serde_json::json;

/// Games as a station has stored them: one that is on, one that is over.
fn games(data: &Path) -> String {
    let store = Store::open(data, Clock::start()).unwrap();
    let boards = ["Nothing", "Other"].map(|name| store.board(name).unwrap());
    let tags = [
        ("WhiteTitle", "GM"),
        ("WhiteElo", "2830"),
        ("WhiteFederation", "NOR"),
        ("BlackTitle", "GM"),
        ("BlackElo", "2802"),
        ("BlackFederation", "USA"),
    ];
    let players = Players {
        white: "Carlsen, Magnus".to_owned(),
        black: "Nakamura, Hikaru".to_owned(),
        round: "3".to_owned(),
        tags: tags.map(|(t, v)| (t.to_owned(), v.to_owned())).into(),
    };
    let others = Players {
        white: "Müller, Anna".to_owned(),
        black: "Weiß, Dirk".to_owned(),
        round: "3".to_owned(),
        ..Players::default()
    };
    let pairings = [(boards[0], players), (boards[1], others)];
    store.name_players(&pairings, Which::Next, "ref").unwrap();
    let lines: [&[[&str; 3]]; 2] = [
        &[
            [
                "e2e4",
                "e4",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            ],
            [
                "d7d5",
                "d5",
                "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            ],
            [
                "e4d5",
                "exd5",
                "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
            ],
        ],
        &[[
            "d2d4",
            "d4",
            "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
        ]],
    ];
    for (board, line) in boards.into_iter().zip(lines) {
        let game = store
            .begin_game(board, START_FEN, "fide-2023", 0.0)
            .unwrap();
        for (ply, [uci, san, fen]) in line.iter().enumerate() {
            let body = json!({"game": game.id, "ply": ply, "uci": uci, "san": san, "legal": true,
                "made_ms": 1e12 + ply as f64 * 9000.0, "fen": fen});
            store.note("move", "", body).unwrap();
        }
    }
    store
        .end_game(boards[1], Some(GameResult::Draw), "ref")
        .unwrap();
    store.make_key("obs", "ref").unwrap().1.expose().to_owned()
}

#[test]
fn the_overlay_is_clear_legible_and_says_when_it_is_old() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let key = games(&data);
    let nothing = no_board(folder.path());
    let other = nothing.replace("Nothing=", "Other=");
    let boards = [
        "--board",
        &nothing,
        "--board",
        &other,
        "--broadcast-delay",
        "0",
    ];
    let station = Station::start(&data, &boards);
    let alive = folder.path().join("alive");
    std::fs::write(&alive, "").unwrap();
    let address = format!("http://{}/key/{key}/overlay", station.host());
    let more = [alive.to_str().unwrap()];
    let Some(mut run) = browser::start("overlay.mjs", folder.path(), &address, &more) else {
        return;
    };
    // The page asks for the station's end by taking the file away.
    let mut station = Some(station);
    let status = loop {
        if let Some(status) = run.try_wait().unwrap() {
            break status;
        }
        if !alive.exists() {
            drop(station.take());
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    assert!(status.success());
}
