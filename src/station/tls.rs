//! By which certificate the station answers others on the network: one that it was given, or one
//! that it made itself at its first start and keeps in its data folder. Who opens the page compares
//! the fingerprint once.

use std::{
    fs,
    io::Write,
    net::{IpAddr, UdpSocket},
    path::{Path, PathBuf},
    sync::Arc,
};

use rcgen::{CertificateParams, DnType, KeyPair};
use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use sha2::{Digest, Sha256};

/// A certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Certificate {
    /// Made by the station.
    OwnMade,
    /// Given, as PEM files.
    Given {
        /// The certificate, and what it was signed by.
        chain: PathBuf,
        /// Its private key.
        key: PathBuf,
    },
}

/// What TLS needs, ready.
pub struct Identity {
    pub(super) config: Arc<ServerConfig>,
    /// SHA-256 of the certificate, as browsers show it.
    pub fingerprint: String,
}

/// Why there is no TLS.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read or written.
    #[error("{}: {why}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// No certificate could be made.
    #[error("no certificate could be made: {0}")]
    Make(#[from] rcgen::Error),
    /// Certificate and key cannot be used.
    #[error("this certificate and key cannot be used: {0}")]
    Unusable(#[from] rustls::Error),
}

fn failed(path: &Path, why: impl ToString) -> TlsError {
    TlsError::File {
        path: path.to_owned(),
        why: why.to_string(),
    }
}

impl Identity {
    /// Reads the certificate, or makes it, for a station with this data folder that listens at this
    /// address.
    ///
    /// # Errors
    /// [`TlsError`].
    pub fn open(of: &Certificate, data: &Path, listen: IpAddr) -> Result<Self, TlsError> {
        let (chain_path, key_path) = match of {
            Certificate::Given { chain, key } => (chain.clone(), key.clone()),
            Certificate::OwnMade => {
                let folder = data.join("tls");
                let paths = (folder.join("certificate.pem"), folder.join("key.pem"));
                if !paths.0.exists() {
                    make(&folder, &paths, listen)?;
                }
                paths
            }
        };
        let chain = CertificateDer::pem_file_iter(&chain_path)
            .and_then(|found| found.collect::<Result<Vec<_>, _>>())
            .map_err(|e| failed(&chain_path, e))?;
        let first = chain.first();
        let first = first.ok_or_else(|| failed(&chain_path, "there is no certificate in it"))?;
        let fingerprint = fingerprint(first);
        let key = PrivateKeyDer::from_pem_file(&key_path).map_err(|e| failed(&key_path, e))?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(chain, key)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self {
            config: Arc::new(config),
            fingerprint,
        })
    }
}

fn fingerprint(certificate: &CertificateDer<'_>) -> String {
    let hash = Sha256::digest(certificate.as_ref());
    let pairs: Vec<String> = hash.iter().map(|b| format!("{b:02X}")).collect();
    pairs.join(":")
}

/// Makes a certificate and its key. The certificate is written last: where it is, the key is.
fn make(folder: &Path, (chain, key): &(PathBuf, PathBuf), listen: IpAddr) -> Result<(), TlsError> {
    let pair = KeyPair::generate()?;
    let mut params = CertificateParams::new(names(listen))?;
    params
        .distinguished_name
        .push(DnType::CommonName, "Adoube station");
    let made = params.self_signed(&pair)?;
    super::footage::private_folder(folder).map_err(|e| failed(folder, e))?;
    private_file(key, &pair.serialize_pem()).map_err(|e| failed(key, e))?;
    private_file(chain, &made.pem()).map_err(|e| failed(chain, e))
}

fn private_file(path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// The names and addresses that lead to this machine.
fn names(listen: IpAddr) -> Vec<String> {
    let mut names: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into();
    names.extend(address(listen).map(|a| a.to_string()));
    let host = host_name().filter(|h| h != "localhost");
    names.extend(host.iter().map(|h| format!("{h}.local")));
    names.extend(host);
    names
}

/// The machine's name, where it is one that a certificate can carry.
#[must_use]
pub fn host_name() -> Option<String> {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    let name = name.trim();
    let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'.';
    (!name.is_empty() && name.bytes().all(fits)).then(|| name.to_owned())
}

/// By which address others reach a station that listens at one; for all addresses, that of the way
/// out, if there is one.
#[must_use]
pub fn address(listen: IpAddr) -> Option<IpAddr> {
    if !listen.is_unspecified() {
        return Some(listen);
    }
    // Nothing is sent: connecting only chooses the way. The address is kept for documentation.
    let socket = UdpSocket::bind(("0.0.0.0", 0)).ok()?;
    socket.connect(("192.0.2.1", 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_unspecified()).then_some(address)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    #[test]
    fn a_certificate_is_made_once_and_kept_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Identity::open(&Certificate::OwnMade, folder.path(), HERE).unwrap();
        let (first, second) = (open(), open());
        assert_eq!(first.fingerprint, second.fingerprint);
        assert_eq!(first.fingerprint.len(), 95);
        for file in fs::read_dir(folder.path().join("tls")).unwrap() {
            use std::os::unix::fs::PermissionsExt;
            let mode = file.unwrap().metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0);
        }
    }

    #[test]
    fn what_cannot_be_used_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        Identity::open(&Certificate::OwnMade, &a, HERE).unwrap();
        Identity::open(&Certificate::OwnMade, &b, HERE).unwrap();
        let given = |chain: PathBuf, key: PathBuf| {
            let of = Certificate::Given { chain, key };
            Identity::open(&of, folder.path(), HERE).map(|i| i.fingerprint)
        };
        let certificate = a.join("tls/certificate.pem");
        assert!(given(certificate.clone(), a.join("tls/key.pem")).is_ok());
        let other_key = given(certificate.clone(), b.join("tls/key.pem"));
        assert!(
            other_key
                .unwrap_err()
                .to_string()
                .contains("cannot be used")
        );
        for (chain, key) in [
            (certificate.clone(), folder.path().join("none")),
            (a.join("tls/key.pem"), a.join("tls/key.pem")),
        ] {
            assert!(matches!(given(chain, key), Err(TlsError::File { .. })));
        }
    }

    #[test]
    fn a_certificate_names_where_it_listens() {
        let given: IpAddr = "10.1.2.3".parse().unwrap();
        let names = names(given);
        for name in ["localhost", "127.0.0.1", "::1", "10.1.2.3"] {
            assert!(names.iter().any(|n| n == name), "{names:?}");
        }
    }
}
