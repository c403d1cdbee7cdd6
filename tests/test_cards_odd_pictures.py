"""Odd pictures: black, white, noise, checks, slivers, blank rectangles. Each is answered, and none ends the program."""

import cv2
import numpy as np
import pytest

from linesies.vision import BadInput, CardJudge, learn, open_reader, photograph
from tests import drawn_decks as drawn
from tests.thorough import cases

RNG = np.random.default_rng(0)


def checks(step):
    ys, xs = np.indices((360, 640)) // step
    return np.repeat(((xs + ys) % 2 * 255).astype(np.uint8)[..., None], 3, 2)


def rectangles():
    """Blank rectangles of a card's shape, each of another colour."""
    picture = np.full((1080, 1920, 3), 40, np.uint8)
    for x in range(20, 1840, 210):
        for y in range(10, 1000, 76):
            colour = tuple(int(v) for v in RNG.integers(0, 256, 3))
            cv2.rectangle(picture, (x, y), (x + 88, y + 63), colour, -1)
    return picture


PICTURES = {
    "black": np.zeros((360, 640, 3), np.uint8),
    "white": np.full((360, 640, 3), 255, np.uint8),
    "noise": RNG.integers(0, 256, (360, 640, 3)).astype(np.uint8),
    "two levels": (RNG.integers(0, 2, (360, 640, 1)) * 255).astype(np.uint8).repeat(3, 2),
    "checks": checks(8),
    "large checks": checks(60),
    "a pixel": np.zeros((1, 1, 3), np.uint8),
    "a line": RNG.integers(0, 256, (1, 2000, 3)).astype(np.uint8),
    "a sliver": RNG.integers(0, 256, (2000, 3, 3)).astype(np.uint8),
    "rectangles": rectangles(),
    "rectangles without blue": rectangles() * np.array([0, 1, 1], np.uint8),
}


@pytest.fixture(scope="module")
def judges():
    photos = {card: [photograph(drawn.photograph_of(art, seed=1))] for card, art in drawn.draw_deck((1, 7)).items()}
    return [CardJudge(open_reader("standard")), CardJudge(learn(photos).deck)]


@pytest.mark.parametrize("name", cases(["noise", "large checks", "a sliver", "a pixel"], more=PICTURES))
def test_every_picture_is_judged(judges, name):
    for judge in judges:
        assert all(np.isfinite(card.outline.quad_px).all() for card in judge.judge(PICTURES[name]))


@pytest.mark.parametrize("picture", PICTURES.values(), ids=list(PICTURES))
def test_what_cannot_be_learned_is_refused_with_a_reason(picture):
    with pytest.raises(BadInput, match="photograph"):
        photograph(picture)
