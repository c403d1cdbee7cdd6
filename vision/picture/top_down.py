"""A square of the ground laid out flat through the calibrated view, to draw on in millimetres."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, View
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]
Colour = tuple[int, int, int]  # B, G, R

SIDE_PX = 640
BANDS = 20  # one after the other: what takes 50 MB for the whole takes 3
FINE = 3  # fractional bits of drawn coordinates
CHALK, GROUND = (234, 241, 244), (38, 36, 31)
FONT = cv2.FONT_HERSHEY_DUPLEX


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A square of the ground from above (SIDE_PX, SIDE_PX, 3), as the camera saw it, and with what was found."""

    seen: Image
    drawn: Image


class TopDownGrid:
    """Says which point of the ground lies under which pixel of a picture (SIDE_PX, SIDE_PX, 3) from above."""

    def __init__(self, middle_mm: Array, side_mm: float) -> None:
        self.middle_mm = middle_mm
        self.px_per_mm = SIDE_PX / side_mm

    def to_px(self, xy_mm: Array) -> Array:
        """Find where points (N, 2) of the ground lie on the sheet."""
        return (np.asarray(xy_mm, float) - self.middle_mm) * self.px_per_mm + SIDE_PX / 2

    def from_above(self, picture_bgr: Image, calibration: Calibration) -> Image:
        """Show this square as a camera straight above would see flat things in it."""
        bands = np.array_split(np.arange(SIDE_PX), BANDS)
        places = np.vstack([self._places_px(rows, calibration.view) for rows in bands])
        return cv2.remap(picture_bgr, places, None, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)

    def _places_px(self, rows: NDArray[np.intp], view: View) -> NDArray[np.float32]:
        """Find where these rows' pixels are seen in the picture (rows, SIDE_PX, 2)."""
        at = np.stack(np.meshgrid(np.arange(SIDE_PX), rows), -1).reshape(-1, 2)
        seen = view.mm_to_px((at - SIDE_PX / 2) / self.px_per_mm + self.middle_mm)
        return seen.astype(np.float32).reshape(-1, SIDE_PX, 2)

    def polygon(self, image: Image, xy_mm: Array, colour: Colour, width_px: int) -> None:
        """Draw a closed outline through points (N, 2) in mm."""
        points = np.round(self.to_px(xy_mm) * (1 << FINE)).astype(np.int32)
        cv2.polylines(image, [points], True, colour, width_px, cv2.LINE_AA, FINE)  # noqa: FBT003 - closed

    def circle(self, image: Image, xy_mm: Array, radius_mm: float, colour: Colour) -> None:
        """Draw a circle on the ground."""
        turn = np.linspace(0, 2 * np.pi, 180, endpoint=False)
        self.polygon(image, xy_mm + radius_mm * np.column_stack([np.cos(turn), np.sin(turn)]), colour, 2)

    def bar(self, image: Image, ends_mm: tuple[Array, Array], colour: Colour, width_px: int) -> None:
        """Draw a straight line between two points."""
        ends = [tuple(np.round(self.to_px(end) * (1 << FINE)).astype(int).tolist()) for end in ends_mm]
        cv2.line(image, *ends, colour, width_px, cv2.LINE_AA, FINE)

    def strip(self, image: Image) -> None:
        """Darken the foot of the picture, for words."""
        foot = image[-64:]
        foot[:] = (foot * 0.25 + np.array(GROUND) * 0.75).astype(np.uint8)
