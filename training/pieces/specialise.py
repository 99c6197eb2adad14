#!/usr/bin/env python3
"""How much a set's own looks should count beside the network's logits: specialise.py --run RUN/last.pt --looks DIR... [--artists DIR...]

On looks that trained nothing (a tenth of LOOKS, all of each folder of ARTISTS) the start position teaches and two other pictures are read
with `logit_weight * logits + similarity_weight * cosine`, two thirds of them in hard light, compression and colours.  Prints the share
read right and the mean negative log likelihood of what stands there.  The two weights go into `src/vision/squares.rs`.
"""
import argparse
import pathlib

import cv2
import numpy as np
import torch

from episodes import Episodes
from net import Means, Net, inputs

PAIRS = ((.5, 6.), (.5, 10.), (.5, 14.), (.5, 18.), (.3, 10.), (.3, 14.), (.15, 14.), (.7, 14.), (.7, 20.))


@torch.no_grad()
def main() -> None:
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--run", type=pathlib.Path, required=True); a.add_argument("--draws", type=int, default=20)
    a.add_argument("--looks", type=pathlib.Path, nargs="+", required=True); a.add_argument("--artists", type=pathlib.Path, nargs="*", default=[])
    a = a.parse_args(); torch.set_num_threads(1); cv2.setNumThreads(1); net = Net(); net.load_older(torch.load(a.run, weights_only=False, map_location="cpu")["net"]); net.eval()
    for name, looks in {"held families": Episodes(a.looks, True), **{f.name: Episodes([f]) for f in a.artists}}.items():
        rng, read = np.random.default_rng(5), []
        for k in range(a.draws):
            bgr, lean, content, _, square, picture, _ = looks.draw(rng, look=k // 2 % len(looks.looks), camera=k % 2, hard=k % 3 > 0); x = inputs(bgr, lean)
            logits, e, *_ = (torch.cat(v) for v in zip(*(net(x[i:i + 128]) for i in range(0, len(x), 128))))
            read.append((logits, e, torch.from_numpy(content), torch.from_numpy((square // 8 + square % 8) % 2 == 0), torch.from_numpy(picture == 0)))
        for pair in PAIRS:
            log_p, right = [], []
            for logits, e, c, dark, teach in read:
                scores = Means(*pair)(logits[~teach], e[~teach], dark[~teach], e[teach], c[teach], dark[teach])
                log_p.append(scores.log_softmax(1)[torch.arange(len(scores)), c[~teach]].clamp(min=-8)); right.append(scores.argmax(1) == c[~teach])
            print(f"{name}: logits {pair[0]} similarity {pair[1]}: right {torch.cat(right).float().mean():.4f}, nats {-torch.cat(log_p).mean():.3f}", flush=True)


if __name__ == "__main__": main()
