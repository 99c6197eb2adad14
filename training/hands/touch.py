#!/usr/bin/env python3
"""Trains the touch network, which looks closely at one hand, and exports `models/touch.onnx`.

    touch.py --patches PATCHES --run RUN --minutes 25 --export ../../models/touch.onnx

Input `hand` float32 [N,5,96,96]: RGB 0..1 and what one square of height is in the crop (two constant planes). The crop is that of
`view.py` enlarged to PER_SQUARE pixels a square, centred on the pinch point that the hand network saw, turned so that the arm's owner sits below.
Output `said` [N,6]: logits of "touches a piece" and "holds it in the air", shift of the true pinch point from the centre (squares, in the
crop's axes), its height and the width between thumb and index finger (squares).
Looks whose seed ends in 9 are validation. Resumes from RUN/last.pt; seeded; uses a GPU where there is one.
"""
import argparse
import json
import pathlib
import time

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from data import colours
from view import UNIT, crop_from_image, image_from_space, project, up_in_crop

SIZE, PER_SQUARE, BATCH = 96, 36.0, 64


class Block(nn.Module):
    def __init__(self, a, b): super().__init__(); self.c1 = nn.Conv2d(a, b, 3, 2, 1, bias=False); self.n1 = nn.BatchNorm2d(b); self.c2 = nn.Conv2d(b, b, 3, 1, 1, bias=False); self.n2 = nn.BatchNorm2d(b); self.skip = nn.Sequential(nn.Conv2d(a, b, 1, 2, bias=False), nn.BatchNorm2d(b))
    def forward(self, x): return F.relu(self.n2(self.c2(F.relu(self.n1(self.c1(x))))) + self.skip(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__(); self.body = nn.Sequential(nn.Conv2d(5, 24, 5, 2, 2, bias=False), nn.BatchNorm2d(24), nn.ReLU(), Block(24, 40), Block(40, 80), Block(80, 112)); self.narrow = nn.Sequential(nn.Conv2d(112, 24, 1, bias=False), nn.BatchNorm2d(24), nn.ReLU()); self.said = nn.Sequential(nn.Linear(24 * 36 + 112, 64), nn.ReLU(), nn.Linear(64, 6))
    def forward(self, x): f = self.body(x); return self.said(F.dropout(torch.cat([self.narrow(f).flatten(1), f.mean((2, 3))], 1), .3, self.training))


def load(folder, held_out):
    out = []
    for file in sorted(folder.glob("*.json"), key=lambda f: int(f.stem)):
        if (int(file.stem) % 10 == 9) != held_out: continue
        d = json.loads(file.read_text()); n = d["size"]
        if not d["pictures"]: continue
        raw = np.fromfile(file.with_suffix(".raw"), np.uint8).reshape(-1, n, n, 3)
        out += [(np.ascontiguousarray(x[..., ::-1]), r, d["width"], d["height"]) for x, r in zip(raw, d["pictures"])]
    return out


def crop_from_patch(corners, owner_white, centre):
    """2x3 from the picture to the crop around `centre` (image pixels)."""
    m = crop_from_image(corners)[:, :2] * PER_SQUARE / UNIT * (1 if owner_white else -1); return np.column_stack([m, SIZE / 2 - m @ centre])


def sample(source, g, exact=False):
    image, row, w, h = source; hand = row["hand"]; true = np.array(row["imageFromSpace"]); white = hand["player"] == "white"; pinch = project(true, np.array([hand["pinch"]]))[0]
    up = up_in_crop(true if exact or g.random() < .5 else image_from_space(row["corners"], w, h), crop_from_image(row["corners"])) * (1 if white else -1)
    m = crop_from_patch(row["corners"], white, pinch)
    if not exact: a, s = g.normal(0, .18), np.exp(g.normal(0, .12)); r = s * np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]); c = np.array([SIZE / 2] * 2); m = np.column_stack([r @ m[:, :2], r @ (m[:, 2] - c) + c + g.normal(0, .13, 2) * PER_SQUARE]); up = up * np.exp(g.normal(0, .1)) + g.normal(0, .03, 2)
    shift = (m[:, :2] @ pinch + m[:, 2] - SIZE / 2) / PER_SQUARE; k = 1 / np.linalg.norm(m[:, 0]); at = m[:, :2] @ [row["x"], row["y"]] + m[:, 2] + .5 * m[:, :2].sum(1) - .5; x = image
    if k > 1.6: x = cv2.GaussianBlur(x, (0, 0), .35 * k)
    x = cv2.warpAffine(x, np.column_stack([m[:, :2], at]), (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if not exact: x = colours(x, g)
    if not exact and g.random() < .5: x, up, shift = x[:, ::-1], up * [-1, 1], shift * [-1, 1]
    x = x[..., ::-1].transpose(2, 0, 1).astype(np.float32) / 255
    return np.concatenate([x, np.broadcast_to(np.array([*up], np.float32)[:, None, None], (2, SIZE, SIZE))]).astype(np.float32), np.array([hand["touches"] is not None, hand["lifted"], *shift, hand["pinch"][2], hand["aperture"]], np.float32)


def loss(out, y): return F.binary_cross_entropy_with_logits(out[:, :2], y[:, :2]) + .5 * F.smooth_l1_loss(out[:, 2:4], y[:, 2:4], beta=.1) * 4 + .3 * F.smooth_l1_loss(out[:, 4:], y[:, 4:], beta=.2)


@torch.no_grad()
def validate(net, held):
    net.eval(); g = np.random.default_rng(0); out, y = [], []
    for i in range(0, len(held), 64): x, t = zip(*(sample(s, g, exact=True) for s in held[i:i + 64])); out.append(net(torch.from_numpy(np.stack(x))).numpy()); y += t
    out, y = np.concatenate(out), np.stack(y); right = ((out[:, :2] > 0) == (y[:, :2] > .5)).mean(0); p = 1 / (1 + np.exp(-out[:, 0])); t = y[:, 0] > .5
    return f"{len(y)} hands: touches {right[0]:.3f} (found {(p[t] > .5).mean():.3f}, false {(p[~t] > .5).mean():.3f}), lifts {right[1]:.3f}, pinch {np.median(np.linalg.norm(out[:, 2:4] - y[:, 2:4], axis=1)):.3f}, height {np.median(abs(out[:, 4] - y[:, 4])):.3f}, width {np.median(abs(out[:, 5] - y[:, 5])):.3f} squares"


class Endless(torch.utils.data.IterableDataset):
    def __init__(self, sources, seed): self.sources, self.seed = sources, seed
    def __iter__(self):
        g = np.random.default_rng(self.seed)
        while True: yield sample(self.sources[g.integers(len(self.sources))], g)


def export(net, path):
    net = net.cpu().float().eval(); torch.onnx.export(net, torch.zeros(2, 5, SIZE, SIZE), str(path), input_names=["hand"], output_names=["said"], dynamic_axes={"hand": {0: "n"}, "said": {0: "n"}}, opset_version=17, dynamo=False)
    import onnxruntime
    x = torch.rand(3, 5, SIZE, SIZE); got = onnxruntime.InferenceSession(str(path)).run(None, {"hand": x.numpy()})[0]
    with torch.no_grad(): print("exported", path, "largest difference to PyTorch", float(np.abs(got - net(x).numpy()).max()))


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for k in ("patches", "run", "export"): a.add_argument("--" + k, type=pathlib.Path, required=True)
    a.add_argument("--minutes", type=float, default=25); a.add_argument("--seed", type=int, default=1); a.add_argument("--threads", type=int, default=1); a = a.parse_args()
    torch.manual_seed(a.seed); torch.set_num_threads(a.threads); a.run.mkdir(parents=True, exist_ok=True); device = "cuda" if torch.cuda.is_available() else "cpu"
    train, held = load(a.patches, False), load(a.patches, True); net = Net().to(device).to(memory_format=torch.channels_last); print(sum(p.numel() for p in net.parameters()), "parameters,", len(train), "hands,", len(held), "held out", flush=True)
    opt = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=.03); last = a.run / "last.pt"; done = 0.0
    if last.exists(): s = torch.load(last, map_location=device, weights_only=False); net.load_state_dict(s["net"]); opt.load_state_dict(s["opt"]); done = s["done"] if s["done"] < .98 else 0.0
    start, saved, step, mean = time.time() - done * a.minutes * 60, time.time(), 0, 0.0
    for x, y in torch.utils.data.DataLoader(Endless(train, a.seed + int(done * 1000)), BATCH):
        done = (time.time() - start) / (a.minutes * 60)
        if done >= 1: break
        for q in opt.param_groups: q["lr"] = float(2e-3 * min(1, (step + 1) / 100) * (.02 + .98 * .5 * (1 + np.cos(np.pi * done))))
        net.train(); x, y = x.to(device).contiguous(memory_format=torch.channels_last), y.to(device)
        with torch.autocast(device, torch.bfloat16): out = net(x)
        value = loss(out.float(), y); opt.zero_grad(); value.backward(); nn.utils.clip_grad_norm_(net.parameters(), 5); opt.step(); step += 1; mean += (float(value.detach()) - mean) * .03
        if step % 50 == 0: print(f"{done:.3f} step {step} loss {mean:.4f}", flush=True)
        if time.time() - saved > 150: saved = time.time(); torch.save(dict(net=net.state_dict(), opt=opt.state_dict(), done=done), last); print(validate(net, held), flush=True)
    torch.save(dict(net=net.state_dict(), opt=opt.state_dict(), done=1.0), last); net = net.cpu(); print(validate(net, held)); export(net, a.export)


if __name__ == "__main__": main()
