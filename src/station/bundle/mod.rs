//! What the station hands out as proof: a ZIP archive with its files, a manifest that names each
//! with its SHA-256, and a signature of the manifest by the station's own key. [`verify()`] checks
//! one without the station.
//!
//! Nothing is compressed: pictures and video are already.

mod clip;
mod incident;
mod verify;
mod words;

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{Duration, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::{Common, footage::FootageError, hex, store::StoreError, video::VideoError};

pub use clip::{LONGEST_MS, export_clip};
pub use incident::export_incident;
pub use verify::{Verified, verify};

/// Name of the manifest in a bundle ...
const MANIFEST: &str = "manifest.json";
/// ... and of its signature.
const SIGNATURE: &str = "manifest.sig";
/// The kind of bundle that this program writes and reads.
const FORMAT: &str = "adoube-bundle-1";

/// Why a bundle cannot be made or read.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// A file.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The archive.
    #[error("the archive: {0}")]
    Zip(#[from] zip::result::ZipError),
    /// Writing into it.
    #[error("the archive cannot be written: {0}")]
    Write(#[from] io::Error),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Footage.
    #[error(transparent)]
    Footage(#[from] FootageError),
    /// The video.
    #[error(transparent)]
    Video(#[from] VideoError),
    /// Not a bundle at all.
    #[error("{}: this is no bundle of a station: {why}", path.display())]
    NoBundle {
        /// Which file.
        path: PathBuf,
        /// What is missing.
        why: String,
    },
    /// Too much at once.
    #[error("{0}")]
    Refused(&'static str),
}

/// A file of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Its name, with folders.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256, hexadecimal.
    pub sha256: String,
}

/// What is signed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The kind of bundle: `adoube-bundle-1`.
    pub format: String,
    /// What it is about, in words.
    pub about: String,
    /// Who had it made.
    pub who: String,
    /// When, UTC.
    pub made: String,
    /// Version of the program.
    pub version: String,
    /// The station's public key, hexadecimal.
    pub public_key: String,
    /// Number and hash of the newest row of the station's log.
    pub log: (i64, String),
    /// Every other file.
    pub files: Vec<Listed>,
}

/// A bundle that was made: an unnamed file, gone when it is closed.
#[derive(Debug)]
pub struct Bundle {
    /// Its bytes, from the start.
    pub file: File,
    /// What it may be called.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256, hexadecimal.
    pub sha256: String,
}

/// A moment as text, UTC.
fn utc(ms: f64) -> String {
    let since = Duration::try_from_secs_f64(ms / 1000.0).unwrap_or_default();
    humantime::format_rfc3339_millis(UNIX_EPOCH + since).to_string()
}

/// Reads to the end, part by part; the length and the SHA-256 (hexadecimal) of what was read.
fn pour(
    mut from: impl Read,
    mut into: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<(u64, String)> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    let mut bytes = 0;
    loop {
        let got = from.read(&mut buffer)?;
        let Some(part) = buffer.get(..got).filter(|p| !p.is_empty()) else {
            return Ok((bytes, hex(&hash.finalize())));
        };
        hash.update(part);
        into(part)?;
        bytes += got as u64;
    }
}

/// The length and the SHA-256 (hexadecimal) of what can be read.
fn digest(from: impl Read) -> io::Result<(u64, String)> {
    pour(from, |_| Ok(()))
}

/// A bundle that is being written.
struct Writer {
    zip: ZipWriter<File>,
    files: Vec<Listed>,
}

impl Writer {
    /// Begins one on the disk of a station's folder.
    fn begin(folder: &Path) -> Result<Self, BundleError> {
        let file = tempfile::tempfile_in(folder).map_err(|source| BundleError::Io {
            path: folder.to_owned(),
            source,
        })?;
        Ok(Self {
            zip: ZipWriter::new(file),
            files: Vec::new(),
        })
    }

    fn put(&mut self, name: &str, from: impl Read) -> Result<(u64, String), BundleError> {
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        self.zip.start_file(name, stored)?;
        Ok(pour(from, |part| self.zip.write_all(part))?)
    }

    /// Adds a file.
    fn add(&mut self, name: &str, from: impl Read) -> Result<(), BundleError> {
        let (bytes, sha256) = self.put(name, from)?;
        self.files.push(Listed {
            name: name.to_owned(),
            bytes,
            sha256,
        });
        Ok(())
    }

    fn add_json(&mut self, name: &str, value: &impl Serialize) -> Result<(), BundleError> {
        let mut text = serde_json::to_vec_pretty(value).map_err(io::Error::from)?;
        text.push(b'\n');
        self.add(name, &text[..])
    }

    /// Adds a file from the disk.
    fn add_file(&mut self, name: &str, path: &Path) -> Result<(), BundleError> {
        let file = File::open(path).map_err(|source| BundleError::Io {
            path: path.to_owned(),
            source,
        })?;
        self.add(name, file)
    }

    /// Signs it and ends it.
    fn seal(
        mut self,
        common: &Common,
        about: String,
        who: &str,
        name: String,
    ) -> Result<Bundle, BundleError> {
        let manifest = Manifest {
            format: FORMAT.to_owned(),
            about,
            who: who.to_owned(),
            made: utc(common.clock.now_ms()),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            public_key: common.key.public(),
            log: common.store.newest_hash()?,
            files: std::mem::take(&mut self.files),
        };
        let text = serde_json::to_vec_pretty(&manifest).map_err(io::Error::from)?;
        let signature = common.key.sign(&text);
        self.put(MANIFEST, &text[..])?;
        self.put(SIGNATURE, signature.as_bytes())?;
        let mut file = self.zip.finish()?;
        file.seek(SeekFrom::Start(0))?;
        let (bytes, sha256) = digest(&file)?;
        file.seek(SeekFrom::Start(0))?;
        Ok(Bundle {
            file,
            name,
            bytes,
            sha256,
        })
    }
}

#[cfg(test)]
mod tests;
