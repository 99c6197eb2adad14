"""The camera and the crops: python -m pytest training/pieces (needs numpy, opencv)."""
import json
import pathlib

import cv2
import numpy as np
import pytest

import crops as C

ROOT = pathlib.Path(__file__).parents[2]
CAMERAS = json.loads(pathlib.Path(__file__).with_name("cameras.json").read_text())   # true cameras of rendered stills, written by stills.mjs


def elevation(p):
    eye = -np.linalg.solve(p[:, :3], p[:, 3])
    return np.degrees(np.arcsin((eye - [4, 4, 0])[2] / np.linalg.norm(eye - [4, 4, 0])))


@pytest.mark.parametrize("row", CAMERAS, ids=lambda r: r["file"])
def test_camera_from_corners(row):
    """The plane is exact always; a king's top is where the renderer has it when the board is seen obliquely enough to tell the
    focal length (below 75 degrees), and within half a square of it otherwise."""
    true, p = np.array(row["imageFromSpace"]), C.image_from_space(row["corners"], row["width"], row["height"])
    plane = np.array([[x, y, 0] for x in range(9) for y in range(9)], float)
    assert np.abs(C.project(p, plane) - C.project(true, plane)).max() < .5
    top = np.array([[x + .5, y + .5, 1.5] for x in range(8) for y in range(8)])
    off = np.hypot(*(C.project(p, top) - C.project(true, top)).T).max() / C.square_px(true, 4, 4)
    assert off < (.05 if elevation(true) < 75 else .5), f"{off:.3f} squares at {elevation(true):.0f} degrees"


def test_crop_contains_the_piece():
    for row in CAMERAS:
        true, p = np.array(row["imageFromSpace"]), C.image_from_space(row["corners"], row["width"], row["height"])
        for s in (0, 27, 63):
            x, y, side = C.crop_square(p, s)
            foot = C.project(true, np.array([[s % 8 + .5, s // 8 + .5, 0.]]))[0]
            assert x < foot[0] < x + side and y < foot[1] < y + side


def test_crop_samples_pixel_centres():
    ramp = np.tile(np.arange(400, dtype=np.float32)[None, :, None], (400, 1, 3))
    out = C.crop(ramp, 100, 100, 64)
    assert np.allclose(out[0, :, 0], np.arange(100, 164), atol=1e-3)
    wide = C.crop(ramp, 50, 50, 256)                           # shrinks by 4: averaged, still the same place
    assert np.allclose(wide[32, :, 0], 50 + (np.arange(64) + .5) * 4 - .5, atol=1.0)


def test_crop_repeats_the_border():
    grey = np.full((100, 100, 3), 77, np.uint8)
    assert (C.crop(grey, -40, 60, 64) == 77).all()
