use super::*;
use crate::{
    record::{Incident, Player, Severity},
    rules::Language,
};

fn record(json: &str) -> Record {
    serde_json::from_str(json).unwrap()
}

/// A touch-move breach as a run would report it.
fn touch_move() -> Record {
    record(include_str!("../../../tests/data/report/touch-move.json"))
}

const ENGLISH: Words = Words::new(Language::English);

fn page(record: &Record, video_name: &str, notes: &[String]) -> String {
    page_in(ENGLISH, record, video_name, notes)
}

fn page_in(words: Words, record: &Record, video_name: &str, notes: &[String]) -> String {
    let evidence: Vec<Picture> = [Shows::Before, Shows::Touch, Shows::After]
        .into_iter()
        .enumerate()
        .map(|(i, shows)| Picture {
            incident: 0,
            shows,
            ms: 1500.0 + 700.0 * i as f64,
            jpeg: vec![0xff, 0xd8, 0xff, 0xd9],
        })
        .collect();
    render(&Findings {
        record,
        words,
        video_name,
        evidence: &evidence,
        notes,
        models: &[("pieces.onnx".to_owned(), "00ff".to_owned())],
        frames_per_second: 61.0,
        clips: &[(0, "clips/incident-1.mp4".to_owned())],
        organiser: None,
    })
}

/// What a reader sees, a block a line.
fn text(page: &str) -> String {
    let body = page.split_once("<main>").unwrap().1;
    let body = body.split_once("<dialog").unwrap().0;
    let mut out = String::new();
    let mut inside = false;
    let mut tag = String::new();
    for c in body.chars() {
        match c {
            '<' => {
                inside = true;
                tag.clear();
            }
            '>' => {
                inside = false;
                let name = tag.split([' ', '/']).find(|s| !s.is_empty());
                let flows = matches!(name, Some("b" | "i" | "span" | "em" | "code" | "time"));
                if !flows && !out.ends_with('\n') {
                    out.push('\n');
                }
            }
            c if inside => tag.push(c),
            c => out.push(c),
        }
    }
    out.lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
        .replace(env!("CARGO_PKG_VERSION"), "[version]")
}

#[test]
fn says_what_happened() {
    insta::assert_snapshot!(text(&page(
        &touch_move(),
        "touch-move.mp4",
        &["the farthest squares are only 22 pixels wide".to_owned()]
    )));
}

#[test]
fn says_that_nothing_happened() {
    let mut quiet = touch_move();
    quiet.incidents.clear();
    quiet.contacts.clear();
    quiet.moves.clear();
    let page = page(&quiet, "quiet.mp4", &[]);
    assert!(page.contains("0 moves, no incident."));
    assert!(page.contains(&ENGLISH.get("no-incident")));
    assert!(page.contains(&ENGLISH.get("no-contact")));
}

#[test]
fn hostile_text_stays_text() {
    let evil = "</script><img src=x onerror=alert(1)>\"'&.mp4";
    let mut bad = touch_move();
    bad.laws = evil.to_owned();
    bad.incidents[0].article = evil.to_owned();
    bad.incidents[0].explanation = vec![evil.to_owned()];
    bad.incidents[0].kind = evil.to_owned();
    bad.moves[0].san = evil.to_owned();
    bad.contacts[0].square = Some(evil.to_owned());
    bad.contacts[0].piece = evil.to_owned();
    let page = page(&bad, evil, &[evil.to_owned()]);
    assert!(!page.contains("<img src=x"), "an element got in");
    let scripts = page.matches("</script>").count();
    assert_eq!(scripts, 2, "a script element was ended early");
}

#[test]
fn nothing_is_fetched() {
    let page = page(&touch_move(), "a.mp4", &[]);
    for outside in ["http:", "https:", "src=\"/", "@import", "url(/", "//cdn"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn an_illegal_move_stands_on_the_board() {
    let mut odd = touch_move();
    odd.moves[0].uci = "f3f6".to_owned();
    odd.moves[0].legal = false;
    let plies = plies::plies(&odd);
    let fens: Vec<String> = plies.iter().map(|p| p.board.to_string()).collect();
    assert_eq!(
        fens[1],
        "r1bqk1nr/pppp1ppp/2n2N2/2b1p3/2B1P3/8/PPPP1PPP/RNBQK2R"
    );
    // Black's answer is legal in what stands: the knight takes.
    assert_eq!(
        fens[2],
        "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/8/PPPP1PPP/RNBQK2R"
    );
}

#[test]
fn a_long_game_stays_small_and_short() {
    let mut long = touch_move();
    let (contacts, moves) = (long.contacts.clone(), long.moves.clone());
    long.contacts.clear();
    long.moves.clear();
    for turn in 0..150_u32 {
        let later = f64::from(turn) * 120_000.0;
        for c in &contacts {
            let mut c = c.clone();
            c.id += 3 * turn;
            c.touch_ms += later;
            c.release_ms += later;
            c.lift_ms = c.lift_ms.map(|t| t + later);
            c.place_ms = c.place_ms.map(|t| t + later);
            long.contacts.push(c);
        }
        let mut m = moves[0].clone();
        m.made_ms += later;
        m.uci = ["d2d3", "g8f6", "f3g1", "f6g8"][turn as usize % 4].to_owned();
        long.moves.push(m);
    }
    long.frames = 540_000;
    let page = page(&long, "long.mp4", &[]);
    assert!(page.len() < 600_000, "{} bytes", page.len());
    let width: f64 = page
        .split_once("style=\"--w:")
        .and_then(|(_, rest)| rest.split_once(';'))
        .unwrap()
        .0
        .parse()
        .unwrap();
    assert!(width < 1500.0, "{width} drawn seconds for five hours");
    assert!(page.contains("class=\"overview\""));
}

#[test]
fn unlikely_findings_are_folded_away() {
    let mut record = touch_move();
    record.incidents.push(Incident {
        kind: "two_hands".to_owned(),
        player: Player::Black,
        ms: 7000.0,
        article: "4.1".to_owned(),
        contact: None,
        obliged: Vec::new(),
        probability: Some(0.1),
        severity: Some(Severity::Log),
        explanation: Vec::new(),
    });
    let page = page(&record, "a.mp4", &[]);
    assert!(page.contains("1 incident: White touched the knight on b1 and played d3."));
    let (_, folded) = page.split_once(&ENGLISH.get("logged")).unwrap();
    assert!(folded.contains("Black used both hands"));
}

#[test]
fn a_german_report_has_no_english_left() {
    let german = page_in(Words::new(Language::German), &touch_move(), "a.mp4", &[]);
    assert!(german.contains("<html lang=\"de\">"));
    let seen = text(&german);
    assert!(
        seen.contains("Weiß berührte den Springer auf b1 und zog d3"),
        "{seen}"
    );
    assert!(
        seen.contains("2 Halbzüge, 1 Vorfall") && seen.contains("0:02,0"),
        "{seen}"
    );
    let english = text(&page(&touch_move(), "a.mp4", &[]));
    // Names, and what is written alike in both languages.
    let alike = |line: &str| !line.chars().any(char::is_lowercase) || line.contains(".onnx");
    let sans = ["d3", "Nf6", "Na3, Nc3"];
    let left: Vec<&str> = english
        .lines()
        .filter(|line| !alike(line) && !sans.iter().any(|san| line.contains(san)))
        .filter(|line| line.contains(' ') && seen.lines().any(|other| other == *line))
        .collect();
    assert_eq!(left, [""; 0]);
}
