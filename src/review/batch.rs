//! Many games in one go: which there are, which are done, and a page that sums them up.
//!
//! A game is done when its folder holds a [`Done`] that fits: the same files, the same wishes, the
//! same program. It is written last, so a run that was killed leaves nothing that looks done.

use std::{
    collections::BTreeMap,
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use serde::{Deserialize, Serialize};

use super::{
    comparison::Comparison,
    results::{remove, write_whole},
    run::ReviewError,
    words::{self, Words, escape},
};
use crate::record::{Record, StepEnd};

/// Name of the file that says that a game is done.
const DONE: &str = "done.json";
/// Name of the page that sums up.
pub const PAGE: &str = "index.html";
/// Extensions of recordings.
const VIDEOS: [&str; 9] = [
    "mp4", "mkv", "mov", "avi", "m4v", "mts", "m2ts", "ts", "webm",
];

/// A game of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// Name of its folder of results.
    pub name: String,
    /// Its recording, in its order.
    pub videos: Vec<PathBuf>,
    /// The PGN beside it, where there is one.
    pub pgn: Option<PathBuf>,
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|e| e.to_str());
    extension.is_some_and(|e| extensions.contains(&e.to_ascii_lowercase().as_str()))
}

/// Whether a path is named as a recording is.
#[must_use]
pub fn is_video(path: &Path) -> bool {
    has_extension(path, &VIDEOS)
}

/// Whether a path is a folder of games and no folder of pictures.
#[must_use]
pub fn is_folder_of_games(path: &Path) -> bool {
    let entries = entries(path).unwrap_or_default();
    path.is_dir()
        && !entries
            .iter()
            .any(|p| has_extension(p, &["jpg", "jpeg", "png"]))
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// The games of folders: each video is one, and each folder with videos is one in several files.
/// `NAME.pgn` beside it, or the one PGN in its folder, is what was noted of it.
///
/// # Errors
/// The system's, with the folder that cannot be read.
pub fn games(folders: &[PathBuf]) -> Result<Vec<Game>, (PathBuf, io::Error)> {
    let mut games = Vec::new();
    for folder in folders {
        let of = |e| (folder.clone(), e);
        for path in entries(folder).map_err(of)? {
            if path.is_dir() {
                let inside = entries(&path).map_err(of)?;
                let pick = |extensions: &[&str]| -> Vec<PathBuf> {
                    let fitting = inside.iter().filter(|p| has_extension(p, extensions));
                    fitting.cloned().collect()
                };
                let (videos, pgns) = (pick(&VIDEOS), pick(&["pgn"]));
                if !videos.is_empty() {
                    let name = path.file_name().unwrap_or_default();
                    games.push(Game {
                        name: name.to_string_lossy().into_owned(),
                        videos,
                        pgn: <[PathBuf; 1]>::try_from(pgns).ok().map(|[only]| only),
                    });
                }
            } else if has_extension(&path, &VIDEOS) {
                let name = path.file_stem().unwrap_or_default();
                games.push(Game {
                    name: name.to_string_lossy().into_owned(),
                    pgn: Some(path.with_extension("pgn")).filter(|p| p.is_file()),
                    videos: vec![path],
                });
            }
        }
    }
    Ok(named_apart(games))
}

/// No two games share a folder of results.
fn named_apart(mut games: Vec<Game>) -> Vec<Game> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for game in &mut games {
        let count = seen.entry(game.name.to_lowercase()).or_default();
        *count += 1;
        if *count > 1 {
            game.name = format!("{} ({count})", game.name);
        }
    }
    games
}

/// A file as it was when it was reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    path: String,
    bytes: u64,
    modified_ms: u64,
}

impl Stamp {
    fn of(path: &Path) -> io::Result<Self> {
        let about = fs::metadata(path)?;
        let modified = about.modified()?.duration_since(UNIX_EPOCH);
        Ok(Self {
            path: path.to_string_lossy().into_owned(),
            bytes: about.len(),
            modified_ms: modified.map_or(0, |d| d.as_millis() as u64),
        })
    }
}

