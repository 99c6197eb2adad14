use adoube::{
    calibration::view::{BoardView, square_centre},
    events::Ways,
    review::LogReader,
};
fn main() {
    let hs = |p: char| match p.to_ascii_lowercase() {
        'p' => 0.69,
        'r' => 0.8,
        'n' => 0.83,
        'b' => 0.95,
        'q' => 1.2,
        _ => 1.28,
    };
    for f in std::env::args().skip(1) {
        let name = std::path::Path::new(&f)
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .replace(".truth.json", "");
        let t: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(&f).unwrap()).unwrap();
        let Ok(mut log) = LogReader::open(std::path::Path::new(&format!("/tmp/logs/{name}.zst")))
        else {
            continue;
        };
        let h = log.header().clone();
        let view = BoardView::new(h.corners, h.width, h.height).unwrap();
        let mut ways = Ways::default();
        while let Some(o) = log.next_frame().unwrap() {
            ways.update(&o, &view);
        }
        println!("== {name} elev {:.0}", view.elevation_deg);
        for c in t["contacts"].as_array().unwrap() {
            let (t0, t1) = (
                c["touch_ms"].as_f64().unwrap(),
                c["lift_ms"].as_f64().or(c["release_ms"].as_f64()).unwrap(),
            );
            let Some(sq) = c["square"].as_str() else {
                continue;
            };
            let s: shakmaty::Square = sq.parse().unwrap();
            let [x, y] = square_centre(s);
            let white = c["player"] == "white";
            let z = hs(c["piece"].as_str().unwrap().chars().next().unwrap());
            let mut v: Vec<(f64, f64, f64)> = vec![];
            for w in ways.all() {
                for st in w.steps() {
                    if st.t_ms >= t0 && st.t_ms <= t1 {
                        let p = view.point_at_height(st.pinch_px, z);
                        let d = (p[0] - x, p[1] - y);
                        let g = if white { 1.0 } else { -1.0 };
                        if d.0.hypot(d.1) < 2.0 {
                            v.push((d.1 * g, d.0 * g, st.aperture));
                        }
                    }
                }
            }
            if v.is_empty() {
                println!("  {sq} {} -", c["kind"]);
                continue;
            }
            let med = |k: usize| {
                let mut a: Vec<f64> = v.iter().map(|q| [q.0, q.1, q.2][k]).collect();
                a.sort_by(f64::total_cmp);
                a[a.len() / 2]
            };
            println!(
                "  {sq} {} {} forward {:.2} right {:.2} aperture {:.2} n {}",
                c["piece"],
                c["kind"],
                med(0),
                med(1),
                med(2),
                v.len()
            );
        }
    }
}
