"""Paint against ground: the mix of red, green and blue in which the lines stand out most from what they lie on.

Colours are compared as shares of the ground's light beside the line, so that a shadow changes nothing.
The mix is Fisher's linear discriminant; how many standard deviations lie between paint and ground in it is
the check that the lines are where we think they are. Edges are measured in luma, which alone is stored sharply;
where hue tells more, as of yellow on concrete, in the mix as well: they err apart (`weighing.py`).
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.light import to_linear
from linesies.calibration.profiles import Picture
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned

Array = NDArray[np.float64]
DARKEST = 0.004  # linear light; below it a share of the ground's light is noise
LUMA_BGR = np.array([0.114, 0.587, 0.299])


@dataclass(frozen=True)
class PaintTuning(Tuning):
    """How the mix of colours is kept from following chance, and when it is asked at all."""

    even: float = tuned(
        0.05,
        title="of the colours' mean variance, what is added to each: a mix of few places is no finer",
        unit="1",
        low=0,
        high=1,
        source=by_hand_in("b91fb5a"),
    )
    gross: float = tuned(
        3.0, title="deviations at which a colour counts no more", unit="1", low=1, high=10, source=by_hand_in("b91fb5a")
    )
    luma_enough: float = tuned(
        0.9,
        title="of the mix's separation, that of luma above which it alone is read: hue tells nothing more then",
        unit="1",
        low=0.1,
        high=2,
        source="simulated streets 14003, 14004, 14100 to 14104, 15043, 15049, 15066, 16013: below it edges are nearer "
        "to the truth where both are read, 2026-11-27",
    )


PAINT = PaintTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plane:
    """One number a pixel, (H, W), higher on paint than beside it: luma, or else the paint's own mix of colours."""

    light: Picture
    is_luma: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Paint:
    """`mix_bgr` (3,) makes paint higher than ground; `separation` is their distance in standard deviations.

    `contrast` is their distance as a share of the ground's light, in the colour where it is greatest;
    `luma_separation` is negative where paint is darker. `paint_bgr` and `ground_bgr` (3,) are in linear light.
    """

    mix_bgr: Array
    separation: float
    contrast: float
    luma_separation: float
    paint_bgr: Array
    ground_bgr: Array

    @property
    def luma_share(self) -> float:
        """How well luma alone tells paint from ground, beside the mix."""
        return abs(self.luma_separation) / max(self.separation, 1e-9)

    def mix(self, light: Picture) -> Picture:
        """Mix linear light (H, W, 3) so that paint stands out: (H, W)."""
        return np.asarray(light @ self.mix_bgr.astype(np.float32), np.float32)

    def luma(self, picture_bgr: NDArray[np.uint8]) -> Picture:
        """Give the linear luma (H, W) of a picture, turned so that paint stands out."""
        luma = np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        return np.float32(np.sign(self.luma_separation)) * to_linear(luma)

    def planes(self, picture_bgr: NDArray[np.uint8], light: Picture) -> tuple[Plane, ...]:
        """Give the planes of a picture, and of its linear light, in which edges are read."""
        luma = Plane(light=self.luma(picture_bgr), is_luma=True)
        if self.luma_share > PAINT.luma_enough:
            return (luma,)
        return luma, Plane(light=self.mix(light), is_luma=False)


def learn_paint(paint_bgr: Array, ground_bgr: Array) -> Paint:
    """Learn the mix from colours (N, 3) on lines and (N, 3) beside the same places, in linear light."""
    light = np.maximum(ground_bgr.mean(axis=1, keepdims=True), DARKEST)
    middle = np.median(ground_bgr / light, axis=0)
    ground = ground_bgr / light - middle
    paint = paint_bgr / light - middle
    # medians and clipping: a leaf or a shadow's edge on a few stretches must not turn the mix
    step = np.median(paint, axis=0)
    scatter = _scatter(ground) + _scatter(paint - step)
    mix = np.linalg.solve(scatter + np.eye(3) * (1e-6 + PAINT.even * np.trace(scatter) / 3), step)
    mix /= max(float(np.linalg.norm(mix)), 1e-12)
    brightness = float(np.median(light))
    return Paint(
        mix_bgr=mix,
        separation=_separation(paint @ mix, ground @ mix),
        contrast=float(np.abs(step).max()),
        luma_separation=_separation(paint @ LUMA_BGR, ground @ LUMA_BGR),
        paint_bgr=np.clip((middle + step) * brightness, 0, 1),
        ground_bgr=np.clip(middle * brightness, 0, 1),
    )


def _scatter(colours: Array) -> Array:
    reach = PAINT.gross * 1.4826 * np.median(np.abs(colours), axis=0) + 1e-4
    held = np.clip(colours, -reach, reach)
    return np.asarray(held.T @ held / max(len(held), 1), float)


def _separation(paint: Array, ground: Array) -> float:
    spread = 1.4826 * 0.5 * (_deviation(paint) + _deviation(ground))
    return float((np.median(paint) - np.median(ground)) / max(spread, 1e-6))


def _deviation(values: Array) -> float:
    return float(np.median(np.abs(values - np.median(values))))
