//! Recordings as people bring them, and what is none: made here with FFmpeg from the shipped clip.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use crate::common::{CLIP, Review, adoube, command, ffmpeg, files, moves, name, text};
use adoube::{media, record::Record};

/// The shipped clip's first two moves and when they are made, from its labels.
const E4: (&str, f64) = ("e2e4", 3133.0);
const E5: (&str, f64) = ("e7e5", 5408.0);
/// The clip to the end of the second move.
const TWO_MOVES: [&str; 4] = ["-t", "6.6", "-i", CLIP];
/// Fast to make; without frames out of order.
const QUICK: &str = "-an -c:v libx264 -preset ultrafast -crf 18";
/// The position after the first move.
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn make(file: &Path, input: &[&str], output: &str) {
    assert!(ffmpeg(input, &words(output), file), "{}", file.display());
}

/// The clip's first two moves, and the same in a container that ends with its index.
struct Clips {
    folder: tempfile::TempDir,
}

impl Clips {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }
}

/// The clip in each container, made once.
fn clips() -> &'static Clips {
    static CLIPS: OnceLock<Clips> = OnceLock::new();
    CLIPS.get_or_init(|| {
        let clips = Clips {
            folder: tempfile::tempdir().unwrap(),
        };
        let whole = ["-i", CLIP];
        make(&clips.path("index-last.mp4"), &whole, "-c copy");
        let first = "-c copy -movflags +faststart";
        make(&clips.path("index-first.mp4"), &whole, first);
        make(&clips.path("whole.mkv"), &whole, "-c copy");
        make(&clips.path("whole.ts"), &whole, "-c copy");
        make(&clips.path("whole.avi"), &whole, "-an -c:v mjpeg -q:v 4");
        clips
    })
}

/// The moves in their order, each made when it was, to within so many milliseconds.
fn check_moves(what: &str, record: &Record, want: &[(&str, f64)], tolerance_ms: f64) {
    let names: Vec<&str> = want.iter().map(|w| w.0).collect();
    assert_eq!(moves(record), names, "{what}");
    for (got, (uci, ms)) in record.moves.iter().zip(want) {
        let off = got.made_ms - ms;
        assert!(
            off.abs() <= tolerance_ms,
            "{what}: {uci} is off by {off} ms"
        );
    }
}

/// A recording that is unusual but whole.
struct Unusual {
    name: &'static str,
    /// FFmpeg's input.
    input: &'static [&'static str],
    /// What FFmpeg makes of it.
    output: &'static str,
    start: Option<&'static str>,
    /// Its picture.
    size: (u32, u32),
    moves: &'static [(&'static str, f64)],
    /// How far off the times may be: most of all at ten frames a second, where a hand that comes
    /// to rest is seen once or twice.
    tolerance_ms: f64,
}

const UNUSUAL: [Unusual; 5] = [
    Unusual {
        name: "4k.mp4",
        input: &["-t", "4.3", "-i", CLIP],
        output: "-vf scale=3840:2160",
        start: None,
        size: (3840, 2160),
        moves: &[E4],
        tolerance_ms: 250.0,
    },
    Unusual {
        name: "portrait.mp4",
        input: &TWO_MOVES,
        output: "-vf pad=iw:iw*16/9:0:(oh-ih)/2:0x604020",
        start: None,
        size: (960, 1706),
        moves: &[E4, E5],
        tolerance_ms: 250.0,
    },
    Unusual {
        name: "slow.mp4",
        input: &TWO_MOVES,
        output: "-vf fps=10",
        start: None,
        size: (960, 540),
        moves: &[E4, E5],
        tolerance_ms: 1500.0,
    },
    Unusual {
        name: "variable.mp4",
        input: &TWO_MOVES,
        output: "-vf select='not(between(mod(n,40),10,30))+not(mod(n,3))' -vsync vfr -bf 2",
        start: None,
        size: (960, 540),
        moves: &[E4, E5],
        // The present networks put 1. e4 255 ms off here; those before were within 250.
        tolerance_ms: 300.0,
    },
    Unusual {
        name: "middle.mp4",
        input: &["-ss", "3.8", "-t", "2.8", "-i", CLIP],
        output: "",
        start: Some(AFTER_E4),
        size: (960, 540),
        moves: &[("e7e5", 1608.0)],
        tolerance_ms: 250.0,
    },
];

