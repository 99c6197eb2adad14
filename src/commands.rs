//! The commands: each parses its arguments, calls the library and prints.

mod listen;
mod measure;
mod replay;
mod review;
mod several;
mod simulate;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use adoube::{
    broadcast::game::START_FEN,
    calibration::{
        clock::ClockPlace,
        file::{BoardFile, parse_corners},
        lens::Lens,
        picture,
        placement::{Advice, table},
        view::Corners,
    },
    doctor, media, read,
    review::{calibrate, results},
    vision::runtime::models_folder,
};
use clap::{Args, Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use opencv::{core::Vector, imgcodecs::imwrite};
use shakmaty::fen::Fen;

/// Any failure, for its one sentence.
type Failure = Box<dyn std::error::Error>;

/// Watches a chess board through a camera: moves, touches, and what the touch-move rule says.
#[derive(Parser)]
#[command(
    version,
    about,
    after_help = "Exit status: 0 done, 1 failed (the reason is printed), 2 wrong usage."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Review a recorded game: game.pgn, result.json, report.html and a log of observations
    Review(review::ReviewArgs),
    /// Find the board in a video or picture; write a board file and a picture to check it by
    Calibrate(CalibrateArgs),
    /// Read the board in a picture or in each picture of a folder: a JSON line each
    Read(ReadArgs),
    /// Make result.json again from a log of observations, by other laws or thresholds if asked
    Replay(replay::ReplayArgs),
    /// Try a microphone, or a recording: its level, and what is announced ("j'adoube") as it comes
    Listen(listen::ListenArgs),
    /// Play games and breaches before a simulated perception: false alerts an hour, missed breaches
    Simulate(simulate::SimulateArgs),
    /// Score the program on labelled clips and sequences
    Eval(measure::EvalArgs),
    /// Measure this machine's speed on a recording, stage by stage
    Bench(measure::BenchArgs),
    /// Watch boards live: a page on this machine with alerts, proof and rulings
    #[cfg(feature = "station")]
    Serve(crate::station_cli::ServeArgs),
    /// Verify a station's database, its log and the frames it kept
    #[cfg(feature = "station")]
    Check(crate::station_cli::CheckArgs),
    /// Verify a bundle of evidence that a station exported; needs no station
    #[cfg(feature = "station")]
    Verify(crate::station_cli::VerifyArgs),
    /// Tell what is installed, what is missing, and what to do about it
    Doctor,
    #[command(flatten)]
    Rules(crate::rules_cli::Command),
}

#[derive(Args, Debug)]
struct Place {
    /// Corners of the 64 squares in pixels: "a1=x,y h1=x,y h8=x,y a8=x,y"; found by itself without
    #[arg(long, conflicts_with = "board")]
    corners: Option<String>,
    /// Board file from `adoube calibrate`
    #[arg(long, value_name = "FILE")]
    board: Option<PathBuf>,
}

#[derive(Args)]
struct CalibrateArgs {
    /// Video file, picture folder or picture
    source: PathBuf,
    /// Board file to write; the picture goes beside it as .png
    #[arg(long, value_name = "FILE.toml")]
    out: PathBuf,
    /// Corners, if they are to be taken as they are
    #[arg(long)]
    corners: Option<String>,
    /// Where the clock stands: the corners of its upper side in pixels, "x,y x,y x,y x,y"
    #[arg(long, value_name = "POINTS")]
    clock: Option<ClockPlace>,
    /// Position that stands
    #[arg(long, value_name = "FEN", default_value = START_FEN, hide_default_value = true)]
    start: String,
    /// Print what was found and whether the camera's place will do as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct ReadArgs {
    /// Picture or folder of pictures
    path: PathBuf,
    #[command(flatten)]
    place: Place,
    /// Position in the first picture, which teaches this set's looks
    #[arg(long, value_name = "FEN")]
    start: Option<String>,
}

