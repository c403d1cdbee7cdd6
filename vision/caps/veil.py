"""Glare and haze: light that lies over the whole of what a camera sees, and adds to it instead of multiplying.

Through a veil the ground keeps its drawing but loses contrast, so brightness and contrast tell it apart from more
light: both are compared with the empty picture, round about every place. What is added is taken off again; where it
fills the sensor nothing is left to see, and that is said.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, to_linear
from linesies.calibration.light import stored
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.registering import LaidPicture
from linesies.vision.picture.bands import bands
from linesies.vision.picture.layout import Image
from linesies.vision.picture.scaling import Levels, enlarge_by, shrink_by
from linesies.vision.pieces import Pieces

Array = NDArray[np.float64]
Plane = NDArray[np.float32]

LOOKED_AT = "by hand on the public scenes, hard light too, 2026-11"


@dataclass(frozen=True)
class Veiling(Tuning):
    """How a veil is found, in a picture shrunk by a whole number to `rows` or a few more."""

    rows: int = tuned(180, title="least rows of the shrunk picture", unit="px", low=90, high=1080, source=LOOKED_AT)
    drawing_px: int = tuned(5, title="side of what contrast is taken in", unit="px", low=5, high=99, source=LOOKED_AT)
    reach_px: float = tuned(9.5, title="how far contrast is averaged", unit="px", low=3, high=200, source=LOOKED_AT)
    least: float = tuned(0.06, title="light of a veil worth lifting", unit="1", low=0.01, high=0.5, source=LOOKED_AT)
    share: float = tuned(0.02, title="share of the picture that it veils", unit="1", low=0, high=0.5, source=LOOKED_AT)
    blinds: float = tuned(0.8, title="light behind which nothing is seen", unit="1", low=0.3, high=1, source=LOOKED_AT)
    smooth_px: float = tuned(3.0, title="blur of what is taken off", unit="px", low=0.5, high=20, source=LOOKED_AT)


VEILING = Veiling()
_STORED = np.rint(255 * stored(np.linspace(0, 1, 4096))).astype(np.uint8)
FULL = 65535  # level of full light: whole numbers are blurred and enlarged alike on every machine
QUIET = 1e-6  # keeps shares finite where nothing is seen
FEW = 2e-5  # squared contrast a pixel: less paint tells nothing
FAR_PX = 1e4  # beyond any picture


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Clear:
    """A picture (H, W, 3) without its veil, and the outlines (N, 2) in it of where nothing can be seen."""

    bgr: Image
    blind_px: tuple[Array, ...] = ()


def unveil(laid: LaidPicture, unveiling: "Unveiling") -> Pieces[Clear]:
    """Take glare and haze off."""
    clear = unveiling.lift(laid.bgr)
    yield
    return clear


class Unveiling:
    """Remembers the empty board's paint, whose contrast with the ground tells what light was added since.

    Shadows draw on the ground as well, and move; so contrast is taken at the lines alone, close by.
    """

    def __init__(self, calibration: Calibration, tuning: Veiling = VEILING) -> None:
        self._tuning = tuning
        self._times = max(len(calibration.empty_bgr) // tuning.rows, 1)
        self._bare = self._small(calibration.empty_bgr)
        at_lines = np.zeros(self._bare.shape[:2], np.uint8)
        for line in calibration.survey.lines:
            outline = (calibration.view.mm_to_px(line.outline_mm) + 0.5) / self._times - 0.5
            if np.abs(outline).max() < FAR_PX:
                cv2.polylines(at_lines, [np.rint(outline).astype(np.int32)], isClosed=True, color=1, thickness=2)
        self._at_lines = at_lines.astype(np.float32)
        self._drawn = self._drawing(self._bare)
        self._strength = self._round_about(self._at_lines * _total(self._drawn**2))
        self._bare_about = self._round_about(_total(self._bare)) + QUIET

    def lift(self, now: Image) -> Clear:
        """Take off a picture (H, W, 3) what glare or haze added to it since the empty one."""
        tuning = self._tuning
        over = self._over(self._small(now))
        if not self._is_veiled(self._smooth(self._steady(over[0]))):
            return Clear(bgr=now)
        added = self._smooth(np.dstack([self._steady(plane) for plane in over]))
        least = np.minimum.reduce(cv2.split(added))
        if not self._is_veiled(least):
            return Clear(bgr=now)
        kept = np.uint16(FULL * tuning.least / 2)
        whole = enlarge_by(np.maximum(added, kept) - kept, times=self._times, shape=(now.shape[0], now.shape[1]))
        return Clear(bgr=_without(now, whole), blind_px=_outlines(least > FULL * tuning.blinds, self._times))

    def _is_veiled(self, added: Levels) -> bool:
        """Tell whether so much was added (h, w) over so much of the picture: a veil adds to every colour."""
        return bool(np.count_nonzero(added >= FULL * self._tuning.least) > self._tuning.share * added.size)

    def _small(self, bgr: Image) -> Plane:
        return to_linear(shrink_by(bgr, times=self._times))

    def _drawing(self, light: Plane) -> Plane:
        return np.asarray(light - cv2.blur(light, (self._tuning.drawing_px, self._tuning.drawing_px)), np.float32)

    def _round_about(self, plane: Plane) -> Plane:
        return np.asarray(cv2.GaussianBlur(plane, (0, 0), self._tuning.reach_px), np.float32)

    def _over(self, lit: Plane) -> tuple[Plane, ...]:
        """Tell of each colour how much brighter it is (h, w) than the paint's contrast explains.

        Where there is little paint, all is taken for more light.
        """
        alike = self._round_about(self._at_lines * _total(self._drawing(lit) * self._drawn))
        brighter = self._round_about(_total(lit)) / self._bare_about
        contrast = np.maximum((alike + FEW * brighter) / (self._strength + FEW), 0)
        return tuple(cv2.split(np.clip(lit - contrast[..., None] * self._bare, 0, 1)))

    def _steady(self, over: Plane) -> Levels:
        """Leave out what is brighter in spots: added light is even."""
        steady = cv2.medianBlur((255 * over).astype(np.uint8), 2 * self._tuning.drawing_px + 1)
        return steady.astype(np.uint16) * np.uint16(FULL // 255)

    def _smooth(self, added: Levels) -> Levels:
        return np.asarray(cv2.GaussianBlur(added, (0, 0), self._tuning.smooth_px), np.uint16)


def _total(light: Plane) -> Plane:
    """Add up the colours of a picture (h, w, 3): plane by plane, which takes an eighth of a sum along them."""
    return np.asarray(sum(cv2.split(light)), np.float32)


def _without(picture: Image, added: Levels) -> Image:
    """Take light (H, W, 3) off a picture."""
    rest = np.empty_like(picture)
    for rows in bands(len(picture)):
        light = to_linear(picture[rows]) - added[rows] * np.float32(1 / FULL)
        np.clip(light, 0, 1, out=light)
        light *= np.float32(len(_STORED) - 1)
        light += np.float32(0.5)
        np.take(_STORED, light.astype(np.uint16), out=rest[rows], mode="clip")
    return rest


def _outlines(mask: NDArray[np.bool_], times: int) -> tuple[Array, ...]:
    """Outline what a shrunk picture's mask shows in the picture that is so many times as large."""
    found, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    large = (np.asarray(outline, float).reshape(-1, 2) for outline in found if len(outline) > 2)
    return tuple((outline + 0.5) * times - 0.5 for outline in large)
