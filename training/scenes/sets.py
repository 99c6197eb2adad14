"""Chess sets by seed: `family(seed)` gives six definitions like those of assets/sets.json (cm), `mesh(definition)` triangles.

A family fixes how a set is turned: base, stem, collars, heads, coronet, cross, mitre, knight.  Everything is made here but the knights
of the sets in assets/sets.json, which some families take, stretched and bent.  `ARTISTS` are whole sets modelled by others
(`tools/make_meshes.py`); training uses none of them, so they tell how well a reader reads a set unlike all it was trained on.
"""
import functools
import json
import math
import os
import random

import cv2
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = "PNBRQK"
ARTISTS = ("classic", "brutal")
#: silhouettes of knights of unit height, nose towards -x, corresponding points in the same places
SILHOUETTES = np.array([
    [(-.30, .0), (-.33, .10), (-.27, .20), (-.20, .32), (-.18, .42), (-.28, .46), (-.40, .42), (-.50, .46), (-.53, .55), (-.46, .66), (-.36, .76), (-.28, .86),
     (-.20, .93), (-.17, 1.0), (-.08, .95), (.04, .91), (.16, .82), (.25, .68), (.31, .50), (.34, .30), (.33, .12), (.31, .0)],
    [(-.27, .0), (-.30, .12), (-.22, .24), (-.12, .36), (-.12, .44), (-.22, .45), (-.36, .38), (-.47, .40), (-.52, .48), (-.50, .57), (-.38, .70), (-.30, .80),
     (-.26, .90), (-.24, 1.0), (-.14, .93), (-.02, .96), (.12, .88), (.24, .74), (.33, .55), (.36, .34), (.33, .14), (.29, .0)],
    [(-.26, .0), (-.26, .10), (-.22, .26), (-.16, .40), (-.14, .52), (-.26, .55), (-.42, .56), (-.52, .60), (-.54, .68), (-.48, .76), (-.36, .82), (-.24, .88),
     (-.14, .93), (-.08, 1.0), (-.00, .95), (.08, .92), (.17, .82), (.22, .66), (.25, .48), (.27, .30), (.27, .12), (.26, .0)],
    [(-.34, .0), (-.35, .10), (-.30, .22), (-.16, .30), (-.06, .40), (-.14, .44), (-.28, .34), (-.38, .32), (-.46, .38), (-.44, .48), (-.36, .64), (-.30, .78),
     (-.24, .92), (-.20, 1.0), (-.10, .98), (.06, .98), (.20, .90), (.30, .76), (.36, .56), (.38, .34), (.36, .14), (.34, .0)]])


@functools.cache
def catalogue() -> dict:
    with open(os.path.join(HERE, "assets/sets.json")) as file: return json.load(file)


def smooth(points: np.ndarray, parts: int = 3) -> np.ndarray:
    """Catmull-Rom through all points."""
    p = np.vstack([points[:1], points, points[-1:]]); out = []
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:]):
        for t in np.arange(parts) / parts: out.append(.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t ** 3))
    return np.array(out + [points[-1]])


