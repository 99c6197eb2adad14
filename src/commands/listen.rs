//! `adoube listen`: tries a microphone, or listens through a recording.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use adoube::{
    review::results,
    sound::{
        Curve, Health, Heard, Level, Microphone, Recording, SoundError, SoundSource, Spotter,
        devices, png,
    },
    vision::runtime::models_folder,
};
use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;

use super::Failure;

/// How often a plot that is still growing is written.
const PLOT_EVERY: Duration = Duration::from_secs(5);
/// How often the level is shown, milliseconds of sound.
const LEVEL_EVERY_MS: f64 = 250.0;

#[derive(Args)]
pub(super) struct ListenArgs {
    /// A microphone by its name, or a video or sound file; the system's microphone without
    #[arg(long, value_name = "DEVICE|FILE")]
    input: Option<String>,
    /// Print the names of the microphones, and nothing else
    #[arg(long)]
    devices: bool,
    /// Stop after so many seconds of sound; without at the end of a file, or with Ctrl-C
    #[arg(long, value_name = "N")]
    seconds: Option<f64>,
    /// Draw level and scores; written again every few seconds while a microphone is listened to
    #[arg(long, value_name = "PNG")]
    plot: Option<PathBuf>,
    /// Print what is heard as JSON, a line each
    #[arg(long)]
    json: bool,
}

/// One announcement as printed with `--json`.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    announcement: &'a adoube::events::Announcement,
    /// When it was known.
    known_ms: f64,
}

pub(super) fn run(args: &ListenArgs) -> Result<(), Failure> {
    if args.devices {
        let all = devices();
        all.iter().for_each(|name| println!("{name}"));
        return if all.is_empty() {
            Err(SoundError::NoMicrophone.into())
        } else {
            Ok(())
        };
    }
    let mut source = open(args.input.as_deref())?;
    let mut session = Session::new(args)?;
    let heard = session.through(source.as_mut());
    session.bar.finish_and_clear();
    session.draw()?;
    for complaint in session.health.complaints() {
        println!("note: {complaint}");
    }
    heard?;
    if session.curve.heard.is_empty() && !args.json {
        println!("nothing was announced");
    }
    Ok(())
}

/// A file if there is one of that name, else a microphone.
fn open(input: Option<&str>) -> Result<Box<dyn SoundSource>, SoundError> {
    match input {
        Some(file) if Path::new(file).exists() => Ok(Box::new(Recording::open(Path::new(file))?)),
        Some(file) if file.contains(['/', '.']) && !file.contains(':') => {
            Err(SoundError::Missing(PathBuf::from(file)))
        }
        name => Ok(Box::new(Microphone::open(name, Instant::now())?)),
    }
}

struct Session<'a> {
    args: &'a ListenArgs,
    spotter: Spotter,
    health: Health,
    curve: Curve,
    bar: ProgressBar,
    drawn: Instant,
}

impl<'a> Session<'a> {
    fn new(args: &'a ListenArgs) -> Result<Self, SoundError> {
        Ok(Self {
            args,
            spotter: Spotter::open(&models_folder())?,
            health: Health::default(),
            curve: Curve::default(),
            bar: ProgressBar::new_spinner(),
            drawn: Instant::now(),
        })
    }

    fn through(&mut self, source: &mut dyn SoundSource) -> Result<(), Failure> {
        let mut begun_ms = None;
        let mut shown_ms = f64::NEG_INFINITY;
        let mut piece = Vec::new();
        while let Some(chunk) = source.next_chunk()? {
            let begun = *begun_ms.get_or_insert(chunk.t_ms);
            self.health.take(&chunk.samples);
            piece.extend_from_slice(&chunk.samples);
            if chunk.t_ms - shown_ms >= LEVEL_EVERY_MS {
                shown_ms = chunk.t_ms;
                let level = Level::of(&piece);
                piece.clear();
                self.bar.set_message(format!(
                    "{:.1} s, level {:.0} dB, peak {:.0} dB",
                    chunk.t_ms / 1000.0,
                    level.mean_db,
                    level.peak_db
                ));
                self.bar.tick();
                self.curve.levels.push((chunk.t_ms, level.mean_db));
            }
            let (scores, heard) = self.spotter.listen(&chunk)?;
            let scores = scores.iter().map(|s| (s.t_ms, s.strength() / 2.0));
            self.curve.scores.extend(scores);
            for said in heard {
                self.tell(&said)?;
                self.curve.heard.push(said);
            }
            if self.drawn.elapsed() >= PLOT_EVERY {
                self.draw()?;
            }
            let gone_ms = chunk.t_ms - begun;
            if self.args.seconds.is_some_and(|s| gone_ms >= s * 1000.0) {
                break;
            }
        }
        Ok(())
    }

    fn tell(&self, said: &Heard) -> Result<(), Failure> {
        let line = if self.args.json {
            serde_json::to_string(&Line {
                announcement: &said.announcement,
                known_ms: said.known_ms.round(),
            })?
        } else {
            results::speech_line(&(&said.announcement).into())
        };
        self.bar.suspend(|| println!("{line}"));
        Ok(())
    }

    fn draw(&mut self) -> Result<(), Failure> {
        if let Some(path) = &self.args.plot {
            results::write_whole(path, &png(&self.curve)?)?;
        }
        self.drawn = Instant::now();
        Ok(())
    }
}
