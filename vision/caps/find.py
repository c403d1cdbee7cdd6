"""Where something cap-sized lies that was not there when the board was empty.

A picture differs from the empty one by light as well: clouds, people's shadows. A median over more than a
cap's width gives the light's local gain, edges of shadows included; what is left after it is compared with
noise and with what a small shake of the camera does at edges. A spot is cap-like when it has changed inside
and less so round about, and when the ground's texture is gone: shadows keep texture.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.caps.body import body_middle
from linesies.vision.caps.cap import Cap
from linesies.vision.caps.change import Plane, change_of, lifted, light_window, split_stored
from linesies.vision.caps.moved_light import change_in_moved_light
from linesies.vision.caps.pictures import BeforeAndNow
from linesies.vision.caps.size import Peak, Sizes, Views
from linesies.vision.caps.spot import Spot, measure_spot
from linesies.vision.picture.bands import bands
from linesies.vision.picture.layout import Image
from linesies.vision.pieces import Pieces

SEEN_FIRST = (
    "by hand: of 400 caps of the public scenes and world=varied 17400 to 17407, 17410 to 17461 five lie at peaks after "
    "the first 60, and the scout tells of most of them, 2026-11-29"
)


@dataclass(frozen=True)
class FindTuning(Tuning):
    """Where something cap-sized has changed."""

    smallest_cap_px: float = tuned(
        6.0,
        title="width of the smallest cap in the shrunk picture, in which peaks are looked for",
        unit="px",
        low=3,
        high=20,
        source=by_hand_in("e3e1e39"),
    )
    stands_out: float = tuned(
        0.18, title="least change of a peak, less that round about", unit="1", low=0.02, high=0.8, source=BY_HAND
    )
    has_changed: float = tuned(0.3, title="least change within a peak", unit="1", low=0.05, high=0.9, source=BY_HAND)
    size_step: float = tuned(
        1.09,
        title="ratio of one diameter that is tried to the next",
        unit="1",
        low=1.02,
        high=1.5,
        source=by_hand_in("4c19ad6"),
    )
    peak_sizes: int = tuned(
        3,
        title="diameters, of which one is tried when peaks are looked for",
        unit="1",
        low=1,
        high=8,
        source=by_hand_in("e3e1e39"),
    )
    looked_at: int = tuned(
        400, title="peaks at most that are looked at", unit="1", low=50, high=5000, source=by_hand_in("61110c0")
    )
    measured: int = tuned(
        40,
        title="peaks at most that are measured, so that a wholly changed picture takes no longer than a crowded one",
        unit="1",
        low=8,
        high=500,
        source=by_hand_in("61110c0"),
    )
    most_peaks: int = tuned(
        60,
        title="peaks at most that the nets look at",
        unit="1",
        low=50,
        high=2000,
        source=SEEN_FIRST,
    )
    most_in_moved_light: int = tuned(
        20, title="peaks at most that moved light adds", unit="1", low=0, high=1000, source=SEEN_FIRST
    )
    texture: float = tuned(
        0.9,
        title="by how much of its change a peak counts less that shows the ground's whole texture",
        unit="1",
        low=0,
        high=1,
        source=BY_HAND,
    )
    same_peak: float = tuned(
        0.5,
        title="of two radii: peaks that are nearer are one",
        unit="1",
        low=0.1,
        high=1,
        source=by_hand_in("1fecc31"),
    )
    same_spot: float = tuned(
        0.25,
        title="of two radii: spots that are nearer are one",
        unit="1",
        low=0.05,
        high=1,
        source=by_hand_in("1fecc31"),
    )
    same_unknown: float = tuned(
        0.6,
        title="likewise, of caps whose sizes are only guessed: no two lie that near",
        unit="1",
        low=0.1,
        high=1,
        source=by_hand_in("4837cfc"),
    )
    shadow_reach: float = tuned(
        1.3,
        title="of two radii: how far apart a cap and its shadow lie at most",
        unit="1",
        low=0.5,
        high=4,
        source=by_hand_in("4c19ad6"),
    )
    light_window: float = tuned(
        2.4,
        title="widths of the largest cap, over which the light is evened out",
        unit="1",
        low=1.2,
        high=8,
        source=by_hand_in("4c19ad6"),
    )
    narrowest: float = tuned(
        0.9,
        title="of the narrowest listed cap, the narrowest disc that is tried",
        unit="1",
        low=0.5,
        high=1,
        source=BY_HAND,
    )
    widest: float = tuned(
        1.26, title="of the widest listed cap, the widest disc that is tried", unit="1", low=1, high=2, source=BY_HAND
    )
    core: float = tuned(
        0.75,
        title="of a disc, the square in its middle that must have changed",
        unit="1",
        low=0.3,
        high=1,
        source=BY_HAND,
    )
    round_about: float = tuned(
        1.6,
        title="of a disc, the square of which the rest lies round about it",
        unit="1",
        low=1.1,
        high=4,
        source=BY_HAND,
    )
    change_beside: float = tuned(
        0.6, title="what change round about counts against that within", unit="1", low=0, high=1, source=BY_HAND
    )
    texture_px: float = tuned(
        2.0, title="blur from which the ground's texture is told apart", unit="px", low=0.5, high=8, source=BY_HAND
    )


FIND = FindTuning()

Rows = NDArray[np.float64]  # peaks (N, 4) before most of them are dropped: x, y, radius in px, change

QUIET = 1e-6  # keeps shares finite where there is no texture

USUAL_MM = (25.0, 42.0)  # from a crown cap to a wide plastic lid (Skully's book has caps of 0.5 to 2 inches, 1.7.5)
CROWN_HEIGHT_MM = 6.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Peaks:
    """Where a picture changed as a cap would change it, the most changed first.

    `changed` tells how surely each pixel did, 0 to 1, of the picture shrunk by `shrink`.
    """

    peaks: tuple[Peak, ...]
    changed: Plane
    shrink: float


def find_peaks(pictures: BeforeAndNow, finder: "Finder") -> Pieces[Peaks]:
    """Find where something has changed as a cap would change it."""
    peaks = finder.peaks(pictures.now)
    yield
    return peaks


def find_unknown_caps(picture_bgr: Image, calibration: Calibration) -> tuple[Spot, ...]:
    """Find what looks like a cap of any usual size, the surest first, where no caps have been named yet.

    Shadows are left out, but where a coloured body casts one its middle is told; glass, which shows the ground, isn't
    found without its size.
    """
    usual = tuple(
        Cap(player="", colour_rgb=(0, 0, 0), diameter_mm=diameter_mm, height_mm=CROWN_HEIGHT_MM)
        for diameter_mm in USUAL_MM
    )
    spots = Finder(calibration, usual).spots(picture_bgr) if calibration.has_frame_size(picture_bgr) else []
    found: list[Spot] = []
    for spot in (_on_body(spot, picture_bgr, calibration) for spot in spots):
        if not spot.is_shade and not any(_is_same(spot, other, FIND.same_unknown) for other in found):
            found.append(spot)
    return tuple(found)


def _on_body(spot: Spot, picture_bgr: Image, calibration: Calibration) -> Spot:
    """Put a spot on the coloured body that it shows, or that casts it."""
    body_px = body_middle(picture_bgr, calibration.empty_bgr, spot.xy_px, spot.radius_px)
    return spot if body_px is None else replace(spot, xy_px=body_px, is_shade=False)


class Finder:
    """Remembers the empty picture, shrunk and ready to compare, in as few bytes as will do (nothing else)."""

    def __init__(self, calibration: Calibration, caps: tuple[Cap, ...]) -> None:
        self._view = calibration.view
        self._empty_bgr = calibration.empty_bgr
        smallest_mm, largest_mm = (pick(cap.diameter_mm for cap in caps) for pick in (min, max))
        ends_mm = FIND.narrowest * smallest_mm, FIND.widest * largest_mm
        steps = round(np.log(ends_mm[1] / ends_mm[0]) / np.log(FIND.size_step)) + 1
        self.diameters_mm = tuple(np.geomspace(*ends_mm, steps))
        glass_mm = sorted({cap.diameter_mm for cap in caps if cap.kind == "ring"})
        self._sizes = Sizes(tried_mm=self.diameters_mm, glass_mm=tuple(glass_mm))
        px_per_mm = self._view.px_per_mm(np.array(calibration.board.size_mm) / 2)
        smallest_px = smallest_mm * px_per_mm
        self._shrink = 1.0 / float(
            np.clip(smallest_px // FIND.smallest_cap_px, 1, 4)
        )  # whole steps are fast to average
        self._px_per_mm = px_per_mm * self._shrink
        self._light_window = light_window(FIND.light_window * self.diameters_mm[-1] * self._px_per_mm)
        self._empty = split_stored(self._shrunk(self._empty_bgr))

    def peaks(self, picture_bgr: Image) -> Peaks:
        """Find where a picture (H, W, 3) changed as a cap would change it, the most changed first."""
        now = split_stored(self._shrunk(picture_bgr))
        changed, gain = change_of(now, self._empty, self._light_window)
        in_moved_light = change_in_moved_light(now, self._empty, gain, self._light_window)
        rows = self._peaks(changed)
        if len(rows) > FIND.looked_at:
            rows = self._unlike_ground(now[0], rows)
        rows = _apart(rows[: FIND.looked_at])[: FIND.most_peaks]
        if in_moved_light is not None:
            both = np.concatenate([rows, self._peaks(in_moved_light)[: FIND.most_peaks]])
            rows = _apart(both)[: len(rows) + FIND.most_in_moved_light]
        return Peaks(peaks=tuple(_read(rows)), changed=changed, shrink=self._shrink)

    def _unlike_ground(self, luma: Image, rows: Rows) -> Rows:
        """Put last, of peaks too many to look at, what shows the ground's own texture: the moved shadows of leaves."""
        now, bare = (_texture(one) for one in (luma, self._empty[0]))
        side = max(round(self.diameters_mm[0] * self._px_per_mm), 3) | 1
        places = np.rint((rows[:, :2] + 0.5) * self._shrink - 0.5).astype(int)
        alike, most, before = (
            cv2.blur(one, (side, side))[places[:, 1], places[:, 0]] for one in (now * bare, now * now, bare * bare)
        )
        kept = alike / np.sqrt(most * before + QUIET)
        worth = rows[:, 3] * (1 - FIND.texture * np.maximum(kept, 0))
        return np.asarray(rows[np.argsort(-worth)], float)

    def spots(self, picture_bgr: Image) -> list[Spot]:
        """Find every cap-like spot of a picture, the most changed first; some may overlap."""
        changed, gain = self._changed(picture_bgr)
        peaks = _read(_apart(self._peaks(changed)[: FIND.looked_at])[: FIND.measured])
        views = Views(now=picture_bgr, empty=self._empty_bgr, gain=gain, shrink=self._shrink)
        places_mm = self._view.px_to_mm(np.array([peak.xy_px for peak in peaks]).reshape(-1, 2))
        measured = (
            measure_spot(self._view, views, peak, xy_mm, self._sizes)
            for peak, xy_mm in zip(peaks, places_mm, strict=True)
        )
        spots: list[Spot] = []
        for spot in sorted(filter(None, measured), key=lambda spot: (spot.is_shade, -spot.change)):
            if not any(_is_same(spot, other, FIND.same_spot) for other in spots):
                spots.append(spot)
        return [spot for spot in spots if not (spot.is_shade and any(_may_shade(other, spot) for other in spots))]

    def _changed(self, picture_bgr: Image) -> tuple[Plane, Plane]:
        """Tell how surely each pixel of the shrunk picture changed, 0 to 1, and the light's local gain."""
        return change_of(split_stored(self._shrunk(picture_bgr)), self._empty, self._light_window)

    def _shrunk(self, bgr: Image) -> Image:
        shrunk = cv2.resize(bgr, None, fx=self._shrink, fy=self._shrink, interpolation=cv2.INTER_AREA)
        return np.asarray(shrunk, np.uint8)

    def _peaks(self, changed: Plane) -> Rows:
        """List the peaks of all sizes, the most changed first."""
        sizes = self.diameters_mm[:: FIND.peak_sizes]
        rows = np.concatenate([self._peaks_as_wide(changed, diameter_mm * self._px_per_mm) for diameter_mm in sizes])
        return np.asarray(rows[np.argsort(-rows[:, 3], kind="stable")], float)

    def _peaks_as_wide(self, changed: Plane, wide: float) -> Rows:
        core, round_about = max(round(wide * FIND.core), 3) | 1, round(wide * FIND.round_about) | 1
        inside = cv2.boxFilter(changed, -1, (core, core))
        score = cv2.boxFilter(changed, -1, (round_about, round_about))
        for rows in bands(len(score)):
            ring = score[rows]
            ring *= round_about**2
            ring -= inside[rows] * core**2
            ring *= np.float32(FIND.change_beside / (round_about**2 - core**2))
            np.subtract(inside[rows], ring, out=ring)
        most = cv2.dilate(score, np.ones((core, core)))
        is_peak = np.empty(score.shape, np.bool_)
        for rows in bands(len(score)):
            stands_out = (score[rows] >= most[rows]) & (score[rows] > FIND.stands_out)
            np.logical_and(stands_out, inside[rows] > FIND.has_changed, out=is_peak[rows])
        places = _places(is_peak)
        radii_px = np.full(len(places), wide / self._shrink / 2)
        return np.column_stack([(places + 0.5) / self._shrink - 0.5, radii_px, score[places[:, 1], places[:, 0]]])


