"""`linesies calibrate` to its contract, on a picture of a chalked board that was ray-traced (CC0)."""

import json
import sys
from pathlib import Path

import cv2
import pytest

from linesies.calibration import read_calibration
from linesies.device.cli import main
from tests.painted_boards import bare_ground

DATA = Path(__file__).parent / "data" / "calibration"
TAPS = (DATA / "corners.txt").read_text().split()
CAMERA = json.loads((DATA / "camera.json").read_text())


@pytest.fixture
def linesies(monkeypatch, capfd):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["linesies", *map(str, arguments)])
        with pytest.raises(SystemExit) as done:
            main()
        out, err = capfd.readouterr()
        return done.value.code, out, err

    return run


@pytest.mark.takes_turns(seconds=16)
def test_from_taps_it_tells_where_the_camera_hangs(linesies, tmp_path):
    code, out, _ = linesies(
        "calibrate", DATA / "chalk.jpg", "--board", DATA / "board.json", "--lens", DATA / "lens.json",
        "--corners", *TAPS, "-o", tmp_path / "c.json",
    )  # fmt: skip
    assert not code
    told = json.loads(out)
    assert told["ok"] is True
    assert told["camera"]["height"] == pytest.approx(CAMERA["height"], rel=0.01)
    assert told["camera"]["tilt"] == pytest.approx(CAMERA["tilt"], abs=0.5)
    assert 0.3 < told["px_per_mm"] < 0.5
    assert 0 < told["reprojection_px"] < 2
    assert len(read_calibration(tmp_path / "c.json").survey.lines) == 64


@pytest.mark.takes_turns(seconds=33)
def test_with_nothing_but_the_picture_it_finds_board_and_lens(linesies, tmp_path):
    code, out, _ = linesies("calibrate", DATA / "chalk.jpg", "--board", DATA / "board.json", "-o", tmp_path / "c.json")
    assert not code
    assert json.loads(out)["camera"]["height"] == pytest.approx(CAMERA["height"], rel=0.05)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"source": "none.jpg"}, "none.jpg"),
        ({"--board": "none.json"}, "none.json"),
        ({"--lens": DATA / "board.json"}, "board.json"),
        ({"--corners": ["1,2", "3,4", "5,x", "7,8"]}, "5,x"),
        ({"--corners": ["1,2", "3,4", "5,nan", "7,8"]}, "finite"),
        ({"--corners": TAPS[::-1]}, "anticlockwise"),
        ({"-o": "/nowhere/at/all.json"}, "cannot be written"),
    ],
)
def test_bad_input_is_exit_2_with_one_line(linesies, tmp_path, changes, complaint):
    given = {
        "--board": DATA / "board.json", "--lens": DATA / "lens.json", "--corners": TAPS, "-o": tmp_path / "c.json",
    } | changes  # fmt: skip
    source = given.pop("source", DATA / "chalk.jpg")
    options = [part for key, value in given.items() for part in (key, *(value if isinstance(value, list) else [value]))]
    code, out, err = linesies("calibrate", source, *options)
    assert code == 2
    assert not out
    assert err.count("\n") == 1
    assert complaint in err
    assert not (tmp_path / "c.json").exists()


@pytest.mark.takes_turns(seconds=21)
def test_a_picture_without_a_board_is_exit_2(linesies, tmp_path):
    cv2.imwrite(str(tmp_path / "bare.png"), bare_ground())
    code, _, err = linesies(
        "calibrate", tmp_path / "bare.png", "--board", DATA / "board.json", "-o", tmp_path / "c.json"
    )
    assert code == 2
    assert "--corners" in err
