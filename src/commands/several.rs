//! `adoube review` of several games: a folder of recordings, or a recording of several boards.

use std::process::ExitCode;

use adoube::{
    calibration::LeftOut,
    review::{
        self,
        batch::{self, Done, Game, Place, State},
        hall::{self, Seat, Wish},
        results,
        words::Words,
    },
    vision::runtime::models_folder,
};

use super::{
    Failure,
    review::{ReviewArgs, Task, review_game},
};

/// Status of a batch in which a game needs a person.
const LOOK: u8 = 3;

/// A game, and its board where the recording shows several.
struct Item {
    game: Game,
    seat: Option<Seat>,
}

/// Reviews the games of folders.
pub(super) fn folders(args: &ReviewArgs) -> Result<ExitCode, Failure> {
    let games = batch::games(&args.videos)
        .map_err(|(path, error)| format!("{}: {error}", path.display()))?;
    if games.is_empty() {
        return Err(
            "there are no videos in this folder, and no pictures: give a folder with recordings"
                .into(),
        );
    }
    let items = games.into_iter().map(|game| Item { game, seat: None });
    let states = review_all(args, &items.collect::<Vec<_>>(), &[])?;
    Ok(status(&states))
}

/// Reviews the boards of one recording.
pub(super) fn boards(args: &ReviewArgs, wish: &Wish) -> Result<ExitCode, Failure> {
    let hall = hall::hall(&args.videos, wish)?;
    let words = Words::new(args.lang);
    let mut notes: Vec<String> = hall.left_out.iter().map(|b| told(b, words)).collect();
    let missing = match wish {
        Wish::Largest(count) => count.saturating_sub(hall.seats.len()),
        Wish::All | Wish::Marked(_) => 0,
    };
    if missing > 0 {
        notes.push(words.count("hall-fewer", missing));
    }
    println!("{} boards", hall.seats.len());
    for note in &notes {
        println!("note: {note}");
    }
    let items = hall.seats.into_iter().map(|seat| Item {
        game: Game {
            name: format!("board-{}", seat.name),
            videos: args.videos.clone(),
            pgn: seat.pgn.clone(),
        },
        seat: Some(seat),
    });
    let states = review_all(args, &items.collect::<Vec<_>>(), &notes)?;
    Ok(if missing > 0 {
        ExitCode::FAILURE
    } else {
        status(&states)
    })
}

/// What was left out, and where it is.
fn told(board: &LeftOut, words: Words) -> String {
    let points = board.corners.in_order();
    let [x, y] = [0, 1].map(|i| format!("{:.0}", points.iter().map(|p| p[i]).sum::<f64>() / 4.0));
    let why = board.why.to_string();
    words.with("hall-left-out", &[("x", &x), ("y", &y), ("why", &why)])
}

/// Reviews one game after the other, each into its folder, and keeps the page that sums up.
fn review_all(args: &ReviewArgs, items: &[Item], notes: &[String]) -> Result<Vec<State>, Failure> {
    std::fs::create_dir_all(&args.out).map_err(|e| {
        format!(
            "{}: {e}: choose a folder that can be written",
            args.out.display()
        )
    })?;
    let words = Words::new(args.lang);
    let wishes = wishes(args)?;
    let places: Vec<Place> = items
        .iter()
        .map(|item| Place {
            game: &item.game,
            folder: args.out.join(&item.game.name),
            wishes: match &item.seat {
                Some(seat) => format!("{wishes} {seat:?}"),
                None => wishes.clone(),
            },
        })
        .collect();
    let mut states: Vec<State> = places
        .iter()
        .map(|p| p.done().map_or(State::Waiting, State::Done))
        .collect();
    let page = args.out.join(batch::PAGE);
    let sum_up = |states: &[State]| {
        let games = items.iter().map(|item| &item.game);
        let rows: Vec<_> = games.zip(states.iter().cloned()).collect();
        results::write_whole(&page, batch::page(&rows, notes, words).as_bytes())
    };
    sum_up(&states)?;
    for (index, (item, place)) in items.iter().zip(&places).enumerate() {
        let name = &item.game.name;
        println!("[{}/{}] {name}", index + 1, places.len());
        if matches!(states.get(index), Some(State::Done(_))) {
            println!("done before");
            continue;
        }
        let state = match review_item(args, item, place) {
            Ok(done) => State::Done(done),
            Err(error) => {
                eprintln!("adoube: {name}: {error}");
                State::Failed(error.to_string())
            }
        };
        if let Some(slot) = states.get_mut(index) {
            *slot = state;
        }
        sum_up(&states)?;
    }
    println!("summary: {}", page.display());
    Ok(states)
}

/// What the summary comes to.
fn status(states: &[State]) -> ExitCode {
    let failed = states.iter().any(|s| !matches!(s, State::Done(_)));
    let look = |s: &State| matches!(s, State::Done(done) if !done.needs.is_empty());
    if failed {
        ExitCode::FAILURE
    } else if states.iter().any(look) {
        ExitCode::from(LOOK)
    } else {
        ExitCode::SUCCESS
    }
}

/// All that the results depend on beside the game's own files and place, in one line.
fn wishes(args: &ReviewArgs) -> Result<String, Failure> {
    let board = args.place.board.as_deref().map(std::fs::read_to_string);
    let models = review::checksums(&models_folder());
    Ok(format!(
        "{:?} {:?} {:?} {:?} {:?} {} {:?} {} {} {} {} {models:?}",
        args.place.corners,
        board.transpose()?,
        args.start,
        args.clock,
        args.laws,
        args.listen,
        args.sound_offset_ms,
        args.lang,
        args.annotate,
        args.chapters,
        args.every_frame,
    ))
}

fn review_item(args: &ReviewArgs, item: &Item, place: &Place) -> Result<Done, Failure> {
    std::fs::create_dir_all(&place.folder)?;
    place.begin()?;
    let name = match &item.seat {
        Some(seat) => Words::new(args.lang).with("hall-board", &[("name", &seat.name)]),
        None => item.game.name.clone(),
    };
    let found = review_game(
        args,
        &Task {
            name: &name,
            videos: &item.game.videos,
            seat: item.seat.as_ref(),
            pgn: item.game.pgn.as_deref(),
            out: &place.folder,
        },
    )?;
    Ok(place.finish(found)?)
}
