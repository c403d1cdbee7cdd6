"""Skip-Bo's die: a word on each face of a cube, drawn as thin square layers of which the topmost shows its face."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.simulator.bots.skipbo import FACES
from linesies.simulator.cards.faces import BRIGHTEST, TEXELS_PER_MM, Texture
from linesies.simulator.cards.ink import PX_PER_MM, Colour, Image, write
from linesies.simulator.cards.paper import CardSheet, Lie
from linesies.simulator.street.light import linear

SIDE_MM = 16.0  # of a die as most are sold
EDGE_MM = 2.0  # how round its corners are
LAYERS = 8
PAPER: Colour = (236, 232, 222)
INKS: dict[str, Colour] = {"SB": (200, 30, 40), "DISCARD2": (30, 110, 60), "DRAW1": (110, 40, 130)}
NUMBER_INK: Colour = (30, 50, 130)
WORDS = {"DISCARD2": ("+2", 9.0), "DRAW1": ("-1", 9.0), "SB": ("SB", 8.0), "9-12": ("9-12", 5.2)}  # how tall, in mm
NUMBERS_MM = 6.6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Thrown:
    """The die somewhere: the face that is up, its middle on the ground, its turn, and how high it is."""

    face: str
    xy_mm: NDArray[np.float64]
    angle_rad: float = 0.0
    lift_mm: float = 0.0

    def layers(self) -> list[tuple[CardSheet, Lie]]:
        """Give it as sheets, the lowest first."""
        lie = Lie(xy_mm=self.xy_mm, angle_rad=self.angle_rad)
        side, top = _sheet(None), _sheet(self.face)
        heights = self.lift_mm + np.linspace(SIDE_MM / LAYERS, SIDE_MM, LAYERS)
        return [
            (top if i == LAYERS - 1 else side, replace(lie, lift_mm=float(height))) for i, height in enumerate(heights)
        ]


def draw_faces() -> Mapping[str, Image]:
    """Draw every face (r, g, b, PX_PER_MM)."""
    return {face: _draw(face) for face in FACES}


def _draw(face: str | None) -> Image:
    blank = np.full((round(SIDE_MM * PX_PER_MM),) * 2 + (3,), PAPER, np.uint8)
    if face is not None:
        words, tall_mm = WORDS.get(face, (face, NUMBERS_MM))
        at = (SIDE_MM / 2, SIDE_MM / 2)
        write(blank, words, at, tall_mm, INKS.get(face, NUMBER_INK), font=cv2.FONT_HERSHEY_SIMPLEX)
    return blank


@cache
def _sheet(face: str | None) -> CardSheet:
    size = (round(SIDE_MM * TEXELS_PER_MM),) * 2
    texture: Texture = cv2.resize(linear(_draw(face)), size, interpolation=cv2.INTER_AREA) * np.float32(BRIGHTEST)
    if face is None:
        texture *= np.float32(0.8)  # its sides look away from the lamp
    return CardSheet(up=texture, down=texture, size_mm=(SIDE_MM, SIDE_MM), radius_mm=EDGE_MM, gloss=0.0)
