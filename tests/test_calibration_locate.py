"""Where a footprint lies, and how far from paint."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linesies.calibration import locate
from tests.calibrations import HALF_MM, plain_calibration

CALIBRATION = plain_calibration()


@pytest.mark.parametrize(
    ("place", "location", "gap"),
    [
        ((50, 50), "1", 50 - HALF_MM - 10),
        ((150, 50), "skull1", 50 - HALF_MM - 10),
        ((14, 50), "line", 14 - HALF_MM - 10),
        ((91, 50), "skull_line", 9 - HALF_MM - 10),
        ((109, 50), "skull_line", 9 - HALF_MM - 10),
        ((-30, 50), "open", 30 - HALF_MM - 10),
        ((-250, 50), "off", 250 - HALF_MM - 10),
    ],
)
def test_a_place_has_its_code_and_gap(place, location, gap):
    found = locate(CALIBRATION, np.array(place, float), 20.0)
    assert found.location == location
    assert found.gap_mm == pytest.approx(gap)


@given(x=st.floats(-60, 260), y=st.floats(-60, 160), diameter=st.floats(5, 60))
def test_the_gap_shrinks_by_half_of_what_the_diameter_grows(x, y, diameter):
    place = np.array([x, y])
    narrow, wide = locate(CALIBRATION, place, diameter), locate(CALIBRATION, place, diameter + 4)
    assert wide.gap_mm == pytest.approx(narrow.gap_mm - 2)


@given(x=st.floats(-60, 260), y=st.floats(-60, 160))
def test_a_line_is_called_exactly_when_the_gap_is_not_above_nought(x, y):
    found = locate(CALIBRATION, np.array([x, y]), 20.0)
    assert (found.gap_mm <= 0) == (found.location in {"line", "skull_line"})


@given(x=st.floats(-60, 260), y=st.floats(-60, 160))
def test_the_gap_leads_to_the_edge_that_is_named(x, y):
    place = np.array([x, y])
    found = locate(CALIBRATION, place, 20.0)
    assert abs(found.gap_mm + 10) == pytest.approx(np.hypot(*(found.edge_mm - place)), abs=1e-9)


def test_the_edge_brings_its_own_standard_error():
    line = replace(CALIBRATION.survey.lines[0], sigma_mm=np.array([0.7, 0.7]))
    unsure = replace(CALIBRATION, survey=replace(CALIBRATION.survey, lines=(line, *CALIBRATION.survey.lines[1:])))
    assert locate(unsure, np.array([20.0, 50.0]), 20.0).edge_sigma_mm == pytest.approx(0.7)
    assert locate(unsure, np.array([80.0, 50.0]), 20.0).edge_sigma_mm == pytest.approx(0.1)


def test_a_gap_changes_by_no_more_than_the_way_that_is_gone():
    chance = np.random.default_rng(0)
    for place, way in zip(chance.uniform([-20, -20], [220, 120], (300, 2)), chance.normal(0, 3, (300, 2)), strict=True):
        change_mm = locate(CALIBRATION, place + way, 20.0).gap_mm - locate(CALIBRATION, place, 20.0).gap_mm
        assert abs(change_mm) <= np.hypot(*way) + 1e-9
