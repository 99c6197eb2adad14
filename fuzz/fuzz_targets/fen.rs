#![no_main]

#[allow(dead_code, reason = "each target holds one of the checks")]
#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|text: &str| checks::fen(text));
