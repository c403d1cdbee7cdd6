"""How a picture lies against the ground as it was calibrated, and the same pixels brought back to where they belong.

A pole sways: shift, roll, scale and shear are linear in the place. A rolling shutter takes the rows one after the
other, so that what the pole does meanwhile bends the picture along its rows: a cubic of the row. Places are counted
from the middle in half widths and half heights, so that the same coefficients serve every resolution.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import pairwise, product

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.picture.layout import EVERYWHERE, Image, Window
from linesies.vision.picture.small_picture import SmallPlanes

Points = NDArray[np.float64]

TERMS = 5  # 1, u, v, v^2, v^3
CUBIC_REACH = 4  # pixels
SHARPNESS = -0.75  # of the cubic, as OpenCV's maps have it
# its weights by the powers of the part of a pixel that a place lies behind the second of four
KEYS = np.array([[0, 1, -2, 1], [0, 0, -1, 1], [0, -1, 2, -1], [0, 0, 1, -1]]) * SHARPNESS
KEYS += np.array([[0, 0, 0, 0], [1, 0, -3, 2], [0, 0, 3, -2], [0, 0, 0, 0]])


@dataclass(frozen=True)
class DisplacementTuning(Tuning):
    """From when on a picture is brought back, and in how many pieces."""

    negligible_small: float = tuned(
        0.08,
        title="a sixth of a full pixel or less is left: resampling would cost more than it mends",
        unit="small px",
        low=0.01,
        high=0.5,
        source=by_hand_in("89d7994"),
    )
    tile_px: float = tuned(
        0.1,
        title="by which the displacement may vary within a tile that is shifted as one, which is faster than a map",
        unit="px",
        low=0.01,
        high=0.5,
        source="as exact as registration itself (LandmarkTuning.settled_small)",
    )
    most_tiles: int = tuned(
        100,
        title="beyond which a map is faster: a picture turned by more than any pole sways",
        unit="1",
        low=1,
        high=10000,
        source=BY_HAND,
    )
    bulge: float = tuned(
        1.5,
        title="times as far as in its corners and its middle a picture may be displaced between them",
        unit="1",
        low=1,
        high=5,
        source=by_hand_in("dc7a77f"),
    )


DISPLACEMENT = DisplacementTuning()


@dataclass(frozen=True)
class Displacement:
    """By how much the ground is seen beside its calibrated place: coefficients (2, TERMS) in small pixels."""

    coefficients: NDArray[np.float64]
    size_small: tuple[int, int]

    def at(self, xy_small: Points) -> Points:
        """Tell the displacement (N, 2) at points (N, 2) of the calibrated small picture."""
        return terms_at(xy_small, self.size_small) @ self.coefficients.T

    @cached_property
    def at_corners(self) -> Points:
        """The displacement (5, 2) in the corners and in the middle."""
        return _terms_at_corners(self.size_small) @ self.coefficients.T

    @cached_property
    def most(self) -> float:
        """How far off the picture lies along a side, where it is farthest, in small pixels."""
        return float(np.abs(self.at_corners).max())

    @property
    def is_negligible(self) -> bool:
        """Whether the picture lies as calibrated."""
        return self.most < DISPLACEMENT.negligible_small

    def undone(self, plane: Image, window: Window | None = None, *, is_sharp: bool = True) -> Image:
        """Bring a plane or picture (H, W) or (H, W, 3) of any resolution back, or a window of it.

        What lies beyond the border is shown as the border. Colours need not be `is_sharp`: cameras store them coarsely.
        """
        if self.is_negligible:
            return plane if window is None else plane[window]
        height, width = plane.shape[:2]
        rows, columns = window or (slice(None), slice(None))
        return self._undone(plane, (width, height), (rows, columns), is_sharp=is_sharp)

    def kept(self, plane: Image, window: Window) -> Callable[[], Image]:
        """Copy what is needed to bring a window of a plane (H, W) back once it is asked for; most never is."""
        height, width = plane.shape
        rows, columns = (slice(*one.indices(side)) for one, side in zip(window, (height, width), strict=True))
        reach = int(np.ceil(DISPLACEMENT.bulge * self.most * width / self.size_small[0])) + CUBIC_REACH
        left, top = max(columns.start - reach, 0), max(rows.start - reach, 0)
        part = plane[top : rows.stop + reach, left : columns.stop + reach].copy()
        own = Displacement(self.coefficients, self.size_small)  # what this one has reckoned out is not worth keeping
        return partial(own._undone, part, (width, height), (rows, columns), (left, top), is_sharp=True)

    def _undone(
        self, plane: Image, whole: tuple[int, int], window: Window, corner: tuple[int, int] = (0, 0), *, is_sharp: bool
    ) -> Image:
        """Bring a window back, of which the plane from that corner on is given; `whole` (width, height) is larger."""
        (width, height), (rows, columns) = whole, window
        ys, xs = np.arange(*rows.indices(height)), np.arange(*columns.indices(width))
        along, down = (way[:, at] for way, at in zip(self._ways((width, height)), (columns, rows), strict=True))
        tiles = list(product(_parts(ys, down), _parts(xs, along)))
        if len(tiles) > DISPLACEMENT.most_tiles:
            x, y = (np.add.outer(down[i], along[i]).astype(np.float32) for i in (0, 1))
            x, y = x + (xs - corner[0]).astype(np.float32), y + (ys - corner[1]).astype(np.float32)[:, None]
            return cv2.remap(plane, x, y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        back = np.empty((len(ys), len(xs), *plane.shape[2:]), np.uint8)
        for (top, bottom), (left, right) in tiles:
            shift = along[:, (left + right) // 2] + down[:, (top + bottom) // 2] - corner
            at = (xs[left] + shift[0], ys[top] + shift[1])
            size = (right - left, bottom - top)
            back[top:bottom, left:right] = shifted(plane, at, size) if is_sharp else _shifted_colour(plane, at, size)
        return back

    def undone_small(self, planes: SmallPlanes, window: Window = EVERYWHERE) -> Image:
        """Bring the planes of the small picture back, and join them: (h, w, 3), or a window of that."""
        if self.is_negligible:
            return planes.joined(window)
        colours = (self.undone(colour, is_sharp=False) for colour in planes.colours())
        return cv2.merge([self.undone(planes.luma), *colours])[window]

    def _ways(self, size: tuple[int, int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Tell what each column (2, W) and each row (2, H) of a plane of that size adds to its pixels' displacement."""
        if size not in self._known_ways:
            u, v = ((2 * np.arange(side) + 1) / side - 1 for side in size)
            along = np.outer(self.coefficients[:, 1], u)
            down = self.coefficients[:, [0, 2, 3, 4]] @ (v ** np.arange(4)[:, None])
            scale = size[0] / self.size_small[0]
            self._known_ways[size] = (scale * along, scale * down)
        return self._known_ways[size]

    @cached_property
    def _known_ways(self) -> dict[tuple[int, int], tuple[NDArray[np.float64], NDArray[np.float64]]]:
        return {}


