//! Hearing "j'adoube": sound from a microphone or a recording, features, and the network that
//! spots an announcement in them.
//!
//! All sound is 16 kHz, one channel, samples from -1 to 1, each piece of it with the capture time
//! of its first sample. Nothing of it is kept: what leaves this module are times and probabilities.

mod features;
mod health;
mod microphone;
mod plot;
mod recording;
mod spotter;
mod timeline;

use std::path::{Path, PathBuf};

pub use features::{BANDS, Features};
pub use health::{Health, Level};
pub use microphone::{Microphone, devices};
pub use plot::{Curve, png};
pub use recording::Recording;
pub use spotter::{Score, Spotter};
pub use timeline::Timeline;

use crate::{events::Announcement, vision::runtime::RuntimeError};

/// Samples a second.
pub const RATE: u32 = 16_000;

/// Some sound.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Chunk {
    /// 16 kHz, one channel, -1 to 1.
    pub samples: Vec<f32>,
    /// Capture time of the first sample, milliseconds on the source's clock.
    pub t_ms: f64,
}

/// Where sound comes from, in order of time.
pub trait SoundSource {
    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// [`SoundError`] when there should be sound and none comes.
    fn next_chunk(&mut self) -> Result<Option<Chunk>, SoundError>;
}

/// Sound that is already there.
impl<I: Iterator<Item = Chunk>> SoundSource for I {
    fn next_chunk(&mut self) -> Result<Option<Chunk>, SoundError> {
        Ok(self.next())
    }
}

/// Why nothing can be heard.
#[derive(Debug, thiserror::Error)]
pub enum SoundError {
    /// Nothing there.
    #[error("{}: there is no such file: check the path", .0.display())]
    Missing(PathBuf),
    /// FFmpeg is not installed.
    #[error("ffmpeg could not be started ({0}): run scripts/setup")]
    NoFfmpeg(std::io::Error),
    /// A file without a sound track.
    #[error("{}: there is no sound in this file: give the recording of a microphone with --sound", .0.display())]
    NoTrack(PathBuf),
    /// A file that cannot be decoded.
    #[error("{}: the sound cannot be read ({why})", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What FFmpeg said.
        why: String,
    },
    /// No such microphone.
    #[error("there is no microphone {wanted:?}; there are: {there}")]
    NoDevice {
        /// What was asked for.
        wanted: String,
        /// What there is.
        there: String,
    },
    /// This machine has no microphone at all.
    #[error(
        "no microphone was found: plug one in, and see with `arecord -l` whether the system knows it"
    )]
    NoMicrophone,
    /// The microphone cannot be used.
    #[error("microphone {name}: {why}")]
    Refused {
        /// Which one.
        name: String,
        /// What the system said.
        why: String,
    },
    /// It was there, and is gone.
    #[error("microphone {name} is gone ({why}): is its plug still in?")]
    Vanished {
        /// Which one.
        name: String,
        /// What the system said.
        why: String,
    },
    /// A rate that cannot be converted.
    #[error("sound of {rate_hz} samples a second cannot be converted ({why})")]
    Rate {
        /// Samples a second.
        rate_hz: u32,
        /// What the converter said.
        why: String,
    },
    /// The network.
    #[error(transparent)]
    Model(#[from] RuntimeError),
}

/// An announcement, and when it was known.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    /// What was announced.
    pub announcement: Announcement,
    /// Capture time of the last sample that was needed to tell, milliseconds.
    pub known_ms: f64,
}

/// All announcements in a source, and what is wrong with its sound.
///
/// # Errors
/// [`SoundError`].
pub fn listen_through(
    source: &mut dyn SoundSource,
    models: &Path,
) -> Result<(Vec<Heard>, Health), SoundError> {
    let mut spotter = Spotter::open(models)?;
    let mut health = Health::default();
    let mut heard = Vec::new();
    while let Some(chunk) = source.next_chunk()? {
        health.take(&chunk.samples);
        heard.extend(spotter.hear(&chunk)?);
    }
    Ok((heard, health))
}
