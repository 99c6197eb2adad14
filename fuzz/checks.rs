// What each fuzz target holds against any input; tests replay the corpus through the same code.

use adoube::rules::{
    Doubt, Edition, Language, Ledger, Limits, Step, UncertainEvent, parse_case, parse_fen,
    parse_script, weigh,
};
use shakmaty::{Chess, Position};

/// The event parser, and what any script may do to a ledger: `FEN` on the first line, or none.
pub fn script(text: &str) {
    let (fen, script) = text.split_once('\n').unwrap_or(("", text));
    let position = parse_fen(fen).unwrap_or_default();
    let Ok(steps) = parse_script(script) else {
        return;
    };
    let events = steps.into_iter().filter_map(|s| match s {
        Step::Event(e) => Some(e),
        Step::Checkpoint => None,
    });
    let events: Vec<_> = events.collect();
    for edition in Edition::ALL {
        let mut ledger = Ledger::new(position.clone(), edition);
        for event in &events {
            assert_eq!(event.to_string().parse().as_ref(), Ok(event));
            let _ = ledger.apply(event);
            let bound = ledger.obligation();
            let legal = ledger.position().legal_moves().len();
            assert_eq!(bound.moves.is_empty(), legal == 0, "{edition}: {event}");
            assert!(bound.moves.len() <= legal);
            let _ = (ledger.verdict(), ledger.articles());
        }
        let _ = ledger.explain_in(Language::German);
    }
    let uncertain: Vec<UncertainEvent> = events
        .into_iter()
        .take(12)
        .enumerate()
        .map(|(i, event)| UncertainEvent {
            event,
            doubt: if i % 3 == 0 {
                Doubt::Chance(0.4)
            } else {
                Doubt::Fact
            },
            place: (i / 3) as u32,
        })
        .collect();
    let limits = Limits {
        worlds: 32,
        ..Limits::default()
    };
    let weighed = weigh(&position, Edition::Fide2023, &uncertain, limits);
    assert!((0.0..=1.0).contains(&weighed.probability));
    assert!(weighed.low <= weighed.high);
}

/// The FEN reader: an error names a place in the text; a position has moves that can be written.
pub fn fen(text: &str) {
    match parse_fen(text) {
        Ok(position) => {
            let ledger = Ledger::new(position.clone(), Edition::Fide2023);
            assert_eq!(
                ledger.obligation().moves.len(),
                position.legal_moves().len()
            );
            let _ = Chess::default();
        }
        Err(error) => assert!(error.column <= text.len()),
    }
}

/// The case file reader, line by line.
pub fn case(text: &str) {
    for line in text.lines() {
        match parse_case(line) {
            Ok(case) => {
                if let Ok(outcomes) = case.outcomes(Language::English) {
                    for outcome in &outcomes {
                        let _ = case.expected.agrees(outcome);
                    }
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}
