"""Sheets to print, read back from their PDF as pictures."""

import cv2
import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner

from linesies.calibration import MARKER_MM, find_sheet, read_board
from linesies.device.commands.print import command
from linesies.device.sheets.paper import PAPERS

PX_PER_MM = 4.0


def run(tmp_path, *words):
    target = tmp_path / "sheet.pdf"
    done = CliRunner().invoke(command, [*words, "-o", str(target)], standalone_mode=False)
    if done.exception:
        raise done.exception
    return pypdfium2.PdfDocument(target)


def picture(document, page, px_per_mm=PX_PER_MM):
    return np.ascontiguousarray(document[page].render(scale=px_per_mm * 25.4 / 72).to_numpy()[..., :3])


@pytest.mark.parametrize("paper", list(PAPERS))
def test_each_marker_is_read_from_its_page_at_its_true_size(tmp_path, paper):
    document = run(tmp_path, "markers", "--paper", paper)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    for number in range(4):
        corners, numbers, _ = detector.detectMarkers(picture(document, number))
        assert np.ravel(numbers).tolist() == [number]
        side_px = np.linalg.norm(corners[0][0][0] - corners[0][0][1])
        assert side_px / PX_PER_MM == pytest.approx(MARKER_MM, abs=0.7)


@pytest.mark.parametrize("paper", list(PAPERS))
def test_the_lens_sheet_is_found_whole_and_true_to_scale(tmp_path, paper):
    sheet = find_sheet(picture(run(tmp_path, "lens", "--paper", paper), 0))
    assert len(sheet.on_sheet_mm) == 24
    along_px = np.linalg.norm(sheet.seen_px[-1] - sheet.seen_px[0])
    along_mm = np.linalg.norm(sheet.on_sheet_mm[-1] - sheet.on_sheet_mm[0])
    assert along_px / along_mm == pytest.approx(PX_PER_MM, rel=2e-3)


def test_the_plan_writes_every_boxs_name_and_where_it_lies(tmp_path):
    words = run(tmp_path, "board")[0].get_textpage().get_text_range()
    assert "12.7 mm wide" in words
    for box in ("1: 0,0", "13: 800.1,800.1", "skull4: 609.6,1219.2"):
        assert box in words
    assert len(read_board(tmp_path / "sheet.json").regions) == 17


def test_a_stencil_a_box_and_its_inside_is_held_by_bridges(tmp_path):
    document = run(tmp_path, "stencils")
    assert len(document) == 13
    eight = picture(document, 7, 1.0)[60:180, 60:240, 0] < 128
    islands, _ = cv2.connectedComponents((~eight).astype(np.uint8))
    assert islands == 2  # the ink, and one sheet that hangs together


def test_a_mat_is_a_page_of_its_own_size_with_its_drawing_beside_it(tmp_path):
    document = run(tmp_path, "mat", "--seats", "3", "--game", "skull_king")
    board = read_board(tmp_path / "sheet.json")
    assert [region.name for region in board.regions] == ["seat:player1", "seat:player2", "seat:player3", "trick"]
    assert np.array(document[0].get_size()) * 25.4 / 72 == pytest.approx(board.size_mm, abs=0.2)
    seen = picture(document, 0, 1.0)[..., 0] < 128
    x, y = board.regions[0].polygon_mm[0]
    assert seen[round(y), round(x) + 20]


def test_tiles_of_a_mat_join_to_the_whole(tmp_path):
    whole = picture(run(tmp_path, "mat"), 0, 1.0)[..., 0] < 128
    tiles = run(tmp_path, "mat", "--paper", "a4")
    width, height = (int(side) for side in PAPERS["a4"])
    second = picture(tiles, 1, 1.0)[12 : height - 12, 12 : width - 12, 0] < 128
    there = whole[: second.shape[0], 176 : 176 + second.shape[1]]
    assert (second & ~cv2.dilate(there.astype(np.uint8), np.ones((5, 5))).astype(bool)).mean() < 0.01
    assert there.sum() > 1000


def test_paper_that_a_sheet_has_not_is_refused(tmp_path):
    with pytest.raises(ValueError, match="--paper whole is for mats"):
        run(tmp_path, "markers", "--paper", "whole")
