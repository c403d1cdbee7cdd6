"""Put the empty ground round a supposed cap into the light of now.

Shadows of fences, leaves and people move between two pictures, and their edges are sharper than a cap's. What became of
the light is read off the ground just outside the cap's outline and carried on beneath it, from the nearest such ground.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.patch import Patch
from linesies.vision.caps.solid import is_beyond, outline_px

Array = NDArray[np.float64]


@dataclass(frozen=True)
class RelightTuning(Tuning):
    """How the light is carried on beneath a cap."""

    clear_px: float = tuned(
        2.5,
        title="from an outline that is not quite placed yet; nearer there may be cap",
        unit="px",
        low=0.5,
        high=8,
        source="by hand in 118c359, to put the ground into the light of now; 2 to 3.2 do as well",
    )
    near_px: float = tuned(
        1.5,
        title="the nearest reach of light that is alike, which rules",
        unit="px",
        low=0.5,
        high=5,
        source=by_hand_in("118c359"),
    )
    middle_px: float = tuned(4.0, title="the next", unit="px", low=1, high=12, source=by_hand_in("118c359"))
    far_px: float = tuned(12.0, title="the farthest", unit="px", low=4, high=40, source=by_hand_in("118c359"))
    middle_counts: float = tuned(
        1e-2,
        title="what the next reach counts beside the nearest",
        unit="1",
        low=0,
        high=1,
        source=by_hand_in("118c359"),
    )
    far_counts: float = tuned(
        1e-4, title="what the farthest counts", unit="1", low=0, high=1, source=by_hand_in("118c359")
    )
    tint: float = tuned(
        0.3,
        title="logarithm: what changed its colour by much more is something that lies there, not light",
        unit="1",
        low=0.05,
        high=1.5,
        source=by_hand_in("118c359"),
    )
    unchanged: float = tuned(
        1e-6,
        title="what light that stayed as it was counts: where nothing near by tells, it rules",
        unit="1",
        low=0,
        high=0.01,
        source=by_hand_in("118c359"),
    )
    most_change: float = tuned(
        2.0,
        title="logarithm: no shadow takes or gives more light",
        unit="1",
        low=0.5,
        high=5,
        source=by_hand_in("118c359"),
    )

    @property
    def reaches(self) -> tuple[tuple[float, float], ...]:
        """Reaches of light that is alike, and what each counts: the nearest rules."""
        return (self.near_px, 1.0), (self.middle_px, self.middle_counts), (self.far_px, self.far_counts)


RELIGHT = RelightTuning()

DARKEST = 0.004  # linear; keeps shares of the light finite


def relit_about(patch: Patch, shifts_px: Sequence[Array], taken: tuple[Array, ...]) -> tuple[Patch, ...]:
    """Put a patch's empty ground into the light seen round the cap, shifted from its middle by each of these (2,).

    `taken` are outlines (N, 2) of neighbours, which tell nothing of the light. What is seen through glass has a light
    of its own: its ground stays as it was.
    """
    if patch.solid.is_glass:
        return (patch,) * len(shifts_px)
    light = _SeenLight.on(patch)
    return tuple(light.relit(shift_px, taken) for shift_px in shifts_px)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _SeenLight:
    """A patch, its empty ground's light, how that changed (H, W, 3), and how likely that is light's doing (H, W)."""

    patch: Patch
    empty: Array
    change: Array
    faith: Array

    @classmethod
    def on(cls, patch: Patch) -> Self:
        """Compare a patch with its empty ground."""
        now, empty = (_light(plane) for plane in (patch.now, patch.empty))
        change = np.log((np.maximum(now, 0) + DARKEST) / (np.maximum(empty, 0) + DARKEST))
        tint = np.abs(change[..., 1:] - change[..., :1]).max(axis=-1)
        return cls(patch=patch, empty=empty, change=change, faith=np.exp(-0.5 * (tint / RELIGHT.tint) ** 2))

    def relit(self, shift_px: Array, taken: tuple[Array, ...]) -> Patch:
        """Put the patch's empty ground into the light seen round the cap shifted from its middle (2,)."""
        patch = self.patch
        xy_mm = patch.place_mm(shift_px)
        is_ground = np.ones(len(patch.pixels), np.bool_)
        for outline in (outline_px(patch.view, patch.solid, xy_mm), *taken):
            is_ground &= is_beyond(patch.pixels, outline, RELIGHT.clear_px)
        light = _carried_on(self.change, is_ground.reshape(self.faith.shape) * self.faith)
        lit = self.empty * np.exp(np.clip(light, -RELIGHT.most_change, RELIGHT.most_change))
        lit[..., 1:] -= lit[..., :1]
        return replace(patch, empty=lit)


def _light(plane: Array) -> Array:
    """Give luma, blue and red of a patch's plane (H, W, 3), which holds the last two less luma."""
    return np.concatenate([plane[..., :1], plane[..., 1:] + plane[..., :1]], axis=-1)


def _carried_on(values: Array, faith: Array) -> Array:
    """Average values (H, W, 3) near each pixel by how far they are believed (H, W), the nearest first."""
    believed = np.dstack([values * faith[..., None], faith]).astype(np.float32)  # which is blurred in half the time
    total = sum(counts * cv2.GaussianBlur(believed, (0, 0), reach_px) for reach_px, counts in RELIGHT.reaches)
    return np.asarray(total[..., :3] / (total[..., 3:] + RELIGHT.unchanged), float)
