//! Reviews recordings after the games, one after the other, each by a program of its own: what fails
//! there stops no board, and live boards go before it.
//!
//! What was not ended when the station stopped is done again at the next start.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Common,
    store::{StoreError, reviews::Review},
};

/// Whether there is something to do is looked at this often.
const PAUSE: Duration = Duration::from_millis(500);
/// Longest reason that is kept of why a review failed, characters.
const LONGEST_REASON: usize = 500;
/// How much a review gives way to the live boards.
const NICENESS: &str = "10";
/// The files of a review that a page may have.
const FILES: [&str; 9] = [
    "report.html",
    "game.pgn",
    "arbiter.pgn",
    "result.json",
    "chapters.vtt",
    "markers.edl",
    "markers.csv",
    "annotated.mp4",
    "chapters.mp4",
];

/// How far the review is that is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Progress {
    /// Its number.
    pub review: i64,
    /// Frames that were looked at.
    pub frames: u64,
    /// Frames that there are, if that is known.
    pub of: Option<u64>,
}

/// What reviews are being done.
#[derive(Default)]
pub struct Reviews {
    progress: Mutex<Option<Progress>>,
}

/// The folder of a review: the recording, if it was sent here, and `results`.
#[must_use]
pub fn folder(data: &Path, review: i64) -> PathBuf {
    data.join("reviews").join(review.to_string())
}

/// A file of a review's results, if it is one that may be had.
#[must_use]
pub fn result(data: &Path, review: i64, name: &str) -> Option<PathBuf> {
    let known = FILES.contains(&name);
    let path = folder(data, review).join("results").join(name);
    (known && path.is_file()).then_some(path)
}

/// The names of the results that are there.
#[must_use]
pub fn results(data: &Path, review: i64) -> Vec<&'static str> {
    let there = |name: &&str| result(data, review, name).is_some();
    FILES.into_iter().filter(there).collect()
}

impl Reviews {
    /// How far the review is that is being done.
    #[must_use]
    pub fn progress(&self) -> Option<Progress> {
        *self.lock()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Progress>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to do what waits, until the station stops.
    pub(super) fn start(common: Arc<Common>) {
        thread::spawn(move || {
            if let Err(error) = common.store.resume_reviews() {
                tracing::error!(%error, "reviews of before cannot be gone on with");
            }
            while !common.hub.stopped() {
                match work(&common) {
                    Ok(true) => {}
                    Ok(false) => thread::sleep(PAUSE),
                    Err(error) => {
                        tracing::error!(%error, "reviews cannot be looked after");
                        thread::sleep(PAUSE * 10);
                    }
                }
            }
        });
    }
}

/// Does the next review; whether there was one.
fn work(common: &Common) -> Result<bool, StoreError> {
    let Some(review) = common.store.take_review()? else {
        return Ok(false);
    };
    tracing::info!(review = review.id, name = %review.name, "a review begins");
    let ended = carry_out(common, &review);
    *common.reviews.lock() = None;
    match ended {
        // Stopped with the station: it is done again.
        Ok(None) => {}
        Ok(Some(())) => common.store.end_review(review.id, None)?,
        Err(why) => {
            tracing::warn!(review = review.id, %why, "a review failed");
            common.store.end_review(review.id, Some(&why))?;
        }
    }
    Ok(true)
}

/// Carries a review out; nothing when the station stops before it is done.
fn carry_out(common: &Common, review: &Review) -> Result<Option<()>, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut child = command(&program, common, review)
        .spawn()
        .map_err(|e| format!("the program for reviews cannot be started: {e}"))?;
    let (lines, said) = (child.stdout.take(), child.stderr.take());
    let said = thread::spawn(move || {
        let mut text = String::new();
        // What is no text says nothing.
        let _ = said.map(|mut s| s.read_to_string(&mut text));
        text
    });
    let status = thread::scope(|scope| {
        scope.spawn(|| {
            for line in lines.into_iter().flat_map(|l| BufReader::new(l).lines()) {
                let Ok(line) = line else { break };
                if let Some((frames, of)) = progress(&line) {
                    *common.reviews.lock() = Some(Progress {
                        review: review.id,
                        frames,
                        of,
                    });
                }
            }
        });
        wait(common, &mut child)
    })?;
    let said = said.join().unwrap_or_default();
    match status {
        None => Ok(None),
        Some(status) if status.success() => Ok(Some(())),
        Some(status) => Err(reason(&said, review).unwrap_or_else(|| status.to_string())),
    }
}

