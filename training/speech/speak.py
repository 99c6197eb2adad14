"""Gives a labelled clip its sound: the `speech` rows of NAME.truth.json, said by a held-out voice, as NAME.wav.

    python speak.py CLIP.truth.json OUT.wav [--snr 15] [--later MS] [--voice espeak|flite|festival] [--seed N]

`--later` says everything so much later than the labels have it, to see what a late announcement amounts to.
"""

import argparse
import json
import random
from pathlib import Path

import numpy as np
from scipy.signal import fftconvolve

import noises
import rooms
import voices
from evaluate import save
from say import ROOMS, room
from voices import RATE

# How the phrases of the labels are spelled for a voice of a language.
SPELLED = {"j'adoube": ("fr", "j'adoube"), "adoube": ("fr", "adoube"), "I adjust": ("en", "I adjust")}


def said(phrase: str, voice: str, rng: random.Random) -> np.ndarray:
    language, text = SPELLED.get(phrase, ("fr", phrase))
    if voice == "flite":
        return voices.trimmed(voices.flite("jadoubex" if "adoube" in phrase else text, "rms", rng))
    if voice == "festival":
        return voices.trimmed(voices.festival(["jadoubex" if "adoube" in phrase else text], "ked_diphone")[0])
    return voices.trimmed(voices.espeak(text, language, rng.choice(voices.HELD_OUT["test"]), rng))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--snr", type=float, default=15.0, help="dB while something is said")
    parser.add_argument("--later", type=float, default=0.0, help="milliseconds")
    parser.add_argument("--voice", choices=["espeak", "flite", "festival"], default="espeak")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng, numbers = random.Random(args.seed), np.random.default_rng(args.seed)
    truth = json.loads(args.truth.read_text())
    n = int((truth["frames"] / truth["fps"] + 0.5) * RATE)
    x = noises.noise("hall_test", n, numbers, lambda n: noises.coloured(n, 1.5, numbers)) * 10 ** (-args.snr / 20)
    for row in truth["speech"]:
        y = said(row["phrase"], args.voice, rng)
        h = room(rng.randrange(*ROOMS["test"]))
        y = fftconvolve(np.pad(y, (0, 8000)), h)[rooms.DIRECT :]
        y = y / (np.sqrt(np.mean(y[: len(y) - 8000] ** 2)) + 1e-9)
        at = int((row["ms"] + args.later) * RATE / 1000)
        y = y[: max(0, n - at)]
        x[at : at + len(y)] += y
    save(args.out, x / np.abs(x).max() * 0.5)


if __name__ == "__main__":
    main()
