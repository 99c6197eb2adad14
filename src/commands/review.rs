//! `adoube review`: one game; several are in `several`.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use adoube::{
    broadcast::game::{Game, START_FEN},
    calibration::{clock::ClockPlace, lens::Lens},
    media::Footage,
    review::{
        self, Options, Outcome, Progress,
        annotated::{self, Source},
        batch::{self, Found},
        comparison::{Comparison, compare},
        hall::{Seat, Wish},
        late,
        report::Organiser,
        results::{self, Reviewed},
        standing,
        words::{self, Words},
    },
    rules::{Edition, Language},
    vision::runtime::models_folder,
};
use clap::Args;

use super::{Failure, Place, bar, several};

/// A program that waits is told of the progress every so many frames.
const PROGRESS_FRAMES: u64 = 30;

#[derive(Args, Debug)]
#[command(after_help = "\
Several files are one game in parts, in the order given. A folder that holds videos is a batch: each video \
in it is a game, each folder of videos in it is a game in parts, and NAME.pgn beside NAME.mp4 is its PGN. \
Each game gets a folder of its own in DIR, and index.html there sums up. A batch that was stopped goes on \
where it was when it is begun again; games are done anew when their files or these options change.

With --boards, a recording shows several boards. Each is looked for at the beginning and reviewed by itself \
in its own part of the picture, into board-1, board-2, ... in DIR, numbered row by row from above, each from \
the left; VIDEO-1.pgn, VIDEO-2.pgn, ... beside the recording are their PGNs. A folder of board files instead \
says which boards there are, and gives them its files' order and names. Otherwise all is as in a batch.

Exit status: 0 done, 1 failed (of a batch: at least one game), 2 wrong usage, 3 a batch is done and at \
least one of its games needs a person.")]
pub(super) struct ReviewArgs {
    /// Video file, several files of one game, folder of numbered pictures, or folders of games
    #[arg(required = true, value_name = "VIDEO")]
    pub videos: Vec<PathBuf>,
    /// Folder for the results; made if it is not there
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    pub place: Place,
    /// The recording shows several boards: review "all" that can be read, the N largest, or those of the
    /// board files in DIR
    #[arg(long, value_name = "all|N|DIR", conflicts_with_all = ["corners", "board", "pgn", "clock", "listen", "sound"])]
    boards: Option<Wish>,
    /// Position in the first frame; without, the start of chess, or with --pgn the position of its game that
    /// stands there
    #[arg(long, value_name = "FEN")]
    pub start: Option<String>,
    /// PGN of the game as it was noted: its tags are kept, and its moves compared with those found and dated
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Corners of the clock in pixels, to watch who presses it: "x,y x,y x,y x,y"; the board file's without
    #[arg(long, value_name = "POINTS")]
    pub clock: Option<ClockPlace>,
    /// Edition of the Laws
    #[arg(long, value_name = "EDITION", default_value = "fide-2023")]
    pub laws: Edition,
    /// Listen to the sound track for "j'adoube": off unless asked for
    #[arg(long)]
    pub listen: bool,
    /// Listen to this file instead of the recording's own sound track
    #[arg(long, value_name = "FILE")]
    sound: Option<PathBuf>,
    /// How much later the sound begins than the picture, milliseconds
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        default_value_t = 0.0
    )]
    pub sound_offset_ms: f64,
    /// Language of the report, chapters and captions: en or de
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    pub lang: Language,
    /// Write annotated.mp4, too: the recording with hands, contacts, position and incidents, and with chapters
    #[arg(long)]
    pub annotate: bool,
    /// Write chapters.mp4, too: the recording itself with chapters inside, copied as it is
    #[arg(long)]
    pub chapters: bool,
    /// Look at every frame, also while nothing stirs: slower, with the same result
    #[arg(long)]
    pub every_frame: bool,
    /// Print "progress FRAMES/ALL" now and then, for a program that waits
    #[arg(long, hide = true)]
    progress: bool,
}

/// One game to be reviewed.
pub(super) struct Task<'a> {
    /// What it is called where no PGN says who plays.
    pub name: &'a str,
    /// Its recording.
    pub videos: &'a [PathBuf],
    /// Its board, where the recording shows several.
    pub seat: Option<&'a Seat>,
    /// What was noted of it.
    pub pgn: Option<&'a Path>,
    /// Folder of its results.
    pub out: &'a Path,
}

