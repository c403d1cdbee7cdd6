"""How large a cap looks: the circle at whose edge the ground begins all round.

An offer and no measurement: on rendered boards half of all crown caps are off by more than 1.5 mm, one in ten by more
than 3. People with a ruler say it better, and half of what is wrong with a diameter goes into every gap.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision import Image

Array = NDArray[np.float64]
Plane = NDArray[np.float32]


@dataclass(frozen=True)
class WidthTuning(Tuning):
    """How wide what people tapped looks."""

    step_mm: float = tuned(
        0.25,
        title="between the radii that are tried; an eighth of a pixel or less",
        unit="mm",
        low=0.05,
        high=2,
        source=by_hand_in("171f9d5"),
    )
    room_mm: float = tuned(
        5.0, title="how far from the tap the middle may lie", unit="mm", low=1, high=20, source=by_hand_in("171f9d5")
    )
    directions: int = tuned(
        48, title="directions in which an edge is looked for", unit="1", low=12, high=360, source=by_hand_in("171f9d5")
    )
    worse: float = tuned(
        0.4,
        title="share of directions that may tell less: a shadow's side, a neighbour's",
        unit="1",
        low=0,
        high=0.9,
        source=by_hand_in("171f9d5"),
    )
    band_mm: float = tuned(
        1.5,
        title="how far inside and outside an edge is looked",
        unit="mm",
        low=0.3,
        high=6,
        source=by_hand_in("171f9d5"),
    )
    most_changed_levels: float = tuned(
        60.0, title="change that counts as no more", unit="levels", low=10, high=255, source=by_hand_in("171f9d5")
    )
    least_lost_levels: float = tuned(
        5.0,
        title="drop from inside to outside that is an edge",
        unit="levels",
        low=1,
        high=60,
        source=by_hand_in("171f9d5"),
    )
    blur_px: float = tuned(
        0.7,
        title="blur of both pictures before they are compared",
        unit="px",
        low=0.2,
        high=3,
        source=by_hand_in("171f9d5"),
    )


WIDTH = WidthTuning()


def looks_wide(
    picture_bgr: Image,
    calibration: Calibration,
    tap_px: tuple[float, float],
    height_mm: float,
    sizes_mm: tuple[float, float],
) -> float | None:
    """Tell how wide, in mm, a cap of that height under a tap looks, about these sizes; None where no edge is seen."""
    changed = _changed(picture_bgr, calibration.empty_bgr)
    radii = np.arange(sizes_mm[0] / 2 - 2 * WIDTH.band_mm, sizes_mm[1] / 2 + 2 * WIDTH.band_mm, WIDTH.step_mm)
    middle = calibration.view.px_to_mm(np.array([tap_px]), height_mm)[0]
    lost, radius = 0.0, 0.0
    for reach_mm in (WIDTH.room_mm, WIDTH.room_mm / 4):
        steps = np.linspace(-reach_mm, reach_mm, 5)
        middles = middle + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        seen = (_along_rays(changed, calibration, one, radii, height_mm) for one in middles)
        lost, radius, best = max((*_edge(one, radii), i) for i, one in enumerate(seen))
        middle = middles[best]
    return 2 * radius if lost > WIDTH.least_lost_levels else None


def _changed(picture_bgr: Image, empty_bgr: Image) -> Plane:
    now, empty = (cv2.GaussianBlur(one, (0, 0), WIDTH.blur_px) for one in (picture_bgr, empty_bgr))
    away = cv2.absdiff(now, empty)
    return np.asarray(np.minimum(np.asarray(away).max(axis=2), WIDTH.most_changed_levels), np.float32)


def _along_rays(changed: Plane, calibration: Calibration, middle_mm: Array, radii: Array, height_mm: float) -> Plane:
    """Read how much changed (radii, directions) round a place."""
    angles = np.linspace(0, 2 * np.pi, WIDTH.directions, endpoint=False)
    spots_mm = middle_mm + radii[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    px = calibration.view.mm_to_px(spots_mm.reshape(-1, 2), height_mm).astype(np.float32)
    across, down = np.moveaxis(px.reshape(len(radii), WIDTH.directions, 2), -1, 0)
    return np.asarray(cv2.remap(changed, across, down, cv2.INTER_LINEAR), np.float32)


def _edge(seen: Plane, radii: Array) -> tuple[float, float]:
    """Find where most directions lose most of what changed: how much, and at which radius in mm."""
    band = round(WIDTH.band_mm / WIDTH.step_mm)
    sums = np.vstack([np.zeros((1, WIDTH.directions)), np.cumsum(seen, axis=0)])
    means = (sums[band:] - sums[:-band]) / band
    lost = np.quantile(means[:-band] - means[band:], WIDTH.worse, axis=1)
    at = int(lost.argmax())
    return float(lost[at]), float(radii[at + band] - WIDTH.step_mm / 2)
