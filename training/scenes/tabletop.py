#!/usr/bin/env python3
"""Boards with pieces of any set, without players: tabletop.py OUT_DIR FROM_SEED TO_SEED writes pictures and labels as `stills.mjs` does.

A seed is a look: a set family of its own (`sets.py`), board, table, lights.  It is seen by two cameras, each with a picture of the start
position (`start: true`) and pictures of other positions: real ones and, since kings and queens are rare in those, boards strewn at
random.  `--artist NAME` takes a set modelled by others instead (validation).  Finished looks are skipped.
"""
import argparse
import json
import math
import os
import random

import chess
import cv2
import numpy as np

import raster
import sets
from looks import BOARDS, TABLES

CAMERAS, OTHERS = 2, 3                 # of a look; pictures of a camera beside that of the start position
WIDTH, HEIGHT = 640, 480
LIN = lambda c: np.clip(np.asarray(c, np.float32) / 255, 0, 1) ** 2.2
WOODS = [[214, 174, 121], [222, 186, 132], [190, 150, 100], [226, 196, 150], [104, 62, 36], [150, 94, 54], [88, 52, 31], [176, 132, 88], [70, 44, 30], [236, 214, 170], [128, 120, 116], [160, 150, 136]]
PLAIN = [[236, 230, 205], [62, 105, 66], [240, 217, 181], [160, 106, 70], [232, 236, 240], [72, 104, 156], [250, 250, 246], [30, 30, 32], [110, 70, 70], [90, 90, 100], [60, 80, 60], [150, 40, 40], [200, 190, 160], [130, 120, 120]]


