"""The Pi's camera is used as picamera2's own source says; test_picamera2_itself.py runs it on that source."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

from linesies.benchmarks.mounting import MODES
from linesies.device.cameras.opening import open_source
from linesies.device.cameras.picam import choose_mode, copy_unpadded, offers
from linesies.device.cameras.steadying import FINDING, PATIENT, STRAYED, CameraWish, Steadying
from linesies.device.commands import doctor
from linesies.device.errors import BadInput, CameraFailed, CameraStalled
from tests import picamera2_recorded as recorded


@pytest.fixture
def stand_in(monkeypatch):
    monkeypatch.setitem(
        sys.modules, "picamera2", SimpleNamespace(Picamera2=recorded.StandIn, MappedArray=recorded.Lent)
    )
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
    assert held == [{"AeEnable": False, "AwbEnable": False, **found, "AfMode": 0, "LensPosition": 0.52}]
    assert source.has_settled


def test_a_grey_camera_is_asked_for_no_colours_and_one_without_a_lens_that_moves_for_no_focus(stand_in, monkeypatch):
    monkeypatch.setattr(recorded, "FOCUSED", recorded.GREY)
    monkeypatch.setattr(recorded, "MODULE_3", recorded.GLOBAL_SHUTTER)
    source = open_source("picamera2")
    source._camera.silent_after = 60
    with pytest.raises(CameraStalled):
        list(source.frames())
    held = [bound["controls"] for name, bound in source._camera.calls if name == "set_controls"]
    assert held == [{"AeEnable": False, "ExposureTime": 1000, "AnalogueGain": 2.0}]


def test_a_lens_that_still_looks_for_its_focus_is_waited_for_but_not_for_ever(stand_in):
    source = open_source("picamera2")
    source._camera.silent_after = PATIENT + 2
    source._camera.focus_states = iter([1] * (FINDING + 20))
    settled = [source.has_settled for _ in zip(range(FINDING + 30), source.frames(), strict=False)]
    assert settled.index(True) == FINDING + 20
    hunting = Steadying()
    assert [hunting.wish(lit(100), is_found=False) for _ in range(PATIENT)].index(CameraWish.HOLD) == PATIENT - 1


def test_the_focus_of_a_name_is_set_and_held(stand_in):
    source = open_source("picamera2:0?focus=2.5")
    assert dict(source._camera.calls)["set_controls"]["controls"] == {"AfMode": 0, "LensPosition": 2.5}
    assert source.focus_dioptres == 2.5


@pytest.mark.parametrize(
    ("modes", "from_px"),
    [
        (recorded.MODULE_2, (1640, 1232)),
        (recorded.MODULE_3, (2304, 1296)),
        (recorded.HQ, (2028, 1520)),
        (recorded.GLOBAL_SHUTTER, (1456, 1088)),
    ],
    ids=["Module 2", "Module 3", "HQ", "Global Shutter"],
)
def test_a_smaller_picture_is_made_from_the_mode_that_sees_the_whole_field(modes, from_px, stand_in, monkeypatch):
    monkeypatch.setattr(recorded, "MODULE_3", modes)
    monkeypatch.setattr(recorded, "FOCUSED", recorded.FOCUSED | {"FrameDurationLimits": (16_562, 220_000_000)})
    source = open_source("picamera2?size=1280x720")
    asked = dict(source._camera.calls)["create_video_configuration"]
    assert asked["sensor"]["output_size"] == from_px
    assert source.size_px == next(source.frames()).size_px == (1280, 720)


def test_every_size_is_offered_with_what_it_gives(stand_in):
    told = CliRunner().invoke(doctor.command, ["picamera2"])
    assert told.exit_code == 0
    assert told.stderr.splitlines() == [
        "picamera2:0 gives 2304x1296 at 56 frames a second.",
        "picamera2:0?size=2304x1296: 56 frames a second",
        "picamera2:0?size=1536x864: 56 frames a second, made of 2304x1296",
        "picamera2:0?size=1280x720: 56 frames a second, made of 2304x1296",
        "not used: 1536x864 at 120, which sees 44% of the field",
    ]


@pytest.mark.parametrize(
    "modes", [recorded.MODULE_2, recorded.HQ, recorded.GLOBAL_SHUTTER], ids=["Module 2", "HQ", "Global Shutter"]
)
def test_each_sensor_offers_1280x720_from_its_whole_field(modes):
    (line,) = (line for line in offers("picamera2", modes) if "1280x720" in line)
    fps = choose_mode(modes, (1280, 720))["fps"]
    assert line.startswith(f"picamera2?size=1280x720: {fps:.0f} frames a second, made of ")


@pytest.mark.parametrize("options", ["size=big", "size=0x0", "focus=nan", "focus=far", "speed=3", "size=1280"])
def test_an_option_that_makes_no_sense_is_refused(options, stand_in):
    with pytest.raises(BadInput, match="its options are size"):
        open_source(f"picamera2:0?{options}")


def test_a_usb_camera_in_a_pi_camera_s_place_is_told_and_given_back(stand_in, monkeypatch):
    monkeypatch.setattr(recorded, "MODULE_3", recorded.USB)
    closed = []
    monkeypatch.setattr(recorded.StandIn, "_close", lambda _: closed.append(True), raising=False)
    with pytest.raises(CameraFailed, match="v4l2:0"):
        open_source("picamera2")
    assert closed == [True]


@pytest.mark.parametrize("adjusted", [{"format": "NV12"}, {"size": (2303, 1295)}])
def test_a_picture_that_the_pipeline_makes_otherwise_than_asked_is_told(adjusted, stand_in, monkeypatch):
    real = recorded.StandIn._create_video_configuration

    def adjusts(camera, **asked):
        camera.adjusted = adjusted
        return real(camera, **asked)

    monkeypatch.setattr(recorded.StandIn, "_create_video_configuration", adjusts)
    with pytest.raises(CameraFailed, match="ask for another size"):
        open_source("picamera2")


def test_a_camera_s_own_memory_is_copied_once_to_where_its_process_says(stand_in):
    source = open_source("picamera2")
    slot = np.zeros((1296 * 3 // 2, 2304), np.uint8)
    source.room = lambda shape: slot
    frame = next(source.frames())
    assert frame.pixels is slot
    assert (slot == 1).all()


def test_modes_that_are_no_sensor_s_own_are_passed_over():
    assert choose_mode([{"format": "MJPEG"}, *recorded.MODULE_3])["size"] == (2304, 1296)


def lit(level):
    return np.full((64, 64), level, np.uint8)


def test_a_shadow_that_passes_changes_nothing_and_light_that_stays_is_measured_anew():
    steadying = Steadying()
    wishes = [steadying.wish(lit(100)) for _ in range(FINDING)]
    assert wishes == [CameraWish.NOTHING] * (FINDING - 1) + [CameraWish.HOLD]
    shadow = [steadying.wish(lit(40)) for _ in range(STRAYED - 1)]
    assert {*shadow, steadying.wish(lit(100))} == {CameraWish.NOTHING}
    assert [steadying.wish(lit(40)) for _ in range(STRAYED)][-1] is CameraWish.FIND
    assert not steadying.has_settled
    assert [steadying.wish(lit(90)) for _ in range(FINDING)][-1] is CameraWish.HOLD


def test_padding_is_cut_off_every_plane():
    width, height, stride = 6, 4, 16
    planes = np.zeros((6, stride), np.uint8)
    planes[:4, :6] = np.arange(24).reshape(4, 6)
    colour = planes[4:].reshape(4, 8)
    colour[:, :3] = 100 + np.arange(12).reshape(4, 3)
    copied = np.empty((height * 3 // 2, width), np.uint8)
    copy_unpadded(planes, copied)
    assert copied.ravel().tolist() == [*range(24), *range(100, 112)]
