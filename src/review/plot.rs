//! The frames around an incident as a picture: how far each hand was from the piece's grip, how
//! fast it went, how likely it touched a piece, and what the square looked like.

use opencv::{
    core::{Mat, Point, Rect, Scalar, Vector},
    imgcodecs::imencode,
    imgproc::{FILLED, FONT_HERSHEY_SIMPLEX, LINE_8, LINE_AA, line, put_text, rectangle},
};

use super::explain::{Explained, HandRow, Row};

/// Size of the picture, pixels.
const SIZE_PX: (i32, i32) = (1280, 1053);
/// Left and right edge of the panels, pixels.
const SIDES_PX: (i32, i32) = (150, 1250);
/// Top of the first panel, height of a panel and of the gap under it, pixels.
const TOP_PX: i32 = 110;
const PANEL_PX: i32 = 165;
const GAP_PX: i32 = 28;
/// Top of the square's bars and their height, pixels.
const BARS_PX: i32 = TOP_PX + PANELS.len() as i32 * (PANEL_PX + GAP_PX);
const BAR_PX: i32 = 22;
/// Frames farther apart than this are not joined by a line, milliseconds.
const GAP_MS: f64 = 200.0;

/// A curve: its name, the value at the panel's top, and how to read it from a hand.
type Panel = (&'static str, f64, fn(&HandRow) -> Option<f64>);

const PANELS: [Panel; 4] = [
    ("from grip, squares", 3.0, |h| Some(h.distance_squares)),
    ("speed, squares/s", 20.0, |h| h.speed_squares_per_s),
    ("P(touches), by looks", 1.0, |h| Some(h.touches)),
    ("P(touches), by its way", 1.0, |h| h.contact),
];

type BarValue = fn(&Row) -> bool;
const BARS: [(&str, BarValue); 4] = [
    ("moving", |r| r.moving),
    ("changed", |r| r.changed),
    ("hidden", |r| r.hidden),
    ("read", |r| r.read),
];

fn grey(level: f64) -> Scalar {
    Scalar::new(level, level, level, 0.0)
}

/// Colours (BGR) that differ in lightness too.
fn hand_colour(index: usize) -> Scalar {
    let all = [
        Scalar::new(170.0, 90.0, 0.0, 0.0),
        Scalar::new(0.0, 110.0, 230.0, 0.0),
        Scalar::new(90.0, 150.0, 60.0, 0.0),
        Scalar::new(150.0, 60.0, 150.0, 0.0),
    ];
    all.get(index % all.len()).copied().unwrap_or(grey(0.0))
}

/// What is drawn on.
struct Sheet<'a> {
    picture: Mat,
    explained: &'a Explained,
    from_ms: f64,
    to_ms: f64,
    hands: Vec<u32>,
}

/// The plot as a PNG file's bytes.
///
/// # Errors
/// OpenCV's.
pub fn png(explained: &Explained) -> opencv::Result<Vec<u8>> {
    let times = explained.rows.iter().map(|r| r.t_ms);
    let (from_ms, to_ms) = times.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), t| {
        (a.min(t), b.max(t))
    });
    let mut hands: Vec<u32> = explained
        .rows
        .iter()
        .flat_map(|r| r.hands.iter().map(|h| h.id))
        .collect();
    hands.sort_unstable();
    hands.dedup();
    let (width, height) = SIZE_PX;
    let mut sheet = Sheet {
        picture: Mat::new_rows_cols_with_default(
            height,
            width,
            opencv::core::CV_8UC3,
            grey(255.0),
        )?,
        explained,
        from_ms,
        to_ms,
        hands,
    };
    if explained.rows.is_empty() {
        sheet.text("no frame was seen around this incident", 150, 300, 0.7)?;
    } else {
        sheet.panels()?;
        sheet.bars()?;
        sheet.moments()?;
    }
    sheet.title()?;
    let mut bytes = Vector::new();
    imencode(".png", &sheet.picture, &mut bytes, &Vector::new())?;
    Ok(bytes.into())
}

