"""Covered cards of which a corner with its index is in sight."""

import numpy as np
import pytest

from linesies.vision import Outline, Reading
from linesies.vision.cards.find.index_corners import find_index_corners
from linesies.vision.cards.find.plane import GuessedTable
from linesies.vision.cards.find.plane_pose import quads_of
from linesies.vision.cards.judge import without_borrowed_names, without_doubles
from tests.card_felt import SIZE_PX, corner_error_px, draw_table

TABLE = GuessedTable(middle_px=(np.array(SIZE_PX) - 1) / 2, focal_px=1300.0, slope=np.array([0.0, 0.2]), depth_mm=800.0)
FAN = np.array([(-40.0, 0.0, 0.3), (-16.0, 4.0, 0.45), (8.0, 12.0, 0.6)])


def test_a_covered_card_is_supposed_by_its_corner_in_sight():
    quads = quads_of(TABLE, FAN)
    picture = draw_table(quads, np.random.default_rng(4))
    strip_mm = np.stack(np.meshgrid(np.arange(3, 21, 6.0), np.arange(3, 86, 6.0)), -1).reshape(-1, 2)
    c, s = np.cos(FAN[0, 2]), np.sin(FAN[0, 2])
    cells_mm = FAN[0, :2] + (strip_mm - (31.5, 44.0)) @ np.array([[c, s], [-s, c]])
    supposed = find_index_corners(picture, TABLE, TABLE.to_px(cells_mm), quads[1:])
    assert min(corner_error_px(quad, quads[0]) for quad in supposed) < 12.0  # 7 mm: its sides are measured next


def test_corners_of_known_cards_are_no_others():
    quads = quads_of(TABLE, FAN[:1])
    picture = draw_table(quads, np.random.default_rng(4))
    inside_mm = TABLE.to_mm(quads.reshape(-1, 2)).mean(0) + np.random.default_rng(1).uniform(-25, 25, (200, 2))
    for quad in find_index_corners(picture, TABLE, TABLE.to_px(inside_mm), quads):
        assert corner_error_px(quad, quads[0]) > 10.0


def test_cells_that_lie_far_apart_show_no_corner_of_one_card():
    quads = quads_of(TABLE, FAN)
    far_px = TABLE.to_px(np.array([(-600.0, 0.0), (600.0, 0.0)]))
    assert len(find_index_corners(draw_table(quads, np.random.default_rng(4)), TABLE, far_px, quads)) == 0


def told(score, name, confidence=0.97, shift=0.0):
    corners = ((10 + shift, 10), (73 + shift, 10), (73 + shift, 98), (10 + shift, 98))
    return Outline(corners_px=corners, score=score, visible=0.5), Reading(face="up", name=name, confidence=confidence)


@pytest.mark.parametrize(
    ("read", "kept"),
    [
        ([told(0.9, "7H"), told(0.2, "7H", shift=10)], [0]),
        ([told(0.9, "7H"), told(0.2, "8C", shift=10)], [0, 1]),
        ([told(0.9, "7H"), told(0.2, "7H", shift=200)], [0, 1]),
        ([told(0.5, None, 0.4), told(0.2, "8C", shift=10)], [1]),
        ([told(0.9, None, 0.4), told(0.2, "8C", shift=10)], [0, 1]),
        ([told(0.2, "8C", 0.92), told(0.2, "8C", 0.98, shift=10)], [1]),
    ],
    ids=["twice", "another name", "elsewhere", "misplaced", "surely there", "the surer of two"],
)
def test_a_doubtful_outline_is_told_only_if_it_is_another_card(read, kept):
    assert without_doubles(read) == [read[i] for i in kept]


@pytest.mark.parametrize(
    ("doubtful", "name"),
    [
        (told(0.5, "7H", 0.9, shift=10), None),
        (told(0.5, "8C", 0.9, shift=10), "8C"),
        (told(0.5, "7H", 0.9, shift=200), "7H"),
        (told(0.9, "7H", 0.9, shift=10), "7H"),
    ],
    ids=["read off that card", "another name", "elsewhere", "surely another card"],
)
def test_a_doubtful_outline_gets_no_name_from_the_sure_card_over_it(doubtful, name):
    assert without_borrowed_names([told(0.95, "7H"), doubtful])[1][1].name == name