/// What a finished review of a game was made from, and what the summary says of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Done {
    /// Version of this format: 1.
    format: u32,
    program: String,
    /// The wishes, in one line.
    wishes: String,
    files: Vec<Stamp>,
    /// What a person should look at.
    pub needs: Vec<Need>,
    /// What the game is called.
    pub title: String,
    /// How it ended.
    pub result: String,
    /// Moves found.
    pub moves: usize,
    /// Incidents shown.
    pub incidents: usize,
}

/// Something that a person should look at, and how often it occurs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// Incidents that are shown.
    Incidents(usize),
    /// Moves that differ from the PGN's.
    Differences(usize),
    /// Moves that nobody saw.
    Inferred(usize),
    /// The board did not always show the game.
    OutOfStep,
    /// The kings' sign is to be confirmed.
    Result,
    /// The recording breaks off.
    CutOff,
}

impl Need {
    /// In words.
    #[must_use]
    pub fn told(&self, words: Words) -> String {
        match self {
            Self::Incidents(n) => words.count("need-incidents", *n),
            Self::Differences(n) => words.count("need-differences", *n),
            Self::Inferred(n) => words.count("need-inferred", *n),
            Self::OutOfStep => words.get("need-out-of-step"),
            Self::Result => words.get("need-result"),
            Self::CutOff => words.get("need-cut-off"),
        }
    }
}

/// What a person should look at in a review.
#[must_use]
pub fn needs(record: &Record, comparison: Option<&Comparison>, cut_off: bool) -> Vec<Need> {
    let counted = [
        Need::Incidents(words::shown(record).count()),
        Need::Differences(comparison.map_or(0, |c| c.differences.len())),
        Need::Inferred(record.moves.iter().filter(|m| m.inferred).count()),
    ];
    let counted = counted.into_iter().filter(|need| {
        !matches!(
            need,
            Need::Incidents(0) | Need::Differences(0) | Need::Inferred(0)
        )
    });
    // What was put right or taken back is in the report; a gap that nothing explains needs eyes.
    let gap = record
        .out_of_step
        .iter()
        .any(|s| matches!(s.end, None | Some(StepEnd::SetUpAgain)));
    let rest = [
        (gap, Need::OutOfStep),
        (record.result_sign.is_some(), Need::Result),
        (cut_off, Need::CutOff),
    ];
    counted
        .chain(rest.into_iter().filter_map(|(is, need)| is.then_some(need)))
        .collect()
}

/// A game's results that are about to be made or were made.
pub struct Place<'a> {
    /// The game.
    pub game: &'a Game,
    /// Its folder of results.
    pub folder: PathBuf,
    /// The wishes, in one line: other ones make it undone.
    pub wishes: String,
}

impl Place<'_> {
    fn stamps(&self) -> io::Result<Vec<Stamp>> {
        let files = self.game.videos.iter().chain(&self.game.pgn);
        files.map(|path| Stamp::of(path)).collect()
    }

    /// What was found, where the game is done.
    #[must_use]
    pub fn done(&self) -> Option<Done> {
        let text = fs::read(self.folder.join(DONE)).ok()?;
        let done: Done = serde_json::from_slice(&text).ok()?;
        let same = done.program == env!("CARGO_PKG_VERSION")
            && done.wishes == self.wishes
            && done.files == self.stamps().ok()?;
        same.then_some(done)
    }

    /// Takes back that it is done.
    ///
    /// # Errors
    /// [`ReviewError::Write`].
    pub fn begin(&self) -> Result<(), ReviewError> {
        remove(&self.folder.join(DONE))
    }

    /// Says that it is done.
    ///
    /// # Errors
    /// [`ReviewError::Write`].
    pub fn finish(&self, found: Found) -> Result<Done, ReviewError> {
        let path = self.folder.join(DONE);
        let failure = |source| ReviewError::Write {
            path: path.clone(),
            source,
        };
        let done = Done {
            format: 1,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            wishes: self.wishes.clone(),
            files: self.stamps().map_err(failure)?,
            needs: found.needs,
            title: found.title,
            result: found.result,
            moves: found.moves,
            incidents: found.incidents,
        };
        let json = serde_json::to_string_pretty(&done).map_err(|e| failure(e.into()))?;
        write_whole(&path, (json + "\n").as_bytes())?;
        Ok(done)
    }
}