impl Sheet<'_> {
    fn x(&self, t_ms: f64) -> i32 {
        let (left, right) = SIDES_PX;
        let share = (t_ms - self.from_ms) / (self.to_ms - self.from_ms).max(1.0);
        left + (share.clamp(0.0, 1.0) * f64::from(right - left)) as i32
    }

    fn text(&mut self, what: &str, x: i32, y: i32, size: f64) -> opencv::Result<()> {
        self.coloured(what, (x, y), size, grey(20.0))
    }

    fn coloured(
        &mut self,
        what: &str,
        (x, y): (i32, i32),
        size: f64,
        colour: Scalar,
    ) -> opencv::Result<()> {
        let at = Point::new(x, y);
        let font = FONT_HERSHEY_SIMPLEX;
        put_text(
            &mut self.picture,
            what,
            at,
            font,
            size,
            colour,
            1,
            LINE_AA,
            false,
        )
    }

    fn stroke(
        &mut self,
        from: (i32, i32),
        to: (i32, i32),
        colour: Scalar,
        width: i32,
    ) -> opencv::Result<()> {
        let (a, b) = (Point::new(from.0, from.1), Point::new(to.0, to.1));
        line(&mut self.picture, a, b, colour, width, LINE_AA, 0)
    }

    fn title(&mut self) -> opencv::Result<()> {
        let i = &self.explained.incident;
        let chance = |p: Option<f64>| p.map_or("?".to_owned(), |p| format!("{p:.3}"));
        let first = format!(
            "{} by {:?}, Article {}: P(breach) {}",
            i.kind.replace('_', " "),
            i.player,
            i.article,
            chance(i.probability)
        );
        let second = match &self.explained.contact {
            Some(c) => format!(
                "seen from {} on {}; P(contact {}) {}",
                c.piece,
                self.explained.square,
                c.id,
                chance(c.probability)
            ),
            None => format!("seen from {}", self.explained.square),
        };
        self.text(&first, 20, 32, 0.75)?;
        self.text(&second, 20, 60, 0.55)?;
        let mut x = 560;
        for (index, hand) in self.hands.clone().into_iter().enumerate() {
            let mut rows = self.explained.rows.iter().flat_map(|r| &r.hands);
            let player = rows.find(|h| h.id == hand).map(|h| h.player);
            let name = player.map_or(String::new(), |p| p.fold_wb("White", "Black").to_owned());
            let colour = hand_colour(index);
            self.coloured(&format!("hand {hand} ({name})"), (x, 60), 0.55, colour)?;
            x += 180;
        }
        Ok(())
    }

    fn panels(&mut self) -> opencv::Result<()> {
        let (left, right) = SIDES_PX;
        for (number, (name, most, value)) in (0..).zip(PANELS) {
            let top = TOP_PX + number * (PANEL_PX + GAP_PX);
            let foot = top + PANEL_PX;
            let y = move |v: f64| foot - ((v / most).clamp(0.0, 1.0) * f64::from(PANEL_PX)) as i32;
            for part in 0..=3 {
                let v = most * f64::from(part) / 3.0;
                self.stroke((left, y(v)), (right, y(v)), grey(225.0), 1)?;
                self.text(&format!("{v:.1}"), left - 42, y(v) + 5, 0.45)?;
            }
            self.text(name, left + 6, top + 16, 0.48)?;
            for (index, hand) in self.hands.clone().into_iter().enumerate() {
                let points: Vec<(f64, f64)> = self
                    .explained
                    .rows
                    .iter()
                    .filter_map(|r| {
                        let seen = r.hands.iter().find(|h| h.id == hand)?;
                        Some((r.t_ms, value(seen)?))
                    })
                    .collect();
                for pair in points.windows(2) {
                    if let [a, b] = pair
                        && b.0 - a.0 < GAP_MS
                    {
                        let (from, to) = ((self.x(a.0), y(a.1)), (self.x(b.0), y(b.1)));
                        self.stroke(from, to, hand_colour(index), 2)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn bars(&mut self) -> opencv::Result<()> {
        let rows = &self.explained.rows;
        let ends: Vec<f64> = rows
            .iter()
            .skip(1)
            .map(|r| r.t_ms)
            .chain([self.to_ms])
            .collect();
        let spans: Vec<(f64, f64, Row)> = rows
            .iter()
            .zip(ends)
            .map(|(r, end)| (r.t_ms, end.min(r.t_ms + GAP_MS), r.clone()))
            .collect();
        for (number, (name, value)) in (0..).zip(BARS) {
            let top = BARS_PX + number * (BAR_PX + 4);
            self.text(name, 70, top + 16, 0.48)?;
            for (from, to, row) in &spans {
                let level = if value(row) { 70.0 } else { 235.0 };
                let (a, b) = (self.x(*from), self.x(*to));
                let area = Rect::new(a, top, (b - a).max(1), BAR_PX);
                rectangle(&mut self.picture, area, grey(level), FILLED, LINE_8, 0)?;
            }
        }
        Ok(())
    }

    /// Upright lines at touch, lift, place, release and breach, and the time axis.
    fn moments(&mut self) -> opencv::Result<()> {
        let foot = BARS_PX + 4 * (BAR_PX + 4);
        let step_ms = [
            100.0, 250.0, 500.0, 1000.0, 2500.0, 5000.0, 10_000.0, 30_000.0,
        ]
        .into_iter()
        .find(|step| (self.to_ms - self.from_ms) / step <= 14.0)
        .unwrap_or(60_000.0);
        let mut t_ms = (self.from_ms / step_ms).ceil() * step_ms;
        while t_ms <= self.to_ms {
            let x = self.x(t_ms);
            self.stroke((x, foot), (x, foot + 5), grey(60.0), 1)?;
            self.text(&format!("{:.2}", t_ms / 1000.0), x - 18, foot + 22, 0.45)?;
            t_ms += step_ms;
        }
        self.text("seconds", 70, foot + 22, 0.48)?;
        let red = Scalar::new(30.0, 30.0, 200.0, 0.0);
        for (row, (name, ms)) in (0..).zip(self.explained.moments.clone()) {
            let x = self.x(ms);
            let colour = if name == "breach" { red } else { grey(110.0) };
            self.stroke((x, TOP_PX - 8), (x, foot), colour, 1)?;
            // One above the other where they are close together.
            let y = TOP_PX - 12 - 13 * (row % 3);
            self.coloured(name, (x + 2, y), 0.45, colour)?;
        }
        Ok(())
    }
}
