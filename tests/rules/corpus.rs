//! The fuzz corpus replayed by the stable compiler, through the code of the fuzz targets.

#[path = "../../fuzz/checks.rs"]
mod checks;

use std::path::Path;

fn replay(target: &str, check: impl Fn(&str)) {
    let folder = Path::new("fuzz/corpus").join(target);
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        if let Ok(text) = String::from_utf8(bytes) {
            check(&text);
            count += 1;
        }
    }
    assert!(count > 5);
    println!("{target}: {count} inputs");
}

#[test]
fn scripts() {
    replay("script", checks::script);
}

#[test]
fn fens() {
    replay("fen", checks::fen);
}

#[test]
fn cases() {
    replay("case", checks::case);
}
