"""The readers' networks at work: what each corner of a card says, and the card as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.read.glyphs import NONE_GLYPH, NONE_SUIT
from linesies.vision.cards.read.indices import cut_indices, shrink_whole
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]


@dataclass(frozen=True)
class WitnessTuning(Tuning):
    """How a card's corners and its whole are heard together."""

    evident: float = tuned(
        4.0,
        title="logits by which the whole's word for down outweighs that for up where no index can be",
        unit="nat",
        low=0.5,
        high=15,
        source="odds of 55 to 1",
    )
    silence: float = tuned(
        4.0,
        title="logits of a corner that has nothing to say",
        unit="nat",
        low=0.5,
        high=15,
        source="as much as outweighs the whole's word (evident): odds of 55 to 1",
    )


WITNESS = WitnessTuning()
# OpenCV 5's new engine takes half as long again for the whole-card net
ENGINE = {"engine": cv2.dnn.ENGINE_CLASSIC} if hasattr(cv2.dnn, "ENGINE_CLASSIC") else {}
SIDES = 3  # up, down, no card


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hearing:
    """What the witnesses say of N cards, as logits.

    `corner_glyphs` (N, 2, 19) and `corner_suits` (N, 2, 5): both ends' indices, the last of each "none";
    `whole_glyphs` (N, 19), `whole_suits` (N, 5), `sides` (N, 3): the card as a whole; up, down, no card.
    """

    corner_glyphs: Array
    corner_suits: Array
    whole_glyphs: Array
    whole_suits: Array
    sides: Array

    def with_more(self, places: NDArray[np.intp], more: "Hearing") -> "Hearing":
        """Average what is said of the cards at some places with what more was said of them."""
        joined = {}
        for name in self.__slots__:
            said = getattr(self, name).copy()
            said[places] = (said[places] + getattr(more, name)) / 2
            joined[name] = said
        return Hearing(**joined)

    def of_corners(self, have_a_say: NDArray[np.bool_]) -> "Hearing":
        """Silence the corners (N, 2) that have no say: what lies over them may show an index of its own."""
        silence = _silence()
        return replace(
            self,
            corner_glyphs=np.where(have_a_say[..., None], self.corner_glyphs, silence[: NONE_GLYPH + 1]),
            corner_suits=np.where(have_a_say[..., None], self.corner_suits, silence[NONE_GLYPH + 1 :]),
        )


class Witnesses:
    """Both networks, read once."""

    def __init__(self, folder: Path | None = None) -> None:
        with resources.as_file(folder or resources.files("linesies.vision.cards") / "nets") as nets:
            self._index = cv2.dnn.readNetFromONNX(str(nets / "index_reader.onnx"))
            self._whole = cv2.dnn.readNetFromONNX(str(nets / "whole_reader.onnx"), **ENGINE)

    def hear(self, flats: Sequence[Image]) -> Hearing:
        """Ask about one or more cards laid flat, each either way up, since a card has no upper end."""
        wholes = [shrink_whole(flat) for flat in flats]
        both_ways = [*wholes, *(picture[::-1, ::-1] for picture in wholes)]
        whole = _asked(self._whole, both_ways).reshape(2, len(flats), -1).mean(0)
        return _joined(whole, self._read_corners(flats))

    def glance(self, flats: Sequence[Image]) -> Hearing:
        """Ask about one or more cards laid flat as cheaply as it goes: one way up, and no corners of evident backs."""
        whole = _asked(self._whole, [shrink_whole(flat) for flat in flats])
        up, down = whole[:, -SIDES], whole[:, -SIDES + 1]
        corners = np.tile(_silence(), (len(flats), 2, 1))
        to_read = np.flatnonzero(down - up < WITNESS.evident)
        if len(to_read):
            corners[to_read] = self._read_corners([flats[i] for i in to_read.tolist()])
        return _joined(whole, corners)

    def _read_corners(self, flats: Sequence[Image]) -> Array:
        """Ask about both ends' indices: (N, 2, 24)."""
        said = _asked(self._index, [crop for flat in flats for crop in cut_indices(flat)])
        return said.reshape(len(flats), 2, -1)


def _silence() -> Array:
    """Give the logits (24,) of a corner that has nothing to say."""
    said = np.full(NONE_GLYPH + NONE_SUIT + 2, -WITNESS.silence)
    said[[NONE_GLYPH, -1]] = WITNESS.silence
    return said


def _joined(whole: Array, corners: Array) -> Hearing:
    """Part what the whole (N, 27) and the corners (N, 2, 24) say."""
    glyphs, suits = NONE_GLYPH + 1, NONE_SUIT + 1
    return Hearing(
        corner_glyphs=corners[..., :glyphs],
        corner_suits=corners[..., glyphs:],
        whole_glyphs=whole[:, :glyphs],
        whole_suits=whole[:, glyphs : glyphs + suits],
        sides=whole[:, glyphs + suits :],
    )


def _asked(net: cv2.dnn.Net, pictures: Sequence[Image]) -> Array:
    """Run a net on pictures of one size, all at once."""
    net.setInput(cv2.dnn.blobFromImages([np.ascontiguousarray(picture) for picture in pictures]))
    return np.asarray(net.forward(), np.float64)
