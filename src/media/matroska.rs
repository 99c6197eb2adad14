//! JPEGs with their times as a Matroska stream: the one container that FFmpeg reads from a pipe and
//! that gives each frame its own time. Written for that only; what is kept is another file.

use std::io::{self, Write};

/// Length of a tick of the stream's clock, nanoseconds.
const TICK_NS: u64 = 10_000;
const TICKS_PER_MS: f64 = 1e6 / TICK_NS as f64;

/// A stream that is being written.
pub(crate) struct Stream<W> {
    out: W,
    /// Time of the first frame, milliseconds.
    zero_ms: f64,
    /// Time of the frame before, ticks.
    last: Option<u64>,
}

/// An element (RFC 8794): its identifier, the length of its body, its body.
fn element(id: &[u8], body: &[u8]) -> Vec<u8> {
    // A length of eight bytes, always: the marker bit and 56 bits.
    let length = (1_u64 << 56) | body.len() as u64;
    [id, &length.to_be_bytes(), body].concat()
}

fn number(id: &[u8], value: u64) -> Vec<u8> {
    element(id, &value.to_be_bytes())
}

impl<W: Write> Stream<W> {
    /// Begins a stream of pictures of a size, pixels, whose first is captured at `zero_ms`.
    ///
    /// # Errors
    /// The writer's.
    pub(crate) fn begin(mut out: W, (width, height): (u32, u32), zero_ms: f64) -> io::Result<Self> {
        out.write_all(&element(
            &[0x1a, 0x45, 0xdf, 0xa3],
            &element(&[0x42, 0x82], b"matroska"),
        ))?;
        // The segment: of unknown length.
        out.write_all(&[0x18, 0x53, 0x80, 0x67, 0x01])?;
        out.write_all(&[0xff; 7])?;
        let info = number(&[0x2a, 0xd7, 0xb1], TICK_NS);
        out.write_all(&element(&[0x15, 0x49, 0xa9, 0x66], &info))?;
        let video = [
            number(&[0xb0], u64::from(width)),
            number(&[0xba], u64::from(height)),
        ];
        let track = [
            number(&[0xd7], 1),
            number(&[0x73, 0xc5], 1),
            number(&[0x83], 1),
            element(&[0x86], b"V_MJPEG"),
            element(&[0xe0], &video.concat()),
        ];
        let tracks = element(&[0xae], &track.concat());
        out.write_all(&element(&[0x16, 0x54, 0xae, 0x6b], &tracks))?;
        Ok(Self {
            out,
            zero_ms,
            last: None,
        })
    }

    /// Adds a frame: a cluster of its own. Times rise by a tick at least.
    ///
    /// # Errors
    /// The writer's.
    pub(crate) fn add(&mut self, t_ms: f64, jpeg: &[u8]) -> io::Result<()> {
        let due = ((t_ms - self.zero_ms) * TICKS_PER_MS).round().max(0.0) as u64;
        let tick = self.last.map_or(due, |last| due.max(last + 1));
        self.last = Some(tick);
        let time = number(&[0xe7], tick);
        // Track 1, no offset to the cluster's time, a keyframe.
        let block = element(&[0xa3], &[&[0x81, 0, 0, 0x80], jpeg].concat());
        let cluster = element(&[0x1f, 0x43, 0xb6, 0x75], &[time, block].concat());
        self.out.write_all(&cluster)
    }

    /// Ends the stream.
    ///
    /// # Errors
    /// The writer's.
    pub(crate) fn end(mut self) -> io::Result<()> {
        self.out.flush()
    }
}