#[test]
fn unusual_recordings_are_reviewed_like_any() {
    let folder = tempfile::tempdir().unwrap();
    for case in &UNUSUAL {
        let video = folder.path().join(case.name);
        make(&video, case.input, &format!("{QUICK} {}", case.output));
        let start: Vec<&str> = case.start.iter().flat_map(|s| ["--start", s]).collect();
        let review = Review::of(&video, &start);
        let record = &review.record;
        assert_eq!((record.width, record.height), case.size, "{}", case.name);
        check_moves(case.name, record, case.moves, case.tolerance_ms);
        assert!(!review.said.contains("breaks off"), "{}", case.name);
    }
}

/// A phone held upright stores its pictures lying, with a mark.
#[test]
fn a_rotation_mark_is_honoured() {
    let folder = tempfile::tempdir().unwrap();
    let lying = folder.path().join("lying.mp4");
    make(&lying, &TWO_MOVES, &format!("{QUICK} -vf transpose=clock"));
    let marked = folder.path().join("marked.mp4");
    // FFmpeg changed how the mark is set between its versions 5 and 7.
    let newer = ["-display_rotation", "90", "-i", name(&lying)];
    if !ffmpeg(&newer, &["-c", "copy"], &marked) {
        let older = "-c copy -metadata:s:v rotate=90";
        make(&marked, &["-i", name(&lying)], older);
    }
    let record = Review::of(&marked, &[]).record;
    assert_eq!((record.width, record.height), (960, 540));
    check_moves("marked.mp4", &record, &[E4, E5], 250.0);
}

/// Times are the container's, to the last frame, also where frames are stored out of order.
#[test]
fn frames_have_their_own_times() {
    let folder = tempfile::tempdir().unwrap();
    let every = |n: &u32| !(10..=30).contains(&(n % 40)) || n.is_multiple_of(3);
    let select = "select='not(between(mod(n,40),10,30))+not(mod(n,3))'";
    for (file, more, kept) in [
        ("steady.mp4", String::new(), (0..200).collect::<Vec<u32>>()),
        (
            "variable.mp4",
            format!("-vf {select} -vsync vfr"),
            (0..200).filter(every).collect(),
        ),
    ] {
        let path = folder.path().join(file);
        let output = format!(
            "-an -frames:v {} -c:v libx264 -preset veryfast -bf 3 {more}",
            kept.len()
        );
        make(&path, &["-i", CLIP], &output);
        let mut source = media::open(&path).unwrap();
        let mut got = Vec::new();
        while let Some(frame) = source.next_frame().unwrap() {
            got.push(frame.t_ms);
        }
        assert_eq!(got.len(), kept.len(), "{file}");
        for (i, (t_ms, n)) in got.iter().zip(&kept).enumerate() {
            let want = f64::from(*n) * 1000.0 / 30.0;
            // A frame that comes without a time at the end is placed at the stream's pace.
            let tolerance_ms = if i + 3 < got.len() { 1.0 } else { 70.0 };
            assert!(
                (t_ms - want).abs() < tolerance_ms,
                "{file}: frame {i}: {t_ms} for {want}"
            );
        }
    }
}

/// A recording that breaks off keeps what was read and says so.
#[test]
fn a_recording_that_breaks_off_is_kept_as_far_as_it_goes() {
    let folder = tempfile::tempdir().unwrap();
    for container in ["index-first.mp4", "whole.avi", "whole.mkv", "whole.ts"] {
        let bytes = clips().bytes(container);
        let cut = folder.path().join(container);
        fs::write(&cut, &bytes[..bytes.len() * 4 / 10 + 7]).unwrap();
        let review = Review::of(&cut, &[]);
        assert!(review.said.contains("breaks off"), "{container}");
        assert!(review.file("report.html").contains("breaks off"));
        let record = &review.record;
        assert!(record.notes.is_some(), "{container}: {record:?}");
        assert!((100..200).contains(&record.frames), "{container}");
        check_moves(container, record, &[E4], 250.0);
    }
}

