//! What a station is to do: from a TOML file, and from the command line over it.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{
    keeper::Rule,
    source::{Source, SourceError},
};
use crate::{
    calibration::{
        file::{BoardFile, parse_corners},
        lens::Lens,
        view::Corners,
    },
    events::position_from_fen,
    rules::Edition,
};

/// The port without another one being given.
pub const PORT: u16 = 8437;
/// The start of chess.
const START_FEN: &str = crate::broadcast::game::START_FEN;
/// Disk space for the frames of one board without another one being given, GiB: a day of play.
const FOOTAGE_GIB: f64 = 24.0;
/// The appeal period without another one being given, days.
const FOOTAGE_DAYS: f64 = 14.0;

/// A station.
#[derive(Debug, Clone)]
pub struct Config {
    /// Port of the page, on this machine only.
    pub port: u16,
    /// Folder of the database and of footage.
    pub data: PathBuf,
    /// Edition of the Laws.
    pub laws: Edition,
    /// How long footage stays.
    pub rule: Rule,
    /// The boards.
    pub boards: Vec<BoardConfig>,
}

/// One board.
#[derive(Debug, Clone)]
pub struct BoardConfig {
    /// Its name.
    pub name: String,
    /// What watches it.
    pub source: Source,
    /// Where the board lies, if it is not to be looked for.
    pub place: Option<Place>,
    /// Where its games begin.
    pub start_fen: String,
}

/// Where a board lies, given.
#[derive(Debug, Clone)]
pub enum Place {
    /// Corners in pixels.
    Corners(Box<Corners>),
    /// A board file from `adoube calibrate`, for any picture of the same shape.
    File(Box<BoardFile>),
}

impl Place {
    /// Corners and lens for pictures of a size, pixels.
    ///
    /// # Errors
    /// A sentence, when the board file is for another shape.
    pub fn at(&self, width_px: u32, height_px: u32) -> Result<(Corners, Lens), String> {
        match self {
            Self::Corners(corners) => Ok((**corners, Lens::default())),
            Self::File(file) => {
                let corners = file.corners_for(width_px, height_px);
                Ok((corners.map_err(|e| e.to_string())?, file.lens))
            }
        }
    }
}

/// Why a station cannot be set up so.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is not as it should be.
    #[error("{}: {why}", path.display())]
    Bad {
        /// Which file.
        path: PathBuf,
        /// What is wrong, and where.
        why: String,
    },
    /// `--board` without a name.
    #[error("--board \"{0}\": give a name and a source, as --board \"Board 1=/dev/video0\"")]
    NoName(String),
    /// A board's source.
    #[error("board \"{name}\": {source}")]
    Source {
        /// Which board.
        name: String,
        /// What is wrong with it.
        source: SourceError,
    },
    /// Anything else about a board.
    #[error("board \"{name}\": {why}")]
    Board {
        /// Which board.
        name: String,
        /// What is wrong with it.
        why: String,
    },
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileConfig {
    port: Option<u16>,
    data: Option<PathBuf>,
    laws: Option<String>,
    footage_gib: Option<f64>,
    footage_days: Option<f64>,
    #[serde(default)]
    board: Vec<FileBoard>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileBoard {
    name: String,
    source: String,
    corners: Option<String>,
    board_file: Option<PathBuf>,
    start: Option<String>,
}

/// What the command line says; it goes before the file.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// The file.
    pub config: Option<PathBuf>,
    /// Boards as `NAME=SOURCE`, instead of the file's.
    pub boards: Vec<String>,
    /// Port.
    pub port: Option<u16>,
    /// Folder.
    pub data: Option<PathBuf>,
    /// Laws.
    pub laws: Option<Edition>,
}