/// What a review found, for the summary.
pub struct Found {
    /// What a person should look at.
    pub needs: Vec<Need>,
    /// What the game is called.
    pub title: String,
    /// How it ended.
    pub result: String,
    /// Moves found.
    pub moves: usize,
    /// Incidents shown.
    pub incidents: usize,
}

/// How far a game is.
#[derive(Debug, Clone, PartialEq)]
pub enum State {
    /// Not begun.
    Waiting,
    /// Reviewed.
    Done(Done),
    /// It cannot be reviewed, for this reason.
    Failed(String),
}

const STYLE: &str = include_str!("batch.css");

/// The page that sums up, with a link to each report and what else is to be said.
#[must_use]
pub fn page(games: &[(&Game, State)], notes: &[String], words: Words) -> String {
    let title = words.count("batch-title", games.len());
    let look = |s: &State| matches!(s, State::Done(done) if !done.needs.is_empty());
    let looks = games.iter().filter(|(_, s)| look(s)).count();
    let failed = |s: &State| matches!(s, State::Failed(_));
    let failures = games.iter().filter(|(_, s)| failed(s)).count();
    let mut lead = words.count_as("batch-lead", "look", looks);
    if failures > 0 {
        lead += " ";
        lead += &words.count("batch-failures", failures);
    }
    let head: String = [
        "batch-name",
        "batch-result",
        "batch-moves",
        "batch-incidents",
        "batch-state",
    ]
    .map(|id| format!("<th>{}</th>", words.get(id)))
    .concat();
    let mut out = format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';img-src data:;style-src 'unsafe-inline'\"><meta name=\"color-scheme\" content=\"light dark\"><link rel=\"icon\" href=\"data:,\"><title>{title} \u{2013} Adoube</title><style>{STYLE}</style></head><body><main><p class=\"brand\">Adoube <span>{}</span></p><h1>{title}</h1><p class=\"lead\">{lead}</p><table><thead><tr>{head}</tr></thead><tbody>",
        words.language,
        words.get("brand"),
    );
    for (game, state) in games {
        row(&mut out, game, state, words);
    }
    out += "</tbody></table>";
    for note in notes {
        let _ = write!(out, "<p>{}</p>", escape(note));
    }
    out + &format!(
        "<p class=\"soft\">{}</p></main></body></html>\n",
        words.get("suggests")
    )
}

fn row(out: &mut String, game: &Game, state: &State, words: Words) {
    let name = escape(&game.name);
    let cells = match state {
        State::Waiting => format!(
            "<td>{name}</td><td></td><td></td><td></td><td class=\"soft\">{}</td>",
            words.get("batch-waiting")
        ),
        State::Failed(why) => format!(
            "<td>{name}</td><td></td><td></td><td></td><td><b class=\"failed\">{}</b></td>",
            escape(&words.with("batch-failed", &[("why", why)]))
        ),
        State::Done(done) => {
            let needs: Vec<String> = done.needs.iter().map(|n| n.told(words)).collect();
            let state = if needs.is_empty() {
                format!("<span class=\"soft\">{}</span>", words.get("batch-fine"))
            } else {
                let look = words.get("batch-look");
                format!("<b class=\"look\">{look}</b> {}", escape(&needs.join("; ")))
            };
            format!(
                "<td><a href=\"{}/report.html\">{}</a></td><td>{}</td><td>{}</td><td>{}</td><td>{state}</td>",
                link(&game.name),
                escape(&done.title),
                escape(&done.result),
                done.moves,
                done.incidents
            )
        }
    };
    let _ = write!(out, "<tr>{cells}</tr>");
}

