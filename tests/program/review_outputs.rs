//! What a review writes for players, editors and arbiters; recordings in several files; batches.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::common::{self, CLIP, Review, adoube, command, ffmpeg, files, moves, name, shown, text};

/// What FFprobe says of a file.
fn probe(file: &Path) -> serde_json::Value {
    let out = Command::new("ffprobe")
        .args([
            "-v",
            "error",
            "-of",
            "json",
            "-show_streams",
            "-show_chapters",
            "-show_format",
        ])
        .arg(file)
        .output()
        .unwrap();
    serde_json::from_slice(&out.stdout).unwrap()
}

fn chapter_titles(probed: &serde_json::Value) -> Vec<String> {
    let chapters = probed["chapters"].as_array().unwrap();
    let title = |c: &serde_json::Value| c["tags"]["title"].as_str().unwrap().to_owned();
    chapters.iter().map(title).collect()
}

fn codecs(probed: &serde_json::Value) -> Vec<(String, String)> {
    let streams = probed["streams"].as_array().unwrap();
    let word = |v: &serde_json::Value| v.as_str().unwrap_or_default().to_owned();
    streams
        .iter()
        .filter(|s| s["codec_type"] != "data")
        .map(|s| (word(&s["codec_type"]), word(&s["codec_name"])))
        .collect()
}

