//! Every captured frame on disk, with its capture time: a ring of segments for each board, whose
//! oldest are freed when they outgrow their share of the disk, and the frames of each incident
//! beside it, which are not.
//!
//! A segment is two files: `NAME.mjpeg`, the frames' JPEGs one after the other (any player shows
//! it), and `NAME.times`, a line a frame: capture time in milliseconds since 1970, offset, length.
//! A frame is there when its line is: a program that is killed loses at most the one it is writing.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use super::live::LiveFrame;

/// Length of a segment, milliseconds.
const SEGMENT_MS: f64 = 10_000.0;
/// Ending of the pictures' file ...
const PICTURES: &str = "mjpeg";
/// ... and of the times'.
const TIMES: &str = "times";

/// Why footage cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct FootageError {
    path: PathBuf,
    source: io::Error,
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> FootageError {
    move |source| FootageError {
        path: path.to_owned(),
        source,
    }
}

/// A folder that only this user may enter.
///
/// # Errors
/// [`FootageError`].
pub fn private_folder(path: &Path) -> Result<(), FootageError> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(failed(path))
}

fn create(path: &Path) -> Result<File, FootageError> {
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)
        .map_err(failed(path))
}

/// Where one frame lies.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// Capture time, milliseconds since 1970.
    pub t_ms: f64,
    pictures: PathBuf,
    offset: u64,
    length: usize,
}

impl Kept {
    /// Its JPEG.
    ///
    /// # Errors
    /// [`FootageError`].
    pub fn read(&self) -> Result<Vec<u8>, FootageError> {
        let mut bytes = vec![0; self.length];
        let read = |bytes: &mut [u8]| {
            let mut file = File::open(&self.pictures)?;
            file.seek(SeekFrom::Start(self.offset))?;
            file.read_exact(bytes)
        };
        read(&mut bytes).map_err(failed(&self.pictures))?;
        Ok(bytes)
    }
}

/// A segment that is being written.
struct Segment {
    path: PathBuf,
    pictures: File,
    times: File,
    bytes: u64,
}

impl Segment {
    fn create(path: PathBuf) -> Result<Self, FootageError> {
        Ok(Self {
            pictures: create(&path.with_extension(PICTURES))?,
            times: create(&path.with_extension(TIMES))?,
            path,
            bytes: 0,
        })
    }

    fn add(&mut self, t_ms: f64, jpeg: &[u8]) -> Result<(), FootageError> {
        let write = |segment: &mut Self| {
            segment.pictures.write_all(jpeg)?;
            let line = format!("{t_ms:.3} {} {}\n", segment.bytes, jpeg.len());
            segment.times.write_all(line.as_bytes())
        };
        write(self).map_err(failed(&self.path))?;
        self.bytes += jpeg.len() as u64;
        Ok(())
    }
}

/// The frames of a segment; a torn last line is none.
fn frames_of(times: &Path) -> Result<Vec<Kept>, FootageError> {
    let pictures = times.with_extension(PICTURES);
    let file = BufReader::new(File::open(times).map_err(failed(times))?);
    let read = |line: io::Result<String>| {
        let line = line.ok()?;
        let mut words = line.split(' ');
        let kept = Kept {
            t_ms: words.next()?.parse().ok()?,
            pictures: pictures.clone(),
            offset: words.next()?.parse().ok()?,
            length: words.next()?.parse().ok()?,
        };
        Some(kept)
    };
    Ok(file.lines().map_while(read).collect())
}

/// Segments of a folder: when each begins, milliseconds since 1970, and its times' file. By time.
fn segments(folder: &Path) -> Result<Vec<(f64, PathBuf)>, FootageError> {
    let entries = match fs::read_dir(folder) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed(folder))?,
    };
    let mut found: Vec<(f64, PathBuf)> = entries
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e == TIMES))
        .filter_map(|path| Some((path.file_stem()?.to_str()?.parse().ok()?, path)))
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(found)
}

