"""Seeded noise with a grain: along a line, and as a tile that repeats without a seam."""

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

Array = NDArray[np.float32]


def noise_along(rng: np.random.Generator, count: int, grain: float) -> NDArray[np.float64]:
    """Draw `count` values of smooth noise with a spread of 1; `grain` is its scale in steps."""
    margin = int(4 * grain) + 1
    smooth = gaussian_filter1d(rng.normal(size=count + 2 * margin), grain)[margin : margin + count]
    return np.asarray(smooth * np.sqrt(2 * np.sqrt(np.pi) * max(grain, 0.3)), float)


def noise_tile(rng: np.random.Generator, grain: float, size: int = 512) -> Array:
    """Draw a seamless tile (size, size) with a spread of 1; `grain` is its scale in the tile's pixels."""
    waves = np.fft.rfft2(rng.normal(size=(size, size)))
    up, across = np.fft.fftfreq(size)[:, None], np.fft.rfftfreq(size)[None, :]
    waves *= np.exp(-2 * (np.pi * grain) ** 2 * (up**2 + across**2))
    smooth = np.fft.irfft2(waves, s=(size, size))
    return np.asarray((smooth - smooth.mean()) / smooth.std(), np.float32)


def noise_at(noise: Array, ground_mm: Array, mm_per_step: float) -> Array:
    """Look a tile up at ground points (H, W, 2), one step of the tile being `mm_per_step` on the ground."""
    steps = np.mod(ground_mm / np.float32(mm_per_step), np.float32(len(noise)))
    return cv2.remap(noise, steps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
