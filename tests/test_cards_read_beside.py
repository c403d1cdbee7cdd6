"""Cards that are read from beside their outlines."""

import numpy as np
import pytest

from linesies.vision import Outline, Reading
from linesies.vision.cards.read.beside import name_beside

QUAD = np.array([(100.0, 100.0), (163.0, 100.0), (163.0, 188.0), (100.0, 188.0)])
UNREAD = Reading(face="up", name=None, confidence=0.4)


def _outline(score=0.9, quad=QUAD):
    return Outline(corners_px=tuple(map(tuple, quad.tolist())), score=score, visible=0.4)


def _seen_at(names, confidence):
    """A reader that sees names at places, by how far to the right of the outline they are."""

    def read(quads):
        shown = [names.get(round(quad[0, 0] - QUAD[0, 0])) for quad in quads]
        return [Reading(face="up", name=name, confidence=confidence if name else 0.2) for name in shown]

    return read


def _told(names, *, confidence=0.95, outline=None, reading=UNREAD, others=()):
    outlines = [outline or _outline(), *(other for other, _ in others)]
    readings = [reading, *(read for _, read in others)]
    return name_beside(_seen_at(names, confidence), outlines, readings)[0].name


def test_a_card_that_lies_five_millimetres_beside_its_outline_is_named():
    assert _told({5: "QD"}) == "QD"


@pytest.mark.parametrize(
    ("names", "how"),
    [
        ({5: "QD", -10: "8H"}, {}),
        ({5: "QD"}, {"confidence": 0.85}),
        ({5: "QD"}, {"outline": _outline(score=0.2)}),
        (
            {5: "QD"},
            {"others": [(_outline(), Reading(face="up", name="QD", confidence=0.99))]},
        ),
        ({5: "QD"}, {"reading": Reading(face="down", name=None, confidence=0.9)}),
    ],
    ids=["two names", "unsure", "hardly a card", "read off another card", "face down"],
)
def test_a_name_beside_is_not_told_where_it_may_be_wrong(names, how):
    assert _told(names, **how) is None


def test_a_name_that_is_read_in_its_place_stays():
    assert _told({5: "QD"}, reading=Reading(face="up", name="KD", confidence=0.8)) == "KD"
