//! Every captured frame on disk, with its capture time: segments of ten seconds for each board, and
//! the frames of each incident beside them.
//!
//! A segment is two files: `NAME.mjpeg`, the frames' JPEGs one after the other (any player shows
//! it), and `NAME.times`, a line a frame: capture time in milliseconds since 1970, offset, length.
//! A frame is there when its line is: a program that is killed loses at most the one it is writing.
//! Later `NAME.mp4` takes the place of the JPEGs: the same frames, one for one, in a tenth of the
//! space (see `keeper`). Frames of incidents stay as they were captured.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use opencv::core::MatTraitConst;
use sha2::{Digest, Sha256};

use super::{
    live::{self, LiveFrame},
    video::{self, Purpose, VideoError},
};
use crate::media::{FrameSource, VideoFile};

/// Length of a segment, milliseconds.
pub(super) const SEGMENT_MS: f64 = 10_000.0;
/// Space on the disk that footage leaves to the database, bytes: on a full disk, alerts go on.
pub(super) const RESERVE_BYTES: u64 = 512 << 20;
/// Ending of the pictures' file ...
const PICTURES: &str = "mjpeg";
/// ... of the video that takes its place ...
const VIDEO: &str = "mp4";
/// ... while it is being made ...
const PART: &str = "mp4.part";
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

/// Free space on the disk of a folder, bytes.
///
/// # Errors
/// [`FootageError`].
pub(super) fn free_bytes(folder: &Path) -> Result<u64, FootageError> {
    let disk = rustix::fs::statvfs(folder).map_err(|e| failed(folder)(e.into()))?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Where one frame lies.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// Capture time, milliseconds since 1970.
    pub t_ms: f64,
    /// The segment's files without their ending.
    segment: PathBuf,
    /// Running number in the segment, from 0.
    number: u64,
    offset: u64,
    length: usize,
}

impl Kept {
    /// Its JPEG.
    ///
    /// # Errors
    /// [`FootageError`].
    pub fn read(&self) -> Result<Vec<u8>, FootageError> {
        Reading::default().picture(self)
    }

    /// As it was captured; none when a video has taken its place.
    fn captured(&self) -> Result<Option<Vec<u8>>, FootageError> {
        let path = self.segment.with_extension(PICTURES);
        let mut file = match File::open(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(failed(&path))?,
        };
        let mut bytes = vec![0; self.length];
        file.seek(SeekFrom::Start(self.offset))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(failed(&path))?;
        Ok(Some(bytes))
    }
}

/// Reads frames in their order: a video is decoded once, not once a frame.
#[derive(Default)]
pub struct Reading {
    /// The video that is open, whose it is, and how many of its frames were read.
    open: Option<(VideoFile, PathBuf, u64)>,
}

impl Reading {
    /// The JPEG of a frame.
    ///
    /// # Errors
    /// [`FootageError`].
    pub fn picture(&mut self, kept: &Kept) -> Result<Vec<u8>, FootageError> {
        match kept.captured()? {
            Some(jpeg) => Ok(jpeg),
            None => self.decode(kept),
        }
    }

    fn decode(&mut self, kept: &Kept) -> Result<Vec<u8>, FootageError> {
        let path = kept.segment.with_extension(VIDEO);
        let odd = |what: String| failed(&path)(io::Error::other(what));
        let at_hand = self
            .open
            .take()
            .filter(|(_, segment, read)| *segment == kept.segment && *read <= kept.number);
        let (mut video, segment, mut read) = match at_hand {
            Some(open) => open,
            None => {
                let video = VideoFile::open(&path).map_err(|e| odd(e.to_string()))?;
                (video, kept.segment.clone(), 0)
            }
        };
        let image = loop {
            let frame = video.next_frame().map_err(|e| odd(e.to_string()))?;
            let frame = frame.ok_or_else(|| odd(format!("it has no frame {}", kept.number)))?;
            read += 1;
            if read > kept.number {
                break frame.image;
            }
        };
        self.open = Some((video, segment, read));
        live::jpeg(&image).map_err(|e| odd(e.to_string()))
    }
}

