//! What an announcement changes: the same adjusting hand, announced before the touch, after it, at the
//! same moment, or not at all.

use std::path::Path;

use adoube::{
    events::{
        Announcement, Draft, Findings, Hearing, Phrase, Thresholds, position_from_fen, weigh,
    },
    record::{ContactKind, Incident, Severity},
    review::{LogReader, log::engine_for},
    rules::{Edition, Played},
};
use shakmaty::{Chess, Color, Piece, Role, Square, uci::UciMove};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// When the first piece is touched, milliseconds.
const TOUCH_MS: f64 = 5000.0;

/// White's hand on a knight that stays where it is.
fn handled(kind: ContactKind, square: Square, touch_ms: f64) -> Draft {
    Draft {
        player: Color::White,
        hand: Some(1),
        side: None,
        from: Some(square),
        piece: Piece {
            color: Color::White,
            role: Role::Knight,
        },
        kind,
        touch_ms,
        lift_ms: None,
        place_ms: None,
        release_ms: touch_ms + 800.0,
        to: Some(square),
        probability: 1.0,
        guessed: false,
        resumed: false,
    }
}

/// What the Laws make of White's handling these and then playing e4.
fn judged(contacts: &[Draft], announced: &[Announcement]) -> Vec<Incident> {
    let start: Chess = position_from_fen(START).unwrap();
    let mv = "e2e4".parse::<UciMove>().unwrap().to_move(&start).unwrap();
    let played = Played::Legal {
        mv,
        made_ms: 20_000,
    };
    let hearing = Hearing {
        listening: true,
        announced: announced.to_vec(),
    };
    let thresholds = Thresholds::default();
    weigh(
        Edition::Fide2023,
        &start,
        contacts,
        played,
        1.0,
        &thresholds,
        &hearing,
    )
}

/// "J'adoube", 0.6 s long, begun so much before the touch.
fn jadoube(ahead_ms: f64) -> Announcement {
    Announcement {
        ms: TOUCH_MS - ahead_ms + 600.0,
        duration_ms: 600.0,
        phrase: Some(Phrase::Jadoube),
        probability: 0.9,
    }
}

fn adjusted() -> Draft {
    handled(ContactKind::Adjust, Square::G1, TOUCH_MS)
}

/// The one incident of its kind.
#[track_caller]
fn only(incidents: &[Incident], kind: &str) -> Incident {
    let of: Vec<&Incident> = incidents.iter().filter(|i| i.kind == kind).collect();
    let [incident] = of.as_slice() else {
        panic!("{incidents:?}");
    };
    (*incident).clone()
}

#[test]
fn without_notice_a_person_is_asked_to_look() {
    let incident = only(&judged(&[adjusted()], &[]), "adjust_without_notice");
    assert_eq!(incident.severity, Some(Severity::Review));
    assert_eq!(incident.probability, Some(1.0));
    let told = incident.explanation.join(" ");
    assert!(told.contains("No announcement was heard."), "{told}");
}

#[test]
fn notice_before_the_touch_covers_the_hand_and_is_never_trusted_alone() {
    let found = judged(&[adjusted()], &[jadoube(500.0)]);
    let incident = only(&found, "adjust_without_notice");
    assert_eq!(incident.severity, Some(Severity::Log));
    assert_eq!(incident.probability, Some(0.1));
    let told = incident.explanation.join(" ");
    assert!(
        told.contains("\u{201c}j'adoube\u{201d} was heard at 4.5 s"),
        "{told}"
    );
    assert!(told.contains("500 ms before the touch."), "{told}");
}

#[test]
fn a_late_word_changes_nothing_and_its_delay_is_told() {
    let found = judged(&[adjusted()], &[jadoube(-400.0)]);
    let incident = only(&found, "adjust_without_notice");
    assert_eq!(incident.severity, Some(Severity::Review));
    assert_eq!(incident.probability, Some(1.0));
    let told = incident.explanation.join(" ");
    assert!(told.contains("400 ms after the touch: too late."), "{told}");
}

#[test]
fn a_word_begun_at_the_moment_of_the_touch_counts_half() {
    let incident = only(
        &judged(&[adjusted()], &[jadoube(0.0)]),
        "adjust_without_notice",
    );
    assert_eq!(incident.probability, Some(0.55));
}

