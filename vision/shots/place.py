"""The place in which a cap rests: whether the cap is still there, gone, or covered by something."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, ON_FILMS, Tuning, tuned
from linesies.vision.caps.cap import Cap
from linesies.vision.picture.background import Background
from linesies.vision.picture.frame import Image
from linesies.vision.picture.shift import REACH_RADII
from linesies.vision.picture.small_picture import px_to_small, small_to_px


@dataclass(frozen=True)
class PlaceTuning(Tuning):
    """How a cap's place looks with it, and without it."""

    seen_height: float = tuned(
        0.6,
        title="share of a cap's height at which its middle is seen",
        unit="1",
        low=0,
        high=1,
        source="geometry: what is seen of a cap is its top (1) and one side (0 to 1)",
    )
    overlap: float = tuned(
        0.85,
        title="of two radii: nearer to a cap that is there, none lies, and what seems to is no cap",
        unit="1",
        low=0.4,
        high=1,
        source=by_hand_in("2d4b5cf"),
    )
    near_radii: float = tuned(
        0.6,
        title="how far from a place's middle is the same place, in radii",
        unit="1",
        low=0.1,
        high=1.5,
        source=ON_FILMS,
    )
    there_share: float = tuned(
        0.7,
        title="of the disc, what looks as before while the cap is there",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("cd19fdd"),
    )
    bare_share: float = tuned(
        0.65,
        title="of the disc, what looks like ground once it is bare",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("cd19fdd"),
    )
    least_own: float = tuned(
        0.4, title="of the disc, what no other cap covers", unit="1", low=0.05, high=1, source=by_hand_in("20042aa")
    )
    least_beside: float = tuned(
        0.7,
        title="of the ground about a cap, what must not be hidden by glare to tell whether a finger waits there",
        unit="1",
        low=0.1,
        high=1,
        source=BY_HAND,
    )
    faint_left: float = tuned(
        0.7,
        title="of what tells the cap from the ground under it, what is gone once it is bare",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("b407613"),
    )
    least_telling_levels2: float = tuned(
        1500.0,
        title="grey levels squared, summed over a place, by which the cap is told from the ground under it",
        unit="levels2",
        low=200,
        high=20000,
        source="by reckoning: five levels in each plane of a disc of 21 pixels, which an error of three leaves right; "
        "seen: 2000 of a grey cap on grey ground of world=varied 3302, of which 0.02 are left once it is gone",
    )
    beside_from_radii: float = tuned(
        1.2,
        title="about a cap, from where the finger is looked for that shoots it",
        unit="1",
        low=1,
        high=3,
        source=BY_HAND,
    )
    beside_to_radii: float = tuned(3.0, title="up to where it is", unit="1", low=1.5, high=8, source=BY_HAND)
    beside_to_mm: float = tuned(
        50.0,
        title="and at least up to here, however small the cap: so long is a finger",
        unit="mm",
        low=20,
        high=120,
        source="hands cocked 36 mm from the middle of crowns of 28.5 mm, unseen at ten shots of the street 985004",
    )
    least_radius_small: float = tuned(
        1.5,
        title="least radius of a disc that is looked at, in the small picture",
        unit="px",
        low=0.5,
        high=5,
        source=BY_HAND,
    )


PLACE = PlaceTuning()

REACH_PX = 6  # about what a comparison needs


class Presence(Enum):
    """What a look at a cap's place says."""

    THERE = "there"
    BARE = "bare"
    COVERED = "covered"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place:
    """Where a cap rests: its footprint's centre on the board, and its disc in the small picture.

    A small pixel spans `shrink` full ones.
    """

    cap: Cap
    xy_mm: tuple[float, float]
    centre_small: NDArray[np.float64]
    radius_small: float
    shrink: int
    rows: slice
    columns: slice
    disc: NDArray[np.bool_]

    @property
    def centre_px(self) -> NDArray[np.float64]:
        """Where its middle is seen in the whole picture (2,)."""
        return small_to_px(self.centre_small[None], self.shrink)[0]

    @property
    def radius_px(self) -> float:
        """The radius of its disc in the whole picture."""
        return self.radius_small * self.shrink

    @property
    def window_px(self) -> tuple[slice, slice]:
        """The rows and columns of the whole picture in which its disc is compared, moved or not."""
        reach = REACH_RADII * self.radius_px + REACH_PX
        x, y = self.centre_px
        return slice(max(int(y - reach), 0), int(y + reach) + 1), slice(max(int(x - reach), 0), int(x + reach) + 1)

    def is_within(self, xy_small: NDArray[np.float64], *, radii: float) -> bool:
        """Tell whether a point (2,) of the small picture lies so near its middle."""
        return bool(np.hypot(*(xy_small - self.centre_small)) < radii * self.radius_small)


