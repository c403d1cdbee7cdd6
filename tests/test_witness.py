"""A second witness says where a cap stands, whichever cap it is and wherever it lies in what is looked at."""

import numpy as np
import pytest

from linesies.training.caps.samples import KEPT_PX, STRANGER
from linesies.training.caps.worlds import lessons_of
from linesies.vision import Cap
from linesies.vision.caps.cuts import SIDE_PX, Cuts, normalised
from linesies.vision.caps.judge import BY_FIT_ALONE, STEPS, Judge
from linesies.vision.caps.owners import USUAL_HEIGHT_MM, USUAL_MM
from linesies.vision.caps.reading import Readings
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
        planes = [normalised(*(picture[middle, middle] for picture in (one.now, one.empty))) for one in own]
        upright = np.repeat(np.eye(2)[None], len(own), axis=0)
        leans = np.array([one.lean for one in own])
        cuts = Cuts(planes=np.array(planes), leans=leans, xy_mm=np.zeros((len(own), 2)), turns=upright)
        said = witnessed(cuts, tuple(listed_as(lesson.listed[one.owner]) for one in own))
        found += [(one.offset_mm, placing) for one, placing in zip(own, said, strict=True)]
    return found


def listed_as(facts):
    wide_mm, tall_mm = USUAL_MM * np.exp(facts[3]), USUAL_HEIGHT_MM * (1 + facts[4])
    return Cap(player="", colour_rgb=(0, 0, 0), diameter_mm=float(wide_mm), height_mm=float(tall_mm))


@pytest.mark.takes_turns
def test_the_witness_says_where_caps_stand_to_a_fraction_of_what_they_are_off(asked):
    off_mm = [np.hypot(*(said.xy_mm - true_mm)) for true_mm, said in asked]
    before_mm = [np.hypot(*true_mm) for true_mm, _ in asked]
    assert len(asked) > 50
    assert np.median(off_mm) < 0.5 * np.median(before_mm)
    assert np.median(off_mm) < 1.2


def test_the_witness_knows_about_how_far_off_it_is(asked):
    surprises = [abs(said.xy_mm[0] - true_mm[0]) / said.sigma_mm(np.array([1.0, 0.0])) for true_mm, said in asked]
    assert 0.3 < np.median(surprises) < 1.4


def test_a_watcher_measures_whole_pictures_by_the_fit_alone_as_it_does_single_caps():
    calibration, place = cap_pictures.calibration(), (180.0, 180.0)
    picture = cap_pictures.picture(calibration, [(cap_pictures.RED, place)])
    with_witness, alone = (
        Judge(calibration, (cap_pictures.RED,), steps).look(picture)[Readings].readings
        for steps in (STEPS, BY_FIT_ALONE)
    )
    assert all(one.testimony is not None for one in with_witness)
    assert all(one.testimony is None for one in alone)
    assert len(alone) == len(with_witness) == 1
