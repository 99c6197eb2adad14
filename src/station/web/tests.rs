//! The API as a browser and as a stranger sees it.

use axum::{
    body::Body,
    extract::ConnectInfo,
    http::{Method, Request, StatusCode, header},
};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::{
    access::{COOKIE, ROUTES},
    *,
};
use crate::{
    events::Findings,
    record::{Incident, PlayedMove, Player, Severity},
    station::{
        hub::{Picture, Snapshot, State},
        public::config::FileBroadcast,
        store::{
            games::TurnFound,
            people::{Boards, Role},
            players::Players,
        },
    },
};

mod broadcast;
mod corrections;
mod examples;
mod fixing;
mod footage;
mod people;
mod routes;

/// A station with a board, an incident and a user of each role.
struct Rig {
    app: Arc<App>,
    router: Router,
    stop: watch::Sender<bool>,
    _folder: tempfile::TempDir,
}

const PASSWORD: &str = "correct horse battery";

impl Rig {
    fn new() -> Self {
        Self::broadcasting(3600)
    }

    /// A station that broadcasts with a delay, seconds.
    fn broadcasting(delay_s: u32) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let common = Common::without_boards(folder.path());
        let (stop, stopped) = watch::channel(false);
        let broadcast = FileBroadcast::plain(delay_s)
            .resolve(folder.path())
            .unwrap();
        let public = Public::start(&common, &broadcast, stopped.clone());
        let app = Arc::new(App {
            common,
            code: Mutex::new(Some("0123".to_owned())),
            attempts: RateLimiter::keyed(Quota::per_minute(ATTEMPTS)),
            viewed: Mutex::default(),
            stop: stopped,
            public: Some(public),
            tls: false,
        });
        Self {
            router: router(Arc::clone(&app)),
            app,
            stop,
            _folder: folder,
        }
    }

    fn peopled() -> Self {
        Self::new().with_people()
    }

    fn with_people(self) -> Self {
        let rig = self;
        let store = &rig.app.common.store;
        store.claim("administrator", PASSWORD).unwrap();
        // The first one, as in the paths that are asked for.
        store.board("One").unwrap();
        let other = Boards::only([store.board("Two").unwrap()]);
        for (name, role, boards) in [
            ("arbiter", Role::Arbiter, Boards::ALL),
            ("other", Role::Arbiter, other),
            ("reviewer", Role::Reviewer, Boards::ALL),
            ("viewer", Role::Viewer, Boards::ALL),
        ] {
            let who = "administrator";
            let user = store.add_user(name, role, &boards, who).unwrap();
            let code = store.give_code(user.id, who).unwrap();
            store.use_code(name, &code, PASSWORD).unwrap().unwrap();
        }
        rig.board();
        rig
    }

    /// A board whose game has an incident.
    fn board(&self) {
        let store = &self.app.common.store;
        let board = store.board("One").unwrap();
        let shared = self.app.common.hub.add(Snapshot {
            id: board,
            name: "One".to_owned(),
            state: State::Playing,
            since_ms: 0.0,
            fen: "8/8/8/8/8/8/8/8 w - - 0 1".to_owned(),
            moves: Vec::new(),
            last: None,
            game: None,
            players: Players::default(),
            next: None,
            doubts: Vec::new(),
            not_recording: None,
            sign: None,
            space: None,
        });
        shared.show(Picture {
            t_ms: 1.0,
            jpeg: Arc::from(&b"JPEG of the board"[..]),
        });
        let game = store.begin_game(board, "start", "fide-2023", 1e12).unwrap();
        self.turn(game.id, 0);
    }

    /// A turn with a breach; the number of its incident.
    fn turn(&self, game: i64, ply: u32) -> i64 {
        let found = Findings {
            moves: vec![PlayedMove {
                uci: "d2d4".to_owned(),
                san: "d4".to_owned(),
                legal: true,
                made_ms: 5000.0,
                probability: Some(0.9),
                completed_ms: None,
                inferred: false,
            }],
            incidents: vec![Incident {
                kind: "touch_move".to_owned(),
                player: Player::White,
                ms: 5000.0,
                article: "4.3.1".to_owned(),
                contact: None,
                obliged: vec!["b1c3".to_owned()],
                probability: Some(0.9),
                severity: Some(Severity::Alert),
                explanation: vec!["So it was.".to_owned()],
            }],
            ..Findings::default()
        };
        let turn = TurnFound {
            game,
            ply,
            zero_ms: 1e12,
            found: &found,
            before: "before",
            after: "after",
        };
        self.app.common.store.record_turn(&turn).unwrap()[0]
    }

    fn cookie(&self, name: &str) -> String {
        let users = self.app.common.store.users().unwrap();
        let user = &users.iter().find(|p| p.user.name == name).unwrap().user;
        let store = &self.app.common.store;
        let token = store.begin_session(user, "127.0.0.1", "").unwrap();
        format!("{COOKIE}={}", token.expose())
    }

    async fn ask(&self, request: Request<Body>) -> (StatusCode, axum::http::HeaderMap, Vec<u8>) {
        let answer = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = answer.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes().to_vec();
        (parts.status, parts.headers, bytes)
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        cookie: Option<&str>,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        let (status, _, bytes) = self.ask(request(method, path, cookie, body)).await;
        (status, serde_json::from_slice(&bytes).unwrap_or_default())
    }
}

