"""Shadows that lie on the ground and move with wind and sun: leaves of a tree, the bars of a fence, a net's meshes."""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import View
from linesies.simulator.noise import noise_at, noise_tile

Array = NDArray[np.float32]

SHADES = ("none", "none", "dapple", "fence")
GAPS_MM = (25.0, 250.0)  # between a fence's bars, from wire to planks
MESHED = 0.4  # how often two sets of bars cross
DEPTHS = (0.25, 1.0)  # of the sun that they take: thin leaves, wire and glass leave most of it


def shade(name: str, ground_mm: Array, seed: int, rng: np.random.Generator) -> Array:
    """Tell the share of sun left at ground points (H, W, 2); `seed` is the scene's, `rng` how the wind stands now."""
    own = np.random.default_rng(seed)
    moved = ground_mm + rng.normal(0, 25, 2).astype(np.float32)
    if name == "none":
        return np.ones(ground_mm.shape[:2], np.float32)
    left = _dapple(own, moved) if name == "dapple" else _fence(own, moved)
    return np.asarray(1 - np.float32(own.uniform(*DEPTHS)) * (1 - left), np.float32)


def sun_at(sun: Array, view: View, xy_mm: NDArray[np.float64]) -> float:
    """Tell the share of sun (H, W) that falls on a board point (2,), or on the picture's edge beside it."""
    height, width = sun.shape
    x, y = np.clip(np.rint(view.mm_to_px(xy_mm[None])[0]).astype(int), 0, (width - 1, height - 1))
    return float(sun[y, x])


def _dapple(own: np.random.Generator, ground_mm: Array) -> Array:
    """Let the sun through between leaves, in blots that overlap."""
    grain = own.uniform(9, 30)
    leaves = noise_at(noise_tile(own, 2.0), ground_mm, grain) + 0.7 * noise_at(
        noise_tile(own, 3.0), ground_mm, 3 * grain
    )
    left = np.clip(own.uniform(0.8, 3.0) * (leaves - own.uniform(-0.8, 0.4)) + 0.5, 0, 1)
    return cv2.GaussianBlur(left.astype(np.float32), (0, 0), 2.0)


def _fence(own: np.random.Generator, ground_mm: Array) -> Array:
    """Cast parallel bars, or the meshes of a net."""
    turn, gap_mm, bar = own.uniform(0, np.pi), np.exp(own.uniform(*np.log(GAPS_MM))), own.uniform(0.15, 0.5)
    soft_mm = own.uniform(0.06, 0.12) * gap_mm
    left = _bars(ground_mm, turn, gap_mm, bar) / soft_mm
    if own.random() < MESHED:
        across = _bars(ground_mm, turn + own.uniform(0.6, np.pi - 0.6), gap_mm * own.uniform(0.7, 1.4), bar)
        left = np.minimum(left, across / soft_mm)
    return np.clip(left + 0.5, 0, 1).astype(np.float32)


def _bars(ground_mm: Array, turn: float, gap_mm: float, bar: float) -> Array:
    """Tell how far ground points (H, W, 2) lie from the edge of a bar's shadow, in mm, negative within."""
    across = (ground_mm @ np.array([np.cos(turn), np.sin(turn)], np.float32)) / np.float32(gap_mm)
    return np.asarray((np.abs(np.mod(across, 1) - 0.5) - bar / 2) * gap_mm, np.float32)
