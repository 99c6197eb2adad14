//! Measures how the perception errs, by logs of clips beside their labels: the values of
//! `simulation/perception.toml`. Only clips that no test is scored on may be measured.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use shakmaty::{Board, Color, Piece, Role, Square};

use super::{intervals, noise::Noise, script::grip_height};
use crate::{
    calibration::view::{BoardView, square_centre},
    events::{
        Ways,
        observation::{Observation, content_index},
        position_from_fen,
    },
    record::Record,
    review::{LogError, LogReader},
};

/// A hand farther than this from the grip that it holds is another hand, squares.
const SAME_HAND: f64 = 1.5;
/// Nothing happens that long before and after what is labelled, milliseconds.
const QUIET_MS: f64 = 2000.0;
/// A square's readings count when nothing was done there for so long, milliseconds.
const SETTLED_MS: f64 = 1500.0;
/// Stray hands or motion closer together than this are one, milliseconds.
const EPISODE_MS: f64 = 500.0;
/// From frame to frame: all measured clips have 30 a second, milliseconds.
const FRAME_MS: f64 = 1000.0 / 30.0;
/// Readings more hidden than this say nothing.
const HIDDEN: f32 = 0.4;

/// Why nothing could be measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// A log.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A file of labels.
    #[error("{}: {why}", path.display())]
    Labels {
        /// Which.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// No pairs.
    #[error("{}: no NAME.zst beside a NAME.truth.json: give a folder with logs of labelled clips", .0.display())]
    Nothing(PathBuf),
}

/// A hand at a piece: where, until when, and whose.
struct Hold {
    from_ms: f64,
    to_ms: f64,
    grip_px: [f64; 2],
    unit_px: f64,
    player: Color,
}

/// Sums over all clips.
#[derive(Default)]
struct Sums {
    clips: usize,
    hours: f64,
    quiet_hours: f64,
    holds: usize,
    wrong_side: usize,
    frames_held: usize,
    frames_lost: usize,
    losses: usize,
    renumbered: usize,
    /// Mean error of each hold, squares.
    means: Vec<[f64; 2]>,
    /// Errors of two holds of one carried piece, and the time between them, milliseconds.
    pairs: Vec<([f64; 2], [f64; 2], f64)>,
    /// Changes of the error from frame to frame, squares.
    steps: Vec<f64>,
    false_hands: usize,
    stray_motion: usize,
    readings: usize,
    misread: usize,
    miscoloured: usize,
    /// For each man on its square: readings, and those of another kind.
    men: BTreeMap<(usize, usize, usize), (usize, usize)>,
    corners: Vec<f64>,
}

/// What was measured, with its grounds as comments.
pub struct Measured {
    /// The values.
    pub noise: Noise,
    sums: Sums,
}

/// Measures all pairs of `NAME.zst` and `NAME.truth.json` in a folder.
///
/// # Errors
/// [`MeasureError`].
pub fn measure(folder: &Path) -> Result<Measured, MeasureError> {
    let nothing = || MeasureError::Nothing(folder.to_owned());
    let names: BTreeSet<PathBuf> = std::fs::read_dir(folder)
        .map_err(|_| nothing())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "zst"))
        .collect();
    let mut sums = Sums::default();
    for log in names {
        let labels = log.with_extension("truth.json");
        if labels.is_file() {
            sums.clip(&log, &labels)?;
        }
    }
    if sums.clips == 0 {
        return Err(nothing());
    }
    Ok(Measured {
        noise: sums.noise(),
        sums,
    })
}

fn labels(path: &Path) -> Result<Record, MeasureError> {
    let failed = |why: String| MeasureError::Labels {
        path: path.to_owned(),
        why,
    };
    let text = std::fs::read_to_string(path).map_err(|e| failed(e.to_string()))?;
    serde_json::from_str(&text).map_err(|e| failed(e.to_string()))
}

fn role_of(letter: &str) -> Option<Piece> {
    letter.chars().next().and_then(Piece::from_char)
}

fn hold(
    view: &BoardView,
    square: &str,
    role: Role,
    player: Color,
    span: (f64, f64),
) -> Option<Hold> {
    let [x, y] = square_centre(square.parse().ok()?);
    Some(Hold {
        from_ms: span.0,
        to_ms: span.1,
        grip_px: view.project([x, y, grip_height(role)]),
        unit_px: view.square_px([x, y]).max(1.0),
        player,
    })
}

