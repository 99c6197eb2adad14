"""What the program makes of the network's answers: `src/sound/spotter.rs`, the same numbers."""

import numpy as np
import onnxruntime

import frontend
from net import REACH
from voices import CLASSES

ASK, STEP, STEP_MS = 8, 2, 20.0
SMOOTH, OFF, WAIT, PAUSE_MS = 9, 0.5, 2, 600.0
ON = np.array([0.51, 0.86, 0.57, 0.64, 0.62, 0.74])
BELIEVED = 0.6, 0.9


class Network:
    def __init__(self, path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def answers(self, samples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(answers, classes + 2) and the time of each, milliseconds: as if the sound had come piece by piece."""
        features = frontend.relative(frontend.energies(samples))
        before = np.full((REACH + ASK - STEP - ASK, frontend.BANDS), np.log1p(frontend.GAIN), np.float32)
        whole = np.concatenate([before, features])
        # The first answer comes with frame 1 of 0, 1, ..., as pieces of eight frames give four.
        said = [self.session.run(["said"], {"features": whole[None, at : at + REACH - 2 + 6000]})[0][0]
                for at in range(0, max(1, len(whole) - REACH + 1), 6000)]
        said = np.concatenate(said)
        count = len(features) // ASK * (ASK // STEP)
        times = (1 + STEP * np.arange(len(said))) * 10.0 + 25.0
        return said[:count], times[:count]


def smoothed(said: np.ndarray) -> np.ndarray:
    """For each phrase, over the last SMOOTH answers."""
    box = np.ones(SMOOTH) / SMOOTH
    return np.stack([np.convolve(said[:, k], box)[: len(said)] for k in range(1, len(CLASSES))], 1)


def hits(said: np.ndarray, times: np.ndarray, on: np.ndarray = ON) -> list[dict]:
    """Announcements: end, duration, class, probability, and when each was known (milliseconds)."""
    raw, smooth = said[:, 1 : len(CLASSES)].sum(1), smoothed(said)
    strength = (smooth / on).max(1)
    over = ((smooth - on) / (1 - on)).max(1).clip(0, 1)
    found, quiet, i = [], -np.inf, 0
    while i < len(smooth):
        if strength[i] < 1 or times[i] < quiet:
            i += 1
            continue
        j = min(i + WAIT, len(smooth) - 1)
        span = slice(i, j + 1)
        weight = raw[span] / max(raw[span].sum(), 1e-9)
        # What came with the same piece of sound was known with its end.
        known = times[(j // 4) * 4 + 3] if (j // 4) * 4 + 3 < len(times) else times[-1]
        found.append(dict(end=float(((times[span] - 1000 * said[span, -1]) * weight).sum()),
                          duration=float((1000 * said[span, -2] * weight).sum()), known=float(known),
                          kind=int(said[span, 1 : len(CLASSES)].sum(0).argmax()) + 1, p=float(BELIEVED[0] + (BELIEVED[1] - BELIEVED[0]) * over[span].max())))
        quiet = times[j] + PAUSE_MS
        i = j + 1
        while i < len(smooth) and strength[i] >= OFF:
            i += 1
        i += 1
    return found
