"""Which outlines are told as cards: those that are surely found, and those whose face is surely read."""

from dataclasses import replace

import numpy as np
import pytest

from linesies.vision import CardJudge, Outline, Reading

OUTLINE = Outline(corners_px=((10, 10), (73, 10), (73, 98), (10, 98)), score=0.9, visible=1.0)
READ = Reading(face="up", name="7H", confidence=0.97)
PICTURE = np.zeros((120, 120, 3), np.uint8)


class Says:
    """Finds one outline, and reads it as told."""

    def __init__(self, outline, reading):
        self.outline, self.reading = outline, reading

    def find(self, _picture, _calibration, *, least):
        return tuple(outline for outline in [self.outline] if outline.score >= least)

    def read(self, _picture, outlines):
        return tuple(self.reading for _ in outlines)


def told(score, reading):
    says = Says(replace(OUTLINE, score=score), reading)
    judge = CardJudge(says)
    judge._finder = says
    return judge.judge(PICTURE)


@pytest.mark.parametrize(
    "reading", [READ, replace(READ, name=None, confidence=0.5), replace(READ, face="down", name=None)]
)
def test_what_is_surely_found_is_told_whatever_it_shows(reading):
    assert [card.reading for card in told(0.9, reading)] == [reading]


def test_a_doubtful_outline_is_a_card_if_its_face_is_surely_read():
    assert len(told(0.2, READ)) == 1


@pytest.mark.parametrize(
    ("score", "reading"),
    [
        (0.2, replace(READ, confidence=0.8)),
        (0.2, replace(READ, face="down", name=None)),
        (0.05, READ),
        (0.5, replace(READ, name=None, confidence=0.1, card_share=0.2)),
    ],
)
def test_other_doubtful_outlines_and_what_is_no_card_are_not_told(score, reading):
    assert told(score, reading) == ()
