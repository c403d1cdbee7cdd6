"""What moves in one small picture: blobs of the size of a cap, and how well each listed cap explains them.

A cap in flight is smeared over the ground, so that each pixel is a mixture of the ground and of the cap's colour. The
share of the cap, fitted for each pixel, adds up to the cap's area however long the smear, and its centre is the cap's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, ON_FILMS, Tuning, tuned
from linesies.vision.picture.frame import Image
from linesies.vision.picture.local_light import LocalLight
from linesies.vision.picture.masks import Mask
from linesies.vision.picture.small_picture import Points

Array = NDArray[np.float64]
Pixels = NDArray[np.int64]  # (2, N): columns, rows


@dataclass(frozen=True)
class BlobTuning(Tuning):
    """What of a small picture is as large as a cap, and looks like one."""

    most_area: float = tuned(
        4.0,
        title="of the largest cap's area; what is larger is a hand",
        unit="1",
        low=1,
        high=20,
        source="geometry: a cap (1), its shadow (1), and a smear of one and a half times its width (1.9)",
    )
    least_area: float = tuned(
        0.2, title="of the smallest cap's area", unit="1", low=0.02, high=1, source=by_hand_in("cd19fdd")
    )
    shade: float = tuned(
        0.3,
        title="of the light, what is left in the deepest shadow",
        unit="1",
        low=0.05,
        high=0.9,
        source="physics: under a clear sky the sky alone gives some 0.15 to 0.3 of the light",
    )
    mix_weight: float = tuned(
        0.4,
        title="what a cap's two colours in the wrong shares count",
        unit="1",
        low=0,
        high=3,
        source=by_hand_in("9d3b1db"),
    )
    least_share: float = tuned(
        0.12, title="of a disc, what is a colour of its own", unit="1", low=0.02, high=0.5, source=by_hand_in("9d3b1db")
    )
    fill_weight: float = tuned(
        0.3, title="what a wrong size counts beside a wrong colour", unit="1", low=0.02, high=3, source=ON_FILMS
    )
    same_radii: float = tuned(
        1.0,
        title="of a cap's radius: nearer, two blobs are one cap",
        unit="1",
        low=0.3,
        high=2,
        source="geometry: caps that touch lie two radii apart, and in a picture taken at a slant of 60 degrees one",
    )
    long_ratio: float = tuned(
        1.7,
        title="of a blob's spreads along and across, from which it may be two caps",
        unit="1",
        low=1.1,
        high=5,
        source="geometry: 2.24 for two discs that touch, 1.41 for one at a slant of 45 degrees; between the two",
    )
    free_ring_radii: float = tuned(
        1.2,
        title="about a blob, in radii, where a free cap has bare ground",
        unit="1",
        low=0.3,
        high=4,
        source=by_hand_in("cd19fdd"),
    )
    clear_misfit: float = tuned(
        0.25,
        title="misfit of a blob that looks just like one cap",
        unit="1",
        low=0.02,
        high=0.6,
        source=by_hand_in("6722f21"),
    )
    clear_least_fill: float = tuned(
        0.6,
        title="of that cap's area, what it covers at least",
        unit="1",
        low=0.2,
        high=1,
        source=by_hand_in("6722f21"),
    )
    most: int = tuned(
        100,
        title="in one picture, the largest; more is rain or a crowd",
        unit="1",
        low=4,
        high=200,
        source="set by hand on a public film with sway, stored at 0.02 bits a pixel: beside some 50 bits of paint that "
        "lag behind the sway a gliding cap was not among the largest 16, nor 48; 2026-12-01",
    )
    clear_most_fill: float = tuned(1.6, title="likewise at most", unit="1", low=1, high=4, source=by_hand_in("6722f21"))
    least_way2_levels: float = tuned(
        60.0,
        title="grey levels squared from the ground to a colour; less tells nothing of a cap's share",
        unit="levels2",
        low=5,
        high=1000,
        source=by_hand_in("dc7a77f"),
    )
    least_for_two: int = tuned(
        9, title="pixels in a disc that can show two colours", unit="1", low=4, high=60, source=by_hand_in("9d3b1db")
    )
    halved_from: float = tuned(
        1.3,
        title="of the smallest cap's area: a larger blob may be two that touch",
        unit="1",
        low=1,
        high=3,
        source=BY_HAND,
    )
    most_round_about: float = tuned(
        0.15,
        title="of a blob's own area, what may be new about it for its ground to be bare",
        unit="1",
        low=0,
        high=1,
        source=BY_HAND,
    )
    least_spread_small: float = tuned(
        0.3, title="least spread across a blob that is told to be long", unit="px", low=0.05, high=2, source=BY_HAND
    )
    most_share: float = tuned(
        1.15,
        title="of the way from the ground's colour to the cap's, farther than which no mixture lies",
        unit="1",
        low=1,
        high=2,
        source=BY_HAND,
    )
    core_radii: float = tuned(
        0.85, title="within which a disc's colours are measured", unit="1", low=0.4, high=1, source=BY_HAND
    )


BLOB = BlobTuning()

COUNTED_FILL = (0.05, 20.0)  # a blob of more or less counts as no worse


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CapColours:
    """How each listed cap looks in small pictures: its two colours, the share of the first, its area and radius.

    `light` is that of parts of the picture that are lit otherwise than the rest, if any are.
    """

    yuv: Array  # (K, 2, 3)
    first_share: Array  # (K,)
    area_small: Array  # (K,)
    radius_small: Array  # (K,)
    black: Array  # (3,) as the source has it
    light: LocalLight | None = None

    def lit_at(self, xs: NDArray[np.int64], ys: NDArray[np.int64]) -> Array:
        """Tell the two colours (3, K, 2, N) of each cap in the light of pixels (N,); in one light: (3, K, 2, 1)."""
        lit = self.yuv[:, :, None, :] if self.light is None else self.light.on_colours(self.yuv, xs, ys)
        return np.moveaxis(lit, -1, 0)

    def unlit_at(self, ground: Array, xs: NDArray[np.int64], ys: NDArray[np.int64]) -> Array:
        """Tell the ground (3, N) of pixels (N,) without that light, of which no shadow takes anything."""
        return ground if self.light is None else ground - self.light.added_at(xs, ys).T


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Colours:
    """The two colours (2, 3) of one cap in small pictures, and the share of the first."""

    yuv: Array
    first_share: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Blob:
    """One cap-sized thing in one small picture, seen as each listed cap in turn.

    `xy_small` (K, 2) are its centres, `misfit` (K,) the share of what it changes that the cap's colour does not
    explain (0 to 1), `fill` (K,) its area over the cap's. `is_free` says that nothing touches it, `is_by_hand` that
    something larger than caps does.
    """

    t_s: float
    middle_small: tuple[float, float]
    xy_small: Array
    misfit: Array
    fill: Array
    is_free: bool
    is_by_hand: bool = False


def unlikeness(misfit: Array, fill: Array) -> Array:
    """Weigh how unlike a cap a blob is that misfits and fills it so: the one for its colour, the other for its size."""
    return misfit + BLOB.fill_weight * np.abs(np.log(np.clip(fill, *COUNTED_FILL)))


def is_clear_as(k: int, misfit: Array, fill: Array) -> bool:
    """Tell whether what misfits and fills caps (K,) so looks just like cap `k`."""
    return bool(misfit[k] < BLOB.clear_misfit and BLOB.clear_least_fill < fill[k] < BLOB.clear_most_fill)


def find_blobs(
    small: Image, bare: Image, leftover: Mask, paint: CapColours, t_s: float, *, at_most: int | None = None
) -> tuple[Blob, ...]:
    """Find the cap-sized blobs of `leftover` (pixels that neither ground nor resting caps explain), the largest ones.

    A long one is given whole and as its two halves: it may be a smear, or two caps that touch.
    """
    left, top, width, height = cv2.boundingRect(leftover)
    if not width:
        return ()
    window = leftover[top : top + height, left : left + width]
    least, most = max(BLOB.least_area * paint.area_small.min(), 3), BLOB.most_area * paint.area_small.max()
    margin = int(np.ceil(BLOB.free_ring_radii * paint.radius_small.max()))
    corner = np.array([[left], [top]])
    parts: list[_Part] = []
    for pixels, is_by_hand in _pieces(window, least, most, at_most=at_most or BLOB.most, margin=margin):
        xy = pixels + corner
        is_free = _is_free(leftover, xy, margin)
        own = [xy] if xy.shape[1] < BLOB.halved_from * paint.area_small.min() else [xy, *_halves(xy)]
        parts += [_Part(part, is_free, is_by_hand) for part in own if part.shape[1] >= least]
    return _blobs(small, bare, parts, paint, t_s)


class _Part(NamedTuple):
    """The pixels (2, N) of one blob, whether nothing touches it, and whether something larger than caps does."""

    xy: Pixels
    is_free: bool
    is_by_hand: bool


def _pieces(mask: Mask, least: float, most: float, *, at_most: int, margin: int) -> list[tuple[Pixels, bool]]:
    """List the connected pieces of a mask whose area fits, each as its pixels, row by row; the largest of too many.

    Each with whether a larger one is within that margin about it.

    Pixels are told apart by their labels, not by OpenCV's statistics of every piece: that takes twice the time.
    """
    count, labels = cv2.connectedComponents(mask, connectivity=8, ltype=cv2.CV_16U)
    at = np.flatnonzero(mask != 0)
    labelled = labels.ravel()[at]
    areas = np.bincount(labelled, minlength=count)
    fitting = np.flatnonzero((areas >= least) & (areas <= most))
    if len(fitting) > at_most:
        fitting = fitting[np.argsort(-areas[fitting])[:at_most]]
    pieces = [np.stack(np.divmod(at[labelled == label], mask.shape[1])[::-1]) for label in fitting]
    is_larger = areas > most
    has_larger = bool(is_larger.any())
    return [(xy, has_larger and bool(is_larger[_about(labels, xy, margin)].any())) for xy in pieces]


def _about(plane: NDArray[Any], xy: Pixels, margin: int) -> NDArray[Any]:
    """Cut a piece, row by row, and so much about it out of a mask or a plane."""
    left, right, top, bottom = _ends(xy)
    return plane[max(top - margin, 0) : bottom + margin + 1, max(left - margin, 0) : right + margin + 1]


def _ends(xy: Pixels) -> tuple[int, int, int, int]:
    """Tell the first and last column and row of a piece, row by row."""
    return int(xy[0].min()), int(xy[0].max()), int(xy[1, 0]), int(xy[1, -1])


def _is_free(mask: Mask, xy: Pixels, margin: int) -> bool:
    """Tell whether a piece of a mask, row by row, lies within it and has so much bare ground about it."""
    left, right, top, bottom = _ends(xy)
    if left == 0 or top == 0 or right + 1 == mask.shape[1] or bottom + 1 == mask.shape[0]:
        return False
    return cv2.countNonZero(_about(mask, xy, margin)) - xy.shape[1] < BLOB.most_round_about * xy.shape[1] + 2


def _halves(xy: Pixels) -> list[Pixels]:
    """Part a long blob's pixels (2, N) into two rounder ones; none when it is round already."""
    points, count = xy.astype(float), xy.shape[1]
    total = points.sum(axis=1)
    middle = total / count
    apart = points - middle[:, None]
    spread, ways = np.linalg.eigh(apart @ apart.T / (count - 1))
    if spread[1] < BLOB.long_ratio * max(spread[0], BLOB.least_spread_small):
        return []
    one, other = (middle + side * np.sqrt(spread[1]) * ways[:, 1] for side in (-1.0, 1.0))
    for _ in range(4):
        is_first = (other - one) @ points < (other @ other - one @ one) / 2
        firsts = int(np.count_nonzero(is_first))
        if firsts in (0, count):
            return []
        first_total = points @ is_first
        one, other = first_total / firsts, (total - first_total) / (count - firsts)
    return [xy[:, is_first], xy[:, ~is_first]]


