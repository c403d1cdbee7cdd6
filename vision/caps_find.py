"""Where something cap-sized lies that was not there when the board was empty.

A picture differs from the empty one by light as well: clouds, people's shadows. A median over more than a
cap's width gives the light's local gain, edges of shadows included; what is left after it is compared with
noise and with what a small shake of the camera does at edges. A spot is cap-like when it has changed inside
and less so round about, and when the ground's texture is gone: shadows keep texture.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import Calibration
from vision.caps_light import linear_light
from vision.frame import Image
from vision.kit import Cap

Plane = NDArray[np.float32]

SMALLEST_CAP_PX = 6.0  # caps are looked for in a picture shrunk while the smallest stays this wide
PEAK_SIZES = 3  # peaks are looked for with every third size, and sized with all
LIGHT_STEP = 4  # the local gain is found on a grid this much coarser still
SHAKE_PX = 0.2
SEEN_TOO_WIDE = 1.15  # blur, skirt and the dimmer foot make changed discs look wider than caps
MOST_UNTOUCHED = 0.5  # share of unchanged pixels in a cap; a ring's hole is the most
# ground in shadow correlates better than this with the empty picture; ground at all, better than that
SHADED_TEXTURE, SAME_TEXTURE = 0.75, 0.92
EVEN_LIGHT = 0.35  # spread of the logarithm of brightness that a shadow's edge may cause
LEAST_CONTRAST, GONE_SHARE = 0.35, 0.35  # of what lay there before and has been taken away
NOISE = 0.7  # stored levels that a picture is never better than
SURELY_CHANGED = 25.0  # in variances: where a pixel counts half as changed


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spot:
    """A cap-like spot: its middle in the picture, a rough diameter, and what was measured inside.

    `colours_bgr` (5, 3) are linear colours inside, from its darkest fifth to its brightest, in the light of the
    empty picture; `inner_bgr` and `outer_bgr` (3,) those of its core and of the band round it, `ground_bgr` (3,)
    the empty ground's; `texture` correlates with the empty picture
    (1: untouched); `change` is the share of changed pixels inside less that round about.
    """

    xy_px: NDArray[np.float64]
    diameter_mm: float
    radius_px: float
    change: float
    texture: float
    colours_bgr: NDArray[np.float64]
    inner_bgr: NDArray[np.float64]
    outer_bgr: NDArray[np.float64]
    ground_bgr: NDArray[np.float64]


class Finder:
    """Remembers the empty picture, shrunk and ready to compare (nothing else)."""

    def __init__(self, calibration: Calibration, caps: tuple[Cap, ...]) -> None:
        self._view = calibration.view
        self._empty_bgr = calibration.empty_bgr
        smallest_mm, largest_mm = (pick(cap.diameter_mm for cap in caps) for pick in (min, max))
        steps = round(np.log(1.4 * largest_mm / smallest_mm) / np.log(1.09)) + 1
        self.diameters_mm = list(np.geomspace(0.9 * smallest_mm, 1.26 * largest_mm, steps))
        middle = np.array(calibration.board.size_mm) / 2
        px_per_mm = self._view.px_per_mm(middle)
        smallest = min(cap.diameter_mm for cap in caps) * px_per_mm
        self._shrink = 1.0 / float(np.clip(smallest // SMALLEST_CAP_PX, 1, 4))  # whole steps are fast to average
        self._px_per_mm = px_per_mm * self._shrink
        self._empty = self._shrunk(self._empty_bgr)
        self._edges = [_shaken(plane) for plane in self._empty]

    def _shrunk(self, bgr: Image) -> list[Plane]:
        small = cv2.resize(bgr, None, fx=self._shrink, fy=self._shrink, interpolation=cv2.INTER_AREA)
        luma, *colours = cv2.split(cv2.cvtColor(small, cv2.COLOR_BGR2YCrCb))
        return [luma.astype(np.float32), *(colour.astype(np.float32) - 128 for colour in colours)]

    def spots(self, picture_bgr: Image) -> list[Spot]:
        """Find every cap-like spot of a picture, the most changed first."""
        changed = self._changed(picture_bgr)
        found = []
        for change, xy_px, diameter in self._peaks(changed):
            if not any(np.hypot(*(xy_px - other[1])) < 0.5 * max(diameter, other[2]) for other in found):
                found.append((change, xy_px, diameter))
        spots: list[Spot] = []
        for spot in (self._measure(picture_bgr, xy_px, changed) for _, xy_px, _ in found):
            if spot and all(np.hypot(*(spot.xy_px - other.xy_px)) > 0.5 * spot.radius_px for other in spots):
                spots.append(spot)
        return spots

    def _changed(self, picture_bgr: Image) -> Plane:
        """Tell how surely each pixel of the shrunk picture changed, 0 to 1."""
        now, empty = self._shrunk(picture_bgr), self._empty
        window = max(int(2.4 * self.diameters_mm[-1] * self._px_per_mm / LIGHT_STEP) // 2 * 2 + 1, 5)
        gain = _slow(cv2.divide(now[0] + 4, empty[0] + 4), window, scale=100)
        variances = np.zeros_like(gain)
        for plane, edges in enumerate(self._edges):
            rest = now[plane] - gain * empty[plane]
            if plane:
                rest -= _slow(rest + 64, window, scale=2) - 64
            else:
                rest += 4 * (1 - gain)
            noise = 1.4826 * float(np.median(np.abs(rest[::3, ::3]))) + NOISE
            variances += cv2.divide(rest * rest, edges + noise**2)
        return variances / (variances + SURELY_CHANGED)

    def _peaks(self, changed: Plane) -> list[tuple[float, NDArray[np.float64], float]]:
        peaks = []
        for diameter_mm in self.diameters_mm[::PEAK_SIZES]:
            wide = diameter_mm * self._px_per_mm
            core, round_about = max(round(wide * 0.75), 3) | 1, round(wide * 1.6) | 1
            inside = cv2.boxFilter(changed, -1, (core, core))
            both = cv2.boxFilter(changed, -1, (round_about, round_about))
            ring = (both * round_about**2 - inside * core**2) / (round_about**2 - core**2)
            score = inside - 0.6 * ring
            is_peak = (score >= cv2.dilate(score, np.ones((core, core)))) & (score > 0.25) & (inside > 0.4)
            for x, y in _places(is_peak):
                xy_px = (np.array([x, y]) + 0.5) / self._shrink - 0.5
                peaks.append((float(score[y, x]), xy_px, wide / self._shrink))
        return sorted(peaks, key=lambda peak: -peak[0])

    def _sized(self, changed: Plane, xy_px: NDArray[np.float64]) -> tuple[NDArray[np.float64], float, float]:
        """Try discs of every size near a peak: the best one's middle, the diameter (mm) and the score."""
        px_per_mm = self._view.px_per_mm(self._view.px_to_mm(xy_px[None])[0]) * self._shrink
        room = int(self.diameters_mm[-1] * px_per_mm) + 5
        x, y = np.round((xy_px + 0.5) * self._shrink - 0.5).astype(int)
        x0, y0 = max(x - room, 0), max(y - room, 0)
        part = changed[y0 : y + room + 1, x0 : x + room + 1]
        top, left = max(y - y0 - 3, 0), max(x - x0 - 3, 0)
        scores, places = [], []
        for diameter_mm in self.diameters_mm:
            score = cv2.filter2D(part, -1, _disc_less_ring(diameter_mm * px_per_mm / 2))
            near = score[top : y - y0 + 4, left : x - x0 + 4]
            row, column = np.unravel_index(int(near.argmax()), near.shape)
            scores.append(float(near[row, column]))
            places.append((column + left + x0, row + top + y0))
        best = int(np.argmax(scores))
        diameter_mm = self.diameters_mm[best] * self._finer(scores, best) / SEEN_TOO_WIDE
        return (np.array(places[best]) + 0.5) / self._shrink - 0.5, diameter_mm, scores[best]

    def _finer(self, scores: list[float], best: int) -> float:
        """Tell by what factor the best size lies off its step, by a parabola through its neighbours."""
        i = min(max(best, 1), len(scores) - 2)
        before, at, after = scores[i - 1 : i + 2]
        bend = before - 2 * at + after
        off = 0.5 * (before - after) / bend if bend < -1e-9 else 0.0
        return float((self.diameters_mm[1] / self.diameters_mm[0]) ** (np.clip(off, -1, 1) + i - best))

    def _untouched(self, changed: Plane, xy_px: NDArray[np.float64], radius_px: float) -> float:
        """Tell what share of a disc's pixels did not change."""
        x, y = (xy_px + 0.5) * self._shrink - 0.5
        radius = 0.85 * radius_px * self._shrink
        x0, y0 = max(int(x - radius), 0), max(int(y - radius), 0)
        part = changed[y0 : int(y + radius) + 2, x0 : int(x + radius) + 2]
        rows, columns = np.mgrid[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]]
        inside = np.hypot(columns - x, rows - y) < radius
        return float((part[inside] < 0.3).mean()) if inside.any() else 1.0

    def _measure(self, picture_bgr: Image, near_px: NDArray[np.float64], changed: Plane) -> Spot | None:
        xy_px, diameter_mm, change = self._sized(changed, near_px)
        radius = diameter_mm * self._view.px_per_mm(self._view.px_to_mm(xy_px[None])[0]) / 2
        reach = int(radius * 2.2) + 3
        x, y = np.round(xy_px).astype(int)
        height, width = picture_bgr.shape[:2]
        x0, y0, x1, y1 = max(x - reach, 0), max(y - reach, 0), min(x + reach + 1, width), min(y + reach + 1, height)
        now_bgr, empty_bgr = picture_bgr[y0:y1, x0:x1], self._empty_bgr[y0:y1, x0:x1]
        rows, columns = np.mgrid[y0:y1, x0:x1]
        away = np.hypot(columns - xy_px[0], rows - xy_px[1]) / radius
        ring = (away > 1.4) & (away < 2.1)
        if ring.sum() < 12 or (away < 0.8).sum() < 12:
            return None
        now, empty = linear_light(now_bgr), linear_light(empty_bgr)
        if _has_left(now, empty, away) or self._untouched(changed, xy_px, radius) > MOST_UNTOUCHED:
            return None
        gain = np.median(now[ring] / (empty[ring] + 0.003), axis=0)
        core = away < 0.8
        texture = _correlation(_texture(now_bgr)[core], _texture(empty_bgr)[core])
        if texture > (SHADED_TEXTURE if _is_evenly_lit(now[core], empty[core]) else SAME_TEXTURE):
            return None
        return Spot(
            xy_px=xy_px,
            diameter_mm=diameter_mm,
            radius_px=radius,
            change=change,
            texture=texture,
            colours_bgr=_fifths(now[away < 0.75]) / gain,
            inner_bgr=np.median(now[away < 0.4], axis=0) / gain,
            outer_bgr=np.median(now[(away > 0.45) & (away < 0.8)], axis=0) / gain,
            ground_bgr=np.median(empty[away < 2.1], axis=0).astype(float),
        )


