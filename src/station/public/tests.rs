//! The outlets against programs that behave as Lichess, OBS and software for electronic boards do.

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, Uri, header},
    response::{IntoResponse, Response},
    routing::any,
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::mpsc, time::timeout};
use tokio_tungstenite::tungstenite::Message;

use super::*;
use crate::{
    broadcast::game::START_FEN,
    station::{
        public::config::FileBroadcast,
        store::games::{Game, GameResult},
    },
};

/// Longer than anything here takes on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// A station with a board on which a game is on.
struct Rig {
    folder: tempfile::TempDir,
    common: Arc<Common>,
    stop: watch::Sender<bool>,
    game: Game,
}

const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

impl Rig {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let common = Common::without_boards(folder.path());
        let store = &common.store;
        store
            .note("started", "", json!({"boards": ["One"]}))
            .unwrap();
        let board = store.board("One").unwrap();
        let game = store
            .begin_game(board, START_FEN, "fide-2023", 0.0)
            .unwrap();
        Self {
            common,
            folder,
            stop: watch::channel(false).0,
            game,
        }
    }

    fn moved(&self, ply: u32, uci: &str, san: &str, fen: &str) {
        let body = json!({"game": self.game.id, "ply": ply, "uci": uci, "san": san, "legal": true,
            "made_ms": self.common.clock.now_ms(), "fen": fen});
        self.common.store.note("move", "", body).unwrap();
    }

    /// Begins what a station's file says under `[broadcast]`.
    fn broadcast(&self, text: &str) -> Arc<Public> {
        let file: FileBroadcast = toml::from_str(text).unwrap();
        let broadcast = file.resolve(self.folder.path()).unwrap();
        Public::start(&self.common, &broadcast, self.stop.subscribe())
    }

    fn secret(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).unwrap();
    }
}

/// A request as a server saw it.
#[derive(Debug)]
struct Seen {
    path: String,
    headers: HeaderMap,
    body: String,
}

