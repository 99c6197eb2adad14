"""Pictures with hands for training: rendered stills (exact labels), and photos of boards without hands as other backgrounds."""
import json
import pathlib

import cv2
import numpy as np

from view import SIDE, UNIT, crop_from_image, image_from_space, project, up_in_crop, warp

cv2.setNumThreads(1)
CELL = 8                                     # pixels of the crop per cell of the hand maps
CELLS, MASK = SIDE // CELL, SIDE // 4
# What is said of a hand: shift of its pinch point from the cell's centre, five finger tips, wrist and knuckles from the pinch
# point (all in cells), height of the pinch point and of the tips (squares), opening (squares).
PLACES, HEIGHTS = 16, 7
FLAGS = ("touches", "lifts", "right")
ROWS = PLACES + HEIGHTS + len(FLAGS)


def scenes(folders, held_out, known=()):
    """Rendered looks but those in `known`; those whose seed ends in 9 are held out."""
    out = []
    for file in sorted((f for d in folders for f in pathlib.Path(d).glob("*.json")), key=lambda f: int(f.stem)):
        if (int(file.stem) % 10 == 9) != held_out or file.stem in known: continue
        for row in json.loads(file.read_text())["pictures"]:
            if "hands" not in row: continue
            image, mask = cv2.imread(str(file.parent / row["file"])), cv2.imread(str(file.parent / row["mask"]))
            if image is not None and mask is not None: out.append((image, mask, row))
    return out


def photos(folder):
    """Photos of boards on which no hand is seen."""
    out = []
    for name in ("roboflow-chess-pieces", "jialinding", "bobroj-robotic-vision", "wolfgangfahl"):
        for file in sorted((pathlib.Path(folder) / name / "images").glob("*")):
            image = cv2.imread(str(file))
            if image is not None: k = 640 / max(image.shape[:2]); out.append(cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA))
    return out


def jittered(m, g):
    """The similarity turned, shifted and scaled a little: corners are never exact, and hands vary."""
    a, s = g.normal(0, .1), np.exp(g.normal(0, .07)); c = np.array([SIDE / 2] * 2); r = s * np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return np.column_stack([r @ m[:, :2], r @ (m[:, 2] - c) + c + g.normal(0, 8, 2)])


def hands_of(row, p, m, mask):
    """Each hand that is seen: owner (0 White, 1 Black), pinch point [2] and the other places [7,2] in crop pixels, heights [7], flags [3]."""
    out = []
    for h in row["hands"]:
        points = np.array([h["pinch"], *h["tips"], h["wrist"], np.mean(h["knuckles"], 0)])
        if points[:, 2].min() < -3: continue                                   # under the table
        at = project(p, points) @ m[:, :2].T + m[:, 2]; own = 2 if h["player"] == "white" else 1
        if not ((at[0] > 2) & (at[0] < SIDE - 2)).all(): continue
        near = [mask[max(0, y - 2):y + 3, max(0, x - 2):x + 3, own].max(initial=0) > 100 for x, y in (at[[0, 1, 2, 7]] / 4).astype(int)]
        if sum(near) < 2: continue                                             # behind something
        out.append((0 if h["player"] == "white" else 1, at[0], at[1:], [points[0, 2], *points[1:6, 2], h["aperture"]], [h["touches"] is not None, h["lifted"], h["side"] == "right"]))
    return out


def background(image, g):
    """A random part of a photo as the crop."""
    h, w = image.shape[:2]; s = SIDE / min(h, w) * g.uniform(.95, 1.6); a = g.choice([0, 0, 0, np.pi / 2, -np.pi / 2, np.pi]) + g.normal(0, .15); r = s * np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    m = np.column_stack([r, SIDE / 2 - r @ [w / 2, h / 2] + g.normal(0, 20, 2)])
    return warp(image, m, border=cv2.BORDER_REPLICATE)


def moved(length, g):
    """The kernel of a straight movement."""
    n = int(np.ceil(length)) | 1; a = g.uniform(0, np.pi); k = np.zeros((n, n), np.float32); c = n // 2; d = length / 2 * np.array([np.cos(a), np.sin(a)])
    cv2.line(k, tuple(np.round(c - d).astype(int).tolist()), tuple(np.round(c + d).astype(int).tolist()), 1.0, 1, cv2.LINE_AA); return k / k.sum()


def colours(x, g):
    """Light, camera and compression, on BGR uint8."""
    n = len(x); x = x.astype(np.float32) / 255
    if g.random() < .25: x = cv2.filter2D(x, -1, moved(g.uniform(1.5, 7), g))
    if g.random() < .25: x = cv2.GaussianBlur(x, (0, 0), g.uniform(.4, 1.6))
    if g.random() < .25: s = int(n * g.uniform(.35, .8)); x = cv2.resize(cv2.resize(x, (s, s), interpolation=cv2.INTER_AREA), (n, n))
    grey = x.mean(2, keepdims=True); x = grey + (x - grey) * np.float32(g.choice([g.uniform(.3, 1.5), g.uniform(.8, 1.2), 0], p=[.55, .4, .05]))
    x = x * np.exp(g.normal(0, .09, 3)).astype(np.float32)
    if g.random() < .3:                                                        # a gradient of light, or the edge of a shadow
        a = g.uniform(0, 6.3); line = np.linspace(-1, 1, n, dtype=np.float32); t = np.cos(a) * line[None] + np.sin(a) * line[:, None]; t = t if g.random() < .5 else np.tanh((t - g.uniform(-.6, .6)) * g.uniform(4, 25)); x = x * np.float32(1 + g.uniform(-.4, .4) * t)[..., None]
    x = (x - .5) * np.float32(g.uniform(.6, 1.35)) + np.float32(.5 + g.uniform(-.15, .15)); x = np.clip(x, 1e-3, 1) ** np.float32(np.exp(g.uniform(-.5, .5)))
    x = np.clip(x + g.standard_normal(x.shape, np.float32) * np.float32(g.uniform(0, .04)), 0, 1); x = (x * 255).astype(np.uint8)
    if g.random() < .3: x = cv2.imdecode(cv2.imencode(".jpg", x, [cv2.IMWRITE_JPEG_QUALITY, int(g.integers(25, 80))])[1], 1)
    return x


