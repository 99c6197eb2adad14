"""Trains the spotter on shards of `say.py` and exports it.

    python train.py --data DATA --run RUN --minutes 35 --export RUN/announce.onnx

Scenes of eight seconds are put together from utterances and noises while it trains, so that no two are alike. Sums are made
of energies: what two sounds do to each other's phases is drawn at random.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

import frontend
from net import REACH, Exported, Spotter
from voices import CLASSES

SECONDS = 8
FRAMES = SECONDS * 100
HOP_MS = 10
# The announcement is told from so long before its end to so long after, milliseconds; around that nothing is asked.
FROM_MS, TO_MS, AROUND_MS = 20, 200, 120


class Store:
    """All utterances and noises of some shards."""

    def __init__(self, paths: list[Path]):
        self.mel, self.kind, self.begin, self.end, self.noise, self.noise_kind = [], [], [], [], [], []
        for path in paths:
            self.add(path)

    def add(self, path: Path) -> None:
        z = np.load(path)
        starts, mel = z["starts"], z["mel"]
        for i in range(len(z["kind"])):
            self.mel.append(mel[starts[i] : starts[i + 1]])

        self.kind += z["kind"].tolist()
        self.begin += (z["begin"] / 160).tolist()
        self.end += (z["end"] / 160).tolist()
        self.noise += list(z["noise"])
        self.noise_kind += z["noise_kind"].tolist()

    def index(self) -> None:
        kinds, lengths = np.array(self.kind), np.array([len(m) for m in self.mel])
        self.said = np.flatnonzero((kinds > 0) & (lengths < 500))
        self.other = np.flatnonzero(kinds == 0)
        self.near = np.flatnonzero((kinds == 0) & (lengths < 220))
        rare = np.bincount(kinds, minlength=len(CLASSES)).astype(float)
        weight = 1 / np.sqrt(np.maximum(rare[kinds[self.said]], 1))
        self.weight = weight / weight.sum()


def scene(store: Store, rng) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Energies (FRAMES, bands), classes (FRAMES) with -1 where nothing is asked, times (FRAMES, 2)."""
    energy = np.full((FRAMES, frontend.BANDS), 1e-12, np.float32)
    label = np.zeros(FRAMES, np.int64)
    times = np.zeros((FRAMES, 2), np.float32)
    level = 10 ** rng.uniform(-6, -1)  # speech power: very soft to loud
    at = rng.integers(-100, 250)
    while at < FRAMES:
        draw = rng.random()
        if draw < 0.45:
            i = store.said[np.searchsorted(store.weight.cumsum(), rng.random() * 0.9999)]
        elif draw < 0.75:
            i = rng.choice(store.near)
        else:
            i = rng.choice(store.other)
        mel = np.exp(store.mel[i].astype(np.float32)) * level * 10 ** rng.uniform(-0.5, 0.5)
        kind = store.kind[i]
        first = 0
        if kind == 0 and len(mel) > 200 and rng.random() < 0.3:
            first = rng.integers(0, len(mel) // 2)
        elif kind > 0 and rng.random() < 0.06:
            # Broken off, or only the end of it heard: no announcement.
            half = int(store.begin[i] + (store.end[i] - store.begin[i]) * rng.uniform(0.3, 0.6))
            mel, kind = (mel[:half], 0) if rng.random() < 0.5 else (mel[half:], 0)
        mel = mel[first:]
        a, b = max(at, 0), min(at + len(mel), FRAMES)
        if b > a:
            energy[a:b] += mel[a - at : b - at]
        if kind > 0:
            begin, end = at + store.begin[i], at + store.end[i]
            # A frame's time is when its last sample is heard.
            t = np.arange(FRAMES) + 2.5
            since = (t - end) * HOP_MS
            near = (since > -FROM_MS - AROUND_MS) & (since < TO_MS + AROUND_MS)
            inside = (since >= -FROM_MS) & (since <= TO_MS) & (begin >= -5)
            label[near & (label == 0)] = -1
            label[inside] = kind
            times[inside, 0] = (end - begin) / 100
            times[inside, 1] = since[inside] / 1000
        gap = rng.integers(5, 40) if rng.random() < 0.6 else rng.integers(40, 250)
        at += len(mel) + int(gap)
    n = np.exp(store.noise[rng.integers(len(store.noise))].astype(np.float32))
    n = np.roll(n, rng.integers(len(n)), axis=0)[:FRAMES]
    if rng.random() < 0.4:
        m = np.exp(store.noise[rng.integers(len(store.noise))].astype(np.float32))
        n = n + m[:FRAMES] * 10 ** rng.uniform(-1.5, 0)
    n *= level * 10 ** (-rng.uniform(-6, 35) / 10)
    cross = 2 * np.sqrt(energy * n) * rng.normal(0, 0.35, energy.shape).astype(np.float32)
    energy = np.maximum(energy + n + cross, 1e-12)
    # Another microphone's colour.
    colour = np.interp(np.arange(frontend.BANDS), np.linspace(0, frontend.BANDS - 1, 5), rng.normal(0, 0.6, 5))
    energy *= np.exp(colour).astype(np.float32)
    energy += 10 ** rng.uniform(-10.5, -8)
    return energy, label, times


def batch(store: Store, rng, size: int):
    scenes = [scene(store, rng) for _ in range(size)]
    features = frontend.relative(np.stack([s[0] for s in scenes]))
    # An answer's frame is the last one that it knows.
    steps = slice(REACH - 1, None, 2)
    label = np.stack([s[1][steps] for s in scenes])
    times = np.stack([s[2][steps] for s in scenes])
    return torch.from_numpy(features), torch.from_numpy(label), torch.from_numpy(times)


def loss_of(net, features, label, times):
    logits, told = net(features)
    steps = min(logits.shape[1], label.shape[1])
    logits, told, label, times = logits[:, :steps], told[:, :steps], label[:, :steps], times[:, :steps]
    each = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), label.reshape(-1), ignore_index=-1, reduction="none").view(label.shape)
    none = label == 0
    said = label > 0
    # The hardest silent steps count most: false hits are what must not be.
    hard = each[none]
    worst = hard.topk(max(1, hard.numel() // 20)).values
    loss = each[said].mean() + 1.0 * worst.mean() + 2.0 * hard.mean()
    if said.any():
        loss = loss + 0.5 * (told - times)[said].abs().mean()
    return loss, logits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=35)
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from-run", type=Path, help="weights to begin with")
    parser.add_argument("--export", type=Path)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    args.run.mkdir(parents=True, exist_ok=True)
    net = Spotter(frontend.BANDS, len(CLASSES))
    if args.from_run:
        net.load_state_dict(torch.load(args.from_run))
    print(sum(p.numel() for p in net.parameters()), "parameters; an answer knows", REACH, "frames", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-2)
    store, known = Store([]), set()
    begun, step, mean, saved = time.time(), 0, None, time.time()
    while (gone := (time.time() - begun) / 60 / args.minutes) < 1:
        # Shards made meanwhile are taken in.
        if step % 100 == 0:
            fresh = [p for p in sorted(args.data.glob("train-*.npz")) if p not in known]
            for path in fresh:
                try:
                    store.add(path)
                    known.add(path)
                except Exception:  # still being written
                    pass
            if fresh:
                store.index()
        rate = args.rate * min(1, (step + 1) / 100) * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * gone)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        loss, _ = loss_of(net, *batch(store, rng, args.batch))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        mean = loss.item() if mean is None else 0.98 * mean + 0.02 * loss.item()
        step += 1
        if step % 50 == 0:
            print(f"{gone * args.minutes:.1f} min, step {step}, {len(known)} shards, {len(store.kind)} utterances, loss {mean:.3f}", flush=True)
        if time.time() - saved > 120:
            torch.save(net.state_dict(), args.run / "last.pt")
            saved = time.time()
    torch.save(net.state_dict(), args.run / "last.pt")
    if args.export:
        export(net, args.export)


def export(net: Spotter, path: Path) -> None:
    net.eval()
    example = torch.zeros(1, REACH + 8, frontend.BANDS)
    torch.onnx.export(Exported(net), (example,), str(path), input_names=["features"], output_names=["said"],
                      dynamic_axes={"features": {0: "batch", 1: "frames"}, "said": {0: "batch", 1: "steps"}}, opset_version=17, dynamo=False)


if __name__ == "__main__":
    main()