impl Given {
    /// The whole of it.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn resolve(self) -> Result<Config, ConfigError> {
        let file = self.config.as_deref().map(read).transpose()?;
        let near = self.config.as_deref().and_then(Path::parent);
        let near = near.unwrap_or(Path::new("")).to_owned();
        let file = file.unwrap_or_default();
        let bad = |why: String| ConfigError::Bad {
            path: self.config.clone().unwrap_or_default(),
            why,
        };
        let laws = file.laws.as_deref().map(str::parse).transpose();
        let laws: Option<Edition> =
            laws.map_err(|e: crate::rules::UnknownEdition| bad(e.to_string()))?;
        let gib = file.footage_gib.unwrap_or(FOOTAGE_GIB);
        if !(0.1..=100_000.0).contains(&gib) {
            return Err(bad("footage_gib: give a number from 0.1 on".to_owned()));
        }
        let days = file.footage_days.unwrap_or(FOOTAGE_DAYS);
        if !(0.1..=3650.0).contains(&days) {
            return Err(bad(
                "footage_days: give the appeal period, from 0.1 days to ten years".to_owned(),
            ));
        }
        let boards: Result<Vec<BoardConfig>, ConfigError> = if self.boards.is_empty() {
            file.board.into_iter().map(|b| b.resolve(&near)).collect()
        } else {
            self.boards.iter().map(|text| board(text)).collect()
        };
        let boards = boards?;
        check(&boards)?;
        Ok(Config {
            port: self.port.or(file.port).unwrap_or(PORT),
            data: self
                .data
                .or_else(|| file.data.map(|data| near.join(data)))
                .unwrap_or_else(|| PathBuf::from("adoube-data")),
            laws: self.laws.or(laws).unwrap_or(Edition::Fide2023),
            rule: Rule {
                days,
                most_bytes: (gib * 1024.0 * 1024.0 * 1024.0) as u64,
            },
            boards,
        })
    }
}

fn read(path: &Path) -> Result<FileConfig, ConfigError> {
    let text = std::fs::read_to_string(path).map_err(|source| ConfigError::Read {
        path: path.to_owned(),
        source,
    })?;
    toml::from_str(&text).map_err(|e| ConfigError::Bad {
        path: path.to_owned(),
        why: e.to_string(),
    })
}

fn source(name: &str, text: &str) -> Result<Source, ConfigError> {
    text.parse().map_err(|source| ConfigError::Source {
        name: name.to_owned(),
        source,
    })
}

/// A board as `NAME=SOURCE`.
fn board(text: &str) -> Result<BoardConfig, ConfigError> {
    let named = text.split_once('=').map(|(name, rest)| (name.trim(), rest));
    let Some((name, address)) = named.filter(|(name, _)| !name.is_empty() && !name.contains("://"))
    else {
        // What follows may be an address with a password.
        let shown = text.split("://").next().unwrap_or_default();
        return Err(ConfigError::NoName(shown.to_owned()));
    };
    BoardConfig::given(name, address, None)
}

impl BoardConfig {
    /// A board by its name, its source and the FEN of where its games begin.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn given(name: &str, address: &str, start_fen: Option<&str>) -> Result<Self, ConfigError> {
        let board = Self {
            name: name.trim().to_owned(),
            source: source(name, address)?,
            place: None,
            start_fen: start_fen.unwrap_or(START_FEN).to_owned(),
        };
        board.check()?;
        Ok(board)
    }

    /// What would only show when the board is running.
    fn check(&self) -> Result<(), ConfigError> {
        let failed = |why: String| ConfigError::Board {
            name: self.name.clone(),
            why,
        };
        if !(1..=60).contains(&self.name.chars().count()) {
            return Err(failed("a name has 1 to 60 characters".to_owned()));
        }
        position_from_fen(&self.start_fen).map_err(|e| failed(format!("start: {e}")))?;
        if let Source::Recording { path, .. } = &self.source
            && !path.exists()
        {
            let path = path.display();
            return Err(failed(format!(
                "{path}: there is no such file or folder: check the path"
            )));
        }
        Ok(())
    }
}

