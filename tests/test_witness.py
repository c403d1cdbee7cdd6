"""A second witness says where a cap stands, whichever cap it is and wherever it lies in what is looked at."""

import numpy as np
import pytest

from linesies.training.caps.samples import KEPT_PX, STRANGER
from linesies.training.caps.worlds import lessons_of
from linesies.vision import Call, Cap, KnownCap
from linesies.vision.caps.candidates import CapCandidate
from linesies.vision.caps.cuts import SIDE_PX, Cuts, normalised
from linesies.vision.caps.fit import CapFit
from linesies.vision.caps.judge import Judge
from linesies.vision.caps.owners import USUAL_HEIGHT_MM, USUAL_MM
from linesies.vision.caps.placing import Placing
from linesies.vision.caps.reading import CapReading
from linesies.vision.caps.witness import witnessed
from tests import cap_pictures

SEED = 7003  # no net was taught on it
NEAR_MM = 4.0  # fits that are farther off are no fits
ROOM_PX = (KEPT_PX - SIDE_PX) // 2


@pytest.fixture(scope="module")
def asked():
    """Each listed cap near the middle of a cut: what the witness says, and where it truly stands in the cut."""
    found = []
    for lesson in lessons_of(SEED):
        own = [one for one in lesson.samples if 0 <= one.owner < STRANGER and np.hypot(*one.offset_mm) < NEAR_MM]
        middle = slice(ROOM_PX, ROOM_PX + SIDE_PX)
        now, empty = (np.array([getattr(one, when)[middle, middle] for one in own]) for when in ("now", "empty"))
        upright = np.repeat(np.eye(2)[None], len(own), axis=0)
        leans = np.array([one.lean for one in own])
        cuts = Cuts(planes=normalised(now, empty), leans=leans, xy_mm=np.zeros((len(own), 2)), turns=upright)
        said = witnessed(cuts, tuple(listed_as(lesson.listed[one.owner]) for one in own))
        found += [(one.offset_mm, placing) for one, placing in zip(own, said, strict=True)]
    return found


def listed_as(facts):
    wide_mm, tall_mm = USUAL_MM * np.exp(facts[3]), USUAL_HEIGHT_MM * (1 + facts[4])
    return Cap(player="", colour_rgb=(0, 0, 0), diameter_mm=float(wide_mm), height_mm=float(tall_mm))


@pytest.mark.takes_turns(seconds=16)
def test_the_witness_says_where_caps_stand_to_a_fraction_of_what_they_are_off(asked):
    off_mm = [np.hypot(*(said.xy_mm - true_mm)) for true_mm, said in asked]
    before_mm = [np.hypot(*true_mm) for true_mm, _ in asked]
    assert len(asked) > 50
    assert np.median(off_mm) < 0.5 * np.median(before_mm)
    assert np.median(off_mm) < 1.2


def test_the_witness_knows_about_how_far_off_it_is(asked):
    surprises = [abs(said.xy_mm[0] - true_mm[0]) / said.sigma_mm(np.array([1.0, 0.0])) for true_mm, said in asked]
    assert 0.3 < np.median(surprises) < 1.4


def test_a_cap_that_is_followed_is_witnessed_as_one_that_is_found():
    calibration, place = cap_pictures.calibration(), (180.0, 180.0)
    judge = Judge(calibration, (cap_pictures.RED,))
    picture = cap_pictures.picture(calibration, [(cap_pictures.RED, place)])
    (found,) = judge.judge(picture).caps
    followed = judge.fit(picture, KnownCap(cap=cap_pictures.RED, near_mm=np.array(place)))
    assert isinstance(followed, Call)
    assert followed.xy_mm == pytest.approx(found.xy_mm, abs=0.2)
    assert followed.sigma_mm == pytest.approx(found.sigma_mm, rel=0.1)


def test_no_cap_is_certain_that_fit_and_witness_see_in_different_places():
    assert reading_with(apart_mm=1.0).has_name
    assert not reading_with(apart_mm=3.0).has_name


def reading_with(apart_mm):
    """Read a cap of which nothing else is in doubt."""
    here = np.array([180.0, 180.0])
    candidate = CapCandidate(xy_mm=here, cap_share=1.0, owner_shares=np.array([1.0, 0.0]))
    fit = CapFit(patch=None, xy_mm=here, misfit=0.5, scatter_mm2=np.eye(2))
    said = Placing(xy_mm=here + np.array([apart_mm, 0.0]), covariance_mm2=np.eye(2))
    return CapReading(candidate=candidate, fit=fit, cap=cap_pictures.RED, crowd=0, testimony=said)
