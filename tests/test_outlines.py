"""Two cards laid at once change more of the table than one does, though their edges be of one colour."""

import cv2
import numpy as np
import pytest

from linesies.vision.cards.spots import PX_PER_MM
from linesies.vision.cards.table.outlines import OUTLINES, Extent, Outlines, extent_of

CARD_MM = np.array((63.0, 88.0))
CARD = np.array([(-31.5, -44.0), (31.5, -44.0), (31.5, 44.0), (-31.5, 44.0)])


def turned(quad_mm, turn_deg, at_mm):
    turn = np.radians(turn_deg)
    return quad_mm @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + at_mm


def change(*quads_mm):
    """Mark what so many cards cover, on a place 300 mm wide."""
    mask = np.zeros((450, 450), np.uint8)
    for quad_mm in quads_mm:
        cv2.fillConvexPoly(mask, np.rint(quad_mm * PX_PER_MM).astype(np.int32), 255)
    return mask


@pytest.mark.parametrize("turn_deg", [0.0, 17.0, 95.0])
def test_what_one_card_changes_is_as_wide_and_long_as_it_is_wherever_it_lies(turn_deg):
    quad_mm = turned(CARD, turn_deg, (140.0, 160.0))
    assert extent_of(change(quad_mm), quad_mm * PX_PER_MM).usual_mm == pytest.approx((63.0, 88.0), abs=1.5)


def test_what_changed_elsewhere_does_not_count():
    quad_mm, other_mm = turned(CARD, 0.0, (100.0, 160.0)), turned(CARD, 0.0, (175.0, 160.0))
    assert extent_of(change(quad_mm, other_mm), quad_mm * PX_PER_MM).usual_mm == pytest.approx((63.0, 88.0), abs=1.5)


@pytest.mark.parametrize(
    ("off_mm", "turned_deg", "is_one"),
    [((0.0, 0.0), 0.0, True), ((0.0, 3.0), 0.0, False), ((0.0, 0.0), 5.0, False), ((2.0, 2.0), 1.0, False)],
)
def test_what_reaches_no_farther_than_one_card_even_at_its_corners_is_one(off_mm, turned_deg, is_one):
    outlines = Outlines()
    for turn_deg in range(0, 10 * OUTLINES.known, 10):
        quad_mm = turned(CARD, turn_deg, (150.0, 150.0))
        outlines.learn(extent_of(change(quad_mm), quad_mm * PX_PER_MM))
    quad_mm = turned(CARD, 8.0, (150.0, 150.0))
    both = change(quad_mm, turned(CARD, 8.0 + turned_deg, np.array((150.0, 150.0)) + off_mm))
    assert outlines.is_of_one(extent_of(both, quad_mm * PX_PER_MM + 2.0)) is is_one


@pytest.mark.parametrize(("off_mm", "is_two"), [((0.5, 0.5), False), ((0.0, 5.0), True), ((-4.0, 1.0), True)])
def test_a_second_card_beneath_shows_by_how_far_the_change_reaches(off_mm, is_two):
    outlines = Outlines()
    for turn_deg in range(OUTLINES.known):
        quad_mm = turned(CARD, turn_deg, (150.0, 150.0))
        outlines.learn(extent_of(change(quad_mm), quad_mm * PX_PER_MM))
    quad_mm = turned(CARD, 8.0, (150.0, 150.0))
    both = change(quad_mm, turned(CARD, 8.0, np.array((150.0, 150.0)) + off_mm))
    assert outlines.is_of_two(extent_of(both, quad_mm * PX_PER_MM)) is is_two


def test_before_some_cards_have_been_seen_nothing_is_judged():
    wide, usual = (Extent(outline_mm=size, usual_mm=size, whole_mm=size) for size in (3 * CARD_MM, CARD_MM))
    assert not Outlines().is_of_two(wide)
    assert not Outlines().is_of_one(usual)


@pytest.mark.parametrize(("longer_mm", "is_two"), [(0.0, False), (2.0, False), (5.0, True)])
def test_an_outline_longer_than_those_of_the_last_cards_is_that_of_two_wherever_it_lies(longer_mm, is_two):
    outlines = Outlines()
    for turn_deg in range(OUTLINES.known):
        outlines.learn(Extent.of_outline(turned(CARD, turn_deg, (150.0, 150.0))))
    longer = CARD * (1.0, 1 + longer_mm / CARD_MM[1])
    assert outlines.is_of_two(Extent.of_outline(turned(longer, 30.0, (150.0, 150.0)))) is is_two


def test_pairs_among_the_last_cards_do_not_set_what_is_usual():
    outlines = Outlines()
    for number in range(12):
        quad_mm = turned(CARD, number, (150.0, 150.0))
        beneath = [turned(CARD, number, np.array((154.0, 150.0)))] if number in (4, 7, 8, 10, 11) else []
        outlines.learn(extent_of(change(quad_mm, *beneath), quad_mm * PX_PER_MM))
    quad_mm = turned(CARD, 8.0, (150.0, 150.0))
    pair = extent_of(change(quad_mm, turned(CARD, 8.0, np.array((154.0, 150.0)))), quad_mm * PX_PER_MM)
    assert outlines.is_of_two(pair)
    assert not outlines.is_of_one(pair)
