//! A source that is read on a thread of its own: the newest frame waits for whoever looks, older
//! ones are dropped and counted; a source that fails is opened again and again, ever more rarely.
//!
//! A recording loses no frame: it is played at its own pace, or slower when whoever looks is slower.

use std::{
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use opencv::{
    core::{Mat, Vector},
    imgcodecs::{IMWRITE_JPEG_QUALITY, imencode},
};

use super::{
    clock::Clock,
    source::{CaptureError, Source},
};

/// A camera without a new frame for so long has stalled.
pub const STALL: Duration = Duration::from_millis(1500);
/// Wait before a source is opened again: at first ...
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// ... and at most.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// Whether to stop is looked at this often.
const LOOK_FOR_STOP: Duration = Duration::from_millis(50);
/// JPEG quality of what is shown and kept.
const QUALITY: i32 = 85;

/// One frame as it was captured.
#[derive(Clone)]
pub struct LiveFrame {
    /// Pixels.
    pub image: Arc<Mat>,
    /// The same as JPEG, for showing and keeping.
    pub jpeg: Arc<[u8]>,
    /// Capture time by the station's clock, milliseconds since 1970.
    pub t_ms: f64,
}

/// What the reader has to say when there is no new frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Silence {
    /// It waits for the first frame or the next.
    Waiting,
    /// The source fails, for this reason, and is being tried again.
    Lost(String),
    /// The recording is over.
    Ended,
}

/// Time spent on something, added up.
#[derive(Debug, Default)]
pub struct Spent(AtomicU64);

impl Spent {
    pub(super) fn add(&self, time: Duration) {
        let ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.0.fetch_add(ns, Ordering::Relaxed);
    }

    /// Seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.0.load(Ordering::Relaxed) as f64 / 1e9
    }
}

/// Counts of one source.
#[derive(Debug, Default)]
pub struct Counts {
    /// Time spent on making JPEGs.
    pub encode: Spent,
    /// Time spent on writing them to disk.
    pub record: Spent,
    /// Frames that wait to be looked at.
    pub waiting_frames: AtomicU64,
    /// Frames captured.
    pub captured: AtomicU64,
    /// Frames that nobody had looked at when the next one came.
    pub dropped: AtomicU64,
    /// Times the source was lost.
    pub lost: AtomicU64,
    /// Footage of the board, bytes.
    pub footage_bytes: AtomicU64,
    /// Segments of footage that wait to be compressed.
    pub waiting_segments: AtomicU64,
}

struct Slot {
    frame: Option<LiveFrame>,
    silence: Silence,
    /// When the last frame came, or the reader began.
    heard: Instant,
}

struct Shared {
    slot: Mutex<Slot>,
    news: Condvar,
    stop: AtomicBool,
    counts: Arc<Counts>,
}

impl Shared {
    fn slot(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn say(&self, silence: Silence) {
        self.slot().silence = silence;
        self.news.notify_all();
    }

    /// Sleeps unless told to stop; whether to go on.
    fn pause(&self, length: Duration) -> bool {
        let until = Instant::now() + length;
        while !self.stopped() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            thread::sleep(left.min(LOOK_FOR_STOP));
        }
        false
    }
}

/// Does something with every captured frame, on the reader's thread.
pub type Sink = Box<dyn FnMut(&LiveFrame) + Send>;

/// A running reader; it stops when this is dropped.
pub struct Live {
    shared: Arc<Shared>,
    /// A recording may be slow, but it cannot stall.
    may_stall: bool,
}

impl Live {
    /// Begins to read.
    #[must_use]
    pub fn open(source: &Source, clock: Clock, counts: Arc<Counts>, sink: Sink) -> Self {
        let shared = Arc::new(Shared {
            slot: Mutex::new(Slot {
                frame: None,
                silence: Silence::Waiting,
                heard: Instant::now(),
            }),
            news: Condvar::new(),
            stop: AtomicBool::new(false),
            counts,
        });
        let reader = Reader {
            shared: Arc::clone(&shared),
            source: source.clone(),
            clock,
            sink,
        };
        thread::spawn(move || reader.run());
        Self {
            shared,
            may_stall: !source.is_recording(),
        }
    }

