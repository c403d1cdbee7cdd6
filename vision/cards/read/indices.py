"""Where a card is read: its picture laid flat with a rim, and the corners of that in which indices are printed."""

from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.cards.card import CARD_MM
from linesies.vision.picture.frame import Image

Layer = TypeVar("Layer", NDArray[np.uint8], NDArray[np.float32])  # a picture, or shares of one

PX_PER_MM = 3.0  # as the nets were taught
RIM_MM = 2.0  # outlines err, and what lies beside a card tells where it ends
FLAT_PX = (round((CARD_MM[0] + 2 * RIM_MM) * PX_PER_MM), round((CARD_MM[1] + 2 * RIM_MM) * PX_PER_MM))  # 201 x 276
SHIFT_PX = 2  # the nets see every eighth pixel alike: what they say of two places is surer than of one
INDEX_PX = (72, 108)  # 24 x 36 mm: the largest indices in print fit in
WHOLE_PX = (96, 132)


def lay_flat(picture: Layer, quad_px: NDArray[np.float64], spare_px: int = 0) -> Layer:
    """Lay a card, corners (4, 2) clockwise from a short side's first, flat with a rim: 67 x 92 mm, `FLAT_PX`.

    With `spare_px` as much is added on all four sides.
    """
    seen_px_per_mm = float(np.linalg.norm(np.roll(quad_px, -1, 0) - quad_px, axis=1).sum()) / (2 * sum(CARD_MM))
    finer = max(1, round(seen_px_per_mm / PX_PER_MM))  # a warp takes single pixels: shrink afterwards, by areas
    scale, rim = PX_PER_MM * finer, (RIM_MM * PX_PER_MM + spare_px) * finer
    width, height = CARD_MM[0] * scale, CARD_MM[1] * scale
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)]) + rim - 0.5
    matrix = cv2.getPerspectiveTransform(quad_px.astype(np.float32), corners.astype(np.float32))
    size = (FLAT_PX[0] + 2 * spare_px, FLAT_PX[1] + 2 * spare_px)
    finer_px = (size[0] * finer, size[1] * finer)
    flat: Layer = cv2.warpPerspective(
        picture, matrix, finer_px, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return flat if finer == 1 else cv2.resize(flat, size, interpolation=cv2.INTER_AREA)


def lay_flat_twice(picture: Image, quad_px: NDArray[np.float64]) -> tuple[Image, Image]:
    """Lay a card flat as if its outline lay a little to the upper left, and a little to the lower right."""
    flat = lay_flat(picture, quad_px, SHIFT_PX)
    return flat[: -2 * SHIFT_PX, : -2 * SHIFT_PX], flat[2 * SHIFT_PX :, 2 * SHIFT_PX :]


def cut_indices(flat: Image) -> tuple[Image, Image]:
    """Cut both ends' left corners, each as its reader holds it, from a card laid flat."""
    width, height = INDEX_PX
    return flat[:height, :width], flat[::-1, ::-1][:height, :width]


def shrink_whole(flat: Image) -> Image:
    """Shrink a card laid flat to what the whole-card net takes."""
    return cv2.resize(flat, WHOLE_PX, interpolation=cv2.INTER_AREA)