/// A trimmed recording still counts the frames that its edit list hides.
#[test]
fn a_recording_that_is_all_there_does_not_break_off() {
    let trimmed = clips().path("trimmed.mp4");
    make(&trimmed, &["-ss", "3.8", "-i", CLIP], "-c copy");
    for video in [
        "index-last.mp4",
        "whole.avi",
        "whole.mkv",
        "whole.ts",
        "trimmed.mp4",
    ] {
        let mut source = media::open(&clips().path(video)).unwrap();
        let info = source.info().clone();
        let (mut frames, mut last_ms) = (0.0, 0.0);
        while let Some(frame) = source.next_frame().unwrap() {
            (frames, last_ms) = (frames + 1.0, frame.t_ms);
        }
        let length_ms = info.length_ms.unwrap();
        let shown_ms = last_ms * frames / (frames - 1.0);
        assert!(!info.torn, "{video}");
        assert!(
            (shown_ms / length_ms - 1.0).abs() < 0.02,
            "{video}: {shown_ms} of {length_ms}"
        );
    }
}

/// Each bad input: one sentence that says what to do, status 1, no panic, nothing half written.
#[test]
fn bad_input_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let file = |name: &str, bytes: &[u8]| -> String {
        fs::write(path(name), bytes).unwrap();
        path(name)
    };
    let grey = |name: &str, level: u8| -> String {
        let picture = image::GrayImage::from_pixel(640, 480, image::Luma([level]));
        picture.save(path(name)).unwrap();
        path(name)
    };
    let no_board = path("no-board.mp4");
    let pattern = ["-f", "lavfi", "-i", "testsrc=s=640x480:d=2"];
    make(Path::new(&no_board), &pattern, QUICK);
    let empty_folder = path("empty");
    fs::create_dir(&empty_folder).unwrap();
    let out = path("out");
    let blocked = file("blocked", b"a file, not a folder");
    let unfinished = clips().bytes("index-last.mp4");
    let pgn = file("game.pgn", b"[White \"A\"]\n\n1. e4 e5 2. Nf3 *\n");
    let broken = file("broken.pgn", b"[White \"A\"]\n\n1. e4 e5\n2. Nf9 *\n");
    let review = |video: &str, more: &str| format!("review {video} --out {out} {more}");
    let kings = "8/8/8/8/4k3/8/4P3/4K3";
    for (line, want) in [
        (review(&file("empty.mp4", b""), ""), "the file is empty"),
        (
            review(&file("text.mp4", b"this is no video"), ""),
            "not a video",
        ),
        (
            review(&file("cut.mp4", &unfinished[..unfinished.len() / 2]), ""),
            "not a video",
        ),
        (review("nowhere.mp4", ""), "no such file"),
        (
            review(&empty_folder, ""),
            "no videos in this folder, and no pictures",
        ),
        (review(&no_board, ""), "no board was found"),
        (
            review(CLIP, &format!("--start {kings}")),
            "does not show the start position",
        ),
        (review(CLIP, "--start nonsense"), "not a FEN"),
        (review(CLIP, "--corners a1=1,2"), "is missing"),
        (review(CLIP, "--board nowhere.toml"), "nowhere.toml"),
        (
            review(CLIP, "--pgn nowhere.pgn"),
            "check the path of the PGN",
        ),
        (
            review(CLIP, &format!("--pgn {broken}")),
            "broken.pgn: line 4: \"Nf9\" is not a move",
        ),
        (
            review(CLIP, &format!("--pgn {pgn} --start {kings}")),
            "does not occur in this game",
        ),
        (
            format!("review {CLIP} --out {blocked}/x"),
            "choose a folder that can be written",
        ),
        (
            format!("review {CLIP} --out {blocked}"),
            "choose a folder that can be written",
        ),
        (
            format!("read {}", grey("grey.png", 120)),
            "could not be read",
        ),
        (format!("read {}", grey("dark.png", 3)), "could not be read"),
        (
            format!("replay {}", file("log.zst", b"nothing")),
            "observations.jsonl.zst",
        ),
        (format!("eval {empty_folder}"), "no labelled clips"),
    ] {
        let run = adoube(&words(&line));
        let said = text(&run.stderr);
        assert_eq!(run.status.code(), Some(1), "{line}: {said}");
        assert!(
            said.starts_with("adoube: ") && said.contains(want),
            "{line}: {said}"
        );
        assert_eq!(said.lines().count(), 1, "one sentence: {said}");
        assert!(!said.contains("panicked"), "{line}: {said}");
        assert_eq!(files(Path::new(&out)), [""; 0], "{line}");
    }
    assert_eq!(adoube(&["review"]).status.code(), Some(2));
    let laws = ["review", CLIP, "--out", &out, "--laws", "fide-1887"];
    assert_eq!(adoube(&laws).status.code(), Some(2));
}

