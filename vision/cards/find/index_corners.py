"""Corners of covered cards: where two sides meet an index is printed, and it tells where the whole card lies.

All turns and places on the table are tried at once, by line integrals of the slope across both sides, as correlation.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.cards.find.overhead import lay_flat
from linesies.vision.cards.find.plane import Table
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]
Scalar = TypeVar("Scalar", bound=np.generic)
COVERED = "by hand, on the world `covered` of training/worlds.py (seed 4000, ten scenes), 2026-11"


@dataclass(frozen=True)
class CornerTuning(Tuning):
    """Where a corner shows that bears an index."""

    turn_deg: float = tuned(9.0, title="between the turns that are tried", unit="deg", low=2, high=30, source=COVERED)
    full_slope: float = tuned(
        5.0, title="grey levels a millimetre across a good side", unit="levels", low=1, high=60, source=COVERED
    )
    least_worth: float = tuned(0.7, title="of both sides, what must be seen", unit="1", low=0.2, high=1, source=COVERED)
    same_mm: float = tuned(
        7.0,
        title="corners nearer than this, and turned alike, are one",
        unit="mm",
        low=1,
        high=30,
        source=by_hand_in("eaedd13"),
    )
    same_deg: float = tuned(
        15.0,
        title="corners turned by less, and so near, are one",
        unit="deg",
        low=1,
        high=45,
        source=by_hand_in("eaedd13"),
    )
    blur_px: float = tuned(0.8, title="blur before slopes are taken", unit="px", low=0.2, high=3, source=BY_HAND)
    weaker_side: float = tuned(
        0.7, title="what the weaker of a corner's sides counts", unit="1", low=0, high=1, source=BY_HAND
    )
    both_sides: float = tuned(0.15, title="what either side counts", unit="1", low=0, high=1, source=BY_HAND)


CORNERS = CornerTuning()

PX_PER_MM = 1.0
ROUND_MM, ARM_MM = 4, 22  # from where to where a side is looked at, from its corner on: the corner itself is round
INSIDE_MM = (9, 13)  # from the corner, where the card's own cells must be
MOST = 6
CELL_MM, STRIP_MM = 11, 15  # what a cell is taken to show; what is narrower is the rim of a known card
LEAST_HEAP_MM2 = 1000.0
MARGIN_MM, MOST_MM = 25.0, 700.0  # looked at beyond the cells; of the table, each way


def find_index_corners(picture: Image, table: Table, cells_px: Array, known_px: Array) -> Array:
    """Suppose cards (N, 4, 2) by corners at cells (M, 2) that no card explains, but for the corners of known cards."""
    cells_mm = table.to_mm(cells_px)
    middle_mm = np.median(cells_mm, 0)
    cells_mm = cells_mm[(np.abs(cells_mm - middle_mm) < MOST_MM / 2).all(1)]
    if not len(cells_mm):
        return np.zeros((0, 4, 2))
    low_mm = cells_mm.min(0) - MARGIN_MM
    size = np.ceil((cells_mm.max(0) + MARGIN_MM - low_mm) * PX_PER_MM).astype(int)
    heaps = list(_heaps(cells_mm, low_mm, (int(size[1]), int(size[0]))))
    if not heaps:
        return np.zeros((0, 4, 2))
    dx, dy = _slopes(lay_flat(picture, table, low_mm, (int(size[0]), int(size[1])), PX_PER_MM))
    found = []
    for left, top, right, bottom, mask in heaps:
        here = np.s_[top:bottom, left:right]
        found += [(worth, (x + left, y + top), turn) for worth, (x, y), turn in _search(dx[here], dy[here], mask[here])]
    known = _corners_of(table.to_mm(known_px.reshape(-1, 2)).reshape(-1, 4, 2))
    kept = _distinct([(worth, *(low_mm + np.array(xy) / PX_PER_MM), turn) for worth, xy, turn in found], known)
    return np.array([_card(table, *corner) for corner in kept]).reshape(-1, 4, 2)


def _heaps(
    cells_mm: Array, low_mm: Array, shape: tuple[int, ...]
) -> Iterator[tuple[int, int, int, int, NDArray[np.uint8]]]:
    """Part cells into heaps that are more than the rim of a known card: box (left, top, right, bottom) and mask."""
    mask = np.zeros(shape, np.uint8)
    at = np.rint((cells_mm - low_mm) * PX_PER_MM).astype(int)
    mask[at[:, 1], at[:, 0]] = 255
    mask = cv2.dilate(mask, np.ones((CELL_MM, CELL_MM), np.uint8))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((STRIP_MM, STRIP_MM), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    for number in range(1, count):
        left, top, wide, high, area = (int(value) for value in stats[number])
        if area >= LEAST_HEAP_MM2:
            margin = round(MARGIN_MM)
            box = (max(left - margin, 0), max(top - margin, 0), left + wide + margin, top + high + margin)
            yield *box, (labels == number).astype(np.uint8) * 255


def _slopes(flat: Image) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Tell how steep the strongest of the three colours is along x and y."""
    soft = cv2.GaussianBlur(flat.astype(np.float32), (0, 0), CORNERS.blur_px)
    dx, dy = (cv2.Sobel(soft, cv2.CV_32F, *way, ksize=3, scale=PX_PER_MM / 8) for way in ((1, 0), (0, 1)))
    strongest = np.hypot(dx, dy).argmax(2)[..., None]
    return np.take_along_axis(dx, strongest, 2)[..., 0], np.take_along_axis(dy, strongest, 2)[..., 0]


