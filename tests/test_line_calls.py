"""What a call's doubt is made of, whom a spot is named for, and what is said of strangers."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linesies.vision import Judge
from linesies.vision.caps.fit import CapFit
from linesies.vision.caps.gap_doubt import name_sigma_mm
from linesies.vision.caps.hull import Hulls
from linesies.vision.caps.naming import borne_out, cap_shares, caps_to_others, weigh, weigh_by_presence, weigh_together
from linesies.vision.caps.owners import Owners
from linesies.vision.caps.placing import Placing
from linesies.vision.caps.recognising import Recognised
from linesies.vision.caps.solid import DIRECTIONS, beyond
from linesies.vision.caps.uncertainty import fit_covariance_mm2
from linesies.vision.pieces import at_once
from tests import cap_pictures
from tests.cap_pictures import BLUE, CAPS, RED, YELLOW

PLACE = (180.0, 180.0)


@pytest.fixture(scope="module")
def calibration():
    return cap_pictures.calibration()


def only_call(judgement):
    (call,) = judgement.caps
    return call


def test_slid_outlines_are_as_far_from_each_pixel_as_those_measured_anew():
    pixels = np.random.default_rng(1).uniform(-20, 20, (200, 2))
    circle = 8 * DIRECTIONS
    slid = Hulls(pixels, [(circle, np.zeros_like(circle)), (2 * circle, np.zeros_like(circle))], np.eye(2))
    for move in np.array([[0.1, 0.1], [0.5, -0.3], [3.0, 2.0], [3.2, 2.1]]):
        slid.move(move)
        away = [beyond(pixels, outline + move) for outline in (circle, 2 * circle)]
        assert slid.beyond == pytest.approx(np.array(away), abs=0.02)


def fitted(scatter_mm=0.02, misfit=0.8):
    return CapFit(patch=None, xy_mm=np.zeros(2), misfit=misfit, scatter_mm2=np.diag([scatter_mm**2, 0.0]))


def sigma_mm(fit, way):
    return Placing(xy_mm=fit.xy_mm, covariance_mm2=fit_covariance_mm2(fit, RED, 0.5)).sigma_mm(way)


def test_doubt_grows_with_what_a_rim_disagrees_about_only_in_that_direction():
    calm, torn = fitted(0.02), fitted(0.3)
    across, along = np.array([1.0, 0.0]), np.array([0.0, 5.0])
    assert sigma_mm(torn, across) > 2 * sigma_mm(calm, across)
    assert sigma_mm(torn, along) == pytest.approx(sigma_mm(calm, along))


def test_doubt_grows_with_what_stays_unexplained():
    assert sigma_mm(fitted(misfit=1.6), np.ones(2)) > 1.5 * sigma_mm(fitted(), np.ones(2))


def test_a_name_in_doubt_makes_a_gap_less_sure_by_how_much_the_listed_caps_differ_in_size():
    wider = dataclasses.replace(RED, diameter_mm=RED.diameter_mm + 8)
    assert name_sigma_mm((RED, RED), 1.0) == 0
    assert 1 < name_sigma_mm((RED, wider), 1.0) < 4


def test_a_gap_is_the_less_sure_the_likelier_the_cap_is_nobodys():
    wider = dataclasses.replace(RED, diameter_mm=RED.diameter_mm + 8)
    assert name_sigma_mm((RED, wider), 0.0) == 0
    assert name_sigma_mm((RED, wider), 0.1) < name_sigma_mm((RED, wider), 0.5)


def test_an_average_of_still_pictures_takes_away_what_noise_made_of_the_doubt_and_no_more(calibration):
    judge, rng = Judge(calibration, (BLUE,)), np.random.default_rng(3)
    clean = cap_pictures.picture(calibration, [(BLUE, PLACE)])
    noisy = [np.clip(clean + rng.normal(0, 9, clean.shape), 0, 255).astype(np.uint8) for _ in range(8)]
    one = only_call(judge.judge(noisy[0])).sigma_mm
    averaged = only_call(judge.judge(np.mean(noisy, axis=0).astype(np.uint8))).sigma_mm
    assert averaged < 0.95 * one  # the witness hardly minds noise, and what both say is half its word
    assert averaged >= 0.85 * only_call(judge.judge(clean)).sigma_mm


def test_an_estimated_lens_makes_caps_seen_at_a_slant_less_sure(calibration):
    picture = cap_pictures.picture(calibration, [(BLUE, PLACE)])
    guessed = dataclasses.replace(calibration, focal_doubt=0.1)
    known, doubted = (only_call(Judge(c, (BLUE,)).judge(picture)) for c in (calibration, guessed))
    assert doubted.xy_mm == known.xy_mm
    assert doubted.sigma_mm > known.sigma_mm


def test_twins_are_measured_but_named_for_nobody(calibration):
    twin = dataclasses.replace(RED, player="eve")
    judgement = Judge(calibration, (RED, twin)).judge(cap_pictures.picture(calibration, [(RED, PLACE)]))
    assert judgement.caps == ()
    (stranger,) = judgement.unknown
    assert stranger.player is None
    assert not stranger.is_certain
    assert stranger.xy_mm == pytest.approx(PLACE, abs=1.0)


def test_a_cap_that_nobody_listed_is_reported_as_unknown(calibration):
    violet = dataclasses.replace(BLUE, colour_rgb=(60, 20, 90), diameter_mm=28.0, height_mm=6.0)
    lying = [(RED, PLACE), (violet, (260.0, 420.0))]
    judgement = Judge(calibration, (RED,)).judge(cap_pictures.picture(calibration, lying))
    assert [call.player for call in judgement.caps] == ["ana"]
    (stranger,) = judgement.unknown
    assert stranger.xy_mm == pytest.approx((260.0, 420.0), abs=2.0)
    assert "player" not in stranger.as_json()


def test_all_listed_caps_leave_nothing_unknown(calibration):
    places = {"ana": PLACE, "bo": (420.0, 240.0), "cal": (260.0, 420.0)}
    picture = cap_pictures.picture(calibration, [(cap, places[cap.player]) for cap in CAPS])
    judgement = Judge(calibration, (RED, BLUE, YELLOW)).judge(picture)
    assert {call.player for call in judgement.caps} == set(places)
    assert judgement.unknown == ()


def together(*candidates):
    """Weigh candidates together: each as its share of being a cap, then of being each listed one, then nobody's."""
    table = np.array(candidates, float)
    return weigh_together(table[:, 0], table[:, 1:], 9.0)


