//! The report in a real browser: Chromium, headless. Skipped with a message where there is none.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use adoube::{
    record::Record,
    review::report::{Findings, Picture, render},
};

/// A small grey JPEG.
const GREY: &[u8] = include_bytes!("data/report/grey.jpg");

fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|folder| {
            ["chromium", "chromium-browser", "google-chrome"].map(|n| folder.join(n))
        })
        .find(|p| p.is_file())
}

/// Writes the report of the touch-move clip.
fn write_report(folder: &Path) -> PathBuf {
    let record: Record = serde_json::from_str(include_str!("data/report/touch-move.json")).unwrap();
    let evidence = ["before", "the touch", "after"].map(|caption| Picture {
        incident: 0,
        caption: caption.to_owned(),
        ms: 2000.0,
        jpeg: GREY.to_vec(),
    });
    let html = render(&Findings {
        record: &record,
        video_name: "touch-move.mp4",
        evidence: &evidence,
        notes: &[],
        models: &[],
        frames_per_second: 60.0,
    });
    let path = folder.join("report.html");
    std::fs::write(&path, html).unwrap();
    path
}

/// The page as it stands after its script has run, and what the console said.
fn open(browser: &Path, folder: &Path, url: &str) -> (String, String) {
    let out = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
        ])
        .args([
            "--disable-sync",
            "--disable-quic",
            "--disable-dev-shm-usage",
        ])
        .arg("--enable-logging=stderr")
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .args(["--virtual-time-budget=3000", "--dump-dom"])
        .arg(url)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&out.stdout), text(&out.stderr))
}

/// The value of an attribute of the element with this id.
fn attribute<'a>(dom: &'a str, id: &str, name: &str) -> &'a str {
    let (_, element) = dom.split_once(&format!("id=\"{id}\"")).unwrap();
    let (element, _) = element.split_once('>').unwrap();
    let (_, value) = element.split_once(&format!("{name}=\"")).unwrap();
    value.split_once('"').unwrap().0
}

#[test]
fn steps_without_a_word_on_the_console() {
    let Some(browser) = chromium() else {
        println!("skipped: no chromium on the path");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let report = write_report(folder.path());
    for (ply, name, pieces) in [
        (0, "Start position", "x=\"3\" y=\"6\""),
        (1, "4. d3  (0:04.6)", "x=\"3\" y=\"5\""),
        (2, "4\u{2026} Nf6  (0:07.1)", "x=\"5\" y=\"2\""),
    ] {
        let url = format!("file://{}#ply={ply}", report.display());
        let (dom, console) = open(&browser, folder.path(), &url);
        assert!(!console.contains("CONSOLE"), "{console}");
        assert!(dom.contains("class=\"live\""), "the script did not run");
        assert_eq!(attribute(&dom, "board", "data-ply"), ply.to_string());
        assert_eq!(
            attribute(&dom, "board", "aria-label"),
            format!("Board after {name}")
        );
        let (_, board) = dom.split_once("id=\"board\"").unwrap();
        let (board, _) = board.split_once("</svg>").unwrap();
        assert!(board.contains(pieces), "the moved piece is not at {pieces}");
        assert_eq!(board.matches("href=\"#p-").count(), 32);
    }
}

#[test]
fn script_and_page_draw_the_same_board() {
    let Some(browser) = chromium() else {
        println!("skipped: no chromium on the path");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let report = write_report(folder.path());
    let page = std::fs::read_to_string(&report).unwrap();
    let url = format!("file://{}", report.display());
    let (dom, _) = open(&browser, folder.path(), &url);
    let drawn = |html: &str| -> Vec<String> {
        let (_, board) = html.split_once("id=\"board\"").unwrap();
        let (board, _) = board.split_once("</svg>").unwrap();
        let mut elements: Vec<String> = board
            .split('<')
            .skip(1)
            .map(|e| {
                e.replace("></use>", "")
                    .trim_end_matches(['/', '>'])
                    .to_owned()
            })
            .filter(|e| e.starts_with("use ") || e.starts_with("rect ") || e.starts_with("circle "))
            .collect();
        elements.sort();
        elements
    };
    assert_eq!(drawn(&page), drawn(&dom));
}
