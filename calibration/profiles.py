"""Cuts across lines: where a line is expected in the picture, and the light along short cuts square to it."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.errors import BadInput
from linesies.calibration.view import View

Array = NDArray[np.float64]
Picture = NDArray[np.float32]


MOST_WIDTHS = 50  # of the picture, that a line may be long; more, and the lens folds the board into something else


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LineCourse:
    """A line's expected course in the picture, at even stations from its start to its end.

    `share` (N,) runs from 0 to 1, `centre_px` (N, 2), `normal_px` (N, 2) has length 1 and points to the line's
    right, `width_px` (N,) is the paint's expected width.
    """

    share: Array
    centre_px: Array
    normal_px: Array
    width_px: Array

    @property
    def length_px(self) -> float:
        """How long the line is in the picture."""
        return float(np.hypot(*np.diff(self.centre_px, axis=0).T).sum())


def course(view: View, ends_mm: Array, width_mm: float, step_px: float) -> LineCourse:
    """Lay stations about `step_px` apart along the straight board line between `ends_mm` (2, 2)."""
    ends_px = view.mm_to_px(ends_mm)
    length_px = float(np.hypot(*(ends_px[1] - ends_px[0])))
    if not length_px <= MOST_WIDTHS * max(view.lens.size_px):
        raise BadInput("lens and board do not belong together: lines reach far beyond the picture; learn the lens anew")
    count = max(int(length_px / step_px) + 1, 4)
    share = np.linspace(0.0, 1.0, count)
    middle_mm = ends_mm[0] + share[:, None] * (ends_mm[1] - ends_mm[0])
    along_mm = (ends_mm[1] - ends_mm[0]) / max(float(np.hypot(*(ends_mm[1] - ends_mm[0]))), 1e-9)
    aside_mm = width_mm / 2 * np.array([-along_mm[1], along_mm[0]])
    left, centre, right = np.split(view.mm_to_px(np.vstack([middle_mm - aside_mm, middle_mm, middle_mm + aside_mm])), 3)
    tangent = np.gradient(centre, axis=0)
    normal = np.column_stack([-tangent[:, 1], tangent[:, 0]])
    normal /= np.maximum(np.hypot(*normal.T), 1e-9)[:, None]
    width = np.abs(((right - left) * normal).sum(axis=1))
    return LineCourse(share=share, centre_px=centre, normal_px=normal, width_px=width)


def cut(picture: Picture, centre_px: Array, normal_px: Array, reach_px: Array) -> NDArray[np.float32]:
    """Sample a picture (H, W[, C]) at `reach_px` (U,) along each station's normal: (N, U[, C])."""
    places = centre_px[:, None] + reach_px[None, :, None] * normal_px[:, None]
    across = places.astype(np.float32)
    found = cv2.remap(picture, across[..., 0], across[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, np.float32)


def is_inside(centre_px: Array, size_px: tuple[int, int], margin_px: float) -> NDArray[np.bool_]:
    """Tell which stations (N, 2) lie in the picture, at least `margin_px` from its border."""
    x, y = centre_px.T
    width, height = size_px
    return np.asarray(
        (x > margin_px) & (y > margin_px) & (x < width - 1 - margin_px) & (y < height - 1 - margin_px), bool
    )
