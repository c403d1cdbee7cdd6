"""How much wider a painted line reads than it is, from how pictures are stored.

What falls on the sensor mixes in proportion, paint with ground. But luma is summed from colours already bent by the
tone curve, and colour is stored at half the resolution: where paint and ground differ in hue (yellow on concrete),
half-way luma is no longer half-way paint. Undoing the curve cannot undo that. So a straight line of the board's own
paint on its own ground is stored as a camera does and fitted as the survey does, and what it reads too wide is taken
off the survey. White, black and chalk read as wide as they are; yellow up to an eighth of a pixel off at each edge.
"""

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.bell import share_below
from linesies.calibration.edges import CrossSections, fit_edges
from linesies.calibration.light import linear, stored
from linesies.calibration.paint import LUMA_BGR, Paint
from linesies.calibration.surveying import STIFFNESS, SURVEY

Array = NDArray[np.float64]
LENS_BLUR_PX = 0.72  # of an edge, optics and pixels together, as luma shows it; more comes from stored colours
COLOUR_SHARE = 0.92  # of that more: so blurred are colours against luma for a mix of both to look so
STATIONS, LEAN = 48, 0.11  # of the line that is stored, and how far it leans a station: all places within a pixel
GRID_PX, ROOM_PX = 0.05, 6.0


def overreach_px(paint: Paint, blur_px: float, width_px: float, *, is_luma: bool) -> float:
    """Tell how far outside its edge paint reads, in pixels, when a line of this width is fitted with this blur.

    It is fitted in luma, or in the paint's mix.
    """
    half_px = width_px / 2 + SURVEY.flank_px
    reach = np.arange(-np.ceil(half_px + 1), np.ceil(half_px + 1) + 1)
    lean = np.asarray(LEAN * (np.arange(STATIONS) - STATIONS / 2), float)
    away = reach[None] - lean[:, None]
    at_px = np.arange(away.min() - ROOM_PX, away.max() + ROOM_PX, GRID_PX)
    line = _luma_of_line if is_luma else _mix_of_line
    cuts = CrossSections(
        share=np.linspace(0.0, 1.0, STATIONS),
        light=np.interp(away, at_px, line(paint, blur_px, at_px, width_px)),
        weight=(np.abs(away) < half_px).astype(float),
        reach_px=np.tile(reach, (STATIONS, 1)),
        width_px=np.full(STATIONS, width_px),
        guess_px=lean,
    )
    return float(np.median(fit_edges(cuts, blur_px, STIFFNESS).width_px) - width_px) / 2


def _luma_of_line(paint: Paint, blur_px: float, at_px: Array, width_px: float) -> Array:
    """Give the luma (N,) of a stored line at places across it (N,), turned so that paint stands out."""
    return np.asarray(
        np.sign(paint.luma_separation) * linear(_stored_line(paint, blur_px, at_px, width_px) @ LUMA_BGR), float
    )


def _mix_of_line(paint: Paint, blur_px: float, at_px: Array, width_px: float) -> Array:
    """Give the mix (N,) of a stored line at places across it (N,): its colours are more blurred than its luma."""
    lens_px = min(blur_px, LENS_BLUR_PX)
    colours = _stored_line(paint, lens_px, at_px, width_px)
    luma = colours @ LUMA_BGR
    colour_px = COLOUR_SHARE * float(np.sqrt(blur_px**2 - lens_px**2))
    bell = np.exp(-0.5 * (np.arange(-ROOM_PX, ROOM_PX, GRID_PX) / max(colour_px, GRID_PX)) ** 2)
    hues = np.column_stack([np.convolve(hue, bell / bell.sum(), mode="same") for hue in (colours - luma[:, None]).T])
    return np.asarray(linear(np.clip(luma[:, None] + hues, 0, 1)) @ paint.mix_bgr, float)


def _stored_line(paint: Paint, blur_px: float, at_px: Array, width_px: float) -> Array:
    """Give the colours (N, 3) that a camera stores of a line, blurred so far, at places across it (N,)."""
    edges = (at_px[:, None] + np.array([0.5, -0.5]) * width_px) / blur_px
    covered = share_below(edges[:, 0]) - share_below(edges[:, 1])
    return stored(paint.ground_bgr + covered[:, None] * (paint.paint_bgr - paint.ground_bgr))
