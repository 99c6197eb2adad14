#!/usr/bin/env python3
"""The way from a picture to hand landmarks, in NumPy: what README.md describes.

    reference.py PICTURE [--models ../../models] [--draw OUT.png]

Frames: image = pixels, origin at the top-left corner of the top-left pixel, x right, y down.  A region (Roi) is a turned
square of the image.  Angles in radians, clockwise as seen; 0 when the fingers point up.
"""
import argparse
import json
import pathlib
from dataclasses import dataclass

import cv2
import numpy as np
import onnxruntime

PALM_INPUT, HAND_INPUT = 192, 224
SCORE_CLIP, MIN_SCORE, MIN_IOU, MIN_PRESENCE = 100.0, 0.5, 0.3, 0.5
PALM_JOINTS = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]     # those that move least against each other


@dataclass
class Palm:
    """score 0..1; centre [2], size [2], keypoints [7,2] in image pixels."""
    score: float
    centre: np.ndarray
    size: np.ndarray
    keypoints: np.ndarray


@dataclass
class Roi:
    """centre [2] and side in image pixels; rotation in radians."""
    centre: np.ndarray
    side: float
    rotation: float


@dataclass
class Hand:
    """points [21,3]: x, y image pixels, z in the same unit, smaller is nearer; world [21,3] metres; presence, right 0..1."""
    points: np.ndarray
    world: np.ndarray
    presence: float
    right: float


def anchors() -> np.ndarray:
    """[2016,2] centres (0..1): two on each cell of 24x24, then six on each of 12x12, row by row."""
    out = []
    for cells, each in ((24, 2), (12, 6)):
        y, x = np.mgrid[:cells, :cells]
        out.append(np.repeat(np.stack([x, y], -1).reshape(-1, 2) + .5, each, axis=0) / cells)
    return np.concatenate(out)


def image_from_roi(roi: Roi, size: int) -> np.ndarray:
    """[2,3] map from continuous input pixels (0..size) to image pixels."""
    k, c, s = roi.side / size, np.cos(roi.rotation), np.sin(roi.rotation)
    m = k * np.array([[c, -s], [s, c]])
    return np.column_stack([m, roi.centre - m @ [size / 2, size / 2]])


def sample(image: np.ndarray, roi: Roi, size: int, border: int) -> np.ndarray:
    """The region of a BGR picture as [1,size,size,3] float32, RGB, 0..1.

    As MediaPipe does on the CPU: bilinear without averaging, pixel i of the input at i * side / size from the region's corner
    (no half pixel), both counted in pixel indices."""
    m = image_from_roi(roi, size)
    out = cv2.warpAffine(image, m, (size, size), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=border)
    return out[None, ..., ::-1].astype(np.float32) / 255


def whole(image: np.ndarray) -> Roi:
    """The letterbox: the smallest square around the picture."""
    h, w = image.shape[:2]
    return Roi(np.array([w / 2, h / 2]), float(max(h, w)), 0.0)


def decode(regressors: np.ndarray, classificators: np.ndarray, region: Roi) -> list[Palm]:
    """Raw outputs [2016,18], [2016,1] to palms in image pixels, unmerged, best first."""
    score = 1 / (1 + np.exp(-np.clip(classificators[:, 0].astype(np.float64), -SCORE_CLIP, SCORE_CLIP)))
    m, a = image_from_roi(region, PALM_INPUT), anchors() * PALM_INPUT
    found = []
    for i in sorted(np.flatnonzero(score >= MIN_SCORE), key=lambda i: -score[i]):
        v = regressors[i].astype(np.float64)
        points = np.vstack([v[:2], v[4:18].reshape(7, 2)]) + a[i]
        points = points @ m[:, :2].T + m[:, 2]
        found.append(Palm(score[i], points[0], v[2:4] * region.side / PALM_INPUT, points[1:]))
    return found


def iou(a: Palm, b: Palm) -> float:
    low, high = np.maximum(a.centre - a.size / 2, b.centre - b.size / 2), np.minimum(a.centre + a.size / 2, b.centre + b.size / 2)
    both = np.prod(np.maximum(high - low, 0))
    return both / max(1e-9, np.prod(a.size) + np.prod(b.size) - both)


