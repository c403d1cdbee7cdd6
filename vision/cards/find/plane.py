"""The table's plane: from a calibration, or from the cards themselves, all of one size, about 63 x 88 mm."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linesies.calibration import View
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.cards.card import CARD_MM

Array = NDArray[np.float64]
Size = tuple[float, float]  # width and length, mm

STARTS, ENDS = np.array([0, 1, 2, 3, 0, 1]), np.array([1, 2, 3, 0, 2, 3])  # of a card's sides and diagonals
NUDGE = 1e-3  # by which each value is changed to find the slopes of its misfits
STIFF = 1e-3  # keeps a step finite where cards tell nothing of a value
STILL = 0.01  # deviations below which a step changes nothing any more
NEAREST = 0.05  # of a table's depth; keeps what a guess puts behind the camera finite
USUAL = np.diag([1.0, 1.0, 1.0, 1.0, 0.0, 1.0])  # how the values are held to what is usual; the depth is free


@dataclass(frozen=True)
class PlaneTuning(Tuning):
    """What cameras, lenses and cards are usually like, where only the cards on a table tell of it."""

    focal: float = tuned(
        1.02,
        title="usual focal length over the picture's long side",
        unit="1",
        low=0.4,
        high=3,
        source=by_hand_in("5d43542"),
    )
    focal_spread: float = tuned(
        0.22, title="of its logarithm", unit="1", low=0.02, high=1, source=by_hand_in("5d43542")
    )
    bend: float = tuned(
        0.1,
        title="usual radial term of lenses: most of them are barrels",
        unit="1",
        low=-0.5,
        high=0.5,
        source=by_hand_in("5d43542"),
    )
    bend_spread: float = tuned(0.12, title="of that", unit="1", low=0.01, high=0.5, source=by_hand_in("5d43542"))
    width_spread: float = tuned(
        0.06,
        title="of the width of cards as long as others: bridge, UNO and tarot cards are narrower; a logarithm",
        unit="1",
        low=0.005,
        high=0.3,
        source="bridge cards (57 mm) are narrower than poker's 63 by 0.1, UNO's (56 mm) by 0.12: two deviations",
    )
    most_unusual: float = tuned(
        0.25,
        title="by which sides may differ from 63 and 88 mm; a logarithm",
        unit="1",
        low=0.05,
        high=0.7,
        source=by_hand_in("4f8450e"),
    )
    usual_size: float = tuned(
        0.02,
        title="by which they differ at least, to be cards of another size; a logarithm",
        unit="1",
        low=0.002,
        high=0.1,
        source=by_hand_in("4f8450e"),
    )
    alike: float = tuned(
        0.5,
        title="by which the areas of cards of one size may differ; a logarithm",
        unit="1",
        low=0.05,
        high=1.5,
        source=BY_HAND,
    )
    level_spread: float = tuned(
        0.15, title="of the slope of a table that is supposed to be level", unit="1", low=0.01, high=0.5, source=BY_HAND
    )
    sizes: int = tuned(2, title="sizes that are tried", unit="1", low=1, high=5, source=BY_HAND)
    guesses: int = tuned(
        14, title="steps towards the best table, at most", unit="1", low=3, high=100, source=by_hand_in("96b4dc8")
    )


PLANE = PlaneTuning()


class Table(Protocol):
    """Takes points between the picture (px) and the table (mm), each (N, 2)."""

    @property
    def card_mm(self) -> Size:
        """The width and length of the cards that lie on it."""

    def to_mm(self, xy_px: Array) -> Array:
        """Find what lies on the table under picture points."""

    def to_px(self, xy_mm: Array) -> Array:
        """See points of the table."""

    def with_cards(self, card_mm: Size) -> "Table":
        """Lay cards of another size on it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unknown:
    """A table of which only the cards tell: `guess` finds it.

    It is given quads (N, 4, 2), weights as `guess_table` takes them, and how far a card's sides are off by themselves.
    `guess_level` does the same, but supposes that the camera looks straight down, where it may.
    """

    guess: Callable[[Array, Array, float], Table]
    guess_level: Callable[[Array, Array, float], Table] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SurveyedTable:
    """The table as the calibration knows it."""

    view: View
    card_mm: Size = CARD_MM

    def to_mm(self, xy_px: Array) -> Array:
        """Find what lies on the table under picture points."""
        return self.view.px_to_mm(xy_px)

    def to_px(self, xy_mm: Array) -> Array:
        """See points of the table."""
        return self.view.mm_to_px(xy_mm)

    def with_cards(self, card_mm: Size) -> "SurveyedTable":
        """Lay cards of another size on it."""
        return replace(self, card_mm=card_mm)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GuessedTable:
    """A table of which only the cards on it are known.

    Its frame's axes are the picture's, `slope` (2,) says how depth falls off along them, `depth_mm` how far the
    table is at the picture's middle; the lens has one radial term, `bend`.
    """

    middle_px: Array
    focal_px: float
    slope: Array
    depth_mm: float
    bend: float = 0.0
    card_mm: Size = CARD_MM

    def _points(self, xy_px: Array) -> Array:
        rays = (np.asarray(xy_px, float) - self.middle_px) / self.focal_px
        return _lifted(rays, self.bend, self.slope, self.depth_mm)

    def _axes(self) -> Array:
        """Span the plane by two unit vectors, the first along the picture's rows."""
        normal = np.array([*self.slope, 1.0])
        normal /= np.linalg.norm(normal)
        first = np.array([1.0, 0.0, 0.0]) - normal[0] * normal
        first /= np.linalg.norm(first)
        return np.array([first, np.cross(normal, first)])

    def to_mm(self, xy_px: Array) -> Array:
        """Find what lies on the table under picture points."""
        return (self._points(xy_px) - (0.0, 0.0, self.depth_mm)) @ self._axes().T

    def to_px(self, xy_mm: Array) -> Array:
        """See points of the table."""
        points = np.asarray(xy_mm, float) @ self._axes() + (0.0, 0.0, self.depth_mm)
        ideal = points[:, :2] / points[:, 2:]
        rays = ideal
        for _ in range(4):
            rays = ideal / (1 + self.bend * (rays**2).sum(1, keepdims=True))
        return rays * self.focal_px + self.middle_px

    def with_cards(self, card_mm: Size) -> "GuessedTable":
        """Lay cards of another size on it."""
        return replace(self, card_mm=card_mm)

    def in_picture_of(self, size_px: tuple[int, int]) -> "GuessedTable":
        """Give it as it lies in the same picture when that is shrunk to another size."""
        middle_px = (np.array(size_px) - 1) / 2
        less = (middle_px[0] + 0.5) / (self.middle_px[0] + 0.5)
        return replace(self, middle_px=middle_px, focal_px=self.focal_px * less)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tilt:
    """How a table that is to be guessed may be tilted: about `slope` (2,), give or take `spread`."""

    slope: Array
    spread: float

    @property
    def is_level(self) -> bool:
        """Tell whether either way is as likely."""
        return not self.slope.any()


