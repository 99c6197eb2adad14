#!/usr/bin/env python3
"""Trains the square reader and exports `models/pieces.onnx`.

    train.py --data DIR --run DIR --minutes 25 [--leave-out SOURCE] --export ../../models/pieces.onnx

Input `crops` float32 [N,3,64,64] RGB 0..1; outputs `logits` [N,13], `embedding` [N,64] (unit length), `hidden` [N] (logit of "more than
a quarter is hidden by hand, arm or held piece").  Every tenth look of the rendered stills and every tenth photo is validation.
Resumes from RUN/last.pt; seeded; uses a GPU where there is one.
"""
import argparse
import pathlib
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

SHARE = {"stills": .62, "bobroj-robotic-vision": .11, "lucky545545-otb": .11, "roboflow-chess-pieces": .12, "wolfgangfahl": .04}
BATCH = 256


class Block(nn.Module):
    def __init__(self, a, b, stride):
        super().__init__(); self.c1 = nn.Conv2d(a, b, 3, stride, 1, bias=False); self.n1 = nn.BatchNorm2d(b); self.c2 = nn.Conv2d(b, b, 3, 1, 1, bias=False); self.n2 = nn.BatchNorm2d(b)
        self.skip = nn.Identity() if a == b and stride == 1 else nn.Sequential(nn.Conv2d(a, b, 1, stride, bias=False), nn.BatchNorm2d(b))
    def forward(self, x): return F.relu(self.n2(self.c2(F.relu(self.n1(self.c1(x))))) + self.skip(x))


class Net(nn.Module):
    """A small residual net; contents by the cosine to one direction per class, so that the embedding can serve prototypes."""
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 24, 5, 2, 2, bias=False), nn.BatchNorm2d(24), nn.ReLU())
        self.body = nn.Sequential(Block(24, 40, 2), Block(40, 80, 2), Block(80, 128, 2))
        self.embed = nn.Linear(128 * 16, 64); self.classes = nn.Parameter(torch.randn(13, 64)); self.scale = nn.Parameter(torch.tensor(12.0)); self.bias = nn.Parameter(torch.zeros(13)); self.hide = nn.Linear(128, 1)
    def forward(self, x):
        f = self.body(self.stem((x - .45) / .25)); e = F.normalize(self.embed(F.dropout(f.flatten(1), .2, self.training)), dim=1)
        return self.scale * e @ F.normalize(self.classes, dim=1).T + self.bias, e, self.hide(f.mean((2, 3))).squeeze(1)


def cover(x, c, h, arms, rng):
    """Lays arms cut from rendered crops over some crops of photos, which show none: keeps `hidden` honest on real pictures."""
    k = rng.random(len(x)) < .18; i = np.flatnonzero(k & (h < .02) & (x[..., 3].reshape(len(x), -1).max(1) == 0)); a = arms[rng.integers(len(arms), size=len(i))]
    for j, arm in zip(i, a):
        m = (arm[..., 3:] / 255.) * 1.0; x[j, ..., :3] = (x[j, ..., :3] * (1 - m) + arm[..., :3] * m).astype(np.uint8); h[j] = (arm[30:66, 30:66, 3] > 127).mean()
    return x, h


