"""The card table's picture as it changes: what lies still is drawn once, in the order in which it was laid."""

from collections.abc import Iterable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import View
from linesies.simulator.cards.paper import CardSheet, Lie, cast_sheet, corners
from linesies.simulator.street.canvas import BLUR_PX, PAD_PX, DrawnCap, lay
from linesies.simulator.street.cast import EyePoint
from linesies.simulator.street.hand import FAR_PX, Hand, lay_hand
from linesies.simulator.street.light import Light, expose
from linesies.simulator.street.planes import Box, Planes

Array = NDArray[np.float32]
FINE_STILL, FINE_HELD = 4, 2  # sub-pixels each way


class TableCanvas:
    """Remembers the empty table's light and which sheets lie still on it, lowest first."""

    def __init__(
        self, table_light: Array, ground_mm: Array, view: View, light: Light, rng: np.random.Generator
    ) -> None:
        self._table = table_light
        self._ground_mm = ground_mm
        self._view = view
        self._light = light
        self._eye = EyePoint(foot_mm=view.camera_mm[:2].astype(np.float32), height_mm=view.camera_height_mm)
        self._still: dict[int, DrawnCap] = {}
        height, width = table_light.shape[:2]
        self._planes = Planes(self._compose((0, 0, width, height), []), rng)

    def change(self, gone: Iterable[int], come: Mapping[int, tuple[CardSheet, Lie]]) -> None:
        """Let some sheets no longer lie still, and others lie still from now on, on top of all that do."""
        changed = [drawn for number in gone if (drawn := self._still.pop(number, None)) is not None]
        for number, (sheet, lie) in come.items():
            drawn = self._draw(sheet, lie, FINE_STILL)
            if drawn is not None:
                self._still[number] = drawn
                changed.append(drawn)
        for box in _joined(drawn.box for drawn in changed):
            self._planes.settle(box, self._compose(box, list(self._still.values())))

    def frame(
        self, moving: list[tuple[CardSheet, Lie]], hands: tuple[Hand, ...], gain: float = 1.0
    ) -> NDArray[np.uint8]:
        """Draw the picture of this moment: planes Y, U, V (H * 3 / 2, W) of full range."""
        drawn = [d for sheet, lie in moving if (d := self._draw(sheet, lie, FINE_HELD)) is not None]
        for box in _joined(one.box for one in drawn):
            self._planes.paint(box, self._compose(box, [*self._still.values(), *drawn]))
        for hand in hands:
            lay_hand(self._planes, hand, self._view, self._light)
        return self._planes.take(gain)

    def picture(self) -> NDArray[np.uint8]:
        """Show what lies still in colour, B, G, R, without noise."""
        return np.ascontiguousarray(self._planes.rgb[..., ::-1])

    def _compose(self, box: Box, sheets: list[DrawnCap]) -> NDArray[np.uint8]:
        """Table and sheets on a box, blurred and exposed: (h, w, 3), r, g, b."""
        height, width = self._table.shape[:2]
        x0, y0, x1, y1 = box
        wide = (max(x0 - PAD_PX, 0), max(y0 - PAD_PX, 0), min(x1 + PAD_PX, width), min(y1 + PAD_PX, height))
        light = self._table[wide[1] : wide[3], wide[0] : wide[2]].copy()
        for one in sheets:
            lay(light, wide, one)
        blurred = cv2.GaussianBlur(light, (0, 0), BLUR_PX)
        return expose(blurred[y0 - wide[1] : y1 - wide[1], x0 - wide[0] : x1 - wide[0]])

    def _draw(self, sheet: CardSheet, lie: Lie, fine: int) -> DrawnCap | None:
        box = self._box(sheet, lie)
        if box is None:
            return None
        patch = self._ground_mm[box[1] : box[3], box[0] : box[2]]
        return DrawnCap(box=box, cast=cast_sheet(sheet, lie, patch, self._eye, self._light, fine), depth_mm=0.0)

    def _box(self, sheet: CardSheet, lie: Lie) -> Box | None:
        """Find the picture box that a sheet and its shadow can reach; sides even, None outside the picture."""
        points, heights = corners(sheet, lie)
        soft = 4 + float(heights.max()) * (1.0 + 2 * self._light.softness)
        grown = points + np.sign(points - points.mean(axis=0)) * soft
        fallen = grown + heights[:, None] * self._light.per_mm
        seen = np.vstack(
            [self._view.mm_to_px(grown), self._view.mm_to_px(fallen), self._view.mm_to_px(points, heights)]
        )
        if not np.abs(seen).max() < FAR_PX:
            return None
        height, width = self._table.shape[:2]
        x0, y0 = np.maximum(np.floor(seen.min(axis=0)).astype(int) & ~1, 0)
        x1, y1 = np.minimum((np.ceil(seen.max(axis=0)).astype(int) + 2) & ~1, [width, height])
        return (int(x0), int(y0), int(x1), int(y1)) if x1 - x0 >= 4 and y1 - y0 >= 4 else None


def _joined(boxes: Iterable[Box]) -> list[Box]:
    """Join boxes that overlap, so that nothing is composed twice."""
    joined: list[Box] = []
    for box in boxes:
        x0, y0, x1, y1 = box
        while near := [b for b in joined if b[0] < x1 and x0 < b[2] and b[1] < y1 and y0 < b[3]]:
            joined = [b for b in joined if b not in near]
            x0, y0 = (min(at, *(b[i] for b in near)) for i, at in ((0, x0), (1, y0)))
            x1, y1 = (max(at, *(b[i] for b in near)) for i, at in ((2, x1), (3, y1)))
        joined.append((x0, y0, x1, y1))
    return joined
