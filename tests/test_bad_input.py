"""Wrong input of every kind gets exit status 2 and one line that names the file and the fault, never a traceback."""

import contextlib
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path
from unittest import mock

import cv2
import numpy as np
import pytest

from linesies.device.cli import main
from tests.builders import write_film

STREET = Path(__file__).parent / "data" / "scenes" / "street"
CORNERS = (STREET / "corners.txt").read_text().split()


def linesies(*args: object) -> subprocess.CompletedProcess:
    """Run the command line in this process, as `python -m linesies` would run it in its own."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    argv = ["linesies", *map(str, args)]
    with (
        mock.patch.object(sys, "argv", argv),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return subprocess.CompletedProcess(argv, ended.value.code or 0, *texts)


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("scene") / "calibration.json"
    done = linesies("calibrate", STREET / "empty.jpg", "--board", STREET / "board.json", "--lens", STREET / "lens.json",
                    "--corners", *CORNERS, "-o", path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return path


@pytest.fixture
def scene(tmp_path) -> Path:
    folder = tmp_path / "scene"
    shutil.copytree(STREET, folder)
    return folder


def change(path: Path, **keys: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | keys))


def calibrate(scene: Path, picture: str = "empty.jpg") -> subprocess.CompletedProcess:
    return linesies("calibrate", scene / picture, "--board", scene / "board.json", "--lens", scene / "lens.json",
                    "--corners", *CORNERS, "-o", scene / "calibration.json")  # fmt: skip


def judge(scene: Path, calibration: Path, picture: str = "frame_0.jpg") -> subprocess.CompletedProcess:
    return linesies("judge", scene / picture, "--calibration", calibration, "--caps", scene / "caps.json")


def assert_refused(done: subprocess.CompletedProcess, *words: str) -> None:
    assert done.returncode == 2, (done.returncode, done.stderr)
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    for word in words:
        assert word in lines[0], lines[0]


CROSSED = [[0, 0], [100, 100], [100, 0], [0, 100]]
FILE_FAULTS = {
    "missing": (lambda p: p.unlink(), ""),
    "empty": (lambda p: p.write_text(""), "is empty"),
    "cut short": (lambda p: p.write_text(p.read_text()[: len(p.read_text()) // 2]), "not JSON"),
    "no JSON": (lambda p: p.write_text("hello"), "not JSON"),
    "a list": (lambda p: p.write_text("[]"), "object"),
    "a NaN": (lambda p: p.write_text(p.read_text().replace("1", "NaN", 1)), ""),
}


@pytest.mark.parametrize("fault", FILE_FAULTS)
@pytest.mark.parametrize("name", ["board.json", "lens.json"])
def test_calibrate_names_the_file_that_is_wrong(name, fault, scene):
    spoil, words = FILE_FAULTS[fault]
    spoil(scene / name)
    assert_refused(calibrate(scene), name, words)
    assert not (scene / "calibration.json").exists()


@pytest.mark.parametrize("fault", FILE_FAULTS)
@pytest.mark.parametrize("name", ["caps.json", "calibration.json"])
def test_judge_names_the_file_that_is_wrong(name, fault, scene, calibrated):
    own = Path(shutil.copy(calibrated, scene / "calibration.json"))
    spoil, words = FILE_FAULTS[fault]
    spoil(scene / name)
    assert_refused(judge(scene, own), name, words)


@pytest.mark.parametrize(
    ("name", "keys", "word"),
    [
        ("board.json", {"size": "big"}, "size"),
        ("board.json", {"size": [0, 100]}, "size"),
        ("board.json", {"line_width": -1}, "line_width"),
        ("board.json", {"regions": []}, "regions"),
        ("board.json", {"regions": [{"name": "1", "polygon": CROSSED}]}, "crosses itself"),
        ("board.json", {"regions": [{"name": "1", "polygon": [[0, 0], [1, 1]]}]}, "polygon"),
        ("lens.json", {"camera_matrix": [[1, 0], [0, 1]]}, "camera_matrix"),
        ("lens.json", {"distortion": [0.1]}, "distortion"),
        ("lens.json", {"size": [640, 480]}, "640"),
    ],
)
def test_calibrate_names_the_key_that_is_wrong(name, keys, word, scene):
    change(scene / name, **keys)
    assert_refused(calibrate(scene), name, word)


@pytest.mark.parametrize(
    ("keys", "word"),
    [
        ({"diameter": -3}, "diameter"),
        ({"height": 0}, "height"),
        ({"colour": "red"}, "colour"),
        ({"kind": "coin"}, "kind"),
        ({"player": 7}, "player"),
    ],
)
def test_judge_names_the_key_that_is_wrong(keys, word, scene, calibrated):
    cap = {"player": "ana", "colour": "#c0392b", "diameter": 26.0, "height": 6.0} | keys
    (scene / "caps.json").write_text(json.dumps({"caps": [cap]}))
    assert_refused(judge(scene, calibrated), "caps.json", word)


def test_a_missing_key_is_named(scene, calibrated):
    (scene / "caps.json").write_text(json.dumps({"caps": [{"player": "ana"}]}))
    assert_refused(judge(scene, calibrated), "caps.json", "colour")
    board = json.loads((scene / "board.json").read_text())
    del board["line_width"]
    (scene / "board.json").write_text(json.dumps(board))
    assert_refused(calibrate(scene), "board.json", "line_width")


def test_a_picture_that_breaks_off_is_named(scene, calibrated):
    for name in ("empty.jpg", "frame_0.jpg"):
        data = (scene / name).read_bytes()
        (scene / name).write_bytes(data[: len(data) // 2])
    assert_refused(calibrate(scene), "empty.jpg", "breaks off")
    assert_refused(judge(scene, calibrated), "frame_0.jpg", "breaks off")


def test_a_picture_of_another_size_is_refused_with_both_sizes(scene, calibrated):
    cv2.imwrite(str(scene / "small.jpg"), np.zeros((480, 640, 3), np.uint8))
    assert_refused(judge(scene, calibrated, "small.jpg"), "small.jpg", "640x480", "1920x1080")


def test_a_picture_without_a_board_is_refused(scene):
    noise = np.random.default_rng(1).integers(60, 120, (1080, 1920, 3), np.uint8)
    cv2.imwrite(str(scene / "empty.jpg"), cv2.GaussianBlur(noise, (0, 0), 2))
    assert_refused(calibrate(scene), "empty.jpg")


@pytest.mark.parametrize(
    "corners", [["1,2"], ["1,2", "3,4", "5,6", "x,8"], ["1,1", "1,1", "1,1", "1,1"], ["nan,1", "2,2", "3,3", "4,5"]]
)
def test_corners_that_make_no_sense_are_refused(corners, scene):
    done = linesies("calibrate", scene / "empty.jpg", "--board", scene / "board.json", "--lens", scene / "lens.json",
                    "--corners", *corners, "-o", scene / "calibration.json")  # fmt: skip
    assert_refused(done)


def test_a_film_that_breaks_off_names_its_frame_and_keeps_what_was_told(scene, calibrated):
    film = write_film(scene / "film.avi", 8, size_px=(1920, 1080))
    film.write_bytes(film.read_bytes()[: film.stat().st_size * 2 // 3])
    done = linesies("judge", film, "--calibration", calibrated, "--caps", scene / "caps.json")
    assert_refused(done, "film.avi", "frame")
    assert len([json.loads(line) for line in done.stdout.splitlines()]) > 2
    assert_refused(
        linesies("watch", film, "--calibration", calibrated, "--caps", scene / "caps.json"), "film.avi", "frame"
    )


@pytest.mark.parametrize("command", ["calibrate", "judge", "watch"])
def test_a_command_without_its_files_says_which(command):
    assert_refused(linesies(command, "nowhere.jpg"), "--")


def test_watch_names_a_start_that_no_game_can_begin_with(scene, calibrated):
    (scene / "start.json").write_text('{"event": "start", "game": "skully", "players": []}')
    done = linesies("watch", scene / "frame_0.jpg", "--calibration", calibrated, "--caps", scene / "caps.json",
                    "--game", scene / "start.json")  # fmt: skip
    assert_refused(done, "start.json", "players")


def test_rule_refuses_a_missing_file_and_an_unusable_start(tmp_path):
    assert_refused(linesies("rule", tmp_path / "none.jsonl"), "none.jsonl")
    (tmp_path / "start.jsonl").write_text('{"event": "start", "game": "chess"}\n')
    assert_refused(linesies("rule", tmp_path / "start.jsonl"), "start.jsonl", "game")


def test_an_unknown_command_is_told():
    assert_refused(linesies("dance"), "dance")
