"""Places on the table where cards lie: each laid flat as seen from above, and as a mask on the small picture."""

from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, View
from linesies.calibration.card_mats import WON
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]

PX_PER_MM = 1.5  # a zone seen from above: fine enough for a card's edges
MARGIN_MM = 30.0  # cards stick out of their zone
SMALL = 4  # the small picture's pixels each way in one
GRID_MM = 20.0  # the lens bends so little within this that a straight line will do


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TableSpot:
    """A zone, or one pile's place in it: where it lies (mm), and how it is looked at."""

    name: str
    polygon_mm: Array
    origin_mm: Array  # of the flat picture's top-left pixel's centre
    size_px: tuple[int, int]
    map_px: tuple[NDArray[np.float32], NDArray[np.float32]]
    small_mask: NDArray[np.bool_]

    @property
    def middle_mm(self) -> Array:
        """The middle."""
        return np.asarray(self.polygon_mm.mean(axis=0), float)

    def lay_flat(self, picture_bgr: Image) -> Image:
        """Show it as seen from above, PX_PER_MM."""
        return cv2.remap(picture_bgr, *self.map_px, cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE)

    def to_mm(self, flat_px: Array) -> Array:
        """Take points (N, 2) of the flat picture to the table."""
        return self.origin_mm + flat_px / PX_PER_MM

    def is_beside(self, other: "TableSpot") -> bool:
        """Tell whether something may reach over from another place: they lie within each other's margin."""
        lows = np.maximum(self.polygon_mm.min(axis=0), other.polygon_mm.min(axis=0))
        highs = np.minimum(self.polygon_mm.max(axis=0), other.polygon_mm.max(axis=0))
        return bool((lows - highs < MARGIN_MM).all())

    def holds(self, xy_mm: Array) -> bool:
        """Tell whether a point lies in it."""
        point = (float(xy_mm[0]), float(xy_mm[1]))
        return cv2.pointPolygonTest(self.polygon_mm.astype(np.float32), point, measureDist=False) >= 0


def spots_of(calibration: Calibration, parts: int = 1) -> tuple[TableSpot, ...]:
    """List a table's zones; those before players cut into `parts` side by side, from the player's left."""
    height = calibration.board.size_mm[1]
    spots = []
    for region in calibration.board.regions:
        if region.name.startswith(WON):
            continue  # no cards lie there
        polygon = region.polygon_mm
        if parts > 1 and region.name.startswith("seat:"):
            is_near = polygon[:, 1].mean() > height / 2
            cut = _cut(polygon, parts)
            cut = cut if is_near else cut[::-1]
            spots += [_spot(f"{region.name}:{i}", part, calibration.view) for i, part in enumerate(cut)]
        else:
            spots.append(_spot(region.name, polygon, calibration.view))
    return tuple(spots)


def _cut(polygon: Array, parts: int) -> list[Array]:
    """Cut a zone's bounding rectangle into equal parts, from left to right."""
    (x0, y0), (x1, y1) = polygon.min(axis=0), polygon.max(axis=0)
    xs = np.linspace(x0, x1, parts + 1)
    return [np.array([(a, y0), (b, y0), (b, y1), (a, y1)]) for a, b in pairwise(xs)]


def _spot(name: str, polygon_mm: Array, view: View) -> TableSpot:
    low, high = polygon_mm.min(axis=0) - MARGIN_MM, polygon_mm.max(axis=0) + MARGIN_MM
    size = np.ceil((high - low) * PX_PER_MM).astype(int)
    seen = _bent_grid(low, size, view)
    width, height = view.lens.size_px
    outline = view.mm_to_px(_around(polygon_mm))
    mask = np.zeros((height // SMALL, width // SMALL), np.uint8)
    cv2.fillPoly(mask, [np.rint((outline + 0.5) / SMALL - 0.5).astype(np.int32)], 1)
    return TableSpot(
        name=name,
        polygon_mm=polygon_mm,
        origin_mm=low,
        size_px=(int(size[0]), int(size[1])),
        map_px=cv2.convertMaps(seen.astype(np.float32), None, cv2.CV_16SC2),
        small_mask=mask > 0,
    )


def raised(spot: TableSpot, view: View, height_mm: float) -> TableSpot:
    """Give a place as it is looked at to see flat what lies that high above the table."""
    seen = _bent_grid(spot.origin_mm, np.array(spot.size_px), view, height_mm)
    return replace(spot, map_px=cv2.convertMaps(seen.astype(np.float32), None, cv2.CV_16SC2))


def _around(polygon_mm: Array) -> Array:
    """Walk round a zone in small steps, so that its sides may bend."""
    shares = np.linspace(0, 1, 12, endpoint=False)[:, None]
    return np.vstack([a + shares * (b - a) for a, b in zip(polygon_mm, np.roll(polygon_mm, -1, axis=0), strict=True)])


def _bent_grid(low_mm: Array, size: NDArray[np.int_], view: View, height_mm: float = 0.0) -> Array:
    """Find the picture points (H, W, 2) under every pixel of the flat picture, exact on a grid, else in between."""
    coarse = np.ceil(size / (GRID_MM * PX_PER_MM)).astype(int) + 1
    xs, ys = (np.linspace(0, side - 1, count) for side, count in zip(size, coarse, strict=True))
    grid = np.stack(np.meshgrid(xs, ys), axis=-1)
    seen = view.mm_to_px(low_mm + grid.reshape(-1, 2) / PX_PER_MM, height_mm).reshape(*grid.shape[:2], 2)
    u, v = np.meshgrid(
        np.linspace(0, coarse[0] - 1, size[0], dtype=np.float32),
        np.linspace(0, coarse[1] - 1, size[1], dtype=np.float32),
    )
    return cv2.remap(seen.astype(np.float32), u, v, cv2.INTER_LINEAR)
