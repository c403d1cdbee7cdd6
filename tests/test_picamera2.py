"""The Pi's camera is used as picamera2's own source says; checked against the real library where it is installed."""

import importlib
import inspect
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from device.cameras.opening import open_source
from device.cameras.picam import choose_mode, unpadded
from device.errors import CameraFailed, CameraStalled
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
    assert asked["controls"]["FrameDurationLimits"] == (17847, 17847)


def test_a_camera_that_is_not_plugged_in_is_told(stand_in):
    with pytest.raises(CameraFailed, match="check the ribbon"):
        open_source("picamera2:3")


def test_a_camera_with_no_fast_mode_gives_its_fastest_whole_one():
    slow = [mode | {"fps": mode["fps"] / 5} for mode in recorded.MODULE_3]
    assert choose_mode(slow)["size"] == (2304, 1296)


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
