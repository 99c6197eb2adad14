//! What a station is to do: from a TOML file, and from the command line over it.

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv4Addr},
    path::{Path, PathBuf},
};

use serde::Deserialize;

use super::{
    keeper::Rule,
    public::config::{Broadcast, FileBroadcast},
    source::{Source, SourceError},
    store::alerts::AlertKind,
    tls::Certificate,
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
/// Two places that say how late a broadcast is.
const TWO_DELAYS: &str = "give --broadcast-delay, or delay_s under [broadcast], not both";

/// A station.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where the page is served.
    pub listen: Listen,
    /// Folder of the database and of footage.
    pub data: PathBuf,
    /// Edition of the Laws.
    pub laws: Edition,
    /// How long footage stays.
    pub rule: Rule,
    /// Kinds of incidents that the event has in use or not; on others the page has its say.
    pub alerts: BTreeMap<AlertKind, bool>,
    /// The boards.
    pub boards: Vec<BoardConfig>,
    /// What is public, if anything is.
    pub broadcast: Option<Broadcast>,
    /// Folder of recordings that can be reviewed on the page.
    pub recordings: Option<PathBuf>,
}

/// Where the page is served: others on the network reach it by TLS only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listen {
    /// On this machine, at this port.
    Here(u16),
    /// At an address and port, by TLS.
    Tls(IpAddr, u16, Certificate),
}