#[test]
fn a_word_begun_long_before_covers_nothing() {
    let incident = only(
        &judged(&[adjusted()], &[jadoube(8000.0)]),
        "adjust_without_notice",
    );
    assert_eq!(incident.severity, Some(Severity::Review));
}

#[test]
fn several_pieces_are_adjusted_under_one_announcement_while_the_hand_goes_on() {
    let second = |ms| handled(ContactKind::Adjust, Square::B1, TOUCH_MS + ms);
    let severities = |ms| {
        let found = judged(&[adjusted(), second(ms)], &[jadoube(500.0)]);
        let all = found.iter().filter(|i| i.kind == "adjust_without_notice");
        all.map(|i| i.severity.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(severities(2000.0), [Severity::Log, Severity::Log]);
    assert_eq!(severities(9000.0), [Severity::Log, Severity::Review]);
}

#[test]
fn a_touch_under_notice_binds_nobody() {
    let touch = || handled(ContactKind::Touch, Square::G1, TOUCH_MS);
    let silent = only(&judged(&[touch()], &[]), "touch_move");
    assert_eq!(silent.severity, Some(Severity::Alert));
    let notice = only(&judged(&[touch()], &[jadoube(500.0)]), "touch_move");
    assert_eq!(notice.severity, Some(Severity::Log));
    assert_eq!(notice.obliged, silent.obliged);
}

#[test]
fn an_announcement_noted_by_hand_counts_and_is_kept() {
    let noted = Announcement::by_hand(TOUCH_MS - 300.0);
    let incident = only(&judged(&[adjusted()], &[noted]), "adjust_without_notice");
    assert_eq!(incident.severity, Some(Severity::Log));
    let told = incident.explanation.join(" ");
    assert!(told.contains("announced by hand at 4.7 s"), "{told}");
}

#[test]
fn who_waits_is_not_excused_by_an_announcement() {
    let black = Draft {
        player: Color::Black,
        from: Some(Square::G8),
        to: Some(Square::G8),
        piece: Piece {
            color: Color::Black,
            role: Role::Knight,
        },
        ..handled(ContactKind::Touch, Square::G8, TOUCH_MS)
    };
    let found = judged(&[black], &[jadoube(500.0)]);
    let said: Vec<&str> = found.iter().map(|i| i.kind.as_str()).collect();
    assert_eq!(said, ["touch_by_opponent", "adjust_out_of_turn"]);
}

/// The log of the shipped clip, in which a knight is touched and a pawn played, with announcements.
fn replayed(announced: &[Announcement]) -> Findings {
    let mut log = LogReader::open(Path::new("tests/data/touch-move.zst")).unwrap();
    let mut engine = engine_for(log.header()).unwrap().listening(true);
    let mut announced = announced.to_vec();
    while let Some(mut seen) = log.next_frame().unwrap() {
        let known = |a: &mut Announcement| a.ms + 200.0 <= seen.t_ms;
        seen.announced = announced.extract_if(.., known).collect();
        engine.observe(&seen);
    }
    engine.finish()
}

#[test]
fn what_was_heard_goes_through_the_engine_with_the_frames() {
    let knight = |found: &Findings| {
        let all = found.incidents.iter().filter(|i| i.kind == "touch_move");
        all.max_by(|a, b| a.probability.unwrap().total_cmp(&b.probability.unwrap()))
            .unwrap()
            .clone()
    };
    let silent = replayed(&[]);
    let contact = knight(&silent).contact.unwrap();
    let touch_ms = silent
        .contacts
        .iter()
        .find(|c| c.id == contact)
        .unwrap()
        .touch_ms;
    assert_ne!(knight(&silent).severity, Some(Severity::Log));
    let said = |ahead_ms: f64| Announcement {
        ms: touch_ms - ahead_ms + 600.0,
        ..jadoube(0.0)
    };

    let notice = replayed(&[said(500.0)]);
    assert_eq!(knight(&notice).severity, Some(Severity::Log));
    assert_eq!(notice.hearing.announced.len(), 1);

    // Black's pawn was let go at 5.4 s: what was said before that was not said for this turn.
    let before = replayed(&[said(touch_ms - 4500.0)]);
    assert_eq!(knight(&before).severity, knight(&silent).severity);

    let late = replayed(&[said(-300.0)]);
    assert_eq!(knight(&late).severity, knight(&silent).severity);
    let told = knight(&late).explanation.join(" ");
    assert!(told.contains("after the touch: too late"), "{told}");
}
