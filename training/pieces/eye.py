"""Where the camera is, told by how pieces lean (as `src/calibration/eye.rs`): a board seen from above looks alike to many
cameras, what stands on it does not."""
import numpy as np

import crops as C

FARTHEST, NEAREST, FEWEST = 60.0, 6.0, 4
SEEDS = [(0., 0.)] + [(.4 * np.cos(k * np.pi / 4), .4 * np.sin(k * np.pi / 4)) for k in range(8)]     # slopes of the line of sight
SEED_HEIGHT, FINALISTS, MARGIN = 28.0, 2, .02


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
    """`read(p) -> (contents [64], hidden [64], lean lacking [64,2], mean log likelihood of what stands)`; p: what the corners tell.
    From there, from above the board and from around it, the pieces' lean leads on; the place from which they are read best is
    taken, what the corners tell if that is nearly as good.  Returns the eye, or None for that."""
    board = np.linalg.inv(C.image_from_board(corners))

    def led(p, told):
        content, hidden, off, _ = told; places, tops = [], []
        for s in np.flatnonzero((content > 0) & ~hidden):
            foot, unit, up = C.lean(p, s % 8 + .5, s // 8 + .5); angle = C.box(foot, unit, up)[3]; c, n = np.cos(angle), np.sin(angle)
            top = foot + unit * (up + [c * off[s, 0] + n * off[s, 1], n * off[s, 0] - c * off[s, 1]])
            q = board @ [*top, 1]; places.append([s % 8 + .5, s // 8 + .5]); tops.append(q[:2] / q[2])
        eye = eye_from(np.array(places), np.array(tops)); return None if eye is None else C.seen_from(corners, eye)

    def follow(place):
        q = led(*place); further = place if q is None else (q, read(q)); return max(place, further, key=fit)

    fit = lambda place: place[1][3]; told = (p, read(p)); seeds = [told] + [(q, read(q)) for q in (C.seen_from(corners, [4 - x * SEED_HEIGHT, 4 - y * SEED_HEIGHT, SEED_HEIGHT]) for x, y in SEEDS)]
    ways = sorted(map(follow, seeds), key=fit, reverse=True)[:FINALISTS]; best = max((follow(follow(w)) for w in ways), key=fit)
    return C.eye_of(best[0]) if fit(best) > fit(told) + MARGIN else None
