"""What a camera makes of cards: light, shadow, glare, blur, noise, JPEG."""

import functools

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from linesies.vision import Image

Floats = NDArray[np.float32]


def light(scene: Floats, rng: Generator) -> Floats:
    """Light a scene (bgr, 0..255) unevenly, in some colour, at times with glare."""
    height, width = scene.shape[:2]
    slope = rng.normal(0, 0.15, 2).astype(np.float32)
    ys = np.exp(slope[0] * np.linspace(-1, 1, height, dtype=np.float32))[:, None]
    xs = np.exp(slope[1] * np.linspace(-1, 1, width, dtype=np.float32))
    cast = np.exp(rng.normal(0, 0.08, 3) + rng.normal(-0.08, 0.22)).astype(np.float32)
    lit = cv2.multiply(scene, np.multiply.outer(ys * xs, cast))
    if rng.random() < 0.15:
        lit += _glare(rng, (height, width))[..., None]
    if rng.random() < 0.2:  # a camera's black is no zero
        lit = cv2.addWeighted(lit, rng.uniform(0.5, 0.95), lit, 0, rng.uniform(0, 50))
    return lit


def _glare(rng: Generator, shape: tuple[int, int]) -> Floats:
    """Draw the lamp's reflection as a soft spot or a streak."""
    ys, xs = np.indices(shape, np.float32)
    x, y = rng.uniform(0, shape[1]), rng.uniform(0, shape[0])
    angle, long, short = rng.uniform(0, np.pi), max(shape) * rng.uniform(0.1, 0.5), max(shape) * rng.uniform(0.05, 0.3)
    u = (xs - x) * np.cos(angle) + (ys - y) * np.sin(angle)
    v = -(xs - x) * np.sin(angle) + (ys - y) * np.cos(angle)
    return (rng.uniform(20, 150) * np.exp(-((u / long) ** 2) - (v / short) ** 2)).astype(np.float32)


def photograph(scene: Floats, rng: Generator, px_per_mm: float) -> Image:
    """Blur, expose, add noise, and store as JPEG, as cheap and good cameras do."""
    sigma = min(rng.gamma(2.0, 0.3) * max(1.0, px_per_mm / 2.5), 0.35 * px_per_mm + 0.5)
    if sigma > 0.25:
        scene = cv2.GaussianBlur(scene, (0, 0), sigma)
    if rng.random() < 0.07:
        scene = _smeared(scene, rng)
    if rng.random() < 0.25:
        scene = cv2.addWeighted(
            scene, 1 + (gain := rng.uniform(0.2, 1.2)), cv2.GaussianBlur(scene, (0, 0), 1.0), -gain, 0
        )
    if rng.random() < 0.8:
        scene = cv2.scaleAdd(_noise(rng, scene.shape[:2]), rng.gamma(1.5, 1.7), scene)
    curve = (255 * np.linspace(0, 1, 256) ** np.exp(rng.normal(0, 0.18))).astype(np.uint8)
    picture = cv2.LUT(cv2.convertScaleAbs(cv2.max(scene, 0.0)), curve)
    if rng.random() < 0.7:
        quality = int(rng.integers(35, 97))
        picture = cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    return picture


@functools.cache
def _noise_sheets() -> tuple[Floats, Floats]:
    """Make sheets of noise once, fine and coarse, from which parts are cut."""
    fine = np.random.default_rng(0).standard_normal((1400, 1400, 3), np.float32)
    coarse = cv2.GaussianBlur(fine, (0, 0), 1.0)
    return fine, coarse / coarse.std()


def _noise(rng: Generator, shape: tuple[int, int]) -> Floats:
    sheet = _noise_sheets()[rng.integers(2)]
    y, x = rng.integers(0, sheet.shape[0] - shape[0]), rng.integers(0, sheet.shape[1] - shape[1])
    return np.ascontiguousarray(sheet[y : y + shape[0], x : x + shape[1]])


def _smeared(scene: Floats, rng: Generator) -> Floats:
    """Smear a scene along a line, as a moving card is."""
    length, angle = rng.uniform(1, 5), rng.uniform(0, np.pi)
    kernel = np.zeros((7, 7), np.float32)
    tip = (3 + length / 2 * np.cos(angle), 3 + length / 2 * np.sin(angle))
    end = (3 - length / 2 * np.cos(angle), 3 - length / 2 * np.sin(angle))
    cv2.line(kernel, *(tuple(round(v * 16) for v in p) for p in (tip, end)), 1.0, 1, cv2.LINE_AA, 4)
    return cv2.filter2D(scene, -1, kernel / kernel.sum()) if kernel.sum() > 0 else scene
