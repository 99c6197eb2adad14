"""The camera and the crops: python -m pytest training/pieces (needs numpy, opencv)."""
import json
import pathlib

import cv2
import numpy as np
import pytest

import crops as C
from eye import find_eye

SHARED = pathlib.Path(__file__).with_name("crops.json")
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


@pytest.mark.parametrize("row", CAMERAS, ids=lambda r: r["file"])
def test_camera_from_its_eye(row):
    true = np.array(row["imageFromSpace"]); p = C.seen_from(row["corners"], C.eye_of(true))
    points = np.array([[x, y, z] for x in (0, 4, 8) for y in (0, 4, 8) for z in (0, 1.5)], float)
    assert np.abs(C.project(p, points) - C.project(true, points)).max() < .6      # the corners are rounded


@pytest.mark.parametrize("row", CAMERAS, ids=lambda r: r["file"])
def test_eye_from_leaning_pieces(row):
    """What leans as a camera has it gives that camera back, whatever was believed, though some pieces say otherwise."""
    true = C.seen_from(row["corners"], C.eye_of(np.array(row["imageFromSpace"]))); stands = np.array([4, 2, 3, 5, 6, 3, 2, 4] + [1] * 8 + [0] * 32 + [7] * 8 + [10, 8, 9, 11, 12, 9, 8, 10])

    def look(p):
        off = np.zeros((64, 2))
        for s in range(64):
            (_, _, want), (foot, unit, up) = C.lean(true, s % 8 + .5, s // 8 + .5), C.lean(p, s % 8 + .5, s // 8 + .5)
            off[s] = C.in_crop(want - up, C.box(foot, unit, up)[3])
        likely = -np.hypot(*off[stands > 0].T).mean(); off[3::11] += .5
        return stands, np.zeros(64, bool), off, likely

    eye = find_eye(look, row["corners"], C.seen_from(row["corners"], [4, 4, 20])); points = np.array([[x + .5, y + .5, 1.5] for x in (0, 7) for y in (0, 7)])
    if C.elevation(C.eye_of(true)) > 60: assert np.hypot(*(C.project(C.seen_from(row["corners"], eye), points) - C.project(true, points)).T).max() < .08 * C.square_px(true, 4, 4)
    assert find_eye(look, row["corners"], true) is None                              # what the corners tell is good enough


def test_crop_stands_on_its_square_and_holds_the_piece():
    for row in CAMERAS:
        true = np.array(row["imageFromSpace"]); p = C.seen_from(row["corners"], C.eye_of(true))
        for s in (0, 27, 63):
            x, y, side, angle = C.crop_square(p, s); foot, top = C.project(true, np.array([[s % 8 + .5, s // 8 + .5, z] for z in (0., 1.5)]))
            for point in (foot, top): assert np.abs(C.in_crop(point - [x, y], angle)).max() < side / 2
            assert abs(C.in_crop(top - foot, angle)[0]) < .02 * side and C.in_crop(top - foot, angle)[1] > 0


def test_crops_are_those_of_the_program():
    """`crops.json` is checked by `src/vision/crop.rs` as well; `python test_crops.py` writes it."""
    for row in json.loads(SHARED.read_text()): assert np.allclose(shared(row), row["crops"], atol=1e-3)


def shared(row):
    """[4,5] centre x, y, side (pixels), angle (radians), lean (squares) of the crops of a1, d4, e5 and h8."""
    p = C.seen_from(row["corners"], row["eye"]); return [[*C.crop_square(p, s), float(np.hypot(*C.lean(p, s % 8 + .5, s // 8 + .5)[2]))] for s in (0, 27, 36, 63)]


def test_crop_samples_pixel_centres():
    ramp = np.tile(np.arange(400, dtype=np.float32)[None, :, None], (400, 1, 3))
    out = C.crop(ramp, 132, 132, 64, 0)
    assert np.allclose(out[0, :, 0], np.arange(100, 164), atol=1e-3)
    wide = C.crop(ramp, 178, 178, 256, 0)                      # shrinks by 4: averaged, still the same place
    assert np.allclose(wide[32, :, 0], 50 + (np.arange(64) + .5) * 4 - .5, atol=1.0)


def test_a_turned_crop_is_upright():
    """What points up in a crop turned by a quarter points right in the image."""
    image = np.zeros((200, 200, 3), np.uint8); image[98:102, 100:130] = 255
    out = C.crop(image, 100, 100, 64, np.pi / 2)[..., 0]
    assert out[4:30, 31].min() > 200 and out[36:, :].max() < 50


def test_crop_repeats_the_border():
    grey = np.full((100, 100, 3), 77, np.uint8)
    assert (C.crop(grey, -8, 92, 64, .4) == 77).all()


if __name__ == "__main__":
    rows = [dict(width=r["width"], height=r["height"], corners=r["corners"], eye=C.eye_of(np.array(r["imageFromSpace"])).round(3).tolist()) for r in CAMERAS[::5]]
    SHARED.write_text(json.dumps([r | dict(crops=np.round(shared(r), 4).tolist()) for r in rows], indent=1) + "\n")
