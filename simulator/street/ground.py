"""What the board lies on, asphalt, concrete, plywood or what a photograph shows: albedo at any point of the plane."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.simulator.noise import noise_at, noise_tile
from linesies.simulator.street.photographs import choose_photograph

Array = NDArray[np.float32]
Ground = Callable[[Array], Array]  # ground points (H, W, 2) in mm -> albedo (H, W, 3), linear

PHOTOGRAPH = "photograph"
GROUNDS = ("asphalt", "concrete", "plywood", PHOTOGRAPH)
STREET_REACH_MM = 1500.0  # of a street board; a table board reaches a fifth of it


def choose_ground(name: str, rng: np.random.Generator, reach_mm: float) -> Ground:
    """Choose a piece of that ground; cracks and joints run within `reach_mm` of the board's middle."""
    if name == PHOTOGRAPH:
        return choose_photograph(rng, is_street=reach_mm > STREET_REACH_MM)
    return {"asphalt": _asphalt, "concrete": _concrete, "plywood": _plywood}[name](rng, reach_mm)


def _asphalt(rng: np.random.Generator, reach_mm: float) -> Ground:
    stones, grit, stain, wide = (noise_tile(rng, grain) for grain in (1.6, 0.8, 6.0, 20.0))
    cracks = _cracks(rng, reach_mm, count=int(rng.integers(0, 4)))
    tint = np.array([1.0, 1.0, 1.02], np.float32) * np.float32(rng.uniform(0.075, 0.13))

    def albedo(ground_mm: Array) -> Array:
        pebbles = noise_at(stones, ground_mm, 2.6)
        shade = 1 + 0.16 * pebbles + 0.16 * noise_at(grit, ground_mm, 1.9)
        shade += 0.22 * np.maximum(pebbles - 1.0, 0) - 0.18 * (pebbles < -0.9)
        blots = 0.8 * noise_at(stain, ground_mm, 19.0) + 0.4 * noise_at(stain, ground_mm, 5.3)
        shade *= 1 + 0.09 * noise_at(wide, ground_mm, 23.0) - 0.3 * np.clip(1.2 * (blots - 1.1), 0, 1)
        shade *= 1 + 0.3 * np.clip(-blots - 1.2, 0, 1)
        shade *= 1 - 0.6 * _near(cracks, ground_mm, reach_mm)
        return np.maximum(shade, 0.12)[..., None] * tint

    return albedo


def _concrete(rng: np.random.Generator, reach_mm: float) -> Ground:
    fine, pits, stain, wide = (noise_tile(rng, grain) for grain in (1.0, 1.1, 9.0, 24.0))
    joints = _joints(rng, reach_mm)
    tint = np.array([0.98, 1.0, 1.03], np.float32) * np.float32(rng.uniform(0.19, 0.30))

    def albedo(ground_mm: Array) -> Array:
        shade = 1 + 0.055 * noise_at(fine, ground_mm, 2.1)
        shade -= 0.5 * np.clip(noise_at(pits, ground_mm, 3.1) - 2.6, 0, 1)
        blots = 0.8 * noise_at(stain, ground_mm, 14.0) + 0.45 * noise_at(stain, ground_mm, 3.7)
        blots += 0.25 * noise_at(pits, ground_mm, 7.0)
        shade *= 1 + 0.08 * noise_at(wide, ground_mm, 21.0) - 0.34 * np.clip(1.6 * (blots - 1.15), 0, 1)
        shade *= 1 - 0.7 * _near(joints, ground_mm, reach_mm)
        return np.maximum(shade, 0.1)[..., None] * tint

    return albedo


def _plywood(rng: np.random.Generator, reach_mm: float) -> Ground:  # noqa: ARG001 - one shape for all grounds
    warp, fibre, wide = (noise_tile(rng, grain) for grain in (14.0, 1.0, 20.0))
    turn = rng.uniform(0, np.pi)
    ahead = np.array([np.cos(turn), np.sin(turn)], np.float32)
    aside = np.array([-ahead[1], ahead[0]], np.float32)
    light, dark = np.array([0.50, 0.345, 0.20], np.float32), np.array([0.33, 0.205, 0.105], np.float32)
    gain = np.float32(rng.uniform(0.7, 1.05))

    def albedo(ground_mm: Array) -> Array:
        lengthwise, across = ground_mm @ ahead, ground_mm @ aside
        drawn = np.stack([lengthwise / 5, across], axis=-1)
        rings = across / 26 + 1.3 * noise_at(warp, drawn, 5.0)
        share = 0.5 + 0.5 * np.sin(2 * np.pi * rings) ** 3
        share = 0.45 * share + 0.10 * noise_at(fibre, np.stack([lengthwise / 14, across], axis=-1), 0.55)
        share += 0.08 * noise_at(wide, ground_mm, 9.0)
        return gain * (light + np.clip(share, 0, 1.2)[..., None] * (dark - light))

    return albedo


CANVAS = 1024  # pixels of the canvas that cracks are drawn on


def _cracks(rng: np.random.Generator, reach_mm: float, count: int) -> Array:
    canvas = np.zeros((CANVAS, CANVAS), np.uint8)
    for _ in range(count):
        steps = 260
        heading = rng.uniform(0, 2 * np.pi) + np.cumsum(rng.normal(0, 0.16, steps))
        walk = rng.uniform(0, CANVAS, 2) + 4 * np.cumsum(np.column_stack([np.cos(heading), np.sin(heading)]), axis=0)
        cv2.polylines(
            canvas,
            [np.rint(walk * 16).astype(np.int32)],
            isClosed=False,
            color=255,
            thickness=1,
            lineType=cv2.LINE_AA,
            shift=4,
        )
    return canvas.astype(np.float32) / (255 * max(1.0, 3 * reach_mm / CANVAS / 5))


def _joints(rng: np.random.Generator, reach_mm: float) -> Array:
    canvas = np.zeros((CANVAS, CANVAS), np.uint8)
    turn = rng.normal(0, 0.15) + rng.choice([0.0, np.pi / 2])
    ahead = np.array([np.cos(turn), np.sin(turn)])
    middle = np.full(2, CANVAS / 2) + rng.uniform(-0.3, 0.3) * CANVAS * np.array([-ahead[1], ahead[0]])
    ends = np.rint(16 * np.array([middle - 2 * CANVAS * ahead, middle + 2 * CANVAS * ahead])).astype(int)
    width = max(1, round(9 * CANVAS / (2 * reach_mm)))
    cv2.line(canvas, ends[0].tolist(), ends[1].tolist(), 255, width, cv2.LINE_AA, 4)
    return canvas.astype(np.float32) / np.float32(255)


def _near(canvas: Array, ground_mm: Array, reach_mm: float) -> Array:
    """Look up what was drawn on a canvas of 2 * `reach_mm` about the board's middle."""
    steps = ((ground_mm + reach_mm * 0.5) * np.float32(CANVAS / (2 * reach_mm))).astype(np.float32)
    return cv2.remap(canvas, steps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
