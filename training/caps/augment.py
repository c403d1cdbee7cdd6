"""The same cut as another camera would have seen it another day: shifted, mirrored, in other colours and light."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.caps.cuts import MM_PER_PX, SIDE_PX, normalised

Planes = NDArray[np.float32]

ROOM_PX = 6  # that kept cuts are wider on each side
PERMUTED = 0.35  # how often colours change places, so that every cap may be of every colour


def augmented(stock: Any, chosen: NDArray[np.intp], rng: np.random.Generator | None) -> tuple[Planes, Planes, Planes]:
    """Make planes (N, 6, SIDE, SIDE), offsets (N, 2) in mm and listed facts (N, C, facts); plain without `rng`."""
    facts = stock.listed[stock.scene[chosen]].astype(np.float32)
    offsets = stock.offset_mm[chosen].astype(np.float32)
    planes = np.empty((len(chosen), 6, SIDE_PX, SIDE_PX), np.float32)
    for row, i in enumerate(chosen):
        shift = np.zeros(2, int)
        if rng is not None:
            wide = ROOM_PX - 1 if rng.random() < 0.4 else 1
            centre = np.rint(offsets[row] / MM_PER_PX).astype(int)
            shift = np.clip(centre + rng.integers(-wide, wide + 1, 2), -ROOM_PX, ROOM_PX)
        x, y = ROOM_PX + shift
        part = (slice(y, y + SIDE_PX), slice(x, x + SIDE_PX))
        now, empty = stock.now[i][part], stock.empty[i][part]
        offsets[row] -= shift * MM_PER_PX
        if rng is not None and rng.random() < 0.5:
            now, empty = (_shot(one, rng) for one in (now, empty))
        planes[row] = normalised(now[None], empty[None])[0]
        if rng is not None:
            _recolour(planes[row], facts[row], rng)
            if rng.random() < 0.5:
                planes[row] = planes[row][:, :, ::-1]
                offsets[row, 0] *= -1
    return planes, offsets, facts


def _shot(bgr: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Take it anew: exposed otherwise, blurred or sharpened, noisy."""
    out = bgr.astype(np.float32) * np.float32(np.exp(rng.normal(0, 0.08)))
    if rng.random() < 0.4:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 0.8))
    elif rng.random() < 0.5:
        out += rng.uniform(0, 1.0) * (out - cv2.GaussianBlur(out, (0, 0), 1.0))
    out += rng.uniform(0, 5) * rng.standard_normal(out.shape, np.float32)
    return np.clip(out, 0, 255).astype(np.uint8)


def _recolour(planes: Planes, facts: Planes, rng: np.random.Generator) -> None:
    """Change all colours alike, of the picture (b, g, r, twice) and of what is listed, in place."""
    gains = np.exp(rng.normal(0, 0.06, 3)) * np.exp(rng.normal(0, 0.1))
    planes *= np.tile(gains, 2).astype(np.float32)[:, None, None]
    facts[:, :3] *= np.exp(rng.normal(0, 0.04, 3)).astype(np.float32)
    if rng.random() < PERMUTED:
        order = rng.permutation(3)
        planes[:] = planes[[*order, *(order + 3)]]
        facts[:, :3] = facts[:, order]
