//! The commands that need the rules alone, as they are called.

use std::io::Write;
use std::process::{Command, Output};

fn adoube(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_adoube"))
        .args(args)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_case_file_is_judged_and_bad_rows_are_named() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let good = |id: &str, verdict: &str| {
        format!(
            r#"{{"id":"{id}","editions":["FIDE2009","FIDE2023"],"time":"any","unknown":1,
            "fen":"6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1","events":"touch w e1; ?; move w a1a8",
            "verdict":"{verdict}"}}"#
        )
        .replace('\n', " ")
    };
    let bad = [
        "{",
        r#"{"id":"b","editions":["FIDE1066"],"fen":"8/8/8/8/8/8/8/8 w - - 0 1","events":""}"#,
        r#"{"id":"c","editions":["FIDE2023"],"fen":"8/8/8/8/8/8/8/8 w - - 0 1","events":""}"#,
        r#"{"id":"d","editions":["FIDE2023"],"fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1","events":"touch w e9"}"#,
        r#"{"id":"e","editions":["FIDE2023"],"fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1","events":"lift w e3"}"#,
        r#"{"id":"f","editions":["FIDE2023"],"supervision":"none","fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1","events":"touch w e1"}"#,
    ];
    writeln!(file, "{}", good("a", "violation")).unwrap();
    for line in bad {
        writeln!(file, "{line}").unwrap();
    }
    writeln!(file, "\n{}", good("z", "violation")).unwrap();
    let path = file.path().to_str().unwrap();

    let json = adoube(&["adjudicate", path, "--json"]);
    assert_eq!(json.status.code(), Some(1));
    let lines: Vec<serde_json::Value> = text(&json.stdout)
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let short: Vec<String> = lines
        .iter()
        .map(|l| {
            format!(
                "{} {} {} {}",
                l["id"], l["edition"], l["verdict"], l["article"]
            )
        })
        .collect();
    let wanted = [
        r#""a" "FIDE2009" "game_over" "5.1(a)""#,
        r#""a" "FIDE2023" "violation" "4.3.1, 5.1.1""#,
        r#""z" "FIDE2009" "game_over" "5.1(a)""#,
        r#""z" "FIDE2023" "violation" "4.3.1, 5.1.1""#,
    ];
    assert_eq!(short, wanted);
    assert_eq!(lines[0]["obligation"].as_array().unwrap().len(), 6);
    let errors = text(&json.stderr);
    for line in 2..=7 {
        assert!(errors.contains(&format!("line {line}: ")), "{errors}");
    }
    for place in ["column 8", "supervision: unknown supervision: \"none\""] {
        assert!(errors.contains(place), "{place}: {errors}");
    }

    let table = text(&adoube(&["adjudicate", path]).stdout);
    assert_eq!(
        table.matches("! expected verdict violation").count(),
        2,
        "{table}"
    );
    assert!(
        table.contains("as expected: 4 obligations, 2 verdicts"),
        "{table}"
    );
}

#[test]
fn a_position_is_explained() {
    let fen = "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1";
    let english = adoube(&["explain", "--fen", fen, "touch w d5; ?; move w e1e2"]);
    assert!(english.status.success());
    let english = text(&english.stdout);
    for part in [
        "[p]",
        "c4d5, e4d5",
        "Article 4.3.2",
        "fide-2023 violation: 4.3.2",
    ] {
        assert!(english.contains(part), "{part}: {english}");
    }
    let args = [
        "explain",
        "--fen",
        fen,
        "--lang",
        "de",
        "--laws",
        "fide-1997de",
        "touch w d5",
    ];
    let german = text(&adoube(&args).stdout);
    assert!(
        german.contains("Artikel 4.3 a): die Figur kann geschlagen werden"),
        "{german}"
    );
    let wrong = adoube(&[
        "explain",
        "--fen",
        "4k3/8/8/8/8/8/8/8 w - - 0 1",
        "touch w e1",
    ]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(text(&wrong.stderr).contains("column 0: each player needs one king"));
}

/// `adoube explain ... | head -1`: who reads no further gets no panic.
#[test]
fn a_reader_that_leaves_early_is_no_panic() {
    let mut run = Command::new(env!("CARGO_BIN_EXE_adoube"))
        .args(["adjudicate", "--json", "tests/data/rules_cases.jsonl"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(run.stdout.take());
    let left = run.wait_with_output().unwrap();
    assert!(
        !text(&left.stderr).contains("panicked"),
        "{}",
        text(&left.stderr)
    );
}
