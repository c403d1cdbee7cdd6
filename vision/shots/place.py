"""A cap at rest in its place: whether it is still there, gone, or covered by something."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.vision.caps.cap import Cap
from linesies.vision.picture.background import Background
from linesies.vision.picture.frame import Image
from linesies.vision.picture.small_picture import px_to_small

SEEN_HEIGHT = 0.6  # share of a cap's height at which its middle is seen
OVERLAP = 0.85  # of two radii: nearer than that, no two caps lie
THERE_SHARE = 0.7  # of the disc that looks as before
BARE_SHARE = 0.65  # of the disc that looks like ground
LEAST_OWN = 0.4  # of a disc that no other covers
TELLING_LEVELS = 18  # grey levels, over luma and colour, by which a pixel tells cap from ground
LEAST_TELLING = 4  # pixels
FAINT_LEFT = 0.7  # of the telling pixels that look like ground


class Presence(Enum):
    """What a look at a cap's place says."""

    THERE = "there"
    BARE = "bare"
    COVERED = "covered"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place:
    """Where a cap rests: its footprint's centre on the board, and its disc in the small picture."""

    cap: Cap
    xy_mm: tuple[float, float]
    centre_small: NDArray[np.float64]
    radius_small: float
    rows: slice
    columns: slice
    disc: NDArray[np.bool_]


def stand_at(calibration: Calibration, cap: Cap, xy_mm: tuple[float, float], *, shrink: int) -> Place | None:
    """Find the disc of a cap that rests at `xy_mm`; None where the picture does not show it."""
    centre = cap_to_small(calibration, cap, np.array([xy_mm]), shrink)[0]
    radius = radius_small_of(calibration, cap, xy_mm, shrink)
    width, height = (side // shrink for side in calibration.view.lens.size_px)
    x0, x1 = max(int(centre[0] - radius), 0), min(int(np.ceil(centre[0] + radius)) + 1, width)
    y0, y1 = max(int(centre[1] - radius), 0), min(int(np.ceil(centre[1] + radius)) + 1, height)
    if x1 - x0 < radius or y1 - y0 < radius:
        return None
    ys, xs = np.mgrid[y0:y1, x0:x1]
    disc = (xs - centre[0]) ** 2 + (ys - centre[1]) ** 2 <= max(radius, 1.5) ** 2
    return Place(
        cap=cap,
        xy_mm=xy_mm,
        centre_small=centre,
        radius_small=radius,
        rows=slice(y0, y1),
        columns=slice(x0, x1),
        disc=disc,
    )


def own_part(stand: Place, others: Iterable[Place]) -> Place:
    """Leave out of a cap's disc what others beside it cover, unless that is most: it says nothing of this one."""
    ys, xs = np.mgrid[stand.rows, stand.columns]
    disc = stand.disc.copy()
    for other in others:
        disc &= np.hypot(xs - other.centre_small[0], ys - other.centre_small[1]) > other.radius_small
    return replace(stand, disc=disc) if np.count_nonzero(disc) >= LEAST_OWN * np.count_nonzero(stand.disc) else stand


def presence_at(stand: Place, ground: Background, small: Image) -> Presence:
    """Look at a cap's place in the small picture.

    Where a cap lies on paint of its own colour, it looks both as at rest and like bare ground, and the few pixels that
    tell the two apart decide.
    """
    rest, bare = (mask[stand.disc] for mask in ground.looks_like(small, (stand.rows, stand.columns)))
    seems_bare = np.count_nonzero(bare) >= BARE_SHARE * bare.size
    if np.count_nonzero(rest) >= THERE_SHARE * rest.size:
        return Presence.BARE if seems_bare and _has_left_faintly(stand, ground, small) else Presence.THERE
    return Presence.BARE if seems_bare else Presence.COVERED


def _has_left_faintly(stand: Place, ground: Background, small: Image) -> bool:
    pictures = (small, ground.rest, ground.bare)
    seen, rest, bare = (p[stand.rows, stand.columns][stand.disc].astype(np.int16) for p in pictures)
    tells = np.abs(rest - bare).sum(axis=1) >= TELLING_LEVELS
    if np.count_nonzero(tells) < LEAST_TELLING:
        return False
    like_rest = np.abs(seen - rest).sum(axis=1)[tells]
    like_bare = np.abs(seen - bare).sum(axis=1)[tells]
    return bool(np.mean(like_bare < 0.6 * like_rest) > FAINT_LEFT)


def cap_to_small(calibration: Calibration, cap: Cap, xy_mm: NDArray[np.float64], shrink: int) -> NDArray[np.float64]:
    """Where caps at board points (N, 2) are seen in the small picture: (N, 2)."""
    return px_to_small(calibration.view.mm_to_px(xy_mm, SEEN_HEIGHT * cap.height_mm), shrink)


def radius_small_of(calibration: Calibration, cap: Cap, xy_mm: tuple[float, float], shrink: int) -> float:
    """Measure the radius of a cap's image in the small picture."""
    return cap.diameter_mm / 2 * calibration.view.px_per_mm(np.array(xy_mm)) / shrink
