//! The switches: open points read otherwise, kinds of games, supervision, penalties.

use adoube::rules::{
    AtOnce, BothRooks, Edition, HalfCastled, Ledger, OpenPoints, Penalty, RuleSet, Ruling, Several,
    Step, Supervision, TimeControl, Until, adjudicate, parse_fen, parse_script,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CASTLE: &str = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1";
const NO_SHORT: &str = "r3k2r/p1pp1ppp/bpn2n2/8/8/2N5/PPP2PPP/R3K2R w KQkq - 0 1";
const NO_KING_MOVE: &str = "3rk2r/p1p2ppp/bpn2n2/8/8/2N5/PPP2PPP/R3K2R w KQk - 0 1";

fn ruling(rules: RuleSet, fen: &str, events: &str) -> Ruling {
    let steps = parse_script(events).unwrap();
    adjudicate(parse_fen(fen).unwrap(), rules, &steps, false).unwrap()
}

#[test]
fn every_open_point_can_be_read_otherwise() {
    type Change = fn(&mut OpenPoints);
    // Edition, position, events, outcome by default, the change, outcome then; an outcome is the
    // number of moves at the checkpoint and the verdict.
    let cases: [(Edition, &str, &str, &str, Change, &str); 17] = [
        (
            Edition::Fide2023,
            START,
            "touch w d2,e2; ?; move w e2e4",
            "4 review",
            |p| p.at_once = AtOnce::Either,
            "4 ok",
        ),
        (
            Edition::Fide2014,
            "4k3/8/5p2/3p4/4P3/8/8/4K3 w - - 0 1",
            "touch w e4; touch w d5; touch w f6; ?; move w e4e5",
            "1 violation",
            |p| p.several = Several::FirstPiece,
            "2 ok",
        ),
        // One piece of each colour, however often it is touched, is what those texts speak of.
        (
            Edition::Fide2014,
            "4k3/8/5p2/3p4/4P3/8/8/4K3 w - - 0 1",
            "touch w e4; touch w e4; touch w d5; ?; move w e4e5",
            "1 violation",
            |p| p.several = Several::FirstPiece,
            "1 violation",
        ),
        (
            Edition::Fide2023,
            CASTLE,
            "touch w d2; touch w e1; touch w h1; ?; move w e1g1",
            "3 violation",
            |p| p.earlier_piece_first = false,
            "1 ok",
        ),
        (
            Edition::Fide2023,
            CASTLE,
            "touch w e1; touch w h1; touch w a1; ?; move w e1c1",
            "1 violation",
            |p| p.both_rooks = BothRooks::Either,
            "2 ok",
        ),
        (
            Edition::Fide2023,
            "3rk2r/p1p2ppp/bpn2n2/8/8/2N5/PPP2PPP/R3K2R w Qk - 0 1",
            "touch w e1; touch w h1; ?; move w a2a3",
            "22 ok",
            |p| p.attempt_needs_right = true,
            "2 violation",
        ),
        (
            Edition::Fide2023,
            NO_KING_MOVE,
            "touch w e1,h1; ?; move w a2a3",
            "22 ok",
            |p| p.illegal_attempt_binds_king = false,
            "2 violation",
        ),
        (
            Edition::Fide2014,
            START,
            "touch w g1 centre; ?; move w e2e4",
            "20 ok",
            |p| p.centring_binds = Some(true),
            "2 violation",
        ),
        (
            Edition::Fide2009,
            START,
            "touch w e2; ?; move w d2d4; adjust b; touch b g8",
            "2 claim_lost",
            |p| p.adjusting_costs_claim = false,
            "2 violation",
        ),
        (
            Edition::Fide1997,
            START,
            "lift w e2; ?; release w e4; lift w e4; release w e3; touch b g8",
            "2 violation",
            |p| p.claim_lost_for_all = Some(true),
            "2 claim_lost",
        ),
        (
            Edition::Fide2023,
            CASTLE,
            "lift w e1; release w g1; ?; clock w",
            "1 review",
            |p| p.half_castled = HalfCastled::Illegal,
            "1 illegal_completed",
        ),
        (
            Edition::Fide2023,
            START,
            "move w e2e4; adjust b; touch b d8; endadj b; ?",
            "20 ok",
            |p| p.flag_adjusting_before_clock = true,
            "20 irregularity",
        ),
        (
            Edition::Fide2023,
            START,
            "move w e2e4; clock w; adjust b; touch b d8; endadj b; ?",
            "20 ok",
            |p| p.flag_adjusting_before_clock = true,
            "20 ok",
        ),
        (
            Edition::Fide2023,
            START,
            "touch w e2; ?; move w d2d4; claim w",
            "2 review",
            |p| p.own_report_is_reviewed = false,
            "2 violation",
        ),
        (
            Edition::Fide2023,
            "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1",
            "lift w c4; touch w d5 via; ?; move w c4c5",
            "1 violation",
            |p| p.held_piece_touches = false,
            "2 ok",
        ),
        (
            Edition::Fide1997De,
            CASTLE,
            "touch w e1; touch w h1; ?; move w e1e2",
            "5 ok",
            |p| p.must_castle = Some(true),
            "1 violation",
        ),
        (
            Edition::Fide2023,
            NO_SHORT,
            "touch w e1,h1; ?; move w e1d2",
            "3 ok",
            |p| p.must_castle = Some(false),
            "3 ok",
        ),
    ];
    for (edition, fen, events, before, change, after) in cases {
        let mut rules = RuleSet::from(edition);
        let outcome = |rules| {
            let r: Ruling = ruling(rules, fen, events);
            format!("{} {}", r.obligation.moves.len(), r.verdict)
        };
        assert_eq!(outcome(rules), before, "{edition} {events}");
        change(&mut rules.points);
        assert_eq!(outcome(rules), after, "{edition} {events}, changed");
    }
}

#[test]
fn who_may_raise_a_breach_depends_on_edition_and_game() {
    use Supervision::{Full, Limited};
    use TimeControl::{Blitz, Rapid, Standard};
    // Edition, game, whether the arbiter acts unasked under full and under limited supervision.
    let cases = [
        (Edition::Fide1997, Standard, true, true),
        (Edition::Fide1997De, Rapid, false, false),
        (Edition::Fide2009, Rapid, true, false),
        (Edition::Fide2009, Standard, true, true),
        (Edition::Fide2014, Blitz, true, true),
        (Edition::Fide2023, Rapid, true, true),
        (Edition::Uscf7, Standard, false, false),
    ];
    for (edition, time, full, limited) in cases {
        for (supervision, arbiter) in [(Full, full), (Limited, limited)] {
            let rules = RuleSet {
                time,
                supervision,
                ..edition.into()
            };
            let mut ledger = Ledger::new(parse_fen(START).unwrap(), rules);
            for event in ["touch w e2", "move w d2d4"] {
                ledger.apply(&event.parse().unwrap()).unwrap();
            }
            let raise = ledger.raise(&ledger.breaches()[0]);
            assert_eq!(
                (raise.opponent, raise.arbiter),
                (true, arbiter),
                "{edition} {time}"
            );
            assert_eq!(raise.until, Until::OpponentTouches);
            ledger.apply(&"clock w".parse().unwrap()).unwrap();
            assert!(ledger.breaches()[0].confirmed);
            ledger.apply(&"touch b g8".parse().unwrap()).unwrap();
            let raise = ledger.raise(&ledger.breaches()[0]);
            assert_eq!(raise.until, Until::Closed, "{edition}");
        }
    }
}

#[test]
fn until_when_a_breach_may_be_raised_depends_on_what_was_broken() {
    use Supervision::{Full, Limited};
    use TimeControl::{Blitz, Standard};
    use Until::{AnyTime, Discretion, OpponentMoves, OpponentTouches};
    let released = "lift w e2; release w e4; lift w e4; release w e3";
    let illegal = "move w b1d3; clock w";
    let touched = "touch w e2; move w d2d4";
    let cases = [
        (Edition::Fide2023, Standard, Full, illegal, AnyTime),
        (Edition::Fide2023, Blitz, Limited, illegal, OpponentMoves),
        (Edition::Fide2023, Standard, Full, "touch b g8", Discretion),
        (Edition::Fide2023, Standard, Full, released, OpponentTouches),
        (Edition::Fide1997, Standard, Full, released, AnyTime),
        (Edition::Fide1997, Standard, Full, touched, OpponentTouches),
    ];
    for (edition, time, supervision, events, until) in cases {
        let rules = RuleSet {
            time,
            supervision,
            ..edition.into()
        };
        let mut ledger = Ledger::new(parse_fen(START).unwrap(), rules);
        for event in events.split("; ") {
            ledger.apply(&event.parse().unwrap()).unwrap();
        }
        let found = ledger.raise(&ledger.breaches()[0]).until;
        assert_eq!(found, until, "{edition} {events}");
    }
}

#[test]
fn an_illegal_move_stands_after_the_reply_only_without_arbiters_enough() {
    let events = "move w b1d3; clock w; ?; move b e7e5";
    for (time, supervision, verdict) in [
        (
            TimeControl::Standard,
            Supervision::Limited,
            "illegal_completed",
        ),
        (TimeControl::Blitz, Supervision::Full, "illegal_completed"),
        (TimeControl::Blitz, Supervision::Limited, "claim_lost"),
    ] {
        let rules = RuleSet {
            time,
            supervision,
            ..Edition::Fide2023.into()
        };
        assert_eq!(
            ruling(rules, START, events).verdict.as_str(),
            verdict,
            "{time}"
        );
    }
}

#[test]
fn penalties_are_those_of_the_table() {
    use Penalty::{Loss, Minutes, NoneFixed, WinOnClaim};
    use TimeControl::{Blitz, Rapid, Standard};
    let cases = [
        (
            Edition::Fide1997,
            Standard,
            [NoneFixed, NoneFixed, NoneFixed],
        ),
        (Edition::Fide2001, Standard, [Minutes(2), Minutes(2), Loss]),
        (
            Edition::Fide2009,
            Blitz,
            [WinOnClaim, WinOnClaim, WinOnClaim],
        ),
        (Edition::Fide2014, Standard, [Minutes(2), Loss, Loss]),
        (Edition::Fide2014, Rapid, [Loss, Loss, Loss]),
        (Edition::Fide2018, Rapid, [Minutes(2), Loss, Loss]),
        (Edition::Fide2018, Blitz, [Minutes(1), Loss, Loss]),
        (Edition::Fide2023, Rapid, [Minutes(1), Loss, Loss]),
    ];
    for (edition, time, wanted) in cases {
        let rules = RuleSet {
            time,
            ..edition.into()
        };
        assert_eq!(
            [1, 2, 3].map(|n| rules.penalty(n)),
            wanted,
            "{edition} {time}"
        );
    }
}

#[test]
fn a_script_is_judged_up_to_its_first_impossible_event() {
    let steps: Vec<Step> = parse_script("touch w e2; lift w e5").unwrap();
    let error =
        adjudicate(parse_fen(START).unwrap(), Edition::Fide2023, &steps, false).unwrap_err();
    assert_eq!(error.index, 1);
}
