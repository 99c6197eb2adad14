"""Makes speech: the utterances of one split as mel energies with what and when, `NAME.npz` a shard.

    python say.py OUT --split train --shards 0 40
"""

import argparse
import gzip
import random
import re
import subprocess
import tempfile
import zlib
from functools import cache
from pathlib import Path

import numpy as np
from scipy.signal import fftconvolve, lfilter, resample_poly

import frontend
import noises
import rooms
import voices
from voices import CLASSES, PHRASES, RATE

ROOMS = {"train": (0, 240), "dev": (1000, 1030), "test": (2000, 2060)}
FORTUNES = Path("/usr/share/games/fortunes")
LANGUAGE_OF = {"brasil": "pt", "bg": "bg", "cs": "cs", "de": "de", "eo": "eo", "es": "es", "it": "it", "pl": "pl", "ru": "ru", "ga": "ga"}
FRENCH = Path("/usr/share/debian-reference/debian-reference.fr.txt.gz")
NAMES = "Anna Becker|Jonas Weber|Maria Rossi|Pierre Dubois|Ivan Petrov|Olga Smirnova|José García|Jan Kowalski|Erik Berg|Pavel Novák".split("|")
PLACES = "Berlin|Paris|Dubai|Madrid|Rom|Moskau|Prag|Wien|London|Zagreb|Oslo|Belgrad".split("|")
# Per shard.
ANNOUNCED, NEAR, SENTENCES = 300, 220, 110


@cache
def texts(split: str) -> dict[str, list[str]]:
    """Sentences by language, of this split, without those that have an announcement in them."""
    said = [s.lower() for c in PHRASES["announcements"].values() for l in c.values() for s in l]
    own = re.compile("|".join(r"\b" + re.escape(s.strip("!")) + r"\b" for s in said))
    out: dict[str, list[str]] = {}
    sources = [(p, LANGUAGE_OF.get(p.relative_to(FORTUNES).parts[0], "en")) for p in sorted(FORTUNES.rglob("*"))
               if p.is_file() and not p.suffix and p.name != "art" and p.stat().st_size > 2000]
    for path, language in sources:
        for text in path.read_bytes().decode("utf-8", "ignore").split("\n%\n"):
            out.setdefault(language, []).append(text)
    with gzip.open(FRENCH, "rt") as f:
        out["fr"] = re.split(r"\n\s*\n", f.read())
    for language, all_texts in out.items():
        clean = []
        for text in all_texts:
            text = re.sub(r"[^\w\s,.!?;:'’-]|\d{5,}|_", " ", text)
            for sentence in re.split(r"(?<=[.!?])\s+", re.sub(r"\s+", " ", text)):
                if 25 < len(sentence) < 160 and part(sentence) == split and not own.search(sentence.lower()):
                    clean.append(sentence)
        out[language] = clean
    return out


def part(text: str) -> str:
    h = zlib.crc32(text.encode()) % 10
    return "test" if h < 2 else "dev" if h == 2 else "train"


