#!/usr/bin/env python3
"""Crops with labels, in one NumPy file per source.

    dataset.py --stills DIR --photos DIR --out DIR

Writes OUT/NAME.npz with `crops` uint8 [N,96,96,3] BGR (half as large again as the network's crop, so that training can shift,
scale and turn), `content` int8 [N] (0 empty, 1..12 PNBRQKpnbrqk, -1 unknown), `hidden` float16 [N] (-1 unknown), `steep` bool [N]
(seen nearly from above: may be turned at will), `group` int32 [N] (look or photo: the unit of the split).
"""
import argparse
import json
import pathlib

import cv2
import numpy as np

import crops as C

WIDE = 1.5
LETTERS = ".PNBRQKpnbrqk"


def wide_crop(image, x, y, side):
    """The crop with a quarter of its side more on each side, 96x96."""
    s = side * WIDE; C_SIZE, C.SIZE = C.SIZE, 96
    try: return C.crop(image, x - (s - side) / 2, y - (s - side) / 2, s)
    finally: C.SIZE = C_SIZE


class Rows:
    def __init__(self): self.crops, self.content, self.hidden, self.steep, self.group = [], [], [], [], []
    def add(self, crop, content, hidden, steep, group):
        self.crops.append(crop); self.content.append(content); self.hidden.append(hidden); self.steep.append(steep); self.group.append(group)
    def save(self, path):
        np.savez(path, crops=np.array(self.crops, np.uint8), content=np.array(self.content, np.int8), hidden=np.array(self.hidden, np.float16), steep=np.array(self.steep, bool), group=np.array(self.group, np.int32))
        print(path, len(self.crops), np.bincount(np.array(self.content) + 1, minlength=14))


def elevation(p):
    """Degrees between the line of sight to the board's centre and the board, from image_from_space."""
    eye = -np.linalg.solve(p[:, :3], p[:, 3]); d = eye - [4, 4, 0]
    return np.degrees(np.arcsin(d[2] / np.linalg.norm(d)))


def stills(folder, out):
    """Rendered scenes.  What stands on a square is the piece whose base is on it; hidden = share of its volume under the mask."""
    rows = Rows()
    for file in sorted(folder.glob("*.json"), key=lambda f: int(f.stem)):
        scene = json.loads(file.read_text())
        for row in scene["pictures"]:
            image, mask = cv2.imread(str(folder / row["file"])), cv2.imread(str(folder / row["mask"]), 0)
            if image is None or mask is None: continue
            h, w = image.shape[:2]; mask = cv2.resize(mask, (w, h)) > 127; true = np.array(row["imageFromSpace"])
            p = C.image_from_space(row["corners"], w, h); steep = elevation(true) > 68; on = {}
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
                rows.add(wide_crop(image, *C.crop_square(p, s)), content, hidden, steep, int(file.stem))
    rows.save(out / "stills.npz")


def boxes(folder, out, group0):
    """Photos with boxes only: the volume's crop is estimated from the box, whose lower end is the piece's base."""
    data = json.loads((folder / "annotations.json").read_text()); by = {}; rows = Rows(); g = np.random.default_rng(group0)
    for a in data["annotations"]: by.setdefault(a["image_id"], []).append(a)
    for picture in data["images"]:
        image = cv2.imread(str(folder / picture["file_name"]))
        here = by.get(picture["id"], [])
        if image is None or not here: continue
        base = []
        for a in here:
            x, y, w, h = a["bbox"]; ratio = h / max(w, 1)
            unit = w / .72                                   # a piece is about 0.72 squares wide
            side = 1.08 * max(unit * .95, min(2.1, .75 + .62 * ratio) * unit * .95); cx, bottom = x + w / 2, y + h
            cy = bottom + .12 * unit - side / 2 if ratio > 1.25 else y + h / 2
            rows.add(wide_crop(image, cx - side / 2, cy - side / 2, side), a["category_id"], -1, False, group0 + picture["id"]); base.append((cx, bottom - .25 * w, unit, side, ratio))
        b = np.array(base); lo, hi = b[:, :2].min(0), b[:, :2].max(0)
        for _ in range(min(10, len(base))):                  # places on the board where nothing stands
            for _ in range(20):
                cx, cy = g.uniform(lo, hi); near = b[np.argmin(np.abs(b[:, 1] - cy))]; unit, side, ratio = near[2], near[3], near[4]
                inside = [(abs(a["bbox"][0] + a["bbox"][2] / 2 - cx) < .5 * a["bbox"][2] + .42 * unit) and a["bbox"][1] - .2 * unit < cy < a["bbox"][1] + a["bbox"][3] + .35 * unit for a in here]
                if any(inside): continue
                top = cy + .4 * unit - side / 2 if ratio > 1.25 else cy
                rows.add(wide_crop(image, cx - side / 2, top - side / 2, side), 0, -1, False, group0 + picture["id"]); break
    rows.save(out / f"{folder.name}.npz")


def boards(folder, out, group0):
    """Overhead photos with corners and placement: exact crops."""
    data = json.loads((folder / "annotations.json").read_text()); rows = Rows()
    for k, picture in enumerate(data["images"]):
        board = picture.get("board") or {}; corners, placement = board.get("corners"), board.get("placement")
        image = cv2.imread(str(folder / picture["file_name"]))
        if image is None or not corners or not placement: continue
        p = C.image_from_space(corners, image.shape[1], image.shape[0]); line = "".join("." * int(c) if c.isdigit() else c for c in placement.replace("/", ""))
        for s in range(64): rows.add(wide_crop(image, *C.crop_square(p, s)), LETTERS.index(line[(7 - s // 8) * 8 + s % 8]), 0, True, group0 + k)
    if rows.crops: rows.save(out / f"{folder.name}.npz")


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for k in ("stills", "photos", "out"): a.add_argument("--" + k, type=pathlib.Path, required=True)
    a = a.parse_args(); a.out.mkdir(parents=True, exist_ok=True); stills(a.stills, a.out)
    for k, name in enumerate(("bobroj-robotic-vision", "lucky545545-otb", "roboflow-chess-pieces")):
        if (a.photos / name).is_dir() and not (a.out / f"{name}.npz").exists(): boxes(a.photos / name, a.out, 100_000 * (k + 1))
    if (a.photos / "wolfgangfahl").is_dir(): boards(a.photos / "wolfgangfahl", a.out, 900_000)
