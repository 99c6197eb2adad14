//! Boards drawn by code from a known camera, and what the finder makes of them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use nalgebra::{Matrix3, Matrix3x4, Vector3, Vector4};
use opencv::core::{CV_8UC3, Mat, MatTrait, Scalar, Vec3b};
use shakmaty::{Board, Color};

use super::{
    Boards, Doubt, LeftOut, PictureEdge, Refusal, find_again, find_board, find_boards, follow,
    grid_score,
    lens::Lens,
    view::{BoardView, Corners, square_at, square_centre},
};

const SIZE: (u32, u32) = (640, 480);

/// A camera on a circle around the board.
#[derive(Clone, Copy)]
struct Camera {
    /// 90 is straight from above.
    elevation_deg: f64,
    /// 0: White at the lower edge; 90: the camera stands beyond the h-file.
    azimuth_deg: f64,
    /// Distance of the eye from the board's centre, squares.
    distance: f64,
    /// The point of the board plane that is looked at.
    target: [f64; 2],
}

impl Camera {
    fn new(elevation_deg: f64, azimuth_deg: f64) -> Self {
        Self {
            elevation_deg,
            azimuth_deg,
            distance: 15.0,
            target: [4.0, 4.0],
        }
    }

    fn corners(self) -> Corners {
        let (e, a) = (
            self.elevation_deg.to_radians(),
            self.azimuth_deg.to_radians(),
        );
        let centre = Vector3::new(self.target[0], self.target[1], 0.0);
        let back = Vector3::new(a.sin() * e.cos(), -a.cos() * e.cos(), e.sin());
        let right = Vector3::new(a.cos(), a.sin(), 0.0);
        let forward = -back;
        let down = forward.cross(&right);
        let r = Matrix3::from_rows(&[right.transpose(), down.transpose(), forward.transpose()]);
        let t = -(r * (centre + back * self.distance));
        let k = Matrix3::new(620.0, 0.0, 320.0, 0.0, 620.0, 240.0, 0.0, 0.0, 1.0);
        let m = k * Matrix3x4::from_columns(&[
            r.column(0).into_owned(),
            r.column(1).into_owned(),
            r.column(2).into_owned(),
            t,
        ]);
        let corner = |x: f64, y: f64| {
            let p = m * Vector4::new(x, y, 0.0, 1.0);
            [p.x / p.z, p.y / p.z]
        };
        Corners {
            a1: corner(0.0, 0.0),
            h1: corner(8.0, 0.0),
            h8: corner(8.0, 8.0),
            a8: corner(0.0, 8.0),
        }
    }
}

/// A small generator of noise that is the same in every run.
struct Noise(u64);

impl Noise {
    /// About normal, mean 0, deviation 1.
    fn next(&mut self) -> f64 {
        let mut sum = -6.0;
        for _ in 0..12 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            sum += (self.0 >> 40) as f64 / f64::from(1_u32 << 24);
        }
        sum
    }
}

/// The shades of a drawn board, grey levels.
#[derive(Clone, Copy)]
struct Shades {
    light: f64,
    dark: f64,
    noise: f64,
}

const WOOD: Shades = Shades {
    light: 190.0,
    dark: 90.0,
    noise: 4.0,
};

/// Draws `pieces` as stacks of discs, broad at the foot, on a board with a frame, four samples a pixel.
fn draw(corners: &Corners, pieces: &Board, shades: Shades) -> Mat {
    let view = BoardView::new(*corners, SIZE.0, SIZE.1).unwrap();
    paint(shades.noise, |p| {
        for level in (0..6).rev() {
            let z = f64::from(level) * 0.22;
            let at = view.point_at_height(p, z);
            let Some(square) = square_at(at) else {
                continue;
            };
            let centre = square_centre(square);
            if (at[0] - centre[0]).hypot(at[1] - centre[1]) < if level == 0 { 0.33 } else { 0.18 }
                && let Some(colour) = pieces.color_at(square)
            {
                return if colour == Color::White { 225.0 } else { 45.0 };
            }
        }
        let [x, y] = view.board_point(p);
        if square_at([x, y]).is_some() {
            let light = (x.floor() + y.floor()) as i32 % 2 != 0;
            return if light { shades.light } else { shades.dark };
        }
        let framed = x > -0.6 && y > -0.6 && x < 8.6 && y < 8.6;
        if framed { 70.0 } else { 140.0 }
    })
}

