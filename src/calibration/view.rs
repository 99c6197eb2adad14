//! The mapping between the image, the board plane and the space above the board.
//!
//! Frames used here:
//! * **image**: pixels as filmed, x right, y down, origin at the top-left corner of the top-left
//!   pixel (the centre of that pixel is `(0.5, 0.5)`).
//! * **ideal**: the image of a camera at the same place whose lens does not distort, pixels; the
//!   same as the image where the lens is plain.
//! * **board**: unit one square, x 0..8 from the a- to the h-file, y 0..8 from rank 1 to rank 8.
//! * **space**: the board frame with z up from the board, in squares.

use nalgebra::{Matrix3, Matrix3x4, SMatrix, SVector, Vector3, Vector4};
use serde::{Deserialize, Serialize};
use shakmaty::Square;

use super::lens::{Lens, LensMap};

/// The outer corners of the 64 playing squares in image pixels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Corners {
    /// Outer corner of a1.
    pub a1: [f64; 2],
    /// Outer corner of h1.
    pub h1: [f64; 2],
    /// Outer corner of h8.
    pub h8: [f64; 2],
    /// Outer corner of a8.
    pub a8: [f64; 2],
}

impl Corners {
    /// The corners in the order a1, h1, h8, a8: anticlockwise on the board seen from above.
    #[must_use]
    pub fn in_order(&self) -> [[f64; 2]; 4] {
        [self.a1, self.h1, self.h8, self.a8]
    }

    /// From the order a1, h1, h8, a8.
    #[must_use]
    pub fn from_order([a1, h1, h8, a8]: [[f64; 2]; 4]) -> Self {
        Self { a1, h1, h8, a8 }
    }

    /// The same quadrilateral with the names moved on by `quarter_turns` corners.
    #[must_use]
    pub fn turned(&self, quarter_turns: usize) -> Self {
        let mut order = self.in_order();
        order.rotate_left(quarter_turns % 4);
        Self::from_order(order)
    }
}

/// Corners that cannot be a board seen from above.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ViewError {
    /// The quadrilateral is not convex, or has no area.
    #[error(
        "the four corners do not form a convex quadrilateral: check that none is swapped or doubled"
    )]
    NotConvex,
    /// The order a1, h1, h8, a8 runs clockwise on the board: a mirror image.
    #[error(
        "the corners describe a mirrored board: a1, h1, h8, a8 must run anticlockwise as seen in the picture"
    )]
    Mirrored,
    /// A distortion that cannot be turned back.
    #[error("the lens's coefficient k1 = {0} is not between -0.3 and 0.3: calibrate again")]
    Lens(f64),
    /// A camera that cannot see the board from there.
    #[error(
        "a camera at {0:?} (squares, from the outer corner of a1) is not over the board: calibrate again"
    )]
    Eye([f64; 3]),
}

/// One camera's view of the board, fixed while camera and board stand still.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardView {
    /// Outer corners, image pixels.
    pub corners: Corners,
    /// Image width in pixels.
    pub width_px: u32,
    /// Image height in pixels.
    pub height_px: u32,
    /// Homography from the board plane to the ideal image.
    ideal_from_board: Matrix3<f64>,
    /// Its inverse.
    board_from_ideal: Matrix3<f64>,
    /// Projection from the space above the board to the ideal image.
    ideal_from_space: Matrix3x4<f64>,
    /// The camera's centre where it was told, board frame.
    told_eye: Option<[f64; 3]>,
    /// Between the ideal image and the image as filmed.
    lens: LensMap,
    /// Angle between the line of sight and the board plane, degrees: 90 is straight from above.
    pub elevation_deg: f64,
}

impl BoardView {
    /// Builds the view from the corners.
    ///
    /// The pose assumes square pixels and the principal point at the picture's centre; the focal
    /// length follows from the homography (Zhang's orthogonality constraints), bounded to a
    /// horizontal field of view of 25 to 100 degrees, and 55 degrees where the board is seen too
    /// frontally to tell.
    ///
    /// # Errors
    /// [`ViewError`] when the corners are not a convex, unmirrored quadrilateral.
    pub fn new(corners: Corners, width_px: u32, height_px: u32) -> Result<Self, ViewError> {
        Self::through(Lens::default(), corners, width_px, height_px)
    }

