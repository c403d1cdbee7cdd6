"""The lens from pictures of the printed sheet, and the board from printed markers."""

import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from linesies.calibration import (
    BadInput,
    Board,
    Lens,
    LensFit,
    NoBoard,
    Region,
    calibrate_by_markers,
    charuco_picture,
    corners_from_markers,
    find_sheet,
    fit_lens,
    locate,
    marker_cells,
    markers_mm,
    read_lens,
)
from linesies.calibration.standard_boards import nominal_board
from linesies.device.commands.lens import command
from tests.mjpeg_server import MjpegCamera
from tests.printed import photograph, view_of

LEANS = ((25, 0), (-25, 0), (0, 28), (0, -28), (18, 18), (-18, 20), (5, -5))
TRUE = Lens(
    size_px=(960, 540),
    camera_matrix=np.array([[800.0, 0, 485], [0, 800, 262], [0, 0, 1]]),
    distortion=np.array([-0.12, 0.05, 0.001, -0.0005, 0.0]),
)


@pytest.fixture(scope="module")
def pictures() -> list[np.ndarray]:
    sheet = np.kron(charuco_picture(), np.ones((16, 16), np.uint8))
    at = ((126, 90), (60, 60), (190, 120), (126, 40), (40, 90), (126, 90), (200, 40))
    views = [view_of(TRUE, at_mm=a, distance_mm=420, lean_deg=lean) for a, lean in zip(at, LEANS, strict=True)]
    return [photograph(sheet, view, px_per_mm=4) for view in views]


def test_the_sheets_corners_are_found_without_the_half_pixel_bias_of_some_opencv_versions(pictures):
    view = view_of(TRUE, at_mm=(126, 90), distance_mm=420, lean_deg=LEANS[0])
    sheet = find_sheet(pictures[0])
    off_px = sheet.seen_px - view.mm_to_px(sheet.on_sheet_mm)
    assert len(off_px) == 24
    assert np.abs(off_px.mean(axis=0)).max() < 0.06
    assert np.sqrt((off_px**2).mean()) < 0.12


def test_before_a_live_camera_each_sheet_is_counted_aloud_and_ten_are_enough(pictures, tmp_path):
    with MjpegCamera(pictures, fps=5) as camera:
        told = CliRunner().invoke(command, [camera.address, "-o", str(tmp_path / "lens.json")])
    assert told.exit_code == 0, told.output
    lines = told.stderr.splitlines()
    assert lines == [f"sheet {n} of 10; lean it another way" for n in range(1, 10)] + ["sheet 10 of 10"]


def test_a_lens_is_learned_so_that_it_bends_points_as_the_true_one(pictures):
    fit = fit_lens([find_sheet(picture) for picture in pictures], TRUE.size_px)
    assert isinstance(fit, LensFit)
    assert fit.reprojection_px < 0.15
    assert abs(fit.lens.camera_matrix[0, 0] - 800) < max(4 * fit.focal_sigma_px, 4)
    ideal = np.stack(np.meshgrid(np.linspace(-0.5, 0.5, 5), np.linspace(-0.3, 0.3, 4)), axis=-1).reshape(-1, 2)
    assert np.abs(fit.lens.distort(ideal) - TRUE.distort(ideal)).max() < 4


def test_one_picture_of_a_bent_sheet_is_left_out(pictures):
    sheets = [find_sheet(picture) for picture in pictures]
    bent = sheets[3].seen_px + np.column_stack(
        [np.zeros(len(sheets[3].seen_px)), 0.004 * sheets[3].on_sheet_mm[:, 0] ** 1.6]
    )
    sheets[3] = type(sheets[3])(on_sheet_mm=sheets[3].on_sheet_mm, seen_px=bent)
    assert 3 not in fit_lens(sheets, TRUE.size_px).used


def test_too_few_pictures_or_all_leaning_alike_are_refused_with_the_mend(pictures):
    sheet = find_sheet(pictures[0])
    assert "at least 5" in fit_lens([sheet, None], TRUE.size_px).reason
    assert "lean" in fit_lens([sheet] * 6, TRUE.size_px).reason
    with pytest.raises(BadInput):
        fit_lens([], TRUE.size_px)


