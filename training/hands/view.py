"""The board as the hand network sees it, exactly as `src/vision/hands/view.rs`: White's side down, all corners in.

Crop frame: SIDE x SIDE pixels, origin at the top-left corner, x right, y down. The centre of the board lies at the centre of
the crop, the way from Black's side to White's points down, and the farthest corner of the board lies REACH sides from the centre.
"""
import pathlib
import sys

import cv2
import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "pieces"))
from crops import image_from_board, image_from_space, project  # noqa: E402

SIDE, REACH = 256, .46
UNIT = SIDE * REACH * 2 / (8 * 2 ** .5)      # pixels of a crop per square, board seen from straight above


def crop_from_image(corners: dict) -> np.ndarray:
    """2x3 similarity from image to crop pixels."""
    plane = lambda x, y: (lambda q: q[:2] / q[2])(image_from_board(corners) @ [x, y, 1])
    centre = plane(4, 4); down = plane(4, 0) - plane(4, 8); down /= np.linalg.norm(down)
    scale = SIDE * REACH / max(np.linalg.norm(np.array(corners[k]) - centre) for k in ("a1", "h1", "h8", "a8"))
    turn = scale * np.array([[down[1], -down[0]], [down[0], down[1]]])
    return np.column_stack([turn, SIDE / 2 - turn @ centre])


def warp(image: np.ndarray, m: np.ndarray, flags=cv2.INTER_LINEAR, border=cv2.BORDER_CONSTANT) -> np.ndarray:
    """The crop. `m` maps places, in which a pixel's centre is at .5; OpenCV's are at whole numbers."""
    return cv2.warpAffine(image, np.column_stack([m[:, :2], m[:, 2] + .5 * m[:, :2].sum(1) - .5]), (SIDE, SIDE), flags=flags, borderMode=border)


def up_in_crop(p: np.ndarray, m: np.ndarray) -> np.ndarray:
    """What one square of height at the board's centre is in the crop, in UNITs. `p` 3x4 image from space, `m` crop from image."""
    a, b = project(p, np.array([[4, 4, 0], [4, 4, 1.0]])); return m[:, :2] @ (b - a) / UNIT


__all__ = ["SIDE", "REACH", "UNIT", "crop_from_image", "warp", "up_in_crop", "image_from_space", "image_from_board", "project"]