class Speaker:
    """Says things in the voices of a split."""

    def __init__(self, split: str, seed: int):
        self.split, self.rng = split, random.Random(seed)
        self.np = np.random.default_rng(seed)
        self.texts = texts(split)
        self.variants = voices.espeak_variants(split)

    def sentence(self) -> tuple[str, str]:
        if self.rng.random() < 0.3:
            language = self.rng.choice(list(PHRASES["news"]))
            text = self.rng.choice(PHRASES["news"][language])
            return text.format(n=self.rng.randint(2, 90), p=self.rng.choice(NAMES), c=self.rng.choice(PLACES)), language
        language = self.rng.choice([l for l in self.texts if len(self.texts[l]) > 30])
        return self.rng.choice(self.texts[language]), language

    def phrases(self, table: dict, language: str | None = None) -> tuple[str, str]:
        language = language or self.rng.choice(list(table))
        return self.rng.choice(table[language]), language

    def jobs(self) -> list[tuple[str, str, str, str]]:
        """(class, text, language, engine) of a shard."""
        jobs = []
        weights = {"jadoube": 4, "adjust": 2}
        for _ in range(ANNOUNCED):
            names = list(PHRASES["announcements"])
            kind = self.rng.choices(names, [weights.get(n, 1) for n in names])[0]
            table = PHRASES["announcements"][kind]
            # Those who say it best say it most often.
            home = {"jadoube": "fr", "adjust": "en", "german": "de", "french": "fr"}.get(kind)
            language = home if home and self.rng.random() < 0.35 else None
            jobs.append((kind, *self.phrases(table, language)))
        for _ in range(NEAR):
            jobs.append(("none", *self.phrases(PHRASES["near"])))
        for _ in range(SENTENCES):
            jobs.append(("none", *self.sentence()))
        return jobs

    def engine(self, language: str) -> str:
        """Another engine's voice where it speaks the language."""
        others = [v for e in ("flite", "festival") for v, l in voices.voices(self.split, e) if l == language]
        if others and self.rng.random() < 0.5:
            return self.rng.choice(others)
        return "espeak"

    def speak(self, jobs) -> list[tuple[str, str, str, str, np.ndarray]]:
        """(class, text, language, voice, sound) of each job; what an engine cannot say is left out."""
        out, later = [], {}
        for kind, text, language in jobs:
            engine = self.engine(language)
            name, _, voice = engine.partition("/")
            said = text
            if name in ("flite", "festival") and language == "en" and kind == "jadoube":
                said = "adoubex" if text.startswith("a") else "jadoubex"
            if name == "festival":
                later.setdefault(engine, []).append((kind, text, language, said))
                continue
            if name == "flite":
                x = voices.flite(said, voice, self.rng)
            else:
                variant = self.rng.choice(self.variants)
                engine = f"espeak/{language}+{variant}"
                x = voices.espeak(text, language, variant, self.rng)
            out.append((kind, text, language, engine, x))
        for engine, rows in later.items():
            sounds = voices.festival([r[3] for r in rows], engine.partition("/")[2])
            out.extend((*r[:3], engine, x) for r, x in zip(rows, sounds))
        return [(k, t, l, v, voices.trimmed(x)) for k, t, l, v, x in out if 0.15 < len(voices.trimmed(x)) / RATE < 14]

    def varied(self, x: np.ndarray, voice: str) -> tuple[np.ndarray, str]:
        """Another throat, another way of speaking."""
        how = []
        factor = self.rng.choice([1.0, self.rng.uniform(0.86, 1.16)])
        if factor != 1.0:
            x = resample_poly(x, int(100 / factor), 100).astype(np.float32)
        if "whisper" in voice:
            how.append("whispered")
        elif self.rng.random() < 0.22:
            x = voices.whispered(x, self.np)
            how.append("whispered")
        if self.rng.random() < 0.2:
            # Mumbled: little is left of the high formants, and the end is swallowed.
            b = np.exp(-2 * np.pi * self.rng.uniform(900, 2500) / RATE)
            x = 0.85 * lfilter([1 - b], [1, -b], x) + 0.15 * x
            x = x * np.linspace(1, self.rng.uniform(0.25, 1), len(x))
            how.append("mumbled")
        return x.astype(np.float32), " ".join(how)

    def room(self, x: np.ndarray) -> np.ndarray:
        """Heard from 0.5 to 2 m, with 0.3 s of the room after the end."""
        a, b = ROOMS[self.split]
        h = room(self.rng.randrange(a, b))
        y = fftconvolve(np.pad(x, (0, 4800)), h)[rooms.DIRECT : rooms.DIRECT + len(x) + 4800]
        level = np.sqrt(np.mean(y[: len(x)] ** 2)) + 1e-9
        return (y / level).astype(np.float32)


@cache
def room(seed: int) -> np.ndarray:
    return rooms.response(seed)


