use adoube::review::{Options, review};
fn main() {
    for f in std::env::args().skip(1) {
        let p = std::path::PathBuf::from(&f);
        let truth: serde_json::Value = serde_json::from_str(
            &std::fs::read_to_string(p.with_extension("").with_extension("truth.json")).unwrap(),
        )
        .unwrap();
        let o = Options {
            video: p.clone(),
            corners: None,
            start_fen: truth["start_fen"].as_str().unwrap().into(),
            edition: Default::default(),
            models: "models".into(),
        };
        let name = p.file_stem().unwrap().to_str().unwrap().to_owned();
        let log = format!("/tmp/logs/{name}.zst");
        std::fs::create_dir_all("/tmp/logs").unwrap();
        let file = std::fs::File::create(&log).unwrap();
        match review(&o, file, std::path::Path::new(&log), &mut |_| {}) {
            Ok(out) => {
                println!("== {name} {:.1} fps", out.frames_per_second);
                println!(
                    "   moves {:?}",
                    out.record
                        .moves
                        .iter()
                        .map(|m| format!("{} {}", m.uci, m.made_ms))
                        .collect::<Vec<_>>()
                );
                println!(
                    "   truth {:?}",
                    truth["moves"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|m| format!("{} {}", m["uci"].as_str().unwrap(), m["made_ms"]))
                        .collect::<Vec<_>>()
                );
                std::fs::write(
                    format!("/tmp/logs/{name}.json"),
                    serde_json::to_string_pretty(&out.record).unwrap(),
                )
                .unwrap();
            }
            Err(e) => println!("== {name} ERROR {e}"),
        }
    }
}
