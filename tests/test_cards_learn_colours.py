"""Learned decks under another camera: its colours are told by the cards' own white."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from linesies.simulator.cards.photos import photograph_deck
from linesies.training.learned_decks import draw_deck_of, seen_in
from linesies.vision import BadInput, Outline, learn, photograph
from linesies.vision.cards.learn.photo import find_alone
from linesies.vision.cards.learn.white import untinted, white_of

NAMES = [colour + number for colour in "RYGB" for number in "17"]
GREENISH = np.array([[0.52, 0.10, 0.10], [0.12, 0.85, 0.10], [0.12, 0.10, 0.55], [1.1, 0.9, 1.0]])
REDDISH = np.array([[0.45, 0.08, 0.12], [0.10, 0.62, 0.14], [0.10, 0.10, 0.90], [1.0, 1.0, 0.9]])


@pytest.fixture(scope="module")
def photos():
    drawn = draw_deck_of("colours", np.random.default_rng(1))
    few = replace(drawn, faces={name: drawn.faces[name] for name in NAMES})
    return {name: picture for name, picture in photograph_deck(few, np.random.default_rng(2)) if name != "back"}


@pytest.fixture(scope="module")
def deck(photos):
    return learn({name: [photograph(picture)] for name, picture in photos.items()}).deck


@pytest.mark.takes_turns(seconds=12)
@pytest.mark.parametrize("camera", [GREENISH, REDDISH], ids=["greenish", "reddish"])
def test_cards_in_full_colour_are_named_under_another_cameras_colours(deck, photos, camera):
    for name, picture in photos.items():
        quad = find_alone(picture)[0].quad_px
        outline = Outline(corners_px=tuple(map(tuple, quad.tolist())), score=1.0, visible=1.0)
        (reading,) = deck.read(seen_in(picture, camera), [outline])
        assert reading.name == name


def test_a_deck_that_was_learned_before_is_read_the_same_from_its_file(deck, photos, tmp_path):
    deck.save(tmp_path / "colours.deck")
    again = type(deck).open(tmp_path / "colours.deck")
    picture = photos["B7"]
    quad = find_alone(picture)[0].quad_px
    outline = Outline(corners_px=tuple(map(tuple, quad.tolist())), score=1.0, visible=1.0)
    assert again.read(seen_in(picture, GREENISH), [outline])[0].name == "B7"


def test_white_paper_tells_the_light_and_a_colour_does_not():
    card = np.full((88, 63, 3), (180, 90, 20), np.float32)
    assert white_of(card) is None
    card[20:50, 20:50] = (140, 200, 180)
    np.testing.assert_allclose(white_of(card), (140, 200, 180))


def test_a_card_without_white_lies_in_the_light_of_the_others():
    white = np.full((88, 63, 3), (100, 200, 200), np.float32)
    blue = np.full((88, 63, 3), (180, 60, 20), np.float32)
    gains = untinted([white, blue])
    np.testing.assert_allclose(gains[1], gains[0])
    assert gains[0][0] == pytest.approx(5 / 3, rel=0.01)


def test_a_card_cut_out_of_its_picture_is_taken_whole_and_another_picture_is_refused():
    rng = np.random.default_rng(3)
    plain = np.clip(200 + rng.normal(0, 2, (528, 378, 3)), 0, 255).astype(np.uint8)
    cv2.circle(plain, (189, 264), 40, (30, 30, 160), -1)
    assert photograph(plain).face.shape[:2] == (176, 126)
    with pytest.raises(BadInput, match="no card found"):
        photograph(plain[:, :352])  # 2:3, as cameras take them
