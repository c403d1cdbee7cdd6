"""Learned cards in a picture that is too bright: white that ends at the camera's own says nothing against a face."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from linesies.simulator.cards.photos import photograph_deck
from linesies.training.learned_decks import draw_deck_of
from linesies.vision import Outline, learn, photograph
from linesies.vision.cards.learn.photo import find_alone

NAMES = ("C2", "C6", "C10", "C12")  # yellow on white: paper and print come near to one another


@pytest.mark.takes_turns(seconds=19)
def test_cards_are_named_in_a_picture_that_is_too_bright():
    drawn = draw_deck_of("skull_king", np.random.default_rng(1))
    few = replace(drawn, faces={name: drawn.faces[name] for name in NAMES})
    photos = {name: picture for name, picture in photograph_deck(few, np.random.default_rng(2)) if name != "back"}
    deck = learn({name: [photograph(picture)] for name, picture in photos.items()}).deck
    for name, picture in photos.items():
        corners = (find_alone(picture)[0].quad_px + 0.5) * 0.3 - 0.5
        small = cv2.resize(picture, None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA).astype(np.float32)
        noise = np.random.default_rng(5).normal(0, 6, small.shape)
        bright = np.clip(2.3 * small + noise, 0, 255).astype(np.uint8)
        outline = Outline(corners_px=tuple(map(tuple, corners.tolist())), score=1.0, visible=1.0)
        assert deck.read(bright, [outline])[0].name == name
