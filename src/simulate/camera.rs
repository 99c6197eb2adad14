//! A camera over the acted board and the perception behind it: which squares move, which look
//! different, which are read, what is read of them, and where hands are seen. The perception errs
//! as [`Noise`] says.

use nalgebra::{Matrix3, Vector3};
use shakmaty::{Board, Piece, Role, Square};

use super::{
    chance::Chance,
    film::Phantom,
    hand::{Hand, Seen, Stroke, pose, reading},
    noise::Noise,
    script::{Place, Script, grip_height},
};
use crate::{
    calibration::view::{BoardView, Corners, ViewError, square_centre},
    events::observation::{CONTENTS, HandReading, Observation, SquareReading, content_index},
    record::HandSide,
};

/// Where the camera stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewpoint {
    /// Around the board, 0 behind White, 90 at the h file, degrees.
    pub turn_deg: f64,
    /// Above the board's plane, degrees.
    pub elevation_deg: f64,
    /// From the board's middle, squares.
    pub distance_squares: f64,
}

impl Viewpoint {
    /// The view from there: a camera of 60 degrees that looks at the board's centre.
    ///
    /// # Errors
    /// When the board cannot be seen from there.
    pub fn view(self) -> Result<BoardView, ViewError> {
        let (width, height) = (1280_u32, 720_u32);
        let focal = f64::from(width) / 2.0 / 30_f64.to_radians().tan();
        let (turn, elevation) = (self.turn_deg.to_radians(), self.elevation_deg.to_radians());
        let towards = Vector3::new(
            turn.sin() * elevation.cos(),
            -turn.cos() * elevation.cos(),
            elevation.sin(),
        );
        let right = Vector3::new(turn.cos(), turn.sin(), 0.0);
        let down = right.cross(&towards);
        let camera =
            Matrix3::from_rows(&[right.transpose(), down.transpose(), (-towards).transpose()]);
        let corner = |x: f64, y: f64| {
            let p =
                camera * (Vector3::new(x - 4.0, y - 4.0, 0.0) - self.distance_squares * towards);
            [
                f64::from(width) / 2.0 + focal * p.x / p.z,
                f64::from(height) / 2.0 + focal * p.y / p.z,
            ]
        };
        let corners = Corners {
            a1: corner(0.0, 0.0),
            h1: corner(8.0, 0.0),
            h8: corner(8.0, 8.0),
            a8: corner(0.0, 8.0),
        };
        BoardView::new(corners, width, height)
    }
}

/// Share of a square's volume that a hand covers for it to count as hidden.
const HIDDEN_SHARE: f64 = 0.25;
/// Share of a square's volume in which something changes for it to count as changed.
const SEEN_SHARE: f64 = 0.06;
/// A changed square is read again after these times, milliseconds.
const LOOK_AGAIN_MS: [f64; 3] = [100.0, 300.0, 900.0];
/// How a square looks: two equal looks are the same picture.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Look {
    piece: Option<Piece>,
    /// Where the hand is that covers part of it, pixels.
    covered_at: Option<[i32; 2]>,
}

/// What the perception remembers of a square.
#[derive(Debug, Clone, Copy)]
struct Memory {
    before: Option<Look>,
    read: Option<Look>,
    read_ms: f64,
    moved_ms: f64,
    looks_left: usize,
}

/// How the hand of one visit is followed.
#[derive(Debug, Clone, Copy, Default)]
struct Track {
    /// Its number while it is in view.
    id: Option<u32>,
    /// The error of its place, in standard deviations.
    off: Option<[f64; 2]>,
    seen_ms: f64,
    lost_until_ms: f64,
    wrong_side: bool,
}

/// One square's volume in the picture.
struct Volume {
    points: Vec<[f64; 2]>,
    middle: [f64; 2],
    extent: f64,
}

/// A camera and the perception behind it.
pub(super) struct Camera {
    /// What the board really looks like from there.
    pub(super) view: BoardView,
    pub(super) noise: Noise,
    pub(super) chance: Chance,
    volumes: Vec<Volume>,
    memory: [Memory; 64],
    tracks: Vec<Track>,
    next_id: u32,
    /// For each square and content, the other kind it is taken for, if any.
    confused: Vec<Option<Role>>,
}

/// All over what stands on a square.
fn volume(view: &BoardView, square: Square) -> Volume {
    let [x, y] = square_centre(square);
    let base = [-0.35, 0.0, 0.35].into_iter().flat_map(|dx| {
        [-0.35, 0.0, 0.35]
            .into_iter()
            .map(move |dy| [x + dx, y + dy, 0.0])
    });
    let column = [0.35, 0.7].into_iter().flat_map(|z| {
        [-0.2, 0.2]
            .into_iter()
            .flat_map(move |d| [[x + d, y, z], [x, y + d, z]])
    });
    let points: Vec<[f64; 2]> = base.chain(column).map(|p| view.project(p)).collect();
    let middle = view.project([x - 0.35, y + 0.35, 0.0]);
    let middle = points.get(points.len() / 2).copied().unwrap_or(middle);
    let extent = points
        .iter()
        .map(|p| (p[0] - middle[0]).hypot(p[1] - middle[1]))
        .fold(0.0, f64::max);
    Volume {
        points,
        middle,
        extent,
    }
}

