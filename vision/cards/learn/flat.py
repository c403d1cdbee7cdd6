"""Cards laid flat for comparing: one scale, a margin to move in, and how much each pixel of a card counts."""

from functools import cache
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.cards.card import CARD_MM
from linesies.vision.picture.frame import Image

Floats = NDArray[np.float32]
Shown = NDArray[np.uint8] | NDArray[np.floating]  # a picture as taken, or reckoned with
Scalar = TypeVar("Scalar", bound=np.generic)

FINE = 2  # px/mm at which the digits of an index are told apart; scenes rarely show more
COARSE = 1  # px/mm at which cards are aligned
SMALL = (21, 29)  # tiles of a small card, across and down
WIDTH_MM, HEIGHT_MM = (round(side) for side in CARD_MM)
MARGIN_MM = 5  # an outline may be off by some millimetres, and the card must still be in its flat picture
RIM_MM = 1.5  # worn, in shade, or already table where an outline is off
CORNER_MM = 3.5  # the radius to which printed cards are rounded


def to_flat(quad_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """Find the homography (3, 3) from millimetres on a card to pixels of its picture."""
    (right, low) = CARD_MM
    on_card_mm = np.array([(0, 0), (right, 0), (right, low), (0, low)], np.float32)
    return cv2.getPerspectiveTransform(on_card_mm, quad_px.astype(np.float32)).astype(np.float64)


def lay_flat(picture_bgr: Image, quad_px: NDArray[np.float64]) -> Image:
    """Lay a card and MARGIN_MM round it flat at FINE px/mm; what lies outside the picture repeats its edge."""
    around = np.roll(quad_px, -1, 0) - quad_px
    seen_px_per_mm = float(np.linalg.norm(around, axis=1).sum()) / (2 * sum(CARD_MM))
    finer = min(4, max(1, round(seen_px_per_mm / FINE)))  # a warp takes single pixels: shrink afterwards, by areas
    size = ((WIDTH_MM + 2 * MARGIN_MM) * FINE, (HEIGHT_MM + 2 * MARGIN_MM) * FINE)
    step = 1.0 / (FINE * finer)
    to_mm = np.array([(step, 0, step / 2 - MARGIN_MM), (0, step, step / 2 - MARGIN_MM), (0, 0, 1)])
    flat = cv2.warpPerspective(
        picture_bgr,
        to_flat(quad_px) @ to_mm,
        (size[0] * finer, size[1] * finer),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return flat if finer == 1 else cv2.resize(flat, size, interpolation=cv2.INTER_AREA)


@cache
def grid_mm(px_per_mm: int) -> tuple[Floats, Floats]:
    """Give where each pixel of a card laid flat lies on it: x and y in millimetres, each (H, W)."""
    x, y = ((np.arange(side * px_per_mm) + 0.5) / px_per_mm for side in (WIDTH_MM, HEIGHT_MM))
    across, down = np.meshgrid(x, y)
    return across.astype(np.float32), down.astype(np.float32)


def print_area(px_per_mm: int) -> Floats:
    """Mark the pixels of a card laid flat that surely show its print: 1, and 0 on rim and round corners."""
    x, y = grid_mm(px_per_mm)
    beyond = [np.maximum(CORNER_MM - np.minimum(at, side - at), 0) for at, side in ((x, WIDTH_MM), (y, HEIGHT_MM))]
    return (np.hypot(*beyond) <= CORNER_MM - RIM_MM).astype(np.float32)


def blurred(image: Shown, blur_mm: float, px_per_mm: int) -> Floats:
    """Blur a flat picture by a Gauss of so many millimetres."""
    return cv2.GaussianBlur(image.astype(np.float32), (0, 0), blur_mm * px_per_mm, borderType=cv2.BORDER_REPLICATE)


def halved(image: Shown) -> Floats:
    """Shrink a card from FINE to COARSE, by areas; one at COARSE stays as it is."""
    return cv2.resize(image.astype(np.float32), (WIDTH_MM * COARSE, HEIGHT_MM * COARSE), interpolation=cv2.INTER_AREA)


def small(image: Shown) -> Floats:
    """Shrink a card to tiles of 3 mm, by areas: enough to tell art from art."""
    return cv2.resize(image.astype(np.float32), SMALL, interpolation=cv2.INTER_AREA)


def turned(image: NDArray[Scalar], turn: int) -> NDArray[Scalar]:
    """Turn a card laid flat upside down, if `turn` is 1."""
    return np.ascontiguousarray(image[::-1, ::-1]) if turn else image
