//! Text files for programs that can read nothing else: one for each thing that an overlay shows, the
//! games as PGN. A file is replaced whole, and only when what is in it has changed.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use tokio::sync::watch;

use super::{
    gate::Released,
    report::{Outlet, Report},
};
use crate::broadcast::feed::{EventTags, OPEN};

/// Names and contents.
fn contents(released: &Released, event: &EventTags) -> BTreeMap<String, String> {
    let feed = released.feed();
    let mut files = BTreeMap::new();
    let round = feed.present_round();
    let games: Vec<String> = feed.round(round).map(|p| p.pgn(event)).collect();
    files.insert("games.pgn".to_owned(), games.join("\n"));
    for (number, _, board) in feed.boards() {
        let game = board.games.last();
        let pairing = match (game, &board.next) {
            (Some(game), next) if !game.over || next.is_none() => Some(&game.pairing),
            (_, next) => next.as_ref(),
        };
        let of = |part: fn(&crate::broadcast::feed::Players) -> &String| {
            pairing.map(part).cloned().unwrap_or_default()
        };
        let last = game.and_then(|game| {
            let ply = game.moves.len().checked_sub(1)?;
            Some(numbered(ply, &game.moves.get(ply)?.san))
        });
        let moves = game.map(|g| {
            let sans = g.moves.iter().enumerate();
            let words = sans.map(|(ply, m)| match ply % 2 {
                0 => numbered(ply, &m.san),
                _ => m.san.clone(),
            });
            words.collect::<Vec<_>>().join(" ")
        });
        let result = game.map(|g| g.result.clone()).filter(|r| r != OPEN);
        for (what, text) in [
            ("white", of(|p| &p.white)),
            ("black", of(|p| &p.black)),
            ("round", of(|p| &p.round)),
            ("last-move", last.unwrap_or_default()),
            ("moves", moves.unwrap_or_default()),
            ("result", result.unwrap_or_default()),
            ("fen", game.map(|g| g.fen.clone()).unwrap_or_default()),
        ] {
            files.insert(format!("board-{number}-{what}.txt"), text);
        }
    }
    files
}

/// `12. e4` or `12... e5`; games are numbered from where the recording of them began.
fn numbered(ply: usize, san: &str) -> String {
    let dots = if ply.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots} {san}", ply / 2 + 1)
}

fn replace(folder: &Path, name: &str, text: &str) -> io::Result<()> {
    let part = folder.join(format!(".{name}.part"));
    fs::write(&part, text)?;
    fs::rename(part, folder.join(name))
}

fn write(
    folder: &Path,
    files: &BTreeMap<String, String>,
    written: &BTreeMap<String, String>,
) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (name, text) in files {
        if written.get(name) != Some(text) {
            replace(folder, name, text)?;
        }
    }
    Ok(())
}

/// Goes on writing until the station stops.
pub(super) async fn run(
    folder: PathBuf,
    event: EventTags,
    mut released: watch::Receiver<Arc<Released>>,
    report: Arc<Report>,
    mut stop: watch::Receiver<bool>,
) {
    let mut written = BTreeMap::new();
    loop {
        let files = contents(&released.borrow_and_update(), &event);
        let (to, before) = (folder.clone(), std::mem::take(&mut written));
        let wrote = tokio::task::spawn_blocking(move || {
            let done = write(&to, &files, &before);
            (done, files)
        });
        match wrote.await {
            Ok((Ok(()), files)) => {
                written = files;
                report.done(Outlet::Files, Vec::new());
            }
            Ok((Err(error), _)) => {
                report.failed(Outlet::Files, &format!("{}: {error}", folder.display()));
            }
            Err(_) => report.failed(Outlet::Files, "the program failed on these files"),
        }
        tokio::select! {
            changed = released.changed() => if changed.is_err() { return },
            _ = stop.changed() => return,
        }
    }
}