def augment(x, steep, g):
    """uint8 [N,96,96,3] BGR -> float [N,3,64,64] RGB with random view, light, blur and noise."""
    n = len(x); r = lambda a, b: torch.rand(n, generator=g) * (b - a) + a
    angle = torch.where(steep, r(-3.1416, 3.1416), r(-.16, .16)); s = r(.87, 1.14) * (2 / 3); flip = torch.where(r(0, 1) < .5, -1., 1.)
    m = torch.stack([torch.stack([flip * s * angle.cos(), -s * angle.sin(), r(-.06, .06)], 1), torch.stack([flip * s * angle.sin(), s * angle.cos(), r(-.06, .06)], 1)], 1)
    x = x.permute(0, 3, 1, 2).flip(1).float() / 255
    low = r(0, 1) < .35                                      # some cameras have few pixels a square
    if low.any(): k = int(torch.randint(24, 60, (1,), generator=g)); x[low] = F.interpolate(F.interpolate(x[low], k, mode="area"), 96, mode="bilinear", align_corners=False)
    x = F.grid_sample(x, F.affine_grid(m, (n, 3, 64, 64), align_corners=False), padding_mode="border", align_corners=False)
    v = lambda t: t.view(n, 1, 1, 1)
    shade = v(r(-.35, .35)) * torch.linspace(-1, 1, 64).view(1, 1, 1, 64) + v(r(-.35, .35)) * torch.linspace(-1, 1, 64).view(1, 1, 64, 1)
    x = x * (1 + .6 * shade * v((r(0, 1) < .5).float())); grey = x.mean(1, keepdim=True)
    x = grey + (x - grey) * v(r(.2, 1.5)); x = (x - .5) * v(r(.6, 1.4)) + .5 + v(r(-.16, .16)); x = x * (1 + torch.randn(n, 3, 1, 1, generator=g) * .07)
    x = x.clamp(1e-3, 1) ** v(torch.exp(r(-.45, .45))); blur = r(0, 1) < .25
    if blur.any(): x[blur] = F.avg_pool2d(x[blur], 3, 1, 1)
    return (x + torch.randn(x.shape, generator=g) * v(r(0, .05))).clamp(0, 1)


def plain(x):
    return torch.from_numpy(x[:, 16:80, 16:80, 2::-1].copy()).permute(0, 3, 1, 2).float() / 255


def load(folder, leave_out):
    out = {}
    for name in SHARE:
        if name == leave_out or not (folder / f"{name}.npz").exists(): continue
        d = dict(np.load(folder / f"{name}.npz")); held = d["group"] % 10 == 9
        out[name] = ({k: v[~held] for k, v in d.items()}, {k: v[held] for k, v in d.items()})
    return out


def sampler(data, rng):
    """Endless batches: sources by SHARE; within a source pieces oftener than empties, hidden ones not lost."""
    weights = {}; t = data["stills"][0]; arms = t["crops"][(t["hidden"] > .3)]
    for name, (train, _) in data.items():
        c = train["content"].astype(int); w = np.ones(len(c)); w[c == 0] = .35 * (c > 0).sum() / max(1, (c == 0).sum()); w[(c == 0) & (train["hidden"].astype(float) > .1)] *= 3
        for k in range(1, 13): w[c == k] *= (len(c) / 13 / max(1, (c == k).sum())) ** .5
        weights[name] = np.cumsum(w) / w.sum()
    total = sum(SHARE[n] for n in data)
    while True:
        x, c, h, s = [], [], [], []
        for name, (train, _) in data.items():
            i = np.minimum(np.searchsorted(weights[name], rng.random(max(1, round(BATCH * SHARE[name] / total)))), len(train["content"]) - 1)
            x.append(train["crops"][i]); c.append(train["content"][i]); h.append(train["hidden"][i].astype(np.float32)); s.append(train["steep"][i])
        x, c, h, s = np.concatenate(x), np.concatenate(c), np.concatenate(h), np.concatenate(s); x, h = cover(x, c, h, arms, rng)
        yield torch.from_numpy(x[..., :3].copy()), torch.from_numpy(c).long(), torch.from_numpy(h), torch.from_numpy(s)


@torch.no_grad()
def validate(net, data):
    net.eval(); lines = []
    for name, (_, v) in data.items():
        if not len(v["content"]): continue
        logits, hide = [], []
        for i in range(0, len(v["content"]), 512): a, _, h = net(plain(v["crops"][i:i + 512])); logits.append(a); hide.append(h)
        p = torch.cat(logits).argmax(1).numpy(); hide = torch.cat(hide).numpy() > 0; c = v["content"].astype(int); hid = v["hidden"].astype(float); ok = hid < .25; kind = lambda q: np.where(q == 0, 0, np.where(q < 7, 1, 2))
        lines.append(f"{name}: 13 classes {(p == c)[ok].sum()}/{ok.sum()} = {(p == c)[ok].mean():.4f}, empty/white/black {(kind(p) == kind(c))[ok].mean():.4f}" + (f", hidden {(hide == (hid > .25))[hid >= 0].mean():.4f}" if (hid > .25).any() else ""))
    return lines


