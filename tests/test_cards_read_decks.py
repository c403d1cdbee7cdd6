"""The drawn decks that readers learn from: whole, varied, and honest about where their indices are (needs Pillow)."""

import numpy as np
import pytest

pytest.importorskip("PIL", reason="fonts are set by Pillow, of the extra `training`")

from PIL import ImageFont

from linesies.training.decks import draw_deck
from linesies.vision import CARD_MM


@pytest.fixture(scope="module")
def font(tmp_path_factory):
    """Pillow's own font as a file, so that no font need be installed."""
    path = tmp_path_factory.mktemp("fonts") / "own.ttf"
    own = ImageFont.load_default(20)
    source = getattr(own, "font_bytes", None)
    if source is None:
        pytest.skip("this Pillow has no outline font of its own")
    path.write_bytes(source)
    return path


def _deck(seed, font, **changed):
    return draw_deck(np.random.default_rng(seed), px_per_mm=3.0, fonts=(font,), **changed)


def test_a_deck_has_52_different_faces_of_a_card_s_shape(font):
    deck = _deck(1, font)
    assert len(deck.faces) == 52
    assert len({face.tobytes() for face in deck.faces.values()}) == 52
    assert {face.shape for face in deck.faces.values()} == {(264, 189, 3)}
    assert deck.alpha[0, 0] == 0
    assert deck.alpha[132, 94] == 255


def test_a_seed_gives_the_same_deck_again(font):
    first, second = _deck(7, font, count=4), _deck(7, font, count=4)
    assert first.faces.keys() == second.faces.keys()
    assert all((face == second.faces[name]).all() for name, face in first.faces.items())


def test_every_face_has_ink_where_its_rank_is_said_to_be(font):
    for seed in range(4):
        deck = _deck(seed, font, count=6)
        for name, boxes in deck.indices.items():
            x0, y0, x1, y1 = (round(v * deck.px_per_mm) for v in boxes[0].rank_mm)
            assert 0 <= x0 < x1 < CARD_MM[0] * deck.px_per_mm
            assert deck.faces[name][y0:y1, x0:x1].std() > 8
