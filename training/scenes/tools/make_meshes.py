#!/usr/bin/env python3
"""Whole sets modelled by others -> assets/artists.json, for validation: DreamChess' (GPL-3+), Brutal Chess' (GPL-2+).
usage: make_meshes.py DREAMCHESS_PIECES_DIR BRUTALCHESS_MODELS_DIR OUT_DIR
"""
import json
import sys

import numpy as np

DREAM, BRUTAL, OUT = sys.argv[1:4]
NAMES = dict(P="pawn", N="knight", B="bishop", R="rook", Q="queen", K="king")


def dcm(path):
    it = iter(open(path).read().split()[2:]); n = int(next(it)); p = np.array([float(next(it)) for _ in range(3 * n)]).reshape(-1, 3); [next(it) for _ in range(5 * n)]; tri = []
    for _ in range(int(next(it))):
        kind = next(it); k = int(next(it)); x = [int(next(it)) for _ in range(k)]
        tri += [x[i:i + 3] for i in range(0, k, 3)] if kind == "TRIANGLES" else [x[i:i + 3] if i % 2 == 0 else [x[i + 1], x[i], x[i + 2]] for i in range(k - 2)]
    return np.stack([p[:, 0], p[:, 2], -p[:, 1]], 1), tri


def obj(path):
    p, tri = [], []
    for line in open(path):
        w = line.split()
        if w[:1] == ["v"]: p.append([float(v) for v in w[1:4]])
        elif w[:1] == ["f"]: k = [int(v.split("/")[0]) for v in w[1:]]; k = [v - 1 if v > 0 else len(p) + v for v in k]; tri += [[k[0], a, b] for a, b in zip(k[1:], k[2:])]
    return np.array(p), tri


def tidy(p, tri, height):
    """Standing on y = 0, so high, corners welded on a fine grid."""
    up = 1 if np.ptp(p[:, 1]) > np.ptp(p[:, 2]) else 2; p = p if up == 1 else np.stack([p[:, 0], p[:, 2], -p[:, 1]], 1); p = (p - [0, p[:, 1].min(), 0]) * height / np.ptp(p[:, 1])
    low = p[p[:, 1] < .1 * height]; p -= [(low[:, 0].min() + low[:, 0].max()) / 2, 0, (low[:, 2].min() + low[:, 2].max()) / 2]
    key, index = np.unique(np.round(p / (height / 110)).astype(int), axis=0, return_inverse=True); index = index.ravel(); q = np.zeros((len(key), 3)); np.add.at(q, index, p); q /= np.bincount(index)[:, None]
    t = np.array([[index[a] for a in x] for x in tri]); t = t[(t[:, 0] != t[:, 1]) & (t[:, 1] != t[:, 2]) & (t[:, 0] != t[:, 2])]
    return q, np.unique(t, axis=0)


out = {}
for name, read in (("classic", lambda n: dcm(f"{DREAM}/classic/{n}.dcm")), ("brutal", lambda n: obj(f"{BRUTAL}/{n}.obj"))):
    raw = {k: read(n) for k, n in NAMES.items()}; tall = {}
    for k, (p, _) in raw.items(): tall[k] = np.ptp(p[:, 1]) if np.ptp(p[:, 1]) > np.ptp(p[:, 2]) else np.ptp(p[:, 2])
    one = {}
    for k, (p, tri) in raw.items():
        h = 9.2 * tall[k] / tall["K"]; q, t = tidy(p, tri, h); one[k] = dict(mesh=dict(pos=q.round(3).ravel().tolist(), index=t.ravel().tolist()), h=round(float(h), 3), base_r=round(float(np.hypot(q[:, 0], q[:, 2])[q[:, 1] < .15 * h].max()), 3)); print(name, k, one[k]["h"], one[k]["base_r"], len(q), len(t))
    out[name] = one
json.dump(out, open(f"{OUT}/artists.json", "w"), separators=(",", ":"))
