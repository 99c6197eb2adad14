"""Simulated rooms: shoeboxes by image sources, with a diffuse tail; a microphone on the table, a player sitting."""

import numpy as np

RATE = 16000
SPEED = 343.0
DIRECT = 4  # samples before the direct sound


def response(seed: int, far: tuple[float, float] = (0.5, 2.0)) -> np.ndarray:
    """An impulse response whose direct sound is at sample DIRECT with height 1."""
    rng = np.random.default_rng([seed, 77])
    size = rng.uniform([5, 4, 2.6], [28, 18, 6.0])
    reverberation_s = rng.uniform(0.25, 1.3)
    volume, surface = size.prod(), 2 * (size[0] * size[1] + size[1] * size[2] + size[0] * size[2])
    absorbed = 1 - np.exp(-0.161 * volume / (surface * reverberation_s))
    beta = np.sqrt(1 - np.clip(absorbed, 0.05, 0.95))
    mic = np.array([*rng.uniform([1, 1], size[:2] - 1), rng.uniform(0.72, 1.3)])
    while True:
        angle, distance = rng.uniform(0, 2 * np.pi), rng.uniform(*far)
        height = rng.uniform(1.05, 1.35)
        flat = np.sqrt(max(distance**2 - (height - mic[2]) ** 2, 0.04))
        mouth = np.array([mic[0] + flat * np.cos(angle), mic[1] + flat * np.sin(angle), height])
        if np.all(mouth > 0.2) and np.all(mouth < size - 0.2):
            break
        mic[:2] = rng.uniform([1, 1], size[:2] - 1)
    order = 7
    n = np.arange(-order, order + 1)
    delays, heights = [], []
    grid = np.stack(np.meshgrid(n, n, n, indexing="ij"), -1).reshape(-1, 3)
    for p in np.ndindex(2, 2, 2):
        p = np.array(p)
        image = (1 - 2 * p) * mouth + 2 * grid * size
        bounces = (np.abs(grid - p) + np.abs(grid)).sum(-1)
        d = np.linalg.norm(image - mic, axis=-1)
        keep = bounces <= order
        delays.append(d[keep])
        heights.append(beta ** bounces[keep] / d[keep])
    delays, heights = np.concatenate(delays), np.concatenate(heights)
    direct = delays.min()
    at = DIRECT + (delays - direct) / SPEED * RATE
    length = int(RATE * min(reverberation_s, 1.0)) + 64
    h = np.zeros(length)
    whole = at.astype(int)
    inside = whole < length - 2
    part = (at - whole)[inside]
    np.add.at(h, whole[inside], heights[inside] * (1 - part))
    np.add.at(h, whole[inside] + 1, heights[inside] * part)
    h *= direct
    # The image sources thin out: a diffuse tail goes on from where they do.
    mixing = DIRECT + int(RATE * min(0.05, 4 * size.min() / SPEED))
    t = np.arange(length)
    level = np.sqrt(np.mean(h[max(mixing - 320, DIRECT + 2) : mixing] ** 2) + 1e-12)
    tail = rng.standard_normal(length) * level * np.exp(-6.9 * (t - mixing) / (reverberation_s * RATE))
    fade = np.clip((t - mixing) / 320.0, 0, 1)
    h = h * (1 - 0.7 * fade) + tail * fade
    return h.astype(np.float32)
