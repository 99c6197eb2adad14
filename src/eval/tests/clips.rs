//! Small clips with known scores.

use proptest::prelude::*;

use super::{contact, incident, record};
use crate::{
    eval::{ClipScore, Counts, Event, How, Share, What, score_clip, score_failed_clip},
    record::{Contact, ContactKind, Incident, Player, Record, Severity},
};

fn counts(tp: usize, fp: usize, missed: usize) -> Counts {
    Counts { tp, fp, missed }
}

/// Touch, lift, place and release.
fn edges(score: &ClipScore) -> [Counts; 4] {
    [&score.touch, &score.lift, &score.place, &score.release].map(|t| t.counts)
}

fn game() -> Record {
    record(
        vec![
            contact(ContactKind::Touch, "b1", "b1", 1000.0),
            contact(ContactKind::Move, "d2", "d3", 3000.0),
            contact(ContactKind::CaptureRemoval, "e5", "-", 6000.0),
            contact(ContactKind::PromotionPlacement, "-", "e8", 9000.0),
        ],
        &["d2d3", "g8f6"],
        vec![incident(3800.0, None)],
    )
}

fn shifted(record: &Record, by_ms: f64) -> Record {
    let mut record = record.clone();
    for c in &mut record.contacts {
        c.touch_ms += by_ms;
        c.release_ms += by_ms;
        c.lift_ms = c.lift_ms.map(|t| t + by_ms);
        c.place_ms = c.place_ms.map(|t| t + by_ms);
    }
    record
}

#[test]
fn labels_against_themselves_are_perfect() {
    let score = score_clip(&game(), &game());
    let (four, three, two) = (counts(4, 0, 0), counts(3, 0, 0), counts(2, 0, 0));
    assert_eq!(edges(&score), [four, three, two, four]);
    assert_eq!(score.touch.median_error_ms, Some(0.0));
    assert_eq!(score.moves.exact, Share::new(1, 1));
    assert_eq!(score.kind, Share::new(4, 4));
    assert_eq!(score.incidents.counts, counts(1, 0, 0));
    assert_eq!(score.incidents.article, Share::new(1, 1));
    assert_eq!(score.incidents.obliged, Share::new(1, 1));
    assert!(score.corner_error_squares.is_some_and(|e| e < 1e-9));
    assert!((score.hours - 0.01).abs() < 1e-12);
    assert_eq!(score.events, []);
}

#[test]
fn times_count_within_their_tolerance() {
    for (source, by_ms, right) in [
        ("rendered", 149.0, true),
        ("rendered", -150.0, true),
        ("rendered", 151.0, false),
        ("real", 151.0, true),
        ("real", -249.0, true),
        ("real", 251.0, false),
    ] {
        let mut truth = game();
        truth.source = Some(source.to_owned());
        let score = score_clip(&truth, &shifted(&truth, by_ms));
        let want = if right {
            counts(4, 0, 0)
        } else {
            counts(0, 4, 4)
        };
        assert_eq!(score.touch.counts, want, "{source} {by_ms}");
        assert_eq!(score.release.counts, want, "{source} {by_ms}");
        let median = right.then_some(f64::abs(by_ms));
        assert_eq!(score.touch.median_error_ms, median, "{source} {by_ms}");
        if right {
            assert_eq!(score.touch.errors_ms, [by_ms; 4]);
        }
    }
}

#[test]
fn squares_and_kinds_must_agree() {
    use ContactKind::{Adjust, CaptureRemoval, Move, PromotionPlacement, Touch};
    let (hit, miss, none) = (counts(1, 0, 0), counts(0, 1, 1), counts(0, 0, 0));
    for (name, want, got, edges_want, kind) in [
        (
            "another origin",
            (Move, "e2", "e4"),
            (Move, "d2", "e4"),
            [miss, miss, hit, hit],
            (0, 0),
        ),
        (
            "another square at the end",
            (Move, "e2", "e4"),
            (Move, "e2", "e3"),
            [hit, hit, miss, miss],
            (1, 1),
        ),
        (
            "off the board: the origin stands for the end",
            (CaptureRemoval, "e5", "-"),
            (CaptureRemoval, "e5", "-"),
            [hit, hit, none, hit],
            (1, 1),
        ),
        (
            "from beside the board",
            (PromotionPlacement, "-", "e8"),
            (PromotionPlacement, "-", "e8"),
            [hit, hit, hit, hit],
            (1, 1),
        ),
        (
            "another kind of the same group",
            (Move, "e2", "e4"),
            (CaptureRemoval, "e2", "e4"),
            [miss, miss, miss, miss],
            (1, 1),
        ),
        (
            "another kind",
            (Touch, "e2", "e2"),
            (Adjust, "e2", "e2"),
            [miss, none, none, miss],
            (0, 1),
        ),
    ] {
        let one = |(kind, square, to)| record(vec![contact(kind, square, to, 1000.0)], &[], vec![]);
        let score = score_clip(&one(want), &one(got));
        assert_eq!(edges(&score), edges_want, "{name}");
        assert_eq!((score.kind.part, score.kind.of), kind, "{name}");
    }
}

