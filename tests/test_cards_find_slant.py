"""Cards that a camera sees aslant, and cards of other sizes than 63 x 88 mm."""

from dataclasses import replace

import numpy as np
import pytest

from linesies.vision import CardFinder
from linesies.vision.cards.find.overhead import see_from_above, slant_deg, supposed_tables
from linesies.vision.cards.find.overlap import overlap
from linesies.vision.cards.find.plane import GuessedTable, Tilt, guess_table, size_of_cards
from linesies.vision.cards.find.plane_pose import quads_of
from tests.card_felt import SIZE_PX, corner_error_px, draw_table
from tests.thorough import cases

RNG = np.random.default_rng(5)
POSES = np.array(
    [(-200, -90, 0.3), (-190, 80, 1.2), (-20, -60, 2.4), (170, -100, 0.0), (40, 90, -0.4), (200, 70, 1.57)]
)


def table_aslant(degrees):
    return GuessedTable(
        middle_px=np.array([639.5, 359.5]),
        focal_px=1300.0,
        slope=np.array([0.05, np.tan(np.radians(degrees))]),
        depth_mm=900.0,
    )


@pytest.mark.parametrize("degrees", [10, 45, 60])
def test_a_tables_slant_is_told(degrees):
    assert slant_deg(table_aslant(degrees), SIZE_PX) == pytest.approx(degrees, abs=1.5)


def test_from_above_a_table_aslant_lies_straight():
    picture = np.zeros((SIZE_PX[1], SIZE_PX[0], 3), np.uint8)
    above = see_from_above(picture, table_aslant(55))
    quads = quads_of(table_aslant(55), POSES)
    laid = above.to_px(above.aslant.to_mm(quads.reshape(-1, 2))).reshape(-1, 4, 2)
    sides = np.linalg.norm(np.roll(laid, -1, 1) - laid, axis=2) / above.px_per_mm
    np.testing.assert_allclose(sides, np.tile([63.0, 88.0, 63.0, 88.0], (len(POSES), 1)), rtol=0.01)
    np.testing.assert_allclose(above.to_picture(laid.reshape(-1, 2)), quads.reshape(-1, 2), atol=0.05)


def test_a_picture_from_above_stays_small_however_flat_the_view():
    picture = np.zeros((1080, 1920, 3), np.uint8)
    for degrees in (48, 75, 85):
        seen = see_from_above(
            picture, replace(supposed_tables((1920, 1080))[0], slope=np.array([0, np.tan(np.radians(degrees))]))
        )
        assert seen.picture.shape[0] * seen.picture.shape[1] <= 3_000_000


@pytest.mark.parametrize("degrees", [45, 58])
def test_cards_on_a_table_aslant_are_found_and_their_corners_to_two_pixels(degrees):
    quads = quads_of(table_aslant(degrees), POSES)
    outlines = CardFinder().find(draw_table(quads, np.random.default_rng(4)))
    assert len(outlines) == len(quads)
    for quad in quads:
        best = max(outlines, key=lambda outline, quad=quad: overlap(outline.quad_px, quad))
        assert corner_error_px(best.quad_px, quad) < 2.0


@pytest.mark.parametrize("turn", cases([1], more=[2, 3]))
def test_cards_aslant_are_found_whichever_side_of_the_picture_is_far(turn):
    quads = quads_of(table_aslant(55), POSES)
    picture = np.ascontiguousarray(np.rot90(draw_table(quads, np.random.default_rng(4)), turn))
    for side in (SIZE_PX * 2)[:turn]:
        quads = np.stack([quads[..., 1], side - 1 - quads[..., 0]], -1)
    outlines = CardFinder().find(picture)
    assert all(any(overlap(outline.quad_px, quad) > 0.85 for outline in outlines) for quad in quads)


def test_on_a_table_known_to_be_aslant_a_few_heaps_do_not_tell_how_large_cards_are():
    table = table_aslant(45)
    quads = quads_of(table, POSES)
    heaps = quads_of(replace(table, card_mm=(2.2 * 63.0, 2.2 * 88.0)), POSES[:2])
    tilt = Tilt(slope=table.slope, spread=0.35)
    guessed = guess_table(np.vstack([heaps, quads[2:]]), np.ones(len(quads)), SIZE_PX, 0.06, tilt)
    assert guessed.depth_mm / guessed.focal_px == pytest.approx(900 / 1300, rel=0.1)


@pytest.mark.parametrize("card_mm", [(57.0, 88.0), (63.0, 100.0)])
def test_cards_of_other_sizes_are_outlined_to_a_pixel_and_a_half(card_mm):
    quads = quads_of(replace(table_aslant(12), card_mm=card_mm), POSES)
    outlines = CardFinder().find(draw_table(quads, np.random.default_rng(4)))
    assert len(outlines) == len(quads)
    for quad in quads:
        best = max(outlines, key=lambda outline, quad=quad: overlap(outline.quad_px, quad))
        assert corner_error_px(best.quad_px, quad) < 1.5


@pytest.mark.parametrize("card_mm", [(57.0, 88.0), (63.0, 88.0)])
def test_the_width_of_cards_is_guessed_with_their_table(card_mm):
    quads = quads_of(replace(table_aslant(12), card_mm=card_mm), POSES)
    guessed = guess_table(quads, np.ones(len(quads)), SIZE_PX)
    assert guessed.card_mm == pytest.approx(card_mm, rel=0.015)


def test_on_a_known_table_most_cards_tell_their_size():
    table = replace(table_aslant(12), card_mm=(57.0, 89.0))
    corners_mm = table.to_mm(quads_of(table, POSES).reshape(-1, 2))
    corners_mm[:4] *= 1.5  # a book
    assert size_of_cards(corners_mm, np.ones(len(POSES))) == pytest.approx((57.0, 89.0), rel=0.01)
    assert size_of_cards(corners_mm, np.zeros(len(POSES))) == (63.0, 88.0)
