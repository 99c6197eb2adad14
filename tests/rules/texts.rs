//! What the readers of texts say to what they cannot read, and how things are named.

use adoube::rules::{
    Edition, Language, Ledger, ParseEventProblem, Step, Supervision, TimeControl, parse_case,
    parse_fen, parse_script,
};

#[test]
fn a_script_that_cannot_be_read_is_refused_with_the_place() {
    use ParseEventProblem as P;
    let cases = [
        ("leap w e2", 0, "leap", P::Verb),
        ("touch", 5, "", P::Player),
        ("touch x e2", 6, "x", P::Player),
        ("touch w e2,e9", 8, "e2,e9", P::Square),
        ("touch w e2 twice", 11, "twice", P::Extra),
        ("touch w e2 via via", 15, "via", P::Extra),
        ("place w e8 QQ", 11, "QQ", P::Piece),
        ("release w e8 z", 13, "z", P::Piece),
        ("move w 0000", 7, "0000", P::Move),
        ("move w e2e4 3h", 12, "3h", P::Extra),
        ("clock b y", 8, "y", P::Extra),
        ("adjust w now", 9, "now", P::Extra),
        // The column counts from the beginning of the script.
        ("touch w e2; lift  w z9", 20, "z9", P::Square),
        ("; ;  touch w e2;? ;lift b", 25, "", P::Square),
    ];
    for (text, column, found, problem) in cases {
        let error = parse_script(text).unwrap_err();
        assert_eq!(
            (error.column, error.found.as_str(), error.problem),
            (column, found, problem),
            "{text}"
        );
    }
}

#[test]
fn spaces_and_empty_parts_of_a_script_say_nothing() {
    let steps = parse_script(" touch  w e2,d2  centre ;; ? ; clock w x;").unwrap();
    let texts: Vec<String> = steps
        .iter()
        .map(|s| match s {
            Step::Event(e) => e.to_string(),
            Step::Checkpoint => "?".to_owned(),
        })
        .collect();
    assert_eq!(texts, ["touch w e2,d2 centre", "?", "clock w x"]);
}

#[test]
fn names_are_read_as_they_are_written() {
    for time in TimeControl::ALL {
        assert_eq!(time.as_str().parse(), Ok(time));
    }
    assert!("bullet".parse::<TimeControl>().is_err());
    assert_eq!("full".parse(), Ok(Supervision::Full));
    assert_eq!("limited".parse(), Ok(Supervision::Limited));
    assert!("Full".parse::<Supervision>().is_err());
    for language in Language::ALL {
        assert_eq!(language.as_str().parse(), Ok(language));
    }
    assert!("la".parse::<Language>().is_err());
}

#[test]
fn what_a_row_does_not_expect_counts_as_expected() {
    let row = |rest: &str| {
        format!(
            r#"{{"id":"x","editions":["FIDE2023"],"fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1","events":"touch w e1; ?"{rest}}}"#
        )
    };
    // What is expected, and whether obligation, verdict, article and all articles agree.
    let cases = [
        ("", [true; 4]),
        (
            r#","verdict":null,"obligation":null,"article":null"#,
            [true; 4],
        ),
        (
            r#","article":{"FIDE2023":null},"human_judgement":null"#,
            [true; 4],
        ),
        (r#","article":{"FIDE2018":"4.5"}"#, [true; 4]),
        (r#","verdict":"ok""#, [true, false, true, true]),
        (
            r#","obligation":{"moves":["e1e2"]}"#,
            [false, true, true, true],
        ),
        (
            r#","article":{"FIDE2023":"4.5, 4.3.1"}"#,
            [true, true, true, false],
        ),
        (
            r#","article":{"FIDE2023":"4.5"}"#,
            [true, true, false, false],
        ),
    ];
    for (rest, wanted) in cases {
        let case = parse_case(&row(rest)).unwrap();
        let outcomes = case.outcomes(Language::English).unwrap();
        let found = case.expected.agrees(&outcomes[0]);
        let found = [
            found.obligation,
            found.verdict,
            found.article,
            found.articles_exactly,
        ];
        assert_eq!(found, wanted, "{rest}");
    }
    for rest in [r#","time":"bullet""#, r#","article":"4.5""#] {
        assert!(parse_case(&row(rest)).is_err(), "{rest}");
    }
}

#[test]
fn every_touch_rule_has_its_code() {
    let castle = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1";
    let no_short = "r3k2r/p1pp1ppp/bpn2n2/8/8/2N5/PPP2PPP/R3K2R w KQkq - 0 1";
    let takes = "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1";
    let promotes = "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1";
    let cases = [
        ("OWN", takes, "touch w c4; move w e1e2"),
        ("OPP", takes, "touch w d5; move w e1e2"),
        ("MIX", takes, "touch w c4; touch w d5; move w c4c5"),
        ("CASTLE_MUST", castle, "touch w e1; touch w h1; move w e1f1"),
        (
            "CASTLE_ROOK1",
            castle,
            "touch w h1; touch w e1; move w e1g1",
        ),
        (
            "CASTLE_ILL",
            no_short,
            "touch w e1; touch w h1; move w a2a3",
        ),
        (
            "PROMO_FINAL",
            promotes,
            "remove w e7; place w e8 Q; release w e8 R",
        ),
        (
            "RELEASE",
            takes,
            "lift w c4; release w c5; lift w c5; release w d5",
        ),
    ];
    for (code, fen, events) in cases {
        let mut ledger = Ledger::new(parse_fen(fen).unwrap(), Edition::Fide2023);
        for event in events.split("; ") {
            ledger.apply(&event.parse().unwrap()).unwrap();
        }
        let found: Vec<&str> = ledger.breaches().iter().map(|b| b.code.as_str()).collect();
        assert_eq!(found, [code], "{events}");
    }
}