/// Where a hand is that covers squares, and with what.
type Cover = ([i32; 2], Vec<Stroke>);

impl Camera {
    pub(super) fn new(
        view: BoardView,
        noise: Noise,
        chance: Chance,
        visits: usize,
        confused: Vec<Option<Role>>,
    ) -> Self {
        let mut camera = Self {
            volumes: Vec::new(),
            view: view.clone(),
            noise,
            chance,
            memory: [Memory {
                before: None,
                read: None,
                read_ms: f64::NEG_INFINITY,
                moved_ms: -1000.0,
                looks_left: 1,
            }; 64],
            tracks: vec![Track::default(); visits],
            next_id: 1,
            confused,
        };
        camera.look(view);
        camera
    }

    pub(super) fn look(&mut self, view: BoardView) {
        self.volumes = Square::ALL.iter().map(|s| volume(&view, *s)).collect();
        self.view = view;
    }

    pub(super) fn see(
        &mut self,
        script: &Script,
        board: &Board,
        ghosts: &[Phantom],
        t_ms: f64,
    ) -> Observation {
        let mut hands = Vec::new();
        let mut covers: Vec<Cover> = Vec::new();
        for (index, visit) in script.visits.iter().enumerate() {
            let Some((pinch, held)) = visit.at(t_ms) else {
                continue;
            };
            let mut hand = pose(&self.view, visit.player, pinch);
            hand.strokes
                .extend(held.map(|role| self.carried(pinch, role)));
            let at = hand.middle_px().map(|v| v.round() as i32);
            covers.push((at, hand.strokes.clone()));
            hands.extend(self.read_hand(index, &hand, visit.side, t_ms));
        }
        let mut stray = 0;
        for ghost in ghosts {
            match *ghost {
                Phantom::Motion(square) => stray |= 1_u64 << square as u32,
                Phantom::Hand { player, at, id } => {
                    let hand = pose(&self.view, player, at);
                    let shake = self.noise.shake_squares * self.view.square_px([4.0, 4.0]);
                    let chance = &mut self.chance;
                    let seen = Seen {
                        id,
                        side: HandSide::Right,
                        wrong_side: false,
                        off_px: [0.0; 2],
                        shake_px: &mut || shake * chance.normal(),
                    };
                    hands.push(reading(&hand, seen));
                }
            }
        }
        let (moving, changed, squares) = self.read_squares(board, &covers, stray, t_ms);
        Observation {
            t_ms,
            squares,
            moving,
            changed,
            altered: 0,
            learnt: 0,
            covered: 0,
            hands,
            corners: None,
            disturbed: false,
            announced: Vec::new(),
        }
    }

    fn carried(&self, pinch: Place, role: Role) -> Stroke {
        let foot = [pinch[0], pinch[1], pinch[2] - grip_height(role)];
        Stroke::new(&self.view, foot, pinch, 0.3)
    }

    fn in_picture(&self, hand: &Hand) -> bool {
        let [u, v] = hand.middle_px();
        let (width, height) = (
            f64::from(self.view.width_px),
            f64::from(self.view.height_px),
        );
        (0.0..width).contains(&u) && (0.0..height).contains(&v)
    }

    /// What is seen of a visit's hand: nothing while it is lost or out of the picture.
    fn read_hand(
        &mut self,
        visit: usize,
        hand: &Hand,
        side: HandSide,
        t_ms: f64,
    ) -> Option<HandReading> {
        let noise = self.noise;
        let inside = self.in_picture(hand);
        let unit = self.view.square_px([4.0, 4.0]);
        let chance = &mut self.chance;
        let track = self.tracks.get_mut(visit)?;
        if !inside {
            *track = Track::default();
            return None;
        }
        let first = track.off.is_none();
        let since_ms = if first { 0.0 } else { t_ms - track.seen_ms };
        track.seen_ms = t_ms;
        let before = *track
            .off
            .get_or_insert_with(|| [chance.normal(), chance.normal()]);
        if first {
            track.wrong_side = chance.happens(noise.wrong_side);
        }
        let kept = (-since_ms / noise.place_ms.max(1.0)).exp();
        let new = (1.0 - kept * kept).sqrt();
        let off = before.map(|v| kept * v + new * chance.normal());
        track.off = Some(off);
        if t_ms < track.lost_until_ms {
            return None;
        }
        // Lost and seen in turn, so that the share of the time comes out.
        let seen_ms = noise.lost_ms * (1.0 - noise.lost) / noise.lost.max(1e-9);
        if noise.lost > 0.0 && chance.happens(since_ms / seen_ms.max(1.0)) {
            track.lost_until_ms = t_ms + chance.wait(noise.lost_ms);
            if chance.happens(noise.renumbered) {
                track.id = None;
            }
            return None;
        }
        let next_id = &mut self.next_id;
        let id = *track.id.get_or_insert_with(|| {
            *next_id += 1;
            *next_id - 1
        });
        let shake = noise.shake_squares * unit;
        let seen = Seen {
            id,
            side,
            wrong_side: track.wrong_side,
            off_px: off.map(|v| v * noise.place_squares * unit),
            shake_px: &mut || shake * chance.normal(),
        };
        Some(reading(hand, seen))
    }

