"""A table that is seen aslant, shown as a camera straight above would see it: from there cards are known best."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.card import CARD_MM
from linesies.vision.cards.find.plane import PLANE, GuessedTable, Size, Table, Tilt, Unknown, guess_table
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]

GRID_PX = 16  # within which a straight line will do for lens and perspective


SET = "by hand, on the worlds `slant_45` and `slant_60` of training/worlds.py (seeds 4000, 7100) and public pictures"


@dataclass(frozen=True, kw_only=True)
class SlantTuning(Tuning):
    """When a table is looked at as from above, and how it is supposed to lie where cards tell too little of it."""

    aslant_deg: float = tuned(
        34.0, title="slant told by cards to look from above", unit="deg", low=15, high=60, source=SET
    )
    perhaps_deg: float = tuned(20.0, title="the same where much is unexplained", unit="deg", low=5, high=60, source=SET)
    really_deg: float = tuned(
        28.0, title="least slant of a table seen from above", unit="deg", low=5, high=60, source=SET
    )
    explained: float = tuned(
        0.55, title="share of cells on sure cards that is enough", unit="1", low=0, high=1, source=SET
    )
    tell: int = tuned(
        2, title="sure cards, seen whole, that tell how their table lies", unit="1", low=1, high=10, source=SET
    )
    worth: float = tuned(1.25, title="worth of a look from above", unit="1", low=0.5, high=2, source=SET)
    above_deg: float = tuned(10.0, title="slant that is left and is none", unit="deg", low=1, high=30, source=SET)
    most_looks: int = tuned(3, title="looks at a table till it lies straight", unit="1", low=1, high=10, source=SET)
    most_ways: int = tuned(2, title="ways it may lie that are looked at", unit="1", low=1, high=5, source=SET)
    usual_deg: float = tuned(48.0, title="slant of a table that is supposed", unit="deg", low=20, high=75, source=SET)
    spread: float = tuned(0.35, title="of how its slope differs from that", unit="1", low=0.05, high=2, source=SET)
    farthest: float = tuned(
        2.0, title="so much farther than the middle is too small", unit="1", low=1, high=10, source=SET
    )
    most_px: int = tuned(
        3_000_000, title="size of a picture from above", unit="px", low=100_000, high=20_000_000, source=SET
    )


SLANT = SlantTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Overhead:
    """The picture from straight above, and how it lies: `px_per_mm`, with `low_mm` at its top-left pixel's centre.

    It is itself a table whose plane is known, with cards of `card_mm`.
    """

    picture: Image
    aslant: Table
    low_mm: Array
    px_per_mm: float
    card_mm: Size = CARD_MM

    def to_mm(self, xy_px: Array) -> Array:
        """Find what lies on the table under points of the picture from above."""
        return self.low_mm + np.asarray(xy_px, float) / self.px_per_mm

    def to_px(self, xy_mm: Array) -> Array:
        """See points of the table in the picture from above."""
        return (np.asarray(xy_mm, float) - self.low_mm) * self.px_per_mm

    def with_cards(self, card_mm: Size) -> "Overhead":
        """Lay cards of another size on it."""
        return replace(self, card_mm=card_mm)

    def to_picture(self, xy_px: Array) -> Array:
        """Take points of the picture from above to the picture as taken."""
        return self.aslant.to_px(self.to_mm(xy_px))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenFromAbove:
    """A table in a picture meant to be from above: how it lies in the picture as taken turned out to be `better`."""

    above: Overhead
    better: GuessedTable

    @property
    def card_mm(self) -> Size:
        """The size of the cards that lie on it."""
        return self.better.card_mm

    def to_mm(self, xy_px: Array) -> Array:
        """Find what lies on the table under points of the picture from above."""
        return self.better.to_mm(self.above.to_picture(xy_px))

    def to_px(self, xy_mm: Array) -> Array:
        """See points of the table in the picture from above."""
        return self.above.to_px(self.above.aslant.to_mm(self.better.to_px(xy_mm)))

    def with_cards(self, card_mm: Size) -> "SeenFromAbove":
        """Lay cards of another size on it."""
        return replace(self, better=self.better.with_cards(card_mm))


def unknown_from_above(above: Overhead, supposed: GuessedTable, size_px: tuple[int, int]) -> Unknown:
    """Give the table of a picture from above as one to be guessed, about as it was supposed in the picture as taken."""
    tilt = Tilt(slope=supposed.slope, spread=SLANT.spread)

    def guess(quads_px: Array, weights: Array, spread: float) -> SeenFromAbove:
        taken_px = above.to_picture(quads_px.reshape(-1, 2)).reshape(quads_px.shape)
        return SeenFromAbove(above=above, better=guess_table(taken_px, weights, size_px, spread, tilt))

    return Unknown(guess=guess)


def slant_deg(table: Table, size_px: tuple[int, int]) -> float:
    """Tell how far from straight above a table is seen in the picture's middle, by how much shorter one way looks."""
    long, short = np.linalg.svd(_spans_mm(table, size_px), compute_uv=False)
    return float(np.degrees(np.arccos(np.clip(short / max(long, 1e-9), 0.0, 1.0))))


