"""Episodes for the square reader: one set in one light and camera, a picture of its start position and others, as a game gives them.

Pictures come from `scenes/tabletop.py`.  A whole picture is worked on (cut to the board, scaled, sharpened, compressed, shadowed, arms
laid over it), then cut into crops, so that an episode looks as one camera would show it.
"""
import json
import pathlib

import cv2
import numpy as np

import crops as C

LETTERS = ".PNBRQKpnbrqk"
NOISE = np.random.default_rng(7).standard_normal((900, 1000, 1), dtype=np.float32)


def placed(row) -> dict:
    """Square -> content index (0 a1) of what stands within its square."""
    return {int(q["y"]) * 8 + int(q["x"]): LETTERS.index(q["piece"]) for q in row["pieces"] if q["z"] < .04 and 0 <= q["x"] < 8 and 0 <= q["y"] < 8}


def rectified(corners, rng, width, height):
    """Homography to a square picture with next to no margin, the new corners, and its side."""
    side = int(rng.integers(360, 640)); low = rng.uniform(-6, 24); k = (side - 2 * low) / 8
    to = dict(zip(("a1", "h1", "h8", "a8"), (np.array([[0, 8], [8, 8], [8, 0], [0, 0]]) * k + low).tolist()))
    return C.image_from_board(to) @ np.linalg.inv(C.image_from_board(corners)), to, side


def hidden(row, true, on, cover):
    """[64] share of each square's volume, or of the piece on it, under a cover."""
    h, w = cover.shape; share = np.zeros(64, np.float32); sizes = {int(q["y"]) * 8 + int(q["x"]): q for q in row["pieces"] if 0 <= q["x"] < 8 and 0 <= q["y"] < 8}
    for s in range(64):
        prism = C.prism(s, 2 * sizes[s]["radius"], sizes[s]["height"]) if s in on else C.prism(s, .8, .12)
        hull = cv2.convexHull(C.project(true, prism).astype(np.float32)).astype(np.int32); x, y, bw, bh = cv2.boundingRect(hull)
        x0, y0, x1, y1 = max(0, x), max(0, y), min(w, x + bw), min(h, y + bh)
        if x1 <= x0 or y1 <= y0: continue
        shape = np.zeros((y1 - y0, x1 - x0), np.uint8); cv2.fillConvexPoly(shape, hull - [x0, y0], 1)
        share[s] = cover[y0:y1, x0:x1][shape > 0].mean() if shape.any() else 0
    return share


class Arms:
    """Arms cut from rendered stills: pictures with masks (blue: all that hides the board)."""
    def __init__(self, folders, most=400):
        self.files = [(f, f.with_name(f.name.replace(".mask.png", ".jpg"))) for d in folders for f in sorted(pathlib.Path(d).glob("*.mask.png"))]; np.random.default_rng(1).shuffle(self.files); self.files = self.files[:most]

    def draw(self, rng, width, height):
        """Picture and cover (0..1) of the size asked, or None where the mask is all but empty."""
        mask, image = self.files[rng.integers(len(self.files))]; m, i = cv2.imread(str(mask)), cv2.imread(str(image))
        if m is None or i is None or not .01 < (m[..., 0] > 127).mean() < .5: return None
        h, w = i.shape[:2]; m = cv2.resize(m[..., 0], (w, h)); s, t = rng.uniform(.8, 1.5), rng.uniform(-3.14, 3.14); c, n = s * np.cos(t), s * np.sin(t)
        a = np.array([[c, -n, width / 2 + rng.uniform(-.2, .2) * width - c * w / 2 + n * h / 2], [n, c, height / 2 + rng.uniform(-.2, .2) * height - n * w / 2 - c * h / 2]])
        return cv2.warpAffine(i, a, (width, height), borderMode=cv2.BORDER_REPLICATE), cv2.GaussianBlur(cv2.warpAffine(m, a, (width, height)), (3, 3), 0).astype(np.float32)[..., None] / 255


