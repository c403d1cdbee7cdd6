"""Several tellings of one picture, joined: what more of them tell is surer, and each card is told once."""

from dataclasses import replace

import numpy as np
import pytest

from linesies.vision.cards.find import overlap as find_overlap
from linesies.vision.cards.find.candidate import CANDIDATES, CardCandidate, ProposedCards, as_corners
from linesies.vision.cards.find.joining import join_tellings
from linesies.vision.cards.find.overlap import share_in_picture
from linesies.vision.cards.find.plane import GuessedTable
from linesies.vision.cards.find.votes import gather
from tests.card_votes import LYING, cast, turned

ELSEWHERE = turned(LYING, 30, (700, 200))
FAIR = (0.9, 0.6, 0.1, 0.8, 0.6, 0.9, 0.0)
GOOD = (0.98, 0.9, 0.0, 0.95, 0.9, 0.5, 0.0)
POOR = (0.8, 0.3, 0.1, 0.4, 0.2, 1.2, 0.0)
WIDTH_PX = 1920


def telling(*outlines):
    candidates = [CardCandidate(corners_px=as_corners(quad), evidence=what, visible=1.0) for quad, what in outlines]
    return ProposedCards(candidates=candidates, table=None)


def on_table(told):
    table = GuessedTable(middle_px=np.array([959.5, 539.5]), focal_px=2000.0, slope=np.zeros(2), depth_mm=1000.0)
    return replace(told, table=table)


def test_an_outline_that_all_tell_is_surer_and_one_that_nobody_else_tells_is_doubted():
    one = telling((LYING, FAIR), (ELSEWHERE, FAIR))
    joined = join_tellings([one, telling((LYING, FAIR)), telling((turned(LYING, 1), FAIR)), telling((LYING, FAIR))])
    told = {one.corners_px: one.sureness for one in joined.candidates}
    assert told[as_corners(LYING)] > one.candidates[0].sureness
    assert told[as_corners(ELSEWHERE)] < CANDIDATES.sure_enough < one.candidates[1].sureness


def test_a_card_is_told_once_where_the_surest_telling_has_it():
    beside = turned(LYING, 0, (30, 10))
    joined = join_tellings([telling((beside, POOR)), *3 * [telling((LYING, GOOD))]])
    assert [one.corners_px for one in joined.candidates] == [as_corners(LYING)]


def test_of_outlines_in_one_place_that_is_told_of_which_its_own_telling_is_surest():
    beside = turned(LYING, 2)
    joined = join_tellings([telling((beside, FAIR)), telling((LYING, GOOD)), *2 * [telling((beside, FAIR))]])
    assert [one.corners_px for one in joined.candidates] == [as_corners(LYING)]


def test_a_doubtful_card_that_every_telling_has_is_told():
    one = telling((LYING, POOR))
    assert one.candidates[0].sureness < 0.75
    assert join_tellings([one] * 4).candidates[0].sureness > one.candidates[0].sureness


def test_a_rough_card_of_the_mirrored_picture_lies_clockwise_from_a_short_side_too():
    (rough,) = gather(cast([LYING], np.random.default_rng(1)))
    mirrored = rough.mirrored(WIDTH_PX)
    run = np.roll(mirrored.quad_px, -1, 0) - mirrored.quad_px
    assert (run[:, 0] * np.roll(run, -1, 0)[:, 1] - run[:, 1] * np.roll(run, -1, 0)[:, 0] > 0).all()
    assert np.hypot(*run[0]) < np.hypot(*run[1])
    assert mirrored.quad_px.mean(0) == pytest.approx((WIDTH_PX - 1 - rough.quad_px[:, 0].mean(), 287.6), abs=3)
    assert mirrored.mirrored(WIDTH_PX).quad_px == pytest.approx(rough.quad_px)


def test_cards_of_a_fan_that_overlap_much_are_two_where_most_tellings_have_both():
    over = turned(LYING, 0, (30, 10))
    both, one = telling((LYING, GOOD), (over, GOOD)), telling((LYING, GOOD))
    assert len(join_tellings([both, both, both, one]).candidates) == 2
    assert len(join_tellings([both, both, one, one]).candidates) == 1


def test_a_card_that_few_tellings_have_beside_another_is_a_hint_which_its_index_may_prove():
    over = turned(LYING, 0, (30, 10))
    both, one = telling((LYING, GOOD), (over, GOOD)), telling((LYING, GOOD))
    joined = join_tellings([one, one, both, both])
    assert [hint.corners_px for hint in joined.hints] == [as_corners(over)]
    assert joined.hints[0].score < CANDIDATES.sure_enough
    assert join_tellings([both] * 4).hints == ()


def test_what_lies_in_the_place_of_a_told_card_is_no_hint():
    assert join_tellings([telling((LYING, GOOD)), telling((turned(LYING, 1), FAIR))]).hints == ()


def test_a_doubtful_outline_of_quite_another_size_than_the_sure_cards_is_neither_card_nor_hint():
    zone = LYING.mean(0) + 4 * (ELSEWHERE - ELSEWHERE.mean(0)) + (900, 400)
    cards = (LYING, GOOD), (ELSEWHERE, GOOD)
    joined = join_tellings([*2 * [on_table(telling(*cards, (zone, FAIR)))], *2 * [on_table(telling(*cards))]])
    assert {one.corners_px for one in joined.candidates} == {as_corners(quad) for quad, _ in cards}
    assert joined.hints == ()
    alone = join_tellings([*2 * [on_table(telling((zone, FAIR)))], *2 * [on_table(telling())]])
    assert len(alone.candidates) == 1  # nothing sure tells a size


def test_only_outlines_that_may_meet_are_compared(monkeypatch):
    compared = []
    monkeypatch.setattr(find_overlap, "overlap", lambda *pair: compared.append(pair) or 0.0)
    places = [turned(LYING, 0, (x, y)) for x in range(0, 2000, 200) for y in range(0, 2000, 200)]
    join_tellings([telling(*((place, FAIR) for place in places))] * 4)
    assert len(compared) == len(places) * 10  # each with itself and those of three tellings like it


def test_what_of_a_card_lies_beyond_the_pictures_end_is_not_shown():
    assert share_in_picture(LYING, (1920, 1080)) == pytest.approx(1.0)
    assert share_in_picture(LYING - (LYING[:, 0].mean(), 0), (1920, 1080)) == pytest.approx(0.5, abs=0.01)
    assert share_in_picture(turned(LYING, 0, (1900, 0)), (1920, 1080)) == 0.0
