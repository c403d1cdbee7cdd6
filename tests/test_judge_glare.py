"""Glare and haze: what light adds to a picture is taken off, and where it hides everything that is said."""

import cv2
import numpy as np
import pytest

from linesies.calibration import to_linear
from linesies.calibration.light import stored
from linesies.vision import Judge
from linesies.vision.caps.veil import Unveiling
from tests import cap_pictures
from tests.cap_pictures import BLUE, CAPS, LINE_X_MM, RED, SIZE_PX, YELLOW

PLACES = {"ana": (180.0, 180.0), "bo": (420.0, 240.0), "cal": (260.0, 420.0)}
BURNT_MM = (270.0, 460.0)


@pytest.fixture(scope="module")
def calibration():
    return cap_pictures.calibration()


@pytest.fixture(scope="module")
def referee(calibration):
    return Judge(calibration, CAPS)


def lying(calibration):
    return cap_pictures.picture(calibration, [(cap, PLACES[cap.player]) for cap in CAPS])


def veiled(picture, light):
    """Add light (H, W) of 0 to 1 to a picture."""
    return np.rint(255 * stored(np.clip(to_linear(picture) + light[..., None], 0, 1))).astype(np.uint8)


def haze(strength):
    """A veil that grows across the picture."""
    return np.tile(np.linspace(0.3, 1.0, SIZE_PX[0]) * strength, (SIZE_PX[1], 1))


def burnt(view):
    """Light that fills the sensor round a place of the board."""
    x, y = view.mm_to_px(np.array([BURNT_MM]))[0]
    rows, columns = np.mgrid[: SIZE_PX[1], : SIZE_PX[0]]
    return 2.0 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * 45.0**2))


def test_through_haze_every_cap_lies_where_it_lay(calibration, referee):
    calls = {call.player: call for call in referee.judge(veiled(lying(calibration), haze(0.3))).caps}
    assert set(calls) == set(PLACES)
    for player, place in PLACES.items():
        assert calls[player].xy_mm == pytest.approx(place, abs=1.5)


def test_near_paint_haze_is_taken_off(calibration):
    clear = lying(calibration)
    lifted = Unveiling(calibration).lift(veiled(clear, haze(0.3))).bgr
    x = int(calibration.view.mm_to_px(np.array([[LINE_X_MM, 300.0]]))[0, 0])
    near = (slice(None), slice(x - 40, x + 40))
    was, left = (np.abs(to_linear(one)[near] - to_linear(clear)[near]) for one in (veiled(clear, haze(0.3)), lifted))
    assert np.median(left) < 0.25 * np.median(was)


def test_a_clear_picture_is_left_as_it_is(calibration):
    clear = cap_pictures.picture(calibration, [(RED, PLACES["ana"]), (BLUE, PLACES["bo"])], light=1.3)
    assert (Unveiling(calibration).lift(clear).bgr == clear).all()


def test_where_glare_fills_the_sensor_nothing_is_seen_and_no_cap_is_claimed(calibration, referee):
    picture = cap_pictures.picture(calibration, [(YELLOW, BURNT_MM), (BLUE, PLACES["bo"])])
    judgement = referee.judge(veiled(picture, burnt(calibration.view)))
    assert [call.player for call in judgement.caps] == ["bo"]
    outlines = [np.array(outline, np.float32) for outline in judgement.not_seen_mm]
    assert any(cv2.pointPolygonTest(outline, BURNT_MM, measureDist=False) > 0 for outline in outlines)
    assert judgement.as_json()["not_seen"]


def test_a_clear_picture_names_nothing_as_not_seen(calibration, referee):
    assert "not_seen" not in referee.judge(lying(calibration)).as_json()
