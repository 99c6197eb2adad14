"""Where the camera is, told by how pieces lean (as `src/calibration/eye.rs`): a board seen from above looks alike to many
cameras, what stands on it does not."""
import numpy as np

import crops as C

ROUNDS, FARTHEST, NEAREST, FEWEST = 3, 60.0, 6.0, 4


def eye_from(places: np.ndarray, tops: np.ndarray) -> np.ndarray | None:
    """The eye from which points 1.2 squares above `places` ([N,2], board) lie behind `tops` ([N,2], board): tops - places =
    a (places - foot), robustly by least squares, with a = 1.2 / (height - 1.2)."""
    if len(places) < FEWEST: return None
    d, w = tops - places, np.ones(len(places))
    for _ in range(5):
        m, n = (w[:, None] * places).sum(0) / w.sum(), (w[:, None] * d).sum(0) / w.sum()
        spread = (w[:, None] * (places - m) ** 2).sum()
        a = (w[:, None] * (places - m) * (d - n)).sum() / max(spread, 1e-9)
        a = np.clip(a, C.UP / (FARTHEST - C.UP), C.UP / (NEAREST - C.UP))
        off = np.hypot(*(d - n - a * (places - m)).T); scale = max(1.5 * np.median(off), .02); w = 1 / (1 + (off / scale) ** 2)
    return np.array([*(m - n / a), C.UP * (1 + 1 / a)])


def find_eye(read, corners, p):
    """`read(p) -> (contents [64], hidden [64], lean lacking [64,2])`; p: what is believed at first. The eye, or None."""
    eye = None
    for _ in range(ROUNDS):
        content, hidden, off = read(p); places, tops = [], []
        board = np.linalg.inv(C.image_from_board(corners))
        for s in np.flatnonzero((content > 0) & ~hidden):
            foot, unit, up = C.lean(p, s % 8 + .5, s // 8 + .5); _, _, _, angle = C.box(foot, unit, up); c, n = np.cos(angle), np.sin(angle)
            top = foot + unit * (up + [c * off[s, 0] + n * off[s, 1], n * off[s, 0] - c * off[s, 1]])
            q = board @ [*top, 1]; places.append([s % 8 + .5, s // 8 + .5]); tops.append(q[:2] / q[2])
        found = eye_from(np.array(places), np.array(tops))
        if found is None: break
        eye = found; p = C.seen_from(corners, eye)
    return eye
