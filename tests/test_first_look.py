"""At first sight many places are let go, looked at once: those where a full look would find no cap either."""

import numpy as np
import pytest

from linesies.vision.caps import looks
from linesies.vision.caps.cuts import Places, cut_out, shrink
from linesies.vision.caps.looks import glance
from linesies.vision.caps.pictures import BeforeAndNow
from linesies.vision.caps.recognising import come_closer, recognise
from linesies.vision.pieces import at_once
from tests import cap_pictures


@pytest.fixture(scope="module")
def cuts():
    """Places all over a board on which two caps lie."""
    calibration = cap_pictures.calibration()
    lie = [(cap_pictures.RED, (180.0, 180.0)), (cap_pictures.BLUE, (430.0, 250.0))]
    pictures = BeforeAndNow(now=cap_pictures.picture(calibration, lie), empty=calibration.empty_bgr)
    grid = np.arange(60.0, 560.0, 40.0)
    places = Places(xy_mm=np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2))
    return cut_out(shrink(pictures, calibration), places, calibration)


def test_a_first_look_sends_to_the_same_places_as_a_full_one(cuts, monkeypatch):
    first = come_closer(recognise(cuts, at_once(glance(cuts))))
    monkeypatch.setattr(looks, "LOOKS", looks.LooksTuning(worth_mirroring=-20.0))
    full = come_closer(recognise(cuts, at_once(glance(cuts))))
    assert len(full.xy_mm) >= 2
    np.testing.assert_array_equal(first.xy_mm, full.xy_mm)


def test_what_is_surely_no_cap_is_looked_at_once(cuts, monkeypatch):
    asked, asking = [], looks.asking

    def counted(net, planes, **told):
        asked.append(len(planes))
        return asking(net, planes, **told)

    monkeypatch.setattr(looks, "asking", counted)
    at_once(glance(cuts))
    assert asked[0] == len(cuts.planes)
    assert sum(asked[1:]) < 0.7 * len(cuts.planes)
