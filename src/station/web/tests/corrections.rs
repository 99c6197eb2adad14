//! Corrections of what was seen, through the API.

use super::*;
use crate::{
    broadcast::game::START_FEN,
    record::{Contact, ContactKind},
};

/// White touches the knight on g1 and plays d4; the number of the incident.
pub(super) fn knight_touched(rig: &Rig) -> i64 {
    let store = &rig.app.common.store;
    let board = store.board("One").unwrap();
    let game = store
        .begin_game(board, START_FEN, "fide-2023", 1e12)
        .unwrap();
    let contact = |id: u32, square: &str, to: &str, kind| Contact {
        id,
        player: Player::White,
        hand: None,
        square: Some(square.to_owned()),
        piece: if id == 1 { "N" } else { "P" }.to_owned(),
        kind,
        touch_ms: f64::from(id) * 1000.0,
        lift_ms: None,
        place_ms: None,
        release_ms: f64::from(id) * 1000.0 + 500.0,
        to: Some(to.to_owned()),
        probability: Some(0.9),
    };
    let found = Findings {
        moves: vec![PlayedMove {
            uci: "d2d4".to_owned(),
            san: "d4".to_owned(),
            legal: true,
            made_ms: 2500.0,
            probability: Some(1.0),
            completed_ms: None,
            inferred: false,
        }],
        contacts: vec![
            contact(1, "g1", "g1", ContactKind::Touch),
            contact(2, "d2", "d4", ContactKind::Move),
        ],
        incidents: vec![Incident {
            kind: "touch_move".to_owned(),
            player: Player::White,
            ms: 2500.0,
            article: "4.3.1".to_owned(),
            contact: Some(1),
            obliged: vec!["g1f3".to_owned(), "g1h3".to_owned()],
            probability: Some(0.9),
            severity: Some(Severity::Alert),
            explanation: Vec::new(),
        }],
        ..Findings::default()
    };
    let turn = TurnFound {
        game: game.id,
        ply: 0,
        zero_ms: 1e12,
        found: &found,
        before: START_FEN,
        after: "after",
    };
    store.record_turn(&turn).unwrap()[0]
}

#[tokio::test(flavor = "multi_thread")]
async fn an_announced_touch_closes_its_incident_until_that_is_taken_back() {
    let rig = Rig::peopled();
    let id = knight_touched(&rig);
    let cookie = rig.cookie("arbiter");
    let cookie = Some(cookie.as_str());
    let path = format!("/api/incidents/{id}/correction");
    let say = |word: &str| {
        let body = Some(json!({"correction": word}));
        rig.send(Method::POST, &path, cookie, body)
    };
    let page = format!("/api/incidents/{id}");
    let opened = || rig.send(Method::GET, &page, cookie, None);
    let before = opened().await.1;
    assert_eq!(
        (&before["severity"], &before["corrected"]),
        (&json!("alert"), &Value::Null)
    );
    assert_eq!(before["contacts"][0]["lift_ms"], Value::Null);

    assert_eq!(say("announced").await.0, StatusCode::CREATED);
    let after = opened().await.1;
    assert_eq!(
        (&after["severity"], &after["probability"]),
        (&json!("log"), &json!(0.0))
    );
    assert_eq!(after["corrected"]["correction"], "announced");
    assert_eq!(after["corrected"]["who"], "arbiter");
    let list = rig
        .send(Method::GET, "/api/incidents", cookie, None)
        .await
        .1;
    assert!(
        list.as_array().unwrap().iter().any(|i| i["id"] == id),
        "it stays in the list"
    );

    let undo = || rig.send(Method::DELETE, &path, cookie, None);
    assert_eq!(undo().await.0, StatusCode::NO_CONTENT);
    assert_eq!(opened().await.1, before);
    assert_eq!(undo().await.0, StatusCode::CONFLICT);
    let log = rig.app.common.store.log_after(0, 1000).unwrap();
    let said = log.iter().filter(|e| e.kind == "correction");
    let said: Vec<(&str, &Value)> = said
        .map(|e| (e.who.as_str(), &e.body["correction"]))
        .collect();
    assert_eq!(
        said,
        [("arbiter", &json!("announced")), ("arbiter", &Value::Null)]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_hangs_on_no_touch_is_not_corrected() {
    let rig = Rig::peopled();
    let cookie = rig.cookie("arbiter");
    let say = |id: i64, body: Value| {
        let path = format!("/api/incidents/{id}/correction");
        let cookie = cookie.clone();
        let rig = &rig;
        async move {
            rig.send(Method::POST, &path, Some(&cookie), Some(body))
                .await
        }
    };
    // The incident of the rig has no contact.
    let (status, said) = say(1, json!({"correction": "announced"})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(said["error"].as_str().unwrap().contains("touch"), "{said}");
    let missing = say(99, json!({"correction": "announced"})).await.0;
    assert_eq!(missing, StatusCode::NOT_FOUND);
    let odd = say(1, json!({"correction": "forgiven"})).await.0;
    assert!(odd.is_client_error());
}
