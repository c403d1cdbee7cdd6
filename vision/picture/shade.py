"""Light that differs from place to place and moves: the shade of clouds, of branches, of people who walk by.

The ground's own texture goes on beneath shade, only darker; beneath a hand or a cap it does not. So the light is told
cell by cell, where the texture says that it is ground that is seen, and carried on from there over what lies between.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.picture.layout import EVERYWHERE, SATURATED, Image, Window
from linesies.vision.picture.masks import largest

Array = NDArray[np.float32]

SET_ON = "set by hand on public films on which a cloud's edge, dappled shade and a walker's were drawn; 2026-12-01"


@dataclass(frozen=True)
class ShadeTuning(Tuning):
    """Which cells show ground, and what of them is shade."""

    least_texture_levels: float = tuned(
        2.5,
        title="deviation of the ground's luma within a cell, from which it can be told again",
        unit="levels",
        low=0.5,
        high=20,
        source=SET_ON,
    )
    least_alike: float = tuned(
        0.6,
        title="correlation of a cell's luma with the ground's, from which it is ground that is seen",
        unit="1",
        low=0.2,
        high=0.95,
        source=SET_ON,
    )
    clearly: float = tuned(
        0.12,
        title="logarithm of a cell's gain beside the usual one, from which it lies in other light",
        unit="1",
        low=0.03,
        high=0.7,
        source="a little more than what is forgiven of a grey ground (BackgroundTuning.luma_levels, of 90 levels)",
    )
    least_share: float = tuned(
        0.04,
        title="of the picture that lies in other light, from which on that is looked at",
        unit="1",
        low=0.005,
        high=0.5,
        source="set by hand on the eight public films: an arm's own shade, which tells that there is one, is less",
    )
    any_share: float = tuned(
        0.005,
        title="the same where it is asked only whether things keep still, be there arms or none",
        unit="1",
        low=0.001,
        high=0.1,
        source="by what it says: twelve cells, more than a few that noise shows otherwise",
    )
    steep: float = tuned(
        0.25,
        title="by how much the gain's logarithm differs from a cell to those beside it where its edge is not told",
        unit="1",
        low=0.1,
        high=2,
        source=SET_ON,
    )
    deepest: float = tuned(
        0.2,
        title="of the light, what is left in the deepest shade",
        unit="1",
        low=0.05,
        high=0.9,
        source="physics: under a clear sky the sky alone gives some 0.15 to 0.3 of the light",
    )


SHADE = ShadeTuning()

CELL = 8  # small pixels across
BESIDE = 3  # cells across, in which the light on a cell may differ where shade ends there
COVERED_LEVELS = 8  # by which the scene at rest differs from bare ground where something lies
NEAR_CELLS, FAR_CELLS = 1.0, 4.0  # over which the light is carried on, near where there is any to go by
LEAST_WEIGHT = 0.1  # of what lies about a cell, below which what lies farther counts too


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shading:
    """What light does to each pixel of a small picture: between which gains, and the tint besides.

    At a steep edge of shade the two are apart: of what lies between, each pixel has the one by which it is as the
    ground. Where caps lie they are not: there either the cap or the ground may be seen.
    """

    least: Array  # (h, w), gains
    most: Array
    tint: Array  # (h, w, 2), grey levels of U and V
    ground: Array  # (h, w), luma in the first light

    def undone(self, small: Image, window: Window = EVERYWHERE) -> Image:
        """Show a picture, or a window of one, without it."""
        luma = _luma_of(small)
        gain = np.clip(luma / self.ground[window], self.least[window], self.most[window])
        colours = (_colours_of(small) - self.tint[window]) / gain[..., None] + 128
        return _picture_of(luma / gain, colours)

    def on(self, even: Image) -> Image:
        """Show a picture in it."""
        gain = np.sqrt(self.least * self.most)
        colours = _colours_of(even) * gain[..., None] + self.tint + 128
        return _picture_of(_luma_of(even) * gain, colours)


class GroundTexture:
    """Remembers the ground's texture in the first light, cell by cell."""

    def __init__(self, rest: Image, white: int, *, bare: Image | None = None, is_any: bool = False) -> None:
        """Take the scene at rest (h, w, 3), whose `white` has that luma; with `is_any` little shade counts too.

        Where it is known, `bare` is the ground beneath what lies there.
        """
        self._is_covered = largest(cv2.absdiff(rest, rest if bare is None else bare)) > COVERED_LEVELS
        self._saturated_from = white - SATURATED
        self._is_any = is_any
        self._size = rest.shape[1::-1]
        self._cells = (-(-self._size[0] // CELL), -(-self._size[1] // CELL))
        self._luma = _luma_of(rest)
        self._mean = self._over_cells(self._luma)
        self._deviation = self._deviation_of(self._luma, self._mean)
        self._colours = self._over_cells(_colours_of(rest))
        self._is_textured = (self._deviation > SHADE.least_texture_levels) & self._is_unsaturated(self._luma)

    def shading_of(self, small: Image, *, was_there: bool = False) -> Shading | None:
        """Tell what light does to each part of a small picture; None where it is the same for all.

        Shade that `was_there` with the picture before is there for as long as any is.
        """
        least_share = SHADE.any_share if self._is_any or was_there else SHADE.least_share
        luma = _luma_of(small)
        mean = self._over_cells(luma)
        gain = np.log(mean / self._mean)
        usual = float(np.median(gain))
        is_other = np.abs(gain - usual) > SHADE.clearly
        if is_other.mean() < least_share:
            return None
        is_ground = self._is_ground(luma, mean)
        if (is_other & is_ground).mean() < least_share:
            return None
        tint = self._over_cells(_colours_of(small)) - np.exp(gain)[..., None] * self._colours
        told = _carried_on(np.dstack([gain, tint]), is_ground, np.array([usual, 0.0, 0.0]))
        beside = np.ones((BESIDE, BESIDE), np.uint8)
        least, most = cv2.erode(told[..., 0], beside), cv2.dilate(told[..., 0], beside)
        field = cv2.resize(np.dstack([least, most, told]), self._size, interpolation=cv2.INTER_LINEAR)
        is_told = (field[..., 1] - field[..., 0] < SHADE.steep) | self._is_covered
        field[is_told, :2] = field[is_told, 2:3]
        return Shading(least=np.exp(field[..., 0]), most=np.exp(field[..., 1]), tint=field[..., 3:], ground=self._luma)

    def _is_ground(self, luma: Array, mean: Array) -> NDArray[np.bool_]:
        """Tell which cells, of that `mean` luma, show the ground's own texture, in whatever light."""
        together = self._over_cells(luma * self._luma) - mean * self._mean
        is_alike = together > SHADE.least_alike * self._deviation * self._deviation_of(luma, mean)
        is_credible = np.abs(np.log(mean / self._mean)) < -np.log(SHADE.deepest)
        return np.asarray(self._is_textured & is_alike & self._is_unsaturated(luma) & is_credible, np.bool_)

    def _is_unsaturated(self, luma: Array) -> NDArray[np.bool_]:
        """Tell which cells tell all their light."""
        return np.asarray(self._over_cells((luma > self._saturated_from).astype(np.float32)) == 0, np.bool_)

    def _deviation_of(self, luma: Array, mean: Array) -> Array:
        """Reckon how far the luma strays within each cell from its `mean`."""
        return np.sqrt(np.maximum(self._over_cells(luma * luma) - mean * mean, 0.0))

    def _over_cells(self, values: Array) -> Array:
        """Average values (h, w, ...) over each cell."""
        return np.asarray(cv2.resize(values, self._cells, interpolation=cv2.INTER_AREA), np.float32)


def _carried_on(told: NDArray[np.float64], is_known: NDArray[np.bool_], usual: NDArray[np.float64]) -> Array:
    """Carry on what is known of cells (rows, columns, 3) to the others, from the nearest first."""
    carried = np.broadcast_to(usual, told.shape).astype(np.float32)
    weight = is_known.astype(np.float32)
    for reach in (FAR_CELLS, NEAR_CELLS):
        near = cv2.GaussianBlur(weight, (0, 0), reach)
        mean = cv2.GaussianBlur((told * weight[..., None]).astype(np.float32), (0, 0), reach)
        share = np.minimum(near / LEAST_WEIGHT, 1.0)[..., None]
        carried = share * mean / np.maximum(near, 1e-6)[..., None] + (1 - share) * carried
    return np.where(is_known[..., None], told, carried).astype(np.float32)


def _luma_of(small: Image) -> Array:
    return small[..., 0].astype(np.float32) + 1.0


def _colours_of(small: Image) -> Array:
    return small[..., 1:].astype(np.float32) - 128


def _picture_of(luma: Array, colours: Array) -> Image:
    """Put a picture together again of its `_luma_of`, and of its colours as they are stored."""
    return np.asarray(cv2.convertScaleAbs(np.maximum(np.dstack([luma - 1, colours]), 0)), np.uint8)
