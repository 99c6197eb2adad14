//! Recordings that begin in the middle of a game: with its score sheet, each finds its own place.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::common::{CLIP, Review, ffmpeg, moves, name};

/// The other clip that ships with the project: a camera above the board.
const ABOVE: &str = "tests/data/from-above.mp4";

/// A review of a video with a score sheet.
fn with_score(video: &Path, score: &str) -> Review {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("game.pgn");
    fs::write(&pgn, score).unwrap();
    Review::of(video, &["--pgn", name(&pgn)])
}

/// What is said of the moves before the recording.
fn unseen(review: &Review) -> Option<&str> {
    let (_, said) = review.said.split_once("note: The first ")?;
    Some(said.split_once(" before the recording begins")?.0)
}

#[test]
fn a_late_recording_finds_its_place_in_the_score_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let video = folder.path().join("late.mp4");
    let cases = [
        // So near the start that the start would do.
        (
            CLIP,
            "3.6",
            "1. e4 e5 2. d4 exd4 3. c3",
            &["e7e5", "d2d4"][..],
            "move was played",
        ),
        (
            CLIP,
            "5.6",
            "1. e4 e5 2. d4 exd4 3. c3",
            &["d2d4"],
            "2 moves were played",
        ),
        (
            ABOVE,
            "8.6",
            "1. f4 Nh6 2. f5 b5 3. e4",
            &["f4f5", "b7b5"],
            "2 moves were played",
        ),
    ];
    for (clip, from, score, found, before) in cases {
        let sharp = ["-c:v", "libx264", "-crf", "16"];
        assert!(ffmpeg(&["-ss", from, "-i", clip], &sharp, &video));
        let review = with_score(&video, score);
        assert_eq!(moves(&review.record), found, "{clip} from {from}");
        assert_eq!(
            unseen(&review),
            Some(before),
            "{clip} from {from}: {}",
            review.said
        );
        assert!(review.file("game.pgn").contains("they were not seen"));
    }
}

#[test]
fn a_recording_of_the_whole_game_begins_with_it() {
    let told = with_score(Path::new(CLIP), "1. e4 e5 2. d4 exd4 3. c3");
    let alone = Review::of(Path::new(CLIP), &[]);
    assert_eq!(unseen(&told), None, "{}", told.said);
    assert_eq!(told.file("result.json"), alone.file("result.json"));
}

#[test]
fn a_position_that_came_again_is_told_by_what_followed() {
    let folder = tempfile::tempdir().unwrap();
    let video = folder.path().join("late.mp4");
    let sharp = ["-c:v", "libx264", "-crf", "16"];
    assert!(ffmpeg(&["-ss", "5.6", "-i", CLIP], &sharp, &video));
    let review = with_score(&video, "1. e4 e5 2. Nf3 Nf6 3. Ng1 Ng8 4. d4 *");
    assert_eq!(
        unseen(&review),
        Some("6 moves were played"),
        "{}",
        review.said
    );
    assert!(
        review
            .said
            .contains("The moves found are those of the PGN.")
    );
}

#[test]
fn middles_of_rendered_games_are_found() {
    let Some(shared) = std::env::var_os("ADOUBE_SHARED").map(PathBuf::from) else {
        println!("skipped: ADOUBE_SHARED is not set");
        return;
    };
    let italian = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5";
    let games = [
        (
            "castle-rook-first",
            format!("{italian} 4. O-O Nf6 5. d3 O-O"),
            8,
        ),
        (
            "castle-two-hands",
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O Nxe4".to_owned(),
            6,
        ),
        (
            "clean-capture-castle",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O Bd6".to_owned(),
            6,
        ),
        ("hover-only", format!("{italian} 4. h3 Nf6"), 6),
        ("jadoube-adjust", format!("{italian} 4. d3 d6"), 6),
        (
            "quick-reply-bump-light",
            "1. e4 e5 2. Nf3 Nc6 3. d4 exd4 4. Nxd4 Nxd4".to_owned(),
            4,
        ),
        (
            "touch-enemy-no-capture",
            "1. e4 e5 2. Nf3 g5 3. Nxg5 Nh6".to_owned(),
            4,
        ),
        ("touch-move", format!("{italian} 4. d3 Nf6"), 6),
    ];
    for (clip, score, before) in games {
        let video = shared.join(format!("bench/rendered/dev-{clip}.mp4"));
        let review = with_score(&video, &score);
        let want = format!("{before} moves were played");
        assert_eq!(unseen(&review), Some(&want[..]), "{clip}: {}", review.said);
    }
}
