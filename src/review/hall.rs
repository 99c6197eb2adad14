//! A recording of several boards: which there are, and what is looked at for each.

use std::{
    io,
    path::{Path, PathBuf},
    str::FromStr,
};

use super::setup::{CALIBRATION_FRAMES, LATER_STEP, take};
use crate::{
    calibration::{
        LeftOut, Refusal,
        clock::ClockPlace,
        file::{BoardFile, BoardFileError},
        find_boards,
        view::Corners,
        window::Window,
    },
    media::{Footage, MediaError, SourceInfo},
};

/// Which boards of a recording are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// All that can be read.
    All,
    /// So many, the largest.
    Largest(usize),
    /// Those of the board files in a folder, in the order of their names.
    Marked(PathBuf),
}

impl FromStr for Wish {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.parse()) {
            ("all", _) => Ok(Self::All),
            (_, Ok(0)) => Err("give at least 1".to_owned()),
            (_, Ok(count)) => Ok(Self::Largest(count)),
            (_, Err(_)) if Path::new(text).is_dir() => Ok(Self::Marked(text.into())),
            _ => Err("give \"all\", a number, or a folder of board files".to_owned()),
        }
    }
}

/// One board of several.
#[derive(Debug, Clone, PartialEq)]
pub struct Seat {
    /// Its number from 1, or the name of its board file.
    pub name: String,
    /// The part of the picture that is its own.
    pub window: Window,
    /// Where it lies in that part, where a board file says so.
    pub corners: Option<Corners>,
    /// Where its clock stands in that part, where a board file says so.
    pub clock: Option<ClockPlace>,
    /// The PGN beside the recording or the board file, where there is one.
    pub pgn: Option<PathBuf>,
}

/// The boards of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Hall {
    /// Those to be reviewed, in their order.
    pub seats: Vec<Seat>,
    /// Those that cannot be read.
    pub left_out: Vec<LeftOut>,
}

/// Why there is nothing to be reviewed.
#[derive(Debug, thiserror::Error)]
pub enum HallError {
    /// The recording.
    #[error(transparent)]
    Media(#[from] MediaError),
    /// No picture can be examined.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A board file.
    #[error(transparent)]
    BoardFile(#[from] BoardFileError),
    /// The folder of board files.
    #[error("{}: {source}", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder without board files.
    #[error("{}: there are no board files (.toml) in this folder: `adoube calibrate` writes one", .0.display())]
    NoFiles(PathBuf),
    /// A picture of nothing.
    #[error(
        "no board was found at the beginning of the recording: film whole boards, away from hands, or give a folder of board files with --boards"
    )]
    None,
}

/// The boards of a recording (its files, in their order), as wished.
///
/// # Errors
/// [`HallError`].
pub fn hall(files: &[PathBuf], wish: &Wish) -> Result<Hall, HallError> {
    let footage = Footage::whole(files);
    let mut source = footage.open()?;
    if let Wish::Marked(folder) = wish {
        let seats = marked(folder, source.info())?;
        return Ok(Hall {
            seats,
            left_out: Vec::new(),
        });
    }
    let size = (source.info().width_px, source.info().height_px);
    let frames = take(source.as_mut(), LATER_STEP, CALIBRATION_FRAMES)?;
    let mut boards = find_boards(&frames)?;
    // Boards that are not reviewed have hands over them, too.
    let left_out = boards.left_out.iter().map(|board| board.corners);
    let all: Vec<Corners> = boards.whole.iter().copied().chain(left_out).collect();
    if let Wish::Largest(count) = wish {
        boards.keep_largest(*count);
    }
    if boards.whole.is_empty() {
        return Err(boards
            .left_out
            .into_iter()
            .next()
            .map_or(HallError::None, |b| b.why.into()));
    }
    let seats = boards.whole.iter().enumerate().map(|(index, corners)| {
        let name = (index + 1).to_string();
        Seat {
            window: around(corners, &all, size),
            corners: None,
            clock: None,
            pgn: files.first().and_then(|file| pgn_of(file, &name)),
            name,
        }
    });
    Ok(Hall {
        seats: seats.collect(),
        left_out: boards.left_out,
    })
}

/// The part of the picture around one of several boards.
fn around(corners: &Corners, all: &[Corners], size: (u32, u32)) -> Window {
    let others: Vec<Corners> = all.iter().filter(|o| *o != corners).copied().collect();
    Window::around(corners, &others, size)
}

/// `hall-2.pgn` beside `hall.mp4` for the board 2.
fn pgn_of(video: &Path, board: &str) -> Option<PathBuf> {
    let stem = video.file_stem()?.to_string_lossy();
    let path = video.with_file_name(format!("{stem}-{board}.pgn"));
    path.is_file().then_some(path)
}

/// The boards of a folder of board files.
fn marked(folder: &Path, info: &SourceInfo) -> Result<Vec<Seat>, HallError> {
    let failed = |source| HallError::Folder {
        path: folder.to_owned(),
        source,
    };
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    let mut paths = entries
        .map(|entry| entry.map(|e| e.path()))
        .collect::<io::Result<Vec<PathBuf>>>()
        .map_err(failed)?;
    paths.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    paths.sort();
    if paths.is_empty() {
        return Err(HallError::NoFiles(folder.to_owned()));
    }
    let size = (info.width_px, info.height_px);
    let mut boards = Vec::new();
    for path in paths {
        let file = BoardFile::read(&path)?;
        boards.push((path, file.corners_for(size.0, size.1)?, file.clock));
    }
    let all: Vec<Corners> = boards.iter().map(|b| b.1).collect();
    let seats = boards.into_iter().map(|(path, corners, clock)| {
        let window = around(&corners, &all, size);
        Seat {
            name: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            window,
            corners: Some(window.corners(&corners)),
            clock: clock.and_then(|c| c.seen_in(window)),
            pgn: Some(path.with_extension("pgn")).filter(|p| p.is_file()),
        }
    });
    Ok(seats.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_wished_for_by_number_or_by_folder() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().to_str().unwrap();
        assert_eq!("all".parse(), Ok(Wish::All));
        assert_eq!("4".parse(), Ok(Wish::Largest(4)));
        assert_eq!(name.parse(), Ok(Wish::Marked(folder.path().to_owned())));
        assert!("0".parse::<Wish>().is_err());
        assert!("some".parse::<Wish>().is_err());
    }
}
