//! Speed of this machine on a recording, stage by stage: what the README and the figures quote.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use serde::Serialize;
use shakmaty::Position;

use crate::{
    calibration::{lens::Lens, view::Corners},
    events::{Engine, Setup, position_from_fen},
    media,
    review::{self, ReviewError},
    rules::Edition,
    vision::runtime,
};

/// Median and 95th percentile of the times of one stage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stage {
    /// Name of the stage.
    pub stage: &'static str,
    /// Frames measured.
    pub frames: usize,
    /// Median, milliseconds.
    pub median_ms: f64,
    /// 95th percentile, milliseconds.
    pub p95_ms: f64,
}

/// What was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Width of the frames, pixels.
    pub width: u32,
    /// Their height, pixels.
    pub height: u32,
    /// Threads of one inference.
    pub threads: usize,
    /// All stages, in the order of a frame's way.
    pub stages: Vec<Stage>,
    /// Largest memory of the process so far, MiB, where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_mib: Option<f64>,
}

/// Frames that warm caches and are not counted.
const WARM_UP: usize = 10;

/// Runs over a recording as a review does, with a clock on each stage.
///
/// # Errors
/// [`ReviewError`].
pub fn bench(
    video: &Path,
    corners: Option<(Corners, Lens)>,
    start_fen: &str,
    models: &Path,
    threads: usize,
) -> Result<Report, ReviewError> {
    runtime::set_threads(threads);
    let start = position_from_fen(start_fen).map_err(ReviewError::Start)?;
    let mut calibrated = review::calibrate(video, corners, start.board(), models)?;
    let mut perception = review::prepare(&mut calibrated, start.board(), models)?;
    let mut engine = Engine::new(&Setup {
        view: calibrated.view.clone(),
        start,
        edition: Edition::Fide2023,
    });
    let (mut decoding, mut moving, mut still, mut inferring) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut source = media::open(video)?;
    let mut count = 0;
    loop {
        let begun = Instant::now();
        let Some(frame) = source.next_frame()? else {
            break;
        };
        let decoded = Instant::now();
        let seen = perception.observe(&frame.image, frame.t_ms)?;
        let observed = Instant::now();
        engine.observe(&seen);
        let done = Instant::now();
        count += 1;
        if count > WARM_UP {
            decoding.push(decoded - begun);
            let stirs = seen.moving != 0 || seen.changed != 0;
            if stirs { &mut moving } else { &mut still }.push(observed - decoded);
            inferring.push(done - observed);
        }
    }
    Ok(Report {
        width: calibrated.view.width_px,
        height: calibrated.view.height_px,
        threads,
        stages: vec![
            stage("decoding", decoding),
            stage("seeing, something moves", moving),
            stage("seeing, nothing moves", still),
            stage("contacts, moves, rules", inferring),
        ],
        peak_mib: peak_mib(),
    })
}

fn stage(name: &'static str, mut times: Vec<Duration>) -> Stage {
    times.sort();
    let at = |share: f64| {
        let index = (times.len() as f64 * share) as usize;
        let time = times.get(index.min(times.len().saturating_sub(1)));
        time.map_or(0.0, |t| (t.as_secs_f64() * 1e5).round() / 100.0)
    };
    Stage {
        stage: name,
        frames: times.len(),
        median_ms: at(0.5),
        p95_ms: at(0.95),
    }
}

/// The kernel's own high-water mark of this process.
fn peak_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some((kib / 1024.0).round())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_give_median_and_95th_percentile() {
        let times = (1..=100).rev().map(Duration::from_millis).collect();
        let got = stage("x", times);
        assert_eq!((got.frames, got.median_ms, got.p95_ms), (100, 51.0, 96.0));
        assert_eq!(stage("y", Vec::new()).median_ms, 0.0);
    }
}
