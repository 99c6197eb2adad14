//! `adoube eval` and `adoube bench`: how well and how fast the program works.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use adoube::{
    bench,
    broadcast::game::START_FEN,
    calibration::lens::Lens,
    eval::{self, Reading, Runner, SequenceTruth, Tracked},
    media::Footage,
    read,
    record::Record,
    review::{self, Options},
    vision::runtime::models_folder,
};
use clap::Args;
use indicatif::ProgressBar;

use super::{Failure, Place};

#[derive(Args)]
pub(super) struct BenchArgs {
    /// Video file, or folder of numbered pictures
    video: PathBuf,
    #[command(flatten)]
    place: Place,
    /// Position in the first frame
    #[arg(long, value_name = "FEN", default_value = START_FEN, hide_default_value = true)]
    start: String,
    /// Threads of one inference
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
    /// As JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(super) struct EvalArgs {
    /// Folder with labelled clips and sequences
    folder: PathBuf,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn bench(args: &BenchArgs) -> Result<(), Failure> {
    let corners = args.place.corners(&args.video)?;
    let threads = usize::from(args.threads);
    let report = bench::bench(&args.video, corners, &args.start, &models_folder(), threads)?;
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
        return Ok(());
    }
    let (width, height) = (report.width, report.height);
    println!("{width}x{height}, {threads} thread(s) an inference; milliseconds a frame");
    println!("{:<26} {:>7} {:>8} {:>8}", "", "frames", "median", "95 %");
    for s in &report.stages {
        let (frames, median, p95) = (s.frames, s.median_ms, s.p95_ms);
        println!("{:<26} {frames:>7} {median:>8.2} {p95:>8.2}", s.stage);
    }
    if let Some(mib) = report.peak_mib {
        println!("largest memory: {mib} MiB");
    }
    Ok(())
}

/// The program itself, as `adoube eval` runs it.
struct Product {
    models: PathBuf,
}

impl Runner for Product {
    fn clip(&mut self, video: &Path, start_fen: &str, laws: &str) -> Result<(Record, f64), String> {
        let options = Options {
            footage: Footage::whole(&[video.to_owned()]),
            corners: None,
            lens: Lens::default(),
            clock: None,
            start_fen: start_fen.to_owned(),
            edition: laws
                .parse()
                .map_err(|e: adoube::rules::UnknownEdition| e.to_string())?,
            sound: None,
            models: self.models.clone(),
            every_frame: false,
        };
        review::review(&options, std::io::sink(), video, &mut |_| {})
            .map(|o| (o.record, o.frames_per_second))
            .map_err(|e| e.to_string())
    }

    fn sequence(
        &mut self,
        folder: &Path,
        truth: &SequenceTruth,
    ) -> Result<(Vec<Reading>, Tracked, f64), String> {
        let begun = std::time::Instant::now();
        let (readings, tracked) = read::sequence(&self.models, folder, truth)?;
        let seconds = begun.elapsed().as_secs_f64().max(1e-3);
        let speed = readings.len() as f64 / seconds;
        Ok((readings, tracked, speed))
    }
}

pub(super) fn eval(args: &EvalArgs) -> Result<(), Failure> {
    let spinner = ProgressBar::new_spinner();
    spinner.enable_steady_tick(Duration::from_millis(200));
    let mut runner = Product {
        models: models_folder(),
    };
    let report = eval::run(&args.folder, &mut runner, &mut |name| {
        spinner.set_message(name.to_owned())
    });
    spinner.finish_and_clear();
    let report = report?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{}", eval::render(&report));
    }
    Ok(())
}
