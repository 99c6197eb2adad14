//! Small sequences with known scores.

use crate::{
    eval::{BadPicture, Reading, Share, Tracked, score_sequence},
    sequence::{Picture, SequenceTruth},
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
/// As [`E4`], with a bishop for the queen and no pawn on e4.
const E4_BADLY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBBKBNR";

pub(super) fn picture(
    file: &str,
    placement: &str,
    ply: Option<usize>,
    hand: Option<bool>,
) -> Picture {
    Picture {
        file: file.to_owned(),
        source_frame: None,
        placement: placement.to_owned(),
        ply,
        hand,
        corners: None,
        in_motion: false,
        occluder: None,
    }
}

/// Start, 1. e4 under a hand, 1. e4, unclear, and a piece in the air.
pub(super) fn truth() -> SequenceTruth {
    SequenceTruth {
        format: 1,
        name: "small".to_owned(),
        source: Some("real".to_owned()),
        corners: None,
        start_fen: Some(format!("{START} w KQkq - 0 1")),
        frames: vec![
            picture("a", START, Some(0), Some(false)),
            picture("b", E4, Some(1), Some(true)),
            picture("c", E4, Some(1), Some(false)),
            picture("d", E4, None, None),
            Picture {
                in_motion: true,
                ..picture("e", E4, Some(1), Some(true))
            },
        ],
        moves: vec!["e2e4".to_owned(), "e7e5".to_owned()],
    }
}

pub(super) fn reading(file: &str, placement: &str, hand: bool) -> Reading {
    Reading {
        file: file.to_owned(),
        placement: placement.to_owned(),
        hand,
        probability: 0.5,
    }
}

/// The labels, read perfectly.
pub(super) fn perfect(truth: &SequenceTruth) -> (Vec<Reading>, Tracked) {
    let read = |p: &Picture| reading(&p.file, &p.placement, p.hand == Some(true));
    let tracked = Tracked {
        moves: truth.moves.clone(),
        plies: truth.frames.iter().map(|p| p.ply.unwrap_or(0)).collect(),
    };
    (truth.frames.iter().map(read).collect(), tracked)
}

#[test]
fn labels_against_themselves_are_perfect() {
    let truth = truth();
    let (mut readings, tracked) = perfect(&truth);
    readings.reverse();
    let score = score_sequence(&truth, &readings, Some(&tracked));
    let of = Share::new;
    assert_eq!(
        (score.all.squares, score.all.boards),
        (of(256, 256), of(4, 4))
    );
    assert_eq!(score.hand_false.squares, of(128, 128));
    assert_eq!(
        (score.all.plies, score.hand_false.plies),
        (of(3, 3), of(2, 2))
    );
    assert_eq!(score.all.median_wrong_squares, Some(0));
    assert_eq!(score.moves.exact, of(1, 1));
    assert_eq!(
        (score.hand_recall, score.hand_false_positive),
        (of(2, 2), of(0, 2))
    );
    assert_eq!(score.bad_pictures, []);
}

#[test]
fn wrong_squares_plies_and_hands_are_counted_and_named() {
    let readings = [
        reading("a", START, true),
        reading("b", E4_BADLY, false),
        reading("c", E4, false),
        reading("d", E4, true),
        reading("e", E4_BADLY, true),
    ];
    let tracked = Tracked {
        moves: vec!["e2e4".to_owned()],
        plies: vec![0, 0, 1],
    };
    let score = score_sequence(&truth(), &readings, Some(&tracked));
    let of = Share::new;
    assert_eq!(score.all.squares, of(254, 256));
    assert_eq!(score.all.occupancy, of(255, 256));
    assert_eq!(score.all.colours, of(255, 256));
    assert_eq!(score.all.boards, of(3, 4));
    assert_eq!(score.hand_false.boards, of(2, 2));
    assert_eq!(score.all.plies, of(2, 3));
    assert_eq!(score.all.pictures_by_wrong_squares.get(&2), Some(&1));
    assert_eq!(
        (score.hand_recall, score.hand_false_positive),
        (of(1, 2), of(1, 2))
    );
    assert_eq!(
        (score.moves.edit_distance, score.moves.exact),
        (1, of(0, 1))
    );
    let bad = |file: &str, squares: &[&str], ply, hand| BadPicture {
        file: file.to_owned(),
        wrong_squares: squares.iter().map(|s| (*s).to_owned()).collect(),
        ply,
        hand,
    };
    let b = ["d1 Q read as B", "e4 P read as -"];
    assert_eq!(
        score.bad_pictures,
        [
            bad("a", &[], None, Some(true)),
            bad("b", &b, Some((1, Some(0))), Some(false)),
        ]
    );
}

#[test]
fn without_readings_everything_is_wrong() {
    let of = Share::new;
    let unread = reading("a", "no placement", false);
    for readings in [&[][..], &[unread]] {
        let score = score_sequence(&truth(), readings, None);
        assert_eq!(score.all.squares, of(0, 256));
        assert_eq!(score.all.occupancy, of(0, 256));
        assert_eq!((score.all.boards, score.all.plies), (of(0, 4), of(0, 3)));
        assert_eq!(score.all.median_wrong_squares, Some(64));
        assert_eq!(
            (score.hand_recall, score.hand_false_positive),
            (of(0, 2), of(0, 2))
        );
        assert_eq!(
            (score.moves.edit_distance, score.moves.exact),
            (2, of(0, 1))
        );
        assert_eq!(score.bad_pictures.len(), 5);
    }
}

#[test]
fn single_pictures_have_no_game() {
    let mut truth = truth();
    truth.moves.clear();
    truth.frames.iter_mut().for_each(|p| p.ply = None);
    let (readings, _) = perfect(&truth);
    let score = score_sequence(&truth, &readings, Some(&Tracked::default()));
    assert_eq!(
        (score.moves.labelled, score.moves.exact),
        (0, Share::new(0, 0))
    );
    assert_eq!(score.all.plies, Share::new(0, 0));
    assert_eq!(score.bad_pictures, []);
}

#[test]
fn the_median_is_over_pictures() {
    let truth = SequenceTruth {
        frames: ["a", "b", "c"].map(|f| picture(f, E4, None, None)).to_vec(),
        ..truth()
    };
    for (placements, median) in [
        ([E4, E4, E4_BADLY], 0),
        ([E4, E4_BADLY, E4_BADLY], 2),
        ([E4_BADLY, E4, "8/8/8/8/8/8/8/8"], 2),
    ] {
        let files = ["a", "b", "c"].into_iter().zip(placements);
        let readings: Vec<Reading> = files.map(|(f, p)| reading(f, p, false)).collect();
        let score = score_sequence(&truth, &readings, None);
        assert_eq!(
            score.all.median_wrong_squares,
            Some(median),
            "{placements:?}"
        );
    }
}