/// Frames with their capture times, read one after the other.
pub fn pictures(
    frames: &[Kept],
) -> impl Iterator<Item = Result<(f64, Vec<u8>), FootageError>> + '_ {
    let mut reading = Reading::default();
    frames
        .iter()
        .map(move |kept| Ok((kept.t_ms, reading.picture(kept)?)))
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
    let segment = times.with_extension("");
    let file = BufReader::new(File::open(times).map_err(failed(times))?);
    let read = |(number, line): (usize, io::Result<String>)| {
        let line = line.ok()?;
        let mut words = line.split(' ');
        let kept = Kept {
            t_ms: words.next()?.parse().ok()?,
            segment: segment.clone(),
            number: number as u64,
            offset: words.next()?.parse().ok()?,
            length: words.next()?.parse().ok()?,
        };
        Some(kept)
    };
    Ok(file.lines().enumerate().map_while(read).collect())
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
    for picture in pictures(&frames) {
        let (t_ms, jpeg) = picture?;
        hash.update(&jpeg);
        segment.add(t_ms, &jpeg)?;
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

/// A segment as it lies on disk.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stored {
    /// Capture time of its first frame, rounded down, milliseconds since 1970.
    pub(super) begin_ms: f64,
    /// Size of its pictures, bytes.
    pub(super) bytes: u64,
    /// Whether a video has taken the place of its JPEGs.
    pub(super) compressed: bool,
    /// Its files without their ending.
    path: PathBuf,
}

/// The segments of a folder, by time.
///
/// # Errors
/// [`FootageError`].
pub(super) fn stored(folder: &Path) -> Result<Vec<Stored>, FootageError> {
    let size = |path: &Path| fs::metadata(path).ok().map(|m| m.len());
    let all = segments(folder)?.into_iter().map(|(begin_ms, times)| {
        let path = times.with_extension("");
        let captured = size(&path.with_extension(PICTURES));
        let video = size(&path.with_extension(VIDEO));
        Stored {
            begin_ms,
            bytes: captured.or(video).unwrap_or(0),
            compressed: captured.is_none(),
            path,
        }
    });
    Ok(all.collect())
}

impl Stored {
    #[cfg(test)]
    pub(super) fn for_test(begin_ms: f64, bytes: u64, compressed: bool) -> Self {
        Self {
            begin_ms,
            bytes,
            compressed,
            path: PathBuf::new(),
        }
    }

    /// Lets a video take the place of the JPEGs.
    ///
    /// # Errors
    /// [`VideoError`]; the JPEGs then stay.
    pub(super) fn compress(&self) -> Result<(), VideoError> {
        let frames = frames_of(&self.path.with_extension(TIMES))?;
        let (part, whole) = (
            self.path.with_extension(PART),
            self.path.with_extension(VIDEO),
        );
        video::encode(pictures(&frames), &part, Purpose::Keeping)?;
        // Nothing is taken away before what stands for it is on disk.
        File::open(&part)
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&part, &whole))
            .map_err(failed(&whole))?;
        remove(&self.path.with_extension(PICTURES))?;
        Ok(())
    }

    /// Frees it.
    ///
    /// # Errors
    /// [`FootageError`].
    pub(super) fn free(&self) -> Result<(), FootageError> {
        // The times last: a segment without pictures is found and freed next time.
        for ending in [PICTURES, PART, VIDEO, TIMES] {
            remove(&self.path.with_extension(ending))?;
        }
        Ok(())
    }
}

fn remove(path: &Path) -> Result<(), FootageError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(failed(path)(e)),
        _ => Ok(()),
    }
}

/// Writes one board's frames.
pub struct Recorder {
    folder: PathBuf,
    reserve_bytes: u64,
    open: Option<Open>,
}

/// The segment that is being written.
struct Open {
    segment: Segment,
    begun_ms: f64,
    /// Width and height of its pictures, pixels.
    size: (i32, i32),
}

