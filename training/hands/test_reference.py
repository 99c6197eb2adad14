"""The reference against MediaPipe's own graph (mediapipe.json: three frames of the example clip, made with mediapipe 0.10.21).

    python -m pytest training/hands
"""
import json
import pathlib

import cv2
import numpy as np
import pytest

import reference as R

ROOT = pathlib.Path(__file__).parents[2]
WANT = json.loads(pathlib.Path(__file__).with_name("mediapipe.json").read_text())


@pytest.fixture(scope="module")
def hands():
    return R.Hands(ROOT / "models")


@pytest.fixture(scope="module")
def frames():
    video = cv2.VideoCapture(str(ROOT / "tests/data/touch-move.mp4"))
    pictures = [video.read()[1] for _ in range(300)]
    return {w["frame"]: pictures[w["frame"]] for w in WANT}


def test_anchors():
    a = R.anchors()
    assert a.shape == (2016, 2) and np.allclose(a[[0, 1, 2]], [[.5 / 24, .5 / 24], [.5 / 24, .5 / 24], [1.5 / 24, .5 / 24]])
    assert np.allclose(a[1152], .5 / 12) and np.allclose(a[-1], 11.5 / 12)


@pytest.mark.parametrize("want", WANT, ids=lambda w: str(w["frame"]))
def test_palms_and_regions(want, hands, frames):
    palms = hands.palms(frames[want["frame"]])
    assert len(palms) == len(want["palms"])
    for palm, w, roi in zip(palms, want["palms"], want["palm_rois"]):
        assert abs(palm.score - w["score"]) < .02 and np.abs(palm.keypoints - w["keypoints"]).max() < .5
        r = R.roi_from_palm(palm)
        assert np.abs([*(r.centre - roi[:2]), r.side - roi[2]]).max() < 1 and abs(np.sin(r.rotation - roi[3])) < .01


@pytest.mark.parametrize("want", WANT, ids=lambda w: str(w["frame"]))
def test_landmarks_and_next_regions(want, hands, frames):
    image = frames[want["frame"]]
    seen = [hands.landmarks(image, R.Roi(np.array(q[:2]), q[2], q[3])) for q in want["palm_rois"]]
    seen = [h for h in seen if h.presence >= R.MIN_PRESENCE]
    assert len(seen) == len(want["hands"])
    for h, w in zip(seen, want["hands"]):
        assert np.abs(h.points - w["points"]).max() < 1
        label = "Left" if h.right >= .5 else "Right"                 # MediaPipe names them for a mirrored picture
        assert label == w["label"] and abs(max(h.right, 1 - h.right) - w["score"]) < .02
        r = R.roi_from_landmarks(np.array(w["points"]))
        assert np.abs([*(r.centre - w["next_roi"][:2]), r.side - w["next_roi"][2]]).max() < .1
        assert abs(np.sin(r.rotation - w["next_roi"][3])) < 1e-3