    /// As [`BoardView::new`], through a lens that distorts; `corners` lie in the image as filmed.
    ///
    /// # Errors
    /// [`ViewError`]; [`ViewError::Lens`] for a lens that cannot be turned back.
    pub fn through(
        lens: Lens,
        corners: Corners,
        width_px: u32,
        height_px: u32,
    ) -> Result<Self, ViewError> {
        if !lens.is_believable() {
            return Err(ViewError::Lens(lens.k1));
        }
        check_winding(&corners)?;
        let (width, height) = (f64::from(width_px), f64::from(height_px));
        let lens = lens.of_picture(width, height);
        let ideal = corners.in_order().map(|p| lens.ideal_from_filmed(p));
        let ideal_from_board = homography(&BOARD_CORNERS, &ideal).ok_or(ViewError::NotConvex)?;
        let board_from_ideal = ideal_from_board.try_inverse().ok_or(ViewError::NotConvex)?;
        let (ideal_from_space, elevation_deg) = pose(&ideal_from_board, width, height);
        Ok(Self {
            corners,
            width_px,
            height_px,
            ideal_from_board,
            board_from_ideal,
            ideal_from_space,
            told_eye: None,
            lens,
            elevation_deg,
        })
    }

    /// The same picture of the board, seen from a camera at `eye` (board frame, squares): where the
    /// corners cannot tell, since a board seen from above looks alike to many cameras.
    ///
    /// What stands over the camera's own foot is in one line with it, so the image of the z axis
    /// points away from the image of that foot.
    ///
    /// # Errors
    /// [`ViewError::Eye`] for a camera that is not over the board.
    pub fn seen_from(&self, eye: [f64; 3]) -> Result<Self, ViewError> {
        let [x, y, z] = eye;
        if !(eye.iter().all(|v| v.is_finite()) && z >= LOWEST_EYE_SQUARES) {
            return Err(ViewError::Eye(eye));
        }
        let h = &self.ideal_from_board;
        let up = h * Vector3::new(x, y, 1.0) / -z;
        let ideal_from_space = Matrix3x4::from_columns(&[
            h.column(0).into_owned(),
            h.column(1).into_owned(),
            up,
            h.column(2).into_owned(),
        ]);
        Ok(Self {
            ideal_from_space,
            told_eye: Some(eye),
            elevation_deg: z.atan2((x - 4.0).hypot(y - 4.0)).to_degrees(),
            ..self.clone()
        })
    }

    /// The camera's centre where it was told by [`BoardView::seen_from`], not worked out from the corners.
    #[must_use]
    pub fn told_eye(&self) -> Option<[f64; 3]> {
        self.told_eye
    }

    /// The same camera with the board lying elsewhere. A told eye stays as it is: a camera that turns on
    /// the spot keeps its place over the board, and a board that slips does so by parts of a square.
    ///
    /// # Errors
    /// As [`BoardView::new`].
    pub fn moved_to(&self, corners: Corners) -> Result<Self, ViewError> {
        let view = Self::through(self.lens(), corners, self.width_px, self.height_px)?;
        self.told_eye
            .map_or(Ok(view.clone()), |eye| view.seen_from(eye))
    }

    /// The camera's lens.
    #[must_use]
    pub fn lens(&self) -> Lens {
        self.lens.lens()
    }

    /// Projects a point of space (squares) into the image (pixels).
    #[must_use]
    pub fn project(&self, [x, y, z]: [f64; 3]) -> [f64; 2] {
        let p = self.ideal_from_space * Vector4::new(x, y, z, 1.0);
        self.lens.filmed_from_ideal([p.x / p.z, p.y / p.z])
    }