impl Recorder {
    /// Goes on in a folder, which may hold an earlier run's segments.
    ///
    /// # Errors
    /// [`FootageError`].
    pub fn open(folder: &Path) -> Result<Self, FootageError> {
        private_folder(folder)?;
        Ok(Self {
            folder: folder.to_owned(),
            reserve_bytes: RESERVE_BYTES,
            open: None,
        })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// [`FootageError`]; what was written before stays.
    pub fn push(&mut self, frame: &LiveFrame) -> Result<(), FootageError> {
        let size = (frame.image.cols(), frame.image.rows());
        self.write(frame.t_ms, &frame.jpeg, size)
    }

    /// Pictures of another size, and times that went back, begin a segment of their own.
    fn write(&mut self, t_ms: f64, jpeg: &[u8], size: (i32, i32)) -> Result<(), FootageError> {
        let goes_on =
            |open: &Open| open.size == size && (0.0..SEGMENT_MS).contains(&(t_ms - open.begun_ms));
        let open = match self.open.take().filter(goes_on) {
            Some(open) => open,
            None => {
                self.leave_room()?;
                Open {
                    segment: Segment::create(self.folder.join(name(t_ms)))?,
                    begun_ms: t_ms,
                    size,
                }
            }
        };
        self.open.insert(open).segment.add(t_ms, jpeg)
    }

    fn leave_room(&self) -> Result<(), FootageError> {
        let free = free_bytes(&self.folder)?;
        if free >= self.reserve_bytes {
            return Ok(());
        }
        let why = format!(
            "the disk is full: the last {} MiB are left to the database",
            free >> 20
        );
        Err(failed(&self.folder)(io::Error::new(
            io::ErrorKind::StorageFull,
            why,
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second of footage has ten frames of a hundred bytes.
    fn record(folder: &Path, from_s: u32, to_s: u32) {
        let mut recorder = Recorder::open(folder).unwrap();
        for k in from_s * 10..to_s * 10 {
            recorder
                .write(1e12 + f64::from(k) * 100.0, &[k as u8; 100], (1, 1))
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
        record(folder.path(), 0, 35);
        assert_eq!(times(folder.path()).len(), 350);
        let some = frames(folder.path(), 1e12 + 9_850.0, 1e12 + 10_150.0).unwrap();
        let found: Vec<(f64, u8)> = some
            .iter()
            .map(|k| (k.t_ms - 1e12, k.read().unwrap()[99]))
            .collect();
        assert_eq!(found, [(9900.0, 99), (10_000.0, 100), (10_100.0, 101)]);
    }

    #[test]
    fn a_video_takes_the_place_of_the_captured_frames_one_for_one() {
        let folder = tempfile::tempdir().unwrap();
        let mut recorder = Recorder::open(folder.path()).unwrap();
        // The second size begins a segment of its own.
        for k in 0..40 {
            let (rows, cols) = if k < 25 { (90, 160) } else { (60, 80) };
            let grey = opencv::core::Scalar::all(20.0 + 5.0 * f64::from(k));
            let image = opencv::core::Mat::new_rows_cols_with_default(
                rows,
                cols,
                opencv::core::CV_8UC3,
                grey,
            );
            let jpeg = live::jpeg(&image.unwrap()).unwrap();
            let t_ms = 1e12 + f64::from(k) * 100.0;
            recorder.write(t_ms, &jpeg, (cols, rows)).unwrap();
        }
        let before = frames(folder.path(), 0.0, f64::INFINITY).unwrap();
        for segment in stored(folder.path()).unwrap() {
            assert!(!segment.compressed);
            segment.compress().unwrap();
        }
        let after = stored(folder.path()).unwrap();
        assert_eq!(after.len(), 2);
        assert!(after.iter().all(|s| s.compressed && s.bytes > 0));
        // Who had found a frame before it was compressed still gets it.
        for (k, picture) in pictures(&before).enumerate() {
            let (t_ms, jpeg) = picture.unwrap();
            assert_eq!(t_ms, 1e12 + k as f64 * 100.0);
            let image = image::load_from_memory(&jpeg).unwrap().to_luma8();
            assert_eq!(image.width(), if k < 25 { 160 } else { 80 });
            let grey = f64::from(image.get_pixel(40, 30).0[0]);
            assert!((grey - (20.0 + 5.0 * k as f64)).abs() < 2.5, "{k}: {grey}");
        }
        assert_eq!(before[30].read().unwrap(), {
            let mut all = pictures(&before);
            all.nth(30).unwrap().unwrap().1
        });
        for segment in after {
            segment.free().unwrap();
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_full_disk_is_left_to_the_database() {
        let folder = tempfile::tempdir().unwrap();
        let mut recorder = Recorder::open(folder.path()).unwrap();
        recorder.reserve_bytes = u64::MAX;
        let said = recorder.write(1e12, &[1; 100], (1, 1)).unwrap_err();
        assert!(said.to_string().contains("the disk is full"), "{said}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        recorder.reserve_bytes = 0;
        recorder.write(1e12, &[1; 100], (1, 1)).unwrap();
    }

    #[test]
    fn a_torn_last_frame_is_none() {
        let folder = tempfile::tempdir().unwrap();
        record(folder.path(), 0, 1);
        let path = segments(folder.path()).unwrap().remove(0).1;
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 9]).unwrap();
        assert_eq!(times(folder.path()).len(), 9);
    }

    #[test]
    fn kept_frames_outlive_the_ring_and_a_change_is_seen() {
        let (ring, kept) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        record(ring.path(), 0, 5);
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
        for segment in stored(ring.path()).unwrap() {
            segment.free().unwrap();
        }
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
