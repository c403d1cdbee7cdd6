"""Board, lens and calibration files: what is written is read again, and every fault is named."""

import json

import numpy as np
import pytest

from linesies.calibration import BadInput, is_on_line, read_board, read_calibration, read_lens, write_calibration
from linesies.calibration.drawing import draw
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
        ({"regions": [{"name": "1", "polygon": [[0, 0], [3048, 0], [0, 10]]}]}, r"\(3048, 0\), far off a board"),
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
        assert a.line_class == b.line_class
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
    file["lens"]["size"] = [320, 240]
    path.write_text(json.dumps(file))
    with pytest.raises(BadInput, match="empty_jpeg"):
        read_calibration(path)


def test_a_calibration_that_cannot_be_written_says_where(tmp_path):
    with pytest.raises(BadInput, match="cannot be written"):
        write_calibration(plain_calibration(), tmp_path / "nowhere" / "c.json")


def region(**keys):
    return BOARD | {"line_width": 1, "regions": [{"name": "1", **keys}]}


def test_a_circle_becomes_a_polygon_of_many_sides(tmp_path):
    outline = read_board(written(tmp_path, region(circle={"centre": [50, 40], "radius": 30}))).regions[0].polygon_mm
    assert len(outline) > 12
    assert np.allclose(np.hypot(*(outline - [50, 40]).T), 30)


def test_a_bulge_makes_an_arc_of_a_side(tmp_path):
    half = read_board(written(tmp_path, region(polygon=[[20, 50], [80, 50]], bulges=[1, 0]))).regions[0].polygon_mm
    assert np.allclose(np.hypot(*(half - [50, 50]).T), 30)
    assert half[:, 1].min() == pytest.approx(20, abs=0.3)  # above 0 the arc lies to the right of the way, y is down
    plain = read_board(written(tmp_path, region(polygon=SQUARE, bulges=[0, 0, 0, 0]))).regions[0].polygon_mm
    assert plain.tolist() == SQUARE


def test_a_polygon_may_have_any_number_of_sides(tmp_path):
    turns = np.arange(360) / 180 * np.pi
    polygon = np.column_stack([50 + 40 * np.cos(turns), 50 + 40 * np.sin(turns)]).tolist()
    assert len(read_board(written(tmp_path, region(polygon=polygon))).regions[0].polygon_mm) == 360


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"circle": {"centre": [0, 0], "radius": 0}}, "circle"),
        ({"circle": {"centre": [0, 0], "radius": 5}, "polygon": SQUARE}, "no `polygon` beside it"),
        ({"polygon": SQUARE, "bulges": [1]}, "one number for each point"),
        ({"polygon": SQUARE, "class": "two words"}, "one word"),
        ({"polygon": [[0, 0], [9, 9]], "bulges": [0, 0]}, "at least three points"),
        ({}, "at least three points"),
    ],
)
def test_a_curves_or_classs_fault_is_named(tmp_path, keys, complaint):
    with pytest.raises(BadInput, match=complaint):
        read_board(written(tmp_path, region(**keys)))


def test_lines_have_the_class_of_the_regions_they_bound_and_the_books_where_a_drawing_names_none(tmp_path):
    squares = [{"name": str(n), "polygon": [[x, 0], [x + 10, 0], [x + 10, 10], [x, 10]]} for n, x in ((1, 0), (13, 10))]
    assert [line.line_class for line in drawn(tmp_path, squares)].count("skull") == 4
    squares[0]["class"] = "river"
    classes = [line.line_class for line in drawn(tmp_path, squares)]
    assert (classes.count("river"), classes.count("")) == (4, 3)


def drawn(tmp_path, regions):
    return draw(read_board(written(tmp_path, BOARD | {"regions": regions}))).lines


def test_a_calibration_written_before_lines_had_classes_is_read(tmp_path):
    path = tmp_path / "calibration.json"
    write_calibration(plain_calibration(), path)
    file = json.loads(path.read_text())
    for line in file["lines"]:
        line["is_skull"] = line.pop("class", "") == "skull"
    path.write_text(json.dumps(file))
    classes = [line.line_class for line in plain_calibration().survey.lines]
    assert [line.line_class for line in read_calibration(path).survey.lines] == classes
    assert "skull" in classes


@pytest.mark.parametrize(("location", "is_on"), [("line", True), ("river_line", True), ("open", False), ("7", False)])
def test_what_lies_on_a_line_of_whatever_class_is_on_a_line(location, is_on):
    assert is_on_line(location) == is_on