    /// The point of the board plane (squares) seen at an image point (pixels).
    #[must_use]
    pub fn board_point(&self, image: [f64; 2]) -> [f64; 2] {
        let [u, v] = self.lens.ideal_from_filmed(image);
        let p = self.board_from_ideal * Vector3::new(u, v, 1.0);
        [p.x / p.z, p.y / p.z]
    }

    /// The point of the plane `height_squares` above the board that is seen at an image point.
    #[must_use]
    pub fn point_at_height(&self, image: [f64; 2], height_squares: f64) -> [f64; 2] {
        let [u, v] = self.lens.ideal_from_filmed(image);
        let m = &self.ideal_from_space;
        let plane = Matrix3::from_columns(&[
            m.column(0).into_owned(),
            m.column(1).into_owned(),
            m.column(3) + m.column(2) * height_squares,
        ]);
        match plane.try_inverse() {
            Some(inverse) => {
                let p = inverse * Vector3::new(u, v, 1.0);
                [p.x / p.z, p.y / p.z]
            }
            None => self.board_point(image),
        }
    }

    /// Pixels per square around a point of the board plane: the geometric mean of the two axes'
    /// lengths, with foreshortening undone by taking the longer where they differ much.
    #[must_use]
    pub fn square_px(&self, [x, y]: [f64; 2]) -> f64 {
        let step = |dx: f64, dy: f64| {
            let a = self.project([x - dx, y - dy, 0.0]);
            let b = self.project([x + dx, y + dy, 0.0]);
            (a[0] - b[0]).hypot(a[1] - b[1])
        };
        let (diagonal, other) = (step(0.5, 0.5), step(0.5, -0.5));
        step(0.5, 0.0)
            .max(step(0.0, 0.5))
            .max(diagonal.max(other) / std::f64::consts::SQRT_2)
    }

    /// The same board in a picture scaled by `factor`.
    ///
    /// # Errors
    /// As [`BoardView::new`].
    pub fn scaled(&self, factor: f64) -> Result<Self, ViewError> {
        let corners = self
            .corners
            .in_order()
            .map(|[x, y]| [x * factor, y * factor]);
        let view = Self::through(
            self.lens(),
            Corners::from_order(corners),
            (f64::from(self.width_px) * factor).round() as u32,
            (f64::from(self.height_px) * factor).round() as u32,
        )?;
        self.told_eye
            .map_or(Ok(view.clone()), |eye| view.seen_from(eye))
    }
}

/// Lowest camera that is believed, squares over the board: taller than a king.
const LOWEST_EYE_SQUARES: f64 = 3.0;
/// Board corners in the board frame, in the order of [`Corners::in_order`].
pub(super) const BOARD_CORNERS: [[f64; 2]; 4] = [[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]];

/// Centre of a square in the board frame.
#[must_use]
pub fn square_centre(square: Square) -> [f64; 2] {
    [
        f64::from(square.file().to_u32()) + 0.5,
        f64::from(square.rank().to_u32()) + 0.5,
    ]
}

/// The square that holds a point of the board plane, if it is on the board.
#[must_use]
pub fn square_at([x, y]: [f64; 2]) -> Option<Square> {
    let on_board = |v: f64| (0.0..8.0).contains(&v);
    (on_board(x) && on_board(y)).then(|| Square::new(y as u32 * 8 + x as u32))
}

