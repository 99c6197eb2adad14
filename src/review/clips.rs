//! A clip of each incident: the recording around it, picture and sound.

use std::{ffi::OsString, fs, io, path::Path};

use super::{moments::span_ms, words};
use crate::{
    media::ffmpeg::{self, Recording, ToolError},
    record::Record,
};

/// Name of the folder beside the report.
pub const FOLDER: &str = "clips";
/// Shown before the touch and after the incident was complete, milliseconds.
const BEFORE_MS: f64 = 2000.0;
/// See [`BEFORE_MS`].
const AFTER_MS: f64 = 4000.0;

/// Writes a clip of each incident that is shown into `folder`; clips of an earlier run go.
/// Returns the incidents' indices with their files as the report names them.
///
/// # Errors
/// [`ToolError`].
pub fn write(
    recording: &Recording,
    record: &Record,
    folder: &Path,
) -> Result<Vec<(usize, String)>, ToolError> {
    let clips = folder.join(FOLDER);
    match fs::remove_dir_all(&clips) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e.into()),
        _ => {}
    }
    let mut written = Vec::new();
    for (index, incident) in words::shown(record) {
        fs::create_dir_all(&clips)?;
        let (from_ms, to_ms) = span_ms(record, incident);
        let from_ms = (from_ms - BEFORE_MS).max(0.0);
        let name = format!("incident-{}.mp4", index + 1);
        let part = clips.join(format!("{name}.part"));
        cut(recording, from_ms, to_ms + AFTER_MS, &part)?;
        fs::rename(&part, clips.join(&name))?;
        written.push((index, format!("{FOLDER}/{name}")));
    }
    Ok(written)
}

/// Cuts to the frame: what lies between is compressed anew.
fn cut(recording: &Recording, from_ms: f64, to_ms: f64, out: &Path) -> Result<(), ToolError> {
    let mut arguments = recording.input_at(from_ms);
    let length: OsString = format!("{:.3}", (to_ms - from_ms) / 1000.0).into();
    arguments.extend(["-t".into(), length]);
    arguments.extend(ffmpeg::words([
        "-map", "0:v:0", "-map", "0:a:0?", "-sn", "-dn",
    ]));
    arguments.extend(ffmpeg::words([
        "-map_metadata",
        "-1",
        "-map_chapters",
        "-1",
    ]));
    arguments.extend(ffmpeg::h264("veryfast", "20"));
    arguments.extend(ffmpeg::words(["-vf", &recording.seen(), "-c:a", "aac"]));
    arguments.extend(ffmpeg::words(["-movflags", "+faststart", "-f", "mp4"]));
    arguments.push(out.into());
    ffmpeg::run(&arguments)
}
