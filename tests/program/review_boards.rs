//! Recordings of several boards: clips put side by side, of which each must still give its game.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use crate::common::{self, CLIP, adoube, ffmpeg, moves, name, shown, text};

/// The other clip that ships with the project: a camera above the board.
const ABOVE: &str = "tests/data/from-above.mp4";
/// The games of the clips.
const GAME: [&str; 3] = ["e2e4", "e7e5", "d2d4"];
const GAME_ABOVE: [&str; 4] = ["f2f4", "g8h6", "f4f5", "b7b5"];

/// Clips in one picture, each behind a filter and at its place.
fn hall(clips: &[(&str, &str, &str)], file: &Path) {
    let inputs: Vec<&str> = clips.iter().flat_map(|c| ["-i", c.0]).collect();
    let filters = clips.iter().enumerate();
    let filters = filters.map(|(i, c)| format!("[{i}]{},fps=30[v{i}];", c.1));
    let places: Vec<&str> = clips.iter().map(|c| c.2).collect();
    let graph = format!(
        "{}{}xstack=inputs={}:layout={}:fill=0x606060",
        filters.collect::<String>(),
        (0..clips.len())
            .map(|i| format!("[v{i}]"))
            .collect::<String>(),
        clips.len(),
        places.join("|")
    );
    let sharp = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "16"];
    let output = [&["-filter_complex", &graph][..], &sharp].concat();
    assert!(ffmpeg(&inputs, &output, file), "{graph}");
}

fn review(video: &Path, boards: &str, out: &Path) -> Output {
    adoube(&[
        "review",
        name(video),
        "--boards",
        boards,
        "--out",
        name(out),
    ])
}

fn result(out: &Path, board: &str) -> adoube::record::Record {
    common::record(&out.join(board).join("result.json"))
}

#[test]
fn each_board_of_a_hall_gives_its_own_game() {
    let folder = tempfile::tempdir().unwrap();
    let (video, out) = (folder.path().join("hall.mp4"), folder.path().join("out"));
    // The third one runs over the right edge of the picture.
    let clips = [
        (ABOVE, "null", "960_60"),
        (CLIP, "null", "0_0"),
        (CLIP, "crop=560:540:0:0", "1040_540"),
    ];
    hall(&clips, &video);
    fs::write(
        folder.path().join("hall-2.pgn"),
        "[White \"Ann\"]\n1. f4 Nh6 2. f5 b5 *",
    )
    .unwrap();
    let run = review(&video, "all", &out);
    let said = text(&run.stdout);
    assert_eq!(run.status.code(), Some(3), "{said} {}", text(&run.stderr));
    assert!(said.contains("2 boards\n"), "{said}");
    assert!(
        said.contains("was left out: the board is partly out of view"),
        "{said}"
    );
    assert_eq!(moves(&result(&out, "board-1")), GAME);
    assert_eq!(moves(&result(&out, "board-2")), GAME_ABOVE);
    assert_eq!(shown(&result(&out, "board-1")).len(), 1);
    assert!(!out.join("board-3").exists());
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    for words in [
        "Review of 2 games",
        "<a href=\"board-1/report.html\">Board 1</a>",
        "<a href=\"board-2/report.html\">Ann \u{2013} ?</a>",
        "was left out",
    ] {
        assert!(page.contains(words), "{words} is not in {page}");
    }
    // What belongs to a board shows that board alone.
    let window = result(&out, "board-1").window.unwrap();
    assert!(
        window.left + window.width <= 1100 && window.width >= 600,
        "{window:?}"
    );
    assert!(out.join("board-1/clips/incident-1.mp4").exists());

    // Nothing is done twice, and one is enough where one is asked for.
    let again = text(&review(&video, "all", &out).stdout);
    assert_eq!(again.matches("done before").count(), 2, "{again}");
}

#[test]
fn board_files_say_which_boards_there_are_and_in_which_order() {
    let folder = tempfile::tempdir().unwrap();
    let (video, out) = (folder.path().join("hall.mp4"), folder.path().join("out"));
    hall(&[(CLIP, "null", "0_0"), (ABOVE, "null", "960_60")], &video);
    let boards = folder.path().join("boards");
    fs::create_dir(&boards).unwrap();
    let file = "name = \"first\"\nwidth = 1600\nheight = 540\n[corners]\na1 = [1155.0, 362.0]\nh1 = [1405.0, 365.0]\nh8 = [1406.0, 114.0]\na8 = [1158.0, 114.0]\n";
    fs::write(boards.join("table-7.toml"), file).unwrap();
    let run = review(&video, name(&boards), &out);
    assert!(
        matches!(run.status.code(), Some(0 | 3)),
        "{}",
        text(&run.stderr)
    );
    assert_eq!(moves(&result(&out, "board-table-7")), GAME_ABOVE);
}

#[test]
fn several_boards_without_being_asked_for_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let (video, out) = (folder.path().join("hall.mp4"), folder.path().join("out"));
    hall(&[(CLIP, "null", "0_0"), (CLIP, "null", "960_0")], &video);
    let run = adoube(&["review", name(&video), "--out", name(&out)]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        text(&run.stderr).contains("--boards all"),
        "{}",
        text(&run.stderr)
    );
    // More than there are: those that are there are reviewed, and the rest is said.
    let run = review(&video, "3", &out);
    assert_eq!(run.status.code(), Some(1), "{}", text(&run.stderr));
    assert!(
        text(&run.stdout).contains("1 board less was found"),
        "{}",
        text(&run.stdout)
    );
    for board in ["board-1", "board-2"] {
        assert_eq!(moves(&result(&out, board)), GAME, "{board}");
    }
}

#[test]
fn four_boards_of_four_kinds() {
    let Some(shared) = std::env::var_os("ADOUBE_SHARED").map(PathBuf::from) else {
        println!("skipped: ADOUBE_SHARED is not set");
        return;
    };
    let bench = shared.join("bench");
    let real = bench.join("real/scholars-mate.avi");
    let rendered = bench.join("rendered/dev-adjust-without-notice.mp4");
    let folder = tempfile::tempdir().unwrap();
    let (video, out) = (folder.path().join("hall.mp4"), folder.path().join("out"));
    let clips = [
        (CLIP, "null", "0_0"),
        (ABOVE, "null", "960_60"),
        (name(&real), "null", "100_540"),
        (name(&rendered), "null", "960_540"),
    ];
    hall(&clips, &video);
    let run = review(&video, "4", &out);
    assert_eq!(run.status.code(), Some(3), "{}", text(&run.stderr));
    let games: [&[&str]; 4] = [
        &GAME,
        &GAME_ABOVE,
        &["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"],
        &["d2d4", "g8f6"],
    ];
    for (number, game) in (1..).zip(games) {
        assert_eq!(
            moves(&result(&out, &format!("board-{number}"))),
            game,
            "{number}"
        );
    }
}
