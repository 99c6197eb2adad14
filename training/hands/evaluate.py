#!/usr/bin/env python3
"""Figures of the hand network alone, on data that trained nothing.

    evaluate.py --model ../../models/hands.onnx --bench BENCH --photos PHOTOS [--stills DIR...] [--sheet OUT.png]

A picture has a hand if an arm covers a quarter of a square (as `src/vision/arms.rs`).  Sequences: their `hand` labels; clips:
frames within `hands_over_board` against frames more than 150 ms away from it; EgoHands: boxes in which a pinch point lies, the whole
picture taken for the board since nobody marked it.
"""
import argparse
import json
import pathlib

import cv2
import numpy as np
import onnxruntime

import data as D
from view import SIDE, crop_from_image, image_from_board, image_from_space, up_in_crop, warp

STEPS = np.array([-.4, -.2, 0, .2, .4])


class Net:
    def __init__(self, path): o = onnxruntime.SessionOptions(); o.intra_op_num_threads = 1; self.s = onnxruntime.InferenceSession(str(path), o)
    def __call__(self, image, m, up):
        x = warp(image if np.linalg.norm(m[:, 0]) > .4 else image, m)[..., ::-1].transpose(2, 0, 1).astype(np.float32) / 255
        full = np.concatenate([x, np.broadcast_to(np.array([*up], np.float32)[:, None, None], (2, SIDE, SIDE)), np.broadcast_to(np.linspace(-1, 1, SIDE, dtype=np.float32)[None, :, None], (1, SIDE, SIDE))])
        return [t[0] for t in self.s.run(None, {"view": full[None].astype(np.float32)})]


