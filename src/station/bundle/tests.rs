//! A bundle as it is made, and everything that can be done to one afterwards.

use std::io::Cursor;

use opencv::core::{CV_8UC3, Mat, Scalar};
use zip::ZipArchive;

use super::*;
use crate::{
    events::Findings,
    media::{FrameSource, VideoFile},
    record::{Contact, ContactKind, Incident, PlayedMove, Player, Severity},
    station::{
        evidence_folder,
        footage::{self, Recorder},
        footage_folder, live,
        live::LiveFrame,
        store::{games::TurnFound, incidents::Ruling},
    },
};

const ZERO_MS: f64 = 1.8e12;

/// A station with twelve seconds of footage of a board, an incident in them, its frames kept, and a
/// ruling.
struct Rig {
    folder: tempfile::TempDir,
    common: std::sync::Arc<Common>,
    board: i64,
    incident: i64,
}

impl Rig {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let common = Common::without_boards(folder.path());
        let board = common.store.board("One").unwrap();
        let mut recorder = Recorder::open(&footage_folder(folder.path(), board)).unwrap();
        for k in 0..120 {
            let grey = Scalar::all(f64::from(k) * 2.0);
            let image = Mat::new_rows_cols_with_default(48, 64, CV_8UC3, grey).unwrap();
            let frame = LiveFrame {
                jpeg: live::jpeg(&image).unwrap().into(),
                image: image.into(),
                t_ms: ZERO_MS + f64::from(k) * 100.0,
            };
            recorder.push(&frame).unwrap();
        }
        let start = crate::broadcast::game::START_FEN;
        let game = common.store.begin_game(board, start, "fide-2023", ZERO_MS);
        let turn = TurnFound {
            game: game.unwrap().id,
            ply: 0,
            zero_ms: ZERO_MS,
            found: &knight_touched(),
            before: start,
            after: start,
        };
        let incident = common.store.record_turn(&turn).unwrap()[0];
        let spans = [(ZERO_MS + 3000.0, ZERO_MS + 6000.0)];
        let (ring, kept) = (
            footage_folder(folder.path(), board),
            evidence_folder(folder.path(), incident),
        );
        let (frames, sha256) = footage::keep(&ring, &kept, &spans).unwrap();
        common.store.kept(incident, frames, &sha256).unwrap();
        let rule = |ruling, note| common.store.rule(incident, ruling, note, "anna");
        rule(Some(Ruling::Unclear), "").unwrap();
        rule(None, "").unwrap();
        rule(Some(Ruling::Upheld), "seen by both").unwrap();
        Self {
            folder,
            common,
            board,
            incident,
        }
    }

    fn export(&self) -> Vec<u8> {
        let bundle = export_incident(&self.common, self.incident, "anna").unwrap();
        bytes(bundle)
    }

    /// What a check says of an archive.
    fn check(&self, archive: &[u8], key: Option<&str>) -> Result<Verified, BundleError> {
        let path = self.folder.path().join("checked.zip");
        std::fs::write(&path, archive).unwrap();
        verify(&path, key)
    }
}

fn bytes(bundle: Bundle) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut file = bundle.file;
    file.read_to_end(&mut bytes).unwrap();
    assert_eq!(digest(&bytes[..]).unwrap(), (bundle.bytes, bundle.sha256));
    bytes
}

/// White touches the knight on b1 and plays d4.
fn knight_touched() -> Findings {
    Findings {
        moves: vec![PlayedMove {
            uci: "d2d4".to_owned(),
            san: "d4".to_owned(),
            legal: true,
            made_ms: 5400.0,
            probability: Some(0.9),
            completed_ms: None,
            inferred: false,
        }],
        contacts: vec![Contact {
            id: 7,
            player: Player::White,
            hand: None,
            square: Some("b1".to_owned()),
            piece: "N".to_owned(),
            kind: ContactKind::Touch,
            touch_ms: 4020.0,
            lift_ms: None,
            place_ms: None,
            release_ms: 4480.0,
            to: None,
            probability: Some(0.9),
        }],
        incidents: vec![Incident {
            kind: "touch_move".to_owned(),
            player: Player::White,
            ms: 5400.0,
            article: "4.3.1".to_owned(),
            contact: Some(7),
            obliged: vec!["b1a3".to_owned(), "b1c3".to_owned()],
            probability: Some(0.9),
            severity: Some(Severity::Alert),
            explanation: vec!["White touched the knight on b1.".to_owned()],
        }],
        ..Findings::default()
    }
}

/// The files of an archive.
fn unpack(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(Cursor::new(archive)).unwrap();
    (0..archive.len())
        .map(|index| {
            let mut file = archive.by_index(index).unwrap();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            (file.name().to_owned(), bytes)
        })
        .collect()
}

