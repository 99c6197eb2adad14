//! What the tests of the whole program share.

use std::{
    ffi::OsStr,
    fs,
    path::Path,
    process::{Command, Output},
};

use adoube::record::{Incident, Record, Severity};

/// The clip that ships with the project.
pub const CLIP: &str = "tests/data/touch-move.mp4";

/// The program, ready to be given more than arguments.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_adoube"));
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments);
    command
}

/// Runs the program.
pub fn adoube(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// A review, with its results.
pub struct Review {
    /// Where they are.
    pub folder: tempfile::TempDir,
    /// What the terminal showed.
    pub said: String,
    /// `result.json`.
    pub record: Record,
}

impl Review {
    /// Reviews a video, which must succeed.
    pub fn of(video: &Path, more: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut arguments = vec!["review", name(video), "--out", name(folder.path())];
        arguments.extend(more);
        let run = adoube(&arguments);
        assert!(run.status.success(), "{arguments:?}: {}", text(&run.stderr));
        Self {
            said: text(&run.stdout),
            record: record(&folder.path().join("result.json")),
            folder,
        }
    }

    /// One of the files.
    pub fn file(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }
}

/// A path as an argument.
pub fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Makes a file with FFmpeg, which scripts/setup installs.
pub fn ffmpeg(input: &[&str], output: &[&str], file: &Path) -> bool {
    let words = [&["-v", "error", "-y"], input, output].concat();
    Command::new("ffmpeg")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(words.iter().map(OsStr::new))
        .arg(file)
        .output()
        .unwrap()
        .status
        .success()
}

/// Bytes as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A `result.json` or labels.
pub fn record(path: &Path) -> Record {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The moves.
pub fn moves(record: &Record) -> Vec<&str> {
    record.moves.iter().map(|m| m.uci.as_str()).collect()
}

/// The incidents that are shown unasked.
pub fn shown(record: &Record) -> Vec<&Incident> {
    let all = record.incidents.iter();
    all.filter(|i| i.severity != Some(Severity::Log)).collect()
}

/// Names of the files in a folder, sorted; none where there is no folder.
pub fn files(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
