"""The scene at rest: the bare ground, and the ground with the caps that lie on it.

A pixel is explained when it looks like either of the two; what is left over has come into the picture: a cap on
its way, a hand, a shadow. Where a cap has left, the bare ground explains what is seen, so it leaves no ghost.
"""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.picture.frame import Image
from linesies.vision.picture.lighting import SATURATED, TO_LEVELS, TO_RGB, Lighting, clipped_at
from linesies.vision.picture.small_picture import Points

Mask = NDArray[np.uint8]  # (h, w), 0 or 255
Window = tuple[slice, slice]  # rows, columns
EVERYWHERE: Window = (slice(None), slice(None))


@dataclass(frozen=True)
class BackgroundTuning(Tuning):
    """What still looks like the scene at rest, and what has come to stay."""

    luma_levels: int = tuned(9, title="of luma that are always forgiven", unit="levels", low=2, high=40, source=BY_HAND)
    colour_levels: int = tuned(7, title="likewise of U and of V", unit="levels", low=2, high=40, source=BY_HAND)
    noise_sigmas: float = tuned(
        5.0, title="of one pixel's noise that are forgiven", unit="1", low=1, high=12, source=BY_HAND
    )
    edge_share: float = tuned(
        0.35,
        title="of the local contrast, what is forgiven besides: codecs blur edges",
        unit="1",
        low=0,
        high=1,
        source=BY_HAND,
    )
    colour_edge_share: float = tuned(
        0.3, title="of that, what is forgiven in U and V", unit="1", low=0, high=1, source=BY_HAND
    )
    swaying_edge_share: float = tuned(
        0.6,
        title="of the local contrast once the camera sways: each frame is resampled, and right to a tenth of a pixel",
        unit="1",
        low=0,
        high=1,
        source=BY_HAND,
    )
    light_spot: float = tuned(
        0.14,
        title="of the picture's height: over less than half of that a thing looks otherwise, and no light",
        unit="1",
        low=0.02,
        high=0.6,
        source=BY_HAND,
    )
    cap_spot_radii: float = tuned(
        5.0,
        title="side of a window of which two caps and their shadows cover half",
        unit="1",
        low=2,
        high=20,
        source=BY_HAND,
    )
    nearly_levels: int = tuned(
        16,
        title="below what is saturated, where light is not known well enough to tell ground from white caps",
        unit="levels",
        low=2,
        high=60,
        source=BY_HAND,
    )
    lit_half_levels: int = tuned(
        7,
        title="halves of a grey level that a part is lit otherwise than the rest",
        unit="levels/2",
        low=2,
        high=40,
        source=BY_HAND,
    )
    sharp_half_levels: int = tuned(
        9,
        title="by which that changes across its border at most: glare fades out by 4, a hand ends by 20",
        unit="levels/2",
        low=4,
        high=20,
        source=BY_HAND,
    )
    least_seen: float = tuned(
        0.5, title="of a coarse pixel, to tell its light", unit="1", low=0.1, high=1, source=BY_HAND
    )
    same_levels: int = tuned(
        6, title="from look to look that are no change", unit="levels", low=1, high=30, source=BY_HAND
    )
    strange_levels: int = tuned(
        5, title="from the scene at rest that are worth taking over", unit="levels", low=1, high=30, source=BY_HAND
    )
    mended_levels: int = tuned(
        28,
        title="by which the ground under a cap may have been guessed wrong",
        unit="levels",
        low=5,
        high=100,
        source=BY_HAND,
    )
    moved_levels: int = tuned(
        20, title="by which a moving thing changes what is seen", unit="levels", low=5, high=80, source=BY_HAND
    )
    moved_share: float = tuned(
        3e-05,
        title="of the picture's area, from which on something moves",
        unit="1",
        low=1e-06,
        high=0.001,
        source=BY_HAND,
    )
    rain_share: float = tuned(
        0.002,
        title="of the picture's area in things thinner than any cap: streaks of rain",
        unit="1",
        low=0.0001,
        high=0.05,
        source=BY_HAND,
    )
    steady_share: float = tuned(
        0.3, title="of each look, what is taken over", unit="1", low=0.02, high=1, source=BY_HAND
    )
    little_share: float = tuned(
        0.002,
        title="of the picture's area: single pixels that a codec lets drift wait for one another",
        unit="1",
        low=0.0001,
        high=0.05,
        source=BY_HAND,
    )
    stay_looks: int = tuned(
        8,
        title="looks for which a slight change must stay to become ground: light, a drop",
        unit="1",
        low=2,
        high=60,
        source=BY_HAND,
    )
    lie_looks: int = tuned(
        60, title="likewise a clear one: a leaf, but no hand that takes aim", unit="1", low=8, high=600, source=BY_HAND
    )

    @property
    def noise_margin(self) -> tuple[int, int, int]:
        """What of luma, U and V is always forgiven."""
        return self.luma_levels, self.colour_levels, self.colour_levels


