"""Without a lens file, knowing which camera it is makes the estimate of its lens better."""

import pytest

from linesies.calibration import CAMERAS, LensPrior, calibrate
from tests.painted_boards import paint_scene

TRUE_FOCAL = 0.9  # of the picture's width, in the painted scenes


@pytest.fixture(scope="module")
def scene():
    return paint_scene()


def _focal_error(scene, prior):
    found = calibrate(scene.picture_bgr, scene.board, corners_px=scene.taps_px, prior=prior)
    return abs(found.view.lens.camera_matrix[0, 0] / scene.view.lens.size_px[0] / TRUE_FOCAL - 1)


@pytest.mark.takes_turns(seconds=25)
def test_a_known_camera_gives_a_better_focal_length_than_any_camera(scene):
    near = _focal_error(scene, LensPrior(focal=TRUE_FOCAL * 1.005, focal_spread=0.02))
    far = _focal_error(scene, LensPrior(focal=TRUE_FOCAL * 1.25, focal_spread=0.06))
    assert near < 0.012
    assert near < far


@pytest.mark.parametrize("name", CAMERAS)
def test_every_known_camera_has_a_lens_that_cameras_have(name):
    assert 0.3 < CAMERAS[name].focal < 1.5
    assert 0 < CAMERAS[name].focal_spread < 0.06
