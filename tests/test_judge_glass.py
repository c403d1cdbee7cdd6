"""Glass shows the ground, steel the sky: both are found; no dark thing is a glide, and paint draws no glass."""

import cv2
import numpy as np
import pytest

from linesies.vision import Cap, Judge
from tests import cap_pictures

GLASS = Cap(player="fin", colour_rgb=(90, 164, 106), diameter_mm=30.0, height_mm=12.0, kind="ring")
STEEL = Cap(player="eve", colour_rgb=(185, 188, 192), diameter_mm=30.0, height_mm=6.0, kind="glide")


def test_a_glide_of_steel_is_found():
    calibration = cap_pictures.calibration()
    (call,) = Judge(calibration, (STEEL,)).judge(cap_pictures.picture(calibration, [(STEEL, (180.0, 200.0))])).caps
    assert call.xy_mm == pytest.approx((180.0, 200.0), abs=1.5)


def test_a_dark_disc_is_not_taken_for_a_missing_glide_of_steel():
    calibration = cap_pictures.calibration()
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    outline_mm = np.array([420.0, 420.0]) + 15.0 * np.column_stack([np.cos(turn), np.sin(turn)])
    seen = np.rint(calibration.view.mm_to_px(outline_mm) * 16).astype(np.int32)
    picture = cv2.fillPoly(cap_pictures.picture(calibration, []), [seen], (44, 42, 42), cv2.LINE_AA, 4)
    assert Judge(calibration, (STEEL,)).judge(picture).caps == ()


@pytest.mark.parametrize("paint", [0.94, 1.06])
@pytest.mark.parametrize("short_mm", [1.0, 3.0])
@pytest.mark.parametrize("side", [-1, 1])
def test_bright_paint_that_looks_a_little_otherwise_draws_no_glass_to_it(paint, short_mm, side):
    calibration = cap_pictures.calibration()
    away_mm = cap_pictures.LINE_HALF_MM + GLASS.diameter_mm / 2 + short_mm
    true_mm = np.array([cap_pictures.LINE_X_MM + side * away_mm, 280.0])
    picture = cap_pictures.picture(calibration, [(GLASS, true_mm)], paint=paint)
    call = Judge(calibration, (GLASS,)).fit(picture, GLASS, true_mm)
    off_px = np.hypot(*(call.xy_mm - true_mm)) * calibration.view.px_per_mm(true_mm)
    assert off_px < 0.2