/// Each contact's time at its origin and at its target.
fn holds(view: &BoardView, truth: &Record) -> Vec<(Option<Hold>, Option<Hold>)> {
    let of = |c: &crate::record::Contact| {
        let (player, role) = (Color::from(c.player), role_of(&c.piece)?.role);
        let leaves_ms = c.lift_ms.unwrap_or(c.release_ms);
        let taken = c
            .square
            .as_deref()
            .and_then(|s| hold(view, s, role, player, (c.touch_ms, leaves_ms)));
        let put = c.place_ms.zip(c.to.as_deref());
        let put = put.and_then(|(ms, s)| hold(view, s, role, player, (ms, c.release_ms)));
        Some((taken, put))
    };
    truth.contacts.iter().filter_map(of).collect()
}

/// One hand in one frame.
struct Sighting {
    t_ms: f64,
    id: u32,
    from_white: bool,
    pinch_px: [f64; 2],
    over_board: bool,
}

impl Sums {
    fn clip(&mut self, log_path: &Path, labels_path: &Path) -> Result<(), MeasureError> {
        let truth = labels(labels_path)?;
        let mut log = LogReader::open(log_path)?;
        let header = log.header().clone();
        let failed = |why: String| MeasureError::Labels {
            path: labels_path.to_owned(),
            why,
        };
        let view = header.view().map_err(|e| failed(e.to_string()))?;
        let start = position_from_fen(&truth.start_fen).map_err(failed)?;
        let mut board = shakmaty::Position::board(&start).clone();
        let mut changes = changes(&truth);
        let mut ways = Ways::default();
        let (mut times, mut sightings, mut motion) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(seen) = log.next_frame()? {
            while let Some((_, square, piece)) = changes.pop_if(|c| c.0 <= seen.t_ms) {
                match piece {
                    Some(piece) => board.set_piece_at(square, piece),
                    None => {
                        board.discard_piece_at(square);
                    }
                }
            }
            ways.update(&seen, &view);
            times.push(seen.t_ms);
            sightings.extend(now(&ways, seen.t_ms));
            if seen.moving != 0 {
                motion.push(seen.t_ms);
            }
            self.squares(&seen, &board, &truth);
        }
        self.clips += 1;
        let frame_hours = 1.0 / truth.fps.max(1.0) / 3600.0;
        self.hours += times.len() as f64 * frame_hours;
        let quiet: Vec<f64> = times
            .iter()
            .copied()
            .filter(|t| is_quiet(*t, &truth))
            .collect();
        self.quiet_hours += quiet.len() as f64 * frame_hours;
        let stray = |at: Vec<f64>| episodes(at.into_iter().filter(|t| is_quiet(*t, &truth)));
        let hands = sightings.iter().filter(|s| s.over_board);
        self.false_hands += stray(hands.map(|s| s.t_ms).collect());
        self.stray_motion += stray(motion);
        for (taken, put) in holds(&view, &truth) {
            let first = taken.and_then(|h| Some((self.hold(&h, &times, &sightings)?, h.to_ms)));
            let then = put.and_then(|h| Some((self.hold(&h, &times, &sightings)?, h.from_ms)));
            if let (Some((a, left_ms)), Some((b, came_ms))) = (first, then) {
                self.pairs.push((a, b, came_ms - left_ms));
            }
        }
        let unit = view.square_px([4.0, 4.0]).max(1.0);
        for (a, b) in truth.corners.in_order().iter().zip(view.corners.in_order()) {
            self.corners
                .extend([(a[0] - b[0]) / unit, (a[1] - b[1]) / unit]);
        }
        Ok(())
    }