/// A picture from a function of image points.
fn paint(noise: f64, shade: impl Fn([f64; 2]) -> f64) -> Mat {
    let (w, h) = (SIZE.0 as i32, SIZE.1 as i32);
    let mut out = Mat::new_rows_cols_with_default(h, w, CV_8UC3, Scalar::all(0.0)).unwrap();
    let mut random = Noise(7);
    for y in 0..h {
        for x in 0..w {
            let sample = |dx: f64, dy: f64| shade([f64::from(x) + dx, f64::from(y) + dy]);
            let mean =
                (sample(0.25, 0.25) + sample(0.75, 0.25) + sample(0.25, 0.75) + sample(0.75, 0.75))
                    / 4.0;
            let value = (mean + noise * random.next()).clamp(0.0, 255.0) as u8;
            *out.at_2d_mut::<Vec3b>(y, x).unwrap() = Vec3b::all(value);
        }
    }
    out
}

/// Largest distance between corners of the same name, squares.
pub(super) fn error_squares(found: &Corners, truth: &Corners) -> f64 {
    let t = truth.in_order();
    let square = (0..4)
        .map(|k| (t[k][0] - t[(k + 1) % 4][0]).hypot(t[k][1] - t[(k + 1) % 4][1]) / 8.0)
        .sum::<f64>()
        / 4.0;
    found
        .in_order()
        .iter()
        .zip(t)
        .map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]) / square)
        .fold(0.0, f64::max)
}

#[test]
fn drawn_boards_are_found_from_every_side() {
    let start = Board::new();
    for (elevation, azimuth) in [
        (90.0, 0.0),
        (90.0, 90.0),
        (75.0, 180.0),
        (60.0, 270.0),
        (55.0, 35.0),
        (45.0, 0.0),
        (40.0, 90.0),
        (36.0, 200.0),
    ] {
        let truth = Camera::new(elevation, azimuth).corners();
        let found = find_board(&[draw(&truth, &start, WOOD)], &start, None)
            .unwrap_or_else(|e| panic!("{elevation} {azimuth}: {e}"));
        let error = error_squares(&found.corners, &truth);
        assert!(error < 0.05, "{elevation} {azimuth}: {error}");
        assert!(
            !found.doubts.contains(&Doubt::Direction),
            "{elevation} {azimuth}"
        );
    }
}

#[test]
fn an_empty_board_is_found_with_a_doubt_about_the_direction() {
    let truth = Camera::new(60.0, 20.0).corners();
    let picture = draw(&truth, &Board::empty(), WOOD);
    let found = find_board(&[picture], &Board::new(), None).unwrap();
    let either = [0, 2].map(|turn| error_squares(&found.corners.turned(turn), &truth));
    assert!(either[0].min(either[1]) < 0.05, "{either:?}");
    assert!(found.doubts.contains(&Doubt::Direction));
    assert!(found.confidence <= 0.6);
}

#[test]
fn weak_contrast_is_said() {
    let truth = Camera::new(65.0, 0.0).corners();
    let shades = Shades {
        light: 128.0,
        dark: 108.0,
        noise: 1.0,
    };
    let found = find_board(&[draw(&truth, &Board::new(), shades)], &Board::new(), None).unwrap();
    assert!(error_squares(&found.corners, &truth) < 0.05);
    assert!(
        found
            .doubts
            .iter()
            .any(|d| matches!(d, Doubt::LowContrast(_)))
    );
}

#[test]
fn blur_is_said() {
    let truth = Camera::new(80.0, 0.0).corners();
    let mut blurred = Mat::default();
    let sharp = draw(&truth, &Board::new(), WOOD);
    opencv::imgproc::gaussian_blur_def(&sharp, &mut blurred, opencv::core::Size::new(0, 0), 3.0)
        .unwrap();
    let said = |picture: &Mat| {
        let frames = std::slice::from_ref(picture);
        let found = find_board(frames, &Board::new(), None).unwrap();
        found.doubts.iter().any(|d| matches!(d, Doubt::Blurred(_)))
    };
    assert!(said(&blurred));
    assert!(!said(&sharp));
}

