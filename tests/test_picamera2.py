"""The Pi's camera is used as picamera2's own source says; checked against the real library where it is installed."""

import importlib
import inspect
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from linesies.benchmarks.mounting import MODES
from linesies.device.cameras.opening import open_source
from linesies.device.cameras.picam import choose_mode, unpadded
from linesies.device.cameras.steadying import FINDING, STRAYED, Steadying
from linesies.device.errors import CameraFailed, CameraStalled
from tests import picamera2_recorded as recorded


@pytest.fixture
def stand_in(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=recorded.StandIn))
    monkeypatch.setitem(sys.modules, "libcamera", recorded.LIBCAMERA)


def test_frames_are_stamped_by_the_sensor_and_requests_given_back(stand_in):
    source = open_source("picamera2")
    frames = []
    with pytest.raises(CameraStalled, match="no frame for 2 s"):
        frames.extend(source.frames())
    assert np.allclose([f.t_s for f in frames], np.arange(5) * 0.017857142)
    assert [f.number for f in frames] == [0, 1, 2, 3, 4]
    assert frames[0].size_px == source.size_px == (2304, 1296)
    assert source._camera.held == 0


def test_the_mode_that_sees_the_whole_field_fast_enough_is_asked_for_in_so_many_words(stand_in):
    source = open_source("picamera2:0")
    asked = dict(source._camera.calls)["create_video_configuration"]
    assert asked["main"] == {"size": (2304, 1296), "format": "YUV420"}
    assert asked["sensor"] == {"output_size": (2304, 1296), "bit_depth": 10}
    assert asked["controls"]["FrameDurationLimits"] == (17848, 17848)


def test_a_camera_that_is_not_plugged_in_is_told(stand_in):
    with pytest.raises(CameraFailed, match="check the ribbon"):
        open_source("picamera2:3")


def test_a_camera_with_no_fast_mode_gives_its_fastest_whole_one():
    slow = [mode | {"fps": mode["fps"] / 5} for mode in recorded.MODULE_3]
    assert choose_mode(slow)["size"] == (2304, 1296)


@pytest.mark.parametrize(
    ("modes", "size", "fps"),
    [
        (recorded.MODULE_2, (1640, 1232), 40),
        (recorded.MODULE_3, (2304, 1296), 56),
        (recorded.HQ, (2028, 1520), 40),
        (recorded.GLOBAL_SHUTTER, (1456, 1088), 60),
    ],
    ids=["Module 2", "Module 3", "HQ", "Global Shutter"],
)
def test_each_camera_is_used_in_the_mode_that_the_documentation_tells(modes, size, fps):
    mode = choose_mode(modes)
    assert mode["size"] == size
    assert fps <= mode["fps"] < fps + 2
    assert any(told.size_px == size and told.fps == fps for told in MODES)


def test_exposure_is_short_and_focus_is_found_once(stand_in):
    calls = open_source("picamera2")._camera.calls
    assert dict(calls)["create_video_configuration"]["controls"]["AeExposureMode"] == 1
    assert dict(calls)["set_controls"]["controls"] == {"AfMode": 1, "AfTrigger": 0}


def test_exposure_is_held_after_a_moment(stand_in):
    source = open_source("picamera2")
    source._camera.silent_after = 60
    with pytest.raises(CameraStalled):
        list(source.frames())
    held = [bound["controls"] for name, bound in source._camera.calls if name == "set_controls"][1:]
    found = {"ExposureTime": 1000, "AnalogueGain": 2.0, "ColourGains": (1.9, 1.4)}
    assert held == [{"AeEnable": False, "AwbEnable": False, **found}]


def test_a_grey_camera_is_asked_for_no_colours_and_one_without_a_lens_that_moves_for_no_focus(stand_in, monkeypatch):
    monkeypatch.setattr(recorded, "FOCUSED", recorded.GREY)
    monkeypatch.setattr(recorded, "MODULE_3", recorded.GLOBAL_SHUTTER)
    source = open_source("picamera2")
    source._camera.silent_after = 60
    with pytest.raises(CameraStalled):
        list(source.frames())
    held = [bound["controls"] for name, bound in source._camera.calls if name == "set_controls"]
    assert held == [{"AeEnable": False, "ExposureTime": 1000, "AnalogueGain": 2.0}]


def test_modes_that_are_no_sensor_s_own_are_passed_over():
    assert choose_mode([{"format": "MJPEG"}, *recorded.MODULE_3])["size"] == (2304, 1296)


def lit(level):
    return np.full((64, 64), level, np.uint8)


def test_a_shadow_that_passes_changes_nothing_and_light_that_stays_is_measured_anew():
    steadying = Steadying()
    found = {"ExposureTime": 900, "AnalogueGain": 1.5, "ColourGains": (1.9, 1.4), "SensorTimestamp": 1}
    wishes = [steadying.wishes(lit(100), found) for _ in range(FINDING)]
    assert wishes[-1]["ColourGains"] == (1.9, 1.4)
    assert not any(wishes[:-1])
    shadow = [steadying.wishes(lit(40), found) for _ in range(STRAYED - 1)]
    assert not any([*shadow, steadying.wishes(lit(100), found)])
    evening = [steadying.wishes(lit(40), found) for _ in range(STRAYED)]
    assert evening[-1] == {"AeEnable": True, "AwbEnable": True}
    assert [steadying.wishes(lit(90), found) for _ in range(FINDING)][-1]["AeEnable"] is False


def test_padding_is_cut_off_every_plane():
    width, height, stride = 6, 4, 16
    planes = np.zeros((6, stride), np.uint8)
    planes[:4, :6] = np.arange(24).reshape(4, 6)
    colour = planes[4:].reshape(4, 8)
    colour[:, :3] = 100 + np.arange(12).reshape(4, 3)
    assert unpadded(planes, (width, height)).ravel().tolist() == [*range(24), *range(100, 112)]


def test_the_record_agrees_with_the_installed_library():
    try:
        real = importlib.import_module("picamera2")
        request = importlib.import_module("picamera2.request")
    except ImportError as fault:
        pytest.skip(f"picamera2 is not installed here: {fault}")
    for owner, signatures in (
        (real.Picamera2, recorded.SIGNATURES),
        (request.CompletedRequest, recorded.REQUEST_SIGNATURES),
    ):
        for name, parameters in signatures.items():
            assert list(inspect.signature(getattr(owner, name)).parameters)[1:] == list(
                recorded.signature(parameters).parameters
            )