def knight_head(g: random.Random, height: float) -> dict:
    """An inflated, carved or sawn silhouette, as a height field to both sides of the middle plane."""
    a, b = g.sample(range(len(SILHOUETTES)), 2); t = g.uniform(-.15, 1.15); s = SILHOUETTES[a] * (1 - t) + SILHOUETTES[b] * t
    s = s + np.array([[g.gauss(0, .014), g.gauss(0, .012) if 0 < k < 21 else 0] for k in range(22)]); s[:, 1] = np.maximum(s[:, 1], 0)
    s[:, 0] = np.where(s[:, 0] < -.2, -.2 + (s[:, 0] + .2) * g.uniform(.75, 1.35), s[:, 0]) * g.uniform(.85, 1.15); s[:, 1] /= s[:, 1].max()
    n = 30; grid = 6 * n; outline = smooth(s); canvas = np.zeros((grid + 1, int(1.5 * grid)), np.uint8)
    cv2.fillPoly(canvas, [np.round((outline + [.75, 0]) * grid).astype(np.int32)], 255); far = cv2.distanceTransform(np.vstack([canvas, np.full_like(canvas[:60], 255)]), cv2.DIST_L2, 3)[:grid + 1] / grid
    inside, far = canvas[::6, ::6] > 0, far[::6, ::6]; y, x = np.mgrid[:inside.shape[0], :inside.shape[1]] / n; x = x - .75
    thick, flat = g.uniform(.13, .27), g.choice([1.0, 1.0, .45, .2]); muzzle, top = g.uniform(.55, 1.0), g.uniform(.35, .9)
    lim = thick * (1 - (1 - top) * np.clip(y - .2, 0, 1) / .8) * np.where(x < -.3, muzzle, 1); q = np.clip(far / (thick * 1.1 * flat), 0, 1); z = lim * np.sqrt(np.clip(1 - (1 - q) ** 2, 0, 1))
    z -= .04 * g.random() * np.exp(-((x + .27) ** 2 + (y - .70) ** 2) / .0025); mane = g.choice([0, .01, .02, .03])
    z += mane * np.sin(y * g.uniform(25, 60) + x * 20) * ((x > 0) & (y > .3)) * np.clip(far / .1, 0, 1); z = np.where(inside, np.maximum(z, .004), 0)
    number = -np.ones(inside.shape, int); cells = inside[:-1, :-1] | inside[1:, :-1] | inside[:-1, 1:] | inside[1:, 1:]; use = np.zeros_like(inside)
    for dy in (0, 1):
        for dx in (0, 1): use[dy:dy + cells.shape[0], dx:dx + cells.shape[1]] |= cells
    number[use] = np.arange(use.sum()); half = int(use.sum()); front = np.stack([x[use], y[use], z[use]], 1); back = front * [1, 1, -1]; index = []
    for i, j in zip(*np.nonzero(cells)):
        p, q_, r, w = number[i, j], number[i, j + 1], number[i + 1, j], number[i + 1, j + 1]
        index += [(p, q_, r), (q_, w, r), (p + half, r + half, q_ + half), (q_ + half, r + half, w + half)]
    return dict(pos=(np.vstack([front, back]) * height).round(3).ravel().tolist(), index=np.array(index).ravel().tolist())


def bent(head: dict, g: random.Random) -> dict:
    """A catalogue knight stretched, sheared and bent."""
    p = np.array(head["pos"]).reshape(-1, 3); h = p[:, 1].max(); t = np.clip(p[:, 1] / h, 0, 1)
    p[:, 0] = p[:, 0] * (1 + (g.uniform(.75, 1.3) - 1) * t) + g.uniform(-.25, .25) * h * .5 * t * t; p[:, 2] *= 1 + (g.uniform(.7, 1.5) - 1) * t
    return dict(pos=p.round(3).ravel().tolist(), index=head["index"])