def _has_left(now: Plane, empty: Plane, away: NDArray[np.float64]) -> bool:
    """Tell whether something lay there when the board was called empty, and bare ground is seen now."""
    core, ring = away < 0.6, (away > 1.4) & (away < 2.1)
    stood_out, stands_out = (
        float(np.sqrt((np.log((np.median(p[core], axis=0) + 0.02) / (np.median(p[ring], axis=0) + 0.02)) ** 2).mean()))
        for p in (empty, now)
    )
    return stood_out > LEAST_CONTRAST and stands_out < GONE_SHARE * stood_out


def _is_evenly_lit(now: Plane, empty: Plane) -> bool:
    """Tell whether pixels (N, 3) differ from those of the empty picture by about one factor, as in shadow."""
    return float(np.log((now.sum(axis=-1) + 0.01) / (empty.sum(axis=-1) + 0.01)).std()) < EVEN_LIGHT


@lru_cache(maxsize=512)
def _kernel(tenths_px: int) -> Plane:
    radius = tenths_px / 10
    n = int(radius + 3.5)
    rows, columns = np.mgrid[-n : n + 1, -n : n + 1]
    away = np.hypot(rows, columns)
    disc = np.clip(radius - away + 0.5, 0, 1)
    ring = np.clip(away - radius + 0.5, 0, 1) * np.clip(radius + 3.0 - away, 0, 1)
    return np.asarray(disc / disc.sum() - ring / ring.sum(), np.float32)