/// Runs the command.
pub(super) fn run(args: &ReviewArgs) -> Result<ExitCode, Failure> {
    let folders = args.videos.iter();
    let folders = folders.filter(|p| batch::is_folder_of_games(p)).count();
    if let Some(wish) = &args.boards {
        if folders > 0 {
            return Err(
                "--boards is for one recording: give its file, or its files in their order".into(),
            );
        }
        return several::boards(args, wish);
    }
    if folders == 0 {
        let name = args.videos.first().and_then(|v| v.file_name());
        let name = name.unwrap_or_default().to_string_lossy();
        let task = Task {
            name: &name,
            videos: &args.videos,
            seat: None,
            pgn: args.pgn.as_deref(),
            out: &args.out,
        };
        review_game(args, &task)?;
        println!("report: {}", args.out.join("report.html").display());
        return Ok(ExitCode::SUCCESS);
    }
    if folders < args.videos.len() {
        return Err("give files of one game, or folders of games, not both".into());
    }
    if args.pgn.is_some() || args.sound.is_some() {
        return Err("--pgn and --sound are for one game: in a folder of games, put NAME.pgn beside NAME.mp4".into());
    }
    several::folders(args)
}

/// Reviews one game into its folder.
pub(super) fn review_game(args: &ReviewArgs, task: &Task) -> Result<Found, Failure> {
    let game = task.pgn.map(Game::open).transpose()?;
    let mut options = options(args, task)?;
    let folder = results::Folder::open(task.out)?;
    let begun = match &game {
        Some(game) => begin(args, game, &mut options)?,
        None => 0,
    };
    let outcome = look(&options, &folder, args.progress)?;
    for doubt in &outcome.doubts {
        println!("note: {doubt}");
    }
    let organiser = game
        .map(|game| organiser(game, begun, args.start.is_some(), &outcome, &folder))
        .transpose()?;
    let reviewed = Reviewed {
        footage: &options.footage,
        name: task.name,
        outcome: &outcome,
        organiser: organiser.as_ref(),
        words: Words::new(args.lang),
    };
    for complaint in folder.write(&reviewed)? {
        println!("note: {complaint}");
    }
    print_summary(&outcome);
    if let Some(organiser) = &organiser {
        if organiser.unseen > 0 {
            let words = Words::default();
            println!("note: {}", words.count("not-seen-moves", organiser.unseen));
        }
        print_comparison(&organiser.comparison);
    }
    if outcome.cut_off {
        println!("note: the recording breaks off early; what could be read was kept");
    }
    videos(args, task, &reviewed)?;
    Ok(found(&reviewed))
}

/// What the summary of a batch says of a review.
fn found(reviewed: &Reviewed) -> Found {
    let (outcome, organiser) = (reviewed.outcome, reviewed.organiser);
    let record = &outcome.record;
    let noted = organiser.and_then(|o| o.header.result.clone());
    let sign = record.result_sign.as_ref().map(|s| s.result.clone());
    Found {
        needs: batch::needs(record, organiser.map(|o| &o.comparison), outcome.cut_off),
        title: reviewed.title(),
        result: noted.or(sign).unwrap_or_else(|| "*".to_owned()),
        moves: record.moves.len(),
        incidents: words::shown(record).count(),
    }
}

/// Where the recording begins in its game: as it is given, or as the first position tells.
fn begin(args: &ReviewArgs, game: &Game, options: &mut Options) -> Result<usize, Failure> {
    let given = options.corners.map(|corners| (corners, options.lens));
    let (start_fen, begun) = match &args.start {
        Some(fen) => game.begin(Some(fen))?,
        None => game.begin_after(late::begin(&options.footage, given, game, &options.models)?),
    };
    options.start_fen = start_fen;
    Ok(begun)
}

fn options(args: &ReviewArgs, task: &Task) -> Result<Options, Failure> {
    let first = task.videos.first().ok_or("no video was given")?;
    let (place, clock) = match task.seat {
        Some(seat) => {
            let corners = seat.corners.map(|corners| (corners, Lens::default()));
            (corners, seat.clock.clone())
        }
        None => {
            let clock = match &args.clock {
                Some(given) => Some(given.clone()),
                None => args.place.clock()?,
            };
            (args.place.corners(first)?, clock)
        }
    };
    Ok(Options {
        footage: Footage {
            files: task.videos.to_vec(),
            window: task.seat.map(|seat| seat.window),
        },
        corners: place.map(|p| p.0),
        lens: place.map_or_else(Lens::default, |p| p.1),
        clock,
        start_fen: args.start.clone().unwrap_or_else(|| START_FEN.to_owned()),
        edition: args.laws,
        sound: (args.listen || args.sound.is_some()).then(|| review::Sound {
            file: args.sound.clone(),
            offset_ms: args.sound_offset_ms,
        }),
        models: models_folder(),
        every_frame: args.every_frame,
    })
}

