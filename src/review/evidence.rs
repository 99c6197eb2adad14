//! The frames that prove an incident: before, at and after the contact, and the move, each with
//! its square marked.

use opencv::{
    core::{Mat, MatTraitConst, Point, Scalar, Size, Vector},
    imgcodecs::{IMWRITE_JPEG_QUALITY, imencode},
    imgproc::{INTER_AREA, LINE_AA, polylines, resize},
};
use shakmaty::Square;

use super::{
    report::{Picture, Shows},
    run::ReviewError,
};
use crate::{
    calibration::view::{BoardView, square_centre},
    media::{
        Footage,
        glimpse::{Glimpses, Painter},
    },
    record::{Contact, Incident, Record},
    vision::VisionError,
};

/// A picture that is wanted.
struct Wanted {
    picture: Picture,
    /// Squares to mark.
    squares: Vec<Square>,
}

/// Time before a contact that shows the board as it was, milliseconds.
const BEFORE_MS: f64 = 500.0;
/// Time after a release that shows the piece alone, milliseconds.
const AFTER_MS: f64 = 350.0;
/// What lies farther ahead is skipped to, milliseconds.
const FAR_MS: f64 = 4000.0;
/// Width of the pictures, pixels.
const WIDTH: i32 = 640;
/// JPEG quality.
const QUALITY: i32 = 82;

/// Decodes the recording again and keeps the frames that the incidents need.
///
/// # Errors
/// [`ReviewError`].
pub fn collect(footage: &Footage, record: &Record) -> Result<Vec<Picture>, ReviewError> {
    let mut wanted: Vec<Wanted> = record
        .incidents
        .iter()
        .enumerate()
        .flat_map(|(i, incident)| plan(i, incident, record))
        .collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].picture.ms.total_cmp(&wanted[*b].picture.ms));
    let mut source = Glimpses::open(footage)?;
    let mut painter = Painter::default();
    // Time of the frame before, and for which picture was skipped: where that is not possible, once is enough.
    let (mut now_ms, mut skipped): (Option<f64>, Option<usize>) = (None, None);
    let mut next = order.into_iter().peekable();
    while let Some(&index) = next.peek() {
        let wanted_ms = wanted[index].picture.ms;
        if now_ms.is_some_and(|now| wanted_ms - now > FAR_MS) && skipped != Some(index) {
            source.skip_to(wanted_ms - 1.0);
            skipped = Some(index);
        }
        let Some(frame) = source.next_glimpse()? else {
            break;
        };
        let t_ms = frame.t_ms;
        now_ms = Some(t_ms);
        if t_ms + 1.0 < wanted_ms {
            continue;
        }
        let image = painter.paint(frame)?;
        // Several pictures may want the same frame.
        while let Some(&index) = next.peek().filter(|i| t_ms + 1.0 >= wanted[**i].picture.ms) {
            next.next();
            wanted[index].picture.jpeg =
                encode(&image, record, t_ms, &wanted[index].squares).map_err(VisionError::from)?;
        }
    }
    Ok(wanted
        .into_iter()
        .map(|w| w.picture)
        .filter(|p| !p.jpeg.is_empty())
        .collect())
}

fn plan(incident: usize, what: &Incident, record: &Record) -> Vec<Wanted> {
    let contact: Option<&Contact> = what
        .contact
        .and_then(|id| record.contacts.iter().find(|c| c.id == id));
    let squares: Vec<Square> = contact
        .and_then(|c| c.square.as_deref()?.parse().ok())
        .into_iter()
        .collect();
    let picture = |shows, ms: f64| Wanted {
        picture: Picture {
            incident,
            shows,
            ms: ms.max(0.0),
            jpeg: Vec::new(),
        },
        squares: squares.clone(),
    };
    match contact {
        Some(c) => {
            let mut all = vec![
                picture(Shows::Before, c.touch_ms - BEFORE_MS),
                picture(
                    Shows::Touch,
                    (c.touch_ms + c.lift_ms.unwrap_or(c.release_ms)) / 2.0,
                ),
                picture(Shows::After, c.release_ms + AFTER_MS),
            ];
            if what.ms > c.release_ms + AFTER_MS {
                all.push(picture(Shows::Complete, what.ms));
            }
            all
        }
        None => vec![
            picture(Shows::Before, what.ms - 1500.0),
            picture(Shows::Complete, what.ms),
            picture(Shows::After, what.ms + AFTER_MS),
        ],
    }
}

fn encode(image: &Mat, record: &Record, t_ms: f64, squares: &[Square]) -> opencv::Result<Vec<u8>> {
    let mut out = image.try_clone()?;
    let corners = record
        .corner_changes
        .iter()
        .rev()
        .find(|c| c.ms <= t_ms)
        .map_or(record.corners, |c| c.corners);
    if let Ok(view) = BoardView::new(corners, record.width, record.height) {
        for square in squares {
            let [x, y] = square_centre(*square);
            let outline: Vector<Point> = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
                .iter()
                .map(|d| view.project([x + d[0], y + d[1], 0.0]))
                .map(|p| Point::new(p[0].round() as i32, p[1].round() as i32))
                .collect();
            let width = (record.width as i32 / 320).max(2);
            polylines(
                &mut out,
                &outline,
                true,
                Scalar::new(0.0, 160.0, 255.0, 0.0),
                width,
                LINE_AA,
                0,
            )?;
        }
    }
    let mut small = Mat::default();
    if out.cols() > WIDTH {
        let height =
            (f64::from(out.rows()) * f64::from(WIDTH) / f64::from(out.cols())).round() as i32;
        resize(
            &out,
            &mut small,
            Size::new(WIDTH, height),
            0.0,
            0.0,
            INTER_AREA,
        )?;
    } else {
        small = out;
    }
    let mut bytes = Vector::new();
    imencode(
        ".jpg",
        &small,
        &mut bytes,
        &Vector::from_slice(&[IMWRITE_JPEG_QUALITY, QUALITY]),
    )?;
    Ok(bytes.into_iter().collect())
}
