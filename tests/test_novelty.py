"""What is new in a picture is looked at; what is as it was is not, and yet time goes on."""

import numpy as np

from linesies.vision.picture.background import Background
from linesies.vision.picture.frame import Frame
from linesies.vision.picture.novelty import COARSE, Novelty, coarse_window
from linesies.vision.shots.registering import Noticed
from linesies.vision.shots.watcher import Watcher
from tests.flicks import CAPS, PLACES, Drawn, calibration

SHAPE = (40, 64)


def planes_of(level=100, spot=0.0):
    """A grey small picture, one pixel of which is brighter."""
    y = np.full(SHAPE, level, np.uint8)
    y[9, 21] += int(spot)
    return y, np.full(SHAPE, 128, np.uint8), np.full(SHAPE, 128, np.uint8)


def test_the_first_picture_is_new_everywhere_and_the_same_again_nowhere():
    novelty = Novelty()
    assert novelty.see(planes_of()).all()
    assert not novelty.see(planes_of()).any()


def test_only_the_place_that_changed_is_new():
    novelty = Novelty()
    novelty.see(planes_of())
    noticed = Noticed(planes=planes_of(spot=60), changed=novelty.see(planes_of(spot=60)))
    assert noticed.touches(slice(9, 10), slice(21, 22))
    assert not noticed.touches(slice(20, 30), slice(40, 50))


def test_what_changes_a_little_each_time_is_noticed_in_the_end():
    novelty = Novelty()
    novelty.see(planes_of(100))
    assert [bool(novelty.see(planes_of(level)).any()) for level in (101, 102, 103, 104)] == [False, True, False, True]


def test_what_is_forgotten_is_new_again():
    novelty = Novelty()
    novelty.see(planes_of())
    novelty.forget()
    assert novelty.see(planes_of()).all()


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
