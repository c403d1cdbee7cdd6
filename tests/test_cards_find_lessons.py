"""What the finder is taught on."""

import numpy as np
import pytest

pytest.importorskip("PIL", reason="fonts are set by Pillow, of the extra `training`")

from linesies.training.finder_data import draw_staging
from linesies.training.scenes import Arts, Staging, draw_scene


def _plain_arts(bgr):
    card = np.dstack([np.full((352, 252, 3), bgr, np.uint8), np.full((352, 252), 255, np.uint8)])
    return Arts(faces=[card], backs=[card])


def _contrast(bgr, *, alike, seed):
    """How far a table's tone is from that of the cards upon it, in the same light."""
    staging = Staging(things=0.0, alike=alike, down=0.0)
    scene = draw_scene(np.random.default_rng(seed), _plain_arts(bgr), (160, 160), 0.5, 4, staging)
    card, table = scene.picture[scene.owners > 0], scene.picture[scene.owners == 0]
    return np.abs(np.median(card, 0) - np.median(table, 0)).mean()


@pytest.mark.parametrize("bgr", [(235, 240, 245), (40, 30, 35), (60, 60, 200)])
def test_on_tables_alike_cards_lie_on_their_own_tone(bgr):
    others, alike = (np.median([_contrast(bgr, alike=share, seed=n) for n in range(12)]) for share in (0.0, 1.0))
    assert alike < 0.5 * others


def test_lessons_hold_cards_of_several_makes_and_tables_far_aslant():
    stagings = [draw_staging(np.random.default_rng(seed)) for seed in range(40)]
    shapes = {round(one.card_mm[1] / one.card_mm[0], 2) for one in stagings}
    assert {round(88 / 63, 2)} < shapes
    assert {one.tilt_deg[1] for one in stagings} == {62.0}
