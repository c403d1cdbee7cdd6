"""The picture is renewed only where a frame shows anything new, and is what the whole of it would be."""

import cv2
import numpy as np
import pytest

from linesies.vision.picture.background import Background
from linesies.vision.picture.displacement import none_of
from linesies.vision.picture.frame import Frame
from linesies.vision.picture.glance import glance_at
from linesies.vision.picture.layout import EVERYWHERE
from linesies.vision.picture.masks import around
from linesies.vision.picture.novelty import Novelty
from linesies.vision.picture.small_picture import look_at
from linesies.vision.shots import lit_picture as looked_at
from linesies.vision.shots.lit_picture import LitPicture
from linesies.vision.shots.registering import Noticed, Steady
from tests.flicks import PLACES, Drawn

SIZES_PX = [(640, 480), (1280, 720), (2304, 1296), (2592, 1944), (3280, 2464)]


def frame(picture, number, size_px=(640, 480)):
    planes = cv2.cvtColor(cv2.resize(picture, size_px), cv2.COLOR_BGR2YUV_I420)
    return Frame.from_yuv420(planes, number=number, t_s=number / 60, is_full_range=False)


def picture_of(places):
    return Drawn(places).draw().frames[0].bgr


def film(size_px):
    """A cap that slides, and one that lies still."""
    return [frame(picture_of({"ana": (150.0 + 6 * i, 240.0), "bo": PLACES["bo"]}), i, size_px) for i in range(6)]


def watched(frames):
    """What each frame shows to a picture whose windows are renewed, and to one that sees the whole of each."""
    novelty, picture, rest = Novelty(), LitPicture(), look_at(frames[0])
    background, other = (Background(look_at(frame(picture_of({}), 0, frames[0].size_px)), rest) for _ in range(2))
    for one in frames:
        glance = glance_at(one)
        noticed = Noticed(planes=glance.planes, changed=novelty.see(glance.coarse))
        steady = Steady(frame=one, planes=glance.planes, displacement=none_of((rest.shape[1], rest.shape[0])))
        yield (
            noticed,
            picture.see(noticed, steady, background),
            picture.leftover(background)[0],
            other.in_first_light(look_at(one), noticed.share),
        )


@pytest.mark.parametrize("size_px", SIZES_PX)
def test_what_moves_is_seen_in_its_window_as_in_the_whole_picture(size_px):
    windows = []
    for noticed, lit, leftover, whole in watched(film(size_px)):
        windows.append(noticed.window)
        assert np.array_equal(lit[noticed.window], whole[noticed.window])
        assert np.abs(lit.astype(int) - whole).max() <= 8  # noise, where nothing is new
        assert np.array_equal(leftover[noticed.window] > 0, leftover_of(whole, noticed.window, size_px))
    assert windows[0] == EVERYWHERE
    assert all(window != EVERYWHERE for window in windows[1:])


def leftover_of(whole, window, size_px):
    rest, bare = (look_at(frame(picture, 0, size_px)) for picture in (film(size_px)[0].bgr, picture_of({})))
    return Background(bare, rest).leftover(whole)[0][window] > 0


@pytest.mark.parametrize("size_px", SIZES_PX)
def test_a_window_of_the_planes_is_that_of_the_small_picture(size_px):
    planes = glance_at(film(size_px)[0]).planes
    whole = planes.joined()
    height, width = whole.shape[:2]
    for window in ((slice(40, 80), slice(100, 164)), (slice(200, height), slice(400, width))):
        assert np.array_equal(planes.joined(window), whole[window])


def test_the_whole_is_looked_at_again_now_and_then(monkeypatch):
    still = film((640, 480))[:1] * 3
    frames = [
        Frame(one.pixels, layout=one.layout, number=i, t_s=t_s)
        for i, (one, t_s) in enumerate(zip(still, (0, 0.1, 0.3), strict=True))
    ]
    seen = []
    whole = Background.in_first_light
    monkeypatch.setattr(Background, "in_first_light", lambda *given: seen.append(given[2]) or whole(*given))
    monkeypatch.setattr(looked_at.Noticed, "window", (slice(0, 8), slice(0, 8)))
    for _ in watched(frames):
        pass
    assert len(seen) == 2 + 3  # of the picture whose windows are renewed the first and the last


def test_two_windows_lie_in_the_smallest_about_both():
    one, other = (slice(4, 8), slice(20, 24)), (slice(0, 6), slice(22, 40))
    assert around(one, other) == (slice(0, 8), slice(20, 40))
    assert around(one, EVERYWHERE) == EVERYWHERE