BACKGROUND = BackgroundTuning()

CONTRAST_REACH = 2  # pixels about one that its contrast is measured over
LOOK_EVERY = 15  # frames between two looks at what has come to stay
COARSE_LIGHT = 4  # pixels that one spans in which light is compared place by place
FOLLOWED_TIMES = 3  # after which steep light is followed to a grey level or two
STRETCHES = 200  # times that a skin of light is stretched: across a cap and its shadow it is even by then
STREAK, STREAKS_CROSS = 3, 5  # pixels across that are more than a streak, and more than where two of them cross
LIGHT_EVERY = 3  # pixels each way tell how the light has changed since the ground was empty
LITTLE_EVERY = 4  # looks long little waits: to take over few costs as much as to take over many


class Background:
    """Remembers the ground without caps (`bare`), the scene at rest (`rest`), and what has lately come to stay.

    All pictures are small ones (h, w, 3) in the light of the first; `noise` is the deviation of one pixel, `white`
    the luma of what is saturated.
    """

    def __init__(self, bare: Image, rest: Image, noise: float = 0.0, white: int = 255) -> None:
        self.bare = bare.copy()
        self.rest = rest.copy()
        self._margin = np.maximum(BACKGROUND.noise_margin, BACKGROUND.noise_sigmas * noise)
        self._edge_margin = BACKGROUND.edge_share
        self._saturated_from = white - SATURATED
        self._same_levels = BACKGROUND.same_levels + BACKGROUND.noise_sigmas * noise
        self._lighting = Lighting(rest, float(self._margin[0]) - BACKGROUND.luma_levels, white)
        self._fill_bounds()
        self._steady = rest.astype(np.float32)
        self._looks_steady = np.zeros(rest.shape[:2], np.uint8)
        self._frames = 0

    def in_first_light(self, small: Image, changed_share: float = 1.0) -> Image:
        """Undo the change of light since the first picture; that share of the picture has changed since the last."""
        return self._lighting.undone(small, changed_share)

    def forgive_sway(self) -> None:
        """Forgive more at edges from now on, for the camera sways."""
        if self._edge_margin < BACKGROUND.swaying_edge_share:
            self._edge_margin = BACKGROUND.swaying_edge_share
            self._fill_bounds()

    def looks_like(self, small: Image, window: Window = EVERYWHERE) -> tuple[Mask, Mask]:
        """Tell what looks like the scene at rest, and what like bare ground, in a window of the picture."""
        return self.looks_at_rest(small, window), self._looks_bare(small, window)

    def can_show(self, window: Window) -> NDArray[np.bool_]:
        """Tell which pixels of a window can show that something came there: not what is as bright as can be."""
        return np.asarray(self.rest[window][..., 0] < self._saturated_from, np.bool_)

    def looks_at_rest(self, small: Image, window: Window) -> Mask:
        """Tell what looks like the scene at rest in a window of the picture."""
        low, high = self._rest_bounds
        return cv2.inRange(small[window], low[window], high[window])

    def _looks_bare(self, small: Image, window: Window) -> Mask:
        low, high = self._bare_bounds
        return cv2.inRange(small[window], low[window], high[window])

    def leftover(self, small: Image) -> tuple[Mask, Mask]:
        """Tell what looks like neither the scene at rest nor bare ground, and what like bare ground.

        Streaks of rain are left out: where thin things are all over the picture, they are no parts of caps.
        """
        is_rest = self.looks_at_rest(small, EVERYWHERE)
        is_bare = is_rest.copy()
        for window in self._covered:
            is_bare[window] = self._looks_bare(small, window)
        return without_rain(cv2.bitwise_not(cv2.bitwise_or(is_rest, is_bare))), is_bare

    def absorb(self, small: Image, keep_out: Mask) -> bool:
        """Take what has stayed unchanged for a while into the ground, but for `keep_out`; tells whether anything has.

        To be called for every frame.
        """
        self._frames += 1
        if self._frames % LOOK_EVERY:
            return False
        cv2.accumulateWeighted(small, self._steady, BACKGROUND.steady_share)
        steady = cv2.convertScaleAbs(self._steady)
        changed = _largest(cv2.absdiff(small, steady))
        strange = _largest(cv2.absdiff(steady, self.rest))
        is_steady = cv2.inRange(changed, 0, self._same_levels) & cv2.inRange(strange, BACKGROUND.strange_levels, 255)
        self._looks_steady = cv2.bitwise_and(cv2.add(self._looks_steady, 1), is_steady)
        stayed, lay = (
            cv2.inRange(self._looks_steady, looks, 255) for looks in (BACKGROUND.stay_looks, BACKGROUND.lie_looks)
        )
        has_come = (stayed & cv2.inRange(strange, 0, BACKGROUND.mended_levels)) | lay
        has_come &= ~keep_out
        is_little = cv2.countNonZero(has_come) < BACKGROUND.little_share * has_come.size
        if is_little and (self._frames % (LOOK_EVERY * LITTLE_EVERY) or not has_come.any()):
            return False
        cv2.copyTo(steady, has_come, self.rest)
        cv2.copyTo(steady, has_come, self.bare)
        self._renew_bounds(has_come)
        return True

    def settle(self, small: Image, seen: Mask, left: Mask) -> None:
        """Renew the scene at rest: as it is seen now where `seen`, bare where a cap has `left`.

        Where it left, what is seen now is the ground, unless a hand lies over it.
        """
        slightly = cv2.inRange(_largest(cv2.absdiff(small, self.bare)), 0, BACKGROUND.mended_levels)
        cv2.copyTo(small, slightly & left & ~seen, self.bare)
        cv2.copyTo(self.bare, left, self.rest)
        cv2.copyTo(small, seen, self.rest)
        self._renew_bounds(seen | left)

    def _fill_bounds(self) -> None:
        margins = _margins(self._margin, self._edge_margin)
        self._rest_bounds, self._bare_bounds = (_bounds(picture, margins) for picture in (self.rest, self.bare))
        self._renew_rest()

    def _renew_bounds(self, changed: Mask) -> None:
        """Reckon the bounds anew where a mask says that the ground has changed, and about it."""
        x, y, width, height = cv2.boundingRect(changed)
        inner = _window(x, y, width, height, CONTRAST_REACH)
        outer = _window(x, y, width, height, 2 * CONTRAST_REACH)
        within = (slice(inner[0].start - outer[0].start, None), slice(inner[1].start - outer[1].start, None))
        margins = _margins(self._margin, self._edge_margin)
        for picture, bounds in ((self.rest, self._rest_bounds), (self.bare, self._bare_bounds)):
            for bound, renewed in zip(bounds, _bounds(picture[outer], margins), strict=True):
                target = bound[inner]
                target[...] = renewed[within][: target.shape[0], : target.shape[1]]
        self._renew_rest()

    def _renew_rest(self) -> None:
        """Take over that the scene at rest has changed: its light, and in which windows the bare ground is another."""
        self._lighting.renew(self.rest)
        differs = cv2.inRange(_largest(cv2.absdiff(self.rest, self.bare)), 1, 255)
        reach = cv2.dilate(differs, np.ones((2 * CONTRAST_REACH + 1,) * 2, np.uint8))
        outlines, _ = cv2.findContours(reach, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)  # a tenth of labelling them
        boxes = (cv2.boundingRect(outline) for outline in outlines)
        self._covered = [_window(x, y, width, height, 0) for x, y, width, height in boxes]


