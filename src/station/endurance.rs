//! Fourteen hours of frames, as fast as they can be written, compressed and read: no gap, no memory
//! that grows, and at the frame of an event in a clip is what was captured then.
//!
//! `cargo test --release fourteen_hours -- --ignored --nocapture`; `ADOUBE_TEST_FPS` (30) sets the
//! frames a second.

use std::{
    fs,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use opencv::{
    core::{CV_8UC3, Mat, MatTraitConst, Rect, Scalar, Vec3b},
    imgproc,
};
use serde_json::Value;

use super::{
    Common, bundle,
    footage::{self, Recorder},
    footage_folder,
    hub::{Snapshot, State},
    keeper::{Keeper, Rule},
    live::{self, LiveFrame},
    store::games::TurnFound,
};
use crate::{
    events::Findings,
    media::{FrameSource, VideoFile},
    record::PlayedMove,
};

const HOURS: u32 = 14;
/// A picture shows its number: so many cells in a row, and rows, black or white.
const CELLS: (i32, i32) = (8, 3);
const CELL_PX: i32 = 20;

fn picture(number: u32) -> Mat {
    let (cols, rows) = (CELLS.0 * CELL_PX, CELLS.1 * CELL_PX);
    let mut image =
        Mat::new_rows_cols_with_default(rows, cols, CV_8UC3, Scalar::all(40.0)).unwrap();
    for bit in (0..CELLS.0 * CELLS.1).filter(|bit| number >> bit & 1 == 1) {
        let (x, y) = (bit % CELLS.0 * CELL_PX, bit / CELLS.0 * CELL_PX);
        let cell = Rect::new(x, y, CELL_PX, CELL_PX);
        imgproc::rectangle(&mut image, cell, Scalar::all(210.0), -1, 8, 0).unwrap();
    }
    image
}

fn number(image: &Mat) -> u32 {
    let lit = |bit: i32| {
        let (x, y) = (bit % CELLS.0 * CELL_PX, bit / CELLS.0 * CELL_PX);
        let half = CELL_PX / 2;
        image.at_2d::<Vec3b>(y + half, x + half).unwrap()[1] > 125
    };
    let bits = (0..CELLS.0 * CELLS.1).filter(|bit| lit(*bit));
    bits.fold(0, |number, bit| number | 1 << bit)
}

/// Memory of this process, MiB.
fn memory_mib() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|l| l.starts_with("VmRSS")).unwrap();
    let kib: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kib / 1024.0
}

/// The picture at the frame of a clip's only move, and the clip's times.
fn at_the_move(common: &Common, board: i64, t_ms: f64) -> (u32, Vec<f64>) {
    let span = (t_ms - 1500.0, t_ms + 1500.0);
    let made = bundle::export_clip(common, (board, "One"), span, "anna").unwrap();
    let mut archive = zip::ZipArchive::new(made.file).unwrap();
    let sidecar: Value = serde_json::from_reader(archive.by_name("clip.json").unwrap()).unwrap();
    let path = common.data.join("clip.mp4");
    let mut file = fs::File::create(&path).unwrap();
    std::io::copy(&mut archive.by_name("clip.mp4").unwrap(), &mut file).unwrap();
    let events = sidecar["events"].as_array().unwrap();
    let moved = events.iter().find(|e| e["what"] == "move").unwrap();
    let frame = moved["frame"].as_u64().unwrap();
    let mut video = VideoFile::open(&path).unwrap();
    for _ in 0..frame {
        video.next_frame().unwrap().unwrap();
    }
    let shown = number(&video.next_frame().unwrap().unwrap().image);
    let frames = sidecar["frames"].as_array().unwrap();
    let times = frames.iter().map(|f| f["t_ms"].as_f64().unwrap());
    (shown, times.collect())
}

/// A station in a folder, with one board, which nobody watches.
fn station(folder: &Path) -> (Arc<Common>, i64) {
    let common = Common::without_boards(folder);
    let board = common.store.board("One").unwrap();
    common.hub.add(Snapshot {
        id: board,
        name: "One".to_owned(),
        state: State::Playing,
        since_ms: 0.0,
        fen: String::new(),
        moves: Vec::new(),
        last: None,
        game: None,
        players: Default::default(),
        next: None,
        doubts: Vec::new(),
        not_recording: None,
        sign: None,
        space: None,
    });
    (common, board)
}