def _blobs(small: Image, bare: Image, parts: Sequence[_Part], paint: CapColours, t_s: float) -> tuple[Blob, ...]:
    """See pixels (2, N) as each cap in turn, all blobs of a picture at once."""
    if not parts:
        return ()
    counts = [part.xy.shape[1] for part in parts]
    firsts = np.cumsum([0, *counts[:-1]])
    at = np.concatenate([part.xy for part in parts], axis=1)
    xs, ys = at
    ground, seen = (np.ascontiguousarray(picture[ys, xs].T, float) for picture in (bare, small))
    change = seen - ground
    colours = _fit_colours(change, ground, paint.lit_at(xs, ys))
    fit = _mixture(change, colours, _unshaded(change, paint.unlit_at(ground, xs, ys), paint.black), paint, firsts)
    middles = np.add.reduceat(at, firsts, axis=1) / counts
    total = np.add.reduceat(fit.weight, firsts, axis=1)
    centres = np.stack([np.add.reduceat(fit.weight * along, firsts, axis=1) / total for along in at], axis=2)
    fill = np.add.reduceat(fit.share, firsts, axis=1) / paint.area_small[:, None]
    return tuple(
        Blob(
            t_s=t_s,
            middle_small=(float(middles[0, i]), float(middles[1, i])),
            xy_small=centres[:, i],
            misfit=fit.misfit[:, i],
            fill=fill[:, i],
            is_free=part.is_free,
            is_by_hand=part.is_by_hand,
        )
        for i, part in enumerate(parts)
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Mixture:
    share: Array  # (K, N)
    weight: Array  # (K, N)
    misfit: Array  # (K, B)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ColourFit:
    """How much of each colour of each cap (K) each pixel (N) shows, what that leaves unexplained, and what it could.

    The last two are squares of grey levels.
    """

    share: Array  # (K, 2, N)
    left: Array
    length2: Array


def _mixture(change: Array, fit: _ColourFit, unshaded: Array, paint: CapColours, firsts: NDArray[np.int64]) -> _Mixture:
    """Explain a change (3, N) from bare ground as shares of each cap's colours, or as ground shaded.

    `unshaded` (N,) is what a shadow leaves of it; `firsts` (B,) are the first pixels of blobs, one after the other.
    """
    is_first = fit.left[:, 0] <= fit.left[:, 1]
    left, share, length2 = (np.where(is_first, two[:, 0], two[:, 1]) for two in (fit.left, fit.share, fit.length2))
    is_shade = unshaded < 0.5 * left
    share = np.where(is_shade, 0.0, share)
    changed = np.add.reduceat(_dot(change, change), firsts)
    misfit = np.add.reduceat(np.where(is_shade, unshaded, left), firsts, axis=1) / np.maximum(changed, 1.0)
    first = np.add.reduceat(np.where(is_first, share, 0.0), firsts, axis=1)
    first = first / np.maximum(np.add.reduceat(share, firsts, axis=1), 1e-6)
    has_two = np.abs(paint.yuv[:, 0] - paint.yuv[:, 1]).max(axis=1) > 0
    misfit += np.where(has_two[:, None], BLOB.mix_weight * np.abs(first - paint.first_share[:, None]), 0.0)
    return _Mixture(share=share, weight=share * np.sqrt(length2) + 1e-6, misfit=np.clip(misfit, 0.0, 1.0))


def _fit_colours(change: Array, bare: Array, colours: Array) -> _ColourFit:
    """Explain a change (3, N) from bare ground (3, N) by shares of the way from there to each colour (3, K, 2, N or 1).

    Written out in products of colours, for the ways themselves would be many times as much to store, and each sum in
    place, for these are the largest arrays of a frame.
    """
    along = _dot(colours, change)
    along -= _dot(bare, change)
    way2 = -2 * _dot(colours, bare)
    way2 += _dot(colours, colours)
    way2 += _dot(bare, bare)
    length2 = np.maximum(way2, BLOB.least_way2_levels)
    share = along / length2
    np.clip(share, 0.0, BLOB.most_share, out=share)
    left = share * way2
    left -= 2 * along
    left *= share
    left += _dot(change, change)
    return _ColourFit(share=share, left=np.maximum(left, 0.0, out=left), length2=length2)


def _dot(one: Array, other: Array) -> Array:
    """Multiply colours (3, ...) with colours; numpy sums over so short an axis many times slower."""
    if one.ndim > other.ndim and one.shape[-1] == 1:  # the same for all pixels
        return np.tensordot(one[..., 0], other, axes=(0, 0))
    return one[0] * other[0] + one[1] * other[1] + one[2] * other[2]


def _unshaded(change: Array, bare: Array, black: Array) -> Array:
    """Measure what of the change (3, N) a shadow leaves unexplained, squared (N,)."""
    dark = (BLOB.shade - 1.0) * (bare - black[:, None])
    along, dark2 = _dot(dark, change), _dot(dark, dark)
    share = np.clip(along / np.maximum(dark2, 1.0), 0.0, 1.0)
    return np.maximum(_dot(change, change) + share * (share * dark2 - 2 * along), 0.0)


def colours_at(small: Image, centre_small: Points, radius_small: float) -> Colours:
    """Measure the colours of a disc at rest: of its two parts that differ most."""
    reach = int(np.ceil(radius_small))
    x, y = round(float(centre_small[0])), round(float(centre_small[1]))
    y0, x0 = max(y - reach, 0), max(x - reach, 0)
    crop = small[y0 : y + reach + 1, x0 : x + reach + 1]
    ys, xs = np.mgrid[y0 : y0 + crop.shape[0], x0 : x0 + crop.shape[1]]
    inside = (xs - centre_small[0]) ** 2 + (ys - centre_small[1]) ** 2 <= (BLOB.core_radii * radius_small + 0.2) ** 2
    pixels = (crop[inside] if inside.any() else crop.reshape(-1, 3)).astype(float)
    if len(pixels) < BLOB.least_for_two:
        return one_colour(pixels.mean(axis=0))
    begun = _parted(pixels)
    _, labels, centres = cv2.kmeans(
        pixels.astype(np.float32), 2, begun, (cv2.TERM_CRITERIA_COUNT, 10, 0), 1, cv2.KMEANS_USE_INITIAL_LABELS
    )
    first_share = float(np.mean(labels == 0))
    if min(first_share, 1 - first_share) < BLOB.least_share:
        return one_colour(np.median(pixels, axis=0))
    return Colours(yuv=centres.astype(float), first_share=first_share)


def _parted(pixels: Array) -> NDArray[np.int32]:
    """Part colours (N, 3) in two along the way on which they are spread most: (N, 1), 0 or 1.

    So what is made of them is the same each time, where OpenCV would begin by chance.
    """
    away = pixels - pixels.mean(axis=0)
    along = np.linalg.eigh(away.T @ away)[1][:, -1]
    return np.asarray(away @ along > 0, np.int32)[:, None]


def one_colour(yuv: Array) -> Colours:
    """Take a cap for plain."""
    return Colours(yuv=np.stack([yuv, yuv]), first_share=1.0)