def family(seed: int) -> dict:
    """Six definitions; the king is 7 to 11 cm high."""
    g = random.Random(seed * 15485863 + 7); u = g.uniform; king = u(7.0, 11.0); wide = u(.185, .265)
    share = dict(K=1.0, Q=u(.80, .97), B=u(.62, .84), N=u(.58, .76), R=u(.46, .64), P=u(.42, .60)); girth = dict(K=1.0, Q=u(.92, 1.02), B=u(.78, .98), N=u(.80, 1.02), R=u(.80, 1.02), P=u(.66, .88))
    H = {k: king * v for k, v in share.items()}; R = {k: king * wide * v for k, v in girth.items()}
    base_kind, base_high, power, neck, rings, double = g.choice(["step", "bell", "disc", "double", "cone"]), u(.6, 1.35), u(1.0, 3.6), u(.30, .52), g.choice([0, 0, 1, 2]), g.random() < .4
    collar_wide, collar_high, contrast = u(.55, .92), u(.6, 1.5), g.random() < .12
    BASES = dict(step=[(1, 0), (1.03, .10), (1.01, .30), (.88, .42), (.84, .46), (.85, .58), (.66, .74)], bell=[(1, 0), (1, .14), (.97, .27), (.86, .48), (.69, .75), (.60, .95)],
                 disc=[(1, 0), (1.01, .08), (1.0, .22), (.93, .30), (.66, .38), (.60, .46)], double=[(1, 0), (1, .18), (.80, .24), (.80, .40), (.86, .45), (.85, .60), (.62, .72)], cone=[(1, 0), (1, .1), (.93, .16), (.80, .4), (.72, .7)])

    def base(r): return [(0, 0)] + [(a * r, b * r * base_high) for a, b in BASES[base_kind]]

    def stem(p, rn, y1):
        r0, y0 = p[-1]; rn = min(rn, r0 * .95); t = np.array([.12, .25, .4, .6, .8, 1]); out = [(rn + (r0 - rn) * (1 - s) ** power, y0 + (y1 - y0) * s) for s in t]
        for _ in range(rings): k = g.randint(1, 4); r, y = out[k]; out[k:k + 1] = [(r, y - .12), (r * 1.22, y - .04), (r * 1.22, y + .04), (r, y + .12)]
        return out

    def collar(rn, rc, y, k=1.0): k *= collar_high; return [(rn, y), (rc, y + .10 * k), (rc * 1.03, y + .22 * k), (rc * .8, y + .36 * k), (rn * 1.1, y + .42 * k)]

    def ball(rn, r, cy, squash=1.0, n=8):
        a0 = -math.acos(min(1, rn / r)); return [(r * math.cos(a), cy + squash * r * math.sin(a)) for a in np.linspace(a0, math.pi / 2, n + 1)]

    out = {}

    def put(kind, profile, grip_y, **more):
        p = []
        for a, b in profile: p.append((max(0.0, float(a)), max(float(b), p[-1][1] if p else 0.0)))     # heights never fall
        grip_r = float(np.interp(grip_y, [b for _, b in p], [a for a, _ in p])); top = more.pop("h", p[-1][1])
        out[kind] = dict(profile=[[round(a, 3), round(b, 3)] for a, b in p], h=round(float(top), 3), grip_y=round(float(grip_y), 2), grip_r=round(grip_r, 3), base_r=round(R[kind] * 1.01, 3), **more)

    # pawn
    h, r = H["P"], R["P"]; p = base(r); rs, squash = r * u(.48, .76), u(.8, 1.2); rn = r * neck; yc = h - 2 * rs * squash - .36 * collar_high * (h / 5)
    p += stem(p, rn, yc) + (collar(rn, r * collar_wide, yc, h / 5) if g.random() < .8 else []) + ball(min(rn * 1.1, rs * .9), rs, h - rs * squash, squash)
    if g.random() < .15: p = p[:-1] + [(.10, h), (.13, h + .12), (0, h + .22)]
    put("P", p, h - rs * .95)
    # rook
    h, r = H["R"], R["R"]; p = base(r); rt = r * u(.62, .95); rn = min(rt * .9, r * u(.42, .66)); yt = h - u(.20, .34) * h; deep = u(.25, .6); ri = rt * u(.5, .78)
    p += stem(p, rn, yt) + [(rt * .93, yt + .12), (rt, yt + .26), (rt * u(.82, 1.0), yt + .4), (rt * .95, h - .55), (rt, h - .45), (rt, h - .40), (ri, h - .40), (0, h - .42)]
    n = g.choice([0, 0, 4, 5, 6, 6, 8]); put("R", p, h - .75, crenel=dict(ro=rt, ri=ri, y=h - .44, h=deep, n=n or 24), h=h - .44 + deep)
    # bishop
    h, r = H["B"], R["B"]; p = base(r); rn = r * neck * .95; rb = r * u(.42, .68); knob = u(.10, .28); top = h - 1.6 * knob; yc = h - u(.30, .44) * h; fat = u(.25, .5)
    p += stem(p, rn, yc) + collar(rn, r * collar_wide * .95, yc, h / 7) + (collar(rn * 1.05, r * .56, yc + .42 * collar_high, .8) if double else []); y0 = p[-1][1]
    p += [(rb * .72, y0 + .10), (rb * .95, y0 + (top - y0) * fat * .65), (rb, y0 + (top - y0) * fat), (rb * .9, y0 + (top - y0) * (fat + .2)), (rb * .6, y0 + (top - y0) * .78), (rb * .3, top - .03)] + ball(knob * .5, knob, top + .75 * knob)
    slit = dict(y=y0 + (top - y0) * u(.5, .75), r=rb * .86, angle=u(.4, 1.0), width=u(.08, .2)) if g.random() < .7 else None
    put("B", p, y0 + (top - y0) * .42, **(dict(slit=slit) if slit else {}), **(dict(tip=top - .05) if contrast else {}))
    # queen
    h, r = H["Q"], R["Q"]; p = base(r); rn = r * neck; rq = r * u(.52, .84); bead = u(.14, .36); yr = h - u(1.2, 2.6) * bead; yc = yr - u(.18, .32) * h
    p += stem(p, rn, yc) + collar(rn, r * collar_wide * .97, yc, h / 8) + (collar(rn * 1.05, r * .56, yc + .42 * collar_high * h / 8, h / 8) if double else []); y0 = p[-1][1]; bowl = u(.45, .95); dome = u(.3, 1.0)
    p += [(rn * 1.15, y0 + .1), (rn * 1.28, y0 + (yr - y0) * .4), (rq * .86, y0 + (yr - y0) * .78), (rq, yr - .08), (rq * .98, yr), (rq * bowl, yr + .02), (rq * bowl * .7, yr + .3 * dome * bead)] + ball(min(rq * .3, bead * .6), bead, max(h - bead, yr + .4 * bead))
    n = g.choice([0, 5, 6, 7, 8, 9, 10, 12]); put("Q", p, y0 + (yr - y0) * .55, **(dict(points=dict(n=n, r=rq * .92, y=yr, s=u(.4, .95) * math.pi * rq / n * .9)) if n else {}), **(dict(tip=h - 2 * bead) if contrast else {}))
    # king
    h, r = H["K"], R["K"]; p = base(r); rn = r * neck; rk = r * u(.48, .78); cross = g.choice([1, 1, 1, 1, 0]); hc = u(.09, .17) * h if cross else u(.03, .07) * h; yb = h - hc - .3; yc = yb - u(.2, .32) * h
    p += stem(p, rn, yc) + collar(rn, r * collar_wide, yc, h / 9) + (collar(rn * 1.05, r * .58, yc + .42 * collar_high * h / 9, h / 9) if double else []); y0 = p[-1][1]; dome = u(.15, .55)
    p += [(rn * 1.12, y0 + .1), (rn * 1.22, y0 + (yb - y0) * .4), (rk * .9, yb - .25), (rk, yb - .08), (rk * .96, yb + .04), (rk * .7, yb + .5 * dome), (rk * .3, yb + .9 * dome), (.1, yb + dome)]
    if cross: p += [(0, yb + dome)]; put("K", p, y0 + (yb - y0) * .55, cross=dict(y=yb + .9 * dome, h=h - yb - .9 * dome, w=u(.5, 1.1), thick=u(.16, .34)), h=h, **(dict(tip=yb + dome * .9) if contrast else {}))
    else: p += ball(.1, hc * .6, h - hc * .6, u(.8, 1.4)); put("K", p, y0 + (yb - y0) * .55, **(dict(tip=yb + dome) if contrast else {}))
    # knight
    h, r = H["N"], R["N"]; p = base(r); yk = p[-1][1]; p += [(r * .66, yk + .06), (r * .66, yk + .16), (r * .5, yk + .22), (0, yk + .24)]; source = g.random()
    head = knight_head(g, h - yk) if source < .72 else bent(dict(pos=(np.array((m := catalogue()[g.choice(["tournament", "french", "club"])]["N"])["head"]["mesh"]["pos"]) * (h - yk) / m["h"]).tolist(), index=m["head"]["mesh"]["index"]), g)
    q = np.array(head["pos"]).reshape(-1, 3); most = np.abs(q[q[:, 1] < .3 * (h - yk)]).max(); fit = min(1.0, .95 * R["N"] / max(.1, most)); q[:, [0, 2]] *= [max(fit, .7), fit]; head["pos"] = q.round(3).ravel().tolist()
    put("N", p, yk + (h - yk) * .6, head=dict(mesh=head, y=round(yk + .05, 3)), h=h, **(dict(ears=dict(x=float(q[q[:, 1].argmax(), 0]), y=h - .1, dz=u(.12, .3), r=u(.1, .22), h=u(.3, .6))) if g.random() < .5 else {})); out["N"]["grip_r"] = round(.16 * h, 3)
    return out


