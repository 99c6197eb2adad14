"""The voices that packages ship: which there are, which are held out, and how they are made to speak.

A voice is named `engine/voice`: `espeak/fr+f3` (language and variant), `flite/slt`, `festival/lp_diphone`.
Held out by name are a variant of espeak-ng in every language, and whole voices of the others.
"""

import io
import random
import subprocess
import tempfile
import tomllib
import wave
from pathlib import Path

import numpy as np
from scipy.signal import lfilter, resample_poly

RATE = 16000
PHRASES = tomllib.loads((Path(__file__).parent / "phrases.toml").read_text())
CLASSES = ["none", *PHRASES["announcements"]]

VARIANTS = Path("/usr/lib/x86_64-linux-gnu/espeak-ng-data/voices/!v")
ODD = "croak Demonic UniRobot Tweaky anikaRobot serious fast whisper whisperf".split()
HELD_OUT = {
    "test": "f4 m5 m7 Andy linda steph2 klatt3 Mario grandpa pablo belinda whisperf".split(),
    "dev": "f2 m6 Alicia klatt5 edward aunty".split(),
}
# Native languages of the other voices.
FLITE = {"kal16": "train", "slt": "train", "awb": "train", "rms": "test"}
FESTIVAL = {
    "kal_diphone": ("en", "train"), "ked_diphone": ("en", "test"), "cmu_us_slt_arctic_hts": ("en", "train"),
    "lp_diphone": ("it", "train"), "pc_diphone": ("it", "test"),
    "czech_ph": ("cs", "train"), "czech_machac": ("cs", "train"), "czech_krb": ("cs", "dev"), "czech_dita": ("cs", "test"),
    "hy_fi_mv_diphone": ("fi", "train"), "suo_fi_lj_diphone": ("fi", "test"),
    "msu_ru_nsh_clunits": ("ru", "train"), "upc_ca_ona_hts": ("ca", "train"),
    "hindi_NSK_diphone": ("hi", "train"), "telugu_NSK_diphone": ("te", "train"), "marathi_NSK_diphone": ("mr", "dev"),
}
# In these English voices the word is given by its sounds.
LEXICON = '(lex.add.entry \'("jadoubex" nil (((zh ax) 0) ((d uw b) 1))))(lex.add.entry \'("adoubex" nil (((ax) 0) ((d uw b) 1))))'
# By the names of their files: with "fr-fr" or "en-gb" espeak-ng 1.51 ignores the variant.
ESPEAK_LANGUAGE = {
    "en": ["en-us", "en", "en-gb-scotland", "en-gb-x-rp", "en-029", "en-us-nyc", "en-gb-x-gbcwmd"],
    "fr": ["fr", "fr-be", "fr-ch"], "es": ["es", "es-419"], "pt": ["pt", "pt-br"],
}


def espeak_variants(split: str) -> list[str]:
    held = HELD_OUT["test"] + HELD_OUT["dev"]
    if split != "train":
        return HELD_OUT[split]
    names = [p.name for p in VARIANTS.iterdir() if " " not in p.name]
    names = [n for n in names if n not in held and n not in ODD and not n.startswith("robosoft")]
    return sorted(names) + ["", "whisper", "whisper", "whisper"]


def voices(split: str, engine: str) -> list[tuple[str, str]]:
    """(voice, language) of an engine other than espeak."""
    if engine == "flite":
        return [(f"flite/{v}", "en") for v, s in FLITE.items() if s == split]
    return [(f"festival/{v}", l) for v, (l, s) in FESTIVAL.items() if s == split]


