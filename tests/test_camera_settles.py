"""Nothing measures in a camera's first frames, before exposure, white balance and focus are found."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from linesies.calibration import NoBoard, calibrate, write_board, write_calibration
from linesies.device.cameras.source import Live, settled_frames
from linesies.device.commands import calibrate as calibrating
from linesies.device.commands import doctor as examining
from linesies.vision import Frame
from tests.painted_boards import paint_scene

FINDING, FPS = 40, 20


class Finding(Live):
    """Dark until it has found its exposure, then what is given."""

    name, fps = "a camera", float(FPS)

    def __init__(self, shown_bgr):
        self.shown_bgr = shown_bgr
        self.size_px = shown_bgr.shape[1::-1]
        self.has_settled = False

    def frames(self):
        for number in range(10 * FINDING):
            self.has_settled = number >= FINDING
            pixels = self.shown_bgr if self.has_settled else self.shown_bgr // 8
            yield Frame.from_bgr(pixels, number=number, t_s=number / FPS)

    def close(self):
        pass


@pytest.fixture(scope="module")
def scene():
    return paint_scene()


def test_frames_are_given_from_when_a_camera_has_found_its_light_and_focus():
    assert next(settled_frames(Finding(np.zeros((48, 64, 3), np.uint8)))).number == FINDING


def test_the_doctor_measures_light_once_the_camera_has_found_it(scene, tmp_path, monkeypatch):
    found = calibrate(scene.picture_bgr, scene.board, lens=scene.view.lens, corners_px=scene.taps_px)
    write_calibration(found, tmp_path / "calibration.json")
    monkeypatch.setattr(examining, "open_source", lambda _: Finding(scene.picture_bgr))
    done = CliRunner().invoke(examining.command, ["picamera2", "--calibration", str(tmp_path / "calibration.json")])
    assert json.loads(done.stdout)["light"] > 60


def test_a_board_is_calibrated_once_the_camera_has_found_its_light(scene, tmp_path, monkeypatch):
    seen = []

    def look(picture_bgr, *_, **__):
        seen.append(picture_bgr.mean())
        return NoBoard(reason="nobody asks")

    write_board(scene.board, tmp_path / "board.json")
    monkeypatch.setattr(calibrating, "open_source", lambda _: Finding(scene.picture_bgr))
    monkeypatch.setattr(calibrating, "calibrate", look)
    words = ["picamera2", "--board", str(tmp_path / "board.json"), "-o", str(tmp_path / "calibration.json")]
    assert "nobody asks" in str(CliRunner().invoke(calibrating.command, words).exception)
    assert seen == [scene.picture_bgr.mean()]
