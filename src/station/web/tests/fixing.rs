//! What a person puts right, and boards that come and go, through the API.

use super::*;
use crate::{
    broadcast::game::START_FEN,
    station::hub::{Answer, Command},
};

impl Rig {
    /// Answers the board's next order in its worker's place.
    fn obey(&self, answer: Answer) -> std::thread::JoinHandle<Command> {
        let board = self.app.common.hub.board(1).unwrap();
        std::thread::spawn(move || {
            loop {
                if let Some(order) = board.told() {
                    let command = order.command.clone();
                    order.answer(answer);
                    return command;
                }
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
        })
    }

    async fn post(&self, role: &str, path: &str, body: Value) -> (StatusCode, Value) {
        let cookie = self.cookie(role);
        self.send(Method::POST, path, Some(&cookie), Some(body))
            .await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_reaches_its_board_and_its_answer_comes_back() {
    let rig = Rig::peopled();
    let path = "/api/boards/1/position";
    let obeyed = rig.obey(Ok(()));
    let (status, _) = rig.post("arbiter", path, json!({"fen": START_FEN})).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let who = "arbiter".to_owned();
    let fen = START_FEN.to_owned();
    assert_eq!(obeyed.join().unwrap(), Command::Position { who, fen });

    let obeyed = rig.obey(Err("no game".to_owned()));
    let (status, said) = rig.post("arbiter", path, json!({"fen": START_FEN})).await;
    assert_eq!(
        (status, &said["error"]),
        (StatusCode::CONFLICT, &json!("no game"))
    );
    obeyed.join().unwrap();

    for fen in ["", "8/8", "8/8/8/8/8/8/8/8 w - - 0 1"] {
        let (status, said) = rig.post("arbiter", path, json!({"fen": fen})).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{fen}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_and_a_result_reach_the_board() {
    let rig = Rig::peopled();
    let obeyed = rig.obey(Ok(()));
    let body = json!({"uci": "e7e8n"});
    let (status, _) = rig.post("arbiter", "/api/boards/1/last-move", body).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let command = obeyed.join().unwrap();
    assert!(matches!(command, Command::LastMove { uci, .. } if uci.to_string() == "e7e8n"));
    let bad = json!({"uci": "castles"});
    let (status, _) = rig.post("arbiter", "/api/boards/1/last-move", bad).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);

    let obeyed = rig.obey(Ok(()));
    let body = json!({"result": "1/2-1/2", "fen": START_FEN});
    let (status, _) = rig.post("arbiter", "/api/boards/1/new-game", body).await;
    assert_eq!(status, StatusCode::ACCEPTED);
    let command = obeyed.join().unwrap();
    assert!(matches!(
        command,
        Command::NewGame {
            result: Some(_),
            start: Some(_),
            ..
        }
    ));
    let bad = json!({"result": "2-0"});
    let (status, _) = rig.post("arbiter", "/api/boards/1/new-game", bad).await;
    assert!(status.is_client_error());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_game_tells_what_its_last_move_could_have_been() {
    let rig = Rig::peopled();
    let store = &rig.app.common.store;
    let game = store.begin_game(1, START_FEN, "fide-2023", 1e12).unwrap();
    rig.turn(game.id, 0);
    let cookie = rig.cookie("arbiter");
    let ask = || rig.send(Method::GET, "/api/boards/1/game", Some(&cookie), None);
    let told = ask().await.1;
    assert_eq!(told["moves"][0]["uci"], "d2d4");
    let alternatives = told["alternatives"].as_array().unwrap();
    assert_eq!(alternatives.len(), 20);
    assert!(alternatives.contains(&json!({"uci": "g1f3", "san": "Nf3"})));
    // After a position that was set up there is no move to correct.
    store
        .set_position(game.id, 1, START_FEN, "arbiter")
        .unwrap();
    assert_eq!(ask().await.1["alternatives"], json!([]));
    store.end_game(1, None, "arbiter").unwrap();
    assert_eq!(ask().await.0, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn players_are_named_by_hand_and_from_a_file() {
    let rig = Rig::peopled();
    let boards = || {
        let cookie = rig.cookie("viewer");
        let rig = &rig;
        async move {
            rig.send(Method::GET, "/api/boards", Some(&cookie), None)
                .await
                .1
        }
    };
    let body = json!({"white": " Anna ", "black": "Ben", "round": "3"});
    let (status, named) = rig.post("arbiter", "/api/boards/1/players", body).await;
    assert_eq!((status, named), (StatusCode::OK, json!("present")));
    assert_eq!(boards().await[0]["players"]["white"], "Anna");
    let cookie = rig.cookie("arbiter");
    let incident = rig
        .send(Method::GET, "/api/incidents/1", Some(&cookie), None)
        .await
        .1;
    assert_eq!(incident["players"]["black"], "Ben");

    let text = "board,white,black\n7,X,Y\nOne,Carla,Dirk\n";
    let (status, said) = rig
        .post("arbiter", "/api/pairings", json!({"text": text}))
        .await;
    assert_eq!(
        (status, said),
        (StatusCode::OK, json!({"boards": ["One"], "others": 1}))
    );
    // A move was made in the game that is on: they play the next one.
    let now = boards().await;
    assert_eq!(
        (&now[0]["players"]["white"], &now[0]["next"]["white"]),
        (&json!("Anna"), &json!("Carla"))
    );
    for (text, part) in [("", "empty"), ("board,white,black\n9,X,Y", "One")] {
        let (status, said) = rig
            .post("arbiter", "/api/pairings", json!({"text": text}))
            .await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(said["error"].as_str().unwrap().contains(part), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_source_is_tried_before_its_board_is_added() {
    let rig = Rig::peopled();
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.mp4");
    std::fs::write(&broken, "no video").unwrap();
    let add = |name: &str, source: &str| {
        let body = json!({"name": name, "source": source});
        let rig = &rig;
        async move { rig.post("administrator", "/api/boards", body).await }
    };
    for (name, source, part) in [
        ("Two", "", "source is missing"),
        ("Two", "ftp://x", "not a kind of source"),
        ("Two", "/no/such.mp4", "no such file"),
        ("Two", broken.to_str().unwrap(), "broken.mp4"),
        ("Two", "/dev/video250", "does not answer"),
        ("", "/dev/video250", "1 to 60"),
    ] {
        let (status, said) = add(name, source).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{source}: {said}");
        assert!(
            said["error"].as_str().unwrap().contains(part),
            "{source}: {said}"
        );
    }
    let picture = format!("{}/tests/data/report", env!("CARGO_MANIFEST_DIR"));
    let grey = folder.path().join("grey");
    std::fs::create_dir(&grey).unwrap();
    std::fs::copy(format!("{picture}/grey.jpg"), grey.join("1.jpg")).unwrap();
    let (status, said) = add("Two", grey.to_str().unwrap()).await;
    assert_eq!(status, StatusCode::CREATED, "{said}");
    let again = add("Two", grey.to_str().unwrap()).await.0;
    assert_eq!(again, StatusCode::CONFLICT);
    assert_eq!(rig.app.common.store.added_boards().unwrap().len(), 1);

    let cookie = rig.cookie("administrator");
    let path = format!("/api/boards/{}", said["id"]);
    let remove = || rig.send(Method::DELETE, &path, Some(&cookie), None);
    assert_eq!(remove().await.0, StatusCode::NO_CONTENT);
    assert_eq!(remove().await.0, StatusCode::NOT_FOUND);
    assert!(rig.app.common.store.added_boards().unwrap().is_empty());
    let boards = rig
        .send(Method::GET, "/api/boards", Some(&cookie), None)
        .await
        .1;
    assert_eq!(boards.as_array().unwrap().len(), 1);
}
