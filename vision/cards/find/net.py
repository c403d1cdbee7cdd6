"""The finder's network at work: what every fourth pixel of a reduced picture says about the card that it belongs to."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.picture.frame import Image

Array = NDArray[np.float32]

LONG_SIDE_PX = 576  # of the picture as the net sees it at its finest
STRIDE_PX = 4
UNIT_PX = 16.0  # in which the net says lengths
MULTIPLE_PX = 16
LEAST_CHANCE = 0.35  # of a cell that votes; set by hand
SHOWS_CARD = 0.5  # chance of a cell that must be explained


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Votes:
    """What N cells of a picture say, in its pixels: each lies `at_px` (N, 2) and covers `cell_px2`.

    `chance` (N,): that it shows a card; `centre_px` (N, 2): where that card's middle is; `spread_px` (N,): how
    unsure of it; `long_px`, `short_px` (N, 2): the card's half axes, (cos, sin) of the doubled angle times the length.
    `reduction` is how many of the picture's pixels make one of the net's.
    """

    at_px: Array
    chance: Array
    centre_px: Array
    spread_px: Array
    long_px: Array
    short_px: Array
    reduction: float

    @property
    def cell_px2(self) -> float:
        """How much of the picture a cell stands for."""
        return (STRIDE_PX * self.reduction) ** 2

    def only(self, chosen: NDArray[np.bool_]) -> "Votes":
        """Keep the votes of chosen cells (N,)."""
        named = ("at_px", "chance", "centre_px", "spread_px", "long_px", "short_px")
        return replace(self, **{name: getattr(self, name)[chosen] for name in named})


class VoteNet:
    """The network, read once; `cast` asks it at several scales."""

    def __init__(self, path: Path | None = None) -> None:
        with resources.as_file(resources.files("linesies.vision.cards") / "nets" / "finder.onnx") as ours:
            self._net = cv2.dnn.readNetFromONNX(str(path or ours))

    def cast(self, picture_bgr: Image, long_side_px: float = LONG_SIDE_PX) -> Iterator[Votes]:
        """Collect the votes at the finest scale, at half of it and at a quarter, for larger cards.

        At the finest the net sees the picture's long side as `long_side_px`.
        """
        height, width = picture_bgr.shape[:2]
        finest = max(1.0, max(height, width) / long_side_px)
        seen = picture_bgr
        for reduction in (finest, 2 * finest, 4 * finest):
            sides = [max(MULTIPLE_PX, round(side / reduction / MULTIPLE_PX) * MULTIPLE_PX) for side in (width, height)]
            seen = _shrunk(seen, sides)
            yield self._ask(seen, np.array([width / sides[0], height / sides[1]], np.float32))

    def look(self, picture_bgr: Image, box_px: tuple[int, int, int, int], reduction: float) -> Votes:
        """Collect the votes about a part of a picture (left, top, right, bottom), `reduction` pixels of it to one."""
        left, top, right, bottom = box_px
        part = picture_bgr[top:bottom, left:right]
        height, width = part.shape[:2]
        sides = [max(2 * MULTIPLE_PX, round(side / reduction / MULTIPLE_PX) * MULTIPLE_PX) for side in (width, height)]
        seen = cv2.resize(part, sides, interpolation=cv2.INTER_AREA if reduction > 1 else cv2.INTER_LINEAR)
        votes = self._ask(seen, np.array([width / sides[0], height / sides[1]], np.float32))
        shift = np.array([left, top], np.float32)
        return replace(votes, at_px=votes.at_px + shift, centre_px=votes.centre_px + shift)

    def _ask(self, seen: Image, step: Array) -> Votes:
        """Ask about a reduced picture of which a pixel spans `step` (x, y) of the whole one's."""
        self._net.setInput(cv2.dnn.blobFromImage(seen, 1 / 64, mean=(127.5, 127.5, 127.5)))
        said = self._net.forward()[0]
        chance = 1 / (1 + np.exp(-np.clip(said[0], -30, 30)))
        rows, columns = np.nonzero(chance > LEAST_CHANCE)
        says = said[:, rows, columns].T
        at = np.column_stack([columns, rows]).astype(np.float32) * STRIDE_PX + (STRIDE_PX - 1) / 2
        centre = at + says[:, 1:3] * UNIT_PX
        mean_step = float(step.mean())  # the two differ by a few per cent at most
        return Votes(
            at_px=(at + 0.5) * step - 0.5,
            chance=chance[rows, columns],
            centre_px=(centre + 0.5) * step - 0.5,
            spread_px=np.exp(np.clip(says[:, 3], -6, 4)) * UNIT_PX * mean_step,
            long_px=_stepped(says[:, 4:6], step),
            short_px=_stepped(says[:, 6:8], step),
            reduction=mean_step,
        )


def _shrunk(picture: Image, sides: list[int]) -> Image:
    """Shrink a picture to `sides` (width, height) by areas, by halves as far as it goes, which is much faster."""
    while all(have % 2 == 0 and have >= 2 * want for have, want in zip(picture.shape[1::-1], sides, strict=True)):
        picture = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return cv2.resize(picture, sides, interpolation=cv2.INTER_AREA)


def _stepped(doubled: Array, step: Array) -> Array:
    """Scale half axes whose angles are doubled by unequal steps: halve the angle, scale, double again."""
    axes = halved(doubled) * UNIT_PX * step
    length = np.hypot(axes[:, 0], axes[:, 1])[:, None] + 1e-6
    return np.column_stack([axes[:, 0] ** 2 - axes[:, 1] ** 2, 2 * axes[:, 0] * axes[:, 1]]).astype(np.float32) / length


def halved(doubled: NDArray[np.floating]) -> NDArray[np.floating]:
    """Undo the doubling of angles: half axes (N, 2) that point right, or straight down."""
    length = np.hypot(doubled[..., 0], doubled[..., 1])
    angle = np.arctan2(doubled[..., 1], doubled[..., 0]) / 2
    return np.stack([length * np.cos(angle), length * np.sin(angle)], -1)