/// Frames of a folder that were captured between two times, both included.
///
/// # Errors
/// [`FootageError`].
pub fn frames(folder: &Path, from_ms: f64, to_ms: f64) -> Result<Vec<Kept>, FootageError> {
    let all = segments(folder)?;
    let mut found = Vec::new();
    for (index, (begin_ms, path)) in all.iter().enumerate() {
        let next_ms = all.get(index + 1).map_or(f64::INFINITY, |s| s.0);
        // A segment's name is its first frame's time, rounded down.
        if *begin_ms <= to_ms && next_ms + 1.0 >= from_ms {
            let within = |k: &Kept| (from_ms..=to_ms).contains(&k.t_ms);
            found.extend(frames_of(path)?.into_iter().filter(within));
        }
    }
    Ok(found)
}

/// Frames of a folder within any of some spans of time, which follow each other.
///
/// # Errors
/// [`FootageError`].
pub fn frames_in(folder: &Path, spans: &[(f64, f64)]) -> Result<Vec<Kept>, FootageError> {
    let mut found = Vec::new();
    for (from_ms, to_ms) in spans {
        found.extend(frames(folder, *from_ms, *to_ms)?);
    }
    Ok(found)
}

/// Keeps the frames within some spans of time in a folder of their own; returns how many there
/// were, and the SHA-256 of their pictures one after the other.
///
/// # Errors
/// [`FootageError`].
pub fn keep(
    from: &Path,
    into: &Path,
    spans: &[(f64, f64)],
) -> Result<(usize, String), FootageError> {
    let frames = frames_in(from, spans)?;
    let mut hash = Sha256::new();
    let Some(first) = frames.first() else {
        return Ok((0, super::hex(&hash.finalize())));
    };
    private_folder(into)?;
    let mut segment = Segment::create(into.join(name(first.t_ms)))?;
    for frame in &frames {
        let jpeg = frame.read()?;
        hash.update(&jpeg);
        segment.add(frame.t_ms, &jpeg)?;
    }
    segment.pictures.sync_all().map_err(failed(into))?;
    segment.times.sync_all().map_err(failed(into))?;
    Ok((frames.len(), super::hex(&hash.finalize())))
}

/// The SHA-256 that [`keep`] gave for what a folder holds now.
///
/// # Errors
/// [`FootageError`].
pub fn hash(folder: &Path) -> Result<String, FootageError> {
    let mut hash = Sha256::new();
    for frame in frames(folder, f64::NEG_INFINITY, f64::INFINITY)? {
        hash.update(frame.read()?);
    }
    Ok(super::hex(&hash.finalize()))
}

fn name(t_ms: f64) -> String {
    format!("{:013.0}", t_ms.floor())
}

/// Writes one board's ring.
pub struct Recorder {
    folder: PathBuf,
    most_bytes: u64,
    segment: Option<(Segment, f64)>,
    /// Segments that are complete, oldest first, with their sizes.
    done: Vec<(PathBuf, u64)>,
}

