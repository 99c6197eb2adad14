//! Observations of anything, and films with mishaps: the engine may find what it likes in them, but
//! in order, and the same each time.

use crate::acting::{
    CALM, HASTY, Habits, Noise, Promotions, Script, Seat, check_order, check_turns, config, film,
    scripts, seat, watch,
};
use adoube::{
    calibration::view::Corners,
    events::{
        Announcement,
        observation::{CONTENTS, HandReading, Observation, SquareReading},
    },
    record::{HandSide, Severity},
};
use proptest::prelude::*;
use shakmaty::Chess;

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -2000.0_f32..2000.0,
        1 => prop::num::f32::NORMAL | prop::num::f32::ZERO | prop::num::f32::SUBNORMAL,
        1 => prop::sample::select(vec![0.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, -1e-30]),
    ]
}

fn garbled_square() -> impl Strategy<Value = SquareReading> {
    let log_p = prop_oneof![
        prop::collection::vec(number(), CONTENTS),
        prop::collection::vec(-9.0_f32..0.0, CONTENTS),
    ];
    (any::<u8>(), prop_oneof![number(), 0.0_f32..1.0], log_p).prop_map(|(square, hidden, log_p)| {
        SquareReading {
            square: square % 80,
            hidden,
            log_p: log_p.try_into().unwrap(),
        }
    })
}

fn garbled_hand() -> impl Strategy<Value = HandReading> {
    let points = prop::collection::vec((number(), number()), 8);
    let values = prop::collection::vec(number(), 4);
    (0_u32..4, any::<bool>(), number(), number(), points, values).prop_map(
        |(id, left, presence, from_white, points, values)| HandReading {
            id,
            side: if left {
                HandSide::Left
            } else {
                HandSide::Right
            },
            presence,
            from_white,
            pinch_px: points[0].into(),
            tips_px: std::array::from_fn(|i| points[i + 1].into()),
            wrist_px: points[6].into(),
            knuckles_px: points[7].into(),
            height_squares: values[0],
            aperture_squares: values[1],
            touches: values[2],
            lifts: values[3],
        },
    )
}

fn garbled_corners() -> impl Strategy<Value = Corners> {
    let wild = prop::collection::vec(number().prop_map(f64::from), 8)
        .prop_map(|v| Corners::from_order(std::array::from_fn(|i| [v[2 * i], v[2 * i + 1]])));
    prop_oneof![wild, seat().prop_map(|s| s.view().corners)]
}

/// An observation of anything, so many milliseconds after the last one.
fn garbled() -> impl Strategy<Value = (f64, Observation)> {
    (
        prop_oneof![9 => 0.0_f64..60.0, 1 => 0.0_f64..5000.0],
        prop::collection::vec(garbled_square(), 0..12),
        prop_oneof![Just(0), any::<u64>()],
        prop_oneof![Just(0), any::<u64>()],
        prop::collection::vec(garbled_hand(), 0..3),
        prop::option::weighted(0.05, garbled_corners()),
        any::<bool>(),
        prop::option::weighted(0.1, garbled_announcement()),
    )
        .prop_map(
            |(after_ms, squares, moving, changed, hands, corners, disturbed, announced)| {
                let seen = Observation {
                    t_ms: 0.0,
                    squares,
                    moving,
                    changed,
                    altered: 0,
                    learnt: 0,
                    covered: 0,
                    hands,
                    corners,
                    disturbed,
                    announced: announced.into_iter().collect(),
                };
                (after_ms, seen)
            },
        )
}

/// At any time, for any length, with any probability.
fn garbled_announcement() -> impl Strategy<Value = Announcement> {
    (any::<f64>(), any::<f64>(), 0.0..=1.0).prop_map(|(ms, duration_ms, probability)| {
        Announcement {
            ms,
            duration_ms,
            phrase: None,
            probability,
        }
    })
}

fn garbage() -> impl Strategy<Value = Vec<Observation>> {
    prop::collection::vec(garbled(), 0..150).prop_map(|parts| {
        let mut t_ms = 0.0;
        let timed = parts.into_iter().map(|(after_ms, seen)| {
            t_ms += after_ms;
            Observation { t_ms, ..seen }
        });
        timed.collect()
    })
}

/// What befalls one frame of a film.
#[derive(Debug, Clone)]
enum Mishap {
    /// It is lost, and so many after it.
    Lost(usize),
    /// It shows anything.
    Garbled(Observation),
    /// Its hands get numbers of their own.
    Renumbered,
    /// The camera jumps to another seat without a word.
    Elsewhere(Corners),
}

fn mishap() -> impl Strategy<Value = Mishap> {
    prop_oneof![
        3 => (1_usize..90).prop_map(Mishap::Lost),
        3 => garbled().prop_map(|(_, seen)| Mishap::Garbled(seen)),
        2 => Just(Mishap::Renumbered),
        1 => garbled_corners().prop_map(Mishap::Elsewhere),
    ]
}

/// What befalls the frames of a film, and which ones.
fn mishaps() -> impl Strategy<Value = Vec<(prop::sample::Index, Mishap)>> {
    prop::collection::vec((any::<prop::sample::Index>(), mishap()), 0..12)
}

/// A hasty game, with or without promotions.
fn any_script() -> impl Strategy<Value = Script> {
    let promoting = Habits {
        promotions: Promotions::Any,
        ..HASTY
    };
    prop_oneof![scripts(4, HASTY), scripts(4, promoting)]
}

