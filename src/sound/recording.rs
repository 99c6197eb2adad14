//! The sound track of a recording, or a sound file, decoded by FFmpeg as a child process.

use std::{
    ffi::OsString,
    io::{ErrorKind, Read},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
};

use super::{Chunk, RATE, SoundError, SoundSource};

/// Samples of a piece: 80 ms.
const PIECE: usize = 1280;
/// Bytes of a sample as FFmpeg gives it.
const BYTES: usize = 4;

/// A recording's sound: 16 kHz, one channel, all channels mixed.
pub struct Recording {
    path: PathBuf,
    child: Child,
    out: ChildStdout,
    samples: u64,
    origin_ms: f64,
}

impl Recording {
    /// Begins to decode the first sound track. Times are counted from the first frame of the same
    /// file's video, where it has one.
    ///
    /// # Errors
    /// [`SoundError::Missing`], [`SoundError::NoFfmpeg`].
    pub fn open(path: &Path) -> Result<Self, SoundError> {
        if !path.is_file() {
            return Err(SoundError::Missing(path.to_owned()));
        }
        // What is missing between packets is silence, and so is what is missing at the beginning.
        let filter = "aresample=async=1:first_pts=0";
        let mut child = Command::new("ffmpeg")
            .args([
                "-nostdin",
                "-v",
                "error",
                "-protocol_whitelist",
                "file,pipe,crypto",
                "-i",
            ])
            .arg(plain_name(path))
            .args([
                "-map",
                "0:a:0",
                "-af",
                filter,
                "-ac",
                "1",
                "-ar",
                &RATE.to_string(),
            ])
            .args(["-f", "f32le", "pipe:1"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(SoundError::NoFfmpeg)?;
        let Some(out) = child.stdout.take() else {
            return Err(SoundError::NoFfmpeg(ErrorKind::BrokenPipe.into()));
        };
        Ok(Self {
            path: path.to_owned(),
            child,
            out,
            samples: 0,
            origin_ms: first_frame_ms(path),
        })
    }

    /// Why there was no sound, once FFmpeg has given up.
    fn reason(&mut self) -> SoundError {
        let mut said = String::new();
        if let Some(stderr) = &mut self.child.stderr {
            // What cannot be read of the reason is not missed.
            let _ = stderr.read_to_string(&mut said);
        }
        if said.contains("matches no streams") {
            return SoundError::NoTrack(self.path.clone());
        }
        let why = said.lines().next().unwrap_or("no reason given").to_owned();
        SoundError::Unreadable {
            path: self.path.clone(),
            why,
        }
    }
}

/// A name that FFmpeg takes for nothing but a file.
fn plain_name(path: &Path) -> OsString {
    let mut name = OsString::from("file:");
    name.push(path);
    name
}

/// When the first frame of a file's video is shown, from the file's beginning, milliseconds; 0
/// where there is no video.
fn first_frame_ms(path: &Path) -> f64 {
    let told = Command::new("ffprobe")
        .args(["-v", "error", "-select_streams", "v:0", "-show_entries"])
        .args([
            "stream=start_time:format=start_time",
            "-of",
            "default=nw=1:nk=1",
        ])
        .arg(plain_name(path))
        .stdin(Stdio::null())
        .output();
    let told = told.map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    let seconds: Vec<f64> = told
        .unwrap_or_default()
        .lines()
        .filter_map(|l| l.parse().ok())
        .collect();
    match seconds.as_slice() {
        [video, file] => (video - file) * 1000.0,
        _ => 0.0,
    }
}

impl SoundSource for Recording {
    fn next_chunk(&mut self) -> Result<Option<Chunk>, SoundError> {
        let mut bytes = vec![0; PIECE * BYTES];
        let mut got = 0;
        while let Some(rest) = bytes.get_mut(got..).filter(|r| !r.is_empty()) {
            match self.out.read(rest) {
                Ok(0) => break,
                Ok(n) => got += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(self.reason()),
            }
        }
        let number = |b: &[u8]| b.try_into().map_or(0.0, f32::from_le_bytes);
        let samples: Vec<f32> = bytes
            .get(..got)
            .unwrap_or_default()
            .chunks_exact(BYTES)
            .map(number)
            .collect();
        if samples.is_empty() {
            let well = self.child.wait().is_ok_and(|s| s.success());
            // A recording that breaks off was heard up to there.
            return if well || self.samples > 0 {
                Ok(None)
            } else {
                Err(self.reason())
            };
        }
        let t_ms = self.samples as f64 * 1000.0 / f64::from(RATE) - self.origin_ms;
        self.samples += samples.len() as u64;
        Ok(Some(Chunk { samples, t_ms }))
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