impl FileBoard {
    /// Paths are meant from the folder of the file.
    fn resolve(self, near: &Path) -> Result<BoardConfig, ConfigError> {
        let name = self.name.trim().to_owned();
        let failed = |why: String| ConfigError::Board {
            name: name.clone(),
            why,
        };
        let place = match (&self.corners, &self.board_file) {
            (Some(_), Some(_)) => {
                return Err(failed("give corners or board_file, not both".to_owned()));
            }
            (Some(text), None) => {
                let corners = parse_corners(text).map_err(|e| failed(e.to_string()))?;
                Some(Place::Corners(Box::new(corners)))
            }
            (None, Some(path)) => {
                let file = BoardFile::read(&near.join(path)).map_err(|e| failed(e.to_string()))?;
                Some(Place::File(Box::new(file)))
            }
            (None, None) => None,
        };
        let mut source = source(&name, &self.source)?;
        if let Source::Recording { path, .. } = &mut source {
            *path = near.join(&*path);
        }
        let start_fen = self.start.unwrap_or_else(|| START_FEN.to_owned());
        Ok(BoardConfig {
            source,
            place,
            start_fen,
            name,
        })
    }
}

/// What would only show when the boards are running.
fn check(boards: &[BoardConfig]) -> Result<(), ConfigError> {
    for (index, board) in boards.iter().enumerate() {
        board.check()?;
        if boards.iter().take(index).any(|b| b.name == board.name) {
            let why = "two boards have this name".to_owned();
            let name = board.name.clone();
            return Err(ConfigError::Board { name, why });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_file(text: &str) -> Result<Config, ConfigError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("station.toml");
        std::fs::write(&path, text).unwrap();
        std::fs::write(folder.path().join("game.mp4"), "x").unwrap();
        Given {
            config: Some(path),
            ..Given::default()
        }
        .resolve()
    }

    #[test]
    fn a_file_says_it_all_and_the_command_line_goes_before_it() {
        let text = r#"
            port = 9000
            laws = "fide-2018"
            footage_gib = 2
            footage_days = 30
            [[board]]
            name = "Top board"
            source = "game.mp4"
            start = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
            [[board]]
            name = "Two"
            source = "rtsp://anna:word@host/1"
            corners = "a1=1,9 h1=9,9 h8=9,1 a8=1,1"
        "#;
        let config = from_file(text).unwrap();
        assert_eq!((config.port, config.laws), (9000, Edition::Fide2018));
        assert_eq!((config.rule.most_bytes, config.rule.days), (2 << 30, 30.0));
        assert_eq!(config.boards.len(), 2);
        assert!(matches!(config.boards[1].place, Some(Place::Corners(_))));
        let given = Given {
            boards: vec!["Cam=/dev/video0".to_owned()],
            port: Some(1),
            ..Given::default()
        };
        let config = given.resolve().unwrap();
        assert_eq!((config.port, config.boards[0].name.as_str()), (1, "Cam"));
    }

    #[test]
    fn what_is_wrong_is_said_before_anything_runs() {
        for (text, said) in [
            ("ports = 1", "unknown field"),
            ("laws = \"fide-1900\"", "fide-1900"),
            ("footage_gib = 0", "footage_gib"),
            ("footage_days = 0", "footage_days"),
            (
                "[[board]]\nname = \"A\"\nsource = \"no.mp4\"",
                "no such file",
            ),
            ("[[board]]\nname = \"A\"\nsource = \"ftp://x\"", "ftp://"),
            ("[[board]]\nname = \"\"\nsource = \"game.mp4\"", "1 to 60"),
            (
                "[[board]]\nname = \"A\"\nsource = \"game.mp4\"\nstart = \"8/8\"",
                "start",
            ),
            (
                "[[board]]\nname = \"A\"\nsource = \"game.mp4\"\n[[board]]\nname = \"A\"\nsource = \"game.mp4\"",
                "two boards",
            ),
        ] {
            let error = from_file(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn a_password_is_not_shown_when_the_name_was_forgotten() {
        for address in ["rtsp://anna:secret@host/1", "rtsp://anna:secret@host/1?a=b"] {
            let given = Given {
                boards: vec![address.to_owned()],
                ..Given::default()
            };
            let error = given.resolve().unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
