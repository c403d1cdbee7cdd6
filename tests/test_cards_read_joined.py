"""How what corners and the whole card say is joined to a name, or to none."""

from dataclasses import replace

import numpy as np
import pytest

from linesies.vision.cards.card import Outline
from linesies.vision.cards.read.glyphs import COURTS, GLYPHS, NONE_GLYPH, NONE_SUIT, RANKS, SUITS, glyph_of_rank
from linesies.vision.cards.read.reading import Trust, have_a_say, hear_out, judge_hearing, name_chances
from linesies.vision.cards.read.witnesses import Hearing
from linesies.vision.errors import BadInput

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


def _heard(first, second, whole, *, sides=UP, strength=SURE):
    words = [_word(word, strength) for word in (first, second, whole)]
    return Hearing(
        corner_glyphs=np.array([[words[0][0], words[1][0]]]),
        corner_suits=np.array([[words[0][1], words[1][1]]]),
        whole_glyphs=words[2][0][None],
        whole_suits=words[2][1][None],
        sides=np.array([sides]),
    )


def _read(first, second, whole, *, letters="english", **how):
    (reading,) = judge_hearing(_heard(first, second, whole, **how), glyph_of_rank(letters), TRUST)
    return reading


def test_three_witnesses_that_agree_give_a_name():
    reading = _read("10H", "10H", "10H")
    assert (reading.face, reading.name) == ("up", "10H")
    assert reading.confidence > 0.99


@pytest.mark.parametrize("words", [("KS", "none", "KS"), ("none", "KS", "KS"), ("KS", "KS", "none")])
def test_a_covered_corner_abstains(words):
    assert _read(*words).name == "KS"


@pytest.mark.parametrize("second", ["QD", "none"])
def test_a_corner_that_says_what_the_other_says_hardly_adds_to_it(second):
    heard = _heard("QD", second, "none")
    for logits in (heard.corner_glyphs, heard.corner_suits):
        logits[logits[..., -1] < SURE] *= 0.3  # no longer sure
    apart, printed_alike = (
        name_chances(heard, glyph_of_rank("english"), replace(TRUST, alike=alike)).max() for alike in (0.0, 1.0)
    )
    if second == "none":
        assert printed_alike == pytest.approx(apart, rel=0.01)
    else:
        assert printed_alike < 0.6 * apart


def test_corners_that_contradict_each_other_give_no_name():
    assert _read("6H", "8H", "none").name is None


def test_a_corner_without_a_say_does_not_contradict():
    heard = _heard("KS", "8H", "none")
    (contradicted,) = judge_hearing(heard, glyph_of_rank("english"), TRUST)
    (told,) = judge_hearing(heard.of_corners(np.array([[True, False]])), glyph_of_rank("english"), TRUST)
    assert (contradicted.name, told.name) == (None, "KS")


@pytest.mark.parametrize(
    ("ends_seen", "heard"),
    [
        ((1.0, 1.0), (True, True)),
        ((1.0, 0.0), (True, False)),
        ((0.0, 0.6), (False, True)),
        ((0.0, 0.2), (True, True)),  # a strip shows a narrow index
    ],
)
def test_a_corner_has_a_say_unless_it_is_hidden_and_the_other_in_sight(ends_seen, heard):
    outline = Outline(corners_px=tuple(map(tuple, QUAD.tolist())), score=0.9, visible=0.4, ends_seen=ends_seen)
    assert tuple(have_a_say([outline])[0]) == heard


@pytest.mark.parametrize("ends_seen", [(1.0,), (0.5, 1.2), (float("nan"), 1.0)])
def test_an_outline_has_two_ends_of_which_a_share_is_seen(ends_seen):
    with pytest.raises(BadInput, match="two ends"):
        Outline(corners_px=tuple(map(tuple, QUAD.tolist())), score=0.9, visible=0.4, ends_seen=ends_seen)


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


class Crowd:
    """Witnesses who say what they are told to, at a glance and when asked again; counts the cards asked about."""

    def __init__(self, *words):
        self.words = list(words)
        self.asked = []

    def hear(self, flats):
        self.asked.append(len(flats))
        parts = self.words.pop(0)
        return Hearing(**{name: np.concatenate([getattr(h, name) for h in parts]) for name in Hearing.__slots__})

    glance = hear


TABLE = np.full((120, 120, 3), 90, np.uint8)
QUAD = np.array([(20.0, 20.0), (83.0, 20.0), (83.0, 108.0), (20.0, 108.0)])
CLEAR, DOUBTFUL = _heard("KS", "KS", "KS"), _heard("KS", "none", "none", strength=3.0)


def test_only_doubtful_cards_are_asked_about_again():
    crowd = Crowd([CLEAR, DOUBTFUL], [CLEAR])
    heard = hear_out(crowd, TABLE, [QUAD, QUAD], glyph_of_rank("english"))
    assert crowd.asked == [2, 1]
    assert (heard.corner_glyphs[0] == CLEAR.corner_glyphs[0]).all()
    assert heard.corner_glyphs[1] == pytest.approx((CLEAR.corner_glyphs[0] + DOUBTFUL.corner_glyphs[0]) / 2)


def test_sure_cards_are_asked_about_once():
    crowd = Crowd([CLEAR, CLEAR])
    hear_out(crowd, TABLE, [QUAD, QUAD], glyph_of_rank("english"))
    assert crowd.asked == [2]
