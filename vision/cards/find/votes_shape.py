"""The shape of a card that is seen whole, from the cells that show it: a filled parallelogram by its moments.

Cells tell size and proportions better than they vote for them, above all where a card is foreshortened.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned

Array = NDArray[np.floating]


@dataclass(frozen=True)
class ShapeTuning(Tuning):
    """When cells have the shape of one card."""

    compact: float = tuned(
        0.78,
        title="of its hull, what cells must fill if they are to be one whole card",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("b8915e1"),
    )


SHAPE = ShapeTuning()


def fit_shape(
    cells_px: Array, chances: Array, cell_px: float, axes: tuple[Array, Array]
) -> tuple[Array, Array, Array] | None:
    """Fit a parallelogram's middle and half axes, the long one first, to cells (N, 2) of width `cell_px`.

    `axes` are the half axes that were voted for; they tell which is the long one. None when the cells aren't compact.
    """
    if not _are_compact(cells_px, cell_px):
        return None
    share = chances / chances.sum()
    centre = share @ cells_px
    away = cells_px - centre
    spread = (away * share[:, None]).T @ away + np.eye(2) * cell_px**2 / 12
    values, vectors = np.linalg.eigh(spread)
    root = (
        vectors @ np.diag(np.sqrt(3 * np.maximum(values, 1e-6))) @ vectors.T
    )  # takes a unit square's half axes to ours
    square = away @ np.linalg.inv(root)
    turns = np.radians(np.arange(0, 90, 3))
    first = square @ np.stack([np.cos(turns), np.sin(turns)])
    second = square @ np.stack([-np.sin(turns), np.cos(turns)])
    out2 = np.maximum(first * first, second * second)
    corners_out = (out2 * out2 * out2 * out2).mean(0)
    turn = turns[int(np.argmin(corners_out))]
    one, other = root @ (np.cos(turn), np.sin(turn)), root @ (-np.sin(turn), np.cos(turn))
    long, short = axes
    is_swapped = _unlike(one, long) + _unlike(other, short) > _unlike(other, long) + _unlike(one, short)
    return (centre, other, one) if is_swapped else (centre, one, other)


def _are_compact(cells_px: Array, cell_px: float) -> bool:
    half = cell_px / 2
    outer = cv2.convexHull(cells_px.astype(np.float32))
    corners = outer + np.array([(-half, -half), (half, -half), (half, half), (-half, half)], np.float32)
    hull = cv2.contourArea(cv2.convexHull(corners.reshape(-1, 2)))
    return bool(len(cells_px) * cell_px**2 > SHAPE.compact * hull)


def _unlike(axis: Array, other: Array) -> float:
    """Tell how far two half axes differ, whichever way they point."""
    return float(min(np.hypot(*(axis - other)), np.hypot(*(axis + other))))
