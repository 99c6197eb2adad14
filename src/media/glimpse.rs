//! Recordings frame by frame, each at first only as a small grey picture: enough to see whether
//! anything stirs. The full picture is made when it is asked for, which costs more than decoding does.

use std::{
    collections::VecDeque,
    path::{Path, PathBuf},
    sync::Once,
};

use ffmpeg_next as ff;
use opencv::{
    core::{CV_8UC3, Mat, MatTraitConst, MatTraitConstManual, MatTraitManual, Size, ToInputArray},
    imgproc::{COLOR_BGR2GRAY, INTER_AREA, cvt_color_def, resize},
};

use super::{
    Footage, Frame, FrameSource, MediaError,
    footage::{cut, rect},
    open,
    times::{Joint, Times},
};
use crate::calibration::window::Window;

/// Width of the small picture, pixels.
const SMALL_WIDTH: i32 = 320;
/// Threads that decode.
const THREADS: usize = 2;

/// A small grey picture of a frame.
#[derive(Clone)]
pub struct Small {
    width: usize,
    height: usize,
    /// Small pixels for one pixel of the frame.
    scale: f64,
    grey: Vec<u8>,
}

/// A part of the small picture: columns and rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    columns: std::ops::Range<usize>,
    rows: std::ops::Range<usize>,
}

impl Small {
    /// Of one plane of brightness.
    fn of(grey: &(impl MatTraitConst + ToInputArray)) -> opencv::Result<Self> {
        let width = SMALL_WIDTH.min(grey.cols());
        let scale = f64::from(width) / f64::from(grey.cols().max(1));
        let height = ((f64::from(grey.rows()) * scale).round() as i32).max(1);
        let mut small = Mat::default();
        resize(
            grey,
            &mut small,
            Size::new(width, height),
            0.0,
            0.0,
            INTER_AREA,
        )?;
        Ok(Self {
            width: width as usize,
            height: height as usize,
            scale,
            grey: small.data_bytes()?.to_vec(),
        })
    }

    /// What a rectangle of the frame (left, top, right, bottom; pixels) covers, cut to the picture.
    #[must_use]
    pub fn region(&self, [left, top, right, bottom]: [f64; 4]) -> Region {
        let span = |from: f64, to: f64, limit: usize| {
            let at = |v: f64| ((v * self.scale).max(0.0) as usize).min(limit);
            at(from.floor())..at(to.ceil())
        };
        Region {
            columns: span(left, right, self.width),
            rows: span(top, bottom, self.height),
        }
    }

    /// How many pixels of a region differ by more than `step` grey levels.
    #[must_use]
    pub fn differing(&self, other: &Self, region: &Region, step: u8) -> usize {
        if self.grey.len() != other.grey.len() {
            return self.grey.len();
        }
        let line = |small: &'_ Self, row: usize| {
            let start = row * small.width;
            start + region.columns.start..start + region.columns.end
        };
        region
            .rows
            .clone()
            .map(|row| {
                let (a, b) = (
                    self.grey.get(line(self, row)),
                    other.grey.get(line(other, row)),
                );
                let pairs = a.unwrap_or_default().iter().zip(b.unwrap_or_default());
                pairs.filter(|(a, b)| a.abs_diff(**b) > step).count()
            })
            .sum()
    }
}

/// A frame whose picture is made when it is asked for.
pub struct Glimpse {
    /// Milliseconds since the first frame, strictly rising.
    pub t_ms: f64,
    /// Running number from 0.
    pub index: u64,
    /// Which file of the recording it comes from, from 0.
    pub part: usize,
    /// What is seen of the frame, small.
    pub small: Small,
    raw: Raw,
    /// The part of it that is seen.
    window: Option<Window>,
}

enum Raw {
    Decoded(ff::frame::Video),
    Picture(Mat),
}

/// Makes pictures of frames.
#[derive(Default)]
pub struct Painter {
    /// For a format and size.
    scaler: Option<(ff::format::Pixel, u32, u32, ff::software::scaling::Context)>,
}

impl Painter {
    /// What is seen of the frame in full, BGR.
    ///
    /// # Errors
    /// [`MediaError::Decoding`].
    pub fn paint(&mut self, glimpse: Glimpse) -> Result<Mat, MediaError> {
        let image = match glimpse.raw {
            Raw::Picture(image) => image,
            Raw::Decoded(frame) => self.convert(&frame)?,
        };
        match glimpse.window {
            Some(window) => cut(&image, window),
            None => Ok(image),
        }
    }