def sample(source, g, backgrounds=(), exact=False):
    """One training example: image [6,SIDE,SIDE] (RGB 0..1, up x, up y, rows), mask [2,MASK,MASK], owner map, rows, weight."""
    image, mask, row = source; h, w = image.shape[:2]; m = crop_from_image(row["corners"]); p = np.array(row["imageFromSpace"])
    up = up_in_crop(p if exact or g.random() < .5 else image_from_space(row["corners"], w, h), m)
    if not exact: m = jittered(m, g); up = up * np.exp(g.normal(0, .1)) + g.normal(0, .03, 2)
    x = warp(image, m)
    half = np.array([[w / mask.shape[1], 0], [0, h / mask.shape[0]]]); seen = warp(mask, np.column_stack([m[:, :2] @ half, m[:, 2]]))
    hands = hands_of(row, p, m, cv2.resize(seen, (MASK, MASK), interpolation=cv2.INTER_AREA))
    if not exact:
        r = g.random(); arms = cv2.GaussianBlur(np.maximum(seen[..., 1], seen[..., 2]).astype(np.float32) / 255, (0, 0), .7)[..., None]
        if g.random() < .5: x = np.clip(x * (1 + arms * (np.exp(g.uniform(-1.2, .35) + g.normal(0, .12, 3)) - 1)), 0, 255).astype(np.uint8)      # hands in shadow or in the lamp's light
        if backgrounds and r < .42:
            b = background(backgrounds[g.integers(len(backgrounds))], g)
            if r < .1: x, seen, hands = b, np.zeros_like(seen), []
            else:
                if g.random() < .5: shade = cv2.GaussianBlur(arms, (0, 0), g.uniform(3, 9)); k = g.uniform(.2, .6); b = b * (1 - k * cv2.warpAffine(shade, np.float32([[1, 0, g.normal(0, 10)], [0, 1, g.normal(0, 10)]]), (SIDE, SIDE))[..., None])
                layer = x * arms
                if g.random() < .35: k = moved(g.uniform(4, 26), g); layer, arms, seen = cv2.filter2D(layer, -1, k), cv2.filter2D(arms, -1, k)[..., None], cv2.filter2D(seen, -1, k)      # a quick hand is a translucent smear
                x = np.clip(layer + b * (1 - arms), 0, 255).astype(np.uint8)
        if g.random() < .25:                                                   # footage that was cut to the board
            c = np.array([row["corners"][k] for k in ("a1", "h1", "h8", "a8")]) @ m[:, :2].T + m[:, 2]; c = c.mean(0) + (c - c.mean(0)) * g.uniform(1.0, 1.25); keep = np.zeros((SIDE, SIDE), np.uint8); cv2.fillConvexPoly(keep, cv2.convexHull(c.astype(np.float32)).astype(np.int32), 1)
            x = x * keep[..., None]; seen = seen * keep[..., None]; hands = [q for q in hands if keep[int(q[1][1]), int(q[1][0])]]
        x = colours(x, g)
    target = cv2.resize(seen, (MASK, MASK), interpolation=cv2.INTER_AREA)[..., [2, 1]].transpose(2, 0, 1).astype(np.float32) / 255; x = x[..., ::-1].transpose(2, 0, 1).astype(np.float32) / 255
    if not exact:
        if g.random() < .5: x, target = x[:, :, ::-1], target[:, :, ::-1]; up = up * [-1, 1]; hands = [(o, np.array([SIDE - a[0], a[1]]), np.column_stack([SIDE - q[:, 0], q[:, 1]]), z, [f[0], f[1], not f[2]]) for o, a, q, z, f in hands]
        if g.random() < .5: x, target = x[:, ::-1, ::-1], target[::-1, ::-1, ::-1]; up = -up; hands = [(1 - o, SIDE - a, SIDE - q, z, f) for o, a, q, z, f in hands]
    heat, rows, weight = np.zeros((2, CELLS, CELLS), np.float32), np.zeros((ROWS, CELLS, CELLS), np.float32), np.zeros((CELLS, CELLS), np.float32); ij = np.arange(CELLS) + .5
    for owner, at, places, heights, flags in hands:
        c = at / CELL; spread = np.exp(-((ij[None] - c[0]) ** 2 + (ij[:, None] - c[1]) ** 2) / (2 * .8 ** 2)); cell = np.minimum(c.astype(int), CELLS - 1); spread[cell[1], cell[0]] = 1; heat[owner] = np.maximum(heat[owner], spread)
        for y in range(max(0, cell[1] - 1), min(CELLS, cell[1] + 2)):
            for q in range(max(0, cell[0] - 1), min(CELLS, cell[0] + 2)):
                if spread[y, q] > weight[y, q]: weight[y, q] = spread[y, q]; rows[:, y, q] = np.concatenate([c - [q + .5, y + .5], ((places - at) / CELL).ravel(), heights, flags])
    full = np.concatenate([x, np.broadcast_to(np.array([*up], np.float32)[:, None, None], (2, SIDE, SIDE)), np.broadcast_to(np.linspace(-1, 1, SIDE, dtype=np.float32)[None, :, None], (1, SIDE, SIDE))])
    return full.astype(np.float32), np.ascontiguousarray(target), heat, rows, weight
