//! A camera over the acted board and the perception behind it: which squares move, which look
//! different, which are read and what is read of them.

use adoube::{
    calibration::view::{BoardView, Corners, square_centre},
    events::observation::{CONTENTS, HandReading, Observation, SquareReading, content_index},
    record::HandSide,
};
use nalgebra::{Matrix3, Vector3};
use proptest::{
    prelude::Rng,
    test_runner::{RngAlgorithm, TestRng},
};
use shakmaty::{Board, Piece, Role, Square};

use super::{
    hand::{Hand, Stroke, pose},
    script::{Place, Script, grip_height},
};

/// Where the camera stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    /// Between the players, 40 degrees above the board.
    SideOn,
    /// Straight above.
    Overhead,
    /// Behind White's shoulder.
    BehindWhite,
    /// Behind Black's shoulder.
    BehindBlack,
}

impl Seat {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::SideOn,
        Self::Overhead,
        Self::BehindWhite,
        Self::BehindBlack,
    ];

    /// The view from there: a camera of 60 degrees that looks at the board's centre.
    pub fn view(self) -> BoardView {
        // Turn around the board from behind White, elevation (degrees) and distance (squares).
        let (turn, elevation, distance) = match self {
            Self::SideOn => (-88.0, 40.0, 16.5),
            Self::Overhead => (-89.0, 87.0, 17.0),
            Self::BehindWhite => (12.0, 48.0, 17.0),
            Self::BehindBlack => (190.0, 44.0, 17.0),
        };
        let (width, height) = (1280_u32, 720_u32);
        let focal = f64::from(width) / 2.0 / 30_f64.to_radians().tan();
        let (turn, elevation): (f64, f64) = (f64::to_radians(turn), f64::to_radians(elevation));
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
            let p = camera * (Vector3::new(x - 4.0, y - 4.0, 0.0) - distance * towards);
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
        BoardView::new(corners, width, height).expect("a board seen from above")
    }
}

/// What goes wrong in seeing. The default is a camera that errs in nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Noise {
    /// Share of men that look like another kind for as long as they stand where they stand.
    pub kinds: f64,
    /// Share of readings of men in the wrong colour.
    pub colours: f64,
    /// Share of readings that see something else altogether.
    pub misread: f64,
    /// Landmarks shake by up to so many pixels.
    pub shake_px: f64,
    /// Frames come by up to so much early or late, milliseconds.
    pub jitter_ms: f64,
}

/// Frames a second.
const FPS: f64 = 30.0;
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

struct Camera<'a> {
    view: &'a BoardView,
    noise: Noise,
    rng: TestRng,
    volumes: Vec<Vec<[f64; 2]>>,
    memory: [Memory; 64],
    /// Number of each visit's hand while it is in view.
    ids: Vec<Option<u32>>,
    next_id: u32,
    /// For each square and content, the other kind it is taken for, if any.
    confused: Vec<Option<Role>>,
}

/// The whole script as seen from `view`.
pub fn film(script: &Script, view: &BoardView, noise: Noise, seed: u64) -> Vec<Observation> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let confused = (0..64 * CONTENTS)
        .map(|_| {
            let other = Role::ALL[(rng.next_u32() % 6) as usize];
            (share(&mut rng) < noise.kinds).then_some(other)
        })
        .collect();
    let mut camera = Camera {
        view,
        noise,
        rng,
        volumes: Square::ALL.iter().map(|s| volume(view, *s)).collect(),
        memory: [Memory {
            before: None,
            read: None,
            read_ms: f64::NEG_INFINITY,
            moved_ms: -1000.0,
            looks_left: 1,
        }; 64],
        ids: vec![None; script.visits.len()],
        next_id: 1,
        confused,
    };
    let mut board = shakmaty::Position::board(&script.start).clone();
    let mut changes = script.changes.iter().peekable();
    let frames = (script.end_ms * FPS / 1000.0) as u64;
    (0..frames)
        .map(|frame| {
            let even_ms = frame as f64 * 1000.0 / FPS;
            let off = camera.spread() * noise.jitter_ms;
            let t_ms = ((even_ms + off).max(0.0) * 1000.0).round() / 1000.0;
            while let Some(change) = changes.next_if(|c| c.t_ms <= t_ms) {
                match change.piece {
                    Some(piece) => board.set_piece_at(change.square, piece),
                    None => {
                        board.discard_piece_at(change.square);
                    }
                }
            }
            camera.see(script, &board, t_ms)
        })
        .collect()
}

/// Uniform in 0..1.
fn share(rng: &mut TestRng) -> f64 {
    f64::from(rng.next_u32()) / 4_294_967_296.0
}

/// Points all over what stands on a square, image pixels.
fn volume(view: &BoardView, square: Square) -> Vec<[f64; 2]> {
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
    base.chain(column).map(|p| view.project(p)).collect()
}