    fn convert(&mut self, frame: &ff::frame::Video) -> Result<Mat, MediaError> {
        let failed = |e: ff::Error| MediaError::Decoding(e.to_string());
        let (format, width, height) = (frame.format(), frame.width(), frame.height());
        let known = self.scaler.take();
        let fits = known.filter(|k| (k.0, k.1, k.2) == (format, width, height));
        let mut scaler = match fits {
            Some(known) => known.3,
            // As OpenCV does it, so that both see the same.
            None => ff::software::scaling::Context::get(
                format,
                width,
                height,
                ff::format::Pixel::BGR24,
                width,
                height,
                ff::software::scaling::Flags::BICUBIC,
            )
            .map_err(failed)?,
        };
        let mut bgr = ff::frame::Video::empty();
        scaler.run(frame, &mut bgr).map_err(failed)?;
        self.scaler = Some((format, width, height, scaler));
        picture(&bgr).map_err(|e| MediaError::Decoding(e.to_string()))
    }
}

/// A BGR frame as a matrix of its own.
fn picture(bgr: &ff::frame::Video) -> opencv::Result<Mat> {
    let (rows, columns) = (bgr.height() as i32, bgr.width() as i32);
    let mut image =
        Mat::new_rows_cols_with_default(rows, columns, CV_8UC3, opencv::core::Scalar::default())?;
    let length = 3 * columns as usize;
    let lines = bgr.data(0).chunks(bgr.stride(0).max(1));
    for (row, line) in (0..rows).zip(lines) {
        let into = image.at_row_mut::<opencv::core::Vec3b>(row)?;
        let from = line.get(..length).unwrap_or_default().as_chunks::<3>().0;
        for (to, from) in into.iter_mut().zip(from) {
            to.0 = *from;
        }
    }
    Ok(image)
}

/// The frames of a recording in one file or several.
pub struct Glimpses {
    current: Reader,
    window: Option<Window>,
    waiting: VecDeque<PathBuf>,
    joint: Joint,
}

enum Reader {
    /// Decoded here.
    Direct(Box<Direct>),
    /// By OpenCV: pictures in folders, turned videos, formats without a plane of brightness.
    Other(Box<dyn FrameSource>),
}

impl Glimpses {
    /// Opens a recording.
    ///
    /// # Errors
    /// [`MediaError`].
    pub fn open(footage: &Footage) -> Result<Self, MediaError> {
        let window = footage.window;
        let mut waiting: VecDeque<PathBuf> = footage.files.iter().cloned().collect();
        let path = waiting
            .pop_front()
            .ok_or_else(|| MediaError::Missing(PathBuf::new()))?;
        let source = open(&path)?;
        let joint = Joint::new(source.info().nominal_fps);
        Ok(Self {
            current: reader(&path, source, window),
            window,
            waiting,
            joint,
        })
    }

    /// The next frame; `None` at the end.
    ///
    /// # Errors
    /// [`MediaError`].
    pub fn next_glimpse(&mut self) -> Result<Option<Glimpse>, MediaError> {
        loop {
            let next = match &mut self.current {
                Reader::Direct(direct) => direct.next()?,
                Reader::Other(source) => source
                    .next_frame()?
                    .map(|frame| seen_by_opencv(frame, self.window))
                    .transpose()?,
            };
            if let Some(mut glimpse) = next {
                (glimpse.t_ms, glimpse.index) = self.joint.place(glimpse.t_ms);
                glimpse.part = self.joint.part;
                return Ok(Some(glimpse));
            }
            let Some(path) = self.waiting.pop_front() else {
                return Ok(None);
            };
            let source = open(&path)?;
            self.current = reader(&path, source, self.window);
            self.joint.next_part();
        }
    }
}

impl Glimpses {
    /// Goes on from a frame at or before a time, milliseconds, where the container can; else where it
    /// was. Frames are not numbered rightly any more.
    pub fn skip_to(&mut self, ms: f64) {
        // Where a later file begins is known only when it is reached.
        if let Reader::Direct(direct) = &mut self.current
            && self.joint.part == 0
            && self.waiting.is_empty()
        {
            direct.skip_to(ms);
        }
    }
}

