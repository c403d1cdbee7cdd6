"""A supposed cap at its place: sought to the pixel, then fitted, beside its neighbours and under one common light."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import to_linear
from linesies.vision.caps.cap import Cap
from linesies.vision.caps.fit import Edge, Fit
from linesies.vision.caps.patch import Patch
from linesies.vision.caps.relight import relit
from linesies.vision.caps.seek import seek
from linesies.vision.caps.shadow import light_slope
from linesies.vision.caps.solid import outline_px

Array = NDArray[np.float64]

NEIGHBOUR_ROOM_PX = 8.0  # farther than this apart, caps do not trouble one another
STRAYED_DOUBT = 0.1  # of how far apart both fits come out; scatter counts several times as much in sigma
DARK_ALBEDO = 0.06  # ground in shadow looks no lighter than such a cap


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hypothesis:
    """One cap and the patch in which it is supposed to one.

    A cap whose kind is not told has a patch for each that it may be of.
    """

    cap: Cap
    patches: tuple[Patch, ...]

    @property
    def is_dark(self) -> bool:
        """Tell whether the cap itself may look like ground in shadow."""
        albedo = float(to_linear(np.array([self.cap.colour_rgb], np.uint8)).mean())
        return albedo < DARK_ALBEDO or self.cap.kind in ("ring", "glide")

    @property
    def window_px(self) -> tuple[int, int, int, int]:
        """Give the part of the picture that is looked at: first column and row, and those after the last."""
        corners = np.array([(patch.pixels.min(axis=0), patch.pixels.max(axis=0) + 1) for patch in self.patches])
        (x0, y0), (x1, y1) = corners[:, 0].min(axis=0).astype(int), corners[:, 1].max(axis=0).astype(int)
        return int(x0), int(y0), int(x1), int(y1)

    def seek(self, slope: Array | None) -> Array:
        """Find its whole-pixel place under a light, as a shift from the patch's middle (2,)."""
        return seek(self.patches[0], slope, is_dark=self.is_dark)

    def outline_px(self, shift_px: Array) -> Array:
        """Project its outline shifted from the patch's middle: (N, 2)."""
        patch = self.patches[0]
        return outline_px(patch.view, patch.solid, patch.near_mm + np.linalg.solve(patch.px_a_mm, shift_px))

    def fit(self, shift_px: Array, slope: Array | None, taken: tuple[Array, ...] = ()) -> Fit:
        """Fit its sub-pixel place under a light, beside the outlines of neighbours.

        What was sought may be its shadow, or paint, and a fit that starts a pixel amiss may stay amiss: it is tried
        from where the cap was supposed too, and how far apart both come out is doubt.
        """
        fit = self._fit_from(shift_px, slope, taken)
        if not shift_px.any():
            return fit
        there = self._fit_from(np.zeros(2), slope, taken)
        near, far = sorted((fit, there), key=lambda one: one.misfit)
        apart_mm = far.xy_mm - near.xy_mm
        return replace(near, scatter_mm2=near.scatter_mm2 + STRAYED_DOUBT**2 * np.outer(apart_mm, apart_mm))

    def _fit_from(self, shift_px: Array, slope: Array | None, taken: tuple[Array, ...]) -> Fit:
        lit = (relit(patch, shift_px, taken) for patch in self.patches)
        fits = (Edge(patch, shift_px, slope, taken).fit(np.zeros(2)) for patch in lit)
        return min(fits, key=lambda fit: fit.misfit)


def is_near(one_px: Array, other_px: Array) -> bool:
    """Tell whether two outlines (N, 2) lie so near that either troubles the other's fit."""
    gap = np.maximum(one_px.min(axis=0) - other_px.max(axis=0), other_px.min(axis=0) - one_px.max(axis=0))
    return bool(gap.max() < NEIGHBOUR_ROOM_PX)


def common_slope(hypotheses: list[Hypothesis], beside: tuple[Array, ...] = ()) -> Array | None:
    """Find the slope of all shadows from the caps that cannot be taken for shadow themselves, where there are any.

    `beside` are the outlines (N, 2) of further caps.
    """
    shifts = [one.seek(None) for one in hypotheses]
    taken = [*(one.outline_px(shift) for one, shift in zip(hypotheses, shifts, strict=True)), *beside]
    is_all_dark = all(one.is_dark for one in hypotheses)
    clear = [(s.patches[0], shift) for s, shift in zip(hypotheses, shifts, strict=True) if is_all_dark or not s.is_dark]
    return light_slope([patch for patch, _ in clear], [shift for _, shift in clear], taken)
