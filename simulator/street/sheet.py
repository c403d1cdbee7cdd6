"""A printed sheet that lies on the simulated board."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import View

Array = NDArray[np.float64]
Plane = NDArray[np.float32]

FINE = 4  # sub-pixels each way
PAPER_ALBEDO = 0.82
ROOM_PX = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrintedSheet:
    """A sheet as printed: `ink` (h, w, 3) is its light (r, g, b), 0 to 1, at `px_per_mm`.

    Its middle lies at `middle_mm` (2,), turned by `turn_rad`; `scale` is how much larger than drawn it was printed,
    and `tall_mm` how high its face lies over the ground.
    """

    ink: Plane
    px_per_mm: float
    middle_mm: Array
    turn_rad: float
    scale: float = 1.0
    tall_mm: float = 0.0

    @property
    def turn(self) -> Array:
        """Turn and scale points of the sheet (2, 2)."""
        c, s = np.cos(self.turn_rad), np.sin(self.turn_rad)
        return self.scale * np.array([[c, -s], [s, c]])

    def to_board(self, sheet_mm: Array) -> Array:
        """Give the board points (N, 2) of points (N, 2) of the sheet, from its middle."""
        return np.asarray(sheet_mm @ self.turn.T + self.middle_mm, float)

    def box_px(self, view: View) -> tuple[slice, slice]:
        """Give the rows and columns of the picture that it reaches."""
        half = np.array(self.ink.shape[1::-1]) / self.px_per_mm / 2
        corners = view.mm_to_px(self.to_board(half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])))
        width, height = view.lens.size_px
        low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - ROOM_PX, 0)
        high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + ROOM_PX, (width, height))
        return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))


def lay_sheets(albedo: Plane, ground_mm: Plane, view: View, sheets: Sequence[PrintedSheet]) -> None:
    """Lay sheets, each on those before it, over what an albedo (H, W, 3) shows of the ground (H, W, 2), in place.

    They are laid in parts of a pixel: what is hidden has no share in the pixels that an edge of what hides it crosses.
    """
    boxes = [sheet.box_px(view) for sheet in sheets]
    rows, columns = (slice(min(s.start for s in part), max(s.stop for s in part)) for part in zip(*boxes, strict=True))
    points = ground_mm[rows, columns]
    height, width = points.shape[:2]
    if not height or not width:
        return
    step = (np.arange(FINE) + 0.5) / FINE - 0.5
    xs, ys = (np.add.outer(np.arange(n), step).ravel().astype(np.float32) for n in (width, height))
    fine_mm = cv2.remap(points, *np.meshgrid(xs, ys), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    fine = np.repeat(np.repeat(albedo[rows, columns], FINE, axis=0), FINE, axis=1)
    for sheet in sheets:
        foot, face = _ink_px(sheet, fine_mm), _ink_px(sheet, _at_face(fine_mm, view, sheet.tall_mm))
        printed = cv2.remap(
            _softened(sheet, view), face[..., 0], face[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        is_paper = _is_inked(sheet, foot) | _is_inked(sheet, face)
        fine[is_paper] = PAPER_ALBEDO * printed[is_paper]
    albedo[rows, columns] = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA)


def _at_face(ground_mm: Plane, view: View, tall_mm: float) -> Plane:
    """Tell where the rays that would reach ground points (..., 2) pass the height of a face."""
    towards_camera = view.camera_mm[:2].astype(np.float32) - ground_mm
    return np.asarray(ground_mm + towards_camera * np.float32(tall_mm / view.camera_height_mm), np.float32)


def _ink_px(sheet: PrintedSheet, board_mm: Plane) -> Plane:
    """Tell at which pixels of its ink board points (..., 2) lie."""
    on_sheet = (board_mm - sheet.middle_mm.astype(np.float32)) @ np.linalg.inv(sheet.turn).T.astype(np.float32)
    middle_px = (np.array(sheet.ink.shape[1::-1], np.float32) - 1) / 2
    return np.asarray(on_sheet * np.float32(sheet.px_per_mm) + middle_px, np.float32)


def _is_inked(sheet: PrintedSheet, ink_px: Plane) -> NDArray[np.bool_]:
    size = np.array(sheet.ink.shape[1::-1], np.float32)
    return np.asarray(((ink_px > -0.5) & (ink_px < size - 0.5)).all(axis=-1), bool)


def _softened(sheet: PrintedSheet, view: View) -> Plane:
    """Even out the print over a sub-pixel of the picture, so that none of it is lost between two."""
    sub_px = sheet.px_per_mm / (view.px_per_mm(sheet.middle_mm) * FINE * sheet.scale)
    return np.asarray(cv2.GaussianBlur(sheet.ink, (0, 0), max(0.3 * sub_px, 0.1)), np.float32)