fn reader(path: &Path, source: Box<dyn FrameSource>, window: Option<Window>) -> Reader {
    let size = (source.info().width_px, source.info().height_px);
    match Direct::open(path, size, window) {
        Some(direct) => Reader::Direct(Box::new(direct)),
        None => Reader::Other(source),
    }
}

fn seen_by_opencv(frame: Frame, window: Option<Window>) -> Result<Glimpse, MediaError> {
    let failed = |e: opencv::Error| MediaError::Decoding(e.to_string());
    let image = match window {
        Some(window) => cut(&frame.image, window)?,
        None => frame.image,
    };
    let mut grey = Mat::default();
    cvt_color_def(&image, &mut grey, COLOR_BGR2GRAY).map_err(failed)?;
    Ok(Glimpse {
        t_ms: frame.t_ms,
        index: frame.index,
        part: frame.part,
        small: Small::of(&grey).map_err(failed)?,
        raw: Raw::Picture(image),
        window: None,
    })
}

/// A file decoded by FFmpeg's libraries.
struct Direct {
    input: ff::format::context::Input,
    decoder: ff::decoder::Video,
    stream: usize,
    /// Seconds of one unit of time stamps, and the first one.
    unit_s: f64,
    start: i64,
    times: Times,
    ended: bool,
    window: Option<Window>,
}

impl Direct {
    /// Opens a video that lies upright and has a plane of brightness; others are for OpenCV.
    fn open(path: &Path, size: (u32, u32), window: Option<Window>) -> Option<Self> {
        static READY: Once = Once::new();
        READY.call_once(|| {
            // It fails only where FFmpeg has no network, which files do not need.
            let _ = ff::init();
            ff::log::set_level(ff::log::Level::Quiet);
        });
        if !path.is_file() {
            return None;
        }
        let input = ff::format::input(path).ok()?;
        let stream = input.streams().best(ff::media::Type::Video)?;
        let turned = stream
            .side_data()
            .any(|s| s.kind() == ff::codec::packet::side_data::Type::DisplayMatrix);
        let (index, unit) = (stream.index(), stream.time_base());
        let start = Some(stream.start_time()).filter(|t| *t != i64::MIN);
        let mut context = ff::codec::context::Context::from_parameters(stream.parameters()).ok()?;
        context.set_threading(ff::threading::Config {
            kind: ff::threading::Type::Frame,
            count: THREADS,
            ..ff::threading::Config::default()
        });
        let decoder = context.decoder().video().ok()?;
        let upright = !turned && (decoder.width(), decoder.height()) == size;
        (upright && has_brightness(decoder.format())).then(|| Self {
            decoder,
            stream: index,
            unit_s: f64::from(unit),
            start: start.unwrap_or(0),
            times: Times::default(),
            ended: false,
            window,
            input,
        })
    }

    fn skip_to(&mut self, ms: f64) {
        let Some(origin_ms) = self.times.origin_ms else {
            return;
        };
        let begin_us = self.start as f64 * self.unit_s * 1e6;
        let stamp_us = (begin_us + (origin_ms + ms) * 1000.0) as i64;
        if self.input.seek(stamp_us, ..stamp_us + 1).is_ok() {
            self.decoder.flush();
            self.times.jumped();
            self.ended = false;
        }
    }

    fn next(&mut self) -> Result<Option<Glimpse>, MediaError> {
        let mut frame = ff::frame::Video::empty();
        loop {
            if self.decoder.receive_frame(&mut frame).is_ok() {
                break;
            }
            if self.ended {
                return Ok(None);
            }
            match self.input.packets().next() {
                // A packet that cannot be decoded is passed over: what can be read is kept.
                Some((stream, packet)) if stream.index() == self.stream => {
                    let _ = self.decoder.send_packet(&packet);
                }
                Some(_) => {}
                None => {
                    self.ended = true;
                    let _ = self.decoder.send_eof();
                }
            }
        }
        let stamp = frame.timestamp();
        let container_ms = stamp.map_or(0.0, |t| (t - self.start) as f64 * self.unit_s * 1000.0);
        let small =
            brightness(&frame, self.window).map_err(|e| MediaError::Decoding(e.to_string()))?;
        Ok(Some(Glimpse {
            t_ms: self.times.next(Some(container_ms)),
            index: 0,
            part: 0,
            small,
            raw: Raw::Decoded(frame),
            window: self.window,
        }))
    }
}

