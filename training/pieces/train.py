#!/usr/bin/env python3
"""Trains the square reader and exports `models/pieces.onnx`.

    train.py --data DIR --looks DIR... --arms DIR... --run DIR --minutes 90 [--from-run FILE] [--leave-out SOURCE] --export ../../models/pieces.onnx

It learns as it is used: each step has two episodes (`episodes.py`) whose start position gives the looks that the other pictures' squares are
compared with (`net.Means`), in six of ten steps one of photos of one source, and single crops (`dataset.py`) for the logits and for `hidden`.
Every tenth look and every tenth photo is validation.  Resumes from RUN/last.pt; seeded; uses a GPU where there is one.
"""
import argparse
import multiprocessing
import pathlib
import time

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from episodes import Arms, Episodes
from net import Means, Net, export, inputs, with_lean

SHARE = {"stills": .6, "bobroj-robotic-vision": .11, "lucky545545-otb": .11, "roboflow-chess-pieces": .1, "wolfgangfahl": .08}
BATCH = 96
colour = lambda q: np.where(q == 0, 0, np.where(q < 7, 1, 2))


def cover(x, h, arms, rng):
    """Lays arms cut from rendered crops over some crops of photos, which show none: keeps `hidden` honest on real pictures."""
    bare = (rng.random(len(x)) < .18) & (h < .02) & (x[..., 3].reshape(len(x), -1).max(1) == 0)
    i = np.flatnonzero(bare); laid = arms[rng.integers(len(arms), size=len(i))]
    for j, arm in zip(i, laid):
        m = arm[..., 3:] / 255.; x[j, ..., :3] = (x[j, ..., :3] * (1 - m) + arm[..., :3] * m).astype(np.uint8); h[j] = (arm[30:66, 30:66, 3] > 127).mean()
    return x, h


def augment(x, lean, g):
    """uint8 [N,96,96,3] BGR -> float [N,3,64,64] RGB with random view, light, blur and noise."""
    n = len(x); r = lambda a, b: torch.rand(n, generator=g) * (b - a) + a; v = lambda t: t.view(n, 1, 1, 1)
    # The less a piece leans, the less its direction says.
    angle = r(-1, 1) * (.12 + .04 / lean.clamp(min=.013)).clamp(max=3.1416); s = r(.87, 1.14) * (2 / 3); flip = torch.where(r(0, 1) < .5, -1., 1.)
    m = torch.stack([torch.stack([flip * s * angle.cos(), -s * angle.sin(), r(-.06, .06)], 1), torch.stack([flip * s * angle.sin(), s * angle.cos(), r(-.06, .06)], 1)], 1)
    x = x.permute(0, 3, 1, 2).flip(1).float() / 255
    low = r(0, 1) < .35                                      # some cameras have few pixels a square
    if low.any(): k = int(torch.randint(24, 60, (1,), generator=g)); x[low] = F.interpolate(F.interpolate(x[low], k, mode="area"), 96, mode="bilinear", align_corners=False)
    x = F.grid_sample(x, F.affine_grid(m, (n, 3, 64, 64), align_corners=False), padding_mode="border", align_corners=False)
    line = torch.linspace(-1, 1, 64); across, down = line.view(1, 1, 1, 64), line.view(1, 1, 64, 1)
    x = x * (1 + .6 * (v(r(-.35, .35)) * across + v(r(-.35, .35)) * down) * v((r(0, 1) < .5).float()))
    sharp = r(0, 1) < .25                                    # halos of a camera's own sharpening
    if sharp.any(): x[sharp] = x[sharp] + v(r(.4, 1.8))[sharp] * (x[sharp] - F.avg_pool2d(x[sharp], 3, 1, 1, count_include_pad=False))
    turn, edge = r(-3.1416, 3.1416), r(-.8, .8)              # the edge of a hard shadow
    side = torch.sigmoid((v(turn.cos()) * across + v(turn.sin()) * down - v(edge)) * v(r(6, 40)))
    x = x * (1 - side * v(r(.2, .6) * (r(0, 1) < .25).float())); grey = x.mean(1, keepdim=True)
    x = grey + (x - grey) * v(r(.2, 1.5)); x = (x - .5) * v(r(.6, 1.4)) + .5 + v(r(-.16, .16)); x = x * (1 + torch.randn(n, 3, 1, 1, generator=g) * .07)
    x = x.clamp(1e-3, 1) ** v(torch.exp(r(-.45, .45))); blur = r(0, 1) < .25
    if blur.any(): x[blur] = F.avg_pool2d(x[blur], 3, 1, 1)
    return (x + torch.randn(x.shape, generator=g) * v(r(0, .05))).clamp(0, 1)


