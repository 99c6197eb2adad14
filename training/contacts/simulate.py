"""Ways of hands as the hand network would report them, from scripted play without rendering it.

The planner gives each hand's exact place, height and opening at any time.  What the network makes of them is drawn from what it made
of rendered clips (`table`): for the same truth (touching, in the air) and a like distance from the nearest grip, one of its answers,
with errors that last for some frames as they do there.
"""
import pathlib
import sys

import chess
import numpy as np

import ways

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scenes"))

NEIGHBOURS = 40
LASTING = .85                                # correlation of an error with that of the frame before
PLACE_ERROR, HEIGHT_ERROR, WIDTH_ERROR = .08, .18, .10      # squares; measured on rendered clips of unseen looks


def key(values, t):
    """A keyed channel at times t, eased as in the renderer."""
    at, v = np.array([k[0] for k in values], float), np.array([k[1] for k in values], float); i = np.clip(np.searchsorted(at, t, side="left"), 1, max(1, len(at) - 1))
    if len(at) == 1: return np.full(len(t), v[0])
    u = np.clip((t - at[i - 1]) / np.maximum(at[i] - at[i - 1], 1e-6), 0, 1); return v[i - 1] + (v[i] - v[i - 1]) * u * u * (3 - 2 * u)


def lasting(n, g, size=1):
    """Normal noise [n,size] with correlation LASTING from step to step."""
    out = g.normal(size=(n, size)); out[0] = out[0]
    for i in range(1, n): out[i] = LASTING * out[i - 1] + (1 - LASTING ** 2) ** .5 * out[i]
    return out


def quantile(z): return .5 * (1 + np.vectorize(__import__("math").erf)(z / 2 ** .5))


class Answers:
    """What the network answered: rows of touching, in the air, distance from the nearest grip, logit of touches, logit of lifts."""
    def __init__(self, rows): self.by = {(a, b): rows[(rows[:, 0] == a) & (rows[:, 1] == b)] for a in (0, 1) for b in (0, 1)}
    def draw(self, touching, lifted, distance, z):
        out = np.empty((len(touching), 2))
        for i in range(len(touching)):
            rows = self.by[int(touching[i]), int(lifted[i])]; near = rows[np.argsort(np.abs(rows[:, 2] - distance[i]))[:NEIGHBOURS], 3:]; q = quantile(z[i])
            for k in (0, 1): out[i, k] = np.quantile(near[:, k], q[k])
        return out


def play(seed, answers, g):
    """Segments of one scripted scene: (features [n,9], labels [n,2]) of each hand that comes over the board."""
    import play as P
    for attempt in range(8):
        try: s = P.scene(seed + attempt * 1_000_000); break
        except (AssertionError, KeyError, IndexError, ValueError, ZeroDivisionError): pass
    else: return []
    S = s.S; end = max(c["release_ms"] for c in s.contacts) + 800; boards = []; board = chess.Board(s.start_fen); boards.append((-1e9, board.copy()))
    for m in s.moves: board.push_uci(m["uci"]); boards.append((m["made_ms"], board.copy()))
    lean = g.uniform(0, 1.3); turn = g.uniform(0, 6.3); lean = lean * np.array([np.cos(turn), np.sin(turn)]); out = []
    for name, hand in s.hands.items():
        t = np.arange(0, end, ways.STEP_MS) + g.uniform(0, ways.STEP_MS); true = np.array([hand.at(v) for v in t]); x, y, z = true[:, 0] / S + 4, 4 - true[:, 2] / S, true[:, 1] / S
        if not ((x > -1) & (x < 9) & (y > -1) & (y < 9)).any(): continue
        labels = np.zeros((len(t), 2), np.float32); player, side = ("white" if name[0] == "w" else "black"), ("right" if name[1] == "r" else "left")
        for c in s.contacts:
            if c["player"] != player or c["hand"] != side or c["kind"] == "brush": continue
            labels[(t >= c["touch_ms"]) & (t < c["release_ms"]), 0] = 1
            if c["lift_ms"] is not None: labels[(t >= c["lift_ms"]) & (t < (c["place_ms"] or c["release_ms"])), 1] = 1
        distance, grip = np.empty(len(t)), np.empty(len(t)); seen = np.column_stack([x, y]) + lasting(len(t), g, 2) * PLACE_ERROR * g.uniform(.5, 2.0); high = np.clip(z + lasting(len(t), g)[:, 0] * HEIGHT_ERROR * g.uniform(.5, 1.8) + g.normal(0, .12), 0, ways.HIGHEST)
        for i in range(len(t)):
            b = [q for ms, q in boards if ms <= t[i]][-1].piece_map(); at = np.array([[chess.square_file(q) + .5, chess.square_rank(q) + .5, ways.GRIP[v.symbol().lower()]] for q, v in b.items()]); d = np.linalg.norm(seen[i] - at[:, :2] + (high[i] - at[:, 2:]) * lean, axis=1); k = d.argmin(); distance[i], grip[i] = d[k], at[k, 2]
        logits = answers.draw(labels[:, 0], labels[:, 1], distance, lasting(len(t), g, 2)); width = key(hand.ch["ap"], t) * 2 / S + lasting(len(t), g)[:, 0] * WIDTH_ERROR + g.normal(0, .08); sig = lambda v: 1 / (1 + np.exp(-v))
        smooth = high.copy()
        for i in range(1, len(t)): smooth[i] = smooth[i - 1] + ways.HEIGHT_RATE * (high[i] - smooth[i - 1])
        f = ways.features(seen[:, 0], seen[:, 1], smooth, sig(logits[:, 0]), sig(logits[:, 1]), width, distance, grip, np.full(len(t), g.uniform(.5, .95)) + .05 * lasting(len(t), g)[:, 0])
        near = (x > -2) & (x < 10) & (y > -2.5) & (y < 10.5); i = np.flatnonzero(near); out.append((f[i[0]:i[-1] + 1].astype(np.float32), labels[i[0]:i[-1] + 1]))
    return out


def answers(segments_with_labels):
    """The table from logs of rendered clips: [(segment, labels)]."""
    rows = [np.column_stack([y, s["x"][:, 6] + 1, s["x"][:, 0] * 4, s["x"][:, 1] * 4]) for s, y in segments_with_labels]
    return Answers(np.concatenate(rows))
