//! Which side is White's: a1 is dark, and the pieces of the start position stand where they should.

use opencv::core::{Mat, MatTraitConst};
use shakmaty::{Board, Color, Square};

use super::{
    finder::{SquareReader, working_grey},
    grid::{GridMap, alternation},
    lens::Lens,
    pixels::Brightness,
    refusal::Refusal,
    saddles::Grey,
    view::{BoardView, Corners, square_centre},
};

/// Certainty of the direction when the picture does not tell it.
const UNTOLD: f64 = 0.6;
/// Squares that must change colour of piece when a position is turned half round.
const LEAST_DIFFERING: usize = 8;
/// Share of pairs of a held and a free square in which the held one must look more varied; a
/// board without pieces gives a half.
const LEAST_OCCUPANCY: f64 = 0.7;

/// Turns the corners so that a1 is dark and the pieces of `start` stand where they should.
/// Returns the corners and the certainty of the direction (0.5..1).
pub(super) fn orient(
    frame: &Mat,
    corners: &Corners,
    lens: Lens,
    start: &Board,
    reader: Option<&mut dyn SquareReader>,
) -> Result<(Corners, f64), Refusal> {
    let (float, scale) = working_grey(frame).map_err(Refusal::picture)?;
    let grey = Grey::from_mat(&float).map_err(Refusal::picture)?;
    let [width, height] = grey.size_px();
    let lens_map = lens.of_picture(width, height);
    let size = (frame.cols().unsigned_abs(), frame.rows().unsigned_abs());
    let mut turns: Vec<(f64, Corners, BoardView)> = Vec::new();
    for turn in 0..4 {
        let turned = corners.turned(turn);
        let view = BoardView::through(lens, turned, size.0, size.1)
            .map_err(|_| Refusal::NoBoard { crossings: 0 })?;
        let working = Corners::from_order(turned.in_order().map(|[x, y]| [x * scale, y * scale]));
        let a1_dark =
            GridMap::new(&working, lens_map).is_some_and(|m| alternation(&grey, &m).contrast > 0.0);
        if a1_dark {
            turns.push((direction_score(&grey, &view, scale, start), turned, view));
        }
    }
    let read = reader.is_some();
    if let Some(reader) = reader {
        for (score, _, view) in &mut turns {
            let readings = reader
                .read(frame, view)
                .map_err(|why| Refusal::Picture { why })?;
            *score = agreement(&readings, start);
        }
    }
    turns.sort_by(|a, b| b.0.total_cmp(&a.0));
    let [best, second] = turns.as_slice() else {
        return Err(Refusal::NoBoard { crossings: 0 });
    };
    let certainty = 1.0 / (1.0 + (-(best.0 - second.0)).exp());
    let told = read || (telling(start) && pieces_seen(&grey, &best.2, scale, start));
    Ok((
        best.1,
        if told {
            certainty
        } else {
            certainty.min(UNTOLD)
        },
    ))
}

/// Sum of log probabilities of the start position.
fn agreement(readings: &[[f32; 13]], start: &Board) -> f64 {
    Square::ALL
        .into_iter()
        .zip(readings)
        .map(|(s, r)| {
            let index = crate::events::observation::content_index(start.piece_at(s));
            f64::from(r.get(index).copied().unwrap_or(-5.0)).max(-5.0)
        })
        .sum()
}

/// How well brightness over the squares fits the start position: white men brighten a square
/// against its empty like, black men darken it.
fn direction_score(grey: &Grey, view: &BoardView, scale: f64, start: &Board) -> f64 {
    let value = |square: Square, z: f64| {
        let [x, y] = square_centre(square);
        let p = view.project([x, y, z]);
        grey.at([p[0] * scale, p[1] * scale])
    };
    let rim = |square: Square| {
        let [x, y] = square_centre(square);
        let mut values: Vec<f64> = [[-0.4, -0.4], [0.4, -0.4], [0.4, 0.4], [-0.4, 0.4]]
            .iter()
            .map(|d| view.project([x + d[0], y + d[1], 0.0]))
            .map(|p| grey.at([p[0] * scale, p[1] * scale]))
            .collect();
        values.sort_by(f64::total_cmp);
        values.iter().skip(1).take(2).sum::<f64>() / 2.0
    };
    let mut score = 0.0;
    for square in Square::ALL {
        let raised: f64 = [0.2, 0.4, 0.6]
            .iter()
            .map(|z| value(square, *z))
            .sum::<f64>()
            / 3.0;
        let difference = (raised - rim(square)) / 20.0;
        score += match start.color_at(square) {
            Some(Color::White) => difference.clamp(-2.0, 2.0),
            Some(Color::Black) => -difference.clamp(-2.0, 2.0),
            None => -difference.abs().min(2.0),
        };
    }
    score / 4.0
}

/// Whether a position differs enough from itself turned half round for brightness to tell.
fn telling(start: &Board) -> bool {
    let differing = Square::ALL
        .into_iter()
        .filter(|s| start.color_at(*s) != start.color_at(s.rotate_180()))
        .count();
    differing >= LEAST_DIFFERING
}

/// Whether squares that should hold a piece look more varied than those that should be empty: on
/// an empty board, or in another position, differences of brightness tell only where the lamp is.
fn pieces_seen(grey: &Grey, view: &BoardView, scale: f64, start: &Board) -> bool {
    let variation = |square: Square| {
        let [x, y] = square_centre(square);
        let values: Vec<f64> = (0..25)
            .map(|k| [f64::from(k % 5 - 2) * 0.15, f64::from(k / 5 - 2) * 0.15])
            .map(|d| view.project([x + d[0], y + d[1], 0.0]))
            .map(|p| grey.at([p[0] * scale, p[1] * scale]))
            .collect();
        let mean = values.iter().sum::<f64>() / 25.0;
        values.iter().map(|v| (v - mean).powi(2)).sum::<f64>()
    };
    let (held, free): (Vec<Square>, Vec<Square>) = Square::ALL
        .into_iter()
        .partition(|s| start.piece_at(*s).is_some());
    let free: Vec<f64> = free.into_iter().map(variation).collect();
    let pairs = (held.len() * free.len()).max(1);
    let higher: usize = held
        .into_iter()
        .map(variation)
        .map(|v| free.iter().filter(|f| v > **f).count())
        .sum();
    higher as f64 >= LEAST_OCCUPANCY * pairs as f64
}
