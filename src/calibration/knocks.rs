//! The board is followed on a rendered clip whose frames are moved by code from a time on: what
//! was done is known exactly.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::path::{Path, PathBuf};

use opencv::{
    core::{BORDER_REPLICATE, CV_8UC1, Mat, MatTraitConst, Point, Scalar, Size, Vector},
    imgproc::{INTER_LINEAR, LINE_8, fill_convex_poly, warp_perspective},
};

use super::{
    Sight, Watch, find_board,
    placement::{placement, table},
    view::{BoardView, Corners, homography},
};
use crate::{media, record::Record};

const CLIP: &str = "tests/data/touch-move.mp4";

fn record(path: &Path) -> Record {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Frames are moved from here on, milliseconds: no hand is over the board.
const QUIET_MS: f64 = 500.0;

/// What is done to the frames: where each corner of a rectangle goes.
#[derive(Clone, Copy)]
struct Push {
    shift_px: [f64; 2],
    turn_deg: f64,
    /// The board alone is moved, on a table of one colour.
    board_only: bool,
}

impl Push {
    fn apply(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (sine, cosine) = self.turn_deg.to_radians().sin_cos();
        let (dx, dy) = (x - 480.0, y - 270.0);
        [
            480.0 + cosine * dx - sine * dy + self.shift_px[0],
            270.0 + sine * dx + cosine * dy + self.shift_px[1],
        ]
    }

    fn corners(self, corners: &Corners) -> Corners {
        Corners::from_order(corners.in_order().map(|p| self.apply(p)))
    }

    fn picture(self, frame: &Mat, corners: &Corners) -> Mat {
        let square = [[0.0, 0.0], [960.0, 0.0], [960.0, 540.0], [0.0, 540.0]];
        let h = homography(&square, &square.map(|p| self.apply(p))).unwrap();
        let rows: Vec<[f64; 3]> = (0..3).map(|r| [h[(r, 0)], h[(r, 1)], h[(r, 2)]]).collect();
        let image_from_image = Mat::from_slice_2d(&rows).unwrap();
        let warp = |from: &Mat| {
            let mut out = Mat::default();
            let size = Size::new(960, 540);
            warp_perspective(
                from,
                &mut out,
                &image_from_image,
                size,
                INTER_LINEAR,
                BORDER_REPLICATE,
                Scalar::default(),
            )
            .unwrap();
            out
        };
        let moved = warp(frame);
        if !self.board_only {
            return moved;
        }
        // The board with what stands on it, cut out and laid on the table elsewhere.
        let view = BoardView::new(*corners, 960, 540).unwrap();
        let rim: Vector<Point> = [[-0.7, -0.7], [8.7, -0.7], [8.7, 8.7], [-0.7, 8.7]]
            .map(|[x, y]| view.project([x, y, 0.0]))
            .map(|[x, y]| Point::new(x as i32, y as i32))
            .into_iter()
            .collect();
        let mut mask =
            Mat::new_rows_cols_with_default(540, 960, CV_8UC1, Scalar::all(0.0)).unwrap();
        fill_convex_poly(&mut mask, &rim, Scalar::all(255.0), LINE_8, 0).unwrap();
        let mut table = frame.clone();
        let colour = Scalar::new(60.0, 80.0, 110.0, 0.0);
        fill_convex_poly(&mut table, &rim, colour, LINE_8, 0).unwrap();
        moved.copy_to_masked(&mut table, &warp(&mask)).unwrap();
        table
    }
}

fn frames(video: &Path, from_ms: f64, to_ms: f64) -> Vec<media::Frame> {
    let mut source = media::open(video).unwrap();
    let mut out = Vec::new();
    while let Some(frame) = source.next_frame().unwrap() {
        if frame.t_ms > to_ms {
            break;
        }
        if frame.t_ms >= from_ms {
            out.push(frame);
        }
    }
    out
}

fn largest(a: &Corners, b: &Corners) -> f64 {
    a.in_order()
        .iter()
        .zip(b.in_order())
        .map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]))
        .fold(0.0, f64::max)
}

/// How a knock went.
#[derive(Debug)]
struct Knock {
    noticed_ms: f64,
    found_ms: f64,
    error_px: f64,
}

/// Runs the watch over a second before and two after the knock at `knock_ms`.
fn knock(push: Push, knock_ms: f64) -> Knock {
    let labels = record(Path::new("tests/data/touch-move.truth.json"));
    let truth = push.corners(&labels.corners);
    let view = BoardView::new(labels.corners, 960, 540).unwrap();
    let mut watch = Watch::new(view);
    let (mut noticed_ms, mut found_ms) = (f64::NAN, f64::NAN);
    for frame in frames(Path::new(CLIP), knock_ms - 1000.0, knock_ms + 2000.0) {
        let knocked = frame.t_ms >= knock_ms;
        let sight = if knocked {
            watch.look(&push.picture(&frame.image, &labels.corners), frame.t_ms)
        } else {
            watch.look(&frame.image, frame.t_ms)
        };
        if !knocked {
            assert!(
                matches!(sight, Sight::Held | Sight::Crept(_)),
                "{}: {sight:?}",
                frame.t_ms
            );
            continue;
        }
        let since = frame.t_ms - knock_ms;
        if noticed_ms.is_nan() && !matches!(sight, Sight::Held | Sight::Crept(_)) {
            noticed_ms = since;
        }
        if found_ms.is_nan() && matches!(sight, Sight::Moved(_)) {
            found_ms = since;
        }
    }
    let knock = Knock {
        noticed_ms,
        found_ms,
        error_px: largest(&watch.corners(), &truth),
    };
    println!("{:?} {} degrees: {knock:?}", push.shift_px, push.turn_deg);
    knock
}