def light_between(empty: Image, seen: Image) -> NDArray[np.uint8]:
    """Fit the table (256, 1, 3) that shows the empty ground, by and large, in the light in which it is seen now."""
    sparse, now = (picture[::LIGHT_EVERY, ::LIGHT_EVERY].reshape(-1, 3) for picture in (empty, seen))
    return _light_between(sparse, now)


class LocalLight:
    """Remembers what light adds to each part of a picture, beside the empty ground: glare, a lamp's pool, shade.

    `white` is the luma of what is saturated, `radius_small` that of caps, which are no light.
    """

    def __init__(self, empty: Image, seen: Image, *, radius_small: float, white: int = 255) -> None:
        self._white = white
        height, width = seen.shape[:2]
        halved = np.clip(np.rint(128 + _added(empty, seen, white) / 2), 0, 255).astype(np.uint8)
        light = _soft(cv2.medianBlur(halved, _odd(BACKGROUND.light_spot * len(halved))))
        light = _followed(light, halved, _odd(BACKGROUND.cap_spot_radii * radius_small / COARSE_LIGHT))
        self._halved = cv2.resize(light, (width, height), interpolation=cv2.INTER_LINEAR)

    @property
    def is_clear(self) -> bool:
        """Whether any part is clearly lit otherwise than the rest."""
        return bool(
            _largest(cv2.absdiff(self._halved, np.full_like(self._halved, 128))).max() >= BACKGROUND.lit_half_levels
        )

    def on_colours(self, yuv: NDArray[np.float64], xs: NDArray[np.int64], ys: NDArray[np.int64]) -> NDArray[np.float64]:
        """Show colours (..., 3) in it at pixels (N,): (..., N, 3). What would be brighter than white is white."""
        return clipped_at(self._white, yuv[..., None, :] + self.added_at(xs, ys))

    def added_at(self, xs: NDArray[np.int64], ys: NDArray[np.int64]) -> NDArray[np.float64]:
        """Tell what it adds to pixels (N,): (N, 3)."""
        return 2.0 * (self._halved[ys, xs] - 128.0)

    def on(self, empty: Image) -> Image:
        """Show the empty ground in it."""
        return cv2.addWeighted(empty, 1.0, self._halved, 2.0, -256)

    def saturates(self, yuv: NDArray[np.float64], xy_small: NDArray[np.float64]) -> bool:
        """Tell whether it saturates a colour (3,), red, green or blue of it, at a point (2,)."""
        height, width = self._halved.shape[:2]
        x, y = (int(np.clip(round(float(c)), 0, side - 1)) for c, side in zip(xy_small, (width, height), strict=True))
        added = self.added_at(np.array(x), np.array(y))
        rgb = (yuv + added - (0.0, 128.0, 128.0)) @ TO_RGB.T
        is_lit = added[0] >= 2 * BACKGROUND.lit_half_levels
        return bool(is_lit and rgb.max() >= self._white - BACKGROUND.nearly_levels)

    def shown(self, empty: Image) -> Image:
        """Show the empty ground in it as the camera does: white where that saturates."""
        lit = clipped_at(self._white, empty.astype(np.float64) + 2.0 * (self._halved - 128.0))
        return np.clip(np.rint(lit), 0, 255).astype(np.uint8)

    def off(self, seen: Image, empty: Image) -> Image:
        """Show a picture without it; ground that it saturates tells nothing, and is shown as the `empty` one.

        So is what lies beside such ground, for pixels mix, unless it is coloured: light that saturates takes colour
        away and gives none.
        """
        dull = cv2.addWeighted(seen, 1.0, self._halved, -2.0, 256)
        saturated = cv2.inRange(cv2.transform(seen, TO_LEVELS), (self._white - SATURATED,) * 3, (255,) * 3)
        would_be = cv2.inRange(
            cv2.extractChannel(self.on(empty), 0), self._white - SATURATED - BACKGROUND.nearly_levels, 255
        )
        lit = cv2.inRange(cv2.extractChannel(self._halved, 0), 128 + BACKGROUND.lit_half_levels, 255)
        coloured = cv2.inRange(_largest_of_colours(cv2.absdiff(seen, empty)), BACKGROUND.colour_levels + 1, 255)
        silent = saturated & would_be & lit
        cv2.copyTo(empty, silent | (cv2.dilate(silent, np.ones((3, 3), np.uint8)) & ~coloured), dull)
        return dull


