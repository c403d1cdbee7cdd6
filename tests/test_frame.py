import cv2
import numpy as np
import pytest

from linesies.vision import Frame
from linesies.vision.picture.colouring import most_of_colours


def smooth_picture():
    patches = np.random.default_rng(0).uniform(60, 200, (4, 5, 3)).astype(np.float32)
    return cv2.resize(patches, (160, 120), interpolation=cv2.INTER_LINEAR).astype(np.uint8)


def in_planes(bgr, *, is_full_range):
    if not is_full_range:
        return cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420)
    y, v, u = cv2.split(cv2.cvtColor(bgr, cv2.COLOR_BGR2YCrCb))
    halves = [cv2.resize(plane, (80, 60), interpolation=cv2.INTER_AREA).reshape(-1, 160) for plane in (u, v)]
    return np.vstack([y, *halves])


@pytest.mark.parametrize("is_full_range", [True, False])
def test_planes_give_the_colours_that_went_into_them(is_full_range):
    bgr = smooth_picture()
    planes = in_planes(bgr, is_full_range=is_full_range)
    frame = Frame.from_yuv420(planes, number=0, t_s=0.0, is_full_range=is_full_range)
    assert np.abs(frame.bgr.astype(int) - bgr).max() <= 12


@pytest.mark.parametrize("is_full_range", [True, False])
def test_a_small_picture_is_the_whole_one_averaged(is_full_range):
    bgr = smooth_picture()
    planes = in_planes(bgr, is_full_range=is_full_range)
    small = Frame.from_yuv420(planes, number=0, t_s=0.0, is_full_range=is_full_range).small_bgr(4)
    assert np.abs(small.astype(int) - cv2.resize(bgr, (40, 30), interpolation=cv2.INTER_AREA)).max() <= 7
    assert np.array_equal(
        Frame.from_bgr(bgr, number=0, t_s=0.0).small_bgr(4), cv2.resize(bgr, (40, 30), interpolation=cv2.INTER_AREA)
    )


def test_the_largest_of_three_colours_is_taken_at_each_pixel():
    bgr = smooth_picture()
    assert np.array_equal(most_of_colours(bgr), bgr.max(axis=2))
