import cv2
import numpy as np
import pytest

from linesies.vision import Frame
from linesies.vision.picture.colouring import most_of_colours
from linesies.vision.picture.small_picture import averaged, mean_bgr


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


@pytest.mark.parametrize("by", [2, 3, 5, 6])
@pytest.mark.parametrize("size_px", [(120, 90), (123, 97)])
def test_what_is_averaged_lies_where_it_lay(by, size_px):
    width, height = size_px
    slope = np.add.outer(np.arange(height), np.arange(width)).astype(np.uint8)
    small = averaged(slope, by)
    middles = np.add.outer(np.arange(height // by), np.arange(width // by)) * by + (by - 1)
    inside = np.s_[1:-1, 1:-1]
    assert small.shape == middles.shape
    assert np.abs(small[inside] - middles[inside]).max() <= 0.5


def test_pictures_are_averaged_without_each_pixels_brightest_and_darkest():
    levels = np.random.default_rng(1).integers(0, 256, (5, 180, 64, 3), np.uint8)
    frames = [Frame.from_bgr(one, number=i, t_s=0.0) for i, one in enumerate(levels)]
    among = np.sort(levels, axis=0)[1:-1].astype(float).mean(axis=0)
    assert np.abs(mean_bgr(frames) - among).max() <= 0.5