class Crops:
    """Single crops by source, split into those that train and those that are held out."""
    def __init__(self, folder, leave_out):
        self.train, self.held = {}, {}
        for name in SHARE:
            if name == leave_out or not (folder / f"{name}.npz").exists(): continue
            d = dict(np.load(folder / f"{name}.npz")); held = d["group"] % 10 == 9
            self.train[name], self.held[name] = {k: v[~held] for k, v in d.items()}, {k: v[held] for k, v in d.items()}
        hide = self.train["stills"]["hidden"]; self.arms = self.train["stills"]["crops"][np.flatnonzero(hide > .3)[:4000]]
        self.weights = {k: self.weigh(t) for k, t in self.train.items()}

    @staticmethod
    def weigh(t):
        """Pieces oftener than empties, rare ones oftener than common ones, hidden squares not lost."""
        c = t["content"].astype(int); w = np.ones(len(c)); empty = c == 0
        w[empty] = .35 * (c > 0).sum() / max(1, empty.sum()); w[empty & (t["hidden"].astype(float) > .1)] *= 3
        for k in range(1, 13): w[c == k] *= (len(c) / 13 / max(1, (c == k).sum())) ** .5
        return np.cumsum(w) / w.sum()

    def rows(self, name, i, rng, g):
        """Rows of a source as the network sees them: (input, content, hidden)."""
        t = self.train[name]; x, h = cover(t["crops"][i], t["hidden"][i].astype(np.float32), self.arms, rng); lean = torch.from_numpy(t["lean"][i].astype(np.float32))
        return with_lean(augment(torch.from_numpy(x[..., :3].copy()), lean, g), lean), t["content"][i].astype(np.int64), h

    def singles(self, rng, g):
        total = sum(SHARE[n] for n in self.train)
        for name, w in self.weights.items():
            yield self.rows(name, np.minimum(np.searchsorted(w, rng.random(max(1, round(BATCH * SHARE[name] / total)))), len(w) - 1), rng, g)

    def photos(self, name, rng, most=80):
        """Rows of one source of photos: those that teach and those that are asked (classes alike where there are enough)."""
        c = self.train[name]["content"]; teach, ask = [], []
        for v in rng.permutation(13):
            pool = np.flatnonzero(c == v)
            if len(pool) < 4: continue
            p = rng.permutation(pool)[:max(2, most // 10)]; teach += p[:len(p) // 2].tolist(); ask += p[len(p) // 2:].tolist()
        return teach, ask


def batch(crops: Crops, episodes: Episodes, seed: int, step: int):
    """One step: input, content, hidden, lean lacking (of the first rows), and for each episode (teaching rows, asked rows, whether they stand on dark squares)."""
    rng = np.random.default_rng([seed, step]); g = torch.Generator().manual_seed(seed * 1_000_003 + step); parts, offs, groups, n = [], [], [], 0
    for _ in range(2):
        bgr, lean, content, hidden, square, picture, off = episodes.draw(rng, limit=(24, 10)); dark = torch.from_numpy((square // 8 + square % 8) % 2 == 0)
        teach = (picture == 0) & (rng.random(len(content)) > .05)
        if rng.random() < .12: teach &= content != rng.integers(1, 13)                  # not every start shows every kind
        i = np.arange(n, n + len(content)); groups.append((i[teach], i[picture > 0], dark[teach], dark[picture > 0])); n += len(i); parts.append((inputs(bgr, lean), content, hidden)); offs.append(off)
    names = [k for k in crops.train if k not in ("stills", "wolfgangfahl")]
    if names and rng.random() < .6:
        name = names[rng.integers(len(names))]; teach, ask = crops.photos(name, rng); i = np.arange(n, n + len(teach) + len(ask)); unknown = torch.zeros(len(i), dtype=torch.bool)
        groups.append((i[:len(teach)], i[len(teach):], unknown[:len(teach)], unknown[len(teach):])); n += len(i); parts.append(crops.rows(name, np.array(teach + ask), rng, g))
    x, c, h = zip(*parts, *crops.singles(rng, g))
    return torch.cat(x), torch.from_numpy(np.concatenate(c).astype(np.int64)), torch.from_numpy(np.concatenate(h).astype(np.float32)), torch.from_numpy(np.concatenate(offs)), groups


def prepare(crops, folders, arms, seed, first, queue):
    """Makes batches for ever, in a process of its own; looks rendered meanwhile are taken up."""
    torch.set_num_threads(1); cv2.setNumThreads(1); episodes = Episodes(folders, False, Arms(arms)); step = first
    while True:
        x, *rest = batch(crops, episodes, seed, step); queue.put((x.half().numpy(), *rest)); step += 1
        if step % 50 == 0: episodes.rescan()


@torch.no_grad()
def validate(net, crops):
    """Single crops that trained nothing, without any start position: a line for each source."""
    net.eval(); lines = []
    for name, v in crops.held.items():
        if not len(v["content"]): continue
        out = [net(inputs(v["crops"][i:i + 512, 16:80, 16:80, :3], v["lean"][i:i + 512].astype(np.float32))) for i in range(0, len(v["content"]), 512)]
        p = torch.cat([o[0] for o in out]).argmax(1).numpy(); hide = torch.cat([o[2] for o in out]).numpy() > 0; c, true = v["content"].astype(int), v["hidden"].astype(float); ok = true < .25
        lines.append(f"{name}: 13 classes {(p == c)[ok].sum()}/{ok.sum()} = {(p == c)[ok].mean():.4f}, empty/white/black {(colour(p) == colour(c))[ok].mean():.4f}"
                     + (f", hidden {(hide == (true > .25))[true >= 0].mean():.4f}" if (true > .25).any() else ""))
    return lines


@torch.no_grad()
def judge(net, means, episodes, draws=24, seed=5, hard=True):
    """Episodes of looks that trained nothing: squares right of 13 contents, of empty/white/black, of empty/occupied, boards right; logits alone."""
    net.eval(); rng = np.random.default_rng(seed); right = np.zeros(4, int); n = boards = whole = 0; wrong, lacking, left = {}, [], []
    for k in range(draws):
        bgr, lean, content, _, square, picture, off = episodes.draw(rng, look=k // 2 % len(episodes.looks), camera=k % 2, hard=hard); x = inputs(bgr, lean)
        logits, e, _, told = (torch.cat(v) for v in zip(*(net(x[i:i + 128]) for i in range(0, len(x), 128)))); stands = ~np.isnan(off[:, 0]); lacking.append(np.hypot(*(off[stands]).T)); left.append(np.hypot(*(off - told.numpy())[stands].T)); dark = torch.from_numpy((square // 8 + square % 8) % 2 == 0)
        t, a = torch.from_numpy(picture == 0), torch.from_numpy(picture > 0); c = torch.from_numpy(content); p = means(logits[a], e[a], dark[a], e[t], c[t], dark[t]).argmax(1).numpy()
        truth = content[picture > 0]; right += [(p == truth).sum(), (colour(p) == colour(truth)).sum(), ((p > 0) == (truth > 0)).sum(), (logits[a].argmax(1).numpy() == truth).sum()]; n += len(truth)
        for q in (1, 2): boards += 1; whole += bool((p == truth)[picture[picture > 0] == q].all())
        for u, v in zip(truth[p != truth], p[p != truth]): name = ".PNBRQKpnbrqk"[u] + ">" + ".PNBRQKpnbrqk"[v]; wrong[name] = wrong.get(name, 0) + 1
    return f"13 contents {right[0]}/{n} = {right[0] / n:.4f}, colour {right[1] / n:.4f}, occupied {right[2] / n:.4f}, boards {whole}/{boards}; logits alone {right[3] / n:.4f}; lean off {np.median(np.concatenate(lacking)):.3f}, as told {np.median(np.concatenate(left)):.3f} squares; " + " ".join(f"{k} {v}" for k, v in sorted(wrong.items(), key=lambda i: -i[1])[:6])


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for k in ("data", "run", "export"): a.add_argument("--" + k, type=pathlib.Path, required=True)
    for k in ("looks", "arms"): a.add_argument("--" + k, type=pathlib.Path, nargs="+", required=True)
    a.add_argument("--artists", type=pathlib.Path, nargs="*", default=[], help="looks of sets by others, for validation only"); a.add_argument("--minutes", type=float, default=90); a.add_argument("--rate", type=float, default=2e-3)
    a.add_argument("--from-run", type=pathlib.Path, help="start from the weights of this checkpoint"); a.add_argument("--leave-out"); a.add_argument("--seed", type=int, default=1); a.add_argument("--threads", type=int, default=1); a = a.parse_args()
    torch.manual_seed(a.seed); torch.set_num_threads(a.threads); cv2.setNumThreads(1); a.run.mkdir(parents=True, exist_ok=True); device = "cuda" if torch.cuda.is_available() else "cpu"
    crops = Crops(a.data, a.leave_out); net, means = Net().to(memory_format=torch.channels_last), Means(); print(sum(p.numel() for p in net.parameters()), "parameters", {k: len(v["content"]) for k, v in crops.train.items()})
    held = {"held families": Episodes(a.looks, True), **{f.name: Episodes([f]) for f in a.artists}}; print({k: len(v.looks) for k, v in held.items()}, flush=True); last, step, spent = a.run / "last.pt", 0, 0.0
    opt = torch.optim.AdamW([dict(params=net.parameters()), dict(params=means.parameters(), weight_decay=0., times=5.)], a.rate, weight_decay=.02)
    if last.exists(): s = torch.load(last, weights_only=False); net.load_older(s["net"]); means.load_state_dict(s["means"]); opt.load_state_dict(s["opt"]); step, spent = s["step"], s["spent"]
    elif a.from_run: net.load_older(torch.load(a.from_run, weights_only=False, map_location="cpu")["net"])
    net, means = net.to(device), means.to(device); queue = multiprocessing.Queue(3); multiprocessing.Process(target=prepare, args=(crops, a.looks, a.arms, a.seed, step, queue), daemon=True).start()
    start, saved, told, mean = time.time() - spent, time.time(), 0, np.zeros(4)

    def keep(): torch.save(dict(net=net.state_dict(), means=means.state_dict(), opt=opt.state_dict(), step=step, spent=time.time() - start), last)

    def report(draws):
        cpu, scores = net.cpu().float(), means.cpu(); print(*validate(cpu, crops), sep="\n"); [print(k, judge(cpu, scores, v, draws), flush=True) for k, v in held.items() if v.looks]
        print({k: round(float(v), 3) for k, v in scores.named_parameters()}, flush=True); net.to(device); means.to(device)

    while (done := (time.time() - start) / (a.minutes * 60)) < 1:
        for q in opt.param_groups: q["lr"] = float(a.rate * q.get("times", 1) * min(1, (step + 1) / 50) * (.02 + .98 * .5 * (1 + np.cos(np.pi * done))))
        x, c, h, off, groups = queue.get(); net.train(); x = torch.from_numpy(x).float().to(device).contiguous(memory_format=torch.channels_last); c, h = c.to(device), h.to(device)
        with torch.autocast(device, torch.bfloat16): logits, e, hide, lean = net(x)
        logits, e = logits.float(), e.float(); seen = ((h < .45) & (c >= 0)).float(); ce = (F.cross_entropy(logits, c.clamp(min=0), reduction="none", label_smoothing=.03) * seen).sum() / seen.sum()
        known = ((h >= 0) & ((h < .15) | (h > .35))).float(); bce = (F.binary_cross_entropy_with_logits(hide.float(), (h > .25).float(), reduction="none") * known).sum() / known.sum().clamp(min=1); episodic = []
        for teach, ask, dark, ask_dark in groups:
            t, q = torch.from_numpy(teach).to(device), torch.from_numpy(ask).to(device); scores = means(logits[q], e[q], ask_dark.to(device), e[t], c[t], dark.to(device))
            episodic.append((F.cross_entropy(scores, c[q].clamp(min=0), reduction="none", label_smoothing=.01) * seen[q]).sum() / seen[q].sum())
        ep = torch.stack(episodic).mean(); tells = ~torch.isnan(off[:, 0]); tilt = F.smooth_l1_loss(lean[:len(off)][tells.to(device)].float(), off[tells].to(device), beta=.1); loss = ep + .5 * ce + .4 * bce + 8 * tilt; opt.zero_grad(); loss.backward(); nn.utils.clip_grad_norm_(net.parameters(), 5); opt.step(); step += 1
        mean += max(.02, 1 / step) * (np.array([float(v.detach()) for v in (ep, ce, bce, tilt)]) - mean)
        if step % 50 == 0: print(f"{done:.3f} step {step} episodes {mean[0]:.4f} logits {mean[1]:.4f} hidden {mean[2]:.4f} lean {mean[3]:.4f}", flush=True)
        if time.time() - saved > 180: saved = time.time(); keep(); told += 1; told % 4 == 0 and ([v.rescan() for v in held.values()], report(10))
    keep(); report(60); print("exported", a.export, "largest difference to PyTorch", export(net.cpu().float(), a.export))


if __name__ == "__main__": main()
