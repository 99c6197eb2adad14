//! A part of a picture: what is looked at for one board of several, as if it were all there is.

use serde::{Deserialize, Serialize};

use super::view::Corners;

/// Space around a board in which hands, arms and what stands on it are seen, shares of the size of
/// its bounds.
const AROUND: f64 = 0.6;

/// A rectangle of a picture, whole pixels. Its sides lie on even columns and rows, so that the same
/// part can be cut from a video whose colours have half as many pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// First column.
    pub left: u32,
    /// First row.
    pub top: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// Left, top, right and bottom, pixels.
type Bounds = [f64; 4];

fn bounds(corners: &Corners) -> Bounds {
    let points = corners.in_order();
    let least = |i: usize| points.iter().fold(f64::INFINITY, |a, p| a.min(p[i]));
    let most = |i: usize| points.iter().fold(f64::NEG_INFINITY, |a, p| a.max(p[i]));
    [least(0), least(1), most(0), most(1)]
}

impl Window {
    /// The part around a board in a picture of `size_px`: at most to halfway to each of the other
    /// boards, so that nobody else's hands are seen.
    #[must_use]
    pub fn around(board: &Corners, others: &[Corners], size_px: (u32, u32)) -> Self {
        let own = bounds(board);
        let reach = AROUND * (own[2] - own[0]).max(own[3] - own[1]);
        let mut part = [
            own[0] - reach,
            own[1] - reach,
            own[2] + reach,
            own[3] + reach,
        ];
        for other in others.iter().map(bounds) {
            // How far the other one begins beyond each side; it lies on the side where that is most.
            let gaps = [
                own[0] - other[2],
                own[1] - other[3],
                other[0] - own[2],
                other[1] - own[3],
            ];
            let side = (0..4).max_by(|a, b| gaps[*a].total_cmp(&gaps[*b]));
            let side = side.unwrap_or_default();
            let half = gaps[side].max(0.0) / 2.0;
            part[side] = if side < 2 {
                part[side].max(own[side] - half)
            } else {
                part[side].min(own[side] + half)
            };
        }
        Self::within(part, size_px)
    }

    /// Whole, even pixels of the picture.
    fn within([left, top, right, bottom]: Bounds, (width, height): (u32, u32)) -> Self {
        let span = |from: f64, to: f64, size: u32| {
            let even = |v: f64| (v.clamp(0.0, f64::from(size)) as u32) & !1;
            let from = even(from.floor());
            (from, even(to.ceil()).saturating_sub(from))
        };
        let ((left, width), (top, height)) = (span(left, right, width), span(top, bottom, height));
        Self {
            left,
            top,
            width,
            height,
        }
    }

    /// A point of the picture as a point of this part, pixels.
    #[must_use]
    pub fn point(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [x - f64::from(self.left), y - f64::from(self.top)]
    }

    /// Corners in the picture as corners in this part, pixels.
    #[must_use]
    pub fn corners(&self, corners: &Corners) -> Corners {
        Corners::from_order(corners.in_order().map(|p| self.point(p)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(left: f64, top: f64, side: f64) -> Corners {
        let (right, bottom) = (left + side, top + side);
        Corners::from_order([[left, bottom], [right, bottom], [right, top], [left, top]])
    }

    #[test]
    fn alone_a_board_has_room_on_all_sides() {
        let board = square(300.0, 200.0, 100.0);
        let part = Window::around(&board, &[], (1000, 290));
        let want = Window {
            left: 240,
            top: 140,
            width: 220,
            height: 150,
        };
        assert_eq!(part, want);
        assert_eq!(part.corners(&board), square(60.0, 60.0, 100.0));
    }

    #[test]
    fn beside_others_it_ends_halfway_to_them() {
        let board = square(100.0, 100.0, 100.0);
        let others = [square(241.0, 110.0, 90.0), square(95.0, 220.0, 100.0)];
        let part = Window::around(&board, &others, (1000, 1000));
        assert_eq!((part.left, part.top), (40, 40));
        assert_eq!((part.left + part.width, part.top + part.height), (220, 210));
    }
}
