"""Somebody touched the camera after the board was calibrated: caps are judged from where it stands, or not at all."""

import json
from functools import cache

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from linesies.calibration import calibrate, read_board, read_lens, write_calibration
from linesies.device.cli import linesies
from linesies.vision import Frame, Judge, read_caps, where_it_stands
from tests.test_bad_input import STREET

TURNED = {  # in degrees, and pixels to the right and down
    "by a degree": (1.0, 0.0, 0.0),
    "by ten": (-10.0, 0.0, 0.0),
    "on its head": (180.0, 0.0, 0.0),
    "by a few pixels": (0.0, 4.0, -3.0),
}


@cache
def calibration():
    taps = [tap.split(",") for tap in (STREET / "corners.txt").read_text().split()]
    picture = cv2.imread(str(STREET / "empty.jpg"))
    board, lens = read_board(STREET / "board.json"), read_lens(STREET / "lens.json")
    return calibrate(picture, board, lens=lens, corners_px=np.array(taps, float))


@cache
def judge():
    return Judge(calibration(), read_caps(STREET / "caps.json"))


def as_it_lay():
    return cv2.imread(str(STREET / "frame_0.jpg"))


def turned(picture, degrees=0.0, right_px=0.0, down_px=0.0):
    """Show a picture as a camera sees it that was turned about its own axis, or by very little to the side."""
    matrix = calibration().view.lens.camera_matrix
    height, width = picture.shape[:2]
    move = cv2.getRotationMatrix2D((float(matrix[0, 2]), float(matrix[1, 2])), degrees, 1.0)
    move[:, 2] += right_px, down_px
    return cv2.warpAffine(picture, move, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)


def of_another_place():
    rough = cv2.GaussianBlur(np.random.default_rng(5).normal(110, 60, as_it_lay().shape), (0, 0), 2)
    return np.clip(rough, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("how", TURNED)
def test_a_turned_camera_finds_every_cap_where_it_lies(how):
    still = {call.player: call for call in judge().judge(as_it_lay()).caps}
    moved = {call.player: call for call in judge().judge(turned(as_it_lay(), *TURNED[how])).caps}
    assert still
    assert set(moved) == set(still)
    for player, call in moved.items():
        assert call.xy_mm == pytest.approx(still[player].xy_mm, abs=1.5)
        assert call.gap_mm == pytest.approx(still[player].gap_mm, abs=1.0)


@pytest.mark.parametrize("light", [1.0, 0.4])
def test_of_a_picture_of_another_place_nothing_is_told(light):
    told = judge().judge((light * of_another_place()).astype(np.uint8))
    assert not told.is_registered
    assert (told.caps, told.unknown) == ((), ())
    (everywhere,) = told.not_seen_mm
    assert np.ptp(everywhere, axis=0) == pytest.approx(calibration().board.size_mm)


def test_a_mirrored_picture_shows_no_board_and_no_cap():
    told = judge().judge(np.ascontiguousarray(as_it_lay()[:, ::-1]))
    assert not told.is_registered
    assert told.caps == ()


def test_a_picture_moved_within_the_camera_is_told_rightly_or_not_at_all():
    true = {call.player: call.gap_mm for call in judge().judge(as_it_lay()).caps}
    for shift_px in ((9.0, 6.0), (30.0, -20.0), (80.0, 50.0)):
        for call in judge().judge(turned(as_it_lay(), 0.0, *shift_px)).caps:
            assert not call.is_certain or call.gap_mm * true[call.player] > 0


def test_the_command_draws_evidence_where_the_camera_stands_and_warns_of_another_place(tmp_path):
    write_calibration(calibration(), tmp_path / "calibration.json")
    (tmp_path / "frames").mkdir()
    for number, picture in enumerate((turned(as_it_lay(), 3.0), of_another_place())):
        cv2.imwrite(str(tmp_path / "frames" / f"{number}.png"), picture)
    words = ["judge", str(tmp_path / "frames"), "--calibration", str(tmp_path / "calibration.json")]
    words += ["--caps", str(STREET / "caps.json"), "--evidence", str(tmp_path / "evidence")]
    outcome = CliRunner().invoke(linesies, words)
    first, second = (json.loads(line) for line in outcome.stdout.splitlines())
    assert first["caps"]
    assert "not_seen" not in first
    assert second["caps"] == []
    assert second["not_seen"]
    assert "is not to be seen in frame 1;" in outcome.stderr
    of_first = sorted(path.name for path in (tmp_path / "evidence").glob("000000-*"))
    assert len(of_first) == len(first["caps"])


def filmed(picture, *, seconds=2.0, fps=30):
    return (Frame.from_bgr(picture, number=i, t_s=i / fps) for i in range(int(seconds * fps)))


def test_a_film_of_a_camera_that_stands_where_it_stood_keeps_its_calibration():
    assert where_it_stands(filmed(as_it_lay()), calibration()) is calibration()


def test_a_film_of_a_camera_that_was_turned_is_seen_from_there():
    stands = where_it_stands(filmed(turned(as_it_lay(), 4.0)), calibration())
    places_mm = np.array([[300.0, 300.0], [1500.0, 400.0], [900.0, 1500.0]])
    move = cv2.getRotationMatrix2D(tuple(calibration().view.lens.camera_matrix[:2, 2].tolist()), 4.0, 1.0)
    true_px = cv2.transform(calibration().view.mm_to_px(places_mm)[None], move)[0]
    assert stands.view.mm_to_px(places_mm) == pytest.approx(true_px, abs=0.5)


@pytest.mark.parametrize("picture", [of_another_place, lambda: np.zeros_like(as_it_lay())])
def test_a_film_of_another_place_keeps_the_calibration_and_is_refused_later(picture):
    assert where_it_stands(filmed(picture()), calibration()) is calibration()


def test_a_pole_that_sways_is_not_followed():
    sway = (turned(as_it_lay(), 0.0, 4 * np.sin(i / 3), 2 * np.cos(i / 4)) for i in range(45))
    frames = (Frame.from_bgr(picture, number=i, t_s=i / 30) for i, picture in enumerate(sway))
    assert where_it_stands(frames, calibration()) is calibration()
