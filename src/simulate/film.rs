//! A script filmed: frame by frame, or only where something happens.

use std::{collections::VecDeque, iter::Peekable, slice::Iter};

use shakmaty::{Board, Color, Role, Square};

use super::{
    camera::Camera,
    chance::Chance,
    noise::Noise,
    script::{Change, Place, Script, Visit},
};
use crate::{
    calibration::view::{BoardView, Corners},
    events::observation::{CONTENTS, Observation},
};

/// Frames a second.
const FPS: f64 = 30.0;
/// Where stillness is skipped, so long before something happens the camera runs, milliseconds ...
const BEFORE_MS: f64 = 300.0;
/// ... and so long after it: longer than anything in the engine waits.
const AFTER_MS: f64 = 3600.0;

/// Something that is seen and is not there.
#[derive(Debug, Clone, Copy)]
struct Ghost {
    from_ms: f64,
    to_ms: f64,
    what: Phantom,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Phantom {
    Hand { player: Color, at: Place, id: u32 },
    Motion(Square),
}

/// A script as it is filmed, observation by observation.
pub struct Film<'a> {
    camera: Camera,
    script: &'a Script,
    board: Board,
    changes: Peekable<Iter<'a, Change>>,
    ghosts: Vec<Ghost>,
    /// Frames run in these spans only, milliseconds, in order; none: all run.
    windows: Option<VecDeque<(f64, f64)>>,
    frame: u64,
    /// Corners of the board from the camera in an hour from now, less those of now, pixels.
    drift_px: [[f64; 2]; 4],
    drifted_ms: f64,
    corners: Corners,
}

/// The whole script as seen from `view`, every frame.
#[must_use]
pub fn film(script: &Script, view: &BoardView, noise: Noise, seed: u64) -> Vec<Observation> {
    Film::new(script, view, noise, seed, false).collect()
}

/// The frames in which something happens, or has not yet come to rest.
#[must_use]
pub fn film_of_motion<'a>(
    script: &'a Script,
    view: &BoardView,
    noise: Noise,
    seed: u64,
) -> Film<'a> {
    Film::new(script, view, noise, seed, true)
}

impl<'a> Film<'a> {
    /// `view` is where the program believes the board to be; it lies elsewhere by the noise.
    fn new(
        script: &'a Script,
        view: &BoardView,
        noise: Noise,
        seed: u64,
        skip_stillness: bool,
    ) -> Self {
        let mut chance = Chance::new(seed);
        let confused = (0..64 * CONTENTS)
            .map(|_| {
                let other = chance.pick(&Role::ALL).copied();
                other.filter(|_| chance.happens(noise.kinds))
            })
            .collect();
        let unit = view.square_px([4.0, 4.0]);
        let mut scatter =
            |squares: f64| [(); 4].map(|()| [(); 2].map(|()| squares * unit * chance.normal()));
        let off = scatter(noise.corners_squares);
        let drift_px = scatter(noise.drift_squares_per_hour);
        let corners = shifted(view.corners, off, 1.0);
        let real = BoardView::new(corners, view.width_px, view.height_px);
        let ghosts = ghosts(noise, script.end_ms, &mut chance);
        let windows = skip_stillness.then(|| windows(script, &ghosts));
        Self {
            camera: Camera::new(
                real.unwrap_or_else(|_| view.clone()),
                noise,
                chance,
                script.visits.len(),
                confused,
            ),
            script,
            board: shakmaty::Position::board(&script.start).clone(),
            changes: script.changes.iter().peekable(),
            ghosts,
            windows,
            frame: 0,
            drift_px,
            drifted_ms: 0.0,
            corners,
        }
    }

    /// The next frame that is filmed; none after the end.
    fn next_frame(&mut self) -> Option<u64> {
        let frames = (self.script.end_ms * FPS / 1000.0) as u64;
        if let Some(windows) = &mut self.windows {
            let now_ms = self.frame as f64 * 1000.0 / FPS;
            while windows.front().is_some_and(|w| w.1 < now_ms) {
                windows.pop_front();
            }
            let (from_ms, _) = windows.front()?;
            self.frame = self.frame.max((from_ms * FPS / 1000.0).ceil() as u64);
        }
        (self.frame < frames).then_some(self.frame)
    }

