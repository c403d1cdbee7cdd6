"""Two cards laid at once change more of the table than one card can cover, though their edges be of one colour."""

import cv2
import numpy as np
import pytest

from linesies.vision.cards.spots import PX_PER_MM
from linesies.vision.cards.table.spread import PlaceAround, Spread, Spreads, spread_of

CARD = np.array([(-31.5, -44.0), (31.5, -44.0), (31.5, 44.0), (-31.5, 44.0)])
MAT, CREAM = (60, 110, 80), (205, 225, 230)
MIDDLE = np.array((150.0, 150.0))
NOTHING = np.zeros((450, 450), np.uint8)
EVERYWHERE = NOTHING + 255


def at(xy_mm, turn_deg=0.0):
    turn = np.radians(turn_deg)
    return CARD @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + xy_mm


def filled(picture, quad_mm, colour):
    return cv2.fillConvexPoly(picture, np.rint(quad_mm * PX_PER_MM * 16).astype(np.int32), colour, cv2.LINE_AA, 4)


def table(*quads_mm, shade_mm=(0.0, 0.0), blur_px=1.0, mat=MAT):
    """Draw cards on a place 300 mm wide, each with its shade."""
    picture = np.full((450, 450, 3), mat, np.uint8)
    for quad_mm in quads_mm:
        if any(shade_mm):
            under = filled(np.zeros(picture.shape[:2], np.uint8), quad_mm + shade_mm, 255)[..., None]
            picture = np.where(under > 0, picture * 0.85, picture).astype(np.uint8)
        filled(picture, quad_mm, CREAM)
    return cv2.GaussianBlur(picture, (0, 0), blur_px)


def about(outline_mm, *, seen=EVERYWHERE, lying=NOTHING):
    """Say what is known of the place, where a card of such an outline was laid."""
    return PlaceAround(seen=seen, lying=lying | filled(NOTHING.copy(), outline_mm, 255))


def spread(*quads_mm, outline_mm, lying=(), known=None, **drawn):
    """Measure what so many cards change that are laid at once, seen as one."""
    known = known or about(outline_mm)
    return spread_of(table(*lying, **drawn), table(*lying, *quads_mm, **drawn), outline_mm * PX_PER_MM, known)


def having_seen_cards_alone(**drawn):
    """Remember what cards laid here and there changed."""
    spreads = Spreads()
    for turn_deg in range(0, 120, 10):
        spreads.learn(spread(at(MIDDLE, turn_deg), outline_mm=at(MIDDLE, turn_deg), **drawn))
    return spreads


@pytest.mark.parametrize("turn_deg", [0.0, 17.0, 95.0])
@pytest.mark.parametrize("off_mm", [(0.0, 0.0), (3.0, -2.0)])
def test_one_card_spreads_by_its_blur_wherever_it_lies_and_however_it_was_outlined(turn_deg, off_mm):
    quad_mm = at((140.0, 160.0), turn_deg)
    measured = spread(quad_mm, outline_mm=quad_mm + off_mm)
    assert 0.3 < measured.strong_mm <= measured.all_mm < 2.3


@pytest.mark.parametrize("drawn", [{}, {"blur_px": 2.0}, {"shade_mm": (2.0, 1.5)}], ids=["sharp", "coarse", "shaded"])
@pytest.mark.parametrize(
    ("off_mm", "turned_deg", "is_two"),
    [
        ((0.0, 0.0), 0.0, False),
        ((0.0, 3.0), 0.0, True),
        ((0.0, 0.0), 5.0, True),
        ((2.0, 2.0), 2.0, True),
        ((9.0, 1.0), 3.0, True),
    ],
)
def test_two_cards_are_told_from_one_by_what_one_cannot_cover(off_mm, turned_deg, is_two, drawn):
    quad_mm, beneath_mm = at(MIDDLE, 8.0), at(MIDDLE + np.array(off_mm), 8.0 + turned_deg)
    measured = spread(beneath_mm, quad_mm, outline_mm=quad_mm, **drawn)
    assert having_seen_cards_alone(**drawn).is_of_two(measured) is is_two