class Grade:
    """What camera and light do to all pictures of an episode, with a little of its own for each."""
    def __init__(self, rng, hard):
        u = rng.uniform; self.rng = rng; k = 1 if hard else .35
        self.gain, self.saturation, self.contrast, self.offset, self.gamma = 1 + k * .08 * rng.standard_normal(3), 1 + k * u(-.85, .2), 1 + k * u(-.35, .25), k * u(-.12, .08), np.exp(k * u(-.3, .4))
        self.blur, self.sharp, self.radius = k * u(0, 1.3) * (u() < .6), k * u(0, 2.2) * (u() < .5), u(.8, 2.2); self.noise, self.quality = k * u(0, 9), int(u(12, 60)) if hard and u() < .6 else 92
        self.low = u(.35, .9) if u() < .5 * k else 1.0; self.slope = k * u(-.35, .35, 2); self.edge = (u(0, 6.3), u(-.6, .6), u(8, 60), u(.2, .6)) if u() < .25 * k else None; self.glare = (u(0, 1, 2), u(.08, .4), u(.1, .6)) if u() < .25 * k else None

    def __call__(self, image):
        h, w = image.shape[:2]; rng = self.rng; full = (w, h)
        if self.low < 1: image = cv2.resize(image, (int(w * self.low), int(h * self.low)), interpolation=cv2.INTER_AREA)
        h, w = image.shape[:2]; x = image.astype(np.float32) * np.float32(1 / 255); grey = x.mean(2, keepdims=True); x = (grey + (x - grey) * np.float32(self.saturation)) * (self.gain * rng.uniform(.9, 1.1)).astype(np.float32)
        yy, xx = np.linspace(-1, 1, h, dtype=np.float32)[:, None], np.linspace(-1, 1, w, dtype=np.float32)[None]; light = 1 + np.float32(self.slope[0]) * xx + np.float32(self.slope[1]) * yy
        if self.edge: a, at, steep, dark = self.edge; light = light * (1 - np.float32(dark) / (1 + np.exp(-((xx * np.float32(np.cos(a)) + yy * np.float32(np.sin(a)) - np.float32(at)) * np.float32(steep)))))
        x = (x - .5) * np.float32(self.contrast) + np.float32(.5 + self.offset + .02 * rng.standard_normal()); x *= light[..., None]
        if self.glare: (cx, cy), size, much = self.glare; x += (much * np.exp(-(((xx + 1) / 2 - cx) ** 2 + ((yy + 1) / 2 - cy) ** 2) / size ** 2)).astype(np.float32)[..., None]
        x = np.clip(x, 1e-3, 1) ** np.float32(self.gamma)
        if self.blur > .3: x = cv2.GaussianBlur(x, (0, 0), self.blur)
        if self.noise > 1: a, b = rng.integers(NOISE.shape[0] - h), rng.integers(NOISE.shape[1] - w); x += NOISE[a:a + h, b:b + w] * np.float32(self.noise / 255)
        if self.low < 1: x = cv2.resize(x, full, interpolation=cv2.INTER_CUBIC if self.radius > 1.2 else cv2.INTER_LINEAR)
        if self.sharp > .2: x = x + np.float32(self.sharp) * (x - cv2.GaussianBlur(x, (0, 0), self.radius))
        image = (np.clip(x, 0, 1) * 255 + .5).astype(np.uint8)
        return cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self.quality])[1], 1) if self.quality < 90 else image


class Episodes:
    """Looks in a folder; the tenth whose seed ends in 9 are held out."""
    def __init__(self, folders, held=None, arms=None): self.folders, self.held, self.arms, self.looks, self.known = [pathlib.Path(f) for f in folders], held, arms, [], set(); self.rescan()

    def rescan(self):
        for f in sorted(f for d in self.folders for f in d.glob("*.json")):
            if f in self.known or self.held is not None and (int(f.stem) % 10 == 9) != self.held: continue
            self.known.add(f); self.looks.append((f.parent, json.loads(f.read_text())["pictures"]))

    def draw(self, rng, look=None, camera=None, others=2, hard=True, limit=None):
        """(crops uint8 [N,64,64,3] BGR, lean [N], content, hidden share, square, picture, off [N,2]); picture 0 is the start
        position; off is what the believed lean lacks (right and up in the crop, squares), not a number where nothing stands."""
        folder, rows = self.looks[rng.integers(len(self.looks)) if look is None else look]
        camera = rng.choice(sorted({r["camera"] for r in rows})) if camera is None else camera
        mine = [r for r in rows if r["camera"] == camera]; rest = [r for r in mine if not r["start"]]
        mine = [r for r in mine if r["start"]] + [rest[i] for i in rng.permutation(len(rest))[:others]]
        grade = Grade(rng, hard); corners = mine[0]["corners"]; true = np.array(mine[0]["imageFromSpace"]); eye = C.eye_of(true)
        warp, out, seen, mirror, scale = None, [], corners, rng.random() < .5, rng.uniform(.94, 1.07)
        if C.elevation(eye) > 68 and rng.random() < .5: warp, seen, side = rectified(corners, rng, 640, 480)
        unit = np.hypot(*(np.array(seen["a1"]) - seen["h1"])) / 8
        seen = {k: (np.array(v) + rng.normal(0, .02 * unit, 2)).tolist() for k, v in seen.items()}; seeming = C.believed(eye, rng)
        for index, row in enumerate(mine):
            image = cv2.imread(str(folder / row["file"])); h, w = image.shape[:2]; on, share = placed(row), np.zeros(64, np.float32)
            if index and self.arms and rng.random() < .3 and (laid := self.arms.draw(rng, w, h)):
                image = (image * (1 - laid[1]) + laid[0] * laid[1]).astype(np.uint8); share = hidden(row, true, on, laid[1][..., 0] > .5)
            if warp is not None: image = cv2.warpPerspective(image, warp, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            image = grade(image); p, real = C.seen_from(seen, seeming), C.seen_from(seen, eye); squares = np.array(sorted(on)); free = np.array([s for s in range(64) if s not in on])
            if limit: squares = rng.permutation(squares)[:limit[0] if index else 32]; free = rng.permutation(free)[:limit[1]]
            for s in np.concatenate([squares, free]).astype(int):
                foot, unit_px, up = C.lean(p, s % 8 + .5, s // 8 + .5); x, y, size, angle = C.box(foot, unit_px, up)
                crop = C.crop(image, *(np.array([x, y]) + rng.normal(0, .02, 2) * size), size * scale * rng.uniform(.97, 1.03), angle)
                off = C.in_crop(C.lean(real, s % 8 + .5, s // 8 + .5)[2] - up, angle) if on.get(s) and share[s] < .1 else np.full(2, np.nan)
                out.append((crop[:, ::-1] if mirror else crop, np.hypot(*up), on.get(s, 0), share[s], s, index, off * [-1 if mirror else 1, 1]))
        crops, lean, content, hide, square, picture, off = map(np.array, zip(*out))
        return crops, lean.astype(np.float32), content, hide.astype(np.float32), square, picture, off.astype(np.float32)