    /// The newest frame that was not yet taken, or why there is none after `patience`.
    ///
    /// # Errors
    /// [`Silence`].
    pub fn next(&self, patience: Duration) -> Result<LiveFrame, Silence> {
        let until = Instant::now() + patience;
        let mut slot = self.shared.slot();
        loop {
            if let Some(frame) = slot.frame.take() {
                self.shared
                    .counts
                    .waiting_frames
                    .store(0, Ordering::Relaxed);
                self.shared.news.notify_all();
                return Ok(frame);
            }
            if slot.silence == Silence::Ended {
                return Err(Silence::Ended);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            slot = self
                .shared
                .news
                .wait_timeout(slot, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        Err(match &slot.silence {
            // The reader itself may hang in a camera's driver.
            Silence::Waiting if self.may_stall && slot.heard.elapsed() >= STALL => {
                Silence::Lost("no picture comes from the camera".to_owned())
            }
            silence => silence.clone(),
        })
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }
}

struct Reader {
    shared: Arc<Shared>,
    source: Source,
    clock: Clock,
    sink: Sink,
}

impl Reader {
    fn run(mut self) {
        let mut wait = FIRST_WAIT;
        while !self.shared.stopped() {
            let opened = Instant::now();
            match self.read() {
                Ok(()) if self.source.is_recording() => {
                    self.shared.say(Silence::Ended);
                    return;
                }
                Ok(()) => self.shared.say(Silence::Lost(
                    CaptureError::Stopped(self.source.clone()).to_string(),
                )),
                Err(error) => self.shared.say(Silence::Lost(error.to_string())),
            }
            self.shared.counts.lost.fetch_add(1, Ordering::Relaxed);
            if opened.elapsed() > LONGEST_WAIT {
                wait = FIRST_WAIT;
            }
            if !self.shared.pause(wait) {
                return;
            }
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    /// Reads until the source ends or fails.
    fn read(&mut self) -> Result<(), CaptureError> {
        let mut frames = self.source.open(self.clock)?;
        let begun_ms = self.clock.now_ms();
        while !self.shared.stopped() {
            let Some(frame) = frames.next_frame()? else {
                return Ok(());
            };
            let t_ms = if self.source.is_recording() {
                let due_ms = begun_ms + frame.t_ms;
                let ahead_ms = (due_ms - self.clock.now_ms()).max(0.0);
                if !self
                    .shared
                    .pause(Duration::from_secs_f64(ahead_ms / 1000.0))
                {
                    return Ok(());
                }
                due_ms
            } else {
                frame.t_ms
            };
            let begun = Instant::now();
            let jpeg = jpeg(&frame.image)?;
            self.shared.counts.encode.add(begun.elapsed());
            let frame = LiveFrame {
                jpeg: jpeg.into(),
                image: Arc::new(frame.image),
                t_ms,
            };
            (self.sink)(&frame);
            self.offer(frame);
        }
        Ok(())
    }

    fn offer(&self, frame: LiveFrame) {
        let counts = &self.shared.counts;
        counts.captured.fetch_add(1, Ordering::Relaxed);
        let mut slot = self.shared.slot();
        while self.source.is_recording() && slot.frame.is_some() && !self.shared.stopped() {
            let waited = self.shared.news.wait_timeout(slot, LOOK_FOR_STOP);
            slot = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if slot.frame.replace(frame).is_some() {
            counts.dropped.fetch_add(1, Ordering::Relaxed);
        }
        counts.waiting_frames.store(1, Ordering::Relaxed);
        slot.silence = Silence::Waiting;
        slot.heard = Instant::now();
        drop(slot);
        self.shared.news.notify_all();
    }
}

/// A picture as JPEG.
///
/// # Errors
/// OpenCV's.
pub fn jpeg(image: &Mat) -> opencv::Result<Vec<u8>> {
    let mut bytes = Vector::new();
    let options = Vector::from_slice(&[IMWRITE_JPEG_QUALITY, QUALITY]);
    imencode(".jpg", image, &mut bytes, &options)?;
    Ok(bytes.into_iter().collect())
}
