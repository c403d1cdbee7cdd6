"""What changed in a place between two looks, and where a card of known size explains it.

The card laid last is seen whole, so four straight sides of a card's length stand in the new look where the looks
differ. All turns and places are tried at once: line integrals of the slope across each side, taken by correlation.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.cards.card import CARD_MM
from linesies.vision.cards.spots import PX_PER_MM
from linesies.vision.picture.colouring import most_of_colours
from linesies.vision.picture.frame import Image

Array = NDArray[np.float64]
Mask = NDArray[np.uint8]  # (h, w), 0 or 255
Fit = tuple[float, float, float, float, float, float]  # worth, sides, cover, x, y, turn


@dataclass(frozen=True)
class CardChangeTuning(Tuning):
    """What has changed on a table, and whether that is a card's edges."""

    levels: float = tuned(
        11.0,
        title="grey levels that a change has at least",
        unit="levels",
        low=2,
        high=60,
        source=by_hand_in("d942027"),
    )
    contrast_share: float = tuned(
        0.22,
        title="of the local contrast, what is forgiven besides",
        unit="1",
        low=0,
        high=1,
        source=by_hand_in("d942027"),
    )
    near_mm: float = tuned(
        2.7,
        title="how far an edge may have moved and be the same",
        unit="mm",
        low=0.5,
        high=10,
        source=by_hand_in("e28d870"),
    )
    full_slope: float = tuned(
        10.0,
        title="grey levels a coarse pixel across a good side",
        unit="levels",
        low=2,
        high=60,
        source=by_hand_in("af13e18"),
    )
    faint_slope: float = tuned(
        3.0,
        title="likewise, across the side of white paper on white paper",
        unit="levels",
        low=0.5,
        high=30,
        source=by_hand_in("37afe57"),
    )
    least_sides: float = tuned(
        0.42, title="how much of the four sides must be seen", unit="1", low=0.1, high=1, source=by_hand_in("d942027")
    )
    sure_sides: float = tuned(
        0.8,
        title="share of the sides seen from which that is a card",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("af13e18"),
    )
    sure_cover: float = tuned(
        0.88,
        title="share that must be new where less of the sides is seen",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("af13e18"),
    )
    seen_sides: float = tuned(
        0.55, title="share of the sides seen then", unit="1", low=0.1, high=1, source=by_hand_in("af13e18")
    )
    least_gain: float = tuned(
        0.8,
        title="between two pictures of one table: less is no change of its light",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("d942027"),
    )
    most_gain: float = tuned(1.25, title="likewise at most", unit="1", low=1, high=3, source=by_hand_in("d942027"))
    same_mm: float = tuned(
        22.0,
        title="candidates nearer than this, and turned alike, are one",
        unit="mm",
        low=5,
        high=60,
        source=by_hand_in("d942027"),
    )
    same_deg: float = tuned(
        25.0,
        title="candidates turned by less, and so near, are one",
        unit="deg",
        low=2,
        high=60,
        source=by_hand_in("d942027"),
    )
    blur_px: float = tuned(
        0.7, title="blur before slopes are taken, in coarse pixels", unit="px", low=0.2, high=3, source=BY_HAND
    )
    mean_side: float = tuned(
        0.6, title="what its sides count on average in a card's worth", unit="1", low=0, high=2, source=BY_HAND
    )
    worst_side: float = tuned(0.4, title="what the worst of them counts", unit="1", low=0, high=2, source=BY_HAND)
    cover_worth: float = tuned(
        0.35, title="what the share counts that has changed", unit="1", low=0, high=2, source=BY_HAND
    )
    apart: float = tuned(
        0.4,
        title="of a card's width, within which its middle is told once a turn",
        unit="1",
        low=0.1,
        high=1,
        source=BY_HAND,
    )
    straight: float = tuned(
        0.86, title="of a side, what lies between its round corners", unit="1", low=0.5, high=1, source=BY_HAND
    )


CARD_CHANGE = CardChangeTuning()

COARSE = 2  # flat pixels each way in one of the search
TURN_DEG = 5.0
MOST = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlatCandidate:
    """Where a new card may lie in a flat picture: its corners (4, 2), first side short; how well it fits, 0 to 1.

    `cover` is the share of its area that changed.
    """

    quad_px: Array
    sides: float
    cover: float

    @property
    def is_sure(self) -> bool:
        """Tell whether a card lies there: its sides stand out, or all of it is new and its sides are at least seen."""
        return self.sides >= CARD_CHANGE.sure_sides or (
            self.cover >= CARD_CHANGE.sure_cover and self.sides >= CARD_CHANGE.seen_sides
        )


