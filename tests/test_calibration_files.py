"""Board, lens and calibration files: what is written is read again, and every fault is named."""

import json

import numpy as np
import pytest

from linesies.calibration import BadInput, read_board, read_calibration, read_lens, write_calibration
from linesies.calibration.errors import CalibrationError
from tests.calibrations import plain_calibration

SQUARE = [[0, 0], [10, 0], [10, 10], [0, 10]]
BOARD = {"name": "b", "size": [100, 100], "line_width": 4, "regions": [{"name": "1", "polygon": SQUARE}]}
LENS = {"size": [64, 48], "camera_matrix": [[50, 0, 32], [0, 50, 24], [0, 0, 1]], "distortion": [0, 0, 0, 0, 0]}


def written(tmp_path, content):
    path = tmp_path / "file.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_every_error_of_the_folder_is_a_calibration_error_and_a_builtin_kind():
    assert issubclass(BadInput, CalibrationError)
    assert issubclass(BadInput, ValueError)


def test_a_good_board_is_read(tmp_path):
    board = read_board(written(tmp_path, BOARD | {"start_line": [[0, -5], [10, -5]]}))
    assert board.region("1").polygon_mm.tolist() == SQUARE
    assert board.region("2") is None


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"size": [0, 100]}, "`size`"),
        ({"line_width": -1}, "`line_width`"),
        ({"regions": []}, "`regions` is empty"),
        ({"regions": BOARD["regions"] * 2}, "'1' stands twice"),
        ({"regions": [{"name": "1", "polygon": SQUARE[:2]}]}, "at least three points"),
        ({"regions": [{"name": "1", "polygon": [[0, 0], [10, 10], [10, 0], [0, 10]]}]}, "crosses itself"),
        ({"regions": [{"name": "1", "polygon": [*SQUARE, SQUARE[0]]}]}, "repeats the corner"),
        ({"regions": [{"name": "1", "polygon": [[0, 0], [30480, 0], [0, 10]]}]}, r"\(30480, 0\), far off a board"),
        ({"size": [1e9, 1e9]}, "`size`"),
        ({"regions": [{"name": "1", "polygon": [[i, i * i] for i in range(3000)]}]}, "3000 corners"),
        ({"start_line": [[0, 0]]}, "`start_line`"),
        ({"size": "big"}, "size"),
    ],
)
def test_a_boards_faults_are_named(tmp_path, change, complaint):
    with pytest.raises(BadInput, match=complaint):
        read_board(written(tmp_path, BOARD | change))


def test_all_faults_of_a_board_are_told_at_once(tmp_path):
    with pytest.raises(BadInput, match=r"`size`.*`line_width`"):
        read_board(written(tmp_path, BOARD | {"size": [-1, 1], "line_width": 0}))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"size": [0, 48]}, "`size`"),
        ({"camera_matrix": [[1, 2], [3, 4]]}, "three rows"),
        ({"camera_matrix": [[-50, 0, 32], [0, 50, 24], [0, 0, 1]]}, "focal lengths above 0"),
        ({"camera_matrix": [[1e30, 0, 32], [0, 1e30, 24], [0, 0, 1]]}, "no camera has such a focal length"),
        ({"distortion": [1e30, 0, 0, 0, 0]}, "no lens bends"),
        ({"distortion": [0, 0]}, "`distortion`"),
    ],
)
def test_a_lenses_faults_are_named(tmp_path, change, complaint):
    with pytest.raises(BadInput, match=complaint):
        read_lens(written(tmp_path, LENS | change))


@pytest.mark.parametrize("content", ["", "{", "[1]", '{"name": NaN}', "\x00\xff"])
@pytest.mark.parametrize("read", [read_board, read_lens, read_calibration])
def test_what_is_no_such_file_is_refused_by_name(tmp_path, content, read):
    with pytest.raises(BadInput, match=r"file\.json"):
        read(written(tmp_path, content))


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(BadInput, match="cannot be read"):
        read_board(tmp_path / "none.json")


def test_a_calibration_is_read_as_it_was_written(tmp_path):
    calibration = plain_calibration()
    path = tmp_path / "calibration.json"
    write_calibration(calibration, path)
    again = read_calibration(path)
    for a, b in zip(again.survey.lines, calibration.survey.lines, strict=True):
        assert np.allclose(a.outline_mm, b.outline_mm)
        assert np.allclose(a.sigma_mm, b.sigma_mm)
        assert a.is_skull == b.is_skull
    assert np.allclose(again.view.rotation, calibration.view.rotation)
    assert np.allclose(again.view.translation_mm, calibration.view.translation_mm)
    assert [r.name for r in again.regions] == [r.name for r in calibration.regions]
    assert again.empty_bgr.shape == calibration.empty_bgr.shape


def test_a_calibrations_contract_keys_stand_at_its_top(tmp_path):
    write_calibration(plain_calibration(), tmp_path / "c.json")
    file = json.loads((tmp_path / "c.json").read_text())
    assert file["reprojection_px"] == pytest.approx(0.1)
    assert {"name", "polygon"} == set(file["regions"][0])


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_truncated_calibration_is_refused(tmp_path, share):
    path = tmp_path / "c.json"
    write_calibration(plain_calibration(), path)
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    with pytest.raises(BadInput, match=r"c\.json"):
        read_calibration(path)


def test_a_calibration_with_another_pictures_size_is_refused(tmp_path):
    path = tmp_path / "c.json"
    write_calibration(plain_calibration(), path)
    file = json.loads(path.read_text())
    file["lens"]["size"] = [640, 480]
    path.write_text(json.dumps(file))
    with pytest.raises(BadInput, match="empty_jpeg"):
        read_calibration(path)


def test_a_calibration_that_cannot_be_written_says_where(tmp_path):
    with pytest.raises(BadInput, match="cannot be written"):
        write_calibration(plain_calibration(), tmp_path / "nowhere" / "c.json")
