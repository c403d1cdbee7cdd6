"""Light as it fell on the sensor: the picture's tone curve undone.

Edges measured in the stored values are displaced towards the dark side, since the curve lifts dark tones;
bright paint on dark ground then reads up to 0.7 mm too wide.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def linear(values: Array) -> Array:
    """Turn stored values of 0 to 1 into linear light of 0 to 1 (sRGB's curve)."""
    return np.asarray(np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4), float)


def stored(light: Array) -> Array:
    """Turn linear light of 0 to 1 into the values that a camera stores, 0 to 1 (sRGB's curve)."""
    bright = 1.055 * np.maximum(light, 0.0031308) ** (1 / 2.4) - 0.055
    return np.asarray(np.where(light <= 0.0031308, 12.92 * light, bright), float)


_LINEAR = linear(np.arange(256) / 255.0).astype(np.float32)  # sRGB's curve


def to_linear(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Turn stored values (H, W) or (H, W, 3) of 0 to 255 into linear light of 0 to 1 (sRGB's curve)."""
    return np.asarray(cv2.LUT(picture, _LINEAR), np.float32)


def to_stored(light: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Turn linear light of 0 to 1 into stored values of 0 to 255 (sRGB's curve)."""
    return np.asarray(np.clip(255 * stored(np.clip(np.asarray(light, float), 0, 1)) + 0.5, 0, 255), np.uint8)
