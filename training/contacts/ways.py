"""Hands' ways from a log of observations, as `src/events/hands.rs` and `src/events/grasp.rs` see them: steps on an even grid.

Frames: board squares (x from a to h, y from rank 1 to 8, z up), times in milliseconds.
"""
import json
import pathlib
import subprocess
import sys

import chess
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pieces"))
from crops import image_from_space, project, seen_from  # noqa: E402

STEP_MS = 1000 / 30
GAP_MS = 250                                 # a hand lost from sight for longer begins anew
HEIGHT_RATE, HIGHEST = .3, 4.0
GRIP = dict(p=.69, r=.80, n=.83, b=.95, q=1.20, k=1.28)      # height at which fingers hold a piece, squares
FEATURES = ("height", "width", "speed", "climb", "distance", "above", "presence", "pinch_speed", "wrist_speed", "knuckles_speed", "pinch_up", "moves", "changed", "hidden", "stir", "homewards", "away")
LEAST_UP, MOST_MOVING = .05, 16


def read(log):
    """Header and frames of a log."""
    lines = subprocess.run(["zstd", "-dc", str(log)], capture_output=True, check=True).stdout.splitlines(); rows = [json.loads(x) for x in lines]
    return rows[0]["header"], [r["frame"] for r in rows if "frame" in r]


def camera(header, corners):
    """image_from_space, from the eye where the pieces told it."""
    return seen_from(corners, header["eye"]) if header.get("eye") else image_from_space(corners, header["width"], header["height"])


def at_height(p, uv, z):
    """Where the plane `z` above the board is seen at an image point."""
    m = np.column_stack([p[:, 0], p[:, 1], p[:, 3] + z * p[:, 2]]); q = np.linalg.solve(m, [*uv, 1.0]); return q[:2] / q[2]


def square_px(p, x, y):
    step = lambda dx, dy: np.linalg.norm(np.subtract(*project(p, np.array([[x - dx, y - dy, 0], [x + dx, y + dy, 0]]))))
    return max(step(.5, 0), step(0, .5), max(step(.5, .5), step(.5, -.5)) / 2 ** .5)


class Grips:
    """Image places of the grips of all pieces of a position."""
    def __init__(self, p, board):
        self.squares = list(board.piece_map().items()); at = np.array([[chess.square_file(s) + .5, chess.square_rank(s) + .5, GRIP[q.symbol().lower()]] for s, q in self.squares])
        self.px, self.unit, self.height = project(p, at), np.array([max(1, square_px(p, x, y)) for x, y, _ in at]), at[:, 2]
    def nearest(self, uv):
        """Distance in the picture (squares), height, square of the nearest grip."""
        d = np.linalg.norm(self.px - uv, axis=1) / self.unit; k = int(d.argmin()); return d[k], self.height[k], self.squares[k][0]


def up(p, x, y, unit):
    """The direction in which a piece stands up from there, of unit length; shorter where the view from above hardly shows one."""
    a, b = project(p, np.array([[x, y, 0], [x, y, 1]])); d = (b - a) / unit; return d / max(LEAST_UP, np.linalg.norm(d))