fn pack(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        zip.start_file(name, stored).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn a_bundle_holds_all_that_belongs_to_the_incident_and_verifies() {
    let rig = Rig::new();
    let archive = rig.export();
    let files = unpack(&archive);
    let file = |name: &str| {
        let found = files.iter().find(|f| f.0 == name);
        &found.unwrap_or_else(|| panic!("no {name}")).1
    };
    let text = |name: &str| String::from_utf8(file(name).clone()).unwrap();
    assert_eq!(
        files.iter().filter(|f| f.0.starts_with("frames/")).count(),
        31
    );

    // The clip is the frames, one for one, and the sidecar names the frame of each event.
    let path = rig.folder.path().join("clip.mp4");
    std::fs::write(&path, file("clip.mp4")).unwrap();
    let mut video = VideoFile::open(&path).unwrap();
    let sidecar: serde_json::Value = serde_json::from_str(&text("clip.json")).unwrap();
    for k in 0..31 {
        let frame = video.next_frame().unwrap().unwrap();
        assert!((frame.t_ms - k as f64 * 100.0).abs() < 1.0);
        assert_eq!(
            sidecar["frames"][k]["t_ms"],
            ZERO_MS + 3000.0 + k as f64 * 100.0
        );
    }
    assert!(video.next_frame().unwrap().is_none());
    let events = sidecar["events"].as_array().unwrap();
    let at: Vec<_> = events
        .iter()
        .map(|e| (e["what"].as_str().unwrap(), e["frame"].as_u64().unwrap()))
        .collect();
    assert_eq!(
        at,
        [
            ("touch", 10),
            ("release", 15),
            ("incident", 24),
            ("move", 24)
        ]
    );
    assert_eq!(file("stills/1-touch.jpg"), file("frames/00010.jpg"));
    assert_eq!(file("stills/3-move.jpg"), file("frames/00024.jpg"));

    // Explained in both languages, with every ruling.
    let english = text("explanation.en.txt");
    for part in [
        "4.3.1",
        "White touched the own knight on b1.",
        "Na3, Nc3",
        "seen by both",
        "taken back",
    ] {
        assert!(english.contains(part), "{part}: {english}");
    }
    let german = text("explanation.de.txt");
    for part in [
        "Weiß",
        "Artikel: 4.3.1",
        "bestätigt durch anna",
        "zurückgenommen",
    ] {
        assert!(german.contains(part), "{part}: {german}");
    }

    let checked = rig.check(&archive, Some(&rig.common.key.public())).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
    assert!(checked.key_given);
    // The incident, its frames, three rulings.
    assert_eq!((checked.rows, checked.frames), (5, 31));
    assert_eq!(checked.manifest.who, "anna");
    assert_eq!(
        rig.check(&pack(&files), None).unwrap().faults,
        Vec::<String>::new()
    );
}

#[test]
fn a_changed_byte_in_any_kind_of_file_shows() {
    let rig = Rig::new();
    let files = unpack(&rig.export());
    let mut kinds = 0;
    for index in 0..files.len() {
        let name = &files[index].0;
        if name.starts_with("frames/") && name != "frames/00012.jpg" {
            continue;
        }
        kinds += 1;
        let mut changed = files.clone();
        let middle = changed[index].1.len() / 2;
        changed[index].1[middle] ^= 1;
        match rig.check(&pack(&changed), None) {
            Ok(checked) => assert!(!checked.faults.is_empty(), "{name}"),
            // A manifest that is no JSON any more.
            Err(error) => assert!(name == MANIFEST, "{name}: {error}"),
        }
    }
    assert_eq!(kinds, 13);
}

#[test]
fn a_file_that_was_dropped_or_added_shows() {
    let rig = Rig::new();
    let archive = rig.export();
    let files = unpack(&archive);
    let says = |files: &[(String, Vec<u8>)], part: &str| {
        let faults = rig.check(&pack(files), None).unwrap().faults;
        assert!(
            faults.iter().any(|f| f.contains(part)),
            "{part}: {faults:?}"
        );
    };
    for name in [
        "clip.mp4",
        "frames/00000.jpg",
        "log.json",
        "explanation.de.txt",
    ] {
        let mut fewer = files.clone();
        fewer.retain(|f| f.0 != name);
        says(&fewer, &format!("{name} is missing"));
    }
    let mut unsigned = files.clone();
    unsigned.retain(|f| f.0 != SIGNATURE);
    says(&unsigned, "signature");
    let mut more = files.clone();
    more.push(("stills/4-proof.jpg".to_owned(), vec![1, 2, 3]));
    says(&more, "stills/4-proof.jpg was added");
    // Something between the files that no directory names, and a file named twice.
    let hidden = [&b"PK\x03\x04 something else"[..], &archive].concat();
    assert!(rig.check(&hidden, None).is_ok_and(|c| !c.faults.is_empty()));
}

#[test]
fn another_key_shows_when_the_right_one_was_noted() {
    let rig = Rig::new();
    let right = rig.common.key.public();
    // Whoever has the folder but not the key makes another one.
    std::fs::remove_file(rig.folder.path().join("station.key")).unwrap();
    let forger = Rig {
        common: Common::without_boards(rig.folder.path()),
        ..rig
    };
    let forged = forger.export();
    // By itself it is a sound bundle ...
    assert_eq!(
        forger.check(&forged, None).unwrap().faults,
        Vec::<String>::new()
    );
    // ... but not this station's.
    let faults = forger.check(&forged, Some(&right)).unwrap().faults;
    assert!(faults[0].contains("another key"), "{faults:?}");
    // Nor does it help to name the right key.
    let mut files = unpack(&forged);
    for (_, bytes) in files.iter_mut().filter(|f| f.0 == MANIFEST) {
        let text = String::from_utf8(bytes.clone()).unwrap();
        *bytes = text
            .replace(&forger.common.key.public(), &right)
            .into_bytes();
    }
    let faults = forger.check(&pack(&files), Some(&right)).unwrap().faults;
    assert!(faults[0].contains("does not fit"), "{faults:?}");
}

#[test]
fn frames_that_were_swapped_on_disk_before_the_export_are_not_those_of_the_log() {
    let rig = Rig::new();
    let kept = evidence_folder(rig.folder.path(), rig.incident);
    let pictures = std::fs::read_dir(&kept)
        .unwrap()
        .map(|e| e.unwrap().path())
        .find(|p| p.extension().is_some_and(|e| e == "mjpeg"))
        .unwrap();
    let mut bytes = std::fs::read(&pictures).unwrap();
    // In the tables of the first frame: the picture can still be read.
    let last = bytes.len() - 3;
    bytes[last] ^= 1;
    std::fs::write(&pictures, bytes).unwrap();
    let faults = rig.check(&rig.export(), None).unwrap().faults;
    assert!(faults[0].contains("the log says"), "{faults:?}");
}

#[test]
fn what_is_no_bundle_is_said_to_be_none() {
    let rig = Rig::new();
    for bytes in [
        b"".to_vec(),
        b"no zip".to_vec(),
        pack(&[("a.txt".to_owned(), vec![1])]),
    ] {
        let said = rig.check(&bytes, None).unwrap_err();
        assert!(matches!(said, BundleError::NoBundle { .. }), "{said}");
    }
}

#[test]
fn a_clip_of_any_span_has_its_frames_and_what_happened() {
    let rig = Rig::new();
    let clip = |from: f64, to: f64| {
        let span = (ZERO_MS + from, ZERO_MS + to);
        export_clip(&rig.common, (rig.board, "One"), span, "anna")
    };
    // Across two segments, the first of which a video stands for by now.
    footage::stored(&footage_folder(rig.folder.path(), rig.board)).unwrap()[0]
        .compress()
        .unwrap();
    let archive = bytes(clip(5_000.0, 11_050.0).unwrap());
    assert_eq!(
        rig.check(&archive, None).unwrap().faults,
        Vec::<String>::new()
    );
    let files = unpack(&archive);
    let sidecar = &files.iter().find(|f| f.0 == "clip.json").unwrap().1;
    let sidecar: serde_json::Value = serde_json::from_slice(sidecar).unwrap();
    assert_eq!(sidecar["frames"].as_array().unwrap().len(), 61);
    let moved = sidecar["events"].as_array().unwrap();
    let moved = moved.iter().find(|e| e["what"] == "move").unwrap();
    assert_eq!(
        (&moved["frame"], &moved["of"]["san"]),
        (&4.into(), &"d4".into())
    );
    let path = rig.folder.path().join("clip.mp4");
    std::fs::write(&path, &files.iter().find(|f| f.0 == "clip.mp4").unwrap().1).unwrap();
    assert_eq!(VideoFile::open(&path).unwrap().info().frames, Some(61));

    for (from, to) in [(5.0, 4.0), (0.0, LONGEST_MS + 1.0), (0.0, f64::NAN)] {
        let said = clip(from, to).unwrap_err();
        assert!(matches!(said, BundleError::Refused(_)), "{said}");
    }
    let said = clip(90_000.0, 91_000.0).unwrap_err();
    assert!(said.to_string().contains("no frames"), "{said}");
}
