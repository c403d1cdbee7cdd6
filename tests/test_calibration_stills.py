"""The survey against the outlines of ray-traced boards, known exactly."""

import json

import cv2
import numpy as np
import pytest

from linesies.calibration import Lens, View, calibrate, read_board, read_lens
from tests.public_data import SKULLY, need_public_data
from tests.thorough import cases

STILLS = SKULLY / "stills"

pytestmark = pytest.mark.shared

EDGES = cases([("p01", 0.15)], more=[("p02", 0.2), ("p03", 0.1), ("p04", 0.28)])


@pytest.fixture(scope="module", autouse=True)
def _data():
    need_public_data()


def true_view(camera):
    lens = Lens(
        size_px=tuple(camera["size"]),
        camera_matrix=np.array(camera["camera_matrix"]),
        distortion=np.array(camera["distortion"]),
    )
    return View(lens=lens, rotation=np.array(camera["R"]), translation_mm=np.ravel(camera["t"]))


def off_the_truth(found, truth):
    """How far each surveyed edge lies outside its true outline: in pixels, and in its own standard errors."""
    view = true_view(truth["camera"])
    outlines = [np.array(line["outline"]) for line in truth["painted"]["lines"]]
    off_px, off_sigma = [], []
    for line in found.survey.lines:
        inner = slice(len(line.left_mm) // 12, -(len(line.left_mm) // 12))
        seen_mm = view.px_to_mm(found.view.mm_to_px(np.vstack([line.left_mm[inner], line.right_mm[inner]])))
        middle = seen_mm.mean(axis=0)
        outline = min(outlines, key=lambda o: float(np.hypot(*(o.mean(axis=0) - middle))))
        # OpenCV is positive inside
        off_mm = np.array([-cv2.pointPolygonTest(outline.astype(np.float32), p, True) for p in seen_mm.tolist()])
        off_px.append(off_mm * [view.px_per_mm(p) for p in seen_mm])
        off_sigma.append(off_mm / np.tile(line.sigma_mm[inner], 2))
    return np.concatenate(off_px), np.concatenate(off_sigma)


@pytest.mark.takes_turns(seconds=20)
@pytest.mark.parametrize(("name", "median_px"), EDGES)
def test_painted_edges_are_surveyed_to_a_fraction_of_a_pixel(name, median_px):
    folder = STILLS / name
    truth = json.loads((folder / "truth.json").read_text())
    taps = np.array([[float(v) for v in tap.split(",")] for tap in (folder / "corners.txt").read_text().split()])
    found = calibrate(
        cv2.imread(str(folder / "empty.jpg")),
        read_board(folder / "board.json"),
        lens=read_lens(folder / "lens.json"),
        corners_px=taps,
    )
    off_px, off_sigma = off_the_truth(found, truth)
    assert np.median(np.abs(off_px)) < median_px
    assert abs(off_px.mean()) < 0.15
    assert np.mean(np.abs(off_sigma) < 1.96) > 0.85


@pytest.mark.takes_turns(seconds=40)
@pytest.mark.parametrize("name", cases(["p04"], more=["p02"]))
def test_boards_are_found_by_themselves_the_right_way_round(name):
    folder = STILLS / name
    truth = json.loads((folder / "truth.json").read_text())
    board = read_board(folder / "board.json")
    found = calibrate(cv2.imread(str(folder / "empty.jpg")), board)
    assert found, found.reason
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * board.size_mm
    assert np.abs(found.view.mm_to_px(corners) - true_view(truth["camera"]).mm_to_px(corners)).max() < 15
