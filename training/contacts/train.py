#!/usr/bin/env python3
"""Trains the contact model on logs of clips with exact contacts and writes it out for `src/events/grasp.rs`.

    train.py --logs DIR --truth DIR... --export ../../src/events/grasp.json

A log NAME.zst in DIR belongs to NAME.truth.json.  Two outputs per step of 1/30 s and hand: logits of "touches a piece" and "holds it
in the air".  Clips whose number ends in 8 or 9 are validation.  A minute or two on one core; seeded.
"""
import argparse
import json
import pathlib
import re

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import ways

WIDTH, KERNELS, DILATIONS = 16, (5, 5, 3), (1, 4, 6)
REACH = sum((k - 1) * d for k, d in zip(KERNELS, DILATIONS)) // 2
NOISE = .2                                   # of each feature over a stretch: another hand, camera, set


class Net(nn.Module):
    def __init__(self): super().__init__(); self.a, self.b, self.c = (nn.Conv1d(i, o, k, dilation=d) for i, o, k, d in zip((len(ways.FEATURES), WIDTH, WIDTH), (WIDTH, WIDTH, 2), KERNELS, DILATIONS))
    def forward(self, x): return self.c(F.relu(self.b(F.relu(self.a(F.pad(x, (REACH, REACH), mode="replicate"))))))


def load(logs, truths):
    out = []
    for log in sorted(logs.glob("*.zst")):
        file = next((d / f"{log.stem}.truth.json" for d in truths if (d / f"{log.stem}.truth.json").exists()), None)
        if file is None: continue
        truth = json.loads(file.read_text()); segments = ways.segments(log, ways.positions(truth)); number = re.search(r"(\d+)$", log.stem); held = bool(number) and int(number[1]) % 10 > 7
        for s in segments: out.append((log.stem, held, s["x"].astype(np.float32), ways.labels(s, truth["contacts"], segments), s))
    return out


def augmented(x, y, g):
    """Another pace and other noise."""
    if len(x) > 40 and g.random() < .3: i = g.integers(0, len(x) - 20); j = i + g.integers(20, 200); x, y = x[i:j], y[i:j]      # hands are lost and found again
    n = len(x); k = g.uniform(.75, 1.3); at = np.arange(0, n - 1, k); x = np.column_stack([np.interp(at, np.arange(n), c) for c in x.T]); y = y[np.round(at).astype(int)]
    x = x + g.normal(0, NOISE, x.shape[1])
    return x.astype(np.float32), y


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter); a.add_argument("--logs", type=pathlib.Path, required=True); a.add_argument("--truth", type=pathlib.Path, nargs="+", required=True); a.add_argument("--export", type=pathlib.Path, required=True); a.add_argument("--steps", type=int, default=2500); a = a.parse_args()
    torch.manual_seed(1); torch.set_num_threads(1); g = np.random.default_rng(1); data = load(a.logs, a.truth); train, held = [d for d in data if not d[1]], [d for d in data if d[1]]; weight = np.array([len(d[2]) for d in train], float); weight /= weight.sum()
    print(len({d[0] for d in train}), "clips for training,", len({d[0] for d in held}), "held out; steps", sum(len(d[2]) for d in train), "touching", int(sum(d[3][:, 0].sum() for d in train)))
    net = Net(); opt = torch.optim.AdamW(net.parameters(), 3e-3, weight_decay=.05)
    for step in range(a.steps):
        for q in opt.param_groups: q["lr"] = 3e-3 * .5 * (1 + np.cos(np.pi * step / a.steps)) + 1e-5
        loss = 0
        for k in g.choice(len(train), 8, p=weight):
            x, y = augmented(train[k][2], train[k][3], g)
            if len(x) < 4: continue
            loss = loss + F.binary_cross_entropy_with_logits(net(torch.from_numpy(x.T[None]))[0], torch.from_numpy(y.T)) / 8
        opt.zero_grad(); loss.backward(); opt.step()
        if step % 500 == 0: print(step, float(loss))
    net.eval()
    for name, part in (("training", train), ("held out", held)):
        p, t = [], []
        for _, _, x, y, *_ in part:
            with torch.no_grad(): p.append(net(torch.from_numpy(x.T[None]))[0].sigmoid().numpy().T)
            t.append(y)
        if not p: continue
        p, t = np.concatenate(p), np.concatenate(t); bins = [(p[:, 0] >= lo) & (p[:, 0] < lo + .2) for lo in (0, .2, .4, .6, .8)]
        print(name, "steps right", ((p > .5) == (t > .5)).mean(0).round(3), "touching found", (p[t[:, 0] > .5, 0] > .5).mean().round(3), "precision", (t[p[:, 0] > .5, 0]).mean().round(3), "calibration", [(int(b.sum()), round(float(p[b, 0].mean()), 2), round(float(t[b, 0].mean()), 2)) for b in bins if b.any()])
    x = g.normal(0, .6, (20, len(ways.FEATURES))).round(3)
    with torch.no_grad(): y = net(torch.from_numpy(x.T[None].astype(np.float32)))[0].numpy().T
    r = lambda v: np.round(v.detach().numpy(), 5).tolist()
    json.dump(dict(features=ways.FEATURES, layers=[dict(dilation=d, weight=r(m.weight), bias=r(m.bias)) for m, d in zip((net.a, net.b, net.c), DILATIONS)], example=dict(input=x.tolist(), output=y.round(4).tolist())), open(a.export, "w")); print("wrote", a.export)


if __name__ == "__main__": main()
