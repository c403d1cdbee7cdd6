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


def judging(outline, reading):
    says = Says(outline, reading)
    judge = CardJudge(says)
    judge._finder = says
    return judge


def told(score, reading):
    return judging(replace(OUTLINE, score=score), reading).judge(PICTURE)


@pytest.mark.parametrize(
    "reading", [READ, replace(READ, name=None, confidence=0.5), replace(READ, face="down", name=None)]
)
def test_what_is_surely_found_is_told_whatever_it_shows(reading):
    assert [card.reading for card in told(0.9, reading)] == [reading]


def test_an_outline_that_is_found_half_surely_is_a_card_if_what_is_seen_in_it_is_surely_one():
    back = replace(READ, face="down", name=None)
    assert len(told(0.3, replace(back, card_share=0.99))) == 1
    assert told(0.3, replace(back, card_share=0.5)) == ()
    assert told(0.3, back) == ()  # of which the reader can't tell


def test_what_is_found_surely_is_a_card_though_the_reader_half_doubts_it():
    assert len(told(0.98, replace(READ, face="down", name=None, card_share=0.3))) == 1


def test_a_mere_hint_is_no_card_unless_its_face_is_surely_read():
    hint, back = replace(OUTLINE, score=0.2, is_hint=True), replace(READ, face="down", name=None, card_share=0.999)
    assert judging(hint, back).judge(PICTURE) == ()
    assert len(judging(hint, READ).judge(PICTURE)) == 1


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
