//! The examples in `docs/api.md` are run as they stand there.

use opencv::core::{CV_8UC3, Mat, Scalar};

use super::*;
use crate::station::live;

const DOCUMENT: &str = include_str!("../../../../docs/api.md");

/// A fenced block: its language and its lines.
fn blocks() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, Vec<&str>)> = None;
    for line in DOCUMENT.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(language)) => open = Some((language, Vec::new())),
            (Some((_, lines)), None) => lines.push(line),
            (None, None) => {}
        }
    }
    blocks
}

/// The commands of a block, each on one line.
fn commands(lines: &[&str]) -> Vec<String> {
    let whole = lines.join("\n").replace("\\\n", " ");
    whole.lines().map(str::to_owned).collect()
}

/// Words as a shell parts them, as far as the examples need it.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in command.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            (None, ' ') => words.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
            _ => word.push(c),
        }
    }
    words.push(word);
    words
}

/// Whether an answer has all that is expected; a string `$NAME` is whatever is there, and is kept.
fn has(got: &Value, expected: &Value, kept: &mut HashMap<String, String>) -> bool {
    match (got, expected) {
        (Value::String(got), Value::String(name)) if name.starts_with('$') => {
            kept.insert(name.clone(), got.clone());
            true
        }
        (Value::Object(got), Value::Object(expected)) => expected
            .iter()
            .all(|(k, v)| got.get(k).is_some_and(|g| has(g, v, kept))),
        (Value::Array(got), Value::Array(expected)) => {
            (expected.is_empty() == got.is_empty() || !expected.is_empty())
                && expected.len() <= got.len()
                && got.iter().zip(expected).all(|(g, e)| has(g, e, kept))
        }
        _ => got == expected,
    }
}

/// What `curl` would do, with its files of cookies.
struct Curl<'a> {
    rig: &'a Rig,
    jars: HashMap<String, String>,
}

impl Curl<'_> {
    async fn run(&mut self, command: &str) -> (StatusCode, String) {
        let words = words(command);
        let mut words = words.iter().map(String::as_str);
        assert_eq!(words.next(), Some("curl"), "{command}");
        let mut asked = request(Method::GET, "/", None, None);
        let mut save = None;
        while let Some(word) = words.next() {
            let mut next = || words.next().unwrap();
            match word {
                "-N" => {}
                "-o" => {
                    next();
                }
                "-X" => *asked.method_mut() = next().parse().unwrap(),
                "-c" => save = Some(next().to_owned()),
                "-b" => {
                    let cookie = self.jars[next()].parse().unwrap();
                    asked.headers_mut().insert(header::COOKIE, cookie);
                }
                "-H" => {
                    let (name, value) = next().split_once(": ").unwrap();
                    let name: header::HeaderName = name.parse().unwrap();
                    asked.headers_mut().insert(name, value.parse().unwrap());
                }
                "-d" => {
                    if asked.method() == Method::GET {
                        *asked.method_mut() = Method::POST;
                    }
                    *asked.body_mut() = Body::from(next().to_owned());
                }
                address => {
                    let path = address.strip_prefix("$STATION").unwrap();
                    *asked.uri_mut() = path.parse().unwrap();
                }
            }
        }
        let (status, headers, bytes) = self.rig.ask(asked).await;
        if let Some(jar) = save {
            let cookie = headers[header::SET_COOKIE].to_str().unwrap();
            let cookie = cookie.split(';').next().unwrap().to_owned();
            self.jars.insert(jar, cookie);
        }
        (status, String::from_utf8_lossy(&bytes).into_owned())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_examples_in_the_document_do_what_it_says() {
    let rig = Rig::new();
    rig.board();
    corrections::knight_touched(&rig);
    let grey = Scalar::all(90.0);
    let picture = Mat::new_rows_cols_with_default(120, 160, CV_8UC3, grey).unwrap();
    let jpeg = live::jpeg(&picture).unwrap().into();
    let board = rig.app.common.hub.board(1).unwrap();
    board.show(Picture { t_ms: 1.0, jpeg });
    // In its worker's place.
    std::thread::spawn(move || {
        while Arc::strong_count(&board) > 1 {
            if let Some(order) = board.told() {
                order.answer(Ok(()));
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    });
    // The event stream does not end by itself.
    rig.stop.send(true).unwrap();
    let mut curl = Curl {
        rig: &rig,
        jars: HashMap::new(),
    };
    let mut kept: HashMap<String, String> = HashMap::new();
    let (mut ran, mut last) = (0, (StatusCode::OK, String::new()));
    let blocks = blocks();
    for (index, (language, lines)) in blocks.iter().enumerate() {
        match *language {
            "sh" => {
                let commands = commands(lines);
                let answer = blocks.get(index + 1).map(|b| b.1.join(" "));
                let refused = answer.is_some_and(|a| a.starts_with("{\"error\""));
                for (k, command) in commands.iter().enumerate() {
                    let mut command = command.clone();
                    for (name, value) in &kept {
                        command = command.replace(name, value);
                    }
                    last = curl.run(&command).await;
                    ran += 1;
                    let refusal = refused && k + 1 == commands.len();
                    let (status, said) = &last;
                    assert_eq!(status.is_client_error(), refusal, "{command}: {said}");
                    assert!(!status.is_server_error(), "{command}: {said}");
                }
            }
            "json" => {
                let got: Value = serde_json::from_str(&last.1).unwrap();
                let expected: Value = serde_json::from_str(&lines.join(" ")).unwrap();
                assert!(has(&got, &expected, &mut kept), "{got}\nhas not {expected}");
            }
            "text" => {
                for line in lines {
                    assert!(last.1.lines().any(|l| l == *line), "{line}: {}", last.1);
                }
            }
            other => panic!("a block of {other}"),
        }
    }
    assert!(ran >= 25, "only {ran} examples were found");
}
