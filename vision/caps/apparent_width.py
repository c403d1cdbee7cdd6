"""How large a cap looks: the circle at whose edge the ground begins all round.

An offer and no measurement: on rendered boards half of all crown caps are off by more than 1.5 mm, one in ten by more
than 3. People with a ruler say it better, and half of what is wrong with a diameter goes into every gap.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.vision import Image

Array = NDArray[np.float64]
Plane = NDArray[np.float32]

STEP_MM = 0.25  # between the radii that are tried; an eighth of a pixel or less
ROOM_MM = 5.0  # how far from the tap the middle may lie
DIRECTIONS = 48
WORSE = 0.4  # the share of directions that may tell less: a shadow's side, a neighbour's
BAND_MM = 1.5  # how far inside and outside an edge is looked
MOST_CHANGED = 60.0
LEAST_LOST = 5.0  # of 255, from inside to outside


def looks_wide(
    picture_bgr: Image,
    calibration: Calibration,
    tap_px: tuple[float, float],
    height_mm: float,
    sizes_mm: tuple[float, float],
) -> float | None:
    """Tell how wide, in mm, a cap of that height under a tap looks, about these sizes; None where no edge is seen."""
    changed = _changed(picture_bgr, calibration.empty_bgr)
    radii = np.arange(sizes_mm[0] / 2 - 2 * BAND_MM, sizes_mm[1] / 2 + 2 * BAND_MM, STEP_MM)
    middle = calibration.view.px_to_mm(np.array([tap_px]), height_mm)[0]
    lost, radius = 0.0, 0.0
    for reach_mm in (ROOM_MM, ROOM_MM / 4):
        steps = np.linspace(-reach_mm, reach_mm, 5)
        middles = middle + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        seen = (_along_rays(changed, calibration, one, radii, height_mm) for one in middles)
        lost, radius, best = max((*_edge(one, radii), i) for i, one in enumerate(seen))
        middle = middles[best]
    return 2 * radius if lost > LEAST_LOST else None


def _changed(picture_bgr: Image, empty_bgr: Image) -> Plane:
    away = cv2.absdiff(cv2.GaussianBlur(picture_bgr, (0, 0), 0.7), cv2.GaussianBlur(empty_bgr, (0, 0), 0.7))
    return np.asarray(np.minimum(np.asarray(away).max(axis=2), MOST_CHANGED), np.float32)


def _along_rays(changed: Plane, calibration: Calibration, middle_mm: Array, radii: Array, height_mm: float) -> Plane:
    """Read how much changed (radii, directions) round a place."""
    angles = np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False)
    spots_mm = middle_mm + radii[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    px = calibration.view.mm_to_px(spots_mm.reshape(-1, 2), height_mm).astype(np.float32)
    across, down = np.moveaxis(px.reshape(len(radii), DIRECTIONS, 2), -1, 0)
    return np.asarray(cv2.remap(changed, across, down, cv2.INTER_LINEAR), np.float32)


def _edge(seen: Plane, radii: Array) -> tuple[float, float]:
    """Find where most directions lose most of what changed: how much, and at which radius in mm."""
    band = round(BAND_MM / STEP_MM)
    sums = np.vstack([np.zeros((1, DIRECTIONS)), np.cumsum(seen, axis=0)])
    means = (sums[band:] - sums[:-band]) / band
    lost = np.quantile(means[:-band] - means[band:], WORSE, axis=1)
    at = int(lost.argmax())
    return float(lost[at]), float(radii[at + band] - STEP_MM / 2)
