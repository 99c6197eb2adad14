use adoube::{calibration::find_board, media};
use std::path::Path;
fn main() {
    let d = std::env::args().nth(1).unwrap();
    let mut files: Vec<_> = std::fs::read_dir(&d)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| matches!(p.extension().and_then(|e| e.to_str()), Some("mp4" | "avi")))
        .collect();
    files.sort();
    for f in files {
        let t: serde_json::Value = serde_json::from_str(
            &std::fs::read_to_string(f.with_extension("").with_extension("truth.json")).unwrap(),
        )
        .unwrap();
        let corners: adoube::calibration::view::Corners =
            serde_json::from_value(t["corners"].clone()).unwrap();
        let fen: shakmaty::fen::Fen = t["start_fen"].as_str().unwrap().parse().unwrap();
        let mut src = media::open(Path::new(&f)).unwrap();
        let mut frames = vec![];
        while let Some(fr) = src.next_frame().unwrap() {
            if fr.index % 5 == 0 {
                frames.push(fr.image);
            }
            if frames.len() >= 6 {
                break;
            }
        }
        let t0 = std::time::Instant::now();
        let r = find_board(&frames, &fen.as_setup().board, None);
        let ms = t0.elapsed().as_millis();
        match r {
            Ok(found) => {
                let sq =
                    (corners.a1[0] - corners.h8[0]).hypot(corners.a1[1] - corners.h8[1]) / 11.3;
                let e = found
                    .corners
                    .in_order()
                    .iter()
                    .zip(corners.in_order())
                    .map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]) / sq)
                    .fold(0.0, f64::max);
                println!(
                    "{:50} err {e:.3} sq conf {:.2} res {:.2} {ms} ms {:?}",
                    f.file_name().unwrap().to_str().unwrap(),
                    found.confidence,
                    found.residual_px,
                    found.doubts
                );
            }
            Err(e) => println!(
                "{:50} {ms} ms {e}",
                f.file_name().unwrap().to_str().unwrap()
            ),
        }
    }
}
