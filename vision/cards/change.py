"""What changed in a place between two looks, and where a card of known size explains it.

The card laid last is seen whole, so four straight sides of a card's length stand in the new look where the looks
differ. All turns and places are tried at once: line integrals of the slope across each side, taken by correlation.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.card import CARD_MM
from vision.cards.spots import PX_PER_MM
from vision.frame import Image, most_of_colours

Array = NDArray[np.float64]
Mask = NDArray[np.uint8]  # (h, w), 0 or 255

LEVELS = 11.0  # grey levels that a change has at least
CONTRAST_SHARE = 0.22  # of the local contrast is forgiven besides: codecs and a trembling table blur edges
USUAL_GAIN = (0.8, 1.25)

NEAR_MM = 2.7
COARSE = 2  # flat pixels each way in one of the search
TURN_DEG = 5.0
FULL_SLOPE = 10.0  # grey levels a coarse pixel across a good side
SURE_SIDES, SURE_COVER, SEEN_SIDES = 0.8, 0.88, 0.55
LEAST_SIDES = 0.42  # how much of the four sides must be seen
SAME_MM, SAME_DEG = 22.0, 25.0  # candidates nearer than this are one
MOST = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """Where a new card may lie in a flat picture: its corners (4, 2), first side short; how well it fits, 0 to 1.

    `cover` is the share of its area that changed.
    """

    quad_px: Array
    sides: float
    cover: float

    @property
    def is_sure(self) -> bool:
        """Tell whether a card lies there: its sides stand out, or all of it is new and its sides are at least seen."""
        return self.sides >= SURE_SIDES or (self.cover >= SURE_COVER and self.sides >= SEEN_SIDES)


def changed(before: Image, now: Image, levels: float = LEVELS) -> Mask:
    """Mark where two looks at a place (h, w, 3) differ by more than light, noise and blurred edges."""
    was, seen = cv2.blur(before, (3, 3)), cv2.blur(now, (3, 3))
    gains = [_gain(was[..., i], seen[..., i]) for i in range(3)]
    lit = cv2.merge([cv2.convertScaleAbs(was[..., i], alpha=gain) for i, gain in enumerate(gains)])
    differs = most_of_colours(cv2.absdiff(lit, seen))
    contrast = most_of_colours(cv2.dilate(lit, _BOX) - cv2.erode(lit, _BOX))
    mask = (differs > levels + CONTRAST_SHARE * contrast).astype(np.uint8) * 255
    return cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))


def area_mm2(mask: Mask) -> float:
    """Measure what is marked."""
    return float(cv2.countNonZero(mask)) / PX_PER_MM**2


_BOX = np.ones((3, 3), np.uint8)


def _gain(was: Image, seen: Image) -> float:
    """Estimate by how much the light changed, from most of the picture."""
    ratio = (seen[::4, ::4].astype(np.float32) + 2) / (was[::4, ::4].astype(np.float32) + 2)
    return float(np.clip(np.median(ratio), *USUAL_GAIN))


def find_new(now: Image, mask: Mask, reach_mm: float = NEAR_MM) -> tuple[Candidate, ...]:
    """Find where cards may have been laid, best first: their sides stand no farther than `reach_mm` from a change."""
    size = (now.shape[1] // COARSE, now.shape[0] // COARSE)
    small = cv2.resize(now, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    marked = cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    side = 2 * round(reach_mm * PX_PER_MM / COARSE) + 1
    near = cv2.dilate(marked, np.ones((side, side), np.uint8))
    smooth = cv2.GaussianBlur(small, (0, 0), 0.7)
    slopes = [cv2.Sobel(smooth, cv2.CV_32F, dx, dy, ksize=3, scale=1 / 4) for dx, dy in ((1, 0), (0, 1))]
    wide, tall = (side * PX_PER_MM / COARSE for side in CARD_MM)
    left, top, right, bottom = _box(near, np.hypot(wide, tall) / 2)
    here = np.s_[top:bottom, left:right]
    slopes, near, marked = [slope[here] for slope in slopes], near[here], marked[here]
    found: list[tuple[float, float, float, float, float, float]] = []
    for turn in np.arange(0.0, 180.0, TURN_DEG):
        sides = _sides(slopes, near, np.radians(turn), wide, tall)
        cover = cv2.filter2D(marked, -1, _slab(np.radians(turn), wide, tall), borderType=cv2.BORDER_CONSTANT)
        worth = 0.6 * sides.mean(axis=0) + 0.4 * sides.min(axis=0) + 0.35 * cover
        for _ in range(MOST):
            _, best, _, (x, y) = cv2.minMaxLoc(worth)
            found.append((best, float(sides[:, y, x].mean()), float(cover[y, x]), left + x, top + y, turn))
            cv2.circle(worth, (x, y), int(0.4 * wide), -1.0, -1)
    return tuple(_candidate(one, wide, tall) for one in _distinct(found))


def share_within(mask: Mask, quad_px: Array) -> float:
    """Tell how much of what is marked lies on a card."""
    card = np.zeros_like(mask)
    cv2.fillConvexPoly(card, np.rint(quad_px).astype(np.int32), 255)
    card = cv2.dilate(card, np.ones((9, 9), np.uint8))
    return cv2.countNonZero(card & mask) / max(cv2.countNonZero(mask), 1)


def _box(near: NDArray[np.float32], reach: float) -> tuple[int, int, int, int]:
    """Box in where the middle of a card may lie that touches what is marked: left, top, right, bottom."""
    x, y, width, height = cv2.boundingRect((near > 0).astype(np.uint8))
    grown = int(np.ceil(reach)) + 1
    return max(x - grown, 0), max(y - grown, 0), x + width + grown, y + height + grown


def _sides(slopes: list[NDArray], near: NDArray, turn: float, wide: float, tall: float) -> NDArray:
    """Tell, for a card with its middle at each pixel, how much of each side is seen: (4, h, w)."""
    c, s = float(np.cos(turn)), float(np.sin(turn))
    across = most_of_colours(np.abs(c * slopes[0] + s * slopes[1]))
    along = most_of_colours(np.abs(-s * slopes[0] + c * slopes[1]))
    seen = []
    for slope, length, offset, (nx, ny) in ((across, tall, wide / 2, (c, s)), (along, wide, tall / 2, (-s, c))):
        firm = np.minimum(slope / FULL_SLOPE, 1.0) * near
        firm = cv2.dilate(firm, np.ones((2, 2), np.uint8))
        line = cv2.filter2D(firm, -1, _line(nx, ny, 0.86 * length), borderType=cv2.BORDER_CONSTANT)
        seen += [_moved(line, sign * offset * nx, sign * offset * ny) for sign in (-1, 1)]
    return np.stack(seen)


def _line(nx: float, ny: float, length: float) -> NDArray[np.float32]:
    """Make the kernel of a line through its middle, across the normal, that sums to 1."""
    half = int(length / 2) + 2
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    ends = [(half + sign * ny * length / 2, half - sign * nx * length / 2) for sign in (-1, 1)]
    a, b = (tuple(round(v * 16) for v in end) for end in ends)
    cv2.line(kernel, a, b, 1.0, 1, cv2.LINE_8, 4)
    return kernel / kernel.sum()


def _slab(turn: float, wide: float, tall: float) -> NDArray[np.float32]:
    """Make the kernel of a whole card that sums to 1."""
    half = int(np.hypot(wide, tall) / 2) + 2
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    cv2.fillConvexPoly(kernel, np.rint(_quad(half, half, turn, wide, tall)).astype(np.int32), 1.0)
    return kernel / kernel.sum()


def _moved(image: NDArray, dx: float, dy: float) -> NDArray:
    """Look up the image at an offset from each pixel; zero outside."""
    turn = np.float32([[1, 0, dx], [0, 1, dy]])
    return cv2.warpAffine(image, turn, image.shape[::-1], flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)


def _quad(x: float, y: float, turn: float, wide: float, tall: float) -> Array:
    c, s = np.cos(turn), np.sin(turn)
    corners = np.array([(-wide, -tall), (wide, -tall), (wide, tall), (-wide, tall)]) / 2
    return corners @ np.array([[c, s], [-s, c]]) + [x, y]


def _distinct(found: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
    kept: list[tuple[float, ...]] = []
    reach = SAME_MM * PX_PER_MM / COARSE
    for one in sorted(found, reverse=True):
        if one[1] < LEAST_SIDES:
            continue
        if all(np.hypot(one[3] - k[3], one[4] - k[4]) > reach or _apart(one[5], k[5]) > SAME_DEG for k in kept):
            kept.append(one)
    return kept[:MOST]


def _apart(a: float, b: float) -> float:
    return abs((a - b + 90) % 180 - 90)


def _candidate(found: tuple[float, ...], wide: float, tall: float) -> Candidate:
    _, sides, cover, x, y, turn = found
    quad = _quad(x, y, np.radians(turn), wide, tall)
    return Candidate(quad_px=(quad + 0.5) * COARSE - 0.5, sides=min(sides, 1.0), cover=min(cover, 1.0))
