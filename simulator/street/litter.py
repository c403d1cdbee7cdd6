"""What lies about on a pavement and is no cap: leaves, gum, chalk marks, pebbles, and people's shadows."""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import View
from linesies.simulator.noise import noise_along
from linesies.simulator.street.light import linear
from linesies.simulator.street.solids import CapSolid, Ring
from linesies.simulator.street.weather import person_outlines
from linesies.vision import Cap

Array = NDArray[np.float32]
FINE = 4

LEAVES = ((150, 95, 40), (110, 120, 50), (170, 60, 40), (190, 150, 60))
GUM = ((70, 66, 66), (190, 180, 172), (40, 40, 42))
CHALK = ((225, 225, 150), (230, 190, 200), (190, 210, 230))
PEBBLES = ((150, 145, 140), (90, 86, 84), (190, 186, 180), (120, 96, 76))


def strew(albedo: Array, view: View, rng: np.random.Generator, size_mm: float) -> None:
    """Lay some flat litter on the ground, in place."""
    for _ in range(int(rng.integers(0, 4))):
        _lay(albedo, view, _leaf(rng, size_mm), linear(LEAVES[int(rng.integers(len(LEAVES)))]))
    for _ in range(int(rng.integers(0, 3))):
        _lay(albedo, view, _blob(rng, size_mm, rng.uniform(5, 13)), linear(GUM[int(rng.integers(len(GUM)))]))
    for _ in range(int(rng.integers(0, 3))):
        rgb = linear(CHALK[int(rng.integers(len(CHALK)))])
        for stroke in _scribble(rng, size_mm):
            _lay(albedo, view, stroke, rgb, 0.6)


def pebble(rng: np.random.Generator) -> CapSolid:
    """Turn a small stone."""
    tall, wide = rng.uniform(2, 6), rng.uniform(5, 13)
    rgb = linear(PEBBLES[int(rng.integers(len(PEBBLES)))])
    arc = [(0.0, 0.9), (0.25, 1.0), (0.5, 0.92), (0.75, 0.72), (0.92, 0.42), (1.0, 0.15)]
    rings = tuple(
        Ring(height_mm=h * tall, radius_mm=r * wide / 2, teeth=0.0, up=min(1.0, 0.2 + h), rgb=rgb) for h, r in arc
    )
    cap = Cap(player="", colour_rgb=(128, 128, 128), diameter_mm=wide, height_mm=tall, kind="glide")
    return CapSolid(cap=cap, rings=rings, well=None, face=np.zeros((8, 8, 3), np.float32), gloss=0.0, opacity=1.0)


def person_shadow(view: View, per_mm: Array, rng: np.random.Generator, size_mm: float) -> Array:
    """Tell the share of sun left (H, W) where somebody stands in it: legs, body, head, cast along the light."""
    width, height = view.lens.size_px
    left = np.zeros((height, width), np.uint8)
    for outline in person_outlines(per_mm, rng.uniform(-0.3, 1.3, 2) * size_mm, size_mm / 1828.8, np.zeros(2)):
        seen = view.mm_to_px(outline)
        if np.abs(seen).max() < 2e4:
            cv2.fillPoly(left, [np.rint(seen * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return 1 - cv2.GaussianBlur(left, (0, 0), 3.0).astype(np.float32) / 255


def _lay(albedo: Array, view: View, outline_mm: NDArray[np.float64], rgb: Array, strength: float = 1.0) -> None:
    """Fill an outline with a colour, each pixel by the share that is covered."""
    seen = view.mm_to_px(outline_mm)
    height, width = albedo.shape[:2]
    x0, y0 = np.maximum(np.floor(seen.min(axis=0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(seen.max(axis=0)).astype(int) + 2, [width, height])
    if x1 <= x0 or y1 <= y0:
        return
    mask = np.zeros(((y1 - y0) * FINE, (x1 - x0) * FINE), np.uint8)
    fine = (seen - [x0, y0] + 0.5) * FINE - 0.5
    cv2.fillPoly(mask, [np.rint(fine * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    cover = cv2.resize(mask, (int(x1 - x0), int(y1 - y0)), interpolation=cv2.INTER_AREA)[..., None] / np.float32(255)
    cover *= np.float32(strength)
    albedo[y0:y1, x0:x1] = albedo[y0:y1, x0:x1] * (1 - cover) + rgb * cover


def _leaf(rng: np.random.Generator, size_mm: float) -> NDArray[np.float64]:
    length, turn = rng.uniform(25, 60), rng.uniform(0, 2 * np.pi)
    angles = np.linspace(0, 2 * np.pi, 40)
    wide = 0.34 * length * np.sin(angles) * (1 + 0.25 * np.cos(9 * angles))
    x, y = 0.5 * length * np.cos(angles), wide
    c, s = np.cos(turn), np.sin(turn)
    return np.column_stack([c * x - s * y, s * x + c * y]) + rng.uniform(-0.2, 1.2, 2) * size_mm


def _blob(rng: np.random.Generator, size_mm: float, radius: float) -> NDArray[np.float64]:
    angles = np.linspace(0, 2 * np.pi, 48)
    reach = radius * (1 + 0.12 * noise_along(rng, 48, 5))
    middle = rng.uniform(-0.1, 1.1, 2) * size_mm
    return middle + reach[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])


def _scribble(rng: np.random.Generator, size_mm: float) -> list[NDArray[np.float64]]:
    """Draw a child's curl as short strokes of chalk."""
    steps = 70
    heading = rng.uniform(0, 2 * np.pi) + np.cumsum(rng.normal(0.18, 0.12, steps))
    walk = rng.uniform(0, 1, 2) * size_mm + 5 * np.cumsum(np.column_stack([np.cos(heading), np.sin(heading)]), axis=0)
    strokes = []
    for a, b in zip(walk[:-1:2], walk[1::2], strict=False):
        aside = np.array([-(b - a)[1], (b - a)[0]]) / max(float(np.hypot(*(b - a))), 1e-6) * rng.uniform(0.8, 2.4)
        strokes.append(np.array([a - aside, b - aside, b + aside, a + aside]))
    return strokes
