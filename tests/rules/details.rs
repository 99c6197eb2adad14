//! Small points of the ledger, each of which a change of the code once left unnoticed: what is
//! played, and what the Laws say to it.

use std::collections::BTreeMap;

use adoube::rules::{
    Breach, Edition, Event, EventProblem, Ledger, RuleSet, Step, Supervision, TimeControl,
    TouchFlag, parse_fen, parse_script,
};
use shakmaty::Color;
use shakmaty::uci::UciMove;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const PROMOTES: &str = "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1";

/// A ledger after events; a `?` asks for the obligation.
fn played(rules: impl Into<RuleSet>, fen: &str, events: &str) -> Ledger {
    let mut ledger = Ledger::new(parse_fen(fen).unwrap(), rules);
    for step in parse_script(events).unwrap() {
        match step {
            Step::Event(event) => ledger.apply(&event).unwrap(),
            Step::Checkpoint => ledger.ask(),
        }
    }
    ledger
}

/// The verdict, the articles, and how many moves are left.
fn outcome(ledger: &Ledger) -> String {
    let articles = ledger.articles().join(", ");
    let moves = ledger.obligation().moves.len();
    format!("{} | {articles} | {moves}", ledger.verdict())
}

/// The rows of a table, those that name a position left out, and the named positions.
fn table(text: &str) -> (Vec<&str>, BTreeMap<&str, &str>) {
    let lines = text
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    let (named, rows): (Vec<&str>, Vec<&str>) = lines.partition(|l| l.contains(" = "));
    (
        rows,
        named.iter().filter_map(|l| l.split_once(" = ")).collect(),
    )
}

