//! From a sound file and frames to what an incident is worth: the program as its user runs it.

use std::path::{Path, PathBuf};

use crate::common::{CLIP, Review, adoube, ffmpeg, name, text};
use adoube::record::{Incident, Severity};

/// "J'adoube" by a voice that trained nothing, in a room that trained nothing.
const SAID: &str = "tests/data/jadoube.wav";
/// When White touches the knight in the clip, milliseconds.
const TOUCH_MS: f64 = 6647.0;

/// Twelve seconds of soft noise in which the word begins at a time; stereo, 44.1 kHz.
fn spoken(folder: &Path, begin_ms: f64) -> PathBuf {
    let file = folder.join("spoken.wav");
    let mix = format!(
        "[0:a]adelay={begin_ms:.0},apad[said];[1:a][said]amix=inputs=2:duration=first:normalize=0"
    );
    let noise = "anoisesrc=d=12:c=pink:r=44100:a=0.01:seed=1";
    assert!(ffmpeg(
        &["-i", SAID, "-f", "lavfi", "-i", noise],
        &["-filter_complex", &mix, "-ar", "44100", "-ac", "2"],
        &file
    ));
    file
}

fn of_the_knight(review: &Review) -> &Incident {
    let incidents = review.record.incidents.iter();
    incidents
        .filter(|i| i.kind == "touch_move" && i.obliged.contains(&"g1f3".to_owned()))
        .max_by(|a, b| a.probability.unwrap().total_cmp(&b.probability.unwrap()))
        .unwrap_or_else(|| panic!("{:?}", review.record.incidents))
}

#[test]
fn notice_heard_before_the_touch_takes_the_alert_back_and_late_notice_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let deaf = Review::of(Path::new(CLIP), &[]);
    assert!(!deaf.record.listened && deaf.record.speech.is_empty());
    assert_ne!(of_the_knight(&deaf).severity, Some(Severity::Log));

    let sound = spoken(folder.path(), TOUCH_MS - 800.0);
    let notice = Review::of(Path::new(CLIP), &["--sound", name(&sound)]);
    let [said] = &notice.record.speech[..] else {
        panic!("{}: {:?}", notice.said, notice.record.speech);
    };
    assert!((said.ms - (TOUCH_MS - 800.0)).abs() < 200.0, "{said:?}");
    assert_eq!(of_the_knight(&notice).severity, Some(Severity::Log));
    assert!(notice.file("report.html").contains("heard 1 announcement"));

    // The same word, the sound's clock set so that it comes too late.
    let more = ["--sound", name(&sound), "--sound-offset-ms", "1300"];
    let late = Review::of(Path::new(CLIP), &more);
    assert_ne!(of_the_knight(&late).severity, Some(Severity::Log));
    let told = of_the_knight(&late).explanation.join(" ");
    assert!(told.contains("after the touch: too late"), "{told}");

    // The log alone gives the same result, to the byte.
    let again = folder.path().join("again.json");
    let log = late.folder.path().join("observations.jsonl.zst");
    let run = adoube(&["replay", name(&log), "--out", name(&again)]);
    assert!(run.status.success(), "{}", text(&run.stderr));
    assert_eq!(
        std::fs::read_to_string(again).unwrap(),
        late.file("result.json")
    );
}

#[test]
fn without_sound_the_review_goes_on_and_says_so() {
    let review = Review::of(Path::new(CLIP), &["--listen"]);
    assert!(!review.record.listened);
    let result = review.file("result.json");
    assert!(
        result.contains("there is no sound in this file"),
        "{result}"
    );
    assert_ne!(of_the_knight(&review).severity, Some(Severity::Log));
}

#[test]
fn listen_tells_what_it_hears_and_draws_it() {
    let folder = tempfile::tempdir().unwrap();
    let sound = spoken(folder.path(), 4000.0);
    let plot = folder.path().join("plot.png");
    let run = adoube(&["listen", "--input", name(&sound), "--plot", name(&plot)]);
    let said = text(&run.stdout);
    assert!(run.status.success(), "{}", text(&run.stderr));
    assert!(
        said.contains("j'adoube") && said.lines().count() == 1,
        "{said}"
    );
    assert_eq!(image::open(&plot).unwrap().width(), 1280);

    let run = adoube(&["listen", "--json", "--input", name(&sound)]);
    let row: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    let ms = |name: &str| row[name].as_f64().unwrap();
    assert!(
        (ms("ms") - ms("duration_ms") - 4000.0).abs() < 200.0,
        "{row}"
    );
    assert!(ms("known_ms") - ms("ms") < 400.0, "{row}");
}

#[test]
fn bad_sound_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let listen = |file: &Path| adoube(&["listen", "--input", name(file)]);
    let made = |source: &str, name: &str| {
        let file = folder.path().join(name);
        assert!(ffmpeg(
            &["-f", "lavfi", "-i", source],
            &["-c:a", "pcm_s16le"],
            &file
        ));
        file
    };

    let run = listen(&made("anullsrc=d=3:r=8000:cl=mono", "silent.wav"));
    let said = text(&run.stdout);
    assert!(run.status.success() && said.contains("silent"), "{said}");
    assert!(said.contains("nothing was announced"), "{said}");

    let run = listen(&made("sine=d=3:r=48000,volume=30dB", "loud.wav"));
    assert!(
        text(&run.stdout).contains("clipped"),
        "{}",
        text(&run.stdout)
    );

    for (file, why) in [
        (PathBuf::from(CLIP), "there is no sound in this file"),
        (PathBuf::from("tests/data/touch-move.zst"), "cannot be read"),
        (folder.path().join("none.wav"), "no such file"),
    ] {
        let run = listen(&file);
        assert_eq!(run.status.code(), Some(1));
        assert!(text(&run.stderr).contains(why), "{}", text(&run.stderr));
    }

    let run = adoube(&["listen", "--input", "no such microphone"]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        text(&run.stderr).contains("no microphone"),
        "{}",
        text(&run.stderr)
    );
}
