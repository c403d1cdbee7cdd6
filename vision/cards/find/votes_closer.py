"""A closer look where cards crowd: their votes are asked for again, from an enlarged part of the picture."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.find.net import STRIDE_PX, VoteNet, Votes
from linesies.vision.cards.find.votes import Rough, gather
from linesies.vision.picture.frame import Image


@dataclass(frozen=True)
class CloserTuning(Tuning):
    """Which cards a closer look is worth."""

    crowded: float = tuned(
        1.25,
        title="of the surest card's area, above which cells that hang together are several cards",
        unit="1",
        low=1,
        high=4,
        source=by_hand_in("17e35d0"),
    )
    unsure: float = tuned(
        0.8,
        title="score below which a lonely card is looked at again",
        unit="1",
        low=0.1,
        high=1,
        source=by_hand_in("17e35d0"),
    )
    best_half_px: float = tuned(
        40.0,
        title="half the long side at the scale that shows covered cards best",
        unit="px",
        low=10,
        high=120,
        source=by_hand_in("b9968f7"),
    )
    least_zoom: float = tuned(
        1.15, title="zoom that is worth a closer look", unit="1", low=1, high=2, source=by_hand_in("17e35d0")
    )
    most_zoom: float = tuned(2.0, title="zoom at most", unit="1", low=1, high=6, source=by_hand_in("17e35d0"))


CLOSER = CloserTuning()

MOST_PX = 240_000  # that the net sees in all closer looks at one picture: as many as in the first
MARGIN_CELLS = 4  # that it looks at around a heap


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Heap:
    """Cells that hang together, by their number; `box` is what to look at, in cells, `zoom` how much closer."""

    number: int
    box: tuple[int, int, int, int]
    zoom: float

    @property
    def cost_px(self) -> float:
        """How many pixels the net has to see."""
        left, top, right, bottom = self.box
        return (right - left) * (bottom - top) * (STRIDE_PX * self.zoom) ** 2


class _Map:
    """The picture in cells: which of them hang together."""

    def __init__(self, votes: Votes, picture: Image) -> None:
        self.cell_px = STRIDE_PX * votes.reduction
        self._size = tuple(int(side / self.cell_px) + 2 for side in picture.shape[:2])
        shown = np.zeros(self._size, np.uint8)
        shown[self._places(votes.at_px)] = 1
        self._labels = cv2.connectedComponents(cv2.dilate(shown, np.ones((3, 3), np.uint8)), connectivity=4)[1]

    def at(self, points_px: NDArray[np.floating]) -> NDArray[np.int32]:
        """Tell to which heap points of the picture (N, 2) belong; 0 is none."""
        return np.asarray(self._labels[self._places(points_px)])

    def box(self, number: int) -> tuple[int, int, int, int]:
        """Bound a heap with a margin: left, top, right, bottom, in cells."""
        ys, xs = np.nonzero(self._labels == number)
        rows, columns = self._size
        left, top = max(xs.min() - MARGIN_CELLS, 0), max(ys.min() - MARGIN_CELLS, 0)
        return int(left), int(top), int(min(xs.max() + MARGIN_CELLS, columns)), int(min(ys.max() + MARGIN_CELLS, rows))

    def _places(self, points_px: NDArray[np.floating]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        at = np.rint(points_px / self.cell_px - 0.5).astype(int)
        rows, columns = self._size
        return np.clip(at[:, 1], 0, rows - 1), np.clip(at[:, 0], 0, columns - 1)


def look_closer(net: VoteNet, picture: Image, votes: Votes, roughs: list[Rough]) -> list[Rough]:
    """Gather anew what lies where cards crowd, the smallest heaps first; keep the others as `roughs` has them."""
    cells = _Map(votes, picture)
    owners = [int(np.bincount(cells.at(rough.cells_px)).argmax()) for rough in roughs]
    spent_px, again, found = 0.0, set(), []
    for heap in sorted(_heaps(cells, votes, roughs, owners), key=lambda heap: heap.cost_px):
        spent_px += heap.cost_px
        if spent_px > MOST_PX:
            break
        left, top, right, bottom = (round(edge * cells.cell_px) for edge in heap.box)
        closer = net.look(picture, (left, top, right, bottom), votes.reduction / heap.zoom)
        found += gather(closer.only(cells.at(closer.at_px) == heap.number))
        again.add(heap.number)
    return [rough for rough, owner in zip(roughs, owners, strict=True) if owner not in again] + found


def _heaps(cells: _Map, votes: Votes, roughs: list[Rough], owners: list[int]) -> Iterator[_Heap]:
    """Find the heaps that are worth another look."""
    counts = np.bincount(cells.at(votes.at_px), minlength=1)
    for number in sorted(set(owners) - {0}):
        own = [rough for rough, owner in zip(roughs, owners, strict=True) if owner == number]
        surest = max(own, key=lambda rough: rough.score * rough.visible)
        is_crowded = len(own) > 1 or counts[number] * votes.cell_px2 > CLOSER.crowded * surest.area_px2
        zoom = min(CLOSER.best_half_px / surest.half_px, CLOSER.most_zoom, votes.reduction)
        if zoom >= CLOSER.least_zoom and (is_crowded or surest.score < CLOSER.unsure):
            yield _Heap(number=number, box=cells.box(number), zoom=zoom)
