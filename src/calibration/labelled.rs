//! The finder on labelled footage: only where `ADOUBE_SHARED` names the folder that holds it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::path::{Path, PathBuf};

use serde_json::Value;
use shakmaty::Board;

use super::{Found, Refusal, find_board, synthetic::error_squares, view::Corners};
use crate::media;

/// Largest error of a right board, squares.
const RIGHT: f64 = 0.15;

/// How a set went.
#[derive(Debug, Default, PartialEq)]
struct Tally {
    right: usize,
    /// The right grid, named from the other side.
    turned: usize,
    /// A grid where there is none: the worst that can happen.
    wrong: usize,
    refused: usize,
    errors: Vec<f64>,
}

impl Tally {
    fn add(&mut self, result: &Result<Found, Refusal>, truth: &Corners) {
        let Ok(found) = result else {
            self.refused += 1;
            return;
        };
        let error = error_squares(&found.corners, truth);
        if error < RIGHT {
            self.right += 1;
            self.errors.push(error);
        } else if (1..4).any(|k| error_squares(&found.corners.turned(k), truth) < RIGHT) {
            self.turned += 1;
        } else {
            self.wrong += 1;
        }
    }

    fn say(&mut self, name: &str) {
        self.errors.sort_by(f64::total_cmp);
        let middle = self.errors.get(self.errors.len() / 2).copied();
        println!(
            "{name}: {} right (median error {:.3} squares), {} turned, {} wrong, {} refused",
            self.right,
            middle.unwrap_or(f64::NAN),
            self.turned,
            self.wrong,
            self.refused
        );
    }
}

fn shared() -> Option<PathBuf> {
    let folder = std::env::var_os("ADOUBE_SHARED").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: ADOUBE_SHARED is not set");
    }
    folder
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn corners(value: &Value) -> Corners {
    serde_json::from_value(value.clone()).unwrap()
}

/// All clips of a folder, six pictures of the first second each.
fn clips(folder: &Path) -> Tally {
    let mut tally = Tally::default();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "mp4" || e == "avi"));
    paths.sort();
    for path in paths {
        let truth = json(&path.with_extension("truth.json"));
        let fen = truth["start_fen"].as_str().unwrap();
        let start: Board = fen.split(' ').next().unwrap().parse().unwrap();
        let mut source = media::open(&path).unwrap();
        let mut frames = Vec::new();
        while frames.len() < 6 {
            let Some(frame) = source.next_frame().unwrap() else {
                break;
            };
            if frame.index % 5 == 0 {
                frames.push(frame.image);
            }
        }
        tally.add(
            &find_board(&frames, &start, None),
            &corners(&truth["corners"]),
        );
    }
    tally.say(&folder.display().to_string());
    tally
}

/// All pictures of a sequence without a hand, each for itself.
fn sequence(folder: &Path) -> Tally {
    let mut tally = Tally::default();
    let truth = json(&folder.join("truth.json"));
    for frame in truth["frames"].as_array().unwrap() {
        let own = if frame["corners"].is_null() {
            &truth["corners"]
        } else {
            &frame["corners"]
        };
        let board: Board = frame["placement"].as_str().unwrap().parse().unwrap();
        let picture = media::read_image(&folder.join(frame["file"].as_str().unwrap())).unwrap();
        tally.add(&find_board(&[picture], &board, None), &corners(own));
    }
    tally.say(&folder.display().to_string());
    tally
}

#[test]
fn clips_are_found() {
    let Some(shared) = shared() else { return };
    let rendered = clips(&shared.join("bench/rendered"));
    assert_eq!((rendered.right, rendered.wrong), (12, 0));
    let real = clips(&shared.join("bench/real"));
    assert_eq!((real.right, real.wrong), (1, 0));
}

#[test]
fn pictures_are_found() {
    let Some(shared) = shared() else { return };
    for (name, least) in [
        ("stills", 13),
        ("sequences/bgu-game6", 92),
        ("sequences/bgu-game4", 181),
    ] {
        let tally = sequence(&shared.join("bench/real").join(name));
        assert!(
            tally.right >= least && tally.wrong == 0,
            "{name}: {tally:?}"
        );
    }
}

/// The labels are good to a few pixels only and some have no names: the grid alone is judged.
#[test]
fn photos_of_other_boards_are_found() {
    let Some(shared) = shared() else { return };
    let folder = shared.join("photos/wolfgangfahl");
    let mut errors = Vec::new();
    for image in json(&folder.join("annotations.json"))["images"]
        .as_array()
        .unwrap()
    {
        let quad: [[f64; 2]; 4] = serde_json::from_value(image["board"]["quad"].clone()).unwrap();
        let [top_left, top_right, bottom_right, bottom_left] = quad;
        let truth = Corners::from_order([bottom_left, bottom_right, top_right, top_left]);
        let picture =
            media::read_image(&folder.join(image["file_name"].as_str().unwrap())).unwrap();
        let error = find_board(&[picture], &Board::new(), None).map_or(f64::NAN, |found| {
            (0..4)
                .map(|k| error_squares(&found.corners.turned(k), &truth))
                .fold(f64::INFINITY, f64::min)
        });
        println!("{}: {error:.3} squares", image["file_name"]);
        errors.push(error);
    }
    let within = |limit: f64| errors.iter().filter(|e| **e < limit).count();
    println!(
        "{} of {} within 0.15, {} within 0.3",
        within(0.15),
        errors.len(),
        within(0.3)
    );
    assert!(within(0.3) >= 12);
}