#[test]
fn order_of_rows_does_not_matter_and_swapped_squares_do() {
    let truth = game();
    let mut found = game();
    found.contacts.reverse();
    assert_eq!(score_clip(&truth, &found).touch.counts, counts(4, 0, 0));

    let mut found = game();
    found.contacts[0].square = Some("d2".to_owned());
    found.contacts[1].square = Some("b1".to_owned());
    assert_eq!(score_clip(&truth, &found).touch.counts, counts(2, 2, 2));
}

#[test]
fn the_nearest_detection_is_taken() {
    let touches = |times: &[f64]| {
        let rows = times
            .iter()
            .map(|t| contact(ContactKind::Touch, "e2", "e2", *t));
        record(rows.collect(), &[], vec![])
    };
    for (want, got, counted, errors) in [
        (
            &[1000.0][..],
            &[900.0, 1010.0][..],
            counts(1, 1, 0),
            &[10.0][..],
        ),
        (&[1000.0, 1100.0], &[1090.0], counts(1, 0, 1), &[-10.0]),
        (
            &[1000.0, 1100.0],
            &[1090.0, 1110.0],
            counts(2, 0, 0),
            &[110.0, -10.0],
        ),
        (&[1000.0], &[], counts(0, 0, 1), &[]),
        (&[], &[1000.0], counts(0, 1, 0), &[]),
    ] {
        let score = score_clip(&touches(want), &touches(got));
        assert_eq!(score.touch.counts, counted, "{want:?} {got:?}");
        assert_eq!(score.touch.errors_ms, errors, "{want:?} {got:?}");
    }
}

#[test]
fn unsure_labels_are_not_scored() {
    let all = game();
    let nothing = record(vec![], &[], vec![]);
    for (unsure, found, touch, release, kind) in [
        (
            "contacts[1].touch_ms",
            &all,
            counts(3, 0, 0),
            counts(4, 0, 0),
            3,
        ),
        (
            "contacts[1].kind",
            &all,
            counts(4, 0, 0),
            counts(4, 0, 0),
            3,
        ),
        ("contacts[1]", &all, counts(3, 0, 0), counts(3, 0, 0), 3),
        (
            "contacts[11].touch_ms",
            &all,
            counts(4, 0, 0),
            counts(4, 0, 0),
            4,
        ),
        (
            "contacts[1].touch_ms",
            &nothing,
            counts(0, 0, 3),
            counts(0, 0, 4),
            0,
        ),
        // Too far from the unsure label to belong to it.
        (
            "contacts[1].touch_ms",
            &shifted(&all, 400.0),
            counts(0, 4, 3),
            counts(0, 4, 4),
            0,
        ),
    ] {
        let mut truth = all.clone();
        truth.unsure = vec![unsure.to_owned()];
        let score = score_clip(&truth, found);
        assert_eq!(score.touch.counts, touch, "{unsure}");
        assert_eq!(score.release.counts, release, "{unsure}");
        assert_eq!(score.kind, Share::new(kind, kind), "{unsure}");
    }
    let mut truth = game();
    truth.unsure = vec!["incidents[0].ms".to_owned()];
    assert_eq!(score_clip(&truth, &all).incidents.counts, counts(0, 0, 0));
    assert_eq!(
        score_clip(&truth, &nothing).incidents.counts,
        counts(0, 0, 0)
    );
}

