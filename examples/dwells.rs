use adoube::{
    calibration::view::BoardView,
    events::{Ways, grip_distance, position_from_fen},
    review::LogReader,
};
use shakmaty::Position;
fn main() {
    let mut log = LogReader::open(std::path::Path::new(&std::env::args().nth(1).unwrap())).unwrap();
    let h = log.header().clone();
    let view = BoardView::new(h.corners, h.width, h.height).unwrap();
    println!("elevation {:.0}", view.elevation_deg);
    let pos = position_from_fen(&h.start_fen).unwrap();
    let mut ways = Ways::default();
    while let Some(o) = log.next_frame().unwrap() {
        ways.update(&o, &view);
    }
    for w in ways.all() {
        let s: Vec<_> = w.steps().collect();
        println!(
            "way {} {:?} white {:.2} {:.0}..{:.0} n {}",
            w.id,
            w.side,
            w.from_white,
            s[0].t_ms,
            s[s.len() - 1].t_ms,
            s.len()
        );
    }
    for d in ways.dwells(0.0) {
        let mut near: Vec<_> = shakmaty::Square::ALL
            .iter()
            .map(|s| {
                let p = pos.board().piece_at(*s);
                (
                    grip_distance(&view, &d, *s, p.map_or(shakmaty::Role::Pawn, |p| p.role)),
                    *s,
                    p.map(|p| p.char()),
                )
            })
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        println!(
            "dwell hand {} {:.0}-{:.0} ({:.0}) at {:.1},{:.1} ap {:.2}  {:?}",
            d.hand,
            d.from_ms,
            d.to_ms,
            d.to_ms - d.from_ms,
            d.place[0],
            d.place[1],
            d.aperture,
            near.iter()
                .take(3)
                .map(|n| format!("{}{} {:.2}", n.2.unwrap_or('-'), n.1, n.0))
                .collect::<Vec<_>>()
        );
    }
}
