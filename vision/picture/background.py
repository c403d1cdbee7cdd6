"""The scene at rest: the bare ground, and the ground with the caps that lie on it.

A pixel is explained when it looks like either of the two; what is left over has come into the picture: a cap on
its way, a hand, a shadow. Where a cap has left, the bare ground explains what is seen, so it leaves no ghost.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.picture.added_light import carried_on
from linesies.vision.picture.layout import EVERYWHERE, SATURATED, Image, Window
from linesies.vision.picture.lighting import Lighting
from linesies.vision.picture.masks import Mask, largest, window_about


@dataclass(frozen=True)
class BackgroundTuning(Tuning):
    """What still looks like the scene at rest, and what has come to stay."""

    luma_levels: int = tuned(
        9,
        title="of luma that are always forgiven",
        unit="levels",
        low=2,
        high=40,
        source="noise_sigmas of a quiet camera, whose pixels stray by 1.8 levels",
    )
    colour_levels: int = tuned(
        7,
        title="likewise of U and of V",
        unit="levels",
        low=2,
        high=40,
        source="a fourth less than luma: colour is stored at half resolution, which averages its noise",
    )
    noise_sigmas: float = tuned(
        5.0,
        title="of one pixel's noise that are forgiven",
        unit="1",
        low=1,
        high=12,
        source="chance: less than one value in a small picture (640 x 360 of three) strays so far by noise",
    )
    edge_share: float = tuned(
        0.35,
        title="of the local contrast, what is forgiven besides: codecs blur edges",
        unit="1",
        low=0,
        high=1,
        source="geometry: where an edge lies a third of a pixel elsewhere, a pixel changes by a third of the contrast",
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
    same_levels: int = tuned(
        6, title="from look to look that are no change", unit="levels", low=1, high=30, source=by_hand_in("87175e9")
    )
    strange_levels: int = tuned(
        5,
        title="from the scene at rest that are worth taking over",
        unit="levels",
        low=1,
        high=30,
        source=by_hand_in("87175e9"),
    )
    mended_levels: int = tuned(
        28,
        title="by which the ground under a cap may have been guessed wrong",
        unit="levels",
        low=5,
        high=100,
        source=by_hand_in("6b123d0"),
    )
    steady_share: float = tuned(
        0.3, title="of each look, what is taken over", unit="1", low=0.02, high=1, source=by_hand_in("40942c8")
    )
    little_share: float = tuned(
        0.002,
        title="of the picture's area: single pixels that a codec lets drift wait for one another",
        unit="1",
        low=0.0001,
        high=0.05,
        source=by_hand_in("37f1511"),
    )
    look_every_s: float = tuned(
        0.25,
        title="at rest, from one look at what has come to stay to the next",
        unit="s",
        low=0.05,
        high=2,
        source=by_hand_in("cd19fdd"),
    )
    little_every_s: float = tuned(
        1.0,
        title="at rest, from one time to the next that little is taken over, which costs as much as much",
        unit="s",
        low=0.1,
        high=10,
        source=by_hand_in("37f1511"),
    )
    stay_s: float = tuned(
        2.0,
        title="for which a slight change must stay to become ground: light, a drop",
        unit="s",
        low=0.5,
        high=15,
        source="by hand, as 120 frames at 60 a second: longer than a cap slides",
    )
    lie_s: float = tuned(
        15.0,
        title="likewise a clear one: a leaf, but no hand that takes aim",
        unit="s",
        low=2,
        high=60,
        source="by hand, as 900 frames at 60 a second: for so long no hand keeps still to the pixel",
    )

    @property
    def noise_margin(self) -> tuple[int, int, int]:
        """What of luma, U and V is always forgiven."""
        return self.luma_levels, self.colour_levels, self.colour_levels

    def looks_in(self, seconds: float) -> int:
        """Tell how many looks there are in so long a time."""
        return max(round(seconds / self.look_every_s), 1)


BACKGROUND = BackgroundTuning()

CONTRAST_REACH = 2  # pixels about one that its contrast is measured over


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
        self._lighting = Lighting(rest, float(self._margin[0]) - BACKGROUND.luma_levels, white, bare=bare)
        self._fill_bounds()
        self._steady = rest.astype(np.float32)
        self._looks_steady = np.zeros(rest.shape[:2], np.uint8)
        self._looks, self._unlooked_s = 0, 0.0

    def in_first_light(self, small: Image, changed_share: float = 1.0) -> Image:
        """Undo the change of light since the first picture; that share of the picture has changed since the last."""
        return self._lighting.undone(small, changed_share)

    def is_light_due(self, changed_share: float) -> bool:
        """Tell whether the light is measured when that share of the picture has changed: on the whole of it."""
        return self._lighting.is_due(changed_share)

    def in_light_as_measured(self, part: Image, changed_share: float, window: Window) -> Image:
        """Undo in a window, of which `part` is the picture, the change of light that was measured last."""
        return self._lighting.undone_in(part, changed_share, window)

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
        """Tell what looks like neither the scene at rest nor bare ground, and what like bare ground."""
        is_rest = self.looks_at_rest(small, EVERYWHERE)
        is_bare = is_rest.copy()
        for window in self._covered:
            is_bare[window] = self._looks_bare(small, window)
        return cv2.bitwise_not(cv2.bitwise_or(is_rest, is_bare)), is_bare

    def leftover_in(self, small: Image, window: Window) -> tuple[Mask, Mask]:
        """Tell the same of a window."""
        is_rest, is_bare = self.looks_like(small, window)
        return cv2.bitwise_not(cv2.bitwise_or(is_rest, is_bare)), is_bare

    def absorb(self, small: Image, *, keep_out: Mask, lying: Mask, frame_s: float) -> bool:
        """Take what has stayed unchanged for a while into the ground, but for `keep_out`; tells whether anything has.

        Of that, where no cap is `lying`, what has come to look like bare ground is: a hand was there, and no shadow.
        To be called for every frame at rest, which lasts so long.
        """
        self._unlooked_s += frame_s
        if self._unlooked_s < BACKGROUND.look_every_s - frame_s / 2:
            return False
        self._unlooked_s -= BACKGROUND.look_every_s
        self._looks += 1
        cv2.accumulateWeighted(small, self._steady, BACKGROUND.steady_share)
        steady = cv2.convertScaleAbs(self._steady)
        changed = largest(cv2.absdiff(small, steady))
        strange = largest(cv2.absdiff(steady, self.rest))
        is_steady = cv2.inRange(changed, 0, self._same_levels) & cv2.inRange(strange, BACKGROUND.strange_levels, 255)
        self._looks_steady = cv2.bitwise_and(cv2.add(self._looks_steady, 1), is_steady)
        stayed, lay = (
            cv2.inRange(self._looks_steady, BACKGROUND.looks_in(seconds), 255)
            for seconds in (BACKGROUND.stay_s, BACKGROUND.lie_s)
        )
        has_come = (stayed & cv2.inRange(strange, 0, BACKGROUND.mended_levels)) | lay
        has_come &= ~keep_out
        has_gone = self._bare_in(steady, stayed & keep_out & ~lying)
        has_changed = has_come | has_gone
        is_little = cv2.countNonZero(has_changed) < BACKGROUND.little_share * has_changed.size
        if is_little and (self._looks % BACKGROUND.looks_in(BACKGROUND.little_every_s) or not has_changed.any()):
            return False
        cv2.copyTo(steady, has_changed, self.rest)
        cv2.copyTo(steady, has_come, self.bare)
        self._renew_bounds(has_changed)
        return True

    def _bare_in(self, small: Image, where: Mask) -> Mask:
        """Tell what of a mask looks like bare ground."""
        return where & self._looks_bare(small, EVERYWHERE) if where.any() else where

    def settle(self, small: Image, *, seen: Mask, left: Mask, lying: Mask) -> None:
        """Renew the scene at rest: as it is seen now where `seen`, bare where a cap has `left`.

        Where it left, what is seen now is the ground, unless a hand lies over it. Where another cap is `lying` so near
        that its shadow may fall there, what looks bare is, and of all else nothing is known.
        """
        slightly = cv2.inRange(largest(cv2.absdiff(small, self.bare)), 0, BACKGROUND.mended_levels)
        freed = left & ~lying
        cv2.copyTo(small, slightly & freed & ~seen, self.bare)
        cv2.copyTo(self.bare, freed, self.rest)
        cv2.copyTo(small, seen | (slightly & left & lying), self.rest)
        self._renew_bounds(seen | left)

    def _fill_bounds(self) -> None:
        margins = _margins(self._margin, self._edge_margin)
        self._rest_bounds, self._bare_bounds = (_bounds(picture, margins) for picture in (self.rest, self.bare))
        self._renew_rest()

    def _renew_bounds(self, changed: Mask) -> None:
        """Reckon the bounds anew where a mask says that the ground has changed, and about it."""
        x, y, width, height = cv2.boundingRect(changed)
        inner = window_about(x, y, width, height, CONTRAST_REACH)
        outer = window_about(x, y, width, height, 2 * CONTRAST_REACH)
        within = (slice(inner[0].start - outer[0].start, None), slice(inner[1].start - outer[1].start, None))
        margins = _margins(self._margin, self._edge_margin)
        for picture, bounds in ((self.rest, self._rest_bounds), (self.bare, self._bare_bounds)):
            for bound, renewed in zip(bounds, _bounds(picture[outer], margins), strict=True):
                target = bound[inner]
                target[...] = renewed[within][: target.shape[0], : target.shape[1]]
        self._renew_rest()

    def _renew_rest(self) -> None:
        """Take over that the scene at rest has changed: its light, and in which windows the bare ground is another."""
        self._lighting.renew(self.rest, self.bare)
        differs = cv2.inRange(largest(cv2.absdiff(self.rest, self.bare)), 1, 255)
        reach = cv2.dilate(differs, np.ones((2 * CONTRAST_REACH + 1,) * 2, np.uint8))
        outlines, _ = cv2.findContours(reach, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)  # a tenth of labelling them
        boxes = (cv2.boundingRect(outline) for outline in outlines)
        self._covered = [window_about(x, y, width, height) for x, y, width, height in boxes]


def bare_ground(empty: Image, seen: Image, caps: Mask) -> Image:
    """Make the ground without caps and without whatever else may leave: as `seen` where the `empty` one agrees.

    Under caps the light goes on as it is about them, however steep.
    """
    bare = seen.copy()
    differs = cv2.inRange(largest(cv2.absdiff(seen, empty)), BACKGROUND.mended_levels, 255)
    cv2.copyTo(empty, differs, bare)
    cv2.copyTo(carried_on(empty, seen, caps | differs), caps, bare)
    return bare


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