def grain(rng, h, w, along, strength):
    """Multiplier [h,w]: streaks along x (0) or y (1), with slow waves."""
    a = cv2.resize(rng.standard_normal((h, max(2, w // 48))).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC) * .5 + cv2.resize(rng.standard_normal((max(2, h // 6), max(2, w // 160 + 1))).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    a = a if along == 0 else np.ascontiguousarray(cv2.resize(a.T, (w, h))); return 1 + strength * a


def colours(g, rng):
    """Light and dark of the squares: clear to hardly different."""
    near = lambda c: np.clip(np.array(c) + [g.uniform(-16, 16) for _ in range(3)], 4, 255); pool = WOODS if g.random() < .5 else PLAIN
    for _ in range(40):
        a, b = near(g.choice(pool)), near(g.choice(pool))
        if a.mean() - b.mean() > g.choice([25, 45, 60]): return a, b, pool is WOODS
    return np.array([230, 220, 190]), np.array([110, 80, 60]), False


def board_texture(g, rng, b):
    n, full = 1024, 8 * b["sq"] + 2 * b["border"]; k = n / full; o = b["border"] * k; image = np.empty((n, n, 3), np.float32); image[:] = LIN(b["frame"])
    if b["wood"]: image *= grain(rng, n, n, 0, .07)[..., None]
    strength, cross, uneven = g.uniform(.02, .14), g.random() < .5, g.choice([0, .02, .06, .1])
    for r in range(8):
        for f in range(8):
            x0, x1, y0, y1 = (int(round(o + v * b["sq"] * k)) for v in (f, f + 1, r, r + 1)); colour = LIN(b["dark"] if (r + f) % 2 else b["light"]) * (1 + uneven * g.gauss(0, 1))
            image[y0:y1, x0:x1] = colour * (grain(rng, y1 - y0, x1 - x0, int(cross and (r + f) % 2), strength)[..., None] if b["wood"] else 1)
    if g.random() < .4:
        ink = LIN([g.uniform(10, 240) for _ in range(3)]).tolist(); t = max(1, int(g.uniform(.03, .2) * k)); q = [int(o - 1)] * 2; cv2.rectangle(image, q, [int(n - o)] * 2, ink, t)
        if g.random() < .4: [cv2.line(image, a, c, ink, 1) for v in range(1, 8) for a, c in (((int(o + v * b["sq"] * k), int(o)), (int(o + v * b["sq"] * k), int(n - o))), ((int(o), int(o + v * b["sq"] * k)), (int(n - o), int(o + v * b["sq"] * k))))]
    if b["border"] > 1.2 and g.random() < .7:
        ink, mask = LIN([g.uniform(10, 240) for _ in range(3)]), np.zeros((n, n), np.uint8); size = min(1.5, b["border"] * .5) * k / 24; font = g.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_DUPLEX])
        for i in range(8):
            m = int(o + (i + .5) * b["sq"] * k - size * 8)
            for x, y, s in ((m, n - o * .3, "abcdefgh"[i]), (m, o * .75, "abcdefgh"[i]), (o * .3, m + size * 16, str(8 - i)), (n - o * .7, m + size * 16, str(8 - i))): cv2.putText(mask, s.upper() if b["upper"] else s, (int(x), int(y)), font, size, 255, max(1, int(size * 2)), cv2.LINE_AA)
        image += (mask[..., None] / 255.).astype(np.float32) * (ink - image)
    for _ in range(g.choice([0, 0, 3, 10])):                # scratches, creases, stains
        p = [int(g.uniform(0, n)) for _ in range(2)]; q = [int(v + g.gauss(0, 90)) for v in p]; line = np.zeros((n, n), np.float32); cv2.line(line, p, q, 1.0, g.choice([1, 1, 2, 3]), cv2.LINE_AA); image *= 1 + g.uniform(-.3, .4) * line[..., None]
    image *= 1 + g.uniform(0, .12) * cv2.resize(rng.standard_normal((7, 7)).astype(np.float32), (n, n), interpolation=cv2.INTER_CUBIC)[..., None]
    return np.clip(image * (1 + .03 * rng.standard_normal((n, n, 1)).astype(np.float32)), .002, 1)


def table_texture(g, rng):
    t = g.choice(list(TABLES.values())); n = 512; image = np.empty((n, n, 3), np.float32); image[:] = LIN(np.clip(np.array(t["color"]) + [g.uniform(-25, 25) for _ in range(3)], 4, 255))
    if t["kind"] == "wood": image *= grain(rng, n, n, 0, .12)[..., None]
    if "check" in t: image[:, (np.arange(n) // 64) % 2 == 0] = LIN(t["check"]); 
    if g.random() < .15: image *= 1 + .5 * cv2.resize(rng.standard_normal((24, 24, 3)).astype(np.float32), (n, n), interpolation=cv2.INTER_CUBIC)      # a patterned cloth
    return np.clip(image * (1 + .06 * rng.standard_normal((n, n, 1)).astype(np.float32)), .002, 1)


def finish(g):
    """White's and Black's colour with roughness, gloss, grain, and how much single pieces differ."""
    near = lambda c, a=14: np.clip(np.array(c) + [g.uniform(-a, a) for _ in range(3)], 4, 255)
    white = near(g.choice([[232, 224, 200], [208, 164, 104], [222, 186, 132], [240, 236, 226], [190, 150, 100], [225, 205, 160], [214, 196, 178], [200, 180, 120], [250, 248, 240]]))
    black = near(g.choice([[26, 25, 26], [44, 28, 20], [112, 30, 22], [70, 44, 30], [60, 60, 64], [30, 44, 36], [92, 54, 34], [40, 20, 24], [14, 14, 16], [120, 76, 48], [50, 60, 90]]))
    plastic = g.random() < .5; return dict(white=white, black=black, rough=g.uniform(.22, .55) if plastic else g.uniform(.35, .75), gloss=g.uniform(.2, 1.6), grain=0 if plastic else g.uniform(.03, .2), frequency=g.uniform(2, 9), uneven=g.choice([.02, .06, .15, .3]), tint=g.choice([0, .015, .04]))


def lights(g, half):
    """Key lights with positions, colours and softness (texels of the shadow map), sky and ground, and bright shapes that gloss mirrors."""
    kelvin = g.uniform(-1, 1); warm = np.array([1 + .25 * kelvin, 1, 1 - .3 * kelvin]); ambient = g.uniform(.25, 1.0); ls, lobes = [], []
    for _ in range(g.choice([1, 1, 2, 2, 3])):
        az, el, d = g.uniform(0, 2 * math.pi), math.radians(g.choice([g.uniform(25, 50), g.uniform(45, 85), g.uniform(45, 85)])), g.choice([70, 120, 250, 500]); at = np.array([math.cos(el) * math.cos(az), math.sin(el), math.cos(el) * math.sin(az)])
        ls.append([*(at * d), *(warm * g.uniform(.3, 1.3) * [1 + g.gauss(0, .08) for _ in range(3)]), g.choice([1, 2, 4, 10, 20]), float(len(ls) < 2)]); lobes.append([*at, *(warm * g.uniform(.5, 6)), g.choice([20, 60, 200])])
    for _ in range(g.choice([0, 1, 2, 4])):                  # windows, lamps
        az, el = g.uniform(0, 2 * math.pi), math.radians(g.uniform(10, 88)); lobes.append([math.cos(el) * math.cos(az), math.sin(el), math.cos(el) * math.sin(az), *(np.array([g.uniform(.7, 1.1) for _ in range(3)]) * g.uniform(.5, 5)), g.choice([12, 40, 120])])
    sky = ambient * warm * np.array([1 + g.gauss(0, .06) for _ in range(3)]); return np.array(ls, np.float64), np.array(lobes, np.float64), sky, sky * g.uniform(.3, .7)


def camera(g, half):
    """Mostly steep or straight above, near or far; also side-on."""
    kind = g.choice(["above", "above", "close", "close", "off", "steep", "side"]); az = g.uniform(0, 2 * math.pi); d = half * g.uniform(3.2, 9); to = [g.gauss(0, half * .04), 0, g.gauss(0, half * .04)]
    el = math.radians(g.uniform(*dict(above=(82, 90), close=(78, 90), off=(84, 90), steep=(60, 80), side=(30, 62))[kind]))
    if kind == "close": d = half * g.uniform(2.2, 3.6)
    eye = np.array([d * math.cos(el) * math.cos(az), d * math.sin(el), d * math.cos(el) * math.sin(az)])
    if kind == "off": s = half * g.uniform(.3, 1.6); d = half * g.uniform(2.6, 6); eye = np.array([s * math.cos(az), d, s * math.sin(az)]); to = [s * math.cos(az) * g.uniform(0, .8), 0, s * math.sin(az) * g.uniform(0, .8)]     # beside the middle, looking down
    turn = g.uniform(0, 2 * math.pi) if g.random() < .4 else g.choice([0, 0, math.pi / 2, math.pi, -math.pi / 2]) + g.gauss(0, .03); up = [math.sin(turn), 0, -math.cos(turn)] if kind in ("above", "close", "off") else [0, 1, 0]
    p = raster.look_at(eye, to, up, 40, WIDTH, HEIGHT); a = half + (0 if g.random() < .3 else .8); q = raster.project(p, np.array([[x, 0, z] for x in (-a, a) for z in (-a, a)]))[:, :2]
    lo, hi = q.min(0), q.max(0); k = g.uniform(.80, 1.0) * min(WIDTH / (hi[0] - lo[0]), HEIGHT / (hi[1] - lo[1])); shift = np.array([WIDTH, HEIGHT]) / 2 - k * (lo + hi) / 2
    return np.array([[k, 0, shift[0]], [0, k, shift[1]], [0, 0, 1]]) @ p         # zoomed (and shifted, as a cut picture) to fill the frame


def placements(g):
    """[(square, letter)] of the start position, then of others."""
    start = chess.Board(); yield [(s, p.symbol()) for s, p in start.piece_map().items()]
    while True:
        if g.random() < .3:
            b = chess.Board()
            for _ in range(g.choice([4, 10, 20, 40, 80, 120])):
                moves = list(b.legal_moves)
                if not moves: break
                b.push(g.choice(moves))
            yield [(s, p.symbol()) for s, p in b.piece_map().items()]
        else:
            n = g.choice([14, 20, 26, 32, 40]); yield [(s, g.choice("PPNNBBRQK" + "ppnnbbrqk")) for s in g.sample(range(64), n)]


class Look:
    def __init__(self, seed, artist=None):
        self.g = g = random.Random(seed * 6151 + 29); rng = np.random.default_rng(seed); self.set = sets.artist(artist) if artist else sets.family(seed); self.mesh = {k: sets.mesh(d) for k, d in self.set.items()}
        light, dark, wood = colours(g, rng); widest = max(d["base_r"] for d in self.set.values()); self.sq = 2 * widest / g.uniform(.62, .92); border = g.choice([0.05, .5, 2, 3, 4]); self.half = 4 * self.sq + border
        self.board = board_texture(g, rng, dict(light=light, dark=dark, wood=wood, frame=np.clip(np.array(g.choice([light, dark, [90, 60, 40], [200, 190, 170]])) + g.gauss(0, 12), 4, 255), sq=self.sq, border=border, upper=g.random() < .5)); self.table = table_texture(g, rng)
        self.finish, self.thick, self.top = finish(g), g.choice([.2, .4, 1.5, 3]), [g.uniform(.3, .8), g.choice([0, .2, .5, 1.2])]; self.lights, self.lobes, self.sky, self.ground = lights(g, self.half); self.slack = g.choice([.02, .04, .07]) * self.sq
        self.facing = g.choice(["forward", "forward", "side", "any"]); self.tilt = g.choice([0, 0, .03]); self.exposure = g.uniform(.55, 1.0); self.curve = g.choice(["film", "plain", "plain"])
        self.pool = {c: [self.piece_row(c) for _ in range(40)] for c in "wb"}

    def piece_row(self, c):
        """Colours of one piece: pieces of wood differ."""
        g, f = self.g, self.finish; body = LIN(f["white" if c == "w" else "black"]) * math.exp(g.gauss(0, f["uneven"])) * [1 + g.gauss(0, f["tint"]) for _ in range(3)]; phase = g.uniform(0, 6)
        row = lambda colour, rough: [*np.clip(colour, .003, .95), rough, f["gloss"], f["grain"], f["frequency"], phase]; return [row(body, f["rough"]), row(body * .3, .8), row(LIN(f["black" if c == "w" else "white"]), f["rough"])]

    def picture(self, placement, cam, g):
        """Linear picture and what stands where. Pieces of the same square and content keep their colour."""
        pos, nrm, tri, row, rows, origins, labels, count = [], [], [], [], [[.5, .5, .5, self.top[0], self.top[1], 0, 0, 0], [.5, .5, .5, .7, .15, 0, 0, 0]], [[0, 0, 0]] * 2, [], 0
        contact = np.ones((512, 512), np.float32); px = 512 / (4 * self.half)

        def put(m, part, x, y, z, yaw, colours, lean=(0, 0)):
            nonlocal count
            p, n, t, _ = m; c, s = math.cos(yaw), math.sin(yaw); r = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]); q = p @ r.T; q[:, 0] += lean[0] * q[:, 1]; q[:, 2] += lean[1] * q[:, 1]
            pos.append(q + [x, y, z]); nrm.append(n @ r.T); tri.append(t + count); row.append(part.astype(np.int32) + len(rows)); rows.extend(colours); origins.extend([[x, y, z]] * len(colours)); count += len(p)

        used = {"w": 0, "b": 0}; beside = []
        for side in (-1, 1):                                 # captured pieces on the table
            if self.half * 2 < 90 and g.random() < .35: beside += [(g.choice("PPNBRQ" if side > 0 else "ppnbrq"), side * (self.half + g.uniform(2.5, 7)), g.uniform(-.8, .8) * self.half) for _ in range(g.randint(1, 8))]
        for s, letter in [*placement, *((None, b) for b in beside)]:
            x, z = ((s % 8 - 3.5) * self.sq + g.gauss(0, self.slack), (3.5 - s // 8) * self.sq + g.gauss(0, self.slack)) if s is not None else letter[1:]; letter, y = (letter, 0) if s is not None else (letter[0], -self.thick)
            kind, c = letter.upper(), "w" if letter.isupper() else "b"; d = self.set[kind]; base = math.pi / 2 * (-1 if c == "w" else 1)
            yaw = base + g.gauss(0, .25) + (0 if kind == "N" else g.choice([0, math.pi])) if self.facing == "forward" else base + math.pi / 2 + g.gauss(0, .2) if self.facing == "side" and kind == "N" else g.uniform(0, 6.3)
            index = used[c] % 40; used[c] += 1; put(self.mesh[kind], self.mesh[kind][3], x, y, z, yaw, self.pool[c][index], (g.gauss(0, self.tilt), g.gauss(0, self.tilt)))
            cx, cz, rad = (x / self.half * .5 + 1) * 256, (z / self.half * .5 + 1) * 256, d["base_r"] * 2.4 * px; x0, x1, z0, z1 = (int(np.clip(v, 0, 512)) for v in (cx - rad, cx + rad + 1, cz - rad, cz + rad + 1)); yy, xx = np.mgrid[z0:z1, x0:x1]
            if xx.size: contact[z0:z1, x0:x1] *= 1 - .6 * np.exp(-((xx - cx) ** 2 + (yy - cz) ** 2) / (d["base_r"] * 1.15 * px) ** 2)
            if s is not None: labels.append(dict(piece=letter, x=round(x / self.sq + 4, 3), y=round(4 - z / self.sq, 3), z=0, held=False, height=round(d["h"] / self.sq, 3), radius=round(d["base_r"] / self.sq, 3)))
        for _ in range(g.choice([0, 1, 2])):                 # a clock, a box, a cup beside the board
            m = sets.box(g.uniform(4, 10), g.uniform(1, 7), g.uniform(6, 20)) if g.random() < .6 else sets._lathe([(0, 0), (3, 0), (3.6, 9), (3.3, 9), (2.9, 1), (0, 1)], 20); side = g.choice([-1, 1]); put((*m, None), np.zeros(len(m[2]), np.uint8), side * (self.half + g.uniform(8, 16)), -self.thick + (3 if len(m[0]) < 80 else 0), g.uniform(-1, 1) * self.half, g.uniform(-.3, .3), [[*LIN([g.uniform(10, 240) for _ in range(3)]), .4, .6, 0, 0, 0]])
        casters = sum(len(t) for t in tri); h, w = self.half, 3 * self.half
        for m, rw in ((sets.box(2 * h, self.thick, 2 * h, (0, -self.thick / 2, 0)), 0), (sets.box(2 * w, 1, 2 * w, (0, -self.thick - .5, 0)), 1)):
            p, n, t = m; pos.append(p); nrm.append(n); tri.append(t + count); row.append(np.full(len(t), rw, np.int32)); count += len(p)
        rng = np.random.default_rng(g.randrange(1 << 30)); axes = rng.standard_normal((len(rows), 3)) * .35 + [0, 1, 0] if self.finish["frequency"] < 5 else rng.standard_normal((len(rows), 3)) * .2 + [1, .2, 0]; f64 = lambda v: np.ascontiguousarray(v, np.float64)
        scene = dict(pos=np.vstack(pos), nrm=np.vstack(nrm).astype(np.float32), tri=np.vstack(tri).astype(np.int32), row=np.concatenate(row), rows=f64(rows), origins=f64(origins), axes=f64(axes), casters=casters, board=self.board, table=self.table, half=self.half, top_y=0, table_size=self.half * 2.5, contact=contact, sky=f64(self.sky), ground=f64(self.ground), lobes=self.lobes, lights=self.lights)
        linear = raster.render(scene, cam, WIDTH, HEIGHT) * self.exposure
        out = linear * (2.51 * linear + .03) / (linear * (2.43 * linear + .59) + .14) if self.curve == "film" else np.clip(linear, 0, 1); return (np.clip(out, 0, 1) ** (1 / 2.2) * 255 + .5).astype(np.uint8)[..., ::-1], labels


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter); a.add_argument("out"); a.add_argument("first", type=int); a.add_argument("last", type=int); a.add_argument("--artist", choices=sets.ARTISTS); a = a.parse_args(); os.makedirs(a.out, exist_ok=True); cv2.setNumThreads(1)
    for seed in range(a.first, a.last):
        name = f"{a.out}/{seed}"
        if os.path.exists(name + ".json"): continue
        look, pictures = Look(seed, a.artist), []
        for c in range(CAMERAS):
            g = random.Random(seed * 31 + c); cam = camera(g, look.half); where = placements(g); S = look.sq; space = cam @ np.array([[S, 0, 0, -4 * S], [0, 0, S, 0], [0, -S, 0, 4 * S], [0, 0, 0, 1]]); corner = lambda x, y: [round(float(v), 2) for v in raster.project(space, np.array([[x, y, 0.]]))[0, :2]]
            for k in range(1 + OTHERS):
                image, labels = look.picture(next(where), cam, g); file = f"{seed}-{c * (1 + OTHERS) + k}.jpg"; cv2.imwrite(f"{a.out}/{file}", image, [cv2.IMWRITE_JPEG_QUALITY, 95])
                pictures.append(dict(file=file, mask=None, ms=0, camera=c, start=k == 0, imageFromSpace=space.tolist(), corners=dict(a1=corner(0, 0), h1=corner(8, 0), h8=corner(8, 8), a8=corner(0, 8)), hands=[], pieces=labels))
        with open(name + ".part", "w") as file: json.dump(dict(width=WIDTH, height=HEIGHT, squareCm=look.sq, set=a.artist or f"family {seed}", pictures=pictures), file)
        os.replace(name + ".part", name + ".json"); print(seed, flush=True)


if __name__ == "__main__": main()