def test_where_two_look_like_one_players_cap_the_other_goes_to_the_cap_left_over():
    _, owners = together((0.99, 0.9, 0.09, 0.01), (0.99, 0.5, 0.49, 0.01))
    assert owners[0].argmax() == 0
    assert owners[1].argmax() == 1
    assert owners[1, 1] > 0.8


def test_two_caps_that_look_alike_stay_as_unsure_together_as_each_is_alone():
    _, owners = together((0.99, 0.5, 0.5, 0.0), (0.99, 0.5, 0.5, 0.0))
    assert owners[:, :2] == pytest.approx(0.5, abs=0.01)


def test_each_listed_cap_lies_there_at_most_once():
    caps, owners = together(*[(0.9, 0.7, 0.2, 0.1)] * 4)
    assert ((caps[:, None] * owners[:, :2]).sum(axis=0) <= 1 + 1e-6).all()


def test_what_looks_like_no_listed_cap_stays_nobodys():
    caps, owners = together((0.99, 0.01, 0.01, 0.98))
    assert caps[0] > 0.9
    assert owners[0].argmax() == 2


def share_of(seen, named):
    """The share of a cap where one witness has these log odds, and what names caps those."""
    recognised = Recognised(log_odds=np.array([seen]), xy_mm=np.zeros((1, 2)))
    return float(cap_shares(recognised, Owners(shares=np.ones((1, 1)), log_odds=np.array([named])))[0])


def test_whether_it_is_a_cap_both_witnesses_say_and_the_one_that_is_surer_outweighs_the_other():
    assert share_of(4.0, 4.0) > share_of(4.0, -1.0) > 0.5
    assert share_of(-4.0, -4.0) < share_of(-4.0, 1.0) < 0.5
    assert share_of(1.0, 9.0) > 0.5 > share_of(1.0, -9.0)


