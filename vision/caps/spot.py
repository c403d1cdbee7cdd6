"""One cap-like spot, measured: its size, its colours, and whether it is more than a change of light."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import View, to_linear
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.caps.change import Plane
from linesies.vision.caps.glass import goes_on, seek_glass
from linesies.vision.caps.light import FAINTEST
from linesies.vision.caps.size import SIZE, Peak, Sizes, Views, size_disc, window
from linesies.vision.picture.layout import Image

Array = NDArray[np.float64]

FAINT, FAINT_SUM = 0.02, 0.01  # linear light; added, so that logarithms of a colour, and shares of a sum, stay finite


@dataclass(frozen=True)
class SpotTuning(Tuning):
    """Whether a cap-like spot is more than a change of light."""

    band_from: float = tuned(
        0.45,
        title="of the radius, from where a ring of glass covers the ground",
        unit="1",
        low=0.2,
        high=0.9,
        source=by_hand_in("260fa19"),
    )
    band_to: float = tuned(
        0.8, title="of the radius, up to where it does", unit="1", low=0.5, high=1, source=by_hand_in("260fa19")
    )
    hole: float = tuned(
        0.4,
        title="of the radius, what a ring of glass leaves free",
        unit="1",
        low=0.1,
        high=0.6,
        source=by_hand_in("260fa19"),
    )
    ring_contrast: float = tuned(
        0.18,
        title="by how much brighter a ring's hole is, as a logarithm; no shadow has one",
        unit="1",
        low=0.02,
        high=1,
        source=by_hand_in("e1818b8"),
    )
    least_radius_px: float = tuned(
        3.0,
        title="radius up to which a smaller spot is enlarged: of fewer pixels its parts cannot be told apart",
        unit="px",
        low=1,
        high=10,
        source=by_hand_in("30080df"),
    )
    shaded_texture: float = tuned(
        0.75,
        title="correlation with the empty picture, from which evenly lit ground is seen",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("b379ac4"),
    )
    same_texture: float = tuned(
        0.92, title="the same, of ground at a shadow's edge", unit="1", low=0.3, high=1, source=by_hand_in("b379ac4")
    )
    shadow_tint: float = tuned(
        0.7,
        title="by how much more, as a logarithm, a shadow may take of one colour than of another",
        unit="1",
        low=0.1,
        high=2,
        source=by_hand_in("1fecc31"),
    )
    even_light: float = tuned(
        0.35,
        title="spread of the logarithm of brightness that a shadow's edge may cause",
        unit="1",
        low=0.05,
        high=1.5,
        source=by_hand_in("b379ac4"),
    )
    least_light: float = tuned(
        0.25,
        title="of the light, what a shadow leaves at least",
        unit="1",
        low=0.05,
        high=0.6,
        source=by_hand_in("4c19ad6"),
    )
    most_light: float = tuned(
        0.85,
        title="of the light, what a shadow leaves at most",
        unit="1",
        low=0.6,
        high=1,
        source=by_hand_in("4c19ad6"),
    )
    shade_tint: float = tuned(
        0.4,
        title="by how much the colour of shaded ground may differ, in shares of its light",
        unit="1",
        low=0.05,
        high=2,
        source=by_hand_in("4c19ad6"),
    )
    shade_most: float = tuned(
        0.55,
        title="of the core, what must be shaded ground for it to be shade",
        unit="1",
        low=0.2,
        high=1,
        source=by_hand_in("4c19ad6"),
    )
    least_contrast: float = tuned(
        0.35,
        title="RMS of logarithms by which what lay there before stood out",
        unit="1",
        low=0.05,
        high=2,
        source=by_hand_in("f3170b4"),
    )
    gone_share: float = tuned(
        0.35,
        title="of that, what still stands out once it has been taken away",
        unit="1",
        low=0.05,
        high=1,
        source=by_hand_in("f3170b4"),
    )
    ground_contrast: float = tuned(
        0.3,
        title="RMS of logarithms by which bare ground stands out from ground at most",
        unit="1",
        low=0.05,
        high=1,
        source=by_hand_in("e1818b8"),
    )
    alike: float = tuned(
        0.2,
        title="RMS of logarithms by which colours of one ground differ at most from the likest near by",
        unit="1",
        low=0.02,
        high=1,
        source=by_hand_in("9d36824"),
    )
    samples: int = tuned(
        120,
        title="pixels near by, and within, that are compared",
        unit="1",
        low=20,
        high=2000,
        source=by_hand_in("9d36824"),
    )
    bare_now: float = tuned(
        0.9,
        title="share of such pixels from which ground is bare",
        unit="1",
        low=0.5,
        high=1,
        source=by_hand_in("9d36824"),
    )
    bare_before: float = tuned(
        0.3,
        title="share of such pixels below which something lay on it",
        unit="1",
        low=0,
        high=0.7,
        source=by_hand_in("9d36824"),
    )
    ring_from: float = tuned(
        1.4,
        title="of the radius, from where the ground round about is looked at",
        unit="1",
        low=1.1,
        high=3,
        source=BY_HAND,
    )
    ring_to: float = tuned(2.1, title="of the radius, up to where it is", unit="1", low=1.3, high=4, source=BY_HAND)
    core: float = tuned(
        0.8,
        title="of the radius, within which texture and colours are those of what lies there",
        unit="1",
        low=0.3,
        high=1,
        source=BY_HAND,
    )
    shade_core: float = tuned(
        0.7, title="likewise, where it is asked whether it is shade", unit="1", low=0.3, high=1, source=BY_HAND
    )
    left_core: float = tuned(
        0.6, title="likewise, where it is asked whether something has left", unit="1", low=0.3, high=1, source=BY_HAND
    )
    texture_px: float = tuned(
        2.0, title="blur from which texture is told apart", unit="px", low=0.5, high=8, source=BY_HAND
    )
    least_ring: int = tuned(
        12, title="pixels round about, fewer of which say nothing", unit="1", low=4, high=100, source=BY_HAND
    )
    least_hole: int = tuned(4, title="pixels in the middle, likewise", unit="1", low=1, high=50, source=BY_HAND)


SPOT = SpotTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spot:
    """A cap-like spot: its middle in the picture, its size, and whether it may be a shadow.

    `change` is the share of changed pixels inside less that round about; `is_shade` says that it looks like that
    ground in shadow.
    """

    xy_px: Array
    diameter_mm: float
    radius_px: float
    change: float
    is_shade: bool


def measure_spot(view: View, views: Views, peak: Peak, xy_mm: Array, sizes: Sizes) -> Spot | None:
    """Measure what lies at a peak, a board point (2,); None where it is no more than light, or has left."""
    cut = _cut(views.pictures, peak.xy_px, peak.radius_px)
    if cut is None:
        return None
    px_per_mm = view.px_per_mm(xy_mm)
    if not cut.is_ground():
        tried_px = [diameter_mm * px_per_mm for diameter_mm in sizes.tried_mm]
        xy_px, diameter_mm, change, untouched = size_disc(views, peak, tried_px, px_per_mm)
        cut = _cut(views.pictures, xy_px, diameter_mm * px_per_mm / 2)
        if cut is None or untouched > SIZE.most_untouched:
            return None
        if not cut.is_ground():
            return None if cut.has_left() else _spot(cut, xy_px, diameter_mm, change)
    for diameter_mm in sizes.glass_mm:
        glass_px = seek_glass(*views.pictures, peak.xy_px, diameter_mm * px_per_mm / 2)
        cut = None if glass_px is None else _cut(views.pictures, glass_px, diameter_mm * px_per_mm / 2)
        if cut is not None and glass_px is not None:
            return _spot(cut, glass_px, diameter_mm, peak.change)
    return None


def _spot(cut: "_Cut", xy_px: Array, diameter_mm: float, change: float) -> Spot | None:
    gain = np.median(cut.now[cut.ring] / (cut.empty[cut.ring] + FAINTEST), axis=0)
    hole = cut.darkening(cut.away < SPOT.hole, gain)
    band = cut.darkening((cut.away > SPOT.band_from) & (cut.away < SPOT.band_to), gain)
    is_shade = float((hole - band).mean()) < SPOT.ring_contrast and cut.is_shade(gain)
    if is_shade and cut.goes_on():
        return None
    return Spot(
        xy_px=xy_px,
        diameter_mm=diameter_mm,
        radius_px=cut.radius_px,
        change=change,
        is_shade=is_shade,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Cut:
    """A spot and its surroundings: linear light, texture, and each pixel's distance from the middle in radii."""

    now: Plane
    empty: Plane
    texture_now: Plane
    texture_empty: Plane
    away: Array
    radius_px: float

    @property
    def ring(self) -> NDArray[np.bool_]:
        return (self.away > SPOT.ring_from) & (self.away < SPOT.ring_to)

    def is_ground(self) -> bool:
        """Tell whether the empty ground's texture is still seen, be it in shadow."""
        core = self.away < SPOT.core
        texture = _correlation(self.texture_now[core], self.texture_empty[core])
        light = np.log((self.now[core].sum(axis=-1) + FAINT_SUM) / (self.empty[core].sum(axis=-1) + FAINT_SUM))
        is_tinted = np.ptp(self.darkening(core, np.ones(3))) > SPOT.shadow_tint
        return texture > (SPOT.shaded_texture if light.std() < SPOT.even_light else SPOT.same_texture) and not is_tinted

    def darkening(self, where: NDArray[np.bool_], gain: Array) -> Array:
        """Give the logarithm of how bright pixels are beside their own ground, be it painted or not: (3,)."""
        ratios = np.log((self.now[where] / gain + FAINT) / (self.empty[where] + FAINT))
        return np.asarray(np.median(ratios, axis=0), float)

    def is_shade(self, gain: Array) -> bool:
        """Tell whether most of the core is its own ground made darker, in much the same colour."""
        core = self.away < SPOT.shade_core
        now, empty = self.now[core], self.empty[core] * gain
        share = now.sum(axis=-1) / (empty.sum(axis=-1) + FAINT_SUM)
        tint = np.abs(now - empty * share[:, None]).max(axis=-1) / (now.mean(axis=-1) + FAINT)
        return (
            float(((share > SPOT.least_light) & (share < SPOT.most_light) & (tint < SPOT.shade_tint)).mean())
            > SPOT.shade_most
        )

    def goes_on(self) -> bool:
        """Tell whether the darkness goes on beyond."""
        light, before = (np.log(plane.sum(axis=-1) + 3 * FAINT_SUM) for plane in (self.now, self.empty))
        return goes_on(before - light, self.away)

    def has_left(self) -> bool:
        """Tell whether something lay there when the board was called empty, and bare ground is seen now."""
        core, ring = self.away < SPOT.left_core, self.ring
        stood_out, stands_out = (
            float(
                np.sqrt(
                    (np.log((np.median(p[core], axis=0) + FAINT) / (np.median(p[ring], axis=0) + FAINT)) ** 2).mean()
                )
            )
            for p in (self.empty, self.now)
        )
        if stood_out <= SPOT.least_contrast:
            return False
        is_dull = stands_out < min(SPOT.gone_share * stood_out, SPOT.ground_contrast)
        return is_dull or (self._bare(self.now) > SPOT.bare_now and self._bare(self.empty) < SPOT.bare_before)

    def _bare(self, plane: Plane) -> float:
        """Tell what share of the core has the colour of some ground or paint round about."""
        beside, inside = (np.log(plane[where] + FAINT) for where in (self.ring, self.away < SPOT.core))
        beside, inside = (colours[:: max(len(colours) // SPOT.samples, 1)] for colours in (beside, inside))
        off = ((inside[:, None] - beside[None]) ** 2).mean(axis=-1).min(axis=1)
        return float((off < SPOT.alike**2).mean())


def _cut(pictures: tuple[Image, Image], xy_px: Array, radius_px: float) -> _Cut | None:
    reach = int(radius_px * (SPOT.ring_to + 0.1)) + 3
    part = window(pictures[0], xy_px, reach)
    times = int(np.ceil(SPOT.least_radius_px / radius_px))
    planes = (work(picture[part]) for work in (to_linear, _texture) for picture in pictures)
    now, empty, texture_now, texture_empty = (_enlarged(plane, times) for plane in planes)
    rows, columns = np.indices(now.shape[:2]) / times - (times - 1) / (2 * times)
    away = np.hypot(columns + part[1].start - xy_px[0], rows + part[0].start - xy_px[1]) / radius_px
    is_ring, is_hole = (away > SPOT.ring_from) & (away < SPOT.ring_to), away < SPOT.hole
    if is_ring.sum() < SPOT.least_ring or is_hole.sum() < SPOT.least_hole:
        return None
    return _Cut(
        now=now, empty=empty, texture_now=texture_now, texture_empty=texture_empty, away=away, radius_px=radius_px
    )


def _enlarged(plane: Plane, times: int) -> Plane:
    """Draw a plane so many times as large."""
    if times <= 1:
        return plane
    return np.asarray(cv2.resize(plane, None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR), np.float32)


def _texture(bgr: Image) -> Plane:
    luma = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY).astype(np.float32) + 3
    return luma / cv2.GaussianBlur(luma, (0, 0), SPOT.texture_px) - 1


def _correlation(a: Plane, b: Plane) -> float:
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum() + 1e-9))
