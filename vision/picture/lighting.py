"""The light on the scene, frame by frame: exposure, white balance and the bands of mains lamps, divided out.

What is sampled are ratios to the scene at rest, by their medians: whatever has come into the picture is a minority.
Where somebody leans over most of the board, the light is as it was: what is still to be seen says so.
"""

from dataclasses import dataclass, replace
from functools import reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.picture.layout import EVERYWHERE, SATURATED, Image, Window
from linesies.vision.picture.masks import Mask, window_about
from linesies.vision.picture.median import upper_median
from linesies.vision.picture.shade import GroundTexture, Shading

Array = NDArray[np.float32]


@dataclass(frozen=True)
class LightingTuning(Tuning):
    """Which changes of exposure, white balance and lamps are divided out."""

    light_tolerance: float = tuned(
        0.006,
        title="changes of the light below this are left alone",
        unit="1",
        low=0.001,
        high=0.1,
        source="one and a half of 255 levels: a sixth of what is forgiven (BackgroundTuning.luma_levels)",
    )
    tint_levels: float = tuned(
        1.5, title="grey levels of U or V that are no lamp's colour", unit="levels", low=0.2, high=10, source=BY_HAND
    )
    clearly: float = tuned(
        1.25,
        title="times as many samples must agree that the light is as it was",
        unit="1",
        low=1,
        high=4,
        source=by_hand_in("eddfe23"),
    )
    uncovered: float = tuned(
        0.2,
        title="of the board, what somebody who leans over it leaves",
        unit="1",
        low=0.02,
        high=0.8,
        source=by_hand_in("eddfe23"),
    )
    balance_tolerance: float = tuned(
        0.012,
        title="of a colour's gain beside the others, what is left alone",
        unit="1",
        low=0.001,
        high=0.2,
        source="three of 255 levels: less than half of what is forgiven in colour (BackgroundTuning.colour_levels)",
    )
    alike: float = tuned(
        0.06,
        title="of a colour's gain, within which samples agree on it",
        unit="1",
        low=0.005,
        high=0.4,
        source=by_hand_in("807c0aa"),
    )
    alike_share: float = tuned(
        0.35, title="share of the samples that must", unit="1", low=0.05, high=1, source=by_hand_in("807c0aa")
    )
    band_tolerance: float = tuned(
        0.02,
        title="of a row's gain beside the others, what is left alone",
        unit="1",
        low=0.002,
        high=0.2,
        source="five of 255 levels: a little more than half of what is forgiven (BackgroundTuning.luma_levels)",
    )
    banded: float = tuned(
        1.1,
        title="times as many samples must agree with bands as without",
        unit="1",
        low=1,
        high=4,
        source=by_hand_in("807c0aa"),
    )
    lit_so_levels: int = tuned(
        5,
        title="grey levels within which a sample agrees with a light, noise aside",
        unit="levels",
        low=1,
        high=30,
        source=by_hand_in("eddfe23"),
    )
    least_leap: float = tuned(
        0.03,
        title="of the gain from frame to frame, worth a look",
        unit="1",
        low=0.005,
        high=0.2,
        source=by_hand_in("eddfe23"),
    )
    incredible_leap: float = tuned(
        0.2,
        title="of the gain from frame to frame: rather somebody leans over",
        unit="1",
        low=0.05,
        high=1,
        source=by_hand_in("eddfe23"),
    )
    telling_share: float = tuned(
        0.2,
        title="of the picture, in all, that changes before its light is measured again",
        unit="1",
        low=0.01,
        high=1,
        source=by_hand_in("8524687"),
    )
    coloured_share: float = tuned(
        0.1,
        title="of the samples, which must have a colour before the white balance is told by them",
        unit="1",
        low=0.01,
        high=0.9,
        source=by_hand_in("807c0aa"),
    )


LIGHTING = LightingTuning()

GRID = 8  # every so many pixels the light is sampled
TINT_EVERY = 4  # samples of the light, of which one is asked for its colour
LEAST_GAIN, MOST_GAIN = 0.05, 20.0  # a camera's range; a black or a white picture says nothing of the light
BALANCE_EVERY = 4  # measurements of the light to one of the white balance, which no camera changes quickly
DARKEST, BRIGHTEST = 12.0, 243.0  # levels within which a colour is neither black nor saturated

TO_RGB = np.array([[1.0, 0.0, 1.402], [1.0, -0.344, -0.714], [1.0, 1.772, 0.0]])  # of Y, U - 128, V - 128 (JFIF)
TO_LEVELS = np.column_stack([TO_RGB, -TO_RGB @ (0.0, 128.0, 128.0)])
LUMA = np.linalg.inv(TO_RGB)[0]


