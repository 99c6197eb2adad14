//! The simulator: the same in every run, the same with stillness skipped, and its counts add up.

use crate::acting::{CALM, config, film, scripts, seat, watch};
use adoube::{
    events::Thresholds,
    rules::Edition,
    simulate::{self, Breach, Chance, Costs, Noise, Plan, Players, Report, film_of_motion},
};
use proptest::prelude::*;

fn plan(hours: f64, breaches: usize) -> Plan {
    Plan {
        hours,
        breaches,
        seed: 5,
        threads: 1,
        noise: simulate::parameters("perception", simulate::PERCEPTION).unwrap(),
        players: simulate::parameters("players", simulate::PLAYERS).unwrap(),
        costs: simulate::parameters("costs", simulate::COSTS).unwrap(),
        thresholds: Thresholds::default(),
        edition: Edition::Fide2023,
        line: Vec::new(),
    }
}

fn without_threads(report: &Report) -> String {
    serde_json::to_string(report).unwrap()
}

#[test]
fn the_parameters_that_ship_can_be_read() {
    let shipped = plan(0.0, 0);
    assert!(shipped.noise.lost < 1.0 && shipped.noise != Noise::NONE);
    assert!((shipped.players.tempos.iter().map(|t| t.share).sum::<f64>() - 1.0).abs() < 1e-9);
    let (alert, review) = shipped.costs.if_calibrated();
    assert!(0.0 < review && review < alert && alert < 1.0);
}

#[test]
fn the_result_depends_on_the_seed_alone() {
    let one = plan(0.2, 7);
    let two = Plan {
        threads: 2,
        ..one.clone()
    };
    let first = one.run(&|_, _| {});
    assert_eq!(
        without_threads(&first),
        without_threads(&two.run(&|_, _| {}))
    );
    let other = Plan { seed: 6, ..one };
    assert_ne!(
        without_threads(&first),
        without_threads(&other.run(&|_, _| {}))
    );
}

#[test]
fn nothing_is_lost_between_the_counts() {
    let report = plan(0.2, 14).run(&|_, _| {});
    assert!(report.hours >= 0.2 && report.games > 0 && report.moves > 0);
    let all = report.breach_rows.last().unwrap();
    assert!(all.scenes >= 14, "{all:?}");
    for row in &report.breach_rows {
        assert_eq!(
            row.alerted + row.reviewed + row.missed,
            row.scenes,
            "{row:?}"
        );
        assert!(row.exact <= row.alerted + row.reviewed);
    }
    let text = report.table();
    assert!(
        Breach::ALL.iter().all(|b| text.contains(b.as_str())),
        "{text}"
    );
}

#[test]
fn each_way_of_breaking_the_rules_is_a_breach_by_the_laws() {
    let players: Players = simulate::parameters("players", simulate::PLAYERS).unwrap();
    for breach in Breach::ALL {
        for number in 0..20 {
            let mut chance = Chance::part(3, number);
            let script = (0..50)
                .find_map(|_| players.breach(breach, &mut chance))
                .unwrap();
            let truths = script.incidents(Edition::Fide2023);
            assert_eq!(truths.len(), 1, "{breach:?} {truths:?} {script:?}");
        }
    }
}

#[test]
fn clean_games_are_clean_by_the_laws() {
    let players: Players = simulate::parameters("players", simulate::PLAYERS).unwrap();
    for number in 0..20 {
        let (_, script) = players.clean_game(&[], &mut Chance::part(4, number));
        let truths = script.incidents(Edition::Fide2023);
        // "J'adoube" is not heard: an adjustment is all there may be, and never an alert.
        let alert = Some(adoube::record::Severity::Alert);
        assert!(truths.iter().all(|t| t.severity != alert), "{truths:?}");
    }
}

#[test]
fn thresholds_that_hold_back_more_show_less() {
    let usual = plan(0.2, 14);
    let silent = Plan {
        thresholds: Thresholds {
            alert: 1.0,
            review: 1.0,
            log: 0.05,
        },
        ..usual.clone()
    };
    let (more, less) = (usual.run(&|_, _| {}), silent.run(&|_, _| {}));
    let missed = |r: &Report| r.breach_rows.last().unwrap().missed;
    assert!(missed(&less) >= missed(&more));
}

#[test]
fn a_wrong_file_is_said_to_be_wrong() {
    let error = simulate::parameters::<Costs>("mine.toml", "false_alert = 1").unwrap_err();
    assert!(error.to_string().starts_with("mine.toml: "), "{error}");
}

proptest! {
    #![proptest_config(config(24, 12))]

    #[test]
    fn stillness_can_be_skipped(script in scripts(5, CALM), seat in seat()) {
        let every = film(&script, &seat.view(), Noise::NONE, 1);
        let motion: Vec<_> = film_of_motion(&script, &seat.view(), Noise::NONE, 1).collect();
        prop_assert!(motion.len() <= every.len());
        let (all, some) = (watch(&script.start, seat, &every), watch(&script.start, seat, &motion));
        prop_assert_eq!(format!("{:?}", all.contacts), format!("{:?}", some.contacts));
        prop_assert_eq!(format!("{:?}", all.moves), format!("{:?}", some.moves));
        prop_assert_eq!(all.incidents, some.incidents);
    }
}

/// Prints the report of a longer run, and what is measured in `ADOUBE_LOGS`.
#[test]
#[ignore = "long: for a person to look at"]
fn a_longer_run() {
    if let Some(folder) = std::env::var_os("ADOUBE_LOGS") {
        let measured = simulate::measure::measure(folder.as_ref()).unwrap();
        println!("{}", measured.toml().unwrap());
    }
    println!("{}", plan(30.0, 350).run(&|_, _| {}).table());
}