impl Camera<'_> {
    /// Uniform in -1..1.
    fn spread(&mut self) -> f64 {
        2.0 * share(&mut self.rng) - 1.0
    }

    fn see(&mut self, script: &Script, board: &Board, t_ms: f64) -> Observation {
        let mut hands = Vec::new();
        let mut covers: Vec<([i32; 2], Vec<Stroke>)> = Vec::new();
        for (index, visit) in script.visits.iter().enumerate() {
            let Some((pinch, held)) = visit.at(t_ms) else {
                self.ids[index] = None;
                continue;
            };
            let mut hand = pose(self.view, visit.player, pinch);
            hand.strokes
                .extend(held.map(|role| self.carried(pinch, role)));
            let at = hand.points[9].map(|v| v.round() as i32);
            covers.push((at, hand.strokes.clone()));
            if self.in_picture(&hand) {
                let touches = script.touches(visit.player, t_ms);
                hands.push(self.read_hand(index, &hand, pinch[2], [touches, held.is_some()]));
            } else {
                self.ids[index] = None;
            }
        }
        let (moving, changed, squares) = self.read_squares(board, &covers, t_ms);
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
        }
    }

    fn carried(&self, pinch: Place, role: Role) -> Stroke {
        let foot = [pinch[0], pinch[1], pinch[2] - grip_height(role)];
        Stroke::new(self.view, foot, pinch, 0.3)
    }

    fn in_picture(&self, hand: &Hand) -> bool {
        let [u, v] = hand.points[9];
        let (width, height) = (
            f64::from(self.view.width_px),
            f64::from(self.view.height_px),
        );
        (0.0..width).contains(&u) && (0.0..height).contains(&v)
    }

    fn read_hand(
        &mut self,
        index: usize,
        hand: &Hand,
        height: f64,
        says: [bool; 2],
    ) -> HandReading {
        let id = *self.ids[index].get_or_insert_with(|| {
            self.next_id += 1;
            self.next_id - 1
        });
        let shake = self.noise.shake_px;
        let points = hand.points.map(|point| {
            point.map(|v| {
                let off = shake * self.spread();
                (((v + off) * 10.0).round() / 10.0) as f32
            })
        });
        let [touches, lifts] = says.map(|yes| if yes { 0.95 } else { 0.05 });
        HandReading {
            id,
            side: HandSide::Right,
            presence: 0.99,
            from_white: ((hand.from_white * 100.0).round() / 100.0) as f32,
            pinch_px: std::array::from_fn(|i| (points[4][i] + points[8][i]) / 2.0),
            tips_px: [4, 8, 12, 16, 20].map(|i| points[i]),
            wrist_px: points[0],
            knuckles_px: points[9],
            height_squares: height as f32,
            aperture_squares: 0.5,
            touches,
            lifts,
        }
    }

    /// Squares that move, squares that look different from when they were read, and readings of
    /// those that are at rest and were not read as they look, or are to be looked at again.
    fn read_squares(
        &mut self,
        board: &Board,
        covers: &[([i32; 2], Vec<Stroke>)],
        t_ms: f64,
    ) -> (u64, u64, Vec<SquareReading>) {
        let (mut moving, mut changed, mut squares) = (0, 0, Vec::new());
        for square in Square::ALL {
            let bit = 1_u64 << square as u32;
            let (hidden, covered_at) = self.covered(square, covers);
            let look = Look {
                piece: board.piece_at(square),
                covered_at,
            };
            let memory = &mut self.memory[square as usize];
            if memory.before.is_some_and(|before| before != look) {
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
    fn covered(
        &self,
        square: Square,
        covers: &[([i32; 2], Vec<Stroke>)],
    ) -> (f64, Option<[i32; 2]>) {
        let points = &self.volumes[square as usize];
        let middle = points[points.len() / 2];
        let extent = points
            .iter()
            .map(|p| (p[0] - middle[0]).hypot(p[1] - middle[1]))
            .fold(0.0, f64::max);
        let mut most = (0.0, None);
        for (at, strokes) in covers {
            let near: Vec<&Stroke> = strokes.iter().filter(|s| s.hides(middle, extent)).collect();
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
        let confused = self.confused[square as usize * CONTENTS + content];
        let (chance, other) = (
            share(&mut self.rng),
            self.rng.next_u32() as usize % CONTENTS,
        );
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
                let taken_for = confused.map(|role| Piece { role, ..p });
                let index = content_index(taken_for.or(piece));
                (index, 0.3, 0.62)
            }
            None => (content, 0.0, 0.97),
        };
        let rest = (1.0_f64 - truth_p - seen_p) / CONTENTS as f64;
        let mut p = [rest; CONTENTS];
        p[content] += truth_p;
        p[seen] += seen_p;
        SquareReading {
            square: square as u8,
            hidden: if is_hidden { 0.96 } else { 0.02 },
            log_p: p.map(|v| ((v.ln() * 1000.0).round() / 1000.0) as f32),
        }
    }
}