    /// Squares that move, squares that look different from when they were read, and readings of
    /// those that are at rest and were not read as they look, or are to be looked at again.
    fn read_squares(
        &mut self,
        board: &Board,
        covers: &[Cover],
        stray: u64,
        t_ms: f64,
    ) -> (u64, u64, Vec<SquareReading>) {
        let (mut moving, mut changed, mut squares) = (stray, 0, Vec::new());
        for square in Square::ALL {
            let bit = 1_u64 << square as u32;
            let (hidden, covered_at) = self.covered(square, covers);
            let look = Look {
                piece: board.piece_at(square),
                covered_at,
            };
            let Some(memory) = self.memory.get_mut(square as usize) else {
                continue;
            };
            if memory.before.is_some_and(|before| before != look) || stray & bit != 0 {
                memory.moved_ms = t_ms;
                moving |= bit;
            }
            memory.before = Some(look);
            let differs = memory.read.is_some_and(|read| read != look);
            if differs {
                changed |= bit;
                memory.looks_left = LOOK_AGAIN_MS.len();
            }
            let wait = LOOK_AGAIN_MS.get(LOOK_AGAIN_MS.len() - memory.looks_left);
            let again = wait.is_some_and(|w| t_ms - memory.moved_ms.max(memory.read_ms) >= *w);
            let first = memory.read.is_none();
            if t_ms - memory.moved_ms >= 25.0 && (differs || again || first) {
                if !differs {
                    memory.looks_left = memory.looks_left.saturating_sub(1);
                }
                memory.read = Some(look);
                memory.read_ms = t_ms;
                squares.push(self.read(square, look.piece, hidden));
            }
        }
        (moving, changed, squares)
    }

    /// Share of a square's volume under hands, and where the hand is that covers some of it.
    fn covered(&self, square: Square, covers: &[Cover]) -> (f64, Option<[i32; 2]>) {
        let mut most = (0.0, None);
        let Some(volume) = self.volumes.get(square as usize) else {
            return most;
        };
        let points = &volume.points;
        for (at, strokes) in covers {
            let near: Vec<&Stroke> = strokes
                .iter()
                .filter(|s| s.hides(volume.middle, volume.extent))
                .collect();
            let under = points
                .iter()
                .filter(|p| near.iter().any(|s| s.hides(**p, 0.0)));
            let share = under.count() as f64 / points.len() as f64;
            if share > SEEN_SHARE && share > most.0 {
                most = (share, Some(*at));
            }
        }
        most
    }

    fn read(&mut self, square: Square, piece: Option<Piece>, hidden: f64) -> SquareReading {
        let content = content_index(piece);
        let is_hidden = hidden > HIDDEN_SHARE;
        let confused = self.confused.get(square as usize * CONTENTS + content);
        let (chance, other) = (self.chance.share(), self.chance.below(CONTENTS));
        let noise = self.noise;
        // What is seen besides the truth, and how likely each is.
        let (seen, truth_p, seen_p) = match piece {
            // A hand before it looks like anything.
            _ if is_hidden => (other, 0.2, 0.3),
            _ if chance < noise.misread => (other, 0.1, 0.8),
            Some(p) if chance < noise.misread + noise.colours => {
                let turned = Piece {
                    color: !p.color,
                    ..p
                };
                (content_index(Some(turned)), 0.25, 0.7)
            }
            Some(p) => {
                let taken_for = confused.copied().flatten().map(|role| Piece { role, ..p });
                let index = content_index(taken_for.or(piece));
                (index, 0.3, 0.62)
            }
            None => (content, 0.0, 0.97),
        };
        let rest = (1.0_f64 - truth_p - seen_p) / CONTENTS as f64;
        let p: [f64; CONTENTS] = std::array::from_fn(|i| {
            let truth = if i == content { truth_p } else { 0.0 };
            rest + truth + if i == seen { seen_p } else { 0.0 }
        });
        SquareReading {
            square: square as u8,
            hidden: if is_hidden { 0.96 } else { 0.02 },
            log_p: p.map(|v| ((v.ln() * 1000.0).round() / 1000.0) as f32),
        }
    }
}
