"""Pictures for people: the spot of a call from above, enlarged, with what was measured drawn in.

The ground is laid out flat through the calibrated view, so that a millimetre is the same length everywhere in the
picture. The cap's top then leans away from its footprint, as it does for an eye at the camera's place; the
footprint drawn is where the cap stands.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, locate
from linesies.vision.caps.cap import Cap
from linesies.vision.picture.layout import Image
from linesies.vision.picture.top_down import CHALK, FONT, SIDE_PX, Colour, Drawn, TopDownGrid
from linesies.vision.values import Call

Array = NDArray[np.float64]

MARGIN_MM = 14.0  # seen round the footprint, at least
IN, ON_LINE, TOO_CLOSE = (122, 143, 15), (43, 67, 216), (0, 165, 240)  # teal, vermilion, amber as BGR


def draw_call(picture_bgr: Image, calibration: Calibration, call: Call, cap: Cap) -> Drawn:
    """Draw one call's spot: paint edges, footprint, the gap as a bar with its 95 % band of doubt, a scale; no words."""
    sheet = TopDownGrid(np.array(call.xy_mm), cap.diameter_mm * 1.6 + 2 * MARGIN_MM)
    seen = sheet.from_above(picture_bgr, calibration)
    image = seen.copy()
    for line in calibration.survey.lines:
        sheet.polygon(image, line.outline_mm, CHALK, 1)
    sheet.circle(image, np.array(call.xy_mm), cap.diameter_mm / 2, _colour(call))
    _draw_gap(sheet, image, calibration, call, _colour(call))
    sheet.strip(image)
    _draw_scale(image, sheet.px_per_mm)
    return Drawn(seen=seen, drawn=image)


def draw_evidence(picture_bgr: Image, calibration: Calibration, call: Call, cap: Cap) -> Image:
    """Draw one call (640, 640, 3) with what was ruled written under it in English, for files that people look at."""
    image = draw_call(picture_bgr, calibration, call, cap).drawn
    cv2.putText(image, _words(call), (18, SIDE_PX - 32), FONT, 0.95, _colour(call), 2, cv2.LINE_AA)
    doubt = f"give or take {1.96 * call.sigma_mm:.1f} mm"
    cv2.putText(image, doubt, (18, SIDE_PX - 9), FONT, 0.55, CHALK, 1, cv2.LINE_AA)
    return image


def _colour(call: Call) -> Colour:
    if not call.is_certain:
        return TOO_CLOSE
    return IN if call.gap_mm > 0 else ON_LINE


def _draw_gap(sheet: TopDownGrid, image: Image, calibration: Calibration, call: Call, colour: Colour) -> None:
    """Draw the bar from the footprint's edge to the nearest paint, and the band in which that paint's edge may lie."""
    middle = np.array(call.xy_mm)
    edge = locate(calibration, middle, call.diameter_mm).edge_mm
    away = edge - middle
    length = float(np.hypot(*away))
    if length == 0:
        return
    along = away / length * np.sign(call.gap_mm + call.diameter_mm / 2 or 1)
    rim = middle + along * call.diameter_mm / 2
    across = np.array([-along[1], along[0]])
    doubt = 1.96 * call.sigma_mm
    band = [edge + side * doubt * along + reach * 5 * across for side, reach in ((-1, -1), (-1, 1), (1, 1), (1, -1))]
    veil = image.copy()
    cv2.fillPoly(veil, [np.round(sheet.to_px(np.array(band))).astype(np.int32)], colour, cv2.LINE_AA)
    cv2.addWeighted(veil, 0.45, image, 0.55, 0, dst=image)
    sheet.bar(image, (rim, edge), colour, 5)


def _words(call: Call) -> str:
    """Say the call as a child would: `In by 2.4 mm`, `On the line by 0.7 mm`, `Too close: 0.3 mm in`."""
    length = f"{abs(call.gap_mm):.1f} mm"
    if not call.is_certain:
        return f"Too close: {length} {'in' if call.gap_mm > 0 else 'over'}"
    return f"In by {length}" if call.gap_mm > 0 else f"On the line by {length}"


def _draw_scale(image: Image, px_per_mm: float) -> None:
    """Draw a centimetre in the corner."""
    length = round(10 * px_per_mm)
    start = (SIDE_PX - 24 - length, SIDE_PX - 18)
    cv2.line(image, start, (start[0] + length, start[1]), CHALK, 3)
    cv2.putText(image, "1 cm", (start[0], SIDE_PX - 30), FONT, 0.6, CHALK, 1, cv2.LINE_AA)
