#!/usr/bin/env python3
"""Trains the square reader on with one's own labelled footage, and tells what it is worth.

    finetune.py --clips PATH... [--model ../../models/pieces.onnx] [--minutes 10] [--seed 1] --export OUT.onnx

PATH: a video beside its NAME.truth.json, or a folder with truth.json and pictures (`docs/` of the benchmark's format).  Starts from
the weights of the ONNX file.  Every fifth clip is held out; with fewer than five, the last fifth of each.  Prints squares right of 13
contents, of empty/white/black, and boards right, before and after, of what was held out, read after the first picture.
"""
import argparse
import pathlib
import time

import cv2
import numpy as np
import onnx
import onnxruntime
import torch
import torch.nn as nn
import torch.nn.functional as F

import crops as C
import evaluate
from net import CONTENTS, Means, Net, export, inputs, with_lean
from train import augment

MOST = 40                      # pictures of a clip that are kept


def parameters(graph) -> dict:
    """Tensors of a graph by the name under which nodes use them, eight-bit ones as what they stand for."""
    value = {i.name: onnx.numpy_helper.to_array(i) for i in graph.initializer}
    for node in graph.node:
        if node.op_type != "DequantizeLinear" or node.input[0] not in value: continue
        small, scale = value[node.input[0]], value[node.input[1]]; zero = value[node.input[2]] if len(node.input) > 2 else np.zeros_like(scale)
        shape = [-1 if scale.ndim and i == next((a.i for a in node.attribute if a.name == "axis"), 1) else 1 for i in range(small.ndim)] if scale.ndim else []
        value[node.output[0]] = (small.astype(np.float32) - zero.astype(np.float32).reshape(shape)) * scale.reshape(shape)
    return {k: torch.from_numpy(np.array(v)) for k, v in value.items()}


def module_of(node: str) -> str:
    """Name of the module that a node of the export came from: `/body/body.0/c1/Conv` is `body.0.c1`."""
    parts = []
    for part in node.strip("/").split("/")[:-1]:
        if parts and part.split(".")[0] == parts[-1]: parts.pop()
        parts.append(part)
    return ".".join(parts)


def weights(net: Net, path: pathlib.Path) -> None:
    """Weights of an exported network.  The export merged the normalisations into the convolutions: here they do nothing, and
    stay that way, which suits small amounts of footage."""
    graph = onnx.load(str(path)).graph; value = parameters(graph)
    layers = {k: m for k, m in net.named_modules() if isinstance(m, (nn.Conv2d, nn.Linear))}
    follows = dict(zip([m for m in layers.values() if isinstance(m, nn.Conv2d)], [m for m in net.modules() if isinstance(m, nn.BatchNorm2d)]))
    nodes = [(n, layers[k]) for n in graph.node if n.op_type in ("Conv", "Gemm") and (k := module_of(n.name)) in layers]
    constants = [n for n in graph.node if n.op_type in ("MatMul", "Mul", "Add", "Gemm") and module_of(n.name) not in layers]
    if len(nodes) != len(layers): raise SystemExit(f"{path} is no square reader of this version: {len(nodes)} layers with weights instead of {len(layers)}")
    net.eval()
    with torch.no_grad():
        for node, layer in nodes:
            layer.weight.copy_(value[node.input[1]]); bias = value[node.input[2]]
            if (norm := follows.get(layer)) is None: layer.bias.copy_(bias)
            else: norm.running_mean.zero_(); norm.running_var.fill_(1 - norm.eps); norm.weight.fill_(1); norm.bias.copy_(bias)
        if "classes" in value: net.classes.copy_(value["classes"])
        for node in constants:                                  # the directions of the classes where they were folded, scale and bias
            for name in node.input:
                if name in value and value[name].ndim == 2: net.classes.copy_(value[name] if value[name].shape[0] == CONTENTS else value[name].T)
                if node.op_type == "Mul" and name in value and value[name].numel() == 1: net.scale.copy_(value[name].reshape(()))
                if name in value and value[name].numel() == CONTENTS: net.bias.copy_(value[name].reshape(CONTENTS))
    x = torch.rand(2, 4, 64, 64, generator=torch.Generator().manual_seed(0)); want = onnxruntime.InferenceSession(str(path)).run(None, {"crops": x.numpy()})
    with torch.no_grad(): off = [float(np.abs(a - b.numpy()).mean() / np.abs(a).mean()) for a, b in zip(want, net(x))]
    if max(off[:2]) > .1: raise SystemExit(f"{path} is no square reader of this version: its weights give other outputs here ({off})")