    /// Board and camera shift against each other unnoticed: looked at once a minute.
    fn drift(&mut self, t_ms: f64) {
        if self.camera.noise.drift_squares_per_hour <= 0.0 || t_ms - self.drifted_ms < 60_000.0 {
            return;
        }
        self.drifted_ms = t_ms;
        let corners = shifted(self.corners, self.drift_px, t_ms / 3_600_000.0);
        let (width, height) = (self.camera.view.width_px, self.camera.view.height_px);
        if let Ok(view) = BoardView::new(corners, width, height) {
            self.camera.look(view);
        }
    }
}

impl Iterator for Film<'_> {
    type Item = Observation;

    fn next(&mut self) -> Option<Observation> {
        let frame = self.next_frame()?;
        self.frame = frame + 1;
        let even_ms = frame as f64 * 1000.0 / FPS;
        let off = self.camera.chance.between([-1.0, 1.0]) * self.camera.noise.jitter_ms;
        let t_ms = ((even_ms + off).max(0.0) * 1000.0).round() / 1000.0;
        self.drift(t_ms);
        while let Some(change) = self.changes.next_if(|c| c.t_ms <= t_ms) {
            match change.piece {
                Some(piece) => self.board.set_piece_at(change.square, piece),
                None => {
                    self.board.discard_piece_at(change.square);
                }
            }
        }
        let ghosts = self.ghosts.iter();
        let now: Vec<Phantom> = ghosts
            .filter(|g| (g.from_ms..=g.to_ms).contains(&t_ms))
            .map(|g| g.what)
            .collect();
        Some(self.camera.see(self.script, &self.board, &now, t_ms))
    }
}

fn shifted(corners: Corners, by: [[f64; 2]; 4], times: f64) -> Corners {
    let mut all = corners.in_order();
    for (corner, by) in all.iter_mut().zip(by) {
        *corner = std::array::from_fn(|i| corner[i] + times * by[i]);
    }
    Corners::from_order(all)
}

/// Hands and motion that are not there, over the whole time.
fn ghosts(noise: Noise, end_ms: f64, chance: &mut Chance) -> Vec<Ghost> {
    let mut all = Vec::new();
    let times = |per_hour: f64, chance: &mut Chance| {
        let mut found = Vec::new();
        let mut t_ms = chance.wait(3_600_000.0 / per_hour.max(1e-9));
        while t_ms < end_ms {
            found.push(t_ms);
            t_ms += chance.wait(3_600_000.0 / per_hour.max(1e-9));
        }
        found
    };
    // Numbers that no followed hand will reach.
    for (number, from_ms) in (0..).zip(times(noise.false_hands_per_hour, chance)) {
        let player = Color::from_white(chance.happens(0.5));
        let at = [
            chance.between([0.0, 8.0]),
            chance.between([0.0, 8.0]),
            chance.between([0.5, 1.3]),
        ];
        let id = u32::MAX / 2 + number;
        all.push(Ghost {
            from_ms,
            to_ms: from_ms + chance.wait(noise.false_hand_ms),
            what: Phantom::Hand { player, at, id },
        });
    }
    for from_ms in times(noise.stray_motion_per_hour, chance) {
        let square = chance.pick(&Square::ALL).copied().unwrap_or(Square::A1);
        all.push(Ghost {
            from_ms,
            to_ms: from_ms + 100.0,
            what: Phantom::Motion(square),
        });
    }
    all
}

/// The spans in which something happens, with what comes before and after, joined where they meet.
fn windows(script: &Script, ghosts: &[Ghost]) -> VecDeque<(f64, f64)> {
    let visits = script.visits.iter().filter_map(Visit::span_ms);
    let unreal = ghosts.iter().map(|g| (g.from_ms, g.to_ms));
    let mut spans: Vec<(f64, f64)> = [(0.0, 0.0)]
        .into_iter()
        .chain(visits)
        .chain(unreal)
        .map(|(a, b)| (a - BEFORE_MS, b + AFTER_MS))
        .collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut joined: Vec<(f64, f64)> = Vec::new();
    for span in spans {
        match joined.last_mut().filter(|last| span.0 <= last.1) {
            Some(last) => last.1 = last.1.max(span.1),
            None => joined.push(span),
        }
    }
    joined.into()
}
