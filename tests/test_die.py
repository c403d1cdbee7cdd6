"""A learned die: found on the table, read in any turn, never guessed."""

import numpy as np
import pytest

from linesies.vision import BadInput, LearnedDeck, LearnedDie, learn, photograph, photograph_die, read_die
from tests import drawn_decks as drawn

FACES = tuple(drawn.DIE_WORDS)
SIDE_MM, SCALE = 16, 1.8


@pytest.fixture(scope="module")
def die():
    pictures = [
        photograph_die(
            drawn.photograph_of(
                drawn.draw_die_face(face),
                seed=i,
                turn_deg=90 * i + 8,
                size_mm=(16, 16),
                px_per_mm=9,
                table=(60, 90, 40),
            )
        )
        for i, face in enumerate(FACES)
    ]
    return LearnedDie(FACES, np.stack(pictures))


def thrown(face, turn_deg, seed, **light):
    """A table on which a card lies beside the die, and where the die is."""
    rng = np.random.default_rng(seed)
    picture = drawn.draw_table(rng, (420, 300), (110, 70, 50))
    drawn.lay(picture, drawn.draw_card("B", 8), drawn.place((120, 150), 15, SCALE))
    middle = rng.uniform((250, 60), (370, 240))
    if face:
        drawn.lay(picture, drawn.draw_die_face(face), drawn.place(middle, turn_deg, SCALE, (SIDE_MM, SIDE_MM)))
    return drawn.expose(rng, picture, **light), middle


@pytest.mark.parametrize(("face", "turn_deg"), list(zip(FACES, (0, 33, 71, 140, 215, 290), strict=True)))
def test_each_face_is_read_in_any_turn_and_other_light(die, face, turn_deg):
    picture, middle = thrown(face, turn_deg, seed=turn_deg, cast=(0.85, 0.95, 1.05))
    reading = read_die(picture, die, SCALE)
    assert reading.face == face
    assert np.linalg.norm(np.subtract(reading.centre_px, middle)) < 3
    assert reading.confidence > 0.8


def test_a_table_without_the_die_shows_no_face(die):
    reading = read_die(thrown(None, 0, seed=3)[0], die, SCALE)
    assert reading.face is None
    assert reading.confidence < 0.5


def test_an_empty_table_shows_no_die(die):
    reading = read_die(np.full((200, 300, 3), 120, np.uint8), die, SCALE)
    assert (reading.face, reading.centre_px) == (None, None)


def test_another_die_is_not_taken_for_it(die):
    rng = np.random.default_rng(2)
    picture = drawn.draw_table(rng, (300, 300), (110, 70, 50))
    pips = np.full((160, 160, 3), (40, 120, 30), np.uint8)
    for x, y in ((40, 40), (120, 40), (80, 80), (40, 120), (120, 120)):
        pips[y - 14 : y + 14, x - 14 : x + 14] = 240
    drawn.lay(picture, pips, drawn.place((150, 150), 20, SCALE, (16, 16)))
    assert read_die(drawn.expose(rng, picture), die, SCALE).face is None


def test_a_scale_must_be_positive(die):
    with pytest.raises(BadInput, match="scale"):
        read_die(np.zeros((10, 10, 3), np.uint8), die, 0.0)


def test_a_photograph_without_a_die_is_told():
    with pytest.raises(BadInput, match="no die found"):
        photograph_die(np.full((200, 200, 3), 90, np.uint8))


def test_the_die_is_kept_with_its_deck(die, tmp_path):
    lesson = learn({"A1": [photograph(drawn.photograph_of(drawn.draw_card("A", 1)))]}, die)
    lesson.deck.save(tmp_path / "d.deck")
    again = LearnedDeck.open(tmp_path / "d.deck").die
    assert again is not None
    assert again.names == FACES
    assert np.abs(again.faces - die.faces).max() <= 0.51