    /// The hand's mean error while it holds a piece, squares; nothing when it was never seen.
    fn hold(&mut self, hold: &Hold, times: &[f64], sightings: &[Sighting]) -> Option<[f64; 2]> {
        let mut before: Option<(u32, [f64; 2])> = None;
        let (mut errors, mut was_lost, mut wrong) = (Vec::new(), false, 0);
        let inside = times
            .iter()
            .filter(|t| (hold.from_ms..=hold.to_ms).contains(*t));
        for t_ms in inside {
            self.frames_held += 1;
            let error = |s: &Sighting| {
                [0_usize, 1].map(|i| (s.pinch_px[i] - hold.grip_px[i]) / hold.unit_px)
            };
            let nearest = sightings
                .iter()
                .filter(|s| (s.t_ms - t_ms).abs() < 1.0)
                .map(|s| (error(s), s))
                .filter(|(e, _)| e[0].hypot(e[1]) < SAME_HAND)
                .min_by(|a, b| a.0[0].hypot(a.0[1]).total_cmp(&b.0[0].hypot(b.0[1])));
            let Some((error, sighting)) = nearest else {
                self.frames_lost += 1;
                self.losses += usize::from(!was_lost);
                was_lost = true;
                continue;
            };
            wrong += usize::from(sighting.from_white != hold.player.is_white());
            if let Some((id, last)) = before {
                if was_lost {
                    self.renumbered += usize::from(id != sighting.id);
                } else {
                    self.steps.extend([error[0] - last[0], error[1] - last[1]]);
                }
            }
            was_lost = false;
            before = Some((sighting.id, error));
            errors.push(error);
        }
        if errors.is_empty() {
            return None;
        }
        self.holds += 1;
        self.wrong_side += usize::from(2 * wrong > errors.len());
        let mean = [0_usize, 1].map(|i| mean(errors.iter().map(|e| e[i])));
        self.means.push(mean);
        Some(mean)
    }

    fn squares(&mut self, seen: &Observation, board: &Board, truth: &Record) {
        for reading in seen.squares.iter().filter(|r| r.hidden <= HIDDEN) {
            let Ok(square) = Square::try_from(u32::from(reading.square)) else {
                continue;
            };
            let name = square.to_string();
            let busy = truth.contacts.iter().any(|c| {
                let there = c.square.as_deref() == Some(&name) || c.to.as_deref() == Some(&name);
                let span = c.touch_ms - SETTLED_MS..=c.release_ms + SETTLED_MS;
                there && span.contains(&seen.t_ms)
            });
            if busy {
                continue;
            }
            let want = content_index(board.piece_at(square));
            let best = (0..reading.log_p.len())
                .max_by(|a, b| reading.log_p[*a].total_cmp(&reading.log_p[*b]))
                .unwrap_or(0);
            let colour = |content: usize| content > 6;
            self.readings += 1;
            if (best == 0) != (want == 0) {
                self.misread += 1;
            } else if want != 0 && colour(best) != colour(want) {
                self.miscoloured += 1;
            } else if want != 0 {
                let key = (self.clips, square as usize, want);
                let man = self.men.entry(key).or_default();
                man.0 += 1;
                man.1 += usize::from(best != want);
            }
        }
    }

    fn noise(&self) -> Noise {
        let part = |a: usize, b: usize| a as f64 / b.max(1) as f64;
        let around = |i: usize| {
            let middle = mean(self.means.iter().map(|m| m[i]));
            self.means.iter().map(move |m| (m[i] - middle).powi(2))
        };
        let place = mean(around(0).chain(around(1))).sqrt();
        let taken_for_others = self.men.values().filter(|m| 2 * m.1 > m.0).count();
        let digits = |v: f64| (v * 1e4).round() / 1e4;
        Noise {
            kinds: digits(part(taken_for_others, self.men.len())),
            colours: digits(part(self.miscoloured, self.readings)),
            misread: digits(part(self.misread, self.readings)),
            stray_motion_per_hour: digits(self.stray_motion as f64 / self.quiet_hours.max(1e-9)),
            place_squares: digits(place),
            place_ms: self.place_ms().round(),
            shake_squares: digits(rms(&self.steps)),
            lost: digits(part(self.frames_lost, self.frames_held)),
            lost_ms: (part(self.frames_lost, self.losses) * FRAME_MS).round(),
            renumbered: digits(part(self.renumbered, self.losses)),
            wrong_side: digits(part(self.wrong_side, self.holds)),
            false_hands_per_hour: digits(self.false_hands as f64 / self.quiet_hours.max(1e-9)),
            false_hand_ms: 300.0,
            corners_squares: digits(rms(&self.corners)),
            drift_squares_per_hour: 0.0,
            jitter_ms: 0.0,
        }
    }