def merge(found: list[Palm]) -> list[Palm]:
    """Weighted suppression: palms that overlap the best become their mean weighted by score; it keeps the best's score."""
    merged = []
    while found:
        best = found[0]
        same = [p for p in found if iou(p, best) > MIN_IOU] or [best]
        found = [p for p in found if not any(p is q for q in same)]
        w = np.array([p.score for p in same]) / sum(p.score for p in same)
        mean = lambda key: np.tensordot(w, np.array([getattr(p, key) for p in same]), 1)
        merged.append(Palm(best.score, mean("centre"), mean("size"), mean("keypoints")))
    return merged


def turn(wrist: np.ndarray, finger: np.ndarray) -> float:
    """Clockwise angle of the line wrist -> finger from straight up, in (-pi, pi]."""
    angle = np.pi / 2 - np.arctan2(wrist[1] - finger[1], finger[0] - wrist[0])
    return float(angle - 2 * np.pi * np.floor((angle + np.pi) / (2 * np.pi)))


def grown(centre: np.ndarray, size: np.ndarray, rotation: float, scale: float, shift_y: float) -> Roi:
    """Shifted along the hand by a part of the box's height, made square by the longer side, scaled."""
    shift = shift_y * size[1] * np.array([-np.sin(rotation), np.cos(rotation)])
    return Roi(centre + shift, float(size.max() * scale), rotation)


def roi_from_palm(palm: Palm) -> Roi:
    return grown(palm.centre, palm.size, turn(palm.keypoints[0], palm.keypoints[2]), 2.6, -0.5)


def roi_from_landmarks(points: np.ndarray) -> Roi:
    """The region for the next picture from this one's landmarks [21,>=2]."""
    p = points[:, :2]
    rotation = turn(p[0], ((p[5] + p[13]) / 2 + p[9]) / 2)
    c, s = np.cos(rotation), np.sin(rotation)
    back = np.array([[c, s], [-s, c]])                       # upright from image
    q = p[PALM_JOINTS] @ back.T
    low, high = q.min(0), q.max(0)
    return grown(back.T @ ((low + high) / 2), high - low, rotation, 2.0, -0.1)


class Hands:
    def __init__(self, models: pathlib.Path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = lambda name: onnxruntime.InferenceSession(str(models / name), options, providers=["CPUExecutionProvider"])
        self.palm, self.hand = session("palm_detection.onnx"), session("hand_landmarks.onnx")

    def palms(self, image: np.ndarray) -> list[Palm]:
        region = whole(image)
        x = sample(image, region, PALM_INPUT, cv2.BORDER_CONSTANT)
        boxes, scores = self.palm.run(["regressors", "classificators"], {"input_1": x})
        return merge(decode(boxes[0], scores[0], region))

    def landmarks(self, image: np.ndarray, roi: Roi) -> Hand:
        x = sample(image, roi, HAND_INPUT, cv2.BORDER_REPLICATE)
        points, presence, right, world = self.hand.run(["landmarks", "presence", "handedness", "world"], {"input_1": x})
        m, xyz = image_from_roi(roi, HAND_INPUT), points.reshape(21, 3).astype(np.float64)
        out = np.column_stack([xyz[:, :2] @ m[:, :2].T + m[:, 2], xyz[:, 2] * roi.side / HAND_INPUT / .4])
        c, s = np.cos(roi.rotation), np.sin(roi.rotation)
        metres = world.reshape(21, 3).astype(np.float64)
        metres[:, :2] = metres[:, :2] @ np.array([[c, s], [-s, c]])      # the world's axes turn with the region
        return Hand(out, metres, float(presence[0, 0]), float(right[0, 0]))


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("picture", type=pathlib.Path)
    args.add_argument("--models", type=pathlib.Path, default=pathlib.Path(__file__).parents[2] / "models")
    args.add_argument("--draw", type=pathlib.Path)
    a = args.parse_args()
    image, hands = cv2.imread(str(a.picture)), Hands(a.models)
    for palm in hands.palms(image):
        hand = hands.landmarks(image, roi_from_palm(palm))
        print(json.dumps(dict(palm=round(palm.score, 4), presence=round(hand.presence, 4), right=round(hand.right, 4), points=hand.points[:, :2].round(2).tolist())))
        if a.draw and hand.presence >= MIN_PRESENCE:
            for x, y in hand.points[:, :2]:
                cv2.circle(image, (round(x), round(y)), 3, (0, 255, 0), -1)
    if a.draw:
        cv2.imwrite(str(a.draw), image)


if __name__ == "__main__":
    main()
