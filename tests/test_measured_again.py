"""A call keeps what it was measured from: whoever measures that again gets the same call, to the last bit."""

import dataclasses
import math

import cv2
import numpy as np
import pytest

from linesies.calibration import BadInput as BadCalibration
from linesies.calibration import geometry_json, read_geometry
from linesies.vision import BadInput, Judge, KnownCap, ShadowLight, judge_again
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


def called(calibration, picture, cap, near_mm, beside=(), *, off_mm=math.inf, light=None):
    known = KnownCap(cap=cap, near_mm=np.array(near_mm), beside=tuple(beside), off_mm=off_mm, light=light)
    call = Judge(calibration, (*CAPS, BLACK)).fit(picture, known)
    assert call
    return call


def again(call, calibration):
    geometry = read_geometry(geometry_json(calibration), "a case")
    return judge_again(call.exhibit, call.player, geometry, (*CAPS, BLACK))


def blotted(calibration, wide_mm, light):
    """Wet the empty ground about Ana's place."""
    x, y = calibration.view.mm_to_px(np.array([PLACES["ana"]]))[0].round().astype(int)
    half_px = np.array([1.0, 0.84]) * wide_mm / 2 * calibration.view.px_per_mm(np.array(PLACES["ana"]))
    wet = np.zeros(calibration.empty_bgr.shape[:2])
    cv2.ellipse(wet, (int(x), int(y)), tuple(int(half) for half in half_px), 20, 0, 360, 1, -1)
    wet = cv2.GaussianBlur(wet, (0, 0), 1.0)[..., None]
    return (calibration.empty_bgr * (1 - wet * (1 - light))).clip(0, 255).astype(np.uint8)


def narrow(call, px):
    """Keep less of the picture round a call."""
    crop, inside = call.exhibit.crops[0], (slice(px, -px), slice(px, -px))
    x, y = crop.corner_px
    kept = dataclasses.replace(
        crop, corner_px=(x + px, y + px), now_bgr=crop.now_bgr[inside], empty_bgr=crop.empty_bgr[inside]
    )
    return dataclasses.replace(call, exhibit=dataclasses.replace(call.exhibit, crops=(kept,)))


@pytest.mark.parametrize("cap", CAPS, ids=lambda cap: cap.player)
def test_a_call_is_the_same_to_the_last_bit_when_measured_again(calibration, picture, cap):
    call = called(calibration, picture, cap, np.add(PLACES[cap.player], (1.7, -2.3)))
    assert call.is_certain
    assert call.cap_share > 0.985
    assert again(call, calibration) == call


def test_a_place_that_is_nearly_known_draws_the_call_to_it(calibration, picture):
    """By how far off it usually is, which the exhibit keeps: measured again, the cap lies there again."""
    near_mm = np.add(PLACES["ana"], (4.0, -3.0))
    calls = [called(calibration, picture, CAPS[0], near_mm, off_mm=off_mm) for off_mm in (0.02, 2.5, math.inf)]
    apart_mm = [math.dist(call.xy_mm, near_mm) for call in calls]
    assert apart_mm == sorted(apart_mm)
    assert apart_mm[0] < apart_mm[1] - 1.0
    assert math.dist(calls[1].xy_mm, PLACES["ana"]) < 0.5  # what is seen outweighs it
    assert [again(call, calibration) for call in calls] == calls


def test_a_cap_that_lies_far_from_where_it_was_followed_to_is_certain_of_nothing(calibration, picture):
    far_mm = np.add(PLACES["bo"], (5.0, 4.0))
    assert called(calibration, picture, CAPS[1], far_mm, off_mm=2.5).is_certain
    assert not called(calibration, picture, CAPS[1], far_mm, off_mm=1.5).is_certain


@pytest.mark.parametrize("light", [0.45, 0.75, 1.3])
@pytest.mark.parametrize("wide_mm", [24.0, 36.0])
def test_of_a_blot_where_a_cap_is_awaited_nothing_is_certain(calibration, wide_mm, light):
    for cap in CAPS:
        call = called(calibration, blotted(calibration, wide_mm, light), cap, PLACES["ana"])
        assert not call.is_certain
        assert call.player == cap.player
        assert again(call, calibration) == call


def test_of_a_call_that_kept_too_little_the_place_alone_is_measured_again(calibration, picture):
    call = called(calibration, picture, CAPS[0], PLACES["ana"])
    assert again(narrow(call, 3), calibration).cap_share is not None  # another program's fit may lie a little beside
    less = again(narrow(call, 8), calibration)
    assert less.cap_share is None
    assert less.gap_mm == pytest.approx(call.gap_mm, abs=0.3)


def test_a_dark_cap_takes_the_caps_that_told_its_shadow_along(calibration, picture):
    beside = [(YELLOW, np.array(PLACES["cal"]))]
    call = called(calibration, picture, BLACK, (152.0, 331.0), beside)
    assert len(call.exhibit.crops) == 2
    assert again(call, calibration) == call


def test_a_cap_beside_one_that_an_earlier_release_did_not_keep_is_not_asked_for_the_light(calibration, picture):
    call = called(calibration, picture, RED, PLACES["ana"], [(YELLOW, np.array(PLACES["cal"]))])
    assert again(call, calibration) == call
    kept = dataclasses.replace(call.exhibit, crops=call.exhibit.crops[:1])
    assert len(again(dataclasses.replace(call, exhibit=kept), calibration).exhibit.crops) == 1


@pytest.mark.parametrize("slope", [None, (1.3, -0.4)])
def test_the_light_that_earlier_caps_told_of_is_kept_with_the_call(calibration, picture, slope):
    light = ShadowLight(slope=None if slope is None else np.array(slope))
    call = called(calibration, picture, BLACK, (152.0, 331.0), [(YELLOW, np.array(PLACES["cal"]))], light=light)
    assert len(call.exhibit.crops) == 1  # nobody else was asked for it
    assert call.exhibit.light is light
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
