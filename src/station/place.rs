//! Where a board lies, as an arbiter drags it on the page: what is doubtful about it, and the board
//! file in the data folder that is kept of it.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use opencv::{
    core::{Mat, MatTraitConst, Vector},
    imgcodecs::{IMREAD_COLOR, imdecode},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::calibration::{
    file::{BoardFile, BoardFileError},
    follow, grid_score,
    lens::Lens,
    placement::{Grade, placement},
    view::{BoardView, Corners, ViewError},
};

/// Less alternation of light and dark than this, and the grid does not lie on a board.
const LEAST_SCORE: f64 = 0.55;
/// How far outside the picture a corner may lie, in pictures.
const BEYOND: f64 = 1.0;

/// The outer corners of the 64 squares, pixels of the board's picture, `[x, y]` from its top left.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Corners4 {
    /// Outer corner of a1.
    #[schema(min_items = 2, max_items = 2)]
    pub a1: [f64; 2],
    /// Outer corner of h1.
    #[schema(min_items = 2, max_items = 2)]
    pub h1: [f64; 2],
    /// Outer corner of h8.
    #[schema(min_items = 2, max_items = 2)]
    pub h8: [f64; 2],
    /// Outer corner of a8.
    #[schema(min_items = 2, max_items = 2)]
    pub a8: [f64; 2],
}

impl From<Corners4> for Corners {
    fn from(Corners4 { a1, h1, h8, a8 }: Corners4) -> Self {
        Self { a1, h1, h8, a8 }
    }
}

impl From<Corners> for Corners4 {
    fn from(Corners { a1, h1, h8, a8 }: Corners) -> Self {
        Self { a1, h1, h8, a8 }
    }
}

/// What corners that were dragged amount to.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Tried {
    /// The 9 x 9 crossings of the board's lines, pixels: from a1's corner to h1's, then rank by rank.
    pub grid: Vec<[f64; 2]>,
    /// What is doubtful, in sentences; none when it will do.
    pub doubts: Vec<String>,
    /// The corners that the edges in the picture say, where they are near.
    pub snapped: Option<Corners4>,
}