def test_paper_as_grey_as_the_mat_spreads_too_though_its_change_is_faint():
    mat = tuple(level - 20 for level in CREAM)
    quad_mm = at(MIDDLE)
    measured = spread(at(MIDDLE + np.array((5.0, 0.0))), quad_mm, outline_mm=quad_mm, mat=mat)
    assert measured.strong_mm < 0
    assert having_seen_cards_alone(mat=mat).is_of_two(measured)


@pytest.mark.parametrize("is_two", [False, True])
def test_on_another_card_what_sticks_out_beside_both_counts(is_two):
    quad_mm, lying_mm = at(MIDDLE, 3.0), at(MIDDLE + np.array((2.0, -3.0)), -4.0)
    beneath = [at(MIDDLE - np.array((5.0, 1.0)), 4.0)] if is_two else []
    measured = spread(*beneath, quad_mm, outline_mm=quad_mm, lying=[lying_mm])
    assert having_seen_cards_alone().is_of_two(measured) is is_two


def test_what_changed_elsewhere_does_not_count():
    quad_mm, other_mm = at((100.0, 160.0)), at((175.0, 160.0))
    assert spread(quad_mm, other_mm, outline_mm=quad_mm) == spread(quad_mm, outline_mm=quad_mm)


def test_what_is_joined_to_it_by_a_card_that_lies_there_counts():
    quad_mm, lying_mm, other_mm = at((100.0, 160.0)), at((135.0, 160.0)), at((112.0, 160.0))
    lying = filled(NOTHING.copy(), lying_mm, 255)
    known = about(quad_mm, seen=EVERYWHERE & ~lying, lying=lying)
    measured = spread(other_mm, quad_mm, outline_mm=quad_mm, lying=[lying_mm], known=known)
    assert measured.strong_mm <= spread(quad_mm, outline_mm=quad_mm).strong_mm  # hidden by the card that lies there
    low_mm = at((100.0, 172.0))
    known = about(quad_mm, lying=lying)
    assert spread(low_mm, quad_mm, outline_mm=quad_mm, lying=[lying_mm], known=known).strong_mm > 5.0


def test_where_nothing_changed_nothing_spreads():
    assert spread(outline_mm=at(MIDDLE)).all_mm < -30.0


@pytest.mark.parametrize("lying", [[], [at(MIDDLE + np.array((4.0, 3.0)), 5.0)]], ids=["on the table", "on another"])
def test_a_die_on_the_outline_of_a_card_is_no_card(lying):
    die_mm, quad_mm = at(MIDDLE) * 0.25 + 0.75 * MIDDLE, at(MIDDLE)
    dark = filled(table(*lying), die_mm, (40, 40, 160))
    assert not spread_of(table(*lying), dark, quad_mm * PX_PER_MM, about(quad_mm)).is_of_a_card
    assert spread(quad_mm, outline_mm=quad_mm, lying=lying).is_of_a_card


@pytest.mark.parametrize("alone", [Spread(all_mm=1.3, strong_mm=0.7), Spread(all_mm=3.0, strong_mm=2.3)])
def test_from_the_first_card_on_one_is_one_in_a_fine_picture_and_in_a_coarse_one_and_what_spreads_far_is_two(alone):
    spreads = Spreads()
    for _ in range(5):
        assert not spreads.is_of_two(alone)
        assert spreads.is_of_two(Spread(all_mm=alone.all_mm + 2.0, strong_mm=alone.strong_mm + 2.0))
        spreads.learn(alone)


def test_pairs_among_the_last_cards_do_not_set_what_is_usual():
    usual, pair = Spread(all_mm=1.3, strong_mm=0.7), Spread(all_mm=3.0, strong_mm=2.4)
    spreads = Spreads()
    for number in range(12):
        spreads.learn(pair if number in (4, 7, 8, 10, 11) else usual)
    assert spreads.is_of_two(pair)
    assert not spreads.is_of_two(usual)


def test_where_two_are_laid_at_once_again_and_again_from_the_first_on_they_are_told_from_one_still():
    usual, pair = Spread(all_mm=2.7, strong_mm=2.1), Spread(all_mm=7.8, strong_mm=7.1)
    spreads = Spreads()
    for number in range(6):
        assert spreads.is_of_two(pair)
        assert not spreads.is_of_two(usual)
        spreads.learn(usual if number % 3 == 2 else pair)
