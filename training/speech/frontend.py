"""Sound to features, exactly as `src/sound/features.rs`: mel energies relative to their slow means, in logarithms.

A frame has 400 samples (25 ms) of 16 kHz sound, a new one begins every 160 (10 ms). What is stationary
(level, hum, the colour of a room) falls out of the ratio to the slow mean.
"""

import numpy as np

RATE = 16000
FRAME, HOP, FFT = 400, 160, 512
BANDS, LOW_HZ, HIGH_HZ = 40, 80.0, 7600.0
SLOW = 0.01  # of the mean, a frame: a second
FLOOR = 1e-9
GAIN = 10.0


def mel(hz):
    return 1127.0 * np.log1p(np.asarray(hz, dtype=np.float64) / 700.0)


def filters() -> np.ndarray:
    """Triangles over the bins of the spectrum, (BANDS, FFT/2+1)."""
    edges = np.linspace(mel(LOW_HZ), mel(HIGH_HZ), BANDS + 2)
    bins = mel(np.arange(FFT // 2 + 1) * RATE / FFT)
    up = (bins[None] - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    down = (edges[2:, None] - bins[None]) / (edges[2:] - edges[1:-1])[:, None]
    return np.maximum(0.0, np.minimum(up, down)).astype(np.float32)


FILTERS = filters()
WINDOW = (0.5 - 0.5 * np.cos(2 * np.pi * (np.arange(FRAME) + 0.5) / FRAME)).astype(np.float32)
SCALE = np.float32(1.0 / (WINDOW.astype(np.float64).sum() ** 2))


def energies(samples: np.ndarray) -> np.ndarray:
    """Mel energies (frames, BANDS) of samples in -1 to 1; full scale is of the order of 1."""
    count = max(0, (len(samples) - FRAME) // HOP + 1)
    if count == 0:
        return np.zeros((0, BANDS), np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(samples.astype(np.float32), FRAME)[::HOP][:count]
    spectrum = np.fft.rfft(frames * WINDOW, FFT)
    power = (spectrum.real**2 + spectrum.imag**2).astype(np.float32) * SCALE
    return power @ FILTERS.T


def relative(energy: np.ndarray, mean: np.ndarray | None = None) -> np.ndarray:
    """Features (..., frames, BANDS) of energies of that shape; the mean begins with the first frame."""
    mean = energy[..., 0, :].copy() if mean is None else mean
    out = np.empty_like(energy, dtype=np.float32)
    for t in range(energy.shape[-2]):
        e = energy[..., t, :]
        mean += SLOW * (e - mean)
        out[..., t, :] = np.log1p(GAIN * e / (mean + FLOOR))
    return out
