"""Cards that crowd: looked at closer, and weighed by what can be seen of them."""

import numpy as np
import pytest

from linesies.vision.cards.find.edges import ALONG, side_frames
from linesies.vision.cards.find.evidence import are_in_sight, draw_owners, ends_in_sight, weigh
from linesies.vision.cards.find.votes import gather
from linesies.vision.cards.find.votes_closer import look_closer
from tests.card_votes import LYING, REDUCTION, cast, turned

SIZE_PX = (1920, 1080)
PICTURE = np.zeros((SIZE_PX[1], SIZE_PX[0], 3), np.uint8)
COVERED, COVERING = LYING, turned(LYING, 0, (63, 0))
FAR = turned(LYING, 30, (900, 300))


class Net:
    """Answers a closer look with the votes of known cards; remembers where it looked."""

    def __init__(self, cards):
        self.cards, self.boxes, self.reductions = cards, [], []

    def look(self, picture, box_px, reduction):
        self.boxes.append(box_px)
        self.reductions.append(reduction)
        return cast(self.cards, np.random.default_rng(9), noise_px=3.0)


def looked_at(cards):
    votes, net = cast(cards, np.random.default_rng(8)), Net(cards)
    return look_closer(net, PICTURE, votes, gather(votes)), net


def test_a_lonely_card_that_is_sure_is_not_looked_at_again():
    found, net = looked_at([LYING, FAR])
    assert len(found) == 2
    assert net.boxes == []


def test_cards_that_overlap_are_looked_at_closer_and_the_others_kept():
    found, net = looked_at([COVERED, COVERING, FAR])
    (box,) = net.boxes
    assert (LYING.min(0) > box[:2]).all()
    assert (COVERING.max(0) < box[2:]).all()
    assert box[2] < FAR[:, 0].min()
    assert net.reductions[0] < REDUCTION
    assert len(found) == 3


def test_no_more_is_looked_at_closer_than_the_first_look_cost():
    crowd = [turned(LYING, 10 * k, (140 * (k % 9) - 200, 190 * (k // 9) - 100)) for k in range(36)]
    found, net = looked_at(crowd)
    seen_px = sum((right - left) * (bottom - top) for left, top, right, bottom in net.boxes)
    assert seen_px / min(net.reductions, default=1) ** 2 < 300_000
    assert len(found) >= 30


def test_an_edge_is_asked_for_only_where_no_other_card_lies():
    votes = cast([COVERED, COVERING], np.random.default_rng(3))
    roughs = sorted(gather(votes), key=lambda rough: rough.visible)
    quads = np.array([COVERED, COVERING])
    edges = np.ones((2, 4, len(ALONG)))
    edges[0, 1] = 0  # the covered card's right side
    edges[0, 0, ALONG > 0.5] = edges[0, 2, ALONG < 0.5] = 0  # and the right half of two others
    covered, covering = weigh(roughs, quads, edges, draw_owners(roughs, SIZE_PX))
    assert covered[1] == pytest.approx(0.5, abs=0.1)
    assert covering[1] == pytest.approx(1.0, abs=0.1)
    assert covered[3] > 0.8
    assert covering[3:5] == pytest.approx((1.0, 1.0))
    assert covered[4] == pytest.approx(0.5, abs=0.1)


def test_a_card_beside_its_own_cells_is_told_by_them():
    roughs = gather(cast([LYING], np.random.default_rng(3)))
    edges = np.ones((1, 4, len(ALONG)))
    owners = draw_owners(roughs, SIZE_PX)
    ((_, own, outside, *_),) = weigh(roughs, turned(LYING, 0, (63, 0))[None], edges, owners)
    assert (own, outside) == pytest.approx((0.5, 0.5), abs=0.1)


def test_no_edge_is_asked_for_beyond_the_pictures_end():
    half_out = LYING - (LYING[:, 0].mean(), 0)
    roughs = gather(cast([LYING], np.random.default_rng(3)))
    owners = draw_owners(roughs, SIZE_PX)
    is_seen = are_in_sight(half_out[None], owners, np.zeros(1, int))
    points, _, _ = side_frames(half_out[None])
    assert (is_seen == (points[..., 0] >= 0)).all()


def test_of_a_covered_card_one_index_is_in_sight():
    roughs = sorted(gather(cast([COVERED, COVERING], np.random.default_rng(3))), key=lambda rough: rough.visible)
    quads, owners, numbers = np.array([COVERED, COVERING]), draw_owners(roughs, SIZE_PX), np.arange(2)
    assert ends_in_sight(quads, owners, numbers, [0, 1]) == pytest.approx(np.array([(1, 0), (1, 1)]), abs=0.2)
    assert (ends_in_sight(quads, owners, numbers, []) == 1).all()


def test_an_index_beyond_the_pictures_end_is_not_in_sight():
    half_out = LYING - (LYING[:, 0].mean(), 0)
    owners = draw_owners(gather(cast([LYING], np.random.default_rng(3))), SIZE_PX)
    assert ends_in_sight(half_out[None], owners, np.zeros(1, int), []).tolist() == [[0, 1]]
