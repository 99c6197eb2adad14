#!/usr/bin/env python3
"""Trains the square reader and exports `models/pieces.onnx`.

    train.py --data DIR --looks DIR... --arms DIR... --run DIR --minutes 45 [--from-run FILE] [--leave-out SOURCE] --export ../../models/pieces.onnx

Input `crops` float32 [N,3,64,64] RGB 0..1; outputs `logits` [N,13], `embedding` [N,64] (unit length), `hidden` [N] (logit of "more than
a quarter is hidden by hand, arm or held piece").

It learns as it is used: each step has two episodes (`episodes.py`) whose start position gives the looks that the other pictures' squares are
compared with (`Memory`), one of photos of one source, and single crops (`dataset.py`) for the logits and for `hidden`.  Every tenth look and
every tenth photo is validation.  Resumes from RUN/last.pt; seeded; uses a GPU where there is one.
"""
import argparse
import pathlib
import time

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from episodes import Arms, Episodes

SHARE = {"stills": .6, "bobroj-robotic-vision": .11, "lucky545545-otb": .11, "roboflow-chess-pieces": .1, "wolfgangfahl": .08}
BATCH = 96


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


class Memory(nn.Module):
    """Scores of the contents from looks whose content is known, for the loss. (The program compares with the mean look of each content, which was
    better on held-out sets: `docs/perception.md`.)"""
    def __init__(self):
        super().__init__(); n = lambda v: nn.Parameter(torch.tensor(float(v)))
        self.sharp, self.crowd, self.shade, self.colour, self.unseen, self.logit = n(14), n(.8), n(.3), n(3.), n(4.), n(.5)
    def forward(self, logits, e, dark, known, content, known_dark):
        """e [N,64] with dark [N]; known [M,64], content [M], known_dark [M] -> [N,13]."""
        s = self.sharp * (e @ known.T) - self.shade * (dark[:, None] != known_dark[None]); out = []
        has = [(content == k).nonzero().squeeze(1) for k in range(13)]
        near = [torch.logsumexp(s[:, i], 1) - self.crowd * np.log(len(i)) if len(i) else torch.full_like(s[:, 0], -1e4) for i in has]
        for k in range(13):
            v = near[k] if k == 0 else torch.logaddexp(near[k], near[k + 6 if k < 7 else k - 6] - self.colour)
            out.append(v if len(has[k]) or k and len(has[k + 6 if k < 7 else k - 6]) else torch.zeros_like(v) + self.unseen)
        return self.logit * logits + torch.stack(out, 1)
    def settings(self): return {k: round(float(v), 3) for k, v in self.named_parameters()}


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
    x = x * (1 + .6 * shade * v((r(0, 1) < .5).float())); sharp = r(0, 1) < .25      # halos of a camera's own sharpening
    if sharp.any(): x[sharp] = x[sharp] + v(r(.4, 1.8))[sharp] * (x[sharp] - F.avg_pool2d(x[sharp], 3, 1, 1, count_include_pad=False))
    turn, edge, line = r(-3.1416, 3.1416), r(-.8, .8), torch.linspace(-1, 1, 64)     # the edge of a hard shadow
    side = torch.sigmoid((v(turn.cos()) * line.view(1, 1, 1, 64) + v(turn.sin()) * line.view(1, 1, 64, 1) - v(edge)) * v(r(6, 40)))
    x = x * (1 - side * v(r(.2, .6) * (r(0, 1) < .25).float())); grey = x.mean(1, keepdim=True)
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