def place_at(calibration: Calibration, cap: Cap, xy_mm: tuple[float, float], *, shrink: int) -> Place | None:
    """Find the disc of a cap that rests at `xy_mm`; None where the picture does not show it."""
    centre = cap_to_small(calibration, cap, np.array([xy_mm]), shrink)[0]
    radius = radius_small_of(calibration, cap, xy_mm, shrink)
    width, height = (side // shrink for side in calibration.view.lens.size_px)
    x0, x1 = max(int(centre[0] - radius), 0), min(int(np.ceil(centre[0] + radius)) + 1, width)
    y0, y1 = max(int(centre[1] - radius), 0), min(int(np.ceil(centre[1] + radius)) + 1, height)
    if x1 - x0 < radius or y1 - y0 < radius:
        return None
    ys, xs = np.mgrid[y0:y1, x0:x1]
    disc = (xs - centre[0]) ** 2 + (ys - centre[1]) ** 2 <= max(radius, PLACE.least_radius_small) ** 2
    return Place(
        cap=cap,
        xy_mm=xy_mm,
        centre_small=centre,
        radius_small=radius,
        shrink=shrink,
        rows=slice(y0, y1),
        columns=slice(x0, x1),
        disc=disc,
    )


def own_part(place: Place, others: Iterable[Place]) -> Place:
    """Leave out of a cap's disc what others beside it cover, unless that is most: it says nothing of this one."""
    ys, xs = np.mgrid[place.rows, place.columns]
    disc = place.disc.copy()
    for other in others:
        disc &= np.hypot(xs - other.centre_small[0], ys - other.centre_small[1]) > other.radius_small
    return (
        replace(place, disc=disc) if np.count_nonzero(disc) >= PLACE.least_own * np.count_nonzero(place.disc) else place
    )


def presence_at(place: Place, ground: Background, small: Image) -> Presence:
    """Look at a cap's place in the small picture.

    Where a cap lies on ground of its own colour, it looks both as at rest and like bare ground, and what tells the two
    apart decides.
    """
    seems_there, seems_bare = _seems(place, ground, small)
    if seems_there:
        return Presence.BARE if seems_bare and _has_left_faintly(place, ground, small) else Presence.THERE
    return Presence.BARE if seems_bare else Presence.COVERED


def has_lain(place: Place, ground: Background, small: Image) -> bool:
    """Tell whether what is seen in a place was there in the scene at rest already, and is not the bare ground."""
    seems_there, seems_bare = _seems(place, ground, small)
    return seems_there and not seems_bare


def _seems(place: Place, ground: Background, small: Image) -> tuple[bool, bool]:
    """Tell whether a place looks as at rest, and whether like bare ground: it may be both."""
    rest, bare = (mask[place.disc] for mask in ground.looks_like(small, (place.rows, place.columns)))
    seems_there = np.count_nonzero(rest) >= PLACE.there_share * rest.size
    return bool(seems_there), bool(np.count_nonzero(bare) >= PLACE.bare_share * bare.size)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Surroundings:
    """The ground about a cap in the small picture: `ring` (h, w), in a window that may go beyond the picture."""

    rows: slice
    columns: slice
    ring: NDArray[np.bool_]

    @classmethod
    def of(cls, place: Place) -> "Surroundings":
        """Mark where the finger is that shoots a cap."""
        near, far = (radii * place.radius_small for radii in (PLACE.beside_from_radii, PLACE.beside_to_radii))
        far = max(far, PLACE.beside_to_mm * 2 * place.radius_small / place.cap.diameter_mm)
        x, y = place.centre_small
        rows, columns = slice(max(int(y - far), 0), int(y + far) + 2), slice(max(int(x - far), 0), int(x + far) + 2)
        ys, xs = np.ogrid[rows, columns]
        away = np.hypot(xs - x, ys - y)
        return cls(rows=rows, columns=columns, ring=(away > near) & (away <= far))

    def share_changed(self, ground: Background, small: Image) -> float | None:
        """Measure what share of it does not look as it did at rest; None where glare hides too much of it."""
        window = (self.rows, self.columns)
        is_rest = ground.looks_at_rest(small, window)
        ring = self.ring[: is_rest.shape[0], : is_rest.shape[1]]
        seen = ring & ground.can_show(window)
        count = int(np.count_nonzero(seen))
        if count < PLACE.least_beside * np.count_nonzero(ring):
            return None
        return 1.0 - int(np.count_nonzero(is_rest[seen])) / max(count, 1)

    def shade(self, ground: Background, small: Image) -> NDArray[np.float64]:
        """Measure by how many levels the usual pixel of it is darker in each plane (3,) than at rest.

        Of those that look as at rest: what is no slight shade is none of the light that lies on the cap too.
        """
        window = (self.rows, self.columns)
        is_rest = ground.looks_at_rest(small, window)
        seen = self.ring[: is_rest.shape[0], : is_rest.shape[1]] & (is_rest > 0)
        darker = ground.rest[window][seen].astype(np.float64) - small[window][seen]
        return np.median(darker, axis=0) if len(darker) else np.zeros(3)


def _has_left_faintly(place: Place, ground: Background, small: Image) -> bool:
    """Tell whether a place that looks both ways looks like bare ground in whatever tells the two apart.

    Each pixel counts by how much it tells: of a cap much like its ground none tells enough, but all together do. What
    the ground about it shows as well is shade, or light.
    """
    pictures = (small, ground.rest, ground.bare)
    seen, rest, bare = (p[place.rows, place.columns][place.disc].astype(np.int32) for p in pictures)
    tells = rest - bare
    telling2 = int((tells**2).sum())
    darker = rest - seen - Surroundings.of(place).shade(ground, small)
    left = float((darker * tells).sum())
    return telling2 >= PLACE.least_telling_levels2 and left > PLACE.faint_left * telling2


def cap_to_small(calibration: Calibration, cap: Cap, xy_mm: NDArray[np.float64], shrink: int) -> NDArray[np.float64]:
    """Where caps at board points (N, 2) are seen in the small picture: (N, 2)."""
    return px_to_small(calibration.view.mm_to_px(xy_mm, PLACE.seen_height * cap.height_mm), shrink)


def radius_small_of(calibration: Calibration, cap: Cap, xy_mm: tuple[float, float], shrink: int) -> float:
    """Measure the radius of a cap's image in the small picture."""
    return cap.diameter_mm / 2 * calibration.view.px_per_mm(np.array(xy_mm)) / shrink