def export(net, path):
    net.eval(); torch.onnx.export(net, torch.zeros(2, 3, 64, 64), str(path), input_names=["crops"], output_names=["logits", "embedding", "hidden"], dynamic_axes={k: {0: "n"} for k in ("crops", "logits", "embedding", "hidden")}, opset_version=17, dynamo=False)
    import onnxruntime
    x = torch.rand(5, 3, 64, 64); got = onnxruntime.InferenceSession(str(path)).run(None, {"crops": x.numpy()})
    with torch.no_grad(): print("exported", path, "largest difference to PyTorch", max(float(np.abs(a - b.numpy()).max()) for a, b in zip(got, net(x))))


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for k in ("data", "run", "export"): a.add_argument("--" + k, type=pathlib.Path, required=True)
    a.add_argument("--minutes", type=float, default=25); a.add_argument("--leave-out"); a.add_argument("--seed", type=int, default=1); a.add_argument("--threads", type=int, default=1); a = a.parse_args()
    torch.manual_seed(a.seed); torch.set_num_threads(a.threads); g = torch.Generator().manual_seed(a.seed); rng = np.random.default_rng(a.seed); a.run.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"; data = load(a.data, a.leave_out); net = Net().to(device).to(memory_format=torch.channels_last); print(sum(p.numel() for p in net.parameters()), "parameters", {k: len(v[0]["content"]) for k, v in data.items()})
    opt = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=.02); last = a.run / "last.pt"; done = 0.0
    if last.exists(): s = torch.load(last, map_location=device, weights_only=False); net.load_state_dict(s["net"]); opt.load_state_dict(s["opt"]); done = s["done"] if s["done"] < .98 else 0.0
    start, saved, step, mean = time.time() - done * a.minutes * 60, time.time(), 0, 0.0
    for x, c, h, steep in sampler(data, rng):
        done = (time.time() - start) / (a.minutes * 60)
        if done >= 1: break
        for q in opt.param_groups: q["lr"] = 2e-3 * min(1, (step + 1) / 100) * (.02 + .98 * .5 * (1 + np.cos(np.pi * done)))
        net.train(); x = augment(x, steep, g).to(device).contiguous(memory_format=torch.channels_last); c, h = c.to(device), h.to(device)
        with torch.autocast(device, torch.bfloat16): logits, _, hide = net(x)
        seen = ((h < .45) & (c >= 0)).float(); ce = (F.cross_entropy(logits.float(), c.clamp(min=0), reduction="none", label_smoothing=.03) * seen).sum() / seen.sum()
        known = ((h >= 0) & ((h < .15) | (h > .35))).float(); bce = (F.binary_cross_entropy_with_logits(hide.float(), (h > .25).float(), reduction="none") * known).sum() / known.sum().clamp(min=1)
        loss = ce + .5 * bce; opt.zero_grad(); loss.backward(); nn.utils.clip_grad_norm_(net.parameters(), 5); opt.step(); step += 1; mean += .02 * (float(loss.detach()) - mean)
        if step % 100 == 0: print(f"{done:.3f} step {step} loss {mean:.4f}", flush=True)
        if time.time() - saved > 240: saved = time.time(); torch.save(dict(net=net.state_dict(), opt=opt.state_dict(), done=done), last); print(*validate(net.float(), data), sep="\n", flush=True)
    torch.save(dict(net=net.state_dict(), opt=opt.state_dict(), done=1.0), last); net = net.cpu().float(); print(*validate(net, data), sep="\n"); export(net, a.export)


if __name__ == "__main__": main()
