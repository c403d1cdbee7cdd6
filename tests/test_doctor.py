"""What the doctor measures before play, and what it advises."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from linesies.calibration import calibrate, write_calibration
from linesies.device.commands.doctor import command
from linesies.device.doctor import TYPICAL_CAP, advise, draw_health, examine
from tests.painted_boards import BLUR_PX, NOISE, paint_scene


@pytest.fixture(scope="module")
def scene():
    return paint_scene()


@pytest.fixture(scope="module")
def calibration(scene):
    found = calibrate(scene.picture_bgr, scene.board, lens=scene.view.lens, corners_px=scene.taps_px)
    assert found
    return found


@pytest.fixture(scope="module")
def health(scene, calibration):
    return examine([scene.picture_bgr], calibration)


def test_the_camera_and_the_blur_of_edges_are_measured(scene, health):
    assert health.height_mm == pytest.approx(scene.view.camera_height_mm, rel=0.01)
    assert health.blur_px == pytest.approx(BLUR_PX, abs=0.3)
    assert health.noise is None


def test_a_blurred_picture_is_told_from_a_sharp_one(scene, calibration, health):
    blurred = examine([cv2.GaussianBlur(scene.picture_bgr, (0, 0), 2.0)], calibration)
    assert blurred.blur_px == pytest.approx(np.hypot(health.blur_px, 2.0), abs=0.4)
    assert any("focus" in str(saying) for saying in advise(blurred))


def test_noise_is_measured_between_pictures(scene, calibration):
    rng = np.random.default_rng(3)
    still = np.full_like(scene.picture_bgr, 120).astype(float)
    pictures = [np.clip(still + rng.normal(0, 4, still.shape), 0, 255).astype(np.uint8) for _ in range(2)]
    assert examine(pictures, calibration).noise == pytest.approx(4, rel=0.15)
    assert NOISE < 4


def test_washed_out_and_dark_pictures_are_told(scene, calibration):
    bright = cv2.convertScaleAbs(scene.picture_bgr, alpha=1.0, beta=200)
    dark = cv2.convertScaleAbs(scene.picture_bgr, alpha=0.12)
    assert any("washed out" in str(saying) for saying in advise(examine([bright], calibration)))
    assert any("dark" in str(saying) for saying in advise(examine([dark], calibration)))


def test_every_box_has_its_expected_doubt_and_wider_caps_have_more(scene, calibration, health):
    assert [box.name for box in health.boxes] == [region.name for region in scene.board.regions]
    assert all(box.is_seen and 0 < box.sigma_mm < 5 for box in health.boxes)
    wide = examine([scene.picture_bgr], calibration, [TYPICAL_CAP, replace(TYPICAL_CAP, diameter_mm=60.0)])
    assert all(w.sigma_mm > h.sigma_mm for w, h in zip(wide.boxes, health.boxes, strict=True))


def test_a_good_set_up_gets_no_advice(health):
    good = replace(health, tilt_deg=10.0, margin_mm=200.0, survey_mm=0.2, blur_px=0.9, light=110.0, too_dark=0.0)
    assert advise(replace(good, boxes=tuple(replace(box, mm_per_px=0.8) for box in good.boxes))) == ()


def test_the_picture_colours_every_box(scene, calibration, health):
    drawn = draw_health(scene.picture_bgr, calibration, health)
    for region in calibration.regions:
        middle = region.polygon_mm.mean(axis=0) + np.array([0, -20])
        x, y = calibration.view.mm_to_px(middle[None])[0].round().astype(int)
        assert np.abs(drawn[y, x].astype(int) - scene.picture_bgr[y, x]).max() > 10


def test_the_command_prints_json_and_advises_on_stderr(scene, calibration, tmp_path):
    write_calibration(calibration, tmp_path / "calibration.json")
    cv2.imwrite(str(tmp_path / "frame.png"), scene.picture_bgr)
    words = [str(tmp_path / "frame.png"), "--calibration", str(tmp_path / "calibration.json")]
    done = CliRunner().invoke(command, [*words, "--picture", str(tmp_path / "seen.png")], catch_exceptions=False)
    told = json.loads(done.stdout)
    assert told["boxes"]["13"]["seen"] is True
    assert "may be left to people" in done.stderr
    assert cv2.imread(str(tmp_path / "seen.png")).shape == scene.picture_bgr.shape


def test_pictures_of_another_size_are_refused(calibration, tmp_path):
    write_calibration(calibration, tmp_path / "calibration.json")
    cv2.imwrite(str(tmp_path / "small.png"), np.zeros((48, 64, 3), np.uint8))
    words = [str(tmp_path / "small.png"), "--calibration", str(tmp_path / "calibration.json")]
    assert "calibrate at this size" in str(CliRunner().invoke(command, words).exception)