ANY_TILT = Tilt(slope=np.zeros(2), spread=0.9)  # so wide that it says next to nothing


def _lifted(rays: Array, bend: ArrayLike, slope: Array, depth_mm: ArrayLike) -> Array:
    """Find where rays (..., N, 2), bent by the lens, meet a table (..., N, 3), mm."""
    rays = rays * (1 + bend * (rays * rays).sum(-1, keepdims=True))
    depth = depth_mm / np.maximum(1 + rays @ slope[..., None], NEAREST)
    return np.concatenate([rays * depth, depth], -1)


def misfits(corners_mm: Array, wide_mm: ArrayLike = CARD_MM[0], long_mm: ArrayLike = CARD_MM[1]) -> Array:
    """Tell by how much the sides and diagonals of corners (..., 4, 2 or 3) exceed a card's: logarithms (..., 6)."""
    run = corners_mm[..., ENDS, :] - corners_mm[..., STARTS, :]
    slant_mm = np.hypot(wide_mm, long_mm)
    sides_mm = np.stack(np.broadcast_arrays(wide_mm, long_mm, wide_mm, long_mm, slant_mm, slant_mm), -1)
    return np.log(np.maximum(np.sqrt((run * run).sum(-1)), 1e-3) / sides_mm)


def size_of_cards(corners_mm: Array, weights: Array) -> Size:
    """Tell how wide and long most cards are whose corners (N * 4, 2) lie on a known table, by their weights (N,).

    63 x 88 mm where none weighs anything, or where they hardly differ from that.
    """
    quads = corners_mm.reshape(-1, 4, 2)
    sides = np.linalg.norm(np.roll(quads, -1, 1) - quads, axis=2)
    exceed = np.log((sides[:, :2] + sides[:, 2:]) / 2 / CARD_MM)
    chosen = (weights > 0) & (np.abs(exceed) < PLANE.most_unusual).all(1)
    if not chosen.any():
        return CARD_MM
    wide, long = (weighted_median(exceed[chosen, side], weights[chosen]) for side in (0, 1))
    is_usual = max(abs(wide), abs(long)) < PLANE.usual_size
    return CARD_MM if is_usual else (CARD_MM[0] * math.exp(wide), CARD_MM[1] * math.exp(long))


def weighted_median(values: Array, weights: Array) -> float:
    """Tell the value (N,) on either side of which half of all the weight (N,) lies."""
    order = np.argsort(values)
    upto = np.cumsum(weights[order])
    return float(values[order[np.searchsorted(upto, upto[-1] / 2)]])