def test_the_command_writes_a_lens_file_that_reads_back(pictures, tmp_path):
    for number, picture in enumerate(pictures):
        cv2.imwrite(str(tmp_path / f"{number}.png"), picture)
    done = CliRunner().invoke(command, [str(tmp_path), "-o", str(tmp_path / "lens.json")], catch_exceptions=False)
    assert json.loads(done.stdout)["used"] == 7
    assert read_lens(tmp_path / "lens.json").size_px == TRUE.size_px


def _print_with_markers(board, *, missing: tuple[int, ...] = ()) -> tuple[np.ndarray, float, float]:
    margin_mm, px_per_mm = 200.0, 1.0
    side = int((board.size_mm[0] + 2 * margin_mm) * px_per_mm)
    ground = np.full((side, side), 225, np.uint8)
    for number, corners in enumerate(markers_mm(board)):
        if number not in missing:
            x, y = np.round((corners[0] + margin_mm) * px_per_mm).astype(int)
            cells = np.where(marker_cells(number), 15, 235).astype(np.uint8)
            ground[y : y + 100, x : x + 100] = cv2.resize(cells, (100, 100), interpolation=cv2.INTER_NEAREST)
    return ground, margin_mm, px_per_mm


@pytest.mark.parametrize("has_lens", [True, False])
@pytest.mark.parametrize("missing", [(), (2,)])
def test_markers_tell_the_corners_of_the_board(has_lens, missing):
    board = nominal_board("table")
    ground, margin_mm, px_per_mm = _print_with_markers(board, missing=missing)
    view = view_of(TRUE, at_mm=(300, 300), distance_mm=1650, lean_deg=(20, 5))
    picture = photograph(ground, view, px_per_mm=px_per_mm, corner_mm=(-margin_mm, -margin_mm))
    corners = corners_from_markers(picture, board, TRUE if has_lens else None)
    true = view.mm_to_px(np.array([[0, 0], [600, 0], [600, 600], [0, 600]], float))
    assert np.abs(corners - true).max() < (1.5 if has_lens else 6)


def test_two_markers_are_too_few():
    board = nominal_board("table")
    ground, margin_mm, px_per_mm = _print_with_markers(board, missing=(0, 1))
    view = view_of(TRUE, at_mm=(300, 300), distance_mm=1650, lean_deg=(0, 0))
    picture = photograph(ground, view, px_per_mm=px_per_mm, corner_mm=(-margin_mm, -margin_mm))
    found = corners_from_markers(picture, board)
    assert isinstance(found, NoBoard)
    assert "seen: 2, 3" in found.reason


def _card_table() -> Board:
    zones = {"seat:ana": (60, 60), "seat:bo": (360, 60)}
    regions = tuple(
        Region(name=name, polygon_mm=np.array([[x, y], [x + 200, y], [x + 200, y + 300], [x, y + 300]], float))
        for name, (x, y) in zones.items()
    )
    return Board(name="table", size_mm=(620.0, 420.0), line_width_mm=4.0, regions=regions)


def test_a_bare_card_table_takes_its_zones_from_the_markers_alone():
    board = _card_table()
    ground, margin_mm, px_per_mm = _print_with_markers(board)
    view = view_of(TRUE, at_mm=(310, 210), distance_mm=1650, lean_deg=(15, 0))
    picture = photograph(ground, view, px_per_mm=px_per_mm, corner_mm=(-margin_mm, -margin_mm))
    found = calibrate_by_markers(picture, board, lens=TRUE)
    assert locate(found, np.array([160.0, 200.0]), 1.0).location == "seat:ana"
    assert locate(found, np.array([310.0, 200.0]), 1.0).location == "open"
    assert np.abs(found.view.mm_to_px(np.array([[160.0, 200]])) - view.mm_to_px(np.array([[160.0, 200]]))).max() < 1


def test_a_painted_board_needs_its_paint_beside_the_markers():
    board = nominal_board("table")
    ground, margin_mm, px_per_mm = _print_with_markers(board)
    view = view_of(TRUE, at_mm=(300, 300), distance_mm=1650, lean_deg=(0, 0))
    picture = photograph(ground, view, px_per_mm=px_per_mm, corner_mm=(-margin_mm, -margin_mm))
    assert not calibrate_by_markers(picture, board, lens=TRUE)
