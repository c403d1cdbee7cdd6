"""Noise and colours, from which tables, backs and light are drawn."""

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def draw_noise(rng: np.random.Generator, size: tuple[int, int], *, coarse: int, octaves: int = 4) -> Floats:
    """Draw clouds (height, width), mean 0 and deviation about 1; the coarsest octave has `coarse` cells a side."""
    return stretched_noise(rng, size, cells=(coarse, coarse), octaves=octaves)


def stretched_noise(
    rng: np.random.Generator, size: tuple[int, int], *, cells: tuple[int, int], octaves: int = 4, fall: float = 0.6
) -> Floats:
    """Draw clouds (height, width) from `cells` (rows, columns) at the coarsest, each octave `fall` as strong."""
    height, width = size
    total = np.zeros(size, np.float32)
    strength = 1.0
    for octave in range(octaves):
        rows, columns = (min(n << octave, limit) for n, limit in zip(cells, size, strict=True))
        grid = rng.standard_normal((rows + 1, columns + 1), np.float32)
        total += strength * cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
        strength *= fall
    return (total - total.mean()) / (total.std() + 1e-6)


def draw_colour(rng: np.random.Generator, *, bright: tuple[float, float] = (20, 245), vivid: float = 1.0) -> Floats:
    """Draw a colour (3,) whose mean is within `bright` and whose channels stray as far as it is `vivid`."""
    mean = rng.uniform(*bright)
    stray = rng.standard_normal(3) * vivid * min(mean, 255 - mean) * 0.6
    return np.clip(mean + stray - stray.mean(), 0, 255).astype(np.float32)


def mix(first: Floats, second: Floats, share: Floats) -> Floats:
    """Blend two colours (3,) or pictures (H, W, 3) by the second's `share` (H, W)."""
    return first + (second - first) * share[..., None]
