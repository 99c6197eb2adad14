//! What a key of a broadcast reads: moves when their time has come, and nothing else ever.

use super::*;

/// Everything public that can be asked for.
const FILES: [&str; 10] = [
    "games.pgn",
    "game-1.pgn",
    "state.json",
    "tournament.json",
    "picture-1.jpg",
    "round-1/index.json",
    "round-1/games.pgn",
    "round-1/game-1.json",
    "round-1/game-1.pgn",
    "stream",
];

/// What of them tells of the move that was made.
const TELL: [&str; 7] = [
    "games.pgn",
    "game-1.pgn",
    "state.json",
    "round-1/games.pgn",
    "round-1/game-1.json",
    "round-1/game-1.pgn",
    "stream",
];

impl Rig {
    fn key(&self) -> String {
        let name = random_hex::<4>().unwrap();
        let made = self.app.common.store.make_key(&name, "anna");
        made.unwrap().1.expose().to_owned()
    }

    async fn public(
        &self,
        key: &str,
        path: &str,
        known: Option<&str>,
    ) -> (StatusCode, axum::http::HeaderMap, String) {
        let mut asked = request(
            Method::GET,
            &format!("/key/{key}/api/public/{path}"),
            None,
            None,
        );
        if let Some(tag) = known {
            asked
                .headers_mut()
                .insert(header::IF_NONE_MATCH, tag.parse().unwrap());
        }
        let (status, headers, bytes) = self.ask(asked).await;
        (
            status,
            headers,
            String::from_utf8_lossy(&bytes).into_owned(),
        )
    }
}

/// A station whose board was listed when it was started, with people, a move and an incident.
fn station(delay_s: u32) -> Rig {
    let rig = Rig::broadcasting(delay_s);
    let started = json!({"boards": ["One", "Two"]});
    rig.app.common.store.note("started", "", started).unwrap();
    rig.with_people()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_younger_than_the_delay_leaves_by_any_public_route() {
    for (delay_s, asked, there) in [
        (0, "", true),
        (3600, "", false),
        (3600, "?delay=0", false),
        (0, "?delay=60", false),
    ] {
        let rig = station(delay_s);
        let key = rig.key();
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        // The stream does not end by itself.
        rig.stop.send(true).unwrap();
        for file in FILES {
            let (status, _, said) = rig.public(&key, &format!("{file}{asked}"), None).await;
            assert!(!status.is_server_error(), "{file}: {status} {said}");
            let tells = said.contains("d4");
            assert_eq!(
                tells,
                there && TELL.contains(&file),
                "{delay_s} {file}{asked}: {said}"
            );
            for secret in [
                "So it was.",
                "b1c3",
                "touch_move",
                "4.3.1",
                "JPEG of the board",
            ] {
                assert!(!said.contains(secret), "{file} tells {secret}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pgn_is_served_as_the_fetcher_of_lichess_needs_it() {
    let rig = station(0);
    let key = rig.key();
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let (status, headers, pgn) = rig.public(&key, "games.pgn", None).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(
        headers[header::CONTENT_TYPE],
        "application/x-chess-pgn; charset=utf-8"
    );
    let tag = headers[header::ETAG].to_str().unwrap().to_owned();
    assert!(tag.starts_with('"'), "a strong tag: {tag}");
    assert!(pgn.contains("[Board \"1\"]"), "{pgn}");
    // It sends the tag back; nothing has changed.
    for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}")] {
        let (status, headers, body) = rig.public(&key, "games.pgn", Some(&known)).await;
        assert_eq!(
            (status, body.as_str()),
            (StatusCode::NOT_MODIFIED, ""),
            "{known}"
        );
        assert_eq!(headers[header::ETAG].to_str().unwrap(), tag);
    }
    assert_eq!(
        rig.public(&key, "games.pgn", Some("\"x\"")).await.0,
        StatusCode::OK
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_said() {
    let rig = station(0);
    let key = rig.key();
    for odd in [
        "nothing",
        "game-0.pgn",
        "game-9.pgn",
        "game-+1.pgn",
        "round-9/index.json",
        "round-1/x",
        "picture-1.jpg",
        "x/y",
    ] {
        let (status, _, said) = rig.public(&key, odd, None).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{odd}");
        assert!(said.contains("docs/broadcast.md"), "{odd}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_station_that_does_not_broadcast_says_so() {
    let rig = station(0);
    let key = rig.key();
    let quiet = Arc::new(App {
        common: Arc::clone(&rig.app.common),
        code: Mutex::default(),
        attempts: RateLimiter::keyed(Quota::per_minute(ATTEMPTS)),
        viewed: Mutex::default(),
        stop: rig.stop.subscribe(),
        public: None,
        tls: false,
    });
    let router = router(quiet);
    for path in ["overlay", "api/public/games.pgn"] {
        let asked = request(Method::GET, &format!("/key/{key}/{path}"), None, None);
        let answer = router.clone().oneshot(asked).await.unwrap();
        assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    }
}