def guess_table(
    quads_px: Array, weights: Array, size_px: tuple[int, int], spread: float = 0.02, tilt: Tilt = ANY_TILT
) -> GuessedTable:
    """Find the plane on which quads (N, 4, 2), first side short, are cards of one size; outliers are tolerated.

    Size and distance look alike: the cards are taken to be 88 mm long, and only their width is found.

    `weights` is (N,) or, for the four sides and two diagonals, (N, 6); `spread` is how far a card's sides are off by
    themselves, as a logarithm.
    """
    middle, long_side = (np.array(size_px) - 1) / 2, max(size_px)
    heavy = np.broadcast_to(weights.reshape(len(quads_px), -1), (len(quads_px), 6)).ravel() / spread**2
    rays = (quads_px.reshape(-1, 2) - middle) / (PLANE.focal * long_side)

    def faults(values: Array) -> Array:
        """Tell the misfits on several tables at once: (K, 6 N) for values (K, 6)."""
        nearer, slope, bend, depth_mm, wide_mm = np.split(_told(values, tilt)[:, None], (1, 3, 4, 5), axis=-1)
        points = _lifted(rays / nearer, bend, slope[:, 0], depth_mm)
        return misfits(points.reshape(len(values), -1, 4, 3), wide_mm[..., 0]).reshape(len(values), -1)

    at_unit_depth = _lifted(rays, PLANE.bend, tilt.slope, 1.0).reshape(-1, 4, 3)
    ways = []
    sizes = 1 if tilt.is_level else PLANE.sizes  # scraps make a size, too: where all is doubtful the first will do
    for depth_mm in _likely_depths(at_unit_depth, heavy)[:sizes]:
        ways.append(_descend(faults, np.array([0.0, 0.0, 0.0, 0.0, np.log(depth_mm / 1000), 0.0]), heavy, spread))
        if tilt.is_level:  # foreshortening alone looks alike either way
            ways.append(_descend(faults, ways[-1] * (1, -1, -1, 1, 1, 1), heavy, spread))
    best = min(ways, key=lambda v: _cost(faults(v[None])[0], v, heavy, spread))
    nearer, slope_x, slope_y, bend, depth_mm, wide_mm = (float(value) for value in _told(best, tilt))
    return GuessedTable(
        middle_px=middle,
        focal_px=PLANE.focal * long_side * nearer,
        slope=np.array([slope_x, slope_y]),
        depth_mm=depth_mm,
        bend=bend,
        card_mm=(wide_mm, CARD_MM[1]),
    )


def unknown_as_taken(size_px: tuple[int, int]) -> Unknown:
    """Give the table of a picture as taken, of this size, as one to be guessed."""

    def guess(quads_px: Array, weights: Array, spread: float) -> GuessedTable:
        return guess_table(quads_px, weights, size_px, spread)

    def guess_level(quads_px: Array, weights: Array, spread: float) -> GuessedTable:
        hardly_tilted = Tilt(slope=np.zeros(2), spread=PLANE.level_spread)
        return guess_table(quads_px, weights, size_px, spread, hardly_tilted)

    return Unknown(guess=guess, guess_level=guess_level)


def _told(values: Array, tilt: Tilt) -> Array:
    """Turn values (..., 6) into a focal length over the usual one, slope (2), bend, depth and a card's width in mm."""
    nearer, depth_mm = np.exp(PLANE.focal_spread * values[..., :1]), 1000 * np.exp(values[..., 4:5])
    wide_mm = CARD_MM[0] * np.exp(PLANE.width_spread * values[..., 5:])
    bend = PLANE.bend + PLANE.bend_spread * values[..., 3:4]
    return np.concatenate([nearer, tilt.slope + tilt.spread * values[..., 1:3], bend, depth_mm, wide_mm], -1)


def _descend(faults: Callable[[Array], Array], values: Array, heavy: Array, spread: float) -> Array:
    """Step from `values` (6,) to the best ones nearby."""
    nudges = NUDGE * np.vstack([np.zeros(6), np.eye(6)])
    for _ in range(PLANE.guesses):
        off, *nudged = faults(values + nudges)
        slope = (np.stack(nudged, 1) - off[:, None]) / NUDGE
        pull = (slope * (heavy / (1 + off**2 / spread**2))[:, None]).T  # what is no card at all hardly counts
        change = np.linalg.solve(pull @ slope + USUAL + STIFF * np.eye(6), pull @ off + USUAL @ values)
        values = values - np.clip(change, -0.5, 0.5)
        if np.abs(change).max() < STILL:
            break
    return values


def _cost(off: Array, values: Array, heavy: Array, spread: float) -> float:
    return float((heavy * spread**2 * np.log1p(off**2 / spread**2)).sum() + values @ USUAL @ values)


def _likely_depths(corners: Array, heavy: Array) -> list[float]:
    """Tell how far off (mm) many quads are as large as cards, by their corners (N, 4, 3) on a table at a depth of 1.

    Large ones count more than what may be parts of them; but they may also be heaps, so the next size is told, too.
    """
    one, other = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    areas = np.maximum(np.linalg.norm(np.cross(one, other), axis=1) / 2, 1e-9)
    weight = (heavy.reshape(len(areas), -1).max(1) + 1e-6) * np.sqrt(areas)
    are_alike = np.abs(np.log(areas[:, None] / areas)) < PLANE.alike
    depths: list[float] = []
    while weight.any() and len(depths) < PLANE.sizes:
        alike = are_alike[int(np.argmax(are_alike @ weight))] & (weight > 0)
        depths.append(float(np.sqrt(CARD_MM[0] * CARD_MM[1] / np.average(areas[alike], weights=weight[alike]))))
        weight = np.where(alike, 0.0, weight)
    return depths
