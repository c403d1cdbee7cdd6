"""The readers' networks at work: what each corner of a card says, and the card as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.glyphs import NONE_GLYPH, NONE_SUIT
from vision.cards.indices import cut_indices, shrink_whole
from vision.frame import Image

Array = NDArray[np.float64]
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


class Witnesses:
    """Both networks, read once."""

    def __init__(self, folder: Path | None = None) -> None:
        with resources.as_file(folder or resources.files("vision.cards") / "nets") as nets:
            self._index, self._whole = (
                cv2.dnn.readNetFromONNX(str(nets / name)) for name in ("index_reader.onnx", "whole_reader.onnx")
            )

    def hear(self, flats: Sequence[Image]) -> Hearing:
        """Ask about one or more cards laid flat."""
        said = _asked(self._index, [crop for flat in flats for crop in cut_indices(flat)])
        wholes = [shrink_whole(flat) for flat in flats]
        both_ways = [*wholes, *(picture[::-1, ::-1] for picture in wholes)]  # it has no upper end: ask both ways up
        whole = _asked(self._whole, both_ways).reshape(2, len(flats), -1).mean(0)
        said = said.reshape(len(flats), 2, -1)
        glyphs, suits = NONE_GLYPH + 1, NONE_SUIT + 1
        return Hearing(
            corner_glyphs=said[..., :glyphs],
            corner_suits=said[..., glyphs:],
            whole_glyphs=whole[:, :glyphs],
            whole_suits=whole[:, glyphs : glyphs + suits],
            sides=whole[:, glyphs + suits :],
        )


def _asked(net: cv2.dnn.Net, pictures: Sequence[Image]) -> Array:
    """Run a net on pictures of one size, all at once."""
    net.setInput(cv2.dnn.blobFromImages([np.ascontiguousarray(picture) for picture in pictures]))
    return np.asarray(net.forward(), np.float64)
