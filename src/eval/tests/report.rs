//! Whole runs over folders of labels, with a program that answers from memory.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use super::{contact, incident, record, sequences};
use crate::{
    eval::{
        Case, CaseKind, EvalError, Reading, Report, Runner, Share, Tracked, discover,
        read_clip_truth, read_sequence_truth, render, run, score_clip, score_sequence,
    },
    record::{ContactKind, Record},
    sequence::SequenceTruth,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// What the program is to find, by file name; anything else fails.
#[derive(Default)]
struct Memory {
    clips: HashMap<String, Record>,
    sequences: HashMap<String, (Vec<Reading>, Tracked)>,
    asked: Vec<(String, String)>,
}

fn last(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

impl Runner for Memory {
    fn clip(&mut self, video: &Path, start_fen: &str, laws: &str) -> Result<(Record, f64), String> {
        self.asked.push((start_fen.to_owned(), laws.to_owned()));
        let found = self.clips.get(&last(video));
        found
            .map(|r| (r.clone(), 60.0))
            .ok_or("no board was found".to_owned())
    }

    fn sequence(
        &mut self,
        folder: &Path,
        _: &SequenceTruth,
    ) -> Result<(Vec<Reading>, Tracked, f64), String> {
        let found = self.sequences.get(&last(folder)).cloned();
        let (readings, tracked) = found.ok_or("a picture is missing".to_owned())?;
        Ok((readings, tracked, 10.0))
    }
}

fn labels() -> Record {
    record(
        vec![
            contact(ContactKind::Touch, "b1", "b1", 1000.0),
            contact(ContactKind::Move, "d2", "d3", 3000.0),
        ],
        &["d2d3"],
        vec![incident(3800.0, None)],
    )
}

/// A folder with a good clip, a bad one, a failing one, one without video, one with broken
/// labels, a good and a failing sequence, and things that are no labels.
fn folder() -> Result<tempfile::TempDir, Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    let at = |path: &str| dir.path().join(path);
    for path in ["clips/inner", "seq/small/frames", "seq/other"] {
        fs::create_dir_all(at(path))?;
    }
    let clip = serde_json::to_string(&labels())?;
    for name in [
        "clips/good",
        "clips/bad",
        "clips/inner/fails.cut",
        "clips/lonely",
    ] {
        fs::write(at(&format!("{name}.truth.json")), &clip)?;
    }
    for video in [
        "clips/good.mp4",
        "clips/bad.AVI",
        "clips/inner/fails.cut.mp4",
        "clips/no-labels.mp4",
    ] {
        fs::write(at(video), "")?;
    }
    fs::write(
        at("clips/broken.truth.json"),
        "{\n  \"format\": 1,\n  \"clip\": 7\n}",
    )?;
    fs::write(
        at("clips/newer.truth.json"),
        clip.replacen("\"format\":1", "\"format\":2", 1),
    )?;
    let sequence = serde_json::to_string(&sequences::truth())?;
    fs::write(at("seq/small/truth.json"), &sequence)?;
    fs::write(at("seq/other/truth.json"), &sequence)?;
    fs::write(at("seq/notes.json"), "{}")?;
    Ok(dir)
}

fn memory() -> Memory {
    let mut bad = record(
        vec![
            contact(ContactKind::Move, "d2", "d3", 3060.0),
            contact(ContactKind::Touch, "g1", "g1", 7000.0),
        ],
        &["d2d3", "g8f6"],
        vec![incident(7800.0, Some(crate::record::Severity::Review))],
    );
    bad.corners.h1[0] += 20.0;
    let clips = [("good.mp4", labels()), ("bad.AVI", bad)];
    let (mut readings, tracked) = sequences::perfect(&sequences::truth());
    readings[2].placement = "rnbqkbnr/pppppppp/8/8/4N3/8/PPPP1PPP/RNBQKBNR".to_owned();
    Memory {
        clips: clips.map(|(name, r)| (name.to_owned(), r)).into(),
        sequences: [("small".to_owned(), (readings, tracked))].into(),
        asked: Vec::new(),
    }
}

fn report(dir: &Path) -> Result<(Report, Vec<String>, Memory), EvalError> {
    let (mut memory, mut names) = (memory(), Vec::new());
    let report = run(dir, &mut memory, &mut |name| names.push(name.to_owned()))?;
    Ok((report, names, memory))
}

#[test]
fn cases_are_found_in_order() -> Outcome {
    let dir = folder()?;
    let cases = discover(dir.path())?;
    let clip = |video: &str| CaseKind::Clip(Some(dir.path().join(video)));
    let names: Vec<&str> = cases.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "clips/bad",
            "clips/broken",
            "clips/good",
            "clips/inner/fails.cut",
            "clips/lonely",
            "clips/newer",
            "seq/other",
            "seq/small"
        ]
    );
    assert_eq!(cases[0].kind, clip("clips/bad.AVI"));
    assert_eq!(cases[3].kind, clip("clips/inner/fails.cut.mp4"));
    assert_eq!(cases[4].kind, CaseKind::Clip(None));
    assert_eq!(
        cases[7].kind,
        CaseKind::Sequence(dir.path().join("seq/small"))
    );
    // The folder of one sequence itself.
    let own = discover(&dir.path().join("seq/small"))?;
    assert_eq!(own.iter().map(|c| &c.name).collect::<Vec<_>>(), ["small"]);
    Ok(())
}

