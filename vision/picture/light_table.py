"""The light that the whole ground is seen in: a table from each level of the empty ground to what is seen of it."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from linesies.vision.picture.layout import Image

LIGHT_EVERY = 3  # pixels each way tell how the light has changed since the ground was empty


def light_between(empty: Image, seen: Image) -> NDArray[np.uint8]:
    """Fit the table (256, 1, 3) that shows the empty ground, by and large, in the light in which it is seen now."""
    before, now = (picture[::LIGHT_EVERY, ::LIGHT_EVERY].reshape(-1, 3) for picture in (empty, seen))
    ends = np.unique(np.quantile(before[:, 0], np.linspace(0, 1, 17)))
    knots = [(float(np.median(before[part, 0])), float(np.median(now[part, 0]))) for part in _parts(before[:, 0], ends)]
    levels = np.arange(256, dtype=np.float64)
    below, above = knots[0], knots[-1]
    xs = [0.0, *(x for x, _ in knots), 255.0]
    ys = [below[1] - below[0], *(y for _, y in knots), above[1] + 255.0 - above[0]]
    luma = np.interp(levels, xs, ys)
    gain = max(float(np.median(now[:, 0])), 1.0) / max(float(np.median(before[:, 0])), 1.0)
    colour = 128 + gain * (levels - 128)  # is counted from 128, and fades with the light
    shift = np.median(now[:, 1:] - colour[before[:, 1:]], axis=0)
    table = np.stack([luma, colour + shift[0], colour + shift[1]], axis=1)[:, None, :]
    return np.clip(table + 0.5, 0, 255).astype(np.uint8)


def _parts(levels: NDArray[np.uint8], ends: NDArray[np.float64]) -> list[NDArray[np.bool_]]:
    parts = [(levels >= low) & (levels <= high) for low, high in pairwise(ends)]
    return [part for part in parts if part.any()] or [np.ones(len(levels), bool)]