def _search(
    dx: NDArray[np.float32], dy: NDArray[np.float32], mask: NDArray[np.uint8]
) -> list[tuple[float, tuple[float, float], float]]:
    """Find where upper left corners may be, at every turn: worth, place (px), turn (radians)."""
    height, width = mask.shape
    side = int(np.hypot(width, height)) + 2
    found = []
    for turn in np.radians(np.arange(0.0, 360.0, CORNERS.turn_deg)):
        c, s = float(np.cos(turn)), float(np.sin(turn))
        back = np.array([[c, -s, 0.0], [s, c, 0.0]])  # from a pixel of the turned picture to one of the flat one
        back[:, 2] = (np.array([width, height]) - 1) / 2 - back[:, :2] @ (np.full(2, side - 1) / 2)
        across = np.minimum(np.abs(s * dx - c * dy), CORNERS.full_slope)  # the upper side
        down = np.minimum(np.abs(c * dx + s * dy), CORNERS.full_slope)  # the left one
        turned = [
            cv2.warpAffine(part, back, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
            for part in (across, down, mask)
        ]
        upper, left = (cv2.dilate(part, np.ones((2, 2), np.uint8)) for part in turned[:2])
        arm = ARM_MM - ROUND_MM
        upper = _moved(cv2.blur(upper, (arm, 1), anchor=(0, 0)), ROUND_MM, 0)
        left = _moved(cv2.blur(left, (1, arm), anchor=(0, 0)), 0, ROUND_MM)
        worth = (
            CORNERS.weaker_side * np.minimum(upper, left) + CORNERS.both_sides * (upper + left)
        ) / CORNERS.full_slope
        worth[_moved(turned[2], *INSIDE_MM) < 128] = 0
        for _ in range(4):
            _, best, _, (x, y) = cv2.minMaxLoc(worth)
            if best < CORNERS.least_worth:
                break
            there = back @ (x, y, 1.0)
            found.append((best, (float(there[0]), float(there[1])), float(turn)))
            cv2.circle(worth, (x, y), round(CORNERS.same_mm), 0.0, -1)
    return found


def _moved(image: NDArray[Scalar], right: int, down: int) -> NDArray[Scalar]:
    """Look up the image so many pixels to the right and down of each."""
    moved = np.zeros_like(image)
    height, width = image.shape
    moved[: height - down, : width - right] = image[down:, right:]
    return moved


def _corners_of(quads_mm: Array) -> list[tuple[float, float, float]]:
    """List the corners of cards at which indices are: both ends', x, y, turn."""
    corners = []
    for quad in quads_mm:
        for first, second in ((0, 1), (2, 3)):
            along = quad[second] - quad[first]
            corners.append((float(quad[first][0]), float(quad[first][1]), float(np.arctan2(along[1], along[0]))))
    return corners


def _distinct(
    found: list[tuple[float, float, float, float]], known: list[tuple[float, float, float]]
) -> list[tuple[float, float, float]]:
    kept = list(known)
    for _, x, y, turn in sorted(found, reverse=True):
        if all(
            np.hypot(x - k[0], y - k[1]) > CORNERS.same_mm or _apart_deg(turn, k[2]) > CORNERS.same_deg for k in kept
        ):
            kept.append((x, y, turn))
        if len(kept) == len(known) + MOST:
            break
    return kept[len(known) :]


def _apart_deg(one: float, other: float) -> float:
    return float(np.degrees(abs((one - other + np.pi) % (2 * np.pi) - np.pi)))


def _card(table: Table, x: float, y: float, turn: float) -> Array:
    """See the card whose upper left corner lies at a place on the table, mm."""
    wide, long = table.card_mm
    right, low = np.array([np.cos(turn), np.sin(turn)]) * wide, np.array([-np.sin(turn), np.cos(turn)]) * long
    return table.to_px(np.array([(x, y)]) + np.array([np.zeros(2), right, right + low, low]))