/// A name as a part of a link.
fn link(name: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    name.bytes().fold(String::new(), |mut out, b| {
        if plain(b) {
            out.push(char::from(b));
        } else {
            let _ = write!(out, "%{b:02X}");
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Language;

    fn touch(folder: &Path, names: &[&str]) {
        for name in names {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, name).unwrap();
        }
    }

    #[test]
    fn each_video_is_a_game_and_each_folder_of_videos_one_in_parts() {
        let folder = tempfile::tempdir().unwrap();
        touch(
            folder.path(),
            &[
                "b.mp4",
                "a.MKV",
                "b.pgn",
                "notes.txt",
                "long/2.mov",
                "long/1.mov",
                "long/game.pgn",
                "empty/readme",
                "two/1.mp4",
                "two/x.pgn",
                "two/y.pgn",
            ],
        );
        let games = games(&[folder.path().to_owned()]).unwrap();
        let short = |p: &PathBuf| p.strip_prefix(folder.path()).unwrap().display().to_string();
        let told: Vec<(String, Vec<String>, Option<String>)> = games
            .iter()
            .map(|g| {
                let videos = g.videos.iter().map(short).collect();
                (g.name.clone(), videos, g.pgn.as_ref().map(short))
            })
            .collect();
        let game = |name: &str, videos: &[&str], pgn: Option<&str>| {
            let videos = videos.iter().map(|v| (*v).to_owned()).collect();
            (name.to_owned(), videos, pgn.map(str::to_owned))
        };
        assert_eq!(
            told,
            [
                game("a", &["a.MKV"], None),
                game("b", &["b.mp4"], Some("b.pgn")),
                game("long", &["long/1.mov", "long/2.mov"], Some("long/game.pgn")),
                game("two", &["two/1.mp4"], None),
            ]
        );
    }

    #[test]
    fn games_of_one_name_have_folders_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        touch(folder.path(), &["x/a.mp4", "y/A.mp4"]);
        let games = games(&[folder.path().join("x"), folder.path().join("y")]).unwrap();
        let names: Vec<&str> = games.iter().map(|g| g.name.as_str()).collect();
        assert_eq!(names, ["a", "A (2)"]);
    }

    fn found() -> Found {
        Found {
            needs: vec![Need::Incidents(2), Need::CutOff],
            title: "<A> \u{2013} B".to_owned(),
            result: "*".to_owned(),
            moves: 12,
            incidents: 2,
        }
    }

    #[test]
    fn a_game_is_done_until_anything_changes() {
        let folder = tempfile::tempdir().unwrap();
        touch(folder.path(), &["a.mp4", "a.pgn"]);
        let game = games(&[folder.path().to_owned()]).unwrap().remove(0);
        let place = |wishes: &str| Place {
            game: &game,
            folder: folder.path().to_owned(),
            wishes: String::from(wishes),
        };
        assert_eq!(place("x").done(), None);
        let done = place("x").finish(found()).unwrap();
        assert_eq!(place("x").done(), Some(done));
        assert_eq!(place("other").done(), None);
        fs::write(folder.path().join("a.pgn"), "changed").unwrap();
        assert_eq!(place("x").done(), None);
        place("x").finish(found()).unwrap();
        place("x").begin().unwrap();
        assert_eq!(place("x").done(), None);
    }

    #[test]
    fn the_page_says_what_needs_a_person() {
        let folder = tempfile::tempdir().unwrap();
        touch(folder.path(), &["a b.mp4", "c.mp4", "d.mp4"]);
        let games = games(&[folder.path().to_owned()]).unwrap();
        let place = Place {
            game: &games[0],
            folder: folder.path().to_owned(),
            wishes: String::new(),
        };
        let states = [
            State::Done(place.finish(found()).unwrap()),
            State::Failed("no <board>".to_owned()),
            State::Waiting,
        ];
        let rows: Vec<(&Game, State)> = games.iter().zip(states).collect();
        let notes = ["A board was left out: <small>.".to_owned()];
        let page = page(&rows, &notes, Words::new(Language::German));
        for text in [
            "Auswertung von 3 Partien",
            "1 Partie braucht einen Menschen. 1 konnte nicht ausgewertet werden.",
            "<a href=\"a%20b/report.html\">&lt;A&gt; \u{2013} B</a>",
            "2 Vorfälle; die Aufnahme bricht ab",
            "gescheitert: no &lt;board&gt;",
            "noch nicht ausgewertet",
            "<p>A board was left out: &lt;small&gt;.</p>",
        ] {
            assert!(page.contains(text), "{text} is not in {page}");
        }
    }
}