/// Corners named from the other side of the board: White would be Black.
#[test]
fn a_board_taken_upside_down_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let corners = "a1=662.4,322.41 h1=565.7,82.47 h8=284.49,126.83 a8=305.51,392.68";
    let out = folder.path().join("out");
    let run = adoube(&["review", CLIP, "--out", name(&out), "--corners", corners]);
    let said = text(&run.stderr);
    assert_eq!(run.status.code(), Some(1), "{said}");
    assert!(said.contains("turned half round"), "{said}");
}

#[test]
fn a_missing_model_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for arguments in [
        vec!["read", "tests/data"],
        vec!["review", CLIP, "--out", name(&out)],
    ] {
        let run = command(&arguments)
            .env("ADOUBE_MODELS", folder.path())
            .output()
            .unwrap();
        let said = text(&run.stderr);
        assert_eq!(run.status.code(), Some(1), "{said}");
        for word in [".onnx", "model file is missing", "ADOUBE_MODELS"] {
            assert!(said.contains(word), "{said}");
        }
        assert_eq!(files(&out), [""; 0]);
    }
}

/// The organiser's PGN names the game and is compared with what was found.
#[test]
fn a_pgn_is_told_apart_from_what_was_played() {
    let folder = tempfile::tempdir().unwrap();
    let video = folder.path().join("game.mp4");
    make(&video, &TWO_MOVES, QUICK);
    let pgn = folder.path().join("noted.pgn");
    let tags = "[Event \"Club Open\"]\n[White \"Anna\"]\n[Black \"Max <b>\"]\n[Result \"0-1\"]\n[WhiteElo \"2011\"]\n\n";
    for (noted, said, differences) in [
        ("1. e4 e5 0-1", "The moves found are those of the PGN.", 0),
        (
            "1. e4 c5 2. Nf3 0-1",
            "1\u{2026} e5 was found, the PGN has 1\u{2026} c5",
            2,
        ),
        (
            "1. e4 0-1",
            "1\u{2026} e5 was found, the PGN does not have it",
            1,
        ),
    ] {
        fs::write(&pgn, format!("{tags}{noted}\n")).unwrap();
        let review = Review::of(&video, &["--pgn", name(&pgn)]);
        assert_eq!(
            moves(&review.record),
            ["e2e4", "e7e5"],
            "the PGN must not lead the eye"
        );
        let report = review.file("report.html");
        assert!(
            review.said.contains(said) && report.contains(said),
            "{}",
            review.said
        );
        assert!(
            report.contains("<h1>Anna \u{2013} Max &lt;b&gt;</h1>") && report.contains("Club Open")
        );
        let game = review.file("game.pgn");
        for line in [
            "[Event \"Club Open\"]",
            "[White \"Anna\"]",
            "[Result \"0-1\"]",
            "[WhiteElo \"2011\"]",
            " 0-1\n",
        ] {
            assert!(game.contains(line), "{line}: {game}");
        }
        let comparison: serde_json::Value =
            serde_json::from_str(&review.file("comparison.json")).unwrap();
        assert_eq!(
            comparison["differences"].as_array().unwrap().len(),
            differences
        );
        assert!(!review.file("result.json").contains("differences"));
    }
}
