"""A call keeps what it was measured from: whoever measures that again gets the same call, to the last bit."""

import dataclasses

import numpy as np
import pytest

from linesies.calibration import BadInput as BadCalibration
from linesies.calibration import geometry_json, read_geometry
from linesies.vision import BadInput, Judge, judge_again
from tests import cap_pictures
from tests.cap_pictures import CAPS, RED, YELLOW

PLACES = {"ana": (180.0, 180.0), "bo": (420.0, 240.0), "cal": (260.0, 420.0)}
BLACK = dataclasses.replace(RED, player="dee", colour_rgb=(12, 12, 12))


@pytest.fixture(scope="module")
def calibration():
    return cap_pictures.calibration()


@pytest.fixture(scope="module")
def picture(calibration):
    return cap_pictures.picture(calibration, [*((cap, PLACES[cap.player]) for cap in CAPS), (BLACK, (150.0, 330.0))])


def called(calibration, picture, cap, near_mm, beside=()):
    call = Judge(calibration, (*CAPS, BLACK)).fit(picture, cap, np.array(near_mm), beside)
    assert call
    return call


def again(call, calibration):
    geometry = read_geometry(geometry_json(calibration), "a case")
    return judge_again(call.exhibit, call.player, geometry, (*CAPS, BLACK))


@pytest.mark.parametrize("cap", CAPS, ids=lambda cap: cap.player)
def test_a_call_is_the_same_to_the_last_bit_when_measured_again(calibration, picture, cap):
    call = called(calibration, picture, cap, np.add(PLACES[cap.player], (1.7, -2.3)))
    assert again(call, calibration) == call


def test_a_dark_cap_takes_the_caps_that_told_its_shadow_along(calibration, picture):
    beside = [(YELLOW, np.array(PLACES["cal"]))]
    call = called(calibration, picture, BLACK, (152.0, 331.0), beside)
    assert len(call.exhibit.crops) == 2
    assert again(call, calibration) == call


def test_no_more_of_the_street_is_kept_than_a_few_centimetres_round_the_cap(calibration, picture):
    call = called(calibration, picture, CAPS[0], PLACES["ana"])
    height, width = call.exhibit.crops[0].now_bgr.shape[:2]
    scale = calibration.view.px_per_mm(np.array(call.xy_mm))
    assert max(height, width) / scale < call.diameter_mm + 100


def test_an_exhibit_of_another_camera_is_refused_with_the_reason(calibration, picture):
    call = called(calibration, picture, CAPS[0], PLACES["ana"])
    crop = dataclasses.replace(call.exhibit.crops[0], corner_px=(100_000, 0))
    with pytest.raises(BadInput, match="does not lie in a picture"):
        judge_again(dataclasses.replace(call.exhibit, crops=(crop,)), "ana", calibration, CAPS)
    with pytest.raises(BadInput, match="no cap is known of zoe"):
        judge_again(call.exhibit, "zoe", calibration, CAPS)


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"lens": {"size": [99999999, 99999999]}}'])
def test_what_is_no_geometry_is_refused(data):
    with pytest.raises(BadCalibration, match="a case"):
        read_geometry(data, "a case")
