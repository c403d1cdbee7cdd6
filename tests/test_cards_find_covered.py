"""Cards that cover one another, of which none is seen whole."""

import numpy as np
import pytest

from linesies.vision import CardFinder
from linesies.vision.cards.find.overlap import overlap
from linesies.vision.cards.find.plane import GuessedTable
from linesies.vision.cards.find.plane_pose import quads_of
from tests.card_felt import SIZE_PX, draw_table

TABLE = GuessedTable(
    middle_px=(np.array(SIZE_PX) - 1) / 2, focal_px=1300.0, slope=np.array([0.0, 0.15]), depth_mm=900.0
)


def _fan(rng):
    turns = (np.arange(6) - 3) * 0.25
    low_mm, lean = rng.uniform(-60, 60), rng.uniform(-1, 1)
    return np.column_stack(
        [80 * np.sin(turns) + 6 * np.arange(6) - 150, 80 - 80 * np.cos(turns) + low_mm, turns + lean]
    )


def _paper(rng):
    """A paper larger than a card, beside the fan."""
    quads = quads_of(TABLE, np.array([(180.0, rng.uniform(-60, 60), rng.uniform(0, 3))]))
    middle = quads.mean(1, keepdims=True)
    return middle + 1.45 * (quads - middle)


@pytest.mark.takes_turns(seconds=52)
def test_a_paper_that_is_seen_whole_does_not_tell_how_large_the_cards_of_a_fan_are():
    told = []
    for seed in (2, 3, 4):
        rng = np.random.default_rng(seed)
        fan = quads_of(TABLE, _fan(rng))
        picture = draw_table([*_paper(rng), *fan], rng)
        found = [outline.quad_px for outline in CardFinder().find(picture)]
        told.append([max(overlap(quad, card) for quad in found) for card in fan])
    assert sum(share > 0.9 for fan in told for share in fan) >= 12
    assert all(fan[-1] > 0.95 for fan in told)