def scaled(definitions: dict, radius: float) -> dict:
    """The set with all lengths multiplied so that its widest base has this radius."""
    k = radius / max(d["base_r"] for d in definitions.values())

    def grown(name, v):
        if isinstance(v, dict): return {n: grown(n, w) for n, w in v.items()}
        if isinstance(v, list): return [grown(name, w) for w in v]
        return v if name in ("n", "angle", "index") else round(v * k, 4)

    return grown("", definitions)


# ---- triangles

def _lathe(profile, seg: int):
    p = np.array(profile, float); a = np.linspace(0, 2 * np.pi, seg, endpoint=False); n = len(p); pos = np.stack([p[:, :1] * np.cos(a), np.repeat(p[:, 1:], seg, 1), p[:, :1] * np.sin(a)], 2).reshape(-1, 3)
    i, j = np.mgrid[:n - 1, :seg]; k = (j + 1) % seg; a0, a1, b0, b1 = i * seg + j, i * seg + k, (i + 1) * seg + j, (i + 1) * seg + k
    tri = np.concatenate([np.stack([a0, b0, a1], -1).reshape(-1, 3), np.stack([a1, b0, b1], -1).reshape(-1, 3)])
    d = np.diff(p, axis=0); slope = np.stack([d[:, 1], -d[:, 0]], 1); length = np.linalg.norm(slope, axis=1, keepdims=True); slope = slope / np.maximum(length, 1e-6)
    ring = np.vstack([slope[:1], slope]) * np.r_[[[0.]], length][:, :1] + np.vstack([slope, slope[-1:]]) * np.r_[length, [[0.]]]; ring /= np.maximum(np.linalg.norm(ring, axis=1, keepdims=True), 1e-6)
    return pos, np.stack([ring[:, :1] * np.cos(a), np.repeat(ring[:, 1:], seg, 1), ring[:, :1] * np.sin(a)], 2).reshape(-1, 3), tri