#[test]
fn incidents_match_by_kind_player_and_time() {
    let at = |ms| incident(ms, None);
    let with = |change: fn(&mut Incident)| {
        let mut changed = at(5000.0);
        change(&mut changed);
        changed
    };
    let black = with(|i| i.player = Player::Black);
    let other = with(|i| i.kind = "two_hands".to_owned());
    let article = with(|i| i.article = "4.3.2".to_owned());
    let obliged = with(|i| i.obliged.truncate(1));
    let turned = with(|i| i.obliged.reverse());
    for (name, found, want, article_right, obliged_right) in [
        ("same", vec![at(5000.0)], counts(1, 0, 0), 1, 1),
        ("a second late", vec![at(6000.0)], counts(1, 0, 0), 1, 1),
        ("later", vec![at(6001.0)], counts(0, 1, 1), 0, 0),
        ("twice", vec![at(4500.0), at(5100.0)], counts(1, 1, 0), 1, 1),
        ("nothing", vec![], counts(0, 0, 1), 0, 0),
        ("another player", vec![black], counts(0, 1, 1), 0, 0),
        ("another kind", vec![other], counts(0, 1, 1), 0, 0),
        ("another article", vec![article], counts(1, 0, 0), 0, 1),
        ("other moves", vec![obliged], counts(1, 0, 0), 1, 0),
        (
            "moves in another order",
            vec![turned],
            counts(1, 0, 0),
            1,
            1,
        ),
    ] {
        let truth = record(vec![], &[], vec![at(5000.0)]);
        let score = score_clip(&truth, &record(vec![], &[], found)).incidents;
        assert_eq!(score.counts, want, "{name}");
        let right = (score.article.part, score.obliged.part);
        assert_eq!(right, (article_right, obliged_right), "{name}");
        assert_eq!(score.article.of, want.tp, "{name}");
    }
}

#[test]
fn what_is_only_logged_is_not_shown() {
    let truth = record(vec![], &[], vec![incident(5000.0, None)]);
    let found = [
        (5000.0, Severity::Review),
        (15000.0, Severity::Alert),
        (20000.0, Severity::Review),
        (25000.0, Severity::Log),
    ];
    let found = found.map(|(ms, severity)| incident(ms, Some(severity)));
    let score = score_clip(&truth, &record(vec![], &[], found.to_vec())).incidents;
    assert_eq!(score.counts, counts(1, 2, 0));
    assert_eq!(score.alerts, Share::new(0, 1));
    assert_eq!(score.reviews, Share::new(1, 2));
}

#[test]
fn the_first_wrong_move_is_named() {
    for (found, edit_distance, detail) in [
        (&["d2d3", "g8f6"][..], 0, None),
        (&["d2d3"], 1, Some("ply 2: g8f6 read as nothing")),
        (&["d2d4", "g8f6"], 1, Some("ply 1: d2d3 read as d2d4")),
        (
            &["d2d3", "g8f6", "e2e4"],
            1,
            Some("ply 3: nothing read as e2e4"),
        ),
        (&[], 2, Some("ply 1: d2d3 read as nothing")),
    ] {
        let truth = record(vec![], &["d2d3", "g8f6"], vec![]);
        let score = score_clip(&truth, &record(vec![], found, vec![]));
        assert_eq!(score.moves.edit_distance, edit_distance, "{found:?}");
        assert_eq!(score.moves.exact.part, usize::from(edit_distance == 0));
        let named = score.events.first().map(|e| e.detail.as_str());
        assert_eq!(named, detail, "{found:?}");
    }
}

#[test]
fn events_say_what_when_and_where() {
    let mut found = game();
    found.contacts.remove(1);
    found.contacts[0].kind = ContactKind::Adjust;
    let score = score_clip(&game(), &found);
    let mut seen: Vec<(What, How, f64, &str)> = score
        .events
        .iter()
        .map(|e: &Event| (e.what, e.how, e.ms, e.detail.as_str()))
        .collect();
    assert!(seen.is_sorted_by(|a, b| a.2 <= b.2));
    seen.retain(|e| e.2 != 1800.0);
    assert_eq!(
        seen,
        [
            (What::Touch, How::Missed, 1000.0, "White touch P b1"),
            (What::Touch, How::False, 1000.0, "White adjust P b1"),
            (
                What::Kind,
                How::Wrong,
                1000.0,
                "White touch P b1 taken for an adjustment"
            ),
            (What::Touch, How::Missed, 3000.0, "White move P d2"),
            (What::Lift, How::Missed, 3200.0, "White move P d2"),
            (What::Place, How::Missed, 3600.0, "White move P d3"),
            (What::Release, How::Missed, 3800.0, "White move P d3"),
        ]
    );
}

