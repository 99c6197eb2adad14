//! Where the camera is, where the corners do not tell: from where the network reads best what is known to
//! stand, led there by how it sees the pieces lean.

use opencv::core::Mat;
use shakmaty::{Board, Square};

use super::{
    VisionError,
    crop::Crop,
    squares::{RawReading, SquareModel},
};
use crate::{
    calibration::{
        eye::{Leaning, eye_from},
        view::{BoardView, square_centre},
    },
    events::observation::content_index,
};

/// From which elevation on the corners do not tell where the camera is, degrees.
const STEEP_DEG: f64 = 65.0;
/// Slopes of the line of sight to the board's centre from which the search sets out: straight above, and around.
const SLOPE: f64 = 0.4;
/// How many directions around.
const AROUND: u32 = 8;
/// Height from which it sets out, squares.
const HEIGHT_SQUARES: f64 = 28.0;
/// Ways that are followed to their end.
const FINALISTS: usize = 2;
/// By how much reading must be better from elsewhere for the corners not to be believed, nats a square.
const MARGIN: f32 = 0.02;
/// A square says no more against a place than this, nats: a hand may hide it.
const FLOOR: f32 = -3.0;

/// A place of the camera, and what is read from there.
#[derive(Clone)]
struct Place {
    view: BoardView,
    readings: Vec<RawReading>,
    /// Mean log likelihood of what stands, nats a square.
    fit: f32,
}

impl SquareModel {
    /// The view with the camera where the pieces of a frame (BGR, of the view's size) tell that it is; the
    /// view itself where the corners tell, or nearly as well. In a part of a picture the camera's optical
    /// centre may lie anywhere, so that there the pieces are always asked.
    ///
    /// # Errors
    /// [`VisionError`].
    pub fn find_eye(
        &mut self,
        frame: &Mat,
        view: &BoardView,
        stands: &Board,
        part: bool,
    ) -> Result<BoardView, VisionError> {
        if !part && view.elevation_deg < STEEP_DEG {
            return Ok(view.clone());
        }
        let told = self.place(frame, view.clone(), stands)?;
        let mut best = vec![self.lead(frame, &told, stands)?];
        for eye in outset() {
            let from = self.place(frame, view.seen_from(eye)?, stands)?;
            best.push(self.lead(frame, &from, stands)?);
        }
        best.sort_by(|a, b| b.fit.total_cmp(&a.fit));
        best.truncate(FINALISTS);
        for place in &mut best {
            for _ in 0..2 {
                *place = self.lead(frame, place, stands)?;
            }
        }
        let best = best.into_iter().max_by(|a, b| a.fit.total_cmp(&b.fit));
        Ok(best
            .filter(|p| p.fit > told.fit + MARGIN)
            .map_or(told.view, |p| p.view))
    }

    fn place(
        &mut self,
        frame: &Mat,
        view: BoardView,
        stands: &Board,
    ) -> Result<Place, VisionError> {
        let readings = self.read(frame, &view, &Square::ALL, 1.0)?;
        let fit = Square::ALL
            .into_iter()
            .zip(&readings)
            .map(|(s, r)| r.log_p(content_index(stands.piece_at(s))).max(FLOOR));
        let fit = fit.sum::<f32>() / Square::ALL.len() as f32;
        Ok(Place {
            view,
            readings,
            fit,
        })
    }

    /// The place to which the pieces lead on from a place, or that one where it is read better from there.
    fn lead(&mut self, frame: &Mat, from: &Place, stands: &Board) -> Result<Place, VisionError> {
        let pieces: Vec<Leaning> = Square::ALL
            .into_iter()
            .zip(&from.readings)
            .filter(|(s, r)| stands.piece_at(*s).is_some() && r.hidden_logit < 0.0)
            .map(|(s, r)| Leaning {
                place: square_centre(s),
                behind: from
                    .view
                    .board_point(Crop::of(&from.view, s).true_top_px(r.lean)),
            })
            .collect();
        let Some(eye) = eye_from(&pieces) else {
            return Ok(from.clone());
        };
        let led = self.place(frame, from.view.seen_from(eye)?, stands)?;
        Ok(if led.fit > from.fit {
            led
        } else {
            from.clone()
        })
    }
}

/// Eyes from which the search sets out besides the one that the corners tell.
fn outset() -> impl Iterator<Item = [f64; 3]> {
    let around = (0..AROUND).map(|k| {
        let turn = f64::from(k) * std::f64::consts::TAU / f64::from(AROUND);
        [SLOPE * turn.cos(), SLOPE * turn.sin()]
    });
    std::iter::once([0.0, 0.0]).chain(around).map(|[x, y]| {
        [
            4.0 - x * HEIGHT_SQUARES,
            4.0 - y * HEIGHT_SQUARES,
            HEIGHT_SQUARES,
        ]
    })
}

impl RawReading {
    /// Log probability of one content by the network alone, nats.
    fn log_p(&self, content: usize) -> f32 {
        let top = self
            .logits
            .iter()
            .copied()
            .fold(f32::NEG_INFINITY, f32::max);
        let total: f32 = self.logits.iter().map(|l| (l - top).exp()).sum();
        self.logits.get(content).copied().unwrap_or(top) - top - total.ln()
    }
}
