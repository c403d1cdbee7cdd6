"""The shipped readers on a picture of cards on planks (rendered; faces by Adrian Kennard, CC0)."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from linesies.vision import Outline, StandardReader
from linesies.vision.cards.read.glyphs import NONE_GLYPH
from linesies.vision.cards.read.indices import lay_flat
from linesies.vision.cards.read.witnesses import Witnesses

FOLDER = Path(__file__).parent / "data" / "cards"
CARDS = json.loads((FOLDER / "table.json").read_text())["cards"]
WELL_SEEN = [card for card in CARDS if card["visible"] > 0.8]


def _picture():
    return cv2.imread(str(FOLDER / "table.jpg"))


@pytest.fixture(scope="module")
def reader():
    return StandardReader()


def _outlines(cards, *, turned=0, scale=1.0, error_px=0.0):
    rng = np.random.default_rng(5)
    quads = [np.roll(np.array(card["corners"]), turned, 0) + rng.normal(0, error_px, (4, 2)) for card in cards]
    return [
        Outline(corners_px=tuple((float(x * scale), float(y * scale)) for x, y in quad), score=1.0, visible=1.0)
        for quad in quads
    ]


def _named(reader, picture, outlines):
    return [(reading.face, reading.name) for reading in reader.read(picture, outlines)]


def _right(names, cards):
    wrong = [
        (name, card["card"]) for (_, name), card in zip(names, cards, strict=True) if name not in (None, card["card"])
    ]
    assert not wrong
    return sum(name == card["card"] for (_, name), card in zip(names, cards, strict=True) if card["card"])


@pytest.mark.parametrize("turned", [0, 2])
def test_well_seen_cards_are_named_whichever_end_comes_first(reader, turned):
    names = _named(reader, _picture(), _outlines(WELL_SEEN, turned=turned))
    assert _right(names, WELL_SEEN) >= 4
    assert [face for face, _ in names] == [card["face"] for card in WELL_SEEN]


def test_corners_that_are_a_pixel_off_do_no_harm(reader):
    names = _named(reader, _picture(), _outlines(WELL_SEEN, error_px=0.8))
    assert _right(names, WELL_SEEN) >= 4


def test_a_smaller_picture_gives_fewer_names_but_no_wrong_ones(reader):
    half = cv2.resize(_picture(), None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    _right(_named(reader, half, _outlines(WELL_SEEN, scale=0.6)), WELL_SEEN)


def test_a_fan_of_which_a_quarter_is_seen_gets_no_wrong_name(reader):
    fanned = [card for card in CARDS if card["visible"] <= 0.8]
    assert fanned
    _right(_named(reader, _picture(), _outlines(fanned)), fanned)


def test_bare_planks_have_no_name(reader):
    planks = Outline(corners_px=((20.0, 310.0), (80.0, 310.0), (80.0, 394.0), (20.0, 394.0)), score=1.0, visible=1.0)
    (reading,) = reader.read(_picture(), [planks])
    assert reading.name is None


def test_no_cards_are_read_as_none(reader):
    assert reader.read(_picture(), []) == ()


def test_a_glance_asks_no_corners_of_an_evident_back():
    witnesses, picture = Witnesses(), _picture()
    flats = [lay_flat(picture, np.array(card["corners"])) for card in WELL_SEEN]
    is_up = np.array([card["face"] == "up" for card in WELL_SEEN])
    glance, heard = witnesses.glance(flats), witnesses.hear(flats)
    assert (glance.corner_glyphs[is_up] == heard.corner_glyphs[is_up]).all()
    assert (glance.corner_glyphs[~is_up].argmax(-1) == NONE_GLYPH).all()
    assert (~is_up).any()