def segments(log, positions):
    """Each hand's uninterrupted stretches: dicts of id, white, t [n], place [n,2], x [n,17].

    `positions`: [(from_ms, chess.Board)]: what stood when, for the distance to the nearest grip.
    """
    header, frames = read(log); p = camera(header, header["corners"]); tracks = {}; grips = [(ms, Grips(p, b)) for ms, b in positions]; last = {}
    for f in frames:
        if f.get("corners"): p = camera(header, f["corners"]); grips = [(ms, Grips(p, b)) for ms, b in positions]
        for h in f.get("hands", []):
            z = min(max(h["height_squares"], 0), HIGHEST); z = last[h["id"]] + HEIGHT_RATE * (z - last[h["id"]]) if h["id"] in last else z; last[h["id"]] = z
            uv = np.array(h["pinch_px"]); d, high, square = [q for ms, q in grips if ms <= f["t_ms"]][-1].nearest(uv); x, y = at_height(p, uv, z); unit = max(1, square_px(p, *np.clip((x, y), 0, 8)))
            bits = [f.get(k, 0) >> square & 1 for k in ("moving", "changed", "covered")] + [min(f.get("moving", 0).bit_count(), MOST_MOVING) / MOST_MOVING]
            tracks.setdefault(h["id"], []).append([f["t_ms"], h["from_white"], x, y, z, h["aperture_squares"], d, high, h["presence"], *uv, *h["wrist_px"], *h["knuckles_px"], unit, *up(p, x, y, unit), *bits])
    out = []
    for key, rows in tracks.items():
        rows = np.array(rows); cut = np.flatnonzero(np.diff(rows[:, 0]) > GAP_MS) + 1
        for part in np.split(rows, cut):
            if len(part) < 4 or part[-1, 0] - part[0, 0] < 150: continue
            t = np.arange(part[0, 0], part[-1, 0], STEP_MS); on = np.column_stack([np.interp(t, part[:, 0], c) for c in part.T]); white = rows[:, 1].mean() > 0
            out.append(dict(id=key, white=white, t=t, place=on[:, 2:4], x=features(on, white)))
    return out


def features(on, white):
    """[n,17] from steps on the grid, each about -1 to 1; as in `grasp.rs`."""
    rate = lambda v: np.convolve(np.pad(v, 1, mode="edge"), [1, 0, -1], mode="valid") * 15      # central difference, per second
    tame = lambda v: np.tanh(v / 4); way = lambda k: np.column_stack([rate(on[:, k]), rate(on[:, k + 1])]); speed = lambda v: tame(np.hypot(*v.T))
    x, y, z, width, distance, grip, presence = on[:, 2:9].T; unit = on[:, 15:16]; home = -1 if white else 1; pinch, wrist, knuckles = (way(k) / unit for k in (9, 11, 13))
    return np.column_stack([z - 1, 2 * (width - .5), speed(way(2)), tame(rate(z)), np.minimum(distance, 2) - 1, np.clip(z - grip, -2, 2), presence - .5,
                            speed(pinch), speed(wrist), speed(knuckles), tame((pinch * on[:, 16:18]).sum(1)), on[:, 18:22], tame(home * rate(y)), home * (4 - y) / 4])


def labels(segment, contacts, all_segments):
    """[n,2]: touching, lifted, of the hand that is nearest to where the contact's piece must be."""
    out = np.zeros((len(segment["t"]), 2), np.float32)
    centre = lambda s: np.array([ord(s[0]) - 96.5, int(s[1]) - .5]) if s else None
    for c in contacts:
        if (c["player"] == "white") != segment["white"] or c["kind"] == "brush": continue
        a, b = centre(c["square"]), centre(c["to"]); near = lambda g: [np.linalg.norm(g["place"][np.abs(g["t"] - ms).argmin()] - q) + 9 * (np.abs(g["t"] - ms).min() > 300) for ms, q in ((c["touch_ms"], a), (c["release_ms"], b)) if q is not None]
        rivals = [min(near(g), default=99) for g in all_segments if g["white"] == segment["white"] and g["id"] != segment["id"] and g["t"][0] < c["release_ms"] and g["t"][-1] > c["touch_ms"]]
        if min(near(segment), default=99) > min(rivals + [3.0]): continue
        t = segment["t"]; out[(t >= c["touch_ms"]) & (t < c["release_ms"]), 0] = 1
        if c["lift_ms"] is not None: out[(t >= c["lift_ms"]) & (t < (c["place_ms"] or c["release_ms"])), 1] = 1
    return out


def positions(truth):
    board = chess.Board(truth["start_fen"]); out = [(-1e9, board.copy())]
    for m in truth["moves"]:
        if not m["legal"]: break
        board.push_uci(m["uci"]); out.append((m["made_ms"], board.copy()))
    return out
