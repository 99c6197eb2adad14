//! The station's own key, with which it signs what it hands out: made at its first start, readable
//! by its owner only, never handed out. Its public half is shown, to be noted outside the station.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use ed25519_compact::{KeyPair, PublicKey, Seed, Signature};

use super::{hex, unhex};

/// Name of the key's file in the station's folder.
const NAME: &str = "station.key";

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file holds something else.
    #[error("{}: this is no station's key: put the right file back, or take this one away and a new key is made", .0.display())]
    Damaged(PathBuf),
    /// The system gives no random numbers.
    #[error("the system gives no random numbers")]
    NoRandom,
}

/// A station's key (Ed25519).
pub struct Key(KeyPair);

impl Key {
    /// Reads the key of a station's folder; makes one where there is none.
    ///
    /// # Errors
    /// [`KeyError`].
    pub fn open(folder: &Path) -> Result<Self, KeyError> {
        let path = folder.join(NAME);
        let failed = |source| KeyError::Io {
            path: path.clone(),
            source,
        };
        match fs::read_to_string(&path) {
            Ok(text) => unhex(text.trim())
                .and_then(Self::from_seed)
                .ok_or(KeyError::Damaged(path)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                let mut bytes = [0; 32];
                getrandom::fill(&mut bytes).map_err(|_| KeyError::NoRandom)?;
                write(&path, &hex(&bytes)).map_err(failed)?;
                Self::from_seed(bytes).ok_or(KeyError::NoRandom)
            }
            Err(e) if e.kind() == io::ErrorKind::InvalidData => Err(KeyError::Damaged(path)),
            Err(e) => Err(failed(e)),
        }
    }

    /// None for a seed that nobody drew: nothing but zeros.
    fn from_seed(bytes: [u8; 32]) -> Option<Self> {
        KeyPair::try_from_seed(Seed::new(bytes)).ok().map(Self)
    }

    /// The public half, 64 hexadecimal digits.
    #[must_use]
    pub fn public(&self) -> String {
        hex(&*self.0.pk)
    }

    /// The signature of a message, 128 hexadecimal digits.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> String {
        hex(&*self.0.sk.sign(message, None))
    }
}

/// Whole or not at all: half a key would be in the way at every start.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let part = path.with_extension("key.part");
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&part)?;
    writeln!(file, "{text}")?;
    file.sync_all()?;
    fs::rename(&part, path)
}

/// Whether a signature of a message was made with the private half of a public key; both as
/// hexadecimal digits. None when the key or the signature is none.
#[must_use]
pub fn fits(public: &str, message: &[u8], signature: &str) -> Option<bool> {
    let key = PublicKey::new(unhex(public)?);
    let signature = Signature::new(unhex(signature)?);
    Some(key.verify(message, &signature).is_ok())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_key_is_made_once_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let key = Key::open(folder.path()).unwrap();
        assert_eq!(Key::open(folder.path()).unwrap().public(), key.public());
        let mode = fs::metadata(folder.path().join(NAME))
            .unwrap()
            .permissions();
        assert_eq!(mode.mode() & 0o777, 0o600);
        let other = Key::open(tempfile::tempdir().unwrap().path()).unwrap();
        assert_ne!(other.public(), key.public());
        let signature = key.sign(b"so it was");
        assert_eq!(fits(&key.public(), b"so it was", &signature), Some(true));
        assert_eq!(fits(&key.public(), b"so it is", &signature), Some(false));
        assert_eq!(fits(&other.public(), b"so it was", &signature), Some(false));
        assert_eq!(fits("12", b"so it was", &signature), None);
    }

    #[test]
    fn a_damaged_key_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        for damaged in [&b"12"[..], &[0xff; 65], b""] {
            fs::write(&path, damaged).unwrap();
            let said = Key::open(folder.path()).err().unwrap();
            assert!(matches!(said, KeyError::Damaged(_)), "{said}");
            assert_eq!(fs::read(&path).unwrap(), damaged);
        }
    }
}
