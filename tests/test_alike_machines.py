"""Machines whose last bits differ, as an x86 and an ARM do, find caps and cards at the very same places."""

from dataclasses import replace

import numpy as np
import pytest

from linesies.vision.caps.fit import fit_from
from linesies.vision.caps.patch import cut_patch
from linesies.vision.caps.pictures import BeforeAndNow
from linesies.vision.caps.solid import solid_of
from linesies.vision.cards.find.edges import EdgeNet
from linesies.vision.cards.find.plane import GuessedTable
from linesies.vision.cards.find.plane_pose import quads_of
from linesies.vision.cards.find.sides import lay_supposed
from linesies.vision.picture.displacement import none_of
from tests import cap_pictures, card_felt
from tests.cap_pictures import RED, SIZE_PX, SLOPE

NEAR_MM = np.array([181.3, 179.2])  # a millimetre off
LAST_BITS = 1e-8  # of single precision


@pytest.fixture(scope="module")
def calibration():
    return cap_pictures.calibration()


@pytest.fixture(scope="module")
def picture_bgr(calibration):
    return cap_pictures.picture(calibration, [(RED, (180.0, 180.0))])


@pytest.fixture
def fit_of(calibration, picture_bgr):
    """Fits the cap from where it was seen, in a picture so shifted, its ground so much brighter."""

    def fit(*, near_mm=NEAR_MM, shift_px=0.4, brighter=0.0):
        lies = none_of(SIZE_PX)
        lies.coefficients[:, 0] = shift_px
        pictures = BeforeAndNow(now=picture_bgr, empty=calibration.empty_bgr, displacement=lies)
        patch = cut_patch(calibration.view, pictures, solid_of(RED, "crown"), near_mm, off_mm=1.0)
        lit = replace(patch, empty=patch.empty * (1 + brighter))
        return fit_from(lit, np.zeros(2), SLOPE, ()).xy_mm

    return fit


@pytest.mark.parametrize("seed", range(4))
def test_a_fit_makes_nothing_of_last_bits(fit_of, seed):
    chance = np.random.default_rng(seed)
    stray, shift, light = chance.uniform(-LAST_BITS, LAST_BITS, 3)
    told = fit_of()
    assert told.tolist() == fit_of(near_mm=NEAR_MM * (1 + stray)).tolist()
    assert told.tolist() == fit_of(shift_px=0.4 * (1 + shift)).tolist()
    assert told.tolist() == fit_of(brighter=light).tolist()
    assert told == pytest.approx([180.0, 180.0], abs=1.0)


@pytest.mark.parametrize("seed", range(4))
def test_sides_make_nothing_of_the_last_bits_of_votes(seed):
    middle_px = (np.array(card_felt.SIZE_PX) - 1) / 2
    table = GuessedTable(middle_px=middle_px, focal_px=1300.0, slope=np.array([0.0, 0.2]), depth_mm=800.0)
    quads = quads_of(table, np.array([(-80.0, 0.0, 0.3), (60.0, 12.0, 0.6)]))
    picture = card_felt.draw_table(quads, np.random.default_rng(4))
    stray_px = np.random.default_rng(seed).uniform(-3e-4, 3e-4, quads.shape)  # as two machines' votes were apart
    laid, other = (lay_supposed(EdgeNet(), picture, one, table) for one in (quads, quads + stray_px))
    assert laid.tolist() == other.tolist()
