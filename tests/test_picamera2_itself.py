"""The Pi's camera runs on picamera2 itself, over what is recorded of libcamera: `pip install --no-deps picamera2`.

Only a Pi has libcamera; there `linesies doctor picamera2` shows the rest.
"""

import importlib
import inspect

import numpy as np
import pytest

from linesies.device.cameras.opening import open_source
from linesies.device.cameras.steadying import FINDING
from linesies.device.errors import CameraFailed, CameraStalled
from tests import picamera2_recorded as recorded
from tests.libcamera_recorded import BLUE, FRAME_NS, LUMA, RED, Sensor, picamera2_over

BUFFERS = 6
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:picamera2")


@pytest.fixture
def on(monkeypatch):
    """Open the camera of a machine with this sensor; it is closed at the end."""
    opened = []

    def open_on(sensor, name="picamera2"):
        picamera2_over(sensor, monkeypatch)
        opened.append(open_source(name))
        return opened[-1]

    yield open_on
    for source in opened:
        source.close()


@pytest.mark.parametrize(
    ("modes", "offered", "size_px", "fps"),
    [
        (recorded.MODULE_2, recorded.COLOURED, (1640, 1232), 41.85),
        (recorded.MODULE_3, recorded.FOCUSED, (2304, 1296), 56.03),
        (recorded.HQ, recorded.COLOURED, (2028, 1520), 40.01),
        (recorded.GLOBAL_SHUTTER, recorded.GREY, (1456, 1088), 60.38),
    ],
    ids=["Module 2", "Module 3", "HQ", "grey Global Shutter"],
)
def test_each_sensor_gives_its_whole_picture_without_padding_at_the_sensors_times(modes, offered, size_px, fps, on):
    source = on(Sensor(modes, offered))
    frames = [frame for frame, _ in zip(source.frames(), range(BUFFERS + 2), strict=False)]  # each is given back
    width, height = source.size_px
    assert source.size_px == size_px
    assert source.fps == pytest.approx(fps, abs=0.01)
    taken = np.diff([frame.t_s for frame in frames]) * 1e9 / FRAME_NS  # whoever is kept from reading misses some
    assert np.allclose(taken, np.rint(taken), atol=1e-3)
    assert (taken > 0.5).all()
    planes = frames[-1].pixels
    assert planes.shape == (height * 3 // 2, width)
    for plane, value in zip(np.split(planes, [height, height * 5 // 4]), (LUMA, BLUE, RED), strict=True):
        assert (plane == value).all()


def test_what_was_found_is_held_by_the_camera_as_libcamera_asks_it(on):
    sensor = Sensor(recorded.MODULE_3, recorded.FOCUSED)
    source = on(sensor)
    for _ in zip(source.frames(), range(FINDING + BUFFERS + 2), strict=False):
        pass
    begun, *later = sensor.set
    assert begun["AeExposureMode"] == 1
    assert begun["FrameDurationLimits"] == (17848, 17848)
    looking, held = later
    assert looking == {"AfMode": 1, "AfTrigger": 0}
    found = {"ExposureTime": 5000, "AnalogueGain": 2.0, "ColourGains": (1.9, 1.4), "LensPosition": 0.52}
    assert held.items() >= ({"AeEnable": False, "AwbEnable": False, "AfMode": 0} | found).items()


def test_a_size_of_a_name_is_made_from_the_whole_field(on):
    source = on(Sensor(recorded.HQ, recorded.COLOURED), "picamera2:0?size=1280x720")
    assert next(source.frames()).size_px == (1280, 720)
    assert source._camera.camera_configuration()["sensor"]["output_size"] == (2028, 1520)


def test_a_camera_that_falls_silent_is_noticed_and_can_be_closed(on):
    sensor = Sensor(recorded.GLOBAL_SHUTTER, recorded.GREY, frames=3)
    source = on(sensor)
    with pytest.raises(CameraStalled):
        list(source.frames())
    source.close()
    assert sensor.is_released


@pytest.mark.parametrize(
    ("sensor", "words"),
    [
        (Sensor(recorded.USB, {}, model="HD Webcam"), "name a USB camera v4l2:0"),
        (Sensor(recorded.MODULE_3, recorded.FOCUSED, adjusts_to="NV12"), "gives only NV12 of 2304x1296"),
    ],
    ids=["a USB camera", "another format"],
)
def test_what_cannot_be_used_is_told_and_given_back(sensor, words, on):
    with pytest.raises(CameraFailed, match=words):
        on(sensor)
    assert sensor.is_released


def test_the_record_agrees_with_the_library(monkeypatch):
    real = picamera2_over(Sensor(recorded.MODULE_3, recorded.FOCUSED), monkeypatch)
    request = importlib.import_module("picamera2.request")
    for owner, signatures in (
        (real.Picamera2, recorded.SIGNATURES),
        (request.CompletedRequest, recorded.REQUEST_SIGNATURES),
        (request.MappedArray, recorded.MAPPED_SIGNATURES),
    ):
        for name, parameters in signatures.items():
            assert list(inspect.signature(getattr(owner, name)).parameters)[1:] == list(
                recorded.signature(parameters).parameters
            )
