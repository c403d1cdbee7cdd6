"""A USB camera is opened, held steady, and missed when it hangs or is unplugged; the camera is a real V4L2 device file
to the program, played by a preloaded library (usb_camera.c).
"""

import sys
import time

import numpy as np
import pytest

from linesies.device.cameras.camera_process import Apart
from linesies.device.cameras.steadying import FINDING
from linesies.device.errors import CameraFailed, CameraStalled
from tests.builders import moving_square
from tests.usb_camera import NAME, UsbCamera

HD = (1280, 720)
PICTURES = [moving_square(number, HD) for number in range(4)]


@pytest.fixture
def camera(tmp_path, monkeypatch):
    return UsbCamera(tmp_path, monkeypatch)


def frames_of(count):
    with Apart(NAME) as source:
        return source, [frame for frame, _ in zip(source.frames(), range(count), strict=False)]


def test_motion_jpeg_is_asked_for_and_its_pictures_arrive_with_the_driver_s_times(camera):
    camera.plug_in(PICTURES, FPS=50)
    source, frames = frames_of(12)
    assert source.size_px == HD
    assert source.fps == 50
    numbers = np.array([frame.number for frame in frames])
    assert (np.diff(numbers) > 0).all()  # whoever is kept from reading for a quarter of a second loses some
    assert np.allclose([frame.t_s for frame in frames], numbers / 50, atol=2e-3)
    assert np.abs(frames[5].bgr.astype(int) - moving_square(int(numbers[5]) % 4, HD)).mean() < 3


def test_a_camera_without_motion_jpeg_is_asked_for_a_size_that_it_sends_fast_enough(camera):
    camera.plug_in(PICTURES, YUYV=1)
    source, frames = frames_of(3)
    assert source.size_px == frames[0].size_px == (640, 480)
    assert source.fps == 30
    assert abs(int(frames[0].bgr.mean()) - 121) < 6


def test_exposure_white_balance_and_focus_are_found_and_then_held_where_they_are(camera):
    camera.plug_in(PICTURES, FPS=120)
    frames_of(FINDING + 3)
    assert camera.controls() == [
        ("exposure may slow the camera down", 0),
        ("auto exposure", 3),
        ("auto white balance", 1),
        ("auto focus", 1),
        ("auto exposure", 1),
        ("exposure", 156),
        ("auto white balance", 0),
        ("white balance", 4600),
        ("auto focus", 0),
        ("focus", 30),
    ]


def test_a_usb_camera_that_is_long_in_giving_its_first_frame_is_waited_for(camera):
    camera.plug_in(PICTURES, FPS=30, LATE_S=3)
    _, frames = frames_of(2)
    assert [frame.number for frame in frames] == [0, 1]


def test_a_usb_camera_that_hangs_is_noticed_soon(camera):
    camera.plug_in(PICTURES, STALLS=5)
    with Apart(NAME) as source:
        arrivals = []
        with pytest.raises(CameraStalled):
            arrivals.extend(time.monotonic() for _ in source.frames())
        assert time.monotonic() - arrivals[-1] < 8.0  # under 2 s where nothing else runs; the library alone takes 10


@pytest.mark.parametrize(
    ("options", "words"),
    [({"UNPLUGGED": 5}, "was unplugged; plug it in again"), ({"CHANGES": 5}, "sends another size all at once")],
    ids=["unplugged", "changed"],
)
def test_what_ends_a_usb_camera_is_said(options, words, camera):
    camera.plug_in(PICTURES, other=[moving_square(0, (640, 480))], **options)
    with pytest.raises(CameraFailed, match=words), Apart(NAME) as source:
        list(source.frames())


@pytest.mark.parametrize("length", [100, 0])
def test_a_broken_picture_in_between_is_passed_over_and_an_empty_one(length, camera, tmp_path):
    camera.plug_in(PICTURES, FPS=10)  # so slow that nobody is kept from reading until a picture is written over
    film = tmp_path / "film"
    film.write_bytes(film.read_bytes() + length.to_bytes(4, sys.byteorder) + bytes(length))
    _, frames = frames_of(9)
    assert [frame.number for frame in frames] == list(range(9))