def photo_episode(data, name, rng, known=40, asked=40):
    """Rows of one source of photos: those that teach and those that are asked (classes alike where there are enough)."""
    c = data[name][0]["content"].astype(int); k = rng.permutation(13); pools = {v: np.flatnonzero(c == v) for v in k}; out = [[], []]
    for v in k:
        if len(pools[v]) < 4: continue
        p = rng.permutation(pools[v])[:max(2, (known + asked) // 10)]; n = len(p) // 2; out[0] += p[:n].tolist(); out[1] += p[n:].tolist()
    return out


def batch(data, episodes, singles, rng, g):
    """One step: crops, content, hidden, and for each episode (teaching rows, asked rows, dark)."""
    x, c, h, groups, n = [], [], [], [], 0
    for _ in range(2):
        crops, content, hidden, square, picture = episodes.draw(rng, limit=(24, 10)); dark = (square // 8 + square % 8) % 2 == 0; teach = (picture == 0) & (rng.random(len(content)) > .05)
        if rng.random() < .12: teach &= content != rng.integers(1, 13)                  # not every start shows every kind
        i = np.arange(n, n + len(content)); groups.append((i[teach], i[picture > 0], dark[teach], dark[picture > 0])); n += len(content); c.append(content); h.append(hidden)
        x.append(torch.from_numpy(np.ascontiguousarray(crops[..., ::-1])).permute(0, 3, 1, 2).float() / 255)
    names = [k for k in data if k not in ("stills", "wolfgangfahl")]
    if names and rng.random() < .6:
        name = names[rng.integers(len(names))]; t = data[name][0]; teach, ask = photo_episode(data, name, rng); i = np.array(teach + ask); arms = data["stills"][0]["crops"][ARMS[0]]; y, hh = cover(t["crops"][i], t["content"][i], t["hidden"][i].astype(np.float32), arms, rng); k = np.arange(n, n + len(i)); unknown = np.zeros(len(i), bool)
        groups.append((k[:len(teach)], k[len(teach):], unknown[:len(teach)], unknown[len(teach):])); n += len(i); c.append(t["content"][i]); h.append(hh); x.append(augment(torch.from_numpy(y[..., :3].copy()), torch.from_numpy(t["steep"][i]), g))
    y, cc, hh, steep = next(singles); x.append(augment(y, steep, g)); c.append(cc.numpy()); h.append(hh.numpy())
    return torch.cat(x), torch.from_numpy(np.concatenate(c).astype(np.int64)), torch.from_numpy(np.concatenate(h).astype(np.float32)), groups


ARMS = [None]                   # rows of the rendered crops that show arms


class Means(nn.Module):
    """Scores as `src/vision/squares.rs` works them out: the mean look of each content and colour of square."""
    def forward(self, logits, e, dark, known, content, known_dark):
        best = torch.full((len(e), 13), -9.)
        for c in range(13):
            for shade in (False, True):
                if (i := (content == c) & (known_dark == shade)).any(): v = known[i].mean(0); best[:, c] = torch.maximum(best[:, c], e @ v / v.norm() - .02 * (dark != shade))
        return .5 * logits + 10 * torch.where(best > -5, best, torch.full_like(best, .35))


@torch.no_grad()
def judge(net, memory, episodes, draws=24, seed=5, hard=True):
    """Episodes of looks that trained nothing: squares right of 13 contents, of empty/white/black, of empty/occupied, boards right; logits alone."""
    net.eval(); rng = np.random.default_rng(seed); right = np.zeros(4, int); n = boards = whole = 0; kind = lambda q: np.where(q == 0, 0, np.where(q < 7, 1, 2)); wrong = {}
    arms, episodes.arms = episodes.arms, None
    for k in range(draws):
        crops, content, _, square, picture = episodes.draw(rng, look=k // 2 % len(episodes.looks), camera=k % 2, hard=hard); x = torch.from_numpy(np.ascontiguousarray(crops[..., ::-1])).permute(0, 3, 1, 2).float() / 255; logits, e, _ = (torch.cat(v) for v in zip(*(net(x[i:i + 128]) for i in range(0, len(x), 128))))
        dark = torch.from_numpy((square // 8 + square % 8) % 2 == 0); t, a = torch.from_numpy(picture == 0), torch.from_numpy(picture > 0); c = torch.from_numpy(content); p = memory(logits[a], e[a], dark[a], e[t], c[t], dark[t]).argmax(1).numpy(); truth, plain_ = content[picture > 0], logits[a].argmax(1).numpy()
        right += [(p == truth).sum(), (kind(p) == kind(truth)).sum(), ((p > 0) == (truth > 0)).sum(), (plain_ == truth).sum()]; n += len(truth)
        for q in (1, 2): ok = (p == truth)[picture[picture > 0] == q]; boards += 1; whole += bool(ok.all())
        for u, v in zip(truth[p != truth], p[p != truth]): name = ".PNBRQKpnbrqk"[u] + ">" + ".PNBRQKpnbrqk"[v]; wrong[name] = wrong.get(name, 0) + 1
    episodes.arms = arms; return f"13 contents {right[0]}/{n} = {right[0] / n:.4f}, colour {right[1] / n:.4f}, occupied {right[2] / n:.4f}, boards {whole}/{boards}; logits alone {right[3] / n:.4f}; " + " ".join(f"{k} {v}" for k, v in sorted(wrong.items(), key=lambda i: -i[1])[:6])


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for k in ("data", "run", "export"): a.add_argument("--" + k, type=pathlib.Path, required=True)
    for k in ("looks", "arms"): a.add_argument("--" + k, type=pathlib.Path, nargs="+", required=True)
    a.add_argument("--artists", type=pathlib.Path, nargs="*", default=[], help="looks of sets by others, for validation only"); a.add_argument("--minutes", type=float, default=45); a.add_argument("--rate", type=float, default=2e-3); a.add_argument("--from-run", type=pathlib.Path, help="start from the weights of this checkpoint"); a.add_argument("--leave-out"); a.add_argument("--seed", type=int, default=1); a.add_argument("--threads", type=int, default=1); a = a.parse_args()
    torch.manual_seed(a.seed); torch.set_num_threads(a.threads); cv2.setNumThreads(1); g = torch.Generator().manual_seed(a.seed); rng = np.random.default_rng(a.seed); a.run.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"; data = load(a.data, a.leave_out); ARMS[0] = np.flatnonzero(data["stills"][0]["hidden"] > .3); net, memory = Net().to(device).to(memory_format=torch.channels_last), Memory().to(device); print(sum(p.numel() for p in net.parameters()), "parameters", {k: len(v[0]["content"]) for k, v in data.items()})
    arms = Arms(a.arms); episodes, held = Episodes(a.looks, False, arms), {"held families": Episodes(a.looks, True), **{f.name: Episodes([f]) for f in a.artists}}; print(len(episodes.looks), "looks", {k: len(v.looks) for k, v in held.items()}, flush=True)
    opt = torch.optim.AdamW([dict(params=net.parameters()), dict(params=memory.parameters(), weight_decay=0., times=5.)], a.rate, weight_decay=.02); last = a.run / "last.pt"; done = 0.0
    if last.exists(): s = torch.load(last, map_location=device, weights_only=False); net.load_state_dict(s["net"]); memory.load_state_dict(s["memory"]); opt.load_state_dict(s["opt"]); done = s["done"] if s["done"] < .98 else 0.0
    if a.from_run and not done: net.load_state_dict(torch.load(a.from_run, map_location=device)["net"])
    start, saved, told, step, mean = time.time() - done * a.minutes * 60, time.time(), 0, 0, np.zeros(3); singles = sampler(data, rng)

    def keep(done): torch.save(dict(net=net.state_dict(), memory=memory.state_dict(), opt=opt.state_dict(), done=done), last)

    def report(draws):
        print(*validate(net.float(), data), sep="\n"); [print(k, judge(net, Means(), v, draws), flush=True) for k, v in held.items() if v.looks]; print(memory.settings(), flush=True)

    while True:
        done = (time.time() - start) / (a.minutes * 60)
        if done >= 1: break
        for q in opt.param_groups: q["lr"] = float(a.rate * q.get("times", 1) * min(1, (step + 1) / 50) * (.02 + .98 * .5 * (1 + np.cos(np.pi * done))))
        net.train(); x, c, h, groups = batch(data, episodes, singles, rng, g); x = x.to(device).contiguous(memory_format=torch.channels_last); c, h = c.to(device), h.to(device)
        with torch.autocast(device, torch.bfloat16): logits, e, hide = net(x)
        logits, e = logits.float(), e.float(); seen = ((h < .45) & (c >= 0)).float(); ce = (F.cross_entropy(logits, c.clamp(min=0), reduction="none", label_smoothing=.03) * seen).sum() / seen.sum()
        known = ((h >= 0) & ((h < .15) | (h > .35))).float(); bce = (F.binary_cross_entropy_with_logits(hide.float(), (h > .25).float(), reduction="none") * known).sum() / known.sum().clamp(min=1); episodic = []
        for teach, ask, dark, ask_dark in groups:
            t, q = torch.from_numpy(teach).to(device), torch.from_numpy(ask).to(device); q_ok = seen[q]; scores = memory(logits[q], e[q], torch.from_numpy(ask_dark).to(device), e[t], c[t], torch.from_numpy(dark).to(device))
            episodic.append((F.cross_entropy(scores, c[q].clamp(min=0), reduction="none", label_smoothing=.01) * q_ok).sum() / q_ok.sum())
        ep = torch.stack(episodic).mean(); loss = ep + .5 * ce + .4 * bce; opt.zero_grad(); loss.backward(); nn.utils.clip_grad_norm_(net.parameters(), 5); opt.step(); step += 1; mean += max(.02, 1 / step) * (np.array([float(v.detach()) for v in (ep, ce, bce)]) - mean)
        if step % 50 == 0: print(f"{done:.3f} step {step} episodes {mean[0]:.4f} logits {mean[1]:.4f} hidden {mean[2]:.4f} looks {len(episodes.looks)}", flush=True)
        if time.time() - saved > 180: saved = time.time(); keep(done); [v.rescan() for v in (episodes, *held.values())]; told += 1; told % 4 == 0 and report(10)
    keep(1.0); net = net.cpu().float(); report(60); export(net, a.export)


if __name__ == "__main__": main()
