"""What lies flat, is ragged or too small is no cap, whatever its colour."""

import cv2
import numpy as np
import pytest

from tests import cap_pictures
from tests.cap_pictures import CAPS, RED, YELLOW
from vision.judge import Judge

LEAF_MM, CAP_MM = (420.0, 420.0), (180.0, 200.0)


@pytest.fixture(scope="module")
def calibration():
    return cap_pictures.calibration()


@pytest.fixture(scope="module")
def referee(calibration):
    return Judge(calibration, CAPS)


def lay_flat(calibration, picture, outline_mm, colour_rgb):
    """Fill an outline on the ground, without thickness or shadow."""
    seen = np.rint(calibration.view.mm_to_px(np.asarray(outline_mm)) * 16).astype(np.int32)
    laid = cv2.fillPoly(picture.copy(), [seen], colour_rgb[::-1], cv2.LINE_AA, 4)
    return cv2.GaussianBlur(laid, (0, 0), 0.6)


def leaf(xy_mm, long_mm=44.0, turn_rad=0.6):
    """A pointed leaf with a jagged rim."""
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    jag = 1 + 0.12 * np.sign(np.sin(14 * turn))
    x, y = 0.5 * long_mm * np.cos(turn) * jag, 0.32 * long_mm * np.sin(turn) * jag
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    return np.column_stack([c * x - s * y, s * x + c * y]) + xy_mm


def disc(xy_mm, diameter_mm):
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    return np.column_stack([np.cos(turn), np.sin(turn)]) * diameter_mm / 2 + xy_mm


@pytest.mark.parametrize("cap", [RED, YELLOW])
def test_a_leaf_of_a_caps_colour_is_no_cap(calibration, referee, cap):
    picture = lay_flat(calibration, cap_pictures.picture(calibration, []), leaf(LEAF_MM), cap.colour_rgb)
    judgement = referee.judge(picture)
    assert not judgement.caps
    assert not judgement.unknown


@pytest.mark.parametrize("cap", [RED, YELLOW])
def test_a_cap_is_told_from_a_leaf_of_its_colour(calibration, referee, cap):
    picture = lay_flat(calibration, cap_pictures.picture(calibration, [(cap, CAP_MM)]), leaf(LEAF_MM), cap.colour_rgb)
    (call,) = referee.judge(picture).caps
    assert call.player == cap.player
    assert call.xy_mm == pytest.approx(CAP_MM, abs=1.5)


@pytest.mark.parametrize("grey", [35, 150, 235])
def test_a_speck_much_smaller_than_any_cap_is_no_cap(calibration, referee, grey):
    picture = lay_flat(calibration, cap_pictures.picture(calibration, []), disc(LEAF_MM, 12.0), (grey, grey, grey))
    judgement = referee.judge(picture)
    assert not judgement.caps
    assert not judgement.unknown
