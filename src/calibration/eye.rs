//! Where the camera is, told by how pieces lean in its picture: a board seen from above looks alike
//! to many cameras, what stands on it does not.
//!
//! Seen from an eye over the board's point `foot` at a height, the point `UP_SQUARES` above a place
//! covers the board's point `place + a (place - foot)`, `a = UP / (height - UP)`: linear in what is
//! unknown.

/// Height of the point whose image tells how a piece leans, squares: about where a pawn's head ends.
pub const UP_SQUARES: f64 = 1.2;
/// Fewest pieces that tell.
const FEWEST: usize = 4;
/// Bounds of the camera's height over the board, squares; beyond, perspective is too weak to tell.
const HEIGHT_SQUARES: (f64, f64) = (6.0, 60.0);
/// Rounds of reweighting.
const ROUNDS: usize = 5;
/// Off the common lean by less than this says nothing against a piece, squares.
const LEAST_SCALE: f64 = 0.02;

/// How one piece leans.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leaning {
    /// Where it stands, board frame.
    pub place: [f64; 2],
    /// The point of the board that lies behind the point [`UP_SQUARES`] above it, board frame.
    pub behind: [f64; 2],
}

/// The eye (board frame, squares) that fits best, by least squares with weights that fall with the
/// distance from what most pieces say (Cauchy's); none where too few tell.
#[must_use]
pub fn eye_from(pieces: &[Leaning]) -> Option<[f64; 3]> {
    if pieces.len() < FEWEST {
        return None;
    }
    let lean = |p: &Leaning, i: usize| p.behind[i] - p.place[i];
    let bounds = [HEIGHT_SQUARES.1, HEIGHT_SQUARES.0].map(|z| UP_SQUARES / (z - UP_SQUARES));
    let mut weights = vec![1.0; pieces.len()];
    let mut eye = None;
    for _ in 0..ROUNDS {
        let total: f64 = weights.iter().sum();
        let mean = |of: &dyn Fn(&Leaning) -> f64| {
            let sum: f64 = pieces.iter().zip(&weights).map(|(p, w)| w * of(p)).sum();
            sum / total
        };
        let place = [0, 1].map(|i| mean(&|p| p.place[i]));
        let common = [0, 1].map(|i| mean(&|p| lean(p, i)));
        let over = |f: &dyn Fn(&Leaning, usize) -> f64| mean(&|p| f(p, 0) + f(p, 1));
        let spread = over(&|p, i| (p.place[i] - place[i]).powi(2));
        let together = over(&|p, i| (p.place[i] - place[i]) * (lean(p, i) - common[i]));
        let a = (together / spread.max(1e-9)).clamp(bounds[0], bounds[1]);
        let foot = [0, 1].map(|i| place[i] - common[i] / a);
        eye = Some([foot[0], foot[1], UP_SQUARES * (1.0 + 1.0 / a)]);
        let off = |p: &Leaning| {
            let o = [0, 1].map(|i| lean(p, i) - a * (p.place[i] - foot[i]));
            o[0].hypot(o[1])
        };
        let offs: Vec<f64> = pieces.iter().map(off).collect();
        let scale = (1.5 * median(&offs)).max(LEAST_SCALE);
        weights = offs
            .iter()
            .map(|o| 1.0 / (1.0 + (o / scale).powi(2)))
            .collect();
    }
    eye
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaning(eye: [f64; 3], place: [f64; 2]) -> Leaning {
        let a = UP_SQUARES / (eye[2] - UP_SQUARES);
        Leaning {
            place,
            behind: [0, 1].map(|i| place[i] + a * (place[i] - eye[i])),
        }
    }

    fn start() -> impl Iterator<Item = [f64; 2]> {
        [0.5, 1.5, 6.5, 7.5]
            .into_iter()
            .flat_map(|y| (0..8).map(move |x| [f64::from(x) + 0.5, y]))
    }

    #[test]
    fn the_eye_is_found_again() {
        for eye in [[4.0, 4.0, 20.0], [17.0, 2.0, 30.0], [-6.0, 11.0, 9.0]] {
            let pieces: Vec<_> = start().map(|p| leaning(eye, p)).collect();
            let found = eye_from(&pieces).unwrap();
            assert!(
                found.iter().zip(eye).all(|(f, e)| (f - e).abs() < 1e-6),
                "{found:?}"
            );
        }
    }

    #[test]
    fn some_pieces_may_be_misjudged() {
        let eye = [9.0, 3.0, 25.0];
        let mut pieces: Vec<_> = start().map(|p| leaning(eye, p)).collect();
        for (k, piece) in pieces.iter_mut().enumerate().filter(|(k, _)| k % 7 == 3) {
            piece.behind[k % 2] += 0.8;
        }
        let found = eye_from(&pieces).unwrap();
        let far = leaning(found, [4.0, 4.0]).behind[0] - leaning(eye, [4.0, 4.0]).behind[0];
        assert!(far.abs() < 0.02, "{found:?}");
    }

    #[test]
    fn a_camera_far_away_and_too_few_pieces() {
        let same = |p: [f64; 2]| Leaning {
            place: p,
            behind: [p[0] - 0.3, p[1]],
        };
        let pieces: Vec<_> = start().map(same).collect();
        let [x, y, z] = eye_from(&pieces).unwrap();
        assert!((z - HEIGHT_SQUARES.1).abs() < 1e-6);
        // Its line of sight still has the common lean.
        assert!(
            ((4.0 - x) / (z - UP_SQUARES) * UP_SQUARES + 0.3).abs() < 1e-6
                && (y - 4.0).abs() < 1e-6
        );
        assert_eq!(eye_from(&pieces[..3]), None);
    }
}