#[test]
fn pictures_without_a_whole_board_are_refused() {
    let refusal = |picture: Mat| find_board(&[picture], &Board::new(), None).unwrap_err();
    assert!(matches!(
        refusal(paint(3.0, |_| 128.0)),
        Refusal::NoBoard { .. }
    ));
    assert!(matches!(
        refusal(paint(2.0, |_| 6.0)),
        Refusal::TooDark { .. }
    ));
    let weave = paint(10.0, |[x, y]| {
        128.0 + 50.0 * (x / 5.0).sin() * (y / 7.0 + (x / 40.0).sin()).sin()
    });
    // Chequered and without an end: whether it is no board or one partly seen, it is not accepted.
    assert!(find_board(&[weave], &Board::new(), None).is_err());
    let stripes = paint(5.0, |[x, y]| {
        if ((x + 0.3 * y) / 30.0) as i32 % 2 == 0 {
            90.0
        } else {
            190.0
        }
    });
    assert!(matches!(refusal(stripes), Refusal::NoBoard { .. }));
    let mut camera = Camera::new(70.0, 0.0);
    camera.target = [9.5, 4.0];
    let half = draw(&camera.corners(), &Board::new(), WOOD);
    match refusal(half) {
        Refusal::OutOfView { edges, .. } => assert_eq!(edges, [PictureEdge::Left]),
        other => panic!("{other}"),
    }
    assert!(find_board(&[], &Board::new(), None).is_err());
}

#[test]
fn a_chequered_floor_is_not_a_board() {
    for step in [22.0, 34.0] {
        let floor = paint(3.0, |[x, y]| {
            if ((x / step).floor() + (y / step).floor()) as i32 % 2 == 0 {
                80.0
            } else {
                190.0
            }
        });
        assert!(find_board(&[floor], &Board::new(), None).is_err(), "{step}");
    }
}

#[test]
fn a_small_knock_is_followed_and_a_large_one_noticed() {
    let truth = Camera::new(55.0, 30.0).corners();
    let picture = draw(&truth, &Board::new(), WOOD);
    let view = BoardView::new(truth, SIZE.0, SIZE.1).unwrap();
    let moved = |by: f64| {
        let corners = Corners::from_order(truth.in_order().map(|[x, y]| [x + by, y]));
        view.moved_to(corners).unwrap()
    };
    let fit = follow(&picture, &moved(8.0)).unwrap();
    assert!(error_squares(&fit.corners, &truth) < 0.05);
    assert!(fit.rms_px < 0.5 && fit.error_px < 0.2 && fit.inliers > 0.8);
    assert!(grid_score(&picture, &view) > 0.8);
    assert!(grid_score(&picture, &moved(20.0)) < 0.5);
    let one_file = [[1.0, 0.0], [9.0, 0.0], [9.0, 8.0], [1.0, 8.0]];
    let shifted = Corners::from_order(one_file.map(|[x, y]| view.project([x, y, 0.0])));
    let shifted = view.moved_to(shifted).unwrap();
    assert!(grid_score(&picture, &shifted) < 0.1);
    assert!(follow(&picture, &shifted).is_none());
    let again = find_again(&picture, &moved(60.0)).unwrap();
    assert!(error_squares(&again, &truth) < 0.05);
}

#[test]
fn poor_pictures_say_what_is_wrong_with_them() {
    let refusal = |picture: Mat| find_board(&[picture], &Board::new(), None).unwrap_err();
    let burnt = refusal(paint(0.0, |_| 255.0));
    assert!(matches!(burnt, Refusal::OverExposed { .. }), "{burnt}");
    let truth = Camera::new(70.0, 0.0).corners();
    let sharp = draw(&truth, &Board::new(), WOOD);
    let mut fog = Mat::default();
    opencv::imgproc::gaussian_blur_def(&sharp, &mut fog, opencv::core::Size::new(0, 0), 24.0)
        .unwrap();
    let blurred = refusal(fog);
    assert!(matches!(blurred, Refusal::TooBlurred { .. }), "{blurred}");
    for refusal in [burnt, blurred] {
        assert!(refusal.to_string().contains(": "), "{refusal}");
    }
}

#[test]
fn a_board_too_far_away_is_refused() {
    let mut camera = Camera::new(80.0, 0.0);
    camera.distance = 62.0;
    let refusal = find_board(
        &[draw(&camera.corners(), &Board::empty(), WOOD)],
        &Board::new(),
        None,
    )
    .unwrap_err();
    // So small a board may not be seen at all; it is never accepted.
    assert!(
        matches!(refusal, Refusal::TooSmall { .. } | Refusal::NoBoard { .. }),
        "{refusal}"
    );
}

/// Boards seen from straight above: left, top and side of a square, pixels.
fn chequered(boards: &[[f64; 3]]) -> Mat {
    paint(3.0, |[x, y]| {
        for [left, top, square] in boards {
            let (u, v) = ((x - left) / square, (y - top) / square);
            if (0.0..8.0).contains(&u) && (0.0..8.0).contains(&v) {
                let light = (u.floor() + v.floor()) as i32 % 2 == 0;
                return if light { 190.0 } else { 80.0 };
            }
        }
        130.0
    })
}