    /// Over how long the error of a hand's place persists: from what is left of it between taking
    /// a piece and putting it down.
    fn place_ms(&self) -> f64 {
        let middle = [0_usize, 1].map(|i| mean(self.means.iter().map(|m| m[i])));
        let product = |a: &[f64; 2], b: &[f64; 2]| {
            [0_usize, 1].map(|i| (a[i] - middle[i]) * (b[i] - middle[i]))
        };
        let together = mean(self.pairs.iter().flat_map(|p| product(&p.0, &p.1)));
        let alone = mean(self.means.iter().flat_map(|m| product(m, m)));
        let between_ms = mean(self.pairs.iter().map(|p| p.2));
        let kept = (together / alone.max(1e-9)).clamp(0.01, 0.95);
        -between_ms / kept.ln()
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_usize), |(s, n), v| (s + v, n + 1));
    sum / count.max(1) as f64
}

fn rms(values: &[f64]) -> f64 {
    mean(values.iter().map(|v| v * v)).sqrt()
}

/// What stands where from when on, the first last.
fn changes(truth: &Record) -> Vec<(f64, Square, Option<Piece>)> {
    let mut all = Vec::new();
    for c in &truth.contacts {
        let Some(piece) = role_of(&c.piece) else {
            continue;
        };
        let square = |s: &Option<String>| s.as_deref().and_then(|s| s.parse::<Square>().ok());
        all.extend(
            c.lift_ms
                .zip(square(&c.square))
                .map(|(ms, s)| (ms, s, None)),
        );
        all.extend(
            c.place_ms
                .zip(square(&c.to))
                .map(|(ms, s)| (ms, s, Some(piece))),
        );
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all
}

fn now(ways: &Ways, t_ms: f64) -> Vec<Sighting> {
    let latest = |w: &crate::events::Way| {
        let step = w.steps_since(t_ms - 1.0).last()?;
        Some(Sighting {
            t_ms: step.t_ms,
            id: w.id,
            from_white: w.from_white >= 0.0,
            pinch_px: step.pinch_px,
            over_board: step.place.iter().all(|v| (0.0..8.0).contains(v)),
        })
    };
    ways.all().iter().filter_map(latest).collect()
}

/// Whether nothing is labelled near a time.
fn is_quiet(t_ms: f64, truth: &Record) -> bool {
    let contacts = truth.contacts.iter().map(|c| (c.touch_ms, c.release_ms));
    let hovers = truth.hover.iter().map(|h| (h.from_ms, h.to_ms));
    let others = truth.disturbances.iter().map(|d| (d.from_ms, d.to_ms));
    !contacts
        .chain(hovers)
        .chain(others)
        .any(|(from, to)| (from - QUIET_MS..=to + QUIET_MS).contains(&t_ms))
}

fn episodes(times: impl Iterator<Item = f64>) -> usize {
    let (count, _) = times.fold((0, f64::NEG_INFINITY), |(count, last), t| {
        (count + usize::from(t - last > EPISODE_MS), t)
    });
    count
}

impl Measured {
    /// As `simulation/perception.toml` is written.
    ///
    /// # Errors
    /// When a value cannot be written as TOML.
    pub fn toml(&self) -> Result<String, toml::ser::Error> {
        let s = &self.sums;
        let bound = |count: usize| intervals::rate(count, s.quiet_hours).map_or(0.0, |e| e.high);
        Ok(format!(
            "# How the perception errs, measured by `adoube simulate --measure` on the logs of {} labelled\n\
             # clips, {:.1} minutes, none of which any test is scored on:\n\
             # {} times that a hand held a piece, {} frames, of these {} without a hand seen, {} times lost;\n\
             # {} readings of squares at rest, {} men on their squares; {:.1} seconds in which nothing happens,\n\
             # with {} false hands (at most {:.0} an hour, 95 %) and {} false motions (at most {:.0} an hour).\n\
             # Lengths are in squares as they appear in the picture.\n\n{}",
            s.clips,
            s.hours * 60.0,
            s.holds,
            s.frames_held,
            s.frames_lost,
            s.losses,
            s.readings,
            s.men.len(),
            s.quiet_hours * 3600.0,
            s.false_hands,
            bound(s.false_hands),
            s.stray_motion,
            bound(s.stray_motion),
            toml::to_string(&self.noise)?
        ))
    }
}
