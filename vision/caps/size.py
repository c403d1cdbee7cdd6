"""How large what lies at a peak is: the disc that gathers the most change."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.caps.change import Plane, changed_share, split_planes
from linesies.vision.picture.layout import Image

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SizeTuning(Tuning):
    """How wide what lies at a peak is."""

    smallest_sized_px: float = tuned(
        10.0,
        title="width of the smallest cap in the shrunk picture in which a spot is sized",
        unit="px",
        low=4,
        high=40,
        source=by_hand_in("4c19ad6"),
    )
    seen_too_wide: float = tuned(
        1.12,
        title="times a cap's width that its changed disc looks, by blur, skirt and the dimmer foot",
        unit="1",
        low=1,
        high=1.5,
        source=by_hand_in("fae3f2f"),
    )
    clear_in_luma: float = tuned(
        0.4,
        title="score from which luma alone tells the size",
        unit="1",
        low=0.05,
        high=1,
        source=by_hand_in("fae3f2f"),
    )
    near_px: int = tuned(
        3,
        title="how far a spot's middle may lie from its peak, in the shrunk picture",
        unit="px",
        low=1,
        high=12,
        source=by_hand_in("4c19ad6"),
    )
    most_untouched: float = tuned(
        0.5,
        title="share of unchanged pixels in a cap; a ring's hole is the most",
        unit="1",
        low=0.1,
        high=0.95,
        source=by_hand_in("f3170b4"),
    )
    inner: float = tuned(
        0.85,
        title="of a disc's radius, within which it is told how much of it has changed",
        unit="1",
        low=0.4,
        high=1,
        source=BY_HAND,
    )
    has_changed: float = tuned(
        0.3, title="change from which a pixel counts as changed", unit="1", low=0.05, high=0.9, source=BY_HAND
    )
    ring_px: float = tuned(
        3.0,
        title="width of the ring round a disc, from which it is told apart",
        unit="px",
        low=1,
        high=10,
        source=by_hand_in("1a12867"),
    )


SIZE = SizeTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Peak:
    """Where a picture changed more than round about: its middle, the radius of that, and by how much."""

    xy_px: Array
    radius_px: float
    change: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sizes:
    """Diameters to try (mm), ascending, and those of listed rings of glass, through which the ground is seen."""

    tried_mm: tuple[float, ...]
    glass_mm: tuple[float, ...]


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


def window(picture: Image, xy_px: Array, reach_px: int) -> tuple[slice, slice]:
    """Cut out the rows and columns round a place (2,) of a picture, as far as it goes."""
    height, width = picture.shape[:2]
    x, y = np.round(xy_px).astype(int)
    return (
        slice(max(y - reach_px, 0), min(y + reach_px + 1, height)),
        slice(max(x - reach_px, 0), min(x + reach_px + 1, width)),
    )


def size_disc(
    views: Views, peak: Peak, diameters_px: list[float], px_per_mm: float
) -> tuple[Array, float, float, float]:
    """Try discs of every size near a peak: the best one's middle, diameter (mm), score, and share of it unchanged."""
    step = int(np.clip(diameters_px[0] // SIZE.smallest_sized_px, 1, 4))
    rows, columns = window(views.now, peak.xy_px, int(diameters_px[-1]) + 5 * step)
    now, empty = (
        split_planes(cv2.resize(p[rows, columns], None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA))
        for p in views.pictures
    )
    gain = views.gain_in(rows, columns, now[0].shape[::-1])
    rests = [now[0] + 4 - gain * (empty[0] + 4)]
    rests += [rest - np.median(rest) for rest in (n - gain * e for n, e in zip(now[1:], empty[1:], strict=True))]
    x, y = ((peak.xy_px - (columns.start, rows.start) + 0.5) / step - 0.5).round().astype(int)
    tried_px = [diameter_px / step for diameter_px in diameters_px]
    size_step = diameters_px[1] / diameters_px[0]
    # colour is stored at half resolution: it looks wider than it is
    disc = _best_disc(changed_share([rests[0].copy()], empty[:1]), (x, y), tried_px, size_step)
    if disc.score < SIZE.clear_in_luma or disc.untouched > SIZE.most_untouched:
        disc = _best_disc(changed_share(rests, empty), (x, y), tried_px, size_step)
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
    diameter = diameters[best] * _finer(scores, best, size_step) / SIZE.seen_too_wide
    away = np.hypot(*(np.indices(changed.shape)[::-1] - np.reshape(places[best], (2, 1, 1))))
    untouched = float((changed[away < SIZE.inner * diameter / 2] < SIZE.has_changed).mean())
    return _Disc(places[best], diameter, scores[best], untouched)


def _discs(changed: Plane, xy: tuple[int, int], diameters_px: list[float]) -> tuple[list[float], list[tuple[int, int]]]:
    """Try a disc of each size near a pixel: its best score (change inside less that round it), and where."""
    top, left = max(xy[1] - SIZE.near_px, 0), max(xy[0] - SIZE.near_px, 0)
    scores, places = [], []
    for diameter_px in diameters_px:
        kernel = _disc_less_ring(diameter_px / 2)
        reach = len(kernel) // 2
        above, before = max(top - reach, 0), max(left - reach, 0)  # no more is filtered than is looked at
        part = changed[above : xy[1] + SIZE.near_px + 1 + reach, before : xy[0] + SIZE.near_px + 1 + reach]
        score = cv2.filter2D(part, -1, kernel)[top - above :, left - before :]
        near = score[: xy[1] + SIZE.near_px + 1 - top, : xy[0] + SIZE.near_px + 1 - left]
        row, column = np.unravel_index(int(near.argmax()), near.shape)
        scores.append(float(near[row, column]))
        places.append((left + int(column), top + int(row)))
    return scores, places


def _finer(scores: list[float], best: int, size_step: float) -> float:
    """Tell by what factor the best size lies off its step, by a parabola through its neighbours."""
    i = min(max(best, 1), len(scores) - 2)
    before, at, after = scores[i - 1 : i + 2]
    bend = before - 2 * at + after
    off = 0.5 * (before - after) / bend if bend < -1e-9 else 0.0
    return float(size_step ** (np.clip(off, -1, 1) + i - best))


@lru_cache(maxsize=512)
def _kernel(tenths_px: int, ring_px: float) -> Plane:
    radius = tenths_px / 10
    n = int(radius + ring_px + 0.5)
    rows, columns = np.mgrid[-n : n + 1, -n : n + 1]
    away = np.hypot(rows, columns)
    disc = np.clip(radius - away + 0.5, 0, 1)
    ring = np.clip(away - radius + 0.5, 0, 1) * np.clip(radius + ring_px - away, 0, 1)
    return np.asarray(disc / disc.sum() - ring / ring.sum(), np.float32)


def _disc_less_ring(radius_px: float) -> Plane:
    return _kernel(round(radius_px * 10), SIZE.ring_px)
