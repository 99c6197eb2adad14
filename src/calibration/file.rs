//! Board files (TOML) and the `--corners` flag: where a person says that the board lies.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{
    clock::ClockPlace,
    lens::Lens,
    view::{BoardView, Corners, ViewError},
};

/// One camera's board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardFile {
    /// A name for people.
    pub name: String,
    /// Picture width, pixels.
    pub width: u32,
    /// Picture height, pixels.
    pub height: u32,
    /// What was doubtful when it was made.
    #[serde(default)]
    pub doubts: Vec<String>,
    /// Where the chess clock stands: the corners of its upper side, pixels of the picture as filmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockPlace>,
    /// Outer corners of the 64 squares, pixels of the picture as filmed.
    pub corners: Corners,
    /// The camera's lens; plain where the file does not tell.
    #[serde(default, skip_serializing_if = "Lens::is_plain")]
    pub lens: Lens,
}

/// Why a board file or flag cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BoardFileError {
    /// Not readable or writable.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Not such a file.
    #[error("{}: this is not a board file: {why}; `adoube calibrate` writes one", path.display())]
    Format {
        /// Which file.
        path: PathBuf,
        /// What the parser said.
        why: String,
    },
    /// Made for another picture size.
    #[error("this board file was made for {}x{} pixels, the pictures have {}x{}: calibrate again", .made.0, .made.1, .got.0, .got.1)]
    Size {
        /// The file's.
        made: (u32, u32),
        /// The source's.
        got: (u32, u32),
    },
    /// The flag's text.
    #[error("--corners: {0}; write \"a1=x,y h1=x,y h8=x,y a8=x,y\" in pixels")]
    Flag(String),
    /// Impossible corners.
    #[error(transparent)]
    View(#[from] ViewError),
}

impl BoardFile {
    /// Reads a board file and checks its corners.
    ///
    /// # Errors
    /// [`BoardFileError`].
    pub fn read(path: &Path) -> Result<Self, BoardFileError> {
        let text = std::fs::read_to_string(path).map_err(|source| BoardFileError::Io {
            path: path.to_owned(),
            source,
        })?;
        let file: Self = toml::from_str(&text).map_err(|e| BoardFileError::Format {
            path: path.to_owned(),
            why: e.message().to_owned(),
        })?;
        BoardView::through(file.lens, file.corners, file.width, file.height)?;
        Ok(file)
    }

    /// The file's text.
    ///
    /// # Errors
    /// [`BoardFileError::Format`] when a value cannot be written, such as a corner at infinity.
    pub fn to_toml(&self) -> Result<String, BoardFileError> {
        let body = toml::to_string_pretty(self).map_err(|e| BoardFileError::Format {
            path: PathBuf::from(&self.name),
            why: e.to_string(),
        })?;
        Ok(format!(
            "# Board file of adoube {}: outer corners of the 64 squares, in pixels.\n{body}",
            env!("CARGO_PKG_VERSION")
        ))
    }

    /// The corners for pictures of a size.
    ///
    /// # Errors
    /// [`BoardFileError::Size`].
    pub fn corners_for(&self, width: u32, height: u32) -> Result<Corners, BoardFileError> {
        if (self.width, self.height) == (width, height) {
            Ok(self.corners)
        } else {
            Err(BoardFileError::Size {
                made: (self.width, self.height),
                got: (width, height),
            })
        }
    }
}

