"""Light over a scene and the camera that takes it: uneven and coloured light, glare, blur, noise, JPEG."""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.training.noise import Floats, stretched_noise

Rng = np.random.Generator


def draw_light(rng: Rng, shape: tuple[int, int]) -> Floats:
    """Draw how bright each pixel is lit (H, W, 3), about 1: a tint, a slope, a soft shadow's edge."""
    tint = np.exp(rng.normal(0, 0.08, 3)).astype(np.float32)
    level = np.exp(min(rng.normal(-0.15, 0.3), 0.25))
    slope = 1 + rng.uniform(0, 0.18) * stretched_noise(rng, shape, cells=(2, 2), octaves=1)
    light = np.clip(slope, 0.35, 1.5)
    if rng.random() < 0.3:
        a, b = rng.normal(0, 1, 2)
        ys, xs = np.linspace(-1, 1, shape[0])[:, None], np.linspace(-1, 1, shape[1])[None]
        edge = 1 / (1 + np.exp(-np.clip((a * xs + b * ys + rng.normal(0, 0.5)) * rng.uniform(3, 40), -50, 50)))
        light = light * (1 - rng.uniform(0.1, 0.6) * edge)
    return (light[..., None] * tint * level).astype(np.float32)


def draw_glare(rng: Rng, glossy: Floats) -> Floats:
    """Draw the lamps' reflections (H, W, 1) where the scene is `glossy` (H, W)."""
    height, width = glossy.shape
    glare = np.zeros((height, width), np.float32)
    ys, xs = np.indices((height, width), np.float32)
    for _ in range(int(rng.poisson(0.8))):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        reach = rng.uniform(0.04, 0.3) * width
        glare += rng.uniform(20, 160) * np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * reach**2))
    return (glare * glossy)[..., None]


def expose(rng: Rng, picture: Floats) -> NDArray[np.uint8]:
    """Take the picture: tone, blur, noise, sharpening, eight bits, and often JPEG."""
    picture = 255 * np.clip(picture / 255, 0, 1) ** np.exp(rng.normal(0, 0.15))
    blur = rng.uniform(0, 0.9) if rng.random() < 0.85 else rng.uniform(0.9, 2.0)
    if blur > 0.2:
        picture = cv2.GaussianBlur(picture, (0, 0), blur)
    if rng.random() < 0.3:
        picture = picture + rng.uniform(0.2, 0.8) * (picture - cv2.GaussianBlur(picture, (0, 0), 1.0))
    noise = rng.standard_normal(picture.shape, np.float32)
    noise = 0.5 * noise + 0.8 * noise[..., :1]
    picture = picture + noise * rng.gamma(1.2, 2.5)
    eight = np.clip(picture + 0.5, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        quality = int(rng.integers(45, 96))
        eight = cv2.imdecode(cv2.imencode(".jpg", eight, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    return eight