def changed(before: Image, now: Image) -> Mask:
    """Mark where two looks at a place (h, w, 3) differ by more than light, noise and blurred edges."""
    lit, seen = in_one_light(before, now)
    differs = most_of_colours(cv2.absdiff(lit, seen))
    contrast = most_of_colours(cv2.dilate(lit, _BOX) - cv2.erode(lit, _BOX))
    mask = (differs > CARD_CHANGE.levels + CARD_CHANGE.contrast_share * contrast).astype(np.uint8) * 255
    return cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))


def in_one_light(before: Image, now: Image) -> tuple[Image, Image]:
    """Give two looks (h, w, 3), both a little blurred, the earlier one in the light of the later one."""
    was, seen = cv2.blur(before, (3, 3)), cv2.blur(now, (3, 3))
    gains = [_gain(was[..., i], seen[..., i]) for i in range(3)]
    return cv2.merge([cv2.convertScaleAbs(was[..., i], alpha=gain) for i, gain in enumerate(gains)]), seen


def area_mm2(mask: Mask) -> float:
    """Measure what is marked."""
    return float(cv2.countNonZero(mask)) / PX_PER_MM**2


_BOX = np.ones((3, 3), np.uint8)


def _gain(was: Image, seen: Image) -> float:
    """Estimate by how much the light changed, from most of the picture."""
    ratio = (seen[::4, ::4].astype(np.float32) + 2) / (was[::4, ::4].astype(np.float32) + 2)
    return float(np.clip(np.median(ratio), CARD_CHANGE.least_gain, CARD_CHANGE.most_gain))


