#!/usr/bin/env python3
"""Crops with labels, in one NumPy file per source.

    dataset.py --stills DIR... --photos DIR --out DIR

Writes OUT/NAME.npz with `crops` uint8 [N,96,96,4] BGR and cover (255 where a hand, arm or held piece is seen) (half as large again
as the network's crop, so that training can shift, scale and turn), `content` int8 [N] (0 empty, 1..12 PNBRQKpnbrqk, -1 unknown),
`hidden` float16 [N] (-1 unknown), `lean` float16 [N] (length of the up vector), `group` int32 [N] (look or photo: the unit of the split).
"""
import argparse
import json
import pathlib

import cv2
import numpy as np

import crops as C

WIDE = 1.5
LETTERS = ".PNBRQKpnbrqk"


def wide_crop(image, x, y, side, angle):
    """The crop with a quarter of its side more on each side, 96x96."""
    return C.crop(image, x, y, side * WIDE, angle, 96)


class Rows:
    def __init__(self): self.rows = []
    def add(self, crop, content, hidden, lean, group): self.rows.append((crop, content, hidden, lean, group))
    def save(self, path):
        types = dict(crops=np.uint8, content=np.int8, hidden=np.float16, lean=np.float16, group=np.int32)
        out = {k: np.array([r[i] for r in self.rows], t) for i, (k, t) in enumerate(types.items())}; np.savez(path, **out)
        print(path, len(self.rows), np.bincount(out["content"] + 1, minlength=14))


def rectified(image, corners, g):
    """The board warped to a square picture with next to no margin, and its corners: much overhead footage comes like that."""
    side = g.integers(360, 680); low = g.uniform(-6, 30); k = (side - 2 * low) / 8
    to = dict(zip(("a1", "h1", "h8", "a8"), (np.array([[0, 8], [8, 8], [8, 0], [0, 0]]) * k + low + g.uniform(-3, 3, (4, 2))).tolist()))
    warp = C.image_from_board(to) @ np.linalg.inv(C.image_from_board(corners))
    return cv2.warpPerspective(image, warp, (int(side), int(side)), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE), to


