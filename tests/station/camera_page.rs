//! A camera that is not there yet, freezes, dies, comes back with another resolution and changes its
//! exposure, as the page shows it in Chromium. Skipped with a message without Chromium, Node with the
//! page's packages, or GStreamer's RTSP server.

use crate::{browser, camera, station::Station};
use adoube::station::store::check::check;

#[test]
fn a_camera_comes_and_goes_and_the_game_goes_on() {
    if !camera::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let port = camera::free_port().to_string();
    let board = format!("Board 1=rtsp://anna:secret@127.0.0.1:{port}/camera");
    let station = Station::start(&data, &["--board", &board]);
    let clip = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/touch-move.mp4");
    let more = [camera::PYTHON, camera::SERVER, &port, clip];
    let run = browser::start("camera.mjs", folder.path(), &station.address, &more);
    let Some(mut run) = run else { return };
    assert!(run.wait().unwrap().success());
    assert!(station.interrupt());
    assert_eq!(check(&data).unwrap().faults, Vec::<String>::new());
}
