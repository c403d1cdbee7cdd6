"""Has the camera been knocked? The ground's own texture, tile by tile, against how it lay when calibrated.

Hands and shadows disturb some tiles, noise those of little texture; a knock displaces nearly all of them alike.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SteadinessTuning(Tuning):
    """When a fixed camera hangs otherwise than it did."""

    least_response: float = tuned(
        0.12,
        title="response of the phase correlation below which a tile shows something else",
        unit="1",
        low=0.02,
        high=0.6,
        source=by_hand_in("87175e9"),
    )
    moved_small_px: float = tuned(
        0.25,
        title="common shift beyond which every call is displaced, in the small picture",
        unit="px",
        low=0.05,
        high=2,
        source="geometry: 1.7 mm on a 6 ft board that fills three quarters of a picture of 640 x 360",
    )
    agreeing: float = tuned(
        0.6,
        title="share of what is clear that must have moved alike",
        unit="1",
        low=0.3,
        high=1,
        source="more than half: of two movements in one picture only one can have so many",
    )
    confirm_s: float = tuned(
        0.25, title="for which they must have", unit="s", low=0.05, high=3, source=by_hand_in("87175e9")
    )
    least_texture: float = tuned(
        0.2,
        title="deviation of what a tile shows, its middle counting more, below which it tells nothing",
        unit="levels",
        low=0.02,
        high=20,
        source=by_hand_in("87175e9"),
    )


STEADINESS = SteadinessTuning()

TILE = (96, 128)  # rows, columns of the small picture
LEAST_TILES = 5
SOME_TILES = 3  # of which one is looked at first
STEADY_EVERY = 20  # frames between two looks while all seems well
ALARMED_EVERY = 5
ROBUST_STEPS = 5  # of reweighting; from two on no verdict on 1,320 pictures of simulated tables changed with more


class Steadiness:
    """Remembers how the ground lay when it was calibrated, and since when the picture has been displaced."""

    def __init__(self, empty: Image) -> None:
        self._window = cv2.createHanningWindow(TILE[::-1], cv2.CV_32F)
        self._tiles = [
            (rows, columns, tile)
            for rows, columns in _grid(empty.shape[:2])
            if (tile := self._windowed(empty, rows, columns)).std() > STEADINESS.least_texture
        ]
        self._frames = 0
        self._moved_until_s = 0.0
        self.moved_since_s: float | None = None

    def see(self, look: Callable[[], Image], t_s: float, *, is_alarmed: bool) -> None:
        """Look at a frame's small picture now and then; more often while alarmed."""
        self._frames += 1
        every = ALARMED_EVERY if is_alarmed or self.moved_since_s is not None else STEADY_EVERY
        if self._frames % every:
            return
        if not self.is_displaced(look()):
            self.moved_since_s = None
            return
        self._moved_until_s = t_s
        if self.moved_since_s is None:
            self.moved_since_s = t_s

    @property
    def has_moved(self) -> bool:
        """Whether the picture was seen displaced, and still so after long enough to say it."""
        return self.moved_since_s is not None and self._moved_until_s - self.moved_since_s >= STEADINESS.confirm_s

    def is_displaced(self, small: Image) -> bool:
        """Tell whether most of the ground lies elsewhere; where some of it does not, no more is asked."""
        some = self._shifts(small, every=SOME_TILES)
        if len(some.shifts_px) and np.mean(_is_moved(some.shifts_px)) < STEADINESS.agreeing / 2:
            return False
        shifts = self._shifts(small)
        return len(shifts.shifts_px) >= LEAST_TILES and shifts.moved_alike > STEADINESS.agreeing

    def _shifts(self, small: Image, *, every: int = 1) -> "_Shifts":
        """Measure how far each tile, or one of `every` so many, is displaced, if it can be recognised."""
        found = []
        for rows, columns, first in self._tiles[::every]:
            shift, response = cv2.phaseCorrelate(first, self._windowed(small, rows, columns))
            if response > STEADINESS.least_response:
                found.append((columns.start, rows.start, *shift, response))
        measured = np.array(found).reshape(-1, 5)
        return _Shifts(corners_px=measured[:, :2], shifts_px=measured[:, 2:4], responses=measured[:, 4])

    def _windowed(self, small: Image, rows: slice, columns: slice) -> NDArray[np.float32]:
        tile = small[rows, columns, 0].astype(np.float32)
        return (tile - tile.mean()) * self._window


@dataclass(frozen=True, slots=True)
class _Shifts:
    """How far tiles are displaced (N, 2), where they lie (N, 2), and how clearly each was recognised (N,)."""

    corners_px: Array
    shifts_px: Array
    responses: Array

    @property
    def moved_alike(self) -> float:
        """The share of the tiles, by how clear they are, that a common displacement explains and has moved.

        Noise displaces a tile of little texture by half a pixel to any side, and its response is low then.
        """
        clearness = self.responses**2
        common = self._common(clearness)
        is_alike = np.hypot(*(self.shifts_px - common).T) < np.hypot(*common.T)
        return float(clearness[is_alike & _is_moved(common)].sum() / clearness.sum())

    def _common(self, clearness: Array) -> Array:
        """Fit one move, turn and scaling to all shifts by robust weights (Huber's); gives it at each tile (N, 2)."""
        x, y = (self.corners_px / TILE[1]).T
        one, none = np.ones_like(x), np.zeros_like(x)
        design = np.concatenate([np.column_stack([one, none, x, -y]), np.column_stack([none, one, y, x])])
        wanted = self.shifts_px.T.ravel()
        common, weights = self.shifts_px, clearness
        for _ in range(ROBUST_STEPS):
            root = np.sqrt(np.tile(weights, 2))
            solved = np.linalg.lstsq(design * root[:, None], wanted * root, rcond=None)[0]
            common = (design @ solved).reshape(2, -1).T
            residuals = np.hypot(*(self.shifts_px - common).T)
            weights = clearness * np.minimum(1.0, STEADINESS.moved_small_px / np.maximum(residuals, 1e-9))
        return common


def _is_moved(shifts: Array) -> NDArray[np.bool_]:
    return np.hypot(*shifts.T) > STEADINESS.moved_small_px


def _grid(shape: tuple[int, int]) -> list[tuple[slice, slice]]:
    rows = np.linspace(0, shape[0] - TILE[0], 3).astype(int)
    columns = np.linspace(0, shape[1] - TILE[1], 4).astype(int)
    return [(slice(y, y + TILE[0]), slice(x, x + TILE[1])) for y in rows for x in columns]
