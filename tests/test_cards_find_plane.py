"""The table's plane from the cards on it, and cards laid on it as stiff rectangles."""

import numpy as np
import pytest

from linesies.vision.cards.card import CARD_MM, Outline, rectify
from linesies.vision.cards.find.plane import GuessedTable, guess_table, misfits
from linesies.vision.cards.find.plane_pose import fit_poses, poses_of, quads_of

RNG = np.random.default_rng(5)
SIZE_PX = (1920, 1080)
TABLE = GuessedTable(
    middle_px=np.array([959.5, 539.5]), focal_px=2050.0, slope=np.array([0.1, 0.45]), depth_mm=1000.0, bend=0.04
)
POSES = np.column_stack([RNG.uniform(-350, 350, 9), RNG.uniform(-160, 160, 9), RNG.uniform(-3, 3, 9)])


def test_a_table_takes_points_to_the_picture_and_back():
    points = RNG.uniform(-300, 300, (20, 2))
    np.testing.assert_allclose(TABLE.to_mm(TABLE.to_px(points)), points, atol=0.02)


def test_a_cards_pose_is_read_from_its_quad():
    np.testing.assert_allclose(poses_of(TABLE, quads_of(TABLE, POSES)), POSES, atol=0.02)


def test_the_table_is_guessed_from_nine_cards_to_a_hundredth_of_their_size():
    quads = quads_of(TABLE, POSES) + RNG.normal(0, 0.5, (9, 4, 2))
    guessed = guess_table(quads, np.ones(9), SIZE_PX)
    laid = guessed.to_mm(quads.reshape(-1, 2)).reshape(-1, 4, 2)
    assert np.abs(misfits(laid)).max() < 0.015


def test_papers_among_the_cards_do_not_spoil_the_table_and_stand_out_by_their_size():
    quads = quads_of(TABLE, POSES)
    middle = quads[:2].mean(1, keepdims=True)
    quads[:2] = middle + 1.5 * (quads[:2] - middle)
    guessed = guess_table(quads, np.ones(9), SIZE_PX)
    off = np.abs(misfits(guessed.to_mm(quads.reshape(-1, 2)).reshape(-1, 4, 2))).max(1)
    assert off[:2].min() > 0.3
    assert off[2:].max() < 0.06


def test_one_card_gives_its_own_table():
    quad = quads_of(TABLE, POSES[:1])
    guessed = guess_table(quad, np.ones(1), SIZE_PX)
    assert np.abs(misfits(guessed.to_mm(quad[0])[None])).max() < 0.05


@pytest.mark.parametrize("hidden", [(), (0,), (1, 2)])
def test_sides_that_are_seen_tell_where_the_card_lies(hidden):
    quads = quads_of(TABLE, POSES)
    along = np.linspace(0.1, 0.9, 12)[:, None]
    points = quads[:, :, None] + along * (np.roll(quads, -1, 1) - quads)[:, :, None]
    weights = np.ones(points.shape[:3])
    weights[:, list(hidden)] = 0
    started = POSES + RNG.normal(0, [2.0, 2.0, 0.03], POSES.shape)
    np.testing.assert_allclose(fit_poses(TABLE, started, points, weights), POSES, atol=0.3)


def test_a_rectified_card_shows_its_picture_upright():
    picture = np.zeros((400, 500, 3), np.uint8)
    picture[100:276, 200:326] = 200
    picture[100:140, 200:326] = (0, 0, 255)
    corners = ((199.5, 99.5), (325.5, 99.5), (325.5, 275.5), (199.5, 275.5))
    flat = rectify(picture, Outline(corners_px=corners, score=1.0, visible=1.0), 4)
    assert flat.shape == (round(CARD_MM[1] * 4), round(CARD_MM[0] * 4), 3)
    assert flat[70, 120].tolist() == [0, 0, 255]
    assert flat[100, 120].tolist() == [200, 200, 200]


def test_the_middle_is_where_the_diagonals_cross():
    outline = Outline(corners_px=((0, 0), (10, 0), (8, 10), (2, 10)), score=1.0, visible=1.0)
    x, y = outline.centre_px
    assert x == pytest.approx(5)
    assert y == pytest.approx(6.25)