impl Listen {
    /// Address and port.
    #[must_use]
    pub const fn at(&self) -> (IpAddr, u16) {
        match self {
            Self::Here(port) => (IpAddr::V4(Ipv4Addr::LOCALHOST), *port),
            Self::Tls(address, port, _) => (*address, *port),
        }
    }
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
    /// Passwords would go over the network for everybody to read.
    #[error(
        "listening at {0} is for others on the network, and needs TLS: add --tls, or give a certificate with --certificate and --private-key"
    )]
    Open(IpAddr),
    /// Half a certificate.
    #[error("a certificate needs its key: give both --certificate and --private-key")]
    HalfCertificate,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileConfig {
    port: Option<u16>,
    listen: Option<IpAddr>,
    #[serde(default)]
    tls: bool,
    certificate: Option<PathBuf>,
    private_key: Option<PathBuf>,
    data: Option<PathBuf>,
    laws: Option<String>,
    footage_gib: Option<f64>,
    footage_days: Option<f64>,
    #[serde(default)]
    alerts: BTreeMap<AlertKind, bool>,
    #[serde(default)]
    board: Vec<FileBoard>,
    broadcast: Option<FileBroadcast>,
    recordings: Option<PathBuf>,
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
    /// Address to listen at.
    pub listen: Option<IpAddr>,
    /// Whether to serve by TLS.
    pub tls: bool,
    /// Certificate and key, PEM.
    pub certificate: Option<PathBuf>,
    /// See `certificate`.
    pub private_key: Option<PathBuf>,
    /// Folder.
    pub data: Option<PathBuf>,
    /// Laws.
    pub laws: Option<Edition>,
    /// Begins a broadcast with this delay, seconds.
    pub broadcast_delay_s: Option<u32>,
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
        let certificate = match (self.certificate, self.private_key) {
            (None, None) => (
                file.certificate.map(|path| near.join(path)),
                file.private_key.map(|path| near.join(path)),
            ),
            given => given,
        };
        let broadcast = match (self.broadcast_delay_s, file.broadcast) {
            (Some(delay_s), None) => Some(FileBroadcast::plain(delay_s)),
            (None, file) => file,
            (Some(_), Some(_)) => return Err(bad(TWO_DELAYS.to_owned())),
        };
        let broadcast =
            broadcast.map(|b| b.resolve(&near).map_err(|e| bad(format!("broadcast: {e}"))));
        let broadcast = broadcast.transpose()?;
        Ok(Config {
            listen: listen(
                self.listen.or(file.listen),
                self.port.or(file.port).unwrap_or(PORT),
                self.tls || file.tls,
                certificate,
            )?,
            data: self
                .data
                .or_else(|| file.data.map(|data| near.join(data)))
                .unwrap_or_else(|| PathBuf::from("adoube-data")),
            laws: self.laws.or(laws).unwrap_or(Edition::Fide2023),
            rule: Rule {
                days,
                most_bytes: (gib * 1024.0 * 1024.0 * 1024.0) as u64,
            },
            alerts: file.alerts,
            boards,
            broadcast,
            recordings: file.recordings.map(|folder| near.join(folder)),
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

fn listen(
    address: Option<IpAddr>,
    port: u16,
    tls: bool,
    certificate: (Option<PathBuf>, Option<PathBuf>),
) -> Result<Listen, ConfigError> {
    let address = address.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    match certificate {
        (Some(chain), Some(key)) => {
            let given = Certificate::Given { chain, key };
            Ok(Listen::Tls(address, port, given))
        }
        (None, None) if tls => Ok(Listen::Tls(address, port, Certificate::OwnMade)),
        // All of 127.0.0.0/8 is this machine, but the page answers to its usual address only.
        (None, None) if address == IpAddr::V4(Ipv4Addr::LOCALHOST) => Ok(Listen::Here(port)),
        (None, None) => Err(ConfigError::Open(address)),
        _ => Err(ConfigError::HalfCertificate),
    }
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
            [alerts]
            two_hands = false
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
        assert_eq!(config.listen, Listen::Here(9000));
        assert_eq!(config.laws, Edition::Fide2018);
        assert_eq!((config.rule.most_bytes, config.rule.days), (2 << 30, 30.0));
        assert_eq!(config.alerts, [(AlertKind::TwoHands, false)].into());
        assert_eq!(config.boards.len(), 2);
        assert!(matches!(config.boards[1].place, Some(Place::Corners(_))));
        let given = Given {
            boards: vec!["Cam=/dev/video0".to_owned()],
            port: Some(1),
            ..Given::default()
        };
        let config = given.resolve().unwrap();
        assert_eq!(config.listen, Listen::Here(1));
        assert_eq!(config.boards[0].name, "Cam");
    }

    #[test]
    fn others_on_the_network_are_served_by_tls_or_not_at_all() {
        let given = |listen: &str, tls, certificate: Option<&str>, key: Option<&str>| {
            let given = Given {
                boards: vec!["Cam=/dev/video0".to_owned()],
                listen: Some(listen.parse().unwrap()),
                tls,
                certificate: certificate.map(PathBuf::from),
                private_key: key.map(PathBuf::from),
                ..Given::default()
            };
            given.resolve().map(|c| c.listen)
        };
        assert_eq!(
            given("127.0.0.1", false, None, None).unwrap(),
            Listen::Here(PORT)
        );
        let all: IpAddr = "0.0.0.0".parse().unwrap();
        assert_eq!(
            given("0.0.0.0", true, None, None).unwrap(),
            Listen::Tls(all, PORT, Certificate::OwnMade)
        );
        let certificate = Certificate::Given {
            chain: PathBuf::from("c"),
            key: PathBuf::from("k"),
        };
        assert_eq!(
            given("0.0.0.0", false, Some("c"), Some("k")).unwrap(),
            Listen::Tls(all, PORT, certificate)
        );
        for open in ["0.0.0.0", "192.168.1.7", "::", "::1", "127.0.0.2"] {
            let error = given(open, false, None, None).unwrap_err();
            assert!(error.to_string().contains("needs TLS"), "{open}: {error}");
        }
        let half = given("0.0.0.0", true, Some("c"), None).unwrap_err();
        assert!(matches!(half, ConfigError::HalfCertificate));
    }

    #[test]
    fn what_is_wrong_is_said_before_anything_runs() {
        for (text, said) in [
            ("ports = 1", "unknown field"),
            ("laws = \"fide-1900\"", "fide-1900"),
            ("footage_gib = 0", "footage_gib"),
            ("footage_days = 0", "footage_days"),
            ("[alerts]\ntwo_feet = true", "two_feet"),
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
