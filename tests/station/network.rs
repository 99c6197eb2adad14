//! The station on a network: TLS with its own certificate, and whatever else may arrive at a port.

use std::{
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    process::{Command, Output},
    time::Duration,
};

use crate::station::{Station, no_board};
use adoube::station::store::check::check;

/// curl, which scripts/setup installs.
fn curl(arguments: &[&str]) -> Output {
    let always = [
        "--silent",
        "--show-error",
        "--max-time",
        "60",
        "--noproxy",
        "*",
    ];
    Command::new("curl")
        .args(always)
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn others_on_the_network_are_served_by_tls() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let nothing = no_board(folder.path());
    let started = || Station::start(&data, &["--board", &nothing, "--tls"]);
    let station = started();
    assert!(
        station.address.starts_with("https://"),
        "{}",
        station.address
    );
    let fingerprint = station.line("fingerprint is");
    let certificate = data.join("tls/certificate.pem");
    let certificate = certificate.to_str().unwrap();
    let health = format!("https://{}/healthz", station.host());
    // Nobody knows it yet; who does gets through, with nothing said about it.
    assert!(!curl(&[&health]).status.success());
    let known = curl(&["--cacert", certificate, &health]);
    assert!(known.status.success(), "{}", text(&known.stderr));
    assert!(text(&known.stdout).contains("\"ok\""));
    let plain = curl(&[&format!("http://{}/healthz", station.host())]);
    assert!(!plain.status.success(), "{}", text(&plain.stdout));
    // The session's cookie is for TLS alone.
    let code = station.address.split_once("code=").unwrap().1.to_owned();
    let claim = format!(r#"{{"code":"{code}","name":"anna","password":"three words will do"}}"#);
    let address = format!("https://{}/api/claim", station.host());
    let json = "content-type: application/json";
    let claimed = curl(&[
        "--cacert",
        certificate,
        "-i",
        "-H",
        json,
        "-d",
        &claim,
        &address,
    ]);
    let claimed = text(&claimed.stdout).to_lowercase();
    assert!(
        claimed.contains("set-cookie: __host-adoube_session="),
        "{claimed}"
    );
    assert!(claimed.contains("; secure"), "{claimed}");
    assert!(station.interrupt());
    // The next time it is the same one.
    let station = started();
    assert_eq!(station.line("fingerprint is"), fingerprint);
    assert!(station.interrupt());
}

#[test]
fn what_would_be_read_on_its_way_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let nothing = no_board(folder.path());
    let run = |more: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_adoube"))
            .args(["serve", "--board", &nothing])
            .args(more)
            .current_dir(folder.path())
            .output()
            .unwrap();
        (out.status.code(), text(&out.stderr))
    };
    for (more, said) in [
        (&["--listen", "0.0.0.0"][..], "needs TLS"),
        (&["--listen", "192.168.1.20"], "add --tls"),
        (&["--certificate", "c.pem"], "--private-key"),
        (&["--listen", "somewhere"], "--listen"),
    ] {
        let (code, stderr) = run(more);
        assert!(code.is_some_and(|c| c > 0), "{more:?}: {stderr}");
        assert!(stderr.contains(said), "{more:?}: {stderr}");
    }
    assert!(!folder.path().join("adoube-data").exists());
}

/// What comes back for bytes that are sent to a port, until it is closed or nothing more comes.
fn raw(host: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(host).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(3)))
        .unwrap();
    // It may close before all of it is sent.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(n @ 1..) = stream.read(&mut buffer) {
        answer.extend_from_slice(&buffer[..n]);
    }
    text(&answer)
}

fn is_well(station: &Station) -> bool {
    let health = format!("http://{}/healthz", station.host());
    text(&curl(&[&health]).stdout).contains("\"ok\"")
}

#[test]
fn whatever_arrives_the_station_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let station = Station::start(
        &folder.path().join("data"),
        &["--board", &no_board(folder.path())],
    );
    let host = station.host();
    let post = |headers: &str, body: &str| {
        format!(
            "POST /api/login HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{headers}\r\n\r\n{body}"
        )
    };
    let long = "x".repeat(100_000);
    let chunks = format!(
        "{}0\r\n\r\n",
        format!("400\r\n{}\r\n", "x".repeat(1024)).repeat(200)
    );
    for (what, bytes, said) in [
        ("noise", "\u{1}\u{2}\u{3}\r\n\r\n".to_owned(), "400"),
        (
            "TLS at a plain port",
            "\u{16}\u{3}\u{1}\u{2}\u{0}\r\n\r\n".to_owned(),
            "400",
        ),
        ("no host", "GET /api/me HTTP/1.1\r\n\r\n".to_owned(), "200"),
        (
            "another site's name",
            "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n".to_owned(),
            "421",
        ),
        (
            "a long line",
            format!("GET /{long} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
            "4",
        ),
        (
            "long headers",
            format!(
                "GET / HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n",
                long.repeat(8)
            ),
            "431",
        ),
        (
            "a huge body, said",
            post("Content-Length: 99999999999", ""),
            "413",
        ),
        (
            "a huge body in chunks",
            post("Transfer-Encoding: chunked", &chunks),
            "413",
        ),
        ("a negative length", post("Content-Length: -1", "{}"), "400"),
        (
            "two lengths",
            post("Content-Length: 2\r\nContent-Length: 3", "{}"),
            "400",
        ),
        ("half a body", post("Content-Length: 50", "{\"name\":"), ""),
        (
            "a way out",
            format!("GET /assets/../../Cargo.toml HTTP/1.1\r\nHost: {host}\r\n\r\n"),
            "404",
        ),
        (
            "a way out, encoded",
            format!("GET /assets/%2e%2e%2fCargo.toml HTTP/1.1\r\nHost: {host}\r\n\r\n"),
            "404",
        ),
        (
            "an absolute file",
            format!("GET /assets/%2fetc%2fpasswd HTTP/1.1\r\nHost: {host}\r\n\r\n"),
            "404",
        ),
        (
            "a null",
            format!("GET /assets/%00 HTTP/1.1\r\nHost: {host}\r\n\r\n"),
            "404",
        ),
        (
            "no UTF-8",
            format!("GET /assets/%ff HTTP/1.1\r\nHost: {host}\r\n\r\n"),
            "400",
        ),
    ] {
        let answer = raw(host, bytes.as_bytes());
        let wanted = if said.is_empty() {
            String::new()
        } else {
            format!("HTTP/1.1 {said}")
        };
        assert!(answer.starts_with(&wanted), "{what}: {answer}");
        assert!(!answer.contains("HTTP/1.1 5"), "{what}: {answer}");
    }
    assert!(is_well(&station));
    // Many that say nothing hold up nobody.
    let idle: Vec<TcpStream> = (0..200)
        .map(|_| TcpStream::connect(host).unwrap())
        .collect();
    assert!(is_well(&station));
    drop(idle);
    assert!(station.interrupt());
}