def coded(x: np.ndarray, rng: random.Random) -> np.ndarray:
    """Through a codec as phones and cameras have them, and back; the delay of each is taken out by FFmpeg."""
    codec = rng.choice([("libopus", "ogg", f"{rng.randint(12, 32)}k"), ("aac", "m4a", f"{rng.randint(32, 96)}k"),
                        ("libmp3lame", "mp3", f"{rng.choice([32, 48, 64])}k"), ("pcm_mulaw", "wav", "0"), ("adpcm_ima_wav", "wav", "0")])
    with tempfile.TemporaryDirectory() as folder:
        source, made, back = (f"{folder}/{n}" for n in ("a.raw", f"b.{codec[1]}", "c.raw"))
        (x * 8000).clip(-32767, 32767).astype("<i2").tofile(source)
        raw = ["-f", "s16le", "-ar", "16000", "-ac", "1"]
        rate = ["-ar", "8000"] if codec[0] in ("pcm_mulaw",) else []
        bits = ["-b:a", codec[2]] if codec[2] != "0" else []
        quiet = ["ffmpeg", "-nostdin", "-y", "-loglevel", "error"]
        subprocess.run([*quiet, *raw, "-i", source, "-c:a", codec[0], *bits, *rate, made], check=True)
        subprocess.run([*quiet, "-i", made, *raw, back], check=True)
        y = np.fromfile(back, "<i2").astype(np.float32) / 8000
    return np.pad(y, (0, max(0, len(x) - len(y))))[: len(x)]


def shard(split: str, seed: int, path: Path) -> None:
    speaker = Speaker(split, seed * 10 + {"train": 0, "dev": 1, "test": 2}[split])
    rows = speaker.speak(speaker.jobs())
    speaker.rng.shuffle(rows)
    sounds, about = [], []
    for kind, text, language, voice, x in rows:
        x, how = speaker.varied(x, voice)
        y = speaker.room(x)
        # 0.1 s before.
        y = np.pad(y, (1600, 0))
        sounds.append(y)
        about.append((CLASSES.index(kind), 1600, 1600 + len(x), text, language, voice, how))
    # A third goes through codecs, many at a time.
    third = len(sounds) // 3
    for at in range(0, third, 80):
        group = sounds[at : min(at + 80, third)]
        long = coded(np.concatenate(group) / 4, speaker.rng) * 4
        cuts = np.cumsum([len(g) for g in group])[:-1]
        sounds[at : at + len(group)] = np.split(long, cuts)
    energy = [frontend.energies(y) for y in sounds]
    starts = np.cumsum([0, *[len(e) for e in energy]])
    noise = noise_rows(split, speaker, [r[4] for r in rows if r[0] == "none" and len(r[4]) > RATE])
    np.savez(path, mel=np.log(np.concatenate(energy) + 1e-12).astype(np.float16), starts=starts,
             kind=np.array([a[0] for a in about]), begin=np.array([a[1] for a in about]), end=np.array([a[2] for a in about]),
             text=np.array([a[3] for a in about]), language=np.array([a[4] for a in about]),
             voice=np.array([a[5] for a in about]), how=np.array([a[6] for a in about]),
             noise=np.log(np.stack([n for _, n in noise]) + 1e-12).astype(np.float16), noise_kind=np.array([k for k, _ in noise]))
    print(split, seed, len(rows), f"{starts[-1] / 6000:.1f} min", flush=True)


def noise_rows(split: str, speaker: Speaker, speech: list[np.ndarray], count: int = 14, seconds: float = 10.0):
    """Noises of 10 s, as mel energies."""
    def talk(n: int) -> np.ndarray:
        out = np.zeros(n, np.float32)
        at = -speaker.rng.randrange(RATE)
        while at < n:
            s = noises.normed(speaker.rng.choice(speech))
            take = s[max(0, -at) : n - at]
            out[max(at, 0) : max(at, 0) + len(take)] += take
            at += len(s) + speaker.rng.randrange(RATE // 2)
        return out

    rows = []
    for _ in range(count):
        kind = speaker.rng.choice(noises.KINDS[split])
        x = noises.noise(kind, int(seconds * RATE), speaker.np, talk)
        if kind != "hum" and speaker.rng.random() < 0.6:
            h = room(speaker.rng.randrange(*ROOMS[split]))
            x = noises.normed(fftconvolve(x, h)[: len(x)])
        rows.append((kind, frontend.energies(x)))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--split", choices=["train", "dev", "test"], required=True)
    parser.add_argument("--shards", type=int, nargs=2, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for seed in range(*args.shards):
        path = args.out / f"{args.split}-{seed:03}.npz"
        if not path.exists():
            shard(args.split, seed, path)


if __name__ == "__main__":
    main()
