"""Seek the whole-pixel place of a known cap.

A pixel is either ground as it was, or ground in shadow, or cap. Being cap costs the same whatever the pixel
looks like; being ground costs by how unlike it is. The best place is where the outline gathers the most that
cannot be ground, and the cast shadow the most that is darker ground.
"""

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.caps.patch import Patch
from linesies.vision.caps.solid import cover, outline_px, shadow_px

Array = NDArray[np.float64]

CAP_COST = float(np.log1p(9.0))  # a pixel three deviations off is as likely cap as ground
SHADE_COST = float(np.log1p(1.0))
COLOUR_SHARE = 0.7  # what a difference of colour counts beside one of light; set by hand
SHADE_TINT = 0.15  # of the light lost: shadows are lit by the sky and by walls, not by the sun or lamp
SHAKE_PX = 0.2
SEEK_PX = 5
LEAST_COVERED = 0.25  # share of pixels that a cap changes at least, its hole left out
REMEMBERED = 16  # patches: each is sought without and with a light


def seek(patch: Patch, slope: Array | None, *, is_dark: bool) -> Array:
    """Find the shift in the picture (2,), whole pixels, that puts the cap where it most likely is.

    `is_dark` says that the cap itself may look like ground in shadow; of any other, such pixels are no sign.
    """
    lit = _ground_cost(patch)
    shaded = np.minimum(lit, np.where(_is_darker(patch), SHADE_COST + _tint_cost(patch), np.inf))
    if not is_dark:
        lit = shaded + 0.25 * (lit - shaded)
    core = replace(patch.solid, radii_mm=patch.solid.radii_mm * patch.solid.plain_share)
    body_points = outline_px(patch.view, core, patch.near_mm)
    pixels, shape = patch.pixels, lit.shape
    body = cover(pixels, body_points).reshape(shape)
    gain = _slid(lit - CAP_COST, body)
    if slope is not None:
        shade_points = shadow_px(patch.view, patch.solid, patch.near_mm, slope)
        shadow = cover(pixels, shade_points).reshape(shape) * (1 - body)
        gain = gain + _slid(np.maximum(lit - shaded, 0), shadow)
    row, column = np.unravel_index(int(gain.argmax()), gain.shape)
    return np.array([column - SEEK_PX, row - SEEK_PX], float)


def is_bare(patch: Patch, shift_px: Array) -> bool:
    """Tell whether hardly any pixel under the cap's outline differs from the ground."""
    xy_mm = patch.near_mm + np.linalg.solve(patch.px_a_mm, shift_px)
    inside = cover(patch.pixels, outline_px(patch.view, patch.solid, xy_mm)).reshape(patch.now.shape[:2]) > 0.5
    changed = changed_pixels(patch)[inside]  # empty for an outline beyond the patch, which tells nothing
    return bool(changed.sum() < LEAST_COVERED * changed.size)


def changed_pixels(patch: Patch) -> NDArray[np.bool_]:
    """Tell which pixels (H, W) are surely not the ground as it was."""
    return _ground_cost(patch) > CAP_COST


def shaded_pixels(patch: Patch) -> NDArray[np.bool_]:
    """Tell which pixels (H, W) may be the ground made darker."""
    return _is_darker(patch) & (_tint_cost(patch) < CAP_COST)


@lru_cache(maxsize=REMEMBERED)
def _ground_cost(patch: Patch) -> Array:
    away = patch.now - patch.empty
    luma = patch.empty[..., 0]
    slopes = (np.asarray(cv2.Sobel(luma, cv2.CV_64F, *step, scale=0.125), float) for step in ((1, 0), (0, 1)))
    slope2 = sum(slope**2 for slope in slopes)
    off = away[..., 0] ** 2 + COLOUR_SHARE**2 * (away[..., 1] ** 2 + away[..., 2] ** 2)
    return np.asarray(np.log1p(off / (patch.noise**2 + SHAKE_PX**2 * slope2)), float)


@lru_cache(maxsize=REMEMBERED)
def _tint_cost(patch: Patch) -> Array:
    """Weigh how unlike the colour of a pixel is to that of its ground made darker."""
    share = np.clip(patch.now[..., 0] / (patch.empty[..., 0] + 0.003), 0, 1)
    off = patch.now[..., 1:] - patch.empty[..., 1:] * share[..., None]
    skylight = SHADE_TINT * (patch.empty[..., 0] - patch.now[..., 0])
    return np.asarray(np.log1p((COLOUR_SHARE * off**2).sum(axis=-1) / (patch.noise**2 + skylight**2)), float)


def _is_darker(patch: Patch) -> NDArray[np.bool_]:
    share = patch.now[..., 0] / (patch.empty[..., 0] + 0.003)
    return (share > 0.15) & (share < 0.95)


def _slid(cost: Array, mask: Array) -> Array:
    framed = np.pad(cost.astype(np.float32), SEEK_PX)
    return np.asarray(cv2.matchTemplate(framed, mask.astype(np.float32), cv2.TM_CCORR), float)
