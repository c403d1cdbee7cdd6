"""What the readers are taught and asked: labels by what a crop truly shows, and examinations on whole tables."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("PIL", reason="fonts are set by Pillow, of the extra `training`")

from PIL import ImageFont

from linesies.training.decks import IndexBox
from linesies.training.reader import exam
from linesies.training.reader.labels import moved_box, seen_share
from linesies.training.reader.samples import Samples
from linesies.training.scenes import draw_scene
from linesies.vision.cards.read import glyphs

BOX = IndexBox(rank_mm=(2.0, 3.0, 8.0, 11.0), suit_mm=(2.0, 12.0, 8.0, 17.0), is_turned=False)


@pytest.fixture(scope="module")
def font(tmp_path_factory):
    """Pillow's own font as a file, so that no font need be installed."""
    path = tmp_path_factory.mktemp("fonts") / "own.ttf"
    source = getattr(ImageFont.load_default(20), "font_bytes", None)
    if source is None:
        pytest.skip("this Pillow has no outline font of its own")
    path.write_bytes(source)
    return path


@pytest.mark.parametrize(("right_mm", "share"), [(0.0, 1.0), (-5.0, 0.5), (-20.0, 0.0)])
def test_what_a_wrong_outline_leaves_outside_a_crop_is_not_seen(right_mm, share):
    shift = np.array([[1, 0, right_mm], [0, 1, 0], [0, 0, 1.0]])
    moved = moved_box(BOX, shift)
    assert seen_share(np.ones((108, 72), np.float32), moved.rank_mm, 3.0) == pytest.approx(share, abs=0.05)


def test_samples_have_crops_of_one_size_and_labels_that_the_nets_know(font):
    drawer = Samples(np.random.default_rng(4), stock=1, fonts=(font,))
    for sample in (drawer.draw() for _ in range(12)):
        assert {crop.shape for crop in sample.corners} == {(108, 72, 3)}
        assert sample.whole.shape == (132, 96, 3)
        for rank, suit in (*sample.corner_labels, sample.whole_label[:2]):
            assert -1 <= rank <= glyphs.NONE_GLYPH
            assert -1 <= suit <= glyphs.NONE_SUIT


class TrueFinder:
    """Outlines every card of the scene drawn last exactly."""

    scene = None

    def find(self, picture):
        return [SimpleNamespace(quad_px=quad) for quad in self.scene.corners_px]


def test_an_examination_asks_for_names_of_faces_alone(font, monkeypatch):
    def draw(*given):
        TrueFinder.scene = draw_scene(*given)
        return TrueFinder.scene

    monkeypatch.setattr(exam, "draw_scene", draw)
    monkeypatch.setattr(exam, "CardFinder", TrueFinder)
    ((picture, asked),) = exam.draw_exams((font,), scenes=1, seed=5)
    assert picture.shape == (1080, 1920, 3)
    assert any(card.is_readable for card in asked)
    assert {card.name is None for card in asked} == {True, False}
    for card in asked:
        assert card.is_card
        assert not card.is_readable or (card.name[-1] in glyphs.SUITS and card.name[:-1] in glyphs.RANKS)
