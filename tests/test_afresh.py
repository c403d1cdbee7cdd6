"""A hand that takes aim is no part of the scene, when eyes open or people say that they erred."""

import cv2
import numpy as np
import pytest

from linesies.simulator.street.gestures import shoot, wait
from linesies.vision import Frame, Shot, Watcher
from tests.two_on_a_street import calibration_of, lay_two, street_of_two


@pytest.fixture(scope="module")
def filmed():
    """A street on which one cap is shot beside another: calibration, caps, frames, where both lie then, who shot."""
    street = street_of_two()
    world = street.world
    shooter, _ = world.caps

    def acts():
        yield from lay_two(street, (0.3, 0.3), (0.7, 0.6))
        yield from shoot(world, shooter, np.array([900.0, -500.0]), street.stage.rng(99))
        yield from wait(2.5)

    street._game = acts()
    frames = list(street.frames())
    lie_mm = {player: world.pavement.xy_mm(player) for player in world.caps}
    return calibration_of(street), street.caps, frames, lie_mm, shooter


@pytest.mark.parametrize("asked_s", np.arange(1.2, 4.6, 0.4).round(1))
def test_a_shot_is_told_once_and_nothing_else_whenever_the_eyes_are_corrected(filmed, asked_s):
    calibration, caps, frames, lie_mm, shooter = filmed
    watcher, told = Watcher(calibration, caps), []
    asked = next(frame.number for frame in frames if frame.t_s >= asked_s)
    for frame in frames:
        told += watcher.see(frame)
        if frame.number == asked:
            watcher.look_afresh()
    (shot,) = told
    assert isinstance(shot, Shot)
    assert (shot.player, shot.hits) == (shooter, ())
    for player, xy_mm in lie_mm.items():
        assert np.hypot(*(np.array(watcher.scene.caps_mm[player]) - xy_mm)) < 5.0


def test_eyes_that_have_seen_nothing_yet_begin_as_they_would(filmed):
    calibration, caps, frames, *_ = filmed
    watcher = Watcher(calibration, caps)
    watcher.look_afresh()
    for frame in frames[:40]:
        watcher.see(frame)
    assert len(watcher.scene.caps_mm) == 2


def test_a_cap_that_the_eyes_had_lost_is_simply_known_again(filmed):
    calibration, caps, frames, lie_mm, shooter = filmed
    watcher = Watcher(calibration, caps)
    for frame in frames[:40]:
        watcher.see(frame)
    watcher._state = watcher._state.found({shooter: None})
    watcher.look_afresh()
    told = []
    for n in range(1, 30):
        told += watcher.see(Frame(frame.pixels, layout=frame.layout, number=40 + n, t_s=frame.t_s + n / 30))
    assert not told
    assert set(watcher.scene.caps_mm) == set(lie_mm)


@pytest.mark.parametrize("since_s", np.arange(1.2, 3.2, 0.2).round(1))
def test_eyes_that_open_while_somebody_shoots_see_no_hand_as_a_cap_and_tell_no_hit(filmed, since_s):
    calibration, caps, frames, lie_mm, shooter = filmed
    watcher = Watcher(calibration, caps)
    told = [event for frame in frames if frame.t_s >= since_s for event in watcher.see(frame)]
    assert [(type(event), event.player, event.hits) for event in told] in ([], [(Shot, shooter, ())])
    assert watcher.scene.is_at_rest
    for player, xy_mm in lie_mm.items():
        assert np.hypot(*(np.array(watcher.scene.caps_mm[player]) - xy_mm)) < 5.0


def shod(frame):
    """Stand a black shoe on the picture's border."""
    bgr = frame.bgr.copy()
    cv2.ellipse(bgr, (bgr.shape[1] - 200, bgr.shape[0]), (90, 40), 0, 0, 360, (0, 0, 0), -1)
    return Frame.from_bgr(bgr, number=frame.number, t_s=frame.t_s)


@pytest.mark.parametrize("before_s", [0.7, 0.9, 1.1])
def test_a_shoe_that_stands_there_is_not_waited_for_once_a_hand_comes_in_beside_it(filmed, before_s):
    calibration, caps, frames, _, shooter = filmed
    comes_s = next(
        after.t_s
        for before, after in zip(frames, frames[6:], strict=False)
        if before.t_s > 1.2 and np.mean(cv2.absdiff(before.bgr, after.bgr).max(axis=2) > 40) > 2e-4
    )
    seen = [shod(frame) for frame in frames if frame.t_s >= comes_s - before_s]
    watcher = Watcher(calibration, caps)
    told = [event for frame in seen for event in watcher.see(frame)]
    assert [(type(event), event.player, event.hits) for event in told] == [(Shot, shooter, ())]