/// A server that answers by a list, its last one for ever, and tells what it was asked.
async fn server(answers: Vec<(u16, &'static str, String)>) -> (String, mpsc::Receiver<Seen>) {
    type Shared = Arc<(Mutex<Vec<(u16, &'static str, String)>>, mpsc::Sender<Seen>)>;
    async fn answer(
        State(shared): State<Shared>,
        uri: Uri,
        headers: HeaderMap,
        body: Bytes,
    ) -> Response {
        let body = String::from_utf8(body.to_vec()).unwrap();
        let path = uri.path().to_owned();
        shared
            .1
            .send(Seen {
                path,
                headers,
                body,
            })
            .await
            .unwrap();
        let mut answers = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (status, retry_after, text) = match answers.len() {
            1 => answers[0].clone(),
            _ => answers.remove(0),
        };
        let status = StatusCode::from_u16(status).unwrap();
        let headers = [
            (header::RETRY_AFTER, retry_after),
            (header::LOCATION, "/elsewhere"),
        ];
        (status, headers, text).into_response()
    }
    let (sender, seen) = mpsc::channel(64);
    let shared: Shared = Arc::new((Mutex::new(answers), sender));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().fallback(any(answer)).with_state(shared);
    tokio::spawn(async move { axum::serve(listener, router).await });
    (address, seen)
}

async fn next(seen: &mut mpsc::Receiver<Seen>) -> Seen {
    timeout(LONG, seen.recv()).await.unwrap().unwrap()
}

/// Waits until something holds.
async fn until(mut holds: impl FnMut() -> bool) {
    let wait = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(LONG, wait).await.unwrap();
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn lichess_gets_the_whole_round_and_is_left_in_peace_when_it_asks_for_it() {
    let rig = Rig::new();
    rig.secret("token", "lip_secret\n");
    let taken = json!({"games": [{"tags": {"Board": "1"}, "moves": 1}]}).to_string();
    let (address, mut seen) = server(vec![
        (429, "2", String::new()),
        (503, "1", String::new()),
        (200, "", taken),
    ])
    .await;
    rig.moved(0, "e2e4", "e4", E4);
    let public = rig.broadcast(&format!(
        "delay_s = 0\nevent = \"Open\"\n[lichess]\nround = \"abcdefgh\"\ntoken_file = \"token\"\nserver = \"{address}\""
    ));
    for _ in 0..3 {
        let asked = next(&mut seen).await;
        assert_eq!(asked.path, "/api/broadcast/round/abcdefgh/push");
        assert_eq!(asked.headers[header::AUTHORIZATION], "Bearer lip_secret");
        assert_eq!(
            asked.headers[header::CONTENT_TYPE],
            "text/plain; charset=utf-8"
        );
        assert!(
            asked.headers[header::USER_AGENT]
                .to_str()
                .unwrap()
                .starts_with("Adoube/")
        );
        assert!(asked.body.contains("[Event \"Open\"]"), "{}", asked.body);
        assert!(asked.body.ends_with("1. e4 *\n"), "{}", asked.body);
    }
    let fares = || {
        public
            .report()
            .all()
            .get(&report::Outlet::Lichess)
            .cloned()
            .unwrap_or_default()
    };
    until(|| fares().done_ms.is_some()).await;
    assert_eq!(fares().failed, None);
    // A change goes out with all the rest, soon and not only after a minute.
    rig.common
        .store
        .end_game(rig.game_board(), Some(GameResult::Draw), "anna")
        .unwrap();
    let asked = next(&mut seen).await;
    assert!(asked.body.ends_with("1. e4 1/2-1/2\n"), "{}", asked.body);
    rig.stop.send(true).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_lichess_refuses_is_said_and_the_token_goes_nowhere_else() {
    for (status, why) in [
        (400, "Cannot parse moves"),
        (401, "study:write"),
        (404, "no such round"),
        (302, "elsewhere"),
    ] {
        let rig = Rig::new();
        rig.secret("token", "lip_secret\n");
        let said = json!({"error": "Cannot parse moves"}).to_string();
        let (address, mut seen) = server(vec![(status, "", said)]).await;
        let public = rig.broadcast(&format!(
            "delay_s = 0\n[lichess]\nround = \"abcdefgh\"\ntoken_file = \"token\"\nserver = \"{address}\""
        ));
        let fares = || {
            public
                .report()
                .all()
                .get(&report::Outlet::Lichess)
                .cloned()
                .unwrap_or_default()
        };
        until(|| fares().failed.is_some()).await;
        let failed = fares().failed.unwrap();
        assert!(failed.contains(why), "{status}: {failed}");
        assert!(!failed.contains("lip_"), "{failed}");
        assert_eq!(
            next(&mut seen).await.path,
            "/api/broadcast/round/abcdefgh/push"
        );
        assert!(
            seen.try_recv().is_err(),
            "{status} is not asked again at once"
        );
        rig.stop.send(true).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_is_told_of_each_change_once_and_of_nothing_that_was_before() {
    let rig = Rig::new();
    let (address, mut seen) =
        server(vec![(500, "", String::new()), (204, "", String::new())]).await;
    let _public = rig.broadcast(&format!(
        "delay_s = 0\n[[webhook]]\nurl = \"{address}/hook\""
    ));
    rig.moved(0, "e2e4", "e4", E4);
    let mut ids = Vec::new();
    for _ in 0..2 {
        let asked = next(&mut seen).await;
        let told: Value = serde_json::from_str(&asked.body).unwrap();
        assert_eq!(
            (asked.path.as_str(), &told["kind"]),
            ("/hook", &json!("update"))
        );
        assert_eq!(told["game"]["moves"][0]["san"], json!("e4"));
        ids.push(told["id"].clone());
    }
    assert_eq!(ids[0], ids[1], "the same change, tried again");
    rig.common
        .store
        .end_game(rig.game_board(), None, "anna")
        .unwrap();
    let told: Value = serde_json::from_str(&next(&mut seen).await.body).unwrap();
    assert_eq!(told["kind"], json!("end"));
    let board = rig.game_board();
    rig.common
        .store
        .begin_game(board, START_FEN, "fide-2023", 0.0)
        .unwrap();
    let told: Value = serde_json::from_str(&next(&mut seen).await.body).unwrap();
    assert_eq!(
        (&told["kind"], &told["board"]["name"]),
        (&json!("new"), &json!("One"))
    );
    rig.stop.send(true).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn files_say_what_is_public() {
    let rig = Rig::new();
    let _public = rig.broadcast("delay_s = 3600\n[files]\nfolder = \"out\"\ndelay_s = 0");
    rig.moved(0, "e2e4", "e4", E4);
    let out = rig.folder.path().join("out");
    until(|| text(&out.join("board-1-last-move.txt")) == "1. e4").await;
    assert!(text(&out.join("games.pgn")).ends_with("1. e4 *\n"));
    assert_eq!(text(&out.join("board-1-fen.txt")), E4);
    rig.common
        .store
        .end_game(rig.game_board(), Some(GameResult::White), "anna")
        .unwrap();
    until(|| text(&out.join("board-1-result.txt")) == "1-0").await;
    rig.stop.send(true).unwrap();
}

async fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    listener.local_addr().unwrap().port()
}

#[tokio::test(flavor = "multi_thread")]
async fn software_for_electronic_boards_follows_a_game() {
    use futures_util::{SinkExt, StreamExt};
    let rig = Rig::new();
    let port = free_port().await;
    let public = rig.broadcast(&format!("delay_s = 0\n[livechess]\nport = {port}"));
    let fares = || {
        public
            .report()
            .all()
            .get(&report::Outlet::Livechess)
            .cloned()
    };
    until(|| fares().is_some_and(|f| f.done_ms.is_some())).await;
    let url = format!("ws://127.0.0.1:{port}/api/v1.0");
    let (mut socket, _) = tokio_tungstenite::connect_async(&url).await.unwrap();
    let mut ask = async |question: Option<Value>| -> Value {
        if let Some(question) = question {
            socket
                .send(Message::text(question.to_string()))
                .await
                .unwrap();
        }
        let answer = timeout(LONG, socket.next())
            .await
            .unwrap()
            .unwrap()
            .unwrap();
        serde_json::from_str(answer.to_text().unwrap()).unwrap()
    };
    let boards = ask(Some(json!({"id": 1, "call": "eboards"}))).await;
    let serial = boards["param"][0]["serialnr"].clone();
    assert_eq!(boards["param"][0]["state"], json!("ACTIVE"));
    let subscribe = json!({"call": "subscribe", "id": 42, "param": {"feed": "eboardevent", "id": 7,
        "param": {"serialnr": serial}}});
    let done = ask(Some(subscribe)).await;
    assert_eq!(
        (&done["response"], &done["id"]),
        (&json!("call"), &json!(42))
    );
    let now = ask(None).await;
    assert_eq!((&now["id"], &now["param"]["san"]), (&json!(7), &json!([])));
    rig.moved(0, "e2e4", "e4", E4);
    let moved = ask(None).await;
    assert_eq!(moved["param"]["san"], json!(["e4"]));
    assert_eq!(
        moved["param"]["board"],
        json!("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR")
    );
    let set_up =
        json!({"id": 2, "call": "call", "param": {"id": 7, "method": "setup", "param": {}}});
    assert_eq!(ask(Some(set_up)).await["response"], json!("error"));
    rig.stop.send(true).unwrap();
}

/// An OBS that asks for a password, and tells what it was asked.
async fn obs(password: &'static str) -> (u16, mpsc::Receiver<Value>) {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use futures_util::{SinkExt, StreamExt};
    use sha2::{Digest, Sha256};
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, seen) = mpsc::channel(64);
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let mut socket = tokio_tungstenite::accept_async(stream).await.unwrap();
            let hello = json!({"op": 0, "d": {"obsWebSocketVersion": "5.0.1", "rpcVersion": 1,
                "authentication": {"challenge": "c", "salt": "s"}}});
            socket.send(Message::text(hello.to_string())).await.unwrap();
            let hash = |text: String| STANDARD.encode(Sha256::digest(text));
            let right = hash(hash(format!("{password}s")) + "c");
            while let Some(Ok(message)) = socket.next().await {
                let Ok(text) = message.to_text() else { break };
                let Ok(asked) = serde_json::from_str::<Value>(text) else {
                    break;
                };
                let answer = if asked["op"] == 1 {
                    if asked["d"]["authentication"] != right.as_str() {
                        break;
                    }
                    json!({"op": 2, "d": {"negotiatedRpcVersion": 1}})
                } else {
                    let kind = asked["d"]["requestType"].clone();
                    let mut d = json!({"requestType": kind, "requestId": asked["d"]["requestId"],
                        "requestStatus": {"result": true, "code": 100}});
                    if kind == "GetVersion" {
                        d["responseData"] = json!({"obsVersion": "29.0.2",
                            "obsWebSocketVersion": "5.0.1", "rpcVersion": 1,
                            "availableRequests": [], "supportedImageFormats": [],
                            "platform": "debian", "platformDescription": "Debian"});
                    } else {
                        sender.send(asked["d"].clone()).await.unwrap();
                    }
                    json!({"op": 7, "d": d})
                };
                socket
                    .send(Message::text(answer.to_string()))
                    .await
                    .unwrap();
            }
        }
    });
    (port, seen)
}

#[tokio::test(flavor = "multi_thread")]
async fn obs_does_what_the_broadcaster_chose_and_says_when_the_password_is_wrong() {
    let (port, mut seen) = obs("right").await;
    let rules = "[[obs.rule]]\nwhen = \"game_ended\"\nboard = 1\nscene = \"Results\"\nreplay = true\n\
        [[obs.rule]]\nwhen = \"move\"\nboard = 2\nscene = \"Two\"\n";
    let told = |password| {
        format!(
            "delay_s = 0\n[obs]\naddress = \"127.0.0.1:{port}\"\npassword_file = \"{password}\"\n{rules}"
        )
    };
    let rig = Rig::new();
    rig.secret("right", "right");
    rig.secret("wrong", "wrong");
    let public = rig.broadcast(&told("wrong"));
    let fares = |public: &Public| {
        public
            .report()
            .all()
            .get(&report::Outlet::Obs)
            .cloned()
            .unwrap_or_default()
    };
    until(|| fares(&public).failed.is_some()).await;
    rig.stop.send(true).unwrap();
    let rig = Rig::new();
    rig.secret("right", "right");
    let public = rig.broadcast(&told("right"));
    until(|| fares(&public).done_ms.is_some()).await;
    rig.moved(0, "e2e4", "e4", E4);
    rig.common
        .store
        .end_game(rig.game_board(), Some(GameResult::Draw), "anna")
        .unwrap();
    let scene = timeout(LONG, seen.recv()).await.unwrap().unwrap();
    assert_eq!(scene["requestType"], json!("SetCurrentProgramScene"));
    assert_eq!(scene["requestData"]["sceneName"], json!("Results"));
    let replay = timeout(LONG, seen.recv()).await.unwrap().unwrap();
    assert_eq!(replay["requestType"], json!("SaveReplayBuffer"));
    rig.stop.send(true).unwrap();
}

impl Rig {
    fn game_board(&self) -> i64 {
        self.common.store.board("One").unwrap()
    }
}
