//! Sources as they are in a hall: a recording, and a network camera that freezes, dies and returns.
//! The camera is GStreamer's RTSP server; without it those tests say that they are skipped.

use std::{
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, atomic::Ordering},
    time::Duration,
};

use crate::camera::{self, free_port};
use adoube::{
    media,
    station::{
        clock::Clock,
        live::{Counts, Live, LiveFrame, Silence},
        source::Source,
    },
};

const PATIENCE: Duration = Duration::from_millis(200);

struct Camera {
    child: Child,
    port: u16,
}

impl Camera {
    /// None where GStreamer's server is not installed.
    fn start(port: u16) -> Option<Self> {
        if !camera::is_there() {
            return None;
        }
        let mut child = Command::new(camera::PYTHON)
            .arg(camera::SERVER)
            .arg(port.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut said).unwrap();
        assert_eq!(said, "ready\n");
        Some(Self { child, port })
    }

    fn source(&self) -> Source {
        let address = format!("rtsp://anna:secret@127.0.0.1:{}/camera", self.port);
        address.parse().unwrap()
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status().unwrap();
        assert!(sent.success());
    }
}

impl Drop for Camera {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A reader, its counts, and the times of all frames that it captured.
fn open(source: &Source) -> (Live, Arc<Counts>, Arc<Mutex<Vec<f64>>>) {
    let counts = Arc::new(Counts::default());
    let times = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&times);
    let sink = Box::new(move |frame: &LiveFrame| seen.lock().unwrap().push(frame.t_ms));
    let live = Live::open(source, Clock::start(), Arc::clone(&counts), sink);
    (live, counts, times)
}

fn next_frame(live: &Live) -> LiveFrame {
    loop {
        if let Ok(frame) = live.next(PATIENCE) {
            return frame;
        }
    }
}

fn until_lost(live: &Live) -> String {
    loop {
        if let Err(Silence::Lost(why)) = live.next(PATIENCE) {
            return why;
        }
    }
}

#[test]
fn a_camera_that_freezes_dies_and_returns_is_followed() {
    let Some(camera) = Camera::start(free_port()) else {
        return;
    };
    let (live, counts, times) = open(&camera.source());
    let first = next_frame(&live);
    assert!(first.jpeg.starts_with(&[0xff, 0xd8]));
    assert!(next_frame(&live).t_ms > first.t_ms);

    camera.signal("-STOP");
    let why = until_lost(&live);
    assert!(!why.contains("secret") && !why.contains("anna"), "{why}");
    camera.signal("-CONT");
    next_frame(&live);

    let port = camera.port;
    drop(camera);
    until_lost(&live);
    let camera = Camera::start(port).unwrap();
    next_frame(&live);
    drop(live);
    drop(camera);
    assert!(counts.lost.load(Ordering::Relaxed) >= 1);
    let times = times.lock().unwrap();
    assert!(times.windows(2).all(|t| t[0] < t[1]), "time went back");
}

#[test]
fn who_looks_seldom_gets_the_newest_frame_and_the_others_are_counted() {
    let Some(camera) = Camera::start(free_port()) else {
        return;
    };
    let (live, counts, times) = open(&camera.source());
    next_frame(&live);
    while counts.captured.load(Ordering::Relaxed) < 30 {
        std::thread::sleep(PATIENCE);
    }
    let newest = next_frame(&live);
    let (captured, dropped) = (
        counts.captured.load(Ordering::Relaxed),
        counts.dropped.load(Ordering::Relaxed),
    );
    assert!(
        dropped >= 20 && dropped < captured,
        "{dropped} of {captured}"
    );
    let times = times.lock().unwrap();
    let later = times.iter().filter(|t| **t > newest.t_ms).count();
    assert!(later < 5, "{later} frames had come after it");
}

#[test]
fn a_camera_that_is_not_there_is_said_to_be_lost() {
    let address = format!("rtsp://anna:secret@127.0.0.1:{}/x", free_port());
    let (live, counts, _) = open(&address.parse().unwrap());
    let why = until_lost(&live);
    assert!(
        why.contains("does not answer") && !why.contains("secret"),
        "{why}"
    );
    while counts.lost.load(Ordering::Relaxed) < 2 {
        std::thread::sleep(PATIENCE);
    }
    let (live, _, _) = open(&"/dev/video250".parse().unwrap());
    assert!(until_lost(&live).contains("/dev/video250"));
}

#[test]
fn a_recording_is_played_whole_at_its_own_pace() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/touch-move.mp4");
    let mut file = media::open(&path).unwrap();
    let mut expected = Vec::new();
    while let Some(frame) = file.next_frame().unwrap() {
        expected.push(frame.t_ms);
    }
    let clock = Clock::start();
    let begun_ms = clock.now_ms();
    let (live, counts, _) = open(&path.to_str().unwrap().parse().unwrap());
    let mut got = Vec::new();
    loop {
        match live.next(PATIENCE) {
            Ok(frame) => got.push(frame.t_ms),
            Err(Silence::Ended) => break,
            Err(Silence::Waiting) => {}
            Err(Silence::Lost(why)) => panic!("{why}"),
        }
    }
    assert_eq!(got.len(), expected.len());
    assert_eq!(counts.dropped.load(Ordering::Relaxed), 0);
    let length = |times: &[f64]| times[times.len() - 1] - times[0];
    assert!((length(&got) - length(&expected)).abs() < 0.01);
    assert!(clock.now_ms() - begun_ms >= length(&expected));
}
