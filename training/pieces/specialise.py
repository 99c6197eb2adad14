#!/usr/bin/env python3
"""How much a set's own prototypes should count beside the network's logits: specialise.py --data DIR --model pieces.onnx

For each group of pictures with one set that trained nothing (held-out looks and photos, as `train.py` splits them) the first
pictures teach prototypes, the rest is read with `logit_weight * logits + similarity_weight * cosine`.  Prints the mean negative
log likelihood of what stands there and the share read right, sources weighing the same.  The two weights go into
`src/vision/squares.rs`.
"""
import argparse
import pathlib

import numpy as np
import onnxruntime

from train import SHARE, plain

LESSON = 96                    # crops that teach, of each group
UNSEEN, OTHER = .35, 0.0       # as in squares.rs


def groups(d: dict, name: str) -> list[np.ndarray]:
    """Rows with one set: a look of the renderer, all held-out photos of a source."""
    held = np.flatnonzero((d["group"] % 10 == 9) & (d["content"] >= 0) & (d["hidden"].astype(float) < .1))
    return [held[d["group"][held] == g] for g in np.unique(d["group"][held])] if name == "stills" else [held]


def likelihoods(logits: np.ndarray, embedding: np.ndarray, content: np.ndarray, weights: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Log probabilities of what stands there and whether it is the likeliest, for the rows after the lesson."""
    similarity = np.full((len(content) - LESSON, 13), UNSEEN, np.float32)
    for c in np.unique(content[:LESSON]):
        mean = embedding[:LESSON][content[:LESSON] == c].mean(0); similarity[:, c] = embedding[LESSON:] @ (mean / np.linalg.norm(mean))
    scores = weights[0] * logits[LESSON:] + weights[1] * similarity; truth = content[LESSON:]
    log_p = scores - np.log(np.exp(scores - scores.max(1, keepdims=True)).sum(1, keepdims=True)) - scores.max(1, keepdims=True)
    return log_p[np.arange(len(truth)), truth], log_p.argmax(1) == truth


def main() -> None:
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for k in ("data", "model"): a.add_argument("--" + k, type=pathlib.Path, required=True)
    a = a.parse_args(); options = onnxruntime.SessionOptions(); options.intra_op_num_threads = 1; net = onnxruntime.InferenceSession(str(a.model), options); read = {}
    for name in SHARE:
        d = dict(np.load(a.data / f"{name}.npz"))
        for rows in groups(d, name):
            if len(rows) < 2 * LESSON: continue
            out = [net.run(["logits", "embedding"], {"crops": plain(d["crops"][rows[i:i + 256]]).numpy()}) for i in range(0, len(rows), 256)]
            read.setdefault(name, []).append((*(np.concatenate(x) for x in zip(*out)), d["content"][rows].astype(int)))
    print({k: sum(len(c) - LESSON for _, _, c in v) for k, v in read.items()}, "crops read")
    for lw in (0, .05, .1, .2, .3, .5, .8):
        for sw in (0, 4, 7, 10, 14, 20):
            by = {k: [np.concatenate(x) for x in zip(*(likelihoods(*g, (lw, sw)) for g in v))] for k, v in read.items()}
            print(f"logits {lw} similarity {sw}: nats {np.mean([-np.maximum(p, -8).mean() for p, _ in by.values()]):.4f}, right {np.mean([r.mean() for _, r in by.values()]):.4f}", {k: round(float(r.mean()), 3) for k, (_, r) in by.items()})


if __name__ == "__main__": main()
