//! The station as an arbiter has it: the program itself, its page in Chromium, from the first start
//! to a ruling. Skipped with a message where there is no Chromium, or no Node with the page's
//! packages.

#![cfg(feature = "station")]
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use adoube::station::store::check::check;

fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|folder| {
            names
                .iter()
                .map(move |n| folder.join(n))
                .collect::<Vec<_>>()
        })
        .find(|p| p.is_file())
}

fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A running station; it is killed if a test fails.
struct Station(Child);

impl Drop for Station {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the program and waits for the address that it prints.
fn start(data: &Path, arguments: &[&str]) -> (Station, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_adoube"))
        .args(["serve", "--port", "0", "--data"])
        .arg(data)
        .args(arguments)
        .current_dir(project())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = lines.find_map(|line| {
        let line = line.ok()?;
        Some(line.split_once("http://")?.1.to_owned())
    });
    // What it says later must not block it.
    std::thread::spawn(move || lines.for_each(drop));
    (Station(child), format!("http://{}", line.unwrap()))
}

/// Ctrl-C, and how it ended.
fn interrupt(mut station: Station) -> bool {
    let id = station.0.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    station.0.wait().unwrap().success()
}

#[test]
fn from_the_first_start_to_a_ruling() {
    let Some(browser) = on_path(&["chromium", "chromium-browser", "google-chrome"]) else {
        println!("skipped: no chromium on the path");
        return;
    };
    let Some(node) = on_path(&["node"]) else {
        println!("skipped: no node on the path");
        return;
    };
    if !project().join("page/node_modules/playwright-core").is_dir() {
        println!("skipped: the page's packages are not installed (npm ci in page/)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // Set to keep the pictures.
    let pictures = std::env::var_os("ADOUBE_TEST_PICTURES")
        .map_or_else(|| folder.path().join("pictures"), PathBuf::from);
    let blank = folder.path().join("blank");
    std::fs::create_dir_all(&blank).unwrap();
    std::fs::copy(
        project().join("tests/data/report/grey.jpg"),
        blank.join("1.jpg"),
    )
    .unwrap();
    let data = folder.path().join("data");
    let nothing = format!("Nothing={}", blank.display());
    let (station, address) = start(
        &data,
        &[
            "--board",
            "Board 1=tests/data/touch-move.mp4",
            "--board",
            &nothing,
        ],
    );
    let status = Command::new(node)
        .arg(project().join("page/test/station.mjs"))
        .arg(browser)
        .arg(&address)
        .arg(&pictures)
        .status()
        .unwrap();
    assert!(status.success());
    assert!(interrupt(station), "it did not end well");
    let checked = check(&data).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
    assert!(checked.incidents >= 1, "no frames were kept");
    // Again: nobody needs a code, and what was ruled is there.
    let (station, address) = start(&data, &["--board", &nothing]);
    assert!(!address.contains("code"), "{address}");
    assert!(interrupt(station));
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
