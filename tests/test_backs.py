"""What lies face down is a card if it looks like the other backs, though its outline may lie a little beside it."""

import numpy as np
import pytest

from linesies.vision import Reading
from linesies.vision.cards.table.backs import BACKS, Backs
from linesies.vision.cards.table.seen import SeenCard

SIZE_PX = (18, 13)  # as cards are seen: five millimetres a pixel
BACK = np.full((*SIZE_PX, 3), 235, np.uint8)
BACK[1:-1, 1:-1] = np.random.default_rng(5).integers(20, 190, (16, 11, 1))
PHONE = np.full((*SIZE_PX, 3), 25, np.uint8)
SLEEVE = np.full((*SIZE_PX, 3), 140, np.uint8)


PALE = (BACK * 0.3 + 170).astype(np.uint8)  # as a lamp's gleam shows it
FAR_MM = np.array([900.0, 300.0])


def lying(small, face="down", *, is_card=True, sides=1.0, at_mm=(0.0, 0.0)):
    reading = Reading(face=face, name=None, confidence=1.0, card_share=1.0 if is_card else 0.0)
    return SeenCard(quad_mm=np.tile(at_mm, (4, 1)), reading=reading, sides=sides, cover=1.0, small=small)


@pytest.fixture
def backs():
    """Some backs have come to lie there, each in a light of its own."""
    known = Backs()
    known.learn([lying((BACK * light).astype(np.uint8)) for light in np.linspace(0.8, 1.0, BACKS.known)])
    return known


@pytest.mark.parametrize("beside_px", [(0, 0), (1, 0), (-1, 1), (0, -1)])
def test_a_back_is_a_card_though_its_outline_lies_five_millimetres_beside_it(backs, beside_px):
    card = lying(np.roll(BACK, beside_px, axis=(0, 1)))
    assert backs.sift([card]) == (card,)


@pytest.mark.parametrize("thing", [PHONE, SLEEVE])
def test_what_looks_otherwise_is_none_but_for_the_first_ones(backs, thing):
    assert backs.sift([lying(thing, sides=0.6)]) == ()
    assert backs.sift([lying(thing, is_card=False)]) == ()
    assert len(Backs().sift([lying(thing)])) == 1


@pytest.mark.parametrize("thing", [PALE, PHONE, SLEEVE])
def test_people_are_asked_about_what_looks_otherwise_where_the_reader_and_all_its_sides_say_that_it_is_a_card(
    backs, thing
):
    card = lying(thing, at_mm=FAR_MM)
    assert backs.sift([card]) == (card,)
    assert backs.is_strange(card)
    assert not backs.is_strange(lying(BACK, at_mm=FAR_MM))


def test_a_back_that_looks_like_one_in_the_same_light_is_a_card_whatever_the_others_look_like(backs):
    for _ in range(2):
        backs.learn([lying(BACK)] * 3)
    backs.learn([lying(PALE, at_mm=FAR_MM)])
    assert not backs.is_strange(lying(PALE, at_mm=FAR_MM + 50))
    assert backs.is_strange(lying(PALE))


def test_a_face_is_not_held_against_backs(backs):
    assert len(backs.sift([lying(PHONE, face="up")])) == 1


def test_what_the_reader_takes_for_no_card_is_strange_where_it_has_all_sides_of_one_and_else_left_out():
    card = lying(BACK, is_card=False)
    assert Backs().sift([card]) == (card,)
    assert Backs().is_strange(card)
    assert Backs().sift([lying(BACK, is_card=False, sides=0.6)]) == ()


def test_a_back_like_others_is_a_card_whatever_the_reader_takes_it_for(backs):
    card = lying(BACK, is_card=False)
    assert backs.sift([card, lying(PHONE, is_card=False)]) == (card,)
    assert not backs.is_strange(card)


@pytest.mark.parametrize(("grey", "is_card"), [(95, True), (45, False)])
def test_a_black_phone_is_no_plain_grey_back(grey, is_card):
    backs = Backs()
    backs.learn([lying(np.full_like(PHONE, level)) for level in (110, 115, 130)])
    thing = lying(np.full_like(PHONE, grey), is_card=False)
    assert backs.sift([thing]) == ((thing,) if is_card else ())
