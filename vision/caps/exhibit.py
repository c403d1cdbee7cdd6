"""Exhibits: the pixels that a call was measured from, kept so that anybody can measure them again."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration
from linesies.vision.caps.cap import KnownCap
from linesies.vision.caps.pictures import BeforeAndNow, PixelWindow
from linesies.vision.errors import BadInput
from linesies.vision.exhibit import Crop, Exhibit

Array = NDArray[np.float64]


def exhibit_of(pictures: BeforeAndNow, looked_at: Iterable[PixelWindow], known: KnownCap) -> Exhibit:
    """Keep what was looked at, first of all where the cap was measured."""
    return Exhibit(
        near_mm=_point(known.near_mm),
        off_mm=known.off_mm,
        beside=tuple((cap.player, _point(xy_mm)) for cap, xy_mm in known.beside),
        crops=tuple(_crop(pictures, window_px) for window_px in looked_at),
        light=known.light,
    )


def pictures_of(exhibit: Exhibit, calibration: Calibration) -> tuple[NDArray[np.uint8], Calibration]:
    """Lay the crops back into a picture (H, W, 3), black elsewhere, and the calibration's empty one likewise.

    Raises BadInput where a crop does not lie in a picture of the calibration's size.
    """
    width, height = calibration.view.lens.size_px
    now, empty = (np.zeros((height, width, 3), np.uint8) for _ in range(2))
    for crop in exhibit.crops:
        x, y = crop.corner_px
        window = slice(y, y + crop.now_bgr.shape[0]), slice(x, x + crop.now_bgr.shape[1])
        if min(x, y) < 0 or now[window].shape != crop.now_bgr.shape or crop.empty_bgr.shape != crop.now_bgr.shape:
            raise BadInput(f"a crop at {x}, {y} does not lie in a picture of {width}x{height}")
        now[window], empty[window] = crop.now_bgr, crop.empty_bgr
    return now, replace(calibration, empty_bgr=empty)


def kept_of(exhibit: Exhibit) -> tuple[PixelWindow, ...]:
    """Tell which parts of the picture are kept, first of all where the cap was measured."""
    return tuple(_window_px(crop) for crop in exhibit.crops)


def _window_px(crop: Crop) -> PixelWindow:
    x, y = crop.corner_px
    height, width = crop.now_bgr.shape[:2]
    return x, y, x + width, y + height


def _crop(pictures: BeforeAndNow, window_px: PixelWindow) -> Crop:
    x0, y0, x1, y1 = window_px
    now, empty = pictures.now[y0:y1, x0:x1].copy(), pictures.empty[y0:y1, x0:x1].copy()
    return Crop(corner_px=(x0, y0), now_bgr=now, empty_bgr=empty)


def _point(xy_mm: Array) -> tuple[float, float]:
    x, y = np.asarray(xy_mm, float)
    return float(x), float(y)
