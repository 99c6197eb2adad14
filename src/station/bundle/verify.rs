//! Checking a bundle, without the station that made it.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read},
    path::Path,
};

use sha2::{Digest, Sha256};
use zip::ZipArchive;

use super::{BundleError, FORMAT, MANIFEST, Manifest, SIGNATURE, digest};
use crate::station::{hex, key, store::evidence::Linked};

/// Longest manifest or log that is read, bytes.
const MOST: u64 = 64 << 20;

/// What a check found.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified {
    /// What the bundle says of itself.
    pub manifest: Manifest,
    /// Whether its key was compared with one that was given.
    pub key_given: bool,
    /// Rows of the log that were compared with their hashes.
    pub rows: usize,
    /// Frames that were compared with the log.
    pub frames: usize,
    /// What is not as it was signed, a sentence each.
    pub faults: Vec<String>,
}

type Archive = ZipArchive<File>;

/// Checks a bundle; `key` is the station's public key as it was noted elsewhere.
///
/// # Errors
/// [`BundleError`] when it is no bundle, or cannot be read at all.
pub fn verify(path: &Path, key: Option<&str>) -> Result<Verified, BundleError> {
    let no_bundle = |why: &str| BundleError::NoBundle {
        path: path.to_owned(),
        why: why.to_owned(),
    };
    let file = File::open(path).map_err(|source| BundleError::Io {
        path: path.to_owned(),
        source,
    })?;
    let mut archive = ZipArchive::new(file).map_err(|e| no_bundle(&e.to_string()))?;
    let text = content(&mut archive, MANIFEST).map_err(|_| no_bundle("it has no manifest"))?;
    let manifest: Manifest =
        serde_json::from_slice(&text).map_err(|e| no_bundle(&format!("its manifest: {e}")))?;
    if manifest.format != FORMAT {
        return Err(no_bundle(
            "it is of another kind; use the program that made it",
        ));
    }
    let mut faults = Vec::new();
    signature(&mut archive, &manifest, &text, key, &mut faults);
    whole(&mut archive, &mut faults);
    files(&mut archive, &manifest, &mut faults);
    let (rows, frames) = log(&mut archive, &manifest, &mut faults);
    Ok(Verified {
        manifest,
        key_given: key.is_some(),
        rows,
        frames,
        faults,
    })
}

fn content(archive: &mut Archive, name: &str) -> Result<Vec<u8>, BundleError> {
    let mut bytes = Vec::new();
    archive.by_name(name)?.take(MOST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn signature(
    archive: &mut Archive,
    manifest: &Manifest,
    text: &[u8],
    key: Option<&str>,
    faults: &mut Vec<String>,
) {
    let signed = content(archive, SIGNATURE).unwrap_or_default();
    let signed = String::from_utf8_lossy(&signed);
    let fault = match key::fits(&manifest.public_key, text, signed.trim()) {
        Some(true) => None,
        Some(false) => Some("the signature does not fit the manifest: one of them was changed"),
        None => Some("the signature or the public key is missing or is none"),
    };
    faults.extend(fault.map(str::to_owned));
    let other = key.filter(|key| !key.trim().eq_ignore_ascii_case(&manifest.public_key));
    faults.extend(other.map(|_| {
        format!(
            "it was signed by another key than the one given: {}",
            manifest.public_key
        )
    }));
}

/// An archive may name a file twice, or hide one before or between the others: then one program would
/// show what another did not check. The station's files follow each other without a gap, from the
/// archive's first byte to its directory.
fn whole(archive: &mut Archive, faults: &mut Vec<String>) {
    if gapless(archive) != Some(true) {
        faults.push(
            "the archive is not as the station writes it: it names a file twice or hides something"
                .to_owned(),
        );
    }
}

fn gapless(archive: &mut Archive) -> Option<bool> {
    let mut parts = Vec::new();
    for index in 0..archive.len() {
        let file = archive.by_index_raw(index).ok()?;
        let end = file.data_start()? + file.compressed_size();
        parts.push((file.header_start(), end));
    }
    parts.sort_unstable();
    let begins = parts.iter().map(|p| p.0);
    let begins = begins.chain([archive.central_directory_start()]);
    let ends = [0].into_iter().chain(parts.iter().map(|p| p.1));
    Some(archive.offset() == 0 && begins.eq(ends))
}

/// Every file is there as it was signed, and no other.
fn files(archive: &mut Archive, manifest: &Manifest, faults: &mut Vec<String>) {
    let mut found: BTreeMap<String, io::Result<(u64, String)>> = BTreeMap::new();
    for index in 0..archive.len() {
        match archive.by_index(index) {
            Ok(file) => {
                let name = String::from_utf8_lossy(file.name_raw()).into_owned();
                found.insert(name, digest(file));
            }
            Err(error) => faults.push(format!("file {index} of the archive: {error}")),
        }
    }
    for listed in &manifest.files {
        let name = &listed.name;
        match found.remove(name) {
            Some(Ok((bytes, sha256))) if bytes == listed.bytes && sha256 == listed.sha256 => {}
            Some(Ok(_)) => faults.push(format!("{name} is not as it was signed")),
            Some(Err(error)) => faults.push(format!("{name} cannot be read: {error}")),
            None => faults.push(format!("{name} is missing")),
        }
    }
    let own = [MANIFEST, SIGNATURE];
    for name in found.keys().filter(|n| !own.contains(&n.as_str())) {
        faults.push(format!("{name} was added: the manifest does not name it"));
    }
}

/// The rows of the log are what their hashes say, and the frames those that the log says were kept.
/// How many rows and frames were compared.
fn log(archive: &mut Archive, manifest: &Manifest, faults: &mut Vec<String>) -> (usize, usize) {
    let named = |name: &str| manifest.files.iter().any(|f| f.name == name);
    if !named("log.json") {
        return (0, 0);
    }
    let rows: Vec<Linked> = content(archive, "log.json")
        .ok()
        .and_then(|text| serde_json::from_slice(&text).ok())
        .unwrap_or_default();
    for row in rows.iter().filter(|row| !row.fits()) {
        faults.push(format!("row {} of the log does not fit its hash", row.seq));
    }
    let kept = rows.iter().rev().find(|row| row.kind == "evidence");
    let body = kept.and_then(|row| serde_json::from_str::<serde_json::Value>(&row.body).ok());
    let Some(written) = body.as_ref().and_then(|body| body["sha256"].as_str()) else {
        return (rows.len(), 0);
    };
    let mut hash = Sha256::new();
    let mut frames = 0;
    for listed in &manifest.files {
        if listed.name.starts_with("frames/") {
            frames += 1;
            // A missing one is told elsewhere, and shows here as well.
            hash.update(content(archive, &listed.name).unwrap_or_default());
        }
    }
    if frames > 0 && hex(&hash.finalize()) != written {
        faults.push("the frames are not those that the log says were kept".to_owned());
    }
    (rows.len(), frames)
}
