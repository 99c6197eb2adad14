//! MediaPipe's palm detector: finds hands in a picture, with the keypoints that give their turn.

use ndarray::Array4;
use opencv::{
    core::{CV_8UC3, Mat, MatTraitConst, MatTraitConstManual, Rect, Scalar, Size, Vec3b},
    imgproc::{INTER_AREA, INTER_LINEAR, resize},
};

use super::{
    VisionError,
    runtime::{Model, RuntimeError},
};

/// Side of the network's input, pixels.
const INPUT: usize = 192;
/// Numbers per anchor: box and seven keypoints.
const VALUES: usize = 18;
/// Least score of a palm.
const MIN_SCORE: f32 = 0.5;
/// Overlap above which two detections are one palm.
const MERGE_IOU: f64 = 0.3;

/// One palm, in image pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Palm {
    /// 0..1.
    pub score: f64,
    /// Centre of the palm's box.
    pub centre: [f64; 2],
    /// Width and height of the box.
    pub size: [f64; 2],
    /// Wrist.
    pub wrist: [f64; 2],
    /// Middle finger's knuckle.
    pub middle: [f64; 2],
}

/// The detector.
pub struct PalmDetector {
    model: Model,
    anchors: Vec<[f64; 2]>,
}

impl PalmDetector {
    /// Loads `palm_detection.onnx`.
    ///
    /// # Errors
    /// [`RuntimeError`].
    pub fn open(models: &std::path::Path) -> Result<Self, RuntimeError> {
        Ok(Self {
            model: Model::open(models, "palm_detection.onnx")?,
            anchors: anchors(),
        })
    }

    /// Palms in `region` of a BGR frame, best first.
    ///
    /// # Errors
    /// [`VisionError`].
    pub fn detect(&mut self, frame: &Mat, region: Rect) -> Result<Vec<Palm>, VisionError> {
        let (input, side, origin) = letterbox(frame, region)?;
        let mut outputs = self.model.run(&input, &OUTPUTS)?;
        let (scores, boxes) = (
            outputs.pop().unwrap_or_default(),
            outputs.pop().unwrap_or_default(),
        );
        let mut found = Vec::new();
        for ((anchor, raw), values) in self
            .anchors
            .iter()
            .zip(&scores)
            .zip(boxes.chunks_exact(VALUES))
        {
            let score = 1.0 / (1.0 + (-raw.clamp(-100.0, 100.0)).exp());
            if score < MIN_SCORE {
                continue;
            }
            // Values are in input pixels, relative to the anchor's centre.
            let point = |i: usize| {
                let x = f64::from(values[i]) / INPUT as f64 + anchor[0];
                let y = f64::from(values[i + 1]) / INPUT as f64 + anchor[1];
                [x * side + origin[0], y * side + origin[1]]
            };
            let length = |i: usize| f64::from(values[i]) / INPUT as f64 * side;
            found.push(Palm {
                score: f64::from(score),
                centre: point(0),
                size: [length(2), length(3)],
                wrist: point(4),
                middle: point(8),
            });
        }
        Ok(merge(found))
    }
}

/// Names of the two outputs: boxes with keypoints, scores.
const OUTPUTS: [&str; 2] = ["regressors", "classificators"];

/// Centres of the 2016 anchors (0..1): two on each cell of 24x24, six on each of 12x12.
fn anchors() -> Vec<[f64; 2]> {
    [(24_usize, 2_usize), (12, 6)]
        .iter()
        .flat_map(|&(cells, each)| {
            (0..cells * cells).flat_map(move |i| {
                let (x, y) = (i % cells, i / cells);
                let centre = [
                    (x as f64 + 0.5) / cells as f64,
                    (y as f64 + 0.5) / cells as f64,
                ];
                std::iter::repeat_n(centre, each)
            })
        })
        .collect()
}

