//! Small points of the ledger, each of which a change of the code once left unnoticed: what is
//! played, and what the Laws say to it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use adoube::rules::{
    Breach, Edition, Event, EventProblem, Ledger, Step, TouchFlag, parse_fen, parse_script,
};
use shakmaty::Color;
use shakmaty::uci::UciMove;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CASTLE: &str = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1";
const NO_SHORT: &str = "r3k2r/p1pp1ppp/bpn2n2/8/8/2N5/PPP2PPP/R3K2R w KQkq - 0 1";
const PROMOTES: &str = "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1";
const NO_KING_MOVE: &str = "3rk2r/p1p2ppp/bpn2n2/8/8/2N5/PPP2PPP/R3K2R w KQk - 0 1";
const MATES: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
const ITALIAN: &str = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 6 5";
const TWO_TAKE: &str = "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1";

/// A ledger after events; a `?` asks for the obligation.
fn played(edition: Edition, fen: &str, events: &str) -> Ledger {
    let mut ledger = Ledger::new(parse_fen(fen).unwrap(), edition);
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

#[test]
fn outcomes() {
    use Edition::{Fide1997, Fide2001, Fide2009, Fide2023, Uscf7};
    let cases = [
        // A lift after a touch of the same piece is one contact with it, as a lift alone.
        (
            Fide2023,
            TWO_TAKE,
            "touch w d5; lift w c4; release w c5",
            "violation | 4.3.2 | 7",
        ),
        (
            Fide2023,
            TWO_TAKE,
            "touch w d5; touch w c4; lift w c4; release w c5",
            "violation | 4.3.2 | 7",
        ),
        // Touching the new piece is no touch of a piece of the position.
        (
            Fide2001,
            "4k3/8/8/8/8/8/p7/4K2R w K - 0 1",
            "move w h1h2; clock w; place b a1 Q; touch b a1",
            "ok |  | 9",
        ),
        // A piece taken up while adjusting is touched by its release: what bound before was nothing.
        (
            Fide2023,
            START,
            "touch w d8; adjust w; lift w e2; release w e4",
            "ok | 4.5 | 20",
        ),
        // A piece touched twice was touched.
        (
            Fide2023,
            CASTLE,
            "touch w d2; touch w d2; touch w e1; touch w h1",
            "pending | 4.3.1 | 3",
        ),
        // A piece that cannot move, touched before king and rook, does not hinder castling.
        (
            Fide2023,
            CASTLE,
            "touch w c2; touch w e1; touch w h1",
            "pending | 4.4.1 | 1",
        ),
        // A king put on a castled square, where castling is illegal: the king must move.
        (
            Fide2023,
            NO_SHORT,
            "lift w e1; release w g1",
            "illegal_pending | 4.4.3 | 3",
        ),
        (
            Fide2023,
            NO_SHORT,
            "touch w a2; lift w e1; release w g1",
            "illegal_pending | 4.3.1 | 2",
        ),
        // What was broken first decides; not what the player does out of turn afterwards.
        (
            Fide2023,
            START,
            "touch w e2; move w d2d4; touch w a2",
            "violation | 4.3.1 | 20",
        ),
        // An upheld claim is not complied with; the text of 2001 has no article for it.
        (
            Fide2023,
            START,
            "touch w e2; move w d2d4; claim b; move w d2d3",
            "violation | 4.3.1, 11.7 | 20",
        ),
        (
            Fide2001,
            START,
            "touch w e2; move w d2d4; claim b; move w d2d3",
            "violation | 4.3(a) | 20",
        ),
        // A touch that does not cost the right to claim is named after the breach.
        (
            Fide1997,
            START,
            "lift w e2; release w e4; lift w e4; release w e3; touch b g8",
            "violation | 4.7, 4.6 | 2",
        ),
        // What decided castling, in the second turn as in the first.
        (
            Fide2023,
            CASTLE,
            "move w a2a3; clock w; lift b e8; release b g8; clock b",
            "review | 4.7.2 | 1",
        ),
        // Two hands, before and after the clock, and where the opponent has touched a piece.
        (
            Fide2023,
            START,
            "move w e2e4 2h",
            "illegal_pending | 4.1 | 20",
        ),
        (
            Fide2023,
            START,
            "move w e2e4 2h; clock w",
            "illegal_completed | 7.5.4 | 20",
        ),
        (Fide2009, START, "move w e2e4 2h", "irregularity | 4.1 | 20"),
        (
            Fide2009,
            START,
            "move w e2e4 2h; touch b g8",
            "irregularity | 4.1, 4.7 | 2",
        ),
        // A release that can no longer be claimed is named before the clause on claims, whatever
        // else was lost with it.
        (
            Fide2009,
            START,
            "lift w e2; release w e4; takeback w; move w e2e3 2h; touch b g8",
            "claim_lost | 4.6, 4.7, 1.1 | 2",
        ),
        // What binds is named with an illegal move, not with an empty press of the clock.
        (
            Fide2023,
            START,
            "touch w e2; null w; clock w",
            "illegal_completed | 7.5.3 | 2",
        ),
        (
            Fide2023,
            START,
            "move w a1a5",
            "illegal_pending | 7.5.1 | 20",
        ),
        // Unannounced centring binds by the clause on intent.
        (Fide2023, START, "touch w g1 centre", "pending | 4.2.2 | 2"),
        // A touch between the opponent's move and his clock binds since the move was made.
        (
            Fide2023,
            START,
            "move w e2e4; touch b g8",
            "pending | 1.3, 4.3.1 | 2",
        ),
        // Accidental contact does not cost the right to claim, which is said first.
        (
            Fide2023,
            START,
            "touch w e2; move w d2d4; touch b g8 acc",
            "violation | 4.8, 4.3.1 | 20",
        ),
        (
            Fide1997,
            START,
            "move w a2a3; clock w; lift b e7; release b e5; lift b e5; release b e6; clock b; move w a3a4; clock w; touch b g8 acc",
            "violation | 4.7, 4.6 | 30",
        ),
        // A claim without a breach changes nothing, and is no report of what is not for claims.
        (Fide2023, START, "move w e2e4; claim b", "ok |  | 20"),
        (
            Fide2023,
            START,
            "touch b g8; claim b",
            "irregularity | 11.5 | 20",
        ),
        // A claim upheld after the claimant's own move leaves that move on the board.
        (
            Fide1997,
            START,
            "lift w e2; release w e4; lift w e4; release w e3; clock w; move b e7e5; claim b",
            "violation | 4.7, 4.6 | 30",
        ),
        // A second press of the clock after an illegal move moved nothing.
        (
            Fide2023,
            START,
            "move w b1d3; clock w; clock w",
            "illegal_completed | 7.5.3 | 2",
        ),
        // A pawn left on the last rank becomes a queen.
        (
            Fide2023,
            PROMOTES,
            "lift w e7; release w e8; clock w",
            "illegal_completed | 7.5.2 | 1",
        ),
        // What decided a promotion is what bound before the piece was let go.
        (
            Fide2023,
            PROMOTES,
            "remove w e7; release w e8 Q",
            "ok | 4.7 | 3",
        ),
        (
            Fide2023,
            PROMOTES,
            "remove w e7; place w e8 Q; release w e8 Q",
            "ok | 4.4.4 | 3",
        ),
        // Once a release has fixed the move, a further touch adds nothing.
        (
            Fide2023,
            PROMOTES,
            "lift w e7; release w e8; touch w d8; remove w e8; release w e8 Q",
            "ok | 4.7.3 | 3",
        ),
        // A rook or king that cannot move, then a piece that can, then the king or the rook: the
        // piece between binds, and the last touch does not free of it.
        (
            Fide2023,
            "4k3/8/8/8/8/8/3P3P/4K1NR w K - 0 1",
            "touch w h1; touch w d2; touch w e1",
            "pending | 4.3.1 | 2",
        ),
        (
            Fide2023,
            NO_KING_MOVE,
            "touch w e1; touch w a2; touch w h1",
            "pending | 4.3.1 | 2",
        ),
        (
            Fide2023,
            NO_KING_MOVE,
            "touch w e1; touch w h1; touch w a2",
            "no_obligation | 4.4.3 | 22",
        ),
        // What is touched after adjusting has ended binds.
        (
            Fide2023,
            START,
            "adjust w; endadj w; touch w g1",
            "pending | 4.3.1 | 2",
        ),
        // Lifts while adjusting, and lifts before a player has the move, are named and do not bind.
        (
            Fide2023,
            START,
            "adjust w; lift w e2; return w; endadj w",
            "no_obligation | 4.2.1 | 20",
        ),
        (
            Uscf7,
            START,
            "move w e2e4; lift b e7; return b; clock w; move b d7d5",
            "ok | 6B | 31",
        ),
        (
            Uscf7,
            START,
            "move w e2e4; move b b8b6; takeback b; clock w; move b d7d5",
            "ok | 6B | 31",
        ),
        // A piece that meets a square is not let go yet.
        (
            Fide2023,
            START,
            "lift w e2; place w e4",
            "pending | 4.3.1 | 2",
        ),
        // An illegal castling move, however it is written; another king move is none.
        (
            Fide2023,
            NO_SHORT,
            "move w e1g1",
            "illegal_pending | 4.4.3 | 3",
        ),
        (
            Fide2023,
            NO_SHORT,
            "move w e1h1",
            "illegal_pending | 4.4.3 | 3",
        ),
        (
            Fide2023,
            NO_SHORT,
            "move w e1e5",
            "illegal_pending | 4.3.1 | 3",
        ),
        // An illegal capture touches both pieces.
        (
            Fide2023,
            START,
            "move w e2e7",
            "illegal_pending | 4.3.3 | 2",
        ),
        // Mate with the wrong piece ended the game until the text of 2014.
        (
            Fide2009,
            MATES,
            "touch w e1; move w a1a8",
            "game_over | 5.1(a) | 0",
        ),
        (
            Fide2023,
            MATES,
            "touch w e1; move w a1a8",
            "violation | 4.3.1, 5.1.1 | 0",
        ),
        // The touch of two pieces decided, not the release of the one.
        (
            Fide2023,
            START,
            "touch w d2,e2; lift w d2; release w d4",
            "review | 4.3.1 | 20",
        ),
        (
            Fide2023,
            START,
            "adjust w; lift w e2; release w e4",
            "ok | 4.7 | 20",
        ),
        // An irregularity is told during the two turns that follow.
        (
            Fide2023,
            START,
            "touch b g8; move w e2e4; move b e7e5",
            "irregularity | 11.5 | 29",
        ),
        (
            Fide2023,
            START,
            "touch b g8; move w e2e4; move b e7e5; move w d2d4",
            "ok |  | 30",
        ),
        // An illegal move that is put back is settled; a pawn that is put back binds.
        (
            Fide2023,
            START,
            "lift w e2; release w e5; return w",
            "pending | 4.3.1 | 2",
        ),
        (
            Fide2023,
            PROMOTES,
            "remove w e7; return w",
            "pending | 4.3.1 | 8",
        ),
        // Of two held pieces the one is let go that stood there, else the one that can get there.
        (
            Fide2023,
            CASTLE,
            "lift w e1; lift w a2; release w a2; release w e2",
            "ok | 4.7 | 43",
        ),
        (
            Fide2023,
            CASTLE,
            "lift w d2; lift w a2; release w a3",
            "violation | 4.3.1 | 43",
        ),
        // With an enemy piece, two own pieces at once are no case for a person.
        (
            Fide2023,
            START,
            "touch w d2,e2; touch w d7; move w e2e4",
            "ok | 4.3.3 | 20",
        ),
        // Castling that was tried in vain frees a king that cannot move; later touches do not bind.
        (
            Fide2023,
            NO_KING_MOVE,
            "lift w e1; release w g1; return w; touch w a2; touch w h1",
            "no_obligation | 4.4.3 | 22",
        ),
        (
            Fide2023,
            NO_KING_MOVE,
            "lift w e1; release w g1; return w; touch w a2",
            "no_obligation | 4.4.3 | 22",
        ),
        // A new piece is let go without its name too.
        (
            Fide2023,
            PROMOTES,
            "remove w e7; place w e8 Q; release w e8",
            "ok | 4.4.4 | 3",
        ),
        // A made move that is put back, said again, changed before the clock, and after it.
        (
            Fide2023,
            START,
            "lift w e2; release w e4; lift w e4; release w e2",
            "violation | 4.7 | 1",
        ),
        (
            Fide2023,
            START,
            "lift w e2; release w e4; move w e2e4",
            "ok | 4.7 | 20",
        ),
        (
            Fide2023,
            START,
            "move w e2e4; move w d2d4",
            "violation | 4.7 | 20",
        ),
        (
            Fide2023,
            START,
            "move w e2e4; clock w; move w d2d4",
            "irregularity | 1.3 | 20",
        ),
        // A king that follows the rook as if to castle; and one that goes elsewhere.
        (
            Fide2023,
            CASTLE,
            "lift w h1; release w f1; lift w e1; release w g1",
            "violation | 4.7 | 43",
        ),
        (
            Fide2023,
            CASTLE,
            "lift w h1; release w f1; lift w e1; release w c1",
            "violation | 4.7 | 2",
        ),
        (
            Fide2023,
            CASTLE,
            "lift w h1; release w g1; lift w e1; release w f1",
            "violation | 4.7 | 2",
        ),
        // Mate by a changed move.
        (
            Fide2009,
            MATES,
            "lift w a1; release w a7; lift w a7; release w a8",
            "game_over | 5.1(a) | 0",
        ),
        (
            Fide2023,
            MATES,
            "lift w a1; release w a7; lift w a7; release w a8",
            "violation | 4.7, 5.1.1 | 0",
        ),
        // A move that broke the touch rules is taken back: the touched piece binds as before. One that
        // broke none is fixed by its release.
        (
            Fide2023,
            START,
            "touch w e2; move w d2d4; takeback w",
            "pending | 4.3.1 | 2",
        ),
        (
            Fide2023,
            START,
            "touch b g8; move w d2d4; takeback w",
            "violation | 4.7 | 1",
        ),
        (
            Fide2023,
            START,
            "touch w e2; move w d2d4 2h; takeback w",
            "pending | 4.3.1 | 2",
        ),
        // King and rook that were both moved, one of them not as castling is: an illegal move.
        (
            Fide2023,
            CASTLE,
            "lift w e1; lift w h1; release w f1; release w e2",
            "illegal_pending | 4.4.1 | 1",
        ),
        (
            Fide2023,
            CASTLE,
            "lift w e1; release w g1; lift w h1; release w h3",
            "illegal_pending | 4.7.2 | 1",
        ),
        (
            Fide2023,
            ITALIAN,
            "lift w c4; release w f1; lift w e1; release w g1",
            "violation | 4.7 | 9",
        ),
    ];
    let mut wrong = Vec::new();
    for (edition, fen, events, wanted) in cases {
        let found = outcome(&played(edition, fen, events));
        if found != wanted {
            wrong.push(format!(
                "{edition} {events}\n   wanted {wanted}\n   found  {found}"
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
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
