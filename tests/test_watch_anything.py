"""Whatever a camera sends, every frame is seen in bounded time, and nothing is told of it that did not happen."""

import cv2
import numpy as np
import pytest

from linesies.vision import CameraMoved, Frame, Watcher
from tests.flicks import CAPS, PLACES, Drawn, calibration

BGR = Drawn(PLACES).draw().frames[0].bgr
FPS = 60
RNG = np.random.default_rng(4)


def strange(kind, i):
    """Make the i-th strange picture of a kind."""
    pictures = {
        "black": lambda: np.zeros_like(BGR),
        "white": lambda: np.full_like(BGR, 255),
        "noise": lambda: RNG.integers(0, 256, BGR.shape, np.uint8),
        "huge contrast": lambda: ((BGR > 120) * 255).astype(np.uint8),
        "no blue": lambda: BGR * np.array([0, 1, 1], np.uint8),
        "black shoe": lambda: cv2.ellipse(BGR.copy(), (60, 200), (60, 40), 20, 0, 360, (0, 0, 0), -1),
        "repeated": lambda: BGR,
        "by turns": lambda: BGR if i % 2 else 255 - BGR,
    }
    return pictures[kind]()


KINDS = ("black", "white", "noise", "huge contrast", "no blue", "black shoe", "repeated", "by turns")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", KINDS)
def test_strange_pictures_in_the_middle_of_a_film_neither_hang_nor_invent(kind):
    watcher = Watcher(calibration(), CAPS)
    pictures = [BGR] * 24 + [strange(kind, i) for i in range(20)] + [BGR] * 40
    told = [
        event
        for i, bgr in enumerate(pictures)
        for event in watcher.see(Frame.from_bgr(bgr, number=i, t_s=i / FPS))
        if not isinstance(event, CameraMoved)
    ]
    assert not told
    assert set(watcher.scene.caps_mm) == set(PLACES)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", KINDS)
def test_a_film_may_begin_with_strange_pictures(kind):
    watcher = Watcher(calibration(), CAPS)
    pictures = [strange(kind, i) for i in range(8)] + [BGR] * 20
    told = [watcher.see(Frame.from_bgr(bgr, number=i, t_s=i / FPS)) for i, bgr in enumerate(pictures)]
    assert not any(told)


@pytest.mark.timeout(60)
def test_missing_frames_and_a_clock_that_leaps_invent_nothing():
    watcher = Watcher(calibration(), CAPS)
    times_s = (
        [i / FPS for i in range(20)] + [5 + i / 7 for i in range(10)] + [4.0, 4.0, 4.0] + [100 + i for i in range(9)]
    )
    told = [watcher.see(Frame.from_bgr(BGR, number=i, t_s=t_s)) for i, t_s in enumerate(times_s)]
    assert not any(told)


@pytest.mark.parametrize("back_at", [44, 52, 60])
def test_a_clock_that_is_set_back_while_caps_slide_ends_nothing(back_at):
    film = Drawn().still().slide({"ana": ((320.0, 210.0), 0), "bo": ((400.0, 330.0), 15)}).still()
    watcher, t_s = Watcher(calibration(), CAPS), 0.0
    for number, frame in enumerate(film.frames):
        watcher.see(Frame(frame.pixels, layout=frame.layout, number=number, t_s=t_s))
        t_s += 1 / FPS - 0.5 * (number in (back_at, back_at + 2))
    assert set(watcher.scene.caps_mm) == set(PLACES)
