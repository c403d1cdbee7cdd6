"""Where a cap stands is told by its fit and by a second witness, and by how far apart both are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linesies.vision.caps.corroborating import WitnessDoubt, corroborated, is_vague, weighed
from linesies.vision.caps.firmness import cap_share_given
from linesies.vision.caps.placing import Placing

PLAIN = WitnessDoubt(times=1.0, together=1.0, common=0.0)
ACROSS = np.array([1.0, 0.0])
FAR = st.floats(-3, 3)
WIDE = st.floats(0.05, 2)


def placed(x, y, wide_x=0.5, wide_y=0.5):
    return Placing(xy_mm=np.array([x, y]), covariance_mm2=np.diag([wide_x**2, wide_y**2]))


def test_a_fit_and_a_witness_that_agree_are_surer_than_either():
    both = weighed(placed(0, 0), placed(0.1, 0), PLAIN)
    assert both.sigma_mm(ACROSS) == pytest.approx(0.5 / np.sqrt(2))
    assert both.xy_mm == pytest.approx([0.05, 0])


def test_a_fit_and_a_witness_far_apart_are_less_sure_than_either():
    both = weighed(placed(0, 0), placed(4, 0), PLAIN)
    assert both.sigma_mm(ACROSS) > 1.0


def test_of_a_cap_that_a_witness_hardly_saw_the_place_stays_in_doubt_though_the_fit_is_sure_and_both_agree():
    alike = WitnessDoubt(times=1.0, together=1.0, common=0.6)
    plain, hard = (weighed(placed(0, 0, 0.1, 0.1), placed(0, 0, wide, wide), alike) for wide in (0.2, 1.0))
    assert plain.sigma_mm(ACROSS) < 0.16
    assert hard.sigma_mm(ACROSS) == pytest.approx(0.6, rel=0.05)


def test_a_fit_that_hardly_says_where_a_cap_stands_beside_its_line_bears_no_witness_out():
    shadowed, said = placed(0, 0, 2.0, 0.3), placed(0, 0, 0.6, 0.6)
    assert is_vague(shadowed, said, ACROSS, 28.5)
    assert not is_vague(shadowed, said, np.array([0.0, 1.0]), 28.5)
    assert not is_vague(shadowed, said, ACROSS, 60.0)


def test_a_witness_who_hardly_saw_where_a_cap_stands_beside_its_line_bears_no_fit_out():
    fitted, dim = placed(0, 0, 0.4, 0.4), placed(0, 0, 1.2, 0.6)
    assert is_vague(fitted, dim, ACROSS, 28.5)
    assert not is_vague(fitted, dim, np.array([0.0, 1.0]), 28.5)


def test_a_witness_who_says_that_he_hardly_saw_moves_nothing():
    both = weighed(placed(0, 0), placed(2, 1, 20, 20), PLAIN)
    assert np.hypot(*both.xy_mm) < 0.01
    assert both.sigma_mm(ACROSS) == pytest.approx(0.5, rel=0.01)


@given(FAR, FAR, WIDE, WIDE, WIDE, WIDE)
def test_a_place_lies_between_what_the_two_say_and_who_is_asked_first_changes_nothing(x, y, a, b, c, d):
    one, other = placed(0, 0, a, b), placed(x, y, c, d)
    forth, back = weighed(one, other, PLAIN), weighed(other, one, PLAIN)
    assert forth.xy_mm == pytest.approx(back.xy_mm, abs=1e-9)
    assert forth.covariance_mm2 == pytest.approx(back.covariance_mm2, abs=1e-9)
    low, high = np.minimum(0, [x, y]), np.maximum(0, [x, y])
    assert ((low - 1e-9 <= forth.xy_mm) & (forth.xy_mm <= high + 1e-9)).all()


@given(FAR, FAR, st.floats(0, 2 * np.pi))
def test_no_dispute_makes_a_place_surer(x, y, turn):
    way = np.array([np.cos(turn), np.sin(turn)])
    agreed, disputed = weighed(placed(0, 0), placed(0, 0), PLAIN), weighed(placed(0, 0), placed(x, y), PLAIN)
    assert disputed.sigma_mm(way) >= agreed.sigma_mm(way) - 1e-12


HELD = st.floats(0, 100)


def test_what_fit_and_witness_hold_firmly_is_likelier_a_cap_and_what_they_hold_loosely_is_not():
    firm = cap_share_given(0.98, scatter_mm=0.1, witness_mm=0.5)
    loose = cap_share_given(0.98, scatter_mm=0.5, witness_mm=1.5)
    assert loose < 0.92
    assert firm > 0.98


@given(st.floats(0, 1), HELD, HELD, HELD)
def test_the_more_loosely_either_holds_it_the_less_likely_it_is_a_cap(share, one_mm, other_mm, held_mm):
    firm, loose = sorted((one_mm, other_mm))
    for by_fit in (True, False):
        firmly, loosely = (
            cap_share_given(share, scatter_mm=mm if by_fit else held_mm, witness_mm=held_mm if by_fit else mm)
            for mm in (firm, loose)
        )
        assert 0 <= loosely <= firmly <= 1


@given(HELD, HELD)
def test_what_is_surely_a_cap_stays_one_and_what_surely_is_none_too(scatter_mm, witness_mm):
    assert cap_share_given(1.0, scatter_mm=scatter_mm, witness_mm=witness_mm) == 1.0
    assert cap_share_given(0.0, scatter_mm=scatter_mm, witness_mm=witness_mm) == 0.0


def test_a_ring_of_glass_is_off_by_more_and_a_plain_crown_by_less_than_fit_and_witness_say():
    crown, untold, ring = (
        corroborated(placed(0, 0), placed(0, 0), kind).sigma_mm(ACROSS) for kind in ("crown", None, "ring")
    )
    assert crown < untold < ring


def test_what_no_witness_was_asked_of_is_as_far_off_as_its_fit_says():
    assert corroborated(placed(0, 0), None, "ring").sigma_mm(ACROSS) == placed(0, 0).sigma_mm(ACROSS)