def supposed_tables(size_px: tuple[int, int]) -> tuple[GuessedTable, ...]:
    """Suppose tables aslant as they may be filmed: the far side at the top of the picture, or at another."""
    steep = float(np.tan(np.radians(SLANT.usual_deg)))
    flat = GuessedTable(
        middle_px=(np.array(size_px) - 1) / 2,
        focal_px=PLANE.focal * max(size_px),
        slope=np.zeros(2),
        depth_mm=1000.0,
    )
    ways = ((0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0))
    return tuple(replace(flat, slope=steep * np.array(way)) for way in ways)


def see_from_above(picture: Image, table: Table) -> Overhead:
    """Show a table's picture as from straight above, as fine as the picture's middle is, less what is far off."""
    size_px = (picture.shape[1], picture.shape[0])
    low_mm, high_mm = _bounds_mm(table, size_px)
    px_per_mm = float(1 / np.linalg.svd(_spans_mm(table, size_px), compute_uv=False)[1])
    px_per_mm *= min(1.0, float(np.sqrt(SLANT.most_px / max(float(np.prod((high_mm - low_mm) * px_per_mm)), 1.0))))
    width, height = np.maximum(((high_mm - low_mm) * px_per_mm).astype(int), 1)
    seen = lay_flat(picture, table, low_mm, (int(width), int(height)), px_per_mm)
    return Overhead(picture=seen, aslant=table, low_mm=low_mm, px_per_mm=px_per_mm)


def lay_flat(picture: Image, table: Table, low_mm: Array, size_px: tuple[int, int], px_per_mm: float) -> Image:
    """Show a part of the table from straight above, `size_px` (width, height), from `low_mm` on."""
    coarse = np.stack(np.meshgrid(*(np.arange(0, side + GRID_PX, GRID_PX) for side in size_px)), -1)
    at_px = table.to_px(low_mm + coarse.reshape(-1, 2) / px_per_mm).reshape(coarse.shape).astype(np.float32)
    finer = np.array([[1 / GRID_PX, 0, 0], [0, 1 / GRID_PX, 0]], np.float32)
    at = cv2.warpAffine(at_px, finer, size_px, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return np.asarray(cv2.remap(picture, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _spans_mm(table: Table, size_px: tuple[int, int]) -> Array:
    """Tell what of the table a pixel to the right and one down span in the picture's middle: (2, 2), mm."""
    middle = (np.array(size_px) - 1) / 2
    at = table.to_mm(middle + np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]))
    return np.asarray(at[1:] - at[0])


def _bounds_mm(table: Table, size_px: tuple[int, int]) -> tuple[Array, Array]:
    """Bound what of the table the picture shows, as far as it is near enough to be read."""
    xs, ys = (np.linspace(0, side - 1, 25) for side in size_px)
    px = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
    at, beside = table.to_mm(px), table.to_mm(np.add(px, (1.0, 0.0)))
    spans = np.linalg.norm(beside - at, axis=1)
    near = spans <= SLANT.farthest * np.linalg.norm(_spans_mm(table, size_px)[0])
    return np.asarray(at[near].min(0)), np.asarray(at[near].max(0))
