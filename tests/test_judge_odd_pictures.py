"""Pictures that are no pictures of the board: the judge answers all of them, and names nothing in what is not seen."""

import numpy as np
import pytest

from linesies.vision import Judge
from tests import cap_pictures
from tests.cap_pictures import CAPS, RED

PLACE = (180.0, 180.0)
CHANCE = np.random.default_rng(6)


@pytest.fixture(scope="module")
def calibration():
    return cap_pictures.calibration()


@pytest.fixture(scope="module")
def referee(calibration):
    return Judge(calibration, CAPS)


def noise(shape):
    return CHANCE.integers(0, 256, shape, np.uint8)


def contrast(shape):
    return np.where(CHANCE.random(shape) < 0.5, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("make", [np.zeros, np.ones, noise, contrast], ids=["zeros", "ones", "noise", "contrast"])
def test_nothing_is_certain_where_no_board_is_seen(calibration, referee, make):
    judgement = referee.judge(make(calibration.empty_bgr.shape).astype(np.uint8))
    assert not any(call.is_certain for call in judgement.caps)


@pytest.mark.parametrize("channel", [0, 1, 2])
@pytest.mark.parametrize("level", [0, 255])
def test_a_clipped_channel_hides_no_cap_elsewhere(calibration, referee, channel, level):
    picture = cap_pictures.picture(calibration, [(RED, PLACE)])
    picture[300:420, 300:520, channel] = level
    found = {call.player: call for call in referee.judge(picture).caps}
    assert found["ana"].xy_mm == pytest.approx(PLACE, abs=1.2)


def test_every_number_of_an_answer_is_finite(calibration, referee):
    picture = cap_pictures.picture(calibration, [(RED, PLACE)])
    picture[100:300, 100:300, 0] = 0
    judgement = referee.judge(picture)
    numbers = [v for call in (*judgement.caps, *judgement.unknown) for v in (*call.xy_mm, call.gap_mm, call.sigma_mm)]
    assert np.isfinite(numbers).all()
