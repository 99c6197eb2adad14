"""The figures of the spotter, on voices, rooms and noises that did not train it.

    python evaluate.py dry OUT --split test            speech of the held-out voices, once
    python evaluate.py thresholds OUT --model announce.onnx --split dev --hours 4
    python evaluate.py figures OUT --model announce.onnx --split test [--hours 20] [--sheets FOLDER]

Announcements are mixed as sound: a held-out voice in a held-out room, 0.5 to 2 m away, in a held-out noise of the
same power less 10 or 0 dB while it is spoken. The hours without an announcement are made of sentences, near words
and noises of the same kind, each sentence heard in several rooms and noises.
"""

import argparse
import pickle
import random
import wave
from collections import defaultdict
from pathlib import Path

import numpy as np
from scipy.signal import fftconvolve

import noises
import rooms
from say import ROOMS, Speaker, coded, room
from spot import ON, Network, hits, smoothed
from voices import CLASSES, PHRASES, RATE

NEAR_MS = 500
# Of the utterances in the hours without an announcement, how many are words chosen to be mistaken.
NEAR_SHARE = 0.1
# Thresholds to compare, as shares of those in force.
LEVELS = (0.5, 0.7, 0.85, 1.0, 1.1)
BEFORE_S, AFTER_S = 2.5, 1.2


def interval(k: int, n: int) -> tuple[float, float]:
    """Exact binomial (Clopper-Pearson, 95 %)."""
    from scipy.stats import beta
    low = 0.0 if k == 0 else beta.ppf(0.025, k, n - k + 1)
    high = 1.0 if k == n else beta.ppf(0.975, k + 1, n - k)
    return low, high


def hourly(k: int, hours: float) -> tuple[float, float]:
    """Exact Poisson (Garwood, 95 %), an hour."""
    from scipy.stats import chi2
    low = 0.0 if k == 0 else chi2.ppf(0.025, 2 * k) / 2
    return low / hours, chi2.ppf(0.975, 2 * k + 2) / 2 / hours


def dry(args) -> None:
    """Utterances of a split, as they leave the voices."""
    args.out.mkdir(parents=True, exist_ok=True)
    for seed in range(*args.parts):
        path = args.out / f"dry-{args.split}-{seed:03}.pickle"
        if path.exists():
            continue
        speaker = Speaker(args.split, 7000 + seed * 10)
        rows = []
        for kind, text, language, voice, x in speaker.speak(speaker.jobs()):
            x, how = speaker.varied(x, voice)
            x = x / (np.abs(x).max() + 1e-9)
            rows.append((CLASSES.index(kind), text, language, voice, how, (x * 30000).astype(np.int16)))
        path.write_bytes(pickle.dumps(rows))
        print(path.name, len(rows), flush=True)