def find_new(now: Image, mask: Mask, *, reach_mm: float, full_slope: float) -> tuple[FlatCandidate, ...]:
    """Find where cards may have been laid, best first: their sides stand no farther than `reach_mm` from a change.

    `full_slope` is the slope, in grey levels a coarse pixel, from which on a side is fully seen.
    """
    size = (now.shape[1] // COARSE, now.shape[0] // COARSE)
    small = cv2.resize(now, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    marked = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    side = 2 * round(reach_mm * PX_PER_MM / COARSE) + 1
    near = cv2.dilate(marked, np.ones((side, side), np.uint8))
    smooth = cv2.GaussianBlur(small, (0, 0), CARD_CHANGE.blur_px)
    scale = 255 / full_slope / 4
    slopes = _steepest([cv2.Sobel(smooth, cv2.CV_32F, dx, dy, ksize=3, scale=scale) for dx, dy in ((1, 0), (0, 1))])
    wide, tall = (side * PX_PER_MM / COARSE for side in CARD_MM)
    left, top, right, bottom = _box(near, np.hypot(wide, tall) / 2)
    here = np.s_[top:bottom, left:right]
    looks = _Looks(slopes=tuple(slope[here] for slope in slopes), near=near[here], marked=marked[here])
    found: list[Fit] = []
    for turn in np.arange(0.0, 180.0, TURN_DEG):
        sides, cover, back = _turned(looks, float(np.radians(turn)), wide, tall)
        worth = CARD_CHANGE.mean_side * sides.mean(axis=0) + CARD_CHANGE.worst_side * sides.min(axis=0)
        worth = worth + CARD_CHANGE.cover_worth * cover
        for _ in range(MOST):
            _, best, _, (x, y) = cv2.minMaxLoc(worth)
            there = back @ (x, y, 1.0) + (left, top)
            found.append((best, float(sides[:, y, x].mean()), float(cover[y, x]), there[0], there[1], turn))
            cv2.circle(worth, (x, y), int(CARD_CHANGE.apart * wide), -1.0, -1)
    return tuple(_candidate(one, wide, tall) for one in _distinct(found))


def share_within(mask: Mask, quad_px: Array) -> float:
    """Tell how much of what is marked lies on a card."""
    card = np.zeros_like(mask)
    cv2.fillConvexPoly(card, np.rint(quad_px).astype(np.int32), 255)
    card = cv2.dilate(card, np.ones((9, 9), np.uint8))
    return cv2.countNonZero(card & mask) / max(cv2.countNonZero(mask), 1)


def _box(near: Image, reach: float) -> tuple[int, int, int, int]:
    """Box in where the middle of a card may lie that touches what is marked: left, top, right, bottom."""
    x, y, width, height = cv2.boundingRect((near > 0).astype(np.uint8))
    grown = int(np.ceil(reach)) + 1
    return max(x - grown, 0), max(y - grown, 0), x + width + grown, y + height + grown


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Looks:
    """What a search goes by, all (h, w): slopes along x and y (255: full), what is near a change, what changed."""

    slopes: tuple[NDArray[np.float32], ...]
    near: Image
    marked: Image


def _steepest(slopes: list[NDArray[np.float32]]) -> tuple[NDArray[np.float32], ...]:
    """Take at each pixel the slopes (dx, dy) of the colour that is steepest there: (h, w, 3) to (h, w) each."""
    (dx, *others_x), (dy, *others_y) = (cv2.split(slope) for slope in slopes)
    steepness = cv2.magnitude(dx, dy)
    for other_x, other_y in zip(others_x, others_y, strict=True):
        other = cv2.magnitude(other_x, other_y)
        is_steeper = (other > steepness).astype(np.uint8)
        cv2.copyTo(other_x, is_steeper, dx)
        cv2.copyTo(other_y, is_steeper, dy)
        steepness = cv2.max(steepness, other)
    return dx, dy


def _turned(
    looks: _Looks, turn: float, wide: float, tall: float
) -> tuple[NDArray[np.float32], NDArray[np.float32], Array]:
    """Tell of upright cards with their middle at each pixel of the place turned: sides (4, h, w) seen, cover (h, w).

    With them comes the way back (2, 3) from a turned pixel.
    """
    c, s = float(np.cos(turn)), float(np.sin(turn))
    height, width = looks.near.shape
    size = (int(abs(c) * width + abs(s) * height) + 2, int(abs(s) * width + abs(c) * height) + 2)
    back = np.array([[c, -s, 0.0], [s, c, 0.0]])
    back[:, 2] = (np.array([width, height]) - 1) / 2 - back[:, :2] @ ((np.array(size) - 1) / 2)

    def turned(image: Image) -> Image:
        return cv2.warpAffine(image, back, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)

    seen = []
    for (along_x, along_y), length, offset, axis in (((c, s), tall, wide / 2, 0), ((-s, c), wide, tall / 2, 1)):
        slope = cv2.addWeighted(looks.slopes[0], along_x, looks.slopes[1], along_y, 0.0)
        firm = cv2.multiply(cv2.convertScaleAbs(slope), looks.near, scale=1 / 255)
        firm = cv2.dilate(turned(firm), np.ones((2, 2), np.uint8))
        reach = round(CARD_CHANGE.straight * length)
        line = cv2.blur(firm, (1, reach) if axis == 0 else (reach, 1), borderType=cv2.BORDER_CONSTANT)
        seen += [_moved(line, sign * round(offset), axis) for sign in (-1, 1)]
    cover = cv2.blur(turned(looks.marked), (round(wide), round(tall)), borderType=cv2.BORDER_CONSTANT)
    return np.stack(seen).astype(np.float32) / np.float32(255), cover.astype(np.float32) / 255, back


def _moved(image: Image, offset: int, axis: int) -> Image:
    """Look up the image at so many pixels along x (axis 0) or y from each pixel; zero outside."""
    moved = np.zeros_like(image)
    to, of = (
        slice(max(-offset, 0), None if offset <= 0 else -offset),
        slice(max(offset, 0), offset if offset < 0 else None),
    )
    if axis == 0:
        moved[:, to] = image[:, of]
    else:
        moved[to] = image[of]
    return moved


def _quad(x: float, y: float, turn: float, wide: float, tall: float) -> Array:
    c, s = np.cos(turn), np.sin(turn)
    corners = np.array([(-wide, -tall), (wide, -tall), (wide, tall), (-wide, tall)]) / 2
    return corners @ np.array([[c, s], [-s, c]]) + [x, y]


def _distinct(found: list[Fit]) -> list[Fit]:
    kept: list[Fit] = []
    reach = CARD_CHANGE.same_mm * PX_PER_MM / COARSE
    for one in sorted(found, reverse=True):
        if one[1] < CARD_CHANGE.least_sides:
            continue
        if all(
            np.hypot(one[3] - k[3], one[4] - k[4]) > reach or _apart(one[5], k[5]) > CARD_CHANGE.same_deg for k in kept
        ):
            kept.append(one)
    return kept[:MOST]


def _apart(a: float, b: float) -> float:
    return abs((a - b + 90) % 180 - 90)


def _candidate(found: Fit, wide: float, tall: float) -> FlatCandidate:
    _, sides, cover, x, y, turn = found
    quad = _quad(x, y, np.radians(turn), wide, tall)
    return FlatCandidate(quad_px=(quad + 0.5) * COARSE - 0.5, sides=min(sides, 1.0), cover=min(cover, 1.0))
