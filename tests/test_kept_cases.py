"""An archive of calls with their truth, kept with the tests: today's program measures all of it again."""

import math
from pathlib import Path

import pytest

from linesies.device.cases.archives import open_archive
from linesies.device.cases.case import case_names
from linesies.device.cases.rejudging import TOO_LITTLE, rejudge
from linesies.device.cases.reporting import report_of

KEPT = Path(__file__).parent / "data" / "cases.zip"  # of simulated streets: plain, seed 61; varied, seed 62
FAINT = KEPT.with_name("faint_crown.zip")  # street 7001: a crown as bright as its concrete
OWN_SHADOW = KEPT.with_name("own_shadow.zip")  # street 16097, varied: a crown on its back as dark as its shadow


@pytest.fixture(scope="module")
def again():
    archive = open_archive(str(KEPT))
    return [rejudge(archive, name) for name in case_names(archive)]


def test_no_certain_call_has_flipped_to_a_wrong_one(again):
    assert [one.name for one in again if one.is_wrong] == []


def test_of_those_that_kept_too_little_it_is_said_that_nobody_asked_whether_a_cap_lies_there(again):
    """They were filed before more was kept: small caps, of which a small part of the picture was enough to fit them."""
    unasked = [one for one in again if one.now.cap_share is None]
    assert 0 < len(unasked) < 10
    assert all(one.why == TOO_LITTLE for one in unasked)
    report = report_of({"archive": "", **one.as_json()} for one in again)
    assert any(line.startswith(f"{len(unasked):6} keep too little") for line in report.summary())


def test_of_all_others_a_cap_is_seen_where_it_was_fitted(again):
    assert min(one.now.cap_share for one in again if one.now.cap_share is not None) > 0.985


def test_most_that_were_certain_still_are(again):
    were = [one for one in again if one.case.call.certain]
    assert sum(one.now is not None and one.now.certain for one in were) >= 0.8 * len(were) > 0


def test_a_cap_as_bright_as_its_ground_is_certain_of_no_side_by_a_pixel():
    """Fit and witness alike hold its shadow for a part of it; it was certain, by 3.1 sigmas, of the wrong side."""
    archive = open_archive(str(FAINT))
    (one,) = (rejudge(archive, name) for name in case_names(archive))
    assert one.case.call.certain
    assert one.case.call.location != one.case.settled
    assert one.now is not None
    assert not one.now.certain


def test_a_dark_cap_stands_where_it_was_followed_to_not_where_its_shadow_falls():
    """Fit, witness and the nets that find caps all took the shadow for it; where it was followed to was not weighed."""
    archive = open_archive(str(OWN_SHADOW))
    for one in (rejudge(archive, name) for name in case_names(archive)):
        assert math.dist(one.case.call.xy, one.case.near) > 16.0
        assert one.now is not None
        assert math.dist(one.now.xy, one.case.near) < 4.0
        assert not one.is_wrong
