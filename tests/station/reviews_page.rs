//! Recordings reviewed on the station's page, in Chromium. Skipped with a message where there is no
//! Chromium, or no Node with the page's packages.

use crate::{
    browser,
    station::{Station, no_board},
};

#[test]
fn a_recording_is_sent_reviewed_and_its_report_read() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let station = Station::start(&data, &["--board", &no_board(folder.path())]);
    let clip = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/touch-move.mp4");
    let run = browser::start("reviews.mjs", folder.path(), &station.address, &[clip]);
    let Some(mut run) = run else { return };
    assert!(run.wait().unwrap().success());
    // What was sent for the review that was deleted is gone with it.
    let sent = std::fs::read_dir(data.join("reviews/sent")).unwrap();
    assert_eq!(sent.count(), 1);
    assert!(station.interrupt());
}
