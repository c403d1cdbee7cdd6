"""A camera that moved by a fraction of a pixel since the board was empty: the ground tells by how much."""

import cv2
import numpy as np
import pytest

from linesies.vision import Judge
from linesies.vision.picture.colouring import grey_of
from linesies.vision.picture.landmarks import Landmarks
from tests import cap_pictures
from tests.cap_pictures import CAPS, RED

PLACE = (180.0, 180.0)


@pytest.fixture(scope="module")
def calibration():
    return cap_pictures.calibration()


def shifted(picture, shift_px):
    move = np.array([[1, 0, shift_px[0]], [0, 1, shift_px[1]]], float)
    size = (picture.shape[1], picture.shape[0])
    return cv2.warpAffine(picture, move, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)


def rolled(picture, *, degrees):
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
    return cv2.warpAffine(picture, turn, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)


def found_in(calibration, picture):
    return Landmarks(grey_of(calibration.empty_bgr)).find(grey_of(picture))


@pytest.mark.parametrize("shift_px", [(0.3, -0.2), (-0.7, 0.4), (0.0, 0.0), (6.0, -9.0)])
def test_a_shift_is_found_to_a_few_hundredths_of_a_pixel_caps_or_not(calibration, shift_px):
    picture = shifted(cap_pictures.picture(calibration, [(RED, PLACE)], light=1.2), shift_px)
    assert found_in(calibration, picture).at_corners == pytest.approx(np.tile(shift_px, (5, 1)), abs=0.06)


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_picture_without_the_ground_tells_no_shift(calibration, level):
    assert found_in(calibration, np.full_like(calibration.empty_bgr, level)) is None


@pytest.mark.parametrize("move", ["shift", "roll"])
def test_a_camera_that_leans_a_little_moves_no_gap(calibration, move):
    picture = cap_pictures.picture(calibration, [(RED, PLACE)])
    moved = shifted(picture, (0.6, 0.0)) if move == "shift" else rolled(picture, degrees=0.15)
    judge = Judge(calibration, CAPS)
    (still,), (leaning,) = (judge.judge(one).caps for one in (picture, moved))
    assert leaning.xy_mm == pytest.approx(still.xy_mm, abs=0.35)