def _odd(side: float) -> int:
    return int(side) // 2 * 2 + 1


def _followed(light: Image, halved: Image, window: int) -> Image:
    """Follow steep and bent light more closely, where there is any: what the medians of wide windows round off."""
    apart = _largest(cv2.absdiff(light, np.full_like(light, 128)))
    lit = cv2.dilate(cv2.inRange(apart, BACKGROUND.lit_half_levels, 255), np.ones((2 * window + 1,) * 2, np.uint8))
    for _ in range(FOLLOWED_TIMES):
        left = np.full_like(light, 128)
        cv2.copyTo(cv2.addWeighted(halved, 1.0, light, -1.0, 128), lit, left)
        light = cv2.addWeighted(light, 1.0, cv2.medianBlur(left, window), 1.0, -128)
    return light


def _soft(halved: Image) -> Image:
    """Leave out of differences about 128 those with a sharp border: a hand or a thing lies there."""
    apart = _largest(cv2.absdiff(halved, np.full_like(halved, 128)))
    slope = cv2.morphologyEx(apart, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    count, labels = cv2.connectedComponents(cv2.inRange(apart, BACKGROUND.lit_half_levels, 255))
    soft = halved.copy()
    for label in range(1, count):
        is_own = labels == label
        inside = cv2.erode(is_own.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=1)
        if np.median(slope[is_own & (inside == 0)]) > BACKGROUND.sharp_half_levels:
            soft[is_own] = 128
    return soft


def bare_ground(empty: Image, seen: Image, caps: Mask) -> Image:
    """Make the ground without caps and without whatever else may leave: as `seen` where the `empty` one agrees.

    Under caps the light goes on as it is about them, however steep.
    """
    bare = seen.copy()
    differs = cv2.inRange(_largest(cv2.absdiff(seen, empty)), BACKGROUND.mended_levels, 255)
    cv2.copyTo(empty, differs, bare)
    cv2.copyTo(_lit_on(empty, seen, caps | differs), caps, bare)
    return bare


def _coarse(picture: Image | NDArray[np.float32]) -> NDArray[np.float32]:
    """Average a picture over squares in which light is even."""
    height, width = picture.shape[:2]
    size = (max(width // COARSE_LIGHT, 1), max(height // COARSE_LIGHT, 1))
    return np.asarray(cv2.resize(picture.astype(np.float32), size, interpolation=cv2.INTER_AREA), np.float32)


def _added_where(empty: Image, seen: Image, where: Mask) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Tell what light adds to coarse pixels (h, w, 3), by those parts of them, and for which there are enough."""
    weight = _coarse(where)[..., None] / 255
    added = _coarse(cv2.subtract(seen, empty, mask=where, dtype=cv2.CV_32F)) / np.maximum(weight, BACKGROUND.least_seen)
    return np.asarray(added, np.float32), np.asarray(weight >= BACKGROUND.least_seen, np.bool_)


def _added(empty: Image, seen: Image, white: int) -> NDArray[np.float32]:
    """Tell what light adds to coarse pixels (h, w, 3).

    What is saturated tells only that it is at least so much; the darkest of such ground about it tells most.
    """
    luma, *colours = cv2.split(empty)
    is_telling = cv2.inRange(cv2.extractChannel(seen, 0), 0, white - SATURATED)
    known, is_known = _added_where(empty, seen, is_telling)
    darkest = cv2.erode(cv2.bitwise_or(luma, is_telling), np.ones((COARSE_LIGHT + 1,) * 2, np.uint8))
    at_least = _coarse(cv2.subtract(seen, cv2.merge([darkest, *colours]), dtype=cv2.CV_32F))
    return np.where(is_known, known, at_least)


def _lit_on(empty: Image, seen: Image, hidden: Mask) -> Image:
    """Show the empty ground with what light adds to it where it is seen, carried on evenly where it is `hidden`.

    Evenly is as a stretched skin: each place is the mean of its neighbours, so that a slope goes on through it.
    """
    height, width = hidden.shape
    known, is_known = _added_where(empty, seen, cv2.inRange(hidden, 0, 0))
    skin = np.where(is_known, known, 0)
    for _ in range(STRETCHES):
        skin = np.where(is_known, known, cv2.blur(skin, (3, 3)))
    light = cv2.resize(skin, (width, height), interpolation=cv2.INTER_LINEAR)
    return cv2.add(empty, light, dtype=cv2.CV_8U)


def is_still(before: Image, now: Image) -> bool:
    """Tell whether nothing of a cap's size moved between two small pictures.

    Rain is thinner, and a camera that sways is brought back but for a part of a pixel, which steep edges show.
    """
    square = np.ones((3, 3), np.uint8)
    steepness = _largest(cv2.subtract(cv2.dilate(before, square), cv2.erode(before, square)))
    forgiven = cv2.convertScaleAbs(steepness, alpha=BACKGROUND.edge_share)
    moved = cv2.subtract(_largest(cv2.absdiff(before, now)), forgiven)
    changed = cv2.inRange(moved, BACKGROUND.moved_levels, 255)
    return cv2.countNonZero(without_rain(changed, STREAKS_CROSS)) < BACKGROUND.moved_share * changed.size


def discs(shape: tuple[int, int], centres_small: Points, radii_small: Points) -> Mask:
    """Draw filled discs into a mask (h, w)."""
    mask = np.zeros(shape, np.uint8)
    for (x, y), radius in zip(centres_small, radii_small, strict=True):
        cv2.circle(mask, (round(x * 16), round(y * 16)), round(radius * 16), 255, -1, cv2.LINE_8, 4)
    return mask


def _window(x: int, y: int, width: int, height: int, reach: int) -> Window:
    return slice(max(y - reach, 0), y + height + reach), slice(max(x - reach, 0), x + width + reach)


def _largest(difference: Image) -> Mask:
    """Take the largest of three channels: (h, w)."""
    y, u, v = cv2.split(difference)
    return cv2.max(y, cv2.max(u, v))


def _largest_of_colours(difference: Image) -> Mask:
    """Take the larger of two channels, without luma: (h, w)."""
    _, u, v = cv2.split(difference)
    return cv2.max(u, v)


def without_rain(mask: Mask, width: int = STREAK) -> Mask:
    """Leave out what is thinner than so many pixels, where such things are all over the picture."""
    if cv2.countNonZero(mask) <= BACKGROUND.rain_share * mask.size:
        return mask
    broad = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((width, width), np.uint8))
    is_raining = cv2.countNonZero(mask) - cv2.countNonZero(broad) > BACKGROUND.rain_share * mask.size
    return broad if is_raining else mask


def _contrast(picture: Image) -> Image:
    luma = cv2.blur(cv2.extractChannel(picture, 0), (3, 3))
    square = np.ones((3, 3), np.uint8)
    return cv2.subtract(cv2.dilate(luma, square), cv2.erode(luma, square))


def _bounds(picture: Image, margins: tuple[Image, Image]) -> tuple[Image, Image]:
    """Reckon between which levels each pixel of a picture (h, w, 3) is explained, given `_margins`."""
    contrast = cv2.merge([_contrast(picture)] * 3)
    below, above = (cv2.LUT(contrast, margin) for margin in margins)
    return cv2.subtract(picture, below), cv2.add(picture, above)


def _margins(least: NDArray[np.float64], edge_margin: float) -> tuple[Image, Image]:
    """Tabulate how many whole levels (256, 1, 3) are forgiven below and above, by the local contrast."""
    margin = least + edge_margin * np.arange(256)[:, None, None] * np.array(
        [1.0, BACKGROUND.colour_edge_share, BACKGROUND.colour_edge_share]
    )
    return np.clip(np.ceil(margin), 0, 255).astype(np.uint8), np.clip(margin, 0, 255).astype(np.uint8)


def _light_between(empty: NDArray[np.uint8], seen: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Fit the table (256, 1, 3) that shows pixels (N, 3) of one picture as the other does."""
    ends = np.unique(np.quantile(empty[:, 0], np.linspace(0, 1, 17)))
    knots = [(float(np.median(empty[part, 0])), float(np.median(seen[part, 0]))) for part in _parts(empty[:, 0], ends)]
    levels = np.arange(256, dtype=np.float64)
    below, above = knots[0], knots[-1]
    xs = [0.0, *(x for x, _ in knots), 255.0]
    ys = [below[1] - below[0], *(y for _, y in knots), above[1] + 255.0 - above[0]]
    luma = np.interp(levels, xs, ys)
    gain = max(float(np.median(seen[:, 0])), 1.0) / max(float(np.median(empty[:, 0])), 1.0)
    colour = 128 + gain * (levels - 128)  # is counted from 128, and fades with the light
    shift = np.median(seen[:, 1:] - colour[empty[:, 1:]], axis=0)
    table = np.stack([luma, colour + shift[0], colour + shift[1]], axis=1)[:, None, :]
    return np.clip(table + 0.5, 0, 255).astype(np.uint8)


def _parts(levels: NDArray[np.uint8], ends: NDArray[np.float64]) -> list[NDArray[np.bool_]]:
    parts = [(levels >= low) & (levels <= high) for low, high in pairwise(ends)]
    return [part for part in parts if part.any()] or [np.ones(len(levels), bool)]