fn check_winding(corners: &Corners) -> Result<(), ViewError> {
    let p = corners.in_order();
    let turns: Vec<f64> = (0..4)
        .map(|i| {
            let (a, b, c) = (p[i], p[(i + 1) % 4], p[(i + 2) % 4]);
            (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
        })
        .collect();
    // With y down, anticlockwise as seen in the picture has negative cross products.
    if turns.iter().all(|t| *t < -1e-6) {
        Ok(())
    } else if turns.iter().all(|t| *t > 1e-6) {
        Err(ViewError::Mirrored)
    } else {
        Err(ViewError::NotConvex)
    }
}

/// The homography that maps four points onto four points; `None` when they are degenerate.
#[must_use]
pub fn homography(from: &[[f64; 2]; 4], to: &[[f64; 2]; 4]) -> Option<Matrix3<f64>> {
    let mut a = SMatrix::<f64, 8, 8>::zeros();
    let mut b = SVector::<f64, 8>::zeros();
    for (i, ([x, y], [u, v])) in from.iter().zip(to).enumerate() {
        let row_u = [*x, *y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y];
        let row_v = [0.0, 0.0, 0.0, *x, *y, 1.0, -v * x, -v * y];
        for (j, (ru, rv)) in row_u.iter().zip(row_v).enumerate() {
            a[(2 * i, j)] = *ru;
            a[(2 * i + 1, j)] = rv;
        }
        b[2 * i] = *u;
        b[2 * i + 1] = *v;
    }
    let h = a.lu().solve(&b)?;
    Some(Matrix3::new(
        h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], 1.0,
    ))
}

/// Field of view assumed where the homography does not tell, degrees.
const DEFAULT_FOV_DEG: f64 = 55.0;
/// Bounds of a believable horizontal field of view, degrees.
const FOV_RANGE_DEG: (f64, f64) = (25.0, 100.0);
/// A board tilted less than this against the picture says nothing reliable of the focal length.
const LEAST_TILT_DEG: f64 = 15.0;

/// `ideal_from_space` and the elevation in degrees.
fn pose(ideal_from_board: &Matrix3<f64>, width: f64, height: f64) -> (Matrix3x4<f64>, f64) {
    let centre = Matrix3::new(
        1.0,
        0.0,
        -width / 2.0,
        0.0,
        1.0,
        -height / 2.0,
        0.0,
        0.0,
        1.0,
    );
    let h = centre * ideal_from_board;
    let focal_of = |fov_deg: f64| width / 2.0 / (fov_deg.to_radians() / 2.0).tan();
    let (mut projection, mut elevation) = pose_with(&h, focal_of(DEFAULT_FOV_DEG));
    if elevation < 90.0 - LEAST_TILT_DEG {
        let focal = focal_from(&h).unwrap_or_else(|| focal_of(DEFAULT_FOV_DEG));
        let focal = focal.clamp(focal_of(FOV_RANGE_DEG.1), focal_of(FOV_RANGE_DEG.0));
        (projection, elevation) = pose_with(&h, focal);
    }
    let image_from_centred =
        Matrix3::new(1.0, 0.0, width / 2.0, 0.0, 1.0, height / 2.0, 0.0, 0.0, 1.0);
    (image_from_centred * projection, elevation)
}

/// Focal length in pixels from the centred homography, by least squares over Zhang's two
/// constraints on the columns; `None` when they contradict a real camera.
fn focal_from(h: &Matrix3<f64>) -> Option<f64> {
    let (a, b) = (h.column(0), h.column(1));
    let p = [
        a[0] * b[0] + a[1] * b[1],
        a[0] * a[0] + a[1] * a[1] - b[0] * b[0] - b[1] * b[1],
    ];
    let r = [a[2] * b[2], a[2] * a[2] - b[2] * b[2]];
    // p / f^2 + r = 0 for both
    let numerator = -(p[0] * r[0] + p[1] * r[1]);
    let denominator = r[0] * r[0] + r[1] * r[1];
    let focal_squared = (p[0] * p[0] + p[1] * p[1]) / numerator;
    (denominator > 0.0 && focal_squared.is_finite() && focal_squared > 0.0)
        .then(|| focal_squared.sqrt())
}