fn command(program: &Path, common: &Common, review: &Review) -> Command {
    // A recording takes every core that it gets: nice lets the live boards go first.
    let mut command = Command::new("nice");
    command.args(["-n", NICENESS]).arg(program);
    command.args(["review", "--progress", "--lang", &review.language]);
    if let Some(start) = &review.start {
        command.args(["--start", start]);
    }
    command
        .arg("--out")
        .arg(folder(&common.data, review.id).join("results"))
        .arg("--")
        .arg(&review.file)
        .env("ADOUBE_MODELS", &common.models)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Waits for a program's end; ends it when the station stops.
fn wait(common: &Common, child: &mut Child) -> Result<Option<ExitStatus>, String> {
    loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            return Ok(Some(status));
        }
        if common.hub.stopped() {
            // It may have ended by itself just now.
            let _ = child.kill();
            let _ = child.wait();
            return Ok(None);
        }
        thread::sleep(PAUSE);
    }
}

/// `progress 120/3600` or `progress 120`.
fn progress(line: &str) -> Option<(u64, Option<u64>)> {
    let counts = line.strip_prefix("progress ")?;
    match counts.split_once('/') {
        Some((frames, of)) => Some((frames.parse().ok()?, Some(of.parse().ok()?))),
        None => Some((counts.parse().ok()?, None)),
    }
}

/// The last thing that a program said of its failure, with the recording's name for where it lies:
/// who reads it has no business with that.
fn reason(said: &str, review: &Review) -> Option<String> {
    let last = said.lines().rev().find(|l| !l.trim().is_empty())?;
    let why = last.strip_prefix("adoube: ").unwrap_or(last);
    let why = why.replace(&review.file, &review.name);
    Some(why.chars().take(LONGEST_REASON).collect())
}

/// Takes the files of a review away.
///
/// # Errors
/// The system's, unless there were none.
pub fn remove(data: &Path, review: i64) -> std::io::Result<()> {
    match fs::remove_dir_all(folder(data, review)) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::station::store::reviews::{NewReview, ReviewState};

    fn new(name: &str) -> NewReview {
        NewReview {
            name: name.to_owned(),
            file: format!("/{name}.mp4"),
            start: None,
            language: "de".to_owned(),
        }
    }

    #[test]
    fn lines_tell_how_far_it_is() {
        for (line, told) in [
            ("progress 120/3600", Some((120, Some(3600)))),
            ("progress 7", Some((7, None))),
            ("progress x/y", None),
            ("331 frames at 73 a second", None),
        ] {
            assert_eq!(progress(line), told, "{line}");
        }
    }

    #[test]
    fn the_last_line_says_why_it_failed() {
        let data = tempfile::tempdir().unwrap();
        let store = &Common::without_boards(data.path()).store;
        let id = store.add_review(&new("final"), "anna").unwrap();
        let review = store.review(id).unwrap();
        for (said, why) in [
            ("note\nadoube: no board\n\n", Some("no board")),
            ("adoube: /final.mp4: no video", Some("final: no video")),
            ("\n", None),
        ] {
            assert_eq!(reason(said, &review).as_deref(), why, "{said}");
        }
    }

    #[test]
    fn only_results_are_given_out() {
        let data = tempfile::tempdir().unwrap();
        let results_folder = folder(data.path(), 3).join("results");
        fs::create_dir_all(&results_folder).unwrap();
        for name in ["report.html", "observations.jsonl.zst"] {
            fs::write(results_folder.join(name), "x").unwrap();
        }
        fs::write(data.path().join("station.db"), "secret").unwrap();
        assert!(result(data.path(), 3, "report.html").is_some());
        for name in [
            "observations.jsonl.zst",
            "../../../station.db",
            "game.pgn",
            "",
        ] {
            assert_eq!(result(data.path(), 3, name), None, "{name}");
        }
        assert_eq!(results(data.path(), 3), ["report.html"]);
        remove(data.path(), 3).unwrap();
        remove(data.path(), 3).unwrap();
        assert_eq!(results(data.path(), 3), [""; 0]);
    }

    #[test]
    fn what_was_not_ended_is_done_again_and_what_is_being_done_is_not_taken_out() {
        let data = tempfile::tempdir().unwrap();
        let common = Common::without_boards(data.path());
        let store = &common.store;
        let [first, second] = ["one", "two"].map(|n| store.add_review(&new(n), "anna").unwrap());
        let states = || -> Vec<(i64, ReviewState)> {
            let all = store.reviews().unwrap();
            all.iter().map(|r| (r.id, r.state)).collect()
        };
        assert_eq!(store.take_review().unwrap().unwrap().id, first);
        assert!(store.remove_review(first, "anna").is_err());
        store.resume_reviews().unwrap();
        assert_eq!(store.take_review().unwrap().unwrap().id, first);
        store.end_review(first, None).unwrap();
        assert_eq!(store.take_review().unwrap().unwrap().id, second);
        store.end_review(second, Some("no board")).unwrap();
        assert_eq!(store.take_review().unwrap(), None);
        assert_eq!(
            states(),
            [(second, ReviewState::Failed), (first, ReviewState::Done)]
        );
        assert_eq!(
            store.review(second).unwrap().said.as_deref(),
            Some("no board")
        );
        store.remove_review(first, "anna").unwrap();
        assert!(store.review(first).is_err());
    }
}
