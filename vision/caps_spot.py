"""One cap-like spot, measured: its size, its colours, and whether it is more than a change of light."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import View
from vision.caps_change import Plane, changed_share, shaken, split_planes
from vision.caps_light import linear_light
from vision.frame import Image

Array = NDArray[np.float64]

SMALLEST_SIZED_PX = 10.0  # a spot is sized in a picture shrunk while the smallest cap stays this wide
SEEN_TOO_WIDE = 1.12  # blur, skirt and the dimmer foot make changed discs look wider than caps
CLEAR_IN_LUMA = 0.4  # a score from which luma alone tells the size
NEAR_PX = 3  # how far a spot's middle may lie from its peak, in the shrunk picture
HOLE, BAND = 0.4, (0.45, 0.8)  # of the radius: what a ring of glass leaves free, and what it covers, shadow and all
RING_CONTRAST = 0.18  # so much brighter, by logarithm, is the hole of a ring; no shadow has one
CENTRE = 0.35  # of the radius, where caps bear a sign of another colour
MOST_UNTOUCHED = 0.5  # share of unchanged pixels in a cap; a ring's hole is the most
# ground in shadow correlates better than this with the empty picture; ground at all, better than that
SHADED_TEXTURE, SAME_TEXTURE = 0.75, 0.92
SHADOW_TINT = 0.7  # by how much more, as a logarithm, a shadow may take of one colour than of another
EVEN_LIGHT = 0.35  # spread of the logarithm of brightness that a shadow's edge may cause
SHADE_SHARES = (0.25, 0.85)  # how much light shadows leave
SHADE_TINT, SHADE_MOST = 0.4, 0.55
LEAST_CONTRAST, GONE_SHARE = 0.35, 0.35  # of what lay there before and has been taken away
GROUND_CONTRAST = 0.3  # bare ground stands out from ground by less


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Peak:
    """Where a picture changed more than round about: its middle, the radius of that, and by how much."""

    xy_px: Array
    radius_px: float
    change: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spot:
    """A cap-like spot: its middle in the picture, its size, and its colours.

    `colours_bgr` (5, 3) are linear colours round its centre, from the darkest fifth to the brightest, in the light
    of the empty picture; `hole_bgr` and `band_bgr` (3,) are logarithms of how much darker the ground got in its core
    and in the band round it. `change` is the share of changed pixels inside less that round about; `is_shade` says
    that it looks like that ground in shadow. `steepness` is 1 where the camera looks straight down, 0 along the
    ground.
    """

    xy_px: Array
    diameter_mm: float
    radius_px: float
    change: float
    colours_bgr: Array
    hole_bgr: Array
    band_bgr: Array
    is_shade: bool
    steepness: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Views:
    """A picture, the empty one, and how much brighter the light is than then: a plane that may be `shrink` as large."""

    now: Image
    empty: Image
    gain: Plane
    shrink: float

    @property
    def pictures(self) -> tuple[Image, Image]:
        """Both pictures, the present one first."""
        return self.now, self.empty

    def gain_in(self, rows: slice, columns: slice, size: tuple[int, int]) -> Plane:
        """Cut the gain of a window (rows, columns of the picture) and draw it at a size (width, height)."""
        top, left = int(rows.start * self.shrink), int(columns.start * self.shrink)
        bottom, right = int(np.ceil(rows.stop * self.shrink)), int(np.ceil(columns.stop * self.shrink))
        return np.asarray(cv2.resize(self.gain[top:bottom, left:right], size), np.float32)


def measure_spot(view: View, views: Views, peak: Peak, diameters_mm: tuple[float, ...]) -> Spot | None:
    """Measure what lies at a peak; None where it is no more than light, or has left."""
    pictures = views.pictures
    cut = _cut(pictures, peak.xy_px, peak.radius_px)
    if cut is None or cut.is_ground():
        return None
    xy_mm = view.px_to_mm(peak.xy_px[None])[0]
    px_per_mm = view.px_per_mm(xy_mm)
    xy_px, diameter_mm, change, untouched = _size(views, peak, [d * px_per_mm for d in diameters_mm], px_per_mm)
    cut = _cut(pictures, xy_px, diameter_mm * px_per_mm / 2)
    if cut is None or untouched > MOST_UNTOUCHED or cut.is_ground() or cut.has_left():
        return None
    gain = np.median(cut.now[cut.ring] / (cut.empty[cut.ring] + 0.003), axis=0)
    hole = cut.darkening(cut.away < HOLE, gain)
    band = cut.darkening((cut.away > BAND[0]) & (cut.away < BAND[1]), gain)
    return Spot(
        xy_px=xy_px,
        diameter_mm=diameter_mm,
        radius_px=diameter_mm * px_per_mm / 2,
        change=change,
        colours_bgr=_fifths(cut.now[(cut.away > CENTRE) & (cut.away < 0.9)]) / gain,
        hole_bgr=hole,
        band_bgr=band,
        is_shade=float((hole - band).mean()) < RING_CONTRAST and cut.is_shade(gain),
        steepness=float(view.camera_height_mm / np.linalg.norm(view.camera_mm - (*xy_mm, 0.0))),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Cut:
    """A spot and its surroundings: linear light, texture, and each pixel's distance from the middle in radii."""

    now: Plane
    empty: Plane
    texture_now: Plane
    texture_empty: Plane
    away: Array

    @property
    def ring(self) -> NDArray[np.bool_]:
        return (self.away > 1.4) & (self.away < 2.1)

    def is_ground(self) -> bool:
        """Tell whether the empty ground's texture is still seen, be it in shadow."""
        core = self.away < 0.8
        texture = _correlation(self.texture_now[core], self.texture_empty[core])
        light = np.log((self.now[core].sum(axis=-1) + 0.01) / (self.empty[core].sum(axis=-1) + 0.01))
        is_tinted = np.ptp(self.darkening(core, np.ones(3))) > SHADOW_TINT
        return texture > (SHADED_TEXTURE if light.std() < EVEN_LIGHT else SAME_TEXTURE) and not is_tinted

    def darkening(self, where: NDArray[np.bool_], gain: Array) -> Array:
        """Give the logarithm of how bright pixels are beside their own ground, be it painted or not: (3,)."""
        ratios = np.log((self.now[where] / gain + 0.02) / (self.empty[where] + 0.02))
        return np.asarray(np.median(ratios, axis=0), float)

    def is_shade(self, gain: Array) -> bool:
        """Tell whether most of the core is its own ground made darker, in much the same colour."""
        core = self.away < 0.7
        now, empty = self.now[core], self.empty[core] * gain
        share = now.sum(axis=-1) / (empty.sum(axis=-1) + 0.01)
        tint = np.abs(now - empty * share[:, None]).max(axis=-1) / (now.mean(axis=-1) + 0.02)
        return float(((share > SHADE_SHARES[0]) & (share < SHADE_SHARES[1]) & (tint < SHADE_TINT)).mean()) > SHADE_MOST

    def has_left(self) -> bool:
        """Tell whether something lay there when the board was called empty, and bare ground is seen now."""
        core, ring = self.away < 0.6, self.ring
        stood_out, stands_out = (
            float(
                np.sqrt((np.log((np.median(p[core], axis=0) + 0.02) / (np.median(p[ring], axis=0) + 0.02)) ** 2).mean())
            )
            for p in (self.empty, self.now)
        )
        return stood_out > LEAST_CONTRAST and stands_out < min(GONE_SHARE * stood_out, GROUND_CONTRAST)