#[test]
fn names_cannot_lead_out_of_the_data_folder() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let source = no_board(folder.path());
    let blank = source.split_once('=').unwrap().1;
    let tricks = [
        "../../outside",
        "/tmp/outside",
        "a\u{202e}b",
        "<script>alert(1)</script>",
        "a/../b",
        "'; DROP TABLE boards; --",
    ];
    let boards: Vec<String> = tricks
        .iter()
        .map(|name| format!("{name}={blank}"))
        .collect();
    let arguments: Vec<&str> = boards
        .iter()
        .flat_map(|b| ["--board", b.as_str()])
        .collect();
    let station = Station::start(&data, &arguments);
    assert!(is_well(&station));
    assert!(station.interrupt());
    let known = |p: &Path| {
        let name = p.file_name().unwrap().to_str().unwrap().to_owned();
        name == "data" || name == "blank"
    };
    let beside = std::fs::read_dir(folder.path()).unwrap();
    assert!(beside.map(|e| e.unwrap().path()).all(|p| known(&p)));
    assert!(!Path::new("/tmp/outside").exists());
}

/// Where Debian puts the library that lies about the time.
fn faketime() -> Option<String> {
    let path = format!(
        "/usr/lib/{}-linux-gnu/faketime/libfaketime.so.1",
        std::env::consts::ARCH
    );
    Path::new(&path).exists().then_some(path)
}

#[test]
fn a_clock_that_is_set_back_moves_nothing_while_it_runs() {
    let Some(library) = faketime() else {
        println!("skipped: faketime is not installed");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (data, jar, offset) = (
        folder.path().join("data"),
        folder.path().join("jar"),
        folder.path().join("offset"),
    );
    std::fs::write(&offset, "+0").unwrap();
    let environment = [
        ("LD_PRELOAD", library.as_str()),
        ("FAKETIME_TIMESTAMP_FILE", offset.to_str().unwrap()),
        ("FAKETIME_NO_CACHE", "1"),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
    ];
    let nothing = no_board(folder.path());
    let started = || Station::start_in(&data, &["--board", &nothing], &environment);
    let jar = jar.to_str().unwrap();
    let ask = |station: &Station, path: &str, body: Option<&str>| {
        let address = format!("http://{}{path}", station.host());
        let mut arguments = vec![
            "-c",
            jar,
            "-b",
            jar,
            "-H",
            "content-type: application/json",
            &address,
        ];
        arguments.extend(body.iter().flat_map(|b| ["-d", *b]));
        let answer = curl(&arguments).stdout;
        serde_json::from_slice::<serde_json::Value>(&answer).unwrap_or_default()
    };
    let station = started();
    let code = station.address.split_once("code=").unwrap().1.to_owned();
    let claim = format!(r#"{{"code":"{code}","name":"anna","password":"three words will do"}}"#);
    ask(&station, "/api/claim", Some(&claim));
    std::fs::write(&offset, "-3h").unwrap();
    // The session goes on, and what is logged comes after what was.
    let login = r#"{"name":"anna","password":"three words will do"}"#;
    assert_eq!(ask(&station, "/api/login", Some(login))["name"], "anna");
    let times = |station: &Station| -> Vec<f64> {
        let log = ask(station, "/api/log?after=0", None);
        let rows = log.as_array().unwrap();
        rows.iter().map(|e| e["at_ms"].as_f64().unwrap()).collect()
    };
    let before = times(&station);
    assert!(before.len() >= 4 && before.is_sorted(), "{before:?}");
    assert!(station.interrupt());
    // Started again by a clock that is behind, it says when by that clock, and loses nothing.
    let station = started();
    let after = times(&station);
    assert_eq!(after[..before.len()], before);
    assert!(after.last() < before.last(), "{after:?}");
    assert!(station.interrupt());
    assert_eq!(check(&data).unwrap().faults, Vec::<String>::new());
}
