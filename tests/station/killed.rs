//! The whole station killed (SIGKILL) at random moments of play, by `scripts/measure-station`: what a
//! page had heard is in the store, the log's chain holds, and it starts again where it was. A hundred
//! times: `scripts/measure-station PROGRAM --kills 100`.

use std::process::Command;

use serde_json::Value;

#[test]
fn killed_while_it_watches_it_loses_nothing_that_was_heard() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/measure-station");
    let out = Command::new("python3")
        .args([script, env!("CARGO_BIN_EXE_adoube"), "--kills", "3"])
        .output()
        .unwrap();
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let told: Value = serde_json::from_slice(&out.stdout).unwrap();
    for nothing in ["lost", "faults", "restarted_elsewhere"] {
        assert_eq!(told[nothing], 0, "{told}");
    }
    assert!(told["confirmed"].as_u64() > Some(0), "{told}");
}