def _cut(pictures: tuple[Image, Image], xy_px: Array, radius_px: float) -> _Cut | None:
    reach = int(radius_px * 2.2) + 3
    part = _window(pictures[0], xy_px, reach)
    now_bgr, empty_bgr = (picture[part] for picture in pictures)
    rows, columns = np.mgrid[part]
    away = np.hypot(columns - xy_px[0], rows - xy_px[1]) / radius_px
    if ((away > 1.4) & (away < 2.1)).sum() < 12 or (away < 0.4).sum() < 4:
        return None
    return _Cut(
        now=linear_light(now_bgr),
        empty=linear_light(empty_bgr),
        texture_now=_texture(now_bgr),
        texture_empty=_texture(empty_bgr),
        away=away,
    )


def _window(picture: Image, xy_px: Array, reach_px: int) -> tuple[slice, slice]:
    height, width = picture.shape[:2]
    x, y = np.round(xy_px).astype(int)
    return (
        slice(max(y - reach_px, 0), min(y + reach_px + 1, height)),
        slice(max(x - reach_px, 0), min(x + reach_px + 1, width)),
    )


def _size(views: Views, peak: Peak, diameters_px: list[float], px_per_mm: float) -> tuple[Array, float, float, float]:
    """Try discs of every size near a peak: the best one's middle, diameter (mm), score, and share of it unchanged."""
    step = int(np.clip(diameters_px[0] // SMALLEST_SIZED_PX, 1, 4))
    rows, columns = _window(views.now, peak.xy_px, int(diameters_px[-1]) + 5 * step)
    now, empty = (
        split_planes(cv2.resize(p[rows, columns], None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA))
        for p in views.pictures
    )
    gain = views.gain_in(rows, columns, now[0].shape[::-1])
    rests = [now[0] + 4 - gain * (empty[0] + 4)]
    rests += [rest - np.median(rest) for rest in (n - gain * e for n, e in zip(now[1:], empty[1:], strict=True))]
    x, y = ((peak.xy_px - (columns.start, rows.start) + 0.5) / step - 0.5).round().astype(int)
    tried_px = [diameter_px / step for diameter_px in diameters_px]
    shakes = [shaken(plane) for plane in empty]
    size_step = diameters_px[1] / diameters_px[0]
    # colour is stored at half resolution: it looks wider than it is
    disc = _best_disc(changed_share(rests[:1], shakes[:1]), (x, y), tried_px, size_step)
    if disc.score < CLEAR_IN_LUMA or disc.untouched > MOST_UNTOUCHED:
        disc = _best_disc(changed_share(rests, shakes), (x, y), tried_px, size_step)
    xy_px = (np.array(disc.xy) + 0.5) * step - 0.5 + (columns.start, rows.start)
    return xy_px, disc.diameter * step / px_per_mm, disc.score, disc.untouched


class _Disc(NamedTuple):
    """The disc that gathers the most change: its middle, diameter, score, and the share of it that did not change."""

    xy: tuple[int, int]
    diameter: float
    score: float
    untouched: float


def _best_disc(changed: Plane, xy: tuple[int, int], diameters: list[float], size_step: float) -> _Disc:
    scores, places = _discs(changed, xy, diameters)
    best = int(np.argmax(scores))
    diameter = diameters[best] * _finer(scores, best, size_step) / SEEN_TOO_WIDE
    away = np.hypot(*(np.indices(changed.shape)[::-1] - np.reshape(places[best], (2, 1, 1))))
    untouched = float((changed[away < 0.85 * diameter / 2] < 0.3).mean())
    return _Disc(places[best], diameter, scores[best], untouched)


def _discs(changed: Plane, xy: tuple[int, int], diameters_px: list[float]) -> tuple[list[float], list[tuple[int, int]]]:
    """Try a disc of each size near a pixel: its best score (change inside less that round it), and where."""
    top, left = max(xy[1] - NEAR_PX, 0), max(xy[0] - NEAR_PX, 0)
    scores, places = [], []
    for diameter_px in diameters_px:
        kernel = _disc_less_ring(diameter_px / 2)
        reach = len(kernel) // 2
        above, before = max(top - reach, 0), max(left - reach, 0)  # no more is filtered than is looked at
        part = changed[above : xy[1] + NEAR_PX + 1 + reach, before : xy[0] + NEAR_PX + 1 + reach]
        score = cv2.filter2D(part, -1, kernel)[top - above :, left - before :]
        near = score[: xy[1] + NEAR_PX + 1 - top, : xy[0] + NEAR_PX + 1 - left]
        row, column = np.unravel_index(int(near.argmax()), near.shape)
        scores.append(float(near[row, column]))
        places.append((left + column, top + row))
    return scores, places


def _finer(scores: list[float], best: int, size_step: float) -> float:
    """Tell by what factor the best size lies off its step, by a parabola through its neighbours."""
    i = min(max(best, 1), len(scores) - 2)
    before, at, after = scores[i - 1 : i + 2]
    bend = before - 2 * at + after
    off = 0.5 * (before - after) / bend if bend < -1e-9 else 0.0
    return float(size_step ** (np.clip(off, -1, 1) + i - best))


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


def _texture(bgr: Image) -> Plane:
    luma = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY).astype(np.float32) + 3
    return luma / cv2.GaussianBlur(luma, (0, 0), 2.0) - 1


def _correlation(a: Plane, b: Plane) -> float:
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum() + 1e-9))