fn seconds(probed: &serde_json::Value) -> f64 {
    probed["format"]["duration"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap()
}

/// The shipped clip with a sound track.
fn with_sound(folder: &Path) -> PathBuf {
    let file = folder.join("sounding.mp4");
    let input = ["-i", CLIP, "-f", "lavfi", "-i", "sine=frequency=440"];
    let output = ["-c:v", "copy", "-c:a", "aac", "-shortest"];
    assert!(ffmpeg(&input, &output, &file));
    file
}

#[test]
fn a_review_is_written_for_players_editors_and_arbiters() {
    let folder = tempfile::tempdir().unwrap();
    let video = with_sound(folder.path());
    let review = Review::of(&video, &["--lang", "de", "--annotate", "--chapters"]);
    let at = |name: &str| review.folder.path().join(name);
    let titles = [
        "Vor dem ersten Zug",
        "1. e4",
        "1\u{2026} e5",
        "2. d4 \u{2013} Weiß berührte den Springer auf g1 und zog d4",
    ];
    let both = [
        ("video".to_owned(), "h264".to_owned()),
        ("audio".to_owned(), "aac".to_owned()),
    ];
    for name in ["annotated.mp4", "chapters.mp4"] {
        let probed = probe(&at(name));
        assert_eq!(chapter_titles(&probed), titles, "{name}");
        assert_eq!(codecs(&probed), both, "{name}");
        assert!(
            (seconds(&probed) - 11.03).abs() < 0.15,
            "{name}: {}",
            seconds(&probed)
        );
        let nowhere = Path::new("-");
        assert!(
            ffmpeg(
                &["-i", at(name).to_str().unwrap()],
                &["-f", "null"],
                nowhere
            ),
            "{name}"
        );
    }
    let chapters = review.file("chapters.vtt");
    assert!(titles.iter().all(|t| chapters.contains(t)), "{chapters}");
    assert!(
        review
            .file("markers.edl")
            .contains("|C:ResolveColorYellow |M:incident-1 |D:")
    );
    assert!(
        review
            .file("markers.csv")
            .contains("incident-1,sounding.mp4,")
    );
    assert!(
        review
            .file("arbiter.pgn")
            .contains("[%otb incident=touch_move")
    );
    assert!(!review.file("game.pgn").contains("otb"));
    let report = review.file("report.html");
    assert!(report.contains("<html lang=\"de\">") && report.contains("clips/incident-1.mp4"));
    // The clip shows the time from before the touch to after the move.
    let clip = probe(&at("clips/incident-1.mp4"));
    assert_eq!(codecs(&clip), both);
    assert!(seconds(&clip) > 5.0, "{}", seconds(&clip));

    // What is not asked for again goes: it would seem to belong to the new run.
    let again = adoube(&["review", name(&video), "--out", name(review.folder.path())]);
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert!(!at("annotated.mp4").exists() && !at("chapters.mp4").exists());
}

#[test]
fn files_of_one_game_are_one_game() {
    let folder = tempfile::tempdir().unwrap();
    let parts = [("one.mp4", "0", "5"), ("two.mp4", "5", "20")].map(|(file, from, to)| {
        let file = folder.path().join(file);
        let input = ["-ss", from, "-to", to, "-i", CLIP];
        // Without loss: what is found hangs on nothing but where the files are parted.
        assert!(ffmpeg(&input, &["-c:v", "libx264", "-qp", "0"], &file));
        file
    });
    let out = folder.path().join("out");
    let arguments = [
        "review",
        name(&parts[0]),
        name(&parts[1]),
        "--out",
        name(&out),
    ];
    let run = adoube(&arguments);
    assert!(run.status.success(), "{}", text(&run.stderr));
    let found = common::record(&out.join("result.json"));
    assert_eq!(moves(&found), ["e2e4", "e7e5", "d2d4"]);
    assert_eq!(found.frames, 331);
    let begins: Vec<(&str, f64)> = found
        .parts
        .iter()
        .map(|p| (p.file.as_str(), p.ms))
        .collect();
    let [("one.mp4", first), ("two.mp4", second)] = begins[..] else {
        panic!("{begins:?}")
    };
    assert!(first == 0.0 && (second - 5000.0).abs() < 40.0, "{begins:?}");
    assert_eq!(shown(&found).len(), 1);
    assert!(out.join("clips/incident-1.mp4").exists());
}

#[test]
fn a_batch_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let (games, out) = (folder.path().join("games"), folder.path().join("out"));
    fs::create_dir(&games).unwrap();
    for game in ["a.mp4", "b.mp4"] {
        fs::copy(CLIP, games.join(game)).unwrap();
    }
    fs::write(games.join("a.pgn"), "[White \"Ann\"]\n1. e4 e5 2. d4 *").unwrap();
    fs::write(games.join("c.mp4"), "no video").unwrap();
    let arguments = ["review", name(&games), "--out", name(&out)];

    // Killed once the first game is done.
    let mut child = command(&arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while !out.join("a/done.json").exists() {
        assert!(
            begun.elapsed() < Duration::from_secs(300),
            "the first game is never done"
        );
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!out.join("b/done.json").exists());
    let first = fs::metadata(out.join("a/result.json"))
        .unwrap()
        .modified()
        .unwrap();

    let run = adoube(&arguments);
    let said = text(&run.stdout);
    assert!(said.contains("[1/3] a\ndone before"), "{said}");
    assert_eq!(run.status.code(), Some(1), "one game cannot be read");
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    assert!(
        page.contains("<a href=\"a/report.html\">Ann \u{2013} ?</a>"),
        "{page}"
    );
    assert!(
        page.contains("failed: ") && page.contains("1 incident"),
        "{page}"
    );
    assert_eq!(
        fs::metadata(out.join("a/result.json"))
            .unwrap()
            .modified()
            .unwrap(),
        first
    );
    assert!(files(&out.join("b")).contains(&"done.json".to_owned()));

    // Without the file that cannot be read, all that is left is that a person should look.
    fs::remove_file(games.join("c.mp4")).unwrap();
    let run = adoube(&arguments);
    assert_eq!(run.status.code(), Some(3), "{}", text(&run.stderr));
    assert_eq!(text(&run.stdout).matches("done before").count(), 2);
}

#[test]
fn where_nothing_stirs_nothing_is_missed() {
    let folder = tempfile::tempdir().unwrap();
    let video = folder.path().join("still.mp4");
    // A camera's noise over a long still beginning.
    let still = "tpad=start_mode=clone:start_duration=20,noise=alls=5:allf=t,format=yuv420p";
    let output = [
        "-vf", still, "-c:v", "libx264", "-preset", "veryfast", "-crf", "20",
    ];
    assert!(ffmpeg(&["-i", CLIP], &output, &video));
    let (skimmed, whole) = (
        Review::of(&video, &[]),
        Review::of(&video, &["--every-frame"]),
    );
    assert_eq!(moves(&skimmed.record), ["e2e4", "e7e5", "d2d4"]);
    assert_eq!(skimmed.file("result.json"), whole.file("result.json"));
    let looked = |review: &Review| -> u64 {
        let (_, rest) = review.said.split_once(" frames, ").unwrap();
        rest.split_once(" looked at").unwrap().0.parse().unwrap()
    };
    assert_eq!(looked(&whole), whole.record.frames);
    assert!(
        looked(&skimmed) < skimmed.record.frames / 2,
        "{} of {} frames were looked at",
        looked(&skimmed),
        skimmed.record.frames
    );
}

#[test]
fn a_score_sheet_is_compared_and_dated_also_where_the_video_starts_late() {
    let folder = tempfile::tempdir().unwrap();
    let (video, pgn) = (
        folder.path().join("late.mp4"),
        folder.path().join("game.pgn"),
    );
    assert!(ffmpeg(
        &["-ss", "5.6", "-i", CLIP],
        &["-c:v", "libx264", "-crf", "16"],
        &video
    ));
    fs::write(&pgn, "[White \"Ann\"]\n\n1. e4 e5 2. Nc3 Nf6 *").unwrap();
    let begin = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let review = Review::of(&video, &["--pgn", name(&pgn), "--start", begin]);
    let comparison: serde_json::Value =
        serde_json::from_str(&review.file("comparison.json")).unwrap();
    let first = &comparison["differences"][0];
    let sides = (
        &first["pgn"]["name"],
        &first["found"]["name"],
        &first["right"],
    );
    assert_eq!(sides, (&"2. Nc3".into(), &"2. d4".into(), &"found".into()));
    assert_eq!(comparison["dates"][0]["seen"], "other");
    assert!(comparison["dates"][0]["ms"].as_f64().unwrap() > 2000.0);
    let public = review.file("game.pgn");
    assert!(
        public.contains(
            "1. e4 e5 {Up to here the moves are from the score sheet: they were not seen.}"
        )
    );
    assert!(public.replace('\n', " ").contains("2. d4 *"), "{public}");
    assert!(
        review
            .file("noted.pgn")
            .replace('\n', " ")
            .contains("2. Nc3 Nf6 *")
    );
    assert!(
        review
            .file("report.html")
            .contains("The first 2 moves were played before the recording begins")
    );
    assert!(
        review.said.contains("the PGN should be corrected"),
        "{}",
        review.said
    );
}

#[test]
fn a_camera_that_was_moved_between_two_files_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["1.mp4", "2.mp4"].map(|file| folder.path().join(file));
    let sharp = ["-c:v", "libx264", "-crf", "16"];
    assert!(ffmpeg(&["-to", "5.5", "-i", CLIP], &sharp, &first));
    let moved = "rotate=3*PI/180:fillcolor=gray,scale=1008:-2,crop=960:540:30:20";
    let output = [&["-vf", moved][..], &sharp].concat();
    assert!(ffmpeg(&["-ss", "5.5", "-i", CLIP], &output, &second));
    let out = folder.path().join("out");
    let run = adoube(&["review", name(&first), name(&second), "--out", name(&out)]);
    assert!(run.status.success(), "{}", text(&run.stderr));
    let found = common::record(&out.join("result.json"));
    assert_eq!(moves(&found), ["e2e4", "e7e5", "d2d4"]);
    assert_eq!(found.corner_changes.len(), 1, "{:?}", found.corner_changes);
    assert!((found.corner_changes[0].ms - found.parts[1].ms).abs() < 500.0);
}
