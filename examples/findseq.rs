use adoube::{calibration::find_board, media};
fn main() {
    for d in std::env::args().skip(1) {
        let t: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(format!("{d}/truth.json")).unwrap())
                .unwrap();
        let (mut ok, mut n, mut wrong, mut turned) = (0, 0, 0, 0);
        for f in t["frames"].as_array().unwrap() {
            let c = if f["corners"].is_null() {
                &t["corners"]
            } else {
                &f["corners"]
            };
            let corners: adoube::calibration::view::Corners =
                serde_json::from_value(c.clone()).unwrap();
            let board: shakmaty::Board = f["placement"].as_str().unwrap().parse().unwrap();
            let img = media::read_image(std::path::Path::new(&format!(
                "{d}/{}",
                f["file"].as_str().unwrap()
            )))
            .unwrap();
            n += 1;
            match find_board(&[img], &board, None) {
                Ok(found) => {
                    let sq =
                        (corners.a1[0] - corners.h8[0]).hypot(corners.a1[1] - corners.h8[1]) / 11.3;
                    let err = |c: &adoube::calibration::view::Corners| {
                        c.in_order()
                            .iter()
                            .zip(corners.in_order())
                            .map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]) / sq)
                            .fold(0.0, f64::max)
                    };
                    let e = err(&found.corners);
                    let any = (0..4)
                        .map(|k| err(&found.corners.turned(k)))
                        .fold(9.0, f64::min);
                    if e < 0.15 {
                        ok += 1
                    } else if any < 0.15 {
                        turned += 1
                    } else {
                        wrong += 1;
                        println!("  {} wrong {any:.2}", f["file"])
                    }
                }
                Err(e) => {
                    if n % 10 == 1 || n < 14 {
                        println!("  {} {e}", f["file"])
                    }
                }
            }
        }
        println!("{d}: {ok}/{n} right, {turned} turned, {wrong} wrong");
    }
}