/// The film of a script after some mishaps.
fn spoil(
    script: &Script,
    seat: Seat,
    mishaps: &[(prop::sample::Index, Mishap)],
) -> Vec<Observation> {
    let mut seen = film(script, &seat.view(), Noise::default(), 3);
    for (at, mishap) in mishaps {
        let at = at.index(seen.len());
        let t_ms = seen[at].t_ms;
        match mishap {
            Mishap::Lost(count) => {
                let end = (at + count).min(seen.len() - 1);
                seen.drain(at.min(end)..end);
            }
            Mishap::Garbled(other) => {
                seen[at] = Observation {
                    t_ms,
                    ..other.clone()
                };
            }
            Mishap::Renumbered => seen[at..]
                .iter_mut()
                .flat_map(|o| &mut o.hands)
                .for_each(|h| h.id += 100),
            Mishap::Elsewhere(corners) => seen[at].corners = Some(*corners),
        }
    }
    seen
}

/// What a camera or a network may do to frames that are themselves right.
#[derive(Debug, Clone)]
enum Hitch {
    /// One is dropped.
    Dropped,
    /// One comes twice.
    Doubled,
    /// Two come in the wrong order, with their times.
    Swapped,
    /// None comes for a second.
    Gap,
}

fn hitches() -> impl Strategy<Value = Vec<(prop::sample::Index, Hitch)>> {
    let hitch = prop_oneof![
        4 => Just(Hitch::Dropped),
        4 => Just(Hitch::Doubled),
        4 => Just(Hitch::Swapped),
        1 => Just(Hitch::Gap),
    ];
    prop::collection::vec((any::<prop::sample::Index>(), hitch), 0..24)
}

/// The film of a script with hitches in the stream of frames.
fn hitched(
    script: &Script,
    seat: Seat,
    hitches: &[(prop::sample::Index, Hitch)],
) -> Vec<Observation> {
    let mut seen = film(script, &seat.view(), Noise::default(), 3);
    for (at, hitch) in hitches {
        let at = at.index(seen.len());
        match hitch {
            Hitch::Dropped => {
                seen.remove(at);
            }
            Hitch::Doubled => seen.insert(at, seen[at].clone()),
            Hitch::Swapped => {
                let next = (at + 1).min(seen.len() - 1);
                seen.swap(at, next);
            }
            Hitch::Gap => {
                let end = (at + 30).min(seen.len() - 1).max(at);
                seen.drain(at..end);
            }
        }
    }
    seen
}

fn through_json(seen: &[Observation]) -> Vec<Observation> {
    seen.iter()
        .map(|o| serde_json::from_str(&serde_json::to_string(o).unwrap()).unwrap())
        .collect()
}

proptest! {
    #![proptest_config(config(40, 2))]

    #[test]
    fn no_observations_upset_the_engine(seen in garbage(), seat in seat()) {
        let findings = watch(&Chess::default(), seat, &seen);
        check_order(&findings)?;
        check_turns(&findings)?;
    }

    #[test]
    fn no_times_upset_the_engine(
        mut seen in garbage(),
        times in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::ZERO, 150),
    ) {
        for (observation, t_ms) in seen.iter_mut().zip(times) {
            observation.t_ms = t_ms;
        }
        let _ = watch(&Chess::default(), Seat::SideOn, &seen);
    }
}

proptest! {
    #![proptest_config(config(32, 3))]

    #[test]
    fn moves_of_a_spoiled_film_are_made_one_after_the_other(
        script in any_script(), seat in seat(), mishaps in mishaps(),
    ) {
        let seen = spoil(&script, seat, &mishaps);
        check_turns(&watch(&script.start, seat, &seen))?;
    }

    #[test]
    fn a_spoiled_film_leaves_the_findings_in_order(
        script in any_script(), seat in seat(), mishaps in mishaps(),
    ) {
        let seen = spoil(&script, seat, &mishaps);
        check_order(&watch(&script.start, seat, &seen))?;
    }
}

proptest! {
    #![proptest_config(config(48, 7))]

    #[test]
    fn hitches_in_the_stream_invent_no_alert(
        script in scripts(5, CALM), seat in seat(), hitches in hitches(),
    ) {
        let findings = watch(&script.start, seat, &hitched(&script, seat, &hitches));
        check_order(&findings)?;
        check_turns(&findings)?;
        let alert = findings.incidents.iter().find(|i| i.severity == Some(Severity::Alert));
        prop_assert_eq!(alert, None);
    }
}

proptest! {
    // Each case runs three times.
    #![proptest_config(config(10, 6))]

    #[test]
    fn the_same_observations_give_the_same_findings(
        script in any_script(), seat in seat(), mishaps in mishaps(),
    ) {
        let seen = spoil(&script, seat, &mishaps);
        let first = watch(&script.start, seat, &seen);
        let again = watch(&script.start, seat, &seen);
        prop_assert_eq!(format!("{first:?}"), format!("{again:?}"));
        let read_back = through_json(&seen);
        prop_assert_eq!(&read_back, &seen);
        let replayed = watch(&script.start, seat, &read_back);
        prop_assert_eq!(format!("{first:?}"), format!("{replayed:?}"));
    }
}