fn record(recorder: &mut Recorder, number: u32, t_ms: f64) {
    let image = picture(number);
    let jpeg = live::jpeg(&image).unwrap().into();
    let image = Arc::new(image);
    recorder.push(&LiveFrame { image, jpeg, t_ms }).unwrap();
}

fn play(common: &Common, game: i64, ply: u32, made_ms: f64) {
    let found = Findings {
        moves: vec![PlayedMove {
            uci: "d2d4".to_owned(),
            san: "d4".to_owned(),
            legal: true,
            made_ms,
            probability: None,
            completed_ms: None,
            inferred: false,
        }],
        ..Findings::default()
    };
    let turn = TurnFound {
        game,
        ply,
        zero_ms: 0.0,
        found: &found,
        before: "",
        after: "",
    };
    common.store.record_turn(&turn).unwrap();
}

/// Every frame is there at its time, and of some it is looked at what they show.
fn check_all(ring: &Path, frames: u32, fps: u32, time_of: impl Fn(u32) -> f64) {
    let all = footage::frames(ring, f64::NEG_INFINITY, f64::INFINITY).unwrap();
    assert_eq!(all.len(), frames as usize);
    for (n, kept) in (0..).zip(&all) {
        assert!((kept.t_ms - time_of(n)).abs() < 0.01, "a gap at frame {n}");
    }
    for (n, kept) in (0..).zip(&all).step_by(997 * fps as usize) {
        let jpeg = opencv::core::Vector::from_slice(&kept.read().unwrap());
        let image = opencv::imgcodecs::imdecode(&jpeg, 1).unwrap();
        assert_eq!(number(&image), n);
    }
    let stored = footage::stored(ring).unwrap();
    let open = stored.iter().filter(|s| !s.compressed).count();
    println!(
        "{frames} frames in {} segments, {open} not compressed",
        stored.len()
    );
}

#[test]
#[ignore = "takes many minutes: see above"]
fn fourteen_hours_have_no_gap_and_clips_show_what_happened_then() {
    let fps: u32 = std::env::var("ADOUBE_TEST_FPS").map_or(30, |text| text.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let (common, board) = station(folder.path());
    let game = common
        .store
        .begin_game(board, "start", "fide-2023", 0.0)
        .unwrap();
    let ring = footage_folder(folder.path(), board);
    let step_ms = 1000.0 / f64::from(fps);
    let begin_ms = common.clock.now_ms() - f64::from(HOURS) * 3.6e6 - 900_000.0;
    let time_of = |n: u32| begin_ms + f64::from(n) * step_ms;
    let rule = Rule {
        days: 14.0,
        most_bytes: 1 << 40,
    };
    let mut keeper = Keeper::new(Arc::clone(&common), rule);
    let mut recorder = Recorder::open(&ring).unwrap();
    let (mut memory, mut spent) = (Vec::new(), Duration::ZERO);
    for hour in 0..HOURS {
        let (from, to) = (hour * 3600 * fps, (hour + 1) * 3600 * fps);
        for n in from..to {
            record(&mut recorder, n, time_of(n));
        }
        let begun = Instant::now();
        while keeper.pass().unwrap() {}
        spent += begun.elapsed();
        // A move every ten minutes, a third of a frame after one.
        for ten in 0..6 {
            let n = from + ten * 600 * fps + 300 * fps;
            let made_ms = time_of(n) + step_ms / 3.0;
            play(&common, game.id, hour * 6 + ten, made_ms);
            let (shown, times) = at_the_move(&common, board, made_ms);
            assert!(shown.abs_diff(n) <= 1, "frame {shown} instead of {n}");
            let steady = |t: &[f64]| (t[1] - t[0] - step_ms).abs() < 0.01;
            assert!(times.windows(2).all(steady), "hour {hour}");
        }
        memory.push(memory_mib());
        println!("hour {hour}: {:.0} MiB of memory", memory_mib());
    }
    let frames = HOURS * 3600 * fps;
    check_all(&ring, frames, fps, time_of);
    let each_ms = spent.as_secs_f64() * 1000.0 / f64::from(frames);
    println!(
        "{} clips compared; {each_ms:.2} ms a frame to compress",
        HOURS * 6
    );
    let (first, last) = (memory[1], memory[memory.len() - 1]);
    assert!(last <= first * 1.05, "memory grew: {memory:?}");
}
