"""Caps are found where shadows have moved since the board was empty."""

import dataclasses

import numpy as np
import pytest

from linesies.vision.caps.change import change_of, split_stored
from linesies.vision.caps.find import Finder
from linesies.vision.caps.moved_light import change_in_moved_light
from tests import cap_pictures
from tests.cap_pictures import CAPS, RED

PLACE_MM = (150.0, 300.0)
STRIPE_PX = 14  # about a cap's width, as a picket fence throws them
WINDOW = 31


def striped(picture, *, shifted_px=0):
    """Throw a fence's shade on a picture."""
    across = np.arange(picture.shape[1]) + shifted_px
    shade = np.where(across // STRIPE_PX % 2 == 0, 1.0, 0.6)
    return np.clip(picture * shade[None, :, None], 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def plain():
    return cap_pictures.calibration()


@pytest.fixture(scope="module")
def fenced(plain):
    return dataclasses.replace(plain, empty_bgr=striped(plain.empty_bgr))


def moved(calibration, now_bgr):
    now, empty = split_stored(now_bgr), split_stored(calibration.empty_bgr)
    return change_in_moved_light(now, empty, change_of(now, empty, WINDOW)[1], WINDOW)


def off_px(calibration, peaks, xy_mm):
    at_px = calibration.view.mm_to_px(np.array([xy_mm]))[0]
    return min(np.hypot(*(peak.xy_px - at_px)) for peak in peaks)


def test_a_cap_is_looked_at_where_a_fences_shade_has_moved(plain, fenced):
    now = striped(cap_pictures.picture(plain, [(RED, PLACE_MM)]), shifted_px=STRIPE_PX)
    assert off_px(plain, Finder(fenced, CAPS).peaks(now).peaks, PLACE_MM) < 6


def test_shade_that_has_moved_is_ground_and_a_cap_in_it_is_not(plain, fenced):
    now = striped(cap_pictures.picture(plain, [(RED, PLACE_MM)]), shifted_px=STRIPE_PX)
    changed = moved(fenced, now)
    column, row = np.rint(plain.view.mm_to_px(np.array([PLACE_MM]))[0]).astype(int)
    assert changed[row - 3 : row + 4, column - 3 : column + 4].mean() > 0.8
    assert np.median(changed) < 0.1


def test_light_that_stayed_tells_of_no_shade(plain):
    assert moved(plain, cap_pictures.picture(plain, [(RED, PLACE_MM)], light=0.7)) is None