/// Whether the first plane is brightness, a byte a pixel.
fn has_brightness(format: ff::format::Pixel) -> bool {
    use ff::format::Pixel::{
        GRAY8, NV12, NV21, YUV420P, YUV422P, YUV444P, YUVJ420P, YUVJ422P, YUVJ444P,
    };
    matches!(
        format,
        GRAY8 | NV12 | NV21 | YUV420P | YUV422P | YUV444P | YUVJ420P | YUVJ422P | YUVJ444P
    )
}

fn brightness(frame: &ff::frame::Video, window: Option<Window>) -> opencv::Result<Small> {
    let stride = frame.stride(0) as i32;
    let (rows, columns) = (frame.height() as i32, frame.width() as i32);
    let length = (rows * stride) as usize;
    let bytes = frame.data(0).get(..length).unwrap_or_default();
    let plane = Mat::new_rows_cols_with_data(rows, stride, bytes)?;
    let whole = opencv::core::Rect::new(0, 0, columns, rows);
    Small::of(&plane.roi(window.map_or(whole, rect))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media::open_parts;

    const CLIP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/touch-move.mp4");

    #[test]
    fn pictures_and_times_are_those_of_opencv() {
        let paths = [PathBuf::from(CLIP)];
        let mut glimpses = Glimpses::open(&Footage::whole(&paths)).unwrap();
        assert!(matches!(glimpses.current, Reader::Direct(_)));
        let mut frames = open_parts(&paths).unwrap();
        let mut painter = Painter::default();
        let mut count = 0;
        while let Some(frame) = frames.next_frame().unwrap() {
            let glimpse = glimpses.next_glimpse().unwrap().unwrap();
            assert!((glimpse.t_ms - frame.t_ms).abs() < 1e-6, "{count}");
            assert_eq!(glimpse.index, frame.index);
            if count % 50 == 0 {
                let image = painter.paint(glimpse).unwrap();
                assert_eq!(
                    image.data_bytes().unwrap(),
                    frame.image.data_bytes().unwrap(),
                    "{count}"
                );
            }
            count += 1;
        }
        assert!(glimpses.next_glimpse().unwrap().is_none());
        assert_eq!(count, 331);
    }

    #[test]
    fn what_is_skipped_to_is_what_stands_there() {
        let paths = [PathBuf::from(CLIP)];
        let mut glimpses = Glimpses::open(&Footage::whole(&paths)).unwrap();
        glimpses.next_glimpse().unwrap().unwrap();
        glimpses.skip_to(9000.0);
        let mut decoded = 0;
        let glimpse = loop {
            let glimpse = glimpses.next_glimpse().unwrap().unwrap();
            decoded += 1;
            if glimpse.t_ms + 1.0 >= 9000.0 {
                break glimpse;
            }
        };
        assert!(decoded < 260, "{decoded} frames were decoded");
        let mut frames = open_parts(&paths).unwrap();
        let frame = loop {
            let frame = frames.next_frame().unwrap().unwrap();
            if frame.t_ms + 1.0 >= 9000.0 {
                break frame;
            }
        };
        assert!((glimpse.t_ms - frame.t_ms).abs() < 1e-6);
        let image = Painter::default().paint(glimpse).unwrap();
        assert_eq!(
            image.data_bytes().unwrap(),
            frame.image.data_bytes().unwrap()
        );
    }

    #[test]
    fn what_differs_in_a_region_is_counted() {
        let grey = |value: f64| {
            let size = (100, 640, opencv::core::CV_8UC1);
            Mat::new_rows_cols_with_default(
                size.0,
                size.1,
                size.2,
                opencv::core::Scalar::all(value),
            )
            .unwrap()
        };
        let a = Small::of(&grey(100.0)).unwrap();
        let mut other = grey(100.0);
        let corner = opencv::core::Rect::new(0, 0, 20, 20);
        opencv::imgproc::rectangle_def(&mut other, corner, opencv::core::Scalar::all(120.0))
            .unwrap();
        let b = Small::of(&other).unwrap();
        let whole = a.region([0.0, 0.0, 640.0, 100.0]);
        assert!(a.differing(&b, &whole, 5) > 10);
        assert_eq!(a.differing(&b, &whole, 30), 0);
        assert_eq!(
            a.differing(&b, &a.region([100.0, 0.0, 9999.0, 9999.0]), 5),
            0
        );
        assert_eq!(a.differing(&a, &whole, 0), 0);
    }
}