impl Recorder {
    /// Goes on with a folder, which may hold an earlier run's segments.
    ///
    /// # Errors
    /// [`FootageError`].
    pub fn open(folder: &Path, most_bytes: u64) -> Result<Self, FootageError> {
        private_folder(folder)?;
        let size = |path: &Path| fs::metadata(path).map_or(0, |m| m.len());
        let done = segments(folder)?
            .into_iter()
            .map(|(_, times)| {
                let bytes = size(&times.with_extension(PICTURES));
                (times.with_extension(""), bytes)
            })
            .collect();
        Ok(Self {
            folder: folder.to_owned(),
            most_bytes,
            segment: None,
            done,
        })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// [`FootageError`]; what was written before stays.
    pub fn push(&mut self, frame: &LiveFrame) -> Result<(), FootageError> {
        self.write(frame.t_ms, &frame.jpeg)
    }

    fn write(&mut self, t_ms: f64, jpeg: &[u8]) -> Result<(), FootageError> {
        let full = |begun_ms: f64| !(0.0..SEGMENT_MS).contains(&(t_ms - begun_ms));
        if let Some((segment, _)) = self.segment.take_if(|(_, begun_ms)| full(*begun_ms)) {
            self.done.push((segment.path, segment.bytes));
            self.free()?;
        }
        let (segment, _) = match &mut self.segment {
            Some(open) => open,
            none => none.insert((Segment::create(self.folder.join(name(t_ms)))?, t_ms)),
        };
        segment.add(t_ms, jpeg)
    }

    /// Frees the oldest segments beyond the ring's share.
    fn free(&mut self) -> Result<(), FootageError> {
        let mut total: u64 = self.done.iter().map(|s| s.1).sum();
        let mut oldest = 0;
        while let Some((path, bytes)) = self.done.get(oldest).filter(|_| total > self.most_bytes) {
            // The times last: a segment without pictures is found and freed next time.
            for ending in [PICTURES, TIMES] {
                let file = path.with_extension(ending);
                match fs::remove_file(&file) {
                    Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(failed(&file)(e)),
                    _ => {}
                }
            }
            total -= bytes;
            oldest += 1;
        }
        self.done.drain(..oldest);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second of footage has ten frames of a hundred bytes.
    fn record(folder: &Path, most_bytes: u64, from_s: u32, to_s: u32) {
        let mut recorder = Recorder::open(folder, most_bytes).unwrap();
        for k in from_s * 10..to_s * 10 {
            recorder
                .write(1e12 + f64::from(k) * 100.0, &[k as u8; 100])
                .unwrap();
        }
    }

    fn times(folder: &Path) -> Vec<f64> {
        let all = frames(folder, 0.0, f64::INFINITY).unwrap();
        all.iter().map(|k| k.t_ms - 1e12).collect()
    }

    #[test]
    fn every_frame_is_found_again_by_its_time() {
        let folder = tempfile::tempdir().unwrap();
        record(folder.path(), 1 << 20, 0, 35);
        assert_eq!(times(folder.path()).len(), 350);
        let some = frames(folder.path(), 1e12 + 9_850.0, 1e12 + 10_150.0).unwrap();
        let found: Vec<(f64, u8)> = some
            .iter()
            .map(|k| (k.t_ms - 1e12, k.read().unwrap()[99]))
            .collect();
        assert_eq!(found, [(9900.0, 99), (10_000.0, 100), (10_100.0, 101)]);
    }

    #[test]
    fn the_ring_frees_its_oldest_segments_also_those_of_an_earlier_run() {
        let folder = tempfile::tempdir().unwrap();
        record(folder.path(), 30_000, 0, 30);
        record(folder.path(), 30_000, 30, 60);
        // Three whole segments of ten thousand bytes, and the one that was being written.
        assert_eq!(times(folder.path()).first(), Some(&20_000.0));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 8);
    }

    #[test]
    fn a_torn_last_frame_is_none() {
        let folder = tempfile::tempdir().unwrap();
        record(folder.path(), 1 << 20, 0, 1);
        let path = segments(folder.path()).unwrap().remove(0).1;
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 9]).unwrap();
        assert_eq!(times(folder.path()).len(), 9);
    }

    #[test]
    fn kept_frames_outlive_the_ring_and_a_change_is_seen() {
        let (ring, kept) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        record(ring.path(), 1 << 20, 0, 5);
        let folder = kept.path().join("1");
        let (count, sum) = keep(
            ring.path(),
            &folder,
            &[
                (1e12 + 1000.0, 1e12 + 1399.0),
                (1e12 + 1400.0, 1e12 + 1999.0),
            ],
        )
        .unwrap();
        assert_eq!((count, times(&folder).len()), (10, 10));
        record(ring.path(), 0, 100, 130);
        assert!(times(ring.path())[0] >= 100_000.0);
        assert_eq!(hash(&folder).unwrap(), sum);
        let pictures = segments(&folder)
            .unwrap()
            .remove(0)
            .1
            .with_extension(PICTURES);
        let mut bytes = fs::read(&pictures).unwrap();
        bytes[500] ^= 1;
        fs::write(&pictures, bytes).unwrap();
        assert_ne!(hash(&folder).unwrap(), sum);
    }
}
