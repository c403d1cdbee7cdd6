"""Lens, view and drawing: geometry that needs no picture."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linesies.calibration import Board, Lens, Region, View
from linesies.calibration.distortion import bend
from linesies.calibration.drawing import draw
from linesies.calibration.light import linear, stored, to_linear
from tests.painted_boards import skully_board, slanted_view

share = st.floats(-0.6, 0.6)


@given(k1=st.floats(-0.2, 0.2), k2=st.floats(-0.05, 0.05), p=st.floats(-0.003, 0.003), x=share, y=st.floats(-0.4, 0.4))
def test_undistorting_inverts_what_the_lens_does_to_a_millionth_of_a_pixel(k1, k2, p, x, y):
    lens = Lens(
        size_px=(1920, 1080),
        camera_matrix=np.array([[1450.0, 0, 955], [0, 1440.0, 528], [0, 0, 1]]),
        distortion=np.array([k1, k2, p, -p, 0.01]),
    )
    ideal = np.array([[x, y]])
    seen, _ = cv2.projectPoints(np.array([[x, y, 1.0]]), np.zeros(3), np.zeros(3), lens.camera_matrix, lens.distortion)
    assert np.abs(lens.undistort(seen.reshape(-1, 2)) - ideal).max() * 1450 < 1e-6


@pytest.mark.parametrize("count", [4, 5, 8])
def test_our_bend_is_opencvs(count):
    distortion = np.array([-0.12, 0.03, 0.001, -0.0007, 0.02, 0.01, -0.02, 0.003])[:count]
    ideal = np.random.default_rng(0).uniform(-0.7, 0.7, (50, 2))
    seen, _ = cv2.projectPoints(np.column_stack([ideal, np.ones(50)]), np.zeros(3), np.zeros(3), np.eye(3), distortion)
    assert np.abs(bend(ideal, distortion) - seen.reshape(-1, 2)).max() < 1e-12


def test_undistorting_nothing_gives_nothing():
    assert slanted_view().lens.undistort(np.empty((0, 2))).shape == (0, 2)


@settings(max_examples=60)
@given(
    tilt=st.floats(0, 40),
    turn=st.floats(0, 360),
    x=st.floats(0, 600),
    y=st.floats(0, 600),
    height=st.floats(0, 40),
)
def test_millimetres_to_pixels_and_back_is_the_same_place_at_any_height(tilt, turn, x, y, height):
    view = slanted_view(tilt_deg=tilt, turn_deg=turn)
    place = np.array([[x, y]])
    back = view.px_to_mm(view.mm_to_px(place, height), height)
    assert np.abs(back - place).max() < 1e-6


def test_what_stands_higher_is_seen_farther_from_the_cameras_foot():
    view = slanted_view(tilt_deg=25)
    place = np.array([[550.0, 50.0]])
    foot = view.camera_mm[:2]
    on_ground = view.px_to_mm(view.mm_to_px(place, 6.0))
    assert np.hypot(*(on_ground[0] - foot)) > np.hypot(*(place[0] - foot)) + 0.5


def test_a_view_knows_its_height_tilt_scale_and_what_it_sees():
    matrix = np.array([[500.0, 0, 320], [0, 500.0, 240], [0, 0, 1]])
    lens = Lens(size_px=(640, 480), camera_matrix=matrix, distortion=np.zeros(5))
    straight = View(
        lens=lens,
        rotation=np.eye(3),
        translation_mm=np.array([0.0, 0, 1000]),
    )
    assert straight.camera_height_mm == pytest.approx(1000)
    assert straight.tilt_deg == pytest.approx(0)
    assert straight.px_per_mm(np.array([0.0, 0.0])) == pytest.approx(0.5)
    assert straight.is_in_picture(np.array([0.0, 0.0]))
    assert not straight.is_in_picture(np.array([700.0, 0.0]))


def test_a_skully_boards_drawing_has_each_line_once_the_border_between_boxes_too():
    drawing = draw(skully_board())
    assert len(drawing.lines) == 64
    assert sum(line.line_class == "skull" for line in drawing.lines) == 12
    assert len({frozenset((line.start, line.end)) for line in drawing.lines}) == 64
    assert len(drawing.nodes_mm) == 48
    border = [line for line in drawing.lines if (drawing.nodes_mm[[line.start, line.end]] == 0).all(axis=0).any()]
    assert sum(abs(np.diff(drawing.nodes_mm[[line.start, line.end]], axis=0)).sum() for line in border) == 1200


def test_every_regions_ring_walks_along_lines():
    drawing = draw(skully_board())
    pairs = {frozenset((line.start, line.end)) for line in drawing.lines}
    for ring in drawing.rings.values():
        assert all(frozenset(pair) in pairs for pair in zip(ring, (*ring[1:], ring[0]), strict=True))


def test_a_card_tables_zones_have_no_painted_border():
    zone = Region(name="trick", polygon_mm=np.array([[100.0, 100], [300, 100], [300, 200], [100, 200]]))
    table = Board(name="table", size_mm=(400.0, 300.0), line_width_mm=4.0, regions=(zone,))
    assert len(draw(table).lines) == 4


@given(light=st.floats(0, 1))
def test_what_is_stored_is_read_as_the_light_it_was(light):
    assert linear(stored(np.array([light]))) == pytest.approx([light], abs=1e-6)


def test_linear_light_undoes_the_tone_curve():
    values = np.array([[0, 55, 188, 255]], np.uint8)
    assert to_linear(values) == pytest.approx(np.array([[0.0, 0.0382, 0.5029, 1.0]]), abs=2e-4)