#[test]
fn notes_may_be_a_list_of_texts() -> Outcome {
    let dir = tempfile::tempdir()?;
    let path = dir.path().join("x.truth.json");
    let mut value = serde_json::to_value(labels())?;
    value["notes"] = serde_json::json!(["one", "two"]);
    fs::write(&path, value.to_string())?;
    assert!(read_clip_truth(&path)?.notes.is_some());
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_link_upwards_ends() -> Outcome {
    let dir = folder()?;
    std::os::unix::fs::symlink(dir.path(), dir.path().join("seq/again"))?;
    assert_eq!(discover(dir.path())?.len(), 8);
    Ok(())
}

#[test]
fn a_folder_without_labels_is_an_error() -> Outcome {
    let dir = tempfile::tempdir()?;
    assert!(matches!(discover(dir.path()), Err(EvalError::Nothing(_))));
    let missing = dir.path().join("missing");
    let why = discover(&missing).unwrap_err();
    assert!(matches!(why, EvalError::Folder { .. }));
    assert!(why.to_string().contains("missing"), "{why}");
    Ok(())
}

#[test]
fn nothing_is_dropped() -> Outcome {
    let dir = folder()?;
    let (report, names, memory) = report(dir.path())?;
    assert_eq!(names.len(), 8);
    let start = labels().start_fen;
    assert_eq!(memory.asked, vec![(start, "fide-2023".to_owned()); 3]);

    let failed: Vec<(&str, &str)> = report
        .clips
        .iter()
        .filter_map(|row| Some((row.name.as_str(), row.error.as_deref()?)))
        .collect();
    assert_eq!(
        failed,
        [
            ("clips/inner/fails.cut", "no board was found"),
            ("clips/lonely", "there is no video beside its labels"),
        ]
    );
    let unreadable: Vec<&str> = report.unreadable.iter().map(|u| u.name.as_str()).collect();
    assert_eq!(unreadable, ["clips/broken", "clips/newer"]);
    assert!(
        report.unreadable[0].why.contains("line 3"),
        "{:?}",
        report.unreadable
    );
    assert!(
        report.unreadable[1].why.contains("format 2"),
        "{:?}",
        report.unreadable
    );

    let clips = &report.totals.clips;
    assert_eq!((clips.clips, clips.failed), (4, 2));
    let touch = clips.touch.counts;
    assert_eq!((touch.tp, touch.fp, touch.missed), (3, 1, 5));
    assert_eq!(clips.touch.median_error_ms, Some(0.0));
    assert_eq!(clips.moves.exact, Share::new(1, 4));
    assert_eq!(clips.incidents.counts.missed, 3);
    assert_eq!((clips.frames, clips.frames_per_second), (2160, Some(60.0)));
    let rate = clips.false_incidents_per_hour;
    assert!(rate.is_some_and(|r| (r - 50.0).abs() < 1e-9), "{rate:?}");
    let sequences = &report.totals.sequences;
    assert_eq!((sequences.sequences, sequences.failed), (2, 1));
    assert_eq!(sequences.all.squares, Share::new(255, 512));
    Ok(())
}

#[test]
fn table_and_json() -> Outcome {
    let dir = folder()?;
    let (report, ..) = report(dir.path())?;
    let text = serde_json::to_string(&report)?;
    assert_eq!(serde_json::from_str::<Report>(&text)?, report);
    let place = dir.path().display().to_string();
    insta::assert_snapshot!("table", render(&report).replace(&place, "DIR"));
    insta::assert_snapshot!(
        "json",
        serde_json::to_string_pretty(&report)?.replace(&place, "DIR")
    );
    Ok(())
}

#[test]
fn an_empty_report_renders_as_nothing() {
    assert_eq!(render(&Report::new(vec![], vec![], vec![])), "");
}

/// Every label of the shared benchmark is read and scores perfectly against itself.
#[test]
fn shared_labels_are_perfect_against_themselves() -> Outcome {
    let Some(shared) = std::env::var_os("ADOUBE_SHARED") else {
        println!("skipped: ADOUBE_SHARED is not set");
        return Ok(());
    };
    let cases = discover(&PathBuf::from(shared).join("bench"))?;
    for case in &cases {
        check(case)?;
    }
    println!("{} label files", cases.len());
    Ok(())
}

fn check(case: &Case) -> Outcome {
    match &case.kind {
        CaseKind::Clip(video) => {
            assert!(video.is_some(), "{} has no video", case.name);
            let truth = read_clip_truth(&case.truth)?;
            let score = score_clip(&truth, &truth);
            assert_eq!(score.events, [], "{}", case.name);
            assert_eq!(score.incidents.counts.tp, truth.incidents.len());
            assert_eq!(score.moves.exact, Share::new(1, 1));
            assert!(score.corner_error_squares.is_some_and(|e| e < 1e-6));
        }
        CaseKind::Sequence(folder) => {
            let truth = read_sequence_truth(&case.truth)?;
            for picture in &truth.frames {
                assert!(folder.join(&picture.file).is_file(), "{}", picture.file);
                assert!(truth.corners_in(picture).is_some(), "{}", picture.file);
            }
            let (readings, tracked) = sequences::perfect(&truth);
            let score = score_sequence(&truth, &readings, Some(&tracked));
            assert_eq!(score.bad_pictures, [], "{}", case.name);
            assert_eq!(score.all.boards.rate(), Some(1.0));
            assert_eq!(score.moves.edit_distance, 0);
        }
    }
    Ok(())
}