def stills(folder, out):
    """Rendered scenes.  What stands on a square is the piece whose base is on it; hidden = share of its volume under the mask."""
    rows = Rows(); g = np.random.default_rng(5)
    for file in sorted((f for d in folder for f in d.glob("*.json")), key=lambda f: int(f.stem)):
        scene = json.loads(file.read_text())
        for row in scene["pictures"]:
            image, mask = cv2.imread(str(file.parent / row["file"])), cv2.imread(str(file.parent / row["mask"]))
            if image is None or mask is None: continue
            mask = mask[..., 0]                               # blue: all that hides the board
            h, w = image.shape[:2]; cover = cv2.resize(mask, (w, h)); mask = cover > 127; true = np.array(row["imageFromSpace"])
            eye, on, seen, corners = C.eye_of(true), {}, np.dstack([image, cover]), row["corners"]
            if C.elevation(eye) > 68 and g.random() < .45: seen, corners = rectified(seen, corners, g)
            p = C.seen_from(corners, C.believed(eye, g))
            for q in row["pieces"]:
                if q["z"] < .04 and 0 <= q["x"] < 8 and 0 <= q["y"] < 8: on.setdefault(int(q["y"]) * 8 + int(q["x"]), []).append(q)
            for s in range(64):
                here = on.get(s, []); content = LETTERS.index(here[0]["piece"]) if here else 0
                if len(here) > 1 or here and max(abs(here[0]["x"] % 1 - .5), abs(here[0]["y"] % 1 - .5)) > .38: continue
                if here: prism = C.prism(s, 2 * here[0]["radius"], here[0]["height"]) + [here[0]["x"] - s % 8 - .5, here[0]["y"] - s // 8 - .5, 0]
                else: prism = C.prism(s, .8, .12)
                hull = cv2.convexHull(C.project(true, prism).astype(np.float32)).astype(np.int32)
                x, y, bw, bh = cv2.boundingRect(hull); x0, y0, x1, y1 = max(0, x), max(0, y), min(w, x + bw), min(h, y + bh)
                if x1 <= x0 or y1 <= y0: continue
                shape = np.zeros((y1 - y0, x1 - x0), np.uint8); cv2.fillConvexPoly(shape, hull - [x0, y0], 1); area = shape.sum()
                if not area: continue
                hidden = float((mask[y0:y1, x0:x1] & (shape > 0)).sum() / area)
                if content == 0 and hidden < .02 and (s * 7 + int(row["ms"])) % 3: continue      # a third of the plain empties is enough
                foot, unit, up = C.lean(p, s % 8 + .5, s // 8 + .5)
                rows.add(wide_crop(seen, *C.box(foot, unit, up)), content, hidden, np.hypot(*up), int(file.stem))
    rows.save(out / "stills.npz")


WIDTHS = np.array([.6, .72, .7, .72, .76, .78]); HEIGHTS = np.array([.85, 1.1, 1.2, .93, 1.43, 1.66])     # squares, P N B R Q K of usual sets


def tilt(here) -> float:
    """Elevation (radians) under which the boxes of one photo have their shapes."""
    k = np.array([(a["category_id"] - 1) % 6 for a in here]); ratio = np.array([a["bbox"][3] / max(a["bbox"][2], 1) for a in here]); angles = np.radians(np.arange(15, 91))
    want = (HEIGHTS[k][:, None] * np.cos(angles) + WIDTHS[k][:, None] * np.sin(angles)) / WIDTHS[k][:, None]
    return float(angles[np.abs(np.log(want) - np.log(ratio)[:, None]).mean(0).argmin()])


def boxes(folder, out, group0, hidden):
    """Photos with boxes only: base, scale and elevation are estimated from the boxes."""
    data = json.loads((folder / "annotations.json").read_text()); by = {}; rows = Rows(); g = np.random.default_rng(group0)
    for a in data["annotations"]: by.setdefault(a["image_id"], []).append(a)
    for picture in data["images"]:
        image, here = cv2.imread(str(folder / picture["file_name"])), by.get(picture["id"], [])
        if image is None or len(here) < 3: continue
        image = np.dstack([image, np.zeros(image.shape[:2], np.uint8)]); e = tilt(here); up = (0, -C.UP * np.cos(e)); b = []
        for a in here:
            x, y, w, h = a["bbox"]; unit = w / WIDTHS[(a["category_id"] - 1) % 6]; base = (x + w / 2, y + h - .36 * unit * np.sin(e))
            rows.add(wide_crop(image, *C.box(base, unit, up)), a["category_id"], hidden, -up[1], group0 + picture["id"]); b.append((*base, unit))
        b = np.array(b); lo, hi = b[:, :2].min(0), b[:, :2].max(0)
        for _ in range(min(12, len(b))):                     # places on the board where nothing stands
            for _ in range(20):
                at = g.uniform(lo, hi); unit = b[np.argmin(np.abs(b[:, 1] - at[1])), 2]; d = np.abs(b[:, :2] - at) / unit
                if ((d[:, 0] < .75) & (d[:, 1] < .75 * max(.45, np.sin(e)))).any() or np.sort(np.hypot(*d.T))[0] > 2.2: continue
                rows.add(wide_crop(image, *C.box(at, unit, up)), 0, hidden, -up[1], group0 + picture["id"]); break
    rows.save(out / f"{folder.name}.npz")


def boards(folder, out, group0):
    """Overhead photos with corners and placement: exact crops."""
    data = json.loads((folder / "annotations.json").read_text()); rows = Rows()
    for k, picture in enumerate(data["images"]):
        board = picture.get("board") or {}; corners, placement = board.get("corners"), board.get("placement")
        image = cv2.imread(str(folder / picture["file_name"]))
        if image is None or not corners or not placement: continue
        p = C.image_from_space(corners, image.shape[1], image.shape[0]); line = "".join("." * int(c) if c.isdigit() else c for c in placement.replace("/", ""))
        image = np.dstack([image, np.zeros(image.shape[:2], np.uint8)])
        for s in range(64):
            foot, unit, up = C.lean(p, s % 8 + .5, s // 8 + .5)
            rows.add(wide_crop(image, *C.box(foot, unit, up)), LETTERS.index(line[(7 - s // 8) * 8 + s % 8]), 0, np.hypot(*up), group0 + k)
    if rows.rows: rows.save(out / f"{folder.name}.npz")


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for k in ("photos", "out"): a.add_argument("--" + k, type=pathlib.Path, required=True)
    a.add_argument("--stills", type=pathlib.Path, nargs="+", required=True)
    a = a.parse_args(); a.out.mkdir(parents=True, exist_ok=True); stills(a.stills, a.out)
    # No hands in two of the sources; some photos of the third have them, which nobody has marked.
    for k, (name, hidden) in enumerate((("bobroj-robotic-vision", 0), ("lucky545545-otb", -1), ("roboflow-chess-pieces", 0))):
        if (a.photos / name).is_dir(): boxes(a.photos / name, a.out, 100_000 * (k + 1), hidden)
    if (a.photos / "wolfgangfahl").is_dir(): boards(a.photos / "wolfgangfahl", a.out, 900_000)
