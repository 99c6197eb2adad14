//! The station as an arbiter has it: the program itself, its page in Chromium, from the first start
//! to a ruling. Skipped with a message where there is no Chromium, or no Node with the page's
//! packages.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    browser,
    station::{Station, no_board},
};
use adoube::{calibration::file::BoardFile, station::store::check::check};

/// Runs a script of the page's tests on a station, where there is a browser and a Node for it;
/// returns the folder of its pictures.
fn in_browser(script: &str, station: &Station, folder: &Path) -> Option<PathBuf> {
    let mut run = browser::start(script, folder, &station.address, &[])?;
    assert!(run.wait().unwrap().success());
    Some(browser::pictures(folder))
}

/// What the page exported is sound, by the key that the page showed.
fn verifies(bundle: &Path, key: &Path) {
    let key = std::fs::read_to_string(key).unwrap();
    let verify = |key: &str| {
        let out = Command::new(env!("CARGO_BIN_EXE_adoube"))
            .arg("verify")
            .arg(bundle)
            .args(["--key", key])
            .output()
            .unwrap();
        let said = [out.stdout, out.stderr].concat();
        (out.status.code(), String::from_utf8(said).unwrap())
    };
    let (code, said) = verify(&key);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("all is as it was signed"), "{said}");
    assert!(said.contains("frames against the log"), "{said}");
    let (code, said) = verify(&"0".repeat(64));
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("another key"), "{said}");
}

#[test]
fn from_the_first_start_to_a_ruling() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let nothing = no_board(folder.path());
    let clip = "Board 1=tests/data/touch-move.mp4";
    let station = Station::start(&data, &["--board", clip, "--board", &nothing]);
    let Some(pictures) = in_browser("station.mjs", &station, folder.path()) else {
        return;
    };
    verifies(&pictures.join("export.zip"), &pictures.join("key.txt"));
    assert!(station.interrupt(), "it did not end well");
    let checked = check(&data).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
    assert!(checked.incidents >= 1, "no frames were kept");
    // Again: nobody needs a code, and what was ruled is there.
    let station = Station::start(&data, &["--board", &nothing]);
    assert!(!station.address.contains("code"), "{}", station.address);
    assert!(station.interrupt());
}

#[test]
fn people_are_let_in_and_a_board_is_calibrated_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let nothing = no_board(folder.path());
    let clip = "Board 1=loop:tests/data/touch-move.mp4";
    let station = Station::start(&data, &["--board", clip, "--board", &nothing, "--tls"]);
    if in_browser("people.mjs", &station, folder.path()).is_none() {
        return;
    }
    assert!(station.interrupt(), "it did not end well");
    let kept = BoardFile::read(&data.join("boards/1.toml")).unwrap();
    assert_eq!(kept.name, "Board 1");
    assert_eq!(check(&data).unwrap().faults, Vec::<String>::new());
}

#[test]
fn what_is_wrong_is_said_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_adoube"))
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8(out.stderr).unwrap();
        (out.status.code(), said)
    };
    for (arguments, said) in [
        (&["serve", "--board", "x"][..], "give a name and a source"),
        (&["serve", "--board", "A=no.mp4"], "no such file"),
        (&["serve", "--board", "A=http://x"], "not a kind of source"),
        (&["serve", "--config", "no.toml"], "no.toml"),
        (&["check", "no-folder"], "no such station database"),
        (&["verify", "no.zip"], "no.zip"),
    ] {
        let (code, stderr) = run(arguments);
        assert_eq!(code, Some(1), "{arguments:?}: {stderr}");
        assert!(stderr.contains(said), "{arguments:?}: {stderr}");
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    std::fs::write(folder.path().join("a.mp4"), "x").unwrap();
    let (code, stderr) = run(&["serve", "--board", "A=a.mp4", "--port", &port]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("--port"), "{stderr}");
    assert!(!folder.path().join("adoube-data").exists());
}