/// Parses, runs, and prints a failure as one sentence.
pub fn main() -> ExitCode {
    quieten_ffmpeg();
    let _ = opencv::core::set_num_threads(1);
    let outcome = match Cli::parse().command {
        Command::Review(args) => match review::run(&args) {
            Ok(status) => return status,
            Err(failure) => Err(failure),
        },
        Command::Calibrate(args) => calibrate_command(&args),
        Command::Read(args) => read_command(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Listen(args) => listen::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Eval(args) => measure::eval(&args),
        Command::Bench(args) => measure::bench(&args),
        #[cfg(feature = "station")]
        Command::Serve(args) => crate::station_cli::serve(args, &models_folder()),
        #[cfg(feature = "station")]
        Command::Check(args) => crate::station_cli::check_command(&args),
        #[cfg(feature = "station")]
        Command::Verify(args) => crate::station_cli::verify_command(&args),
        Command::Doctor => return doctor_command(),
        Command::Rules(command) => return command.run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("adoube: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// FFmpeg's own messages would stand between ours. OpenCV takes their level from the environment
/// alone, and to change that within a running program is not safe: the program begins anew.
#[cfg(unix)]
fn quieten_ffmpeg() {
    use std::{env, os::unix::process::CommandExt, process};
    const LEVEL: &str = "OPENCV_FFMPEG_LOGLEVEL";
    const QUIET: &str = "-8";
    if env::var_os(LEVEL).is_some() {
        return;
    }
    let mut words = env::args_os();
    let (Some(name), Ok(program)) = (words.next(), env::current_exe()) else {
        return;
    };
    // Returns only when it fails; then the messages have to be borne.
    let _ = process::Command::new(program)
        .arg0(name)
        .args(words)
        .env(LEVEL, QUIET)
        .exec();
}

#[cfg(not(unix))]
fn quieten_ffmpeg() {}

fn start_board(fen: &str) -> Result<shakmaty::Board, Failure> {
    let fen: Fen = fen
        .parse()
        .map_err(|e| format!("--start: \"{fen}\" is not a FEN: {e}"))?;
    Ok(fen.as_setup().board.clone())
}

impl Place {
    /// The corners that were given, for a source's picture size.
    fn corners(&self, source: &Path) -> Result<Option<(Corners, Lens)>, Failure> {
        if let Some(text) = &self.corners {
            return Ok(Some((parse_corners(text)?, Lens::default())));
        }
        let Some(path) = &self.board else {
            return Ok(None);
        };
        let file = BoardFile::read(path)?;
        let source = media::open(source)?;
        let info = source.info();
        let corners = file.corners_for(info.width_px, info.height_px)?;
        Ok(Some((corners, file.lens)))
    }
}

impl Place {
    /// The clock that the board file marks.
    fn clock(&self) -> Result<Option<ClockPlace>, Failure> {
        let file = self.board.as_deref().map(BoardFile::read).transpose()?;
        Ok(file.and_then(|f| f.clock))
    }
}

fn bar(total: Option<u64>) -> ProgressBar {
    let style = "{bar:30} {pos}/{len} frames, {per_sec}, {eta} left{msg}";
    let bar = match total {
        Some(total) => ProgressBar::new(total),
        None => ProgressBar::new_spinner(),
    };
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar
}

fn calibrate_command(args: &CalibrateArgs) -> Result<(), Failure> {
    let given = args.corners.as_deref().map(parse_corners).transpose()?;
    let calibrated = calibrate(
        &args.source,
        given.map(|corners| (corners, Lens::default())),
        &start_board(&args.start)?,
        &models_folder(),
    )?;
    let view = &calibrated.view;
    let name = args
        .out
        .file_stem()
        .map_or_else(|| "board".to_owned(), |n| n.to_string_lossy().into_owned());
    let doubts: Vec<String> = calibrated.doubts.iter().map(ToString::to_string).collect();
    let file = BoardFile {
        name,
        width: view.width_px,
        height: view.height_px,
        doubts: doubts.clone(),
        clock: args.clock.clone(),
        corners: view.corners,
        lens: view.lens(),
    };
    let frame = calibrated
        .frames
        .first()
        .ok_or("no picture could be read")?;
    let mut drawn = picture::draw(frame, view, &doubts)?;
    if let Some(clock) = &args.clock {
        picture::draw_clock(&mut drawn, clock)?;
    }
    results::write_whole(&args.out, file.to_toml()?.as_bytes())?;
    let picture_path = args.out.with_extension("png");
    if !imwrite(&picture_path, &drawn, &Vector::new())? {
        return Err(format!("{}: the picture cannot be written", picture_path.display()).into());
    }
    if args.json {
        let report = CalibrationReport {
            board: &file,
            elevation_deg: view.elevation_deg,
            residual_px: calibrated.residual_px,
            placement: &calibrated.advice,
        };
        println!("{}", serde_json::to_string_pretty(&report)?);
        return Ok(());
    }
    println!(
        "board: {} (seen from {:.0} degrees{})",
        args.out.display(),
        view.elevation_deg,
        calibrated
            .residual_px
            .map_or(String::new(), |r| format!(", edges fit to {r:.2} pixels"))
    );
    println!("picture: {}", picture_path.display());
    for doubt in doubts {
        println!("note: {doubt}");
    }
    if !view.lens().is_plain() {
        println!("lens: k1 = {:.3}, in the board file", view.lens().k1);
    }
    print!("camera placement:\n{}", table(&calibrated.advice));
    Ok(())
}

/// What `calibrate --json` prints.
#[derive(serde::Serialize)]
struct CalibrationReport<'a> {
    board: &'a BoardFile,
    elevation_deg: f64,
    /// None for given corners.
    residual_px: Option<f64>,
    placement: &'a [Advice],
}

fn read_command(args: &ReadArgs) -> Result<(), Failure> {
    let start = args.start.as_deref().map(start_board).transpose()?;
    let place = args.place.corners(&args.path)?;
    let mut reader = read::BoardReader::new(&models_folder(), place.map(|p| p.0), start)?
        .through(place.map_or_else(Lens::default, |p| p.1));
    let mut unread = 0_usize;
    read::read(&args.path, &mut reader, |line| {
        unread += usize::from(line.placement.is_none());
        match serde_json::to_string(&line) {
            Ok(text) => println!("{text}"),
            Err(error) => eprintln!("adoube: {error}"),
        }
    })?;
    if unread > 0 {
        return Err(format!("{unread} pictures could not be read; their lines say why").into());
    }
    Ok(())
}

fn doctor_command() -> ExitCode {
    let checks = doctor::examine(&models_folder());
    print!("{}", doctor::render(&checks));
    if checks.iter().any(|c| c.status == doctor::Status::Fail) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}
