//! Rows of rule cases replayed in all their editions: the repository's own table always, the shared
//! one where `ADOUBE_SHARED` names the folder that has `rules/cases.jsonl`.

use std::path::Path;

use adoube::rules::{Language, parse_case};

/// What was right, of how many rows in how many editions.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    rows: usize,
    outcomes: usize,
    obligations: usize,
    verdicts: usize,
    articles: usize,
    exactly: usize,
}

/// Counts what is right and says what is not; returns the ids of the rows whose obligation or
/// verdict is wrong.
fn check(path: &Path) -> (Count, Vec<String>) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut count = Count::default();
    let mut wrong = Vec::new();
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        let case = parse_case(line).unwrap();
        count.rows += 1;
        let outcomes = match case.outcomes(Language::English) {
            Ok(outcomes) => outcomes,
            Err(e) => {
                println!("{}: {e}", case.id);
                wrong.push(case.id.clone());
                continue;
            }
        };
        for outcome in outcomes {
            let agreement = case.expected.agrees(&outcome);
            count.outcomes += 1;
            count.obligations += usize::from(agreement.obligation);
            count.verdicts += usize::from(agreement.verdict);
            count.articles += usize::from(agreement.article);
            count.exactly += usize::from(agreement.articles_exactly);
            let expected = &case.expected;
            if !agreement.obligation || !agreement.verdict {
                wrong.push(format!("{} {}", case.id, outcome.edition));
                println!("{outcome:?}, expected {expected:?}");
            } else if !agreement.articles_exactly {
                println!(
                    "{} {}: article {:?}, expected {:?}",
                    case.id,
                    outcome.edition,
                    outcome.article,
                    expected.articles.get(&outcome.edition)
                );
            }
        }
    }
    println!("{count:?}");
    (count, wrong)
}

#[test]
fn shared_rows() {
    let Some(shared) = std::env::var_os("ADOUBE_SHARED") else {
        println!("skipped: ADOUBE_SHARED is not set");
        return;
    };
    let (count, wrong) = check(&Path::new(&shared).join("rules/cases.jsonl"));
    assert!(count.rows > 0);
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(count.exactly, count.outcomes);
}

#[test]
fn own_rows() {
    let (count, wrong) = check(Path::new("tests/data/rules_cases.jsonl"));
    assert!(count.rows >= 140);
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(count.articles, count.outcomes);
    assert_eq!(count.exactly, count.outcomes);
}
