"""Where a footprint lies: its region, and its gap to the nearest edge of paint."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.record import Calibration

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place:
    """What the board says about one footprint.

    `location` is a code of the contract; `gap_mm` runs from the footprint's edge to the nearest edge of paint,
    negative by as much as it reaches over; `edge_mm` (2,) is the nearest point of that edge and `edge_sigma_mm`
    its standard error.
    """

    location: str
    gap_mm: float
    edge_mm: Array
    edge_sigma_mm: float


def locate(calibration: Calibration, xy_mm: Array, diameter_mm: float) -> Place:
    """Tell where the footprint of `diameter_mm` round the board point (2,) lies (vision contract, `judge`)."""
    depth, edge_mm, sigma_mm, is_skull = min(
        (_distance(line, xy_mm) for line in calibration.survey.lines), key=lambda found: found[0]
    )
    gap_mm = depth - diameter_mm / 2
    if gap_mm <= 0:
        location = "skull_line" if is_skull else "line"
    else:
        location = _region_at(calibration, xy_mm)
    return Place(location=location, gap_mm=gap_mm, edge_mm=edge_mm, edge_sigma_mm=sigma_mm)


def _distance(line, xy_mm: Array) -> tuple[float, Array, float, bool]:
    """Measure from a point to a line's outline, negative inside the paint."""
    outline = line.outline_mm
    after = np.roll(outline, -1, axis=0)
    along = after - outline
    length2 = np.maximum((along**2).sum(axis=1), 1e-12)
    share = np.clip(((xy_mm - outline) * along).sum(axis=1) / length2, 0.0, 1.0)
    foot = outline + share[:, None] * along
    distance = np.hypot(*(foot - xy_mm).T)
    i = int(distance.argmin())
    is_inside = cv2.pointPolygonTest(outline.astype(np.float32), (float(xy_mm[0]), float(xy_mm[1])), False) > 0
    sigma = np.concatenate([line.sigma_mm, line.sigma_mm[::-1]])
    return (-1 if is_inside else 1) * float(distance[i]), foot[i], float(sigma[i]), line.is_skull


def _region_at(calibration: Calibration, xy_mm: Array) -> str:
    point = (float(xy_mm[0]), float(xy_mm[1]))
    for region in calibration.regions:
        if cv2.pointPolygonTest(region.polygon_mm.astype(np.float32), point, False) > 0:
            return region.name
    width, height = calibration.board.size_mm
    outside_x = max(-point[0], point[0] - width, 0.0)
    outside_y = max(-point[1], point[1] - height, 0.0)
    is_far = np.hypot(outside_x, outside_y) > max(width, height)
    return "off" if is_far or not calibration.view.is_in_picture(xy_mm) else "open"