#[test]
fn corners_are_compared_in_squares() {
    let mut found = game();
    found.corners.h8[0] += 25.0;
    found.corners.a1[1] += 10.0;
    let off = score_clip(&game(), &found).corner_error_squares;
    assert!(off.is_some_and(|e| (e - 0.5).abs() < 1e-9), "{off:?}");
    found.corners.a8 = [f64::NAN; 2];
    assert_eq!(score_clip(&game(), &found).corner_error_squares, None);
}

#[test]
fn a_failed_run_has_everything_missed() {
    let score = score_failed_clip(&game());
    let missed = |n| counts(0, 0, n);
    assert_eq!(edges(&score), [missed(4), missed(3), missed(2), missed(4)]);
    assert_eq!(score.incidents.counts, missed(1));
    assert_eq!(score.moves.edit_distance, 2);
    assert_eq!(
        (score.hours, score.frames, score.corner_error_squares),
        (0.0, 0, None)
    );
    // Not even a clip without moves is exact.
    let still = score_failed_clip(&record(vec![], &[], vec![]));
    assert_eq!(still.moves.exact, Share::new(0, 1));
}

const KINDS: [ContactKind; 7] = [
    ContactKind::Move,
    ContactKind::CaptureRemoval,
    ContactKind::Touch,
    ContactKind::Adjust,
    ContactKind::Brush,
    ContactKind::PromotionRemoval,
    ContactKind::PromotionPlacement,
];

fn any_contact() -> impl Strategy<Value = Contact> {
    let square = || prop::sample::select(vec!["e2", "e4", "d5", "-"]);
    (
        prop::sample::select(KINDS.to_vec()),
        square(),
        square(),
        0_u32..2000,
    )
        .prop_map(|(kind, square, to, ms)| contact(kind, square, to, f64::from(ms)))
}

fn any_incident() -> impl Strategy<Value = Incident> {
    let severity = prop::option::of(prop::sample::select(vec![
        Severity::Review,
        Severity::Alert,
    ]));
    (any::<bool>(), 0_u32..5000, severity).prop_map(|(black, ms, severity)| Incident {
        player: if black { Player::Black } else { Player::White },
        ..incident(f64::from(ms), severity)
    })
}

fn any_record() -> impl Strategy<Value = Record> {
    let moves = prop::collection::vec(prop::sample::select(vec!["e2e4", "e7e5", "g1f3"]), 0..6);
    let unsure = (
        0_usize..8,
        prop::sample::select(vec!["touch_ms", "lift_ms", "release_ms"]),
    )
        .prop_map(|(i, field)| format!("contacts[{i}].{field}"));
    (
        prop::collection::vec(any_contact(), 0..8),
        moves,
        prop::collection::vec(any_incident(), 0..4),
        prop::collection::vec(unsure, 0..3),
    )
        .prop_map(|(contacts, moves, incidents, unsure)| Record {
            unsure,
            ..record(contacts, &moves, incidents)
        })
}

proptest! {
    #[test]
    fn any_record_against_itself_is_perfect(r in any_record()) {
        let score = score_clip(&r, &r);
        prop_assert_eq!(&score.events, &[]);
        prop_assert!(edges(&score).iter().all(|c| c.perfect()));
        prop_assert!(score.incidents.counts.perfect());
        prop_assert_eq!(score.incidents.counts.tp, r.incidents.len());
        prop_assert_eq!(score.kind.part, score.kind.of);
        prop_assert_eq!(score.moves.exact.part, 1);
    }

    #[test]
    fn every_label_and_every_detection_is_counted_once(a in any_record(), b in any_record()) {
        let truth = Record { unsure: Vec::new(), ..a };
        let score = score_clip(&truth, &b);
        for c in [score.touch.counts, score.release.counts] {
            prop_assert_eq!(c.tp + c.missed, truth.contacts.len());
            prop_assert_eq!(c.tp + c.fp, b.contacts.len());
        }
        let i = score.incidents;
        prop_assert_eq!(i.counts.tp + i.counts.missed, truth.incidents.len());
        prop_assert_eq!(i.counts.tp + i.counts.fp, i.alerts.of + i.reviews.of);
        prop_assert_eq!(i.counts.tp, i.alerts.part + i.reviews.part);
    }
}
