"""Stamps: small pictures with alpha (BGRA, uint8), the ink from which faces and backs are printed."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Colour = tuple[int, int, int]


def colour_of(bgr: Iterable[float]) -> Colour:
    """Take three values, of any number's type, as a colour."""
    blue, green, red = (int(value) for value in bgr)
    return blue, green, red


def inked(mask: Pixels, colour: Colour) -> Pixels:
    """Give a mask (h, w) one colour."""
    stamp = np.empty((*mask.shape, 4), np.uint8)
    stamp[..., :3] = colour
    stamp[..., 3] = mask
    return stamp


def turned(stamp: Pixels) -> Pixels:
    """Turn a stamp upside down."""
    return stamp[::-1, ::-1]


def paste(face: Pixels, stamp: Pixels, centre_px: tuple[float, float]) -> None:
    """Print a stamp onto a face (bgr), its middle at `centre_px`; what lies outside is cut off."""
    height, width = stamp.shape[:2]
    left, top = round(centre_px[0] - width / 2), round(centre_px[1] - height / 2)
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + width, face.shape[1]), min(top + height, face.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    part = stamp[y0 - top : y1 - top, x0 - left : x1 - left]
    alpha = part[..., 3:].astype(np.uint16)
    below = face[y0:y1, x0:x1]
    below[:] = ((below * (255 - alpha) + part[..., :3] * alpha + 127) // 255).astype(np.uint8)


def polygon_mask(outlines: list[NDArray[np.float64]], size_px: tuple[int, int]) -> Pixels:
    """Fill closed outlines (n, 2), in pixels, with soft edges; where two overlap the union counts."""
    mask = np.zeros((size_px[1], size_px[0]), np.uint8)
    for outline in outlines:
        cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask


def cropped(mask: Pixels) -> Pixels:
    """Cut a mask to what is inked."""
    x, y, width, height = cv2.boundingRect(mask)
    return mask[y : y + height, x : x + width] if width and height else mask


def grown(mask: Pixels, by_px: float) -> Pixels:
    """Thicken (or, below zero, thin) what is inked, by fractions of a pixel too; the sheet grows by as much."""
    reach = int(np.ceil(abs(by_px)))
    if reach == 0:
        return mask
    wide = cv2.copyMakeBorder(mask, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=0)
    if by_px > 0:
        outside_px = cv2.distanceTransform(cv2.compare(wide, 127, cv2.CMP_LE), cv2.DIST_L2, 3)
        return cv2.convertScaleAbs(cv2.max(0.5 + by_px - outside_px, 0.0), alpha=255)
    inside_px = cv2.distanceTransform(cv2.compare(wide, 127, cv2.CMP_GT), cv2.DIST_L2, 3)
    return cv2.convertScaleAbs(cv2.max(inside_px - 0.5 + by_px, 0.0), alpha=255)


def stamped_size(stamp: Pixels, width_px: float, height_px: float) -> Pixels:
    """Bring a stamp or mask to a size."""
    size = (max(1, round(width_px)), max(1, round(height_px)))
    shrinks = size[0] * size[1] < stamp.shape[0] * stamp.shape[1]
    return cv2.resize(stamp, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