#[test]
fn outcomes() {
    let text = std::fs::read_to_string("tests/data/rules_outcomes.txt").unwrap();
    let (rows, positions) = table(&text);
    let mut wrong = Vec::new();
    for line in rows {
        let mut fields = line.splitn(4, " | ");
        let mut field = || fields.next().unwrap_or_else(|| panic!("{line}"));
        let (edition, fen, events, wanted) = (field(), field(), field(), field());
        let fen = positions.get(fen).copied().unwrap_or(fen);
        let found = outcome(&played(edition.parse::<Edition>().unwrap(), fen, events));
        if found != wanted {
            wrong.push(format!("{line}\n   found {found}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Events, and under them the facts as an arbiter is told them.
#[test]
fn reasons() {
    let text = std::fs::read_to_string("tests/data/rules_reasons.txt").unwrap();
    let (rows, positions) = table(&text);
    let mut wrong = Vec::new();
    for block in rows.chunk_by(|_, next| next.starts_with("  ")) {
        let [line, wanted @ ..] = block else { continue };
        let mut fields = line.splitn(3, " | ");
        let mut field = || fields.next().unwrap_or_else(|| panic!("{line}"));
        let (rules, fen, events) = (field(), positions[field()], field());
        let mut rules_read =
            RuleSet::from(rules.split(' ').next().unwrap().parse::<Edition>().unwrap());
        if rules.ends_with(" after-touch") {
            rules_read.points.arbiter_after_touch = true;
        }
        let found = played(rules_read, fen, events).explain();
        if !found.iter().eq(wanted.iter().map(|l| l.trim_start())) {
            wrong.push(format!("{line}\n  {}", found.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn only_an_illegal_move_stands_once_it_is_answered() {
    let rules = RuleSet {
        time: TimeControl::Rapid,
        supervision: Supervision::Limited,
        ..RuleSet::from(Edition::Fide2023)
    };
    for (events, wanted) in [
        (
            "move w b1d3; clock w; move b e7e5",
            "ILLEGAL 7.5.1 w --1 Lost",
        ),
        (
            "touch b g8; move w e2e4",
            "TOUCH_BY_OPPONENT 11.5 b 0-0 Open",
        ),
        (
            "touch w e2; move w d2d4; takeback w; move w e2e4; clock w; move b e7e5",
            "OWN 4.3.1 w 0-1 Corrected",
        ),
        (
            "touch w e2; move w d2d4; claim b; move w e2e4; clock w; move b e7e5",
            "OWN 4.3.1 w 0-1 Corrected",
        ),
    ] {
        assert_eq!(breaches(&played(rules, START, events)), wanted, "{events}");
    }
}

#[test]
fn an_obligation_says_what_it_allows_and_what_created_it() {
    let cases = [
        ("adjust w; touch w d2; endadj w", None, true, true),
        ("touch w d8; null w; touch w e2", Some(2), true, false),
        ("lift w e2; release w e4; takeback w", Some(1), true, false),
    ];
    for (events, cause, e2e4, d2d4) in cases {
        let bound = played(Edition::Fide2023, START, events).obligation();
        let allows = |uci: &str| bound.allows(uci.parse().unwrap());
        assert_eq!(bound.cause(), cause, "{events}");
        assert_eq!((allows("e2e4"), allows("d2d4")), (e2e4, d2d4), "{events}");
    }
}

#[test]
fn the_facts_are_told_in_words() {
    let ledger = played(Edition::Fide2023, START, "touch w e2");
    assert_eq!(ledger.explain()[0], "White touched the own pawn on e2.");
    let german = ledger.explain_in(adoube::rules::Language::German);
    assert_eq!(german[0], "Weiß hat den eigenen Bauern auf e2 berührt.");
    // What binds is one fact; a breach adds two, and that a person decides adds one.
    for (events, facts, deferred) in [
        ("move w e2e4", 1, 2),
        ("touch w e2; move w d2d4", 3, 4),
        ("touch w d2,e2; move w e2e4", 2, 2),
    ] {
        let mut ledger = played(Edition::Fide2023, START, events);
        assert_eq!(ledger.facts().len(), facts, "{events}");
        ledger.defer();
        assert_eq!(ledger.facts().len(), deferred, "{events}");
    }
}

/// Each breach as code, article, player, the events that caused and completed it, and status.
fn breaches(ledger: &Ledger) -> String {
    let line = |b: &Breach| {
        let cause = b.cause.map_or("-".to_owned(), |c| c.to_string());
        let player = b.player.char();
        format!(
            "{} {} {player} {cause}-{} {:?}",
            b.code, b.article, b.at, b.status
        )
    };
    let lines: Vec<String> = ledger.breaches().iter().map(line).collect();
    lines.join("; ")
}

#[test]
fn breaches_are_listed() {
    use Edition::{Fide2009, Fide2023};
    let cases = [
        (Fide2023, START, "move w e2e4; clock w", ""),
        (
            Fide2023,
            START,
            "move w e2e4 2h; clock w",
            "TWO_HANDS 4.1 w 0-0 Open; TWO_HANDS 7.5.4 w 0-1 Open",
        ),
        (
            Fide2009,
            START,
            "move w e2e4 2h; clock w",
            "TWO_HANDS 4.1 w 0-0 Open",
        ),
        (
            Fide2023,
            START,
            "move w e2e4; clock w x",
            "CLOCK_OTHER_HAND 6.2.3 w --1 Open",
        ),
        // A move that was taken back is not on the board when the clock is pressed.
        (
            Fide2023,
            START,
            "lift w e2; release w e4; takeback w; clock w",
            "RELEASE 4.7 w 1-2 Open; ILLEGAL 7.5.3 w --3 Open",
        ),
        // Pieces taken up or off by a player who does not have the move.
        (
            Fide2023,
            START,
            "move w e2e4; lift w e4; lift w d2",
            "TOUCH_BY_OPPONENT 11.5 w 2-2 Open",
        ),
        (
            Fide2023,
            START,
            "move w e2e4; remove w d7",
            "TOUCH_BY_OPPONENT 11.5 w 1-1 Open",
        ),
        // What a move that is taken back broke is put right.
        (
            Fide2023,
            START,
            "move w e2e4 2h; takeback w",
            "TWO_HANDS 4.1 w 0-0 Corrected",
        ),
        (
            Fide2023,
            START,
            "touch w e2; move w d2d4; takeback w",
            "OWN 4.3.1 w 0-1 Corrected",
        ),
        (
            Fide2023,
            START,
            "touch b g8; move w d2d4 2h; takeback w",
            "TOUCH_BY_OPPONENT 11.5 b 0-0 Open; TWO_HANDS 4.1 w 1-1 Corrected",
        ),
        // A good move does not put right what was broken in the turn before.
        (
            Edition::Fide1997,
            START,
            "lift w e2; release w e4; lift w e4; release w e3; clock w; move b e7e5; clock b; move w d2d4",
            "RELEASE 4.7 w 1-3 Open",
        ),
    ];
    let mut wrong = Vec::new();
    for (edition, fen, events, wanted) in cases {
        let found = breaches(&played(edition, fen, events));
        if found != wanted {
            wrong.push(format!(
                "{edition} {events}\n   wanted {wanted}\n   found  {found}"
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn what_cannot_have_happened_is_refused() {
    let cases = [
        (START, "lift w e2; lift w e2", "there is no piece on e2"),
        (
            START,
            "lift w e2; release w e5; touch w e2",
            "there is no piece on e2",
        ),
        (
            PROMOTES,
            "remove w e7; touch w e7",
            "there is no piece on e7",
        ),
        (
            PROMOTES,
            "lift w e7; release w e8; remove w e8; touch w e8",
            "there is no piece on e8",
        ),
        (START, "null w; place w e4", "no piece is held"),
        (START, "null w; return w", "no piece is held"),
        (
            START,
            "move w e2e4; clock w; takeback w",
            "there is no move to take back",
        ),
        (START, "null w; release w e4", "no piece is held"),
        (START, "move w e2e4; lift w e5", "there is no piece on e5"),
        (
            START,
            "move w e2e4; lift w e4; return w; lift w e5",
            "there is no piece on e5",
        ),
        (
            PROMOTES,
            "place w e8 Q; return w; touch w e8",
            "there is no piece on e8",
        ),
        (
            PROMOTES,
            "place w e8 Q; release w e8 Q; return w",
            "no piece is held",
        ),
        (
            START,
            "null w; remove w e2",
            "the piece on e2 is neither captured nor promoted",
        ),
        (
            "8/R7/7k/8/8/8/8/K7 w - - 0 1",
            "null w; remove w a7",
            "the piece on a7 is neither captured nor promoted",
        ),
    ];
    for (fen, events, wanted) in cases {
        let (before, last) = events.rsplit_once("; ").unwrap();
        let mut ledger = played(Edition::Fide2023, fen, before);
        let error = ledger.apply(&last.parse().unwrap()).unwrap_err();
        assert_eq!(error.problem.to_string(), wanted, "{events}");
    }
}

#[test]
fn a_position_that_is_set_begins_a_turn() {
    // An illegal move that is left on the board is a breach, unless the clock has made it one.
    for (events, wanted) in [
        ("touch w e2", ""),
        ("touch w e2; move w b1d3", "ILLEGAL 7.5.1 w 1-1 Open"),
        ("move w b1d3; clock w", "ILLEGAL 7.5.1 w --1 Open"),
    ] {
        let mut ledger = played(Edition::Fide2023, START, events);
        ledger.set_position(parse_fen(&START.replace(" w ", " b ")).unwrap());
        assert_eq!(breaches(&ledger), wanted, "{events}");
        assert_eq!(outcome(&ledger), "no_obligation |  | 20", "{events}");
        for event in ["touch b e7", "move b d7d5"] {
            ledger.apply(&event.parse().unwrap()).unwrap();
        }
        assert_eq!(ledger.breaches().last().unwrap().turn, 1, "{events}");
    }
}

#[test]
fn events_that_no_text_can_say_are_refused_and_change_nothing() {
    let mut ledger = played(Edition::Fide2023, START, "move w e2e4");
    let player = Color::White;
    let no_square = Event::Touch {
        player,
        squares: Vec::new(),
        flag: TouchFlag::Deliberate,
    };
    let no_move = Event::Move {
        player,
        uci: UciMove::Null,
        two_hands: false,
    };
    for (event, problem) in [
        (no_square, EventProblem::NoSquare),
        (no_move, EventProblem::NotAMove(UciMove::Null)),
    ] {
        assert_eq!(ledger.apply(&event).unwrap_err().problem, problem);
        assert_eq!(outcome(&ledger), "ok |  | 20");
        assert_eq!(ledger.player(), Color::Black);
    }
}
