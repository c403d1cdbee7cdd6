"""Cards whose votes lie beside them are moved to where their edges are seen."""

import cv2
import numpy as np
import pytest

from linesies.vision.cards.card import CARD_MM
from linesies.vision.cards.find.edges import EdgeNet
from linesies.vision.cards.find.evidence import BARE, CardGrid
from linesies.vision.cards.find.plane import GuessedTable
from linesies.vision.cards.find.plane_pose import moved_poses, poses_of, quads_of
from linesies.vision.cards.find.sides import Voted, lay_cards
from tests.card_felt import corner_error_px

TABLE = GuessedTable(middle_px=np.array([319.5, 239.5]), focal_px=650.0, slope=np.zeros(2), depth_mm=400.0)
CELLS = np.stack(np.meshgrid(*2 * [np.linspace(-0.4, 0.4, 9)]), -1).reshape(-1, 2)  # shares of a width and a length, px
OTHER = 1  # the number of a card that may lie over it
POSE = np.array([(0.0, 0.0, 0.3)])


def laid(move, *, covered=0.0, seen_mm=CARD_MM, hand_mm=0.0):
    """Lay one card on a dark table, voted for as if it lay beside its place; tells how far off it comes to lie.

    As much of it as `covered` says, from its left side on, is taken to be another card's. A dark hand lies as far over
    its right side.
    """
    quad = quads_of(TABLE, POSE)
    picture = np.full((480, 640, 3), (60, 90, 40), np.uint8)
    cv2.fillConvexPoly(picture, np.rint(quad[0] * 16).astype(np.int32), (240, 240, 240), cv2.LINE_AA, 4)
    hand = quads_of(TABLE, moved_poses(POSE, np.array([(CARD_MM[0] - hand_mm, 0.0, 0.0)]))[:, 0])[0]
    cv2.fillConvexPoly(picture, np.rint(hand * 16).astype(np.int32), (60, 90, 40), cv2.LINE_AA, 4)
    voted = Voted(
        quads_px=quads_of(TABLE, moved_poses(POSE, np.array([move]))[:, 0]),
        trust=np.ones(1),
        owners=owners(quad[0], covered),
        cells_px=[quads_of(TABLE.with_cards(seen_mm), POSE)[0].mean(0) + CELLS * np.array(seen_mm)],
    )
    return corner_error_px(lay_cards(EdgeNet(), picture, voted, (TABLE, TABLE)).corners_px[0], quad[0])


def owners(quad, covered):
    """Draw that the left part of a card shows another one, and the table beside it too."""
    grid = np.full((240, 320), BARE, np.int32)
    middle_px, reach_px = quad.mean(0), quad[1] - quad[0]
    ys, xs = np.indices(grid.shape)
    along = ((2 * xs - middle_px[0]) * reach_px[0] + (2 * ys - middle_px[1]) * reach_px[1]) / (
        reach_px @ reach_px
    ) + 0.5
    grid[along < covered] = OTHER
    return CardGrid(grid=grid, step_px=2.0)


@pytest.mark.parametrize("move", [(10.0, 0.0, 0.2), (-8.0, 3.0, -0.25), (0.0, 0.0, np.radians(88))])
def test_a_clear_card_is_moved_to_its_edges(move):
    assert laid(move) < 1.5


def test_a_card_that_may_slide_under_a_hand_is_moved_to_its_one_edge_across():
    assert laid((6.5, 0.0, 0.0), hand_mm=8.0) < 1.5


def test_what_is_seen_far_beyond_those_edges_is_no_such_card():
    assert laid((10.0, 0.0, 0.25), seen_mm=(150.0, 210.0)) > 5


def test_a_half_covered_card_is_moved_to_its_edges_in_sight():
    assert laid((9.0, 0.0, 0.2), covered=0.5) < 1.5


def test_of_a_card_that_is_all_covered_no_edges_are_missed():
    assert laid((10.0, 0.0, 0.25), covered=2.0) > 5


def test_a_move_is_made_in_the_cards_own_frame():
    quarter = np.array([(5.0, 7.0, np.pi / 2)])
    moved = moved_poses(quarter, np.array([(3.0, 0.0, 0.0), (0.0, 3.0, 0.1)]))
    np.testing.assert_allclose(moved[0], [(5.0, 10.0, np.pi / 2), (2.0, 7.0, np.pi / 2 + 0.1)])
    np.testing.assert_allclose(poses_of(TABLE, quads_of(TABLE, moved[0])), moved[0], atol=1e-6)
