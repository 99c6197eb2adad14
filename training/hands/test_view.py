"""The crop against closed forms, and against the numbers that `src/vision/arms.rs` is held to."""
import json
import pathlib

import numpy as np
import pytest

from view import REACH, SIDE, UNIT, crop_from_image, image_from_space, up_in_crop, warp

VIEWS = json.loads((pathlib.Path(__file__).parent / "views.json").read_text())
FLAT = dict(a1=[120, 400], h1=[460, 400], h8=[460, 60], a8=[120, 60])


def test_seen_from_above_the_crop_is_a_known_similarity():
    m = crop_from_image(FLAT); scale = SIDE * REACH / (170 * 2 ** .5)
    assert np.allclose(m, [[scale, 0, SIDE / 2 - scale * 290], [0, scale, SIDE / 2 - scale * 230]]); assert np.isclose(scale * 340 / 8, UNIT)


@pytest.mark.parametrize("turn", range(4))
def test_whites_side_is_down_however_the_board_lies(turn):
    names = ["a1", "h1", "h8", "a8"]; corners = {names[(i + turn) % 4]: FLAT[n] for i, n in enumerate(names)}; m = crop_from_image(corners); at = {n: m[:, :2] @ corners[n] + m[:, 2] for n in names}
    assert at["a1"][1] > SIDE / 2 and at["h1"][1] > SIDE / 2 and at["a8"][1] < SIDE / 2 and at["a1"][0] < SIDE / 2


def test_a_pixel_lands_where_the_matrix_says():
    image = np.zeros((480, 640, 3), np.uint8); image[200:204, 300:304] = 255; m = crop_from_image(FLAT); y, x = np.argwhere(warp(image, m)[..., 0] > 100).mean(0) + .5
    assert np.allclose([x, y], m[:, :2] @ [302, 202] + m[:, 2], atol=.5)


@pytest.mark.parametrize("view", VIEWS)
def test_numbers_shared_with_the_program(view):
    m = crop_from_image(view["corners"]); assert np.allclose(m, view["crop_from_image"], atol=1e-6)
    assert np.allclose(up_in_crop(image_from_space(view["corners"], view["width"], view["height"]), m), view["up"], atol=1e-6)
