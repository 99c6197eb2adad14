"""Noises of a playing hall, made from nothing: air and hum, chairs, pieces, clocks, coughs, steps; babble is made of speech."""

import numpy as np
from scipy.signal import butter, lfilter, sosfilt

RATE = 16000
# Of test recordings only: air of another colour, and these.
KINDS = {
    "train": ["air", "hum", "clicks", "coughs", "chairs", "pieces", "steps", "paper", "babble", "babble", "hall"],
    "test": ["air_test", "clicks_test", "coughs_test", "babble", "babble", "hall_test", "music"],
}
KINDS["dev"] = KINDS["train"]


def coloured(n: int, slope: float, rng) -> np.ndarray:
    """Noise whose power falls as 1/f^slope."""
    spectrum = np.fft.rfft(rng.standard_normal(n))
    f = np.maximum(np.fft.rfftfreq(n, 1 / RATE), 30.0)
    return np.fft.irfft(spectrum * f ** (-slope / 2), n)


def band(x: np.ndarray, low: float, high: float) -> np.ndarray:
    return sosfilt(butter(2, [low, high], "band", fs=RATE, output="sos"), x)


def burst(rng, ms: float, low: float, high: float, decay: float = 4.0) -> np.ndarray:
    n = max(64, int(ms * RATE / 1000))
    return band(rng.standard_normal(n), low, min(high, 7800)) * np.exp(-decay * np.arange(n) / n)


def knock(rng, test: bool) -> np.ndarray:
    """A few damped resonances: wood, plastic, a clock's lever."""
    n = int(rng.uniform(0.01, 0.09) * RATE)
    t = np.arange(n) / RATE
    out = np.zeros(n)
    for _ in range(rng.integers(2, 6)):
        f = rng.uniform(200, 3500) if not test else rng.uniform(350, 5000)
        out += rng.uniform(0.2, 1) * np.sin(2 * np.pi * f * t) * np.exp(-t * rng.uniform(40, 300))
    return out + 0.3 * rng.standard_normal(n) * np.exp(-t * 400)


def cough(rng, test: bool) -> np.ndarray:
    """An outburst of air through a throat, then, often, a voiced rest; sometimes a clearing of it."""
    n = int(rng.uniform(0.15, 0.45) * RATE)
    t = np.arange(n) / RATE
    source = rng.standard_normal(n)
    pitch = rng.uniform(90, 260) * (1 + 0.3 * np.exp(-t * 8))
    voiced = np.sign(np.sin(2 * np.pi * np.cumsum(pitch) / RATE)) * rng.uniform(0, 1.2 if not test else 2.0)
    source = source + voiced * (t > rng.uniform(0.03, 0.15))
    out = np.zeros(n)
    for _ in range(4):
        f, width = rng.uniform(300, 4500), rng.uniform(80, 500)
        r = np.exp(-np.pi * width / RATE)
        out += lfilter([1 - r], [1, -2 * r * np.cos(2 * np.pi * f / RATE), r * r], source) * rng.uniform(0.3, 1)
    rise = np.minimum(t / rng.uniform(0.004, 0.03), 1)
    return out * rise * np.exp(-t * rng.uniform(5, 14))


def scrape(rng) -> np.ndarray:
    n = int(rng.uniform(0.2, 1.2) * RATE)
    t = np.arange(n) / RATE
    f = rng.uniform(150, 900)
    body = np.sin(2 * np.pi * np.cumsum(f * (1 + 0.2 * np.sin(2 * np.pi * rng.uniform(2, 12) * t))) / RATE)
    x = band(np.sign(body) + rng.standard_normal(n), f * 0.7, f * 4)
    return x * np.hanning(n)


def scattered(n: int, rng, make, a_second: float) -> np.ndarray:
    out = coloured(n, 1.0, rng) * 1e-3
    out /= np.sqrt(np.mean(out**2)) * 100
    for _ in range(max(1, rng.poisson(a_second * n / RATE))):
        s = make()
        s = s / (np.abs(s).max() + 1e-9) * 10 ** rng.uniform(-1.2, 0)
        at = rng.integers(0, n)
        out[at : at + len(s)] += s[: n - at]
    return out


def music(n: int, rng) -> np.ndarray:
    """A ringing telephone, a hummed tune: partials that go by steps."""
    out, at = np.zeros(n), 0
    while at < n:
        m = int(rng.uniform(0.08, 0.6) * RATE)
        f = 220 * 2 ** (rng.integers(0, 30) / 12)
        t = np.arange(m) / RATE
        out[at : at + m] += sum(np.sin(2 * np.pi * f * k * t) / k for k in range(1, 7))[: n - at] * np.hanning(m)[: n - at]
        at += int(m * rng.uniform(0.8, 1.5))
    return out


def noise(kind: str, n: int, rng, talk=None) -> np.ndarray:
    """n samples with a mean square of 1; `talk` gives a piece of speech of so many samples."""
    test = kind.endswith("_test")
    match kind.removesuffix("_test"):
        case "air":
            x = coloured(n, rng.uniform(1.6, 2.6) if test else rng.uniform(0.0, 2.2), rng)
        case "hum":
            t = np.arange(n) / RATE
            f = rng.choice([50.0, 60.0])
            x = sum(rng.uniform(0, 1) * np.sin(2 * np.pi * f * k * t + rng.uniform(0, 6)) for k in range(1, 12))
            x = x + coloured(n, 1.0, rng) / 50
        case "clicks":
            x = scattered(n, rng, lambda: knock(rng, test), rng.uniform(0.3, 5))
        case "coughs":
            x = scattered(n, rng, lambda: cough(rng, test), rng.uniform(0.3, 1.5))
        case "chairs":
            x = scattered(n, rng, lambda: scrape(rng), rng.uniform(0.2, 1.0))
        case "pieces":
            x = scattered(n, rng, lambda: knock(rng, test), rng.uniform(0.5, 3))
        case "steps":
            x = scattered(n, rng, lambda: burst(rng, 90, 60, 600), rng.uniform(1, 3))
        case "paper":
            x = scattered(n, rng, lambda: burst(rng, rng.uniform(80, 600), 1500, 7500, 1.5), rng.uniform(0.3, 2))
        case "music":
            x = music(n, rng)
        case "babble":
            x = sum(talk(n) for _ in range(rng.integers(2, 9)))
        case "hall":
            x = coloured(n, rng.uniform(1, 2), rng)
            x /= np.sqrt(np.mean(x**2))
            x = x + rng.uniform(0.3, 2) * normed(sum(talk(n) for _ in range(6)))
            x = x + rng.uniform(0, 2) * normed(scattered(n, rng, lambda: knock(rng, test), 1.0))
            x = x + rng.uniform(0, 1.5) * normed(scattered(n, rng, lambda: cough(rng, test), 0.3))
        case _:
            raise ValueError(kind)
    return normed(x)


def normed(x: np.ndarray) -> np.ndarray:
    return (x / (np.sqrt(np.mean(np.square(x))) + 1e-9)).astype(np.float32)