def look(net, image, corners):
    """Squares covered, and the maps, for a picture with known corners."""
    h, w = image.shape[:2]; m = crop_from_image(corners); k = 2 * np.linalg.norm(m[:, 0]); small = cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA) if k < .8 else image; k = k if k < .8 else 1
    arms, centres, hands = net(small, np.column_stack([m[:, :2] / k, m[:, 2]]), up_in_crop(image_from_space(corners, w, h), m)); mask = arms.max(0) > 0; board = image_from_board(corners); n = 0
    for s in range(64):
        x, y = np.meshgrid(s % 8 + .5 + STEPS, s // 8 + .5 + STEPS); q = board @ np.stack([x.ravel(), y.ravel(), np.ones(25)]); at = (m[:, :2] @ (q[:2] / q[2]) + m[:, 2:]) / 4; i = at.astype(int); ok = (i >= 0).all(0) & (i < D.MASK).all(0); n += mask[i[1, ok], i[0, ok]].sum() >= 6.25
    return n, m, arms, centres, hands


def drawn(image, m, arms, centres, text):
    x = warp(image, m); for_owner = cv2.resize(1 / (1 + np.exp(-arms.transpose(1, 2, 0))), (SIDE, SIDE)); x = x.astype(np.float32); x[..., 2] += 110 * for_owner[..., 0]; x[..., 1] += 110 * for_owner[..., 1]; x = np.clip(x, 0, 255).astype(np.uint8)
    for o, y, q in np.argwhere(centres > 0): cv2.circle(x, (int(q * 8 + 4), int(y * 8 + 4)), 5, (255, 0, 255) if o == 0 else (255, 255, 0), 2)
    cv2.putText(x, text, (3, 12), 0, .4, (255, 255, 255), 1); return x


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter); a.add_argument("--model", type=pathlib.Path, required=True); a.add_argument("--bench", type=pathlib.Path); a.add_argument("--photos", type=pathlib.Path); a.add_argument("--stills", type=pathlib.Path, nargs="*", default=[]); a.add_argument("--sheet", type=pathlib.Path); a = a.parse_args(); net = Net(a.model); sheet = []
    if a.bench:
        for folder in sorted((a.bench / "real" / "sequences").glob("*")):
            if not (folder / "truth.json").exists(): continue
            truth = json.loads((folder / "truth.json").read_text()); rows = []
            for f in truth["frames"]:
                if f["hand"] is None: continue
                image = cv2.imread(str(folder / f["file"])); corners = f.get("corners") or truth["corners"]; n, m, arms, centres, _ = look(net, image, corners); rows.append((f["hand"], n > 0))
                if f["hand"] != (n > 0): sheet.append(drawn(image, m, arms, centres, f"{folder.name[-5:]} {f['file'][7:13]} {'missed' if f['hand'] else 'false'} {n}"))
            t, p = np.array(rows).T; print(folder.name, f"hand found {(t & p).sum()}/{t.sum()}, falsely {(~t & p).sum()}/{(~t).sum()}")
        for video in sorted(a.bench.glob("*/*.avi")):
            truth = json.loads(video.with_suffix(".truth.json").read_text()); spans = truth.get("hands_over_board") or []; source = cv2.VideoCapture(str(video)); rows = []; corners = truth["corners"]
            while True:
                ok, image = source.read(); ms = source.get(cv2.CAP_PROP_POS_MSEC)
                if not ok: break
                inside = any(s["from_ms"] <= ms <= s["to_ms"] for s in spans); near = any(s["from_ms"] - 150 <= ms <= s["to_ms"] + 150 for s in spans)
                if near and not inside: continue
                n, m, arms, centres, _ = look(net, image, corners); rows.append((inside, n > 0))
                if inside != (n > 0): sheet.append(drawn(image, m, arms, centres, f"{ms:.0f} {'missed' if inside else 'false'} {n}"))
            t, p = np.array(rows).T; print(video.stem, f"hand found {(t & p).sum()}/{t.sum()}, falsely {(~t & p).sum()}/{(~t).sum()}")
    if a.photos and (a.photos / "hands").is_dir():
        data = json.loads((a.photos / "hands" / "annotations.json").read_text()); by = {}; hit = total = false = 0
        for b in data["annotations"]: by.setdefault(b["image_id"], []).append(b["bbox"])
        for picture in data["images"]:
            image = cv2.imread(str(a.photos / "hands" / picture["file_name"])); h, w = image.shape[:2]; k = SIDE / max(h, w); m = np.array([[k, 0, (SIDE - k * w) / 2], [0, k, (SIDE - k * h) / 2]]); small = cv2.resize(image, None, fx=2 * k, fy=2 * k, interpolation=cv2.INTER_AREA)
            arms, centres, hands = net(small, np.column_stack([m[:, :2] / (2 * k), m[:, 2]]), (0, -.7)); boxes = by.get(picture["id"], []); found = [False] * len(boxes); best = centres.max(0)
            peaks = [(y, q) for y, q in np.argwhere(best > -1) if best[max(0, y - 1):y + 2, max(0, q - 1):q + 2].max() == best[y, q]]
            for y, q in peaks:
                v = hands[:, y, q]; at = ((np.array([q + .5 + v[0], y + .5 + v[1]]) * 8) - m[:, 2]) / k; inside = [i for i, (bx, by_, bw, bh) in enumerate(boxes) if bx - 8 <= at[0] <= bx + bw + 8 and by_ - 8 <= at[1] <= by_ + bh + 8]
                for i in inside: found[i] = True
                false += not inside
            hit += sum(found); total += len(boxes)
        print(f"EgoHands chess: boxes with a pinch point {hit}/{total}, pinch points outside all boxes {false}")
    if a.stills:
        import torch
        import train as T
        class Onnx(torch.nn.Module):
            def forward(self, x): return [torch.from_numpy(t) for t in net.s.run(None, {"view": x.numpy()})]
        print("unseen looks:", T.validate(Onnx(), D.scenes(a.stills, True)))
    if a.sheet and sheet: g = np.random.default_rng(1); pick = sheet if len(sheet) <= 48 else [sheet[i] for i in sorted(g.choice(len(sheet), 48, replace=False))]; pick += [np.zeros_like(pick[0])] * (-len(pick) % 8); cv2.imwrite(str(a.sheet), np.vstack([np.hstack(pick[i:i + 8]) for i in range(0, len(pick), 8)]))


if __name__ == "__main__": main()
