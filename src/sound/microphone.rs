//! A microphone, through the system's sound (ALSA on Linux).

use std::{
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel},
    time::{Duration, Instant},
};

use cpal::{
    FromSample, InputCallbackInfo, Sample, SampleFormat, SizedSample, Stream, StreamConfig,
    traits::{DeviceTrait, HostTrait, StreamTrait},
};
use rubato::{
    Fft, FixedSync, Resampler, WindowFunction, audioadapter_buffers::direct::SequentialSlice,
};

use super::{Chunk, RATE, SoundError, SoundSource, Timeline};

/// Pieces that wait to be taken: what is more is dropped.
const WAITING: usize = 256;
/// A microphone that says nothing for so long is gone.
const PATIENCE: Duration = Duration::from_secs(3);
/// Samples of the device that are converted at once, as a share of a second.
const PIECES_A_SECOND: u32 = 50;

/// What the sound system's thread sends: samples of one channel, and when the first was captured.
type Piece = Result<(Vec<f32>, Instant), cpal::Error>;

/// A microphone that is listening.
pub struct Microphone {
    name: String,
    pieces: Receiver<Piece>,
    epoch: Instant,
    timeline: Timeline,
    converter: Converter,
    /// Listening goes on for as long as this lives.
    _stream: Stream,
}

/// ALSA's device that is always there and always silent.
const NOTHING: &str = "alsa:null";

/// The names of the microphones of this machine.
#[must_use]
pub fn devices() -> Vec<String> {
    let all = cpal::default_host().input_devices();
    let name = |d: cpal::Device| d.id().ok().map(|id| id.to_string());
    let all = all.map(|all| all.filter_map(name).collect::<Vec<_>>());
    let mut all = all.unwrap_or_default();
    all.retain(|name| name != NOTHING);
    all
}

impl Microphone {
    /// Opens the microphone of this name, or the system's own. Times are counted from `epoch`.
    ///
    /// # Errors
    /// [`SoundError::NoMicrophone`], [`SoundError::NoDevice`], [`SoundError::Refused`].
    pub fn open(wanted: Option<&str>, epoch: Instant) -> Result<Self, SoundError> {
        let host = cpal::default_host();
        let device = match wanted {
            None => host
                .default_input_device()
                .ok_or(SoundError::NoMicrophone)?,
            Some(wanted) => named(&host, wanted)?,
        };
        let name = wanted.map_or_else(|| device.to_string(), str::to_owned);
        let refused = |e: cpal::Error| {
            if wanted.is_none() && e.kind() == cpal::ErrorKind::DeviceNotAvailable {
                return SoundError::NoMicrophone;
            }
            SoundError::Refused {
                name: name.clone(),
                why: e.to_string(),
            }
        };
        let supported = device.default_input_config().map_err(refused)?;
        let config = supported.config();
        let converter = Converter::new(config.sample_rate)?;
        let (send, pieces) = sync_channel(WAITING);
        let stream = match supported.sample_format() {
            SampleFormat::I16 => stream::<i16>(&device, config, send),
            SampleFormat::I32 => stream::<i32>(&device, config, send),
            SampleFormat::U8 => stream::<u8>(&device, config, send),
            _ => stream::<f32>(&device, config, send),
        }
        .map_err(refused)?;
        stream.play().map_err(refused)?;
        Ok(Self {
            name,
            pieces,
            epoch,
            timeline: Timeline::default(),
            converter,
            _stream: stream,
        })
    }
}

fn named(host: &cpal::Host, wanted: &str) -> Result<cpal::Device, SoundError> {
    let mut all = host.input_devices().into_iter().flatten();
    let is_it = |d: &cpal::Device| {
        d.to_string() == wanted || d.id().is_ok_and(|id| id.to_string() == wanted)
    };
    all.find(is_it).ok_or_else(|| {
        let there = devices();
        if there.is_empty() {
            SoundError::NoMicrophone
        } else {
            SoundError::NoDevice {
                wanted: wanted.to_owned(),
                there: there.join(", "),
            }
        }
    })
}

fn stream<S: SizedSample + Sample>(
    device: &cpal::Device,
    config: StreamConfig,
    send: SyncSender<Piece>,
) -> Result<Stream, cpal::Error>
where
    f32: FromSample<S>,
{
    let channels = usize::from(config.channels.max(1));
    let errors = send.clone();
    let take = move |data: &[S], info: &InputCallbackInfo| {
        let stamp = info.timestamp();
        let waited = stamp.callback.duration_since(stamp.capture);
        let now = Instant::now();
        let captured = now.checked_sub(waited).unwrap_or(now);
        let mix = |frame: &[S]| -> f32 {
            frame.iter().map(|s| s.to_sample::<f32>()).sum::<f32>() / channels as f32
        };
        let samples = data.chunks_exact(channels).map(mix).collect();
        // Full: whoever listens is too slow, and the time stamps tell of the gap. Gone: nobody
        // listens any more.
        match send.try_send(Ok((samples, captured))) {
            Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
        }
    };
    let failed = move |error: cpal::Error| {
        use cpal::ErrorKind as K;
        if !matches!(error.kind(), K::Xrun | K::DeviceChanged | K::RealtimeDenied) {
            let _ = errors.try_send(Err(error));
        }
    };
    device.build_input_stream(config, take, failed, None)
}

