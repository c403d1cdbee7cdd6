"""Two cards laid at once change more of the table than one does, though their edges be of one colour."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from linesies.vision.cards.spots import PX_PER_MM
from linesies.vision.cards.table.ends import ends_mm
from linesies.vision.cards.table.outlines import OUTLINES, Extent, Outlines, whole_mm

CARD_MM = np.array((63.0, 88.0))
CARD = np.array([(-31.5, -44.0), (31.5, -44.0), (31.5, 44.0), (-31.5, 44.0)])
MAT, CREAM = (60, 110, 80), (205, 225, 230)
EVERYWHERE = np.full((450, 450), 255, np.uint8)


def turned(quad_mm, turn_deg, at_mm):
    turn = np.radians(turn_deg)
    return quad_mm @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + at_mm


def filled(picture, quad_mm, colour):
    return cv2.fillConvexPoly(picture, np.rint(quad_mm * PX_PER_MM * 16).astype(np.int32), colour, cv2.LINE_AA, 4)


def table(*quads_mm, shade_mm=(0.0, 0.0)):
    """Draw cards on a place 300 mm wide, each with its shade."""
    picture = np.full((450, 450, 3), MAT, np.uint8)
    for quad_mm in quads_mm:
        if any(shade_mm):
            under = filled(np.zeros(picture.shape[:2], np.uint8), quad_mm + shade_mm, 255)[..., None]
            picture = np.where(under > 0, picture * 0.7, picture).astype(np.uint8)
        filled(picture, quad_mm, CREAM)
    return cv2.GaussianBlur(picture, (0, 0), 1.0)


def change(*quads_mm):
    """Mark what so many cards cover."""
    mask = np.zeros((450, 450), np.uint8)
    for quad_mm in quads_mm:
        filled(mask, quad_mm, 255)
    return np.where(mask > 127, 255, 0).astype(np.uint8)


def across_mm(quad_mm, before, now, near=EVERYWHERE):
    return Extent.of_outline(quad_mm).between(ends_mm(before, now, quad_mm * PX_PER_MM, near)).across_mm


def with_corners(*quads_mm, outline_mm):
    """Measure but what changed as a whole."""
    return Extent(across_mm=CARD_MM, whole_mm=whole_mm(change(*quads_mm), outline_mm * PX_PER_MM))


def having_learned(*extents):
    outlines = Outlines()
    for extent in extents:
        outlines.learn(extent)
    return outlines


@pytest.mark.parametrize("turn_deg", [0.0, 17.0, 95.0])
@pytest.mark.parametrize("shade_mm", [(0.0, 0.0), (3.0, 2.0)])
def test_what_a_card_changed_is_as_wide_and_long_as_it_is_whatever_its_shade(turn_deg, shade_mm):
    quad_mm = turned(CARD, turn_deg, (140.0, 160.0))
    across = across_mm(quad_mm, table(), table(quad_mm, shade_mm=shade_mm))
    assert across == pytest.approx(CARD_MM, abs=1.0)  # as exactly as cards are drawn


@pytest.mark.parametrize("off_mm", [(3.0, 0.0), (-4.0, 2.0)])
def test_where_the_outline_is_off_what_changed_ends_with_the_card_all_the_same(off_mm):
    quad_mm = turned(CARD, 5.0, (140.0, 160.0))
    across = across_mm(quad_mm + off_mm, table(), table(quad_mm))
    assert across == pytest.approx(CARD_MM, abs=1.0)


@pytest.mark.parametrize("lying", [(), (turned(0.9 * CARD, 0.0, (120.0, 190.0)),)], ids=["on the table", "on another"])
def test_a_second_card_of_one_colour_makes_it_wider_by_what_it_lies_apart(lying):
    quad_mm, beneath_mm = turned(CARD, 0.0, (150.0, 150.0)), turned(CARD, 0.0, (155.0, 146.0))
    across = across_mm(quad_mm, table(*lying), table(*lying, beneath_mm, quad_mm))
    assert across - CARD_MM == pytest.approx((5.0, 4.0), abs=1.2)


def test_beside_neighbours_cards_the_outline_stands():
    quad_mm, theirs_mm = turned(CARD, 0.0, (150.0, 150.0)), turned(CARD, 0.0, (90.0, 150.0))
    near = EVERYWHERE & ~change(theirs_mm)
    assert across_mm(quad_mm, table(), table(theirs_mm, quad_mm), near) == pytest.approx(CARD_MM, abs=1.0)


def test_where_no_end_shows_the_outline_stands():
    assert across_mm(turned(CARD, 0.0, (150.0, 150.0)), table(), table()) == pytest.approx(CARD_MM)


@pytest.mark.parametrize("turn_deg", [0.0, 17.0, 95.0])
def test_with_its_corners_one_card_is_as_wide_and_long_as_it_is_wherever_it_lies(turn_deg):
    quad_mm = turned(CARD, turn_deg, (140.0, 160.0))
    assert with_corners(quad_mm, outline_mm=quad_mm).whole_mm == pytest.approx(CARD_MM, abs=1.5)


def test_what_changed_elsewhere_does_not_count():
    quad_mm, other_mm = turned(CARD, 0.0, (100.0, 160.0)), turned(CARD, 0.0, (175.0, 160.0))
    assert with_corners(quad_mm, other_mm, outline_mm=quad_mm).whole_mm == pytest.approx(CARD_MM, abs=1.5)


@pytest.mark.parametrize(
    ("off_mm", "turned_deg", "is_one", "is_two"),
    [
        ((0.0, 0.0), 0.0, True, False),
        ((0.0, 2.4), 0.0, False, False),  # it may be either
        ((0.0, 3.0), 0.0, False, True),
        ((0.0, 0.0), 5.0, False, True),
        ((2.0, 2.0), 1.0, False, True),
    ],
)
def test_what_reaches_no_farther_than_one_card_even_at_its_corners_is_one(off_mm, turned_deg, is_one, is_two):
    alone = [turned(CARD, turn_deg, (150.0, 150.0)) for turn_deg in range(0, 10 * OUTLINES.known, 10)]
    outlines = having_learned(*(with_corners(quad_mm, outline_mm=quad_mm) for quad_mm in alone))
    quad_mm = turned(CARD, 8.0, (150.0, 150.0))
    beneath_mm = turned(CARD, 8.0 + turned_deg, np.array((150.0, 150.0)) + off_mm)
    extent = with_corners(quad_mm, beneath_mm, outline_mm=quad_mm + 1.3)
    assert (outlines.is_of_one(extent), outlines.is_of_two(extent)) == (is_one, is_two)


def test_what_reaches_no_farther_than_one_card_may_be_two_where_it_lies_on_others_whose_paper_is_as_white():
    usual = Extent(across_mm=CARD_MM, whole_mm=CARD_MM)
    outlines = having_learned(*[usual] * OUTLINES.known)
    assert outlines.is_of_one(usual)
    assert not outlines.is_of_one(replace(usual, upon="others"))
    assert outlines.is_of_two(replace(usual, whole_mm=CARD_MM + 3.0, upon="others"))
    assert not outlines.is_of_two(replace(usual, whole_mm=CARD_MM + 3.0, upon="squarely"))
    assert outlines.is_of_two(replace(usual, whole_mm=CARD_MM + 6.0, upon="squarely"))


@pytest.mark.parametrize(("longer_mm", "is_two"), [(0.0, False), (2.0, False), (4.0, True)])
def test_what_is_longer_than_what_the_last_cards_changed_is_two(longer_mm, is_two):
    usual = Extent(across_mm=CARD_MM, whole_mm=CARD_MM)
    outlines = having_learned(*[usual] * OUTLINES.known)
    assert outlines.is_of_two(replace(usual, across_mm=CARD_MM + longer_mm * np.array((0, 1)))) is is_two


def test_before_some_cards_have_been_seen_nothing_is_judged():
    assert not Outlines().is_of_two(Extent(across_mm=3 * CARD_MM, whole_mm=3 * CARD_MM))
    assert not Outlines().is_of_one(Extent(across_mm=CARD_MM, whole_mm=CARD_MM))


def test_pairs_among_the_last_cards_do_not_set_what_is_usual():
    usual = Extent(across_mm=CARD_MM, whole_mm=CARD_MM)
    wider_mm = CARD_MM * (1.06, 1.0)
    pair = Extent(across_mm=wider_mm, whole_mm=wider_mm)
    outlines = having_learned(*(pair if number in (4, 7, 8, 10, 11) else usual for number in range(12)))
    assert outlines.is_of_two(pair)
    assert not outlines.is_of_one(pair)