/// Why corners cannot be tried or kept.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// Far outside the picture, or no numbers.
    #[error("these corners lie too far outside the picture")]
    Outside,
    /// No board can lie so.
    #[error(transparent)]
    View(#[from] ViewError),
    /// The picture.
    #[error("the picture cannot be read: {0}")]
    Picture(#[from] opencv::Error),
    /// What came is no picture.
    #[error("the picture cannot be read")]
    NoPicture,
    /// The kept file.
    #[error(transparent)]
    File(#[from] BoardFileError),
}

/// A board's file in a station's folder.
fn file(data: &Path, board: i64) -> PathBuf {
    data.join("boards").join(format!("{board}.toml"))
}

/// Where a board lies by the page, if somebody dragged it.
///
/// # Errors
/// [`BoardFileError`].
pub fn kept(data: &Path, board: i64) -> Result<Option<BoardFile>, BoardFileError> {
    let path = file(data, board);
    path.exists().then(|| BoardFile::read(&path)).transpose()
}

/// Forgets where a board was dragged to; whether there was anything to forget.
///
/// # Errors
/// [`BoardFileError::Io`].
pub fn forget(data: &Path, board: i64) -> Result<bool, BoardFileError> {
    let path = file(data, board);
    match fs::remove_file(&path) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(BoardFileError::Io { path, source }),
    }
}

/// A picture on which corners are dragged.
pub struct Canvas {
    picture: Mat,
    lens: Lens,
}

impl Canvas {
    /// From a board's picture as JPEG, through its camera's lens.
    ///
    /// # Errors
    /// [`PlaceError::Picture`].
    pub fn open(jpeg: &[u8], lens: Lens) -> Result<Self, PlaceError> {
        let picture = imdecode(&Vector::from_slice(jpeg), IMREAD_COLOR)?;
        if picture.empty() {
            return Err(PlaceError::NoPicture);
        }
        Ok(Self { picture, lens })
    }

    fn size_px(&self) -> (u32, u32) {
        let (width, height) = (self.picture.cols(), self.picture.rows());
        (width.unsigned_abs(), height.unsigned_abs())
    }

    fn view(&self, corners: Corners) -> Result<BoardView, PlaceError> {
        let (width, height) = self.size_px();
        let near = |v: f64, size: u32| {
            let size = f64::from(size);
            (-BEYOND * size..=(1.0 + BEYOND) * size).contains(&v)
        };
        let mut points = corners.in_order().into_iter();
        if !points.all(|[x, y]| near(x, width) && near(y, height)) {
            return Err(PlaceError::Outside);
        }
        Ok(BoardView::through(self.lens, corners, width, height)?)
    }

    /// What corners amount to in this picture.
    ///
    /// # Errors
    /// [`PlaceError`].
    pub fn try_corners(&self, corners: Corners) -> Result<Tried, PlaceError> {
        let view = self.view(corners)?;
        let crossing = |k: u32| view.project([f64::from(k % 9), f64::from(k / 9), 0.0]);
        Ok(Tried {
            grid: (0..81).map(crossing).collect(),
            doubts: self.doubts(&view),
            snapped: follow(&self.picture, &view).map(|fit| fit.corners.into()),
        })
    }

    fn doubts(&self, view: &BoardView) -> Vec<String> {
        let mut doubts = Vec::new();
        if grid_score(&self.picture, view) < LEAST_SCORE {
            doubts.push(
                "Light and dark squares do not alternate as the grid says: drag each corner to \
                 the outer corner of its square, a1 being a dark one."
                    .to_owned(),
            );
        }
        let advice = placement(view, std::slice::from_ref(&self.picture));
        let poor = advice.into_iter().filter(|a| a.grade != Grade::Good);
        doubts.extend(poor.map(|a| format!("{} ({}): {}", a.aspect, a.grade, a.sentence)));
        doubts
    }

    /// Keeps corners as the board's own; returns what is doubtful about them.
    ///
    /// # Errors
    /// [`PlaceError`].
    pub fn keep(
        &self,
        data: &Path,
        (board, name): (i64, &str),
        corners: Corners,
    ) -> Result<Vec<String>, PlaceError> {
        let view = self.view(corners)?;
        let (width, height) = self.size_px();
        let kept = BoardFile {
            name: name.to_owned(),
            width,
            height,
            doubts: self.doubts(&view),
            clock: None,
            corners,
            lens: self.lens,
        };
        write(&file(data, board), &kept.to_toml()?)?;
        Ok(kept.doubts)
    }
}

/// Writes a file whole or not at all.
fn write(path: &Path, text: &str) -> Result<(), BoardFileError> {
    let failed = |source| BoardFileError::Io {
        path: path.to_owned(),
        source,
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(failed)?;
    let mut new = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    new.write_all(text.as_bytes()).map_err(failed)?;
    new.as_file().sync_all().map_err(failed)?;
    new.persist(path).map_err(|e| failed(e.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use opencv::{
        core::{CV_8UC3, Point, Scalar},
        imgproc::{LINE_8, fill_convex_poly},
    };

    use super::*;

    /// A picture of a board seen from above, 60 pixels a square, from (100, 60) on.
    fn picture() -> Vec<u8> {
        let grey = |v| Scalar::new(v, v, v, 0.0);
        let mut picture = Mat::new_rows_cols_with_default(600, 680, CV_8UC3, grey(60.0)).unwrap();
        for (x, y) in (0..64).map(|k| (k % 8, k / 8)) {
            let corner = |dx, dy| Point::new(100 + 60 * (x + dx), 60 + 60 * (y + dy));
            let points = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            let light = if (x + y) % 2 == 0 { 190.0 } else { 90.0 };
            let square = Vector::<Point>::from_iter(points);
            fill_convex_poly(&mut picture, &square, grey(light), LINE_8, 0).unwrap();
        }
        crate::station::live::jpeg(&picture).unwrap()
    }

    fn corners(x: f64, y: f64, side: f64) -> Corners {
        Corners {
            a1: [x, y + side],
            h1: [x + side, y + side],
            h8: [x + side, y],
            a8: [x, y],
        }
    }

    #[test]
    fn corners_on_the_board_have_its_grid_and_no_doubt() {
        let canvas = Canvas::open(&picture(), Lens::default()).unwrap();
        let tried = canvas.try_corners(corners(100.0, 60.0, 480.0)).unwrap();
        assert_eq!(tried.doubts, Vec::<String>::new());
        let near = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) < 0.5;
        assert_eq!(tried.grid.len(), 81);
        assert!(near(tried.grid[0], [100.0, 540.0]), "{:?}", tried.grid[0]);
        assert!(near(tried.grid[10], [160.0, 480.0]), "{:?}", tried.grid[10]);
        assert!(near(tried.grid[80], [580.0, 60.0]));
    }

    #[test]
    fn corners_nearby_are_drawn_to_the_edges_and_others_are_doubted() {
        let canvas = Canvas::open(&picture(), Lens::default()).unwrap();
        let near = canvas.try_corners(corners(106.0, 65.0, 472.0)).unwrap();
        let snapped = near.snapped.unwrap();
        assert!((snapped.a8[0] - 100.0).abs() < 1.0 && (snapped.a8[1] - 60.0).abs() < 1.0);
        let off = canvas.try_corners(corners(160.0, 60.0, 480.0)).unwrap();
        assert!(off.doubts[0].contains("alternate"), "{:?}", off.doubts);
        let right = corners(100.0, 60.0, 480.0);
        let mirrored = Corners {
            a1: right.h1,
            h1: right.a1,
            h8: right.a8,
            a8: right.h8,
        };
        for wrong in [
            mirrored,
            corners(1e9, 60.0, 480.0),
            corners(f64::NAN, 60.0, 480.0),
            corners(100.0, 60.0, 0.0),
        ] {
            assert!(canvas.try_corners(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn what_is_kept_is_read_back_until_it_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let canvas = Canvas::open(&picture(), Lens { k1: -0.1 }).unwrap();
        let (of, place) = ((3, "Board \"3\""), corners(106.0, 65.0, 472.0));
        assert_eq!(kept(folder.path(), 3).unwrap(), None);
        canvas.keep(folder.path(), of, place).unwrap();
        let file = kept(folder.path(), 3).unwrap().unwrap();
        assert_eq!((file.width, file.height), (680, 600));
        assert_eq!((file.corners, file.lens.k1), (place, -0.1));
        assert_eq!(file.name, "Board \"3\"");
        assert!(forget(folder.path(), 3).unwrap());
        assert!(!forget(folder.path(), 3).unwrap());
        assert!(Canvas::open(b"no picture", Lens::default()).is_err());
    }
}