@dataclass(frozen=True, slots=True)
class LightChange:
    """Gains of the dark and of the bright half of a picture, and the tint besides, in grey levels, since the first."""

    dark: float = 1.0
    bright: float = 1.0
    u: float = 0.0
    v: float = 0.0

    @property
    def on_colours(self) -> float:
        """The gain of colours: they are counted from 128, and fade with the light."""
        return (self.dark + self.bright) / 2

    @property
    def is_first(self) -> bool:
        """Whether the light is as at first."""
        return (
            not self.is_other(LightChange(), LIGHTING.light_tolerance)
            and max(abs(self.u), abs(self.v)) < LIGHTING.tint_levels
        )

    def is_other(self, than: "LightChange", gain: float) -> bool:
        """Tell whether the gains differ by so much."""
        return max(abs(self.dark - than.dark), abs(self.bright - than.bright)) >= gain


class Lighting:
    """Remembers samples of the scene at rest in the first light, and the light when it was last measured."""

    def __init__(
        self, rest: Image, noise_levels: float, white: int, *, bare: Image | None = None, is_any_shade: bool = False
    ) -> None:
        """Take the scene at rest (h, w, 3), whose `white` has that luma; `noise_levels` are forgiven besides.

        Where it is known, `bare` is the ground beneath what lies there. With `is_any_shade` little is divided out too.
        """
        self._is_any_shade = is_any_shade
        self._lit_so = LIGHTING.lit_so_levels + noise_levels
        self._white, self._saturated = white, white - SATURATED
        self._light = LightChange()
        self._balance = np.ones(3)
        self._bands: Array | None = None
        self._shading: Shading | None = None
        self._measured = 0  # pictures
        self._changed_share = LIGHTING.telling_share  # of the picture, in all, since the light was measured
        self.renew(rest, bare)

    def renew(self, rest: Image, bare: Image | None = None) -> None:
        """Sample the scene at rest, which has changed, or the ground beneath it has."""
        self._texture = GroundTexture(rest, self._white, bare=bare, is_any=self._is_any_shade)
        self._grounds = (rest,) if bare is None else (rest, bare)
        self._grounds_rgb: tuple[Image, ...] | None = None
        sampled = rest[::GRID, ::GRID]
        self._shape = sampled.shape[:2]
        sampled = sampled.reshape(-1, 3)
        self._luma = sampled[:, 0].astype(np.float32) + 1.0
        self._order = np.argsort(sampled[:, 0], kind="stable")
        self._tinted = self._order[::TINT_EVERY]
        self._colours = sampled[self._tinted, 1:] - np.float32(128)
        self._rgb = _rgb_of(sampled[::TINT_EVERY])
        half = len(sampled) // 2
        dark, bright = self._luma[self._order[:half]], self._luma[self._order[half:]]
        self._levels = (float(np.median(dark)), float(np.median(bright)))
        self._half = np.zeros(len(sampled), np.intp)
        self._half[self._order[half:]] = 1
        self._hold()

    def undone(self, small: Image, changed_share: float = 1.0) -> Image:
        """Show a small picture (h, w, 3) in the first light; what is saturated now and was bright is as it was.

        Light changes everywhere: while too little of the picture has changed, it is not measured. Bands of lamps move
        from frame to frame: while there are any, it is measured each time.
        """
        if self.is_due(changed_share):
            self._changed_share = 0.0
            self._measure(np.ascontiguousarray(small[::GRID, ::GRID]))
            self._shading = self._texture.shading_of(self._balanced(small), was_there=self._shading is not None)
        else:
            self._changed_share += changed_share
        return self._undone(small, EVERYWHERE)

    def is_due(self, changed_share: float) -> bool:
        """Tell whether the light is measured when that share of the picture has changed besides."""
        is_moving = self._bands is not None or self._shading is not None
        return self._changed_share + changed_share >= LIGHTING.telling_share or is_moving

    def undone_in(self, part: Image, changed_share: float, window: Window) -> Image:
        """Show a window of a small picture in the first light, as that was measured last."""
        self._changed_share += changed_share
        return self._undone(part, window)

    def _balanced(self, small: Image) -> Image:
        """Show a small picture without what is measured of white balance and bands."""
        seen = small if self._turn is None else cv2.transform(small, self._turn)
        if self._bands is not None:
            at = np.arange(small.shape[0]) / GRID
            seen = _without_bands(seen, np.interp(at, np.arange(len(self._bands)), self._bands).astype(np.float32))
        return seen

    def _undone(self, small: Image, window: Window) -> Image:
        seen = self._balanced(small)
        if self._shading is not None:
            seen = self._shading.undone(seen, window)
        elif not self._light.is_first:
            seen = _light_undone(seen, self._light, self._table)
        return small if seen is small else self._with_saturated(small, seen, window)

    def _measure(self, sampled: Image) -> None:
        """Measure the light on samples of a picture (rows, columns, 3): each change without those before it."""
        self._measured += 1
        if self._measured % BALANCE_EVERY == 1:
            self._balance_on(sampled)
        if (turn := self._unbalancing()) is not None:
            sampled = cv2.transform(sampled, turn)
        self._bands = self._bands_on(sampled)
        if self._bands is not None:
            sampled = _without_bands(sampled, self._bands)
        sampled = sampled.reshape(-1, 3)
        luma = sampled[:, 0].astype(np.float32) + 1.0
        light = self._light_on(sampled, luma)
        if not (light.is_other(self._light, LIGHTING.least_leap) and self._is_as_it_was(luma, light)):
            self._light = light
        self._hold()

    def _hold(self) -> None:
        """Make ready what undoes the light until it is measured again: a turn of colours, a table, a mask."""
        self._turn = self._unbalancing()
        self._table = _luma_undone(self._light, self._levels)
        self._brightened = self._brightened_by(self._light.bright * self._peak * self._balance)

    def _unbalancing(self) -> NDArray[np.float64] | None:
        """Make the matrix (3, 4) that undoes the white balance: a gain for each colour, but none for grey."""
        if np.abs(self._balance - 1).max() < LIGHTING.balance_tolerance:
            return None
        turn = np.linalg.inv(TO_RGB) @ np.diag(1 / self._balance) @ TO_RGB
        grey = np.array([0.0, 128.0, 128.0])
        return np.column_stack([turn, grey - turn @ grey])

    def _balance_on(self, sampled: Image) -> None:
        """Measure the white balance, where enough samples agree on one."""
        rgb = _rgb_of(sampled.reshape(-1, 3)[::TINT_EVERY])
        is_telling = ((rgb > DARKEST) & (rgb < BRIGHTEST) & (self._rgb > DARKEST) & (self._rgb < BRIGHTEST)).all(axis=1)
        ratio = rgb[is_telling] / self._rgb[is_telling]
        if len(ratio) > LIGHTING.coloured_share * len(rgb):
            middle = np.array([upper_median(channel) for channel in ratio.T])
            balance = middle / (LUMA @ middle)
            own = ratio / (ratio @ LUMA)[:, None]
            if np.mean(np.abs(own - balance).max(axis=1) < LIGHTING.alike) > LIGHTING.alike_share:
                self._balance = balance

    def _bands_on(self, sampled: Image) -> Array | None:
        """Measure by which gain (rows,) each row of samples differs from the others, if any does."""
        luma = sampled[:, :, 0].astype(np.float32) + 1.0
        ratio = luma / self._luma.reshape(self._shape)
        rows = np.partition(ratio, ratio.shape[1] // 2, axis=1)[:, ratio.shape[1] // 2]
        profile = np.clip(rows / max(upper_median(rows), LEAST_GAIN), 0.5, 2.0).astype(np.float32)
        if np.abs(profile - 1).max() < LIGHTING.band_tolerance or not self._is_banded(ratio, profile):
            return None
        return profile

    @property
    def _peak(self) -> float:
        """The largest gain of a row."""
        return 1.0 if self._bands is None else float(self._bands.max())

    def _is_banded(self, ratio: Array, profile: Array) -> bool:
        """Tell whether clearly more samples (rows, columns) agree with the rows' gains than with one for all."""
        rest = self._luma.reshape(self._shape)
        overall = upper_median(ratio.ravel())
        with_bands, without = (
            np.count_nonzero(np.abs(ratio - overall * gains) * rest < self._lit_so) for gains in (profile[:, None], 1.0)
        )
        return bool(with_bands > LIGHTING.banded * without)

    def _light_on(self, sampled: Image, luma: Array) -> LightChange:
        """Take the light by which most of the samples (N, 3), and their luma (N,), differ from the first."""
        ratio = np.clip(luma / self._luma, LEAST_GAIN, MOST_GAIN)[self._order]
        half = len(ratio) // 2
        light = LightChange(upper_median(ratio[:half]), upper_median(ratio[half:]))
        tints = (sampled[self._tinted, 1:] - np.float32(128)) - light.on_colours * self._colours
        return replace(light, u=upper_median(tints[:, 0]), v=upper_median(tints[:, 1]))

    def _is_as_it_was(self, luma: Array, light: LightChange) -> bool:
        """Tell whether the light has not leapt, for enough of the samples (N,) still agree with the last."""
        agreeing = self._agreeing(luma, self._light)
        is_leap = light.is_other(self._light, LIGHTING.incredible_leap)
        return agreeing > (
            LIGHTING.uncovered * len(luma) if is_leap else LIGHTING.clearly * self._agreeing(luma, light)
        )

    def _agreeing(self, luma: Array, light: LightChange) -> int:
        """Count the samples (N,) that look as at first but for that light."""
        gain = np.array([light.dark, light.bright], np.float32)[self._half]
        return int(np.count_nonzero(np.abs(luma - self._luma * gain) < self._lit_so))

    def _brightened_by(self, gains: NDArray[np.float64]) -> tuple[Mask, ...]:
        """Mark what of the scene at rest is saturated once the colours have these gains (3,), and what beneath it.

        None of either where nothing is.
        """
        if gains.max() < 1 + LIGHTING.balance_tolerance:
            return ()
        if self._grounds_rgb is None:  # which takes half of renewing, and is seldom needed
            self._grounds_rgb = tuple(cv2.transform(ground, TO_LEVELS) for ground in self._grounds)
        most = self._saturated / gains - LIGHTING.lit_so_levels
        masks = tuple(cv2.bitwise_not(cv2.inRange(rgb, 0, most)) for rgb in self._grounds_rgb)
        return masks if any(mask.any() for mask in masks) else ()

    def _with_saturated(self, small: Image, seen: Image, window: Window) -> Image:
        """Take pixels that are saturated, and would be had nothing changed, for unchanged: they don't say.

        Nor do they where what lay there has left ground that would be.
        """
        brightened = [mask[window] for mask in self._brightened]
        if not brightened or not (either := reduce(cv2.bitwise_or, brightened)).any():
            return seen
        part = window_about(*cv2.boundingRect(either))
        is_saturated = cv2.bitwise_not(cv2.inRange(cv2.transform(small[part], TO_LEVELS), 0, (self._saturated,) * 3))
        for ground, mask in reversed(list(zip(self._grounds, brightened, strict=True))):
            cv2.copyTo(ground[window][part], is_saturated & mask[part], seen[part])
        return seen


def clipped_at(white: int, yuv: NDArray[np.float64]) -> NDArray[np.float64]:
    """Show colours (..., 3) as a camera does that saturates at that luma: none of red, green and blue is above it."""
    rgb = np.clip((yuv - (0.0, 128.0, 128.0)) @ TO_RGB.T, 0.0, white)
    return rgb @ np.linalg.inv(TO_RGB).T + (0.0, 128.0, 128.0)


def _rgb_of(yuv: Image) -> NDArray[np.float64]:
    return (yuv - np.array([0.0, 128.0, 128.0])) @ TO_RGB.T


def _without_bands(picture: Image, gains: Array) -> Image:
    """Undo the gain (h,) of each row of a picture (h, w, 3), plane by plane: that takes half as long as all at once."""
    luma, *colours = cv2.split(picture)
    undo = 1 / gains[:, None]
    kept_grey = np.rint(128 * (1 - undo)).astype(np.int16)  # colour is counted from 128
    inverse, grey = (np.repeat(rows, picture.shape[1], axis=1) for rows in (undo, kept_grey))
    u, v = (cv2.add(cv2.multiply(colour, inverse, dtype=cv2.CV_16S), grey, dtype=cv2.CV_8U) for colour in colours)
    return cv2.merge([cv2.multiply(luma, inverse, dtype=cv2.CV_8U), u, v])


def _light_undone(seen: Image, light: LightChange, table: NDArray[np.uint8]) -> Image:
    """Take luma and colour (h, w, 3) back to the first light; what is linear takes a fraction of a table's time."""
    luma, *colours = cv2.split(seen)
    gain = light.on_colours
    u, v = (
        cv2.addWeighted(colour, 1 / gain, colour, 0.0, 128 - (128 + shift) / gain)
        for colour, shift in zip(colours, (light.u, light.v), strict=True)
    )
    return cv2.merge([cv2.LUT(luma, table), u, v])


def _luma_undone(light: LightChange, levels: tuple[float, float]) -> NDArray[np.uint8]:
    """Make the table (256,) that takes luma back to the first light.

    Two gains tell nothing of levels much farther off than theirs are from one another: beyond that, gains stay.
    """
    dark, bright = light.dark, light.bright
    first = np.arange(256, dtype=np.float64)
    apart = max(levels[1] - levels[0], 1.0)
    told = np.clip(first, levels[0] - apart, levels[1] + apart)
    gain = dark + (bright - dark) / apart * (told - levels[0])
    luma = np.interp(first, np.maximum.accumulate(first * gain), first)
    return np.clip(luma + 0.5, 0, 255).astype(np.uint8)