class Hall:
    """Scenes of sound from dry speech."""

    def __init__(self, folder: Path, split: str, seed: int = 1):
        self.split, self.rng, self.np = split, random.Random(seed), np.random.default_rng(seed)
        rows = [r for p in sorted(folder.glob(f"dry-{split}-*.pickle")) for r in pickle.loads(p.read_bytes())]
        self.said = [r for r in rows if r[0] > 0]
        near = {t for texts in PHRASES["near"].values() for t in texts}
        self.near = [r for r in rows if r[0] == 0 and r[1] in near]
        self.other = [r for r in rows if r[0] == 0 and r[1] not in near]
        self.kinds = noises.KINDS[split]

    def heard(self, dry: np.ndarray) -> np.ndarray:
        """In a room, with a mean square of 1 while spoken, and 0.6 s of the room after it."""
        h = room(self.rng.randrange(*ROOMS[self.split]))
        x = np.pad(dry.astype(np.float32) / 30000, (0, 9600))
        y = fftconvolve(x, h)[rooms.DIRECT : rooms.DIRECT + len(x)]
        return (y / (np.sqrt(np.mean(y[: len(dry)] ** 2)) + 1e-9)).astype(np.float32)

    def talk(self, n: int) -> np.ndarray:
        out, at = np.zeros(n, np.float32), -self.rng.randrange(RATE)
        while at < n:
            s = self.rng.choice(self.other)[5].astype(np.float32)
            s = s / (np.sqrt(np.mean(s**2)) + 1e-9)
            take = s[max(0, -at) : n - at]
            out[max(at, 0) : max(at, 0) + len(take)] += take
            at += len(s) + self.rng.randrange(RATE // 2)
        return out

    def noise(self, n: int) -> tuple[str, np.ndarray]:
        kind = self.rng.choice(self.kinds)
        x = noises.noise(kind, n, self.np, self.talk)
        if self.rng.random() < 0.5:
            h = room(self.rng.randrange(*ROOMS[self.split]))
            x = noises.normed(fftconvolve(x, h)[:n])
        return kind, x

    def recorded(self, x: np.ndarray) -> np.ndarray:
        """At some level, with 16 bits."""
        peak = np.abs(x).max() + 1e-9
        x = x / peak * 10 ** self.rng.uniform(-2.2, -0.05)
        return np.round(x * 32767) / 32768

    def announcement(self, row, snr_db: float):
        """Sound, where the announcement begins and ends (ms), and the kind of noise."""
        y = self.heard(row[5])
        begin = int(BEFORE_S * RATE) + self.rng.randrange(RATE // 2)
        n = begin + len(row[5]) + int(AFTER_S * RATE)
        kind, x = self.noise(n)
        # Noises that come and go are as loud as they are meant to be while something is said.
        spoken = slice(begin, begin + len(row[5]))
        here = np.sqrt(np.mean(x[spoken] ** 2))
        x = x / max(here, 0.3) * 10 ** (-snr_db / 20)
        x[begin : begin + len(y)] += y[: n - begin]
        return self.recorded(x), begin / 16, (begin + len(row[5])) / 16, kind

    def idle(self, seconds: float):
        """Sound without an announcement, and what was said when (ms)."""
        n = int(seconds * RATE)
        kind, x = self.noise(n)
        x = x * 10 ** (-self.rng.choice([0, 5, 10, 20, 30]) / 20)
        said, at = [], self.rng.randrange(RATE)
        while at < n:
            row = self.rng.choice(self.near if self.rng.random() < NEAR_SHARE else self.other)
            y = self.heard(row[5]) * 10 ** self.rng.uniform(-0.4, 0.2)
            x[at : at + len(y)] += y[: n - at]
            said.append((at / 16, row[1], row[3], row[4]))
            at += len(row[5]) + int(RATE * self.rng.uniform(0.05, 1.5))
        x = self.recorded(x)
        return (np.round(coded(x.astype(np.float32), self.rng) * 32767) / 32768 if self.rng.random() < 0.2 else x), said, kind


def share(k: int, n: int) -> str:
    low, high = interval(k, n)
    return f"{k}/{n} = {100 * k / n:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def found_share(hall: Hall, network: Network, on: np.ndarray, most: int, sheets) -> None:
    errors, delays, right, durations = [], [], 0, []
    for snr_db in (10, 0):
        groups = defaultdict(lambda: [0, 0])
        missed, levels = [], dict.fromkeys(LEVELS, 0)
        for row in hall.said[:most]:
            x, begin, end, noise = hall.announcement(row, snr_db)
            said, times = network.answers(x)
            for level in LEVELS:
                levels[level] += any(abs(h["end"] - end) < NEAR_MS for h in hits(said, times, on * level))
            got = [h for h in hits(said, times, on) if abs(h["end"] - end) < NEAR_MS]
            for group in ("all", f"phrase: {CLASSES[row[0]]}", f"language: {row[2]}", f"engine: {row[3].split('/')[0]}",
                          f"manner: {row[4] or 'plain'}", f"noise: {noise}"):
                groups[group][0] += bool(got)
                groups[group][1] += 1
            if got:
                errors.append(got[0]["end"] - end)
                delays.append(got[0]["known"] - end)
                right += got[0]["kind"] == row[0]
                durations.append(got[0]["duration"] - (end - begin))
            else:
                missed.append((float((smoothed(said) / on).max()), row[1:5], noise, x))
        print(f"\n## found at {snr_db} dB\n\n| what | found |\n| --- | --- |")
        for name, (k, n) in sorted(groups.items()):
            print(f"| {name} | {share(k, n)} |")
        print("\nby threshold: " + ", ".join(f"{o}: {n}" for o, n in levels.items()))
        missed.sort(key=lambda m: m[0])
        for i, (p, about, noise, x) in enumerate(missed[:20]):
            if sheets:
                save(sheets / f"miss-{snr_db}dB-{i:02}.wav", x)
                (sheets / f"miss-{snr_db}dB-{i:02}.txt").write_text(f"{about} in {noise}, best at {p:.2f} of its threshold\n")
    e, d = np.array(errors), np.array(delays)
    print(f"\nend: median error {np.median(np.abs(e)):.0f} ms, mean {e.mean():+.0f}, 90 % within {np.quantile(np.abs(e), 0.9):.0f} ({len(e)} found)")
    print(f"duration: median error {np.median(np.abs(durations)):.0f} ms")
    print(f"delay to the event: median {np.median(d):.0f} ms, 95 % {np.quantile(d, 0.95):.0f}, largest {d.max():.0f}")
    print(f"phrase right: {share(right, len(e))}")


def near_words(hall: Hall, network: Network, on: np.ndarray) -> None:
    """Words that sound alike, each alone, at 10 dB."""
    taken = defaultdict(int)
    for row in hall.near:
        x, *_ = hall.announcement(row, 10)
        if hits(*network.answers(x), on):
            taken[row[1]] += 1
    print(f"\n## near words\n\ntaken for an announcement: {share(sum(taken.values()), len(hall.near))}")
    print(", ".join(f"{word} {n}" for word, n in sorted(taken.items(), key=lambda t: -t[1])[:25]))


def save(path: Path, x: np.ndarray) -> None:
    with wave.open(str(path), "wb") as w:
        w.setnchannels(1)
        w.setsampwidth(2)
        w.setframerate(RATE)
        w.writeframes((np.clip(x, -1, 1) * 32767).astype("<i2").tobytes())


def false_hits(hall: Hall, network: Network, on: np.ndarray, hours: float, sheets) -> None:
    piece_s, count, worst, gone = 120.0, 0, [], 0.0
    levels = dict.fromkeys(LEVELS, 0)
    while gone < hours * 3600:
        x, said, kind = hall.idle(piece_s)
        answers, times = network.answers(x)
        for level in levels:
            levels[level] += len(hits(answers, times, on * level))
        for h in hits(answers, times, on):
            count += 1
            near = [s for s in said if s[0] < h["end"] + 200][-2:]
            worst.append((h["p"], h, near, kind, x[max(0, int(h["end"] * 16) - 3 * RATE) : int(h["end"] * 16) + RATE]))
        gone += piece_s
    low, high = hourly(count, gone / 3600)
    print(f"\n## false hits\n\n{count} in {gone / 3600:.1f} hours: {count / gone * 3600:.2f} an hour [{low:.2f}, {high:.2f}]")
    print("by threshold: " + ", ".join(f"{o}: {n}" for o, n in levels.items()))
    worst.sort(key=lambda w: -w[0])
    for i, (p, h, near, kind, x) in enumerate(worst[:20]):
        print(f"- {p:.2f} {CLASSES[h['kind']]} in {kind}: {near}")
        if sheets:
            save(sheets / f"false-{i:02}.wav", x)


def figures(args) -> None:
    network = Network(args.model)
    if args.sheets:
        args.sheets.mkdir(parents=True, exist_ok=True)
    hall = Hall(args.out, args.split)
    seconds = sum(len(r[5]) for r in hall.other) / RATE
    print(f"{args.model.name}, {args.split}: {len(hall.said)} announcements, {len(hall.near)} near words, {len(hall.other)} sentences of {seconds / 3600:.2f} h; thresholds {ON.tolist()}")
    if args.most:
        found_share(hall, network, ON, args.most, args.sheets)
        near_words(hall, network, ON)
    if args.hours:
        false_hits(Hall(args.out, args.split, args.seed), network, ON, args.hours, args.sheets)


def peaks(score: np.ndarray, apart: int = 50) -> list[float]:
    """The highest scores, a second apart from each other."""
    top = np.flatnonzero((score[1:-1] >= score[:-2]) & (score[1:-1] > score[2:]) & (score[1:-1] > 0.05)) + 1
    taken: list[int] = []
    for i in top[np.argsort(-score[top])]:
        if all(abs(i - j) > apart for j in taken):
            taken.append(int(i))
    return [float(score[i]) for i in taken]


def thresholds(args) -> None:
    """For some rates of false hits of each phrase, the thresholds, and what is found with them at 10 dB."""
    network, hall = Network(args.model), Hall(args.out, args.split, args.seed)
    heights = [[] for _ in CLASSES[1:]]
    for _ in range(int(args.hours * 30)):
        smooth = smoothed(network.answers(hall.idle(120.0)[0])[0])
        for k, of in enumerate(heights):
            of += peaks(smooth[:, k])
    best = []
    for row in hall.said[: args.most]:
        x, _, end, _ = hall.announcement(row, 10)
        said, times = network.answers(x)
        best.append(smoothed(said)[(times > end - 100) & (times < end + 450)].max(0))
    for rate in (0.1, 0.3, 0.5, 1.0):
        on = np.array([sorted(h, reverse=True)[min(round(rate * args.hours), len(h) - 1)] for h in heights])
        print(f"{rate} an hour and phrase: {np.round(on, 2).tolist()}, found {share(sum(bool((b > on).any()) for b in best), len(best))}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("dry")
    command.add_argument("out", type=Path)
    command.add_argument("--split", default="test")
    command.add_argument("--parts", type=int, nargs=2, default=(0, 6))
    command.set_defaults(run=dry)
    command = commands.add_parser("figures")
    command.add_argument("out", type=Path)
    command.add_argument("--model", type=Path, required=True)
    command.add_argument("--split", default="test")
    command.add_argument("--hours", type=float, default=20)
    command.add_argument("--most", type=int, default=2000, help="announcements")
    command.add_argument("--seed", type=int, default=2, help="of the hours")
    command.add_argument("--sheets", type=Path)
    command.set_defaults(run=figures)
    command = commands.add_parser("thresholds")
    command.add_argument("out", type=Path)
    command.add_argument("--model", type=Path, required=True)
    command.add_argument("--split", default="dev")
    command.add_argument("--hours", type=float, default=4)
    command.add_argument("--most", type=int, default=450)
    command.add_argument("--seed", type=int, default=2)
    command.set_defaults(run=thresholds)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
