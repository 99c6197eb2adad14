//! The report in a real browser: Chromium, headless. Skipped with a message where there is none.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use adoube::{
    record::Record,
    review::{
        report::{Findings, Picture, Shows, render},
        words::Words,
    },
};

/// A small grey JPEG.
const GREY: &[u8] = include_bytes!("../data/report/grey.jpg");

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
    let record: Record =
        serde_json::from_str(include_str!("../data/report/touch-move.json")).unwrap();
    let evidence = [Shows::Before, Shows::Touch, Shows::After].map(|shows| Picture {
        incident: 0,
        shows,
        ms: 2000.0,
        jpeg: GREY.to_vec(),
    });
    let html = render(&Findings {
        record: &record,
        words: Words::default(),
        video_name: "touch-move.mp4",
        evidence: &evidence,
        notes: &[],
        models: &[],
        frames_per_second: 60.0,
        clips: &[],
        organiser: None,
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

/// Does what a reader does and puts what came of it into the title.
const READER: &str = r##"<script>addEventListener('load', () => {
  const seen = [], see = (what) => seen.push(what), $ = (css) => document.querySelector(css);
  const key = (name, from = document.body) => from.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
  const ply = () => $('#board').dataset.ply;
  see('end ' + ply());
  key('ArrowLeft'); see('key ' + ply());
  $('[data-step=first]').click(); see('first ' + ply());
  $('[data-step="1"]').click(); see('forward ' + ply());
  $('.moves [data-ply="2"]').click(); see('list ' + ply());
  $('.mv[data-ply="1"]').click(); see('time ' + ply());
  const top = $('#board use[href="#p-r"]').getAttribute('y');
  $('[data-step=turn]').click(); see('turned ' + top + $('#board use[href="#p-r"]').getAttribute('y'));
  const wide = $('.track').clientWidth;
  $('[data-zoom="1.5"]').click(); see('zoom ' + ($('.track').clientWidth > wide));
  $('.ct').focus(); see('detail ' + $('#detail').textContent.includes('knight on b1'));
  $('[data-filter=left]').click(); see('filter ' + document.querySelectorAll('#contacts tbody tr:not([hidden])').length);
  $('[data-find]').click(); see('found ' + $('.ct.found').dataset.contact);
  $('.photo').click(); see('photo ' + $('dialog').open);
  key('ArrowRight', $('dialog')); see($('dialog p').textContent.slice(0, 23));
  document.title = seen.join('; ');
});</script>"##;

#[test]
fn buttons_keys_filters_and_pictures_answer() {
    let Some(browser) = chromium() else {
        println!("skipped: no chromium on the path");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let report = write_report(folder.path());
    let page = std::fs::read_to_string(&report).unwrap();
    // The page's own policy would rightly keep this test's script from running.
    let page = page.replace("Content-Security-Policy", "off") + READER;
    std::fs::write(&report, page).unwrap();
    let url = format!("file://{}", report.display());
    let (dom, console) = open(&browser, folder.path(), &url);
    assert!(!console.contains("CONSOLE"), "{console}");
    let (_, title) = dom.split_once("<title>").unwrap();
    let (title, _) = title.split_once("</title>").unwrap();
    assert_eq!(
        title.split("; ").collect::<Vec<_>>(),
        [
            "end 2",
            "key 1",
            "first 0",
            "forward 1",
            "list 2",
            "time 1",
            "turned 07",
            "zoom true",
            "detail true",
            "filter 1",
            "found 1",
            "photo true",
            "The board the touch, at",
        ]
    );
}

#[test]
fn a_foreign_script_does_not_run() {
    let Some(browser) = chromium() else {
        println!("skipped: no chromium on the path");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let report = write_report(folder.path());
    let page = std::fs::read_to_string(&report).unwrap();
    std::fs::write(&report, page + "<script>document.title = 'owned'</script>").unwrap();
    let url = format!("file://{}", report.display());
    let (dom, _) = open(&browser, folder.path(), &url);
    assert!(dom.contains("class=\"live\"") && !dom.contains("owned</title>"));
}
