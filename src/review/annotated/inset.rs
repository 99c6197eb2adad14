//! The position as a picture: the report's own drawing, turned into pixels.

use opencv::core::{CV_8UC4, Mat, MatTraitConst};
use resvg::{tiny_skia, usvg};

use super::AnnotateError;
use crate::review::report::{board_svg, plies::Ply};

/// Space around the board, share of the panel's width.
const MARGIN: f32 = 0.05;

/// Draws positions at one size.
pub struct Inset {
    width: u32,
    height: u32,
}

impl Inset {
    /// For a panel of a size, pixels.
    pub fn new(width: i32, height: i32) -> Self {
        Self {
            width: width.unsigned_abs(),
            height: height.unsigned_abs(),
        }
    }

    /// The panel with a position, BGR.
    pub fn draw(&self, ply: &Ply) -> Result<Mat, AnnotateError> {
        let failed = |why: &str| AnnotateError::Inset(why.to_owned());
        let tree = usvg::Tree::from_str(&board_svg(ply), &usvg::Options::default())
            .map_err(|e| AnnotateError::Inset(e.to_string()))?;
        let mut pixels = tiny_skia::Pixmap::new(self.width, self.height)
            .ok_or_else(|| failed("the panel has no size"))?;
        pixels.fill(tiny_skia::Color::from_rgba8(0x1b, 0x19, 0x17, 0xff));
        let margin = MARGIN * self.width as f32;
        let scale = (self.width as f32 - 2.0 * margin) / tree.size().width();
        let place = tiny_skia::Transform::from_scale(scale, scale).post_translate(margin, margin);
        resvg::render(&tree, place, &mut pixels.as_mut());
        bgr(&pixels)
    }

    /// Lower edge of the board in a panel of a width, pixels.
    pub fn below(panel: i32) -> i32 {
        (panel as f32 * (1.0 - MARGIN)) as i32
    }
}

fn bgr(pixels: &tiny_skia::Pixmap) -> Result<Mat, AnnotateError> {
    let rgba = Mat::new_rows_cols_with_bytes::<opencv::core::Vec4b>(
        pixels.height() as i32,
        pixels.width() as i32,
        pixels.data(),
    )?;
    debug_assert_eq!(rgba.typ(), CV_8UC4);
    let mut out = Mat::default();
    opencv::imgproc::cvt_color_def(&rgba, &mut out, opencv::imgproc::COLOR_RGBA2BGR)?;
    Ok(out)
}