def test_what_looks_like_one_listed_cap_is_likelier_a_cap_than_what_looks_a_little_like_several():
    sure, unsure = (0.97, 0.01, 0.01, 0.01), (0.33, 0.33, 0.33, 0.01)
    alike = Recognised(log_odds=np.zeros(2), xy_mm=np.array([[0.0, 0.0], [100.0, 0.0]]))
    one, several = at_once(weigh(alike, Owners(shares=np.array([sure, unsure]), log_odds=np.zeros(2)))).cap_shares
    assert one > several
    assert borne_out(np.array([0.9]), np.array([sure])) == pytest.approx([0.9], abs=0.01)


def test_a_cap_that_looks_surely_nobodys_is_likelier_one_than_what_looks_like_half_the_list():
    nobodys, several = (0.0, 0.0, 0.0, 0.0, 1.0), (0.2, 0.2, 0.2, 0.2, 0.2)
    first, second = borne_out(np.array([0.9, 0.9]), np.array([nobodys, several]))
    assert first > second


def test_what_misfits_less_than_usual_is_no_surer_for_that():
    assert sigma_mm(fitted(misfit=0.4), np.ones(2)) == pytest.approx(sigma_mm(fitted(misfit=0.83), np.ones(2)))


def test_what_may_be_a_cap_is_one_rather_where_a_listed_cap_is_still_missing():
    (missing, _), _ = together((0.6, 0.9, 0.05, 0.05), (0.99, 0.01, 0.98, 0.01))
    (seen, _), _ = together((0.6, 0.9, 0.05, 0.05), (0.99, 0.98, 0.01, 0.01))
    assert missing > 0.6 > seen


@given(st.integers(0, 40), st.floats(0, 12))
def test_the_more_places_are_worth_a_look_beside_the_caps_the_less_likely_each_is_one(places, caps):
    fewer, more = (caps_to_others(places=places + others, caps=caps) for others in (0, 1))
    assert 0 < more <= fewer
    assert caps_to_others(places=places + 60, caps=caps) < 1


@given(st.lists(st.floats(0, 1), max_size=8), st.integers(1, 20))
def test_no_more_of_the_listed_caps_are_seen_than_are_listed_however_many_places_look_like_one(shares, listed):
    caps, whose = weigh_by_presence(np.array(shares), np.full((len(shares), listed + 1), 1 / (listed + 1)))
    assert ((caps[:, None] * whose[:, :-1]).sum(axis=0) <= 1 + 1e-6).all()
    assert ((caps >= 0) & (caps <= 1)).all()


def test_where_most_listed_caps_were_seen_a_doubtful_one_is_likelier_the_last_and_where_none_was_it_is_not():
    doubtful = [(0.5, 0.95, 0.0, 0.0, 0.0, 0.0, 0.05)]
    others = [(0.99, *np.eye(5)[k], 0.0) for k in (1, 2, 3, 4)]
    (last, *_), _ = by_presence(doubtful + others)
    (only,), _ = by_presence(doubtful)
    assert last > 0.95
    assert only < 0.9


def by_presence(rows):
    """Weigh candidates as `together` does, how many caps lie there being told by them."""
    table = np.array(rows, float)
    return weigh_by_presence(table[:, 0], table[:, 1:])


def test_nothing_to_weigh_is_weighed_as_nothing():
    caps, owners = weigh_together(np.empty(0), np.empty((0, 3)), 9.0)
    assert len(caps) == len(owners) == 0


def test_a_cap_that_looks_unlikely_is_still_tried_where_nobody_else_is_left(calibration):
    odd = dataclasses.replace(RED, colour_rgb=(160, 70, 50))  # listed by somebody who sees colours otherwise
    call = only_call(Judge(calibration, (odd,)).judge(cap_pictures.picture(calibration, [(RED, PLACE)])))
    assert call.xy_mm == pytest.approx(PLACE, abs=1.0)