def _read(rows: Rows) -> list[Peak]:
    return [
        Peak(xy_px=np.array([x, y]), radius_px=radius_px, change=change) for x, y, radius_px, change in rows.tolist()
    ]


def _apart(rows: Rows) -> Rows:
    """Keep of peaks, the best first, those that are not too near to a better one."""
    x, y, radii_px, _ = rows.T
    away = np.hypot(np.subtract.outer(x, x), np.subtract.outer(y, y))
    is_near = away < FIND.same_peak * np.add.outer(radii_px, radii_px)
    is_free = np.ones(len(rows), np.bool_)
    for i in range(len(rows)):
        if is_free[i]:
            is_free[i + 1 :] &= ~is_near[i, i + 1 :]
    return np.asarray(rows[is_free], float)


def _is_same(spot: Spot, other: Spot, share: float) -> bool:
    """Tell whether two spots are one and the same: nearer than a share of their radii."""
    return float(np.hypot(*(spot.xy_px - other.xy_px))) < share * (spot.radius_px + other.radius_px)


def _may_shade(body: Spot, shade: Spot) -> bool:
    """Tell whether a spot that looks like shadow may be what another one casts."""
    reach_px = FIND.shadow_reach * (body.radius_px + shade.radius_px)
    return not body.is_shade and float(np.hypot(*(body.xy_px - shade.xy_px))) < reach_px


def _places(mask: NDArray[np.bool_]) -> NDArray[np.int32]:
    found = cv2.findNonZero(mask.view(np.uint8))
    return np.zeros((0, 2), np.int32) if found is None else np.asarray(found).reshape(-1, 2)


def _texture(luma: Image) -> Plane:
    """Give by what share each pixel is brighter than those round about."""
    plane = lifted(luma)
    return np.asarray(plane / cv2.GaussianBlur(plane, (0, 0), FIND.texture_px) - 1, np.float32)