def _disc_less_ring(radius_px: float) -> Plane:
    return _kernel(round(radius_px * 10))


def _fifths(colours: Plane) -> NDArray[np.float64]:
    """Average colours (N, 3) by fifths of brightness: (5, 3)."""
    ordered = colours[np.argsort(colours.sum(axis=-1))]
    return np.array([part.mean(axis=0) for part in np.array_split(ordered, 5)], float)


def _places(mask: NDArray[np.bool_]) -> NDArray[np.int32]:
    found = cv2.findNonZero(mask.astype(np.uint8))
    return np.zeros((0, 2), np.int32) if found is None else np.asarray(found).reshape(-1, 2)


def _slow(plane: Plane, window: int, *, scale: float) -> Plane:
    """Take the median of a plane (of 0 to 255 / scale) over windows of its coarser grid."""
    coarse = cv2.resize(plane, None, fx=1 / LIGHT_STEP, fy=1 / LIGHT_STEP, interpolation=cv2.INTER_AREA)
    median = cv2.medianBlur(np.clip(coarse * scale, 0, 255).astype(np.uint8), window)
    return cv2.resize(median.astype(np.float32) / scale, (plane.shape[1], plane.shape[0]))


def _shaken(plane: Plane) -> Plane:
    """Give the variance that a small shake of the camera causes at each pixel."""
    across, down = (cv2.Sobel(plane, cv2.CV_32F, *step, scale=0.125) for step in ((1, 0), (0, 1)))
    return SHAKE_PX**2 * (across**2 + down**2)


def _texture(bgr: Image) -> Plane:
    luma = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY).astype(np.float32) + 3
    return luma / cv2.GaussianBlur(luma, (0, 0), 2.0) - 1


def _correlation(a: Plane, b: Plane) -> float:
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum() + 1e-9))
