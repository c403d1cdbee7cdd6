"""A glass of something that people put down on the table: thin round layers, the topmost with a rim round the drink."""

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.simulator.cards.faces import TEXELS_PER_MM, Texture
from linesies.simulator.cards.paper import CardSheet, Lie
from linesies.simulator.street.light import linear

TALL_MM = 92.0  # of a tumbler, as most are sold
RADII_MM = (29.0, 36.0)  # at its foot and at its rim
WALL_MM = 2.5
LAYERS = 12
GLASS, BRIM = (158, 172, 172), (226, 234, 232)
DRINKS = ((96, 44, 16), (214, 136, 36), (232, 228, 216))  # cola, juice, milk


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Glass:
    """A glass somewhere: its middle on the table, what is in it (a place in DRINKS), and how high it is held."""

    xy_mm: NDArray[np.float64]
    drink: int
    lift_mm: float = 0.0

    def layers(self) -> list[tuple[CardSheet, Lie]]:
        """Give it as sheets, the lowest first."""
        heights = self.lift_mm + np.linspace(TALL_MM / LAYERS, TALL_MM, LAYERS)
        return [
            (sheet, Lie(xy_mm=self.xy_mm, lift_mm=float(height)))
            for sheet, height in zip(_sheets(self.drink), heights, strict=True)
        ]

    def carried(self, by_mm: NDArray[np.float64], lift_mm: float) -> "Glass":
        """Give it where a hand has carried it, so far and so high."""
        return replace(self, xy_mm=self.xy_mm + by_mm, lift_mm=lift_mm)


@cache
def _sheets(drink: int) -> tuple[CardSheet, ...]:
    """Cut its layers, the lowest first."""
    walls = [_disc(radius_mm, GLASS, GLASS) for radius_mm in np.linspace(*RADII_MM, LAYERS)[:-1]]
    return (*walls, _disc(RADII_MM[1], BRIM, DRINKS[drink]))


def _disc(radius_mm: float, wall_rgb: tuple[int, int, int], within_rgb: tuple[int, int, int]) -> CardSheet:
    """Cut a round sheet whose outer ring shows another colour than what is within."""
    side = round(2 * radius_mm * TEXELS_PER_MM)
    texture: Texture = np.empty((side, side, 3), np.float32)
    texture[:] = linear(wall_rgb)
    within = cv2.circle(
        np.zeros((side, side), np.uint8), (side // 2,) * 2, round((radius_mm - WALL_MM) * TEXELS_PER_MM), 1, -1
    )
    texture[within > 0] = linear(within_rgb)
    return CardSheet(up=texture, down=texture, size_mm=(2 * radius_mm,) * 2, radius_mm=radius_mm, gloss=0.0)
