//! The picture that shows a person what was found: grid, names, White's side, doubts.

use opencv::{
    core::{Mat, MatTraitConst, Point, Scalar},
    imgproc::{FONT_HERSHEY_SIMPLEX, LINE_AA, circle, line, put_text},
};
use shakmaty::Square;

use super::{
    clock::ClockPlace,
    view::{BoardView, square_centre},
};

/// Draws the grid, the squares' names, the four corners, White's side and notes into a copy of a
/// BGR picture of the size of `view`.
///
/// # Errors
/// OpenCV's.
pub fn draw(picture: &Mat, view: &BoardView, notes: &[String]) -> opencv::Result<Mat> {
    let mut out = picture.try_clone()?;
    let unit = view.square_px([4.0, 4.0]);
    let point = |x: f64, y: f64| {
        let p = view.project([x, y, 0.0]);
        Point::new(p[0].round() as i32, p[1].round() as i32)
    };
    let (grid, edge) = (
        Scalar::new(80.0, 220.0, 80.0, 0.0),
        Scalar::new(40.0, 200.0, 255.0, 0.0),
    );
    for k in 0..=8 {
        let at = f64::from(k);
        let (colour, width) = if k % 8 == 0 { (edge, 2) } else { (grid, 1) };
        line(
            &mut out,
            point(at, 0.0),
            point(at, 8.0),
            colour,
            width,
            LINE_AA,
            0,
        )?;
        line(
            &mut out,
            point(0.0, at),
            point(8.0, at),
            colour,
            width,
            LINE_AA,
            0,
        )?;
    }
    let size = (unit / 95.0).clamp(0.3, 1.6);
    for square in Square::ALL {
        let [x, y] = square_centre(square);
        let at = centred(point(x, y), 2, size, &out);
        text(&mut out, &square.to_string(), at, size)?;
    }
    for [x, y] in view.corners.in_order() {
        circle(
            &mut out,
            Point::new(x as i32, y as i32),
            4,
            edge,
            -1,
            LINE_AA,
            0,
        )?;
    }
    let at = centred(point(4.0, -0.5), 5, size * 1.6, &out);
    text(&mut out, "WHITE", at, size * 1.6)?;
    let unit = (f64::from(out.cols()) / 640.0).max(0.8);
    for (row, words) in notes.iter().flat_map(|n| wrapped(n)).enumerate() {
        let at = Point::new((8.0 * unit) as i32, (18.0 * unit * (row + 1) as f64) as i32);
        text(&mut out, &words, at, 0.42 * unit)?;
    }
    Ok(out)
}

/// Draws the outline of the clock's place.
///
/// # Errors
/// OpenCV's.
pub fn draw_clock(picture: &mut Mat, clock: &ClockPlace) -> opencv::Result<()> {
    let colour = Scalar::new(255.0, 120.0, 40.0, 0.0);
    let point = |[x, y]: [f64; 2]| Point::new(x.round() as i32, y.round() as i32);
    let outline = clock.outline_px();
    let next = outline.iter().cycle().skip(1);
    for (a, b) in outline.iter().zip(next) {
        line(picture, point(*a), point(*b), colour, 2, LINE_AA, 0)?;
    }
    let first = outline.first().map_or(Point::new(0, 0), |p| point(*p));
    text(picture, "CLOCK", first, 0.5)
}

/// Where a word of so many letters starts to lie around `middle`, kept inside the picture.
fn centred(middle: Point, letters: i32, size: f64, picture: &Mat) -> Point {
    let (half_width, height) = (
        (9.5 * size * f64::from(letters)) as i32,
        (20.0 * size) as i32,
    );
    let right = (picture.cols() - 2 * half_width).max(0);
    Point::new(
        (middle.x - half_width).clamp(0, right),
        (middle.y + height / 2).clamp(height.min(picture.rows()), picture.rows()),
    )
}

/// Letters in a line of notes: what fits across the picture.
const LINE_LETTERS: usize = 78;

/// A note in lines of at most [`LINE_LETTERS`] letters, broken between words.
fn wrapped(note: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in note.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < LINE_LETTERS => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Light text with a dark rim, readable on any ground.
fn text(out: &mut Mat, what: &str, at: Point, size: f64) -> opencv::Result<()> {
    let dark = Scalar::all(0.0);
    let light = Scalar::new(255.0, 255.0, 255.0, 0.0);
    put_text(
        out,
        what,
        at,
        FONT_HERSHEY_SIMPLEX,
        size,
        dark,
        3,
        LINE_AA,
        false,
    )?;
    put_text(
        out,
        what,
        at,
        FONT_HERSHEY_SIMPLEX,
        size,
        light,
        1,
        LINE_AA,
        false,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_broken_between_words() {
        let note = "board ".repeat(40);
        let lines = wrapped(&note);
        assert!(lines.len() > 2 && lines.iter().all(|l| l.len() <= LINE_LETTERS));
        assert_eq!(lines.join(" "), note.trim());
        assert!(wrapped("").is_empty());
    }
}
