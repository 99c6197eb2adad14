//! The administrator's routes: people, codes, sessions, keys, switches; an arbiter with some boards.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn somebody_is_invited_chooses_a_password_and_is_shut_out() {
    let rig = Rig::peopled();
    let admin = rig.cookie("administrator");
    let admin = Some(admin.as_str());
    let new = json!({"name": "ben", "role": "reviewer", "boards": [1]});
    let (status, invited) = rig.send(Method::POST, "/api/users", admin, Some(new)).await;
    assert_eq!(status, StatusCode::CREATED);
    assert_eq!(invited["user"]["boards"], json!([1]));
    let claim = |code: &Value| {
        let body = json!({"name": "ben", "code": code, "password": PASSWORD});
        rig.send(Method::POST, "/api/claim", None, Some(body))
    };
    assert_eq!(claim(&json!("000000000000")).await.0, StatusCode::FORBIDDEN);
    let (status, me) = claim(&invited["code"]).await;
    assert_eq!((status, &me["role"]), (StatusCode::OK, &json!("reviewer")));
    assert_eq!(claim(&invited["code"]).await.0, StatusCode::FORBIDDEN);
    let ben = rig.cookie("ben");
    let path = format!("/api/users/{}", me["id"]);
    let change = |body| rig.send(Method::PATCH, &path, admin, Some(body));
    let (_, person) = change(json!({"role": "arbiter"})).await;
    assert_eq!(
        (&person["role"], &person["boards"]),
        (&json!("arbiter"), &json!([1]))
    );
    let (_, person) = change(json!({"boards": null})).await;
    assert_eq!(
        (&person["role"], &person["boards"]),
        (&json!("arbiter"), &Value::Null)
    );
    let wrong = change(json!({"role": "broadcast"})).await;
    assert_eq!(wrong.0, StatusCode::CONFLICT);
    assert_eq!(
        change(json!({"rule": 1})).await.0,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(change(json!({"disabled": true})).await.0, StatusCode::OK);
    let me = rig.send(Method::GET, "/api/me", Some(&ben), None).await.1;
    assert_eq!(me["user"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_arbiter_with_some_boards_sees_and_hears_of_those_alone() {
    let rig = Rig::peopled();
    let cookie = rig.cookie("other");
    let get = |path| rig.send(Method::GET, path, Some(&cookie), None);
    assert_eq!(get("/api/boards").await.1, json!([]));
    assert_eq!(get("/api/incidents").await.1, json!([]));
    assert_eq!(get("/api/incidents/1").await.0, StatusCode::NOT_FOUND);
    let body = Some(json!({"ruling": "upheld"}));
    let path = "/api/incidents/1/ruling";
    let ruled = rig.send(Method::POST, path, Some(&cookie), body).await.0;
    assert_eq!(ruled, StatusCode::NOT_FOUND);
    // On their own board there is something.
    let store = &rig.app.common.store;
    let two = store.board("Two").unwrap();
    let game = store.begin_game(two, "start", "fide-2023", 1e12).unwrap();
    let own = rig.turn(game.id, 0);
    let listed = get("/api/incidents").await.1;
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(listed[0]["id"], own);
    rig.stop.send(true).unwrap();
    let asked = request(Method::GET, "/api/events?after=0", Some(&cookie), None);
    let heard = String::from_utf8(rig.ask(asked).await.2).unwrap();
    assert_eq!(heard.matches("event: incident").count(), 1, "{heard}");
    assert_eq!(heard.matches("event: move").count(), 1, "{heard}");
    assert!(!heard.contains("event: board"), "{heard}");
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_and_keys_are_listed_and_taken_back() {
    let rig = Rig::peopled();
    let admin = rig.cookie("administrator");
    let admin = Some(admin.as_str());
    let viewer = rig.cookie("viewer");
    let sessions = rig.send(Method::GET, "/api/sessions", admin, None).await.1;
    assert_eq!(sessions[0]["user"], "viewer");
    assert!(sessions[0].get("token").is_none());
    let path = format!("/api/sessions/{}", sessions[0]["id"]);
    let ended = rig.send(Method::DELETE, &path, admin, None).await.0;
    assert_eq!(ended, StatusCode::NO_CONTENT);
    let boards = rig.send(Method::GET, "/api/boards", Some(&viewer), None);
    assert_eq!(boards.await.0, StatusCode::UNAUTHORIZED);
    let new = Some(json!({"name": "lichess"}));
    let (_, made) = rig.send(Method::POST, "/api/keys", admin, new).await;
    let by_key = format!("/key/{}/api/me", made["token"].as_str().unwrap());
    let me = rig.send(Method::GET, &by_key, None, None).await.1;
    assert_eq!(me["key"], "lichess");
    let listed = rig.send(Method::GET, "/api/keys", admin, None).await.1;
    assert!(listed[0].get("token").is_none());
    let path = format!("/api/keys/{}", made["id"]);
    let revoked = rig.send(Method::DELETE, &path, admin, None).await.0;
    assert_eq!(revoked, StatusCode::NO_CONTENT);
    let gone = rig.send(Method::GET, &by_key, None, None).await.0;
    assert_eq!(gone, StatusCode::UNAUTHORIZED);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_that_guesses_does_not_keep_others_out() {
    let rig = Rig::peopled();
    let login = |host: u8, password: &str| {
        let body = json!({"name": "arbiter", "password": password});
        let mut asked = request(Method::POST, "/api/login", None, Some(body));
        let from = SocketAddr::from(([10, 0, 0, host], 4321));
        asked.extensions_mut().insert(ConnectInfo(from));
        rig.ask(asked)
    };
    for _ in 0..12 {
        login(7, "wrong").await;
    }
    assert_eq!(login(7, PASSWORD).await.0, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(login(8, PASSWORD).await.0, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kind_of_incident_is_put_out_of_use() {
    let rig = Rig::peopled();
    let admin = rig.cookie("administrator");
    let admin = Some(admin.as_str());
    let wrong = StatusCode::UNPROCESSABLE_ENTITY;
    for (kind, body, status) in [
        ("touch_move", json!({"in_use": false}), StatusCode::OK),
        ("nothing", json!({"in_use": false}), StatusCode::BAD_REQUEST),
        ("touch_move", json!({}), wrong),
        ("touch_move", json!({"in_use": "no"}), wrong),
    ] {
        let path = format!("/api/alerts/{kind}");
        let answer = rig.send(Method::PUT, &path, admin, Some(body));
        assert_eq!(answer.await.0, status, "{kind}");
    }
    let list = rig.send(Method::GET, "/api/alerts", admin, None).await.1;
    assert_eq!(list[0], json!({"kind": "touch_move", "in_use": false}));
    let log = rig.send(Method::GET, "/api/log", admin, None).await.1;
    assert_eq!(log[0]["kind"], "alert_switched");
    assert_eq!(log[0]["who"], "administrator");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_read_back_to_its_first_row() {
    let rig = Rig::peopled();
    let admin = rig.cookie("administrator");
    let get = |path: String| {
        let admin = admin.clone();
        let rig = &rig;
        async move { rig.send(Method::GET, &path, Some(&admin), None).await.1 }
    };
    let newest = get("/api/log".to_owned()).await;
    let last = newest[0]["seq"].as_i64().unwrap();
    let before = get(format!("/api/log?before={last}")).await;
    assert_eq!(before[0]["seq"], last - 1);
    assert_eq!(get("/api/log?before=1".to_owned()).await, json!([]));
    let after = get(format!("/api/log?after={}", last - 1)).await;
    assert_eq!(after[0]["seq"], last);
}
