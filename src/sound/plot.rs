//! Level and scores over time as a picture.

use opencv::{
    core::{Mat, Point, Rect, Scalar, Vector},
    imgcodecs::imencode,
    imgproc::{FILLED, FONT_HERSHEY_SIMPLEX, LINE_8, LINE_AA, line, put_text, rectangle},
};

use super::Heard;

/// Size of the picture and its margins, pixels.
const SIZE_PX: (i32, i32) = (1280, 480);
const LEFT_PX: i32 = 80;
const RIGHT_PX: i32 = 20;
/// Top and height of the two panels, pixels.
const PANELS_PX: [(i32, i32); 2] = [(40, 150), (230, 190)];
/// Room that a phrase's name takes, pixels.
const NAME_PX: i32 = 105;
/// The softest level drawn, dB of full scale.
const SOFTEST_DB: f64 = -80.0;

/// What is drawn.
#[derive(Debug, Clone, Default)]
pub struct Curve {
    /// Time (milliseconds) and mean level (dB of full scale).
    pub levels: Vec<(f64, f64)>,
    /// Time (milliseconds) and how far the likeliest phrase is on its way to its threshold, halved:
    /// from 0.5 on it is told.
    pub scores: Vec<(f64, f64)>,
    /// Announcements.
    pub heard: Vec<Heard>,
}

fn grey(level: f64) -> Scalar {
    Scalar::new(level, level, level, 0.0)
}

/// The plot as a PNG file's bytes.
///
/// # Errors
/// OpenCV's.
pub fn png(curve: &Curve) -> opencv::Result<Vec<u8>> {
    let (width, height) = SIZE_PX;
    let picture =
        Mat::new_rows_cols_with_default(height, width, opencv::core::CV_8UC3, grey(255.0))?;
    let times = curve.levels.iter().chain(&curve.scores).map(|p| p.0);
    let (from_ms, to_ms) = times.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), t| {
        (a.min(t), b.max(t))
    });
    let mut sheet = Sheet {
        picture,
        from_ms,
        to_ms,
    };
    if from_ms < to_ms {
        sheet.draw(curve)?;
    } else {
        sheet.text("no sound", LEFT_PX, 60, grey(20.0))?;
    }
    let mut bytes = Vector::new();
    imencode(".png", &sheet.picture, &mut bytes, &Vector::new())?;
    Ok(bytes.into())
}

struct Sheet {
    picture: Mat,
    from_ms: f64,
    to_ms: f64,
}

impl Sheet {
    fn x(&self, t_ms: f64) -> i32 {
        let wide = f64::from(SIZE_PX.0 - LEFT_PX - RIGHT_PX);
        LEFT_PX + ((t_ms - self.from_ms) / (self.to_ms - self.from_ms) * wide) as i32
    }

    fn text(&mut self, what: &str, x: i32, y: i32, colour: Scalar) -> opencv::Result<()> {
        let font = FONT_HERSHEY_SIMPLEX;
        let at = Point::new(x, y);
        put_text(
            &mut self.picture,
            what,
            at,
            font,
            0.45,
            colour,
            1,
            LINE_AA,
            false,
        )
    }

    fn draw(&mut self, curve: &Curve) -> opencv::Result<()> {
        let db = |v: f64| (v - SOFTEST_DB) / -SOFTEST_DB;
        let levels: Vec<(f64, f64)> = curve.levels.iter().map(|(t, v)| (*t, db(*v))).collect();
        let rows = [
            (
                "level",
                ["-80 dB", "0 dB"],
                levels,
                Scalar::new(170.0, 90.0, 0.0, 0.0),
            ),
            (
                "score (told from the middle on)",
                ["0", "2"],
                curve.scores.clone(),
                Scalar::new(0.0, 110.0, 230.0, 0.0),
            ),
        ];
        for ((name, ends, points, colour), (top, tall)) in rows.into_iter().zip(PANELS_PX) {
            let frame = Rect::new(LEFT_PX, top, SIZE_PX.0 - LEFT_PX - RIGHT_PX, tall);
            rectangle(&mut self.picture, frame, grey(160.0), 1, LINE_8, 0)?;
            self.text(name, LEFT_PX + 6, top - 8, grey(20.0))?;
            self.text(ends[0], 10, top + tall, grey(80.0))?;
            self.text(ends[1], 10, top + 12, grey(80.0))?;
            let place = |s: &Self, (t, v): (f64, f64)| {
                Point::new(
                    s.x(t),
                    top + ((1.0 - v.clamp(0.0, 1.0)) * f64::from(tall)) as i32,
                )
            };
            for pair in points.windows(2) {
                let [a, b] = pair else { continue };
                let (a, b) = (place(self, *a), place(self, *b));
                line(&mut self.picture, a, b, colour, 1, LINE_AA, 0)?;
            }
        }
        let mut free_px = 0;
        for heard in &curve.heard {
            free_px = self.announcement(heard, free_px)?;
        }
        self.axis()
    }

    /// The span of what was said, with its phrase in plain letters where there is room from
    /// `free_px` on; from where on there is room then.
    fn announcement(&mut self, heard: &Heard, free_px: i32) -> opencv::Result<i32> {
        let said = &heard.announcement;
        let (top, tall) = PANELS_PX[1];
        let (left, right) = (self.x(said.begun_ms()), self.x(said.ms));
        let green = Scalar::new(80.0, 150.0, 60.0, 0.0);
        let bar = Rect::new(left, top + tall + 4, (right - left).max(2), 8);
        rectangle(&mut self.picture, bar, green, FILLED, LINE_8, 0)?;
        if left < free_px {
            return Ok(free_px);
        }
        let phrase = said.phrase.map(|p| format!("{p:?}").to_lowercase());
        let what = format!("{} {:.2}", phrase.unwrap_or_default(), said.probability);
        self.text(&what, left, top + tall + 28, green)?;
        Ok(left + NAME_PX)
    }

    fn axis(&mut self) -> opencv::Result<()> {
        let seconds = (self.to_ms - self.from_ms) / 1000.0;
        let steps = [0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 600.0, 3600.0];
        let step = steps
            .into_iter()
            .find(|s| seconds / s <= 14.0)
            .unwrap_or(seconds);
        let mut at = (self.from_ms / 1000.0 / step).ceil() * step;
        while at * 1000.0 <= self.to_ms {
            let x = self.x(at * 1000.0);
            self.text(&format!("{at} s"), x, SIZE_PX.1 - 12, grey(80.0))?;
            at += step;
        }
        Ok(())
    }
}