fn request(method: Method, path: &str, cookie: Option<&str>, body: Option<Value>) -> Request<Body> {
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, "127.0.0.1:8437");
    if let Some(cookie) = cookie {
        request = request.header(header::COOKIE, cookie);
    }
    match body {
        Some(body) => request
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_string())),
        None => request.body(Body::empty()),
    }
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_code_makes_one_administrator() {
    let rig = Rig::new();
    let claim =
        |code: &str, name: &str| Some(json!({"code": code, "name": name, "password": PASSWORD}));
    let me = rig.send(Method::GET, "/api/me", None, None).await.1;
    assert_eq!(me, json!({"user": null, "key": null, "unclaimed": true}));
    let post = |body| rig.ask(request(Method::POST, "/api/claim", None, body));
    assert_eq!(post(claim("9999", "anna")).await.0, StatusCode::FORBIDDEN);
    let (status, headers, _) = post(claim("0123", "anna")).await;
    assert_eq!(status, StatusCode::OK);
    let cookie = headers[header::SET_COOKIE].to_str().unwrap();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let cookie = cookie.split(';').next().unwrap();
    let me = rig.send(Method::GET, "/api/me", Some(cookie), None).await.1;
    assert_eq!(me["user"]["role"], "administrator");
    assert_eq!(me["unclaimed"], false);
    assert_eq!(
        post(claim("0123", "mallory")).await.0,
        StatusCode::FORBIDDEN
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn passwords_cannot_be_guessed_fast() {
    let rig = Rig::peopled();
    let login = |password: &str| {
        let body = json!({"name": "arbiter", "password": password});
        rig.send(Method::POST, "/api/login", None, Some(body))
    };
    assert_eq!(login(PASSWORD).await.0, StatusCode::OK);
    let mut said = Vec::new();
    for _ in 0..12 {
        said.push(login("wrong").await.0);
    }
    assert_eq!(said[0], StatusCode::UNAUTHORIZED);
    assert_eq!(said[11], StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(login(PASSWORD).await.0, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_sites_page_is_turned_away() {
    let rig = Rig::peopled();
    let cookie = rig.cookie("arbiter");
    let ruling = Some(json!({"ruling": "upheld"}));
    let path = "/api/incidents/1/ruling";
    for (name, value, status) in [
        ("origin", "http://evil.example", StatusCode::FORBIDDEN),
        ("origin", "null", StatusCode::FORBIDDEN),
        ("origin", "http://127.0.0.1:9999", StatusCode::FORBIDDEN),
        ("sec-fetch-site", "cross-site", StatusCode::FORBIDDEN),
        ("sec-fetch-site", "same-site", StatusCode::FORBIDDEN),
        ("origin", "http://127.0.0.1:8437", StatusCode::CREATED),
        ("sec-fetch-site", "same-origin", StatusCode::CREATED),
    ] {
        let mut asked = request(Method::POST, path, Some(&cookie), ruling.clone());
        asked.headers_mut().insert(name, value.parse().unwrap());
        assert_eq!(rig.ask(asked).await.0, status, "{name}: {value}");
    }
    let mut asked = request(Method::GET, "/api/incidents", Some(&cookie), None);
    asked
        .headers_mut()
        .insert("host", "evil.example:8437".parse().unwrap());
    assert_eq!(rig.ask(asked).await.0, StatusCode::MISDIRECTED_REQUEST);
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_requests_are_refused_and_nothing_more() {
    let rig = Rig::peopled();
    let cookie = rig.cookie("arbiter");
    let post = |body: Vec<u8>| {
        let mut asked = request(Method::POST, "/api/incidents/1/ruling", Some(&cookie), None);
        asked
            .headers_mut()
            .insert("content-type", "application/json".parse().unwrap());
        *asked.body_mut() = Body::from(body);
        rig.ask(asked)
    };
    let large = json!({"ruling": "upheld", "note": "x".repeat(100_000)});
    assert_eq!(
        post(large.to_string().into()).await.0,
        StatusCode::PAYLOAD_TOO_LARGE
    );
    let long = json!({"ruling": "upheld", "note": "x".repeat(3000)});
    for body in [
        b"".to_vec(),
        b"{".to_vec(),
        b"\xff\xfe".to_vec(),
        b"{\"ruling\":\"guilty\"}".to_vec(),
        b"{\"ruling\":\"upheld\",\"who\":\"someone\"}".to_vec(),
        long.to_string().into_bytes(),
    ] {
        let status = post(body).await.0;
        assert!(status.is_client_error(), "{status}");
    }
    for path in [
        "/assets/..%2f..%2fCargo.toml",
        "/assets/../index.html",
        "/api/incidents/..%2f1",
        "/api/incidents/1/frames/-1",
        "/api/incidents/99999999999999999999",
        "/api/boards/7/picture",
        "/api/nothing",
    ] {
        let status = rig.send(Method::GET, path, Some(&cookie), None).await.0;
        assert!(status.is_client_error(), "{path}: {status}");
    }
    assert_eq!(rig.app.common.store.incident(1).unwrap().ruled, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_incident_is_ruled_on_and_the_ruling_taken_back() {
    let rig = Rig::peopled();
    let cookie = rig.cookie("arbiter");
    let cookie = Some(cookie.as_str());
    let path = "/api/incidents/1/ruling";
    let body = Some(json!({"ruling": "upheld", "note": " seen "}));
    assert_eq!(
        rig.send(Method::POST, path, cookie, body).await.0,
        StatusCode::CREATED
    );
    let list = rig
        .send(Method::GET, "/api/incidents", cookie, None)
        .await
        .1;
    assert_eq!(list[0]["ruled"]["ruling"], "upheld");
    assert_eq!(list[0]["ruled"]["note"], "seen");
    assert_eq!(list[0]["ruled"]["who"], "arbiter");
    let undo = || rig.send(Method::DELETE, path, cookie, None);
    assert_eq!(undo().await.0, StatusCode::NO_CONTENT);
    assert_eq!(undo().await.0, StatusCode::CONFLICT);
    let one = rig
        .send(Method::GET, "/api/incidents/1?lang=de", cookie, None)
        .await
        .1;
    assert_eq!(one["ruled"], Value::Null);
    assert_eq!(one["times_ms"], json!([]));
    let nobody = rig
        .send(Method::GET, "/api/incidents/2", cookie, None)
        .await;
    assert_eq!(nobody.0, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_looks_at_footage_is_noted_once_in_a_while() {
    let rig = Rig::peopled();
    for name in ["arbiter", "arbiter", "administrator"] {
        let cookie = rig.cookie(name);
        for _ in 0..3 {
            let asked = request(Method::GET, "/api/boards/1/picture", Some(&cookie), None);
            let (status, headers, bytes) = rig.ask(asked).await;
            assert_eq!(
                (status, &bytes[..]),
                (StatusCode::OK, &b"JPEG of the board"[..])
            );
            assert_eq!(headers[header::CACHE_CONTROL], "no-store");
        }
    }
    let log = rig.app.common.store.log_after(0, 100).unwrap();
    let seen: Vec<&str> = log
        .iter()
        .filter(|e| e.kind == "footage")
        .map(|e| e.who.as_str())
        .collect();
    assert_eq!(seen, ["arbiter", "administrator"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_carries_the_headers_that_keep_it_to_itself() {
    let rig = Rig::new();
    for path in ["/", "/api/me", "/api/boards", "/nothing"] {
        let (_, headers, _) = rig.ask(request(Method::GET, path, None, None)).await;
        let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.contains("default-src 'none'"), "{path}");
        assert!(!policy.contains("unsafe"), "{path}");
        assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        assert!(headers.contains_key(header::CACHE_CONTROL), "{path}");
    }
}

/// The events of a stream until it ends, as `(id, kind)`.
async fn events(rig: &Rig, cookie: &str, path: &str, last: Option<&str>) -> Vec<(String, String)> {
    let mut asked = request(Method::GET, path, Some(cookie), None);
    if let Some(last) = last {
        asked
            .headers_mut()
            .insert("last-event-id", last.parse().unwrap());
    }
    let answer = rig.router.clone().oneshot(asked).await.unwrap();
    assert_eq!(answer.headers()[header::CONTENT_TYPE], "text/event-stream");
    let mut body = answer.into_body();
    let mut text = String::new();
    // Told while the page listens: comes last.
    rig.app
        .common
        .store
        .begin_game(1, "start", "fide-2023", 2e12)
        .unwrap();
    let newest = rig.app.common.store.log_newest(1).unwrap()[0].seq;
    while !text.contains(&format!("id: {newest}\n")) || !text.ends_with("\n\n") {
        let frame = body.frame().await.unwrap().unwrap();
        text.push_str(std::str::from_utf8(frame.data_ref().unwrap()).unwrap());
    }
    let field = |event: &str, name: &str| {
        let line = event.lines().find_map(|l| l.strip_prefix(name));
        line.unwrap_or_default().trim().to_owned()
    };
    text.split("\n\n")
        .filter(|e| !e.is_empty())
        .map(|e| (field(e, "id:"), field(e, "event:")))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_was_cut_off_is_told_what_it_missed_and_nothing_twice() {
    let rig = Rig::peopled();
    let cookie = rig.cookie("arbiter");
    let log = rig.app.common.store.log_after(0, 100).unwrap();
    let moved = log.iter().find(|e| e.kind == "move").unwrap().seq;
    let heard = events(&rig, &cookie, "/api/events", Some(&moved.to_string())).await;
    let kinds: Vec<&str> = heard.iter().map(|e| e.1.as_str()).collect();
    assert_eq!(kinds, ["board", "incident", "game_ended", "game_begun"]);
    let ids: Vec<i64> = heard.iter().filter_map(|e| e.0.parse().ok()).collect();
    assert!(ids.windows(2).all(|w| w[0] < w[1]) && ids[0] > moved);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_viewer_hears_of_moves_and_of_no_incident() {
    let rig = Rig::peopled();
    let cookie = rig.cookie("viewer");
    let heard = events(&rig, &cookie, "/api/events?after=0", None).await;
    let mut kinds: Vec<&str> = heard.iter().map(|e| e.1.as_str()).collect();
    kinds.dedup();
    assert_eq!(
        kinds,
        ["board", "game_begun", "move", "game_ended", "game_begun"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_without_a_number_hears_what_comes() {
    let rig = Rig::peopled();
    let cookie = rig.cookie("arbiter");
    let heard = events(&rig, &cookie, "/api/events", None).await;
    assert_eq!(heard[0].1, "board");
    assert!(heard.iter().all(|e| e.1 != "move" && e.1 != "incident"));
}

#[tokio::test]
async fn a_board_that_was_taken_out_does_not_come_back() {
    let rig = Rig::peopled();
    let cookie = rig.cookie("arbiter");
    let asked = request(Method::GET, "/api/events", Some(&cookie), None);
    let mut body = rig.router.clone().oneshot(asked).await.unwrap().into_body();
    body.frame().await.unwrap().unwrap();
    // At once, so that the page finds all of it waiting.
    let hub = &rig.app.common.hub;
    let board = hub.board(1).unwrap();
    for k in 1..=20 {
        hub.update(&board, |snapshot| snapshot.since_ms = f64::from(k));
    }
    hub.remove(1).unwrap();
    rig.app.common.store.remove_board(1, "arbiter").unwrap();
    let mut text = String::new();
    while let Some(frame) = body.frame().await {
        text.push_str(std::str::from_utf8(frame.unwrap().data_ref().unwrap()).unwrap());
        if text.contains("event: board_removed") {
            rig.stop.send(true).unwrap();
        }
    }
    let (_, after) = text.split_once("event: board_removed\n").unwrap();
    assert!(!after.contains("event: board\n"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_and_health_are_told() {
    let rig = Rig::peopled();
    rig.app.common.metrics.looked("One", 0.02, 0.1);
    let (status, _, bytes) = rig.ask(request(Method::GET, "/metrics", None, None)).await;
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!(status, StatusCode::OK);
    for line in [
        "adoube_frames_looked_at_total{board=\"One\"} 1",
        "adoube_playing{board=\"One\"} 1.0",
        "adoube_frames_dropped_total{board=\"One\"} 0.0",
        "adoube_queue_depth{board=\"One\"} 0.0",
        "adoube_record_seconds_total{board=\"One\"} 0.0",
        "adoube_disk_free_bytes 0",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let health = rig.send(Method::GET, "/healthz", None, None).await.1;
    assert_eq!(
        (&health["status"], &health["boards"]),
        (&json!("ok"), &json!(1))
    );
}
