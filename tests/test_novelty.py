"""What is new in a picture is looked at; what is as it was is not, and yet time goes on."""

import numpy as np
import pytest

from linesies.vision.picture.background import Background
from linesies.vision.picture.frame import Frame
from linesies.vision.picture.glance import COARSE, GlancedFrame, glance_at
from linesies.vision.picture.layout import EVERYWHERE
from linesies.vision.picture.novelty import Novelty, coarse_window, small_window
from linesies.vision.picture.small_picture import look_at
from linesies.vision.shots.registering import Noticed
from linesies.vision.shots.watcher import Watcher
from tests.flicks import CAPS, PLACES, Drawn, calibration


def glance_of(level=100, spot=0):
    """A glance at a grey picture, one pixel of which is brighter."""
    planes = np.full((60, 64), 128, np.uint8)
    planes[:40] = level
    planes[9, 21] += spot
    return GlancedFrame(Frame.from_yuv420(planes, number=0, t_s=0.0, is_full_range=True)).glance


def test_the_first_picture_is_new_everywhere_and_the_same_again_nowhere():
    novelty = Novelty()
    assert novelty.see(glance_of().coarse).all()
    assert not novelty.see(glance_of().coarse).any()


def test_only_the_place_that_changed_is_new():
    novelty = Novelty()
    novelty.see(glance_of().coarse)
    noticed = Noticed(planes=glance_of(spot=60).planes, changed=novelty.see(glance_of(spot=60).coarse))
    assert noticed.touches(slice(9, 10), slice(21, 22))
    assert not noticed.touches(slice(20, 30), slice(40, 50))


def test_what_changes_a_little_each_time_is_noticed_in_the_end():
    novelty = Novelty()
    novelty.see(glance_of(100).coarse)
    assert [bool(novelty.see(glance_of(level).coarse).any()) for level in (101, 102, 103, 104)] == [
        False,
        True,
        False,
        True,
    ]


def test_what_is_forgotten_is_new_again():
    novelty = Novelty()
    novelty.see(glance_of().coarse)
    novelty.forget()
    assert novelty.see(glance_of().coarse).all()


@pytest.mark.parametrize("is_full_range", [True, False])
@pytest.mark.parametrize("size_px", [(640, 360), (1280, 720), (1920, 1080), (2304, 1296), (4608, 2592)])
def test_a_glance_that_was_made_before_is_the_one_that_would_be_made_now(size_px, is_full_range):
    width, height = size_px
    planes = np.random.default_rng(7).integers(0, 256, (height * 3 // 2, width), np.uint8)
    frame = Frame.from_yuv420(planes, number=3, t_s=0.05, is_full_range=is_full_range)
    before = GlancedFrame(frame)
    assert before.glance is glance_at(before)
    assert np.array_equal(before.glance.planes.joined(), glance_at(frame).planes.joined())
    assert np.array_equal(before.glance.coarse, glance_at(frame).coarse)
    assert np.array_equal(before.glance.planes.joined(), look_at(frame))
    assert before.glance.coarse.shape[1:] == tuple(side // COARSE for side in before.glance.planes.shape)
    assert (before.number, before.t_s, before.layout) == (frame.number, frame.t_s, frame.layout)
    assert np.array_equal(before.bgr, frame.bgr)


def test_a_window_touches_every_coarse_pixel_that_it_shares_a_small_one_with():
    assert coarse_window(slice(COARSE - 1, COARSE + 1), slice(0, 1)) == (slice(0, 2), slice(0, 1))


def test_a_scene_in_which_nothing_is_new_is_looked_at_no_further_and_its_caps_stay_in_their_places(monkeypatch):
    lit = []
    in_first_light = Background.in_first_light
    monkeypatch.setattr(Background, "in_first_light", lambda *given: lit.append(1) or in_first_light(*given))
    frame = Drawn(PLACES).draw().frames[0]
    watcher = Watcher(calibration(), CAPS)
    for number in range(200):
        watcher.see(Frame(frame.pixels, layout=frame.layout, number=number, t_s=number / 60))
    assert watcher.scene.is_at_rest
    assert set(watcher.scene.caps_mm) == set(PLACES)
    assert 1 <= len(lit) < 5


def test_a_single_coarse_pixel_that_strays_by_little_is_noise_and_three_side_by_side_are_not():
    novelty, coarse = Novelty(), glance_of().coarse
    novelty.see(coarse)
    strayed = coarse.copy()
    strayed[0, 4, 5] += 2
    assert not novelty.see(strayed).any()
    strayed[0, 4, 5] += 1
    assert np.argwhere(novelty.see(strayed)).tolist() == [[4, 5]]
    strayed[0, 7, 5:8] += 2
    assert np.argwhere(novelty.see(strayed)).tolist() == [[7, 5], [7, 6], [7, 7]]


def test_what_strays_alone_is_remembered_until_its_neighbours_do_too():
    novelty, coarse = Novelty(), glance_of().coarse
    novelty.see(coarse)
    for row in (4, 5):
        coarse[0, row, 5] += 2
        assert not novelty.see(coarse).any()
    coarse[0, 6, 5] += 2
    assert novelty.see(coarse)[5, 5]


def test_the_window_of_what_is_new_holds_what_lies_about_it_and_ends_with_the_picture():
    changed = np.zeros((10, 16), np.uint8)
    changed[3, 4:6] = 255
    assert small_window(changed, (41, 64)) == (slice(8, 20), slice(12, 28))
    changed[9, 15] = 255
    assert small_window(changed, (41, 64)) == (slice(8, 41), slice(12, 64))
    changed[:] = 255
    assert small_window(changed, (41, 64)) == EVERYWHERE
