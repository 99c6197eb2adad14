#!/usr/bin/env python3
"""Trains the hand network and exports `models/hands.onnx`.

    train.py --stills DIR... --photos DIR --run DIR --minutes 60 --export ../../models/hands.onnx

Input `view` float32 [1,6,256,256]: the crop of `view.py` (RGB 0..1), the image of one square of height (two constant planes), a
ramp of rows (-1 top .. 1 bottom). Outputs: `arms` [1,2,64,64] logits of White's and Black's hands and arms, `centres` [1,2,32,32]
logits of White's and Black's pinch points, `hands` [1,26,32,32] what is said of a hand there (`data.py`; flags as logits).
Looks whose seed ends in 9 are validation. Resumes from RUN/last.pt; seeded; uses a GPU where there is one.
"""
import argparse
import pathlib
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import data as D

BATCH = 16


def conv(a, b, stride=1, k=3): return nn.Sequential(nn.Conv2d(a, b, k, stride, k // 2, bias=False), nn.BatchNorm2d(b), nn.ReLU())


class Block(nn.Module):
    def __init__(self, n): super().__init__(); self.a = conv(n, n); self.b = nn.Conv2d(n, n, 3, 1, 1, bias=False); self.n = nn.BatchNorm2d(n)
    def forward(self, x): return F.relu(x + self.n(self.b(self.a(x))))


class Net(nn.Module):
    """Plain convolutions: on a processor they are faster than depthwise ones of like quality."""
    def __init__(self):
        super().__init__()
        self.s2 = conv(6, 16, 2); self.s4 = nn.Sequential(conv(16, 24, 2), Block(24)); self.s8 = nn.Sequential(conv(24, 48, 2), Block(48)); self.s16 = nn.Sequential(conv(48, 96, 2), Block(96)); self.s32 = nn.Sequential(conv(96, 128, 2), Block(128))
        self.d16 = conv(128 + 96, 64); self.d8 = conv(64 + 48, 56); self.head = conv(56, 64); self.centres = nn.Conv2d(64, 2, 1); self.hands = nn.Conv2d(64, D.ROWS, 1)
        self.m8 = conv(56, 24, k=1); self.m4 = conv(24 + 24, 16); self.arms = nn.Conv2d(16, 2, 1); nn.init.constant_(self.centres.bias, -4); nn.init.constant_(self.arms.bias, -2)
    def forward(self, x):
        up = lambda t: F.interpolate(t, scale_factor=2, mode="nearest")
        a = self.s4(self.s2(x)); b = self.s8(a); c = self.s16(b); d = self.s32(c)
        e = self.d8(torch.cat([up(self.d16(torch.cat([up(d), c], 1))), b], 1)); h = self.head(e)
        return self.arms(self.m4(torch.cat([up(self.m8(e)), a], 1))), self.centres(h), self.hands(h)


def losses(out, mask, heat, rows, weight):
    arms, centres, hands = (t.float() for t in out); p = arms.sigmoid()
    pixel = F.binary_cross_entropy_with_logits(arms, mask); overlap = 1 - (2 * (p * mask).sum((1, 2, 3)) + 20) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + 20)
    q = centres.sigmoid().clamp(1e-5, 1 - 1e-5); focal = torch.where(heat == 1, -(1 - q) ** 2 * q.log(), -(1 - heat) ** 4 * q ** 2 * (1 - q).log()).sum() / max(1.0, float((heat == 1).sum()))
    n = D.PLACES + D.HEIGHTS; w = weight[:, None]; total = w.sum().clamp(min=1); scale = torch.ones(n); scale[D.PLACES:] = 2.0; scale[:2] = 2.0
    place = ((hands[:, :n] - rows[:, :n]).abs() * w * scale.view(1, n, 1, 1)).sum() / total / n; flag = (F.binary_cross_entropy_with_logits(hands[:, n:], rows[:, n:], reduction="none") * w).sum() / total / len(D.FLAGS)
    return 2 * pixel + .5 * overlap.mean() + focal + place + .7 * flag, dict(pixel=pixel, dice=overlap.mean(), focal=focal, place=place, flag=flag)


class Endless(torch.utils.data.IterableDataset):
    """Samples for ever; looks rendered meanwhile are taken up."""
    def __init__(self, folders, sources, backgrounds, seed): self.folders, self.sources, self.backgrounds, self.seed = folders, sources, backgrounds, seed
    def __iter__(self):
        g = np.random.default_rng([self.seed, torch.utils.data.get_worker_info().id])
        while True:
            for _ in range(3000): yield D.sample(self.sources[g.integers(len(self.sources))], g, self.backgrounds)
            known = {row["file"].split("-")[0] for _, _, row in self.sources}; self.sources += D.scenes(self.folders, False, known)


@torch.no_grad()
def validate(net, sources):
    """On unseen looks: overlap of the masks, hands found and false, error of pinch and tips in squares, heights, flags."""
    net.eval(); g = np.random.default_rng(0); inter = union = 0; found = false = missed = 0; pinch, tips, height, flags = [], [], [], []
    for s in sources:
        x, mask, heat, rows, weight = D.sample(s, g, exact=True); arms, centres, hands = (t[0].numpy() for t in net(torch.from_numpy(x[None])))
        a, b = arms > 0, mask > .5; inter += (a & b).sum(); union += (a | b).sum()
        score = torch.from_numpy(centres); peak = (score == F.max_pool2d(score[None], 3, 1, 1)[0]).numpy() & (centres > -.4); got = [tuple(v) for v in np.argwhere(peak)]
        for o, y, q in np.argwhere(heat == 1):
            near = [v for v in got if v[0] == o and max(abs(v[1] - y), abs(v[2] - q)) <= 2]
            if not near: missed += 1; continue
            found += 1; v = max(near, key=lambda v: centres[v]); got.remove(v); r, t = hands[:, v[1], v[2]], rows[:, y, q]; unit = D.UNIT / D.CELL; shift = np.array([v[2] - q, v[1] - y])
            mine, true = r[:2] + shift, t[:2]; pinch.append(np.linalg.norm(mine - true) / unit); tips += list(np.linalg.norm((r[2:12].reshape(5, 2) + mine) - (t[2:12].reshape(5, 2) + true), axis=1)[:2] / unit); height.append(abs(r[16] - t[16])); flags.append([(a > 0) == (b > .5) for a, b in zip(r[-3:], t[-3:])])
        false += len(got)
    return f"mask overlap {inter / max(union, 1):.3f}, hands {found}/{found + missed}, false {false}, median pinch {np.median(pinch):.3f} tips {np.median(tips):.3f} height {np.median(height):.3f} squares, flags {np.mean(flags, 0).round(3) if flags else ''}"


def export(net, path):
    net = net.cpu().float().eval(); torch.onnx.export(net, torch.zeros(1, 6, D.SIDE, D.SIDE), str(path), input_names=["view"], output_names=["arms", "centres", "hands"], opset_version=17, dynamo=False)
    import onnxruntime
    x = torch.rand(1, 6, D.SIDE, D.SIDE); got = onnxruntime.InferenceSession(str(path)).run(None, {"view": x.numpy()})
    with torch.no_grad(): print("exported", path, "largest difference to PyTorch", max(float(np.abs(a - b.numpy()).max()) for a, b in zip(got, net(x))))


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--stills", type=pathlib.Path, nargs="+", required=True)
    for k in ("photos", "run", "export"): a.add_argument("--" + k, type=pathlib.Path, required=True)
    a.add_argument("--minutes", type=float, default=60); a.add_argument("--from-run", type=pathlib.Path, help="start from the weights of this checkpoint"); a.add_argument("--seed", type=int, default=1); a.add_argument("--threads", type=int, default=1); a = a.parse_args()
    torch.manual_seed(a.seed); torch.set_num_threads(a.threads); a.run.mkdir(parents=True, exist_ok=True); device = "cuda" if torch.cuda.is_available() else "cpu"
    train, held = D.scenes(a.stills, False), D.scenes(a.stills, True); net = Net().to(device).to(memory_format=torch.channels_last); print(sum(p.numel() for p in net.parameters()), "parameters,", len(train), "pictures,", len(held), "held out", flush=True)
    opt = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=.02); last = a.run / "last.pt"; done = 0.0
    if last.exists(): s = torch.load(last, map_location=device, weights_only=False); net.load_state_dict(s["net"]); opt.load_state_dict(s["opt"]); done = s["done"] if s["done"] < .98 else 0.0
    if a.from_run and not done: net.load_state_dict(torch.load(a.from_run, map_location=device, weights_only=False)["net"])
    batches = torch.utils.data.DataLoader(Endless(a.stills, train, D.photos(a.photos), a.seed + int(done * 1000)), BATCH, num_workers=1); start, saved, step, mean = time.time() - done * a.minutes * 60, time.time(), 0, {}
    for x, mask, heat, rows, weight in batches:
        done = (time.time() - start) / (a.minutes * 60)
        if done >= 1: break
        for q in opt.param_groups: q["lr"] = float(2e-3 * min(1, (step + 1) / 200) * (.02 + .98 * .5 * (1 + np.cos(np.pi * done))))
        net.train(); x = x.to(device).contiguous(memory_format=torch.channels_last)
        with torch.autocast(device, torch.bfloat16): out = net(x)
        loss, parts = losses([t.cpu() if device == "cpu" else t for t in out], *(t.to(device) for t in (mask, heat, rows, weight))); opt.zero_grad(); loss.backward(); nn.utils.clip_grad_norm_(net.parameters(), 5); opt.step(); step += 1
        for k, v in parts.items(): mean[k] = mean.get(k, float(v.detach())) * .98 + .02 * float(v.detach())
        if step % 100 == 0: print(f"{done:.3f} step {step} " + " ".join(f"{k} {v:.3f}" for k, v in mean.items()), flush=True)
        if time.time() - saved > 300: saved = time.time(); torch.save(dict(net=net.state_dict(), opt=opt.state_dict(), done=done), last); print(validate(net, held[::3]), flush=True)
    torch.save(dict(net=net.state_dict(), opt=opt.state_dict(), done=1.0), last); net = net.cpu(); print(validate(net, held)); export(net, a.export)


if __name__ == "__main__": main()