/// The region as a square input `[1, 192, 192, 3]` (RGB, 0..1, black bars), the square's side and
/// its top-left corner in image pixels.
fn letterbox(frame: &Mat, region: Rect) -> Result<(Array4<f32>, f64, [f64; 2]), VisionError> {
    let region = region & Rect::new(0, 0, frame.cols(), frame.rows());
    let side = f64::from(region.width.max(region.height).max(1));
    let scale = INPUT as f64 / side;
    let size = |length: i32| ((f64::from(length) * scale).round() as i32).clamp(1, INPUT as i32);
    let (w, h) = (size(region.width), size(region.height));
    let (left, top) = ((INPUT as i32 - w) / 2, (INPUT as i32 - h) / 2);
    let mut canvas =
        Mat::new_rows_cols_with_default(INPUT as i32, INPUT as i32, CV_8UC3, Scalar::all(0.0))?;
    {
        let source = Mat::roi(frame, region)?;
        let mut target = Mat::roi_mut(&mut canvas, Rect::new(left, top, w, h))?;
        let mode = if scale < 1.0 {
            INTER_AREA
        } else {
            INTER_LINEAR
        };
        resize(&source, &mut target, Size::new(w, h), 0.0, 0.0, mode)?;
    }
    let origin = [
        f64::from(region.x) - f64::from(left) / scale,
        f64::from(region.y) - f64::from(top) / scale,
    ];
    Ok((to_rgb(&canvas)?, side, origin))
}

/// A BGR picture as `[1, height, width, 3]` RGB in 0..1.
pub(super) fn to_rgb(image: &Mat) -> Result<Array4<f32>, VisionError> {
    let (h, w) = (image.rows() as usize, image.cols() as usize);
    let pixels = image.data_typed::<Vec3b>()?;
    let values: Vec<f32> = pixels
        .iter()
        .flat_map(|p| [p[2], p[1], p[0]])
        .map(|v| f32::from(v) / 255.0)
        .collect();
    Ok(Array4::from_shape_vec((1, h, w, 3), values)?)
}

/// Weighted non-maximum suppression: detections of one palm become their score-weighted mean.
fn merge(mut found: Vec<Palm>) -> Vec<Palm> {
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut merged = Vec::new();
    while let Some(best) = found.first().cloned() {
        let (same, rest): (Vec<Palm>, Vec<Palm>) =
            found.into_iter().partition(|p| iou(p, &best) > MERGE_IOU);
        found = rest;
        let total: f64 = same.iter().map(|p| p.score).sum();
        let mean = |f: &dyn Fn(&Palm) -> [f64; 2]| {
            same.iter().fold([0.0, 0.0], |sum, p| {
                let v = f(p);
                [
                    sum[0] + v[0] * p.score / total,
                    sum[1] + v[1] * p.score / total,
                ]
            })
        };
        if total > 0.0 {
            merged.push(Palm {
                score: best.score,
                centre: mean(&|p| p.centre),
                size: mean(&|p| p.size),
                wrist: mean(&|p| p.wrist),
                middle: mean(&|p| p.middle),
            });
        }
        // The best always overlaps itself unless it has no area; drop it then.
        if same.is_empty() {
            found.retain(|p| *p != best);
        }
    }
    merged
}

fn iou(a: &Palm, b: &Palm) -> f64 {
    let overlap = |i: usize| {
        let low = (a.centre[i] - a.size[i] / 2.0).max(b.centre[i] - b.size[i] / 2.0);
        let high = (a.centre[i] + a.size[i] / 2.0).min(b.centre[i] + b.size[i] / 2.0);
        (high - low).max(0.0)
    };
    let both = overlap(0) * overlap(1);
    both / (a.size[0] * a.size[1] + b.size[0] * b.size[1] - both).max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn palm(x: f64, score: f64) -> Palm {
        Palm {
            score,
            centre: [x, 50.0],
            size: [40.0, 40.0],
            wrist: [x, 70.0],
            middle: [x, 40.0],
        }
    }

    #[test]
    fn there_are_2016_anchors_inside_the_picture() {
        let anchors = anchors();
        assert_eq!(anchors.len(), 2016);
        assert_eq!(anchors[0], [0.5 / 24.0, 0.5 / 24.0]);
        assert_eq!(anchors[2015], [11.5 / 12.0, 11.5 / 12.0]);
    }

    #[test]
    fn overlapping_detections_become_one_weighted_palm() {
        let merged = merge(vec![palm(100.0, 0.5), palm(104.0, 1.0), palm(300.0, 0.7)]);
        assert_eq!(merged.len(), 2);
        assert!((merged[0].centre[0] - 102.666).abs() < 0.01);
        assert_eq!(merged[1].centre[0], 300.0);
        let flat = Palm {
            size: [0.0, 0.0],
            ..palm(10.0, 0.9)
        };
        assert!(merge(vec![flat]).len() <= 1);
    }
}