#[test]
fn two_boards_of_one_size_are_refused_and_a_small_one_behind_is_not() {
    let two = chequered(&[[30.0, 100.0, 32.0], [340.0, 100.0, 32.0]]);
    let refusal = find_board(&[two], &Board::new(), None).unwrap_err();
    assert_eq!(refusal, Refusal::TwoBoards);
    let near_and_far = chequered(&[[20.0, 60.0, 42.0], [440.0, 60.0, 20.0]]);
    let found = find_board(&[near_and_far], &Board::new(), None).unwrap();
    assert!(area_px(&found.corners) > 100_000.0);
}

#[test]
fn several_boards_are_found_in_reading_order() {
    let places = [
        [20.0, 40.0, 22.0],
        [230.0, 20.0, 24.0],
        [450.0, 50.0, 20.0],
        [40.0, 260.0, 25.0],
    ];
    // The last one runs over the right edge.
    let picture = chequered(&[&places[..], &[[470.0, 250.0, 26.0]]].concat());
    let once = chequered(&[[300.0, 250.0, 20.0]]);
    let mut boards = find_boards(&[picture.clone(), picture, once]).unwrap();
    let squares = |boards: &Boards| -> Vec<[f64; 3]> {
        let corner = |c: &Corners, i: usize| {
            let points = c.in_order();
            points
                .iter()
                .fold(f64::INFINITY, |a, p| a.min(p[i]))
                .round()
        };
        let side = |c: &Corners| (area_px(c).sqrt() / 8.0).round();
        let all = boards.whole.iter();
        all.map(|c| [corner(c, 0), corner(c, 1), side(c)]).collect()
    };
    assert_eq!(squares(&boards), places);
    let [LeftOut { why, .. }] = &boards.left_out[..] else {
        panic!("{:?}", boards.left_out)
    };
    assert!(
        matches!(why, Refusal::OutOfView { edges, .. } if edges[..] == [PictureEdge::Right]),
        "{why}"
    );
    boards.keep_largest(2);
    assert_eq!(squares(&boards), [places[1], places[3]]);
}

#[test]
fn no_board_is_found_on_a_chequered_floor_nor_in_one_picture_of_several() {
    let floor = paint(3.0, |[x, y]| {
        let light = ((x / 30.0).floor() + (y / 30.0).floor()) as i32 % 2 == 0;
        if light { 190.0 } else { 80.0 }
    });
    let empty = chequered(&[]);
    let once = chequered(&[[100.0, 100.0, 30.0]]);
    assert_eq!(find_boards(&[floor]), Ok(Boards::default()));
    assert_eq!(
        find_boards(&[once, empty.clone(), empty]),
        Ok(Boards::default())
    );
}

fn area_px(corners: &Corners) -> f64 {
    let [a, b, ..] = corners.in_order();
    ((a[0] - b[0]).hypot(a[1] - b[1])).powi(2)
}

#[test]
fn a_bent_picture_gives_its_lens_back() {
    let truth = Camera::new(62.0, 15.0).corners();
    let straight = draw(&truth, &Board::empty(), WOOD);
    let plain = find_board(std::slice::from_ref(&straight), &Board::new(), None).unwrap();
    assert!(plain.lens.is_plain(), "{:?}", plain.lens);
    for k1 in [-0.15, -0.25, 0.1] {
        let map = Lens { k1 }.of_picture(f64::from(SIZE.0), f64::from(SIZE.1));
        let view = BoardView::new(truth, SIZE.0, SIZE.1).unwrap();
        let bent = paint(3.0, |p| {
            let [x, y] = view.board_point(map.ideal_from_filmed(p));
            if square_at([x, y]).is_some() {
                let light = (x.floor() + y.floor()) as i32 % 2 != 0;
                return if light { 190.0 } else { 90.0 };
            }
            let framed = x > -0.6 && y > -0.6 && x < 8.6 && y < 8.6;
            if framed { 70.0 } else { 140.0 }
        });
        let found =
            find_board(&[bent], &Board::new(), None).unwrap_or_else(|e| panic!("{k1}: {e}"));
        assert!((found.lens.k1 - k1).abs() < 0.03, "{k1}: {:?}", found.lens);
        let filmed = Corners::from_order(truth.in_order().map(|p| map.filmed_from_ideal(p)));
        let either = [0, 2].map(|t| error_squares(&found.corners.turned(t), &filmed));
        assert!(either[0].min(either[1]) < 0.05, "{k1}: {either:?}");
    }
}
