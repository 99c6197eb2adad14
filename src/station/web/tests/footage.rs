//! Footage that leaves the station, and how long it stays.

use opencv::core::{CV_8UC3, Mat, Scalar};
use sha2::{Digest, Sha256};

use super::*;
use crate::station::{bundle, footage::Recorder, footage_folder, hex, live, store::check::check};

#[tokio::test(flavor = "multi_thread")]
async fn an_export_is_a_sound_bundle_and_noted() {
    let rig = Rig::peopled();
    let cookie = rig.cookie("arbiter");
    let key = rig
        .send(Method::GET, "/api/key", Some(&cookie), None)
        .await
        .1;
    let asked = request(Method::GET, "/api/incidents/1/export", Some(&cookie), None);
    let (status, headers, bytes) = rig.ask(asked).await;
    assert_eq!(
        (status, headers[header::CONTENT_TYPE].to_str().unwrap()),
        (StatusCode::OK, "application/zip")
    );
    let named = headers[header::CONTENT_DISPOSITION].to_str().unwrap();
    assert_eq!(named, "attachment; filename=\"adoube-incident-1.zip\"");
    let path = rig.app.common.data.join("got.zip");
    std::fs::write(&path, &bytes).unwrap();
    let checked = bundle::verify(&path, key["public_key"].as_str()).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
    let row = rig.app.common.store.log_newest(1).unwrap().remove(0);
    let sum = hex(&Sha256::digest(&bytes));
    assert_eq!((row.kind.as_str(), row.who.as_str()), ("export", "arbiter"));
    assert_eq!(row.body, json!({"incident": 1, "sha256": sum}));
}

#[tokio::test(flavor = "multi_thread")]
async fn clips_and_stills_are_of_the_time_that_was_asked_for() {
    let rig = Rig::peopled();
    let folder = footage_folder(&rig.app.common.data, 1);
    let mut recorder = Recorder::open(&folder).unwrap();
    for k in 0..20 {
        let grey = Scalar::all(f64::from(k) * 10.0);
        let image = Mat::new_rows_cols_with_default(48, 64, CV_8UC3, grey).unwrap();
        let frame = live::LiveFrame {
            jpeg: live::jpeg(&image).unwrap().into(),
            image: image.into(),
            t_ms: 1e12 + f64::from(k) * 100.0,
        };
        recorder.push(&frame).unwrap();
    }
    let cookie = rig.cookie("arbiter");
    let get = |path: &str| rig.ask(request(Method::GET, path, Some(&cookie), None));
    let (status, headers, bytes) = get("/api/boards/1/still?at_ms=1000000000750").await;
    assert_eq!(
        (status, headers["x-captured-ms"].to_str().unwrap()),
        (StatusCode::OK, "1000000000700.000")
    );
    let grey = image::load_from_memory(&bytes)
        .unwrap()
        .to_luma8()
        .get_pixel(9, 9)
        .0[0];
    assert!(grey.abs_diff(70) <= 2, "{grey}");
    let clip = "/api/boards/1/clip?from_ms=1000000000500&to_ms=1000000001000";
    let (status, _, bytes) = get(clip).await;
    assert_eq!(status, StatusCode::OK);
    let path = rig.app.common.data.join("got.zip");
    std::fs::write(&path, &bytes).unwrap();
    let checked = bundle::verify(&path, None).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
    let log = rig.app.common.store.log_newest(2).unwrap();
    let kinds: Vec<(&str, &str)> = log
        .iter()
        .map(|e| (e.kind.as_str(), e.who.as_str()))
        .collect();
    assert_eq!(kinds, [("export", "arbiter"), ("still", "arbiter")]);
    for (path, refused) in [
        ("/api/boards/1/still?at_ms=5", StatusCode::NOT_FOUND),
        (
            "/api/boards/1/clip?from_ms=5&to_ms=6",
            StatusCode::NOT_FOUND,
        ),
        (
            "/api/boards/1/clip?from_ms=6&to_ms=5",
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        (
            "/api/boards/1/clip?from_ms=0&to_ms=1e12",
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        (
            "/api/boards/1/clip?from_ms=NaN&to_ms=5",
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        ("/api/boards/1/clip", StatusCode::BAD_REQUEST),
        (
            "/api/boards/7/clip?from_ms=5&to_ms=6",
            StatusCode::NOT_FOUND,
        ),
    ] {
        assert_eq!(get(path).await.0, refused, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_arbiter_holds_is_not_deleted() {
    let rig = Rig::peopled();
    let cookie = rig.cookie("arbiter");
    let cookie = Some(cookie.as_str());
    let store = &rig.app.common.store;
    store.kept(1, 10, "00").unwrap();
    let path = "/api/incidents/1/hold";
    for _ in 0..2 {
        let held = rig.send(Method::POST, path, cookie, None).await.0;
        assert_eq!(held, StatusCode::NO_CONTENT);
    }
    assert!(store.incident(1).unwrap().held);
    assert_eq!(
        store.evidence_before(f64::INFINITY).unwrap(),
        Vec::<i64>::new()
    );
    assert!(!store.free_evidence(1, 14.0).unwrap());
    let go = || rig.send(Method::DELETE, path, cookie, None);
    assert_eq!(go().await.0, StatusCode::NO_CONTENT);
    assert_eq!(store.evidence_before(f64::INFINITY).unwrap(), [1]);
    assert!(store.free_evidence(1, 14.0).unwrap());
    let gone = store.incident(1).unwrap();
    assert!(gone.freed && gone.frames == 0);
    assert_eq!(
        rig.send(Method::POST, path, cookie, None).await.0,
        StatusCode::CONFLICT
    );
    let log = store.log_after(0, 100).unwrap();
    let kinds: Vec<&str> = log.iter().map(|e| e.kind.as_str()).collect();
    let tail = ["evidence", "held", "let_go", "evidence_freed"];
    assert_eq!(kinds[kinds.len() - 4..], tail);
    // Deleted by the rule, and noted: no fault.
    let checked = check(&rig.app.common.data).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
}
