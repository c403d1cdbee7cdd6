"""By how much the camera has moved since the board was empty: a pole sways, a phone slips by a fraction of a pixel.

The paint and the ground are the landmarks: each tile of the picture tells its own shift by least squares on its
gradients (Lucas and Kanade 1981), its light fitted along with it, and the median of the tiles is the camera's. Tiles
that caps or hands cover are outvoted.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.picture.layout import Image

Array = NDArray[np.float64]

BY_HAND = "set by hand on simulated scenes, 2026-11"


@dataclass(frozen=True)
class ShiftSearch(Tuning):
    """How the camera's shift is found."""

    tile_px: int = tuned(48, title="side of a tile", unit="px", low=16, high=256, source=BY_HAND)
    tiles: int = tuned(40, title="tiles that are asked", unit="1", low=8, high=400, source=BY_HAND)
    least: int = tuned(10, title="tiles that must tell", unit="1", low=3, high=400, source=BY_HAND)
    alike: float = tuned(0.4, title="least correlation of a tile", unit="1", low=0, high=1, source=BY_HAND)
    turns: int = tuned(
        3, title="Gauss-Newton turns", unit="1", low=1, high=10, source="converges in three below a pixel"
    )
    most_px: float = tuned(2.0, title="largest shift believed", unit="px", low=0.1, high=20, source=BY_HAND)
    agree_px: float = tuned(0.8, title="spread at which tiles agree", unit="px", low=0.01, high=2, source=BY_HAND)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tile:
    """A piece of the empty picture: its middle (2,), luma (P,), and what turns residuals into a shift (2, P)."""

    middle_px: tuple[float, float]
    luma: Array
    solver: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Landmarks:
    """The tiles of an empty picture that tell a shift best."""

    tiles: tuple[Tile, ...]
    tuning: ShiftSearch = field(default_factory=ShiftSearch)

    def shift_px(self, picture_bgr: Image) -> Array | None:
        """Find by how much (2,) a picture (H, W, 3) of the same ground is shifted; None where tiles disagree."""
        luma = np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        shift = np.zeros(2)
        for _ in range(self.tuning.turns):
            told = (self._step(luma, tile, shift) for tile in self.tiles)
            steps = np.array([step for step in told if step is not None])
            if len(steps) < self.tuning.least:
                return None
            middle = np.median(steps, axis=0)
            shift = shift + middle
        spread = 1.4826 * np.median(np.abs(steps - middle), axis=0).max()
        if spread > self.tuning.agree_px or np.hypot(*shift) > self.tuning.most_px:
            return None
        return np.asarray(shift, float)

    def _step(self, luma: NDArray[np.uint8], tile: Tile, shift: Array) -> Array | None:
        """Tell how much farther (2,) one tile seems shifted; None where it shows another thing, or nothing."""
        side = self.tuning.tile_px
        x, y = tile.middle_px
        seen = cv2.getRectSubPix(luma, (side, side), (x + float(shift[0]), y + float(shift[1])), patchType=cv2.CV_32F)
        now = seen.astype(float).ravel()
        centred = now - now.mean()
        alike, whole = float(centred @ tile.luma), float(tile.luma @ tile.luma)
        if alike <= self.tuning.alike * np.sqrt(whole * float(centred @ centred)):
            return None
        gain = alike / whole
        return np.asarray(-tile.solver @ (centred / gain - tile.luma), float)


def find_landmarks(calibration: Calibration, tuning: ShiftSearch | None = None) -> Landmarks:
    """Choose the tiles on the board with the plainest gradients in both directions."""
    tuning = tuning or ShiftSearch()
    luma = cv2.GaussianBlur(cv2.cvtColor(calibration.empty_bgr, cv2.COLOR_BGR2GRAY), (0, 0), 0.7).astype(float)
    side, (width, height) = tuning.tile_px, calibration.board.size_mm
    corners = calibration.view.mm_to_px(np.array([[0, 0], [width, 0], [width, height], [0, height]], float))
    low = np.maximum(corners.min(axis=0), 1).astype(int)
    high = np.minimum(corners.max(axis=0), np.array(luma.shape[::-1]) - side - 1).astype(int)
    tiles = [_tile(luma, x, y, side) for y in range(low[1], high[1], side) for x in range(low[0], high[0], side)]
    told = sorted((one for one in tiles if one is not None), key=lambda pair: -pair[0])
    return Landmarks(tiles=tuple(tile for _, tile in told[: tuning.tiles]), tuning=tuning)


def _tile(luma: Array, x: int, y: int, side: int) -> tuple[float, Tile] | None:
    part = luma[y : y + side, x : x + side]
    down, across = np.gradient(part)
    slopes = np.stack([across.ravel(), down.ravel()])
    normal = slopes @ slopes.T
    strength = float(np.linalg.eigvalsh(normal)[0])
    if strength <= 1e-6 * side**2:
        return None
    middle = (x + (side - 1) / 2, y + (side - 1) / 2)
    solver = np.linalg.solve(normal, slopes)
    return strength, Tile(middle_px=middle, luma=part.ravel() - part.mean(), solver=solver)