impl SoundSource for Microphone {
    fn next_chunk(&mut self) -> Result<Option<Chunk>, SoundError> {
        loop {
            let gone = |why: String| SoundError::Vanished {
                name: self.name.clone(),
                why,
            };
            let (samples, captured) = match self.pieces.recv_timeout(PATIENCE) {
                Ok(Ok(piece)) => piece,
                Ok(Err(error)) => return Err(gone(error.to_string())),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(gone(format!("no sound for {} s", PATIENCE.as_secs())));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(gone("it was closed".to_owned()));
                }
            };
            let stamp_ms = captured.saturating_duration_since(self.epoch).as_secs_f64() * 1000.0;
            let length_ms = samples.len() as f64 * 1000.0 / f64::from(self.converter.rate_hz);
            let t_ms = self.timeline.place(stamp_ms, length_ms);
            if let Some(chunk) = self.converter.convert(&samples, t_ms)? {
                return Ok(Some(chunk));
            }
        }
    }
}

/// Converts a device's rate to ours.
pub(super) struct Converter {
    rate_hz: u32,
    fft: Option<Fft<f32>>,
    pending: Vec<f32>,
}

impl Converter {
    /// From a rate, samples a second.
    pub(super) fn new(rate_hz: u32) -> Result<Self, SoundError> {
        let piece = (rate_hz / PIECES_A_SECOND).max(1) as usize;
        let fft = if rate_hz == RATE {
            None
        } else {
            // Whole blocks in and out: what comes out belongs to what went in, and so do its times.
            let window = WindowFunction::BlackmanHarris2;
            let (from, to) = (rate_hz as usize, RATE as usize);
            let made = Fft::new_custom(from, to, piece, 1, 1, window, FixedSync::Both);
            Some(made.map_err(|e| SoundError::Rate {
                rate_hz,
                why: e.to_string(),
            })?)
        };
        Ok(Self {
            rate_hz,
            fft,
            pending: Vec::new(),
        })
    }

    /// Samples at the device's rate, the first captured at `t_ms`; none while there are too few.
    pub(super) fn convert(
        &mut self,
        samples: &[f32],
        t_ms: f64,
    ) -> Result<Option<Chunk>, SoundError> {
        let rate_hz = self.rate_hz;
        let Some(fft) = &mut self.fft else {
            return Ok(Some(Chunk {
                samples: samples.to_vec(),
                t_ms,
            }));
        };
        let bad = |why: String| SoundError::Rate { rate_hz, why };
        let before_ms = self.pending.len() as f64 * 1000.0 / f64::from(rate_hz);
        let delay_ms = fft.output_delay() as f64 * 1000.0 / f64::from(RATE);
        self.pending.extend_from_slice(samples);
        let mut out = Vec::new();
        let mut at = 0;
        loop {
            let need = fft.input_frames_next();
            let Some(piece) = self.pending.get(at..at + need) else {
                break;
            };
            let from = SequentialSlice::new(piece, 1, need).map_err(|e| bad(e.to_string()))?;
            let room = fft.output_frames_next();
            let mut made = vec![0.0; room];
            let mut to =
                SequentialSlice::new_mut(&mut made, 1, room).map_err(|e| bad(e.to_string()))?;
            let (_, written) = fft
                .process_into_buffer(&from, &mut to, None)
                .map_err(|e| bad(e.to_string()))?;
            made.truncate(written);
            out.extend(made);
            at += need;
        }
        self.pending.drain(..at);
        Ok((!out.is_empty()).then_some(Chunk {
            samples: out,
            t_ms: t_ms - before_ms - delay_ms,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A click at a known time comes out at that time, from any rate and in any pieces.
    #[test]
    fn rates_are_converted_and_times_kept() {
        for rate_hz in [8_000, 16_000, 44_100, 48_000] {
            let mut converter = Converter::new(rate_hz).unwrap();
            let count = rate_hz as usize * 2;
            let click = rate_hz as usize;
            let all: Vec<f32> = (0..count)
                .map(|i| if i.abs_diff(click) < 8 { 0.9 } else { 0.0 })
                .collect();
            let (mut loudest, mut at_ms, mut samples) = (0.0, 0.0, 0);
            for (index, piece) in all.chunks(441).enumerate() {
                let t_ms = index as f64 * 441.0 * 1000.0 / f64::from(rate_hz);
                let Some(chunk) = converter.convert(piece, t_ms).unwrap() else {
                    continue;
                };
                samples += chunk.samples.len();
                for (i, s) in chunk.samples.iter().enumerate() {
                    if s.abs() > loudest {
                        loudest = s.abs();
                        at_ms = chunk.t_ms + i as f64 / 16.0;
                    }
                }
            }
            assert!((at_ms - 1000.0).abs() < 2.0, "{rate_hz}: {at_ms}");
            assert!((30_000..=32_000).contains(&samples), "{rate_hz}: {samples}");
        }
    }

    #[test]
    fn a_microphone_that_is_not_there_is_said_to_be_missing() {
        let error = Microphone::open(Some("no such thing"), Instant::now())
            .err()
            .unwrap();
        let said = error.to_string();
        assert!(said.contains("no microphone"), "{said}");
    }
}