def read_wav(data: bytes) -> np.ndarray:
    """16 kHz mono of a WAV whose header may not know its length."""
    with wave.open(io.BytesIO(data)) as w:
        rate, channels = w.getframerate(), w.getnchannels()
        raw = w.readframes(w.getnframes() if w.getnframes() < 1 << 28 else 1 << 28)
    x = np.frombuffer(raw[: len(raw) // 2 * 2], "<i2").astype(np.float32) / 32768
    x = x.reshape(-1, channels).mean(1)
    return to_rate(x, rate)


def to_rate(x: np.ndarray, rate: int) -> np.ndarray:
    if rate == RATE or len(x) == 0:
        return x
    g = np.gcd(rate, RATE)
    return resample_poly(x, RATE // g, rate // g).astype(np.float32)


def espeak(text: str, language: str, variant: str, rng: random.Random) -> np.ndarray:
    voice = rng.choice(ESPEAK_LANGUAGE.get(language, [language]))
    if variant:
        voice += "+" + variant
    speed, pitch = rng.randint(115, 270), rng.randint(15, 85)
    command = ["espeak-ng", "-v", voice, "-s", str(speed), "-p", str(pitch), "--stdout"]
    out = subprocess.run(command, input=text.encode(), capture_output=True, timeout=60)
    return read_wav(out.stdout) if len(out.stdout) > 100 else np.zeros(0, np.float32)


def flite(text: str, voice: str, rng: random.Random) -> np.ndarray:
    phones = {"jadoubex": "pau zh ax d uw b pau", "adoubex": "pau ax d uw b pau"}
    what = ["-p", phones[text]] if text in phones else ["-t", text]
    stretch = f"duration_stretch={rng.uniform(0.7, 1.3):.2f}"
    with tempfile.NamedTemporaryFile(suffix=".wav") as f:
        subprocess.run(["flite", "-voice", voice, "--setf", stretch, *what, "-o", f.name], capture_output=True, timeout=60)
        data = Path(f.name).read_bytes()
    return read_wav(data) if len(data) > 100 else np.zeros(0, np.float32)


def festival(texts: list[str], voice: str) -> list[np.ndarray]:
    """Many texts in one start of the program."""
    with tempfile.TemporaryDirectory() as folder:
        lines = [f"(voice_{voice})", LEXICON if FESTIVAL[voice][0] == "en" else ""]
        for i, text in enumerate(texts):
            text = text.replace("\\", " ").replace('"', " ")
            lines.append(f'(set! u (Utterance Text "{text}"))(utt.synth u)(utt.save.wave u "{folder}/{i}.wav" \'riff)')
        script = Path(folder) / "say.scm"
        # An error in one text ends the program: each is protected.
        script.write_text("\n".join(f"(unwind-protect (begin {l}) nil)" if l.startswith("(set!") else l for l in lines))
        subprocess.run(["festival", "--batch", str(script)], capture_output=True, timeout=600)
        out = []
        for i in range(len(texts)):
            path = Path(folder) / f"{i}.wav"
            out.append(read_wav(path.read_bytes()) if path.exists() else np.zeros(0, np.float32))
        return out


def spoken(x: np.ndarray) -> tuple[int, int]:
    """From where to where there is sound, samples."""
    block = 80
    if len(x) < 10 * block:
        return 0, 0
    level = np.sqrt(np.mean(x[: len(x) // block * block].reshape(-1, block) ** 2, 1))
    loud = np.flatnonzero(level > max(level.max() * 0.02, 1e-5))
    return (int(loud[0]) * block, int(loud[-1] + 1) * block) if len(loud) else (0, 0)


def trimmed(x: np.ndarray) -> np.ndarray:
    a, b = spoken(x)
    return x[a:b]


def whispered(x: np.ndarray, rng: np.random.Generator, order: int = 18) -> np.ndarray:
    """The same without a voice: the linear predictor of each 25 ms driven by noise."""
    frame, hop = 400, 200
    window = np.hanning(frame)
    out = np.zeros(len(x) + frame)
    emphasised = np.append(x[:1], x[1:] - 0.95 * x[:-1])
    for at in range(0, len(x) - frame, hop):
        s = emphasised[at : at + frame] * window
        r = np.correlate(s, s, "full")[frame - 1 : frame + order]
        if r[0] < 1e-9:
            continue
        a, error = np.array([1.0]), r[0] * (1 + 1e-5)
        for i in range(1, order + 1):
            k = -(r[i] + np.dot(a[1:], r[i - 1 : 0 : -1])) / error
            longer = np.concatenate([a, [0.0]])
            a = longer + k * longer[::-1]
            error *= 1 - k * k
            if error <= 0:
                break
        if error <= 0:
            continue
        noise = rng.standard_normal(frame) * np.sqrt(error / frame)
        out[at : at + frame] += lfilter([1.0], a, noise) * window
    # A whisper has little below the first formant.
    return lfilter([1.0, -0.3], [1.0], out[: len(x)]).astype(np.float32)
