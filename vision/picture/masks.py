"""Masks of small pictures: which of their pixels are meant."""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.picture.layout import EVERYWHERE, Image, Window
from linesies.vision.picture.small_picture import Points

Mask = NDArray[np.uint8]  # (h, w), 0 or 255


def discs(shape: tuple[int, int], centres_small: Points, radii_small: Points) -> Mask:
    """Draw filled discs into a mask (h, w)."""
    mask = np.zeros(shape, np.uint8)
    for (x, y), radius in zip(centres_small, radii_small, strict=True):
        cv2.circle(mask, (round(x * 16), round(y * 16)), round(radius * 16), 255, -1, cv2.LINE_8, 4)
    return mask


def window_about(x: int, y: int, width: int, height: int, reach: int = 0) -> Window:
    """Choose a box of pixels, and so many about it."""
    return slice(max(y - reach, 0), y + height + reach), slice(max(x - reach, 0), x + width + reach)


def around(one: Window, other: Window) -> Window:
    """Choose the smallest window that holds two."""
    if EVERYWHERE in (one, other):
        return EVERYWHERE
    rows, columns = (slice(min(a.start, b.start), max(a.stop, b.stop)) for a, b in zip(one, other, strict=True))
    return rows, columns


def largest(difference: Image) -> Mask:
    """Take the largest of three channels: (h, w)."""
    y, u, v = cv2.split(difference)
    return cv2.max(y, cv2.max(u, v))


def largest_of_colours(difference: Image) -> Mask:
    """Take the larger of two channels, without luma: (h, w)."""
    _, u, v = cv2.split(difference)
    return cv2.max(u, v)