/// Reads `a1=x,y h1=x,y h8=x,y a8=x,y`, in any order.
///
/// # Errors
/// [`BoardFileError::Flag`] with what is wrong, [`BoardFileError::View`] for impossible corners.
pub fn parse_corners(text: &str) -> Result<Corners, BoardFileError> {
    let flag = |why: String| BoardFileError::Flag(why);
    let names = ["a1", "h1", "h8", "a8"];
    let mut order: [Option<[f64; 2]>; 4] = [None; 4];
    for word in text.split_whitespace() {
        let (name, point) = word
            .split_once('=')
            .ok_or_else(|| flag(format!("\"{word}\" has no =")))?;
        let slot = names
            .iter()
            .position(|n| n.eq_ignore_ascii_case(name))
            .and_then(|i| order.get_mut(i))
            .ok_or_else(|| flag(format!("\"{name}\" is not one of a1, h1, h8, a8")))?;
        let (x, y) = point
            .split_once(',')
            .ok_or_else(|| flag(format!("\"{point}\" is not x,y")))?;
        let number = |v: &str| {
            v.parse::<f64>()
                .ok()
                .filter(|v| v.is_finite())
                .ok_or_else(|| flag(format!("\"{v}\" is not a number")))
        };
        if slot.replace([number(x)?, number(y)?]).is_some() {
            return Err(flag(format!("{name} is given twice")));
        }
    }
    let mut corners = [[0.0; 2]; 4];
    for ((corner, given), name) in corners.iter_mut().zip(order).zip(names) {
        *corner = given.ok_or_else(|| flag(format!("{name} is missing")))?;
    }
    let corners = Corners::from_order(corners);
    BoardView::new(corners, 1, 1)?;
    Ok(corners)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_example_is_a_board_file() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("calibration/example.toml");
        let file = BoardFile::read(&path).unwrap();
        assert_eq!(
            file.to_toml()
                .unwrap()
                .parse::<toml::Table>()
                .unwrap()
                .len(),
            5
        );
        assert_eq!((file.width, file.height), (640, 480));
    }

    const GOOD: &str = "a1=10,90 h1=90,90 h8=90,10 a8=10,10";

    #[test]
    fn corners_in_any_order() {
        let corners = parse_corners(GOOD).unwrap();
        assert_eq!(corners.h8, [90.0, 10.0]);
        assert_eq!(
            parse_corners("a8=10,10 H1=90,90 h8=90,10 a1=10,90").unwrap(),
            corners
        );
    }

    #[test]
    fn bad_corners_say_what_is_wrong() {
        for (text, want) in [
            ("", "a1 is missing"),
            ("a1=1,2", "h1 is missing"),
            ("a1:1,2", "has no ="),
            ("b2=1,2", "not one of"),
            ("a1=1", "is not x,y"),
            ("a1=x,2", "is not a number"),
            ("a1=1,inf", "is not a number"),
            ("a1=1,2 a1=1,2", "given twice"),
            ("a1=90,90 h1=10,90 h8=10,10 a8=90,10", "mirrored"),
            ("a1=10,90 h1=90,10 h8=90,90 a8=10,10", "convex"),
        ] {
            let got = parse_corners(text).unwrap_err().to_string();
            assert!(got.contains(want), "{text}: {got}");
        }
    }

    #[test]
    fn a_board_file_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.toml");
        let file = BoardFile {
            name: "b".into(),
            width: 100,
            height: 100,
            doubts: vec!["it is \"dark\"".into()],
            clock: None,
            corners: parse_corners(GOOD).unwrap(),
            lens: Lens::default(),
        };
        let plain = file.to_toml().unwrap();
        assert!(
            !plain.contains("lens") && !plain.contains("clock ="),
            "{plain}"
        );
        std::fs::write(&path, file.to_toml().unwrap()).unwrap();
        assert_eq!(BoardFile::read(&path).unwrap(), file);
        assert!(file.corners_for(100, 100).is_ok());
        assert!(
            file.corners_for(50, 100)
                .unwrap_err()
                .to_string()
                .contains("calibrate again")
        );
        let bent = BoardFile {
            lens: Lens { k1: -0.125 },
            ..file.clone()
        };
        std::fs::write(&path, bent.to_toml().unwrap()).unwrap();
        assert_eq!(BoardFile::read(&path).unwrap(), bent);
        std::fs::write(&path, bent.to_toml().unwrap().replace("-0.125", "-7.0")).unwrap();
        let got = BoardFile::read(&path).unwrap_err().to_string();
        assert!(got.contains("k1 = -7"), "{got}");
        let timed = BoardFile {
            clock: Some("1,1 20,1 20,9 1,9".parse().unwrap()),
            ..file.clone()
        };
        std::fs::write(&path, timed.to_toml().unwrap()).unwrap();
        assert_eq!(BoardFile::read(&path).unwrap(), timed);
        let line = file
            .to_toml()
            .unwrap()
            .replace("[corners]", "clock = [[1.0, 1.0], [2.0, 2.0]]\n[corners]");
        std::fs::write(&path, line).unwrap();
        let got = BoardFile::read(&path).unwrap_err().to_string();
        assert!(got.contains("no area"), "{got}");
        std::fs::write(&path, "name = 1").unwrap();
        assert!(
            BoardFile::read(&path)
                .unwrap_err()
                .to_string()
                .contains("not a board file")
        );
    }
}