class Clip:
    """The pictures of one clip as wide crops, the first one teaching."""
    def __init__(self, path, session):
        self.name, reader, rows = path.stem, evaluate.Reader(session), []
        for image, corners, truth, away in evaluate.labelled(path):
            if not away and rows: continue
            p = C.image_from_space(corners, image.shape[1], image.shape[0])
            if not rows: reader.find_eye(image, corners, truth)
            if reader.eye is not None: p = C.seen_from(corners, reader.eye)
            lean = [C.lean(p, s % 8 + .5, s // 8 + .5) for s in range(64)]; boxes = [C.box(*v) for v in lean]
            rows.append((np.stack([C.crop(image, x, y, side * 1.5, angle, 96) for x, y, side, angle in boxes]), np.array([np.hypot(*v[2]) for v in lean], np.float32), truth))
        step = max(1, len(rows) // MOST); self.rows = rows[:1] + rows[1::step]

    def part(self, first: float, last: float):
        """The teaching picture and a share of the others."""
        n = len(self.rows) - 1; return [self.rows[0]] + self.rows[1 + int(first * n):1 + int(last * n)]


DARK = torch.tensor([(s // 8 + s % 8) % 2 == 0 for s in range(64)])


@torch.no_grad()
def judge(net, means, rows):
    """Squares right of 13 contents and of empty/white/black, and boards right, with their numbers."""
    net.eval(); middle = lambda r: inputs(r[0][:, 16:80, 16:80, :3], r[1]); kind = lambda q: np.where(q == 0, 0, np.where(q < 7, 1, 2)); right = np.zeros(3, int)
    _, known, _, _ = net(middle(rows[0])); content = torch.from_numpy(rows[0][2]).long()
    for row in rows[1:]:
        logits, e, _, _ = net(middle(row)); p = means(logits, e, DARK, known, content, DARK).argmax(1).numpy()
        right += [(p == row[2]).sum(), (kind(p) == kind(row[2])).sum(), bool((p == row[2]).all())]
    return right, len(rows) - 1


def main() -> None:
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--clips", type=pathlib.Path, nargs="+", required=True); a.add_argument("--model", type=pathlib.Path, default=pathlib.Path(__file__).parents[2] / "models/pieces.onnx")
    a.add_argument("--minutes", type=float, default=10); a.add_argument("--rate", type=float, default=3e-4); a.add_argument("--seed", type=int, default=1); a.add_argument("--export", type=pathlib.Path, required=True); a = a.parse_args()
    torch.manual_seed(a.seed); torch.set_num_threads(1); cv2.setNumThreads(1); rng, g = np.random.default_rng(a.seed), torch.Generator().manual_seed(a.seed)
    session = onnxruntime.InferenceSession(str(a.model)); clips = [c for c in (Clip(p, session) for p in a.clips) if len(c.rows) > 2]
    if not clips: raise SystemExit("no clip has three pictures without hands: give longer ones")
    whole = len(clips) >= 5; train = [c.rows for i, c in enumerate(clips) if i % 5 != 4] if whole else [c.part(0, .8) for c in clips]
    held = {c.name: c.rows for i, c in enumerate(clips) if i % 5 == 4} if whole else {c.name: c.part(.8, 1) for c in clips}
    net, means = Net(), Means(); weights(net, a.model); before = {k: judge(net, means, v) for k, v in held.items()}; opt = torch.optim.AdamW(net.parameters(), a.rate, weight_decay=.01); start = time.time(); step = 0
    while (done := (time.time() - start) / (a.minutes * 60)) < 1:
        rows = train[rng.integers(len(train))]; asked = [rows[0]] + [rows[1 + i] for i in rng.integers(len(rows) - 1, size=3)]; x, lean = np.concatenate([r[0] for r in asked]), torch.from_numpy(np.concatenate([r[1] for r in asked]))
        content = torch.from_numpy(np.concatenate([r[2] for r in asked])).long(); opt.param_groups[0]["lr"] = a.rate * .5 * (1 + np.cos(np.pi * done))
        logits, e, _, _ = net(with_lean(augment(torch.from_numpy(x[..., :3].copy()), lean, g), lean)); dark = DARK.repeat(4)
        loss = F.cross_entropy(means(logits[64:], e[64:], dark[64:], e[:64], content[:64], dark[:64]), content[64:], label_smoothing=.01) + .5 * F.cross_entropy(logits, content, label_smoothing=.03)
        opt.zero_grad(); loss.backward(); opt.step(); step += 1
        if step % 20 == 0: print(f"{done:.2f} step {step} loss {float(loss):.3f}", flush=True)
    print(f"{'held out':24} {'pictures':>8} {'13 contents':>18} {'empty/white/black':>18} {'boards':>12}")
    for name, rows in held.items():
        (b, n), (c, _) = before[name], judge(net, means, rows); share = lambda i, m: f"{b[i] / m:.4f} -> {c[i] / m:.4f}"
        print(f"{name:24} {n:8} {share(0, 64 * n):>18} {share(1, 64 * n):>18} {f'{b[2]} -> {c[2]}':>12}")
    print("exported", a.export, "largest difference to PyTorch", export(net, a.export))


if __name__ == "__main__": main()
