"""How what corners and the whole card say is joined to a name, or to none."""

import numpy as np
import pytest

from vision.cards.glyphs import COURTS, GLYPHS, NONE_GLYPH, NONE_SUIT, RANKS, SUITS, glyph_of_rank
from vision.cards.reading import Trust, judge_hearing
from vision.cards.witnesses import Hearing

TRUST = Trust(index=1.0, whole=1.0, doubt=0.02, side=1.0, none=-4.0, up=3.0, least=0.9)
SURE, UNSURE = 8.0, 0.5
UP, DOWN = (6.0, 0.0, 0.0), (0.0, 6.0, 0.0)


def _logits(size, said, strength):
    logits = np.zeros(size)
    logits[said] = strength
    return logits


def _word(word, strength=SURE):
    """A glyph's and a suit's logits for "10H", or for "none"."""
    glyph = NONE_GLYPH if word == "none" else GLYPHS.index(word[:-1])
    suit = NONE_SUIT if word == "none" else SUITS.index(word[-1])
    return _logits(NONE_GLYPH + 1, glyph, strength), _logits(NONE_SUIT + 1, suit, strength)


def _read(first, second, whole, *, sides=UP, letters="english", strength=SURE):
    words = [_word(word, strength) for word in (first, second, whole)]
    heard = Hearing(
        corner_glyphs=np.array([[words[0][0], words[1][0]]]),
        corner_suits=np.array([[words[0][1], words[1][1]]]),
        whole_glyphs=words[2][0][None],
        whole_suits=words[2][1][None],
        sides=np.array([sides]),
    )
    (reading,) = judge_hearing(heard, glyph_of_rank(letters), TRUST)
    return reading


def test_three_witnesses_that_agree_give_a_name():
    reading = _read("10H", "10H", "10H")
    assert (reading.face, reading.name) == ("up", "10H")
    assert reading.confidence > 0.99


@pytest.mark.parametrize("words", [("KS", "none", "KS"), ("none", "KS", "KS"), ("KS", "KS", "none")])
def test_a_covered_corner_abstains(words):
    assert _read(*words).name == "KS"


def test_corners_that_contradict_each_other_give_no_name():
    assert _read("6H", "8H", "none").name is None


def test_one_unsure_witness_gives_no_name():
    assert _read("4S", "none", "none", strength=UNSURE).name is None


def test_nothing_seen_gives_no_name_and_hardly_any_confidence():
    reading = _read("none", "none", "none")
    assert (reading.face, reading.name) == ("up", None)
    assert reading.confidence < 0.1


def test_a_card_that_lies_face_down_has_no_name_whatever_its_corners_say():
    reading = _read("AS", "AS", "none", sides=DOWN)
    assert (reading.face, reading.name) == ("down", None)


@pytest.mark.parametrize(("letters", "name"), [("french", "JD"), ("dutch", "QD")])
def test_a_letter_means_what_it_does_in_its_language(letters, name):
    assert _read("VD", "VD", "VD", letters=letters).name == name


def test_a_letter_of_another_language_names_no_card():
    assert _read("BC", "BC", "BC").name is None


@pytest.mark.parametrize("letters", COURTS)
def test_every_language_prints_each_rank_differently(letters):
    assert len(set(glyph_of_rank(letters))) == len(RANKS)


def test_an_outline_round_no_card_is_said_to_be_none():
    reading = _read("AS", "AS", "AS", sides=(0.0, 0.0, 6.0))
    assert not reading.is_card
    assert reading.name is None
