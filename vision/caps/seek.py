"""Seek the whole-pixel place of a known cap.

A pixel is either ground as it was, or ground in shadow, or cap. Being cap costs the same whatever the pixel
looks like; being ground costs by how unlike it is. The best place is where the outline gathers the most that
cannot be ground, and the cast shadow the most that is darker ground.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.caps.found import Found, found_at
from linesies.vision.caps.hypothesis import Hypothesis, Supposed
from linesies.vision.caps.patch import Patch
from linesies.vision.caps.solid import cover, outline_px, shadow_px
from linesies.vision.caps.unlike import CAP_COST
from linesies.vision.shadow_light import ShadowLight

Array = NDArray[np.float64]

SEEK_PX = 5
STEPS_PX = np.arange(-SEEK_PX, SEEK_PX + 1.0)


@dataclass(frozen=True)
class CapSeekTuning(Tuning):
    """How far a cap is slid from where it was seen, and what it must change."""

    least_covered: float = tuned(
        0.25,
        title="share of pixels that a cap changes at least, its hole left out",
        unit="1",
        low=0.05,
        high=0.9,
        source=by_hand_in("847ef17"),
    )
    shade_counts: float = tuned(
        0.25,
        title="of its cost, what ground in shadow counts for a cap that cannot look like it",
        unit="1",
        low=0,
        high=1,
        source=BY_HAND,
    )


SEEK = CapSeekTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sought:
    """The supposed caps of a picture, each where it most likely is, and where its rival would be."""

    found: tuple[Found, ...]
    rivals: tuple[Found | None, ...]


def seek(supposed: Supposed, light: ShadowLight) -> Sought:
    """Seek all supposed caps of a picture under a light."""
    rivals = (None if one is None else seek_cap(one.hypothesis, light.slope) for one in supposed.rivals)
    return Sought(found=tuple(seek_cap(one, light.slope) for one in supposed.hypotheses), rivals=tuple(rivals))


def seek_cap(hypothesis: Hypothesis, slope: Array | None) -> Found:
    """Find the whole-pixel place of a cap under a light."""
    return found_at(hypothesis, _likeliest_shift(hypothesis, slope))


def is_bare(found: Found) -> bool:
    """Tell whether hardly any pixel under the cap's outline differs from the ground."""
    patch = found.hypothesis.patches[0]
    inside = cover(patch.pixels, found.outline_px).reshape(patch.now.shape[:2]) > 0.5
    changed = found.hypothesis.unlike.is_changed[inside]  # empty for an outline beyond the patch, which tells nothing
    return bool(changed.sum() < SEEK.least_covered * changed.size)


def _likeliest_shift(hypothesis: Hypothesis, slope: Array | None) -> Array:
    """Find the shift in the picture (2,), whole pixels, that puts the cap where it most likely is.

    Of a cap that cannot itself look like ground in shadow, such pixels are no sign.
    """
    patch = hypothesis.patches[0]
    lit, shaded = hypothesis.unlike.lit_cost, hypothesis.unlike.shaded_cost
    if not hypothesis.is_dark:
        lit = shaded + SEEK.shade_counts * (lit - shaded)
    core = replace(patch.solid, radii_mm=patch.solid.radii_mm * patch.solid.plain_share)
    body_points = outline_px(patch.view, core, patch.near_mm)
    pixels, shape = patch.pixels, lit.shape
    body = cover(pixels, body_points).reshape(shape)
    gain = _slid(lit - CAP_COST, body)
    if slope is not None:
        shade_points = shadow_px(patch.view, patch.solid, patch.near_mm, slope)
        shadow = cover(pixels, shade_points).reshape(shape) * (1 - body)
        gain = gain + _slid(np.maximum(lit - shaded, 0), shadow)
    gain = gain - _stray_cost(patch)
    row, column = np.unravel_index(int(gain.argmax()), gain.shape)
    return np.array([column - SEEK_PX, row - SEEK_PX], float)


def _stray_cost(patch: Patch) -> Array:
    """Weigh each shift by how far it leads from where the cap is supposed to stand."""
    shifts_px = np.stack(np.meshgrid(STEPS_PX, STEPS_PX), axis=-1)
    return patch.stray_cost(patch.near_mm + shifts_px @ np.linalg.inv(patch.px_a_mm).T)


def _slid(cost: Array, mask: Array) -> Array:
    framed = np.pad(cost.astype(np.float32), SEEK_PX)
    return np.asarray(cv2.matchTemplate(framed, mask.astype(np.float32), cv2.TM_CCORR), float)
