"""The eyes complete what the watcher sees, and find the board again after the camera was moved."""

from dataclasses import replace

import numpy as np
import pytest

from linesies.calibration import NoBoard
from linesies.device.loop.cap_eyes import CapEyes, boxes_at_line
from linesies.device.loop.repeatability import EVERY_S
from linesies.vision import CameraLeaned, CameraMoved, Expectation, Frame, Scene
from tests.calibrations import plain_calibration
from tests.refereeing import call, placed, shot

PLAIN = plain_calibration()
FRAME = Frame.from_bgr(np.zeros((48, 64, 3), np.uint8), number=0, t_s=0.0)


class ScriptedWatcher:
    made = 0

    def __init__(self, calibration, caps, *, settled_s):
        ScriptedWatcher.made += 1
        self.scene = Scene(t_s=0.0, is_at_rest=True)
        self.leant_px = 0.0
        self.events = ()
        self.expected = None

    def see(self, frame):
        return self.events

    def finish(self):
        return self.events

    def expect(self, expectation):
        self.expected = expectation

    def forget(self):
        self.events = ()


@pytest.fixture
def eyes(monkeypatch):
    monkeypatch.setattr("linesies.device.loop.cap_eyes.Watcher", ScriptedWatcher)
    monkeypatch.setattr("linesies.device.loop.gaze.LOOK_AGAIN_S", 0.0)
    return CapEyes(PLAIN, (), settled_s=0.4)


def at(x_mm, y_mm):
    return replace(call("ana", "line"), xy_mm=(x_mm, y_mm), diameter_mm=20.0)


@pytest.mark.parametrize(
    ("spot", "boxes"),
    [
        ((50, 50), ()),
        ((50, 12), ("1",)),
        ((92, 50), ("1", "skull1")),
        ((110, 50), ("1", "skull1")),
        ((50, -14), ("1",)),
    ],
)
def test_boxes_whose_lines_a_cap_touches(spot, boxes):
    assert set(boxes_at_line(PLAIN, at(*spot))) == set(boxes)


def test_a_cap_put_on_a_line_is_said_to_be_on_that_of_the_box_where_it_is_due(eyes):
    on_line = replace(placed("ana", "line"), call=at(95, 50))
    eyes.expect(Expectation(shooter="ana", placing={"ana": "skull1"}))
    eyes._watcher.events = (on_line, shot("ana", "1"))
    told, other = eyes.see(FRAME)
    assert told.of == "skull1"
    assert other == shot("ana", "1")
    eyes.expect(Expectation(shooter="ana", placing={"ana": "13"}))
    assert eyes.finish()[0].of in ("1", "skull1")
    eyes._watcher.events = (replace(on_line, call=at(50, 50)), replace(on_line, of="7"))
    assert [event.of for event in eyes.see(FRAME)] == [None, "7"]


def test_a_cap_that_goes_into_the_box_where_it_is_due_is_placed_not_shot(eyes):
    into = shot("ana", "7")
    eyes._watcher.events = (into, shot("bo", "7"), shot("ana", "8"), shot("ana", "7", hits=["bo"]))
    eyes.expect(Expectation(shooter="ana", placing={"ana": "7"}))
    told = eyes.see(FRAME)
    assert (told[0].player, told[0].call, told[0].t_end_s) == ("ana", into.calls[0], into.t_end_s)
    assert told[1:] == eyes._watcher.events[1:]
    eyes.expect(Expectation(shooter="ana", placing={}))
    assert eyes.see(FRAME) == eyes._watcher.events


def test_a_moved_camera_sees_nothing_until_the_board_is_found_again(eyes, monkeypatch):
    eyes._watcher.events = (CameraMoved(t_s=1.0),)
    assert eyes.see(FRAME) == (CameraMoved(t_s=1.0),)
    assert eyes.see(FRAME) == ()
    assert eyes.finish() == ()
    tries = []

    def fails_once(name):
        def find(*_where, **_lens):
            tries.append(name)
            return PLAIN if tries.count(name) == 2 else NoBoard(reason="no board")

        monkeypatch.setattr(f"linesies.device.loop.gaze.{name}", find)

    fails_once("follow")
    fails_once("calibrate")
    made = ScriptedWatcher.made
    assert not eyes.has_found_board_again(FRAME)
    assert eyes.has_found_board_again(FRAME)
    assert tries == ["follow", "calibrate", "follow"]
    assert ScriptedWatcher.made == made + 1
    assert not eyes.has_found_board_again(FRAME)
    eyes._watcher.events = (shot("ana", "1"),)
    assert eyes.see(FRAME) == (shot("ana", "1"),)


@pytest.mark.parametrize("begin_afresh", [lambda eyes: eyes.recalibrate(PLAIN), lambda eyes: eyes.rekit(())])
def test_eyes_that_begin_afresh_await_what_they_awaited(eyes, begin_afresh):
    awaited = Expectation(shooter="ana", placing={"ana": "skull1"})
    eyes.expect(awaited)
    begin_afresh(eyes)
    assert eyes._watcher.expected == awaited


@pytest.mark.parametrize(
    ("lay_mm", "at", "is_behind"), [(-45, "start", True), (-8, "start", False), (-8, "open", True)]
)
def test_a_first_shot_from_before_the_start_line_is_told_as_such(eyes, lay_mm, at, is_behind):
    start_line = np.array([[0.0, -40.0], [100.0, -40.0]])
    eyes.recalibrate(replace(PLAIN, board=replace(PLAIN.board, start_line_mm=start_line)))
    eyes.expect(Expectation(shooter="ana", public={"players": [{"name": "ana", "at": at}]}))
    eyes._watcher.events = (shot("ana", "1", from_mm=(50.0, lay_mm)),)
    [seen] = eyes.see(FRAME)
    assert seen.is_behind_start == is_behind
    assert seen.as_json().get("behind_start", True) == is_behind


def test_a_camera_that_leans_is_told_once_and_once_that_it_hangs_as_it_did(eyes):
    told = []
    for leant_px in (0.0, 5.5, 6.4, 12.0, 6.4, 3.4, 2.6, 0.0):
        eyes._watcher.leant_px = leant_px
        told += eyes.see(FRAME)
    assert told == [CameraLeaned(px=6), CameraLeaned(px=0)]


def test_pictures_of_another_size_are_a_camera_that_was_moved(eyes):
    turned = Frame.from_bgr(np.zeros((64, 48, 3), np.uint8), number=1, t_s=3.0)
    assert eyes.see(FRAME) == ()
    assert eyes.see(turned) == (CameraMoved(t_s=3.0),)
    assert eyes.has_moved


def test_caps_at_rest_are_measured_again_though_the_camera_was_opened_again_and_counts_time_anew(eyes):
    measured = []
    eyes._watcher.scene = Scene(t_s=0.0, is_at_rest=True, caps_mm={"ana": (50.0, 50.0)})
    eyes._watcher.measured_again = measured.append

    def see(*seconds):
        for t_s in seconds:
            eyes.see(Frame(FRAME.pixels, layout=FRAME.layout, number=0, t_s=t_s))

    see(1000.0, 1000.0 + EVERY_S)
    assert measured == ["ana"]
    eyes.forget()
    see(0.0, EVERY_S)
    assert measured == ["ana", "ana"]