/// The run itself, with its progress.
fn look(options: &Options, folder: &results::Folder, lines: bool) -> Result<Outcome, Failure> {
    let bar = bar(None);
    let mut report = |p: Progress| {
        if lines && p.frames.is_multiple_of(PROGRESS_FRAMES) {
            let all = p.total.map_or(String::new(), |total| format!("/{total}"));
            println!("progress {}{all}", p.frames);
        }
        if let Some(total) = p.total
            && bar.length() != Some(total)
        {
            bar.set_length(total);
        }
        bar.set_position(p.frames);
        bar.set_message(format!(", {} moves", p.moves));
    };
    let outcome = review::review(options, folder.log()?, folder.log_path(), &mut report);
    bar.finish_and_clear();
    Ok(outcome?)
}

/// The PGN beside what was found: where they differ, and which is right.
fn organiser(
    game: Game,
    begun: usize,
    given: bool,
    outcome: &Outcome,
    folder: &results::Folder,
) -> Result<Organiser, Failure> {
    let from = |unseen: usize| game.moves.get(unseen..).unwrap_or_default();
    // What followed tells at which of its times a position that came again was seen.
    let times = if given {
        vec![begun]
    } else {
        game.repeats(begun)
    };
    let differing = |unseen: &usize| compare(from(*unseen), &outcome.record).differences.len();
    let unseen = times.into_iter().min_by_key(differing).unwrap_or(begun);
    let seen = from(unseen);
    let mut comparison = compare(seen, &outcome.record);
    standing::settle(&mut comparison, seen, &outcome.record, folder.unnamed_log())?;
    Ok(Organiser {
        header: game.header,
        comparison,
        start_fen: game.start_fen,
        moves: game.moves,
        unseen,
    })
}

/// The videos that were asked for; those of an earlier run go.
fn videos(args: &ReviewArgs, task: &Task, reviewed: &Reviewed) -> Result<(), Failure> {
    let annotated = task.out.join("annotated.mp4");
    let chaptered = task.out.join("chapters.mp4");
    results::remove(&annotated)?;
    results::remove(&chaptered)?;
    if !args.annotate && !args.chapters {
        return Ok(());
    }
    let recording = reviewed
        .recording()
        .ok_or("of pictures no video can be made: leave --annotate and --chapters out")??;
    let title = reviewed.title();
    let source = Source {
        footage: reviewed.footage,
        recording: &recording,
        record: &reviewed.outcome.record,
        log: &task.out.join(results::LOG),
        title: &title,
        words: reviewed.words,
    };
    if args.chapters {
        annotated::copy_with_chapters(&source, &chaptered)?;
        println!("with chapters: {}", chaptered.display());
    }
    if args.annotate {
        let bar = bar(Some(reviewed.outcome.record.frames));
        let written = annotated::write(&source, &annotated, &mut |n| bar.set_position(n));
        bar.finish_and_clear();
        written?;
        println!("annotated: {}", annotated.display());
    }
    Ok(())
}

fn print_summary(outcome: &Outcome) {
    let (record, fps) = (&outcome.record, outcome.frames_per_second);
    let moves: Vec<&str> = record.moves.iter().map(|m| m.san.as_str()).collect();
    println!(
        "{} frames, {} looked at, {fps:.0} a second; {} moves: {}",
        record.frames,
        outcome.looked,
        moves.len(),
        moves.join(" ")
    );
    if record.listened {
        for said in &record.speech {
            println!("{}", results::speech_line(said));
        }
        if record.speech.is_empty() {
            println!("nothing was announced");
        }
    }
    for incident in &record.incidents {
        println!("{}", results::incident_line(incident));
    }
    if record.incidents.is_empty() {
        println!("no incident");
    }
}

fn print_comparison(comparison: &Comparison) {
    let words = Words::default();
    let differences = words.differences(comparison);
    for difference in &differences {
        println!("difference: {difference}");
    }
    if differences.is_empty() {
        println!("{}", words.get("same-moves"));
    }
}