fn is_followed(push: Push, knock_ms: f64) {
    let went = knock(push, knock_ms);
    assert!(went.noticed_ms <= 1000.0, "{went:?}");
    assert!(went.found_ms <= 1000.0, "{went:?}");
    assert!(went.error_px < 1.5, "{went:?}");
}

const CAMERA: Push = Push {
    shift_px: [0.0, 0.0],
    turn_deg: 0.0,
    board_only: false,
};

#[test]
fn a_small_bump_is_followed() {
    is_followed(
        Push {
            shift_px: [3.0, -1.0],
            ..CAMERA
        },
        QUIET_MS + 700.0,
    );
}

#[test]
fn a_large_bump_is_followed() {
    is_followed(
        Push {
            shift_px: [-52.0, 30.0],
            ..CAMERA
        },
        QUIET_MS + 700.0,
    );
}

#[test]
fn a_turned_camera_is_followed() {
    is_followed(
        Push {
            turn_deg: 5.0,
            ..CAMERA
        },
        QUIET_MS + 700.0,
    );
}

#[test]
fn a_board_that_slides_with_its_pieces_is_followed() {
    is_followed(
        Push {
            shift_px: [25.0, 14.0],
            turn_deg: 2.0,
            board_only: true,
        },
        QUIET_MS + 700.0,
    );
}

/// The first move's hand is over the board.
#[test]
fn a_bump_under_a_hand_is_followed() {
    let labels = record(Path::new("tests/data/touch-move.truth.json"));
    let hand_ms = labels.contacts.first().unwrap().touch_ms;
    is_followed(
        Push {
            shift_px: [-40.0, 18.0],
            ..CAMERA
        },
        hand_ms,
    );
}

/// Corners of a labelled clip at a time.
fn truth_at(labels: &Record, ms: f64) -> Corners {
    labels
        .corner_changes
        .iter()
        .take_while(|c| c.ms <= ms + 1.0)
        .last()
        .map_or(labels.corners, |c| c.corners)
}

/// Every labelled clip: how far the followed corners are off, how often the board is not known,
/// and what a frame costs. Figures for people; only where `ADOUBE_SHARED` names the clips.
#[test]
fn the_labelled_clips_are_followed() {
    let Some(shared) = std::env::var_os("ADOUBE_SHARED") else {
        println!("skipped: ADOUBE_SHARED is not set");
        return;
    };
    let bench = PathBuf::from(shared).join("bench");
    let mut paths: Vec<PathBuf> = ["rendered", "real"]
        .iter()
        .flat_map(|f| std::fs::read_dir(bench.join(f)).unwrap())
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "mp4" || e == "avi"))
        .collect();
    paths.sort();
    for path in paths {
        let labels = record(&path.with_extension("truth.json"));
        let first: Vec<Mat> = frames(&path, 0.0, 600.0)
            .into_iter()
            .step_by(5)
            .map(|f| f.image)
            .collect();
        let start = labels.start_fen.split(' ').next().unwrap().parse().unwrap();
        let found = find_board(&first, &start, None).unwrap();
        let view =
            BoardView::through(found.lens, found.corners, labels.width, labels.height).unwrap();
        let advice = placement(&view, &first);
        print!("{}: {}", labels.clip, table(&advice));
        let mut watch = Watch::new(view);
        let (mut errors, mut unknown, mut moved, mut costs) =
            (Vec::new(), 0, Vec::new(), Vec::new());
        let mut source = media::open(&path).unwrap();
        while let Some(frame) = source.next_frame().unwrap() {
            let begun = std::time::Instant::now();
            let sight = watch.look(&frame.image, frame.t_ms);
            costs.push(begun.elapsed().as_secs_f64() * 1000.0);
            match sight {
                Sight::Unknown => unknown += 1,
                Sight::Moved(_) => moved.push(frame.t_ms.round()),
                Sight::Held | Sight::Crept(_) => {}
            }
            errors.push(largest(&watch.corners(), &truth_at(&labels, frame.t_ms)));
        }
        let settled = labels.corner_changes.is_empty();
        errors.sort_by(f64::total_cmp);
        costs.sort_by(f64::total_cmp);
        println!(
            "{}: found {:.2} px off (lens {:.3}); corners off by {:.2} px in the median, {:.2} at most; {unknown} of {} frames unknown, moved at {moved:?}; {:.2} ms a frame",
            labels.clip,
            largest(&found.corners, &labels.corners),
            found.lens.k1,
            errors[errors.len() / 2],
            errors[errors.len() - 1],
            errors.len(),
            costs[costs.len() / 2],
        );
        assert!(moved.is_empty() || !settled, "{}: {moved:?}", labels.clip);
        // The labels of real clips are good to a pixel or two only.
        let last = largest(&watch.corners(), &truth_at(&labels, f64::INFINITY));
        assert!(last < 1.5, "{}: {last}", labels.clip);
    }
}