def _flat(pos, tri):
    """Own corners for each triangle: hard edges."""
    p = np.asarray(pos, float)[np.asarray(tri)]; n = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]); n /= np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-9)
    return p.reshape(-1, 3), np.repeat(n, 3, 0), np.arange(3 * len(p)).reshape(-1, 3)


def _soft(pos, tri):
    p, tri = np.asarray(pos, float), np.asarray(tri); f = np.cross(p[tri[:, 1]] - p[tri[:, 0]], p[tri[:, 2]] - p[tri[:, 0]]); n = np.zeros_like(p)
    for k in range(3): np.add.at(n, tri[:, k], f)
    return p, n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-9), tri


def box(sx, sy, sz, at=(0, 0, 0), turn=0.0):
    """A box of these sides, turned about z, then moved."""
    c = np.array([[x, y, z] for x in (-.5, .5) for y in (-.5, .5) for z in (-.5, .5)]) * [sx, sy, sz]; k, s = math.cos(turn), math.sin(turn); c = c @ np.array([[k, s, 0], [-s, k, 0], [0, 0, 1]]) + at
    return _flat(c, [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)])


def mesh(d: dict, seg: int = 20):
    """positions, normals, triangles, part of each triangle (0 body, 1 dark detail, 2 tip of another colour)."""
    if "mesh" in d: p, n, t = _soft(np.array(d["mesh"]["pos"]).reshape(-1, 3), np.array(d["mesh"]["index"]).reshape(-1, 3)); return p, n, t, np.zeros(len(t), np.uint8)
    parts = [(*_lathe(d["profile"], seg), 0)]
    if c := d.get("crenel"):
        for i in range(c["n"]):
            a = (i + np.linspace(0, 1.0 if c["n"] >= 24 else .62, 4)) * 2 * np.pi / c["n"]; ring = np.stack([np.cos(a), np.sin(a)], 1); at = lambda r, y: np.stack([r * ring[:, 0], np.full(4, y), r * ring[:, 1]], 1)
            pos = np.vstack([at(c["ro"], c["y"]), at(c["ro"], c["y"] + c["h"]), at(c["ri"], c["y"] + c["h"]), at(c["ri"], c["y"])]); tri = [(4 * s + k, 4 * s + 4 + k, 4 * s + k + 1) for s in range(3) for k in range(3)] + [(4 * s + k + 1, 4 * s + 4 + k, 4 * s + 5 + k) for s in range(3) for k in range(3)] + [(0, 8, 4), (0, 12, 8), (3, 7, 11), (3, 11, 15)]
            parts.append((*_flat(pos, tri), 0))
        s = np.linspace(0, 1, 3); disc = [(c["ri"] * 1.01, c["y"] + .01), (0, c["y"] + .02)]; parts.append((*_lathe(disc, seg), 1))
    if q := d.get("points"):
        for i in range(q["n"]): a = 2 * np.pi * i / q["n"]; p, n, t = _lathe([(math.sin(v) * q["s"], -math.cos(v) * q["s"]) for v in np.linspace(0, np.pi, 5)], 7); parts.append((p + [math.cos(a) * q["r"], q["y"] + .04, math.sin(a) * q["r"]], n, t, 0))
    if q := d.get("cross"):
        w = q.get("thick", .24); parts += [(*box(w * .9, q["h"], w * .8, (0, q["y"] + q["h"] / 2, 0)), 0), (*box(q["w"], w, w * .8, (0, q["y"] + q["h"] * .62, 0)), 0)]
    if q := d.get("slit"): s = math.sin(q.get("angle", .75)); parts.append((*box(q["r"] * 1.1, q.get("width", .14), q["r"] * 2.2, (q["r"] * .62, q["y"], 0), q.get("angle", .75)), 1))
    if q := d.get("head"): p, n, t = _soft(np.array(q["mesh"]["pos"]).reshape(-1, 3), np.array(q["mesh"]["index"]).reshape(-1, 3)); parts.append((p + [0, q["y"], 0], n, t, 0))
    if q := d.get("ears"):
        for s in (-1, 1): p, n, t = _lathe([(q["r"], -.3), (q["r"] * .8, q["h"] * .4), (0, q["h"])], 6); parts.append((p + [q["x"], q["y"], s * q["dz"]], n, t, 0))
    pos, nrm, tri, part, k = [], [], [], [], 0
    for p, n, t, c in parts: pos.append(p); nrm.append(n); tri.append(t + k); part.append(np.full(len(t), c, np.uint8)); k += len(p)
    pos, nrm, tri, part = np.vstack(pos), np.vstack(nrm), np.vstack(tri), np.concatenate(part)
    if "tip" in d: part[pos[tri][:, :, 1].min(1) > d["tip"]] = 2
    return pos, nrm, tri, part


@functools.cache
def artist(name: str) -> dict:
    """A whole set modelled by somebody else."""
    with open(os.path.join(HERE, "assets/artists.json")) as file: return json.load(file)[name]