fn pose_with(h: &Matrix3<f64>, focal: f64) -> (Matrix3x4<f64>, f64) {
    let k_inverse = Matrix3::from_diagonal(&Vector3::new(1.0 / focal, 1.0 / focal, 1.0));
    let m = k_inverse * h;
    let (x, y, t) = (
        m.column(0).into_owned(),
        m.column(1).into_owned(),
        m.column(2).into_owned(),
    );
    let scale = 2.0 / (x.norm() + y.norm());
    let sign = if t.z * scale < 0.0 { -1.0 } else { 1.0 };
    let (x, y, t) = (x * scale * sign, y * scale * sign, t * scale * sign);
    let normal = x.cross(&y);
    let normal = normal / normal.norm();
    let centre = x * 4.0 + y * 4.0 + t;
    let sine = (-normal.dot(&centre) / centre.norm()).clamp(-1.0, 1.0);
    let k = Matrix3::from_diagonal(&Vector3::new(focal, focal, 1.0));
    let projection = k * Matrix3x4::from_columns(&[x, y, normal, t]);
    (projection, sine.asin().to_degrees())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A camera of known pose: `fov_deg`, looking at the board's centre from `elevation_deg`.
    fn camera(fov_deg: f64, elevation_deg: f64, distance: f64) -> Matrix3x4<f64> {
        let f = 480.0 / (fov_deg.to_radians() / 2.0).tan();
        let e = elevation_deg.to_radians();
        let eye = Vector3::new(4.0, 4.0 - distance * e.cos(), distance * e.sin());
        let forward = (Vector3::new(4.0, 4.0, 0.0) - eye).normalize();
        let right = Vector3::new(1.0, 0.0, 0.0);
        let down = forward.cross(&right);
        let r = Matrix3::from_rows(&[right.transpose(), down.transpose(), forward.transpose()]);
        let t = -(r * eye);
        let k = Matrix3::new(f, 0.0, 480.0, 0.0, f, 270.0, 0.0, 0.0, 1.0);
        k * Matrix3x4::from_columns(&[
            r.column(0).into_owned(),
            r.column(1).into_owned(),
            r.column(2).into_owned(),
            t,
        ])
    }

    fn project(m: &Matrix3x4<f64>, p: [f64; 3]) -> [f64; 2] {
        let q = m * Vector4::new(p[0], p[1], p[2], 1.0);
        [q.x / q.z, q.y / q.z]
    }

    #[test]
    fn the_pose_of_a_known_camera_is_recovered() {
        for (fov, elevation) in [(40.0, 35.0), (40.0, 60.0), (70.0, 50.0), (55.0, 90.0)] {
            let truth = camera(fov, elevation, 18.0);
            let corner = |x, y| project(&truth, [x, y, 0.0]);
            let corners = Corners {
                a1: corner(0.0, 0.0),
                h1: corner(8.0, 0.0),
                h8: corner(8.0, 8.0),
                a8: corner(0.0, 8.0),
            };
            let view = BoardView::new(corners, 960, 540).unwrap();
            assert!(
                (view.elevation_deg - elevation).abs() < 1.0,
                "{fov} {elevation}: {}",
                view.elevation_deg
            );
            for p in [[0.5, 7.5, 1.5], [7.5, 0.5, 1.0], [4.0, 4.0, 2.0]] {
                let (got, want) = (view.project(p), project(&truth, p));
                assert!(
                    (got[0] - want[0]).hypot(got[1] - want[1]) < 1.5,
                    "{fov} {elevation} {p:?}: {got:?} {want:?}"
                );
                let back = view.point_at_height(got, p[2]);
                assert!((back[0] - p[0]).hypot(back[1] - p[1]) < 1e-6);
            }
        }
    }

    #[test]
    fn a_told_eye_gives_the_whole_camera() {
        for (fov, elevation, distance) in
            [(40.0, 89.9, 18.0), (70.0, 75.0, 30.0), (55.0, 40.0, 12.0)]
        {
            let truth = camera(fov, elevation, distance);
            let corners =
                Corners::from_order(BOARD_CORNERS.map(|[x, y]| project(&truth, [x, y, 0.0])));
            let e = f64::to_radians(elevation);
            let eye = [4.0, 4.0 - distance * e.cos(), distance * e.sin()];
            let view = BoardView::new(corners, 960, 540).unwrap();
            let told = view.seen_from(eye).unwrap();
            assert!((told.elevation_deg - elevation).abs() < 1e-6);
            for p in [[0.5, 7.5, 1.5], [7.5, 0.5, 0.0], [4.0, 4.0, 2.0]] {
                let (got, want) = (told.project(p), project(&truth, p));
                assert!((got[0] - want[0]).hypot(got[1] - want[1]) < 1e-6);
            }
            let half = told.scaled(0.5).unwrap();
            assert_eq!(half.told_eye(), Some(eye));
            assert_eq!(told.moved_to(corners).unwrap(), told);
        }
        let view = BoardView::new(
            Corners::from_order([[0., 9.], [9., 9.], [9., 0.], [0., 0.]]),
            9,
            9,
        );
        for eye in [[4.0, 4.0, 2.9], [4.0, 4.0, -20.0], [f64::NAN, 4.0, 20.0]] {
            assert!(matches!(
                view.clone().unwrap().seen_from(eye),
                Err(ViewError::Eye(_))
            ));
        }
    }

    #[test]
    fn a_lens_is_applied_in_both_directions() {
        let truth = camera(55.0, 50.0, 14.0);
        let lens = Lens { k1: -0.15 };
        let map = lens.of_picture(960.0, 540.0);
        let filmed = |p| map.filmed_from_ideal(project(&truth, p));
        let corners = Corners::from_order(BOARD_CORNERS.map(|[x, y]| filmed([x, y, 0.0])));
        let view = BoardView::through(lens, corners, 960, 540).unwrap();
        for p in [[0.5, 7.5, 1.5], [7.5, 0.5, 0.0], [4.0, 4.0, 2.0]] {
            let (got, want) = (view.project(p), filmed(p));
            assert!(
                (got[0] - want[0]).hypot(got[1] - want[1]) < 1.5,
                "{p:?}: {got:?} {want:?}"
            );
            let back = view.point_at_height(got, p[2]);
            assert!((back[0] - p[0]).hypot(back[1] - p[1]) < 1e-6);
            let floor = view.project([p[0], p[1], 0.0]);
            let back = view.board_point(floor);
            assert!((back[0] - p[0]).hypot(back[1] - p[1]) < 1e-6);
            let half = view.scaled(0.5).unwrap().project(p);
            assert!((half[0] * 2.0 - got[0]).hypot(half[1] * 2.0 - got[1]) < 1e-6);
        }
        let plain = BoardView::new(corners, 960, 540).unwrap();
        let bent = plain.project([4.0, 0.0, 0.0]);
        let right = view.project([4.0, 0.0, 0.0]);
        assert!((bent[0] - right[0]).hypot(bent[1] - right[1]) > 3.0);
        assert_eq!(
            BoardView::through(Lens { k1: 0.5 }, corners, 960, 540).unwrap_err(),
            ViewError::Lens(0.5)
        );
        assert_eq!(view.moved_to(corners).unwrap(), view);
    }

    #[test]
    fn impossible_corners_are_refused() {
        let square = Corners {
            a1: [0., 9.],
            h1: [9., 9.],
            h8: [9., 0.],
            a8: [0., 0.],
        };
        assert!(BoardView::new(square, 10, 10).is_ok());
        assert_eq!(
            BoardView::new(square.turned(1), 10, 10).unwrap().corners.a1,
            [9., 9.]
        );
        let mirrored = Corners {
            a1: square.h1,
            h1: square.a1,
            h8: square.a8,
            a8: square.h8,
        };
        assert_eq!(
            BoardView::new(mirrored, 10, 10).unwrap_err(),
            ViewError::Mirrored
        );
        let crossed = Corners {
            h1: square.h8,
            h8: square.h1,
            ..square
        };
        assert_eq!(
            BoardView::new(crossed, 10, 10).unwrap_err(),
            ViewError::NotConvex
        );
    }

    #[test]
    fn squares_and_points_agree() {
        for square in Square::ALL {
            assert_eq!(square_at(square_centre(square)), Some(square));
        }
        assert_eq!(square_at([8.0, 1.0]), None);
        assert_eq!(square_at([-0.1, 1.0]), None);
    }
}