def none_of(size_small: tuple[int, int]) -> Displacement:
    """Make the displacement of a picture that lies as calibrated."""
    return Displacement(np.zeros((2, TERMS)), size_small)


def terms_at(xy_small: Points, size_small: tuple[int, int]) -> NDArray[np.float64]:
    """Reckon the terms (N, TERMS) by which a displacement is made up at points (N, 2)."""
    u, v = ((2 * np.asarray(xy_small, float) + 1) / np.array(size_small) - 1).T
    return np.stack([np.ones_like(u), u, v, v**2, v**3], axis=1)


@cache
def _terms_at_corners(size_small: tuple[int, int]) -> NDArray[np.float64]:
    w, h = size_small
    return terms_at(np.array([[0, 0], [w, 0], [0, h], [w, h], [w / 2, h / 2]], float), size_small)


def _parts(places: NDArray[np.int64], displacement: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Part rows or columns (N,) so that in each part their displacement (2, N) is nearly one."""
    count = max(int(np.ceil(np.ptp(displacement, axis=1).max() / DISPLACEMENT.tile_px)), 1)
    ends = np.linspace(0, len(places), min(count, len(places)) + 1).astype(int)
    return list(pairwise(ends.tolist()))


def shifted(plane: Image, corner: tuple[float, float], size: tuple[int, int]) -> Image:
    """Cut a window (width, height) out of a plane or picture whose upper left pixel (x, y) lies between its pixels.

    What lies beyond the border is shown as the border. By a filter: OpenCV's own cubic warps round every tenth pixel
    otherwise on ARM than on x86.
    """
    width, height = size
    left, top = (int(np.floor(c)) for c in corner)
    before, after = 1, 2  # pixels that a cubic looks at besides
    reach = before + after
    middle = (left - before + (width + reach - 1) / 2, top - before + (height + reach - 1) / 2)
    cut = cv2.getRectSubPix(plane, (width + reach, height + reach), middle)
    across, down = _cubic(corner[0] - left), _cubic(corner[1] - top)
    return cv2.sepFilter2D(cut, -1, across, down, anchor=(before, before))[before:-after, before:-after]


def _shifted_colour(plane: Image, corner: tuple[float, float], size: tuple[int, int]) -> Image:
    width, height = size
    return cv2.getRectSubPix(plane, size, (corner[0] + (width - 1) / 2, corner[1] + (height - 1) / 2))


def _cubic(part: float) -> NDArray[np.float32]:
    """Weigh the four pixels about a place that lies by such a part behind the second (Keys 1981)."""
    return np.asarray(KEYS @ (1.0, part, part**2, part**3), np.float32)
